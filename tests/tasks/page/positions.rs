//! The page of a table of positions: what it shows is what the table has, whatever the format of the table, and however
//! it was made.
//!
//! In: tables of some games, in each format, of sums and of means; tables that were rewritten by hand. Laws: the moves
//! of the position and each branch of the tree are the rows of their records in the CSV table; the page is the same
//! for each format but for what the file states of itself; texts of the table are literal; the size of the page is
//! bounded; what is no table is named.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node};

use super::{figures, loads_nothing};
use crate::common::{Scratch, errors_of, exit_code, here, run_in, trials};
use pgnmill_core::chess::Position;
use pgnmill_core::chess::rules::AnyPosition;
use pgnmill_core::notation::UCI;
use pgnmill_core::tasks::positions::record_of;

/// A row of the CSV table by the names of its columns.
type CsvRow = BTreeMap<String, String>;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn done(scratch: &Scratch, args: &[&str]) {
    let output = run_in(scratch.path(), args, b"");
    assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
}

/// A page of a table, with these options.
fn page(scratch: &Scratch, table: &str, name: &str, more: &[&str]) -> String {
    done(scratch, &[&["report", table, "-o", name, "--overwrite"], more].concat());
    fs::read_to_string(scratch.join(name)).unwrap()
}

/// A directory with the tables of some games of masters and of one game with ratings and a date.
fn tables() -> Scratch {
    let scratch = Scratch::new();
    let masters = here("data/masters.pgn.zst");
    let head = trials(300, 2_000, 20_000).to_string();
    done(&scratch, &["select", "-q", "--head", &head, "-o", "m.pgn", masters.to_str().unwrap()]);
    let own = "[Event \"x\"]\n[Date \"2024.01.31\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2651\"]\n\n1. e4 c5 2. Nf3 1-0\n\n";
    scratch.write("it's `one`.pgn", own.as_bytes());
    for (name, more) in [
        ("t.csv", &["--threads", "1"][..]),
        ("t.parquet", &["--threads", "7"]),
        ("t.arrow", &["--memory", "1MiB"]),
        ("t.jsonl", &[]),
        ("s.csv", &["--sums"]),
        ("s.parquet", &["--sums"]),
        ("s.arrow", &["--sums"]),
    ] {
        let args = ["positions", "-q", "--max-ply", "12", "-o", name, "m.pgn", "it's `one`.pgn"];
        done(&scratch, &[&args[..], more].concat());
    }
    scratch
}

fn rows_of(scratch: &Scratch, name: &str) -> BTreeMap<String, Vec<CsvRow>> {
    let mut reader = csv::Reader::from_path(scratch.join(name)).unwrap();
    let mut rows: BTreeMap<String, Vec<CsvRow>> = BTreeMap::new();
    for row in reader.deserialize() {
        let row: CsvRow = row.unwrap();
        rows.entry(row["fen"].clone()).or_default().push(row);
    }
    rows
}

fn parsed(page: &str) -> Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    Document::parse_with_options(page, options).unwrap()
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn child<'d>(node: Node<'d, 'd>, name: &str) -> Option<Node<'d, 'd>> {
    node.children().find(|node| node.has_tag_name(name))
}

fn of_class<'d>(node: Node<'d, 'd>, class: &str) -> Option<Node<'d, 'd>> {
    node.descendants().find(|node| node.attribute("class") == Some(class))
}

/// The page without the section in which a table states what it is.
fn without_the_table(page: &str) -> String {
    let (before, rest) = page.split_once("<section id=\"the-table\"").unwrap();
    format!("{before}{}", rest.split_once("</section>").unwrap().1)
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(",")
}

fn count(row: &CsvRow, name: &str) -> u64 {
    row[name].parse().unwrap()
}

