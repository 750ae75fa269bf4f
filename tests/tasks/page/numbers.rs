//! Which numbers a page may show: those of the tables, and what follows from them, computed again.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use pgnmill_core::tables::Product;

type Row = HashMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row.get(column).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// As the tables would write it: a plain minus, no commas, no sign before zero or more.
fn plain(shown: &str) -> String {
    let text = shown.replace(',', "").replace('−', "-").replace(" %", "").replace('+', "");
    // The mark of few games.
    let text = text.replace("\u{a0}†", "");
    match text.chars().all(|sign| "-0.".contains(sign)) {
        true => text.replace('-', ""),
        false => text,
    }
}

#[derive(Default)]
struct Known(HashSet<String>);

impl Known {
    fn add(&mut self, value: f64, digits: usize) {
        if value.is_finite() {
            self.0.insert(plain(&format!("{value:.digits$}")));
        }
    }

    /// Numbers of one row.
    fn row(&mut self, row: &Row) {
        self.0.extend(row.values().cloned());
        let of = |column| number(row, column);
        for column in ["characters", "bytes", "bytes_before", "bytes_after"] {
            self.add(of(column) / of("plies"), 3);
        }
        self.add(of("bits_per_ply"), 3);
        self.add(of("bits") / of("plies"), 3);
        self.add(of("entropy_bits_per_ply"), 3);
        for column in ["keys", "morse_units", "utf8_bytes", "utf16_bytes", "fixed_width_bits"] {
            self.add(of(column) / of("plies"), 3);
        }
        self.add(of("bits_per_ply_miller_madow"), 3);
        self.add(of("bits_per_ply_held_out"), 3);
        for column in ["draws", "mates", "rated"] {
            self.add(100.0 * of(column) / of("measured"), 1);
        }
        self.add(80.0 * of("plies") / of("characters"), 2);
        self.add(100.0 * of("bytes_after") / of("bytes_before"), 1);
        self.add(100.0 * of("count") / of("of"), 2);
    }

    /// Numbers of the rows of one group: each against the two that are usual.
    fn group(&mut self, rows: &[&Row]) {
        for base in ["san", "economical-letters"] {
            let Some(than) = rows.iter().find(|row| row.get("notation").is_some_and(|n| n == base))
            else {
                continue;
            };
            for row in rows {
                let more = 100.0 * (number(row, "characters") / number(than, "characters") - 1.0);
                // One meaning everywhere: negative where it is shorter.
                for digits in [1, 2] {
                    self.add(more, digits);
                }
            }
        }
    }
}

impl Known {
    /// Numbers of the rows of one vocabulary: each against SAN.
    fn tokens(&mut self, rows: &[&Row]) {
        let san = rows.iter().find(|row| row["notation"] == "san").unwrap();
        for row in rows.iter().filter(|row| row["games"] == san["games"]) {
            self.add(100.0 * (number(row, "tokens") / number(san, "tokens") - 1.0), 1);
        }
    }

    /// Bytes of the texts of each notation: a ply, and against SAN.
    fn bytes(&mut self, rows: &[Row]) {
        let per_ply = |row: &Row| number(row, "utf8_bytes") / number(row, "plies");
        let san = rows.iter().find(|row| row["notation"] == "san").unwrap();
        for row in rows.iter().filter(|row| row["plies"] == san["plies"]) {
            self.add(per_ply(row), 3);
            self.add(100.0 * (per_ply(row) / per_ply(san) - 1.0), 1);
        }
    }
}

/// The standard error of the ratio of two sums over games, from the squares and the product.
fn error_of_ratio(games: f64, [a, b]: [f64; 2], [aa, ab, bb]: [f64; 3]) -> f64 {
    let ratio = a / b;
    let residuals = (aa - 2.0 * ratio * ab + ratio * ratio * bb).max(0.0);
    (games / (games - 1.0) * residuals).sqrt() / b
}

/// The same over groups of games, from the two sums of each.
fn error_of_groups(groups: &[[f64; 2]]) -> f64 {
    let (count, sum) = (groups.len() as f64, |at: usize| groups.iter().map(|g| g[at]).sum::<f64>());
    let ratio = sum(0) / sum(1);
    let residuals: f64 = groups.iter().map(|[a, b]| (a - ratio * b).powi(2)).sum();
    (count / (count - 1.0) * residuals).sqrt() / sum(1)
}

