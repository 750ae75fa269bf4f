//! The names of a closed set that a name which is none of them may mean.
//!
//! In: a name, the known names with words about each. Out: up to three of them, or the sentence of an error. Invariant:
//! a name is found however it is spelled; one that has nothing in common with any gives no suggestion. Cost: an edit
//! distance per known name; names longer than 40 bytes are compared with none.
//!
//! ```text
//! econ   → did you mean economical-letters, economical-squares or economical-priority?
//! german → did you mean de?
//! ```

use pgnmill_io::error::Error;

/// Suggestions, at most.
const SUGGESTIONS_MAX: usize = 3;
/// A longer name is a mistake of another kind.
const NAME_BYTES_MAX: usize = 40;

/// Words of other programs for names of ours.
const MEANT: [(&str, &str); 9] = [
    ("usi", "uci"),
    ("lan", "long"),
    ("longalgebraic", "long"),
    ("pgn", "san"),
    ("sanpgn", "san"),
    ("algebraic", "san"),
    ("halg", "long"),
    ("coordinate", "uci"),
    ("xboard", "san"),
];

/// A name, and words about it, such as the title of a notation.
pub type Known = (String, String);

/// The error for a name that is none of a set: what it may mean, and where all names are listed.
pub fn unknown(what: &str, name: &str, known: &[Known], list: &str) -> Error {
    Error::usage(sentence(&format!("there is no {what} {}", shown(name)), name, known, list))
}

/// The beginning of a sentence, what a name may mean, and where all names are listed.
pub fn sentence(begin: &str, name: &str, known: &[Known], list: &str) -> String {
    let near = near(name, known);
    let meant = match &near[..] {
        [] => return format!("{begin}; {list}"),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    format!("{begin}; did you mean {meant}? {}{}", list[..1].to_uppercase(), &list[1..])
}

/// A name as a message shows it: one that is empty or contains whitespace in quotation marks, a long one truncated.
pub fn shown(name: &str) -> String {
    let cut: String = name.chars().take(NAME_BYTES_MAX).collect();
    let dots = if cut.len() < name.len() { "..." } else { "" };
    match name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        true => format!("{:?}", format!("{cut}{dots}")),
        false => format!("{cut}{dots}"),
    }
}

/// The most similar names, the best first.
fn near<'k>(name: &str, known: &'k [Known]) -> Vec<&'k str> {
    let name = folded(name);
    if name.is_empty() || name.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let meant = MEANT.iter().find(|(word, _)| *word == name).map(|(_, meant)| *meant);
    if let Some((meant, _)) = known.iter().find(|(other, _)| meant == Some(other.as_str())) {
        return vec![meant];
    }
    // A language: `es` is of `san-es`, and of `descriptive-es`.
    let is_of = |other: &str, root: &str| other.strip_prefix(root) == Some(name.as_str());
    let of_language = |root| known.iter().find(move |(other, _)| is_of(other, root));
    let languages = ["san-", "descriptive-"].into_iter().filter_map(of_language);
    let languages: Vec<&str> = languages.map(|(name, _)| name.as_str()).collect();
    if !languages.is_empty() {
        return languages;
    }
    let ranked =
        known.iter().filter_map(|(other, words)| Some((rank(&name, other, words)?, other)));
    let mut ranked: Vec<((usize, usize), &String)> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    // One that is the same but for its spelling is what was meant.
    let best = ranked.first().map_or(0, |(rank, _)| rank.0);
    let is_as_good = |&&((kind, _), _): &&((usize, usize), &String)| best > 0 || kind == 0;
    ranked.iter().take_while(is_as_good).take(SUGGESTIONS_MAX).map(|(_, name)| &name[..]).collect()
}

/// How far a known name is from a name that was given; `None` if they have nothing in common. The first number is how
/// they are similar: in all letters and digits; by few edits; by a beginning; by a part or by words about it.
fn rank(name: &str, other: &str, words: &str) -> Option<(usize, usize)> {
    let known = folded(other);
    let distance = strsim::damerau_levenshtein(name, &known);
    let is_part = |whole: &str, part: &str| part.len() > 2 && whole.contains(part);
    let begins = |word: &str| name.len() > 2 && folded(word).starts_with(name);
    let has_word = || words.split(|c: char| !c.is_alphanumeric()).any(begins);
    match () {
        () if distance == 0 => Some((0, 0)),
        () if is_slip(name, &known, distance) => Some((1, distance)),
        () if known.starts_with(name) => Some((2, 0)),
        () if is_part(&known, name) || is_part(name, &known) || has_word() => Some((3, 0)),
        () => None,
    }
}

