//! The information in the texts, and their size after compression.
//!
//! Input: the moves of valid games ([`GameMoves`]); output: counts that add up: how often each text occurs
//! ([`Information`]), bytes before and after compression ([`Sizes`]), what errors do to the text of a game
//! ([`Errors`]), how often each character occurs ([`Characters`]), tokens of byte-pair encoders ([`BpeTokens`]), bits
//! of the texts in models of order k ([`Orders`]), and what codes that use the position write ([`Coded`]). Each is
//! requested separately and costs nothing otherwise. Languages, which are SAN in other letters, have no counts of
//! texts: theirs are as many and as frequent as SAN's.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::Check;
//! use pgnmill_core::notation::Ply;
//! use pgnmill_core::tasks::measure::study::{Information, GameMoves};
//! let position = Position::initial();
//! let mv = position.legal_moves()[0];
//! let after = position.play(mv);
//! let mut game = GameMoves::default();
//! game.push(&Ply::new(&position, mv, &after, Check::None));
//! let mut information = Information::default();
//! information.add(&game, game.half());
//! assert_eq!(information.legal_moves().next(), Some((20, 1)));
//! ```

mod bits;
mod bpe;
mod characters;
mod code_tables;
mod codes;
mod compress;
mod dice;
mod entropy;
mod errors;
mod game_moves;
mod information;
#[cfg(test)]
mod laws;
mod orders;
mod rank;
mod standardised;
mod text_error;
mod weights;
mod writing;

pub use bpe::{
    BpeTokens, Pattern, Units, VOCABULARY_BYTES_MAX, Vocabularies, Vocabulary, VocabularyFault,
};
pub use characters::Characters;
pub use code_tables::{write_code_symbols, write_codes};
pub use codes::{Code, CodeSize, Coded};
pub use compress::{Batch, Compression, Compressor, Sizes, write_compress};
pub use entropy::{write_entropy, write_legal_moves, write_ranks, write_tokens};
pub use errors::{
    ERRORS_PER_GAME_MAX, ErrorDraws, Errors, MadeError, Outcome, READ_ON_PLIES_MAX, visit_errors,
};
pub use game_moves::GameMoves;
pub use information::{Halves, Information};
pub use orders::{ORDER_MAX, Orders};
pub use rank::{Rank, rank};
pub use standardised::write_standardised;
pub use text_error::{CONFUSIONS, TextError};
pub use weights::write_weights;
pub use writing::{keys, morse_units, write_writing};

use crate::notation::{self, Notation};

/// The notations that can be studied, in the order of the registry.
fn notations() -> &'static [&'static dyn Notation] {
    notation::without_languages()
}

/// A set of notations that are studied. Languages are never in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Studied(u64);

impl Studied {
    /// All of them.
    pub const ALL: Studied = Studied(!0);

    /// Those with these names.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Studied {
        let place = |name: &str| notations().iter().position(|other| other.info().name == name);
        let places = names.into_iter().filter_map(place);
        Studied(places.fold(0, |set, place| set | 1 << place))
    }

    /// Those in both.
    pub fn and(self, other: Studied) -> Studied {
        Studied(self.0 & other.0)
    }

    /// Their indexes in the registry, and the notations.
    fn iter(self) -> impl Iterator<Item = (usize, &'static dyn Notation)> {
        let all = notations().iter().copied().enumerate();
        all.filter(move |(place, _)| self.0 >> place & 1 == 1)
    }
}
