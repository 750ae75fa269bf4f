//! The rows: one per fact, in the order in which they are documented.
//!
//! Sources: the speeds are those of Lichess; the outcome, the dates and the time controls are those of
//! `docs/columns.md`; of a tag pair given twice the last one counts, as in python-chess.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::chess::rules::RulesKind;
use crate::openings::{Opening, Openings};
use crate::pgn::tag_numbers::YEARS;
use crate::pgn::{Outcome, Tag, TimeControl, TimeKind};
use crate::replay::Verdict;

use super::{Fact, FactColumn, GroupNames, Groups, Needs, ReadGame, Value};

/// Speeds from fast to slow.
pub const SPEEDS: [&str; 6] =
    ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// Verdicts; a table of games has the first two.
pub const VERDICTS: [&str; 3] = ["accepted", "repaired", "rejected"];
const KEPT: [&str; 2] = [VERDICTS[0], VERDICTS[1]];
/// Results.
pub const OUTCOMES: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// How many players have a title.
const TITLES: [&str; 4] = ["both", "one", "none", "bot"];
const RULES: [&str; RulesKind::COUNT] = RulesKind::NAMES;

/// Ratings of groups: 0 is that of players who have none, and other numbers are mistakes.
const RATINGS: RangeInclusive<i32> = 100..=4999;
const NO_RATINGS: &str = "not both ratings are known";
/// Points in a band of ratings.
const RATING_BAND: u32 = 200;
/// Points in a band of differences.
const DIFFERENCE_BAND: u32 = 100;
/// Differences from here on are one group.
const DIFFERENCE_MAX: u32 = 1000;
/// Letters of opening codes, and codes of a letter.
const ECO_LETTERS: u32 = 5;
const ECO_CODES: u32 = 100;

const BOTH: &[Tag] = &[Tag::WhiteElo, Tag::BlackElo];
const DATES: &[Tag] = &[Tag::Date, Tag::UtcDate];
const CONTROL: &[Tag] = &[Tag::TimeControl];
const OF_NO_FORM: &str = "`TimeControl` is absent, `?`, or of no form";
const OF_NO_TIME: &str = "there is no limit, it is beyond 31 bits, or as `time_kind`";
const NO_CONTROL: &str = "`TimeControl` does not have the form `base+increment`";

