//! What prevents a step on the board.
//!
//! In: a position, and a piece and a square, or castling. Out: clauses such as `the bishop on f8 is blocked by the
//! pawn on d6`, each true of the position and enough to forbid the step. Runs once per rejected game.
//!
//! | clause | what is true |
//! |---|---|
//! | `cannot reach` | on an empty board that piece has no such step |
//! | `is blocked by` | it has such a step, and this is the first piece on its path |
//! | `is pinned` | it is between its king and a piece that would give check, and would leave that line |
//! | `leaves the king … in check` | the piece that gives check now would still give check |
//! | `is attacked by` | the king would arrive on a square that these pieces attack |

use crate::chess::{
    Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square, between, bishop_attacks,
    king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};

/// A role's name.
pub(super) const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// `White` or `Black`.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `white` or `black`.
pub(super) const fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// `the knight on d2`.
pub(super) fn piece(position: &Position, square: Square) -> String {
    format!("the {} on {square}", position.role_at(square).map_or("man", name))
}

/// `the knight on d2 and the rook on e8`.
pub(super) fn pieces(position: &Position, squares: Bitboard) -> String {
    let pieces: Vec<String> = squares.into_iter().map(|square| piece(position, square)).collect();
    pieces.join(" and ")
}

/// The squares that a piece attacks.
fn attacks(role: Role, color: Color, origin: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(color, origin),
        Role::Knight => knight_attacks(origin),
        Role::Bishop => bishop_attacks(origin, occupied),
        Role::Rook => rook_attacks(origin, occupied),
        Role::Queen => bishop_attacks(origin, occupied) | rook_attacks(origin, occupied),
        Role::King => king_attacks(origin),
    }
}

/// Why a piece other than a pawn on `origin` cannot go to `target`, which is empty or an enemy's; `None` if it cannot
/// reach it on an empty board.
pub(super) fn of_piece(
    position: &Position,
    role: Role,
    origin: Square,
    target: Square,
) -> Option<String> {
    let turn = position.turn();
    if attacks(role, turn, origin, position.occupied()).has(target) {
        return Some(exposed(position, Move::normal(role, origin, target)));
    }
    attacks(role, turn, origin, Bitboard::EMPTY)
        .has(target)
        .then(|| blocked(position, origin, target))
}

/// The first piece on the path from `origin` to `target`.
fn blocked(position: &Position, origin: Square, target: Square) -> String {
    let mut on_path = (between(origin, target) & position.occupied()).into_iter();
    let upwards = target.index() > origin.index();
    let first = if upwards { on_path.next() } else { on_path.last() };
    let first = first.map_or_else(|| "another man".to_string(), |first| piece(position, first));
    format!("{} is blocked by {first}", piece(position, origin))
}

/// Why a pseudo-legal step leaves the own king attacked.
fn exposed(position: &Position, mv: Move) -> String {
    let (origin, target, them) = (mv.origin(), mv.target(), position.turn().other());
    if mv.role() == Role::King {
        let occupied = position.occupied() ^ Bitboard::of(origin);
        let attackers = position.attackers(target, them, occupied);
        return format!("{target} is attacked by {}", pieces(position, attackers));
    }
    let king = position.king(position.turn());
    let mut captured = Bitboard::of(target);
    let mut occupied = (position.occupied() ^ Bitboard::of(origin)) | captured;
    let en_passant = mv.kind() == MoveKind::EnPassant;
    if en_passant {
        captured = Bitboard::of(Square::at(target.file(), origin.rank()));
        occupied &= !captured;
    }
    let giving = position.attackers(king, them, occupied) & !captured;
    let still = giving & position.checkers();
    if still.has_any() {
        let (moving, by) = (piece(position, origin), pieces(position, still));
        return format!("{moving} leaves the king on {king} in check from {by}");
    }
    if en_passant {
        let by = pieces(position, giving);
        return format!("taking en passant uncovers an attack on the king on {king} by {by}");
    }
    let (pinned, by) = (piece(position, origin), pieces(position, giving));
    format!("{pinned} is pinned to the king on {king} by {by}")
}

