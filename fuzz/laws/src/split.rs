//! Splitting: the starts of games are those that a slow reading of the rule finds, and every container cut anywhere
//! gives the same games, and so do all splits together.

use pgnmill_io::archive::Archive;
use pgnmill_io::archive::blanks::blanks_end;
use pgnmill_io::archive::games::{Games, Starts};
use pgnmill_io::archive::odd_pairs::{Context, is_bracketed, odd_opening};

use crate::Choices;
use crate::archives::{
    Dribble, Ledger, frame, frames, holds_frame, ledger, ledger_of_splits, options,
};
use crate::scratch::Scratch;

/// Only so much of a line's beginning, and of its end, decides (see `archive/lines.rs`).
const SIGHT_BYTES: usize = 256;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Six bytes choose the sizes and two how it is stored; the rest is text.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let options = options(&mut choices);
    let (frame_bytes, at_once) = (1 + choices.byte(), choices.byte());
    let text = choices.rest();
    let found: Vec<usize> = Starts::new(text).collect();
    assert_eq!(found, slow_starts(text), "{}", text.escape_ascii());
    let joined: Vec<u8> = Games::new(text).flat_map(|(_, game)| game.to_vec()).collect();
    assert!(joined == text, "the games are the text");

    let runs = Runs::of(text, &found, options.game_bytes_max);
    let expected = Ledger { text: text.to_vec(), games: runs.games, long: runs.long };
    let folder = Scratch::new();
    let containers =
        [("map", text.to_vec()), ("one frame", frame(text)), ("frames", frames(text, frame_bytes))];
    for (name, stored) in containers {
        let reader = Dribble::new(stored.clone(), at_once);
        let piped = Archive::from_reader("pipe", reader, &options);
        let mapped = Archive::open(&folder.put(name, &stored), &options);
        for (archive, how) in [(piped, "piped"), (mapped, "mapped")] {
            // Text that looks like another format is refused, whoever reads it.
            let Ok(archive) = archive else {
                assert_eq!(name, "map", "{how}");
                continue;
            };
            // Plain text may be zstd by chance: that is the business of other laws.
            if name == "map" && (is_zstd(text) || holds_frame(text)) {
                continue;
            }
            let (found, error) = ledger(archive);
            assert!(error.is_none(), "{name}, {how}: {error:?}");
            assert_eq!(found, expected, "{name}, {how}, {options:?}");
            if how == "mapped" {
                let target_bytes = 1 + frame_bytes as u64 * at_once as u64;
                let parts = ledger_of_splits(&stored, target_bytes, &options);
                let parts = parts.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(parts, expected, "{name}, splits of {target_bytes}, {options:?}");
            }
        }
    }
}

