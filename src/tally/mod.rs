//! What each notation costs: plies and their texts become counts.
//!
//! What enters are the lengths of the texts of one game and the groups that it belongs to; what leaves are counts that add
//! up, and tables of them. Invariants: integers only, so that merging is exact and in any order; the groups of a dimension
//! sum to the whole; every ply of the main line of every game that was not rejected is
//! counted once for each notation that can write the game, and nothing else is. Variations are proved and converted,
//! but not measured: a table of a game's length counts the game.
//!
//! Notations that are SAN but for their letters are not written out: their counts follow from SAN's and from how often
//! each letter stands, so that fifty languages cost hardly more than one. Dimensions of games cost one addition of rows a
//! game, those of plies one a ply; memory does not grow with the archive, since every dimension has a bounded number of
//! groups (sources apart, of which there are as many as archives).
//!
//! ```
//! use pgnmill::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod frame;
mod game;
mod game_row;
mod groups;
mod keys;
mod labels;
mod layout;
mod order;
mod sums;
mod table;
mod tables;
mod traits;

use std::collections::BTreeMap;

use frame::Frame;
pub use game::GameLengths;
pub use game_row::GameRow;
use groups::Groups;
pub use keys::{Key, Keys};
pub use labels::{GameTags, Labels};
use layout::{Layout, add};
pub use order::Order;
use sums::{LENGTHS, count_lengths};
pub use table::{Column, Grid, Row, Schema};
pub use tables::{SCHEMA_VERSION, find_schema, schemas};
use traits::{CELL_MARKS, CELLS, MARKS, PARTS, SAID_COUNT, flag};

use crate::notation::Length;

/// Moves in a group of the dimension `move`, and their plies.
const MOVE_BAND: usize = 10;
const MOVE_BAND_PLIES: usize = 2 * MOVE_BAND;

/// What one notation cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Games that it can write.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// All characters.
    pub characters: u64,
    /// All bytes.
    pub bytes: u64,
}

/// The counts of many games. Rows are those of `layout.rs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    keys: Keys,
    /// Games that were not rejected, and those of them that have a history from the initial array.
    games: [u64; 2],
    /// What stands between the moves: of all games, and of those with a history.
    frames: [Frame; 2],
    /// How many texts of each written notation have each length: [`LENGTHS`] a notation.
    lengths: Vec<u64>,
    /// How many texts of SAN have each length and letters; see [`game::Shape`].
    shapes: Vec<u64>,
    /// What SAN says of the origin; see [`traits::Traits`].
    said: [u64; SAID_COUNT],
    /// Which shorter texts would be enough; see [`traits::flag`].
    flags: [u64; flag::COUNT],
    /// A row a ply.
    by_ply: Vec<u64>,
    /// A row a cell, if one of its dimensions was asked for.
    cells: Vec<u64>,
    /// Games that have a ply of each name of the cells' dimensions, and those of them that have a history.
    marks: [[u64; 2]; MARKS],
    /// Rows by group, for the dimensions of games.
    groups: Groups,
    /// Rows by archive; whoever knows the archive adds them.
    sources: BTreeMap<String, Vec<u64>>,
    /// The row of the game at hand; zeros between games.
    game: Vec<u64>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::new(Keys::default())
    }
}

impl Tally {
    /// A tally that breaks down by these dimensions.
    pub fn new(keys: Keys) -> Tally {
        let layout = Layout::get();
        let cells = if keys.asks_for_cells() { CELLS } else { 0 };
        Tally {
            keys,
            games: [0; 2],
            frames: [Frame::default(); 2],
            lengths: vec![0; layout.written.len() * LENGTHS],
            shapes: vec![0; game::SHAPES],
            said: [0; SAID_COUNT],
            flags: [0; flag::COUNT],
            by_ply: Vec::new(),
            cells: vec![0; cells * layout.row_len()],
            marks: [[0; 2]; MARKS],
            groups: Groups::new(keys),
            sources: BTreeMap::new(),
            game: layout.row(),
        }
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.games = [0; 2];
        self.frames = [Frame::default(); 2];
        self.said = [0; SAID_COUNT];
        self.flags = [0; flag::COUNT];
        self.marks = [[0; 2]; MARKS];
        self.by_ply.clear();
        self.sources.clear();
        for counts in [&mut self.lengths, &mut self.shapes, &mut self.cells] {
            counts.fill(0);
        }
        self.groups.clear();
    }

