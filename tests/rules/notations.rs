//! The notations other than SAN, tested against their sources and the laws.
//!
//! `sources`: the shared vectors, the games of the source documents, other programs' files.
//! `languages`: the table of letters. `laws`: injective, round trip, canonical, agreement, bounded,
//! total, over random games with their history. `generous`: what is read besides canonical text,
//! and under which name. `economical`, `descriptive`, `letters`: rules written a second time,
//! over shakmaty's legal moves (`reference`). `tcn`: the code of games.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

mod descriptive;
mod economical;
mod generous;
mod languages;
mod laws;
mod letters;
mod reference;
mod sources;
mod statements;
mod tcn;
