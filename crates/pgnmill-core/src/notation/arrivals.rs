//! The pieces that could arrive on a square, as the economical notations count arrivals.
//!
//! In those notations a move is named by a *code square*: the arrival square; for castling, the square of the castling
//! rook; for a promotion to rook, bishop, knight or king, a square one to four ranks back from the arrival square (a
//! capture) or from the pawn's own square (straight on), so that the code differs from that of a promotion to a queen.
//! Source: random-starting.blogspot.com, "'Economical' chess notation".
//!
//!
//! A piece on a given origin has at most one move with a given code, so that origin and code determine the move.

use crate::chess::{
    Bitboard, Board, CastlingSide, Color, Move, Position, Role, Square, advancing_from, between,
    pawn_attacks,
};

/// The pieces of the side to move that have a move with one code square, by role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrivals {
    code: Square,
    /// By role; castling counts for the king.
    pieces: [Bitboard; 6],
    /// Castling with the rook on the code square, if it is legal now.
    castle: Option<Move>,
}

/// How many ranks back the code of a promotion is.
const fn steps_back(promoted: Role) -> Option<u8> {
    match promoted {
        Role::Rook => Some(1),
        Role::Bishop => Some(2),
        Role::Knight => Some(3),
        Role::King => Some(4),
        _ => None,
    }
}

/// The square `steps` ranks back from `square`, for the side that moves.
fn ranks_back(square: Square, color: Color, steps: u8) -> Square {
    let rank = match color {
        Color::White => square.rank() - steps,
        Color::Black => square.rank() + steps,
    };
    Square::at(square.file(), rank)
}

/// The code square of a move.
#[inline(always)]
pub(super) fn code(position: &impl Board, mv: Move) -> Square {
    if mv.is_plain() {
        return mv.target();
    }
    match mv.promoted().and_then(steps_back) {
        None => mv.target(),
        Some(steps) => {
            let straight = mv.origin().file() == mv.target().file();
            let base = if straight { mv.origin() } else { mv.target() };
            ranks_back(base, position.turn(), steps)
        }
    }
}

impl Arrivals {
    /// All pieces with a pseudo-legal move to the code square.
    #[inline(always)]
    pub(super) fn of(position: &impl Board, code: Square) -> Arrivals {
        let mut pieces = [Bitboard::EMPTY; 6];
        let mut castle = None;
        if position.us().has(code) {
            if position.castling_rooks().has(code) {
                castle = castle_with(position, code);
                if let Some(castle) = castle {
                    pieces[Role::King.index()] = Bitboard::of(castle.origin());
                }
            }
        } else {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                pieces[role.index()] = position.own_attackers(role, code);
            }
            pieces[Role::Pawn.index()] = pawns_arriving(position, code);
        }
        let sevenths = position.ours(Role::Pawn) & Bitboard::rank(position.turn().rank(6));
        if sevenths.has_any() {
            pieces[Role::Pawn.index()] |= pawns_promoting(position, code, sevenths);
        }
        Arrivals { code, pieces, castle }
    }

    /// Only the pieces with a legal move.
    #[inline(always)]
    pub(super) fn legal(mut self, position: &impl Board) -> Arrivals {
        for role in Role::ALL {
            for piece in self.pieces[role.index()] {
                if !self.move_of(position, role, piece).is_some_and(|mv| position.is_legal(mv)) {
                    self.pieces[role.index()] ^= Bitboard::of(piece);
                }
            }
        }
        self
    }

    /// The pieces of one role.
    #[inline(always)]
    pub(super) fn role(&self, role: Role) -> Bitboard {
        self.pieces[role.index()]
    }

    /// The pieces of all roles.
    #[inline(always)]
    pub(super) fn all(&self) -> Bitboard {
        self.pieces.into_iter().fold(Bitboard::EMPTY, |all, pieces| all | pieces)
    }

    /// The first role in the order P N B R Q K that has pieces in `mask`, and those pieces.
    #[inline(always)]
    pub(super) fn first_class(&self, mask: Bitboard) -> Option<(Role, Bitboard)> {
        Role::ALL
            .into_iter()
            .map(|role| (role, self.role(role) & mask))
            .find(|(_, pieces)| pieces.has_any())
    }

    /// The move of the piece on `origin`, a piece of `role` in this set.
    pub(super) fn move_of(
        &self,
        position: &impl Board,
        role: Role,
        origin: Square,
    ) -> Option<Move> {
        if role == Role::King && self.castle.is_some() {
            return self.castle;
        }
        step(position, self.code, role, origin)
    }
}

