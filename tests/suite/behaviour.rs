//! The rules one by one: which sequences are well-formed, what is reported about the others, and what each public
//! function does with a result. Section numbers refer to RFC 3629 (UTF-8) and RFC 2781 (UTF-16).

use std::error::Error;
use std::panic::catch_unwind;

use fastutf::stream::StreamError;
use fastutf::{Isa, Stop, Utf8Error, Utf8ErrorKind, Utf16Error};

use crate::common::oracle::{Fault, Outcome, Stopped, Utf8Kind, Utf8Oracle, Utf16Kind, Utf16Oracle, to_bytes};
use crate::common::{Checker, Filler, Rng, hex, one_in_emulated, told};

/// Inputs for functions that only wrap others: valid and invalid, of each class of lengths.
fn samples() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(90);
    let mut all = vec![];
    for filler in Filler::ALL {
        for len in [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 200, 300, 1000, 5000] {
            let valid = filler.before(len);
            let mut wrong = valid.clone();
            if len > 0 {
                wrong[rng.below(len)] = rng.pick(&[0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF]);
            }
            all.extend([valid, wrong]);
        }
    }
    all
}

/// The same in UTF-16.
fn unit_samples() -> Vec<Vec<u16>> {
    let mut rng = Rng::new(91);
    let mut all = vec![];
    for filler in Filler::ALL {
        for len in [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 200, 300, 1000, 3000] {
            let valid = filler.units_before(len);
            let mut wrong = valid.clone();
            if len > 0 {
                wrong[rng.below(len)] = rng.pick(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF]);
            }
            all.extend([valid, wrong]);
        }
    }
    all
}

#[test]
fn rfc_3629_grammar() {
    // §4, row by row: the first and the last sequence of each row, and their neighbours outside it.
    let valid: [&[u8]; 18] = [
        b"\x00",
        b"\x7F",
        b"\xC2\x80",
        b"\xDF\xBF",
        b"\xE0\xA0\x80",
        b"\xE0\xBF\xBF",
        b"\xE1\x80\x80",
        b"\xEC\xBF\xBF",
        b"\xED\x80\x80",
        b"\xED\x9F\xBF",
        b"\xEE\x80\x80",
        b"\xEF\xBF\xBF",
        b"\xF0\x90\x80\x80",
        b"\xF0\xBF\xBF\xBF",
        b"\xF1\x80\x80\x80",
        b"\xF3\xBF\xBF\xBF",
        b"\xF4\x80\x80\x80",
        b"\xF4\x8F\xBF\xBF",
    ];
    let invalid: [&[u8]; 22] = [
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xC2\x7F",
        b"\xC2\xC0",
        b"\xDF\xC0",
        b"\xE0\x9F\xBF",
        b"\xE0\xC0\x80",
        b"\xE1\x80\x7F",
        b"\xE1\x80\xC0",
        b"\xED\xA0\x80",
        b"\xED\xBF\xBF",
        b"\xF0\x8F\xBF\xBF",
        b"\xF0\x90\x80\x7F",
        b"\xF1\x80\xC0\x80",
        b"\xF3\xBF\xBF\xC0",
        b"\xF4\x90\x80\x80",
        b"\xF4\xBF\xBF\xBF",
        b"\xF5\x80\x80\x80",
        b"\xF8\x88\x80\x80\x80",
        b"\xFC\x84\x80\x80\x80\x80",
    ];
    let mut check = Checker::new(92);
    for (all, is_valid) in [(&valid[..], true), (&invalid[..], false)] {
        for bytes in all {
            for isa in Isa::available() {
                assert_eq!(isa.validate_utf8(bytes).is_ok(), is_valid, "{isa}: {}", hex(bytes));
            }
            // The same at every offset of a block and with every kind of text around.
            for filler in Filler::ALL {
                for offset in 0..=64 {
                    if !check.keep(one_in_emulated().min(10)) {
                        continue;
                    }
                    let mut text = filler.before(offset);
                    text.extend_from_slice(bytes);
                    text.extend(filler.after(70));
                    check.utf8(&text);
                }
            }
        }
    }
}

