//! The page of the tables of `stats`: its shares and counts are those of the table, in figures and in tables.

use std::collections::BTreeMap;
use std::fs;

use pgnmill_core::tasks::stats::SECTIONS;

use super::{page, refused, stands_alone};
use crate::common::{SAMPLE, Scratch, errors_of, exit_code, here, run_in, text_of};

/// The rows of `stats.csv`, by section, in order.
fn rows(scratch: &Scratch, directory: &str) -> BTreeMap<String, Vec<(String, u64)>> {
    let path = scratch.join(directory).join("stats.csv");
    let mut rows = BTreeMap::<String, Vec<(String, u64)>>::new();
    for row in csv::Reader::from_path(path).unwrap().records().map(Result::unwrap) {
        let section = rows.entry(row[0].to_string()).or_default();
        section.push((row[1].to_string(), row[2].parse().unwrap()));
    }
    rows
}

fn done(scratch: &Scratch, args: &[&str]) {
    let ran = run_in(scratch.path(), args, b"");
    assert!(exit_code(&ran) < 2, "{args:?}: {}", errors_of(&ran));
}

/// A number as it is on the page.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap())
        .collect();
    groups.join(",")
}

/// The hover titles of a figure, without entities.
fn titles(html: &str) -> Vec<String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    let titles = document.descendants().filter(|node| node.has_tag_name("title"));
    titles.filter_map(|node| node.text().map(String::from)).collect()
}

/// Each bar has the games of its rows: of a row, of a decade, or of the openings of one name.
fn bars_are_in_the_table(html: &str, rows: &BTreeMap<String, Vec<(String, u64)>>) {
    let count = |section: &str, name: &str| -> u64 {
        let is_of = |value: &str| match section {
            "opening" => value.split(':').next() == Some(name),
            "year" if name.ends_with("0s") => value.len() == 4 && value[..3] == name[..3],
            _ => value == name,
        };
        rows[section].iter().filter(|(value, _)| is_of(value)).map(|(_, games)| games).sum()
    };
    let verdicts: BTreeMap<_, _> = rows["verdict"].iter().cloned().collect();
    let games: u64 = ["accepted", "repaired"].iter().filter_map(|key| verdicts.get(*key)).sum();
    let mut bars = 0;
    for title in titles(html) {
        let Some((value, rest)) =
            title.rsplit_once(": ").filter(|(_, rest)| rest.contains(" games, "))
        else {
            continue;
        };
        let number: u64 = rest.split(' ').next().unwrap().replace(',', "").parse().unwrap();
        let sections = ["result", "player", "year", "rating", "speed", "opening", "length", "has"];
        let is_found = |section: &&str| {
            rows.contains_key(*section) && count(section, value) == number && number > 0
        };
        assert!(sections.iter().any(is_found), "{title}");
        let share = format!("{:.1} %", 100.0 * number as f64 / games as f64);
        assert!(rest.ends_with(&share), "{title}: {share}");
        bars += 1;
    }
    assert!(bars > 30, "{bars}");
    assert_eq!(verdicts.get("repaired"), Some(&60));
}

/// Each row of a table in Markdown has the columns of its header.
fn rows_have_the_columns_of_their_headers(markdown: &str) {
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut header = None;
    for line in markdown.lines() {
        match line.starts_with('|') {
            true => assert_eq!(columns(line), *header.get_or_insert(columns(line)), "{line}"),
            false => header = None,
        }
    }
}

/// How many values a section has is the number of its rows, of which the page shows the first ones.
#[test]
fn values_are_counted_that_are_not_shown() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.join("t")).unwrap();
    for count in [1_u64, 100, 101, 5_000, 5_001] {
        let mut table = String::from("section,value,games\n");
        for number in 0..count {
            table += &format!("player,p{number},{}\n", 2 * count - number);
        }
        table += &format!("verdict,accepted,{count}\n");
        fs::write(scratch.join("t/stats.csv"), table).unwrap();
        let html = page(&scratch, "t");
        let caption = format!("player: the first 100 of {} values", grouped(count));
        assert_eq!(html.contains(&caption), count > 100, "{count}");
        assert_eq!(html.contains("player: the first"), count > 100, "{count}");
        assert!(html.contains(&format!(">p{}<", count.min(100) - 1)), "{count}");
    }
}

#[test]
fn the_tables_of_stats_become_a_page() {
    let scratch = Scratch::new();
    let text = text_of(&here(SAMPLE));
    let mut odd = Vec::new();
    for (index, name) in
        ["<b>&amp;", "a|b", "\\\"q\\\"", "`x`", "\u{fc}\u{1f600}", &"long ".repeat(40)]
            .iter()
            .enumerate()
    {
        odd.extend(
            format!(
                "[White \"{name}\"]\n[Date \"{}.01.01\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n",
                1800 + index * 9
            )
            .bytes(),
        );
    }
    // Repaired games are among those that shares are of.
    odd.extend(b"\n[White \"r\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 *\n\n".repeat(60));
    odd.extend(b"1. Ke3 *\n");
    scratch.write("a.pgn", &[&text[..700_000], b"\n\n", &odd].concat());
    scratch.write("odd.pgn", &odd);
    for archive in ["a.pgn", "odd.pgn"] {
        done(&scratch, &["stats", "-q", "--overwrite", "-o", "t", archive]);
        let (html, rows) = (page(&scratch, "t"), rows(&scratch, "t"));
        // Names of events have addresses, which lead nowhere as text.
        stands_alone(&html.replace("https://", ""));
        if archive == "a.pgn" {
            bars_are_in_the_table(&html, &rows);
        }
        for section in SECTIONS {
            let Some(rows) = rows.get(section.name) else { continue };
            if rows.iter().any(|(value, _)| value != "unknown") {
                for (_, games) in rows.iter().take(100) {
                    assert!(
                        html.contains(&format!(">{}</td>", grouped(*games))),
                        "{} {games}",
                        section.name
                    );
                }
            }
        }
        assert_eq!(html, page(&scratch, "t"), "the same bytes");
        done(&scratch, &["report", "--overwrite", "-o", "p.md", "--figures", "f", "t"]);
        let markdown = fs::read_to_string(scratch.join("p.md")).unwrap();
        assert!(markdown.contains("![Games by result](f/archives-result.svg)"), "{markdown}");
        assert!(!markdown.contains("<b>"), "{markdown}");
        rows_have_the_columns_of_their_headers(&markdown);
        assert!(archive == "a.pgn" || markdown.contains("| a\\|b |"), "{markdown}");
        assert!(archive == "a.pgn" || markdown.contains("| \\`x\\` |"), "{markdown}");
        assert!(archive == "a.pgn" || html.contains(">`x`</th>"), "{html}");
    }
    // A measurement of the same archives in the same directory: one page.
    done(&scratch, &["measure", "-q", "--notations", "main", "-o", "t", "odd.pgn"]);
    let both = page(&scratch, "t");
    stands_alone(&both);
    assert!(both.contains("What is in the archives") && both.contains("What chess notations cost"));
    fs::write(scratch.join("t/stats.csv"), "section,value,games\nnone,a,1\n").unwrap();
    refused(&scratch, &["t"], &["stats.csv", "no section none"]);
    // No game at all.
    scratch.write("none.pgn", b"");
    done(&scratch, &["stats", "-q", "-o", "empty", "none.pgn"]);
    let empty = page(&scratch, "empty");
    assert!(titles(&empty).len() == 1 && empty.contains("0 games: ") && !empty.contains("NaN"));
}
