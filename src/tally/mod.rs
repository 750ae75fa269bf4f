//! What each notation costs: plies and their texts become counts.
//!
//! What enters are the lengths of the texts of one game; what leaves are counts that add up. Invariants: integers only,
//! so that merging is exact and in any order; every ply of the main line of every game that was not rejected is
//! counted once for each notation that can write the game, and nothing else is. Variations are proved and converted,
//! but not measured: a table of a game's length counts the game.
//!
//! Notations that are SAN but for their letters are not written out: their counts follow from SAN's and from how often
//! each letter stands, so that fifty languages cost hardly more than one.
//!
//! ```
//! use pgnmill::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod game;
mod layout;
mod rows;
mod sums;

pub use game::GameLengths;
use layout::Layout;
pub use rows::{GameRow, write_by_ply, write_lengths, write_notations};
use sums::{LENGTHS, add_characters, count_lengths};

use crate::notation::{Length, NOTATIONS};

/// A column for plies, one for plies of games with a history, six for letters; then one a written notation.
const FIXED_COLUMNS: usize = 8;

/// What one notation cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Games that it can write.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// All characters.
    pub characters: u64,
    /// All bytes.
    pub bytes: u64,
    /// How many texts had each length in characters.
    pub lengths: Vec<u64>,
}

/// The counts of many games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games that were not rejected, and those of them that have a history from the initial array.
    games: [u64; 2],
    /// Their plies.
    plies: [u64; 2],
    /// Bytes of each written notation whose bytes are not its characters.
    bytes: Vec<u64>,
    /// How many texts of each written notation have each length: [`LENGTHS`] a notation.
    lengths: Vec<u64>,
    /// How many texts of SAN have each length and letters; see [`game::Shape`].
    shapes: Vec<u64>,
    /// By ply: [`FIXED_COLUMNS`] and the characters of each written notation.
    by_ply: Vec<u64>,
}

impl Default for Tally {
    fn default() -> Tally {
        let written = Layout::get().written.len();
        Tally {
            games: [0; 2],
            plies: [0; 2],
            bytes: vec![0; written],
            lengths: vec![0; written * LENGTHS],
            shapes: vec![0; game::SHAPES],
            by_ply: Vec::new(),
        }
    }
}

impl Tally {
    fn stride(&self) -> usize {
        FIXED_COLUMNS + self.bytes.len()
    }

    /// Games that were counted.
    pub fn games(&self) -> u64 {
        self.games[0]
    }

    /// Plies that were counted.
    pub fn plies(&self) -> u64 {
        self.plies[0]
    }

    /// Adds a game that was proved.
    pub fn add(&mut self, game: &GameLengths) {
        let (stride, layout) = (self.stride(), Layout::get());
        let history = u64::from(game.has_history());
        let plies = game.plies_count() as u64;
        for (sum, one) in self.games.iter_mut().zip([1, history]) {
            *sum += one;
        }
        for (sum, one) in self.plies.iter_mut().zip([plies, plies * history]) {
            *sum += one;
        }
        if self.by_ply.len() < game.plies_count() * stride {
            self.by_ply.resize(game.plies_count() * stride, 0);
        }
        for ((lengths, shape), row) in game.plies().zip(self.by_ply.chunks_exact_mut(stride)) {
            let (fixed, characters) = row.split_at_mut(FIXED_COLUMNS);
            fixed[0] += 1;
            fixed[1] += history;
            for letter in shape.letters() {
                fixed[2 + letter.index()] += 1;
            }
            self.shapes[shape.index()] += 1;
            add_characters(characters, lengths);
            count_lengths(&mut self.lengths, lengths);
            for &index in &layout.wide {
                self.bytes[index] += u64::from(lengths[index].bytes);
            }
        }
    }

