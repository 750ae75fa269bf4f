//! Validates the moves of PGN files with pgn-reader and shakmaty, as fast as they can:
//! `peers plain|suffixes [--rules NAME] FILE...`; all games of the files are of that ruleset, chess by default.
//!
//! Out: games, games with a move that is illegal or unreadable, plies, and with `suffixes` the number of wrong check suffixes,
//! separated by tabs. `plain` does not compare check suffixes.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::{env, io};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::san::Suffix;
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Chess, FromSetup, KnownOutcome, Outcome, Position};

struct Validator<P> {
    compares_suffixes: bool,
    games: u64,
    broken: u64,
    plies: u64,
    wrong_suffixes: u64,
    rules: PhantomData<P>,
}

impl<P: Position + FromSetup + Default> Visitor for Validator<P> {
    type Tags = P;
    type Movetext = P;
    /// `true` if every move was played.
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, P> {
        ControlFlow::Continue(P::default())
    }

    fn tag(&mut self, start: &mut P, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
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

    fn begin_movetext(&mut self, start: P) -> ControlFlow<bool, P> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut P, san: SanPlus) -> ControlFlow<bool> {
        let Ok(mv) = san.san.to_move(position) else { return ControlFlow::Break(false) };
        position.play_unchecked(mv);
        self.plies += 1;
        if self.compares_suffixes {
            let suffix = match position.is_check() {
                _ if is_won(position) => Some(Suffix::Checkmate),
                false => None,
                true => Some(Suffix::Check),
            };
            self.wrong_suffixes += u64::from(suffix != san.suffix);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: P) -> bool {
        true
    }
}

/// Has one side won? In chess only a side in check can have lost.
fn is_won<P: Position>(position: &P) -> bool {
    if position.is_variant_end() {
        return matches!(position.variant_outcome(), Outcome::Known(KnownOutcome::Decisive { .. }));
    }
    position.is_checkmate()
}

fn run<P: Position + FromSetup + Default>(
    compares_suffixes: bool,
    paths: &[String],
) -> io::Result<()> {
    let mut validator = Validator::<P> {
        compares_suffixes,
        games: 0,
        broken: 0,
        plies: 0,
        wrong_suffixes: 0,
        rules: PhantomData,
    };
    for path in paths {
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

fn main() -> io::Result<()> {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let usage = || io::Error::other("peers plain|suffixes [--rules NAME] FILE...");
    let compares_suffixes = match args.first().map(String::as_str) {
        Some("plain") => false,
        Some("suffixes") => true,
        _ => return Err(usage()),
    };
    args.remove(0);
    let mut rules = "chess".to_string();
    if args.first().is_some_and(|arg| arg == "--rules") {
        rules = args.get(1).ok_or_else(usage)?.clone();
        args.drain(..2);
    }
    match rules.as_str() {
        "chess" => run::<Chess>(compares_suffixes, &args),
        "crazyhouse" => run::<Crazyhouse>(compares_suffixes, &args),
        "atomic" => run::<Atomic>(compares_suffixes, &args),
        "antichess" => run::<Antichess>(compares_suffixes, &args),
        "kingOfTheHill" => run::<KingOfTheHill>(compares_suffixes, &args),
        "threeCheck" => run::<ThreeCheck>(compares_suffixes, &args),
        "racingKings" => run::<RacingKings>(compares_suffixes, &args),
        "horde" => run::<Horde>(compares_suffixes, &args),
        _ => Err(usage()),
    }
}