impl Known {
    /// The errors of the rows of a table of them, group by group.
    fn errors(&mut self, rows: &[Row]) {
        for group in grouped(rows, "key") {
            for row in &group {
                let of = |column: &str| number(row, column);
                let (games, own) = (of("games"), of("characters"));
                let squares =
                    [of("characters_squared"), of("characters_times_plies"), of("plies_squared")];
                self.add(error_of_ratio(games, [own, of("plies")], squares), 4);
                for base in ["san", "economical-letters"] {
                    let is_it = |row: &&&Row| row["notation"] == base;
                    let Some(than) = group.iter().find(is_it) else { continue };
                    let product = of(&format!("characters_times_{}", base.replace('-', "_")));
                    let squares =
                        [of("characters_squared"), product, number(than, "characters_squared")];
                    let error = error_of_ratio(games, [own, number(than, "characters")], squares);
                    self.add(100.0 * error, 3);
                    self.add(100.0 * error, 2);
                }
            }
        }
    }

    /// The errors with events and players as clusters; those with games are of the players' formula.
    fn clusters(&mut self, rows: &[Row], errors: &[Row]) {
        for by in grouped(rows, "by") {
            for group in
                grouped(&by.iter().map(|row| (*row).clone()).collect::<Vec<_>>(), "notation")
            {
                let name = &group[0]["notation"];
                let is_san = |row: &&&Row| row["notation"] == "san";
                let pairs = |of: &dyn Fn(&Row) -> f64| -> Vec<[f64; 2]> {
                    group.iter().map(|row| [number(row, "characters"), of(row)]).collect()
                };
                let san = |row: &Row| {
                    let same = |other: &&&Row| other["cluster"] == row["cluster"];
                    number(by.iter().filter(is_san).find(same).unwrap(), "characters")
                };
                let own = errors.iter().find(|row| row["notation"] == *name).unwrap();
                let than = errors.iter().find(|row| row["notation"] == "san").unwrap();
                let of = |row: &Row, column: &str| number(row, column);
                let squares = ["characters_squared", "characters_times_plies", "plies_squared"];
                let sums = [of(own, "characters"), of(own, "plies")];
                let games = of(own, "games");
                let mean = error_of_ratio(games, sums, squares.map(|column| of(own, column)));
                let sums = [of(own, "characters"), of(than, "characters")];
                let squares = [
                    of(own, "characters_squared"),
                    of(own, "characters_times_san"),
                    of(than, "characters_squared"),
                ];
                let change = error_of_ratio(games, sums, squares);
                for (groups, by_game, times, digits) in [
                    (pairs(&|row| number(row, "plies")), mean, 1.0, 4),
                    (pairs(&san), change, 100.0, 3),
                ] {
                    let error = error_of_groups(&groups);
                    self.add(times * error, digits);
                    let players = (4.0 * error * error - by_game * by_game).max(0.0).sqrt();
                    self.add(times * players, digits);
                }
            }
        }
    }

    /// The distribution over games: quantiles are middles of steps; and the means.
    fn changes(&mut self, rows: &[Row]) {
        let middle = |row: &Row| (number(row, "length_per_mille") + 2.5) / 10.0 - 100.0;
        rows.iter().for_each(|row| self.add(middle(row), 1));
        let clone = |rows: Vec<&Row>| rows.into_iter().cloned().collect::<Vec<_>>();
        for span in grouped(rows, "span").into_iter().map(clone) {
            for against in grouped(&span, "against").into_iter().map(clone) {
                for group in grouped(&against, "notation") {
                    let games: f64 = group.iter().map(|row| number(row, "games")).sum();
                    let sum: f64 = group.iter().map(|row| number(row, "games") * middle(row)).sum();
                    self.add(games, 0);
                    for digits in [1, 2] {
                        self.add(sum / games, digits);
                    }
                    // Those that save 20 per cent; and what the source's example saves.
                    for least in [80.0_f64, 93.0 / 1.04, 84.0 / 1.04] {
                        let shorter = group
                            .iter()
                            .filter(|row| number(row, "length_per_mille") < (10.0 * least).round());
                        let shorter: f64 = shorter.map(|row| number(row, "games")).sum();
                        self.add(100.0 * shorter / games, 1);
                    }
                }
            }
        }
    }
}

