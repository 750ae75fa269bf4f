//! The keys by which games are compared.
//!
//! In: the tag pairs and moves of a game. Out: hashes of 128 bits, 0 where there is none. They are SipHash-1-3 (that of
//! the standard library) with a key that is random in each run, so that no archive can be made whose games collide: for
//! `n` games the probability that any two different ones are taken for equal is about n² / 2^129, which is 10^-23 for
//! a hundred million games. Nothing that is written depends on the values.

use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};

use crate::chess::rules::{AnyPosition, Role99, RulesKind};
use crate::chess::{Color, Move, Position, Role};
use crate::notation::OtherPly;
use crate::pgn::tag_numbers::{date_interval, time};
use crate::pgn::{Outcome, Tag};
use crate::replay::Game;

use super::descriptions::Description;
use super::names::{WORDS_COUNT, initials, is_initial, known_date, name_words};
use super::records::GameKey;

/// Plies in the hash of a game's beginning.
const HEAD_PLIES: usize = 16;
/// Bytes of a ply in a line.
pub(super) const PLY_BYTES: usize = 2;
/// Bytes of the starting position in a line.
pub(super) const START_BYTES: usize = 16;

/// What exact duplicates have in common besides the starting position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Same {
    /// The moves of the main line.
    Moves,
    /// The moves, and the players; nothing in the tag pairs contradicts that they are one game.
    MovesAndPlayers,
}

/// Which games are duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Criteria {
    /// What exact duplicates have in common.
    pub same: Same,
    /// The plies that games have at least which are duplicates by their moves alone.
    pub plies_min: usize,
    /// The plies that the shorter one of two near duplicates has at least; `None`: near duplicates are not looked for.
    pub near_plies: Option<usize>,
}

/// The keys of a run.
#[derive(Clone, Debug)]
pub struct Keys {
    state: RandomState,
    options: Criteria,
}

fn write_field(hasher: &mut DefaultHasher, field: &[u8]) {
    // Without the length two fields could be divided in two ways.
    hasher.write_usize(field.len());
    hasher.write(field);
}

impl Keys {
    /// The keys of a run.
    pub fn new(options: Criteria) -> Keys {
        Keys { state: RandomState::new(), options }
    }

    /// Which games are duplicates.
    pub fn options(&self) -> Criteria {
        self.options
    }

    /// A hash, not 0.
    fn hash(&self, write: impl Fn(&mut DefaultHasher)) -> u128 {
        let half = |number: u8| {
            let mut hasher = self.state.build_hasher();
            hasher.write_u8(number);
            write(&mut hasher);
            u128::from(hasher.finish())
        };
        (half(0) << 64 | half(1)).max(1)
    }

    /// Writes the starting position of a line: pieces, side to move, castling rights, and the square of an en passant
    /// capture that is legal. The counters of moves do not matter.
    pub(super) fn begin_line(&self, line: &mut [u8], start: &Position) {
        let start = self.hash(|hasher| {
            for color in [Color::White, Color::Black] {
                hasher.write_u64(start.color(color).0);
            }
            for index in 0..6 {
                hasher.write_u64(Role::from_index(index).map_or(0, |role| start.role(role).0));
            }
            hasher.write_u64(start.castling_rooks().0);
            hasher.write_u8(u8::from(start.turn() == Color::White));
            hasher.write_u8(
                start.legal_en_passant_square().map_or(64, |square| square.index() as u8),
            );
        });
        line.copy_from_slice(&start.to_le_bytes());
    }

    /// Writes the start of the line of a game of other rules: the ruleset, and the record without its counters.
    pub(super) fn begin_other_line(&self, line: &mut [u8], start: &AnyPosition) {
        let counters = if start.rules() == RulesKind::Chess99 { 1 } else { 2 };
        let record = start.to_fen();
        let board = record.rsplitn(counters + 1, ' ').last().unwrap_or_default();
        let start = self.hash(|hasher| {
            hasher.write_usize(start.rules().index());
            write_field(hasher, board.as_bytes());
        });
        line.copy_from_slice(&start.to_le_bytes());
    }

    /// Adds a move to a line. Two moves of a position are equal exactly if their bytes are.
    #[inline(always)]
    pub(super) fn add_move(line: &mut Vec<u8>, mv: Move) {
        let promoted = mv.promoted().map_or(0, |role| role as u16);
        let packed =
            mv.origin().index() as u16 | (mv.target().index() as u16) << 6 | promoted << 12;
        line.extend_from_slice(&packed.to_le_bytes());
    }

