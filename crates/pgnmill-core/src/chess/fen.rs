//! Positions as text: FEN (PGN standard 16.1), with castling rights as X-FEN or Shredder-FEN writes them.
//!
//! Input: a record of one to six fields. Output: a position, and notes on what is odd but playable. A record from which
//! no game can continue is an error.
//!
//! * `KQkq` means the outermost rook on that side of the king; a letter `A`–`H` means the rook on that file.
//! * A castling right without king and rook in place is dropped and noted, and so is an en passant square that no pawn
//!   has just passed.
//! * Any other difference from what [`Position::to_fen`] writes is noted by name: a record without a note differs only
//!   in whitespace, in Shredder's letters, and in an en passant square on which no pawn can legally capture.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! let text = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
//! let (position, notes) = Position::from_fen(text.as_bytes()).unwrap();
//! assert!(position.is_chess960() && notes.is_clean());
//! assert_eq!(position.to_fen(), text);
//! ```

use std::fmt;

use super::clocks::Clocks;
use super::position::Position;
use super::{Bitboard, CastlingSide, Color, Role, Square};

/// Why no game can continue from a FEN record. The names are those of the faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenError {
    /// The board field is not eight ranks of eight squares.
    Board,
    /// A side has no king, or more than one.
    NoKing,
    /// The king of the side that is not to move is attacked.
    SideNotToMoveInCheck,
    /// The field with the side to move is neither `w` nor `b`.
    Turn,
    /// The castling field contains a character that is no right.
    Castling,
    /// The en passant field is not a square.
    EnPassant,
    /// A move counter is not a number.
    Clocks,
    /// A pawn is on the first or the eighth rank.
    PawnOnBackRank,
    /// The pocket cannot be read, or holds what no pocket can.
    Pocket,
    /// The numbers of checks cannot be read.
    Checks,
    /// No game of the ruleset reaches the position, such as one of Racing Kings with a pawn.
    Impossible,
}

impl FenError {
    /// The stable name, as it appears in `faults.csv`.
    pub const fn name(self) -> &'static str {
        match self {
            FenError::Board => "fen-board",
            FenError::NoKing => "fen-no-king",
            FenError::SideNotToMoveInCheck => "fen-side-not-to-move-in-check",
            FenError::Turn => "fen-turn",
            FenError::Castling => "fen-castling",
            FenError::EnPassant => "fen-en-passant",
            FenError::Clocks => "fen-clocks",
            FenError::PawnOnBackRank => "fen-pawn-on-back-rank",
            FenError::Pocket => "fen-pocket",
            FenError::Checks => "fen-checks",
            FenError::Impossible => "fen-impossible",
        }
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenError::Board => "the pieces are not eight ranks of eight squares",
            FenError::NoKing => "each side needs exactly one king",
            FenError::SideNotToMoveInCheck => "the side that is not to move stands in check",
            FenError::Turn => "the side to move is neither w nor b",
            FenError::Castling => "the castling rights cannot be read",
            FenError::EnPassant => "the en passant field is no square",
            FenError::Clocks => "a move counter is no number",
            FenError::PawnOnBackRank => "a pawn stands on the first or the eighth rank",
            FenError::Pocket => "the pocket cannot be read",
            FenError::Checks => "the numbers of checks cannot be read",
            FenError::Impossible => "no game of this ruleset reaches the position",
        })
    }
}

impl std::error::Error for FenError {}

/// What is odd about a record from which a game can continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FenNotes {
    /// A castling right without king and rook in place was dropped.
    pub rights_impossible: bool,
    /// An en passant square that no pawn can have passed was dropped.
    pub en_passant_impossible: bool,
    /// Fields after the board are missing; they were taken as `w - - 0 1`.
    pub fields_missing: bool,
    /// More than six fields; the others are ignored.
    pub fields_extra: bool,
    /// Two adjacent digits: `44` is eight empty squares, written `8`.
    pub digits_adjacent: bool,
    /// The side to move is `W` or `B`.
    pub side_upper_case: bool,
    /// A castling right is named twice, or not in the order of `KQkq`.
    pub rights_style: bool,
    /// A move counter is a dash, has leading zeros, is move 0, or is above the limit of what is counted.
    pub counters_style: bool,
}

