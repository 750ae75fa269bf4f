//! Rows by the groups of products of dimensions.
//!
//! Input: the plies of games in each group (`crossed_of_game.rs`); output: rows, as those by one dimension. Invariants:
//! merging is exact and in any order; a product has a bounded number of groups ([`Product`]). Memory: 350 bytes a group
//! that occurs.

use std::collections::BTreeMap;

use pgnmill_state::{Loader, State, state};

use crate::notation::NOTATIONS;
use crate::tables::groups::{MOVE_BAND_PLIES, PLIES_MAX, name_of, name_of_band, name_of_ply};
use crate::tables::product::DIMENSIONS_MAX;
use crate::tables::{Dimension, Grid, Product, Products};

use super::labels::GAME_KEYS;
use super::layout::{CostRow, EMPTY_ROW, Layout, add};
use super::row::Row;
use super::selection::Selection;
use super::sources::Sources;
use super::traits::CELL_DIMENSIONS;

/// The group of each dimension of a product; 0 for the archive, and where there is no dimension.
pub(super) type Codes = [u32; DIMENSIONS_MAX];

/// Rows by group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct RowsByCodes(BTreeMap<Codes, Box<CostRow>>);

state!(RowsByCodes = rows);

impl RowsByCodes {
    pub(super) fn row(&mut self, codes: Codes) -> &mut CostRow {
        self.0.entry(codes).or_insert_with(|| Box::new(EMPTY_ROW))
    }

    /// Resets the counts; keeps the memory.
    fn clear(&mut self) {
        self.0.values_mut().for_each(|row| row.fill(0));
    }
}

impl Row for RowsByCodes {
    fn empty() -> RowsByCodes {
        RowsByCodes::default()
    }

    fn add(&mut self, other: &RowsByCodes) {
        for (&codes, row) in other.0.iter().filter(|(_, row)| row.has_games()) {
            add(self.row(codes), &row[..]);
        }
    }

    fn has_games(&self) -> bool {
        self.0.values().any(|row| row.has_games())
    }
}

/// Where the group of a dimension is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodeOf {
    /// Labels, at this place.
    Game(usize),
    /// The cell of the ply, by the place among the dimensions of cells.
    Cell(usize),
    /// The number of the ply.
    Ply,
    /// The number of the move, in bands.
    Move,
    /// The name of the archive.
    Archive,
}

impl CodeOf {
    fn dimension(dimension: Dimension) -> CodeOf {
        let in_labels = GAME_KEYS.iter().position(|&key| key == dimension);
        let in_cells = CELL_DIMENSIONS.iter().position(|cells| cells.key == dimension);
        match (in_labels, in_cells) {
            (Some(place), _) => CodeOf::Game(place),
            (_, Some(place)) => CodeOf::Cell(place),
            _ if dimension == Dimension::Ply => CodeOf::Ply,
            _ if dimension == Dimension::Move => CodeOf::Move,
            _ => CodeOf::Archive,
        }
    }

    fn name(self, dimension: Dimension, code: u32) -> String {
        match self {
            CodeOf::Cell(place) => CELL_DIMENSIONS[place].names[code as usize].to_string(),
            CodeOf::Ply => name_of_ply(code as usize),
            CodeOf::Move => name_of_band(code as usize),
            CodeOf::Game(_) | CodeOf::Archive => name_of(dimension, code),
        }
    }
}

/// The rows of one product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OfProduct {
    product: Product,
    pub(super) codes: Vec<CodeOf>,
    /// Of all archives.
    pub(super) rows: RowsByCodes,
    /// By archive, if it is one of the dimensions.
    sources: Sources<RowsByCodes>,
}

impl OfProduct {
    fn new(product: Product) -> OfProduct {
        let sources = match product.has_source() {
            true => Sources::at_most(product.sources_max()),
            false => Sources::default(),
        };
        let codes = product.dimensions().map(CodeOf::dimension).collect();
        OfProduct { product, codes, rows: RowsByCodes::default(), sources }
    }

    pub(super) fn has(&self, is_it: impl Fn(CodeOf) -> bool) -> bool {
        self.codes.iter().any(|&code| is_it(code))
    }

