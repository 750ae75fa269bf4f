//! The structure of an expression: words become a tree, types not considered.
//!
//! In: text. Out: [`Tree`], or a [`Fault`]. The binding, from the weakest: `or`; `and`; `not`; comparisons, `in`, `=~`,
//! `is`; `+` and `-`; the sign. Invariants: the depth is bounded by [`DEPTH_MAX`], so no text overflows the stack;
//! chains of one operator are lists, not depth. Cost: linear.

use std::ops::Range;

use crate::chess::Color;

use super::error::Fault;
use super::lexer::{Days, Kind, Word, words};
use super::like::regex_of_like;

/// The longest expression, in bytes.
pub const EXPRESSION_BYTES_MAX: usize = 1 << 20;
/// The deepest nesting of parentheses, `not` and signs.
pub const DEPTH_MAX: usize = 100;

/// The comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn of(symbol: &str) -> Option<Comparison> {
        Some(match symbol {
            "==" | "=" => Comparison::Equal,
            "!=" | "<>" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            _ => return None,
        })
    }

    /// The comparison with its sides exchanged.
    pub(super) fn exchanged(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }
}

/// A part of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tree {
    pub(super) node: Node,
    pub(super) span: Range<usize>,
}

/// What a part is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    Bool(bool),
    Number(f64),
    Date(Days),
    Time(i32),
    Text(String),
    Name(String),
    /// A function, the span of its name, its arguments.
    Call(String, Range<usize>, Vec<Tree>),
    Not(Box<Tree>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    /// A sum of terms, `true` if the term is subtracted.
    Sum(Vec<(bool, Tree)>),
    Compare(Comparison, Box<(Tree, Tree)>),
    /// A value, and the values that it may have.
    InList(Box<Tree>, Vec<Tree>),
    /// A position, and the file of those that it may be; where its name is.
    InFile(Box<Tree>, String, Range<usize>),
    /// A value, and the bounds of a range, both included.
    InRange(Box<(Tree, Tree, Tree)>),
    /// A text and a regular expression.
    Match(Box<Tree>, String, Range<usize>),
    /// Is there a value?
    Present(Box<Tree>),
    /// Has this side won? A name that is replaced: see `players.rs`.
    Won(Color),
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Tree, Fault> {
    let mut parser = Parser::of(text)?;
    let tree = parser.any()?;
    parser.ends().map(|()| tree)
}

/// The files that an expression names, each once, and where.
pub(super) fn files(text: &str) -> Result<Vec<(String, Range<usize>)>, Fault> {
    let mut files: Vec<(String, Range<usize>)> = Vec::new();
    for Word { kind, span } in words(text)? {
        if let Kind::File(name) = kind
            && files.iter().all(|(known, _)| *known != name)
        {
            files.push((name, span));
        }
    }
    Ok(files)
}

/// Reads expressions with commas between them, one or more.
pub(super) fn parse_list(text: &str) -> Result<Vec<Tree>, Fault> {
    let mut parser = Parser::of(text)?;
    let mut trees = vec![parser.any()?];
    while parser.peek() == &Kind::Symbol(",") {
        parser.next();
        trees.push(parser.any()?);
    }
    parser.ends().map(|()| trees)
}

struct Parser {
    words: Vec<Word>,
    at: usize,
    depth: usize,
}

impl Parser {
    /// At the beginning of an expression.
    fn of(text: &str) -> Result<Parser, Fault> {
        if text.len() > EXPRESSION_BYTES_MAX {
            let message = format!("an expression has at most {EXPRESSION_BYTES_MAX} bytes");
            return Err(Fault::new(0..0, message));
        }
        let parser = Parser { words: words(text)?, at: 0, depth: 0 };
        if parser.peek() == &Kind::End {
            return Err(parser.unexpected("an expression"));
        }
        Ok(parser)
    }

    /// Nothing follows.
    fn ends(&self) -> Result<(), Fault> {
        match self.peek() {
            Kind::End => Ok(()),
            Kind::Symbol(")") => Err(self.fault("this parenthesis was not opened")),
            _ => Err(self.unexpected("and, or, or the end")),
        }
    }

    fn peek(&self) -> &Kind {
        &self.words[self.at].kind
    }

    fn span(&self) -> Range<usize> {
        self.words[self.at].span.clone()
    }

    /// The end of the last word that was read.
    fn end(&self) -> usize {
        self.words[self.at.saturating_sub(1)].span.end
    }

    fn next(&mut self) -> Word {
        let word = self.words[self.at].clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.span(), message)
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.peek() {
            Kind::End => "the expression ends".to_string(),
            Kind::Symbol(symbol) => format!("{symbol} is found"),
            Kind::Name(name) => format!("{name} is found"),
            _ => "a value is found".to_string(),
        };
        self.fault(format!("{found} where {expected} is expected"))
    }

    /// Takes the next word if it is one of these symbols or names.
    fn takes(&mut self, words: &[&str]) -> bool {
        let is = match self.peek() {
            Kind::Symbol(symbol) => words.contains(symbol),
            Kind::Name(name) => words.contains(&name.as_str()),
            _ => false,
        };
        if is {
            self.next();
        }
        is
    }

    fn requires(&mut self, symbol: &str) -> Result<(), Fault> {
        if self.takes(&[symbol]) { Ok(()) } else { Err(self.unexpected(symbol)) }
    }

    fn deeper<T>(&mut self, read: fn(&mut Parser) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == DEPTH_MAX {
            return Err(self.fault(format!("this is nested more than {DEPTH_MAX} deep")));
        }
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn any(&mut self) -> Result<Tree, Fault> {
        self.chain(&["or", "||"], Parser::all, Node::Any)
    }

    fn all(&mut self) -> Result<Tree, Fault> {
        self.chain(&["and", "&&"], Parser::not, Node::All)
    }

    fn chain(
        &mut self,
        operator: &[&str],
        read: fn(&mut Parser) -> Result<Tree, Fault>,
        node: fn(Vec<Tree>) -> Node,
    ) -> Result<Tree, Fault> {
        let first = read(self)?;
        let start = first.span.start;
        let mut parts = vec![first];
        while self.takes(operator) {
            parts.push(read(self)?);
        }
        match <[Tree; 1]>::try_from(parts) {
            Ok([only]) => Ok(only),
            Err(parts) => Ok(Tree { node: node(parts), span: start..self.end() }),
        }
    }

    fn not(&mut self) -> Result<Tree, Fault> {
        let start = self.span().start;
        if !self.takes(&["not", "!"]) {
            return self.comparison();
        }
        let negated = self.deeper(Parser::not)?;
        Ok(Tree { node: Node::Not(Box::new(negated)), span: start..self.end() })
    }

    fn comparison(&mut self) -> Result<Tree, Fault> {
        let left = self.sum()?;
        let start = left.span.start;
        let Word { kind, span } = self.words[self.at].clone();
        let mut negated = false;
        let node = match &kind {
            Kind::Symbol(symbol) if let Some(comparison) = Comparison::of(symbol) => {
                self.next();
                self.refuse_missing(comparison)?;
                let right = self.sum()?;
                refuse_range(&right, "after in: in ")?;
                if self.peek() == &Kind::Symbol("..") {
                    return Err(self.fault("a range is written after in: WhiteElo in 2600..2700"));
                }
                Node::Compare(comparison, Box::new((left, right)))
            }
            Kind::Symbol(symbol @ ("=~" | "!~")) => {
                negated = *symbol == "!~";
                self.next();
                let (pattern, span) = self.pattern("a regular expression")?;
                Node::Match(Box::new(left), pattern, span)
            }
            Kind::Name(name)
                if matches!(name.as_str(), "in" | "not" | "like" | "ilike" | "between") =>
            {
                negated = self.takes(&["not"]);
                self.word_comparison(left)?
            }
            Kind::Name(name) if name == "is" => {
                self.next();
                let not = self.takes(&["not"]);
                let present = self.takes(&["present"]);
                if !present && !self.takes(&["missing", "null"]) {
                    let operator = if not { "!=" } else { "==" };
                    return Err(match self.peek() {
                        Kind::End | Kind::Symbol(_) => self.unexpected("missing or present"),
                        _ => self.fault(format!("a value is compared with {operator}")),
                    });
                }
                negated = present == not;
                Node::Present(Box::new(left))
            }
            Kind::Name(name) => {
                return match self.infix(name, &left) {
                    Some(message) => Err(self.fault(message)),
                    None => Ok(left),
                };
            }
            _ => return Ok(left),
        };
        let tree = Tree { node, span: start..self.end() };
        if matches!(self.peek(), Kind::Symbol(symbol) if Comparison::of(symbol).is_some())
            || matches!(self.peek(), Kind::Symbol("=~" | "!~"))
        {
            return Err(self.fault("comparisons do not follow each other: write and between two"));
        }
        let _ = span;
        let span = tree.span.clone();
        Ok(if negated { Tree { node: Node::Not(Box::new(tree)), span } } else { tree })
    }

    /// Refuses `== null`: a value that is missing is equal to none.
    fn refuse_missing(&self, comparison: Comparison) -> Result<(), Fault> {
        let Kind::Name(name) = self.peek() else { return Ok(()) };
        if !["null", "missing", "present", "none", "nil"].contains(&name.to_lowercase().as_str()) {
            return Ok(());
        }
        let is = match (comparison, name.as_str()) {
            (Comparison::Equal, "present") | (Comparison::NotEqual, _) => "is present",
            _ => "is missing",
        };
        Err(self.fault(format!("nothing is equal to what is missing: write {is}")))
    }

    /// A function, or a word of another language, that stands between two values: how it is written.
    fn infix(&self, name: &str, left: &Tree) -> Option<String> {
        let left = match &left.node {
            Node::Name(name) => name.as_str(),
            _ => "Event",
        };
        let function = match name {
            "contains" | "starts_with" | "ends_with" => name,
            "has" | "includes" => "contains",
            "startswith" | "begins" => "starts_with",
            "endswith" | "ends" => "ends_with",
            "matches" | "match" | "regexp" | "rlike" => {
                return Some(format!("{name} is written =~"));
            }
            "equals" | "eq" | "equal" => return Some(format!("{name} is written ==")),
            "ne" => return Some(format!("{name} is written !=")),
            _ => return None,
        };
        Some(format!("{name} is a function: {function}({left}, \"…\")"))
    }

    /// A text in quotes that is a pattern.
    fn pattern(&mut self, what: &str) -> Result<(String, Range<usize>), Fault> {
        match self.next() {
            Word { kind: Kind::Text(pattern), span } => Ok((pattern, span)),
            Word { kind: Kind::Name(name), span } => {
                Err(Fault::new(span, format!("{what} is written in quotes: \"{name}\"")))
            }
            Word { span, .. } => Err(Fault::new(span, format!("{what} in quotes is expected"))),
        }
    }

    /// `in`, `like`, `ilike`, `between`, and what follows.
    fn word_comparison(&mut self, left: Tree) -> Result<Node, Fault> {
        let any_case = self.peek() == &Kind::Name("ilike".to_string());
        if self.takes(&["like", "ilike"]) {
            let (pattern, span) = self.pattern("a pattern")?;
            let regex = regex_of_like(&pattern, any_case);
            let regex = regex.map_err(|message| Fault::new(span.clone(), message))?;
            return Ok(Node::Match(Box::new(left), regex, span));
        }
        if self.takes(&["between"]) {
            let low = self.sum()?;
            self.requires("and")?;
            return Ok(Node::InRange(Box::new((left, low, self.sum()?))));
        }
        if !self.takes(&["in"]) {
            return Err(self.unexpected("in, like or between"));
        }
        self.in_values(left)
    }

    /// The values after `in`: a file, a range, or a list in brackets or, as in SQL, in parentheses.
    fn in_values(&mut self, left: Tree) -> Result<Node, Fault> {
        if let Word { kind: Kind::File(name), span } = self.words[self.at].clone() {
            self.next();
            return Ok(Node::InFile(Box::new(left), name, span));
        }
        let (open, close) = match self.peek() {
            Kind::Symbol("(") if self.is_list() => ("(", ")"),
            _ => ("[", "]"),
        };
        if !self.takes(&[open]) {
            let low = self.sum()?;
            if self.peek() != &Kind::Symbol("..") {
                refuse_range(&low, "")?;
                if let Node::Number(_) | Node::Text(_) | Node::Date(_) = low.node {
                    return Err(self.fault(
                        "one value is compared with ==; in takes a range, 1..9, or a list, [1, 2]",
                    ));
                }
            }
            self.requires("..")?;
            let high = self.sum()?;
            return Ok(Node::InRange(Box::new((left, low, high))));
        }
        let mut values = Vec::new();
        while !self.takes(&[close]) {
            values.push(self.sum()?);
            if !self.takes(&[","]) {
                self.requires(close)?;
                break;
            }
        }
        if values.is_empty() {
            return Err(Fault::new(self.end() - 1..self.end(), "the list has no value"));
        }
        Ok(Node::InList(Box::new(left), values))
    }

    /// Do the parentheses that open here contain a list, and not the first value of a range?
    fn is_list(&self) -> bool {
        let mut depth = 0_usize;
        let mut rest = self.words[self.at..].iter().map(|word| &word.kind);
        while let Some(kind) = rest.next() {
            match kind {
                Kind::Symbol("(") => depth += 1,
                Kind::Symbol(")") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return !matches!(rest.next(), Some(Kind::Symbol(".." | "+" | "-")));
            }
        }
        true
    }

    fn sum(&mut self) -> Result<Tree, Fault> {
        let start = self.span().start;
        let mut terms = vec![(false, self.term()?)];
        while let Kind::Symbol(sign @ ("+" | "-")) = *self.peek() {
            self.next();
            terms.push((sign == "-", self.term()?));
        }
        if let [(false, _)] = &terms[..]
            && let Some((_, only)) = terms.pop()
        {
            return Ok(only);
        }
        Ok(Tree { node: Node::Sum(terms), span: start..self.end() })
    }

    fn term(&mut self) -> Result<Tree, Fault> {
        let start = self.span().start;
        if !self.takes(&["-"]) {
            return self.value();
        }
        let term = self.deeper(Parser::term)?;
        Ok(Tree { node: Node::Sum(vec![(true, term)]), span: start..self.end() })
    }

    fn value(&mut self) -> Result<Tree, Fault> {
        if self.takes(&["("]) {
            let inner = self.deeper(Parser::any)?;
            self.requires(")")?;
            return Ok(inner);
        }
        let Word { kind, span } = self.words[self.at].clone();
        let node = match kind {
            Kind::Number(number) => Node::Number(number),
            Kind::Date(days) => Node::Date(days),
            Kind::Time(time) => Node::Time(time),
            Kind::Text(text) => Node::Text(text.replace("\\\\", "\\")),
            Kind::Name(name) => match name.as_str() {
                "true" => Node::Bool(true),
                "false" => Node::Bool(false),
                "and" | "or" | "in" | "is" | "missing" | "present" | "null" | "not" | "like"
                | "ilike" | "between" => {
                    return Err(self.unexpected("a value"));
                }
                _ => {
                    self.next();
                    return self.name(name, span);
                }
            },
            Kind::File(_) => {
                return Err(self.fault("a file is written after in: position in @FILE"));
            }
            Kind::Symbol(_) | Kind::End => return Err(self.unexpected("a value")),
        };
        self.next();
        Ok(Tree { node, span })
    }

    /// A name, or the call of a function.
    fn name(&mut self, name: String, span: Range<usize>) -> Result<Tree, Fault> {
        if !self.takes(&["("]) {
            return Ok(Tree { node: Node::Name(name), span });
        }
        let mut arguments = Vec::new();
        while !self.takes(&[")"]) {
            arguments.push(self.deeper(Parser::any)?);
            if !self.takes(&[","]) {
                self.requires(")")?;
                break;
            }
        }
        let whole = span.start..self.end();
        Ok(Tree { node: Node::Call(name, span, arguments), span: whole })
    }
}

/// Refuses a difference of two numbers, which is a range in other languages: `2600-2700`.
fn refuse_range(tree: &Tree, place: &str) -> Result<(), Fault> {
    if let Node::Sum(terms) = &tree.node
        && let [(false, from), (true, to)] = &terms[..]
        && let (Node::Number(from), Node::Number(to)) = (&from.node, &to.node)
    {
        let message = match [from.to_string(), to.to_string()].join("-").as_str() {
            result @ ("1-0" | "0-1") => format!("a result is written in quotes: \"{result}\""),
            _ => format!("a range is written {place}{from}..{to}"),
        };
        return Err(Fault::new(tree.span.clone(), message));
    }
    Ok(())
}
