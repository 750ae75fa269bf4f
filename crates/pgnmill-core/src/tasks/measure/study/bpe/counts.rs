//! Tokens of movetext, by notation and vocabulary.
//!
//! In: valid games. Out: games, plies, characters and tokens, which add up. The text of a game is its main line as an
//! export writes it, in one line: a number with a full stop before each move of White (with three before a first move
//! of Black), the moves with their check suffixes, the result; single spaces between them, none at the ends. A notation
//! that cannot write a game does not count it. Invariants: integers only; merging is adding, in any order. Cost: one
//! text and one look-up per ply and notation.

use std::collections::BTreeMap;
use std::sync::Arc;

use pgnmill_state::state;

use crate::chess::Color;
use crate::notation::{MoveText, NOTATIONS};
use crate::tables::{Grid, bpe_tokens};
use crate::tasks::measure::tally::Selection;

use super::super::GameMoves;
use super::units::Units;
use super::vocabulary::Vocabularies;

/// Move numbers up to this one are kept: larger ones are rare, and may be any.
const NUMBER_KEPT_MAX: u64 = 999;

/// What one notation takes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counts {
    games: u64,
    plies: u64,
    /// Characters, then tokens in each vocabulary.
    sums: Vec<u64>,
}

state!(Counts { games, plies, sums });

/// Characters and tokens of movetext, by notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BpeTokens {
    /// The names of the vocabularies.
    vocabularies: Vec<String>,
    /// By index in the registry.
    counts: BTreeMap<usize, Counts>,
}

state!(BpeTokens { vocabularies, counts });

impl BpeTokens {
    /// Nothing counted yet, of these notations in these vocabularies.
    pub fn of(selection: Selection, vocabularies: &Vocabularies) -> BpeTokens {
        let names = vocabularies.iter().map(|vocabulary| vocabulary.name().to_string());
        let none = Counts { games: 0, plies: 0, sums: vec![0; 1 + vocabularies.len()] };
        let counts = selection.iter().map(|place| (place, none.clone())).collect();
        BpeTokens { vocabularies: names.collect(), counts }
    }

    /// Has the other the same notations and vocabularies?
    pub fn is_like(&self, other: &BpeTokens) -> bool {
        let widths = |them: &BpeTokens| -> Vec<(usize, usize)> {
            them.counts.iter().map(|(&place, counts)| (place, counts.sums.len())).collect()
        };
        self.vocabularies == other.vocabularies && widths(self) == widths(other)
    }

    /// Adds a valid game, whose parts follow each other. `has_history`: does it begin at the starting position, as some
    /// notations require? `result`: as it is written. `vocabularies`: those of these counts.
    pub fn add(
        &mut self,
        parts: &[&GameMoves],
        has_history: bool,
        result: &str,
        vocabularies: &Arc<Vocabularies>,
        units: &mut Units,
    ) {
        units.configure(vocabularies);
        let others = others(parts, result, vocabularies.len(), units);
        let plies: u64 = parts.iter().map(|part| part.plies_count() as u64).sum();
        let can_write = |place: usize| {
            let notation = NOTATIONS.get(place);
            notation.is_some_and(|notation| has_history || !notation.needs_lineage())
        };
        for (_, counts) in self.counts.iter_mut().filter(|(place, _)| can_write(**place)) {
            counts.games += 1;
            counts.plies += plies;
            counts.sums.iter_mut().zip(&others).for_each(|(sum, more)| *sum += more);
        }
        for part in parts {
            part.replay(|ply| {
                for (&place, counts) in &mut self.counts {
                    if let Some(notation) = NOTATIONS.get(place).filter(|_| can_write(place)) {
                        let mut text = MoveText::default();
                        notation.encode_ply(ply, &mut text);
                        units.add_often(text.as_bytes(), &mut counts.sums);
                    }
                }
            });
        }
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &BpeTokens) {
        for (place, theirs) in &other.counts {
            if let Some(mine) = self.counts.get_mut(place) {
                mine.games += theirs.games;
                mine.plies += theirs.plies;
                mine.sums.iter_mut().zip(&theirs.sums).for_each(|(sum, more)| *sum += more);
            }
        }
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(&bpe_tokens::SCHEMA);
        for (at, vocabulary) in self.vocabularies.iter().enumerate() {
            for (&place, Counts { games, plies, sums }) in &self.counts {
                let Some(notation) = NOTATIONS.get(place) else { continue };
                let [characters, tokens] =
                    [0, at + 1].map(|at| sums.get(at).copied().unwrap_or_default());
                let name = notation.info().name;
                grid.push(&[vocabulary, name], &[*games, *plies, characters, tokens]);
            }
        }
        grid
    }
}

