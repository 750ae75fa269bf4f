//! Figures as files: any viewer can open them, nothing leaves the edge, and they have the values of the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use roxmltree::{Document, Node};

/// The width of a letter of common fonts, as a share of its height.
const LETTER: f64 = 0.6;

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let found = node.ancestors().find_map(|node| node.attribute(name));
    found.unwrap_or_else(|| panic!("no {name}")).parse().unwrap()
}

fn text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(Node::is_text).filter_map(|node| node.text());
    texts.collect::<String>().trim().to_string()
}

/// Where an element's group begins.
fn corner(node: Node<'_, '_>) -> (f64, f64) {
    let moved = node.ancestors().find_map(|node| node.attribute("transform"));
    let Some(moved) = moved else { return (0.0, 0.0) };
    let (left, top) =
        moved.strip_prefix("translate(").unwrap().trim_end_matches(')').split_once(' ').unwrap();
    (left.parse().unwrap(), top.parse().unwrap())
}

fn stands_alone(name: &str, svg: &str) {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"), "{name}");
    let (width, height) = (number(root, "width"), number(root, "height"));
    assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()));
    // Its only address is the name of its format.
    assert_eq!(svg.matches("http").count(), 1, "{name}");
    for word in ["var(", "url(", "<style", "<script", "<image", "<use", "href", "NaN", "#01"] {
        assert!(!svg.contains(word), "{name}: {word}");
    }
    let named = root.attribute("aria-labelledby").unwrap();
    for id in named.split(' ') {
        let words = document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
        assert!(!text(words).is_empty(), "{name}: {id}");
    }
    assert!(root.attribute("font-family").unwrap().ends_with("sans-serif"));
    // The ground is white and below all else.
    let ground =
        root.children().find(|node| node.has_tag_name("rect") || node.has_tag_name("g")).unwrap();
    let grounds = ["width", "height", "fill"].map(|key| ground.attribute(key).unwrap().to_string());
    assert_eq!(grounds, [width.to_string(), height.to_string(), "#ffffff".to_string()], "{name}");
    let mut texts = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        for ink in ["fill", "stroke"].into_iter().filter_map(|key| node.attribute(key)) {
            let is_hex = ink.len() == 7 && ink[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(ink == "none" || ink.starts_with('#') && is_hex, "{name}: {ink}");
        }
        if node.has_tag_name("text") {
            let (size, letters) = (number(node, "font-size"), text(node).chars().count() as f64);
            let wide = size * LETTER * letters;
            let from = corner(node).0 + number(node, "x")
                - match node.attribute("text-anchor") {
                    Some("end") => wide,
                    Some("middle") => wide / 2.0,
                    _ => 0.0,
                };
            let below = corner(node).1 + number(node, "y");
            let words = text(node);
            assert!(
                from >= -0.5 && from + wide <= width + 0.5,
                "{name}: {words}: {from} to {}",
                from + wide
            );
            assert!(below > 0.0 && below <= height, "{name}: {words}");
            let anchored_above = node.attribute("dy").is_some() as u8;
            texts.push((words, from, from + wide, below + f64::from(anchored_above), size));
        }
    }
    for (place, one) in texts.iter().enumerate() {
        for other in &texts[..place] {
            let wide = one.2.min(other.2) - one.1.max(other.1);
            let is_same_line = (one.3 - other.3).abs() < 0.6 * one.4;
            assert!(!(is_same_line && wide > 0.5), "{name}: “{}” on “{}”", one.0, other.0);
        }
    }
}

/// The note of a figure by group names what is drawn, and nothing that is not: a file is read without the page.
pub(crate) fn is_explained(name: &str, svg: &str) {
    let document = Document::parse(svg).unwrap();
    let note = document.descendants().find(|node| node.attribute("id") == Some("description"));
    let note = text(note.unwrap());
    let has = |key: &str, value: &str| {
        document.descendants().any(|node| node.attribute(key) == Some(value))
    };
    assert!(note.contains("has its own scale, which does not begin at 0."), "{name}: {note}");
    for (words, is_drawn) in [
        ("Dashed: the mean of ", has("stroke-dasharray", "6 4")),
        ("A bar is the interval ", has("stroke-width", "2")),
        ("Grey and hollow: ", has("r", "2")),
    ] {
        assert_eq!(note.matches(words).count(), usize::from(is_drawn), "{name}: {words}: {note}");
    }
}

/// How often each hover title is there.
fn hovers(xml: &str) -> BTreeMap<String, usize> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(xml, options).unwrap();
    let mut found = BTreeMap::new();
    let of_spot = |node: &Node<'_, '_>| {
        node.has_tag_name(("http://www.w3.org/2000/svg", "title")) || node.has_tag_name("title")
    };
    let titles = document.descendants().filter(of_spot);
    for title in
        titles.filter(|title| title.parent().is_some_and(|node| node.tag_name().name() == "rect"))
    {
        *found.entry(text(title)).or_default() += 1;
    }
    found
}

/// The files of a directory and the page of the same tables.
pub(crate) fn are_those_of(html: &str, directory: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut values: BTreeMap<String, usize> = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let svg = fs::read_to_string(&path).unwrap();
        stands_alone(&name, &svg);
        if name.starts_with("by-") && !name.starts_with("by-ply") {
            is_explained(&name, &svg);
        }
        for (hover, times) in hovers(&svg) {
            *values.entry(hover).or_default() += times;
        }
        names.push(name);
    }
    // The page draws each chart twice, for narrow and for broad windows.
    let twice = values.into_iter().map(|(hover, times)| (hover, 2 * times)).collect();
    assert_eq!(hovers(html), twice);
    assert_eq!(html.matches("class=\"figure\"").count(), names.len());
    names.sort();
    names
}
