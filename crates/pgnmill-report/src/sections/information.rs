//! The information of a move in bits: codes, codes that use the position, and general compressors applied to each
//! notation.

use pgnmill_core::tables;
use pgnmill_core::tables::notations::{is_localized, names};

use super::super::draw::{Bar, Bars};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, in_words, ratio};
use super::super::page::{Cell, Chart, Figure, Grid, Section};
use super::super::prose::code;
use super::super::study::{Code, Fact, MoveCode, Study};

const LADDER: &str = "The information ladder";
const COMPRESSED: &str = "After compression";
const POSITIONAL: &str = "Bits a ply of codes that use the position";

/// The notation of a name: the whole name, or what follows a separator in it.
fn notation_in(name: &str) -> &str {
    name.rsplit([':', ' ', '/']).next().unwrap_or(name)
}

/// The sections.
pub(super) fn sections(study: &Study) -> Vec<Section> {
    let ladder = match &study.entropy {
        Some(codes) => ladder(codes),
        None => Section::missing(LADDER, tables::entropy::SCHEMA.file, " --entropy"),
    };
    let compressed = match &study.compress {
        Some(rows) => compressed(rows),
        None => Section::missing(
            COMPRESSED,
            tables::compress::SCHEMA.file,
            " --compress zstd:3,zstd:19",
        ),
    };
    let positional =
        study.codes.as_deref().map(|codes| positional(codes, study.entropy.as_deref()));
    [Some(ladder), positional, Some(compressed)].into_iter().flatten().collect()
}

/// What the codes are that are no notation.
const CODES: [(&str, &str); 4] = [
    (
        "uci-12-bits",
        "two squares of six bits, always: no entropy, and without the piece of a promotion",
    ),
    (
        "legal-moves",
        "the binary logarithm of the number of legal moves, which a code takes that knows the rules and nothing else",
    ),
    (
        "rank-entropy",
        "order 0 of the move's place among the legal ones, in an order by captures and threats",
    ),
    (
        "rank-huffman",
        "the Huffman code of these places, with code words made from the same games: on others it takes more",
    ),
];

/// Does a code of this name know the board?
fn knows_board(name: &str) -> bool {
    CODES[1..].iter().any(|(code, _)| *code == name)
}

fn ladder(codes: &[Code]) -> Section {
    let mut rungs: Vec<&Code> = codes.iter().collect();
    rungs.sort_by(|a, b| b.per_ply.total_cmp(&a.per_ply));
    let (with_board, texts): (Vec<&Code>, Vec<&Code>) =
        rungs.into_iter().partition(|code| knows_board(&code.name));
    let mut section = Section::new(
        LADDER,
        "Bits a ply, of two kinds that are not to be compared: what reads the text alone, and what knows the board. For \
         a notation: the entropy of its texts, each taken by itself (order 0), from their frequencies in these games \
         (plug-in); it is too small by about (types − 1) / (2 · plies · ln 2) (Miller, Madow 1955), and it is that of \
         texts of these games, not of others.",
    );
    if codes.iter().any(|code| code.held_out.is_finite()) {
        section.text(format!(
            "Held out: each half of the games with the frequencies of the other half, a text that occurs n times there at \
             −log₂((n + ½) / (N + T/2)), with N plies there and T different texts in both. A hash of its moves puts a game \
             into one half, with all games that repeat it. Both halves are of the same archives.{}",
            held_out_in_words(codes)
        ));
    }
    let there = CODES.iter().filter(|(name, _)| codes.iter().any(|code| code.name == *name));
    let words: Vec<String> = there.map(|(name, words)| format!("`{name}`: {words}")).collect();
    if !words.is_empty() {
        section.text(format!("{}.", words.join("; ")));
    }
    let is_estimated = with_board.iter().any(|code| code.name == RANK_ENTROPY);
    let of_ranks = if is_estimated { ESTIMATOR_OF_RANKS } else { "" };
    for (name, caption, note, rungs) in [
        ("entropy", "Bits a ply of the text alone", ESTIMATOR, texts),
        ("entropy-board", "Bits a ply of codes that know the board", of_ranks, with_board),
    ] {
        add_rungs(&mut section, name, [caption, note], &rungs);
    }
    section
}

