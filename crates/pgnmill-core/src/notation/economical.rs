//! The 'Economical' notations without start symbol: the arrival square and the shortest disambiguation.
//!
//! Source: random-starting.blogspot.com, "'Economical' chess notation", second and third mode.
//!
//! * A text is the code square of the move ([`super::arrivals`]), preceded, if several pieces could arrive there, by
//!   the origin's file; if that leaves several, by its rank; else by its square.
//! * *Priority*: among the pieces that match the text, the first class in the order P N B R Q K is meant, and it must
//!   contain exactly one piece.
//! * Which pieces count? The page's own game writes `8d8` for a king although the queen is pinned and could not move:
//!   so all pieces with a pseudo-legal move. The `-legal` writers count only legal moves; they show the effect of
//!   legality alone. Reading goes by legal moves, which covers both.

use crate::chess::rules::VariantPosition;
use crate::chess::{Bitboard, Board, Move, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::arrivals::{Arrivals, code, legal_rivals, no_heavier, rivals_among};
use super::facts::{Facts, Others};
use super::line::{LineWriter, TARGET_AMONG_ARRIVALS};
use super::ply::disambiguate;
use super::{
    CheckSuffix, Digits, Disambiguation, Info, Length, Lineage, MoveText, Needs, Notation, Ply,
    Reading, Requires, VariantPly, drops,
};

/// The length of the code square.
const SQUARE_BYTES: u8 = 2;

/// One of the four writers.
#[derive(Debug)]
pub(super) struct Economical {
    info: &'static Info,
    priority: bool,
    legal: bool,
}

const SOURCE: &str = "random-starting.blogspot.com, 'Economical' chess notation";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const GAME_PLY_20: &str = "r1b1kb1r/p2nq3/2p1pnBp/8/3P4/5N2/PPP2PPP/R1BQ1RK1 b kq - 1 10";

const fn info(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    examples: &'static [(&'static str, &'static str, &'static str)],
) -> Info {
    Info {
        name,
        title,
        source: SOURCE,
        about,
        alphabet: "abcdefgh12345678",
        characters_max: 4,
        bytes_max: 4,
        needs: Needs::Board,
        writes_check: false,
        digits: Digits::Lead,
        examples,
        exceptions: "",
    }
}

/// Mode 2: without start symbol.
pub(super) static SQUARES: Economical = Economical {
    info: &info(
        "economical-squares",
        "'Economical' notation, without start symbol",
        "Only the arrival square, with the origin's file, rank or square where several pieces could arrive there. \
         Castling is the square of the castling rook; a promotion to rook, bishop or knight is written one, two or \
         three squares back.",
        &[(INITIAL, "e2e4", "e4"), (GAME_PLY_20, "e8d8", "8d8")],
    ),
    priority: false,
    legal: false,
};

/// Mode 3: without start symbol, with priority.
pub(super) static PRIORITY: Economical = Economical {
    info: &info(
        "economical-priority",
        "'Economical' notation, without start symbol, default priority",
        "As economical-squares, but the lightest piece that fits is meant (pawn, knight, bishop, rook, \
         queen, king), so that less disambiguation is required.",
        &[(INITIAL, "e2e4", "e4"), (GAME_PLY_20, "e8d8", "8d8")],
    ),
    priority: true,
    legal: false,
};

/// Mode 2 with legal candidates only.
pub(super) static SQUARES_LEGAL: Economical = Economical {
    info: &info(
        "economical-squares-legal",
        "'Economical' without start symbol, legal candidates",
        "As economical-squares, counting only pieces that could legally arrive: what legality alone saves.",
        &[(INITIAL, "e2e4", "e4"), (GAME_PLY_20, "e8d8", "d8")],
    ),
    priority: false,
    legal: true,
};

/// Mode 3 with legal candidates only.
pub(super) static PRIORITY_LEGAL: Economical = Economical {
    info: &info(
        "economical-priority-legal",
        "'Economical' with default priority, legal candidates",
        "As economical-priority, counting only pieces that could legally arrive: what legality alone saves.",
        &[(INITIAL, "e2e4", "e4"), (GAME_PLY_20, "e8d8", "d8")],
    ),
    priority: true,
    legal: true,
};

impl Economical {
    /// The pieces against which a text disambiguates.
    #[inline(always)]
    fn others(&self, position: &impl Board, mv: Move) -> Bitboard {
        // A heavier piece is never meant as long as a lighter one fits.
        let us = position.us();
        let among = if self.priority { no_heavier(position.pieces(), mv.role()) } else { us };
        let rivals = rivals_among(position, mv, among);
        if self.legal && rivals.has_any() { legal_rivals(position, mv, rivals) } else { rivals }
    }

    /// The same for [`Facts`].
    #[inline(always)]
    fn disambiguated_against(&self) -> Others {
        match (self.legal, self.priority) {
            (false, false) => Others::All,
            (false, true) => Others::NoHeavier,
            (true, false) => Others::Legal,
            (true, true) => Others::LegalNoHeavier,
        }
    }

