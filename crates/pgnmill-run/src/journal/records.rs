//! The records of a journal, as lines of JSON.
//!
//! In: what a run does. Out: one line per record; and the records of a journal that was read. Invariants: a last line
//! that is cut short, as by a crash, is ignored; any other line that is no record is an error with its number. Cost:
//! constant per record.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use pgnmill_core::engine::Counted;
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};
use serde_json::Value;

use crate::text::json::{self, Object, Record as _, path_text};

/// The version of the format of journals and of saved states.
pub(super) const FORMAT: u64 = 7;

/// The length of a journal, at most; a million outputs take a third of it.
const JOURNAL_BYTES_MAX: u64 = 1 << 30;

/// What identifies an input: its path, size, and time of modification in nanoseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InputFact {
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) modified: u64,
}

json::record!(InputFact { path, bytes, modified });

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
    /// [`FORMAT`].
    pub(super) journal: u64,
    pub(super) program_version: String,
    pub(super) command: String,
    /// The options that decide about the bytes of the outputs, and their values.
    pub(super) options: BTreeMap<String, String>,
    pub(super) inputs: Vec<InputFact>,
}

json::record!(RunFact { journal, program_version, command, options, inputs });

/// An output that gets its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct OutputFact {
    pub(super) output: PathBuf,
    /// Its temporary file.
    pub(super) part: PathBuf,
    pub(super) bytes: u64,
    pub(super) digest: String,
    /// The index of its input, if it is of one.
    pub(super) input: Option<usize>,
    // What was read of that input.
    pub(super) accepted: Option<u64>,
    pub(super) repaired: Option<u64>,
    pub(super) rejected: Option<u64>,
    pub(super) text_bytes: Option<u64>,
}

json::record!(OutputFact {
    output,
    part,
    bytes,
    digest,
    input,
    accepted,
    repaired,
    rejected,
    text_bytes
});

impl OutputFact {
    /// This output, of which so much was read.
    pub(super) fn with(self, Counted { counts, text_bytes, .. }: &Counted) -> OutputFact {
        OutputFact {
            accepted: Some(counts.accepted),
            repaired: Some(counts.repaired),
            rejected: Some(counts.rejected),
            text_bytes: Some(*text_bytes),
            ..self
        }
    }
}

/// A state from which the run can go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CheckpointFact {
    /// Counts from 1, over all runs.
    pub(super) number: u64,
    /// The index of the input to go on with.
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

json::record!(CheckpointFact { number, input, state, bytes, digest, parts, publish });

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// Are all games valid?
    pub(crate) clean: bool,
    /// Inputs that could not be read to their end.
    pub(crate) failed_inputs: u64,
}

json::record!(Outcome { clean, failed_inputs });

/// The last outputs, and how the run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PublishFact {
    pub(super) outputs: Vec<OutputFact>,
    pub(super) outcome: Outcome,
}

json::record!(PublishFact { outputs } with outcome);

/// A record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Record {
    Run(RunFact),
    Checkpoint(CheckpointFact),
    /// An output has its name.
    Finished(OutputFact),
    /// All outputs get their names.
    Publish(PublishFact),
    /// All outputs have their names.
    Done(Outcome),
}

json::records!(Record "record" {
    "run" => Run,
    "checkpoint" => Checkpoint,
    "finished" => Finished,
    "publish" => Publish,
    "done" => Done,
});

impl Record {
    /// The line, with its end.
    pub(super) fn line(&self) -> String {
        format!("{}\n", Value::Object(self.object()))
    }

    fn parse(line: &[u8]) -> Option<Record> {
        let record = Record::take(&serde_json::from_slice::<Object>(line).ok()?).ok()?;
        // The next one has a number too.
        let is_last = |fact: &CheckpointFact| fact.number == u64::MAX;
        (!matches!(&record, Record::Checkpoint(fact) if is_last(fact))).then_some(record)
    }
}

/// The records of an open journal, and the length of their lines; what follows is a line that a crash cut short. Of a
/// journal of another format only the run, with which none goes on. `path`: its path, for messages.
///
/// # Errors
/// What the system refuses; a line that is no record, with its number.
pub(super) fn read(mut file: &File, path: &Path) -> Result<(Vec<Record>, u64)> {
    let failed = |error| Error::io("read", path, error);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    file.take(JOURNAL_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > JOURNAL_BYTES_MAX {
        return Err(failed(io::Error::other("it is too long for a journal")));
    }
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(len) = memchr::memchr(b'\n', &bytes[at..]) {
        match Record::parse(&bytes[at..at + len]) {
            Some(Record::Run(run)) if run.journal != FORMAT => {
                return Ok((vec![Record::Run(run)], 0));
            }
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
        let plain = OutputFact {
            output: "a b\"c.pgn".into(),
            part: "a.part".into(),
            bytes: 7,
            digest: "00ff".to_string(),
            ..OutputFact::default()
        };
        let mut counted = Counted { text_bytes: 4, ..Counted::default() };
        (counted.counts.accepted, counted.counts.repaired, counted.counts.rejected) = (1, 2, 3);
        let output = OutputFact { input: Some(3), ..plain.clone() }.with(&counted);
        vec![
            Record::Run(RunFact {
                journal: FORMAT,
                program_version: "1".to_string(),
                command: "convert".to_string(),
                options: BTreeMap::from([("--to".to_string(), "san".to_string())]),
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
            Record::Publish(PublishFact {
                outputs: vec![plain],
                outcome: Outcome { clean: false, failed_inputs: 0 },
            }),
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
            let (found, len) = read(&File::open(&path).unwrap(), &path).unwrap();
            assert_eq!(found[..], records()[..found.len()]);
            assert_eq!(len as usize, lines[..found.len()].concat().len());
            assert_eq!(found.len(), text[..cut].matches('\n').count());
        }
        for line in 0..4 {
            let mut damaged = lines.clone();
            damaged[line] = damaged[line].replace("record", "recorD");
            fs::write(&path, damaged.concat()).unwrap();
            let error = read(&File::open(&path).unwrap(), &path).unwrap_err().to_string();
            assert!(error.contains(&format!("line {} ", line + 1)), "{error}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn of_a_journal_of_another_format_only_the_run_is_read() {
        let path = std::env::temp_dir().join(format!("pgnmill-format-{}", std::process::id()));
        let run = records()[0].line().replace(&format!("\"journal\":{FORMAT}"), "\"journal\":1");
        fs::write(&path, run + "{\"record\":\"other\"}\n{}\n").unwrap();
        let (found, _) = read(&File::open(&path).unwrap(), &path).unwrap();
        assert!(matches!(&found[..], [Record::Run(run)] if run.journal == 1), "{found:?}");
        fs::remove_file(&path).unwrap();
    }
}