/// What SAN and the shortest notation take with the frequencies of other games.
fn held_out_in_words(codes: &[Code]) -> String {
    let of = |name: &str| {
        let code = codes.iter().find(|code| code.name == name && code.held_out.is_finite())?;
        let [held_out, own] = [code.held_out, code.per_ply].map(|bits| decimal(bits, 4));
        Some(format!("`{name}` takes {held_out} bits a ply then, and {own} with its own"))
    };
    let words: Vec<String> = [names::SAN, names::PRIORITY].into_iter().filter_map(of).collect();
    if words.is_empty() { String::new() } else { format!(" {}.", words.join("; ")) }
}

/// The code among those that know the board whose bits are an estimate.
const RANK_ENTROPY: &str = "rank-entropy";
/// How the bits of both figures are estimated.
const ESTIMATOR: &str = "Entropy of order 0, plug-in estimate: from the frequencies of the texts in these same games, without correction; \
                         `uci-12-bits` is a fixed length.";
const ESTIMATOR_OF_RANKS: &str = "`rank-entropy`: entropy of order 0, plug-in estimate, from the frequencies in these same games, without \
                                  correction; the others are counts of bits, not estimates.";

/// Adds the figure and the table of codes of one kind.
fn add_rungs(section: &mut Section, name: &str, [caption, note]: [&str; 2], rungs: &[&Code]) {
    // Languages have SAN's values: they differ in letters only.
    let is_shown = |code: &&&Code| code.per_ply.is_finite() && !is_localized(&code.name);
    let bar = |code: &&Code| {
        let (name, number) = (code.name.clone(), decimal(code.per_ply, 3));
        let hover = format!("{name}: {number} bits a ply, over {} plies", grouped(code.plies));
        Bar { parts: vec![(code.per_ply, Ink::of(notation_in(&name)))], name, number, hover }
    };
    let bars = Bars {
        hover: format!("{caption}, the most first"),
        bars: rungs.iter().filter(is_shown).map(bar).collect(),
    };
    if !bars.bars.is_empty() {
        let (wide, narrow) = (bars.draw(760), bars.draw(350));
        let chart = Chart { caption: caption.to_string(), wide, narrow };
        let note = note.to_string();
        section.figure(Figure { note, ..Figure::single(name, chart) });
    }
    // Earlier versions did not count halves of the games.
    let has_held_out = rungs.iter().any(|code| code.held_out.is_finite());
    let row = |code: &&Code| {
        let (types, corrected) = match code.estimate {
            Some((types, corrected)) => (Cell::Count(types), corrected),
            None => (Cell::Text(String::new()), f64::NAN),
        };
        vec![
            Cell::Name(code.name.clone()),
            Cell::Count(code.plies),
            Cell::Count(code.bits),
            Cell::Ratio(code.per_ply, 3),
            types,
            Cell::Ratio(corrected, 3),
        ]
        .into_iter()
        .chain(has_held_out.then_some(Cell::Ratio(code.held_out, 3)))
        .collect()
    };
    let mut head =
        vec!["code", "plies", "bits", "bits a ply", "different texts", "bits a ply, corrected"];
    head.extend(has_held_out.then_some("bits a ply, held out"));
    section.grid(Grid {
        caption: format!("{caption}, by code"),
        is_open: false,
        source: tables::entropy::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.into_iter().map(String::from).collect(),
        rows: rungs.iter().map(row).collect(),
    });
}

