//! Why a token is no legal move in a position, for the person who must repair the game.
//!
//! In: the kind of fault, the token, the notation, the position. Out: one line, `TOKEN: clause; clause`, each clause
//! true of the position by itself. What prevents the step of a piece is found by [`super::obstacle`]. Only tokens of
//! algebraic notations and of those with both squares are analysed; others fit no legal move. Runs once per rejected
//! game.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::pgn::deviation::Deviation;
//! use pgnmill_core::notation::SAN;
//! use pgnmill_core::replay::refusal;
//! let why = refusal(Deviation::MoveIllegal, "Bc4", SAN, &Position::initial());
//! assert_eq!(why, "Bc4: the bishop on f1 is blocked by the pawn on e2");
//! ```

use crate::chess::{Bitboard, CastlingSide, Color, Move, Position, Role, Square, pawn_attacks};
use crate::notation::{Claim, Notation};
use crate::pgn::deviation::Deviation;

use super::obstacle::{
    adjective, name, of_advance, of_capture, of_castling, of_piece, piece, side,
};
use super::suffixes::{is_suffix, move_ends};

/// Clauses about so many pieces at most.
const PIECES_MAX: usize = 3;

/// Why a token is no legal move here.
pub fn refusal(
    kind: Deviation,
    token: &str,
    notation: &dyn Notation,
    position: &Position,
) -> String {
    let claimed = claimed(token, notation);
    let why = match (kind, claimed) {
        (Deviation::MovesAfterEnd, _) => {
            let end = if position.in_check() { "checkmated" } else { "stalemated" };
            Some(format!("comes after the end of the game: {} is {end}", side(position.turn())))
        }
        (Deviation::MoveAmbiguous, Some(claim)) => {
            let origins = squares(legal_origins(position, &claim));
            Some(format!("is ambiguous: {origins}"))
        }
        (Deviation::MoveUnreadable, _) => foreign_letter(token, notation),
        (_, Some(Claim::Castling(side))) => of_castling(position, side),
        (_, Some(claim)) => of_step(kind, position, &claim),
        _ => None,
    };
    let why = why.unwrap_or_else(|| {
        let plain = match kind {
            Deviation::MoveAmbiguous => "fits several legal moves",
            Deviation::MoveIllegal => "fits no legal move",
            Deviation::PromotionPieceMissing => "does not say what the pawn becomes",
            Deviation::PromotionNotAPromotion => "promotes what cannot be promoted",
            _ => "cannot be read as a move",
        };
        plain.to_string()
    });
    let is_sentence = matches!(kind, Deviation::MoveAmbiguous | Deviation::MovesAfterEnd)
        || why.starts_with("fits ")
        || why.starts_with("cannot be read")
        || why.starts_with("does not say")
        || why.starts_with("promotes what");
    if is_sentence { format!("{token} {why}") } else { format!("{token}: {why}") }
}

/// The claim of a token, if its notation gives one; suffixes that are attached to it claim nothing.
pub fn claimed(token: &str, notation: &dyn Notation) -> Option<Claim> {
    notation.claim(token).or_else(|| {
        let mut ends = move_ends(token.as_bytes()).filter_map(|end| token.split_at_checked(end));
        ends.find_map(|(body, rest)| notation.claim(body).filter(|_| is_suffix(rest.as_bytes())))
    })
}

/// A clause about a capital that is no English piece letter.
fn foreign_letter(token: &str, notation: &dyn Notation) -> Option<String> {
    let first = token.chars().next().filter(char::is_ascii_uppercase)?;
    let known = b"KQRBNPO".contains(&(first as u8)) || !notation.is_san();
    (!known && token[1..].bytes().any(|byte| byte.is_ascii_digit()))
        .then(|| format!("{first} is the letter of no piece"))
}

/// Does a move fit a claim, promotion apart?
pub fn fits(claim: &Claim, mv: Move) -> bool {
    match *claim {
        Claim::Castling(side) => mv.castling_side() == Some(side),
        Claim::Step { role, origin_file, origin_rank, target_file, target_rank, .. } => {
            let long = origin_file.is_some() && origin_rank.is_some();
            let role_fits = match role {
                Some(role) => mv.role() == role,
                None => mv.role() == Role::Pawn || long,
            };
            role_fits
                && mv.castling_side().is_none()
                && mv.target().file() == target_file
                && target_rank.is_none_or(|rank| mv.target().rank() == rank)
                && origin_file.is_none_or(|file| mv.origin().file() == file)
                && origin_rank.is_none_or(|rank| mv.origin().rank() == rank)
        }
    }
}

