//! kokopu's dumps of its own fixtures, game by game, against what is replayed here.
//!
//! In: `N.txt` below `../shared/corpora/pathological/kokopu`: names, result, initial and final position, and every move
//! of every variation with the clock of fifty moves after it. Each must be ours, or be listed with its reason in
//! `DIFFERENCES`, which `docs/development/corpora.md` shows. Not compared: comments, glyphs, and fields that kokopu makes of tag
//! values (dates, ratings).

#![allow(clippy::print_stdout, reason = "says what was compared")]

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::common;
use pgnmill_core::chess::rules::AnyPosition;
use pgnmill_core::chess::{CastlingSide, Color, Position, Square};
use pgnmill_core::notation::{self, MoveText, NOTATIONS, Notation, OtherPly, Ply};
use pgnmill_core::pgn::Tag;
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games;
use pgnmill_needs::needs;

/// Folder, game, what differs, why.
const DIFFERENCES: &[(&str, usize, &str, &str)] = &[
    ("headers", 3, "black", "spaces within a value are kept here, reduced to one there"),
    ("misc", 4, "moves", "the halfmove clock of the FEN is kept here, 0 there"),
    ("misc", 6, "plies", "a null move is not a ply here, but is there"),
    (
        "misc",
        6,
        "moves",
        "a null move advances the halfmove clock here, not there, and is not listed here",
    ),
    ("optional-kings", 0, "rejected", "the variant is not supported"),
    ("optional-kings", 1, "rejected", "the variant is not supported"),
    ("optional-kings", 2, "rejected", "the variant is not supported"),
];

/// What is compared of a game.
#[derive(Debug, Default, Clone, PartialEq)]
struct Record {
    event: String,
    site: String,
    white: String,
    black: String,
    result: String,
    /// Depth, SAN, clock after it.
    moves: Vec<(usize, String, u32)>,
    plies: u32,
    /// The pieces, rank by rank, the side to move and the castling rights.
    start: Option<String>,
    end: String,
}

/// kokopu's dump, read.
fn dumped(dump: &str) -> Record {
    let mut record = Record::default();
    let (mut ranks, mut boards) = (Vec::new(), Vec::new());
    for line in dump.lines() {
        if let Some(rank) = line.strip_prefix("| ") {
            let men = rank.trim_end_matches(" |").split(" | ").map(str::trim);
            let men = men.map(|man| if man.is_empty() { "." } else { man });
            ranks.push(men.collect::<String>());
        } else if ranks.len() == 8 && (line.starts_with("w ") || line.starts_with("b ")) {
            let state: Vec<&str> = line.split(' ').take(2).collect();
            boards.push(format!("{} {}", ranks.join("/"), state.join(" ")));
            ranks.clear();
        } else if let Some((label, rest)) = line.strip_prefix('[').and_then(|l| l.split_once(']')) {
            let depth = label.matches("-v").count();
            let words: Vec<&str> = rest.trim_start_matches([' ', '|']).split(' ').collect();
            if let [number, san, clock, ..] = words[..]
                && number.starts_with('(')
                && let Some(clock) = clock.strip_prefix("(#hm=")
            {
                let clock = clock.trim_end_matches(')').parse().unwrap();
                record.moves.push((depth, san.to_string(), clock));
            }
        } else if let Some((name, value)) = line.split_once(" = {") {
            let value = value.trim_end_matches('}').to_string();
            match name {
                "Event" => record.event = value,
                "Site" => record.site = value,
                "White" => record.white = value,
                "Black" => record.black = value,
                _ => {}
            }
        } else if let Some((result, plies)) =
            line.strip_prefix('{').and_then(|l| l.split_once("}{"))
        {
            record.result = match result {
                "White wins" => "1-0",
                "Black wins" => "0-1",
                "Draw" => "1/2-1/2",
                _ => "*",
            }
            .to_string();
            record.plies = plies.trim_end_matches(" plies}").parse().unwrap();
        }
    }
    record.end = boards.pop().expect("a final position");
    record.start = boards.pop();
    record
}

/// The board of a position; kokopu has no game on another board.
fn board(position: &AnyPosition) -> &Position {
    match position {
        AnyPosition::Chess(position) => position,
        AnyPosition::Variant(position) => position.board(),
        AnyPosition::Chess99(_) | AnyPosition::Table(_) => {
            unreachable!("kokopu has neither Chess 99 nor boards that are given by a table")
        }
    }
}

/// A position as the dumps give it.
fn board_of(position: &Position) -> String {
    let mut ranks = Vec::new();
    for rank in (0..8).rev() {
        let sign = |file| {
            let square = Square::at(file, rank);
            let Some(role) = position.role_at(square) else { return '.' };
            let white = position.color(Color::White).has(square);
            let letter = char::from(role.letter());
            if white { letter } else { letter.to_ascii_lowercase() }
        };
        ranks.push((0..8).map(sign).collect::<String>());
    }
    let mut rights = String::new();
    for color in [Color::White, Color::Black] {
        let mut letters: Vec<char> = [CastlingSide::Short, CastlingSide::Long]
            .into_iter()
            .filter_map(|side| {
                let rook = position.castling_rook(color, side)?;
                let usual = if side == CastlingSide::Short { 'K' } else { 'Q' };
                let file = char::from(rook.file_letter()).to_ascii_uppercase();
                Some(if position.is_chess960() { file } else { usual })
            })
            .collect();
        letters.sort_unstable();
        let white = color == Color::White;
        rights.extend(letters.iter().map(|l| if white { *l } else { l.to_ascii_lowercase() }));
    }
    let rights = if rights.is_empty() { "-".to_string() } else { rights };
    let turn = if position.turn() == Color::White { 'w' } else { 'b' };
    format!("{} {turn} {rights}", ranks.join("/"))
}

