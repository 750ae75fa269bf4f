//! Any bytes; what must hold of them is in `src/salvage.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pgnmill_fuzz::salvage::hold(bytes));
