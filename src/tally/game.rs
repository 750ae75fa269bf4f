//! One game's lengths: what a ply costs in every notation, before it is known whether the game is proved.

use crate::board::{Color, Role};
use crate::notation::{Facts, LENGTHS_COUNT, Length, Ply};

use super::layout::LetterLengths;
use super::traits::Traits;

/// Lengths of SAN texts, 0 to 7 characters.
const SAN_LENGTHS: usize = 8;
/// A letter or none.
const LETTERS: usize = 7;
/// Into how many shapes the texts of SAN fall.
pub(super) const SHAPES: usize = SAN_LENGTHS * LETTERS * LETTERS;

/// What the length of a text in other letters depends on: SAN's length, the piece letter and the promotion's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    characters: u8,
    piece: Option<Role>,
    promoted: Option<Role>,
}

impl Shape {
    fn of(ply: &Ply<'_>, characters: u8) -> Shape {
        let mv = ply.mv();
        let lettered = mv.role() != Role::Pawn && mv.castling_side().is_none();
        Shape { characters, piece: lettered.then(|| mv.role()), promoted: mv.promoted() }
    }

    pub(super) fn index(self) -> usize {
        let number = |letter: Option<Role>| letter.map_or(0, |role| role.index() + 1);
        (self.characters as usize * LETTERS + number(self.piece)) * LETTERS + number(self.promoted)
    }

    pub(super) fn of_index(index: usize) -> Shape {
        let letter = |number: usize| number.checked_sub(1).and_then(|n| Role::from_index(n as u8));
        Shape {
            characters: (index / LETTERS / LETTERS) as u8,
            piece: letter(index / LETTERS % LETTERS),
            promoted: letter(index % LETTERS),
        }
    }

    /// The letters in the text.
    pub(super) fn letters(self) -> impl Iterator<Item = Role> {
        [self.piece, self.promoted].into_iter().flatten()
    }

    /// The length of the text with letters of other lengths.
    pub(super) fn length(self, letters: &LetterLengths) -> Length {
        let mut length = Length { characters: self.characters, bytes: self.characters };
        for role in self.letters() {
            length.characters += letters[role.index()].characters - 1;
            length.bytes += letters[role.index()].bytes - 1;
        }
        length
    }
}

/// The lengths of all texts of one game's main line. Used again for every game, so that nothing is allocated
/// once it has held the longest.
#[derive(Clone, Debug, Default)]
pub struct GameLengths {
    /// Ply by ply, and for each ply in the order of the written notations.
    lengths: Vec<[Length; LENGTHS_COUNT]>,
    shapes: Vec<Shape>,
    traits: Vec<Traits>,
    has_history: bool,
    /// Who makes the first move, and its number.
    first: Option<(Color, u32)>,
}

impl GameLengths {
    /// Forgets the last game.
    pub fn clear(&mut self) {
        self.lengths.clear();
        self.shapes.clear();
        self.traits.clear();
        self.has_history = false;
        self.first = None;
    }

    /// Keeps the lengths of a ply's texts.
    #[inline]
    pub fn observe(&mut self, ply: &Ply<'_>) {
        self.has_history = ply.lineage().is_some();
        if self.first.is_none() {
            self.first = Some((ply.color(), ply.before().fullmove_number()));
        }
        let facts = Facts::of(ply);
        let lengths = facts.lengths();
        // SAN comes first.
        self.shapes.push(Shape::of(ply, lengths[0].characters));
        self.lengths.push(lengths);
        self.traits.push(Traits::of(ply, &facts));
    }

    /// Has the game a history from the initial array? Of a game without a move it is not asked.
    pub fn has_history(&self) -> bool {
        self.has_history || self.shapes.is_empty()
    }

    /// How many plies.
    pub fn plies_count(&self) -> usize {
        self.shapes.len()
    }

    /// Who makes the first move, and its number; as in the initial array if there is none.
    pub(super) fn first(&self) -> (Color, u32) {
        self.first.unwrap_or((Color::White, 1))
    }

    pub(super) fn plies(&self) -> impl Iterator<Item = (&[Length; LENGTHS_COUNT], Shape, Traits)> {
        let shapes = self.shapes.iter().copied().zip(self.traits.iter().copied());
        self.lengths.iter().zip(shapes).map(|(lengths, (shape, traits))| (lengths, shape, traits))
    }
}
