//! Third-party archives, read whole: every game found, every move validated or the exception stated, every byte in the
//! ledger.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{corpus, lines_that_begin, name_of, text_of};
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{self, Base, Consumer, JobResult, Rejects, RowKind, Settings};
use pgnmill_core::notation::{Notation, Ply};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Counts, Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_core::tasks::Validate;
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::Result;
use pgnmill_needs::needs;
use pgnmill_simd::Level;

/// Archives with rejected games: how many, and why.
const REJECTED: &[(&str, u64, Deviation)] = &[];

/// Archives whose games have no Event tag pair: another tag begins each.
const WITHOUT_EVENT: &[(&str, &str)] = &[("lichess-org-database_2017-05.pgn", "[Site \"")];

/// What a run came to.
#[derive(Debug, Default)]
struct Book {
    counts: Counts,
    text_bytes: u64,
    stored_bytes: u64,
    rejected_bytes: u64,
    rejects: Vec<u8>,
    faults: Vec<RowKind>,
}

impl Consumer<()> for Book {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(&mut self, _: &str, base: Base, result: &mut JobResult<()>, _: &Pool) -> Result<()> {
        let facts = &result.facts;
        assert_eq!(base.games, self.counts.games(), "games are numbered without a gap");
        self.counts.merge(&facts.counted.counts);
        self.text_bytes += facts.counted.text_bytes;
        self.rejected_bytes += facts.counted.rejected_bytes;
        self.rejects.extend_from_slice(&facts.rejects);
        facts.faults.visit(|fault| {
            self.faults.push(fault.kind);
            Ok(())
        })
    }

    fn progress(&mut self, stored_bytes: u64) {
        self.stored_bytes += stored_bytes;
    }
}

fn validate(path: &Path) -> Book {
    let settings = Settings {
        rejects: Rejects::Apart,
        faults: true,
        faults_max: u64::MAX,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        rules: pgnmill_core::chess::rules::RulesKind::Chess,
        options: Options::default(),
        threads: 2,
        level: Level::best(),
        selection: None,
    };
    let mut book = Book::default();
    let stop = AtomicBool::new(false);
    engine::run(&Validate, &settings, &[Input::Path(path.to_path_buf())], &mut book, &stop)
        .unwrap();
    book
}

fn check(path: &Path) {
    let (name, text, book) = (name_of(path), text_of(path), validate(path));
    let counts = &book.counts;
    let begins = WITHOUT_EVENT.iter().find(|entry| entry.0 == name);
    let begins = begins.map_or("[Event \"", |entry| entry.1);
    assert_eq!(counts.games(), lines_that_begin(&text, begins.as_bytes()), "{name}: games");

    let (rejected, why) = REJECTED
        .iter()
        .find(|entry| entry.0 == name)
        .map_or((0, None), |entry| (entry.1, Some(RowKind::Fault(entry.2))));
    assert_eq!(counts.rejected, rejected, "{name}: rejected, {:?}", book.faults);
    assert!(book.faults.iter().all(|&fault| Some(fault) == why), "{name}: {:?}", book.faults);

    assert_eq!(book.text_bytes, text.len() as u64, "{name}: bytes of text");
    assert_eq!(book.stored_bytes, path.metadata().unwrap().len(), "{name}: bytes stored");
    assert_eq!(book.rejected_bytes, book.rejects.len() as u64, "{name}: bytes rejected");
}

#[needs("../shared/corpora/lichess")]
#[test]
fn lichess() {
    corpus("lichess").iter().for_each(|path| check(path));
}

#[needs("../shared/corpora/otb")]
#[test]
fn over_the_board() {
    corpus("otb").iter().for_each(|path| check(path));
}

#[needs("../shared/corpora/engine")]
#[test]
fn engines() {
    corpus("engine").iter().for_each(|path| check(path));
}

#[needs("../shared/corpora/chess960")]
#[test]
fn chess960() {
    corpus("chess960").iter().for_each(|path| check(path));
}

#[needs("../shared/corpora/bench")]
#[test]
fn bench() {
    corpus("bench").iter().for_each(|path| check(path));
}

/// Checks that the spans are adjacent.
#[derive(Debug, Default)]
struct Surveyor {
    /// The end of the text reported so far.
    at: usize,
    start: usize,
    games: u64,
    rejected: u64,
    game_bytes: u64,
    between_bytes: u64,
}

impl ReplayVisitor for Surveyor {
    fn begin(&mut self, _: &[u8], start: usize, _: &TagSection, _: &'static dyn Notation) {
        assert_eq!(self.start + start, self.at);
    }

    fn ply(&mut self, text: &[u8], place: Range<usize>, _: &Ply<'_>, _: usize) {
        assert!(
            !place.is_empty() && place.end <= text.len() && self.start + place.start >= self.at
        );
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        assert_eq!(self.start + game.span.start, self.at);
        self.at = self.start + game.span.end;
        self.games += 1;
        self.rejected += u64::from(game.verdict == Verdict::Rejected);
        self.game_bytes += game.span.len() as u64;
    }

    fn between(&mut self, _: &[u8], place: Range<usize>) {
        assert_eq!(self.start + place.start, self.at);
        self.at = self.start + place.end;
        self.between_bytes += place.len() as u64;
    }
}

#[test]
fn every_byte_lies_in_one_game_or_between_two() {
    let folders = ["lichess", "otb", "engine", "chess960", "annotated", "pathological", "variants"];
    for path in folders.into_iter().flat_map(corpus) {
        let (name, text) = (name_of(&path), text_of(&path));
        let profile = Profile::lenient();
        let mut replayer = Replayer::new(&profile, None, History::Ignored);
        let mut survey = Surveyor::default();
        for (start, game) in Games::new(&text) {
            assert_eq!(survey.at, start, "{name}");
            survey.start = start;
            replayer.replay(game, &mut survey);
        }
        assert_eq!(survey.at, text.len(), "{name}");
        assert_eq!(survey.game_bytes + survey.between_bytes, text.len() as u64, "{name}");
        let book = validate(&path);
        // The pipeline's counts are these, except the deviations of a whole archive.
        let mut counts = book.counts.clone();
        for whole in Deviation::ALL.iter().filter(|odd| {
            let name = odd.name();
            name.starts_with("line-end-")
                || (name.starts_with("encoding-") && name != "encoding-bom")
        }) {
            counts.deviations[*whole as usize] = 0;
        }
        assert_eq!(counts, replayer.counts, "{name}");
        assert_eq!(book.counts.between_bytes, survey.between_bytes, "{name}");
        assert_eq!((book.counts.games(), book.counts.rejected), (survey.games, survey.rejected));
        assert_eq!(book.text_bytes, text.len() as u64, "{name}");
    }
}
