//! How often each character occurs in the texts of each notation.
//!
//! In: the moves of valid games. Out: counts that add up ([`Characters`]). Notations that are SAN in other letters are
//! not written: their characters follow from SAN's and the letters of each side. Invariants: integers only; merging is
//! adding, in any order; memory is bounded by the characters of the notations. Cost: one text per ply and notation that
//! is not SAN in other letters.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::{Check, Ply, SAN};
//! use pgnmill_core::tasks::measure::study::{Characters, GameMoves};
//! use pgnmill_core::tasks::measure::tally::Selection;
//! let position = Position::initial();
//! let mv = SAN.decode(&position, b"e4")?;
//! let after = position.play(mv);
//! let mut game = GameMoves::default();
//! game.push(&Ply::new(&position, mv, &after, Check::None));
//! let mut characters = Characters::of(Selection::of(&[SAN]));
//! characters.add(&game);
//! assert_eq!(characters.grid().get(&["san", "4"]), Some(&[1][..]));
//! # Ok::<(), pgnmill_core::notation::DecodeError>(())
//! ```

use std::collections::BTreeMap;

use pgnmill_state::state;

use crate::chess::{Color, Role};
use crate::notation::{Localized, MoveText, NOTATIONS, SAN};
use crate::tables::{Grid, characters};
use crate::tasks::measure::tally::Selection;

use super::GameMoves;

/// Codes below this have a place of their own.
const ASCII: usize = 128;

/// How often each character occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counts {
    /// By code, of ASCII.
    ascii: Vec<u64>,
    /// By code, of all others.
    others: BTreeMap<u32, u64>,
}

state!(Counts { ascii, others });

/// Counts of characters, by notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Characters {
    /// By index in the registry; those that are SAN in other letters have none.
    written: BTreeMap<usize, Counts>,
    /// The indexes of those.
    lettered: Vec<usize>,
    /// SAN's, of White and of Black.
    san: [Counts; 2],
}

state!(Characters { written, lettered, san });

impl Default for Counts {
    fn default() -> Counts {
        Counts { ascii: vec![0; ASCII], others: BTreeMap::new() }
    }
}

impl Counts {
    fn add_text(&mut self, text: &MoveText) {
        let bytes = text.as_bytes();
        if bytes.is_ascii() {
            for &byte in bytes {
                if let Some(count) = self.ascii.get_mut(usize::from(byte)) {
                    *count += 1;
                }
            }
        } else {
            text.to_string().chars().for_each(|character| self.add(character, 1));
        }
    }

    fn add(&mut self, character: char, more: u64) {
        match self.ascii.get_mut(character as usize) {
            Some(count) => *count += more,
            None => *self.others.entry(character.into()).or_default() += more,
        }
    }

    fn merge(&mut self, other: &Counts) {
        other.iter().for_each(|(character, more)| self.add(character, more));
    }

    /// Characters that occur, and how often.
    fn iter(&self) -> impl Iterator<Item = (char, u64)> {
        let ascii = self.ascii.iter().copied().zip(0u32..).map(|(count, code)| (code, count));
        let others = self.others.iter().map(|(&code, &count)| (code, count));
        let all = ascii.chain(others).filter(|(_, count)| *count > 0);
        all.filter_map(|(code, count)| Some((char::from_u32(code)?, count)))
    }

    /// The characters of texts in which SAN's letters are these.
    fn add_in_letters(&mut self, san: &Counts, letters: &[&str; 6]) {
        for (character, count) in san.iter() {
            let role = u8::try_from(character).ok().and_then(Role::from_letter);
            match role.and_then(|role| letters.get(role as usize)) {
                Some(letters) => letters.chars().for_each(|letter| self.add(letter, count)),
                None => self.add(character, count),
            }
        }
    }
}

fn localized(place: usize) -> Option<&'static Localized> {
    NOTATIONS.get(place).and_then(|notation| notation.localized())
}

impl Characters {
    /// Nothing counted yet, of these notations.
    pub fn of(selection: Selection) -> Characters {
        let (lettered, written) = selection.iter().partition(|&place| localized(place).is_some());
        let none = |places: Vec<usize>| places.into_iter().map(|place| (place, Counts::default()));
        Characters { written: none(written).collect(), lettered, san: Default::default() }
    }

    /// Has the other the same notations?
    pub fn is_like(&self, other: &Characters) -> bool {
        self.written.keys().eq(other.written.keys()) && self.lettered == other.lettered
    }

    /// Adds a valid game.
    pub fn add(&mut self, game: &GameMoves) {
        game.replay(|ply| {
            for (&place, counts) in &mut self.written {
                let mut text = MoveText::default();
                if let Some(notation) = NOTATIONS.get(place) {
                    // The text is empty in a game that the notation cannot write.
                    notation.encode_ply(ply, &mut text);
                    counts.add_text(&text);
                }
            }
            if !self.lettered.is_empty() {
                let mut text = MoveText::default();
                SAN.encode_ply(ply, &mut text);
                self.san[usize::from(ply.before().turn() == Color::Black)].add_text(&text);
            }
        });
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Characters) {
        for (&place, theirs) in &other.written {
            self.written.entry(place).or_default().merge(theirs);
        }
        self.san.iter_mut().zip(&other.san).for_each(|(mine, theirs)| mine.merge(theirs));
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(&characters::SCHEMA);
        let mut push = |place: usize, counts: &Counts| {
            let Some(notation) = NOTATIONS.get(place) else { return };
            for (character, count) in counts.iter() {
                grid.push(&[notation.info().name, &character.to_string()], &[count]);
            }
        };
        self.written.iter().for_each(|(&place, counts)| push(place, counts));
        for &place in &self.lettered {
            let mut counts = Counts::default();
            for (san, color) in self.san.iter().zip([Color::White, Color::Black]) {
                if let Some(localized) = localized(place) {
                    counts.add_in_letters(san, localized.set(color));
                }
            }
            push(place, &counts);
        }
        grid
    }
}
