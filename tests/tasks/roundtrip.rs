//! There and back: `convert --to X` and then `convert --to san` gives back every byte, for every notation.
//!
//! For an archive in canonical SAN the bytes are those of the archive. For any other they are those that
//! `convert --to san` makes of it, which differ from the archive in the repaired move texts and in nothing else.
//!
//! Where the registry has grown long, archives of others take turns: each is written in about eight notations, and each
//! notation meets an eighth or so of them. At night everything meets everything.

#![allow(clippy::print_stdout, reason = "what is left out is said")]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::common::{
    Depth, SAMPLE, SOURCES, Scratch, corpus, here, name_of, run_in, text_of, thinned, trials,
    unpacked,
};
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{self, Base, Consumer, JobResult, Joiner, Rejects, Settings};
use pgnmill_core::notation::{
    Digits, MoveText, NOTATIONS, Notation, OtherPly, Ply, find, without_languages,
};
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::replay::{Counts, Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_core::tasks::Convert;
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error;
use pgnmill_needs::needs;
use pgnmill_simd::Level;

/// What came of a conversion.
#[derive(Debug, Default)]
struct Converted {
    counts: Counts,
    rejected_bytes: u64,
    rejects: Vec<u8>,
    /// The new text of the reports, and the written text.
    text: Vec<u8>,
    written: Vec<u8>,
    joiner: Joiner,
    output: Option<Output>,
}

impl Consumer<Rewritten> for Converted {
    fn begin(&mut self, _: &Archive) -> error::Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &Pool,
    ) -> error::Result<()> {
        let facts = &result.facts;
        self.counts.merge(&facts.counted.counts);
        self.rejected_bytes += facts.counted.rejected_bytes;
        self.rejects.extend_from_slice(&facts.rejects);
        match &mut self.output {
            None => {
                let Rewritten { text, seams, .. } = &mut result.part;
                self.text.extend_from_slice(text);
                self.joiner.join(base.offset, text, seams, &mut []);
                self.written.extend_from_slice(text);
            }
            Some(output) => output.add(base, result, pool)?,
        }
        Ok(())
    }

    fn close(&mut self, pool: &Pool) -> error::Result<()> {
        self.output.as_mut().map_or(Ok(()), |output| output.finish(pool))
    }
}

impl Converted {
    /// How often something was repaired that a conversion writes otherwise.
    fn repairs(&self) -> Vec<(&'static str, u64)> {
        let profile = Profile::lenient();
        let numbers = Deviation::ALL.iter().zip(self.counts.deviations);
        let repairs =
            numbers.filter(|(kind, number)| *number > 0 && profile.class(**kind) == Class::Repair);
        let names = repairs.map(|(kind, number)| (kind.name(), number));
        names.collect()
    }
}

/// Converts a file; with `output`, into that file.
fn convert(
    to: &'static dyn Notation,
    path: &Path,
    rejects: Rejects,
    output: Option<&Path>,
) -> Converted {
    let task = Convert::to(to);
    let settings = Settings {
        rejects,
        faults: true,
        faults_max: u64::MAX,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        rules: pgnmill_core::chess::rules::RulesKind::Chess,
        options: Options::default(),
        threads: 2,
        level: Level::best(),
        selection: None,
    };
    let output = output.map(|path| Output::create(path, true, 1).unwrap());
    let mut drain = Converted { output, ..Converted::default() };
    let stop = AtomicBool::new(false);
    engine::run(&task, &settings, &[Input::Path(path.to_path_buf())], &mut drain, &stop).unwrap();
    if let Some(output) = drain.output.take() {
        output.publish().unwrap();
    }
    drain
}

fn san() -> &'static dyn Notation {
    find("san").unwrap()
}

/// Can games of this text be written in the notation? Some need a game from the starting position.
fn fits(notation: &dyn Notation, text: &[u8]) -> bool {
    !notation.needs_lineage() || memchr::memmem::find(text, b"[FEN \"").is_none()
}