/// The origins of the legal moves that fit.
fn legal_origins(position: &Position, claim: &Claim) -> Bitboard {
    let moves = position.legal_moves();
    moves
        .iter()
        .filter(|&&mv| fits(claim, mv))
        .fold(Bitboard::EMPTY, |origins, mv| origins | Bitboard::of(mv.origin()))
}

/// `c3, g1`.
fn squares(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}

/// A claim with its role and its target known.
struct Step {
    role: Role,
    target: Square,
    /// The squares that the text leaves for the origin.
    from: Bitboard,
    /// The origin in the text: ` on g1`, ` on file g`, or empty.
    origin: String,
    takes: bool,
    promotes: bool,
}

/// Why the step of a piece is not legal.
fn of_step(kind: Deviation, position: &Position, claim: &Claim) -> Option<String> {
    let Claim::Step { role, origin_file, origin_rank, target_file, target_rank, takes, promoted } =
        *claim
    else {
        return None;
    };
    let (from, origin) = origin_written(origin_file, origin_rank);
    let role = match (role, from.single()) {
        (role, Some(origin)) => match wrong_origin(position, role, origin) {
            None => position.role_at(origin)?,
            why => return why,
        },
        (role, None) => role.unwrap_or(Role::Pawn),
    };
    let origins = legal_origins(position, claim);
    if origins.has_any() {
        if role == Role::Pawn && origin_file.is_none() && target_rank.is_some() {
            let capturing = origins & !Bitboard::file(target_file);
            if capturing.has_any() {
                return Some(of_unnamed(capturing, Square::at(target_file, target_rank?)));
            }
        }
        return of_promotion(kind, position.turn(), role, claim);
    }
    let Some(rank) = target_rank else {
        let (color, file) = (adjective(position.turn()), char::from(b'a' + target_file));
        return Some(format!("no {color} pawn{origin} can legally take on file {file}"));
    };
    let (target, promotes) = (Square::at(target_file, rank), promoted.is_some());
    let why = Step { role, target, from, origin, takes, promotes }.why(position)?;
    // Another piece of the role can go there: perhaps it was meant.
    let of_role = Claim::Step {
        role: Some(role),
        origin_file: None,
        origin_rank: None,
        target_file,
        target_rank,
        promoted: None,
        takes,
    };
    let others = legal_origins(position, &of_role);
    if others.is_empty() {
        return Some(why);
    }
    let others: Vec<String> = others.into_iter().map(|other| piece(position, other)).collect();
    Some(format!("{why}; {} can go there", others.join(" and ")))
}

/// A pawn captures, and its file is not written.
fn of_unnamed(origins: Bitboard, target: Square) -> String {
    let texts: Vec<String> =
        origins.map(|origin| format!("{}x{target}", char::from(origin.file_letter()))).collect();
    format!("a pawn that takes is written with its file: {}", texts.join(" or "))
}

/// The squares that a text leaves for the origin, and a phrase for them.
fn origin_written(file: Option<u8>, rank: Option<u8>) -> (Bitboard, String) {
    match (file, rank) {
        (None, None) => (!Bitboard::EMPTY, String::new()),
        (Some(file), None) => {
            (Bitboard::file(file), format!(" on file {}", char::from(b'a' + file)))
        }
        (None, Some(rank)) => (Bitboard::rank(rank), format!(" on rank {}", rank + 1)),
        (Some(file), Some(rank)) => {
            let square = Square::at(file, rank);
            (Bitboard::of(square), format!(" on {square}"))
        }
    }
}

