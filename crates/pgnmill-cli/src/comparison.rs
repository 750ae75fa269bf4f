//! `pgnmill notations --compare`: one move in all notations.
//!
//! In: `FEN|MOVE`, or a MOVE from the starting position, and a ruleset. Out: a record per notation. Invariant: the move
//! is read as a move of a game is, so that every ruleset, every notation and every deviation is that of a run. Cost:
//! the replay of one ply.
//!
//! ```text
//! pgnmill notations --compare 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1|O-O'
//! ```

use std::ops::Range;

use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::notation::{self, AnyPly, MoveText, NOTATIONS, Notation, OtherPly, Ply, UCI};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, GameFault, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_io::error::{Error, Result};

use pgnmill_run::args::names::{find_notation, find_rules};
use pgnmill_run::text::suggestion::shown;

/// A move in all notations.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) rules: RulesKind,
    /// The position before the move.
    pub(super) fen: String,
    /// The move in the usual notation of the ruleset.
    pub(super) usual: String,
    /// The text of each notation, or the reason why it has none.
    pub(super) texts: Vec<(&'static dyn Notation, Result<String, &'static str>)>,
}

impl Comparison {
    /// Reads the move and writes it in all notations.
    ///
    /// # Errors
    /// A FEN that is none; a move that is not legal.
    pub(super) fn of(text: &str, rules: &str, from: &str) -> Result<Comparison> {
        let rules = find_rules(rules)?;
        let (fen, mv) = match text.rsplit_once('|') {
            Some((fen, mv)) => (Some(fen.trim()), mv.trim()),
            None => (None, text.trim()),
        };
        let is_token = |c: char| !c.is_whitespace() && !c.is_control() && !"{}()[];".contains(c);
        if mv.is_empty() || mv.len() > 100 || !mv.chars().all(is_token) {
            return Err(Error::usage(format!(
                "--compare takes 'FEN|MOVE', or a MOVE from the starting position; {} is no move",
                shown(mv)
            )));
        }
        if fen.is_some_and(|fen| fen.chars().any(|c| c.is_control() || "\"\\".contains(c))) {
            return Err(Error::usage("--compare: a FEN is one line without quotation marks"));
        }
        let game = game(fen, mv);
        let from: &[Option<&'static dyn Notation>] = match from {
            "auto" => &[None, Some(UCI)],
            name => &[Some(find_notation(name)?)],
        };
        let mut why = None;
        for from in from {
            match read(game.as_bytes(), *from, rules) {
                Ok(found) => return Ok(found),
                Err(detail) => why = why.or(Some(detail)),
            }
        }
        let why = why.unwrap_or_default();
        Err(Error::usage(format!("--compare, {}: {why}", rules.title())))
    }
}

/// A game of this move.
fn game(fen: Option<&str>, mv: &str) -> String {
    let setup = fen.map_or_else(String::new, |fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
    format!("[Result \"*\"]\n{setup}\n{mv} *\n")
}

/// The only ply of a game in all notations; or why it has none.
fn read(
    game: &[u8],
    from: Option<&'static dyn Notation>,
    rules: RulesKind,
) -> Result<Comparison, String> {
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, from, History::Optional).with_rules(rules);
    let mut visitor = OnePly::default();
    replayer.replay(game, &mut visitor);
    match visitor {
        OnePly { fault: Some(detail), .. } => Err(detail),
        OnePly { found: Some(found), plies: 1, .. } => Ok(found),
        OnePly { plies, .. } => Err(format!("{plies} plies were read; there must be one")),
    }
}

/// Takes the only ply of a game.
#[derive(Debug, Default)]
struct OnePly {
    found: Option<Comparison>,
    plies: usize,
    fault: Option<String>,
}

impl OnePly {
    fn add(&mut self, ply: AnyPly<'_>) {
        self.plies += 1;
        let before = ply.before();
        let write = |notation: &dyn Notation| {
            let mut text = MoveText::default();
            ply.encode(notation, &mut text).map(|()| text.to_string())
        };
        let usual = write(notation::usual(before.rules())).unwrap_or_default();
        let texts = NOTATIONS.iter().map(|it| (*it, write(*it).map_err(reason))).collect();
        let (rules, fen) = (before.rules(), before.to_fen());
        self.found = Some(Comparison { rules, fen, usual, texts });
    }
}

/// Why a notation has no text.
fn reason(fault: Deviation) -> &'static str {
    match fault {
        Deviation::NotationNeedsInitialArray => {
            "needs the history of a game from the initial array"
        }
        Deviation::NotationNotForBoard => "has no text on the board of this ruleset",
        Deviation::MoveNotExpressible => "has no text for such a move",
        other => other.rule().source,
    }
}

impl ReplayVisitor for OnePly {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, _: usize) {
        self.add(AnyPly::Chess(ply));
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        _: usize,
    ) -> std::result::Result<(), Deviation> {
        self.add(AnyPly::Other(ply));
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let words = |fault: &GameFault| format!("{}: {}", fault.kind.name(), fault.detail);
        self.fault = game.fault.map(words);
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}
