//! Every conversion, against the definition of the two forms.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fastutf_fuzz::conversions(data));
