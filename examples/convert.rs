//! Converts an archive to UCI and back, in memory, and compares: `cargo run --example convert -- ARCHIVE`.
//!
//! What the program's `convert` does with files: a task, run by the engine, whose parts a consumer takes in order.

#![allow(clippy::print_stdout, reason = "a program prints")]

use std::sync::atomic::AtomicBool;

use pgnmill::task::{self, Base, Consumer, Convert, JobResult, Joiner, Pool, Rewritten, Settings};
use pgnmill::{Archive, Input, Notation, SAN, find_notation};

/// The new text of an archive.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    joiner: Joiner,
}

impl Consumer<Rewritten> for Text {
    fn begin(&mut self, _: &Archive) -> pgnmill::Result<()> {
        self.joiner.archive_begins();
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        _: &Pool,
    ) -> pgnmill::Result<()> {
        let Rewritten { text, seams, game_ends } = &mut result.part;
        self.joiner.join(base.offset, text, seams, game_ends);
        self.bytes.extend_from_slice(text);
        Ok(())
    }
}

fn convert(path: &std::path::Path, to: &'static dyn Notation) -> pgnmill::Result<Vec<u8>> {
    let (mut text, stop) = (Text::default(), AtomicBool::new(false));
    let inputs = [Input::Path(path.to_path_buf())];
    let task = Convert::to(to);
    task::run(&task, &Settings::default(), &inputs, &mut text, &stop)?;
    Ok(text.bytes)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("convert ARCHIVE")?;
    let uci = find_notation("uci").ok_or("no such notation")?;
    let canonical = convert(path.as_ref(), SAN)?;
    let there = convert(path.as_ref(), uci)?;
    let scratch = std::env::temp_dir().join(format!("pgnmill-convert-{}.pgn", std::process::id()));
    std::fs::write(&scratch, &there)?;
    let back = convert(&scratch, SAN)?;
    std::fs::remove_file(&scratch)?;
    println!(
        "{} bytes in SAN, {} in UCI; and back: {}",
        canonical.len(),
        there.len(),
        back == canonical
    );
    Ok(())
}
