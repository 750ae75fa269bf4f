//! Splits as JSON: one line of text per split, for other processes and machines.
//!
//! In: an [`ArchiveSplit`]. Out: an object on one line, and back. Invariant: what is read has the seal that was
//! written. Cost: constant.
//!
//! ```text
//! {"archive":"games.pgn","modified_ns":1763800000000000000,"container":"text","begin":0,"end":900,
//!  "stored_bytes":900,"target_bytes":67108864,"frames":0,"ordinal":0,"count":1,"seal":"7b1dd7b1a1c6d4ef"}
//! ```

use pgnmill_io::archive::{ArchiveSplit, Split, SplitBase, Version};
use pgnmill_io::error::{Error, Result};
use serde_json::{Map, Value};

/// The longest text that is read as a split.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// The keys of the numbers of a [`Split`], in the order of its text.
const NUMBERS: [&str; 7] =
    ["begin", "end", "stored_bytes", "target_bytes", "frames", "ordinal", "count"];

/// The JSON text of a split: one line, without its end.
pub fn split_json(split: &ArchiveSplit) -> String {
    let mut object = Map::new();
    object.insert("archive".to_string(), split.archive.clone().into());
    if let Some(time) = split.version.modified_ns {
        object.insert("modified_ns".to_string(), time.into());
    }
    if let Some(etag) = &split.version.etag {
        object.insert("etag".to_string(), etag.clone().into());
    }
    let line = split.split.to_string();
    let mut fields = line.split(' ');
    let container = fields.next().unwrap_or_default();
    object.insert("container".to_string(), container.into());
    for (key, number) in NUMBERS.into_iter().zip(fields) {
        object.insert(key.to_string(), number.parse::<u64>().unwrap_or_default().into());
    }
    if let Some(base) = split.base {
        let SplitBase { text_bytes, lines, games } = base;
        let numbers = [("text_bytes", text_bytes), ("lines", lines), ("games", games)];
        let numbers = numbers.into_iter().map(|(key, number)| (key.to_string(), number.into()));
        object.insert("base".to_string(), Value::Object(numbers.collect()));
    }
    object.insert("seal".to_string(), format!("{:016x}", split.seal()).into());
    Value::Object(object).to_string()
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
    let Value::Object(mut object) = value else {
        return Err(refuse("it is no object".to_string()));
    };
    let mut take = |key: &str| object.remove(key);
    let lacks = |key: &str| refuse(format!("it has no valid {key}"));
    let word = |key: &str, value: Option<Value>| match value {
        Some(Value::String(word)) => Ok(word),
        _ => Err(lacks(key)),
    };
    let number =
        |key: &str, value: Option<&Value>| value.and_then(Value::as_u64).ok_or_else(|| lacks(key));
    let archive = word("archive", take("archive"))?;
    let mut version = Version::default();
    if let Some(time) = take("modified_ns") {
        version.modified_ns = Some(number("modified_ns", Some(&time))?);
    }
    if let Some(etag) = take("etag") {
        version.etag = Some(word("etag", Some(etag))?);
    }
    let mut line = word("container", take("container"))?;
    for key in NUMBERS {
        line += &format!(" {}", number(key, take(key).as_ref())?);
    }
    let split: Split = line.parse().map_err(|_| lacks("container"))?;
    let base = match take("base") {
        None => None,
        Some(base) => {
            let [text_bytes, lines, games] =
                ["text_bytes", "lines", "games"].map(|key| number(key, base.get(key)));
            Some(SplitBase { text_bytes: text_bytes?, lines: lines?, games: games? })
        }
    };
    let seal = word("seal", take("seal"))?;
    if let Some(key) = object.keys().next() {
        return Err(refuse(format!("it has the unknown field {key}")));
    }
    let mut found = ArchiveSplit::new(archive, version, split);
    found.base = base;
    if seal != format!("{:016x}", found.seal()) {
        return Err(Error::usage(format!(
            "{found} was altered: its seal is not that of its fields"
        )));
    }
    Ok(found)
}
