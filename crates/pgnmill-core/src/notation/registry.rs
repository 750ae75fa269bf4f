//! The registry: all notations in the order of the tables, by name and by constant, and the lengths in all of them.
//!
//! A notation is one line in [`registry!`]. Its name is for people and files; code refers to a notation by a constant
//! such as [`SAN`] or by a method of [`Notation`], never by its name.
//!
//! ```
//! use pgnmill_core::notation::{self, SAN, is_same};
//! assert!(is_same(notation::find("san").unwrap(), SAN));
//! assert_eq!(notation::NOTATIONS[0].info().name, "san");
//! ```

use std::ptr;
use std::sync::LazyLock;

use super::facts::{Chosen, FREE_COUNT, Facts, FreeLengths, PackedLengths, Requires};
use super::{
    Described, Notation, Ply, chess99, descriptive, economical, figurine, geographical, iccf,
    languages, letters, long, san, smith, squares, stamma, tcn, uci, uedemann,
};

/// Standard Algebraic Notation, `san`.
pub const SAN: &dyn Notation = &san::San;
/// Long algebraic notation, `long`.
pub const LONG: &dyn Notation = &long::Long;
/// UCI coordinates, `uci`.
pub const UCI: &dyn Notation = &uci::Uci;
/// TCN, `tcn`: no notation of movetext, and not among [`NOTATIONS`].
pub const TCN: &dyn Notation = &tcn::Tcn;
/// The play notation of Chess 99, `chess99`.
pub const CHESS99: &dyn Notation = &chess99::Chess99;
/// 'Economical' with start symbol, `economical-letters`.
pub const ECONOMICAL_LETTERS: &dyn Notation = &letters::ECONOMICAL;
/// 'Economical' without start symbol, `economical-squares`.
pub const ECONOMICAL_SQUARES: &dyn Notation = &economical::SQUARES;
/// 'Economical' with default priority, `economical-priority`.
pub const ECONOMICAL_PRIORITY: &dyn Notation = &economical::PRIORITY;
/// 'Economical' without start symbol, legal candidates, `economical-squares-legal`.
pub const ECONOMICAL_SQUARES_LEGAL: &dyn Notation = &economical::SQUARES_LEGAL;
/// 'Economical' with default priority, legal candidates, `economical-priority-legal`.
pub const ECONOMICAL_PRIORITY_LEGAL: &dyn Notation = &economical::PRIORITY_LEGAL;

/// English descriptive notation, `descriptive`.
pub(crate) const DESCRIPTIVE: &dyn Notation = &descriptive::DESCRIPTIVE;

/// Are these the same notation? Each has an [`super::Info`] of its own.
pub fn is_same(a: &dyn Notation, b: &dyn Notation) -> bool {
    ptr::eq(a.info(), b.info())
}

/// All notations, in the order of every table.
pub static NOTATIONS: &[&dyn Notation] =
    &with_languages::<{ ROOTS.len() + languages::LANGUAGES.len() }>(ROOTS);

/// The registry as a list of objects, and as one function in which every length is a direct call. The lengths of a
/// `shaped` notation follow from a ply's [`Shape`], those of a `free` one do not; a `lettered` one is SAN in all but
/// its letters, so that its lengths follow from SAN's; see [`Notation::san_letters`]. So do those of a `translated` one
/// from those of English descriptive; see [`Notation::shorter_than_descriptive`].
macro_rules! registry {
    ($($kind:ident $notation:expr;)*) => {
        /// All but the languages, which are rows of one table and come last.
        const ROOTS: &[&dyn Notation] = &[$(&$notation),*];

        /// How many notations, SAN's letters excluded, have lengths that follow from a ply's shape.
        pub(crate) const SHAPED_COUNT: usize = 0 $(+ registry!(shaped $kind))*;
        const _: () = assert!(FREE_COUNT == 0 $(+ registry!(free $kind))*);

        /// Which of [`ROOTS`] are free.
        const IS_FREE: &[bool] = &[$(registry!(free $kind) == 1),*];

        /// The lengths in the free notations of a set, without those of [`Requires::Disambiguation`].
        #[inline(always)]
        fn free_lengths_of(facts: &Facts<'_>, set: u32) -> [u8; FREE_COUNT] {
            let (mut lengths, mut index) = ([0; FREE_COUNT], 0);
            $(registry!(length $kind $notation, facts, set, lengths, index);)*
            let _ = index;
            lengths
        }
    };
    (shaped shaped) => { 1 };
    (shaped $other:ident) => { 0 };
    (free free) => { 1 };
    (free $other:ident) => { 0 };
    (length free $notation:expr, $facts:ident, $set:ident, $lengths:ident, $index:ident) => {
        let is_packed = matches!(Described::requires(&$notation), Requires::Disambiguation(..));
        if !is_packed && $set >> $index & 1 == 1 {
            $lengths[$index] = Notation::length(&$notation, $facts).characters;
        }
        $index += 1;
    };
    (length $other:ident $notation:expr, $facts:ident, $set:ident, $lengths:ident, $index:ident) => {};
}

