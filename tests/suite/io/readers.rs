//! `Utf8Reader` and `TranscodingReader`.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use fastutf::io::{TranscodingReader, Utf8Reader};
use fastutf::stream::{ByteOrder, Encoding, Source, StreamError, StreamErrorKind, Transcoder};
use fastutf::{Isa, Utf8ErrorKind};

use super::{Dribble, Failure, Place, UNICODE, cases, encode, patiently, place, transcoder, up_to_one_of};
use crate::common::oracle::split_utf8;
use crate::common::{Rng, hex, one_in};

/// How to read from a reader.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Read,
    BufRead,
    /// Both, at random.
    Mixed,
    /// `BufRead`, and lines, at random.
    Lines,
}

/// Reads everything, `room` bytes at a time, up to the end or an error. The next call must return the same end or
/// error.
fn drain(reader: &mut impl BufRead, way: Way, room: usize, rng: &mut Rng) -> (Vec<u8>, Option<Place>) {
    let mut all = Vec::new();
    let mut step = |all: &mut Vec<u8>| {
        if way == Way::Read || way == Way::Mixed && rng.below(2) == 0 {
            let mut buf = vec![0xA5; room];
            let read = patiently(|| reader.read(&mut buf))?;
            all.extend_from_slice(&buf[..read]);
            return Ok(read);
        }
        if way == Way::Lines && rng.below(4) > 0 {
            let mut line = String::new();
            let read = patiently(|| {
                let before = line.len();
                reader.read_line(&mut line).inspect(|&read| assert_eq!(before + read, line.len()))
            });
            all.extend_from_slice(line.as_bytes());
            return read;
        }
        let found = patiently(|| reader.fill_buf().map(<[u8]>::to_vec))?;
        if way == Way::BufRead {
            assert_eq!(patiently(|| reader.fill_buf().map(<[u8]>::to_vec))?, found, "fill_buf twice");
        }
        // A line cannot begin inside of a character.
        let found = if way == Way::Lines { &found[..] } else { &found[..found.len().min(room)] };
        all.extend_from_slice(found);
        reader.consume(found.len());
        Ok(found.len())
    };
    let end = loop {
        match step(&mut all) {
            Ok(0) => break None,
            Ok(_) => {}
            Err(error) => break Some(place(&error)),
        }
    };
    let len = all.len();
    let again = step(&mut all).map_or_else(|error| Some(place(&error)), |_| None);
    assert_eq!((again, all.len()), (end, len), "at the call after the last");
    (all, end)
}

#[test]
fn a_transcoding_reader_gives_the_text_in_buffers_of_every_size() {
    let mut rng = Rng::new(1);
    for case in &cases() {
        for &to in Encoding::ALL {
            for isa in Isa::available() {
                for capacity in (1..=64).filter(|_| rng.below(one_in(8)) == 0).collect::<Vec<usize>>() {
                    let lossy = rng.below(2) == 0;
                    let way = rng.pick(&[Way::Read, Way::BufRead, Way::Mixed]);
                    let (room, step) = (up_to_one_of(&[80], &mut rng), up_to_one_of(&[3, 70], &mut rng));
                    let fails = rng.pick(&[None, Some(Failure::Interrupted), Some(Failure::WouldBlock)]);
                    let inner = Dribble::new(&case.bytes[..], step, fails);
                    let mut reader =
                        TranscodingReader::with_capacity(capacity, inner, transcoder(case.from, to, lossy, isa));
                    let got = drain(&mut reader, way, room, &mut rng);
                    let (text, fault, replacements) = case.converted(to, lossy);
                    let want = (text, fault);
                    assert!(
                        got == want,
                        "{way:?} {room} bytes at a time, capacity {capacity}, steps of {step}, {fails:?}, to {to:?}, \
                         lossy {lossy}, on {isa}:\n  got {got:?}\n want {want:?}\n{:?}: {}",
                        case.from,
                        hex(&case.bytes)
                    );
                    assert_eq!(reader.transcoder().replacements(), replacements, "{case:?} on {isa}");
                }
            }
        }
    }
}

