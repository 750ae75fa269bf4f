//! Each form against regular expressions that are written apart from the readers, over printed comments, mutated ones
//! and any bytes.

use pgnmill_dice::{Dice, trials};
use regex::bytes::{Captures, Regex};

use super::*;
use crate::pgn::command::Eval;

/// What a comment is, by regular expressions.
#[derive(Clone, PartialEq, Debug, Default)]
struct Read {
    form: &'static str,
    eval: Option<Eval>,
    view: EvalView,
    depth: Option<i16>,
    seldepth: Option<i16>,
    nodes: Option<i64>,
    time: Option<i32>,
    speed: Option<i64>,
    tb_hits: Option<i64>,
    pv: Option<Vec<u8>>,
}

/// The expressions; `W` is whitespace, `L` a line end that may be within a number.
struct Oracle {
    forms: Vec<(&'static str, Regex)>,
    item: Regex,
    unclosed: Regex,
    near: Regex,
    score: Regex,
    hours: Regex,
}

const FORM_TEXTS: [(&str, &str); 8] = [
    ("c-chess-cli", r"^(?<score>-?M?\d+)/L(?<depth>\d+)W+(?<ms>\d+)msW*$"),
    (
        "cutechess",
        r"^(?:\((?<pv>[^()]+)\)W+)?(?:ERR|(?<score>[+-]?(?:M\d+|\d+\.L\d+)))?/L(?<depth>\d+)(?:/(?<nodes>\d+))?W+(?:(?<s>\d+(?:\.\d+)?)s|(?<ms>\d+)ms)W*(?:$|,(?<items>.*))",
    ),
    ("cutechess", r"^(?<s>\d+(?:\.\d+)?)sW*(?:$|,(?<items>.*))"),
    (
        "xboard",
        r"^(?:\((?<pv>[^()]+)\)W+)?(?<score>[+-]?(?:M\d+|\d+\.L\d+))/L(?<depth>\d+)(?:W+(?:(?<minutes>\d+):(?<two>\d\d)|(?<s>\d+(?:\.\d+)?)|[+-]\d+))?W*(?:$|[,;])",
    ),
    (
        "chessbase",
        r"^(?<score>#-?\d+|-#\d+|-?\d+\.L\d+)/L(?<depth>\d+)W+(?<s>\d+(?:\.\d+)?)(?:W*(?<move>\([A-Za-z0-9+#=-]+\)))?W*$",
    ),
    (
        "banksia",
        r"^(?<score>[+-]?(?:M\d+|\d+\.L\d+))/L(?<depth>\d+)W+(?<ms>\d+)W+(?<nodes>\d+)W*(?:$|[,;])",
    ),
    ("book", r"^book(?:W*$|, mb=|[ \t\n\f\r]*0s[ \t\n\f\r]*$)"),
    ("tcec", r"^(?<items>(?:d|ev)=.*)$"),
];

impl Oracle {
    fn new() -> Oracle {
        let regex = |text: &str| {
            let text = text.replace('W', r"[\x00-\x20]").replace('L', r"\r?\n?");
            Regex::new(&format!("(?s-u){text}")).unwrap()
        };
        Oracle {
            forms: FORM_TEXTS.iter().map(|(name, text)| (*name, regex(text))).collect(),
            item: regex(
                r#"^W*(?:(?<key>[A-Za-z0-9]+)=(?:"(?<quoted>[^"]*)"[^,]*|(?<value>(?:[^",][^,]*)?))|(?<other>[^,]*))(?<more>,|$)"#,
            ),
            unclosed: regex(r#"^W*[A-Za-z0-9]+=""#),
            near: regex(
                r"^(?:ev=|d=\d|(?:\([^()]+\)W+)?(?:[+-]?M\d+|[+-]?#\d+|#-\d+|[+-]?\d+\.L\d+)/\d)",
            ),
            score: regex(r"^(?:[+-]?M\d+|[+-]?#\d+|#-\d+|[+-]?\d+\.L\d+)$"),
            hours: regex(r"^(\d+):(\d+):(\d+)$"),
        }
    }

    /// The form and what it has; whether a text that has none is near one.
    fn read(&self, text: &[u8]) -> (Option<Read>, bool) {
        let start = text.iter().position(|&byte| byte > b' ').unwrap_or(text.len());
        let text = &text[start..];
        for (name, regex) in &self.forms {
            if let Some(captures) = regex.captures(text)
                && let Some(read) = self.of_form(name, &captures)
            {
                return (Some(read), false);
            }
        }
        (None, self.near.is_match(text))
    }

    fn of_form(&self, form: &'static str, captures: &Captures<'_>) -> Option<Read> {
        let text = |name| captures.name(name).map(|found| found.as_bytes());
        let mut read = Read { form, pv: text("pv").map(<[u8]>::to_vec), ..Read::default() };
        read.depth = text("depth").map(short);
        read.nodes = text("nodes").and_then(long);
        read.time = match (text("s"), text("ms"), text("minutes"), text("two")) {
            (Some(seconds), ..) => Some(thousandths(seconds)?),
            (_, Some(ms), ..) => Some(i32::try_from(long(ms)?).ok()?),
            (.., Some(minutes), Some(two)) => {
                let seconds = long(minutes)?.checked_mul(60)?.checked_add(long(two)?)?;
                Some(i32::try_from(seconds.checked_mul(1_000)?).ok()?)
            }
            _ => None,
        };
        let score = text("score").unwrap_or_default();
        let is_zero = !score.iter().any(|byte| b"M#123456789".contains(byte));
        let has = |byte| score.contains(&byte);
        read.eval = (!score.is_empty()).then(|| eval(score, form == "c-chess-cli"));
        // Hundredths below one are 0.
        let is_zero = is_zero || read.eval == Some(Eval::Centipawns(0));
        read.view = match form {
            "c-chess-cli" => EvalView::Mover,
            "cutechess" if text("depth").is_none() => EvalView::Unknown,
            "cutechess" => EvalView::Mover,
            "xboard" if has(b'+') || has(b'M') || read.pv.is_some() && (has(b'-') || is_zero) => {
                EvalView::Mover
            }
            "xboard" if has(b'-') || is_zero => EvalView::OfGame,
            "xboard" => return None,
            "chessbase" if has(b'#') || text("move").is_some() || !has(b'-') && !is_zero => {
                EvalView::White
            }
            "chessbase" => return None,
            "tcec" => EvalView::White,
            _ => EvalView::Unknown,
        };
        match text("items") {
            Some(items) => self.items(items, read),
            None => Some(read),
        }
    }

    fn items(&self, mut rest: &[u8], mut read: Read) -> Option<Read> {
        let is_tcec = read.form == "tcec";
        let [mut ev, mut wv] = [None, None];
        loop {
            let item = self.item.captures(rest)?;
            if item.name("other").is_some() && self.unclosed.is_match(rest) {
                return None;
            }
            let value = item.name("quoted").map(|found| found.as_bytes());
            let value =
                value.or(item.name("value").map(|found| found.as_bytes().trim_ascii_blank()));
            if let (Some(key), Some(value)) = (item.name("key"), value) {
                match (key.as_bytes(), is_tcec) {
                    (b"ev", true) => ev = Some(self.score_of(value)?),
                    (b"wv", true) => wv = Some(self.score_of(value)?),
                    (b"d", true) => read.depth = Some(short_of(value)?),
                    (b"sd", _) => read.seldepth = Some(short_of(value)?),
                    (b"mt", true) => read.time = Some(self.time(value)?),
                    (b"n", _) => read.nodes = counted(value)?,
                    (b"nps", false) => read.speed = counted(value)?,
                    (b"s", true) => {
                        read.speed = match value.strip_suffix(b" kN/s") {
                            Some(thousands) => {
                                counted(thousands)?.and_then(|it| it.checked_mul(1_000))
                            }
                            None => counted(value)?,
                        };
                    }
                    (b"tb", true) if value == b"null" => {}
                    (b"tb", _) | (b"tbhits", false) => read.tb_hits = counted(value)?,
                    (b"pv", _) if !value.is_empty() => read.pv = Some(value.to_vec()),
                    _ => {}
                }
            }
            if item.name("more").unwrap().is_empty() {
                break;
            }
            rest = &rest[item.get(0).unwrap().end()..];
        }
        if is_tcec {
            read.eval = wv.or(ev);
            read.time?;
        }
        Some(read)
    }

    fn score_of(&self, value: &[u8]) -> Option<Eval> {
        self.score.is_match(value).then(|| eval(value, false))
    }

    fn time(&self, value: &[u8]) -> Option<i32> {
        let Some(found) = self.hours.captures(value) else {
            return i32::try_from(long(value)?).ok();
        };
        let field = |index| number(found.get(index).unwrap().as_bytes());
        // Minutes and seconds beyond four millions are read as that.
        let [minutes, seconds] = [field(2), field(3)].map(|field| field.min(u128::from(u32::MAX)));
        let ms = (field(1) * 3_600 + minutes * 60 + seconds) * 1_000;
        i32::try_from(ms).ok()
    }
}

trait Blanks {
    fn trim_ascii_blank(&self) -> &[u8];
}

impl Blanks for [u8] {
    fn trim_ascii_blank(&self) -> &[u8] {
        let is_text = |byte: &u8| *byte > b' ';
        let start = self.iter().position(is_text).unwrap_or(self.len());
        &self[start..self.iter().rposition(is_text).map_or(start, |last| last + 1)]
    }
}

/// A number of any length, at most 10^30.
fn number(digits: &[u8]) -> u128 {
    digits.iter().fold(0, |number: u128, digit| {
        (number * 10 + u128::from(digit - b'0')).min(10_u128.pow(30))
    })
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

fn short(digits: &[u8]) -> i16 {
    number(digits).min(32_767) as i16
}

fn short_of(text: &[u8]) -> Option<i16> {
    is_digits(text).then(|| short(text))
}

/// A number, or that it is beyond 63 bits.
fn counted(text: &[u8]) -> Option<Option<i64>> {
    is_digits(text).then(|| long(text))
}

fn long(text: &[u8]) -> Option<i64> {
    if is_digits(text) { i64::try_from(number(text)).ok() } else { None }
}

fn thousandths(text: &[u8]) -> Option<i32> {
    let mut fields = text.split(|&byte| byte == b'.');
    let whole = number(fields.next()?);
    let decimals = [fields.next().unwrap_or_default(), b"0000"].concat();
    let thousandths = number(&decimals[..3]) + u128::from(decimals[3] >= b'5');
    i32::try_from(whole * 1_000 + thousandths).ok()
}

fn eval(text: &[u8], in_hundredths: bool) -> Eval {
    let is_negative = text.contains(&b'-');
    let digits =
        |text: &[u8]| -> Vec<u8> { text.iter().copied().filter(u8::is_ascii_digit).collect() };
    let signed = |number: u128| (number.min(32_767) as i16) * if is_negative { -1 } else { 1 };
    match () {
        () if text.contains(&b'M') => Eval::Mate(signed(number(&digits(text)).div_ceil(2))),
        () if text.contains(&b'#') => Eval::Mate(signed(number(&digits(text)))),
        () if in_hundredths => Eval::Centipawns(signed(number(&digits(text)))),
        () => {
            let point = text.iter().position(|&byte| byte == b'.').unwrap();
            let decimals = [&digits(&text[point..])[..], b"000"].concat();
            let hundredths = number(&decimals[..2]) + u128::from(decimals[2] >= b'5');
            Eval::Centipawns(signed(number(&digits(&text[..point])) * 100 + hundredths))
        }
    }
}

/// What the readers have, in the form of the oracle.
fn found(text: &[u8]) -> (Option<Read>, bool) {
    match engine_comment(text) {
        Found::Nothing => (None, false),
        Found::Unreadable => (None, true),
        Found::Comment(form, comment) => {
            let EngineComment { eval, view, depth, seldepth, nodes, time, speed, tb_hits, .. } =
                comment;
            let pv = comment.pv_span().map(|span| text[span].to_vec());
            let form = form.name;
            let read = Read { form, eval, view, depth, seldepth, nodes, time, speed, tb_hits, pv };
            (Some(read), false)
        }
    }
}

/// Texts near all forms: the examples, and what else their writers write.
fn printed(dice: &mut Dice) -> String {
    let examples: Vec<&str> = FORMS.iter().flat_map(|form| form.examples).copied().collect();
    let scores = [
        "+1.16", "-0.30", "0.00", "M13", "-M12", "#5", "-#7", "0.75", "+0.3", "31", "-4", "ERR", "",
    ];
    let times =
        ["0.022s", "12s", "338ms", "45", "1:05", "1.5", "+300", "2424 1511177", "126 (Rh6)", "0"];
    let ends =
        ["", ", White mates", ", n=5, pv=\"e2e4, e7e5\"", "; in check", " ", ", line=\"a, b", ",,"];
    match dice.below(3) {
        0 => dice.one(&examples).to_string(),
        1 => {
            let pv = dice.one(&["", "", "(Nf6) ", "(Nf6 d4) ", "() "]);
            let (score, time) = (dice.one(&scores), dice.one(&times));
            format!("{pv}{score}/{} {time}{}", dice.below(300), dice.one(&ends))
        }
        _ => {
            let keys = ["d", "ev", "wv", "sd", "n", "s", "mt", "tb", "pv", "tl", "mb", "pd"];
            let values = [
                "24",
                "0.31",
                "-M12",
                "00:01:02",
                "4485 kN/s",
                "null",
                "Nc3 a5",
                "",
                "\"x\"",
                "#9",
            ];
            let item = |dice: &mut Dice| format!("{}={}, ", dice.one(&keys), dice.one(&values));
            let items: String = (0..dice.below(4)).map(|_| item(dice)).collect();
            format!("d={}, mt={}, {items}White mates", dice.below(40), dice.below(9_999))
        }
    }
}

fn mutated(dice: &mut Dice) -> Vec<u8> {
    let mut text = printed(dice).into_bytes();
    for _ in 0..dice.below(4) {
        let at = dice.below(text.len() + 1);
        let byte = dice.one(b"0123456789+-./M#,;=\"()sm dne\n\r\xff\0:b");
        match dice.below(3) {
            0 => text.insert(at, byte),
            1 if at < text.len() => text[at] = byte,
            _ if at < text.len() => {
                text.remove(at);
            }
            _ => text.push(byte),
        }
    }
    text
}

#[test]
fn comments_are_read_as_regular_expressions_read_them() {
    let oracle = Oracle::new();
    let mut dice = Dice::new(68);
    let mut counts = [0; 3];
    for _ in 0..trials(15_000, 300_000, 3_000_000) {
        let text = mutated(&mut dice);
        let (expected, is_near) = oracle.read(&text);
        let shown = String::from_utf8_lossy(&text);
        counts[if expected.is_some() { 0 } else { 1 + usize::from(is_near) }] += 1;
        assert_eq!(found(&text), (expected, is_near), "{shown:?}");
    }
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
}

#[test]
fn examples_are_of_their_form_and_have_no_two_names() {
    for form in &FORMS {
        for example in form.examples {
            let (read, _) = found(example.as_bytes());
            assert_eq!(read.map(|read| read.form), Some(form.name), "{example}");
        }
        assert_eq!(FORM_NAMES[form.index()], form.name);
        assert!(!form.examples.is_empty() && !form.doc.is_empty() && !form.writers.is_empty());
    }
    let names: std::collections::BTreeSet<&str> = FORM_NAMES.into();
    assert_eq!(names.len(), FORM_NAMES.len());
}

/// Prose, numbers of chess and of life: nothing is read, and nothing has the look of a form.
#[test]
fn prose_is_nothing() {
    for text in [
        "",
        " ",
        "+- is winning",
        "-+",
        "+0.5",
        "+0.31",
        "1.5 points",
        "12/3 was better",
        "1/2",
        "1/2-1/2",
        "12/03/2005",
        "31/12",
        "40/7200",
        "e4 was better",
        "d4!",
        "d5 is weak",
        "best by test",
        "book move",
        "bookish",
        "even",
        "M13",
        "Mate in 3",
        "#3",
        "0",
        "0.00",
        "(a joke)",
        "(Nf6)",
        "Earlier games",
        "5 s",
        "10 seconds left",
        "+1",
        "-",
        "+",
        "White mates",
        "/",
        "/x",
        "2.",
        "2.5.2005",
        "= 0.31/12",
        "eval 0.31/12 5s",
        "D=5, mt=3",
        "deep",
        "evening",
    ] {
        assert_eq!(engine_comment(text.as_bytes()), Found::Nothing, "{text}");
    }
    for text in [
        "+1.16/8 or so",
        "0.31/12",
        "+0.31/12 5 and more",
        "1.5/2 points",
        "d=24",
        "ev=0.3",
        "d=5, mt=x",
        "+M3/4s",
        "+0.3/12 5x",
        "d=5, mt=4, n=9x",
        "+0.3/12 99999999999s",
        "-0.3/12 5 (",
        "#3/12",
        "0.31/12 0.5s, pv=\"e4",
        "+0.31/12 0.5s; x",
        "d=1, mt=00:00",
    ] {
        assert_eq!(engine_comment(text.as_bytes()), Found::Unreadable, "{text}");
    }
}

/// Each takes a fraction of a second; quadratic work would take hours.
#[test]
fn long_comments_cost_linear_time() {
    for piece in [
        "(",
        "(a",
        "d=1, mt=2, ",
        "0.31/12 0.5s, ",
        ",",
        "=",
        "pv=\"",
        "+",
        "9",
        "M",
        "0.3/1 ",
        " ",
        "a=1,",
    ] {
        for start in ["", "0.31/12 0.5s, ", "d=1, mt=1, ", "("] {
            let text = [start, &piece.repeat(1_000_000)].concat();
            let _ = engine_comment(text.as_bytes());
        }
    }
}
