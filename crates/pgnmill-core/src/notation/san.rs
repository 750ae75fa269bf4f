//! Standard Algebraic Notation (PGN standard 8.2.3), the notation of nearly all archives.
//!
//! The writer gives the one canonical text. The reader has two parts: `read_canonical` reads the usual texts from the
//! attackers of the target square, without listing moves; all other texts go to the generous reader of the algebraic
//! family, which names the deviations.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::{Notation, san::San};
//! let position = Position::initial();
//! assert_eq!(San.decode(&position, b"e4").unwrap().target().to_string(), "e4");
//! assert!(San.decode(&position, b"e5").is_err());
//! ```

use crate::chess::{Bitboard, Board, CastlingSide, Move, Role, Square, pawn_attacks};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::boards::{self, BoardTexts};
use super::body::{Body, Checks};
use super::drops::{self, PawnLetter};
use super::ply::{Step, disambiguate, disambiguation, legal_among};
use super::reading::split_symbol;
use super::{
    CheckSuffix, Claim, Described, Digits, Disambiguation, Info, Length, Lineage, MoveText, Needs,
    Reading, Shape, algebraic,
};

/// Standard Algebraic Notation.
#[derive(Debug)]
pub struct San;

static INFO: Info = Info {
    name: "san",
    title: "Standard Algebraic Notation",
    source: "PGN standard 8.2.3 (1994); FIDE Laws of Chess, appendix C",
    about: "The notation of PGN: piece letter, file or rank where several such pieces could make the \
            move, x for a capture, the arrival square, the promotion after =, + or #.",
    alphabet: "abcdefgh12345678NBRQKxO-=+#",
    characters_max: 7,
    bytes_max: 7,
    needs: Needs::Board,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"),
        ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "Rxe7+"),
        ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "bxa8=N"),
    ],
    exceptions: "",
};

impl Described for San {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let other = shape.san_origin() + shape.capture() + 2 + 2 * shape.promotion();
        Some(Length::ascii(shape.castling_or(other) + shape.checks()))
    }

    fn is_san(&self) -> bool {
        true
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(text.as_bytes())
    }
}

impl Body for San {
    const CHECKS: Checks = Checks::Symbols;
    const BOARDS: Option<&'static BoardTexts> = Some(&boards::SAN);

    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        write(step, PawnLetter::Written, text, english);
        Ok(())
    }

    #[inline]
    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        read(text, position)
    }
}

/// A role's English letter.
#[inline(always)]
pub(super) fn english(role: Role, text: &mut MoveText) {
    text.push(role.letter());
}

/// Reads any text of a move.
#[inline]
pub(super) fn read(text: &[u8], position: &impl Board) -> Result<Reading, Deviation> {
    match read_canonical(text, position) {
        Some((mv, check_suffix)) => {
            Ok(Reading { mv, check_suffix, deviations: DeviationSet::EMPTY })
        }
        None => algebraic::read(text, position, PawnLetter::Written)
            .or_else(|refused| read_lower_case(text, position).ok_or(refused)),
    }
}

/// A piece letter in lower case, if no other reading fits: `nf3`, and `bc4` only if no pawn can go there. A fault
/// unless the run accepts it.
#[cold]
fn read_lower_case(text: &[u8], position: &impl Board) -> Option<Reading> {
    let mut upper = [0u8; 16];
    let upper = upper.get_mut(..text.len())?;
    upper.copy_from_slice(text);
    let first = upper.first_mut().filter(|first| b"nbrqk".contains(first))?;
    first.make_ascii_uppercase();
    let mut reading = algebraic::read(upper, position, PawnLetter::Written).ok()?;
    reading.deviations.add(Deviation::PieceLetterLowerCase);
    Some(reading)
}

/// Writes the body of the canonical text, with roles as `letter` writes them. `pawns`: the letter of a pawn in drops.
#[inline(always)]
pub(super) fn write<B: Board>(
    step: Step<'_, B>,
    pawns: PawnLetter,
    text: &mut MoveText,
    letter: impl Fn(Role, &mut MoveText),
) {
    let mv = step.mv;
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    if !B::IS_STANDARD && mv.is_drop() {
        return drops::write(mv, pawns, text, letter);
    }
    write_origin(step, text, &letter);
    if step.before.is_capture(mv) {
        text.push(b'x');
    }
    text.push_square(mv.target());
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        letter(role, text);
    }
}

/// The piece letter and the disambiguation; for a pawn that captures, its file.
#[inline(always)]
pub(super) fn write_origin<B: Board>(
    step: Step<'_, B>,
    text: &mut MoveText,
    letter: impl Fn(Role, &mut MoveText),
) {
    let (role, origin) = (step.mv.role(), step.mv.origin());
    if role != Role::Pawn {
        letter(role, text);
        disambiguation(step.before, step.mv).write(origin, text);
    } else if step.before.is_capture(step.mv) {
        text.push(origin.file_letter());
    }
}

