//! The task that counts what is in archives: results, ratings, openings, players, lengths, clocks.
//!
//! In: games. Out: for each job the games by section and value ([`Found`]). Invariants: rejected games are counted by
//! the run alone; counts are integers, so that jobs are added in any order, except that of texts the first
//! [`NAMES_MAX`] different ones are kept, in the order of the games; values of facts are those of `measure --by`. Cost:
//! the replay by lines, a look-up of the first 40 positions, and some look-ups per game.
//!
//! What was found can be read again from the rows of its table ([`Found::add_row`]), so that the tables of several runs
//! are added.
//!
//! The next section is a row of [`SECTIONS`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use crate::chess::rules::{AnyPosition, RulesKind};
use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Task};
use crate::facts::{self, GroupNames, Groups, Played, ReadGame};
use crate::notation::{AnyPly, Notation, OtherPly, Ply, TCN};
use crate::openings::Tracker;
use crate::pgn::deviation::{Deviation, RULES_COUNT};
use crate::pgn::{Tag, TagValues, lossy, tag_value_bytes};
use crate::replay::{
    Counts, Game, LineRequest, MoveLine, OPCODES_OF_MOVES, PliesOrLines, PositionLine, TagSection,
    Verdict,
};
use crate::select::share::with;

/// Different texts of a section that are kept.
pub const NAMES_MAX: usize = 1 << 20;
/// Bytes of the texts of a section that are kept: a hostile archive has long ones.
pub const NAMES_BYTES_MAX: usize = 128 << 20;
/// Games whose moves are compared.
pub const COMPARED_MAX: usize = 1 << 22;
/// Plies from which equal moves count: shorter games are equal by chance.
pub const COMPARED_PLIES_MIN: u32 = 20;
/// Plies in a band of lengths.
const LENGTH_BAND: u32 = 20;
/// Lengths from here on are one band.
const LENGTH_MAX: u32 = 400;

/// The value of games that have no group.
pub const UNKNOWN: &str = "unknown";

