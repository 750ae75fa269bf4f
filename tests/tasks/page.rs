//! The page contains what the tables contain, and nothing else; it loads nothing and fits into every width.

#![allow(clippy::print_stdout, reason = "the test in a browser reports what was measured")]

pub(crate) mod archives;
pub(crate) mod browser;
pub(crate) mod drawn;
pub(crate) mod figures;
mod judged;
pub(crate) mod numbers;
#[cfg(feature = "export")]
mod positions;
pub(crate) mod structure;
pub(crate) mod study;

use std::fs;
use std::path::Path;

use crate::common::{SOURCES, Scratch, here, run_in, trials, twin, vocabulary};
use pgnmill_needs::needs;

/// Runs `report` on a directory of tables.
fn report(scratch: &Scratch, args: &[&str]) -> (i32, String) {
    let mut all = vec!["report", "--study"];
    all.extend(args);
    // Else the page would be in the pipe.
    if !args.contains(&"-o") {
        all.extend(["-o", "report.html"]);
    }
    let output = run_in(scratch.path(), &all, b"");
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The page of a directory of tables.
fn page(scratch: &Scratch, tables: &str) -> String {
    let (code, said) = report(scratch, &["-o", "page.html", "--overwrite", tables]);
    assert!(code == 0 && said.starts_with("wrote page.html ("), "{tables}: {said}");
    fs::read_to_string(scratch.join("page.html")).unwrap()
}

/// Measures the three games of the source documents.
fn measured(scratch: &Scratch, tables: &str, options: &[&str]) {
    let sources = here(SOURCES).display().to_string();
    let args = [&["measure", "--quiet", "-o", tables, &sources], options].concat();
    let output = run_in(scratch.path(), &args, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What holds of the page of a measurement: it loads nothing, and its tables are in order.
fn stands_alone(page: &str) {
    loads_nothing(page);
    structure::is_in_order(page);
    structure::is_fit_for_paper(page);
}

/// What holds of every page: it is well-formed, legible, and loads nothing.
fn loads_nothing(page: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(page, options).unwrap();
    let mut names = std::collections::HashSet::new();
    for element in document.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        assert!(!["script", "link", "img", "iframe", "object", "image", "use"].contains(&name));
        for attribute in element.attributes() {
            assert!(!["src", "srcset", "data", "action"].contains(&attribute.name()), "{name}");
            assert!(!attribute.name().starts_with("on"), "{name} {}", attribute.name());
        }
        if let Some(id) = element.attribute("id") {
            assert!(names.insert(id), "two elements are called {id}");
        }
        if name == "svg" {
            assert_eq!(element.attribute("role"), Some("img"));
            assert!(element.attribute("aria-label").is_some_and(|label| !label.is_empty()));
        }
    }
    for link in document.descendants().filter_map(|element| element.attribute("href")) {
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads away"));
        assert!(names.contains(id), "{link} leads nowhere");
    }
    for word in ["http", "//", "url(", "@import", "file:"] {
        assert!(!page.contains(word), "{word}");
    }
    for word in ["NaN", ">inf", " inf "] {
        assert!(!page.contains(word), "a number that is none: {word}");
    }
    structure::is_legible(page);
    // A colour that was not replaced.
    assert!(!page.contains("\"#01"));
}

#[test]
fn a_measurement_becomes_a_page() {
    let scratch = Scratch::new();
    measured(&scratch, "tables", &[]);
    let html = page(&scratch, "tables");
    stands_alone(&html);
    numbers::are_in_the_tables(&html, &scratch.join("tables"));
    for words in ["3 games, 205 plies", "economical-priority", "<svg", "0.1.0"] {
        assert!(html.contains(words), "{words}");
    }
    // What was not measured is named with its option.
    for words in ["measure --entropy", "measure --compress", "measure --by"] {
        assert!(html.contains(words), "{words}");
    }
}

/// Games of other rules are in `by_rules.csv` alone, so that its groups have more plies than the other tables.
#[test]
fn games_of_other_rules_become_a_page() {
    let scratch = Scratch::new();
    let chess = fs::read(here(SOURCES)).unwrap();
    let other = b"[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    scratch.write("mixed.pgn", &[&other[..], &chess].concat());
    let args = ["measure", "--quiet", "--by", "rules,phase", "-o", "tables", "mixed.pgn"];
    let measured = run_in(scratch.path(), &args, b"");
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let html = page(&scratch, "tables");
    stands_alone(&html);
    assert!(
        html.contains(">atomic\u{a0}†</th>")
            && html.contains("mean of all plies of chess and Chess960")
    );
    assert!(
        html.contains("3 games (of 4 valid games; the others have other rules), 205 plies of chess and Chess960, every move")
    );
    figures_of_rules(&scratch, "tables", "4 games, 209 plies of all rulesets", true);
    // Without games of chess there is no average of them. What no notation can write has no row.
    let third = &b"[Event \"a\"]\n[Variant \"Chess 99\"]\n\n1. b24 *\n\n"[..];
    let second = b"[Event \"a\"]\n[Variant \"Chess960\"]\n\n1. e4 e5 *\n\n";
    scratch.write("others.pgn", &[&other[..], second, third].concat());
    let args = ["measure", "--quiet", "--by", "rules", "-o", "others", "others.pgn"];
    assert!(run_in(scratch.path(), &args, b"").status.success());
    figures_of_rules(&scratch, "others", "3 games, 7 plies of all rulesets", false);
    // Of these tables, too, none may be of another run.
    let table = scratch.join("tables/by_rules.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("\nchess,san,3,205,", "\nchess,san,3,206,", 1)).unwrap();
    assert_ne!(text, fs::read_to_string(&table).unwrap());
    refused(&scratch, &["tables"], &["rules", "one run"]);
}

/// The figure of rulesets is of all of them, with the average of chess if there is chess.
fn figures_of_rules(scratch: &Scratch, tables: &str, measured: &str, has_chess: bool) {
    let args = [tables, "-o", "rules.html", "--figures", "drawn", "--overwrite"];
    assert_eq!(report(scratch, &args).0, 0);
    let svg = fs::read_to_string(scratch.join("drawn/by-rules.svg")).unwrap();
    assert!(svg.contains(measured), "{svg}");
    figures::is_explained("by-rules.svg", &svg);
    assert_eq!(svg.contains("stroke-dasharray"), has_chess);
    assert_eq!(svg.contains("the mean of all plies of chess and Chess960"), has_chess);
    assert!(!svg.contains("the mean of all plies."));
    assert_eq!(svg.contains("in these notations: chess99."), !has_chess, "{svg}");
    assert!(!svg.contains(">chess99"));
}

/// What a page says depends on what was measured: other rules, which notation is longer, other notations alone.
#[test]
fn a_page_says_what_was_measured() {
    let scratch = Scratch::new();
    let chess = fs::read(here(SOURCES)).unwrap();
    let other = b"[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    for (text, has_other) in [
        (chess.clone(), false),
        ([&other[..], &chess].concat(), true),
        (b"[Variant \"Chess960\"]\n\n1. e4 *\n".to_vec(), false),
    ] {
        scratch.write("games.pgn", &text);
        let args =
            ["measure", "--quiet", "--by", "rules", "-o", "rules", "--overwrite", "games.pgn"];
        assert!(run_in(scratch.path(), &args, b"").status.success());
        let html = page(&scratch, "rules");
        assert_eq!(html.contains("plies of chess and Chess960, every move"), has_other);
        assert!(html.contains(">agrees</td>") && !html.contains(">does not agree</td>"));
    }
    // Castling alone is as long in either notation.
    scratch.write(
        "castling.pgn",
        b"[SetUp \"1\"]\n[FEN \"r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1\"]\n\n1. O-O O-O-O *\n",
    );
    let args = ["measure", "--quiet", "-o", "castling", "castling.pgn"];
    assert!(run_in(scratch.path(), &args, b"").status.success());
    assert!(page(&scratch, "castling").contains(">does not agree</td>"));
    // The tables that break down have the notations that were measured, up to six.
    for names in ["uci", "stamma,uci", "fan,xlalg,iccf", "san,fan,xlalg,iccf,stamma,reversible,uci"]
    {
        measured(&scratch, "few", &["--by", "phase", "--notations", names, "--overwrite"]);
        let html = page(&scratch, "few");
        stands_alone(&html);
        let head = html.split("<th scope=\"col\">phase</th>").nth(1).expect("a table by phase");
        let head = head.split("</thead>").next().unwrap();
        // Those with which all are compared are measured too.
        let table = fs::read_to_string(scratch.join("few/notations.csv")).unwrap();
        let measured = table.lines().skip(1).filter(|row| !row.contains(",0,0,")).count();
        assert_eq!(head.matches("<code>").count(), measured.min(6), "{names}: {head}");
    }
}

/// With every option, and after merging: no section lacks its table, and its numbers are those of the tables.
#[test]
fn a_whole_measurement_becomes_a_whole_page() {
    let scratch = Scratch::new();
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    let options = [
        "--by",
        "all,rating*speed,source*phase*length",
        "--entropy",
        "--codes",
        "--errors=2",
        "--writing",
        "--order",
        "2",
        "--tokens",
        "v.tiktoken",
        "--cluster",
        "game,event,player",
        "--compress",
        "zstd:3,zstd:19",
    ];
    measured(&scratch, "one", &options);
    twin(&scratch.join("one"), &scratch.join("two"));
    let merge = run_in(scratch.path(), &["merge", "--quiet", "-o", "tables", "one", "two"], b"");
    assert!(merge.status.success(), "{}", String::from_utf8_lossy(&merge.stderr));
    for tables in ["one", "tables"] {
        let html = page(&scratch, tables);
        stands_alone(&html);
        numbers::are_in_the_tables(&html, &scratch.join(tables));
        assert!(!html.contains("Left out:"), "every table is there");
        let words = [
            "ladder",
            "rank-huffman",
            "legal-moves",
            "ply-context",
            "zstd:19</code>",
            "After compression",
            "What one error does",
            "What it costs to write and to send",
            "What it costs in tokens",
            "SAN in the letters of languages",
            "order 2",
            "By rating and speed",
            "With the phases and lengths of all plies, by archive",
            "Means and changes by what counts the same",
            "held out",
        ];
        for words in words.iter().chain(&options[2..]) {
            assert!(html.contains(words), "{words}");
        }
        judged::states_what_is_held_out(&html, &scratch.join(tables));
    }
}

#[test]
fn every_section_has_its_numbers_from_the_tables() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    let html = page(&scratch, "tables");
    stands_alone(&html);
    numbers::are_in_the_tables(&html, &scratch.join("tables"));
    drawn::is_in_the_tables(&html, &scratch.join("tables"));
    assert!(!html.contains("Left out:"), "every table is there");
    for title in [
        "By rating",
        "By speed",
        "By archive",
        "ladder",
        "After compression",
        "codes that use the position",
    ] {
        assert!(html.contains(title), "{title}");
    }
    // A name from outside is text, whatever it holds.
    assert!(html.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !html.contains("a <b>"));
}

#[test]
fn what_is_wrong_with_a_page_is_found() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    structure::is_checked(&page(&scratch, "tables"));
}