/// The first difference of texts, with the text there.
fn difference(left: &[u8], right: &[u8]) -> Option<String> {
    let pairs = left.iter().zip(right);
    let at = match pairs.clone().position(|(a, b)| a != b) {
        None if left.len() == right.len() => return None,
        at => at.unwrap_or(left.len().min(right.len())),
    };
    let near = |text: &[u8]| {
        text[at.saturating_sub(30)..text.len().min(at + 30)].escape_ascii().to_string()
    };
    Some(format!("at byte {at}, \"{}\" became \"{}\"", near(left), near(right)))
}

/// The law, for one text and one notation, in files of the ending given. Returns how it was broken.
fn there_and_back(
    path: &Path,
    expected: &[u8],
    to: &'static dyn Notation,
    ending: &str,
) -> Option<String> {
    let scratch = Scratch::new();
    let there = scratch.join(&format!("there{ending}"));
    let back = scratch.join(&format!("back{ending}"));
    let what = format!("{} in {}{ending}", name_of(path), to.info().name);
    let wrote = convert(to, path, Rejects::Kept, Some(&there));
    let read = convert(san(), &there, Rejects::Kept, Some(&back));
    let (written, stored) = (text_of(&there), std::fs::read(&back).unwrap());
    if let Some(difference) = difference(expected, &unpacked(&stored)) {
        return Some(format!("{what}: {difference}"));
    }
    // Games that are kept unchanged give the same counts.
    if read.counts.rejected == 0 && !read.repairs().is_empty() {
        return Some(format!("{what}: what was written is not canonical: {:?}", read.repairs()));
    }
    // Where the text is as it was, every notation would pass.
    let moves = read.counts.plies + read.counts.variation_plies > 0;
    // A notation that cannot write a game leaves it as it is.
    let any = wrote.counts.rejected < wrote.counts.games();
    if moves && any && to.info().name != "san" && written == expected {
        return Some(format!("{what}: nothing was written"));
    }
    let zstd = stored.get(1..4).is_some_and(|magic| magic == b"\xb5\x2f\xfd");
    (moves && zstd != (ending == ".zst")).then(|| format!("{what}: stored otherwise"))
}

fn assert_none(broken: &[String]) {
    assert!(broken.is_empty(), "{} times:\n{}", broken.len(), broken.join("\n"));
}

/// Is it this notation's turn for the archive with this number?
fn has_turn(archive: usize, notation: usize) -> bool {
    let all = Depth::current() == Depth::Night;
    let rounds = NOTATIONS.len().div_ceil(8);
    all || (archive + notation).is_multiple_of(rounds)
}

/// The law, for an archive and every notation.
fn check(number: usize, path: &Path) -> Vec<String> {
    let (name, text) = (name_of(path), text_of(path));
    let plain = convert(san(), path, Rejects::Kept, None);
    let (repairs, difference) = (plain.repairs(), difference(&text, &plain.written));
    let mut broken = Vec::new();
    match difference {
        None => {}
        Some(_) if !repairs.is_empty() => {
            println!("{name}: not canonical, held to its repaired text: {repairs:?}");
        }
        Some(difference) => broken.push(format!("{name}: {difference}")),
    }
    if plain.counts.rejected > 0 {
        println!("{name}: {} rejected games are kept as they stand", plain.counts.rejected);
    }
    for (index, &to) in NOTATIONS.iter().enumerate() {
        let ending = if (number + index).is_multiple_of(2) { ".pgn" } else { ".zst" };
        if !has_turn(number, index) {
            continue;
        }
        if fits(to, &text) {
            broken.extend(there_and_back(path, &plain.written, to, ending));
        } else {
            println!("{name}: not in {}, which needs the starting position", to.info().name);
        }
    }
    broken
}

fn check_all(folder: &str) {
    let archives = corpus(folder);
    let broken = archives
        .iter()
        .enumerate()
        .step_by(trials(7, 3, 1))
        .flat_map(|(number, path)| check(number, path));
    assert_none(&broken.collect::<Vec<_>>());
}

