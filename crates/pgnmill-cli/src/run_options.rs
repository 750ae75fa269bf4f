//! The options of a run that decide about its outputs, as names and values.
//!
//! In: arguments. Out: pairs for the journal, which compares them with those of the run that it continues; words for
//! tables and metadata. Cost: their bytes.

use std::path::PathBuf;

use super::args::Common;
use super::journal::path_text;

/// The options that all tasks have in common and that decide about the bytes of the outputs, and their values.
pub(super) fn options_of_run(common: &Common) -> Vec<(String, String)> {
    let path = |path: &Option<PathBuf>| path.as_deref().map_or_else(String::new, path_text);
    let condition = common.condition.as_ref().map(|condition| condition.text().to_string());
    let options = [
        ("--faults", path(&common.faults)),
        ("--notes", path(&common.notes)),
        ("--rejects", path(&common.rejects)),
        ("--summary", path(&common.summary)),
        ("--from", common.from.clone()),
        ("--rules", common.rules.clone()),
        ("--where", condition.unwrap_or_default()),
        ("--strict", common.strict.to_string()),
        ("--skip-damaged", common.skip_damaged.to_string()),
        ("--allow", sorted(&common.allow).join(",")),
        ("--deny", sorted(&common.deny).join(",")),
    ];
    options.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// The options that decide which games are read, and which of them are rejected, in a canonical form.
pub(super) fn options_of_games(common: &Common) -> Vec<String> {
    let mut options = Vec::new();
    options.extend((common.from != "auto").then(|| format!("--from {}", common.from)));
    options.extend((common.rules != "chess").then(|| format!("--rules {}", common.rules)));
    options.extend(common.strict.then(|| "--strict".to_string()));
    options.extend(common.condition.iter().map(|condition| {
        format!("--where {}", condition.text().split_whitespace().collect::<Vec<_>>().join(" "))
    }));
    options.extend(common.skip_damaged.then(|| "--skip-damaged".to_string()));
    for (option, names) in [("--allow", &common.allow), ("--deny", &common.deny)] {
        options.extend(sorted(names).iter().map(|name| format!("{option} {name}")));
    }
    options
}

/// Different names, in order.
fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}