impl Known {
    /// Errors by event of each group's change.
    fn errors_by_event(&mut self, rows: &[Row]) {
        let mut groups: HashMap<[&str; 2], Vec<[f64; 2]>> = HashMap::new();
        for row in rows {
            let pair = ["characters_economical_priority", "characters_san"];
            let group = ["dimension", "key"].map(|column| row[column].as_str());
            groups.entry(group).or_default().push(pair.map(|column| number(row, column)));
        }
        groups.values().for_each(|pairs| self.add(100.0 * error_of_groups(pairs), 2));
    }

    /// Errors by game of each group's change, times what the error by event is of all games.
    fn errors_as_by_event(&mut self, tables: &Path, rows: &[Row]) {
        let read = |name: &str| self::rows(&tables.join(name));
        let Some(times) = times_by_event(&read("clusters.csv"), &read("se.csv")) else { return };
        for group in grouped(rows, "key") {
            self.add(times * change_error(&group, "economical-priority"), 2);
        }
    }

    /// The shares of archives, and the totals without one of them.
    fn without_sources(&mut self, tables: &Path, rows: &[Row]) {
        let of = |name: &str, row: &Row| number(row, name);
        let totals = self::rows(&tables.join("notations.csv"));
        let errors = ["se.csv", "se_source.csv"].map(|name| tables.join(name));
        let errors = errors.map(|path| if path.exists() { self::rows(&path) } else { Vec::new() });
        let all_plies: f64 =
            rows.iter().filter(|row| row["notation"] == "san").map(|row| of("plies", row)).sum();
        for group in grouped(rows, "key") {
            let rest = |name: &str| -> Option<Row> {
                let is_it = |row: &&Row| row["notation"] == name;
                let own = group.iter().copied().find(is_it)?;
                Some(difference(totals.iter().find(is_it)?, own))
            };
            let rests: Vec<Row> = COMPARED.iter().filter_map(|name| rest(name)).collect();
            rests.iter().for_each(|row| self.row(row));
            self.group(&rests.iter().collect::<Vec<_>>());
            let plies = group.iter().map(|row| of("plies", row)).fold(0.0, f64::max);
            self.add(100.0 * plies / all_plies, 1);
            let is_own = |row: &&Row| row["key"] == group[0]["key"];
            let rests = errors[1].iter().filter(is_own).filter_map(|own| {
                let is_it = |row: &&Row| row["notation"] == own["notation"];
                errors[0].iter().find(is_it).map(|whole| difference(whole, own))
            });
            let rests: Vec<Row> = rests.collect();
            if !rests.is_empty() {
                let rests: Vec<&Row> = rests.iter().collect();
                self.add(change_error(&rests, "economical-priority"), 3);
            }
        }
    }

    /// The means of a product with phase and length, over the cells of 500 games and more.
    fn standardised(&mut self, rows: &[Row], dimension: &str) {
        let cell = |row: &Row| (row["phase"].clone(), row["length"].clone());
        let of = |notation: &str| -> Vec<&Row> {
            rows.iter().filter(|row| row["notation"] == notation).collect()
        };
        let whole = |notation: &str, at: &Row, column: &str| -> f64 {
            let there = of(notation).into_iter().filter(|row| cell(row) == cell(at));
            there.map(|row| number(row, column)).sum()
        };
        let all: f64 = of("san").iter().map(|row| number(row, "plies")).sum();
        for group in grouped(rows, dimension) {
            let cells = |notation: &str| -> Vec<&Row> {
                let own = group.iter().copied().filter(|row| row["notation"] == notation);
                own.filter(|row| number(row, "games") >= 500.0).collect()
            };
            let share = |row: &&Row| whole("san", row, "plies") / all;
            let covered: f64 = cells("san").iter().map(share).sum();
            self.add(100.0 * covered, 2);
            let mean = |notation: &str| -> f64 {
                let of_cell =
                    |row: &&Row| share(row) * number(row, "characters") / number(row, "plies");
                cells(notation).iter().map(of_cell).sum::<f64>() / covered
            };
            let [san, own] = ["san", "economical-priority"].map(mean);
            self.add(san, 3);
            self.add(own, 3);
            self.add(100.0 * (own / san - 1.0), 2);
            let [san, own] = ["san", "economical-priority"].map(|notation| -> f64 {
                cells("san").iter().map(|row| whole(notation, row, "characters")).sum()
            });
            self.add(100.0 * (own / san - 1.0), 2);
        }
    }
}