    /// The dimensions that it breaks down by.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// Games that were counted.
    pub fn games(&self) -> u64 {
        self.games[0]
    }

    /// Plies that were counted.
    pub fn plies(&self) -> u64 {
        self.cost(0).plies
    }

    /// Adds a game that was proved.
    pub fn add(&mut self, game: &GameLengths, labels: &Labels) {
        let layout = Layout::get();
        let stride = layout.row_len();
        let history = u64::from(game.has_history());
        add(&mut self.games, &[1, history]);
        let frame = Frame::of(game, labels);
        self.frames[0].merge(&frame);
        if history > 0 {
            self.frames[1].merge(&frame);
        }
        if self.by_ply.len() < game.plies_count() * stride {
            self.by_ply.resize(game.plies_count() * stride, 0);
        }
        let (into_game, into_cells) = (self.groups.any(), !self.cells.is_empty());
        let shorter = layout.shorter;
        let mut marks = 0;
        for ((lengths, shape, traits), row) in
            game.plies().zip(self.by_ply.chunks_exact_mut(stride))
        {
            layout.add_ply(row, lengths, shape, history);
            if into_game {
                layout.add_ply(&mut self.game, lengths, shape, history);
            }
            if into_cells {
                let cell = usize::from(traits.cell);
                let row = &mut self.cells[cell * stride..(cell + 1) * stride];
                layout.add_ply(row, lengths, shape, history);
                marks |= CELL_MARKS[cell];
            }
            self.shapes[shape.index()] += 1;
            self.said[usize::from(traits.said)] += 1;
            let saves = |[longer, legal]: [usize; 2]| lengths[longer] != lengths[legal];
            let flags = traits.flags
                | if saves(shorter[0]) { flag::SQUARES_SHORTER } else { 0 }
                | if saves(shorter[1]) { flag::PRIORITY_SHORTER } else { 0 };
            self.flags[usize::from(flags)] += 1;
            count_lengths(&mut self.lengths, lengths);
        }
        while marks != 0 {
            add(&mut self.marks[marks.trailing_zeros() as usize], &[1, history]);
            marks &= marks - 1;
        }
        if into_game {
            layout::add_game(&mut self.game, history);
            self.groups.add(labels, &self.game);
            self.game.fill(0);
        }
    }