#[test]
fn noncharacters_and_nul_are_valid() {
    for plane in 0..=16 {
        for low in [0xFFFE, 0xFFFF] {
            let c = char::from_u32(plane << 16 | low).unwrap();
            let text = format!("\0a{c}\0\u{FDD0}\u{FDEF}");
            for isa in Isa::available() {
                assert_eq!(isa.from_utf8(text.as_bytes()), Ok(&*text), "{isa}: {c:?}");
                assert_eq!(isa.from_utf16(&isa.to_utf16(&text)).as_ref(), Ok(&text), "{isa}: {c:?}");
            }
        }
    }
}

#[test]
fn rfc_3629_examples() {
    // §7.
    let examples: [(&[u8], &[u16]); 4] = [
        (b"\x41\xE2\x89\xA2\xCE\x91\x2E", &[0x0041, 0x2262, 0x0391, 0x002E]),
        (b"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4", &[0xD55C, 0xAD6D, 0xC5B4]),
        (b"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", &[0x65E5, 0x672C, 0x8A9E]),
        (b"\xEF\xBB\xBF\xF0\xA3\x8E\xB4", &[0xFEFF, 0xD84C, 0xDFB4]),
    ];
    for (bytes, units) in examples {
        for isa in Isa::available() {
            let text = isa.from_utf8(bytes).unwrap();
            assert_eq!(isa.to_utf16(text), units, "{isa}: {}", hex(bytes));
            assert_eq!(isa.from_utf16(units).as_deref(), Ok(text), "{isa}: {}", hex(bytes));
        }
    }
    // §10: the overlong form of "/../" that went through filters.
    for isa in Isa::available() {
        let error = isa.validate_utf8(b"\x2F\xC0\xAE\x2E\x2F").unwrap_err();
        assert_eq!((error.valid_up_to(), error.kind()), (1, Utf8ErrorKind::Overlong), "{isa}");
        let error = isa.validate_utf8(b"\xC0\x80").unwrap_err();
        assert_eq!((error.valid_up_to(), error.kind()), (0, Utf8ErrorKind::Overlong), "{isa}");
    }
}

#[test]
fn rfc_2781_examples() {
    // §5: U+12345 and "=Ra", without and with a BOM, which is an ordinary character here.
    let be = b"\xD8\x08\xDF\x45\x00\x3D\x00\x52\x00\x61";
    let le = b"\x08\xD8\x45\xDF\x3D\x00\x52\x00\x61\x00";
    let text = "\u{12345}=Ra";
    for isa in Isa::available() {
        assert_eq!(isa.to_utf16be(text), be, "{isa}");
        assert_eq!(isa.to_utf16le(text), le, "{isa}");
        assert_eq!(isa.from_utf16be(be).as_deref(), Ok(text), "{isa}");
        assert_eq!(isa.from_utf16le(le).as_deref(), Ok(text), "{isa}");
        let (be, le) = ([b"\xFE\xFF", &be[..]].concat(), [b"\xFF\xFE", &le[..]].concat());
        let text = "\u{FEFF}\u{12345}=Ra";
        assert_eq!(isa.from_utf16be(&be).as_deref(), Ok(text), "{isa}");
        assert_eq!(isa.from_utf16le(&le).as_deref(), Ok(text), "{isa}");
        assert_eq!(isa.to_utf16be(text), be, "{isa}");
        assert_eq!(isa.to_utf16le(text), le, "{isa}");
        // In the wrong byte order, the BOM is U+FFFE. The other swapped code units are not surrogates.
        assert!(isa.from_utf16be(&le[..2]).unwrap() == "\u{FFFE}", "{isa}");
    }
}

