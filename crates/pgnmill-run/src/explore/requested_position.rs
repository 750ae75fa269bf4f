//! The position that is looked up.
//!
//! In: a FEN record, with or without its last fields, or moves in a notation; a ruleset. Out: the position, and the
//! last opening of the tables on the way. Invariant: moves are read as those of a game, so that every ruleset, every
//! notation and every deviation is that of a run. Cost: the replay of one game.
//!
//! ```text
//! 1. e4 c5 2. Nf3
//! ```

use std::ops::Range;

use pgnmill_columns::Wanted;
use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
use pgnmill_core::notation::{AnyPly, CHESS99, Notation, OtherPly, Ply, UCI};
use pgnmill_core::openings::{Opening, Openings};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, GameFault, History, NonPly, ReplayVisitor, Replayer, TagSection};
use pgnmill_core::tasks::positions::record_of;
use pgnmill_io::error::{Error, Result};

use crate::text::suggestion::shown;
use crate::text::terminal::clean;

/// The longest text of a position, in bytes.
const BYTES_MAX: usize = 20_000;
/// More slashes than a word of moves has: those of a record.
const SLASHES_MIN: usize = 3;

/// A position that is looked up.
#[derive(Debug)]
pub struct RequestedPosition {
    /// The position.
    pub position: AnyPosition,
    /// Its opening, or that of the last position before it that has one.
    pub opening: Option<&'static Opening>,
    /// Is it that of a game without moves?
    pub is_start: bool,
}

impl RequestedPosition {
    /// Reads a position.
    ///
    /// # Errors
    /// A record that is none; a move that is not legal, with its ply.
    pub fn of(
        text: &str,
        rules: RulesKind,
        from: Option<&'static dyn Notation>,
    ) -> Result<RequestedPosition> {
        let text = text.trim();
        let start = AnyPosition::initial(rules);
        let first = text.split_whitespace().next().unwrap_or_default();
        if text.len() > BYTES_MAX {
            return Err(Error::usage(format!("a position has at most {BYTES_MAX} bytes")));
        }
        if first.matches('/').count() >= SLASHES_MIN {
            let (position, _) = AnyPosition::from_fen(text.as_bytes(), rules).map_err(|error| {
                Error::usage(format!(
                    "{} is no FEN record of {}: {error}",
                    shown(text),
                    rules.title()
                ))
            })?;
            let opening = opening_of(&position);
            return Ok(RequestedPosition { position, opening, is_start: position == start });
        }
        if let Some(odd) = text.chars().find(|it| it.is_control() || "{}()[];%\"\\".contains(*it)) {
            return Err(Error::usage(format!(
                "a position is a FEN record or moves, without {odd:?}, comments and variations"
            )));
        }
        let played = match (from, Played::of(&start, text, from)) {
            (None, Err(why)) => Played::of(&start, text, Some(UCI)).map_err(|_| why),
            (_, played) => played,
        };
        let played = played.map_err(Error::usage)?;
        let position = played.after.unwrap_or(start);
        Ok(RequestedPosition {
            position,
            opening: played.opening,
            is_start: played.after.is_none(),
        })
    }
}

/// The opening of a position.
fn opening_of(position: &AnyPosition) -> Option<&'static Opening> {
    let position = position.chess().filter(|position| !position.is_chess960())?;
    Openings::standard().find(position)
}

/// A position as it is looked for in a table.
pub(super) fn wanted(position: &AnyPosition) -> Wanted {
    Wanted {
        rules: position.rules(),
        fen: record_of(position),
        hash: position.chess().map(|position| position.polyglot_key_of_fen()),
    }
}

/// The position after a move that a table names; `None` if there is no such move.
pub fn after_move(position: &AnyPosition, uci: &str) -> Option<AnyPosition> {
    let is_token = |it: char| it.is_ascii_graphic() && !"{}()[];%\"\\".contains(it);
    if uci.is_empty() || uci.len() > 16 || !uci.chars().all(is_token) {
        return None;
    }
    let notation = if position.rules() == RulesKind::Chess99 { CHESS99 } else { UCI };
    let played = Played::of(position, uci, Some(notation)).ok()?;
    played.after.filter(|_| played.plies == 1)
}

/// The plies of a game.
#[derive(Debug, Default)]
struct Played {
    /// The position after the last one.
    after: Option<AnyPosition>,
    plies: u32,
    opening: Option<&'static Opening>,
    games: usize,
    has_null_move: bool,
    fault: Option<GameFault>,
}

impl Played {
    /// Plays moves from a position; or why that is not possible.
    fn of(
        start: &AnyPosition,
        moves: &str,
        from: Option<&'static dyn Notation>,
    ) -> Result<Played, String> {
        let rules = start.rules();
        let setup = match *start == AnyPosition::initial(rules) {
            true => String::new(),
            false => format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", start.to_fen()),
        };
        let game = format!("[Result \"*\"]\n{setup}\n{moves} *\n");
        let profile = Profile::lenient();
        let mut replayer = Replayer::new(&profile, from, History::Optional).with_rules(rules);
        let mut played = Played::default();
        replayer.replay(game.as_bytes(), &mut played);
        if let Some(fault) = &played.fault {
            let token = game.as_bytes().get(fault.text.clone()).unwrap_or_default();
            let (ply, token, detail) = (fault.ply, clean(token), clean(fault.detail.as_bytes()));
            let detail = if detail.is_empty() { fault.kind.name().to_string() } else { detail };
            let is_named = detail.contains(&token);
            let token = if is_named { String::new() } else { format!("{}: ", shown(&token)) };
            let of_rules = match rules {
                RulesKind::Chess => String::new(),
                rules => format!(" of {}", rules.title()),
            };
            return Err(format!("ply {ply}{of_rules}: {token}{detail}"));
        }
        if played.has_null_move {
            return Err("a null move leads to no position of a game".to_string());
        }
        if played.games > 1 || played.plies == 0 && !moves.is_empty() {
            return Err(format!(
                "{} is no FEN record, and not the moves of one game",
                shown(moves)
            ));
        }
        Ok(played)
    }

    fn add(&mut self, after: AnyPosition) {
        self.plies += 1;
        self.opening = opening_of(&after).or(self.opening);
        self.after = Some(after);
    }
}

impl ReplayVisitor for Played {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        *self = Played { games: self.games, ..Played::default() };
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, _: usize) {
        self.add(AnyPly::Chess(ply).after());
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        _: usize,
    ) -> std::result::Result<(), Deviation> {
        self.add(AnyPly::Other(ply).after());
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], _: Range<usize>, kind: NonPly) {
        self.has_null_move |= kind.is_in_place_of_move();
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.games += 1;
        self.fault = game.fault.cloned();
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}
