//! UTF-16 to UTF-8: what a unit becomes, given the one before it.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{bytes, is_high_surrogate as is_high, is_low_surrogate as is_low, words};
use crate::simd::tests::{PAINT, on_all_lanes, written};

/// The bytes of a vector of units.
fn stored<S: Lanes>(isa: S, encoded: &UnitBytes<S::V>) -> Vec<u8> {
    let len = encoded.len::<S>();
    let mut out = written(len + 16, true, "units", |out| assert_eq!(encoded.store(isa, out, 0), len)).unwrap();
    out.truncate(len);
    out
}

fn vector<S: Lanes>(isa: S, units: &[u16]) -> S::V {
    let mut bytes = [0; 32];
    for (to, unit) in bytes.as_chunks_mut().0.iter_mut().zip(units) {
        *to = unit.to_le_bytes();
    }
    isa.load(&bytes, 0)
}

/// What a unit becomes by the definition of UTF-8. Of a pair, the high surrogate has the first two bytes and the low
/// one the last two.
fn expected(unit: u16, before: u16) -> Vec<u8> {
    let text = match unit {
        0xD800..0xDC00 => [unit, 0xDC00],
        0xDC00..0xE000 => [before, unit],
        _ => [unit, 0],
    };
    let char = char::decode_utf16(text).next().unwrap().unwrap();
    let bytes = char.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
    match unit {
        0xD800..0xDC00 => bytes[..2].to_vec(),
        0xDC00..0xE000 => bytes[2..].to_vec(),
        _ => bytes,
    }
}

/// Every unit but surrogates at each place of a vector. Another unit is where one would be that is not meant.
fn one_unit<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH as u32 / 2;
    for start in 0..0x1_0000u32 {
        let units = (start..start + places).map(|unit| unit as u16);
        let want = |units: &[u16]| units.iter().flat_map(|&unit| expected(unit, 0)).collect::<Vec<u8>>();
        let all: Vec<u16> =
            units.clone().map(|unit| if unit & 0xF800 == 0xD800 { 0xFFFD } else { unit }).collect();
        let v = vector(isa, &all);
        assert_eq!(stored(isa, &one_to_three_bytes(isa, v)), want(&all), "{name}: from {start:04X}");
        if units.clone().all(|unit| unit >= 0x800) {
            continue;
        }
        let short: Vec<u16> = units.map(|unit| if unit < 0x800 { unit } else { 0x7F }).collect();
        let encoded = one_or_two_bytes(isa, vector(isa, &short));
        let two = isa.bitmask(isa.narrow_i16(encoded, encoded));
        let pairs = words(isa, encoded).map(u16::to_le_bytes);
        let got = pairs.iter().zip(&short).flat_map(|(pair, &unit)| &pair[usize::from(unit < 0x80)..]);
        assert_eq!(got.copied().collect::<Vec<_>>(), want(&short), "{name}: from {start:04X}");
        let bit = |k: u32| two >> (k / 8 * 16 + k % 8) & 1 == 1;
        let is_right = short.iter().zip(0..).all(|(&unit, k)| bit(k) == (unit >= 0x80));
        assert!(is_right, "{name}: from {start:04X}");
    }
}

/// Asks of all units, each by itself at each place of a block, among others that are as near to the answer as can be.
fn questions<S: Lanes>(name: &str, isa: S) {
    for unit in 0..=0xFFFFu16 {
        let surrogate = unit & 0xF800 == 0xD800;
        let (at, other) = (usize::from(unit) % 64, [0x61, 0xD7FF, 0xE000][usize::from(unit / 64) % 3]);
        let mut block = vec![0; BLOCK_VECTORS * S::WIDTH];
        for turn in 0..4 {
            let at = (at + turn * 21) % (block.len() / 2);
            block.as_chunks_mut().0.fill(u16::to_le_bytes(other));
            block[2 * at..][..2].copy_from_slice(&unit.to_le_bytes());
            assert_eq!(block_has_surrogates(isa, &block), surrogate, "{name}: {unit:04X}");
            let v = isa.load(&block, 2 * at / S::WIDTH * S::WIDTH);
            let others = isa.splat16(other);
            assert_eq!(any_surrogates(isa, [v, others]), surrogate, "{name}: {unit:04X}");
            assert_eq!(any_surrogates(isa, [others, v]), surrogate, "{name}: {unit:04X}");
            assert_eq!(none_has(isa, v, 0xF800), (unit | other) < 0x800, "{name}: {unit:04X}");
            assert_eq!(any_at_most(isa, v, 0x7FF), unit.min(other) < 0x800, "{name}: {unit:04X}");
        }
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let not_ascii = !none_has(isa, isa.splat16(word(order, unit)), not_ascii(order));
            assert_eq!(not_ascii, unit >= 0x80, "{name}: {unit:04X}");
            let units = (0..2 * S::WIDTH).map(|k| if k == at % S::WIDTH { unit } else { k as u16 });
            let two = load_two(isa, &units.flat_map(|unit| order.bytes(unit)).collect::<Vec<_>>());
            let first = if unit < 0x80 { S::WIDTH } else { at % S::WIDTH };
            assert_eq!(ascii_before(isa, order, two), first, "{name}: {unit:04X}");
            if unit < 0x80 {
                let want = (0..S::WIDTH).map(|k| if k == at % S::WIDTH { unit as u8 } else { k as u8 });
                let narrowed = bytes(isa, narrow(isa, order, two));
                assert!(want.eq(narrowed[..S::WIDTH].iter().copied()), "{name}: {unit:04X}");
            }
        }
    }
}

