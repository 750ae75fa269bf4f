//! What was measured, archive by archive, so that a reader can judge what the figures are of.

use pgnmill_core::tables;

use super::super::number::ratio;
use super::super::page::{Cell, Grid, Section};
use super::super::study::{Fact, Study};

/// The section; none if the table is absent, as in measurements of earlier versions.
pub(super) fn section(study: &Study) -> Option<Section> {
    let archives = study.archives.as_ref().filter(|archives| !archives.is_empty())?;
    let mut section = Section::new(
        "The archives",
        "People who play online draw few games and mate in many; over the board it is the reverse; engines draw many games and mate in many of the others.",
    );
    let row = |fact: &Fact| {
        let [bytes, games, rejected, count, draws, mates, rated, first, last] = fact.counts[..]
        else {
            return Vec::new();
        };
        let share = |of: u64| Cell::Ratio(100.0 * ratio(of, count), 1);
        vec![
            Cell::Text(fact.names.concat()),
            Cell::Count(bytes),
            Cell::Count(games),
            Cell::Count(rejected),
            Cell::Count(count),
            share(draws),
            share(mates),
            share(rated),
            Cell::Text(date(first)),
            Cell::Text(date(last)),
        ]
    };
    section.grid(Grid {
        caption: "What was measured".to_string(),
        is_open: true,
        source: tables::archives::SCHEMA.file.to_string(),
        head: [
            "archive",
            "bytes of text",
            "games",
            "rejected",
            "measured",
            "drawn, %",
            "mates, %",
            "both rated, %",
            "from",
            "to",
        ]
        .map(String::from)
        .to_vec(),
        rows: archives.iter().map(row).collect(),
    });
    Some(section)
}

/// A date of the table, as far as it is known.
fn date(number: u64) -> String {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    match (year, month, day) {
        (0, ..) => String::new(),
        (_, 0, _) => format!("{year:04}"),
        (_, _, 0) => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_far_as_they_are_known() {
        let dates = [0, 18_210_000, 20_211_200, 20_211_231].map(date);
        assert_eq!(dates, ["", "1821", "2021-12", "2021-12-31"]);
    }
}
