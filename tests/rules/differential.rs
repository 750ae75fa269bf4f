//! Our rules and our SAN against shakmaty's, ply by ply, over real games and random walks.
//!
//! In: the shared archives, replayed by pgn-reader and shakmaty without our reader of
//! SAN, and walks from the starts of Chess960. At every ply must be equal: the legal moves, the
//! move's SAN, what we read from the archive's own text, the FEN record, check, checkmate and
//! stalemate.
//!
//! The plies of games are shared among the archives.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

pub(crate) mod games;

use std::collections::BTreeMap;

use self::games::{Game, Games};
use crate::common::{Dice, here, trials};
use pgnmill_core::chess::{Move, MoveKind, Position, Role, Square};
use pgnmill_core::notation::{self, Check, Notation, san::San};
use pgnmill_needs::needs;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};

/// What was compared and where the two differ.
#[derive(Default)]
struct Report {
    games: usize,
    plies: u64,
    moves: u64,
    sans: u64,
    raw_texts: u64,
    canonical_texts: u64,
    /// Texts that are not canonical, by what they show.
    deviating_texts: BTreeMap<&'static str, u64>,
    /// Games whose texts do not pair off with pgn-reader's moves.
    unpaired: usize,
    /// Games that stop at a move shakmaty refuses.
    illegal: usize,
    /// Of these moves, those that we read and name the deviation of: `Nc3` for a capture.
    read_generously: usize,
    /// Games whose record shakmaty refuses, and we too or with a note.
    unplayable: usize,
    disagreements: Vec<String>,
}

impl Report {
    fn disagree(&mut self, said: String) {
        self.disagreements.push(said);
    }

    fn conclude(&self, plies_min: u64) {
        let Report { games, plies, moves, sans, .. } = self;
        println!("{games} games, {plies} plies, {moves} legal moves, {sans} SAN texts compared");
        let Report { raw_texts, canonical_texts, deviating_texts, .. } = self;
        println!("{raw_texts} texts of archives: {canonical_texts} canonical, {deviating_texts:?}");
        let Report { unpaired, illegal, read_generously, unplayable, .. } = self;
        println!("{unpaired} games without their texts, {unplayable} that cannot be set up");
        println!("{illegal} stopped at a move, of which we can read {read_generously}");
        let shown = &self.disagreements[..self.disagreements.len().min(40)];
        let count = self.disagreements.len();
        assert!(count == 0, "{count} disagreements\n{}", shown.join("\n"));
        assert!(self.plies >= plies_min, "only {} plies", self.plies);
    }
}

/// The same position twice.
struct Pair {
    ours: Position,
    theirs: Chess,
}

fn square(theirs: shakmaty::Square) -> Square {
    Square::at(theirs.file() as u8, theirs.rank() as u8)
}

fn role(theirs: shakmaty::Role) -> Role {
    Role::from_letter(theirs.upper_char() as u8).expect("six roles")
}

/// Our move for theirs, by squares alone: another check compares legality.
fn translate(position: &Position, theirs: shakmaty::Move) -> Option<Move> {
    let promoted = theirs.promotion().map(role);
    let origin = square(theirs.from()?);
    let found = position.legal_move(origin, square(theirs.to()), promoted)?;
    let kinds = match theirs {
        shakmaty::Move::EnPassant { .. } => found.kind() == MoveKind::EnPassant,
        shakmaty::Move::Castle { .. } => found.castling_side().is_some(),
        _ => found.kind() == MoveKind::Normal,
    };
    (kinds && found.role() == role(theirs.role())).then_some(found)
}

impl Pair {
    /// Both read a record; nothing if neither can play on from it.
    fn read(fen: &[u8], report: &mut Report) -> Option<Pair> {
        let theirs = Fen::from_ascii(fen).ok().and_then(|fen| {
            fen.into_position(CastlingMode::Chess960)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
                .ok()
        });
        match (Position::from_fen(fen), theirs) {
            (Ok((ours, _)), Some(theirs)) => Some(Pair { ours: ours.with_chess960(true), theirs }),
            (ours, None) => {
                report.unplayable += 1;
                if ours.is_ok_and(|(_, notes)| notes.is_clean()) {
                    report.disagree(format!("{}: we alone can read it", fen.escape_ascii()));
                }
                None
            }
            (Err(error), Some(_)) => {
                report.disagree(format!("{}: {error}", fen.escape_ascii()));
                None
            }
        }
    }

