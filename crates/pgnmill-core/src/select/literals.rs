//! Values that are written in an expression.
//!
//! In: parts of an expression. Out: the value of one without fields; whether a range has no value in it. Cost:
//! constant.

use super::lexer::Days;
use super::parser::{Node, Tree};

/// A date of the expression: a day, a month, or a number that is a year.
pub(super) fn days(tree: &Tree) -> Option<Days> {
    match tree.node {
        Node::Date(days) => Some(days),
        Node::Number(year) if year.fract() == 0.0 && (1.0..=9999.0).contains(&year) => {
            Days::of(year as u32, None, None)
        }
        _ => None,
    }
}

/// Is a value of the expression above another one of its type, so that nothing is between them?
pub(super) fn is_above(low: &Tree, high: &Tree) -> bool {
    if let (Some(low), Some(high)) = (constant(low), constant(high)) {
        return low > high;
    }
    match (&low.node, &high.node) {
        (Node::Time(low), Node::Time(high)) => low > high,
        (Node::Text(low), Node::Text(high)) => low > high,
        _ => days(low).zip(days(high)).is_some_and(|(low, high)| low.first > high.last),
    }
}

/// The value of a number without fields.
fn constant(tree: &Tree) -> Option<f64> {
    match &tree.node {
        Node::Number(number) => Some(*number),
        Node::Sum(terms) => terms.iter().try_fold(0.0, |sum, (subtracted, term)| {
            let term = constant(term)?;
            Some(if *subtracted { sum - term } else { sum + term })
        }),
        _ => None,
    }
}
