//! Tests: the general movetext loop replays games of other rules than chess.
//!
//! Two rulesets. [`Hill`] is King of the Hill: chess's position and notations, another end. [`Race`] shares nothing
//! with chess: nine by nine squares, a king of each side, walls that are dropped, and a notation of its own.

use std::ops::Range;

use super::ReplayVisitor;
use super::line::{Line, LineStack};
use super::moves::FastPath;
use super::ruleset::Ruleset;
use super::visitor::MovetextVisitor;
use super::{Counts, History, Replayer, TagSection};
use crate::chess::rules::{GameEnd, Rules, Standard, Start};
use crate::chess::{Color, FenError, FenNotes, Move, Position};
use crate::notation::{self, Check, CheckSuffix, MoveText, Notation, Ply, Reading};
use crate::pgn::deviation::{Deviation, DeviationSet, Profile};
use crate::pgn::{Digits, Tokens};

/// King of the Hill: a king on d4, e4, d5 or e5 wins.
#[derive(Clone, Copy, Debug)]
struct Hill;

impl Rules for Hill {
    type Position = Position;
    type Move = Move;

    fn turn(position: &Position) -> Color {
        position.turn()
    }

    fn fullmove_number(position: &Position) -> u32 {
        position.fullmove_number()
    }

    fn visit_legal(position: &Position, visit: &mut impl FnMut(Move) -> bool) -> bool {
        Hill::end(position).is_none() && Standard::visit_legal(position, visit)
    }

    fn play_into(position: &Position, mv: Move, next: &mut Position) {
        position.play_into(mv, next);
    }

    fn pass(position: &Position) -> Option<Position> {
        Standard::pass(position)
    }

    fn in_check(position: &Position) -> bool {
        position.in_check()
    }

    fn end(position: &Position) -> Option<GameEnd> {
        let on_hill = |color: &Color| {
            let king = position.king(*color);
            (3..5).contains(&king.file()) && (3..5).contains(&king.rank())
        };
        match [Color::White, Color::Black].into_iter().find(on_hill) {
            Some(winner) => Some(GameEnd::Win(winner)),
            None => Standard::end(position),
        }
    }
}

impl Start for Hill {
    fn initial(chess960: bool) -> Position {
        Standard::initial(chess960)
    }

    fn from_fen(record: &[u8], chess960: bool) -> Result<(Position, FenNotes), FenError> {
        Standard::from_fen(record, chess960)
    }
}

impl Ruleset for Hill {
    type Lineage = ();
    type Ply<'a> = Ply<'a>;

    const NO_LINEAGE: () = ();

    fn lineage_after((): &(), _: Move) {}

    fn ply<'a>(
        before: &'a Position,
        mv: Move,
        after: &'a Position,
        check: Check,
        _: Option<&'a ()>,
    ) -> Ply<'a> {
        Ply::new(before, mv, after, check)
    }

    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &Position,
        _: Option<&()>,
    ) -> Result<Reading, Deviation> {
        let reading = notation.read(text, position)?;
        let is_legal = Hill::visit_legal(position, &mut |mv| mv == reading.mv);
        if is_legal { Ok(reading) } else { Err(Deviation::MoveIllegal) }
    }

    fn encode(notation: &dyn Notation, ply: &Ply<'_>, text: &mut MoveText) {
        notation.encode_ply(ply, text);
    }

    fn refusal(_: Deviation, token: &str, _: &dyn Notation, _: &Position) -> String {
        token.to_string()
    }
}

impl FastPath for Hill {}

/// A race of two kings over nine ranks.
#[derive(Clone, Copy, Debug)]
struct Race;

/// A square from 0 (a1) to 80 (i9), by ranks.
type Square81 = u8;

