//! What a person types by mistake in an expression, so that it would select nothing without a word: it is refused, or
//! a warning.
//!
//! In: parts of an expression. Out: a [`Fault`] with the right form, or a warning. Refused are a word without quotes
//! where a text is meant, a name near a known one, and a value that a field cannot have. Cost: linear.

use crate::chess::rules::RulesKind;
use crate::facts::{self, Value};
use crate::pgn::Tag;

use super::error::Fault;
use super::fields::fields;
use super::functions::FUNCTIONS;
use super::known_tags;
use super::near::{meant, slips_of};
use super::node::TextNode;
use super::parser::{Comparison, Node, Tree};
use super::view::Slot;

/// Begins the name of a tag pair.
fn is_of_tag(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Refuses a name where a text is meant: `ECO == B90`.
pub(super) fn refuse_unquoted(tree: &Tree) -> Result<(), Fault> {
    let Node::Name(name) = &tree.node else { return Ok(()) };
    let own = || fields().chain(FUNCTIONS.iter().cloned());
    let is_field = || own().any(|field| field.name.split('(').next() == Some(name));
    if if is_of_tag(name) { known_tags::is_known(name) } else { is_field() } {
        return Ok(());
    }
    let near = slips_of(name);
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; or did you mean {}?", near.join(" or ")),
    };
    let message = format!("there is no name {name}; a text is written in quotes: \"{name}\"{near}");
    Err(Fault::new(tree.span.clone(), message))
}

/// Refuses the name of a tag pair that is near a known one. Returns whether it is known.
pub(super) fn check_tag(name: &str, span: &std::ops::Range<usize>) -> Result<bool, Fault> {
    if known_tags::is_known(name) {
        return Ok(true);
    }
    let near = match meant(name) {
        Some(near) => near.to_vec(),
        None => slips_of(name),
    };
    if near.is_empty() {
        return Ok(false);
    }
    let near = near.join(" or ");
    let message =
        format!("there is no name {name}; did you mean {near}? (tag(\"{name}\") is that tag pair)");
    Err(Fault::new(span.clone(), message))
}

