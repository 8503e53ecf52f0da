//! UTF-8 to UTF-16 with AVX-512: what a block makes of each byte and the three before it, as in `units.rs`; and what else a
//! block is made of. With the intrinsics of `xtask/emulated/avx512.rs`, in the copy that `cargo xtask prove` makes.
//!
//! By hand: the blocks of a group are checked one byte later than they are decoded, and `may_start` asks of the first byte of a group.
//! A loop for up to 2 or 3 bytes never starts behind a longer character: `kind_of` looks at all of a group, and single blocks
//! leave no character cut.

use std::vec::Vec;

use super::super::units::proof::{Blocks, all_windows, apart, beside};
use super::*;
use crate::proof::classes::{State, is_continuation, representative, strings};
use crate::proof::report_timed;
use crate::simd::tests::written;
use crate::simd::x86::avx512::overwrite;

/// Bytes for each place of a block.
type Bytes = [u8; BLOCK];

pub(in crate::kernels) fn bytes(v: __m512i) -> Bytes {
    let mut bytes = [0; BLOCK];
    overwrite(&mut bytes, v);
    bytes
}

/// The errors in a block, the lower and the upper bytes of its units, and which of them end, these among them. `view` has the
/// bytes 0 to 3 places before each.
fn decoded<const LONGEST: usize>(view: &[Bytes; 4], ends: u64) -> ([Bytes; 3], u64) {
    let now = load(&view[0], 0);
    let before = [load(&view[1], 0), load(&view[2], 0), load(&view[3], 0)];
    let units = decode::<LONGEST>(now, before, ends);
    ([bytes(errors::<LONGEST>(now, before)), bytes(units.low), bytes(units.high)], units.ends)
}

/// What is made of each place, as [`Blocks::unit`]; a unit that ends in any case is one of `ends`.
fn of_block(longest: u8, view: &[Bytes; 4], ends: u64) -> Vec<Option<(u32, bool)>> {
    let ([errors, low, high], ends) = match longest {
        2 => decoded::<2>(view, ends),
        3 => decoded::<3>(view, ends),
        _ => decoded::<4>(view, ends),
    };
    let at = |k: usize| (u32::from(u16::from_le_bytes([low[k], high[k]])), ends >> k & 1 == 1);
    (0..BLOCK).map(|k| (errors[k] == 0).then(|| at(k))).collect()
}

struct Avx512;

impl Blocks for Avx512 {
    const WIDTH: usize = BLOCK;
    const CHECKS_NEXT: bool = true;
    fn unit(&self, longest: u8, window: [u8; 4], [place, _]: [usize; 2], turn: usize) -> Option<(u32, bool)> {
        let (others, word) = beside(longest, turn, true);
        let ends = 0x9C35_A6F0_0F69_53AC_u64.rotate_left(turn as u32) & !(1 << place);
        let all = of_block(longest, &apart(window, place, others), ends);
        let is_right = |k: usize| k == place || all[k] == Some((word, ends >> k & 1 == 1));
        assert!((0..BLOCK).all(is_right), "beside {window:02X?}");
        all[place]
    }
    fn row(&self, longest: u8, [a, b, c]: [u8; 3], turn: usize) -> Vec<Option<(u32, bool)>> {
        let now = |first: u8| core::array::from_fn(|k| first + ((k + turn) % BLOCK) as u8);
        let rows = [0, 64, 128, 192].map(|first| {
            let mut row = of_block(longest, &[now(first), [c; BLOCK], [b; BLOCK], [a; BLOCK]], 0);
            row.rotate_right(turn % BLOCK);
            row
        });
        rows.concat()
    }
    fn boundary(src: &[u8; 5]) -> (usize, usize) {
        let at = last_boundary(src, Reached { read: 4, written: 8 });
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
        let places: Bytes = core::array::from_fn(|k| 1 + k as u8);
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
            let (low, ends) = (load(&places, 0), u64::MAX);
            let both = places.map(|byte| unit(byte, byte + 0x80));
            let alone = (0..BLOCK).flat_map(|k| [1 << k, !(1 << k)]);
            for ends in alone.chain([0, ends, 0x9C35_A6F0_0F69_53AC, ends / 3, ends / 5, ends << 32]) {
                let high = _mm512_add_epi8(low, splat(0x80));
                let Encoded { parts, count } = join(order, &Units { low, high, ends });
                let want: Vec<u8> = (0..BLOCK).filter(|k| ends >> k & 1 == 1).flat_map(|k| both[k]).collect();
                assert_eq!(parts_as_bytes(parts)[..2 * count], want);
            }
            for ascii in [low, _mm512_add_epi8(low, splat(0x3F))] {
                let want = bytes(ascii).map(|byte| unit(byte, 0));
                assert_eq!(parts_as_bytes(widen(order, ascii)), want.as_flattened());
                assert_eq!(parts_as_bytes(widen_once(order, ascii)), want.as_flattened());
            }
        }
        // Zeros come before the first byte, and after the last.
        let block = load(&places, 0);
        let before = before_first(block).map(bytes);
        for place in 0..BLOCK {
            let want = [1, 2, 3].map(|n| (place + 1).saturating_sub(n) as u8);
            assert_eq!(before.map(|bytes| bytes[place]), want);
            assert_eq!(bytes(after_last(block))[place], places.get(place + 1).copied().unwrap_or(0));
        }
        // Nothing is read before the text; a lead byte in its first bytes.
        assert_eq!(last_boundary(&[0xF0; 3], Reached::START).read, 0);
        for (read, lead) in (1..=3).flat_map(|read| [0xC3, 0xE2, 0xF0].map(|lead| (read, lead))) {
            let src = [lead, 0x80, 0x80];
            let at = last_boundary(&src, Reached { read, written: 8 });
            let is_cut = usize::from(lead >= 0xC0) + usize::from(lead >= 0xE0) + usize::from(lead >= 0xF0) >= read;
            let written = if read == 3 && is_cut { 6 } else { 8 };
            assert_eq!([at.read, at.written], if is_cut { [0, written] } else { [read, 8] }, "{lead:02X} {read}");
        }
    });
}

