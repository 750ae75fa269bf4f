//! The counts of many games: what a tally holds, and how two of them become one.
//!
//! Invariants: integers only, so that merging is exact and in any order. Memory does not grow with the archive, because
//! every dimension has a bounded number of groups.

use pgnmill_state::{Loader, State};

use crate::chess::rules::RulesKind;
use crate::notation::Shape;
use crate::tables::{Dimensions, Products};

use super::crossed::Crossed;
use super::groups::Groups;
use super::layout::{COLUMNS, CostRow, EMPTY_ROW, FREE_COLUMNS, add, add_all};
use super::non_moves::NonMoves;
use super::other_rules::{OtherGame, OtherRules};
use super::pairs::Pairs;
use super::selection::Selection;
use super::sources::Sources;
use super::spread::{Clusters, Spread};
use super::traits::{CELLS, NAMES, PLACES};

/// Plies by index, at one place.
type Indices = [u64; Shape::COUNT];

/// The counts of many games. Rows are those of `layout.rs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    pub(super) keys: Dimensions,
    pub(super) selection: Selection,
    /// Games that were not rejected, and those of them that have a history from the starting position.
    pub(super) games: [u64; 2],
    /// The text between the moves: of all games, and of those with a history.
    pub(super) non_moves: [NonMoves; 2],
    /// Plies by index, of games without a history at each place, then of those with one.
    pub(super) indices: Vec<Indices>,
    /// How many texts of each free notation have each length.
    pub(super) lengths: Pairs,
    /// One row per ply.
    pub(super) by_ply: Vec<[u64; COLUMNS]>,
    /// The counts of the last games, in half words.
    pub(super) pending: Vec<[u32; COLUMNS]>,
    pub(super) pending_games: u32,
    /// The row of the plies after the 600th, and the games that have one.
    pub(super) later: Box<CostRow>,
    /// The free columns of each cell, if one of its dimensions is requested.
    pub(super) cells: Vec<[u64; FREE_COLUMNS]>,
    /// Games that have a ply of each name of the cells' dimensions, and those of them that have a history.
    pub(super) by_name: [[u64; 2]; NAMES],
    /// Rows by group, for the dimensions of games.
    pub(super) groups: Groups<CostRow>,
    /// Is the row of each game required, by dimensions of games or by products?
    pub(super) needs_rows: bool,
    /// Rows by archive; see `merge_of_source`.
    pub(super) sources: Sources<CostRow>,
    /// Games of other rules than those of chess, if requested.
    pub(super) other_rules: OtherRules,
    /// How games differ, if requested.
    pub(super) spread: Option<Box<Spread>>,
    /// Rows by the groups of products of dimensions, if requested.
    pub(super) crossed: Option<Box<Crossed>>,
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
        let groups = Groups::new(keys);
        Tally {
            keys,
            selection,
            needs_rows: groups.any(),
            games: [0; 2],
            non_moves: [NonMoves::default(); 2],
            indices: vec![[0; Shape::COUNT]; 2 * places],
            lengths: Pairs::new(),
            by_ply: Vec::new(),
            pending: Vec::new(),
            pending_games: 0,
            later: Box::new(EMPTY_ROW),
            cells: vec![[0; FREE_COLUMNS]; cells],
            by_name: [[0; 2]; NAMES],
            groups,
            sources: Sources::default(),
            other_rules: OtherRules::default(),
            spread: None,
            crossed: None,
        }
    }

    /// These counts, and how games differ, with these clusters.
    #[must_use]
    pub fn with_clusters(mut self, clusters: Clusters) -> Tally {
        self.spread = (!clusters.is_empty()).then(|| Box::new(Spread::new(self.keys, clusters)));
        self
    }

    /// This tally, which also counts by the groups of these products, whose dimensions are among its own.
    #[must_use]
    pub fn with_products(mut self, products: Products) -> Tally {
        self.crossed = Crossed::new(products);
        self.needs_rows |= self.crossed.is_some();
        self
    }

    /// Resets the counts; keeps the memory.
    pub fn clear(&mut self) {
        self.games = [0; 2];
        self.non_moves = [NonMoves::default(); 2];
        self.lengths.clear();
        self.by_name = [[0; 2]; NAMES];
        self.by_ply.clear();
        self.pending.clear();
        self.pending_games = 0;
        self.later.fill(0);
        self.sources.clear();
        self.indices.fill([0; Shape::COUNT]);
        self.cells.fill([0; FREE_COLUMNS]);
        self.groups.clear();
        self.other_rules.clear();
        self.spread.iter_mut().for_each(|spread| spread.clear());
        self.crossed.iter_mut().for_each(|crossed| crossed.clear());
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

    /// Adds a valid game of other rules than those of chess.
    pub fn add_other(&mut self, rules: RulesKind, game: &OtherGame) {
        self.other_rules.add(rules, game, self.selection);
    }

    /// Saves the counts.
    pub fn save(&self, out: &mut Vec<u8>) {
        let Tally { games, non_moves, indices, lengths, by_ply, pending, pending_games, .. } = self;
        let Tally { later, cells, by_name, groups, sources, other_rules, spread, crossed, .. } =
            self;
        games.save(out);
        non_moves.save(out);
        indices.save(out);
        lengths.save(out);
        by_ply.save(out);
        pending.save(out);
        pending_games.save(out);
        later.save(out);
        cells.save(out);
        by_name.save(out);
        groups.save(out);
        sources.save(out);
        other_rules.save(out);
        spread.save(out);
        crossed.save(out);
    }

    /// The counts that were saved, of the same notations and dimensions as this tally's.
    pub fn load(&self, from: &mut Loader<'_>) -> Option<Tally> {
        let loaded = Tally {
            keys: self.keys,
            selection: self.selection,
            needs_rows: self.needs_rows,
            games: from.value()?,
            non_moves: from.value()?,
            indices: from.value()?,
            lengths: from.value()?,
            by_ply: from.value()?,
            pending: from.value()?,
            pending_games: from.value()?,
            later: from.value()?,
            cells: from.value()?,
            by_name: from.value()?,
            groups: from.value()?,
            sources: from.value()?,
            other_rules: from.value()?,
            spread: from.value()?,
            crossed: from.value()?,
        };
        let is_spread_alike = match (&loaded.spread, &self.spread) {
            (Some(loaded), Some(own)) => loaded.is_like(own),
            (loaded, own) => loaded.is_none() && own.is_none(),
        };
        let is_crossed_alike = match (&loaded.crossed, &self.crossed) {
            (Some(loaded), Some(own)) => loaded.is_like(own),
            (loaded, own) => loaded.is_none() && own.is_none(),
        };
        let is_alike = loaded.indices.len() == self.indices.len()
            && loaded.cells.len() == self.cells.len()
            && loaded.lengths.is_like(&self.lengths)
            && loaded.groups.is_like(&self.groups)
            && is_spread_alike
            && is_crossed_alike;
        is_alike.then_some(loaded)
    }

    /// Adds up what is pending.
    pub(super) fn settle(&mut self) {
        add_pending(&mut self.by_ply, &self.pending);
        self.pending.clear();
        self.pending_games = 0;
    }

    /// Adds what another tally counted, of the same notations and dimensions.
    pub fn merge(&mut self, other: &Tally) {
        self.settle();
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), [0; COLUMNS]);
        }
        add_all(&mut self.by_ply, &other.by_ply);
        add_pending(&mut self.by_ply, &other.pending);
        add(&mut self.later[..], &other.later[..]);
        add_all(&mut self.indices, &other.indices);
        self.lengths.merge(&other.lengths);
        add_all(&mut self.cells, &other.cells);
        add_all(&mut self.by_name, &other.by_name);
        add(&mut self.games, &other.games);
        for (mine, theirs) in self.non_moves.iter_mut().zip(&other.non_moves) {
            mine.merge(theirs);
        }
        self.groups.merge(&other.groups);
        self.sources.merge(&other.sources);
        self.other_rules.merge(&other.other_rules);
        if let (Some(mine), Some(theirs)) = (&mut self.spread, &other.spread) {
            mine.merge(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.crossed, &other.crossed) {
            mine.merge(theirs);
        }
    }
}

fn add_pending(sums: &mut Vec<[u64; COLUMNS]>, pending: &[[u32; COLUMNS]]) {
    if sums.len() < pending.len() {
        sums.resize(pending.len(), [0; COLUMNS]);
    }
    for (sums, pending) in sums.iter_mut().zip(pending) {
        add(sums, &pending.map(u64::from));
    }
}
