//! What each notation costs: plies and their texts become counts.
//!
//! What enters are the lengths of the texts of one game and the groups that it belongs to; what leaves are counts that add
//! up, and tables of them. Invariants: integers only, so that merging is exact and in any order; the groups of a dimension
//! sum to the whole; every ply of the main line of every game that was not rejected is
//! counted once for each notation that can write the game, and nothing else is. Variations are proved and converted,
//! but not measured: a table of a game's length counts the game.
//!
//! Plies after the [`PLIES_MAX`]th are one group, and of a game that is longer only a stretch is held, so that neither
//! memory nor tables grow with the longest game.
//!
//! Notations that are SAN but for their letters are not written out: their counts follow from SAN's and from how often
//! each letter stands, so that fifty languages cost hardly more than one. Dimensions of games cost one addition of rows a
//! game, those of plies one a ply; memory does not grow with the archive, since every dimension has a bounded number of
//! groups.
//!
//! ```
//! use pgnmill::tasks::measure::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod frame;
mod game;
mod game_row;
mod groups;
mod labels;
mod later;
mod layout;
mod pairs;
mod ply_record;
mod selection;
mod sources;
mod tables;
mod traits;

use std::sync::LazyLock;

use frame::Frame;
pub use game::GameLengths;
pub use game_row::GameRow;
use groups::Groups;
pub use labels::{GameTags, Labels};
use layout::{EMPTY_ROW, FREE_LANES, LANES, LANES_AT, Layout, Row as Sums, add};
use pairs::{LENGTH_MAX, Pairs};
pub use selection::Selection;
use sources::Sources;
use traits::{CELLS, MARKS, PARTS, PLACES};

use crate::notation::{Length, MOVE_TEXT_BYTES_MAX, NOTATIONS, Shape};
use crate::tables::groups::{MOVE_BAND_PLIES, PLIES_MAX, name_of_band, name_of_ply};
use crate::tables::lengths::LENGTHS;
pub use crate::tables::{Dimension, Dimensions};

const _: () = assert!(MOVE_TEXT_BYTES_MAX < LENGTHS);

/// Plies by index, at one place.
type Indices = [u64; Shape::COUNT];
/// Games that are counted in half words before they are added up: no lane of so many is too large for one.
const GAMES_PENDING_MAX: u32 = 1 << 24;

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
    keys: Dimensions,
    selection: Selection,
    /// Games that were not rejected, and those of them that have a history from the initial array.
    games: [u64; 2],
    /// What stands between the moves: of all games, and of those with a history.
    frames: [Frame; 2],
    /// Plies by index, of games without a history at each place, then of those with one.
    indices: Vec<Indices>,
    /// How many texts of each free notation have each length.
    lengths: Pairs,
    /// A row a ply.
    by_ply: Vec<[u64; LANES]>,
    /// The same of the last games, in half words.
    pending: Vec<[u32; LANES]>,
    pending_games: u32,
    /// The row of the plies after the [`PLIES_MAX`]th, and the games that have one.
    later: Box<Sums>,
    /// The free lanes of each cell, if one of its dimensions was asked for.
    cells: Vec<[u64; FREE_LANES]>,
    /// Games that have a ply of each name of the cells' dimensions, and those of them that have a history.
    marks: [[u64; 2]; MARKS],
    /// Rows by group, for the dimensions of games.
    groups: Groups,
    /// Rows by archive; whoever knows the archive adds them.
    sources: Sources,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::new(Dimensions::default(), Selection::default())
    }
}

impl Tally {
    /// A tally of these notations that breaks down by these dimensions.
    pub fn new(keys: Dimensions, selection: Selection) -> Tally {
        let cells = if keys.needs_cells() { CELLS } else { 0 };
        let places = if keys.needs_cells() { PLACES } else { 1 };
        Tally {
            keys,
            selection,
            games: [0; 2],
            frames: [Frame::default(); 2],
            indices: vec![[0; Shape::COUNT]; 2 * places],
            lengths: Pairs::new(),
            by_ply: Vec::new(),
            pending: Vec::new(),
            pending_games: 0,
            later: Box::new(EMPTY_ROW),
            cells: vec![[0; FREE_LANES]; cells],
            marks: [[0; 2]; MARKS],
            groups: Groups::new(keys),
            sources: Sources::default(),
        }
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.games = [0; 2];
        self.frames = [Frame::default(); 2];
        self.lengths.clear();
        self.marks = [[0; 2]; MARKS];
        self.by_ply.clear();
        self.pending.clear();
        self.pending_games = 0;
        self.later.fill(0);
        self.sources.clear();
        self.indices.fill([0; Shape::COUNT]);
        self.cells.fill([0; FREE_LANES]);
        self.groups.clear();
    }

