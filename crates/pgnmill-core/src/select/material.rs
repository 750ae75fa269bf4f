//! Signatures of material, such as `KRPkr`: the pieces of White in capital letters, those of Black in small ones.
//!
//! In: a signature, or a position. Out: the number of pieces by colour and role. The order of the letters is free; each
//! side has one king. Cost of a comparison: one count of bits for most positions, twelve where the number of pieces
//! fits.

use std::fmt;

use crate::chess::{Color, Position, Role};

/// The roles in the order of a signature.
const ORDER: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The number of pieces by colour (White first) and role, in the order of [`ORDER`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Material([[u8; 6]; 2]);

/// Why a text is no signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SignatureError {
    Letter(char),
    Kings,
    TooMany,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Letter(letter) => {
                write!(f, "{letter:?} is no piece; the letters are KQRBNP and kqrbnp")
            }
            SignatureError::Kings => f.write_str("each side has one king: K and k"),
            SignatureError::TooMany => f.write_str("a side has at most 16 pieces"),
        }
    }
}

impl std::error::Error for SignatureError {}

impl Material {
    pub(super) fn read(signature: &str) -> Result<Material, SignatureError> {
        let mut sides = [[0_u8; 6]; 2];
        for letter in signature.chars() {
            let role = u8::try_from(letter.to_ascii_uppercase()).ok().and_then(Role::from_letter);
            let role = ORDER.iter().position(|&known| Some(known) == role);
            let role = role.ok_or(SignatureError::Letter(letter))?;
            let count = &mut sides[usize::from(letter.is_ascii_lowercase())][role];
            *count = count.saturating_add(1);
        }
        if sides.iter().any(|side| side[0] != 1) {
            return Err(SignatureError::Kings);
        }
        let is_long = |side: &[u8; 6]| side.iter().map(|&count| u32::from(count)).sum::<u32>() > 16;
        if sides.iter().any(is_long) { Err(SignatureError::TooMany) } else { Ok(Material(sides)) }
    }

    fn of(position: &Position) -> Material {
        Material([Color::White, Color::Black].map(|color| {
            let side = position.color(color);
            ORDER.map(|role| (position.role(role) & side).count() as u8)
        }))
    }

    /// The same with the colours exchanged.
    pub(super) fn exchanged(self) -> Material {
        Material([self.0[1], self.0[0]])
    }

    #[inline]
    pub(super) fn is_of(&self, position: &Position) -> bool {
        let pieces: u32 = self.0.iter().flatten().map(|&count| u32::from(count)).sum();
        position.occupied().count() == pieces && Material::of(position) == *self
    }
}

/// The signature of a position.
pub(super) fn signature_of(position: &Position) -> String {
    let mut text = String::new();
    for (side, counts) in Material::of(position).0.iter().enumerate() {
        for (role, &count) in ORDER.iter().zip(counts) {
            let letter = char::from(role.letter());
            let letter = if side == 0 { letter } else { letter.to_ascii_lowercase() };
            text.extend(std::iter::repeat_n(letter, count.into()));
        }
    }
    text
}

/// Can neither side mate, whatever is played? No pawn, rook or queen; and either a single knight, or only bishops on
/// squares of one colour. (As python-chess decides it.)
pub(super) fn is_insufficient(position: &Position) -> bool {
    let strong = position.role(Role::Pawn) | position.role(Role::Rook) | position.role(Role::Queen);
    if strong.has_any() {
        return false;
    }
    if position.role(Role::Knight).has_any() {
        return position.occupied().count() <= 3;
    }
    let mut shades = position.role(Role::Bishop).map(|square| (square.file() + square.rank()) % 2);
    let first = shades.next();
    shades.all(|shade| Some(shade) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen.as_bytes()).expect("a position").0
    }

    #[test]
    fn signatures_are_read_and_written() {
        let rook = position("8/8/8/4k3/7r/8/4KP2/4R3 w - - 0 1");
        assert_eq!(signature_of(&rook), "KRPkr");
        for text in ["KRPkr", "rkPRK"] {
            assert!(Material::read(text).unwrap().is_of(&rook), "{text}");
        }
        assert!(!Material::read("KRkrp").unwrap().is_of(&rook));
        assert!(Material::read("KRkrp").unwrap().exchanged().is_of(&rook));
        assert_eq!(Material::read("KRx"), Err(SignatureError::Letter('x')));
        assert_eq!(Material::read("KRR"), Err(SignatureError::Kings));
        assert_eq!(Material::read("KkPPPPPPPPPPPPPPPP"), Err(SignatureError::TooMany));
        assert_eq!(Material::read(""), Err(SignatureError::Kings));
        let initial = signature_of(&Position::initial());
        assert_eq!(initial, "KQRRBBNNPPPPPPPPkqrrbbnnpppppppp");
    }

    #[test]
    fn positions_without_a_mate() {
        for (fen, expected) in [
            ("8/8/8/4k3/8/8/4K3/8 w - - 0 1", true),
            ("8/8/8/4k3/8/8/4K3/4N3 w - - 0 1", true),
            ("8/8/8/4k3/8/8/4K3/3NN3 w - - 0 1", false),
            ("8/8/8/4kb2/8/8/4K3/5B2 w - - 0 1", true),
            ("8/8/8/4kb2/8/8/4K3/4B3 w - - 0 1", false),
            ("8/8/8/4kb2/8/8/4K3/4N3 w - - 0 1", false),
            ("8/8/8/4k3/8/8/4KP2/8 w - - 0 1", false),
        ] {
            assert_eq!(is_insufficient(&position(fen)), expected, "{fen}");
        }
    }
}
