//! UTF-8 to UTF-16 with AVX-512: what a block makes of each byte and the three before it, as in `units.rs`; and what else a
//! block is made of. With the intrinsics of `xtask/emulated/avx512.rs`, in the copy that `cargo xtask prove` makes.

use std::vec;
use std::vec::Vec;

use super::super::units::proof::{Blocks, all_windows, apart, beside};
use super::*;
use crate::proof::classes::{State, is_continuation};
use crate::proof::report_timed;
use crate::simd::tests::written;
use crate::simd::x86::avx512::overwrite;

/// Bytes for each place of a block.
type Bytes = [u8; BLOCK];

fn bytes(v: __m512i) -> Bytes {
    let mut bytes = [0; BLOCK];
    overwrite(&mut bytes, v);
    bytes
}

/// The errors in a block, the lower and the upper bytes of its units, and which bytes are the third of 4. `view` has the bytes
/// 0 to 3 places before each.
fn decoded<const LONGEST: usize>(view: &[Bytes; 4]) -> ([Bytes; 3], u64) {
    let now = load(&view[0], 0);
    let before = [load(&view[1], 0), load(&view[2], 0), load(&view[3], 0)];
    let units = decode::<LONGEST>(now, before, 0);
    assert_eq!(units.half, units.ends >> 63 == 1);
    ([bytes(errors::<LONGEST>(now, before)), bytes(units.low), bytes(units.high)], units.ends)
}

/// What is made of each place, as [`Blocks::unit`].
fn of_block(longest: u8, view: &[Bytes; 4]) -> Vec<Option<(u16, bool)>> {
    let ([errors, low, high], thirds) = match longest {
        2 => decoded::<2>(view),
        3 => decoded::<3>(view),
        _ => decoded::<4>(view),
    };
    let at = |k: usize| (u16::from_le_bytes([low[k], high[k]]), thirds >> k & 1 == 1);
    (0..BLOCK).map(|k| (errors[k] == 0).then(|| at(k))).collect()
}

struct Avx512;

impl Blocks for Avx512 {
    const WIDTH: usize = BLOCK;
    const REFUSES_LAST: bool = true;
    fn unit(&self, longest: u8, window: [u8; 4], [place, _]: [usize; 2], turn: usize) -> Option<(u16, bool)> {
        let (others, word) = beside(longest, turn);
        let mut all = of_block(longest, &apart(window, place, others));
        let here = all.swap_remove(place);
        assert!(all.into_iter().take(BLOCK - 1).all(|other| other == Some((word, false))), "beside {window:02X?}");
        here
    }
    fn row(&self, longest: u8, [a, b, c]: [u8; 3], _: usize) -> Vec<Option<(u16, bool)>> {
        let view = |first: u8| [core::array::from_fn(|k| first + k as u8), [c; BLOCK], [b; BLOCK], [a; BLOCK]];
        [0, 64, 128, 192].into_iter().flat_map(|first| of_block(longest, &view(first))).collect()
    }
    fn boundary(src: &[u8; 5]) -> (usize, usize) {
        let at = last_boundary(src, Position { read: 4, written: 8 });
        (at.read, (8 - at.written) / 2)
    }
}

#[test]
#[ignore = "all windows of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn the_unit_at_each_byte_is_that_of_its_window() {
    report_timed("UTF-8 to UTF-16: units of a block", "avx512", "all cases", "windows of 4 bytes", || {
        all_windows("avx512", &Avx512);
    });
}

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

fn parts_as_bytes(parts: [__m512i; 2]) -> Vec<u8> {
    parts.map(bytes).concat()
}

