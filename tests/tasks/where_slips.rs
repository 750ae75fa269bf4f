//! `--where` never selects nothing by a slip: a name or a value near a known one is refused, or the run warns.
//!
//! In: conditions that select some games of an archive, and slips of them: a letter dropped, swapped or doubled, another
//! case, quotes forgotten. Out: nothing; each slip is refused with a column, or warned of, or has no effect.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pgnmill::run::{Completion, Convert, Duplicates, Export, Host, Measure, Recorded, Recorder};
use pgnmill::run::{Select, Validate};
use pgnmill::task::{self, Base, Consumer, JobResult, Settings, run};
use pgnmill::{Archive, Options, Reader, Selection};
use pgnmill_core::engine::Counted;

use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};

/// Games whose tag pairs and moves differ.
const GAMES: [&str; 8] = [
    "[Event \"Rated Blitz game\"]\n[Site \"Riga\"]\n[Date \"1960.05.07\"]\n[Round \"3\"]\n[White \"Tal, Mihail\"]\n\
     [Black \"Botvinnik, Mikhail\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2650\"]\n[ECO \"B90\"]\n\
     [TimeControl \"180+2\"]\n[Termination \"Normal\"]\n[WhiteTitle \"GM\"]\n\n\
     1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 {a novelty} 1-0\n\n",
    "[Event \"Casual Rapid game\"]\n[Site \"Moscow\"]\n[Date \"1971.10.30\"]\n[Round \"1\"]\n[White \"Fischer, Robert\"]\n\
     [Black \"Petrosian, Tigran\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2760\"]\n[BlackElo \"2640\"]\n[ECO \"D42\"]\n\
     [TimeControl \"900+10\"]\n[Termination \"Time forfeit\"]\n[Annotator \"Keres, Paul\"]\n\n\
     1. d4 d5 2. c4 e6 {well known} 1/2-1/2\n\n",
    "[Event \"Rated Bullet game\"]\n[Site \"London\"]\n[Date \"2021.01.02\"]\n[White \"Polgar, Judit\"]\n\
     [Black \"Carlsen, Magnus\"]\n[Result \"0-1\"]\n[WhiteElo \"2690\"]\n[BlackElo \"2850\"]\n[ECO \"C20\"]\n\
     [TimeControl \"60+0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 0-1\n\n",
    "[Event \"Problem\"]\n[White \"Saavedra\"]\n[Black \"NN\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
     [FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"]\n\n1. c7 Rd6+ 2. Kb5 Rd5+ *\n\n",
    "[Event \"Club\"]\n[White \"?\"]\n[Black \"Adams\"]\n[Result \"1-0\"]\n[WhiteElo \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n",
    "[Event \"Club\"]\n[White \"Adams\"]\n[Black \"Torre\"]\n[Result \"0-1\"]\n\n1. e4 Ke3 0-1\n\n",
    "[Event \"Match\"]\n[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Result \"1-0\"]\n[Date \"1851.06.21\"]\n\n\
     1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 1-0\n\n",
    "[Event \"Correspondence\"]\n[White \"Purdy\"]\n[Black \"Napolitano\"]\n[Result \"1-0\"]\n[TimeControl \"-\"]\n\n1. d4 Nf6 *\n\n",
];

/// Conditions that select some of the games, and not all.
const CONDITIONS: [&str; 34] = [
    r#"White == "Tal, Mihail""#,
    r#"Black = "Carlsen, Magnus" OR White = "Anderssen""#,
    r#"player == "Botvinnik, Mikhail""#,
    r#"player like "%Magnus" and player_rating >= 2800"#,
    r#"player in ["Adams", "Torre"]"#,
    r#"WhiteElo > 2700 and BlackElo < 2700"#,
    r#"rating_min >= 2600 and rating_difference < 100"#,
    r#"WhiteElo - BlackElo > 40"#,
    r#"ECO == "B90""#,
    r#"ECO in ["B90", "D42"] and Date >= 1960"#,
    r#"ECO in "B00".."C99""#,
    r#"ECO like "B%""#,
    r#"Result == "1/2-1/2""#,
    r#"outcome == "0-1" and year == 2021"#,
    r#"speed == "blitz" or speed in ["bullet"]"#,
    r#"TimeControl == "180+2""#,
    r#"time_initial == 180 and time_increment == 2"#,
    r#"Termination == "Time forfeit""#,
    r#"WhiteTitle == "GM""#,
    r#"Annotator is present and not BlackTitle is present"#,
    r#"contains(lower(Event), "blitz")"#,
    r#"starts_with(Event, "Rated") and not ends_with(Site, "don")"#,
    r#"tag("Site") == "Moscow""#,
    r#"Event =~ "^Rated""#,
    r#"Event !~ "^Rated" and Site == "Moscow""#,
    r#"verdict == "rejected""#,
    r#"ply_count in 3..5 and castling_long == false"#,
    r#"eco_computed == "C33""#,
    r#"comment like "%novelty%""#,
    r#"contains(comment, "well")"#,
    r#"moves("1. e4 e5 2. Nf3")"#,
    r#"position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")"#,
    r#"material("KPkr") and white_pawns == 1"#,
    r#"Date BETWEEN 1971-01-01 AND 1971-12-31"#,
];

/// A name of an expression, or a text in quotes.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    is_quoted: bool,
    from: usize,
    to: usize,
}

