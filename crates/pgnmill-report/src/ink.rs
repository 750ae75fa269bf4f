//! Colours by what they mean.
//!
//! Input: what a part of a figure is; output: a variable of the style sheet in a page, so that one drawing serves light
//! and dark schemes and paper, and the colour of the light scheme in a file of its own.

use pgnmill_core::tables::notations::names;

/// What a part of a figure is drawn in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    /// Words.
    Text,
    /// Words of the second rank, axes.
    Muted,
    /// Grid lines.
    Grid,
    /// The page itself.
    Paper,
    /// A series by its number, from 0 to 5.
    Series(u8),
}

/// A shape along a line, so that lines differ without colours, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Marker {
    /// A disc.
    Disc,
    /// A square on its side.
    Square,
    /// A triangle on its side.
    Triangle,
    /// A square on its corner.
    Diamond,
}

impl Marker {
    /// The character that a legend shows.
    pub(super) fn character(self) -> char {
        match self {
            Marker::Disc => '●',
            Marker::Square => '■',
            Marker::Triangle => '▲',
            Marker::Diamond => '◆',
        }
    }
}

impl Ink {
    /// The marker of a series: of the four that a figure of lines compares each has its own.
    pub(super) fn marker(self) -> Option<Marker> {
        match self {
            Ink::Series(0) => Some(Marker::Disc),
            Ink::Series(1) => Some(Marker::Square),
            Ink::Series(2) => Some(Marker::Triangle),
            Ink::Series(3) => Some(Marker::Diamond),
            _ => None,
        }
    }

    /// The ink of a notation: the same in every figure.
    pub(super) fn of(notation: &str) -> Ink {
        Ink::Series(match notation {
            names::SAN => 0,
            names::LETTERS => 1,
            names::SQUARES => 2,
            names::PRIORITY => 3,
            names::LONG => 4,
            _ => 5,
        })
    }

    /// The variable of the style sheet.
    pub(super) fn variable(self) -> &'static str {
        match self {
            Ink::Text => "var(--text)",
            Ink::Muted => "var(--muted)",
            Ink::Grid => "var(--grid)",
            Ink::Paper => "var(--paper)",
            Ink::Series(0) => "var(--s0)",
            Ink::Series(1) => "var(--s1)",
            Ink::Series(2) => "var(--s2)",
            Ink::Series(3) => "var(--s3)",
            Ink::Series(4) => "var(--s4)",
            Ink::Series(_) => "var(--s5)",
        }
    }

    /// The colour of the light scheme, which the style sheet has too.
    pub(super) fn plain(self) -> &'static str {
        match self {
            Ink::Text => "#1b1f24",
            Ink::Muted => "#57606a",
            Ink::Grid => "#dde1e6",
            Ink::Paper => "#ffffff",
            Ink::Series(0) => "#1f5fa8",
            Ink::Series(1) => "#b3480f",
            Ink::Series(2) => "#19764a",
            Ink::Series(3) => "#8a2f8f",
            Ink::Series(_) => "#59636e",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_colours_of_the_light_scheme() {
        let sheet = include_str!("style.css");
        let light = sheet.split('}').next().unwrap();
        let words = [Ink::Text, Ink::Muted, Ink::Grid, Ink::Paper];
        for ink in words.into_iter().chain((0..=5).map(Ink::Series)) {
            let name = ink.variable().trim_start_matches("var(").trim_end_matches(')');
            let rule = format!("{name}: {};", ink.plain());
            assert!(light.contains(&rule), "the style sheet has no {rule}");
        }
    }
}
