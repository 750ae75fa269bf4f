//! Hostile shapes: texts made to break a reader are read to their end, balance to the byte, and cost as much a byte
//! when they are long as when they are short.
//!
//! The shapes are those of `tests/reading/hostile.tsv`. Time is that of the clock, on a machine that others use too:
//! only quadratic growth is found here. `scripts/hostile.py` counts instructions, up to 100 MB.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::time::{Duration, Instant};

use crate::common::{thinned, trials};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation;
use pgnmill_core::pgn::{Digits, tag_section_end};
use pgnmill_core::tasks::select::Edits;
use pgnmill_io::archive::Options;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Convert, Ledger, Run, Task, run, run_of};

/// Bytes of a short text and of a long one.
fn short_bytes() -> usize {
    trials(8_000, 25_000, 100_000)
}

fn long_bytes() -> usize {
    16 * short_bytes()
}
/// A byte of the long text may take so many times what one of the short takes: a square would take sixteen.
const GROWTH_MAX: u32 = 6;

/// A row of the table.
struct Shape {
    name: String,
    first: Vec<u8>,
    unit: Vec<u8>,
    last: Vec<u8>,
}

fn unescape(field: &str) -> Vec<u8> {
    let (mut bytes, mut signs) = (Vec::new(), field.bytes());
    while let Some(sign) = signs.next() {
        if sign != b'\\' {
            bytes.push(sign);
            continue;
        }
        bytes.push(match signs.next().expect("a sign after the backslash") {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            b'\\' => b'\\',
            b'x' => {
                let digits: Vec<u8> = signs.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("ASCII");
                u8::from_str_radix(&digits, 16).expect("two digits")
            }
            other => panic!("\\{} is no escape", other as char),
        });
    }
    bytes
}

fn shapes() -> Vec<Shape> {
    let rows = include_str!("hostile.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, first, unit, last] = fields[..] else { panic!("four fields: {row}") };
        let unit = if unit.starts_with('@') { random(unit == "@text") } else { unescape(unit) };
        Shape { name: name.to_string(), first: unescape(first), unit, last: unescape(last) }
    })
    .collect()
}

/// Random bytes, of any value or of those that mean something.
fn random(meant: bool) -> Vec<u8> {
    const BYTES: &[u8] = b"[]{}()\";%\\\r\n .*$!?-=+#0123456789abcdefghKQRBNO\0\xEF\xFF\xC2";
    let mut dice = Dice::new(0x2545_F491_4F6C_DD1D);
    let byte = |_| if meant { dice.one(BYTES) } else { dice.below(256) as u8 };
    (0..65_536).map(byte).collect()
}

impl Shape {
    fn text(&self, bytes: usize) -> Vec<u8> {
        let mut text = self.first.clone();
        while text.len() < bytes {
            text.extend_from_slice(&self.unit);
        }
        text.extend_from_slice(&self.last);
        text
    }
}

/// What a text comes to, and how long that took.
fn read(how: &Run, text: &[u8], what: &str) -> (Ledger, Duration) {
    let folder = Scratch::new();
    let input = [folder.put("archive.pgn", text)];
    let start = Instant::now();
    let ledger = run(how, &input).unwrap_or_else(|error| panic!("{what}: {error}"));
    let took = start.elapsed();
    ledger[0].check(text.len(), what);
    for fault in &ledger[0].faults {
        assert!(fault.text.len() + fault.detail.len() < 2_000, "{what}: {} told", fault.kind);
    }
    (ledger.into_iter().next().expect("one archive"), took)
}

#[test]
fn hostile_shapes_balance_and_cost_as_much_a_byte_when_they_are_long() {
    linear(Task::Validate, Rejects::Apart);
}

#[test]
fn hostile_shapes_are_converted_in_linear_time() {
    let to = |name| notation::find(name).expect("a notation");
    linear(Task::Convert(Convert { to_utf8: true, ..Convert::to(to("uci")) }), Rejects::Kept);
    linear(Task::convert(to("san")), Rejects::Dropped);
}