/// The move of a piece, except castling, that has this code.
fn step(position: &impl Board, code: Square, role: Role, origin: Square) -> Option<Move> {
    if role != Role::Pawn {
        return Some(Move::normal(role, origin, code));
    }
    let turn = position.turn();
    if origin.rank() != turn.rank(6) {
        return Some(
            if position.en_passant_square() == Some(code) && origin.file() != code.file() {
                Move::en_passant(origin, code)
            } else {
                Move::normal(Role::Pawn, origin, code)
            },
        );
    }
    let target = Square::at(code.file(), turn.rank(7));
    if code == target {
        return Some(Move::promotion(origin, target, Role::Queen));
    }
    let base = if origin.file() == target.file() { origin } else { target };
    let coded = [Role::Rook, Role::Bishop, Role::Knight, Role::King];
    coded
        .into_iter()
        .filter(|&to| position.can_become(to))
        .find(|&to| steps_back(to).is_some_and(|steps| ranks_back(base, turn, steps) == code))
        .map(|to| Move::promotion(origin, target, to))
}

/// The pieces, without the moving one, that have a pseudo-legal move with the code of a legal move: those of
/// [`Arrivals::of`], at the cost of a square's attackers.
#[inline(always)]
pub(super) fn rivals(position: &impl Board, mv: Move) -> Bitboard {
    rivals_among(position, mv, position.us())
}

/// The [`rivals`] among these pieces: the fewer, the cheaper.
#[inline(always)]
pub(super) fn rivals_among<B: Board>(position: &B, mv: Move, among: Bitboard) -> Bitboard {
    let pawns = position.ours(Role::Pawn);
    let sevenths = pawns & Bitboard::rank(position.turn().rank(6));
    if !B::IS_STANDARD || !mv.is_plain() || sevenths.has_any() {
        return rare_rivals(position, mv, sevenths) & among;
    }
    let target = mv.target();
    let others = among & position.us() & !Bitboard::of(mv.origin());
    position.pieces().pieces_attacking(target, others)
        | pawns_coming(position, target, pawns) & others
}

/// The pawns of the side to move that reach a square without an own piece and are not promoted there.
#[inline(always)]
fn pawns_coming(position: &impl Board, target: Square, pawns: Bitboard) -> Bitboard {
    let bit = Bitboard::of(target).0;
    let advancing = advancing_from(position.turn(), bit, position.occupied()).0;
    let taking = pawn_attacks(position.turn().other(), target).0;
    // All ones if there is a capture: both cases are computed without a branch, since captures are badly predicted.
    let takes = position.them().has(target) || position.en_passant_square() == Some(target);
    let takes = u64::from(takes).wrapping_neg();
    Bitboard((advancing & !takes | taking & takes) & pawns.0)
}

/// For moves that are not plain, and if a pawn may be about to be promoted.
#[cold]
#[inline(never)]
fn rare_rivals(position: &impl Board, mv: Move, sevenths: Bitboard) -> Bitboard {
    if mv.castling_side().is_some() && sevenths.is_empty() {
        // The castling rook is on the code square: no other piece can go there.
        return Bitboard::EMPTY;
    }
    Arrivals::of(position, code(position, mv)).all() & !Bitboard::of(mv.origin())
}