impl FenNotes {
    /// No note.
    pub fn is_clean(self) -> bool {
        self == FenNotes::default()
    }
}

impl Position {
    /// Reads a FEN record.
    ///
    /// # Errors
    /// A [`FenError`] if the record cannot be read or no game can continue from it.
    pub fn from_fen(text: &[u8]) -> Result<(Position, FenNotes), FenError> {
        let mut fields = text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let mut notes = FenNotes::default();
        let mut position =
            Position { boards: [0; 8], castling: Bitboard::EMPTY, ..Position::initial() };
        position.read_board(fields.next().ok_or(FenError::Board)?, &mut notes)?;
        let side = fields.next();
        notes.side_upper_case = matches!(side, Some(b"W" | b"B"));
        position.turn = match side {
            None => Color::White,
            Some(b"w" | b"W") => Color::White,
            Some(b"b" | b"B") => Color::Black,
            Some(_) => return Err(FenError::Turn),
        };
        let (rights, en_passant) = (fields.next(), fields.next());
        let (halfmove, fullmove) = (fields.next(), fields.next());
        notes.fields_missing = fullmove.is_none();
        notes.fields_extra = fields.next().is_some();
        position.read_rights(rights.unwrap_or(b"-"), &mut notes)?;
        position.read_en_passant(en_passant.unwrap_or(b"-"), &mut notes)?;
        let halfmove = read_clock(halfmove.unwrap_or(b"0"), &mut notes)?;
        let fullmove = read_clock(fullmove.unwrap_or(b"1"), &mut notes)?;
        notes.counters_style |= fullmove == 0;
        position.clocks = Clocks::new(halfmove, fullmove.max(1));
        position.checkers = position.find_checkers();
        let waiting = position.turn.other();
        let attacked =
            position.attackers(position.king(waiting), position.turn, position.occupied());
        if attacked.has_any() {
            return Err(FenError::SideNotToMoveInCheck);
        }
        position.chess960 = position.castles_from_unusual_squares();
        Ok((position, notes))
    }

    fn read_board(&mut self, field: &[u8], notes: &mut FenNotes) -> Result<(), FenError> {
        self.read_pieces(field, notes)?;
        let kings = self.role(Role::King);
        if [Color::White, Color::Black]
            .iter()
            .any(|&side| (kings & self.color(side)).single().is_none())
        {
            return Err(FenError::NoKing);
        }
        if (self.role(Role::Pawn) & Bitboard::BACK_RANKS).has_any() {
            return Err(FenError::PawnOnBackRank);
        }
        Ok(())
    }

    /// Reads the pieces, any number of kings and pawns anywhere included.
    pub(super) fn read_pieces(
        &mut self,
        field: &[u8],
        notes: &mut FenNotes,
    ) -> Result<(), FenError> {
        let (mut file, mut rank) = (0u8, 7u8);
        let mut last = b'/';
        for &byte in field {
            notes.digits_adjacent |= last.is_ascii_digit() && byte.is_ascii_digit();
            last = byte;
            match byte {
                b'/' => {
                    if file != 8 || rank == 0 {
                        return Err(FenError::Board);
                    }
                    (file, rank) = (0, rank - 1);
                }
                b'1'..=b'8' => file += byte - b'0',
                _ => {
                    let role =
                        Role::from_letter(byte.to_ascii_uppercase()).ok_or(FenError::Board)?;
                    if file > 7 {
                        return Err(FenError::Board);
                    }
                    let bit = Bitboard::of(Square::at(file, rank)).0;
                    let color = if byte.is_ascii_uppercase() { 6 } else { 7 };
                    self.boards[role.index()] |= bit;
                    self.boards[color] |= bit;
                    file += 1;
                }
            }
            if file > 8 {
                return Err(FenError::Board);
            }
        }
        if file != 8 || rank != 0 {
            return Err(FenError::Board);
        }
        Ok(())
    }

