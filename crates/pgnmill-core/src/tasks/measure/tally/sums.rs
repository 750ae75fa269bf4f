//! What follows from the counts of a tally: the rows of all games, of plies, of moves and of groups.

use crate::notation::{MOVE_TEXT_BYTES_MAX, NOTATIONS, Shape};
use crate::tables::Dimension;
use crate::tables::groups::{MOVE_BAND_PLIES, name_of_band, name_of_ply};
use crate::tables::lengths::LENGTHS;

use super::cost::Cost;
use super::counts::Tally;
use super::layout::{self, COLUMNS_AT, CostRow, EMPTY_ROW, Layout, add};
use super::pairs::LENGTH_MAX;
use super::traits::{self, CELL_DIMENSIONS, CELLS_BY_INDEX, PLACES};

const _: () = assert!(MOVE_TEXT_BYTES_MAX < LENGTHS);

impl Tally {
    /// Plies that were counted.
    pub fn plies(&self) -> u64 {
        self.cost(0).plies
    }

    /// Adds what another tally counted of one archive.
    pub fn merge_of_source(&mut self, name: &str, other: &Tally) {
        self.merge(other);
        if self.keys.has(Dimension::Source) && other.games[0] > 0 {
            self.sources.add(name, &other.total());
        }
        if let (Some(mine), Some(theirs)) = (&mut self.spread, &other.spread)
            && other.games[0] > 0
        {
            mine.add_source(name, theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.crossed, &other.crossed) {
            mine.add_source(name, theirs);
        }
    }

    /// The row of all games.
    pub(super) fn total(&self) -> CostRow {
        let mut total = EMPTY_ROW;
        for row in self.rows_by_ply() {
            add(&mut total, &row);
        }
        layout::set_games(&mut total, self.games);
        total
    }

    /// What a notation cost, by its index in the registry.
    pub fn cost(&self, notation: usize) -> Cost {
        Layout::get().cost(&self.total(), notation)
    }

    /// How many texts of a notation have each length in characters.
    pub fn lengths(&self, notation: usize) -> Vec<u64> {
        let mut lengths = vec![0; LENGTHS];
        let place = Layout::get().place(notation);
        let counted = match place {
            layout::MeasuredBy::Free(place) => Some(self.lengths.lengths(*place)),
            layout::MeasuredBy::Translated(_) => Some(self.lengths.translated()),
            _ => None,
        };
        if let Some(counted) = counted {
            lengths[..=LENGTH_MAX].copy_from_slice(&counted);
            // Nothing was written of a game that the notation cannot write.
            lengths[0] = 0;
            return lengths;
        }
        for (_, shape, plies) in self.shapes() {
            let characters = match place {
                layout::MeasuredBy::Lettered(letters) => {
                    layout::lettered_characters(shape, letters)
                }
                _ => NOTATIONS[notation].shape_length(shape).unwrap_or_default().characters,
            };
            lengths[usize::from(characters) % LENGTHS] += plies;
        }
        lengths
    }

    /// How many plies have each index that occurs, with its shape.
    pub(super) fn shapes(&self) -> impl Iterator<Item = (usize, Shape, u64)> {
        let counts = (0..Shape::COUNT).filter_map(|index| {
            let plies = self.indices.iter().map(|indices| indices[index]).sum();
            Some((index, Shape::from_index(index)?, plies))
        });
        counts.filter(|(_, _, plies)| *plies > 0)
    }

    /// By ply, from the first on: what a notation cost. As many games have a ply as there are plies; after the
    /// [`PLIES_MAX`](crate::tables::groups::PLIES_MAX)th all later ones are together.
    pub fn by_ply(&self, notation: usize) -> impl Iterator<Item = Cost> {
        self.rows_by_ply().map(move |row| Layout::get().cost(&row, notation))
    }

    fn rows_by_ply(&self) -> impl Iterator<Item = CostRow> {
        let later = (self.later[layout::GAMES] > 0).then_some(*self.later);
        let numbered = (0..self.by_ply.len().max(self.pending.len())).map(|ply| {
            let mut row = EMPTY_ROW;
            if let Some(columns) = self.by_ply.get(ply) {
                add(&mut row[COLUMNS_AT..], columns);
            }
            if let Some(columns) = self.pending.get(ply) {
                add(&mut row[COLUMNS_AT..], &columns.map(u64::from));
            }
            layout::games_are_plies(&mut row);
            row
        });
        numbered.chain(later)
    }

    /// By move, in bands: a game that has a ply of a band has the band's first one.
    fn rows_by_move(&self) -> Vec<CostRow> {
        let mut bands: Vec<CostRow> = Vec::new();
        for (ply, row) in self.rows_by_ply().enumerate() {
            match bands.last_mut() {
                Some(band) if ply % MOVE_BAND_PLIES > 0 => {
                    add(&mut band[COLUMNS_AT..], &row[COLUMNS_AT..]);
                }
                _ => bands.push(row),
            }
        }
        bands
    }

    /// The groups of a requested dimension that have a ply.
    pub(super) fn groups(&self, key: Dimension) -> Vec<(String, CostRow)> {
        if let Some(dimension) = CELL_DIMENSIONS.iter().find(|dimension| dimension.key == key) {
            let names = dimension.names.iter().enumerate();
            return names
                .map(|(name, label)| (label.to_string(), self.margin(dimension, name)))
                .collect();
        }
        match key {
            Dimension::Ply => {
                let rows = self.rows_by_ply().enumerate();
                rows.map(|(ply, row)| (name_of_ply(ply), row)).collect()
            }
            Dimension::Move => {
                let bands = self.rows_by_move().into_iter().enumerate();
                bands.map(|(band, row)| (name_of_band(band), row)).collect()
            }
            Dimension::Source => self.sources.of(),
            _ => self.groups.of(key),
        }
    }

    /// The row of all cells of one name.
    pub(super) fn margin(&self, dimension: &traits::CellDimension, name: usize) -> CostRow {
        let (layout, mut sum) = (Layout::get(), EMPTY_ROW);
        for (number, indices) in self.indices.iter().enumerate() {
            let place = number % PLACES;
            let columns = layout.shapes(number >= PLACES);
            for (index, &plies) in indices.iter().enumerate().filter(|(_, plies)| **plies > 0) {
                let cell = usize::from(CELLS_BY_INDEX[index].0) + place;
                if dimension.name_of(cell) == name {
                    layout::add_shaped(&mut sum, &columns[index], plies);
                }
            }
        }
        for (_, free) in
            self.cells.iter().enumerate().filter(|(cell, _)| dimension.name_of(*cell) == name)
        {
            layout::add_free(&mut sum, free);
        }
        layout::set_games(&mut sum, self.by_name[dimension.name_index(name)]);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::rules::RulesKind;
    use crate::facts::{Played, ReadGame};
    use crate::notation::{self, Check, Lineage, MoveText, NOTATIONS, Ply};
    use crate::openings::{Opening, Openings};
    use crate::pgn::{Outcome, TagIndex};
    use crate::replay::Verdict;
    use crate::tables::Dimensions;
    use crate::tasks::measure::tally::{GameLengths, Labels, Selection, labels};

    /// Many pieces that can go to the same squares, and capture each other.
    const CROWDED: &str = "1r4nN/3r2k1/r5n1/3N4/1rQr1Q1N/1Q5K/3n1B1Q/Bn6 w - - 0 1";
    /// The longest text of a move there, in descriptive notation.
    const LONGEST: &str = "Q/KB4xR/Q4ch";

    /// Games of a fixed pseudo-random walk, with and without history; each without one begins among many pieces, with
    /// the move of the longest text.
    fn walk(seed: u64, plies: usize, history: bool) -> (GameLengths, Vec<Vec<MoveText>>) {
        let (mut game, mut texts) = (GameLengths::default(), Vec::new());
        let (mut position, mut state) = (Position::initial(), seed);
        if !history {
            position = Position::from_fen(CROWDED.as_bytes()).unwrap().0;
        }
        let descriptive = notation::find("descriptive").unwrap();
        let mut lineage = history.then(Lineage::initial);
        game.clear();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let longest = (!history && texts.is_empty()).then(|| {
                let text = |mv| notation::write_in(descriptive, &position, mv, None);
                moves.iter().find(|mv| text(**mv).as_bytes() == LONGEST.as_bytes())
            });
            let any = &moves[(state >> 33) as usize % moves.len()];
            let mv = *longest.map_or(any, |longest| longest.expect("a legal move"));
            let after = position.play(mv);
            let ply =
                Ply::new(&position, mv, &after, Check::of(&after)).with_lineage(lineage.as_ref());
            game.observe(&ply);
            texts.push(
                NOTATIONS
                    .iter()
                    .map(|&notation| notation::write_in(notation, &position, mv, lineage.as_ref()))
                    .collect(),
            );
            lineage = lineage.map(|lineage| lineage.after(mv));
            position = after;
        }
        (game, texts)
    }

    /// The counts that are derived are those of the texts themselves, for every notation.
    #[test]
    fn costs_are_those_of_the_texts() {
        let mut tally = Tally::default();
        let mut texts = Vec::new();
        for seed in 0..pgnmill_dice::trials(12, 40, 400) {
            let (game, written) = walk(seed, 300, seed % 4 != 0);
            tally.add(&game, &Labels::default());
            texts.push(written);
        }
        for (index, notation) in NOTATIONS.iter().enumerate() {
            let name = notation.info().name;
            let all =
                || texts.iter().flatten().map(|ply| ply[index]).filter(|t| t.bytes_count() > 0);
            let cost = tally.cost(index);
            assert_eq!(cost.plies, all().count() as u64, "{name}");
            assert_eq!(
                cost.characters,
                all().map(|t| t.characters_count() as u64).sum::<u64>(),
                "{name}"
            );
            assert_eq!(cost.bytes, all().map(|t| t.bytes_count() as u64).sum::<u64>(), "{name}");
            for (length, &count) in tally.lengths(index).iter().enumerate() {
                let texts = all().filter(|t| t.characters_count() == length).count();
                assert_eq!(count, texts as u64, "{name}, {length} characters");
            }
            for (ply, cost) in tally.by_ply(index).enumerate() {
                let here = || {
                    let games = texts.iter().filter_map(|game| game.get(ply));
                    games.map(|texts| texts[index]).filter(|text| text.bytes_count() > 0)
                };
                assert_eq!(cost.plies, here().count() as u64, "{name}, ply {ply}");
                let sum: usize = here().map(|text| text.characters_count()).sum();
                assert_eq!(cost.characters, sum as u64, "{name}, ply {ply}");
                let sum: usize = here().map(|text| text.bytes_count()).sum();
                assert_eq!(cost.bytes, sum as u64, "{name}, ply {ply}");
            }
        }
    }

    /// The opening of a first move; none for some games.
    fn openings(seed: u64) -> Option<&'static Opening> {
        let start = Position::initial();
        let mv = start.legal_moves().get(seed as usize % 30).copied()?;
        Openings::standard().find(&start.play(mv))
    }

