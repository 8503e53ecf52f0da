//! Conversions as a whole: what each reports as read and written is what was, nothing else in the output changes, and no
//! store leaves it.
//!
//! This is exhaustive for what is listed here (kinds of characters, their order, lengths, sizes of the output) and no
//! proof for other texts. `tests/suite/drivers.rs` draws at random from many more.

use std::format;
use std::vec;
use std::vec::Vec;

use crate::endian::ByteOrder::{self, Big, Little};
use crate::isa::{Isa, Level};
use crate::proof::classes::{representative, strings};
use crate::replacement::REPLACEMENT;
use crate::simd::tests::PAINT;
use crate::{Conversion, LossyConversion, Stop};

/// Bytes on either side of the output.
const GUARD: usize = 64;

/// What a conversion is to do with a text.
struct Wanted {
    /// After each character or replacement: bytes read, bytes written, and replacements.
    marks: Vec<[usize; 3]>,
    out: Vec<u8>,
    /// Whether it ends because the text is ill-formed.
    ill_formed: bool,
}

impl Wanted {
    fn new() -> Self {
        Self { marks: vec![[0; 3]], out: Vec::new(), ill_formed: false }
    }

    fn push(&mut self, read: usize, bytes: impl IntoIterator<Item = u8>, replacements: usize) {
        self.out.extend(bytes);
        let [before, _, count] = *self.marks.last().unwrap();
        self.marks.push([before + read, self.out.len(), count + replacements]);
    }
}

/// A character as UTF-16, or as UTF-8 if there is no byte order.
fn encoded(char: char, order: Option<ByteOrder>) -> Vec<u8> {
    match order {
        Some(order) => char.encode_utf16(&mut [0; 2]).iter().flat_map(|&unit| order.bytes(unit)).collect(),
        None => char.encode_utf8(&mut [0; 4]).as_bytes().to_vec(),
    }
}

/// By the standard library.
fn from_utf8(src: &[u8], order: Option<ByteOrder>, lossy: bool) -> Wanted {
    let mut wanted = Wanted::new();
    for chunk in src.utf8_chunks() {
        chunk.valid().chars().for_each(|char| wanted.push(char.len_utf8(), encoded(char, order), 0));
        if !chunk.invalid().is_empty() {
            wanted.ill_formed = !lossy;
            if !lossy {
                break;
            }
            wanted.push(chunk.invalid().len(), encoded('\u{FFFD}', order), 1);
        }
    }
    wanted
}

fn from_utf16(units: &[u16], lossy: bool) -> Wanted {
    let mut wanted = Wanted::new();
    for char in char::decode_utf16(units.iter().copied()) {
        match char {
            Ok(char) => wanted.push(2 * char.len_utf16(), encoded(char, None), 0),
            Err(_) if lossy => wanted.push(2, REPLACEMENT.bytes(), 1),
            Err(_) => {
                wanted.ill_formed = true;
                break;
            }
        }
    }
    wanted
}

/// What was read and written, replacements, and whether it is complete, and whether the text is ill-formed.
type Done = ([usize; 3], bool, bool);

fn strict<E: Copy>(done: Conversion<E>) -> Done {
    ([done.read, done.written, 0], done.is_complete(), done.error().is_some())
}

fn lossy(done: LossyConversion) -> Done {
    (
        [done.read, done.written, done.replacements],
        done.is_complete(),
        !matches!(done.stop, Stop::Complete | Stop::OutputFull),
    )
}

/// Converts with each instruction set into outputs of these sizes.
fn check(src: &[u8], wanted: &Wanted, sizes: &[usize], convert: impl Fn(Isa, &[u8], &mut [u8]) -> Done) {
    let last = *wanted.marks.last().unwrap();
    let mut memory = vec![PAINT; sizes.iter().max().unwrap_or(&0) + 2 * GUARD];
    for isa in Isa::available().filter(|isa| isa.level() != Level::Scalar) {
        for &size in sizes {
            let mark = wanted.marks[wanted.marks.partition_point(|mark| mark[1] <= size) - 1];
            let done = convert(isa, src, &mut memory[GUARD..GUARD + size]);
            let want = (mark, mark == last && !wanted.ill_formed, mark == last && wanted.ill_formed);
            let what = || format!("{isa}, {size} bytes for {:02X?}", src);
            assert_eq!(done, want, "{}", what());
            let out = &mut memory[GUARD..GUARD + mark[1]];
            assert!(*out == wanted.out[..mark[1]], "{}: {out:02X?}", what());
            out.fill(PAINT);
            assert!(memory.iter().all(|&byte| byte == PAINT), "{}: other bytes change", what());
        }
    }
}

/// Sizes that are just enough, a little less, and more, up to where all loops go on; or all of these.
fn sizes(exact: usize, all: bool) -> Vec<usize> {
    if all {
        return (0..exact + 170).collect();
    }
    [exact.saturating_sub(2), exact, exact + 14, exact + 18, exact + 145, exact + 400].into()
}

