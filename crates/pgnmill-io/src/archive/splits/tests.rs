//! The laws of splits: whatever the text, the container and the target, the texts of all splits joined are the text of
//! the archive, and their games are its games.

use super::super::results::first_after_result;
use super::*;
use crate::archive::games::{Games, Starts};
use crate::archive::{Archive, Block, InOrder, Input, Options, Part};
use crate::error::ErrorKind;
use pgnmill_dice::thinned;
use std::sync::Arc;

/// A generator of numbers, the same at each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn small(size: usize, game_bytes_max: usize) -> Options {
    Options { block_bytes: size, range_bytes: size, game_bytes_max, ..Options::default() }
}

/// Text, and where its games begin, long ones once.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ledger {
    text: Vec<u8>,
    games: Vec<usize>,
}

impl Ledger {
    /// Of a run without tag pairs that is too long to be one game, each game after a result is one.
    fn of(text: &[u8], game_bytes_max: usize) -> Ledger {
        let mut games = Vec::new();
        for (at, run) in Games::new(text) {
            let next = |&from: &usize| first_after_result(run, from);
            let is_divided = run.len() > game_bytes_max;
            let inner = std::iter::successors(Some(0).filter(|_| is_divided), next).skip(1);
            games.push(at);
            games.extend(inner.map(|inner| at + inner));
        }
        Ledger { text: text.to_vec(), games }
    }

    fn add(&mut self, Block { text, part, .. }: Block<'_>) {
        let base = self.text.len();
        match part {
            Part::Games => self.games.extend(Games::new(text).map(|(at, _)| base + at)),
            Part::OversizeFirst => self.games.push(base),
            Part::OversizeRest => {}
            Part::Cut | Part::Fragment | Part::Lines => panic!("games, and nothing is damaged"),
        }
        self.text.extend_from_slice(text);
    }
}

fn opened(stored: &[u8], split: &Split, options: &Options) -> Archive {
    let again: Split = split.to_string().parse().unwrap();
    assert_eq!(&again, split);
    Archive::open_split("bytes", stored.to_vec(), &again, options).unwrap()
}

/// The law, with one target.
fn check(text: &[u8], stored: &[u8], target_bytes: u64, options: &Options) {
    let splits = Split::all("bytes", stored, target_bytes).unwrap();
    let name = format!("{} by {target_bytes}: {splits:?}", text.escape_ascii());
    assert_eq!(splits.first().map(|split| split.begin), Some(0), "{name}");
    assert_eq!(splits.last().map(|split| split.end), Some(stored.len() as u64), "{name}");
    assert!(splits.windows(2).all(|pair| pair[0].end == pair[1].begin), "{name}");
    let expected = Ledger::of(text, options.game_bytes_max);
    let mut found = Ledger::default();
    for (ordinal, split) in splits.iter().enumerate() {
        assert_eq!((split.ordinal, split.count), (ordinal as u64, splits.len() as u64), "{name}");
        let archive = opened(stored, split, options);
        let base = archive.text_begin();
        let before = found.text.len() as u64;
        for item in archive.blocks() {
            let InOrder::Block(block) = item.unwrap() else { panic!("{name}") };
            let relative = if base.is_some() { 0 } else { before };
            assert_eq!(relative + block.offset, found.text.len() as u64, "{name}");
            found.add(block.as_block());
        }
        // What a split of text owns are the games that start in it, where that is certain.
        let range = before..found.text.len() as u64;
        assert!(range.is_empty() || base.is_none_or(|base| base == before), "{name}");
        if split.container == Container::Text && !range.is_empty() && ordinal > 0 {
            assert!((split.begin..split.end).contains(&before), "{name}");
        }
    }
    assert_eq!(
        found.text.escape_ascii().to_string(),
        expected.text.escape_ascii().to_string(),
        "{name}"
    );
    assert_eq!(found, expected, "{name}");
}

fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).unwrap()
}