/// Can one name be a slip of another? The longer it is, the more letters may differ; in three letters two have changed
/// places, or one is missing or too much.
fn is_slip(name: &str, known: &str, distance: usize) -> bool {
    let [length, known_length] = [name, known].map(|text| text.chars().count());
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    match length.max(known_length) {
        0..=2 => false,
        3 => distance == 1 && (length != known_length || letters(name) == letters(known)),
        4 | 5 => distance == 1 || distance == 2 && letters(name) == letters(known),
        6..=8 => distance <= 2,
        _ => distance <= 3,
    }
}

/// The names of which one can be a slip, or the beginning; the best first.
pub fn slips_of<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let name = folded(name);
    let near = |other: &'n str| {
        let known = folded(other);
        let distance = strsim::damerau_levenshtein(&name, &known);
        let begins = name.len() > 2 && known.starts_with(&name);
        (is_slip(&name, &known, distance) || begins || distance == 0).then_some((distance, other))
    };
    if name.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = names.into_iter().filter_map(near).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(SUGGESTIONS_MAX).map(|(_, name)| name).collect()
}

/// The letters and digits of a name, in small letters.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Known> {
        let of = |(name, words): &(&str, &str)| (name.to_string(), words.to_string());
        [
            ("san", "SAN"),
            ("economical-letters", "Economical, letters"),
            ("economical-priority", ""),
            ("san-de", "SAN, German"),
            ("descriptive-es", "Descriptive, Spanish"),
            ("san-es", "SAN, Spanish"),
            ("move-illegal", ""),
            ("rating-difference", ""),
            ("rating", ""),
        ]
        .iter()
        .map(of)
        .collect()
    }

    #[test]
    fn misspelled_begun_and_described_names_are_found() {
        let known = known();
        let first = |name: &str| near(name, &known).first().copied();
        assert_eq!(first("sann"), Some("san"));
        assert_eq!(first("econ"), Some("economical-letters"));
        assert_eq!(first("german"), Some("san-de"));
        assert_eq!(near("es", &known), ["san-es", "descriptive-es"]);
        assert_eq!(near("de", &known), ["san-de"]);
        assert_eq!(first("move-ilegal"), Some("move-illegal"));
        assert_eq!(near("Rating_Difference", &known), ["rating-difference"]);
        assert_eq!(first("ratign"), Some("rating"));
        // Another word of as many letters is no slip.
        assert_eq!(first("lan"), None);
        assert_eq!(first("sna"), Some("san"));
        for (name, known, expected) in [
            ("sort", "format", false),
            ("head", "threads", false),
            ("game", "sample", false),
            ("top", "output", false),
            ("colums", "columns", true),
            ("overwite", "overwrite", true),
            ("wher", "where", true),
            ("treads", "threads", true),
        ] {
            assert_eq!(!slips_of(name, [known]).is_empty(), expected, "{name}");
        }
        for name in ["", "x", "qqqq", "\u{1f600}", &"san".repeat(100)] {
            assert_eq!(first(name), None, "{name}");
        }
    }

    #[test]
    fn a_sentence_always_leads_to_the_list() {
        let text = |name| unknown("notation", name, &known(), "see `x`").to_string();
        assert_eq!(text("sann"), "there is no notation sann; did you mean san? See `x`");
        assert_eq!(text("qqqq"), "there is no notation qqqq; see `x`");
        assert_eq!(text(""), "there is no notation \"\"; see `x`");
        // A name that would not be one word of the sentence is in quotes.
        assert_eq!(text("q q"), "there is no notation \"q q\"; see `x`");
        assert_eq!(text("qq\t"), "there is no notation \"qq\\t\"; see `x`");
        assert_eq!(text("qq\u{1b}"), "there is no notation \"qq\\u{1b}\"; see `x`");
        assert!(text(&"q".repeat(1 << 20)).len() < 100);
    }
}
