//! A SAN text in one 64-bit word: the reader that nearly every move of nearly every archive goes through.
//!
//! What enters are eight bytes of text, the first byte lowest, of which the bytes up to the first blank are the move;
//! what leaves is a plain move (not castling, en passant or a promotion) and its check mark. Whatever is not plain or
//! not canonical is left to [`super::san`], which decides the same way at its ease; a law in `tests` holds the two
//! together. Cost: the word is shifted so that the move ends at its top, where the parts stand in fixed places; then
//! a load or two for the men that attack the target. Branches are few: a pawn or not, several men or not.

use crate::board::{Bitboard, Color, Move, Position, Role, Square, between, pawn_attacks};

use super::{Mark, ply, san};

/// A move that is neither castling nor en passant nor a promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// What moves.
    pub role: Role,
    /// From where.
    pub origin: Square,
    /// To where.
    pub target: Square,
}

impl Plain {
    /// The move.
    #[inline(always)]
    pub fn mv(self) -> Move {
        Move::normal(self.role, self.origin, self.target)
    }
}

/// What a word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The move.
    pub plain: Plain,
    /// Its last byte, which is its check mark if it is below the digits; see [`Found::mark`].
    pub last: u8,
    /// How many bytes of the word it takes.
    pub len: usize,
}

/// A word whose lowest bit is the high bit of the first byte up to 0x20; 0 if there is none.
#[inline(always)]
fn blanks(word: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Such a byte borrows, so that only what is marked behind the first may be wrong.
    word.wrapping_sub(0x2121_2121_2121_2121) & !word & HIGH
}

impl Found {
    /// Its check mark; `None` if its last byte is no part of a move.
    #[inline(always)]
    pub fn mark(&self) -> Option<Mark> {
        match self.last {
            b'1'..=b'8' => Some(Mark::None),
            b'+' => Some(Mark::Check),
            b'#' => Some(Mark::Mate),
            _ => None,
        }
    }

    /// Is its last byte no digit?
    #[inline(always)]
    pub fn is_marked(&self) -> bool {
        self.last < b'1'
    }
}

/// What a first byte says: the role, or a number that is none. Pawns are told by their small letters before.
const ROLES: [u8; 256] = {
    let mut roles = [8; 256];
    let mut role = 1;
    while role < 6 {
        roles[b"PNBRQK"[role] as usize] = role as u8;
        role += 1;
    }
    roles
};