fn is_zstd(text: &[u8]) -> bool {
    text.starts_with(b"\x28\xB5\x2F\xFD") || matches!(text, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// What the games of a text are, where each run of games without tag pairs is one.
pub struct Runs {
    /// Where the runs begin, and the games of a run that is too long to be one.
    pub games: Vec<u64>,
    /// Where a game begins that is too long.
    pub long: Vec<u64>,
}

impl Runs {
    /// `starts`: where tag pairs start a game.
    pub fn of(text: &[u8], starts: &[usize], game_bytes_max: usize) -> Runs {
        let (mut games, mut long) = (Vec::new(), Vec::new());
        let mut runs = starts.to_vec();
        if !text.is_empty() && runs.first() != Some(&0) {
            runs.insert(0, 0);
        }
        let ends: Vec<usize> = runs.iter().skip(1).copied().chain([text.len()]).collect();
        for (&start, end) in runs.iter().zip(ends) {
            if end - start <= game_bytes_max {
                games.push(start as u64);
                continue;
            }
            let mut bounds = vec![start];
            bounds.extend(after_results(&text[start..end]).map(|at| start + at));
            bounds.push(end);
            for pair in bounds.windows(2) {
                games.push(pair[0] as u64);
                if pair[1] - pair[0] > game_bytes_max {
                    long.push(pair[0] as u64);
                }
            }
        }
        Runs { games, long }
    }
}

/// Where a first move follows a result and one to 16 blanks.
fn after_results(run: &[u8]) -> impl Iterator<Item = usize> {
    let is_start = |&at: &usize| {
        let end = run[..at].iter().rposition(|&byte| byte > b' ');
        let movetext = &run[..end.map_or(0, |last| last + 1)];
        let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
        let before = results.iter().find_map(|result| movetext.strip_suffix(*result));
        run[at..].starts_with(b"1.")
            && (1..=16).contains(&(at - movetext.len()))
            && before.is_some_and(|text| {
                text.last().is_none_or(|&byte| byte <= b' ' || b"})".contains(&byte))
            })
    };
    (1..run.len()).filter(is_start)
}

/// The rule of `archive/games.rs`, line by line.
fn slow_starts(text: &[u8]) -> Vec<usize> {
    let (mut starts, mut at) = (Vec::new(), 0);
    // What the last line that is not blank was. Did a blank line follow?
    let (mut previous, mut blank) = (Line::Plain, false);
    while at < text.len() {
        let rest = &text[at..];
        let len = rest.iter().position(|byte| b"\n\r".contains(byte)).unwrap_or(rest.len());
        let line = &rest[..len];
        let end_bytes = if rest[len..].starts_with(b"\r\n") { 2 } else { 1 };
        let unmarked = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if is_blank(unmarked) {
            blank = true;
        } else if !matches!(unmarked.first(), Some(b'%' | b';')) {
            let name = opened(unmarked).or_else(|| oddly_opened(unmarked));
            let starts_game = |name: &[u8]| match previous {
                Line::Plain => true,
                Line::Tag => name == b"Event" && blank,
                Line::Bracketed => name == b"Event" || blank,
            };
            if name.is_some_and(starts_game) {
                starts.push(at);
            }
            let is_alone = line.len() <= SIGHT_BYTES && line.trim_ascii() == b"]";
            let in_section = matches!(previous, Line::Tag) && !blank;
            previous = match name {
                Some(_) => Line::Tag,
                None if closes(line) => Line::Tag,
                None if in_section && (is_bracketed(line) || is_alone) => Line::Tag,
                None if is_bracketed(line) => Line::Bracketed,
                None => Line::Plain,
            };
            blank = false;
        }
        at += len + end_bytes;
    }
    starts
}

/// A line that is not blank.
enum Line {
    Plain,
    /// It opens or closes a tag pair, or is in brackets directly after such a line.
    Tag,
    /// It is in brackets, elsewhere.
    Bracketed,
}

fn is_blank(line: &[u8]) -> bool {
    line.len() < SIGHT_BYTES && blanks_end(line, 0) == line.len()
}

/// The name of the pair that a line opens which is none of the standard's: `archive/odd_pairs.rs` has the rule of one line.
fn oddly_opened(line: &[u8]) -> Option<&[u8]> {
    let seen = after_blanks(&line[..line.len().min(SIGHT_BYTES)]);
    let inside = after_blanks(seen.strip_prefix(b"[")?);
    inside.first().filter(|byte| byte.is_ascii_alphabetic() || **byte == b'_')?;
    odd_opening(seen, 0, Context::LineStart).map(|opening| &seen[opening.name])
}

fn after_blanks(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|byte| b" \t".contains(byte)).count()..]
}

/// The name of the tag pair that a line opens: whitespace, `[`, whitespace, name, whitespace, `"`.
fn opened(line: &[u8]) -> Option<&[u8]> {
    let seen = &line[..line.len().min(SIGHT_BYTES)];
    let inside = after_blanks(after_blanks(seen).strip_prefix(b"[")?);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let (name, rest) = inside.split_at(inside.iter().take_while(is_name).count());
    let named = name.first().is_some_and(|first| !first.is_ascii_digit());
    (named && after_blanks(rest).starts_with(b"\"")).then_some(name)
}

/// Control bytes at the end of a line are whitespace.
fn closes(line: &[u8]) -> bool {
    let seen = &line[line.len().saturating_sub(SIGHT_BYTES)..];
    let mut backwards = seen.iter().rev().filter(|byte| **byte > b' ');
    backwards.next() == Some(&b']') && backwards.next() == Some(&b'"')
}
