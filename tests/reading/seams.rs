//! Cut invariance: the same games whatever the container, and wherever it was cut.
//!
//! Every text is read as a map, as a stream, as one frame and as many, and must give the same
//! ledger: the same bytes, the same game starts, the same games too long to hold.

use crate::common::{self, Dice, trials};
use pgnmill_io::archive::games::{Games, Starts};
use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};
use pgnmill_io::archive::{Archive, Block, Container, InOrder, Input, Kind, Options, Part};
use pgnmill_io::error::{Error, ErrorKind, Result};
use pgnmill_laws::split::Runs;
use pgnmill_needs::needs;
use std::cell::RefCell;
use std::fs;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// What an archive came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ledger {
    text: Vec<u8>,
    /// Where each game begins, and the text before the first.
    games: Vec<u64>,
    /// Where each game that is too long begins.
    long: Vec<u64>,
}

impl Ledger {
    /// From the uncut text.
    fn expected(text: &[u8], options: &Options) -> Ledger {
        let starts = Starts::new(text).collect::<Vec<_>>();
        let Runs { games, long } = Runs::of(text, &starts, options.game_bytes_max);
        Ledger { text: text.to_vec(), games, long }
    }

    fn add(&mut self, block: Block<'_>) {
        assert!(!block.text.is_empty());
        assert_eq!(block.offset, self.text.len() as u64, "blocks are adjacent");
        match block.part {
            Part::Games => {
                self.games.extend(Games::new(block.text).map(|(at, _)| block.offset + at as u64));
            }
            Part::OversizeFirst => {
                self.games.push(block.offset);
                self.long.push(block.offset);
            }
            Part::Cut | Part::Fragment | Part::Lines => panic!("games, and nothing is damaged"),
            Part::OversizeRest => {
                assert!(!self.long.is_empty(), "a first piece came before");
                let divides = self.text.ends_with(b"\r") && block.text.starts_with(b"\n");
                assert!(!divides, "a line end is cut");
                let follows = |byte: &&u8| (0x80..0xC0).contains(*byte);
                let ahead = self.text.iter().rev().take(3).take_while(follows).count();
                let leads = self.text.iter().rev().nth(ahead).is_some_and(|&byte| byte >= 0xC0);
                let divides = leads && block.text.first().as_ref().is_some_and(follows);
                assert!(!divides || ahead == 3, "a sign is cut");
            }
        }
        self.text.extend_from_slice(block.text);
    }
}

/// Visits the blocks of an archive in the order of its text; none of these archives has damage that is skipped.
fn read(archive: Archive, visit: &mut dyn FnMut(Block<'_>) -> Result<()>) -> Result<()> {
    for next in archive.blocks() {
        match next? {
            InOrder::Block(block) => visit(block.as_block())?,
            InOrder::Damage(_, damage) => panic!("{damage}"),
        }
    }
    Ok(())
}

fn ledger(archive: Archive) -> (Ledger, Option<Error>) {
    let mut ledger = Ledger::default();
    let stored_bytes = archive.stored_bytes();
    let result = read(archive, &mut |block| {
        ledger.add(block);
        Ok(())
    });
    assert!(stored_bytes != Some(0) || ledger.text.is_empty());
    (ledger, result.err())
}

/// A file that is gone when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(stored: &[u8]) -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pgnmill-seams-{}-{count}", std::process::id());
        let path = pgnmill_laws::scratch::folder().join(name);
        fs::write(&path, stored).unwrap();
        Scratch(path)
    }

    fn open(&self, options: &Options) -> Archive {
        Archive::open(&Input::Path(self.0.clone()), options).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A pipe that gives a few bytes at a time.
struct Dribble(std::io::Cursor<Vec<u8>>);

impl Read for Dribble {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(3);
        self.0.read(&mut out[..len])
    }
}

/// A reader whose bytes come in pieces, which fails once where they end, and says that this is the end after that.
struct Breaks {
    stored: std::io::Cursor<Vec<u8>>,
    piece: usize,
    has_failed: bool,
}

