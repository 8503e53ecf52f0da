//! UTF-8 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion};
use fastutf_testkit::oracle::LossyUtf8;

use crate::input::Input;
use crate::memory::Buffer;
use crate::told::told;
use crate::{Order, same};

/// Runs one input through all operations that replace ill-formed UTF-8.
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
    let oracle = LossyUtf8::new(src);
    let text = &oracle.text;
    let all = || oracle.outcome(usize::MAX, |place| place.utf8);
    match turn {
        0 => {
            let replacements = all().replacements;
            same(isa, "from_utf8_lossy", isa.from_utf8_lossy_counted(src), (text.into(), replacements));
        }
        1 => {
            let owned = isa.string_from_utf8_lossy_counted(src.to_vec());
            same(isa, "string_from_utf8_lossy", owned, (text.clone(), all().replacements));
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
            same(isa, "utf8_to_utf8_lossy_append", told(out), all());
            same(isa, "utf8_to_utf8_lossy_append", &appended[input.dst.offset()..], text);
        }
        _ => {
            let room = input.room(text.len(), 3 * src.len());
            let expected = oracle.outcome(room, |place| place.utf8);
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, "utf8_to_utf8_lossy", told(isa.utf8_to_utf8_lossy(src, dst.get())), expected);
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
    let oracle = LossyUtf8::new(src);
    let units = &oracle.units[..];
    let offset = input.dst.offset();
    let room = input.room(units.len(), src.len());
    match turn {
        6 => same(isa, "utf16_len_from_utf8_lossy", isa.utf16_len_from_utf8_lossy(src), units.len()),
        7 => {
            let mut appended = vec![7; offset];
            let out = isa.utf8_to_utf16_lossy_append(src, &mut appended);
            same(isa, "utf8_to_utf16_lossy_append", told(out), oracle.outcome(usize::MAX, |place| place.utf16));
            same(isa, "utf8_to_utf16_lossy_append", &appended[offset..], units);
        }
        8 => {
            let expected = oracle.outcome(room, |place| place.utf16);
            let mut dst = Buffer::<u16>::new(input.dst, room);
            same(isa, "utf8_to_utf16_lossy", told(isa.utf8_to_utf16_lossy(src, dst.get())), expected);
            dst.assert_holds(&units[..expected.written], isa, "utf8_to_utf16_lossy");
        }
        turn => {
            let Encoder { order, name, convert, append } = &ENCODERS[turn % 2];
            let bytes = order.bytes(units);
            if turn < 11 {
                let expected = oracle.outcome(2 * room, |place| 2 * place.utf16);
                // An odd last byte of the buffer is not used.
                let mut dst = Buffer::<u8>::new(input.dst, 2 * room + input.odd);
                same(isa, name, told(convert(isa, src, dst.get())), expected);
                dst.assert_holds(&bytes[..expected.written], isa, name);
            } else {
                let mut appended = vec![7; offset];
                let out = append(isa, src, &mut appended);
                same(isa, name, told(out), oracle.outcome(usize::MAX, |place| 2 * place.utf16));
                same(isa, name, &appended[offset..], &bytes);
            }
        }
    }
}
