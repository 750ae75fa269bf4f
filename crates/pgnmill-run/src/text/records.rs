//! Records for programs and for people: JSON, CSV, aligned columns.
//!
//! In: the names of fields, a record of values per thing. Out: a JSON array with one object per line, CSV with a
//! header, or columns for a terminal. Invariant: JSON and CSV have the same fields in the same order; in CSV a list is
//! its elements with spaces between them, and null is empty. Cost: the length of the text.
//!
//! ```text
//! [
//! {"name":"san","characters_max":7},
//! {"name":"uci","characters_max":5}
//! ]
//! ```

use std::collections::HashSet;

use pgnmill_io::error::{Error, Result};
use serde_json::Value;

use crate::host::Screen;
use crate::text::table;

/// Things, each with the same fields.
#[derive(Debug)]
pub struct Records {
    fields: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Records {
    /// No thing yet; these are the fields.
    pub fn of(fields: &[&'static str]) -> Records {
        Records { fields: fields.to_vec(), rows: Vec::new() }
    }

    /// Adds a thing: the values of all fields.
    pub fn add<const N: usize>(&mut self, values: [Value; N]) {
        debug_assert_eq!(values.len(), self.fields.len());
        self.rows.push(values.into());
    }

    /// The values of a field as texts, each once.
    pub fn texts_of(&self, field: &str) -> Vec<String> {
        let at = self.fields.iter().position(|known| *known == field);
        let texts = self.rows.iter().filter_map(|row| Some(plain(&row[at?])));
        let mut texts: Vec<String> = texts.collect();
        let mut met = HashSet::new();
        texts.retain(|text| met.insert(text.clone()));
        texts
    }

    /// Keeps the things of which a value of one of these fields, or of any field if there are none, is wanted. Keeps
    /// all, and returns `false`, if there is no such thing.
    pub fn keep(&mut self, fields: &[&str], is_wanted: impl Fn(&str) -> bool) -> bool {
        let counts = |name: &&str| fields.is_empty() || fields.contains(name);
        let counted: Vec<bool> = self.fields.iter().map(counts).collect();
        let is_kept = |row: &Vec<Value>| {
            row.iter().zip(&counted).any(|(value, counts)| *counts && is_wanted(&plain(value)))
        };
        let is_found = self.rows.iter().any(is_kept);
        if is_found {
            self.rows.retain(is_kept);
        }
        is_found
    }

    /// A JSON array, an object per line.
    pub fn json(&self) -> String {
        let lines: Vec<String> = self.rows.iter().map(|row| object(&self.fields, row)).collect();
        format!("[\n{}\n]\n", lines.join(",\n"))
    }

    /// The only thing, as a JSON object.
    pub fn json_object(&self) -> String {
        self.rows.first().map_or_else(String::new, |row| object(&self.fields, row) + "\n")
    }

    /// CSV with a header.
    ///
    /// # Errors
    /// None that this text can have.
    pub fn csv(&self) -> Result<String> {
        let failed = |error: csv::Error| Error::usage(format!("a record is no CSV: {error}"));
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(&self.fields).map_err(failed)?;
        for row in &self.rows {
            table.write_record(row.iter().map(plain)).map_err(failed)?;
        }
        let bytes = table.into_inner().map_err(|error| failed(error.into_error().into()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Columns of these fields for a terminal, with their headings.
    pub fn columns(&self, shown: &[(&str, &str)], columns: usize, screen: Screen) -> String {
        let places: Vec<usize> = shown
            .iter()
            .filter_map(|(field, _)| self.fields.iter().position(|known| known == field))
            .collect();
        let header: Vec<&str> = shown.iter().map(|(_, heading)| *heading).collect();
        let row = |row: &Vec<Value>| places.iter().map(|&at| plain(&row[at])).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        table::render(&header, &rows, columns, screen)
    }
}

/// A JSON object with its keys in this order.
pub fn object(keys: &[&str], values: &[Value]) -> String {
    let pairs =
        keys.iter().zip(values).map(|(key, value)| format!("{}:{value}", Value::from(*key)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
}

/// A value as a field of CSV.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_and_lines_survive_both_formats() {
        let mut records = Records::of(&["name", "text", "list", "none"]);
        let odd = "a \"b\", c\nd";
        records.add(["x".into(), odd.into(), vec!["1", "2"].into(), Value::Null]);
        let read: Value = serde_json::from_str(&records.json()).unwrap();
        assert_eq!(read[0]["text"], odd);
        assert_eq!(read[0]["none"], Value::Null);
        let csv = records.csv().unwrap();
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        let row = rows.records().next().unwrap().unwrap();
        assert_eq!(row.iter().collect::<Vec<_>>(), ["x", odd, "1 2", ""]);
    }
}
