//! One ply: a legal move between two positions, of chess, of a variant, or of another board; and what notations, tasks
//! and tables derive from it.
//!
//! In: the positions and the move, borrowed. Out: texts, positions, pieces; `None` where the ruleset has no such value.
//! For the lengths in all notations at once, [`super::Facts`] computes first what they depend on. Cost: one branch per
//! question about a ply of any ruleset.

use crate::chess::rules::{
    AnyPosition, Chess99, GameEnd, Play99, Position99, Role99, Rules, RulesKind, TableMove,
    TablePosition, VariantPosition,
};
use crate::chess::uci::arrival;
use crate::chess::{Bitboard, Board, Color, Effect, Move, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::{Lineage, MoveText, Notation};

/// The effect of a move on the other king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// No check.
    None,
    /// Check that can be met.
    Check,
    /// Checkmate.
    Mate,
}

impl Check {
    /// The check that the side to move of `after` is in.
    #[inline(always)]
    pub fn of(after: &Position) -> Check {
        if !after.in_check() {
            Check::None
        } else if after.has_legal_move() {
            Check::Check
        } else {
            Check::Mate
        }
    }
}

impl From<Effect> for Check {
    fn from(effect: Effect) -> Check {
        match effect {
            Effect::None => Check::None,
            Effect::Check => Check::Check,
            Effect::Win => Check::Mate,
        }
    }
}

/// The part of the origin that a text must contain to fit only one legal move of that role (PGN standard 8.2.3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disambiguation {
    /// Nothing.
    None,
    /// The origin's file.
    File,
    /// The origin's rank, because the file is not enough.
    Rank,
    /// The whole square, because neither is enough.
    Square,
}

impl Disambiguation {
    /// Writes that part of the origin.
    #[inline(always)]
    pub(super) fn write(self, origin: Square, text: &mut MoveText) {
        match self {
            Disambiguation::None => {}
            Disambiguation::File => text.push(origin.file_letter()),
            Disambiguation::Rank => text.push(origin.rank_digit()),
            Disambiguation::Square => text.push_square(origin),
        }
    }

    /// Reads what `write` writes, and the squares that it fits.
    #[inline(always)]
    pub(super) fn read(text: &[u8]) -> Option<(Disambiguation, Bitboard)> {
        Some(match *text {
            [] => (Disambiguation::None, !Bitboard::EMPTY),
            [file @ b'a'..=b'h'] => (Disambiguation::File, Bitboard::file(file - b'a')),
            [rank @ b'1'..=b'8'] => (Disambiguation::Rank, Bitboard::rank(rank - b'1')),
            [file, rank] => (Disambiguation::Square, Bitboard::of(Square::from_ascii(file, rank)?)),
            _ => return None,
        })
    }
}

/// A legal move in a position: what its text depends on, except for the check suffix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a, B = Position> {
    /// The position before the move.
    pub before: &'a B,
    /// The move.
    pub mv: Move,
    /// The history of the game before the move, if it is known.
    pub lineage: Option<&'a Lineage>,
}

/// One ply of a game, its positions borrowed: of chess, or of a variant (`VariantPly`).
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a, B = Position> {
    before: &'a B,
    after: &'a B,
    mv: Move,
    check: Check,
    lineage: Option<&'a Lineage>,
}

/// One ply of a game of a variant on the board of chess.
pub type VariantPly<'a> = Ply<'a, VariantPosition>;

