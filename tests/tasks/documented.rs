//! The expressions of the documents are true: each one, and each example of the README, selects what its words say, by
//! a second evaluation of the games of `data/`; an expression without one fails.
//!
//! In: `README.md`, `docs/`, the examples of `--help`. The second evaluation knows no selection: it compares tag pairs
//! as texts, positions as records, and the text of comments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;

use pgnmill_io::archive::games::Games;
use shakmaty::Position as _;

use crate::common::{here, text_of, trials};
use pgnmill::openings::Openings;
use pgnmill::select::PositionSet;
use pgnmill::{AnyPosition, Move, OwnedGame, Position, Reader, SAN, Selection, Verdict};
use pgnmill_core::chess::{MoveKind, Role};

const ARCHIVES: [&str; 3] = ["data/masters.pgn.zst", "data/lichess.pgn.zst", "data/sources.pgn"];

/// A game.
struct G {
    tags: BTreeMap<String, String>,
    /// Positions of other rules are not compared.
    is_chess: bool,
    is_rejected: bool,
    is_repaired: bool,
    result: String,
    start: Position,
    plies: Vec<(String, Move, Position)>,
    eco: &'static str,
    movetext: String,
}

impl G {
    fn of(owned: &OwnedGame) -> G {
        let game = owned.game();
        let tags = game.tags().map(|tag| (tag.name.to_string(), tag.value.to_string()));
        let mut plies = Vec::new();
        let mut eco = "";
        for ply in game.moves() {
            plies.push((ply.text_in(SAN).to_string(), ply.mv, ply.after));
            if plies.len() <= 40 {
                eco = Openings::standard().find(&ply.after).map_or(eco, |opening| opening.eco);
            }
        }
        let text = String::from_utf8_lossy(game.text()).into_owned();
        let movetext = text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>();
        G {
            tags: tags.collect(),
            is_chess: !matches!(game.start_of_rules(), Some(AnyPosition::Variant(_))),
            is_rejected: game.verdict() == Verdict::Rejected,
            is_repaired: game.verdict() == Verdict::Repaired,
            result: game.result().map_or("*", |result| result.canonical()).to_string(),
            start: game.start().unwrap_or(Position::initial()),
            plies,
            eco,
            movetext: movetext.join("\n"),
        }
    }

    /// The value of a tag pair that is there and known; else nothing.
    fn t(&self, name: &str) -> &str {
        let value = self.tags.get(name).map_or("", |value| value.trim());
        if value.chars().all(|c| c == '?') { "" } else { value }
    }

    fn n(&self, name: &str) -> Option<i32> {
        self.t(name).parse().ok()
    }

    fn elos(&self) -> Option<[i32; 2]> {
        Some([self.n("WhiteElo")?, self.n("BlackElo")?])
    }

    fn year(&self) -> Option<i32> {
        self.t("Date").get(..4).and_then(|year| year.parse().ok())
    }

    /// The places of a player of this name: 0 is White.
    fn sides(&self, is: impl Fn(&str) -> bool) -> Vec<usize> {
        let names = ["White", "Black"].map(|side| self.t(side));
        (0..2).filter(|&side| is(names[side])).collect()
    }

    fn won(&self, side: usize) -> bool {
        self.result == ["1-0", "0-1"][side]
    }

    fn last(&self) -> &Position {
        self.plies.last().map_or(&self.start, |(_, _, after)| after)
    }

    fn boards(&self) -> impl Iterator<Item = String> {
        let all = std::iter::once(&self.start).chain(self.plies.iter().map(|ply| &ply.2));
        all.map(Position::to_fen)
    }

    /// A position with this beginning of its record.
    fn reaches(&self, record: &str) -> bool {
        self.boards().any(|board| board.starts_with(record))
    }

    /// A position with these pieces; `-` before one: any number of it.
    fn has_material(&self, pieces: &str, any: &str) -> bool {
        let sorted = |text: &str| {
            let board = text.split(' ').next().unwrap_or("");
            let mut all: Vec<char> =
                board.chars().filter(|c| c.is_alphabetic() && !any.contains(*c)).collect();
            all.sort_unstable();
            all
        };
        self.boards().any(|board| sorted(&board) == sorted(pieces))
    }

    fn castled(&self, text: &str) -> bool {
        self.plies.iter().any(|(san, ..)| san.trim_end_matches(['+', '#']) == text)
    }