#[test]
fn a_utf8_reader_gives_the_bytes_before_the_error() {
    let mut rng = Rng::new(2);
    for case in cases().iter().filter(|case| case.from == Encoding::Utf8) {
        for isa in Isa::available() {
            for step in (1..=case.bytes.len() + 1).filter(|_| rng.below(one_in(2)) == 0).collect::<Vec<usize>>() {
                for way in [Way::Read, Way::BufRead, Way::Mixed, Way::Lines] {
                    let room = up_to_one_of(&[4, 80], &mut rng);
                    let fails = rng.pick(&[None, Some(Failure::Interrupted), Some(Failure::WouldBlock)]);
                    let inner = Dribble::new(&case.bytes[..], step, fails);
                    let mut reader = Utf8Reader::new(inner).with_isa(isa);
                    let (got, fault) = drain(&mut reader, way, room, &mut rng);
                    let context = || {
                        format!(
                            "{way:?} {room} bytes at a time, steps of {step}, {fails:?}, on {isa}: got {got:X?}, {fault:?} of {}",
                            hex(&case.bytes)
                        )
                    };
                    assert_eq!(fault, case.fault, "{}", context());
                    assert_eq!(reader.offset(), got.len() as u64, "{}", context());
                    assert!(case.bytes.starts_with(&got), "{}", context());
                    // If a read or the text ends inside the ill-formed sequence, some of its bytes have been returned.
                    let exact = match case.fault {
                        Some((_, Some(_))) => {
                            matches!(way, Way::BufRead | Way::Lines) || step.min(room) > case.bytes.len()
                        }
                        Some((_, None)) => matches!(way, Way::BufRead | Way::Lines),
                        None => true,
                    };
                    let more = if exact { 0 } else { 3 };
                    assert!((case.valid.len()..=case.valid.len() + more).contains(&got.len()), "{}", context());
                    // The bytes not returned are still in the inner reader, except for one character.
                    let rest = reader.into_inner().bytes;
                    assert!(rest.len() <= case.bytes.len() - got.len(), "{}", context());
                    if way == Way::BufRead && fault.is_none_or(|(_, len)| len.is_some()) {
                        assert!(case.bytes.len() - got.len() - rest.len() <= 3, "{}", context());
                    }
                }
            }
        }
    }
}

#[test]
fn whole_reads_of_a_utf8_reader_stop_exactly_at_the_error() {
    for isa in Isa::available() {
        let mut reader = Utf8Reader::new(&b"ab\xE2\x82cd"[..]).with_isa(isa);
        let mut buf = [0; 9];
        assert_eq!(reader.read(&mut buf).unwrap(), 2, "{isa}");
        assert_eq!(place(&reader.read(&mut buf).unwrap_err()), (2, Some(2)), "{isa}");

        // The caller's buffer cuts the sequence, so its start has been read.
        let mut reader = Utf8Reader::new(&b"ab\xE2\x82cd"[..]).with_isa(isa);
        assert_eq!(reader.read(&mut buf[..4]).unwrap(), 4, "{isa}");
        assert_eq!(place(&reader.read(&mut buf).unwrap_err()), (2, Some(2)), "{isa}");

        // An incomplete sequence at the end is an error, too.
        let mut reader = Utf8Reader::new(&b"ab\xE2\x82"[..]).with_isa(isa);
        assert_eq!(reader.read(&mut buf).unwrap(), 4, "{isa}");
        let error = reader.read(&mut buf).unwrap_err();
        assert_eq!(place(&error), (2, None), "{isa}");
        let kind = error.get_ref().unwrap().downcast_ref::<StreamError>().unwrap().kind();
        assert_eq!(kind, StreamErrorKind::Utf8(Utf8ErrorKind::Incomplete), "{isa}");
    }
}

