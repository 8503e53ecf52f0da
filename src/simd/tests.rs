//! Tests of the vector operations themselves: what each load reads, and the exact footprint of each store, for each
//! length of a buffer between guard bytes. Kernels use only part of what a store promises about its bounds, but the
//! promise must hold for future callers, too.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::vec;
use std::vec::Vec;

use super::{Lanes, ShuffleTable, short_number};
use crate::kernels::tables::{KEEP_WORDS, ONE_OR_TWO, ONE_TO_THREE};
use crate::output::Output;

pub(crate) const PAINT: u8 = 0xA5;
/// Bytes on either side of a buffer.
const GUARD: usize = 80;

/// Runs `$test` on each instruction set that implements `Lanes`.
macro_rules! on_all_lanes {
    ($test:ident) => {
        for isa in $crate::isa::Isa::available() {
            match isa.level() {
                #[cfg(fastutf_x86)]
                $crate::isa::Level::Avx2(isa) => $test("avx2", isa),
                #[cfg(fastutf_x86)]
                $crate::isa::Level::Sse41(isa) => $test("sse4.1", isa),
                #[cfg(fastutf_neon)]
                $crate::isa::Level::Neon(isa) => $test("neon", isa),
                #[cfg(fastutf_wasm)]
                $crate::isa::Level::Simd128(isa) => $test("simd128", isa),
                #[cfg(fastutf_x86)]
                $crate::isa::Level::Avx512(_) => {}
                $crate::isa::Level::Scalar => {}
            }
        }
    };
}
pub(crate) use on_all_lanes;

/// The contents of a painted buffer of `len` bytes after `write`, or `None` if it panics, as it must if `fits` is
/// false. Nothing outside the buffer may change.
pub(crate) fn written(len: usize, fits: bool, what: &str, write: impl FnOnce(&mut Output)) -> Option<Vec<u8>> {
    if !fits && cfg!(panic = "abort") {
        return None; // NOT TESTED: a panic would end the program
    }
    let mut memory = vec![PAINT; GUARD + len + GUARD];
    let part = &mut memory[GUARD..GUARD + len];
    let done = catch_unwind(AssertUnwindSafe(|| write(Output::over(part))));
    assert_eq!(done.is_ok(), fits, "{what}, {len} bytes: panics if it fits, or does not if not");
    let (before, rest) = memory.split_at(GUARD);
    let (part, after) = rest.split_at(len);
    assert!(before.iter().chain(after).all(|&byte| byte == PAINT), "{what}, {len} bytes: writes outside of them");
    done.is_ok().then(|| part.to_vec())
}

/// Asserts that `part` is still painted except for `bytes` at `at` and the `slack` bytes after them, which may be
/// anything.
pub(crate) fn assert_footprint(part: &[u8], at: usize, bytes: &[u8], slack: usize, what: &str) {
    assert_eq!(part[at..at + bytes.len()], *bytes, "{what}, {} bytes", part.len());
    let after = part.len().min(at + bytes.len() + slack);
    let rest = part[..at].iter().chain(&part[after..]);
    assert!(
        rest.copied().all(|byte| byte == PAINT),
        "{what}, {} bytes: writes more of them: {part:02X?}",
        part.len()
    );
}

/// Bytes that are all different from each other and from `PAINT`, those with bit 7 set among them.
pub(crate) fn numbers() -> Vec<u8> {
    (0..=255).rev().filter(|&byte| byte != PAINT).take(160).collect()
}

fn panics(f: impl FnOnce()) -> bool {
    cfg!(panic = "abort") || catch_unwind(AssertUnwindSafe(f)).is_err()
}