fn utf8(src: &[u8], all_sizes: bool, is_strict: bool) {
    let order = if src.len().is_multiple_of(2) { Little } else { Big };
    if is_strict {
        let wanted = from_utf8(src, Some(order), false);
        let sizes = sizes(wanted.out.len(), all_sizes);
        check(src, &wanted, &sizes, |isa, src, dst| {
            strict(if order.is_big() { isa.utf8_to_utf16be(src, dst) } else { isa.utf8_to_utf16le(src, dst) })
        });
        return;
    }
    let wanted = from_utf8(src, Some(order), true);
    let even = sizes(wanted.out.len(), all_sizes);
    check(src, &wanted, &even, |isa, src, dst| {
        lossy(if order.is_big() {
            isa.utf8_to_utf16be_lossy(src, dst)
        } else {
            isa.utf8_to_utf16le_lossy(src, dst)
        })
    });
    let wanted = from_utf8(src, None, true);
    let sizes = sizes(wanted.out.len(), all_sizes);
    check(src, &wanted, &sizes, |isa, src, dst| lossy(isa.utf8_to_utf8_lossy(src, dst)));
}

fn utf16(units: &[u16], all_sizes: bool, is_strict: bool) {
    let order = if units.len().is_multiple_of(2) { Little } else { Big };
    let src: Vec<u8> = units.iter().flat_map(|&unit| order.bytes(unit)).collect();
    let wanted = from_utf16(units, !is_strict);
    let sizes = sizes(wanted.out.len(), all_sizes);
    check(&src, &wanted, &sizes, |isa, src, dst| match (order, is_strict) {
        (Little, true) => strict(isa.utf16le_to_utf8(src, dst)),
        (Big, true) => strict(isa.utf16be_to_utf8(src, dst)),
        (Little, false) => lossy(isa.utf16le_to_utf8_lossy(src, dst)),
        (Big, false) => lossy(isa.utf16be_to_utf8_lossy(src, dst)),
    });
}