#[test]
fn byte_order_marks_are_what_the_source_makes_of_them() {
    let text = "\u{FEFF}a\u{FEFF}😀";
    let mut rng = Rng::new(3);
    for isa in Isa::available() {
        for from in UNICODE {
            let bytes = encode(text, from);
            let detect = Source::DetectBom { fallback: Encoding::Utf8 };
            let mut sources =
                vec![(Source::KeepBom(from), text), (Source::StripBom(from), &text[3..]), (detect, &text[3..])];
            if from != Encoding::Utf8 {
                sources.push((Source::Utf16 { fallback: ByteOrder::Big }, &text[3..]));
                sources.push((Source::Utf16 { fallback: ByteOrder::Little }, &text[3..]));
            }
            for (source, want) in sources {
                for step in 1..=bytes.len() {
                    for way in [Way::Read, Way::BufRead] {
                        let inner = Dribble::new(&bytes[..], step, Some(Failure::Interrupted));
                        let mut reader =
                            TranscodingReader::new(inner, transcoder(source, Encoding::Utf8, false, isa));
                        let (got, fault) = drain(&mut reader, way, 5, &mut rng);
                        assert_eq!((&*got, fault), (want.as_bytes(), None), "{source:?} steps of {step} on {isa}");
                        assert_eq!(
                            reader.transcoder().encoding(),
                            Some(from),
                            "{source:?} steps of {step} on {isa}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn lines_across_buffers() {
    let text = "eins\nzwei \u{20AC}\u{1F600}\r\n\r\nłłłłłłłłłłłłłłłłłłłł\n日本語日本語日本語\n\nend";
    let want: Vec<&str> = text.lines().collect();
    for isa in Isa::available() {
        for capacity in 1..=64 {
            for from in UNICODE {
                let bytes = encode(text, from);
                for step in [1, 2, 3, 7, 100] {
                    let inner = Dribble::new(&bytes[..], step, Some(Failure::Interrupted));
                    let to_utf8 = transcoder(from, Encoding::Utf8, false, isa);
                    let reader = TranscodingReader::with_capacity(capacity, inner, to_utf8);
                    let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
                    assert_eq!(lines, want, "{from:?} capacity {capacity} steps of {step} on {isa}");
                }
            }
            let reader = Utf8Reader::new(BufReader::with_capacity(capacity, text.as_bytes())).with_isa(isa);
            let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
            assert_eq!(lines, want, "capacity {capacity} on {isa}");

            let mut reader = Utf8Reader::new(BufReader::with_capacity(capacity, text.as_bytes())).with_isa(isa);
            let (mut until, mut rest) = (Vec::new(), String::new());
            reader.read_until(b'\n', &mut until).unwrap();
            reader.read_until("語".as_bytes()[2], &mut until).unwrap();
            reader.read_to_string(&mut rest).unwrap();
            let at = text.find('語').unwrap() + 3;
            assert_eq!((&*until, &*rest), (&text.as_bytes()[..at], &text[at..]), "capacity {capacity} on {isa}");
        }
    }
}

#[test]
fn an_error_comes_after_the_lines_before_it() {
    for isa in Isa::available() {
        for capacity in 1..=20 {
            let bytes = b"one\ntwo\nth\xF0\x9Free\n";
            let mut reader = Utf8Reader::new(BufReader::with_capacity(capacity, &bytes[..])).with_isa(isa);
            let mut line = String::new();
            assert_eq!(reader.read_line(&mut line).unwrap(), 4);
            assert_eq!(reader.read_line(&mut line).unwrap(), 4);
            assert_eq!(line, "one\ntwo\n", "capacity {capacity} on {isa}");
            let error = reader.read_line(&mut line).unwrap_err();
            assert_eq!(place(&error), (10, Some(2)), "capacity {capacity} on {isa}");
            assert_eq!(line, "one\ntwo\nth", "what was read before the error, capacity {capacity} on {isa}");
        }
    }
}

/// A line of UTF-16 ends inside of a code unit, and no line is UTF-8.
#[test]
fn lines_that_are_not_utf8() {
    // Of the second, what fills a buffer is UTF-8, and not what follows.
    let texts = [String::from("a\u{FF}\nb"), "a".repeat(20_000) + "\u{FF}\nb"];
    for (isa, text) in Isa::available().flat_map(|isa| texts.each_ref().map(|text| (isa, text))) {
        let mut reader =
            TranscodingReader::new(text.as_bytes(), transcoder(Encoding::Utf8, Encoding::Utf16Le, false, isa));
        let mut line = String::from("before");
        let error = reader.read_line(&mut line).unwrap_err();
        assert_eq!((error.kind(), &*line), (ErrorKind::InvalidData, "before"), "{isa}");
    }
}

#[test]
fn to_a_string_and_to_a_vec() {
    for isa in Isa::available() {
        for case in &cases() {
            for lossy in [false, true] {
                let reader = || {
                    let inner = Dribble::new(&case.bytes[..], 7, Some(Failure::Interrupted));
                    TranscodingReader::new(inner, transcoder(case.from, Encoding::Utf8, lossy, isa))
                };
                let (want, fault) = case.outcome(lossy);
                for before in ["", "before: "] {
                    let mut text = String::from(before);
                    let result = reader().read_to_string(&mut text);
                    assert_eq!(result.as_ref().err().map(place), fault, "{case:?} on {isa}");
                    assert_eq!(text, format!("{before}{want}"), "{case:?} on {isa}");
                    if let Ok(len) = result {
                        assert_eq!(len, want.len(), "{case:?} on {isa}");
                    }
                    let mut bytes = before.as_bytes().to_vec();
                    let result = reader().read_to_end(&mut bytes);
                    assert_eq!(result.err().as_ref().map(place), fault, "{case:?} on {isa}");
                    assert_eq!(bytes, format!("{before}{want}").as_bytes(), "{case:?} on {isa}");
                }
            }
            if case.from != Encoding::Utf8 {
                continue;
            }
            for before in ["", "before: "] {
                let mut text = String::from(before);
                let result = Utf8Reader::new(&case.bytes[..]).with_isa(isa).read_to_string(&mut text);
                assert_eq!(result.as_ref().err().map(place), case.fault, "{case:?} on {isa}");
                assert!(text.starts_with(before), "{case:?} on {isa}");
                if let Ok(len) = result {
                    assert_eq!(
                        (&text[before.len()..], len),
                        (&*case.valid, case.bytes.len()),
                        "{case:?} on {isa}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_string_does_not_begin_inside_a_character() {
    for isa in Isa::available() {
        for before in ["", "before"] {
            let mut text = String::from(before);
            let mut reader = Utf8Reader::new("€uro".as_bytes()).with_isa(isa);
            reader.read_exact(&mut [0]).unwrap();
            let error = reader.read_to_string(&mut text).unwrap_err();
            assert_eq!((error.kind(), &*text), (ErrorKind::InvalidData, before), "{isa}");

            let to_utf16 = transcoder(Encoding::Utf8, Encoding::Utf16Le, false, isa);
            let error = TranscodingReader::new("€".as_bytes(), to_utf16).read_to_string(&mut text).unwrap_err();
            assert_eq!((error.kind(), &*text), (ErrorKind::InvalidData, before), "{isa}");

            for is_line in [false, true] {
                let to_utf8 = transcoder(Encoding::Utf8, Encoding::Utf8, false, isa);
                let mut reader = TranscodingReader::new("€uro\nz".as_bytes(), to_utf8);
                reader.read_exact(&mut [0]).unwrap();
                let read = if is_line { reader.read_line(&mut text) } else { reader.read_to_string(&mut text) };
                assert_eq!((read.unwrap_err().kind(), &*text), (ErrorKind::InvalidData, before), "{isa}");
            }
        }
    }
}

/// A reader that fails once, after some bytes.
struct FailsAt<'a>(&'a [u8], Option<usize>);

impl Read for FailsAt<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let limit = match &mut self.1 {
            Some(0) => {
                self.1 = None;
                return Err(io::Error::other("the disk"));
            }
            Some(left) => {
                let limit = buf.len().min(*left).min(self.0.len());
                *left -= limit;
                limit
            }
            None => buf.len(),
        };
        self.0.read(&mut buf[..limit])
    }
}

#[test]
fn after_an_error_of_the_inner_reader_the_text_goes_on() {
    let text = "aé€😀\nłódź\n日本語";
    for isa in Isa::available() {
        for from in UNICODE {
            let bytes = encode(text, from);
            for at in 0..bytes.len() {
                let mut reader = TranscodingReader::new(
                    FailsAt(&bytes, Some(at)),
                    transcoder(from, Encoding::Utf8, false, isa),
                );
                let mut got = Vec::new();
                let error = reader.read_to_end(&mut got).unwrap_err();
                assert_eq!(error.to_string(), "the disk", "{from:?} at {at} on {isa}");
                let (until, _) = split_utf8(&text.as_bytes()[..got.len()]);
                assert_eq!(until.as_bytes(), got, "incomplete character: {from:?} at {at} on {isa}");
                reader.read_to_end(&mut got).unwrap();
                assert_eq!(got, text.as_bytes(), "{from:?} at {at} on {isa}");

                if from == Encoding::Utf8 {
                    let mut reader = Utf8Reader::new(FailsAt(&bytes, Some(at))).with_isa(isa);
                    let mut got = Vec::new();
                    reader.read_to_end(&mut got).unwrap_err();
                    assert_eq!(got.len(), at, "{isa}");
                    reader.read_to_end(&mut got).unwrap();
                    assert_eq!(got, bytes, "{isa}");
                }
            }
        }
    }
}

#[test]
fn what_was_read_before_an_error_of_the_inner_reader_is_in_the_string() {
    let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    let mut text = String::new();
    let error = TranscodingReader::new(FailsAt("ab€".as_bytes(), Some(3)), to_utf8).read_to_string(&mut text);
    assert_eq!((error.unwrap_err().to_string(), &*text), ("the disk".into(), "ab"));

    // An incomplete character is not.
    let mut text = String::new();
    let error = Utf8Reader::new(FailsAt("ab€".as_bytes(), Some(3))).read_to_string(&mut text);
    assert_eq!((error.unwrap_err().to_string(), &*text), ("the disk".into(), ""));
}

#[test]
fn nothing_is_read_for_nothing() {
    for isa in Isa::available() {
        let mut reader = Utf8Reader::new(Dribble::new(&b"ab\xFF"[..], 9, None)).with_isa(isa);
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert_eq!(reader.get_ref().calls, 0, "{isa}");
        reader.read_exact(&mut [0; 2]).unwrap();
        reader.read(&mut [0; 2]).unwrap_err();
        let calls = reader.get_ref().calls;
        assert_eq!(reader.read(&mut []).unwrap(), 0, "after an error, on {isa}");
        reader.read(&mut [0; 2]).unwrap_err();
        reader.fill_buf().unwrap_err();
        assert_eq!(reader.get_ref().calls, calls, "read on after an error, on {isa}");

        let to_utf8 = transcoder(Encoding::Utf8, Encoding::Utf8, false, isa);
        let mut reader = TranscodingReader::new(Dribble::new(&b"ab"[..], 9, None), to_utf8);
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert_eq!(reader.get_ref().calls, 0, "{isa}");
        let (got, fault) = drain(&mut reader, Way::Read, 1, &mut Rng::new(4));
        assert_eq!((&*got, fault), (&b"ab"[..], None), "{isa}");
        let calls = reader.get_ref().calls;
        assert_eq!(reader.read(&mut [0; 9]).unwrap(), 0);
        assert_eq!(reader.get_ref().calls, calls, "read again after its end, on {isa}");
    }
}

/// Callers must not consume more than `fill_buf` returned, but the standard library's readers allow it. Bytes that were
/// not returned were not validated: if they counted as validated, they and the rest would be returned unchecked.
#[test]
fn what_is_consumed_too_much_is_validated() {
    for isa in Isa::available() {
        for too_much in [1, 2, 100] {
            // Without a call of `fill_buf`.
            let mut reader = Utf8Reader::new(&b"ab\xFF"[..]).with_isa(isa);
            reader.consume(too_much);
            let (got, fault) = drain(&mut reader, Way::Read, 9, &mut Rng::new(8));
            assert_eq!(
                (&*got, fault, reader.offset()),
                (&b"ab"[..], Some((2, Some(1))), 2),
                "{too_much}, on {isa}"
            );

            // First "ab", from a buffer that also contains the start of a character; then "\u{20AC}".
            let inner = BufReader::with_capacity(4, &b"ab\xE2\x82\xACcdef\xFFgh"[..]);
            let mut reader = Utf8Reader::new(inner).with_isa(isa);
            for (shown, offset) in [(&b"ab"[..], 2), (b"\xE2\x82\xAC", 5)] {
                assert_eq!(reader.fill_buf().unwrap(), shown, "{isa}");
                reader.consume(shown.len() + too_much);
                assert_eq!(reader.offset(), offset, "{too_much}, on {isa}");
            }
            let (got, fault) = drain(&mut reader, Way::Mixed, 9, &mut Rng::new(9));
            assert_eq!((&*got, fault), (&b"cdef"[..], Some((9, Some(1)))), "{too_much}, on {isa}");
        }
    }
}

#[test]
fn a_large_read_is_converted_where_it_is_wanted() {
    for isa in Isa::available() {
        let to_utf16 = transcoder(Encoding::Utf8, Encoding::Utf16Le, false, isa);
        let src = [b'x'; 64];
        let mut reader = TranscodingReader::with_capacity(64, &src[..], to_utf16);
        // More than a buffer of 64 bytes holds.
        assert_eq!(reader.read(&mut [0; 128]).unwrap(), 128, "{isa}");
    }
}

#[test]
fn the_inner_reader_can_be_changed_and_taken_back() {
    let mut reader = Utf8Reader::new(&b"ab"[..]);
    *reader.get_mut() = b"c\xC3\xA9";
    assert_eq!(reader.get_ref(), b"c\xC3\xA9");
    let mut text = String::new();
    assert_eq!(reader.read_to_string(&mut text).unwrap(), 3);
    assert_eq!(text, "cé");
    let mut reader = TranscodingReader::new(&b"ab"[..], Transcoder::new(Encoding::Utf16Be, Encoding::Utf8));
    *reader.get_mut() = b"\0c";
    assert_eq!(reader.fill_buf().unwrap(), b"c");
    assert!(reader.get_ref().is_empty());
    assert_eq!(reader.into_inner(), b"");
}

/// Consuming more than the buffer contains consumes the whole buffer.
#[test]
fn consumed_without_bounds() {
    let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    let mut reader = TranscodingReader::new(&b"abcdef"[..], to_utf8);
    assert_eq!(reader.fill_buf().unwrap(), b"abcdef");
    reader.consume(3);
    reader.consume(usize::MAX);
    assert_eq!(reader.fill_buf().unwrap(), b"");
}

/// An inner reader that claims to have read more than it had room for causes a panic, and none of its bytes count as
/// validated.
#[test]
#[should_panic = "more bytes than there was room for"]
fn a_lie_of_the_inner_reader() {
    struct Liar(&'static [u8]);
    impl Read for Liar {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            Ok(buf.len() + 7)
        }
    }
    impl BufRead for Liar {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(self.0)
        }
        fn consume(&mut self, count: usize) {
            self.0 = &self.0[count..];
        }
    }
    let mut reader = Utf8Reader::new(Liar(b"hello"));
    assert_eq!(reader.fill_buf().unwrap(), b"hello");
    let _ = reader.read(&mut [0; 4]);
}

/// As for std's readers, `{:?}` shows how full the buffer is, not its contents.
#[test]
fn shown_for_debugging() {
    let to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    let mut reader = TranscodingReader::with_capacity(64, &b"secret"[..], to_utf8);
    assert_eq!(reader.fill_buf().unwrap(), b"secret");
    reader.consume(1);
    let shown = format!("{reader:?}");
    assert!(shown.contains("5/64"), "{shown}");
}

/// A `Utf8Reader` can become lossy at the start or between calls. It returns `String::from_utf8_lossy` of the rest.
#[test]
fn a_lossy_utf8_reader() {
    let mut rng = Rng::new(11);
    for case in cases().iter().filter(|case| case.from == Encoding::Utf8) {
        for isa in Isa::available() {
            for step in [1, 2, 3, 7, 100] {
                let inner = Dribble::new(&case.bytes[..], step, Some(Failure::Interrupted));
                let mut reader = Utf8Reader::new(inner).with_isa(isa).lossy();
                let room = up_to_one_of(&[4, 80], &mut rng);
                let (got, fault) = drain(&mut reader, Way::Mixed, room, &mut rng);
                assert_eq!((&*got, fault), (case.lossy.as_bytes(), None), "steps of {step} on {isa}: {case:?}");
                assert_eq!(reader.transcoder().replacements(), case.replacements, "{case:?} on {isa}");
            }
            // Bytes of a cut character that were returned but not consumed are returned again.
            for capacity in 1..=9 {
                for taken in 0..case.valid.len().min(20) {
                    let inner = BufReader::with_capacity(capacity, &case.bytes[..]);
                    let mut reader = Utf8Reader::new(inner).with_isa(isa);
                    let mut got = Vec::new();
                    while got.len() < taken {
                        let shown = reader.fill_buf().unwrap();
                        let some = shown.len().min(taken - got.len());
                        got.extend_from_slice(&shown[..some]);
                        reader.consume(some);
                    }
                    // Whole characters only: a rest that starts inside one is ill-formed.
                    if !case.valid.is_char_boundary(taken) || reader.fill_buf().is_err() {
                        continue;
                    }
                    reader.lossy().read_to_end(&mut got).unwrap();
                    assert_eq!(got, case.lossy.as_bytes(), "{taken} of {capacity} on {isa}: {case:?}");
                }
            }
        }
    }
}

#[test]
fn a_lossy_transcoding_reader() {
    for isa in Isa::available() {
        let strict = transcoder(Encoding::Utf16Le, Encoding::Utf8, false, isa);
        let mut reader = TranscodingReader::new(&b"a\0\0\xDCb"[..], strict).lossy();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!((&*text, reader.transcoder().replacements()), ("a\u{FFFD}\u{FFFD}", 2), "{isa}");
    }
}

/// An inner reader whose buffer shrinks between two calls of `fill_buf` causes a panic: it would not return the bytes
/// that were validated.
#[test]
#[should_panic]
fn a_buffer_that_shrinks() {
    struct Shrinks(usize);
    impl Read for Shrinks {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!()
        }
    }
    impl BufRead for Shrinks {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.0 -= 1;
            Ok(&b"hello"[..self.0])
        }
        fn consume(&mut self, _: usize) {}
    }
    let _ = Utf8Reader::new(Shrinks(6)).fill_buf();
}