/// For each byte what depends on it alone, and where bytes go.
#[test]
fn parts_of_a_block_are_what_they_say() {
    report_timed("UTF-8 to UTF-16: parts of a block", "avx512", "all cases", "each byte", || {
        let places: Bytes = core::array::from_fn(|k| k as u8);
        for byte in 0..=0xFF {
            assert_eq!(may_start(byte), State::Boundary.after(byte) != State::Wrong, "{byte:02X}");
            for place in 0..BLOCK {
                let block: Bytes = core::array::from_fn(|k| if k == place { byte } else { 0x61 });
                let v = load(&block, 0);
                assert_eq!(starts(v), !(u64::from(is_continuation(byte)) << place), "{byte:02X} at {place}");
                let want = match byte {
                    0..0x80 => Kind::Ascii,
                    0x80..0xE0 => Kind::UpTo2,
                    0xE0..0xF0 => Kind::UpTo3,
                    0xF0.. => Kind::UpTo4,
                };
                assert!(kind_of(v) == want, "{byte:02X} at {place}");
                // A character that lacks bytes after the 64th is refused, whatever it has before that.
                let cut =
                    usize::from(byte >= 0xC0) + usize::from(byte >= 0xE0) + usize::from(byte >= 0xF0) + place
                        >= BLOCK;
                let refused = _mm512_cmpgt_epu8_mask(v, GREATEST_UNCUT.load()) != 0;
                assert_eq!(refused, cut, "{byte:02X} at {place}");
            }
        }
        for order in ORDERS {
            let unit = |low: u8, high: u8| order.bytes(u16::from_le_bytes([low, high]));
            {
                let (low, ends) = (load(&places, 0), u64::MAX);
                let all = join(order, &Units { low, high: _mm512_add_epi8(low, splat(0x80)), ends, half: false });
                let want = places.map(|byte| unit(byte, byte + 0x80));
                assert_eq!(parts_as_bytes(all.parts), want.as_flattened());
                assert_eq!([all.count, all.room], [64, 64]);
                for ascii in [low, _mm512_add_epi8(low, splat(0x40))] {
                    let want = bytes(ascii).map(|byte| unit(byte, 0));
                    assert_eq!(parts_as_bytes(widen(order, ascii)), want.as_flattened());
                    assert_eq!(parts_as_bytes(widen_once(order, ascii)), want.as_flattened());
                }
            }
        }
        for place in 1..BLOCK {
            {
                let block = load(&places, 0);
                let before = before_first(block).map(|v| bytes(v));
                let want = [1, 2, 3].map(|n| place.saturating_sub(n) as u8);
                assert_eq!(before.map(|bytes| bytes[place]), want);
                assert_eq!(bytes(after_last(block))[place - 1], place as u8);
                assert_eq!([before[0][0], before[1][1], before[2][2], bytes(after_last(block))[63]], [0; 4]);
            }
        }
    });
}

/// What [`all_4`] reads of 16 characters, and writes.
fn fours(order: ByteOrder, src: &[u8]) -> (usize, Vec<u8>) {
    let mut read = 0;
    let out = written(BLOCK, true, "4 bytes", |out| {
        read = all_4(order, src, out, Position::START).read;
    });
    (read, out.unwrap())
}

/// All characters of 4 bytes, at places that take turns, and all that only looks like one; each byte at each place of one.
#[test]
#[ignore = "all characters of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn characters_of_4_bytes_only() {
    report_timed("UTF-8 to UTF-16: 4 bytes only", "avx512", "all cases", "each character; each byte", || {
        for order in ORDERS {
            for first in (0..8u32 << 18).step_by(16) {
                let bits = |n: u32, at: u32| (n >> at & 0x3F) as u8 | 0x80;
                let of = |n: u32| [(n >> 18) as u8 | 0xF0, bits(n, 12), bits(n, 6), bits(n, 0)];
                let chars: Vec<u32> = (0..16).map(|k| first + (k + first / 16) % 16).collect();
                let src: Vec<u8> = chars.iter().flat_map(|&n| of(n)).collect();
                let (read, out) = fours(order, &src);
                // 16 in a row are all characters, or none is.
                let Ok(text) = core::str::from_utf8(&src) else {
                    assert_eq!(read, 0, "{src:02X?}");
                    continue;
                };
                let want: Vec<u8> = text.encode_utf16().flat_map(|unit| order.bytes(unit)).collect();
                assert_eq!((read, out), (BLOCK, want), "{src:02X?}");
            }
        }
        for (place, byte) in (0..BLOCK).flat_map(|place| (0..=0xFF).map(move |byte| (place, byte))) {
            let mut src = vec![];
            (0..16).for_each(|_| src.extend("\u{50000}".as_bytes()));
            src[place] = byte;
            let want =
                if core::str::from_utf8(&src).is_ok() && (place % 4 > 0 || byte >= 0xF0) { BLOCK } else { 0 };
            assert_eq!(fours(ByteOrder::Little, &src).0, want, "{byte:02X} at {place}");
        }
    });
}
