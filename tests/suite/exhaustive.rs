//! Exhaustive tests: all scalar values, at all places of a block; all strings of 1, 2 and 3 bytes; all strings of 4
//! bytes of different classes at the edges of blocks, and all of them for validation; all pairs of code units.
//!
//! `cargo test --release --test suite exhaustive -- --include-ignored` runs all of them. That takes an hour of CPU
//! time. Without the last option, each string of four bytes is placed at one block edge, not at all of them, and only
//! code units of some classes are paired with all others. A debug build also leaves out strings of three bytes, and
//! thins others out by a fixed seed.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastutf::{Conversion, Isa, LossyConversion, Utf8Error, Utf16Error};

use crate::common::oracle::{Fault, LossyOutcome, Utf16Oracle, split_utf8, to_bytes};
use crate::common::{Checker, Filler, hex, one_in, one_in_emulated, told};

/// The first and last byte of each class that RFC 3629 §4 distinguishes.
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

/// Does the work for the numbers before `end`, on every core.
fn on_all_cores(end: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < end)
                {
                    work(number);
                }
            });
        }
    });
}

#[test]
fn all_scalar_values_in_one_text() {
    let mut check = Checker::new(40);
    let text: String = scalars().step_by(one_in_emulated()).collect();
    check.utf8(text.as_bytes());
    check.utf16(&text.encode_utf16().collect::<Vec<_>>());
    // And shuffled, so that each is next to other characters.
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

/// The number of scalar values in a piece.
const PIECE: usize = 1 << 12;

/// Compares each instruction set with std on these scalar values, in both directions and byte orders. Each scalar value
/// starts `phase` bytes after a multiple of 64, with text of one kind in between.
fn scalars_at_a_phase(scalars: &[char], filler: Filler, phase: usize) {
    let between: Vec<Vec<u8>> = (0..=4).map(|len| filler.before(64 - len)).collect();
    let mut text = filler.before(phase);
    for scalar in scalars {
        text.extend(scalar.encode_utf8(&mut [0; 4]).as_bytes());
        text.extend(&between[scalar.len_utf8()]);
    }
    let units: Vec<u16> = std::str::from_utf8(&text).unwrap().encode_utf16().collect();
    let mut dst = vec![0; text.len().max(2 * units.len())];
    let same = |what: &str, isa: Isa, got: &[u8], want: &[u8]| {
        if let Some(at) = got.iter().zip(want).position(|(got, want)| got != want) {
            let (from, to) = (at.saturating_sub(16), (at + 16).min(want.len()));
            panic!("{what} on {isa}, phase {phase}: {}, not {}", hex(&got[from..to]), hex(&want[from..to]));
        }
        assert_eq!(got.len(), want.len(), "{what} on {isa}, phase {phase}");
    };
    for isa in Isa::available() {
        assert_eq!(isa.validate_utf8(&text), Ok(()), "{isa}, phase {phase}");
    }
    for order in ORDERS {
        let bytes = to_bytes(&units, order.bytes);
        for isa in Isa::available() {
            let out = (order.from_utf8)(isa, &text, &mut dst[..bytes.len()]);
            same("from UTF-8", isa, &dst[..out.written], &bytes);
            assert!(out.is_complete() && out.read == text.len(), "{isa}, phase {phase}: {out:?}");
            assert_eq!((order.validate)(isa, &bytes), Ok(()), "{isa}, phase {phase}");
            let out = (order.to_utf8)(isa, &bytes, &mut dst[..text.len()]);
            same("to UTF-8", isa, &dst[..out.written], &text);
            assert!(out.is_complete() && out.read == bytes.len(), "{isa}, phase {phase}: {out:?}");
        }
    }
}

/// The number of pieces, and a function that returns one.
fn pieces() -> (usize, impl Fn(usize) -> Vec<char> + Sync) {
    let all: Vec<char> = scalars().collect();
    (all.len().div_ceil(PIECE), move |piece| all[piece * PIECE..].iter().copied().take(PIECE).collect())
}

/// Each scalar value at one phase for some kinds of text.
#[test]
fn all_scalar_values_in_texts_at_some_phase() {
    let mut check = Checker::new(48);
    let (count, piece) = pieces();
    for number in 0..count {
        for (k, filler) in Filler::PLAIN.into_iter().enumerate() {
            // Neighbouring pieces get different phases, and so does the same piece in other text.
            let phase = (29 * number + 16 * k + number / 64) % 64;
            if check.keep(one_in(12)) {
                scalars_at_a_phase(&piece(number), filler, phase);
            }
        }
    }
}

#[test]
#[ignore = "takes minutes on every core: cargo test --release --test suite every_phase -- --ignored"]
fn all_scalar_values_in_texts_at_every_phase() {
    let (count, piece) = pieces();
    on_all_cores(count, |number| {
        for filler in Filler::PLAIN {
            (0..64).for_each(|phase| scalars_at_a_phase(&piece(number), filler, phase));
        }
    });
}

/// The operations of one byte order.
#[derive(Clone, Copy)]
struct Order {
    bytes: fn(u16) -> [u8; 2],
    from_utf8: fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf8Error>,
    validate: fn(Isa, &[u8]) -> Result<(), Utf16Error>,
    to_utf8: fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf16Error>,
    to_utf8_lossy: fn(Isa, &[u8], &mut [u8]) -> LossyConversion,
    repair: fn(Isa, &mut [u8]) -> usize,
}

const ORDERS: [Order; 2] = [
    Order {
        bytes: u16::to_le_bytes,
        from_utf8: Isa::utf8_to_utf16le,
        validate: Isa::validate_utf16le,
        to_utf8: Isa::utf16le_to_utf8,
        to_utf8_lossy: Isa::utf16le_to_utf8_lossy,
        repair: Isa::make_well_formed_utf16le,
    },
    Order {
        bytes: u16::to_be_bytes,
        from_utf8: Isa::utf8_to_utf16be,
        validate: Isa::validate_utf16be,
        to_utf8: Isa::utf16be_to_utf8,
        to_utf8_lossy: Isa::utf16be_to_utf8_lossy,
        repair: Isa::make_well_formed_utf16be,
    },
];

fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Tests all pairs that begin with `first`, in both byte orders. One text contains the well-formed pairs, and those
/// that end with `first`. Each ill-formed pair is tested by separate calls. Another text contains all pairs, and is
/// repaired.
fn pairs_from(first: u16) {
    let by_turns = |seconds: &dyn Fn(u16) -> bool| -> Vec<u16> {
        (0..=0xFFFF).filter(|&second| seconds(second)).flat_map(|second| [first, second]).collect()
    };
    repaired(first, &by_turns(&|_| true));
    let valid: fn(u16) -> bool = match first {
        0xD800..=0xDBFF => |second| second & 0xFC00 == 0xDC00,
        0xDC00..=0xDFFF => |_| false,
        _ => |second| !is_surrogate(second),
    };
    well_formed(first, &by_turns(&valid));
    let mut pair = IllFormed::default();
    for second in (0..=0xFFFF).filter(|&second| !valid(second)) {
        pair.check(first, second);
    }
}

fn well_formed(first: u16, units: &[u16]) {
    let text = String::from_utf16(units).unwrap();
    let mut dst = vec![0; text.len()];
    for order in ORDERS {
        let bytes = to_bytes(units, order.bytes);
        for isa in Isa::available() {
            assert_eq!((order.validate)(isa, &bytes), Ok(()), "{isa}, pairs with {first:04X}");
            let out = (order.to_utf8)(isa, &bytes, &mut dst);
            assert!(out.is_complete() && out.read == bytes.len(), "{isa}, pairs with {first:04X}: {out:?}");
            assert!(dst == text.as_bytes(), "{isa}, pairs with {first:04X}");
        }
    }
}

fn repaired(first: u16, units: &[u16]) {
    let text = String::from_utf16_lossy(units);
    let repaired: Vec<u16> = text.encode_utf16().collect();
    let replacements = units.iter().zip(&repaired).filter(|(before, after)| before != after).count();
    let mut dst = vec![0; text.len()];
    for order in ORDERS {
        let (bytes, repaired) = (to_bytes(units, order.bytes), to_bytes(&repaired, order.bytes));
        for isa in Isa::available() {
            let out = (order.to_utf8_lossy)(isa, &bytes, &mut dst);
            let want = LossyOutcome { read: bytes.len(), written: text.len(), replacements, complete: true };
            assert_eq!(told(out), want, "{isa}, pairs with {first:04X}");
            assert!(dst == text.as_bytes(), "{isa}, pairs with {first:04X}");
            let mut bytes = bytes.clone();
            assert_eq!((order.repair)(isa, &mut bytes), replacements, "{isa}, pairs with {first:04X}");
            assert!(bytes == repaired, "{isa}, pairs with {first:04X}");
        }
    }
}

/// Texts to put ill-formed pairs into: ASCII, in both byte orders.
struct IllFormed {
    isas: Vec<Isa>,
    texts: [Vec<u8>; 2],
}

impl Default for IllFormed {
    fn default() -> Self {
        let texts = ORDERS.map(|order| to_bytes(&[0x78; 62 + 70], order.bytes));
        Self { isas: Isa::available().collect(), texts }
    }
}

impl IllFormed {
    fn check(&mut self, first: u16, second: u16) {
        let alone = Utf16Oracle::new(&[first, second], false);
        let before_more = Utf16Oracle::new(&[first, second, 0x78], false);
        // Across the end of a block of 64 units, which is also one of 8, 16 and 32, or right before or after it.
        let offset = 62 + usize::from(first ^ second) % 3;
        for (order, text) in ORDERS.iter().zip(&mut self.texts) {
            let bytes: [u8; 4] = {
                let [[a, b], [c, d]] = [first, second].map(order.bytes);
                [a, b, c, d]
            };
            let want = alone.result(2);
            let want_in_text = before_more.result(2).map_err(|fault| Fault { at: fault.at + 2 * offset, ..fault });
            text[2 * offset..][..4].copy_from_slice(&bytes);
            for &isa in &self.isas {
                let got = (order.validate)(isa, &bytes).map_err(told);
                assert!(got == want, "{isa}: {got:?}, not {want:?}, on {}", hex(&bytes));
                let mut dst = [0; 6];
                let out = (order.to_utf8)(isa, &bytes, &mut dst);
                assert!(
                    out.error().map(told) == want.err()
                        && out.read == 2 * alone.valid_units
                        && &dst[..out.written] == alone.text.as_bytes(),
                    "{isa}: {out:?}, not {want:?}, on {}",
                    hex(&bytes)
                );
                let got = (order.validate)(isa, text).map_err(told);
                assert!(got == want_in_text, "{isa}: {got:?}, not {want_in_text:?}, on {}", hex(text));
            }
            for unit in text[2 * offset..][..4].chunks_mut(2) {
                unit.copy_from_slice(&(order.bytes)(0x78));
            }
        }
    }
}

/// The first and the last code unit of each class, and units that look like surrogates in the other byte order.
#[test]
fn pairs_of_code_units_from_some_classes() {
    const FIRST: [u16; 16] = [
        0x0000, 0x007F, 0x0080, 0x07FF, 0x0800, 0xD7FF, 0xD800, 0xD8DC, 0xDBFF, 0xDC00, 0xDCD8, 0xDFFF, 0xE000,
        0xFFFF, 0x00D8, 0xFFDC,
    ];
    FIRST.into_iter().step_by(one_in_emulated()).for_each(pairs_from);
}

/// 2^32 pairs.
#[test]
#[ignore = "takes minutes on every core: cargo test --release --test suite pairs_of_code_units -- --ignored"]
fn all_pairs_of_code_units() {
    on_all_cores(1 << 16, |first| pairs_from(first as u16));
}

#[test]
fn all_strings_of_one_and_two_bytes() {
    let mut check = Checker::new(43);
    for first in 0..=255 {
        check.utf8_every_room(&[first]);
        for second in (0..=255).step_by(one_in_emulated().min(3)) {
            check.utf8(&[first, second]);
        }
    }
}

/// Each string is inserted into a text, at the edge of a block.
#[test]
fn all_strings_of_two_bytes_in_texts() {
    let mut check = Checker::new(44);
    let edges = block_edges();
    for first in 0..=255 {
        for second in 0..=255 {
            if check.rng.below(one_in_emulated().div_ceil(5).min(10)) > 0 {
                continue;
            }
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

/// Compares validation and conversion on each instruction set with std: of `bytes`, at `offset` of `text`, which is
/// ASCII otherwise.
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
        let got = isa.validate_utf8(text).map_err(told);
        assert!(got == fault.map_or(Ok(()), Err), "{isa}: {got:?}, not {fault:?}, on {}", hex(text));
        let out = isa.utf8_to_utf16le(text, dst);
        assert!(
            out.read == valid.len() && out.error().map(told) == fault && out.is_complete() == fault.is_none(),
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
#[cfg_attr(debug_assertions, ignore = "takes long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_7f() {
    all_strings_of_three_bytes(0..=0x7F);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_bf() {
    all_strings_of_three_bytes(0x80..=0xBF);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes long in a debug build: cargo test --release")]
fn all_strings_of_three_bytes_to_ff() {
    all_strings_of_three_bytes(0xC0..=0xFF);
}

/// 2^32 strings: each is validated by itself. Each that does not start with ASCII is also validated across the end of a
/// block in a text. The expected results are std's.
#[test]
#[ignore = "takes some minutes on every core: cargo test --release --test suite four_bytes -- --ignored"]
fn all_strings_of_four_bytes() {
    on_all_cores(1 << 8, |first| all_strings_of_four_bytes_from(first as u8));
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
            let got = isa.validate_utf8(&bytes).map_err(told);
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
            let got = isa.validate_utf8(text).map_err(told);
            assert!(got == want, "{isa}: {got:?}, not {want:?}, on {}", hex(text));
        }
        text[offset..][..4].fill(b'x');
    }
}

/// Every string of four classes, alone, and at one or all of the edges of blocks in some text, followed by a little or
/// much text.
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
    // All strings that start with a lead byte or a byte like one, and a part of the others.
    four_bytes(&CLASSES[..8], one_in(12), false);
    four_bytes(&CLASSES[8..14], one_in(4), false);
}

#[test]
fn four_classes_at_the_edges_of_blocks_from_ec() {
    four_bytes(&CLASSES[14..], one_in(4), false);
}

#[test]
#[ignore = "takes some minutes: cargo test --release -- --include-ignored"]
fn four_classes_at_all_edges_of_blocks() {
    four_bytes(&CLASSES[..13], 1, true);
}

#[test]
#[ignore = "takes some minutes: cargo test --release -- --include-ignored"]
fn four_classes_at_all_edges_of_blocks_from_e1() {
    four_bytes(&CLASSES[13..], 1, true);
}

/// The same deep in a text, in a buffer with room: all first and second classes and random ones for the others, at each
/// of the edges.
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