    /// Labels that fall into many groups.
    fn labels(seed: u64) -> Labels {
        let played = Played {
            verdict: Verdict::Accepted,
            outcome: [Outcome::WhiteWins, Outcome::Draw, Outcome::Unknown][seed as usize % 3],
            plies: 13 * seed as u32,
            variation_plies: 0,
            opening: openings(seed),
            rules: [RulesKind::Chess, RulesKind::Chess960][seed as usize % 2],
        };
        let text = format!(
            "[WhiteElo \"{}\"]\n[BlackElo \"1500\"]\n[Date \"{}.{:02}.01\"]\n[TimeControl \"{}\"]\n",
            1000 + 137 * seed,
            1990 + seed % 7,
            seed % 14,
            ["60+0", "300+3", "?"][seed as usize % 3],
        );
        let index = TagIndex::of(text.as_bytes(), 0..text.len());
        let tags = index.values(text.as_bytes());
        let game = ReadGame { tags, archive: "", text_bytes: 0, played: Some(played) };
        Labels::of(&game, Dimensions::ALL)
    }

    #[test]
    fn merging_is_adding_in_any_order() {
        let games: Vec<(GameLengths, Labels)> = (0..9)
            .map(|seed| (walk(seed, 40 * seed as usize, seed % 2 == 0).0, labels(seed)))
            .collect();
        let tally = |games: &[(GameLengths, Labels)]| {
            let mut tally = Tally::new(Dimensions::ALL, Selection::default());
            games.iter().for_each(|(game, labels)| tally.add(game, labels));
            let mut all = Tally::new(Dimensions::ALL, Selection::default());
            all.merge_of_source("an archive", &tally);
            all
        };
        let together = tally(&games);
        for split in 0..=games.len() {
            let (mut left, right) = (tally(&games[..split]), tally(&games[split..]));
            let mut other = right.clone();
            other.merge(&left);
            left.merge(&right);
            assert_eq!(left, together);
            assert_eq!(other, together);
            left.clear();
            left.merge(&together);
            assert_eq!(left, together);
        }
    }

