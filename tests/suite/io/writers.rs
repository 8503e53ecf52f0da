//! `TranscodingWriter`.

use std::io::{self, ErrorKind, Write};

use fastutf::Isa;
use fastutf::io::TranscodingWriter;
use fastutf::stream::{Encoding, Transcoder};

use super::{Dribble, Failure, UNICODE, cases, encode, patiently, place, transcoder, up_to_one_of};
use crate::common::{Rng, hex, one_in};

#[test]
fn a_writer_writes_the_text_through_buffers_of_every_size() {
    let mut rng = Rng::new(6);
    for case in &cases() {
        for &to in Encoding::ALL {
            for isa in Isa::available() {
                for capacity in (1..=64).filter(|_| rng.below(one_in(8)) == 0).collect::<Vec<usize>>() {
                    let lossy = rng.below(2) == 0;
                    let (piece, step) = (up_to_one_of(&[3, 80], &mut rng), up_to_one_of(&[3, 70], &mut rng));
                    let fails = rng.pick(&[
                        None,
                        Some(Failure::Interrupted),
                        Some(Failure::WouldBlock),
                        Some(Failure::Zero),
                    ]);
                    let flushes = rng.below(2) == 0;
                    let context = format!(
                        "{piece} bytes at a time, capacity {capacity}, steps of {step}, {fails:?}, flushes {flushes}, to \
                         {to:?}, lossy {lossy}, on {isa}; {:?}: {}",
                        case.from,
                        hex(&case.bytes)
                    );
                    let inner = Dribble::new(Vec::new(), step, fails);
                    let mut writer =
                        TranscodingWriter::with_capacity(capacity, inner, transcoder(case.from, to, lossy, isa));
                    let (want, fault, replacements) = case.converted(to, lossy);
                    let mut rest = &case.bytes[..];
                    let result = loop {
                        if rest.is_empty() {
                            break patiently(|| writer.try_finish());
                        }
                        if flushes && rng.below(4) == 0 {
                            patiently(|| writer.flush()).unwrap();
                        }
                        match patiently(|| writer.write(&rest[..rest.len().min(piece)])) {
                            Ok(0) => panic!("nothing written: {context}"),
                            Ok(accepted) => rest = &rest[accepted..],
                            Err(error) => {
                                // The next write and the end report the same error.
                                assert_eq!(Some(place(&writer.write(rest).unwrap_err())), fault, "{context}");
                                assert_eq!(Some(place(&error)), fault, "{context}");
                                break patiently(|| writer.try_finish());
                            }
                        }
                    };
                    assert_eq!(result.err().as_ref().map(place), fault, "{context}");
                    let got = &writer.get_ref().bytes;
                    assert!(*got == want, "{context}:\n  got {}\n want {}", hex(got), hex(&want));
                    assert_eq!(writer.transcoder().replacements(), replacements, "{context}");
                    let fault_again = patiently(|| writer.try_finish()).err().as_ref().map(place);
                    assert_eq!(
                        (fault_again, &writer.get_ref().bytes),
                        (fault, &want),
                        "{context}: finished again"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_accepted_before_an_error() {
    for isa in Isa::available() {
        let mut writer =
            TranscodingWriter::new(Vec::new(), transcoder(Encoding::Utf8, Encoding::Utf16Be, false, isa));
        assert_eq!(writer.write(b"abc\xFFd").unwrap(), 3, "{isa}");
        assert_eq!(place(&writer.write(b"\xFFd").unwrap_err()), (3, Some(1)), "{isa}");
        assert_eq!(place(&writer.write(b"d").unwrap_err()), (3, Some(1)), "{isa}");
        // All accepted text is written.
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), b"\0a\0b\0c", "{isa}");
    }
}

/// Errors of the inner writer are returned at once, except for an interruption, after which it is called again.
#[test]
fn errors_of_the_inner_writer_are_returned() {
    let failures = [
        (Failure::WouldBlock, Err(ErrorKind::WouldBlock), 1),
        (Failure::Zero, Err(ErrorKind::WriteZero), 1),
        (Failure::Interrupted, Ok(()), 2),
    ];
    for (failure, outcome, calls) in failures {
        let inner = Dribble::new(Vec::new(), 70, Some(failure));
        let there = transcoder(Encoding::Utf8, Encoding::Utf16Le, false, Isa::SCALAR);
        let mut writer = TranscodingWriter::new(inner, there);
        writer.write_all(b"text").unwrap();
        assert_eq!(writer.flush().map_err(|error| error.kind()), outcome, "{failure:?}");
        assert_eq!(writer.get_ref().calls, calls, "{failure:?}");
        // The failure loses nothing.
        writer.flush().unwrap();
        assert_eq!(writer.get_ref().bytes, encode("text", Encoding::Utf16Le), "{failure:?}");
    }
}

#[test]
fn a_flush_leaves_the_start_of_a_character() {
    for isa in Isa::available() {
        let inner = Dribble::new(Vec::new(), 1, None);
        let mut writer = TranscodingWriter::new(inner, transcoder(Encoding::Utf8, Encoding::Utf16Be, false, isa));
        writer.write_all(b"a\xE2\x82").unwrap();
        assert_eq!(writer.get_ref().bytes, b"", "buffered, on {isa}");
        writer.flush().unwrap();
        assert_eq!((&*writer.get_ref().bytes, writer.get_ref().flushed), (&b"\0a"[..], 1), "{isa}");
        writer.write_all(b"\xAC").unwrap();
        let inner = writer.finish().unwrap();
        assert_eq!((&*inner.bytes, inner.flushed), (&b"\0a\x20\xAC"[..], 2), "{isa}");
    }
}

#[test]
fn nothing_is_written_after_the_end() {
    for isa in Isa::available() {
        let mut writer =
            TranscodingWriter::new(Vec::new(), transcoder(Encoding::Utf8, Encoding::Utf8, false, isa));
        assert_eq!(writer.write(b"").unwrap(), 0, "{isa}");
        writer.write_all(b"ab").unwrap();
        writer.try_finish().unwrap();
        assert_eq!(writer.write(b"").unwrap(), 0, "{isa}");
        assert_eq!(writer.write(b"c").unwrap_err().kind(), ErrorKind::InvalidInput, "{isa}");
        writer.try_finish().unwrap();
        assert_eq!(writer.finish().unwrap(), b"ab", "{isa}");
    }
}

/// The output of an inner writer that writes up to `step` bytes at a time, after the adapter is dropped.
fn dropped(isa: Isa, to: Encoding, lossy: bool, step: usize, src: &[u8]) -> Vec<u8> {
    let mut got = Vec::new();
    let mut inner = Dribble::new(Vec::new(), step, Some(Failure::Interrupted));
    {
        let mut writer = TranscodingWriter::new(&mut inner, transcoder(Encoding::Utf8, to, lossy, isa));
        let _ = writer.write_all(src);
    }
    got.append(&mut inner.bytes);
    got
}

#[test]
fn a_dropped_writer_writes_what_it_has() {
    for isa in Isa::available() {
        for to in UNICODE {
            for (src, want) in [
                (&b""[..], ""),
                ("a€😀".as_bytes(), "a€😀"),
                // U+FFFD marks the incomplete character, even if the transcoder is strict.
                (b"a\xC5", "a\u{FFFD}"),
                (b"a\xE2\x82", "a\u{FFFD}"),
                (b"\xF0\x9F\x98", "\u{FFFD}"),
            ] {
                for (step, lossy) in [(1, false), (100, false), (3, true)] {
                    assert_eq!(
                        dropped(isa, to, lossy, step, src),
                        encode(want, to),
                        "{} to {to:?} on {isa}",
                        hex(src)
                    );
                }
            }
            // The caller already knows of an error in the text, so nothing marks it.
            assert_eq!(dropped(isa, to, false, 1, b"ab\xFFc"), encode("ab", to), "to {to:?} on {isa}");
        }
    }
}

#[test]
fn a_writer_dropped_after_an_error_at_its_end_adds_nothing() {
    for isa in Isa::available() {
        let mut bytes = Vec::new();
        let mut writer =
            TranscodingWriter::new(&mut bytes, transcoder(Encoding::Utf8, Encoding::Utf8, false, isa));
        writer.write_all(b"a\xE2\x82").unwrap();
        assert_eq!(place(&writer.finish().unwrap_err()), (1, None), "{isa}");
        assert_eq!(bytes, b"a", "{isa}");
    }
}

/// A writer that panics in `write` or, if `in_flush`, in `flush`, and counts the calls.
struct Panics<'a> {
    in_flush: bool,
    calls: &'a mut usize,
}

impl Write for Panics<'_> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        *self.calls += 1;
        assert!(self.in_flush, "in write");
        Ok(src.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.calls += 1;
        panic!("in flush");
    }
}

/// The writer is dropped while the panic unwinds. If it called the inner writer again, another panic would abort the
/// program.
#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn a_writer_that_panicked_is_not_called_again() {
    for (in_flush, expected) in [(false, 1), (true, 2)] {
        for finishes in [false, true] {
            let mut calls = 0;
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
                let inner = Panics { in_flush, calls: &mut calls };
                let mut writer = TranscodingWriter::new(inner, to_utf8);
                writer.write_all(b"ab").unwrap();
                if finishes { writer.try_finish() } else { writer.flush() }
            }));
            assert!(result.is_err(), "in flush {in_flush}, finishes {finishes}");
            assert_eq!(calls, expected, "in flush {in_flush}, finishes {finishes}");
        }
    }
}

