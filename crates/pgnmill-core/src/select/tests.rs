//! Tests of the language: decisions on single games, errors with their columns, any text.

use crate::facts::ReadGame;
use crate::pgn::TagPairs;

use super::*;

/// Decides tag pairs alone.
fn decide(expression: &str, text: &str) -> Decision {
    let selection = Selection::parse(expression).unwrap_or_else(|error| panic!("{error}"));
    let text = text.as_bytes();
    let mut tags = selection.tags();
    TagPairs::new(text, 0..text.len()).for_each(|pair| selection.keep_tag(text, &pair, &mut tags));
    let (values, text_bytes) = (tags.index.values(text), text.len());
    let game = ReadGame { tags: values, archive: "a.pgn", text_bytes, played: None };
    let watch = selection.watch();
    let view = GameView { text, game, others: &tags.others, moves: None, watch: &watch };
    selection.decide(&view)
}

const GAME: &str = "[Event \"Rated Blitz game\"]\n[White \"Müller, \\\"X\\\"\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
    [WhiteElo \"2400\"]\n[BlackElo \"?\"]\n[WhiteRatingDiff \"-6\"]\n[Date \"2024.05.??\"]\n\
    [UTCDate \"2024.05.07\"]\n[UTCTime \"12:34:56\"]\n[TimeControl \"180+2\"]\n[ECO \"B90\"]\n[ECO \"C20\"]\n";

#[test]
fn tag_pairs_decide() {
    use Decision::{False, Missing, NotSelected, Open, Selected};
    for (expression, expected) in [
        ("true", Selected),
        ("false or not true", False),
        ("WhiteElo == 2400", Selected),
        ("WhiteElo < 2400", False),
        ("BlackElo > 2000", Missing),
        ("not BlackElo > 2000", Missing),
        ("BlackElo > 2000 or WhiteElo > 2000", Selected),
        ("BlackElo > 2000 and WhiteElo > 3000", False),
        ("BlackElo is missing", Selected),
        ("BlackElo is not missing", False),
        ("BlackElo is present", False),
        ("BlackElo is not present", Selected),
        ("Black is missing and Site is missing", Selected),
        ("rating_min is missing", Selected),
        ("WhiteRatingDiff < 0", Selected),
        ("WhiteElo - 400 + 1 == 2001", Selected),
        ("WhiteElo in 2000..2400", Selected),
        ("WhiteElo in [1, 2, 2400]", Selected),
        ("WhiteElo not in [1, -2]", Selected),
        ("BlackElo in [1]", Missing),
        ("ECO == 'C20'", Selected),
        ("ECO in [\"B90\", \"C20\"]", Selected),
        ("ECO in 'C00'..'C99'", Selected),
        ("ECO =~ '^C2'", Selected),
        ("ECO !~ '^C2'", False),
        ("Event =~ '(?i)blitz'", Selected),
        ("White == 'Müller, \"X\"'", Selected),
        ("White == \"Müller, \\\"X\\\"\"", Selected),
        (
            "contains(lower(Event), 'blitz') && starts_with(Event, 'Rated') and ends_with(Event, 'game')",
            Selected,
        ),
        ("Date == 2024-05", Selected),
        ("Date == 2024", Selected),
        ("Date == 2024-05-07", Missing),
        ("Date == 2024-06", False),
        ("Date < 2024-05", False),
        ("Date > 2024-04-30", Selected),
        ("Date in 2024-01..2024-06", Selected),
        ("Date in [2023, 2024-05]", Selected),
        ("2024-05-08 > UTCDate", Selected),
        ("UTCDate in 2024-05-01..2024-05-07", Selected),
        ("UTCDate == Date", Missing),
        ("UTCTime in 12:00:00..13:00", Selected),
        ("UTCTime == 12:34:56", Selected),
        ("UTCTime in [01:00, 12:34:56]", Selected),
        ("year == 2024 and month == 5", Selected),
        ("speed == 'blitz'", Selected),
        ("time_initial + time_increment == 182", Selected),
        ("variant == 'standard'", Selected),
        ("archive == 'a.pgn'", Selected),
        ("tag('ECO') == 'C20'", Selected),
        ("mate", Open),
        ("mate and WhiteElo < 2000", False),
        ("mate and BlackElo > 2000", NotSelected),
        ("mate or WhiteElo > 2000", Selected),
        ("mate == true", Open),
        ("(WhiteElo > 1) == (ECO > 'A')", Selected),
        ("mate is present", Open),
        ("ply_count > 20 and BlackElo is missing # a comment", Open),
        ("WhiteElo = 2400 AND NOT BlackElo <> 2000", Missing),
        ("WhiteElo = 2400 AND BlackElo IS NULL", Selected),
        ("ECO IN ('B90', 'C20') And WhiteElo Is Not Null", Selected),
        ("WhiteElo IN (2400)", Selected),
        ("WhiteElo in (2000)..(3000)", Selected),
        ("WhiteElo in (2000)+1..3000", Selected),
        ("WhiteElo BETWEEN 2000 AND 2400 and ECO like 'C2_'", Selected),
        ("WhiteElo NOT BETWEEN 2000 AND 2400", False),
        ("Event LIKE '%blitz%'", False),
        ("Event ILIKE '%blitz%'", Selected),
        ("Event NOT LIKE 'Casual%'", Selected),
        ("player like 'Müller%'", Selected),
        ("player == 'Tal'", Missing),
        ("player != 'Tal'", Missing),
        ("player is missing", False),
        ("player is present", Selected),
        ("player_rating > 2300", Selected),
        ("player_rating > 2500", Missing),
        ("player_rating in 2000..2400 and not player_rating > 2400", Selected),
        ("player_rating > 2300 and player_rating < 2350", Missing),
        ("player_rating > 2300 and player_won", Open),
        ("player_rating > 2300 and White is present and player_won", Open),
        ("player_won and WhiteElo > 1000", Open),
        ("player_rating > 2500 and opponent_rating is missing and player_won", False),
        ("not player_rating > 2500 and player != 'Tal'", Missing),
        ("player_rating > 2300 and player != 'Tal'", Selected),
        ("opponent_rating == 2400 and player is missing", Selected),
        ("player in ['Müller, \"X\"', 'Tal']", Selected),
        ("starts_with(lower(player), 'mü')", Selected),
        ("player_rating - 400 == 2000", Selected),
        ("Foo == 'x'", Missing),
        ("tag('Wite') is missing", Selected),
        ("comment =~ 'novelty'", Open),
        ("comment is missing and white_pawns <= 4", Open),
        ("moves('1.e4 c5 2. g1f3')", Open),
        ("moves(\"1. e4 c5\") and material('KRP*kr*')", Open),
    ] {
        assert_eq!(decide(expression, GAME), expected, "{expression}");
    }
}

#[test]
fn errors_have_a_column() {
    for (expression, column, message) in [
        ("", 1, "the expression ends where an expression is expected"),
        ("WhiteEllo > 1", 1, "did you mean WhiteElo"),
        ("Wite == 'Tal'", 1, "White"),
        ("Speed == 'blitz'", 1, "speed"),
        ("WHITE == 'Tal'", 1, "did you mean White?"),
        ("Elo > 2400", 1, "WhiteElo or BlackElo or player_rating"),
        ("elo > 2400", 1, "player_rating"),
        ("ply > 40", 1, "not on a position; did you mean ply_count"),
        ("time_control == '3'", 1, "TimeControl"),
        ("ECO == B90", 8, "a text is written in quotes: \"B90\""),
        ("White == Carlsen", 10, "\"Carlsen\""),
        ("speed == blitz", 10, "\"blitz\""),
        ("White == Blak", 10, "or did you mean Black"),
        ("ECO in [B90]", 9, "\"B90\""),
        ("ECO in B90..B99", 8, "\"B90\""),
        ("contains(Event, Blitz)", 17, "\"Blitz\""),
        ("White =~ Tal", 10, "\"Tal\""),
        ("White like Tal", 12, "\"Tal\""),
        ("Result == '1/2'", 11, "1-0, 0-1, 1/2-1/2, *"),
        ("Result in ['1-0', 'draw']", 19, "1/2-1/2"),
        ("ECO == 'B9*'", 8, "like \"B9%\""),
        ("ECO != 'b90'", 8, "a letter from A to E"),
        ("eco_computed == 'B9'", 17, "two digits"),
        ("White like 'Carlsen*'", 12, "like \"Carlsen%\""),
        ("player", 1, "player is for conditions"),
        ("comment == 'x'", 1, "comment is for conditions"),
        ("player == 'A' and player == 'B'", 19, "the other one: opponent == \"B\""),
        ("player == 'A' and mate and player != 'B'", 28, "opponent != \"B\""),
        ("Date == 1984.05.12", 9, "a date is written 1984-05-12"),
        ("Date == 1984.05", 1, "a date is written 2024-05-01 or 2024-05"),
        ("mate and Event contains 'x'", 16, "contains(Event,"),
        ("Event startswith 'x'", 7, "starts_with(Event,"),
        ("Event matches 'x'", 7, "matches is written =~"),
        ("Event ~ 'x'", 7, "write =~"),
        ("WhiteElo => 2500", 10, "write >="),
        ("WhiteElo =< 2500", 10, "write <="),
        ("WhiteElo === 2500", 10, "write =="),
        ("Date in 1990-2000", 9, "a range is written 1990..2000"),
        ("won > 3", 1, "did you mean player_won or outcome"),
        ("Result == 0-1", 11, "a result is written in quotes: \"0-1\""),
        ("outcome == 1-0", 12, "a result is written in quotes: \"1-0\""),
        ("WhiteElo == 1-3", 13, "a range is written after in: in 1..3"),
        ("Black =~ 'Tal' and player_won", 20, "not of Black: write outcome == \"0-1\""),
        ("White =~ 'Tal' and player_won", 20, "not of White: write outcome == \"1-0\""),
        ("player_lost and year > 1 and lower(White) == 'tal'", 1, "write outcome == \"0-1\""),
        ("lower(comment) == 'x'", 1, "comment is searched so"),
        ("moves('1. e4 Nf3')", 7, "Nf3 is no move after 1 ply"),
        ("moves('')", 7, "no move"),
        ("White not Tal", 11, "in, like or between"),
        ("whiteelo > 1", 1, "did you mean WhiteElo"),
        ("plycount > 1", 1, "did you mean PlyCount or ply_count"),
        ("WhiteElo > '2000'", 1, "without quotes"),
        ("WhiteElo & 2000", 10, "write and"),
        ("true and WhiteElo", 10, "a condition is true or false"),
        ("(true", 6, "where ) is expected"),
        ("true)", 5, "was not opened"),
        ("1 < 2 < 3", 7, "do not follow"),
        ("Event =~ '('", 10, "regular expression"),
        ("Event =~ 'x{1000}{1000}{1000}'", 10, "regular expression"),
        ("position('8/8')", 10, "FEN record"),
        ("material('KRPx')", 10, "'x' is no piece"),
        ("Date == 2024-13", 9, "no such date"),
        ("Date == '2024'", 1, "without quotes"),
        ("Date == 2024-05-01 + 1", 9, "a date"),
        ("WhiteElo-2000-10 > 1", 10, "a date"),
        ("UTCTime > 25:00", 11, "no such time"),
        ("speed == 'blits'", 10, "ultrabullet"),
        ("verdict in ['accepted', 'good']", 25, "rejected"),
        ("lower(Event, 1) == 'a'", 1, "lower(text)"),
        ("mate()", 1, "without parentheses"),
        ("position", 1, "is a function"),
        ("ECO == \"abc", 8, "no quote at its end"),
        ("ECO in []", 9, "the list has no value"),
        ("WhiteElo is 3", 13, "is compared with =="),
        ("WhiteElo is not 3", 17, "is compared with !="),
        ("WhiteElo is", 12, "missing or present"),
        ("WhiteElo == null", 13, "write is missing"),
        ("WhiteElo != missing", 13, "write is present"),
        ("WhiteElo >= 2600-2700", 13, "in 2600..2700"),
        ("year = 1927-1930", 8, "in 1927..1930"),
        ("year == 1900..1910", 13, "written after in"),
        ("Date in 1927", 13, "one value is compared with =="),
        ("year == 1927-30", 9, "in 1927..1930"),
        ("Date = 12.05.1927", 13, "a date 2024-05-01"),
        ("Date >= 05/12/1927", 11, "a date is written 2024-05-01"),
        ("White = “Tal”", 9, "“ is no quote"),
        ("White equals 'x'", 7, "equals is written =="),
        ("Event == '?'", 10, "write is missing"),
        ("Event != ''", 10, "write is present"),
        ("tag('Foo') == '??'", 15, "write is missing"),
        ("ECO == ''", 8, "write is missing"),
        ("variant == 'Standard'", 12, "ordinary chess is \"standard\""),
        ("checkmate", 1, "did you mean mate"),
        ("white_won", 1, "outcome == \"1-0\""),
        ("white == 'Tal'", 1, "did you mean White?"),
        ("game > 3", 1, "parallel"),
        ("White; Black", 6, "has no meaning"),
        ("2024-05 == 2024-05", 1, "one side is a field"),
        ("2000 > 1 and 12:34:5 == Time", 14, "does not go on"),
        ("12345678901234567890 > 1", 1, "digits"),
        ("SELECT * FROM games WHERE White = 'X'", 1, "the condition alone"),
        ("  where White = 'X'", 3, "the condition alone"),
        ("select not White = 'X'", 1, "the condition alone"),
        ("where > 3", 1, "there is no name where"),
        ("select in ['a']", 1, "there is no name select"),
        ("true and\n  nam == 1", 3, "there is no name nam"),
    ] {
        let error = Selection::parse(expression).expect_err(expression);
        let text = error.to_string();
        assert!(text.contains(message), "{expression}: {text}");
        assert_eq!(error.column(), column, "{expression}: {text}");
    }
}

/// Deep and long expressions are errors or work; none overflows the stack.
#[test]
fn long_expressions_are_bounded() {
    for unit in ["(", "not ", "!", "-", "lower(", "[", "a in [", "1+", "\"", "1..", "2024-"] {
        let text = unit.repeat((1 << 20) / unit.len());
        assert!(Selection::parse(&text).is_err(), "{unit}");
    }
    assert!(Selection::parse(&"a".repeat(1 << 21)).is_err());
    let chain = vec!["WhiteElo > 1"; 20_000].join(" or ");
    assert!(Selection::parse(&chain).is_ok());
    let sum = format!("{} > 0", vec!["WhiteElo"; 50_000].join(" - "));
    assert!(Selection::parse(&sum).is_ok());
    let list = format!("ECO in [{}]", vec!["'A00'"; 100_000].join(","));
    assert!(Selection::parse(&list).is_ok());
    let nested = |depth: usize| format!("{}true{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Selection::parse(&nested(DEPTH_MAX)).is_ok());
    assert!(Selection::parse(&nested(DEPTH_MAX + 1)).is_err());
}

/// Random sequences of words and characters: an error or an expression, never a panic, and decided on any tag pairs.
#[test]
fn any_text_has_a_result() {
    let words = [
        "WhiteElo",
        "Date",
        "UTCTime",
        "White",
        "speed",
        "year",
        "mate",
        "(",
        ")",
        "[",
        "]",
        ",",
        "..",
        "and",
        "or",
        "not",
        "in",
        "is",
        "missing",
        "present",
        "==",
        "!=",
        "<",
        ">=",
        "=~",
        "!~",
        "+",
        "-",
        "2000",
        "2024-05",
        "2024-05-01",
        "12:34",
        "'a'",
        "\"b",
        "tag",
        "lower",
        "position",
        "contains",
        "true",
        "é",
        "\u{0}",
        "#",
        "\n",
        "\\",
        ".",
        "1.5",
        "'^A'",
        "'KPk'",
        "material",
    ];
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut valid = 0;
    for _ in 0..60_000 {
        let count = random(9) + 1;
        let glue = ["", " "][random(2)];
        let text = (0..count).map(|_| words[random(words.len())]).collect::<Vec<_>>().join(glue);
        match Selection::parse(&text) {
            Ok(selection) => {
                valid += 1;
                let _ = decide(selection.source(), GAME);
                if !text.contains('#') {
                    let negated = Selection::parse(&format!("not ({text})"));
                    assert!(negated.is_ok(), "{text}");
                }
            }
            Err(error) => {
                let _ = error.to_string();
            }
        }
    }
    assert!(valid > 100, "{valid}");
}
