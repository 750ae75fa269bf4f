//! Texts on the board of a table that are not canonical, but have one legal reading.
//!
//! In: a text without its check suffix, of which no legal move is the canonical one. Out: the move and the deviations,
//! or why there is none. In the algebraic notations `x`, hyphens and `=` may be missing or superfluous,
//! and the origin may be named by more or less than is needed; in Geographical notation numbers may be missing where
//! one piece can make the move, and a sole piece may have one; `e.p.` is read. Cost: each legal move is written in up
//! to nine ways.

use crate::chess::rules::{TableMove, TablePosition};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::super::{MoveText, algebraic};
use super::words;
use super::write::{self, Numbers, PARTS, PAWN, Part, Write};

/// How other spellings of a notation are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// As SAN.
    San,
    /// By both cells.
    Coordinates,
    /// As Geographical notation.
    Geographical,
}

/// Several moves, or one.
#[derive(Default)]
struct Found {
    mv: Option<(TableMove, DeviationSet)>,
    are_several: bool,
    lacks_promotion: bool,
}

impl Found {
    fn add(&mut self, mv: TableMove, deviations: DeviationSet) {
        match self.mv {
            None => self.mv = Some((mv, deviations)),
            Some((other, _)) => self.are_several |= other != mv,
        }
    }

    fn answer(self, is_readable: bool) -> Result<(TableMove, DeviationSet), Deviation> {
        match self.mv {
            _ if self.are_several => Err(Deviation::MoveAmbiguous),
            Some(found) => Ok(found),
            None if self.lacks_promotion => Err(Deviation::PromotionPieceMissing),
            None if is_readable => Err(Deviation::MoveIllegal),
            None => Err(Deviation::MoveUnreadable),
        }
    }
}

/// Reads a text.
///
/// # Errors
/// The fault, if the text has no reading or several.
pub(super) fn read(
    family: Family,
    canonical: Write,
    body: &[u8],
    position: &TablePosition,
) -> Result<(TableMove, DeviationSet), Deviation> {
    let mut deviations = DeviationSet::EMPTY;
    let body = algebraic::split_en_passant(body, &mut deviations);
    let (found, is_readable) = match family {
        Family::Geographical => (by_numbers(body, position), is_geographical(body, position)),
        _ => by_cells(family, canonical, body, position),
    };
    let (mv, odd) = found.answer(is_readable)?;
    Ok((mv, deviations.union(odd)))
}

/// Is it a character that algebraic texts may lack?
fn is_optional(byte: u8) -> bool {
    b"-xX:=()/".contains(&byte)
}

/// The legal moves whose letter, part of the origin, target and promotion a text has; and whether it has a target.
fn by_cells(
    family: Family,
    canonical: Write,
    body: &[u8],
    position: &TablePosition,
) -> (Found, bool) {
    let table = position.table();
    let mut plain = MoveText::default();
    body.iter().filter(|byte| !is_optional(**byte)).for_each(|&byte| plain.push(byte));
    let has_capture = body.iter().any(|byte| b"xX:".contains(byte));
    let mut found = Found::default();
    for mv in position.legal_moves() {
        let mut text = MoveText::default();
        canonical(position, mv, &mut text);
        let is_canonical = text.as_bytes() == body;
        let row = position.row(mv.origin()).map_or(PAWN, |(_, row)| row);
        for part in PARTS.into_iter().filter(|part| row != PAWN || part.is_of_pawn()) {
            text.clear();
            if row != PAWN {
                text.push_bytes(table.pieces[row].name.as_bytes());
            }
            if part.level && table.level_letter(mv.origin()).is_none() {
                continue;
            }
            part.write(table, mv.origin(), &mut text);
            write::push_cell(table, mv.target(), &mut text);
            let promotion = write::promotion(position, mv);
            found.lacks_promotion |= promotion.is_some() && text.as_bytes() == plain.as_bytes();
            text.push_bytes(promotion.unwrap_or_default().as_bytes());
            let is_same = match promotion {
                None => text.as_bytes() == plain.as_bytes(),
                Some(_) => text.as_bytes().eq_ignore_ascii_case(plain.as_bytes()),
            };
            // UCI has no letters of pieces, so that a text of both cells alone is any piece's.
            let coordinates =
                &text.as_bytes()[if row == PAWN { 0 } else { table.pieces[row].name.len() }..];
            let is_pair = part == PARTS[7] && coordinates == plain.as_bytes();
            if is_same || is_pair || is_canonical {
                found.add(mv, odd(family, part, has_capture, body, (position, mv)));
            }
        }
    }
    let mut name = MoveText::default();
    let is_readable = table.cells().any(|cell| {
        name.clear();
        write::push_cell(table, cell, &mut name);
        let rest = plain.as_bytes();
        rest.ends_with(name.as_bytes())
            || rest.len() > 1 && rest[..rest.len() - 1].ends_with(name.as_bytes())
    });
    (found, is_readable)
}

