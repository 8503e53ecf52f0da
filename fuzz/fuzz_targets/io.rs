//! Readers and writers, whatever their inner ones do, against the standard library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::io(data));