/// What the games are counted by.
#[derive(Clone, Copy, Debug)]
pub enum SectionKind {
    /// The groups of a fact, by the name of its dimension in `measure --by`.
    Groups(&'static str),
    /// The values of tag pairs, unless they are unknown.
    Tags(&'static [Tag]),
    /// The notation of the movetext.
    Notation,
    /// The plies of the main line, in bands.
    Length,
    /// What games have: each that is there counts.
    Has,
    /// The verdicts, rejected games included, and the games that have none because they are not selected.
    Verdict,
    /// The deviations.
    Deviation,
    /// Of positions: the side to move.
    Side,
    /// Of positions: the opcodes.
    Opcode,
    /// Of positions: the moves of each opcode that has moves.
    Moves,
}

impl SectionKind {
    /// Are its values texts?
    pub fn is_text(self) -> bool {
        matches!(self, SectionKind::Tags(_) | SectionKind::Notation | SectionKind::Opcode)
    }

    /// Is it of positions, or else of games? `None`: of both.
    pub fn of_positions(self) -> Option<bool> {
        match self {
            SectionKind::Verdict | SectionKind::Deviation => None,
            SectionKind::Side | SectionKind::Opcode | SectionKind::Moves => Some(true),
            _ => Some(false),
        }
    }
}

/// A section.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What is counted.
    pub kind: SectionKind,
    /// What the values are.
    pub doc: &'static str,
}

const fn section(name: &'static str, kind: SectionKind, doc: &'static str) -> Section {
    Section { name, kind, doc }
}

/// All sections, in the order in which they are written.
pub const SECTIONS: [Section; 20] = [
    section("verdict", SectionKind::Verdict, "`accepted`, `repaired`, `rejected`, `not-selected`"),
    section("result", SectionKind::Groups("result"), "as `measure --by result`"),
    section(
        "player",
        SectionKind::Tags(&[Tag::White, Tag::Black]),
        "`White` and `Black`: each game counts for both",
    ),
    section("event", SectionKind::Tags(&[Tag::Event]), "`Event`"),
    section("site", SectionKind::Tags(&[Tag::Site]), "`Site`, unless it is the address of a game"),
    section("year", SectionKind::Groups("year"), "as `measure --by year`"),
    section("rating", SectionKind::Groups("rating"), "as `measure --by rating`"),
    section("speed", SectionKind::Groups("speed"), "as `measure --by speed`"),
    section("time-control", SectionKind::Tags(&[Tag::TimeControl]), "`TimeControl`"),
    section(
        "opening",
        SectionKind::Groups("opening-name"),
        "by the positions, as `measure --by opening-name`",
    ),
    section(
        "eco",
        SectionKind::Groups("eco-computed"),
        "by the positions, as `measure --by eco-computed`",
    ),
    section("length", SectionKind::Length, "plies of the main line, in bands of 20; `400+`"),
    section("termination", SectionKind::Tags(&[Tag::Termination]), "`Termination`"),
    section("rules", SectionKind::Groups("rules"), "the ruleset, as `measure --by rules`"),
    section(
        "notation",
        SectionKind::Notation,
        "the notation of the movetext, such as `san` or `san-de`",
    ),
    section(
        "has",
        SectionKind::Has,
        "`clocks` (`%clk`), `evaluations` (`%eval`), `comments`, `variations`, `ratings` of both players, a `date` with a \
         year, a `title`; `moves` other than none",
    ),
    section(
        "deviation",
        SectionKind::Deviation,
        "how often each deviation occurs, faults and notes included, rejected games too",
    ),
    section(
        "side",
        SectionKind::Side,
        "of EPD and FEN files: the side to move, `white` or `black`",
    ),
    section("opcode", SectionKind::Opcode, "of EPD files: operations with this opcode"),
    section("moves", SectionKind::Moves, "of EPD files: moves of `bm`, `am`, `pm`, `sm`, `pv`"),
];

/// The values of the section `side`, in order.
const SIDES: [&str; 2] = ["white", "black"];

/// The values of the section `verdict`, in order.
const VERDICTS: [&str; 4] = ["accepted", "repaired", "rejected", "not-selected"];

/// The value of the games of texts beyond those that are kept: no text of a tag pair that counts is empty.
const OTHERS: &str = "";

/// The values of the section `has`, in order.
const HAS: [&str; 8] =
    ["moves", "clocks", "evaluations", "comments", "variations", "ratings", "date", "title"];

/// The groups of a dimension.
fn groups(name: &str) -> Option<&'static Groups> {
    let mut all = facts::ALL.iter().filter_map(|fact| fact.groups.as_ref());
    all.find(|groups| groups.name == name)
}

/// The games that have a text, and how many others were found before it.
#[derive(Clone, Copy, Debug)]
struct TextCount {
    games: u64,
    place: usize,
}

/// The games of a section, by value.
#[derive(Clone, Debug, Default)]
struct ValueCounts {
    /// The games without a group, then those of each code; there are some thousand at most.
    by_code: Vec<u64>,
    by_text: HashMap<Box<[u8]>, TextCount>,
    /// Of all texts.
    text_bytes: usize,
    /// Games that have a value beyond [`NAMES_MAX`] different ones, or [`NAMES_BYTES_MAX`].
    others: u64,
    /// The text of the game before, and its games that are not yet counted: events are in sequence.
    recent: Vec<u8>,
    recent_games: u64,
}

impl ValueCounts {
    #[inline]
    fn add_code(&mut self, code: Option<u32>, games: u64) {
        let index = code.map_or(0, |code| code as usize + 1);
        if index >= self.by_code.len() {
            self.by_code.resize(index + 1, 0);
        }
        self.by_code[index] += games;
    }

    /// The codes that occur.
    fn codes(&self) -> impl Iterator<Item = (Option<u32>, u64)> {
        let codes = self.by_code.iter().enumerate().filter(|(_, games)| **games > 0);
        codes.map(|(index, &games)| (index.checked_sub(1).map(|code| code as u32), games))
    }

