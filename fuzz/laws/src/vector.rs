//! Vectors: validation gives the same whatever of the processor is used, and whichever path reads a game.
//!
//! In: a byte that chooses the profile, then text. The general loop alone is the reference. It is compared with the
//! fast path and with the second design of the replay, which reads for visitors without plies and for those that take
//! lines of texts, of candidates or of boards with their keys, on each level that the processor has, the emulation among
//! them: counts, verdicts, faults with their positions, notes; the texts of plies and where they are.

use std::iter;
use std::ops::Range;

use pgnmill_core::chess::{Color, Move, PackedPosition, Position, Role};
use pgnmill_core::notation::{AnyPly, MoveText, Notation, Ply, find, text_of};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{
    Counts, FastVisitor, Game, History, KeyedPly, LineRequest, MoveLine, NoPlies, Occurrence,
    PliesOrLines, ReplayVisitor, Replayer, TagSection, Verdict,
};
use pgnmill_core::tasks::measure::tally::{Dimensions, GameLengths, Selection};
use pgnmill_simd::Level;

use crate::Choices;

/// The first byte chooses the profile; the rest is text.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let strict = choices.byte() % 2 == 1;
    agree(choices.rest(), strict);
}

/// All levels and paths agree on a text; returns how many plies the reference counted.
pub fn agree(text: &[u8], strict: bool) -> u64 {
    let profile = if strict { Profile::strict() } else { Profile::lenient() };
    let replayer = || Replayer::new(&profile, None, History::Ignored).with_notes();
    let expected = ends(replayer().without_fast_path(), text);
    for level in Level::all() {
        let found = ends(replayer().on(level), text);
        assert_eq!(found.0, expected.0, "{level:?}: {}", text.escape_ascii());
        assert_eq!(found.1, expected.1, "{level:?}: {}", text.escape_ascii());
    }
    for name in ["uci", "economical-priority"] {
        let to = find(name).expect("a notation");
        let expected = texts(replayer().without_fast_path(), text, to);
        for level in Level::all() {
            let found = texts(replayer().on(level), text, to);
            assert_eq!(found, expected, "{name}, {level:?}: {}", text.escape_ascii());
        }
    }
    let expected_boards = boards(replayer().without_fast_path(), text);
    for level in Level::all() {
        let found = boards(replayer().on(level), text);
        assert_eq!(found, expected_boards, "{level:?}: {}", text.escape_ascii());
    }
    for names in [&["main"][..], &["uci", "economical-priority-legal"], &["san"]] {
        let measured = |replayer| lengths(replayer, text, names, Level::best());
        let expected = measured(replayer().without_fast_path());
        for level in Level::all() {
            let found = lengths(replayer().on(level), text, names, level);
            assert_eq!(found, expected, "{names:?}, {level:?}: {}", text.escape_ascii());
        }
    }
    expected.0.plies
}

/// What `measure` keeps of the plies of games, of those that are rejected too.
struct Lengths {
    level: Level,
    game: GameLengths,
    games: Vec<String>,
}

impl FastVisitor for Lengths {
    type Reads = PliesOrLines;
}

