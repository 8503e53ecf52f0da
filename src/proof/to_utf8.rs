//! UTF-16 to UTF-8: what a unit becomes, given the one before it.

use std::format;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{is_high_surrogate as is_high, is_low_surrogate as is_low, words};
use crate::simd::tests::{PAINT, on_all_lanes, written};

/// The bytes of what `encoded` stores, and its length.
fn stored<S: Lanes>(isa: S, encoded: &UnitBytes<S::V>) -> Vec<u8> {
    let both = [encoded.leads, encoded.lasts].map(|v| words(isa, v).map(u16::to_le_bytes));
    let mut bytes = Vec::new();
    for k in 0..S::WIDTH / 2 {
        let [[b0, b1], [last, lead2]] = both.map(|words| words[k]);
        match encoded.lengths >> (2 * k) & 3 {
            0b00 => bytes.push(last),
            0b01 => bytes.extend([lead2, last]),
            0b11 => bytes.extend([b0, b1, last]),
            _ => panic!("lengths {:X}", encoded.lengths),
        }
    }
    assert_eq!(encoded.len::<S>(), bytes.len());
    bytes
}

fn vector<S: Lanes>(isa: S, units: impl Iterator<Item = u16>) -> S::V {
    let mut bytes = [0; 32];
    for (to, unit) in bytes.as_chunks_mut().0.iter_mut().zip(units) {
        *to = unit.to_le_bytes();
    }
    isa.load(&bytes, 0)
}

/// What a unit becomes by the definition of UTF-8. Of a pair, the high surrogate has the first two bytes and the low
/// one the last two.
fn expected(unit: u16, before: u16, out: &mut Vec<u8>) {
    let mut utf8 = [0; 4];
    match unit {
        0xD800..0xDC00 => {
            let pair = char::decode_utf16([unit, 0xDC00]).next().unwrap().unwrap();
            out.extend(&pair.encode_utf8(&mut utf8).as_bytes()[..2]);
        }
        0xDC00..0xE000 => {
            let pair = char::decode_utf16([before, unit]).next().unwrap().unwrap();
            out.extend(&pair.encode_utf8(&mut utf8).as_bytes()[2..]);
        }
        _ => out.extend(char::from_u32(u32::from(unit)).unwrap().encode_utf8(&mut utf8).as_bytes()),
    }
}