impl Read for Breaks {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(self.piece);
        match self.stored.read(&mut out[..len]) {
            Ok(0) if len > 0 && !std::mem::replace(&mut self.has_failed, true) => {
                Err(std::io::Error::other("the line is down"))
            }
            read => read,
        }
    }
}

/// A reader that fails is reported, however many bytes came before, in whatever pieces, and in every container; what
/// was read before is the beginning of the text.
#[test]
fn a_reader_that_fails_once_is_an_error() {
    let text = b"[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(4_000);
    let coders = common::coded::CODERS.iter().map(|(_, store)| store(&text));
    let mut count = 0;
    for stored in [text.clone(), frame(&text)].into_iter().chain(coders) {
        let ends = [0, 1, 5, 100, 65_535, 65_536, 65_537, 100_000, usize::MAX];
        let ends = ends.into_iter().filter(|&end| end < stored.len() || end == usize::MAX);
        for end in ends.map(|end| end.min(stored.len())) {
            for piece in [1_000, 65_536, usize::MAX] {
                let options = Options::default();
                let stored_bytes = stored[..end].to_vec();
                let stored = Cursor::new(stored_bytes.clone());
                let reader = Breaks { stored, piece, has_failed: false };
                let (found, error) = match Archive::from_reader("pipe", reader, &options) {
                    Ok(archive) => ledger(archive),
                    Err(error) => (Ledger::default(), Some(error)),
                };
                let error = error.map_or(String::new(), |error| error.to_string());
                // The first bytes of a container alone can be those of a file that is to be unpacked.
                let is_head = (1..6).contains(&end) && !error.is_empty();
                assert!(
                    error.contains("the line is down") || is_head,
                    "{end} in pieces of {piece}: {error}"
                );
                assert!(text.starts_with(&found.text), "{end} in pieces of {piece}");
                // All games are given that were read before, but for the last one, which may go on.
                if !is_head
                    && let Ok(cut) =
                        Archive::from_reader("cut", Cursor::new(stored_bytes), &options)
                {
                    let cut = ledger(cut).0.text;
                    let lacking =
                        cut.strip_prefix(&*found.text).expect("the text of a cut archive");
                    let games = lacking.windows(6).filter(|six| six == b"[Event").count();
                    assert!(games < 2, "{end} in pieces of {piece}: {games} games are not given");
                }
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// One frame, without its content size, as a pipe would write it. Its compressor is kept: the tables of a new one cost
/// more than a short text.
fn frame(text: &[u8]) -> Vec<u8> {
    thread_local! {
        static COMPRESSOR: RefCell<zstd::bulk::Compressor<'static>> = {
            let mut compressor = zstd::bulk::Compressor::new(1).unwrap();
            compressor.include_contentsize(false).unwrap();
            RefCell::new(compressor)
        };
    }
    COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(text).unwrap())
}

/// A frame for every piece, cut at `cuts`.
fn frames(text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut at = 0;
    for &cut in cuts.iter().chain([&text.len()]) {
        stored.extend(frame(&text[at..cut]));
        at = cut;
    }
    stored
}

/// A frame for every `len` bytes, each after a skippable frame that holds its size, as pzstd writes
/// them.
fn pzstd(text: &[u8], len: usize) -> Vec<u8> {
    let mut stored = Vec::new();
    for piece in text.chunks(len) {
        let frame = frame(piece);
        stored.extend([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0]);
        stored.extend((frame.len() as u32).to_le_bytes());
        stored.extend(frame);
    }
    stored
}

/// Frames of whole games with a seek table.
fn seekable(text: &[u8], frame_text_bytes: usize) -> Vec<u8> {
    let mut cutter = Cutter::with_sizes(frame_text_bytes, 1 << 20);
    let ends: Vec<u64> = Games::new(text).map(|(at, game)| (at + game.len()) as u64).collect();
    let mut cuts = Vec::new();
    cutter.push(text.to_vec(), &ends, &mut cuts);
    cuts.extend(cutter.finish());
    let (mut encoder, mut table) = (FrameEncoder::new(3).unwrap(), SeekTable::new());
    let mut stored = Vec::new();
    for slices in cuts {
        let frame = encoder.encode(&slices).unwrap();
        table.push(&frame);
        stored.extend(frame.stored);
    }
    stored.extend(table.to_bytes());
    stored
}

fn options(size: usize, game_bytes_max: usize) -> Options {
    Options {
        block_bytes: size,
        range_bytes: size,
        game_bytes_max,
        batch_stored_bytes: 1,
        ..Options::default()
    }
}

#[track_caller]
fn check(archive: Archive, options: &Options, expected: &Ledger, what: &str) {
    let (found, error) = ledger(archive);
    assert!(error.is_none(), "{what}: {error:?}");
    assert_eq!(found.text.escape_ascii().to_string(), expected.text.escape_ascii().to_string());
    let text = expected.text.escape_ascii();
    assert_eq!(found.games, expected.games, "{what} with {options:?}: {text}");
    assert_eq!(found.long, expected.long, "{what} with {options:?}: {text}");
    assert_eq!(&found, expected, "{what} with {options:?}");
}

/// The same ledger from every container.
fn check_containers(text: &[u8], options: &Options) {
    let expected = Ledger::expected(text, options);
    let mapped = |stored: &[u8], what: &str| {
        let file = Scratch::new(stored);
        check(file.open(options), options, &expected, what);
    };
    let piped = |stored: Vec<u8>, what: &str| {
        let reader = Dribble(std::io::Cursor::new(stored));
        let archive = Archive::from_reader("pipe", reader, options).unwrap();
        assert!(matches!(archive.kind(), Kind::Stream { .. }));
        check(archive, options, &expected, what);
    };
    mapped(text, "map");
    piped(text.to_vec(), "stream");
    mapped(&frame(text), "one frame");
    piped(frame(text), "one frame, stream");
    for len in [1, 2, 5, 13, 50] {
        let cuts: Vec<usize> = (1..text.len()).filter(|cut| cut % len == 0).collect();
        let stored = frames(text, &cuts);
        mapped(&stored, &format!("frames of {len}"));
        piped(stored, &format!("frames of {len}, stream"));
        mapped(&pzstd(text, len), &format!("pzstd of {len}"));
        mapped(&seekable(text, len), &format!("seekable, {len}"));
    }
}

/// Texts in which a naive reader loses its way.
const NASTY: &[&[u8]] = &[
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
    b"1. e4 1-0\n1. e4 e5 2. Nf3 1/2-1/2 1. d4 *\n\n1. c4 {one that is a little longer} e5 0-1\r\n1. e4 *\n1. e4",
    b"[Event \"a\"]\n\n1. e4 *\n\n1. d4 1-0\n1. c4 0-1\n\n1. e4 *\n1. a3 a6 2. b3 *\n[Event \"b\"]\n*\n1. e4 *",
];

#[test]
fn every_range_gives_the_same_games() {
    for text in NASTY {
        let file = Scratch::new(text);
        for range_bytes in 1..=text.len() + 1 {
            for (block_bytes, game_bytes_max) in [(1, 1000), (7, 1000), (64, 1000), (3, 60), (5, 5)]
            {
                let options = Options { range_bytes, ..options(block_bytes, game_bytes_max) };
                let expected = Ledger::expected(text, &options);
                check(file.open(&options), &options, &expected, "map");
            }
        }
    }
}

#[test]
fn frames_cut_at_every_byte_give_the_same_games() {
    let options = options(7, 1000);
    for text in NASTY {
        let expected = Ledger::expected(text, &options);
        for cut in 0..=text.len() {
            let file = Scratch::new(&frames(text, &[cut]));
            let archive = file.open(&options);
            assert_eq!(archive.kind(), Kind::ZstdFrames);
            check(archive, &options, &expected, &format!("cut at {cut}"));
        }
    }
}

#[test]
fn every_container_gives_the_same_games() {
    for text in NASTY {
        for size in [1, 2, 3, 7, 64, 4096] {
            check_containers(text, &options(size, 1 << 20));
        }
    }
}

#[test]
fn games_too_long_to_hold_are_the_same_from_every_container() {
    for text in NASTY {
        for (size, game_bytes_max) in [(1, 1), (3, 12), (7, 12), (64, 30), (7, 60), (64, 150)] {
            check_containers(text, &options(size, game_bytes_max));
        }
    }
}

#[test]
fn jobs_too_large_are_read_in_order() {
    for text in NASTY {
        for limit in [1, 8, 40] {
            let few = Options { frame_text_bytes_max: limit, ..options(7, 1000) };
            check_containers(text, &few);
            // Batches, and frames of which some are too long for a worker.
            let stored = 8 + limit as usize;
            let long = Options { frame_stored_bytes_max: stored, ..options(7, 60) };
            check_containers(text, &long);
            let batches = Options { batch_stored_bytes: 40 * limit as usize, ..options(3, 60) };
            check_containers(text, &batches);
        }
    }
}

#[test]
fn long_lines_and_long_games() {
    let line = "1. e4 e5 2. Nf3 Nc6 ".repeat(70);
    let blanks = " ".repeat(600);
    let text = format!(
        "[Event \"a\"]\n\n{line}*\n\n[Event \"b\"]\n\n*\n{line}\"]\n[Event \"no start\"]\n%{line}\n\
         {blanks}\n[Event \"d\"]\n{line}\r\n[Event \"e\"]\n\n{line}\n[\n[Event \"f\"]\n*"
    );
    for (size, game_bytes_max) in [(7, 100), (100, 300), (400, 900), (1000, 3000), (64, 100_000)] {
        let options = options(size, game_bytes_max);
        check_containers(text.as_bytes(), &options);
        let batches = Options { batch_stored_bytes: 500, ..options };
        check_containers(text.as_bytes(), &batches);
    }
}

#[test]
fn pieces_of_long_games_divide_no_character() {
    // 14 bytes, so that every size meets every byte of a character; after an odd number of bytes, sizes of even numbers
    // do.
    let signs = "é€𝄞aя\r\n".repeat(trials(15, 15, 40));
    let stray: &[&[u8]] =
        &[b"", b"\x80", b"\xE2\x82", b"\xF0\r\n", b"\xBF\xBF\xBF\xBF\xBF", b"\xC3\r"];
    for before in (0..7).step_by(trials(3, 3, 1)) {
        for stray in stray {
            let text =
                [b"[Event \"a\"]\n\n", &b" ".repeat(before)[..], signs.as_bytes(), stray].concat();
            let text = [&text[..], &text, b"*\n"].concat();
            for (size, game_bytes_max) in [(1, 1), (2, 12), (3, 12), (5, 30), (64, 100)] {
                check_containers(&text, &options(size, game_bytes_max));
            }
        }
    }
}

#[test]
fn games_at_the_limit_are_whole_and_games_above_it_are_not() {
    let game = |len: usize| format!("[Event \"a\"]\n{:x<1$}\n", "", len - 13);
    let limit = 500;
    let text = [game(limit - 1), game(limit), game(limit + 1), game(limit)].concat();
    for size in [1, 64, 100, 499, 500, 5000] {
        let options = options(size, limit);
        let expected = Ledger::expected(text.as_bytes(), &options);
        assert_eq!(expected.long, [2 * limit as u64 - 1]);
        check_containers(text.as_bytes(), &options);
    }
}

#[test]
fn a_zstd_file_cut_short_is_an_error() {
    let text = NASTY[3].repeat(3);
    for stored in [frame(&text), frames(&text, &[50, 90, 150]), pzstd(&text, 40)] {
        for len in 9..stored.len() {
            let file = Scratch::new(&stored[..len]);
            let options = options(64, 1000);
            let (found, error) = ledger(file.open(&options));
            assert!(text.starts_with(&found.text), "what comes before is true");
            let whole_frames = zstd::decode_all(&stored[..len]).is_ok();
            assert_eq!(error.is_none(), whole_frames, "{len} of {}: {error:?}", stored.len());
            if let Some(error) = error {
                assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
            }
        }
    }
}

#[test]
fn damage_is_an_error_and_what_comes_before_is_delivered() {
    let text = NASTY[3];
    let mut stored = frames(text, &[20, 40, 60]);
    let middle = frame(&text[..20]).len();
    let games = Options { batch_stored_bytes: 1, ..options(64, 1000) };
    // Whatever byte is changed after the first magic number: an error, unless no decoder would
    // mind.
    for at in 4..stored.len() {
        stored[at] ^= 0x10;
        let file = Scratch::new(&stored);
        let (found, error) = ledger(file.open(&games));
        assert!(error.is_some() || found.text == text || zstd::decode_all(&stored[..]).is_ok());
        if at >= middle
            && let Some(error) = error
        {
            let ErrorKind::Damaged { stored_offset, .. } = error.kind() else { panic!("{error}") };
            assert!(*stored_offset >= middle as u64, "{error}");
        }
        stored[at] ^= 0x10;
    }
    let mut stored = frames(text, &[50]);
    stored.extend_from_slice(b"garbage");
    let file = Scratch::new(&stored);
    let (found, error) = ledger(file.open(&games));
    assert!(error.is_some());
    let second = Starts::new(text).nth(1).unwrap();
    assert_eq!(found.text, &text[..second], "the whole games before the damage");
}

#[test]
fn an_error_of_the_visitor_ends_the_job() {
    let options = options(7, 1000);
    for stored in [NASTY[3].to_vec(), frame(NASTY[3]), frames(NASTY[3], &[9])] {
        let file = Scratch::new(&stored);
        let mut visits = 0;
        let result = read(file.open(&options), &mut |_| {
            visits += 1;
            Err(Error::interrupted())
        });
        assert!(matches!(result.unwrap_err().kind(), ErrorKind::Interrupted));
        assert_eq!(visits, 1);
    }
}

#[test]
fn files_that_are_not_there_and_directories_are_errors() {
    for (path, word) in [("/nowhere/at all.pgn", "open"), ("/", "open")] {
        let error = Archive::open(&Input::Path(path.into()), &Options::default()).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn the_kind_is_told_by_the_first_bytes() {
    let options = Options::default();
    let text = NASTY[3];
    let kind = |stored: &[u8]| Scratch::new(stored).open(&options).kind();
    assert_eq!(kind(text), Kind::Plain);
    assert_eq!(kind(b""), Kind::Stream { container: Container::Text });
    assert_eq!(kind(&frame(text)), Kind::Stream { container: Container::Zstd });
    assert_eq!(kind(&frames(text, &[9])), Kind::ZstdFrames);
    assert_eq!(kind(&pzstd(text, 40)), Kind::ZstdFrames);
    assert_eq!(kind(&pzstd(text, 4000)), Kind::Stream { container: Container::Zstd });
    assert_eq!(kind(&seekable(text, 10)), Kind::ZstdFrames);
}

#[test]
fn texts_without_games_take_linear_time() {
    for line in ["[a \"b\"]\n", "\n", "%\n", "[", " ", "\"]\n\n", "[Event \"x\n\r"] {
        let text = line.repeat((8 << 20) / line.len());
        let options =
            Options { range_bytes: 4 << 10, game_bytes_max: 1 << 20, ..options(4 << 10, 0) };
        for archive in [
            Scratch::new(text.as_bytes()).open(&options),
            Scratch::new(&frame(text.as_bytes())).open(&options),
            Scratch::new(&pzstd(text.as_bytes(), 1 << 16)).open(&options),
        ] {
            let mut text_bytes = 0;
            let add = &mut |block: Block<'_>| {
                text_bytes += block.text.len() as u64;
                Ok(())
            };
            read(archive, add).unwrap();
            assert_eq!(text_bytes, text.len() as u64);
        }
    }
}

#[needs("../shared/corpora/bench")]
#[test]
fn real_archives_give_every_byte_and_every_game() {
    let entries = fs::read_dir(common::here("../shared/corpora/bench")).unwrap();
    let options = Options::default();
    for entry in entries {
        let path = entry.unwrap().path();
        let expected = zstd::decode_all(fs::File::open(&path).unwrap()).unwrap();
        let events = memchr::memmem::find_iter(&expected, b"\n[Event \"").count() as u64
            + u64::from(expected.starts_with(b"[Event \""));
        let plain = Scratch::new(&expected);
        let input = Input::Path(path.clone());
        let reader = fs::File::open(&path).unwrap();
        for archive in [
            Archive::open(&input, &options).unwrap(),
            Archive::from_reader("pipe", reader, &options).unwrap(),
            plain.open(&options),
        ] {
            let kind = archive.kind();
            let (mut at, mut games) = (0, 0);
            let check = &mut |block: Block<'_>| {
                assert_eq!(block.part, Part::Games);
                assert_eq!(block.offset, at as u64);
                assert!(expected[at..].starts_with(block.text));
                at += block.text.len();
                games += Starts::new(block.text).count() as u64;
                Ok(())
            };
            read(archive, check).unwrap();
            assert_eq!((at, games), (expected.len(), events), "{} as {kind:?}", path.display());
        }
    }
}

#[test]
fn any_text_gives_the_same_games_from_any_container() {
    const BYTES: &[u8] = b"[]\"\n\r Event1.e4{}%;";
    const TAGS: &[&[u8]] = &[b"\n[Event \"x\"]\n", b"\n\n[Event \"", b"\r\n[Site \"y\"]", b"\"]\n"];
    let mut dice = Dice::new(35);
    for _ in 0..trials(100, 300, 3_000) {
        let mut text: Vec<u8> = (0..dice.below(120)).map(|_| dice.one(BYTES)).collect();
        for _ in 0..dice.below(6) {
            let at = dice.below(text.len() + 1);
            text.splice(at..at, dice.one(TAGS).iter().copied());
        }
        let block_bytes = 1 + dice.below(39);
        check_containers(
            &text,
            &Options {
                block_bytes,
                range_bytes: block_bytes,
                game_bytes_max: 1 + dice.below(199),
                batch_stored_bytes: 1 + dice.below(199),
                frame_stored_bytes_max: 10 + dice.below(90),
                frame_text_bytes_max: 1 + dice.below(299) as u64,
                ..Options::default()
            },
        );
    }
}

/// What a run of games without tag pairs is made of, and what can be at its edges.
const OF_RUNS: [&str; 22] = [
    "1. e4 e5 1-0\n",
    "1. d4 * ",
    "1. c4 {a comment} 0-1\r\n",
    "1. Nf3 1/2-1/2\n\n",
    "1.e4 *\t",
    "1",
    "1.",
    ". ",
    "1-0",
    " 1. ",
    "*",
    "\n",
    "\r",
    " ",
    "{",
    "}",
    "(1. a3 *\n",
    "[Event \"a\"]\n",
    "[Event \"b\"]\n\n1. e4 1-0\n\n",
    "11. e5 ",
    "  ",
    "x",
];

/// Runs made at random, in every container, with sizes at which they are games, runs, or too long: the same blocks.
#[test]
fn runs_without_tag_pairs_are_divided_alike_in_every_container() {
    let mut dice = Dice::new(6);
    for length in 0..trials(60, 60, 2_000) {
        let count = 1 + dice.below(1 + length.min(40));
        let text: String = (0..count).map(|_| OF_RUNS[dice.below(OF_RUNS.len())]).collect();
        let size = 1 + dice.below(40);
        let options = options(size, size + dice.below(90));
        check_containers(text.as_bytes(), &options);
    }
}
