//! What a table of sums states of itself, so that it can be added to others.
//!
//! In: what was counted, of which archives; or the metadata of a table. Out: a value of the metadata, and back.
//! Invariant: a value that was altered is refused. Cost: that of the names of the archives.

use pgnmill_columns::{Expected, METADATA_PREFIX, SumsTable};
use pgnmill_core::tasks::positions::digest_of_text;
use pgnmill_io::error::{Error, Result};
use serde_json::{Map, Value, json};

use crate::ledger::Entry;

/// The key of the metadata, after the prefix of all.
const KEY: &str = "sums";
/// The version of the value, and of what the columns of sums mean.
const VERSION: u64 = 1;

/// What the rows of a table of sums are of.
#[derive(Clone, Debug)]
pub(crate) struct SumsFact {
    /// The options that decide what is counted, as words of a shell.
    pub(crate) counted: String,
    /// The digests of the files that the options name.
    pub(crate) files: String,
    /// Moves of fewer games were left out.
    pub(crate) min_games: u64,
    /// Is there a column with rulesets?
    pub(crate) has_rules: bool,
    /// The archives, in order.
    pub(crate) archives: Vec<String>,
    /// The splits of archives that were read; empty if whole archives were.
    pub(crate) splits: Vec<Entry>,
    /// The rows.
    pub(crate) rows: Expected,
}

impl SumsFact {
    fn object(&self) -> Map<String, Value> {
        let SumsFact { counted, files, min_games, has_rules, archives, splits, rows } = self;
        let splits: Vec<Vec<String>> = splits.iter().map(Entry::record).collect();
        let object = json!({
            "version": VERSION,
            "counted": counted,
            "files": files,
            "min_games": min_games,
            "rules": has_rules,
            "rows": rows.rows,
            "digest": format!("{:016x}", rows.digest),
            "archives": archives,
            "splits": splits,
        });
        match object {
            Value::Object(object) => object,
            _ => Map::new(),
        }
    }

    /// The key and the value in the metadata.
    pub(crate) fn metadata(&self) -> (String, String) {
        let mut object = self.object();
        object.insert("seal".to_string(), seal_of(&object).into());
        (format!("{METADATA_PREFIX}{KEY}"), Value::Object(object).to_string())
    }

    /// That of a table.
    ///
    /// # Errors
    /// A table that is not one of sums, of another version, or that was altered.
    pub(crate) fn of(table: &SumsTable) -> Result<SumsFact> {
        let text = table.fact(&format!("{METADATA_PREFIX}{KEY}")).ok_or_else(|| {
            table.flaw("it is no table of sums: `pgnmill positions --sums` writes tables that can be added")
        })?;
        let altered = || table.flaw("what it states of its sums was altered");
        let Ok(Value::Object(mut object)) = serde_json::from_str(text) else {
            return Err(altered());
        };
        let seal = object.remove("seal");
        if seal.as_ref().and_then(Value::as_str) != Some(&seal_of(&object)) {
            return Err(altered());
        }
        if object.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(table.flaw("its sums are of another version of the program: count anew"));
        }
        SumsFact::read(&object).ok_or_else(altered)?.map_err(|why| table.flaw(why))
    }

    fn read(object: &Map<String, Value>) -> Option<Result<SumsFact, String>> {
        let text = |key: &str| object.get(key)?.as_str().map(str::to_string);
        let number = |key: &str| object.get(key)?.as_u64();
        let texts = |value: &Value| {
            let texts = value.as_array()?.iter().map(|it| it.as_str().map(str::to_string));
            texts.collect::<Option<Vec<String>>>()
        };
        let records = object.get("splits")?.as_array()?.iter().map(texts);
        let records = records.collect::<Option<Vec<Vec<String>>>>()?;
        let entries = records.iter().map(|it| Entry::parse(it.iter().map(String::as_str)));
        let splits = match entries.collect::<Result<Vec<Entry>, _>>() {
            Ok(splits) => splits,
            Err(error) => return Some(Err(error.to_string())),
        };
        let digest = u64::from_str_radix(&text("digest")?, 16).ok()?;
        Some(Ok(SumsFact {
            counted: text("counted")?,
            files: text("files")?,
            min_games: number("min_games")?,
            has_rules: object.get("rules")?.as_bool()?,
            archives: texts(object.get("archives")?)?,
            splits,
            rows: Expected { rows: number("rows")?, digest },
        }))
    }
}

fn seal_of(object: &Map<String, Value>) -> String {
    format!("{:016x}", digest_of_text(&Value::Object(object.clone()).to_string()))
}

/// The part of the words of a run that decides what is counted: without `written`, those that decide what is written of
/// it.
///
/// # Errors
/// Words that do not begin so, which is a mistake of the program.
pub(crate) fn counted_of(words: &str, written: &str) -> Result<String> {
    let counted = words.strip_prefix(written).map(str::trim_start);
    let counted = counted.map(str::to_string);
    counted.ok_or_else(|| Error::usage("the words of the run are not those of its options"))
}
