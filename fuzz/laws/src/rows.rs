//! Exports in this process: the ledger of each archive, with its rows as JSON lines.
//!
//! In: an [`Export`], archives. Out: a [`Ledger`] for each; its `out` is the file. Holds: games with rows and rejected
//! games are the games that were read, and the rows of the file are those that were counted.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use pgnmill_columns::Export;
use pgnmill_columns::{Format, JobRows, Output, PlacedRows, Table};
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{self, Base, Consumer, JobResult, Settings};
use pgnmill_core::notation::NOTATIONS;
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::Result;
use pgnmill_io::sink::Reservation;

use crate::ledger::{AnyConsumer, Collect, Ledger, workers};
use crate::scratch::Scratch;

/// The compression level of Parquet, which is not used.
const LEVEL: i32 = 1;

/// All columns of a table, and one of each notation.
pub fn everything(table: Table) -> &'static Export {
    static TABLES: [OnceLock<Export>; 2] = [const { OnceLock::new() }; 2];
    TABLES[table as usize].get_or_init(|| {
        let columns = table.select(&["all".to_string()], NOTATIONS).expect("known columns");
        Export {
            table,
            columns,
            partition_by: Vec::new(),
            plies: Default::default(),
            one_line: true,
            csv_safe: false,
            lines: Default::default(),
        }
    })
}

/// Writes the rows of each archive.
struct Exporter {
    export: Arc<Export>,
    folder: Scratch,
    collect: Collect,
    output: Option<Output>,
    games: u64,
}

impl Exporter {
    /// Ends the file of an archive, and adds it to the ledger.
    fn finish(&mut self, pool: &Pool) -> Result<()> {
        let Some(output) = self.output.take() else { return Ok(()) };
        let rows = output.rows_count();
        output.finish(Vec::new(), pool)?.publish()?;
        let ledger = self.collect.ledgers.last_mut().expect("begun");
        ledger.out = fs::read(self.folder.join("rows")).expect("it was published");
        let lines = ledger.out.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines as u64, rows, "a line per row");
        let (accepted, repaired) = (ledger.counts.accepted, ledger.counts.repaired);
        assert_eq!(self.games, accepted + repaired, "every game that is not rejected has its rows");
        let expected =
            if self.export.table == Table::Games { self.games } else { ledger.counts.plies };
        assert_eq!(rows, expected, "rows");
        Ok(())
    }
}

impl Consumer<JobRows> for Exporter {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.collect.begin();
        self.games = 0;
        let reserved = Reservation::all(&[self.folder.join("rows")], true)?.remove(0);
        self.output = Some(Output::open(reserved, Format::JsonLines, &self.export, LEVEL)?);
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<JobRows>,
        pool: &Pool,
    ) -> Result<()> {
        let JobResult { facts, part } = result;
        self.collect.result(base, facts, part);
        let output = self.output.as_mut().expect("begun");
        std::mem::take(part).pieces(|rows| {
            self.games += rows.games_count() as u64;
            output.add(PlacedRows::new("archive".to_string(), base, rows), pool)
        })
    }

    fn end(&mut self, _: &str, pool: &Pool) -> Result<()> {
        self.finish(pool)
    }
}

/// The ledger of each archive.
pub(crate) fn run(
    how: &Settings,
    export: &'static Export,
    inputs: &[Input],
) -> Result<Vec<Ledger>> {
    let mut exporter = Exporter {
        export: Arc::new(export.clone()),
        folder: Scratch::new(),
        collect: Collect::default(),
        output: None,
        games: 0,
    };
    let stop = AtomicBool::new(false);
    engine::run_on(workers(how.threads), export, how, inputs, &mut exporter, &stop)?;
    Ok(exporter.collect.ledgers)
}
