//! One value of a row in the formats of text: CSV and JSON. Lists and maps are JSON in both.

use pgnmill_core::tasks::export::Cell;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A value that is written as JSON.
pub(super) struct Json<'c>(pub(super) Cell<'c>);

impl Json<'_> {
    /// Adds the value in one field of CSV.
    pub(super) fn write_to(&self, field: &mut String) -> serde_json::Result<()> {
        match &self.0 {
            Cell::Null => {}
            Cell::Text(text) => field.push_str(text),
            _ => field.push_str(&serde_json::to_string(self)?),
        }
        Ok(())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Cell::Null => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Number(number) => serializer.serialize_i64(*number),
            Cell::Numbers(numbers) => {
                let mut list = serializer.serialize_seq(Some(numbers.len()))?;
                numbers.iter().try_for_each(|number| list.serialize_element(number))?;
                list.end()
            }
            Cell::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}
