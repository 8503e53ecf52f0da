//! Everything there is of a kind: all scalar values, all strings of 1, 2 and 3 bytes, all strings of 4 bytes of
//! different classes at the edges of blocks; and, to be validated, all strings of 4 bytes.
//!
//! `cargo test --release --test suite exhaustive -- --include-ignored` runs all of them, in some minutes. Without the
//! last option each string of four bytes stands over one of the edges, not all; a debug build leaves out those of
//! three bytes too, and thins others out by a fixed seed.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastutf::Isa;

use crate::common::oracle::{Fault, split_utf8};
use crate::common::{Checker, Filler, hex, one_in, one_in_emulated};

/// The first and last byte of each class that RFC 3629 §4 tells apart.
const CLASSES: [u8; 26] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];

/// Where blocks of 16, 32, 48, 64, 128 and 256 bytes end.
fn block_edges() -> Vec<usize> {
    [0..4, 13..20, 29..36, 45..52, 60..69, 124..133, 252..261].into_iter().flatten().collect()
}

fn scalars() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

#[test]
fn all_scalar_values_in_one_text() {
    let mut check = Checker::new(40);
    let text: String = scalars().step_by(one_in_emulated()).collect();
    check.utf8(text.as_bytes());
    check.utf16(&text.encode_utf16().collect::<Vec<_>>());
    // And each in other company than its neighbours.
    let mut text: Vec<char> = scalars().step_by(one_in_emulated()).collect();
    for i in (1..text.len()).rev() {
        text.swap(i, check.rng.below(i + 1));
    }
    let text = String::from_iter(text);
    check.utf8(text.as_bytes());
    check.utf16(&text.encode_utf16().collect::<Vec<_>>());
}

#[test]
fn all_scalar_values_in_short_texts() {
    let mut check = Checker::new(41);
    let mut all = scalars().peekable();
    while all.peek().is_some() {
        let text: String = all.by_ref().take(1 + check.rng.below(40)).collect();
        if check.keep(one_in(3)) {
            check.utf8(text.as_bytes());
            check.utf16(&text.encode_utf16().collect::<Vec<_>>());
        }
    }
}

#[test]
fn each_scalar_value_alone_and_at_some_offset() {
    let mut check = Checker::new(42);
    for c in scalars() {
        if c as u32 & 0x3FF != 0 && c as u32 & 0x3FF != 0x3FF && !check.keep(one_in(12)) {
            continue;
        }
        check.utf8(c.encode_utf8(&mut [0; 4]).as_bytes());
        check.utf16(c.encode_utf16(&mut [0; 2]));
        let offset = check.rng.below(70);
        let mut text = Filler::Ascii.before(offset);
        text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        text.extend(Filler::Ascii.after(check.rng.below(70)));
        check.utf8(&text);
    }
}

#[test]
fn all_strings_of_one_and_two_bytes() {
    let mut check = Checker::new(43);
    for first in 0..=255 {
        check.utf8_every_room(&[first]);
        for second in 0..=255 {
            check.utf8(&[first, second]);
        }
    }
}

/// Each of them spliced into a text, over the edge of a block and somewhere else.
#[test]
fn all_strings_of_two_bytes_in_texts() {
    let mut check = Checker::new(44);
    let edges = block_edges();
    for first in 0..=255 {
        for second in 0..=255 {
            let filler = check.rng.pick(&Filler::ALL);
            let offset = check.rng.pick(&edges);
            let mut text = filler.before(offset);
            text.extend([first, second]);
            text.extend(filler.after(check.rng.below(200)));
            check.utf8(&text);
        }
    }
}

#[test]
fn all_strings_of_three_bytes_of_different_classes() {
    let mut check = Checker::new(45);
    for first in CLASSES {
        for second in CLASSES {
            for third in CLASSES {
                check.utf8(&[first, second, third]);
            }
        }
    }
}

/// What std says about `bytes` must be what each instruction set says about the validity and the conversion of
/// them, at `offset` of `text`, which is ASCII otherwise.
fn three_bytes(isas: &[Isa], bytes: [u8; 3], text: &mut [u8], offset: usize, dst: &mut [u8], expected: &mut [u8]) {
    text[offset..][..3].copy_from_slice(&bytes);
    let (valid, fault) = split_utf8(text);
    let mut written = 0;
    for unit in valid[offset.min(valid.len())..].encode_utf16() {
        expected[written..][..2].copy_from_slice(&unit.to_le_bytes());
        written += 2;
    }
    let expected = &expected[..written];
    for &isa in isas {
        let got = isa.validate_utf8(text).map_err(Fault::from);
        assert!(got == fault.map_or(Ok(()), Err), "{isa}: {got:?}, not {fault:?}, on {}", hex(text));
        let out = isa.utf8_to_utf16le(text, dst);
        assert!(
            out.read == valid.len()
                && out.error().map(Fault::from) == fault
                && out.is_complete() == fault.is_none(),
            "{isa}: {out:?}, not {fault:?}, on {}",
            hex(text)
        );
        let got = &dst[2 * offset.min(valid.len())..out.written];
        assert!(got == expected, "{isa}: {}, not {}, on {}", hex(got), hex(expected), hex(text));
    }
    text[offset..][..3].fill(b'x');
}