/// All strings of three classes at each place of a single block, and all of four and all pairs of bytes at places that take
/// turns, in ASCII. Text goes on up to the end of the block, or ends there; `check` also gets the number of the turn.
pub(in crate::kernels) fn blocks_with_strings(mut check: impl FnMut(&[u8], usize)) {
    let mut turn = 0;
    let mut at = |string: &[u8], place: usize| {
        turn += 1;
        let mut block = [0x61; BLOCK];
        block[place % (BLOCK + 1 - string.len())..][..string.len()].copy_from_slice(string);
        check(&block, turn);
        check(&block[..place % (BLOCK + 1 - string.len()) + string.len()], turn);
    };
    strings::<3>(|classes| (0..BLOCK - 2).for_each(|place| at(&classes.map(representative), place)));
    let mut place = 0;
    strings::<4>(|classes| {
        place += 1;
        at(&classes.map(representative), place);
    });
    (0..=u16::MAX).for_each(|pair| at(&pair.to_be_bytes(), usize::from(pair)));
}

/// Each of [`blocks_with_strings`], with room for just what it is.
#[test]
#[ignore = "all strings of 4 classes: seconds, in release builds: cargo xtask prove"]
fn single_blocks() {
    fn check(src: &[u8], turn: usize) {
        let order = ORDERS[turn % 2];
        let want = core::str::from_utf8(src)
            .ok()
            .map(|text| text.encode_utf16().flat_map(|unit| order.bytes(unit)).collect::<Vec<u8>>());
        let room = want.as_ref().map_or(2 * BLOCK, Vec::len);
        let mut at = None;
        let out = written(room, true, "a block", |out| at = up_to_block::<0>(order, src, out)).unwrap();
        let got = at.map(|at| {
            assert_eq!([at.read, at.written], [src.len(), room], "{src:02X?}");
            out
        });
        assert_eq!(got, want, "{src:02X?}");
        if let Some(block) = src.as_array() {
            among_ascii(order, block);
        }
    }
    /// The same by [`up_to_2`], which leaves out a character of two bytes that the block cuts.
    fn among_ascii(order: ByteOrder, block: &Bytes) {
        let len = BLOCK - usize::from(matches!(block[BLOCK - 1], 0xC2..=0xDF));
        let text = core::str::from_utf8(&block[..len]).ok();
        let text = text.filter(|text| text.chars().all(|character| character < '\u{800}'));
        let want = text.map(|text| text.encode_utf16().flat_map(|unit| order.bytes(unit)).collect::<Vec<u8>>());
        let mut at = None;
        let mut out = written(2 * BLOCK, true, "a block", |out| at = up_to_2(order, block, out)).unwrap();
        let got = at.map(|at| {
            assert_eq!(at.read, len, "{block:02X?}");
            out.truncate(at.written);
            out
        });
        assert_eq!(got, want, "{block:02X?} among ASCII");
    }
    report_timed(
        "UTF-8 to UTF-16: single blocks",
        "avx512",
        "all cases",
        "strings of 4 classes, of 2 bytes",
        || blocks_with_strings(check),
    );
}
