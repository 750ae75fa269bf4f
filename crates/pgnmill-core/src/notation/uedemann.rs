//! Uedemann's telegraph code: each square two letters, a vowel for the file, a consonant for the
//! rank.
//!
//! Source: Louis Uedemann, Gringmuth's code improved, as used in cable matches. Files A E I O O I E A, ranks B D F G H
//! K L P. On the queen's side the file comes first (`OD` = d2), on the king's side the rank (`DO` = e2), so that every
//! word can be spoken. The sources do not state how a promotion is sent: a fifth letter in lower case, q, r, b or k for
//! the knight, is our choice. In Chess960 the castling king goes to its rook, as in UCI.

use crate::chess::rules::VariantPosition;
use crate::chess::{Board, Move, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::fitting::with_promotion;
use super::{
    CheckSuffix, Digits, Info, Length, Lineage, MoveText, Needs, Notation, Ply, Reading, Shape,
    VariantPly, uci,
};

/// Uedemann's telegraph code.
#[derive(Debug)]
pub(super) struct Uedemann;

/// The vowels of the files a to d; the files h to e have the same.
const FILES: &[u8; 4] = b"AEIO";
const RANKS: &[u8; 8] = b"BDFGHKLP";
const PROMOTIONS: [(u8, Role); 4] =
    [(b'q', Role::Queen), (b'r', Role::Rook), (b'b', Role::Bishop), (b'k', Role::Knight)];

static INFO: Info = Info {
    name: "uedemann",
    title: "Uedemann's telegraph code",
    source: "Louis Uedemann's code (1882), after Wikipedia, Chess notation; promotions ours",
    about: "Each square is a vowel for the file and a consonant for the rank, in an order that \
            shows the wing: four letters per move, made for the telegraph. A promotion appends q, r, \
            b or k (knight), our choice.",
    alphabet: "AEIOBDFGHKLPqrbk",
    characters_max: 5,
    bytes_max: 5,
    needs: Needs::Nothing,
    writes_check: false,
    digits: Digits::Never,
    examples: &[
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4d5", "IGOH"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "BOBE"),
    ],
    exceptions: "",
};

fn push_square(square: Square, text: &mut MoveText) {
    let rank = RANKS[usize::from(square.rank())];
    if square.file() < 4 {
        text.push(FILES[usize::from(square.file())]);
        text.push(rank);
    } else {
        text.push(rank);
        text.push(FILES[usize::from(7 - square.file())]);
    }
}

fn square(first: u8, second: u8) -> Result<Square, Deviation> {
    let index = |table: &[u8], letter| table.iter().position(|&other| other == letter);
    let found = match (index(FILES, first), index(FILES, second)) {
        (Some(file), None) => index(RANKS, second).map(|rank| (file, rank)),
        (None, Some(file)) => index(RANKS, first).map(|rank| (7 - file, rank)),
        _ => None,
    };
    let (file, rank) = found.ok_or(Deviation::MoveUnreadable)?;
    Ok(Square::at(file as u8, rank as u8))
}

fn write(position: &impl Board, mv: Move, text: &mut MoveText) {
    push_square(mv.origin(), text);
    push_square(uci::arrival(position, mv), text);
    for (letter, role) in PROMOTIONS {
        if mv.promoted() == Some(role) {
            text.push(letter);
        }
    }
}

/// The promoted piece: canonical, in capitals, or `n` for the knight.
fn promoted(letter: u8) -> Result<Role, Deviation> {
    let letter = match letter.to_ascii_lowercase() {
        b'n' => b'k',
        letter => letter,
    };
    let found = PROMOTIONS.into_iter().find(|&(other, _)| other == letter);
    found.map(|(_, role)| role).ok_or(Deviation::MoveUnreadable)
}

impl Uedemann {
    /// Reads any text of a move.
    fn read_on<B: Board>(&self, text: &[u8], position: &B) -> Result<Reading, Deviation> {
        let (squares, role) = match *text {
            [ref squares @ .., letter] if squares.len() == 4 => (squares, Some(promoted(letter)?)),
            _ => (text, None),
        };
        let [first, second, third, fourth] = *squares else {
            return Err(Deviation::MoveUnreadable);
        };
        let (origin, target) = (square(first, second)?, square(third, fourth)?);
        let mv = with_promotion(role, |promoted| {
            uci::find(position, origin, target, promoted).ok_or(Deviation::MoveIllegal)
        })?;
        let mut canonical = MoveText::default();
        write(position, mv, &mut canonical);
        Ok(Reading::of_body(mv, CheckSuffix::Unspecified, canonical.as_bytes() == text))
    }
}

impl Notation for Uedemann {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        write(ply.before(), ply.mv(), text);
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        // Its letter for a knight is a king's.
        if ply.mv().is_drop() || ply.mv().promoted() == Some(Role::King) {
            return Err(Deviation::MoveNotExpressible);
        }
        write(ply.before(), ply.mv(), text);
        Ok(())
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}
