//! A measurement, from the tables of a directory.
//!
//! Input: a directory that `measure` wrote; output: the counts in it. Invariants: `notations.csv` and
//! `summary.csv` are there; every other table may be absent, and is `None` then; what is broken down sums to
//! `notations.csv`, or the directory is refused. Ratios in the tables are not read: they are computed from the
//! counts; bits a ply, weighted means and standardised ones alone are read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pgnmill_core::tables::columns::{BYTES, CHARACTERS, GAMES, NOTATION, PLIES};
use pgnmill_core::tables::{
    Column, Dimension, SCHEMA_VERSION, Schema, archives, bpe_tokens, by, codes, compress,
    disambiguation, entropy, errors, facts, lengths, movetext, notations, orders, summary, weights,
    writing,
};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use super::crossed::{self, Crossed};
use super::spread::Spread;
use super::sums::{Sum, Sums};
use super::table::Table;

/// A group of a dimension: its name, and what each notation came to in it.
#[derive(Debug)]
pub(super) struct Group {
    /// Its name in the table.
    pub(super) key: String,
    /// By notation.
    pub(super) sums: BTreeMap<Arc<str>, Sum>,
}

/// A dimension by which the counts are broken down.
#[derive(Debug)]
pub(super) struct Breakdown {
    /// What the groups are.
    pub(super) key: String,
    /// In the order of the table.
    pub(super) groups: Vec<Group>,
}

/// A row of a small table: its keys, and its counts in the requested order.
#[derive(Debug)]
pub(super) struct Fact {
    /// The names.
    pub(super) names: Vec<String>,
    /// The counts.
    pub(super) counts: Vec<u64>,
}

/// How many bits a code takes.
#[derive(Debug)]
pub(super) struct Code {
    /// Its name.
    pub(super) name: String,
    /// How many plies it codes.
    pub(super) plies: u64,
    /// The bits of all of them, whole.
    pub(super) bits: u64,
    /// The bits of one, which those of all are too rough for where there are few; no number if there is none.
    pub(super) per_ply: f64,
    /// How many different texts occur, and the bits of one with the correction for it.
    pub(super) estimate: Option<(u64, f64)>,
    /// The bits of one with the frequencies of other games; no number if they were not counted.
    pub(super) held_out: f64,
}

/// What a code for moves wrote.
#[derive(Debug)]
pub(super) struct MoveCode {
    /// Its name.
    pub(super) name: String,
    /// The games that it wrote.
    pub(super) games: u64,
    /// Their plies.
    pub(super) plies: u64,
    /// The bits of all plies.
    pub(super) bits: u64,
    /// The entropy of its symbols, in bits per ply; no number if it has none.
    pub(super) entropy: f64,
}

/// A mean and its change against SAN, by what counts the same.
#[derive(Debug)]
pub(super) struct Weighted {
    /// `ply`, `game` or `archive`.
    pub(super) weight: String,
    /// The notation.
    pub(super) notation: String,
    /// How many there are.
    pub(super) units: u64,
    /// The mean; no number if there is none.
    pub(super) mean: f64,
    /// The change, in per cent.
    pub(super) change: f64,
}