/// All facts.
pub static ALL: [Fact; 28] = [
    Fact::new(
        "text_bytes",
        Needs::Tags,
        &[],
        Value::Real(|game| Some(game.text_bytes as f64)),
        "the length of the game's text in bytes",
    ),
    Fact::new(
        "rating_min",
        Needs::Tags,
        BOTH,
        Value::Int(|game| ratings(game).map(|[white, black]| white.min(black))),
        "the lower of the two ratings",
    )
    .missing(NO_RATINGS),
    Fact::new(
        "rating_max",
        Needs::Tags,
        BOTH,
        Value::Int(|game| ratings(game).map(|[white, black]| white.max(black))),
        "the higher of the two ratings",
    )
    .missing(NO_RATINGS),
    Fact::new(
        "rating_mean",
        Needs::Tags,
        BOTH,
        Value::Real(|game| ratings(game).map(|[white, black]| f64::from(white + black) / 2.0)),
        "half the sum of the two ratings",
    )
    .missing(NO_RATINGS)
    .by(Groups {
        name: "rating",
        file: "by_rating.csv",
        doc: "the mean of `WhiteElo` and `BlackElo`, in bands of 200; unknown unless both are from 100 to 4999",
        code: |game| {
            let [white, black] = grouped_ratings(game)?;
            Some((white + black) as u32 / 2 / RATING_BAND * RATING_BAND)
        },
        names: GroupNames::Written {
            name: |code| format!("{code}-{}", code + RATING_BAND - 1),
            codes: || (0..=*RATINGS.end() as u32).step_by(RATING_BAND as usize).collect(),
        },
    }),
    Fact::new(
        "rating_difference",
        Needs::Tags,
        BOTH,
        Value::Int(|game| ratings(game).map(|[white, black]| (white - black).abs())),
        "the distance of the two ratings, never negative",
    )
    .missing(NO_RATINGS)
    .by(Groups {
        name: "rating-difference",
        file: "by_rating_difference.csv",
        doc: "the difference of `WhiteElo` and `BlackElo`, in bands of 100; `1000+`; unknown as `rating` is",
        code: |game| {
            let [white, black] = grouped_ratings(game)?;
            let difference = white.abs_diff(black);
            Some((difference / DIFFERENCE_BAND * DIFFERENCE_BAND).min(DIFFERENCE_MAX))
        },
        names: GroupNames::Written {
            name: |code| match code {
                DIFFERENCE_MAX => format!("{code}+"),
                _ => format!("{code}-{}", code + DIFFERENCE_BAND - 1),
            },
            codes: || (0..=DIFFERENCE_MAX).step_by(DIFFERENCE_BAND as usize).collect(),
        },
    }),
    Fact::new(
        "speed",
        Needs::Tags,
        CONTROL,
        Value::Name(&SPEEDS, |game| speed_of(game).map(|speed| speed as usize)),
        "from `TimeControl`, as `measure --by speed` groups: `ultrabullet`, `bullet`, `blitz`, `rapid`, `classical`, \
         `correspondence`",
    )
    .missing("`TimeControl` is absent, `?`, of no form, or has a sandclock")
    .by(Groups {
        name: "speed",
        file: "by_speed.csv",
        doc: "as on Lichess: seconds of the base time + 40 times the increment, from `TimeControl`: `ultrabullet` up \
              to 29, `bullet` to 179, `blitz` to 479, `rapid` to 1499, `classical` above; `correspondence` for `-` \
              and for a time per move of an hour and more (`1/86400`); a shorter one counts 40 times. The base times \
              of several periods are added; a sandclock has no speed",
        code: speed_of,
        names: GroupNames::Listed(&SPEEDS),
    }),
    Fact::new(
        "year",
        Needs::Tags,
        DATES,
        Value::Int(|game| game.tags.year_and_month().map(|(year, _)| year)),
        "the year of `Date`, or of `UTCDate` if that has none",
    )
    .missing("it is not from 1400 to 2100")
    .column("", "2018")
    .partition("Year")
    .by(Groups {
        name: "year",
        file: "by_year.csv",
        doc: "of `Date`, or of `UTCDate` where `Date` has none; from 1400 to 2100",
        code: |game| game.tags.year_and_month().map(|(year, _)| year as u32),
        names: GroupNames::Written { name: |year| year.to_string(), codes: || YEARS.collect() },
    }),
    Fact::new(
        "month",
        Needs::Tags,
        DATES,
        Value::Int(|game| game.tags.year_and_month().and_then(|(_, month)| month)),
        "the month of the same date, 1 to 12",
    )
    .missing("the date has a year alone, or none")
    .column("", "11")
    .partition("Month")
    .by(Groups {
        name: "month",
        file: "by_month.csv",
        doc: "year and month, `yyyy-mm`",
        code: |game| {
            let (year, month) = game.tags.year_and_month()?;
            Some((year * 100 + month?) as u32)
        },
        names: GroupNames::Written {
            name: |code| format!("{:04}-{:02}", code / 100, code % 100),
            codes: || YEARS.flat_map(|year| (1..=12).map(move |month| year * 100 + month)).collect(),
        },
    }),
    Fact::new(
        "time_initial",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| control(game).map(|(initial, _)| initial)),
        "the time of each player in seconds, from `TimeControl`",
    )
    .missing(NO_CONTROL)
    .column("s", "180"),
    Fact::new(
        "time_increment",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| control(game).map(|(_, increment)| increment)),
        "the increment per move in seconds, from `TimeControl`",
    )
    .missing(NO_CONTROL)
    .column("s", "2"),
    Fact::new(
        "time_kind",
        Needs::Tags,
        CONTROL,
        Value::Name(&TimeKind::NAMES, |game| any_control(game).map(|control| control.kind as usize)),
        "what the first period of `TimeControl` is, of any form: `game`, a time for all moves (`300`, `4500+60`); `moves`, for so \
         many moves (`40/9000`, `5/move`); `sandclock` (`*180`, `hg180`); `unlimited` (`-`, `inf`)",
    )
    .missing(OF_NO_FORM)
    .opt_in("", "game"),
    Fact::new(
        "time_base_ms",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| any_control(game)?.base_ms),
        "the time of the first period of `TimeControl` in milliseconds, of any form",
    )
    .missing(OF_NO_TIME)
    .opt_in("ms", "180000"),
    Fact::new(
        "time_increment_ms",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| any_control(game)?.increment_ms),
        "the increment per move in the first period of `TimeControl` in milliseconds, of any form; 0 if none is written",
    )
    .missing("as `time_base_ms`, or a sandclock")
    .opt_in("ms", "2000"),
    Fact::new(
        "time_moves",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| any_control(game)?.moves),
        "the moves of the first period of `TimeControl`, 1 for a time per move",
    )
    .missing("the time is for all moves, or as `time_kind`")
    .opt_in("moves", "40"),
    Fact::new(
        "time_periods",
        Needs::Tags,
        CONTROL,
        Value::Int(|game| any_control(game).map(|control| control.periods)),
        "the periods of `TimeControl`, separated by `:`; 0 without a limit",
    )
    .missing(OF_NO_FORM)
    .opt_in("", "2"),
    Fact::new(
        "variant",
        Needs::Tags,
        &[Tag::Variant],
        Value::Text(|game| Some(variant(game.tags.known_text(Tag::Variant)))),
        "the tag pair `Variant`; `standard` without one, or with any name of ordinary chess",
    ),
    Fact::new("eco_letter", Needs::Tags, &[Tag::Eco], Value::Grouped, "the letter of `ECO`").by(Groups {
        name: "eco-letter",
        file: "by_eco_letter.csv",
        doc: "`A` to `E`, the letter of `ECO`",
        code: |game| eco(game.tags.bytes(Tag::Eco)?).map(|code| code / ECO_CODES),
        names: ECO_LETTER_NAMES,
    }),
    Fact::new("eco", Needs::Tags, &[Tag::Eco], Value::Grouped, "the code of `ECO`").by(Groups {
        name: "eco",
        file: "by_eco.csv",
        doc: "the letter and two digits of `ECO`; further subdivision (`B07a`, `B07/02`) is ignored",
        code: |game| eco(game.tags.bytes(Tag::Eco)?),
        names: ECO_NAMES,
    }),
    Fact {
        column: Some(FactColumn { unit: "", example: "accepted", names: Some(&KEPT), is_opt_in: false }),
        ..Fact::new(
            "verdict",
            Needs::Verdict,
            &[],
            Value::Name(&VERDICTS, |game| {
                Some(match game.played.as_ref()?.verdict {
                    Verdict::Accepted => 0,
                    Verdict::Repaired => 1,
                    Verdict::Rejected => 2,
                })
            }),
            "`accepted`; `repaired`: a text was not canonical and had one reading; `rejected`, which no table of games has",
        )
    },
    Fact::new(
        "outcome",
        Needs::Moves,
        &[Tag::Result],
        Value::Name(&OUTCOMES, |game| outcome(game).map(|outcome| outcome as usize)),
        "the result token that ends the movetext, in the standard's form; without one the tag pair `Result`; \
         `1-0`, `0-1`, `1/2-1/2`, and `*` also where neither is a result",
    )
    .column("", "1-0")
    .by(Groups {
        name: "result",
        file: "by_result.csv",
        doc: "`1-0`, `0-1`, `1/2-1/2`, `*`: the token that ends the game, or the tag where there is none; `*` also \
              where neither is a result",
        code: |game| outcome(game).map(|outcome| outcome as u32),
        names: GroupNames::Listed(&OUTCOMES),
    }),
    Fact::new(
        "title",
        Needs::Tags,
        &[Tag::WhiteTitle, Tag::BlackTitle],
        Value::Grouped,
        "how many of the players have a title",
    )
    .by(Groups {
        name: "title",
        file: "by_title.csv",
        doc: "`both`, `one` or `none` of the players has a title, by `WhiteTitle` and `BlackTitle`; `bot` if one \
              title is BOT. Players without a title have no tag, so that there is no `unknown`",
        code: |game| Some(title(game)),
        names: GroupNames::Listed(&TITLES),
    }),
    Fact::new(
        "ply_count",
        Needs::Moves,
        &[],
        Value::Int(|game| game.played.as_ref().map(|played| played.plies as i32)),
        "plies of the main line",
    )
    .column("plies", "3")
    .by(Groups {
        name: "length",
        file: "by_length.csv",
        doc: "plies of the main line in bands of 40: `0-40`, `41-80`, ...; `201+`",
        code: |game| game.played.as_ref().map(|it| (it.plies.max(1) - 1).min(LENGTH_MAX) / LENGTH_BAND),
        names: GroupNames::Written {
            name: |code| match code * LENGTH_BAND {
                0 => format!("0-{LENGTH_BAND}"),
                LENGTH_MAX => format!("{}+", LENGTH_MAX + 1),
                first => format!("{}-{}", first + 1, first + LENGTH_BAND),
            },
            codes: || (0..=LENGTH_MAX / LENGTH_BAND).collect(),
        },
    }),
    Fact::new(
        "variation_plies",
        Needs::Moves,
        &[],
        Value::Int(|game| game.played.as_ref().map(|played| played.variation_plies as i32)),
        "plies in variations",
    )
    .column("plies", "0"),
    Fact::new(
        "eco_computed",
        Needs::Opening,
        &[],
        Value::Text(|game| opening(game).map(|opening| opening.eco.as_bytes().into())),
        "the code of the opening that the moves reach, whatever `ECO` contains: that of the last position, among the \
         first 40 plies, that `data/openings/` contains",
    )
    .missing("there is none")
    .opt_in("", "B01")
    .by(Groups {
        name: "eco-computed",
        file: "by_eco_computed.csv",
        doc: "the code of the last position, among the first 40 plies of the main line, that `data/openings/` \
              contains; the tag pairs do not matter",
        code: |game| eco(opening(game)?.eco.as_bytes()),
        names: ECO_NAMES,
    }),
    Fact::new("eco_computed_letter", Needs::Opening, &[], Value::Grouped, "the letter of `eco_computed`").by(
        Groups {
            name: "eco-computed-letter",
            file: "by_eco_computed_letter.csv",
            doc: "`A` to `E`, the letter of that code",
            code: |game| eco(opening(game)?.eco.as_bytes()).map(|code| code / ECO_CODES),
            names: ECO_LETTER_NAMES,
        },
    ),
    Fact::new(
        "opening_computed",
        Needs::Opening,
        &[],
        Value::Text(|game| opening(game).map(|opening| opening.name.as_bytes().into())),
        "the name of that opening",
    )
    .missing("there is none")
    .opt_in("", "Scandinavian Defense")
    .by(Groups {
        name: "opening-name",
        file: "by_opening_name.csv",
        doc: "the name of that opening, from the same tables",
        code: |game| opening(game).map(|opening| opening.name_index),
        names: GroupNames::Written {
            name: |code| Openings::standard().names()[code as usize].to_string(),
            codes: || (0..Openings::NAMES_COUNT).collect(),
        },
    }),
    Fact::new(
        "rules",
        Needs::Moves,
        &[Tag::Variant],
        Value::Name(&RULES, |game| game.played.as_ref().map(|played| played.rules.index())),
        "the ruleset of the game, as `measure --by rules` groups: `chess`, `chess960`, and those of \
         `docs/reference/variants.md`, whatever the spelling of `Variant` is",
    )
    .opt_in("", "chess960")
    .by(Groups {
        name: "rules",
        file: "by_rules.csv",
        doc: "`chess`, `chess960`, and the rulesets of `docs/reference/variants.md`: the ruleset of the game. Games of other \
              rulesets than the first two are in this table alone; a game with a move that a notation cannot write \
              is not counted for that notation",
        code: |game| game.played.as_ref().map(|played| played.rules.index() as u32),
        names: GroupNames::Listed(&RULES),
    }),
    Fact::new(
        "archive",
        Needs::Tags,
        &[],
        Value::Text(|game| Some(Cow::Borrowed(game.archive.as_bytes()))),
        "the path of the archive, as it was given",
    )
    .by(Groups {
        name: "source",
        file: "by_source.csv",
        doc: "the archive; of more than 10,000 archives the first by the bytes of their names, the others together \
              are `(other archives)`",
        code: |_| None,
        names: GroupNames::Any,
    }),
];

