//! What holds of the structure of a page, as far as it can be checked without a browser: headings, names of tables and
//! figures, rules for paper, and the contrast of the colours.

use std::collections::HashMap;

use roxmltree::Node;

/// The least contrast of words and of lines, by WCAG 2, level AA.
const WORDS: f64 = 4.5;
const LINES: f64 = 3.0;

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

fn is_named(node: Node<'_, '_>) -> bool {
    node.attribute("aria-label").is_some_and(|name| !name.trim().is_empty())
}

/// What is broader than a page says so before it; of the tables of a section with the same columns, the first alone is
/// open.
fn tables_are_shown_as_they_are_read(document: &roxmltree::Document<'_>) {
    let heads = |node: Node<'_, '_>| -> Vec<String> {
        node.descendants()
            .filter(|node| node.has_tag_name("th") && node.attribute("scope") == Some("col"))
            .map(text)
            .collect()
    };
    for section in document.descendants().filter(|node| node.has_tag_name("section")) {
        let mut known = Vec::new();
        for frame in section.descendants().filter(|node| has_class(node, "frame")) {
            let (columns, name) = (heads(frame), frame.attribute("aria-label").unwrap());
            let before = frame.prev_siblings().filter(Node::is_element).nth(1);
            let is_hinted = before.is_some_and(|node| has_class(&node, "hint"));
            assert_eq!(is_hinted, columns.len() > 4, "{name}: {columns:?}");
            let is_open = !frame.ancestors().any(|node| node.has_tag_name("details"));
            assert!(!is_open || !known.contains(&columns), "{name} is open");
            known.push(columns);
        }
    }
}

/// What is drawn for a narrow page is as broad as that page, or two are. Of the bars of all notations, those that other
/// figures compare have a colour of their own.
fn charts_are_of_one_kind(document: &roxmltree::Document<'_>) {
    let charts = document.descendants().filter(|node| node.has_tag_name("svg"));
    for chart in charts {
        let place = chart.parent().unwrap();
        let name = chart.attribute("aria-label").unwrap();
        let width: u32 =
            chart.attribute("viewBox").unwrap().split(' ').nth(2).unwrap().parse().unwrap();
        assert!(has_class(&place, "wide") || [350, 175].contains(&width), "{name}: {width}");
        if !name.starts_with("Characters a ply of each notation") {
            continue;
        }
        let inks: Vec<&str> = chart
            .descendants()
            .filter(|node| node.has_tag_name("rect"))
            .filter_map(|node| node.attribute("fill")?.strip_prefix("var(--s"))
            .collect();
        let count = |ink: &str| inks.iter().filter(|known| **known == ink).count();
        assert!(["0)", "1)", "2)", "3)", "4)"].iter().all(|ink| count(ink) <= 1), "{inks:?}");
        assert!(inks.len() <= 5 + count("5)"), "{inks:?}");
    }
}

/// Headings in order, and all that has a name has one of its own.
pub(crate) fn is_in_order(html: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    let all =
        |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
    assert_eq!(all("html").next().unwrap().attribute("lang"), Some("en"));
    assert_eq!((all("h1").count(), all("main").count(), all("nav").count()), (1, 1, 1));
    tables_are_shown_as_they_are_read(&document);
    charts_are_of_one_kind(&document);
    let mut level = 0;
    let headings = document.descendants().filter_map(|node| {
        let name = node.tag_name().name();
        let level = name.strip_prefix('h')?.parse::<u32>().ok()?;
        Some((level, text(node)))
    });
    for (next, title) in headings {
        assert!(next <= level + 1, "{title}: a heading of level {next} after one of level {level}");
        assert!(!title.trim().is_empty(), "a heading without text");
        level = next;
    }
    for head in all("th") {
        let expected =
            if head.ancestors().any(|node| node.has_tag_name("thead")) { "col" } else { "row" };
        assert_eq!(head.attribute("scope"), Some(expected), "{}", text(head));
    }
    for details in all("details") {
        let first = details.children().find(Node::is_element).unwrap();
        assert!(first.has_tag_name("summary") && !text(first).trim().is_empty());
    }
    let mut names: HashMap<&str, u32> = HashMap::new();
    let frames = document.descendants().filter(|node| has_class(node, "frame"));
    for frame in frames {
        // What is moved sideways is reached by keys, and has a name for those who do not see it.
        assert_eq!(
            (frame.attribute("tabindex"), frame.attribute("role")),
            (Some("0"), Some("group"))
        );
        assert!(is_named(frame));
        *names.entry(frame.attribute("aria-label").unwrap()).or_default() += 1;
    }
    assert!(names.len() >= 5 && names.values().all(|&times| times == 1), "{names:?}");
    for figure in document.descendants().filter(|node| has_class(node, "figure")) {
        assert!(figure.attribute("role") == Some("group") && is_named(figure));
        for chart in figure.descendants().filter(|node| node.has_tag_name("figure")) {
            let caption = chart.children().find(Node::is_element).unwrap();
            assert!(caption.has_tag_name("figcaption") && !text(caption).trim().is_empty());
            assert_eq!(chart.descendants().filter(|node| node.has_tag_name("svg")).count(), 2);
        }
    }
    for spot in document.descendants().filter(|node| has_class(node, "spot")) {
        assert!(spot.children().any(|node| node.has_tag_name("title") && !text(node).is_empty()));
    }
}

