//! `pgnmill explain`: one game, the place of its fault, the position there and why.
//!
//! In: an archive and a place in it: a byte, as `faults.csv` gives it, or a game's number. The game is found where a run finds it and
//! replayed under the same rules. What is to be shown goes to [`super::game_view`].

use std::ops::{ControlFlow, Range};

use crate::archive::games::Games;
use crate::archive::{Archive, Input, Options, Part};
use crate::chess::{Move, Position};
use crate::error::{Error, Result};
use crate::notation::{Notation, Ply, SAN};
use crate::pgn::deviation::{Deviation, Profile};
use crate::replay::{Game, GameFault, History, ReplayVisitor, Replayer, TagSection, Verdict};

use super::args::Explain;
use super::game_view::{self, GameView, Place};
use super::listing::print;
use super::task::{find_notation, profile};

/// Runs the command. Says whether the game was proved.
pub(super) fn explain(args: &Explain) -> Result<bool> {
    let inputs = Input::expand([&args.archive])?;
    let [input] = inputs.as_slice() else {
        return Err(Error::usage(format!("{} holds several archives", args.archive.display())));
    };
    let from = match args.from.as_str() {
        "auto" => None,
        name => Some(find_notation(name)?),
    };
    let profile = profile(args.strict, &args.allow, &args.deny)?;
    let archive = Archive::open(input, &Options::default())?;
    let name = archive.name().to_string();
    let search = Search { profile: &profile, from, name: &name };
    let (text, offset, number) = match (args.at, args.game) {
        (Some(at), _) => {
            let Some((text, offset, _)) = search.by_offset(archive, at)? else { return Ok(true) };
            (text, offset, search.number_of(input, offset)?)
        }
        (None, Some(game)) => search.by_number(archive, game)?,
        (None, None) => return Err(Error::usage("give --at OFFSET or --game NUMBER")),
    };
    let at = args.at.map(|at| (at - offset) as usize);
    let mut witness = Witness::new(Asked { at, ply: args.ply });
    let mut replayer = Replayer::new(&profile, from, History::Ignored);
    replayer.replay(&text, &mut witness);
    let Some(seen) = witness.seen else {
        return Err(Error::usage(format!("{name}: the game at byte {offset} is not found again")));
    };
    let place = seen.place(at, args.ply)?;
    let deviations: Vec<(Deviation, u64)> = Deviation::ALL
        .iter()
        .map(|&kind| (kind, replayer.counts.deviations[kind as usize]))
        .filter(|&(_, times)| times > 0)
        .collect();
    let clean = seen.verdict != Verdict::Rejected;
    let view = GameView {
        archive: &name,
        offset,
        number,
        text: &text,
        tags: seen.tags_end,
        verdict: seen.verdict,
        fault: seen.fault.as_ref(),
        notation: seen.notation,
        deviations: &deviations,
        profile: &profile,
        place: &place,
        figurines: args.figurines,
    };
    print(&game_view::show(&view))?;
    Ok(clean)
}

/// Games are counted up to one that begins here at most: half a second's work.
const COUNTED_BYTES_MAX: u64 = 64 << 20;

/// Looks for a game.
struct Search<'s> {
    profile: &'s Profile,
    from: Option<&'static dyn Notation>,
    name: &'s str,
}

/// The text of a game, where it begins, and its number where that is known.
type Case = (Vec<u8>, u64, Option<u64>);