    /// The games of each value: several texts can be one, such as a letter in two encodings.
    fn values(&self) -> HashMap<Cow<'_, [u8]>, u64> {
        let mut values = HashMap::with_capacity(self.by_text.len());
        for (text, known) in &self.by_text {
            *values.entry(tag_value_bytes(text)).or_default() += known.games;
        }
        values
    }

    /// Adds a game with a text that the game before may have, too; [`ValueCounts::count_recent`] must follow.
    fn add_recent(&mut self, text: &[u8]) {
        if *self.recent != *text {
            self.count_recent();
            self.recent.clear();
            self.recent.extend_from_slice(text);
        }
        self.recent_games += 1;
    }

    fn count_recent(&mut self) {
        let (recent, games) = (std::mem::take(&mut self.recent), self.recent_games);
        if games > 0 {
            self.add_text(&recent, games);
        }
        (self.recent, self.recent_games) = (recent, 0);
    }

    fn add_text(&mut self, text: &[u8], games: u64) {
        let place = self.by_text.len();
        match self.by_text.get_mut(text) {
            Some(known) => known.games += games,
            None if place < NAMES_MAX && self.text_bytes + text.len() <= NAMES_BYTES_MAX => {
                self.text_bytes += text.len();
                self.by_text.insert(text.into(), TextCount { games, place });
            }
            None => self.others += games,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Games that are not rejected; of files of positions these.
    pub games: u64,
    /// Plies of their main lines.
    pub plies: u64,
    /// The most plies of a game.
    pub plies_max: u32,
    sections: Vec<ValueCounts>,
    /// A hash of the start and the moves of each game of enough plies, in order; of positions of each, its clocks
    /// apart.
    moves: Vec<u64>,
    different: HashSet<u64>,
    compared: u64,
}

impl Part for Found {
    fn clear(&mut self) {
        *self = Found::default();
    }
}

/// A value of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectionRow {
    /// Its text.
    pub value: String,
    /// The games that have it.
    pub games: u64,
}

impl Found {
    fn section(&mut self, index: usize) -> &mut ValueCounts {
        if self.sections.len() < SECTIONS.len() {
            self.sections.resize_with(SECTIONS.len(), ValueCounts::default);
        }
        &mut self.sections[index]
    }

    /// Adds what was found in the next job.
    pub fn merge(&mut self, next: &Found) {
        self.games += next.games;
        self.plies += next.plies;
        self.plies_max = self.plies_max.max(next.plies_max);
        for (index, games) in next.sections.iter().enumerate() {
            let own = self.section(index);
            own.others += games.others;
            games.codes().for_each(|(code, count)| own.add_code(code, count));
            let mut texts: Vec<_> = games.by_text.iter().collect();
            // Which are the first ones must not depend on the order of a hash map.
            texts.sort_unstable_by_key(|(_, text)| text.place);
            texts.iter().for_each(|(text, known)| own.add_text(text, known.games));
        }
        for &moves in &next.moves {
            self.compared += 1;
            if self.different.len() < COMPARED_MAX {
                self.different.insert(moves);
            }
        }
    }

    /// Adds what the run counted: the sections `verdict` and `deviation`.
    pub fn add_counts(&mut self, counts: &Counts) {
        let verdicts = [counts.accepted, counts.repaired, counts.rejected, counts.not_selected];
        for (index, section) in SECTIONS.iter().enumerate() {
            let numbers = match section.kind {
                SectionKind::Verdict => &verdicts[..],
                SectionKind::Deviation => &counts.deviations[..],
                _ => &[],
            };
            for (code, &number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
                self.section(index).add_code(Some(code as u32), number);
            }
        }
    }

    /// Adds a note on an archive to the section `deviation`.
    pub fn add_note(&mut self, note: Deviation) {
        let is_of_notes = |section: &Section| matches!(section.kind, SectionKind::Deviation);
        if let Some(index) = SECTIONS.iter().position(is_of_notes) {
            self.section(index).add_code(Some(note as u32), 1);
        }
    }

