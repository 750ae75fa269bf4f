//! From bytes to verdicts: archives, frames, splits, the replay on every level of the processor, the library's readers.
//!
//! Each module is one guarantee, most over texts and archives that are cut, joined, damaged or mutated at random.

#[path = "../common/mod.rs"]
mod common;

mod corpora;
mod damage;
mod explained;
mod frame_numbers;
mod frames_of_splits;
mod fuzz_regressions;
mod hostile;
mod joins;
mod kept_bytes;
mod kokopu;
mod ledger;
mod levels;
mod moves_of_rules;
mod notes;
mod other_notations;
mod owned;
mod reader;
mod real_archives;
mod recorded;
mod results;
mod rulings;
mod seams;
mod slips;
mod splits;
mod structure;
mod suffixes;
mod unended;
mod vector;