#[test]
fn the_same_tables_give_the_same_bytes() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    study::write(&scratch.join("elsewhere"));
    assert_eq!(page(&scratch, "tables"), page(&scratch, "elsewhere"));
    let printed = run_in(scratch.path(), &["report", "--study", "tables", "-o", "-"], b"");
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), page(&scratch, "tables"));
}

#[test]
fn a_character_means_the_same_everywhere() {
    let scratch = Scratch::new();
    let sources = here(SOURCES).display().to_string();
    let measured =
        run_in(scratch.path(), &["measure", "--no-progress", "-o", "tables", &sources], b"");
    let terminal = String::from_utf8(measured.stderr).unwrap();
    let html = page(&scratch, "tables");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options).unwrap();
    let rows: Vec<Vec<String>> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "tr")
        .map(|row| {
            let text = |cell: roxmltree::Node<'_, '_>| {
                let texts =
                    cell.descendants().filter_map(|node| node.text().filter(|_| node.is_text()));
                texts.collect::<String>().trim().replace('−', "-")
            };
            row.children().filter(roxmltree::Node::is_element).map(text).collect()
        })
        .collect();
    let mut table = csv::Reader::from_path(scratch.join("tables/notations.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let changes = ["change_percent_vs_san", "change_percent_vs_economical_letters"].map(column);
    let (mut told, mut shorter, mut longer) = (0, 0, 0);
    for record in table.records().map(Result::unwrap) {
        let Ok(change) = record[changes[0]].parse::<f64>() else { continue };
        let (characters, plies) = (column("characters"), column("plies"));
        let of = |at: usize| record[at].parse::<f64>().unwrap();
        shorter += u32::from(change < 0.0);
        longer += u32::from(change > 0.0);
        let row = rows.iter().find(|row| row.len() == 9 && row[0] == record[0]).unwrap();
        for (place, change) in [2, 3].into_iter().zip(changes.map(of)) {
            let shown: f64 =
                row[place].trim_end_matches(" %").trim_start_matches('+').parse().unwrap();
            assert!((shown - change).abs() <= 0.0551, "{row:?}, {change}");
        }
        // On the terminal: characters, per ply, the change.
        let line = terminal.lines().find(|line| line.split_whitespace().next() == Some(&record[0]));
        if let Some(line) = line {
            let shown: f64 = line.split_whitespace().nth(3).unwrap().parse().unwrap();
            assert!((shown - change).abs() <= 0.0551, "{line}, {change}");
            told += 1;
        }
        assert!(of(characters) > 0.0 && of(plies) > 0.0);
    }
    assert!(told > 15 && shorter > 3 && longer > 10, "{told}, {shorter}, {longer}");
}

#[test]
fn an_absent_table_takes_only_its_own_figure_away() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    for name in study::OPTIONAL {
        let table = scratch.join("tables").join(name);
        let kept = fs::read(&table).unwrap();
        fs::remove_file(&table).unwrap();
        let html = page(&scratch, "tables");
        stands_alone(&html);
        assert!(html.contains(&format!("there is no <code>{name}</code>")), "{name}");
        fs::write(&table, kept).unwrap();
    }
    // Its section is there with its table alone.
    fs::remove_file(scratch.join("tables/codes.csv")).unwrap();
    let html = page(&scratch, "tables");
    stands_alone(&html);
    assert!(!html.contains("codes that use the position") && !html.contains("codes.csv"));
}

