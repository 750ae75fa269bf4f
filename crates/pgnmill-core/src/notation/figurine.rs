//! Figurine algebraic notation: SAN with chess symbols for the pieces.
//!
//! Source: Wikipedia, "Algebraic notation (chess)" (`♞c6` for Black). One character, three bytes. `fan` writes each
//! side's own figurines, `fan-white` one set for both; each reads the other's.

use crate::chess::Role;
use crate::pgn::deviation::Deviation;

use super::localized::{Localized, PieceLetters, length_max, words_of};
use super::{Digits, Info, Needs};

const WHITE: PieceLetters = ["♙", "♘", "♗", "♖", "♕", "♔"];
const BLACK: PieceLetters = ["♟", "♞", "♝", "♜", "♛", "♚"];

const SOURCE: &str =
    "Wikipedia, Algebraic notation (chess): figurine algebraic notation; Unicode 2654-265F";
const ROOK_TAKES: &str = "4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1";
const ROOK_PROMOTED: &str = "7K/8/8/8/8/8/kp6/2N5 b - - 0 1";

const BASE: Info = Info {
    name: "fan",
    title: "Figurine algebraic notation",
    source: SOURCE,
    about: "SAN with the chess symbols of Unicode for the pieces, white ones for White and black \
            ones for Black: the same in every language. A figurine is one character and three \
            bytes.",
    alphabet: "abcdefgh12345678♘♗♖♕♔♞♝♜♛♚xO-=+#",
    characters_max: 7,
    bytes_max: length_max(3, 3),
    needs: Needs::Board,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        (ROOK_TAKES, "e2e7", "♖xe7+"),
        (ROOK_PROMOTED, "b2c1r", "bxc1=♜"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "b8c6", "♞c6"),
    ],
    exceptions: "",
};

/// Figurines of the mover's colour.
pub(super) static FAN: Localized = Localized {
    info: &BASE,
    letters: [&WHITE, &BLACK],
    words: [words_of(&WHITE), words_of(&BLACK)],
    others: &[],
    undeclared: Deviation::PieceFigurine,
};

/// White figurines for both sides.
pub(super) static FAN_WHITE: Localized = Localized {
    info: &Info {
        name: "fan-white",
        title: "Figurine algebraic notation, one set",
        about: "SAN with the white chess symbols of Unicode for the pieces of both sides, as most \
                books print it.",
        alphabet: "abcdefgh12345678♘♗♖♕♔xO-=+#",
        examples: &[(ROOK_TAKES, "e2e7", "♖xe7+"), (ROOK_PROMOTED, "b2c1r", "bxc1=♖")],
        ..BASE
    },
    letters: [&WHITE, &WHITE],
    words: [words_of(&WHITE), words_of(&WHITE)],
    others: &[
        ("♟", Role::Pawn),
        ("♞", Role::Knight),
        ("♝", Role::Bishop),
        ("♜", Role::Rook),
        ("♛", Role::Queen),
        ("♚", Role::King),
    ],
    undeclared: Deviation::PieceFigurine,
};