#[derive(Clone, Copy, Debug)]
struct RacePosition {
    kings: [Square81; 2],
    walls: u128,
    turn: Color,
    number: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum RaceMove {
    King(Square81),
    /// A drop.
    Wall(Square81),
}

fn square81(text: &[u8]) -> Option<Square81> {
    match text {
        [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => Some((rank - b'1') * 9 + (file - b'a')),
        _ => None,
    }
}

impl RacePosition {
    /// Has the king of this side reached the rank of its goal, but for so many ranks?
    fn is_near(&self, color: Color, ranks: u8) -> bool {
        let rank = self.kings[color.index()] / 9;
        match color {
            Color::White => 8 - rank == ranks,
            Color::Black => rank == ranks,
        }
    }
}

impl Rules for Race {
    type Position = RacePosition;
    type Move = RaceMove;

    fn turn(position: &RacePosition) -> Color {
        position.turn
    }

    fn fullmove_number(position: &RacePosition) -> u32 {
        position.number
    }

    fn visit_legal(position: &RacePosition, visit: &mut impl FnMut(RaceMove) -> bool) -> bool {
        let king = position.kings[position.turn.index()];
        let is_free = |&square: &Square81| {
            !position.kings.contains(&square) && position.walls >> square & 1 == 0
        };
        let is_step = |square: Square81| {
            (square / 9).abs_diff(king / 9) <= 1 && (square % 9).abs_diff(king % 9) <= 1
        };
        Race::end(position).is_none()
            && (0..81).filter(is_free).any(|square| {
                is_step(square) && visit(RaceMove::King(square)) || visit(RaceMove::Wall(square))
            })
    }

    fn play_into(position: &RacePosition, mv: RaceMove, next: &mut RacePosition) {
        *next = *position;
        match mv {
            RaceMove::King(square) => next.kings[position.turn.index()] = square,
            RaceMove::Wall(square) => next.walls |= 1 << square,
        }
        next.turn = position.turn.other();
        next.number += u32::from(next.turn == Color::White);
    }

    fn pass(_: &RacePosition) -> Option<RacePosition> {
        None
    }

    /// The other king can reach its goal with its next move.
    fn in_check(position: &RacePosition) -> bool {
        position.is_near(position.turn.other(), 1)
    }

    fn end(position: &RacePosition) -> Option<GameEnd> {
        let has_won = |color: &Color| position.is_near(*color, 0);
        [Color::White, Color::Black].into_iter().find(has_won).map(GameEnd::Win)
    }
}

impl Start for Race {
    fn initial(_: bool) -> RacePosition {
        RacePosition { kings: [4, 76], walls: 0, turn: Color::White, number: 1 }
    }

    /// `e1 e9 w 1`: the squares of the kings, the side to move, the move number.
    fn from_fen(record: &[u8], _: bool) -> Result<(RacePosition, FenNotes), FenError> {
        let mut fields = record.split(|&byte| byte == b' ');
        let mut king = || fields.next().and_then(square81).ok_or(FenError::NoKing);
        let kings = [king()?, king()?];
        let turn = match fields.next() {
            Some(b"w") => Color::White,
            Some(b"b") => Color::Black,
            _ => return Err(FenError::Turn),
        };
        let number = fields.next().and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
        let number = number.ok_or(FenError::Clocks)?;
        Ok((RacePosition { kings, walls: 0, turn, number }, FenNotes::default()))
    }
}

/// What a visitor of races receives.
#[derive(Clone, Copy)]
struct RacePly {
    mv: RaceMove,
    check: Check,
}

impl Ruleset for Race {
    /// The steps of both kings so far.
    type Lineage = u32;
    type Ply<'a> = RacePly;

    const NO_LINEAGE: u32 = 0;

    fn lineage_after(steps: &u32, mv: RaceMove) -> u32 {
        steps + u32::from(matches!(mv, RaceMove::King(_)))
    }

    fn ply<'a>(
        _: &'a RacePosition,
        mv: RaceMove,
        _: &'a RacePosition,
        check: Check,
        _: Option<&'a u32>,
    ) -> RacePly {
        RacePly { mv, check }
    }

    /// `Ke2`, `Pe5` (a drop), `Kd9#`; `ke2` is a repair.
    fn read(
        _: &dyn Notation,
        text: &[u8],
        position: &RacePosition,
        _: Option<&u32>,
    ) -> Result<Reading<RaceMove>, Deviation> {
        let (text, check_suffix) = match text {
            [text @ .., b'#'] => (text, CheckSuffix::Mate),
            [text @ .., b'+'] => (text, CheckSuffix::Check),
            _ => (text, CheckSuffix::None),
        };
        let mut deviations = DeviationSet::EMPTY;
        let (mv, rest): (fn(Square81) -> RaceMove, _) = match text {
            [b'K', rest @ ..] => (RaceMove::King, rest),
            [b'k', rest @ ..] => {
                deviations.add(Deviation::NotationVariant);
                (RaceMove::King, rest)
            }
            [b'P', b'@', rest @ ..] => (RaceMove::Wall, rest),
            _ => return Err(Deviation::MoveUnreadable),
        };
        let mv = square81(rest).map(mv).ok_or(Deviation::MoveUnreadable)?;
        let is_legal = Race::visit_legal(position, &mut |legal| legal == mv);
        if is_legal {
            Ok(Reading { mv, check_suffix, deviations })
        } else {
            Err(Deviation::MoveIllegal)
        }
    }

    fn encode(_: &dyn Notation, ply: &RacePly, text: &mut MoveText) {
        let (letters, square): (&[u8], _) = match ply.mv {
            RaceMove::King(square) => (b"K", square),
            RaceMove::Wall(square) => (b"P@", square),
        };
        let suffix: &[u8] = match ply.check {
            Check::None => b"",
            Check::Check => b"+",
            Check::Mate => b"#",
        };
        for &byte in letters.iter().chain(&[b'a' + square % 9, b'1' + square / 9]).chain(suffix) {
            text.push(byte);
        }
    }

    fn refusal(_: Deviation, token: &str, _: &dyn Notation, _: &RacePosition) -> String {
        format!("{token} is no step of a king and no drop")
    }
}

impl FastPath for Race {}

/// The texts that were delivered, each after its depth.
#[derive(Default)]
struct Texts(Vec<(usize, String)>);

impl Texts {
    fn add(&mut self, depth: usize, bytes: &[u8]) {
        self.0.push((depth, String::from_utf8_lossy(bytes).into_owned()));
    }
}

impl ReplayVisitor for Texts {}

impl MovetextVisitor<Race> for Texts {
    fn play(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &RacePly,
        depth: usize,
    ) -> Result<(), Deviation> {
        let mut text = MoveText::default();
        Race::encode(notation::SAN, ply, &mut text);
        self.add(depth, text.as_bytes());
        Ok(())
    }
}

impl MovetextVisitor<Hill> for Texts {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        _: &Ply<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.add(depth, &text[span]);
        Ok(())
    }
}

