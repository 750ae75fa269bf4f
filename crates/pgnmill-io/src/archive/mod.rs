//! Archives: stored bytes become blocks of whole games.
//!
//! In: a file or a pipe, plain text, zstd in any framing, gzip, bzip2 or xz, recognised by its first bytes, never by
//! its name. Out: [`Block`]s, the same games whatever the container and wherever it is divided; [`Split`]s, parts that
//! are read alone.
//!
//! ```text
//! Input ── Archive::open ── jobs ──► job, run on any worker ──► Block Block Block + edges
//!                                                                           │
//!          in the order of the jobs:  driver ── joins the edges (seams) ──► Blocks
//! ```
//!
//! | kind | jobs | joined by |
//! |---|---|---|
//! | plain file | ranges of the map; each worker finds the game starts of its range | nothing |
//! | zstd, several frames | frames, or batches of small ones | seams |
//! | zstd, one frame; gzip, bzip2, xz; pipes; long text without tag pairs | runs of games from one reader | nothing |
//! | any, of lines in place of games ([`RecordKind`]) | runs of lines from one reader | nothing |
//!
//! Invariants: safe on any bytes; linear time; bounded memory; a game is what [`games`] defines, and a game longer than
//! [`GAME_BYTES_MAX`] comes in pieces. [`seekable`] writes archives that this module decodes in parallel.
//!
//! ```
//! use pgnmill_io::archive::{Archive, Options, games::Games};
//! let stored = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n".as_slice();
//! let mut games = 0;
//! Archive::from_reader("memory", stored, &Options::default())?.visit_in_order(&mut |block| {
//!     games += Games::new(block.text).count();
//!     Ok(std::ops::ControlFlow::Continue(()))
//! })?;
//! assert_eq!(games, 2);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

pub mod blanks;
#[cfg(feature = "containers")]
mod coded;
mod container;
mod damage;
mod deliver;
mod driver;
mod foreign;
mod frames;
pub mod games;
mod inflate;
mod input;
mod jobs;
pub mod line_scan;
mod lines;
mod map;
#[cfg(feature = "containers")]
mod member_list;
#[cfg(feature = "containers")]
mod members;
mod named;
mod names;
pub mod odd_pairs;
mod peek_buffer;
mod place;
mod record_kind;
mod results;
mod resume;
mod salvage;
mod scanner;
mod seams;
mod seek;
pub mod seekable;
#[cfg(feature = "containers")]
mod seven_zip;
mod skipped;
mod splits;
mod splitter;
mod stream;
pub mod text_lines;
mod truncation_guard;
#[cfg(feature = "containers")]
mod zipped;
mod zstd_headers;

pub use container::Container;
pub use damage::Damage;
pub use driver::{Blocks, InOrder, OwnedBlock, VisitInOrder};
pub use driver::{Driver, Handler};
pub use frames::{Buffers, JobOutcome, Rerun};
pub use input::Expanded;
pub use input::Input;
pub use jobs::{Job, Jobs};
pub use named::{NamedSource, OpenArchive};
pub use names::{is_pgn_name, is_zstd_name, named_after};
pub use record_kind::RecordKind;
pub use resume::{Place, Position};
pub use seams::Edges;
pub(crate) use seams::Seams;
pub use seek::TextAt;
pub use skipped::Skipped;
pub use splits::{
    ArchiveSplit, Division, OpenRanged, ParseSplitError, RangedBytes, Split, SplitBase, Undivided,
    Version,
};
pub use truncation_guard::install_truncation_guard;

use deliver::Sizes;
use jobs::Plan;
use map::Map;
use peek_buffer::{Failed, Mapped, PeekBuffer, Piped};
use pgnmill_simd::Level;
use salvage::Salvage;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use stream::Stream;
use zstd_headers::{is_skippable, is_zstd};

use crate::error::{Error, Result};

/// The usual length of a block of whole games, in bytes.
pub const BLOCK_BYTES: usize = 1 << 20;
/// How much of a mapped text one job covers, in bytes.
pub const RANGE_BYTES: usize = 4 << 20;
/// A game of more bytes is delivered in pieces.
pub const GAME_BYTES_MAX: usize = 16 << 20;
/// Small frames are given to one worker together, up to this many stored bytes.
pub const BATCH_STORED_BYTES: usize = 256 << 10;
/// A frame of more stored bytes is not given to one worker.
pub const FRAME_STORED_BYTES_MAX: usize = 16 << 20;
/// A job whose frames decode to more bytes is read in order instead.
pub const FRAME_TEXT_BYTES_MAX: u64 = 128 << 20;
/// This many bytes decide whether a file is text.
const SNIFF_BYTES: usize = 4 << 10;
/// In a file that is no text the first frame is searched for in this many bytes.
const LOOK_BYTES_MAX: usize = zstd_headers::WALK_BYTES_MAX + zstd_headers::BLOCK_BYTES_MAX;
/// How much is read from a pipe at once.
const READ_BYTES: usize = 256 << 10;