#[test]
fn games_of_the_sources() {
    let path = here(SOURCES);
    let text = text_of(&path);
    for &to in NOTATIONS {
        for ending in [".pgn", ".zst"] {
            assert_eq!(there_and_back(&path, &text, to, ending), None);
        }
    }
}

/// Every notation takes a turn at another part of the sample; together they cover most of it.
#[test]
fn parts_of_the_sample() {
    let text = text_of(&here(SAMPLE));
    let starts: Vec<usize> = Games::new(&text).map(|(start, _)| start).collect();
    let (part_games, scratch) = (trials(40, 150, 250), Scratch::new());
    for (index, &to) in NOTATIONS.iter().enumerate() {
        let first = index * 1_237 % (starts.len() - part_games);
        let part = &text[starts[first]..starts[first + part_games]];
        let path = scratch.write("part.pgn", part);
        for ending in [".pgn", ".zst"] {
            assert_eq!(there_and_back(&path, part, to, ending), None, "from game {first}");
        }
    }
}

/// A suffix attached to a move number leaves it a number in every notation: it comes back as it was, or, where digits
/// alone would be a move, with a full stop, and the game counts as repaired.
#[test]
fn numbers_stay_numbers() {
    let scratch = Scratch::new();
    let (there, back) = (scratch.join("there.pgn"), scratch.join("back.pgn"));
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    for (number, wanted) in [("2", 1), ("33", 1), ("333", 1), ("3333", 3333), ("0333", 333)] {
        for after in ["!+ ", "$1 ", "{c} ", " ", "\n"] {
            // More digits are a number only if it is the one of the move.
            let tags = format!("[Event \"a\"]\n[SetUp \"1\"]\n[FEN \"{fen} {wanted}\"]\n");
            let text = format!("{tags}\n{number}{after}Nf3 *\n");
            let path = scratch.write("numbers.pgn", text.as_bytes());
            for to in ["iccf", "economical-priority", "uci"].map(|name| find(name).unwrap()) {
                let written = convert(to, &path, Rejects::Apart, Some(&there));
                let read = convert(san(), &there, Rejects::Apart, Some(&back));
                let what = format!("{number}{after:?} in {}", to.info().name);
                assert_eq!((written.counts.rejected, read.counts.rejected), (0, 0), "{what}");
                let is_taken_for_move = to.info().name == "iccf" && number.len() >= 4;
                assert_eq!(written.counts.repaired, u64::from(is_taken_for_move), "{what}");
                let stopped = text.replace(&format!("\n{number}"), &format!("\n{number}."));
                let expected = if is_taken_for_move { &stopped } else { &text };
                assert_eq!(&String::from_utf8(text_of(&back)).unwrap(), expected, "{what}");
            }
        }
    }
}

/// Games with tag pairs and without follow each other, separated by little, by comments, and by text of no game.
/// A `*` without a blank before it stays so, in notations whose moves end or begin with digits, too.
#[test]
fn what_is_attached_to_a_move_stays_attached() {
    let scratch = Scratch::new();
    let text = b"[White \"a\"]\n\n1. e4 h6*\n\n[White \"b\"]\n\n1. e4 h6 2. Nf3 {x}*\n\n[White \"c\"]\n\n1. a4{x}a6*\n";
    let path = scratch.write("games.pgn", text);
    let broken = NOTATIONS.iter().filter(|to| to.info().name != "chess99");
    let broken = broken.filter_map(|&to| there_and_back(&path, text, to, ".pgn"));
    assert_none(&broken.collect::<Vec<_>>());
}

