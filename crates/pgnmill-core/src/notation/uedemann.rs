//! Uedemann's telegraph code: each square two letters, a vowel for the file, a consonant for the
//! rank.
//!
//! Source: Louis Uedemann, Gringmuth's code improved, as used in cable matches. Files A E I O O I E A, ranks B D F G H
//! K L P. On the queen's side the file comes first (`OD` = d2), on the king's side the rank (`DO` = e2), so that every
//! word can be spoken. The sources do not state how a promotion is sent: a fifth letter in lower case, q, r, b or k for
//! the knight, is our choice. In Chess960 the castling king goes to its rook, as in UCI.

use crate::chess::uci::arrival;
use crate::chess::{Board, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, refuse_drop};
use super::fitting::{between, plain_move, two_squares};
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, CheckSuffix, Described, Digits, Info, Length, Lineage, MoveText, Needs,
    Reading, Shape,
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

fn square(first: u8, second: u8) -> Option<Square> {
    let index = |table: &[u8], letter| table.iter().position(|&other| other == letter);
    let (file, rank) = match (index(FILES, first), index(FILES, second)) {
        (Some(file), None) => (file, index(RANKS, second)?),
        (None, Some(file)) => (7 - file, index(RANKS, first)?),
        _ => return None,
    };
    Some(Square::at(file as u8, rank as u8))
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

impl Described for Uedemann {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }
}

impl Body for Uedemann {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        refuse_drop::<B>(step.mv)?;
        push_square(step.mv.origin(), text);
        push_square(arrival(step.before, step.mv), text);
        if let Some(role) = step.mv.promoted() {
            // The letter of a king is a knight's.
            let found = PROMOTIONS.into_iter().find(|&(_, other)| other == role);
            text.push(found.ok_or(Deviation::MoveNotExpressible)?.0);
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let (origin, target, tail) = two_squares(text, square)?;
        let promoted = match *tail {
            [] => None,
            [letter] => Some(promoted(letter)?),
            _ => return Err(Deviation::MoveUnreadable),
        };
        let mv = between(position, origin, target, promoted)?;
        let step = Step { before: position, mv, lineage };
        Ok(self.reading_of(text, step, CheckSuffix::Unspecified))
    }

    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        AtOnce::four(window, |text| plain_move(text, square, position))
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, lineage)))
    }
}
