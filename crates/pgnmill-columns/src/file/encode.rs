//! The columns of a table become column chunks.
//!
//! In: the values of a column. Out: a chunk per leaf of its type. Cost: numbers are passed as they are, texts as slices
//! of one buffer; a text of many rows is one value, and so is a name.

use bytes::Bytes;
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type, Int64Type,
};
use parquet::errors::Result;
use pgnmill_core::tasks::export::Kind;
use pgnmill_core::tasks::export::{Buffer, Fixed, FixedBytes, Lists, Maps, TextRuns, Texts};

use super::chunks::{Chunk, Encoder};
use super::levels::{Levels, valid_count};
use super::slices::{RunSlices, Slices, extend_valid};

impl Encoder {
    /// Encodes a column. `leaf`: the index of its first leaf.
    ///
    /// # Errors
    /// A text that is not UTF-8, or a null in a column that is never null, which are bugs.
    pub(super) fn encode(&self, leaf: usize, kind: Kind, column: Buffer) -> Result<Vec<Chunk>> {
        let chunk = match (kind, column) {
            (_, Buffer::TextMap(maps)) => return self.maps(leaf, maps),
            (_, Buffer::Text(texts)) => self.texts(leaf, texts),
            (Kind::Names(names), Buffer::Names(indexes)) => self.names(leaf, names, &indexes),
            (_, Buffer::Int16(values)) => self.numbers::<Int32Type, _>(leaf, values),
            (_, Buffer::Int32(values)) => self.numbers::<Int32Type, _>(leaf, values),
            (_, Buffer::Int64(values)) => self.numbers::<Int64Type, _>(leaf, values),
            (_, Buffer::Float64(values)) => self.numbers::<DoubleType, _>(leaf, values),
            (_, Buffer::Int16List(lists)) => self.lists(leaf, lists),
            (_, Buffer::Int32List(lists)) => self.lists(leaf, lists),
            (_, Buffer::Bytes(rows)) => self.bytes(leaf, rows),
            (_, Buffer::Names(_)) => unreachable!("names have the kind of names"),
        };
        chunk.map(|chunk| vec![chunk])
    }

