//! Words that people type from habit, in the place of those that the parser knows.
//!
//! In: the words of the command line. Out: the same, where `repair` is `convert --to san`, and `--json` is `--format
//! json`. Invariant: words after `--` are not changed. Cost: their number.

use std::ffi::OsString;

/// Options before the command that have a value.
const WITH_VALUE: [&str; 2] = ["--log", "--color"];
/// A conversion to SAN, which repairs what has one reading.
const REPAIR: [&str; 3] = ["convert", "--to", "san"];

/// The words that are meant.
pub(super) fn meant(words: &[OsString]) -> Vec<OsString> {
    let mut words = words.to_vec();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    if let Some(at) = command(&words[..end])
        && words[at] == "repair"
    {
        let is_named = words[..end].iter().any(|word| word.as_encoded_bytes().starts_with(b"--to"));
        let count = if is_named { 1 } else { REPAIR.len() };
        words.splice(at..=at, REPAIR[..count].iter().map(OsString::from));
    }
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words[..end].iter_mut().filter(|word| *word == "--json").for_each(|word| {
        *word = "--format=json".into();
    });
    words
}

/// Where the command is.
fn command(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match word.to_str() {
            Some(option) if WITH_VALUE.contains(&option) => at += 2,
            Some(option) if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_are_replaced_and_nothing_else() {
        for (line, expected) in [
            ("pgnmill repair -o b.pgn a.pgn", "pgnmill convert --to san -o b.pgn a.pgn"),
            ("pgnmill --log debug repair a", "pgnmill --log debug convert --to san a"),
            ("pgnmill repair --to uci a", "pgnmill convert --to uci a"),
            ("pgnmill validate --json a", "pgnmill validate --format=json a"),
            ("pgnmill validate repair -- --json", "pgnmill validate repair -- --json"),
            ("pgnmill", "pgnmill"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let meant: Vec<String> =
                meant(&words).into_iter().map(|word| word.into_string().unwrap()).collect();
            assert_eq!(meant.join(" "), expected);
        }
    }
}
