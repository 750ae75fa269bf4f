//! The columns of the player who moves are those that a join with the table of games gives.
//!
//! Laws: over archives with clocks and evaluations each value is computed a second time from the columns of the game
//! and of the plies before; `game_index` is the row of the game in the table of games.

use std::collections::BTreeMap;
use std::path::Path;

use pgnmill_needs::needs;

use super::table::{self, Table, Value};
use crate::common::{Scratch, corpus, here, text_of};

/// A game, with null moves among its plies or not, and what is expected of each ply.
struct Case {
    tags: &'static str,
    movetext: &'static str,
    column: &'static str,
    expected: &'static [Option<i64>],
}

const fn case(
    tags: &'static str,
    movetext: &'static str,
    column: &'static str,
    expected: &'static [Option<i64>],
) -> Case {
    Case { tags, movetext, column, expected }
}

const BLACK_BEGINS: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n[WhiteElo \"2000\"]\n[BlackElo \"1500\"]\n\
                            [TimeControl \"60+1\"]";
const THREE: &str = "[TimeControl \"180+2\"]";

const CASES: &[Case] = &[
    case("", "1. e4 e5 2. Nf3 1-0", "outcome", &[Some(1), Some(-1), Some(1)]),
    case("", "1. e4 e5 2. Nf3 0-1", "outcome", &[Some(-1), Some(1), Some(-1)]),
    case("", "1. e4 e5 1/2-1/2", "outcome", &[Some(0), Some(0)]),
    case("[Result \"1-0\"]", "1. e4 e5 *", "outcome", &[None, None]),
    case(BLACK_BEGINS, "1... Kd7 2. Kd2 0-1", "outcome", &[Some(1), Some(-1)]),
    case(BLACK_BEGINS, "1... Kd7 2. Kd2 0-1", "mover_rating", &[Some(1_500), Some(2_000)]),
    case(BLACK_BEGINS, "1... Kd7 2. Kd2 0-1", "opponent_rating", &[Some(2_000), Some(1_500)]),
    case("[WhiteElo \"?\"]\n[BlackElo \"-7\"]", "1. e4 e5 *", "mover_rating", &[None, Some(-7)]),
    // The clock of the first ply of each side has none before it.
    case(
        THREE,
        "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:02:58.5]} Nc6 {[%clk 0:03:02]} *",
        "spent_ms",
        &[None, None, Some(3_500), Some(0)],
    ),
    // A clock that gained more than the increment; one that is missing.
    case(
        THREE,
        "1. e4 {[%clk 0:03:00]} e5 2. Nf3 {[%clk 0:03:15]} Nc6 {[%clk 0:01:00]} 3. Bb5 {[%clk 0:03:10]} *",
        "spent_ms",
        &[None, None, None, None, Some(7_000)],
    ),
    // chess.com's tenths of a second count before clocks, and before `%emt`; what is no number does not.
    case(
        THREE,
        "1. e4 {[%clk 0:02:59.1][%timestamp 29]} e5 {[%emt 0:00:01.5]} 2. Nf3 {[%clk 0:03:00] [%timestamp x]} *",
        "spent_ms",
        &[Some(2_900), Some(1_500), Some(1_100)],
    ),
    // Of two commands of a ply the first counts.
    case(
        THREE,
        "1. e4 {[%timestamp 29][%timestamp 31]} e5 {[%emt 0:00:01]} {[%emt 0:00:02]} *",
        "spent_ms",
        &[Some(2_900), Some(1_000)],
    ),
    // Time controls: sudden death, periods of one increment, of several, correspondence, none.
    case(
        "[TimeControl \"600\"]",
        "1. e4 {[%clk 0:10:00]} e5 2. d4 {[%clk 0:09:00]} *",
        "spent_ms",
        &[None, None, Some(60_000)],
    ),
    case(
        "[TimeControl \"40/5400+30:1800+30\"]",
        "1. e4 {[%clk 1:30:00]} e5 2. d4 {[%clk 1:30:10]} *",
        "spent_ms",
        &[None, None, Some(20_000)],
    ),
    case(
        "[TimeControl \"5400+30:1800\"]",
        "1. e4 {[%clk 1:30:00]} e5 2. d4 {[%clk 1:30:00]} *",
        "spent_ms",
        &[None, None, None],
    ),
    case(
        "[TimeControl \"1/86400\"]",
        "1. e4 {[%clk 24:00:00]} e5 2. d4 {[%clk 23:00:00]} *",
        "spent_ms",
        &[None, None, None],
    ),
    case("", "1. e4 {[%clk 0:01:00]} e5 2. d4 {[%clk 0:00:58]} *", "spent_ms", &[None, None, None]),
    // White begins with half of the time, and gains nothing; Black gains 2 seconds.
    case(
        THREE,
        "1. e4 {[%clk 0:01:30]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:01:20]} Nc6 {[%clk 0:02:52]} *",
        "spent_ms",
        &[None, None, Some(10_000), Some(10_000)],
    ),
    case(
        "",
        "1. e4 {[%eval 0.3]} e5 {[%eval -0.1]} 2. Nf3 {[%eval #4]} Nc6 {[%eval 1.5]} *",
        "mover_eval_cp",
        &[Some(30), Some(10), None, Some(-150)],
    ),
    case(
        "",
        "1. e4 {[%eval 0.3]} e5 {[%eval -0.1]} 2. Nf3 {[%eval #4]} Nc6 {[%eval 1.5]} *",
        "mover_eval_before_cp",
        &[None, Some(-30), Some(-10), None],
    ),
    // A null move is between: the evaluation before, and the clock before, are not known.
    case(
        THREE,
        "1. e4 {[%eval 0.3] [%clk 0:03:00]} -- 2. d4 {[%eval 0.5] [%clk 0:02:00]} d5 {[%eval 0.6]} *",
        "mover_eval_before_cp",
        &[None, None, Some(-50)],
    ),
    case(
        THREE,
        "1. e4 {[%eval 0.3] [%clk 0:03:00]} -- 2. d4 {[%eval 0.5] [%clk 0:02:00]} d5 {[%eval 0.6]} *",
        "spent_ms",
        &[None, None, None],
    ),
    case("", "1. e4 d5 2. exd5 Qxd5 *", "material_balance", &[Some(0), Some(0), Some(0), Some(-1)]),
];

#[test]
fn values_are_those_of_the_player_who_moves() {
    for Case { tags, movetext, column, expected } in CASES {
        let text = format!("[Event \"x\"]\n{tags}\n\n{movetext}\n").replace("\n\n\n", "\n\n");
        let args = format!("--table plies --columns {column} --allow null-move-main-line");
        let table = table::table_of(text.as_bytes(), &args);
        let found: Vec<_> = table.column(column).iter().map(|value| value.number()).collect();
        assert_eq!(found, *expected, "{column} of {text}");
    }
}

/// The games by offset: a row each, and its place.
fn by_offset(games: &Table) -> BTreeMap<i64, (usize, &Vec<Value>)> {
    let offset = games.index("byte_offset");
    let rows = games.rows.iter().enumerate();
    rows.map(|(index, row)| (row[offset].number().unwrap(), (index, row))).collect()
}

/// The plies of one game, recounted. Its games have neither null moves nor other time controls than base and increment.
fn check_game(game: &Table, place: usize, row: &[Value], names: &[String], plies: &[Vec<Value>]) {
    let of_game = |name: &str| &row[game.index(name)];
    let value = |ply: &[Value], name: &str| {
        ply[names.iter().position(|known| known == name).unwrap()].clone()
    };
    let number = |ply: &[Value], name: &str| value(ply, name).number();
    let ratings = ["WhiteElo", "BlackElo"].map(|name| of_game(name).number());
    let white = match of_game("outcome").text().unwrap() {
        "1-0" => Some(1),
        "0-1" => Some(-1),
        "*" => None,
        _ => Some(0),
    };
    let increment = of_game("time_increment").number().map(|seconds| seconds * 1_000);
    let initial = of_game("time_initial").number().map(|seconds| seconds * 1_000);
    let black_begins = of_game("FEN").text().is_some_and(|fen| fen.contains(" b "));
    for (index, ply) in plies.iter().enumerate() {
        let side = (index + usize::from(black_begins)) % 2;
        let sign = if side == 0 { 1 } else { -1 };
        let name = if side == 0 { "white" } else { "black" };
        assert_eq!(value(ply, "mover").text(), Some(name));
        assert_eq!(number(ply, "outcome"), white.map(|white| white * sign));
        assert_eq!(number(ply, "mover_rating"), ratings[side]);
        assert_eq!(number(ply, "opponent_rating"), ratings[1 - side]);
        assert_eq!(number(ply, "game_index"), Some(place as i64));
        assert_eq!(number(ply, "mover_eval_cp"), number(ply, "eval_cp").map(|eval| eval * sign));
        let before = index.checked_sub(1).and_then(|before| number(&plies[before], "eval_cp"));
        assert_eq!(number(ply, "mover_eval_before_cp"), before.map(|eval| eval * sign));
        let clock = |index: usize| plies.get(index).and_then(|ply| number(ply, "clock_ms"));
        let first = clock(index % 2);
        let is_berserk =
            first.is_some() && first.map(|first| first * 2) == initial && first > Some(0);
        let gained = if is_berserk { Some(0) } else { increment };
        let before = index.checked_sub(2).and_then(clock);
        let of_clocks = before
            .zip(gained)
            .zip(clock(index))
            .map(|((before, gained), now)| before + gained - now);
        let of_clocks = of_clocks.filter(|&spent| spent >= 0);
        let spent = number(ply, "emt_ms").or(of_clocks);
        // What other forms of time controls give is in `CASES`.
        if increment.is_some() || before.is_none() {
            assert_eq!(number(ply, "spent_ms"), spent, "ply {index} of game {place}");
        }
    }
}

/// Compares the tables of an archive: the games and the plies with a time.
fn check(path: &Path) -> [usize; 2] {
    let scratch = Scratch::new();
    let name = path.display().to_string();
    table::export(&scratch, "--columns default -q -o g.parquet", &[&name]);
    let columns = "--columns default,mover,spent_ms,mover_eval_cp,mover_eval_before_cp,game_index";
    table::export(&scratch, &format!("--table plies {columns} -q -o p.parquet"), &[&name]);
    let games = table::parquet(&scratch.join("g.parquet"));
    let plies = table::parquet(&scratch.join("p.parquet"));
    let by_offset = by_offset(&games);
    let (offset, spent) = (plies.index("byte_offset"), plies.index("spent_ms"));
    for rows in plies.rows.chunk_by(|one, other| one[offset] == other[offset]) {
        let (place, game) = by_offset[&rows[0][offset].number().unwrap()];
        check_game(&games, place, game, &plies.names, rows);
    }
    [games.rows.len(), plies.rows.iter().filter(|row| row[spent] != Value::Null).count()]
}

#[test]
fn columns_of_the_mover_are_those_of_a_join() {
    let scratch = Scratch::new();
    let path = scratch.write("a.pgn", &text_of(&here("data/lichess.pgn.zst")));
    let [games, timed] = check(&path);
    assert!(games == 1_000 && timed > 30_000, "{timed} plies of {games} games");
}

#[needs("../shared/corpora")]
#[test]
fn columns_of_the_mover_in_archives_are_those_of_a_join() {
    let (mut games, mut timed) = (0, 0);
    for path in ["otb", "lichess", "chess960"].into_iter().flat_map(corpus) {
        if std::fs::metadata(&path).unwrap().len() < 400_000 {
            let [more, of_them] = check(&path);
            (games, timed) = (games + more, timed + of_them);
        }
    }
    println!("{timed} plies with a time in {games} games");
    assert!(games > 1_000 && timed > 1_000, "{timed} plies of {games} games");
}
