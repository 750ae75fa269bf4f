//! Commands in comments: `[%clk 0:03:00]`, `[%emt 0:00:02.5]`, `[%eval -0.31]` (PGN supplement of 2001, "embedded
//! commands"; `eval` is younger and has no specification: Lichess, TCEC, chess.com and ChessBase write it).
//!
//! Input: the bytes of one comment, with or without its braces. Output: [`Command`]s in order, with spans of the
//! comment; a command whose value cannot be read has the value `None`. [`without_commands`] returns the rest of the
//! comment.
//!
//! * A command is `[%`, a name, and everything up to the next `]`. Names are case-sensitive.
//! * A command without `]` ends with its first word; another `[%` never belongs to it.
//! * Whitespace is every byte up to the space, as for [`super::Tokens`]: wrapped lines are read.
//!
//! Cost: linear in the length of the comment, whatever its bytes are. Nothing is allocated, except by
//! [`without_commands`] if text remains on both sides of a command.
//!
//! ```
//! use pgnmill_core::pgn::{CommandKind, CommandValue, Eval, commands, without_commands};
//! let comment = b"{ [%eval 0.17] [%clk 0:00:30] Best by test. }";
//! let read: Vec<_> = commands(comment).map(|command| (command.kind, command.value)).collect();
//! assert_eq!(read[0], (CommandKind::Eval, Some(CommandValue::Eval(Eval::Centipawns(17)))));
//! assert_eq!(read[1], (CommandKind::Clock, Some(CommandValue::Milliseconds(30_000))));
//! assert_eq!(&without_commands(comment)[..], b"Best by test.");
//! ```

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::cursor::{Cursor, clamp, is_whitespace};

/// The commands that have a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CommandKind {
    /// `clk`: the time that the player has left after the move; `clkc`: the same in hundredths of a second.
    Clock,
    /// `emt`: the time that the move took.
    Elapsed,
    /// `eval`: the evaluation of the position after the move.
    Eval,
    /// `timestamp`: the time that the move took in tenths of a second, as chess.com writes it.
    Timestamp,
}

/// An evaluation, positive if White is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Eval {
    /// Hundredths of a pawn, clamped to ±32,767.
    Centipawns(i16),
    /// Moves until mate, by White if positive, clamped to ±32,767; 0 for `#0` and `#-0`.
    Mate(i16),
}

/// The value of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CommandValue {
    /// Of `clk`, `emt` and `timestamp`; never negative.
    Milliseconds(i32),
    /// Of `eval`.
    Eval(Eval),
}

/// A command of a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Its kind.
    pub kind: CommandKind,
    /// From its `[` to the byte after its `]`, in the comment. Without a `]`: to the end of its first word after the
    /// name.
    pub span: Range<usize>,
    /// `None` if the command is malformed.
    pub value: Option<CommandValue>,
    /// The depth after an evaluation, clamped to 32,767.
    pub depth: Option<i16>,
}

/// The commands `clk`, `clkc`, `emt`, `eval` and `timestamp` of a comment, in order; others are skipped.
///
/// `comment` is the comment with its braces or without; a text without braces must not begin with `{`.
///
/// * Times are `H:MM:SS`, `M:SS` or `SS`, of digits only, and the seconds may have decimals: `1:23:45.6`. They are
///   rounded to milliseconds by the fourth decimal. More than `i32::MAX` milliseconds are malformed.
/// * `clkc` has whole hundredths of a second, as Lichess wrote it for others (scalachess, `PgnMove`), `timestamp`
///   tenths.
/// * Evaluations are pawns with or without sign and decimals (`0.31`, `-1.5`, `+.5`, `12.`, `3`), rounded to centipawns
///   by the third decimal, away from zero; or moves until mate (`#3`, `#-3`, `#+3`). A depth may follow: `0.3,22`.
/// * An integer with a depth, `25,18`, is the form of ChessBase and already in centipawns. python-chess reads these as
///   pawns.
pub fn commands(comment: &[u8]) -> Commands<'_> {
    let Range { start, end } = inside_braces(comment);
    Commands { text: &comment[..end], at: start }
}

