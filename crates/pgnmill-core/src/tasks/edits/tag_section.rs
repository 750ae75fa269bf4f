//! Tag pairs that are set or removed.
//!
//! In: the text of a game, and where its tag pairs end. Out: the edited tag section. Invariants: what is between the
//! pairs that are edited stays byte for byte; the line ends that are added are those of the text. Cost: each byte once.

use crate::pgn::{TagPairs, line_end, lossy};

use super::{Edits, Removed, mark_end};

impl Edits {
    /// The text up to the end of the tag pairs, edited, and where the rest begins: a pair that is removed takes the end
    /// of its line with it.
    pub(super) fn tags(&self, text: &[u8], tags_end: usize, removed: Removed) -> (Vec<u8>, usize) {
        let mut out = Vec::with_capacity(text.len() + 64);
        if self.set.is_empty() && self.remove.is_empty() {
            out.extend_from_slice(&text[..tags_end]);
            return (out, tags_end);
        }
        let mut missing: Vec<bool> = vec![true; self.set.len()];
        let (mut copied, mut pairs) = (0, 0);
        let mut line = LineScan::default();
        for pair in TagPairs::new(text, 0..tags_end) {
            let name = &text[pair.name.clone()];
            let start = pair.start;
            // Of a name that is set twice the last value counts.
            let set = self.set.iter().rposition(|(set, _)| set.as_bytes() == name);
            let at = self.remove.iter().position(|removed| removed.as_bytes() == name);
            let is_removed = at.is_some();
            at.into_iter().for_each(|at| self.meets(at));
            if is_removed && removed == Removed::Gone {
                let space = removed_space(&text[pair.end..], line.is_blank_before(text, start));
                let is_line = matches!(text[..pair.end + space].last(), Some(b'\n' | b'\r'));
                let before = &text[copied..start];
                out.extend_from_slice(if is_line { without_indent(before) } else { before });
                copied = pair.end + space;
                continue;
            }
            pairs += 1;
            if is_removed || set.is_some() {
                out.extend_from_slice(&text[copied..start]);
                copied = pair.end;
            }
            match set {
                Some(index) => {
                    missing[index] = false;
                    self.append_pair(index, &mut out);
                }
                None if is_removed => append(&lossy(name), "?", &mut out),
                None => {}
            }
        }
        out.extend_from_slice(&text[copied.min(tags_end)..tags_end]);
        let tags_end = copied.max(tags_end);
        let line_end = line_end::first(text).unwrap_or(b"\n");
        let added = (0..self.set.len()).filter(|&index| missing[index] && self.is_last(index));
        if pairs == 0 {
            let mark = mark_end(text);
            let mut before = text[..mark].to_vec();
            for index in added {
                self.append_pair(index, &mut before);
                before.extend_from_slice(line_end);
            }
            if before.len() > mark && tags_end == mark {
                before.extend_from_slice(line_end);
            }
            before.extend_from_slice(&out[mark..]);
            return (before, tags_end);
        }
        for index in added {
            // After a pair that was removed with the end of its line, the new one gets it.
            let is_at_start = matches!(out.last(), None | Some(b'\n' | b'\r'));
            if !is_at_start {
                out.extend_from_slice(line_end);
            }
            self.append_pair(index, &mut out);
            if is_at_start {
                out.extend_from_slice(line_end);
            }
        }
        (out, tags_end)
    }

    /// Is no value set for the same name later?
    fn is_last(&self, index: usize) -> bool {
        self.set[index + 1..].iter().all(|(name, _)| *name != self.set[index].0)
    }

    fn append_pair(&self, index: usize, out: &mut Vec<u8>) {
        let (name, value) = &self.set[index];
        append(name, value, out);
    }
}

/// Appends a pair.
fn append(name: &str, value: &str, out: &mut Vec<u8>) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    out.extend_from_slice(format!("[{name} \"{value}\"]").as_bytes());
}

/// The text without the blanks at its end: what follows them would no longer begin its line.
fn without_indent(before: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| *byte <= b' ' && !matches!(byte, b'\n' | b'\r');
    let blanks = before.iter().rev().take_while(|byte| is_blank(byte)).count();
    &before[..before.len() - blanks]
}

/// Is there only whitespace in a line before an offset? For offsets that increase; each byte is read once.
#[derive(Default)]
struct LineScan {
    at: usize,
    has_text: bool,
}

impl LineScan {
    fn is_blank_before(&mut self, text: &[u8], offset: usize) -> bool {
        for &byte in &text[self.at..offset] {
            match byte {
                b'\n' | b'\r' => self.has_text = false,
                byte => self.has_text |= byte > b' ',
            }
        }
        self.at = offset;
        !self.has_text
    }
}

/// The whitespace at the beginning of the text after a removed pair that is removed with it: the line end if the pair
/// is alone on its line.
fn removed_space(after: &[u8], is_first: bool) -> usize {
    match after {
        [b'\n' | b'\r', ..] if is_first => line_end::len(after),
        [b' ' | b'\t' | 0x0B | 0x0C, ..] => 1,
        _ => 0,
    }
}