/// What is attached to a move makes no other move of what is written, and none is lost, in any notation.
#[test]
fn what_is_attached_to_a_move_is_never_read_as_part_of_another() {
    let promotes = "[SetUp \"1\"]\n[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8(Q)";
    let endings = [
        "Kh6 2. Ke2 *",
        "1... Kh6 *",
        "N *",
        "+ *",
        "ch *",
        "+- *",
        "= *",
        "! *",
        "{x} Kh6 *",
        "*",
        "1-0",
    ];
    let endings = endings.map(|ending| format!("{promotes}{ending}"));
    let usual = [
        "1. e4 e5 2. Nf3 $Nc6 *",
        "1. e4$e5 2. Nf3 *",
        "1. e4 e51-0",
        "1. e4$1e5 *",
        "1. e4{x}e5 (1... c5)2. Nf3 *",
    ];
    let scratch = Scratch::new();
    for (turn, text) in usual.map(String::from).into_iter().chain(endings).enumerate() {
        let game =
            format!("[White \"a\"]\n{}{text}\n", if text.starts_with('[') { "" } else { "\n" });
        let path = scratch.write("games.pgn", game.as_bytes());
        // At the short depth every notation takes a turn at every third text.
        let notations = NOTATIONS.iter().skip(trials(turn % 3, 0, 0)).step_by(trials(3, 1, 1));
        for &to in notations.filter(|to| fits(**to, game.as_bytes())) {
            let there = scratch.join("there.pgn");
            let wrote = convert(to, &path, Rejects::Kept, Some(&there));
            let back = convert(san(), &there, Rejects::Kept, None);
            let name = to.info().name;
            assert_eq!(wrote.counts.rejected, 0, "{name}: {text}");
            // Only moves that can begin with digits are divided from what is before them.
            if to.info().digits == Digits::Never && !text.contains("(Q)") {
                let blanks = |text: &str| text.matches(' ').count();
                let written = std::fs::read_to_string(&there).unwrap();
                let movetext = written.split_once("\n\n").expect("movetext").1;
                assert_eq!(blanks(movetext.trim_end()), blanks(&text), "{name}: {text}: {written}");
            }
            assert_eq!(back.counts.plies, wrote.counts.plies, "{name}: {text}");
            assert_eq!(back.counts.rejected, 0, "{name}: {text}");
        }
    }
}

/// What is behind a fault in a variation is kept byte for byte, in notations of digits, too; or the game is rejected,
/// where that could be a move.
#[test]
fn what_is_not_replayed_is_kept() {
    const KEPT: &str = "(1. Zz9 $Nc6 $ e8(Q)Kh6)";
    let scratch = Scratch::new();
    let path = scratch.write("plain.pgn", b"[White \"a\"]\n\n1. e4 (1. d4) 1... e5 *\n");
    let mut kept_count = 0;
    for &from in thinned(4, without_languages()) {
        let file = scratch.join("plain.txt");
        convert(from, &path, Rejects::Kept, Some(&file));
        let plain = std::fs::read_to_string(&file).unwrap();
        let (open, close) = (plain.find('(').unwrap(), plain.find(')').unwrap());
        let game = format!("{}{KEPT}{}", &plain[..open], &plain[close + 1..]);
        scratch.write("games.pgn", game.as_bytes());
        for name in without_languages().iter().map(|to| to.info().name) {
            let words =
                ["convert", "-q", "--allow", "variation-illegal", "--to", name, "games.pgn"];
            let ran = run_in(scratch.path(), &words, b"");
            let text = String::from_utf8(ran.stdout).unwrap();
            let is_kept = ran.status.code() == Some(0);
            assert_eq!(text.contains(KEPT), is_kept, "{name}: {game}: {text}");
            kept_count += usize::from(is_kept);
        }
    }
    assert!(kept_count > 20, "{kept_count}");
}