    /// FEN, legal moves, check, checkmate, stalemate. With `every_san` also the SAN of every legal
    /// move.
    fn compare(&self, every_san: bool, report: &mut Report) {
        report.plies += 1;
        let ours = self.ours.to_fen();
        let theirs = Fen::from_position(&self.theirs, EnPassantMode::Legal).to_string();
        if ours != theirs {
            report.disagree(format!("FEN {ours}, shakmaty {theirs}"));
        }
        let legal = self.theirs.legal_moves();
        self.compare_moves(&legal, &ours, report);
        let check = [
            self.theirs.is_check() == self.ours.in_check(),
            self.theirs.is_checkmate() == self.ours.is_checkmate(),
            self.theirs.is_stalemate() == self.ours.is_stalemate(),
        ];
        if check != [true; 3] {
            report.disagree(format!("{ours}: check, checkmate, stalemate agree: {check:?}"));
        }
        if every_san {
            for &mv in &legal {
                self.compare_san(mv, report);
            }
        }
    }

    /// The legal moves as UCI texts of Chess960.
    fn compare_moves(&self, legal: &[shakmaty::Move], fen: &str, report: &mut Report) {
        let uci = notation::find("uci").expect("registered");
        let text = |mv| notation::write(uci, &self.ours, mv).to_string();
        let mut ours: Vec<String> = self.ours.legal_moves().into_iter().map(text).collect();
        let mut theirs: Vec<String> =
            legal.iter().map(|&mv| UciMove::from_chess960(mv).to_string()).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        report.moves += theirs.len() as u64;
        if ours != theirs {
            report.disagree(format!("{fen}: legal {ours:?}, shakmaty {theirs:?}"));
        }
    }

    /// The SAN of a legal move, written and read. The move, if it is one of ours too.
    fn compare_san(&self, theirs: shakmaty::Move, report: &mut Report) -> Option<Move> {
        let Some(mv) = translate(&self.ours, theirs) else {
            report.disagree(format!("{}: {theirs:?} is not ours", self.ours.to_fen()));
            return None;
        };
        let written = notation::write(&San, &self.ours, mv);
        let expected = SanPlus::from_move(self.theirs.clone(), theirs).to_string();
        if written.as_bytes() != expected.as_bytes() {
            report.disagree(format!("{}: {written}, shakmaty {expected}", self.ours.to_fen()));
        }
        if San.decode(&self.ours, expected.as_bytes()) != Ok(mv) {
            report.disagree(format!("{}: {expected} is not decoded", self.ours.to_fen()));
        }
        report.sans += 1;
        Some(mv)
    }

    /// A text that shakmaty refuses: we refuse it too, or name what is odd.
    fn compare_refused(&self, text: &[u8], report: &mut Report) {
        let (fen, read) = (self.ours.to_fen(), San.read(text, &self.ours));
        let text = text.escape_ascii();
        println!("{fen}: shakmaty refuses {text}, we: {read:?}");
        let Ok(reading) = read else { return };
        report.read_generously += 1;
        if reading.deviations.is_empty() {
            report.disagree(format!("{fen}: we alone read {text}"));
        }
    }

    /// What we read from an archive's own text, against the move that shakmaty found.
    fn compare_raw(&self, text: &[u8], mv: Move, report: &mut Report) {
        let place = || format!("{}: {}", self.ours.to_fen(), text.escape_ascii());
        report.raw_texts += 1;
        match San.read(text, &self.ours) {
            Ok(reading) if reading.mv == mv => {
                let check = Check::of(&self.ours.play(mv));
                let clean = reading.deviations.is_empty()
                    && reading.check_suffix.deviation(check).is_none();
                let canonical = notation::write(&San, &self.ours, mv).as_bytes() == text;
                report.canonical_texts += u64::from(canonical);
                for deviation in
                    reading.deviations.iter().chain(reading.check_suffix.deviation(check))
                {
                    *report.deviating_texts.entry(deviation.name()).or_default() += 1;
                }
                if clean != canonical {
                    report.disagree(format!("{}: {reading:?} but canonical {canonical}", place()));
                }
            }
            other => report.disagree(format!("{}: {other:?}, shakmaty {mv:?}", place())),
        }
    }

