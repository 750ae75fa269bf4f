//! Validates the moves of PGN files with pgn-reader and shakmaty, as fast as they can: `peers plain|suffixes FILE...`.
//!
//! Out: games, games with a move that is illegal or unreadable, plies, and with `suffixes` the number of wrong check suffixes,
//! separated by tabs. `plain` does not compare check suffixes.

use std::fs::File;
use std::ops::ControlFlow;
use std::{env, io};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::san::Suffix;
use shakmaty::{CastlingMode, Chess, Position};

#[derive(Default)]
struct Validator {
    compares_suffixes: bool,
    games: u64,
    broken: u64,
    plies: u64,
    wrong_suffixes: u64,
}

impl Visitor for Validator {
    type Tags = Chess;
    type Movetext = Chess;
    /// `true` if every move was played.
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        let setup = Fen::from_ascii(value.as_bytes()).ok();
        match setup.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
            Some(position) => {
                *start = position;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(false),
        }
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<bool> {
        let Ok(mv) = san.san.to_move(position) else { return ControlFlow::Break(false) };
        position.play_unchecked(mv);
        self.plies += 1;
        if self.compares_suffixes {
            let suffix = match position.is_check() {
                false => None,
                true if position.is_checkmate() => Some(Suffix::Checkmate),
                true => Some(Suffix::Check),
            };
            self.wrong_suffixes += u64::from(suffix != san.suffix);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

fn main() -> io::Result<()> {
    let mut args = env::args().skip(1);
    let compares_suffixes = match args.next().as_deref() {
        Some("plain") => false,
        Some("suffixes") => true,
        _ => return Err(io::Error::other("peers plain|suffixes FILE...")),
    };
    let mut validator = Validator { compares_suffixes, ..Validator::default() };
    for path in args {
        let mut reader = Reader::new(File::open(path)?);
        while let Some(is_whole) = reader.read_game(&mut validator)? {
            validator.games += 1;
            validator.broken += u64::from(!is_whole);
        }
    }
    let Validator { games, broken, plies, wrong_suffixes, .. } = validator;
    println!("{games}\t{broken}\t{plies}\t{wrong_suffixes}");
    Ok(())
}