fn tokens(condition: &str) -> Vec<Token> {
    let (bytes, mut found, mut at) = (condition.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let begin = at;
        let is_quoted = bytes[at] == b'"';
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if is_quoted {
            at += 1 + condition[at + 1..].find('"').unwrap() + 1;
        } else if bytes[at].is_ascii_alphabetic() {
            while at < bytes.len() && is_name(bytes[at]) {
                at += 1;
            }
        } else {
            at += 1;
            continue;
        }
        let text = condition[begin..at].trim_matches('"').to_string();
        found.push(Token { text, is_quoted, from: begin, to: at });
    }
    found
}

/// A slip of a token; `None` if it changes nothing.
fn slip(token: &Token, dice: &mut Dice) -> Option<String> {
    let letters: Vec<char> = token.text.chars().collect();
    let at = dice.below(letters.len());
    let mut new = letters.clone();
    let mut is_quoted = token.is_quoted;
    match dice.below(if is_quoted { 5 } else { 4 }) {
        0 => drop(new.remove(at)),
        1 => new.swap(at, (at + 1) % letters.len()),
        2 => new.insert(at, letters[at]),
        3 => {
            let change = [
                |it: &str| it.to_uppercase(),
                |it: &str| it.to_lowercase(),
                |it: &str| {
                    it.chars()
                        .map(|c| {
                            if c.is_uppercase() {
                                c.to_ascii_lowercase()
                            } else {
                                c.to_ascii_uppercase()
                            }
                        })
                        .collect()
                },
            ][dice.below(3)];
            new = change(&token.text).chars().collect();
        }
        _ => is_quoted = false,
    }
    // What is dropped, swapped or doubled is a letter: another number is another condition.
    let is_letter =
        |index: usize| letters.get(index % letters.len()).is_some_and(|c| c.is_alphabetic());
    let is_changed = new != letters || is_quoted != token.is_quoted;
    let is_slip = new == letters
        || new.len() == letters.len() && is_letter(at) && is_letter(at + 1)
        || is_letter(at);
    (is_changed && is_slip).then(|| {
        let text: String = new.into_iter().collect();
        if is_quoted { format!("\"{text}\"") } else { text }
    })
}

/// What a condition comes to.
#[derive(PartialEq, Debug)]
enum Judged {
    Refused,
    Warned,
    /// The numbers of the games that are selected, without a word.
    Quiet(Vec<u64>),
}

fn validate(archive: &Path, condition: &str) -> (pgnmill::Result<Completion>, Recorded) {
    let recorder = Arc::new(Recorder::default());
    let host: Arc<dyn Host> = Arc::clone(&recorder) as _;
    let mut request = Validate::new([archive]);
    request.selecting.condition = Some(condition.to_string());
    request.reading.threads = 1;
    (request.run(&host), recorder.take())
}

fn judge(archive: &Path, condition: &str) -> Judged {
    let (ended, recorded) = validate(archive, condition);
    match ended {
        Err(error) => {
            assert!(error.to_string().contains("column "), "{condition}: {error}");
            Judged::Refused
        }
        Ok(_) if !recorded.warnings.is_empty() => Judged::Warned,
        Ok(_) => {
            let selection = Selection::parse(condition).unwrap();
            let reader = Reader::open(archive).unwrap().threads(1).selection(selection);
            let games = reader.read_ahead().unwrap();
            Judged::Quiet(games.map(|game| game.unwrap().game().number()).collect())
        }
    }
}

