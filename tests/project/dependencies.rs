//! Every direct dependency has a reason in `docs/development/dependencies.md` and an exact version in `deps.lock.tsv`.
//!
//! In: the manifests of the package, of `fuzz/`, of `benches/`, of the peers and of the mutation tests. `scripts/lock`
//! turns the tables into `Cargo.lock`, which cargo then compares with the manifests (`.ci/run`).

use std::fs;

use crate::common::here;

/// The folders with a manifest and a table.
const FOLDERS: [&str; 5] = [".", "fuzz", "benches", "scripts/peers", "scripts/mutants"];

fn read(folder: &str, name: &str) -> String {
    let path = here(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the direct dependencies of a manifest, development included; packages of this repository left out.
fn direct(manifest: &str) -> Vec<&str> {
    let sections = manifest.split("\n[").filter(|section| {
        let name = section.split(']').next().unwrap();
        ["dependencies", "dev-dependencies", "workspace.dependencies"].contains(&name)
    });
    sections
        .flat_map(str::lines)
        .filter(|line| {
            line.starts_with(char::is_alphabetic)
                && !line.contains("path = ")
                && !line.contains("workspace = ")
        })
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn every_dependency_has_a_reason_and_an_exact_version() {
    let reasons = read(".", "docs/development/dependencies.md");
    // The laws are built in the workspace of `fuzz/`, and have its versions.
    let manifests =
        FOLDERS.map(|folder| (folder, folder)).into_iter().chain([("fuzz/laws", "fuzz")]);
    for (package, folder) in manifests {
        let (manifest, table) = (read(package, "Cargo.toml"), read(folder, "deps.lock.tsv"));
        let names = direct(&manifest);
        assert!(!names.is_empty(), "{package}: no dependency");
        for name in names {
            assert!(
                reasons.contains(&format!("`{name}`")),
                "docs/development/dependencies.md lacks {name}"
            );
            let row = table.lines().find(|row| row.split('\t').next() == Some(name));
            let row = row.unwrap_or_else(|| panic!("{folder}/deps.lock.tsv lacks {name}"));
            assert_eq!(row.split('\t').nth(2).unwrap().len(), 64, "{row}: no SHA-256");
        }
    }
}

#[test]
fn the_tables_of_versions_have_four_columns_in_order_and_no_address() {
    for folder in FOLDERS {
        let table = read(folder, "deps.lock.tsv");
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split('\t').collect()).collect();
        assert_eq!(rows[0], ["name", "version", "checksum", "dependencies"], "{folder}");
        assert!(rows.iter().all(|row| row.len() == 4), "{folder}");
        assert!(rows[1..].is_sorted_by_key(|row| row[0]), "{folder}: not in order");
        assert!(!table.contains("://"), "{folder}: an address");
        // Each name in the last column has a row.
        for name in rows[1..].iter().flat_map(|row| row[3].split(',')).filter(|name| *name != "-") {
            let name = name.split(' ').next().unwrap();
            assert!(rows.iter().any(|row| row[0] == name), "{folder}: no row {name}");
        }
    }
}
