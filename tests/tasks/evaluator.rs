//! `--where` against a second evaluation, term by term: lists in any order, dates that are not complete, openings,
//! positions, results, times; material that cannot mate against shakmaty.
//!
//! In: random games, many in one block, whose tag pairs and moves contradict each other, with null moves and en
//! passant rights; random expressions. The second evaluation is naive: it compares FEN records and days as texts.

use std::io::Cursor;

use shakmaty::Position as _;

use crate::common::{Dice, Scratch, run_in, trials};
use pgnmill::openings::Openings;
use pgnmill::{Deviation, Outcome, OwnedGame, Position, Profile, Reader, Selection, Verdict};
use pgnmill_core::chess::MoveKind;
use pgnmill_core::notation::{NOTATIONS, write};

const NAMES: [&str; 6] = ["Zoe", "Ann", "mia", "Bob", "\u{e9}va", "Ann B"];
const DATES: [&str; 9] = [
    "2024.05.17",
    "2024.05.??",
    "2024.??.??",
    "????.??.??",
    "",
    "2023.12.31",
    "1999.01.??",
    "2024.13.01",
    "?",
];
const TIMES: [&str; 6] = ["12:30:00", "00:00:00", "23:59:59", "24:30:00", "?", ""];
const COMMENTS: [&str; 4] = ["{novelty} ", "{a Novelty} ", "; line\n", "(1. a3 {novel}) "];
/// Beginnings after which pawns can be captured en passant, or cannot, in the same position otherwise.
const BEGINNINGS: [&str; 7] = [
    "e4 a6 e5 d5",
    "e4 d5 e5 a6",
    "e4 d6 e5 a6 a3 d5",
    "e4 c5 Nf3 d6 d4",
    "d4 Nf6 c4 g6",
    "e4 e5 Nf3",
    "",
];

/// A random game, in SAN.
fn game(dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            text += &format!("[{name} \"{value}\"]\n");
        }
    };
    tag("White", Some(dice.one(&NAMES)));
    let black = dice.one(&NAMES);
    tag("Black", (dice.below(3) > 0).then_some(black));
    for name in ["Date", "UTCDate"] {
        let date = dice.one(&DATES);
        tag(name, (dice.below(4) > 0).then_some(date));
    }
    let (time, result) = (dice.one(&TIMES), dice.one(&["1-0", "0-1", "1/2-1/2", "*"]));
    tag("UTCTime", (dice.below(4) > 0).then_some(time));
    tag("Result", (dice.below(4) > 0).then_some(result));
    let elo = dice.one(&["2000", "1500", "?"]);
    tag("WhiteElo", Some(elo));
    let elo = dice.one(&["2000", "1500", "2600"]);
    tag("BlackElo", (dice.below(4) > 0).then_some(elo));
    let title = dice.one(&["GM", "IM", "-"]);
    tag(dice.one(&["WhiteTitle", "BlackTitle"]), (dice.below(2) > 0).then_some(title));
    text += "\n";
    let mut position = Position::initial();
    let mut beginning = dice.one(&BEGINNINGS).split_whitespace();
    for _ in 0..dice.below(14) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let passes = !position.in_check() && dice.below(12) == 0;
        if passes && beginning.clone().next().is_none() {
            text += "-- ";
            position = position.play_null();
            // A second one leaves the side to move, and the line of the game is left all the same.
            if !position.in_check() && dice.below(2) == 0 {
                text += "-- ";
                position = position.play_null();
            }
            continue;
        }
        let next = beginning.next();
        let san = |mv| write(NOTATIONS[0], &position, mv).to_string();
        let mv = legal.iter().copied().find(|&mv| Some(san(mv).as_str()) == next);
        let mv = mv.unwrap_or_else(|| legal[dice.below(legal.len())]);
        text += &format!("{} ", san(mv));
        position = position.play(mv);
        if dice.below(10) == 0 {
            text += dice.one(&COMMENTS);
        }
    }
    // Some are rejected, some have no result.
    if dice.below(12) == 0 {
        text += "Ke5 ";
    }
    text + dice.one(&["1-0", "0-1", "1/2-1/2", "*", "1:0", ""]) + "\n\n"
}

