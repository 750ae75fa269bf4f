//! A SAN text in one 64-bit word: the reader of nearly every move of nearly every archive.
//!
//! Input: eight bytes of text, the first byte lowest; the bytes before the first whitespace are the move. Output: a
//! plain move (not castling, en passant or a promotion) and its check suffix. Anything else falls back to
//! [`super::san`], the slow path; a test checks that both agree. Cost: the word is shifted so that the move ends at its
//! top, with its parts at fixed offsets; then one or two loads for the pieces that attack the target. Branches are few:
//! a pawn or not, several pieces or not.

use crate::chess::{
    Bitboard, Color, Plain, Position, Role, Square, advancing_from, pawn_attacks, unblocked,
};

use super::{CheckSuffix, Disambiguation, ply, san};

/// A plain move read from a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedSan {
    /// The move.
    pub(crate) plain: Plain,
    /// The byte after its square: whitespace, or else a check suffix, if [`PackedSan::check_suffix`] returns one.
    last: u8,
    /// The number of bytes before it.
    body_bytes: usize,
}

/// A word whose lowest set bit is the high bit of the first byte that is at most `LAST`, which is ASCII; 0 if there is
/// none.
#[inline(always)]
fn up_to<const LAST: u8>(word: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Such a byte borrows, so that only bits after the first may be wrong.
    word.wrapping_sub(u64::from_ne_bytes([LAST + 1; 8])) & !word & HIGH
}

/// The number of bytes before the first whitespace, if there is one.
#[inline(always)]
pub(crate) fn length(word: u64) -> Option<usize> {
    let ends = up_to::<b' '>(word);
    if ends == 0 { None } else { Some(ends.trailing_zeros() as usize / 8) }
}

impl PackedSan {
    /// Is there a byte between its square and the whitespace after it?
    #[inline(always)]
    pub(crate) fn has_suffix(&self) -> bool {
        self.last > b' '
    }

    /// Its check suffix, in the word from which it was read; `None` if the bytes after its square are no part of a
    /// move, or end after the word.
    #[inline(always)]
    pub(crate) fn check_suffix(&self, word: u64) -> Option<CheckSuffix> {
        let check_suffix = match self.last {
            0..=b' ' => return Some(CheckSuffix::None),
            b'+' => CheckSuffix::Check,
            b'#' => CheckSuffix::Mate,
            _ => return None,
        };
        let next = word.to_le_bytes().get(self.body_bytes + 1).copied()?;
        (next <= b' ').then_some(check_suffix)
    }

    /// The number of bytes of the word that the move takes with its suffix.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.body_bytes + usize::from(self.has_suffix())
    }
}

/// By first byte: the index of a role, or 6, which is none. Pawns are recognised by lower case before.
const ROLES: [u8; 256] = {
    let mut roles = [6; 256];
    let mut role = 1;
    while role < 6 {
        roles[b"PNBRQK"[role] as usize] = role as u8;
        role += 1;
    }
    roles
};

/// By the byte before a square: the number of bits of a letter, the `x` if it is one, and the square.
const LETTER_BITS: [u8; 256] = {
    let mut bits = [24; 256];
    bits[b'x' as usize] = 32;
    bits
};