/// Error position, length and kind, and the number of replacement characters for the whole input.
#[test]
fn utf8_errors() {
    use Utf8Kind::*;
    let rows: [(&[u8], Option<usize>, usize, Utf8Kind); 27] = [
        (b"\xE2\x82", None, 1, Incomplete),
        (b"\xE2\x82\x41", Some(2), 1, MissingContinuation),
        (b"\xF0\x9F\x92", None, 1, Incomplete),
        (b"\xF0\x9F\x92\x41", Some(3), 1, MissingContinuation),
        (b"\xF0\x80\x80\x41", Some(1), 3, Overlong),
        (b"\xED\xA0\x80", Some(1), 3, Surrogate),
        (b"\xF4\x90\x80\x80", Some(1), 4, AboveMax),
        (b"\xC0\xAF", Some(1), 2, Overlong),
        (b"\x80\x80", Some(1), 2, StrayContinuation),
        (b"\xFF", Some(1), 1, InvalidLead),
        (b"\xFE", Some(1), 1, InvalidLead),
        (b"\xF8", Some(1), 1, FiveOrSixByteForm),
        (b"\xF9", Some(1), 1, FiveOrSixByteForm),
        (b"\xFA", Some(1), 1, FiveOrSixByteForm),
        (b"\xFB", Some(1), 1, FiveOrSixByteForm),
        (b"\xFC", Some(1), 1, FiveOrSixByteForm),
        (b"\xFD", Some(1), 1, FiveOrSixByteForm),
        // Beyond the table: CESU-8, the ends of ranges, one byte of each lead.
        (b"\xED\xA1\x8C\xED\xBE\xB4", Some(1), 6, Surrogate),
        (b"\xE0\x9F\xBF", Some(1), 3, Overlong),
        (b"\xE0\x9F", Some(1), 2, Overlong),
        (b"\xF7\xBF\xBF\xBF", Some(1), 4, AboveMax),
        (b"\xC3", None, 1, Incomplete),
        (b"\xE0", None, 1, Incomplete),
        (b"\xF4\x8F", None, 1, Incomplete),
        (b"\xC3\xC3\xA9", Some(1), 1, MissingContinuation),
        (b"\xE2\xE2\x82\xAC", Some(1), 1, MissingContinuation),
        (b"\xF0\x9F\xF0\x9F\x92\xA9", Some(2), 1, MissingContinuation),
    ];
    for (bytes, error_len, replacements, kind) in rows {
        for offset in (0..=70).chain([127, 128, 255, 256, 1000]) {
            for filler in Filler::ALL {
                let src = [filler.before(offset), bytes.to_vec()].concat();
                for isa in Isa::available() {
                    let got = isa.validate_utf8(&src).map_err(told);
                    assert_eq!(got, Err(Fault { at: offset, len: error_len, kind }), "{isa}: {}", hex(&src));
                    let (mut found, mut at) = (0, 0);
                    while let Err(error) = isa.validate_utf8(&src[at..]) {
                        found += 1;
                        at += error.valid_up_to();
                        at += error.error_len().unwrap_or(src.len() - at);
                    }
                    assert_eq!(found, replacements, "{isa}: {}", hex(&src));
                }
            }
        }
    }
}

#[test]
fn utf16_errors() {
    use Utf16Kind::*;
    /// Code units, whether an odd byte follows, and the error in code units.
    type Row<'a> = (&'a [u16], bool, usize, Option<usize>, Utf16Kind);
    let rows: [Row; 12] = [
        (&[0xD800], false, 0, None, TrailingHighSurrogate),
        (&[0x61, 0xDBFF], false, 1, None, TrailingHighSurrogate),
        (&[0xD83D, 0xD83D, 0xDCA9], false, 0, Some(1), UnpairedHighSurrogate),
        (&[0xD83D, 0x0041], false, 0, Some(1), UnpairedHighSurrogate),
        (&[0xD83D, 0xE000], false, 0, Some(1), UnpairedHighSurrogate),
        (&[0xDC00], false, 0, Some(1), UnpairedLowSurrogate),
        (&[0xDC00, 0xD800], false, 0, Some(1), UnpairedLowSurrogate),
        (&[0xD83D, 0xDCA9, 0xDFFF], false, 2, Some(1), UnpairedLowSurrogate),
        (&[], true, 0, None, TrailingByte),
        (&[0x61], true, 1, None, TrailingByte),
        (&[0xDC00], true, 0, Some(1), UnpairedLowSurrogate),
        // More bytes could complete the pair.
        (&[0xD83D], true, 0, None, TrailingHighSurrogate),
    ];
    for (wrong, trailing, at, len, kind) in rows {
        for offset in (0..=70).chain([127, 128, 255, 256, 1000]) {
            for filler in Filler::ALL {
                let units = [filler.units_before(offset), wrong.to_vec()].concat();
                let (mut le, mut be) = (to_bytes(&units, u16::to_le_bytes), to_bytes(&units, u16::to_be_bytes));
                if trailing {
                    le.push(0xA9);
                    be.push(0xDC);
                }
                let at = offset + at;
                let in_bytes = Err(Fault { at: 2 * at, len: len.map(|len| 2 * len), kind });
                for isa in Isa::available() {
                    assert_eq!(isa.validate_utf16le(&le).map_err(told), in_bytes, "{isa}: {}", hex(&le));
                    assert_eq!(isa.validate_utf16be(&be).map_err(told), in_bytes, "{isa}: {}", hex(&be));
                    if !trailing {
                        let got = isa.validate_utf16(&units).map_err(told);
                        assert_eq!(got, Err(Fault { at, len, kind }), "{isa}: {}", hex(&units));
                    }
                }
            }
        }
    }
}

