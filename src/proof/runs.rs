//! UTF-8 to UTF-16, characters of 3 or of 4 bytes only: each by itself, and what is left where a run breaks.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::kernels::utf8_to_utf16::Cursor;
use crate::simd::tests::{PAINT, on_all_lanes, written};

fn bytes<S: Lanes>(isa: S, v: S::V) -> [u8; 32] {
    let mut bytes = [0; 32];
    isa.overwrite(&mut bytes, 0, v);
    bytes
}

/// All strings of three bytes, each at every place of a vector.
fn three<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 2;
    let mut window = vec![0; 3 * places + 8];
    for first in 0..=0xFF {
        for second in 0..=0xFF {
            for third in (0..=0xFF).step_by(places) {
                // The last bytes are in turn at each place.
                for turn in 0..places {
                    let last = |place: usize| (third + (place + turn) % places) as u8;
                    for place in 0..places {
                        window[3 * place..3 * place + 3].copy_from_slice(&[first, second, last(place)]);
                    }
                    let (words, bad) = isa.vectorize(
                        #[inline(always)]
                        || {
                            let (words, bad) = ThreeBytes::convert(isa, &window);
                            (bytes(isa, words), bytes(isa, bad))
                        },
                    );
                    for place in 0..places {
                        let at = |bytes: &[u8; 32]| u16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]]);
                        let (second, third) = (u16::from(second), u16::from(last(place)));
                        let value = u16::from(first) << 12 | (second & 0x3F) << 6 | third & 0x3F;
                        let good = first >> 4 == 0xE
                            && second >> 6 == 2
                            && third >> 6 == 2
                            && value >= 0x800
                            && value & 0xF800 != 0xD800;
                        assert_eq!(at(&bad) == 0, good, "{name}: {first:02X} {second:02X} {third:02X}");
                        assert!(!good || at(&words) == value, "{name}: {first:02X} {second:02X} {third:02X}");
                    }
                }
            }
        }
    }
}

/// All strings of four bytes. They are compared as double words by themselves, so it does not matter at which place.
fn four<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 4;
    for upper in 0..=0xFFFFu32 {
        let [first, second] = (upper as u16).to_be_bytes();
        let good_half = match first {
            0xF0 => (0x90..=0xBF).contains(&second),
            0xF1..=0xF3 => (0x80..=0xBF).contains(&second),
            0xF4 => (0x80..=0x8F).contains(&second),
            _ => false,
        };
        let wrong = isa.vectorize(
            #[inline(always)]
            || {
                let mut window = [0; 32];
                for third in 0..=0xFF {
                    for (place, fourth) in (0..places).zip(0..) {
                        window[4 * place..4 * place + 4].copy_from_slice(&[first, second, third, fourth]);
                    }
                    let first_ones = isa.load(&window, 0);
                    for fourth in (0..=0xFFu8).step_by(places) {
                        // All of these are well-formed, or none.
                        let good = good_half && third >> 6 == 2 && fourth >> 6 == 2;
                        let chars = first_ones | isa.splat32(u32::from(fourth) << 24);
                        isa.overwrite(&mut window, 0, chars);
                        let (words, bad) = FourBytes::convert(isa, &window[..S::WIDTH]);
                        let zero = isa.eq16(bad, isa.splat8(0));
                        if !good {
                            // No double word is all 0: not both of its words.
                            let both = zero & isa.shr32::<16>(zero);
                            if !isa.is_zero(both) {
                                return Some((third, fourth));
                            }
                            continue;
                        }
                        if !isa.is_zero(bad) {
                            return Some((third, fourth));
                        }
                        let words = bytes(isa, words);
                        for (place, char) in window.as_chunks().0[..places].iter().enumerate() {
                            let bits = u32::from_be_bytes(*char);
                            let upper = bits >> 6 & 0x1C_0000 | bits >> 4 & 0x3_F000;
                            let value = upper | bits >> 2 & 0xFC0 | bits & 0x3F;
                            let [high, low] = [0xD7C0 + (value >> 10) as u16, 0xDC00 | value as u16 & 0x3FF];
                            let [[a, b], [c, d]] = [high, low].map(u16::to_le_bytes);
                            if words[4 * place..][..4] != [a, b, c, d] {
                                return Some((third, fourth));
                            }
                        }
                    }
                }
                None
            },
        );
        assert_eq!(wrong, None, "{name}: {first:02X} {second:02X} and these or up to {places} after");
    }
}