/// Reads the bytes of a word up to its first whitespace as a plain canonical move: not castling, not en passant, not a
/// promotion. The first byte is not whitespace. `WHITE`: White is to move. The caller tests whether the move leaves the
/// king safe, and the check suffix.
#[inline(always)]
pub(crate) fn read<const WHITE: bool>(word: u64, position: &Position) -> Option<PackedSan> {
    // The body of a move ends before the first byte below the rank digits: whitespace or a check suffix. Texts with a
    // zero or a hyphen before that are not plain.
    let ends = up_to::<b'0'>(word);
    if ends == 0 {
        return None;
    }
    let end_bit = ends.trailing_zeros();
    // Now the last byte is the highest, and all bytes before the move are zero.
    let top = word << ((71 - end_bit) & 63);
    let last = (word >> (end_bit & 56)) as u8;
    let square = ((top >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
    if square & 0xf8f8 != 0 {
        return None;
    }
    let target = usize::from(square >> 5 | square & 7) & 63;
    let first = word as u8;
    let (us, them) = sides::<WHITE>(position);
    let letter_bits = LETTER_BITS[usize::from((top >> 40) as u8)];
    // 1 if an `x` is before the square.
    let takes = u64::from(letter_bits >> 5);
    let plain = if first >= b'a' {
        let from = if top << 16 == 0 {
            pawn_advancing::<WHITE>(target, position)
        } else if takes != 0 && top << 32 == 0 {
            pawn_taking::<WHITE>(first, target, position)
        } else {
            0
        };
        if from == 0 {
            return None;
        }
        Plain::new(Role::Pawn.index(), from, target)
    } else {
        let role = usize::from(ROLES[first as usize]);
        let pieces = position.pieces_aligned(role, target, us);
        // A bare piece letter: no disambiguation.
        let is_bare = top << (letter_bits & 63) == 0;
        let from = if is_bare && pieces.count() == 1 {
            // The squares between must be empty; the target contains an enemy exactly if the text captures.
            let path = Position::path(pieces.0, target).0 | 1 << target;
            if (path & us.0 | (path & them.0) ^ takes << target) != 0 {
                return None;
            }
            pieces.0
        } else {
            disambiguated(top << (16 + 8 * takes), takes != 0, role, target, pieces, position)?
        };
        Plain::new(role, from, target)
    };
    Some(PackedSan { plain, last, body_bytes: end_bit as usize / 8 })
}

#[inline(always)]
fn sides<const WHITE: bool>(position: &Position) -> (Bitboard, Bitboard) {
    let (white, black) = (position.color(Color::White), position.color(Color::Black));
    if WHITE { (white, black) } else { (black, white) }
}

/// The bit of the pawn that advances to the target, by one step or two; 0 if none does.
#[inline(always)]
fn pawn_advancing<const WHITE: bool>(target: usize, position: &Position) -> u64 {
    let (us, them) = sides::<WHITE>(position);
    let (occupied, pawns) = (us | them, position.role(Role::Pawn) & us);
    let bit = 1 << target & !(occupied.0 | Bitboard::BACK_RANKS.0);
    let color = if WHITE { Color::White } else { Color::Black };
    (advancing_from(color, bit, occupied) & pawns).0
}

/// The bit of the pawn of a file that captures on the target; 0 if none does.
#[inline(always)]
fn pawn_taking<const WHITE: bool>(file_letter: u8, target: usize, position: &Position) -> u64 {
    let (us, them) = sides::<WHITE>(position);
    let target = Square::new(target as u8);
    let taken = Bitboard::of(target) & them & !Bitboard::BACK_RANKS;
    if taken.is_empty() || file_letter > b'h' {
        return 0;
    }
    let other = if WHITE { Color::Black } else { Color::White };
    let origins = pawn_attacks(other, target)
        & position.role(Role::Pawn)
        & us
        & Bitboard::file(file_letter - b'a');
    origins.0
}

/// For several pieces aligned with the target, for a text with disambiguation, and for texts that are no move: the bit
/// of the piece. `before` contains the letter and the bytes between it and the square or its `x`, the last byte
/// highest.
#[inline(never)]
fn disambiguated(
    before: u64,
    takes: bool,
    role: usize,
    target: usize,
    aligned: Bitboard,
    position: &Position,
) -> Option<u64> {
    let role = Role::from_index(role as u8)?;
    let target = Square::new(target as u8);
    if position.us().has(target) || position.them().has(target) != takes {
        return None;
    }
    let pieces = unblocked(target, aligned, position.occupied());
    // One piece that can, or one that the hint selects: whether it may move is tested when it does.
    let hint = (before >> 56) as u8;
    let (hinted, written) = if before << 8 == 0 {
        (pieces, Disambiguation::None)
    } else if before << 16 != 0 {
        return disambiguated_by_square(before, role, target, pieces, position);
    } else {
        match hint {
            b'a'..=b'h' => (pieces & Bitboard::file(hint - b'a'), Disambiguation::File),
            b'1'..=b'8' => (pieces & Bitboard::rank(hint - b'1'), Disambiguation::Rank),
            _ => return None,
        }
    };
    if let Some(origin) = hinted.single() {
        let others = pieces ^ hinted;
        // No other piece: no disambiguation.
        let needed = if others.is_empty() {
            Disambiguation::None
        } else {
            ply::disambiguate(origin, ply::legal_among(position, role, others, target))
        };
        return (needed == written).then_some(hinted.0);
    }
    let hint = if written == Disambiguation::None { &[][..] } else { &[hint][..] };
    let mv = san::read_one_of(role, pieces, hint, target, position)?;
    Some(Bitboard::of(mv.origin()).0)
}

/// Reads a disambiguated move with two bytes or more after the letter.
#[cold]
fn disambiguated_by_square(
    before: u64,
    role: Role,
    target: Square,
    pieces: Bitboard,
    position: &Position,
) -> Option<u64> {
    if before << 24 != 0 {
        return None;
    }
    let hint = [(before >> 48) as u8, (before >> 56) as u8];
    let mv = san::read_one_of(role, pieces, &hint, target, position)?;
    Some(Bitboard::of(mv.origin()).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;

    /// The number of bytes before the first whitespace; 8 if there is none.
    fn bytes_before_whitespace(word: u64) -> usize {
        up_to::<b' '>(word).trailing_zeros() as usize / 8
    }

    #[test]
    fn the_word_ends_at_the_first_whitespace() {
        for len in 0..8 {
            for space in 0..=b' ' {
                let mut bytes = [0xffu8, b'!', b'~', 0x80, 0xa0, b'!', 0x7f, b'!'];
                bytes[len] = space;
                assert_eq!(bytes_before_whitespace(u64::from_le_bytes(bytes)), len);
            }
        }
    }

    /// On every text of a position, and on every one-byte change of it, the packed reader agrees with SAN's reader or
    /// returns `None`; and it reads every plain canonical text.
    #[test]
    fn the_packed_reader_agrees_with_the_slow_one() {
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
                        let len = bytes_before_whitespace(u64::from_le_bytes(changed));
                        let slice = san::read_canonical(&changed[..len], &position);
                        if changed[0] <= b' ' {
                            continue;
                        }
                        if let Some(found) = read_word(changed)
                            && let Some(check_suffix) =
                                found.check_suffix(u64::from_le_bytes(changed))
                        {
                            assert_eq!(
                                slice,
                                Some((found.plain.mv(), check_suffix)),
                                "{changed:?}, {fen}"
                            );
                            assert_eq!(found.len(), len);
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 1_000);
    }
}
