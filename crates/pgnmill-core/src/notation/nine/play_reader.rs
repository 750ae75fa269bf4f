//! The reader of the play notation of Chess 99.
//!
//! In: a text and a position. Out: the play, and the deviations of the text (`chess99.md`, section 6, "Also
//! read").
//! A text whose body is canonical is found by writing all plays. Another one is parsed into [`Parts`] and compared with
//! them: one that fits is the play, none is illegal, several are ambiguous. `*` is never assumed: without it a piece
//! declines. Cost: two passes over the plays of the position.

use crate::chess::rules::{Chess99, Play99, Position99, Role99, Rules, Square99};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::super::{CheckSuffix, Ply99, Reading};
use super::{TAKES, find, gives_check, write_play};

/// Reads any text of a play.
pub(super) fn read(text: &[u8], position: &Position99) -> Result<Reading<Play99>, Deviation> {
    let (body, own_check, check) = split_suffixes(text);
    let mut deviations = DeviationSet::EMPTY;
    let mv = match find(body, position, write_play) {
        Some(play) => play,
        None => Parts::parse(body)?.find(position, &mut deviations)?,
    };
    let mut after = *position;
    Chess99::play_into(position, mv, &mut after);
    let ply = Ply99::new(position, mv, &after);
    let suffixes = [(own_check, after.is_in_check(position.turn())), (check, gives_check(&ply))];
    for (written, is_so) in suffixes {
        match (written, is_so) {
            (true, false) => deviations.add(Deviation::CheckMarkExtra),
            (false, true) => deviations.add(Deviation::CheckMarkMissing),
            _ => {}
        }
    }
    // `!` comes before `+`, of which there is one.
    if text.ends_with(b"+!") || text.ends_with(b"++") {
        deviations.add(Deviation::CheckMarkStyle);
    }
    if mv.is_late_promotion() && mv.origin() == mv.target() {
        deviations.add(Deviation::LatePromotionInPlace);
    }
    Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations })
}

/// Splits `!` and `+` off, in any order: the body, is there a `!`, is there a `+`?
fn split_suffixes(text: &[u8]) -> (&[u8], bool, bool) {
    match text {
        [body @ .., b'!', b'+'] | [body @ .., b'+', b'!'] => (body, true, true),
        [body @ .., b'+', b'+'] => (body, false, true),
        [body @ .., b'!'] => (body, true, false),
        [body @ .., b'+'] => (body, false, true),
        _ => (text, false, false),
    }
}

/// The capture as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Nothing,
    /// `×`, perhaps with the letter of the piece.
    Capture(Option<Role99>),
    /// `*`, perhaps with a letter.
    EnPassant(Option<Role99>),
}

/// A parsed text without suffixes. Files and ranks are 0 to 8.
struct Parts {
    role: Role99,
    /// What is known of the origin.
    origin: (Option<u8>, Option<u8>),
    /// The arrival; `None` for a promotion in place.
    target: Option<(Option<u8>, Option<u8>)>,
    taken: Taken,
    promotion: Option<Role99>,
    is_late: bool,
    deviations: DeviationSet,
}

/// The role of a letter of plays.
fn role_of(letter: u8) -> Option<Role99> {
    match letter {
        b'P' => Some(Role99::Paladin),
        b'K' | b'Q' | b'R' | b'B' | b'N' => Role99::from_letter(letter),
        _ => None,
    }
}

/// What a pawn may become.
fn promotion_of(letter: u8) -> Result<Role99, Deviation> {
    let role = Role99::PROMOTIONS.into_iter().find(|role| role.letter() == letter);
    role.ok_or(Deviation::MoveUnreadable)
}