    /// Adds a row of a table that was written before. Returns whether there is such a section, and such a value in it.
    pub fn add_row(&mut self, name: &str, value: &str, games: u64) -> bool {
        let Some(index) = SECTIONS.iter().position(|section| section.name == name) else {
            return false;
        };
        let (kind, section) = (SECTIONS[index].kind, self.section(index));
        if !kind.is_text() {
            let Some(code) = code_of(kind, value) else { return false };
            section.add_code(code, games);
        } else if value == OTHERS {
            section.others = section.others.saturating_add(games);
        } else {
            // As in a tag pair, so that the same text is written again.
            let escaped = value.replace('\\', r"\\").replace('"', "\\\"");
            section.add_text(escaped.as_bytes(), games);
        }
        true
    }

    /// Games of at least [`COMPARED_PLIES_MIN`] plies that have the start and the moves of an earlier one; `None`
    /// if more different ones were read than are compared.
    pub fn repeated(&self) -> Option<u64> {
        let different = self.different.len();
        (different < COMPARED_MAX).then(|| self.compared - different as u64)
    }

    /// How many different values a section has, as far as they are kept.
    pub fn values_count(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, |games| games.codes().count() + games.values().len())
    }

    /// The rows of a section: groups in their order; texts by the number of games, then by the text. What has no group
    /// is [`UNKNOWN`], values beyond those that are kept have an empty text.
    pub fn rows(&self, section: usize) -> Vec<SectionRow> {
        let Some(games) = self.sections.get(section) else { return Vec::new() };
        let name = |code| name_of(SECTIONS[section].kind, code);
        let mut codes: Vec<_> = games.codes().collect();
        codes.sort_by_key(|(code, _)| code.is_none());
        let codes = codes.into_iter().map(|(code, games)| SectionRow { value: name(code), games });
        let texts = games.values().into_iter();
        let mut texts: Vec<SectionRow> =
            texts.map(|(value, games)| SectionRow { value: lossy(&value), games }).collect();
        texts.sort_by(|one, other| {
            other.games.cmp(&one.games).then_with(|| one.value.cmp(&other.value))
        });
        let others =
            (games.others > 0).then(|| SectionRow { value: OTHERS.into(), games: games.others });
        codes.chain(texts).chain(others).collect()
    }
}

/// The name of a code.
fn name_of(kind: SectionKind, code: Option<u32>) -> String {
    let Some(code) = code else { return UNKNOWN.to_string() };
    match kind {
        SectionKind::Groups(name) => match groups(name).map(|groups| groups.names) {
            Some(GroupNames::Listed(names)) => names[code as usize].to_string(),
            Some(GroupNames::Written { name, .. }) => name(code),
            _ => code.to_string(),
        },
        SectionKind::Has => HAS[code as usize].to_string(),
        SectionKind::Verdict => VERDICTS[code as usize].to_string(),
        SectionKind::Deviation => Deviation::ALL[code as usize].name().to_string(),
        SectionKind::Length => match code {
            0 => "0".to_string(),
            LENGTH_MAX => format!("{LENGTH_MAX}+"),
            _ => format!("{}-{}", code, code + LENGTH_BAND - 1),
        },
        SectionKind::Side => SIDES[code as usize].to_string(),
        SectionKind::Moves => lossy(OPCODES_OF_MOVES[code as usize]),
        SectionKind::Tags(_) | SectionKind::Notation | SectionKind::Opcode => code.to_string(),
    }
}

/// The code of a name, `None` for [`UNKNOWN`]; nothing if no code has it.
fn code_of(kind: SectionKind, name: &str) -> Option<Option<u32>> {
    if name == UNKNOWN {
        return Some(None);
    }
    let first = |count: usize| (0..count as u32).collect();
    let codes: Vec<u32> = match kind {
        SectionKind::Groups(dimension) => match groups(dimension)?.names {
            GroupNames::Listed(names) => first(names.len()),
            GroupNames::Written { codes, .. } => codes(),
            GroupNames::Any => Vec::new(),
        },
        SectionKind::Length => (0..=LENGTH_MAX).filter(|&plies| band(plies) == plies).collect(),
        SectionKind::Has => first(HAS.len()),
        SectionKind::Verdict => first(VERDICTS.len()),
        SectionKind::Deviation => first(RULES_COUNT),
        SectionKind::Side => first(SIDES.len()),
        SectionKind::Moves => first(OPCODES_OF_MOVES.len()),
        SectionKind::Tags(_) | SectionKind::Notation | SectionKind::Opcode => Vec::new(),
    };
    codes.into_iter().find(|&code| name_of(kind, Some(code)) == name).map(Some)
}