/// A tag value as kokopu shows it: escapes and whitespace at its ends removed, `?` nothing.
fn value(text: &[u8], place: &Option<Range<usize>>) -> String {
    let raw = String::from_utf8_lossy(place.clone().map_or(&b""[..], |place| &text[place]));
    let mut value = String::new();
    let mut signs = raw.chars().peekable();
    while let Some(sign) = signs.next() {
        let escaped = sign == '\\' && matches!(signs.peek(), Some('"' | '\\'));
        value.push(if escaped { signs.next().unwrap() } else { sign });
    }
    let value = value.trim();
    if value == "?" { String::new() } else { value.to_string() }
}

/// Keeps of each game what is compared; `None` for those rejected.
#[derive(Default)]
struct GameList {
    record: Record,
    last: Option<AnyPosition>,
    games: Vec<Option<Record>>,
}

impl ReplayVisitor for GameList {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        (self.record, self.last) = (Record::default(), None);
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let san = notation::write(NOTATIONS[0], ply.before(), ply.mv()).to_string();
        self.record.moves.push((depth, san, ply.after().halfmove_clock()));
        if depth == 0 {
            self.last = Some(AnyPosition::Chess(*ply.after()));
        }
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let mut san = MoveText::default();
        ply.encode(NOTATIONS[0], &mut san)?;
        let after = ply.after();
        let clock = board(&after).halfmove_clock();
        self.record.moves.push((depth, san.to_string(), clock));
        if depth == 0 {
            self.last = Some(after);
        }
        Ok(())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        if game.verdict == Verdict::Rejected {
            return self.games.push(None);
        }
        let tags = game.tags;
        let start = tags.initial_position(text, |_| ()).expect("accepted");
        let result = game.result.clone().map_or(&b"*"[..], |place| &text[place]);
        self.games.push(Some(Record {
            event: value(text, &tags.span(Tag::Event)),
            site: value(text, &tags.span(Tag::Site)),
            white: value(text, &tags.span(Tag::White)),
            black: value(text, &tags.span(Tag::Black)),
            result: String::from_utf8_lossy(result).into_owned(),
            plies: game.plies,
            start: Some(board_of(board(&start))),
            end: board_of(board(&self.last.unwrap_or(start))),
            ..std::mem::take(&mut self.record)
        }));
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// The fields in which two records differ.
fn differing(theirs: &Record, ours: &Record) -> Vec<&'static str> {
    let initial = board_of(&Position::initial());
    let start = theirs.start.as_ref().unwrap_or(&initial);
    let fields = [
        ("event", theirs.event == ours.event),
        ("site", theirs.site == ours.site),
        ("white", theirs.white == ours.white),
        ("black", theirs.black == ours.black),
        ("result", theirs.result == ours.result),
        ("plies", theirs.plies == ours.plies),
        ("moves", theirs.moves == ours.moves),
        ("start", Some(start) == ours.start.as_ref()),
        ("end", theirs.end == ours.end),
    ];
    fields.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

#[needs("../shared/corpora/pathological/kokopu")]
#[test]
fn every_dump_is_ours_or_differs_for_a_reason() {
    let root = "../shared/corpora/pathological/kokopu/test/resources/pgns";
    let root = common::here(root);
    let mut profile = Profile::lenient();
    assert!(profile.allow(Deviation::NullMoveMainLine));
    let mut found = Vec::new();
    let (mut same, mut moves) = (0, 0);
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read(folder.join("database.pgn")).unwrap();
        let mut list = GameList::default();
        let mut replayer = Replayer::new(&profile, None, History::Ignored);
        for (_, text) in Games::new(&text) {
            replayer.replay(text, &mut list);
        }
        for number in 0..200 {
            let Ok(dump) = fs::read_to_string(folder.join(format!("{number}.txt"))) else {
                continue;
            };
            let theirs = dumped(&dump);
            // From the tag pair after movetext on, ours are one ahead.
            let ahead = usize::from(name == "syntactic-error-1" && number > 15);
            match list.games.get(number + ahead).cloned().flatten() {
                None => found.push((name.clone(), number, "rejected")),
                Some(ours) => {
                    for what in differing(&theirs, &ours) {
                        println!("{name} {number} {what}:\n{theirs:?}\n{ours:?}");
                        found.push((name.clone(), number, what));
                    }
                    same += 1;
                    moves += ours.moves.len();
                }
            }
        }
    }
    println!("{same} games compared, {moves} moves");
    let expected: Vec<(String, usize, &str)> =
        DIFFERENCES.iter().map(|row| (row.0.to_string(), row.1, row.2)).collect();
    assert_eq!(found, expected);
    let table = fs::read_to_string(common::here("docs/development/corpora.md")).unwrap();
    for (folder, game, what, why) in DIFFERENCES {
        let row = format!("| {folder} | {game} | {what} | {why} |");
        assert!(table.contains(&row), "docs/development/corpora.md lacks {row}");
    }
}
