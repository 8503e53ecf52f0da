//! Validation of UTF-8 on every instruction set against the standard library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::validate_utf8(data));