#[test]
fn utf8_errors_become_those_of_std() {
    for src in samples() {
        for isa in Isa::available() {
            let Err(error) = isa.validate_utf8(&src) else { continue };
            let std = std::str::from_utf8(&src).unwrap_err();
            assert_eq!(error.revalidate_with_std(&src), std, "{isa}: {}", hex(&src));
            // Only the input up to the error matters.
            let end = src.len().min(error.valid_up_to() + 4);
            assert_eq!(error.revalidate_with_std(&src[..end]).valid_up_to(), std.valid_up_to());
        }
    }
}

#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn errors_of_other_text_do_not_become_those_of_std() {
    let error = Isa::SCALAR.validate_utf8(b"ab\xFF").unwrap_err();
    for other in [&b""[..], b"a", b"abc", b"a\xFF", b"abc\xFF"] {
        assert!(catch_unwind(|| error.revalidate_with_std(other)).is_err(), "{}", hex(other));
    }
}

#[test]
fn words_of_other_errors() {
    let error = |units: &[u16]| fastutf::validate_utf16(units).unwrap_err();
    let bytes = |bytes: &[u8]| fastutf::validate_utf16be(bytes).unwrap_err();
    for (error, words) in [
        (error(&[0x61, 0xD800, 0x61]), "invalid utf-16 at code unit 1: unpaired high surrogate"),
        (error(&[0xDC00]), "invalid utf-16 at code unit 0: unpaired low surrogate"),
        (error(&[0x61, 0x61, 0xD800]), "invalid utf-16 at code unit 2: high surrogate at end of input"),
        (bytes(b"\0a\xD8\x00\0a"), "invalid utf-16 at byte 2: unpaired high surrogate"),
        (bytes(b"\xDC\x00"), "invalid utf-16 at byte 0: unpaired low surrogate"),
        (bytes(b"\0a\0a\xD8\x00"), "invalid utf-16 at byte 4: high surrogate at end of input"),
        (bytes(b"\0a\0"), "invalid utf-16 at byte 2: incomplete code unit at end of input"),
    ] {
        assert_eq!(error.to_string(), words);
        assert!(words.contains(&error.kind().to_string()), "{:?}", error.kind());
    }
    for (src, words) in [
        (&b"\xC3"[..], "incomplete sequence at end of input"),
        (b"\xC3a", "missing continuation byte"),
        (b"\x80", "stray continuation byte"),
        (b"\xC0\x80", "overlong encoding"),
        (b"\xED\xA0\x80", "encoded surrogate"),
        (b"\xF5", "value above U+10FFFF"),
        (b"\xFF", "invalid lead byte"),
    ] {
        let error = fastutf::validate_utf8(&[b"ab", src].concat()).unwrap_err();
        assert_eq!(error.kind().to_string(), words);
        assert_eq!(error.to_string(), format!("invalid utf-8 at byte 2: {words}"));
        // The same as that of a stream.
        assert_eq!(StreamError::from(error).to_string(), error.to_string());
    }
}

#[test]
fn errors_are_errors_and_can_be_sent() {
    fn fine<E: Error + Send + Sync + Clone + PartialEq + 'static>(_: &E) {}
    fine::<Utf8Error>(&fastutf::validate_utf8(b"\xFF").unwrap_err());
    fine::<Utf16Error>(&fastutf::validate_utf16(&[0xDC00]).unwrap_err());
    fine(&fastutf::string_from_utf8(vec![0xFF]).unwrap_err());
    fn send<T: Send + Sync + Copy>() {}
    send::<Isa>();
    send::<fastutf::Conversion<Utf8Error>>();
}

