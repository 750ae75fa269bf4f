//! The rulesets by name: the values of the `Variant` tag, the names of options and tables.
//!
//! In: a tag value or a name. Out: a [`RulesKind`]. A ruleset on the board of chess is one file and one line of
//! [`kinds!`] and of `registry.rs`; one on a board of its own a table and one line here and of `boards/mod.rs`. Source
//! of the values: `variants.md`, section 1, and `boards.md`. Cost: a comparison with each known value, once per game
//! that has a `Variant` tag pair.
//!
//! ```
//! use pgnmill_core::chess::rules::{RulesKind, VariantKind};
//! let horde = RulesKind::Variant { kind: VariantKind::Horde, chess960: false };
//! assert_eq!(RulesKind::of_tag(b"Horde"), Some(horde));
//! assert_eq!(horde.name(), "horde");
//! assert_eq!(RulesKind::of_tag(b"Bughouse"), None);
//! ```

use std::fmt;
use std::str::FromStr;

/// The rulesets: name, title, and the values of the `Variant` tag, folded as by [`fold`].
macro_rules! kinds {
    ($what:literal $enum:ident: $($kind:ident $name:literal $title:literal [$($value:literal)*];)*) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u8)]
        pub enum $enum {
            $(#[doc = concat!("The rules of `", $name, "`.")] $kind),*
        }

        impl $enum {
            /// All, in the order of the tables.
            pub const ALL: &[$enum] = &[$($enum::$kind),*];

            /// The names of all.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name, for options and tables.
            pub const fn name(self) -> &'static str {
                $enum::NAMES[self as usize]
            }

            /// The name in words.
            pub const fn title(self) -> &'static str {
                [$($title),*][self as usize]
            }

            /// The values of the `Variant` tag, folded.
            const fn values(self) -> &'static [&'static str] {
                [$(&[$($value),*] as &[&str]),*][self as usize]
            }
        }
    };
}

kinds! {
    "A ruleset on the board of chess, other than chess." VariantKind:
    Crazyhouse "crazyhouse" "Crazyhouse" ["crazyhouse" "zh" "house" "w23" "wild23"];
    Atomic "atomic" "Atomic chess" ["atomic" "atom" "atomicchess" "27" "w27" "wild27"];
    Antichess "antichess" "Antichess" ["antichess" "anti" "losingchess"];
    Giveaway "giveaway" "Giveaway" ["giveaway" "giveawaychess" "26" "w26" "wild26"];
    Suicide "suicide" "Suicide chess" ["suicide" "suicidechess"];
    KingOfTheHill "kingOfTheHill" "King of the Hill" ["kingofthehill" "koth"];
    ThreeCheck "threeCheck" "Three-check" ["threecheck" "3check" "threecheckchess" "25" "w25" "wild25"];
    RacingKings "racingKings" "Racing Kings" ["racingkings" "racing" "race"];
    Horde "horde" "Horde" ["horde" "hordechess"];
}

kinds! {
    "A ruleset on a board of its own that is given by a table." BoardKind:
    Glinski "glinski" "Gliński's hexagonal chess" ["glinski" "hexagonal" "hexagonalchess" "glinskishexagonalchess"];
    Raumschach "raumschach" "Raumschach" ["raumschach"];
}

/// Values of the `Variant` tag that mean chess.
const CHESS: &[&str] = &["", "standard", "normal", "chess", "fromposition", "regular", "orthodox"];
const CHESS960: &[&str] = &[
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "frc",
    "dfrc",
    "doublefischerrandom",
    "chess960dfrc",
    "chess9lx",
    "freestyle",
    "freestylechess",
    "wildfr",
];
const CHESS99: &str = "chess99";

/// The ruleset of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum RulesKind {
    /// Chess.
    #[default]
    Chess,
    /// Chess960.
    Chess960,
    /// Another ruleset on the board of chess.
    Variant {
        /// Which.
        kind: VariantKind,
        /// Is it played with the castling of Chess960?
        chess960: bool,
    },
    /// Chess 99.
    Chess99,
    /// A ruleset on a board of its own that is given by a table.
    Board(BoardKind),
}

/// Bytes of the longest value that is known, folded.
const VALUE_BYTES_MAX: usize = 24;

/// The letter n with an acute accent, as one character, small or capital, or as two.
const N_ACUTE: [&[u8]; 4] =
    ["\u{144}".as_bytes(), "\u{143}".as_bytes(), "n\u{301}".as_bytes(), "N\u{301}".as_bytes()];