/// Frames cut at random, with empty and skippable ones between.
fn frames(text: &[u8], random: &mut Random) -> Vec<u8> {
    let (mut stored, mut at) = (Vec::new(), 0);
    while at < text.len() || stored.is_empty() {
        match random.below(8) {
            0 => stored.extend(frame(b"")),
            1 => stored.extend([0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9]),
            _ => {
                let len = (1 + random.below(60)).min(text.len() - at);
                stored.extend(frame(&text[at..at + len]));
                at += len;
            }
        }
    }
    stored
}

const TEXTS: &[&[u8]] = &[
    b"",
    b"\n\n",
    b"no game at all, not even a line end",
    b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5 *\n\n[Event \"c\"]\n[Site \"d\"]\n\n1. d4 *\n",
    b"[Event \"crlf\"]\r\n[Site \"b\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"c\"]\r\n\r\n1. d4 *\r\n",
    b"[Event \"cr\"]\r[Site \"b\"]\r\r1. e4 *\r\r[Event \"c\"]\r\r1. d4 *",
    b"[Event \"tags only\"]\n[Site \"b\"]\n\n[Event \"c\"]\n[Site \"d\"]\n\n\n[Event \"e\"]\n",
    b"[Event \"a\"]\n\n[Site \"after a blank line\"]\n\n1. e4 *\n[Event \"missing line\"]\n*\n",
    b"[Event \"a\"]\n\n1. e4 { never closed\n\n[Event \"b\"]\n\n1. d4 { [%clk 0:01] } *\n",
    b"[Event \"a\"]\n\n{ [at a line's start\n[%eval 0.1]\n[%clk \"x\"]\n[also\n} *\n\n[Event \"b\"]\n*\n",
    b"\xEF\xBB\xBF[Event \"marked\"]\n\n*\n\n% escape\n[Event \"b\"]\n; comment\n[Site \"c\"]\n*\n",
    b"junk\n*\n  [ Event \"indented\" ] \n\n1. e4\n\t[Site\"no blank\"]\n\n%\n;\n[Event \"c\"]\n",
    b"[Event \"long\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
      8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6 *\n\n[Event \"b\"]\n\n*\n",
];

#[test]
fn every_target_gives_every_byte_and_every_game_once() {
    let mut random = Random(1);
    for text in TEXTS {
        for target in 1..=RangedBytes::len(*text) + 1 {
            check(text, text, target, &small(7, 1000));
            check(text, text, target, &small(5, 12));
        }
        for target in [1, 20, 50, 90, 200, 1000] {
            let stored = frames(text, &mut random);
            check(text, &stored, target, &small(7, 1000));
            check(text, &stored, target, &small(5, 12));
            check(text, &frame(text), target, &small(7, 1000));
        }
    }
}

/// Texts of lines that matter to the search for starts, with bytes changed, in frames cut anywhere.
#[test]
fn random_texts_give_every_byte_and_every_game_once() {
    const LINES: &[&[u8]] = &[
        b"[Event \"x\"]\n", b"[Event \"x\"]\r\n", b"[Site \"y\"]\n", b"\n", b"\r\n", b"\r", b"% note\n", b"; note\n",
        b"1. e4 e5 2. Nf3 *\n", b"{ never closed\n", b"\"]\n", b"[", b" ", b"\xEF\xBB\xBF", b"[Event \"z",
        b"1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 1/2-1/2\n\n",
    ];
    let mut random = Random(2);
    for round in 0..if cfg!(miri) { 3 } else { 1_500 } {
        let mut text = Vec::new();
        for _ in 0..random.below(30) {
            text.extend_from_slice(LINES[random.below(LINES.len())]);
        }
        for _ in 0..random.below(3) {
            if !text.is_empty() {
                let at = random.below(text.len());
                text[at] = b"[]\"\n\r E%;{"[random.below(10)];
            }
        }
        let options = small(1 + random.below(40), [12, 60, 1000][round % 3]);
        let target = 1 + random.below(text.len() + 9) as u64;
        check(&text, &text, target, &options);
        let stored = frames(&text, &mut random);
        check(&text, &stored, 1 + random.below(stored.len() + 9) as u64, &options);
    }
}

/// Games with text of several pieces and long lines, so that searches go on over many reads.
#[test]
fn long_games_and_lines_are_read_through() {
    let line = "1. e4 e5 2. Nf3 Nc6 ".repeat(6_000);
    let blank = "\n".repeat(200_000);
    let text = format!(
        "[Event \"a\"]\n\n{line}\n\n[Event \"b\"]\n\n{}*\n{line}\"]\n[Event \"no start\"]\n%{line}\n{blank}[Event \"d\"]\n\
         {line}\r\n[Event \"e\"]\n\n{line}\n[\n[Event \"f\"]\n*{blank}{blank}[Site \"g\"]\n{line}",
        line.replace(' ', "\n")
    );
    let text = text.as_bytes();
    for target in thinned(3, [1_000, 70_000, 150_000, 400_000, 5_000_000]) {
        check(text, text, target, &Options::default());
        check(text, text, target, &small(1 << 16, 100_000));
    }
    for len in [3_000, 80_000, 300_000] {
        let stored: Vec<u8> = text.chunks(len).flat_map(frame).collect();
        for target in thinned(3, [1, 100, 3_000]) {
            check(text, &stored, target, &Options::default());
            check(text, &stored, target, &small(1 << 16, 100_000));
        }
    }
}

/// What is read of a source of which no split has a start but the first: linear in its length.
#[test]
fn texts_without_starts_take_linear_time() {
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Counted(Vec<u8>, Arc<AtomicU64>);

    impl RangedBytes for Counted {
        fn len(&self) -> u64 {
            RangedBytes::len(&self.0)
        }

        fn read_at(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
            self.1.fetch_add(out.len() as u64, Ordering::Relaxed);
            self.0.read_at(offset, out)
        }
    }

    for line in ["\n", "%\n", "[a \"b\"]\n", "1. e4 {\n", " ", "["] {
        let text = line.repeat((1 << 20) / line.len()).into_bytes();
        let noise: Vec<Vec<u8>> = text.chunks(1 << 14).map(frame).collect();
        for (stored, target) in [(text.clone(), 1 << 14), (noise.concat(), 1)] {
            let read = Arc::new(AtomicU64::new(0));
            let splits = Split::all("bytes", stored.as_slice(), target).unwrap();
            assert_eq!(splits.len(), 64, "{line:?}");
            let mut text_bytes = 0;
            for split in &splits {
                let source = Counted(stored.clone(), Arc::clone(&read));
                let archive = Archive::open_split("x", source, split, &Options::default()).unwrap();
                for item in archive.blocks() {
                    let InOrder::Block(block) = item.unwrap() else { panic!("{line:?}") };
                    text_bytes += block.text.len();
                }
            }
            assert_eq!(text_bytes, text.len(), "{line:?}");
            let len = stored.len() as u64;
            // Windows for headers, and context, for each split twice.
            let limit = 4 * len + 64 * 2 * (4 << 10);
            assert!(read.load(Ordering::Relaxed) <= limit, "{line:?}: {read:?} of {len}");
        }
    }
}

/// Splits of a text own what starts in their range, if lines decide it there.
#[test]
fn a_split_of_plain_text_owns_the_games_that_start_in_it() {
    let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let text = game.repeat(400);
    let starts: Vec<u64> = Starts::new(text.as_bytes()).map(|start| start as u64).collect();
    for target in [500, 1_000, 4_001] {
        for split in Split::all("x", text.as_bytes(), target).unwrap() {
            let archive = opened(text.as_bytes(), &split, &Options::default());
            let begin = archive.text_begin().unwrap();
            let blocks = archive.blocks().map(|item| match item.unwrap() {
                InOrder::Block(block) => block.text.len() as u64,
                InOrder::Damage(..) => panic!("text is not damaged"),
            });
            let owned = begin..begin + blocks.sum::<u64>();
            let first = starts.iter().find(|start| **start >= split.begin).copied();
            let next = starts.iter().find(|start| **start >= split.end).copied();
            let len = text.len() as u64;
            assert_eq!(owned, first.unwrap_or(len)..next.unwrap_or(len), "{split}");
        }
    }
}

#[test]
fn splits_of_other_bytes_are_refused() {
    let text = TEXTS[3].to_vec();
    let stored = [frame(&text[..30]), frame(&text[30..])].concat();
    let options = Options::default();
    for bytes in [text, stored] {
        let split = Split::all("x", bytes.as_slice(), 20).unwrap().remove(1);
        let refused = |bytes: &[u8], split: &Split| {
            let open = Archive::open_split("x", bytes.to_vec(), split, &options);
            let read = open.and_then(|archive| archive.blocks().collect::<Result<Vec<_>>>());
            let error = read.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::WrongSplit { .. }), "{error}");
        };
        refused(&bytes[1..], &split);
        refused(&bytes, &Split { end: split.end - 1, ..split.clone() });
        refused(&bytes, &Split { begin: split.end + 1, ..split.clone() });
        refused(&bytes, &Split { target_bytes: 0, ..split.clone() });
        refused(&bytes, &Split { stored_bytes: u64::MAX, ..split.clone() });
    }
    for text in [
        "",
        "text",
        "text 1 2 3 4 5 6",
        "text 1 2 3 4 5 6 7 8",
        "lz4 1 2 3 4 5 6 7",
        "text 1 2 3 4 5 6 x",
    ] {
        assert_eq!(text.parse::<Split>(), Err(ParseSplitError), "{text}");
    }
}

