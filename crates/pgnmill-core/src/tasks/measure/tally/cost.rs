//! What one notation cost in some plies.

/// What one notation cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Games that it can write.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// All characters.
    pub characters: u64,
    /// All bytes.
    pub bytes: u64,
}

impl Cost {
    /// The integers of its row in the tables.
    pub(super) fn sums(&self) -> [u64; 4] {
        [self.games, self.plies, self.characters, self.bytes]
    }
}
