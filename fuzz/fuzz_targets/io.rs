//! Readers and writers with inner ones of any behaviour, against the standard library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::io(data));