/// The band of a length: its first number of plies.
fn band(plies: u32) -> u32 {
    match plies {
        0 => 0,
        _ => ((plies - 1) / LENGTH_BAND * LENGTH_BAND + 1).min(LENGTH_MAX),
    }
}

/// Counts what is in archives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats;

impl Task for Stats {
    type Context = ();
    type Part = Found;

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), found: &mut Found) {
        let groups = SECTIONS.map(|section| match section.kind {
            SectionKind::Groups(name) => groups(name),
            _ => None,
        });
        games.visit(StatsVisitor {
            found,
            groups,
            opening: Tracker::default(),
            moves: MoveHash::default(),
            boards: Vec::new(),
            notation: "",
        });
        found.sections.iter_mut().for_each(ValueCounts::count_recent);
    }
}

/// A hash of the moves so far, four at a time.
#[derive(Clone, Copy, Default)]
struct MoveHash {
    hash: u64,
    last: u64,
    count: u64,
}

impl MoveHash {
    #[inline]
    fn add(&mut self, code: u16) {
        self.last = self.last << 16 | u64::from(code);
        self.count += 1;
        if self.count.is_multiple_of(4) {
            self.hash = with(self.hash, self.last);
        }
    }

    fn hash(&self) -> u64 {
        with(with(self.hash, self.last), self.count)
    }
}

/// Counts the games of a block.
struct StatsVisitor<'b> {
    found: &'b mut Found,
    groups: [Option<&'static Groups>; SECTIONS.len()],
    opening: Tracker,
    moves: MoveHash,
    /// Memory for the boards of the plies that an opening may have.
    boards: Vec<[u64; 2]>,
    notation: &'static str,
}