/// The next character decides: an ill-formed sequence is reported even without room, and a lack of room before errors
/// further on.
#[test]
fn why_a_conversion_stops() {
    for isa in Isa::available() {
        let at_0 = |kind| Stopped::Invalid(Fault { at: 0, len: Some(1), kind });
        let ends = |src: &[u8], room| told(isa.utf8_to_utf16(src, &mut vec![0; room]));
        let end = |read, written, stop| Outcome { read, written, stop };
        assert_eq!(ends(b"", 0), end(0, 0, Stopped::Complete), "{isa}");
        assert_eq!(ends(b"", 9), end(0, 0, Stopped::Complete), "{isa}");
        assert_eq!(ends(b"\xFF", 0), end(0, 0, at_0(Utf8Kind::InvalidLead)), "{isa}");
        assert_eq!(ends(b"a\xFF", 0), end(0, 0, Stopped::OutputFull), "{isa}");
        let fault = Fault { at: 1, len: Some(1), kind: Utf8Kind::InvalidLead };
        assert_eq!(ends(b"a\xFF", 1), end(1, 1, Stopped::Invalid(fault)), "{isa}");
        assert_eq!(ends("😀".as_bytes(), 1), end(0, 0, Stopped::OutputFull), "{isa}");
        assert_eq!(ends("a😀".as_bytes(), 2), end(1, 1, Stopped::OutputFull), "{isa}");
        assert_eq!(ends("a😀".as_bytes(), 3), end(5, 3, Stopped::Complete), "{isa}");

        let ends = |src: &[u16], room| told(isa.utf16_to_utf8(src, &mut vec![0; room]));
        let end = |read, written, stop| Outcome { read, written, stop };
        let at_0 = |kind| Stopped::Invalid(Fault { at: 0, len: Some(1), kind });
        assert_eq!(ends(&[], 0), end(0, 0, Stopped::Complete), "{isa}");
        assert_eq!(ends(&[0xDC00], 0), end(0, 0, at_0(Utf16Kind::UnpairedLowSurrogate)), "{isa}");
        assert_eq!(ends(&[0x61, 0xDC00], 0), end(0, 0, Stopped::OutputFull), "{isa}");
        for room in 0..3 {
            assert_eq!(ends(&[0x20AC, 0xDC00], room), end(0, 0, Stopped::OutputFull), "{isa}");
        }
        for room in 0..4 {
            assert_eq!(ends(&[0xD83D, 0xDE00], room), end(0, 0, Stopped::OutputFull), "{isa}");
        }
        assert_eq!(ends(&[0xD83D, 0xDE00], 4), end(2, 4, Stopped::Complete), "{isa}");
    }
}

/// An odd last byte of the output is not used.
#[test]
fn an_odd_buffer_for_utf16_bytes() {
    for isa in Isa::available() {
        let mut dst = [0; 5];
        let out = isa.utf8_to_utf16le(b"abc", &mut dst);
        assert_eq!((out.read, out.written, out.stop), (2, 4, Stop::OutputFull), "{isa}");
        assert_eq!(dst[..4], *b"a\0b\0", "{isa}");
        let out = isa.utf8_to_utf16be(b"ab", &mut dst);
        assert_eq!((out.read, out.written, out.stop), (2, 4, Stop::Complete), "{isa}");
        assert_eq!(dst[..4], *b"\0a\0b", "{isa}");
    }
}

#[test]
fn conversions_say_whether_they_are_complete() {
    for isa in Isa::available() {
        let mut dst = [0; 4];
        let out = isa.utf8_to_utf16(b"ab", &mut dst);
        assert!(out.is_complete() && out.error().is_none(), "{isa}");
        let out = isa.utf8_to_utf16(b"ab", &mut dst[..1]);
        assert!(!out.is_complete() && out.error().is_none(), "{isa}");
        let out = isa.utf8_to_utf16(b"ab\xFF", &mut dst);
        assert!(!out.is_complete(), "{isa}");
        assert_eq!(out.error(), isa.validate_utf8(b"ab\xFF").err(), "{isa}");
    }
}

