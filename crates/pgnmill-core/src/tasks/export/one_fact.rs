//! The law of facts: the field, the column, the partition and the group of one game agree, for every fact and every tag
//! pair that is a column, over corner cases and generated tag sections.

use std::ops::Range;

use pgnmill_dice::{Dice, trials};

use super::buffer::Buffer;
use super::cell::shown;
use super::column::{Column, Source};
use super::game_facts::{GameFacts, tag_section};
use super::kind::Kind;
use super::partition_key::{PartitionKey, folder};
use super::tag_values::OtherTags;
use super::values::Texts;
use super::{Annotations, Table};
use crate::facts::{self, Played, ReadGame};
use crate::notation::{Notation, Ply};
use crate::openings::Tracker;
use crate::pgn::deviation::Profile;
use crate::pgn::{Tag, TagIndex, TagKind, TagPairs};
use crate::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use crate::select::{GameView, Selection};
use crate::tables::{Dimension, Dimensions};
use crate::tasks::measure::tally::Labels;

/// Values of tag pairs that readers could take differently.
const VALUES: &[(&str, &[&str])] = &[
    (
        "Date",
        &[
            "2022.01.02",
            "2024",
            "2024.05",
            "2024.13.01",
            "2024.00.10",
            "2024.??.??",
            "2024.02.??",
            "2023.02.29",
            "????.??.??",
            "????.05.07",
            "202?.01.01",
            "0000.01.01",
            "0001.01.01",
            "9999.01.01",
            "1399.12.31",
            "1400.01.01",
            "2100.12.31",
            "2101.01.01",
            "+2024.01.01",
            "24.05.07",
            "2024-05-07",
            " 2024.05.07 ",
            "02024.05.07",
            "2024.5.7",
            "2024.005.007",
            "2024.",
            "01/02/2024",
            "99999999999.01.01",
            "",
            " ",
            "?",
            "-",
            "May 2024",
        ],
    ),
    ("UTCDate", &["2021.12.31", "2024", "????.??.??", "2024.02.30", "", "?", "-", "2020.02.29"]),
    ("UTCTime", &["12:34:56", "24:00:00", "??:??:??", "1:02:03", "", "-", " 00:00:00 "]),
    (
        "WhiteElo",
        &[
            "1500",
            "+1500",
            "-1500",
            "01500",
            " 1500 ",
            "0",
            "-0",
            "99",
            "100",
            "4999",
            "5000",
            "32767",
            "32768",
            "99999999999999999999",
            "1500?",
            "15 00",
            "?",
            "-",
            "",
            " ",
            "+",
            "--3",
            "2400.5",
            "１５００",
        ],
    ),
    ("BlackElo", &["1500", "+1700", "2999", "0", "?", "", "100", "101"]),
    ("WhiteRatingDiff", &["-6", "+6", "6", "", "?", "-", "+-6"]),
    (
        "TimeControl",
        &[
            "180+2",
            " 180+2 ",
            "180+",
            "+2",
            "-",
            "?",
            "",
            "600",
            "1/86400",
            "1/0",
            "0/300",
            "40/7200:3600",
            "*60",
            "10+0.1",
            "0180+02",
            "9999999999+1",
            "-180+2",
        ],
    ),
    ("ECO", &["B07", "B07a", "A00/01", "b07", "F00", "B7", "?", "", " B07 ", "C\\\"2"]),
    ("Result", &["1-0", "0-1", "1/2-1/2", "*", "1/2", "", "?", "draw", "won", " 1-0 "]),
    ("WhiteTitle", &["GM", "BOT", "-", "?", "", " BOT "]),
    ("Variant", &["Standard", "", "?", "Chess960"]),
    ("Event", &["a", "?", "", "?? ?", "\\\\\\\"", "ä"]),
];

const MOVES: &[&str] =
    &["1. e4 c5 2. Nf3 1-0", "1. a4 *", "*", "1. d4 d5 0-1", "1. e4 e5 1/2-1/2", "1. e4", "e5 1-0"];

/// Compares everything that is said of the games of a text.
#[derive(Default)]
struct Law {
    opening: Tracker,
    compared: usize,
}

