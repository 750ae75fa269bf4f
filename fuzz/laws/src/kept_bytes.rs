//! Kept bytes: what is not rewritten is written as it was read, beside games that are left out or kept as rejects.
//!
//! In: any text, and a notation. Out: what breaks one of these laws, in words:
//!
//! * rejects that are kept: what is not repaired is written as it was read, and nothing else is;
//! * rejects apart: theirs are the bytes of the rejected games, in order, and the output has those of the others;
//! * to a notation and back: the output is that of a conversion to SAN, whatever is left out or kept;
//! * a conversion of what a conversion wrote changes nothing.

use std::ops::Range;

use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, Verdict};
use pgnmill_io::archive::games::Games;

use crate::joins::join;
use crate::scratch::Scratch;
use crate::support::{Convert, Task, ledger_of, run_of};

/// A piece of the text as it is read.
#[derive(Debug)]
struct Part {
    span: Range<usize>,
    /// `None`: text between games.
    verdict: Option<Verdict>,
}

#[derive(Default)]
struct Parts {
    start: usize,
    found: Vec<Part>,
}

impl ReplayVisitor for Parts {
    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let span = self.start + game.span.start..self.start + game.span.end;
        self.found.push(Part { span, verdict: Some(game.verdict) });
    }

    fn between(&mut self, _: &[u8], place: Range<usize>) {
        let span = self.start + place.start..self.start + place.end;
        self.found.push(Part { span, verdict: None });
    }
}

fn parts(text: &[u8], to: &'static dyn Notation) -> Vec<Part> {
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::of(to)).writing(Some(to));
    let mut parts = Parts::default();
    for (start, game) in Games::new(text) {
        parts.start = start;
        replayer.replay(game, &mut parts);
    }
    parts.found
}

/// The output of a conversion, and its rejects; `None` where the text is no archive.
fn converted(
    folder: &Scratch,
    text: &[u8],
    to: &'static dyn Notation,
    rejects: Rejects,
) -> Option<[Vec<u8>; 2]> {
    let task = Convert::to(to);
    let how = run_of(Task::Convert(task.clone()), rejects).settings;
    join(folder, (&task, &how), &[folder.put("archive", text)], false)
}

/// May the bytes have been put between two pieces that were not adjacent?
fn is_joint(bytes: &[u8]) -> bool {
    let mut words = bytes.split(|byte| *byte <= b' ').filter(|word| !word.is_empty());
    words.all(|word| {
        matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2" | b"[Event" | b"\"?\"]" | b"{}")
    })
}

/// Are these pieces the text, in order, with nothing but joints between them? `None` is any text.
fn is_joined(out: &[u8], pieces: &[Option<&[u8]>]) -> bool {
    // Where the text of the pieces so far can end.
    let (mut ends, mut is_any) = (vec![0], false);
    for piece in pieces {
        let Some(piece) = piece else {
            is_any = true;
            continue;
        };
        let follows = |&at: &usize| {
            let before = |&end: &usize| end <= at && (is_any || is_joint(&out[end..at]));
            out[at..].starts_with(piece) && ends.iter().any(before)
        };
        let found = (0..=out.len()).filter(follows).map(|at| at + piece.len());
        (ends, is_any) = (found.collect(), false);
    }
    ends.iter().any(|&end| is_any || is_joint(&out[end..]))
}

/// Known exceptions, where a joint is put though nothing would run together: after a game without an end that begins
/// within a line, leaves a variation open or contains a comment with an opening brace.
fn is_exception(text: &[u8], parts: &[Part]) -> bool {
    let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let is_within_line = |part: &Part| {
        let before = text[..part.span.start].iter().rev();
        let mut line = before.take_while(|byte| !is_line_end(byte));
        line.any(|&byte| byte > b' ' || part.verdict.is_none())
    };
    let leaves_open = || {
        let (mut depth, mut has_brace) = (0_usize, false);
        text.iter().any(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'{' if has_brace => return true,
                b'{' | b'}' => has_brace = *byte == b'{',
                _ => {}
            }
            is_line_end(byte) && depth > 0
        })
    };
    leaves_open() || parts.iter().any(is_within_line)
}

/// What breaks a law on this text; `None` if nothing does.
pub fn breach(text: &[u8], to: &'static dyn Notation) -> Option<String> {
    let san = NOTATIONS[0];
    let parts = parts(text, san);
    let names_notation = text.windows(12).any(|name| name == b"MoveNotation");
    let is_any_repaired = parts.iter().any(|part| part.verdict == Some(Verdict::Repaired));
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let folder = Scratch::new();
    let convert = |text: &[u8], to, rejects| converted(&folder, text, to, rejects);
    let [kept, _] = convert(text, san, Rejects::Kept)?;
    let [apart, rejected] = convert(text, san, Rejects::Apart)?;
    let of = |part: &Part| match part.verdict {
        Some(Verdict::Repaired) => None,
        // The pair that names a notation is replaced.
        Some(Verdict::Accepted) if names_notation => None,
        _ => Some(&text[part.span.clone()]),
    };
    if is_exception(text, &parts) {
        return None;
    }
    let is_rejected = |part: &&Part| part.verdict == Some(Verdict::Rejected);
    if !is_any_repaired && !names_notation && kept != text {
        return Some(format!("kept: {}", shown(&kept)));
    }
    let pieces: Vec<_> = parts.iter().map(of).collect();
    if !is_joined(&kept, &pieces) {
        return Some(format!("kept beside repairs: {}", shown(&kept)));
    }
    let others: Vec<_> = parts.iter().filter(|part| !is_rejected(part)).map(of).collect();
    if !is_joined(&apart, &others) {
        return Some(format!("output: {}", shown(&apart)));
    }
    let rejects: Vec<_> = parts.iter().filter(is_rejected).map(of).collect();
    if !is_joined(&rejected, &rejects) {
        return Some(format!("rejects: {}", shown(&rejected)));
    }
    for (rejects, first) in [(Rejects::Kept, &kept), (Rejects::Apart, &apart)] {
        // What was repaired may be what makes a pair of the line before it.
        let mut first = first.clone();
        if is_any_repaired {
            [first, _] = convert(&first, san, rejects)?;
        }
        let [again, _] = convert(&first, san, rejects)?;
        // A pair that names the notation may be needed where it was, and no longer where it is.
        if names_notation {
            continue;
        }
        if again != first {
            return Some(format!("again {rejects:?}: {} then {}", shown(&first), shown(&again)));
        }
        // A space is put between digits and a result that was attached to them.
        let how = run_of(Task::convert(to), rejects);
        if ledger_of(&how, &first).counts.repaired > 0 {
            continue;
        }
        let [there, refused] = convert(&first, to, rejects)?;
        let [back, _] = convert(&there, san, rejects)?;
        if refused.is_empty() && back != first {
            let (first, there, back) = (shown(&first), shown(&there), shown(&back));
            return Some(format!("{rejects:?}: {first}\n to {there}\n and back {back}"));
        }
    }
    None
}