/// How an archive is divided and read. The games are the same with any sizes, except for `game_bytes_max`.
#[derive(Debug, Clone)]
pub struct Options {
    /// See [`BLOCK_BYTES`]; at most `game_bytes_max` is used.
    pub block_bytes: usize,
    /// See [`RANGE_BYTES`].
    pub range_bytes: usize,
    /// See [`GAME_BYTES_MAX`].
    pub game_bytes_max: usize,
    /// See [`BATCH_STORED_BYTES`].
    pub batch_stored_bytes: usize,
    /// See [`FRAME_STORED_BYTES_MAX`].
    pub frame_stored_bytes_max: usize,
    /// See [`FRAME_TEXT_BYTES_MAX`].
    pub frame_text_bytes_max: u64,
    /// Continue after damaged frames, each of which is then reported as a [`Damage`], instead of ending with an error.
    pub skip_damaged: bool,
    /// Map files into memory: see [`Archive::open`].
    pub map: bool,
    /// What an archive is divided into.
    pub records: RecordKind,
    /// The vector instructions for the search for game starts. They decide about the speed alone.
    pub level: Level,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            block_bytes: BLOCK_BYTES,
            range_bytes: RANGE_BYTES,
            game_bytes_max: GAME_BYTES_MAX,
            batch_stored_bytes: BATCH_STORED_BYTES,
            frame_stored_bytes_max: FRAME_STORED_BYTES_MAX,
            frame_text_bytes_max: FRAME_TEXT_BYTES_MAX,
            skip_damaged: false,
            map: true,
            records: RecordKind::Games,
            level: Level::best(),
        }
    }
}

/// What a block contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Whole games, at least one; or the text before the first game of an archive, perhaps with games.
    Games,
    /// Text before damage: the end of its last game may be missing.
    Cut,
    /// The text between damage and the first game start after it: the end of a game, or the first piece of that. Later
    /// pieces come as [`Part::OversizeRest`].
    Fragment,
    /// The first piece of a game that is too long to hold.
    OversizeFirst,
    /// A later piece of such a game.
    OversizeRest,
    /// Whole lines, at least one, of an archive of [`RecordKind::Lines`]. A line that is too long to hold comes as
    /// [`Part::OversizeFirst`], what is left of one beside damage as [`Part::Fragment`].
    Lines,
}

/// A run of whole games, or a piece of one that is too long to hold.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// The text, never empty.
    pub text: &'a [u8],
    /// Its offset in the text of the archive; within the crate sometimes that in the text of a job.
    pub offset: u64,
    /// What it contains.
    pub part: Part,
}

/// A visitor of blocks. An error, such as that of an interrupt, ends the job.
pub(crate) type Visit<'v> = dyn FnMut(Block<'_>) -> Result<()> + 'v;

/// How an archive is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mapped text, in ranges.
    Plain,
    /// A mapped zstd file of several frames.
    ZstdFrames,
    /// In order, by one reader or decoder.
    Stream {
        /// What is decoded.
        container: Container,
    },
}

/// An opened archive.
#[derive(Debug)]
pub struct Archive {
    name: String,
    path: Arc<Path>,
    kind: Kind,
    stored_bytes: Option<u64>,
    watch: Watch,
    /// The file, where it is one and was not mapped.
    file: Option<File>,
    /// The offset of the first byte in the text of the whole archive.
    text_begin: Option<u64>,
    /// What of the whole archive is before its text, where that is known.
    base: SplitBase,
    plan: Plan,
    options: Options,
}

/// A check that the mapped file of an archive is still as long as it was.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    path: Arc<Path>,
    map: Option<Arc<Map>>,
}
impl Watch {
    /// To be called before the text that was read is used. Cost: a system call.
    ///
    /// # Errors
    /// A mapped file that has become shorter: the text that was read may be wrong.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.map {
            Some(map) if !map.is_whole() => Err(Error::shrunk(&self.path)),
            _ => Ok(()),
        }
    }
}