impl Search<'_> {
    fn replayer(&self) -> Replayer<'_> {
        Replayer::new(self.profile, self.from, History::Ignored)
    }

    /// The game that holds a byte of the archive's text; `None` if the byte is of no game, which is then said.
    fn by_offset(&self, archive: Archive, at: u64) -> Result<Option<Case>> {
        let name = self.name;
        let found = archive
            .seek(at)?
            .ok_or_else(|| Error::usage(format!("{name}: the text ends before byte {at}")))?;
        if found.part != Part::Games {
            return Err(too_long(name, found.offset));
        }
        let mut spans = Spans::default();
        self.replayer().replay(&found.text, &mut spans);
        let inside = (at - found.offset) as usize;
        if let Some(span) = spans.games.into_iter().find(|span| span.contains(&inside)) {
            let offset = found.offset + span.start as u64;
            return Ok(Some((found.text[span].to_vec(), offset, None)));
        }
        print(&game_view::show_between(name, at, &found.text, inside))?;
        Ok(None)
    }

    /// The number of the game that begins at a byte: how many begin there or before it. All games before it are replayed,
    /// as for [`Search::by_number`]; not told where these are many, or where the archive cannot be read twice.
    fn number_of(&self, input: &Input, offset: u64) -> Result<Option<u64>> {
        let again = matches!(input, Input::Path(path) if path.is_file());
        if !again || offset > COUNTED_BYTES_MAX {
            return Ok(None);
        }
        let (mut replayer, mut number) = (self.replayer(), 0);
        Archive::open(input, &Options::default())?.visit_in_order(&mut |block| {
            if block.offset > offset {
                return Ok(ControlFlow::Break(()));
            }
            number += u64::from(block.part == Part::OversizeFirst);
            let games = Games::new(block.text).map(|(start, text)| (start as u64, text));
            let before = games.take_while(|(start, _)| block.offset + start <= offset);
            for (start, text) in before.filter(|_| block.part == Part::Games) {
                let mut spans = Spans::default();
                replayer.replay(text, &mut spans);
                let begins = |span: &Range<usize>| block.offset + start + span.start as u64;
                number += spans.games.iter().filter(|span| begins(span) <= offset).count() as u64;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Some(number))
    }

    /// The game of a number. All games before it are replayed: where a result ends a game is known only then.
    fn by_number(&self, archive: Archive, number: u64) -> Result<Case> {
        if number == 0 {
            return Err(Error::usage("games are numbered from 1"));
        }
        let mut replayer = self.replayer();
        let (mut before, mut found) = (0, None);
        archive.visit_in_order(&mut |block| {
            if block.part != Part::Games {
                before += u64::from(block.part == Part::OversizeFirst);
                if before == number {
                    return Err(too_long(self.name, block.offset));
                }
                return Ok(ControlFlow::Continue(()));
            }
            for (start, text) in Games::new(block.text) {
                let mut spans = Spans::default();
                replayer.replay(text, &mut spans);
                let wanted = (number - before - 1) as usize;
                if let Some(span) = spans.games.get(wanted) {
                    let offset = block.offset + (start + span.start) as u64;
                    found = Some((text[span.clone()].to_vec(), offset, Some(number)));
                    return Ok(ControlFlow::Break(()));
                }
                before += spans.games.len() as u64;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        found.ok_or_else(|| {
            let name = self.name;
            Error::usage(format!("{name} holds {before} games; there is no game {number}"))
        })
    }
}

fn too_long(name: &str, offset: u64) -> Error {
    Error::usage(format!(
        "{name}: the game at byte {offset} is longer than a game may be; it is not read"
    ))
}

/// Hears where games lie.
#[derive(Default)]
struct Spans {
    games: Vec<Range<usize>>,
}

impl ReplayVisitor for Spans {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.games.push(game.span.clone());
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// A move that was made.
#[derive(Clone)]
struct Told {
    place: Range<usize>,
    before: Position,
    mv: Move,
    depth: usize,
}

/// What is asked of a game: the move at a byte, or that of a ply of the main line.
#[derive(Clone, Copy, Default)]
struct Asked {
    at: Option<usize>,
    ply: Option<u32>,
}

/// The moves of a game that can be shown: however long it is, few are kept.
#[derive(Clone, Default)]
struct Kept {
    /// The last one whose text begins at the byte that was asked for or before it.
    at: Option<Told>,
    /// The main line's ply that was asked for, its last one, and how many it has.
    nth: Option<Told>,
    last: Option<Told>,
    plies: u32,
}

impl Kept {
    fn add(&mut self, told: Told, asked: Asked) {
        if asked.at.is_some_and(|at| told.place.start <= at) {
            self.at = Some(told.clone());
        }
        if told.depth == 0 {
            self.plies = self.plies.saturating_add(1);
            if asked.ply == Some(self.plies) {
                self.nth = Some(told.clone());
            }
            self.last = Some(told);
        }
    }
}

/// Hears one game and keeps what is asked of it.
struct Witness {
    asked: Asked,
    told: Kept,
    notation: &'static dyn Notation,
    seen: Option<Seen>,
}

/// What was heard of a game.
struct Seen {
    told: Kept,
    notation: &'static dyn Notation,
    tags_end: usize,
    start: Option<Position>,
    verdict: Verdict,
    fault: Option<GameFault>,
}

impl Witness {
    fn new(asked: Asked) -> Witness {
        Witness { asked, told: Kept::default(), notation: SAN, seen: None }
    }
}

impl ReplayVisitor for Witness {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.told = Kept::default();
        self.notation = notation;
    }

    fn ply(&mut self, _: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let told = Told { place, before: *ply.before(), mv: ply.mv(), depth };
        self.told.add(told, self.asked);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        if self.seen.is_some() {
            return;
        }
        self.seen = Some(Seen {
            told: std::mem::take(&mut self.told),
            notation: self.notation,
            tags_end: game.tags.end,
            start: game.tags.initial_position(text, |_| ()).ok(),
            verdict: game.verdict,
            fault: game.fault.cloned(),
        });
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

impl Seen {
    /// What is to be shown: the fault unless a place before it is asked for, the move at the byte or of the ply, or the
    /// end of the game.
    fn place(&self, at: Option<usize>, ply: Option<u32>) -> Result<Place> {
        if let Some(wanted) = ply {
            return self.of_ply(wanted);
        }
        let to_fault = |fault: &&GameFault| at.is_none_or(|at| at >= fault.text.start);
        if let Some(fault) = self.fault.as_ref().filter(to_fault) {
            return Ok(Place {
                text: Some(fault.text.clone()),
                ply: fault.ply,
                position: fault.position,
                is_fault: true,
                ..Place::default()
            });
        }
        let Some(at) = at else { return Ok(self.end()) };
        match &self.told.at {
            Some(told) => Ok(self.of_told(told)),
            None => Ok(Place { text: Some(at..at + 1), position: self.start, ..Place::default() }),
        }
    }

    /// The main line's ply of a number.
    fn of_ply(&self, wanted: u32) -> Result<Place> {
        if let Some(fault) = self.fault.as_ref().filter(|fault| fault.ply == wanted) {
            let text = Some(fault.text.clone());
            let (ply, position) = (fault.ply, fault.position);
            return Ok(Place { text, ply, position, is_fault: true, ..Place::default() });
        }
        self.told.nth.as_ref().map(|told| self.of_told(told)).ok_or_else(|| {
            let plies = self.told.plies;
            Error::usage(format!("{plies} plies of the game were read; there is no ply {wanted}"))
        })
    }

    fn of_told(&self, told: &Told) -> Place {
        Place {
            text: Some(told.place.clone()),
            ply: self.ply_of(&told.before),
            position: Some(told.before),
            played: Some(told.mv),
            depth: told.depth,
            is_fault: false,
        }
    }

    /// The number of the ply that is made in a position.
    fn ply_of(&self, position: &Position) -> u32 {
        let half =
            |position: &Position| 2 * position.fullmove_number() + position.turn().index() as u32;
        let start = self.start.map_or(2, |start| half(&start));
        half(position).saturating_sub(start) + 1
    }

    /// The position in which the main line ends.
    fn end(&self) -> Place {
        let last = self.told.last.as_ref();
        let position = last.map(|told| told.before.play(told.mv)).or(self.start);
        let ply = position.map_or(0, |position| self.ply_of(&position).saturating_sub(1));
        Place { text: last.map(|told| told.place.clone()), ply, position, ..Place::default() }
    }
}
