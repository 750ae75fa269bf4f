//! Visits the games of a block and adds their rows.
//!
//! In: the calls of a replay. Out: values in [`JobRows`]. Values of plies are added when the ply is read and removed
//! again if its game is rejected, or begins again in another notation; values of the game and of comments at its end.

use std::ops::Range;

use crate::chess::{Color, Position};
use crate::engine::{BlockVisitor, GamePlace, Unreadables};
use crate::facts::{Played, ReadGame};
use crate::notation::{AnyPly, MoveText, Notation, OtherPly, Ply, UCI};
use crate::pgn::deviation::Deviation;
use crate::pgn::tag_numbers::{Read, date, rating, time};
use crate::pgn::{Digits, Outcome, Tag, TagIndex, ValueFault};
use crate::replay::null_moves;
use crate::replay::{
    BoardLine, Game, LineRequest, MoveLine, NonPly, PliesOrLines, TagSection, Verdict, is_null_move,
};

use super::annotations::{Annotations, Kept, Span};
use super::column::{Column, PlyFacts, Requires, Source};
use super::game_facts::{GameFacts, tag_section};
use super::games;
use super::job_rows::JobRows;
use super::line_facts::{LineFacts, LineTexts};
use super::partition_key;
use super::played_ply::{PlayedPly, Players};
use super::request::Export;
use super::selection::Table;
use super::tag_values::OtherTags;

/// What a worker keeps from job to job.
#[derive(Debug, Default)]
pub struct Scratch {
    others: OtherTags,
    annotations: Annotations,
    plies: Vec<Span>,
    /// The side that moved, by ply: in the table of plies.
    movers: Vec<Color>,
    /// The indexes of the plies that have a row, where not all have one.
    kept: Vec<usize>,
    /// What decides of a share of plies: the game and its moves.
    path: u64,
    last: Option<Position>,
    text: MoveText,
    fen: Vec<u8>,
    /// Rows of the last block.
    pub(super) block_rows: usize,
    /// Memory for the texts of a line.
    words: Vec<u64>,
    /// The columns that a ply adds something to, of which a table has few.
    ply_columns: Vec<usize>,
}

/// What the columns require, decided once per block.
#[derive(Clone, Copy, Debug)]
struct Needed {
    plies: bool,
    comments: bool,
    kept: Kept,
    last: bool,
    other_tags: bool,
    players: bool,
    /// Are plies read in lines, where that is possible?
    lines: bool,
}

/// Do the columns of plies follow from lines, so that no position per ply is required?
fn follows_from_lines(export: &Export) -> bool {
    let follows = |column: &Column| match column.source {
        Source::Moves(to) => LineTexts::of(to).is_some(),
        Source::PackedMoves => false,
        Source::Ply(_) => column.of_line.is_some(),
        _ => true,
    };
    export.table == Table::Plies && export.plies.is_all() && export.columns.iter().all(follows)
}

/// Visits the games of a block.
#[derive(Debug)]
pub(super) struct RowVisitor<'b> {
    export: &'b Export,
    scratch: &'b mut Scratch,
    rows: &'b mut JobRows,
    needed: Needed,
    digits: Digits,
    /// The end of the main line so far: of its last ply, or of the tag pairs.
    line_end: usize,
    /// A null move follows, perhaps in a variation.
    passes: bool,
    /// A text of a ply could not be written: by column.
    unwritten: u128,
}

