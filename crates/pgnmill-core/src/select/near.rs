//! Names that are similar to one that does not exist.
//!
//! In: a name. Out: the words of an error. Cost: the number of names times the square of their lengths, which are
//! bounded.

use super::fields::fields;
use super::functions::FUNCTIONS;
use super::known_tags;

/// Longer names are similar to none.
const NAME_BYTES_MAX: usize = 40;
/// Shorter names are slips of another if one letter differs, or two have changed places.
const SHORT_NAME: usize = 4;

/// Words for the number of plies of a game.
const PLIES: &[&str] = &[
    "ply",
    "plies",
    "length",
    "movecount",
    "move_count",
    "moves_count",
    "num_moves",
    "plies_count",
    "nplies",
];

/// Words for values of plies, of which a condition has the number alone.
const EVALUATIONS: &[&str] =
    &["eval", "evaluation", "evals_cp", "eval_cp", "evals_mate", "eval_mate", "centipawns", "cp"];
const CLOCKS: &[&str] = &["clock", "clk", "clocks_ms", "clock_ms", "remaining"];

/// Words for which there are other names.
const MEANT: [(&[&str], &[&str]); 19] = [
    (EVALUATIONS, &["evals"]),
    (CLOCKS, &["clocks"]),
    (&["checkmate", "checkmated", "mated", "is_mate"], &["mate"]),
    (&["white_won", "white_wins", "whitewins", "whitewon"], &["outcome == \"1-0\""]),
    (&["black_won", "black_wins", "blackwins", "blackwon"], &["outcome == \"0-1\""]),
    (&["elo", "rating", "ratings"], &["WhiteElo", "BlackElo", "player_rating"]),
    (&["name", "players", "whiteplayer", "blackplayer"], &["player", "White", "Black"]),
    (PLIES, &["ply_count"]),
    (&["fen", "final_position"], &["position(\"FEN\")", "final_fen", "tag(\"FEN\")"]),
    (&["tc", "time_control", "base", "increment"], &["TimeControl", "time_initial", "speed"]),
    (&["winner", "wins", "won", "win", "loser", "lost"], &["player_won", "outcome"]),
    (&["draw", "drawn", "score", "result"], &["outcome"]),
    (&["titles", "whitetitles"], &["WhiteTitle", "BlackTitle"]),
    (&["ruleset", "variants", "game_type"], &["rules"]),
    (&["elo_white", "rating_white", "white_rating"], &["WhiteElo"]),
    (&["elo_black", "rating_black", "black_rating"], &["BlackElo"]),
    (&["minimum", "least"], &["min(number, number)"]),
    (&["maximum", "greatest"], &["max(number, number)"]),
    (&["lowercase", "tolower", "to_lower", "lcase"], &["lower(text)"]),
];

/// The names that are meant by a word, in any case, for which there is no name.
pub fn meant(name: &str) -> Option<&'static [&'static str]> {
    let lower = name.to_lowercase();
    MEANT.iter().find(|(words, _)| words.contains(&lower.as_str())).map(|(_, meant)| *meant)
}

/// The message for an unknown name, with the most similar known ones.
pub(super) fn unknown(name: &str, what: &str) -> String {
    let lower = name.to_lowercase();
    if let Some(meant) = meant(name) {
        let of_games = match lower.as_str() {
            "ply" | "plies" | "fen" => "; a condition is on a game, not on a position",
            word if EVALUATIONS.contains(&word) || CLOCKS.contains(&word) => {
                "; the values are columns of `pgnmill export`, and a condition is on their number"
            }
            _ => "",
        };
        return format!(
            "there is no {what} {name}{of_games}; did you mean {}?",
            meant.join(" or ")
        );
    }
    let bound = ((lower.chars().count() + 1) / 3).clamp(1, 3);
    let own = fields().map(|field| field.name).chain(FUNCTIONS.iter().map(|field| field.name));
    let own = own.map(|name| name.split('(').next().unwrap_or_default());
    let known = own.chain(known_tags::names());
    // Two letters that have changed places are one slip, also in a short name.
    let steps = |known: &str| match distance(&lower, known) {
        2 if has_same_letters(&lower, known) => 1,
        distance => distance,
    };
    let mut near: Vec<(usize, &str)> = known
        .filter(|_| lower.len() <= NAME_BYTES_MAX)
        .map(|known| (steps(&known.to_lowercase()), known))
        .filter(|(steps, known)| *steps <= bound || known.to_lowercase().starts_with(&lower))
        .collect();
    near.sort();
    // By upper and lower case alone: there is little doubt.
    if near.first().is_some_and(|(distance, _)| *distance == 0) {
        near.retain(|(distance, _)| *distance < 2);
    }
    let near: Vec<&str> = near.into_iter().take(3).map(|(_, known)| known).collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", near.join(" or "))
    };
    format!("there is no {what} {}{hint}", name.chars().take(40).collect::<String>())
}