#[test]
#[ignore = "all strings of 3 bytes: seconds, in release builds: cargo xtask prove"]
fn characters_of_3_bytes() {
    crate::proof::report_lanes("UTF-8 to UTF-16: runs of 3 bytes", "all cases", "2^24 at each place", || {
        on_all_lanes!(three);
    });
}

#[test]
#[ignore = "all strings of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn characters_of_4_bytes() {
    crate::proof::report_lanes("UTF-8 to UTF-16: runs of 4 bytes", "all cases", "2^32", || {
        on_all_lanes!(four);
    });
}

/// A piece of a run: so many whole vectors, then good characters, then ASCII.
type Piece = [usize; 3];

/// Runs over these pieces and then `end`, for sizes of the output around each break and the end, `step` bytes apart.
fn run_over<S: Lanes, R: Run>(name: &str, isa: S, pieces: &[Piece], end: &str, step: usize) {
    let char = if R::FROM == 3 { "漢" } else { "😀" };
    let mut text = std::string::String::new();
    let mut borders = vec![0];
    for &[vectors, good, ascii] in pieces {
        text += &char.repeat(vectors * S::WIDTH / R::TO + good);
        text += &"abcdefgh"[..ascii];
        borders.push(2 * text.encode_utf16().count());
    }
    text += end;
    let src = text.as_bytes();
    let want: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    borders.push(want.len());
    let sizes = borders.iter().flat_map(|border| (border.saturating_sub(4)..border + 60).step_by(step));
    for size in sizes {
        let mut got = (0, 0);
        let dst = written(size, true, name, |dst| {
            let (order, saved, runs) = (ByteOrder::Big, None, 0);
            let mut cursor = Cursor { order, src, read: 0, dst, written: 0, saved, runs };
            isa.vectorize(
                #[inline(always)]
                || run::<S, R>(isa, &mut cursor),
            );
            got = (cursor.read, cursor.written);
        })
        .unwrap();
        let what = std::format!("{name}, {} bytes: {pieces:?} {end:?} into {size}", R::FROM);
        let units = text[..got.0].encode_utf16().count();
        assert_eq!(2 * units, got.1, "{what}");
        assert_eq!(dst[..got.1], want[..got.1], "{what}");
        assert!(dst[got.1..].iter().all(|&byte| byte == PAINT), "{what}: writes after {}", got.1);
    }
}

fn breaks<S: Lanes>(name: &str, isa: S) {
    fn each<S: Lanes, R: Run>(name: &str, isa: S) {
        let (chars, char) = (S::WIDTH / R::TO, if R::FROM == 3 { "漢" } else { "😀" });
        let pieces = |vectors: usize, good: &[usize], ascii: &[usize]| -> Vec<Piece> {
            let pairs = good.iter().flat_map(|&good| ascii.iter().map(move |&ascii| [good, ascii]));
            pairs.flat_map(|[good, ascii]| (0..=vectors).map(move |vectors| [vectors, good, ascii])).collect()
        };
        // The end of the text, or of the run after a vector or before it.
        let ends = [0, chars, 2 * chars].map(|count| char.repeat(count)).into_iter();
        let ends = ends.chain([chars - 1, chars].map(|count| char.repeat(count) + "é" + &char.repeat(8)));
        for end in ends {
            for one in pieces(2, &(0..chars).collect::<Vec<_>>(), &[1, 2, 3, 4, 5, 6, 7, 8]) {
                run_over::<S, R>(name, isa, &[one], &end, 2);
            }
            let some = [0, 1, chars / 2, chars - 1];
            for first in pieces(2, &some, &[1, 2, 7, 8]) {
                for second in pieces(1, &some, &[1, 2, 7, 8]) {
                    run_over::<S, R>(name, isa, &[first, second], &end, 6);
                }
            }
        }
        // The balance is spent after 5 breaks.
        for one in pieces(1, &[0, chars - 1], &[1, 8]) {
            for vectors in 0..=6 {
                let rest = [vectors, one[1], one[2]];
                run_over::<S, R>(name, isa, &[one, one, one, rest, one, one, rest], char, 6);
            }
        }
    }
    each::<S, ThreeBytes>(name, isa);
    each::<S, FourBytes>(name, isa);
}

#[test]
#[ignore = "all breaks of runs, two in a row: seconds, in release builds: cargo xtask prove"]
fn runs_change_nothing_after_what_they_write() {
    crate::proof::report_lanes("UTF-8 to UTF-16: where runs end", "bounded", "two breaks", || {
        on_all_lanes!(breaks);
    });
}
