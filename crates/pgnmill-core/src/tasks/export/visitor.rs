//! Visits the games of a block and adds their rows.
//!
//! In: the calls of a replay. Out: values in [`JobRows`]. Values of plies are added when the ply is read and removed
//! again if its game is rejected, or begins again in another notation; values of the game and of comments at its end.
//! Of a game of very many plies no rows are added: see [`LongGame`].

use std::ops::Range;

use crate::chess::rules::AnyPosition;
use crate::chess::{Color, Position};
use crate::engine::{BlockVisitor, GamePlace, Settings, Unreadables};
use crate::facts::{Played, ReadGame};
use crate::notation::{AnyPly, MoveText, Notation, OtherPly, Ply, null_move};
use crate::openings::Tracker;
use crate::pgn::deviation::Deviation;
use crate::pgn::tag_numbers::{Read, date, rating, time};
use crate::pgn::{Digits, Outcome, Tag, TagIndex, ValueFault};
use crate::replay::null_moves;
use crate::replay::{
    BoardLine, Game, LineRequest, MoveLine, NonPly, PliesOrLines, TagSection, Verdict, is_null_move,
};

use super::annotations::{Annotations, Kept, Span};
use super::buffer::Buffer;
use super::column::{Column, PlyFacts, Requires, Source};
use super::game_facts::{GameFacts, tag_section};
use super::games;
use super::job_rows::JobRows;
use super::line_facts::{LineFacts, LineTexts};
use super::long_game::{CONTEXT_BYTES, LongGame, PartPlies, Reader, Sender};
use super::partition_key;
use super::played_ply::{FirstClocks, PlayedPly, Players};
use super::request::Export;
use super::rows::Rows;
use super::selection::Table;
use super::tag_values::OtherTags;

/// What a worker keeps from job to job.
#[derive(Debug, Default)]
pub struct Scratch {
    others: OtherTags,
    annotations: Annotations,
    /// The plies of the main line; of a long game those of the current part, after two of the part before.
    plies: Vec<Span>,
    /// The side that moved, by ply: in the table of plies, and where a column has evaluations of engines.
    movers: Vec<Color>,
    /// The indexes of the plies that have a row, where not all have one.
    kept: Vec<usize>,
    /// Plies of the game before `plies`.
    plies_before: usize,
    /// How many of `plies` are of the part before.
    plies_done: usize,
    first_clocks: FirstClocks,
    pub(super) part_plies: PartPlies,
    /// What decides of a share of plies: the game and its moves.
    path: u64,
    last: Option<Position>,
    /// Of a game of other rules than those of chess.
    other_last: Option<AnyPosition>,
    opening: Tracker,
    text: MoveText,
    fen: Vec<u8>,
    /// Rows of the last block.
    pub(super) block_rows: usize,
    /// Memory for the texts of a line.
    words: Vec<u64>,
    /// The columns that a ply adds something to, of which a table has few.
    ply_columns: Vec<usize>,
}

impl Scratch {
    /// For parts of so many plies.
    pub(super) fn of_parts(part_plies: PartPlies) -> Scratch {
        Scratch { part_plies, ..Scratch::default() }
    }
}

/// What the rows of a game are made for.
#[derive(Debug)]
enum Pass<'b> {
    /// A game that is read for the first time.
    First {
        settings: &'b Settings,
        /// Rows of the parts of a long game so far, of which none is made.
        counted: Option<usize>,
    },
    /// A long game that is read again: its parts are passed on.
    Second(Sender<'b>),
}

/// What the columns require, decided once per block.
#[derive(Clone, Copy, Debug)]
struct Needed {
    plies: bool,
    comments: bool,
    kept: Kept,
    last: bool,
    opening: bool,
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
    let is_simple = export.plies.is_all() && !export.requires(Requires::Opening);
    export.table == Table::Plies && is_simple && export.columns.iter().all(follows)
}