/// The notations that the figures compare.
const COMPARED: [&str; 4] =
    ["san", "economical-letters", "economical-squares", "economical-priority"];

/// A row less another one, in the columns that are counts.
fn difference(whole: &Row, part: &Row) -> Row {
    let counts = whole.iter().filter_map(|(column, text)| {
        let (whole, part): (i128, i128) = (text.parse().ok()?, part.get(column)?.parse().ok()?);
        Some((column.clone(), (whole - part).to_string()))
    });
    let names = ["notation"].map(|column| (column.to_string(), whole[column].clone()));
    counts.chain(names).collect()
}

/// The standard error by game of the change of a notation against SAN, in points, from the rows of a group.
fn change_error(group: &[&Row], notation: &str) -> f64 {
    let find = |name: &str| group.iter().find(|row| row["notation"] == name);
    let Some((own, san)) = find(notation).zip(find("san")) else { return f64::NAN };
    let sums = [number(own, "characters"), number(san, "characters")];
    let squares = [
        number(own, "characters_squared"),
        number(own, "characters_times_san"),
        number(san, "characters_squared"),
    ];
    100.0 * error_of_ratio(number(own, "games"), sums, squares)
}

/// How many times the error by game that by event is, of the change of the shortest notation of all games.
fn times_by_event(clusters: &[Row], errors: &[Row]) -> Option<f64> {
    let of = |name: &str| {
        let is_it = |row: &&Row| row["by"] == "event" && row["notation"] == name;
        let rows = clusters.iter().filter(is_it);
        rows.map(|row| (row["cluster"].clone(), number(row, "characters")))
            .collect::<HashMap<_, _>>()
    };
    let (own, san) = (of("economical-priority"), of("san"));
    let pairs: Vec<[f64; 2]> = own.iter().map(|(cluster, own)| [*own, san[cluster]]).collect();
    let by_event = 100.0 * error_of_groups(&pairs);
    let by_game = change_error(&errors.iter().collect::<Vec<_>>(), "economical-priority");
    let times = by_event / by_game;
    (pairs.len() > 1 && times.is_finite()).then_some(times)
}

/// Rows by the value of a column.
fn grouped<'a>(rows: &'a [Row], column: &str) -> Vec<Vec<&'a Row>> {
    let mut groups: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in rows {
        groups.entry(row.get(column).map_or("", String::as_str)).or_default().push(row);
    }
    groups.into_values().collect()
}

fn known(tables: &Path) -> Known {
    let mut known = Known::default();
    for entry in fs::read_dir(tables).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".csv") {
            // The journal of the run.
            continue;
        }
        let rows = rows(&path);
        rows.iter().for_each(|row| known.row(row));
        let key = if name == "by_ply.csv" && !rows[0].contains_key("key") { "ply" } else { "key" };
        grouped(&rows, key).iter().for_each(|group| known.group(group));
        if let Some(product) = Product::from_file(&name) {
            let keys = |row: &Row| {
                let keys = product.dimensions().map(|it| row[it.column_name()].clone());
                keys.collect::<Vec<String>>()
            };
            let mut groups: HashMap<_, Vec<&Row>> = HashMap::new();
            rows.iter().for_each(|row| groups.entry(keys(row)).or_default().push(row));
            groups.values().for_each(|group| known.group(group));
            if let Some(dimension) = product.standardised() {
                known.standardised(&rows, dimension.column_name());
            }
        }
        for (table, column) in [("lengths.csv", "notation"), ("disambiguation.csv", "role")] {
            for group in grouped(&rows, column).iter().filter(|_| name == table) {
                let all: f64 = group.iter().map(|row| number(row, "plies")).sum();
                group.iter().for_each(|row| known.add(100.0 * number(row, "plies") / all, 2));
            }
        }
        if name == "bpe_tokens.csv" {
            grouped(&rows, "vocabulary").iter().for_each(|group| known.tokens(group));
        }
        if name == "writing.csv" {
            known.bytes(&rows);
        }
        if name == "se.csv" || name.starts_with("se_") {
            known.errors(&rows);
        }
        if name.starts_with("se_") && tables.join("clusters.csv").exists() {
            known.errors_as_by_event(tables, &rows);
        }
        match name.as_str() {
            "by_source.csv" => known.without_sources(tables, &rows),
            "archives.csv" => {
                let measured = |row: &Row| number(row, "measured");
                let all: f64 = rows.iter().map(measured).sum();
                rows.iter().for_each(|row| known.add(100.0 * measured(row) / all, 1));
            }
            "changes.csv" => known.changes(&rows),
            "clusters.csv" => known.clusters(&rows, &self::rows(&tables.join("se.csv"))),
            "clusters_by.csv" => known.errors_by_event(&rows),
            _ => {}
        }
        if name == "disambiguation.csv" {
            let sum = |of: &dyn Fn(&&Row) -> bool| {
                rows.iter().filter(of).map(|row| number(row, "plies")).sum::<f64>()
            };
            known.add(sum(&|_| true), 0);
            known.add(sum(&|row| row["said"] == "square"), 0);
        }
        if name == "by_ply.csv" {
            for early in [true, false] {
                spans(&mut known, &rows, key, early);
            }
        }
    }
    known
}

