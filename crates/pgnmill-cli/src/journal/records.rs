//! The records of a journal, as lines of JSON.
//!
//! In: what a run does. Out: one line per record; and the records of a journal that was read. Invariants: a last line
//! that is cut short, as by a crash, is ignored; any other line that is no record is an error with its number. Cost:
//! constant per record.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use pgnmill_core::replay::Counts;
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};
use serde_json::{Map, Value, json};

/// The version of the format of journals.
const FORMAT: u64 = 1;

/// A path in a journal: as it is, or its bytes if it is not UTF-8.
pub(crate) fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.starts_with(BYTES) => text.to_string(),
        _ => {
            let bytes = path.as_os_str().as_encoded_bytes().iter();
            BYTES.to_string() + &bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
        }
    }
}

/// Before the bytes of a path that is not UTF-8.
const BYTES: &str = "bytes:";

/// The length of a journal, at most; a million outputs take a third of it.
const JOURNAL_BYTES_MAX: u64 = 1 << 30;

/// The path of a text of [`path_text`].
fn path_of(text: &str) -> PathBuf {
    let Some(digits) = text.strip_prefix(BYTES) else { return text.into() };
    let digits = digits.as_bytes().chunks(2);
    let bytes = digits.filter_map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok());
    let bytes: Vec<u8> = bytes.collect();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        std::ffi::OsString::from_vec(bytes).into()
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// What identifies an input: its path, size, and time of modification in nanoseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InputFact {
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) modified: u64,
}

impl InputFact {
    /// Of a regular file; `None` for what cannot be read twice.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub(super) fn of(input: &Input) -> Result<Option<InputFact>> {
        let Input::Path(path) = input else { return Ok(None) };
        let metadata = fs::metadata(path).map_err(|error| Error::io("open", path, error))?;
        let of_file = metadata.is_file().then(|| InputFact {
            path: path_text(path),
            bytes: metadata.len(),
            modified: modified(&metadata),
        });
        Ok(of_file)
    }
}

fn modified(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map_or(0, |time| time.as_nanos() as u64)
}

/// The first record: what the run does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RunFact {
    pub(super) program: String,
    pub(super) command: String,
    /// The options that decide about the bytes of the outputs, and their values.
    pub(super) options: Vec<(String, String)>,
    pub(super) inputs: Vec<InputFact>,
}

/// An output that gets its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OutputFact {
    /// The index of its input, if it is of one.
    pub(super) input: Option<usize>,
    pub(super) output: PathBuf,
    /// Its temporary file.
    pub(super) part: PathBuf,
    pub(super) bytes: u64,
    pub(super) digest: String,
    /// Accepted, repaired and rejected games of its input, and the bytes of its text.
    pub(super) ledger: Option<[u64; 4]>,
}

impl OutputFact {
    /// The ledger of an archive.
    pub(super) fn ledger_of(counts: &Counts, text_bytes: u64) -> [u64; 4] {
        [counts.accepted, counts.repaired, counts.rejected, text_bytes]
    }
}

/// A state that was saved in a file beside the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CheckpointFact {
    pub(super) number: u64,
    /// The input that the run goes on with.
    pub(super) input: usize,
    /// The name of the file of the state, its length and digest.
    pub(super) state: String,
    pub(super) bytes: u64,
    pub(super) digest: String,
    /// The temporary files that the state continues.
    pub(super) parts: Vec<PathBuf>,
    /// Complete outputs that get their names after this record.
    pub(super) publish: Vec<OutputFact>,
}

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// Are all games valid?
    pub(crate) clean: bool,
    /// Inputs that could not be read to their end.
    pub(crate) failed_inputs: u64,
}

impl Outcome {
    fn value(self) -> Value {
        json!({ "clean": self.clean, "failed_inputs": self.failed_inputs })
    }
}

/// A record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Record {
    Run(RunFact),
    Checkpoint(CheckpointFact),
    /// An output has its name.
    Finished(OutputFact),
    /// All outputs get their names.
    Publish(Vec<OutputFact>, Outcome),
    /// All outputs have their names.
    Done(Outcome),
}