    /// Encodes a column of texts of which each is that of several rows.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub(super) fn encode_runs(&self, leaf: usize, runs: TextRuns) -> Result<Vec<Chunk>> {
        let mut runs = RunSlices::new(runs)?;
        let levels = self.value_levels(leaf, &runs.valid())?;
        let rows_count = runs.rows_count();
        let mut chunk =
            self.write_steps::<ByteArrayType>(leaf, &levels, rows_count, |rows, values| {
                runs.fill(rows, values);
            })?;
        chunk.add_text_bytes(rows_count, |rows| runs.bytes_count(rows));
        Ok(vec![chunk])
    }

    fn numbers<T: DataType, V: Copy>(&self, leaf: usize, values: Fixed<V>) -> Result<Chunk>
    where
        T::T: From<V>,
    {
        let levels = self.value_levels(leaf, &values.valid)?;
        self.write_at_once::<T>(leaf, &levels, &present(values))
    }

    fn lists<V: Copy>(&self, leaf: usize, lists: Lists<V>) -> Result<Chunk>
    where
        i32: From<V>,
    {
        // A level for the list, one for its elements, one for the element.
        let is_nullable = self.leaf(leaf)?.max_def_level() > 2;
        let levels = Levels::of_lists(&lists.rows, Some(&lists.elements.valid), is_nullable);
        let levels = levels.ok_or_else(|| self.is_null(leaf))?;
        self.write_at_once::<Int32Type>(leaf, &levels, &present(lists.elements))
    }

    fn maps(&self, leaf: usize, maps: Maps) -> Result<Vec<Chunk>> {
        // A level for the map, one for its entries.
        let is_nullable = self.leaf(leaf)?.max_def_level() > 1;
        let rows = maps.rows;
        let levels = Levels::of_lists(&rows, None, is_nullable);
        let levels = levels.ok_or_else(|| self.is_null(leaf))?;
        let leaves = [(leaf, maps.names), (leaf + 1, maps.values)];
        let chunks = leaves.into_iter().map(|(leaf, texts)| {
            let (texts, mut values) = (Slices::new(texts)?, Vec::new());
            texts.fill(0..texts.rows.ends.len(), &mut values);
            let mut chunk = self.write_at_once::<ByteArrayType>(leaf, &levels, &values)?;
            chunk.add_text_bytes(rows.ends.len(), |maps| {
                let entries = rows.start_of(maps.start)..rows.start_of(maps.end);
                texts.rows.elements_count(&entries)
            });
            Ok(chunk)
        });
        chunks.collect()
    }

    fn texts(&self, leaf: usize, texts: Texts) -> Result<Chunk> {
        let texts = Slices::new(texts)?;
        let levels = self.value_levels(leaf, &texts.rows.valid)?;
        let rows_count = texts.rows.ends.len();
        let mut chunk =
            self.write_steps::<ByteArrayType>(leaf, &levels, rows_count, |rows, values| {
                values.clear();
                texts.fill(rows, values);
            })?;
        chunk.add_text_bytes(rows_count, |rows| texts.rows.elements_count(&rows));
        Ok(chunk)
    }

    fn names(&self, leaf: usize, names: &[&'static str], indexes: &Fixed<u8>) -> Result<Chunk> {
        let bytes = |name: &&'static str| ByteArray::from(Bytes::from_static(name.as_bytes()));
        let texts: Vec<ByteArray> = names.iter().map(bytes).collect();
        let levels = self.value_levels(leaf, &indexes.valid)?;
        let rows_count = indexes.valid.len();
        let mut chunk =
            self.write_steps::<ByteArrayType>(leaf, &levels, rows_count, |rows, values| {
                values.clear();
                let (indexes, valid) = (&indexes.values[rows.clone()], &indexes.valid[rows]);
                extend_valid(values, indexes, valid, |&name| texts[usize::from(name)].clone());
            })?;
        chunk.add_text_bytes(rows_count, |rows| {
            let rows = indexes.values[rows.clone()].iter().zip(&indexes.valid[rows]);
            let present = rows.filter(|(_, valid)| **valid);
            present.map(|(&name, _)| names[usize::from(name)].len()).sum()
        });
        let mut counts = vec![0; names.len()];
        for (&name, &valid) in indexes.values.iter().zip(&indexes.valid) {
            counts[usize::from(name)] += usize::from(valid);
        }
        chunk.add_name_statistics(names, &counts)
    }

    fn bytes(&self, leaf: usize, FixedBytes { width, bytes }: FixedBytes) -> Result<Chunk> {
        let rows_count = bytes.len() / width.max(1);
        let mut rest = Bytes::from(bytes);
        let required = Levels::default();
        self.write_steps::<FixedLenByteArrayType>(leaf, &required, rows_count, |rows, values| {
            values.clear();
            let row = |_| ByteArray::from(rest.split_to(width));
            values.extend(rows.map(row).map(FixedLenByteArray::from));
        })
    }
}

