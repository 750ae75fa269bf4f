//! The play notation of Chess 99 on the ordinary board: a play can be undone without the game's history.
//!
//!
//! Source: chess99.net, "Play notation". A piece is its letter and origin, then what changes of it: the rank (`Ri14`
//! there, `Ra14` here), the file (`Qg8b`) or both (`Bc1a3`). A pawn is its arrival (`c4`), with the rank it left for
//! two steps (`e75`) and the file it left for a capture (`cd5×`). The captured piece follows after `×`, a pawn without
//! a letter; `*` is en passant; `=` a promotion; `+` check, and mate, which that game does not have. Castling gives the
//! king's files and the partner: `Keg&R`, long with the rook's file, `Kec&Ra`; in Chess960 the rook's file is also
//! written if a short castling could mean several rooks.

use crate::chess::{Bitboard, Board, CastlingSide, Move, MoveKind, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, Checks};
use super::drops::{self, PawnLetter};
use super::fitting::{UniqueMove, promotion, visit_legal, with_promotion};
use super::nine::{self, Nine};
use super::ply::Step;
use super::{
    Check, CheckSuffix, Described, Digits, Info, Length, Lineage, MoveText, Needs, Reading, Shape,
    algebraic, san, shape::short_rooks,
};

/// The play notation of Chess 99.
#[derive(Debug)]
pub(super) struct Chess99;

const TAKES: &[u8] = "×".as_bytes();

static INFO: Info = Info {
    name: "chess99",
    title: "Chess 99 play notation",
    source: "chess99.net, Play notation; on the ordinary board, ours",
    about: "Origin and what changes of it, what is taken, what is promoted: every play can be \
            taken back. Made for the nine-by-nine board of Chess 99; here for the ordinary one.",
    alphabet: "abcdefgh12345678NBRQK×*=&+",
    characters_max: 8,
    bytes_max: 9,
    needs: Needs::Nothing,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e24"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "ed6*"),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", "ba8×R=Q+"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "Kec&Ra"),
    ],
    exceptions: "",
};

fn write_castling(position: &impl Board, mv: Move, side: CastlingSide, text: &mut MoveText) {
    text.push(b'K');
    text.push(mv.origin().file_letter());
    text.push(mv.arrival().file_letter());
    text.push_bytes(b"&R");
    if side == CastlingSide::Long || short_rooks(position.pieces(), mv.origin()).several() {
        text.push(mv.target().file_letter());
    }
}

fn write_move(position: &impl Board, mv: Move, text: &mut MoveText) {
    if let Some(side) = mv.castling_side() {
        return write_castling(position, mv, side, text);
    }
    let (origin, target, captured) = (mv.origin(), mv.target(), position.captured_role(mv));
    if mv.role() == Role::Pawn {
        if captured.is_some() {
            text.push(origin.file_letter());
        }
        text.push(target.file_letter());
        if origin.rank().abs_diff(target.rank()) == 2 {
            text.push(origin.rank_digit());
        }
        text.push(target.rank_digit());
    } else {
        text.push(mv.role().letter());
        text.push_square(origin);
        if target.file() != origin.file() {
            text.push(target.file_letter());
        }
        if target.rank() != origin.rank() {
            text.push(target.rank_digit());
        }
    }
    if mv.kind() == MoveKind::EnPassant {
        text.push(b'*');
    } else if let Some(victim) = captured {
        text.push_bytes(TAKES);
        if victim != Role::Pawn {
            text.push(victim.letter());
        }
    }
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        text.push(role.letter());
    }
}

/// The capture as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    Nothing,
    EnPassant,
    /// The cross without a letter: a pawn.
    Pawn,
    Piece(Role),
}

/// A parsed text. The origins are those that it allows.
struct Parts {
    role: Role,
    origins: Bitboard,
    target: Square,
    taken: Taken,
    promoted: Option<Role>,
}

