//! The members of 7-Zip files.
//!
//! In: the path of a 7-Zip file. Out: its [`Members`], in the order of the file. A *block* of such a file has the texts
//! of several members, one after the other, so that the last one cannot be decoded without those before it.
//!
//! ```text
//! file ──► thread: block decoded in order ──► pieces, two at most wait ──► member 1 │ member 2 │ …
//! ```
//!
//! Invariants: members that are read in order are decoded once, whatever their number, also if one is not read to its
//! end; a member out of order begins the block again; what is behind damage in a block is not decoded; lengths and
//! checksums are checked before a member ends; memory is bounded by [`MEMORY_KIB_MAX`] for each method, of which a
//! block has few; members of a block that is encrypted, or compressed by another method than [`METHODS`], are inputs
//! that cannot be opened. Cost: the decoder's, on a thread of its own.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use sevenz_rust2::{ArchiveEntry, BlockDecoder, EncoderMethod, Password};

use super::member_list::Members;
use super::named::OpenArchive;
use super::{Archive, Options};
use crate::error::{Error, Result};

/// What a 7-Zip file begins with.
pub(super) const MAGICS: [&[u8]; 1] = [b"7z\xBC\xAF\x27\x1C"];
/// The memory that a decoder may need: the dictionary of `7z -mx=9` has 64 MiB, one of a hostile file 4 GiB.
const MEMORY_KIB_MAX: usize = 320 << 10;
/// Bytes of a piece of text.
const PIECE_BYTES: usize = 64 << 10;
/// Pieces that wait.
const WAITING_MAX: usize = 2;

/// The methods that are decoded, filters of programs among them.
const METHODS: [&[u8]; 13] = [
    EncoderMethod::ID_COPY,
    EncoderMethod::ID_LZMA,
    EncoderMethod::ID_LZMA2,
    EncoderMethod::ID_BZIP2,
    EncoderMethod::ID_DELTA,
    EncoderMethod::ID_BCJ_X86,
    EncoderMethod::ID_BCJ_PPC,
    EncoderMethod::ID_BCJ_IA64,
    EncoderMethod::ID_BCJ_ARM,
    EncoderMethod::ID_BCJ_ARM64,
    EncoderMethod::ID_BCJ_ARM_THUMB,
    EncoderMethod::ID_BCJ_SPARC,
    EncoderMethod::ID_BCJ_RISCV,
];

/// A file, whose members share the decoder of a block.
#[derive(Debug)]
struct SevenZip {
    path: PathBuf,
    archive: sevenz_rust2::Archive,
    read: Mutex<Progress>,
}

/// How far a file was read.
#[derive(Debug, Default)]
struct Progress {
    /// Where the last member that was read has ended, or was left.
    session: Option<Session>,
    /// The blocks that could not be decoded to their end: the member that was being read, and why. Those behind it are
    /// not decoded: all of them end there.
    failed: HashMap<usize, (usize, String)>,
}

