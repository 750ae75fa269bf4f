//! The laws of `fuzz/` on its seeds and on every input that once broke one, with any toolchain.
//!
//! What enters are the files of `fuzz/seeds/TARGET` and `fuzz/regressions/TARGET`; what leaves is the name of the file that
//! breaks its law. The same functions run under libFuzzer: see `docs/robustness.md`.

#![allow(clippy::print_stdout, reason = "a test says what it counted")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a crate of its own as well")]
mod laws;

/// The files kept for a target, in order.
fn inputs(kind: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_kept_input_keeps_its_law() {
    let mut broken = Vec::new();
    for &(target, hold) in laws::LAWS {
        let seeds = inputs("seeds", target);
        assert!(!seeds.is_empty(), "fuzz/seeds/{target} holds nothing");
        let regressions = inputs("regressions", target);
        for path in seeds.iter().chain(&regressions) {
            let bytes = fs::read(path).unwrap();
            if catch_unwind(|| hold(&bytes)).is_err() {
                broken.push(path.display().to_string());
            }
        }
        println!("{target}: {} seeds, {} regressions", seeds.len(), regressions.len());
    }
    assert!(broken.is_empty(), "laws broken by {broken:#?}");
}

/// Random archives of many frames, damaged at random; a fuzzer finds more ways, this needs none.
#[test]
fn random_damage_keeps_the_law_of_salvage() {
    const ARCHIVES: usize = 1_500;
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut roll = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u8
    };
    for _ in 0..ARCHIVES {
        let recipe: Vec<u8> = (0..3 + 4 * (1 + usize::from(roll() % 4))).map(|_| roll()).collect();
        if catch_unwind(|| laws::salvage::hold(&recipe)).is_err() {
            panic!("broken by {recipe:?}");
        }
    }
    println!("{ARCHIVES} archives");
}

#[test]
fn every_target_is_declared_and_has_a_law() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(here.join("Cargo.toml")).unwrap();
    let mut targets: Vec<String> = fs::read_dir(here.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    let laws: Vec<&str> = laws::LAWS.iter().map(|law| law.0).collect();
    assert_eq!(targets, laws);
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
    }
    for kind in ["seeds", "regressions"] {
        let Ok(entries) = fs::read_dir(here.join(kind)) else { continue };
        for entry in entries {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(laws.contains(&name.as_str()), "fuzz/{kind}/{name} is read by no target");
        }
    }
}
