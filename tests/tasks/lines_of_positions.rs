//! EPD and FEN files as inputs: what is read of them, and what is written.
//!
//! In: random positions of every ruleset that shakmaty has, with operations; the generated archive. Laws: a line is
//! rejected if and only if shakmaty does not accept its position or a move of it; each line is counted once, whatever
//! its bytes are, and everything that is written is the same for any block, thread and container; a file that is
//! converted to a notation and back has its very bytes; what `export` writes is accepted; python-chess agrees about
//! lines that were changed, named differences apart.

use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::AtomicBool;

use pgnmill_needs::needs;
use shakmaty::san::{San, SanPlus};
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{CastlingMode, EnPassantMode, Move, Position as _, Role, Square, fen::Fen};

use crate::common::mutations::mutate;
use crate::common::variants::{SHARED, start_of_chess960, theirs_of};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, trials};
use pgnmill_core::chess::rules::{RulesKind, VariantKind};
use pgnmill_core::engine::{
    self, Base, Consumer, Counted, JobResult, Joiner, ListedRow, Pool, Rejects, Settings, Task,
};
use pgnmill_core::notation::{self, NOTATIONS, Needs, Notation};
use pgnmill_core::tasks;
use pgnmill_core::tasks::convert::Rewritten;
use pgnmill_io::archive::{Archive, Input, NamedSource, Options, RecordKind};
use pgnmill_io::error::Result;

/// What a conversion made of a file.
#[derive(Default, PartialEq, Debug)]
struct Outcome {
    counted: Counted,
    /// Faults and notes, with their places in the archive.
    rows: Vec<ListedRow>,
    rejects: Vec<u8>,
    text: Vec<u8>,
}

/// Collects it.
#[derive(Default)]
struct Collected {
    outcome: Outcome,
    rejects: Joiner,
    text: Joiner,
}

impl Consumer<Rewritten> for Collected {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.rejects.archive_begins();
        self.text.archive_begins();
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        _: &Pool,
    ) -> Result<()> {
        let (facts, part) = (&mut result.facts, &mut result.part);
        let outcome = &mut self.outcome;
        outcome.counted.merge(&facts.counted);
        for rows in [&facts.faults, &facts.notes] {
            rows.visit(|row| {
                let (offset, lines) = (row.offset + base.offset, row.lines + base.lines);
                let game = row.game + base.games;
                outcome.rows.push(ListedRow { offset, lines, game, ..row.clone() });
                Ok(())
            })?;
        }
        self.rejects.join(base.offset, &mut facts.rejects, &mut facts.reject_seams, &mut []);
        outcome.rejects.extend_from_slice(&facts.rejects);
        self.text.join(base.offset, &mut part.text, &mut part.seams, &mut part.game_ends);
        outcome.text.extend_from_slice(&part.text);
        Ok(())
    }
}

/// Settings for lines of these rules.
fn settings(rules: RulesKind, rejects: Rejects) -> Settings {
    let options = Options { records: RecordKind::Lines, ..Options::default() };
    Settings {
        rejects,
        faults: true,
        notes: true,
        rules,
        options,
        threads: 1,
        ..Settings::default()
    }
}

/// What a conversion makes of files.
fn converted(files: &[Vec<u8>], to: &'static dyn Notation, settings: &Settings) -> Outcome {
    let source = |stored: &Vec<u8>| Input::Named(NamedSource::bytes("p.epd", stored.clone()));
    let inputs: Vec<Input> = files.iter().map(source).collect();
    let mut collected = Collected::default();
    let (task, stop) = (tasks::Convert::to(to), AtomicBool::new(false));
    engine::run(&task, settings, &inputs, &mut collected, &stop).unwrap();
    assert!(task.target().is_some());
    collected.outcome.rows.sort_by_key(|row| (row.offset, row.lines, format!("{:?}", row.kind)));
    collected.outcome
}