/// Is a word that a slip made of another one a name or a value itself?
fn is_known(token: &Token, slipped: &str) -> bool {
    let with = if token.is_quoted { "ECO == WORD" } else { "WORD is present" };
    let parsed = Selection::parse(&with.replace("WORD", slipped));
    parsed.is_ok_and(|selection| selection.unmet_tags(Default::default()).is_empty())
}

/// 2,000 slips.
#[test]
fn no_slip_ends_quietly() {
    let scratch = Scratch::new();
    let archive = scratch.join("games.pgn");
    fs::write(&archive, GAMES.concat()).unwrap();
    let mut dice = Dice::new(0x43);
    let (mut refused, mut warned) = (0, 0);
    let (mut others, mut quiet) = (Vec::new(), Vec::new());
    let meant: Vec<Vec<u64>> = CONDITIONS
        .iter()
        .map(|condition| match judge(&archive, condition) {
            Judged::Quiet(games) if (1..GAMES.len()).contains(&games.len()) => games,
            other => panic!("{condition}: {other:?}"),
        })
        .collect();
    let mut count = 0;
    while count < 2_000 {
        let which = dice.below(CONDITIONS.len());
        let (condition, meant) = (CONDITIONS[which], &meant[which]);
        let tokens = tokens(condition);
        let token = &tokens[dice.below(tokens.len())];
        let Some(slipped) = slip(token, &mut dice) else { continue };
        count += 1;
        let text = format!("{}{slipped}{}", &condition[..token.from], &condition[token.to..]);
        match judge(&archive, &text) {
            Judged::Refused => refused += 1,
            Judged::Warned => warned += 1,
            Judged::Quiet(games) if games == *meant => {}
            Judged::Quiet(_) => {
                if !is_known(token, &slipped) {
                    quiet.push(format!("{condition} → {text}"));
                }
                others.push(text);
            }
        }
    }
    assert!(quiet.is_empty(), "{quiet:#?}");
    assert!(refused > 1_000 && warned > 200, "{refused}, {warned}");
    // Such as another code of an opening.
    assert!(others.len() < 20, "{others:?}");
}