impl Archive {
    /// Opens `input` and decides how to read it.
    ///
    /// With [`Options::map`] a file is mapped into memory where the system allows it, and several threads can read it
    /// at once. If another program shortens a mapped file, the system ends this process with SIGBUS when the missing
    /// bytes are read, unless [`install_truncation_guard`] was called: then the reading ends with an error. A library
    /// must not install signal handlers, so the choice is the program's. Without `map` files are read like pipes, in
    /// order and on one thread: a file that is shortened then just ends early, and no handler is needed.
    ///
    /// # Errors
    /// What the system refuses; a file of another format, such as tar.
    pub fn open(input: &Input, options: &Options) -> Result<Archive> {
        let path = match input {
            Input::Path(path) => path,
            Input::Stdin => {
                return Archive::from_reader(Input::STDIN_NAME, io::stdin(), options);
            }
            Input::Named(source) => return source.open(options),
        };
        #[cfg(feature = "containers")]
        if let Some(member) = members::named_by(path, &mut members::Listings::default())? {
            return member.open(options);
        }
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let metadata = file.metadata().map_err(|error| Error::io("open", path, error))?;
        if metadata.is_dir() {
            return Err(Error::io("open", path, io::ErrorKind::IsADirectory.into()));
        }
        let mappable = options.map && metadata.is_file() && metadata.len() > 0;
        let map = if mappable { Map::new(&file).ok() } else { None };
        match map {
            Some(map) => Archive::from_map(path.as_path().into(), map, options),
            None => {
                let again = if metadata.is_file() { file.try_clone().ok() } else { None };
                let mut archive = Archive::from_reader(&path.display().to_string(), file, options)?;
                archive.file = again;
                archive.path = path.as_path().into();
                archive.stored_bytes = metadata.is_file().then_some(metadata.len());
                Ok(archive)
            }
        }
    }

    /// Opens the bytes of a reader; `name` is for messages.
    ///
    /// # Errors
    /// A failure of the reader; bytes of another format, such as zip.
    pub fn from_reader(
        name: &str,
        reader: impl Read + Send + 'static,
        options: &Options,
    ) -> Result<Archive> {
        Archive::of_reader(name, Box::new(reader), options)
    }

    /// The archive of a reader whose type is not known: decoders are compiled once.
    fn of_reader(
        name: &str,
        mut reader: Box<dyn Read + Send>,
        options: &Options,
    ) -> Result<Archive> {
        let path: Arc<Path> = Path::new(name).into();
        let mut first = Vec::with_capacity(SNIFF_BYTES);
        let mut failure = reader.by_ref().take(SNIFF_BYTES as u64).read_to_end(&mut first).err();
        let coded = coded_container(&first);
        if coded.is_none() {
            foreign::refuse(&path, &first)?;
        }
        let mut zstd = is_zstd(&first);
        if !zstd && coded.is_none() && failure.is_none() && !is_text(&first) {
            // As much as is searched of a map, so that both are read the same way.
            let missing = LOOK_BYTES_MAX - first.len();
            failure = reader.by_ref().take(missing as u64).read_to_end(&mut first).err();
            let first_bytes = Piped::new(io::Cursor::new(&first[..]), Arc::clone(&path));
            zstd = failure.is_none() && holds_frame(first_bytes)?;
        }
        let reader = io::Cursor::new(first).chain(Failed(failure)).chain(reader);
        let stream = if let Some(container) = coded {
            let source = coded_source(container, reader, &path, options)?;
            Stream::new(source, true, Sizes::new(options))
        } else if zstd && options.skip_damaged {
            let buffer = Piped::new(reader, Arc::clone(&path));
            let salvage = Salvage::new(Arc::clone(&path), buffer, 0)?;
            Stream::new(Box::new(salvage), true, Sizes::new(options))
        } else if zstd {
            let reader = BufReader::with_capacity(READ_BYTES, reader);
            jobs::stream_zstd(reader, 0, &path, options)?
        } else {
            let source = inflate::Plain::new(reader, Arc::clone(&path));
            Stream::new(Box::new(source), true, Sizes::new(options))
        };
        let plan = Plan::Stream(Box::new(stream));
        let container = match coded {
            Some(container) => container,
            None if zstd => Container::Zstd,
            None => Container::Text,
        };
        Ok(Archive::with_plan(path, Kind::Stream { container }, plan, options))
    }

