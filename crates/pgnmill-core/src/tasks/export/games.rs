//! The table `games`: one row per game that is accepted or repaired.
//!
//! The names, the order and the meaning of the first 18 columns are those of the Hugging Face dataset
//! `Lichess/standard-chess-games`. No other name differs from one of them by case only, since Spark ignores case: so
//! `outcome`, not `result`.

use crate::facts;
use crate::notation::UCI;
use crate::pgn::{Tag, TagKind, decode, tag_numbers};

use super::buffer::Buffer;
use super::column::{Column, Requires, Set, Source};
use super::game_facts::GameFacts;
use super::kind::Kind;
use super::one_line::one_line;
use super::tag_values;

/// The tag pairs that are columns, with an example: those of the dataset before the dates, those after, and others.
const TAGS: [&[(Tag, &str)]; 3] = [
    &[
        (Tag::Event, "Rated Blitz game"),
        (Tag::Site, "https://lichess.org/abcdefgh"),
        (Tag::White, "Carlsen, Magnus"),
        (Tag::Black, "Caruana, Fabiano"),
        (Tag::Result, "1-0"),
        (Tag::WhiteTitle, "GM"),
        (Tag::BlackTitle, "IM"),
        (Tag::WhiteElo, "2847"),
        (Tag::BlackElo, "2822"),
        (Tag::WhiteRatingDiff, "-6"),
        (Tag::BlackRatingDiff, "5"),
    ],
    &[
        (Tag::Eco, "B90"),
        (Tag::Opening, "Sicilian Defense"),
        (Tag::Termination, "Normal"),
        (Tag::TimeControl, "180+2"),
    ],
    &[
        (Tag::Date, "2018.11.09"),
        (Tag::Round, "1"),
        (Tag::Variant, "Chess960"),
        (Tag::Fen, "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1"),
    ],
];

/// Has a tag pair of this name a column?
pub(super) fn has_column(name: &[u8]) -> bool {
    let dates = [Tag::UtcDate, Tag::UtcTime];
    let mut tags = TAGS.into_iter().flatten().map(|(tag, _)| *tag).chain(dates);
    tags.any(|tag| tag.name().as_bytes() == name)
}

