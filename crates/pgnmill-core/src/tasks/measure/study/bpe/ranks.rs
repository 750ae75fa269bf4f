//! The tokens of a vocabulary and their ranks, as tiktoken stores them: lines of the token's bytes in base64 (RFC 4648,
//! section 4), a space and the rank.
//!
//! In: the bytes of a file, of any origin. Out: the rank of a text; or what is wrong, with the line. Invariants: each
//! byte is a token, so that any text can be encoded; no token and no rank occurs twice. Limits: [`TOKENS_MAX`] tokens
//! of [`TOKEN_BYTES_MAX`] bytes. Cost: one pass; the memory of the tokens.

use std::collections::{HashMap, HashSet};
use std::fmt;

/// The most tokens of a vocabulary; `o200k_base` has 199,998.
pub(super) const TOKENS_MAX: usize = 1 << 21;
/// The longest token, in bytes; that of the published vocabularies has 128.
pub(super) const TOKEN_BYTES_MAX: usize = 1_024;

/// Ranks by token.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    ranks: HashMap<Box<[u8]>, u32>,
    /// Bytes of the longest token.
    longest: usize,
}

/// What is wrong with a vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VocabularyFault {
    /// A line has other fields than a token and a rank.
    Fields,
    /// The first field is not base64.
    Base64,
    /// A token has no bytes, or more than the limit.
    TokenBytes,
    /// The second field is no whole number below 2^32 − 1.
    Rank,
    /// The token occurs in an earlier line.
    TokenTwice,
    /// The rank occurs in an earlier line.
    RankTwice,
    /// There are more tokens than the limit.
    TokensCount,
    /// There is no token of this byte alone.
    ByteMissing(u8),
}

impl fmt::Display for VocabularyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VocabularyFault::Fields => {
                f.write_str("a line is a token in base64, a space and its rank")
            }
            VocabularyFault::Base64 => f.write_str("the token is not base64"),
            VocabularyFault::TokenBytes => {
                write!(f, "a token has 1 to {TOKEN_BYTES_MAX} bytes")
            }
            VocabularyFault::Rank => f.write_str("the rank is no whole number below 4294967295"),
            VocabularyFault::TokenTwice => f.write_str("the token occurs in an earlier line, too"),
            VocabularyFault::RankTwice => f.write_str("the rank occurs in an earlier line, too"),
            VocabularyFault::TokensCount => {
                write!(f, "a vocabulary has {TOKENS_MAX} tokens at most")
            }
            VocabularyFault::ByteMissing(byte) => {
                write!(
                    f,
                    "there is no token of the byte {byte:#04x} alone, so that not every text has tokens"
                )
            }
        }
    }
}

impl Ranks {
    /// Reads a vocabulary.
    ///
    /// # Errors
    /// What is wrong, and the line, from 1; 0 if it is of no line.
    pub(super) fn read(file: &[u8]) -> Result<Ranks, (usize, VocabularyFault)> {
        let (mut ranks, mut used) = (HashMap::new(), HashSet::new());
        for (line, number) in file.split(|&byte| byte == b'\n').zip(1..) {
            let line = line.trim_ascii_end();
            if line.is_empty() {
                continue;
            }
            let (token, rank) = read_line(line).map_err(|fault| (number, fault))?;
            let fault = match () {
                () if ranks.len() >= TOKENS_MAX => Some(VocabularyFault::TokensCount),
                () if !used.insert(rank) => Some(VocabularyFault::RankTwice),
                () if ranks.insert(token, rank).is_some() => Some(VocabularyFault::TokenTwice),
                () => None,
            };
            fault.map_or(Ok(()), |fault| Err((number, fault)))?;
        }
        let missing = (0..=u8::MAX).find(|byte| !ranks.contains_key(&[*byte][..]));
        missing.map_or(Ok(()), |byte| Err((0, VocabularyFault::ByteMissing(byte))))?;
        Ok(Ranks::of(ranks))
    }

    /// Those of tokens with different ranks.
    pub(super) fn of<T: Into<Box<[u8]>>>(tokens: impl IntoIterator<Item = (T, u32)>) -> Ranks {
        let ranks: HashMap<Box<[u8]>, u32> =
            tokens.into_iter().map(|(token, rank)| (token.into(), rank)).collect();
        let longest = ranks.keys().map(|token| token.len()).max().unwrap_or(0);
        Ranks { ranks, longest }
    }

    /// The rank of a text, if it is a token.
    pub(super) fn get(&self, text: &[u8]) -> Option<u32> {
        if text.len() > self.longest { None } else { self.ranks.get(text).copied() }
    }

    /// How many tokens there are.
    pub(super) fn count(&self) -> usize {
        self.ranks.len()
    }
}

fn read_line(line: &[u8]) -> Result<(Box<[u8]>, u32), VocabularyFault> {
    let mut fields = line.split(|&byte| byte == b' ');
    let (token, rank) = match (fields.next(), fields.next(), fields.next()) {
        (Some(token), Some(rank), None) => (token, rank),
        _ => return Err(VocabularyFault::Fields),
    };
    let token = base64(token).ok_or(VocabularyFault::Base64)?;
    if !(1..=TOKEN_BYTES_MAX).contains(&token.len()) {
        return Err(VocabularyFault::TokenBytes);
    }
    let is_number = !rank.is_empty() && rank.iter().all(u8::is_ascii_digit);
    let rank = std::str::from_utf8(rank).ok().filter(|_| is_number);
    let rank = rank.and_then(|rank| rank.parse().ok()).filter(|&rank| rank < u32::MAX);
    Ok((token.into(), rank.ok_or(VocabularyFault::Rank)?))
}

