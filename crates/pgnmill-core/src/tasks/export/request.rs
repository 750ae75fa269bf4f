//! What an export is to write: a table, its columns, the columns that divide it.
//!
//! In: the choices of the caller. Out: what they require of a replay. Cost: some steps per block.

use crate::notation::Notation;

use super::column::{Column, Requires, Source};
use super::partition_key::PartitionKey;
use super::ply_filter::PlyFilter;
use super::position_lines::PositionLines;
use super::selection::Table;

/// The version of the tables: it changes when a column changes its name, its type or its meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// What the keys of the metadata of files begin with.
pub const METADATA_PREFIX: &str = "pgnmill.";

/// Makes the rows of a table.
#[derive(Clone, Debug)]
pub struct Export {
    /// The table.
    pub table: Table,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The columns by whose values games are divided into files.
    pub partition_by: Vec<PartitionKey>,
    /// The plies that have a row in the table of plies.
    pub plies: PlyFilter,
    /// Write line ends of the movetext as spaces.
    pub one_line: bool,
    /// In CSV, write an apostrophe before texts that a spreadsheet would take as a formula.
    pub csv_safe: bool,
    /// Of EPD and FEN: what a line has; the position is the first of the columns.
    pub lines: PositionLines,
}

impl Export {
    /// Does any column require this?
    pub(super) fn requires(&self, what: Requires) -> bool {
        self.all_columns().any(|column| column.requires == what)
    }

    /// Do the rows, or does any column, depend on the plies of the main line?
    pub(super) fn reads_plies(&self) -> bool {
        let reads = |column: &Column| {
            !column.is_of_game()
                || matches!(
                    column.requires,
                    Requires::Commands
                        | Requires::Engines
                        | Requires::Variations
                        | Requires::Nags
                        | Requires::Comments
                        | Requires::FinalPosition
                        | Requires::Opening
                )
        };
        // Without columns of plies, too, there is a row per ply.
        self.table == Table::Plies || self.all_columns().any(reads)
    }

    /// The columns of the table, and those that decide the partition.
    pub(super) fn all_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(self.partition_by.iter().filter_map(PartitionKey::column))
    }

    /// The notations of the columns.
    pub(super) fn notations(&self) -> impl Iterator<Item = &'static dyn Notation> {
        self.columns.iter().filter_map(|column| match column.source {
            Source::Moves(notation) => Some(notation),
            _ => None,
        })
    }
}
