//! `positions`: the table is what shakmaty counts, in every ruleset, and does not depend on how it was counted.
//!
//! In: random games of each ruleset, many of which begin alike, repeat positions, have null moves, variations, no result,
//! no rating, no date, or a fault. Laws: pairs, counts, plies, means, dates, example and hash are those of a count by
//! shakmaty, one game after the other; the order is that of the table; the bytes are those of any number of threads,
//! memory, container and format; a book has what the table has.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Color, EnPassantMode, Move, Position as _};

use crate::common::variants::{SHARED, start_of_chess960, theirs_of};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, trials};
use pgnmill_core::chess::rules::{RulesKind, VariantKind};

/// The archives of a table, and for how many bits of a place the offset in one has room.
const ARCHIVES: [&str; 3] = ["a.pgn", "b.pgn", "c.pgn"];
const ARCHIVE_BITS: u32 = 32;

/// The sums of a pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    rated: u64,
    ratings: [i64; 2],
    ply: usize,
    dates: BTreeSet<String>,
    /// The ratings of the example, and its place: the index of the archive and the offset in it.
    sample: (i64, Reverse<usize>),
}

/// The pairs of some games: by ruleset, record and move.
pub(super) type Table = BTreeMap<Key, Counts>;
/// Ruleset, record and move.
pub(super) type Key = (usize, String, String);
/// The hash, SAN, whether White is to move, and the sums.
pub(super) type Counts = (Option<u64>, String, bool, Sums);

/// A game that is written and counted.
struct Game {
    rules: usize,
    /// Record, hash, UCI, SAN, is White to move, plies before it; of the moves that count.
    pairs: Vec<(String, Option<u64>, String, String, bool, usize)>,
    movetext: String,
    start: String,
    tag: String,
}

/// A ruleset: its index, its tag value, a starting position.
fn start(dice: &mut Dice) -> (usize, String, Theirs, CastlingMode) {
    match dice.below(SHARED.len() + 4) {
        0..2 => (0, "Standard".to_string(), Theirs::new(Variant::Chess), CastlingMode::Standard),
        2 => {
            let record =
                ["4k3/8/8/8/1p6/8/P1P5/4K2R w K -", "r3k2r/2p5/8/1P6/8/8/6p1/R3K3 b Qkq -"];
            let record = format!("{} 12 30", record[dice.below(2)]);
            let position = theirs_of(Variant::Chess, &record, CastlingMode::Standard).unwrap();
            (0, "Standard".to_string(), position, CastlingMode::Standard)
        }
        3 => {
            // Few of them, so that games meet.
            let record =
                start_of_chess960(VariantKind::Atomic, &mut Dice::new(dice.below(2) as u64));
            let position = theirs_of(Variant::Chess, &record, CastlingMode::Chess960).unwrap();
            (1, "Chess960".to_string(), position, CastlingMode::Chess960)
        }
        other => {
            let (kind, variant) = SHARED[other - 4];
            let rules = RulesKind::Variant { kind, chess960: false };
            (rules.index(), kind.name().to_string(), Theirs::new(variant), CastlingMode::Standard)
        }
    }
}

