//! UTF-16 to UTF-8: what a unit becomes, given the one before it.
//!
//! By hand: the unit before is loaded from one unit before in memory, or shifted in from the register before. A comparison with
//! `FC00` sees no more than the upper 6 bits. Whether the last unit is a high surrogate is the loop's question. The last 32 units
//! are two windows, of which the second fills all that the first leaves open, and repeats what both have.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{bytes, is_high_surrogate as is_high, is_low_surrogate as is_low, words};
use crate::simd::tests::{PAINT, on_all_lanes, written};

/// The vectors of an instruction set.
pub(in crate::kernels::utf16_to_utf8) trait Vectors {
    /// Units in a vector.
    const UNITS: usize;
    /// The bytes of units that are no surrogates.
    fn up_to_3_bytes(&self, units: &[u16]) -> Vec<u8>;
    /// The bytes of units below U+0800.
    fn up_to_2_bytes(&self, units: &[u16]) -> Vec<u8>;
    /// The bytes of units, by the one before each; `None` if one is not paired with that.
    fn of_any_kind(&self, units: &[u16], befores: &[u16]) -> Option<Vec<u8>>;
}

/// What `convert` writes in a buffer of `len` bytes, and the number of bytes that it reads. It returns that of both, and does not
/// touch more than `slack` bytes after what it writes.
pub(in crate::kernels::utf16_to_utf8) fn converted(
    len: usize,
    slack: usize,
    convert: impl FnOnce(&mut Output) -> (usize, usize),
) -> (usize, Vec<u8>) {
    let mut done = (0, 0);
    let mut out = written(len, true, "units", |out| done = convert(out)).unwrap();
    assert!(out.iter().skip(done.1 + slack).all(|&byte| byte == PAINT));
    out.truncate(done.1);
    (done.0, out)
}

struct Generic<S>(S);

impl<S: Lanes> Vectors for Generic<S> {
    const UNITS: usize = S::WIDTH / 2;
    fn up_to_3_bytes(&self, units: &[u16]) -> Vec<u8> {
        stored(self.0, &one_to_three_bytes(self.0, vector(self.0, units)))
    }
    fn up_to_2_bytes(&self, units: &[u16]) -> Vec<u8> {
        let encoded = one_or_two_bytes(self.0, vector(self.0, units));
        let two = self.0.bitmask(self.0.narrow_i16(encoded, encoded));
        let is_one = |k: usize| two >> (k / 8 * 16 + k % 8) & 1 == 0;
        let pairs = words(self.0, encoded).map(u16::to_le_bytes);
        (0..Self::UNITS).flat_map(|k| pairs[k][usize::from(is_one(k))..].to_vec()).collect()
    }
    fn of_any_kind(&self, units: &[u16], befores: &[u16]) -> Option<Vec<u8>> {
        let encoded = self.0.vectorize(
            #[inline(always)]
            || one_to_four_bytes(self.0, vector(self.0, units), vector(self.0, befores)),
        );
        encoded.map(|encoded| stored(self.0, &encoded))
    }
}

/// The bytes of a vector of units.
fn stored<S: Lanes>(isa: S, encoded: &UnitBytes<S::V>) -> Vec<u8> {
    let len = encoded.len::<S>();
    let (_, out) = converted(len + 16, 16, |out| (0, encoded.store(isa, out, 0)));
    assert_eq!(out.len(), len);
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

fn one_unit<S: Lanes>(name: &str, isa: S) {
    each_unit(name, &Generic(isa));
}

/// Every unit but surrogates at each place of a vector. Another unit is where one would be that is not meant.
pub(in crate::kernels::utf16_to_utf8) fn each_unit<V: Vectors>(name: &str, isa: &V) {
    for start in 0..0x1_0000u32 {
        let units: Vec<u16> = (start..).take(V::UNITS).map(|unit| unit as u16).collect();
        let instead = |other: u16, is_meant: fn(u16) -> bool| -> Vec<u16> {
            units.iter().map(|&unit| if is_meant(unit) { unit } else { other }).collect()
        };
        let want = |units: &[u16]| units.iter().flat_map(|&unit| expected(unit, 0)).collect::<Vec<u8>>();
        let all = instead(0xFFFD, |unit| unit & 0xF800 != 0xD800);
        assert_eq!(isa.up_to_3_bytes(&all), want(&all), "{name}: from {start:04X}");
        if units.iter().any(|&unit| unit < 0x800) {
            let short = instead(0x7F, |unit| unit < 0x800);
            assert_eq!(isa.up_to_2_bytes(&short), want(&short), "{name}: from {start:04X}");
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
            let two = load_two(isa, &units.flat_map(|unit| order.bytes(unit)).collect::<Vec<_>>());
            assert_eq!(others(isa, order, two), u64::from(unit >= 0x80) << (at % S::WIDTH), "{name}: {unit:04X}");
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
pub(in crate::kernels::utf16_to_utf8) fn kinds() -> impl Iterator<Item = u16> {
    (0..64).flat_map(|upper: u16| [upper << 10, upper << 10 | 0x3FF])
}

fn two_units_in_a_row<S: Lanes>(name: &str, isa: S) {
    each_two_units(name, &Generic(isa));
}

/// Every unit after every kind of unit, every kind of unit after every unit, and every kind after every kind at each
/// place among others. And all 2^20 pairs.
pub(in crate::kernels::utf16_to_utf8) fn each_two_units<V: Vectors>(name: &str, isa: &V) {
    let places = V::UNITS;
    let check = |units: &[u16], befores: &[u16]| {
        let pairs = || units.iter().copied().zip(befores.iter().copied());
        let well_formed = pairs().all(|(unit, before)| is_low(unit) == is_high(before));
        let want = well_formed.then(|| pairs().flat_map(|(unit, before)| expected(unit, before)).collect());
        assert_eq!(isa.of_any_kind(units, befores), want, "{name}: {units:04X?} after {befores:04X?}");
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
    }
    for high in 0xD800..0xDC00 {
        for low in (0xDC00..0xE000).step_by(places / 2) {
            let units: Vec<u16> = (low..).take(places / 2).flat_map(|low| [high, low]).collect();
            check(&units, &[0x61, high].repeat(places / 2));
        }
    }
}

#[test]
#[ignore = "all code units after all kinds of these, and all pairs: seconds, in release builds: cargo xtask prove"]
fn a_unit_after_another() {
    crate::proof::report_lanes("UTF-16 to UTF-8: two units", "all cases", "all pairs; units and kinds", || {
        on_all_lanes!(two_units_in_a_row);
    });
}