    /// The groups of every dimension sum to the whole, for every notation; those of games in games too.
    #[test]
    fn groups_sum_to_the_whole() {
        let mut games = Tally::new(Dimensions::ALL, Selection::default());
        for seed in 0..40 {
            games.add(&walk(seed, 7 * seed as usize, seed % 4 != 0).0, &labels(seed));
        }
        let mut tally = Tally::new(Dimensions::ALL, Selection::default());
        tally.merge_of_source("here", &games);
        for key in Dimension::ALL {
            let groups = tally.groups(key);
            assert!(
                groups.iter().filter(|(_, row)| row[0] > 0).count() > 1
                    || key == Dimension::Source
                    || matches!(key, Dimension::EcoLetter | Dimension::Eco | Dimension::Title),
                "{key:?}"
            );
            for (index, notation) in NOTATIONS.iter().enumerate() {
                let mut sum = Cost::default();
                for (_, row) in &groups {
                    let cost = Layout::get().cost(row, index);
                    sum.games += cost.games;
                    sum.plies += cost.plies;
                    sum.characters += cost.characters;
                    sum.bytes += cost.bytes;
                }
                let whole = tally.cost(index);
                let of_games = labels::GAME_KEYS.contains(&key) || key == Dimension::Source;
                assert!(sum.games >= whole.games.min(whole.plies));
                sum.games = if of_games { sum.games } else { whole.games };
                assert_eq!(sum, whole, "{key:?}, {}", notation.info().name);
            }
        }
    }
}
