//! Validation of UTF-16, native, little and big endian, on every instruction set against the standard library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::validate_utf16(data));