    /// Writes a move.
    #[inline(always)]
    fn write(&self, position: &impl Board, mv: Move, text: &mut MoveText) {
        let origin = mv.origin();
        match disambiguate(origin, self.others(position, mv)) {
            Disambiguation::None => {}
            Disambiguation::File => text.push(origin.file_letter()),
            Disambiguation::Rank => text.push(origin.rank_digit()),
            Disambiguation::Square => text.push_square(origin),
        }
        text.push_square(code(position, mv));
    }

    /// Writes a drop: with a letter only where the square alone does not name the piece. King safety makes no
    /// difference, so that the legal writers write the same.
    fn write_drop(&self, position: &impl Board, mv: Move, text: &mut MoveText) {
        let mut roles = position.droppable(mv.target());
        let (first, second) = (roles.next(), roles.next());
        let is_meant = if self.priority { first == Some(mv.role()) } else { second.is_none() };
        if !is_meant {
            text.push(mv.role().letter());
        }
        text.push(drops::AT);
        text.push_square(mv.target());
    }

    /// Reads a drop; without a letter, the one role that may legally be dropped there, or the first of them.
    fn read_drop(&self, text: &[u8], position: &impl Board) -> Result<Reading, Deviation> {
        let (letter, square) = match *text {
            [drops::AT, file, rank] => (None, Square::from_ascii(file, rank)),
            [letter, drops::AT, file, rank] => (Some(letter), Square::from_ascii(file, rank)),
            _ => return Err(Deviation::MoveUnreadable),
        };
        let square = square.ok_or(Deviation::MoveUnreadable)?;
        let mv = match letter {
            Some(letter) => {
                let role = Role::from_letter(letter).ok_or(Deviation::MoveUnreadable)?;
                position.drop_of(role, square).ok_or(Deviation::MoveIllegal)?
            }
            None => {
                let roles = position.droppable(square);
                let mut legal = roles.filter_map(|role| position.drop_of(role, square));
                match (legal.next(), legal.next()) {
                    (Some(_), Some(_)) if !self.priority => return Err(Deviation::MoveAmbiguous),
                    (Some(mv), _) => mv,
                    (None, _) => return Err(Deviation::MoveIllegal),
                }
            }
        };
        let mut canonical = MoveText::default();
        self.write_drop(position, mv, &mut canonical);
        Ok(Reading::of_body(mv, CheckSuffix::Unspecified, canonical.as_bytes() == text))
    }

    /// Reads any text of a move.
    fn read_on<B: Board>(&self, text: &[u8], position: &B) -> Result<Reading, Deviation> {
        if !B::IS_STANDARD && text.contains(&drops::AT) {
            return self.read_drop(text, position);
        }
        let mv = self.find(text, position)?;
        let mut canonical = MoveText::default();
        self.write(position, mv, &mut canonical);
        Ok(Reading::of_body(mv, CheckSuffix::Unspecified, canonical.as_bytes() == text))
    }

    fn find<B: Board>(&self, text: &[u8], position: &B) -> Result<Move, Deviation> {
        let (prefix, code) = match *text {
            [ref prefix @ .., file, rank] => (prefix, Square::from_ascii(file, rank)),
            _ => (text, None),
        };
        let code = code.ok_or(Deviation::MoveUnreadable)?;
        let mask = match *prefix {
            [] => !Bitboard::EMPTY,
            [file @ b'a'..=b'h'] => Bitboard::file(file - b'a'),
            [rank @ b'1'..=b'8'] => Bitboard::rank(rank - b'1'),
            [file, rank] => {
                Bitboard::of(Square::from_ascii(file, rank).ok_or(Deviation::MoveUnreadable)?)
            }
            _ => return Err(Deviation::MoveUnreadable),
        };
        let arrivals = Arrivals::of(position, code).legal(position);
        let (role, pieces) = arrivals.first_class(mask).ok_or(Deviation::MoveIllegal)?;
        let all = if self.priority { pieces } else { arrivals.all() & mask };
        let origin = all.single().ok_or(Deviation::MoveAmbiguous)?;
        arrivals.move_of(position, role, origin).ok_or(Deviation::MoveIllegal)
    }
}

impl Notation for Economical {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        self.write(ply.before(), ply.mv(), text);
    }

    fn line_writer(&self) -> Option<&'static LineWriter> {
        (self.priority && !self.legal).then_some(&TARGET_AMONG_ARRIVALS)
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        match ply.mv().is_drop() {
            true => self.write_drop(ply.before(), ply.mv(), text),
            false => self.write(ply.before(), ply.mv(), text),
        }
        Ok(())
    }

    #[inline(always)]
    fn requires(&self) -> Requires {
        Requires::Disambiguation(self.disambiguated_against(), SQUARE_BYTES)
    }

    #[inline(always)]
    fn length(&self, facts: &Facts<'_>) -> Length {
        Length::ascii(SQUARE_BYTES + facts.disambiguation_length(self.disambiguated_against()))
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}