/// Frames are counted in the whole archive, and what comes before the damage is given.
#[test]
fn damage_ends_the_splits_that_meet_it() {
    let game = b"[Event \"a\"]\n\n1. e4 *\n\n".repeat(3);
    let mut stored: Vec<u8> = (0..4).flat_map(|_| frame(&game)).collect();
    let len = frame(&game).len();
    stored[3 * len - 5] ^= 0x55;
    let splits = Split::all("x", stored.as_slice(), 1).unwrap();
    assert_eq!(splits.len(), 4);
    let read = |split: &Split| {
        let (mut text, mut error) = (Vec::new(), None);
        for item in opened(&stored, split, &Options::default()).blocks() {
            match item {
                Ok(InOrder::Block(block)) => text.extend(block.text),
                Ok(damage) => panic!("{damage:?}"),
                Err(found) => error = Some(found),
            }
        }
        (text, error)
    };
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|index| read(&splits[index]));
    // No start of the second frame is certain to the first: its first line may be the end of another.
    assert!(first.1.is_none() && fourth.1.is_none());
    for (_, error) in [&second, &third] {
        let Some(error) = error else { continue };
        let ErrorKind::Damaged { frame, stored_offset, .. } = error.kind() else {
            panic!("{error}")
        };
        assert_eq!((*frame, *stored_offset), (3, 2 * len as u64));
    }
    assert!(third.1.is_some() || second.1.is_some());
}

