//! `--split`: one part of an archive in the place of archives; and the row of the ledger about it.
//!
//! In: the words of the command line. Out: [`Splitting`], and the split that it names. Invariants: the documentation
//! comments of this file are the help texts; the file of a split is read once. Cost: a read of the file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use pgnmill_io::archive::NamedSource;
use pgnmill_io::error::{Error, Result};

use crate::args::options::options;
use crate::ledger::split_json::parse_split;

/// The split that a run reads.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("inputs", |inputs| inputs.required(false).required_unless_present("split")))]
pub struct Splitting {
    /// Read one split of an archive, a line of `pgnmill splits`
    ///
    /// @FILE reads the line from a file. INPUT is then the path of the archive on this machine, if it is another than
    /// in the split (see docs/cluster.md).
    #[arg(long, value_name = "JSON", help_heading = "Games to read", hide_short_help = true)]
    pub split: Option<String>,
    /// With --split: write the row of the ledger; `merge` reads it
    #[arg(long, value_name = "L.csv", help_heading = "Tables of the run", hide_short_help = true)]
    pub ledger: Option<PathBuf>,
}

options!(Splitting: ; without split ledger);

/// The longest file that is read as a split.
const SPLIT_BYTES_MAX: u64 = 64 << 10;

impl Splitting {
    /// The file that the split is read from: that of `@FILE`.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(Path::new(self.split.as_deref()?.strip_prefix('@')?))
    }

    /// The source of the split, whose archive has another path on this machine if one is named.
    ///
    /// # Errors
    /// A file that cannot be read; a text that is not one split; several places.
    pub(crate) fn source(&self, places: &[PathBuf]) -> Result<Option<NamedSource>> {
        let Some(text) = &self.split else { return Ok(None) };
        let text = match self.file() {
            None => text.clone(),
            Some(path) => {
                let mut text = String::new();
                let read = File::open(path)
                    .and_then(|file| file.take(SPLIT_BYTES_MAX).read_to_string(&mut text));
                read.map_err(|error| Error::io("read", path, error))?;
                text
            }
        };
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let (Some(line), None) = (lines.next(), lines.next()) else {
            return Err(Error::usage("--split takes one split, which is one line"));
        };
        let split = parse_split(line).map_err(|error| {
            let is_parts = !line.starts_with('{') && line.contains(':');
            let meant = if is_parts {
                "; parts such as train:0.9,val:0.1 are those of `export --parts`"
            } else {
                ""
            };
            Error::usage(format!("--split: {error}{meant}"))
        })?;
        match places {
            [] => Ok(Some(NamedSource::archive_split(split))),
            [place] if place != Path::new("-") => {
                Ok(Some(NamedSource::archive_split_at(split, place.clone())))
            }
            _ => Err(Error::usage(
                "--split: INPUT is the archive of the split, a file, or not given",
            )),
        }
    }
}