    fn is_mate(&self) -> bool {
        self.last().in_check() && self.last().legal_moves().is_empty()
    }

    fn is_stalemate(&self) -> bool {
        !self.last().in_check() && self.last().legal_moves().is_empty()
    }

    fn cannot_mate(&self) -> bool {
        let fen: shakmaty::fen::Fen = self.last().to_fen().parse().unwrap();
        let mode = shakmaty::CastlingMode::Chess960;
        fen.into_position::<shakmaty::Chess>(mode).is_ok_and(|it| it.is_insufficient_material())
    }

    fn count(&self, text: &str) -> usize {
        self.movetext.matches(text).count()
    }

    fn comments(&self) -> Vec<&str> {
        let parts = self.movetext.split('{').skip(1);
        parts.map(|part| part.split('}').next().unwrap_or(part)).collect()
    }

    /// Assessments outside comments.
    fn nags(&self) -> usize {
        let mut outside = String::new();
        for (index, part) in self.movetext.split('{').enumerate() {
            outside += if index == 0 { part } else { part.split_once('}').map_or("", |it| it.1) };
        }
        let signs = outside.split(|c| c != '!' && c != '?').filter(|run| !run.is_empty()).count();
        signs + outside.matches('$').count()
    }

    /// Seconds of the base and the increment.
    fn control(&self) -> Option<(i32, i32)> {
        let (base, increment) = self.t("TimeControl").split_once('+')?;
        Some((base.parse().ok()?, increment.parse().ok()?))
    }

    fn speed(&self) -> &str {
        match self.control().map(|(base, increment)| base + 40 * increment) {
            None => "",
            Some(..30) => "ultrabullet",
            Some(..180) => "bullet",
            Some(..480) => "blitz",
            Some(..1500) => "rapid",
            Some(_) => "classical",
        }
    }

    fn underpromotes(&self) -> bool {
        let minor = [Role::Rook, Role::Bishop, Role::Knight];
        self.plies.iter().any(|(_, mv, _)| mv.promoted().is_some_and(|role| minor.contains(&role)))
    }
}

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// Whether a game is selected.
type Is = fn(&G) -> bool;