/// The value of a term of a game; `None` is missing.
type Value = Box<dyn Fn(&Known) -> Option<bool>>;

/// A term, and its value.
struct Term {
    text: String,
    value: Value,
}

/// The facts of a game for the second evaluation.
struct Known {
    tags: Vec<(String, String)>,
    is_read: bool,
    outcome: &'static str,
    eco: Option<&'static str>,
    opening: Option<&'static str>,
    /// The positions of the main line, those after null moves too, as [`place`] shows them.
    places: Vec<String>,
    /// The moves in SAN, up to the first null move.
    line: Vec<String>,
    text: String,
}

/// A record without its counters, in which the en passant square is that of a legal capture.
fn place(position: &Position) -> String {
    let record = position.to_fen();
    let fields: Vec<&str> = record.split(' ').collect();
    let legal = position.legal_moves();
    let passing = legal.iter().find(|mv| mv.kind() == MoveKind::EnPassant);
    let square = passing.map_or("-".to_string(), |mv| mv.target().to_string());
    format!("{} {} {} {square}", fields[0], fields[1], fields[2])
}

impl Known {
    fn of(owned: &OwnedGame) -> Known {
        let game = owned.game();
        let tags = game.tags().map(|tag| (tag.name.to_string(), tag.value.to_string()));
        let tags: Vec<(String, String)> = tags.collect();
        let mut positions: Vec<Position> = game.start().into_iter().collect();
        let (mut found, mut plies) = (None, 0);
        let (mut line, mut is_line) = (Vec::new(), true);
        for (before, ply) in game.main_line() {
            match ply {
                None => {
                    positions.push(before.play_null());
                    is_line = false;
                }
                Some(ply) => {
                    let legal = before.legal_moves();
                    let played = legal.iter().find(|&&mv| before.play(mv) == ply.after);
                    let san = played.map(|&mv| write(NOTATIONS[0], &before, mv).to_string());
                    line.extend(san.filter(|_| is_line));
                    positions.push(ply.after);
                    plies += 1;
                    let named = Openings::standard().find(&ply.after).filter(|_| plies <= 40);
                    found = named.or(found);
                }
            }
        }
        let of_tag =
            || tags.iter().rev().find(|(name, _)| name == "Result").map(|(_, value)| value);
        let outcome = game.result().or_else(|| Outcome::from_any(of_tag()?.as_bytes()));
        Known {
            is_read: game.verdict() != Verdict::Rejected,
            outcome: outcome.unwrap_or(Outcome::Unknown).canonical(),
            eco: found.map(|opening| opening.eco),
            opening: found.map(|opening| opening.name),
            places: positions.iter().map(place).collect(),
            line,
            text: String::from_utf8_lossy(game.text()).into_owned(),
            tags,
        }
    }

    /// A tag pair that is not empty and not of question marks.
    fn tag(&self, name: &str) -> Option<&str> {
        let value = self.tags.iter().rev().find(|(known, _)| known == name)?.1.as_str();
        (!value.chars().all(|c| c == '?')).then_some(value)
    }

    /// The first and the last day that a date can be, as texts.
    fn days(&self, name: &str) -> Option<(String, String)> {
        let value = self.tag(name)?;
        let [year, month, day] = value.split('.').collect::<Vec<_>>()[..] else { return None };
        let fill = |field: &str, low: &str, high: &str| match field {
            "??" => (low.to_string(), high.to_string()),
            field => (field.to_string(), field.to_string()),
        };
        if year.contains('?') {
            return None;
        }
        // A month that the calendar does not have is unknown, and so is its day.
        let is_month = month.parse::<u32>().is_ok_and(|month| (1..=12).contains(&month));
        let (month, day) = if is_month { (month, day) } else { ("??", "??") };
        let (first_month, last_month) = fill(month, "01", "12");
        let (first_day, last_day) = fill(day, "01", "31");
        Some((
            format!("{year}-{first_month}-{first_day}"),
            format!("{year}-{last_month}-{last_day}"),
        ))
    }