/// Characters and tokens of the numbers and the result, with the spaces before them.
fn others(parts: &[&GameMoves], result: &str, vocabularies: usize, units: &mut Units) -> Vec<u64> {
    let mut sums = vec![0; 1 + vocabularies];
    let Some((position, _)) = parts.first().and_then(|part| part.start()) else {
        units.add(result, &mut sums);
        return sums;
    };
    let plies: usize = parts.iter().map(|part| part.plies_count()).sum();
    let (first, is_black) = (position.fullmove_number(), position.turn() == Color::Black);
    let dots = if is_black { "..." } else { "." };
    units.add(&format!("{first}{dots}"), &mut sums);
    let numbers = (plies + usize::from(is_black)).div_ceil(2);
    for number in (u64::from(first)..).take(numbers).skip(1) {
        match number <= NUMBER_KEPT_MAX {
            true => units.add_often(format!("{number}.").as_bytes(), &mut sums),
            false => units.add(&format!(" {number}."), &mut sums),
        }
    }
    units.add_often(result.as_bytes(), &mut sums);
    sums
}

#[cfg(test)]
mod tests {
    use super::super::pieces::Pattern;
    use super::super::ranks::tests::file;
    use super::super::vocabulary::Vocabulary;
    use super::*;
    use crate::chess::Position;
    use crate::notation::{self, Check, Ply};

    /// The sums of parts are the counts of the whole text, for games of both sides, of any first number, in parts.
    #[test]
    fn tokens_of_a_game_are_those_of_its_text() {
        let joined = [" N", " Nf", "f3", " 1", "10", "..", "1.", " e", "e4", " ♘"];
        let file = file(&joined);
        let read = |pattern: Pattern| Vocabulary::read(pattern.name(), pattern, file.as_bytes());
        let all = Vocabularies(Pattern::ALL.map(|pattern| read(pattern).unwrap()).into());
        let vocabularies = Arc::new(all);
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k2r/8/8/8/8/8/8/R3K2R b KQk - 0 8",
            "4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 994",
            "4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 4294967295",
        ];
        let mut units = Units::default();
        let san = Selection::default();
        for (fen, plies) in fens.into_iter().zip([0, 1, 2, 41, 90]).chain([
            (fens[0], 7),
            (fens[1], 2),
            (fens[1], 8),
        ]) {
            let (mut position, _) = Position::from_fen(fen.as_bytes()).unwrap();
            let (mut part, mut parts) = (GameMoves::default(), Vec::new());
            let mut moves = Vec::new();
            let first = (position.fullmove_number(), position.turn());
            for step in 0..plies {
                let legal = position.legal_moves();
                let Some(&mv) = legal.get(step * 7 % legal.len().max(1)) else { break };
                let after = position.play(mv);
                part.push(&Ply::new(&position, mv, &after, Check::of(&after)));
                moves.push((position, mv));
                if step % 13 == 12 {
                    parts.push(part.take_part());
                }
                position = after;
            }
            parts.push(part);
            let parts: Vec<&GameMoves> = parts.iter().collect();
            let mut tokens = BpeTokens::of(san, &vocabularies);
            tokens.add(&parts, false, "1/2-1/2", &vocabularies, &mut units);
            let grid = tokens.grid();
            for name in ["san", "fan", "uci", "san-de", "san-ar", "economical-priority"] {
                let mut text = String::new();
                let mut number = u64::from(first.0);
                let mut turn = first.1;
                for (position, mv) in &moves {
                    match turn {
                        Color::White => text.push_str(&format!("{number}. ")),
                        Color::Black if text.is_empty() => text.push_str(&format!("{number}... ")),
                        Color::Black => {}
                    }
                    let written = notation::write(notation::find(name).unwrap(), position, *mv);
                    text.push_str(&format!("{written} "));
                    number += u64::from(turn == Color::Black);
                    turn = if turn == Color::White { Color::Black } else { Color::White };
                }
                text.push_str("1/2-1/2");
                for vocabulary in vocabularies.iter() {
                    let counts = [
                        1,
                        moves.len() as u64,
                        text.chars().count() as u64,
                        vocabulary.count(&text),
                    ];
                    // The tokens that are counted are the text again.
                    let ranks = vocabulary.encode(&text);
                    let bytes = ranks.iter().flat_map(|&rank| match u8::try_from(rank) {
                        Ok(byte) => vec![byte],
                        Err(_) => joined[rank as usize - 256].into(),
                    });
                    assert_eq!(bytes.collect::<Vec<u8>>(), text.as_bytes());
                    assert_eq!(ranks.len() as u64, counts[3]);
                    let found = grid.get(&[vocabulary.name(), name]);
                    assert_eq!(found, Some(&counts[..]), "{text}");
                }
            }
            // Without a history it cannot be written.
            assert_eq!(grid.get(&["cl100k", "stamma"]), Some(&[0; 4][..]));
        }
    }
}