    fn play(&mut self, theirs: shakmaty::Move, ours: Move) {
        self.theirs.play_unchecked(theirs);
        self.ours = self.ours.play(ours);
    }
}

/// Walks a game as far as shakmaty can, up to `limit` plies.
fn walk_game(game: &Game, limit: u64, report: &mut Report) {
    let start = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let Some(mut pair) = Pair::read(game.fen.as_deref().unwrap_or(start), report) else { return };
    report.games += 1;
    report.unpaired += usize::from(game.texts.is_empty() && !game.moves.is_empty());
    let last = report.plies + limit;
    for (index, san) in game.moves.iter().enumerate() {
        if report.plies >= last {
            return;
        }
        // Every legal move's SAN at one ply in sixteen: it costs as much as all the rest.
        pair.compare(report.plies.is_multiple_of(16), report);
        let Ok(theirs) = san.san.to_move(&pair.theirs) else {
            report.illegal += 1;
            if let Some(text) = game.texts.get(index) {
                pair.compare_refused(text, report);
            }
            return;
        };
        let Some(ours) = pair.compare_san(theirs, report) else { return };
        if let Some(text) = game.texts.get(index) {
            pair.compare_raw(text, ours, report);
        }
        pair.play(theirs, ours);
    }
    // The last position, where mates and stalemates are.
    pair.compare(true, report);
}

#[needs("../shared/corpora")]
#[test]
fn games_are_played_as_shakmaty_plays_them() {
    let corpora = here("../shared/corpora");
    let plies: u64 = trials(25_000, 80_000, 5_000_000);
    let folders = ["annotated", "chess960", "engine", "otb", "lichess", "bench"];
    let archives: Vec<_> =
        folders.iter().flat_map(|folder| games::archives(&corpora.join(folder))).collect();
    let mut report = Report::default();
    for (index, path) in archives.iter().enumerate() {
        // What earlier archives did not use goes to the later ones, which are the large ones.
        let quota = plies.saturating_sub(report.plies) / (archives.len() - index) as u64;
        let (last, before) = (report.plies + quota, report.plies);
        for game in Games::open(path).expect("a readable archive") {
            if report.plies >= last {
                break;
            }
            walk_game(&game, last - report.plies, &mut report);
        }
        println!("{}: {} plies", path.display(), report.plies - before);
    }
    report.conclude(plies * 9 / 10);
}

/// First ranks of the 960 starts.
fn first_ranks(list: &str) -> Vec<&str> {
    list.lines().filter_map(|line| line.split('/').next()).collect()
}

#[needs("../shared/corpora/chess960/chess960_start_positions.sfens")]
#[test]
fn random_walks_from_chess960_starts_are_played_as_shakmaty_plays_them() {
    let path = here("../shared/corpora/chess960/chess960_start_positions.sfens");
    let list = std::fs::read_to_string(path).unwrap();
    let mut dice = Dice::new(0x9E37_79B9_7F4A_7C15);
    let (ranks, mut report) = (first_ranks(&list), Report::default());
    for (index, black) in ranks.iter().enumerate() {
        // One walk in two is of "double" Chess960, where the first ranks differ.
        let white = if index % 2 == 0 { black } else { ranks[dice.below(ranks.len())] };
        let white = white.to_ascii_uppercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        let mut pair = Pair::read(fen.as_bytes(), &mut report).expect("a start");
        report.games += 1;
        for _ in 0..if index % 8 == 0 { 120 } else { 24 } {
            pair.compare(true, &mut report);
            let legal = pair.theirs.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Castling whenever it is legal one time in two: walks would seldom come to it.
            let castling = legal.iter().copied().find(|mv| mv.is_castle() && dice.below(2) == 0);
            let theirs = castling.unwrap_or_else(|| legal[dice.below(legal.len())]);
            let Some(ours) = pair.compare_san(theirs, &mut report) else { break };
            pair.play(theirs, ours);
        }
    }
    report.conclude(30_000);
}