/// Conditions on tag pairs.
const OF_TAGS: &[(&str, Is)] = &[
    ("Event == \"Paris\"", |g| g.t("Event") == "Paris"),
    ("rating_min >= 2500", |g| g.elos().is_some_and(|it| it[0] >= 2500 && it[1] >= 2500)),
    ("rating_min >= 2400", |g| g.elos().is_some_and(|it| it[0] >= 2400 && it[1] >= 2400)),
    ("rating_min > 2000", |g| g.elos().is_some_and(|it| it[0] > 2000 && it[1] > 2000)),
    ("rating_mean >= 2690", |g| g.elos().is_some_and(|it| it[0] + it[1] >= 5380)),
    ("WhiteElo >= 2600 and ECO =~ \"^B9\"", |g| {
        g.n("WhiteElo") >= Some(2600) && g.t("ECO").starts_with("B9")
    }),
    ("White =~ \"Tal\" or Black =~ \"Tal\"", |g| !g.sides(|it| it.contains("Tal")).is_empty()),
    ("White == \"Tal, Mikhail\"", |g| g.t("White") == "Tal, Mikhail"),
    ("Date >= 1960-01-01 and Date < 1970-01-01", |g| {
        g.year().is_some_and(|year| (1960..1970).contains(&year))
    }),
    ("ECO =~ \"^B[2-9]\"", |g| g.t("ECO").starts_with('B') && g.t("ECO") >= "B2"),
    ("Result in [\"1-0\", \"0-1\"]", |g| ["1-0", "0-1"].contains(&g.t("Result"))),
    ("not (Annotator is missing)", |g| !g.t("Annotator").is_empty()),
    ("Event =~ \"Candidates\" and Round == \"1\"", |g| {
        g.t("Event").contains("Candidates") && g.t("Round") == "1"
    }),
    ("WhiteElo > 2600 and BlackElo > 2600", |g| {
        g.elos().is_some_and(|it| it.iter().all(|&elo| elo > 2600))
    }),
    ("Event =~ \"(?i)open\"", |g| g.t("Event").to_lowercase().contains("open")),
    ("not (FEN is missing)", |g| !g.t("FEN").is_empty()),
    ("FEN is missing", |g| g.t("FEN").is_empty()),
    ("not (Result == \"*\")", |g| !["*", ""].contains(&g.t("Result"))),
    ("speed == \"blitz\" and rating_min >= 2000", |g| {
        g.speed() == "blitz" && g.elos().is_some_and(|it| it[0].min(it[1]) >= 2000)
    }),
    ("rating_min >= 2000 and speed == \"blitz\"", |g| {
        g.speed() == "blitz" && g.elos().is_some_and(|it| it[0].min(it[1]) >= 2000)
    }),
    ("not (WhiteElo >= 2000)", |g| g.n("WhiteElo").is_some_and(|elo| elo < 2000)),
    ("Date >= 2020 and ECO =~ \"^B9\"", |g| g.year() >= Some(2020) && g.t("ECO").starts_with("B9")),
    ("ECO == \"B90\"", |g| g.t("ECO") == "B90"),
    ("WhiteElo >= 2700 and BlackElo >= 2700", |g| {
        g.elos().is_some_and(|it| it.iter().all(|&elo| elo >= 2700))
    }),
    ("rating_mean in 1500..1600 and rating_difference <= 50", |g| {
        g.elos().is_some_and(|[one, other]| {
            (3000..=3200).contains(&(one + other)) && (one - other).abs() <= 50
        })
    }),
    ("WhiteElo - BlackElo > 300 and outcome == \"0-1\"", |g| {
        g.elos().is_some_and(|it| it[0] > it[1] + 300) && g.result == "0-1"
    }),
    ("speed in [\"blitz\", \"rapid\"]", |g| ["blitz", "rapid"].contains(&g.speed())),
    ("time_initial == 180 and time_increment > 0", |g| {
        g.control().is_some_and(|(base, increment)| base == 180 && increment > 0)
    }),
    ("TimeControl == \"-\" or TimeControl is missing", |g| ["", "-"].contains(&g.t("TimeControl"))),
    ("year >= 2000", |g| g.year() >= Some(2000)),
    ("Date >= 1990 and Date < 2000", |g| g.year().is_some_and(|year| (1990..2000).contains(&year))),
    ("UTCDate in 2017-05-01..2017-05-07 and UTCTime in 20:00..23:59:59", |g| {
        ("2017.05.01".."2017.05.08").contains(&g.t("UTCDate")) && g.t("UTCTime") >= "20:00:00"
    }),
    ("year == 1972 and (White =~ \"^Fischer\" or Black =~ \"^Fischer\")", |g| {
        g.year() == Some(1972) && !g.sides(|it| it.starts_with("Fischer")).is_empty()
    }),
    ("ECO in \"B90\"..\"B99\"", |g| ("B90".."B9:").contains(&g.t("ECO"))),
    ("contains(lower(Opening), \"gambit\")", |g| g.t("Opening").to_lowercase().contains("gambit")),
    ("starts_with(Event, \"Rated\") and not contains(Event, \"tournament\")", |g| {
        g.t("Event").starts_with("Rated") && !g.t("Event").contains("tournament")
    }),
    ("White == \"Carlsen, Magnus\" and Result == \"1-0\"", |g| {
        g.t("White") == "Carlsen, Magnus" && g.t("Result") == "1-0"
    }),
    ("WhiteTitle in [\"GM\", \"IM\"] and BlackTitle is missing", |g| {
        ["GM", "IM"].contains(&g.t("WhiteTitle")) && g.t("BlackTitle").is_empty()
    }),
    ("tag(\"Annotator\") is present and comments > 10", |g| {
        !g.t("Annotator").is_empty() && g.comments().len() > 10
    }),
];