/// The [`rivals`] whose move is legal.
#[inline(always)]
pub(super) fn legal_rivals<B: Board>(board: &B, mv: Move, rivals: Bitboard) -> Bitboard {
    let (position, code) = (board.pieces(), code(board, mv));
    let mut doubtful = rivals;
    if B::IS_STANDARD && !position.in_check() && position.en_passant_square() != Some(code) {
        // Besides the king, only a piece between it and a slider may be pinned.
        let king = position.king(position.turn());
        let pinning = position.pinning(king);
        let first = Bitboard::of(king) | Position::path(pinning.0, king.index());
        let others = pinning.split_lowest().1.into_iter();
        doubtful &= others.fold(first, |pieces, slider| pieces | between(king, slider));
    }
    if doubtful.is_empty() {
        return rivals;
    }
    rivals & !doubtful | legal_among(board, code, doubtful)
}

/// The pieces whose move with this code is legal.
#[inline(never)]
fn legal_among<B: Board>(position: &B, code: Square, pieces: Bitboard) -> Bitboard {
    let mut legal = Bitboard::EMPTY;
    for piece in pieces {
        // In chess the role of pieces other than pawns and the king makes no difference here.
        let role = match piece {
            _ if !B::IS_STANDARD => position.role_at(piece).unwrap_or(Role::Queen),
            piece if position.role(Role::Pawn).has(piece) => Role::Pawn,
            piece if position.role(Role::King).has(piece) => Role::King,
            _ => Role::Queen,
        };
        if step(position, code, role, piece).is_some_and(|mv| position.is_legal(mv)) {
            legal |= Bitboard::of(piece);
        }
    }
    legal
}

/// The pieces of both sides that are no heavier than `role`, in the order P N B R Q K.
#[inline(always)]
pub(super) fn no_heavier(position: &Position, role: Role) -> Bitboard {
    let counted = &NO_HEAVIER[role.index()];
    let all = Role::ALL.into_iter().zip(counted);
    Bitboard(all.fold(0, |pieces, (role, counted)| pieces | position.role(role).0 & counted))
}

/// For each role, all ones for each role that is no heavier.
static NO_HEAVIER: [[u64; 6]; 6] = {
    let mut table = [[0; 6]; 6];
    let mut role = 0;
    while role < 6 {
        let mut other = 0;
        while other <= role {
            table[role][other] = u64::MAX;
            other += 1;
        }
        role += 1;
    }
    table
};

fn castle_with(position: &impl Board, rook: Square) -> Option<Move> {
    let sides = [CastlingSide::Short, CastlingSide::Long].into_iter();
    let mut moves = sides.filter_map(|side| position.castle(side));
    moves.find(|castle| castle.target() == rook)
}

/// Pawns that advance to the square or capture there, promotions to a queen included.
#[inline(always)]
fn pawns_arriving(position: &impl Board, square: Square) -> Bitboard {
    if let Some(origin) = position.pawn_advancing_to(square) {
        return Bitboard::of(origin);
    }
    let takes = position.them().has(square) || position.en_passant_square() == Some(square);
    if takes { position.own_attackers(Role::Pawn, square) } else { Bitboard::EMPTY }
}

/// Pawns whose promotion to a rook, bishop or knight has this code.
#[cold]
fn pawns_promoting(position: &impl Board, code: Square, sevenths: Bitboard) -> Bitboard {
    let turn = position.turn();
    let mut found = Bitboard::EMPTY;
    if code.rank() == turn.rank(7) {
        return found;
    }
    for pawn in sevenths.into_iter().filter(|pawn| pawn.file().abs_diff(code.file()) <= 1) {
        for file in pawn.file().saturating_sub(1)..=(pawn.file() + 1).min(7) {
            let target = Square::at(file, turn.rank(7));
            let straight = file == pawn.file();
            let takes = position.them().has(target);
            let free = !position.occupied().has(target);
            if (straight && !free) || (!straight && !takes) {
                continue;
            }
            for to in [Role::Rook, Role::Bishop, Role::Knight, Role::King] {
                if position.can_become(to)
                    && self::code(position, Move::promotion(pawn, target, to)) == code
                {
                    found |= Bitboard::of(pawn);
                }
            }
        }
    }
    found
}
