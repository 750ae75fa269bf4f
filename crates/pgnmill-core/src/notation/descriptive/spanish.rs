//! Spanish descriptive notation: `P4R`, `C3AR`, `AxC`, `P8C=D`.
//!
//! The notation of books and score sheets in Spanish until about 1980, of Capablanca's among them (Wikipedia in
//! Spanish, "Notación descriptiva"). Read besides: a rank alone behind the piece, `T1xP`, `C7-5C` (lessons of Argentine
//! clubs). King `R`, queen `D`, rook `T`, bishop `A`, knight `C`, pawn `P`; the rank before the file; no hyphen. Check
//! and mate are `+` and `#`, castling `O-O`, as in other movetext: the zeros and `++` of books are read, and noted as
//! what they are.

use super::super::Info;
use super::lettering::Lettering;
use super::romance::{ALPHABET_OF_ALL, Romance};
use super::{BASE, INITIAL};

pub(super) static LETTERING: Lettering = Lettering {
    files: [b"TD", b"CD", b"AD", b"D", b"R", b"AR", b"CR", b"TR"],
    letters: *b"PCATDR",
    is_romance: true,
    en_passant: b"a.p.",
};

/// `descriptive-es`.
pub(in crate::notation) static SPANISH: Romance = Romance {
    info: &Info {
        name: "descriptive-es",
        title: "Spanish descriptive notation",
        source: "Wikipedia in Spanish, Notación descriptiva; texts of books in public files",
        about: "Descriptive notation in Spanish: R, D, T, A, C and P, the rank before the file, no hyphen. Texts are as \
                short as is unambiguous.",
        alphabet: concat!("PCATDR", "a", ALPHABET_OF_ALL!()),
        examples: &[
            (INITIAL, "e2e4", "P4R"),
            (INITIAL, "g1f3", "C3AR"),
            ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "TxD+"),
            ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "C/5C3A"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "PxPa.p."),
        ],
        ..BASE
    },
    lettering: &LETTERING,
};
