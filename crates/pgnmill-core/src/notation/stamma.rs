//! Stamma's notation (1737, 1745): a piece is named by the file on which it began, then the arrival
//! square.
//!
//! Source: Philipp Stamma, "Essai sur le jeu des échecs", as described by Wikipedia: "p" for all pawn moves and the
//! original file of the piece instead of a letter (`g f 3` for a knight's first move; spaces are not written here, but
//! read). There is no symbol for captures or checks. Disambiguation, which Stamma leaves open, is as in SAN, our
//! choice:
//!
//!
//! * if several pieces of one letter could make the move (pawns that capture, a promoted piece and another of its
//!   file), the origin's file, else its rank, else its square precedes the arrival square (`pcd5`);
//! * a promotion appends the piece's letter (`pe8Q`), and the promoted piece is named by the file
//!   on which it was promoted; castling is `O-O`, `O-O-O`.
//!
//! The history of the game is required ([`Lineage`]): games from a position other than the starting position are
//! neither written nor read.

use arrayvec::ArrayVec;

use crate::chess::rules::VariantPosition;
use crate::chess::{Bitboard, Board, CastlingSide, Move, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::facts::{Facts, by_writing, disambiguation_length};
use super::fitting::{UniqueMove, promotion, visit_legal, with_promotion};
use super::ply::disambiguate;
use super::{
    CheckSuffix, Digits, Disambiguation, Info, Length, Lineage, MOVE_TEXT_BYTES_MAX, MoveText,
    Needs, Notation, Ply, Reading, Requires, VariantPly, algebraic,
};

/// Stamma's notation.
#[derive(Debug)]
pub(super) struct Stamma;

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static INFO: Info = Info {
    name: "stamma",
    title: "Stamma's notation",
    source: "Philipp Stamma, Essai sur le jeu des échecs, 1737; The Noble Game of Chess, 1745",
    about: "The first algebraic notation: p for every pawn, for a piece the file on which it began \
            the game, then the arrival square. Only for games from the starting position; \
            where two pieces fit, disambiguation is as in SAN, our choice.",
    alphabet: "pabcdefgh12345678NBRQO-",
    characters_max: 5,
    bytes_max: 5,
    needs: Needs::Game,
    writes_check: false,
    digits: Digits::Never,
    examples: &[(INITIAL, "e2e4", "pe4"), (INITIAL, "g1f3", "gf3"), (INITIAL, "b1c3", "bc3")],
    exceptions: "games from any position but the starting position are neither written nor read",
};

/// The pieces of the side to move with this letter.
fn namesakes(position: &impl Board, lineage: &Lineage, letter: u8) -> Bitboard {
    if letter == b'p' {
        return position.ours(Role::Pawn);
    }
    (position.us() & !position.role(Role::Pawn))
        .into_iter()
        .filter(|&piece| lineage.file(piece) + b'a' == letter)
        .fold(Bitboard::EMPTY, |set, piece| set | Bitboard::of(piece))
}

fn letter(lineage: &Lineage, mv: Move) -> u8 {
    if mv.role() == Role::Pawn { b'p' } else { lineage.file(mv.origin()) + b'a' }
}

fn write(position: &impl Board, lineage: &Lineage, mv: Move, text: &mut MoveText) {
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    let (letter, origin, target) = (letter(lineage, mv), mv.origin(), mv.target());
    text.push(letter);
    let others = namesakes(position, lineage, letter) ^ Bitboard::of(origin);
    let mut rivals = Bitboard::EMPTY;
    visit_legal(position, others, Bitboard::of(target), mv.promoted(), |rival| {
        rivals |= Bitboard::of(rival.origin());
    });
    match disambiguate(origin, rivals) {
        Disambiguation::None => {}
        Disambiguation::File => text.push(origin.file_letter()),
        Disambiguation::Rank => text.push(origin.rank_digit()),
        Disambiguation::Square => text.push_square(origin),
    }
    text.push_square(target);
    if let Some(role) = mv.promoted() {
        text.push(role.letter());
    }
}

/// Parses a text without spaces: letter, origins, target, promotion.
fn parse<B: Board>(text: &[u8]) -> Result<(u8, Bitboard, Square, Option<Role>), Deviation> {
    let fail = Deviation::MoveUnreadable;
    let (body, promoted) = match *text {
        [ref body @ .., b'=', letter] => (body, Some(promotion::<B>(letter)?)),
        [ref body @ .., letter @ b'A'..=b'Z'] => (body, Some(promotion::<B>(letter)?)),
        _ => (text, None),
    };
    let [letter @ (b'a'..=b'h' | b'p'), ref hint @ .., file, rank] = *body else {
        return Err(fail);
    };
    let origins = match *hint {
        [] => !Bitboard::EMPTY,
        [file @ b'a'..=b'h'] => Bitboard::file(file - b'a'),
        [rank @ b'1'..=b'8'] => Bitboard::rank(rank - b'1'),
        [file, rank] => Bitboard::of(Square::from_ascii(file, rank).ok_or(fail)?),
        _ => return Err(fail),
    };
    Ok((letter, origins, Square::from_ascii(file, rank).ok_or(fail)?, promoted))
}

fn find<B: Board>(text: &[u8], position: &B, lineage: &Lineage) -> Result<Move, Deviation> {
    let (letter, origins, target, promoted) = parse::<B>(text)?;
    let pieces = namesakes(position, lineage, letter) & origins;
    with_promotion(promoted, |promoted| {
        let mut unique = UniqueMove::default();
        visit_legal(position, pieces, Bitboard::of(target), promoted, |mv| unique.add(mv));
        unique.answer()
    })
}

/// Reads any text of a move.
fn read(
    text: &[u8],
    position: &impl Board,
    lineage: Option<&Lineage>,
) -> Result<Reading, Deviation> {
    let lineage = lineage.ok_or(Deviation::NotationNeedsInitialArray)?;
    if let Some((side, deviations)) = algebraic::read_castling(text) {
        let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
        return Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations });
    }
    let mut joined = ArrayVec::<u8, MOVE_TEXT_BYTES_MAX>::new();
    for &byte in text.iter().filter(|&&byte| byte != b' ') {
        joined.try_push(byte).map_err(|_| Deviation::MoveUnreadable)?;
    }
    let mv = find(&joined, position, lineage)?;
    let mut canonical = MoveText::default();
    write(position, lineage, mv, &mut canonical);
    Ok(Reading::of_body(mv, CheckSuffix::Unspecified, canonical.as_bytes() == text))
}