    pub(super) fn read_rights(
        &mut self,
        field: &[u8],
        notes: &mut FenNotes,
    ) -> Result<(), FenError> {
        if field == b"-" {
            return Ok(());
        }
        let mut last = (Color::White, 0);
        for &byte in field {
            let color = if byte.is_ascii_uppercase() { Color::White } else { Color::Black };
            let letter = byte.to_ascii_uppercase();
            let unordered = if last.0 == color {
                (last.1, letter) == (b'Q', b'K')
            } else {
                color == Color::White
            };
            notes.rights_style |= unordered;
            last = (color, letter);
            let rook = match letter {
                b'K' => self.outermost_rook(color, CastlingSide::Short),
                b'Q' => self.outermost_rook(color, CastlingSide::Long),
                file @ b'A'..=b'H' => Some(Square::at(file - b'A', color.rank(0))),
                _ => return Err(FenError::Castling),
            };
            let king = self.castling_king(color);
            let side = king.zip(rook).map(|(king, rook)| match rook.file() > king.file() {
                true => CastlingSide::Short,
                false => CastlingSide::Long,
            });
            notes.rights_style |=
                side.is_some_and(|side| self.castling_rook(color, side).is_some());
            if !rook.is_some_and(|rook| self.grant_castling(color, rook)) {
                notes.rights_impossible = true;
            }
        }
        Ok(())
    }

    /// The rook of `color` farthest from its king on a side of it, on the king's rank of the starting position.
    pub(super) fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let home = Bitboard::rank(color.rank(0));
        let king = self.castling_king(color)?;
        let mut rooks = self.role(Role::Rook) & self.color(color) & home;
        match side {
            CastlingSide::Short => rooks.filter(|rook| rook.file() > king.file()).last(),
            CastlingSide::Long => rooks.find(|rook| rook.file() < king.file()),
        }
    }

    pub(super) fn read_en_passant(
        &mut self,
        field: &[u8],
        notes: &mut FenNotes,
    ) -> Result<(), FenError> {
        if field == b"-" {
            return Ok(());
        }
        let square = match *field {
            [file, rank] => Square::from_ascii(file, rank).ok_or(FenError::EnPassant)?,
            _ => return Err(FenError::EnPassant),
        };
        let passer = self.turn.other();
        let on_rank = |rank| Square::at(square.file(), passer.rank(rank));
        let pawn = (self.role(Role::Pawn) & self.color(passer)).has(on_rank(3));
        let passed = [on_rank(1), on_rank(2)].iter().all(|&empty| !self.occupied().has(empty));
        if square.rank() == passer.rank(2) && pawn && passed {
            self.en_passant = square.index() as u8;
        } else {
            notes.en_passant_impossible = true;
        }
        Ok(())
    }
}

/// Larger numbers are read as this one: no readable game lasts so long, and the count that a game reaches is written
/// and read back unchanged.
const CLOCK_MAX: u32 = 1_000_000_000;

pub(super) fn read_clock(field: &[u8], notes: &mut FenNotes) -> Result<u32, FenError> {
    if field == b"-" {
        notes.counters_style = true;
        return Ok(0);
    }
    // `parse` would accept a plus.
    if !field.iter().all(u8::is_ascii_digit) {
        return Err(FenError::Clocks);
    }
    let number = field.iter().try_fold(0_u32, |number, digit| {
        number.checked_mul(10)?.checked_add(u32::from(digit & 0xF))
    });
    let number = number.filter(|_| !field.is_empty()).ok_or(FenError::Clocks)?;
    notes.counters_style |= number > CLOCK_MAX || field.len() > 1 && field[0] == b'0';
    Ok(number.min(CLOCK_MAX))
}
