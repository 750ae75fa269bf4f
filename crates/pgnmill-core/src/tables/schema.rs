//! The declaration of a table: its file, its columns, and how the tables of several runs become one.
//!
//! A declaration is a [`Schema`] in a file of its own. The header, the check of what is read, the sum of several tables
//! and `docs/reference/tables.md` are made from it, so that no header is typed twice. Invariant: columns are keys
//! first, then sums, then derived ones; a table of plain values has values alone.
//!
//! ```
//! use pgnmill_core::tables::lengths;
//! assert_eq!(lengths::SCHEMA.header(), ["notation", "characters", "plies"]);
//! ```

use std::fmt;

use super::order::Order;

/// The declaration of a table.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name of the file, or the option that names it.
    pub file: &'static str,
    /// What a row is, in one line.
    pub purpose: &'static str,
    /// What makes the program write it.
    pub written: Written,
    /// The columns in their order.
    pub columns: &'static [Column],
    /// How the tables of several runs become one.
    pub merging: Merging,
}

/// What makes the program write a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Written {
    /// Every measurement.
    Always,
    /// A measurement with `--by`; the table by ply always.
    By,
    /// A measurement with `--by A*B`.
    Crossed,
    /// A measurement with `--by A*phase*length`.
    Standardised,
    /// A measurement with `--per-game`.
    PerGame,
    /// A measurement with `--by source`.
    BySource,
    /// A measurement with `--cluster`.
    Cluster,
    /// A measurement with `--cluster` and `--by`.
    ClusterBy,
    /// A measurement with `--cluster event` and `--by`.
    ClusterEvents,
    /// A measurement with `--entropy`.
    Entropy,
    /// A measurement with `--compress`.
    Compress,
    /// A measurement with `--order`.
    Orders,
    /// A measurement with `--codes`.
    Codes,
    /// A measurement with `--errors`.
    Errors,
    /// A measurement with `--writing`.
    Writing,
    /// A measurement with `--tokens`.
    Tokens,
    /// `--summary`; and every measurement.
    Summary,
    /// `--faults`.
    Faults,
    /// `--notes`.
    Notes,
    /// `--split`.
    Split,
    /// `duplicates`.
    Duplicates,
    /// `stats -o`.
    Stats,
}

/// How the tables of several runs become one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Merging {
    /// Rows of equal keys are added; see [`super::Grid`].
    Add {
        /// How many groups (values of the first key) have rows of their own; the last ones by their bytes are one
        /// group.
        groups_max: usize,
        /// The derived fields of a row.
        derive: fn(&RowCounts<'_>) -> Vec<String>,
    },
    /// Rows of equal keys are added by what counted them, which also orders them.
    Count,
    /// The table is computed from others.
    Compute,
    /// The rows of one table follow those of the other.
    Append,
    /// The rows of splits, checked and in the order of the archives.
    Ledger,
    /// The rows of one split follow those of the other; tables of other runs are not merged.
    OfSplits,
    /// They do not.
    Never,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name in the header.
    pub name: &'static str,
    /// What it is for.
    pub role: Role,
    /// What its fields are.
    pub kind: Kind,
    /// The unit of its numbers; empty if there is none.
    pub unit: &'static str,
    /// The meaning, in Markdown.
    pub doc: &'static str,
}

/// What a column is for.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A part of the row's key.
    Key(Order),
    /// An integer that adds up.
    Sum,
    /// An integer of which the least counts; 0 is none.
    Least,
    /// An integer of which the greatest counts; 0 is none.
    Greatest,
    /// Computed from integers when the table is written; never added.
    Derived,
    /// A value of a row that is listed, not added.
    Value,
}

impl Role {
    /// Is it an integer that rows of equal keys make one of?
    pub fn is_merged(&self) -> bool {
        matches!(self, Role::Sum | Role::Least | Role::Greatest)
    }
}

/// What the fields of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text in UTF-8.
    Text,
    /// An integer from 0 to 2^64 - 1.
    Count,
    /// A number with this many decimals, or nothing.
    Decimal(u8),
}

