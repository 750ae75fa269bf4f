//! The dimensions by which a measurement is broken down.
//!
//! Input: names from the command line; output: a set of dimensions, of which a run computes those that are requested
//! and no other. A dimension of games puts each game into one group, a dimension of plies each ply; a game whose tag
//! pairs give no group is in the group `unknown`.
//!
//! ```
//! use pgnmill_core::tables::{Dimension, Dimensions};
//! let dimensions: Dimensions = [Dimension::Speed, Dimension::Role].into_iter().collect();
//! assert!(dimensions.has(Dimension::Role) && !dimensions.has(Dimension::Eco));
//! assert_eq!(Dimension::from_name("rating-difference"), Some(Dimension::RatingDifference));
//! ```

use std::fmt;

use crate::facts::{ALL, Fact, GroupNames, Groups, Needs};

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dimension(u8);

/// The dimensions of plies: name, table, and what the groups are.
const OF_PLIES: [(&str, &str, &str); 7] = [
    (
        "ply",
        "by_ply.csv",
        "from 1, in the order of play: White's first move is 1 in a game from the starting position; `601+` is every \
         ply after the 600th, so that no game makes the table longer",
    ),
    (
        "move",
        "by_move.csv",
        "tens of moves, counted from the game's first position: `1-10` are the plies 1 to 20, `301+` all after the \
         600th",
    ),
    (
        "phase",
        "by_phase.csv",
        "`opening`, `middlegame`, `endgame`: of the position before the move. Counted are queens, rooks, bishops and \
         knights of both sides: six or fewer are an endgame; more than ten, with four or more pieces (pawns included) \
         of each side on its own back rank, are an opening; everything else is a middlegame. These are the bounds of \
         Lichess's division of games, without its measure of how the sides have mixed, and without its rule that no \
         phase comes back",
    ),
    ("side", "by_side.csv", "`white`, `black`: the side to move"),
    (
        "role",
        "by_role.csv",
        "`pawn` … `king`: the piece type that moves; the pawn of a promotion, the king of castling",
    ),
    (
        "kind",
        "by_kind.csv",
        "the first that fits of `castling`, `en-passant`, `promotion`, `capture`, `quiet`",
    ),
    ("check", "by_check.csv", "`none`, `check`, `mate`: what the move gives"),
];

/// How many facts have groups.
const GROUPED: usize = {
    let (mut count, mut at) = (0, 0);
    while at < ALL.len() {
        count += ALL[at].groups.is_some() as usize;
        at += 1;
    }
    count
};

/// The facts that have groups, as places in [`ALL`].
const OF_GAMES: [usize; GROUPED] = {
    let (mut places, mut count, mut at) = ([0; GROUPED], 0, 0);
    while at < ALL.len() {
        if ALL[at].groups.is_some() {
            places[count] = at;
            count += 1;
        }
        at += 1;
    }
    places
};

/// The dimensions that have names in the code.
macro_rules! named {
    ($($dimension:ident $name:literal,)*) => {
        #[allow(non_upper_case_globals, reason = "they are used as the variants of an enum are")]
        #[allow(missing_docs, reason = "their documentation is a value: `Dimension::doc`")]
        impl Dimension {
            $(pub const $dimension: Dimension = Dimension::of_name($name);)*
        }
    };
}

named! {
    Ply "ply",
    Move "move",
    Phase "phase",
    Side "side",
    Role "role",
    Kind "kind",
    Check "check",
    Rating "rating",
    RatingDifference "rating-difference",
    Speed "speed",
    Year "year",
    Month "month",
    EcoLetter "eco-letter",
    Eco "eco",
    Result "result",
    Title "title",
    Length "length",
    EcoComputed "eco-computed",
    EcoComputedLetter "eco-computed-letter",
    OpeningName "opening-name",
    Rules "rules",
    Source "source",
}

impl Dimension {
    /// All dimensions, in the order in which they are documented: those of plies, then those of games.
    pub const ALL: [Dimension; OF_PLIES.len() + GROUPED] = {
        let (mut all, mut at) = ([Dimension(0); OF_PLIES.len() + GROUPED], 0);
        while at < all.len() {
            all[at] = Dimension(at as u8);
            at += 1;
        }
        all
    };

