//! The rules of chess and its variants, and the notations of their moves: positions, legal moves, texts.
//!
//! Each module is one guarantee, with positions, texts and oracles (shakmaty, published counts, the sources of the
//! notations).

#[path = "../common/mod.rs"]
mod common;

mod after_end;
mod boards;
mod chess99;
mod differential;
mod endings;
mod fen;
mod near_texts;
mod notations;
mod openings;
mod other_spellings;
mod perft;
mod rank;
mod reasons;
mod starts;
mod undeclared;
mod variants;
mod vectors;
mod words;
