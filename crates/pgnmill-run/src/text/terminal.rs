//! Text for a terminal: control characters are replaced, lines are broken at spaces, a span is
//! underlined.
//!
//! In: any bytes. Out: text. Invariant: it contains no control characters, and no line is wider than
//! requested. Cost: a scan of the text; a long line is divided in one pass.

use std::ops::Range;

use pgnmill_core::pgn::lossy;

/// The maximum width of a line, where the terminal is not narrower.
pub const COLUMNS: usize = 80;
/// Lines that are shown before and after the underlined one.
const LINES_AROUND: usize = 8;

/// The width of a character: two columns for East Asian scripts and pictographs, none for combining characters.
fn columns_of(character: char) -> usize {
    match character as u32 {
        0x300..=0x36f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// A character that is safe for a terminal: control characters and those that change the direction of writing are
/// replaced.
fn harmless(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
            '\u{fffd}'
        }
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    }
}

/// Bytes as text: bytes that are not UTF-8 and control characters become U+FFFD.
pub fn clean(bytes: &[u8]) -> String {
    lossy(bytes).chars().map(harmless).collect()
}

/// A line, truncated to so many columns.
pub fn clip(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_string();
    }
    let mut cut = String::new();
    let mut used = "...".len();
    for character in line.chars() {
        used += columns_of(character);
        if used > columns {
            break;
        }
        cut.push(character);
    }
    cut + "..."
}

/// Adds words in lines. The first line begins with `label`, the others with as many spaces.
pub fn wrap(page: &mut String, columns: usize, label: &str, words: &str) {
    let indent = " ".repeat(label.len());
    let width_max = columns - label.len();
    let mut line = label.to_string();
    let mut used = 0;
    for word in words.split(' ').flat_map(|word| pieces(word, width_max)) {
        let wide = width(&word);
        if used > 0 && used + 1 + wide > width_max {
            page.push_str(line.trim_end());
            page.push('\n');
            (line, used) = (indent.clone(), 0);
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&word);
        used += wide;
    }
    page.push_str(line.trim_end());
    page.push('\n');
}

/// Words in lines of at most `columns` columns.
pub fn lines_of(words: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut used) = (vec![String::new()], 0);
    for word in words.split(' ').flat_map(|word| pieces(word, columns)) {
        let wide = width(&word);
        if used > 0 && used + 1 + wide > columns {
            lines.push(String::new());
            used = 0;
        }
        let space = if used > 0 { " " } else { "" };
        if let Some(line) = lines.last_mut() {
            *line += &format!("{space}{word}");
        }
        used += space.len() + wide;
    }
    lines
}

