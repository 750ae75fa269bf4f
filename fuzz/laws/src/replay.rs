//! Replay: every byte has its place, every ply is a legal move, and conversion there and back is the identity.
//!
//! The visitor's events are compared with slow implementations: each ply against the legal moves of its position, in
//! games that are accepted against the text that the notation writes, and each word of the movetext against the events.
//! The events are the same with the fast path and without it.

use std::ops::Range;

use pgnmill_core::chess::rules::{Chess99, Rules, RulesKind};
use pgnmill_core::chess::{Move, Position};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{self, Digits, MoveText, NOTATIONS, Notation, OtherPly, Ply};
use pgnmill_core::pgn::Outcome;
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::replay::{
    Game, History, NOTES_PER_GAME_MAX, NonPly, ReplayVisitor, Replayer, TagSection, Verdict,
};

use crate::Choices;
use crate::movetext::{Numbers, ReportedPly, account};
use crate::scratch::Scratch;
use crate::support::{Ledger, Task, run, run_of, to_san};

/// Two bytes choose the profile and a notation; the rest is text.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let strict = choices.byte() % 2 == 1;
    let to = NOTATIONS[choices.byte() % NOTATIONS.len()];
    let text = choices.rest();
    let profile = if strict { Profile::strict() } else { Profile::lenient() };
    let mut witness = Witness::default();
    let mut replayer = Replayer::new(&profile, None, History::Optional).with_notes();
    replayer.replay(text, &mut witness);
    assert_eq!(witness.reported, text.len(), "every byte belongs to a game or lies between games");
    assert_eq!(witness.games, replayer.counts.games());
    assert_eq!(witness.between_bytes, replayer.counts.between_bytes);
    assert_eq!(witness.plies, replayer.counts.plies);
    let counts = &replayer.counts;
    witness.check_numbers(&counts.deviations, counts.rejected == 0 && !witness.has_other_rules);
    let mut other = Replayer::new(&profile, None, History::Optional).without_fast_path();
    let mut events = Events::default();
    other.replay(text, &mut events);
    assert_eq!(other.counts, replayer.counts, "{}", text.escape_ascii());
    assert_eq!(events, witness.events, "{}", text.escape_ascii());
    // Games on other boards have no texts in some notations.
    if counts.accepted > 0 && counts.repaired + counts.rejected == 0 && !witness.has_other_board {
        there_and_back(text, to);
    }
}

/// An event.
#[derive(Clone, PartialEq, Debug)]
enum Event {
    Begin(usize, &'static str),
    Ply(Range<usize>, Move, usize),
    OtherPly(Range<usize>, String, usize),
    NonPly(Range<usize>, NonPly),
    End(Range<usize>, Verdict, Option<(Deviation, Range<usize>, u32)>, Option<Range<usize>>),
    Between(Range<usize>),
}

/// Keeps all events.
#[derive(Default, PartialEq, Debug)]
struct Events(Vec<Event>);

impl ReplayVisitor for Events {
    fn begin(&mut self, _: &[u8], start: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.0.push(Event::Begin(start, notation.info().name));
    }

    fn ply(&mut self, _: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.0.push(Event::Ply(place, ply.mv(), depth));
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        place: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let mut text = MoveText::default();
        ply.encode(notation::UCI, &mut text)?;
        self.0.push(Event::OtherPly(place, text.to_string(), depth));
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], place: Range<usize>, kind: NonPly) {
        self.0.push(Event::NonPly(place, kind));
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let fault = game.fault.map(|fault| (fault.kind, fault.text.clone(), fault.ply));
        self.0.push(Event::End(game.span.clone(), game.verdict, fault, game.result.clone()));
    }

    fn between(&mut self, _: &[u8], place: Range<usize>) {
        self.0.push(Event::Between(place));
    }
}