/// The deviations of an algebraic text from the canonical one.
fn odd(
    family: Family,
    part: Part,
    has_capture: bool,
    body: &[u8],
    (position, mv): (&TablePosition, TableMove),
) -> DeviationSet {
    if family != Family::San {
        return DeviationSet::of(Deviation::NotationVariant);
    }
    let mut odd = DeviationSet::EMPTY;
    let needed = write::part_of(position, mv);
    if part != needed {
        odd.add(match part.contains(needed) {
            true => Deviation::DisambiguationExtra,
            false => Deviation::NotationVariant,
        });
    }
    match (has_capture, position.captured(mv).is_some()) {
        (true, false) => odd.add(Deviation::CaptureMarkExtra),
        (false, true) => odd.add(Deviation::CaptureMarkMissing),
        _ => {}
    }
    if mv.promotion_row().is_some() && body.iter().rev().nth(1) != Some(&b'=') {
        odd.add(Deviation::PromotionMark);
    }
    if odd.is_empty() {
        odd.add(Deviation::NotationVariant);
    }
    odd
}

/// The legal moves that a text means if pieces have numbers more or fewer.
fn by_numbers(body: &[u8], position: &TablePosition) -> Found {
    let mut found = Found::default();
    let numbers = [Numbers::Several, Numbers::Always, Numbers::Never];
    for mv in position.legal_moves() {
        for own in numbers {
            for other in numbers {
                let mut text = MoveText::default();
                write::geographical_with(position, mv, [own, other], &mut text);
                let text = text.as_bytes();
                if text == body {
                    found.add(mv, DeviationSet::of(Deviation::NotationVariant));
                }
                found.lacks_promotion |= mv.promotion_row().is_some()
                    && text.iter().rposition(|&byte| byte == b'=').map(|at| &text[..at])
                        == Some(body);
            }
        }
    }
    found
}

/// Has a text the form of Geographical notation on this board, whether or not it is a legal move?
fn is_geographical(body: &[u8], position: &TablePosition) -> bool {
    let table = position.table();
    let mut rows = table.pieces.iter();
    let piece = |text: &'_ [u8]| -> Option<usize> {
        let row = table.pieces.iter().find(|row| text.starts_with(row.name.as_bytes()))?;
        let (_, rest) = words::read_number(&text[row.name.len()..]);
        Some(text.len() - rest.len())
    };
    let is_tail = |rest: &[u8]| rest.is_empty() || rest[0] == b'=' && rest.len() <= 3;
    rows.any(|row| {
        let Some(rest) = body.strip_prefix(row.name.as_bytes()) else { return false };
        match words::read_number(rest).1 {
            [b'x', victim @ ..] => piece(victim).is_some_and(|end| is_tail(&victim[end..])),
            [b'-', way @ ..] => words::read(table, row, way).is_some_and(|(_, rest)| is_tail(rest)),
            _ => false,
        }
    })
}