/// All counts of a directory.
#[derive(Debug)]
pub(super) struct Study {
    /// Keys and values, in order.
    pub(super) summary: Vec<(String, String)>,
    /// What each notation cost, in the order of the registry.
    pub(super) notations: Vec<(String, Sum)>,
    /// By notation: plies by length in characters.
    pub(super) lengths: Option<BTreeMap<String, BTreeMap<u64, u64>>>,
    /// The dimensions that are there.
    pub(super) dimensions: Vec<Breakdown>,
    /// notation, part; characters, bytes.
    pub(super) movetext: Option<Vec<Fact>>,
    /// role, said; plies.
    pub(super) disambiguation: Option<Vec<Fact>>,
    /// fact; count, of.
    pub(super) facts: Option<Vec<Fact>>,
    /// The bits of codes.
    pub(super) entropy: Option<Vec<Code>>,
    /// notation, compressor; plies, bytes before, bytes after.
    pub(super) compress: Option<Vec<Fact>>,
    /// Codes for moves that use the position.
    pub(super) codes: Option<Vec<MoveCode>>,
    /// archive; the integers of its row.
    pub(super) archives: Option<Vec<Fact>>,
    /// How games differ.
    pub(super) spread: Option<Spread>,
    /// Means by what counts the same.
    pub(super) weights: Option<Vec<Weighted>>,
    /// Products of dimensions.
    pub(super) crossed: Vec<Crossed>,
    /// notation, kind; errors, refused at once, refused later, never, same move, plies until refused.
    pub(super) errors: Option<Vec<Fact>>,
    /// notation; the counts of `writing::SHOWN`.
    pub(super) writing: Option<Vec<Fact>>,
    /// vocabulary, notation; games, plies, characters, tokens.
    pub(super) tokens: Option<Vec<Fact>>,
    /// notation, order; plies, bytes, bits.
    pub(super) orders: Option<Vec<Fact>>,
}

/// Groups of a dimension; a measurement writes hardly half as many.
const GROUPS_MAX: usize = 20_000;
/// Rows of a table that has no dimension.
const ROWS_MAX: usize = 20_000;
/// The longest move that has a place in a figure.
const LENGTH_MAX: u64 = 100;
/// The rulesets whose games are in every table.
const RULES_OF_ALL_TABLES: [&str; 2] = ["chess", "chess960"];
/// The counts of a vocabulary and a notation.
const TOKENS: [Column; 4] = [GAMES, PLIES, CHARACTERS, bpe_tokens::TOKENS];
/// The counts of a notation and an order.
const ORDERS: [Column; 3] = [PLIES, orders::BYTES, orders::BITS];
/// The order in which the dimensions are shown; others follow.
const SHOWN: &[Dimension] = &[
    Dimension::Ply,
    Dimension::Move,
    Dimension::Phase,
    Dimension::Side,
    Dimension::Role,
    Dimension::Kind,
    Dimension::Check,
    Dimension::Rating,
    Dimension::RatingDifference,
    Dimension::Speed,
    Dimension::Title,
    Dimension::Result,
    Dimension::Length,
    Dimension::Year,
    Dimension::Month,
    Dimension::EcoLetter,
    Dimension::Eco,
    Dimension::EcoComputedLetter,
    Dimension::EcoComputed,
    Dimension::OpeningName,
    Dimension::Rules,
    Dimension::Source,
];

