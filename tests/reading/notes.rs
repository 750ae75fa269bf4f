//! The list of notes and repairs: each has the text at its span, and its canonical text ends the deviation.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::common::{
    Dice, SAMPLE, SOURCES, Scratch, corpus, here, mutations, name_of, run_in, text_of, trials,
};
use pgnmill_core::notation::{Notation, Ply};
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::replay::{
    Game, History, NOTES_PER_GAME_MAX, Occurrence, ReplayVisitor, Replayer, TagSection, Verdict,
};
use pgnmill_io::archive::games::Games;

/// The verdict of each game, its plies, its notes.
#[derive(Default)]
struct Collected {
    games: Vec<(Verdict, u32, Vec<Occurrence>)>,
    omitted: u64,
}

impl ReplayVisitor for Collected {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.games.push((game.verdict, game.plies, game.notes.to_vec()));
        self.omitted += game.notes_omitted;
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn collect(text: &[u8]) -> Collected {
    let profile = Profile::lenient();
    let mut collected = Collected::default();
    let mut replayer = Replayer::new(&profile, None, History::Ignored).with_notes();
    replayer.replay(text, &mut collected);
    collected
}

fn archives() -> Vec<PathBuf> {
    let folders =
        ["annotated", "chess960", "engine", "lichess", "localized", "otb", "pathological"];
    let mut archives = vec![here(SAMPLE), here(SOURCES)];
    archives.extend(folders.into_iter().flat_map(corpus));
    archives.retain(|path| fs::metadata(path).is_ok_and(|metadata| metadata.len() < 3 << 20));
    archives
}

/// A deviation of a move's text: it has a canonical text.
fn is_of_move(noted: &Occurrence) -> bool {
    use Deviation::*;
    let others = [TagAfterMoves, GamesRunTogether, ResultStuck];
    noted.class == Class::Repair && noted.ply > 0 && !others.contains(&noted.kind)
}

/// A suffix that a conversion removes: it has no canonical text.
fn is_removed(noted: &Occurrence) -> bool {
    use Deviation::*;
    let of_suffixes =
        [SuffixPunctuation, CheckMarkStyle, CheckMarkExtra, EnPassantMark, CaptureMarkExtra];
    noted.canonical.is_empty() && of_suffixes.contains(&noted.kind)
}

/// Texts that show many deviations, for machines without the corpora.
const ODD: &str = "[Event \"x\"]\n\n1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. B:c4?? *\n\n\
    [Event \"x\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf7 1-0\n\n\
    [Event \"x\"]\n\n1. e4 f5 3. Qh5 g6 3. Nf3 gh5 4. Ne5+ 0-1\n\n\
    [Event \"x\"]\n\n1. Pe4 d5 2. exd Nf6 (2... e6 3. d:e6 Bxe6++) 3. Bb5+ c6 4. dc6 bxc6 5. Bf1 1/2\n\n\
    [Event \"x\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 o-o 5. d4 d5 6. Nb1d2 1-0\n\n\
    [Event \"x\"]\n\n1. Sf3 Sf6 2. g3 g6 3. Lg2 Lg7 4. 0-0 O-O 5. d4+ d5 7. Dd2 1-0\n\n\
    [Event \"x\"]\n\n1. e4 e5 2. d4 Bb4 + 3. c3 exd4, 4. cxb4 d5 5. e5 f5 6. exf6 e.p. gxf6 7. Qh5 † {this keeps the last note away from the next game} 1-0\n";

#[test]
fn the_canonical_text_ends_the_deviation() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    let mut texts = vec![("odd".to_string(), ODD.as_bytes().to_vec())];
    texts.extend(archives().iter().map(|path| (name_of(path), text_of(path))));
    for (name, text) in texts {
        let mut tried: BTreeMap<&str, u32> = BTreeMap::new();
        for (_, section) in Games::new(&text) {
            let collected = collect(section);
            for (at, (verdict, plies, notes)) in collected.games.iter().enumerate() {
                assert!(*verdict != Verdict::Rejected || notes.is_empty());
                assert!(notes.is_sorted_by_key(|noted| noted.text.start), "{name}: {notes:?}");
                for noted in notes {
                    let left_out = is_removed(noted);
                    let known = left_out || !noted.canonical.is_empty();
                    assert!(known || !is_of_move(noted), "{name}: {noted:?}");
                    let tries = tried.entry(noted.kind.name()).or_default();
                    if !known || *tries > 30 {
                        continue;
                    }
                    *tries += 1;
                    let Range { start, end } = noted.text;
                    let canonical = noted.canonical.as_bytes();
                    let new = [&section[..start], canonical, &section[end..]].concat();
                    let again = collect(&new);
                    let (found, again_plies, notes) = &again.games[at];
                    let what = format!("{name}: {noted:?} in {}", section.escape_ascii());
                    assert!(*found != Verdict::Rejected && again_plies == plies, "{what}");
                    let same =
                        |other: &&Occurrence| other.kind == noted.kind && other.text.start == start;
                    assert!(notes.iter().find(same).is_none(), "{what}: {notes:?}");
                    *met.entry(noted.kind.name()).or_default() += 1;
                }
            }
        }
    }
    for kind in
        ["long-form", "check-mark-missing", "check-mark-extra", "castling-zeros", "result-style"]
    {
        assert!(met.contains_key(kind), "{met:?}");
    }
    assert!(met.len() >= 12, "{met:?}");
}

