//! French descriptive notation: `P4R`, `C3FR`, `FxC`, `P8C=D`.
//!
//! Source: Wikipedia in French, "Notation descriptive", with the abbreviations of the rules that FIDE published in
//! French in 1930. King `R`, queen `D`, rook `T`, bishop `F`, knight `C`, pawn `P`; the rank before the file; no
//! hyphen. Check and mate are `+` and `#`, castling `O-O`, as in other movetext: the zeros of books are read, and noted
//! as what they are.

use super::super::Info;
use super::lettering::Lettering;
use super::romance::{ALPHABET_OF_ALL, Romance};
use super::{BASE, INITIAL};

pub(super) static LETTERING: Lettering = Lettering {
    files: [b"TD", b"CD", b"FD", b"D", b"R", b"FR", b"CR", b"TR"],
    letters: *b"PCFTDR",
    is_romance: true,
    en_passant: b"e.p.",
};

/// `descriptive-fr`.
pub(in crate::notation) static FRENCH: Romance = Romance {
    info: &Info {
        name: "descriptive-fr",
        title: "French descriptive notation",
        source: "Wikipedia in French, Notation descriptive; Règle du jeu d'échecs de la F.I.D.E., 1930",
        about: "Descriptive notation in French: R, D, T, F, C and P, the rank before the file, no hyphen. Texts are as \
                short as is unambiguous.",
        alphabet: concat!("PCFTDR", "e", ALPHABET_OF_ALL!()),
        examples: &[
            (INITIAL, "e2e4", "P4R"),
            (INITIAL, "g1f3", "C3FR"),
            ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "TxD+"),
            ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "C/5C3F"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "PxPe.p."),
        ],
        ..BASE
    },
    lettering: &LETTERING,
};
