//! The table `games`: one row per game that is accepted or repaired.
//!
//! The names, the order and the meaning of the first 18 columns are those of the Hugging Face dataset
//! `Lichess/standard-chess-games`. No other name differs from one of them by case only, since Spark ignores case: so
//! `outcome`, not `result`.

use std::borrow::Cow;
use std::str;

use crate::notation::UCI;
use crate::pgn::decode;
use crate::replay::Verdict;
use crate::tables::groups::RESULTS;

use super::buffer::Buffer;
use super::column::{Column, Requires, Set, Source};
use super::game_facts::GameFacts;
use super::kind::Kind;
use super::one_line::one_line;
use super::tag_values::{self, TagColumn};

/// The verdicts of the games of the table.
const VERDICTS: [&str; 2] = ["accepted", "repaired"];

const ABSENT: &str = "the tag pair is absent";
const NO_NUMBER: &str = "absent, `?`, not a number, or beyond 16 bits";

/// The column of a tag pair.
macro_rules! tag {
    ($name:literal, $column:ident, $doc:literal, $example:literal) => {
        Column::new(
            $name,
            Kind::Text,
            Source::Game(|game, buffer| {
                buffer.text(game.tag(TagColumn::$column).as_deref());
            }),
            $doc,
        )
        .null(ABSENT)
        .example($example)
    };
}

/// The column of a tag pair that is a rating, or a change of one.
macro_rules! rating {
    ($name:literal, $column:ident, $doc:literal, $example:literal) => {
        Column::new(
            $name,
            Kind::Int16,
            Source::Game(|game, buffer| {
                let rating = game.tag_bytes(TagColumn::$column);
                buffer.int16(rating.and_then(|text| tag_values::rating(text).value()));
            }),
            $doc,
        )
        .unit("points")
        .null(NO_NUMBER)
        .example($example)
        .set(Set::HuggingFace)
    };
}

