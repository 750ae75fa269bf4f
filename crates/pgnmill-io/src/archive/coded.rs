//! Text that is stored as gzip, bzip2 or xz, decoded in order.
//!
//! In: a reader of stored bytes. Out: the text, and errors or [`Damage`] at the stored byte that the decoder had
//! reached. Members and streams that follow each other are one text, as for `gzip -dc`, `bzip2 -dc` and `xz -dc`.
//!
//! Invariants: the text, and where damage begins, depend on the stored bytes alone, not on how much is requested at
//! once or arrives at once; memory is bounded (`XZ_MEMORY_KIB_MAX`), however much text a few bytes are. What the call
//! that meets damage had decoded, `TEXT_BYTES` at most, is not text. Nothing after the damage is decoded. What a
//! checksum shows to be wrong was returned before: a member or block is not held.
//!
//! Cost: one pass by one decoder, and a copy of the stored bytes and of the text.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::damage::Damage;
use super::inflate::Source;
use super::{Container, foreign};
use crate::error::{Error, Result};

/// How much is read at once.
const STORED_BYTES: usize = 64 << 10;
/// How much is decoded at once.
const TEXT_BYTES: usize = 16 << 10;
/// The memory that an xz decoder may need: `xz -9` needs 65 MiB.
const XZ_MEMORY_KIB_MAX: u32 = 320 << 10;

/// The container of a file that begins with these bytes, if it is one of those decoded here.
pub(super) fn container(stored: &[u8]) -> Option<Container> {
    let magics: [(&[u8], Container); 3] = [
        (b"\x1F\x8B\x08", Container::Gzip),
        (b"BZh", Container::Bzip2),
        (b"\xFD7zXZ\0", Container::Xz),
    ];
    let found = magics.iter().find(|(magic, _)| stored.starts_with(magic));
    found.map(|(_, container)| *container)
}

/// Stored bytes in pieces of one length, whatever the reader returns at once.
struct Pieces {
    reader: Box<dyn Read + Send>,
    piece: Box<[u8]>,
    left: Range<usize>,
    /// The stored bytes that were consumed.
    consumed: u64,
    failure: Option<io::Error>,
}

impl Pieces {
    fn new(reader: impl Read + Send + 'static) -> Pieces {
        let piece = vec![0; STORED_BYTES].into_boxed_slice();
        Pieces { reader: Box::new(reader), piece, left: 0..0, consumed: 0, failure: None }
    }

    /// Passes over all that is left, which is counted.
    fn skip_all(&mut self) -> io::Result<()> {
        loop {
            let len = self.fill_buf()?.len();
            if len == 0 {
                return Ok(());
            }
            self.consume(len);
        }
    }
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left.is_empty() {
            self.left = 0..0;
            while self.left.end < self.piece.len() && self.failure.is_none() {
                match self.reader.read(&mut self.piece[self.left.end..]) {
                    Ok(0) => break,
                    Ok(count) => self.left.end += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => self.failure = Some(error),
                }
            }
            // What arrived before a failure comes first.
            if self.left.is_empty()
                && let Some(failure) = &self.failure
            {
                return Err(failure.kind().into());
            }
        }
        Ok(&self.piece[self.left.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.left.start += count;
        self.consumed += count as u64;
    }
}

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let piece = self.fill_buf()?;
        let count = piece.len().min(out.len());
        out[..count].copy_from_slice(&piece[..count]);
        self.consume(count);
        Ok(count)
    }
}

enum Decoder {
    Gzip(Box<MultiGzDecoder<Pieces>>),
    Bzip2(Box<MultiBzDecoder<Pieces>>),
    Xz(Box<XzReader<Pieces>>),
}

impl Decoder {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoder::Gzip(decoder) => decoder.read(out),
            Decoder::Bzip2(decoder) => decoder.read(out),
            Decoder::Xz(decoder) => decoder.read(out),
        }
    }

    fn pieces(&self) -> &Pieces {
        match self {
            Decoder::Gzip(decoder) => decoder.get_ref(),
            Decoder::Bzip2(decoder) => decoder.get_ref(),
            Decoder::Xz(decoder) => decoder.inner(),
        }
    }

    fn pieces_mut(&mut self) -> &mut Pieces {
        match self {
            Decoder::Gzip(decoder) => decoder.get_mut(),
            Decoder::Bzip2(decoder) => decoder.get_mut(),
            Decoder::Xz(decoder) => decoder.inner_mut(),
        }
    }
}

