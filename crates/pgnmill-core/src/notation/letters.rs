//! The classical short forms: SAN without `x`, `+`, `#` and `=`.
//!
//! * `economical-letters`: random-starting.blogspot.com, "'Economical' chess notation", first mode. The page's words
//!   "rank" and "file" are swapped there (`de4` shows the file); its castling is written with Greek letters in the
//!   rules and Latin ones in the game: Latin is written, all are read.
//! * `eco`: the Encyclopedia of Chess Openings and the Informant (Wikipedia: they "omit indications that a capture has
//!   been made" and do "not indicate check"); castling `0-0`.

use crate::chess::{Board, CastlingSide};
use crate::pgn::deviation::Deviation;

use super::body::Body;
use super::drops::{self, PawnLetter};
use super::ply::Step;
use super::{
    CheckSuffix, Described, Digits, Info, Length, Lineage, MoveText, Needs, Reading, Shape,
    algebraic, san,
};

/// A short form: they differ in their castling.
#[derive(Debug)]
pub(super) struct LetterNotation {
    info: &'static Info,
    castle_short: &'static [u8],
    castle_long: &'static [u8],
}

/// 'Economical' with letters.
pub(super) static ECONOMICAL: LetterNotation = LetterNotation {
    info: &Info {
        name: "economical-letters",
        title: "'Economical' notation, with start symbol",
        source: "random-starting.blogspot.com, 'Economical' chess notation, mode 1",
        about: "The classical short form: SAN without the marks for capture, check, mate and \
                promotion. A pawn that takes is written by its file and the arrival square.",
        alphabet: "abcdefgh12345678NBRQKO-",
        characters_max: 5,
        bytes_max: 5,
        needs: Needs::Board,
        writes_check: false,
        digits: Digits::Never,
        examples: &[
            ("rnbqkbnr/pp2pppp/2p5/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 1 3", "d5e4", "de4"),
            ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "ba8N"),
        ],
        exceptions: "",
    },
    castle_short: b"O-O",
    castle_long: b"O-O-O",
};

/// The style of the Encyclopedia of Chess Openings.
pub(super) static ECO: LetterNotation = LetterNotation {
    info: &Info {
        name: "eco",
        title: "Encyclopedia of Chess Openings style",
        source: "Wikipedia, Algebraic notation (chess): Encyclopedia of Chess Openings, Chess \
                 Informant",
        about: "SAN without the marks for capture, check, mate and promotion, castling with zeros: \
                the style of the Encyclopedia of Chess Openings, with English letters in place of \
                its figurines.",
        alphabet: "abcdefgh12345678NBRQK0-",
        characters_max: 5,
        bytes_max: 5,
        needs: Needs::Board,
        writes_check: false,
        digits: Digits::Never,
        examples: &[
            ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "Re7"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "0-0"),
            ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "ba8N"),
        ],
        exceptions: "",
    },
    castle_short: b"0-0",
    castle_long: b"0-0-0",
};

impl LetterNotation {
    fn read_canonical(
        &self,
        text: &[u8],
        position: &impl Board,
    ) -> Option<Result<Reading, Deviation>> {
        let side = if text == self.castle_short {
            CastlingSide::Short
        } else if text == self.castle_long {
            CastlingSide::Long
        } else if text.first() == Some(&b'O') {
            return None;
        } else {
            return san::read_body::<false, _>(text, position).map(|mv| Ok(Reading::canonical(mv)));
        };
        Some(position.castle(side).map(Reading::canonical).ok_or(Deviation::MoveIllegal))
    }
}

impl Described for LetterNotation {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(shape.castling_or(shape.san_origin() + 2 + shape.promotion())))
    }
}

impl Body for LetterNotation {
    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let mv = step.mv;
        match mv.castling_side() {
            Some(CastlingSide::Short) => text.push_bytes(self.castle_short),
            Some(CastlingSide::Long) => text.push_bytes(self.castle_long),
            None if !B::IS_STANDARD && mv.is_drop() => {
                drops::write(mv, PawnLetter::Omitted, text, san::english);
            }
            None => {
                san::write_origin(step, text, san::english);
                text.push_square(mv.target());
                if let Some(role) = mv.promoted() {
                    text.push(role.letter());
                }
            }
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_canonical(text, position).unwrap_or_else(|| {
            let reading = algebraic::read_as_variant(text, position, PawnLetter::Omitted)?;
            Ok(Reading { check_suffix: CheckSuffix::Unspecified, ..reading })
        })
    }
}