/// The warnings of a selection, and how the run ends; the same for every command, and for any number of threads.
#[test]
fn every_command_warns_and_ends_with_one() {
    let scratch = Scratch::new();
    let archive = scratch.join("games.pgn");
    fs::write(&archive, GAMES.concat().repeat(20)).unwrap();
    let cases = [
        (
            r#"Foo == "x""#,
            vec!["no game has the tag pair Foo", "selected none of 160 games"],
            false,
        ),
        (r#"Foo == "x" or White == "Purdy""#, vec!["no game has the tag pair Foo"], false),
        (
            r#"tag("Wite") is missing and White == "Purdy""#,
            vec!["no game has the tag pair Wite"],
            false,
        ),
        (r#"White == "Pur*""#, vec!["like \"Pur%\", or =~ \"^Pur\"", "selected none"], true),
        (r#"White == "Nobody""#, vec!["selected none of 160 games"], true),
        (r#"White == "Purdy""#, vec![], true),
    ];
    for (condition, expected, is_clean) in cases {
        macro_rules! set {
            ($request:ident, $threads:expr) => {
                $request.selecting.condition = Some(condition.to_string());
                ($request.reading.threads, $request.files.overwrite) = ($threads, true);
            };
        }
        for threads in [1, 2, 7] {
            let check =
                |name: &str, run: &dyn Fn(&Arc<dyn Host>) -> pgnmill::Result<Completion>| {
                    let recorder = Arc::new(Recorder::default());
                    let ended = run(&(Arc::clone(&recorder) as _)).unwrap();
                    let warnings = recorder.take().warnings;
                    assert_eq!(warnings.len(), expected.len(), "{name} {condition}: {warnings:?}");
                    for part in &expected {
                        assert!(
                            warnings.iter().any(|it| it.contains(part)),
                            "{name}: {warnings:?}"
                        );
                    }
                    assert_eq!(ended.is_clean, is_clean, "{name} {condition}");
                };
            let out = |name: &str| scratch.join(name);
            macro_rules! each {
                ($($request:expr;)*) => {$({
                    let name = stringify!($request);
                    check(name, &|host| {
                        let mut request = $request;
                        set!(request, threads);
                        request.run(host)
                    });
                })*};
            }
            drop(fs::remove_dir_all(out("split")));
            each! {
                Validate::new([&archive]);
                Convert::new([&archive], "uci", out("a.pgn.zst"));
                Select::new([&archive], out("b.pgn"));
                Select { split_by: Some("White".to_string()), ..Select::new([&archive], out("split")) };
                Export::new([&archive], out("c.csv"));
                Measure::new([&archive], out("measured"));
            }
            drop(fs::remove_dir_all(out("duplicates")));
            check("duplicates", &|host| {
                let mut request = Duplicates::new([&archive], out("duplicates"));
                set!(request, threads);
                request.run(host)
            });
        }
    }
}

/// Where a part is read, a tag pair can be in another one: a split, the first games. Quiet runs end with 1, without a word.
#[test]
fn parts_of_archives_and_quiet_runs_have_no_warning() {
    let scratch = Scratch::new();
    fs::write(scratch.join("games.pgn"), GAMES.concat()).unwrap();
    let run = |words: &[&str]| run_in(scratch.path(), words, b"");
    let splits = run(&["splits", "games.pgn"]);
    let split = String::from_utf8(splits.stdout).unwrap();
    let condition = r#"Foo is missing and White == "Nobody""#;
    let of_split =
        run(&["validate", "--split", split.lines().next().unwrap(), "--where", condition]);
    assert!(!errors_of(&of_split).contains("--where"), "{}", errors_of(&of_split));
    assert_eq!(exit_code(&of_split), 0);
    let head =
        run(&["select", "--head", "1", "--where", "Foo is missing", "-o", "h.pgn", "games.pgn"]);
    assert!(!errors_of(&head).contains("no game has"), "{}", errors_of(&head));
    assert_eq!(exit_code(&head), 0);
    let split_by = run(&["select", "--split-by", "Foo", "-o", "by", "games.pgn"]);
    assert!(
        errors_of(&split_by).contains("no game has the tag pair Foo"),
        "{}",
        errors_of(&split_by)
    );
    assert_eq!(exit_code(&split_by), 1);
    // What sorts games, or is a column of them, and is nowhere.
    let sorted = run(&["sort", "--by", "-opening,Date", "-o", "sorted.pgn", "games.pgn"]);
    let absent = "no game has the tag pair Opening; opening_computed is that which the moves reach";
    assert!(errors_of(&sorted).contains(absent), "{}", errors_of(&sorted));
    assert!(!errors_of(&sorted).contains("Date"), "{}", errors_of(&sorted));
    let loud = run(&["validate", "--where", condition, "games.pgn"]);
    assert!(errors_of(&loud).contains("no game has the tag pair Foo"), "{}", errors_of(&loud));
    assert_eq!(exit_code(&loud), 1);
    let quiet = run(&["validate", "-q", "--where", condition, "games.pgn"]);
    // No warning: the one line that says why the exit code is 1.
    let reason = "pgnmill: no game has the tag pair Foo (exit code 1)\n";
    assert_eq!((errors_of(&quiet).as_str(), exit_code(&quiet)), (reason, 1));
    let empty = run(&["validate", "--where", condition, "-"]);
    assert!(!errors_of(&empty).contains("--where"), "{}", errors_of(&empty));
}

/// What is counted of a run over the games, in jobs of some games each.
fn counted(selection: &Selection, text: &str) -> Counted {
    struct Sum(Counted);
    impl Consumer<()> for Sum {
        fn begin(&mut self, _: &Archive) -> pgnmill::Result<()> {
            Ok(())
        }

        fn result(
            &mut self,
            _: &str,
            _: Base,
            result: &mut JobResult<()>,
            _: &pgnmill_core::engine::Pool,
        ) -> pgnmill::Result<()> {
            self.0.merge(&result.facts.counted);
            Ok(())
        }
    }
    let options = Options { block_bytes: 300, range_bytes: 600, ..Options::default() };
    let settings = Settings {
        options,
        threads: 2,
        selection: Some(Arc::new(selection.clone())),
        ..Settings::default()
    };
    let mut sum = Sum(Counted::default());
    let source = pgnmill::NamedSource::bytes("a.pgn", Arc::from(text.as_bytes()));
    let inputs = [pgnmill::Input::Named(source)];
    run(&task::Validate, &settings, &inputs, &mut sum, &AtomicBool::new(false)).unwrap();
    sum.0
}

/// Does an expression select a game?
fn selects(text: &str, archive: &str) -> bool {
    let counts = counted(&Selection::parse(text).unwrap(), archive).counts;
    counts.not_selected < counts.games()
}

/// A part of an expression that is reported selects no game, whatever is around it; of expressions that tag pairs decide,
/// all such parts are reported. An unknown tag pair is reported unless a game has it.
#[test]
fn what_is_reported_was_never_true() {
    const BY_TAGS: [&str; 10] = [
        r#"White == "Adams""#,
        r#"White == "Adam""#,
        r#"Black like "Car%""#,
        r#"Black like "car%""#,
        r#"contains(Event, "Club")"#,
        r#"contains(Event, "club")"#,
        r#"Site =~ "^Mos""#,
        r#"Site =~ "^mos""#,
        r#"Rare == "yes""#,
        r#"Foo == "yes""#,
    ];
    const BY_MOVES: [&str; 8] = [
        r#"comment like "%novelty%""#,
        r#"comment like "%only here%""#,
        r#"comment =~ "nowhere""#,
        r#"moves("1. e4 c5")"#,
        r#"moves("1. c4")"#,
        r#"eco_computed == "B90""#,
        r#"material("KPkr")"#,
        r#"material("KQkr")"#,
    ];
    let rare = "[Event \"Club\"]\n[White \"Purdy\"]\n[Black \"B\"]\n[Rare \"yes\"]\n\n1. d4 {only here} *\n\n";
    let archive = format!("{0}{rare}{0}", GAMES.concat());
    let mut dice = Dice::new(0x44);
    let is_met: Vec<(&str, bool)> =
        BY_TAGS.iter().chain(&BY_MOVES).map(|part| (*part, selects(part, &archive))).collect();
    let is_met = |part: &str| is_met.iter().find(|(known, _)| *known == part).unwrap().1;
    let (mut reported, mut unmet) = (0, 0);
    for _ in 0..trials(150, 400, 6_000) {
        let with_moves = dice.below(2) == 0;
        let all =
            if with_moves { [&BY_TAGS[..], &BY_MOVES[..]].concat() } else { BY_TAGS.to_vec() };
        let parts: Vec<&str> = (0..2 + dice.below(3)).map(|_| dice.one(&all)).collect();
        let names = ["Adams", "Torre", "Nobody", "Purdy"];
        let list: Vec<&str> = (0..2).map(|_| dice.one(&names)).collect();
        let mut text = format!(r#"Black in ["{}", "{}"]"#, list[0], list[1]);
        for part in &parts {
            let not = if dice.below(3) == 0 { "not " } else { "" };
            let word = dice.one(&["and", "or"]);
            text = match dice.below(2) {
                0 => format!("({text}) {word} {not}{part}"),
                _ => format!("{not}{part} {word} ({text})"),
            };
        }
        let selection = Selection::parse(&text).unwrap();
        let met = counted(&selection, &archive).met;
        let never = selection.never_true(met);
        for part in &never {
            let alone = match part.starts_with('"') {
                true => format!("Black == {part}"),
                false => part.to_string(),
            };
            assert!(!selects(&alone, &archive), "{text}: {part}");
        }
        reported += never.len();
        if !with_moves {
            for part in parts.iter().filter(|part| !is_met(part)) {
                assert!(never.contains(part), "{text}: {part} is missing in {never:?}");
            }
            for name in list.iter().filter(|name| **name == "Nobody" || **name == "Purdy") {
                assert!(never.contains(&&*format!("\"{name}\"")), "{text}: {never:?}");
            }
        }
        let expected = if text.contains("Foo") { vec!["Foo"] } else { Vec::new() };
        assert_eq!(selection.unmet_tags(met), expected, "{text}");
        unmet += expected.len();
    }
    assert!(reported > trials(120, 330, 500) && unmet > trials(11, 33, 50), "{reported}, {unmet}");
    // What the moves decide is reported if they were read of every game.
    let both = r#"White == "Nobody" or comment =~ "nowhere""#;
    let selection = Selection::parse(both).unwrap();
    let never = selection.never_true(counted(&selection, &archive).met).join(" or ");
    assert_eq!(never, both);
}

/// Lines, positions and castling rights: what is reached on another way, with other pieces, or with other rights.
#[test]
fn transpositions_and_other_pieces_are_not_the_same() {
    const GAMES: [&str; 5] = [
        "1. d4 d5 2. Nf3 *",
        "1. Nf3 d5 2. d4 *",
        "1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Ng1 Ng8 *",
        "1. e4 e5 2. Nc3 (2. Nf3 {a}) Nc6 $1 {b} ; c\n *",
        "1. d4 Nf6 2. c4 *",
    ];
    let archive: String =
        GAMES.iter().map(|moves| format!("[White \"x\"]\n\n{moves}\n\n")).collect();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (condition, expected) in [
        (r#"moves("1. d4 d5 2. Nf3")"#.to_string(), 1),
        (r#"moves("1. d4")"#.to_string(), 2),
        (r#"moves("d2d4 d7d5 g1f3 g8f6")"#.to_string(), 0),
        (format!(r#"position("{start} w Qq")"#), 1),
        (format!(r#"position("{start} w -")"#), 0),
        (format!(r#"position("{start} w KQkq")"#), 5),
        (format!(r#"position("{start} b")"#), 0),
        (format!(r#"position("{}")"#, start.replace("RNBQ", "RBNQ")), 0),
        (format!(r#"position("{}")"#, start.replace("RNBQ", "RQBN")), 0),
        ("comments == 3 and variations == 1 and nags == 1".to_string(), 1),
        ("comments == 0".to_string(), 4),
    ] {
        let counts = counted(&Selection::parse(&condition).unwrap(), &archive).counts;
        assert_eq!(counts.games() - counts.not_selected, expected, "{condition}");
    }
}

/// In each ruleset: comments and players are those of any game; lines, positions and pieces are missing but in chess.
#[test]
fn rulesets_have_what_is_stated() {
    let variants = [
        "Atomic",
        "Crazyhouse",
        "Antichess",
        "Three-check",
        "King of the Hill",
        "Horde",
        "Chess 99",
    ];
    let game = |variant: &str| {
        let moves = if matches!(variant, "Chess 99" | "Horde") { "" } else { "1. e4 " };
        format!(
            "[White \"Tal\"]\n[Black \"B\"]\n[Variant \"{variant}\"]\n\n{moves}{{a novelty}} *\n\n"
        )
    };
    let chess = "[White \"Tal\"]\n[Black \"B\"]\n\n1. e4 {a novelty} *\n\n";
    let count = |condition: &str, archive: &str| {
        let counts = counted(&Selection::parse(condition).unwrap(), archive).counts;
        (counts.games() - counts.not_selected, counts.rejected)
    };
    for variant in variants {
        let archive = game(variant) + chess + &game(variant);
        for (condition, of_variant, of_chess) in [
            ("comment =~ \"novelty\"", 2, 1),
            ("player == \"Tal\"", 2, 1),
            ("moves(\"1. e4\")", 0, 1),
            ("moves(\"1. e4\") is missing", 2, 0),
            ("white_pawns == 8", 0, 1),
            ("white_pawns is missing", 2, 0),
            ("material(\"KQR*B*N*P*kq*r*b*n*p*\")", 0, 1),
        ] {
            assert_eq!(
                count(condition, &archive),
                (of_variant + of_chess, 0),
                "{variant} {condition}"
            );
        }
    }
}

/// However long an expression is, it is read in linear time, and few warnings come of it.
#[test]
fn long_expressions_have_few_warnings() {
    let parts: Vec<String> = (0..40_000).map(|number| format!("White == \"a{number}*\"")).collect();
    let selection = Selection::parse(&parts.join(" or ")).unwrap();
    assert!((1..10).contains(&selection.warnings().len()));
    let parts: Vec<String> = (0..3_000).map(|number| format!("Zzzzzzz{number} == \"a\"")).collect();
    let selection = Selection::parse(&parts.join(" or ")).unwrap();
    assert_eq!(selection.unmet_tags(Default::default()).len(), 64);
    // As many parts are watched, the last of them too.
    for (count, watched) in [(1, 1), (63, 63), (64, 64), (65, 64), (200, 64)] {
        let parts: Vec<String> =
            (0..count).map(|it| format!("White like \"Nobody{it}%\"")).collect();
        let selection = Selection::parse(&parts.join(" or ")).unwrap();
        let met = counted(&selection, &GAMES.concat()).met;
        assert_eq!(selection.never_true(met), parts[..watched], "{count}");
    }
}

/// What was met before a run was ended is met when it goes on: an unknown tag pair of the first game alone.
#[test]
fn what_was_met_is_saved() {
    let scratch = Scratch::new();
    let first = "[White \"A\"]\n[Rare \"yes\"]\n\n1. e4 *\n\n";
    let other = "[White \"B\"]\n\n1. d4 *\n\n".repeat(400);
    fs::write(scratch.join("games.pgn"), format!("{first}{other}")).unwrap();
    let words =
        ["convert", "--to", "uci", "--where", r#"Rare == "yes" or White == "B""#, "-o", "out.pgn"];
    let small = ["--checkpoint", "0", "--block-bytes", "500", "--range-bytes", "1000", "-j", "1"];
    let run = |more: &[&str]| {
        run_in(scratch.path(), &[&words[..], &small, more, &["games.pgn"]].concat(), b"")
    };
    drop(run(&["--abort-after", "20"]));
    let on = run(&["--resume"]);
    assert!(errors_of(&on).contains("goes on with input"), "{}", errors_of(&on));
    assert!(
        !errors_of(&on).contains("no game has") && !errors_of(&on).contains("true of no game"),
        "{}",
        errors_of(&on)
    );
    assert_eq!(exit_code(&on), 0);
}

/// A column that was named and has no value in any game is named; one of a set, or with a value, is not.
#[cfg(feature = "export")]
#[test]
fn columns_without_values_are_named() {
    let scratch = Scratch::new();
    fs::write(scratch.join("games.pgn"), GAMES.concat()).unwrap();
    let warnings = |columns: &str, more: &[&str]| {
        let words = ["export", "--overwrite", "--columns", columns, "-o", "t.csv"];
        let ran = run_in(scratch.path(), &[&words[..], more, &["games.pgn"]].concat(), b"");
        let warned = errors_of(&ran);
        let warned = warned.lines().filter(|line| line.contains("no game has a value"));
        warned.map(str::to_string).collect::<Vec<_>>()
    };
    let of = |name: &str, help: &str| {
        format!("pgnmill: warn: no game has a value of the column {name}{help}")
    };
    let set = "; opening_computed is that which the moves reach";
    for more in [&[][..], &["--threads", "1"], &["--range-bytes", "100", "--threads", "2"]] {
        let both = warnings("White,Opening,WhiteTitle,BlackTitle", more);
        assert_eq!(both, [of("Opening", set), of("BlackTitle", "")], "{more:?}");
        // The fourth game has a record, and no other.
        assert_eq!(warnings("White,FEN", more), [] as [&str; 0], "{more:?}");
        assert_eq!(warnings("default", more), [] as [&str; 0], "{more:?}");
        assert_eq!(warnings("all", more), [] as [&str; 0], "{more:?}");
    }
}

/// An order of texts that are numbers is warned of, whichever side the text is on, and no other order.
#[test]
fn an_order_of_texts_is_warned_of_where_numbers_may_be_meant() {
    let scratch = Scratch::new();
    let game = |round: &str| format!("[White \"x\"]\n[Round \"{round}\"]\n\n1. e4 *\n\n");
    fs::write(scratch.join("a.pgn"), ["5", "9", "10"].map(game).concat()).unwrap();
    for (condition, is_warned) in [
        ("Round > \"5\"", true),
        ("\"5\" < Round", true),
        ("Round in \"1\"..\"5\"", true),
        ("Round == \"5\"", false),
        ("ECO >= \"B\" and White < \"y\"", false),
        ("Date >= 1990 or ply_count > 0", false),
    ] {
        let words = ["select", "--where", condition, "-o", "-", "a.pgn"];
        let ran = run_in(scratch.path(), &words, b"");
        let said = errors_of(&ran);
        assert_eq!(said.contains("compares texts"), is_warned, "{condition}: {said}");
    }
}
