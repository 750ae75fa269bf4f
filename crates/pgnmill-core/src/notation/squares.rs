//! The notations that give both squares with more or less around them: reversible algebraic and
//! pgn-extract's forms.
//!
//! | | letter | between | victim | en passant | promotion | castling |
//! |---|---|---|---|---|---|---|
//! | `reversible` | yes | `-`, `x` | `xN` | `ep` | `=Q` | `O-O` |
//! | `halg` | no | `-` | no | no | `Q` | `e1-g1` |
//! | `lalg` | no | nothing | no | no | `Q` | `e1g1` |
//! | `elalg` | yes | nothing | no | `ep` | `Q` | `e1g1` |
//! | `xlalg` | yes | `-`, `x` | no | `ep` | `Q` | `e1-g1` |
//! | `xolalg` | yes | `-`, `x` | no | `ep` | `Q` | `O-O` |
//!
//! All write check and mate. Sources: pgn-extract's `output.c` (the current one; Debian's 19-04 differs in halg's
//! promotions, xlalg's en passant and xolalg's castling); reversible algebraic as in the literature, the order of its
//! parts is our choice. In Chess960 the castling king goes to its rook, as in UCI, so that its text is unique.

use crate::chess::uci::arrival;
use crate::chess::{Board, CastlingSide, Move, MoveKind, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, Checks};
use super::drops::{self, PawnLetter};
use super::fitting::{between, plain_move, promotion};
use super::ply::Step;
use super::reading::split_symbol;
use super::{
    AT_ONCE_BYTES, AtOnce, Claim, Described, Digits, Info, Length, Lineage, MoveText, Needs,
    Reading, Shape, algebraic, san,
};

/// One of the forms.
#[derive(Debug)]
pub(super) struct Squares {
    info: &'static Info,
    letter: bool,
    quiet: &'static [u8],
    capture: &'static [u8],
    victim: bool,
    en_passant: bool,
    promotion: &'static [u8],
    castling_letters: bool,
}

type Examples = &'static [(&'static str, &'static str, &'static str)];

const PGN_EXTRACT: &str = "pgn-extract (David J. Barnes), output.c";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROOK_TAKES: &str = "4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

const fn info(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    alphabet: &'static str,
    characters_max: usize,
    examples: Examples,
) -> Info {
    Info {
        name,
        title,
        source: PGN_EXTRACT,
        about,
        alphabet,
        characters_max,
        bytes_max: characters_max,
        needs: Needs::Nothing,
        writes_check: true,
        digits: Digits::Never,
        examples,
        exceptions: "",
    }
}

/// Reversible algebraic: the captured piece is named, so that a move can be undone.
pub(super) static REVERSIBLE: Squares = Squares {
    info: &Info {
        source: "Wikipedia, Chess notation: reversible algebraic notation; the order of the parts \
                 is ours",
        ..info(
            "reversible",
            "Reversible algebraic notation",
            "Long algebraic with the letter of the captured piece after x and ep for en passant, \
             so that a move can be taken back without the game's history.",
            "abcdefgh12345678NBRQK-x=Op+#",
            9,
            &[
                (INITIAL, "e2e4", "e2-e4"),
                (ROOK_TAKES, "e2e7", "Re2xQe7+"),
                (EN_PASSANT, "e5d6", "e5xd6ep"),
                ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "b7xNa8=N"),
            ],
        )
    },
    letter: true,
    quiet: b"-",
    capture: b"x",
    victim: true,
    en_passant: true,
    promotion: b"=",
    castling_letters: true,
};

/// Hyphenated long algebraic without piece letters.
pub(super) static HALG: Squares = Squares {
    info: &info(
        "halg",
        "pgn-extract's halg",
        "Both squares with a hyphen between them, no piece letter; the promotion's letter, + and # \
         follow.",
        "abcdefgh12345678NBRQ-+#",
        7,
        &[(INITIAL, "e2e4", "e2-e4"), (ROOK_TAKES, "e2e7", "e2-e7+")],
    ),
    letter: false,
    quiet: b"-",
    capture: b"-",
    victim: false,
    en_passant: false,
    promotion: b"",
    castling_letters: false,
};