fn of_output(fact: &OutputFact) -> Value {
    let mut value = json!({
        "output": path_text(&fact.output),
        "part": path_text(&fact.part),
        "bytes": fact.bytes,
        "digest": fact.digest,
    });
    if let Some(input) = fact.input {
        value["input"] = input.into();
    }
    if let Some([accepted, repaired, rejected, text_bytes]) = fact.ledger {
        value["accepted"] = accepted.into();
        value["repaired"] = repaired.into();
        value["rejected"] = rejected.into();
        value["text_bytes"] = text_bytes.into();
    }
    value
}

impl Record {
    /// The line, with its end.
    pub(super) fn line(&self) -> String {
        let mut value = match self {
            Record::Run(RunFact { program, command, options, inputs }) => {
                let option =
                    |(name, value): &(String, String)| (name.clone(), value.clone().into());
                let input = |fact: &InputFact| json!({"path": fact.path, "bytes": fact.bytes, "modified": fact.modified});
                json!({
                    "journal": FORMAT,
                    "program_version": program,
                    "command": command,
                    "options": Value::Object(options.iter().map(option).collect()),
                    "inputs": inputs.iter().map(input).collect::<Vec<_>>(),
                })
            }
            Record::Checkpoint(fact) => json!({
                "number": fact.number,
                "input": fact.input,
                "state": fact.state,
                "bytes": fact.bytes,
                "digest": fact.digest,
                "parts": fact.parts.iter().map(|part| path_text(part)).collect::<Vec<_>>(),
                "publish": fact.publish.iter().map(of_output).collect::<Vec<_>>(),
            }),
            Record::Finished(fact) => of_output(fact),
            Record::Publish(outputs, outcome) => {
                let mut value = outcome.value();
                value["outputs"] = outputs.iter().map(of_output).collect();
                value
            }
            Record::Done(outcome) => outcome.value(),
        };
        value["record"] = self.name().into();
        format!("{value}\n")
    }

    fn name(&self) -> &'static str {
        match self {
            Record::Run(_) => "run",
            Record::Checkpoint(_) => "checkpoint",
            Record::Finished(_) => "finished",
            Record::Publish(..) => "publish",
            Record::Done(_) => "done",
        }
    }

    fn parse(line: &[u8]) -> Option<Record> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let fields = Fields(value.as_object()?);
        Some(match fields.text("record")?.as_str() {
            "run" if fields.number("journal")? == FORMAT => Record::Run(fields.run()?),
            "checkpoint" => Record::Checkpoint(CheckpointFact {
                // The next one has a number too.
                number: fields.number("number").filter(|&number| number < u64::MAX)?,
                input: fields.number("input")? as usize,
                state: fields.text("state")?,
                bytes: fields.number("bytes")?,
                digest: fields.text("digest")?,
                parts: fields.paths("parts")?,
                publish: fields.outputs("publish")?,
            }),
            "finished" => Record::Finished(fields.output()?),
            "publish" => Record::Publish(fields.outputs("outputs")?, fields.outcome()?),
            "done" => Record::Done(fields.outcome()?),
            _ => return None,
        })
    }
}

/// The fields of a record.
struct Fields<'v>(&'v Map<String, Value>);

impl Fields<'_> {
    fn text(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().map(str::to_string)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    fn outcome(&self) -> Option<Outcome> {
        let clean = self.0.get("clean")?.as_bool()?;
        Some(Outcome { clean, failed_inputs: self.number("failed_inputs")? })
    }

    fn output(&self) -> Option<OutputFact> {
        let ledger = ["accepted", "repaired", "rejected", "text_bytes"];
        let ledger = ledger.map(|name| self.number(name));
        Some(OutputFact {
            input: self.number("input").map(|input| input as usize),
            output: path_of(&self.text("output")?),
            part: path_of(&self.text("part")?),
            bytes: self.number("bytes")?,
            digest: self.text("digest")?,
            ledger: match ledger {
                [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
                _ => None,
            },
        })
    }

    fn paths(&self, name: &str) -> Option<Vec<PathBuf>> {
        let paths = self.0.get(name)?.as_array()?.iter();
        paths.map(|path| path.as_str().map(path_of)).collect()
    }

    fn outputs(&self, name: &str) -> Option<Vec<OutputFact>> {
        let outputs = self.0.get(name)?.as_array()?.iter();
        outputs.map(|output| Fields(output.as_object()?).output()).collect()
    }

    fn run(&self) -> Option<RunFact> {
        let option =
            |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_string()));
        let input = |value: &Value| {
            let fields = Fields(value.as_object()?);
            let (bytes, modified) = (fields.number("bytes")?, fields.number("modified")?);
            Some(InputFact { path: fields.text("path")?, bytes, modified })
        };
        Some(RunFact {
            program: self.text("program_version")?,
            command: self.text("command")?,
            options: self
                .0
                .get("options")?
                .as_object()?
                .iter()
                .map(option)
                .collect::<Option<_>>()?,
            inputs: self.0.get("inputs")?.as_array()?.iter().map(input).collect::<Option<_>>()?,
        })
    }
}

