//! A line of a file of positions: its position, and the moves of its operations.
//!
//! In: a line of EPD or FEN. Out: a [`PositionLine`] with its verdict, its fault, its moves. Invariants: every line has
//! one verdict; the moves of `bm`, `am`, `pm` and `sm` are legal in the position, those of `pv` one after the other; a
//! deviation has the class that it has in a game. Moves of other opcodes do not exist, whatever their operands are.
//! Source: PGN standard, 16.1 and 16.2. Cost: that of the record, and of each move.
//!
//! ```
//! use pgnmill_core::pgn::deviation::Profile;
//! use pgnmill_core::replay::{History, Replayer, Verdict};
//! let profile = Profile::lenient();
//! let mut replayer = Replayer::new(&profile, None, History::Ignored);
//! let text = b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";";
//! let line = replayer.position_line(text, 0..text.len());
//! assert!(line.verdict == Verdict::Accepted && &text[line.moves[0].span.clone()] == b"e4");
//! ```

use std::ops::Range;

use crate::chess::rules::{
    AnyPosition, AnyVariant, Chess99, Rules, RulesKind, Standard, TableRules,
};
use crate::chess::{EpdFields, EpdOperation, EpdOperations, LINE_BYTES_MAX, epd_operands};
use crate::notation::{self, MoveText, Notation, Ply, Reading};
use crate::pgn::deviation::{Class, Deviation, quoted};

use super::moves::FastPath;
use super::setup::{deviations, kind_of};
use super::{GameFault, Occurrence, Replayer, State, Verdict, fen_fault};

/// The opcodes whose operands are moves: best, to avoid, predicted, supplied, the predicted variation.
pub const OPCODES_OF_MOVES: [&[u8]; 5] = [b"bm", b"am", b"pm", b"sm", b"pv"];

/// The moves of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moves {
    /// Any number, each from the position.
    Each,
    /// One, from the position.
    One,
    /// One after the other.
    Line,
}

/// The moves of an opcode, if it is one of [`OPCODES_OF_MOVES`].
fn moves_of(opcode: &[u8]) -> Option<Moves> {
    Some(match opcode {
        b"bm" | b"am" => Moves::Each,
        b"pm" | b"sm" => Moves::One,
        b"pv" => Moves::Line,
        _ => return None,
    })
}

/// A line that was read. Spans are of the text.
#[derive(Debug)]
pub struct PositionLine<'l> {
    /// The line, without its line end.
    pub span: Range<usize>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why it was rejected; the ply of a fault is the number of the move in its operation.
    pub fault: Option<&'l GameFault>,
    /// The position, unless that is the fault.
    pub position: Option<AnyPosition>,
    /// The operations, as far as they could be read.
    pub operations: &'l [EpdOperation],
    /// Their moves, as far as they are legal.
    pub moves: &'l [LineMove],
    /// The notes and repairs of a line that is not rejected, where they are kept: see `Replayer::with_notes`.
    pub notes: &'l [Occurrence],
    /// How many more there were.
    pub notes_omitted: u64,
}

/// A legal move of an operation.
#[derive(Clone, Debug)]
pub struct LineMove {
    /// Its text.
    pub span: Range<usize>,
    /// The index of its operation.
    pub operation: usize,
    /// Its canonical text in the notation of `Replayer::writing`, if there is one.
    pub text: MoveText,
}

/// What was read of a line; its memory is used again.
#[derive(Debug, Default)]
pub(super) struct LineMemory {
    operations: Vec<EpdOperation>,
    moves: Vec<LineMove>,
}

/// A ruleset whose moves can be written for a line, which has no history.
trait Writes: FastPath {
    /// Adds the canonical text of a ply.
    ///
    /// # Errors
    /// The notation has no text for it, or names pieces by where they began.
    fn write(
        notation: &dyn Notation,
        ply: &Self::Ply<'_>,
        text: &mut MoveText,
    ) -> Result<(), Deviation>;
}

impl Writes for Standard {
    fn write(notation: &dyn Notation, ply: &Ply<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        if notation.needs_lineage() {
            return Err(Deviation::NotationNeedsInitialArray);
        }
        notation.encode_ply(ply, text);
        Ok(())
    }
}

impl Writes for AnyVariant {
    fn write(
        notation: &dyn Notation,
        ply: &Self::Ply<'_>,
        text: &mut MoveText,
    ) -> Result<(), Deviation> {
        notation.encode_variant(ply, text)
    }
}

impl Writes for Chess99 {
    fn write(
        notation: &dyn Notation,
        ply: &Self::Ply<'_>,
        text: &mut MoveText,
    ) -> Result<(), Deviation> {
        notation.encode_99(ply, text)
    }
}

impl Writes for TableRules {
    fn write(
        notation: &dyn Notation,
        ply: &Self::Ply<'_>,
        text: &mut MoveText,
    ) -> Result<(), Deviation> {
        notation.encode_table(ply, text)
    }
}