fn block<'a>(css: &'a str, opening: &str) -> &'a str {
    let (_, rest) = css.split_once(opening).unwrap_or_else(|| panic!("no {opening}"));
    let mut depth = 0;
    for (place, sign) in rest.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 1 => return &rest[..place],
            '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("{opening} does not end")
}

/// The colours that a part of the style sheet gives its variables.
fn colours(css: &str) -> HashMap<String, [f64; 3]> {
    let root = block(css, ":root");
    let pairs = root.split(';').filter_map(|part| part.split_once(": #"));
    pairs
        .map(|(name, digits)| {
            let name = name.trim_matches(|sign: char| !sign.is_alphanumeric()).to_string();
            let part = |at: usize| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
            (name, [part(0), part(2), part(4)])
        })
        .collect()
}

/// The contrast of two colours by WCAG 2.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |color: [f64; 3]| {
        let [red, green, blue] = color.map(|part| {
            let share = part / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Words and lines are legible in every scheme.
pub(crate) fn is_legible(html: &str) {
    let css = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let print = block(css, "@media print");
    let dark = block(css, "@media (prefers-color-scheme: dark)");
    for (scheme, css) in [("light", css), ("dark", dark), ("paper", print)] {
        let colours = colours(css);
        let of =
            |name: &str| *colours.get(name).unwrap_or_else(|| panic!("{scheme} has no {name}"));
        for ground in ["paper", "panel"] {
            for words in ["text", "muted", "link"] {
                let found = contrast(of(words), of(ground));
                assert!(found >= WORDS, "{scheme}: {words} on {ground}: {found:.2}");
            }
        }
        for series in 0..6 {
            let found = contrast(of(&format!("s{series}")), of("paper"));
            assert!(found >= LINES, "{scheme}: series {series}: {found:.2}");
        }
    }
}

/// On paper: no figure and no row is divided, closed tables stay closed, and a sentence tells where they are.
pub(crate) fn is_fit_for_paper(html: &str) {
    let css = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let print = block(css, "@media print");
    assert!(!print.contains("details-content"), "closed tables would be printed");
    let rule = |property: &str, value: &str, selector: &str| {
        let has = |part: &str| {
            part.split_once('{').is_some_and(|(selectors, body)| {
                let is_it = |one: &str| one.trim() == selector;
                selectors.split([',', '\n']).any(is_it)
                    && body.contains(&format!("{property}: {value}"))
            })
        };
        assert!(print.split('}').any(has), "paper has no {property}: {value} for {selector}");
    };
    for whole in [".figure", "figure", "tr", ".frame.short"] {
        rule("break-inside", "avoid", whole);
    }
    for before in ["h2", "caption"] {
        rule("break-after", "avoid", before);
    }
    rule("display", "none", "nav");
    rule("display", "none", ".screen");
    rule("display", "none", ".narrow");
    rule("display", "block", ".wide");
    rule("overflow", "visible", ".frame");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    let on_paper = |node: &Node<'_, '_>| has_class(node, "paper");
    let sentence = document.descendants().find(|node| node.has_tag_name("p") && on_paper(node));
    assert!(text(sentence.unwrap()).contains("CSV"));
    for summary in document.descendants().filter(|node| node.has_tag_name("summary")) {
        let place = text(summary.descendants().find(on_paper).unwrap());
        assert!(place.contains(" rows, in ") && place.ends_with(".csv"), "{place}");
    }
}

/// Defects, each by a text of the page and what takes its place; every one of them must be found.
const DEFECTS: [(&str, &str); 17] = [
    ("<html lang=\"en\">", "<html>"),
    (
        "<h2 id=\"by-rating-title\">By rating</h2>",
        "<h3 id=\"by-rating-title\">By rating</h3><h5>x</h5>",
    ),
    ("<th scope=\"col\">", "<th>"),
    ("<th scope=\"row\">", "<th scope=\"col\">"),
    (
        "tabindex=\"0\" aria-label=\"Bits a ply of the text alone, by code\"",
        "aria-label=\"Bits a ply of the text alone, by code\"",
    ),
    (
        "aria-label=\"Bits a ply of the text alone, by code\"",
        "aria-label=\"Disambiguation in SAN\"",
    ),
    ("<figcaption>Bits a ply of the text alone</figcaption>", ""),
    ("role=\"group\" aria-label=\"Bits a ply of the text alone\"", "role=\"group\""),
    ("<p class=\"paper\">", "<p>"),
    ("--muted: #57606a", "--muted: #8a8f98"),
    ("--link: #82b4ff", "--link: #224488"),
    ("--s3: #d594db", "--s3: #402a43"),
    ("p, .figure, figure, tr, li,", "p, figure, li,"),
    ("h2, caption, summary { break-after: avoid; }", ""),
    ("nav, .screen, .narrow, .hint { display: none; }", "nav, .narrow { display: none; }"),
    (".frame, details .frame { max-height: none; overflow: visible;", ".frame { max-height: none;"),
    ("thead { display: table-header-group; }", "details::details-content { display: block; }"),
];

/// The checks of this file fail where there is something to find.
pub(crate) fn is_checked(html: &str) {
    let check = |html: &str| {
        is_in_order(html);
        is_legible(html);
        is_fit_for_paper(html);
    };
    check(html);
    for (sound, defect) in DEFECTS {
        assert!(html.contains(sound), "{sound}: the page has changed, and this defect with it");
        let spoilt = html.replacen(sound, defect, 1);
        let found = std::panic::catch_unwind(|| check(&spoilt));
        assert!(found.is_err(), "{defect} in place of {sound} is not found");
    }
}
