//! Whether figures and words agree with the tables: places of dots and means, more and less, separators.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use roxmltree::Node;

type Row = HashMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap()
}

fn attribute(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(Node::is_text);
    texts.filter_map(|node| node.text().map(String::from)).collect::<String>().trim().to_string()
}

/// A number as people read it.
fn read(shown: &str) -> f64 {
    let plain = shown.replace(',', "").replace('−', "-").replace('+', "");
    plain.split_whitespace().next().unwrap_or("").parse().unwrap_or(f64::NAN)
}

/// Where a value lies by the two marks of the scale that are farthest apart, and by how much rounding may be off.
fn scale(figure: Node<'_, '_>) -> Option<impl Fn(f64) -> (f64, f64)> {
    let marks = figure.descendants().filter(|node| node.attribute("text-anchor") == Some("middle"));
    let marks: Vec<(f64, f64)> =
        marks.map(|mark| (attribute(&mark, "x"), read(&text(mark)))).collect();
    let (&(from, least), &(to, most)) = (marks.first()?, marks.last()?);
    let wide = to - from;
    (wide > 0.0).then_some(move |value: f64| {
        let at = from + (value - least) / (most - least) * wide;
        (at, 1.1 + (at - from).abs().max((at - to).abs()) / wide)
    })
}

/// Every dot lies where its group's mean is on the scale, every dashed line where the mean of all is.
fn dots(document: &roxmltree::Document<'_>, tables: &Path) {
    let mut groups = Vec::new();
    for entry in fs::read_dir(tables).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("by_") && name != "by_ply.csv" {
            groups.extend(rows(&entry));
        }
    }
    let totals = rows(&tables.join("notations.csv"));
    let (mut seen, mut means) = (0, 0);
    for figure in document.descendants().filter(|node| node.tag_name().name() == "svg") {
        let label = figure.attribute("aria-label").unwrap_or_default();
        let Some(notation) = label
            .strip_prefix("Characters a ply in ")
            .and_then(|l| l.strip_suffix(", a dot a group"))
        else {
            continue;
        };
        let Some(place) = scale(figure) else { continue };
        let near = |at: f64, value: f64, what: &str| {
            let (expected, off) = place(value);
            assert!((at - expected).abs() <= off, "{label}: {what} at {at}, not {expected}");
        };
        let spots: Vec<(f64, f64, String)> = figure
            .descendants()
            .filter(|node| node.attribute("class") == Some("spot"))
            .map(|node| (attribute(&node, "y"), attribute(&node, "height"), text(node)))
            .collect();
        for dot in figure.descendants().filter(|node| node.attribute("r") == Some("4")) {
            let (x, y) = (attribute(&dot, "cx"), attribute(&dot, "cy"));
            let (_, _, says) =
                spots.iter().find(|(top, height, _)| (*top..top + height).contains(&y)).unwrap();
            let (name, rest) = says.rsplit_once(": ").unwrap();
            let plies = read(rest.rsplit_once(", ").unwrap().1);
            let is_it = |row: &&Row| {
                row["key"] == name && row["notation"] == notation && number(row, "plies") == plies
            };
            let found: Vec<&Row> = groups.iter().filter(is_it).collect();
            assert!(!found.is_empty(), "{says}");
            // Of groups of one name and size any may be meant.
            let means = found.iter().map(|row| number(row, "characters") / plies);
            let closest = means.min_by(|a, b| {
                let off = |mean: &f64| (mean - read(rest)).abs();
                off(a).total_cmp(&off(b))
            });
            near(x, closest.unwrap(), says);
            seen += 1;
        }
        let total = totals.iter().find(|row| row["notation"] == notation).unwrap();
        let mean = number(total, "characters") / number(total, "plies");
        let dashes = figure.descendants().filter(|node| {
            node.tag_name().name() == "polyline" && node.attribute("stroke") == Some("var(--muted)")
        });
        for dash in dashes {
            assert!(dash.attribute("stroke-dasharray").is_some(), "{label}: a mean without gaps");
            for point in dash.attribute("points").unwrap().split_whitespace() {
                near(point.split(',').next().unwrap().parse().unwrap(), mean, "the mean");
            }
            means += 1;
        }
    }
    assert!(seen > 20 && means > 20, "{seen} dots, {means} dashes");
}

/// "More" is written where it is more, "less" where it is less.
fn words(document: &roxmltree::Document<'_>, tables: &Path) {
    let mut seen = 0;
    for row in document.descendants().filter(|node| node.tag_name().name() == "tr") {
        let cells: Vec<String> = row.children().filter(Node::is_element).map(text).collect();
        if cells.len() != 9 || cells[0] != "characters a move" {
            continue;
        }
        // The slip of a claim is not what is compared with.
        let claimed = cells[2].rsplit_once("give ").map_or(cells[2].as_str(), |(_, right)| right);
        let (claimed, measured) = (read(claimed.trim_end_matches(')')), read(&cells[3]));
        let word = if measured > claimed { "% more than claimed" } else { "% less than claimed" };
        let off = (100.0 * (measured / claimed - 1.0)).abs();
        assert!(cells[5].contains(word) || off < 0.2, "{cells:?}");
        assert!(off < 0.2 || (read(&cells[5]) - off).abs() < 0.1, "{cells:?}");
        seen += 1;
    }
    let sizes = rows(&tables.join("compress.csv"));
    for text in document.descendants().filter(|node| node.tag_name().name() == "p").map(text) {
        let Some((compressor, said)) = text.split_once(": economical-priority takes ") else {
            continue;
        };
        let of = |notation: &str, column: &str| {
            let is_it = |row: &&Row| row["notation"] == notation && row["compressor"] == compressor;
            number(sizes.iter().find(is_it).unwrap(), column)
        };
        let (before, after) = said.split_once(" and ").unwrap();
        for (words, column) in [(before, "bytes_before"), (after, "bytes_after")] {
            let change = 100.0 * (of("economical-priority", column) / of("san", column) - 1.0);
            let expected =
                format!("{:.1} % {}", change.abs(), if change > 0.0 { "more" } else { "less" });
            assert!(words.starts_with(&expected), "{words}, not {expected}");
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen}");
}

/// Figures, words and separators are those of the tables.
pub(crate) fn is_in_the_tables(html: &str, tables: &Path) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    dots(&document, tables);
    words(&document, tables);
    let is_number = |node: &Node<'_, '_>| {
        node.tag_name().name() == "td" && node.attribute("class") == Some("number")
    };
    for cell in document.descendants().filter(is_number) {
        let shown = text(cell);
        let whole =
            shown.trim_start_matches(['−', '+']).split(['.', ' ']).next().unwrap().to_string();
        let mut parts = whole.split(',');
        let first = parts.next().unwrap();
        assert!(first.len() <= 3 && parts.all(|part| part.len() == 3), "{shown}");
    }
}
