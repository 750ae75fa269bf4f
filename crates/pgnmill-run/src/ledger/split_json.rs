//! Splits as JSON: one line of text per split, for other processes and machines.
//!
//! In: an [`ArchiveSplit`]. Out: an object on one line, and back. Invariant: what is read has the seal that was
//! written. Cost: constant.
//!
//! ```text
//! {"archive":"games.pgn","modified_ns":1763800000000000000,"container":"text","begin":0,"end":900,
//!  "stored_bytes":900,"target_bytes":67108864,"frames":0,"ordinal":0,"count":1,"seal":"7b1dd7b1a1c6d4ef"}
//! ```

use pgnmill_io::archive::{ArchiveSplit, Split, Version};
use pgnmill_io::error::{Error, Result};
use serde_json::Value;

use crate::text::json::{self, Object, Record as _};

/// The longest text that is read as a split.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// The keys of the numbers of a [`Split`], in the order of its text.
const NUMBERS: [&str; 7] =
    ["begin", "end", "stored_bytes", "target_bytes", "frames", "ordinal", "count"];

/// A split with its seal; but for the base, its fields are the first columns of a ledger.
#[derive(Debug)]
pub(crate) struct Sealed {
    split: ArchiveSplit,
    seal: String,
}

impl Sealed {
    pub(crate) fn new(split: &ArchiveSplit) -> Sealed {
        Sealed { split: split.clone(), seal: format!("{:016x}", split.seal()) }
    }

    /// The split, if it has the seal that was written; else why not.
    pub(crate) fn open(self) -> Result<ArchiveSplit, String> {
        let Sealed { split, seal } = self;
        let is_sealed = seal == Sealed::new(&split).seal;
        let why = || format!("{split} was altered: its seal is not that of its fields");
        if is_sealed { Ok(split) } else { Err(why()) }
    }
}

impl json::Record for Sealed {
    fn put(&self, object: &mut Object) {
        let ArchiveSplit { archive, version, split, base, .. } = &self.split;
        json::put(object, "archive", archive);
        json::put(object, "modified_ns", &version.modified_ns);
        json::put(object, "etag", &version.etag);
        let line = split.to_string();
        let mut words = line.split(' ');
        json::put(object, "container", &words.next().unwrap_or_default().to_string());
        for (key, number) in NUMBERS.into_iter().zip(words) {
            json::put(object, key, &number.parse::<u64>().unwrap_or_default());
        }
        json::put(object, "base", base);
        json::put(object, "seal", &self.seal);
    }

    fn take(object: &Object) -> Result<Sealed, &'static str> {
        let mut version = Version::default();
        version.modified_ns = json::take(object, "modified_ns")?;
        version.etag = json::take(object, "etag")?;
        let mut line: String = json::take(object, "container")?;
        for key in NUMBERS {
            line += &format!(" {}", json::take::<u64>(object, key)?);
        }
        let split: Split = line.parse().map_err(|_| "container")?;
        let mut split = ArchiveSplit::new(json::take::<String>(object, "archive")?, version, split);
        split.base = json::take(object, "base")?;
        Ok(Sealed { split, seal: json::take(object, "seal")? })
    }
}

/// The JSON text of a split: one line, without its end.
pub fn split_json(split: &ArchiveSplit) -> String {
    Value::Object(Sealed::new(split).object()).to_string()
}

/// The split of a JSON text.
///
/// # Errors
/// A text that is not that of a split; a split that was altered since it was written, by name.
pub fn parse_split(text: &str) -> Result<ArchiveSplit> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Error::usage(format!("a split has {TEXT_BYTES_MAX} bytes of JSON at most")));
    }
    let refuse = |what: String| Error::usage(format!("this is not the JSON of a split: {what}"));
    let value: Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(refuse("it is no object".to_string()));
    };
    let sealed = Sealed::take(&object).map_err(|key| refuse(format!("it has no valid {key}")))?;
    let known: Object = sealed.object();
    if let Some(key) = object.keys().find(|key| !known.contains_key(*key)) {
        return Err(refuse(format!("it has the unknown field {key}")));
    }
    sealed.open().map_err(Error::usage)
}
