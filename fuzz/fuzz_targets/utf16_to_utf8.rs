//! Conversion of UTF-16 to UTF-8 into buffers of every size, on every instruction set.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::utf16_to_utf8(data));