/// What became of one game.
struct Replayed {
    texts: Vec<(usize, String)>,
    fault: Option<(Deviation, u32)>,
    counts: Counts,
}

impl Replayed {
    /// Replays one game of a ruleset, tag pairs included.
    fn of<R: FastPath + Start>(text: &str) -> Replayed
    where
        Texts: MovetextVisitor<R>,
    {
        let text = text.as_bytes();
        let profile = Profile::lenient();
        let mut replayer = Replayer::new(&profile, None, History::Ignored).with_notes();
        let mut tags = TagSection::default();
        let movetext = replayer.tags(text, 0, &mut tags);
        let read = |fen: &[u8]| R::from_fen(fen, false);
        let position =
            tags.position_of(text, || R::initial(false), read, |_| {}).expect("a position");
        let line = Line::new(&position, Some(&R::NO_LINEAGE));
        let mut lines = LineStack::<R>::new(line, notation::SAN, Vec::new());
        let mut tokens = Tokens::new(text, movetext, Digits::Never);
        let mut texts = Texts::default();
        replayer.movetext(&mut lines, &mut tokens, text, &mut texts);
        replayer.judge_end(text, &tags, &lines, tokens.at());
        let fault = replayer.state.fault.as_ref().map(|fault| (fault.kind, fault.ply));
        Replayed { texts: texts.0, fault, counts: replayer.counts }
    }

