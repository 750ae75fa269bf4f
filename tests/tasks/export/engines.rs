//! What engines left in comments: games whose comments this test prints, as each program writes them, from random
//! values; the columns have these values.
//!
//! Law: a printed comment is read back, its evaluation as White's view; whose view a comment has that alone does not
//! show it follows from the other comments of its game; a game list has what the plies have; what is near a form is
//! counted.

use std::fmt::Write as _;
use std::process::Command;

use super::table::{self, Table, Value};
use crate::common::{Dice, Scratch, here, thinned, trials};
use pgnmill_needs::needs;

/// The columns of a ply, in order.
const COLUMNS: [&str; 11] = [
    "eval_cp",
    "eval_mate",
    "depth",
    "seldepth",
    "nodes",
    "time_ms",
    "speed_nps",
    "tb_hits",
    "pv",
    "comment_form",
    "eval_of",
];

/// An evaluation as its writer has it: hundredths of a pawn, or plies to a mate with the sign of the side that mates.
#[derive(Clone, Copy, Debug)]
enum Eval {
    Pawns(i64),
    Plies(i64),
    None,
}

/// What a comment is to have: the values of the columns. The evaluation is that of the mover.
#[derive(Clone, Debug)]
struct Printed {
    text: String,
    eval: Eval,
    numbers: [Option<i64>; 6],
    pv: Option<String>,
    form: Option<&'static str>,
    /// `mover` or `white`.
    view: Option<&'static str>,
}

/// Values of the engine, before they are printed.
struct Values {
    eval: Eval,
    depth: i64,
    seldepth: i64,
    nodes: i64,
    ms: i64,
    speed: i64,
    tb_hits: i64,
    pv: String,
}

impl Values {
    fn of(dice: &mut Dice) -> Values {
        let eval = match dice.below(6) {
            0 => Eval::Plies(dice.below(120) as i64 * 2 + 1),
            1 => Eval::Plies(-2 * dice.below(120) as i64 - 2),
            2 => Eval::Pawns(0),
            3 => Eval::Pawns(dice.below(70_000) as i64 - 35_000),
            _ => Eval::Pawns(dice.below(400) as i64 - 200),
        };
        let large = |dice: &mut Dice| (dice.roll() >> (1 + dice.below(62))) as i64;
        let moves = ["Nf3", "Nf6", "d4", "O-O", "exd5", "Qxf7#", "e8=Q+", "a6"];
        let pv: Vec<&str> = (0..1 + dice.below(5)).map(|_| dice.one(&moves)).collect();
        Values {
            eval,
            depth: dice.below(250) as i64,
            seldepth: dice.below(40_000) as i64,
            nodes: large(dice),
            ms: dice.below(300_000) as i64,
            speed: large(dice) >> 12,
            tb_hits: large(dice),
            pv: pv.join(" "),
        }
    }

    /// The columns of depth, selective depth, nodes, time, speed and tablebases.
    fn numbers(&self) -> [Option<i64>; 6] {
        [self.depth, self.seldepth.min(32_767), self.nodes, self.ms, self.speed, self.tb_hits]
            .map(Some)
    }
}