/// Every unit but surrogates at each place of a vector.
fn one_unit<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH as u32 / 2;
    for start in 0..0x1_0000u32 {
        let units = || (start..start + places).map(|unit| unit as u16);
        if !units().any(|unit| unit & 0xF800 == 0xD800) {
            let mut want = Vec::new();
            units().for_each(|unit| expected(unit, 0, &mut want));
            let v = vector(isa, units());
            assert_eq!(stored(isa, &one_to_three_bytes(isa, v)), want, "{name}: from {start:04X}");
            if start + places <= 0x800 {
                let encoded = one_or_two_bytes(isa, v);
                let two = isa.bitmask(isa.narrow_i16(encoded, encoded));
                let pairs = words(isa, encoded).map(u16::to_le_bytes);
                let got = pairs.into_iter().zip(units());
                let got = got.flat_map(|(pair, unit)| pair[usize::from(unit < 0x80)..].to_vec());
                assert_eq!(got.collect::<Vec<_>>(), want, "{name}: from {start:04X}");
                let bit = |k: u32| two >> (k / 8 * 16 + k % 8) & 1 == 1;
                assert!(units().zip(0..).all(|(unit, k)| bit(k) == (unit >= 0x80)), "{name}: from {start:04X}");
            }
        }
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
            let bytes: Vec<u8> = units.flat_map(|unit| order.bytes(unit)).collect();
            let two = load_two(isa, &bytes);
            let first = if unit < 0x80 { S::WIDTH } else { at % S::WIDTH };
            assert_eq!(ascii_before(isa, order, two), first, "{name}: {unit:04X}");
            if unit < 0x80 {
                let mut narrowed = vec![0; S::WIDTH];
                isa.overwrite(&mut narrowed, 0, narrow(isa, order, two));
                let want = (0..S::WIDTH).map(|k| if k == at % S::WIDTH { unit as u8 } else { k as u8 });
                assert_eq!(narrowed, want.collect::<Vec<_>>(), "{name}: {unit:04X}");
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

/// Every unit after every kind of unit, and every kind of unit after every unit, at one place or another; others after
/// ASCII, before ASCII. And all 2^20 pairs.
fn two_units_in_a_row<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 2;
    let mut count = 0;
    let mut single = |before: u16, unit: u16| {
        count += 1;
        let place = count % places;
        let beside = [(0x61, 0x62), (0xDBFF, 0xDFFF), (0x7FF, 0xFFFF)][count / places % 3];
        let at = |k, tested, other| if k == place { tested } else { other };
        let units = || (0..places).map(|k| at(k, unit, beside.1));
        let befores = || (0..places).map(|k| at(k, before, beside.0));
        let encoded = isa.vectorize(
            #[inline(always)]
            || one_to_four_bytes(isa, vector(isa, units()), vector(isa, befores())),
        );
        assert_eq!(encoded.is_some(), is_low(unit) == is_high(before), "{name}: {before:04X} {unit:04X}");
        if let Some(encoded) = encoded {
            let mut want = Vec::new();
            units().zip(befores()).for_each(|(unit, before)| expected(unit, before, &mut want));
            assert_eq!(stored(isa, &encoded), want, "{name}: {before:04X} {unit:04X}");
        }
    };
    for kind in kinds() {
        for unit in 0..=0xFFFF {
            single(kind, unit);
            single(unit, kind);
        }
    }
    for high in 0xD800..0xDC00 {
        for low in (0xDC00..0xE000).step_by(places / 2) {
            // The loop for pairs has each of them at one place; the other loops see both halves.
            let pairs = || (low..low + places as u16 / 2).flat_map(|low| [high, low]);
            let mut want = Vec::new();
            pairs().for_each(|unit| expected(unit, high, &mut want));
            let befores = pairs().map(|unit| if is_low(unit) { high } else { 0x61 });
            let encoded = one_to_four_bytes(isa, vector(isa, pairs()), vector(isa, befores)).unwrap();
            assert_eq!(stored(isa, &encoded), want, "{name}: {high:04X} {low:04X}");
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let src: Vec<u8> = pairs().flat_map(|unit| order.bytes(unit)).collect();
                assert_eq!(pairs_only(isa, order, &src), (S::WIDTH, want.clone()), "{name}: {high:04X} {low:04X}");
            }
        }
    }
    // Only pairs, at every place.
    for first in kinds() {
        for second in kinds() {
            for place in 0..places / 2 {
                let mut units = [0xD83D, 0xDE00].repeat(places / 2);
                units[2 * place..][..2].copy_from_slice(&[first, second]);
                let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let read = if is_high(first) && is_low(second) { S::WIDTH } else { 0 };
                let got = pairs_only(isa, ByteOrder::Little, &src).0;
                assert_eq!(got, read, "{name}: {first:04X} {second:04X} at {place}");
            }
        }
    }
}

/// What `pair_run` reads of a vector, and writes.
fn pairs_only<S: Lanes>(isa: S, order: ByteOrder, src: &[u8]) -> (usize, Vec<u8>) {
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
    crate::proof::report_lanes(
        "UTF-16 to UTF-8: two units",
        "all cases",
        "all pairs; all units after all kinds",
        || {
            on_all_lanes!(two_units_in_a_row);
        },
    );
}

/// What [`UnitBytes::store`] writes is what its parts say: all lengths of a vector of 8 units (two lanes), or in turn
/// in each half of one of 16.
fn stores<S: Lanes>(name: &str, isa: S) {
    let bytes: Vec<u8> = (0..64).collect();
    let (leads, lasts) = (isa.load(&bytes, 0), isa.load(&bytes, 32));
    for lower in (0..=0xFFFFu32).filter(|lengths| lengths & 0xAAAA & !(lengths << 1) == 0) {
        for lengths in [lower, lower << 16 | 0x7130, 0x1F04_0000 | lower] {
            let lengths = if S::WIDTH < 32 { lengths & 0xFFFF } else { lengths };
            if lengths & 0xAAAA_AAAA & !(lengths << 1) != 0 {
                continue;
            }
            let encoded = UnitBytes { leads, lasts, lengths };
            let want = stored(isa, &encoded);
            let what = format!("{name}: {lengths:08X}");
            let out = written(want.len() + 16, true, &what, |out| {
                assert_eq!(encoded.store(isa, out, 0), want.len(), "{what}");
            });
            assert_eq!(out.unwrap()[..want.len()], want, "{what}");
        }
    }
}

#[test]
fn units_are_stored_one_after_the_other() {
    crate::proof::report_lanes("UTF-16 to UTF-8: stores", "all cases", "lengths of 8 units", || {
        on_all_lanes!(stores);
    });
}