/// The values that are not null.
fn present<V: Copy, T: From<V>>(values: Fixed<V>) -> Vec<T> {
    let count = valid_count(&values.valid);
    if count == values.valid.len() {
        return values.values.into_iter().map(T::from).collect();
    }
    let mut present = Vec::with_capacity(count);
    if count > 0 {
        extend_valid(&mut present, &values.values, &values.valid, |&value| T::from(value));
    }
    present
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::Schema;
    use parquet::file::properties::{EnabledStatistics, WriterProperties};
    use parquet::schema::types::SchemaDescriptor;

    use super::super::super::arrays::field;
    use super::super::types::row_type;
    use super::*;

    /// An encoder of one column.
    fn encoder_with(kind: Kind, is_nullable: bool, statistics: EnabledStatistics) -> Encoder {
        let row = row_type(&Schema::new(vec![field("it", kind, is_nullable)]), &[kind]).unwrap();
        let properties = WriterProperties::builder().set_statistics_enabled(statistics).build();
        Encoder::new(Arc::new(SchemaDescriptor::new(row)), Arc::new(properties))
    }

    /// An encoder of a kind, without statistics.
    fn encoder(kind: Kind, is_nullable: bool) -> Encoder {
        encoder_with(kind, is_nullable, EnabledStatistics::None)
    }

    /// The first rows of the pages, and the bytes of their texts.
    fn pages(chunk: &Chunk) -> (Vec<i64>, Option<Vec<i64>>) {
        let index = chunk.close.offset_index.as_ref().unwrap();
        let rows = index.page_locations.iter().map(|page| page.first_row_index).collect();
        (rows, index.unencoded_byte_array_data_bytes.clone())
    }

    fn one(chunks: Result<Vec<Chunk>>) -> Chunk {
        let mut chunks = chunks.unwrap();
        assert_eq!(chunks.len(), 1);
        chunks.remove(0)
    }

    fn numbers(rows: usize, is_null: impl Fn(usize) -> bool, is_nullable: bool) -> Chunk {
        let mut buffer = Buffer::new(Kind::Int32);
        (0..rows).for_each(|row| buffer.int32((!is_null(row)).then_some(row as i32)));
        one(encoder(Kind::Int32, is_nullable).encode(0, Kind::Int32, buffer))
    }

    /// 20,000 rows, or the next multiple of 1,024 where some rows are null, or where the column has no levels.
    #[test]
    fn pages_end_where_those_of_arrow_arrays_do() {
        assert_eq!(pages(&numbers(50_000, |_| false, true)).0, [0, 20_000, 40_000]);
        assert_eq!(pages(&numbers(50_000, |_| true, true)).0, [0, 20_000, 40_000]);
        assert_eq!(pages(&numbers(50_000, |row| row == 7, true)).0, [0, 20_480, 40_960]);
        assert_eq!(pages(&numbers(50_000, |_| false, false)).0, [0, 20_480, 40_960]);
    }

    /// Lists are not divided; where there are elements, after the list that completes 1,024 levels.
    #[test]
    fn pages_end_between_lists() {
        let lists = |has: &dyn Fn(usize) -> usize| {
            let mut buffer = Buffer::new(Kind::Int16List);
            for row in 0..30_000 {
                buffer.int16_list(Some((0..has(row)).map(|_| Some(1))));
            }
            let chunk = encoder(Kind::Int16List, true).encode(0, Kind::Int16List, buffer);
            pages(&one(chunk)).0
        };
        assert_eq!(lists(&|_| 0), [0, 20_000]);
        assert_eq!(lists(&|row| usize::from(row == 0)), [0, 20_480]);
        assert_eq!(lists(&|_| 3), [0, 20_178]);
    }

    #[test]
    fn pages_of_texts_have_the_bytes_of_their_texts() {
        let mut buffer = Buffer::new(Kind::Text);
        (0..30_000).for_each(|row| buffer.text((row % 3 > 0).then_some("four")));
        let chunk = one(encoder(Kind::Text, true).encode(0, Kind::Text, buffer));
        // Of the first 20,480 rows 6,827 are null.
        let bytes = vec![4 * (20_480 - 6_827), 4 * (20_000 - 20_480 + 6_827)];
        assert_eq!(pages(&chunk), (vec![0, 20_480], Some(bytes)));

        let kind = Kind::Names(&["a", "bcd"]);
        let mut buffer = Buffer::new(kind);
        (0..30_000).for_each(|row| buffer.name(Some(usize::from(row < 100))));
        let chunk = one(encoder(kind, true).encode(0, kind, buffer));
        assert_eq!(pages(&chunk), (vec![0, 20_000], Some(vec![20_000 + 200, 10_000])));
    }

    /// A text of several rows is encoded like as many texts.
    #[test]
    fn runs_are_encoded_as_their_rows() {
        let texts = [Some("one"), Some("two"), None, Some("one"), Some("é")];
        for (counts, is_nullable) in
            [([30_000, 41_000, 5, 1, 9], true), ([7, 9_000, 0, 1, 2], false)]
        {
            let (mut runs, mut rows) = (TextRuns::default(), Texts::default());
            for (text, count) in texts.into_iter().zip(counts) {
                let end = |texts: &mut Texts| {
                    texts.extend(text.unwrap_or_default().as_bytes());
                    texts.end_row(text.is_some() || !is_nullable);
                };
                end(&mut runs.texts);
                runs.end_run(count);
                (0..count).for_each(|_| end(&mut rows));
            }
            let encoder = encoder(Kind::Text, is_nullable);
            let runs = one(encoder.encode_runs(0, runs));
            let rows = one(encoder.encode(0, Kind::Text, Buffer::Text(rows)));
            assert_eq!(runs.pages.bytes(), rows.pages.bytes());
            assert_eq!(pages(&runs), pages(&rows));
            assert_eq!(runs.close.metadata, rows.close.metadata);
        }
    }

    /// Names are encoded like texts, whose statistics the library makes.
    #[test]
    fn names_have_the_statistics_of_texts() {
        let names = &["three", "one", "two"];
        for (is_nullable, rows) in [(true, 30_000), (true, 2), (false, 3_000)] {
            let mut indexes = Buffer::new(Kind::Names(names));
            let mut texts = Buffer::new(Kind::Text);
            for row in 0..rows {
                let index = (!is_nullable || row % 5 > 2).then_some(row % 2);
                indexes.name(index);
                texts.text(index.map(|index| names[index]));
            }
            let kind = Kind::Names(names);
            let encode = |statistics, kind, buffer| {
                one(encoder_with(kind, is_nullable, statistics).encode(0, kind, buffer))
            };
            let found = encode(EnabledStatistics::None, kind, indexes);
            let expected = encode(EnabledStatistics::Chunk, Kind::Text, texts);
            assert_eq!(found.close.metadata, expected.close.metadata);
            assert_eq!(found.pages.bytes(), expected.pages.bytes());
            assert_eq!(pages(&found), pages(&expected));
        }
    }

    #[test]
    fn a_map_has_a_chunk_of_names_and_one_of_values() {
        let mut buffer = Buffer::new(Kind::TextMap);
        buffer.map([(&b"a"[..], &b"bc"[..]), (b"d", b"")].into_iter());
        buffer.map(std::iter::empty());
        let chunks = encoder(Kind::TextMap, false).encode(0, Kind::TextMap, buffer).unwrap();
        let values: Vec<_> = chunks.iter().map(|chunk| chunk.close.metadata.num_values()).collect();
        assert_eq!(values, [3, 3]);
        assert_eq!(pages(&chunks[0]).1, Some(vec![2]));
        assert_eq!(pages(&chunks[1]).1, Some(vec![2]));
        assert!(chunks.iter().all(|chunk| chunk.close.rows_written == 2));
    }

    #[test]
    fn what_must_not_be_is_an_error() {
        let encode = |texts| {
            let chunks = encoder(Kind::Text, false).encode(0, Kind::Text, Buffer::Text(texts));
            chunks.unwrap_err().to_string()
        };
        let mut texts = Texts::default();
        texts.end_row(false);
        assert!(encode(texts).contains("it is null, which it never is"));
        let mut texts = Texts::default();
        for byte in "é".as_bytes() {
            texts.extend(&[*byte]);
            texts.end_row(true);
        }
        assert!(encode(texts).contains("not UTF-8"));
    }
}
