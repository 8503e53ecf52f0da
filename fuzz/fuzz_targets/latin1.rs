//! Latin-1, to UTF-8 and UTF-16 and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::latin1(data));
