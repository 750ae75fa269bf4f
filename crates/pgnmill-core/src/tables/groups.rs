//! The groups of each dimension: their names and codes. Those of games are declared with their facts.
//!
//! Invariants: every dimension but the archive has some thousand groups at most, whatever an archive contains;
//! `unknown` is the group of a game whose tag pairs give no other.

use crate::facts::GroupNames;

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
    let names = dimension.groups().map(|groups| groups.names);
    match names {
        Some(GroupNames::Listed(names)) if (code as usize) < names.len() => {
            names[code as usize].to_string()
        }
        Some(GroupNames::Written { name, .. }) if code != UNKNOWN_CODE => name(code),
        _ => UNKNOWN.to_string(),
    }
}

/// The names of all groups of a dimension that has no list of them.
pub(super) fn all_of(dimension: Dimension) -> Vec<String> {
    match (dimension, dimension.groups().map(|groups| groups.names)) {
        (Dimension::Ply, _) => (0..=PLIES_MAX).map(name_of_ply).collect(),
        (Dimension::Move, _) => (0..=PLIES_MAX / MOVE_BAND_PLIES).map(name_of_band).collect(),
        (_, Some(GroupNames::Written { codes, .. })) => {
            let codes = codes().into_iter().chain([UNKNOWN_CODE]);
            codes.map(|code| name_of(dimension, code)).collect()
        }
        _ => Vec::new(),
    }
}

/// How many groups a dimension has at most, `unknown` included; `None` for the archive.
pub(super) fn groups_count(dimension: Dimension) -> Option<usize> {
    let names = dimension.groups().map(|groups| groups.names);
    Some(match (dimension, names) {
        (Dimension::Phase, _) => PHASES.len(),
        (Dimension::Side, _) => SIDES.len(),
        (Dimension::Role, _) => ROLES.len(),
        (Dimension::Kind, _) => KINDS.len(),
        (Dimension::Check, _) => CHECKS.len(),
        (_, Some(GroupNames::Listed(names))) => names.len() + 1,
        (_, Some(GroupNames::Any)) => return None,
        (Dimension::Ply, _) => PLIES_MAX + 1,
        (Dimension::Move, _) => PLIES_MAX / MOVE_BAND_PLIES + 1,
        (_, Some(GroupNames::Written { codes, .. })) => codes().len() + 1,
        (_, None) => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_many_as_their_names() {
        for dimension in Dimension::ALL {
            let names = all_of(dimension).len();
            if names > 0 {
                assert_eq!(groups_count(dimension), Some(names), "{}", dimension.name());
            }
        }
    }

    #[test]
    fn the_last_group_is_open() {
        assert_eq!([0, 599, 600].map(name_of_ply), ["1", "600", "601+"]);
        assert_eq!([0, 29, 30].map(name_of_band), ["1-10", "291-300", "301+"]);
    }
}