/// The iterator that [`commands`] returns.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    /// The comment without its closing brace.
    text: &'a [u8],
    /// The offset from which the next command is searched.
    at: usize,
}

impl Iterator for Commands<'_> {
    type Item = Command;

    #[inline]
    fn next(&mut self) -> Option<Command> {
        loop {
            let start = find_opening(self.text, self.at)?;
            let Some((kind, unit_ms, name_end)) = kind_at(self.text, start + 2) else {
                self.at = start + 2;
                continue;
            };
            let mut cursor = Cursor { text: self.text, at: name_end };
            let mut depth = None;
            let value = match (kind, unit_ms) {
                (CommandKind::Eval, _) => cursor.eval(&mut depth).map(CommandValue::Eval),
                (_, 0) => cursor.time().map(CommandValue::Milliseconds),
                _ => cursor.units(unit_ms).map(CommandValue::Milliseconds),
            };
            let end = match value {
                Some(_) => cursor.at,
                None => malformed_end(self.text, name_end),
            };
            self.at = end;
            return Some(Command { kind, span: start..end, value, depth });
        }
    }
}

/// What remains of a comment without its braces when all commands, of any name, are removed. A command without `]`
/// remains. Whitespace around a removed command becomes one space; at both ends of the result it is removed.
///
/// ```
/// use pgnmill_core::pgn::without_commands;
/// assert_eq!(&without_commands(b"{ [%csl Gd4] A draw [%clk 0:00:09] offer }")[..], b"A draw offer");
/// ```
pub fn without_commands(comment: &[u8]) -> Cow<'_, [u8]> {
    let text = &comment[inside_braces(comment)];
    let mut kept = Cow::Borrowed(&[][..]);
    // The rest from `at` on is searched from `from` on; `spaced`: whitespace separates it from what is kept.
    let (mut at, mut from, mut spaced) = (0, 0, false);
    while let Some(start) = find_opening(text, from) {
        match closed_end(text, start + 2) {
            Ok(end) => {
                spaced = keep(&mut kept, &text[at..start], spaced);
                (at, from) = (end, end);
            }
            Err(next) => from = next,
        }
    }
    keep(&mut kept, &text[at..], spaced);
    kept
}

/// Appends a part of a comment without the whitespace at its ends. `spaced`: whitespace comes before the part. Returns
/// whether whitespace comes after the part.
fn keep<'a>(kept: &mut Cow<'a, [u8]>, part: &'a [u8], spaced: bool) -> bool {
    let Some(first) = part.iter().position(|&byte| !is_whitespace(byte)) else {
        return spaced || !part.is_empty();
    };
    let last = part.iter().rposition(|&byte| !is_whitespace(byte)).unwrap_or(first);
    let trimmed = &part[first..=last];
    if kept.is_empty() {
        *kept = Cow::Borrowed(trimmed);
    } else {
        let kept = kept.to_mut();
        if spaced || first > 0 {
            kept.push(b' ');
        }
        kept.extend_from_slice(trimmed);
    }
    last + 1 < part.len()
}

/// The span of a comment without its braces; the closing brace is missing at the end of truncated texts.
#[inline(always)]
fn inside_braces(comment: &[u8]) -> Range<usize> {
    match comment {
        [b'{', .., b'}'] => 1..comment.len() - 1,
        [b'{', ..] => 1..comment.len(),
        _ => 0..comment.len(),
    }
}

/// The offset of the next `[%` from `at` on.
#[inline(always)]
fn find_opening(text: &[u8], at: usize) -> Option<usize> {
    // Most commands are at the start of the comment or one space after another command.
    match text.get(at..)? {
        [b'[', b'%', ..] => Some(at),
        [b' ', b'[', b'%', ..] => Some(at + 1),
        [] | [_] => None,
        _ => search_opening(text, at),
    }
}

#[inline(never)]
fn search_opening(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'[', &text[at..])?;
        if text.get(at + 1) == Some(&b'%') {
            return Some(at);
        }
        at += 1;
    }
}