    /// The dimensions that it breaks down by.
    pub fn keys(&self) -> Dimensions {
        self.keys
    }

    /// The notations that it measures.
    pub fn selection(&self) -> Selection {
        self.selection
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
    #[inline(always)]
    pub fn add(&mut self, game: &GameLengths, labels: &Labels) {
        let history = u64::from(game.has_history());
        add(&mut self.games, &[1, history]);
        let frame = Frame::of(game, labels);
        self.frames[0].merge(&frame);
        if history > 0 {
            self.frames[1].merge(&frame);
        }
        if self.pending_games == GAMES_PENDING_MAX {
            self.settle();
        }
        self.pending_games += 1;
        let numbered = game.numbered().len();
        if self.pending.len() < numbered {
            self.pending.resize(numbered, [0; LANES]);
        }
        match self.groups.any() {
            false => drop(self.add_plies::<false>(game)),
            true => {
                let mut row = self.add_plies::<true>(game);
                layout::set_games(&mut row, [1, history]);
                self.groups.add(labels, &row);
            }
        }
        if !self.cells.is_empty() {
            self.add_to_cells(game);
        }
    }

    /// Counts the plies of a game; gives their sum if it is wanted.
    #[inline(always)]
    fn add_plies<const WITH_SUM: bool>(&mut self, game: &GameLengths) -> Sums {
        let layout = Layout::get();
        let shapes = layout.shapes(game.has_history());
        let places = self.indices.len() / 2;
        let (without, with) = self.indices.split_at_mut(places);
        let indices = if game.has_history() { with } else { without };
        let mut sum = [0u32; LANES];
        for (stroke, row) in game.numbered().iter().zip(&mut self.pending) {
            let index = stroke.index();
            let lanes = layout::lanes_of(&shapes[index], stroke.free);
            layout::add_lanes(row, lanes);
            if WITH_SUM {
                layout::add_lanes(&mut sum, lanes);
            }
            indices[stroke.place() % places][index] += 1;
            self.lengths.count(stroke.free);
        }
        let mut row = EMPTY_ROW;
        for (lane, sum) in row[LANES_AT..].iter_mut().zip(sum) {
            *lane = u64::from(sum);
        }
        if game.plies_count() > PLIES_MAX {
            let later = &game.strokes()[PLIES_MAX..];
            self.add_later(later, game.folded(), game.has_history(), &mut row);
        }
        row
    }

    /// Adds what plies do not say by their index to the cells that they belong to.
    #[inline(always)]
    fn add_to_cells(&mut self, game: &GameLengths) {
        let history = u64::from(game.has_history());
        let mut marks = self.add_strokes_to_cells(game.strokes()) | game.folded_marks();
        while marks != 0 {
            add(&mut self.marks[marks.trailing_zeros() as usize], &[1, history]);
            marks &= marks - 1;
        }
    }

    /// Adds up what is pending.
    fn settle(&mut self) {
        add_pending(&mut self.by_ply, &self.pending);
        self.pending.clear();
        self.pending_games = 0;
    }

    /// Adds what another tally counted, of the same notations and dimensions.
    pub fn merge(&mut self, other: &Tally) {
        self.settle();
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), [0; LANES]);
        }
        add_all(&mut self.by_ply, &other.by_ply);
        add_pending(&mut self.by_ply, &other.pending);
        add(&mut self.later[..], &other.later[..]);
        add_all(&mut self.indices, &other.indices);
        self.lengths.merge(&other.lengths);
        add_all(&mut self.cells, &other.cells);
        add_all(&mut self.marks, &other.marks);
        add(&mut self.games, &other.games);
        for (mine, theirs) in self.frames.iter_mut().zip(&other.frames) {
            mine.merge(theirs);
        }
        self.groups.merge(&other.groups);
        self.sources.merge(&other.sources);
    }

    /// Adds what another tally counted of one archive.
    pub fn merge_of_source(&mut self, name: &str, other: &Tally) {
        self.merge(other);
        if self.keys.has(Dimension::Source) && other.games[0] > 0 {
            self.sources.add(name, &other.total());
        }
    }

    /// The row of all games.
    fn total(&self) -> Sums {
        let mut total = EMPTY_ROW;
        for row in self.rows_by_ply() {
            add(&mut total, &row);
        }
        layout::set_games(&mut total, self.games);
        total
    }

    /// What a notation cost, by its place in the registry.
    pub fn cost(&self, notation: usize) -> Cost {
        Layout::get().cost(&self.total(), notation)
    }

    /// How many texts of a notation have each length in characters.
    pub fn lengths(&self, notation: usize) -> Vec<u64> {
        let mut lengths = vec![0; LENGTHS];
        let place = Layout::get().place(notation);
        if let layout::Place::Free(place) = place {
            lengths[..=LENGTH_MAX].copy_from_slice(&self.lengths.lengths(*place));
            // Nothing was written of a game that the notation cannot write.
            lengths[0] = 0;
            return lengths;
        }
        for (_, shape, plies) in self.shapes() {
            let characters = match place {
                layout::Place::Lettered(letters) => layout::lettered_characters(shape, letters),
                _ => NOTATIONS[notation].shape_length(shape).unwrap_or_default().characters,
            };
            lengths[usize::from(characters) % LENGTHS] += plies;
        }
        lengths
    }

    /// How many plies have each index, those without apart, with the shape that they have then.
    fn shapes(&self) -> impl Iterator<Item = (usize, Shape, u64)> {
        let counts = (0..Shape::COUNT).filter_map(|index| {
            let plies = self.indices.iter().map(|indices| indices[index]).sum();
            Some((index, Shape::from_index(index)?, plies))
        });
        counts.filter(|(_, _, plies)| *plies > 0)
    }

    /// By ply, from the first on: what a notation cost. As many games have a ply as there are plies; but behind the
    /// [`PLIES_MAX`]th come all later ones together.
    pub fn by_ply(&self, notation: usize) -> impl Iterator<Item = Cost> {
        self.rows_by_ply().map(move |row| Layout::get().cost(&row, notation))
    }

    fn rows_by_ply(&self) -> impl Iterator<Item = Sums> {
        let later = (self.later[layout::GAMES] > 0).then_some(*self.later);
        let numbered = (0..self.by_ply.len().max(self.pending.len())).map(|ply| {
            let mut row = EMPTY_ROW;
            if let Some(lanes) = self.by_ply.get(ply) {
                add(&mut row[LANES_AT..], lanes);
            }
            if let Some(lanes) = self.pending.get(ply) {
                add(&mut row[LANES_AT..], &lanes.map(u64::from));
            }
            layout::games_are_plies(&mut row);
            row
        });
        numbered.chain(later)
    }

    /// By move, in bands: a game that has a ply of a band has the band's first one.
    fn rows_by_move(&self) -> Vec<Sums> {
        let mut bands: Vec<Sums> = Vec::new();
        for (ply, row) in self.rows_by_ply().enumerate() {
            match bands.last_mut() {
                Some(band) if ply % MOVE_BAND_PLIES > 0 => {
                    add(&mut band[LANES_AT..], &row[LANES_AT..]);
                }
                _ => bands.push(row),
            }
        }
        bands
    }

    /// The groups of a dimension that was asked for, those without a ply apart.
    fn groups(&self, key: Dimension) -> Vec<(String, Sums)> {
        if let Some(part) = PARTS.iter().find(|part| part.key == key) {
            let names = part.names.iter().enumerate();
            return names
                .map(|(name, label)| (label.to_string(), self.margin(part, name)))
                .collect();
        }
        match key {
            Dimension::Ply => {
                let rows = self.rows_by_ply().enumerate();
                rows.map(|(ply, row)| (name_of_ply(ply), row)).collect()
            }
            Dimension::Move => {
                let bands = self.rows_by_move().into_iter().enumerate();
                bands.map(|(band, row)| (name_of_band(band), row)).collect()
            }
            Dimension::Source => self.sources.of(),
            _ => self.groups.of(key),
        }
    }

    /// The row of all cells of one name.
    fn margin(&self, part: &traits::Part, name: usize) -> Sums {
        let (layout, mut sum) = (Layout::get(), EMPTY_ROW);
        for (number, indices) in self.indices.iter().enumerate() {
            let place = number % PLACES;
            let lanes = layout.shapes(number >= PLACES);
            for (index, &plies) in indices.iter().enumerate().filter(|(_, plies)| **plies > 0) {
                let cell = usize::from(CELLS_BY_INDEX[index].0) + place;
                if part.name_of(cell) == name {
                    layout::add_shaped(&mut sum, &lanes[index], plies);
                }
            }
        }
        for (_, free) in
            self.cells.iter().enumerate().filter(|(cell, _)| part.name_of(*cell) == name)
        {
            layout::add_free(&mut sum, free);
        }
        layout::set_games(&mut sum, self.marks[part.mark(name)]);
        sum
    }
}

