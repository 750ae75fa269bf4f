//! Text that is stored as gzip, bzip2 or xz, decoded in order.
//!
//! In: a reader of stored bytes. Out: the text, and errors or [`Damage`] at the stored byte that the decoder had
//! reached. Members and streams that follow each other are one text, as for `gzip -dc`, `bzip2 -dc` and `xz -dc`. Zeros
//! behind a member of gzip or bzip2 are no damage, whatever follows them; other bytes are.
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

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
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

/// What a gzip member begins with, and the one method of compression.
const GZIP_MAGIC: &[u8] = b"\x1F\x8B\x08";
/// What a bzip2 stream begins with.
const BZIP2_MAGIC: &[u8] = b"BZh";
/// The bytes of a bzip2 stream without text.
const EMPTY_BYTES: usize = 14;
/// What is said of bytes behind the end that are neither a member nor zeros.
const OTHER_BYTES: &str = "other bytes follow its end";

/// Do these bytes begin with a bzip2 stream without text: the header, the mark of the end, a checksum of nothing? A
/// decoder of each would be as costly as one of a block.
fn is_empty_bzip2(ahead: &[u8]) -> bool {
    let Some(stream) = ahead.first_chunk::<EMPTY_BYTES>() else { return false };
    let is_level = (b'1'..=b'9').contains(&stream[3]);
    stream.starts_with(BZIP2_MAGIC)
        && is_level
        && stream[4..] == *b"\x17\x72\x45\x38\x50\x90\0\0\0\0"
}

/// The container of a file that begins with these bytes, if it is one of those decoded here.
pub(super) fn container(stored: &[u8]) -> Option<Container> {
    let magics: [(&[u8], Container); 3] = [
        (GZIP_MAGIC, Container::Gzip),
        (BZIP2_MAGIC, Container::Bzip2),
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

    /// In the place of those that a decoder is given anew.
    fn none() -> Pieces {
        Pieces {
            reader: Box::new(io::empty()),
            piece: Box::default(),
            left: 0..0,
            consumed: 0,
            failure: None,
        }
    }

    /// Reads until the piece is full, or the end.
    fn refill(&mut self) {
        while self.left.end < self.piece.len() && self.failure.is_none() {
            match self.reader.read(&mut self.piece[self.left.end..]) {
                Ok(0) => break,
                Ok(count) => self.left.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failure = Some(error),
            }
        }
    }

    /// The next bytes: at least so many, if so many are left.
    fn ahead(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.left.len() < count && !self.left.is_empty() {
            self.piece.copy_within(self.left.clone(), 0);
            self.left = 0..self.left.len();
            self.refill();
        }
        self.fill_buf()
    }

    /// Passes over what may be behind a member or stream: zeros, which fill the blocks of a tape, and streams without
    /// text. Returns whether another member follows, which begins with `magic`.
    ///
    /// # Errors
    /// Other bytes; what the system refuses.
    fn another_follows(&mut self, magic: &[u8], is_empty: fn(&[u8]) -> bool) -> io::Result<bool> {
        loop {
            let ahead = self.ahead(EMPTY_BYTES)?;
            let zeros = ahead.iter().take_while(|byte| **byte == 0).count();
            let passed = match () {
                () if ahead.is_empty() => return Ok(false),
                () if zeros > 0 => zeros,
                () if is_empty(ahead) => EMPTY_BYTES,
                () if ahead.starts_with(magic) => return Ok(true),
                () if magic.starts_with(ahead) => return Err(io::ErrorKind::UnexpectedEof.into()),
                () => return Err(io::Error::new(io::ErrorKind::InvalidData, OTHER_BYTES)),
            };
            self.consume(passed);
        }
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
            self.refill();
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
    /// Of one member.
    Gzip(Box<GzDecoder<Pieces>>),
    /// Of one stream.
    Bzip2(Box<BzDecoder<Pieces>>),
    Xz(Box<XzReader<Pieces>>),
}

impl Decoder {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = match self {
                Decoder::Gzip(decoder) => decoder.read(out)?,
                Decoder::Bzip2(decoder) => decoder.read(out)?,
                Decoder::Xz(decoder) => decoder.read(out)?,
            };
            if count > 0 || out.is_empty() || !self.begins_next()? {
                return Ok(count);
            }
        }
    }

    /// After the end of a member or stream: begins the next one, if there is one.
    fn begins_next(&mut self) -> io::Result<bool> {
        match self {
            Decoder::Gzip(decoder) => {
                if !decoder.get_mut().another_follows(&GZIP_MAGIC[..2], |_| false)? {
                    return Ok(false);
                }
                let pieces = decoder.reset(Pieces::none());
                decoder.reset(pieces);
            }
            Decoder::Bzip2(decoder) => {
                if !decoder.get_mut().another_follows(BZIP2_MAGIC, is_empty_bzip2)? {
                    return Ok(false);
                }
                let ended = std::mem::replace(&mut **decoder, BzDecoder::new(Pieces::none()));
                **decoder = BzDecoder::new(ended.into_inner());
            }
            // Its decoder reads all streams.
            Decoder::Xz(_) => return Ok(false),
        }
        Ok(true)
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
            Container::Bzip2 => Decoder::Bzip2(Box::new(BzDecoder::new(pieces))),
            Container::Xz => {
                let reader = XzReader::new_mem_limit(pieces, true, XZ_MEMORY_KIB_MAX);
                Decoder::Xz(Box::new(reader))
            }
            Container::Gzip | Container::Text | Container::Zstd => {
                Decoder::Gzip(Box::new(GzDecoder::new(pieces)))
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