/// The known names, and fields, of which a name that is not known can be a slip: they differ by two letters at most, or
/// by upper and lower case.
pub(super) fn slips_of(name: &str) -> Vec<&'static str> {
    if name.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let all = known_tags::names().chain(fields().map(|field| field.name));
    let mut near: Vec<(usize, &str)> =
        all.filter_map(|known| Some((slip(name, known)?, known))).collect();
    near.sort();
    // By upper and lower case alone: there is no doubt.
    near.truncate(if near.first().is_some_and(|(distance, _)| *distance == 0) { 1 } else { 3 });
    near.into_iter().map(|(_, known)| known).collect()
}

/// The known names of tag pairs of which a name that is none of them can be a slip.
pub fn tags_near(name: &str) -> Vec<&'static str> {
    let near = if known_tags::is_known(name) { Vec::new() } else { slips_of(name) };
    near.into_iter().filter(|near| known_tags::is_known(near)).collect()
}

/// How far a name is from another one, if it can be a slip of it.
fn slip(name: &str, known: &str) -> Option<usize> {
    let [name, known] = [name, known].map(str::to_lowercase);
    let distance = distance(&name, &known);
    let is_short = known.len().min(name.len()) <= SHORT_NAME;
    let is_slip = distance < 2 || distance == 2 && (!is_short || has_same_letters(&name, &known));
    is_slip.then_some(distance)
}

/// Have two words the same letters, in any order?
pub(super) fn has_same_letters(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    letters(one) == letters(other)
}

/// The number of insertions, deletions and substitutions that make one word another (Levenshtein 1965).
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, letter) in from.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], line + 1);
        for (place, other) in to.iter().enumerate() {
            let change = corner + usize::from(letter != *other);
            corner = row[place + 1];
            row[place + 1] = change.min(corner + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near() {
        for (name, meant) in
            [("Wite", "White"), ("EOC", "ECO"), ("WHITEELO", "WhiteElo"), ("Speed", "speed")]
        {
            assert!(slips_of(name).contains(&meant), "{name}: {:?}", slips_of(name));
        }
        for name in ["Rating", "Id", "Foo", "B90", "Carlsen"] {
            assert_eq!(slips_of(name), [""; 0], "{name}");
        }
    }

    #[test]
    fn distances_are_those_of_words() {
        for (from, to, steps) in
            [("", "", 0), ("uci", "uci", 0), ("", "uci", 3), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(from, to), steps);
        }
        // By its definition: the last letters are equal, or one of them is removed, or both.
        fn defined(from: &[u8], to: &[u8]) -> usize {
            match (from, to) {
                ([], rest) | (rest, []) => rest.len(),
                ([from @ .., a], [to @ .., b]) if a == b => defined(from, to),
                ([shorter @ .., _], [other @ .., _]) => {
                    let one = defined(shorter, to).min(defined(from, other));
                    1 + one.min(defined(shorter, other))
                }
            }
        }
        let letter = |number: usize, place: u32| ["", "a", "b"][number / 3_usize.pow(place) % 3];
        let words: Vec<String> =
            (0..81).map(|n| (0..4).map(|place| letter(n, place)).collect()).collect();
        for (from, to) in words.iter().flat_map(|from| words.iter().map(move |to| (from, to))) {
            let steps = defined(from.as_bytes(), to.as_bytes());
            assert_eq!(distance(from, to), steps, "{from} {to}");
        }
    }
}