/// The cell of each index at the first place, and its marks but those of the place.
static CELLS_BY_INDEX: LazyLock<Vec<(u16, u32)>> = LazyLock::new(|| {
    let of_place = MARKS_BY_PLACE.iter().fold(0, |all, marks| all | marks);
    let shapes = (0..Shape::COUNT).map(Shape::from_index);
    let cells = shapes.map(|shape| shape.map_or(0, |shape| traits::cell_of(shape, 0)));
    cells.map(|cell| (cell as u16, traits::marks_of(cell) & !of_place)).collect()
});

/// The marks of side and phase, by place.
static MARKS_BY_PLACE: LazyLock<[u32; PLACES]> = LazyLock::new(|| {
    let both = PARTS.iter().filter(|part| matches!(part.key, Dimension::Side | Dimension::Phase));
    let names = both.flat_map(|part| (0..part.names.len()).map(|name| 1 << part.mark(name)));
    let all: u32 = names.fold(0, |all, mark| all | mark);
    std::array::from_fn(|place| traits::marks_of(place) & all)
});

/// Adds rows of numbers one by one.
fn add_all<const N: usize>(sums: &mut [[u64; N]], others: &[[u64; N]]) {
    for (sums, others) in sums.iter_mut().zip(others) {
        add(sums, others);
    }
}