/// The records of a journal, and the length of their lines; what follows is a line that a crash cut short.
///
/// # Errors
/// What the system refuses; a line that is no record, with its number.
pub(super) fn read(path: &Path) -> Result<(Vec<Record>, u64)> {
    let failed = |error| Error::io("read", path, error);
    if fs::metadata(path).map_err(failed)?.len() > JOURNAL_BYTES_MAX {
        return Err(failed(io::Error::other("it is too long for a journal")));
    }
    let bytes = fs::read(path).map_err(failed)?;
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(len) = memchr::memchr(b'\n', &bytes[at..]) {
        match Record::parse(&bytes[at..at + len]) {
            Some(record) => records.push(record),
            None if at + len + 1 == bytes.len() => break,
            None => {
                let number = records.len() + 1;
                let why = io::Error::other(format!("line {number} is no record of a journal"));
                return Err(Error::io("read", path, why));
            }
        }
        at += len + 1;
    }
    // What a crash leaves of the first record begins as it does, or was never written.
    if records.is_empty() && bytes.first().is_some_and(|first| !matches!(first, b'{' | 0)) {
        return Err(failed(io::Error::other("it is no journal")));
    }
    Ok((records, at as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let output = OutputFact {
            input: Some(3),
            output: "a b\"c.pgn".into(),
            part: "a.part".into(),
            bytes: 7,
            digest: "00ff".to_string(),
            ledger: Some([1, 2, 3, 4]),
        };
        let plain = OutputFact { input: None, ledger: None, ..output.clone() };
        vec![
            Record::Run(RunFact {
                program: "1".to_string(),
                command: "convert".to_string(),
                options: vec![("--to".to_string(), "san".to_string())],
                inputs: vec![InputFact { path: "x".to_string(), bytes: 1, modified: u64::MAX }],
            }),
            Record::Checkpoint(CheckpointFact {
                number: 1,
                input: 2,
                state: "s".to_string(),
                bytes: 3,
                digest: "4".to_string(),
                parts: vec!["p".into()],
                publish: vec![output.clone()],
            }),
            Record::Finished(output),
            Record::Publish(vec![plain], Outcome { clean: false, failed_inputs: 0 }),
            Record::Done(Outcome { clean: true, failed_inputs: 7 }),
        ]
    }

    #[test]
    fn a_journal_is_read_up_to_a_line_that_was_cut_short() {
        let path = std::env::temp_dir().join(format!("pgnmill-journal-{}", std::process::id()));
        let lines: Vec<String> = records().iter().map(Record::line).collect();
        let text = lines.concat();
        for cut in 0..=text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let (found, len) = read(&path).unwrap();
            assert_eq!(found[..], records()[..found.len()]);
            assert_eq!(len as usize, lines[..found.len()].concat().len());
            assert_eq!(found.len(), text[..cut].matches('\n').count());
        }
        for line in 0..4 {
            let mut damaged = lines.clone();
            damaged[line] = damaged[line].replace("record", "recorD");
            fs::write(&path, damaged.concat()).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(&format!("line {} ", line + 1)), "{error}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [b"a\xffb".as_slice(), b"bytes:ab", b"c d"] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            assert_eq!(path_of(&path_text(path)), path);
        }
    }
}
