//! The parts of a descriptive text: files by name, a piece, the goal of a move; how each is written with an effort.
//!
//! Efforts are those of [`super`]. Input: a square or a piece of a position; output: bytes, their number, and the
//! squares that the same bytes fit. Nothing allocates.

use crate::chess::{Bitboard, Board, Color, Move, Role, Square};
use crate::notation::{Lineage, MoveText};

use super::lettering::{ENGLISH, Lettering};

/// The squares with the same short name: on the file and on its twin of the other wing.
pub(super) fn twins(square: Square) -> Bitboard {
    let twin = match square.file() {
        3 | 4 => square.file(),
        file => 7 - file,
    };
    Bitboard::of(square) | Bitboard::of(Square::at(twin, square.rank()))
}

fn files(squares: Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::file(square.file()))
}

/// A square, its rank counted from `turn`'s side.
pub(super) fn push_square(
    square: Square,
    turn: Color,
    full: bool,
    lettering: &Lettering,
    text: &mut MoveText,
) {
    let rank = [b'1' + turn.rank(square.rank())];
    lettering.push(lettering.file(square.file(), full), &rank, text);
}

/// All squares of the files that have this name, short or full.
pub(super) fn named_files(name: &[u8]) -> Option<Bitboard> {
    let mut found = Bitboard::EMPTY;
    for (file, full) in (0..).zip(ENGLISH.files) {
        if full == name || (name.len() == 1 && full.ends_with(name)) {
            found |= Bitboard::file(file);
        }
    }
    found.has_any().then_some(found)
}

/// The letters of pieces and files at the head of a text, and the rest.
pub(super) fn split_letters(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| b"KQRBNP".contains(byte)).count())
}

/// A square, or its file or rank alone: the squares meant, and the rest.
pub(super) fn take_location(text: &[u8], turn: Color) -> Option<(Bitboard, &[u8])> {
    let (name, rest) = split_letters(text);
    let files = if name.is_empty() { !Bitboard::EMPTY } else { named_files(name)? };
    match *rest {
        [digit @ b'1'..=b'8', ref rest @ ..] => {
            Some((files & Bitboard::rank(turn.rank(digit - b'1')), rest))
        }
        _ if name.is_empty() => None,
        _ => Some((files, rest)),
    }
}

/// A piece that a text names: the moving one or the captured one.
#[derive(Clone, Copy)]
pub(super) struct DescribedPiece {
    pub(super) role: Role,
    pub(super) square: Square,
    /// The pieces of its colour and role that began on its wing, if that is known.
    wing: Option<Bitboard>,
    queenside: bool,
}

impl DescribedPiece {
    pub(super) fn new<B: Board>(
        position: &B,
        square: Square,
        role: Role,
        lineage: Option<&Lineage>,
    ) -> DescribedPiece {
        let mut piece = DescribedPiece { role, square, wing: None, queenside: false };
        if let Some(lineage) = lineage
            && matches!(role, Role::Knight | Role::Bishop | Role::Rook)
            && (B::IS_STANDARD || !lineage.is_dropped(square))
        {
            piece.queenside = lineage.file(square) < 4;
            let pieces = position.role(role);
            let queenside = lineage.queenside(pieces);
            let began = if B::IS_STANDARD { pieces } else { pieces & !lineage.dropped(pieces) };
            piece.wing = Some(if piece.queenside { queenside } else { began & !queenside });
        }
        piece
    }

    /// The squares of a piece named with this effort; `None` if this one cannot be named so.
    pub(super) fn squares(&self, effort: u8) -> Option<Bitboard> {
        let pawn = self.role == Role::Pawn;
        match effort {
            0 => Some(!Bitboard::EMPTY),
            1 if pawn => Some(files(twins(self.square))),
            2 if pawn => Some(Bitboard::file(self.square.file())),
            2 => self.wing,
            3 => Some(twins(self.square)),
            4 => Some(Bitboard::of(self.square)),
            _ => None,
        }
    }

    pub(super) fn write(
        &self,
        effort: u8,
        turn: Color,
        lettering: &Lettering,
        text: &mut MoveText,
    ) {
        let letter = [lettering.letter(self.role)];
        let wing = [lettering.letter(if self.queenside { Role::Queen } else { Role::King })];
        let name: &[u8] = match effort {
            1 | 2 if self.role == Role::Pawn => lettering.file(self.square.file(), effort == 2),
            2 => &wing,
            _ => b"",
        };
        lettering.push(name, &letter, text);
        if effort > 2 {
            text.push(b'/');
            push_square(self.square, turn, effort == 4, lettering, text);
        }
    }

    /// The length of what [`DescribedPiece::write`] writes in every language.
    #[inline(always)]
    pub(super) fn length(&self, effort: u8) -> u8 {
        let pawn = self.role == Role::Pawn;
        match effort {
            0 => 1,
            1 | 2 if pawn => 1 + file_length(self.square, effort == 2),
            1 | 2 => effort,
            _ => 3 + file_length(self.square, effort == 4),
        }
    }
}

/// The length of the name of a square's file, the same in every language.
#[inline(always)]
fn file_length(square: Square, full: bool) -> u8 {
    1 + u8::from(full && !matches!(square.file(), 3 | 4))
}

/// The goal of a move: a square, or the captured piece.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    Square(Square),
    Victim(DescribedPiece),
}

impl Goal {
    pub(super) fn squares(&self, effort: u8) -> Option<Bitboard> {
        match (self, effort) {
            (Goal::Square(square), 0) => Some(twins(*square)),
            (Goal::Square(square), 1) => Some(Bitboard::of(*square)),
            (Goal::Square(_), _) => None,
            (Goal::Victim(piece), _) => piece.squares(effort),
        }
    }

    pub(super) fn write(
        &self,
        effort: u8,
        turn: Color,
        lettering: &Lettering,
        text: &mut MoveText,
    ) {
        match self {
            Goal::Square(square) => {
                if !lettering.is_romance {
                    text.push(b'-');
                }
                push_square(*square, turn, effort == 1, lettering, text);
            }
            Goal::Victim(piece) => {
                text.push(b'x');
                piece.write(effort, turn, lettering, text);
            }
        }
    }

    /// The length of what [`Goal::write`] writes in English.
    #[inline(always)]
    pub(super) fn length(&self, effort: u8) -> u8 {
        match self {
            Goal::Square(square) => 2 + file_length(*square, effort == 1),
            Goal::Victim(piece) => 1 + piece.length(effort),
        }
    }
}

/// The square that names the goal of a move: of the captured piece, or the arrival.
pub(super) fn goal_square(position: &impl Board, mv: Move) -> Square {
    position.captured_square(mv).unwrap_or(mv.target())
}