impl Parts {
    /// Parses a text without suffixes, castling excluded, whose every form is canonical.
    fn parse(body: &[u8]) -> Result<Parts, Deviation> {
        let mut deviations = DeviationSet::EMPTY;
        if let [file @ b'a'..=b'i', b'=', letter, rest @ ..] = body {
            let (squares, taken) = split_taken(rest, &mut deviations)?;
            let target = match *squares {
                [] => None,
                [to, rank] => Some((file_of(to), rank_of(rank))),
                _ => return Err(Deviation::MoveUnreadable),
            };
            let promotion = Some(promotion_of(*letter)?);
            let origin = (Some(file - b'a'), None);
            let role = Role99::Pawn;
            return Ok(Parts { role, origin, target, taken, promotion, is_late: true, deviations });
        }
        let (mut body, mut promotion) = match body {
            [body @ .., b'=', letter] => (body, Some(promotion_of(*letter)?)),
            _ => (body, None),
        };
        // `ab9=B×R`: the promotion before the capture.
        let mut joined = Vec::new();
        if promotion.is_none()
            && let Some(at) = body.iter().position(|&byte| byte == b'=')
        {
            let letter = *body.get(at + 1).ok_or(Deviation::MoveUnreadable)?;
            promotion = Some(promotion_of(letter)?);
            joined.extend_from_slice(&body[..at]);
            joined.extend_from_slice(&body[at + 2..]);
            body = &joined;
            deviations.add(Deviation::PromotionMark);
        }
        let (squares, taken) = split_taken(body, &mut deviations)?;
        let (role, squares) = match squares {
            [letter, rest @ ..] if letter.is_ascii_uppercase() => {
                (role_of(*letter).ok_or(Deviation::MoveUnreadable)?, rest)
            }
            _ => (Role99::Pawn, squares),
        };
        let (origin, target) = assign(role, squares)?;
        let target = Some(target);
        Ok(Parts { role, origin, target, taken, promotion, is_late: false, deviations })
    }

    /// The only play that fits.
    fn find(
        mut self,
        position: &Position99,
        deviations: &mut DeviationSet,
    ) -> Result<Play99, Deviation> {
        let mut found = None;
        let is_ambiguous = Chess99::visit_legal(position, &mut |play| {
            let fits = self.fits(position, play);
            let is_second = fits && found.is_some();
            if fits {
                found = found.or(Some(play));
            }
            is_second
        });
        if is_ambiguous {
            return Err(Deviation::MoveAmbiguous);
        }
        let play = found.ok_or(Deviation::MoveIllegal)?;
        self.judge(position, play);
        *deviations = deviations.union(self.deviations);
        Ok(play)
    }

    fn fits(&self, position: &Position99, play: Play99) -> bool {
        let fits = |square: Square99, (file, rank): (Option<u8>, Option<u8>)| {
            file.is_none_or(|file| square.file() == file)
                && rank.is_none_or(|rank| square.rank() == rank)
        };
        let captured = position.captured(play);
        let is_named = |letter: Option<Role99>| letter.is_none() || letter == captured;
        let taken_fits = match self.taken {
            Taken::EnPassant(letter) => play.is_en_passant() && is_named(letter),
            Taken::Capture(letter) => {
                captured.is_some() && !play.is_en_passant() && is_named(letter)
            }
            Taken::Nothing => !play.is_en_passant(),
        };
        let target_fits = match self.target {
            Some(target) => play.origin() != play.target() && fits(play.target(), target),
            None => play.origin() == play.target(),
        };
        !play.is_castling()
            && position.mover(play) == self.role
            && play.is_late_promotion() == self.is_late
            && play.promotion() == self.promotion
            && fits(play.origin(), self.origin)
            && target_fits
            && taken_fits
    }

    /// Adds the deviations that only the play shows.
    fn judge(&mut self, position: &Position99, play: Play99) {
        let captured = position.captured(play);
        let has_letter = captured.is_some_and(|role| role != Role99::Pawn);
        match self.taken {
            Taken::Nothing if captured.is_some() => {
                self.deviations.add(Deviation::CaptureMarkMissing);
            }
            Taken::Capture(None) | Taken::EnPassant(None) if has_letter => {
                self.deviations.add(Deviation::CaptureLetterMissing);
            }
            _ => {}
        }
        let is_pawn = self.role == Role99::Pawn;
        let is_short = match self.origin {
            (Some(_), Some(_)) => false,
            (Some(_), None) => !is_pawn,
            // A pawn that makes one step is named by its arrival.
            _ => !is_pawn || play.origin().file() != play.target().file() || steps(play) == 2,
        };
        if is_short && !self.is_late {
            self.deviations.add(Deviation::OriginShort);
        } else if self.deviations.is_empty() {
            // Nothing is missing, so that more is written than the notation has.
            self.deviations.add(Deviation::LongForm);
        }
    }
}

