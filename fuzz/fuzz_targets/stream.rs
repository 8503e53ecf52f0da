//! Text in chunks on every instruction set against the standard library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::stream(data));
