//! Signatures of material, such as `KRPkr`: the pieces of White in capital letters, those of Black in small ones; in
//! `KRP*kr*` any number of White's pawns and of Black's rooks.
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
pub(super) struct Material {
    counts: [[u8; 6]; 2],
    /// Which of them are only the least ones.
    open: [[bool; 6]; 2],
}

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
                let any = "and * after one of them for any number";
                write!(f, "{letter:?} is no piece; the letters are KQRBNP and kqrbnp, {any}")
            }
            SignatureError::Kings => f.write_str("each side has one king: K and k"),
            SignatureError::TooMany => f.write_str("a side has at most 16 pieces"),
        }
    }
}

impl std::error::Error for SignatureError {}

impl Material {
    pub(super) fn read(signature: &str) -> Result<Material, SignatureError> {
        let (mut sides, mut open) = ([[0_u8; 6]; 2], [[false; 6]; 2]);
        let mut letters = signature.chars().peekable();
        while let Some(letter) = letters.next() {
            let role = u8::try_from(letter.to_ascii_uppercase()).ok().and_then(Role::from_letter);
            let role = ORDER.iter().position(|&known| Some(known) == role);
            let role = role.ok_or(SignatureError::Letter(letter))?;
            let side = usize::from(letter.is_ascii_lowercase());
            match role > 0 && letters.next_if_eq(&'*').is_some() {
                true => open[side][role] = true,
                false => sides[side][role] = sides[side][role].saturating_add(1),
            }
        }
        if sides.iter().any(|side| side[0] != 1) {
            return Err(SignatureError::Kings);
        }
        let is_long = |side: &[u8; 6]| side.iter().map(|&count| u32::from(count)).sum::<u32>() > 16;
        match sides.iter().any(is_long) {
            true => Err(SignatureError::TooMany),
            false => Ok(Material { counts: sides, open }),
        }
    }

    fn of(position: &Position) -> Material {
        let counts = [Color::White, Color::Black].map(|color| {
            let side = position.color(color);
            ORDER.map(|role| (position.role(role) & side).count() as u8)
        });
        Material { counts, open: Default::default() }
    }

    /// This material with the colours exchanged.
    pub(super) fn exchanged(self) -> Material {
        let Material { counts: [white, black], open: [white_open, black_open] } = self;
        Material { counts: [black, white], open: [black_open, white_open] }
    }

    #[inline]
    pub(super) fn is_of(&self, position: &Position) -> bool {
        let pieces: u32 = self.counts.iter().flatten().map(|&count| u32::from(count)).sum();
        let occupied = position.occupied().count();
        let is_open = self.open.iter().flatten().any(|&open| open);
        if occupied < pieces || !is_open && occupied > pieces {
            return false;
        }
        let own = Material::of(position).counts;
        let own = own.iter().flatten().zip(self.counts.iter().flatten());
        let mut both = own.zip(self.open.iter().flatten());
        both.all(|((own, count), open)| own == count || *open && own > count)
    }
}

/// The signature of a position.
pub(super) fn signature_of(position: &Position) -> String {
    let mut text = Vec::new();
    position.write_material(&mut text);
    text.into_iter().map(char::from).collect()
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
        for (text, expected) in [
            ("KRP*kr", true),
            ("KRP*kr*", true),
            ("KRPP*kr", true),
            ("KRPPP*kr", false),
            ("KR*kr", false),
            ("KRPkr*p*q*", true),
            ("KP*R*k", false),
        ] {
            assert_eq!(Material::read(text).unwrap().is_of(&rook), expected, "{text}");
        }
        assert!(Material::read("KR*krp").unwrap().exchanged().is_of(&rook));
        assert_eq!(Material::read("K*k"), Err(SignatureError::Letter('*')));
        assert_eq!(Material::read("KR**k"), Err(SignatureError::Letter('*')));
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