impl SevenZip {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A member.
#[derive(Debug)]
struct Member {
    file: Arc<SevenZip>,
    /// Its index among the files of the archive.
    index: usize,
    /// `None` if it has no text.
    block: Option<usize>,
}

/// What a thread sends of a block.
enum Piece {
    /// The member of this index follows.
    Begin(usize),
    Text(Vec<u8>),
    /// The text of the member was as long as it should be, and had its checksum.
    End,
    Failed(String),
}

/// A block that is being decoded.
#[derive(Debug)]
struct Session {
    block: usize,
    /// The members before this one were read.
    next: usize,
    pieces: Receiver<Piece>,
}

/// Adds the archives of a 7-Zip file, in its order.
///
/// # Errors
/// A file that cannot be read, or whose list of members is damaged.
pub(super) fn add_members(path: &Path, members: &mut Members<'_>) -> Result<()> {
    let damaged = |error: sevenz_rust2::Error| {
        let why = match error {
            sevenz_rust2::Error::UnsupportedCompressionMethod(method) if method.contains("AES") => {
                "the names in it are encrypted: extract it".to_string()
            }
            error => reason(&error),
        };
        let error = io::Error::new(io::ErrorKind::InvalidData, format!("as a 7-Zip file: {why}"));
        Error::io("read", path, error)
    };
    let opened = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let archive = sevenz_rust2::Archive::read_with_memory_limit(
        &mut BufReader::new(opened),
        &Password::empty(),
        MEMORY_KIB_MAX,
    )
    .map_err(damaged)?;
    let file = Arc::new(SevenZip { path: path.to_path_buf(), archive, read: Mutex::default() });
    for (index, entry) in file.archive.files.iter().enumerate() {
        let held = if is_file(entry) { members.held(&entry.name) } else { None };
        if let Some(held) = held {
            let block = file.archive.stream_map.file_block_index.get(index).copied().flatten();
            let block = block.filter(|_| entry.has_stream);
            members.add(held, entry.name.clone(), Member { file: Arc::clone(&file), index, block });
        }
    }
    Ok(())
}

fn is_file(entry: &ArchiveEntry) -> bool {
    !entry.is_directory && !entry.is_anti_item
}

fn is_archive(entry: &ArchiveEntry) -> bool {
    is_file(entry) && Members::is_archive(&entry.name)
}

/// What an error of the decoder means, in words.
fn reason(error: &sevenz_rust2::Error) -> String {
    use sevenz_rust2::Error as Of;
    match error {
        Of::ChecksumVerificationFailed => "a checksum is another".into(),
        Of::MaxMemLimited { actaul_kb, .. } => {
            format!("its decoder needs {actaul_kb} KiB of memory, more than {MEMORY_KIB_MAX}")
        }
        Of::UnsupportedCompressionMethod(method) => format!("its method {method} is not read"),
        Of::Io(error, _) => error.to_string(),
        Of::Other(why) | Of::Unsupported(why) => why.to_string(),
        error => error.to_string(),
    }
}

impl OpenArchive for Member {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        let failed = |why: &str| Error::io("open", Path::new(name), io::Error::other(why));
        let Some(block) = self.block else {
            return Archive::from_reader(name, io::empty(), options);
        };
        if self.file.archive.is_file_encrypted(self.index) {
            return Err(failed("it is encrypted: extract it"));
        }
        let coders = self.file.archive.blocks.get(block).map_or(&[][..], |block| &block.coders);
        let mut methods = coders.iter().map(|coder| coder.encoder_method_id());
        if let Some(id) = methods.find(|id| !METHODS.contains(id)) {
            let method = EncoderMethod::by_id(id);
            let name = method.as_ref().map_or("another method", |method| method.name());
            return Err(failed(&format!("it is compressed with {name}: extract it")));
        }
        let mut progress = self.file.progress();
        let is_behind = |(index, _): &&(usize, String)| *index < self.index;
        let failure = progress.failed.get(&block).filter(is_behind).map(|(_, why)| why.clone());
        let session = match (&failure, progress.session.take()) {
            // It stays where it is, for the members of another block.
            (Some(_), known) => {
                progress.session = known;
                None
            }
            (None, Some(known)) if known.block == block && known.next <= self.index => Some(known),
            (None, _) => {
                let begun = Session::begin(&self.file, block);
                Some(begun.map_err(|error| failed(&error.to_string()))?)
            }
        };
        drop(progress);
        let reader = Text {
            file: Arc::clone(&self.file),
            index: self.index,
            block,
            session,
            failure,
            is_begun: false,
            piece: Vec::new(),
            at: 0,
        };
        Archive::from_reader(name, reader, options)
    }