impl Study {
    /// Reads the tables of a directory.
    ///
    /// # Errors
    /// If there is no measurement, if it is of a newer layout, or if a table is malformed.
    pub(super) fn read(directory: &Path) -> Result<Study> {
        let optional = |schema: &Schema| Table::read(directory, schema.file);
        let needed = |schema: &Schema| {
            optional(schema)?.ok_or_else(|| {
                let path = directory.shown();
                Error::usage(format!(
                    "{path} holds no {}: report reads the directory that `pgnmill measure -o TABLES INPUT` writes",
                    schema.file
                ))
            })
        };
        if directory.is_file() {
            let path = directory.shown();
            return Err(Error::usage(format!(
                "{path} is a file: report reads the directory that `pgnmill measure -o TABLES {path}` writes"
            )));
        }
        std::fs::read_dir(directory).map_err(|error| Error::io("read", directory, error))?;
        let summary = read_summary(&needed(&summary::SCHEMA)?)?;
        let notations = read_notations(&needed(&notations::SCHEMA)?)?;
        let small = |schema: &Schema, names: &[Column], counts: &[Column]| {
            optional(schema)?.map(|table| read_facts(&table, names, counts)).transpose()
        };
        let study = Study {
            summary,
            notations,
            lengths: optional(&lengths::SCHEMA)?.as_ref().map(read_lengths).transpose()?,
            dimensions: read_dimensions(directory)?,
            movetext: small(&movetext::SCHEMA, &[NOTATION, movetext::PART], &[CHARACTERS, BYTES])?,
            disambiguation: small(
                &disambiguation::SCHEMA,
                &[disambiguation::ROLE, disambiguation::SAID],
                &[PLIES],
            )?,
            facts: small(&facts::SCHEMA, &[facts::FACT], &[facts::COUNT, facts::OF])?,
            entropy: optional(&entropy::SCHEMA)?.as_ref().map(read_entropy).transpose()?,
            compress: small(
                &compress::SCHEMA,
                &[NOTATION, compress::COMPRESSOR],
                &[PLIES, compress::BYTES_BEFORE, compress::BYTES_AFTER],
            )?,
            codes: optional(&codes::SCHEMA)?.as_ref().map(read_codes).transpose()?,
            archives: small(&archives::SCHEMA, &[archives::ARCHIVE], &archives::SUMS)?,
            spread: Spread::read(directory)?,
            weights: optional(&weights::SCHEMA)?.as_ref().map(read_weights).transpose()?,
            crossed: crossed::read(directory)?,
            writing: optional(&writing::SCHEMA)?.as_ref().map(read_writing).transpose()?,
            tokens: small(&bpe_tokens::SCHEMA, &[bpe_tokens::VOCABULARY, NOTATION], &TOKENS)?,
            orders: small(&orders::SCHEMA, &[NOTATION, orders::ORDER], &ORDERS)?,
            errors: small(
                &errors::SCHEMA,
                &[NOTATION, errors::KIND],
                &[
                    errors::ERRORS,
                    errors::REFUSED_AT_ONCE,
                    errors::REFUSED_LATER,
                    errors::NEVER,
                    errors::SAME_MOVE,
                    errors::PLIES_UNTIL_REFUSED,
                ],
            )?,
        };
        study.check(directory)?;
        Ok(study)
    }

    /// What a notation cost in all.
    pub(super) fn total(&self, notation: &str) -> Option<&Sum> {
        self.notations.iter().find(|(name, _)| name == notation).map(|(_, sum)| sum)
    }

    /// Were games of other rules measured, which are in one table alone?
    pub(super) fn has_other_rules(&self) -> bool {
        let rules = self.dimension(Dimension::Rules.name());
        let mut groups = rules.into_iter().flat_map(|rules| &rules.groups);
        groups.any(|group| !RULES_OF_ALL_TABLES.contains(&&*group.key))
    }

    /// A value of the summary.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.summary.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// A dimension, if it was measured.
    pub(super) fn dimension(&self, key: &str) -> Option<&Breakdown> {
        self.dimensions.iter().find(|dimension| dimension.key == key)
    }

    /// What is broken down must sum to the total: tables of two runs do not.
    fn check(&self, directory: &Path) -> Result<()> {
        for dimension in &self.dimensions {
            // Games of other rules are in this table alone.
            let is_by_rules = dimension.key == Dimension::Rules.name();
            let counts =
                |group: &&Group| !is_by_rules || RULES_OF_ALL_TABLES.contains(&&*group.key);
            let groups = dimension.groups.iter().filter(counts);
            let sums = groups.flat_map(|group| &group.sums);
            self.check_sums(directory, &dimension.key, sums)?;
        }
        for crossed in &self.crossed {
            let sums = crossed.groups.iter().flat_map(|group| &group.sums);
            self.check_sums(directory, &crossed.product.name(), sums)?;
        }
        Ok(())
    }

    fn check_sums<'s>(
        &self,
        directory: &Path,
        key: &str,
        of_groups: impl Iterator<Item = (&'s Arc<str>, &'s Sum)>,
    ) -> Result<()> {
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        for (notation, sum) in of_groups {
            let whole = sums.entry(notation).or_default();
            *whole = whole.plus(sum);
        }
        for (notation, sum) in sums {
            let total = self.total(notation).copied().unwrap_or_default();
            let same = (sum.plies, sum.characters) == (total.plies, total.characters);
            if !same {
                return Err(Error::usage(format!(
                    "{}: the groups of `{key}` have {} plies and {} characters of {notation}, \
                     notations.csv has {} and {}: are they of one run?",
                    directory.shown(),
                    sum.plies,
                    sum.characters,
                    total.plies,
                    total.characters,
                )));
            }
        }
        Ok(())
    }
}

