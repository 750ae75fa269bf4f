//! The end of the message of a run that has left files: which, and how to go on or to remove them.
//!
//! In: the files. Out: what follows the error: in one line, or a line per file. Invariant: a name of any characters
//! begins no line and moves no cursor. Cost: the length of the names.
//!
//! ```text
//! pgnmill: interrupted; what is done is kept: go on with --resume, begin again with --overwrite, or remove these files
//!     out/.pgnmill-run.jsonl
//!     out/.pgnmill-run.state-1
//!     out/b.pgn.pgnmill-0123456789abcdef.part
//! complete: out/a.pgn
//! ```

use std::fmt::Write as _;
use std::path::PathBuf;

use pgnmill_io::error::Shown as _;
use pgnmill_run::Left;

/// Files that are named in lines, at most; the others are counted.
const LINES_MAX: usize = 30;
/// The same in one line.
const WORDS_MAX: usize = 5;

/// What follows the error. `is_short`: one line.
pub(super) fn text(left: &Left, is_short: bool) -> String {
    let Left { kept, can_go_on, complete, .. } = left;
    if is_short {
        let names = listed(kept, WORDS_MAX).join(", ");
        let kept = match (kept.is_empty(), can_go_on) {
            (true, _) => String::new(),
            (false, true) => format!("; kept for --resume: {names}"),
            (false, false) => format!("; of no use, to be removed: {names}"),
        };
        let complete_names = listed(complete, WORDS_MAX).join(", ");
        return match complete.is_empty() {
            true => kept,
            false => format!("{kept}; complete: {complete_names}"),
        };
    }
    let mut text = String::new();
    if !kept.is_empty() {
        text += match can_go_on {
            true => {
                "; what is done is kept: go on with --resume, begin again with --overwrite, or remove these files"
            }
            false => "; these files of the run are of no use, and can be removed",
        };
        for name in listed(kept, LINES_MAX) {
            let _ = write!(text, "\n    {name}");
        }
    }
    if !complete.is_empty() {
        let _ = write!(text, "\ncomplete: {}", listed(complete, LINES_MAX).join(", "));
    }
    text
}

/// The names, at most so many.
fn listed(paths: &[PathBuf], names_max: usize) -> Vec<String> {
    let others_count = paths.len().saturating_sub(names_max);
    let others = (others_count > 0).then(|| format!("and {others_count} more"));
    paths.iter().take(names_max).map(|path| path.shown().to_string()).chain(others).collect()
}
