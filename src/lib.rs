//! pgnmill reads archives of chess games in PGN, plain or compressed, on all processors: it validates every move,
//! rewrites moves in any of 73 notations and back, writes games and plies as columns, and measures the length of each
//! notation. This is its library; the program is built on it.
//!
//! ```
//! for game in pgnmill::Reader::open("data/sources.pgn")? {
//!     let game = game?;
//!     let game = game.game();
//!     println!("{:?} {:?} {}", game.tag("White"), game.verdict(), game.movetext(pgnmill::ECONOMICAL_PRIORITY));
//! }
//! # Ok::<(), pgnmill::Error>(())
//! ```
//!
//! ```text
//! archive ──► job ──► block ──► game ──► token ──► ply
//!    │                                  ├── Reader::games(): one game after the other
//!    │                                  ├── Reader::par_visit(): a Visitor per job, merged in order
//!    └── splits: independent parts        └── a Task: validate, convert, export, measure, or your own
//! ```
//!
//! | to | use |
//! |---|---|
//! | loop over games that are read ahead on all processors, and keep them | `for game in` [`Reader`], [`OwnedGame`] |
//! | loop over games on one thread, without a copy | [`Reader::games`], [`Game`] |
//! | visit games on all processors | [`Reader::par_visit`], [`Visitor`] |
//! | write or read a move | [`Notation`], [`NOTATIONS`], [`find_notation`], [`write_move`] |
//! | represent a position | [`Position`], [`Square`], [`UciMove`]: `FromStr` and `Display` |
//! | represent a move of a position | [`Move`], [`Move::from_uci`], [`UciMove::of`] |
//! | name the opening of a position | [`openings`] |
//! | decide what is accepted | [`Profile`], [`Deviation`], [`Verdict`] |
//! | write your own task | [`task`] |
//! | count what was played in which position | [`positions`]; look one up: `run::Explore`, with the feature `run` |
//! | do what a command does | `run::Convert`, `run::Measure` and others, with the feature `run` |
//! | export games and plies as columns | `task::Export` and the module `columns`, with the feature `export` |
//! | read an archive in parts | [`Archive::splits`], [`Split`] |
//!
//! Every game is accounted for: accepted, repaired or rejected, with the offset and the reason. An [`Error`] ends the
//! reading; a fault of a game never does. The library prints nothing and installs no signal handler.
//!
//! `default-features = false` excludes the program (feature `cli`, `src/main.rs`), the runs (feature `run`) and the
//! columns (feature `export`, with the packages of Arrow and Parquet). What is behind these names is in the crates
//! below `crates/`, one per floor; their modules may change at any time.
pub use pgnmill_core::{openings, select};

pub use pgnmill_core::chess::rules::{AnyPosition, RulesKind, VariantPosition};
pub use pgnmill_core::chess::{
    CastlingSide, Color, EpdError, EpdLine, FenError, FenNotes, Move, MoveKind, ParseError,
    Position, Role, Square, UciError, UciMove,
};
pub use pgnmill_core::engine::Counted;
pub use pgnmill_core::notation::{
    AtOnce, CHESS99, Check, CheckSuffix, Claim, DecodeError, Described, Digits, Disambiguation,
    ECONOMICAL_LETTERS, ECONOMICAL_PRIORITY, ECONOMICAL_SQUARES, Facts as PlyFacts, Info, LONG,
    Length, Lineage, MoveText, NOTATIONS, Needs, Notation, Ply, Reading, SAN, Shape, TCN, UCI,
    find as find_notation, write as write_move, write_in as write_move_in,
    write_of_rules as write_move_of_rules,
};
pub use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
pub use pgnmill_core::pgn::{Outcome, decode};
pub use pgnmill_core::reader::{
    Event, Events, Fault, Game, Games, OwnedGame, OwnedGames, PlayedMove, Reader, Tag, Tags,
    Visitor,
};
pub use pgnmill_core::replay::{Counts, GameFault, Verdict, refusal};
pub use pgnmill_core::select::{SelectError, Selection};
pub use pgnmill_io::archive::{
    Archive, ArchiveSplit, Container, Damage, Division, Input, NamedSource, OpenArchive,
    OpenRanged, Options, ParseSplitError, RangedBytes, Split, SplitBase, Undivided, Version,
    install_truncation_guard,
};
pub use pgnmill_io::error::{Error, ErrorKind, Result};