impl<'a, B: Board> Ply<'a, B> {
    /// The ply in which `mv`, legal in `before`, leads to `after`, which it puts in `check`.
    #[inline(always)]
    pub fn new(before: &'a B, mv: Move, after: &'a B, check: Check) -> Ply<'a, B> {
        Ply { before, after, mv, check, lineage: None }
    }

    /// This ply with the history of the game before it, for the notations that require it.
    #[inline(always)]
    pub fn with_lineage(mut self, lineage: Option<&'a Lineage>) -> Ply<'a, B> {
        self.lineage = lineage;
        self
    }

    /// The move and the position before it.
    #[inline(always)]
    pub(super) fn step(&self) -> Step<'a, B> {
        Step { before: self.before, mv: self.mv, lineage: self.lineage }
    }

    /// The file on which each piece began, before the move; `None` if it was not kept or is not known.
    #[inline(always)]
    pub fn lineage(&self) -> Option<&'a Lineage> {
        self.lineage
    }

    /// The position before the move.
    #[inline(always)]
    pub fn before(&self) -> &'a B {
        self.before
    }

    /// The position after the move.
    #[inline(always)]
    pub fn after(&self) -> &'a B {
        self.after
    }

    /// The move.
    #[inline(always)]
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// The side that moves.
    #[inline(always)]
    pub fn color(&self) -> Color {
        self.before.turn()
    }

    /// The effect of the move on the other king.
    #[inline(always)]
    pub fn check(&self) -> Check {
        self.check
    }

    /// Is it a capture?
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        self.before.is_capture(self.mv)
    }

    /// The disambiguation; none for pawns, drops, castling, and a king that is the only one.
    #[inline(always)]
    pub fn disambiguation(&self) -> Disambiguation {
        disambiguation(self.before, self.mv)
    }
}

/// The disambiguation of a legal move; none for pawns, drops, castling, and a king that is the only one.
#[inline(always)]
pub(super) fn disambiguation<B: Board>(before: &B, mv: Move) -> Disambiguation {
    let (role, origin, target) = (mv.role(), mv.origin(), mv.target());
    if role == Role::Pawn || B::IS_STANDARD && role == Role::King {
        return Disambiguation::None;
    }
    if !B::IS_STANDARD && (mv.is_drop() || mv.castling_side().is_some()) {
        return Disambiguation::None;
    }
    let others = before.own_attackers(role, target) ^ Bitboard::of(origin);
    if others.is_empty() {
        return Disambiguation::None;
    }
    disambiguate(origin, legal_among(before, role, others, target))
}

/// Those of `pieces` (of one role, not pawns) whose move to `target` is legal.
pub(super) fn legal_among<B: Board>(
    before: &B,
    role: Role,
    pieces: Bitboard,
    target: Square,
) -> Bitboard {
    let mut legal = Bitboard::EMPTY;
    for piece in pieces {
        if before.is_legal(Move::normal(role, piece, target)) {
            legal |= Bitboard::of(piece);
        }
    }
    legal
}

/// The disambiguation of `origin` against `others`, which could make the same move: file first, then rank, then square.
#[inline(always)]
pub(super) fn disambiguate(origin: Square, others: Bitboard) -> Disambiguation {
    if others.is_empty() {
        Disambiguation::None
    } else if (others & Bitboard::file(origin.file())).is_empty() {
        Disambiguation::File
    } else if (others & Bitboard::rank(origin.rank())).is_empty() {
        Disambiguation::Rank
    } else {
        Disambiguation::Square
    }
}

/// One ply of a game of Chess 99, its positions borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Ply99<'a> {
    before: &'a Position99,
    play: Play99,
    after: &'a Position99,
}

impl<'a> Ply99<'a> {
    /// The ply in which `play`, legal in `before`, leads to `after`.
    pub fn new(before: &'a Position99, play: Play99, after: &'a Position99) -> Ply99<'a> {
        Ply99 { before, play, after }
    }

    /// The position before the play.
    pub fn before(&self) -> &'a Position99 {
        self.before
    }

    /// The position after the play.
    pub fn after(&self) -> &'a Position99 {
        self.after
    }

    /// The play.
    pub fn play(&self) -> Play99 {
        self.play
    }

    /// The piece that plays; the king in castling.
    pub fn role(&self) -> Role99 {
        self.before.mover(self.play)
    }

    /// The piece that is captured.
    pub fn captured_role(&self) -> Option<Role99> {
        self.before.captured(self.play)
    }

    /// The side that plays.
    pub fn color(&self) -> Color {
        self.before.turn()
    }
}

/// One ply of a game on a board that is given by a table, its positions borrowed.
#[derive(Clone, Copy, Debug)]
pub struct TablePly<'a> {
    before: &'a TablePosition,
    mv: TableMove,
    after: &'a TablePosition,
    check: Check,
}