    /// Year and month of the first date whose year is known.
    fn year_and_month(&self) -> Option<(u32, Option<u32>)> {
        ["Date", "UTCDate"].into_iter().find_map(|name| {
            let mut fields = self.tag(name)?.split('.');
            let year = fields.next()?.parse::<u32>().ok()?;
            let month = fields.next().and_then(|month| month.parse::<u32>().ok());
            Some((year, month.filter(|month| (1..=12).contains(month))))
        })
    }
}

fn compare<T: PartialOrd>(operator: &str, one: &T, other: &T) -> bool {
    match operator {
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        ">=" => one >= other,
        "==" => one == other,
        _ => one != other,
    }
}

/// Certain if it is so of the first and the last day of both ends.
fn date_is(
    operator: &str,
    (first, last): &(String, String),
    low: &str,
    high: &str,
) -> Option<bool> {
    let (first, last) = (first.as_str(), last.as_str());
    let (always, never) = match operator {
        "==" => (low <= first && last <= high, last < low || high < first),
        "!=" => (last < low || high < first, low <= first && last <= high),
        "<" => (last < low, first >= low),
        ">=" => (first >= low, last < low),
        ">" => (first > high, last <= high),
        _ => (last <= high, first > high),
    };
    (always || never).then_some(always)
}

