//! Phase A: movetext becomes arrays of decoded moves, 64 bytes at a time, without a board.
//!
//! In: text at a move number, and the number that is expected. Out: [`Moves`], and the offset of the token at which
//! the decoding stopped: a result, or anything that is not read here. Invariants: what was decoded are whole move
//! numbers with the expected value and words that begin with a letter, nothing else; whether a word is a move of the
//! game is decided in phase B, which compares every byte of it.
//!
//! A *window* of 64 bytes begins at a move number and ends before the last token that begins in it and does not begin
//! with a letter: there the next window begins. In it, one bit per byte:
//!
//! ```text
//!               12. Nf3 Nbxd7+ 13. O-O Qe8 14. Rf
//! dots          ..1..............1...........1...      full stops, the first of each number
//! numbers       1..............1...........1.....      tokens that begin with no letter
//! moves         ....1...1..........1...1.....1..       letters after a space or a full stop
//! ends          .......1.....1........1...1......      after the body of each move
//! ```
//!
//! The bits are compressed to lists of places, and every property of all moves is one permutation of the window:
//! the first bytes by the places of `moves`, the last bytes by those of `ends` minus 1, 2, …
//!
//! Cost: some 140 instructions per window of about eight plies.

use pgnmill_simd::Wide;

use super::moves::{MARKED, Moves, PLIES_MAX, SPECIAL, TAKES, WINDOW_PLIES};
use super::numbers::{NUMBERS_ONCE, NUMBERS_TWICE};
use super::tables::{FROM_LEFT, FROM_RIGHT, NO_KIND, PAWN, STEP_OR_TWO};

/// The numbers from 0 to 63.
pub(super) const IOTA: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut index = 0;
    while index < 64 {
        bytes[index] = index as u8;
        index += 1;
    }
    bytes
};

/// The kind of a move by the lowest six bits of its first letter: those of letters are all different.
pub(super) const KINDS: [u8; 64] = {
    let mut kinds = [NO_KIND; 64];
    let mut role = 0;
    while role < 5 {
        kinds[b"NBRQK"[role] as usize & 63] = role as u8 + 1;
        kinds[b"abcdefgh"[role] as usize & 63] = PAWN;
        kinds[b"abcdefgh"[role + 3] as usize & 63] = PAWN;
        role += 1;
    }
    kinds
};

/// `j / 4` for the byte `j`: four times each place of a full stop.
const FOURFOLD: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut index = 0;
    while index < 64 {
        bytes[index] = index as u8 / 4;
        index += 1;
    }
    bytes
};

/// How far each of four bytes is before the last of them, modulo 64.
const BEFORE: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut index = 0;
    while index < 64 {
        bytes[index] = (index as u8 % 4).wrapping_sub(3);
        index += 1;
    }
    bytes
};

/// Every second bit, from the lowest on, and every third.
pub(super) const SECOND_BITS: u64 = 0x5555_5555_5555_5555;
const THIRD_BITS: u64 = 0x9249_2492_4924_9249;

/// One bit per byte of a window; see the module page.
#[derive(Clone, Copy)]
struct Window {
    /// Bytes of the window.
    bytes: usize,
    numbers: u64,
    dots: u64,
    moves: u64,
    ends: u64,
}

/// The lowest bits of a word.
#[inline(always)]
const fn lowest(word: u64, count: u32) -> u64 {
    if count < 64 { word & !(u64::MAX << count) } else { word }
}

#[inline(always)]
fn equal<W: Wide>(bytes: W::Bytes, byte: u8) -> u64 {
    W::equal(bytes, W::fill(byte))
}