registry! {
    shaped san::San;
    shaped long::Long;
    lettered figurine::FAN;
    lettered figurine::FAN_WHITE;
    shaped uci::Uci;
    shaped iccf::Iccf;
    shaped smith::Smith;
    shaped squares::REVERSIBLE;
    shaped squares::HALG;
    shaped squares::LALG;
    shaped squares::ELALG;
    shaped squares::XLALG;
    shaped squares::XOLALG;
    shaped chess99::Chess99;
    free geographical::Geographical;
    shaped uedemann::Uedemann;
    free stamma::Stamma;
    free descriptive::DESCRIPTIVE;
    free descriptive::SIDES;
    shaped letters::ECO;
    shaped letters::ECONOMICAL;
    free economical::SQUARES;
    free economical::PRIORITY;
    free economical::SQUARES_LEGAL;
    free economical::PRIORITY_LEGAL;
    translated descriptive::SPANISH;
    translated descriptive::FRENCH;
}

/// The notations whose lengths follow neither from a ply's shape nor from SAN's, in the order of the registry. Their
/// texts are ASCII, so that a character is a byte.
pub(crate) fn free() -> impl Iterator<Item = &'static dyn Notation> {
    ROOTS.iter().zip(IS_FREE).filter(|(_, is_free)| **is_free).map(|(notation, _)| *notation)
}

const fn with_languages<const N: usize>(
    roots: &[&'static dyn Notation],
) -> [&'static dyn Notation; N] {
    let mut all = [roots[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < roots.len() {
            roots[index]
        } else {
            &languages::LANGUAGES[index - roots.len()]
        };
        index += 1;
    }
    all
}

/// The main notations: today's usual ones, and the 'Economical' modes in all their readings.
pub const MAIN: [&dyn Notation; 8] = [
    SAN,
    LONG,
    UCI,
    ECONOMICAL_LETTERS,
    ECONOMICAL_SQUARES,
    ECONOMICAL_PRIORITY,
    ECONOMICAL_SQUARES_LEGAL,
    ECONOMICAL_PRIORITY_LEGAL,
];

/// All notations but the languages, in the order of the registry, which begins with them.
pub fn without_languages() -> &'static [&'static dyn Notation] {
    ROOTS
}

/// The notation of this name, in any case: BCP 47 has `zh-Hant`, the registry `san-zh-hant`.
pub fn find(name: &str) -> Option<&'static dyn Notation> {
    find_bytes(name.as_bytes())
}

/// The notation of this name, in which the moves of a game can be written alone: those of [`NOTATIONS`], and [`TCN`].
pub fn find_of_games(name: &str) -> Option<&'static dyn Notation> {
    let is_tcn = name.eq_ignore_ascii_case(TCN.info().name);
    if is_tcn { Some(TCN) } else { find(name) }
}

/// The notation of a name that is text of an archive, without a copy.
pub(crate) fn find_bytes(name: &[u8]) -> Option<&'static dyn Notation> {
    let names =
        |notation: &&dyn Notation| notation.info().name.as_bytes().eq_ignore_ascii_case(name);
    NOTATIONS.iter().copied().find(names)
}

impl Chosen {
    /// All free notations.
    pub(crate) fn all() -> &'static Chosen {
        static ALL: LazyLock<Chosen> = LazyLock::new(|| Chosen::of(NOTATIONS));
        &ALL
    }

    /// The free notations of a list.
    pub(crate) fn of(notations: &[&dyn Notation]) -> Chosen {
        let (base, disambiguated) = (PackedLengths::default(), [PackedLengths::default(); 4]);
        let mut chosen = Chosen { set: 0, base, disambiguated, rivals: false, descriptive: false };
        for (index, notation) in free().enumerate() {
            // One that is translated follows from the lengths of the first that requires them.
            let is_source =
                |other: &dyn Notation| is_same(notation, DESCRIPTIVE) && other.is_translated();
            if !notations.iter().any(|&other| is_same(other, notation) || is_source(other)) {
                continue;
            }
            if let Requires::Disambiguation(others, base) = notation.requires() {
                let shift = 8 * (index % 8);
                chosen.base[index / 8] |= u64::from(base) << shift;
                chosen.disambiguated[others as usize][index / 8] |= 1 << shift;
            } else {
                chosen.set |= 1 << index;
            }
            chosen.rivals |= notation.requires() != Requires::Nothing;
            chosen.descriptive |= notation.requires() == Requires::Descriptive;
        }
        chosen
    }
}

impl<'p> Facts<'p> {
    /// The facts of a ply for the lengths in all notations.
    #[inline(always)]
    pub fn of(ply: &Ply<'p>) -> Facts<'p> {
        Facts::for_notations(ply, Chosen::all())
    }

    /// The lengths of the ply's texts in the notations of `free`, in characters; 0 for those that were not chosen.
    #[inline(always)]
    pub fn free_lengths(&self) -> FreeLengths {
        let mut words = self.packed;
        if self.chosen.set != 0 {
            let lengths = match self.castling {
                Some(_) => lengths_of_castling(*self),
                // Castling is excluded once, not by each notation.
                None => free_lengths_of(&Facts { castling: None, ..*self }, self.chosen.set),
            };
            for (index, &length) in lengths.iter().enumerate() {
                words[index / 8] |= u64::from(length) << (8 * (index % 8));
            }
        }
        let mut bytes = FreeLengths::default();
        for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        bytes
    }
}

#[cold]
#[inline(never)]
fn lengths_of_castling(facts: Facts<'_>) -> [u8; FREE_COUNT] {
    free_lengths_of(&facts, facts.chosen.set)
}
