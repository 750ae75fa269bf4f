//! `errors.csv`: what one error in a game's text does.
//!
//! Intervals are Wilson's of independent trials ([`share`](super::share)): with one error a game each is in another
//! game.

use super::columns::{NOTATION, percent, ratio};
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};
use super::share::wilson_95;

/// The kinds of errors, in their order.
pub const KINDS: [&str; 4] = ["substitution", "omission", "transposition", "confusion"];

/// The kind of the error.
pub const KIND: Column = Column::key(
    "kind",
    Order::Listed(&KINDS),
    "`substitution`, `omission`, `transposition` or `confusion`; see below",
);
/// How many errors were made.
pub const ERRORS: Column = Column::sum(
    "errors",
    "errors",
    "errors made, each alone in its game; the sum of the next four",
);
/// Errors that are seen in their own text.
pub const REFUSED_AT_ONCE: Column = Column::sum(
    "refused_at_once",
    "errors",
    "the text with the error is no text of a legal move, and no other text of the move that was played",
);
/// Errors that are seen in a later text.
pub const REFUSED_LATER: Column = Column::sum(
    "refused_later",
    "errors",
    "it is the text of another legal move, and a later text of the game is refused",
);
/// Errors that are never seen.
pub const NEVER: Column = Column::sum(
    "never",
    "errors",
    "it is the text of another legal move, and no later text is refused: the texts are those of another game",
);
/// Errors that change no move.
pub const SAME_MOVE: Column = Column::sum(
    "same_move",
    "errors",
    "it is not canonical, and its one reading is the move that was played, such as a text without its check suffix: \
     `--strict` rejects it, otherwise it is repaired",
);
/// How long the errors that are seen later remain unseen.
pub const PLIES_UNTIL_REFUSED: Column = Column::sum(
    "plies_until_refused",
    "plies",
    "sum over `refused_later`: plies from the one with the error to the refused one, which counts, too",
);

/// One row per notation and kind.
pub static SCHEMA: Schema = Schema {
    file: "errors.csv",
    purpose: "One row per notation and kind of error: when a reader of the game's text refuses it.",
    written: Written::Errors,
    columns: &[
        NOTATION,
        KIND,
        ERRORS,
        REFUSED_AT_ONCE,
        REFUSED_LATER,
        NEVER,
        SAME_MOVE,
        PLIES_UNTIL_REFUSED,
        Column::derived(
            "refused_at_once_percent",
            Kind::Decimal(2),
            "per cent",
            "100 · `refused_at_once` / `errors`; empty if there are no errors",
        ),
        Column::derived(
            "refused_later_percent",
            Kind::Decimal(2),
            "per cent",
            "the same of `refused_later`",
        ),
        Column::derived("never_percent", Kind::Decimal(2), "per cent", "the same of `never`"),
        Column::derived(
            "same_move_percent",
            Kind::Decimal(2),
            "per cent",
            "the same of `same_move`",
        ),
        Column::derived(
            "mean_plies_until_refused",
            Kind::Decimal(2),
            "plies",
            "`plies_until_refused` / `refused_later`; empty if there are none",
        ),
        end(
            "refused_at_once_ci_low",
            "the lower end of the interval of 95 % (Wilson) of `refused_at_once_percent`, if errors are independent: with \
             one error a game each is in another game; with more it is too narrow",
        ),
        end("refused_at_once_ci_high", "the upper end"),
        end("never_ci_low", "the lower end of the same interval of `never_percent`"),
        end("never_ci_high", "the upper end"),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

const fn end(name: &'static str, doc: &'static str) -> Column {
    Column::derived(name, Kind::Decimal(2), "per cent", doc)
}

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let [errors, at_once, later, never, same, plies] = [0, 1, 2, 3, 4, 5].map(|at| row.sums[at]);
    let shares = [at_once, later, never, same].map(|count| percent(count, errors));
    let ends = [at_once, never].map(|count| wilson_95(count, errors));
    let ends =
        ends.map(|ends| ends.map_or(Default::default(), |(low, high)| [text(low), text(high)]));
    shares.into_iter().chain([ratio(plies, later, 2)]).chain(ends.into_iter().flatten()).collect()
}

/// A share in per cent.
fn text(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}