/// Refuses a comparison of a field with a text that it cannot have.
pub(super) fn check_value(
    comparison: Comparison,
    field: &TextNode,
    value: &TextNode,
    tree: &Tree,
) -> Result<(), Fault> {
    let TextNode::Literal(text) = value else { return Ok(()) };
    let refuse = |message: String| Err(Fault::new(tree.span.clone(), message));
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    // What is not known is written so, and is no value: PGN standard 8.1.1.
    let is_unknown = text.chars().all(|it| it == '?' || it.is_whitespace());
    if is_equality && matches!(field, TextNode::Tag(_)) && is_unknown {
        let is = if comparison == Comparison::Equal { "missing" } else { "present" };
        return refuse(format!("a value that is not known, or empty, is missing: write is {is}"));
    }
    let values = match field {
        TextNode::Fact(fact) => match fact.value {
            Value::Name(values, _) => values,
            _ => &[],
        },
        TextNode::Tag(Slot::Tag(Tag::Result)) if is_equality => &facts::OUTCOMES,
        _ => &[],
    };
    if !values.is_empty() && !values.contains(&text.as_str()) {
        let is_tag = matches!(field, TextNode::Tag(_));
        let form =
            if is_tag { "; `outcome` is in this form also where `Result` is not" } else { "" };
        return refuse(format!("this field has one of the values {}{form}", values.join(", ")));
    }
    let is_chess = |text: &str| RulesKind::of_tag(text.as_bytes()) == Some(RulesKind::Chess);
    if matches!(field, TextNode::Fact(fact) if fact.name == "variant")
        && is_equality
        && is_chess(text)
        && text != facts::STANDARD
    {
        return refuse(format!("ordinary chess is {:?} here", facts::STANDARD));
    }
    let is_eco = match field {
        TextNode::Tag(Slot::Tag(tag)) => *tag == Tag::Eco,
        TextNode::Fact(fact) => fact.name == "eco_computed",
        _ => false,
    };
    let begins = |text: &str| {
        let rest = text.strip_prefix(|letter: char| ('A'..='E').contains(&letter));
        rest.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    // A code, or for `<` and ranges the beginning of one.
    if is_eco && !facts::is_eco(text) && (is_equality || !begins(text)) {
        let begin: String =
            text.to_uppercase().chars().take_while(char::is_ascii_alphanumeric).take(2).collect();
        return refuse(format!(
            "a code of an opening is a letter from A to E and two digits; all that begin so: like \"{begin}%\""
        ));
    }
    Ok(())
}

/// The warning of a text that is compared and has characters of a pattern: `White == "Carlsen*"`.
pub(super) fn pattern_warning(value: &TextNode) -> Option<String> {
    let TextNode::Literal(text) = value else { return None };
    let is_pattern = text.contains(['*', '%', '?']) && text.chars().any(char::is_alphanumeric);
    is_pattern.then(|| {
        let like: String = text.replace('*', "%").replace('?', "_");
        let parts = text.split(['*', '%']).map(|part| regex::escape(part).replace("\\?", "."));
        let regex = format!("^{}$", parts.collect::<Vec<_>>().join(".*"));
        let regex = regex.trim_start_matches("^.*").trim_end_matches(".*$");
        format!(
            "== compares with {text:?} as it is written; a pattern is like \"{like}\", or =~ \"{regex}\""
        )
    })
}

/// The warning of an order of texts where that of numbers may be meant: `Round > "5"`.
pub(super) fn order_warning(value: &TextNode) -> Option<String> {
    let TextNode::Literal(text) = value else { return None };
    // A year of four digits has the order of years.
    let is_number = text.parse::<f64>().is_ok() && text.len() < 4;
    is_number.then(|| {
        format!(
            "this compares texts, character by character, and not numbers: \"10\" is less than {:?}",
            if text.as_str() > "10" { text } else { "2" }
        )
    })
}

/// The warning of a regular expression that is a pattern of file names: `ECO =~ "B9*"` is B and any number of 9,
/// anywhere.
pub(super) fn glob_warning(pattern: &str) -> Option<String> {
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || " ,'-".contains(c));
    let begin = pattern.strip_suffix('*').or(pattern.strip_suffix('%'))?;
    let last = begin.chars().last()?;
    if !is_plain(begin) || !last.is_alphanumeric() {
        return None;
    }
    let meaning = match pattern.ends_with('*') {
        true => format!("any number of {last}, none included"),
        false => "a percent sign".to_string(),
    };
    Some(format!(
        "=~ {pattern:?} is a regular expression, whose end is {meaning}; what begins so is =~ \"^{begin}\", or like \
         \"{begin}%\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_files_is_no_regular_expression() {
        let warning = |text: &str| glob_warning(text).unwrap_or_default();
        assert!(warning("B9*").contains("any number of 9"), "{}", warning("B9*"));
        assert!(warning("B9*").contains("=~ \"^B9\", or like \"B9%\""));
        assert!(warning("Carlsen%").contains("like \"Carlsen%\""));
        for text in ["^B9", "B9.*", "[a-z]*", "a+b*", "*", "", "^B9*$", "(?i)open*|b"] {
            assert_eq!(warning(text), "", "{text}");
        }
    }

    #[test]
    fn an_order_of_texts_that_are_numbers_is_warned_of() {
        let warning = |text: &str| order_warning(&TextNode::Literal(text.to_string()));
        for text in ["5", "5.2", "10", "007", "-1"] {
            assert!(warning(text).is_some_and(|it| it.contains("\"10\" is less than")), "{text}");
        }
        for text in ["B", "1990", "2024.05.01", "", "Carlsen"] {
            assert_eq!(warning(text), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_that_is_compared_is_shown_in_its_right_forms() {
        let warning = |text: &str| pattern_warning(&TextNode::Literal(text.to_string()));
        assert!(warning("B9*").is_some_and(|it| it.contains("like \"B9%\", or =~ \"^B9\"")));
        assert!(warning("*sen%").is_some_and(|it| it.contains("like \"%sen%\", or =~ \"sen\"")));
        assert!(warning("B9?").is_some_and(|it| it.contains("like \"B9_\", or =~ \"^B9.$\"")));
        for text in ["*", "????.??.??", "?", "Carlsen, Magnus", ""] {
            assert_eq!(warning(text), None, "{text}");
        }
    }
}