/// Tasks: ways to process every game of archives, on all processors, with results in order.
///
/// The program has [`Validate`](task::Validate), [`Convert`](task::Convert) and [`Measure`](task::Measure). Your own
/// task implements [`Task`](task::Task); in most cases [`Reader::par_visit`] is enough.
pub mod task {
    #[cfg(feature = "export")]
    pub use pgnmill_columns::{Export, Rows};
    pub use pgnmill_core::engine::{
        Base, BlockGames, BlockVisitor, Consumer, Facts, GamePlace, JobResult, Joiner, Part, Pool,
        ReaderState, Rejects, Settings, Start, Task, TextPiece, TextSeams, run, run_from, run_on,
    };
    pub use pgnmill_core::replay::{
        EachPly, Game, History, NoPlies, PliesOrLines, Reads, TagSection,
    };
    pub use pgnmill_core::tasks::Validate;
    pub use pgnmill_core::tasks::convert::{Convert, Form, Movetext, Output, Rewritten};
    pub use pgnmill_core::tasks::measure::{Measure, Measured};
    pub use pgnmill_core::tasks::positions::CountPositions;
}

/// Games and plies as columns: the tables, their columns, the formats of files.
///
/// [`Export`](columns::Export) is a [`Task`](task::Task): [`run`](task::run) calls a [`Consumer`](task::Consumer) with
/// the [`Rows`](columns::Rows) of each job, in the order of the text; [`PlacedRows`](columns::PlacedRows) adds the
/// position of the job, [`Cutter`](columns::Cutter) divides them into [`Group`](columns::Group)s, whose columns are
/// [`Buffer`](columns::Buffer)s. What each column contains: `docs/columns.md`.
///
/// ```
/// use pgnmill::columns::Table;
///
/// let columns = Table::Games.select(&["hf".to_string(), "moves".to_string()], &[]).expect("known");
/// assert_eq!((columns.len(), &*columns[0].name), (19, "Event"));
/// ```
#[cfg(feature = "export")]
pub mod columns {
    pub use pgnmill_columns::{
        Annotations, BatchTotals, Batches, Buffer, Column, Cutter, Ends, EngineNote, Export, Fixed,
        FixedBytes, Format, GROUP_GAMES_MAX, GROUP_ROWS_MAX, GROUP_TEXT_BYTES_MAX, Group, Kept,
        Kind, Lists, Maps, NextBatch, Opcode, OpcodeError, Operand, PartitionKey, Parts,
        PartsError, PlacedRows, PlayedPly, PlyFilter, PlyNotes, PlyNumbers, PlyPosition,
        PositionBatches, PositionLines, Rows, SCHEMA_VERSION, SelectionError, Set, Table, Texts,
    };
    pub use pgnmill_core::pgn::Eval;
    pub use pgnmill_core::pgn::engine_comments::{CommentForm, EngineComment, EvalView};
    pub use pgnmill_core::tasks::sorter::Spill;
}