/// Percentages that are 100 together, and each less than one from its share.
fn are_percents(shown: [u64; 3], row: &CsvRow) {
    let games = ["white", "draws", "black"].map(|name| count(row, name));
    let sum: u64 = games.iter().sum();
    assert_eq!(shown.iter().sum::<u64>(), 100, "{row:?}");
    for (shown, games) in shown.iter().zip(games) {
        assert!((*shown as f64 - 100.0 * games as f64 / sum as f64).abs() < 1.0, "{row:?}");
    }
}

fn has_result(row: &CsvRow) -> bool {
    ["white", "draws", "black"].iter().any(|name| row[*name] != "0")
}

fn rating(row: &CsvRow) -> String {
    row["rating_mean"].parse::<f64>().map_or(String::new(), |mean| format!("{mean:.0}"))
}

/// The list of moves is the rows of the position.
fn moves_are_in_the_table(document: &Document<'_>, rows: &[CsvRow], number: &str) {
    let body = document.descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let shown: Vec<Vec<String>> = body
        .children()
        .filter(|node| node.has_tag_name("tr"))
        .map(|row| row.children().filter(Node::is_element).map(text).collect())
        .collect();
    assert_eq!(shown.len(), rows.len().min(40));
    let all: u64 = rows.iter().map(|row| count(row, "games")).sum();
    for (shown, row) in shown.iter().zip(rows) {
        assert_eq!(shown[0], format!("{number} {}", row["san"]));
        assert_eq!(shown[1], grouped(count(row, "games")), "{row:?}");
        let share = format!("{:.1}", 100.0 * count(row, "games") as f64 / all as f64);
        assert_eq!(shown[2], share, "{row:?}");
        match has_result(row) {
            true => are_percents([3, 4, 5].map(|at: usize| shown[at].parse().unwrap()), row),
            false => assert_eq!(shown[3..6], ["", "", ""], "{row:?}"),
        }
        assert_eq!(shown[6], rating(row), "{row:?}");
        assert_eq!(shown[7], row["last_date"].get(..4).unwrap_or(""), "{row:?}");
    }
    let lead: String =
        document.descendants().filter(|node| node.has_tag_name("p")).map(text).collect();
    assert!(lead.contains(&format!("{} games: White ", grouped(all))), "{lead}");
}

/// What the tree is compared with.
struct Expected<'t> {
    rows: &'t BTreeMap<String, Vec<CsvRow>>,
    games: u64,
    share: f64,
    plies: usize,
}

impl Expected<'_> {
    /// The branches of a record are its rows with enough games, and so are those after them; how many there are.
    fn are(&self, list: Option<Node<'_, '_>>, record: &str, depth: usize) -> usize {
        let is_shown =
            |row: &&CsvRow| count(row, "games") as f64 * 100.0 >= self.share * self.games as f64;
        let rows = self.rows.get(record).map_or(&[][..], Vec::as_slice);
        let rows: Vec<&CsvRow> = rows.iter().filter(is_shown).collect();
        let items: Vec<_> =
            list.iter().flat_map(|list| list.children().filter(Node::is_element)).collect();
        if depth == self.plies {
            assert!(items.is_empty());
            return 0;
        }
        assert_eq!(items.len(), rows.len(), "{record}");
        let mut found = rows.len();
        for (item, row) in items.into_iter().zip(rows) {
            let details = child(item, "details").unwrap();
            let summary = child(details, "summary").unwrap();
            let name = text(child(summary, "strong").unwrap());
            assert_eq!(name.split(' ').nth(1), Some(row["san"].as_str()), "{record}");
            let games = count(row, "games");
            let share = 100.0 * games as f64 / self.games as f64;
            let words = if games == 1 { "game" } else { "games" };
            let expected = format!("{} {words}, {share:.1} %", grouped(games));
            assert_eq!(text(of_class(summary, "count").unwrap()), expected);
            assert_eq!(of_class(summary, "bar").is_some(), has_result(row));
            if let Some(bar) = of_class(summary, "bar") {
                bar_is_of(bar, &text(of_class(summary, "percents").unwrap()), row);
            }
            let below = text(child(details, "p").unwrap());
            let sample = format!("--at {}", row["sample_offset"]);
            assert!(below.ends_with(&sample), "{below}");
            let rating = rating(row);
            assert_eq!(below.contains("mean rating"), !rating.is_empty(), "{below}");
            assert!(below.contains(&rating), "{below}: {rating}");
            let after = after(record, &row["uci"]);
            assert!(below.contains(&format!("then {after};")), "{below}: {after}");
            found += self.are(child(details, "ul"), &after, depth + 1);
        }
        found
    }
}

