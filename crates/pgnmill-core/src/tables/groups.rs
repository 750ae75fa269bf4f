//! The groups of each dimension: their names and codes.
//!
//! Invariants: every dimension but the archive has some thousand groups at most, whatever an archive contains;
//! `unknown` is the group of a game whose tag pairs give no other. Sources: the speeds are those of Lichess.

use crate::chess::rules::RulesKind;
use crate::openings::Openings;

use super::dimension::Dimension;

/// The group of games whose tag pairs give no other.
pub const UNKNOWN: &str = "unknown";
/// The code of this group.
pub const UNKNOWN_CODE: u32 = u32::MAX;
/// Archives that have rows of their own: the first ones by the bytes of their names.
pub const SOURCES_MAX: usize = 10_000;
/// The group of all other archives.
pub const OTHERS: &str = "(other archives)";

/// Plies that have a group of their own; later ones are one group. The last of them ends a band of moves.
pub const PLIES_MAX: usize = 600;
/// Moves in a band.
pub const MOVE_BAND: usize = 10;
/// Plies in a band.
pub const MOVE_BAND_PLIES: usize = 2 * MOVE_BAND;
const _: () = assert!(PLIES_MAX.is_multiple_of(MOVE_BAND_PLIES));

/// The sides, White first.
pub const SIDES: [&str; 2] = ["white", "black"];
/// The piece types, pawn to king.
pub const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// The kinds of moves.
pub const KINDS: [&str; 5] = ["quiet", "capture", "en-passant", "promotion", "castling"];
/// What a move gives.
pub const CHECKS: [&str; 3] = ["none", "check", "mate"];
/// The phases of a game.
pub const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];
/// Speeds from fast to slow.
pub const SPEEDS: [&str; 6] =
    ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// Results.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// How many players have a title.
pub const TITLES: [&str; 4] = ["both", "one", "none", "bot"];
/// Rulesets.
pub const RULES: [&str; RulesKind::COUNT] = RulesKind::NAMES;

/// Ratings outside this range are unknown.
pub const RATINGS: std::ops::RangeInclusive<u32> = 100..=4999;
/// Years outside this range are unknown.
pub const YEARS: std::ops::RangeInclusive<u32> = 1400..=2100;
/// Points in a band of ratings.
pub const RATING_BAND: u32 = 200;
/// Points in a band of differences.
pub const DIFFERENCE_BAND: u32 = 100;
/// Differences from here on are one group.
pub const DIFFERENCE_MAX: u32 = 1000;
/// Letters of opening codes, and codes of a letter.
const ECO_LETTERS: u32 = 5;
const ECO_CODES: u32 = 100;

/// The name of the group of a ply, from 0.
pub fn name_of_ply(ply: usize) -> String {
    let number = ply + 1;
    if ply < PLIES_MAX { number.to_string() } else { format!("{}+", PLIES_MAX + 1) }
}

/// The name of a band of moves, from 0.
pub fn name_of_band(band: usize) -> String {
    let first = band * MOVE_BAND + 1;
    match band < PLIES_MAX / MOVE_BAND_PLIES {
        true => format!("{first}-{}", first + MOVE_BAND - 1),
        false => format!("{}+", PLIES_MAX / 2 + 1),
    }
}

/// The name of a group of games, by its code.
pub fn name_of(dimension: Dimension, code: u32) -> String {
    if code == UNKNOWN_CODE {
        return UNKNOWN.to_string();
    }
    let listed = |names: &[&str]| names.get(code as usize).map_or(UNKNOWN, |name| name).to_string();
    let letter = |code: u32| (b'A' + code as u8) as char;
    match dimension {
        Dimension::Rating => format!("{code}-{}", code + RATING_BAND - 1),
        Dimension::RatingDifference if code == DIFFERENCE_MAX => format!("{code}+"),
        Dimension::RatingDifference => format!("{code}-{}", code + DIFFERENCE_BAND - 1),
        Dimension::Speed => listed(&SPEEDS),
        Dimension::Month => format!("{:04}-{:02}", code / 100, code % 100),
        Dimension::EcoLetter => letter(code).to_string(),
        Dimension::Eco | Dimension::EcoComputed => {
            format!("{}{:02}", letter(code / ECO_CODES), code % ECO_CODES)
        }
        Dimension::Result => listed(&RESULTS),
        Dimension::Title => listed(&TITLES),
        Dimension::Rules => listed(&RULES),
        Dimension::OpeningName => listed(Openings::standard().names()),
        _ => code.to_string(),
    }
}

/// The names of all groups of a dimension that has no list of them.
pub(super) fn all_of(dimension: Dimension) -> Vec<String> {
    let bands = |from: u32, to: u32, band: u32| (from / band * band..=to).step_by(band as usize);
    let (first, last) = (*YEARS.start(), *YEARS.end());
    let codes: Vec<u32> = match dimension {
        Dimension::Ply => return (0..=PLIES_MAX).map(name_of_ply).collect(),
        Dimension::Move => {
            return (0..=PLIES_MAX / MOVE_BAND_PLIES).map(name_of_band).collect();
        }
        Dimension::Rating => bands(*RATINGS.start(), *RATINGS.end(), RATING_BAND).collect(),
        Dimension::RatingDifference => bands(0, DIFFERENCE_MAX, DIFFERENCE_BAND).collect(),
        Dimension::Year => YEARS.collect(),
        Dimension::Month => {
            (first..=last).flat_map(|year| (1..=12).map(move |m| year * 100 + m)).collect()
        }
        Dimension::EcoLetter => (0..ECO_LETTERS).collect(),
        Dimension::Eco | Dimension::EcoComputed => (0..ECO_LETTERS * ECO_CODES).collect(),
        Dimension::OpeningName => (0..Openings::standard().names().len() as u32).collect(),
        _ => Vec::new(),
    };
    codes.into_iter().chain([UNKNOWN_CODE]).map(|code| name_of(dimension, code)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_group_is_open() {
        assert_eq!([0, 599, 600].map(name_of_ply), ["1", "600", "601+"]);
        assert_eq!([0, 29, 30].map(name_of_band), ["1-10", "291-300", "301+"]);
    }
}
