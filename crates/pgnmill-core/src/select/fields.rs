//! The names of the language: one declaration per field and function, from which the compiler, the list of the command
//! line and `docs/select.md` are made.
//!
//! In: a name. Out: a typed node, and what it requires of a game. A new fact of the moves is a variant in `moves.rs` or
//! `node.rs` and a row here.

use super::moves::{MoveCount, MoveFlag};
use super::node::{NumberNode, TextNode, Typed};
use super::reads::Reads;

use Cost::{Moves, Tags};
use FieldKind::{Bool, Number, Text};

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A date.
    Date,
    /// A time of day.
    Time,
}

impl FieldKind {
    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Bool => "bool",
            FieldKind::Number => "number",
            FieldKind::Text => "text",
            FieldKind::Date => "date",
            FieldKind::Time => "time",
        }
    }
}

/// What has to be read of a game for a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// The tag pairs.
    Tags,
    /// The moves too.
    Moves,
}

impl Cost {
    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Cost::Tags => "tags",
            Cost::Moves => "moves",
        }
    }
}

/// A name of the language.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name; of a function with its parameters.
    pub name: &'static str,
    /// The type of its value.
    pub kind: FieldKind,
    /// What has to be read.
    pub cost: Cost,
    /// The meaning, in Markdown.
    pub doc: &'static str,
    pub(super) make: Option<fn(&mut Reads) -> Typed>,
}

const fn field(
    name: &'static str,
    kind: FieldKind,
    cost: Cost,
    make: fn(&mut Reads) -> Typed,
    doc: &'static str,
) -> Field {
    Field { name, kind, cost, doc, make: Some(make) }
}

const fn function(name: &'static str, kind: FieldKind, cost: Cost, doc: &'static str) -> Field {
    Field { name, kind, cost, doc, make: None }
}