fn record(position: &Theirs) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A ruleset and positions of games of it.
fn positions(dice: &mut Dice, of_chess: bool) -> (RulesKind, Vec<Theirs>) {
    let chess960 = || start_of_chess960(VariantKind::Atomic, &mut Dice::new(3));
    let standard = CastlingMode::Standard;
    let (rules, mut position) = match dice.below(if of_chess { 3 } else { SHARED.len() + 3 }) {
        0 => (RulesKind::Chess, Theirs::new(Variant::Chess)),
        1 => {
            let record = [
                "r3k2r/1P4p1/8/2pP4/5Pp1/8/1p4P1/R3K2R w KQkq c6 0 1",
                "8/2p5/8/KP5r/8/8/8/7k b - - 0 9",
            ];
            (RulesKind::Chess, theirs_of(Variant::Chess, record[dice.below(2)], standard).unwrap())
        }
        2 => {
            let position = theirs_of(Variant::Chess, &chess960(), CastlingMode::Chess960);
            (RulesKind::Chess960, position.unwrap())
        }
        other => {
            let (kind, variant) = SHARED[other - 3];
            (RulesKind::Variant { kind, chess960: false }, Theirs::new(variant))
        }
    };
    let mut all = Vec::new();
    let is_atomic = matches!(rules, RulesKind::Variant { kind: VariantKind::Atomic, .. });
    for _ in 0..40 {
        // A record without a king that has exploded is none from which a game begins: it is rejected.
        if is_atomic && position.is_variant_end() {
            break;
        }
        all.push(position.clone());
        let legal = position.legal_moves();
        if legal.is_empty() || position.is_variant_end() {
            break;
        }
        position.play_unchecked(legal[dice.below(legal.len())]);
    }
    (rules, all)
}

/// The move of a text, if it is one here. A capture of a piece may lack its mark, or have one that is none: both are
/// read, and repaired.
fn play(position: &Theirs, san: &San) -> Option<Move> {
    let San::Normal { role, file, rank, to, promotion, .. } = *san else {
        return san.to_move(position).ok();
    };
    if role == Role::Pawn {
        return san.to_move(position).ok();
    }
    let legal = position.legal_moves();
    let mut fitting = legal.iter().filter(|mv| {
        let from = mv.from().filter(|_| !mv.is_castle());
        let is_from = |from: Square| {
            file.is_none_or(|file| from.file() == file)
                && rank.is_none_or(|rank| from.rank() == rank)
        };
        mv.role() == role
            && mv.to() == to
            && mv.promotion() == promotion
            && from.is_some_and(is_from)
    });
    fitting.next().copied().filter(|_| fitting.next().is_none())
}

/// Moves of operations: the text, and whether shakmaty plays all of it.
fn moves(position: &Theirs, other: &Theirs, is_line: bool, dice: &mut Dice) -> (String, bool) {
    let (mut at, mut from) = (position.clone(), other.clone());
    let (mut text, mut is_legal) = (String::new(), true);
    for _ in 0..1 + dice.below(4) {
        // Mostly of the position itself; else of another, which are often not legal here.
        let source = if dice.below(8) == 0 { &from } else { &at };
        let legal = source.legal_moves();
        if legal.is_empty() || source.is_variant_end() {
            break;
        }
        let mv = legal[dice.below(legal.len())];
        let san = San::from_move(source, mv);
        let _ = write!(text, " {}", SanPlus::from_move(source.clone(), mv));
        let played = Some(&at).filter(|at| !at.is_variant_end()).and_then(|at| play(at, &san));
        is_legal &= played.is_some();
        if let (Some(mv), true) = (played, is_line) {
            at.play_unchecked(mv);
            from = at.clone();
        }
    }
    (text, is_legal)
}

/// A line, and whether it is accepted.
fn line(positions: &[Theirs], dice: &mut Dice) -> (String, bool) {
    let position = &positions[dice.below(positions.len())];
    let record = record(position);
    let mut line = match dice.below(3) {
        0 => record,
        _ => record[..record.rmatch_indices(' ').nth(1).unwrap().0].to_string(),
    };
    let mut is_legal = true;
    for _ in 0..dice.below(4) {
        let other = &positions[dice.below(positions.len())];
        let opcode = ["bm", "am", "pv", "id", "ce", "noop"][dice.below(6)];
        let (operands, legal) = match opcode {
            "id" => (" \"a; bm e9; \u{e9} \"".to_string(), true),
            "ce" => (" -12".to_string(), true),
            "noop" => (String::new(), true),
            opcode => moves(position, other, opcode == "pv", dice),
        };
        is_legal &= legal;
        let _ = write!(line, " {opcode}{operands};");
    }
    (line, is_legal)
}