    /// Adds what another tally counted.
    pub fn merge(&mut self, other: &Tally) {
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), 0);
        }
        let pairs: [(&mut [u64], &[u64]); 6] = [
            (&mut self.games, &other.games),
            (&mut self.plies, &other.plies),
            (&mut self.bytes, &other.bytes),
            (&mut self.lengths, &other.lengths),
            (&mut self.shapes, &other.shapes),
            (&mut self.by_ply, &other.by_ply),
        ];
        for (mine, theirs) in pairs {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
    }

    /// What a notation cost, by its place in the registry.
    pub fn cost(&self, notation: usize) -> Cost {
        let whole = usize::from(NOTATIONS[notation].needs_lineage());
        let (games, plies) = (self.games[whole], self.plies[whole]);
        match Layout::get().place(notation) {
            layout::Place::Written(index) => {
                let mut lengths = self.lengths[index * LENGTHS..(index + 1) * LENGTHS].to_vec();
                // Nothing was written of a game that the notation cannot write.
                lengths[0] = 0;
                let characters =
                    lengths.iter().enumerate().map(|(n, count)| n as u64 * count).sum();
                let wide = Layout::get().wide.contains(&index);
                let bytes = if wide { self.bytes[index] } else { characters };
                Cost { games, plies, characters, bytes, lengths }
            }
            layout::Place::Lettered(letters) => {
                let mut cost = Cost { games, plies, lengths: vec![0; LENGTHS], ..Cost::default() };
                for (index, &count) in
                    self.shapes.iter().enumerate().filter(|(_, count)| **count > 0)
                {
                    let length = game::Shape::of_index(index).length(letters);
                    cost.characters += u64::from(length.characters) * count;
                    cost.bytes += u64::from(length.bytes) * count;
                    cost.lengths[length.characters as usize] += count;
                }
                cost
            }
        }
    }

    /// By ply, from the first on: how many texts of a notation, and their characters.
    pub fn by_ply(&self, notation: usize) -> impl Iterator<Item = (u64, u64)> {
        let whole = usize::from(NOTATIONS[notation].needs_lineage());
        let place = Layout::get().place(notation);
        self.by_ply.chunks_exact(self.stride()).map(move |row| {
            let (fixed, characters) = row.split_at(FIXED_COLUMNS);
            let sum = match place {
                layout::Place::Written(index) => characters[index],
                layout::Place::Lettered(letters) => {
                    // SAN comes first, and each letter of its is one character.
                    let more = letters
                        .iter()
                        .zip(&fixed[2..])
                        .map(|(letter, count)| (u64::from(letter.characters) * count, *count));
                    more.fold(characters[0], |sum, (here, there)| sum + here - there)
                }
            };
            (fixed[whole], sum)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{self, Check, Lineage, MoveText, Ply};

    /// Games of a fixed pseudo-random walk, with and without history.
    fn walk(seed: u64, plies: usize, history: bool) -> (GameLengths, Vec<Vec<MoveText>>) {
        let (mut game, mut texts) = (GameLengths::default(), Vec::new());
        let (mut position, mut state) = (Position::initial(), seed);
        let mut lineage = history.then(Lineage::initial);
        game.clear();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mv = moves[(state >> 33) as usize % moves.len()];
            let after = position.play(mv);
            let ply =
                Ply::new(&position, mv, &after, Check::of(&after)).with_lineage(lineage.as_ref());
            game.observe(&ply);
            texts.push(
                NOTATIONS
                    .iter()
                    .map(|&notation| notation::write_in(notation, &position, mv, lineage.as_ref()))
                    .collect(),
            );
            lineage = lineage.map(|lineage| lineage.after(mv));
            position = after;
        }
        (game, texts)
    }

    /// The counts that are derived are those of the texts themselves, for every notation.
    #[test]
    fn costs_are_those_of_the_texts() {
        let mut tally = Tally::default();
        let mut texts = Vec::new();
        for seed in 0..40 {
            let (game, written) = walk(seed, 300, seed % 4 != 0);
            tally.add(&game);
            texts.push(written);
        }
        for (index, notation) in NOTATIONS.iter().enumerate() {
            let name = notation.info().name;
            let all =
                || texts.iter().flatten().map(|ply| ply[index]).filter(|t| t.bytes_count() > 0);
            let cost = tally.cost(index);
            assert_eq!(cost.plies, all().count() as u64, "{name}");
            assert_eq!(
                cost.characters,
                all().map(|t| t.characters_count() as u64).sum::<u64>(),
                "{name}"
            );
            assert_eq!(cost.bytes, all().map(|t| t.bytes_count() as u64).sum::<u64>(), "{name}");
            for (length, &count) in cost.lengths.iter().enumerate() {
                let texts = all().filter(|t| t.characters_count() == length).count();
                assert_eq!(count, texts as u64, "{name}, {length} characters");
            }
            for (ply, (plies, characters)) in tally.by_ply(index).enumerate() {
                let here = || {
                    let games = texts.iter().filter_map(|game| game.get(ply));
                    games.map(|texts| texts[index]).filter(|text| text.bytes_count() > 0)
                };
                assert_eq!(plies, here().count() as u64, "{name}, ply {ply}");
                let sum: usize = here().map(|text| text.characters_count()).sum();
                assert_eq!(characters, sum as u64, "{name}, ply {ply}");
            }
        }
    }

    #[test]
    fn merging_is_adding_in_any_order() {
        let games: Vec<GameLengths> =
            (0..9).map(|seed| walk(seed, 40 * seed as usize, seed % 2 == 0).0).collect();
        let mut together = Tally::default();
        games.iter().for_each(|game| together.add(game));
        for split in 0..=games.len() {
            let (mut left, mut right) = (Tally::default(), Tally::default());
            games[..split].iter().for_each(|game| left.add(game));
            games[split..].iter().for_each(|game| right.add(game));
            let mut other = right.clone();
            other.merge(&left);
            left.merge(&right);
            assert_eq!(left, together);
            assert_eq!(other, together);
        }
    }
}