impl<'b> RowVisitor<'b> {
    pub(super) fn new(
        export: &'b Export,
        scratch: &'b mut Scratch,
        rows: &'b mut JobRows,
    ) -> RowVisitor<'b> {
        rows.last.prepare(export, scratch.block_rows);
        let (nags, comments) =
            (export.requires(Requires::Nags), export.requires(Requires::Comments));
        let needed = Needed {
            plies: export.reads_plies(),
            comments: nags || comments || export.requires(Requires::Commands),
            kept: Kept { nags, comments },
            last: export.requires(Requires::FinalPosition),
            other_tags: export.requires(Requires::OtherTags),
            players: export
                .columns
                .iter()
                .any(|column| matches!(column.source, Source::BySide(_) | Source::PlayedPly(_))),
            lines: follows_from_lines(export),
        };
        let of_ply =
            |source| matches!(source, Source::Moves(_) | Source::PackedMoves | Source::Ply(_));
        let indexes = 0..export.columns.len();
        scratch.ply_columns.clear();
        scratch.ply_columns.extend(indexes.filter(|&index| of_ply(export.columns[index].source)));
        let digits = Digits::Never;
        RowVisitor {
            export,
            scratch,
            rows,
            needed,
            digits,
            line_end: 0,
            passes: false,
            unwritten: 0,
        }
    }

    /// Forgets the game that began last.
    fn clear_game(&mut self) {
        let (games, rows) = (self.rows.last.games_count(), self.rows.last.rows_count());
        for (column, buffer) in self.export.columns.iter().zip(&mut self.rows.last.columns) {
            buffer.truncate(if column.is_of_game() { games } else { rows });
        }
        self.scratch.plies.clear();
        self.scratch.movers.clear();
        self.scratch.kept.clear();
        self.scratch.annotations.clear();
        self.scratch.last = None;
        (self.passes, self.unwritten) = (false, 0);
    }

    /// Adds a ply to the columns of the table of games.
    fn ply_of_game(&mut self, ply: AnyPly<'_>) {
        for &index in &self.scratch.ply_columns {
            let buffer = &mut self.rows.last.columns[index];
            match self.export.columns[index].source {
                Source::Moves(notation) => {
                    if !write(notation, ply, &mut self.scratch.text) {
                        self.unwritten |= 1 << (index % 128);
                        continue;
                    }
                    buffer.texts().move_text(&self.scratch.text);
                }
                Source::PackedMoves => {
                    buffer.int16_lists().element(ply.polyglot_move().map(u16::cast_signed));
                }
                _ => {}
            }
        }
    }

    /// Adds the null moves of the main line that follow its last ply in `text` to the columns of the table of games. A
    /// null move has no row in the table of plies.
    #[cold]
    fn null_moves(&mut self, text: &[u8]) {
        self.passes = false;
        if self.export.table == Table::Plies {
            return;
        }
        for _ in 0..null_moves(text, self.line_end, self.digits) {
            for (column, buffer) in self.export.columns.iter().zip(&mut self.rows.last.columns) {
                match column.source {
                    Source::Moves(notation) => buffer.texts().word(null_move(notation)),
                    Source::PackedMoves => buffer.int16_lists().element(Some(0)),
                    _ => {}
                }
            }
        }
    }

    /// Adds a ply of the main line.
    #[inline(always)]
    fn any_ply(&mut self, text: &[u8], span: Range<usize>, ply: AnyPly<'_>) {
        // A text that is replayed is at most as long as a game may be, 16 MiB.
        self.scratch.plies.push(span.start as u32..span.end as u32);
        if self.passes {
            self.null_moves(&text[..span.start]);
        }
        self.line_end = span.end;
        match self.export.table {
            Table::Games => self.ply_of_game(ply),
            Table::Plies => self.ply_row(ply),
        }
    }

    /// Adds a row to the table of plies, if the ply has one: the columns that depend on the ply alone.
    fn ply_row(&mut self, ply: AnyPly<'_>) {
        let Scratch { plies, movers, kept, path, text, fen, ply_columns, .. } = &mut *self.scratch;
        movers.push(ply.color());
        if !self.export.plies.is_all() {
            if !self.export.plies.takes(plies.len(), ply, path, text) {
                return;
            }
            kept.push(plies.len() - 1);
        }
        let mut facts = PlyFacts { ply, number: plies.len(), text, fen };
        for &index in &*ply_columns {
            let buffer = &mut self.rows.last.columns[index];
            match self.export.columns[index].source {
                Source::Moves(notation) => {
                    let written = write(notation, ply, facts.text);
                    let texts = buffer.texts();
                    facts.text.append_to(&mut texts.bytes);
                    texts.end_row(written);
                }
                Source::Ply(write) => write(&mut facts, buffer),
                _ => {}
            }
        }
    }

    /// Adds rows to the table of plies, one for each ply of a line: the columns that depend on the plies alone.
    fn line_rows(&mut self, text: &[u8], line: &BoardLine<'_>) {
        let Scratch { plies, movers, ply_columns, words, last, .. } = &mut *self.scratch;
        let facts = LineFacts { text, line, number: plies.len() + 1 };
        let spans = line.starts.iter().zip(line.bytes);
        plies.extend(spans.map(|(&at, &bytes)| at as u32..(at + usize::from(bytes)) as u32));
        movers.extend(line.sides());
        self.passes = false;
        self.line_end = plies.last().map_or(self.line_end, |span| span.end as usize);
        if self.needed.last {
            *last = Some(*line.last);
        }
        for &index in &*ply_columns {
            let (column, buffer) =
                (&self.export.columns[index], &mut self.rows.last.columns[index]);
            match (column.source, column.of_line) {
                (Source::Moves(to), _) => facts.write_texts(to, words, buffer.texts()),
                (_, Some(write)) => write(&facts, buffer),
                _ => {}
            }
        }
    }

    /// Adds the values that are known at the end of a game.
    fn end_game(&mut self, facts: &GameFacts<'_>, game_place: GamePlace) {
        let Scratch { movers, kept, .. } = &*self.scratch;
        let (annotations, tags) = (facts.annotations, facts.read.tags);
        let players = if self.needed.players {
            let outcome = facts.read.played.map_or(Outcome::Unknown, |played| played.outcome);
            Players::of(tags, outcome, &annotations.plies, movers)
        } else {
            Players::default()
        };
        let played_ply = |index| PlayedPly { players: &players, annotations, movers, index };
        for (index, (column, buffer)) in
            self.export.columns.iter().zip(&mut self.rows.last.columns).enumerate()
        {
            match column.source {
                Source::Archive | Source::GameIndex => {}
                Source::Offset => buffer.int64(Some(game_place.offset.cast_signed())),
                Source::GameNumber => buffer.int64(Some(game_place.number.cast_signed() + 1)),
                Source::Tag(_) | Source::Fact(_) | Source::Game(_) => column.write(facts, buffer),
                Source::BySide(values) if self.export.plies.is_all() => {
                    buffer.by_side(values(&players), movers.iter().copied());
                }
                Source::BySide(values) => {
                    buffer.by_side(values(&players), kept.iter().map(|&ply| movers[ply]));
                }
                Source::PlayedPly(write) => match self.export.plies.is_all() {
                    true => (0..movers.len()).for_each(|ply| write(&played_ply(ply), buffer)),
                    false => kept.iter().for_each(|&ply| write(&played_ply(ply), buffer)),
                },
                Source::Moves(_) if self.export.table == Table::Games => {
                    buffer.texts().end_row(self.unwritten >> (index % 128) & 1 == 0);
                }
                Source::PackedMoves => buffer.int16_lists().end_row(true),
                Source::Moves(_) | Source::Ply(_) => {}
            }
        }
        let rows = match self.export.table {
            Table::Games => 1,
            Table::Plies if self.export.plies.is_all() => movers.len(),
            Table::Plies => kept.len(),
        };
        let first_row = self.rows.last.rows_count();
        self.rows.last.game_ends.push((first_row + rows) as u32);
        self.rows.last.game_bytes.push(facts.game.span.len() as u32);
        if !self.export.partition_by.is_empty() {
            partition_key::folder(&self.export.partition_by, facts, &mut self.rows.last.folders);
        }
        self.rows.game_added(first_row);
    }
}