/// A bar has parts of these percentages, and a name with them.
fn bar_is_of(bar: Node<'_, '_>, written: &str, row: &CsvRow) {
    let percents: Vec<u64> =
        written.split(" / ").map(|text| text.trim().parse().unwrap()).collect();
    let [white, draws, black] = percents[..] else { panic!("{written}") };
    are_percents([white, draws, black], row);
    let parts: Vec<&str> = bar.children().filter_map(|part| part.attribute("style")).collect();
    assert_eq!(parts, percents.iter().map(|part| format!("width:{part}%")).collect::<Vec<_>>());
    let name = format!("White {white} %, draws {draws} %, Black {black} %");
    assert_eq!(
        (bar.attribute("role"), bar.attribute("aria-label")),
        (Some("img"), Some(&name[..]))
    );
}

/// The record after a move.
fn after(record: &str, uci: &str) -> String {
    let (position, _) = Position::from_fen(record.as_bytes()).unwrap();
    let mv = UCI.decode(&position, uci.as_bytes()).unwrap();
    record_of(&AnyPosition::Chess(position.play(mv)))
}

#[test]
fn the_page_has_what_the_table_has() {
    let scratch = tables();
    let rows = rows_of(&scratch, "t.csv");
    let sicilian = after(&after(START, "e2e4"), "c7c5");
    for (position, record, number, plies, share) in [
        (None, START, "1.", 4, 1.0),
        (Some("1. e4 c5"), &sicilian[..], "2.", 6, 2.5),
        (Some(&sicilian[..]), &sicilian[..], "1.", 1, 0.0),
    ] {
        let (depth, least) = (plies.to_string(), share.to_string());
        let mut more = vec!["--depth", &depth, "--share", &least];
        more.extend(position.iter().flat_map(|position| ["--position", position]));
        let html = page(&scratch, "t.parquet", "p.html", &more);
        loads_nothing(&html);
        let document = parsed(&html);
        let of_position = &rows[record];
        moves_are_in_the_table(&document, of_position, number);
        let games = of_position.iter().map(|row| count(row, "games")).sum();
        let expected = Expected { rows: &rows, games, share, plies };
        let list = document.descendants().find(|node| {
            node.attribute("class") == Some("moves")
                && !node.ancestors().any(|it| it.has_tag_name("li"))
        });
        let found = expected.are(list, record, 0);
        assert!(found >= if plies == 1 { 5 } else { 20 }, "{found}");
        // Markdown has the same lines.
        let markdown = page(&scratch, "t.parquet", "p.md", &more);
        let lines = markdown.lines().filter(|line| line.trim_start().starts_with("- "));
        assert_eq!(lines.count(), found, "{markdown}");
        let counts: Vec<String> = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("count"))
            .map(text)
            .collect();
        let lines = markdown.lines().filter(|line| line.trim_start().starts_with("- "));
        assert!(lines.zip(&counts).all(|(line, count)| line.contains(count)));
    }
    // The defaults of the command line.
    let html = page(&scratch, "t.parquet", "p.html", &[]);
    assert_eq!(html, page(&scratch, "t.parquet", "q.html", &["--depth", "4", "--share", "1%"]));
    assert!(html.contains("The starting position: <code>"), "{html}");
    done(&scratch, &["report", "t.csv", "-o", "f.html", "--figures", "figures"]);
    let names = figures::are_those_of(
        &fs::read_to_string(scratch.join("f.html")).unwrap(),
        &scratch.join("figures"),
    );
    assert_eq!(names, ["explorer-moves.svg"]);
}