/// Verdicts are those that follow from shakmaty; the fault of a line is in the line.
#[test]
fn a_line_is_rejected_if_shakmaty_does_not_play_its_moves() {
    let mut dice = Dice::new(68);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..trials(30, 300, 3_000) {
        let (rules, positions) = positions(&mut dice, false);
        let lines: Vec<(String, bool)> = (0..40).map(|_| line(&positions, &mut dice)).collect();
        let text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
        let outcome =
            converted(&[text.into_bytes()], notation::SAN, &settings(rules, Rejects::Apart));
        let bad = |(_, is_legal): &&(String, bool)| !is_legal;
        let expected: String =
            lines.iter().filter(bad).map(|(line, _)| format!("{line}\n")).collect();
        let found = String::from_utf8_lossy(&outcome.rejects);
        assert_eq!(found, expected, "{rules:?}: {:?}", outcome.rows);
        let counts = &outcome.counted.counts;
        assert_eq!(counts.games(), 40);
        // A move of another position can lack a check suffix here.
        accepted += counts.accepted + counts.repaired;
        rejected += counts.rejected;
    }
    assert!(accepted > 3 * rejected / 2 && rejected > 100, "{accepted} {rejected}");
}

/// The limit of a line, just below and just above, without its line end.
#[test]
fn a_line_has_as_many_bytes_as_it_may() {
    let line = |bytes: usize| {
        let (begin, end) = ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"", "\";");
        format!("{begin}{}{end}", "x".repeat(bytes - begin.len() - end.len()))
    };
    for (bytes, rejected) in [(65_536, 0), (65_537, 1)] {
        for line_end in ["\n", "\r\n", ""] {
            let text = line(bytes) + line_end;
            let settings = settings(RulesKind::Chess, Rejects::Apart);
            let outcome = converted(&[text.into_bytes()], notation::SAN, &settings);
            let counts = &outcome.counted.counts;
            assert_eq!((counts.games(), counts.rejected), (1, rejected), "{bytes} {line_end:?}");
        }
    }
}

/// The lines that are read, and the bytes between them: found without the engine.
fn count(text: &[u8]) -> (u64, u64) {
    let (mut lines, mut between) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let ends = if rest[end..].starts_with(b"\r\n") { 2 } else { usize::from(end < rest.len()) };
        let line = &rest[..end];
        let content = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let begin = content.iter().find(|byte| !byte.is_ascii_whitespace());
        if content.len() <= 65_536 && matches!(begin, None | Some(b'#')) {
            between += (end + ends) as u64;
        } else {
            lines += 1;
        }
        at += end + ends;
    }
    (lines, between)
}

/// A file of every kind of line.
fn hostile(dice: &mut Dice) -> (RulesKind, Vec<u8>) {
    let (rules, positions) = positions(dice, false);
    let mut text = Vec::new();
    for _ in 0..dice.below(30) {
        let end = ["\n", "\n", "\r\n", "\r"][dice.below(4)];
        let mut own = match dice.below(10) {
            0 => "# bm e4;".to_string(),
            1 => " \t".to_string(),
            2 => "\u{feff}\u{feff}".to_string(),
            3 if dice.below(8) == 0 => {
                "# x".repeat(21_845 + dice.below(3)) + &"y".repeat(dice.below(3))
            }
            _ => line(&positions, dice).0,
        }
        .into_bytes();
        if dice.below(3) == 0 {
            mutate(&mut own, dice);
        }
        text.extend_from_slice(&own);
        text.extend_from_slice(end.as_bytes());
    }
    if dice.below(3) == 0 {
        text.truncate(text.len().saturating_sub(1 + dice.below(3)));
    }
    (rules, text)
}

/// Frames of about so much text.
fn frames(text: &[u8], bytes: usize) -> Vec<u8> {
    text.chunks(bytes).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect()
}