/// The fields with names in small letters.
pub const FACTS: &[Field] = &[
    field(
        "archive",
        Text,
        Tags,
        |_| Typed::Text(TextNode::Archive),
        "the path of the archive, as it was given",
    ),
    field(
        "text_bytes",
        Number,
        Tags,
        |_| Typed::Number(NumberNode::GameBytes),
        "the length of the game's text in bytes",
    ),
    field(
        "rating_min",
        Number,
        Tags,
        |reads| reads.ratings(f64::min),
        "the lower of the two ratings; missing unless both are known",
    ),
    field(
        "rating_max",
        Number,
        Tags,
        |reads| reads.ratings(f64::max),
        "the higher of the two ratings",
    ),
    field(
        "rating_mean",
        Number,
        Tags,
        |reads| reads.ratings(|white, black| (white + black) / 2.0),
        "half the sum of the two ratings",
    ),
    field(
        "rating_difference",
        Number,
        Tags,
        |reads| reads.ratings(|white, black| (white - black).abs()),
        "the distance of the two ratings, never negative",
    ),
    field(
        "year",
        Number,
        Tags,
        |reads| Typed::Number(NumberNode::Year(reads.slots(["Date", "UTCDate"]))),
        "the year of `Date`, or of `UTCDate` if that has none; from 1400 to 2100",
    ),
    field(
        "month",
        Number,
        Tags,
        |reads| Typed::Number(NumberNode::Month(reads.slots(["Date", "UTCDate"]))),
        "the month of the same date, 1 to 12",
    ),
    field(
        "speed",
        Text,
        Tags,
        |reads| Typed::Text(TextNode::Speed(reads.tags.slot("TimeControl"))),
        "from `TimeControl`, as `measure --by speed` groups: `ultrabullet`, `bullet`, `blitz`, `rapid`, `classical`, `correspondence`",
    ),
    field(
        "time_initial",
        Number,
        Tags,
        |reads| Typed::Number(NumberNode::Initial(reads.tags.slot("TimeControl"))),
        "the seconds of each player; missing unless `TimeControl` is `base+increment`",
    ),
    field(
        "time_increment",
        Number,
        Tags,
        |reads| Typed::Number(NumberNode::Increment(reads.tags.slot("TimeControl"))),
        "the seconds added per move, likewise",
    ),
    field(
        "variant",
        Text,
        Tags,
        |reads| Typed::Text(TextNode::Variant(reads.tags.slot("Variant"))),
        "the tag pair `Variant`; `standard` without one",
    ),
    field(
        "verdict",
        Text,
        Moves,
        |reads| reads.text_of_moves(TextNode::Verdict, false),
        "`accepted`, `repaired` or `rejected`, before anything is written; never missing",
    ),
    field(
        "outcome",
        Text,
        Moves,
        |reads| reads.text_of_moves(TextNode::Outcome, false),
        "the result token in the standard's form, without one the tag pair `Result`: `1-0`, `0-1`, `1/2-1/2`, `*`",
    ),
    field(
        "ply_count",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Plies),
        "plies of the main line",
    ),
    field(
        "variation_plies",
        Number,
        Moves,
        |reads| reads.count(MoveCount::VariationPlies),
        "plies in variations",
    ),
    field(
        "mate",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::Mate, true),
        "the last position is checkmate: the side to move is in check and has no legal move; false in Chess 99",
    ),
    field(
        "stalemate",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::Stalemate, true),
        "the last position is stalemate: the side to move is not in check and has no legal move, though the game is not over for another reason, such as a king on its goal",
    ),
    field(
        "check",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::Check, true),
        "the side to move is in check in the last position",
    ),
    field(
        "insufficient_material",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::InsufficientMaterial, true),
        "in the last position neither side can mate: bare kings, one knight, or bishops on squares of one colour; missing in other rules than those of chess",
    ),
    field(
        "promotion",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::Promotion, false),
        "a pawn is promoted",
    ),
    field(
        "underpromotion",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::Underpromotion, false),
        "a pawn is promoted to a rook, bishop or knight",
    ),
    field(
        "castling_short",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::CastlingShort, false),
        "a side castles on the side of the h-file",
    ),
    field(
        "castling_long",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::CastlingLong, false),
        "a side castles on the side of the a-file",
    ),
    field(
        "en_passant",
        Bool,
        Moves,
        |reads| reads.flag(MoveFlag::EnPassant, false),
        "a pawn captures en passant",
    ),
    field(
        "comments",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Comments),
        "comments of the movetext, those of variations included",
    ),
    field(
        "variations",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Variations),
        "variations, nested ones included",
    ),
    field(
        "clocks",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Clocks),
        "commands `%clk` in comments",
    ),
    field(
        "evals",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Evals),
        "commands `%eval` in comments",
    ),
    field(
        "nags",
        Number,
        Moves,
        |reads| reads.count(MoveCount::Nags),
        "NAGs: `$n`, and `!` `?` `!!` `??` `!?` `?!`",
    ),
    field(
        "final_fen",
        Text,
        Moves,
        |reads| reads.text_of_moves(TextNode::FinalFen, true),
        "the FEN record of the last position, with all six fields",
    ),
    field(
        "final_material",
        Text,
        Moves,
        |reads| reads.text_of_moves(TextNode::FinalMaterial, true),
        "the pieces of the last position, such as `KRPkr`: in the order KQRBNP, White in capital letters",
    ),
    field(
        "eco_computed",
        Text,
        Moves,
        |reads| reads.opening(TextNode::EcoComputed),
        "the code of the opening that the moves reach, whatever `ECO` contains: that of the last position, among the \
         first 40 plies, that `data/openings/` contains; missing if there is none",
    ),
    field(
        "opening_computed",
        Text,
        Moves,
        |reads| reads.opening(TextNode::OpeningComputed),
        "the name of that opening",
    ),
];

/// The functions.
pub const FUNCTIONS: &[Field] = &[
    function("tag(\"Name\")", Text, Tags, "a tag pair by any name, always as text"),
    function("lower(text)", Text, Tags, "the text in small letters"),
    function(
        "contains(text, part)",
        Bool,
        Tags,
        "the text contains the part; exact bytes, so `lower` for any case",
    ),
    function("starts_with(text, part)", Bool, Tags, "the text begins with the part"),
    function("ends_with(text, part)", Bool, Tags, "the text ends with the part"),
    function(
        "position(\"FEN\")",
        Bool,
        Moves,
        "the position is reached in the main line, its first included: pieces, side to move, castling rights, and the en passant square if a capture there is legal; counters are not compared and may be left out; missing in other rules than those of chess",
    ),
    function(
        "material(\"KRPkr\")",
        Bool,
        Moves,
        "a position of the main line has exactly these pieces, White in capital letters, in any order; missing in other rules than those of chess",
    ),
    function(
        "material_any_colour(\"KRPkr\")",
        Bool,
        Moves,
        "the same, also with the colours exchanged",
    ),
];

/// The tag pairs that are not texts.
pub const TYPED_TAGS: [(&str, FieldKind); 10] = [
    ("WhiteElo", Number),
    ("BlackElo", Number),
    ("WhiteRatingDiff", Number),
    ("BlackRatingDiff", Number),
    ("PlyCount", Number),
    ("Date", FieldKind::Date),
    ("UTCDate", FieldKind::Date),
    ("EventDate", FieldKind::Date),
    ("UTCTime", FieldKind::Time),
    ("Time", FieldKind::Time),
];