/// A piece in brackets behind a pawn's move is its promotion, though the move without it is another one.
#[test]
fn a_piece_in_brackets_is_a_promotion_where_there_is_one() {
    let scratch = Scratch::new();
    let fen = "1n2k3/P7/8/8/2n5/1P6/8/4K3 w - - 0 1";
    let rows = [
        ("descriptive-es", "PxC(D)", "axb8=Q+"),
        ("descriptive-fr", "PxC(D)", "axb8=Q+"),
        ("descriptive", "PxN(Q)", "axb8=Q+"),
        ("descriptive-es", "PxC (D)", "bxc4 (D)"),
        ("descriptive-es", "PxC", "bxc4"),
    ];
    for (from, text, expected) in rows {
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {text} *\n");
        scratch.write("a.pgn", game.as_bytes());
        let args = ["convert", "-q", "--from", from, "--to", "san", "a.pgn"];
        let ran = run_in(scratch.path(), &args, b"");
        let written = String::from_utf8(ran.stdout).unwrap();
        assert!(written.ends_with(&format!("\n1. {expected} *\n")), "{from}: {text}: {written}");
    }
}

#[test]
fn games_come_back_whatever_is_between_them() {
    // The last one is rejected, and kept as it is.
    let games = [
        "1. e4 *",
        "{a} 1. d4 {c} 1-0",
        "[White \"a\"]\n\n1. e4 *",
        "[White \"a\"] 1. c4 *",
        "{r} 1. e5 *",
    ];
    let between = [
        "",
        "{i}",
        "{i} ",
        "; l\n",
        "{i}\n",
        "$1 {i} ",
        "word ",
        "word\n",
        "{i} word ",
        "\u{feff}",
        "\u{feff}{i} ",
        "{i}\u{feff}",
        "word {i} ",
    ];
    let spaces = ["", " ", "\n", "\n\n", "\r\n"];
    let notations = ["long", "iccf", "economical-priority"].map(|name| find(name).unwrap());
    let (scratch, mut broken) = (Scratch::new(), Vec::new());
    let choices = [games.len(), games.len(), spaces.len(), between.len(), spaces.len()];
    for number in (0..choices.iter().product()).step_by(trials(31, 11, 1)) {
        let mut rest = number;
        let [first, second, before, text, after] = choices.map(|count| {
            let choice = rest % count;
            rest /= count;
            choice
        });
        let (first, second) = (games[first], games[second]);
        let text = [first, spaces[before], between[text], spaces[after], second, "\n"].concat();
        // A line that opens a tag pair may have to stay as it is: the next test.
        if first.starts_with("[White \"a\"] ") && text.contains('\u{feff}') {
            continue;
        }
        let path = scratch.write("games.pgn", text.as_bytes());
        let plain = convert(san(), &path, Rejects::Kept, None);
        if plain.counts.repaired == 0 {
            broken.extend(difference(text.as_bytes(), &plain.written));
        }
        let to = notations[number / trials(31, 11, 1) % notations.len()];
        broken.extend(there_and_back(&path, &plain.written, to, ".pgn"));
    }
    assert_none(&broken);
}

/// A comment with which a game begins stays with it where what was before it is left out, or is another archive, and where
/// the tag pair that separated it is removed.
#[test]
fn comments_stay_with_the_games_that_they_begin() {
    let scratch = Scratch::new();
    let first = "1. f3 *\n";
    for second in ["{about h3} 1. h3 *\n", "; about h3\n1. h3 1-0\n", "\n\n{about} {h3} 1. h3 *\n"]
    {
        scratch.write("a.pgn", first.as_bytes());
        scratch.write("b.pgn", second.as_bytes());
        scratch.write("c.pgn", format!("{first}\ntext\n\n{second}").as_bytes());
        for command in [
            &["select", "c.pgn"][..],
            &["select", "a.pgn", "b.pgn"],
            &["convert", "--to", "san", "a.pgn", "b.pgn"],
            &["convert", "--to", "uci", "a.pgn", "b.pgn"],
        ] {
            let ran = run_in(
                scratch.path(),
                &[command, &["-q", "--overwrite", "-o", "d.pgn"]].concat(),
                b"",
            );
            assert_eq!(ran.status.code(), Some(0), "{command:?}");
            let back = ["convert", "-q", "--overwrite", "--to", "san", "-o", "e.pgn", "d.pgn"];
            assert_eq!(run_in(scratch.path(), &back, b"").status.code(), Some(0), "{command:?}");
            for name in ["d.pgn", "e.pgn"] {
                let export =
                    ["export", "-q", "--columns", "movetext", "--format", "jsonl", "-o", "-", name];
                let rows = run_in(scratch.path(), &export, b"");
                let rows = String::from_utf8(rows.stdout).unwrap();
                let about: Vec<bool> = rows.lines().map(|row| row.contains("about")).collect();
                assert_eq!(about, [false, true], "{command:?} {name}: {rows}");
            }
        }
    }
}