#[test]
fn each_line_is_counted_once_however_the_file_is_divided() {
    let mut dice = Dice::new(5);
    for _ in 0..trials(25, 100, 2_500) {
        let (rules, text) = hostile(&mut dice);
        let rejects = [Rejects::Apart, Rejects::Kept, Rejects::Dropped][dice.below(3)];
        let plain = settings(rules, rejects);
        let whole = converted(std::slice::from_ref(&text), notation::UCI, &plain);
        let (lines, between) = count(&text);
        let Counted { counts, text_bytes, rejected_bytes, .. } = &whole.counted;
        assert_eq!((counts.games(), counts.between_bytes), (lines, between));
        assert_eq!(*text_bytes, text.len() as u64);
        assert_eq!(counts.games(), counts.accepted + counts.repaired + counts.rejected);
        let kept = if rejects == Rejects::Apart { *rejected_bytes } else { 0 };
        assert_eq!(whole.rejects.len() as u64, kept);
        for row in &whole.rows {
            let at = row.offset as usize;
            assert!(at <= text.len() && text[at..].starts_with(&row.text.as_bytes()[..0]));
            let ends = count_ends(&text[..at]);
            assert_eq!(row.lines, ends, "{row:?}");
        }
        for _ in 0..6 {
            let stored = match dice.below(5) {
                0 => frames(&text, 1 + dice.below(40)),
                1 => frames(&text, 1 << 20),
                #[cfg(feature = "containers")]
                2 => crate::common::coded::gzip(&text),
                _ => text.clone(),
            };
            let mut other = plain.clone();
            other.options.block_bytes = [1, 7, 100, 1 << 20][dice.below(4)];
            // With its line end and a mark of the encoding, a line that is read is no longer than this.
            other.options.game_bytes_max = [65_540, 70_000, 16 << 20][dice.below(3)];
            other.threads = [1, 2, 7][dice.below(3)];
            assert_eq!(converted(&[stored], notation::UCI, &other), whole, "{:?}", other.options);
        }
    }
}

/// The line ends of a text.
fn count_ends(text: &[u8]) -> u64 {
    let ends = text.iter().enumerate();
    let is_end = |&(at, byte): &(usize, &u8)| {
        *byte == b'\n' || *byte == b'\r' && text.get(at + 1) != Some(&b'\n')
    };
    ends.filter(is_end).count() as u64
}

/// A file as other notations have it, and as it was; and several files in one.
#[test]
fn a_file_has_its_bytes_again_after_every_notation() {
    let mut dice = Dice::new(9);
    for &to in NOTATIONS {
        let (Needs::Board | Needs::Nothing) = to.info().needs else { continue };
        for _ in 0..trials(2, 10, 100) {
            let (rules, positions) = positions(&mut dice, true);
            let mut text = String::from("\u{feff}# a file\r\n\n");
            for _ in 0..20 {
                let (line, is_legal) = line(&positions, &mut dice);
                if is_legal {
                    text += &line;
                    text += ["\n", "\r\n"][dice.below(2)];
                }
            }
            let text = text.into_bytes();
            let mut plain = settings(rules, Rejects::Dropped);
            let canonical = converted(std::slice::from_ref(&text), notation::SAN, &plain);
            assert_eq!(canonical.counted.counts.rejected, 0, "{:?}", canonical.rows);
            let text = canonical.text;
            let there = converted(std::slice::from_ref(&text), to, &plain);
            assert_eq!(there.counted.counts.rejected, 0, "{}: {:?}", to.info().name, there.rows);
            plain.from = Some(to);
            let back = converted(&[there.text], notation::SAN, &plain);
            assert!(back.text == text, "{}: {:?}", to.info().name, back.rows);
            assert_eq!(back.counted.counts.accepted, canonical.counted.counts.games());
        }
    }
}

/// A notation that names pieces by where they began has no moves here, in either direction.
#[test]
fn a_notation_of_games_is_none_of_positions() {
    let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n".to_vec();
    let stamma = notation::find("stamma").unwrap();
    for (from, to) in [(None, stamma), (Some(stamma), notation::UCI)] {
        let plain = Settings { from, ..settings(RulesKind::Chess, Rejects::Apart) };
        let outcome = converted(std::slice::from_ref(&text), to, &plain);
        assert_eq!(outcome.rejects, text);
        assert_eq!(outcome.rows[0].kind.name(), "notation-needs-initial-array");
    }
}

