//! UTF-16 to UTF-8 with AVX-512: what a unit becomes, given the one before it, as in `to_utf8.rs`; and what is asked of units.
//! With the intrinsics of `xtask/emulated/avx512.rs`, in the copy that `cargo xtask prove` makes.
//!
//! By hand: shifts of words see a neighbour's bits, which are masked. What stores write too much is overwritten: at most 48 bytes,
//! and two blocks have at least 64.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::super::proof::{Vectors, converted, each_two_units, each_unit, kinds};
use super::*;
use crate::proof::classes::{is_high_surrogate as is_high, is_low_surrogate as is_low};
use crate::proof::report_timed;
use crate::simd::tests::written;
use crate::simd::x86::avx512::overwrite;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

fn stored(order: ByteOrder, units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|&unit| order.bytes(unit)).collect()
}

fn vector(units: &[u16]) -> __m512i {
    load(&stored(ByteOrder::Little, units), 0)
}

fn first_bytes(v: __m512i, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; BLOCK];
    overwrite(&mut bytes, v);
    bytes.truncate(len);
    bytes
}

fn bytes(encoded: &Encoded) -> Vec<u8> {
    [0, 1].map(|k| first_bytes(encoded.parts[k], encoded.lens[k])).concat()
}

/// The bytes of units of up to two bytes, or halves of pairs, whose length is computed in two ways.
fn two_bytes(units: __m512i, (bytes, len): (__m512i, usize)) -> Vec<u8> {
    assert_eq!(two_bytes_len(units), len);
    first_bytes(bytes, len)
}

struct Avx512;

impl Vectors for Avx512 {
    const UNITS: usize = BLOCK / 2;
    fn up_to_3_bytes(&self, units: &[u16]) -> Vec<u8> {
        bytes(&encode_bmp(vector(units)))
    }
    fn up_to_2_bytes(&self, units: &[u16]) -> Vec<u8> {
        let w = vector(units);
        two_bytes(w, join_two_bytes(encode_two_bytes(w)))
    }
    fn of_any_kind(&self, units: &[u16], befores: &[u16]) -> Option<Vec<u8>> {
        let (w, previous) = (vector(units), vector(befores));
        let (high, low) = halves(w);
        // In groups, this is asked in another way.
        let is_paired = low == halves(previous).0;
        let unpaired = _mm512_xor_si512(is_not(w, 0xDC00), is_not(previous, 0xD800));
        assert_eq!(all_clear(unpaired, u16::MAX), is_paired);
        if !is_paired {
            return None;
        }
        let bytes = bytes(&encode_any(previous, w));
        if from(0x800, w) == high | low {
            let without_3 = join_two_bytes(encode_two_bytes_or_halves(previous, w));
            assert_eq!(two_bytes(w, without_3), bytes, "{units:04X?} after {befores:04X?}");
        }
        Some(bytes)
    }
}

#[test]
#[ignore = "all code units: seconds, in release builds: cargo xtask prove"]
fn a_unit_that_is_no_surrogate() {
    report_timed("UTF-16 to UTF-8: a unit", "avx512", "all cases", "each unit at each place", || {
        each_unit("avx512", &Avx512);
        questions();
    });
}

/// Asks of all units, each by itself among others that are as near to the answer as can be.
fn questions() {
    for (unit, other) in (0..=0xFFFFu16).flat_map(|unit| [0x61, 0x7FF, 0xD7FF, 0xE000].map(|other| (unit, other)))
    {
        let (place, order) = (usize::from(unit) % 32, ORDERS[usize::from(unit / 32 + other) % 2]);
        let surrogate = is_high(unit) || is_low(unit);
        let bit = |yes: bool| u32::from(yes) << place;
        let stored = |units: &[u16]| stored(order, units);
        let mut all = [other; 32];
        all[place] = unit;
        let w = units(order, load(&stored(&all), 0));
        assert_eq!(first_bytes(w, BLOCK), first_bytes(vector(&all), BLOCK));
        assert_eq!(surrogates(w), bit(surrogate), "{unit:04X}");
        assert_eq!(halves(w), (bit(is_high(unit)), bit(is_low(unit))), "{unit:04X}");
        for limit in [0x80, 0x800] {
            let others = if other >= limit { !bit(true) } else { 0 };
            assert_eq!(from(limit, w), others | bit(unit >= limit), "{unit:04X}");
            let clear = if limit == 0x80 { NOT_ASCII } else { NOT_TWO_BYTES };
            assert_eq!(all_clear(w, clear), unit.max(other) < limit, "{unit:04X}");
        }
        // In one of the blocks of a group.
        let mut group = [other; GROUP / 2];
        group[usize::from(unit) % (GROUP / 2)] = unit;
        let kind = survey(order, stored(&group).first_chunk().unwrap());
        let want = match unit.max(other) {
            _ if surrogate => Kind::Surrogates,
            0..0x80 => Kind::Ascii,
            0x80..0x800 => Kind::TwoBytes,
            0x800.. => Kind::Mixed,
        };
        assert!(kind == want, "{unit:04X} beside {other:04X}");
        // At the end of a block, and before another.
        let mut block = [other; 32];
        block[30..].fill(unit);
        assert_eq!(cut(order, &stored(&block[..31])), 0);
        assert_eq!(cut(order, &stored(&block)), usize::from(is_high(unit)), "{unit:04X}");
        let later: Vec<u16> = core::iter::once(0).chain(all).take(32).collect();
        assert_eq!(first_bytes(after_zero(w), BLOCK), first_bytes(vector(&later), BLOCK), "{unit:04X}");
        // ASCII, if this unit is.
        let ascii: Vec<u16> =
            (0..64).map(|k| if k == usize::from(unit) % 64 { unit } else { k as u16 + 0x3F }).collect();
        let (a, b) = ascii.split_at(32);
        let narrowed = narrow(order, load(&stored(a), 0), load(&stored(b), 0)).map(|v| first_bytes(v, BLOCK));
        let want = (unit < 0x80).then(|| ascii.iter().map(|&unit| unit as u8).collect::<Vec<_>>());
        assert_eq!(narrowed, want, "{unit:04X}");
    }
}

