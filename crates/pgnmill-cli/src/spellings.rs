//! Words that people type from habit, in the place of those that the parser knows.
//!
//! In: the words of the command line. Out: the same, where `repair` is `convert --to san`, `--json` is `--format json`,
//! and a command that writes one output to standard output, which is redirected, has `-o -`; `report`, which writes a
//! file by default, if standard output is a file or a pipe. Invariant: words after
//! `--` are not changed. Cost: their number.

use std::ffi::OsString;
use std::path::Path;

/// Options before the command that have a value.
const WITH_VALUE: [&str; 2] = ["--log", "--color"];
/// A conversion to SAN, which repairs what has one reading.
const REPAIR: [&str; 3] = ["convert", "--to", "san"];

/// Commands that can write to standard output, by all their names.
const WITH_OUTPUT: [&str; 6] = ["convert", "select", "filter", "export", "sort", "positions"];
/// A command whose output has a name by default.
const WITH_NAME: &str = "report";
/// With these there is no output, or it is named.
const WITHOUT_STREAM: [&str; 3] = ["--output", "--help", "--resume"];
/// With these there is a directory of outputs.
const WITH_DIRECTORY: [&str; 3] = ["--split-by", "--games-per-file", "--partition-by"];

/// Where standard output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    /// To a terminal.
    Terminal,
    /// To a device, such as `/dev/null`.
    Device,
    /// To a file, a pipe or a socket.
    Kept,
}

/// The words that are meant.
pub(super) fn meant(words: &[OsString], stdout: Destination) -> Vec<OsString> {
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
    let is_written = |name: &OsString| match stdout {
        Destination::Terminal => false,
        Destination::Device => WITH_OUTPUT.iter().any(|known| name == known),
        Destination::Kept => name == WITH_NAME || WITH_OUTPUT.iter().any(|known| name == known),
    };
    if let Some(at) = command(&words[..end])
        && is_written(&words[at])
        && words[at + 1..end].iter().all(|word| !names_output(word))
        && at + 1 < words.len()
    {
        words.insert(at + 1, "--output=-".into());
    }
    words
}

/// Names of standard output.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The same words with `-` in place of the path of standard output, which is a stream also if a shell redirects it to a
/// file.
pub(super) fn with_streams(words: Vec<OsString>) -> Vec<OsString> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let streamed = |(at, word): (usize, OsString)| {
        let path = word.to_str().map(|text| text.split_once('=').unwrap_or(("", text)));
        match path {
            Some((option, path))
                if at > 0
                    && at < end
                    && STANDARD_OUTPUT.contains(&path)
                    && (option.is_empty() || option.starts_with("--")) =>
            {
                if option.is_empty() {
                    "-".into()
                } else {
                    format!("{option}=-").into()
                }
            }
            _ => word,
        }
    };
    words.into_iter().enumerate().map(streamed).collect()
}

/// The same words with `--format`, where `export` writes to standard output and a shell redirects that to a file
/// whose name has the ending of a format: as with `-o`. `target`: that file.
pub(super) fn with_format(mut words: Vec<OsString>, target: Option<&Path>) -> Vec<OsString> {
    const ENDINGS: [&str; 6] = ["csv", "jsonl", "parquet", "arrow", "epd", "fen"];
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let ending = target.and_then(|path| path.extension()?.to_str());
    let Some(ending) = ending.filter(|ending| ENDINGS.contains(ending)) else { return words };
    let Some(at) = command(&words[..end]).filter(|&at| words[at] == "export") else { return words };
    let rest = &words[at + 1..end];
    let is_stream = rest.iter().any(|word| word == "--output=-" || word == "-o-")
        || rest.windows(2).any(|pair| (pair[0] == "-o" || pair[0] == "--output") && pair[1] == "-");
    let has_format = rest
        .iter()
        .any(|word| word.as_encoded_bytes().starts_with(b"--format") || word == "--json");
    if is_stream && !has_format {
        words.insert(at + 1, format!("--format={ending}").into());
    }
    words
}

