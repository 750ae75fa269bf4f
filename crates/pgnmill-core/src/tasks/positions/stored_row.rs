//! A row of a table of sums becomes a pair again.
//!
//! In: the values of a row. Out: its key and its sums, of which those of several tables can be added. Invariants: any
//! values give a pair or an error; the key of a pair of chess is that of the position of the record, whose hash and
//! record are those of the row, and of a legal move of it. Cost: a position is read once for the rows that follow each
//! other; its legal moves are made once.

use super::digest::Digest;
use super::key::{ChessKey, OtherKey};
use super::pair::{NO_DATES, Pair, Sums};
use crate::chess::polyglot::en_passant_number;
use crate::chess::rules::RulesKind;
use crate::chess::{MoveList, Position, UciMove};

/// No table has counts or sums that are greater, so that those of many tables can be added.
const COUNT_MAX: u64 = 1 << 44;

/// The values of a row.
#[derive(Clone, Copy, Debug)]
pub struct StoredRow<'r> {
    /// The index of the ruleset.
    pub rules: usize,
    /// The Polyglot key, of chess and Chess960.
    pub hash: Option<u64>,
    /// The record of the position, without its move clocks.
    pub fen: &'r [u8],
    /// The move.
    pub uci: &'r [u8],
    /// The move.
    pub san: &'r [u8],
    /// The sums; the archive of the sample is [`StoredRow::archive`].
    pub sums: Sums,
    /// The name of the archive of the sample.
    pub archive: &'r [u8],
}

/// A pair of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoredPair {
    /// Of chess or Chess960.
    Chess(Pair<ChessKey>),
    /// Of another ruleset.
    Other(Pair<OtherKey>),
}

impl StoredRow<'_> {
    /// A number that is another one if a value differs; see [`super::Rows::digest`].
    pub fn digest(&self) -> u64 {
        let StoredRow { rules, hash, fen, uci, san, sums, archive } = self;
        let mut digest = Digest::default();
        digest.number(*rules as u64 * 2 + u64::from(hash.is_some()));
        digest.number(hash.unwrap_or(0));
        [fen, uci, san, archive].into_iter().for_each(|text| digest.text(text));
        let Sums { games, white, draws, black, rated_games, sample, .. } = *sums;
        let counts = [games, white, draws, black, rated_games, sample.offset, sums.ply.into()];
        counts.into_iter().for_each(|count| digest.number(count));
        let days = sums.dates.map(i64::from);
        let ratings = [sums.rating_sum, sums.opponent_rating_sum, sample.ratings.into()];
        days.into_iter().chain(ratings).for_each(|it| digest.number(it.cast_unsigned()));
        digest.value()
    }

    /// Can they be the sums of games?
    fn has_sums_of_games(&self) -> bool {
        let Sums { games, white, draws, black, rated_games, dates, .. } = self.sums;
        let is_sum = |sum: i64| sum.unsigned_abs() <= COUNT_MAX;
        (1..=COUNT_MAX).contains(&games)
            && [white, draws, black].iter().all(|count| *count <= games)
            && white + draws + black <= games
            && rated_games <= games
            && is_sum(self.sums.rating_sum)
            && is_sum(self.sums.opponent_rating_sum)
            && (dates[0] <= dates[1] || dates == NO_DATES)
    }
}

/// Reads rows of one table after the other.
#[derive(Debug, Default)]
pub struct RowReader {
    rules: usize,
    fen: Vec<u8>,
    position: Option<(Position, MoveList)>,
}

impl RowReader {
    /// The pair of a row.
    ///
    /// # Errors
    /// Why it is none.
    pub fn pair(&mut self, row: &StoredRow<'_>) -> Result<StoredPair, &'static str> {
        let rules = RulesKind::all().nth(row.rules).ok_or("the ruleset is not known")?;
        if !row.has_sums_of_games() {
            return Err("its counts are not those of games");
        }
        let sums = row.sums;
        if !matches!(rules, RulesKind::Chess | RulesKind::Chess960) {
            let text = |text: &[u8]| {
                std::str::from_utf8(text).map(str::to_string).map_err(|_| "a text is not UTF-8")
            };
            if row.hash.is_some() {
                return Err("a position of this ruleset has no hash");
            }
            let rules = u8::try_from(row.rules).map_err(|_| "the ruleset is not known")?;
            let (fen, uci, san) = (text(row.fen)?, text(row.uci)?, text(row.san)?);
            return Ok(StoredPair::Other(Pair { key: OtherKey { rules, fen, uci, san }, sums }));
        }
        let hash = row.hash.ok_or("a position of chess has a hash")?;
        if self.rules != row.rules || self.fen != row.fen || self.position.is_none() {
            self.position = None;
            (self.rules, self.fen) = (row.rules, row.fen.to_vec());
            let position = position_of(row.fen, rules)?;
            self.position = Some((position, position.legal_moves()));
        }
        let Some((position, moves)) = &self.position else { return Err("there is no position") };
        let uci = std::str::from_utf8(row.uci).ok().and_then(|uci| uci.parse::<UciMove>().ok());
        let mv = uci.and_then(|uci| moves.iter().find(|mv| UciMove::of(position, **mv) == uci));
        let mv = *mv.ok_or("its move is not legal in its position")?;
        // The part of the hash that is not the en passant square's.
        let en_passant = en_passant_number(position.legal_en_passant_square());
        let key = ChessKey::new(position, mv, hash ^ en_passant);
        if position.polyglot_key_of_fen() != hash {
            return Err("its hash is not that of its position");
        }
        Ok(StoredPair::Chess(Pair { key, sums }))
    }
}

/// The position of a record of chess or Chess960, if it is the one that is written.
fn position_of(fen: &[u8], rules: RulesKind) -> Result<Position, &'static str> {
    let none = "its record is not that of a position";
    let (position, _) = Position::from_fen(fen).map_err(|_| none)?;
    let position = position.with_chess960(rules == RulesKind::Chess960);
    let mut written = Vec::new();
    position.write_fen_with(&mut written, position.legal_en_passant_square());
    if written.strip_suffix(b" 0 1") == Some(fen) { Ok(position) } else { Err(none) }
}