fn record(position: &Theirs) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The record without its clocks, and what else a row has of a move.
fn pair(
    position: &Theirs,
    mv: Move,
    (rules, mode): (usize, CastlingMode),
    ply: usize,
) -> (String, Option<u64>, String, String, bool, usize) {
    let record = record(position);
    let fields: Vec<&str> = record.split(' ').collect();
    let fen = fields[..fields.len() - 2].join(" ");
    let hash = (rules < 2).then(|| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    // shakmaty leaves out the letter of a pawn that is dropped.
    let san = if san.starts_with('@') { format!("P{san}") } else { san };
    (fen, hash, mv.to_uci(mode).to_string(), san, position.turn() == Color::White, ply)
}

impl Game {
    fn of(dice: &mut Dice, variations: bool) -> Game {
        let (rules, tag, mut position, mode) = start(dice);
        let at = (rules, mode);
        let mut game = Game {
            rules,
            pairs: Vec::new(),
            movetext: String::new(),
            start: record(&position),
            tag,
        };
        let plies = dice.below(24);
        let mut last: Option<Move> = None;
        for ply in 0..plies {
            let moves = position.legal_moves();
            // Often back, so that positions come again; else among the first ones, so that games meet.
            let back = last.and_then(|last| {
                let is_back =
                    |mv: &&Move| mv.from() == Some(last.to()) && Some(mv.to()) == last.from();
                moves.iter().find(is_back).copied()
            });
            let Some(mv) = back
                .filter(|_| dice.below(2) == 0)
                .or_else(|| moves.get(dice.below(moves.len().clamp(1, 4))).copied())
            else {
                break;
            };
            game.pairs.push(pair(&position, mv, at, ply));
            let san = SanPlus::from_move(position.clone(), mv);
            let _ = write!(game.movetext, "{san} ");
            if dice.below(6) == 0 {
                let other = moves[dice.below(moves.len())];
                let san = SanPlus::from_move(position.clone(), other);
                let _ = write!(game.movetext, "( {san} ) ");
                if variations {
                    game.pairs.push(pair(&position, other, at, ply));
                }
            }
            // What follows a null move is no game.
            if rules == 0
                && dice.below(20) == 0
                && let Ok(passed) = position.clone().swap_turn()
                && let Some(&after) = passed.legal_moves().first()
            {
                let san = SanPlus::from_move(passed.clone(), after);
                let _ = write!(game.movetext, "( -- {san} ) ");
            }
            last = (ply % 2 == 0).then_some(mv).or(last);
            position.play_unchecked(mv);
        }
        // Nor is what follows one of the main line; the next game counts again.
        if rules == 0
            && dice.below(6) == 0
            && let Ok(passed) = position.clone().swap_turn()
            && let Some(&after) = passed.legal_moves().first()
        {
            let san = SanPlus::from_move(passed.clone(), after);
            let _ = write!(game.movetext, "-- {san} ");
        }
        game
    }

    /// Adds its pairs to a table.
    fn count(&self, table: &mut Table, offset: usize, tags: &Tags, plies_max: usize) {
        let mut seen = HashMap::new();
        for (fen, hash, uci, san, is_white, ply) in self.pairs.iter().filter(|it| it.5 < plies_max)
        {
            let key = (self.rules, fen.clone(), uci.clone());
            let first = *seen
                .entry(key.clone())
                .and_modify(|it: &mut usize| *it = (*it).min(*ply))
                .or_insert(*ply);
            let _ = (
                first,
                table.entry(key).or_insert_with(|| {
                    let sums =
                        Sums { ply: usize::MAX, sample: (i64::MIN, Reverse(0)), ..Sums::default() };
                    (*hash, san.clone(), *is_white, sums)
                }),
            );
        }
        for (key, ply) in seen {
            let (_, _, is_white, sums) = table.get_mut(&key).unwrap();
            sums.games += 1;
            match tags.result {
                "1-0" => sums.white += 1,
                "0-1" => sums.black += 1,
                "1/2-1/2" => sums.draws += 1,
                _ => {}
            }
            if let [Some(white), Some(black)] = tags.ratings {
                sums.rated += 1;
                let own = if *is_white { [white, black] } else { [black, white] };
                sums.ratings = [sums.ratings[0] + own[0], sums.ratings[1] + own[1]];
            }
            sums.ply = sums.ply.min(ply);
            sums.dates.extend(tags.date.clone().filter(|date| !date.contains('?')));
            let ratings = tags.ratings.iter().flatten().sum();
            sums.sample = sums.sample.max((ratings, Reverse(offset)));
        }
    }
}

/// What a game has besides its moves.
struct Tags {
    result: &'static str,
    ratings: [Option<i64>; 2],
    date: Option<String>,
    /// The name of its tag pair.
    date_name: &'static str,
}

impl Tags {
    fn of(dice: &mut Dice) -> Tags {
        let mut rating = || (dice.below(4) > 0).then(|| 1_000 + dice.below(5) as i64 * 400);
        let ratings = [rating(), rating()];
        let date = format!("20{:02}.0{}.1{}", dice.below(30), 1 + dice.below(9), dice.below(9));
        let date = [None, Some(date), Some("2001.??.??".to_string())][dice.below(3)].clone();
        let date_name = ["Date", "UTCDate"][dice.below(2)];
        Tags { result: ["1-0", "0-1", "1/2-1/2", "*"][dice.below(4)], ratings, date, date_name }
    }
}

/// An archive, and its table.
pub(super) fn archive(
    dice: &mut Dice,
    games: usize,
    variations: bool,
    plies_max: usize,
) -> (String, Table) {
    let mut table = Table::new();
    (archive_of(dice, games, variations, plies_max, &mut table, 0), table)
}

/// Adds an archive, of its index, to a table.
fn archive_of(
    dice: &mut Dice,
    games: usize,
    variations: bool,
    plies_max: usize,
    table: &mut Table,
    index: usize,
) -> String {
    let mut text = String::new();
    for number in 0..games {
        let (game, tags) = (Game::of(dice, variations), Tags::of(dice));
        let is_rejected = dice.below(12) == 0;
        let offset = text.len();
        let _ = writeln!(
            text,
            "[Event \"{number}\"]\n[Variant \"{}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]",
            game.tag, game.start
        );
        for (name, rating) in ["White", "Black"].into_iter().zip(tags.ratings) {
            if let Some(rating) = rating {
                let _ = writeln!(text, "[{name}Elo \"{rating}\"]");
            }
        }
        if let Some(date) = &tags.date {
            let _ = writeln!(text, "[{} \"{date}\"]", tags.date_name);
        }
        let fault = if is_rejected { "Qz9 " } else { "" };
        let _ = writeln!(text, "[Result \"{0}\"]\n\n{1}{fault}{0}\n", tags.result, game.movetext);
        if !is_rejected {
            game.count(table, index << ARCHIVE_BITS | offset, &tags, plies_max);
        }
    }
    text
}

/// The rows that the table must have, as CSV writes them.
fn expected(table: Table, games_min: u64) -> Vec<Vec<String>> {
    let mut rows: Vec<_> = table.into_iter().filter(|(_, it)| it.3.games >= games_min).collect();
    rows.sort_by_key(|((rules, fen, uci), (hash, _, _, sums))| {
        // Those of the rulesets without hashes are last.
        (
            hash.is_none(),
            hash.unwrap_or(*rules as u64),
            fen.clone(),
            Reverse(sums.games),
            uci.clone(),
        )
    });
    let row = |((rules, fen, uci), (hash, san, is_white, sums)): (Key, Counts)| {
        let mean = |sum: f64, count: u64| match count {
            0 => String::new(),
            _ => serde_json::to_string(&(sum / count as f64)).unwrap(),
        };
        let won = if is_white { sums.white } else { sums.black };
        let date =
            |date: Option<&String>| date.map_or(String::new(), |date| date.replace('.', "-"));
        let mut row = vec![
            RulesKind::NAMES[rules].to_string(),
            fen,
            hash.map_or(String::new(), |it| it.to_string()),
            sums.ply.to_string(),
            uci,
            san,
        ];
        row.extend([sums.games, sums.white, sums.draws, sums.black].map(|it| it.to_string()));
        row.push(mean(won as f64 + 0.5 * sums.draws as f64, sums.white + sums.draws + sums.black));
        row.extend(sums.ratings.map(|sum| mean(sum as f64, sums.rated)));
        row.extend([sums.rated.to_string(), date(sums.dates.first()), date(sums.dates.last())]);
        let place = sums.sample.1.0;
        let offset = place & ((1 << ARCHIVE_BITS) - 1);
        row.extend([ARCHIVES[place >> ARCHIVE_BITS].to_string(), offset.to_string()]);
        row
    };
    rows.into_iter().map(row).collect()
}

/// The records of a table in CSV.
fn records(text: &[u8]) -> Vec<Vec<String>> {
    let records = csv::Reader::from_reader(text).into_records().map(Result::unwrap);
    records.map(|record| record.iter().map(str::to_string).collect()).collect()
}

#[test]
fn the_table_is_what_shakmaty_counts() {
    let folder = Scratch::new();
    let (mut dice, mut rows_count) = (Dice::new(91), 0);
    for trial in 0..trials(6, 60, 600) {
        let (variations, plies_max) = (trial % 2 == 1, [24, 5, 1][trial % 3]);
        let games_min = 1 + trial as u64 / 3 % 3;
        let (text, table) = archive(&mut dice, 120, variations, plies_max);
        fs::write(folder.path().join("a.pgn"), &text).unwrap();
        let (plies, games) = (plies_max.to_string(), games_min.to_string());
        let mut args = vec!["positions", "-q", "--max-ply", &plies, "--min-games", &games];
        args.extend(["--allow", "null-move-main-line"]);
        args.extend(variations.then_some("--variations"));
        args.extend(["-o", "-", "a.pgn"]);
        let output = run_in(folder.path(), &args, b"");
        let (found, expected) = (records(&output.stdout), expected(table, games_min));
        let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!(differs, None, "{}", errors_of(&output));
        assert_eq!(found.len(), expected.len());
        rows_count += found.len();
    }
    assert!(rows_count > 500, "{rows_count}");
}

/// Of several archives one table is written, with the example of the first one where ratings are equal.
#[test]
fn the_table_of_several_archives_is_what_shakmaty_counts() {
    let folder = Scratch::new();
    let mut dice = Dice::new(93);
    let mut of_archives = [0; ARCHIVES.len()];
    for trial in 0..trials(4, 20, 200) {
        let (mut table, plies_max) = (Table::new(), 3);
        for (index, name) in ARCHIVES.iter().enumerate() {
            // Of other lengths, so that what is first in one has other offsets.
            let games = 90 - 25 * index;
            let text = archive_of(&mut dice, games, false, plies_max, &mut table, index);
            fs::write(folder.path().join(name), text).unwrap();
        }
        let threads = ["1", "2", "7"][trial % 3];
        let mut args = vec!["positions", "-q", "--max-ply", "3", "--threads", threads];
        args.extend(["--allow", "null-move-main-line", "-o", "-"]);
        let output = run_in(folder.path(), &[&args[..], &ARCHIVES].concat(), b"");
        let (found, expected) = (records(&output.stdout), expected(table, 1));
        let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!(differs, None, "{}", errors_of(&output));
        assert_eq!(found.len(), expected.len());
        for row in &found {
            let archive = ARCHIVES.iter().position(|name| row.contains(&name.to_string()));
            of_archives[archive.unwrap()] += 1;
        }
    }
    assert!(of_archives.iter().all(|&rows| rows > 20), "{of_archives:?}");
}

/// Games without tag pairs that are together longer than a game may be (as they are at the full depth) are blocks of
/// their own; a game of them that is rejected has no pairs, whatever is beside it.
#[test]
fn games_without_tag_pairs_count_as_those_with_them() {
    let folder = Scratch::new();
    let mut dice = Dice::new(17);
    let (mut bare, mut tagged) = (String::new(), String::new());
    // More than 16 MiB at the full depth.
    let comment = "x".repeat(trials(1, 450, 450));
    for _ in 0..trials(300, 40_000, 40_000) {
        let first = ["1. e4 e5 2. Nf3", "1. d4 d5", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3", "1. c4"];
        let fault = if dice.below(3) == 0 { " Qz9" } else { "" };
        let (first, result) = (first[dice.below(4)], ["1-0", "*"][dice.below(2)]);
        let game = format!("{first} {{{comment}}}{fault} {result}\n\n");
        bare += &game;
        tagged += &format!("[Event \"x\"]\n\n{game}");
    }
    let rows = |text: &str, memory: &str| {
        fs::write(folder.path().join("a.pgn"), text).unwrap();
        let table = written(&folder, &format!("--memory {memory} a.pgn"), "t.csv");
        // Without the offset of the example.
        let counts = |mut row: Vec<String>| row.pop().map(|_| row);
        records(&table).into_iter().filter_map(counts).collect::<Vec<_>>()
    };
    let expected = rows(&tagged, "1GiB");
    assert!(expected.len() > 6);
    for memory in ["1GiB", "1MiB"] {
        assert_eq!(rows(&bare, memory), expected, "{memory}");
    }
}

/// Two boards that differ in nothing but the side to move are two positions, also beside each other in the table; the
/// ruleset is a column where not all games are of chess.
#[test]
fn a_position_has_a_side_to_move_and_a_ruleset() {
    let folder = Scratch::new();
    let game = |variant: &str, side: &str, mv: &str| {
        let fen = format!("4k2r/8/8/8/8/8/8/4K2R {side} - - 0 1");
        format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {mv} *\n\n")
    };
    let sides = [("w", "Ke2"), ("b", ".. Ke7")];
    for variants in [["Standard", "Standard"], ["Standard", "Chess960"], ["Chess960", "Atomic"]] {
        let games: String = variants
            .iter()
            .zip(sides)
            .map(|(variant, (side, mv))| game(variant, side, mv))
            .collect();
        fs::write(folder.path().join("a.pgn"), games).unwrap();
        let text = written(&folder, "a.pgn", "t.csv");
        let header = String::from_utf8_lossy(&text).lines().next().unwrap().to_string();
        assert_eq!(header.starts_with("rules,fen,"), variants != ["Standard"; 2], "{header}");
        let fen = usize::from(header.starts_with("rules"));
        let mut found: Vec<String> =
            records(&text).into_iter().map(|row| row[fen].clone()).collect();
        found.sort();
        let expected = ["b", "w"].map(|side| format!("4k2r/8/8/8/8/8/8/4K2R {side} - -"));
        assert_eq!(found, expected, "{variants:?}");
    }
}

/// A game that comes back after many plies without a capture or a pawn move: each pair counts once, with its first ply.
#[test]
fn pairs_that_come_back_after_many_plies_count_once() {
    let folder = Scratch::new();
    // The rooks are back after 7 and after 5 moves: the position after 70 plies.
    let (white, black) =
        (["b3", "c3", "d3", "e3", "f3", "g3", "a3"], ["b6", "c6", "d6", "e6", "a6"]);
    let moves = white.iter().cycle().zip(black.iter().cycle());
    for plies_pairs in [35, 36, 80] {
        let moves = moves.clone().take(plies_pairs);
        let moves: String = moves.map(|(white, black)| format!("R{white} R{black} ")).collect();
        let fen = "7k/8/r7/8/8/R7/8/7K w - - 0 1";
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}*\n");
        fs::write(folder.path().join("a.pgn"), game).unwrap();
        let rows = records(&written(&folder, "--max-ply 0 a.pgn", "t.csv"));
        // Record, hash, ply, UCI, SAN, games.
        let mut plies: Vec<usize> = rows.iter().map(|row| row[2].parse().unwrap()).collect();
        plies.sort_unstable();
        assert_eq!(plies, (0..70).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row[5] == "1"), "{plies_pairs}");
    }
}

