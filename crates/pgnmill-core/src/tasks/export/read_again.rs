//! The second replay of a game of very many plies.
//!
//! In: a [`LongGame`], which was accepted or repaired. Out: its rows, part by part. Invariants: as many rows as the
//! first replay has counted; after a part that is refused none is made. Cost: a replay ply by ply, on the thread that
//! writes.

use std::ops::Range;

use pgnmill_io::error::{Error, Result};

use crate::engine::{BlockVisitor, Task};
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{Game, NonPly, ReplayVisitor, TagSection};

use super::job_rows::JobRows;
use super::long_game::{LongGame, Sender};
use super::rows::Rows;
use super::visitor::{RowVisitor, Scratch};

impl LongGame {
    /// Replays it and calls `take` with its rows, part by part.
    ///
    /// # Errors
    /// Those of `take`.
    pub(super) fn parts(&self, take: &mut dyn FnMut(Rows) -> Result<()>) -> Result<()> {
        if self.rows_count == 0 {
            return take(self.of_game.clone());
        }
        let LongGame { export, reader, .. } = self;
        let (mut scratch, mut rows) = (Scratch::of_parts(self.part_plies), JobRows::default());
        let sender = Sender::new(self, take);
        let mut again = Again(RowVisitor::again(export, &mut scratch, &mut rows, sender));
        reader.replayer(export.history()).replay_at(&self.text, self.start, false, &mut again);
        let rows_count = match again.0.into_sender() {
            Some(Sender { failure: Some(failure), .. }) => return Err(failure),
            sender => sender.map_or(0, |sender| sender.rows_count),
        };
        // It was read before, with the same settings.
        match rows_count == self.rows_count {
            true => Ok(()),
            false => {
                Err(Error::usage("a bug in this program: a game that is read again has other rows"))
            }
        }
    }
}

/// The second replay of a game.
struct Again<'b>(RowVisitor<'b>);

