//! `pgnmill explain`: one game, its fault, the position there and the reason.
//!
//! In: an archive, and a byte offset (as in `faults.csv`) or a game number. Out: a page, formatted by
//! [`super::game_view`]. Invariant: the game is found and replayed as in a run, under the same rules, with the text
//! around it, which can decide its verdict. Cost: for an offset a part of the archive, for a number all games before
//! it.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::FoundLines;
use pgnmill_core::notation::{self, Notation, Ply};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Block, Input, Options, Part, RecordKind};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use super::explain_position::{self, Reading, Wanted};
use super::explain_record;
use super::game_view::{self, GameView};
use super::listing::ListArgs;
use super::visited_game::{GameVisitor, Request};
use pgnmill_run::ListFormat;
use pgnmill_run::args::names::{self, find_notation, find_rules, is_of_pairs, profile};
use pgnmill_run::host::{Completion, Host, Stream};
use pgnmill_run::plan::distinct::{keys_of, refuse_stdout};
use pgnmill_run::text::numbers::count;
use pgnmill_run::text::terminal::COLUMNS;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("place").required(true).args(["at", "game"])))]
pub(super) struct Explain {
    /// The archive: a file, or - for standard input; an EPD or FEN file is one of positions
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// Archives of a caller in the same process, of which there must be one.
    #[arg(skip)]
    pub(super) given: Option<Vec<Input>>,
    /// A byte offset in the archive's text, after decompression, as in the table of faults
    #[arg(long, value_name = "OFFSET")]
    pub(super) at: Option<u64>,
    /// The number of the game in the archive, or of the position, from 1
    #[arg(long, value_name = "NUMBER")]
    pub(super) game: Option<u64>,
    /// With --game: the half-move to show, from 1
    #[arg(long, value_name = "NUMBER", requires = "game")]
    pub(super) ply: Option<u32>,
    /// Count offsets and games as a run that skips the damaged frames of a zstd archive
    #[arg(long, help_heading = "Games to read")]
    pub(super) skip_damaged: bool,
    /// The notation of games without a MoveNotation tag pair
    #[arg(
        long, value_name = "NOTATION", default_value = "auto", help_heading = "How moves are read",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub(super) from: String,
    /// The ruleset of games without a Variant tag pair
    #[arg(
        long, value_name = "RULESET", default_value = "chess", help_heading = "How moves are read",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub(super) rules: String,
    /// Each line of the archive is a game
    #[arg(long, help_heading = "How moves are read")]
    pub(super) game_per_line: bool,
    /// Draw the pieces as figurines
    #[arg(long)]
    pub(super) figurines: bool,
    /// Reject games that are not canonical
    #[arg(long, help_heading = "How moves are read")]
    pub(super) strict: bool,
    /// Accept games with these deviations, which would be rejected (see `pgnmill deviations`)
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',', help_heading = "How moves are read",
        value_parser = names::an_allowable_deviation(), hide_possible_values = true
    )]
    pub(super) allow: Vec<String>,
    /// Reject games with these deviations
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',', help_heading = "How moves are read",
        value_parser = names::a_deniable_deviation(), hide_possible_values = true
    )]
    pub(super) deny: Vec<String>,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

impl Explain {
    /// What the archive is divided into.
    fn records(&self, input: &Input) -> RecordKind {
        match (self.game_per_line || is_of_pairs(&self.from), input.records()) {
            (true, RecordKind::Games) => RecordKind::GameLines,
            (_, records) => records,
        }
    }

    /// The archives that the arguments name.
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub(super) fn archives(&self) -> Result<Vec<Input>> {
        match &self.given {
            Some(given) => Ok(given.clone()),
            None => Input::expand([&self.archive]),
        }
    }
}

/// The error that the path is not that of one archive.
fn not_one(args: &Explain, inputs: &[Input]) -> Error {
    let shown = args.archive.shown();
    Error::usage(match inputs.first() {
        None => format!("{shown} holds no archive"),
        Some(first) => {
            let first = first.name();
            format!("{shown} holds several archives: explain takes one, such as {}", first.shown())
        }
    })
}

