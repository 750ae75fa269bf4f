//! Columns that several tables have, and the ratios that tables derive.

use arrayvec::ArrayVec;

use super::order::Order;
use super::schema::{Column, Kind};

/// The notation of a row.
pub const NOTATION: Column = Column::key("notation", Order::Registry, "the name of the notation");
/// Games.
pub const GAMES: Column = Column::sum("games", "games", "number of games");
/// Plies.
pub const PLIES: Column = Column::sum("plies", "plies", "number of plies");
/// Plies of half of the games.
pub const FIRST_HALF: Column = Column::sum(
    "plies_of_first_half",
    "plies",
    "of these, plies of games in the first half; a hash of its moves puts each game into one",
);
/// Characters.
pub const CHARACTERS: Column = Column::sum("characters", "characters", "sum over all move texts");
/// Bytes.
pub const BYTES: Column = Column::sum("bytes", "bytes", "sum over all move texts");
/// The mean length of a text.
pub const CHARACTERS_PER_PLY: Column = Column::derived(
    "characters_per_ply",
    Kind::Decimal(3),
    "characters per ply",
    "`characters` / `plies`; empty if there are no plies",
);

/// The change against SAN.
pub const CHANGE_VS_SAN: Column = Column::derived(
    "change_percent_vs_san",
    Kind::Decimal(2),
    "per cent",
    "100 · (this − san) / san, in characters; negative where this notation is shorter, as on the terminal and on the \
     page; empty if there are no plies, or if this notation cannot write all of them",
);
/// The change against the notation that the article on 'Economical' notation calls classical.
pub const CHANGE_VS_LETTERS: Column = Column::derived(
    "change_percent_vs_economical_letters",
    Kind::Decimal(2),
    "per cent",
    "the same against `economical-letters`",
);

/// The archive of a row that is listed.
pub const ARCHIVE: Column = Column::text("archive", "the archive");
/// An offset in an archive's text.
pub const BYTE_OFFSET: Column =
    Column::count("byte_offset", "bytes", "offset in the archive's text");
/// The number of a game in its archive.
pub const GAME: Column = Column::count("game", "", "the number of the game in the archive, from 1");
/// The line of an archive.
pub const LINE: Column =
    Column::count("line", "", "the line in the archive, from 1; lines end with LF, CR LF or CR");
/// The column of a line.
pub const COLUMN: Column = Column::count("column", "bytes", "the position in the line, from 1");
/// The ply of a game.
pub const PLY: Column =
    Column::count("ply", "plies", "the number of the ply, from 1; 0 before the first move");
/// The name of a deviation.
pub const KIND: Column =
    Column::text("kind", "the name of the deviation; `pgnmill deviations` lists all of them");
/// What tag pairs contain.
pub const EVENT: Column = Column::text("event", "the tag `Event`; empty if there is none");
/// What tag pairs contain.
pub const SITE: Column = Column::text("site", "the tag `Site`; empty if there is none");
/// What tag pairs contain.
pub const WHITE: Column = Column::text("white", "the tag `White`; empty if there is none");
/// What tag pairs contain.
pub const BLACK: Column = Column::text("black", "the tag `Black`; empty if there is none");

/// A ratio with this many decimals; empty where the denominator is 0.
pub(crate) fn ratio(numerator: u64, denominator: u64, digits: usize) -> String {
    match denominator {
        0 => String::new(),
        _ => decimal(10_u128.pow(digits as u32) * u128::from(numerator), denominator, digits),
    }
}

/// `scaled / denominator` as a number with so many decimals, of whose last it is a multiple. Rounded to the nearest, a
/// half up. The same on all machines, and much less work than that of floating point: a table has some thousand.
fn decimal(scaled: u128, denominator: u64, digits: usize) -> String {
    // Nearly all fit into a word, whose division is much faster.
    let narrow = u64::try_from(scaled).ok().and_then(|scaled| scaled.checked_mul(2));
    let narrow = narrow.and_then(|twice| twice.checked_add(denominator));
    let mut rounded = match narrow.zip(denominator.checked_mul(2)) {
        Some((twice, denominator)) => u128::from(twice / denominator),
        None => (2 * scaled + u128::from(denominator)) / (2 * u128::from(denominator)),
    };
    // From the last digit on.
    let mut text = ArrayVec::<u8, DECIMAL_MAX>::new();
    while rounded > u128::from(u64::MAX) {
        push_digit(&mut text, digits, (rounded % 10) as u8);
        rounded /= 10;
    }
    let mut rounded = rounded as u64;
    while rounded > 0 || text.len() < digits + 2 {
        push_digit(&mut text, digits, (rounded % 10) as u8);
        rounded /= 10;
    }
    text.reverse();
    text.iter().map(|&byte| char::from(byte)).collect()
}

/// Digits of the greatest quotient, the point, and two more.
const DECIMAL_MAX: usize = 42;

fn push_digit(text: &mut ArrayVec<u8, DECIMAL_MAX>, digits: usize, digit: u8) {
    if text.len() == digits {
        text.push(b'.');
    }
    text.push(b'0' + digit);
}

/// A share in per cent with two decimals; empty where the whole is 0.
pub(super) fn percent(count: u64, of: u64) -> String {
    match of {
        0 => String::new(),
        _ => decimal(10_000 * u128::from(count), of, 2),
    }
}

/// The change against another notation in per cent with two decimals; negative where this one is shorter.
pub(crate) fn change_percent(characters: u64, base: u64) -> String {
    match base {
        0 => String::new(),
        _ => {
            let change = decimal(10_000 * u128::from(characters.abs_diff(base)), base, 2);
            let is_shorter =
                characters < base && change.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
            if is_shorter { format!("-{change}") } else { change }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against floating point, but for halves, which that has no exact form of.
    #[test]
    fn decimals_are_rounded_quotients() {
        for (numerator, denominator) in
            [(0, 1), (1, 3), (2, 3), (5, 1_000), (999_999, 1_000), (7, 9)]
        {
            let quotient = numerator as f64 / denominator as f64;
            assert_eq!(ratio(numerator, denominator, 3), format!("{quotient:.3}"));
            assert_eq!(percent(numerator, denominator), format!("{:.2}", 100.0 * quotient));
        }
        assert_eq!([ratio(1, 0, 3), percent(1, 0), change_percent(1, 0)], ["", "", ""]);
        assert_eq!(ratio(1, 2_000, 3), "0.001");
        assert_eq!(ratio(u64::MAX, 1, 3), "18446744073709551615.000");
        let changes = [(3, 4), (4, 3), (1, 1), (99_999, 100_000), (1, 200)];
        let changes = changes.map(|(one, other)| change_percent(one, other));
        assert_eq!(changes, ["-25.00", "33.33", "0.00", "0.00", "-99.50"]);
    }
}
