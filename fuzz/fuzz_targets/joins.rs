//! Any bytes; what must hold of them is in `src/joins.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pgnmill_fuzz::joins::hold(bytes));