/// Compares the events of a replay with slow implementations.
#[derive(Default)]
struct Witness {
    /// The end of the text reported so far.
    reported: usize,
    /// The game at hand: where it begins, its notation, where its last ply ends.
    begun: Option<(usize, &'static dyn Notation, usize)>,
    /// Is every text of the game at hand canonical?
    canonical: bool,
    games: u64,
    plies: u64,
    between_bytes: u64,
    events: Events,
    /// Of the game at hand: where it begins on the board, its plies, the words that are no plies.
    position: Option<Position>,
    reported_plies: Vec<ReportedPly>,
    told_words: Vec<Range<usize>>,
    movetext: usize,
    /// Of all games of chess that were not rejected.
    numbers: Numbers,
    has_other_rules: bool,
    has_other_board: bool,
}

impl Witness {
    /// Every word of a game was reported; its numbers are counted.
    fn account(
        &mut self,
        text: &[u8],
        notation: &'static dyn Notation,
        result: Option<Range<usize>>,
    ) {
        let digits = notation.info().digits == Digits::Only;
        let Some(position) = self.position else {
            assert!(self.has_other_rules, "a game of chess that was not rejected has one");
            return;
        };
        let (plies, words) = (&self.reported_plies, &self.told_words);
        let numbers = account(text, self.movetext, &position, (plies, words), digits, result);
        self.numbers.missing += numbers.missing;
        self.numbers.wrong += numbers.wrong;
        self.numbers.stuck += numbers.stuck;
    }