impl<'a> TablePly<'a> {
    /// The ply in which `mv`, legal in `before`, leads to `after`, which it puts in `check`.
    pub fn new(
        before: &'a TablePosition,
        mv: TableMove,
        after: &'a TablePosition,
        check: Check,
    ) -> TablePly<'a> {
        TablePly { before, mv, after, check }
    }

    /// The position before the move.
    pub fn before(&self) -> &'a TablePosition {
        self.before
    }

    /// The position after the move.
    pub fn after(&self) -> &'a TablePosition {
        self.after
    }

    /// The move.
    pub fn mv(&self) -> TableMove {
        self.mv
    }

    /// The effect of the move on the other king.
    pub fn check(&self) -> Check {
        self.check
    }

    /// The role of the piece that moves, by its letter; `None` for a piece that chess does not have.
    fn role(&self) -> Option<Role> {
        self.before.piece(self.mv.origin()).and_then(|(_, letter)| Role::from_letter(letter))
    }
}

/// A ply of a game of other rules than those of chess.
#[derive(Clone, Copy, Debug)]
pub enum OtherPly<'a> {
    /// Of a variant on the board of chess.
    Variant(VariantPly<'a>),
    /// Of Chess 99.
    Chess99(Ply99<'a>),
    /// On a board that is given by a table.
    Table(TablePly<'a>),
}

impl OtherPly<'_> {
    /// Adds the canonical text in a notation to `text`.
    ///
    /// # Errors
    /// The fault, where the notation has no text for the ply: [`Deviation::MoveNotExpressible`],
    /// [`Deviation::NotationNotForBoard`] or [`Deviation::NotationNeedsInitialArray`].
    pub fn encode(&self, notation: &dyn Notation, text: &mut MoveText) -> Result<(), Deviation> {
        match self {
            OtherPly::Variant(ply) => notation.encode_variant(ply, text),
            OtherPly::Chess99(ply) => notation.encode_99(ply, text),
            OtherPly::Table(ply) => notation.encode_table(ply, text),
        }
    }

    /// The ruleset.
    pub fn rules(&self) -> RulesKind {
        match self {
            OtherPly::Variant(ply) => {
                let (kind, chess960) = (ply.before().kind(), ply.before().board().is_chess960());
                RulesKind::Variant { kind, chess960 }
            }
            OtherPly::Chess99(_) => RulesKind::Chess99,
            OtherPly::Table(ply) => RulesKind::Board(ply.before().table().kind()),
        }
    }

    /// The side that moves.
    pub fn color(&self) -> Color {
        match self {
            OtherPly::Variant(ply) => ply.color(),
            OtherPly::Chess99(ply) => ply.color(),
            OtherPly::Table(ply) => ply.before().turn(),
        }
    }

    /// The number of the move.
    pub fn fullmove_number(&self) -> u32 {
        match self {
            OtherPly::Variant(ply) => ply.before().board().fullmove_number(),
            OtherPly::Chess99(ply) => Chess99::fullmove_number(ply.before()),
            OtherPly::Table(ply) => ply.before().fullmove_number(),
        }
    }

    /// What the move does to the other side. In Chess 99, which has no mate, a captured king is a win.
    pub fn check(&self) -> Check {
        match self {
            OtherPly::Variant(ply) => ply.check(),
            OtherPly::Chess99(ply) => match Chess99::end(ply.after()) {
                Some(GameEnd::Win(_)) => Check::Mate,
                _ if Chess99::in_check(ply.after()) => Check::Check,
                _ => Check::None,
            },
            OtherPly::Table(ply) => ply.check(),
        }
    }

    /// The position before the move.
    pub fn before(&self) -> AnyPosition {
        match self {
            OtherPly::Variant(ply) => AnyPosition::Variant(*ply.before()),
            OtherPly::Chess99(ply) => AnyPosition::Chess99(*ply.before()),
            OtherPly::Table(ply) => AnyPosition::Table(*ply.before()),
        }
    }

    /// The position after the move.
    pub fn after(&self) -> AnyPosition {
        match self {
            OtherPly::Variant(ply) => AnyPosition::Variant(*ply.after()),
            OtherPly::Chess99(ply) => AnyPosition::Chess99(*ply.after()),
            OtherPly::Table(ply) => AnyPosition::Table(*ply.after()),
        }
    }

    /// How many moves are legal before it.
    pub fn legal_moves_count(&self) -> usize {
        let mut count = 0;
        match self {
            OtherPly::Variant(ply) => count = ply.before().legal_moves().len(),
            OtherPly::Chess99(ply) => {
                Chess99::visit_legal(ply.before(), &mut |_| {
                    count += 1;
                    false
                });
            }
            OtherPly::Table(ply) => count = ply.before().legal_moves().len(),
        }
        count
    }
}

/// A ply of any ruleset.
#[derive(Clone, Copy, Debug)]
pub enum AnyPly<'a> {
    /// Of chess or Chess960.
    Chess(&'a Ply<'a>),
    /// Of other rules.
    Other(&'a OtherPly<'a>),
}

