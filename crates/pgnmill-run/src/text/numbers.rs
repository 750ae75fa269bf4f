//! Numbers as people read them: in groups of digits, with a noun or a unit.
//!
//! In: a number. Out: a text. Cost: constant.
//!
//! ```text
//! 1234567 → 1,234,567     1 game, 2 games     1.2 MB     345 MB/s
//! ```

use pgnmill_io::archive::RecordKind;
pub use pgnmill_report::grouped;

/// A number of bytes, in a unit in which it is short.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A speed in MB/s, with three digits.
pub(crate) fn rate(bytes: f64, seconds: f64) -> String {
    let megabytes = bytes / 1e6 / seconds.max(1e-6);
    let digits = match megabytes {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{megabytes:.digits$} MB/s")
}

/// A number with the singular or the plural of a noun.
pub fn count(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// A number of what was read: games, or positions.
pub(crate) fn count_of(records: RecordKind, number: u64) -> String {
    match records {
        RecordKind::Games | RecordKind::GameLines => count(number, "game", "games"),
        RecordKind::Lines => count(number, "position", "positions"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_has_three_digits() {
        let rates = [0.0, 58_900.0, 5_180_300.0, 9_995_000.0, 14.77e6, 99.95e6, 147.7e6, 3e9];
        let texts = rates.map(|bytes| rate(bytes, 1.0).trim_end_matches(" MB/s").to_string());
        assert_eq!(texts, ["0.00", "0.06", "5.18", "10.0", "14.8", "100", "148", "3000"]);
        assert_eq!(rate(1e6, 0.0), "1000000 MB/s");
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}