    /// Adds what another tally counted, which breaks down by the same dimensions.
    pub fn merge(&mut self, other: &Tally) {
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), 0);
        }
        let pairs: [(&mut [u64], &[u64]); 7] = [
            (&mut self.games, &other.games),
            (&mut self.lengths, &other.lengths),
            (&mut self.shapes, &other.shapes),
            (&mut self.said, &other.said),
            (&mut self.flags, &other.flags),
            (&mut self.by_ply, &other.by_ply),
            (&mut self.cells, &other.cells),
        ];
        for (mine, theirs) in pairs {
            add(mine, theirs);
        }
        for (mine, theirs) in self.frames.iter_mut().zip(&other.frames) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.marks.iter_mut().zip(&other.marks) {
            add(mine, theirs);
        }
        self.groups.merge(&other.groups);
        for (name, row) in &other.sources {
            self.add_row_of_source(name, row);
        }
    }

    /// Adds what another tally counted of one archive.
    pub fn merge_of_source(&mut self, name: &str, other: &Tally) {
        self.merge(other);
        if self.keys.has(Key::Source) && other.games[0] > 0 {
            self.add_row_of_source(name, &other.total());
        }
    }

    fn add_row_of_source(&mut self, name: &str, row: &[u64]) {
        if !self.sources.contains_key(name) {
            self.sources.insert(name.to_string(), Layout::get().row());
        }
        if let Some(sums) = self.sources.get_mut(name) {
            add(sums, row);
        }
    }

    /// The row of all games.
    fn total(&self) -> Vec<u64> {
        let mut total = Layout::get().row();
        for row in self.by_ply.chunks_exact(total.len()) {
            add(&mut total, row);
        }
        total[layout::GAMES..layout::GAMES + 2].copy_from_slice(&self.games);
        total
    }

    /// What a notation cost, by its place in the registry.
    pub fn cost(&self, notation: usize) -> Cost {
        Layout::get().cost(&self.total(), notation)
    }

    /// How many texts of a notation have each length in characters.
    pub fn lengths(&self, notation: usize) -> Vec<u64> {
        match Layout::get().place(notation) {
            layout::Place::Written(index) => {
                let mut lengths = self.lengths[index * LENGTHS..(index + 1) * LENGTHS].to_vec();
                // Nothing was written of a game that the notation cannot write.
                lengths[0] = 0;
                lengths
            }
            layout::Place::Lettered(letters) => {
                let mut lengths = vec![0; LENGTHS];
                for (index, &count) in
                    self.shapes.iter().enumerate().filter(|(_, count)| **count > 0)
                {
                    let length = game::Shape::of_index(index).length(letters);
                    lengths[length.characters as usize] += count;
                }
                lengths
            }
        }
    }

    /// By ply, from the first on: what a notation cost. As many games have a ply as there are plies.
    pub fn by_ply(&self, notation: usize) -> impl Iterator<Item = Cost> {
        self.rows_by_ply().map(move |row| Layout::get().cost(&row, notation))
    }

    fn rows_by_ply(&self) -> impl Iterator<Item = Vec<u64>> {
        self.by_ply.chunks_exact(Layout::get().row_len()).map(|row| {
            let mut row = row.to_vec();
            layout::games_are_plies(&mut row);
            row
        })
    }

    /// By move, in bands: a game that has a ply of a band has the band's first one.
    fn rows_by_move(&self) -> impl Iterator<Item = Vec<u64>> {
        let stride = Layout::get().row_len();
        self.by_ply.chunks(stride * MOVE_BAND_PLIES).map(move |plies| {
            let mut band = plies[..stride].to_vec();
            layout::games_are_plies(&mut band);
            for row in plies[stride..].chunks_exact(stride) {
                add(&mut band, row);
            }
            band
        })
    }

    /// The groups of a dimension that was asked for, those without a ply apart.
    fn groups(&self, key: Key) -> Vec<(String, Vec<u64>)> {
        if let Some(part) = PARTS.iter().find(|part| part.key == key) {
            let names = part.names.iter().enumerate();
            return names
                .map(|(name, label)| (label.to_string(), self.margin(part, name)))
                .collect();
        }
        match key {
            Key::Ply => self
                .rows_by_ply()
                .enumerate()
                .map(|(ply, row)| ((ply + 1).to_string(), row))
                .collect(),
            Key::Move => self
                .rows_by_move()
                .enumerate()
                .map(|(band, row)| {
                    let first = band * MOVE_BAND + 1;
                    (format!("{first}-{}", first + MOVE_BAND - 1), row)
                })
                .collect(),
            Key::Source => {
                self.sources.iter().map(|(name, row)| (name.clone(), row.clone())).collect()
            }
            _ => self.groups.of(key),
        }
    }

    /// The row of all cells of one name.
    fn margin(&self, part: &traits::Part, name: usize) -> Vec<u64> {
        let mut sum = Layout::get().row();
        for (cell, row) in self.cells.chunks_exact(sum.len()).enumerate() {
            if part.name_of(cell) == name {
                add(&mut sum, row);
            }
        }
        sum[layout::GAMES..layout::GAMES + 2].copy_from_slice(&self.marks[part.mark(name)]);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{self, Check, Lineage, MoveText, NOTATIONS, Ply};

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
            tally.add(&game, &Labels::default());
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
            for (length, &count) in tally.lengths(index).iter().enumerate() {
                let texts = all().filter(|t| t.characters_count() == length).count();
                assert_eq!(count, texts as u64, "{name}, {length} characters");
            }
            for (ply, cost) in tally.by_ply(index).enumerate() {
                let here = || {
                    let games = texts.iter().filter_map(|game| game.get(ply));
                    games.map(|texts| texts[index]).filter(|text| text.bytes_count() > 0)
                };
                assert_eq!(cost.plies, here().count() as u64, "{name}, ply {ply}");
                let sum: usize = here().map(|text| text.characters_count()).sum();
                assert_eq!(cost.characters, sum as u64, "{name}, ply {ply}");
                let sum: usize = here().map(|text| text.bytes_count()).sum();
                assert_eq!(cost.bytes, sum as u64, "{name}, ply {ply}");
            }
        }
    }

    /// Labels that fall into many groups.
    fn labels(seed: u64) -> Labels {
        let rating = (1000 + 137 * seed).to_string().into_bytes();
        let date = format!("{}.{:02}.01", 1990 + seed % 7, seed % 14).into_bytes();
        let tags = GameTags {
            ratings: [Some(&rating), Some(b"1500")],
            date: Some(&date),
            time_control: [Some(b"60+0".as_slice()), Some(b"300+3"), None][seed as usize % 3],
            result: [Some("1-0"), Some("1/2-1/2"), None][seed as usize % 3],
            ..GameTags::default()
        };
        Labels::of(&tags, Keys::ALL)
    }

    #[test]
    fn merging_is_adding_in_any_order() {
        let games: Vec<(GameLengths, Labels)> = (0..9)
            .map(|seed| (walk(seed, 40 * seed as usize, seed % 2 == 0).0, labels(seed)))
            .collect();
        let tally = |games: &[(GameLengths, Labels)]| {
            let mut tally = Tally::new(Keys::ALL);
            games.iter().for_each(|(game, labels)| tally.add(game, labels));
            let mut all = Tally::new(Keys::ALL);
            all.merge_of_source("an archive", &tally);
            all
        };
        let together = tally(&games);
        for split in 0..=games.len() {
            let (mut left, right) = (tally(&games[..split]), tally(&games[split..]));
            let mut other = right.clone();
            other.merge(&left);
            left.merge(&right);
            assert_eq!(left, together);
            assert_eq!(other, together);
            left.clear();
            left.merge(&together);
            assert_eq!(left, together);
        }
    }

    /// The groups of every dimension sum to the whole, for every notation; those of games in games too.
    #[test]
    fn groups_sum_to_the_whole() {
        let mut games = Tally::new(Keys::ALL);
        for seed in 0..40 {
            games.add(&walk(seed, 7 * seed as usize, seed % 4 != 0).0, &labels(seed));
        }
        let mut tally = Tally::new(Keys::ALL);
        tally.merge_of_source("here", &games);
        for key in Key::ALL {
            let groups = tally.groups(key);
            assert!(
                groups.iter().filter(|(_, row)| row[0] > 0).count() > 1
                    || key == Key::Source
                    || matches!(key, Key::EcoLetter | Key::Eco | Key::Title),
                "{key:?}"
            );
            for (index, notation) in NOTATIONS.iter().enumerate() {
                let mut sum = Cost::default();
                for (_, row) in &groups {
                    let cost = Layout::get().cost(row, index);
                    sum.games += cost.games;
                    sum.plies += cost.plies;
                    sum.characters += cost.characters;
                    sum.bytes += cost.bytes;
                }
                let whole = tally.cost(index);
                let of_games = labels::GAME_KEYS.contains(&key) || key == Key::Source;
                assert!(sum.games >= whole.games.min(whole.plies));
                sum.games = if of_games { sum.games } else { whole.games };
                assert_eq!(sum, whole, "{key:?}, {}", notation.info().name);
            }
        }
    }
}
