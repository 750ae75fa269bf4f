//! Vocabularies of byte-pair encoders, by name.
//!
//! In: files. Out: how many tokens a text takes. Invariant: what a text takes depends on the file and the pattern
//! alone. Cost: the memory of the tokens, some 20 MB for `o200k_base`.

use std::fmt;

use pgnmill_io::sink::Digest;

use super::merges::{tokens_count, visit_tokens};
use super::pieces::Pattern;
use super::ranks::{Ranks, VocabularyFault};

/// The most bytes of the file of a vocabulary; that of `o200k_base` has 3.6 MB.
pub const VOCABULARY_BYTES_MAX: u64 = 64 << 20;

/// The tokens of a byte-pair encoder, and how it cuts a text.
pub struct Vocabulary {
    name: String,
    pattern: Pattern,
    ranks: Ranks,
    digest: String,
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vocabulary { name, pattern, digest, .. } = self;
        f.debug_tuple("Vocabulary").field(name).field(pattern).field(digest).finish()
    }
}

impl Vocabulary {
    /// Reads a file in the format of tiktoken. `name`: that of the rows.
    ///
    /// # Errors
    /// What is wrong, and the line, from 1; 0 if it is of no line.
    pub fn read(
        name: &str,
        pattern: Pattern,
        file: &[u8],
    ) -> Result<Vocabulary, (usize, VocabularyFault)> {
        let (ranks, digest) = (Ranks::read(file)?, Digest::of(file));
        Ok(Vocabulary { name: name.to_string(), pattern, ranks, digest })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it cuts a text.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The digest of the file.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How many tokens it has.
    pub fn tokens_count(&self) -> usize {
        self.ranks.count()
    }

    /// How many tokens a text takes. Special tokens, such as the end of a text, are not in it.
    pub fn count(&self, text: &str) -> u64 {
        let pieces = self.pattern.pieces(text);
        pieces.map(|piece| tokens_count(&self.ranks, piece.as_bytes())).sum()
    }

    /// The ranks of these tokens, in the order of the text: as many as [`Vocabulary::count`] returns.
    ///
    /// ```
    /// use pgnmill_core::tasks::measure::study::{Pattern, Vocabulary};
    /// # let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    /// # let digit = |at: usize| char::from(digits[at & 63]);
    /// # let bytes = |byte: usize| format!("{}{}== {byte}\n", digit(byte >> 2), digit(byte << 4));
    /// // A token of each byte, and one of `Nf`.
    /// let file: String = (0..256).map(bytes).chain(["TmY= 256\n".to_string()]).collect();
    /// let vocabulary = Vocabulary::read("small", Pattern::Cl100k, file.as_bytes()).unwrap();
    /// assert_eq!(vocabulary.encode("Nf3"), [256, 51]);
    /// ```
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut ranks = Vec::new();
        for piece in self.pattern.pieces(text) {
            // Each token of a piece has a rank: a byte, or a pair that was joined because it has one.
            visit_tokens(&self.ranks, piece.as_bytes(), |token| {
                ranks.extend(self.ranks.get(token))
            });
        }
        ranks
    }
}

/// Vocabularies, in the order of the request.
#[derive(Debug, Default)]
pub struct Vocabularies(pub Vec<Vocabulary>);

impl Vocabularies {
    /// In their order.
    pub fn iter(&self) -> impl Iterator<Item = &Vocabulary> {
        self.0.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