/// Positions: what was played in which, and how it ended.
///
/// [`CountPositions`](positions::CountPositions) is a [`Task`](task::Task), whose parts [`Pairs`](positions::Pairs)
/// adds up: pairs of a position and a move with their sums, in bounded memory, in the order of their keys. The same as
/// record batches without a file is `columns::PositionBatches`, as a file `run::Positions`; `run::Explore` looks up a
/// position in such a file, `positions::PositionTable` many at once. Definitions: `docs/positions.md`.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use pgnmill::positions::{ChessKey, CountPositions, Counted, Limits, Pair, Pairs, Spill, Stop};
/// use pgnmill::task::{Base, Consumer, JobResult, Pool, Settings, run};
/// use pgnmill::{Archive, Input};
///
/// struct Counting(Pairs);
///
/// impl Consumer<Counted> for Counting {
///     fn begin(&mut self, _: &Archive) -> pgnmill::Result<()> {
///         Ok(())
///     }
///
///     fn result(&mut self, _: &str, base: Base, result: &mut JobResult<Counted>, pool: &Pool) -> pgnmill::Result<()> {
///         self.0.add(&mut result.part, 0, base, pool)
///     }
/// }
///
/// let spill = Spill { directory: std::env::temp_dir(), name: "moves".to_string(), bytes_max: 64 << 20 };
/// let mut counting = Counting(Pairs::new(Limits { spill, games_min: 2, stop: Stop::default() }));
/// let inputs = [Input::Path("data/sources.pgn".into())];
/// run(&CountPositions::default(), &Settings::default(), &inputs, &mut counting, &AtomicBool::new(false))?;
/// let of_chess = |pairs: Vec<Pair<ChessKey>>| {
///     let text = |Pair { key, sums }: &Pair<ChessKey>| {
///         let position = key.position();
///         format!("{} x {}", sums.games, pgnmill::UciMove::of(&position, key.mv(&position)))
///     };
///     pairs.iter().map(text).collect::<Vec<_>>()
/// };
/// let mut moves = Vec::new();
/// counting.0.finish(&Pool::new(1)?, of_chess, |_| Vec::new(), |made| Ok(moves.extend(made)))?;
/// assert_eq!(moves, ["3 x e2e4"]);
/// # Ok::<(), pgnmill::Error>(())
/// ```
pub mod positions {
    #[cfg(feature = "export")]
    pub use pgnmill_columns::{PositionRow, PositionTable, Wanted};
    pub use pgnmill_core::tasks::positions::{
        ChessKey, CountPositions, Counted, Limits, NO_DATES, OtherKey, Pair, Pairs, Sample, Stop,
        Sums, record_of,
    };
    pub use pgnmill_core::tasks::sorter::Spill;
}

/// Runs: what the commands of the program do, as typed requests, with their outputs, journals, ledgers and summaries.
///
/// ```
/// use std::sync::Arc;
///
/// use pgnmill::run::{Measure, Recorder};
///
/// # let folder = std::env::temp_dir().join(format!("pgnmill-run-{}", std::process::id()));
/// # let folder = folder.as_path();
/// let recorder = Arc::new(Recorder::default());
/// let measure = Measure::new(["data/sources.pgn"], folder);
/// let measure = Measure { notations: vec!["main".into()], by: vec!["result".into()], ..measure };
/// let completion = measure.run(&(Arc::clone(&recorder) as _))?;
/// assert!(completion.is_clean && folder.join("by_result.csv").exists());
/// assert_eq!(recorder.take().fact("accepted"), Some("3"));
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), pgnmill::Error>(())
/// ```
#[cfg(feature = "run")]
pub mod run {
    #[cfg(feature = "export")]
    pub use pgnmill_run::explore::{ExploredMove, MoveTree, RequestedPosition};
    pub use pgnmill_run::{
        Completion, Convert, Dropped, Duplicates, EditArgs, Event, Failures, GameLines, Host, Ink,
        InputEnd, KeepName, Left, ListFormat, Measure, Merge, Messages, Mode, NamedRequest,
        NearPlies, PositionArgs, PositionFormat, Reading, Recorded, Recorder, Report, Resuming,
        RunFiles, SPLIT_FILES_MAX, SameName, SampleArgs, SampleSize, Screen, Select, Selecting,
        Share, Side, Size, Snapshot, Sort, Splits, Splitting, Stats, Stream, SummaryArgs, Validate,
        VocabularyFile, Writing, parse_split, split_json,
    };
    #[cfg(feature = "export")]
    pub use pgnmill_run::{
        Explore, Explored, Export, FILES_BY_VALUE_MAX, PositionOfPly, Positions,
    };
}

/// Sizes and limits, in bytes unless their names say otherwise.
pub mod limits {
    pub use pgnmill_core::engine::THREADS_MAX;
    pub use pgnmill_core::replay::{NOTES_PER_GAME_MAX, VARIATION_DEPTH_MAX};
    pub use pgnmill_io::archive::{
        BATCH_STORED_BYTES, BLOCK_BYTES, FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX,
        GAME_BYTES_MAX, RANGE_BYTES,
    };
}

/// The tables that a measurement writes, one declaration per table.
pub mod table {
    pub use pgnmill_core::tables::{Column, Schema};
}

pub use pgnmill_simd::Level;

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
