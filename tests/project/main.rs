//! The project itself: its documents, its layout, its dependencies, the files of `data/`, and the tests' own
//! conditions.
//!
//! Each module is one guarantee of what is checked in.

#[path = "../common/mod.rs"]
mod common;

mod data;
mod dependencies;
mod documents;
mod needs;
mod prose;
mod readme;
mod study_list;
mod texts;
mod tidy;