/// Visits the games of a block.
#[derive(Debug)]
pub(super) struct RowVisitor<'b> {
    export: &'b Export,
    scratch: &'b mut Scratch,
    rows: &'b mut JobRows,
    needed: Needed,
    pass: Pass<'b>,
    /// How often the game began.
    begins: usize,
    /// So many plies have a row each, without further conditions.
    usual_plies: usize,
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
        settings: &'b Settings,
        scratch: &'b mut Scratch,
        rows: &'b mut JobRows,
    ) -> RowVisitor<'b> {
        RowVisitor::of(export, Pass::First { settings, counted: None }, scratch, rows)
    }

    /// Visits a long game again.
    pub(super) fn again(
        export: &'b Export,
        scratch: &'b mut Scratch,
        rows: &'b mut JobRows,
        sender: Sender<'b>,
    ) -> RowVisitor<'b> {
        RowVisitor::of(export, Pass::Second(sender), scratch, rows)
    }

    /// What a long game was passed on with.
    pub(super) fn into_sender(self) -> Option<Sender<'b>> {
        match self.pass {
            Pass::First { .. } => None,
            Pass::Second(sender) => Some(sender),
        }
    }

    fn of(
        export: &'b Export,
        pass: Pass<'b>,
        scratch: &'b mut Scratch,
        rows: &'b mut JobRows,
    ) -> RowVisitor<'b> {
        rows.last.prepare(export, scratch.block_rows);
        let (nags, comments) =
            (export.requires(Requires::Nags), export.requires(Requires::Comments));
        let variations = export.requires(Requires::Variations);
        let engines = variations || export.requires(Requires::Engines);
        let needed = Needed {
            plies: export.reads_plies(),
            comments: nags || comments || engines || export.requires(Requires::Commands),
            kept: Kept { nags, comments, engines, variations },
            last: export.requires(Requires::FinalPosition),
            opening: export.requires(Requires::Opening),
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
            pass,
            begins: 0,
            usual_plies: 0,
            digits,
            line_end: 0,
            passes: false,
            unwritten: 0,
        }
    }

    /// Forgets the game that began last.
    fn clear_game(&mut self) {
        self.clear_rows();
        if let Pass::First { counted, .. } = &mut self.pass {
            *counted = None;
        }
        (self.scratch.plies_before, self.scratch.plies_done) = (0, 0);
        self.scratch.first_clocks = FirstClocks::default();
        self.scratch.plies.clear();
        self.scratch.movers.clear();
        self.scratch.kept.clear();
        self.scratch.annotations.clear();
        (self.scratch.last, self.scratch.other_last) = (None, None);
        self.scratch.opening = Tracker::default();
        (self.passes, self.unwritten) = (false, 0);
    }

    /// Removes the rows of the game.
    fn clear_rows(&mut self) {
        let (games, rows) = (self.rows.last.games_count(), self.rows.last.rows_count());
        for (column, buffer) in self.export.columns.iter().zip(&mut self.rows.last.columns) {
            buffer.truncate(if column.is_of_game() { games } else { rows });
        }
    }

    /// Are the rows of the plies that follow not made?
    fn makes_no_rows(&self) -> bool {
        match &self.pass {
            Pass::First { counted, .. } => counted.is_some(),
            Pass::Second(sender) => sender.has_failed() || self.begins < sender.game.begins,
        }
    }

    /// Decides how many plies have a row each, without further conditions.
    fn set_usual_plies(&mut self) {
        let is_usual = self.export.plies.is_all() && !self.makes_no_rows();
        self.usual_plies = if is_usual { self.scratch.part_plies.0 } else { 0 };
    }

    /// Does the last of `plies` have a row now? The part before it ends if it has all its plies.
    #[cold]
    fn has_row(&mut self, text: &[u8], ply: AnyPly<'_>) -> bool {
        if self.scratch.plies.len() > self.scratch.part_plies.0 {
            self.end_part(text, None);
        }
        let Scratch { plies, plies_before, kept, path, text, .. } = &mut *self.scratch;
        if !self.export.plies.is_all() {
            if !self.export.plies.takes(*plies_before + plies.len(), ply, path, text) {
                return false;
            }
            kept.push(plies.len() - 1);
        }
        !self.makes_no_rows()
    }

    /// Ends a part of a long game, to which the last ply does not belong, or with the `end` of the game.
    #[cold]
    fn end_part(&mut self, text: &[u8], end: Option<usize>) {
        let Scratch { annotations, plies, movers, kept, plies_done, first_clocks, .. } =
            &mut *self.scratch;
        let (count, end) = match (end, plies.last()) {
            (None, Some(last)) => (plies.len() - 1, last.start as usize),
            (end, _) => (plies.len(), end.unwrap_or(text.len())),
        };
        if self.needed.comments {
            let new = *plies_done..count;
            let (plies, movers) = (&plies[new.clone()], &movers[new]);
            annotations.read(text, plies, movers, end, self.digits, self.needed.kept);
        }
        first_clocks.read(&annotations.plies, &movers[..count]);
        let rows = if self.export.plies.is_all() { count - *plies_done } else { kept.len() };
        if let Pass::First { counted, .. } = &mut self.pass {
            *counted = Some(counted.unwrap_or(0) + rows);
            self.clear_rows();
        } else {
            self.send_part(count, rows);
        }
        self.drop_part(count);
        self.set_usual_plies();
    }

    /// Forgets the plies of a part but the last two, on which values of the next one depend.
    fn drop_part(&mut self, count: usize) {
        let Scratch { annotations, plies, movers, kept, plies_before, plies_done, .. } =
            &mut *self.scratch;
        let dropped = count.saturating_sub(2);
        plies.drain(..dropped);
        movers.drain(..dropped);
        annotations.drop_first(dropped.min(annotations.plies.len()));
        kept.clear();
        *plies_before += dropped;
        *plies_done = count - dropped;
    }

    /// Adds what annotates the plies of a part up to `count`, and passes it on.
    fn send_part(&mut self, count: usize, rows: usize) {
        if self.makes_no_rows() {
            return;
        }
        let Pass::Second(sender) = &mut self.pass else { return };
        let Scratch { annotations, movers, kept, plies_done, part_plies, .. } = &*self.scratch;
        let all = *plies_done..count;
        let plies = AnnotatedPlies {
            players: &sender.game.players,
            annotations,
            movers,
            indexes: if self.export.plies.is_all() { Err(all) } else { Ok(kept) },
        };
        for (column, buffer) in self.export.columns.iter().zip(&mut self.rows.last.columns) {
            plies.write(column, buffer);
        }
        sender.send(std::mem::take(&mut self.rows.last), rows);
        self.rows.last.prepare(self.export, part_plies.0);
    }

    /// The end of a long game that is read again.
    pub(super) fn end_again(&mut self, text: &[u8]) {
        if let Pass::Second(sender) = &self.pass {
            self.end_part(text, Some(sender.game.end));
        }
    }

    /// Adds a ply to the columns of the table of games.
    fn ply_of_game(&mut self, ply: AnyPly<'_>) {
        if self.needed.kept.engines {
            self.scratch.movers.push(ply.color());
        }
        for &index in &self.scratch.ply_columns {
            let buffer = &mut self.rows.last.columns[index];
            match self.export.columns[index].source {
                Source::Moves(notation) => {
                    if !write(notation, ply, &mut self.scratch.text) {
                        self.unwritten |= 1 << (index % 128);
                        continue;
                    }
                    match notation.is_of_pairs() {
                        true => self.scratch.text.append_to(&mut buffer.texts().bytes),
                        false => buffer.texts().move_text(&self.scratch.text),
                    }
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
            let columns = self.export.columns.iter().zip(&mut self.rows.last.columns);
            for (index, (column, buffer)) in columns.enumerate() {
                match column.source {
                    // It has no text for a null move.
                    Source::Moves(notation) if notation.is_of_pairs() => {
                        self.unwritten |= 1 << (index % 128);
                    }
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
            Table::Plies => self.ply_row(text, ply),
        }
    }

    /// Adds a row to the table of plies, if the ply has one: the columns that depend on the ply alone.
    fn ply_row(&mut self, text: &[u8], ply: AnyPly<'_>) {
        self.scratch.movers.push(ply.color());
        if self.scratch.plies.len() > self.usual_plies && !self.has_row(text, ply) {
            return;
        }
        let Scratch { plies, plies_before, text, fen, ply_columns, .. } = &mut *self.scratch;
        let mut facts = PlyFacts { ply, number: *plies_before + plies.len(), text, fen };
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
        let Scratch { plies, movers, last, .. } = &mut *self.scratch;
        let number = plies.len() + 1;
        let spans = line.starts.iter().zip(line.bytes);
        plies.extend(spans.map(|(&at, &bytes)| at as u32..(at + usize::from(bytes)) as u32));
        movers.extend(line.sides());
        self.passes = false;
        self.line_end = plies.last().map_or(self.line_end, |span| span.end as usize);
        if self.needed.last {
            *last = Some(*line.last);
        }
        if plies.len() > self.usual_plies {
            if plies.len() > self.scratch.part_plies.0 {
                self.end_part(text, None);
            }
            return;
        }
        let facts = LineFacts { text, line, number };
        let Scratch { ply_columns, words, .. } = &mut *self.scratch;
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
        self.scratch.first_clocks.read(&facts.annotations.plies, &self.scratch.movers);
        let players = self.players(facts);
        let Scratch { movers, kept, .. } = &*self.scratch;
        let plies = AnnotatedPlies {
            players: &players,
            annotations: facts.annotations,
            movers,
            indexes: if self.export.plies.is_all() { Err(0..movers.len()) } else { Ok(kept) },
        };
        for (index, (column, buffer)) in
            self.export.columns.iter().zip(&mut self.rows.last.columns).enumerate()
        {
            match column.source {
                _ if column.is_of_game() => game_value(column, facts, game_place, buffer),
                Source::BySide(_) | Source::PlayedPly(_) => plies.write(column, buffer),
                Source::Moves(_) if self.export.table == Table::Games => {
                    buffer.texts().end_row(self.unwritten >> (index % 128) & 1 == 0);
                }
                Source::PackedMoves => buffer.int16_lists().end_row(true),
                _ => {}
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

    /// The position after the last move, if it is requested: of chess, or of other rules. A game without moves ends in
    /// its starting position.
    fn last_position(
        &self,
        text: &[u8],
        game: &Game<'_>,
    ) -> (Option<Position>, Option<AnyPosition>) {
        let Scratch { last, other_last, .. } = &*self.scratch;
        if !self.needed.last || last.is_some() || other_last.is_some() {
            return (*last, *other_last);
        }
        match game.tags.initial_position(text, |_| ()) {
            Ok(AnyPosition::Chess(start)) => (Some(start), None),
            Ok(other) => (None, Some(other)),
            Err(_) => (None, None),
        }
    }

    /// The game as its players have it, if a column requires that.
    fn players(&self, facts: &GameFacts<'_>) -> Players {
        if !self.needed.players {
            return Players::default();
        }
        let outcome = facts.read.played.map_or(Outcome::Unknown, |played| played.outcome);
        Players::of(facts.read.tags, outcome, self.scratch.first_clocks)
    }

    /// Keeps a long game of so many rows, to be read again.
    #[cold]
    fn defer(&mut self, rows_count: usize, facts: &GameFacts<'_>, game_place: GamePlace) {
        let Pass::First { settings, .. } = &self.pass else { return };
        let span = facts.game.span.clone();
        let from = span.start.saturating_sub(CONTEXT_BYTES);
        let to = facts.text.len().min(span.end + CONTEXT_BYTES);
        let mut of_game = Rows::default();
        of_game.prepare(self.export, 0);
        for (column, buffer) in self.export.columns.iter().zip(&mut of_game.columns) {
            game_value(column, facts, game_place, buffer);
        }
        of_game.game_ends.push(rows_count as u32);
        of_game.game_bytes.push(span.len() as u32);
        if !self.export.partition_by.is_empty() {
            partition_key::folder(&self.export.partition_by, facts, &mut of_game.folders);
        }
        let game = LongGame {
            export: self.export.clone(),
            reader: Reader::of(settings),
            text: facts.text[from..to].to_vec(),
            start: span.start - from,
            end: end_of_plies(facts.game) - from,
            begins: self.begins,
            rows_count,
            players: self.players(facts),
            style: facts.annotations.style(),
            of_game,
            part_plies: self.scratch.part_plies,
        };
        self.rows.add_long(game);
    }
}

/// Plies whose annotations were read.
struct AnnotatedPlies<'p> {
    players: &'p Players,
    annotations: &'p Annotations,
    movers: &'p [Color],
    /// Those that have a row: these, or all of a range.
    indexes: Result<&'p [usize], Range<usize>>,
}

impl AnnotatedPlies<'_> {
    /// Adds the values of a column that depend on the game or on what annotates the plies.
    fn write(&self, column: &Column, buffer: &mut Buffer) {
        let &AnnotatedPlies { players, annotations, movers, .. } = self;
        let played_ply = |index| PlayedPly { players, annotations, movers, index };
        match (column.source, &self.indexes) {
            (Source::BySide(values), Err(all)) => {
                buffer.by_side(values(players), movers[all.clone()].iter().copied());
            }
            (Source::BySide(values), Ok(kept)) => {
                buffer.by_side(values(players), kept.iter().map(|&ply| movers[ply]));
            }
            (Source::PlayedPly(write), Err(all)) => {
                all.clone().for_each(|ply| write(&played_ply(ply), buffer));
            }
            (Source::PlayedPly(write), Ok(kept)) => {
                kept.iter().for_each(|&ply| write(&played_ply(ply), buffer));
            }
            _ => {}
        }
    }
}

/// Adds the value of a game to a column that has one.
fn game_value(column: &Column, facts: &GameFacts<'_>, place: GamePlace, buffer: &mut Buffer) {
    match column.source {
        Source::Offset => buffer.int64(Some(place.offset.cast_signed())),
        Source::GameNumber => buffer.int64(Some(place.number.cast_signed() + 1)),
        Source::Tag(_) | Source::Fact(_) | Source::Game(_) => column.write(facts, buffer),
        _ => {}
    }
}

/// Where what annotates the last ply ends.
fn end_of_plies(game: &Game<'_>) -> usize {
    game.result.as_ref().map_or(game.span.end, |result| result.start)
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
        self.begins += 1;
        if let Pass::Second(sender) = &self.pass {
            self.scratch.annotations.set_style(sender.game.style);
        }
        self.set_usual_plies();
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
        if self.needed.opening {
            self.scratch.opening.visit(ply.after());
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
            if self.needed.last {
                self.scratch.other_last = Some(ply.after());
            }
            self.any_ply(text, span, AnyPly::Other(ply));
        }
        Ok(())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        if game.verdict == Verdict::Rejected {
            self.begins = 0;
            return self.clear_game();
        }
        let is_long = matches!(self.pass, Pass::First { counted: Some(_), .. });
        if is_long {
            self.end_part(text, Some(end_of_plies(game)));
        }
        let mut others = std::mem::take(&mut self.scratch.others);
        let mut annotations = std::mem::take(&mut self.scratch.annotations);
        if self.needed.other_tags {
            others.read(text, tag_section(game), games::has_column);
        }
        if self.needed.comments && !is_long {
            let end = end_of_plies(game);
            let Scratch { plies, movers, .. } = &*self.scratch;
            annotations.read(text, plies, movers, end, self.digits, self.needed.kept);
        }
        self.report_tags(text, &game.tags.index, &mut annotations);
        if self.passes {
            self.null_moves(&text[..game.span.end]);
        }
        let (last, other_last) = self.last_position(text, game);
        let facts = GameFacts {
            text,
            game,
            read: ReadGame {
                tags: game.tags.index.values(text),
                archive: "",
                text_bytes: game.span.len(),
                played: Some(Played::of(text, game, self.scratch.opening.opening())),
            },
            others: &others,
            annotations: &annotations,
            last: last.as_ref(),
            other_last: other_last.as_ref(),
            one_line: self.export.one_line,
        };
        match self.pass {
            Pass::First { counted: Some(rows), .. } => self.defer(rows, &facts, game_place),
            _ => self.end_game(&facts, game_place),
        }
        self.begins = 0;
        self.scratch.others = others;
        self.scratch.annotations = annotations;
        self.scratch.plies.clear();
        self.scratch.movers.clear();
        (self.scratch.last, self.scratch.other_last) = (None, None);
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

/// Writes a ply in a notation; `false` if the notation has no text for it, or requires a history that the game does not
/// have.
fn write(notation: &dyn Notation, ply: AnyPly<'_>, text: &mut MoveText) -> bool {
    text.clear();
    ply.encode(notation, text).is_ok()
}