fn read_summary(table: &Table) -> Result<Vec<(String, String)>> {
    table.is_at_most(ROWS_MAX)?;
    let (key, value) = (table.column(&summary::KEY)?, table.column(&summary::VALUE)?);
    let mut said = Vec::new();
    for row in 0..table.rows_count() {
        said.push((key.text(row).to_string(), value.text(row).to_string()));
        if key.text(row) == summary::SCHEMA_VERSION.name
            && value.count(row)? > SCHEMA_VERSION.into()
        {
            return Err(table.refuse(&format!(
                "its layout is {}, this program knows {SCHEMA_VERSION}; take a newer pgnmill",
                value.text(row)
            )));
        }
    }
    Ok(said)
}

fn read_notations(table: &Table) -> Result<Vec<(String, Sum)>> {
    table.is_at_most(ROWS_MAX)?;
    let notation = table.column(&NOTATION)?;
    let sums = Sums::of(table)?;
    (0..table.rows_count()).map(|row| Ok((notation.text(row).to_string(), sums.at(row)?))).collect()
}

fn read_lengths(table: &Table) -> Result<BTreeMap<String, BTreeMap<u64, u64>>> {
    table.is_at_most(ROWS_MAX)?;
    let notation = table.column(&NOTATION)?;
    let (characters, plies) = (table.column(&lengths::CHARACTERS)?, table.column(&PLIES)?);
    let mut lengths: BTreeMap<String, BTreeMap<u64, u64>> = BTreeMap::new();
    for row in 0..table.rows_count() {
        let histogram = lengths.entry(notation.text(row).to_string()).or_default();
        let length = characters.count(row)?;
        if length > LENGTH_MAX {
            return Err(table.refuse(&format!("no move has {length} characters")));
        }
        histogram.insert(length, plies.count(row)?);
    }
    Ok(lengths)
}

/// All dimensions, in the order in which they are shown.
pub(super) fn dimensions() -> impl Iterator<Item = Dimension> {
    let others = Dimension::ALL.into_iter().filter(|dimension| !SHOWN.contains(dimension));
    SHOWN.iter().copied().chain(others)
}

/// All `by_KEY.csv`, those that are known first.
fn read_dimensions(directory: &Path) -> Result<Vec<Breakdown>> {
    let entries = std::fs::read_dir(directory).map_err(|e| Error::io("read", directory, e))?;
    let mut keys = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::io("read", directory, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(key) = name.strip_prefix("by_").and_then(|name| name.strip_suffix(".csv")) {
            keys.push((key.replace('_', "-"), name.clone()));
        }
    }
    let shown: Vec<&str> = dimensions().map(Dimension::name).collect();
    let place = |key: &str| shown.iter().position(|known| *known == key);
    keys.sort_by_key(|(key, _)| (place(key).unwrap_or(usize::MAX), key.clone()));
    let mut dimensions = Vec::new();
    for (key, name) in keys {
        if let Some(table) = Table::read(directory, &name)? {
            dimensions.push(read_dimension(key, &table)?);
        }
    }
    Ok(dimensions)
}

fn read_dimension(key: String, table: &Table) -> Result<Breakdown> {
    // Layout 1 had one dimension, and its column was named for it.
    let names = table.column(&by::KEY).or_else(|error| table.named(&key).map_err(|_| error))?;
    let (notation, sums) = (table.column(&NOTATION)?, Sums::of(table)?);
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    // Each name once: there are many groups.
    let mut notations: BTreeMap<&str, Arc<str>> = BTreeMap::new();
    for row in 0..table.rows_count() {
        let name = names.text(row);
        let place = *places.entry(name).or_insert_with(|| {
            groups.push(Group { key: name.to_string(), sums: BTreeMap::new() });
            groups.len() - 1
        });
        if groups.len() > GROUPS_MAX {
            return Err(
                table.refuse(&format!("it has more than {GROUPS_MAX} groups; measure anew"))
            );
        }
        let name = notations.entry(notation.text(row)).or_insert_with_key(|&name| name.into());
        groups[place].sums.insert(Arc::clone(name), sums.at(row)?);
    }
    Ok(Breakdown { key, groups })
}