fn loads<S: Lanes>(name: &str, isa: S) {
    let bytes = numbers();
    let lanes = |v: S::V| {
        let mut out = vec![0; S::WIDTH];
        isa.overwrite(&mut out, 0, v);
        out
    };
    for len in (0..=S::WIDTH + 1).chain([2 * S::WIDTH, 2 * S::WIDTH + 17]) {
        let src = &bytes[..len];
        for at in 0..=len + 2 {
            if at + S::WIDTH <= len {
                assert_eq!(lanes(isa.load(src, at)), src[at..at + S::WIDTH], "{name}: load at {at} of {len}");
            } else {
                assert!(panics(|| drop(lanes(isa.load(src, at)))), "{name}: load at {at} of {len}");
            }
            let half = S::WIDTH / 2;
            if at + half <= len {
                let want: Vec<u8> = src[at..at + half].iter().flat_map(|&byte| [byte, 0]).collect();
                assert_eq!(lanes(isa.load_widened(src, at)), want, "{name}: load_widened at {at} of {len}");
            } else {
                assert!(
                    panics(|| drop(lanes(isa.load_widened(src, at)))),
                    "{name}: load_widened at {at} of {len}"
                );
            }
            for stride in [0, 16, 24, 32] {
                let end = at + 16 + if S::WIDTH > 16 { stride } else { 0 };
                let what = std::format!("{name}: load_lanes at {at} and {stride} on of {len}");
                if end <= len {
                    let want = [&src[at..at + 16], &src[end - 16..end]].concat();
                    assert_eq!(lanes(isa.load_lanes(src, at, stride)), want[..S::WIDTH], "{what}");
                } else {
                    assert!(panics(|| drop(lanes(isa.load_lanes(src, at, stride)))), "{what}");
                }
            }
        }
        if len <= S::WIDTH {
            let mut want = src.to_vec();
            want.resize(S::WIDTH, 0);
            assert_eq!(lanes(isa.load_padded(src)), want, "{name}: load_padded of {len}");
        } else {
            assert!(panics(|| drop(lanes(isa.load_padded(src)))), "{name}: load_padded of {len}");
        }
    }
}

#[test]
fn loads_read_what_they_say() {
    on_all_lanes!(loads);
}

fn stores<S: Lanes>(name: &str, isa: S) {
    let bytes = numbers();
    let (v, value) = (isa.load(&bytes, 3), &bytes[3..3 + S::WIDTH]);
    for len in 0..=2 * S::WIDTH + 2 {
        for at in 0..=len + 2 {
            let fits = at + S::WIDTH <= len;
            let what = std::format!("{name}: store at {at}");
            if let Some(part) = written(len, fits, &what, |dst| isa.store(dst, at, v)) {
                assert_footprint(&part, at, value, 0, &what);
            }
            let what = std::format!("{name}: store_inside at {at}");
            if let Some(part) = written(len, len >= 16, &what, |dst| isa.store_inside(dst, at, v)) {
                assert_footprint(&part, at.min(len - 16), &value[..16], 0, &what);
            }
        }
    }
}

#[test]
fn stores_write_what_they_say() {
    on_all_lanes!(stores);
}

/// The lanes of `a` and `b` alternately, each shuffled by its row and cut to `base` bytes plus `unit` for each bit
/// set in its index.
pub(crate) fn shuffled(a: &[u8], b: &[u8], table: &ShuffleTable, index: u32, base: usize, unit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let lanes = a.chunks(16).zip(b.chunks(16)).flat_map(|(a, b)| [a, b]);
    for (k, lane) in lanes.enumerate() {
        let row = (index >> (8 * k) & 0xFF) as usize;
        let len = base + unit * row.count_ones() as usize;
        out.extend(table.0[row][..len].iter().map(|&from| lane[usize::from(from)]));
    }
    out
}

/// Indices with each row that occurs in each lane, where the other lanes are empty or full.
fn indices(occurs: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
    (0..=0xFF).filter(move |&row| occurs(row)).flat_map(|row: u32| {
        [0x0000_0000, 0xFFFF_FFFF]
            .into_iter()
            .flat_map(move |others| (0..4).map(move |lane| others & !(0xFF << (8 * lane)) | row << (8 * lane)))
    })
}