impl BlockVisitor for RowVisitor<'_> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        self.needed.lines.then_some(LineRequest::Boards { texts: true })
    }

    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        if let MoveLine::Boards(line) = line
            && self.needed.plies
        {
            self.line_rows(text, line);
        }
    }

    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.clear_game();
        self.scratch.path = self.export.plies.path_of(&text[start..tags.end.max(start)]);
        self.digits = notation.info().digits;
        self.line_end = tags.end;
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.passes |= kind.is_in_place_of_move() && is_null_move(&text[span]);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth > 0 || !self.needed.plies {
            return;
        }
        if self.needed.last {
            self.scratch.last = Some(*ply.after());
        }
        self.any_ply(text, span, AnyPly::Chess(ply));
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 && self.needed.plies {
            self.any_ply(text, span, AnyPly::Other(ply));
        }
        Ok(())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        if game.verdict == Verdict::Rejected {
            return self.clear_game();
        }
        let mut others = std::mem::take(&mut self.scratch.others);
        let mut annotations = std::mem::take(&mut self.scratch.annotations);
        if self.needed.other_tags {
            others.read(text, tag_section(game), games::has_column);
        }
        if self.needed.comments {
            let end = game.result.as_ref().map_or(game.span.end, |result| result.start);
            annotations.read(text, &self.scratch.plies, end, self.digits, self.needed.kept);
        }
        self.report_tags(text, &game.tags.index, &mut annotations);
        if self.passes {
            self.null_moves(&text[..game.span.end]);
        }
        // A game without moves ends in its starting position.
        let start = || {
            game.tags.initial_position(text, |_| ()).ok().and_then(|start| start.chess().copied())
        };
        let last = if self.needed.last { self.scratch.last.or_else(start) } else { None };
        let facts = GameFacts {
            text,
            game,
            read: ReadGame {
                tags: game.tags.index.values(text),
                archive: "",
                text_bytes: game.span.len(),
                played: Some(Played::of(text, game, None)),
            },
            others: &others,
            annotations: &annotations,
            last: last.as_ref(),
            one_line: self.export.one_line,
        };
        self.end_game(&facts, game_place);
        self.scratch.others = others;
        self.scratch.annotations = annotations;
        self.scratch.plies.clear();
        self.scratch.movers.clear();
        self.scratch.last = None;
    }

    fn unreadable(&mut self) -> Option<Unreadables> {
        self.scratch.annotations.take_unreadable()
    }
}

