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

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dimension {
    /// The ply, from 1.
    Ply,
    /// The number of the move in the game, in tens.
    Move,
    /// Opening, middlegame, endgame.
    Phase,
    /// The side to move.
    Side,
    /// The piece type that moves.
    Role,
    /// Castling, promotion, en passant, another capture, or none of them.
    Kind,
    /// Check, mate, or neither.
    Check,
    /// The mean of both ratings, in bands of 200.
    Rating,
    /// The difference of the ratings, in bands of 100.
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
    /// How many players have a title.
    Title,
    /// The code of the opening that the moves reach.
    EcoComputed,
    /// The name of the opening that the moves reach.
    OpeningName,
    /// The ruleset.
    Rules,
    /// The archive.
    Source,
}

impl Dimension {
    /// All dimensions, in the order in which they are documented.
    pub const ALL: [Dimension; 20] = [
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
        Dimension::EcoComputed,
        Dimension::OpeningName,
        Dimension::Rules,
        Dimension::Source,
    ];

    /// The name on the command line.
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
            Dimension::EcoComputed => "eco-computed",
            Dimension::OpeningName => "opening-name",
            Dimension::Rules => "rules",
            Dimension::Source => "source",
        }
    }

    /// What the groups are, in Markdown.
    pub const fn doc(self) -> &'static str {
        match self {
            Dimension::Ply => {
                "from 1, in the order of play: White's first move is 1 in a game from the \
                 starting position; `601+` is every ply after the 600th, so that no game makes \
                 the table longer"
            }
            Dimension::Move => {
                "tens of moves, counted from the game's first position: `1-10` are the plies 1 to \
                 20, `301+` all after the 600th"
            }
            Dimension::Phase => {
                "`opening`, `middlegame`, `endgame`: of the position before the move. Counted are \
                 queens, rooks, bishops and knights of both sides: six or fewer are an endgame; \
                 more than ten, with four or more pieces (pawns included) of each side on its own \
                 back rank, are an opening; everything else is a middlegame. These are the bounds \
                 of Lichess's division of games, without its measure of how the sides have mixed, \
                 and without its rule that no phase comes back"
            }
            Dimension::Side => "`white`, `black`: the side to move",
            Dimension::Role => {
                "`pawn` … `king`: the piece type that moves; the pawn of a promotion, the king of \
                 castling"
            }
            Dimension::Kind => {
                "the first that fits of `castling`, `en-passant`, `promotion`, `capture`, `quiet`"
            }
            Dimension::Check => "`none`, `check`, `mate`: what the move gives",
            Dimension::Rating => {
                "the mean of `WhiteElo` and `BlackElo`, in bands of 200; unknown unless both are \
                 from 100 to 4999"
            }
            Dimension::RatingDifference => {
                "the difference of `WhiteElo` and `BlackElo`, in bands of 100; `1000+`"
            }
            Dimension::Speed => {
                "as on Lichess: seconds of the base time + 40 times the increment, from \
                 `TimeControl`: `ultrabullet` up to 29, `bullet` to 179, `blitz` to 479, `rapid` \
                 to 1499, `classical` above; `correspondence` for `-` and for one move in a time \
                 (`1/86400`). The base times of several periods are added"
            }
            Dimension::Year => {
                "of `Date`, or of `UTCDate` where `Date` has none; from 1400 to 2100"
            }
            Dimension::Month => "year and month, `yyyy-mm`",
            Dimension::EcoLetter => "`A` to `E`, the letter of `ECO`",
            Dimension::Eco => {
                "the letter and two digits of `ECO`; further subdivision (`B07a`, `B07/02`) is \
                 ignored"
            }
            Dimension::Result => {
                "`1-0`, `0-1`, `1/2-1/2`, `*`: the token that ends the game, or the tag where \
                 there is none"
            }
            Dimension::Title => {
                "`both`, `one` or `none` of the players has a title, by `WhiteTitle` and \
                 `BlackTitle`; `bot` if one title is BOT. Players without a title have no tag, so \
                 that there is no `unknown`"
            }
            Dimension::EcoComputed => {
                "the code of the last position, among the first 40 plies of the main line, that \
                 `data/openings/` contains; the tag pairs do not matter"
            }
            Dimension::OpeningName => "the name of that opening, from the same tables",
            Dimension::Rules => RULES_DOC,
            Dimension::Source => SOURCE_DOC,
        }
    }

    /// Is a group a set of plies, not of games?
    pub const fn is_of_plies(self) -> bool {
        (self as u8) < Dimension::Rating as u8
    }

    /// The dimension of this name.
    pub fn from_name(name: &str) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|dimension| dimension.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// What the groups of [`Dimension::Rules`] are.
const RULES_DOC: &str = "`chess`, `chess960`, and the rulesets of `docs/variants.md`: the ruleset of the \
                 game. Games of other rulesets than the first two are in this table alone; a game \
                 with a move that a notation cannot write is not counted for that notation";

/// What the groups of [`Dimension::Source`] are.
const SOURCE_DOC: &str = "the archive; of more than 10,000 archives the first by the bytes of their names, \
                 the others together are `(other archives)`";

/// A set of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Dimensions(u32);

impl Dimensions {
    /// Every dimension.
    pub const ALL: Dimensions = Dimensions((1 << Dimension::ALL.len()) - 1);
    /// Those of plies, but for the ply and the move, which follow from the counts by ply.
    const CELLS: Dimensions =
        Dimensions((Dimension::Rating.bit() - 1) & !(Dimension::Ply.bit() | Dimension::Move.bit()));
    /// Those of games that the tag pairs and the result give.
    const TAGS: Dimensions = Dimensions(Dimension::EcoComputed.bit() - Dimension::Rating.bit());
    /// Those of games that the positions give.
    const OPENINGS: Dimensions =
        Dimensions(Dimension::EcoComputed.bit() | Dimension::OpeningName.bit());

    /// Is a dimension in the set?
    pub const fn has(self, dimension: Dimension) -> bool {
        self.0 & dimension.bit() != 0
    }

    /// Does a dimension of the set need the cell of every ply?
    pub const fn needs_cells(self) -> bool {
        self.0 & Dimensions::CELLS.0 != 0
    }

    /// Does a dimension of the set need the tag pairs of every game?
    pub const fn needs_tags(self) -> bool {
        self.0 & Dimensions::TAGS.0 != 0
    }

    /// Does a dimension of the set need the opening of every game?
    pub const fn needs_openings(self) -> bool {
        self.0 & Dimensions::OPENINGS.0 != 0
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
        assert_eq!(needs(Dimensions::needs_tags), Dimension::ALL[7..16]);
        assert_eq!(needs(Dimensions::needs_openings), Dimension::ALL[16..18]);
        assert!(Dimension::ALL.iter().enumerate().all(|(at, &it)| at == it as usize));
    }
}
