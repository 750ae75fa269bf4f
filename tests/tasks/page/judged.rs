//! What keeps a reader from concluding too much: marks of small groups, totals without an archive, errors by event,
//! intervals, ratings within archives, and figures that are read without colours.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{Scratch, here, run_in, text_of};
use pgnmill_core::tables;
use pgnmill_io::archive::games::Games;

use super::{measured, study};

/// The page as Markdown, with its tables of up to 40 rows.
fn markdown(scratch: &Scratch, tables: &str) -> String {
    let args = ["report", "--study", "--overwrite", "-o", "page.md", tables];
    let done = run_in(scratch.path(), &args, b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    fs::read_to_string(scratch.join("page.md")).unwrap()
}

/// The text from a caption to the next heading.
fn after<'p>(page: &'p str, caption: &str) -> &'p str {
    let (_, rest) = page.split_once(caption).unwrap_or_else(|| panic!("no {caption}"));
    rest.split("\n## ").next().unwrap()
}

/// The rows of the table with a caption, without the head.
fn table(page: &str, caption: &str) -> Vec<Vec<String>> {
    let rows = after(page, &format!("\n{caption}:\n")).lines().skip_while(|line| line.is_empty());
    let cells = |line: &str| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    rows.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

fn number(shown: &str) -> f64 {
    let plain = shown.replace([',', '%', '†', '+'], "").replace('−', "-");
    plain.trim().parse().unwrap_or_else(|_| panic!("{shown} is no number"))
}

/// A row of a table of the measurement.
fn column(scratch: &Scratch, path: &str, notation: &str, column: &str) -> f64 {
    let mut table = csv::Reader::from_path(scratch.join(path)).unwrap();
    let mut rows = table.deserialize::<std::collections::HashMap<String, String>>();
    let row = rows.find(|row| row.as_ref().unwrap()["notation"] == notation).unwrap().unwrap();
    row[column].parse().unwrap()
}

/// Three archives of some games each.
fn archives(scratch: &Scratch) {
    let games = |path: &str, skipped: usize, count: usize| -> Vec<u8> {
        let text = text_of(&here(path));
        let games = Games::new(&text[..]).skip(skipped).step_by(9).take(count);
        games.flat_map(|(_, game)| game.to_vec()).collect()
    };
    scratch.write("a.pgn", &games("data/masters.pgn.zst", 0, 120));
    scratch.write("b.pgn", &games("data/lichess.pgn.zst", 0, 40));
    scratch.write("c.pgn", &games("data/masters.pgn.zst", 4, 30));
}

/// The row without an archive is what the others come to if they are measured alone; its share is the rest.
#[test]
fn totals_without_an_archive_are_those_of_the_others() {
    let scratch = Scratch::new();
    archives(&scratch);
    let measure = |to: &str, files: &[&str]| {
        let words = ["measure", "-q", "--by=source", "--cluster=game", "--notations=main", "-o"];
        let done = run_in(scratch.path(), &[&words, &[to][..], files].concat(), b"");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let all = ["a.pgn", "b.pgn", "c.pgn"];
    measure("t", &all);
    let page = markdown(&scratch, "t");
    let rows = table(&page, "All archives, and all but one");
    assert_eq!(rows.len(), 4);
    let plies = |tables: &str| column(&scratch, &format!("{tables}/notations.csv"), "san", "plies");
    let mut lead = String::new();
    for (row, left_out) in rows.iter().zip([None, Some(0), Some(1), Some(2)]) {
        let others: Vec<&str> = all
            .into_iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) != left_out)
            .map(|it| it.1)
            .collect();
        let tables =
            format!("without{}", left_out.map_or("-none".to_string(), |at| at.to_string()));
        measure(&tables, &others);
        assert_eq!(row[0], left_out.map_or("none", |at| all[at]));
        assert_eq!(number(&row[3]), plies(&tables), "{row:?}");
        let names = ["san", "economical-letters", "economical-squares", "economical-priority"];
        for (cell, name) in row[4..8].iter().zip(names) {
            let path = format!("{tables}/notations.csv");
            let mean = column(&scratch, &path, name, "characters") / plies(&tables);
            assert_eq!(*cell, format!("{mean:.3}"), "{row:?}");
        }
        let of = |name: &str| column(&scratch, &format!("{tables}/se.csv"), names[3], name);
        assert!((number(&row[8]) - of("change_percent_vs_san")).abs() < 0.0051, "{row:?}");
        assert!((number(&row[9]) - of("change_vs_san_se")).abs() < 0.00051, "{row:?}");
        if left_out.is_some() {
            let share = 100.0 * (1.0 - plies(&tables) / plies("t"));
            assert_eq!(row[1], format!("{share:.1}"));
            if share > 50.0 {
                lead = format!("({} has {share:.1} % of the plies)", row[0]);
                let beside = format!("Of the plies {share:.1} % are of the archive {}.", row[0]);
                assert!(after(&page, "## What a move costs").contains(&beside), "{beside}");
            }
        }
    }
    assert!(page.split("\n## ").next().unwrap().contains(&lead) && !lead.is_empty(), "{lead}");
    // Shares of the games, too.
    let shares = table(&page, "What was measured");
    assert!((shares.iter().map(|row| number(&row[5])).sum::<f64>() - 100.0).abs() < 0.2);
    assert!((shares.iter().map(|row| number(&row[6])).sum::<f64>() - 100.0).abs() < 0.2);
}

