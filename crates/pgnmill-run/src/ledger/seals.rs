//! Seals of tables: by their bytes and digest `merge` recognises tables that were cut, changed, or copied from
//! elsewhere.
//!
//! In: the outputs of a run; or a directory of tables. Out: `tables.csv`, or the field `tables` of `ledger.csv`; or an
//! error that names the table. Invariant: `tables.csv` seals itself too, in its last row. Cost: a read of each table
//! that is sealed; `merge` reads them anyway.
//!
//! ```text
//! lengths.csv,1310,0f1e2d3c4b5a6978
//! ```

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use pgnmill_core::tables::rows::count;
use pgnmill_core::tables::seals::SCHEMA;
use pgnmill_core::tables::{self, Rows, TableError};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Digest, FileSet, Sink};

use crate::text::records::Records;

/// The most bytes of `tables.csv`.
const BYTES_MAX: u64 = 1 << 20;
/// Between the seals in a field; no name of a file has it.
const AND: &str = "/";

/// The seal of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    /// The name of the file.
    file: String,
    bytes_count: u64,
    digest: String,
}

impl Seal {
    /// The seals of those outputs that are files of a directory, by their names.
    pub(crate) fn all<'s>(
        sinks: impl IntoIterator<Item = &'s Sink>,
        directory: &Path,
    ) -> Vec<Seal> {
        let of = |sink: &Sink| {
            let path = sink.path();
            let is_in = path.parent() == Some(directory);
            let file = path.file_name().filter(|_| is_in)?.to_str()?.to_string();
            let (bytes_count, digest) = sink.seal()?;
            Some(Seal { file, bytes_count, digest })
        };
        let mut seals: Vec<Seal> = sinks.into_iter().filter_map(of).collect();
        seals.sort_by(|one, other| one.file.cmp(&other.file));
        seals
    }

    fn parse(file: &str, value: &str) -> Option<Seal> {
        let (bytes, digest) = value.split_once(' ')?;
        let (file, digest) = (file.to_string(), digest.to_string());
        Some(Seal { file, bytes_count: bytes.parse().ok()?, digest })
    }

    fn value(&self) -> String {
        format!("{} {}", self.bytes_count, self.digest)
    }

    /// # Errors
    /// A table of the directory that is missing, or has other bytes.
    fn check(&self, directory: &Path, sealed_by: &Path) -> Result<()> {
        let path = directory.join(&self.file);
        // A pipe can be read once.
        if std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(());
        }
        let digest = match File::open(&path).and_then(Digest::read) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(Error::usage(format!(
                    "{} is missing, which the run of {} wrote: copy all tables of a directory",
                    path.shown(),
                    sealed_by.shown()
                )));
            }
            read => read.map_err(|error| Error::io("read", &path, error))?,
        };
        let bytes_count = digest.bytes_count();
        if bytes_count == self.bytes_count && digest.text() == self.digest {
            return Ok(());
        }
        let what = match bytes_count == self.bytes_count {
            true => "has other contents".to_string(),
            false => format!("has {bytes_count} bytes, not {}", self.bytes_count),
        };
        Err(Error::usage(format!(
            "{} {what}: it is not the table that the run of {} wrote",
            path.shown(),
            sealed_by.shown()
        )))
    }
}

/// The seals as a field of a ledger.
pub(crate) fn field(seals: &[Seal]) -> String {
    let shown = |seal: &Seal| format!("{} {}", seal.value(), seal.file);
    seals.iter().map(shown).collect::<Vec<_>>().join(AND)
}

/// Checks the tables beside a ledger; `fields`: of its rows.
///
/// # Errors
/// A field that is none, a table that is missing or has other bytes.
pub(crate) fn check_field(field: &str, ledger: &Path) -> Result<()> {
    let directory = ledger.parent().unwrap_or(Path::new(""));
    for text in field.split(AND).filter(|text| !text.is_empty()) {
        let mut words = text.splitn(3, ' ');
        let [bytes, digest, file] = std::array::from_fn(|_| words.next().unwrap_or_default());
        let seal = Seal::parse(file, &format!("{bytes} {digest}")).ok_or_else(|| {
            Error::usage(format!("{}: {text:?} is no seal of a table", ledger.shown()))
        })?;
        seal.check(directory, ledger)?;
    }
    Ok(())
}

/// Writes `tables.csv`, which seals the other tables of a directory.
///
/// # Errors
/// What the system refuses, with the path.
pub(crate) fn write(files: &mut FileSet, seals: &[Seal]) -> Result<()> {
    let mut records = Records::of(&SCHEMA.header());
    let add = |records: &mut Records, seal: &Seal| {
        records.add(
            [&seal.file, &seal.bytes_count.to_string(), &seal.digest].map(|it| it.clone().into()),
        );
    };
    seals.iter().for_each(|seal| add(&mut records, seal));
    let text = records.csv()?;
    let digest = Digest::of(text.as_bytes());
    let own = Seal { file: SCHEMA.file.to_string(), bytes_count: text.len() as u64, digest };
    add(&mut records, &own);
    let mut sink = files.open(SCHEMA.file)?;
    sink.add(records.csv()?.as_bytes())?;
    files.add(sink)
}

/// Checks the tables of a directory against its `tables.csv`. `others`: tables that it may have besides those that are
/// added.
///
/// # Errors
/// A table that is missing, was cut or has other bytes, `tables.csv` itself included; one that the run did not write.
pub(crate) fn check(directory: &Path, others: &[&str]) -> Result<()> {
    let path = directory.join(SCHEMA.file);
    let refuse = |why: &str| Err(Error::usage(format!("{} {why}", path.shown())));
    let mut text = Vec::new();
    let read = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return refuse(
                "is missing, which every measurement writes: copy all tables, or measure anew",
            );
        }
        opened => opened.and_then(|file| file.take(BYTES_MAX).read_to_end(&mut text)),
    };
    read.map_err(|error| Error::io("read", &path, error))?;
    let broken = |error: TableError| Error::usage(format!("{}: {error}", path.shown()));
    let mut rows = Rows::of(&text[..], &SCHEMA).map_err(broken)?;
    let mut seals = Vec::new();
    while let Some(row) = rows.next_row().map_err(broken)? {
        let field = |index: usize| row.get(index).unwrap_or_default().to_string();
        let bytes_count = count(&field(1)).map_err(broken)?;
        seals.push(Seal { file: field(0), bytes_count, digest: field(2) });
    }
    let own = seals.pop_if(|seal| seal.file == SCHEMA.file);
    let before = text.strip_suffix(b"\n").unwrap_or(&text);
    let before = &text[..before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)];
    let is_sealed = own.is_some_and(|own| {
        own.bytes_count == before.len() as u64 && own.digest == Digest::of(before)
    });
    if !is_sealed {
        return refuse("was cut or changed: it does not end with the digest of its rows");
    }
    let mut tables = tables::added().map(|schema| schema.file).chain(others.iter().copied());
    let is_foreign = |file: &&str| {
        directory.join(file).exists() && !seals.iter().any(|seal| seal.file == **file)
    };
    if let Some(file) = tables.find(is_foreign) {
        return Err(Error::usage(format!(
            "{} is not a table of the run that wrote {}",
            directory.join(file).shown(),
            path.shown()
        )));
    }
    seals.iter().try_for_each(|seal| seal.check(directory, &path))
}