fn read_facts(table: &Table, names: &[Column], counts: &[Column]) -> Result<Vec<Fact>> {
    table.is_at_most(ROWS_MAX)?;
    let columns = |declared: &[Column]| {
        declared.iter().map(|column| table.column(column)).collect::<Result<Vec<_>>>()
    };
    let (names, counts) = (columns(names)?, columns(counts)?);
    (0..table.rows_count())
        .map(|row| {
            Ok(Fact {
                names: names.iter().map(|name| name.text(row).to_string()).collect(),
                counts: counts.iter().map(|c| c.count(row)).collect::<Result<Vec<_>>>()?,
            })
        })
        .collect()
}

fn read_writing(table: &Table) -> Result<Vec<Fact>> {
    table.is_at_most(ROWS_MAX)?;
    let notation = table.column(&NOTATION)?;
    let counts = writing::SHOWN.iter().map(|name| table.named(name)).collect::<Result<Vec<_>>>()?;
    let fact = |row| {
        let counts = counts.iter().map(|count| count.count(row)).collect::<Result<Vec<_>>>()?;
        Ok(Fact { names: vec![notation.text(row).to_string()], counts })
    };
    (0..table.rows_count()).map(fact).collect()
}

fn read_entropy(table: &Table) -> Result<Vec<Code>> {
    let per_ply = table.column(&entropy::BITS_PER_PLY)?;
    let codes = read_facts(table, &[entropy::CODE], &[entropy::PLIES, entropy::BITS_TOTAL])?;
    let code = |(row, code): (usize, Fact)| {
        let (name, plies, bits) = (code.names.concat(), code.counts[0], code.counts[1]);
        let per_ply = if plies == 0 { f64::NAN } else { per_ply.decimal(row)? };
        // Earlier versions did not write these.
        let estimate = match (table.column(&entropy::TYPES), table.column(&entropy::MILLER_MADOW)) {
            (Ok(types), Ok(corrected)) if !corrected.text(row).is_empty() => {
                Some((types.count(row)?, corrected.decimal(row)?))
            }
            _ => None,
        };
        let held_out = table.column(&entropy::HELD_OUT);
        let held_out = held_out.map_or(Ok(f64::NAN), |column| column.decimal_if_any(row))?;
        Ok(Code { name, plies, bits, per_ply, estimate, held_out })
    };
    codes.into_iter().enumerate().map(code).collect()
}

fn read_weights(table: &Table) -> Result<Vec<Weighted>> {
    table.is_at_most(ROWS_MAX)?;
    let (weight, notation) = (table.column(&weights::WEIGHT)?, table.column(&NOTATION)?);
    let (units, mean) = (table.column(&weights::UNITS)?, table.column(&weights::MEAN)?);
    let change = table.column(&weights::VS_SAN)?;
    let of = |row| {
        Ok(Weighted {
            weight: weight.text(row).to_string(),
            notation: notation.text(row).to_string(),
            units: units.count(row)?,
            mean: mean.decimal_if_any(row)?,
            change: change.decimal_if_any(row)?,
        })
    };
    (0..table.rows_count()).map(of).collect()
}

fn read_codes(table: &Table) -> Result<Vec<MoveCode>> {
    let entropy = table.column(&codes::ENTROPY_BITS_PER_PLY)?;
    let rows = read_facts(table, &[codes::CODE], &[GAMES, PLIES, codes::BITS])?;
    let code = |(row, code): (usize, Fact)| {
        let (games, plies, bits) = (code.counts[0], code.counts[1], code.counts[2]);
        let has_entropy = !entropy.text(row).is_empty();
        let entropy = if has_entropy { entropy.decimal(row)? } else { f64::NAN };
        Ok(MoveCode { name: code.names.concat(), games, plies, bits, entropy })
    };
    rows.into_iter().enumerate().map(code).collect()
}
