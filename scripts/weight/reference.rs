//! The fixed crate of scripts/weigh: the unit of processor time for compiling.
//!
//! Machines and hours differ in speed; the work of compiling this file differs only with the compiler. It uses nothing but the
//! standard library, so that no version of a dependency changes it, and consists of what this project consists of: derived traits,
//! collections, iterators, formatting, sorting and loops over bytes, instantiated for several types. No code uses it. After a change
//! of this file all figures must be committed again: `scripts/weigh commit`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// One module per type: each has instances of its own of all that it uses.
macro_rules! tables {
    ($($module:ident: $key:ty = $read:expr;)*) => {$(
        pub mod $module {
            use super::*;

            #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct Row {
                pub key: $key,
                pub names: Vec<String>,
                pub counts: [u64; 6],
                pub parent: Option<Box<Row>>,
            }

            #[derive(Clone, Debug, PartialEq, Eq)]
            pub enum Fault {
                Empty,
                Field { line: usize, text: String },
                Count(std::num::ParseIntError),
            }

            impl fmt::Display for Row {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "{:?}\t{}\t", self.key, self.names.join(","))?;
                    self.counts.iter().try_for_each(|count| write!(f, "{count:>8}"))
                }
            }

            pub fn read(text: &str) -> Result<Vec<Row>, Fault> {
                let rows: Result<Vec<Row>, Fault> = text.lines().enumerate().map(row).collect();
                rows.and_then(|rows| if rows.is_empty() { Err(Fault::Empty) } else { Ok(rows) })
            }

            fn row((line, text): (usize, &str)) -> Result<Row, Fault> {
                let fault = || Fault::Field { line, text: format!("{text:?} at {line}") };
                let mut fields = text.split('\t');
                let read: fn(&str) -> Option<$key> = $read;
                let key = fields.next().and_then(read).ok_or_else(fault)?;
                let names = fields.next().ok_or_else(fault)?;
                let names = names.split(',').map(|name| name.trim().to_lowercase()).collect();
                let mut counts = [0; 6];
                for (count, field) in counts.iter_mut().zip(fields) {
                    *count = field.parse().map_err(Fault::Count)?;
                }
                Ok(Row { key, names, counts, parent: None })
            }

            pub fn group(rows: &[Row]) -> HashMap<$key, BTreeMap<Row, HashSet<String>>> {
                let mut groups: HashMap<$key, BTreeMap<Row, HashSet<String>>> = HashMap::new();
                for row in rows {
                    let names = groups.entry(row.key.clone()).or_default().entry(row.clone());
                    names.or_default().extend(row.names.iter().cloned());
                }
                groups.retain(|_, group| group.len() > 1);
                groups
            }

            pub fn rank(mut rows: Vec<Row>) -> Vec<(usize, Row)> {
                rows.sort_by(|a, b| b.counts.iter().sum::<u64>().cmp(&a.counts.iter().sum()));
                rows.dedup_by(|a, b| a.key == b.key && a.names == b.names);
                rows.sort_unstable();
                let ranked = rows.into_iter().enumerate().filter(|(rank, row)| {
                    rank % 2 == 0 || row.names.iter().any(|name| name.contains('e'))
                });
                ranked.skip(1).step_by(2).take(1_000).collect()
            }

            pub fn write(rows: &[Row]) -> String {
                let lines: Vec<String> = rows.iter().map(Row::to_string).collect();
                let widest = lines.iter().map(String::len).max().unwrap_or_default();
                lines.iter().map(|line| format!("{line:<widest$}|\n")).collect()
            }

            /// Spans of letters, digits and the rest, in rows of a table.
            pub fn scan(bytes: &[u8], rows: &mut Vec<Row>) -> usize {
                let (mut at, mut found) = (0, 0);
                while at < bytes.len() {
                    let class = |byte: u8| match byte {
                        b'a'..=b'z' | b'A'..=b'Z' => 0,
                        b'0'..=b'9' => 1,
                        b' ' | b'\t' | b'\n' => 2,
                        128.. => 3,
                        _ => 4,
                    };
                    let kind = class(bytes[at]);
                    let end = bytes[at..].iter().position(|&byte| class(byte) != kind);
                    let end = end.map_or(bytes.len(), |length| at + length);
                    if let Some(row) = rows.get_mut(found) {
                        row.counts[kind] += (end - at) as u64;
                        row.names.push(String::from_utf8_lossy(&bytes[at..end]).into_owned());
                    } else {
                        rows.push(Row::default());
                    }
                    found += usize::from(kind != 2);
                    at = end;
                }
                found
            }
        }
    )*};
}

tables! {
    words: u32 = |text| text.parse().ok();
    signed: i64 = |text| text.parse().ok();
    letters: char = |text| text.chars().next();
    texts: String = |text| Some(text.to_uppercase());
    lists: Vec<u16> = |text| text.split(';').map(|part| part.parse().ok()).collect();
}