/// The tag pairs that are to be numbers, and the columns that show whether their values are requested.
type NumberTag = (Tag, &'static [&'static str], fn(&[u8]) -> bool, ValueFault);

const NUMBER_TAGS: [NumberTag; 6] = [
    (Tag::WhiteElo, &["WhiteElo"], no_rating, ValueFault::Rating),
    (Tag::BlackElo, &["BlackElo"], no_rating, ValueFault::Rating),
    (Tag::WhiteRatingDiff, &["WhiteRatingDiff"], no_rating, ValueFault::RatingDifference),
    (Tag::BlackRatingDiff, &["BlackRatingDiff"], no_rating, ValueFault::RatingDifference),
    (Tag::UtcDate, &["UTCDate", "utc_timestamp"], no_date, ValueFault::Date),
    (Tag::UtcTime, &["UTCTime", "utc_timestamp"], no_time, ValueFault::Time),
];

fn no_rating(text: &[u8]) -> bool {
    rating(text) == Read::Unreadable
}

fn no_date(text: &[u8]) -> bool {
    date(text) == Read::Unreadable
}

fn no_time(text: &[u8]) -> bool {
    time(text) == Read::Unreadable
}

impl RowVisitor<'_> {
    /// Reports the values of tag pairs that a column is to have and that cannot be read, in the order of the text.
    fn report_tags(&self, text: &[u8], tags: &TagIndex, annotations: &mut Annotations) {
        let selected = |names: &[&str]| {
            self.export.all_columns().any(|column| names.contains(&column.name.as_ref()))
        };
        let mut found: Vec<(Range<usize>, ValueFault)> = Vec::new();
        for (column, names, is_unreadable, fault) in NUMBER_TAGS {
            if let Some(span) = tags.span(column)
                && is_unreadable(&text[span.clone()])
                && selected(names)
            {
                found.push((span, fault));
            }
        }
        found.sort_by_key(|(span, _)| span.start);
        annotations.report_first(found);
    }
}

/// A null move in a notation.
fn null_move(notation: &dyn Notation) -> &'static [u8] {
    if notation.info().name == UCI.info().name { b"0000" } else { b"--" }
}

/// Writes a ply in a notation; `false` if the notation has no text for it, or requires a history that the game does not
/// have.
fn write(notation: &dyn Notation, ply: AnyPly<'_>, text: &mut MoveText) -> bool {
    text.clear();
    ply.encode(notation, text).is_ok()
}
