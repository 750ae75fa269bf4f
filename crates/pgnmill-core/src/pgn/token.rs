//! The tokens of movetext (PGN standard 7), as spans of the text; nothing is copied.
//!
//! A move token ends at whitespace (that of Unicode is a token, so that it can be noted), a bracket, a brace,
//! `;`, `$`, `!` or `?`, so that suffixes attached to a move are tokens of their own. Braces do not nest (PGN
//! standard 5); but if a comment contains an opening brace and the flat reading would leave a closing one over,
//! it is read as nested, which is what the programs that wrote it meant. Every byte belongs to at most one token
//! and is examined a bounded number of times.

use memchr::memchr2;
use pgnmill_io::archive::blanks::blank_bytes;

use super::byte_class::{ByteClass, CLASSES, ENDS_WORD, MAY_END_WORD};
use super::{Score, opens_tag_pair};

/// How texts of a notation may begin, which decides how `7Nf3`, `1f3` and `5254` are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digits {
    /// No move begins with a digit, except castling: `7Nf3` is a move number and a move.
    Never,
    /// A move may begin with a digit but contains a letter: `1f3` is a move.
    Lead,
    /// A move may consist of four digits or more: `5254` is a move, `525` a number.
    Only,
}

/// Is the word a move in a notation of [`Digits::Only`], and a number elsewhere?
pub(crate) fn is_digits_of_move(word: &[u8]) -> bool {
    word.len() >= 4 && word.iter().all(u8::is_ascii_digit)
}