/// Runs the command; the end is clean if the game is valid.
pub(super) fn explain(args: &Explain, host: &dyn Host) -> Result<Completion> {
    let inputs = args.archives()?;
    let [input] = inputs.as_slice() else { return Err(not_one(args, &inputs)) };
    refuse_stdout(&keys_of(input).into_iter().collect())?;
    let from = notation_of(&args.from)?;
    let profile = profile(args.strict, &args.allow, &args.deny)?;
    let options = Options {
        map: host.maps_files(),
        skip_damaged: args.skip_damaged,
        records: args.records(input),
        ..Options::default()
    };
    if options.records == RecordKind::Lines {
        return position(args, input, &options, &profile, host);
    }
    let archive = Archive::open(input, &options)?;
    let name = archive.name().to_string();
    let rules = find_rules(&args.rules)?;
    let columns = host.screen(Stream::Output).columns.unwrap_or(COLUMNS).clamp(20, COLUMNS);
    let format = args.list.format;
    let search = Search {
        host,
        options: &options,
        profile: &profile,
        from,
        rules,
        name: &name,
        columns,
        format,
    };
    let Some((found, number)) = search.find(args, archive, input)? else {
        return Ok(Completion::of(true));
    };
    let FoundGame { text, span, is_cut, .. } = &found;
    let offset = found.offset();
    let at = args.at.map(|at| (at - offset) as usize);
    let mut visitor = GameVisitor::new(Request { at, ply: args.ply }, span.clone());
    let mut replayer = search.replayer();
    replayer.replay_at(text, span.start, *is_cut, &mut visitor);
    let Some(game) = visitor.game else {
        return Err(Error::usage(format!("{name}: the game at byte {offset} is not found again")));
    };
    let focus = game.focus(at, args.ply)?;
    let deviations: Vec<(Deviation, u64)> = Deviation::ALL
        .iter()
        .map(|&kind| (kind, replayer.counts.deviations[kind as usize]))
        .filter(|&(_, times)| times > 0)
        .collect();
    let clean = game.verdict != Verdict::Rejected;
    let view = GameView {
        archive: &name,
        offset,
        number,
        text: &text[span.clone()],
        tags: game.tags_end,
        verdict: game.verdict,
        fault: game.fault.as_ref(),
        notation: game.notation,
        deviations: &deviations,
        profile: &profile,
        focus: &focus,
        figurines: args.figurines,
        columns: search.columns,
        operations: None,
    };
    host.show(&explain_record::text_of(&view, args.list.format, host.screen(Stream::Output))?)?;
    Ok(Completion::of(clean))
}

/// Explains a line of a file of positions.
fn position(
    args: &Explain,
    input: &Input,
    options: &Options,
    profile: &Profile,
    host: &dyn Host,
) -> Result<Completion> {
    if args.ply.is_some() {
        return Err(Error::usage("--ply goes with games, not with positions"));
    }
    let (figurines, format) = (args.figurines, args.list.format);
    let wanted = Wanted { at: args.at, game: args.game, figurines, format };
    let columns = host.screen(Stream::Output).columns.unwrap_or(COLUMNS).clamp(20, COLUMNS);
    let from = notation_of(&args.from)?;
    let reading = Reading { profile, from, rules: find_rules(&args.rules)?, columns };
    explain_position::explain(wanted, input, options, &reading, host)
}

/// The notation of an option, unless it is to be recognised.
fn notation_of(name: &str) -> Result<Option<&'static dyn Notation>> {
    match name {
        "auto" => Ok(None),
        name => notation::find_of_games(name).map_or_else(|| find_notation(name), Ok).map(Some),
    }
}

/// Games are counted only before this offset: half a second of work.
const COUNTED_BYTES_MAX: u64 = 64 << 20;

/// Finds a game.
struct Search<'s> {
    host: &'s dyn Host,
    options: &'s Options,
    profile: &'s Profile,
    from: Option<&'static dyn Notation>,
    rules: RulesKind,
    name: &'s str,
    /// The width of the page, and the format.
    columns: usize,
    format: ListFormat,
}

