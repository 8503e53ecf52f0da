//! The adapters of `fastutf::io`, with inner readers and writers that handle little at a time, are interrupted, and
//! fail. The result must be the same as that of the standard library for the whole text.

mod readers;
mod writers;

use std::io::{self, BufRead, ErrorKind, Read, Write};

use fastutf::Isa;
use fastutf::io::{TranscodingReader, TranscodingWriter, Utf8Reader};
use fastutf::stream::{Encoding, Source, StreamError, Transcoder};

pub(crate) use crate::common::encode;
use crate::common::oracle::{Whole, to_bytes};
pub(crate) use crate::common::told::ENCODINGS;
use crate::common::told::{converted, whole};
use crate::common::{Filler, Rng};
use fastutf_testkit::filler::random_text;

/// The encodings that have every character.
pub(crate) const UNICODE: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];

/// Where a text is ill-formed, and how many bytes to skip.
pub(crate) type Place = (u64, Option<usize>);

/// Bytes, and the standard library's results for them.
#[derive(Debug)]
pub(crate) struct Case {
    pub from: Encoding,
    pub bytes: Vec<u8>,
    /// The text before the first error.
    valid: String,
    fault: Option<Place>,
    lossy: String,
    pub replacements: u64,
}

fn order(encoding: Encoding) -> fn(u16) -> [u8; 2] {
    if encoding == Encoding::Utf16Be { u16::to_be_bytes } else { u16::to_le_bytes }
}

impl Case {
    fn new(from: Encoding, bytes: Vec<u8>) -> Self {
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

/// Every kind of character and of error, in the middle of texts and at their end.
pub(crate) fn cases() -> Vec<Case> {
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
    #[cfg(feature = "latin1")]
    for text in [&b""[..], b"caf\xE9 \xFF", &[0xE9; 90]] {
        cases.push(Case::new(Encoding::Latin1, text.to_vec()));
        cases.push(Case::utf8(fastutf::latin1::from_latin1(text).as_bytes()));
    }
    cases
}

pub(crate) fn transcoder(source: impl Into<Source>, to: Encoding, lossy: bool, isa: Isa) -> Transcoder {
    let transcoder = Transcoder::new(source, to).with_isa(isa);
    if lossy { transcoder.lossy() } else { transcoder }
}

/// The place in the `StreamError` that `error` must wrap.
pub(crate) fn place(error: &io::Error) -> Place {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<StreamError>());
    let inside = inside.unwrap_or_else(|| panic!("no StreamError in {error:?}"));
    assert_eq!(error.to_string(), inside.to_string());
    (inside.offset(), inside.error_len())
}

/// A random number from 1 to one of `limits`.
pub(crate) fn up_to_one_of(limits: &[usize], rng: &mut Rng) -> usize {
    let limit = rng.pick(limits);
    1 + rng.below(limit)
}

/// Reads or writes up to `step` bytes at a time, and fails in the way `fails`, if any, at every other call.
struct Dribble<B> {
    bytes: B,
    step: usize,
    fails: Option<Failure>,
    calls: usize,
    flushed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    Interrupted,
    WouldBlock,
    /// Writes nothing.
    Zero,
}

impl<B> Dribble<B> {
    fn new(bytes: B, step: usize, fails: Option<Failure>) -> Self {
        Self { bytes, step, fails, calls: 0, flushed: 0 }
    }

    /// Fails if it is time to, or returns whether to write nothing.
    fn fail(&mut self) -> io::Result<bool> {
        self.calls += 1;
        match self.fails {
            Some(fails) if self.calls % 2 == 1 => match fails {
                Failure::Interrupted => Err(ErrorKind::Interrupted.into()),
                Failure::WouldBlock => Err(ErrorKind::WouldBlock.into()),
                Failure::Zero => Ok(true),
            },
            _ => Ok(false),
        }
    }
}

impl Read for Dribble<&[u8]> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.fail()?;
        let len = buf.len().min(self.step);
        self.bytes.read(&mut buf[..len])
    }
}

impl BufRead for Dribble<&[u8]> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fail()?;
        Ok(&self.bytes[..self.step.min(self.bytes.len())])
    }

    fn consume(&mut self, amount: usize) {
        assert!(amount <= self.step.min(self.bytes.len()), "consumed more than was in the buffer");
        self.bytes = &self.bytes[amount..];
    }
}

impl Write for Dribble<Vec<u8>> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        if self.fail()? {
            return Ok(0);
        }
        self.bytes.write(&src[..src.len().min(self.step)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed += 1;
        Ok(())
    }
}

fn transient(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::WriteZero)
}

/// Repeats a call until it does not fail with a transient error.
fn patiently<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if transient(&error) => {}
            result => return result,
        }
    }
}

#[test]
fn a_megabyte_is_copied_there_and_back() {
    let text = random_text(1 << 20, &mut Rng::new(5));
    for isa in Isa::available() {
        for to in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let there = transcoder(Encoding::Utf8, to, false, isa);
            let mut writer = TranscodingWriter::new(Vec::new(), there);
            let mut reader = Utf8Reader::new(text.as_bytes()).with_isa(isa);
            assert_eq!(io::copy(&mut reader, &mut writer).unwrap(), text.len() as u64, "{isa}");
            assert_eq!(reader.offset(), text.len() as u64, "{isa}");
            let encoded = writer.finish().unwrap();
            assert!(encoded == encode(&text, to), "{to:?} on {isa}");

            let mut back = Vec::new();
            let mut reader = TranscodingReader::new(&encoded[..], transcoder(to, Encoding::Utf8, false, isa));
            assert_eq!(io::copy(&mut reader, &mut back).unwrap(), text.len() as u64, "{isa}");
            assert!(back == text.as_bytes(), "{to:?} on {isa}");
        }
    }
}
