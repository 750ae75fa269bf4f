//! The error of an expression: what is wrong, and where.
//!
//! In: an expression and a span of its bytes. Out: [`SelectError`], whose text shows the line of the expression with a
//! caret below the column. Invariants: the error is a value; columns are counted in characters from 1; a long line is
//! shortened around the column.

use std::fmt;
use std::ops::Range;

/// Characters of the line that are shown before and after the column, at most.
const SHOWN_CHARACTERS: usize = 60;

/// What is wrong in a part of an expression, before the expression itself is attached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) span: Range<usize>,
}

impl Fault {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), span }
    }
}

/// Why an expression cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelectError {
    message: String,
    line: usize,
    column: usize,
    /// The line, shortened, and the carets below it.
    shown: [String; 2],
}

impl SelectError {
    /// The error of `fault` in an expression.
    pub(super) fn of(fault: Fault, expression: &str) -> SelectError {
        let Fault { message, span } = fault;
        let floor = |at: usize| {
            let at = at.min(expression.len());
            (0..=at).rev().find(|&at| expression.is_char_boundary(at)).unwrap_or(0)
        };
        let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
        let line_start = expression[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = expression[start..].find('\n').map_or(expression.len(), |at| start + at);
        let column = expression[line_start..start].chars().count();
        let width = expression[start..end.clamp(start, line_end)].chars().count().max(1);
        let first = column.saturating_sub(SHOWN_CHARACTERS);
        let characters = expression[line_start..line_end].chars().skip(first);
        let shown: String = characters
            .take(2 * SHOWN_CHARACTERS)
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect();
        let width = width.min(shown.chars().count().saturating_sub(column - first).max(1));
        let carets = " ".repeat(column - first) + &"^".repeat(width);
        let line = expression[..line_start].matches('\n').count() + 1;
        SelectError { message, line, column: column + 1, shown: [shown, carets] }
    }

    /// The line of the expression, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in that line, in characters from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong, without the expression.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SelectError { message, line, column, shown: [shown, carets] } = self;
        let line = if *line > 1 { format!("line {line}, ") } else { String::new() };
        write!(f, "{line}column {column}: {message}\n    {shown}\n    {carets}")
    }
}

impl std::error::Error for SelectError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_below_the_column() {
        let error = SelectError::of(Fault::new(8..11, "no"), "true or\nöabc");
        assert_eq!((error.line(), error.column()), (2, 1));
        assert_eq!(error.to_string(), "line 2, column 1: no\n    öabc\n    ^^");
        let end = SelectError::of(Fault::new(4..4, "no"), "true");
        assert_eq!(end.to_string(), "column 5: no\n    true\n        ^");
        let long = "x".repeat(1_000);
        let error = SelectError::of(Fault::new(500..1_000, "no"), &long);
        assert!(error.to_string().len() < 300);
    }
}