impl ReplayVisitor for Law {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.opening = Tracker::default();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.opening.visit(ply.after());
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let section = &text[tag_section(game)];
        let what = String::from_utf8_lossy(section).into_owned();
        // The index of the replay is that of the pairs, read one by one.
        let again = TagIndex::of(text, tag_section(game));
        for tag in Tag::ALL {
            assert_eq!(game.tags.index.span(tag), again.span(tag), "{tag:?}: {what}");
        }
        let played = Some(Played::of(text, game, self.opening.opening()));
        let (tags, text_bytes) = (again.values(text), game.span.len());
        let read = ReadGame { tags, archive: "a.pgn", text_bytes, played };
        let annotations = Annotations::default();
        let others = OtherTags::default();
        let (one_line, last) = (false, None);
        let game_facts = GameFacts {
            text,
            game,
            read,
            others: &others,
            annotations: &annotations,
            last,
            other_last: None,
            one_line,
        };
        if game.verdict == Verdict::Rejected {
            for fact in facts::ALL.iter().filter(|fact| fact.is_field()) {
                let is_known =
                    fact.needs == facts::Needs::Tags || fact.needs == facts::Needs::Verdict;
                assert!(
                    is_known || field(fact.name, &game_facts).is_none(),
                    "{}: {what}",
                    fact.name
                );
            }
            return;
        }
        self.compared += 1;
        for fact in &facts::ALL {
            self::fact(fact, &game_facts, &what);
        }
        for column in Table::Games.columns() {
            if let Source::Tag(tag) = column.source {
                self::tag(tag, &column, &game_facts, &what);
            }
        }
        dates(&game_facts, &what);
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// The value of a field, as `--split-by` names its file.
fn field(name: &str, facts: &GameFacts<'_>) -> Option<String> {
    let selection = Selection::all().with_keys(name).expect("a field");
    let mut tags = selection.tags();
    tags.clear(facts.game.span.start);
    for pair in TagPairs::new(facts.text, tag_section(facts.game)) {
        selection.keep_tag(facts.text, &pair, &mut tags);
    }
    let game = ReadGame { tags: tags.index.values(facts.text), ..facts.read };
    let (others, watch) = (&tags.others, &selection.watch());
    let game = GameView { text: facts.text, game, others, moves: None, watch };
    selection.keys_of(&game).concat().pop().flatten()
}

/// The value of a column.
fn column(column: &Column, facts: &GameFacts<'_>) -> Option<String> {
    let mut buffer = Buffer::new(column.kind);
    column.write(facts, &mut buffer);
    shown(column.kind, &buffer, 0)
}

/// The value of a key of `--partition-by`, as the name of its folder has it.
fn partition(name: &str, facts: &GameFacts<'_>) -> Option<String> {
    let key = PartitionKey::find(name).expect("a key");
    let mut folders = Texts::default();
    folder(&[key], facts, &mut folders);
    let folder = folders.get(0).expect("a folder").into_owned();
    let value =
        folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')).expect("its name");
    (value != "__HIVE_DEFAULT_PARTITION__").then(|| value.to_string())
}

fn group(dimension: Dimension, facts: &GameFacts<'_>) -> Option<String> {
    let name = Labels::of(&facts.read, Dimensions::ALL).name(dimension);
    (name != "unknown").then_some(name)
}

/// One fact in all its forms.
fn fact(fact: &'static facts::Fact, game: &GameFacts<'_>, what: &str) {
    let name = fact.name;
    let field = fact.is_field().then(|| field(name, game));
    if let Some(field) = &field {
        if fact.column.is_some() {
            let declared = Table::Games.columns().into_iter().find(|column| column.name == name);
            let column = column(&declared.expect("a column"), game);
            assert_eq!(*field, column, "field and column {name}: {what}");
            assert_eq!(
                field.as_deref().map(escaped),
                partition(fact.partition.unwrap_or(name), game),
                "partition {name}: {what}"
            );
        }
        if let Some(key) = fact.partition {
            assert_eq!(*field, partition(key, game), "field and partition {name}: {what}");
        }
    }
    let dimension =
        Dimension::ALL.into_iter().find(|it| it.fact().is_some_and(|it| it.name == name));
    let (Some(dimension), Some(field)) = (dimension.filter(|it| it.is_coded()), field) else {
        return;
    };
    let group = group(dimension, game);
    // The groups of ratings are from 100 to 4999.
    let is_rated = |tag| game.read.tags.rating(tag).is_some_and(|it| (100..5000).contains(&it));
    let has_group = !name.starts_with("rating_") || fact.tags.iter().all(|tag| is_rated(*tag));
    assert_eq!(
        field.is_some() && has_group,
        group.is_some(),
        "field and group {name}: {field:?}, {group:?}: {what}"
    );
    let (Some(field), Some(group)) = (field, group) else { return };
    let bounds = |group: &str| -> Option<(f64, f64)> {
        let (low, high) = group.trim_end_matches('+').split_once('-').unwrap_or((group, "1e9"));
        Some((low.trim_end_matches('+').parse().ok()?, high.parse::<f64>().ok()? + 1.0))
    };
    let number = || field.parse::<f64>().expect("a number");
    let is_of = match name {
        "rating_mean" | "rating_difference" | "ply_count" => {
            bounds(&group).is_some_and(|(low, end)| low <= number() && number() < end)
        }
        "month" => group.split_once('-').is_some_and(|(_, month)| month.parse() == Ok(number())),
        _ => field == group,
    };
    assert!(is_of, "field {field} and group {group} of {name}: {what}");
}

/// A value as the name of a folder has it.
fn escaped(value: &str) -> String {
    pgnmill_io::file_name::escaped_but("__HIVE_DEFAULT_PARTITION__", value)
}

/// A tag pair that is a column: a number is the same everywhere; a text that stands for what is unknown is kept in the
/// column and missing as a field.
fn tag(tag: Tag, declared: &Column, game: &GameFacts<'_>, what: &str) {
    let name = tag.name();
    let (field, column) = (field(&format!("tag(\"{name}\")"), game), column(declared, game));
    match tag.kind() {
        TagKind::Number => {
            assert_eq!(self::field(name, game), column, "{name}: {what}");
        }
        _ => match field {
            Some(field) => assert_eq!(Some(field), column, "{name}: {what}"),
            None => assert!(
                column.is_none_or(|text| text.chars().all(|c| c == '?' || c <= ' ')),
                "{name}: {what}"
            ),
        },
    }
    if declared.kind == Kind::Text {
        assert_eq!(
            self::column(declared, game).is_some(),
            game.read.tags.bytes(tag).is_some(),
            "{what}"
        );
    }
    let column = self::column(declared, game).filter(|value| !value.is_empty());
    assert_eq!(column.as_deref().map(escaped), partition(name, game), "partition {name}: {what}");
}

/// Columns of complete dates and of times are those fields.
fn dates(game: &GameFacts<'_>, what: &str) {
    for name in ["UTCDate", "UTCTime"] {
        let declared = Table::Games.columns().into_iter().find(|column| column.name == name);
        if let Some(value) = column(&declared.expect("a column"), game) {
            assert_eq!(field(name, game), Some(value), "{name}: {what}");
        } else if name == "UTCTime" {
            assert_eq!(field(name, game), None, "{name}: {what}");
        } else {
            // A date of which a part is unknown is none for the column, and a month or a year for a field.
            assert!(field(name, game).is_none_or(|value| value.len() < 10), "{name}: {what}");
        }
    }
}

/// Replays games with these tag pairs; returns how many were compared.
fn compare(pairs: &[(&str, &str)], moves: &str) -> usize {
    let mut text = String::new();
    for (name, value) in pairs {
        text += &format!("[{name} \"{value}\"]\n");
    }
    text += &format!("\n{moves}\n\n");
    let (profile, mut law) = (Profile::lenient(), Law::default());
    Replayer::new(&profile, None, History::Ignored).replay(text.as_bytes(), &mut law);
    law.compared
}

#[test]
fn field_column_partition_and_group_agree() {
    let mut compared = 0;
    for (name, values) in VALUES {
        for value in *values {
            compared += compare(&[(name, value)], MOVES[0]);
            // Of a tag pair given twice the last one counts, also if it says nothing.
            for other in *values {
                compared += compare(&[(name, other), (name, value)], MOVES[1]);
            }
        }
    }
    // Which of two dates counts; which of two ratings are known; which of tag and token is the result.
    let values = |name: &str| VALUES.iter().find(|it| it.0 == name).expect("a name").1;
    for (one, other) in [("Date", "UTCDate"), ("WhiteElo", "BlackElo")] {
        for a in values(one) {
            for b in values(other) {
                compared += compare(&[(one, a), (other, b)], MOVES[2]);
            }
        }
    }
    for result in values("Result") {
        for moves in MOVES {
            compared += compare(&[("Result", result)], moves);
        }
    }
    let mut dice = Dice::new(42);
    for _ in 0..trials(250, 1_200, 200_000) {
        let pairs: Vec<(&str, &str)> = (0..dice.below(14))
            .map(|_| {
                let (name, values) = VALUES[dice.below(VALUES.len())];
                (name, values[dice.below(values.len())])
            })
            .collect();
        compared += compare(&pairs, MOVES[dice.below(MOVES.len())]);
    }
    assert!(compared > trials(800, 3_000, 200_000), "{compared}");
}

/// What was decided where readers disagreed; see `CHANGELOG.md`.
#[test]
fn decisions() {
    type Expected<'d> = &'d [(&'d str, Option<&'d str>)];
    struct Decided<'d>(Expected<'d>, usize);
    impl ReplayVisitor for Decided<'_> {
        fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}
        fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
        fn between(&mut self, _: &[u8], _: Range<usize>) {}
        fn end(&mut self, text: &[u8], game: &Game<'_>) {
            let (annotations, others) = (Annotations::default(), OtherTags::default());
            let played = Some(Played::of(text, game, None));
            let (tags, text_bytes) = (game.tags.index.values(text), game.span.len());
            let read = ReadGame { tags, archive: "", text_bytes, played };
            let (one_line, last) = (false, None);
            let facts = GameFacts {
                text,
                game,
                read,
                others: &others,
                annotations: &annotations,
                last,
                other_last: None,
                one_line,
            };
            for (name, expected) in self.0 {
                let found = field(name, &facts);
                assert_eq!(
                    found.as_deref(),
                    *expected,
                    "{name}: {}",
                    String::from_utf8_lossy(text)
                );
                self.1 += 1;
            }
        }
    }
    let cases: &[(&str, Expected<'_>)] = &[
        (
            "[Date \"2022.01.02\"]\n[UTCDate \"2021.12.31\"]\n\n*\n",
            &[("year", Some("2022")), ("month", Some("1"))],
        ),
        ("[Date \"2024\"]\n\n*\n", &[("year", Some("2024")), ("month", None)]),
        ("[Date \"2024.13.01\"]\n\n*\n", &[("year", Some("2024")), ("month", None)]),
        ("[Date \"????.05.07\"]\n[UTCDate \"2021.12.31\"]\n\n*\n", &[("year", Some("2021"))]),
        (
            "[WhiteElo \"+1500\"]\n[BlackElo \"01400\"]\n\n*\n",
            &[("WhiteElo", Some("1500")), ("rating_min", Some("1400"))],
        ),
        (
            "[WhiteElo \"1500\"]\n[BlackElo \"0\"]\n\n*\n",
            &[("BlackElo", Some("0")), ("rating_min", Some("0")), ("rating_mean", Some("750"))],
        ),
        ("[WhiteElo \"1500\"]\n[WhiteElo \"?\"]\n\n*\n", &[("WhiteElo", None)]),
        ("[White \"a\"]\n[White \"b\"]\n\n*\n", &[("White", Some("b"))]),
        ("[Result \"0-1\"]\n\n1. e4 1-0\n", &[("outcome", Some("1-0"))]),
        ("[Result \"won\"]\n[White \"a\"]\n\n*\n", &[("outcome", Some("*"))]),
    ];
    for (text, expected) in cases {
        let (profile, mut decided) = (Profile::lenient(), Decided(expected, 0));
        Replayer::new(&profile, None, History::Ignored).replay(text.as_bytes(), &mut decided);
        assert_eq!(decided.1, expected.len(), "{text}");
    }
}