/// Decodes text from `at` on, where White's move number `number` is expected. `NUMBERED`: Black's moves have numbers
/// too (`12... Nf6`), as after comments, and annotations such as `!?` may follow moves; then Black may move first
/// (`black_first`). Returns where the next token begins that was not read.
#[inline(always)]
pub(super) fn decode<W: Wide, const NUMBERED: bool>(
    text: &[u8],
    at: usize,
    number: usize,
    black_first: bool,
    moves: &mut Moves,
) -> usize {
    let (mut base, mut ply) = (at, 0);
    let mut next = if NUMBERED { 2 * number + usize::from(black_first) } else { number };
    moves.windows_count = 0;
    while ply <= PLIES_MAX - WINDOW_PLIES {
        let Some(rest) = text.get(base..) else { break };
        let bytes = match rest.first_chunk::<64>() {
            Some(chunk) => W::load(chunk),
            None => W::load_first(rest),
        };
        // A move of Black has an odd number where both have one.
        let black = if NUMBERED { next % 2 != 0 } else { false };
        let Some(window) = find_tokens::<W, NUMBERED>(bytes, black) else { break };
        let expected = if NUMBERED { NUMBERS_TWICE.from(next) } else { NUMBERS_ONCE.from(next) };
        let Some(expected) = expected else { break };
        let stops = W::compress(W::load(&IOTA), window.dots);
        let starts = W::compress(W::load(&IOTA), window.numbers);
        // The four bytes that each full stop is the last of.
        let fours = W::add(W::permute(stops, W::load(&FOURFOLD)), W::load(&BEFORE));
        let differ = W::groups_differ(
            W::permute(bytes, fours),
            W::load(expected.text),
            W::load(expected.mask),
        );
        let same_length = W::equal(W::add(starts, W::load(expected.digits)), stops);
        let count = window.dots.count_ones();
        if count > 16 || lowest(differ | !same_length, count) != 0 {
            break;
        }
        let plies = window.moves.count_ones() as usize;
        moves.begin_window(base, ply);
        store::<W>(bytes, window, if black { !SECOND_BITS } else { SECOND_BITS }, ply, moves);
        ply += plies;
        next += count as usize;
        base += window.bytes;
        if !NUMBERED && !plies.is_multiple_of(2) {
            break;
        }
    }
    moves.count = ply;
    base
}

/// The tokens of a window; `None` if it has none, or others than numbers and words in their order. `black`: its first
/// move is Black's.
#[inline(always)]
fn find_tokens<W: Wide, const NUMBERED: bool>(bytes: W::Bytes, black: bool) -> Option<Window> {
    let token = W::at_least(bytes, W::fill(b' ' + 1));
    let (space, letter) = (!token, W::at_least(bytes, W::fill(b'A')));
    let (dot, check) = (equal::<W>(bytes, b'.'), equal::<W>(bytes, b'+') | equal::<W>(bytes, b'#'));
    let numbers = token & (space << 1 | 1) & !letter;
    // Where the next window begins.
    let end = 63 ^ numbers.leading_zeros();
    if numbers & 1 == 0 || end == 0 {
        return None;
    }
    let inside = lowest(u64::MAX, end);
    let (numbers, moves) = (numbers & inside, letter & (space | dot) << 1 & inside);
    let dots = if NUMBERED { dot & !(dot << 1) } else { dot } & inside;
    let both = moves | dots;
    let (order, count) = (W::extract_bits(dots, both), both.count_ones());
    let (ends, wrong) = if NUMBERED {
        let glyph = equal::<W>(bytes, b'!') | equal::<W>(bytes, b'?');
        let marks = check | glyph;
        let body = token & !(marks | dot);
        let ends = body << 1 & (marks | space) & inside;
        // At most one check suffix, then at most two glyphs, and none of them after a full stop.
        let marks_wrong = check & marks << 1 | glyph & glyph << 1 & glyph << 2 | marks & dot << 1;
        // Three full stops before a move of Black.
        let blacks = if black { SECOND_BITS } else { !SECOND_BITS };
        let three = W::deposit_bits(blacks, dots);
        let dots_wrong = (dot & inside) ^ (dots | three << 1 | three << 2);
        let order_wrong = order ^ lowest(SECOND_BITS, count) | u64::from(count % 2);
        (ends, (marks_wrong & inside) | dots_wrong | order_wrong)
    } else {
        let spaces = space & token << 1 & !(dot << 1) & inside;
        let ends = spaces & !(check << 1) | check & spaces >> 1;
        let order_wrong = order ^ lowest(THIRD_BITS, count) | u64::from(count % 3 == 1);
        (ends, order_wrong)
    };
    let counts_wrong =
        (dots.count_ones() ^ numbers.count_ones()) | (ends.count_ones() ^ moves.count_ones());
    let high = W::high_bits(bytes) & inside;
    let window = Window { bytes: end as usize, numbers, dots, moves, ends };
    (wrong | high | u64::from(counts_wrong) == 0).then_some(window)
}

