//! The shared vectors, the games of the source documents, and other programs' files.

use std::collections::BTreeMap;

use pgnmill_core::chess::Position;
use pgnmill_core::notation::Check;
use pgnmill_needs::needs;

use crate::common::games::{Moment, position, registered, shared, shared_text, uci};

/// One row of the vectors.
struct Row {
    notation: String,
    origin: String,
    fen: String,
    uci: String,
    text: String,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(shared("spec/vectors.tsv")).unwrap();
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_string);
        let mut next = || fields.next().unwrap();
        Row { notation: next(), origin: next(), fen: next(), uci: next(), text: next() }
    };
    text.lines().skip(1).map(row).collect()
}

/// A vector's text as written in movetext: without spaces, a location after a slash.
fn in_movetext(row: &Row) -> String {
    let text = row.text.replace(' ', "");
    if row.notation != "descriptive" || text.contains('=') {
        return text;
    }
    text.replace('(', "/").replace(')', "")
}

/// The moments of the Immortal Game, by board and side to move.
fn immortal_moments() -> BTreeMap<String, Moment> {
    let mut moments = BTreeMap::new();
    let mut moment = Moment::start(Position::initial());
    for text in immortal_texts() {
        moments.insert(board(&moment.position.to_fen()), moment);
        let reading = registered("geographical").read(text.as_bytes(), &moment.position).unwrap();
        moment = moment.after(reading.mv);
    }
    moments
}

