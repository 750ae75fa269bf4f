//! What an archive came to, and the consumer that collects it.
//!
//! In: the results of any task. Out: a [`Ledger`] for each archive.

use std::sync::OnceLock;

use pgnmill_columns::JobRows;
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, Facts};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::Counts;
use pgnmill_core::tasks::convert::Rewritten;
use pgnmill_core::tasks::measure::Measured;

/// What an archive came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub text_bytes: u64,
    pub rejected_bytes: u64,
    pub damaged_bytes: u64,
    pub counts: Counts,
    pub out: Vec<u8>,
    pub rejects: Vec<u8>,
    pub faults: Vec<Fault>,
}

/// A rejected game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: &'static str,
    pub offset: u64,
    pub line: u64,
    pub column: u64,
    pub game: u64,
    pub ply: u32,
    pub text: String,
    pub detail: String,
}

impl Ledger {
    /// The deviations that occurred, `name` or `name*3`, in the order of the list.
    pub fn deviations(&self) -> Vec<String> {
        let met = |&deviation: &Deviation| match self.counts.deviations[deviation as usize] {
            0 => None,
            1 => Some(deviation.name().to_string()),
            n => Some(format!("{}*{n}", deviation.name())),
        };
        Deviation::ALL.iter().filter_map(met).collect()
    }

    /// Accepted, repaired, rejected.
    pub fn verdicts(&self) -> (u64, u64, u64) {
        (self.counts.accepted, self.counts.repaired, self.counts.rejected)
    }

    /// Holds what must hold on any bytes: `text` is what the archive's text is known to be.
    #[track_caller]
    pub fn check(&self, text_bytes: usize, what: &str) {
        assert_eq!(self.text_bytes, text_bytes as u64, "{what}: every byte is read");
        assert!(self.counts.between_bytes <= self.text_bytes, "{what}");
        assert!(self.rejected_bytes <= self.text_bytes - self.counts.between_bytes, "{what}");
        let damages = self.counts.deviations[Deviation::FrameDamaged as usize];
        let rejects = self.faults.len() as u64 - damages;
        assert_eq!(rejects, self.counts.rejected, "{what}: a fault a reject");
        for fault in &self.faults {
            assert!(fault.offset <= self.text_bytes, "{what}");
            // Damage has the number of the game that comes next.
            let next = u64::from(fault.kind == Deviation::FrameDamaged.name());
            assert!(fault.game <= self.counts.games() + next, "{what}");
        }
    }
}

/// The part of any task, for a test that takes what there is of it.
pub trait AnyPart {
    /// New text, if the task writes some.
    fn rewritten(&mut self) -> Option<&mut Rewritten> {
        None
    }

    /// What was measured, if the task measures.
    fn measured(&self) -> Option<&Measured> {
        None
    }
}

impl AnyPart for () {}

impl AnyPart for JobRows {}

impl AnyPart for Rewritten {
    fn rewritten(&mut self) -> Option<&mut Rewritten> {
        Some(self)
    }
}

impl AnyPart for Measured {
    fn measured(&self) -> Option<&Measured> {
        Some(self)
    }
}

/// Consumes the results of any task.
pub trait AnyConsumer {
    fn begin(&mut self) {}

    fn result(&mut self, base: Base, facts: &mut Facts, part: &mut dyn AnyPart);
}

/// Takes everything.
#[derive(Debug, Default)]
pub(crate) struct Collect {
    pub(crate) ledgers: Vec<Ledger>,
}

impl AnyConsumer for Collect {
    fn begin(&mut self) {
        self.ledgers.push(Ledger::default());
    }

    fn result(&mut self, base: Base, facts: &mut Facts, part: &mut dyn AnyPart) {
        let ledger = self.ledgers.last_mut().expect("begun");
        assert_eq!(base.games, ledger.counts.games());
        let visited = facts.faults.visit(|row| {
            ledger.faults.push(Fault {
                kind: row.kind.name(),
                offset: base.offset + row.offset,
                line: base.lines + row.lines + 1,
                column: row.column + 1,
                game: base.games + row.game + 1,
                ply: row.ply,
                text: row.text.clone(),
                detail: row.reason(base.lines + row.lines + 1).into_owned(),
            });
            Ok(())
        });
        visited.expect("rows are unpacked");
        ledger.text_bytes += facts.counted.text_bytes;
        ledger.rejected_bytes += facts.counted.rejected_bytes;
        ledger.damaged_bytes += facts.counted.damaged_bytes;
        ledger.counts.merge(&facts.counted.counts);
        ledger.rejects.extend_from_slice(&facts.rejects);
        if let Some(rewritten) = part.rewritten() {
            ledger.out.extend_from_slice(&rewritten.text);
        }
    }
}

/// A pool of this many threads, the same at each call.
pub fn workers(threads: usize) -> &'static Pool {
    const POOLS: usize = 9;
    static KEPT: [OnceLock<Pool>; POOLS] = [const { OnceLock::new() }; POOLS];
    KEPT[threads].get_or_init(|| Pool::new(threads).expect("threads for workers"))
}