/// Plies in a band of lengths, and the plies after which there is one band.
const LENGTH_BAND: u32 = 40;
const LENGTH_MAX: u32 = 200;

const ECO_LETTER_NAMES: GroupNames = GroupNames::Written {
    name: |code| letter(code).to_string(),
    codes: || (0..ECO_LETTERS).collect(),
};

const ECO_NAMES: GroupNames = GroupNames::Written {
    name: |code| format!("{}{:02}", letter(code / ECO_CODES), code % ECO_CODES),
    codes: || (0..ECO_LETTERS * ECO_CODES).collect(),
};

fn letter(code: u32) -> char {
    char::from(b'A' + code as u8)
}

/// Both ratings, as they are written.
fn ratings(game: &ReadGame<'_>) -> Option<[i32; 2]> {
    let rating = |tag| game.tags.rating(tag).map(i32::from);
    Some([rating(Tag::WhiteElo)?, rating(Tag::BlackElo)?])
}

/// The ratings of both players, if there are groups for both.
fn grouped_ratings(game: &ReadGame<'_>) -> Option<[i32; 2]> {
    ratings(game).filter(|both| both.iter().all(|rating| RATINGS.contains(rating)))
}

fn speed_of(game: &ReadGame<'_>) -> Option<u32> {
    any_control(game)?.speed()
}