/// The first twenty moves, or those after them.
fn spans(known: &mut Known, rows: &[Row], key: &str, early: bool) {
    let within: Vec<Row> =
        rows.iter().filter(|row| (number(row, key) <= 40.0) == early).cloned().collect();
    let sums: Vec<Row> = grouped(&within, "notation")
        .iter()
        .map(|rows| {
            let sum: f64 = rows.iter().map(|row| number(row, "characters")).sum();
            known.add(sum, 0);
            [("notation", rows[0]["notation"].clone()), ("characters", sum.to_string())]
                .map(|(column, text)| (column.to_string(), text))
                .into()
        })
        .collect();
    known.group(&sums.iter().collect::<Vec<_>>());
}

/// Numbers written as words.
fn in_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|sign: char| sign.is_whitespace() || ";:()".contains(sign));
    let words = words.map(|word| plain(word.trim_end_matches([',', '.'])));
    words.filter(|word| word.parse::<f64>().is_ok())
}

/// Every number in the tables of the page, in the claims and in its figures is known.
pub(crate) fn are_in_the_tables(html: &str, tables: &Path) {
    let known = known(tables);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    let text = |node: roxmltree::Node<'_, '_>| {
        let texts = node.descendants().filter(roxmltree::Node::is_text);
        texts.filter_map(|node| node.text().map(String::from)).collect::<String>()
    };
    let is = |node: &roxmltree::Node<'_, '_>, name| node.tag_name().name() == name;
    let mut seen = 0;
    let mut check = |shown: String, place: &str| {
        seen += 1;
        assert!(known.0.contains(&shown), "{shown} in {place} is in no table");
    };
    for row in document.descendants().filter(|node| is(node, "tr")) {
        let place = text(row);
        let cells = row.children().filter(roxmltree::Node::is_element);
        let is_number = |cell: &roxmltree::Node<'_, '_>| {
            is(cell, "td") && cell.attribute("class") == Some("number")
        };
        for shown in cells.filter(is_number).map(|cell| plain(&text(cell))) {
            if !shown.is_empty() {
                check(shown, &place);
            }
        }
    }
    let claims = document.descendants().filter(|node| is(node, "caption"));
    let claims =
        claims.filter(|caption| text(*caption).starts_with("Claims")).filter_map(|c| c.parent());
    for row in claims.flat_map(|table| table.descendants().collect::<Vec<_>>()) {
        let cells: Vec<_> = row.children().filter(|cell| is(cell, "td")).collect();
        // Claim, notation, claimed, measured, counted, difference; the first is a heading.
        for cell in cells.iter().skip(2).take(2) {
            in_words(&text(*cell)).for_each(|shown| check(shown, &text(row)));
        }
    }
    for title in document.descendants().filter(|node| is(node, "title")) {
        let place = text(title);
        in_words(&place).filter(|word| word.contains('.')).for_each(|shown| check(shown, &place));
    }
    assert!(seen > 500, "only {seen} numbers were seen");
}
