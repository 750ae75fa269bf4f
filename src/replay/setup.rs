//! The position in which a game begins, from its tag pairs.
//!
//! In: a [`TagSection`]. Out: the starting position, or the fault that rejects the game before its first move.

use std::fmt;
use std::ops::Range;

use crate::chess::rules::{Rules, Standard};
use crate::chess::{FenError, FenNotes, Position};
use crate::pgn::deviation::{Deviation, quoted};

use super::{TagSection, fen_fault};

/// Why the tag pairs give no position from which the game can be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The fault.
    pub kind: Deviation,
    /// The span of the tag value that causes it.
    pub text: Range<usize>,
    /// The reason, for a person.
    pub detail: String,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for SetupError {}

impl TagSection {
    /// The position in which the game begins. Calls `note` for each deviation with which the game can still be
    /// replayed.
    ///
    /// # Errors
    /// The tag pairs contradict each other, name another variant, or have a FEN record without a legal position.
    pub fn initial_position(
        &self,
        text: &[u8],
        note: impl FnMut(Deviation),
    ) -> Result<Position, SetupError> {
        if !self.has_setup() {
            return Ok(Position::initial());
        }
        let variant = self.variant().unwrap_or(0..0);
        match read_variant(&text[variant.clone()]) {
            Some(chess960) => self.position_of::<Standard>(text, chess960, note),
            None => {
                let name = quoted(&text[variant.clone()]);
                let detail = format!("the variant {name} is neither chess nor Chess960");
                Err(SetupError { kind: Deviation::VariantUnknown, text: variant, detail })
            }
        }
    }

    /// The same where the ruleset is known. `chess960` as in [`Rules::initial`].
    pub(super) fn position_of<R: Rules>(
        &self,
        text: &[u8],
        chess960: bool,
        mut note: impl FnMut(Deviation),
    ) -> Result<R::Position, SetupError> {
        let setup = self.setup().filter(|value| &text[value.clone()] == b"1");
        let Some(fen) = self.fen() else {
            return match setup {
                Some(value) => {
                    let detail =
                        "SetUp says that a FEN tag pair gives the position, but there is none";
                    let (kind, detail) = (Deviation::SetupWithoutFen, detail.to_string());
                    Err(SetupError { kind, text: value, detail })
                }
                None => Ok(R::initial(chess960)),
            };
        };
        if setup.is_none() {
            note(Deviation::FenWithoutSetup);
        }
        match R::from_fen(&text[fen.clone()], chess960) {
            Ok((position, notes)) => {
                deviations(notes).for_each(&mut note);
                Ok(position)
            }
            Err(error) => {
                let detail = fen_fault::explain(error, &text[fen.clone()]);
                Err(SetupError { kind: kind_of(error), text: fen, detail })
            }
        }
    }
}

/// The deviations of a record that was read.
fn deviations(notes: FenNotes) -> impl Iterator<Item = Deviation> {
    let named = [
        (notes.rights_impossible, Deviation::FenRightsImpossible),
        (notes.en_passant_impossible, Deviation::FenEnPassantImpossible),
        (notes.fields_missing, Deviation::FenFieldsMissing),
        (notes.fields_extra, Deviation::FenFieldsExtra),
        (notes.digits_adjacent, Deviation::FenDigitsAdjacent),
        (notes.side_upper_case, Deviation::FenSideUpperCase),
        (notes.rights_style, Deviation::FenRightsStyle),
        (notes.counters_style, Deviation::FenCountersStyle),
    ];
    named.into_iter().filter(|(found, _)| *found).map(|(_, kind)| kind)
}

/// The fault of a record that was not read.
fn kind_of(error: FenError) -> Deviation {
    match error {
        FenError::NoKing => Deviation::FenNoKing,
        FenError::SideNotToMoveInCheck => Deviation::FenSideNotToMoveInCheck,
        FenError::PawnOnBackRank => Deviation::FenPawnOnBackRank,
        _ => Deviation::FenUnreadable,
    }
}

/// Is it chess (`false`) or Chess960 (`true`)? `None` for any other variant. Only letters and digits count, in any
/// case.
fn read_variant(value: &[u8]) -> Option<bool> {
    const CHESS: &[&str] =
        &["", "standard", "normal", "chess", "fromposition", "regular", "orthodox"];
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
    let mut name = [0u8; 24];
    let mut len = 0;
    for byte in value.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        *name.get_mut(len)? = byte.to_ascii_lowercase();
        len += 1;
    }
    // A name with other letters than ASCII's is an unknown variant.
    if value.iter().any(|byte| !byte.is_ascii()) {
        return None;
    }
    let is = |known: &&str| known.as_bytes() == &name[..len];
    if CHESS.iter().any(is) { Some(false) } else { CHESS960.iter().any(is).then_some(true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_compared_by_letters_and_digits() {
        for chess in ["", "Standard", "normal", "From Position"] {
            assert_eq!(read_variant(chess.as_bytes()), Some(false), "{chess}");
        }
        for chess960 in ["Chess960", "chess 960", "Fischerandom", "wild/fr", "FRC"] {
            assert_eq!(read_variant(chess960.as_bytes()), Some(true), "{chess960}");
        }
        for other in ["Crazyhouse", "atomic", "Three-check", "a name longer than any that is known"]
        {
            assert_eq!(read_variant(other.as_bytes()), None, "{other}");
        }
    }
}
