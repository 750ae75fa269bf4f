//! A game as text: tag pairs, clocks, evaluations, in the Lichess export format.

use std::fmt::Write as _;

use pgnmill_core::pgn::Outcome;

use super::clock;
use super::game::{Played, Termination, mate_next};

/// Everything about a game except its moves.
#[derive(Debug)]
pub(super) struct Labels {
    /// Tag names and values, in order; values hold neither quotes nor backslashes.
    pub(super) tags: Vec<(&'static str, String)>,
    /// `true` if clock readings are written.
    pub(super) clocks: bool,
    /// `true` if evaluations are written.
    pub(super) evals: bool,
}

/// A result in PGN.
pub(super) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::WhiteWins => "1-0",
        Outcome::BlackWins => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
    }
}

/// The value of the `Termination` tag.
pub(super) fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Normal => "Normal",
        Termination::TimeForfeit => "Time forfeit",
        Termination::Abandoned => "Abandoned",
    }
}

/// The text of the game, with the blank line after it.
pub(super) fn export(played: &Played, labels: &Labels) -> String {
    let mut text = String::with_capacity(4096);
    for (name, value) in &labels.tags {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let commented = labels.clocks || labels.evals;
    for (ply, san) in played.texts.iter().enumerate() {
        let number = ply / 2 + 1;
        if ply % 2 == 0 {
            let _ = write!(text, "{number}. ");
        } else if commented {
            let _ = write!(text, "{number}... ");
        }
        text.push_str(san);
        if labels.evals {
            text.push_str(judgement(played, ply));
        }
        text.push(' ');
        let worth = played.worths.get(ply).filter(|_| labels.evals);
        if labels.clocks || worth.is_some() {
            text.push_str("{ ");
            if let Some(&worth) = worth {
                let _ = write!(text, "[%eval {}] ", evaluation(worth));
            }
            if labels.clocks {
                let _ = write!(text, "[%clk {}] ", clock::show(played.clocks[ply]));
            }
            text.push_str("} ");
        }
    }
    text.push_str(result(played.outcome));
    text.push_str("\n\n");
    text
}

/// An evaluation in pawns, without trailing zeros, or mate in one.
fn evaluation(worth: i32) -> String {
    if let Some(color) = mate_next(worth) {
        return if color as u8 == 0 { "#1".to_string() } else { "#-1".to_string() };
    }
    let (sign, whole, cents) =
        (if worth < 0 { "-" } else { "" }, worth.abs() / 100, worth.abs() % 100);
    match cents % 10 {
        0 => format!("{sign}{whole}.{}", cents / 10),
        _ => format!("{sign}{whole}.{cents:02}"),
    }
}

/// The annotation of a move that lost much.
fn judgement(played: &Played, ply: usize) -> &'static str {
    let at = |ply: usize| played.worths.get(ply).map(|worth| worth.clamp(&-900, &900));
    let (Some(before), Some(after)) = (ply.checked_sub(1).and_then(at), at(ply)) else { return "" };
    let lost = if ply.is_multiple_of(2) { before - after } else { after - before };
    match lost {
        300.. => "??",
        200.. => "?",
        120.. => "?!",
        _ => "",
    }
}
