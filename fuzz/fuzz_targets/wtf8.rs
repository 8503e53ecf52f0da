//! WTF-8 and modified UTF-8, to UTF-8 and UTF-16 and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::wtf8(data));
