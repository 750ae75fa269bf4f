//! TCN, the code of chess.com: two characters a move, and nothing between two moves.
//!
//! Source: the field `tcn` of that site's public API, and its decoders in public repositories, which agree; the
//! vectors below are from that API. A square is a character by its index, a1 to h8 by ranks; a move is two of them,
//! castling the king's step of two squares, in Chess960 the king and its rook, as in UCI. The second character of a
//! promotion is that of the piece (`qnrb`, and `k` in Antichess) and of the direction: to the a-file, straight, to the
//! h-file. The first one of a drop is that of the piece (`qnrb`, `p`); a drop of a king, whose character is the one of
//! the bishop, does not exist.
//!
//! The characters cannot occur in movetext: `{`, `(`, digits and `!` are something else there. So this is the text of a
//! *game*, in a line or a column of its own, and none of the notations of movetext. Cost: constant per move.
//!
//! ```
//! use pgnmill_core::chess::{Position, UciMove};
//! use pgnmill_core::notation::{Notation, TCN};
//! let mut position = Position::initial();
//! for (text, uci) in [("mC", "e2e4"), ("0K", "e7e5"), ("gv", "g1f3")] {
//!     let mv = TCN.decode(&position, text.as_bytes())?;
//!     assert_eq!(UciMove::of(&position, mv).to_string(), uci);
//!     position = position.play(mv);
//! }
//! # Ok::<(), pgnmill_core::notation::DecodeError>(())
//! ```

use crate::chess::uci::{arrival, find};
use crate::chess::{Board, Move, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::Body;
use super::ply::Step;
use super::{
    CheckSuffix, Claim, Described, Digits, Info, Lineage, MoveText, Needs, Reading, algebraic,
};

/// TCN.
#[derive(Debug)]
pub(super) struct Tcn;

/// The characters, by their index.
const ALPHABET: &[u8; 85] =
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?{~}(^)[_]@#$,./&-*++=";
/// The index of the first promotion, after the squares; each piece has three.
const PROMOTIONS: usize = 64;
/// The index of the first drop.
const DROPS: usize = 79;
/// The pieces, in the order of their characters.
const PIECES: [Role; 6] =
    [Role::Queen, Role::Knight, Role::Rook, Role::Bishop, Role::King, Role::Pawn];

static INFO: Info = Info {
    name: "tcn",
    title: "TCN, of chess.com",
    source: "chess.com, Published-Data API, field tcn",
    about: "Two characters a move: the squares by their indexes, a promotion by the piece and its direction, a drop \
            by the piece. Nothing is between two moves, so that it is the text of a game and none of movetext.",
    alphabet: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?{~}(^)[_]@#$",
    characters_max: 2,
    bytes_max: 2,
    needs: Needs::Nothing,
    writes_check: false,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "mC"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "8!"),
        ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "X("),
    ],
    exceptions: "",
};

/// The index of a character; of two that are the same, the first.
fn index_of(byte: u8) -> Result<usize, Deviation> {
    ALPHABET.iter().position(|&it| it == byte).ok_or(Deviation::MoveUnreadable)
}

/// The index of a piece among those that have characters.
fn index_of_piece(role: Role) -> usize {
    PIECES.iter().position(|&it| it == role).unwrap_or_default()
}

/// The square of a promotion from `origin`: on the last rank of the half of the board that it is in.
fn promotion_square(origin: Square, direction: usize) -> Result<Square, Deviation> {
    let rank = if origin.rank() < 4 { 0 } else { 7 };
    match (usize::from(origin.file()) + direction).checked_sub(1) {
        Some(file) if file < 8 => Ok(Square::at(file as u8, rank)),
        _ => Err(Deviation::MoveUnreadable),
    }
}

/// What a text names.
struct Named {
    /// Where the piece comes from, or the piece that is dropped.
    from: Result<Square, Role>,
    target: Square,
    promoted: Option<Role>,
}

fn named(text: &[u8]) -> Result<Named, Deviation> {
    let &[first, second] = text else { return Err(Deviation::MoveUnreadable) };
    let square = |index: usize| match index {
        0..PROMOTIONS => Ok(Square::new(index as u8)),
        _ => Err(Deviation::MoveUnreadable),
    };
    let (first, second) = (index_of(first)?, index_of(second)?);
    if first >= DROPS {
        let (from, target) = (Err(PIECES[first - DROPS]), square(second)?);
        return Ok(Named { from, target, promoted: None });
    }
    let origin = square(first)?;
    if second < PROMOTIONS {
        return Ok(Named { from: Ok(origin), target: square(second)?, promoted: None });
    }
    if second >= DROPS {
        return Err(Deviation::MoveUnreadable);
    }
    let (piece, direction) = ((second - PROMOTIONS) / 3, (second - PROMOTIONS) % 3);
    let target = promotion_square(origin, direction)?;
    Ok(Named { from: Ok(origin), target, promoted: Some(PIECES[piece]) })
}

impl Described for Tcn {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn is_of_pairs(&self) -> bool {
        true
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        let Named { from, target, promoted } = named(text.as_bytes()).ok()?;
        let promoted = promoted.map_or(String::new(), |role| {
            char::from(role.letter().to_ascii_lowercase()).to_string()
        });
        algebraic::claim(format!("{}{target}{promoted}", from.ok()?).as_bytes())
    }
}

impl Body for Tcn {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let Step { before, mv, .. } = step;
        if !B::IS_STANDARD && mv.is_drop() {
            text.push(ALPHABET[DROPS + index_of_piece(mv.role())]);
            text.push(ALPHABET[mv.target().index()]);
            return Ok(());
        }
        text.push(ALPHABET[mv.origin().index()]);
        let target = arrival(before, mv);
        text.push(match mv.promoted() {
            None => ALPHABET[target.index()],
            Some(role) => {
                let direction = usize::from(target.file() + 1 - mv.origin().file());
                ALPHABET[PROMOTIONS + 3 * index_of_piece(role) + direction]
            }
        });
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let Named { from, target, promoted } = named(text)?;
        let mv: Option<Move> = match from {
            Ok(origin) => find(position, origin, target, promoted),
            Err(_) if B::IS_STANDARD => None,
            Err(role) => position.drop_of(role, target),
        };
        let mv = mv.ok_or(Deviation::MoveIllegal)?;
        let step = Step { before: position, mv, lineage: None };
        Ok(self.reading_of(text, step, CheckSuffix::Unspecified))
    }
}
