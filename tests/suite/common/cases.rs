//! What the adapters of `fastutf::io` and those of the package `fastutf-tokio`, whose tests compile this file as well, are
//! tried with.

use std::io::{self, ErrorKind};

use fastutf::Isa;
use fastutf::stream::{Encoding, Source, StreamError, Transcoder};
use fastutf_testkit::oracle::{Whole, to_bytes};
use fastutf_testkit::{Filler, Rng};

use super::told::{converted, whole};

/// The encodings that have every character.
pub const UNICODE: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

/// Where a text is ill-formed, and how many bytes to skip.
pub type Place = (u64, Option<usize>);

/// Bytes, and the standard library's results for them.
#[derive(Debug)]
pub struct Case {
    pub from: Encoding,
    pub bytes: Vec<u8>,
    /// The text before the first error.
    pub valid: String,
    pub fault: Option<Place>,
    pub lossy: String,
    pub replacements: u64,
}

fn order(encoding: Encoding) -> fn(u16) -> [u8; 2] {
    if encoding == Encoding::Utf16Be { u16::to_be_bytes } else { u16::to_le_bytes }
}

impl Case {
    pub fn new(from: Encoding, bytes: Vec<u8>) -> Self {
        let Whole { valid, fault, lossy, replacements } = whole(from, &bytes);
        Self { from, bytes, valid, fault: fault.map(|fault| (fault.at as u64, fault.len)), lossy, replacements }
    }

    pub fn utf8(bytes: &[u8]) -> Self {
        Self::new(Encoding::Utf8, bytes.to_vec())
    }

    pub fn utf16(from: Encoding, units: &[u16], odd: Option<u8>) -> Self {
        let mut bytes = to_bytes(units, order(from));
        bytes.extend(odd);
        Self::new(from, bytes)
    }

    pub fn outcome(&self, lossy: bool) -> (&str, Option<Place>) {
        if lossy { (&self.lossy, None) } else { (&self.valid, self.fault) }
    }

    /// The text in this encoding, where it cannot be converted, and how much has been replaced.
    pub fn converted(&self, to: Encoding, lossy: bool) -> (Vec<u8>, Option<Place>, u64) {
        let all = converted(self.from, &self.bytes, to, lossy.then_some(b'?'));
        (all.bytes, all.fault.map(|fault| (fault.at as u64, fault.len)), all.replacements)
    }
}

/// In UTF-8 and UTF-16: every kind of character and of error, in the middle of texts and at their end.
pub fn unicode() -> Vec<Case> {
    let text = "ab\u{FEFF}ł€\r\n\n😀z日本\u{0}\u{7FF}\u{FFFD}\u{10FFFF}x";
    let mut cases =
        vec![Case::utf8(b""), Case::utf8(b"a"), Case::utf8("😀".as_bytes()), Case::utf8(text.as_bytes())];
    for filler in Filler::ALL {
        cases.push(Case::utf8(&filler.after(90)));
    }
    let bad: [&[u8]; 14] = [
        b"\x80",
        b"\xFF",
        b"\xC3",
        b"\xC0\xAF",
        b"\xE2",
        b"\xE2\x82",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0",
        b"\xF0\x9F",
        b"\xF0\x9F\x98",
        b"\xF4\x90\x80\x80",
        b"\xE2\x82\xF0\x9F\x98\xC3",
        b"\xF0\x9F\xF0\x9F\x98\x80\x80",
    ];
    for bad in bad {
        for (before, after) in [("", ""), ("", "b"), ("aé€😀", ""), ("a€😀é", "é€"), (text, text)] {
            cases.push(Case::utf8(&[before.as_bytes(), bad, after.as_bytes()].concat()));
        }
    }
    for from in [Encoding::Utf16Le, Encoding::Utf16Be] {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        cases.push(Case::utf16(from, &[], None));
        cases.push(Case::utf16(from, &[], Some(0xD8)));
        cases.push(Case::utf16(from, &units(text), None));
        cases.push(Case::utf16(from, &Filler::Mixed.units_after(60), None));
        cases.push(Case::utf16(from, &Filler::Ascii.units_after(60), Some(0)));
        for bad in [&[0xD83D][..], &[0xDC00], &[0xD83D, 0xD83D], &[0xDC00, 0xD83D], &[0xD83D, 0xD83D, 0xDE00]] {
            for (before, after) in [("", ""), ("", "é"), ("a😀", ""), (text, text)] {
                let units = [units(before), bad.to_vec(), units(after)].concat();
                cases.push(Case::utf16(from, &units, None));
                cases.push(Case::utf16(from, &units, Some(0xDC)));
            }
        }
    }
    cases
}

pub fn transcoder(source: impl Into<Source>, to: Encoding, lossy: bool, isa: Isa) -> Transcoder {
    let transcoder = Transcoder::new(source, to).with_isa(isa);
    if lossy { transcoder.lossy() } else { transcoder }
}

/// The place in the `StreamError` that `error` must wrap.
pub fn place(error: &io::Error) -> Place {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<StreamError>());
    let inside = inside.unwrap_or_else(|| panic!("no StreamError in {error:?}"));
    assert_eq!(error.to_string(), inside.to_string());
    (inside.offset(), inside.error_len())
}

/// A random number from 1 to one of `limits`.
pub fn up_to_one_of(limits: &[usize], rng: &mut Rng) -> usize {
    let limit = rng.pick(limits);
    1 + rng.below(limit)
}