/// Kinds of text, as what is repeated: one for each loop, those with rare longer characters, and
/// ill-formed ones.
const KINDS: [&[&str]; 8] = [
    &["a"],
    &["é"],
    &["漢"],
    &["😀"],
    &["a", "é", "漢"],
    &["a", "漢", "😀", "é"],
    &["漢漢漢漢漢漢漢漢漢", "ab"],
    &["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "é"],
];
const ILL_FORMED: [&[u8]; 4] = [b"\xFF", b"aaaaaaaaaaaaaa\x80", b"\xE6\xBC\xE6\xBC\xA2", b"\xC3\xA9\xF0\x9F\x98"];
const UNPAIRED: [&[u16]; 3] = [&[0xDE00], &[0x61, 0x61, 0x61, 0xD83D, 0x61], &[0x6F22, 0xD83D, 0xD83D, 0xDE00]];

/// Characters of a kind until the text has this length: the last one may reach beyond it.
fn grow<T: Clone>(text: &mut Vec<T>, kind: &[Vec<T>], len: usize) {
    let mut parts = kind.iter().cycle();
    while text.len() < len {
        text.extend_from_slice(parts.next().unwrap());
    }
}

/// Texts of pieces of so many blocks of a kind each, at each phase, and an end.
fn pieces<T: Copy>(
    kinds: &[Vec<Vec<T>>],
    block: usize,
    counts: &[usize],
    first: T,
    ends: &[&[T]],
    test: &mut impl FnMut(&[T]),
) {
    let total = kinds.len().pow(counts.len() as u32);
    for number in 0..total {
        for phase in 0..4 {
            let mut text = vec![first; phase];
            let (mut len, mut number) = (0, number);
            for count in counts {
                len += count * block;
                grow(&mut text, &kinds[number % kinds.len()], len);
                number /= kinds.len();
            }
            for more in [0, 1, 15, 61] {
                let mut text = text.clone();
                grow(&mut text, &kinds[(more + phase) % kinds.len()], len + more);
                for end in ends {
                    test(&[&text, *end].concat());
                }
            }
        }
    }
}

fn bytes_of(kinds: &[&[&str]]) -> Vec<Vec<Vec<u8>>> {
    kinds.iter().map(|kind| kind.iter().map(|part| part.as_bytes().to_vec()).collect()).collect()
}

fn units_of(kinds: &[&[&str]]) -> Vec<Vec<Vec<u16>>> {
    kinds.iter().map(|kind| kind.iter().map(|part| part.encode_utf16().collect()).collect()).collect()
}

#[test]
#[ignore = "all sequences of 4 pieces of 8 kinds: seconds, in release builds: cargo xtask prove"]
fn pieces_of_utf8() {
    crate::proof::report_lanes("drivers: UTF-8", "bounded", "sequences of 4 pieces", || {
        let mut kinds = bytes_of(&KINDS);
        let ends: [&[u8]; 3] = [
            b"",
            b"\xE6\xBC",
            b"\xF0\x9F\x98aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ];
        pieces(&kinds, 64, &[1, 1, 1, 1], b'a', &ends, &mut |text| utf8(text, false, true));
        // 8 blocks without characters of 4 bytes end the loop for these.
        pieces(&kinds, 64, &[2, 9, 2], b'a', &ends[..2], &mut |text| utf8(text, false, true));
        pieces(&kinds, 64, &[2, 2], b'a', &ends, &mut |text| utf8(text, true, true));
        kinds.truncate(6);
        kinds.extend(ILL_FORMED.map(|part| vec![part.to_vec()]));
        pieces(&kinds, 64, &[1, 1, 1], b'a', &ends, &mut |text| utf8(text, false, false));
        pieces(&kinds, 64, &[1, 1], b'a', &ends[1..2], &mut |text| utf8(text, true, false));
    });
}

#[test]
#[ignore = "all sequences of 4 pieces of 8 kinds: seconds, in release builds: cargo xtask prove"]
fn pieces_of_utf16() {
    crate::proof::report_lanes("drivers: UTF-16", "bounded", "sequences of 4 pieces", || {
        let mut kinds = units_of(&KINDS);
        let ends: [&[u16]; 3] = [&[], &[0xD83D], &[0xDE00, 0x61]];
        pieces(&kinds, 64, &[1, 1, 1, 1], 0x61, &ends, &mut |text| utf16(text, false, true));
        // Loops look for other kinds every 4 blocks, which are 256 units at most.
        pieces(&kinds, 64, &[5, 4, 5], 0x61, &ends[..2], &mut |text| utf16(text, false, true));
        pieces(&kinds, 64, &[1, 2], 0x61, &ends, &mut |text| utf16(text, true, true));
        kinds.truncate(6);
        kinds.extend(UNPAIRED.map(|part| vec![part.to_vec()]));
        pieces(&kinds, 64, &[1, 1, 1], 0x61, &ends, &mut |text| utf16(text, false, false));
        pieces(&kinds, 32, &[1, 2], 0x61, &ends[..1], &mut |text| utf16(text, true, false));
    });
}

/// Calls `test` with all sequences of up to `len` of these.
fn sequences<T: Copy>(of: &[&[T]], len: usize, text: &mut Vec<T>, test: &mut impl FnMut(&[T])) {
    test(text);
    if len > 0 {
        for part in of {
            let before = text.len();
            text.extend_from_slice(part);
            sequences(of, len - 1, text, test);
            text.truncate(before);
        }
    }
}

#[test]
#[ignore = "all sequences of up to 5 characters, and of 3 after texts: seconds, in release builds: cargo xtask prove"]
fn short_texts() {
    crate::proof::report_lanes("drivers: short texts", "bounded", "sequences of 5 characters", || {
        const PARTS: [&[u8]; 9] = [
            b"a",
            b"\xC3\xA9",
            b"\xE6\xBC\xA2",
            b"\xF0\x9F\x98\x80",
            b"\x80",
            b"\xFF",
            b"\xE6\xBC",
            b"\xF0\x9F\x98",
            b"\xED\xA0",
        ];
        const UNITS: [&[u16]; 5] = [&[0x61], &[0xE9], &[0x6F22], &[0xD83D], &[0xDE00]];
        for is_strict in [true, false] {
            sequences(&PARTS, 5, &mut Vec::new(), &mut |text| utf8(text, false, is_strict));
            sequences(&UNITS, 7, &mut Vec::new(), &mut |text| utf16(text, false, is_strict));
            sequences(&PARTS, 3, &mut Vec::new(), &mut |text| utf8(text, true, is_strict));
            sequences(&UNITS, 4, &mut Vec::new(), &mut |text| utf16(text, true, is_strict));
        }
        // After texts of all lengths up to where the loops for long ones begin.
        for kind in &KINDS[..4] {
            for count in 0..140 {
                let before = kind[0].repeat(count);
                if before.len() < 270 {
                    sequences(&PARTS, 2, &mut before.clone().into_bytes(), &mut |text| utf8(text, false, true));
                }
                sequences(&UNITS, 3, &mut before.encode_utf16().collect(), &mut |text| utf16(text, false, true));
            }
        }
    });
}

/// All strings of four classes at each place around the ends of the first two blocks.
#[test]
#[ignore = "all strings of 4 classes at the ends of blocks: seconds, in release builds: cargo xtask prove"]
fn ends_of_blocks() {
    crate::proof::report_lanes("drivers: ends of blocks", "bounded", "4 classes", || {
        for kind in &KINDS[..4] {
            let kind = kind[0];
            strings::<4>(|classes| {
                let some = classes.iter().sum::<usize>() % 4;
                for place in (64 - 4 + some..=64).step_by(4).chain((128 - 4 + some..=128).step_by(4)) {
                    let mut text = kind.repeat(place / kind.len()).into_bytes();
                    text.resize(place, b'x');
                    text.extend(classes.map(representative));
                    text.extend(kind.repeat([4, 140][some % 2]).bytes());
                    utf8(&text, false, true);
                }
            });
        }
    });
}
