//! The order of games: by the values of expressions, usually fields.
//!
//! In: the text of a list, `date, -WhiteElo`; a [`GameView`]. Out: bytes that compare as the games do. Invariants: of
//! two values the smaller one, as `<` of the language compares them, has the smaller bytes, or the larger ones after a
//! `-`; a value that is missing comes after all others, with and without one; no key is the beginning of another one,
//! so that the next expression decides exactly where all before it are equal. Cost: the values, and their bytes.
//!
//! ```text
//! 0 · value                 a value, each of its bytes inverted after -; 1: no value
//! bool                      a byte
//! number, time              eight or four bytes, largest first, the sign bit inverted
//! date                      its first day; then how many days it may be, so that 1927.??.?? is before 1927.01.01
//! text                      its bytes, 0 as 0 255, then 0 0
//! ```

use super::compile;
use super::error::{Fault, SelectError};
use super::fields::fields;
use super::known_tags;
use super::node::Typed;
use super::parser::{self, Node, Tree};
use super::players;
use super::truth::{Known, Truth};
use super::view::GameView;
use super::{KEYS_MAX, Selection};

/// What games are sorted by.
#[derive(Clone, Debug)]
pub(super) struct OrderKey {
    text: String,
    value: Typed,
    is_descending: bool,
}

impl Selection {
    /// The expressions that decide the order, without `-`; a tag pair by its name.
    pub fn order_texts(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|key| key.text.as_str())
    }

    /// This selection, whose games are sorted by the values of expressions, usually fields, with commas between them;
    /// `-` before one: from its largest value on. See [`Selection::order_of`].
    ///
    /// # Errors
    /// As [`Selection::parse`]; an expression that is there twice; a value of a player, of which a game has two; more
    /// than [`KEYS_MAX`].
    pub fn with_order(mut self, text: &str) -> Result<Selection, SelectError> {
        let moves = std::mem::take(&mut self.reads.demand.moves);
        self.reads.parts.is_closed = true;
        let failed = |fault| SelectError::of(fault, text);
        let trees = parser::parse_list(text).map_err(failed)?;
        let mut known: Vec<Node> = Vec::new();
        for tree in &trees {
            let (is_descending, tree) = match &tree.node {
                Node::Sum(terms) if let [(true, term)] = &terms[..] => (true, term),
                _ => (false, tree),
            };
            let tree = as_tag(&players::as_field(tree));
            let value = match refusal(&tree, text, &known) {
                Some(message) => Err(Fault::new(tree.span.clone(), message)),
                None => compile::value(&tree, &mut self.reads),
            };
            let text = match &tree.node {
                Node::Name(name) => name.clone(),
                _ => text[tree.span].to_string(),
            };
            known.push(tree.node);
            self.order.push(OrderKey { text, value: value.map_err(failed)?, is_descending });
        }
        self.key_of_moves |= self.reads.demand.moves;
        self.reads.demand.moves |= moves;
        self.reads.settle();
        Ok(self)
    }

    /// The bytes by which a selected game is sorted; none without [`Selection::with_order`].
    pub fn order_of(&self, game: &GameView<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for OrderKey { value, is_descending, .. } in &self.order {
            let start = bytes.len();
            bytes.push(0);
            if !value.add_order(game, &mut bytes) {
                bytes.truncate(start);
                bytes.push(1);
            } else if *is_descending {
                bytes[start + 1..].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
        bytes
    }
}

/// A name that is that of a tag pair but for the case of its letters, and nothing else: `date`.
fn as_tag(tree: &Tree) -> Tree {
    let named = |name: &str| {
        let is_other = fields().any(|field| field.name == name) || known_tags::is_known(name);
        let mut tags = known_tags::names().filter(|_| !is_other);
        tags.find(|tag| tag.eq_ignore_ascii_case(name))
    };
    let node = match &tree.node {
        Node::Name(name) => named(name).map(|tag| Node::Name(tag.to_string())),
        _ => None,
    };
    Tree { node: node.unwrap_or_else(|| tree.node.clone()), span: tree.span.clone() }
}

/// Why games cannot be sorted by an expression, after those that are `known`.
fn refusal(tree: &Tree, text: &str, known: &[Node]) -> Option<String> {
    let own = &text[tree.span.clone()];
    if known.contains(&tree.node) {
        return Some(format!("{own} is there twice"));
    }
    if known.len() == KEYS_MAX {
        return Some(format!("games are sorted by {KEYS_MAX} expressions at most"));
    }
    let of_players = players::sides_of_value(tree).is_some();
    of_players.then(|| {
        format!("a game has two players: write what is meant of White or of Black, not {own}")
    })
}

impl Typed {
    /// Adds the bytes of a value. Returns whether there is one.
    fn add_order(&self, game: &GameView<'_>, out: &mut Vec<u8>) -> bool {
        let sign = 1_u32 << 31;
        let day = |days: i32| (days as u32 ^ sign).to_be_bytes();
        match self {
            Typed::Bool(node) => match node.truth(game) {
                Truth::TRUE => out.push(1),
                Truth::FALSE => out.push(0),
                _ => return false,
            },
            Typed::Number(node) => {
                let Known::Value(number) = node.value(game) else { return false };
                // 0 and -0 are one number.
                let bits = (number + 0.0).to_bits();
                let ordered = if bits >> 63 == 1 { !bits } else { bits ^ 1 << 63 };
                out.extend_from_slice(&ordered.to_be_bytes());
            }
            Typed::Text(node) => {
                let Known::Value(value) = node.value(game) else { return false };
                for &byte in value.iter() {
                    out.push(byte);
                    if byte == 0 {
                        out.push(255);
                    }
                }
                out.extend_from_slice(&[0, 0]);
            }
            Typed::Date(node) => {
                let Some((first, last)) = node.value(game) else { return false };
                out.extend_from_slice(&day(first));
                out.extend_from_slice(&(!((last - first) as u32)).to_be_bytes());
            }
            Typed::Time(node) => {
                let Some(seconds) = node.value(game) else { return false };
                out.extend_from_slice(&day(seconds));
            }
        }
        true
    }
}