/// The ASCII letters and digits of a value, in lower case; `None` if it is too long or has other characters than
/// those of ASCII and the letter of Gliński's name.
fn fold(mut value: &[u8], folded: &mut [u8; VALUE_BYTES_MAX]) -> Option<usize> {
    let mut len = 0;
    while let Some((&first, rest)) = value.split_first() {
        let accented = N_ACUTE.iter().find_map(|letter| value.strip_prefix(*letter));
        let byte = if accented.is_some() { b'n' } else { first };
        value = accented.unwrap_or(rest);
        if !byte.is_ascii() {
            return None;
        }
        if byte.is_ascii_alphanumeric() {
            *folded.get_mut(len)? = byte.to_ascii_lowercase();
            len += 1;
        }
    }
    Some(len)
}

impl RulesKind {
    /// How many names there are; see [`RulesKind::index`].
    pub const COUNT: usize = VariantKind::ALL.len() + BoardKind::ALL.len() + 3;

    /// The names of all, by [`RulesKind::index`].
    pub const NAMES: [&str; RulesKind::COUNT] = {
        let mut names = [CHESS99; RulesKind::COUNT];
        (names[0], names[1]) = ("chess", "chess960");
        let mut index = 0;
        while index < VariantKind::NAMES.len() {
            names[2 + index] = VariantKind::NAMES[index];
            index += 1;
        }
        index = 0;
        while index < BoardKind::NAMES.len() {
            names[3 + VariantKind::NAMES.len() + index] = BoardKind::NAMES[index];
            index += 1;
        }
        names
    };

    /// All, in the order of the tables.
    pub fn all() -> impl Iterator<Item = RulesKind> {
        let variants = VariantKind::ALL.iter();
        let variants = variants.map(|&kind| RulesKind::Variant { kind, chess960: false });
        [RulesKind::Chess, RulesKind::Chess960]
            .into_iter()
            .chain(variants)
            .chain([RulesKind::Chess99])
            .chain(BoardKind::ALL.iter().map(|&kind| RulesKind::Board(kind)))
    }

    /// The index among [`RulesKind::all`].
    pub fn index(self) -> usize {
        match self {
            RulesKind::Chess => 0,
            RulesKind::Chess960 => 1,
            RulesKind::Variant { kind, .. } => 2 + kind as usize,
            RulesKind::Chess99 => 2 + VariantKind::ALL.len(),
            RulesKind::Board(kind) => 3 + VariantKind::ALL.len() + kind as usize,
        }
    }

    /// The name, for options and tables.
    pub fn name(self) -> &'static str {
        match self {
            RulesKind::Chess => "chess",
            RulesKind::Chess960 => "chess960",
            RulesKind::Variant { kind, .. } => kind.name(),
            RulesKind::Chess99 => CHESS99,
            RulesKind::Board(kind) => kind.name(),
        }
    }

    /// The name in words.
    pub fn title(self) -> &'static str {
        match self {
            RulesKind::Chess => "Chess",
            RulesKind::Chess960 => "Chess960",
            RulesKind::Variant { kind, .. } => kind.title(),
            RulesKind::Chess99 => "Chess 99",
            RulesKind::Board(kind) => kind.title(),
        }
    }

    /// The ruleset of a value of the `Variant` tag, of which only ASCII letters and digits count, in any case; `None`
    /// if
    /// it is not known. `960` before or after the name of a variant is that variant with the castling of Chess960.
    pub fn of_tag(value: &[u8]) -> Option<RulesKind> {
        let mut folded = [0; VALUE_BYTES_MAX];
        let len = fold(value, &mut folded)?;
        let name = &folded[..len];
        let is = |known: &&str| known.as_bytes() == name;
        if CHESS.iter().any(is) {
            return Some(RulesKind::Chess);
        }
        if CHESS960.iter().any(is) {
            return Some(RulesKind::Chess960);
        }
        if is(&CHESS99) {
            return Some(RulesKind::Chess99);
        }
        if let Some(&kind) = BoardKind::ALL.iter().find(|kind| kind.values().iter().any(is)) {
            return Some(RulesKind::Board(kind));
        }
        let variant = |name: &[u8]| {
            let is = |known: &&str| known.as_bytes() == name;
            VariantKind::ALL.iter().copied().find(|kind| kind.values().iter().any(is))
        };
        if let Some(kind) = variant(name) {
            return Some(RulesKind::Variant { kind, chess960: false });
        }
        let rest = name.strip_prefix(b"960").or_else(|| name.strip_suffix(b"960"))?;
        let is_number = rest.iter().all(u8::is_ascii_digit);
        let kind = variant(rest).filter(|_| !is_number)?;
        Some(RulesKind::Variant { kind, chess960: true })
    }

    /// The variant, if it is one on the board of chess, other than chess.
    pub fn variant(self) -> Option<VariantKind> {
        match self {
            RulesKind::Variant { kind, .. } => Some(kind),
            _ => None,
        }
    }
}