/// Are these digits, at the start of a word, castling without dashes, `00` or `000`? No move number has this form.
fn is_castling(digits: &[u8]) -> bool {
    matches!(digits, b"00" | b"000")
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// The text of a move, or a word in the place of a move.
    Move,
    /// A move number with its full stops, or full stops alone.
    Number,
    /// A move number with a move attached; the move is the next token.
    NumberStuck,
    /// The result of the game.
    Result,
    /// `{…}`
    Comment,
    /// `{… {…} …}`, or `{… {…}`: a comment that contains an opening brace.
    CommentNested,
    /// `{` without `}`: runs to the end of the text.
    CommentUnclosed,
    /// `;` to the end of the line.
    LineComment,
    /// `%` in the first column to the end of the line.
    Escape,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$` and digits.
    Nag,
    /// `!`, `?`, `!?` …
    Suffix,
    /// A bracket that opens a tag pair.
    Tag,
    /// Blanks of Unicode: whitespace that the standard does not know.
    Blank,
    /// A byte that begins no token.
    Stray,
}

/// A token: its kind and its span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// So many braces that open after the first closing one of a comment are examined.
const NESTED_BRACES_MAX: usize = 32;

/// Between two braces: is there nothing, or a word that is no token of movetext?
fn may_be_of_comment(between: &[u8]) -> bool {
    const OF_MOVETEXT: [&[u8]; 12] = [
        b"ch", b"mate", b"check", b"ep", b"ap", b"dbl", b"dis", b"only", b"move", b"inf", b"null",
        b"pass",
    ];
    let is_prose = |word: &[u8]| {
        word.iter().all(u8::is_ascii_alphabetic)
            && word.iter().any(u8::is_ascii_lowercase)
            && !OF_MOVETEXT.contains(&word)
    };
    let mut words = between.split(|byte| *byte <= b' ').filter(|word| !word.is_empty()).peekable();
    let is_blank = words.peek().is_none();
    // An empty line is between games.
    let is_divided = between.windows(2).any(|two| matches!(two, b"\n\n" | b"\r\r" | b"\n\r"));
    !is_divided && (is_blank || words.any(is_prose))
}

/// The tokens of a text, in order.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    digits: Digits,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text` from byte `at` on.
    pub fn new(text: &'a [u8], at: usize, digits: Digits) -> Tokens<'a> {
        Tokens { text, at, digits }
    }

    /// The offset at which the next token is searched.
    #[inline(always)]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Continues at another offset.
    #[inline(always)]
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    #[inline(always)]
    fn word_end(&self, mut at: usize) -> usize {
        while let Some(&byte) = self.text.get(at) {
            if MAY_END_WORD[byte as usize] && (byte.is_ascii() || blank_bytes(self.text, at) > 0) {
                break;
            }
            at += 1;
        }
        at
    }

    /// Is there a blank of Unicode?
    #[inline(always)]
    fn is_blank(&self, at: usize) -> bool {
        self.text[at] >= 0x80 && blank_bytes(self.text, at) > 0
    }

    /// The blanks of Unicode from `start` on, where one is.
    #[cold]
    fn blanks(&self, start: usize) -> (TokenKind, usize) {
        let mut end = start;
        while end < self.text.len() && self.is_blank(end) {
            end += blank_bytes(self.text, end);
        }
        (TokenKind::Blank, end)
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        memchr2(b'\n', b'\r', rest).map_or(self.text.len(), |length| at + length)
    }

    /// A token that begins with a digit: a number, a result, castling with zeros, or a move.
    #[inline(always)]
    fn number(&self, start: usize) -> (TokenKind, usize) {
        let mut at = start + 1;
        while self.text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        match self.text.get(at) {
            // `0.5-0.5` begins as the number of a move does.
            Some(b'.') if self.text[start] == b'0' && at == start + 1 => {
                match Score::read_certain(self.text, start) {
                    Some(score) => (TokenKind::Result, score.end),
                    None => (TokenKind::Number, self.dots_end(at)),
                }
            }
            Some(b'.') => (TokenKind::Number, self.dots_end(at)),
            Some(&byte) if !ENDS_WORD[byte as usize] && !self.is_blank(at) => {
                self.number_word(start, at)
            }
            _ if self.digits == Digits::Only && is_digits_of_move(&self.text[start..at]) => {
                (TokenKind::Move, at)
            }
            // Castling without dashes, or a null move.
            _ if is_castling(&self.text[start..at]) || &self.text[start..at] == b"0000" => {
                (TokenKind::Move, at)
            }
            _ => match self.spaced_result(start, at) {
                Some(end) => (TokenKind::Result, end),
                None => (TokenKind::Number, at),
            },
        }
    }

    /// The end of a result that begins with a digit and a space, such as `1 - 0`.
    #[inline(always)]
    fn spaced_result(&self, start: usize, digits_end: usize) -> Option<usize> {
        let may_be = digits_end == start + 1 && matches!(self.text[start], b'0' | b'1');
        if may_be { Score::read_certain(self.text, start).map(|score| score.end) } else { None }
    }

    fn number_word(&self, start: usize, digits_end: usize) -> (TokenKind, usize) {
        let end = self.word_end(digits_end);
        if let Some(score) = Score::read_certain(self.text, start) {
            return (TokenKind::Result, score.end);
        }
        // An ellipsis character ends a number as full stops do.
        if self.text[digits_end..].starts_with("…".as_bytes()) {
            return (TokenKind::Number, self.dots_end(digits_end));
        }
        let digits = &self.text[start..digits_end];
        let castling = digits == b"0" || is_castling(digits);
        if castling || self.digits != Digits::Never {
            return (TokenKind::Move, end);
        }
        (TokenKind::NumberStuck, digits_end)
    }

    #[inline(always)]
    fn dots_end(&self, mut at: usize) -> usize {
        loop {
            if self.text.get(at) == Some(&b'.') {
                at += 1;
            } else if self.text[at..].starts_with("…".as_bytes()) {
                at += "…".len();
            } else {
                return at;
            }
        }
    }

    #[inline(always)]
    fn comment(&self, start: usize) -> (TokenKind, usize) {
        match memchr2(b'}', b'{', &self.text[start + 1..]) {
            Some(length) if self.text[start + 1 + length] == b'}' => {
                (TokenKind::Comment, start + length + 2)
            }
            _ => self.comment_with_brace(start),
        }
    }

    /// A comment that contains an opening brace, or is not closed.
    #[cold]
    fn comment_with_brace(&self, start: usize) -> (TokenKind, usize) {
        let close = |from: usize| memchr::memchr(b'}', &self.text[from..]).map(|n| from + n + 1);
        let Some(flat) = close(start + 1) else {
            return (TokenKind::CommentUnclosed, self.text.len());
        };
        // If the flat reading leaves a closing brace over, the inner braces were meant to pair.
        let opened = self.text[start + 1..flat].iter().filter(|&&byte| byte == b'{').count();
        (TokenKind::CommentNested, self.nested_end(flat, opened))
    }

    /// Where a comment ends that contains `opened` opening braces and whose first closing one ends at `flat`. A
    /// brace that opens later is one of the comment only if no move can be between.
    fn nested_end(&self, flat: usize, opened: usize) -> usize {
        let (mut end, mut at) = (flat, flat);
        // How many braces are open, and how many were when the last one of the comment was closed.
        let (mut open, mut left) = (opened, opened);
        for _ in 0..opened.saturating_add(NESTED_BRACES_MAX) {
            if left == 0 {
                break;
            }
            let Some(length) = memchr2(b'{', b'}', &self.text[at..]) else { break };
            let between = &self.text[at..at + length];
            at += length + 1;
            if self.text[at - 1] == b'}' {
                open -= 1;
                if open < left {
                    (end, left) = (at, open);
                }
            } else if open - left == NESTED_BRACES_MAX || !may_be_of_comment(between) {
                break;
            } else {
                open += 1;
            }
        }
        end
    }

    fn is_first_column(&self, at: usize) -> bool {
        at == 0 || matches!(self.text[at - 1], b'\n' | b'\r')
    }

    #[inline(always)]
    fn word(&self, start: usize) -> (TokenKind, usize) {
        // An ellipsis character continues a move number: `2. … Nc6`, `3. …a6`.
        if self.text[start] == 0xe2 && self.text[start..].starts_with("…".as_bytes()) {
            return (TokenKind::Number, self.dots_end(start));
        }
        if self.is_blank(start) {
            return self.blanks(start);
        }
        let end = self.word_end(start + 1);
        // Only ½ begins a result without a digit or a star; in Latin-1 it is one byte.
        if matches!(self.text[start], 0xc2 | 0xbd)
            && let Some(score) = Score::read_certain(self.text, start)
        {
            return (TokenKind::Result, score.end);
        }
        (TokenKind::Move, end)
    }

    #[inline(always)]
    fn token(&self, class: ByteClass, start: usize) -> (TokenKind, usize) {
        match class {
            ByteClass::Letter => self.word(start),
            ByteClass::Digit => self.number(start),
            ByteClass::Brace => self.comment(start),
            ByteClass::Open => match Score::read_in_brackets(self.text, start) {
                None => (TokenKind::Open, start + 1),
                Some(score) => (TokenKind::Result, score.end),
            },
            ByteClass::Close => (TokenKind::Close, start + 1),
            ByteClass::Dollar => {
                let digits = self.text[start + 1..].iter().take_while(|b| b.is_ascii_digit());
                (TokenKind::Nag, start + 1 + digits.count())
            }
            ByteClass::Suffix => {
                let suffix = self.text[start..].iter().take_while(|b| matches!(b, b'!' | b'?'));
                (TokenKind::Suffix, start + suffix.count())
            }
            _ => self.rare_token(class, start),
        }
    }

    #[cold]
    fn rare_token(&self, class: ByteClass, start: usize) -> (TokenKind, usize) {
        match class {
            ByteClass::Semicolon => (TokenKind::LineComment, self.line_end(start)),
            ByteClass::Percent if self.is_first_column(start) => {
                (TokenKind::Escape, self.line_end(start))
            }
            ByteClass::Percent => self.word(start),
            ByteClass::Bracket if opens_tag_pair(self.text, start) => (TokenKind::Tag, start + 1),
            ByteClass::Star => match self.word_end(start + 1) {
                end if end == start + 1 => (TokenKind::Result, end),
                end => (TokenKind::Move, end),
            },
            ByteClass::Dot => (TokenKind::Number, self.dots_end(start)),
            _ => (TokenKind::Stray, start + 1),
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        loop {
            let byte = *self.text.get(self.at)?;
            let class = CLASSES[byte as usize];
            if class == ByteClass::Whitespace {
                self.at += 1;
                continue;
            }
            let start = self.at;
            let (kind, end) = self.token(class, start);
            self.at = end;
            return Some(Token { kind, start, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, digits: Digits) -> Vec<(TokenKind, &str)> {
        Tokens::new(text.as_bytes(), 0, digits)
            .map(|token| (token.kind, &text[token.start..token.end]))
            .collect()
    }

    #[test]
    fn suffixes_of_a_move_are_tokens_of_their_own() {
        use TokenKind::*;
        assert_eq!(
            tokens("1.e4!?$14{x}(1.d4)1-0", Digits::Never),
            [
                (Number, "1."),
                (Move, "e4"),
                (Suffix, "!?"),
                (Nag, "$14"),
                (Comment, "{x}"),
                (Open, "("),
                (Number, "1."),
                (Move, "d4"),
                (Close, ")"),
                (Result, "1-0"),
            ]
        );
    }

    #[test]
    fn digits_are_split_by_the_kind_of_notation() {
        use TokenKind::*;
        let stuck = [(NumberStuck, "7"), (Move, "Nf3")];
        assert_eq!(tokens("7Nf3", Digits::Never), stuck);
        assert_eq!(
            tokens("7 1f3 8d8", Digits::Lead),
            [(Number, "7"), (Move, "1f3"), (Move, "8d8")]
        );
        assert_eq!(
            tokens("7.5254 525", Digits::Only),
            [(Number, "7."), (Move, "5254"), (Number, "525")]
        );
        assert_eq!(tokens("1... 0-0 12…0-0-0", Digits::Never)[3].1, "0-0-0");
        assert_eq!(tokens("2. … Nc6", Digits::Never)[1], (Number, "…"));
        assert_eq!(tokens("…a6", Digits::Never), [(Number, "…"), (Move, "a6")]);
        let results = "1/2-1/2 ½-½ * 0-1 0.5-0.5 0.5-0.5)";
        let kinds = tokens(results, Digits::Never);
        assert_eq!(kinds.len(), 7);
        assert!(kinds[..6].iter().all(|t| t.0 == Result), "{kinds:?}");
        assert_eq!(tokens("0.5-0.", Digits::Never), [(Result, "0.5-0.")]);
        for other in ["0.5-0.5e4", "10.5-0.5", "0..5-0.5", "0.5-0.51"] {
            assert_ne!(tokens(other, Digits::Never)[0].0, Result, "{other}");
        }
    }

    #[test]
    fn comments_nest_only_where_they_must() {
        use TokenKind::*;
        assert_eq!(tokens("{a {b} e4", Digits::Never), [(CommentNested, "{a {b}"), (Move, "e4")]);
        assert_eq!(
            tokens("{a {b} c} e4", Digits::Never),
            [(CommentNested, "{a {b} c}"), (Move, "e4")]
        );
        assert_eq!(tokens("{a {b} {c} e4", Digits::Never).len(), 3);
        for whole in [
            "{x {y} z {w} v}",
            "{x {y} {w} v}",
            "{x {y {z} a} b}",
            "{{{a}}}",
            "{x {y} after e4 {w}}",
        ] {
            let expected = [(CommentNested, whole), (Move, "e4")];
            assert_eq!(tokens(&format!("{whole} e4"), Digits::Never), expected, "{whole}");
        }
        // Braces that pair, with moves between.
        for flat in ["{x {y} e5 {w} {v}", "{x {y} {w} e5 {v}", "{x {y} 2. Nf3 Nc6 {w} Bb5 a6 {v} }"]
        {
            assert_eq!(tokens(flat, Digits::Never)[0], (CommentNested, "{x {y}"), "{flat}");
        }
        // An empty line, whatever ends the lines.
        for line_end in ["\n", "\r", "\r\n"] {
            let flat = format!("{{x {{y}}{line_end}{line_end}after e4 {{w}}}}");
            assert_eq!(tokens(&flat, Digits::Never)[0], (CommentNested, "{x {y}"), "{flat:?}");
            let whole = format!("{{x {{y}}{line_end}after e4 {{w}}}}");
            assert_eq!(tokens(&whole, Digits::Never), [(CommentNested, &whole[..])], "{whole:?}");
        }
        assert_eq!(tokens("{a ( ; e4", Digits::Never), [(CommentUnclosed, "{a ( ; e4")]);
        assert_eq!(tokens("; a {\ne4 %\n% x }\nd4", Digits::Never).len(), 5);
    }
}
