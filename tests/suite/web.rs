//! `TextDecoder`, next to encoding_rs.

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use fastutf::stream::Encoding::{self, Utf8, Utf16Be, Utf16Le};
use fastutf::web::{Options, TextDecoder, decode};
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