/// The role of the same name on the board of chess; the paladin has none.
fn role_of(role: Role99) -> Option<Role> {
    match role {
        Role99::Pawn => Some(Role::Pawn),
        Role99::Knight => Some(Role::Knight),
        Role99::Bishop => Some(Role::Bishop),
        Role99::Rook => Some(Role::Rook),
        Role99::Paladin => None,
        Role99::Queen => Some(Role::Queen),
        Role99::King => Some(Role::King),
    }
}

impl AnyPly<'_> {
    /// Adds the canonical text in a notation to `text`.
    ///
    /// # Errors
    /// The fault, where the notation has no text for the ply, or requires a history that the game does not have.
    pub fn encode(&self, notation: &dyn Notation, text: &mut MoveText) -> Result<(), Deviation> {
        match self {
            AnyPly::Chess(ply) if notation.needs_lineage() && ply.lineage().is_none() => {
                Err(Deviation::NotationNeedsInitialArray)
            }
            AnyPly::Chess(ply) => {
                notation.encode_ply(ply, text);
                Ok(())
            }
            AnyPly::Other(ply) => ply.encode(notation, text),
        }
    }

    /// Appends the record of the position before the move.
    pub fn write_fen(&self, out: &mut Vec<u8>) {
        match self {
            AnyPly::Chess(ply) => ply.before().write_fen(out),
            AnyPly::Other(OtherPly::Variant(ply)) => ply.before().write_fen(out),
            AnyPly::Other(ply) => out.extend_from_slice(ply.before().to_fen().as_bytes()),
        }
    }

    /// Appends the record of the position after the move.
    pub fn write_fen_after(&self, out: &mut Vec<u8>) {
        match self {
            AnyPly::Chess(ply) => ply.after().write_fen(out),
            AnyPly::Other(OtherPly::Variant(ply)) => ply.after().write_fen(out),
            AnyPly::Other(ply) => out.extend_from_slice(ply.after().to_fen().as_bytes()),
        }
    }

    /// The pieces, the castling rights and the side to move before the move; `None` on another board than that of
    /// chess.
    #[inline]
    pub fn position(&self) -> Option<&Position> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before()),
            AnyPly::Other(OtherPly::Variant(ply)) => Some(ply.before().board()),
            AnyPly::Other(OtherPly::Chess99(_) | OtherPly::Table(_)) => None,
        }
    }

    /// The square of a legal capture en passant before the move.
    pub fn legal_en_passant_square(&self) -> Option<Square> {
        match self {
            AnyPly::Chess(ply) => ply.before().legal_en_passant_square(),
            AnyPly::Other(OtherPly::Variant(ply)) => ply.before().legal_en_passant_square(),
            AnyPly::Other(OtherPly::Chess99(_) | OtherPly::Table(_)) => None,
        }
    }

    /// The side that moves.
    #[inline]
    pub fn color(&self) -> Color {
        match self {
            AnyPly::Chess(ply) => ply.color(),
            AnyPly::Other(ply) => ply.color(),
        }
    }

    /// The move in 15 bits: the origin in bits 0 to 5, the target in bits 6 to 11, each a file below a rank, as UCI
    /// names them; in bits 12 to 14 what a pawn becomes (0 nothing, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king).
    /// `None` for a drop, and on another board than that of chess.
    #[inline]
    pub fn move_code(&self) -> Option<u16> {
        let (mv, target) = match self {
            AnyPly::Chess(ply) => (ply.mv(), arrival(ply.before(), ply.mv())),
            AnyPly::Other(OtherPly::Variant(ply)) => (ply.mv(), arrival(ply.before(), ply.mv())),
            AnyPly::Other(OtherPly::Chess99(_) | OtherPly::Table(_)) => return None,
        };
        let promotion = mv.promoted().map_or(0, Role::index);
        let code = mv.origin().index() | target.index() << 6 | promotion << 12;
        (!mv.is_drop()).then_some(code as u16)
    }

    /// The key of the position before the move, which only chess has.
    pub fn polyglot_key(&self) -> Option<u64> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before().polyglot_key()),
            AnyPly::Other(_) => None,
        }
    }

    /// The move as 16 bits, which only chess has.
    pub fn polyglot_move(&self) -> Option<u16> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before().polyglot_move(ply.mv())),
            AnyPly::Other(_) => None,
        }
    }

    /// How many moves are legal before it.
    pub fn legal_moves_count(&self) -> usize {
        match self {
            AnyPly::Chess(ply) => ply.before().legal_moves().len(),
            AnyPly::Other(ply) => ply.legal_moves_count(),
        }
    }

    /// The move, on the board of chess.
    fn mv(&self) -> Option<Move> {
        match self {
            AnyPly::Chess(ply) => Some(ply.mv()),
            AnyPly::Other(OtherPly::Variant(ply)) => Some(ply.mv()),
            AnyPly::Other(OtherPly::Chess99(_) | OtherPly::Table(_)) => None,
        }
    }

    /// The piece that moves or is dropped; `None` for one that chess does not have, as a paladin.
    pub fn role(&self) -> Option<Role> {
        match self {
            AnyPly::Other(OtherPly::Chess99(ply)) => role_of(ply.role()),
            AnyPly::Other(OtherPly::Table(ply)) => ply.role(),
            _ => self.mv().map(Move::role),
        }
    }

    /// The piece that is captured; `None` for one that chess does not have, too.
    pub fn captured_role(&self) -> Option<Role> {
        match self {
            AnyPly::Chess(ply) => ply.before().captured_role(ply.mv()),
            AnyPly::Other(OtherPly::Variant(ply)) => Board::captured_role(ply.before(), ply.mv()),
            AnyPly::Other(OtherPly::Chess99(ply)) => ply.captured_role().and_then(role_of),
            AnyPly::Other(OtherPly::Table(ply)) => {
                ply.before().captured(ply.mv()).and_then(|(_, letter)| Role::from_letter(letter))
            }
        }
    }

    /// The piece that a pawn becomes.
    pub fn promoted(&self) -> Option<Role> {
        match self {
            AnyPly::Other(OtherPly::Chess99(ply)) => ply.play().promotion().and_then(role_of),
            AnyPly::Other(OtherPly::Table(ply)) => {
                ply.before().promotion(ply.mv()).and_then(Role::from_letter)
            }
            _ => self.mv().and_then(Move::promoted),
        }
    }

    /// What the move does to the other side. In Chess 99, which has no mate, a captured king is a win.
    pub fn check(&self) -> Check {
        match self {
            AnyPly::Chess(ply) => ply.check(),
            AnyPly::Other(ply) => ply.check(),
        }
    }

    /// The position before the move.
    pub fn before(&self) -> AnyPosition {
        match self {
            AnyPly::Chess(ply) => AnyPosition::Chess(*ply.before()),
            AnyPly::Other(ply) => ply.before(),
        }
    }

    /// The position after the move.
    pub fn after(&self) -> AnyPosition {
        match self {
            AnyPly::Chess(ply) => AnyPosition::Chess(*ply.after()),
            AnyPly::Other(ply) => ply.after(),
        }
    }
}
