//! Invented players: names made of syllables, ratings that move with their results.

use std::collections::HashSet;

use super::chance::Chance;

/// The number of players.
const PEOPLE: usize = 2_400;

/// A player.
#[derive(Debug)]
pub(super) struct Person {
    /// The user name.
    pub(super) name: String,
    /// The rating; it changes with every rated game.
    pub(super) rating: i32,
    /// A title, for the highest ratings.
    pub(super) title: Option<&'static str>,
    /// The volatility of the rating: higher for new players.
    pace: i32,
}

/// All players.
#[derive(Debug)]
pub(super) struct People(Vec<Person>);

impl People {
    /// Generates them.
    pub(super) fn invent(chance: &mut Chance) -> People {
        let mut names = HashSet::new();
        let mut people = Vec::with_capacity(PEOPLE);
        while people.len() < PEOPLE {
            let name = invent_name(chance);
            if !names.insert(name.to_lowercase()) {
                continue;
            }
            // The sum of four random numbers: most are near the middle.
            let dice: i32 = (0..4).map(|_| chance.between(0, 520)).sum();
            let rating = 560 + dice;
            let title = match rating {
                2450.. => Some(*chance.one_of(&["GM", "IM", "IM", "FM"])),
                2250.. if chance.per_mille(250) => Some(*chance.one_of(&["FM", "CM", "NM", "WIM"])),
                _ => None,
            };
            let pace = if chance.per_mille(80) { chance.between(24, 60) } else { 12 };
            people.push(Person { name, rating, title, pace });
        }
        People(people)
    }

    /// The player with this index.
    pub(super) fn get(&self, index: usize) -> &Person {
        &self.0[index]
    }

    /// Two opponents: a random player and one of about the same rating.
    pub(super) fn pair(&self, chance: &mut Chance) -> [usize; 2] {
        let anybody = |chance: &mut Chance| chance.below(PEOPLE as u64) as usize;
        let first = anybody(chance);
        let apart = |other: usize| (self.0[other].rating - self.0[first].rating).abs();
        let mut second = (first + 1) % PEOPLE;
        for _ in 0..10 {
            let other = anybody(chance);
            if other != first && apart(other) < apart(second) {
                second = other;
            }
        }
        if chance.per_mille(500) { [first, second] } else { [second, first] }
    }

    /// Updates both ratings after a result; `points` are White's, in halves.
    pub(super) fn settle(&mut self, pair: [usize; 2], points: i32) -> [i32; 2] {
        let apart = self.0[pair[0]].rating - self.0[pair[1]].rating;
        // Elo's curve in per mille, approximated by straight segments.
        let far = apart.abs().min(700);
        let expected = match far {
            0..200 => 500 + far * 13 / 10,
            200..400 => 760 + (far - 200) * 3 / 4,
            _ => 910 + (far - 400) / 4,
        };
        let expected = if apart < 0 { 1000 - expected } else { expected };
        let surplus = 500 * points - expected;
        [self.move_rating(pair[0], surplus), self.move_rating(pair[1], -surplus)]
    }

    /// Changes a rating by a surplus of points in thousandths; returns the change.
    fn move_rating(&mut self, index: usize, surplus: i32) -> i32 {
        let person = &mut self.0[index];
        let difference = (person.pace * surplus + 500 * surplus.signum()) / 1000;
        person.rating = (person.rating + difference).clamp(600, 3000);
        person.pace = (person.pace - 1).max(12);
        difference
    }
}

/// A name such as `Tarvonel`, `kelm_ora77` or `RookOfSadra`.
fn invent_name(chance: &mut Chance) -> String {
    const FIRST: &[&str] = &[
        "ta", "ke", "mo", "ri", "sa", "vel", "dor", "an", "bel", "cor", "fi", "gal", "hem", "is",
        "jor", "lu", "mar", "nel", "or", "pel", "qua", "ras", "sol", "tor", "ul", "wen", "yar",
        "zim",
    ];
    const LAST: &[&str] = &[
        "ra", "don", "mek", "lis", "no", "vik", "sha", "tan", "rel", "go", "mir", "bas", "ko",
        "lan", "der", "nus", "fel", "ti", "zo", "rin",
    ];
    const WORDS: &[&str] = &[
        "Pawn",
        "Rook",
        "Knight",
        "Bishop",
        "Gambit",
        "Blunder",
        "Castle",
        "Fianchetto",
        "Zug",
        "Tempo",
        "Skewer",
        "Endgame",
    ];
    let mut body = format!("{}{}", chance.one_of(FIRST), chance.one_of(LAST));
    if chance.per_mille(400) {
        body += *chance.one_of(LAST);
    }
    let capital = |body: &str| format!("{}{}", body[..1].to_uppercase(), &body[1..]);
    match chance.below(6) {
        0 => body,
        1 => capital(&body),
        2 => format!("{}{}", capital(&body), chance.between(1, 2012)),
        3 => format!("{body}_{}", chance.one_of(LAST)),
        4 => format!("{}Of{}", chance.one_of(WORDS), capital(&body)),
        _ => format!("{body}{}", chance.between(1, 99)),
    }
}