impl ReplayVisitor for Again<'_> {
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.0.begin(text, start, tags, notation);
    }

    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.0.ply(text, span, ply, depth);
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.0.other_ply(text, span, ply, depth)
    }

    fn end(&mut self, text: &[u8], _: &Game<'_>) {
        self.0.end_again(text);
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.0.non_ply(text, span, kind);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use crate::engine::Pool;
    use pgnmill_io::archive::{Archive, Input, NamedSource};

    use super::super::long_game::{CONTEXT_BYTES, PartPlies};
    use super::super::request::Export;
    use super::*;
    use crate::chess::rules::RulesKind;
    use crate::engine::{Base, BlockGames, Consumer, Counted, JobResult, Settings, run};
    use crate::notation::LONG;
    use crate::pgn::deviation::Profile;
    use crate::select::{Selection, Share};
    use crate::tasks::export::{
        Buffer, Cutter, Group, PartitionKey, PlacedRows, PlyFilter, PlyNumbers, Table,
    };

    /// The task, with parts of so many plies.
    #[derive(Debug)]
    struct Parted(Export, usize);

    impl Task for Parted {
        type Context = Scratch;
        type Part = JobRows;

        fn history(&self) -> crate::replay::History {
            self.0.history()
        }

        fn visit(&self, games: BlockGames<'_, '_>, scratch: &mut Scratch, rows: &mut JobRows) {
            scratch.part_plies = PartPlies(self.1);
            self.0.visit(games, scratch, rows);
        }
    }

    /// What a run gives.
    #[derive(Default)]
    struct Found {
        cutter: Cutter,
        groups: Vec<Group>,
        folders: Vec<(String, usize)>,
        counted: Counted,
        faults: Vec<(u64, u32, String)>,
        games: usize,
        parts: usize,
        /// Fails after so many parts.
        parts_max: Option<usize>,
    }

    impl Consumer<JobRows> for Found {
        fn begin(&mut self, _: &Archive) -> Result<()> {
            Ok(())
        }

        fn result(
            &mut self,
            archive: &str,
            base: Base,
            result: &mut JobResult<JobRows>,
            _: &Pool,
        ) -> Result<()> {
            self.counted.merge(&result.facts.counted);
            result
                .facts
                .faults
                .visit(|row| {
                    self.faults.push((base.offset + row.offset, row.ply, row.text.clone()));
                    Ok(())
                })
                .unwrap();
            std::mem::take(&mut result.part).pieces(|rows| {
                self.parts += usize::from(rows.is_part());
                if self.parts_max.is_some_and(|max| self.parts > max) {
                    return Err(Error::interrupted());
                }
                self.games += rows.games_ended();
                let mut start = 0;
                for (game, &end) in rows.game_ends.iter().enumerate() {
                    let is_any = !rows.folders.rows.ends.is_empty();
                    let folder = is_any.then(|| rows.folder(game).into_owned());
                    let (folder, count) = (folder.unwrap_or_default(), end as usize - start);
                    match self.folders.last_mut() {
                        Some((last, sum)) if *last == folder => *sum += count,
                        _ => self.folders.push((folder, count)),
                    }
                    start = end as usize;
                }
                let rows = PlacedRows::new(archive.to_string(), base, rows);
                self.cutter.push(rows, &mut self.groups);
                Ok(())
            })
        }
    }

    /// Runs a task over a text; the values of each column of each group.
    fn run_on(text: &[u8], task: &Parted, settings: &Settings) -> (Vec<Vec<Buffer>>, Found) {
        let mut found = Found::default();
        let inputs = [Input::Named(NamedSource::bytes("a", text.to_vec()))];
        run(task, settings, &inputs, &mut found, &AtomicBool::new(false)).unwrap();
        found.groups.extend(found.cutter.finish());
        let columns = |group: &Group| {
            let columns = task.0.columns.iter().enumerate();
            columns.map(|(index, column)| group.column(index, column)).collect::<Vec<_>>()
        };
        let groups = found.groups.iter().map(columns).collect();
        (groups, found)
    }

    /// Games with everything on which values of plies depend.
    fn games() -> Vec<u8> {
        let tags = "[TimeControl \"180+2\"]\n[WhiteElo \"2000\"]\n[BlackElo \"x\"]\n";
        let mut text = String::new();
        let dance = ["Nf3", "Nf6", "Ng1", "Ng8"];
        for plies in [0, 1, 2, 3, 4, 5, 8, 9, 30] {
            text += &format!("[Event \"{plies}\"]\n{tags}\n");
            for ply in 0..plies {
                text += dance[ply % 4];
                text += match ply % 7 {
                    0 => "! {[%clk 0:01:30] [%eval 0.3]} ",
                    1 if ply % 2 == 0 => " {[%clk 0:01:20] good} (a3 {[%clk 0:00:01]}) $7 {more} ",
                    1 => " {[%clk 0:01:20] good} (a6 a3) {more} ",
                    2 => " {[%eval -1.2] [%clk 0:01:19.5]}\n",
                    3 => " {[%clk nonsense]} ",
                    4 => " ; to the end of the line [%clk 0:01:10]\n",
                    5 => " {[%emt 0:00:07]} $1 $2 ",
                    _ => " 7... ",
                };
            }
            text += ["1-0", "0-1 {after}", "1/2-1/2", "*"][plies % 4];
            text += "\n\n";
        }
        // A fault of the last ply; null moves; other letters; Black begins; another ruleset; without a result.
        let others = [
            "\n1. e4 e5 2. Nf3 Nc6 3. Ke4 1-0",
            "\n1. e4 -- 2. d4 {[%clk 0:01:00]} -- {[%clk 0:00:01]} 3. c4 e5 4. b4 d5 *",
            "\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 2. e4 Ke6 3. Ke2 Ke5 1/2-1/2",
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@d4 4. Nxd5 *",
            "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {not ended}\n",
            "\n1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 *",
            "\n1. e4 1-0 1. d4 d5 2. c4 c5 3. Nc3 *",
            "\n1. e4 1-0 % 1. d4 d5 2. c4 *\n1. e4 1-0 ; 1. a3 a6\n 1. d4 d5 2. c4 c5 *",
            "\n1. e4 e5 2. Nf3 Nc6\n\n1. d4 d5 2. c4 c5\n",
            "\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:02:00]} 2. Nf3 {open",
        ];
        // Comments of engines, of which one of the last decides whose view the first has.
        let engines = "\n1. e4 {-0.40/13 5} e5 {0.00/9 3} 2. Nf3 {+0.1/3 2s, pv=\"e4 e5\"} Nc6 {0.3/4 x} 3. Bb5 {-0.3/4 1} \
                       a6 {d=1, mt=2, n=3, pv=a6 b5, wv=0.9} 4. Ba4 {[%eval 0.1,9]} Nf6 {-0.5/3 1} 5. O-O {0.20/9 3} *";
        // Of the tag pair of the next game the text that is kept has only the beginning.
        let value = "{[%clk 0:00:09]} ".to_string() + &"x ".repeat(CONTEXT_BYTES);
        let cut = format!("\n1. e4 e5 2. Nf3 Nc6 [Site \"{value}\"] 1. d4 d5 2. c4 c5 *");
        let others = others.iter().copied().chain([engines, cut.as_str()]);
        for (number, other) in others.enumerate() {
            text += &format!("[Event \"other {number}\"]\n[Site \"?\"]\n{other}\n\n");
        }
        text.into_bytes()
    }

    fn exports() -> Vec<Export> {
        let numbers = |text| PlyNumbers::read(text);
        let all = ["all".to_string()];
        let lines = ["san", "uci", "ply", "mover", "clock_ms", "spent_ms"].map(String::from);
        let share = Some(Share::of(0.4, 7));
        let export = |columns: &[String], plies, keys: &[&str]| Export {
            table: Table::Plies,
            columns: Table::Plies.select(columns, &[LONG]).unwrap(),
            partition_by: keys.iter().map(|key| PartitionKey::find(key).unwrap()).collect(),
            plies,
            one_line: false,
            csv_safe: false,
            lines: Default::default(),
        };
        vec![
            export(&all, PlyFilter::default(), &[]),
            export(&lines, PlyFilter::default(), &[]),
            export(&["ply".to_string()], PlyFilter::default(), &[]),
            export(&all, PlyFilter { numbers: numbers("3..9"), share: None }, &["outcome"]),
            export(&all, PlyFilter { numbers: numbers("40.."), share: None }, &[]),
            export(&all, PlyFilter { numbers: None, share }, &["outcome", "WhiteElo"]),
        ]
    }

    /// Rows, groups, folders, counts and faults do not depend on the number of plies of a part, which is of no
    /// matter to any game at 1,000; with any number of threads and with a selection.
    #[test]
    fn rows_do_not_depend_on_parts() {
        let text = games();
        let selection = |text| Some(Arc::new(Selection::parse(text).unwrap()));
        let mut profile = Profile::lenient();
        profile.allow(Deviation::NullMoveMainLine);
        for export in exports() {
            let chess = RulesKind::Chess;
            for (threads, chosen, rules) in [
                (1, None, chess),
                (3, None, chess),
                (2, selection("ply_count > 3"), chess),
                // The rules of games that name none.
                (2, None, RulesKind::of_tag(b"Crazyhouse").unwrap()),
            ] {
                let settings = Settings {
                    threads,
                    selection: chosen,
                    rules,
                    faults: true,
                    profile: profile.clone(),
                    ..Settings::default()
                };
                let (wanted, whole) = run_on(&text, &Parted(export.clone(), 1_000), &settings);
                assert!(whole.games > 4 && whole.parts == 0);
                // Those of an illegal move, of an open comment and of a long tag pair.
                assert!(rules != chess || whole.counted.counts.rejected <= 3, "{:?}", whole.faults);
                for plies in [1, 2, 3, 4, 5, 7, 8, 29, 30, 31] {
                    let (groups, found) = run_on(&text, &Parted(export.clone(), plies), &settings);
                    assert_eq!(groups, wanted, "{plies}");
                    assert_eq!(found.folders, whole.folders);
                    assert_eq!(found.counted, whole.counted);
                    assert_eq!(found.faults, whole.faults);
                    assert_eq!(found.games, whole.games);
                    let is_sparse = found.folders.iter().all(|(_, count)| *count == 0);
                    assert_eq!(found.parts == 0, plies > 29 || is_sparse, "{plies}");
                }
            }
        }
    }

    /// What stops a run stops it within a game: no further part is made.
    #[test]
    fn a_part_that_is_refused_is_the_last() {
        let (text, export) = (games(), exports().remove(0));
        let inputs = [Input::Named(NamedSource::bytes("a", text))];
        for parts_max in [0, 1, 2, 6] {
            let mut found = Found { parts_max: Some(parts_max), ..Found::default() };
            let settings = Settings { threads: 2, ..Settings::default() };
            let task = Parted(export.clone(), 2);
            let ran = run(&task, &settings, &inputs, &mut found, &AtomicBool::new(false));
            assert!(ran.is_err());
            assert_eq!(found.parts, parts_max + 1);
        }
    }
}