    /// The group of a ply; `game`: the groups of the dimensions of games.
    pub(super) fn codes_of(&self, game: Codes, number: usize, cell: usize) -> Codes {
        let mut codes = game;
        for (code, of) in codes.iter_mut().zip(&self.codes) {
            match *of {
                CodeOf::Cell(place) => *code = CELL_DIMENSIONS[place].name_of(cell) as u32,
                CodeOf::Ply => *code = number.min(PLIES_MAX) as u32,
                CodeOf::Move => *code = (number.min(PLIES_MAX) / MOVE_BAND_PLIES) as u32,
                CodeOf::Game(_) | CodeOf::Archive => {}
            }
        }
        codes
    }

    fn grid(&self, selection: Selection) -> Grid {
        let mut grid = Grid::new(self.product.schema());
        match self.product.has_source() {
            false => self.fill(&mut grid, selection, "", &self.rows),
            true => {
                for (archive, rows) in self.sources.of() {
                    self.fill(&mut grid, selection, &archive, &rows);
                }
            }
        }
        grid
    }

    fn fill(&self, grid: &mut Grid, selection: Selection, archive: &str, rows: &RowsByCodes) {
        for (codes, row) in &rows.0 {
            let dimensions = self.product.dimensions().zip(&self.codes).zip(codes);
            let names: Vec<String> = dimensions
                .map(|((dimension, of), &code)| match of {
                    CodeOf::Archive => archive.to_string(),
                    of => of.name(dimension, code),
                })
                .collect();
            for place in selection.iter() {
                let cost = Layout::get().cost(row, place);
                if cost.games > 0 {
                    let mut keys: Vec<&str> = names.iter().map(String::as_str).collect();
                    keys.push(NOTATIONS[place].info().name);
                    grid.push(&keys, &cost.sums());
                }
            }
        }
    }
}

/// The rows of all products that are requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Crossed(pub(super) Vec<OfProduct>);

impl State for Crossed {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.len().save(out);
        for OfProduct { product, rows, sources, .. } in &self.0 {
            product.file().to_string().save(out);
            rows.save(out);
            sources.save(out);
        }
    }

    fn load(from: &mut Loader<'_>) -> Option<Crossed> {
        let count: usize = from.value()?;
        let mut all = Vec::new();
        for _ in 0..count {
            let file: String = from.value()?;
            let of_product = OfProduct::new(Product::from_file(&file)?);
            all.push(OfProduct { rows: from.value()?, sources: from.value()?, ..of_product });
        }
        Some(Crossed(all))
    }
}

impl Crossed {
    /// Nothing counted yet; `None` without products.
    pub(super) fn new(products: Products) -> Option<Box<Crossed>> {
        let all = products.iter().map(OfProduct::new).collect();
        (!products.is_empty()).then(|| Box::new(Crossed(all)))
    }

    /// Are they of the same products?
    pub(super) fn is_like(&self, other: &Crossed) -> bool {
        let is_like = |one: &OfProduct, other: &OfProduct| {
            one.product == other.product && one.sources.is_like(&other.sources)
        };
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(one, other)| is_like(one, other))
    }

    /// Resets the counts; keeps the memory.
    pub(super) fn clear(&mut self) {
        for of_product in &mut self.0 {
            of_product.rows.clear();
            of_product.sources.clear();
        }
    }

    /// Adds what another counted, of the same products.
    pub(super) fn merge(&mut self, other: &Crossed) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if !mine.product.has_source() {
                mine.rows.add(&theirs.rows);
            }
            mine.sources.merge(&theirs.sources);
        }
    }

    /// Adds what another counted of one archive to the rows of that archive.
    pub(super) fn add_source(&mut self, name: &str, other: &Crossed) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if mine.product.has_source() && theirs.rows.has_games() {
                mine.sources.add(name, &theirs.rows);
            }
        }
    }

    /// The tables.
    pub(super) fn grids(&self, selection: Selection) -> impl Iterator<Item = Grid> {
        self.0.iter().map(move |of_product| of_product.grid(selection))
    }
}
