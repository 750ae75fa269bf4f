//! Positions of the Lichess variants for tests: random records, and the same position in shakmaty.

use pgnmill_core::chess::rules::{VariantKind, VariantPosition};
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{CastlingMode, Setup};

use super::Dice;

/// Our rulesets that shakmaty has.
pub(crate) const SHARED: [(VariantKind, Variant); 7] = [
    (VariantKind::Crazyhouse, Variant::Crazyhouse),
    (VariantKind::Atomic, Variant::Atomic),
    (VariantKind::Antichess, Variant::Antichess),
    (VariantKind::KingOfTheHill, Variant::KingOfTheHill),
    (VariantKind::ThreeCheck, Variant::ThreeCheck),
    (VariantKind::RacingKings, Variant::RacingKings),
    (VariantKind::Horde, Variant::Horde),
];

/// Are its castling rights those of chess or of Chess960?
pub(crate) fn mode_of(position: &VariantPosition) -> CastlingMode {
    match position.board().is_chess960() {
        true => CastlingMode::Chess960,
        false => CastlingMode::Standard,
    }
}

/// The position of a record in shakmaty; `None` where it accepts no such position.
pub(crate) fn theirs_of(variant: Variant, record: &str, mode: CastlingMode) -> Option<Theirs> {
    let setup: Setup = Fen::from_ascii(record.as_bytes()).ok()?.into();
    match Theirs::from_setup(variant, setup, mode) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_too_much_material().ok(),
    }
}

/// A start of Chess960, with all rights.
pub(crate) fn start_of_chess960(kind: VariantKind, dice: &mut Dice) -> String {
    let mut rank = [' '; 8];
    let mut free: Vec<usize> = (0..8).collect();
    let mut put =
        |rank: &mut [char; 8], letter, allowed: &dyn Fn(usize) -> bool, dice: &mut Dice| {
            let squares: Vec<usize> = free.iter().copied().filter(|&file| allowed(file)).collect();
            let file = squares[dice.below(squares.len())];
            free.retain(|&other| other != file);
            rank[file] = letter;
        };
    put(&mut rank, 'B', &|file| file % 2 == 0, dice);
    put(&mut rank, 'B', &|file| file % 2 == 1, dice);
    for letter in ['Q', 'N', 'N'] {
        put(&mut rank, letter, &|_| true, dice);
    }
    for (letter, file) in ['R', 'K', 'R'].into_iter().zip(free) {
        rank[file] = letter;
    }
    let white: String = rank.iter().collect();
    let rights = if kind == VariantKind::Antichess { "-" } else { "KQkq" };
    let board = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{white}", white.to_lowercase());
    format!("{board} w {rights} - 0 1")
}

/// A record with pieces at random; most are refused, as they should be.
///
/// `pieces_max`: besides the kings and the horde, about.
pub(crate) fn random_record(kind: VariantKind, pieces_max: usize, dice: &mut Dice) -> String {
    let mut squares = ['1'; 64];
    let mut put = |letter: char, dice: &mut Dice| {
        let is_pawn = matches!(letter, 'p' | 'P');
        let square = if is_pawn { 8 + dice.below(48) } else { dice.below(64) };
        squares[square] = letter;
    };
    for _ in 0..dice.below(pieces_max) {
        put("PPPNBRQpppnbrq".chars().nth(dice.below(14)).unwrap(), dice);
    }
    if kind == VariantKind::Horde {
        (0..20).for_each(|_| put('P', dice));
    } else {
        put('K', dice);
    }
    put('k', dice);
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    let mut board = ranks.join("/");
    if kind == VariantKind::RacingKings {
        board = board.replace(['P', 'p'], "1");
    }
    if kind == VariantKind::Crazyhouse {
        let pocket: String =
            (0..dice.below(8)).map(|_| b"QRBNPqrbnp"[dice.below(10)] as char).collect();
        board = format!("{board}[{pocket}]");
    }
    format!("{board} {} - - 0 1", if dice.below(2) == 0 { 'w' } else { 'b' })
}
