//! Moves that are not plain: castling, promotions, captures en passant, disambiguation.
//!
//! In: the board before the move and the text of the move. Out: whether the move is legal and its text canonical (PGN
//! standard 8.2.3); the board after it. What is not read here counts as not canonical: Chess960 castling from unusual
//! squares, texts of more than six bytes. Cost: one ply in twelve.

use pgnmill_simd::{RareKernel, Wide};

use super::board::{Board, bit};
use super::checks::Checked;
use super::moves::{Body, Moves};
use super::record::{NOTHING, Record};
use super::tables::{
    BISHOP, BLACK, FILE_A, FROM_LEFT, FROM_RIGHT, KING, KNIGHT, PAWN, QUEEN, ROOK, STEP,
    STEP_OR_TWO, Tables,
};

/// A move of side `US` that is not plain.
pub(super) struct Special<'b, W: Wide, const US: usize, const KEEP: u8> {
    pub(super) board: &'b mut Board<W>,
    pub(super) moves: &'b mut Moves,
    pub(super) record: &'b mut Record,
    pub(super) index: usize,
    pub(super) tables: &'b Tables,
}

impl<W: Wide, const US: usize, const KEEP: u8> RareKernel<W> for Special<'_, W, US, KEEP> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Special { board, moves, record, index, tables } = self;
        let (body, before) = (&moves.body(index), *board);
        let played = match body.first {
            b'O' => castle::<W, US>(board, body, tables),
            b'a'..=b'h' => pawn::<W, US>(board, body, tables),
            _ => piece::<W, US>(board, body, tables),
        };
        if played.is_none() || board.attackers(board.kings[US], 1 - US, tables) != 0 {
            return false;
        }
        let check = board.attackers(board.kings[1 - US], US, tables);
        let checked = Checked::<W, US> { board, check, mark: body.mark, tables };
        if (check != 0 || body.mark > b' ') && !checked.run() {
            return false;
        }
        if KEEP != NOTHING {
            record.keep::<W, KEEP>(index, &before, US);
            let is_castling = board.last == 0;
            let moved = if is_castling { bit(before.kings[US]) } else { board.last };
            record.keep_origin::<KEEP>(index, before.sides[US] & moved);
            // Of a promotion it was not decoded; castling has none.
            let target = (board.sides[US] & board.last).trailing_zeros();
            moves.target.set(index, target as u8 & 63);
        }
        true
    }
}

/// `O-O`, `O-O-O`, the king and the rook on the squares of the starting position.
#[inline(always)]
fn castle<W: Wide, const US: usize>(
    board: &mut Board<W>,
    body: &Body,
    tables: &Tables,
) -> Option<()> {
    let long = body.bytes == 5;
    let text: &[u8] = if long { b"O-O-O" } else { b"O-O" };
    let ends = body.ends[..text.len().min(body.bytes)].iter();
    if body.bytes != text.len() || !text.iter().rev().eq(ends) {
        return None;
    }
    let (king, rook) = (56 * US + 4, 56 * US + if long { 0 } else { 7 });
    let between = if long { 0b1110 } else { 0b110_0000 } << (56 * US);
    let path = if long { [king, king - 1, king - 2] } else { [king, king + 1, king + 2] };
    let attackers = board.attackers(path[0], 1 - US, tables)
        | board.attackers(path[1], 1 - US, tables)
        | board.attackers(path[2], 1 - US, tables);
    if board.kings[US] != king
        || board.rooks & bit(rook) == 0
        || board.touched & (bit(king) | bit(rook)) != 0
        || (board.sides[0] | board.sides[1]) & between != 0
        || attackers != 0
    {
        return None;
    }
    let color = BLACK * US as u8;
    board.play(US, bit(king), bit(path[2]), 0, W::fill(KING + color));
    board.play(US, bit(rook), bit(path[1]), 0, W::fill(ROOK + color));
    board.kings[US] = path[2];
    board.last = 0;
    Some(())
}