/// Conditions on a player.
const OF_PLAYERS: &[(&str, Is)] = &[
    ("player =~ \"Capablanca\"", |g| !g.sides(|it| it.contains("Capablanca")).is_empty()),
    ("player =~ \"Capablanca\" and player_won", |g| {
        g.sides(|it| it.contains("Capablanca")).into_iter().any(|side| g.won(side))
    }),
    ("player like \"Carlsen%\" and player_rating >= 2800", |g| {
        let elos = ["WhiteElo", "BlackElo"].map(|elo| g.n(elo));
        g.sides(|it| it.starts_with("Carlsen")).into_iter().any(|side| elos[side] >= Some(2800))
    }),
    ("player == \"Tal, Mihail\" and not player_won", |g| {
        let sides = g.sides(|it| it == "Tal, Mihail");
        g.result != "*" && sides.into_iter().any(|side| !g.won(side))
    }),
    ("player == \"Tal, Mihail\" and opponent == \"Botvinnik, Mikhail\"", |g| {
        let names = ["Tal, Mihail", "Botvinnik, Mikhail"];
        let is = [g.t("White"), g.t("Black")];
        is == names || is == [names[1], names[0]]
    }),
    ("player_won and opponent_rating - player_rating >= 200", |g| {
        g.elos().is_some_and(|it| (0..2).any(|side| g.won(side) && it[1 - side] >= it[side] + 200))
    }),
];

/// Conditions on moves.
const OF_MOVES: &[(&str, Is)] = &[
    // The file is read as that of the position after 1. e4 c5.
    ("position in @FILE", |g| g.reaches(SICILIAN)),
    ("position in @openings.epd", |g| g.reaches(SICILIAN)),
    ("position(\"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\")", |g| {
        g.reaches(SICILIAN)
    }),
    ("rules == \"chess\"", |g| {
        let variant = g.tags.get("Variant").map(|name| name.to_lowercase());
        !variant.is_some_and(|name| name.contains("960") || name.contains("fischer"))
    }),
    ("material(\"KRPkr\")", |g| g.has_material("KRPkr", "")),
    ("material_any_colour(\"KRPkr\")", |g| {
        g.has_material("KRPkr", "") || g.has_material("KRkrp", "")
    }),
    ("material_any_colour(\"KRPkr\") and ply_count > 100", |g| {
        g.plies.len() > 100 && (g.has_material("KRPkr", "") || g.has_material("KRkrp", ""))
    }),
    ("material(\"KRP*krp*\") and white_pawns <= 2", |g| {
        g.has_material("KRkr", "Pp")
            && g.last().to_fen().split(' ').next().is_some_and(|it| it.matches('P').count() <= 2)
    }),
    ("ply_count >= 40 and ply_count <= 80", |g| (40..=80).contains(&g.plies.len())),
    ("ply_count == 60", |g| g.plies.len() == 60),
    ("rating_min >= 2000 and ply_count <= 80", |g| {
        g.elos().is_some_and(|it| it[0].min(it[1]) >= 2000) && g.plies.len() <= 80
    }),
    ("eco_computed =~ \"^C6\"", |g| g.eco.starts_with("C6")),
    ("mate and underpromotion", |g| g.is_mate() && g.underpromotes()),
    ("mate", G::is_mate),
    ("moves(\"1. e4 c5 2. Nf3 d6\") and not ECO like \"B9%\"", |g| {
        let line: Vec<&str> = g.plies.iter().map(|(san, ..)| san.as_str()).take(4).collect();
        line == ["e4", "c5", "Nf3", "d6"] && !g.t("ECO").is_empty() && !g.t("ECO").starts_with("B9")
    }),
    ("variant == \"standard\" and ply_count in 1..40", |g| {
        // Names of ordinary chess.
        let names = ["", "standard", "Standard", "From Position"];
        names.contains(&g.t("Variant")) && (1..=40).contains(&g.plies.len())
    }),
    ("stalemate or insufficient_material", |g| g.is_stalemate() || g.cannot_mate()),
    ("castling_long and not castling_short and outcome == \"1/2-1/2\"", |g| {
        g.castled("O-O-O") && !g.castled("O-O") && g.result == "1/2-1/2"
    }),
    ("comment =~ \"(?i)novelty\" and evals == 0", |g| {
        g.comments().iter().any(|it| it.to_lowercase().contains("novelty"))
            && g.count("[%eval") == 0
    }),
    ("verdict == \"repaired\" and Event !~ \"(?i)simul\"", |g| {
        let event = g.t("Event");
        g.is_repaired && !event.is_empty() && !event.to_lowercase().contains("simul")
    }),
    ("evals > 0 and clocks == 0 or nags > 5", |g| {
        g.count("[%eval") > 0 && g.count("[%clk") == 0 || g.nags() > 5
    }),
    ("final_material == \"KQk\" and en_passant", |g| {
        let record = g.last().to_fen();
        let mut pieces: Vec<char> =
            record.split(' ').next().unwrap().chars().filter(|c| c.is_alphabetic()).collect();
        pieces.sort_unstable();
        pieces == ['K', 'Q', 'k'] && g.plies.iter().any(|ply| ply.1.kind() == MoveKind::EnPassant)
    }),
];