fn shuffles<const BASE: usize, const UNIT: usize, S: Lanes>(
    name: &str,
    isa: S,
    table: &'static ShuffleTable,
    occurs: impl Fn(u32) -> bool,
) {
    let bytes = numbers();
    let (a, b) = (isa.load(&bytes, 0), isa.load(&bytes, 64));
    let index_bits = if S::WIDTH < 32 { 0xFFFF } else { !0 };
    for (i, index) in indices(occurs).enumerate() {
        let want = shuffled(&bytes[..S::WIDTH], &bytes[64..64 + S::WIDTH], table, index & index_bits, BASE, UNIT);
        // Higher bits, of lanes that do not exist, have no effect.
        let (at, need) = (i % 3, want.len() + 16);
        // With less room it panics, which is slow, so that is tried only for every fifth index.
        let less = [need - 1, need - 15, need - 16, 0];
        for room in [need, need + 1, need + 40].into_iter().chain(less.into_iter().filter(|_| i % 5 == 0)) {
            let len = at + room;
            // The minimum that is required varies, but this much is always enough, and never out of bounds.
            let most = 2 * S::WIDTH;
            let fits = len >= at + need.min(most);
            let what = std::format!("{name}: store_shuffled::<{BASE}, {UNIT}> at {at} by {index:08X}");
            let mut returned = 0;
            let done = written(len, fits, &what, |dst| {
                returned = isa.store_shuffled::<BASE, UNIT>(dst, at, a, b, table, index);
            });
            if let Some(part) = done {
                assert_eq!(returned, want.len(), "{what}");
                let room = want.len().min(part.len() - at);
                assert_footprint(&part, at, &want[..room], 16, &what);
            }
        }
    }
}

fn all_shuffles<S: Lanes>(name: &str, isa: S) {
    shuffles::<0, 2, S>(name, isa, &KEEP_WORDS, |_| true);
    shuffles::<8, 1, S>(name, isa, &ONE_OR_TWO, |_| true);
    // Each unit has two bits, which are never 10.
    shuffles::<4, 1, S>(name, isa, &ONE_TO_THREE, |row| row & 0xAA & !(row << 1) == 0);
}

#[test]
fn shuffled_stores_write_what_they_say() {
    on_all_lanes!(all_shuffles);
}

/// Masks with few, many and some bits set.
fn masks() -> Vec<u64> {
    let mut masks = vec![0, !0, 1, 1 << 63, 0x5555_5555_5555_5555, 0xFFFF_FFFF, !0 << 32, 0xF0F0_1234_8000_7FFF];
    masks.extend((0..64).flat_map(|bit| [!0 >> bit, !0 << bit]));
    masks
}

fn words<S: Lanes>(name: &str, isa: S) {
    let words: Vec<u8> = numbers()[..128].to_vec();
    let zero = isa.splat8(0);
    let mut vectors = [(zero, zero); 4];
    for (k, (a, b)) in vectors.iter_mut().enumerate().take(64 / S::WIDTH) {
        // Distributes the lanes alternately to the two.
        let lane = |n: usize| u128::from_le_bytes(*words[2 * k * S::WIDTH + 16 * n..].first_chunk().unwrap());
        let two = S::WIDTH > 16;
        *a = isa.two_lanes(lane(0), if two { lane(2) } else { 0 });
        *b = isa.two_lanes(lane(1), if two { lane(3) } else { 0 });
    }
    for keep in masks() {
        let kept = words.chunks(2).enumerate().filter(|(k, _)| keep >> k & 1 == 1);
        let want: Vec<u8> = kept.flat_map(|(_, word)| [word[0], word[1]]).collect();
        let what = std::format!("{name}: store_words {keep:016X}");
        for len in [144, 145, 200] {
            let part = written(len, true, &what, |dst| isa.store_words(dst, &vectors, &KEEP_WORDS, keep)).unwrap();
            assert_footprint(&part, 0, &want, 16, &what);
        }
    }
}

#[test]
fn stores_of_words_write_what_they_say() {
    on_all_lanes!(words);
}

