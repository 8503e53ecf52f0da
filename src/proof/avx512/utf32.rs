//! UTF-32 with AVX-512, emulated: which numbers are characters, and what a block makes of UTF-8.

use core::array::from_fn;
use std::vec::Vec;

use super::*;
use crate::kernels::utf8_to_utf16::avx512::proof::{blocks_with_strings, bytes};
use crate::proof::report_timed;
use crate::simd::tests::written;

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

/// Every character at places that take turns, after others, and between bytes with as few bits set as possible or as many. Which
/// bytes are ill-formed is proved with those to UTF-16, which have the same check.
#[test]
#[ignore = "all characters: seconds, in release builds: cargo xtask prove"]
fn the_character_at_its_last_byte() {
    report_timed("UTF-8 to UTF-32: characters of a block", "avx512", "all cases", "all characters", || {
        for (turn, character) in ('\0'..=char::MAX).enumerate() {
            for (before, others) in ["\0", "\u{7F}", "\u{7FF}", "\u{FFFF}", "\u{10FFFF}"]
                .into_iter()
                .zip([0, 0xFF].into_iter().cycle())
            {
                let text = ["\0\0\0", before, character.encode_utf8(&mut [0; 4])].concat().into_bytes();
                let place = turn % BLOCK;
                let view: [[u8; BLOCK]; 4] =
                    from_fn(|n| from_fn(|k| if k == place { text[text.len() - 1 - n] } else { others }));
                let (now, earlier) = (load(&view[0], 0), from_fn(|n| load(&view[n + 1], 0)));
                let at_place = |parts: [__m512i; 3]| {
                    let [low, high, upper] = parts.map(|v| bytes(v)[place]);
                    u32::from_le_bytes([low, high, upper, 0])
                };
                assert_eq!(at_place(character_at_each::<4>(now, earlier)), character.into(), "{text:02X?}");
                if character <= '\u{FFFF}' {
                    assert_eq!(at_place(character_at_each::<3>(now, earlier)), character.into(), "{text:02X?}");
                }
            }
        }
    });
}

#[test]
#[ignore = "all strings of 4 classes: seconds, in release builds: cargo xtask prove"]
fn blocks_of_utf8() {
    let check = |src: &[u8], turn: usize| {
        let order = [ByteOrder::Little, ByteOrder::Big][turn % 2];
        let text = core::str::from_utf8(src).ok();
        let want = text.map(|text| text.chars().flat_map(|it| order.bytes_32(it.into())).collect::<Vec<u8>>());
        // With just enough room, and with room for whole vectors.
        for room in [want.as_ref().map_or(4 * BLOCK, Vec::len), 4 * BLOCK] {
            let mut done = None;
            let mut out =
                written(room, true, "a block", |out| done = up_to_block_from_utf8(order, src, out)).unwrap();
            let got = done.map(|len| {
                out.truncate(len);
                out
            });
            assert_eq!(got, want, "{src:02X?}");
        }
    };
    report_timed(
        "UTF-8 to UTF-32: single blocks",
        "avx512",
        "all cases",
        "strings of 4 classes, of 2 bytes",
        || {
            blocks_with_strings(check);
        },
    );
}