/// Pawns with two decimals; `plus` before those above 0, `zero` before 0.
fn pawns(hundredths: i64, plus: &str, zero: &str) -> String {
    let sign = match hundredths {
        1.. => plus,
        0 => zero,
        _ => "-",
    };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

/// A score as cutechess and fastchess print it.
fn signed(eval: Eval) -> String {
    match eval {
        Eval::Pawns(hundredths) => pawns(hundredths, "+", ""),
        Eval::Plies(plies) => format!("{}M{}", if plies > 0 { "+" } else { "-" }, plies.abs()),
        Eval::None => String::new(),
    }
}

fn negated(eval: Eval) -> Eval {
    match eval {
        Eval::Pawns(hundredths) => Eval::Pawns(-hundredths),
        Eval::Plies(plies) => Eval::Plies(-plies),
        Eval::None => Eval::None,
    }
}

fn cutechess(dice: &mut Dice) -> Printed {
    let mut values = Values::of(dice);
    let ms = values.ms;
    // Its precision depends on the time.
    let (time, ms) = match ms {
        0 => ("0s".to_string(), 0),
        1..100 => (format!("{}.{ms:03}s", 0), ms),
        100..1_000 => (format!("0.{:02}s", ms / 10), ms / 10 * 10),
        1_000..10_000 => (format!("{}.{}s", ms / 1_000, ms / 100 % 10), ms / 100 * 100),
        _ => (format!("{}s", ms / 1_000), ms / 1_000 * 1_000),
    };
    values.ms = ms;
    let (depth, mut eval) = (values.depth + 1, values.eval);
    if dice.below(8) == 0 {
        eval = Eval::None;
    }
    let end = dice.one(&["", "", ", Draw by 3-fold repetition", ", White mates"]);
    Printed {
        text: format!("{}/{depth} {time}{end}", signed(eval)),
        eval,
        numbers: [Some(depth), None, None, Some(values.ms), None, None],
        pv: None,
        form: Some("cutechess"),
        view: Some("mover"),
    }
}

fn fastchess(dice: &mut Dice) -> Printed {
    let values = Values::of(dice);
    let seconds = |ms: i64| format!("{}.{:03}s", ms / 1_000, ms % 1_000);
    let mut numbers = values.numbers();
    let mut text = format!("{}/{} {}", signed(values.eval), values.depth, seconds(values.ms));
    if dice.below(2) == 0 {
        let _ = write!(text, ", tl={}, latency=0.000s", seconds(values.ms + 7));
    }
    let items = [("n", 2), ("sd", 1), ("nps", 4), ("hashfull", 0), ("tbhits", 5)];
    for (key, index) in items {
        let value = [0, values.seldepth, values.nodes, 0, values.speed, values.tb_hits][index];
        if dice.below(3) > 0 {
            let _ = write!(text, ", {key}={value}");
        } else if index > 0 {
            numbers[index] = None;
        }
    }
    let pv = (dice.below(2) == 0).then(|| values.pv.clone());
    if let Some(pv) = &pv {
        let _ = write!(text, ", pv=\"{pv}\", line=\"info depth 3, score cp 5\"");
    }
    text.push_str(dice.one(&[
        "",
        "",
        ", White makes an illegal move: e7e8=Q",
        ", Draw by adjudication",
    ]));
    let (form, view) = (Some("cutechess"), Some("mover"));
    Printed { text, eval: values.eval, numbers, pv, form, view }
}

fn ccrl(dice: &mut Dice) -> Printed {
    let values = Values::of(dice);
    let score = match values.eval {
        Eval::Pawns(hundredths) => pawns(hundredths, "+", "+"),
        eval => signed(eval),
    };
    let seconds = values.ms / 1_000;
    Printed {
        text: format!("({}) {score}/{} {seconds}s", values.pv, values.depth),
        eval: values.eval,
        numbers: [Some(values.depth), None, None, Some(seconds * 1_000), None, None],
        pv: Some(values.pv),
        form: Some("cutechess"),
        view: Some("mover"),
    }
}

fn c_chess_cli(dice: &mut Dice) -> Printed {
    let values = Values::of(dice);
    let score = match values.eval {
        Eval::Pawns(hundredths) => hundredths.to_string(),
        eval => signed(eval).trim_start_matches('+').to_string(),
    };
    Printed {
        text: format!("{score}/{} {}ms", values.depth, values.ms),
        eval: values.eval,
        numbers: [Some(values.depth), None, None, Some(values.ms), None, None],
        pv: None,
        form: Some("c-chess-cli"),
        view: Some("mover"),
    }
}

/// TCEC since season 12: times in milliseconds, `wv` alone.
fn tcec(dice: &mut Dice, is_white: bool) -> Printed {
    let values = Values::of(dice);
    let white = if is_white { values.eval } else { negated(values.eval) };
    let wv = match white {
        Eval::Pawns(hundredths) => pawns(hundredths, "", ""),
        white => signed(white).trim_start_matches('+').to_string(),
    };
    let mut numbers = values.numbers();
    let tb_hits = if dice.below(3) == 0 { None } else { Some(values.tb_hits) };
    numbers[5] = tb_hits;
    let tb = tb_hits.map_or("null".to_string(), |hits| hits.to_string());
    let Values { depth, seldepth, ms, speed, nodes, pv, .. } = values;
    let end = dice.one(&["", " White mates", " Adjudication: TCEC draw rule"]);
    Printed {
        text: format!(
            "d={depth}, sd={seldepth}, pd=O-O, mt={ms}, tl=3, s={speed}, n={nodes}, pv={pv}, tb={tb}, h=0.1, ph=0.0, \
             wv={wv}, R50=49, Rd=-11, Rr=-1000, mb=+0-1+0+0+0,{end}"
        ),
        eval: values.eval,
        numbers,
        pv: Some(pv),
        form: Some("tcec"),
        view: Some("white"),
    }
}

/// TCEC's first seasons: clock times, thousands of nodes, `ev` of White, or of the mover beside `wv`; mates in moves.
fn early_tcec(dice: &mut Dice, is_white: bool) -> Printed {
    let values = Values::of(dice);
    let text = |eval| match eval {
        Eval::Pawns(hundredths) => pawns(hundredths, "", ""),
        Eval::Plies(plies) => {
            format!("{}#{}", if plies < 0 { "-" } else { "" }, (plies.abs() + 1) / 2)
        }
        Eval::None => String::new(),
    };
    let white = text(if is_white { values.eval } else { negated(values.eval) });
    let seconds = values.ms / 1_000;
    let time = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let (depth, thousands, hits) = (values.depth, values.speed >> 20, values.tb_hits);
    let begin = format!("d={depth}, mt={time}, tl=01:50:35, s={thousands} kN/s, tb={hits}");
    let (is_of_white, mover) = (dice.below(2) == 0, text(values.eval));
    Printed {
        text: match is_of_white {
            true => format!(" ev={white}, {begin},  "),
            false => format!(" ev={mover}, {begin}, R50=50, wv={white},  "),
        },
        eval: values.eval,
        numbers: [
            Some(depth),
            None,
            None,
            Some(seconds * 1_000),
            Some(thousands * 1_000),
            Some(hits),
        ],
        pv: None,
        form: Some("tcec"),
        view: Some("white"),
    }
}

/// XBoard: whole seconds or tenths, minutes; a plus before what is not negative.
fn xboard(dice: &mut Dice) -> Printed {
    let values = Values::of(dice);
    let eval = match values.eval {
        Eval::Plies(_) => Eval::Pawns(100_000 + values.depth),
        eval => eval,
    };
    let Eval::Pawns(hundredths) = eval else { unreachable!("only pawns") };
    let tenths = values.ms / 100;
    let (time, ms) = match tenths {
        0 => (String::new(), None),
        1..30 => (format!(" {}.{}", tenths / 10, tenths % 10), Some(tenths * 100)),
        30..600 => (format!(" {}", tenths / 10), Some(tenths / 10 * 1_000)),
        _ => {
            let seconds = tenths / 10;
            (format!(" {}:{:02}", seconds / 60, seconds % 60), Some(seconds * 1_000))
        }
    };
    Printed {
        text: format!("{}/{}{time}", pawns(hundredths, "+", "+"), values.depth),
        eval,
        numbers: [Some(values.depth), None, None, ms, None, None],
        pv: None,
        form: Some("xboard"),
        view: Some("mover"),
    }
}

/// ChessBase: White's view without a plus, whole seconds, perhaps the expected move; mates in moves.
fn chessbase(dice: &mut Dice, is_white: bool) -> Printed {
    let values = Values::of(dice);
    let white = if is_white { values.eval } else { negated(values.eval) };
    let score = match white {
        Eval::Pawns(hundredths) => pawns(hundredths, "", ""),
        Eval::Plies(plies) => {
            format!("{}#{}", if plies < 0 { "-" } else { "" }, (plies.abs() + 1) / 2)
        }
        Eval::None => String::new(),
    };
    // It breaks its lines after points and slashes, too.
    let score = if dice.below(4) == 0 { score.replace('.', ".\n") } else { score };
    let (depth, seconds) = (values.depth, values.ms / 1_000);
    let slash = if dice.below(4) == 0 { "/\n" } else { "/" };
    let expected = dice.one(&["", "", " (Rh6)", " (O-O-O)", "\n(exd8=Q+)"]);
    Printed {
        text: format!("{score}{slash}{depth} {seconds}{expected}"),
        eval: values.eval,
        numbers: [Some(depth), None, None, Some(seconds * 1_000), None, None],
        pv: None,
        form: Some("chessbase"),
        view: Some("white"),
    }
}

fn banksia(dice: &mut Dice) -> Printed {
    let values = Values::of(dice);
    let hundredths = match values.eval {
        Eval::Pawns(hundredths) => hundredths,
        _ => 0,
    };
    let numbers = [Some(values.depth), None, Some(values.nodes), Some(values.ms), None, None];
    Printed {
        text: format!(
            "{}/{} {} {}",
            pawns(hundredths, "+", "+"),
            values.depth,
            values.ms,
            values.nodes
        ),
        // Whose view it has is not known.
        eval: if hundredths == 0 { Eval::Pawns(0) } else { Eval::None },
        numbers,
        pv: None,
        form: Some("banksia"),
        view: None,
    }
}

fn book(dice: &mut Dice) -> Printed {
    let text = dice.one(&["book", "book, mb=+0+0+0+0+0,", "book 0s", " book "]).to_string();
    let form = Some("book");
    Printed { text, eval: Eval::None, numbers: [None; 6], pv: None, form, view: None }
}

/// Comments with their sides: a program per game, but for moves of a book and of the others whose view is their own.
fn comments(dice: &mut Dice, plies: usize) -> Vec<Printed> {
    let program = dice.below(10);
    let of = |dice: &mut Dice, program, is_white| match program {
        0 => cutechess(dice),
        1 => fastchess(dice),
        2 => ccrl(dice),
        3 => c_chess_cli(dice),
        4 => tcec(dice, is_white),
        5 => early_tcec(dice, is_white),
        6 | 7 => xboard(dice),
        8 => chessbase(dice, is_white),
        _ => banksia(dice),
    };
    let mut printed: Vec<Printed> = (0..plies)
        .map(|ply| match dice.below(8) {
            0 => book(dice),
            1 => {
                let other = dice.below(6);
                of(dice, other, ply % 2 == 0)
            }
            _ => of(dice, program, ply % 2 == 0),
        })
        .collect();
    decide(&mut printed, program);
    printed
}

/// Of comments of XBoard and ChessBase that could be of either the game decides, by one that is of one alone.
fn decide(printed: &mut [Printed], program: usize) {
    if !(6..=8).contains(&program) {
        return;
    }
    let is_clear = |comment: &Printed| {
        let text = &comment.text;
        let is_one = comment.form == Some("xboard") || comment.form == Some("chessbase");
        let is_minus = text.starts_with('-') && !text.contains('#') && !text.contains('(');
        let is_zero = matches!(comment.eval, Eval::Pawns(0)) && !text.contains(['+', '(']);
        is_one && !is_minus && !is_zero
    };
    if printed.iter().any(is_clear) {
        return;
    }
    for comment in printed.iter_mut().filter(|it| it.form != Some("book") && it.pv.is_none()) {
        if comment.form == Some("xboard") || comment.form == Some("chessbase") {
            (comment.form, comment.view) = (None, None);
            if !matches!(comment.eval, Eval::Pawns(0)) {
                comment.eval = Eval::None;
            }
        }
    }
}

/// The evaluation as the columns have it.
fn columns_of(eval: Eval, is_white: bool) -> [Option<i64>; 2] {
    let sign = if is_white { 1 } else { -1 };
    match eval {
        Eval::Pawns(hundredths) => [Some(sign * hundredths.clamp(-32_767, 32_767)), None],
        Eval::Plies(plies) => {
            let moves = (plies.abs() + 1) / 2;
            [None, Some(sign * plies.signum() * moves)]
        }
        Eval::None => [None, None],
    }
}

fn number(value: Option<i64>) -> Value {
    value.map_or(Value::Null, Value::Number)
}

fn text_value(value: Option<&str>) -> Value {
    value.map_or(Value::Null, |text| Value::Text(text.to_string()))
}

/// The rows that plies with these comments have.
fn expected(comments: &[Printed]) -> Vec<Vec<Value>> {
    let row = |(ply, comment): (usize, &Printed)| {
        let [cp, mate] = columns_of(comment.eval, ply % 2 == 0).map(number);
        let mut row = vec![cp, mate];
        row.extend(comment.numbers.map(number));
        let view = comment.view.filter(|_| !matches!(comment.eval, Eval::None));
        row.extend([comment.pv.as_deref(), comment.form, view].map(text_value));
        row
    };
    comments.iter().enumerate().map(row).collect()
}

/// A game of knights with these comments.
fn game(comments: &[Printed]) -> String {
    let mut text = "[Event \"x\"]\n\n".to_string();
    for (ply, comment) in comments.iter().enumerate() {
        let mv = ["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4];
        let _ = write!(text, "{mv} {{{}}} ", comment.text);
    }
    text + "*\n\n"
}

#[test]
fn printed_comments_are_read_back() {
    let mut dice = Dice::new(6_800);
    let games: Vec<Vec<Printed>> = (0..trials(400, 3_000, 30_000))
        .map(|_| {
            let plies = dice.below(14);
            comments(&mut dice, plies)
        })
        .collect();
    let text: String = games.iter().map(|comments| game(comments)).collect();
    let table =
        table::table_of(text.as_bytes(), &format!("--table plies --columns {}", COLUMNS.join(",")));
    let mut rows = table.rows.iter();
    for comments in &games {
        for (comment, expected) in comments.iter().zip(expected(comments)) {
            assert_eq!(rows.next(), Some(&expected), "{comment:?} of {}", game(comments));
        }
    }
    assert!(rows.next().is_none());
    // The lists of games, and columns without those that decide which comments are read.
    let lists = table::table_of(text.as_bytes(), "--columns evals_cp,evals_mate");
    for (row, comments) in lists.rows.iter().zip(&games) {
        let values = |index: usize| -> Vec<Option<i64>> {
            let of_ply =
                |(ply, comment): (usize, &Printed)| columns_of(comment.eval, ply % 2 == 0)[index];
            comments.iter().enumerate().map(of_ply).collect()
        };
        let has_any = [0, 1].iter().any(|&index| values(index).iter().any(Option::is_some));
        let list = |index| if has_any { Value::List(values(index)) } else { Value::Null };
        assert_eq!(row, &[list(0), list(1)], "{}", game(comments));
    }
    let alone =
        table::table_of(text.as_bytes(), "--table plies --columns nodes,mover_eval_cp,clock_ms");
    assert_eq!(alone.column("nodes"), table.column("nodes"));
}

/// The rows of one game, by column.
fn rows_of(movetext: &str) -> Table {
    let columns = COLUMNS.join(",");
    let text = format!("[Event \"x\"]\n\n{movetext}\n");
    table::table_of(text.as_bytes(), &format!("--table plies --columns {columns},clock_ms,emt_ms"))
}

/// Commands go before engines' comments; of several comments the first of a form counts; variations, null moves and
/// what is before the first move have none.
#[test]
fn of_several_comments_one_counts() {
    for (movetext, column, expected) in [
        ("1. e4 {+0.31/12 0.5s} {[%eval 0.17,9]} *", "eval_cp", [17]),
        ("1. e4 {+0.31/12 0.5s} {[%eval 0.17,9]} *", "depth", [9]),
        ("1. e4 {+0.31/12 0.5s} {[%eval 0.17]} *", "depth", [12]),
        ("1. e4 {+0.31/12 0.5s [%eval 0.17,9]} *", "time_ms", [500]),
        ("1. e4 {+0.31/12 0.5s [%clk 0:01:00]} *", "clock_ms", [60_000]),
        ("1. e4 {[%clkc 6000]} *", "clock_ms", [60_000]),
        ("1. e4 {good} {+0.31/12 0.5s} {+0.40/13 0.6s} *", "depth", [12]),
        ("1. e4 {+0.31/12 soon} {+0.40/13 0.6s} *", "depth", [13]),
        ("1. e4 ; +0.40/13 0.6s\n *", "depth", [13]),
        ("{+0.31/12 0.5s} 1. e4 (1. d4 {+0.31/11 0.5s}) {+0.40/13\n0.6s} *", "depth", [13]),
        ("1. e4 { [%eval #-3] +0.40/13 0.6s } *", "eval_mate", [-3]),
        ("1. e4 {-0.40/13 5 (d5)} *", "eval_cp", [-40]),
        ("1. e4 {0.00/13 5} *", "eval_cp", [0]),
    ] {
        let found = rows_of(movetext);
        let found: Vec<i64> = found.column(column).into_iter().filter_map(Value::number).collect();
        assert_eq!(found, expected, "{movetext}: {column}");
    }
    for (movetext, column) in [
        ("1. e4 {[%clk 0:00:01] +0.31/12 0.5s} *", "depth"),
        ("1. e4 {12/3 was better} *", "depth"),
        ("1. e4 {-0.40/13 5} *", "eval_cp"),
        ("1. e4 {-0.40/13 5} *", "comment_form"),
        ("1. e4 {0.00/13 5} *", "eval_of"),
        ("1. e4 {book} *", "eval_of"),
        ("1. e4 {+0.3/21 2424 1511177} *", "eval_cp"),
    ] {
        assert_eq!(rows_of(movetext).column(column), [&Value::Null], "{movetext}: {column}");
    }
    // The first comment that can be of one program alone decides about those before it, too.
    let found = rows_of("1. e4 {-0.40/13 5} e5 {0.00/9 3} 2. d4 {0.20/9 3} d5 {+0.10/9 3} *");
    let of = |column| -> Vec<Option<i64>> {
        found.column(column).into_iter().map(Value::number).collect()
    };
    assert_eq!(of("eval_cp"), [Some(-40), Some(0), Some(20), Some(-10)]);
    let forms: Vec<_> = found.column("comment_form").into_iter().map(Value::text).collect();
    assert_eq!(forms, ["chessbase", "chessbase", "chessbase", "xboard"].map(Some));
}

/// A regular expression reads the comments of real games as the columns have them: of every kind of archive.
#[needs("../shared/corpora")]
#[needs("Python", command = "python3 -c 'import json'")]
#[test]
fn real_games_are_read_as_regular_expressions_read_them() {
    let scratch = Scratch::new();
    let corpora = here("../shared/corpora");
    let files = [
        "engine/TCEC_Cup_3_Final.pgn",
        "engine/TCEC_Tournament_3.pgn",
        "engine/example__fishtest.pgn",
    ];
    for (index, file) in thinned(2, files).enumerate() {
        let path = corpora.join(file);
        let output = format!("t{index}.jsonl");
        let columns = format!("game,ply,{}", COLUMNS.join(","));
        table::export(
            &scratch,
            &format!("-q --table plies --columns {columns} -o {output}"),
            &[path.to_str().unwrap()],
        );
        let table = scratch.join(&output);
        let ran = Command::new("python3")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(here("scripts/columns/engines.py"))
            .args([&path, &table])
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{file}: {shown}{}", String::from_utf8_lossy(&ran.stderr));
    }
}