/// Writes the properties of the moves of a window. `whites`: which of them are White's.
#[inline(always)]
fn store<W: Wide>(bytes: W::Bytes, window: Window, whites: u64, ply: usize, moves: &mut Moves) {
    let plies = window.moves.count_ones() as usize;
    let starts = W::compress(W::load(&IOTA), window.moves);
    let ends = W::compress(W::load(&IOTA), window.ends);
    let length = W::sub(ends, starts);
    let first = W::permute(bytes, starts);
    let mark = W::permute(bytes, ends);
    let mut last = [first; 5];
    let mut end = ends;
    for byte in &mut last {
        end = W::sub(end, W::fill(1));
        *byte = W::permute(bytes, end);
    }
    let kind = W::permute(W::load(&KINDS), first);
    let pawn = equal::<W>(kind, PAWN);
    let takes = equal::<W>(last[2], b'x');
    let (rank, file) = (W::sub(last[0], W::fill(b'1')), W::sub(last[1], W::fill(b'a')));
    let twice = W::add(rank, rank);
    let four_times = W::add(twice, twice);
    let eight_times = W::and(W::add(four_times, four_times), W::fill(0x38));
    let target = W::or(eight_times, W::and(file, W::fill(7)));
    let no_square = W::at_least(W::or(rank, file), W::fill(8));
    // The file of the origin of a pawn's capture is written first.
    let side = W::sub(last[1], first);
    let captures = takes & pawn;
    let (left, right) = (equal::<W>(side, 1) & captures, equal::<W>(side, 0xff) & captures);
    let last_rank = equal::<W>(rank, 0) | equal::<W>(rank, 7);
    let fourth = equal::<W>(rank, 3) & whites | equal::<W>(rank, 4) & !whites;
    let kind = W::replace(kind, pawn & fourth & !takes, W::fill(STEP_OR_TWO as u8));
    let kind = W::replace(kind, left, W::fill(FROM_LEFT as u8));
    let kind = W::replace(kind, right, W::fill(FROM_RIGHT as u8));
    // The usual length: a square, the letter of a piece, and of a capture the file of a pawn and the `x`.
    let usual = W::replace(W::fill(3), pawn, W::fill(2));
    let usual = W::replace(usual, takes, W::add(usual, W::fill(1)));
    let usual = W::replace(usual, captures, W::fill(4));
    let special =
        !W::equal(length, usual) | no_square | pawn & (last_rank | takes & !(left | right));
    let marked = W::at_least(mark, W::fill(b' ' + 1));
    let kind = W::replace(kind, takes, W::or(kind, W::fill(TAKES)));
    let kind = W::replace(kind, marked, W::or(kind, W::fill(MARKED)));
    let kind = W::replace(kind, special, W::or(kind, W::fill(SPECIAL)));
    W::store_first(target, plies, moves.target.window(ply));
    W::store_first(kind, plies, moves.kind.window(ply));
    W::store_first(first, plies, moves.first.window(ply));
    for (column, bytes) in moves.ends.iter_mut().zip(last) {
        W::store_first(bytes, plies, column.window(ply));
    }
    W::store_first(mark, plies, moves.mark.window(ply));
    W::store_first(length, plies, moves.bytes.window(ply));
    W::store_first(starts, plies, moves.place.window(ply));
}
