//! Archives and outputs: what is read from files and written to them.
//!
//! In: paths, memory maps, streams, zstd frames. Out: texts divided between games, in splits and jobs ([`archive`]);
//! files that are published whole or not at all ([`sink`]); the error that ends a run ([`error`]). May use:
//! `pgnmill-state`, `pgnmill-simd`; nothing here knows what a move is. A container is added in `archive/`: it is
//! recognised by `coded.rs` or `foreign.rs` and opened by `mod.rs`.

pub mod archive;
pub mod error;
pub mod file_name;
pub mod sink;
pub mod utc;
