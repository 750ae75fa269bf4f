//! In: any bytes. The law is in `laws/src/vector.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pgnmill_laws::vector::hold(bytes));