/// The move and the check suffix of a text that is canonical except perhaps for its check suffix; `None` for any other.
#[inline(always)]
pub(crate) fn read_canonical(text: &[u8], position: &impl Board) -> Option<(Move, CheckSuffix)> {
    let (body, check_suffix) = split_symbol(text);
    Some((read_body::<true, _>(body, position)?, check_suffix))
}

/// A canonical text without its check suffix. With `SYMBOLS`, captures contain `x` and promotions `=`; without,
/// neither.
#[inline(always)]
pub(super) fn read_body<const SYMBOLS: bool, B: Board>(body: &[u8], position: &B) -> Option<Move> {
    match *body.first()? {
        b'a'..=b'h' => read_pawn::<SYMBOLS, B>(body, position),
        letter if !B::IS_STANDARD && body.get(1) == Some(&b'@') => {
            read_drop(Role::from_letter(letter)?, &body[2..], position)
        }
        b'N' => read_piece::<SYMBOLS, B>(Role::Knight, &body[1..], position),
        b'B' => read_piece::<SYMBOLS, B>(Role::Bishop, &body[1..], position),
        b'R' => read_piece::<SYMBOLS, B>(Role::Rook, &body[1..], position),
        b'Q' => read_piece::<SYMBOLS, B>(Role::Queen, &body[1..], position),
        b'K' => read_piece::<SYMBOLS, B>(Role::King, &body[1..], position),
        b'O' => match body {
            b"O-O" => position.castle(CastlingSide::Short),
            b"O-O-O" => position.castle(CastlingSide::Long),
            _ => None,
        },
        _ => None,
    }
}

#[inline(always)]
fn read_pawn<const SYMBOLS: bool, B: Board>(body: &[u8], position: &B) -> Option<Move> {
    let (body, promoted) = match *body {
        [ref body @ .., b'=', to] if SYMBOLS => (body, Some(to)),
        [ref body @ .., to @ b'A'..=b'Z'] if !SYMBOLS => (body, Some(to)),
        _ => (body, None),
    };
    let (origin_file, file, rank) = match *body {
        [file, rank] => (None, file, rank),
        [origin, b'x', file, rank] if SYMBOLS => (Some(origin), file, rank),
        [origin, file, rank] if !SYMBOLS => (Some(origin), file, rank),
        _ => return None,
    };
    let target = Square::from_ascii(file, rank)?;
    let mut en_passant = false;
    let origin = match origin_file {
        None => position.pawn_advancing_to(target)?,
        Some(file) => {
            let file = file.wrapping_sub(b'a');
            let origins = pawn_attacks(position.turn().other(), target)
                & position.ours(Role::Pawn)
                & if file < 8 { Bitboard::file(file) } else { Bitboard::EMPTY };
            if !position.them().has(target) {
                en_passant = true;
                if position.en_passant_square() != Some(target) {
                    return None;
                }
            }
            origins.single()?
        }
    };
    let last_rank = Bitboard::BACK_RANKS.has(target);
    let mv = match promoted {
        None if last_rank => return None,
        None if en_passant => Move::en_passant(origin, target),
        None => Move::normal(Role::Pawn, origin, target),
        Some(letter) => {
            let to = Role::from_letter(letter)?;
            if !last_rank || !position.can_become(to) {
                return None;
            }
            Move::promotion(origin, target, to)
        }
    };
    position.is_legal(mv).then_some(mv)
}

/// A drop: `body` is the text after `@`.
fn read_drop(role: Role, body: &[u8], position: &impl Board) -> Option<Move> {
    let [file, rank] = *body else { return None };
    position.drop_of(role, Square::from_ascii(file, rank)?)
}

/// `body` is the text after the piece letter.
#[inline(always)]
fn read_piece<const SYMBOLS: bool, B: Board>(
    role: Role,
    body: &[u8],
    position: &B,
) -> Option<Move> {
    let (hint, file, rank) = match *body {
        [ref hint @ .., file, rank] => (hint, file, rank),
        _ => return None,
    };
    let target = Square::from_ascii(file, rank)?;
    let (hint, takes) = match *hint {
        [ref hint @ .., b'x'] if SYMBOLS => (hint, true),
        _ => (hint, false),
    };
    if (SYMBOLS && position.them().has(target) != takes) || position.us().has(target) {
        return None;
    }
    let pieces = position.own_attackers(role, target);
    if hint.is_empty() && !pieces.several() {
        let mv = Move::normal(role, pieces.single()?, target);
        return position.is_legal(mv).then_some(mv);
    }
    read_one_of(role, pieces, hint, target, position)
}

/// Several pieces of the role attack the target, or the text disambiguates: the hint must be the canonical one.
#[inline(never)]
pub(super) fn read_one_of<B: Board>(
    role: Role,
    pieces: Bitboard,
    hint: &[u8],
    target: Square,
    position: &B,
) -> Option<Move> {
    let (written, mask) = Disambiguation::read(hint)?;
    if B::IS_STANDARD && role == Role::King && written != Disambiguation::None {
        return None;
    }
    let legal = legal_among(position, role, pieces, target);
    let origin = (legal & mask).single()?;
    let needed = disambiguate(origin, legal ^ Bitboard::of(origin));
    (needed == written).then(|| Move::normal(role, origin, target))
}
