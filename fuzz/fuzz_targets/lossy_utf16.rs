//! UTF-16 with replacements, to UTF-8 and in place, on every instruction set.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::lossy_utf16(data));
