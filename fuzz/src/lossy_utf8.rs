//! UTF-8 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion};

use crate::input::Input;
use crate::memory::Buffer;
use crate::oracle::LossyOutcome;
use crate::{Order, in_order, same};

/// What there is in `src`, by the standard library: how many bytes it takes, and a character where it is one.
fn items(src: &[u8]) -> impl Iterator<Item = (usize, Option<char>)> {
    src.utf8_chunks().flat_map(|chunk| {
        let invalid = chunk.invalid().len();
        let valid = chunk.valid().chars().map(|char| (char.len_utf8(), Some(char)));
        valid.chain((invalid > 0).then_some((invalid, None)))
    })
}

/// The outcome in so much room, where `len` says how much of it a character takes.
fn outcome(src: &[u8], room: usize, len: impl Fn(char) -> usize) -> LossyOutcome {
    let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: true };
    for (read, char) in items(src) {
        let written = len(char.unwrap_or('\u{FFFD}'));
        if room - out.written < written {
            return LossyOutcome { complete: false, ..out };
        }
        (out.read, out.written) = (out.read + read, out.written + written);
        out.replacements += usize::from(char.is_none());
    }
    out
}

/// Runs one input through all operations that replace what is ill-formed in UTF-8.
pub fn lossy_utf8(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let isa = input.choice.isa();
    match input.choice.turn(13) {
        turn @ 0..6 => to_utf8(&input, src, isa, turn),
        turn => to_utf16(&input, src, isa, turn),
    }
}

fn to_utf8(input: &Input, src: &[u8], isa: Isa, turn: usize) {
    let text = String::from_utf8_lossy(src);
    let all = || outcome(src, usize::MAX, char::len_utf8);
    match turn {
        0 => {
            let replacements = all().replacements;
            same(isa, "from_utf8_lossy", isa.from_utf8_lossy_counted(src), (text, replacements));
        }
        1 => {
            let owned = isa.string_from_utf8_lossy_counted(src.to_vec());
            same(isa, "string_from_utf8_lossy", owned, (text.into(), all().replacements));
        }
        2 => {
            let chunks = src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid()));
            let pieces = isa.utf8_chunks(src).map(|chunk| (chunk.valid(), chunk.invalid()));
            assert!(pieces.eq(chunks), "utf8_chunks on {isa}");
        }
        3 => same(isa, "utf8_len_from_utf8_lossy", isa.utf8_len_from_utf8_lossy(src), text.len()),
        4 => {
            let mut appended = "~".repeat(input.dst.offset());
            let out = isa.utf8_to_utf8_lossy_append(src, &mut appended);
            same(isa, "utf8_to_utf8_lossy_append", out, all());
            same(isa, "utf8_to_utf8_lossy_append", &appended[input.dst.offset()..], &text);
        }
        _ => {
            let room = input.room(text.len(), 3 * src.len());
            let expected = outcome(src, room, char::len_utf8);
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, "utf8_to_utf8_lossy", isa.utf8_to_utf8_lossy(src, dst.get()), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, "utf8_to_utf8_lossy");
        }
    }
}

/// The operations whose result is bytes of one byte order.
struct Encoder {
    order: Order,
    name: &'static str,
    convert: fn(Isa, &[u8], &mut [u8]) -> LossyConversion,
    append: fn(Isa, &[u8], &mut Vec<u8>) -> LossyConversion,
}

const ENCODERS: [Encoder; 2] = [
    Encoder {
        order: Order::Little,
        name: "utf8_to_utf16le_lossy",
        convert: Isa::utf8_to_utf16le_lossy,
        append: Isa::utf8_to_utf16le_lossy_append,
    },
    Encoder {
        order: Order::Big,
        name: "utf8_to_utf16be_lossy",
        convert: Isa::utf8_to_utf16be_lossy,
        append: Isa::utf8_to_utf16be_lossy_append,
    },
];

fn to_utf16(input: &Input, src: &[u8], isa: Isa, turn: usize) {
    let units: Vec<u16> = String::from_utf8_lossy(src).encode_utf16().collect();
    let offset = input.dst.offset();
    let room = input.room(units.len(), src.len());
    match turn {
        6 => same(isa, "utf16_len_from_utf8_lossy", isa.utf16_len_from_utf8_lossy(src), units.len()),
        7 => {
            let mut appended = vec![7; offset];
            let out = isa.utf8_to_utf16_lossy_append(src, &mut appended);
            same(isa, "utf8_to_utf16_lossy_append", out, outcome(src, usize::MAX, char::len_utf16));
            same(isa, "utf8_to_utf16_lossy_append", &appended[offset..], &units);
        }
        8 => {
            let expected = outcome(src, room, char::len_utf16);
            let mut dst = Buffer::<u16>::new(input.dst, room);
            same(isa, "utf8_to_utf16_lossy", isa.utf8_to_utf16_lossy(src, dst.get()), expected);
            dst.assert_holds(&units[..expected.written], isa, "utf8_to_utf16_lossy");
        }
        turn => {
            let Encoder { order, name, convert, append } = &ENCODERS[turn % 2];
            let bytes = in_order(&units, *order);
            if turn < 11 {
                let expected = outcome(src, 2 * room, |char| 2 * char.len_utf16());
                // An odd last byte of the buffer is of no use.
                let mut dst = Buffer::<u8>::new(input.dst, 2 * room + input.odd);
                same(isa, name, convert(isa, src, dst.get()), expected);
                dst.assert_holds(&bytes[..expected.written], isa, name);
            } else {
                let mut appended = vec![7; offset];
                let out = append(isa, src, &mut appended);
                same(isa, name, out, outcome(src, usize::MAX, |char| 2 * char.len_utf16()));
                same(isa, name, &appended[offset..], &bytes);
            }
        }
    }
}
