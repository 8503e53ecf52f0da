//! Where a text may be cut, for all short texts.

use fastutf::boundary::{
    complete_utf8, complete_utf16, complete_utf16be, complete_utf16le, floor_utf8, floor_utf16, floor_utf16be,
    floor_utf16le,
};

use crate::common::{Filler, Rng, hex, one_in, one_in_emulated};

/// Where characters and ill-formed sequences start, and the end.
fn boundaries(src: &[u8]) -> Vec<usize> {
    let (mut all, mut at) = (Vec::new(), 0);
    for chunk in src.utf8_chunks() {
        all.extend(chunk.valid().char_indices().map(|(k, _)| at + k));
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            all.push(at);
        }
        at += chunk.invalid().len();
    }
    all.push(at);
    all
}

/// The length without an end that the standard library calls incomplete.
fn complete(src: &[u8]) -> usize {
    // An error before would hide it, so only what is behind is looked at.
    let start = src.utf8_chunks().map(|chunk| chunk.valid().len() + chunk.invalid().len());
    let last = src.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len());
    let all: usize = start.sum();
    let incomplete = std::str::from_utf8(&src[all - last..]).is_err_and(|error| error.error_len().is_none());
    all - if incomplete { last } else { 0 }
}

fn check_utf8(src: &[u8]) {
    assert_eq!(complete_utf8(src), complete(src), "{}", hex(src));
    let all = boundaries(src);
    let mut before = 0;
    for at in 0..src.len() + 2 {
        if all.contains(&at) {
            before = at;
        }
        assert_eq!(floor_utf8(src, at), before, "{at} of {}", hex(src));
    }
}

#[test]
fn all_short_utf8() {
    check_utf8(b"");
    for a in 0..=255 {
        check_utf8(&[a]);
        for b in 0..=255 {
            check_utf8(&[a, b]);
        }
    }
    // What differs in any way, before, after, and at the borders of each range of bytes.
    let bytes = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    let n = bytes.len();
    let rng = &mut Rng::new(91);
    for len in 3..=6_u32 {
        let step = [1, 1, 12, 400][len as usize - 3] * if len < 5 { one_in_emulated() } else { one_in(1) };
        let mut number = rng.below(step);
        while number < n.pow(len) {
            let mut rest = number;
            let src: Vec<u8> = (0..len)
                .map(|_| {
                    let byte = bytes[rest % n];
                    rest /= n;
                    byte
                })
                .collect();
            check_utf8(&src);
            number += 1 + rng.below(2 * step - 1);
        }
    }
}

/// The same as std for text, of any length.
#[test]
fn well_formed_text() {
    for filler in Filler::ALL {
        let src = filler.after(300);
        let text = str::from_utf8(&src).unwrap();
        for at in 0..310 {
            let floor = (0..=at.min(300)).rev().find(|&at| text.is_char_boundary(at)).unwrap();
            assert_eq!(floor_utf8(&src, at), floor);
            let chunk = &src[..at.min(300)];
            assert_eq!(complete_utf8(chunk), floor);
        }
    }
}

#[test]
fn all_short_utf16() {
    let kinds = [0x0041, 0xD83D, 0xDE00, 0x3DD8, 0x00DE, 0xD7FF, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    for len in 0..=4_u32 {
        for number in 0..kinds.len().pow(len) {
            let units: Vec<u16> = (0..len).map(|k| kinds[number / kinds.len().pow(k) % kinds.len()]).collect();
            // Where characters and unpaired surrogates start, and the end.
            let (mut starts, mut at) = (vec![0], 0);
            for char in char::decode_utf16(units.iter().copied()) {
                at += char.map_or(1, char::len_utf16);
                starts.push(at);
            }
            // What a high surrogate waits for makes one character of both.
            let with_low = [&units[..], &[0xDC00]].concat();
            let whole = char::decode_utf16(with_low).last().unwrap().is_ok();
            let complete = units.len() - usize::from(whole);
            assert_eq!(complete_utf16(&units), complete, "{}", hex(&units));
            let floor = |at: usize| *starts.iter().rev().find(|&&start| start <= at).unwrap();
            for at in 0..units.len() + 2 {
                assert_eq!(floor_utf16(&units, at), floor(at), "{at} of {}", hex(&units));
            }

            for odd in [None, Some(0xD8), Some(0xDC)] {
                let bytes = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
                    units.iter().flat_map(|&unit| bytes(unit)).chain(odd).collect()
                };
                let (le, be) = (bytes(u16::to_le_bytes), bytes(u16::to_be_bytes));
                assert_eq!(complete_utf16le(&le), 2 * complete, "{}", hex(&le));
                assert_eq!(complete_utf16be(&be), 2 * complete, "{}", hex(&be));
                for at in 0..le.len() + 2 {
                    // The odd byte is by itself.
                    let floor = if at >= le.len() { le.len() } else { 2 * floor(at / 2) };
                    assert_eq!(floor_utf16le(&le, at), floor, "{at} of {}", hex(&le));
                    assert_eq!(floor_utf16be(&be, at), floor, "{at} of {}", hex(&be));
                }
            }
        }
    }
}

/// What WTF-8 at its end lacks: nothing, if it is well-formed, or ill-formed for another reason.
#[cfg(feature = "mutf8")]
#[test]
fn all_short_wtf8() {
    use fastutf_testkit::oracle::{Form, FormKind, FormOracle};

    let bytes =
        [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF4, 0xFF];
    let n = bytes.len();
    for len in 0..=4_u32 {
        let step = if len < 4 { 1 } else { 7 * one_in_emulated() };
        for number in (0..n.pow(len)).step_by(step) {
            let src: Vec<u8> = (0..len).map(|k| bytes[number / n.pow(k) % n]).collect();
            // The last sequence: what is incomplete is at the end, so it is the only one.
            let incomplete = |at: &usize| {
                let fault = FormOracle::new(Form::Wtf8, &src[*at..]).fault;
                fault.is_some_and(|fault| fault.at == 0 && fault.kind == FormKind::Incomplete)
            };
            let expected = (src.len().saturating_sub(3)..src.len()).find(incomplete).unwrap_or(src.len());
            assert_eq!(fastutf::boundary::complete_wtf8(&src), expected, "{src:X?}");
        }
    }
}