/// The kind of the command whose name is at `at`, the milliseconds of the unit in which its value is a number, or 0,
/// and the end of the name: whitespace, `]` or the end of the text.
#[inline(always)]
fn kind_at(text: &[u8], at: usize) -> Option<(CommandKind, u64, usize)> {
    let (kind, unit_ms, end) = match text.get(at..)? {
        [b'c', b'l', b'k', b'c', ..] => (CommandKind::Clock, 10, at + 4),
        [b'c', b'l', b'k', ..] => (CommandKind::Clock, 0, at + 3),
        [b'e', b'v', b'a', b'l', ..] => (CommandKind::Eval, 0, at + 4),
        [b'e', b'm', b't', ..] => (CommandKind::Elapsed, 0, at + 3),
        [b't', b'i', b'm', b'e', b's', b't', b'a', b'm', b'p', ..] => {
            (CommandKind::Timestamp, 100, at + 9)
        }
        _ => return None,
    };
    let ends = text.get(end).is_none_or(|&byte| is_whitespace(byte) || byte == b']');
    ends.then_some((kind, unit_ms, end))
}

/// The byte after the `]` that closes a command, searched from `at` on; an error with the offset of the next `[%`, or
/// of the end of the text, if that comes first.
fn find_closing(text: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        at = match memchr2(b']', b'[', &text[at..]) {
            None => return Err(text.len()),
            Some(length) => at + length,
        };
        match text[at] {
            b']' => return Ok(at + 1),
            _ if text.get(at + 1) == Some(&b'%') => return Err(at),
            _ => at += 1,
        }
    }
}

/// The byte after a command of any name that begins at `at`; an error with the offset from which to search on if there
/// is no name or no `]`.
fn closed_end(text: &[u8], at: usize) -> Result<usize, usize> {
    match text.get(at) {
        Some(byte) if byte.is_ascii_alphanumeric() => find_closing(text, at),
        _ => Err(at),
    }
}

/// The byte after a malformed command whose name ends at `name_end`.
#[cold]
fn malformed_end(text: &[u8], name_end: usize) -> usize {
    find_closing(text, name_end).unwrap_or_else(|limit| {
        let rest = &text[name_end..limit];
        let word = rest.iter().position(|&byte| !is_whitespace(byte)).unwrap_or(0);
        let length = rest[word..].iter().position(|&byte| is_whitespace(byte));
        name_end + length.map_or(rest.len(), |length| word + length)
    })
}

/// The values of commands, from after the name to the `]`.
impl Cursor<'_> {
    /// The end of a value: whitespace and `]`.
    #[inline(always)]
    fn close(&mut self) -> Option<()> {
        self.skip_whitespace();
        self.accept(b']').then_some(())
    }

    /// A time from after the name to the `]`, in milliseconds.
    #[inline(always)]
    fn time(&mut self) -> Option<i32> {
        self.skip_whitespace();
        let mut seconds = u64::from(self.number()?);
        // Minutes and seconds of up to three fields.
        for _ in 0..2 {
            if !self.accept(b':') {
                break;
            }
            seconds = seconds * 60 + u64::from(self.number()?);
        }
        let thousandths = if self.accept(b'.') { self.decimals::<3>() } else { 0 };
        self.close()?;
        i32::try_from(seconds * 1_000 + u64::from(thousandths)).ok()
    }

    /// A number of units of time from after the name to the `]`, in milliseconds.
    #[inline(never)]
    fn units(&mut self, unit_ms: u64) -> Option<i32> {
        self.skip_whitespace();
        // A number of hundredths beyond those of `number` is no clock.
        let units = self.long_number()?;
        self.close()?;
        i32::try_from(units.cast_unsigned().checked_mul(unit_ms)?).ok()
    }

    /// An evaluation from after the name to the `]`; `depth`: that of the evaluation, if it has one.
    #[inline(always)]
    fn eval(&mut self, depth: &mut Option<i16>) -> Option<Eval> {
        self.skip_whitespace();
        if self.accept(b'#') {
            let is_negative = self.sign();
            let moves = self.number()?;
            *depth = self.depth()?;
            return Some(Eval::Mate(clamp(moves, is_negative)));
        }
        let is_negative = self.sign();
        let whole = self.number();
        let has_point = self.accept(b'.');
        let first_decimal = self.at;
        let hundredths = if has_point { self.decimals::<2>() } else { 0 };
        if whole.is_none() && self.at == first_decimal {
            return None;
        }
        let whole = whole.unwrap_or(0);
        *depth = self.depth()?;
        let in_centipawns = depth.is_some() && !has_point;
        let centipawns = if in_centipawns { whole } else { whole * 100 + hundredths };
        Some(Eval::Centipawns(clamp(centipawns, is_negative)))
    }

    /// The end of an evaluation, perhaps with a depth.
    #[inline(always)]
    fn depth(&mut self) -> Option<Option<i16>> {
        let depth = if self.accept(b',') { Some(clamp(self.number()?, false)) } else { None };
        self.close()?;
        Some(depth)
    }
}