fn one_or_two<S: Lanes>(name: &str, isa: S) {
    let bytes = numbers();
    let vectors = [0, 1, 2, 3].map(|k| isa.load(&bytes, k * S::WIDTH));
    let at = |k: usize| &bytes[k * S::WIDTH..(k + 1) * S::WIDTH];
    for two in masks() {
        // One bit for each word of four vectors.
        let two = if S::WIDTH < 32 { two & 0xFFFF_FFFF } else { two };
        let mut want = shuffled(at(0), at(1), &ONE_OR_TWO, two as u32, 8, 1);
        let index = (two >> S::WIDTH) as u32;
        want.extend(shuffled(at(2), at(3), &ONE_OR_TWO, index, 8, 1));
        let what = std::format!("{name}: store_one_or_two {two:016X}");
        for len in [want.len() + 16, want.len() + 50] {
            let part =
                written(len, true, &what, |dst| isa.store_one_or_two(dst, vectors, &ONE_OR_TWO, two)).unwrap();
            assert_footprint(&part, 0, &want, 16, &what);
        }
    }
}

#[test]
fn stores_of_one_or_two_bytes_write_what_they_say() {
    on_all_lanes!(one_or_two);
}

/// All operations that collect bit 7 of bytes.
fn bits<S: Lanes>(name: &str, isa: S) {
    for mask in masks() {
        let bytes: [u8; 64] = std::array::from_fn(|k| if mask >> k & 1 == 1 { 0x80 | k as u8 } else { k as u8 });
        assert_eq!(isa.bitmask_64(&bytes), mask, "{name}");
        let mut partial = isa.empty_mask();
        for k in (0..64).step_by(S::WIDTH) {
            let v = isa.load(&bytes, k);
            let part = mask >> k & (!0 >> (64 - S::WIDTH));
            assert_eq!((isa.bitmask(v), isa.any_high_bit(v)), (part, part != 0), "{name}");
            // The bytes added to a partial mask must have all bits set or none.
            partial = isa.add_to_mask(partial, k, isa.gt_i8(isa.splat8(0), v));
        }
        assert_eq!(isa.finished_mask(partial), mask, "{name}");
        let two = isa.bitmask_of_two(isa.load(&bytes, 0), isa.load(&bytes, S::WIDTH));
        assert_eq!(two, mask & (!0 >> (64 - 2 * S::WIDTH)), "{name}");
        let transposed = isa.transposed(&bytes);
        for (bit, &got) in transposed.iter().enumerate() {
            let want = bytes.iter().rev().fold(0, |all, byte| all << 1 | u64::from(byte >> bit & 1));
            assert_eq!(got, want, "{name}: bit {bit}");
        }
    }
}

#[test]
fn bits_are_those_of_their_bytes() {
    on_all_lanes!(bits);
}

/// The operations on double words.
#[cfg(feature = "utf32")]
fn double_words<S: Lanes>(name: &str, isa: S) {
    const EDGES: [u32; 12] = [
        0,
        1,
        0x7F,
        0xFFFF,
        0x1_0000,
        0x10_FFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_0000,
        0xFFFF_FFFE,
        u32::MAX,
    ];
    let dwords = |v: S::V| {
        let mut out = vec![0; S::WIDTH];
        isa.overwrite(&mut out, 0, v);
        out.as_chunks::<4>().0.iter().map(|&dword| u32::from_le_bytes(dword)).collect::<Vec<_>>()
    };
    for shift in 0..EDGES.len() {
        let all: [Vec<u8>; 2] = [0, shift].map(|shift| {
            (0..8).flat_map(|k| EDGES[(k + shift + k / 4 * shift) % EDGES.len()].to_le_bytes()).collect()
        });
        let [a, b] = [isa.load(&all[0], 0), isa.load(&all[1], 0)];
        let both = |of: fn(u32, u32) -> u32| {
            dwords(a).into_iter().zip(dwords(b)).map(|(a, b)| of(a, b)).collect::<Vec<_>>()
        };
        assert_eq!(dwords(isa.add32(a, b)), both(u32::wrapping_add), "{name}");
        assert_eq!(dwords(isa.sub32(a, b)), both(u32::wrapping_sub), "{name}");
        assert_eq!(dwords(isa.max_u32(a, b)), both(u32::max), "{name}");
        assert_eq!(dwords(isa.gt_i32(a, b)), both(|a, b| if a as i32 > b as i32 { !0 } else { 0 }), "{name}");
        let lanes = |a, b| {
            dwords(a).chunks(4).zip(dwords(b).chunks(4)).flat_map(|(a, b)| [a, b].concat()).collect::<Vec<_>>()
        };
        let narrow = |v, want: Vec<u16>| {
            let mut words = vec![0; S::WIDTH];
            isa.overwrite(&mut words, 0, v);
            assert_eq!(words, want.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), "{name}");
        };
        let saturated = |dword| (dword as i32).clamp(-0x8000, 0x7FFF) as u16;
        narrow(isa.narrow_i32(a, b), lanes(a, b).into_iter().map(saturated).collect());
        let [a, b] = [a, b].map(|v| isa.shr32::<16>(v));
        narrow(isa.narrow_u32(a, b), lanes(a, b).into_iter().map(|dword| dword as u16).collect());
    }
}