impl Notation for Stamma {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        if let Some(lineage) = ply.lineage() {
            write(ply.before(), lineage, ply.mv(), text);
        }
    }

    fn requires(&self) -> Requires {
        Requires::Rivals
    }

    #[inline(always)]
    fn length(&self, facts: &Facts<'_>) -> Length {
        let (position, mv) = (facts.position(), facts.mv());
        let Some(lineage) = facts.ply.lineage() else { return Length::default() };
        if facts.castling.is_some() {
            return Length::ascii(facts.shape.castling_or(0));
        }
        if facts.legal_rivals.is_empty() && facts.promotion == 0 {
            return Length::ascii(3);
        }
        if facts.promotion == 1 {
            return by_writing(self, facts.ply);
        }
        let pawns = position.role(Role::Pawn);
        let namesakes = if facts.piece == 0 {
            // A pawn on the seventh rank promotes with this code and goes elsewhere.
            facts.legal_rivals & pawns & !Bitboard::rank(position.turn().rank(6))
        } else {
            let file = lineage.file(mv.origin());
            (facts.legal_rivals & !pawns)
                .into_iter()
                .filter(|&piece| lineage.file(piece) == file)
                .fold(Bitboard::EMPTY, |set, piece| set | Bitboard::of(piece))
        };
        Length::ascii(3 + disambiguation_length(mv.origin(), namesakes))
    }

    fn read(&self, _text: &[u8], _position: &Position) -> Result<Reading, Deviation> {
        Err(Deviation::NotationNeedsInitialArray)
    }

    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        read(text, position, lineage)
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        let lineage = ply.lineage().ok_or(Deviation::NotationNeedsInitialArray)?;
        if ply.mv().is_drop() || lineage.is_dropped(ply.mv().origin()) {
            return Err(Deviation::MoveNotExpressible);
        }
        write(ply.before(), lineage, ply.mv(), text);
        Ok(())
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        read(text, position, lineage)
    }

    fn needs_lineage(&self) -> bool {
        true
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}