/// After a line that opens a tag pair no game starts. Where such a line is that of a comment, and a game begins on it
/// whose own comment has lines of tag pairs, it is not divided.
#[test]
fn games_on_a_line_that_opens_a_tag_pair_stay_on_it() {
    let scratch = Scratch::new();
    let there = scratch.join("there.pgn");
    // A rejected game is copied as it is.
    let rejected =
        "1. e4 *\n\n{[Event \"x\"]\n[Site \"y\"]} 1. a4 0-1.-{\n} 1. a3 0-1 {c} 1. Ke3 *\n";
    let path = scratch.write("games.pgn", rejected.as_bytes());
    let plain = convert(san(), &path, Rejects::Kept, None);
    assert!(plain.counts.rejected > 0);
    assert_eq!(difference(rejected.as_bytes(), &plain.written), None);
    for moves in ["1. a4 {\n[Event \"q\"]\n} 1... a6 0-1", "1. a4 { ; c\n%\n[Event \"q\"]} a6 *"] {
        let text = format!("1. e4 *\n\n{{[Event \"x\"]\n[Site \"y\"]}} {moves}\n");
        let path = scratch.write("games.pgn", text.as_bytes());
        let plain = convert(san(), &path, Rejects::Kept, None);
        assert_eq!(difference(text.as_bytes(), &plain.written), None);
        for to in ["long", "iccf", "economical-priority"].map(|name| find(name).unwrap()) {
            convert(to, &path, Rejects::Kept, Some(&there));
            let back = convert(san(), &there, Rejects::Kept, None).counts;
            assert_eq!((back.games(), back.rejected), (2, 0), "{} {text}", to.info().name);
        }
    }
}

/// A move attached to its number is separated where its new text would be one word with it, and the game counts as
/// repaired; the last move of a game is no exception.
#[test]
fn moves_are_set_apart_from_numbers() {
    let scratch = Scratch::new();
    let to = find("economical-priority").unwrap();
    for (moves, apart) in [
        ("1. e4 e5 2Nf3 *", "1. e4 e5 2 gf3 *"),
        ("1. e4 e5 2Nf3 Nc6 *", "1. e4 e5 2 gf3 bc6 *"),
        ("1e4 e5 {c} *", "1 e4 e5 {c} *"),
        ("1. e4 e5 2Nf3", "1. e4 e5 2 gf3"),
    ] {
        let game = |moves| format!("[Event \"a\"]\n\n{moves}\n");
        let (path, there) = (scratch.write("a.pgn", game(moves).as_bytes()), scratch.join("b.pgn"));
        let written = convert(to, &path, Rejects::Apart, Some(&there));
        let named = game(apart).replace("\n\n", "\n[MoveNotation \"economical-priority\"]\n\n");
        assert_eq!(String::from_utf8(text_of(&there)).unwrap(), named);
        assert_eq!((written.counts.accepted, written.counts.repaired), (0, 1), "{moves}");
    }
}

/// The main job, on the whole sample.
#[test]
fn the_whole_sample_in_the_notation_that_saves_most() {
    let path = here(SAMPLE);
    let to = find("economical-priority").unwrap();
    assert_eq!(there_and_back(&path, &text_of(&path), to, ".zst"), None);
}

#[needs("../shared/corpora")]
#[test]
fn lichess() {
    check_all("lichess");
}

