//! `bpe_tokens.csv`: how many tokens of byte-pair encoders movetext takes.

use super::columns::{CHARACTERS, GAMES, NOTATION, PLIES, change_percent, ratio};
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The vocabulary.
pub const VOCABULARY: Column =
    Column::key("vocabulary", Order::Any, "the name of its file, without `.tiktoken`");
/// The tokens.
pub const TOKENS: Column =
    Column::sum("tokens", "tokens", "tokens of the movetext of all games, each encoded by itself");

/// One row per vocabulary and notation.
pub static SCHEMA: Schema = Schema {
    file: "bpe_tokens.csv",
    purpose: "One row per vocabulary of a byte-pair encoder and notation: the tokens of movetext.",
    written: Written::Tokens,
    columns: &[
        VOCABULARY,
        NOTATION,
        GAMES.with_doc("games that the notation can write, those without a move included"),
        PLIES.with_doc("their plies"),
        CHARACTERS.with_doc(
            "characters of their movetext: as `total` in `movetext.csv`, without the space or line end after the result",
        ),
        TOKENS,
        Column::derived(
            "tokens_per_ply",
            Kind::Decimal(3),
            "tokens per ply",
            "`tokens` / `plies`, numbers and results included; empty if there are no plies",
        ),
        Column::derived(
            "characters_per_token",
            Kind::Decimal(3),
            "characters per token",
            "`characters` / `tokens`; empty if there are no games",
        ),
        Column::derived(
            "change_percent_vs_san",
            Kind::Decimal(2),
            "per cent",
            "100 · (this − san) / san, in tokens; empty if this notation cannot write all games",
        ),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let [games, plies, characters, tokens] = [0, 1, 2, 3].map(|at| row.sums[at]);
    let san = (row.of)("san").filter(|san| san[..2] == [games, plies]);
    vec![
        ratio(tokens, plies, 3),
        ratio(characters, tokens, 3),
        san.map_or_else(String::new, |san| change_percent(tokens, san[3])),
    ]
}
