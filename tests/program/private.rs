//! Who can read what a run writes, while it runs and after.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use super::resume::{SMALL, archives, code};
use crate::common::{Scratch, errors_of, run_in};

const ARGS: [&str; 8] = ["convert", "in", "-o", "all.pgn", "--faults", "faults.csv", "--to", "uci"];

/// The modes of the files beside the archives, without those of the outputs themselves.
fn modes(scratch: &Scratch) -> BTreeMap<String, u32> {
    let entries = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let modes = files.map(|file| {
        (file.file_name().into_string().unwrap(), file.metadata().unwrap().mode() & 0o7777)
    });
    modes.filter(|(name, _)| !["all.pgn", "faults.csv", "new"].contains(&name.as_str())).collect()
}

/// The temporary file, the states and the journal are those of the user alone, whatever they replace; the output has
/// the mode and the group of what it replaces, or those of any new file.
#[test]
fn what_is_not_complete_is_private_and_an_output_has_the_mode_of_what_it_replaces() {
    for replaced in [None, Some(0o600), Some(0o640), Some(0o400), Some(0o644), Some(0o664)] {
        let scratch = Scratch::new();
        archives(&scratch);
        let (output, new) = (scratch.join("all.pgn"), scratch.join("new"));
        fs::write(&new, "").unwrap();
        let mut expected = fs::metadata(&new).unwrap().mode() & 0o7777;
        let mut group = fs::metadata(&new).unwrap().gid();
        if let Some(mode) = replaced {
            fs::write(&output, "old").unwrap();
            fs::set_permissions(&output, PermissionsExt::from_mode(mode)).unwrap();
            expected = mode;
            // Root alone can give a file to any group.
            if chown(&output, None, Some(12_345)).is_ok() {
                group = 12_345;
            }
        }
        let overwrite = if replaced.is_some() { &["--overwrite"][..] } else { &[] };
        for steps in ["8", "30"] {
            let more = [&SMALL[..], overwrite, &["--abort-after", steps]].concat();
            let ran = run_in(scratch.path(), &[&ARGS[..], &more].concat(), b"");
            assert_eq!(code(&ran), None, "{}", errors_of(&ran));
            let modes = modes(&scratch);
            assert!(modes.len() >= 2, "{modes:?}");
            assert!(modes.values().all(|mode| *mode == 0o600), "{replaced:?}: {modes:?}");
        }
        let more = [&SMALL[..], overwrite].concat();
        let ran = run_in(scratch.path(), &[&ARGS[..], &more].concat(), b"");
        assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
        let there = fs::metadata(&output).unwrap();
        assert_eq!(there.mode() & 0o7777, expected, "{replaced:?}");
        assert_eq!(there.gid(), group, "{replaced:?}");
        let of_new = fs::metadata(&new).unwrap().mode();
        assert_eq!(fs::metadata(scratch.join("faults.csv")).unwrap().mode(), of_new);
    }
}
