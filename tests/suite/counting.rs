//! Counting, `is_ascii` and swapping: each length, and long inputs of one value, for which sums could overflow.

use std::panic::catch_unwind;

use fastutf::{Isa, Width};

use crate::common::{Filler, Rng, hex, one_in, oracle};

/// Longer than 255 vectors of 64 bytes, after which a count in a byte would overflow.
const LONG: usize = 255 * 64 * 2 + 77;

#[test]
fn counts_of_long_runs_of_one_byte() {
    for byte in [0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xE2, 0xEF, 0xF0, 0xF4, 0xFF] {
        let src = vec![byte; LONG];
        let starts = usize::from(byte & 0xC0 != 0x80);
        let units = starts + usize::from(byte >= 0xF0);
        for len in [LONG, 127 * 16, 127 * 32, 127 * 64, 128 * 64, 255 * 16, 255 * 32, 255 * 64, 256 * 64] {
            for isa in Isa::available() {
                let src = &src[..len];
                assert_eq!(isa.count_chars_utf8(src), starts * len, "{isa}: {len} times {byte:02X}");
                assert_eq!(isa.utf16_len_from_utf8(src), units * len, "{isa}: {len} times {byte:02X}");
                assert_eq!(isa.is_ascii(src), byte < 0x80, "{isa}: {len} times {byte:02X}");
            }
        }
    }
}

#[test]
fn counts_of_long_runs_of_one_code_unit() {
    let units: [(u16, usize); 12] = [
        (0x0000, 1),
        (0x007F, 1),
        (0x0080, 2),
        (0x07FF, 2),
        (0x0800, 3),
        (0xD7FF, 3),
        (0xD800, 2),
        (0xDBFF, 2),
        (0xDC00, 2),
        (0xDFFF, 2),
        (0xE000, 3),
        (0xFFFF, 3),
    ];
    for (unit, bytes) in units {
        let src = vec![unit; LONG];
        let (le, be) = (unit.to_le_bytes().repeat(LONG), unit.to_be_bytes().repeat(LONG));
        let starts = usize::from(unit & 0xFC00 != 0xDC00);
        for n in [LONG, 127 * 8, 127 * 16, 127 * 32, 128 * 32, 255 * 8, 255 * 16, 255 * 32, 256 * 32] {
            for isa in Isa::available() {
                let of = format!("{isa}: {n} times {unit:04X}");
                assert_eq!(isa.utf8_len_from_utf16(&src[..n]), bytes * n, "{of}");
                assert_eq!(isa.count_chars_utf16(&src[..n]), starts * n, "{of}");
                // An odd last byte is not counted.
                for end in [2 * n, 2 * n - 1] {
                    let n = end / 2;
                    assert_eq!(isa.utf8_len_from_utf16le(&le[..end]), bytes * n, "{of}");
                    assert_eq!(isa.utf8_len_from_utf16be(&be[..end]), bytes * n, "{of}");
                    assert_eq!(isa.count_chars_utf16le(&le[..end]), starts * n, "{of}");
                    assert_eq!(isa.count_chars_utf16be(&be[..end]), starts * n, "{of}");
                }
            }
        }
    }
}

#[test]
fn counts_of_text_are_those_of_std() {
    for filler in Filler::ALL {
        for len in (0..400).chain([5000, 70_000]) {
            let text = String::from_utf8(filler.before(len)).unwrap();
            let (chars, units) = (text.chars().count(), text.encode_utf16().count());
            for isa in Isa::available() {
                assert_eq!(isa.count_chars_utf8(text.as_bytes()), chars, "{isa}: {text}");
                assert_eq!(isa.utf16_len_from_utf8(text.as_bytes()), units, "{isa}: {text}");
                let info = isa.utf8_info(text.as_bytes()).unwrap();
                assert_eq!((info.chars, info.utf16_len), (chars, units), "{isa}: {text}");
                assert_eq!(info.is_ascii(), chars == len, "{isa}: {text}");
                let utf16 = isa.to_utf16(&text);
                assert_eq!(isa.count_chars_utf16(&utf16), chars, "{isa}: {text}");
                assert_eq!(isa.utf8_len_from_utf16(&utf16), len, "{isa}: {text}");
            }
        }
    }
}

/// One wider character in every place of texts of ASCII, and of one and two bytes, which different loops look at.
#[test]
fn one_wider_character_is_found_anywhere() {
    let rng = &mut Rng::new(64);
    let thin = one_in(6);
    let narrow = ["a", "\u{FF}", "a\u{80}", "aaaaaaa\u{C0}aaaaaaaaaaa\u{BF}"];
    let wide =
        ["\u{80}", "\u{FF}", "\u{100}", "\u{13F}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"];
    for len in (0..300).chain([383, 384, 385, 700, 1100, 5000]) {
        for filler in narrow {
            let text: String = filler.chars().cycle().take(len).collect();
            for wide in wide {
                for (at, _) in text.char_indices() {
                    if rng.below(thin) > 0 || len > 300 && rng.below(8 * thin) > 0 {
                        continue;
                    }
                    let text = [&text[..at], wide, &text[at..]].concat();
                    width(&text, rng.below(64));
                }
            }
            width(&text, rng.below(64));
        }
    }
}