#[cfg(feature = "utf32")]
#[test]
fn double_words_are_those_of_rust() {
    on_all_lanes!(double_words);
}

#[test]
fn short_copies_are_exact() {
    let bytes = numbers();
    for len in 0..=66 {
        let what = "copy_short";
        let src = &bytes[..len];
        if let Some(part) = written(len, len <= 64, what, |dst| dst.copy_short(src)) {
            assert_eq!(part, src);
        }
        assert!(panics(|| Output::over(&mut vec![0; len + 1]).copy_short(src)), "{len}");
        if len <= 16 {
            let mut want = [0; 16];
            want[..len].copy_from_slice(src);
            assert_eq!(short_number(src), u128::from_le_bytes(want), "{len}");
        } else {
            assert!(panics(|| assert!(short_number(src) > 0)), "{len}");
        }
    }
}

#[cfg(fastutf_x86)]
mod avx512 {
    use super::*;
    use crate::isa::{Isa, Level};
    use crate::simd::x86::avx512::arch::__m512i;
    use crate::simd::x86::avx512::{
        compress, load, load_partial, load_two_partial, low_bits, overwrite, store, store_partial,
        store_two_partial, store_units,
    };

    fn bytes_of(v: __m512i) -> Vec<u8> {
        let mut out = vec![0; 64];
        // SAFETY: only called if the CPU has AVX-512.
        unsafe { overwrite(&mut out, v) };
        out
    }