/// Long algebraic without piece letters.
pub(super) static LALG: Squares = Squares {
    info: &info(
        "lalg",
        "pgn-extract's lalg",
        "Both squares and nothing between them, no piece letter; the promotion's letter, + and # \
         follow.",
        "abcdefgh12345678NBRQ+#",
        6,
        &[(INITIAL, "e2e4", "e2e4"), (ROOK_TAKES, "e2e7", "e2e7+")],
    ),
    quiet: b"",
    capture: b"",
    ..HALG
};

/// Long algebraic with piece letters.
pub(super) static ELALG: Squares = Squares {
    info: &info(
        "elalg",
        "pgn-extract's elalg",
        "Piece letter and both squares, ep for en passant; castling is the king's two squares \
         without its letter.",
        "abcdefgh12345678NBRQKp+#",
        7,
        &[(ROOK_TAKES, "e2e7", "Re2e7+"), (CASTLING, "e1g1", "e1g1")],
    ),
    letter: true,
    quiet: b"",
    capture: b"",
    en_passant: true,
    ..HALG
};

/// Long algebraic with piece letters, `-` and `x`.
pub(super) static XLALG: Squares = Squares {
    info: &info(
        "xlalg",
        "pgn-extract's xlalg",
        "Piece letter and both squares with - or x between them, ep for en passant; castling is \
         the king's two squares without its letter.",
        "abcdefgh12345678NBRQKp-x+#",
        8,
        &[(ROOK_TAKES, "e2e7", "Re2xe7+"), (CASTLING, "e1g1", "e1-g1")],
    ),
    letter: true,
    capture: b"x",
    en_passant: true,
    ..HALG
};

/// [`XLALG`] with castling as in SAN.
pub(super) static XOLALG: Squares = Squares {
    info: &info(
        "xolalg",
        "pgn-extract's xolalg",
        "Piece letter and both squares with - or x between them, ep for en passant; castling O-O \
         and O-O-O.",
        "abcdefgh12345678NBRQKp-xO+#",
        8,
        &[(ROOK_TAKES, "e2e7", "Re2xe7+"), (CASTLING, "e1g1", "O-O")],
    ),
    castling_letters: true,
    ..XLALG
};

impl Squares {
    /// How the drop of a pawn is written: as UCI does, except in the reversible form.
    fn drop_pawns(&self) -> PawnLetter {
        if self.victim { PawnLetter::Omitted } else { PawnLetter::Written }
    }

    /// Reads the canonical text of a plain move.
    #[inline(always)]
    pub(super) fn read_plain(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
    ) -> Option<AtOnce> {
        let [first, ..] = *window;
        let has_letter = self.letter && first.is_ascii_uppercase();
        let from = usize::from(has_letter);
        let between = from + 2;
        // What is between is as long for a capture, without its victim.
        let mut to = between + self.quiet.len();
        let victim = self.victim && window[to].is_ascii_uppercase();
        to += usize::from(victim);
        let squares = [window[from], window[from + 1], window[to], window[to + 1]];
        let mv = plain_move(squares, Square::from_ascii, position)?;
        let takes = position.them().has(mv.target());
        let expected = if takes { self.capture } else { self.quiet };
        if expected.first().is_some_and(|&byte| byte != window[between]) {
            return None;
        }
        if self.letter && has_letter != (mv.role() != Role::Pawn)
            || has_letter && first != mv.role().letter()
        {
            return None;
        }
        if self.victim && takes {
            let role = position.role_at(mv.target())?;
            if victim != (role != Role::Pawn) || victim && window[to - 1] != role.letter() {
                return None;
            }
        } else if victim {
            return None;
        }
        AtOnce::with_symbol(window, mv, to + 2)
    }

