//! The adapters of `fastutf::io`, with inner readers and writers that handle little at a time, are interrupted, and
//! fail. The result must be the same as that of the standard library for the whole text.

mod readers;
mod writers;

use std::io::{self, BufRead, ErrorKind, Read, Write};

use fastutf::Isa;
use fastutf::io::{TranscodingReader, TranscodingWriter, Utf8Reader};
use fastutf::stream::Encoding;
use fastutf_testkit::filler::random_text;

use crate::common::Rng;
use crate::common::cases::{self, Case, Place, UNICODE, place, transcoder, up_to_one_of};
use crate::common::encode;

/// Every kind of character and of error, in every encoding.
fn cases() -> Vec<Case> {
    #[cfg_attr(not(feature = "latin1"), expect(unused_mut))]
    let mut cases = cases::unicode();
    #[cfg(feature = "latin1")]
    for text in [&b""[..], b"caf\xE9 \xFF", &[0xE9; 90]] {
        cases.push(Case::new(Encoding::Latin1, text.to_vec()));
        cases.push(Case::utf8(fastutf::latin1::from_latin1(text).as_bytes()));
    }
    cases
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