/// Rows of a table: the fields of each.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fields = |record: csv::StringRecord| record.iter().map(str::to_string).collect();
    reader.records().map(|record| fields(record.unwrap())).collect()
}

#[test]
fn the_table_is_the_same_from_every_container_and_quotes_the_text() {
    let scratch = Scratch::new();
    let mut text = ODD.repeat(40).into_bytes();
    // A game that is rejected has no rows; text between games has none.
    text.extend_from_slice(
        b"[Event \"x\"]\n\n1. e2e4 Ke4 *\n\nwords\n\n[White \"A, \"\"B\"]\n\n1. e4 *\n",
    );
    let frames: Vec<u8> =
        text.chunks(5_001).flat_map(|piece| zstd::bulk::compress(piece, 3).unwrap()).collect();
    scratch.write("a/x", &text);
    scratch.write("b/x", &frames);
    let mut tables = Vec::new();
    for (folder, threads) in [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"), ("-", "2")] {
        let input = if folder == "-" { "-" } else { "x" };
        let directory = scratch.join(if folder == "-" { "a" } else { folder });
        let args = ["validate", "-q", "--threads", threads, "--overwrite", "--notes", "n.csv"];
        let small = ["--block-bytes", "700", "--range-bytes", "3000", "--summary", "s.csv", input];
        let output = run_in(&directory, &[&args[..], &small].concat(), &text);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let table = fs::read_to_string(directory.join("n.csv")).unwrap();
        tables.push(table.replace("\nstandard input,", "\nx,"));
    }
    assert!(tables.iter().all(|table| *table == tables[0]));
    let header = "archive,byte_offset,line,column,game,ply,kind,class,written,canonical,event,site,white,black\n";
    assert!(tables[0].starts_with(header));
    let rows = rows(&tables[0]);
    let number = |row: &[String], at: usize| row[at].parse::<usize>().unwrap();
    assert!(rows.is_sorted_by_key(|row| number(row, 1)));
    let rejected = memchr::memmem::find(&text, b"Ke4").unwrap();
    for row in &rows {
        let (at, written) = (number(row, 1), row[8].as_bytes());
        assert!(text[at..].starts_with(written), "{row:?}");
        assert!(!(rejected - 30..rejected + 8).contains(&at), "{row:?}");
        let before = String::from_utf8_lossy(&text[..at]);
        assert_eq!(number(row, 2), before.matches('\n').count() + 1, "{row:?}");
        assert_eq!(number(row, 3), at - before.rfind('\n').map_or(0, |end| end + 1) + 1, "{row:?}");
    }
    for (kind, written, canonical) in [
        ("check-mark-missing", "Qf7", "Qxf7#"),
        ("long-form", "e2e4", "e4"),
        ("move-number-wrong", "3.", "2."),
        ("castling-zeros", "0-0", "O-O"),
        ("result-style", "1/2", "1/2-1/2"),
        ("check-mark-extra", "Bxe6++", "Bxe6"),
        ("pawn-capture-short", "exd", "exd5"),
    ] {
        let is_it = |row: &&Vec<String>| row[6] == kind && row[8] == written;
        let found = rows.iter().find(is_it).map_or("no row", |row| &row[9]);
        assert_eq!(found, canonical, "{kind} {written}");
    }
    // Where no game is rejected, the rows equal the counts.
    scratch.write("c/x", &text[..ODD.len()]);
    let args = ["validate", "-q", "--notes", "n.csv", "--summary", "s.csv", "x"];
    drop(run_in(&scratch.join("c"), &args, b""));
    let counted = fs::read_to_string(scratch.join("c/s.csv")).unwrap();
    let listed = fs::read_to_string(scratch.join("c/n.csv")).unwrap();
    let rejected = counted.contains("\nrejected,0\n");
    for line in
        counted.lines().filter(|line| line.starts_with("note:") || line.starts_with("repair:"))
    {
        let (key, count) = line.split_once(',').unwrap();
        let (class, kind) = key.split_once(':').unwrap();
        let found =
            self::rows(&listed).iter().filter(|row| row[6] == kind && row[7] == class).count();
        assert!(!rejected || found.to_string() == count, "{line}: {found}");
    }
    assert!(rejected, "{counted}");
}