#[test]
fn the_same_words_and_tables_come_as_markdown() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    let (code, said) = report(&scratch, &["tables", "-o", "study.md"]);
    assert!(code == 0 && said.starts_with("wrote study.md ("), "{said}");
    let text = fs::read_to_string(scratch.join("study.md")).unwrap();
    assert!(text.starts_with("# ") && !text.contains('<'), "{text}");
    let mut columns = 0;
    for line in text.lines().map(|line| line.replace("\\|", "")) {
        let bars = line.matches('|').count();
        assert!(bars == 0 || columns == 0 || bars == columns, "{line}");
        columns = bars;
    }
}

#[test]
fn every_figure_is_a_file_of_its_own() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    // A name that differs in signs alone would be the name of the same file.
    fs::copy(scratch.join("tables/by_made_up.csv"), scratch.join("tables/by_made up.csv")).unwrap();
    let html = page(&scratch, "tables");
    let args = ["tables", "-o", "again.html", "--figures", "new/figures"];
    let (code, said) = report(&scratch, &args);
    assert!(code == 0 && said.starts_with("wrote 19 files in new/figures, again.html ("), "{said}");
    assert_eq!(fs::read_to_string(scratch.join("again.html")).unwrap(), html);
    let names = figures::are_those_of(&html, &scratch.join("new/figures"));
    for name in [
        "notations",
        "lengths",
        "by-ply",
        "by-ply-against-economical-letters",
        "by-ply-against-san",
        "by-rating",
        "by-eco-letter",
        "by-made-up",
        "by-made-up-2",
        "movetext",
        "entropy",
        "compress-zstd-3",
        "compress-zstd-19",
    ] {
        assert!(names.contains(&format!("{name}.svg")), "{name} in {names:?}");
    }
}

