//! The tag pairs of a game that have no column of their own, and the identifier in its address.
//!
//! In: the text of a game's tag pairs. Out: names and values. Invariant: of several pairs with one name the last
//! counts. Cost: the tag section once, if they are requested.

use std::ops::Range;

use crate::pgn::TagPairs;

/// Names and values of tag pairs, as spans.
#[derive(Debug, Default)]
pub(super) struct OtherTags(Vec<(Range<usize>, Range<usize>)>);

impl OtherTags {
    /// Reads the tag pairs in `section` of the text whose names no column has.
    pub(super) fn read(
        &mut self,
        text: &[u8],
        section: Range<usize>,
        has_column: impl Fn(&[u8]) -> bool,
    ) {
        self.0.clear();
        let others = TagPairs::new(text, section)
            .filter(|pair| !has_column(&text[pair.name.clone()]))
            .map(|pair| (pair.name, pair.value));
        self.0.extend(others);
        // Sorted by name, and by position where the names are the same: linear searches would be quadratic.
        let name = |pair: &(Range<usize>, Range<usize>)| pair.0.clone();
        self.0.sort_by(|one, other| {
            (&text[name(one)], other.0.start).cmp(&(&text[name(other)], one.0.start))
        });
        self.0.dedup_by(|later, kept| text[name(later)] == text[name(kept)]);
        self.0.sort_by_key(|pair| pair.0.start);
    }

    /// Names and values as they are written, in the order of the text.
    pub(super) fn entries<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = (&'t [u8], &'t [u8])> {
        let pair = |(name, value): &(Range<usize>, Range<usize>)| {
            (&text[name.clone()], &text[value.clone()])
        };
        self.0.iter().map(pair)
    }
}

/// The identifier of a game in a URL: the last segment of the path of one of lichess.org, the number of one of
/// chess.com.
pub(super) fn game_id(url: &str) -> Option<&str> {
    let url = url.trim();
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let mut segments = address[..path_end].trim_end_matches('/').split('/');
    let host = segments.next()?.to_ascii_lowercase();
    let is_of = |site: &str| {
        host == site || host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'))
    };
    // A game from the side of a player: `lichess.org/ID/black`.
    let last =
        segments.rfind(|segment| !segment.is_empty() && !["white", "black"].contains(segment))?;
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
    (is_of("lichess.org") || is_of("chess.com") && is_number).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_games() {
        for (url, expected) in [
            ("https://lichess.org/abcdEFGH", Some("abcdEFGH")),
            ("lichess.org/abcdEFGH/black#12", Some("abcdEFGH")),
            ("https://www.chess.com/game/live/12345?username=x", Some("12345")),
            ("https://www.chess.com/member/someone", None),
            ("Chess.com", None),
            ("https://lichess.org/", None),
            ("https://notlichess.org/abcdefgh", None),
            ("https://example.org/lichess.org/abc", None),
            ("Paris", None),
            ("", None),
        ] {
            assert_eq!(game_id(url), expected, "{url}");
        }
    }

    #[test]
    fn of_several_pairs_with_one_name_the_last_counts() {
        let text = b"[B \"1\"]\n[A \"2\"]\n; x\n[ECO \"B1\"]\n[B \"3\"]\n[Link \"4\"]\n";
        let mut tags = OtherTags::default();
        tags.read(text, 0..text.len(), |name| name == b"ECO");
        let others: Vec<_> = tags.entries(text).collect();
        assert_eq!(others, [(&b"A"[..], &b"2"[..]), (b"B", b"3"), (b"Link", b"4")]);
    }
}
