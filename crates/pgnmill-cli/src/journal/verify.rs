//! Complete outputs are as they were.
//!
//! In: the record of an output. Out: nothing, or the difference. Cost: a system call, or a read of the file.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Digest;

use super::records::OutputFact;

/// Returns an error if a complete output is not as it was; `reads`: by its bytes, else by its length.
pub(super) fn check(fact: &OutputFact, reads: bool) -> Result<()> {
    let path = &fact.output;
    let changed = |what: String| {
        let path = path.shown();
        Error::usage(format!(
            "{path} is complete, and was changed since: {what}; begin again with --overwrite in place of --resume"
        ))
    };
    let len = fs::metadata(path).map_err(|error| changed(error.to_string()))?.len();
    if len != fact.bytes {
        return Err(changed(format!("it had {} bytes, has {len}", fact.bytes)));
    }
    if reads && digest_of(path).map_err(|error| Error::io("read", path, error))? != fact.digest {
        return Err(changed("its digest is another one".to_string()));
    }
    Ok(())
}

fn digest_of(path: &Path) -> std::io::Result<String> {
    let (mut file, mut digest) = (File::open(path)?, Digest::default());
    let mut bytes = vec![0; 1 << 20];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(digest.text()),
            len => digest.add(&bytes[..len]),
        }
    }
}