fn board(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[needs("../shared/spec/vectors.tsv")]
#[needs("../shared/sources")]
#[test]
fn the_vectors_hold_both_ways() {
    let rows = rows();
    let immortal = immortal_moments();
    let (mut counts, mut nine) = (BTreeMap::<String, [usize; 2]>::new(), 0);
    for row in &rows {
        if row.notation == "chess99" && board(&row.fen).matches('/').count() == 8 {
            nine += 1;
            continue;
        }
        let notation = registered(&row.notation);
        let moment = if notation.needs_lineage() {
            immortal[&board(&row.fen)]
        } else {
            Moment::start(position(&row.fen))
        };
        let mv = uci(&moment.position, &row.uci);
        let count = counts.entry(row.notation.clone()).or_default();
        let where_ = format!("{}: {} {}", row.notation, row.fen, row.text);
        for text in [row.text.clone(), in_movetext(row)] {
            let lineage = moment.lineage.as_ref();
            let read = notation.read_in(text.as_bytes(), &moment.position, lineage);
            let reading = read.unwrap_or_else(|e| panic!("{where_}: {}", e.name()));
            assert_eq!(reading.mv, mv, "{where_}");
            let check = Check::of(&moment.position.play(mv));
            assert_eq!(reading.check_suffix.deviation(check), None, "{where_}");
        }
        count[0] += 1;
        // Books add more than is required.
        if !row.origin.starts_with("book") {
            assert_eq!(moment.write(notation, mv), in_movetext(row), "{where_}");
            count[1] += 1;
        }
    }
    for (notation, [read, written]) in &counts {
        println!("{notation}: {read} read, {written} written");
    }
    println!("nine-by-nine boards, left for later: {nine}");
    assert_eq!(nine, 30);
    assert_eq!(counts.values().map(|count| count[0]).sum::<usize>() + nine, rows.len());
}

/// The texts of the Immortal Game in the fourth source document, without its spaces.
fn immortal_texts() -> Vec<String> {
    let page = shared_text("sources", "003");
    let start = page.find("White      Black").expect("the game's head");
    let end = start + page[start..].find("1-0").expect("the game's end");
    let mut texts = Vec::new();
    for line in page[start..end].lines().skip(1) {
        let mut line = line.to_string();
        while let (Some(open), Some(close)) = (line.find('('), line.find(')')) {
            line.replace_range(open..=close, "");
        }
        let Some((_, moves)) = line.split_once('.') else { continue };
        // `3. ...` replaces the move of the other column.
        let moves = moves.replace("...", " ");
        texts.extend(split_columns(&moves));
    }
    texts
}

/// A line of two columns: a new text begins at each capital without an `x` before it.
fn split_columns(moves: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for character in moves.chars().filter(|c| !c.is_whitespace()) {
        let taken = texts.last().is_some_and(|text| text.ends_with('x'));
        if character.is_ascii_uppercase() && !taken {
            texts.push(String::new());
        }
        texts.last_mut().expect("a line begins with a man").push(character);
    }
    texts
}

#[needs("../shared/sources")]
#[test]
fn the_immortal_game_is_geographical_as_its_author_wrote_it() {
    let texts = immortal_texts();
    let geographical = registered("geographical");
    let mut position = Position::initial();
    for (ply, text) in texts.iter().enumerate() {
        let mv = geographical.decode(&position, text.as_bytes());
        let mv = mv.unwrap_or_else(|e| panic!("ply {}: {text}: {e:?}", ply + 1));
        let written = Moment::start(position).write(geographical, mv);
        assert_eq!(&written, text, "ply {}", ply + 1);
        position = position.play(mv);
    }
    assert_eq!(texts.len(), 45);
    assert!(position.is_checkmate());
    println!("Immortal Game: {} plies written and read as in the source", texts.len());
}

#[needs("../shared/sources")]
#[test]
fn the_game_against_the_world_is_canonical_san() {
    let page = shared_text("sources", "000");
    let start = page.find("1. e4 c5 2. Nf3 d6").expect("the game");
    let end = start + page[start..].find("1-0").expect("its end");
    let mut moment = Moment::start(Position::initial());
    let san = registered("san");
    let mut plies = 0;
    for text in page[start..end].split_whitespace().filter(|word| !word.ends_with('.')) {
        let mv = san.decode(&moment.position, text.as_bytes());
        let mv = mv.unwrap_or_else(|e| panic!("ply {}: {text}: {e:?}", plies + 1));
        assert_eq!(moment.write(san, mv), text);
        moment = moment.after(mv);
        plies += 1;
    }
    assert_eq!(plies, 123);
    println!("Kasparov against the World: {plies} plies of canonical SAN");
}

/// The moves of one game file: words of the main line.
fn main_line(text: &str) -> Vec<String> {
    let (mut depth, mut comment, mut words) = (0, false, Vec::new());
    for word in text.lines().filter(|line| !line.starts_with('[')).flat_map(str::split_whitespace) {
        comment |= word.starts_with('{');
        depth += i32::from(!comment && word.starts_with('('));
        let number = word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
        let other = word.starts_with('$') || word.contains('/') || number;
        if !comment && depth == 0 && !other {
            words.push(word.to_string());
        }
        comment &= !word.contains('}');
        depth -= i32::from(!comment && word.ends_with(')'));
    }
    words
}

#[needs("../shared/corpora/localized/pgn-extract-notations")]
#[test]
fn pgn_extract_writes_the_same() {
    let folder = shared("corpora/localized/pgn-extract-notations");
    let files = [("san-de", "deutsch"), ("elalg", "elalg"), ("halg", "halg"), ("lalg", "lalg")];
    let mut games = Vec::new();
    for (name, file) in files.into_iter().chain([("xlalg", "xlalg"), ("uci", "uci")]) {
        let path = folder.join(format!("test-WW{file}-out.pgn"));
        let words = main_line(&std::fs::read_to_string(path).unwrap());
        let (notation, mut moment) = (registered(name), Moment::start(Position::initial()));
        let mut moves = Vec::new();
        for word in &words {
            let mv = notation.decode(&moment.position, word.as_bytes());
            let mv = mv.unwrap_or_else(|e| panic!("{name}: {word}: {e:?}"));
            assert_eq!(&moment.write(notation, mv), word, "{name}");
            moment = moment.after(mv);
            moves.push(mv);
        }
        assert!(moves.len() > 60, "{name}: {} plies", moves.len());
        println!("{name}: {} plies as pgn-extract writes them", moves.len());
        games.push(moves);
    }
    assert!(games.windows(2).all(|pair| pair[0] == pair[1]), "it is the same game");
}