/// Cuts the capture off: `×N`, `x(N)`, `*`.
fn split_taken<B: Board>(text: &[u8]) -> Result<(&[u8], Taken), Deviation> {
    if let Some(body) = text.strip_suffix(b"*").or_else(|| text.strip_suffix(b"(*)")) {
        return Ok((body, Taken::EnPassant));
    }
    for symbol in [TAKES, b"x", b"X"] {
        if let Some(at) = text.windows(symbol.len()).position(|window| window == symbol) {
            let taken = match text[at + symbol.len()..] {
                [] => Taken::Pawn,
                [letter] | [b'(', letter, b')'] => match Role::from_letter(letter) {
                    None => return Err(Deviation::MoveUnreadable),
                    Some(Role::King) if B::IS_STANDARD => return Err(Deviation::MoveUnreadable),
                    Some(role) => Taken::Piece(role),
                },
                _ => return Err(Deviation::MoveUnreadable),
            };
            return Ok((&text[..at], taken));
        }
    }
    Ok((text, Taken::Nothing))
}

/// Parses a text without its check suffix, except castling. The promotion may precede the capture.
fn parse<B: Board>(text: &[u8]) -> Result<Parts, Deviation> {
    let fail = Deviation::MoveUnreadable;
    let (text, mut promoted) = match *text {
        [ref text @ .., b'=', letter] => (text, Some(promotion::<B>(letter)?)),
        _ => (text, None),
    };
    let (mut text, taken) = split_taken::<B>(text)?;
    if promoted.is_none()
        && let [ref body @ .., b'=', letter] = *text
    {
        (text, promoted) = (body, Some(promotion::<B>(letter)?));
    }
    let (role, squares) = match text.first().and_then(|&letter| Role::from_letter(letter)) {
        Some(Role::Pawn) => return Err(fail),
        Some(role) => (role, &text[1..]),
        None => (Role::Pawn, text),
    };
    let at = |file, rank| Square::from_ascii(file, rank).ok_or(fail);
    let is_file = |byte: u8| byte.is_ascii_lowercase();
    let (origins, target) = match *squares {
        [file, rank] => (!Bitboard::EMPTY, at(file, rank)?),
        [file, from, to] if is_file(file) && !is_file(from) && !is_file(to) => {
            (Bitboard::of(at(file, from)?), at(file, to)?)
        }
        [from, rank, to] if is_file(from) && !is_file(rank) => {
            (Bitboard::of(at(from, rank)?), at(to, rank)?)
        }
        [from, file, rank] if is_file(from) => {
            (Bitboard::file(at(from, rank)?.file()), at(file, rank)?)
        }
        [from, file, rank] => (Bitboard::rank(at(file, from)?.rank()), at(file, rank)?),
        [from, from_rank, to, to_rank] => (Bitboard::of(at(from, from_rank)?), at(to, to_rank)?),
        _ => return Err(fail),
    };
    Ok(Parts { role, origins, target, taken, promoted })
}

impl Parts {
    fn fits(&self, position: &impl Board, mv: Move, any_taken: bool) -> bool {
        let taken = match (mv.kind(), position.captured_role(mv)) {
            (MoveKind::EnPassant, _) => Taken::EnPassant,
            (_, None) => Taken::Nothing,
            (_, Some(Role::Pawn)) => Taken::Pawn,
            (_, Some(role)) => Taken::Piece(role),
        };
        // A pawn that captures is named by its file.
        let file = Bitboard::file(mv.origin().file());
        let takes_aside = mv.role() == Role::Pawn && mv.origin().file() != mv.target().file();
        match self.taken {
            _ if takes_aside && (self.origins & !file).has_any() => false,
            _ if self.taken == taken => true,
            Taken::Piece(Role::Pawn) => taken == Taken::Pawn,
            // What is left out may be anything, what is written must be so.
            Taken::Nothing => any_taken,
            Taken::Pawn => any_taken && taken != Taken::Nothing,
            _ => false,
        }
    }