/// The games of a text.
fn reader(name: &str, text: &[u8]) -> Reader {
    Reader::from_reader(name, Cursor::new(text.to_vec())).unwrap()
}

/// The expressions of a document.
fn expressions(text: &str) -> Vec<String> {
    let mut all: Vec<String> = text
        .split("--where '")
        .skip(1)
        .map(|rest| rest.split('\'').next().unwrap_or(rest).to_string())
        .collect();
    if let Some(section) = text.split("\n## Examples").nth(1) {
        let section = section.split("\n## ").next().unwrap_or(section);
        let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
        all.extend(lines.filter(|line| !line.starts_with("pgnmill")).map(str::to_string));
    }
    all
}

#[test]
fn expressions_of_documents_select_what_they_say() {
    let mut paths = vec![here("README.md"), here("python/README.md")];
    paths.push(here("crates/pgnmill-cli/src/examples.rs"));
    // The examples of the help are with the commands.
    for name in ["select", "sort", "stats", "validate", "export/mod", "measure/mod"] {
        paths.push(here(&format!("crates/pgnmill-run/src/commands/{name}.rs")));
    }
    let pages = fs::read_dir(here("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(pages.filter(|path| path.extension().is_some_and(|end| end == "md")));
    let all: BTreeMap<&str, Is> = [OF_TAGS, OF_PLAYERS, OF_MOVES].concat().into_iter().collect();
    let archives = ARCHIVES.map(|path| {
        // At the short depth every third game.
        let text = text_of(&here(path));
        let games = Games::new(&text).step_by(trials(3, 2, 1));
        let text: Vec<u8> = games.flat_map(|(_, game)| game).copied().collect();
        let games = reader(path, &text).read_ahead().unwrap();
        let games: Vec<(u64, G)> = games
            .map(|game| game.unwrap())
            .map(|game| (game.game().number(), G::of(&game)))
            .filter(|(_, game)| game.is_chess)
            .collect();
        (path, text, games)
    });
    let (mut documented, mut selected) = (0, BTreeMap::new());
    for path in paths {
        for text in expressions(&fs::read_to_string(&path).unwrap()) {
            let is = all.get(text.as_str());
            let is = is.unwrap_or_else(|| panic!("{}: say what {text} selects", path.display()));
            documented += 1;
            if selected.contains_key(&text) {
                continue;
            }
            let mut count = 0;
            for (archive, text_of_games, games) in &archives {
                // The next archive too, if none was selected so far.
                if count > trials(0, usize::MAX, usize::MAX) {
                    break;
                }
                let file =
                    |_: &str| PositionSet::read(SICILIAN.as_bytes()).map_err(|it| it.to_string());
                let selection = Selection::parse_with(&text, file);
                let selection = selection.unwrap_or_else(|it| panic!("{text}: {it}"));
                let of_moves = selection.reads_moves();
                let reader = reader(archive, text_of_games).selection(selection);
                let numbers: BTreeSet<u64> = games.iter().map(|(number, _)| *number).collect();
                let found = reader.read_ahead().unwrap().map(|it| it.unwrap().game().number());
                let found: Vec<u64> = found.filter(|number| numbers.contains(number)).collect();
                // Facts of moves are missing in a rejected game; its tag pairs are there.
                let wanted =
                    games.iter().filter(|(_, game)| !(of_moves && game.is_rejected) && is(game));
                let wanted: Vec<u64> = wanted.map(|(number, _)| *number).collect();
                assert_eq!(found, wanted, "{text} of {archive}");
                count += found.len();
            }
            selected.insert(text, count);
        }
    }
    assert_eq!(selected.len(), all.len(), "in no document: {:?}", {
        all.keys().filter(|text| !selected.contains_key(**text)).collect::<Vec<_>>()
    });
    let some = selected.values().filter(|&&count| count > 0).count();
    assert!(documented > 60 && some * 10 > selected.len() * 8, "{documented}: {selected:?}");
}