/// With any spare capacity, text is appended to the existing contents. Before an error, all valid text is appended.
#[test]
fn the_append_functions_append() {
    for src in samples() {
        let oracle = Utf8Oracle::new(&src);
        let want = oracle.outcome(usize::MAX);
        for isa in Isa::available() {
            for spare in [0, 3, 20_000] {
                let mut units = Vec::with_capacity(2 + spare);
                units.extend([0xD800, 0x0041]);
                let out = isa.utf8_to_utf16_append(&src, &mut units).map_err(told);
                assert_eq!(out, want.appended(), "{isa}: {}", hex(&src));
                assert_eq!(units, [&[0xD800, 0x0041], &oracle.units[..]].concat(), "{isa}: {}", hex(&src));
                for (append, value) in [
                    (Isa::utf8_to_utf16le_append as fn(Isa, &[u8], &mut Vec<u8>) -> _, oracle.le()),
                    (Isa::utf8_to_utf16be_append, oracle.be()),
                ] {
                    // After three bytes, the appended text lies at an odd address.
                    let mut bytes = Vec::with_capacity(3 + spare);
                    bytes.extend(b"abc");
                    let out = append(isa, &src, &mut bytes).map_err(told);
                    assert_eq!(out, want.written_in_bytes().appended(), "{isa}: {}", hex(&src));
                    assert_eq!(bytes, [b"abc", &value[..]].concat(), "{isa}: {}", hex(&src));
                }
            }
        }
    }
    for src in unit_samples() {
        let oracle = Utf16Oracle::new(&src, false);
        let (le, be) = (to_bytes(&src, u16::to_le_bytes), to_bytes(&src, u16::to_be_bytes));
        for isa in Isa::available() {
            for spare in [0, 3, 20_000] {
                let mut text = String::with_capacity(3 + spare);
                for (scale, append) in [
                    (1, &|text: &mut _| isa.utf16_to_utf8_append(&src, text)),
                    (2, &|text: &mut _| isa.utf16le_to_utf8_append(&le, text)),
                    (2, &|text: &mut _| isa.utf16be_to_utf8_append(&be, text)),
                ]
                    as [(_, &dyn Fn(&mut String) -> Result<usize, Utf16Error>); 3]
                {
                    text.clear();
                    text.push('…');
                    let out = append(&mut text).map_err(told);
                    assert_eq!(out, oracle.outcome(usize::MAX, scale).appended(), "{isa}: {}", hex(&src));
                    assert_eq!(text.strip_prefix('…'), Some(&*oracle.text), "{isa}: {}", hex(&src));
                }
            }
        }
    }
}

#[test]
fn texts_come_back_as_they_were() {
    for src in samples() {
        for isa in Isa::available() {
            let (got, want) = (isa.from_utf8(&src), std::str::from_utf8(&src));
            assert_eq!(got.ok(), want.ok(), "{isa}: {}", hex(&src));
            let mut copy = src.clone();
            assert_eq!(isa.from_utf8_mut(&mut copy).err(), isa.validate_utf8(&src).err(), "{isa}: {}", hex(&src));
            assert_eq!(copy, src, "{isa}");
            let Ok(text) = got else { continue };
            assert_eq!(text.as_ptr(), src.as_ptr(), "{isa}: the same memory");
            assert_eq!(isa.from_utf8_mut(&mut copy).map(|text| &*text), Ok(text), "{isa}");

            let oracle = Utf8Oracle::new(&src);
            let (units, le, be) = (isa.to_utf16(text), isa.to_utf16le(text), isa.to_utf16be(text));
            assert_eq!(units, oracle.units, "{isa}: {}", hex(&src));
            assert_eq!(le, oracle.le(), "{isa}: {}", hex(&src));
            assert_eq!(be, oracle.be(), "{isa}: {}", hex(&src));
            for back in [isa.from_utf16(&units), isa.from_utf16le(&le), isa.from_utf16be(&be)] {
                let back = back.unwrap();
                assert_eq!(back, text, "{isa}");
                assert!(back.capacity() <= text.len().max(8), "{isa}: {} for {}", back.capacity(), text.len());
            }
            assert!(units.capacity() <= units.len().max(8), "{isa}: {} for {}", units.capacity(), units.len());
            assert!(le.capacity() <= le.len().max(8) && be.capacity() <= be.len().max(8), "{isa}: {}", le.len());
        }
    }
}