#[test]
fn the_page_is_the_same_for_every_table_of_the_same_games() {
    let scratch = tables();
    for (name, ending) in [("p.html", true), ("p.md", false)] {
        let of = |table: &str| {
            let page = page(&scratch, table, name, &["--position", "1. e4"]);
            match ending {
                true => without_the_table(&page),
                false => page.split("## The table").next().unwrap().to_string(),
            }
        };
        let expected = of("t.csv");
        assert!(expected.len() > 2_000);
        for table in ["t.parquet", "t.arrow", "t.jsonl", "s.csv", "s.parquet", "s.arrow"] {
            assert_eq!(of(table), expected, "{table}");
        }
    }
    // What a file states of itself; the rows are counted in each.
    let rows: usize = rows_of(&scratch, "t.csv").values().map(Vec::len).sum();
    for table in ["t.csv", "t.parquet", "t.arrow", "t.jsonl", "s.parquet"] {
        let html = page(&scratch, table, "p.html", &[]);
        assert!(html.contains(&format!("<code>{table}</code>: {} rows", grouped(rows as u64))));
        let has_facts = !["t.csv", "t.jsonl"].contains(&table);
        assert_eq!(html.contains("options: <code>"), has_facts, "{table}");
        let archives = "sums of: <code>m.pgn, it's `one`.pgn</code>";
        assert_eq!(html.contains(archives), table.starts_with('s'), "{table}");
    }
}

/// Texts of a table that would be markup, and a table of as many moves, and as long texts, as there may be.
#[test]
fn whatever_the_table_has_the_page_is_bounded_and_its_texts_literal() {
    let scratch = Scratch::new();
    let long = "<&\"'`x".repeat(4_000);
    let hostile = ["<script>a</script>", "`b` <i>", "c|d\\", "&lt;e", "[f](g)", "*h*", &long];
    let mut table = String::from(
        "fen,uci,san,games,white,draws,black,last_date,sample_archive,sample_offset\n",
    );
    let field = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for (number, san) in hostile.iter().cycle().take(4_000).enumerate() {
        // Legal moves first: what they reach is the position again.
        let uci = ["g1f3", "b1c3", "e2e4", "x"][number.min(3)];
        let games = 5_000 - number;
        let archive = field(&format!("{san} it's"));
        table += &format!(
            "{START},{uci},{},{games},{games},0,0,{},{archive},7\n",
            field(san),
            field(san)
        );
    }
    scratch.write("t.csv", table.as_bytes());
    for more in [&["--share", "0", "--depth", "40"][..], &[]] {
        let html = page(&scratch, "t.csv", "p.html", more);
        loads_nothing(&html);
        assert!(html.len() < 8 << 20, "{}", html.len());
        let document = parsed(&html);
        let branches = document.descendants().filter(|node| node.has_tag_name("details")).count();
        assert!(branches <= 2_000 && (more.is_empty() || branches == 2_000), "{branches}");
        assert_eq!(html.contains("The tree ends after 2,000 moves"), !more.is_empty());
        assert!(html.contains("3,960 more moves"));
        let names: Vec<String> =
            document.descendants().filter(|node| node.has_tag_name("strong")).map(text).collect();
        for name in hostile[..6].iter().take(if more.is_empty() { 0 } else { 6 }) {
            assert!(names.contains(&format!("1. {name}")), "{name}");
        }
        for element in document.descendants().filter(Node::is_element) {
            assert!(!["i", "script", "em", "b"].contains(&element.tag_name().name()));
        }
        let markdown = page(&scratch, "t.csv", "p.md", more);
        assert!(markdown.len() < 8 << 20);
        let lists = markdown.lines().filter(|line| line.trim_start().starts_with("- "));
        assert_eq!(lists.count(), branches);
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        let table: Vec<usize> =
            markdown.lines().filter(|line| line.starts_with('|')).map(columns).collect();
        assert!(table.len() == 42 && table.iter().all(|count| *count == 10), "{table:?}");
    }
    // A name of the table that would be markup.
    fs::copy(scratch.join("t.csv"), scratch.join("<b>`t`.csv")).unwrap();
    let html = page(&scratch, "<b>`t`.csv", "p.html", &["--depth", "1"]);
    loads_nothing(&html);
    assert!(html.contains("<code>&lt;b&gt;`t`.csv</code>: 4,000 rows"));
}