    fn resolve(&self, position: &impl Board) -> Result<Move, Deviation> {
        let pieces = position.ours(self.role) & self.origins;
        let find = |promoted, any_taken| {
            let mut unique = UniqueMove::default();
            visit_legal(position, pieces, Bitboard::of(self.target), promoted, |mv| {
                if self.fits(position, mv, any_taken) {
                    unique.add(mv);
                }
            });
            unique.answer()
        };
        with_promotion(self.promoted, |promoted| match find(promoted, false) {
            Err(Deviation::MoveIllegal) => find(promoted, true),
            found => found,
        })
    }
}

/// `Keg&R`, `Kec&Ra`: the rook's file may be missing, or superfluous.
fn read_castling(text: &[u8], position: &impl Board) -> Option<Result<Move, Deviation>> {
    let [b'K', from, to, b'&', b'R', ref rook @ ..] = *text else { return None };
    let fits = |mv: &Move| {
        mv.origin().file_letter() == from
            && mv.arrival().file_letter() == to
            && match *rook {
                [] => true,
                [file] => mv.target().file_letter() == file,
                _ => false,
            }
    };
    let sides = [CastlingSide::Short, CastlingSide::Long];
    let found = sides.into_iter().filter_map(|side| position.castle(side)).find(fits);
    Some(found.ok_or(Deviation::MoveIllegal))
}

impl Chess99 {
    /// Reads any text of a move.
    fn read_on<B: Board>(&self, text: &[u8], position: &B) -> Result<Reading, Deviation> {
        let (body, check_suffix) = match *text {
            [ref body @ .., b'+'] if body.last() != Some(&b'+') => (body, CheckSuffix::CheckOrMate),
            _ => match algebraic::split_check_suffix(text) {
                (body, CheckSuffix::Mate) => (body, CheckSuffix::MateStyle),
                split => split,
            },
        };
        if let Some(drop) = drops::read(body, PawnLetter::Omitted, check_suffix, position) {
            return drop;
        }
        if let Some((side, deviations)) = algebraic::read_castling(body) {
            let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
            let reading = Reading::of_body(mv, check_suffix, false);
            return Ok(Reading { deviations: reading.deviations.union(deviations), ..reading });
        }
        let mv = match read_castling(body, position) {
            Some(castled) => castled?,
            None => parse::<B>(body)?.resolve(position)?,
        };
        Ok(self.reading_of(body, Step { before: position, mv, lineage: None }, check_suffix))
    }
}

impl Described for Chess99 {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        if shape.castling().is_some() {
            let rook = u8::from(shape.is_rook_named());
            return Some(Length::ascii(5 + rook + shape.checks()));
        }
        let squares = match shape.role() {
            Role::Pawn => 2 + shape.capture() + u8::from(shape.is_double()),
            _ => 4 + u8::from(shape.is_oblique()),
        };
        let taken = shape.capture() + u8::from(shape.takes_piece());
        let characters = squares + taken + 2 * shape.promotion() + shape.checks();
        // The cross takes two bytes, the asterisk of en passant one.
        let bytes = characters + shape.capture() - u8::from(shape.is_en_passant());
        Some(Length { characters, bytes })
    }
}

impl Body for Chess99 {
    const CHECKS: Checks = Checks::Attack;
    const NINE: Option<&'static Nine> = Some(&nine::PLAY);

    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        match !B::IS_STANDARD && step.mv.is_drop() {
            true => drops::write(step.mv, PawnLetter::Omitted, text, san::english),
            false => write_move(step.before, step.mv, text),
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let mut reading = self.read_on(text, position)?;
        if B::IS_STANDARD {
            return Ok(reading);
        }
        // The suffix is that of check alone, whether or not the game is over.
        let is_check = position.after(reading.mv).in_check();
        let check = if is_check { Check::Check } else { Check::None };
        if let Some(deviation) = reading.check_suffix.deviation(check) {
            reading.deviations.add(deviation);
        }
        reading.check_suffix = CheckSuffix::Unspecified;
        Ok(reading)
    }
}
