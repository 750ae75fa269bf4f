//! In: any bytes. The law is in `laws/src/pipeline.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pgnmill_laws::pipeline::hold(bytes));
