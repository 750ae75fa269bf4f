//! The functions of the language: a file and a row each.
//!
//! In: a name. Out: the row of the function, with what makes its node. A new function is a file here and a row below;
//! the compiler, its messages, the lists and `docs/select.md` are made from the rows.

mod affix;
mod extreme;
mod lower;
mod material;
mod moves;
mod position;
mod tag;

use super::fields::{
    Cost::{Moves, Tags},
    Field,
    FieldKind::{Bool, Number, Text},
    function,
};

/// The functions.
pub static FUNCTIONS: &[Field] = &[
    function("tag(\"Name\")", Text, Tags, tag::make, "a tag pair by any name, always as text"),
    function("lower(text)", Text, Tags, lower::make, "the text in small letters"),
    function(
        "contains(text, part)",
        Bool,
        Tags,
        affix::anywhere,
        "the text contains the part; exact bytes, so `lower` for any case",
    ),
    function("starts_with(text, part)", Bool, Tags, affix::start, "the text begins with the part"),
    function("ends_with(text, part)", Bool, Tags, affix::end, "the text ends with the part"),
    function(
        "min(number, number)",
        Number,
        Tags,
        extreme::smaller,
        "the smaller of two numbers; missing where one of them is",
    ),
    function(
        "max(number, number)",
        Number,
        Tags,
        extreme::larger,
        "the larger of two numbers; missing where one of them is",
    ),
    function(
        "position(\"FEN\")",
        Bool,
        Moves,
        position::make,
        "the position is reached in the main line, its first included: pieces, side to move, castling rights, and the en passant square if a capture there is legal, as far as the record has these fields; counters are not compared; `position in @FILE`: one of those of a file; missing in other rules than those of chess",
    ),
    function(
        "moves(\"1. e4 c5\")",
        Bool,
        Moves,
        moves::make,
        "the main line begins with these moves, in SAN or UCI, from the initial position; a transposition does not; missing in other rules than those of chess",
    ),
    function(
        "material(\"KRPkr\")",
        Bool,
        Moves,
        material::of_colours,
        "a position of the main line has exactly these pieces, White in capital letters, in any order; `*` after one of them is any number of it, none included (`KRP*kr*`); missing in other rules than those of chess",
    ),
    function(
        "material_any_colour(\"KRPkr\")",
        Bool,
        Moves,
        material::any_colour,
        "the same, also with the colours exchanged",
    ),
];
