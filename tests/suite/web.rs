//! `TextDecoder`, next to encoding_rs.

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use fastutf::stream::Encoding::{self, Utf8, Utf16Be, Utf16Le};
use fastutf::web::{Options, TextDecoder, decode, decode_by_bom, decode_to_utf16};
use fastutf::{Isa, Stop};

use crate::common::{Filler, Rng, hex, one_in};

/// The text, and whether it has been repaired.
fn expected(src: &[u8], encoding: Encoding, ignore_bom: bool) -> (String, bool) {
    let known = match encoding {
        Utf8 => UTF_8,
        Utf16Le => UTF_16LE,
        _ => UTF_16BE,
    };
    let (text, repaired) =
        if ignore_bom { known.decode_without_bom_handling(src) } else { known.decode_with_bom_removal(src) };
    (text.into_owned(), repaired)
}

/// Decodes in chunks that `cut` draws, into buffers of a few bytes.
fn in_chunks(mut decoder: TextDecoder, src: &[u8], rng: &mut Rng) -> Result<Vec<u8>, u64> {
    let (mut text, mut buffer, mut rest) = (Vec::new(), [0; 64], src);
    loop {
        let (chunk, next) = rest.split_at(rng.within((0, rest.len().min(5))));
        let end = rest.is_empty();
        let mut chunk = chunk;
        loop {
            let room = &mut buffer[..rng.within((0, 9))];
            let out = if end { decoder.finish(room) } else { decoder.decode(chunk, room) };
            text.extend_from_slice(&room[..out.written]);
            chunk = &chunk[out.read..];
            match out.stop {
                Stop::Complete => break,
                Stop::OutputFull => {}
                Stop::Invalid(error) => return Err(error.offset()),
            }
        }
        if end {
            return Ok(text);
        }
        rest = next;
    }
}

fn check(src: &[u8], rng: &mut Rng) {
    for encoding in [Utf8, Utf16Le, Utf16Be] {
        for ignore_bom in [false, true] {
            let (text, repaired) = expected(src, encoding, ignore_bom);
            let what = format!("{encoding} {ignore_bom} {}", hex(src));
            let lossy = Options { fatal: false, ignore_bom };
            assert_eq!(decode(src, encoding, lossy).as_deref(), Ok(&*text), "{what}");
            let strict = decode(src, encoding, Options { fatal: true, ignore_bom });
            assert_eq!(strict.as_deref().ok(), (!repaired).then_some(&*text), "{what}");

            let units = decode_to_utf16(src, encoding, lossy).unwrap();
            assert_eq!(units, text.encode_utf16().collect::<Vec<_>>(), "{what}");
            let units = decode_to_utf16(src, encoding, Options { fatal: true, ignore_bom });
            match &strict {
                Ok(text) => assert_eq!(units, Ok(text.encode_utf16().collect()), "{what}"),
                Err(error) => assert_eq!(units, Err(*error), "{what}"),
            }

            let isas: Vec<Isa> = Isa::available().collect();
            let new = |fatal, to| TextDecoder::new(encoding, to, Options { fatal, ignore_bom });
            let isa = rng.pick(&isas);
            let decoder = new(false, Utf8).with_isa(isa);
            assert_eq!(in_chunks(decoder, src, rng).as_deref(), Ok(text.as_bytes()), "{isa} {what}");
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(in_chunks(new(false, Utf16Le), src, rng), Ok(units), "{what}");
            let found = in_chunks(new(true, Utf8).with_isa(isa), src, rng);
            match strict {
                Ok(text) => assert_eq!(found.as_deref(), Ok(text.as_bytes()), "{isa} {what}"),
                Err(error) => assert_eq!(found, Err(error.offset()), "{isa} {what}"),
            }

            let (mut all, mut decoder) = (Vec::new(), new(false, Utf8));
            decoder.decode_append(src, &mut all).unwrap();
            decoder.finish_append(&mut all).unwrap();
            assert_eq!(all, text.as_bytes(), "{what}");
            let replaced = text.matches('\u{FFFD}').count() as u64;
            assert!(decoder.transcoder().replacements() <= replaced, "{what}");
        }
    }
    for (fallback, known) in [(Utf8, UTF_8), (Utf16Le, UTF_16LE), (Utf16Be, UTF_16BE)] {
        let (text, found, _) = known.decode(src);
        let (got, encoding) = decode_by_bom(src, fallback);
        assert_eq!((&*got, encoding.name()), (&*text, found.name()), "{fallback} {}", hex(src));
    }
}

