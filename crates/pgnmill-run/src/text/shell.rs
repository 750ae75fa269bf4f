//! Options as words of a shell: what ledgers, summaries and metadata of tables record of the command line.
//!
//! In: names of options, values byte for byte. Out: a text of words. Invariants: a shell reads the text as the same
//! options with the same values, so that the run can be repeated; different values have different texts, so that runs
//! with the same text read the same games. Cost: the length of the text.
//!
//! ```text
//! --strict --where 'White != "Ann  B"'
//! ```

use std::fmt::Display;

/// Separates the texts of runs that differ, outside quotes.
pub(crate) const AND: &str = " + ";

/// An option and its value.
pub(crate) fn option(name: &str, value: impl Display) -> String {
    format!("{name} {}", quoted(&value.to_string()))
}

/// An option that is given once for each of its values.
pub(crate) fn options<'v>(name: &str, values: impl IntoIterator<Item = &'v String>) -> Vec<String> {
    values.into_iter().map(|value| option(name, value)).collect()
}

/// An option without a value, if it is set.
pub(crate) fn flag(name: &str, is_set: bool) -> Option<String> {
    is_set.then(|| name.to_string())
}

/// A word of a shell: in quotes unless no shell changes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@%:=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) && !word.starts_with(['-', '=']) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The texts that [`AND`] separates: what is in quotes is a value and belongs to one text.
pub(crate) fn separated(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut is_quoted, mut at) = (Vec::new(), 0, false, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'\'' => is_quoted = !is_quoted,
            b'\\' if !is_quoted => at += 1,
            _ if !is_quoted && bytes[at..].starts_with(AND.as_bytes()) => {
                parts.push(&text[begin..at]);
                begin = at + AND.len();
                at = begin - 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_quotes_is_one_text() {
        let values = ["a + b", "it's + \\' + x", " + ", "'", "\\", "", "x", "-x", "é + ü"];
        for one in values {
            for two in values {
                let texts = [option("--where", one), option("--where", two)];
                assert_eq!(separated(&texts.join(AND)), texts);
            }
        }
        assert_eq!(separated(""), [""]);
    }
}
