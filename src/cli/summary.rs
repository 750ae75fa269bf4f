//! What a run says at its end: a few lines for the person, a table for the program.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use crate::error::Result;
use crate::fault::{Deviation, Profile};
use crate::sink::Table;

use super::drain::Totals;

/// The layout of the tables: grows when a column changes its meaning.
const SCHEMA_VERSION: u32 = 2;

/// A number with a comma at every third digit.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in a unit that gives a short number.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// One or several.
fn count(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// Says on standard error what was done.
pub(super) fn tell(totals: &Totals, profile: &Profile, elapsed: Duration) {
    let counts = &totals.counts;
    let seconds = elapsed.as_secs_f64().max(1e-6);
    let plies = counts.plies + counts.variation_plies;
    let mut text = format!(
        "{} read ({} of text): {} accepted + {} repaired + {} rejected, in {}\n",
        count(counts.games(), "game", "games"),
        size(totals.text_bytes),
        grouped(counts.accepted),
        grouped(counts.repaired),
        grouped(counts.rejected),
        count(totals.archives, "archive", "archives"),
    );
    let _ = writeln!(
        text,
        "{} proved ({} in variations) in {:.1} s: {} plies/s, {}/s",
        count(plies, "ply", "plies"),
        grouped(counts.variation_plies),
        seconds,
        grouped((plies as f64 / seconds) as u64),
        size((totals.text_bytes as f64 / seconds) as u64),
    );
    let _ = writeln!(
        text,
        "{} = {} of games + {} between games",
        count(totals.text_bytes, "byte", "bytes"),
        grouped(totals.text_bytes - counts.between_bytes),
        grouped(counts.between_bytes),
    );
    if totals.damaged_bytes > 0 {
        let _ = writeln!(
            text,
            "{} = {} read + {} damaged",
            count(totals.stored_bytes, "stored byte", "stored bytes"),
            grouped(totals.stored_bytes.saturating_sub(totals.damaged_bytes)),
            grouped(totals.damaged_bytes),
        );
    }
    let met: Vec<Deviation> = Deviation::ALL
        .iter()
        .copied()
        .filter(|&deviation| counts.deviations[deviation as usize] > 0)
        .collect();
    for deviation in met {
        let number = grouped(counts.deviations[deviation as usize]);
        let class = profile.class(deviation).name();
        let _ = writeln!(text, "{number:>14} {:<28} {class}", deviation.name());
    }
    // Where standard error cannot be written there is nobody to tell.
    drop(std::io::stderr().write_all(text.as_bytes()));
}

/// The header of `summary.csv`.
pub(super) const HEADER: [&str; 2] = ["key", "value"];

/// Fills `summary.csv`.
pub(super) fn fill(
    table: &mut Table,
    command: &str,
    totals: &Totals,
    profile: &Profile,
) -> Result<()> {
    let counts = &totals.counts;
    let numbers = [
        ("archives", totals.archives),
        ("stored_bytes", totals.stored_bytes),
        ("damaged_bytes", totals.damaged_bytes),
        ("text_bytes", totals.text_bytes),
        ("game_bytes", totals.text_bytes - counts.between_bytes),
        ("between_bytes", counts.between_bytes),
        ("games", counts.games()),
        ("accepted", counts.accepted),
        ("repaired", counts.repaired),
        ("rejected", counts.rejected),
        ("rejected_bytes", totals.rejected_bytes),
        ("plies", counts.plies),
        ("variation_plies", counts.variation_plies),
    ];
    table.row(&["schema_version", &SCHEMA_VERSION.to_string()])?;
    table.row(&["program_version", env!("CARGO_PKG_VERSION")])?;
    table.row(&["command", command])?;
    for (key, value) in numbers {
        table.row(&[key, &value.to_string()])?;
    }
    for &deviation in Deviation::ALL {
        let number = counts.deviations[deviation as usize];
        if number > 0 {
            let class = profile.class(deviation).name();
            let key = format!("{class}:{}", deviation.name());
            table.row(&[key.as_str(), &number.to_string()])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}
