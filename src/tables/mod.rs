//! Tables: what all CSV files that the program reads and writes have in common.

pub mod rows;