/// The keys and the integers of a row, from which the rest of it is derived.
pub struct RowCounts<'r> {
    /// The keys, column by column.
    pub keys: &'r [&'r str],
    /// The integers, column by column.
    pub sums: &'r [u64],
    /// The integers of the row of the same table whose last key is this one, and whose others are this row's.
    pub of: &'r dyn Fn(&str) -> Option<&'r [u64]>,
}

impl fmt::Debug for RowCounts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowCounts").field("keys", &self.keys).field("sums", &self.sums).finish()
    }
}

impl Schema {
    /// A table of a measurement whose rows are added, without derived columns.
    pub(super) const fn added(
        file: &'static str,
        purpose: &'static str,
        columns: &'static [Column],
    ) -> Schema {
        let merging = Merging::Add { groups_max: usize::MAX, derive: derive_nothing };
        Schema { file, purpose, written: Written::Always, columns, merging }
    }

    /// The names of the columns.
    pub fn header(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.name).collect()
    }

    /// The order of the values of a column of keys; any for another.
    pub fn order_of(&self, column: usize) -> Order {
        match self.columns.get(column).map(|column| column.role) {
            Some(Role::Key(order)) => order,
            _ => Order::Any,
        }
    }

    /// How many columns are keys.
    pub fn keys_count(&self) -> usize {
        self.columns.iter().filter(|column| matches!(column.role, Role::Key(_))).count()
    }

    /// How many columns are integers that add up, or of which one counts.
    pub fn sums_count(&self) -> usize {
        self.columns.iter().filter(|column| column.role.is_merged()).count()
    }

    /// Can a row have this key in a column of keys?
    pub(super) fn admits(&self, column: usize, key: &str) -> bool {
        let role = self.columns.get(column).map(|column| column.role);
        matches!(role, Some(Role::Key(order)) if order.admits(key))
    }

    /// How many groups have rows of their own.
    pub(super) fn groups_max(&self) -> usize {
        match self.merging {
            Merging::Add { groups_max, .. } => groups_max,
            _ => usize::MAX,
        }
    }

    /// The derived fields of a row.
    pub(super) fn derive(&self, row: &RowCounts<'_>) -> Vec<String> {
        match self.merging {
            Merging::Add { derive, .. } => derive(row),
            _ => Vec::new(),
        }
    }
}

impl Column {
    /// A key: text, in this order.
    pub(super) const fn key(name: &'static str, order: Order, doc: &'static str) -> Column {
        Column { name, role: Role::Key(order), kind: Kind::Text, unit: "", doc }
    }

    /// A key that is a number.
    pub(super) const fn number(
        name: &'static str,
        order: Order,
        unit: &'static str,
        doc: &'static str,
    ) -> Column {
        Column { name, role: Role::Key(order), kind: Kind::Count, unit, doc }
    }

    /// An integer that adds up.
    pub(super) const fn sum(name: &'static str, unit: &'static str, doc: &'static str) -> Column {
        Column { name, role: Role::Sum, kind: Kind::Count, unit, doc }
    }

    /// An integer of which the least or the greatest counts.
    pub(super) const fn end(
        name: &'static str,
        role: Role,
        unit: &'static str,
        doc: &'static str,
    ) -> Column {
        Column { name, role, kind: Kind::Count, unit, doc }
    }

    /// A number that is computed from integers.
    pub(super) const fn derived(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        doc: &'static str,
    ) -> Column {
        Column { name, role: Role::Derived, kind, unit, doc }
    }

    /// A text of a row that is listed.
    pub(super) const fn text(name: &'static str, doc: &'static str) -> Column {
        Column { name, role: Role::Value, kind: Kind::Text, unit: "", doc }
    }

    /// A number of a row that is listed.
    pub(super) const fn count(name: &'static str, unit: &'static str, doc: &'static str) -> Column {
        Column { name, role: Role::Value, kind: Kind::Count, unit, doc }
    }

    /// This column with another meaning.
    pub(super) const fn with_doc(self, doc: &'static str) -> Column {
        Column { doc, ..self }
    }
}

fn derive_nothing(_: &RowCounts<'_>) -> Vec<String> {
    Vec::new()
}
