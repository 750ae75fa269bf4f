//! Positions with their history, random games, and the files of `../shared`.

use std::path::PathBuf;

use pgnmill_core::chess::{Move, Position};
use pgnmill_core::notation::{self, Lineage, Notation};

use super::{Dice, here};

/// A notation that is registered.
pub(crate) fn registered(name: &str) -> &'static dyn Notation {
    notation::find(name).unwrap_or_else(|| panic!("{name} is not registered"))
}

/// The position of a FEN.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen.as_bytes()).unwrap_or_else(|e| panic!("{fen}: {e}")).0
}

/// The legal move that UCI writes so.
pub(crate) fn uci(position: &Position, text: &str) -> Move {
    let read = registered("uci").read(text.as_bytes(), position);
    read.unwrap_or_else(|e| panic!("{text} in {}: {}", position.to_fen(), e.name())).mv
}

/// A file or folder of `../shared`: a test that reads it has the attribute `#[needs]`.
pub(crate) fn shared(path: &str) -> PathBuf {
    here("../shared").join(path)
}

/// The file of a folder of `../shared` whose name begins with `prefix`.
pub(crate) fn shared_text(folder: &str, prefix: &str) -> String {
    let folder = shared(folder);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let path = paths.find(|path| super::name_of(path).starts_with(prefix));
    std::fs::read_to_string(path.unwrap_or_else(|| panic!("no {prefix}*"))).unwrap()
}

/// A position with the history that led to it.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    /// The position.
    pub(crate) position: Position,
    /// The initial file of each piece, for games from the starting position.
    pub(crate) lineage: Option<Lineage>,
}

impl Moment {
    /// The beginning of a game.
    pub(crate) fn start(position: Position) -> Moment {
        Moment { position, lineage: Lineage::of(&position) }
    }

    /// After a move.
    pub(crate) fn after(&self, mv: Move) -> Moment {
        Moment {
            position: self.position.play(mv),
            lineage: self.lineage.map(|lineage| lineage.after(mv)),
        }
    }

    /// The canonical text of a move.
    pub(crate) fn write(&self, notation: &dyn Notation, mv: Move) -> String {
        let text = notation::write_in(notation, &self.position, mv, self.lineage.as_ref());
        String::from_utf8(text.as_bytes().to_vec()).expect("UTF-8")
    }
}

/// A random game: every moment in which a move can be made. Pawns are preferred, so that many are
/// promoted.
pub(crate) fn walk(start: Position, plies: usize, random: &mut Dice) -> Vec<Moment> {
    let (mut moment, mut moments) = (Moment::start(start), Vec::new());
    for _ in 0..plies {
        let moves = moment.position.legal_moves();
        if moves.is_empty() {
            break;
        }
        moments.push(moment);
        let pick = |random: &mut Dice| moves[random.below(moves.len())];
        let mut mv = pick(random);
        for _ in 0..2 {
            if mv.role() != pgnmill_core::chess::Role::Pawn {
                mv = pick(random);
            }
        }
        moment = moment.after(mv);
    }
    moments
}

/// Difficult positions: castling both ways, promotions, many pieces of a type, en passant,
/// pins.
pub(crate) const HARD: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
    "r1b1q1n1/PPPPPPPP/8/4k3/8/4K3/pppppppp/R1B1Q1N1 w - - 0 1",
    "r1b1q1n1/PPPPPPPP/8/4k3/8/4K3/pppppppp/R1B1Q1N1 b - - 0 1",
    "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
    "6nk/6pp/8/Q1Q5/8/Q1Q1Q3/8/K3Q3 w - - 0 1",
    "kn6/8/2r2r2/N3N2N/8/r1N2N1r/8/1K6 w - - 0 1",
    "3r2rk/1p1p1p1p/p1p1p1p1/8/8/P1P1P1P1/1P1P1P1P/3R2RK w - - 0 1",
    "r4rk1/8/1pp2pp1/1PP2PP1/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/2pPp3/8/8/4K3 b - d3 0 1",
    "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1",
    "1r2k3/8/8/8/8/8/8/1R2K1RR w GBb - 0 1",
    "5rkr/8/8/8/8/8/8/5RKR w HFhf - 0 1",
    "k7/p7/8/8/8/NNNNN3/NNNNN3/K7 w - - 0 1",
    "2kr3r/8/8/8/8/8/8/2KR3R b HDhd - 0 1",
];