/// Holds all shapes to it that a task costs as much per byte of a long text as of a short one.
fn linear(task: Task, rejects: Rejects) {
    let mut how = run_of(task, rejects);
    how.options = Options::default();
    let mut grows = Vec::new();
    let shapes = shapes();
    for shape in &shapes {
        let (short, long) = (shape.text(short_bytes()), shape.text(long_bytes()));
        // Another process may disturb one trial, but hardly each.
        let steady = (0..16).any(|_| {
            let (_, least) = read(&how, &short, &shape.name);
            let (_, most) = read(&how, &long, &shape.name);
            most < least * GROWTH_MAX * (long_bytes() / short_bytes()) as u32
        });
        if !steady {
            grows.push(&shape.name);
        }
    }
    println!("{} shapes", shapes.len());
    assert!(grows.is_empty(), "the cost of a byte grows: {grows:?}");
}

/// Edits of one game, whatever its text.
#[test]
fn hostile_shapes_are_edited_in_linear_time() {
    let edits = Edits {
        clocks: true,
        evals: true,
        nags: true,
        variations: true,
        set: vec![("Site".to_string(), "b".to_string())],
        remove: vec!["Event".to_string(), "X".to_string()],
        ..Edits::default()
    };
    // Text that is first repeated and then, as often, other text.
    let mirrored = [("variations-closed", "(", ")"), ("gap-of-lines", "\n", "$1 ")]
        .map(|(name, unit, other)| (name, "[Event \"a\"]\n\n1. e4 ", unit, other));
    let commands = ("commands-after-space", "[Event \"a\"]\n\n1. e4 {", " ", "[%clk 1]");
    let text_of = |(_, first, unit, other): &(&str, &str, &str, &str), bytes: usize| {
        let half = bytes / 2;
        let other = other.repeat(half / other.len());
        format!("{first}{}{other}}} *\n", unit.repeat(half / unit.len())).into_bytes()
    };
    let mut texts: Vec<(String, [Vec<u8>; 2])> = Vec::new();
    for shape in shapes() {
        texts.push((
            shape.name.clone(),
            [short_bytes(), long_bytes()].map(|bytes| shape.text(bytes)),
        ));
    }
    for row in mirrored.into_iter().chain([commands]) {
        let sizes = [short_bytes(), long_bytes()];
        texts.push((row.0.to_string(), sizes.map(|bytes| text_of(&row, bytes))));
    }
    let elapsed = |text: &[u8]| {
        let begun = Instant::now();
        let edited = edits.apply(text, tag_section_end(text), Digits::Never);
        assert!(edited.len() <= text.len() + 20);
        begun.elapsed()
    };
    let grows = |[short, long]: &[Vec<u8>; 2]| {
        let factor = GROWTH_MAX * (long_bytes() / short_bytes()) as u32;
        !(0..16).any(|_| elapsed(long) < elapsed(short).max(Duration::from_micros(200)) * factor)
    };
    let grown: Vec<&str> =
        texts.iter().filter(|(_, pair)| grows(pair)).map(|(name, _)| name.as_str()).collect();
    assert!(grown.is_empty(), "the cost of a byte grows: {grown:?}");
}

/// Cut small, so that games are too long to hold and jobs are many.
#[test]
fn hostile_shapes_are_the_same_cut_small_and_compressed() {
    let mut how = run_of(Task::Validate, Rejects::Apart);
    how.options.game_bytes_max = 8_000;
    how.options.batch_stored_bytes = 1;
    for shape in thinned(3, shapes()) {
        let text = shape.text(12_000);
        let (plain, _) = read(&how, &text, &shape.name);
        how.threads = 2;
        assert_eq!(read(&how, &text, &shape.name).0, plain, "{}: two threads", shape.name);
        how.threads = 1;
        let frames: Vec<u8> = text
            .chunks(3_000)
            .flat_map(|piece| zstd::bulk::compress(piece, 1).expect("memory"))
            .collect();
        for stored in [zstd::bulk::compress(&text, 1).expect("memory"), frames] {
            let folder = Scratch::new();
            let ledger = run(&how, &[folder.put("archive.zst", &stored)]);
            let ledger = ledger.unwrap_or_else(|error| panic!("{}: {error}", shape.name));
            assert_eq!(ledger[0], plain, "{}: compressed", shape.name);
        }
    }
}
