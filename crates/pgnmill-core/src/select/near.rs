//! Names that are similar to one that does not exist.
//!
//! In: a name. Out: the words of an error. Cost: the number of names times the square of their lengths, which are
//! bounded.

use super::fields::{FACTS, FUNCTIONS, TYPED_TAGS};

/// The message for an unknown name, with the most similar known ones.
pub(super) fn unknown(name: &str, what: &str) -> String {
    let lower = name.to_lowercase();
    let bound = ((lower.chars().count() + 1) / 3).clamp(1, 3);
    let tags = ["Event", "Site", "White", "Black", "Result", "Round", "ECO", "Opening", "Title"];
    let own =
        FACTS.iter().chain(FUNCTIONS).map(|field| field.name.split('(').next().unwrap_or_default());
    let known = own.chain(TYPED_TAGS.iter().map(|tag| tag.0)).chain(tags);
    let mut near: Vec<(usize, &str)> = known
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

/// The number of insertions, deletions and replacements between two names. Long ones are different.
fn distance(one: &str, other: &str) -> usize {
    if one.len() > 40 {
        return usize::MAX;
    }
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, character) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, known) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(*known != character);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}