/// A word, divided into pieces of at most `width_max` columns.
fn pieces(word: &str, width_max: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for character in word.chars() {
        used += columns_of(character);
        if used > width_max {
            pieces.push(String::new());
            used = columns_of(character);
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

/// The lines of `shown` around the underlined span, long ones broken at spaces, with a caret under the span.
pub fn lines_around(
    text: &[u8],
    shown: Range<usize>,
    underlined: Option<Range<usize>>,
    columns: usize,
) -> String {
    let lines = broken(text, shown, columns);
    let underlined = underlined.filter(|_| !lines.is_empty());
    let center = underlined
        .as_ref()
        .map(|span| lines.iter().rposition(|line| line.start <= span.start).unwrap_or(0));
    let around = center.unwrap_or(0);
    let first = around.saturating_sub(LINES_AROUND);
    let last = (around + LINES_AROUND + 1).min(lines.len());
    let mut page = String::new();
    if first > 0 {
        page.push_str("...\n");
    }
    for (index, line) in lines.iter().enumerate().take(last).skip(first) {
        page.push_str(clean(&text[line.clone()]).trim_end());
        page.push('\n');
        if let Some(span) = underlined.as_ref().filter(|_| center == Some(index)) {
            page.push_str(&caret(text, line, span, columns));
        }
    }
    if last < lines.len() {
        page.push_str("...\n");
    }
    page
}

/// `   ^~~`: the line below `line`, for the part of the span that is in it.
fn caret(text: &[u8], line: &Range<usize>, span: &Range<usize>, columns: usize) -> String {
    let from = span.start.clamp(line.start, line.end);
    let to = span.end.clamp(from, line.end);
    let before = width(&clean(&text[line.start..from]));
    let wide = width(&clean(&text[from..to])).max(1);
    let before = before.min(columns - 1);
    let wide = wide.min(columns - before);
    format!("{}^{}\n", " ".repeat(before), "~".repeat(wide - 1))
}

/// The lines of a text, without line ends and without empty lines at both ends, none wider than so many columns.
fn broken(text: &[u8], shown: Range<usize>, columns: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut at = shown.start;
    while at < shown.end {
        let rest = &text[at..shown.end];
        let length = memchr_line_end(rest);
        let mut line = at..at + length;
        loop {
            let end = break_at(text, &line, columns);
            if end == line.end {
                break;
            }
            lines.push(line.start..end);
            line.start = end;
            while text.get(line.start) == Some(&b' ') && line.start < line.end {
                line.start += 1;
            }
        }
        lines.push(line.clone());
        at += length;
        at += if text[at..shown.end].starts_with(b"\r\n") { 2 } else { 1 };
    }
    let is_empty = |line: &Range<usize>| text[line.clone()].iter().all(|&byte| byte <= b' ');
    while lines.last().is_some_and(is_empty) {
        lines.pop();
    }
    let leading = lines.iter().take_while(|line| is_empty(line)).count();
    lines.drain(..leading);
    lines
}

fn memchr_line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

/// Bytes that are scanned for one line: more than four times the columns.
const SCANNED_BYTES: usize = 4 * COLUMNS + 80;

/// The offset at which a line is broken: its end if it fits, else before a space if there is one, never within a
/// character.
fn break_at(text: &[u8], line: &Range<usize>, columns: usize) -> usize {
    let mut used = 0;
    let mut end = line.start;
    let scanned = line.start..line.end.min(line.start + SCANNED_BYTES);
    // A copy: the text can be that of a map.
    for chunk in text[scanned].to_vec().utf8_chunks() {
        for character in chunk.valid().chars() {
            used += columns_of(harmless(character));
            if used > columns {
                return space_before(text, line.start, end);
            }
            end += character.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            used += 1;
            if used > columns {
                return space_before(text, line.start, end);
            }
            end += chunk.invalid().len();
        }
    }
    end
}

/// The last space before `end`, or `end` itself if there is none.
fn space_before(text: &[u8], start: usize, end: usize) -> usize {
    if text.get(end) == Some(&b' ') {
        return end;
    }
    let space = text[start..end].iter().rposition(|&byte| byte == b' ');
    space.map_or(end, |space| start + space).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide_and_only_whitespace_is_lost() {
        let mut text = b"short\r\n\n\xff\xfe ".to_vec();
        text.extend("wörter und ♘f3 棋譜 ".repeat(40).bytes());
        text.extend(b"x".repeat(500));
        text.extend(b"\x1b[31m\x07\n\n");
        for at in 0..text.len() {
            let page = lines_around(&text, 0..text.len(), Some(at..at + 3), COLUMNS);
            assert!(page.lines().all(|line| width(line) <= COLUMNS), "{page}");
            assert!(!page.chars().any(|c| c.is_control() && c != '\n'));
            assert_eq!(page.lines().filter(|line| line.trim_start().starts_with('^')).count(), 1);
        }
        let lines = broken(&text, 0..text.len(), COLUMNS);
        let shown: Vec<u8> = lines.iter().flat_map(|line| text[line.clone()].to_vec()).collect();
        let solid = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().copied().filter(|&byte| byte > b' ').collect()
        };
        assert_eq!(solid(&shown), solid(&text));
    }

    #[test]
    fn words_are_wrapped_after_their_label() {
        let mut page = String::new();
        wrap(&mut page, COLUMNS, "why   ", "word ".repeat(40).trim_end());
        assert_eq!(page.lines().count(), 3);
        assert!(page.lines().skip(1).all(|line| line.starts_with("      word")));
        assert!(page.lines().all(|line| line.len() <= COLUMNS));
    }
}
