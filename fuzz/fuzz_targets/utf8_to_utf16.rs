//! Conversion of UTF-8 to UTF-16 into buffers of every size, on every instruction set.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::utf8_to_utf16(data));
