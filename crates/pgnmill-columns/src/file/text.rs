//! CSV and JSON lines.
//!
//! In: groups. Out: lines. Dates and times are those of ISO 8601; lists and maps are JSON, also in CSV; a null is an
//! empty field in CSV, and `null` in JSON. Cost: a piece per [`PIECE_ROWS`] rows, since lines can be several times as
//! long as the values.

use std::path::Path;
use std::sync::Arc;

use pgnmill_core::tasks::export::Buffer;
use pgnmill_core::tasks::export::Export;
use pgnmill_core::tasks::export::Group;
use pgnmill_core::tasks::export::Kind;
use pgnmill_core::tasks::export::cell;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Sink, Snapshot};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::cells::Json;
use super::{EncodeError, Fact, Piece, TableWriter, Work};

/// Rows that are encoded at once.
const PIECE_ROWS: usize = 1 << 13;

type Encode = fn(&Export, &Group) -> Result<Vec<u8>, EncodeError>;

/// A file that is being written.
#[derive(Debug)]
pub(super) struct TextFile {
    sink: Sink,
    export: Arc<Export>,
    encode: Encode,
}

impl TextFile {
    pub(super) fn csv(mut sink: Sink, export: Arc<Export>) -> Result<TextFile> {
        let mut header = csv::Writer::from_writer(Vec::new());
        let names = export.columns.iter().map(|column| column.name.as_bytes());
        let header =
            header.write_record(names).map_err(EncodeError::new).and_then(|()| end(header));
        let path = sink.path().to_path_buf();
        sink.add(&header.map_err(|error| error.of(&path))?)?;
        Ok(TextFile { sink, export, encode: encode_csv })
    }

    /// Continues a file that has its header.
    pub(super) fn load_csv(sink: Sink, export: Arc<Export>) -> TextFile {
        TextFile { sink, export, encode: encode_csv }
    }

    pub(super) fn json_lines(sink: Sink, export: Arc<Export>) -> TextFile {
        TextFile { sink, export, encode: encode_json }
    }
}

impl TableWriter for TextFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let encode = self.encode;
        let work = |group: Group| -> Work {
            let export = Arc::clone(&self.export);
            Box::new(move || encode(&export, &group).map(Piece::Text))
        };
        Ok(group.divided(PIECE_ROWS).into_iter().map(work).collect())
    }

    fn write(&mut self, piece: Piece) -> Result<()> {
        let Piece::Text(text) = piece else { return Ok(()) };
        self.sink.add(&text)
    }

    fn path(&self) -> &Path {
        self.sink.path()
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.sink.save(out)
    }

    fn finish(self: Box<Self>, _: Vec<Fact>) -> Result<Sink> {
        Ok(self.sink)
    }

    fn pieces_per_group(&self) -> usize {
        1
    }
}

fn end(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, EncodeError> {
    writer.into_inner().map_err(EncodeError::new)
}

fn columns(export: &Export, group: &Group) -> Vec<Buffer> {
    let columns = export.columns.iter().enumerate();
    columns.map(|(index, column)| group.column(index, column)).collect()
}

/// A spreadsheet takes what follows as text, and shows it without this.
const APOSTROPHE: u8 = b'\'';

/// Would a spreadsheet take a field as a formula, or as text that begins after an apostrophe? What decides is the first
/// character (OWASP, "CSV Injection"; of full width in Japanese and Chinese settings).
fn is_formula(field: &[u8]) -> bool {
    let wide = ["＝", "＋", "－", "＠"].map(str::as_bytes);
    matches!(field.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n' | &APOSTROPHE))
        || wide.iter().any(|wide| field.starts_with(wide))
}

fn encode_csv(export: &Export, group: &Group) -> Result<Vec<u8>, EncodeError> {
    let buffers = columns(export, group);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (mut other, mut safe) = (Vec::new(), Vec::new());
    for row in 0..group.rows_count() {
        for (column, buffer) in export.columns.iter().zip(&buffers) {
            let value = Json(cell(column.kind, buffer, row));
            let field = value.field(&mut other).map_err(EncodeError::new)?;
            if export.csv_safe && column.kind == Kind::Text && is_formula(field) {
                safe.clear();
                safe.push(APOSTROPHE);
                safe.extend_from_slice(field);
                writer.write_field(&safe).map_err(EncodeError::new)?;
                continue;
            }
            writer.write_field(field).map_err(EncodeError::new)?;
        }
        writer.write_record(None::<&[u8]>).map_err(EncodeError::new)?;
    }
    end(writer)
}

fn encode_json(export: &Export, group: &Group) -> Result<Vec<u8>, EncodeError> {
    let buffers = columns(export, group);
    let mut lines = Vec::new();
    for row in 0..group.rows_count() {
        let row = Row { export, buffers: &buffers, row };
        serde_json::to_writer(&mut lines, &row).map_err(EncodeError::new)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// A row as a JSON object.
struct Row<'b> {
    export: &'b Export,
    buffers: &'b [Buffer],
    row: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.buffers.len()))?;
        for (column, buffer) in self.export.columns.iter().zip(self.buffers) {
            map.serialize_entry(column.name.as_ref(), &Json(cell(column.kind, buffer, self.row)))?;
        }
        map.end()
    }
}
