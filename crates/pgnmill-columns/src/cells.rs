//! One value of a row in the formats of text: CSV and JSON. Lists and maps are JSON in both.

use pgnmill_core::tasks::export::Cell;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A value that is written as JSON.
pub(super) struct Json<'c>(pub(super) Cell<'c>);

impl Json<'_> {
    /// The value in one field of CSV; `buffer` is for what is not text.
    #[inline]
    pub(super) fn field<'f>(&'f self, buffer: &'f mut Vec<u8>) -> serde_json::Result<&'f [u8]> {
        buffer.clear();
        match &self.0 {
            Cell::Null => {}
            Cell::Text(text) => return Ok(text.as_bytes()),
            _ => serde_json::to_writer(&mut *buffer, self)?,
        }
        Ok(buffer)
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Cell::Null => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Number(number) => serializer.serialize_i64(*number),
            Cell::Unsigned(number) => serializer.serialize_u64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
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