#[test]
fn an_archive_has_the_splits_of_its_file() {
    let path = std::env::temp_dir().join(format!("pgnmill-splits-{}", std::process::id()));
    let options = Options::default();
    let text = TEXTS[3].to_vec();
    let stored = [frame(&text[..30]), frame(&text[30..])].concat();
    for (bytes, count) in [(text.clone(), text.len().div_ceil(20)), (stored, 2), (frame(&text), 1)]
    {
        std::fs::write(&path, &bytes).unwrap();
        let archive = Archive::open(&Input::Path(path.clone()), &options).unwrap();
        let splits = archive.splits(20).unwrap();
        assert_eq!((splits.len(), &splits), (count, &Split::all("x", &bytes, 20).unwrap()));
        let piped = Archive::from_reader("pipe", std::io::Cursor::new(bytes), &options).unwrap();
        let [split] = &piped.splits(20).unwrap()[..] else { panic!("one split") };
        assert_eq!((split.container, split.stored_bytes), (splits[0].container, u64::MAX));
    }
    std::fs::remove_file(&path).unwrap();
}

/// A container that is decoded as a whole has one split, which is all of it.
#[test]
fn a_part_of_gzip_is_no_split() {
    let stored = b"\x1F\x8B\x08 twenty bytes it is";
    let len = stored.len();
    for (begin, end) in [(1, len), (0, len - 1), (2, 2), (5, 1)] {
        let split: Split = format!("gzip {begin} {end} {len} 10 0 0 1").parse().unwrap();
        let error = Archive::open_split("a", &stored[..], &split, &Options::default());
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::WrongSplit { .. }), "{begin} {end}: {error}");
    }
}