#[test]
fn widths_of_mixed_text() {
    let rng = &mut Rng::new(65);
    for _ in 0..6000 / one_in(2) {
        let mut text = String::new();
        for _ in 0..1 + rng.below(4) {
            let below = rng.pick(&[0x80, 0x100, 0x100, 0x140, 0x800, 0x10000, 0x110000]);
            let most = if rng.below(4) == 0 { 900 } else { 60 };
            for _ in 0..1 + rng.below(most) {
                text.extend(char::from_u32(rng.below(below) as u32));
            }
        }
        width(&text, rng.below(64));
    }
}

/// Checks the width of this text, so many bytes after a line.
fn width(text: &str, shift: usize) {
    let want = oracle::width_of_utf8(text.as_bytes()).unwrap();
    assert_eq!(text.chars().map(Width::of).max().unwrap_or(Width::Ascii) as u8, want);
    let mut memory = vec![0xF0; text.len() + 128];
    let start = memory.as_ptr().align_offset(64).min(64) + shift;
    memory[start..][..text.len()].copy_from_slice(text.as_bytes());
    for isa in Isa::available() {
        let info = isa.utf8_info(&memory[start..][..text.len()]).unwrap();
        assert_eq!(info.width() as u8, want, "{isa}: {text}");
    }
}

#[test]
fn one_byte_that_is_not_ascii_is_found_anywhere() {
    for len in 0..=600 {
        let mut bytes = vec![0x7F; len];
        for isa in Isa::available() {
            assert!(isa.is_ascii(&bytes), "{isa}: {len}");
            for at in 0..len {
                bytes[at] = if at % 2 == 0 { 0x80 } else { 0xFF };
                assert!(!isa.is_ascii(&bytes), "{isa}: at {at} of {len}");
                bytes[at] = 0x7F;
            }
        }
    }
}

/// Also at odd addresses. Bytes outside the slice stay unchanged.
#[test]
fn swapping_swaps_each_pair_and_nothing_else() {
    let mut rng = Rng::new(60);
    let original: Vec<u8> = (0..5000).map(|_| rng.next() as u8).collect();
    for len in (0..=600).chain([4095, 4096, 4097]) {
        for isa in Isa::available() {
            for start in [0, 1, 32, 1 + rng.below(63)] {
                let src = &original[start..][..len];
                let mut swapped = src.to_vec();
                swapped.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());

                let mut all = original.clone();
                isa.swap_utf16_bytes(&mut all[start..][..len]);
                assert_eq!(all[..start], original[..start], "{isa}: before {len} bytes at {start}");
                assert_eq!(all[start..][..len], swapped, "{isa}: {len} bytes at {start}: {}", hex(src));
                assert_eq!(all[start + len..], original[start + len..], "{isa}: after {len} bytes at {start}");

                let to = rng.below(64);
                let mut all = vec![0xA5; 5000];
                isa.swap_utf16_bytes_into(src, &mut all[to..][..len]);
                assert_eq!(all[to..][..len], swapped, "{isa}: {len} bytes into {to}: {}", hex(src));
                all[to..][..len].fill(0xA5);
                assert!(all.iter().all(|&byte| byte == 0xA5), "{isa}: around {len} bytes into {to}");

                let mut uninit = Vec::with_capacity(len);
                isa.swap_utf16_bytes_into_uninit(src, &mut uninit.spare_capacity_mut()[..len]);
                // SAFETY: all of these are initialised. Miri and MemorySanitizer see whether that is so.
                unsafe { uninit.set_len(len) };
                assert_eq!(uninit, swapped, "{isa}: {len} bytes into uninitialised memory: {}", hex(src));
            }
        }
    }
}

#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn swapping_panics_on_different_lengths() {
    for isa in Isa::available() {
        for (src, dst) in [(0, 1), (1, 0), (2, 3), (3, 2), (64, 66), (300, 200), (200, 300)] {
            let swap = || isa.swap_utf16_bytes_into(&vec![0; src], &mut vec![0; dst]);
            assert!(catch_unwind(swap).is_err(), "{isa}: {src} bytes into {dst}");
        }
    }
    assert!(catch_unwind(|| fastutf::swap_utf16_bytes_into(&[0; 2], &mut [0; 4])).is_err());
}
