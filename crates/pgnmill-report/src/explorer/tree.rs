//! A tree of moves, as HTML and as Markdown.
//!
//! In: moves, and those after them. Out: a list of elements that open, each with its games, their share, a bar of
//! results, and below it the position, a game and the moves that follow; in Markdown a list of lists. Invariants: a bar
//! is a figure with a text, which is also written beside it; the texts of a table are literal. Cost: the length of the
//! text.

use std::fmt::Write as _;

use super::super::escape::escaped;
use super::super::prose::{code_span, literal_markdown};
use super::played::{Branch, Played, clipped};

/// The tree as HTML. `games`: those of the position, of which shares are.
pub(in super::super) fn html(moves: &[Branch], games: u64) -> String {
    let mut html = String::new();
    write_html(&mut html, moves, games);
    html
}

fn write_html(html: &mut String, moves: &[Branch], games: u64) {
    html.push_str("<ul class=\"moves\">\n");
    for branch in moves {
        let name = escaped(&clipped(&branch.name));
        let _ = write!(html, "<li><details>\n<summary><strong>{name}</strong> ");
        if let Some(opening) = &branch.opening {
            let _ = write!(html, "<span class=\"opening\">{}</span> ", escaped(&clipped(opening)));
        }
        let of_games = escaped(&branch.played.games_in_words(games));
        let _ = writeln!(
            html,
            "<span class=\"count\">{of_games}</span>{}</summary>",
            bar(&branch.played)
        );
        let _ = writeln!(
            html,
            "<p>{}</p>",
            below(branch, |text| format!("<code>{}</code>", escaped(text)), escaped)
        );
        if !branch.next.is_empty() {
            write_html(html, &branch.next, games);
        }
        html.push_str("</details></li>\n");
    }
    html.push_str("</ul>\n");
}

/// A bar of results, with its text, and the numbers beside it.
fn bar(played: &Played) -> String {
    let Some(percents) = played.percents() else { return String::new() };
    let parts =
        percents.map(|percent| format!("<span style=\"width:{percent}%\"></span>")).concat();
    let text = played.results_in_words();
    let [white, draws, black] = percents;
    format!(
        " <span class=\"bar\" role=\"img\" aria-label=\"{text}\">{parts}</span> <span class=\"percents\">{white} / {draws} / \
         {black}</span>"
    )
}

/// What is below a move: rating, year, the position after it, a game.
fn below(
    branch: &Branch,
    code: impl Fn(&str) -> String,
    literal: impl Fn(&str) -> String,
) -> String {
    let played = &branch.played;
    let mut parts = vec![played.results_in_words()];
    parts.extend(played.rating_text().map(|it| format!("mean rating of the side to move {it}")));
    parts.extend(played.year.as_ref().map(|it| format!("last year {}", literal(&clipped(it)))));
    parts.extend(branch.record.as_ref().map(|it| format!("then {}", code(&clipped(it)))));
    parts.extend(branch.sample.as_ref().map(|it| format!("a game: {}", code(&clipped(it)))));
    parts.join("; ")
}

/// The tree as Markdown.
pub(in super::super) fn markdown(moves: &[Branch], games: u64) -> String {
    let mut text = String::new();
    write_markdown(&mut text, moves, games, 0);
    text
}

fn write_markdown(text: &mut String, moves: &[Branch], games: u64, depth: usize) {
    for branch in moves {
        let indent = "  ".repeat(depth);
        let name = code_span(&clipped(&branch.name));
        let of_games = branch.played.games_in_words(games);
        let opening = branch.opening.as_ref();
        let opening =
            opening.map_or_else(String::new, |it| format!(" {}", literal_markdown(&clipped(it))));
        let below = below(branch, code_span, literal_markdown);
        let _ = writeln!(text, "{indent}- {name}{opening}: {of_games}; {below}");
        write_markdown(text, &branch.next, games, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(name: &str, next: Vec<Branch>) -> Branch {
        let played = Played { games: 4, results: Some([2, 1, 1]), ..Played::default() };
        let sample = Some("pgnmill explain 'a`<b>' --at 0".to_string());
        Branch { name: name.to_string(), played, sample, next, ..Branch::default() }
    }

    #[test]
    fn moves_are_lists_in_lists_and_their_texts_literal() {
        let tree = [branch("1. <e4>", vec![branch("1... `c5`", Vec::new())])];
        let html = html(&tree, 8);
        assert_eq!((html.matches("<details>").count(), html.matches("</details>").count()), (2, 2));
        assert!(html.contains("<strong>1. &lt;e4&gt;</strong>") && !html.contains("<b>"), "{html}");
        assert!(html.contains("aria-label=\"White 50 %, draws 25 %, Black 25 %\""), "{html}");
        let markdown = markdown(&tree, 8);
        let lines: Vec<&str> = markdown.lines().collect();
        assert!(lines[0].starts_with("- `1. <e4>`: 4 games, 50.0 %; White 50 %"), "{markdown}");
        assert!(lines[1].starts_with("  - `` 1... `c5` ``: 4 games"), "{markdown}");
        assert!(lines[1].ends_with("; a game: ``pgnmill explain 'a`<b>' --at 0``"), "{markdown}");
    }
}