#[test]
#[ignore = "all code units: seconds, in release builds: cargo xtask prove"]
fn a_unit_that_is_no_surrogate() {
    crate::proof::report_lanes("UTF-16 to UTF-8: a unit", "all cases", "each unit at each place", || {
        on_all_lanes!(one_unit);
        on_all_lanes!(questions);
    });
}

/// The units that stand for all with the same upper 6 bits, which are all that is compared: the first and the last.
fn kinds() -> impl Iterator<Item = u16> {
    (0..64).flat_map(|upper: u16| [upper << 10, upper << 10 | 0x3FF])
}

/// Every unit after every kind of unit, every kind of unit after every unit, and every kind after every kind at each
/// place among others. And all 2^20 pairs.
fn two_units_in_a_row<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 2;
    let check = |units: &[u16], befores: &[u16]| {
        let encoded = isa.vectorize(
            #[inline(always)]
            || one_to_four_bytes(isa, vector(isa, units), vector(isa, befores)),
        );
        let pairs = || units.iter().copied().zip(befores.iter().copied());
        let well_formed = pairs().all(|(unit, before)| is_low(unit) == is_high(before));
        assert_eq!(encoded.is_some(), well_formed, "{name}: {units:04X?} after {befores:04X?}");
        if let Some(encoded) = encoded {
            let want: Vec<u8> = pairs().flat_map(|(unit, before)| expected(unit, before)).collect();
            assert_eq!(stored(isa, &encoded), want, "{name}: {units:04X?} after {befores:04X?}");
        }
    };
    for kind in kinds() {
        let kinds = vec![kind; places];
        for start in (0..=0xFFFF).step_by(places) {
            // All of these are surrogates of one kind, or none is.
            let units: Vec<u16> = (start..=0xFFFF).take(places).collect();
            check(&units, &kinds);
            check(&kinds, &units);
        }
    }
    for (before, unit) in kinds().flat_map(|before| kinds().map(move |unit| (before, unit))) {
        for place in 0..places {
            let others = [[0x61, 0x62], [0xDBFF, 0xDFFF], [0x7FF, 0xFFFF]][place % 3];
            let [mut befores, mut units] = others.map(|other| vec![other; places]);
            (befores[place], units[place]) = (before, unit);
            check(&units, &befores);
        }
        // Only pairs, at each place.
        for place in 0..places / 2 {
            let mut units = [0xD83D, 0xDE00].repeat(places / 2);
            units[2 * place..][..2].copy_from_slice(&[before, unit]);
            let read = if is_high(before) && is_low(unit) { S::WIDTH } else { 0 };
            let got = pairs_only(isa, ByteOrder::Little, &units).0;
            assert_eq!(got, read, "{name}: {before:04X} {unit:04X} at {place}");
        }
    }
    for high in 0xD800..0xDC00 {
        for low in (0xDC00..0xE000).step_by(places / 2) {
            // The loop for pairs has each of them at one place; the other loops see both halves.
            let units: Vec<u16> = (low..).take(places / 2).flat_map(|low| [high, low]).collect();
            check(&units, &[0x61, high].repeat(places / 2));
            let want: Vec<u8> = units.iter().flat_map(|&unit| expected(unit, high)).collect();
            for order in [ByteOrder::Little, ByteOrder::Big] {
                assert_eq!(
                    pairs_only(isa, order, &units),
                    (S::WIDTH, want.clone()),
                    "{name}: {high:04X} {low:04X}"
                );
            }
        }
    }
}

/// What `pair_run` reads of a vector, and writes.
fn pairs_only<S: Lanes>(isa: S, order: ByteOrder, units: &[u16]) -> (usize, Vec<u8>) {
    let src: &[u8] = &units.iter().flat_map(|&unit| order.bytes(unit)).collect::<Vec<_>>();
    let mut done = (0, 0);
    let mut out = written(S::WIDTH, true, "pairs", |dst| {
        let mut cursor = Cursor { order, src, read: 0, dst, written: 0 };
        isa.vectorize(|| pair_run(isa, order, &mut cursor));
        done = (cursor.read, cursor.written);
    })
    .unwrap();
    assert!(out[done.1..].iter().all(|&byte| byte == PAINT));
    out.truncate(done.1);
    (done.0, out)
}

#[test]
#[ignore = "all code units after all kinds of these, and all pairs: seconds, in release builds: cargo xtask prove"]
fn a_unit_after_another() {
    crate::proof::report_lanes("UTF-16 to UTF-8: two units", "all cases", "all pairs; units and kinds", || {
        on_all_lanes!(two_units_in_a_row);
    });
}
