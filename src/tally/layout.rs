//! Which notations of the registry are written out to be measured, and which follow from SAN.

use std::sync::LazyLock;

use crate::notation::{NOTATIONS, Notation};

use super::Length;

/// The lengths of a notation's letters, pawn to king.
pub(super) type LetterLengths = [Length; 6];

/// How a notation is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// It is written; its place among those that are.
    Written(usize),
    /// It is SAN with letters of these lengths.
    Lettered(&'static LetterLengths),
}

/// How all notations are measured.
#[derive(Debug)]
pub(super) struct Layout {
    /// Those that are written, SAN first.
    pub(super) written: Vec<&'static dyn Notation>,
    /// Those of them whose alphabet is not ASCII alone.
    pub(super) wide: Vec<usize>,
    places: Vec<Result<usize, LetterLengths>>,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let mut layout = Layout { written: Vec::new(), wide: Vec::new(), places: Vec::new() };
    for &notation in NOTATIONS {
        let place = match notation.san_letters() {
            Some(letters) => Err(letters.map(|letter| Length {
                characters: letter.chars().count() as u8,
                bytes: letter.len() as u8,
            })),
            None => {
                if !notation.info().alphabet.is_ascii() {
                    layout.wide.push(layout.written.len());
                }
                layout.written.push(notation);
                Ok(layout.written.len() - 1)
            }
        };
        layout.places.push(place);
    }
    layout
});

impl Layout {
    pub(super) fn get() -> &'static Layout {
        &LAYOUT
    }

    /// How the notation at a place of the registry is measured.
    pub(super) fn place(&'static self, notation: usize) -> Place {
        match &self.places[notation] {
            Ok(index) => Place::Written(*index),
            Err(letters) => Place::Lettered(letters),
        }
    }
}