/// No ruleset has this name. Its text lists those that are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRules;

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = RulesKind::all().map(RulesKind::name).collect();
        write!(f, "not the name of a ruleset: these are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownRules {}

impl FromStr for RulesKind {
    type Err = UnknownRules;

    /// Reads a name, or a value of the `Variant` tag other than the empty one.
    fn from_str(name: &str) -> Result<RulesKind, UnknownRules> {
        let has_name = name.bytes().any(|byte| byte.is_ascii_alphanumeric());
        RulesKind::of_tag(name.as_bytes()).filter(|_| has_name).ok_or(UnknownRules)
    }
}

impl fmt::Display for RulesKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_letters_and_digits() {
        for chess in ["", "Standard", "normal", "From Position"] {
            assert_eq!(RulesKind::of_tag(chess.as_bytes()), Some(RulesKind::Chess), "{chess}");
        }
        for chess960 in ["Chess960", "chess 960", "Fischerandom", "wild/fr", "FRC"] {
            assert_eq!(RulesKind::of_tag(chess960.as_bytes()), Some(RulesKind::Chess960));
        }
        let variant = |value: &str| match RulesKind::of_tag(value.as_bytes()) {
            Some(RulesKind::Variant { kind, chess960 }) => Some((kind, chess960)),
            _ => None,
        };
        assert_eq!(variant("Three-check"), Some((VariantKind::ThreeCheck, false)));
        assert_eq!(variant("3 check"), Some((VariantKind::ThreeCheck, false)));
        assert_eq!(variant("Crazyhouse 960"), Some((VariantKind::Crazyhouse, true)));
        assert_eq!(variant("atomic960"), Some((VariantKind::Atomic, true)));
        for &kind in VariantKind::ALL {
            for name in kind.values().iter().chain([&kind.name(), &kind.title()]) {
                assert_eq!(variant(name), Some((kind, false)), "{name}");
                // A number and 960 are another number.
                if name.bytes().any(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                for with_960 in [format!("{name} 960"), format!("960{name}"), format!("960 {name}")]
                {
                    assert_eq!(variant(&with_960), Some((kind, true)), "{with_960}");
                    let other = with_960.to_uppercase().replace(' ', "-");
                    assert_eq!(variant(&other), Some((kind, true)), "{other}");
                }
            }
        }
        for &kind in BoardKind::ALL {
            for name in kind.values().iter().chain([&kind.name(), &kind.title()]) {
                assert_eq!(RulesKind::of_tag(name.as_bytes()), Some(RulesKind::Board(kind)));
            }
        }
        for glinski in ["Glinski", "GLIŃSKI", "Glin\u{301}ski", "Hexagonal", "hexagonal chess"] {
            let kind = RulesKind::Board(BoardKind::Glinski);
            assert_eq!(RulesKind::of_tag(glinski.as_bytes()), Some(kind), "{glinski}");
        }
        assert_eq!(variant("wild/23"), Some((VariantKind::Crazyhouse, false)));
        for unknown in ["Bughouse", "Κ", "25960", "a name longer than any that is known"] {
            assert_eq!(RulesKind::of_tag(unknown.as_bytes()), None, "{unknown}");
        }
    }

    #[test]
    fn a_name_is_read_as_itself() {
        for (index, kind) in RulesKind::all().enumerate() {
            assert_eq!((kind.name().parse(), kind.index()), (Ok(kind), index));
        }
        assert_eq!(RulesKind::all().count(), RulesKind::COUNT);
        assert_eq!("".parse::<RulesKind>(), Err(UnknownRules));
        let text = UnknownRules.to_string();
        let listed = text.rsplit(": these are ").next().unwrap().split(", ");
        assert!(listed.map(str::parse).eq(RulesKind::all().map(Ok)), "{text}");
    }
}