/// A line while its operations are read.
struct Reader<'r, 't, R: Rules> {
    text: &'t [u8],
    position: &'r R::Position,
    notation: &'static dyn Notation,
}

impl Replayer<'_> {
    /// Reads a line of a file of positions, which is at `span` of the text and has no line end.
    pub fn position_line(&mut self, text: &[u8], span: Range<usize>) -> PositionLine<'_> {
        self.state = State { notes: self.state.notes.take(), ..State::default() };
        self.state.notes.iter_mut().for_each(|notes| notes.clear());
        let mut memory = std::mem::take(&mut self.line_memory);
        memory.operations.clear();
        memory.moves.clear();
        let position = self.line_parts(text, span.clone(), &mut memory);
        let verdict = match (&self.state.fault, self.state.repaired) {
            (Some(_), _) => Verdict::Rejected,
            (None, true) => Verdict::Repaired,
            (None, false) => Verdict::Accepted,
        };
        let count = match verdict {
            Verdict::Accepted => &mut self.counts.accepted,
            Verdict::Repaired => &mut self.counts.repaired,
            Verdict::Rejected => &mut self.counts.rejected,
        };
        *count += 1;
        if verdict != Verdict::Rejected {
            self.counts.plies += memory.moves.len() as u64;
        }
        self.line_memory = memory;
        let (notes, notes_omitted) = match &mut self.state.notes {
            Some(notes) if verdict != Verdict::Rejected => notes.in_order(),
            _ => (&[][..], 0),
        };
        let LineMemory { operations, moves } = &self.line_memory;
        let fault = self.state.fault.as_ref();
        PositionLine { span, verdict, fault, position, operations, moves, notes, notes_omitted }
    }

    /// The position of a line, and its operations.
    fn line_parts(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        memory: &mut LineMemory,
    ) -> Option<AnyPosition> {
        let (line, rules) = (&text[span.clone()], self.rules);
        if line.len() > LINE_BYTES_MAX {
            self.fail(Deviation::LineTooLong, span, 0, || LINE_TOO_LONG.to_string());
            return None;
        }
        let Some(fields) = EpdFields::of(line, rules) else {
            self.fail(Deviation::EpdFieldsMissing, span, 0, || fields_missing(rules).to_string());
            return None;
        };
        let absolute = |part: &Range<usize>| span.start + part.start..span.start + part.end;
        let record = absolute(&fields.record);
        let (position, mut notes) = match AnyPosition::from_fen(&text[record.clone()], rules) {
            Ok(read) => read,
            Err(error) => {
                let why = || fen_fault::explain(error, &text[record.clone()], rules);
                self.fail(kind_of(error), record.clone(), 0, why);
                return None;
            }
        };
        // A line of EPD has no clocks.
        notes.fields_missing &= fields.has_clocks;
        for kind in deviations(notes) {
            self.deviate(kind, record.clone(), 0);
        }
        let notation = self.forced.unwrap_or_else(|| notation::usual(rules));
        let rest = absolute(&fields.operations);
        if self.state.fault.is_none() {
            match &position {
                AnyPosition::Chess(position) => {
                    let reader = Reader::<Standard> { text, position, notation };
                    self.operations(&reader, rest, memory);
                }
                AnyPosition::Variant(position) => {
                    let reader = Reader::<AnyVariant> { text, position, notation };
                    self.operations(&reader, rest, memory);
                }
                AnyPosition::Chess99(position) => {
                    let reader = Reader::<Chess99> { text, position, notation };
                    self.operations(&reader, rest, memory);
                }
                AnyPosition::Table(position) => {
                    let reader = Reader::<TableRules> { text, position, notation };
                    self.operations(&reader, rest, memory);
                }
            }
        }
        Some(position)
    }

    /// The operations of a line, up to the first fault.
    fn operations<R: Writes>(
        &mut self,
        reader: &Reader<'_, '_, R>,
        span: Range<usize>,
        memory: &mut LineMemory,
    ) {
        let start = span.start;
        let absolute = |part: Range<usize>| start + part.start..start + part.end;
        for read in EpdOperations::of(&reader.text[span]) {
            let operation = match read {
                Ok(EpdOperation { opcode, operands, is_closed }) => {
                    let (opcode, operands) = (absolute(opcode), absolute(operands));
                    EpdOperation { opcode, operands, is_closed }
                }
                Err(error) => {
                    let (kind, why) = (Deviation::EpdOperationUnreadable, error.reason);
                    return self.fail(kind, absolute(error.text), 0, || why.to_string());
                }
            };
            memory.operations.push(operation);
            if !self.operation(reader, memory) {
                return;
            }
        }
    }

    /// The last operation of the memory. Returns whether the line can continue.
    fn operation<R: Writes>(
        &mut self,
        reader: &Reader<'_, '_, R>,
        memory: &mut LineMemory,
    ) -> bool {
        let index = memory.operations.len() - 1;
        let EpdOperation { opcode, operands, is_closed } = memory.operations[index].clone();
        let moves = moves_of(&reader.text[opcode.clone()]);
        let is_odd = !is_closed || opcode.is_empty() || moves.is_some() && operands.is_empty();
        if is_odd && !self.deviate(Deviation::EpdOperationStyle, opcode.start..operands.end, 0) {
            return false;
        }
        let Some(moves) = moves else { return true };
        let mut before = *reader.position;
        for (count, span) in epd_operands(reader.text, operands).enumerate() {
            if count == 1 && moves == Moves::One {
                let why = || "this opcode has one move".to_string();
                self.fail(Deviation::EpdOperationUnreadable, span, 0, why);
                return false;
            }
            let ply = u32::try_from(count + 1).unwrap_or(u32::MAX);
            let Some((after, text)) = self.line_move(reader, span.clone(), &before, ply) else {
                let position = R::any_position(&before);
                self.state.fault.iter_mut().for_each(|fault| fault.position = position);
                return false;
            };
            memory.moves.push(LineMove { span, operation: index, text });
            if moves == Moves::Line {
                before = after;
            }
        }
        true
    }

    /// A move: the position after it, and its text in the notation that is written. `None` if it is a fault.
    fn line_move<R: Writes>(
        &mut self,
        reader: &Reader<'_, '_, R>,
        span: Range<usize>,
        before: &R::Position,
        ply: u32,
    ) -> Option<(R::Position, MoveText)> {
        let (notation, token) = (reader.notation, &reader.text[span.clone()]);
        let reading = match self.read_line_move::<R>(notation, token, before) {
            Ok(reading) => reading,
            Err(kind) => {
                let is_over = kind == Deviation::MoveIllegal && R::end(before).is_some();
                let kind = if is_over { Deviation::MovesAfterEnd } else { kind };
                let why = || match kind {
                    Deviation::NotationNeedsInitialArray => NO_HISTORY.to_string(),
                    _ => R::refusal(kind, &quoted(token), notation, before),
                };
                self.fail(kind, span, ply, why);
                return None;
            }
        };
        let mut after = *before;
        R::play_into(before, reading.mv, &mut after);
        let check = R::check(&after);
        let suffix = reading.check_suffix.deviation(check);
        let mut is_odd = false;
        for deviation in reading.deviations.iter().chain(suffix) {
            is_odd = true;
            if !self.deviate(deviation, span.clone(), ply) {
                return None;
            }
        }
        let played = R::ply(before, reading.mv, &after, check, None);
        if is_odd {
            self.set_canonical::<R>(notation, &played, &span);
        }
        let mut text = MoveText::default();
        if let Some(to) = self.target
            && let Err(kind) = R::write(to, &played, &mut text)
        {
            self.fail(kind, span, ply, || match kind {
                Deviation::NotationNeedsInitialArray => NO_HISTORY.to_string(),
                Deviation::NotationNotForBoard => {
                    "the notation has no texts for this board".to_string()
                }
                _ => format!("the notation that is written has no text for {}", quoted(token)),
            });
            return None;
        }
        Some((after, text))
    }

    /// Reads a move, at once if its text is canonical SAN.
    fn read_line_move<R: Writes>(
        &self,
        notation: &dyn Notation,
        token: &[u8],
        before: &R::Position,
    ) -> Result<Reading<R::Move>, Deviation> {
        if token.first() == Some(&b'"') {
            return Err(Deviation::MoveUnreadable);
        }
        if R::has_fast_path(notation)
            && let Some((mv, check_suffix)) = R::read_canonical(token, before)
        {
            return Ok(Reading { mv, check_suffix, deviations: Default::default() });
        }
        R::read(notation, token, before, None).or_else(|kind| {
            let is_usual = kind == Deviation::PromotionPieceMissing
                && self.profile.class(kind) != Class::Fault;
            let usual = || R::read_usual_promotion(notation, token, before);
            usual().filter(|_| is_usual).ok_or(kind)
        })
    }
}

/// Why a line is not read.
pub const LINE_TOO_LONG: &str = "the line is longer than 64 KiB; it was not read";
/// Why a notation is none for lines.
const NO_HISTORY: &str =
    "the notation names pieces by where they began the game, and a position has no game before it";

fn fields_missing(rules: RulesKind) -> &'static str {
    match rules {
        RulesKind::Chess99 => {
            "a position of Chess 99 has three fields, or four with the number of the move, and there are fewer"
        }
        RulesKind::Board(_) => {
            "a position of this board has its cells and the side to move, and there are fewer fields"
        }
        _ => "a position has four fields (EPD) or six (FEN), and there are fewer",
    }
}