/// Of files without a line end at their end, no two lines become one; nothing is added elsewhere.
#[test]
fn the_lines_of_files_do_not_run_together() {
    let lines = ["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"{\";", "8/8 w", "# a } comment"];
    let mut dice = Dice::new(11);
    for _ in 0..trials(60, 600, 6_000) {
        let files: Vec<Vec<u8>> = (0..1 + dice.below(4))
            .map(|_| {
                let lines = (0..dice.below(4)).map(|_| lines[dice.below(3)]);
                lines.collect::<Vec<_>>().join("\n").into_bytes()
            })
            .collect();
        let mut plain = settings(RulesKind::Chess, Rejects::Kept);
        plain.options.block_bytes = [1, 1 << 20][dice.below(2)];
        let found = converted(&files, notation::SAN, &plain).text;
        let expected: Vec<&[u8]> =
            files.iter().filter(|file| !file.is_empty()).map(Vec::as_slice).collect();
        assert_eq!(
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(&expected.join(&b'\n'))
        );
    }
}

/// Beside damage a line is cut: it is rejected, and the lines around it are read.
#[test]
fn a_line_beside_damage_is_rejected() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    let whole = zstd::encode_all(good.repeat(3).as_bytes(), 1).unwrap();
    let first = zstd::encode_all(format!("{good}{}", &good[..9]).as_bytes(), 1).unwrap();
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    std::io::Write::write_all(&mut encoder, &good.as_bytes()[9..20]).unwrap();
    let mut damaged = encoder.finish().unwrap();
    let last = damaged.len() - 3;
    damaged[last] ^= 0x55;
    let stored = [first, damaged, whole].concat();
    for block_bytes in [1, 30, 1 << 20] {
        let mut plain = settings(RulesKind::Chess, Rejects::Apart);
        plain.options = Options { skip_damaged: true, block_bytes, ..plain.options };
        let outcome = converted(std::slice::from_ref(&stored), notation::SAN, &plain);
        let counts = &outcome.counted.counts;
        // Whether the beginning of the first line after the damage is there is not known.
        assert_eq!((counts.accepted, counts.rejected), (3, 2), "{:?}", outcome.rows);
        let kinds: Vec<&str> = outcome.rows.iter().map(|row| row.kind.name()).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == "line-cut").count(), 2, "{kinds:?}");
        assert_eq!(outcome.text, good.repeat(3).as_bytes());
    }
}

/// What `export` writes of the generated archive.
fn exported(scratch: &Scratch, args: &str, file: &str) -> Vec<u8> {
    scratch.write("a.pgn", &sample_text()[..trials(40_000, 400_000, 4_000_000)]);
    let args = format!("export -q --table plies {args} --overwrite -o {file} a.pgn");
    let args: Vec<&str> = args.split_whitespace().collect();
    let output = run_in(scratch.path(), &args, b"");
    assert!(exit_code(&output) < 2, "{}", errors_of(&output));
    fs::read(scratch.join(file)).unwrap()
}

fn run(scratch: &Scratch, args: &str) -> (i32, String, String) {
    let args: Vec<&str> = args.split_whitespace().collect();
    let output = run_in(scratch.path(), &args, b"");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (exit_code(&output), text, errors_of(&output))
}

#[test]
fn what_export_writes_is_accepted_and_converted_there_and_back() {
    let scratch = Scratch::new();
    for (args, file) in [
        ("--opcodes bm,ce,dm,hmvc,fmvn,id=Event,c0=White,v0=ply", "p.epd"),
        ("--opcodes pv,sm,pm,am", "p.epd"),
        ("--position after", "p.epd"),
        ("--position after", "p.fen"),
    ] {
        let text = exported(&scratch, args, file);
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        let (code, json, errors) =
            run(&scratch, &format!("validate -q --strict --format json {file}"));
        assert_eq!(code, 0, "{errors}");
        assert!(lines > 700 && json.contains(&format!("\"accepted\":{lines},")), "{json}");
        for to in ["uci", "economical-priority", "descriptive"] {
            for (from, to, source, output) in
                [("san", to, file, "there.epd.zst"), (to, "san", "there.epd.zst", "back.epd")]
            {
                let args =
                    format!("convert -q --from {from} --to {to} --overwrite -o {output} {source}");
                assert_eq!(run(&scratch, &args).0, 0);
            }
            assert!(fs::read(scratch.join("back.epd")).unwrap() == text, "{args} {to}");
        }
    }
}