fn control(game: &ReadGame<'_>) -> Option<(i32, i32)> {
    any_control(game)?.base_and_increment()
}

/// The time control, of any form.
fn any_control(game: &ReadGame<'_>) -> Option<TimeControl> {
    TimeControl::read(game.tags.bytes(Tag::TimeControl)?)
}

fn outcome(game: &ReadGame<'_>) -> Option<Outcome> {
    Some(game.played.as_ref()?.outcome)
}

fn opening(game: &ReadGame<'_>) -> Option<&'static Opening> {
    game.played.as_ref()?.opening
}

/// The value of `variant` for ordinary chess.
pub const STANDARD: &str = "standard";

/// The value of a `Variant` tag pair, which has many names for ordinary chess.
fn variant(value: Option<Cow<'_, [u8]>>) -> Cow<'_, [u8]> {
    match value {
        Some(value) if RulesKind::of_tag(&value) != Some(RulesKind::Chess) => value,
        _ => Cow::Borrowed(STANDARD.as_bytes()),
    }
}

/// A letter and two digits, and nothing after them but a subdivision: `B07`, `B07a`, `B07/02`.
fn eco(text: &[u8]) -> Option<u32> {
    match *text.trim_ascii() {
        [letter @ b'A'..=b'E', ten @ b'0'..=b'9', one @ b'0'..=b'9', ref rest @ ..]
            if matches!(rest.first(), None | Some(b'a'..=b'z' | b'/')) =>
        {
            let [letter, ten, one] = [letter - b'A', ten - b'0', one - b'0'].map(u32::from);
            Some(letter * ECO_CODES + ten * 10 + one)
        }
        _ => None,
    }
}

/// Is it a code as `ECO` has it?
pub fn is_eco(text: &str) -> bool {
    eco(text.as_bytes()).is_some()
}

/// The place among [`TITLES`].
fn title(game: &ReadGame<'_>) -> u32 {
    let titles = [Tag::WhiteTitle, Tag::BlackTitle]
        .map(|tag| game.tags.bytes(tag).unwrap_or_default().trim_ascii());
    if titles.contains(&b"BOT".as_slice()) {
        return 3;
    }
    titles.iter().filter(|title| matches!(**title, b"" | b"-" | b"?")).count() as u32
}
