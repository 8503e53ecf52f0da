//! The masks of a block for columns and positions: every byte at every place.

use super::*;
use crate::simd::tests::on_all_lanes;

fn every_byte<S: Lanes>(name: &str, isa: S) {
    for byte in 0..=0xFF {
        for place in 0..64 {
            for beside in [b'a', b'\n', b'\r', 0xFF] {
                let mut block = [beside; 64];
                block[place] = byte;
                let mask =
                    |is: fn(u8) -> bool| (0..64).filter(|&k| is(block[k])).fold(0, |all, k| all | 1u64 << k);
                let want = (mask(|byte| byte & 0xC0 != 0x80), mask(|byte| byte >= 0xF0));
                assert_eq!(utf8(isa, &block), want, "{name}: {byte:02X} at {place}");
                #[cfg(feature = "positions")]
                {
                    let got = text(isa, &block);
                    assert_eq!((got.starts, got.from_f0), want, "{name}: {byte:02X} at {place}");
                    assert_eq!(got.line_feeds, mask(|byte| byte == b'\n'), "{name}: {byte:02X} at {place}");
                    assert_eq!(got.returns, mask(|byte| byte == b'\r'), "{name}: {byte:02X} at {place}");
                }
            }
        }
    }
}

#[test]
fn masks_have_the_bits_of_their_bytes() {
    crate::proof::report_lanes("masks", "all cases", "each byte at each place", || {
        on_all_lanes!(every_byte);
    });
}