/// The columns of the table, in order.
pub(super) fn columns() -> Vec<Column> {
    let hugging_face = |column: Column| column.set(Set::HuggingFace);
    let mut columns: Vec<Column> = vec![
        tag!("Event", Event, "the tag pair `Event`", "Rated Blitz game"),
        tag!("Site", Site, "the tag pair `Site`", "https://lichess.org/abcdefgh"),
        tag!("White", White, "the tag pair `White`", "Carlsen, Magnus"),
        tag!("Black", Black, "the tag pair `Black`", "Caruana, Fabiano"),
        tag!("Result", Result, "the tag pair `Result`, as it is written", "1-0"),
        tag!("WhiteTitle", WhiteTitle, "the tag pair `WhiteTitle`", "GM"),
        tag!("BlackTitle", BlackTitle, "the tag pair `BlackTitle`", "IM"),
    ]
    .into_iter()
    .map(hugging_face)
    .collect();
    columns.extend([
        rating!("WhiteElo", WhiteElo, "the tag pair `WhiteElo`", "2847"),
        rating!("BlackElo", BlackElo, "the tag pair `BlackElo`", "2822"),
        rating!("WhiteRatingDiff", WhiteRatingDiff, "the tag pair `WhiteRatingDiff`", "-6"),
        rating!("BlackRatingDiff", BlackRatingDiff, "the tag pair `BlackRatingDiff`", "5"),
        hugging_face(UTC_DATE),
        hugging_face(UTC_TIME),
    ]);
    columns.extend(
        [
            tag!("ECO", Eco, "the tag pair `ECO`", "B90"),
            tag!("Opening", Opening, "the tag pair `Opening`", "Sicilian Defense"),
            tag!("Termination", Termination, "the tag pair `Termination`", "Normal"),
            tag!("TimeControl", TimeControl, "the tag pair `TimeControl`", "180+2"),
            MOVETEXT,
        ]
        .map(hugging_face),
    );
    columns.extend([
        tag!("Date", Date, "the tag pair `Date`", "2018.11.09"),
        tag!("Round", Round, "the tag pair `Round`", "1"),
        tag!("Variant", Variant, "the tag pair `Variant`", "Chess960"),
        tag!("FEN", Fen, "the tag pair `FEN`", "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1"),
    ]);
    columns.extend(key());
    columns.extend([UTC_TIMESTAMP, TIME_INITIAL, TIME_INCREMENT, VERDICT, OUTCOME]);
    columns.extend([PLY_COUNT, VARIATION_PLIES, MOVES, CLOCKS, EVALS_CP, EVALS_MATE, FINAL_HASH]);
    columns.extend([MOVES_PACKED, TAGS]);
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
.null("in a part of an archive whose offset in the text is not known; never with this program")
.example("611");

const GAME: Column = Column::new(
    "game",
    Kind::Int64,
    Source::GameNumber,
    "the number of the game in the archive, from 1, rejected games included",
)
.null("in a part of an archive; never with this program")
.example("3");

const GAME_ID: Column = Column::new(
    "game_id",
    Kind::Text,
    Source::Game(|game, buffer| {
        let of = |column| {
            let url = game.tag(column)?;
            tag_values::game_id(&url).map(str::to_string)
        };
        let id = of(TagColumn::Site).or_else(|| of(TagColumn::Link));
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

const TIME_INITIAL: Column = Column::new(
    "time_initial",
    Kind::Int32,
    Source::Game(|game, buffer| buffer.int32(time_control(game).map(|(initial, _)| initial))),
    "the time of each player, from `TimeControl`",
)
.unit("s")
.null("`TimeControl` does not have the form `base+increment`")
.example("180");

const TIME_INCREMENT: Column = Column::new(
    "time_increment",
    Kind::Int32,
    Source::Game(|game, buffer| buffer.int32(time_control(game).map(|(_, increment)| increment))),
    "the increment per move, from `TimeControl`",
)
.unit("s")
.null("`TimeControl` does not have the form `base+increment`")
.example("2");

const VERDICT: Column = Column::new(
    "verdict",
    Kind::Names(&VERDICTS),
    Source::Game(|game, buffer| {
        buffer.name(Some(usize::from(game.game.verdict == Verdict::Repaired)));
    }),
    "`accepted`, or `repaired`: a text was not canonical and had one reading",
)
.example("accepted");

const OUTCOME: Column = Column::new(
    "outcome",
    Kind::Names(&RESULTS),
    Source::Game(|game, buffer| {
        let outcome = game.outcome().canonical();
        buffer.name(RESULTS.iter().position(|&name| name == outcome));
    }),
    "the result token that ends the movetext, in the standard's form; without one the tag pair `Result`",
)
.example("1-0");

const PLY_COUNT: Column = Column::new(
    "ply_count",
    Kind::Int32,
    Source::Game(|game, buffer| buffer.int32(Some(game.game.plies as i32))),
    "plies of the main line",
)
.unit("plies")
.example("3");

const VARIATION_PLIES: Column = Column::new(
    "variation_plies",
    Kind::Int32,
    Source::Game(|game, buffer| buffer.int32(Some(game.game.variation_plies as i32))),
    "plies in variations",
)
.unit("plies")
.example("0");

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
    "the clock of the player after each ply, from `%clk`",
)
.unit("ms")
.null("the game has no `%clk`; an element is null where a ply has none that can be read")
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
    "the evaluation after each ply, White's view, from `%eval`; beyond ±32,767 it is that number",
)
.unit("hundredths of a pawn")
.null(
    "the game has no `%eval`; an element is null where a ply has none that can be read, or a mate",
)
.example("[17,25,null]")
.requires(Requires::Commands);

const EVALS_MATE: Column = Column::new(
    "evals_mate",
    Kind::Int16List,
    Source::Game(|game, buffer| {
        let notes = game.annotations;
        let mates = notes.plies.iter().map(|ply| ply.mate());
        buffer.int16_list(notes.has_eval.then_some(mates));
    }),
    "the number of moves to a mate after each ply, negative if Black mates, from `%eval`",
)
.unit("moves")
.null("the game has no `%eval`; an element is null where a ply has no mate")
.example("[null,null,-3]")
.requires(Requires::Commands);

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

const TAGS: Column = Column::new(
    "tags",
    Kind::TextMap,
    Source::Game(|game, buffer| buffer.map(game.tags.others(game.text))),
    "all tag pairs that have no column of their own, in the order of the text; of several with one name the last",
)
.example(r#"{"Annotator":"Somebody"}"#)
.set(Set::OptIn)
.requires(Requires::OtherTags);

fn utc_date(game: &GameFacts<'_>) -> Option<i32> {
    tag_values::date(game.tag_bytes(TagColumn::UtcDate)?).value()
}

fn utc_time(game: &GameFacts<'_>) -> Option<i32> {
    tag_values::time(game.tag_bytes(TagColumn::UtcTime)?).value()
}

fn time_control(game: &GameFacts<'_>) -> Option<(i32, i32)> {
    tag_values::time_control(game.tag_bytes(TagColumn::TimeControl)?)
}

fn movetext(game: &GameFacts<'_>, buffer: &mut Buffer) {
    let movetext = game.movetext();
    let texts = buffer.texts();
    match str::from_utf8(movetext) {
        Ok(text) if !game.one_line => texts.extend(text.as_bytes()),
        _ => {
            let text = decode(movetext);
            let text: Cow<'_, str> = if game.one_line { one_line(&text).into() } else { text };
            texts.extend(text.as_bytes());
        }
    }
    texts.end_row(true);
}
