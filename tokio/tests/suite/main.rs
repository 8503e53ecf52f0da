//! The codec, the reader and the writer, with input cut anywhere. `FASTUTF_TEST_THIN` and `FASTUTF_TEST_SEED` mean what
//! they mean to the library's tests.

mod codec;
mod readers;
mod told;
mod writers;

#[expect(dead_code, reason = "the tests of `fastutf::io` use more")]
#[path = "../../../tests/suite/common/cases.rs"]
mod cases;

use fastutf::stream::Encoding;

use cases::Case;
use told::told;

/// Encodes the text with std.
fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    told(encoding).encode(text.chars().map(u32::from))
}

/// Every kind of character and of error, in every encoding.
fn cases() -> Vec<Case> {
    let mut cases = cases::unicode();
    for text in [&b""[..], b"caf\xE9 \xFF", &[0xE9; 90]] {
        cases.push(Case::new(Encoding::Latin1, text.to_vec()));
        cases.push(Case::utf8(fastutf::latin1::from_latin1(text).as_bytes()));
    }
    cases
}