    /// What was counted of move numbers is what there is. Rejected games, of which more may be counted, are not taken
    /// apart.
    fn check_numbers(&self, deviations: &[u64], all: bool) {
        let Numbers { missing, wrong, stuck } = self.numbers;
        for (number, odd) in [
            (missing, Deviation::MoveNumberMissing),
            (wrong, Deviation::MoveNumberWrong),
            (stuck, Deviation::MoveNumberStuck),
        ] {
            let counted = deviations[odd as usize];
            assert!(number == counted || number < counted && !all, "{odd:?}: {number}, {counted}");
        }
    }
}

impl ReplayVisitor for Witness {
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.events.begin(text, start, tags, notation);
        let start_position = tags.initial_position(text, |_| {}).ok();
        self.position = start_position.and_then(|start| start.chess().copied());
        self.has_other_rules |= start_position.is_some() && self.position.is_none();
        self.has_other_board |= matches!(tags.rules, RulesKind::Chess99 | RulesKind::Board(_));
        self.movetext = tags.end;
        self.reported_plies.clear();
        self.told_words.clear();
        assert_eq!(start, self.reported, "games and what lies between them are adjacent");
        self.begun = Some((start, notation, tags.end.max(start)));
        self.canonical = true;
    }

    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.events.ply(text, place.clone(), ply, depth);
        let (before, after) = (*ply.before(), *ply.after());
        self.reported_plies.push(ReportedPly { place: place.clone(), before, after });
        let (start, notation, last) = self.begun.expect("within a game");
        assert!(last <= place.start && place.start < place.end, "plies come in order");
        self.begun = Some((start, notation, place.end));
        assert!(ply.before().legal_moves().contains(&ply.mv()), "{:?}", ply.mv());
        assert_eq!(ply.before().play(ply.mv()), *ply.after());
        assert_eq!(ply.check(), notation::Check::of(ply.after()));
        let written = notation::write_in(notation, ply.before(), ply.mv(), ply.lineage());
        self.canonical &= written.as_bytes() == &text[place];
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        place: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.events.other_ply(text, place.clone(), ply, depth)?;
        let (start, notation, last) = self.begun.expect("within a game");
        assert!(last <= place.start && place.start < place.end, "plies come in order");
        self.begun = Some((start, notation, place.end));
        let mut written = MoveText::default();
        ply.encode(notation, &mut written).expect("a text that was read can be written");
        match ply {
            OtherPly::Variant(ply) => {
                assert!(ply.before().legal_moves().contains(&ply.mv()), "{:?}", ply.mv());
                assert_eq!(ply.before().play(ply.mv()), *ply.after());
            }
            OtherPly::Chess99(ply) => {
                let mut is_legal = false;
                Chess99::visit_legal(ply.before(), &mut |play| {
                    is_legal |= play == ply.play();
                    is_legal
                });
                assert!(is_legal, "{:?}", ply.play());
            }
            OtherPly::Table(ply) => {
                assert!(ply.before().legal_moves().contains(&ply.mv()), "{:?}", ply.mv());
                assert_eq!(ply.before().play(ply.mv()), *ply.after());
            }
        }
        let (before, after) = (ply.before().to_fen(), ply.after().to_fen());
        assert_ne!(before, after);
        self.canonical &= written.as_bytes() == &text[place];
        Ok(())
    }

    fn non_ply(&mut self, text: &[u8], place: Range<usize>, kind: NonPly) {
        self.events.non_ply(text, place.clone(), kind);
        let is_word =
            !matches!(kind, NonPly::LongNumber | NonPly::BracketEnd | NonPly::NagWithoutNumber);
        if is_word {
            self.told_words.push(place);
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        self.events.end(text, game);
        let (start, notation, last) = self.begun.take().expect("begun");
        assert_eq!(game.span.start, start);
        assert!(start < game.span.end && last <= game.span.end && game.span.end <= text.len());
        assert_eq!(game.fault.is_some(), game.verdict == Verdict::Rejected);
        if game.verdict == Verdict::Accepted {
            assert!(self.canonical, "accepted: {}", text[game.span.clone()].escape_ascii());
        }
        if let Some(fault) = game.fault {
            assert!(fault.text.start <= fault.text.end && fault.text.end <= text.len());
        }
        let mut last = game.span.start;
        for noted in game.notes {
            assert!(last <= noted.text.start && noted.text.start <= noted.text.end, "{noted:?}");
            assert!(noted.text.start <= game.span.end && noted.text.end <= text.len(), "{noted:?}");
            assert_ne!(noted.class, Class::Fault);
            last = noted.text.start;
        }
        let repaired = game.notes.iter().any(|noted| noted.class == Class::Repair);
        assert!(game.notes_omitted == 0 || game.notes.len() == NOTES_PER_GAME_MAX);
        let is_repaired = game.verdict == Verdict::Repaired;
        assert!(game.notes_omitted > 0 || repaired == is_repaired, "a repair has its note");
        self.reported = game.span.end;
        self.games += 1;
        if game.verdict != Verdict::Rejected {
            if let Some(result) = game.result.clone() {
                assert!(Outcome::from_any(&text[result]).is_some(), "a result that can be read");
            }
            self.account(&text[..game.span.end], notation, game.result.clone());
            self.plies += u64::from(game.plies);
        }
    }

    fn between(&mut self, text: &[u8], place: Range<usize>) {
        self.events.between(text, place.clone());
        assert_eq!(place.start, self.reported);
        assert!(self.begun.is_none() && place.start < place.end);
        self.reported = place.end;
        self.between_bytes += place.len() as u64;
    }
}

/// If all games are accepted, and accepted again in another notation, they come back as they were.
fn there_and_back(text: &[u8], to: &'static dyn Notation) {
    let folder = Scratch::new();
    let convert = |text: &[u8], to: &'static dyn Notation| -> Option<Ledger> {
        let input = folder.put("archive", text);
        let how = run_of(Task::convert(to), Rejects::Apart);
        // What begins like another format is refused.
        run(&how, &[input]).ok()?.pop()
    };
    if text.windows(12).any(|name| name == b"MoveNotation") {
        return;
    }
    let Some(there) = convert(text, to) else { return };
    if there.counts.repaired + there.counts.rejected > 0 || there.counts.games() == 0 {
        return;
    }
    let back = convert(&there.out, NOTATIONS[0]).expect("our own text");
    let what = || format!("{}: {}", to.info().name, there.out.escape_ascii());
    assert_eq!(back.counts.rejected, 0, "{:?} {}", back.faults, what());
    assert!(back.out == text, "{} is not {}", back.out.escape_ascii(), what());
    let again = convert(text, NOTATIONS[0]).expect("as before");
    assert!(again.out == text, "{:?}: accepted and changed", to_san(Rejects::Apart));
}