    /// Writes a move or a drop without its check suffix.
    fn push<B: Board>(&self, position: &B, mv: Move, text: &mut MoveText) {
        if !B::IS_STANDARD && mv.is_drop() {
            return drops::write(mv, self.drop_pawns(), text, san::english);
        }
        match mv.castling_side() {
            Some(CastlingSide::Short) if self.castling_letters => return text.push_bytes(b"O-O"),
            Some(CastlingSide::Long) if self.castling_letters => return text.push_bytes(b"O-O-O"),
            None if self.letter && mv.role() != Role::Pawn => text.push(mv.role().letter()),
            _ => {}
        }
        text.push_square(mv.origin());
        if position.is_capture(mv) {
            text.push_bytes(self.capture);
            if self.victim
                && let Some(victim) = position.captured_role(mv).filter(|&role| role != Role::Pawn)
            {
                text.push(victim.letter());
            }
        } else {
            text.push_bytes(self.quiet);
        }
        text.push_square(arrival(position, mv));
        if self.en_passant && mv.kind() == MoveKind::EnPassant {
            text.push_bytes(b"ep");
        }
        if let Some(role) = mv.promoted() {
            text.push_bytes(self.promotion);
            text.push(role.letter());
        }
    }
}

impl Described for Squares {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let between = if shape.is_capture() { self.capture.len() } else { self.quiet.len() } as u8;
        let body = if shape.castling().is_some() {
            let squares = 4 + self.quiet.len() as u8;
            if self.castling_letters { shape.castling_or(0) } else { squares }
        } else {
            let promotion = shape.promotion() * (self.promotion.len() as u8 + 1);
            let passing = 2 * u8::from(self.en_passant && shape.is_en_passant());
            let letter = shape.piece() * u8::from(self.letter);
            let victim = u8::from(self.victim && shape.takes_piece());
            letter + 4 + between + victim + passing + promotion
        };
        Some(Length::ascii(body + shape.checks()))
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(text.as_bytes())
    }
}

impl Body for Squares {
    const CHECKS: Checks = Checks::Symbols;

    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        self.push(step.before, step.mv, text);
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let (body, check_suffix) = split_symbol(text);
        if let Some(drop) = drops::read(body, self.drop_pawns(), check_suffix, position) {
            return drop;
        }
        let mv = match body {
            b"O-O" => position.castle(CastlingSide::Short).ok_or(Deviation::MoveIllegal)?,
            b"O-O-O" => position.castle(CastlingSide::Long).ok_or(Deviation::MoveIllegal)?,
            _ => match parse::<B>(body) {
                Some(parts) => parts.resolve(position)?,
                None => return algebraic::read_as_variant(text, position, self.drop_pawns()),
            },
        };
        Ok(self.reading_of(body, Step { before: position, mv, lineage }, check_suffix))
    }

    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        self.read_plain(window, position)
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, lineage)))
    }
}

/// The parts of a text with both squares.
struct Parts {
    role: Option<Role>,
    origin: Square,
    victim: Option<Role>,
    target: Square,
    promoted: Option<Role>,
}

/// Parses a text of any of these forms; `None` if it has none of them.
fn parse<B: Board>(body: &[u8]) -> Option<Parts> {
    let (role, rest) = split_letter(body);
    let [file, rank, ref rest @ ..] = *rest else { return None };
    let origin = Square::from_ascii(file, rank)?;
    let (victim, rest) = match *rest {
        [b'x', ref rest @ ..] => split_letter(rest),
        [b'-', ref rest @ ..] => (None, rest),
        _ => (None, rest),
    };
    let [file, rank, ref rest @ ..] = *rest else { return None };
    let target = Square::from_ascii(file, rank)?;
    let promoted = match *rest {
        [] | [b'e', b'p'] => None,
        [letter] | [b'=', letter] => Some(promotion::<B>(letter).ok()?),
        _ => return None,
    };
    Some(Parts { role, origin, victim, target, promoted })
}

fn split_letter(text: &[u8]) -> (Option<Role>, &[u8]) {
    match text.first().and_then(|&letter| Role::from_letter(letter)) {
        Some(role) => (Some(role), &text[1..]),
        None => (None, text),
    }
}

impl Parts {
    fn resolve(&self, position: &impl Board) -> Result<Move, Deviation> {
        let mv = between(position, self.origin, self.target, self.promoted)?;
        let fits = self.role.is_none_or(|role| role == mv.role())
            && self.victim.is_none_or(|role| position.captured_role(mv) == Some(role));
        if fits { Ok(mv) } else { Err(Deviation::MoveIllegal) }
    }
}