/// The ranks that a play passes.
fn steps(play: Play99) -> u8 {
    play.origin().rank().abs_diff(play.target().rank())
}

fn file_of(byte: u8) -> Option<u8> {
    (b'a'..=b'i').contains(&byte).then(|| byte - b'a')
}

fn rank_of(byte: u8) -> Option<u8> {
    (b'1'..=b'9').contains(&byte).then(|| byte - b'1')
}

/// A file and a rank, as far as they are known.
type Place = (Option<u8>, Option<u8>);

/// The origin and the arrival of the files and ranks of a text.
fn assign(role: Role99, squares: &[u8]) -> Result<(Place, Place), Deviation> {
    let fail = Deviation::MoveUnreadable;
    let at = |file: u8, rank: u8| match (file_of(file), rank_of(rank)) {
        (Some(file), Some(rank)) => Ok((Some(file), Some(rank))),
        _ => Err(fail),
    };
    match *squares {
        [file, rank] => Ok(((None, None), at(file, rank)?)),
        // The origin, and what changes of it: `Qg8b`, `Ri14`, `e24`.
        [file, rank, to] if file_of(file).is_some() && rank_of(rank).is_some() => {
            let origin = at(file, rank)?;
            match (file_of(to), rank_of(to)) {
                (Some(to), _) if role != Role99::Pawn => Ok((origin, (Some(to), origin.1))),
                (_, Some(to)) => Ok((origin, (origin.0, Some(to)))),
                _ => Err(fail),
            }
        }
        // A part of the origin: `Nbd2`, `cd5`, `N1d2`.
        [from, file, rank] => {
            let origin = (file_of(from), rank_of(from));
            if origin == (None, None) { Err(fail) } else { Ok((origin, at(file, rank)?)) }
        }
        [from_file, from_rank, file, rank] => Ok((at(from_file, from_rank)?, at(file, rank)?)),
        _ => Err(fail),
    }
}

/// Splits the capture off: `×N`, `x(N)`, `*B`, `(B*)`.
fn split_taken<'t>(
    body: &'t [u8],
    deviations: &mut DeviationSet,
) -> Result<(&'t [u8], Taken), Deviation> {
    let fail = Deviation::MoveUnreadable;
    if let [squares @ .., b'(', letter, b'*', b')'] = body {
        deviations.add(Deviation::CaptureBracketed);
        return Ok((squares, Taken::EnPassant(Some(role_of(*letter).ok_or(fail)?))));
    }
    if let [squares @ .., b'(', b'*', b')'] = body {
        deviations.add(Deviation::CaptureBracketed);
        return Ok((squares, Taken::EnPassant(None)));
    }
    let mut piece = |rest: &[u8]| match *rest {
        [] => Ok(None),
        [letter] => role_of(letter).map(Some).ok_or(fail),
        [b'(', letter, b')'] => {
            deviations.add(Deviation::CaptureBracketed);
            role_of(letter).map(Some).ok_or(fail)
        }
        _ => Err(fail),
    };
    if let Some(at) = body.iter().position(|&byte| byte == b'*') {
        return Ok((&body[..at], Taken::EnPassant(piece(&body[at + 1..])?)));
    }
    // In Latin-1 the cross is one byte.
    let crosses = [(TAKES, true), (b"x", false), (b"X", false), (b"\xd7", false)];
    for (cross, is_canonical) in crosses {
        if let Some(at) = memchr::memmem::find(body, cross) {
            let taken = Taken::Capture(piece(&body[at + cross.len()..])?);
            if !is_canonical {
                deviations.add(Deviation::CaptureMarkStyle);
            }
            return Ok((&body[..at], taken));
        }
    }
    Ok((body, Taken::Nothing))
}