/// Reads the bytes of a word up to its first blank, which is not the first byte, as a plain canonical move. `WHITE` says
/// whose turn it is. Whether the move leaves the king safe is left to who plays it.
#[inline(always)]
pub fn read<const WHITE: bool>(word: u64, position: &Position) -> Option<Found> {
    let ends = blanks(word);
    if ends == 0 {
        return None;
    }
    let end_bit = ends.trailing_zeros();
    // Now the last byte is the highest, and what comes before the move is zero.
    let mut top = word << ((71 - end_bit) & 63);
    let last = (top >> 56) as u8;
    let mark_len = usize::from(last < b'1');
    top <<= mark_len * 8;
    let square = ((top >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
    if square & 0xf8f8 != 0 {
        return None;
    }
    let target = Square::new((square >> 5 | square & 7) as u8);
    let len = end_bit as usize / 8;
    let body_len = len - mark_len;
    let (first, third_last) = (word as u8, (top >> 40) as u8);
    let (role, origin) = if first >= b'a' {
        let origin = match body_len {
            2 => pawn_advancing::<WHITE>(target, position),
            4 if third_last == b'x' => pawn_taking::<WHITE>(first, target, position),
            _ => return None,
        }?;
        (Role::Pawn, origin)
    } else {
        let role = Role::from_index(ROLES[first as usize])?;
        let takes = third_last == b'x';
        let (us, them) = sides::<WHITE>(position);
        let men = position.pieces_aligned(role, target, us);
        if body_len == 3 + usize::from(takes) && men.count() == 1 {
            let (origin, to) = (men.lowest(), Bitboard::of(target));
            // On the way there is nobody; on the target, an enemy if one is taken.
            let path = between(origin, target) | to;
            let taken = if takes { to } else { Bitboard::EMPTY };
            if (path & us | (path & them) ^ taken).has_any() {
                return None;
            }
            (role, origin)
        } else {
            if us.has(target) || them.has(target) != takes {
                return None;
            }
            (role, told_apart(word, body_len, takes, role, target, position)?)
        }
    };
    let plain = Plain { role, origin, target };
    Some(Found { plain, last, len })
}

#[inline(always)]
fn sides<const WHITE: bool>(position: &Position) -> (Bitboard, Bitboard) {
    let (white, black) = (position.color(Color::White), position.color(Color::Black));
    if WHITE { (white, black) } else { (black, white) }
}

/// The pawn that advances to the target, by one step or two.
#[inline(always)]
fn pawn_advancing<const WHITE: bool>(target: Square, position: &Position) -> Option<Square> {
    let (us, them) = sides::<WHITE>(position);
    let (occupied, pawns) = (us.0 | them.0, position.role(Role::Pawn).0 & us.0);
    let bit = Bitboard::of(target).0 & !(occupied | Bitboard::BACK_RANKS.0);
    let origins = if WHITE {
        pawns & (bit >> 8 | (bit & Bitboard::rank(3).0 & !(occupied << 8)) >> 16)
    } else {
        pawns & (bit << 8 | (bit & Bitboard::rank(4).0 & !(occupied >> 8)) << 16)
    };
    // Where the first step is taken by a pawn the second is not free: there is one at most.
    if origins == 0 { None } else { Some(Bitboard(origins).lowest()) }
}

/// The pawn of a file that takes on the target.
#[inline(always)]
fn pawn_taking<const WHITE: bool>(
    file_letter: u8,
    target: Square,
    position: &Position,
) -> Option<Square> {
    let (us, them) = sides::<WHITE>(position);
    let taken = Bitboard::of(target) & them & !Bitboard::BACK_RANKS;
    if taken.is_empty() || file_letter > b'h' {
        return None;
    }
    let other = if WHITE { Color::Black } else { Color::White };
    let origins = pawn_attacks(other, target)
        & position.role(Role::Pawn)
        & us
        & Bitboard::file(file_letter - b'a');
    if origins.is_empty() { None } else { Some(origins.lowest()) }
}

/// Several men are aligned with the target, or the text says which.
#[inline(never)]
fn told_apart(
    word: u64,
    body_len: usize,
    takes: bool,
    role: Role,
    target: Square,
    position: &Position,
) -> Option<Square> {
    let hint_len = body_len.checked_sub(3 + usize::from(takes))?;
    let bytes = word.to_le_bytes();
    let hint = bytes.get(1..1 + hint_len)?;
    let occupied = position.occupied();
    let mut men = Bitboard::EMPTY;
    for man in position.pieces_aligned(role, target, position.us()) {
        if (between(man, target) & occupied).is_empty() {
            men |= Bitboard::of(man);
        }
    }
    // One who can, or one whom the hint tells from others who can: whether he may is asked when he moves.
    let hinted = match *hint {
        [] => men,
        [file @ b'a'..=b'h'] => men & Bitboard::file(file - b'a'),
        [rank @ b'1'..=b'8'] => men & Bitboard::rank(rank - b'1'),
        _ => Bitboard::EMPTY,
    };
    if let Some(origin) = hinted.single() {
        let others = ply::legal_among(position, role, men ^ hinted, target);
        let needed = ply::disambiguate(origin, others);
        return (needed == san::hinted_by(hint)).then_some(origin);
    }
    san::read_one_of(role, men, hint, target, position).map(Move::origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes come before the first blank; 8 if there is none.
    fn bytes_before_blank(word: u64) -> usize {
        blanks(word).trailing_zeros() as usize / 8
    }

    #[test]
    fn the_word_ends_at_the_first_blank() {
        for len in 0..8 {
            for blank in 0..=b' ' {
                let mut bytes = [0xffu8, b'!', b'~', 0x80, 0xa0, b'!', 0x7f, b'!'];
                bytes[len] = blank;
                assert_eq!(bytes_before_blank(u64::from_le_bytes(bytes)), len);
            }
        }
    }

    /// On every text of a position, and on every one-byte change of it, the word says what SAN's reader says
    /// or leaves it to it; and it takes every plain canonical text.
    #[test]
    fn the_word_says_what_the_slice_says() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
            "n3k3/1P6/8/3pP3/8/8/7K/8 w - d6 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ];
        let mut compared = 0;
        for fen in fens {
            let (position, _) = Position::from_fen(fen.as_bytes()).expect("a good FEN");
            for mv in position.legal_moves() {
                let text = crate::notation::write(&san::San, &position, mv);
                let text = text.as_bytes();
                let mut bytes = [b' '; 8];
                bytes[..text.len()].copy_from_slice(text);
                let plain = mv.castling_side().is_none()
                    && mv.promoted().is_none()
                    && mv == Move::normal(mv.role(), mv.origin(), mv.target());
                let read_word = |bytes: [u8; 8]| {
                    let word = u64::from_le_bytes(bytes);
                    let found = match position.turn() {
                        Color::White => read::<true>(word, &position),
                        Color::Black => read::<false>(word, &position),
                    };
                    found.filter(|found| position.is_safe(found.plain.mv()))
                };
                assert_eq!(read_word(bytes).map(|found| found.plain.mv()), plain.then_some(mv));
                for at in 0..text.len() {
                    for byte in 0..=255 {
                        let mut changed = bytes;
                        changed[at] = byte;
                        let len = bytes_before_blank(u64::from_le_bytes(changed));
                        let slice = san::read_canonical(&changed[..len], &position);
                        if changed[0] <= b' ' {
                            continue;
                        }
                        if let Some(found) = read_word(changed)
                            && let Some(mark) = found.mark()
                        {
                            let Found { plain, len: read, .. } = found;
                            assert_eq!(slice, Some((plain.mv(), mark)), "{changed:?} in {fen}");
                            assert_eq!(read, len);
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 1_000);
    }
}