/// Lines with every named fault: its kind, and where it is.
const FAULTS: [(&str, &str, usize); 14] = [
    ("4k3/8/8/8/8/8/4P3/4K3 w -", "epd-fields-missing", 0),
    ("4k3/8/8/8/8/8/4P3/8 w - - bm e4;", "fen-no-king", 0),
    ("4k3/8/8/8/8/8/4P3/4K2P w - - bm e4;", "fen-pawn-on-back-rank", 0),
    ("4k3/8/8/8/8/8/4R3/4K3 w - - bm e4;", "fen-side-not-to-move-in-check", 0),
    ("4k3/8/8/8/8/8/4P3/4K3 x - - bm e4;", "fen-unreadable", 0),
    (" 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e5;", "move-illegal", 35),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7 e6;", "move-illegal", 38),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm \"e4\";", "move-unreadable", 31),
    ("4k3/8/8/8/8/8/4P3/R3K2R w - - am Rd1 Rf1 Kd1 Rh2 Rb1; sm R1;", "move-unreadable", 57),
    ("4k3/8/8/4N3/8/4N3/4P3/4K3 w - - sm Nc4;", "move-ambiguous", 35),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pm e3 e4;", "epd-operation-unreadable", 34),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 bm e4;", "epd-operation-unreadable", 28),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a;", "epd-operation-unreadable", 31),
    ("R5k1/5ppp/8/8/8/8/8/4K3 b - - bm Kf8;", "moves-after-end", 33),
];

#[test]
fn faults_are_named_with_their_places() {
    let scratch = Scratch::new();
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n";
    let mut text = format!("# suite\n\n{good}");
    let (mut expected, mut starts) = (Vec::new(), Vec::new());
    for (number, (line, kind, at)) in FAULTS.iter().enumerate() {
        let place = format!("f.epd,{},{},{},{}", text.len() + at, 4 + number, at + 1, 2 + number);
        expected.push((place, *kind));
        starts.push(text.len());
        let _ = writeln!(text, "{line}");
    }
    scratch.write("f.epd", text.as_bytes());
    let (code, _, errors) = run(&scratch, "validate --faults f.csv --rejects r.epd f.epd");
    assert_eq!(code, 1, "{errors}");
    assert!(
        errors.contains("15 positions read") && errors.contains("1 accepted + 0 repaired + 14 ")
    );
    let table = fs::read_to_string(scratch.join("f.csv")).unwrap();
    for (row, (place, kind)) in table.lines().skip(1).zip(&expected) {
        assert!(
            row.starts_with(place) && row.contains(&format!(",{kind},")),
            "{row}: {place} {kind}"
        );
    }
    assert_eq!(table.lines().count(), 1 + FAULTS.len());
    let rejected: String = FAULTS.iter().map(|(line, ..)| format!("{line}\n")).collect();
    assert_eq!(fs::read_to_string(scratch.join("r.epd")).unwrap(), rejected);
    // The same of single lines, by their numbers and by a byte of them.
    for (number, (line, kind, at)) in FAULTS.iter().enumerate() {
        let (code, page, errors) = run(&scratch, &format!("explain --game {} f.epd", number + 2));
        assert!(code == 1 && page.contains(&format!("fault {kind}: ")), "{line}: {page}{errors}");
        let start: usize = starts[number];
        let offset = start + at;
        let (_, page, _) = run(&scratch, &format!("explain --format json --at {offset} f.epd"));
        let has = |key: &str, value: usize| page.contains(&format!("\"{key}\":{value},"));
        assert!(has("game", number + 2) && has("fault_offset", offset), "{line}: {page}");
    }
    let (code, page, _) = run(&scratch, "explain --game 1 f.epd");
    assert!(code == 0 && page.contains("bm    e4\nalso  nothing: the line is canonical"), "{page}");
    let (code, page, _) = run(&scratch, "explain --at 3 f.epd");
    assert!(code == 0 && page.contains("byte 3 belongs to no position"), "{page}");
}

