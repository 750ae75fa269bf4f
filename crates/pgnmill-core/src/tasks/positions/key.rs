//! What identifies a pair: the position, exactly, and the move.
//!
//! In: a position and a legal move. Out: a key that can be compared and sorted, and the texts of both again. Invariant:
//! keys are equal if and only if ruleset, first four fields of FEN and move are; the order is that of the Polyglot key,
//! then of the FEN record, then any order of the moves. Cost: some thirty operations for chess; texts for the other
//! rulesets, which are rare.

use std::cmp::Ordering;

use pgnmill_state::state;

use crate::chess::polyglot::en_passant_number;
use crate::chess::rules::{AnyPosition, RulesKind};
use crate::chess::{CastlingSide, Color, Move, PackedPosition, Position, Role, Square};
use crate::notation::{AnyPly, CHESS99, Check, MoveText, OtherPly, Ply, SAN, UCI};
use crate::replay::KeyedPly;

/// The bit of Chess960 in the code of a move, above origin, target and promotion.
const CHESS960: u16 = 1 << 15;

/// A pair of chess or Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChessKey {
    /// The Polyglot key of the position, whose en passant square counts only where a capture is legal.
    pub hash: u64,
    /// The position; the side to move is that of the piece that moves.
    pub(super) planes: [u64; 4],
    /// Origin, target (castling: the square of the rook), the piece that a pawn becomes, the flag of Chess960.
    pub(super) mv: u16,
}

state!(ChessKey { hash, planes, mv });

impl ChessKey {
    /// `key`: that of the position without its en passant square.
    #[inline(always)]
    pub(super) fn new(before: &Position, mv: Move, key: u64) -> ChessKey {
        let en_passant = match before.en_passant_square() {
            None => None,
            Some(_) => before.legal_en_passant_square(),
        };
        let packed = PackedPosition::with(before, en_passant);
        let promotion = mv.promoted().map_or(0, Role::index);
        let code = mv.origin().index() | mv.target().index() << 6 | promotion << 12;
        let rules = if before.is_chess960() { CHESS960 } else { 0 };
        let hash = key ^ en_passant_number(en_passant);
        ChessKey { hash, planes: packed.planes, mv: code as u16 | rules }
    }

    /// The key of a ply of a line, which is never of Chess960.
    #[inline(always)]
    pub(super) fn of_line(ply: &KeyedPly) -> ChessKey {
        ChessKey { hash: ply.hash, planes: ply.planes, mv: ply.code }
    }

    /// The ruleset.
    pub fn rules(&self) -> RulesKind {
        if self.mv & CHESS960 == 0 { RulesKind::Chess } else { RulesKind::Chess960 }
    }

    fn origin(&self) -> Square {
        Square::new((self.mv & 63) as u8)
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        let is_white = self.planes[3] >> self.origin().index() & 1 != 0;
        if is_white { Color::White } else { Color::Black }
    }

    /// The position, with the clocks of a game that begins.
    pub fn position(&self) -> Position {
        let flags = self.turn() as u8 | u8::from(self.mv & CHESS960 != 0) << 1;
        PackedPosition { planes: self.planes, flags }.position()
    }

    /// The move, in its position.
    pub fn mv(&self, position: &Position) -> Move {
        let (origin, target) = (self.origin(), Square::new((self.mv >> 6 & 63) as u8));
        // A legal move has a piece on its origin.
        let role = position.role_at(origin).unwrap_or(Role::Pawn);
        let promoted = Role::from_index((self.mv >> 12 & 7) as u8).filter(|it| *it != Role::Pawn);
        match (role, promoted) {
            (Role::Pawn, Some(to)) => Move::promotion(origin, target, to),
            (Role::Pawn, None)
                if origin.file() != target.file() && !position.occupied().has(target) =>
            {
                Move::en_passant(origin, target)
            }
            (Role::King, _) if position.us().has(target) => {
                let is_short = target.file() > origin.file();
                let side = if is_short { CastlingSide::Short } else { CastlingSide::Long };
                Move::castle(side, origin, target)
            }
            _ => Move::normal(role, origin, target),
        }
    }

    /// Is it another move in the same position?
    pub fn has_position_of(&self, other: &ChessKey) -> bool {
        self.planes == other.planes
            && self.turn() == other.turn()
            && self.mv & CHESS960 == other.mv & CHESS960
    }

    /// The first four fields of the position's FEN record.
    pub(super) fn fen(&self) -> String {
        let mut fen = Vec::new();
        self.write_fen(&self.position(), &mut fen);
        fen.into_iter().map(char::from).collect()
    }

    /// Appends the first four fields of the FEN record of its position.
    pub(super) fn write_fen(&self, position: &Position, out: &mut Vec<u8>) {
        // A square that was packed is one on which a capture is legal.
        position.write_fen_with(out, position.en_passant_square());
        // The clocks are those of a game that begins.
        out.truncate(out.len() - " 0 1".len());
    }

    /// The texts of a move: UCI, then SAN.
    pub(super) fn moves(&self, position: &Position) -> [MoveText; 2] {
        let mv = self.mv(position);
        let after = position.play(mv);
        let ply = Ply::new(position, mv, &after, Check::of(&after));
        [UCI, SAN].map(|notation| {
            let mut text = MoveText::default();
            notation.encode_ply(&ply, &mut text);
            text
        })
    }
}

impl Ord for ChessKey {
    fn cmp(&self, other: &ChessKey) -> Ordering {
        let by_hash = self.hash.cmp(&other.hash);
        by_hash.then_with(|| match self.has_position_of(other) {
            true => self.mv.cmp(&other.mv),
            // Different positions with one hash are rare.
            false => (self.fen(), self.mv & CHESS960).cmp(&(other.fen(), other.mv & CHESS960)),
        })
    }
}

impl PartialOrd for ChessKey {
    fn partial_cmp(&self, other: &ChessKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The record of a position as the table has it: without its move clocks.
pub fn record_of(position: &AnyPosition) -> String {
    // The record of Chess 99 ends with the number of the move, the others with both clocks.
    let clocks = if position.rules() == RulesKind::Chess99 { 1 } else { 2 };
    let record = position.to_fen();
    let fields: Vec<&str> = record.split(' ').collect();
    fields[..fields.len().saturating_sub(clocks).max(1)].join(" ")
}

/// A pair of another ruleset: texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OtherKey {
    /// The index of the ruleset.
    pub rules: u8,
    /// The record of the position without its move clocks.
    pub fen: String,
    /// The move.
    pub uci: String,
    /// The move.
    pub san: String,
}

state!(OtherKey { rules, fen, uci, san });

impl OtherKey {
    /// The key of a ply. Chess 99, for which there is neither UCI nor SAN, has its own notation in both places; `None`
    /// if there is no text.
    pub(super) fn of(ply: &OtherPly<'_>) -> Option<OtherKey> {
        let before = AnyPly::Other(ply).before();
        let rules = before.rules();
        let notations = match rules {
            RulesKind::Chess99 => [CHESS99, CHESS99],
            _ => [UCI, SAN],
        };
        let [uci, san] = notations.map(|notation| {
            let mut text = MoveText::default();
            ply.encode(notation, &mut text).ok()?;
            Some(text.to_string())
        });
        let fen = record_of(&before);
        Some(OtherKey { rules: rules.index() as u8, fen, uci: uci?, san: san? })
    }

    /// Is it another move in the same position?
    pub fn has_position_of(&self, other: &OtherKey) -> bool {
        self.rules == other.rules && self.fen == other.fen
    }

    /// The side to move: the second field of all records.
    pub fn turn(&self) -> Color {
        if self.fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White }
    }
}
