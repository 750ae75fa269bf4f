//! What one ply is, apart from its texts: its cell among the dimensions of plies, what its SAN says of the origin, and
//! which shorter texts would have been enough.
//!
//! What enters is a [`Ply`]; what leaves are three small numbers, each the place of a counter, so that a ply is counted
//! by three additions. A *cell* is a combination of side, role, kind, check and phase: the tables hold its margins.
//! Cost: some tens of instructions; another pawn's capture is only looked at where a pawn takes.

use crate::board::{Bitboard, Color, Move, MoveKind, Position, Role, Square, pawn_attacks};
use crate::notation::{Check, Disambiguation, Facts, Ply};

use super::Key;

/// One dimension of cells.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) key: Key,
    pub(super) names: &'static [&'static str],
    /// How far cells that differ by one in this dimension lie apart.
    stride: usize,
    /// The place of the first name among the marks.
    mark: usize,
}

/// The sides, White first.
pub(super) const SIDES: [&str; 2] = ["white", "black"];
/// The roles, in the order of [`Role`].
pub(super) const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// What is special about a move.
pub(super) const KINDS: [&str; 5] = ["quiet", "capture", "en-passant", "promotion", "castling"];
/// What a move does to the other king.
pub(super) const CHECKS: [&str; 3] = ["none", "check", "mate"];
/// The phases of a game.
pub(super) const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];

/// The dimensions of cells, those of large stride first.
pub(super) const PARTS: [Part; 5] = [
    Part { key: Key::Side, names: &SIDES, stride: 270, mark: 0 },
    Part { key: Key::Role, names: &ROLES, stride: 45, mark: 2 },
    Part { key: Key::Kind, names: &KINDS, stride: 9, mark: 8 },
    Part { key: Key::Check, names: &CHECKS, stride: 3, mark: 13 },
    Part { key: Key::Phase, names: &PHASES, stride: 1, mark: 16 },
];
/// How many cells there are.
pub(super) const CELLS: usize = 540;
/// How many names all dimensions of cells have together.
pub(super) const MARKS: usize = 19;

impl Part {
    /// The place of a cell's name.
    pub(super) const fn name_of(&self, cell: usize) -> usize {
        cell / self.stride % self.names.len()
    }

    /// The mark of a name.
    pub(super) const fn mark(&self, name: usize) -> usize {
        self.mark + name
    }
}

/// The names of each cell, one bit each.
pub(super) static CELL_MARKS: [u32; CELLS] = {
    let mut marks = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut part = 0;
        while part < PARTS.len() {
            marks[cell] |= 1 << PARTS[part].mark(PARTS[part].name_of(cell));
            part += 1;
        }
        cell += 1;
    }
    marks
};

/// What moves, for [`SAID_COUNT`]: the roles, then castling.
pub(super) const MOVERS: [&str; 7] =
    ["pawn", "knight", "bishop", "rook", "queen", "king", "castling"];
/// What SAN says of the origin.
pub(super) const SAID: [&str; 4] = ["none", "file", "rank", "square"];
/// Counters of who says what.
pub(super) const SAID_COUNT: usize = MOVERS.len() * SAID.len();

/// Flags of a ply; a counter for each combination.
pub(super) mod flag {
    /// The man's role and the arrival square fit no other legal move.
    pub(in super::super) const ENOUGH: u8 = 1;
    /// A piece moves, not a pawn, and does not castle.
    pub(in super::super) const PIECE: u8 = 2;
    /// A pawn takes.
    pub(in super::super) const PAWN_TAKES: u8 = 4;
    /// A pawn takes, and its files fit no other legal capture by a pawn.
    pub(in super::super) const FILES: u8 = 8;
    /// Legality makes the economical text without letters shorter.
    pub(in super::super) const SQUARES_SHORTER: u8 = 16;
    /// Legality makes the economical text with priority shorter.
    pub(in super::super) const PRIORITY_SHORTER: u8 = 32;
    /// Counters of combinations.
    pub(in super::super) const COUNT: usize = 64;
}

/// What one ply is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Traits {
    pub(super) cell: u16,
    pub(super) said: u8,
    pub(super) flags: u8,
}

impl Traits {
    #[inline]
    pub(super) fn of(ply: &Ply<'_>, facts: &Facts<'_>) -> Traits {
        let (before, mv, role) = (ply.before(), ply.mv(), ply.mv().role());
        let kind = kind_of(ply);
        let phase = phase_of(before);
        let check = match ply.check() {
            Check::None => 0,
            Check::Check => 1,
            Check::Mate => 2,
        };
        let [side, role_index] = [before.turn().index(), role.index()];
        let cell = (((side * 6 + role_index) * 5 + kind) * 3 + check) * 3 + phase;
        let castles = mv.castling_side().is_some();
        let (said, flags) = if role == Role::Pawn {
            let takes = kind == 1 || kind == 2 || kind == 3 && ply.is_capture();
            (u8::from(takes), if takes { pawn_flags(before, mv) } else { flag::ENOUGH })
        } else if castles {
            (0, flag::ENOUGH)
        } else {
            let said = said_by(facts.disambiguation());
            (said, flag::PIECE | if said == 0 { flag::ENOUGH } else { 0 })
        };
        let mover = if castles { 6 } else { role_index as u8 };
        Traits { cell: cell as u16, said: mover * 4 + said, flags }
    }
}

