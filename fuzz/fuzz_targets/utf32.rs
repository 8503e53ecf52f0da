//! UTF-32, to UTF-8, UTF-16 and Latin-1 and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::utf32(data));