#[test]
fn markdown_shows_the_figures_that_were_written() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    for (page, directory, links) in
        [("docs/study.md", "docs/my figures", "my%20figures/"), ("study.md", "docs", "docs/")]
    {
        fs::create_dir_all(scratch.join("docs")).unwrap();
        let args = ["tables", "-o", page, "--figures", directory, "--overwrite"];
        let (code, said) = report(&scratch, &args);
        assert!(code == 0 && said.starts_with("wrote ") && said.lines().count() == 1, "{said}");
        let text = fs::read_to_string(scratch.join(page)).unwrap();
        let shown = text.lines().filter_map(|line| line.strip_prefix("![")?.strip_suffix(')'));
        let mut shown: Vec<&str> = shown
            .map(|link| link.split_once("](").unwrap().1.strip_prefix(links).unwrap())
            .collect();
        shown.sort_unstable();
        let mut written = fs::read_dir(scratch.join(directory))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".svg"))
            .collect::<Vec<_>>();
        written.sort();
        assert_eq!(shown, written);
        assert!(shown.len() > 10 && text.contains(": in `by_ply.csv`."));
    }
    // Without files nothing speaks of figures.
    assert_eq!(report(&scratch, &["tables", "-o", "words.md"]).0, 0);
    let words = fs::read_to_string(scratch.join("words.md")).unwrap();
    for word in ["igure", "chart", "Chart", "hover", "Dashed", ".svg"] {
        assert!(!words.contains(word), "{word}");
    }
    // The page on standard output, the figures in files.
    let args = ["report", "--study", "tables", "-o", "-", "--figures", "apart"];
    let printed = run_in(scratch.path(), &args, b"");
    assert!(printed.status.success() && scratch.join("apart/notations.svg").exists());
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), page(&scratch, "tables"));
}