/// A game of a million notes has as many rows as are listed, and the number of the others; adjacent games have theirs.
#[test]
fn a_game_of_many_notes_is_bounded() {
    let shuffle = "7. Nf3 Nf6 8. Ng1 Ng8 ";
    let game = format!("[Event \"long\"]\n\n{}*\n\n", shuffle.repeat(NOTES_PER_GAME_MAX));
    let short = "[Event \"short\"]\n\n1. e2e4 *\n\n";
    let text = [short, &game, short].concat();
    let collected = collect(text.as_bytes());
    let lens: Vec<usize> = collected.games.iter().map(|game| game.2.len()).collect();
    assert_eq!((lens[1], lens.len()), (NOTES_PER_GAME_MAX, 3));
    assert!(lens[0] > 0 && lens[0] == lens[2]);
    // The roster is incomplete; of each four plies two are numbered, one of all rightly.
    let all = 1 + 2 * NOTES_PER_GAME_MAX as u64;
    assert!(
        (all - 4..=all).contains(&(collected.omitted + NOTES_PER_GAME_MAX as u64)),
        "{}",
        collected.omitted
    );
    let scratch = Scratch::new();
    scratch.write("x.pgn", text.as_bytes());
    let output = run_in(scratch.path(), &["validate", "-q", "--notes", "n.csv", "x.pgn"], b"");
    assert_eq!(output.status.code(), Some(0));
    let rows = rows(&fs::read_to_string(scratch.join("n.csv")).unwrap());
    let last = rows.iter().position(|row| row[6] == "left-out").unwrap();
    assert_eq!(rows[last][8], collected.omitted.to_string());
    assert_eq!((rows[last][4].as_str(), rows[last + 1][4].as_str()), ("2", "3"));
    assert_eq!(rows.len(), lens.iter().sum::<usize>() + 1);
}

/// The kind of a fault or note, where it is, and its ply.
type Place = (String, usize, u32);

/// The spans of the games of a text, the end of the first ply of the main line, and where their faults and notes are.
#[derive(Default)]
struct Places {
    games: Vec<(Range<usize>, Option<usize>, Vec<Place>)>,
    first_ply_end: Option<usize>,
}

impl ReplayVisitor for Places {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.first_ply_end = None;
    }

    fn ply(&mut self, _: &[u8], span: Range<usize>, _: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.first_ply_end.get_or_insert(span.end);
        }
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let name = |kind: Deviation| kind.name().to_string();
        let notes = game.notes.iter().map(|noted| (name(noted.kind), noted.text.start, noted.ply));
        let fault = game.fault.iter().map(|fault| (name(fault.kind), fault.text.start, fault.ply));
        self.games.push((game.span.clone(), self.first_ply_end, notes.chain(fault).collect()));
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Every row of the faults and of the notes is at a byte of its game, in archives that are mutated at random and in
/// those that others left; also under a strict profile. Its ply is 0 only before the end of the first ply.
#[test]
fn every_fault_and_note_is_at_a_byte_of_its_game() {
    let (lenient, strict) = (Profile::lenient(), Profile::strict());
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    let mut check = |name: &str, text: &[u8]| {
        for profile in [&lenient, &strict] {
            let mut places = Places::default();
            let mut replayer = Replayer::new(profile, None, History::Ignored).with_notes();
            replayer.replay(text, &mut places);
            for (span, first_ply_end, rows) in places.games {
                for (kind, at, ply) in rows {
                    let shown = text[span.clone()].escape_ascii();
                    assert!(span.contains(&at), "{name}: {kind} at {at} of {span:?}: {shown}");
                    let is_later = first_ply_end.is_some_and(|end| at > end);
                    assert!(ply > 0 || !is_later, "{name}: {kind} at {at} has no ply: {shown}");
                    *met.entry(kind).or_default() += 1;
                }
            }
        }
    };
    for path in archives() {
        for (_, section) in Games::new(&text_of(&path)) {
            check(&name_of(&path), section);
        }
    }
    let mut dice = Dice::new(41);
    for _ in 0..trials(3_000, 3_000, 60_000) {
        let mut text = mutations::mixture(&mut dice);
        mutations::mutate(&mut text, &mut dice);
        for (_, section) in Games::new(&text) {
            check("mutated", section);
        }
    }
    for kind in ["variation-unclosed", "result-missing", "game-without-moves", "games-run-together"]
    {
        assert!(met.contains_key(kind), "{kind}: {met:?}");
    }
}