    /// Lengths that are too large do not panic, except by a debug assertion, but nothing out of bounds is ever
    /// touched.
    #[test]
    fn masked_loads_and_stores_touch_what_they_say() {
        if !Isa::available().any(|isa| matches!(isa.level(), Level::Avx512(_))) {
            std::eprintln!("NOT TESTED: loads and stores of AVX-512, which this CPU does not have");
            return;
        }
        let bytes = numbers();
        // SAFETY: the CPU has AVX-512, see above.
        unsafe {
            let v = [load(&bytes, 1), load(&bytes, 70)];
            assert_eq!((bytes_of(v[0]), bytes_of(v[1])), (bytes[1..65].to_vec(), bytes[70..134].to_vec()));
            for len in 0..=64usize {
                let want = (!0u64).checked_shr(64 - len as u32).unwrap_or(0);
                assert_eq!(low_bits(len), want, "{len}");
                let mut padded = bytes[..len].to_vec();
                padded.resize(64, 0);
                assert_eq!(bytes_of(load_partial(&bytes[..len])), padded, "{len}");
                let part = written(len, true, "store_partial", |dst| store_partial(dst, v[0])).unwrap();
                assert_eq!(part, bytes[1..1 + len]);
                let mut part = vec![PAINT; len + 1];
                overwrite(&mut part[..len], v[0]);
                assert_footprint(&part, 0, &bytes[1..1 + len], 0, "overwrite");
                let both = [&bytes[1..65], &bytes[70..134]].concat();
                let part = written(2 * len, true, "store_units", |dst| {
                    store_units(dst, v);
                });
                assert_eq!(part.unwrap(), both[..2 * len]);
                for first in 0..=64 {
                    let want =
                        [&bytes[1..1 + first.min(len)], &bytes[70..70 + len.saturating_sub(first)]].concat();
                    let what = "store_two_partial";
                    let part = written(len, true, what, |dst| store_two_partial(dst, first, v)).unwrap();
                    assert_eq!(part, want, "{first} of {len}");
                    let want = [&bytes[1..1 + first], &bytes[70..70 + len]].concat();
                    let part = written(first + len, true, what, |dst| store_two_partial(dst, first, v)).unwrap();
                    assert_eq!(part, want, "{first} and {len}");
                }
            }
            for len in 0..=128 {
                let mut padded = bytes[..len].to_vec();
                padded.resize(128, 0);
                assert_eq!(load_two_partial(&bytes[..len]).map(bytes_of).concat(), padded, "two parts of {len}");
            }
            for len in 60..=130 {
                for at in 0..=len {
                    let fits = at + 64 <= len;
                    if let Some(part) = written(len, fits, "store", |dst| store(dst, at, v[0])) {
                        assert_footprint(&part, at, &bytes[1..65], 0, "store");
                    }
                    if !fits {
                        assert!(panics(|| drop(bytes_of(load(&bytes[..len], at)))), "load at {at} of {len}");
                    }
                }
            }
            for keep in masks() {
                let want: Vec<u8> = (0..64).filter(|k| keep >> k & 1 == 1).map(|k| bytes[1 + k]).collect();
                assert_eq!(bytes_of(compress(keep, v[0]))[..want.len()], want);
            }
        }
    }

    /// At every distance from the end of a page, where they work in another way.
    #[test]
    fn masked_loads_and_stores_near_the_end_of_a_page() {
        if !Isa::available().any(|isa| matches!(isa.level(), Level::Avx512(_))) {
            std::eprintln!("NOT TESTED: loads and stores of AVX-512, which this CPU does not have");
            return;
        }
        const PAGE: usize = 4096;
        let bytes = numbers();
        let mut pages = vec![PAINT; 3 * PAGE];
        let end = pages.as_ptr().align_offset(PAGE) + PAGE;
        for before in 0..=130 {
            for len in 0..=64 {
                let at = end - before;
                // SAFETY: the CPU has AVX-512, see above.
                unsafe {
                    let v = [load(&bytes, 1), load(&bytes, 70)];
                    overwrite(&mut pages[at..at + len], v[0]);
                    assert_footprint(&pages, at, &bytes[1..1 + len], 0, "overwrite");
                    let mut padded = pages[at..at + len].to_vec();
                    padded.resize(64, 0);
                    assert_eq!(bytes_of(load_partial(&pages[at..at + len])), padded, "{before}, {len}");
                    pages[at..at + len].fill(PAINT);

                    let both = [&bytes[1..65], &bytes[70..134]].concat();
                    store_units(Output::over(&mut pages[at..at + 2 * len]), v);
                    assert_footprint(&pages, at, &both[..2 * len], 0, "store_units");
                    let mut padded = both[..2 * len].to_vec();
                    padded.resize(128, 0);
                    let loaded = load_two_partial(&pages[at..at + 2 * len]).map(bytes_of).concat();
                    assert_eq!(loaded, padded, "{before}, two parts of {len}");
                    pages[at..at + 2 * len].fill(PAINT);

                    let first = 64 - len / 2;
                    let both = [&bytes[1..1 + first], &bytes[70..70 + len]].concat();
                    store_two_partial(Output::over(&mut pages[at..at + first + len]), first, v);
                    assert_footprint(&pages, at, &both, 0, "store_two_partial");
                    pages[at..at + first + len].fill(PAINT);
                }
            }
        }
    }
}