/// Short outputs are copied from the stack, longer ones are shrunk, and the length of long ones is counted first. Tests
/// lengths around the limits and between them.
#[test]
fn owned_results_of_any_length_fit_their_allocation() {
    let lengths =
        [1, 341, 342, 511, 512, 513, 1023, 1024, 1025, 3000, 20_480, 20_481, 40_960, 40_961, 61_440, 61_441];
    for (first, text) in ["a", "é", "漢", "😀", "aé漢😀"].into_iter().enumerate() {
        let lengths = lengths.into_iter().flat_map(|len: usize| [len, 2 * len, 3 * len]);
        for len in lengths.skip(first % one_in_emulated()).step_by(one_in_emulated()) {
            let text = text.repeat(len.div_ceil(text.len()));
            let units: Vec<u16> = text.encode_utf16().collect();
            for isa in Isa::available() {
                let (got, le, be) = (isa.to_utf16(&text), isa.to_utf16le(&text), isa.to_utf16be(&text));
                assert!(got == units, "{isa}: {len}");
                assert!(le == to_bytes(&units, u16::to_le_bytes), "{isa}: {len}");
                assert!(be == to_bytes(&units, u16::to_be_bytes), "{isa}: {len}");
                assert_eq!(got.capacity(), got.len(), "{isa}");
                assert_eq!((le.capacity(), be.capacity()), (le.len(), be.len()), "{isa}");
                for back in [isa.from_utf16(&units), isa.from_utf16le(&le), isa.from_utf16be(&be)] {
                    let back = back.unwrap();
                    assert!(back == text, "{isa}: {len}");
                    assert_eq!(back.capacity(), text.len(), "{isa}");
                }
            }
        }
    }
}

/// Nothing is allocated if there is room for the worst case, or for the exact length.
#[test]
fn append_uses_the_room_there_is() {
    for isa in Isa::available() {
        let mut units = Vec::with_capacity(300);
        let address = units.as_ptr();
        assert!(isa.utf8_to_utf16_append("é".repeat(100).as_bytes(), &mut units).is_ok(), "{isa}");
        assert_eq!((units.as_ptr(), units.capacity(), units.len()), (address, 300, 100), "{isa}");
        // Room for 200 is left: less than the worst case, but more than needed.
        assert!(isa.utf8_to_utf16_append("漢".repeat(100).as_bytes(), &mut units).is_ok(), "{isa}");
        assert_eq!((units.as_ptr(), units.capacity(), units.len()), (address, 300, 200), "{isa}");
    }
}

#[test]
fn utf16_errors_come_out_of_the_owned_functions() {
    for src in unit_samples() {
        let want = Utf16Oracle::new(&src, false);
        let (le, be) = (to_bytes(&src, u16::to_le_bytes), to_bytes(&src, u16::to_be_bytes));
        for isa in Isa::available() {
            let fault = |result: Result<String, Utf16Error>| result.map(|_| ()).map_err(told);
            assert_eq!(fault(isa.from_utf16(&src)), want.result(1), "{isa}: {}", hex(&src));
            assert_eq!(fault(isa.from_utf16le(&le)), want.result(2), "{isa}: {}", hex(&src));
            assert_eq!(fault(isa.from_utf16be(&be)), want.result(2), "{isa}: {}", hex(&src));
            assert_eq!(isa.from_utf16(&src).ok(), String::from_utf16(&src).ok(), "{isa}: {}", hex(&src));
        }
    }
}

#[test]
fn a_string_keeps_its_allocation_and_an_error_gives_it_back() {
    for src in samples() {
        for isa in Isa::available() {
            let mut bytes = Vec::with_capacity(src.len() + 13);
            bytes.extend_from_slice(&src);
            let (address, capacity) = (bytes.as_ptr(), bytes.capacity());
            let bytes = match isa.string_from_utf8(bytes) {
                Ok(text) => {
                    assert!(std::str::from_utf8(&src).is_ok(), "{isa}: {}", hex(&src));
                    text.into_bytes()
                }
                Err(error) => {
                    let want = isa.validate_utf8(&src).unwrap_err();
                    assert_eq!(error.utf8_error(), want, "{isa}: {}", hex(&src));
                    assert_eq!(error.to_string(), want.to_string(), "{isa}");
                    assert_eq!(error.as_bytes(), src, "{isa}");
                    error.into_bytes()
                }
            };
            assert_eq!((bytes.as_ptr(), bytes.capacity()), (address, capacity), "{isa}");
            assert_eq!(bytes, src, "{isa}");
        }
    }
}