    const fn of_name(name: &str) -> Dimension {
        let mut at = 0;
        while !is_same(Dimension::ALL[at].name(), name) {
            at += 1;
        }
        Dimension::ALL[at]
    }

    /// Its place in [`Dimension::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The fact of which it has the groups; `None` for a dimension of plies.
    pub const fn fact(self) -> Option<&'static Fact> {
        match self.is_of_plies() {
            true => None,
            false => Some(&ALL[OF_GAMES[self.index() - OF_PLIES.len()]]),
        }
    }

    /// Name, table, and what the groups are.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self.groups() {
            Some(groups) => (groups.name, groups.file, groups.doc),
            None => OF_PLIES[self.index()],
        }
    }

    /// The groups of a dimension of games.
    pub const fn groups(self) -> Option<Groups> {
        match self.fact() {
            Some(fact) => fact.groups,
            None => None,
        }
    }

    /// Has the group of a game a code?
    pub(crate) const fn is_coded(self) -> bool {
        matches!(self.groups(), Some(groups) if !matches!(groups.names, GroupNames::Any))
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// The name of the table by this dimension.
    pub const fn file(self) -> &'static str {
        self.words().1
    }

    /// How columns name it: its name with underscores.
    pub fn column_name(self) -> &'static str {
        let file = self.file();
        file.strip_prefix("by_").and_then(|name| name.strip_suffix(".csv")).unwrap_or(file)
    }

    /// What the groups are, in Markdown.
    pub const fn doc(self) -> &'static str {
        self.words().2
    }

    /// Is a group a set of plies, not of games?
    pub const fn is_of_plies(self) -> bool {
        self.index() < OF_PLIES.len()
    }

    /// The dimension of this name.
    pub fn from_name(name: &str) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|dimension| dimension.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self.0
    }
}

impl fmt::Debug for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A set of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Dimensions(u32);

impl Dimensions {
    /// Every dimension.
    pub const ALL: Dimensions = Dimensions((1 << Dimension::ALL.len()) - 1);
    /// Those of plies, but for the ply and the move, which follow from the counts by ply.
    const CELLS: Dimensions =
        Dimensions(((1 << OF_PLIES.len()) - 1) & !(Dimension::Ply.bit() | Dimension::Move.bit()));

    /// The set as bits, one per dimension.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The set of these bits.
    pub(crate) fn of_bits(bits: u32) -> Dimensions {
        Dimensions(bits & Dimensions::ALL.0)
    }

    /// Is a dimension in the set?
    pub const fn has(self, dimension: Dimension) -> bool {
        self.0 & dimension.bit() != 0
    }

    /// Does a dimension of the set need the cell of every ply?
    pub const fn needs_cells(self) -> bool {
        self.0 & Dimensions::CELLS.0 != 0
    }

    /// Does a dimension of the set need the opening of every game?
    pub fn needs_openings(self) -> bool {
        let is_opening = |fact: &Fact| fact.needs == Needs::Opening;
        self.iter().any(|dimension| dimension.fact().is_some_and(is_opening))
    }

    /// The dimensions that are in one of two sets.
    #[must_use]
    pub fn and(self, other: Dimensions) -> Dimensions {
        Dimensions(self.0 | other.0)
    }

    /// The dimensions in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Dimension> {
        Dimension::ALL.into_iter().filter(move |&dimension| self.has(dimension))
    }
}

impl FromIterator<Dimension> for Dimensions {
    fn from_iter<I: IntoIterator<Item = Dimension>>(dimensions: I) -> Dimensions {
        dimensions
            .into_iter()
            .fold(Dimensions::default(), |set, dimension| Dimensions(set.0 | dimension.bit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_those_of_their_dimensions() {
        let needs = |test: fn(Dimensions) -> bool| {
            let one = |dimension| test([dimension].into_iter().collect());
            Dimension::ALL.into_iter().filter(|&dimension| one(dimension)).collect::<Vec<_>>()
        };
        assert_eq!(needs(Dimensions::needs_cells), Dimension::ALL[2..7]);
        let openings =
            [Dimension::EcoComputed, Dimension::EcoComputedLetter, Dimension::OpeningName];
        assert_eq!(needs(Dimensions::needs_openings), openings);
        assert!(Dimension::ALL.iter().enumerate().all(|(at, it)| at == it.index()));
    }
}
