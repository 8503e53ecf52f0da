//! UTF-32: which numbers are characters, that validation looks at each unit, and how long each is in UTF-8 and UTF-16.

use core::array::from_fn;
use std::vec::Vec;

use super::*;
use crate::isa::Isa;
use crate::kernels::count::{utf8_len_from_utf32, utf16_len_from_utf32};
use crate::proof::{classes, report_lanes, report_timed};
use crate::simd::tests::on_all_lanes;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// The definition.
fn is_char(unit: u32) -> bool {
    char::from_u32(unit).is_some()
}

/// Passes all units to `check`, `count` at a time: the byte order, the first one, and their text.
#[inline(always)]
fn all_units<S: Lanes>(isa: S, count: usize, check: impl Fn(ByteOrder, u32, &[u8]) + Copy) {
    for (order, upper) in
        ORDERS.into_iter().flat_map(|order| (0..=0xFFFF_u32).map(move |upper| (order, upper << 16)))
    {
        isa.vectorize(
            #[inline(always)]
            || {
                for first in (upper..=upper | 0xFFFF).step_by(count) {
                    let text: [[u8; 4]; 16] = from_fn(|k| order.bytes_32(first.wrapping_add(k as u32)));
                    check(order, first, &text.as_flattened()[..4 * count]);
                }
            },
        );
    }
}

/// Each unit in one place of a vector.
fn every_rank<S: Lanes>(name: &str, isa: S) {
    all_units(
        isa,
        S::WIDTH / 4,
        #[inline(always)]
        |order, first, text| {
            let ranks = classes::bytes(isa, ranks(isa, order, text, 0));
            for (k, rank) in (0..).zip(ranks[..S::WIDTH].as_chunks().0) {
                let unit = first + k;
                assert_eq!(u32::from_le_bytes(*rank) <= MAX, is_char(unit), "{name}: {unit:X}");
            }
        },
    );
}

/// The lengths of two vectors at a time.
fn every_length<S: Lanes>(name: &str, isa: S) {
    let count = S::WIDTH / 2;
    all_units(
        isa,
        count,
        #[inline(always)]
        |order, first, text| {
            let char = |k| char::from_u32(first + k).unwrap_or(char::REPLACEMENT_CHARACTER);
            let want = if first > 0x10_FFFF {
                (3 * count, count)
            } else {
                (0..count as u32).fold((0, 0), |(a, b), k| (a + char(k).len_utf8(), b + char(k).len_utf16()))
            };
            let lens = (utf8_len_from_utf32(isa, order, text), utf16_len_from_utf32(isa, order, text));
            assert_eq!(lens, want, "{name}: from {first:X}");
        },
    );
}

#[test]
#[ignore = "all units: seconds, in release builds: cargo xtask prove"]
fn the_length_of_every_unit() {
    report_lanes("utf8_len_from_utf32, utf16_len_from_utf32: a unit", "all cases", "all units", || {
        on_all_lanes!(every_length);
    });
}

/// A unit at a place of a text of 61s, to which some bytes are added that are no unit.
fn check(isa: Isa, order: ByteOrder, text: &mut [u8], unit: u32, place: usize) {
    text[4 * place..][..4].copy_from_slice(&order.bytes_32(unit));
    let found = isa.validate_utf32_bytes(order, text).map_err(|error| error.valid_up_to());
    // Trailing bytes are ill-formed, too.
    let whole = text.len() & !3;
    let want = if !is_char(unit) {
        Err(4 * place)
    } else if whole < text.len() {
        Err(whole)
    } else {
        Ok(())
    };
    assert_eq!(found, want, "{isa}: {unit:X} at {place} of {} bytes", text.len());
    text[4 * place..][..4].copy_from_slice(&order.bytes_32(0x61));
}

#[test]
#[ignore = "all units: seconds, in release builds: cargo xtask prove"]
fn every_unit_is_judged_by_itself() {
    report_lanes("validate_utf32: a unit", "all cases", "all units", || {
        on_all_lanes!(every_rank);
    });
}

/// Units on both sides of each limit, and those that differ from characters in the upper half only.
const LIMITS: [u32; 14] = [
    0,
    0xD7FF,
    0xD800,
    0xDBFF,
    0xDC00,
    0xDFFF,
    0xE000,
    0xFFFF,
    0x10_FFFF,
    0x11_0000,
    0x11_D800,
    0x7FFF_FFFF,
    0x8000_0061,
    u32::MAX,
];

/// Every length up to two groups and three vectors. The last text is long enough for all loops to run twice.
#[test]
fn every_unit_is_looked_at() {
    let names = Isa::available().map(Isa::name).collect::<Vec<_>>().join(", ");
    report_timed("validate_utf32: texts", &names, "all cases", "each limit at each place of each length", || {
        Isa::available().for_each(every_place);
    });
}

fn every_place(isa: Isa) {
    for (order, count) in
        ORDERS.into_iter().flat_map(|order| (0..=2 * 64 + 3 * 16).map(move |count| (order, count)))
    {
        let mut text = order.bytes_32(0x61).repeat(count);
        // Bytes that are no unit.
        text.resize(4 * count + count % 4, 0xDD);
        for unit in LIMITS {
            (0..count).for_each(|place| check(isa, order, &mut text, unit, place));
        }
    }
}