/// 2^24 strings, alone and across the end of a block of 64 bytes, which is also one of 16 and of 32.
fn all_strings_of_three_bytes(firsts: std::ops::RangeInclusive<u8>) {
    let isas: Vec<Isa> = Isa::available().collect();
    let (mut alone, mut long) = ([b'x'; 3], [b'x'; 67 + 64]);
    let (mut dst, mut expected) = ([0; 600], [0; 600]);
    for first in firsts {
        for second in 0..=255 {
            for third in 0..=255 {
                let bytes = [first, second, third];
                three_bytes(&isas, bytes, &mut alone, 0, &mut dst, &mut expected);
                three_bytes(
                    &isas,
                    bytes,
                    &mut long,
                    61 + usize::from(third ^ second) % 3,
                    &mut dst,
                    &mut expected,
                );
            }
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_7f() {
    all_strings_of_three_bytes(0..=0x7F);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_bf() {
    all_strings_of_three_bytes(0x80..=0xBF);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_ff() {
    all_strings_of_three_bytes(0xC0..=0xFF);
}

/// 2^32 strings: each is validated by itself, and each that begins with no ASCII also across the end of a block in a
/// text, where a call is to find it and nothing else. What std says of it is asked for once for each.
#[test]
#[ignore = "some minutes of every core: cargo test --release --test suite four_bytes -- --ignored"]
fn all_strings_of_four_bytes() {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Ok(first) = u8::try_from(next.fetch_add(1, Ordering::Relaxed)) {
                    all_strings_of_four_bytes_from(first);
                }
            });
        }
    });
}

fn all_strings_of_four_bytes_from(first: u8) {
    let isas: Vec<Isa> = Isa::available().collect();
    let mut long = [b'x'; 67 + 64];
    for rest in 0..1 << 24 {
        let [second, third, fourth, _] = u32::to_le_bytes(rest);
        let bytes = [first, second, third, fourth];
        let (_, fault) = split_utf8(&bytes);
        let want = fault.map_or(Ok(()), Err);
        for &isa in &isas {
            let got = isa.validate_utf8(&bytes).map_err(Fault::from);
            assert!(got == want, "{isa}: {got:?}, not {want:?}, on {}", hex(&bytes));
        }
        if first < 0x80 {
            continue;
        }
        let offset = 61 + usize::from(second ^ third ^ fourth) % 3;
        let text = &mut long[..];
        text[offset..][..4].copy_from_slice(&bytes);
        let (_, fault) = split_utf8(text);
        let want = fault.map_or(Ok(()), Err);
        for &isa in &isas {
            let got = isa.validate_utf8(text).map_err(Fault::from);
            assert!(got == want, "{isa}: {got:?}, not {want:?}, on {}", hex(text));
        }
        text[offset..][..4].fill(b'x');
    }
}

/// Every string of four classes, alone, and over one or all of the edges of blocks in some text, followed by little
/// or much.
fn four_bytes(firsts: &[u8], thin: usize, all_edges: bool) {
    let mut check = Checker::new(46);
    let edges = block_edges();
    for &first in firsts {
        for second in CLASSES {
            for third in CLASSES {
                for fourth in CLASSES {
                    if !check.keep(thin) {
                        continue;
                    }
                    let bytes = [first, second, third, fourth];
                    check.utf8(&bytes);
                    let one = [check.rng.pick(&edges)];
                    for &offset in if all_edges { &edges[..] } else { &one } {
                        let filler = check.rng.pick(&Filler::ALL);
                        let mut text = filler.before(offset);
                        text.extend(bytes);
                        let rest = check.rng.pick(&[5, 70, 300]);
                        text.extend(filler.after(check.rng.below(rest)));
                        check.utf8(&text);
                    }
                }
            }
        }
    }
}

#[test]
fn four_classes_at_the_edges_of_blocks() {
    // All that begin a character of two to four bytes or look like it; of others a part.
    four_bytes(&CLASSES[..8], one_in(12), false);
    four_bytes(&CLASSES[8..14], one_in(4), false);
}

#[test]
fn four_classes_at_the_edges_of_blocks_from_ec() {
    four_bytes(&CLASSES[14..], one_in(4), false);
}

#[test]
#[ignore = "some minutes: cargo test --release -- --include-ignored"]
fn four_classes_at_all_edges_of_blocks() {
    four_bytes(&CLASSES[..13], 1, true);
}

#[test]
#[ignore = "some minutes: cargo test --release -- --include-ignored"]
fn four_classes_at_all_edges_of_blocks_from_e1() {
    four_bytes(&CLASSES[13..], 1, true);
}

/// The same deep in a text, in a buffer with room: all first and second classes, the others by what matters of them,
/// at each of the edges.
#[test]
fn four_classes_deep_in_a_text() {
    let mut check = Checker::new(47);
    let edges = block_edges();
    for first in &CLASSES[2..] {
        for second in CLASSES {
            for filler in Filler::ALL {
                for &edge in &edges {
                    if check.keep(one_in(25)) {
                        let mut text = filler.before(2048 + edge);
                        text.extend([*first, second, check.rng.pick(&CLASSES), check.rng.pick(&CLASSES)]);
                        text.extend(filler.after(400));
                        check.utf8(&text);
                    }
                }
            }
        }
    }
}