/// A source of text that is decoded as a whole.
pub(super) struct Coded {
    decoder: Decoder,
    container: Container,
    path: Arc<Path>,
    /// Is damage returned as such, and no error?
    skip_damaged: bool,
    text: Box<[u8]>,
    left: Range<usize>,
    /// Has the text begun: is what it begins with a text?
    has_begun: bool,
    is_done: bool,
    failure: Option<Error>,
    damage: Option<Damage>,
}

impl Coded {
    /// Decodes the bytes of `reader`, which are in this container; `path` is for messages.
    pub(super) fn new(
        container: Container,
        reader: impl Read + Send + 'static,
        path: &Arc<Path>,
        skip_damaged: bool,
    ) -> Coded {
        let pieces = Pieces::new(reader);
        let decoder = match container {
            Container::Bzip2 => Decoder::Bzip2(Box::new(MultiBzDecoder::new(pieces))),
            Container::Xz => {
                let reader = XzReader::new_mem_limit(pieces, true, XZ_MEMORY_KIB_MAX);
                Decoder::Xz(Box::new(reader))
            }
            Container::Gzip | Container::Text | Container::Zstd => {
                Decoder::Gzip(Box::new(MultiGzDecoder::new(pieces)))
            }
        };
        Coded {
            decoder,
            container,
            path: Arc::clone(path),
            skip_damaged,
            text: vec![0; TEXT_BYTES].into_boxed_slice(),
            left: 0..0,
            has_begun: false,
            is_done: false,
            failure: None,
            damage: None,
        }
    }

    /// Decodes the next piece of text; none at the end, and where it is damaged.
    ///
    /// # Errors
    /// What the system refuses; damage that is not skipped; text that is none.
    fn decode(&mut self) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.left = 0..0;
        while !self.is_done && self.left.end < self.text.len() {
            match self.decoder.read(&mut self.text[self.left.end..]) {
                Ok(0) => self.is_done = true,
                Ok(count) => self.left.end += count,
                Err(error) => {
                    self.is_done = true;
                    self.failure = self.ended_by(&error).err();
                }
            }
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            foreign::refuse_held(&self.path, &self.text[self.left.clone()])?;
        }
        match self.failure.take() {
            Some(failure) if self.left.is_empty() => return Err(failure),
            failure => self.failure = failure,
        }
        Ok(())
    }

    /// The reader or the decoder has failed.
    fn ended_by(&mut self, error: &io::Error) -> Result<()> {
        let read = |failure| Error::io("read", &self.path, failure);
        let pieces = self.decoder.pieces_mut();
        if let Some(failure) = pieces.failure.take() {
            return Err(read(failure));
        }
        let start = pieces.consumed;
        let why = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short".to_string(),
            io::ErrorKind::OutOfMemory => {
                format!("it needs more than {} MiB of memory", XZ_MEMORY_KIB_MAX >> 10)
            }
            _ => error.to_string(),
        };
        if !self.skip_damaged {
            let detail = format!("{}: {why}", self.container.name());
            return Err(Error::damaged(&self.path, start, 0, detail));
        }
        pieces.skip_all().map_err(read)?;
        let stored = start..pieces.consumed;
        self.damage = Some(Damage { container: self.container, stored, frame: 1, why });
        Ok(())
    }
}

impl Source for Coded {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            if self.left.is_empty() {
                match self.decode() {
                    Ok(()) if self.left.is_empty() => break,
                    Ok(()) => {}
                    Err(failure) if filled == 0 => return Err(failure),
                    Err(failure) => {
                        self.failure = Some(failure);
                        break;
                    }
                }
            }
            let count = self.left.len().min(out.len() - filled);
            let from = self.left.start;
            out[filled..filled + count].copy_from_slice(&self.text[from..from + count]);
            (self.left.start, filled) = (from + count, filled + count);
        }
        Ok(filled)
    }

    fn stored(&self) -> u64 {
        self.decoder.pieces().consumed
    }

    fn damage(&mut self) -> Option<Damage> {
        self.damage.take()
    }
}

impl fmt::Debug for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coded").field("container", &self.container).finish_non_exhaustive()
    }
}
