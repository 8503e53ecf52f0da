//! The check for short ASCII: every byte at every place of every length.
//!
//! It is an "or" of all bytes. So what is left is that each is in it, whatever the others are.

use super::*;
use crate::proof::report_timed;

#[test]
fn every_byte_at_every_place() {
    report_timed(
        "is_short_ascii",
        "plain Rust",
        "all cases",
        "each byte at each place of each length, and pairs",
        || {
            for (len, others) in (0..=MOST + 2).flat_map(|len| [0, 0x55, 0x7F].map(|others| (len, others))) {
                let src = &mut [others; MOST + 2][..len];
                let is_short = len <= MOST && !cfg!(fastutf_scalar_default);
                assert_eq!(is_short_ascii(src), is_short, "{len}");
                for place in 0..len {
                    for byte in 0..=0xFF {
                        src[place] = byte;
                        assert_eq!(is_short_ascii(src), is_short && byte < 0x80, "{byte:02X} at {place} of {len}");
                    }
                    // Two that are not ASCII do not cancel out.
                    for second in 0..place {
                        src[second] = 0xFF;
                        assert!(!is_short_ascii(src), "FF at {second} and {place} of {len}");
                        src[second] = others;
                    }
                    src[place] = others;
                }
            }
        },
    );
}