    /// Adds a move, drop or play of other rules to a line, likewise.
    pub(super) fn add_other(line: &mut Vec<u8>, ply: &OtherPly<'_>) {
        match ply {
            OtherPly::Variant(ply) if ply.mv().is_drop() => {
                let packed =
                    ply.mv().target().index() as u16 | (ply.mv().role() as u16) << 12 | 1 << 15;
                line.extend_from_slice(&packed.to_le_bytes());
            }
            OtherPly::Variant(ply) => Keys::add_move(line, ply.mv()),
            OtherPly::Chess99(ply) => {
                let play = ply.play();
                let squares = play.origin().index() * 81 + play.target().index();
                let promotion = match play.promotion() {
                    None => 0,
                    Some(Role99::Bishop) => 1,
                    Some(_) => 2,
                };
                let packed =
                    squares as u16 | promotion << 13 | u16::from(play.is_en_passant()) << 15;
                line.extend_from_slice(&packed.to_le_bytes());
            }
            OtherPly::Table(ply) => {
                line.extend_from_slice(&ply.before().packed(ply.mv()).to_le_bytes());
            }
        }
    }

    /// Adds a null move to a line.
    pub(super) fn add_null_move(line: &mut Vec<u8>) {
        line.extend_from_slice(&u16::MAX.to_le_bytes());
    }

    /// The keys of a game with this line, without its number; `None` if it has no duplicates at all.
    pub(super) fn of_game(&self, text: &[u8], game: &Game<'_>, line: &[u8]) -> Option<GameKey> {
        let tags = game.tags.index.values(text);
        let value = |tag| tags.bytes(tag).unwrap_or_default();
        let names = [Tag::White, Tag::Black].map(|tag| name_words(value(tag)));
        let dates = || [Tag::Date, Tag::UtcDate].into_iter();
        let date = tags.date().or_else(|| dates().find_map(|tag| known_date(value(tag))));
        let result = result(text, game);
        let known = !names.iter().any(Vec::is_empty);
        let players = |hasher: &mut DefaultHasher| {
            for words in &names {
                write_field(hasher, words.join(" ").as_bytes());
            }
        };
        if line.len() == START_BYTES {
            // Without moves nothing but the tag pairs can show that two games are one.
            let moves = self.hash(|hasher| {
                write_field(hasher, line);
                players(hasher);
                write_field(hasher, date.unwrap_or_default());
                write_field(hasher, result.canonical().as_bytes());
                for tag in [Tag::Event, Tag::Site, Tag::Round, Tag::UtcTime] {
                    write_field(hasher, value(tag).trim_ascii());
                }
            });
            let (by_moves, has_duplicates) = (true, true);
            let key = GameKey { moves, by_moves, has_duplicates, ..GameKey::default() };
            return known.then_some(key);
        }
        let moves = self.hash(|hasher| hasher.write(line));
        let by_moves = (line.len() - START_BYTES) / PLY_BYTES >= self.options.plies_min;
        let players_hash = self.hash(players) as u32;
        let mut key = GameKey { moves, players: players_hash, by_moves, ..GameKey::default() };
        match self.options.same {
            Same::Moves => key.has_duplicates = by_moves,
            Same::MovesAndPlayers => {
                key.has_duplicates = by_moves || known;
                key.initials = self.initials(&names);
                key.description = Description {
                    names: names.each_ref().map(|words| self.words(words)),
                    days: date.and_then(date_interval).map_or([i32::MIN, i32::MAX], Into::into),
                    time: time(value(Tag::UtcTime)).value().unwrap_or(-1),
                    result: match result {
                        Outcome::Unknown => 0,
                        Outcome::WhiteWins => 1,
                        Outcome::BlackWins => 2,
                        Outcome::Draw => 3,
                    },
                };
            }
        }
        let near = known && self.options.near_plies.is_some();
        let Some(date) = date.filter(|_| near) else { return Some(key) };
        // Engines can play the same game twice on one day.
        key.near = self.hash(|hasher| {
            players(hasher);
            write_field(hasher, date);
            write_field(hasher, value(Tag::UtcTime).trim_ascii());
            write_field(hasher, result.canonical().as_bytes());
        });
        let head = line.get(..START_BYTES + HEAD_PLIES * PLY_BYTES);
        key.head = head.map_or(0, |head| (self.hash(|hasher| hasher.write(head)) as u32).max(1));
        Some(key)
    }

    /// A hash of what the names of the same players have in common.
    fn initials(&self, names: &[Vec<String>; 2]) -> u64 {
        let mut hasher = self.state.build_hasher();
        for words in names {
            write_field(&mut hasher, initials(words).as_bytes());
        }
        hasher.finish()
    }

    /// The words that are compared one by one. Those of a name of one word are in its initials.
    fn words(&self, words: &[String]) -> [u64; WORDS_COUNT] {
        let hash = |word: &String| match is_initial(word) {
            true => 0,
            false => self.state.hash_one(word).max(1),
        };
        std::array::from_fn(|at| words.get(at).filter(|_| words.len() > 1).map_or(0, hash))
    }
}

/// The result of the tag pair, or, if it has none, that of the movetext; unknown if there is none. Unlike the fact
/// `outcome`: in a game whose end was lost the tag pair remains, and python-chess takes it first, too.
fn result(text: &[u8], game: &Game<'_>) -> Outcome {
    let spans = [game.tags.span(Tag::Result), game.result.clone()];
    let mut results = spans.into_iter().flatten().filter_map(|span| Outcome::from_any(&text[span]));
    results.next().unwrap_or(Outcome::Unknown)
}