/// A list in random order.
fn list(dice: &mut Dice, of: &[&'static str]) -> Vec<&'static str> {
    (0..1 + dice.below(4)).map(|_| dice.one(of)).collect()
}

fn shown(list: &[&str]) -> String {
    let texts: Vec<String> = list.iter().map(|text| format!("\"{text}\"")).collect();
    format!("[{}]", texts.join(", "))
}

/// Of SQL: true if one is, else missing if one is.
fn either(both: [Option<bool>; 2]) -> Option<bool> {
    if both.contains(&Some(true)) { Some(true) } else { both[0].and(both[1]) }
}

/// The number of a piece in a record.
fn pieces(place: &str, piece: char) -> usize {
    place.split(' ').next().unwrap().matches(piece).count()
}

/// Terms of both players, of lines, of comments, of the pieces.
fn other_term(dice: &mut Dice, places: &[String], lines: &[Vec<String>]) -> Term {
    fn new(text: String, value: impl Fn(&Known) -> Option<bool> + 'static) -> Term {
        Term { text, value: Box::new(value) }
    }
    match dice.below(7) {
        0 => {
            let names = list(dice, &NAMES);
            new(format!("player in {}", shown(&names)), move |game| {
                either(["White", "Black"].map(|side| Some(names.contains(&game.tag(side)?))))
            })
        }
        1 => {
            let name = dice.one(&NAMES);
            new(format!("player != \"{name}\""), move |game| {
                either(["White", "Black"].map(|side| Some(game.tag(side)? == name))).map(|is| !is)
            })
        }
        2 => {
            let (like, part) =
                dice.one(&[("Ann%", "Ann"), ("%o%", "o"), ("Zoe", "Zoe"), ("_nn%", "nn")]);
            new(format!("White LIKE '{like}'"), move |game| {
                let name = game.tag("White")?;
                Some(match like {
                    "Ann%" => name.starts_with(part),
                    "%o%" => name.contains(part),
                    "_nn%" => name.chars().skip(1).collect::<String>().starts_with(part),
                    _ => name == part,
                })
            })
        }
        3 => {
            let line = &lines[dice.below(lines.len())];
            let line: Vec<String> = line[..1 + dice.below(line.len())].to_vec();
            let numbered: String = line
                .chunks(2)
                .enumerate()
                .map(|(index, pair)| format!("{}. {} ", index + 1, pair.join(" ")))
                .collect();
            new(format!("moves(\"{numbered}\")"), move |game| {
                game.is_read.then(|| game.line.starts_with(&line))
            })
        }
        4 => {
            let (condition, found): (&str, fn(&str) -> bool) = dice.one(&[
                ("comment =~ \"ovelty$\"", |text| text.contains("ovelty}")),
                ("comment like \"novel%\"", |text| text.contains("{novel")),
                ("contains(comment, \"Nov\")", |text| text.contains("Nov")),
                ("comment is present", |text| text.contains(['{', ';'])),
                ("starts_with(comment, \"line\")", |text| text.contains("; line")),
            ]);
            new(condition.to_string(), move |game| game.is_read.then(|| found(&game.text)))
        }
        5 => {
            let (name, piece) = dice.one(&[
                ("white_pawns", 'P'),
                ("black_pawns", 'p'),
                ("white_knights", 'N'),
                ("black_queens", 'q'),
                ("black_rooks", 'r'),
                ("white_bishops", 'B'),
            ]);
            let number = dice.below(9);
            new(format!("{name} <= {number}"), move |game| {
                game.is_read.then(|| pieces(game.places.last().unwrap(), piece) <= number)
            })
        }
        _ => {
            // The pieces of a position, of which any number of one kind.
            let place = &places[dice.below(places.len())];
            let open = dice.one(&['P', 'p', 'N', 'b', 'q']);
            let letters = "KQRBNPkqrbnp";
            let signature: String = letters
                .chars()
                .map(|piece| match piece == open {
                    true => format!("{piece}*"),
                    false => piece.to_string().repeat(pieces(place, piece)),
                })
                .collect();
            let counts: Vec<(char, usize)> = letters
                .chars()
                .filter(|piece| *piece != open)
                .map(|piece| (piece, pieces(place, piece)))
                .collect();
            new(format!("material(\"{signature}\")"), move |game| {
                let is = |place: &String| counts.iter().all(|(it, n)| pieces(place, *it) == *n);
                game.is_read.then(|| game.places.iter().any(is))
            })
        }
    }
}

fn term(dice: &mut Dice, places: &[String], lines: &[Vec<String>]) -> Term {
    fn new(text: String, value: impl Fn(&Known) -> Option<bool> + 'static) -> Term {
        Term { text, value: Box::new(value) }
    }
    let operator = dice.one(&["<", "<=", ">", ">=", "==", "!="]);
    if dice.below(3) == 0 {
        return other_term(dice, places, lines);
    }
    match dice.below(10) {
        0 => {
            let names = list(dice, &NAMES);
            new(format!("White in {}", shown(&names)), move |game| {
                game.tag("White").map(|name| names.contains(&name))
            })
        }
        1 => {
            let ecos = list(dice, &["B27", "A40", "E60", "C40", "B00", "A00", "C02", "B50"]);
            new(format!("eco_computed in {}", shown(&ecos)), move |game| {
                let eco = game.eco.filter(|_| game.is_read)?;
                Some(ecos.contains(&eco))
            })
        }
        2 => new("opening_computed is missing".to_string(), |game| {
            Some(game.opening.filter(|_| game.is_read).is_none())
        }),
        3 => {
            let number = dice.below(13) as u32;
            new(format!("month {operator} {number}"), move |game| {
                Some(compare(operator, &game.year_and_month()?.1?, &number))
            })
        }
        4 => {
            let year = [1999, 2023, 2024][dice.below(3)];
            new(format!("year {operator} {year}"), move |game| {
                Some(compare(operator, &game.year_and_month()?.0, &year))
            })
        }
        5 => {
            let (text, low, high) = dice.one(&[
                ("2024", "2024-01-01", "2024-12-31"),
                ("2024-05", "2024-05-01", "2024-05-31"),
                ("2024-05-17", "2024-05-17", "2024-05-17"),
                ("1999", "1999-01-01", "1999-12-31"),
            ]);
            new(format!("Date {operator} {text}"), move |game| {
                date_is(operator, &game.days("Date")?, low, high)
            })
        }
        6 => {
            let time = dice.one(&["12:30:00", "00:00:00", "23:59:59", "12:00:00"]);
            new(format!("UTCTime {operator} {time}"), move |game| {
                let own = game.tag("UTCTime").filter(|own| *own < "24")?;
                Some(compare(operator, &own, &time))
            })
        }
        7 => {
            let outcomes = list(dice, &["1-0", "0-1", "1/2-1/2", "*"]);
            new(format!("outcome in {}", shown(&outcomes)), move |game| {
                game.is_read.then(|| outcomes.contains(&game.outcome))
            })
        }
        8 => {
            let (least, number) = (dice.below(13) as u32, dice.below(13) as u32);
            let is_max = dice.below(2) == 0;
            let name = if is_max { "max" } else { "min" };
            new(format!("{name}(month, {least}) {operator} {number}"), move |game| {
                let month = game.year_and_month()?.1?;
                let value = if is_max == (month > least) { month } else { least };
                Some(compare(operator, &value, &number))
            })
        }
        _ => {
            let mut target = places[dice.below(places.len())].clone();
            // The same without the right, which is another position.
            if dice.below(2) == 0 {
                let square = target.rfind(' ').expect("four fields");
                target.replace_range(square.., " -");
            }
            // As many fields as the record has.
            let fields = if dice.below(2) == 0 { 4 } else { 1 + dice.below(4) };
            let first = move |place: &str| -> Vec<String> {
                place.split(' ').take(fields).map(str::to_string).collect()
            };
            let target = first(&target);
            new(format!("position(\"{}\")", target.join(" ")), move |game| {
                game.is_read.then(|| game.places.iter().any(|place| first(place) == target))
            })
        }
    }
}

/// A random expression of terms.
fn expression(dice: &mut Dice, places: &[String], lines: &[Vec<String>], depth: usize) -> Term {
    if depth == 0 || dice.below(3) == 0 {
        return term(dice, places, lines);
    }
    let one = expression(dice, places, lines, depth - 1);
    let other = expression(dice, places, lines, depth - 1);
    let (text, of) = (one.text, one.value);
    match dice.below(3) {
        0 => Term {
            text: format!("not ({text})"),
            value: Box::new(move |game| of(game).map(|is| !is)),
        },
        kind => {
            // Conditions on a player that `and` joins are of one player: `conditions_on_a_player_are_of_one_player`.
            let is_joined = text.contains("player") && other.text.contains("player");
            let word = if is_joined { "or" } else { ["and", "or"][kind - 1] };
            // What decides alone.
            let strong = word == "or";
            let value = move |game: &Known| match (of(game), (other.value)(game)) {
                (one, other) if one == Some(strong) || other == Some(strong) => Some(strong),
                (Some(_), Some(_)) => Some(!strong),
                _ => None,
            };
            Term { text: format!("({text}) {word} ({})", other.text), value: Box::new(value) }
        }
    }
}

fn reader(text: &str) -> Reader {
    let mut profile = Profile::lenient();
    assert!(profile.allow(Deviation::NullMoveMainLine));
    let reader = Reader::from_reader("text", Cursor::new(text.to_string())).unwrap();
    reader.profile(profile).threads(1)
}

/// The games that are selected are those for which the second evaluation is true; `not` those for which it is false.
#[test]
fn games_are_selected_as_a_naive_evaluation_selects_them() {
    let mut dice = Dice::new(0x71);
    let texts: Vec<String> = (0..trials(200, 300, 1_000)).map(|_| game(&mut dice)).collect();
    let text = texts.concat();
    let games: Vec<Known> =
        reader(&text).read_ahead().unwrap().map(|game| Known::of(&game.unwrap())).collect();
    let places: Vec<String> =
        games.iter().flat_map(|game| game.places.iter().skip(1).cloned()).collect();
    let lines: Vec<Vec<String>> =
        games.iter().map(|game| game.line.clone()).filter(|line| !line.is_empty()).collect();
    // Those with a right more often.
    let passing = places.iter().filter(|place| !place.ends_with(" -")).cloned();
    let places: Vec<String> = passing.cycle().take(places.len()).chain(places.clone()).collect();
    let mut selected = 0;
    for _ in 0..trials(150, 400, 8_000) {
        let Term { text: source, value } = expression(&mut dice, &places, &lines, 2);
        for (source, wanted) in [(format!("not ({source})"), Some(false)), (source, Some(true))] {
            let selection =
                Selection::parse(&source).unwrap_or_else(|error| panic!("{source}: {error}"));
            let found = reader(&text).selection(selection).read_ahead().unwrap();
            let found: Vec<u64> = found.map(|game| game.unwrap().game().number()).collect();
            let numbers = (1..).zip(&games).filter(|(_, game)| value(game) == wanted);
            let expected: Vec<u64> = numbers.map(|(number, _)| number).collect();
            let odd = found
                .iter()
                .chain(&expected)
                .find(|it| !(found.contains(it) && expected.contains(it)));
            let shown = odd.map_or("", |&odd| texts[odd as usize - 1].as_str());
            assert_eq!(found, expected, "{source}\n{shown}");
            selected += found.len();
        }
    }
    assert!(selected > 1_000, "{selected}");
}

/// An expression on players: a term, of the player with one colour or the other one; its combinations.
enum OfPlayer {
    /// A text, its value for White (0) and Black (1); whether it is written as a negation.
    Term(String, fn(&Known, usize) -> Option<bool>, bool),
    /// On no player.
    Other(&'static str, fn(&Known) -> Option<bool>),
    Not(Box<OfPlayer>),
    All(Vec<OfPlayer>),
    Any(Vec<OfPlayer>),
}

/// The value of a tag pair of a side.
fn of_side<'g>(game: &'g Known, names: [&str; 2], side: usize) -> Option<&'g str> {
    game.tag(names[side]).filter(|value| !value.is_empty())
}

fn elo(game: &Known, side: usize) -> Option<u32> {
    of_side(game, ["WhiteElo", "BlackElo"], side)?.parse().ok()
}

fn title(game: &Known, side: usize) -> Option<&str> {
    of_side(game, ["WhiteTitle", "BlackTitle"], side)
}

fn name(game: &Known, side: usize) -> Option<&str> {
    of_side(game, ["White", "Black"], side)
}

fn won(game: &Known, side: usize) -> Option<bool> {
    let decided = game.is_read && game.outcome != "*";
    decided.then(|| game.outcome == ["1-0", "0-1"][side])
}

impl OfPlayer {
    fn random(dice: &mut Dice, depth: usize) -> OfPlayer {
        if depth == 0 || dice.below(4) == 0 {
            return OfPlayer::term(dice);
        }
        let parts = |dice: &mut Dice| {
            (0..2 + dice.below(2)).map(|_| OfPlayer::random(dice, depth - 1)).collect()
        };
        match dice.below(6) {
            0 => OfPlayer::Not(Box::new(OfPlayer::random(dice, depth - 1))),
            1 | 2 => OfPlayer::Any(parts(dice)),
            _ => OfPlayer::All(parts(dice)),
        }
    }

    fn term(dice: &mut Dice) -> OfPlayer {
        fn term(text: &str, value: fn(&Known, usize) -> Option<bool>, is: bool) -> OfPlayer {
            OfPlayer::Term(text.to_string(), value, is)
        }
        match dice.below(16) {
            0 => term("player like \"Ann%\"", |g, s| Some(name(g, s)?.starts_with("Ann")), false),
            1 => term("player_rating > 1800", |g, s| Some(elo(g, s)? > 1800), false),
            2 => term("player_rating < 2500", |g, s| Some(elo(g, s)? < 2500), false),
            3 | 4 => term("player_won", won, false),
            5 => term("player_lost", |g, s| won(g, 1 - s), false),
            6 => term("opponent =~ \"o\"", |g, s| Some(name(g, 1 - s)?.contains('o')), false),
            7 => term("opponent_rating == 2000", |g, s| Some(elo(g, 1 - s)? == 2000), false),
            8 => term(
                "player_rating - opponent_rating >= 100",
                |g, s| elo(g, s).zip(elo(g, 1 - s)).map(|(own, other)| own >= other + 100),
                false,
            ),
            9 => term("player_title == \"GM\"", |g, s| Some(title(g, s)? == "GM"), false),
            10 => term("opponent_title is present", |g, s| Some(title(g, 1 - s).is_some()), false),
            11 => term("player != \"Zoe\"", |g, s| Some(name(g, s)? != "Zoe"), true),
            12 => term("player not in [\"Bob\"]", |g, s| Some(name(g, s)? != "Bob"), true),
            13 => term("player_rating is missing", |g, s| Some(elo(g, s).is_none()), true),
            14 => OfPlayer::Other("year >= 2000", |g| Some(g.year_and_month()?.0 >= 2000)),
            _ => OfPlayer::Other("outcome == \"1-0\"", |g| g.is_read.then(|| g.outcome == "1-0")),
        }
    }

    fn text(&self) -> String {
        let joined = |parts: &[OfPlayer], word: &str| {
            let parts: Vec<String> =
                parts.iter().map(|part| format!("({})", part.text())).collect();
            parts.join(word)
        };
        match self {
            OfPlayer::Term(text, ..) => text.clone(),
            OfPlayer::Other(text, _) => text.to_string(),
            OfPlayer::Not(negated) => format!("not ({})", negated.text()),
            OfPlayer::All(parts) => joined(parts, " and "),
            OfPlayer::Any(parts) => joined(parts, " or "),
        }
    }

    fn is_on_player(&self) -> bool {
        match self {
            OfPlayer::Term(..) => true,
            OfPlayer::Other(..) => false,
            OfPlayer::Not(negated) => negated.is_on_player(),
            OfPlayer::All(parts) | OfPlayer::Any(parts) => parts.iter().any(OfPlayer::is_on_player),
        }
    }

    fn is_negated(&self) -> bool {
        match self {
            OfPlayer::Term(_, _, is_negated) => *is_negated,
            OfPlayer::Other(..) => true,
            OfPlayer::Not(negated) => !negated.is_on_player() || !negated.is_negated(),
            OfPlayer::All(parts) | OfPlayer::Any(parts) => parts.iter().all(OfPlayer::is_negated),
        }
    }

    /// Of the player of this side.
    fn of(&self, game: &Known, side: usize) -> Option<bool> {
        match self {
            OfPlayer::Term(_, value, _) => value(game, side),
            OfPlayer::Other(_, value) => value(game),
            OfPlayer::Not(negated) => negated.of(game, side).map(|is| !is),
            OfPlayer::All(parts) => all(parts.iter().map(|part| part.of(game, side))),
            OfPlayer::Any(parts) => any(parts.iter().map(|part| part.of(game, side))),
        }
    }

    /// Of any player.
    fn value(&self, game: &Known) -> Option<bool> {
        let sides = || [0, 1].map(|side| self.of(game, side)).into_iter();
        match self {
            // So of neither: that is, so of both.
            OfPlayer::Term(_, _, true) => all(sides()),
            OfPlayer::Term(..) => any(sides()),
            OfPlayer::Other(_, value) => value(game),
            OfPlayer::Not(negated) => negated.value(game).map(|is| !is),
            OfPlayer::Any(parts) => any(parts.iter().map(|part| part.value(game))),
            OfPlayer::All(parts) => {
                let own = || parts.iter().filter(|part| part.is_on_player());
                match own().count() > 1 && own().any(|part| !part.is_negated()) {
                    true => any(sides()),
                    false => all(parts.iter().map(|part| part.value(game))),
                }
            }
        }
    }
}

/// Of SQL.
fn any(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut any = Some(false);
    for value in values {
        any = match (any, value) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (None, _) | (_, None) => None,
            _ => Some(false),
        };
    }
    any
}

fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    any(values.map(|value| value.map(|is| !is))).map(|is| !is)
}

/// Conditions on a player that `and` joins are of one player, those that are negated of neither, unless they are
/// beside others; `not` selects what is false.
#[test]
fn conditions_on_a_player_are_of_one_player() {
    let mut dice = Dice::new(0x73);
    let texts: Vec<String> = (0..trials(100, 200, 1_000)).map(|_| game(&mut dice)).collect();
    let text = texts.concat();
    let games: Vec<Known> =
        reader(&text).read_ahead().unwrap().map(|game| Known::of(&game.unwrap())).collect();
    let (mut selected, mut differ) = (0, 0);
    for _ in 0..trials(200, 300, 4_000) {
        let tree = OfPlayer::random(&mut dice, 3);
        let source = tree.text();
        for (source, wanted) in [(format!("not ({source})"), Some(false)), (source, Some(true))] {
            let selection =
                Selection::parse(&source).unwrap_or_else(|error| panic!("{source}: {error}"));
            let found = reader(&text).selection(selection).read_ahead().unwrap();
            let found: Vec<u64> = found.map(|game| game.unwrap().game().number()).collect();
            let numbers = (1..).zip(&games).filter(|(_, game)| tree.value(game) == wanted);
            let expected: Vec<u64> = numbers.map(|(number, _)| number).collect();
            assert_eq!(found, expected, "{source}");
            selected += found.len();
            // As many as of each player alone: most of them would be found with any other rule, too.
            let of_any = |game: &&Known| [0, 1].iter().any(|&side| tree.of(game, side) == wanted);
            differ += usize::from(games.iter().filter(of_any).count() != found.len());
        }
    }
    assert!(selected > 1_000 && differ > 50, "{selected}, {differ}");
}

