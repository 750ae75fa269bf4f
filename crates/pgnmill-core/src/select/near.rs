//! Names that are similar to one that does not exist.
//!
//! In: a name. Out: the words of an error. Cost: the number of names times the square of their lengths, which are
//! bounded.

use super::fields::{FUNCTIONS, fields, typed_tags};

/// Longer names are similar to none.
const NAME_BYTES_MAX: usize = 40;

/// The message for an unknown name, with the most similar known ones.
pub(super) fn unknown(name: &str, what: &str) -> String {
    let lower = name.to_lowercase();
    let bound = ((lower.chars().count() + 1) / 3).clamp(1, 3);
    let tags = ["Event", "Site", "White", "Black", "Result", "Round", "ECO", "Opening", "Title"];
    let own = fields().map(|field| field.name).chain(FUNCTIONS.iter().map(|field| field.name));
    let own = own.map(|name| name.split('(').next().unwrap_or_default());
    let known = own.chain(typed_tags().map(|tag| tag.0)).chain(tags);
    let mut near: Vec<(usize, &str)> = known
        .filter(|_| lower.len() <= NAME_BYTES_MAX)
        .map(|known| (distance(&lower, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance <= bound || known.to_lowercase().starts_with(&lower))
        .collect();
    near.sort();
    let near: Vec<&str> = near.into_iter().take(3).map(|(_, known)| known).collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", near.join(" or "))
    };
    format!("there is no {what} {}{hint}", name.chars().take(40).collect::<String>())
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