/// What the Encoding Standard says of a `TextDecoder`, in cases by hand: every cut gives the same.
fn says(encoding: Encoding, options: Options, src: &[u8], text: Option<&str>) {
    assert_eq!(decode(src, encoding, options).ok().as_deref(), text, "{encoding} {options:?} {}", hex(src));
    for step in 1..=src.len().max(1) {
        let mut decoder = TextDecoder::new(encoding, Utf8, options);
        let mut found = Vec::new();
        let result = src.chunks(step).try_for_each(|chunk| decoder.decode_append(chunk, &mut found));
        let result = result.and_then(|()| decoder.finish_append(&mut found));
        let found = result.is_ok().then(|| String::from_utf8(found).unwrap());
        assert_eq!(found.as_deref(), text, "{encoding} {options:?} {}, {step} at a time", hex(src));
    }
}

#[test]
fn byte_order_marks() {
    for (encoding, mark) in [(Utf8, &b"\xEF\xBB\xBF"[..]), (Utf16Le, b"\xFF\xFE"), (Utf16Be, b"\xFE\xFF")] {
        let encode = |text: &str| match encoding {
            Utf8 => text.as_bytes().to_vec(),
            Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        for fatal in [false, true] {
            let [drops, keeps] = [false, true].map(|ignore_bom| Options { fatal, ignore_bom });
            let marked = [mark, &encode("test")].concat();
            says(encoding, drops, &marked, Some("test"));
            says(encoding, keeps, &marked, Some("\u{FEFF}test"));
            says(encoding, drops, mark, Some(""));
            says(encoding, keeps, mark, Some("\u{FEFF}"));
            // Only the first one is a mark, and only at the start.
            says(encoding, drops, &[mark, &marked].concat(), Some("\u{FEFF}test"));
            says(encoding, drops, &[&encode("t"), mark, &encode("est")].concat(), Some("t\u{FEFF}est"));
        }
    }
    // The mark of another encoding is whatever its bytes are in this one.
    let options = Options::default();
    says(Utf8, options, b"\xFF\xFEa", Some("\u{FFFD}\u{FFFD}a"));
    says(Utf16Le, options, b"\xFE\xFFa\0", Some("\u{FFFE}a"));
    says(Utf16Be, options, b"\xEF\xBB\xBF\0", Some("\u{EFBB}\u{BF00}"));
    // FF FE 00 00 is UTF-16LE on the Web, with every set of features.
    says(Utf16Le, options, b"\xFF\xFE\0\0", Some("\0"));
    assert_eq!(decode_by_bom(b"\xFF\xFE\0\0", Utf8), ("\0".into(), Utf16Le));
}

/// Ill-formed UTF-8 is an error for a fatal decoder, and as many U+FFFD as it has maximal subparts for the others.
#[test]
fn fatal() {
    let cases: [(&[u8], usize); 24] = [
        (b"\xFF", 1),
        (b"\xC0", 1),
        (b"\xE0", 1),
        (b"\xC0\x00", 1),
        (b"\xC0\xC0", 2),
        (b"\xE0\x00", 1),
        (b"\xE0\xC0", 2),
        (b"\xE0\x80\x00", 2),
        (b"\xE0\x80\xC0", 3),
        (b"\xFC\x80\x80", 3),
        (b"\xFE\x80\x80", 3),
        (b"\xF0\x80\x80\x80", 4),
        (b"\xC0\x80", 2),
        (b"\xE0\x80\x80", 3),
        (b"\xF8\x80\x80\x80\x80", 5),
        (b"\xC1\xBF", 2),
        (b"\xE0\x81\xBF", 3),
        (b"\xE0\x9F\xBF", 3),
        (b"\xF4\x90\x80\x80", 4),
        (b"\xED\xA0\x80", 3),
        (b"\xED\xA0\xBD\xED\xB2\xA9", 6),
        (b"\xE2\x82", 1),
        (b"\xF0\x9F\x92", 1),
        (b"\xF0\x9F\x92\xF0\x9F\x92", 2),
    ];
    for (src, replaced) in cases {
        for ignore_bom in [false, true] {
            says(Utf8, Options { fatal: true, ignore_bom }, src, None);
            let nul = if src.ends_with(b"\0") { "\0" } else { "" };
            let text = "\u{FFFD}".repeat(replaced) + nul;
            says(Utf8, Options { fatal: false, ignore_bom }, src, Some(&text));
        }
    }
}

/// Surrogates that are not in pairs, and the end of UTF-16.
#[test]
fn surrogates() {
    let cases: [(&[u8], &str); 11] = [
        (b"\x00\xD8", "\u{FFFD}"),
        (b"\x00\xDC", "\u{FFFD}"),
        (b"\x00\xD8\x00\x00", "\u{FFFD}\0"),
        (b"\x00\xDC\x00\x00", "\u{FFFD}\0"),
        (b"\x00\xDC\x00\xD8", "\u{FFFD}\u{FFFD}"),
        (b"\x00\xD8\x00\xD8\x00\xDC", "\u{FFFD}\u{10000}"),
        (b"\x00", "\u{FFFD}"),
        (b"a\0\x00", "a\u{FFFD}"),
        // One for both.
        (b"\x00\xD8\x00", "\u{FFFD}"),
        (b"\x00\xD8\xDC", "\u{FFFD}"),
        (b"\x00\xDC\x00", "\u{FFFD}\u{FFFD}"),
    ];
    for (src, text) in cases {
        says(Utf16Le, Options::default(), src, Some(text));
        says(Utf16Le, Options { fatal: true, ..Options::default() }, src, None);
        let mut swapped = src.to_vec();
        swapped.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.swap(0, 1));
        says(Utf16Be, Options::default(), &swapped, Some(text));
        says(Utf16Be, Options { fatal: true, ..Options::default() }, &swapped, None);
    }
    says(Utf16Le, Options { fatal: true, ..Options::default() }, b"\x00\xD8\x00\xDC", Some("\u{10000}"));
}

/// Bytes of marks, of surrogates in either order, and of UTF-8 of each length.
#[test]
fn all_short_texts() {
    let rng = &mut Rng::new(95);
    let bytes = [0x00, 0x41, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0xD8, 0xDC, 0xC3, 0xF0, 0x9F];
    for len in 0..=6_u32 {
        let step = [1, 1, 1, 1, 1, 40, 500][len as usize] * if len < 4 { 1 } else { one_in(3) };
        let mut number = rng.below(step);
        while number < bytes.len().pow(len) {
            let src: Vec<u8> = (0..len).map(|k| bytes[number / bytes.len().pow(k) % bytes.len()]).collect();
            check(&src, rng);
            number += 1 + rng.below(2 * step - 1);
        }
    }
}

#[test]
fn long_texts() {
    let rng = &mut Rng::new(96);
    for filler in Filler::ALL {
        for end in [&b""[..], b"\x3D\xD8\x3D", b"\xD8\x3D\xD8", b"\xE2\x82", b"\xD8", b"\xFF"] {
            for mark in [&b""[..], b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"] {
                let len = 2 * rng.below(100);
                check(&[mark, &filler.before(len), end].concat(), rng);
            }
        }
    }
}
