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

use crate::chess::{Bitboard, Board, Move, Role, Square};
use crate::pgn::deviation::Deviation;

use super::arrivals::{Arrivals, code, legal_rivals, no_heavier, rivals_among};
use super::body::Body;
use super::facts::{Facts, Others};
use super::line::{LineWriter, TARGET_AMONG_ARRIVALS};
use super::ply::{Step, disambiguate};
use super::{
    CheckSuffix, Described, Digits, Disambiguation, Info, Length, Lineage, MoveText, Needs,
    Reading, Requires, drops,
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

    /// What a move is disambiguated against, from [`Facts`].
    #[inline(always)]
    fn disambiguated_against(&self) -> Others {
        match (self.legal, self.priority) {
            (false, false) => Others::All,
            (false, true) => Others::NoHeavier,
            (true, false) => Others::Legal,
            (true, true) => Others::LegalNoHeavier,
        }
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

    /// The drop of a text; without a letter, of the one role that may legally be dropped there, or the first of them.
    fn find_drop(&self, text: &[u8], position: &impl Board) -> Result<Move, Deviation> {
        let (letter, square) = match *text {
            [drops::AT, file, rank] => (None, Square::from_ascii(file, rank)),
            [letter, drops::AT, file, rank] => (Some(letter), Square::from_ascii(file, rank)),
            _ => return Err(Deviation::MoveUnreadable),
        };
        let square = square.ok_or(Deviation::MoveUnreadable)?;
        if let Some(letter) = letter {
            let role = Role::from_letter(letter).ok_or(Deviation::MoveUnreadable)?;
            return position.drop_of(role, square).ok_or(Deviation::MoveIllegal);
        }
        let roles = position.droppable(square);
        let mut legal = roles.filter_map(|role| position.drop_of(role, square));
        match (legal.next(), legal.next()) {
            (Some(_), Some(_)) if !self.priority => Err(Deviation::MoveAmbiguous),
            (first, _) => first.ok_or(Deviation::MoveIllegal),
        }
    }

    fn find(&self, text: &[u8], position: &impl Board) -> Result<Move, Deviation> {
        let (prefix, code) = match *text {
            [ref prefix @ .., file, rank] => (prefix, Square::from_ascii(file, rank)),
            _ => (text, None),
        };
        let code = code.ok_or(Deviation::MoveUnreadable)?;
        let (_, mask) = Disambiguation::read(prefix).ok_or(Deviation::MoveUnreadable)?;
        let arrivals = Arrivals::of(position, code).legal(position);
        let (role, pieces) = arrivals.first_class(mask).ok_or(Deviation::MoveIllegal)?;
        let all = if self.priority { pieces } else { arrivals.all() & mask };
        let origin = all.single().ok_or(Deviation::MoveAmbiguous)?;
        arrivals.move_of(position, role, origin).ok_or(Deviation::MoveIllegal)
    }
}

impl Described for Economical {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn line_writer(&self) -> Option<&'static LineWriter> {
        (self.priority && !self.legal).then_some(&TARGET_AMONG_ARRIVALS)
    }

    #[inline(always)]
    fn requires(&self) -> Requires {
        Requires::Disambiguation(self.disambiguated_against(), SQUARE_BYTES)
    }

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let others = self.disambiguated_against();
        Some(Length::ascii(SQUARE_BYTES + facts.disambiguation_length(others)))
    }
}

impl Body for Economical {
    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let (position, mv) = (step.before, step.mv);
        if !B::IS_STANDARD && mv.is_drop() {
            self.write_drop(position, mv, text);
            return Ok(());
        }
        let origin = mv.origin();
        disambiguate(origin, self.others(position, mv)).write(origin, text);
        text.push_square(code(position, mv));
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let mv = match !B::IS_STANDARD && text.contains(&drops::AT) {
            true => self.find_drop(text, position)?,
            false => self.find(text, position)?,
        };
        let step = Step { before: position, mv, lineage };
        Ok(self.reading_of(text, step, CheckSuffix::Unspecified))
    }
}