/// The place in [`KINDS`].
#[inline(always)]
fn kind_of(ply: &Ply<'_>) -> usize {
    match ply.mv().kind() {
        MoveKind::CastleShort | MoveKind::CastleLong => 4,
        MoveKind::EnPassant => 2,
        MoveKind::Normal if ply.mv().promoted().is_some() => 3,
        MoveKind::Normal => usize::from(ply.is_capture()),
    }
}

/// The place in [`SAID`].
#[inline(always)]
fn said_by(disambiguation: Disambiguation) -> u8 {
    match disambiguation {
        Disambiguation::None => 0,
        Disambiguation::File => 1,
        Disambiguation::Rank => 2,
        Disambiguation::Square => 3,
    }
}

/// The place in [`PHASES`] of the position before a move. The bounds are those of Lichess's division of games, without
/// its measure of how far the sides have mixed: the endgame has at most six pieces (neither pawn nor king), the opening
/// more than ten, and on each back rank at least four men of its side.
#[inline(always)]
fn phase_of(position: &Position) -> usize {
    let others = position.role(Role::Pawn) | position.role(Role::King);
    let pieces = (position.occupied() & !others).count();
    if pieces <= 6 {
        return 2;
    }
    let home = |color: Color| (position.color(color) & Bitboard::rank(color.rank(0))).count();
    usize::from(pieces <= 10 || home(Color::White) < 4 || home(Color::Black) < 4)
}

/// Of a pawn that takes: does its arrival square tell it, do its files?
#[inline(never)]
fn pawn_flags(before: &Position, mv: Move) -> u8 {
    let (origin, target, turn) = (mv.origin(), mv.target(), before.turn());
    let pawns = before.ours(Role::Pawn) ^ Bitboard::of(origin);
    let takes = |man: Square, target: Square| {
        let there = before.them().has(target) || before.en_passant_square() == Some(target);
        there && before.is_safe(pawn_capture(before, man, target))
    };
    let mut flags = flag::PAWN_TAKES;
    let mut rivals = (pawn_attacks(turn.other(), target) & pawns).into_iter();
    if !rivals.any(|man| takes(man, target)) {
        flags |= flag::ENOUGH;
    }
    let ahead = |man: Square| match turn {
        Color::White => man.rank() + 1,
        Color::Black => man.rank() - 1,
    };
    let mut behind = (pawns & Bitboard::file(origin.file())).into_iter();
    if !behind.any(|man| takes(man, Square::at(target.file(), ahead(man)))) {
        flags |= flag::FILES;
    }
    flags
}

fn pawn_capture(before: &Position, man: Square, target: Square) -> Move {
    if Bitboard::BACK_RANKS.has(target) {
        Move::promotion(man, target, Role::Queen)
    } else if before.them().has(target) {
        Move::normal(Role::Pawn, man, target)
    } else {
        Move::en_passant(man, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Notation, san::San};

    fn traits(fen: &str, san: &str) -> (Vec<&'static str>, &'static str, u8) {
        let (before, _) = Position::from_fen(fen.as_bytes()).unwrap();
        let mv = San.decode(san.as_bytes(), &before).unwrap();
        let after = before.play(mv);
        let ply = Ply::new(&before, mv, &after, Check::of(&after));
        let traits = Traits::of(&ply, &Facts::of(&ply));
        let cell = traits.cell as usize;
        let names = PARTS.iter().map(|part| part.names[part.name_of(cell)]).collect();
        for (part, name) in PARTS.iter().zip(&names) {
            let place = part.names.iter().position(|other| other == name).unwrap();
            assert!(CELL_MARKS[cell] >> part.mark(place) & 1 == 1);
        }
        assert_eq!(CELL_MARKS[cell].count_ones(), 5);
        (names, SAID[traits.said as usize % 4], traits.flags)
    }

    #[test]
    fn plies_fall_into_their_cells() {
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let e4 = traits(initial, "e4");
        assert_eq!(e4.0, ["white", "pawn", "quiet", "none", "opening"]);
        assert_eq!((e4.1, e4.2), ("none", flag::ENOUGH));
        let back = traits("6k1/5ppp/8/8/8/8/8/R3K2R b KQ - 0 1", "h6");
        assert_eq!(back.0, ["black", "pawn", "quiet", "none", "endgame"]);
        let mate = traits("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra8#");
        assert_eq!(mate.0, ["white", "rook", "quiet", "mate", "endgame"]);
        let castles = traits("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O");
        assert_eq!(castles.0, ["white", "king", "castling", "none", "endgame"]);
        let rook = traits("6k1/8/8/8/8/8/5K2/R6R w - - 0 1", "Rae1");
        assert_eq!((rook.1, rook.2), ("file", flag::PIECE));
        let promotes = traits("n5k1/1P6/8/8/8/8/5K2/8 w - - 0 1", "bxa8=Q+");
        assert_eq!(promotes.0, ["white", "pawn", "promotion", "check", "endgame"]);
        assert_eq!(promotes.1, "file");
    }

    #[test]
    fn pawn_captures_know_their_rivals() {
        let (enough, files) = (flag::ENOUGH | flag::PAWN_TAKES, flag::FILES | flag::PAWN_TAKES);
        let both = enough | files;
        // One pawn takes; two could; two on a file take on the same file; en passant; a pinned rival is none.
        assert_eq!(traits("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5").2, both);
        assert_eq!(traits("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "exd5").2, files);
        assert_eq!(traits("4k3/3p4/4P3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5").2, enough);
        assert_eq!(traits("4k3/8/8/3pP3/4P3/8/8/4K3 w - d6 0 1", "exd6").2, enough);
        assert_eq!(traits("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6").2, both);
        assert_eq!(traits("4r1k1/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5").2, both);
    }
}