/// What the codes are that use the position.
const MOVE_CODES: [(&str, &str); 5] = [
    ("legal-moves", "every legal move equally likely"),
    (
        "rank-adaptive",
        "adaptive frequencies of the move's place among the legal ones, in an order by captures \
         and threats",
    ),
    (
        "lichess-huffman",
        "the fixed code words of the place in the order of lichess.org, for games from the usual \
         starting position alone",
    ),
    ("opening+rank", "what was played in the same position before, otherwise as `rank-adaptive`"),
    (
        "ply-context",
        "whether each legal move is the one, by the mean of adaptive probabilities in many contexts",
    ),
];

/// The code whose words were made from other games.
const LICHESS: &str = "lichess-huffman";

/// Of which games the words of [`LICHESS`] are, and what its authors state.
fn of_other_games(codes: &[MoveCode]) -> Option<String> {
    let code = codes.iter().find(|code| code.name == LICHESS && code.plies > 0)?;
    let entropy = match code.entropy.is_finite() {
        true => format!(", of {} of entropy of the same places in them", decimal(code.entropy, 3)),
        false => String::new(),
    };
    Some(format!(
        "The code words of `{LICHESS}` were made from other games than these, those of lichess.org of 2018, for which its authors \
         state 4.40 bits a ply, of 4.38 of entropy (“Developer update: 275% improved game compression”, lichess.org/blog). \
         Applied to these games it takes {} bits{entropy}: the code is the same, the games are not.",
        decimal(ratio(code.bits, code.plies), 3),
    ))
}

/// The code of both tables: what it wrote, and what it would take if its bits were not whole.
const LEGAL_MOVES: &str = "legal-moves";

/// Why the written bits of `legal-moves` are not those of the ladder.
fn overhead(codes: &[MoveCode], ladder: &[Code]) -> Option<String> {
    let written = codes.iter().find(|code| code.name == LEGAL_MOVES)?;
    let counted = ladder.iter().find(|code| code.name == LEGAL_MOVES)?;
    if written.plies != counted.plies || written.bits == counted.bits {
        return None;
    }
    let is_more = written.bits > counted.bits;
    Some(format!(
        "`{LEGAL_MOVES}` wrote {} bits {} than the sum of the binary logarithms of the numbers of legal moves, which “{LADDER}” \
         has: its range coder divides whole numbers, and every block ends with a whole byte.",
        grouped(written.bits.abs_diff(counted.bits)),
        if is_more { "more" } else { "fewer" },
    ))
}

fn positional(codes: &[MoveCode], ladder: Option<&[Code]>) -> Section {
    let mut section = Section::new(
        POSITIONAL,
        "What a move needs if the reader has the position, its legal moves and all moves before. \
         These codes are not texts: their bits cannot be compared with those of a notation, which \
         is read without a board. Each was written, and is read in one pass; adaptive codes \
         begin with nothing learnt in every block of as many games as make 1 MiB of SAN.",
    );
    let there = MOVE_CODES.iter().filter(|(name, _)| codes.iter().any(|code| code.name == *name));
    let words: Vec<String> = there.map(|(name, words)| format!("`{name}`: {words}")).collect();
    if !words.is_empty() {
        section.text(format!("{}.", words.join("; ")));
    }
    if let Some(text) = of_other_games(codes) {
        section.text(text);
    }
    if let Some(text) = ladder.and_then(|ladder| overhead(codes, ladder)) {
        section.text(text);
    }
    let row = |code: &MoveCode| {
        vec![
            Cell::Name(code.name.clone()),
            Cell::Count(code.games),
            Cell::Count(code.plies),
            Cell::Count(code.bits),
            Cell::Ratio(ratio(code.bits, code.plies), 3),
            Cell::Ratio(code.entropy, 3),
        ]
    };
    let head = ["code", "games", "plies", "bits", "bits a ply", "entropy a ply"];
    section.grid(Grid {
        caption: POSITIONAL.to_string(),
        is_open: true,
        source: tables::codes::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: codes.iter().map(row).collect(),
    });
    section
}

