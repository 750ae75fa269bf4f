//! The members of 7-Zip files.
//!
//! In: the path of a 7-Zip file. Out: its [`Members`], in the order of the file. A *block* of such a file has the texts
//! of several members, one after the other, so that the last one cannot be decoded without those before it.
//!
//! ```text
//! file ──► thread: block decoded in order ──► pieces, two at most wait ──► member 1 │ member 2 │ …
//! ```
//!
//! Invariants: members that are read in order are decoded once, whatever their number; a member out of order begins the
//! block again; lengths and checksums are checked before a member ends; memory is bounded by [`MEMORY_KIB_MAX`] for
//! each method, of which a block has few; members of a block that is encrypted, or compressed by another method than
//! [`METHODS`], are inputs that cannot be opened. Cost: the decoder's, on a thread of its own.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Where the last member that was read has ended.
    session: Mutex<Option<Session>>,
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
    let session = Mutex::new(None);
    let file = Arc::new(SevenZip { path: path.to_path_buf(), archive, session });
    for (index, entry) in file.archive.files.iter().enumerate() {
        if is_archive(entry) {
            let block = file.archive.stream_map.file_block_index.get(index).copied().flatten();
            let block = block.filter(|_| entry.has_stream);
            members.add(entry.name.clone(), Member { file: Arc::clone(&file), index, block });
        }
    }
    Ok(())
}

fn is_archive(entry: &ArchiveEntry) -> bool {
    !entry.is_directory && !entry.is_anti_item && Members::has_archive(&entry.name)
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
        let known = self.file.session.lock().unwrap_or_else(PoisonError::into_inner).take();
        let known = known.filter(|known| known.block == block && known.next <= self.index);
        let session = match known {
            Some(known) => known,
            None => {
                Session::begin(&self.file, block).map_err(|error| failed(&error.to_string()))?
            }
        };
        let reader = Text {
            file: Arc::clone(&self.file),
            index: self.index,
            session: Some(session),
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
    /// `None` after the end.
    session: Option<Session>,
    is_begun: bool,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Text {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            let Some(session) = &self.session else { return Ok(0) };
            let damaged = |why: &str| {
                let message = format!("the 7-Zip file cannot be decoded: {why}");
                io::Error::new(io::ErrorKind::InvalidData, message)
            };
            match session.pieces.recv() {
                Ok(Piece::Begin(index)) => self.is_begun = index == self.index,
                Ok(Piece::Text(piece)) if self.is_begun => (self.piece, self.at) = (piece, 0),
                Ok(Piece::End) if self.is_begun => {
                    let mut session = self.session.take();
                    if let Some(session) = &mut session {
                        session.next = self.index + 1;
                    }
                    *self.file.session.lock().unwrap_or_else(PoisonError::into_inner) = session;
                }
                // Of members before it.
                Ok(Piece::Text(_) | Piece::End) => {}
                Ok(Piece::Failed(why)) => return Err(damaged(&why)),
                Err(_) => return Err(damaged("the text of this member is not in it")),
            }
        }
        let count = out.len().min(self.piece.len() - self.at);
        out[..count].copy_from_slice(&self.piece[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
