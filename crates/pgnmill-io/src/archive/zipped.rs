//! The members of zip files.
//!
//! In: the path of a zip file. Out: its [`Members`], in the order of the directory of the file. Invariants: a member is
//! read from its own bytes alone, as a stream, so that neither its size nor the number of members needs memory beyond
//! the list of names; its length and its checksum are checked at its end; members that are encrypted, or compressed
//! otherwise than by deflate, are inputs that cannot be opened.
//! Cost: the directory and the header of each member once; a deflate stream is decoded in order.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, RangeReader, ZipArchive};

use super::member_list::Members;
use super::named::OpenArchive;
use super::{Archive, Options};
use crate::error::{Error, Result};

/// What a zip file begins with; of an empty one, its end record.
pub(super) const MAGICS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// Bytes that are read of the file at once.
const READ_BYTES: usize = 64 << 10;

/// A member of a zip file.
#[derive(Debug)]
struct Member {
    file: PathBuf,
    /// The stored bytes in the file, or why it cannot be read.
    stored: std::result::Result<(u64, u64), &'static str>,
    is_deflated: bool,
    checksum: u32,
    text_bytes: u64,
}

/// Adds the archives of a zip file, in the order of its directory.
///
/// # Errors
/// A file that cannot be read, or whose directory is damaged.
pub(super) fn add_members(path: &Path, members: &mut Members<'_>) -> Result<()> {
    let damaged = |error: rawzip::Error| {
        let error = io::Error::new(io::ErrorKind::InvalidData, format!("as a zip file: {error}"));
        Error::io("read", path, error)
    };
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE.max(READ_BYTES)];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        let held = if entry.is_dir() { None } else { members.held(&name) };
        let Some(held) = held else { continue };
        let method = entry.compression_method();
        let stored = match method {
            _ if entry.flags().is_encrypted() => Err("it is encrypted: unzip it"),
            CompressionMethod::STORE | CompressionMethod::DEFLATE => {
                let there = archive.get_entry(entry.wayfinder());
                there
                    .map(|there| there.compressed_data_range())
                    .map_err(|_| "its header is damaged")
            }
            _ => Err("it is compressed otherwise than by deflate: unzip it"),
        };
        let member = Member {
            file: path.to_path_buf(),
            stored,
            is_deflated: method == CompressionMethod::DEFLATE,
            checksum: entry.crc32(),
            text_bytes: entry.uncompressed_size_hint(),
        };
        members.add(held, name, member);
    }
    Ok(())
}

impl OpenArchive for Member {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        let failed = |error| Error::io("open", Path::new(name), error);
        let (begin, end) = self.stored.map_err(|why| failed(io::Error::other(why)))?;
        let file = File::open(&self.file).map_err(failed)?;
        let stored =
            BufReader::with_capacity(READ_BYTES, RangeReader::new(FileAt(file), begin..end));
        let reader = Checked {
            reader: match self.is_deflated {
                true => Decoder::Deflate(DeflateDecoder::new(stored)),
                false => Decoder::Stored(stored),
            },
            crc: Crc::new(),
            read_bytes: 0,
            expected: (self.checksum, self.text_bytes),
        };
        Archive::from_reader(name, reader, options)
    }

    fn stored_bytes(&self) -> Option<u64> {
        self.stored.ok().map(|(begin, end)| end - begin)
    }

    fn file(&self) -> Option<&Path> {
        Some(&self.file)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

/// A range of a file.
type Stored = RangeReader<FileAt>;

/// A file that is read at offsets.
#[derive(Debug)]
struct FileAt(File);

impl rawzip::ReaderAt for FileAt {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, out, offset)
    }
}

/// The text of a member.
#[derive(Debug)]
enum Decoder {
    Deflate(DeflateDecoder<BufReader<Stored>>),
    Stored(BufReader<Stored>),
}

/// The text of a member, whose checksum and length are compared at its end.
#[derive(Debug)]
struct Checked {
    reader: Decoder,
    crc: Crc,
    read_bytes: u64,
    /// The checksum and the bytes of the text.
    expected: (u32, u64),
}

impl Read for Checked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.reader {
            Decoder::Deflate(decoder) => decoder.read(out),
            Decoder::Stored(stored) => stored.read(out),
        };
        let damaged = |why: String| {
            let at = match &self.reader {
                Decoder::Deflate(decoder) => decoder.get_ref(),
                Decoder::Stored(stored) => stored,
            };
            let at = at.get_ref().position() - at.buffer().len() as u64;
            let message = format!("the zip file is damaged before byte {at}: {why}");
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        let count = read.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => damaged(error.to_string()),
        })?;
        self.crc.update(&out[..count]);
        self.read_bytes += count as u64;
        let is_end = count == 0 && !out.is_empty();
        if is_end && (self.crc.sum(), self.read_bytes) != self.expected {
            return Err(damaged("its length or its checksum is another".to_string()));
        }
        Ok(count)
    }
}