/// The bytes of a text in base64, with its padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (groups, rest) = text.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(3 * groups.len());
    for (group, number) in groups.iter().zip(1..) {
        let padding = if number == groups.len() { padding(group) } else { 0 };
        let digits = &group[..4 - padding];
        let word = digits
            .iter()
            .try_fold(0_u32, |word, &byte| Some(word << 6 | u32::from(digit(byte)?)))?;
        let word = word << (6 * padding);
        // The bits that padding leaves over are zero.
        if padding > 0 && word & ((1 << (8 * padding)) - 1) != 0 {
            return None;
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..4 - padding]);
    }
    Some(bytes)
}

fn padding(group: &[u8; 4]) -> usize {
    match group {
        [_, _, b'=', b'='] => 2,
        [_, _, _, b'='] => 1,
        _ => 0,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10, and what is not base64.
    #[test]
    fn base64_is_that_of_its_rfc() {
        for (text, bytes) in [
            ("", Some("")),
            ("Zg==", Some("f")),
            ("Zm8=", Some("fo")),
            ("Zm9v", Some("foo")),
            ("Zm9vYg==", Some("foob")),
            ("Zm9vYmE=", Some("fooba")),
            ("Zm9vYmFy", Some("foobar")),
            ("Zg=", None),
            ("Zh==", None),
            ("Zm9=", None),
            ("====", None),
            ("Z===", None),
            ("Zg==Zg==", None),
            ("Zm-_", None),
        ] {
            let expected = bytes.map(|bytes| bytes.as_bytes().to_vec());
            assert_eq!(base64(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(base64(b"+/8A"), Some(vec![0xfb, 0xff, 0x00]));
    }

    fn encoded(token: &[u8]) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in token.chunks(3) {
            let mut bytes = [0; 4];
            bytes[1..=group.len()].copy_from_slice(group);
            let word = u32::from_be_bytes(bytes);
            for at in 0..4_usize {
                let digit = alphabet[(word >> (18 - 6 * at)) as usize & 63];
                text.push(if at <= group.len() { char::from(digit) } else { '=' });
            }
        }
        text
    }

    /// A vocabulary of all bytes and these tokens, as a file.
    pub(in super::super) fn file(tokens: &[&str]) -> String {
        let bytes = (0..=255).map(|byte| vec![byte]);
        let tokens = bytes.chain(tokens.iter().map(|token| token.as_bytes().to_vec()));
        tokens.zip(0..).map(|(token, rank)| format!("{} {rank}\n", encoded(&token))).collect()
    }

    #[test]
    fn a_vocabulary_is_read_or_refused_with_its_line() {
        let whole = file(&["Nf", "Nf3"]);
        let read = |text: &str| Ranks::read(text.as_bytes());
        let ranks = read(&whole).unwrap();
        assert_eq!((ranks.count(), ranks.longest), (258, 3));
        let texts: [&[u8]; 5] = [b"Nf3", b"Nf", b"N", b"f3", b"Nf3+"];
        let expected = [Some(257), Some(256), Some(78), None, None];
        assert_eq!(texts.map(|text| ranks.get(text)), expected);
        // Line ends of other systems, and empty lines.
        assert_eq!(read(&whole.replace('\n', "\r\n\r\n")).unwrap().count(), 258);
        let long = encoded(&[b'a'; TOKEN_BYTES_MAX + 1]);
        for (line, fault) in [
            ("TmY=", VocabularyFault::Fields),
            ("TmY= 7 8", VocabularyFault::Fields),
            ("TmY=  7", VocabularyFault::Fields),
            ("TmY 300", VocabularyFault::Base64),
            (" 300", VocabularyFault::TokenBytes),
            (&format!("{long} 300"), VocabularyFault::TokenBytes),
            ("TmZm x", VocabularyFault::Rank),
            ("TmZm -1", VocabularyFault::Rank),
            ("TmZm +1", VocabularyFault::Rank),
            ("TmZm 4294967295", VocabularyFault::Rank),
            ("TmZm 99999999999999999999", VocabularyFault::Rank),
            ("TmZm 257", VocabularyFault::RankTwice),
            ("TmYz 300", VocabularyFault::TokenTwice),
            ("TmYz", VocabularyFault::Fields),
            ("\u{0}\u{ff} 1", VocabularyFault::Base64),
        ] {
            let found = read(&format!("{whole}{line}\n")).map(|ranks| ranks.count());
            assert_eq!(found, Err((259, fault)), "{line}");
        }
        let without = whole.replace("QQ== 65\n", "");
        assert_eq!(read(&without).map(drop), Err((0, VocabularyFault::ByteMissing(b'A'))));
        assert_eq!(read("").map(drop), Err((0, VocabularyFault::ByteMissing(0))));
    }
}