#[needs("../shared/corpora")]
#[test]
fn over_the_board() {
    check_all("otb");
}

#[needs("../shared/corpora")]
#[test]
fn engines() {
    check_all("engine");
}

#[needs("../shared/corpora")]
#[test]
fn chess960() {
    check_all("chess960");
}

#[needs("../shared/corpora")]
#[test]
fn annotated() {
    check_all("annotated");
}

#[needs("../shared/corpora")]
#[test]
fn pathological_localized_and_variants() {
    for folder in ["pathological", "localized", "variants"] {
        check_all(folder);
    }
}

/// Archives whose games may be rejected: what is written and what is set apart are together what was read.
fn with_rejects() -> Vec<PathBuf> {
    ["lichess/lichess_magnus.pgn.zst", "otb", "annotated", "variants", "pathological", "localized"]
        .into_iter()
        .flat_map(|place| match place.split_once('/') {
            Some((folder, file)) => {
                corpus(folder).into_iter().filter(|path| name_of(path) == file).collect()
            }
            None => corpus(place),
        })
        .collect()
}

/// Sorts the bytes of a text: those of rejected games, and all others.
#[derive(Debug, Default)]
struct Sorter {
    others: Vec<u8>,
    rejects: Vec<u8>,
}

impl ReplayVisitor for Sorter {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        _: usize,
    ) -> Result<(), Deviation> {
        ply.encode(san(), &mut MoveText::default())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let rejected = game.verdict == Verdict::Rejected;
        let side = if rejected { &mut self.rejects } else { &mut self.others };
        side.extend_from_slice(&text[game.span.clone()]);
    }

    fn between(&mut self, text: &[u8], place: Range<usize>) {
        self.others.extend_from_slice(&text[place]);
    }
}

#[needs("../shared/corpora")]
#[test]
fn what_is_written_and_what_is_rejected_is_every_byte() {
    let (mut archives, mut rejected) = (0, 0);
    for path in with_rejects() {
        let (name, text) = (name_of(&path), text_of(&path));
        let apart = convert(san(), &path, Rejects::Apart, None);
        let kept = convert(san(), &path, Rejects::Kept, None);
        assert_eq!(apart.counts, kept.counts, "{name}");
        assert_eq!(apart.rejects.len() as u64, apart.rejected_bytes, "{name}");
        assert_eq!(kept.text.len(), apart.text.len() + apart.rejects.len(), "{name}");
        let profile = Profile::lenient();
        let mut replayer = Replayer::new(&profile, None, History::Ignored);
        let mut sorter = Sorter::default();
        for (_, game) in Games::new(&text) {
            replayer.replay(game, &mut sorter);
        }
        assert_eq!(sorter.others.len() + sorter.rejects.len(), text.len(), "{name}");
        assert_eq!(difference(&sorter.rejects, &apart.rejects), None, "{name}");
        if apart.repairs().is_empty() {
            assert_eq!(difference(&sorter.others, &apart.text), None, "{name}");
            assert_eq!(difference(&text, &kept.text), None, "{name}");
        }
        archives += 1;
        rejected += apart.counts.rejected;
    }
    println!("{archives} archives, {rejected} rejected games");
}