/// The column of a tag pair.
fn of_tag(&(tag, example): &(Tag, &'static str)) -> Column {
    let name = tag.name();
    let column = match tag.kind() {
        TagKind::Number => Column::new(name, Kind::Int16, Source::Tag(tag), "")
            .unit("points")
            .null("absent, `?`, not a number, or beyond 16 bits"),
        _ => Column::new(name, Kind::Text, Source::Tag(tag), "").null("the tag pair is absent"),
    };
    let written = if tag == Tag::Result { ", as it is written" } else { "" };
    Column { doc: format!("the tag pair `{name}`{written}").into(), ..column.example(example) }
}

/// The columns of the table, in order.
pub(super) fn columns() -> Vec<Column> {
    let [before_dates, after_dates, others] = TAGS;
    let mut columns: Vec<Column> = before_dates.iter().map(of_tag).collect();
    columns.extend([UTC_DATE, UTC_TIME]);
    columns.extend(after_dates.iter().map(of_tag));
    columns.iter_mut().for_each(|column| column.set = Set::HuggingFace);
    columns.push(MOVETEXT.set(Set::HuggingFaceAlone));
    columns.extend(others.iter().map(of_tag));
    columns.extend(key());
    columns.push(UTC_TIMESTAMP);
    let facts = facts::ALL.iter().filter(|fact| fact.column.is_some());
    columns.extend(facts.map(|fact| Column::of_fact(fact.name, fact)));
    columns.extend([MOVES, CLOCKS, EVALS_CP, EVALS_MATE, FINAL_HASH]);
    columns.extend([MOVES_PACKED, Column::of_tcn().example("mC0K"), FINAL_FEN, TAGS_MAP]);
    columns
}

/// The columns that identify a game, in both tables.
pub(super) fn key() -> [Column; 4] {
    [ARCHIVE, BYTE_OFFSET, GAME, GAME_ID]
}

const ARCHIVE: Column = Column::new(
    "archive",
    Kind::Text,
    Source::Archive,
    "the path of the archive, as it was given; of standard input, what `--name` gives",
)
.example("lichess_2017-05.pgn.zst");

const BYTE_OFFSET: Column = Column::new(
    "byte_offset",
    Kind::Int64,
    Source::Offset,
    "offset of the game in the text of the archive; with `archive` the key of a game, also in the tables of `measure \
     --per-game`",
)
.unit("bytes")
.null("where only a part of an archive is read, without its offset; the program always knows it")
.example("611");

const GAME: Column = Column::new(
    "game",
    Kind::Int64,
    Source::GameNumber,
    "the number of the game in the archive, from 1, rejected games included",
)
.null("where only a part of an archive is read; the program always knows it")
.example("3");

const GAME_ID: Column = Column::new(
    "game_id",
    Kind::Text,
    Source::Game(|game, buffer| {
        let of = |column| {
            let url = game.read.tags.text(column)?;
            tag_values::game_id(&url).map(str::to_string)
        };
        let id = of(Tag::Site).or_else(|| of(Tag::Link));
        buffer.text(id.as_deref());
    }),
    "the last part of the path of a lichess.org address, or the number in one of chess.com, in the tag pair `Site` or \
     `Link`",
)
.null("neither is such an address")
.example("abcdefgh");

const UTC_DATE: Column = Column::new(
    "UTCDate",
    Kind::Date,
    Source::Game(|game, buffer| buffer.int32(utc_date(game))),
    "the tag pair `UTCDate`",
)
.null("absent, or not a complete date of the calendar")
.example("2017-05-01");

const UTC_TIME: Column = Column::new(
    "UTCTime",
    Kind::TimeOfDay,
    Source::Game(|game, buffer| {
        buffer.int64(utc_time(game).map(|time| i64::from(time) * 1_000_000))
    }),
    "the tag pair `UTCTime`; in `--columns hf` its type is `time32[s]`",
)
.null("absent, or not a time of day")
.example("12:34:56");

/// `UTCTime` as the Hugging Face dataset has it.
pub(super) fn utc_time_in_seconds() -> Column {
    let source = Source::Game(|game, buffer| buffer.int32(utc_time(game)));
    Column { kind: Kind::SecondOfDay, source, ..UTC_TIME }.set(Set::HuggingFace)
}

const MOVETEXT: Column = Column::new(
    "movetext",
    Kind::Text,
    Source::Game(movetext),
    "the bytes of the movetext with comments, variations and result, without whitespace around them; bytes that are \
     not UTF-8 are read as Windows-1252; with `--one-line` line ends are spaces, except after comments to the end of \
     a line",
)
.example("1. e4 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 1-0");

const UTC_TIMESTAMP: Column = Column::new(
    "utc_timestamp",
    Kind::Instant,
    Source::Game(|game, buffer| {
        let seconds = |(date, time): (i32, i32)| i64::from(date) * 86_400 + i64::from(time);
        let instant = utc_date(game).zip(utc_time(game)).map(seconds);
        buffer.int64(instant.map(|seconds| seconds * 1_000));
    }),
    "`UTCDate` and `UTCTime` together",
)
.null("either is null")
.example("2017-05-01T12:34:56Z");

const MOVES: Column = Column::new(
    "moves",
    Kind::Text,
    Source::Moves(UCI),
    "the moves of the main line in UCI, separated by one space; a null move is `0000`; empty for a game without moves",
)
.example("e2e4 e7e5 g1f3");

const CLOCKS: Column = Column::new(
    "clocks",
    Kind::Int32List,
    Source::Game(|game, buffer| {
        let notes = game.annotations;
        let clocks = notes.plies.iter().map(|ply| ply.clock);
        buffer.int32_list(notes.has_clock.then_some(clocks));
    }),
    "the clock of the player after each ply, from `%clk` or `%clkc`",
)
.unit("ms")
.null("the game has neither; an element is null where a ply has none that can be read")
.example("[180000,180000,178500]")
.requires(Requires::Commands);

const EVALS_CP: Column = Column::new(
    "evals_cp",
    Kind::Int16List,
    Source::Game(|game, buffer| {
        let notes = game.annotations;
        let evals = notes.plies.iter().map(|ply| ply.centipawns());
        buffer.int16_list(notes.has_eval.then_some(evals));
    }),
    "the evaluation after each ply, White's view, from `%eval`, else from a comment of an engine; beyond ±32,767 it is that \
     number",
)
.unit("hundredths of a pawn")
.null(
    "the game has no `%eval` and no evaluation of an engine; an element is null where a ply has none that can be read, or a \
     mate",
)
.example("[17,25,null]")
.requires(Requires::Engines);

const EVALS_MATE: Column = Column::new(
    "evals_mate",
    Kind::Int16List,
    Source::Game(|game, buffer| {
        let notes = game.annotations;
        let mates = notes.plies.iter().map(|ply| ply.mate());
        buffer.int16_list(notes.has_eval.then_some(mates));
    }),
    "the number of moves to a mate, of each ply as `eval_mate` of plies, negative if Black mates",
)
.unit("moves")
.null("as `evals_cp`; an element is null where a ply has no mate")
.example("[null,null,-3]")
.requires(Requires::Engines);

const FINAL_HASH: Column = Column::new(
    "final_hash",
    Kind::Int64,
    Source::Game(|game, buffer| {
        buffer.int64(game.last.map(|position| position.polyglot_key().cast_signed()));
    }),
    "the key of the position after the last move, as in Polyglot's opening books: the same 64 bits, with a sign",
)
.null("a ruleset other than chess and Chess960")
.example("595762792459712928")
.requires(Requires::FinalPosition);

const MOVES_PACKED: Column = Column::new(
    "moves_packed",
    Kind::Int16List,
    Source::PackedMoves,
    "the moves of the main line in 16 bits each, as in Polyglot's opening books: the same bits, with a sign; castling \
     is king takes rook, a null move 0",
)
.example("[796,3364]")
.set(Set::OptIn);

const FINAL_FEN: Column = Column::new(
    "final_fen",
    Kind::Text,
    Source::Game(|game, buffer| {
        let record = game.last.map(|position| position.to_fen());
        buffer.text(record.as_deref());
    }),
    "the FEN record of the position after the last move, with all six fields, as `final_fen` of `--where`; an en passant \
     square only where such a capture is legal",
)
.null("a ruleset other than chess and Chess960")
.example("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
.set(Set::OptIn)
.requires(Requires::FinalPosition);

/// The record of the position after the last move, of any ruleset: of lines of positions alone.
pub(super) fn last_record() -> Column {
    let source = Source::Game(|game, buffer| {
        let chess = game.last.map(|position| position.to_fen());
        let record = chess.or_else(|| game.other_last.map(|position| position.to_fen()));
        buffer.text(record.as_deref());
    });
    Column { source, ..FINAL_FEN }
}

const TAGS_MAP: Column = Column::new(
    "tags",
    Kind::TextMap,
    Source::Game(|game, buffer| buffer.map(game.others.entries(game.text))),
    "all tag pairs that have no column of their own, in the order of the text; of several with one name the last",
)
.example(r#"{"Annotator":"Somebody"}"#)
.set(Set::OptIn)
.requires(Requires::OtherTags);

fn utc_date(game: &GameFacts<'_>) -> Option<i32> {
    tag_numbers::date(game.read.tags.bytes(Tag::UtcDate)?).value()
}

fn utc_time(game: &GameFacts<'_>) -> Option<i32> {
    tag_numbers::time(game.read.tags.bytes(Tag::UtcTime)?).value()
}

fn movetext(game: &GameFacts<'_>, buffer: &mut Buffer) {
    let movetext = game.movetext();
    let texts = buffer.texts();
    match game.one_line {
        true => texts.extend(one_line(&decode(movetext)).as_bytes()),
        false => texts.decoded(movetext),
    }
    texts.end_row(true);
}
