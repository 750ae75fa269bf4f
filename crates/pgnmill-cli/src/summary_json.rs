//! The summary of a run as one JSON object.
//!
//! In: the rows of `summary.csv`, the totals of the run. Out: an object on one line. Invariants: it has every row,
//! counts as numbers; games = accepted + repaired + rejected (+ not_selected + selected), and text_bytes = game_bytes +
//! between_bytes; the same run gives the same text. Cost: the number of rows.
//!
//! ```text
//! {"schema_version":"3",…,"games":3,"accepted":2,"repaired":1,…,"deviations":[{"name":…,"class":…,"count":1}],…}
//! ```

use pgnmill_core::tables::summary::is_words;
use serde_json::Value;

use super::records::object;
use super::summary::{Fact, sorted};
use super::totals::Totals;

/// The object of a run.
pub(super) fn json(rows: Vec<Fact>, totals: &Totals, is_clean: bool) -> String {
    let (mut keys, mut values) = (Vec::<String>::new(), Vec::<Value>::new());
    let mut deviations = Vec::new();
    let mut unreadable = Vec::new();
    for (key, value) in sorted(rows) {
        let number = || value.parse::<u64>().map_or(Value::Null, Value::from);
        match key.split_once(':') {
            _ if is_words(&key) => {
                keys.push(key);
                values.push(value.into());
            }
            None => {
                values.push(number());
                keys.push(key);
            }
            Some(("null", name)) => {
                unreadable.push(object(&["name", "count"], &[name.into(), number()]))
            }
            Some(("failed", _)) => {}
            Some((class, name)) => {
                let values = [name.into(), class.into(), number()];
                deviations.push(object(&["name", "class", "count"], &values));
            }
        }
    }
    let failures = totals.failures.iter().map(|failure| {
        let values =
            [failure.input.as_str().into(), failure.games.into(), failure.error.as_str().into()];
        object(&["input", "games", "error"], &values)
    });
    let remarks = totals.remarks.iter().map(|(archive, remark)| {
        let values = [archive.as_str().into(), remark.to_string().into(), remark.is_fault().into()];
        object(&["archive", "remark", "is_fault"], &values)
    });
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let begin = object(&keys, &values);
    let begin = begin.trim_end_matches('}');
    format!(
        "{begin},\"is_clean\":{is_clean},\"deviations\":[{}],\"unreadable\":[{}],\"failures\":[{}],\"remarks\":[{}]}}\n",
        deviations.join(","),
        unreadable.join(","),
        failures.collect::<Vec<_>>().join(","),
        remarks.collect::<Vec<_>>().join(","),
    )
}