#[test]
#[ignore = "all code units after all kinds of these, and all pairs: seconds, in release builds: cargo xtask prove"]
fn a_unit_after_another() {
    report_timed("UTF-16 to UTF-8: two units", "avx512", "all cases", "all pairs; units and kinds", || {
        each_two_units("avx512", &Avx512);
        blocks_and_groups();
    });
}

/// What blocks and groups do with all kinds after all kinds, at each place of a block, and at some of a group.
fn blocks_and_groups() {
    let expected = |units: &[u16]| -> Option<(usize, Vec<u8>)> {
        // Half a pair at the end is left to what comes next.
        let whole = &units[..units.len() - usize::from(is_high(*units.last().unwrap()))];
        let text: String = char::decode_utf16(whole.iter().copied()).collect::<Result<_, _>>().ok()?;
        Some((2 * whole.len(), text.into_bytes()))
    };
    let mut turn = 0;
    for (first, second) in kinds().flat_map(|first| kinds().map(move |second| (first, second))) {
        for place in 0..31 {
            turn += 1;
            let (order, other) = (ORDERS[turn % 2], [0x61, 0x3B1, 0x20AC][turn % 3]);
            let mut block = [other; 32];
            block[place..place + 2].copy_from_slice(&[first, second]);
            let (src, want) = (stored(order, &block), expected(&block).map(|(_, bytes)| bytes));
            let mut len = None;
            let room = want.as_ref().map_or(3 * 32, Vec::len);
            let cut = cut(order, &src);
            let out = written(room, true, "a block", |out| len = put_block(order, &src, cut, out)).unwrap();
            assert_eq!(len.map(|len| out[..len].to_vec()), want, "{block:04X?}");
            // A text that ends with the two.
            let text = &block[..place + 2];
            let want = String::from_utf16(text).map(String::into_bytes).ok();
            let room = want.as_ref().map_or(3 * 32, Vec::len);
            let src = &src[..2 * text.len()];
            let out = written(room, true, "a text", |out| len = up_to_block(order, src, out)).unwrap();
            assert_eq!(len.map(|len| out[..len].to_vec()), want, "{text:04X?}");
        }
        for place in [0, 31, 32, 222, 223, 253, 254] {
            turn += 1;
            let (order, other) = (ORDERS[turn % 2], [0x61, 0x3B1, 0x20AC][turn % 3]);
            // The last places also in groups of fewer blocks.
            let mut group = [other; GROUP / 2];
            group[place..place + 2].copy_from_slice(&[first, second]);
            let group = if place < 33 { &group[..] } else { &group[32 * (turn / 2 % 7)..] };
            let (at, src, want) = (place - (GROUP / 2 - group.len()), stored(order, group), expected(group));
            let mut kind = Kind::Ascii;
            let room = 3 * group.len() + 64;
            let got = converted(room, room, |out| {
                let (at, next) = surrogate_pairs(order, &src, out, Reached::START);
                kind = next;
                (at.read, at.written)
            });
            match want {
                Some(want) if got.0 > 0 => assert_eq!(got, want, "{first:04X} {second:04X} at {at}"),
                // Without surrogates, another loop goes on.
                Some(_) => assert!(!is_high(first) && !is_high(second) && kind == Kind::Mixed),
                None => assert!(got.0 == 0 && kind == Kind::Rest, "{first:04X} {second:04X} at {at}"),
            }
        }
    }
}