/// An unpaired surrogate and an incomplete code unit become two U+FFFD, which do not fit into the smallest buffer.
#[test]
fn the_end_may_take_more_than_one_buffer() {
    for isa in Isa::available() {
        let transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8).lossy().with_isa(isa);
        let mut writer = TranscodingWriter::with_capacity(1, Vec::new(), transcoder);
        writer.write_all(b"a\0\x3D\xD8\x00").unwrap();
        assert_eq!(writer.finish().unwrap(), "a\u{FFFD}\u{FFFD}".as_bytes(), "{isa}");
    }
}

/// A write that fails has no effect: its text is not written, and does not make the start of a character before it
/// ill-formed.
#[test]
fn a_write_that_fails_has_not_been() {
    let mut failed = 0;
    for isa in Isa::available() {
        for lossy in [false, true] {
            for filled in 0..=40 {
                let inner = Dribble::new(Vec::new(), 5, Some(Failure::WouldBlock));
                let to_utf8 = transcoder(Encoding::Utf8, Encoding::Utf8, lossy, isa);
                let mut writer = TranscodingWriter::with_capacity(16, inner, to_utf8);
                let before = [&b"x".repeat(filled)[..], b"\xF0\x9F"].concat();
                let mut rest = &before[..];
                while !rest.is_empty() {
                    rest = &rest[patiently(|| writer.write(rest)).unwrap()..];
                }
                match writer.write(b"!") {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => failed += 1,
                    _ => continue,
                }
                assert_eq!(patiently(|| writer.write(b"\x98\x80")).unwrap(), 2);
                patiently(|| writer.try_finish()).unwrap();
                assert_eq!(writer.transcoder().replacements(), 0, "after {filled} on {isa}");
                let want = "x".repeat(filled) + "\u{1F600}";
                assert_eq!(writer.get_ref().bytes, want.as_bytes(), "after {filled} on {isa}");
            }
        }
    }
    assert!(failed > 20, "{failed}");
}

#[test]
fn a_lossy_writer() {
    for isa in Isa::available() {
        let strict = transcoder(Encoding::Utf8, Encoding::Utf16Be, false, isa);
        let mut writer = TranscodingWriter::new(Vec::new(), strict).lossy();
        writer.write_all(b"a\xFFb\xE2\x82").unwrap();
        assert_eq!(writer.finish().unwrap(), b"\0a\xFF\xFD\0b\xFF\xFD", "{isa}");
    }
}