/// The same in a game as most are written, whose plies are taken as a line where the processor has lines.
#[test]
fn pairs_that_come_back_in_a_line_count_once() {
    let folder = Scratch::new();
    for back_and_forth in [1, 2, 9, 40] {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(4 * back_and_forth);
        let moves: Vec<&str> = moves.chain(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]).collect();
        let mut game = "[Result \"*\"]\n\n".to_string();
        for (number, pair) in moves.chunks(2).enumerate() {
            let _ = write!(game, "{}. {} ", number + 1, pair.join(" "));
        }
        fs::write(folder.path().join("a.pgn"), game + "*\n").unwrap();
        let rows = records(&written(&folder, "--max-ply 0 a.pgn", "t.csv"));
        let mut plies: Vec<usize> = rows.iter().map(|row| row[2].parse().unwrap()).collect();
        plies.sort_unstable();
        let first = 4 * back_and_forth;
        assert_eq!(plies, (0..4).chain(first..first + 6).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row[5] == "1"), "{back_and_forth}");
    }
}

/// Runs `positions` with these words, and returns the file that it writes.
fn written(folder: &Scratch, words: &str, name: &str) -> Vec<u8> {
    let mut args = vec!["positions", "-q", "--overwrite", "-o", name];
    args.extend(words.split(' '));
    let output = run_in(folder.path(), &args, b"");
    assert!(exit_code(&output) < 2, "{words}: {}", errors_of(&output));
    fs::read(folder.path().join(name)).unwrap()
}