/// The text of a variation that is kept though a move of it is illegal is never another move in the notation of the
/// output: what is converted is converted back to the same bytes, and the other games are rejected.
#[test]
fn illegal_moves_of_variations_stay_what_they_are() {
    const TOKENS: &[&str] = &[
        "Rd1", "e5", "Nxe5", "e2e4", "Kd1", "Kd1!", "Td1", "Td1+?", "Dd3", "Cf3", "Pe5", "Sf3",
        "N-KB3", "P-K4", "B-N5", "K-Q1", "5254", "6163", "e4e5", "a1", "Qd3", "Qc4", "Nc3xd5",
        "f1b5", "Bb5#", "O-O", "O-O-O", "0-0", "e1g1", "Rh1-g1", "exd5", "ed", "d5", "xd5", "Ng1",
        "Nd2!?", "b2b4c", "e8=Q", "5d6", "1g1", "6g8", "Zz",
    ];
    let scratch = Scratch::new();
    let convert = |to: &str, from: &str| {
        let allowed = ["convert", "--quiet", "--allow", "variation-illegal", "--keep-rejects"];
        let args = [&allowed[..], &["--to", to, "-o", "-", from]].concat();
        text_of_bytes(&run_in(scratch.path(), &args, b"").stdout)
    };
    let mut converted = 0;
    for (number, from) in
        ["san", "economical-squares", "economical-letters", "long", "lalg"].iter().enumerate()
    {
        scratch.write("game.pgn", b"[Event \"a\"]\n\n1. d4 d5 2. Qd3 Nf6 3. Nf3 e6 *\n\n");
        let game = convert(from, "game.pgn");
        // The seventh word of the movetext is the number of the third move.
        let (tags, moves) = game.split_once("\n\n").unwrap();
        let words: Vec<&str> = moves.split_whitespace().collect();
        let with = |variation: String, at: usize| {
            let (before, after) = (words[..at].join(" "), words[at..].join(" "));
            format!("{tags}\n\n{before} ({variation}) {after}\n\n")
        };
        let of_token = |token: &&str| {
            let whites = [format!("3. {token} e6 (e5 {token}) Ke7"), format!("3.{token}")];
            let blacks = [format!("{token} 4. c4"), format!("3... {token}")];
            let whites = whites.map(|variation| with(variation, 8));
            [whites, blacks.map(|variation| with(variation, 9))].concat().concat()
        };
        scratch.write("games.pgn", TOKENS.iter().map(of_token).collect::<String>().as_bytes());
        let plain = convert(from, "games.pgn");
        for notation in thinned(4, NOTATIONS.iter().skip(number % 3).step_by(1 + 2 * number.min(1)))
        {
            let name = notation.info().name;
            let there = convert(name, "games.pgn");
            converted += there.matches("MoveNotation ").count();
            scratch.write("there.pgn", there.as_bytes());
            assert_eq!(convert(from, "there.pgn"), plain, "{from} to {name}");
        }
    }
    assert!(converted > 0, "no game was converted");
}

fn text_of_bytes(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a pair that a conversion writes, or takes away, must not decide: a game that ends in a variation is not ended by
/// number 1, and a line without its bracket is no pair because the project's own one follows.
#[test]
fn the_own_pair_decides_no_beginning() {
    let scratch = Scratch::new();
    let counts = |name: &str| {
        let ran = run_in(scratch.path(), &["validate", "--format", "json", name], b"");
        let counted: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        ["games", "accepted", "rejected", "plies"].map(|key| counted[key].as_u64().unwrap())
    };
    for text in [
        "1. e4 (1. d4\n\n[MoveNotation \"uci\"]\n1. c2c4 *\n",
        "1. e4 e5 (1... c5 2. Nf3\n\n[MoveNotation \"uci\"]\n1. c2c4 *\n",
        "1. e4 *\n\nEvent \"x\"]\n[MoveNotation \"uci\"]\n1. d2d4 *\n",
        "1. e4 *\n\nWhite \"x\"]\n[MoveNotation \"uci\"]\n*\n",
    ] {
        scratch.write("a.pgn", text.as_bytes());
        for (from, to, name) in
            [("a.pgn", "san", "b.pgn"), ("b.pgn", "uci", "c.pgn"), ("c.pgn", "san", "d.pgn")]
        {
            run_in(
                scratch.path(),
                &["convert", "-q", "--keep-rejects", "--overwrite", "--to", to, "-o", name, from],
                b"",
            );
        }
        assert_eq!(counts("b.pgn"), counts("a.pgn"), "{text}");
        let read =
            |name: &str| String::from_utf8(std::fs::read(scratch.join(name)).unwrap()).unwrap();
        assert_eq!(read("d.pgn"), read("b.pgn"), "{text}");
    }
}
