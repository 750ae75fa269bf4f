//! The reader of descriptive notation: the forms of books, parsed and compared with the legal moves. A text of another
//! language is read as the English one ([`Lettering::to_english`]).
//!
//! Read besides the canonical text: spaces anywhere, `Kt` for N, brackets for the slash, a location by rank or file
//! alone (`R(6)`), `K Sq.` for K1, `Castles` with or without a wing, `P-K8(Q)`, `P-K8/Q`, a missing hyphen, all check
//! suffixes of the algebraic reader. A wing (`KR`) is that on which the piece began; without the game's history, that
//! of the piece furthest on that side. Of several moves that fit, those with the written check remain; if several
//! remain, the text is ambiguous. Cost: a legality test for every pair of squares that fits.

use arrayvec::ArrayVec;

use crate::chess::{Bitboard, Board, CastlingSide, Color, Effect, Move, MoveKind, MoveList, Role};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::lettering::Lettering;
use super::parts::{goal_square, named_files, split_letters, take_location};
use crate::notation::body::Body;
use crate::notation::drops::AT;
use crate::notation::fitting::{UniqueMove, promotion, visit_legal, with_promotion};
use crate::notation::ply::Step;
use crate::notation::{CheckSuffix, Lineage, MOVE_TEXT_BYTES_MAX, Reading, algebraic};

/// A move that was read.
pub(super) struct DescriptiveText {
    /// The move.
    pub mv: Move,
    /// The check suffix of the text.
    pub check_suffix: CheckSuffix,
    /// The number of bytes before the check suffix; more than the text has if it was not in plain spelling.
    pub body_bytes: usize,
    /// The deviations of the letters of castling.
    pub deviations: DeviationSet,
}