/// A promotion, a capture en passant, or a text of a pawn that is not canonical.
#[inline(always)]
fn pawn<W: Wide, const US: usize>(
    board: &mut Board<W>,
    body: &Body,
    tables: &Tables,
) -> Option<()> {
    let promotes = body.ends[1] == b'=';
    let role = match (promotes, body.ends[0]) {
        (false, _) => PAWN,
        (_, b'N') => KNIGHT,
        (_, b'B') => BISHOP,
        (_, b'R') => ROOK,
        (_, b'Q') => QUEEN,
        _ => return None,
    };
    // What precedes `=Q`, the last byte first.
    let (ends, bytes) = if promotes {
        (&body.ends[2..], body.bytes.checked_sub(2)?)
    } else {
        (&body.ends[..3], body.bytes)
    };
    let target = square_of(ends[1], ends[0])?;
    let takes = bytes == 4;
    if promotes != matches!(target >> 3, 0 | 7) || !takes && bytes != 2 {
        return None;
    }
    let kind = match ends[1].wrapping_sub(body.first) {
        1 if takes && ends[2] == b'x' => FROM_LEFT,
        0xff if takes && ends[2] == b'x' => FROM_RIGHT,
        0 if !takes && target >> 3 == 3 + US => STEP_OR_TWO,
        0 if !takes => STEP,
        _ => return None,
    };
    if board.sides[US] & bit(target) != 0 {
        return None;
    }
    let mut gone = 0;
    if takes != (board.sides[1 - US] & bit(target) != 0) {
        let (square, pawn) = board.passed(1 - US).filter(|_| takes)?;
        if square.index() != target {
            return None;
        }
        gone = pawn;
    }
    let from = board.origins(target, &tables.kinds[US][kind], tables);
    if from == 0 {
        return None;
    }
    board.play(US, from, bit(target), gone, W::fill(role + BLACK * US as u8));
    Some(())
}

/// A move of a piece whose text disambiguates, or has to.
#[inline(always)]
fn piece<W: Wide, const US: usize>(
    board: &mut Board<W>,
    body: &Body,
    tables: &Tables,
) -> Option<()> {
    let role = match body.first {
        b'N' => KNIGHT,
        b'B' => BISHOP,
        b'R' => ROOK,
        b'Q' => QUEEN,
        b'K' => KING,
        _ => return None,
    };
    let target = square_of(body.ends[1], body.ends[0])?;
    let takes = body.ends[2] == b'x' && body.bytes > 3;
    let occupied = |side: usize| board.sides[side] & bit(target) != 0;
    if takes != occupied(1 - US) || occupied(US) {
        return None;
    }
    let written = body.bytes.checked_sub(3 + usize::from(takes))?;
    let before = if takes { &body.ends[3..] } else { &body.ends[2..] };
    let hinted = match (written, before) {
        (0, _) => u64::MAX,
        (1, &[file @ b'a'..=b'h', ..]) => FILE_A << (file - b'a'),
        (1, &[rank @ b'1'..=b'8', ..]) => 0xff << (8 * (rank - b'1')),
        (2, &[rank, file, ..]) => bit(square_of(file, rank)?),
        _ => return None,
    };
    let all = board.origins(target, &tables.kinds[US][usize::from(role)], tables);
    let from = if role == KING {
        // There is no other.
        if written > 0 { 0 } else { all }
    } else {
        let mut legal = 0;
        let mut rest = all;
        while rest != 0 {
            let from = rest & rest.wrapping_neg();
            let is_legal = board.is_safe_after(US, from, bit(target), 0, tables);
            legal |= if is_legal { from } else { 0 };
            rest ^= from;
        }
        canonical_origin(legal, hinted, written, before[0])
    };
    if from.count_ones() != 1 {
        return None;
    }
    board.play(US, from, bit(target), 0, W::fill(role + BLACK * US as u8));
    if role == KING {
        board.kings[US] = target;
    }
    Some(())
}

/// The square of a file and a rank.
#[inline(always)]
fn square_of(file: u8, rank: u8) -> Option<usize> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| usize::from(rank * 8 + file))
}

/// The origin of the move, if the disambiguation is the shortest that the standard allows; 0 otherwise. `legal`: the
/// pieces that can come; `hinted`: the squares that `written` characters allow, the last being `hint`.
#[inline(always)]
fn canonical_origin(legal: u64, hinted: u64, written: usize, hint: u8) -> u64 {
    let from = legal & hinted;
    if from.count_ones() != 1 {
        return 0;
    }
    let (others, origin) = (legal ^ from, from.trailing_zeros());
    let on_file = others & FILE_A << (origin & 7) != 0;
    let on_rank = others & 0xff << (origin & 56) != 0;
    // Nothing; the file; the rank; both.
    let required = match (others != 0, on_file, on_rank) {
        (false, ..) => 0,
        (_, false, _) => 1,
        (_, _, false) => 2,
        _ => 3,
    };
    let found = match written {
        1 if hint.is_ascii_digit() => 2,
        2 => 3,
        written => written,
    };
    if found == required { from } else { 0 }
}
