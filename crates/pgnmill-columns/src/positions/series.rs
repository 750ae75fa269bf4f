//! The values of a column of a row group, of whatever format.
//!
//! In: the values as a format has them. Out: texts and whole numbers, row by row. Invariant: as many values as rows.
//! Cost: that of the bytes.

use super::flaw::Flaw;

/// The values of a column, of which those of null rows are empty.
#[derive(Debug)]
pub(super) enum Values {
    /// Where each text ends.
    Texts { ends: Vec<usize>, bytes: Vec<u8> },
    /// The bits of whole numbers, extended to 64.
    Numbers(Vec<u64>),
}

/// A column of a row group.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) values: Values,
    /// Which rows have a value; `None`: all.
    pub(super) valid: Option<Vec<bool>>,
}

impl Series {
    fn is_there(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid.get(row).copied().unwrap_or(false))
    }

    /// The text of a row.
    pub(super) fn text(&self, row: usize) -> Result<Option<&[u8]>, &'static str> {
        let Values::Texts { ends, bytes } = &self.values else { return Err("is no text") };
        if !self.is_there(row) {
            return Ok(None);
        }
        let start = row.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied());
        let range = start.zip(ends.get(row).copied());
        let text = range.and_then(|(start, end)| bytes.get(start..end));
        text.map(Some).ok_or("has fewer texts than rows")
    }

    /// The bits of the number of a row.
    pub(super) fn number(&self, row: usize) -> Result<Option<u64>, &'static str> {
        let Values::Numbers(numbers) = &self.values else { return Err("is no whole number") };
        match numbers.get(row) {
            None => Err("has fewer numbers than rows"),
            Some(number) => Ok(self.is_there(row).then_some(*number)),
        }
    }
}

/// The columns of a row group that a table of sums has, by their names.
#[derive(Debug)]
pub(super) struct SeriesOfGroup {
    pub(super) rows_count: usize,
    pub(super) columns: Vec<(&'static str, Series)>,
}

impl SeriesOfGroup {
    /// A column, if the table has it.
    pub(super) fn column(&self, name: &str) -> Option<&Series> {
        self.columns.iter().find(|(known, _)| *known == name).map(|(_, column)| column)
    }

    /// The number of a row, which must be there.
    pub(super) fn number(&self, name: &str, row: usize) -> Result<u64, Flaw> {
        self.optional(name, row)?.ok_or_else(|| Flaw::new(format_args!("{name} is null")))
    }

    /// The number of a row, or null.
    pub(super) fn optional(&self, name: &str, row: usize) -> Result<Option<u64>, Flaw> {
        let missing = || Flaw::new(format_args!("it has no column {name}"));
        let number = self.column(name).ok_or_else(missing)?.number(row);
        number.map_err(|why| Flaw::new(format_args!("{name} {why}")))
    }

    /// The text of a row, which must be there.
    pub(super) fn text(&self, name: &str, row: usize) -> Result<&[u8], Flaw> {
        let missing = || Flaw::new(format_args!("it has no column {name}"));
        let text = self.column(name).ok_or_else(missing)?.text(row);
        let text = text.map_err(|why| Flaw::new(format_args!("{name} {why}")))?;
        text.ok_or_else(|| Flaw::new(format_args!("{name} is null")))
    }
}