fn add_pending(sums: &mut Vec<[u64; LANES]>, pending: &[[u32; LANES]]) {
    if sums.len() < pending.len() {
        sums.resize(pending.len(), [0; LANES]);
    }
    for (sums, pending) in sums.iter_mut().zip(pending) {
        add(sums, &pending.map(u64::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
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
        Labels::of(&tags, Dimensions::ALL)
    }

    #[test]
    fn merging_is_adding_in_any_order() {
        let games: Vec<(GameLengths, Labels)> = (0..9)
            .map(|seed| (walk(seed, 40 * seed as usize, seed % 2 == 0).0, labels(seed)))
            .collect();
        let tally = |games: &[(GameLengths, Labels)]| {
            let mut tally = Tally::new(Dimensions::ALL, Selection::default());
            games.iter().for_each(|(game, labels)| tally.add(game, labels));
            let mut all = Tally::new(Dimensions::ALL, Selection::default());
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
        let mut games = Tally::new(Dimensions::ALL, Selection::default());
        for seed in 0..40 {
            games.add(&walk(seed, 7 * seed as usize, seed % 4 != 0).0, &labels(seed));
        }
        let mut tally = Tally::new(Dimensions::ALL, Selection::default());
        tally.merge_of_source("here", &games);
        for key in Dimension::ALL {
            let groups = tally.groups(key);
            assert!(
                groups.iter().filter(|(_, row)| row[0] > 0).count() > 1
                    || key == Dimension::Source
                    || matches!(key, Dimension::EcoLetter | Dimension::Eco | Dimension::Title),
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
                let of_games = labels::GAME_KEYS.contains(&key) || key == Dimension::Source;
                assert!(sum.games >= whole.games.min(whole.plies));
                sum.games = if of_games { sum.games } else { whole.games };
                assert_eq!(sum, whole, "{key:?}, {}", notation.info().name);
            }
        }
    }
}