/// Positions of any two or three pieces besides the kings: those of which neither side can mate are those that shakmaty
/// finds.
#[test]
fn material_that_cannot_mate_is_that_of_shakmaty() {
    let mut dice = Dice::new(0x72);
    let (mut text, mut expected) = (String::new(), Vec::new());
    let pieces = b"PNBRQpnbrq";
    let materials: Vec<String> = (0..11 * 11 * 11)
        .map(|number| {
            let chosen = [number % 11, number / 11 % 11, number / 121];
            let chosen = chosen.into_iter().filter_map(|piece| pieces.get(piece));
            chosen.map(|&piece| char::from(piece)).collect()
        })
        .collect();
    for material in materials {
        // The kings in corners, the others where they give no check in most cases.
        let mut board = [b'1'; 64];
        (board[0], board[63]) = (b'k', b'K');
        for piece in material.bytes() {
            let mut square = 8 + dice.below(48);
            while board[square] != b'1' {
                square = 8 + dice.below(48);
            }
            board[square] = piece;
        }
        let ranks: Vec<&str> =
            board.chunks(8).map(|rank| std::str::from_utf8(rank).unwrap()).collect();
        let record = format!("{} w - - 0 1", ranks.join("/"));
        let fen: shakmaty::fen::Fen = record.parse().unwrap();
        let Ok(position) = fen.into_position::<shakmaty::Chess>(shakmaty::CastlingMode::Standard)
        else {
            continue;
        };
        text += &format!("[SetUp \"1\"]\n[FEN \"{record}\"]\n\n*\n\n");
        expected.push(position.is_insufficient_material());
    }
    let selection = Selection::parse("insufficient_material").unwrap();
    let found = reader(&text).selection(selection).read_ahead().unwrap();
    let found: Vec<u64> = found.map(|game| game.unwrap().game().number()).collect();
    let wanted: Vec<u64> = (1..).zip(&expected).filter(|(_, is)| **is).map(|(n, _)| n).collect();
    assert_eq!(found, wanted);
    assert!(found.len() > 5 && found.len() + 500 < expected.len(), "{}", found.len());
}

/// A null move leaves the line that is searched, also where two of them leave the position as it was.
#[test]
fn a_line_ends_with_a_null_move() {
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    for passes in 0..=moves.len() {
        let mut text = "[Event \"a\"]\n\n".to_string();
        for (at, mv) in moves.iter().enumerate() {
            text += if at == passes { "-- -- " } else { "" };
            text += &format!("{mv} ");
        }
        text += "*\n";
        for sought in 1..=moves.len() {
            let line = moves[..sought].join(" ");
            let scratch = Scratch::new();
            scratch.write("a.pgn", text.as_bytes());
            let condition = format!("moves(\"{line}\")");
            let words = [
                "select",
                "--allow",
                "null-move-main-line",
                "--where",
                &condition,
                "-o",
                "-",
                "a.pgn",
            ];
            let ran = run_in(scratch.path(), &words, b"");
            assert_eq!(ran.stdout.is_empty(), sought > passes, "{sought} moves of {text}");
        }
    }
}
