//! UTF-8 to UTF-16, characters of 3 or of 4 bytes only: each by itself.

use std::vec;

use super::*;
use crate::proof::classes::{State, words};
use crate::simd::tests::on_all_lanes;

/// All strings of three bytes, each at every place of a vector.
fn three<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 2;
    let mut window = vec![0; 3 * places + 8];
    for first in 0..=0xFF {
        for second in 0..=0xFF {
            let after_two = State::Boundary.after(first).after(second);
            for third in (0..=0xFF).step_by(places) {
                // The last bytes are in turn at each place.
                for turn in 0..places {
                    let last = |place: usize| (third + (place + turn) % places) as u8;
                    for place in 0..places {
                        window[3 * place..3 * place + 3].copy_from_slice(&[first, second, last(place)]);
                    }
                    let (got, bad) = isa.vectorize(
                        #[inline(always)]
                        || {
                            let (got, bad) = ThreeBytes::convert(isa, &window);
                            (words(isa, got), words(isa, bad))
                        },
                    );
                    for place in 0..places {
                        let (tail, last) = (u16::from(second & 0x3F), last(place));
                        let value = u16::from(first) << 12 | tail << 6 | u16::from(last & 0x3F);
                        let good = first >= 0xE0 && after_two.after(last) == State::Boundary;
                        assert_eq!(bad[place] == 0, good, "{name}: {first:02X} {second:02X} {last:02X}");
                        assert!(!good || got[place] == value, "{name}: {first:02X} {second:02X} {last:02X}");
                    }
                }
            }
        }
    }
}

/// All strings of four bytes. They are compared as double words by themselves, so it does not matter at which place.
fn four<S: Lanes>(name: &str, isa: S) {
    let places = S::WIDTH / 4;
    for upper in 0..=0xFFFFu32 {
        let [first, second] = (upper as u16).to_be_bytes();
        let after_two = State::Boundary.after(first).after(second);
        let wrong = isa.vectorize(
            #[inline(always)]
            || {
                let mut window = [0; 32];
                for third in 0..=0xFF {
                    for (place, fourth) in (0..places).zip(0..) {
                        window[4 * place..4 * place + 4].copy_from_slice(&[first, second, third, fourth]);
                    }
                    let first_ones = isa.load(&window, 0);
                    for fourth in (0..=0xFFu8).step_by(places) {
                        // All of these are well-formed, or none.
                        let good = first >= 0xF0 && after_two.after(third).after(fourth) == State::Boundary;
                        let chars = first_ones | isa.splat32(u32::from(fourth) << 24);
                        isa.overwrite(&mut window, 0, chars);
                        let (got, bad) = FourBytes::convert(isa, &window[..S::WIDTH]);
                        let zero = isa.eq16(bad, isa.splat8(0));
                        // No double word is all 0: not both of its words.
                        let both = zero & isa.shr32::<16>(zero);
                        if !isa.is_zero(if good { bad } else { both }) {
                            return Some((third, fourth));
                        }
                        if !good {
                            continue;
                        }
                        let got = words(isa, got);
                        for (place, char) in window.as_chunks().0[..places].iter().enumerate() {
                            let bits = u32::from_be_bytes(*char);
                            let upper = bits >> 6 & 0x1C_0000 | bits >> 4 & 0x3_F000;
                            let value = upper | bits >> 2 & 0xFC0 | bits & 0x3F;
                            let [high, low] = [0xD7C0 + (value >> 10) as u16, 0xDC00 | value as u16 & 0x3FF];
                            if got[2 * place..][..2] != [high, low] {
                                return Some((third, fourth));
                            }
                        }
                    }
                }
                None
            },
        );
        assert_eq!(wrong, None, "{name}: {first:02X} {second:02X} and these or up to {places} after");
    }
}

#[test]
#[ignore = "all strings of 3 bytes: seconds, in release builds: cargo xtask prove"]
fn characters_of_3_bytes() {
    crate::proof::report_lanes("UTF-8 to UTF-16: runs of 3 bytes", "all cases", "2^24 at each place", || {
        on_all_lanes!(three);
    });
}

#[test]
#[ignore = "all strings of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn characters_of_4_bytes() {
    crate::proof::report_lanes("UTF-8 to UTF-16: runs of 4 bytes", "all cases", "2^32", || {
        on_all_lanes!(four);
    });
}
