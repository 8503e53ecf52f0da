//! Validation of UTF-32 with AVX-512, emulated: which numbers are characters.

use core::array::from_fn;

use super::*;
use crate::proof::report_timed;

#[test]
#[ignore = "all units: seconds, in release builds: cargo xtask prove"]
fn every_unit_is_judged_by_itself() {
    report_timed("validate_utf32: a unit", "avx512, emulated", "all cases", "all units", || {
        for (order, first) in [ByteOrder::Little, ByteOrder::Big]
            .into_iter()
            .flat_map(|order| (0..1u64 << 32).step_by(16).map(move |first| (order, first as u32)))
        {
            let text: [[u8; 4]; 16] = from_fn(|k| order.bytes_32(first + k as u32));
            let refused = above(ranks(order, text.as_flattened(), 0), MAX);
            let want = (0..16).filter(|&k| char::from_u32(first + k).is_none()).fold(0, |all, k| all | 1 << k);
            assert_eq!(refused, want, "{first:X}");
        }
    });
}