/// Whether a word is an option that names an output, or with which there is none on standard output.
fn names_output(word: &OsString) -> bool {
    let word = word.as_encoded_bytes();
    let is_short = |word: &[u8]| word.first().is_some_and(|&letter| letter != b'-');
    match word.strip_prefix(b"-") {
        Some(letters) if is_short(letters) => letters.iter().any(|letter| b"oh".contains(letter)),
        _ => {
            let mut options = WITHOUT_STREAM.iter().chain(&WITH_DIRECTORY);
            options.any(|option| word.starts_with(option.as_bytes()))
        }
    }
}

/// Is the output of these words a directory?
pub(super) fn has_directory(words: &[OsString]) -> bool {
    let names =
        |word: &OsString, option: &&str| word.as_encoded_bytes().starts_with(option.as_bytes());
    let own = words.iter().take_while(|word| *word != "--");
    own.into_iter().any(|word| WITH_DIRECTORY.iter().any(|option| names(word, option)))
}

/// The command among these words.
pub(super) fn command_of(words: &[OsString]) -> Option<&str> {
    words.get(command(words)?)?.to_str()
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
    fn a_redirected_output_is_standard_output() {
        for (line, expected) in [
            ("pgnmill convert --to uci a", "pgnmill convert --output=- --to uci a"),
            ("pgnmill repair a", "pgnmill convert --output=- --to san a"),
            ("pgnmill --log off export a -- -o", "pgnmill --log off export --output=- a -- -o"),
            ("pgnmill select -n 9 a", "pgnmill select --output=- -n 9 a"),
            ("pgnmill sort --by Date a", "pgnmill sort --output=- --by Date a"),
            ("pgnmill positions a", "pgnmill positions --output=- a"),
            ("pgnmill report a", "pgnmill report --output=- a"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let expected: Vec<OsString> = expected.split(' ').map(OsString::from).collect();
            assert_eq!(meant(&words, Destination::Kept), expected);
            if !line.contains("report") {
                assert_eq!(meant(&words, Destination::Device), expected);
            }
        }
        for line in [
            "pgnmill",
            "pgnmill export",
            "pgnmill validate a",
            "pgnmill duplicates a",
            "pgnmill select -o b a",
            "pgnmill select -qob a",
            "pgnmill select --output=b a",
            "pgnmill convert --help",
            "pgnmill export -h",
            "pgnmill select --split-by ECO a",
            "pgnmill select --games-per-file=9 a",
            "pgnmill export --partition-by year a",
            "pgnmill report -o b.html a",
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(meant(&words, Destination::Kept), words, "{line}");
        }
    }

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_paths_of_standard_output_are_streams() {
        for (line, expected) in [
            ("p validate --faults /dev/stdout a", "p validate --faults - a"),
            ("p validate --faults=/dev/fd/1 a", "p validate --faults=- a"),
            ("p convert -o /proc/self/fd/1 a", "p convert -o - a"),
            ("p select --where a=/dev/stdout a", "p select --where a=/dev/stdout a"),
            ("p validate -- /dev/stdout", "p validate -- /dev/stdout"),
            ("p validate --faults /dev/stderr a", "p validate --faults /dev/stderr a"),
        ] {
            assert_eq!(with_streams(words(line)), words(expected));
        }
    }

    #[test]
    fn the_file_of_a_redirected_table_names_its_format() {
        let csv = Some(Path::new("/x/t.csv"));
        for (line, target, expected) in [
            ("p export -o - a", csv, "p export --format=csv -o - a"),
            ("p export --output=- a", csv, "p export --format=csv --output=- a"),
            ("p export -o - a", Some(Path::new("t")), "p export -o - a"),
            ("p export -o - a", None, "p export -o - a"),
            ("p export --format jsonl -o - a", csv, "p export --format jsonl -o - a"),
            ("p export -o b.csv a", csv, "p export -o b.csv a"),
            ("p select -o - a", csv, "p select -o - a"),
        ] {
            assert_eq!(with_format(words(line), target), words(expected), "{line}");
        }
    }

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
            let meant: Vec<String> = meant(&words, Destination::Terminal)
                .into_iter()
                .map(|word| word.into_string().unwrap())
                .collect();
            assert_eq!(meant.join(" "), expected);
        }
    }
}