/// A line that is too long to be read is one position, wherever it is and however many parts it is read in.
#[test]
fn positions_have_the_same_numbers_behind_lines_that_are_too_long() {
    let scratch = Scratch::new();
    let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let long = |bytes: usize| format!("{board} c0 \"{}\";\n", "x".repeat(bytes));
    // More than one part of 16 MiB, at full depth three; one that is read, and rejected.
    let longest = trials(17 << 20, 17 << 20, 36 << 20);
    let lines =
        [long(70_000), format!("{board} bm Kd8;\n"), long(longest), format!("{board} bm e4;\n")];
    let lines = [&lines[..], &[format!("{board} bm Ke5;\n")]].concat();
    scratch.write("f.epd", lines.concat().as_bytes());
    let (code, _, errors) = run(&scratch, "validate -q --faults f.csv f.epd");
    assert_eq!(code, 1, "{errors}");
    let mut table = csv::Reader::from_path(scratch.join("f.csv")).unwrap();
    let rows = table.records().map(Result::unwrap);
    let rows: Vec<(usize, usize)> =
        rows.map(|row| (row[4].parse().unwrap(), row[1].parse().unwrap())).collect();
    let mut offset = 0;
    for (number, line) in (1..).zip(&lines) {
        let (code, page, errors) =
            run(&scratch, &format!("explain --format json --game {number} f.epd"));
        let in_line = |at: usize| (offset..offset + line.len()).contains(&at);
        let faults: Vec<_> = rows.iter().filter(|(_, at)| in_line(*at)).collect();
        assert_eq!(faults.is_empty(), line.contains("bm e4"), "{number}: {rows:?}");
        assert!(faults.iter().all(|(game, _)| *game == number), "{number}: {rows:?}");
        if line.len() > 16 << 20 {
            let place = format!("the line at byte {offset} is longer than a line may be");
            assert!(code == 2 && errors.contains(&place), "{number}: {errors}");
        } else {
            let has = |key: &str, value: usize| page.contains(&format!("\"{key}\":{value},"));
            assert!(has("byte_offset", offset) && has("game", number), "{number}: {page}{errors}");
        }
        offset += line.len();
    }
    let (code, _, errors) = run(&scratch, "explain --game 6 f.epd");
    assert!(code == 2 && errors.contains("holds 5 positions"), "{errors}");
}

/// What is counted is there, and what does not go with positions is refused.
#[test]
fn positions_are_counted_and_options_of_games_are_refused() {
    let scratch = Scratch::new();
    let lines = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id \"a\";\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 am Kd2;\n\
                 4k3/8/8/8/8/8/4P3/4K3 b - - pv Kd7 e4;\n8/8\n";
    scratch.write("a.epd", lines.as_bytes());
    scratch.write("a.pgn", b"[Event \"x\"]\n\n1. e4 *\n");
    scratch.write("none.epd", b"# nothing\n");
    let (code, table, errors) = run(&scratch, "stats -q --format csv a.epd");
    assert_eq!(code, 1, "{errors}");
    assert_eq!(
        table,
        "section,value,games\nverdict,accepted,3\nverdict,rejected,1\ndeviation,epd-fields-missing,1\n\
         side,white,2\nside,black,1\nopcode,am,1\nopcode,bm,1\nopcode,id,1\nopcode,pv,1\nmoves,bm,2\nmoves,am,1\n\
         moves,pv,2\n"
    );
    let (_, page, _) = run(&scratch, "stats -q a.epd");
    assert!(page.contains("1 are those of earlier lines"), "{page}");
    let (_, json, _) = run(&scratch, "stats -q --format json a.epd");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["positions"], &json["repeated_positions"]), (&4.into(), &1.into()));
    assert!(json.get("player").is_none() && json.get("games").is_none());
    for (args, words) in [
        (
            "validate a.epd a.pgn",
            "a.epd is read as positions and a.pgn as games: read them in two runs",
        ),
        ("validate --where plies>3 a.epd", "--where goes with games, not with positions"),
        ("stats --sample 10% a.epd", "--sample goes with games"),
        ("convert --to uci --drop comments -o b.epd a.epd", "--drop goes with games"),
        ("convert --to uci --set-eco -o b.epd a.epd", "--set-eco goes with games"),
        ("convert --to uci -o b.pgn a.epd", "pgn is not written here"),
        ("validate --rejects r.pgn a.epd", "pgn is not written here"),
        ("explain --game 1 --ply 2 a.epd", "--ply goes with games"),
        ("explain --game 9 a.epd", "a.epd holds 4 positions; there is no position 9"),
    ] {
        let (code, _, errors) = run(&scratch, args);
        assert!(code == 2 && errors.contains(words), "{args}: {errors}");
    }
    let (code, _, errors) = run(&scratch, "validate none.epd");
    assert!(code == 0 && errors.contains("none.epd holds no position"), "{errors}");
    let (_, _, errors) = run(&scratch, "measure -o m a.epd");
    assert!(
        errors.contains("a.epd is read as games: validate, stats, convert and explain"),
        "{errors}"
    );
    let (_, _, errors) = run(&scratch, "convert --to uci -o b.epd a.epd");
    assert!(errors.contains("1 rejected position is not in the output"), "{errors}");
}