/// What the page says of errors is what their table has, and so are the intervals.
#[test]
fn rates_of_errors_have_their_intervals() {
    let scratch = Scratch::new();
    archives(&scratch);
    let words = ["measure", "-q", "--errors", "--notations=main", "-o", "t", "a.pgn", "b.pgn"];
    let done = run_in(scratch.path(), &words, b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let page = markdown(&scratch, "t");
    let mut known = csv::Reader::from_path(scratch.join("t/errors.csv")).unwrap();
    let known = known.deserialize::<std::collections::HashMap<String, String>>();
    let shown = table(&page, "What errors do");
    let count = |text: &str| text.parse::<f64>().unwrap();
    let mut rows_count = 0;
    for (row, known) in shown.iter().zip(known) {
        let known = known.unwrap();
        let ends = |name: &str| {
            format!("{} to {}", known[&format!("{name}_ci_low")], known[&format!("{name}_ci_high")])
        };
        assert_eq!(row[..2], [&*known["notation"], &*known["kind"]]);
        let share = |name: &str| 100.0 * count(&known[name]) / count(&known["errors"]);
        let is_share = |shown: &str, name: &str| (number(shown) - share(name)).abs() < 0.006;
        assert!(is_share(&row[3], "refused_at_once"), "{row:?}");
        assert_eq!(row[4], ends("refused_at_once"), "{row:?}");
        assert!(is_share(&row[6], "never"), "{row:?}");
        assert_eq!(row[7], ends("never"), "{row:?}");
        rows_count += 1;
    }
    assert_eq!((rows_count, shown.len()), (32, 32));
}

/// Where there are many archives, the largest alone is left out, and nothing points at a table of all.
#[test]
fn of_many_archives_the_largest_is_left_out() {
    let scratch = Scratch::new();
    let directory = scratch.join("t");
    fs::create_dir(&directory).unwrap();
    for (count, has_table) in [(19, true), (20, false)] {
        let mut notations = "notation,games,plies,characters,bytes\n".to_string();
        let mut sources = "key,notation,games,plies,characters,bytes\n".to_string();
        let mut archives = tables::archives::SCHEMA.header().join(",") + "\n";
        for (name, large, small) in [("san", 30_000, 300), ("economical-priority", 24_000, 180)] {
            let all = large + count * small;
            let plies = 10_000 + 100 * count;
            let _ = writeln!(notations, "{name},5000,{plies},{all},{all}");
            let _ = writeln!(sources, "large.pgn,{name},600,10000,{large},{large}");
            for number in 1..=count {
                let _ = writeln!(sources, "{number:02}.pgn,{name},10,100,{small},{small}");
            }
        }
        for number in 1..=count {
            let _ = writeln!(archives, "{number:02}.pgn,9,10,0,10,1,1,1,20200101,20200101,,,");
        }
        archives += "large.pgn,9,600,0,600,1,1,1,20200101,20200101,,,\n";
        let put = |name: &str, text: &str| fs::write(directory.join(name), text).unwrap();
        put("summary.csv", "key,value\nschema_version,3\n");
        put("notations.csv", &notations);
        put("by_source.csv", &sources);
        put("archives.csv", &archives);
        let page = markdown(&scratch, "t");
        let text =
            "Without it `economical-priority` has 1.800 characters a ply, −40.0 % against SAN";
        assert!(page.contains(text), "{page}");
        assert_eq!(page.contains("All archives, and all but one:"), has_table, "{count}");
        assert_eq!(page.contains("“The archives” has the same"), has_table, "{count}");
    }
}

/// Of Student's distribution, by its density: the quantile of 97.5 %.
fn quantile(degrees: f64) -> f64 {
    // As the page takes them: tabulated for whole numbers up to 30.
    let degrees = if degrees < 31.0 { degrees.floor() } else { degrees };
    let integral = |to: f64| -> f64 {
        let part = to.atan() / 4_000.0;
        let at = |angle: f64| {
            (1.0 + angle.tan().powi(2) / degrees).powf(-(degrees + 1.0) / 2.0) / angle.cos().powi(2)
        };
        (0..4_000).map(|step| part * at(part * (f64::from(step) + 0.5))).sum()
    };
    let whole = integral(1e12);
    let (mut low, mut high) = (1.0, 20.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        let is_below = integral(middle) / whole < 0.95;
        (low, high) = if is_below { (middle, high) } else { (low, middle) };
    }
    low
}

/// An interval is the widest of the three, by Student's t, and is beside the result; errors of groups have those by
/// event beside them, or what they would be if events were as for all games.
#[test]
fn intervals_and_errors_are_those_by_event_too() {
    let scratch = Scratch::new();
    archives(&scratch);
    let words = ["measure", "-q", "--by=source,speed", "--notations=main", "-o", "t"];
    let files = ["--cluster=game,event,player", "a.pgn", "b.pgn", "c.pgn"];
    let done = run_in(scratch.path(), &[&words[..], &files].concat(), b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let page = markdown(&scratch, "t");
    let mut clusters = csv::Reader::from_path(scratch.join("t/clusters.csv")).unwrap();
    let rows: Vec<std::collections::HashMap<String, String>> =
        clusters.deserialize().map(Result::unwrap).collect();
    let worth = |by: &str| {
        let rows = rows.iter().filter(|row| row["by"] == by && row["notation"] == "san");
        let plies: Vec<f64> = rows.map(|row| row["plies"].parse().unwrap()).collect();
        plies.iter().sum::<f64>().powi(2) / plies.iter().map(|plies| plies * plies).sum::<f64>()
    };
    let games = column(&scratch, "t/se.csv", "san", "games");
    let t = [games, worth("event"), worth("player")].map(|clusters| quantile(clusters - 1.0));
    assert!(t[1] > 1.97 && t[0] < t[1], "{t:?}");
    for row in table(&page, "Means and changes, with their standard errors") {
        for (at, digits, half_unit) in [(1, 3, 5e-5), (6, 2, 5e-4)] {
            let errors = [2, 3, 4].map(|more| number(&row[at + more - 1]));
            let half = errors.iter().zip(t).map(|(error, t)| error * t).fold(0.0, f64::max);
            let (low, high) = row[at + 4].split_once(" to ").unwrap();
            // The errors that are shown are rounded, and so are the ends.
            let off = 2.0 * t[1] * half_unit + 10f64.powi(-digits);
            for (end, expected) in [(low, number(&row[at]) - half), (high, number(&row[at]) + half)]
            {
                assert!((number(end) - expected).abs() <= off, "{row:?}: {end}, not {expected}");
            }
        }
    }
    let errors = table(&page, "Means and changes, with their standard errors");
    let own = errors.iter().find(|row| row[0] == "economical-priority").unwrap();
    let times = number(&own[8]) / number(&own[7]);
    let (_, shown) = page.split_once("beside the same times ").unwrap();
    let shown: f64 = shown.split_once(',').unwrap().0.parse().unwrap();
    assert!((shown / times - 1.0).abs() < 0.1, "{shown} {times}");
    let shortest = errors.iter().min_by(|a, b| number(&a[1]).total_cmp(&number(&b[1]))).unwrap();
    let (low, high) = shortest[10].split_once(" to ").unwrap();
    let ends = [high, low].map(|end| format!("{:.2}", -number(end)));
    let words = format!(", with an interval of 95 % from {} to {} %", ends[0], ends[1]);
    assert!(page.contains(&words), "{words}");
    let caption = "Characters a ply, by archive";
    assert!(after(&page, caption).contains(&format!("| times {shown:.1}, as by event |")));
    for row in table(&page, caption) {
        let [.., by_game, by_event] = &row[..] else { unreachable!() };
        if !by_game.is_empty() {
            let (by_game, by_event) = (number(by_game), number(by_event));
            assert!((by_event - shown * by_game).abs() < 0.01 + 0.06 * by_event, "{row:?}");
        }
    }
    let mut within = csv::Reader::from_path(scratch.join("t/clusters_by.csv")).unwrap();
    let within: Vec<std::collections::HashMap<String, String>> =
        within.deserialize().map(Result::unwrap).collect();
    let caption = "Characters a ply, by speed";
    assert!(after(&page, caption).contains("| error by game, points | by event |"));
    let mut compared_count = 0;
    for row in table(&page, caption) {
        let of = |column: &str| -> Vec<f64> {
            let is_it = |it: &&std::collections::HashMap<String, String>| {
                row[0].starts_with(&it["key"]) && it["dimension"] == "speed"
            };
            within.iter().filter(is_it).map(|it| it[column].parse().unwrap()).collect()
        };
        let (own, san) = (of("characters_economical_priority"), of("characters_san"));
        let [c, s] = [&own, &san].map(|sums| sums.iter().sum::<f64>());
        let squares = own.iter().zip(&san).map(|(own, san)| (own - c / s * san).powi(2));
        let m = own.len() as f64;
        let expected = 100.0 * (m / (m - 1.0) * squares.sum::<f64>()).sqrt() / s;
        if m > 1.0 {
            let shown = number(row.last().unwrap());
            assert!((shown - expected).abs() < 0.0051, "{row:?}: {expected}");
            compared_count += 1;
        }
    }
    assert!(compared_count > 1, "{compared_count}");
}

/// Plies and the characters in SAN and in the shortest notation.
type Cell = (&'static str, &'static str, &'static str, u64, [u64; 3]);

/// Two archives, one with a phase and length of few games, whose texts are of `odd` characters.
fn cells(odd: u64) -> [Cell; 7] {
    [
        ("large", "opening", "0-40", 900, [10_000, 30_000, 24_000]),
        ("large", "endgame", "0-40", 500, [20_000, 66_000, 44_000]),
        ("large", "endgame", "41-80", 700, [10_000, 33_000, 21_000]),
        ("small", "opening", "0-40", 800, [8_000, 24_800, 18_400]),
        ("small", "endgame", "0-40", 499, [1_000, odd, odd / 2]),
        ("small", "endgame", "41-80", 600, [3_000, 9_900, 6_600]),
        ("tiny", "opening", "0-40", 7, [100, 300, 200]),
    ]
}

/// Writes these archives as a measurement with products of dimensions.
fn write_products(scratch: &Scratch, tables: &str, odd: u64) {
    let cells = cells(odd);
    let directory = scratch.join(tables);
    fs::create_dir_all(&directory).unwrap();
    let put = |name: &str, text: String| fs::write(directory.join(name), text).unwrap();
    put("summary.csv", "key,value\nschema_version,3\n".to_string());
    let names = ["san", "economical-priority"];
    let sum = |of: &dyn Fn(&Cell) -> bool, at: usize| -> u64 {
        cells.iter().filter(|cell| of(cell)).map(|cell| cell.4[at]).sum()
    };
    let mut notations = "notation,games,plies,characters,bytes\n".to_string();
    let mut product = "source,phase,length,notation,games,plies,characters,bytes\n".to_string();
    let mut standardised = "key,notation,plies,share_percent,characters_per_ply,standardised_characters_per_ply,\
        change_percent_vs_san,standardised_change_percent_vs_san,change_percent_vs_economical_letters,\
        standardised_change_percent_vs_economical_letters\n"
        .to_string();
    for (place, name) in (1..).zip(names) {
        let (plies, characters) = (sum(&|_| true, 0), sum(&|_| true, place));
        let _ = writeln!(notations, "{name},9000,{plies},{characters},{characters}");
    }
    for (source, phase, length, games, counts) in &cells {
        for (place, name) in (1..).zip(names) {
            let (plies, characters) = (counts[0], counts[place]);
            let _ = writeln!(
                product,
                "{source},{phase},{length},{name},{games},{plies},{characters},{characters}"
            );
        }
    }
    for source in ["large", "small", "tiny"] {
        let of = |at: usize| sum(&|cell: &Cell| cell.0 == source, at) as f64;
        for (place, name) in (1..).zip(names) {
            let (mean, change) = (of(place) / of(0), 100.0 * (of(place) / of(1) - 1.0));
            let _ =
                writeln!(standardised, "{source},{name},{},9,{mean:.3},9,{change:.2},9,,", of(0));
        }
    }
    put("notations.csv", notations);
    put("cross_source_by_phase_by_length.csv", product);
    put("standardised_source.csv", standardised);
}

/// Cells of few games have no part in standardised means, and are marked.
#[test]
fn standardised_groups_are_without_cells_of_few_games() {
    let scratch = Scratch::new();
    write_products(&scratch, "t", 5_000);
    let page = markdown(&scratch, "t");
    let caption = "With the phases and lengths of all plies, by archive";
    let rows = table(&page, caption);
    // All plies: 18,100 and 21,000 and 13,000. Of the small archive the first and the last: 31,100 of 52,100.
    let means = [24_800.0 / 8_000.0, 18_400.0 / 8_000.0, 3.3, 2.2];
    let weighted = |first: f64, last: f64| (18_100.0 * first + 13_000.0 * last) / 31_100.0;
    let (san, own) = (weighted(means[0], means[2]), weighted(means[1], means[3]));
    let of_all = (24_000.0 + 18_400.0 + 200.0 + 21_000.0 + 6_600.0)
        / (30_000.0 + 24_800.0 + 300.0 + 33_000.0 + 9_900.0);
    let small = rows.iter().find(|row| row[0] == "small").unwrap();
    let change = |above: f64, below: f64| format!("−{:.2} %", 100.0 * (1.0 - above / below));
    let expected = [
        (2, format!("{:.2}", 100.0 * 31_100.0 / 52_100.0)),
        (4, format!("{san:.3}")),
        (6, format!("{own:.3}")),
        (8, change(own, san)),
        (9, change(of_all, 1.0)),
    ];
    for (at, text) in expected {
        assert_eq!(small[at], text, "{small:?}");
    }
    // A group without a cell of enough games has no standardised mean.
    let tiny = rows.iter().find(|row| row[0] == "tiny").unwrap();
    assert!(
        [2, 4, 6, 8, 9].iter().all(|&at| tiny[at].is_empty()) && !tiny[3].is_empty(),
        "{tiny:?}"
    );
    // Whatever the texts of a few games are, the standardised means are the same.
    write_products(&scratch, "other", 2_000);
    let other = markdown(&scratch, "other");
    let other = table(&other, caption);
    let other = other.iter().find(|row| row[0] == "small").unwrap();
    assert_ne!(other[3], small[3]);
    assert!([2, 4, 6, 8].iter().all(|&at| other[at] == small[at]), "{other:?} {small:?}");
    // Marks: the cells of few games alone, and what they mean once a table.
    let caption = "Characters a ply, by archive, phase and length";
    for row in table(&page, caption) {
        assert_eq!(row[0].ends_with("\u{a0}†"), number(&row[3]) < 500.0, "{row:?}");
    }
    assert_eq!(after(&page, caption).matches("\n†: fewer than 500 games").count(), 1);
    let sides = "`economical-priority` against `san`, by archive, phase and length";
    let marked = table(&page, sides).concat().iter().filter(|cell| cell.contains('†')).count();
    assert_eq!(marked, 2);
}

/// In the tables of groups those of few games are marked, in both formats, and what the mark means is below them.
#[test]
fn groups_of_few_games_are_marked() {
    let scratch = Scratch::new();
    study::write(&scratch.join("t"));
    let path = scratch.join("t/by_speed.csv");
    let text = fs::read_to_string(&path).unwrap();
    let few = |line: &str| match line.starts_with("rapid,") {
        true => line.replace(",12345,", ",499,") + "\n",
        false => line.replace(",12345,", ",500,") + "\n",
    };
    fs::write(&path, text.lines().map(few).collect::<String>()).unwrap();
    let page = markdown(&scratch, "t");
    let marked: Vec<String> = table(&page, "Characters a ply, by speed")
        .into_iter()
        .map(|row| row[0].clone())
        .filter(|name| name.contains('†'))
        .collect();
    assert_eq!(marked, ["rapid\u{a0}†"]);
    assert_eq!(page.matches("\n†: fewer than 500 games").count(), 1);
    assert!(after(&page, "Characters a ply, by speed").contains("\n\n†: fewer than 500 games"));
    let html = super::page(&scratch, "t");
    super::stands_alone(&html);
    assert!(html.contains("<th scope=\"row\">rapid\u{a0}†</th>"));
    assert_eq!(html.matches("<p class=\"below\">†: fewer than 500 games").count(), 1);
}

/// The bands of ratings of all, and of two archives.
const BANDS: [(&str, &str, u64, [u64; 3]); 6] = [
    ("low.pgn", "800-999", 900, [9_000, 27_000, 18_900]),
    ("low.pgn", "1200-1399", 600, [6_000, 18_600, 13_392]),
    ("low.pgn", "2400-2599", 499, [1_000, 3_000, 900]),
    ("high.pgn", "1200-1399", 501, [5_000, 15_000, 11_250]),
    ("high.pgn", "2400-2599", 800, [8_000, 24_000, 17_280]),
    ("high.pgn", "unknown", 800, [8_000, 24_000, 12_000]),
];

/// The page states what rating and archive have to do with each other, by the bands of enough games.
#[test]
fn ratings_are_compared_within_archives() {
    let scratch = Scratch::new();
    let directory = scratch.join("t");
    fs::create_dir(&directory).unwrap();
    let names = ["san", "economical-priority"];
    let put = |name: &str, text: String| fs::write(directory.join(name), text).unwrap();
    put("summary.csv", "key,value\nschema_version,3\n".to_string());
    let mut product = "source,rating,notation,games,plies,characters,bytes\n".to_string();
    let mut ratings = "key,notation,games,plies,characters,bytes\n".to_string();
    let mut notations = "notation,games,plies,characters,bytes\n".to_string();
    for (place, name) in (1..).zip(names) {
        let sum = |rating: &str, at: usize| -> u64 {
            BANDS.iter().filter(|it| rating.is_empty() || it.1 == rating).map(|it| it.3[at]).sum()
        };
        for (source, rating, games, counts) in BANDS {
            let (plies, characters) = (counts[0], counts[place]);
            let _ = writeln!(
                product,
                "{source},{rating},{name},{games},{plies},{characters},{characters}"
            );
        }
        for rating in ["800-999", "1200-1399", "2400-2599", "unknown"] {
            let characters = sum(rating, place);
            let _ = writeln!(
                ratings,
                "{rating},{name},900,{},{characters},{characters}",
                sum(rating, 0)
            );
        }
        let characters = sum("", place);
        let _ = writeln!(notations, "{name},5000,{},{characters},{characters}", sum("", 0));
    }
    put("by_rating.csv", ratings);
    put("notations.csv", notations);
    let page = markdown(&scratch, "t");
    // −30 per cent of the first, and −32.7 of both archives in the last: (900 + 17,280) / 27,000.
    let of_all = "Against SAN, `economical-priority` changes from −30.0 % at 800-999 to −32.7 % at 2400-2599.";
    assert!(page.contains(of_all), "{page}");
    assert!(page.contains("`pgnmill measure --by source*rating` does so."));
    let args = ["report", "--study", "-o", "-", "--figures", "f", "t"];
    assert!(run_in(scratch.path(), &args, b"").status.success());
    let note =
        "Bands differ in their archives: a difference between bands is not of ratings alone.";
    assert!(svg_of(&scratch, "by-rating").contains(note));
    put("cross_source_by_rating.csv", product);
    let page = markdown(&scratch, "t");
    assert!(page.contains(of_all) && !page.contains("--by source*rating` does so."));
    assert!(page.contains(
        "of the plies of the lowest of these bands 100.0 % are of low.pgn, of the highest 88.9 % of high.pgn."
    ));
    assert!(page.contains(
        "Within one archive: high.pgn from −25.0 % at 1200-1399 to −28.0 % at 2400-2599; \
         low.pgn from −30.0 % at 800-999 to −28.0 % at 1200-1399."
    ));
    // The bands are rows, in the order of the ratings; the archives columns.
    let rows = table(&page, "`economical-priority` against `san`, by archive and rating");
    let firsts: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(firsts, ["800-999", "1200-1399", "2400-2599", "unknown"]);
    assert_eq!(rows[2][1..], ["−28.0 %", "−70.0 %\u{a0}†"]);
    assert_eq!(rows[0][1..], ["", "−30.0 %"]);
}

/// A figure of a directory of figures.
fn svg_of(scratch: &Scratch, name: &str) -> String {
    fs::read_to_string(scratch.join("f").join(format!("{name}.svg"))).unwrap()
}

/// Figures as files: lines have markers that the legend has, those of entropies name their estimator.
#[test]
fn figures_are_read_without_colours_and_without_the_page() {
    let scratch = Scratch::new();
    study::write(&scratch.join("t"));
    let args = ["report", "--study", "-o", "page.html", "--figures", "f", "t"];
    let done = run_in(scratch.path(), &args, b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let html = fs::read_to_string(scratch.join("page.html")).unwrap();
    for (name, lines) in
        [("by-ply", 4), ("by-ply-against-economical-letters", 2), ("by-ply-against-san", 3)]
    {
        let svg = svg_of(&scratch, name);
        let document = roxmltree::Document::parse(&svg).unwrap();
        // The colour, and the shape: how many corners it has, and whether it is on one of them.
        let mut shapes: HashSet<(String, String)> = HashSet::new();
        for node in document.descendants().filter(|node| node.attribute("fill") != Some("#ffffff"))
        {
            let shape = match (node.attribute("points"), node.attribute("r")) {
                (_, Some(_)) => "disc".to_string(),
                (Some(points), _) if node.has_tag_name("polygon") => {
                    let corners: Vec<&str> = points.split(' ').collect();
                    let tops: HashSet<&str> =
                        corners.iter().map(|it| it.split(',').nth(1).unwrap()).collect();
                    format!("{} {}", corners.len(), tops.len())
                }
                _ => continue,
            };
            shapes.insert((node.attribute("fill").unwrap().to_string(), shape));
        }
        let colours: HashSet<&String> = shapes.iter().map(|(colour, _)| colour).collect();
        let forms: HashSet<&String> = shapes.iter().map(|(_, form)| form).collect();
        assert_eq!([shapes.len(), colours.len(), forms.len()], [lines; 3], "{name}: {shapes:?}");
        let keys = ['●', '■', '▲', '◆'].into_iter().filter(|key| svg.contains(*key)).count();
        assert_eq!(keys, lines, "{name}");
    }
    assert!(html.contains(">●</span>") && html.contains(">◆</span>"));
    // The made-up measurement has no entropy of ranks, whose figure names the estimator too.
    assert!(!svg_of(&scratch, "entropy-board").contains("plug-in"));
    let path = scratch.join("t/entropy.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("rank-huffman", "rank-entropy")).unwrap();
    let done = run_in(scratch.path(), &[&args[..], &["--overwrite"]].concat(), b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for name in ["entropy", "entropy-board"] {
        let svg = svg_of(&scratch, name);
        let (_, note) = svg.split_once("<desc id=\"description\">").unwrap();
        let note = note.split_once("</desc>").unwrap().0;
        assert!(note.contains("plug-in estimate") && note.contains("order 0"), "{note}");
    }
}

/// Beside a code of other games is what its authors state; and each of two tables says what the other has.
#[test]
fn words_beside_numbers_say_of_what_they_are() {
    let scratch = Scratch::new();
    study::write(&scratch.join("t"));
    let page = markdown(&scratch, "t");
    let section = after(&page, "## Bits a ply of codes that use the position");
    let own = 4_150_000.0 / 988_000.0;
    for words in [
        "made from other games than these",
        "state 4.40 bits a ply, of 4.38 of entropy",
        &format!("it takes {own:.3} bits, of 4.123 of entropy"),
    ] {
        assert!(section.contains(words), "{words}: {section}");
    }
    let path = scratch.join("t/codes.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("lichess-huffman", "another")).unwrap();
    assert!(!markdown(&scratch, "t").contains("4.40 bits"));
    let claims = "“What the sources claim, and what was counted”";
    assert!(after(&page, "## Where the characters go").contains(claims));
    assert!(after(&page, "## What the sources claim").contains("“What would have been enough”"));
    // Without the claims nothing points at them.
    measured(&scratch, "few", &[]);
    let done = run_in(scratch.path(), &["report", "-o", "plain.md", "few"], b"");
    assert!(done.status.success());
    assert!(!fs::read_to_string(scratch.join("plain.md")).unwrap().contains(claims));
}

/// Beside the entropies with the frequencies of the same games are those with the frequencies of others.
pub(super) fn states_what_is_held_out(html: &str, tables: &Path) {
    let mut table = csv::Reader::from_path(tables.join("entropy.csv")).unwrap();
    let rows = table.deserialize::<std::collections::HashMap<String, String>>();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    for name in ["san", "economical-priority"] {
        let row = rows.iter().find(|row| row["code"] == name).unwrap();
        let [own, held_out] = [&row["bits_per_ply"], &row["bits_per_ply_held_out"]];
        let words =
            format!("<code>{name}</code> takes {held_out} bits a ply then, and {own} with its own");
        assert!(html.contains(&words), "{words}");
    }
}