#[test]
fn figures_are_refused_as_other_outputs_are() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    scratch.write("file", b"mine");
    refused(&scratch, &["tables", "--figures", "file"], &["file"]);
    fs::create_dir(scratch.join("figures")).unwrap();
    scratch.write("figures/lengths.svg", b"mine");
    refused(&scratch, &["tables", "--figures", "figures"], &["lengths.svg exists already"]);
    let kept: Vec<_> = fs::read_dir(scratch.join("figures")).unwrap().collect();
    assert_eq!(
        (kept.len(), fs::read(scratch.join("figures/lengths.svg")).unwrap()),
        (1, b"mine".to_vec())
    );
    // A new directory is removed again.
    scratch.write("report.html", b"mine");
    refused(&scratch, &["tables", "--figures", "new/figures"], &["report.html exists already"]);
    assert!(!scratch.join("new").exists());
    let one = ["tables", "--figures", "new", "-o", "new/lengths.svg"];
    refused(&scratch, &one, &["lengths.svg", "svg is not written here"]);
    assert!(!scratch.join("new").exists());
}

/// The report is refused with these words, and no file is left.
fn refused(scratch: &Scratch, args: &[&str], words: &[&str]) {
    let before = scratch.names();
    let (code, said) = report(scratch, args);
    assert_eq!(code, 2, "{said}");
    for word in words {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert_eq!(scratch.names(), before);
}

#[test]
fn what_is_no_measurement_is_refused_with_its_reason() {
    let scratch = Scratch::new();
    refused(&scratch, &["nowhere"], &["nowhere", "No such file"]);
    fs::create_dir(scratch.join("empty")).unwrap();
    refused(&scratch, &["empty"], &["empty holds no summary.csv", "pgnmill measure"]);
    scratch.write("file", b"x");
    refused(&scratch, &["file"], &["file"]);

    let tables = scratch.join("tables");
    let spoilt = |name: &str, from: &str, to: &str, words: &[&str]| {
        study::write(&tables);
        let path = tables.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} in {name}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        refused(&scratch, &["tables"], words);
    };
    let header = "characters,bytes";
    spoilt("notations.csv", header, "signs,bytes", &["notations.csv", "no column `characters`"]);
    spoilt("by_speed.csv", "\nblitz,san,", "\nblitz,san,x", &["by_speed.csv", "whole number"]);
    spoilt("by_speed.csv", "\nblitz,san,", "\nblitz,san,1,", &["by_speed.csv", "fields"]);
    spoilt("by_rating.csv", "\nunknown,san,", "\nunknown,uci,", &["rating", "two rows for"]);
    spoilt(
        "by_speed.csv",
        "\nblitz,san,",
        "\nglacial,san,",
        &["by_speed.csv", "none of its groups"],
    );
    spoilt(
        "movetext.csv",
        "\nsan,moves,",
        "\nsan,morals,",
        &["movetext.csv", "none of its groups"],
    );
    spoilt("codes.csv", "4.3999", "4.3x", &["codes.csv", "a number"]);
    spoilt("entropy.csv", "4.5000", "4.5x", &["entropy.csv", "a number"]);
    spoilt("lengths.csv", "notation", "\u{fffd}", &["lengths.csv", "no column"]);
    spoilt("summary.csv", "schema_version,3", "schema_version,999", &["999", "newer pgnmill"]);
    spoilt("summary.csv", "key,value", "", &["summary.csv"]);
}

#[test]
fn a_page_that_exists_is_kept_without_overwrite() {
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    scratch.write("report.html", b"mine");
    refused(&scratch, &["tables"], &["report.html exists already", "--overwrite"]);
    assert_eq!(fs::read(scratch.join("report.html")).unwrap(), b"mine");
    assert_eq!(report(&scratch, &["tables", "--overwrite"]).0, 0);
    assert!(fs::read(scratch.join("report.html")).unwrap().len() > 10_000);
}

