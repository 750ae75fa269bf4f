//! In: any bytes. The law is in `laws/src/frames.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pgnmill_laws::frames::hold(bytes));