    fn file(&self) -> Option<&Path> {
        Some(&self.file.path)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

impl Session {
    /// Starts the thread that decodes a block.
    fn begin(file: &Arc<SevenZip>, block: usize) -> io::Result<Session> {
        let (sender, pieces) = sync_channel(WAITING_MAX);
        let file = Arc::clone(file);
        let decode = move || {
            if let Err(error) = decode(&file, block, &sender) {
                // Without effect where the reader was dropped.
                let _ = sender.send(Piece::Failed(reason(&error)));
            }
        };
        thread::Builder::new().name("7-Zip".to_string()).spawn(decode)?;
        Ok(Session { block, next: 0, pieces })
    }
}

/// Decodes a block and sends the texts of its archives.
fn decode(
    file: &SevenZip,
    block: usize,
    sender: &SyncSender<Piece>,
) -> std::result::Result<(), sevenz_rust2::Error> {
    let send = |piece| {
        let sent = sender.send(piece);
        sent.map_err(|_| sevenz_rust2::Error::Other("the reader was dropped".into()))
    };
    let mut source = BufReader::new(File::open(&file.path)?);
    let password = Password::empty();
    let decoder = BlockDecoder::new_with_memory_limit(
        1,
        MEMORY_KIB_MAX,
        block,
        &file.archive,
        &password,
        &mut source,
    );
    let files = &file.archive.files;
    let (mut next, mut is_open) = (0, false);
    decoder.for_each_entries(&mut |entry, text| {
        // What was left of the member before has been checked.
        if std::mem::take(&mut is_open) {
            send(Piece::End)?;
        }
        next += files[next..].iter().position(|file| std::ptr::eq(file, entry)).unwrap_or(0);
        if !entry.has_stream || !is_archive(entry) {
            return Ok(true);
        }
        send(Piece::Begin(next))?;
        is_open = true;
        loop {
            let mut piece = vec![0; PIECE_BYTES];
            let count = match text.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            piece.truncate(count);
            if count == 0 {
                return Ok(true);
            }
            send(Piece::Text(piece))?;
        }
    })?;
    if is_open { send(Piece::End) } else { Ok(()) }
}

/// The text of a member.
#[derive(Debug)]
struct Text {
    file: Arc<SevenZip>,
    index: usize,
    block: usize,
    /// `None` after the end.
    session: Option<Session>,
    /// Why the block cannot be decoded as far as this member.
    failure: Option<String>,
    is_begun: bool,
    piece: Vec<u8>,
    at: usize,
}

impl Text {
    /// The block cannot be decoded further: its later members have the same end.
    fn damaged(&mut self, why: String) -> io::Error {
        self.session = None;
        let message = format!("the 7-Zip file cannot be decoded: {why}");
        let mut progress = self.file.progress();
        let (index, _) = progress.failed.entry(self.block).or_insert((self.index, why));
        *index = self.index.min(*index);
        drop(progress);
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

impl Drop for Text {
    /// Of a member that is not read to its end, such as one that is refused by its first bytes, the rest is passed over
    /// by the next one.
    fn drop(&mut self) {
        if let Some(mut session) = self.session.take() {
            session.next = session.next.max(self.index + usize::from(self.is_begun));
            self.file.progress().session = Some(session);
        }
    }
}

impl Read for Text {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            if let Some(why) = self.failure.take() {
                return Err(self.damaged(why));
            }
            let Some(session) = &self.session else { return Ok(0) };
            match session.pieces.recv() {
                Ok(Piece::Begin(index)) => self.is_begun = index == self.index,
                Ok(Piece::Text(piece)) if self.is_begun => (self.piece, self.at) = (piece, 0),
                Ok(Piece::End) if self.is_begun => {
                    let mut session = self.session.take();
                    if let Some(session) = &mut session {
                        session.next = self.index + 1;
                    }
                    self.file.progress().session = session;
                }
                // Of members before it.
                Ok(Piece::Text(_) | Piece::End) => {}
                Ok(Piece::Failed(why)) => return Err(self.damaged(why)),
                Err(_) => {
                    return Err(self.damaged("the text of this member is not in it".to_string()));
                }
            }
        }
        let count = out.len().min(self.piece.len() - self.at);
        out[..count].copy_from_slice(&self.piece[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
