//! Indices of positions, against a walk over the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::positions(data));