const EVERY_WIDTH_AND_SCHEME: &[(&[u32], bool)] = &[
    (&[400], false),
    (&[400], true),
    (&[700], false),
    (&[700], true),
    (&[900], false),
    (&[900], true),
    (&[1400], false),
    (&[1400], true),
];

/// In a browser, narrow and broad, light and dark: no overflow, no text over text, everything legible.
#[needs(
    "Chromium",
    command = "test -n \"$CHROMIUM\" || command -v chromium || command -v chromium-browser || \
                   command -v google-chrome || command -v google-chrome-stable"
)]
#[test]
fn a_browser_shows_the_whole_page() {
    let browser = browser::Browser::find().expect("a Chromium");
    let scratch = Scratch::new();
    study::write(&scratch.join("tables"));
    let html = page(&scratch, "tables");
    // Screenshots are kept if requested.
    let pictures = std::env::var_os("PGNMILL_SCREENSHOTS");
    // A start of the browser for each of them; at the short depth one for the light and one for the dark.
    let starts: &[(&[u32], bool)] = trials(
        &[(&[400, 900], false), (&[700, 1400], true)],
        EVERY_WIDTH_AND_SCHEME,
        EVERY_WIDTH_AND_SCHEME,
    );
    for &(widths, dark) in starts {
        let found = browser.look(&scratch, &html, widths, dark);
        let seen = found.lines().filter(|line| line.starts_with("seen ")).count();
        assert_eq!(seen, widths.len(), "{widths:?} pixels, dark: {dark}: {found}");
        println!("{widths:?} pixels, dark: {dark}: {found}");
        for &width in widths.iter().filter(|_| pictures.is_some()) {
            let name = format!("{width}-{}.png", if dark { "dark" } else { "light" });
            let to = Path::new(pictures.as_ref().unwrap()).join(name);
            browser.picture(&scratch, &html, (width, 12_000), dark, &to);
        }
    }
}

/// Of games without moves nothing is measured: the page has no section of errors, and no figure without values.
#[test]
fn games_without_moves_have_no_section_of_errors() {
    for (games, has_errors) in
        [("[White \"a\"]\n\n*\n", false), ("[White \"a\"]\n\n1. e4 *\n", true)]
    {
        let scratch = Scratch::new();
        scratch.write("a.pgn", games.as_bytes());
        let args = ["measure", "-q", "--errors=2", "-o", "t", "a.pgn"];
        assert!(run_in(scratch.path(), &args, b"").status.success());
        let ran = run_in(scratch.path(), &["report", "t", "-o", "-"], b"");
        let html = String::from_utf8(ran.stdout).unwrap();
        assert!(html.contains("</html>"), "{html}");
        assert_eq!(html.contains("What one error does"), has_errors, "{games}");
        assert!(!html.contains("NaN"), "{games}");
    }
}

/// What a source claims is on the page of the study alone; how charts are read is stated once; a breakdown with one
/// group has no chart; the result is the first sentence.
#[test]
fn a_page_begins_with_its_result_and_repeats_nothing() {
    let scratch = Scratch::new();
    let source = here("data/lichess.pgn.zst").display().to_string();
    let args = ["measure", "-q", "--by", "speed,side,result,source", "-o", "t", &source];
    assert!(run_in(scratch.path(), &args, b"").status.success());
    let written = |words: &[&str]| {
        let args = [&["report", "t", "-o", "-"], words].concat();
        String::from_utf8(run_in(scratch.path(), &args, b"").stdout).unwrap()
    };
    let (html, study) = (written(&[]), written(&["--study"]));
    let lead = html.split("<h1>").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(lead.contains("<p>The shortest notation is <code>economical-priority"), "{lead}");
    for words in ["the sources claim", "the source of <code>", "the source: "] {
        assert!(study.contains(words) && !html.contains(words), "{words}");
    }
    for (words, count) in [("does not begin at 0. Dashed", 1), ("Grey and hollow: ", 1)] {
        assert_eq!(html.matches(words).count(), count, "{words}");
    }
    // One archive: a table, and no chart.
    let section = html.split("<section id=\"by-archive\"").nth(1).unwrap();
    let section = section.split("</section>").next().unwrap();
    assert!(section.contains("<table") && !section.contains("<svg"), "{section}");
    // Small groups have their number of games.
    assert!(html.contains(" · "), "no small group");
}