/// A game in the text that is replayed with it.
struct FoundGame {
    text: Vec<u8>,
    /// The offset of the text in that of the archive.
    text_offset: u64,
    /// The game.
    span: Range<usize>,
    /// Does the text end within it, where a damaged frame begins?
    is_cut: bool,
}

impl FoundGame {
    /// The offset of the game in the text of the archive.
    fn offset(&self) -> u64 {
        self.text_offset + self.span.start as u64
    }
}

impl Search<'_> {
    /// The error of a run that was interrupted.
    fn check(&self) -> Result<()> {
        match self.host.stop().load(Ordering::Relaxed) {
            true => Err(Error::interrupted()),
            false => Ok(()),
        }
    }

    fn replayer(&self) -> Replayer<'_> {
        let of_lines = self.options.records == RecordKind::GameLines;
        let replayer = Replayer::new(self.profile, self.from, History::Ignored);
        replayer.with_rules(self.rules).of_lines(of_lines)
    }

    /// The requested game, and its number if that is known. If a byte was given that belongs to no game, prints that
    /// and returns `None`.
    fn find(
        &self,
        args: &Explain,
        archive: Archive,
        input: &Input,
    ) -> Result<Option<(FoundGame, Option<u64>)>> {
        match (args.at, args.game) {
            (Some(at), _) => {
                let found = match self.options.records {
                    RecordKind::GameLines => self.by_offset_in_lines(archive, at)?,
                    _ => self.by_offset(archive, at)?,
                };
                let Some(found) = found else { return Ok(None) };
                let number = self.number_of(input, found.offset())?;
                Ok(Some((found, number)))
            }
            (None, Some(game)) => Ok(Some((self.by_number(archive, game)?, Some(game)))),
            (None, None) => Err(Error::usage("give --at OFFSET or --game NUMBER")),
        }
    }

    /// The game that contains a byte of the archive's text. If the byte belongs to no game, prints that and returns
    /// `None`.
    fn by_offset(&self, archive: Archive, at: u64) -> Result<Option<FoundGame>> {
        let name = self.name;
        let found = archive
            .seek(at)?
            .ok_or_else(|| Error::usage(format!("{name}: the text ends before byte {at}")))?;
        if !is_read(found.part) {
            return Err(unread(name, found.offset, found.part));
        }
        let mut spans = Spans::default();
        self.replayer().replay(&found.text, &mut spans);
        let inside = (at - found.offset) as usize;
        if let Some(span) = spans.games.into_iter().find(|span| span.contains(&inside)) {
            let is_cut = found.part == Part::Cut;
            return Ok(Some(FoundGame {
                text: found.text,
                text_offset: found.offset,
                span,
                is_cut,
            }));
        }
        self.show_between(at, &found.text, inside)?;
        Ok(None)
    }

    /// The game of the line that contains a byte.
    fn by_offset_in_lines(&self, archive: Archive, at: u64) -> Result<Option<FoundGame>> {
        let (mut found, mut replayer) = (None, self.replayer());
        archive.visit_in_order(&mut |block| {
            self.check()?;
            let end = block.offset + block.text.len() as u64;
            if at >= end {
                return Ok(ControlFlow::Continue(()));
            }
            if !is_read(block.part) {
                return Err(unread(self.name, block.offset, block.part));
            }
            let inside = (at - block.offset) as usize;
            for (start, text) in texts(&block, self.options.records) {
                let mut spans = Spans::default();
                replayer.replay(text, &mut spans);
                let has =
                    |span: &Range<usize>| (start + span.start..start + span.end).contains(&inside);
                if let Some(span) = spans.games.into_iter().find(has) {
                    let text_offset = block.offset + start as u64;
                    let text = text.to_vec();
                    found = Some(Some(FoundGame { text, text_offset, span, is_cut: false }));
                    return Ok(ControlFlow::Break(()));
                }
            }
            self.show_between(at, block.text, inside)?;
            found = Some(None);
            Ok(ControlFlow::Break(()))
        })?;
        let name = self.name;
        found.ok_or_else(|| Error::usage(format!("{name}: the text ends before byte {at}")))
    }

    /// Prints that a byte belongs to no game.
    fn show_between(&self, at: u64, text: &[u8], inside: usize) -> Result<()> {
        self.host.show(&match self.format {
            ListFormat::Text => game_view::show_between(self.name, at, text, inside, self.columns),
            format => explain_record::between(self.name, at, format)?,
        })
    }

    /// The number of the game that begins at a byte. All games before it are replayed, as for [`Search::by_number`].
    /// `None` if these are too many, or if the archive cannot be read twice.
    fn number_of(&self, input: &Input, offset: u64) -> Result<Option<u64>> {
        if !input.is_repeatable() || offset > COUNTED_BYTES_MAX {
            return Ok(None);
        }
        let (mut replayer, mut number) = (self.replayer(), 0);
        Archive::open(input, self.options)?.visit_in_order(&mut |block| {
            self.check()?;
            if block.offset > offset {
                return Ok(ControlFlow::Break(()));
            }
            number += u64::from(is_unread_game(block.part));
            let of_block = texts(&block, self.options.records);
            let before = of_block.take_while(|(start, _)| block.offset + *start as u64 <= offset);
            for (start, text) in before.filter(|_| is_read(block.part)) {
                let mut spans = Spans::default();
                replayer.replay(text, &mut spans);
                let begins = |span: &Range<usize>| block.offset + (start + span.start) as u64;
                number += spans.games.iter().filter(|span| begins(span) <= offset).count() as u64;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Some(number))
    }

    /// The game with a number. All games before it are replayed: only the replay finds the result that ends a game.
    fn by_number(&self, archive: Archive, number: u64) -> Result<FoundGame> {
        if number == 0 {
            return Err(Error::usage("games are numbered from 1"));
        }
        let mut replayer = self.replayer();
        let (mut before, mut found) = (0, None);
        archive.visit_in_order(&mut |block| {
            self.check()?;
            if !is_read(block.part) {
                before += u64::from(is_unread_game(block.part));
                if before == number {
                    return Err(unread(self.name, block.offset, block.part));
                }
                return Ok(ControlFlow::Continue(()));
            }
            for (start, text) in texts(&block, self.options.records) {
                let mut spans = Spans::default();
                replayer.replay(text, &mut spans);
                let index = (number - before - 1) as usize;
                if let Some(span) = spans.games.get(index) {
                    let text_offset = block.offset + start as u64;
                    let is_cut = block.part == Part::Cut && start + text.len() == block.text.len();
                    let (text, span) = (text.to_vec(), span.clone());
                    found = Some(FoundGame { text, text_offset, span, is_cut });
                    return Ok(ControlFlow::Break(()));
                }
                before += spans.games.len() as u64;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        found.ok_or_else(|| {
            let name = self.name;
            let games = count(before, "game", "games");
            Error::usage(format!("{name} holds {games}; there is no game {number}"))
        })
    }
}

/// The texts of a block that are replayed one by one, and where each begins in it.
fn texts<'b>(
    block: &Block<'b>,
    records: RecordKind,
) -> Box<dyn Iterator<Item = (usize, &'b [u8])> + 'b> {
    let text = block.text;
    if records != RecordKind::GameLines {
        return Box::new(Games::new(text));
    }
    let lines = FoundLines::of(text).filter(|line| !line.is_skipped);
    Box::new(lines.map(move |line| (line.content.start, &text[line.content])))
}

/// Is the text replayed, game by game?
fn is_read(part: Part) -> bool {
    matches!(part, Part::Games | Part::Cut | Part::Lines)
}

/// Is it a game that is rejected unread?
fn is_unread_game(part: Part) -> bool {
    matches!(part, Part::OversizeFirst | Part::Fragment)
}

fn unread(name: &str, offset: u64, part: Part) -> Error {
    let why = match part {
        Part::Fragment => "begins in a damaged frame",
        _ => "is longer than a game may be",
    };
    Error::usage(format!("{name}: the game at byte {offset} {why}; it is not read"))
}

/// Collects the spans of games.
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
