//! Text for a terminal of 80 columns: bytes of an archive made harmless, lines broken at blanks, a place marked.
//!
//! In: any bytes. Out: text without control characters, no line of which is wider than [`COLUMNS`].

use std::ops::Range;

/// No line is wider.
pub(super) const COLUMNS: usize = 80;
/// How many lines are shown before the marked one, and after it.
const LINES_AROUND: usize = 8;

/// Does a sign take two columns? East Asian scripts and pictographs do.
fn columns_of(sign: char) -> usize {
    match sign as u32 {
        0x300..=0x36f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// A sign that a terminal may be trusted with: no control characters, nothing that turns the direction of writing.
fn harmless(sign: char) -> char {
    match sign {
        '\t' | '\n' | '\r' => ' ',
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '\u{fffd}',
        _ if sign.is_control() => '\u{fffd}',
        _ => sign,
    }
}

/// Bytes as text: what is no UTF-8, and what a terminal would obey, as U+FFFD.
pub(super) fn clean(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(harmless).collect()
}

/// A line cut to the columns.
pub(super) fn clip(line: &str) -> String {
    if width(line) <= COLUMNS {
        return line.to_string();
    }
    let mut cut = String::new();
    let mut used = "...".len();
    for sign in line.chars() {
        used += columns_of(sign);
        if used > COLUMNS {
            break;
        }
        cut.push(sign);
    }
    cut + "..."
}

/// Adds words in lines that begin with `label`, and with as many blanks from the second on.
pub(super) fn wrap(page: &mut String, label: &str, words: &str) {
    let indent = " ".repeat(label.len());
    let room = COLUMNS - label.len();
    let mut line = label.to_string();
    let mut used = 0;
    for word in words.split(' ').flat_map(|word| pieces(word, room)) {
        let wide = width(&word);
        if used > 0 && used + 1 + wide > room {
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

/// A word cut in pieces that fit.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for sign in word.chars() {
        used += columns_of(sign);
        if used > room {
            pieces.push(String::new());
            used = columns_of(sign);
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(sign);
        }
    }
    pieces
}

/// The lines of `shown` around the marked text, long ones broken at blanks, with a caret under the mark.
pub(super) fn lines_around(text: &[u8], shown: Range<usize>, mark: Option<Range<usize>>) -> String {
    let lines = broken(text, shown);
    let mark = mark.filter(|_| !lines.is_empty());
    let marked = mark
        .as_ref()
        .map(|mark| lines.iter().rposition(|line| line.start <= mark.start).unwrap_or(0));
    let around = marked.unwrap_or(0);
    let first = around.saturating_sub(LINES_AROUND);
    let last = (around + LINES_AROUND + 1).min(lines.len());
    let mut page = String::new();
    if first > 0 {
        page.push_str("...\n");
    }
    for (index, line) in lines.iter().enumerate().take(last).skip(first) {
        page.push_str(clean(&text[line.clone()]).trim_end());
        page.push('\n');
        if let Some(mark) = mark.as_ref().filter(|_| marked == Some(index)) {
            page.push_str(&caret(text, line, mark));
        }
    }
    if last < lines.len() {
        page.push_str("...\n");
    }
    page
}

/// `   ^~~`: below a line, the mark as far as it lies in it.
fn caret(text: &[u8], line: &Range<usize>, mark: &Range<usize>) -> String {
    let from = mark.start.clamp(line.start, line.end);
    let to = mark.end.clamp(from, line.end);
    let before = width(&clean(&text[line.start..from]));
    let wide = width(&clean(&text[from..to])).max(1);
    let before = before.min(COLUMNS - 1);
    let wide = wide.min(COLUMNS - before);
    format!("{}^{}\n", " ".repeat(before), "~".repeat(wide - 1))
}

/// The lines of a text, without their ends, blank ones at both ends left out, none wider than the columns.
fn broken(text: &[u8], shown: Range<usize>) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut at = shown.start;
    while at < shown.end {
        let rest = &text[at..shown.end];
        let length = memchr_line_end(rest);
        let mut line = at..at + length;
        loop {
            let end = break_at(text, &line);
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
    let is_blank = |line: &Range<usize>| text[line.clone()].iter().all(|&byte| byte <= b' ');
    while lines.last().is_some_and(is_blank) {
        lines.pop();
    }
    let leading = lines.iter().take_while(|line| is_blank(line)).count();
    lines.drain(..leading);
    lines
}

fn memchr_line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

/// So many bytes are looked at for a line's worth of text; more than four times the columns.
const SIGHT_BYTES: usize = 400;

/// Where a line is broken: at its end if it fits; else before a blank if there is one, and not within a sign.
fn break_at(text: &[u8], line: &Range<usize>) -> usize {
    let mut used = 0;
    let mut end = line.start;
    let sight = line.start..line.end.min(line.start + SIGHT_BYTES);
    for chunk in text[sight].utf8_chunks() {
        for sign in chunk.valid().chars() {
            used += columns_of(harmless(sign));
            if used > COLUMNS {
                return blank_before(text, line.start, end);
            }
            end += sign.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            used += 1;
            if used > COLUMNS {
                return blank_before(text, line.start, end);
            }
            end += chunk.invalid().len();
        }
    }
    end
}

/// The last blank before `end`, or `end` itself if there is none.
fn blank_before(text: &[u8], start: usize, end: usize) -> usize {
    if text.get(end) == Some(&b' ') {
        return end;
    }
    let blank = text[start..end].iter().rposition(|&byte| byte == b' ');
    blank.map_or(end, |blank| start + blank).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide_and_nothing_but_blanks_is_lost() {
        let mut text = b"short\r\n\n\xff\xfe ".to_vec();
        text.extend("wörter und ♘f3 棋譜 ".repeat(40).bytes());
        text.extend(b"x".repeat(500));
        text.extend(b"\x1b[31m\x07\n\n");
        for at in 0..text.len() {
            let page = lines_around(&text, 0..text.len(), Some(at..at + 3));
            assert!(page.lines().all(|line| width(line) <= COLUMNS), "{page}");
            assert!(!page.chars().any(|sign| sign.is_control() && sign != '\n'));
            assert_eq!(page.lines().filter(|line| line.trim_start().starts_with('^')).count(), 1);
        }
        let lines = broken(&text, 0..text.len());
        let shown: Vec<u8> = lines.iter().flat_map(|line| text[line.clone()].to_vec()).collect();
        let solid = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().copied().filter(|&byte| byte > b' ').collect()
        };
        assert_eq!(solid(&shown), solid(&text));
    }

    #[test]
    fn words_are_wrapped_behind_their_label() {
        let mut page = String::new();
        wrap(&mut page, "why   ", "word ".repeat(40).trim_end());
        assert_eq!(page.lines().count(), 3);
        assert!(page.lines().skip(1).all(|line| line.starts_with("      word")));
        assert!(page.lines().all(|line| line.len() <= COLUMNS));
    }
}