impl BlockVisitor for StatsVisitor<'_> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        Some(LineRequest::Boards { texts: false })
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Boards(line) = line else { return };
        line.move_codes().for_each(|code| self.moves.add(code));
        let plies = self.opening.plies_left();
        if plies > 0 {
            line.whites_and_pawns(plies, &mut self.boards);
            self.opening.visit_line(&self.boards, |ply| line.position(ply + 1));
        }
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        (self.opening, self.moves) = (Tracker::default(), MoveHash::default());
        self.notation = notation.info().name;
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            let code = AnyPly::Chess(ply).move_code().unwrap_or_default();
            self.moves.add(code);
            self.opening.visit(ply.after());
        }
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        _: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 {
            // Of other rulesets the text, which is the same in most archives.
            text[span].iter().for_each(|&byte| self.moves.add(byte.into()));
        }
        Ok(())
    }

    fn position(&mut self, text: &[u8], _: Range<usize>, line: &PositionLine<'_>, _: GamePlace) {
        let Some(position) = line.position.filter(|_| line.verdict != Verdict::Rejected) else {
            return;
        };
        self.found.games += 1;
        self.found.plies += line.moves.len() as u64;
        self.found.moves.push(hash_of(&position));
        let opcode = |operation: usize| &text[line.operations[operation].opcode.clone()];
        for (index, section) in SECTIONS.iter().enumerate() {
            let counts = self.found.section(index);
            match section.kind {
                SectionKind::Side => counts.add_code(Some(position.turn().index() as u32), 1),
                SectionKind::Opcode => {
                    let opcodes = (0..line.operations.len()).map(opcode);
                    let named = opcodes.filter(|opcode| !opcode.is_empty());
                    named.for_each(|opcode| counts.add_text(opcode, 1));
                }
                SectionKind::Moves => {
                    for mv in line.moves {
                        let opcode = opcode(mv.operation);
                        let code = OPCODES_OF_MOVES.iter().position(|known| *known == opcode);
                        counts.add_code(code.map(|code| code as u32), 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, _: GamePlace) {
        if game.verdict == Verdict::Rejected {
            return;
        }
        let tags = game.tags.index.values(text);
        let played = Some(Played::of(text, game, self.opening.opening()));
        let read = ReadGame { tags, archive: "", text_bytes: game.span.len(), played };
        self.found.games += 1;
        self.found.plies += u64::from(game.plies);
        self.found.plies_max = self.found.plies_max.max(game.plies);
        if game.plies >= COMPARED_PLIES_MIN {
            let start = [Tag::Fen, Tag::Variant].map(|tag| tags.bytes(tag).unwrap_or_default());
            let start = start.into_iter().flatten();
            let moves = self.moves.hash();
            let hash = start.fold(moves, |hash, &byte| with(hash, byte.into()));
            self.found.moves.push(hash);
        }
        let mut has_year = false;
        for (index, section) in SECTIONS.iter().enumerate() {
            let games = self.found.section(index);
            match section.kind {
                SectionKind::Groups(name) => {
                    let code = self.groups[index].and_then(|groups| (groups.code)(&read));
                    has_year |= name == "year" && code.is_some();
                    games.add_code(code, 1);
                }
                SectionKind::Tags(&[tag]) => {
                    known(tags, tag).into_iter().for_each(|value| games.add_recent(value));
                }
                SectionKind::Tags(names) => {
                    let values = names.iter().filter_map(|&tag| known(tags, tag));
                    values.for_each(|value| games.add_text(value, 1));
                }
                SectionKind::Verdict | SectionKind::Deviation => {}
                SectionKind::Side | SectionKind::Opcode | SectionKind::Moves => {}
                SectionKind::Notation => games.add_recent(self.notation.as_bytes()),
                SectionKind::Length => games.add_code(Some(band(game.plies)), 1),
                SectionKind::Has => {
                    let movetext = match self.notation == TCN.info().name {
                        // Its characters are those of moves.
                        true => &[][..],
                        false => &text[game.tags.end.min(game.span.end)..game.span.end],
                    };
                    let has = has(tags, movetext, game, has_year);
                    for (code, _) in has.into_iter().enumerate().filter(|(_, has)| *has) {
                        games.add_code(Some(code as u32), 1);
                    }
                }
            }
        }
    }
}

/// A hash of a position, which does not depend on its move clocks.
fn hash_of(position: &AnyPosition) -> u64 {
    let record = position.to_fen();
    let clocks = if position.rules() == RulesKind::Chess99 { 1 } else { 2 };
    let end = record.rmatch_indices(' ').nth(clocks - 1).map_or(record.len(), |(at, _)| at);
    record.bytes().take(end).fold(0, |hash, byte| with(hash, byte.into()))
}

/// What a game has, in the order of [`HAS`].
fn has(tags: TagValues<'_>, movetext: &[u8], game: &Game<'_>, has_year: bool) -> [bool; 8] {
    let comments = memchr::memchr2(b'{', b';', movetext).is_some();
    let has = |command: &[u8]| comments && memmem::find(movetext, command).is_some();
    let is_rated = |tag| tags.rating(tag).is_some_and(|rating| rating > 0);
    let is_titled = |tag| known(tags, tag).is_some_and(|title| title != b"-");
    [
        game.plies > 0,
        has(b"[%clk"),
        has(b"[%eval"),
        comments,
        game.variation_plies > 0,
        is_rated(Tag::WhiteElo) && is_rated(Tag::BlackElo),
        has_year,
        is_titled(Tag::WhiteTitle) || is_titled(Tag::BlackTitle),
    ]
}

/// The value of a tag pair, as it is written, unless it is unknown or, of `Site`, the address of a game.
fn known(tags: TagValues<'_>, tag: Tag) -> Option<&[u8]> {
    let value = tags.bytes(tag)?.trim_ascii();
    let is_unknown =
        value.iter().all(|&byte| byte == b'?') || value == b"-" && tag != Tag::TimeControl;
    let is_address = tag == Tag::Site && memmem::find(value, b"://").is_some();
    (!is_unknown && !is_address).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_groups_has_its_dimension() {
        for section in SECTIONS {
            if let SectionKind::Groups(name) = section.kind {
                assert!(groups(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn rows_are_read_again() {
        let mut found = Found::default();
        for (index, section) in SECTIONS.iter().enumerate() {
            let kind = section.kind;
            let own = found.section(index);
            if kind.is_text() {
                for (number, text) in
                    [&b"a"[..], b"\\\\", b"\\\"x\\\"", b"\xfc", b"\\"].iter().enumerate()
                {
                    own.add_text(text, number as u64 + 1);
                }
                own.others = 3;
            } else {
                let codes = (0..3_000).filter(|&code| match kind {
                    SectionKind::Length => code <= LENGTH_MAX && band(code) == code,
                    SectionKind::Groups(name) => match groups(name).unwrap().names {
                        GroupNames::Listed(names) => (code as usize) < names.len(),
                        GroupNames::Written { codes, .. } => codes().contains(&code),
                        GroupNames::Any => false,
                    },
                    SectionKind::Has => code < 8,
                    SectionKind::Verdict => code < 3,
                    SectionKind::Side => (code as usize) < SIDES.len(),
                    SectionKind::Moves => (code as usize) < OPCODES_OF_MOVES.len(),
                    _ => (code as usize) < RULES_COUNT,
                });
                for code in codes.map(Some).chain([None]) {
                    own.add_code(code, u64::from(code.unwrap_or(7)) + 1);
                }
            }
        }
        let mut again = Found::default();
        for (index, section) in SECTIONS.iter().enumerate() {
            let rows = found.rows(index);
            assert!(rows.len() > 2, "{}", section.name);
            for row in &rows {
                assert!(again.add_row(section.name, &row.value, row.games), "{row:?}");
            }
            assert_eq!(again.rows(index), rows);
            assert!(
                !matches!(section.kind, SectionKind::Groups(_))
                    || !again.add_row(section.name, "none", 1)
            );
        }
        assert!(!again.add_row("none", "a", 1));
    }

    #[test]
    fn bands_are_twenty_plies() {
        let names = [0, 1, 20, 21, 400, 401, 5_000]
            .map(|plies| name_of(SectionKind::Length, Some(band(plies))));
        assert_eq!(names, ["0", "1-20", "1-20", "21-40", "381-400", "400+", "400+"]);
    }

    /// Of more different texts than are kept the first ones are, whatever the jobs are.
    #[test]
    fn texts_beyond_the_limit_are_counted() {
        // Of a job that fills the rest, the texts that come first in it, whatever their bytes are.
        let mut found = Found::default();
        (0..NAMES_MAX as u32 - 3).for_each(|number| {
            found.section(1).add_text(&number.to_le_bytes(), 1);
        });
        let (mut job, of_job) =
            (Found::default(), |number: u32| format!("{:04}", 37 * number % 1_000));
        (0..1_000).for_each(|number| job.section(1).add_text(of_job(number).as_bytes(), 1));
        found.merge(&job);
        assert_eq!((found.sections[1].by_text.len(), found.sections[1].others), (NAMES_MAX, 997));
        for number in 0..5 {
            let is_kept = found.sections[1].by_text.contains_key(of_job(number).as_bytes());
            assert_eq!(is_kept, number < 3, "{number}");
        }
        // Then one that is kept is counted, and another one is of the others.
        let all = found.section(1);
        let (first, after) = (0..3, NAMES_MAX as u32..NAMES_MAX as u32 + 5);
        first.chain(after).for_each(|number: u32| all.add_text(&number.to_le_bytes(), 1));
        assert_eq!((all.by_text.len(), all.others), (NAMES_MAX, 997 + 5));
        assert_eq!(all.by_text[&2_u32.to_le_bytes()[..]].games, 2);
        let mut long = ValueCounts::default();
        let text = |number: u8| vec![number; NAMES_BYTES_MAX / 4];
        (0..6).for_each(|number| long.add_text(&text(number), 1));
        assert_eq!((long.by_text.len(), long.others), (4, 2));
    }
}
