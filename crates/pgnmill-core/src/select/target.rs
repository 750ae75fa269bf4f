//! What a game may reach: a position, material, or a line of moves.
//!
//! In: the text of an expression. Out: a [`Target`], which is compared with the positions of a game. Cost of a
//! comparison: a few words.

use std::sync::Arc;

use crate::chess::{Color, FenError, Position, Role};
use crate::notation::{SAN, UCI};

use super::material::Material;
use super::position_set::PositionSet;

/// A position, material or line that a game may reach.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A position, and how many fields of a FEN record are compared: the pieces; the side to move; the castling rights;
    /// the en passant square, if a capture there is legal.
    Position(Box<Position>, usize),
    /// A whole position, and its key without the en passant square.
    Whole(Box<Position>, u64),
    Material(Material),
    /// Any of these positions.
    Set(PositionSet),
    /// The positions after the first moves of a game from the initial position.
    Line(Arc<[Position]>),
}

/// The fields of a FEN record that describe a position.
const FIELDS: usize = 4;

impl Target {
    /// The position of a FEN record, whose last fields may be absent.
    pub(super) fn of_record(record: &str) -> Result<Target, FenError> {
        let fields = record.split_ascii_whitespace().count();
        let position = match (fields, Position::from_fen(record.as_bytes())) {
            // White to move is assumed, and may be impossible.
            (1, Err(_)) => Position::from_fen(format!("{record} b").as_bytes())?,
            (_, read) => read?,
        };
        let position = Box::new(position.0);
        let key = position.key_without_en_passant();
        match fields < FIELDS {
            true => Ok(Target::Position(position, fields)),
            false => Ok(Target::Whole(position, key)),
        }
    }

    /// The line of moves in SAN or UCI, with or without their numbers.
    pub(super) fn of_line(text: &str) -> Result<Target, String> {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let mut positions = Vec::new();
        let mut position = Position::initial();
        for word in text.split_whitespace() {
            let word = match word.find('.') {
                Some(_) => word.trim_start_matches(is_number),
                None if word.chars().all(is_number) => "",
                None => word,
            };
            if word.is_empty() {
                continue;
            }
            let read = [SAN, UCI].into_iter();
            let mut read = read.filter_map(|it| it.read(word.as_bytes(), &position).ok());
            let Some(reading) = read.next() else {
                let plies = positions.len();
                let noun = if plies == 1 { "ply" } else { "plies" };
                return Err(format!("{word} is no move after {plies} {noun}"));
            };
            position = position.play(reading.mv);
            positions.push(position);
        }
        match positions.is_empty() {
            true => Err("it has no move".to_string()),
            false => Ok(Target::Line(positions.into())),
        }
    }

    /// Does the key of a position decide that it is not reached with it?
    pub(super) fn has_keys(&self) -> bool {
        matches!(self, Target::Whole(..) | Target::Set(_))
    }

    /// Can it be reached with a position that has this key, if it has keys?
    #[inline]
    pub(super) fn may_be_of(&self, key: u64) -> bool {
        match self {
            Target::Whole(_, own) => *own == key,
            Target::Set(set) => set.may_have(key),
            Target::Position(..) | Target::Material(_) | Target::Line(_) => true,
        }
    }

    /// Is it reached with this position? `key`: that of the position without its en passant square, where a target has
    /// keys. A line never is reached so: see [`Target::line`].
    #[inline]
    pub(super) fn is_of(&self, position: &Position, key: u64) -> bool {
        match self {
            Target::Position(target, fields) => is_same(target, position, *fields),
            Target::Whole(target, own) => *own == key && is_equal(target, position),
            Target::Material(material) => material.is_of(position),
            Target::Set(set) => set.has_key(position, key),
            Target::Line(_) => false,
        }
    }

    /// The positions of a line.
    pub(super) fn line(&self) -> Option<&[Position]> {
        match self {
            Target::Line(line) => Some(line),
            _ => None,
        }
    }
}

/// Are two positions equal in all fields?
pub(super) fn is_equal(one: &Position, other: &Position) -> bool {
    is_same(one, other, FIELDS)
}

fn is_same(one: &Position, other: &Position, fields: usize) -> bool {
    one.occupied() == other.occupied()
        && one.color(Color::White) == other.color(Color::White)
        && Role::ALL.into_iter().all(|role| one.role(role) == other.role(role))
        && (fields < 2 || one.turn() == other.turn())
        && (fields < 3 || one.castling_rooks() == other.castling_rooks())
        && (fields < 4 || one.legal_en_passant_square() == other.legal_en_passant_square())
}