/// Why a pawn on `origin` cannot advance to `target`, a square ahead on its file; `None` if it is too far.
pub(super) fn of_advance(position: &Position, origin: Square, target: Square) -> Option<String> {
    let turn = position.turn();
    let forward = |square: Square| i16::from(turn.rank(square.rank()));
    let steps = forward(target) - forward(origin);
    let from_home = forward(origin) == 1;
    if steps != 1 && !(steps == 2 && from_home) {
        return None;
    }
    if (between(origin, target) & position.occupied()).has_any() {
        return Some(blocked(position, origin, target));
    }
    if position.occupied().has(target) {
        let before = piece(position, target);
        return Some(format!("{} is blocked by {before}", piece(position, origin)));
    }
    Some(exposed(position, Move::normal(Role::Pawn, origin, target)))
}

/// Why a pawn on `origin` cannot capture on `target`, which it attacks and which is empty or an enemy's.
pub(super) fn of_capture(position: &Position, origin: Square, target: Square) -> String {
    let turn = position.turn();
    if position.them().has(target) {
        return exposed(position, Move::normal(Role::Pawn, origin, target));
    }
    if position.en_passant_square() == Some(target) {
        return exposed(position, Move::en_passant(origin, target));
    }
    let beside = Square::at(target.file(), origin.rank());
    let enemy_pawns = position.role(Role::Pawn) & position.them();
    if turn.rank(origin.rank()) == 4 && enemy_pawns.has(beside) {
        return format!(
            "the pawn on {beside} cannot be taken en passant: it has not just advanced two squares"
        );
    }
    format!("there is nothing to take on {target}")
}

/// Why castling on a side is not legal now; `None` if it is.
pub(super) fn of_castling(position: &Position, castling: CastlingSide) -> Option<String> {
    position.castle(castling).is_none().then(|| castling_refused(position, castling))
}

fn castling_refused(position: &Position, castling: CastlingSide) -> String {
    let turn = position.turn();
    let king = position.king(turn);
    let Some(rook) = position.castling_rook(turn, castling) else {
        return without_right(position, castling);
    };
    if position.in_check() {
        return format!(
            "the king on {king} is in check from {}",
            pieces(position, position.checkers())
        );
    }
    let (king_to, rook_to) = (castling.king_target(king.rank()), castling.rook_target(king.rank()));
    let ends = Bitboard::of(king_to) | Bitboard::of(rook_to);
    let others = position.occupied() ^ (Bitboard::of(king) | Bitboard::of(rook));
    let path = between(king, king_to) | between(rook, rook_to) | ends;
    if (path & others).has_any() {
        return format!("castling is blocked by {}", pieces(position, path & others));
    }
    let walking = position.occupied() ^ Bitboard::of(king);
    for square in between(king, king_to) | Bitboard::of(king_to) {
        let attackers = position.attackers(square, turn.other(), walking);
        if attackers.has_any() {
            let goes = if square == king_to { "arrive on" } else { "pass" };
            let by = pieces(position, attackers);
            return format!("the king would {goes} {square}, which is attacked by {by}");
        }
    }
    let by = pieces(position, position.attackers(king_to, turn.other(), others | ends));
    format!("castling uncovers an attack on the king on {king_to} by {by}")
}

/// Why there is no right to castle, as far as the squares of king and rook show it.
fn without_right(position: &Position, castling: CastlingSide) -> String {
    let turn = position.turn();
    let (color, king) = (adjective(turn), position.king(turn));
    let home = turn.rank(0);
    if king.rank() != home || (!position.is_chess960() && king.file() != 4) {
        return format!("the {color} king stands on {king}, where he cannot castle");
    }
    let short = castling == CastlingSide::Short;
    let rooks = position.ours(Role::Rook) & Bitboard::rank(home);
    let corner = Square::at(if short { 7 } else { 0 }, home);
    if !position.is_chess960() && !rooks.has(corner) {
        return format!("no {color} rook stands on {corner}");
    }
    if !rooks.into_iter().any(|rook| (rook.file() > king.file()) == short) {
        let of_king = if short { "h" } else { "a" };
        return format!("no {color} rook stands on the {of_king} side of the king on {king}");
    }
    let which = if short { "short" } else { "long" };
    format!("{} has no right to castle {which}: king or rook has moved before", side(turn))
}
