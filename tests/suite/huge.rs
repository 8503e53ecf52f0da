//! Inputs larger than the caches, which are read in several places at once.

use crate::common::one_in_emulated;
use fastutf::{Isa, Utf8ErrorKind};

/// The length in bytes from which on inputs are read in several places at once.
const FROM: usize = 16 << 20;
/// The number of bytes in a piece of one of four streams, and of these pieces in a part.
const PIECE: usize = 4096;
/// The number of bytes in a piece, if there is only one stream.
const LONG_PIECE: usize = FROM / 16;
/// The length of the longest input: two parts and a rest.
const LEN: usize = 2 * FROM + 3 * PIECE + 77;

/// Offsets at the edges of parts, streams and pieces, of an input of `len` bytes.
fn edges(len: usize) -> Vec<usize> {
    let mut edges = vec![0, len - 1];
    for edge in [
        PIECE,
        LONG_PIECE,
        FROM / 4,
        FROM / 4 + PIECE,
        FROM / 2,
        FROM,
        FROM + FROM / 4,
        2 * FROM,
        len / 4,
        len / 2,
    ] {
        edges.extend([edge - 1, edge, edge + 1]);
    }
    edges.retain(|&edge| edge < len);
    edges
}

#[test]
fn counts() {
    // 10 bytes, 4 characters, 5 code units, so that pieces often end inside a character.
    let times = FROM / 10 + 1000;
    let text = "aé漢😀".repeat(times);
    let units: Vec<u16> = text.encode_utf16().collect();
    let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    // Both encodings need the same number of bytes.
    assert!(text.len() > FROM && be.len() > FROM - FROM / 50);
    let twice = [&be[..], &be[..]].concat();
    #[cfg(feature = "utf32")]
    let utf32: Vec<u32> = text.chars().map(u32::from).collect();
    for isa in Isa::available() {
        assert_eq!(isa.count_chars_utf8(text.as_bytes()), 4 * times, "{isa}");
        assert_eq!(isa.utf16_len_from_utf8(text.as_bytes()), 5 * times, "{isa}");
        assert_eq!(isa.count_chars_utf16be(&twice), 8 * times, "{isa}");
        assert_eq!(isa.utf8_len_from_utf16be(&twice), 20 * times, "{isa}");
        let double = [&units[..], &units[..]].concat();
        assert_eq!(isa.count_chars_utf16(&double), 8 * times, "{isa}");
        assert_eq!(isa.utf8_len_from_utf16(&double), 20 * times, "{isa}");
        #[cfg(feature = "utf32")]
        {
            assert_eq!(isa.utf8_len_from_utf32(&utf32), 10 * times, "{isa}");
            assert_eq!(isa.utf16_len_from_utf32(&utf32), 5 * times, "{isa}");
        }
    }
}

#[test]
fn one_byte_that_is_not_ascii() {
    let mut text = vec![b'a'; LEN];
    for isa in Isa::available() {
        for len in [FROM - 1, FROM, FROM + 1, FROM + 4 * PIECE + 5, 2 * FROM, LEN] {
            assert!(isa.is_ascii(&text[..len]), "{isa}: {len}");
            assert_eq!(isa.validate_utf8(&text[..len]), Ok(()), "{isa}: {len}");
        }
        for len in [FROM, LEN] {
            for at in edges(len).into_iter().step_by(one_in_emulated().min(5)) {
                text[at] = 0xFF;
                assert!(!isa.is_ascii(&text[..len]), "{isa}: {at} of {len}");
                let error = isa.validate_utf8(&text[..len]).unwrap_err();
                assert_eq!((error.valid_up_to(), error.error_len()), (at, Some(1)), "{isa}: {at} of {len}");
                text[at] = b'a';
            }
        }
    }
}

#[test]
fn one_character_that_is_not_ascii() {
    let mut text = vec![b'a'; LEN];
    for isa in Isa::available() {
        for at in edges(LEN - 4).into_iter().step_by(one_in_emulated().min(5)) {
            for char in ["é", "漢", "😀"] {
                text[at..at + char.len()].copy_from_slice(char.as_bytes());
                assert_eq!(isa.validate_utf8(&text), Ok(()), "{isa}: {char} at {at}");
                // Truncated by the end, and by ASCII.
                let cut = at + char.len() - 1;
                let error = isa.validate_utf8(&text[..cut]).unwrap_err();
                assert_eq!((error.valid_up_to(), error.error_len()), (at, None), "{isa}: {char} at {at}");
                text[cut] = b'a';
                let error = isa.validate_utf8(&text).unwrap_err();
                assert_eq!(error.valid_up_to(), at, "{isa}: {char} at {at}");
                assert_eq!(error.error_len(), Some(char.len() - 1), "{isa}: {char} at {at}");
                assert_eq!(error.kind(), Utf8ErrorKind::MissingContinuation, "{isa}: {char} at {at}");
                text[at..at + char.len()].fill(b'a');
            }
        }
    }
}