    fn count(&self, kind: Deviation) -> u64 {
        self.counts.deviations[kind as usize]
    }

    /// The texts of one depth.
    fn texts_at(&self, depth: usize) -> Vec<&str> {
        let at_depth = self.texts.iter().filter(|(of, _)| *of == depth);
        at_depth.map(|(_, text)| text.as_str()).collect()
    }
}

const NEAR: &str = "[SetUp \"1\"]\n[FEN \"e7 e3 b 12\"]\n\n";

#[test]
fn drops_and_variations_of_another_board_are_replayed() {
    let game =
        Replayed::of::<Race>("1. Ke2 P@i9 2. Kf3 (2. P@e8 {a wall} (2. Kd3) 2... Kd8) 2... kd8 *");
    assert_eq!(game.fault, None);
    assert_eq!(game.texts_at(0), ["Ke2", "P@i9", "Kf3", "Kd8"]);
    assert_eq!(game.texts_at(1), ["P@e8", "Kd8"]);
    assert_eq!(game.texts_at(2), ["Kd3"]);
    assert_eq!(game.count(Deviation::NotationVariant), 1);
}

#[test]
fn check_suffixes_numbers_and_results_follow_the_ruleset() {
    let game = Replayed::of::<Race>(&format!("{NEAR}12... Ke2+ 13. Kd8+ Ke1# 0-1"));
    assert_eq!((game.fault, game.texts_at(0).len()), (None, 3));
    assert_eq!(game.count(Deviation::ResultContradictsBoard), 0);
    let game = Replayed::of::<Race>(&format!("{NEAR}11... Ke2 13. Kd8+ Ke1+ 1-0"));
    assert_eq!(game.texts_at(0), ["Ke2+", "Kd8+", "Ke1#"]);
    assert_eq!(game.count(Deviation::MoveNumberWrong), 1);
    assert_eq!(game.count(Deviation::CheckMarkMissing), 1);
    assert_eq!(game.count(Deviation::CheckMarkStyle), 1);
    assert_eq!(game.count(Deviation::ResultContradictsBoard), 1);
}

#[test]
fn faults_follow_the_ruleset() {
    let after_end = Replayed::of::<Race>(&format!("{NEAR}12... Ke2+ 13. Kd8+ Ke1# 14. Kd9 0-1"));
    assert_eq!(after_end.fault, Some((Deviation::MovesAfterEnd, 4)));
    let wall = Replayed::of::<Race>("1. P@e2 Ke8 2. Ke2 *");
    assert_eq!(wall.fault, Some((Deviation::MoveIllegal, 3)));
    let null = Replayed::of::<Race>("1. -- *");
    assert_eq!(null.fault, Some((Deviation::MoveIllegal, 1)));
}

#[test]
fn rules_with_the_position_of_chess_read_its_notations() {
    let game = "1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke6 4. Kd3 a6 5. Kc4 a5";
    let won = Replayed::of::<Hill>(&format!("{game} 6. Kd5+ (6. Kb5) 1-0"));
    assert_eq!(won.fault, Some((Deviation::MoveIllegal, 11)), "d5 is next to the king");
    let quiet =
        Replayed::of::<Hill>("1. e4 e5 2. Ke2 Ke7 3. Kd3 a6 4. Kc4 a5 5. Kd5# (5. Kb3) 1-0");
    assert_eq!((quiet.fault, quiet.texts_at(0).len(), quiet.texts_at(1)), (None, 9, vec!["Kb3"]));
    let after_end = Replayed::of::<Hill>("1. e4 e5 2. Ke2 Ke7 3. Kd3 a6 4. Kc4 a5 5. Kd5# a4 *");
    assert_eq!(after_end.fault, Some((Deviation::MovesAfterEnd, 10)));
}
