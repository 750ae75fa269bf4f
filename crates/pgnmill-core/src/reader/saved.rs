//! An [`OwnedGame`] as bytes, so that it can be sent to another process.
//!
//! In: a game. Out: bytes, and the game again. Invariants: the game that is loaded is equal to the one that was saved;
//! any bytes give a game or `None`, and every move of a game is legal. The moves are not saved: the text is replayed.
//! Cost of loading: one replay.

use std::sync::Arc;

use pgnmill_state::{Loader, State, state};

use crate::notation;
use crate::pgn::deviation::{Class, Deviation, Profile};
use crate::replay::{History, Replayer, Verdict};

use super::owned::{Fault, Origin, OwnedGame};
use super::record::{GameRecord, Recorder};

/// The first byte: the version of the format.
const VERSION: u8 = 2;

/// The parts of a game that are saved.
#[derive(Debug)]
struct Saved {
    archive: String,
    classes: Vec<u8>,
    /// The name of the notation; empty if none was given.
    from: String,
    /// The name of the ruleset of games that name none.
    rules: String,
    offset: u64,
    number: u64,
    verdict: u8,
    has_been_read: bool,
    fault: Option<SavedFault>,
    text: Vec<u8>,
}
state!(Saved {
    archive,
    classes,
    from,
    rules,
    offset,
    number,
    verdict,
    has_been_read,
    fault,
    text
});

#[derive(Debug)]
struct SavedFault {
    kind: String,
    detail: String,
    text: String,
    offset: u64,
    line: u64,
    column: u64,
    ply: u32,
    fen: String,
}
state!(SavedFault { kind, detail, text, offset, line, column, ply, fen });

const CLASSES: [Class; 3] = [Class::Note, Class::Repair, Class::Fault];
const VERDICTS: [Verdict; 3] = [Verdict::Accepted, Verdict::Repaired, Verdict::Rejected];

impl OwnedGame {
    /// The game as bytes. The format is that of one version of the library.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Origin { archive, profile, from, rules } = &*self.origin;
        let class_of = |deviation: &Deviation| {
            let class = profile.class(*deviation);
            CLASSES.iter().position(|&it| it == class).unwrap_or_default() as u8
        };
        let verdict = VERDICTS.iter().position(|&it| it == self.record.verdict);
        let saved = Saved {
            archive: archive.clone(),
            classes: Deviation::ALL.iter().map(class_of).collect(),
            from: from.map_or_else(String::new, |from| from.info().name.to_string()),
            rules: rules.name().to_string(),
            offset: self.offset,
            number: self.number,
            verdict: verdict.unwrap_or_default() as u8,
            has_been_read: self.record.has_been_read,
            fault: self.fault.as_deref().map(|fault| SavedFault {
                kind: fault.kind.to_string(),
                detail: fault.detail.clone(),
                text: fault.text.clone(),
                offset: fault.offset,
                line: fault.line,
                column: fault.column,
                ply: fault.ply,
                fen: fault.fen.clone(),
            }),
            text: self.text.to_vec(),
        };
        let mut bytes = vec![VERSION];
        saved.save(&mut bytes);
        bytes
    }

    /// The game that was saved as these bytes; `None` if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<OwnedGame> {
        let mut from = Loader::new(bytes);
        if from.value::<u8>()? != VERSION {
            return None;
        }
        let saved: Saved = from.value()?;
        let fault = match saved.fault {
            None => None,
            Some(fault) => Some(Fault {
                kind: Deviation::from_name(&fault.kind)?.name(),
                detail: fault.detail,
                text: fault.text,
                offset: fault.offset,
                line: fault.line,
                column: fault.column,
                ply: fault.ply,
                fen: fault.fen,
            }),
        };
        let notation = match &*saved.from {
            "" => None,
            name => Some(notation::find(name)?),
        };
        let profile = profile(&saved.classes)?;
        let mut recorder = Recorder::default();
        let rules = saved.rules.parse().ok()?;
        let mut replayer = Replayer::new(&profile, notation, History::Ignored).with_rules(rules);
        let kind = fault.as_ref().and_then(|fault| Deviation::from_name(fault.kind));
        match (kind, &fault) {
            (Some(kind), Some(fault)) if !saved.has_been_read => {
                recorder.games.push(GameRecord::unread(saved.text.len(), kind, &fault.detail));
            }
            _ => {
                let is_cut = kind == Some(Deviation::GameCut);
                replayer.replay_one(&saved.text, 0, is_cut, &mut recorder);
            }
        }
        let mut record = recorder.games.pop()?;
        record.verdict = *VERDICTS.get(usize::from(saved.verdict))?;
        let span = record.span.clone();
        let (record, plies) = record.alone(&recorder.plies);
        let origin = Origin { archive: saved.archive, profile, from: notation, rules };
        Some(OwnedGame {
            text: saved.text.get(span)?.into(),
            record,
            plies,
            offset: saved.offset,
            number: saved.number,
            fault: fault.map(Box::new),
            origin: Arc::new(origin),
        })
    }
}

/// The profile with these classes, in the order of [`Deviation::ALL`].
fn profile(classes: &[u8]) -> Option<Profile> {
    let mut profile = Profile::lenient();
    if classes.len() != Deviation::ALL.len() {
        return None;
    }
    for (&deviation, &class) in Deviation::ALL.iter().zip(classes) {
        profile.set(deviation, *CLASSES.get(usize::from(class))?);
    }
    Some(profile)
}
