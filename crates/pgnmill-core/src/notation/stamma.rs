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

use crate::chess::{Bitboard, Board, CastlingSide, Move, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, refuse_drop};
use super::facts::{Facts, disambiguation_length};
use super::fitting::{UniqueMove, promotion, visit_legal, with_promotion};
use super::ply::{Step, disambiguate};
use super::reading::without_spaces;
use super::{
    CheckSuffix, Described, Digits, Disambiguation, Info, Length, Lineage, MoveText, Needs,
    Reading, Requires, algebraic,
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
    let (_, origins) = Disambiguation::read(hint).ok_or(fail)?;
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

impl Described for Stamma {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn requires(&self) -> Requires {
        Requires::Rivals
    }

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let (position, mv) = (facts.position(), facts.mv());
        let Some(lineage) = facts.ply.lineage() else { return Some(Length::default()) };
        if facts.castling.is_some() {
            return Some(Length::ascii(facts.shape.castling_or(0)));
        }
        if facts.legal_rivals.is_empty() && facts.promotion == 0 {
            return Some(Length::ascii(3));
        }
        if facts.promotion == 1 {
            return None;
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
        Some(Length::ascii(3 + disambiguation_length(mv.origin(), namesakes)))
    }

    fn needs_lineage(&self) -> bool {
        true
    }
}

impl Body for Stamma {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let (position, mv) = (step.before, step.mv);
        let lineage = step.lineage.ok_or(Deviation::NotationNeedsInitialArray)?;
        refuse_drop::<B>(mv)?;
        if !B::IS_STANDARD && lineage.is_dropped(mv.origin()) {
            return Err(Deviation::MoveNotExpressible);
        }
        if let Some(side) = mv.castling_side() {
            text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
            return Ok(());
        }
        let (letter, origin, target) = (letter(lineage, mv), mv.origin(), mv.target());
        text.push(letter);
        let others = namesakes(position, lineage, letter) ^ Bitboard::of(origin);
        let mut rivals = Bitboard::EMPTY;
        visit_legal(position, others, Bitboard::of(target), mv.promoted(), |rival| {
            rivals |= Bitboard::of(rival.origin());
        });
        disambiguate(origin, rivals).write(origin, text);
        text.push_square(target);
        if let Some(role) = mv.promoted() {
            text.push(role.letter());
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let history = lineage.ok_or(Deviation::NotationNeedsInitialArray)?;
        let check_suffix = CheckSuffix::Unspecified;
        if let Some((side, deviations)) = algebraic::read_castling(text) {
            let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
            return Ok(Reading { mv, check_suffix, deviations });
        }
        let mv = find(&without_spaces(text)?, position, history)?;
        Ok(self.reading_of(text, Step { before: position, mv, lineage }, check_suffix))
    }
}
