//! The work of reading files with members grows as their bytes do: the bytes that the program reads are counted.
//!
//! In: the product of kinds of files, numbers of members, damage and how members are named. Out: nothing. Law: what is
//! read of a file is at most a few times its bytes, whatever is damaged, refused or named. The system counts
//! (`/proc/PID/io`), no clock.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Cursor};
use std::process::Stdio;

use sevenz_rust2::encoder_options::Lzma2Options;
use sevenz_rust2::{
    ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod, SourceReader,
};

use crate::common::coded::zip;
use crate::common::{Dice, Scratch, pgnmill, trials};

type Members = Vec<(String, Vec<u8>)>;

/// Games with comments that are hard to compress: what is stored has the order of the text.
fn members(count: usize) -> Members {
    let mut dice = Dice::new(0x9E0);
    let mut text = || {
        let letters: String = (0..6_000).map(|_| char::from(b'!' + dice.below(80) as u8)).collect();
        format!("[Event \"a\"]\n\n1. e4 {{{}}} *\n\n", letters.replace(['{', '}'], "x"))
    };
    (0..count).map(|number| (format!("m{number:04}.pgn"), text().into_bytes())).collect()
}

/// A 7-Zip file of one block.
fn solid(members: &Members, method: EncoderConfiguration) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    archive.set_content_methods(vec![method]);
    let entries = members.iter().map(|(name, _)| ArchiveEntry::new_file(name)).collect();
    let texts = members.iter().map(|(_, text)| SourceReader::new(&text[..])).collect();
    archive.push_archive_entries(entries, texts).unwrap();
    archive.finish().unwrap().into_inner()
}

fn zipped(members: &Members) -> Vec<u8> {
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, text)| (name.as_str(), &text[..])).collect();
    zip(&members)
}

/// The bytes that a run over these archives has read when the last of them has ended; standard input, which is read
/// after them, is kept open until then.
fn read_bytes(scratch: &Scratch, names: &[String], inputs_count: usize) -> u64 {
    let mut run = pgnmill()
        .args(["validate", "--quiet", "--keep-going", "--threads=1", "--progress=json"])
        .args(names)
        .arg("-")
        .current_dir(scratch.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pipe = run.stdin.take().unwrap();
    let lines = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
    let is_end = |line: &String| line.contains("\"event\":\"input\"");
    let mut ends = lines.filter(is_end);
    for input in 0..inputs_count {
        assert!(ends.next().is_some(), "input {input} of {inputs_count}");
    }
    let counts = fs::read_to_string(format!("/proc/{}/io", run.id())).unwrap();
    drop(pipe);
    ends.for_each(drop);
    run.wait().unwrap();
    let bytes = counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
    bytes.parse().unwrap()
}

/// How the members of a file are named.
#[derive(Clone, Copy, Debug)]
enum Naming {
    Whole,
    OneByOne,
    Directory,
}

impl Naming {
    fn names(self, file: &str, members: &Members) -> Vec<String> {
        match self {
            Naming::Whole => vec![file.to_string()],
            Naming::OneByOne => members.iter().map(|(name, _)| format!("{file}/{name}")).collect(),
            Naming::Directory => vec![".".to_string()],
        }
    }
}

/// What the members begin with that are refused at their first bytes, every other one.
fn refused(mut members: Members) -> Members {
    members.iter_mut().step_by(2).for_each(|(_, text)| {
        text.splice(..0, *b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff");
    });
    members
}

/// Kinds of files × damage × naming × numbers of members.
#[test]
fn what_is_read_of_a_file_grows_as_its_bytes() {
    // What the program reads besides: libraries, names of the system, what a decoder reads ahead.
    const OTHERS: u64 = 2 << 20;
    for &count in trials(&[100][..], &[150], &[50, 800]) {
        let texts = members(count);
        let lzma = || Lzma2Options::from_level(0).into();
        let stored = || EncoderConfiguration::new(EncoderMethod::COPY);
        let files = [
            ("x.7z", solid(&texts, lzma())),
            ("x.7z", solid(&texts, stored())),
            ("x.7z", solid(&refused(texts.clone()), lzma())),
            ("x.zip", zipped(&texts)),
            ("x.zip", zipped(&refused(texts.clone()))),
        ];
        for (kind, (file, whole)) in files.into_iter().enumerate() {
            let damages = [None, Some(100), Some(whole.len() / 8), Some(whole.len() / 2)];
            for (case, damage) in damages.into_iter().enumerate() {
                let mut bytes = whole.clone();
                damage.iter().for_each(|&at: &usize| bytes[at] ^= 0x55);
                // At the short depth one of them for each file and damage, in turn.
                let namings = [Naming::Whole, Naming::OneByOne, Naming::Directory];
                let first = trials((kind + case) % namings.len(), 0, 0);
                for naming in namings.into_iter().skip(first).take(trials(1, 3, 3)) {
                    let scratch = Scratch::new();
                    scratch.write(file, &bytes);
                    let names = naming.names(file, &texts);
                    let read = read_bytes(&scratch, &names, count);
                    let most = OTHERS + 4 * bytes.len() as u64;
                    assert!(
                        read <= most,
                        "{count} members of {file} (kind {kind}), damage {damage:?}, {naming:?}: {read} bytes read of \
                         {}",
                        bytes.len()
                    );
                }
            }
        }
    }
}

/// Members of a file with many others, named one by one: its directory is read once.
#[test]
fn a_directory_of_a_file_is_read_once() {
    const OTHERS: u64 = 2 << 20;
    let members: Members =
        (0..20_000).map(|number| (format!("m{number:05}.pgn"), b"1. e4 *\n".to_vec())).collect();
    let scratch = Scratch::new();
    let bytes = zipped(&members);
    scratch.write("x.zip", &bytes);
    for count in [1, 10, 100] {
        let names = Naming::OneByOne.names("x.zip", &members[..count].to_vec());
        let read = read_bytes(&scratch, &names, count);
        let most = OTHERS + 4 * bytes.len() as u64;
        assert!(read <= most, "{count} names: {read} bytes of {}", bytes.len());
    }
}