/// Plies, bytes before, bytes after.
fn counts(fact: &Fact) -> (u64, u64, u64) {
    (fact.counts[0], fact.counts[1], fact.counts[2])
}

/// Says whether what is shorter before is shorter after.
fn verdict(rows: &[&Fact], compressor: &str) -> Option<String> {
    let find = |name: &str| rows.iter().find(|fact| fact.names[0] == name).map(|fact| counts(fact));
    let (san, short) = (find(names::SAN)?, find(names::PRIORITY)?);
    let change = |san: u64, short: u64| in_words(100.0 * (ratio(short, san) - 1.0));
    let least = rows.iter().min_by(|a, b| {
        let after = |fact: &Fact| ratio(counts(fact).2, counts(fact).0);
        after(a).total_cmp(&after(b))
    })?;
    Some(format!(
        "{}: `economical-priority` takes {} than `san` before and {} after; least of all takes {}, {} bytes \
         a ply.",
        code(compressor),
        change(san.1, short.1),
        change(san.2, short.2),
        code(&least.names[0]),
        decimal(ratio(counts(least).2, counts(least).0), 3),
    ))
}

fn compressed(facts: &[Fact]) -> Section {
    let mut section = Section::new(
        COMPRESSED,
        "Texts of the moves, with a blank after each, after general compressors: does a shorter notation still take \
         less? Each block holds the same games in every notation, as many as make 1 MiB of SAN. A compressor that was \
         used for fewer notations compares these alone.",
    );
    let mut compressors: Vec<&str> = Vec::new();
    for fact in facts {
        if !compressors.contains(&fact.names[1].as_str()) {
            compressors.push(&fact.names[1]);
        }
    }
    for compressor in compressors {
        let mut rows: Vec<&Fact> =
            facts.iter().filter(|fact| fact.names[1] == compressor && fact.counts[0] > 0).collect();
        let after = |fact: &Fact| ratio(counts(fact).2, counts(fact).0);
        rows.sort_by(|a, b| after(b).total_cmp(&after(a)));
        if let Some(text) = verdict(&rows, compressor) {
            section.text(text);
        }
        let bar = |fact: &&Fact| {
            let (plies, before, _) = counts(fact);
            let (name, number) = (fact.names[0].clone(), decimal(after(fact), 3));
            let hover = format!(
                "{name}: {} bytes a ply before {compressor}, {number} after",
                decimal(ratio(before, plies), 3)
            );
            Bar { parts: vec![(after(fact), Ink::of(&name))], name, number, hover }
        };
        let bars: Vec<Bar> =
            rows.iter().filter(|fact| !is_localized(&fact.names[0])).map(bar).collect();
        let bars = Bars { hover: format!("Bytes a ply after {compressor}, by notation"), bars };
        if !bars.bars.is_empty() {
            let (wide, narrow) = (bars.draw(760), bars.draw(350));
            let caption = format!("Bytes a ply after {}", code(compressor));
            let chart = Chart { caption, wide, narrow };
            section.figure(Figure::single(&format!("compress-{compressor}"), chart));
        }
    }
    section.grid(table(facts));
    section
}

fn table(facts: &[Fact]) -> Grid {
    let row = |fact: &Fact| {
        let (plies, before, after) = counts(fact);
        vec![
            Cell::Name(fact.names[0].clone()),
            Cell::Name(fact.names[1].clone()),
            Cell::Count(plies),
            Cell::Count(before),
            Cell::Count(after),
            Cell::Ratio(ratio(before, plies), 3),
            Cell::Ratio(ratio(after, plies), 3),
            Cell::Ratio(100.0 * ratio(after, before), 1),
        ]
    };
    let head = [
        "notation",
        "compressor",
        "plies",
        "bytes before",
        "bytes after",
        "a ply before",
        "a ply after",
        "per cent left",
    ];
    Grid {
        caption: "Bytes before and after".to_string(),
        is_open: false,
        source: tables::compress::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: facts.iter().map(row).collect(),
    }
}
