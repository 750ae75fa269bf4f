//! The names of the language: the facts of a game ([`crate::facts`]), those that a selection alone collects from single
//! plies, and what a function is ([`functions`](super::functions)). The compiler, the list of the command line and
//! `docs/select.md` are made from them.
//!
//! In: a name. Out: a typed node, and what it requires of a game. A new field of single plies is a variant in
//! `moves.rs` or `node.rs` and a row here.

use std::borrow::Cow;

use crate::chess::{Color, Role};
use crate::facts::{self, Fact, Needs, Value};
use crate::pgn::{Tag, TagKind};

use super::call::Call;
use super::error::Fault;
use super::moves::{MoveCount, MoveFlag};
use super::node::{TextNode, Typed};
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

impl From<TagKind> for FieldKind {
    fn from(kind: TagKind) -> FieldKind {
        match kind {
            TagKind::Text => FieldKind::Text,
            TagKind::Number => FieldKind::Number,
            TagKind::Date => FieldKind::Date,
            TagKind::Time => FieldKind::Time,
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
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; of a function with its parameters.
    pub name: &'static str,
    /// The type of its value.
    pub kind: FieldKind,
    /// What has to be read.
    pub cost: Cost,
    /// The meaning, in Markdown.
    pub doc: Cow<'static, str>,
    pub(super) make: Make,
}

/// How a field becomes a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Make {
    Fact(&'static Fact),
    Plies(fn(&mut Reads) -> Typed),
    /// By other names.
    Replaced,
    /// With its arguments.
    Function(Maker),
}

/// What makes the node of a call.
pub(super) type Maker = fn(&mut Call<'_>) -> Result<Typed, Fault>;

const fn field(
    name: &'static str,
    kind: FieldKind,
    cost: Cost,
    make: fn(&mut Reads) -> Typed,
    doc: &'static str,
) -> Field {
    Field { name, kind, cost, doc: Cow::Borrowed(doc), make: Make::Plies(make) }
}

const fn replaced(name: &'static str, kind: FieldKind, cost: Cost, doc: &'static str) -> Field {
    Field { name, kind, cost, doc: Cow::Borrowed(doc), make: Make::Replaced }
}

/// A function. `name`: with its parameters, which are as many as its arguments.
pub(super) const fn function(
    name: &'static str,
    kind: FieldKind,
    cost: Cost,
    make: Maker,
    doc: &'static str,
) -> Field {
    Field { name, kind, cost, doc: Cow::Borrowed(doc), make: Make::Function(make) }
}

/// The field of a fact, if it is one.
fn of_fact(fact: &'static Fact) -> Option<Field> {
    let kind = match fact.value {
        Value::Int(_) | Value::Real(_) => Number,
        Value::Text(_) | Value::Name(..) => Text,
        Value::Grouped => return None,
    };
    let cost = if fact.needs == Needs::Tags { Tags } else { Moves };
    Some(Field { name: fact.name, kind, cost, doc: fact.meaning(), make: Make::Fact(fact) })
}

/// The fields with names in small letters.
pub fn fields() -> impl Iterator<Item = Field> {
    let own = OF_PLIES.iter().chain(&REPLACED);
    facts::ALL.iter().filter_map(of_fact).chain(own.cloned())
}

/// The tag pairs that are not texts.
pub fn typed_tags() -> impl Iterator<Item = (&'static str, FieldKind)> {
    let typed = Tag::ALL.into_iter().filter(|tag| tag.kind() != TagKind::Text);
    typed.map(|tag| (tag.name(), tag.kind().into()))
}

/// The fields that a selection alone collects.
static OF_PLIES: &[Field] = &[
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
        "commands `%clk` and `%clkc` in comments",
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
        "the FEN record of the last position, with all six fields; missing in other rules than those of chess",
    ),
    field(
        "final_material",
        Text,
        Moves,
        |reads| reads.text_of_moves(TextNode::FinalMaterial, true),
        "the pieces of the last position, such as `KRPkr`: in the order KQRBNP, White in capital letters",
    ),
    field(
        "white_pawns",
        Number,
        Moves,
        |reads| reads.pieces(Color::White, Role::Pawn),
        "the pawns of White in the last position; missing in other rules than those of chess",
    ),
    field(
        "white_knights",
        Number,
        Moves,
        |reads| reads.pieces(Color::White, Role::Knight),
        "the knights of White in the last position; missing in other rules than those of chess",
    ),
    field(
        "white_bishops",
        Number,
        Moves,
        |reads| reads.pieces(Color::White, Role::Bishop),
        "the bishops of White in the last position; missing in other rules than those of chess",
    ),
    field(
        "white_rooks",
        Number,
        Moves,
        |reads| reads.pieces(Color::White, Role::Rook),
        "the rooks of White in the last position; missing in other rules than those of chess",
    ),
    field(
        "white_queens",
        Number,
        Moves,
        |reads| reads.pieces(Color::White, Role::Queen),
        "the queens of White in the last position; missing in other rules than those of chess",
    ),
    field(
        "black_pawns",
        Number,
        Moves,
        |reads| reads.pieces(Color::Black, Role::Pawn),
        "the pawns of Black in the last position; missing in other rules than those of chess",
    ),
    field(
        "black_knights",
        Number,
        Moves,
        |reads| reads.pieces(Color::Black, Role::Knight),
        "the knights of Black in the last position; missing in other rules than those of chess",
    ),
    field(
        "black_bishops",
        Number,
        Moves,
        |reads| reads.pieces(Color::Black, Role::Bishop),
        "the bishops of Black in the last position; missing in other rules than those of chess",
    ),
    field(
        "black_rooks",
        Number,
        Moves,
        |reads| reads.pieces(Color::Black, Role::Rook),
        "the rooks of Black in the last position; missing in other rules than those of chess",
    ),
    field(
        "black_queens",
        Number,
        Moves,
        |reads| reads.pieces(Color::Black, Role::Queen),
        "the queens of Black in the last position; missing in other rules than those of chess",
    ),
];

/// The fields that are replaced before the compiler reads them: see `players.rs` and `comments.rs`.
static REPLACED: [Field; 9] = [
    replaced(
        "player",
        Text,
        Tags,
        "`White` or `Black`: a condition on it is true if it is so of one of them, `!=`, `not in` and `is missing` if of \
         neither; conditions on `player…` and `opponent…` that `and` joins are of one player",
    ),
    replaced("player_rating", Number, Tags, "the rating of that player: `WhiteElo` or `BlackElo`"),
    replaced("player_title", Text, Tags, "the title of that player: `WhiteTitle` or `BlackTitle`"),
    replaced(
        "player_won",
        Bool,
        Moves,
        "that player has won, as `outcome` says; missing where that is `*`",
    ),
    replaced("player_lost", Bool, Moves, "that player has lost; missing where `outcome` is `*`"),
    replaced("opponent", Text, Tags, "the other player"),
    replaced("opponent_rating", Number, Tags, "the rating of the other player"),
    replaced("opponent_title", Text, Tags, "the title of the other player"),
    replaced(
        "comment",
        Text,
        Moves,
        "a comment of the movetext, those of variations included: for `=~`, `like`, `contains`, `starts_with`, `ends_with` \
         and `is missing`; true if it is so of one comment",
    ),
];