#[test]
fn positions_that_are_not_there_and_other_rules() {
    let scratch = tables();
    let run = |args: &[&str]| {
        let output = run_in(scratch.path(), args, b"");
        (exit_code(&output), errors_of(&output))
    };
    let nowhere = ["report", "t.csv", "--position", "1. a3 a6 2. a4 a5 3. h3 h6", "-o", "n.html"];
    assert_eq!(run(&nowhere).0, 1);
    let html = fs::read_to_string(scratch.join("n.html")).unwrap();
    loads_nothing(&html);
    assert!(html.contains("The position is not in the table."));
    scratch.write("v.pgn", b"[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    done(&scratch, &["positions", "-q", "-o", "v.parquet", "v.pgn"]);
    let html = page(&scratch, "v.parquet", "v.html", &["--rules", "atomic", "--position", "1. e4"]);
    loads_nothing(&html);
    assert!(html.contains(", Atomic chess: <code>") && html.contains("--rules atomic"), "{html}");
    for (args, words) in [
        (&["--position", "1. e5"][..], "ply 1"),
        (&["--position", "x/x/x/x w"], "no FEN record"),
        (&["--depth", "0"], "1 to 40"),
        (&["--share", "101"], "0 to 100"),
        (&["--study"], "t.csv is a file"),
    ] {
        let (code, errors) = run(&[&["report", "t.csv", "-o", "x.html"], args].concat());
        assert!(code == 2 && errors.contains(words), "{args:?}: {errors}");
        assert!(!scratch.join("x.html").exists());
    }
}

#[test]
fn what_is_no_table_is_named() {
    let scratch = tables();
    done(&scratch, &["positions", "-q", "-o", "t.bin", "m.pgn"]);
    done(&scratch, &["export", "-q", "-o", "games.parquet", "m.pgn"]);
    done(&scratch, &["export", "-q", "-o", "games.csv", "m.pgn"]);
    done(&scratch, &["export", "-q", "--table", "plies", "-o", "plies.arrow", "m.pgn"]);
    done(&scratch, &["stats", "-q", "-o", "stats", "m.pgn"]);
    fs::write(scratch.join("cut.parquet"), &fs::read(scratch.join("t.parquet")).unwrap()[..9_000])
        .unwrap();
    for (path, words) in [
        (
            "m.pgn",
            "m.pgn is an archive, not a table: report reads the directory that `pgnmill measure -o TABLES m.pgn`",
        ),
        ("t.bin", "t.bin is a Polyglot book"),
        ("games.parquet", "games.parquet: it is a table of games"),
        ("games.csv", "games.csv: its header has no column fen"),
        ("plies.arrow", "plies.arrow: "),
        ("stats/stats.csv", "report reads the directory, `pgnmill report stats`"),
        ("cut.parquet", "cut.parquet: the file is no Parquet file, or truncated"),
    ] {
        let output = run_in(scratch.path(), &["report", path, "-o", "x.html"], b"");
        let errors = errors_of(&output);
        assert!(exit_code(&output) == 2 && errors.contains(words), "{path}: {errors}");
        assert!(
            errors.contains("pgnmill positions -o TABLE.parquet") || path.starts_with("stats"),
            "{errors}"
        );
    }
    let output = run_in(scratch.path(), &["report", "stats", "--depth", "2", "-o", "x.html"], b"");
    assert!(exit_code(&output) == 2 && errors_of(&output).contains("--depth is of a table that"));
    // An output is not the table.
    let output = run_in(scratch.path(), &["report", "t.csv", "-o", "t.csv", "--overwrite"], b"");
    assert_eq!(exit_code(&output), 2);
    assert!(!scratch.join("x.html").exists());
}
