//! Columns of strings, against loops over their rows.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::columns(data));
