//! UTF-8 with replacements, to UTF-8 and to UTF-16, on every instruction set.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::lossy_utf8(data));