/// The step is legal; the promotion is not.
fn of_promotion(kind: Deviation, turn: Color, role: Role, claim: &Claim) -> Option<String> {
    let Claim::Step { target_rank, promoted, .. } = *claim else { return None };
    let last = turn.rank(7);
    match promoted {
        Some(_) if role != Role::Pawn => Some(format!("a {} cannot promote", name(role))),
        Some(_) if target_rank.is_some_and(|rank| rank != last) => {
            Some(format!("a {} pawn promotes on rank {} only", adjective(turn), last + 1))
        }
        None if role == Role::Pawn && target_rank == Some(last) => {
            Some("the pawn must become a queen, rook, bishop or knight".to_string())
        }
        _ => {
            debug_assert_ne!(kind, Deviation::MoveAmbiguous);
            None
        }
    }
}

/// Why the origin that a text gives is none: no piece of the side to move is there, or one of another role.
fn wrong_origin(position: &Position, role: Option<Role>, origin: Square) -> Option<String> {
    let Some(found) = position.role_at(origin) else {
        return Some(format!("no piece is on {origin}"));
    };
    if position.them().has(origin) {
        let owner = side(position.turn().other());
        return Some(format!("{} is {owner}'s", piece(position, origin)));
    }
    let role = role.filter(|&role| role != found)?;
    Some(format!("a {} stands on {origin}, not a {}", name(found), name(role)))
}

impl Step {
    /// `None` for legal castling in a spelling that the notation does not read.
    fn why(&self, position: &Position) -> Option<String> {
        let Step { role, target, from, ref origin, .. } = *self;
        let turn = position.turn();
        let (color, what) = (adjective(turn), name(role));
        if role == Role::King
            && !self.promotes
            && let Some(side) = castled_with(position, from, target)
        {
            return of_castling(position, side);
        }
        if position.us().has(target) {
            return Some(format!("{} is {}'s own", piece(position, target), side(turn)));
        }
        let all = position.ours(role);
        if all.is_empty() {
            return Some(format!("{} has no {what}", side(turn)));
        }
        let pieces = all & from;
        if pieces.is_empty() {
            return Some(format!("no {color} {what} stands{origin}"));
        }
        let obstacles: Vec<String> = if role == Role::Pawn {
            self.of_pawns(position, pieces)
        } else {
            pieces.filter_map(|origin| of_piece(position, role, origin, target)).collect()
        };
        if obstacles.is_empty() {
            let verb = if role == Role::Pawn && self.takes { "take on" } else { "reach" };
            return Some(format!("no {color} {what}{origin} can {verb} {target}"));
        }
        Some(obstacles[..obstacles.len().min(PIECES_MAX)].join("; "))
    }

    /// What prevents pawns from reaching the target: those on its file unless the text has a capture; those that
    /// attack it if the text has a capture, or leaves it open and there is something to capture.
    fn of_pawns(&self, position: &Position, pawns: Bitboard) -> Vec<String> {
        let (turn, target) = (position.turn(), self.target);
        let on_file = pawns & Bitboard::file(target.file());
        let mut obstacles = Vec::new();
        if !self.takes {
            let is_before = |pawn: &Square| turn.rank(pawn.rank()) < turn.rank(target.rank());
            let nearest = on_file.filter(is_before).max_by_key(|pawn| turn.rank(pawn.rank()));
            obstacles.extend(nearest.and_then(|origin| of_advance(position, origin, target)));
        }
        let something = position.them().has(target) || position.en_passant_square() == Some(target);
        let comes_from_beside = on_file.is_empty() && !self.origin.is_empty();
        if self.takes || something || comes_from_beside {
            let attacking = pawn_attacks(turn.other(), target) & pawns;
            obstacles.extend(attacking.map(|origin| of_capture(position, origin, target)));
            obstacles.dedup();
        }
        obstacles
    }
}

/// The side of castling, if a king's step is castling: two squares on its rank, or to its own rook.
fn castled_with(position: &Position, from: Bitboard, target: Square) -> Option<CastlingSide> {
    let king = position.king(position.turn());
    let steps = king.file().abs_diff(target.file());
    let to_rook = position.ours(Role::Rook).has(target) && (steps > 1 || position.is_chess960());
    let far = steps == 2 && !position.is_chess960();
    let same_rank = king.rank() == target.rank() && king.rank() == position.turn().rank(0);
    let castles = from.single() == Some(king) && same_rank && (to_rook || far);
    let short = target.file() > king.file();
    castles.then_some(if short { CastlingSide::Short } else { CastlingSide::Long })
}