mod free {
    #[cfg(feature = "latin1")]
    pub use fastutf::narrowest::*;
    pub use fastutf::*;
}

/// Compares each free function with the method of the same name of the best instruction set.
#[test]
fn free_functions_are_those_of_the_best() {
    let best = Isa::best();
    for src in samples() {
        let src = &*src;
        macro_rules! same {
            ($($operation:ident)*) => {$(
                assert_eq!(free::$operation(src), best.$operation(src), "{}: {}", stringify!($operation), hex(src));
            )*};
        }
        same!(validate_utf8 utf8_info from_utf8 is_ascii count_chars_utf8 utf16_len_from_utf8);
        same!(validate_utf16le count_chars_utf16le utf8_len_from_utf16le from_utf16le);
        same!(validate_utf16be count_chars_utf16be utf8_len_from_utf16be from_utf16be);
        #[cfg(feature = "latin1")]
        {
            same!(utf16le_info utf16be_info narrowest_from_utf8 narrowest_from_utf8_lossy);
            same!(narrowest_from_utf16le narrowest_from_utf16be);
            same!(narrowest_from_utf16le_lossy narrowest_from_utf16be_lossy);
        }
        {
            let (mut got, mut want) = (src.to_vec(), src.to_vec());
            assert_eq!(fastutf::from_utf8_mut(&mut got), best.from_utf8_mut(&mut want));
            assert_eq!(fastutf::string_from_utf8(got.clone()), best.string_from_utf8(want.clone()));
            fastutf::swap_utf16_bytes(&mut got);
            best.swap_utf16_bytes(&mut want);
            assert_eq!(got, want, "swap_utf16_bytes: {}", hex(src));
            fastutf::swap_utf16_bytes_into(src, &mut got);
            assert_eq!(got, want, "swap_utf16_bytes_into: {}", hex(src));
        }
        if let Ok(text) = std::str::from_utf8(src) {
            assert_eq!(fastutf::to_utf16(text), best.to_utf16(text));
            assert_eq!(fastutf::to_utf16le(text), best.to_utf16le(text));
            assert_eq!(fastutf::to_utf16be(text), best.to_utf16be(text));
        }
    }
    for src in unit_samples() {
        let src = &*src;
        assert_eq!(fastutf::validate_utf16(src), best.validate_utf16(src));
        assert_eq!(fastutf::count_chars_utf16(src), best.count_chars_utf16(src));
        assert_eq!(fastutf::utf8_len_from_utf16(src), best.utf8_len_from_utf16(src));
        assert_eq!(fastutf::from_utf16(src), best.from_utf16(src));
        #[cfg(feature = "latin1")]
        {
            assert_eq!(fastutf::narrowest::utf16_info(src), best.utf16_info(src));
            assert_eq!(fastutf::narrowest::narrowest_from_utf16(src), best.narrowest_from_utf16(src));
            assert_eq!(fastutf::narrowest::narrowest_from_utf16_lossy(src), best.narrowest_from_utf16_lossy(src));
        }
    }
}

/// The documented sizes of buffers are always, or exactly, enough.
#[test]
fn promised_sizes_are_enough() {
    for src in samples() {
        let oracle = Utf8Oracle::new(&src);
        for isa in Isa::available() {
            assert!(oracle.units.len() <= isa.utf16_len_from_utf8(&src), "{isa}: {}", hex(&src));
            let full = |room| isa.utf8_to_utf16(&src, &mut vec![0; room]).stop == Stop::OutputFull;
            assert!(!full(isa.utf16_len_from_utf8(&src)) && !full(src.len()), "{isa}: {}", hex(&src));
        }
    }
    for src in unit_samples() {
        let le = to_bytes(&src, u16::to_le_bytes);
        for isa in Isa::available() {
            let full = |room| isa.utf16le_to_utf8(&le, &mut vec![0; room]).stop == Stop::OutputFull;
            assert!(!full(isa.utf8_len_from_utf16le(&le)), "{isa}: {}", hex(&src));
            assert!(!full(le.len() / 2 * 3), "{isa}: {}", hex(&src));
            let full = |room| isa.utf16_to_utf8(&src, &mut vec![0; room]).stop == Stop::OutputFull;
            assert!(!full(isa.utf8_len_from_utf16(&src)) && !full(3 * src.len()), "{isa}: {}", hex(&src));
        }
    }
}