impl ReplayVisitor for Lengths {
    fn line_request(&self) -> Option<LineRequest> {
        assert!(self.game.takes_lines());
        Some(LineRequest::Candidates { boards: true })
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Candidates(line) = line else { panic!("candidates were requested") };
        self.game.observe_line(self.level, line);
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.game.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.game.observe(ply);
        }
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {
        let words = self.game.in_words();
        assert!(!words.is_empty(), "what is compared");
        self.games.push(words);
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn lengths(mut replayer: Replayer<'_>, text: &[u8], names: &[&str], level: Level) -> Vec<String> {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let selection = Selection::parse(&names).expect("names of notations");
    let mut game = GameLengths::default();
    game.configure(selection, Dimensions::ALL);
    let mut lengths = Lengths { level, game, games: Vec::new() };
    replayer.replay_fast(text, &mut lengths);
    lengths.games
}

/// The texts of plies, of games that are rejected too, and where they are; a game that begins again, again.
struct Texts {
    to: &'static dyn Notation,
    plies: Vec<(Range<usize>, String)>,
}

impl FastVisitor for Texts {
    type Reads = PliesOrLines;
}

impl ReplayVisitor for Texts {
    fn line_request(&self) -> Option<LineRequest> {
        Some(LineRequest::Texts(self.to))
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Texts(line) = line else { panic!("texts were requested") };
        assert!(line.starts.len() == line.bytes.len() && line.starts.len() == line.words.len());
        for ((&start, &bytes), &word) in line.starts.iter().zip(line.bytes).zip(line.words) {
            let (new, count) = text_of(word);
            let new = String::from_utf8_lossy(&new[..count]).into_owned();
            self.plies.push((start..start + usize::from(bytes), new));
        }
    }

    fn begin(&mut self, _: &[u8], start: usize, _: &TagSection, _: &'static dyn Notation) {
        self.plies.push((start..start, String::new()));
    }

    fn ply(&mut self, _: &[u8], place: Range<usize>, ply: &Ply<'_>, _: usize) {
        let mut text = MoveText::default();
        self.to.encode_ply(ply, &mut text);
        self.plies.push((place, text.to_string()));
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn texts(
    mut replayer: Replayer<'_>,
    text: &[u8],
    to: &'static dyn Notation,
) -> Vec<(Range<usize>, String)> {
    let mut texts = Texts { to, plies: Vec::new() };
    replayer.replay_fast(text, &mut texts);
    texts.plies
}

/// A ply as the columns of a table have it.
#[derive(PartialEq, Debug)]
struct BoardPly {
    span: Range<usize>,
    side: Color,
    code: Option<u16>,
    squares: [u8; 64],
    castling: usize,
    en_passant: Option<u8>,
    before: Position,
    key: u64,
    keyed: KeyedPly,
    uci: String,
}

/// A ply as the table of positions has it.
fn keyed(before: &Position, mv: Move, after: &Position) -> KeyedPly {
    let promotion = mv.promoted().map_or(0, Role::index);
    KeyedPly {
        hash: before.polyglot_key_of_fen(),
        planes: PackedPosition::of(before).planes,
        code: (mv.origin().index() | mv.target().index() << 6 | promotion << 12) as u16,
        is_irreversible: after.halfmove_clock() == 0,
    }
}

/// The plies of games, of those that are rejected too.
struct Boards {
    uci: &'static dyn Notation,
    plies: Vec<BoardPly>,
}

impl FastVisitor for Boards {
    type Reads = PliesOrLines;
}

impl ReplayVisitor for Boards {
    fn line_request(&self) -> Option<LineRequest> {
        Some(LineRequest::Boards { texts: true })
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Boards(line) = line else { panic!("boards were requested") };
        let (mut squares, mut words) = (vec![7], Vec::new());
        line.extend_squares(&mut squares);
        let (boards, rest) = squares[1..].as_chunks::<64>();
        assert!(rest.is_empty() && squares[0] == 7, "boards are added");
        line.words(self.uci, self.uci.line_writer().expect("of UCI"), &mut words);
        let counts = [boards.len(), line.starts.len(), line.bytes.len(), words.len()];
        assert_eq!(counts, [line.plies(); 4]);
        for plies in [1, 40, line.plies()] {
            let mut after = Vec::new();
            line.whites_and_pawns(plies, &mut after);
            assert_eq!(after.len(), plies.min(line.plies()));
            for (index, board) in after.into_iter().enumerate() {
                let position = line.position(index + 1);
                let pawns = position.role(Role::Pawn).0;
                assert_eq!(board, [position.color(Color::White).0, pawns]);
            }
        }
        let codes = line.move_codes().zip(line.castling_bits()).zip(line.sides());
        let mut keyed = Vec::new();
        line.extend_keyed(line.plies() / 2, &mut keyed);
        let half = std::mem::take(&mut keyed);
        line.extend_keyed(usize::MAX, &mut keyed);
        assert!(keyed.len() == line.plies() && keyed.starts_with(&half));
        assert_eq!(half.len(), line.plies() / 2);
        let keys = line.keys_without_en_passant();
        let keys: Vec<u64> = iter::once(key(line.first)).chain(keys).collect();
        assert_eq!(keys.last(), Some(&key(line.last)));
        for (index, ((code, castling), side)) in codes.enumerate() {
            let (start, (uci, count)) = (line.starts[index], text_of(words[index]));
            let square = line.legal_en_passant_square(index);
            self.plies.push(BoardPly {
                span: start..start + usize::from(line.bytes[index]),
                side,
                code: Some(code),
                squares: boards[index],
                castling,
                en_passant: square.map(|square| square.file()),
                before: line.position(index),
                key: keys[index],
                keyed: keyed[index],
                uci: String::from_utf8_lossy(&uci[..count]).into_owned(),
            });
        }
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth > 0 {
            return;
        }
        let mut uci = MoveText::default();
        self.uci.encode_ply(ply, &mut uci);
        self.plies.push(BoardPly {
            span,
            side: ply.color(),
            code: AnyPly::Chess(ply).move_code(),
            squares: ply.before().squares(),
            castling: ply.before().castling_bits(),
            en_passant: ply.before().legal_en_passant_square().map(|square| square.file()),
            before: *ply.before(),
            key: key(ply.before()),
            keyed: keyed(ply.before(), ply.mv(), ply.after()),
            uci: uci.to_string(),
        });
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// The key of a position in which nothing can be captured en passant.
fn key(position: &Position) -> u64 {
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[3] = "-";
    let (position, _) = Position::from_fen(fields.join(" ").as_bytes()).expect("a position");
    position.polyglot_key()
}

fn boards(mut replayer: Replayer<'_>, text: &[u8]) -> Vec<BoardPly> {
    let mut boards = Boards { uci: find("uci").expect("a notation"), plies: Vec::new() };
    replayer.replay_fast(text, &mut boards);
    boards.plies
}

/// A game as its end shows it.
#[derive(PartialEq, Debug)]
struct End {
    span: Range<usize>,
    verdict: Verdict,
    plies: [u32; 2],
    result: Option<Range<usize>>,
    fault: Option<(Deviation, Range<usize>, u32, String, String)>,
    notes: Vec<Occurrence>,
    notes_omitted: u64,
}

/// Keeps the ends of games.
#[derive(Default)]
struct Ends(Vec<End>);

impl FastVisitor for Ends {
    type Reads = NoPlies;
}

impl ReplayVisitor for Ends {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let fault = game.fault.map(|fault| {
            let position = fault.position.as_ref().map(|position| position.to_fen());
            let fen = position.unwrap_or_default();
            (fault.kind, fault.text.clone(), fault.ply, fault.detail.clone(), fen)
        });
        self.0.push(End {
            span: game.span.clone(),
            verdict: game.verdict,
            plies: [game.plies, game.variation_plies],
            result: game.result.clone(),
            fault,
            notes: game.notes.to_vec(),
            notes_omitted: game.notes_omitted,
        });
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn ends(mut replayer: Replayer<'_>, text: &[u8]) -> (Counts, Vec<End>) {
    let mut ends = Ends::default();
    replayer.replay_fast(text, &mut ends);
    (replayer.counts.clone(), ends.0)
}