/// What decides python-chess, and what it has of a line.
const READER: &str = "\
import sys, chess
UNUSABLE = (chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING | chess.STATUS_TOO_MANY_KINGS
            | chess.STATUS_PAWNS_ON_BACKRANK | chess.STATUS_OPPOSITE_CHECK | chess.STATUS_EMPTY)
for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):
    board = chess.Board()
    try:
        board.set_epd(line.rstrip('\\n'))
        print('good' if board.status() & UNUSABLE == 0 else 'bad')
    except ValueError:
        print('bad')
";

/// An exported line with one change.
fn changed(line: &str, other: &str, dice: &mut Dice) -> String {
    let mut fields: Vec<String> = line.splitn(5, ' ').map(str::to_string).collect();
    match dice.below(7) {
        0 => {
            let at = dice.below(fields[0].len());
            let piece = ["k", "K", "p", "Q", "1", "8", "/", "x"][dice.below(8)];
            fields[0].replace_range(at..at + 1, piece);
        }
        1 => fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_string(),
        2 => fields[2] = ["-", "K", "KQkq", "x", "kq"][dice.below(5)].to_string(),
        3 => fields[3] = ["-", "e3", "e6", "e9"][dice.below(4)].to_string(),
        4 | 5 => fields[4] = other.splitn(5, ' ').nth(4).unwrap().to_string(),
        _ => {}
    }
    fields.join(" ")
}

/// Named differences: python-chess reads operands of any opcode that look like moves as moves, and strings with
/// escapes; takes moves in quotes as text, and castling with zeros or a move in UCI as they are; it refuses two digits one
/// after the other, which are a note here. Of changes of fields and of moves both decide alike.
#[needs("python-chess", command = "python3 -c 'import chess'")]
#[test]
fn python_chess_agrees_about_changed_lines() {
    let scratch = Scratch::new();
    let text = exported(&scratch, "--opcodes bm,id=Event,hmvc,fmvn,pv", "p.epd");
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut dice = Dice::new(21);
    let changed: Vec<String> =
        lines.iter().map(|line| changed(line, lines[dice.below(lines.len())], &mut dice)).collect();
    scratch.write("q.epd", (changed.join("\n") + "\n").as_bytes());
    scratch.write("read.py", READER.as_bytes());
    let mut python = std::process::Command::new("python3");
    let output = python.current_dir(scratch.path()).args(["read.py", "q.epd"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs = String::from_utf8(output.stdout).unwrap();
    assert_eq!(theirs.lines().count(), changed.len());
    run(&scratch, "validate -q --deny fen-digits-adjacent --faults f.csv q.epd");
    let table = fs::read_to_string(scratch.join("f.csv")).unwrap();
    let rejected: std::collections::HashMap<usize, &str> = table
        .lines()
        .skip(1)
        .map(|row| (row.split(',').nth(2).unwrap().parse().unwrap(), row))
        .collect();
    for (index, (line, theirs)) in changed.iter().zip(theirs.lines()).enumerate() {
        let ours = rejected.get(&(index + 1));
        assert_eq!(ours.is_some(), theirs == "bad", "{line}: {ours:?}");
    }
    assert!(rejected.len() > changed.len() / 8 && rejected.len() < 7 * changed.len() / 8);
}