    fn from_map(path: Arc<Path>, map: Map, options: &Options) -> Result<Archive> {
        let coded = coded_container(&map);
        if coded.is_none() {
            foreign::refuse(&path, &map)?;
        }
        let stored_bytes = map.len() as u64;
        let map = Arc::new(map);
        let watched = Arc::clone(&map);
        let first_bytes = || Mapped::new(Arc::clone(&map), 0..map.len().min(LOOK_BYTES_MAX));
        let is_plain =
            coded.is_none() && !is_zstd(&map) && (is_text(&map) || !holds_frame(first_bytes())?);
        let (kind, plan) = if let Some(container) = coded {
            let stream = jobs::stream_from(map, 0, &path, options)?;
            (Kind::Stream { container }, Plan::Stream(Box::new(stream)))
        } else if is_plain {
            (Kind::Plain, Plan::Ranges(map, 0))
        } else if is_for_workers(&map, options)? {
            (Kind::ZstdFrames, Plan::Frames(map, 0))
        } else {
            let stream = jobs::stream_from(map, 0, &path, options)?;
            (Kind::Stream { container: Container::Zstd }, Plan::Stream(Box::new(stream)))
        };
        let mut archive = Archive::with_plan(path, kind, plan, options);
        archive.stored_bytes = Some(stored_bytes);
        archive.watch.map = Some(watched);
        Ok(archive)
    }

    fn with_plan(path: Arc<Path>, kind: Kind, plan: Plan, options: &Options) -> Archive {
        let name = path.display().to_string();
        log::debug!("{name}: read as {kind:?}");
        let watch = Watch { path: Arc::clone(&path), map: None };
        Archive {
            name,
            path,
            kind,
            stored_bytes: None,
            watch,
            file: None,
            text_begin: Some(0),
            base: SplitBase::default(),
            plan,
            options: options.clone(),
        }
    }

    /// The path of the archive, or its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it was opened with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The stored bytes, where their number is known.
    pub fn stored_bytes(&self) -> Option<u64> {
        self.stored_bytes
    }

    /// A check that outlives the archive, whose jobs consume it.
    pub(crate) fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// How the archive is read.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The jobs, in the order of the text.
    pub fn jobs(self) -> Jobs {
        Jobs::new(self.plan, self.options, self.path)
    }
}

/// The container of a file that is decoded as a whole, by its first bytes.
fn coded_container(stored: &[u8]) -> Option<Container> {
    #[cfg(feature = "containers")]
    return coded::container(stored);
    #[cfg(not(feature = "containers"))]
    return stored.get(..0).and(None);
}

/// Is it one of those that are decoded as a whole?
fn is_coded(container: Container) -> bool {
    !matches!(container, Container::Text | Container::Zstd)
}

/// The text of the bytes of `reader`, which are in such a container.
///
/// # Errors
/// A container that this build cannot decode.
fn coded_source(
    container: Container,
    reader: impl Read + Send + 'static,
    path: &Arc<Path>,
    options: &Options,
) -> Result<Box<dyn inflate::Source>> {
    #[cfg(feature = "containers")]
    return Ok(Box::new(coded::Coded::new(container, reader, path, options.skip_damaged)));
    #[cfg(not(feature = "containers"))]
    {
        drop((reader, options.skip_damaged));
        let (path, container) = (path.display(), container.name());
        Err(Error::usage(format!("{path}: this build does not read {container}")))
    }
}

/// Does a zstd file have a first frame that a worker can take, and another after it?
fn is_for_workers(map: &Arc<Map>, options: &Options) -> Result<bool> {
    let mut at = 0;
    let mut data_frames = 0;
    while at < map.len() && data_frames < 2 {
        let Some(len) = jobs::worker_len(map, at, options)? else { break };
        data_frames += u32::from(!is_skippable(&map[at..]));
        at += len;
    }
    Ok(data_frames == 2)
}

/// Is the beginning of a file, which is no frame, that of a text? Some control bytes are in no text.
fn is_text(stored: &[u8]) -> bool {
    let no_text = |byte: &u8| *byte < b'\t' || (0x0E..0x1A).contains(byte);
    !stored[..stored.len().min(SNIFF_BYTES)].iter().any(no_text)
}

/// Is a file that begins with no frame and is no text a zstd file whose beginning is damaged? Then a frame begins
/// later.
fn holds_frame(mut first_bytes: impl PeekBuffer) -> Result<bool> {
    let len = first_bytes.peek(LOOK_BYTES_MAX)?.len() as u64;
    Ok(zstd_headers::pass_to_frame(&mut first_bytes, 1)? < len)
}
