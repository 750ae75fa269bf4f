//! A SAN text in one 64-bit word: the reader that nearly every move of nearly every archive goes through.
//!
//! What enters are eight bytes of text, the first byte lowest, and how many of them are the move; what leaves is a
//! plain move (not castling, en passant or a promotion) and its check mark. Whatever is not plain or not canonical
//! is left to [`super::san`], which decides the same way at its ease; a law in `tests` holds the two together.
//! Cost: one look at each part of the word, one or two loads for the attackers, no branch on a byte twice.

use crate::board::{Bitboard, Move, Position, Role, Square, pawn_attacks};

use super::{Mark, san};

/// The longest text that a word can hold with the byte that ends it.
pub const WORD_BYTES_MAX: usize = 7;

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

/// How many bytes of the word come before the first blank (a byte up to 0x20); 8 if there is none.
///
/// ```
/// use pgnmill::notation::word::bytes_before_blank;
/// assert_eq!(bytes_before_blank(u64::from_le_bytes(*b"Nf3 Nc6 ")), 3);
/// assert_eq!(bytes_before_blank(u64::from_le_bytes(*b"Qa1xb2=?")), 8);
/// ```
#[inline(always)]
pub fn bytes_before_blank(word: u64) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte above 0x20 carries into, or has, its high bit.
    let dark = ((word & !HIGH) + 0x5f5f_5f5f_5f5f_5f5f) | word;
    (!dark & HIGH).trailing_zeros() as usize / 8
}

/// What a first byte says: the role, or 8 for no man's letter. A small letter a to h is a pawn's.
const ROLES: [u8; 256] = {
    let mut roles = [8; 256];
    let mut role = 1;
    while role < 6 {
        roles[b"PNBRQK"[role] as usize] = role as u8;
        role += 1;
    }
    let mut file = b'a';
    while file <= b'h' {
        roles[file as usize] = 0;
        file += 1;
    }
    roles
};

/// Reads the first `len` bytes of a word (2 to 7) as a plain canonical move, its check mark apart.
#[inline(always)]
pub fn read(word: u64, len: usize, position: &Position) -> Option<(Plain, Mark)> {
    if !(2..=WORD_BYTES_MAX).contains(&len) {
        return None;
    }
    let byte = |index: usize| (word >> (8 * index)) as u8;
    let (mark, len) = match byte(len - 1) {
        b'+' => (Mark::Check, len - 1),
        b'#' => (Mark::Mate, len - 1),
        _ => (Mark::None, len),
    };
    if len < 2 {
        return None;
    }
    let target = Square::from_ascii(byte(len - 2), byte(len - 1))?;
    let role = Role::from_index(ROLES[byte(0) as usize])?;
    let origin = if role == Role::Pawn {
        pawn_origin(word, len, target, position)?
    } else {
        if len < 3 {
            return None;
        }
        let takes = len > 3 && byte(len - 3) == b'x';
        if position.them().has(target) != takes || position.us().has(target) {
            return None;
        }
        let men = position.men_attacking(role, target);
        let hint_len = len - 3 - usize::from(takes);
        if hint_len > 0 || men.several() {
            return told_apart(word, hint_len, role, men, target, position).map(|p| (p, mark));
        }
        men.single()?
    };
    let plain = Plain { role, origin, target };
    position.is_safe(plain.mv()).then_some((plain, mark))
}

#[inline(always)]
fn pawn_origin(word: u64, len: usize, target: Square, position: &Position) -> Option<Square> {
    if Bitboard::BACK_RANKS.has(target) {
        return None;
    }
    if len == 2 {
        return position.pawn_advancing_to(target);
    }
    let file = (word as u8).wrapping_sub(b'a');
    if len != 4 || (word >> 8) as u8 != b'x' || !position.them().has(target) {
        return None;
    }
    let origins = pawn_attacks(position.turn().other(), target)
        & position.ours(Role::Pawn)
        & Bitboard::file(file);
    origins.single()
}

/// Several men attack the target, or the text says which: as rare as it is slow.
#[inline(never)]
fn told_apart(
    word: u64,
    hint_len: usize,
    role: Role,
    men: Bitboard,
    target: Square,
    position: &Position,
) -> Option<Plain> {
    let bytes = word.to_le_bytes();
    let mv = san::read_one_of(role, men, &bytes[1..1 + hint_len], target, position)?;
    Some(Plain { role, origin: mv.origin(), target })
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    read(word, bytes_before_blank(word), &position)
                };
                assert_eq!(read_word(bytes).map(|(p, _)| p.mv()), plain.then_some(mv));
                for at in 0..text.len() {
                    for byte in 0..=255 {
                        let mut changed = bytes;
                        changed[at] = byte;
                        let len = bytes_before_blank(u64::from_le_bytes(changed));
                        let slice = san::read_canonical(&changed[..len], &position);
                        if let Some((plain, mark)) = read_word(changed) {
                            assert_eq!(slice, Some((plain.mv(), mark)), "{changed:?} in {fen}");
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 1_000);
    }
}
