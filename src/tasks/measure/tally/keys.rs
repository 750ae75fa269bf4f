//! The dimensions by which a measurement is broken down.
//!
//! What enters are names typed on the command line; what leaves is a set of keys, of which a run computes those that
//! were asked for and no other. A dimension of games puts each game into one group, a dimension of plies each ply; what
//! a game or a ply does not say is a group of its own, `unknown`.
//!
//! ```
//! use pgnmill::tasks::measure::tally::{Key, Keys};
//! let keys: Keys = [Key::Speed, Key::Role].into_iter().collect();
//! assert!(keys.has(Key::Role) && !keys.has(Key::Eco));
//! assert_eq!(Key::from_name("rating-difference"), Some(Key::RatingDifference));
//! ```

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// The ply, from 1.
    Ply,
    /// The number of the move in the game, in tens.
    Move,
    /// Opening, middlegame, endgame.
    Phase,
    /// Who moves.
    Side,
    /// What moves.
    Role,
    /// Castling, promotion, en passant, another capture, or none of them.
    Kind,
    /// What the move does to the other king.
    Check,
    /// The mean of both ratings, in bands of 200.
    Rating,
    /// How far the ratings are apart, in bands of 100.
    RatingDifference,
    /// Lichess's speeds.
    Speed,
    /// The year.
    Year,
    /// The year and the month.
    Month,
    /// The letter of the opening's code.
    EcoLetter,
    /// The opening's code.
    Eco,
    /// The result.
    Result,
    /// Who has a title.
    Title,
    /// The archive.
    Source,
}

impl Key {
    /// All dimensions, in the order in which they are documented.
    pub const ALL: [Key; 17] = [
        Key::Ply,
        Key::Move,
        Key::Phase,
        Key::Side,
        Key::Role,
        Key::Kind,
        Key::Check,
        Key::Rating,
        Key::RatingDifference,
        Key::Speed,
        Key::Year,
        Key::Month,
        Key::EcoLetter,
        Key::Eco,
        Key::Result,
        Key::Title,
        Key::Source,
    ];

    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Key::Ply => "ply",
            Key::Move => "move",
            Key::Phase => "phase",
            Key::Side => "side",
            Key::Role => "role",
            Key::Kind => "kind",
            Key::Check => "check",
            Key::Rating => "rating",
            Key::RatingDifference => "rating-difference",
            Key::Speed => "speed",
            Key::Year => "year",
            Key::Month => "month",
            Key::EcoLetter => "eco-letter",
            Key::Eco => "eco",
            Key::Result => "result",
            Key::Title => "title",
            Key::Source => "source",
        }
    }

    /// The dimension of this name.
    pub fn from_name(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Keys(u32);

impl Keys {
    /// Every dimension.
    pub const ALL: Keys = Keys((1 << Key::ALL.len()) - 1);
    /// Those of plies that are counted in cells: the ply and the move follow from the counts by ply.
    const CELLS: Keys = Keys(
        Key::Phase.bit() | Key::Side.bit() | Key::Role.bit() | Key::Kind.bit() | Key::Check.bit(),
    );
    /// Those that a game's tag pairs and its result give.
    const GAMES: Keys = Keys(
        Key::Rating.bit()
            | Key::RatingDifference.bit()
            | Key::Speed.bit()
            | Key::Year.bit()
            | Key::Month.bit()
            | Key::EcoLetter.bit()
            | Key::Eco.bit()
            | Key::Result.bit()
            | Key::Title.bit(),
    );

    /// Is a dimension in the set?
    pub const fn has(self, key: Key) -> bool {
        self.0 & key.bit() != 0
    }

    /// Is any of these in the set?
    const fn meets(self, others: Keys) -> bool {
        self.0 & others.0 != 0
    }

    /// Has every ply to be put into its cell?
    pub const fn asks_for_cells(self) -> bool {
        self.meets(Keys::CELLS)
    }

    /// Have the tag pairs of every game to be looked at?
    pub const fn asks_for_tags(self) -> bool {
        self.meets(Keys::GAMES)
    }

    /// The dimensions in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Key> {
        Key::ALL.into_iter().filter(move |&key| self.has(key))
    }
}

impl FromIterator<Key> for Keys {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Keys {
        keys.into_iter().fold(Keys::default(), |set, key| Keys(set.0 | key.bit()))
    }
}