#[test]
fn the_bytes_do_not_depend_on_how_they_were_counted() {
    let folder = Scratch::new();
    let mut dice = Dice::new(4);
    let (mut text, _) = archive(&mut dice, 300, true, 24);
    let sample = sample_text();
    text += std::str::from_utf8(&sample[..sample.len().min(trials(300_000, 2_000_000, 4_000_000))])
        .unwrap();
    fs::write(folder.path().join("a.pgn"), &text).unwrap();
    let ways = [
        "--threads 1",
        "--threads 2 --memory 1MiB",
        "--threads 7 --memory 2MiB",
        "--range-bytes 3000",
    ];
    let names = ["t.parquet", "t.arrow", "t.csv", "t.jsonl"];
    for (at, name) in names.into_iter().enumerate() {
        let plies = ["--max-ply 0", "--max-ply 9 --min-games 2 --sums"][at % 2];
        let whole = written(&folder, &format!("{plies} --threads 3 a.pgn"), name);
        for (other, way) in ways.into_iter().enumerate() {
            if (at + other) % trials(2, 1, 1) == 0 {
                let same = written(&folder, &format!("{plies} {way} a.pgn"), name);
                assert!(same == whole, "{name} {plies} {way}");
            }
        }
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

/// Row groups have as many rows as they can, however the rows were counted.
#[test]
fn row_groups_are_whole() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    let folder = Scratch::new();
    let archive = crate::common::here("data/masters.pgn.zst");
    fs::copy(archive, folder.path().join("a.pgn.zst")).unwrap();
    let plies_max = trials(48, 0, 0);
    for memory in ["1GiB", "8MiB"] {
        let words = format!("--max-ply {plies_max} --memory {memory} a.pgn.zst");
        written(&folder, &words, "t.parquet");
        let file = fs::File::open(folder.path().join("t.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let groups = reader.metadata().row_groups().iter().map(|group| group.num_rows());
        let groups: Vec<i64> = groups.collect();
        let (last, whole) = groups.split_last().unwrap();
        assert!(!whole.is_empty(), "{groups:?}");
        assert!(*last <= 1 << 17 && whole.iter().all(|rows| *rows == 1 << 17), "{groups:?}");
    }
}

/// A book has the moves of the table that scored, with the weights of the format.
#[test]
fn a_book_has_what_the_table_has() {
    let folder = Scratch::new();
    let text = sample_text();
    fs::write(folder.path().join("a.pgn"), &text[..text.len().min(400_000)]).unwrap();
    let header = "fen,hash,ply,uci,san,games,white,draws,black";
    for (options, only, min_score, is_uniform) in [
        ("", None, 0, false),
        ("--only white --uniform", Some("w"), 0, true),
        ("--only black --min-score 40", Some("b"), 40, false),
    ] {
        let words = format!("--max-ply 20 --min-games 2 {options} a.pgn").replace("  ", " ");
        let book = written(&folder, &words, "b.bin");
        let table = written(&folder, "--max-ply 20 --min-games 2 a.pgn", "t.csv");
        assert!(table.starts_with(header.as_bytes()));
        let mut entries = Vec::new();
        for row in records(&table) {
            let number = |at: usize| row[at].parse::<u64>().unwrap();
            let is_white = row[0].contains(" w ");
            let won = if is_white { number(6) } else { number(8) };
            let (points, games) = (2 * won + number(7), number(6) + number(7) + number(8));
            let is_of_side = only.is_none_or(|only| row[0].contains(&format!(" {only} ")));
            if is_of_side && points > 0 && 100 * points >= 2 * games * min_score {
                entries.push((
                    number(1),
                    Reverse(if is_uniform { 1 } else { points }),
                    mv(&row[3]),
                ));
            }
        }
        entries.sort_unstable();
        let bytes: Vec<u8> = entries
            .into_iter()
            .flat_map(|(key, Reverse(weight), mv)| {
                let [key, mv, weight] = [key, u64::from(mv), weight];
                let mut bytes = key.to_be_bytes().to_vec();
                bytes.extend((mv as u16).to_be_bytes());
                bytes.extend((weight as u16).to_be_bytes());
                bytes.extend([0; 4]);
                bytes
            })
            .collect();
        assert!(bytes.len() > 320 && book == bytes, "{options}: {} {}", book.len(), bytes.len());
    }
}

/// A move of chess in the format's 16 bits, castling as the king's move to its rook.
fn mv(uci: &str) -> u16 {
    let square = |text: &str| {
        let bytes = text.as_bytes();
        u16::from(bytes[0] - b'a') | u16::from(bytes[1] - b'1') << 3
    };
    // No other move of the sample is one of these.
    let target = match uci {
        "e1g1" => "h1",
        "e1c1" => "a1",
        "e8g8" => "h8",
        "e8c8" => "a8",
        _ => &uci[2..4],
    };
    let promotion =
        uci.as_bytes().get(4).map_or(0, |&letter| "nbrq".find(letter as char).unwrap() + 1);
    square(target) | square(&uci[..2]) << 6 | (promotion as u16) << 12
}

#[test]
fn what_a_book_cannot_have_is_refused_by_name() {
    let folder = Scratch::new();
    fs::write(folder.path().join("a.pgn"), "[Variant \"Atomic\"]\n\n1. Nf3 f6 *\n").unwrap();
    for (args, says) in [
        (&["-o", "b.bin", "a.pgn"][..], "there are games of atomic"),
        (&["-o", "b.bin", "--sums", "a.pgn"], "--sums is for a table"),
        (&["-o", "b.csv", "--only", "white", "a.pgn"], "--only is for a book"),
        (&["-o", "b.csv", "--level", "4", "a.pgn"], "--level is the compression of Parquet"),
        (&["-o", "b.xyz", "a.pgn"], "no ending that names a format"),
        (&["-o", "b.csv", "--format", "bin", "a.pgn"], "has the ending of csv"),
        (&["-o", "b.csv", "--memory", "4", "a.pgn"], "--memory is 1MiB or more"),
    ] {
        let args: Vec<&str> = ["positions"].into_iter().chain(args.iter().copied()).collect();
        let output = run_in(folder.path(), &args, b"");
        let errors = errors_of(&output);
        assert!(exit_code(&output) == 2 && errors.contains(says), "{args:?}: {errors}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{args:?}");
    }
}

/// The condition that the refusal of a book states leaves the games of chess and of Chess960.
#[test]
fn a_book_of_mixed_games_has_those_that_the_advice_leaves() {
    let folder = Scratch::new();
    let game = |variant: &str, mv: &str| format!("[Variant \"{variant}\"]\n\n1. {mv} e5 1-0\n\n");
    let chess = [game("Standard", "e4"), game("Chess960", "d4"), game("Fischerandom", "c4")];
    fs::write(folder.join("c.pgn"), chess.concat()).unwrap();
    fs::write(folder.join("a.pgn"), [&chess.concat(), &*game("Atomic", "Nf3")].concat()).unwrap();
    let output = run_in(folder.path(), &["positions", "-o", "b.bin", "a.pgn"], b"");
    let errors = errors_of(&output);
    let condition = errors.split_once("--where '").expect(&errors).1.split_once('\'').unwrap().0;
    let args = ["positions", "-q", "-o", "b.bin", "--where", condition, "a.pgn"];
    assert_eq!(exit_code(&run_in(folder.path(), &args, b"")), 0, "{condition}");
    assert_eq!(
        exit_code(&run_in(folder.path(), &["positions", "-q", "-o", "w.bin", "c.pgn"], b"")),
        0
    );
    let book = fs::read(folder.join("b.bin")).unwrap();
    assert!(book.len() >= 3 * 16 && book == fs::read(folder.join("w.bin")).unwrap());
}

/// A file of another kind is not replaced by a table, and a book without entries says why.
#[test]
fn a_table_has_the_name_of_one() {
    let folder = Scratch::new();
    fs::write(folder.join("g.pgn"), "[Event \"x\"]\n\n1. e4 e5 *\n").unwrap();
    for name in ["old.pgn", "old.txt", "old.csv.gz", "old"] {
        fs::write(folder.join(name), "mine").unwrap();
        let output = run_in(folder.path(), &["positions", "--overwrite", "-o", name, "g.pgn"], b"");
        assert_eq!(exit_code(&output), 2, "{name}: {}", errors_of(&output));
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"mine", "{name}");
    }
    let sums =
        run_in(folder.path(), &["positions", "-q", "--sums", "-o", "s.parquet", "g.pgn"], b"");
    assert_eq!(exit_code(&sums), 0, "{}", errors_of(&sums));
    for words in [["positions", "-o", "b.bin", "g.pgn"], ["merge", "-o", "m.bin", "s.parquet"]] {
        let output = run_in(folder.path(), &words, b"");
        let said = errors_of(&output);
        assert!(exit_code(&output) == 0 && said.contains("no move has a weight"), "{said}");
    }
    for words in [
        ["positions", "--overwrite", "-o", "old.pgn", "g.pgn"],
        ["merge", "--overwrite", "-o", "old.pgn", "s.parquet"],
    ] {
        let output = run_in(folder.path(), &words, b"");
        assert_eq!(exit_code(&output), 2, "{words:?}: {}", errors_of(&output));
        assert_eq!(fs::read(folder.join("old.pgn")).unwrap(), b"mine", "{words:?}");
    }
}