/// `explain --at` shows the game of a row.
#[test]
fn the_game_of_a_row_is_explained_at_its_offset() {
    let scratch = Scratch::new();
    let text = "[Event \"1\"]\n\n1. e4 (1. d4 *\n\n[Event \"2\"]\n\n1. e4\n\n[Event \"3\"]\n\n*\n\n\
                [Event \"4\"]\n\n1. e4 *[Event \"5\"]\n\n1. Ke3 *\n\n1. e4 1-0\n1. d4 d5 *\n1. e4 {open";
    let odd = [text, ODD].join("\n\n");
    scratch.write("a.pgn", odd.as_bytes());
    scratch.write("end.pgn", text.as_bytes());
    for archive in ["a.pgn", "end.pgn"] {
        let args =
            ["validate", "-q", "--overwrite", "--faults", "f.csv", "--notes", "n.csv", archive];
        assert_eq!(run_in(scratch.path(), &args, b"").status.code(), Some(1));
        let mut explained = 0;
        for table in ["f.csv", "n.csv"] {
            for row in rows(&fs::read_to_string(scratch.join(table)).unwrap()) {
                let args = ["explain", "--at", &row[1], "--format", "json", archive];
                let output = run_in(scratch.path(), &args, b"");
                let shown = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(shown.contains(&format!("\"game\":{},", row[4])), "{row:?}: {shown}");
                explained += 1;
            }
        }
        assert!(explained > 8, "{explained}");
    }
}

/// `0.5-0.5` is read as `½-½` is: as a result with a note, which ends the game, at any place where a number could be.
#[test]
fn a_draw_in_decimals_is_a_draw() {
    let sample = String::from_utf8(text_of(&here(SAMPLE))).unwrap();
    let end = sample.match_indices("\n\n[Event ").nth(600).unwrap().0 + 2;
    let spelled = |result: &str| sample[..end].replace(" 1/2-1/2\n", &format!(" {result}\n"));
    let known = |games: Collected| {
        let kinds = |notes: &[Occurrence]| notes.iter().map(|note| note.kind).collect::<Vec<_>>();
        games.games.iter().map(|(verdict, plies, notes)| (*verdict, *plies, kinds(notes))).collect()
    };
    let [half, decimal] =
        ["½-½", "0.5-0.5"].map(|result| -> Vec<_> { known(collect(spelled(result).as_bytes())) });
    assert!(half == decimal && half.len() == 601);
    let notes = half.iter().filter(|(_, _, notes)| notes.contains(&Deviation::ResultStyle));
    assert_eq!(notes.count(), sample[..end].matches(" 1/2-1/2\n").count());
    // Games without tag pairs are divided by their results; after comments, variations, numbers.
    for (text, plies) in [
        ("1. e4 e5 0.5-0.5 1. d4 0.5-0.5 1. c4 *", &[2, 1, 1][..]),
        ("1. e4 {x}0.5-0.5\n\n0.5-0.5 1. d4 d5 (1... c5) 0.5-0.5(1. c4)", &[1, 0, 2]),
        ("1. e4 e5 2. 0.5-0.5", &[2]),
    ] {
        let found: Vec<u32> = collect(text.as_bytes()).games.iter().map(|game| game.1).collect();
        assert_eq!(found[..plies.len()], *plies, "{text}");
    }
}
