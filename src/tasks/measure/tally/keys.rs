//! The dimensions by which a measurement is broken down.
//!
//! What enters are names typed on the command line; what leaves is a set of keys, of which a run computes those that
//! were asked for and no other. A dimension of games puts each game into one group, a dimension of plies each ply; what
//! a game or a ply does not say is a group of its own, `unknown`.
//!
//! ```
//! use pgnmill::tasks::measure::tally::{Dimension, Dimensions};
//! let keys: Dimensions = [Dimension::Speed, Dimension::Role].into_iter().collect();
//! assert!(keys.has(Dimension::Role) && !keys.has(Dimension::Eco));
//! assert_eq!(Dimension::from_name("rating-difference"), Some(Dimension::RatingDifference));
//! ```

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dimension {
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

impl Dimension {
    /// All dimensions, in the order in which they are documented.
    pub const ALL: [Dimension; 17] = [
        Dimension::Ply,
        Dimension::Move,
        Dimension::Phase,
        Dimension::Side,
        Dimension::Role,
        Dimension::Kind,
        Dimension::Check,
        Dimension::Rating,
        Dimension::RatingDifference,
        Dimension::Speed,
        Dimension::Year,
        Dimension::Month,
        Dimension::EcoLetter,
        Dimension::Eco,
        Dimension::Result,
        Dimension::Title,
        Dimension::Source,
    ];

    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Dimension::Ply => "ply",
            Dimension::Move => "move",
            Dimension::Phase => "phase",
            Dimension::Side => "side",
            Dimension::Role => "role",
            Dimension::Kind => "kind",
            Dimension::Check => "check",
            Dimension::Rating => "rating",
            Dimension::RatingDifference => "rating-difference",
            Dimension::Speed => "speed",
            Dimension::Year => "year",
            Dimension::Month => "month",
            Dimension::EcoLetter => "eco-letter",
            Dimension::Eco => "eco",
            Dimension::Result => "result",
            Dimension::Title => "title",
            Dimension::Source => "source",
        }
    }

    /// The dimension of this name.
    pub fn from_name(name: &str) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|key| key.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Dimensions(u32);

impl Dimensions {
    /// Every dimension.
    pub const ALL: Dimensions = Dimensions((1 << Dimension::ALL.len()) - 1);
    /// Those of plies that are counted in cells: the ply and the move follow from the counts by ply.
    const CELLS: Dimensions = Dimensions(
        Dimension::Phase.bit()
            | Dimension::Side.bit()
            | Dimension::Role.bit()
            | Dimension::Kind.bit()
            | Dimension::Check.bit(),
    );
    /// Those that a game's tag pairs and its result give.
    const GAMES: Dimensions = Dimensions(
        Dimension::Rating.bit()
            | Dimension::RatingDifference.bit()
            | Dimension::Speed.bit()
            | Dimension::Year.bit()
            | Dimension::Month.bit()
            | Dimension::EcoLetter.bit()
            | Dimension::Eco.bit()
            | Dimension::Result.bit()
            | Dimension::Title.bit(),
    );

    /// Is a dimension in the set?
    pub const fn has(self, key: Dimension) -> bool {
        self.0 & key.bit() != 0
    }

    /// Is any of these in the set?
    const fn meets(self, others: Dimensions) -> bool {
        self.0 & others.0 != 0
    }

    /// Has every ply to be put into its cell?
    pub const fn needs_cells(self) -> bool {
        self.meets(Dimensions::CELLS)
    }

    /// Have the tag pairs of every game to be looked at?
    pub const fn needs_tags(self) -> bool {
        self.meets(Dimensions::GAMES)
    }

    /// The dimensions in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Dimension> {
        Dimension::ALL.into_iter().filter(move |&key| self.has(key))
    }
}

impl FromIterator<Dimension> for Dimensions {
    fn from_iter<I: IntoIterator<Item = Dimension>>(keys: I) -> Dimensions {
        keys.into_iter().fold(Dimensions::default(), |set, key| Dimensions(set.0 | key.bit()))
    }
}
