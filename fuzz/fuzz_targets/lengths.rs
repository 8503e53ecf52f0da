//! Counting, length prediction and byte swapping on every instruction set.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::lengths(data));
