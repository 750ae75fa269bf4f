//! A SAN text in one 64-bit word: the reader that nearly every move of nearly every archive goes through.
//!
//! What enters are eight bytes of text, the first byte lowest, of which the bytes up to the first blank are the move;
//! what leaves is a plain move (not castling, en passant or a promotion) and its check mark. Whatever is not plain or
//! not canonical is left to [`super::san`], which decides the same way at its ease; a law in `tests` holds the two
//! together. Cost: the word is shifted so that the move ends at its top, where the parts stand in fixed places; then
//! a load or two for the men that attack the target. Branches are few: a pawn or not, several men or not.

use crate::chess::{
    Bitboard, Color, Plain, Position, Role, Square, advancing_from, pawn_attacks, unblocked,
};

use super::{CheckSuffix, Disambiguation, ply, san};

/// What a word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedSan {
    /// The move.
    pub(crate) plain: Plain,
    /// The byte behind its square: a blank, or, if it is none, a check mark if [`PackedSan::check_suffix`] says so.
    last: u8,
    /// How many bytes come before it.
    body_bytes: usize,
}

/// A word whose lowest bit is the high bit of the first byte up to this one, which is ASCII; 0 if there is none.
#[inline(always)]
fn up_to<const LAST: u8>(word: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Such a byte borrows, so that only what is marked behind the first may be wrong.
    word.wrapping_sub(u64::from_ne_bytes([LAST + 1; 8])) & !word & HIGH
}

/// How many bytes come before the first blank, if there is one.
#[inline(always)]
pub(crate) fn length(word: u64) -> Option<usize> {
    let ends = up_to::<b' '>(word);
    if ends == 0 { None } else { Some(ends.trailing_zeros() as usize / 8) }
}

impl PackedSan {
    /// Is there something between its square and the blank that ends it?
    #[inline(always)]
    pub(crate) fn has_suffix(&self) -> bool {
        self.last > b' '
    }

    /// Its check mark, in the word from which it was read; `None` if what follows its square is no part of a move, or ends
    /// beyond the word.
    #[inline(always)]
    pub(crate) fn check_suffix(&self, word: u64) -> Option<CheckSuffix> {
        let check_suffix = match self.last {
            0..=b' ' => return Some(CheckSuffix::None),
            b'+' => CheckSuffix::Check,
            b'#' => CheckSuffix::Mate,
            _ => return None,
        };
        let behind = word.to_le_bytes().get(self.body_bytes + 1).copied()?;
        (behind <= b' ').then_some(check_suffix)
    }

    /// How many bytes of the word it takes with its mark.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.body_bytes + usize::from(self.has_suffix())
    }
}

/// What a first byte says: the index of a role, or 6, which is none. Pawns are told by their small letters before.
const ROLES: [u8; 256] = {
    let mut roles = [6; 256];
    let mut role = 1;
    while role < 6 {
        roles[b"PNBRQK"[role] as usize] = role as u8;
        role += 1;
    }
    roles
};

/// By the byte before a square: how many bits are taken by a letter, the `x` if it is one, and the square.
const LETTER_BITS: [u8; 256] = {
    let mut bits = [24; 256];
    bits[b'x' as usize] = 32;
    bits
};

/// Reads the bytes of a word up to its first blank as a plain canonical move: not castling, not en passant, not a promotion.
/// The first byte is not a blank. `WHITE` says whose turn it is. Whether the move leaves the king safe is left to who plays it,
/// and so is its check mark.
#[inline(always)]
pub(crate) fn read<const WHITE: bool>(word: u64, position: &Position) -> Option<PackedSan> {
    // The body of a move ends before the first byte below its ranks: a blank or a check mark. What has a zero or a hyphen
    // before is not plain.
    let ends = up_to::<b'0'>(word);
    if ends == 0 {
        return None;
    }
    let end_bit = ends.trailing_zeros();
    // Now the last byte is the highest, and what comes before the move is zero.
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
    // 1 if an `x` stands before the square.
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
        // The letter, no more, tells nobody apart.
        let is_bare = top << (letter_bits & 63) == 0;
        let from = if is_bare && pieces.count() == 1 {
            // On the way there is nobody; on the target, an enemy if one is taken.
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

/// The bit of the pawn of a file that takes on the target; 0 if none does.
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

/// Several men are aligned with the target, or the text says which, or it is no move; the bit of the man. `before` holds
/// the letter and what follows it before the square and its `x`, the last byte highest.
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
    // One who can, or one whom the hint tells from others who can: whether he may is asked when he moves.
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
        // Nobody else: nothing is to be said.
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

/// The same where two bytes or more stand behind the letter.
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

    /// How many bytes come before the first blank; 8 if there is none.
    fn bytes_before_blank(word: u64) -> usize {
        up_to::<b' '>(word).trailing_zeros() as usize / 8
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
