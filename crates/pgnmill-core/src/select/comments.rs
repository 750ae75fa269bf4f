//! Searches in comments: `comment =~ "novelty"`, `comment like "%novelty%"`, `contains(comment, "novelty")`.
//!
//! In: a condition. Out: the [`Search`] that it is, as a regular expression. `is present` is
//! a search for any comment. Other conditions on `comment` are refused.

use std::ops::Range;

use super::error::Fault;
use super::parser::{Node, Tree};

/// What a comment is searched for.
#[derive(Debug)]
pub(super) struct Search {
    /// A regular expression.
    pub(super) pattern: String,
    pub(super) span: Range<usize>,
}

fn is_comment(tree: &Tree) -> bool {
    tree.node == Node::Name("comment".to_string())
}

/// The search, if the condition is one.
///
/// # Errors
/// Another condition on a comment.
pub(super) fn search_of(tree: &Tree) -> Result<Option<Search>, Fault> {
    Ok(match &tree.node {
        Node::Match(left, pattern, span) if is_comment(left) => {
            Some(Search { pattern: pattern.clone(), span: span.clone() })
        }
        Node::Present(left) if is_comment(left) => {
            Some(Search { pattern: String::new(), span: tree.span.clone() })
        }
        Node::Call(name, _, arguments) if arguments.first().is_some_and(is_comment) => {
            let [_, Tree { node: Node::Text(part), span }] = &arguments[..] else {
                return Err(refused(tree));
            };
            let part = regex::escape(part);
            let pattern = match name.as_str() {
                "contains" => part,
                "starts_with" => format!("^{part}"),
                "ends_with" => format!("{part}$"),
                _ => return Err(refused(tree)),
            };
            Some(Search { pattern, span: span.clone() })
        }
        _ => None,
    })
}

fn refused(tree: &Tree) -> Fault {
    let message = "a comment is searched so: comment =~ \"…\", comment like \"%…%\", contains(comment, \"…\")";
    Fault::new(tree.span.clone(), message)
}