#[cfg(test)]
mod tests {
    use pgnmill_dice::Dice;

    use super::*;

    /// The values of all commands of a comment, with their kinds.
    fn values(comment: &str) -> Vec<(CommandKind, Option<CommandValue>)> {
        commands(comment.as_bytes()).map(|command| (command.kind, command.value)).collect()
    }

    /// The milliseconds of a text, as the value of `clk` and `emt`, also with whitespace around it.
    fn milliseconds(text: &str) -> Option<i32> {
        let read = ["[%clk TEXT]", "{ [%emt TEXT] }", "x [%clk\n\tTEXT \r\n]"].map(|form| {
            match values(&form.replace("TEXT", text))[..] {
                [(CommandKind::Clock | CommandKind::Elapsed, value)] => value,
                ref other => panic!("{text}: {other:?}"),
            }
        });
        assert!(read.iter().all(|value| *value == read[0]), "{text}: {read:?}");
        read[0].map(|value| match value {
            CommandValue::Milliseconds(time) => time,
            CommandValue::Eval(_) => panic!("{text}: {value:?}"),
        })
    }

    fn evaluation(text: &str) -> Option<Eval> {
        match values(&format!("{{[%eval {text}]}}"))[..] {
            [(CommandKind::Eval, None)] => None,
            [(CommandKind::Eval, Some(CommandValue::Eval(eval)))] => Some(eval),
            ref other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn times_are_read_in_three_forms_with_decimals() {
        for (text, expected) in [
            ("0:03:00", 180_000),
            ("1:23:45.6", 5_025_600),
            ("0:00:00", 0),
            ("00:00:01", 1_000),
            ("2:03", 123_000),
            ("59", 59_000),
            ("0:00:02.", 2_000),
            ("7.25", 7_250),
            ("1:02.5", 62_500),
            ("0:00:00.0004", 0),
            ("0:00:00.0005", 1),
            ("0:00:00.00049999", 0),
            ("0:00:59.9995", 60_000),
            // Fields are not limited to 59, nor to two digits.
            ("0:90:61", 5_461_000),
            ("1:2:3", 3_723_000),
            ("0000000000000000000000001:00", 60_000),
            ("2147483.647", i32::MAX),
            ("2147483.6474", i32::MAX),
            ("596:31:23.647", i32::MAX),
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_times_are_malformed() {
        let digits = "9".repeat(100_000);
        for text in [
            "",
            "x",
            "-0:00:05",
            "+0:00:05",
            "0:00:05s",
            "0:00:-5",
            ":00:05",
            "0::05",
            "0:00:",
            "0:0:0:0",
            "0:00:.5",
            "0:00.5:00",
            "0:00:05,5",
            "0:00:05.5.5",
            "0 :00:05",
            "0:00:05 0",
            "½",
            "2147483.6475",
            "2147483.648",
            "596:31:23.648",
            "1000000:00:00",
            &digits,
            &format!("{digits}:{digits}:{digits}.{digits}"),
        ] {
            assert_eq!(milliseconds(text), None, "{}", &text[..text.len().min(30)]);
        }
    }

    #[test]
    fn evaluations_are_pawns_or_moves_until_mate() {
        use Eval::{Centipawns, Mate};
        for (text, expected) in [
            ("0.31", Centipawns(31)),
            ("-1.5", Centipawns(-150)),
            ("+.5", Centipawns(50)),
            (".05", Centipawns(5)),
            ("12.", Centipawns(1_200)),
            ("3", Centipawns(300)),
            ("-0.00", Centipawns(0)),
            ("0.3,22", Centipawns(30)),
            ("-2.,1", Centipawns(-200)),
            ("0.315", Centipawns(32)),
            ("-0.315", Centipawns(-32)),
            ("0.3149999", Centipawns(31)),
            ("0.995", Centipawns(100)),
            ("327.67", Centipawns(i16::MAX)),
            ("327.68", Centipawns(i16::MAX)),
            ("-1000000.1", Centipawns(-i16::MAX)),
            ("#3", Mate(3)),
            ("#-3", Mate(-3)),
            ("#+3", Mate(3)),
            ("#0", Mate(0)),
            ("#-12,40", Mate(-12)),
            ("#32768", Mate(i16::MAX)),
            ("#-99999999999999999999", Mate(-i16::MAX)),
            // ChessBase: centipawns.
            ("25,18", Centipawns(25)),
            ("-125,7", Centipawns(-125)),
            ("+40000,7", Centipawns(i16::MAX)),
            ("  0.5\n", Centipawns(50)),
        ] {
            assert_eq!(evaluation(text), Some(expected), "{text}");
        }
        let digits = "9".repeat(100_000);
        let clamped = Some(Centipawns(-i16::MAX));
        assert_eq!(evaluation(&format!("-{digits}.{digits},{digits}")), clamped);
        assert_eq!(evaluation(&format!("-{digits},{digits}")), clamped);
        for text in [
            "", "x", ".", "-", "+", "-.", "#", "#-", "#x", "#1.5", "--1", "+-1", "0.3,", ",5",
            "0.3,x", "0.3,-5", "0,3,5", "0.3 ,5", "0.3, 5", "1 2", "1e3", "1.5.", "# 3", "M3",
            "- 1",
        ] {
            assert_eq!(evaluation(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_four_names_are_commands() {
        for comment in [
            "",
            "{}",
            "{ }",
            "[",
            "[%",
            "[%]",
            "[%cl 1]",
            "[%clk1 1]",
            "[%clkcc 1]",
            "[%clk,1]",
            "[%Clk 1]",
            "[%CLK 1]",
            "[% clk 1]",
            "[ %clk 1]",
            "[%evals 1]",
            "[%eva 1]",
            "[%emtx 1]",
            "[%csl Gd4][%cal Gd4d5]",
            "[%timestamps 3]",
            "[%timestam 3]",
            "%clk 0:03:00]",
            "%eval 0.3",
        ] {
            assert_eq!(values(comment), [], "{comment}");
        }
        let tenths = |text| values(&format!("{{[%timestamp {text}]}}"))[0].1;
        assert_eq!(tenths("31"), Some(CommandValue::Milliseconds(3_100)));
        assert_eq!(tenths(" 0 "), Some(CommandValue::Milliseconds(0)));
        let hundredths = |text| values(&format!("{{[%clkc {text}]}}"))[0];
        let clock = |ms| (CommandKind::Clock, Some(CommandValue::Milliseconds(ms)));
        assert_eq!(hundredths("18000"), clock(180_000));
        assert_eq!(hundredths(" 214748364 "), clock(2_147_483_640));
        for text in ["", "-1", "1.5", "x", "214748365", "99999999999999999999"] {
            assert_eq!(tenths(text), None, "{text}");
            assert_eq!(hundredths(text).1, None, "{text}");
        }
        let read = values("{a [%csl Gd4][%eval 0.1][%emt 1]b [b] [%x [%clk\u{b}2:00]}");
        let kinds: Vec<_> = read.iter().map(|command| command.0).collect();
        assert_eq!(kinds, [CommandKind::Eval, CommandKind::Elapsed, CommandKind::Clock]);
        assert!(read.iter().all(|command| command.1.is_some()));
    }

    #[test]
    fn spans_end_at_the_bracket_or_after_the_first_word() {
        for (comment, expected) in [
            ("{ [%clk 0:03:00] }", "[%clk 0:03:00]"),
            ("[%clk]", "[%clk]"),
            ("a[%clk ]b", "[%clk ]"),
            ("[%clk x y]", "[%clk x y]"),
            ("[%clk [x] y]", "[%clk [x]"),
            ("{[%clk}", "[%clk"),
            ("[%clk ", "[%clk"),
            ("{ [%clk 0:03:00 }", "[%clk 0:03:00"),
            ("{[%clk 0:03:00}", "[%clk 0:03:00"),
            ("[%clk  0:03:00 and more [text", "[%clk  0:03:00"),
            ("{[%clk 0:03:00", "[%clk 0:03:00"),
        ] {
            let read: Vec<_> = commands(comment.as_bytes()).collect();
            assert_eq!(read.len(), 1, "{comment}");
            assert_eq!(&comment[read[0].span.clone()], expected, "{comment}");
            assert_eq!(read[0].value.is_some(), expected.contains("0]"), "{comment}");
        }
        let comment = "[%clk 0:03:00 [%eval 0.5] [%emt[%emt 5]";
        let spans: Vec<_> =
            commands(comment.as_bytes()).map(|command| &comment[command.span]).collect();
        assert_eq!(spans, ["[%clk 0:03:00", "[%eval 0.5]", "[%emt 5]"]);
    }

    #[test]
    fn the_rest_of_a_comment_has_no_command() {
        for (comment, expected) in [
            ("", ""),
            ("{}", ""),
            ("{ [%eval 0.17] [%clk 0:00:30] }", ""),
            ("{ Best by test. [%clk 0:00:30] }", "Best by test."),
            ("{[%csl Gd4,Rd5][%cal Ge4d5]Best}", "Best"),
            ("a [%x] b", "a b"),
            ("a[%x]b", "ab"),
            ("a[%x]\nb", "a b"),
            ("a  [%x] \r\n [%y] [%z]b", "a b"),
            ("a[%x] [%y]b", "a b"),
            ("  two  spaces  ", "two  spaces"),
            ("a [%clk 0:01 b [%x] c", "a [%clk 0:01 b c"),
            ("a [% b] [c] [%", "a [% b] [c] [%"),
            ("[%tqu \"En\",\"Which move?\"] a [%evp 0,2,19,-8]", "a"),
            ("[%clk x]½", "½"),
        ] {
            let rest = without_commands(comment.as_bytes());
            assert_eq!(std::str::from_utf8(&rest), Ok(expected), "{comment}");
            let joined = ["a b", "ab", "a [%clk 0:01 b c"].contains(&expected);
            assert_eq!(matches!(rest, Cow::Owned(_)), joined, "{comment}");
        }
    }

    /// A text of pieces that commands consist of, and of any bytes.
    fn any_text(dice: &mut Dice) -> Vec<u8> {
        let pieces = [
            "[%clk 7]",
            "[%eval 0.3]",
            "[%clk ",
            "[%eval ",
            "[%emt ",
            "[%csl ",
            "]",
            "[",
            "%",
            "0",
            "12",
            ":",
            ".",
            "-",
            "+",
            "#",
            ",",
            " ",
            "\n",
            "a",
            "½",
            "clk",
            "0:01:02]",
            "}",
            "0.3",
        ];
        let mut text = Vec::new();
        for _ in 0..dice.below(14) {
            match dice.below(8) {
                0 => text.push(dice.roll() as u8),
                _ => text.extend_from_slice(dice.one(&pieces).as_bytes()),
            }
        }
        text
    }

    #[test]
    fn any_bytes_have_commands_in_order_and_each_alone_is_the_same() {
        let mut dice = Dice::new(16);
        let (mut read, mut malformed) = (0, 0);
        for _ in 0..200_000 {
            let text = any_text(&mut dice);
            if text.first() == Some(&b'{') {
                continue;
            }
            let found: Vec<_> = commands(&text).collect();
            let mut last = 0;
            for command in &found {
                let Range { start, end } = command.span;
                assert!(last <= start && start + 5 <= end && end <= text.len(), "{text:?}");
                last = end;
                let alone: Vec<_> = commands(&text[start..end]).collect();
                assert_eq!(alone, [Command { span: 0..end - start, ..command.clone() }]);
                match command.value {
                    Some(_) => assert_eq!(text[end - 1], b']', "{text:?}"),
                    None => malformed += 1,
                }
                read += 1;
            }
            let braced = [b"{", &text[..], b"}"].concat();
            let shift = |command: &Command| {
                let span = command.span.start + 1..command.span.end + 1;
                Command { span, ..command.clone() }
            };
            let shifted: Vec<_> = found.iter().map(shift).collect();
            assert_eq!(commands(&braced).collect::<Vec<_>>(), shifted, "{text:?}");
            assert_eq!(without_commands(&braced), without_commands(&text), "{text:?}");
        }
        assert!(
            read > 100_000 && (20_000..read - 20_000).contains(&malformed),
            "{read} {malformed}"
        );
    }

    #[test]
    fn the_rest_has_all_other_bytes_in_order() {
        let mut dice = Dice::new(17);
        let solid = |text: &[u8]| -> Vec<u8> {
            text.iter().copied().filter(|&byte| !is_whitespace(byte)).collect()
        };
        for _ in 0..100_000 {
            let text = any_text(&mut dice);
            let text = text.strip_prefix(b"{").unwrap_or(&text);
            // The same by the shortest `[%` + name + `]` without another `[%` inside.
            let mut expected = text.to_vec();
            let mut at = 0;
            while at + 2 < expected.len() {
                let tail = &expected[at..];
                let close = tail.iter().position(|&byte| byte == b']');
                let next = tail[2..].windows(2).position(|pair| pair == b"[%").map(|n| n + 2);
                let named = tail.starts_with(b"[%") && tail[2].is_ascii_alphanumeric();
                match close {
                    Some(close) if named && next.is_none_or(|next| close < next) => {
                        // A space, so that what is left does not become a command.
                        expected.splice(at..=at + close, *b" ");
                    }
                    _ => at += 1,
                }
            }
            let rest = without_commands(text);
            assert_eq!(solid(&rest), solid(&expected), "{text:?}");
            let ends = [rest.first(), rest.last()];
            assert!(ends.into_iter().flatten().all(|&byte| !is_whitespace(byte)), "{text:?}");
        }
    }

    #[test]
    fn formatted_values_are_read_back() {
        let mut dice = Dice::new(18);
        for _ in 0..50_000 {
            let time = (dice.roll() >> (33 + dice.below(31))) as i32;
            let (seconds, thousandths) = (time / 1_000, time % 1_000);
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let text =
                format!("{}:{:02}:{seconds:02}.{thousandths:03}", minutes / 60, minutes % 60);
            assert_eq!(milliseconds(&text), Some(time), "{text}");
            let centipawns = (dice.roll() as i16).max(-i16::MAX);
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, hundredths) =
                (centipawns.unsigned_abs() / 100, centipawns.unsigned_abs() % 100);
            let text = format!("{sign}{pawns}.{hundredths:02}");
            assert_eq!(evaluation(&text), Some(Eval::Centipawns(centipawns)), "{text}");
            let text = format!("{centipawns},{}", dice.below(99));
            assert_eq!(evaluation(&text), Some(Eval::Centipawns(centipawns)), "{text}");
            let text = format!("#{centipawns}");
            assert_eq!(evaluation(&text), Some(Eval::Mate(centipawns)), "{text}");
        }
    }

    /// Each takes a fraction of a second; quadratic work would take hours.
    #[test]
    fn long_comments_cost_linear_time() {
        for (piece, count) in [
            ("[%clk ", 200_000),
            ("[%clk 0:00:01", 200_000),
            ("[%clk 0:00:01] ", 200_000),
            ("[%eval ", 200_000),
            ("[%clk [", 200_000),
            ("[%clk]", 200_000),
            ("[%", 0),
            ("[", 0),
            ("[%x", 0),
            ("[%x] a", 0),
            (" ", 0),
        ] {
            for start in ["", "[%clk", "[%clk 9"] {
                let text = [start, &piece.repeat(200_000)].concat();
                let found = commands(text.as_bytes()).count();
                // The first command can end in a name that the first piece continues.
                let extra = usize::from(!start.is_empty());
                assert!((count..=count + extra).contains(&found), "{start} {piece}: {found}");
                assert!(without_commands(text.as_bytes()).len() <= text.len());
            }
        }
    }
}
