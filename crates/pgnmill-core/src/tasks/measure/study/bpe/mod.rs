//! Tokens of byte-pair encoders: how many a text takes in a vocabulary.
//!
//! In: vocabularies as tiktoken stores them, and the moves of valid games. Out: characters and tokens of movetext, by
//! notation and vocabulary, which add up ([`BpeTokens`]). `pieces` cuts a text where no token reaches across, `ranks`
//! reads a vocabulary, `merges` joins bytes to tokens, `units` keeps the counts of texts that occur often. Invariants:
//! integers only; the count is that of tiktoken. Cost: of a piece of n bytes n · log n; of a ply a look-up per
//! notation.

mod counts;
mod merges;
mod pieces;
mod ranks;
mod units;
mod vocabulary;

pub use counts::BpeTokens;
pub use pieces::Pattern;
pub use ranks::VocabularyFault;
pub use units::Units;
pub use vocabulary::{VOCABULARY_BYTES_MAX, Vocabularies, Vocabulary};
