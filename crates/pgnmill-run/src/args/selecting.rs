//! `--where`: which games a command reads; and the expressions of options, as texts or in files.
//!
//! In: `EXPR`, or `@FILE`. Out: the text, and the path of the file, which no output may overwrite. Invariant: a file is
//! read once, so that what runs is what the journal records, also if it is a pipe or changes meanwhile. Cost: a read of
//! the file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use pgnmill_core::chess::PackedPosition;
use pgnmill_core::select::{EXPRESSION_BYTES_MAX, PositionSet, PositionSetError};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Digest;

use crate::args::options::options;

/// The games that a run selects.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Selecting {
    /// Read only games for which this expression is true
    ///
    /// Such as 'rating_min >= 2000 and speed == "blitz"'; @FILE reads it from a file (see `pgnmill fields` and
    /// docs/select.md). 'position in @FILE': the game reaches a position of a file in EPD or FEN.
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = "Games to read"
    )]
    pub condition: Option<String>,
}

options!(Selecting: condition; without);

/// The positions of a file that an expression names (`position in @FILE`).
///
/// # Errors
/// A file that cannot be read, or a line of it that is no position.
pub(crate) fn positions_of_file(name: &str) -> Result<PositionSet, String> {
    let failed = |error: PositionSetError| match error {
        PositionSetError::Read(error) => format!("cannot read {name}: {error}"),
        error => format!("{name}, {error}"),
    };
    let file = File::open(name).map_err(|error| failed(PositionSetError::Read(error)))?;
    PositionSet::read(file).map_err(failed)
}

/// A digest of positions, whatever their order in the file.
pub(crate) fn digest_of(positions: &PositionSet) -> String {
    let mut digest = Digest::default();
    for PackedPosition { planes, flags } in positions.positions() {
        digest.add(planes.map(u64::to_le_bytes).as_flattened());
        digest.add(&[*flags]);
    }
    digest.text()
}

/// A text, and the file that it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: String,
    path: Option<PathBuf>,
}

impl Expression {
    /// The expression of an argument of an option.
    ///
    /// # Errors
    /// A file that cannot be read, is too long, or is not UTF-8.
    pub(crate) fn read(option: &str, argument: &str) -> Result<Expression> {
        let Some(path) = argument.strip_prefix('@') else {
            return Ok(Expression { text: argument.to_string(), path: None });
        };
        let refuse = |why: String| Error::usage(format!("{option} {argument}: {why}"));
        if path.is_empty() {
            return Err(refuse("@ is followed by the name of a file".to_string()));
        }
        let (mut text, most) = (Vec::new(), EXPRESSION_BYTES_MAX as u64 + 1);
        let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut text));
        read.map_err(|error| refuse(format!("cannot read {path}: {error}")))?;
        if text.len() as u64 == most {
            return Err(refuse(format!("{path} has more than {EXPRESSION_BYTES_MAX} bytes")));
        }
        let text = String::from_utf8(text);
        let text = text.map_err(|_| refuse(format!("{path} is not UTF-8")))?;
        Ok(Expression { text, path: Some(path.into()) })
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The file that it was read from.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}