impl DescriptiveText {
    /// The reading of `text`, which is canonical if `notation` writes it so.
    pub(super) fn reading<N: Body, B: Board>(
        &self,
        notation: &N,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Reading {
        // Without a body in plain spelling the text is not canonical.
        let body = text.get(..self.body_bytes).unwrap_or_default();
        let step = Step { before: position, mv: self.mv, lineage };
        let mut reading = notation.reading_of(body, step, self.check_suffix);
        if self.mv.castling_side().is_some() && !self.deviations.is_empty() {
            reading.deviations = self.deviations;
        }
        reading
    }
}

/// Reads a text.
pub(super) fn read<B: Board>(
    text: &[u8],
    position: &B,
    lineage: Option<&Lineage>,
    lettering: &Lettering,
) -> Result<DescriptiveText, Deviation> {
    let plain = make_plain(text).ok_or(Deviation::MoveUnreadable)?;
    let (body, check_suffix) = match lettering.is_romance {
        true => algebraic::split_check_suffix(&plain),
        false => split_check_suffix(&plain),
    };
    let body_bytes = if plain[..] == *text { body.len() } else { usize::MAX };
    if let Some((side, deviations)) = algebraic::read_castling(body) {
        let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
        return Ok(DescriptiveText { mv, check_suffix, body_bytes, deviations });
    }
    let english = match lettering.is_romance {
        true => Some(lettering.to_english(body).ok_or(Deviation::MoveUnreadable)?),
        false => None,
    };
    let body = english.as_deref().unwrap_or(body);
    let castles = || body.strip_prefix(b"Castles").or_else(|| body.strip_prefix(b"castles"));
    let mv = if !B::IS_STANDARD && body.contains(&AT) {
        find_drop(body, position)?
    } else if let Some(wing) = castles() {
        castle(wing, check_suffix, position)?
    } else {
        find(body, check_suffix, position, lineage)?
    };
    Ok(DescriptiveText { mv, check_suffix, body_bytes, deviations: DeviationSet::EMPTY })
}

/// The drop of a text without its check suffix.
fn find_drop(body: &[u8], position: &impl Board) -> Result<Move, Deviation> {
    let [letter, AT, place @ ..] = body else { return Err(Deviation::MoveUnreadable) };
    let role = Role::from_letter(*letter).ok_or(Deviation::MoveUnreadable)?;
    let Some((squares, [])) = take_location(place, position.turn()) else {
        return Err(Deviation::MoveUnreadable);
    };
    let mut found = squares.into_iter().filter_map(|square| position.drop_of(role, square));
    match (found.next(), found.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(Deviation::MoveAmbiguous),
        (None, _) => Err(Deviation::MoveIllegal),
    }
}

/// The text without spaces, with one spelling of knight, hyphen, cross and first rank.
fn make_plain(text: &[u8]) -> Option<ArrayVec<u8, MOVE_TEXT_BYTES_MAX>> {
    const SPELLINGS: [(&[u8], &[u8]); 9] = [
        (b" ", b""),
        ("\u{a0}".as_bytes(), b""),
        (b"Kt", b"N"),
        (b"Sq.", b"1"),
        (b"Sq", b"1"),
        (b"sq.", b"1"),
        (b"X", b"x"),
        (b":", b"x"),
        ("×".as_bytes(), b"x"),
    ];
    let (mut plain, mut rest) = (ArrayVec::new(), text);
    while let [byte, ref after @ ..] = *rest {
        if let Some(&(from, to)) = SPELLINGS.iter().find(|(from, _)| rest.starts_with(from)) {
            plain.try_extend_from_slice(to).ok()?;
            rest = &rest[from.len()..];
        } else if let Some(length) = algebraic::dash_bytes(rest) {
            plain.try_push(b'-').ok()?;
            rest = &rest[length..];
        } else {
            plain.try_push(byte).ok()?;
            rest = after;
        }
    }
    Some(plain)
}

/// Splits the check suffix off: `ch` and `mate` are canonical here, all others are a style.
fn split_check_suffix(text: &[u8]) -> (&[u8], CheckSuffix) {
    for (word, check_suffix) in [(&b"mate"[..], CheckSuffix::Mate), (b"ch", CheckSuffix::Check)] {
        let twofold = |body: &[u8]| {
            let kinds: [&[u8]; 4] = [b"dbl", b"dis", b"dbl.", b"dis."];
            kinds.iter().any(|kind| body.ends_with(kind))
        };
        if let Some(body) = text.strip_suffix(word)
            && !body.is_empty()
            && !twofold(body)
        {
            return (body, check_suffix);
        }
    }
    match algebraic::split_check_suffix(text) {
        (body, CheckSuffix::Check) => (body, CheckSuffix::CheckStyle),
        (body, CheckSuffix::Mate) => (body, CheckSuffix::MateStyle),
        split => split,
    }
}

fn castle(
    wing: &[u8],
    check_suffix: CheckSuffix,
    position: &impl Board,
) -> Result<Move, Deviation> {
    let wing = match *wing {
        [b'(', ref wing @ .., b')'] | [b'-', ref wing @ ..] => wing,
        _ => wing,
    };
    let sides: &[CastlingSide] = match wing {
        b"" => &[CastlingSide::Short, CastlingSide::Long],
        b"K" | b"KR" => &[CastlingSide::Short],
        b"Q" | b"QR" => &[CastlingSide::Long],
        _ => return Err(Deviation::MoveUnreadable),
    };
    let list: MoveList = sides.iter().filter_map(|&side| position.castle(side)).collect();
    choose(&list, check_suffix, position)
}

/// A piece as it is named.
#[derive(Clone, Copy)]
struct PieceText {
    role: Role,
    squares: Bitboard,
    /// Named as of the queen's wing, or of the king's?
    queenside: Option<bool>,
}

#[derive(Clone, Copy)]
enum Goal {
    Squares(Bitboard),
    Victim(PieceText),
}

/// A parsed text, without its suffixes for check and en passant.
#[derive(Clone, Copy)]
struct Written {
    piece: PieceText,
    goal: Goal,
    promoted: Option<Role>,
}

/// Is the whole text a promotion?
fn is_promotion(text: &[u8]) -> bool {
    matches!(
        *text,
        [b'/' | b'=', b'Q' | b'R' | b'B' | b'N'] | [b'(', b'Q' | b'R' | b'B' | b'N', b')']
    )
}

/// A piece and the rest. After a pawn's capture `/Q` is the promotion, not the square of the captured piece.
fn take_piece(text: &[u8], turn: Color, promotes: bool) -> Option<(PieceText, &[u8])> {
    let (name, mut rest) = split_letters(text);
    let mut piece = match *name {
        [ref file @ .., b'P'] => {
            let squares = if file.is_empty() { !Bitboard::EMPTY } else { named_files(file)? };
            PieceText { role: Role::Pawn, squares, queenside: None }
        }
        [ref wing @ .., letter] => {
            let role = Role::from_letter(letter)?;
            let queenside = match *wing {
                [] => None,
                _ if matches!(role, Role::King | Role::Queen) => return None,
                [b'Q'] => Some(true),
                [b'K'] => Some(false),
                _ => return None,
            };
            PieceText { role, squares: !Bitboard::EMPTY, queenside }
        }
        [] => return None,
    };
    if !(promotes && is_promotion(rest)) {
        let bracketed = rest.first() == Some(&b'(');
        if bracketed || rest.first() == Some(&b'/') {
            let (squares, after) = take_location(&rest[1..], turn)?;
            piece.squares &= squares;
            rest = if bracketed { after.strip_prefix(b")")? } else { after };
        }
    }
    Some((piece, rest))
}

fn parse<B: Board>(body: &[u8], turn: Color) -> Option<Written> {
    let (piece, rest) = take_piece(body, turn, false)?;
    let (goal, rest) = match *rest {
        [b'-', ref rest @ ..] => {
            let (squares, after) = take_location(rest, turn)?;
            // A square is named whole: its file and its rank.
            let (name, digits) = split_letters(rest);
            if name.is_empty() || after.len() == digits.len() {
                return None;
            }
            (Goal::Squares(squares), after)
        }
        [b'x', ref rest @ ..] => {
            let (victim, rest) = take_piece(rest, turn, piece.role == Role::Pawn)?;
            (Goal::Victim(victim), rest)
        }
        _ => return None,
    };
    let promoted = match *rest {
        [] => None,
        [b'=' | b'/', letter] | [b'(', letter, b')'] | [letter] => {
            Some(promotion::<B>(letter).ok()?)
        }
        _ => return None,
    };
    Some(Written { piece, goal, promoted })
}

fn find<B: Board>(
    body: &[u8],
    check_suffix: CheckSuffix,
    position: &B,
    lineage: Option<&Lineage>,
) -> Result<Move, Deviation> {
    let mut en_passant_marks = DeviationSet::EMPTY;
    let body = algebraic::split_en_passant(body, &mut en_passant_marks);
    let (turn, en_passant) = (position.turn(), !en_passant_marks.is_empty());
    let read = |written: &Written| {
        with_promotion(written.promoted, |promoted| {
            let found = written.find(position, lineage, promoted, Some(en_passant), check_suffix);
            match found {
                Err(Deviation::MoveIllegal) => {
                    written.find(position, lineage, promoted, None, check_suffix)
                }
                found => found,
            }
        })
    };
    if body.iter().any(|byte| matches!(byte, b'-' | b'x')) {
        return read(&parse::<B>(body, turn).ok_or(Deviation::MoveUnreadable)?);
    }
    // Books omit the hyphen: it is tried wherever it may be.
    let (mut list, mut failure) = (MoveList::new(), Deviation::MoveUnreadable);
    for at in 1..body.len() {
        let mut whole = ArrayVec::<u8, { MOVE_TEXT_BYTES_MAX + 1 }>::new();
        whole.extend(body[..at].iter().chain(b"-").chain(&body[at..]).copied());
        match parse::<B>(&whole, turn).map(|written| read(&written)) {
            Some(Ok(mv)) if !list.contains(&mv) => list.push(mv),
            Some(Err(deviation)) => failure = deviation,
            _ => {}
        }
    }
    if list.is_empty() { Err(failure) } else { choose(&list, check_suffix, position) }
}

impl PieceText {
    /// The squares of the pieces of `color` that the name fits.
    fn fitting(&self, position: &impl Board, color: Color, lineage: Option<&Lineage>) -> Bitboard {
        let pieces = position.role(self.role) & position.color(color);
        let wing = match (self.queenside, lineage) {
            (None, _) => pieces,
            (Some(true), Some(lineage)) => lineage.queenside(pieces),
            (Some(false), Some(lineage)) => {
                pieces & !lineage.queenside(pieces) & !lineage.dropped(pieces)
            }
            (Some(queenside), None) => {
                let files = pieces.into_iter().map(|piece| piece.file());
                let file = if queenside { files.min() } else { files.max() };
                file.map_or(Bitboard::EMPTY, |file| pieces & Bitboard::file(file))
            }
        };
        wing & self.squares
    }
}

impl Written {
    /// The legal move that fits; `en_passant`: it must be, or must not be, en passant.
    fn find(
        &self,
        position: &impl Board,
        lineage: Option<&Lineage>,
        promoted: Option<Role>,
        en_passant: Option<bool>,
        check_suffix: CheckSuffix,
    ) -> Result<Move, Deviation> {
        let turn = position.turn();
        let goals = match self.goal {
            Goal::Squares(squares) => squares & !position.occupied(),
            Goal::Victim(piece) => piece.fitting(position, turn.other(), lineage),
        };
        let captures = matches!(self.goal, Goal::Victim(_));
        let mut targets = goals;
        if captures && let Some(square) = position.en_passant_square() {
            targets |= Bitboard::of(square);
        }
        let origins = self.piece.fitting(position, turn, lineage);
        let fits = |mv: Move| {
            position.is_capture(mv) == captures
                && goals.has(goal_square(position, mv))
                && en_passant.is_none_or(|found| found == (mv.kind() == MoveKind::EnPassant))
        };
        let mut unique = UniqueMove::default();
        visit_legal(position, origins, targets, promoted, |mv| {
            if fits(mv) {
                unique.add(mv);
            }
        });
        if unique.answer() != Err(Deviation::MoveAmbiguous) {
            return unique.answer();
        }
        let mut list = MoveList::new();
        visit_legal(position, origins, targets, promoted, |mv| {
            if fits(mv) {
                list.push(mv);
            }
        });
        choose(&list, check_suffix, position)
    }
}

/// The move, if it is the only one, or the only one with the written check.
fn choose(
    list: &[Move],
    check_suffix: CheckSuffix,
    position: &impl Board,
) -> Result<Move, Deviation> {
    match *list {
        [] => return Err(Deviation::MoveIllegal),
        [mv] => return Ok(mv),
        _ => {}
    }
    let agrees = |mv: &&Move| match (position.effect(**mv), check_suffix) {
        (Effect::None, check_suffix) => check_suffix == CheckSuffix::None,
        (_, CheckSuffix::MateStyle) => true,
        (Effect::Check, check_suffix) => {
            matches!(check_suffix, CheckSuffix::Check | CheckSuffix::CheckStyle)
        }
        (Effect::Win, check_suffix) => check_suffix == CheckSuffix::Mate,
    };
    let mut agreeing = list.iter().filter(agrees);
    match (agreeing.next(), agreeing.next()) {
        (Some(&mv), None) => Ok(mv),
        _ => Err(Deviation::MoveAmbiguous),
    }
}
