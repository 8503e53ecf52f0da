//! UTF-16 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion};

use crate::input::Input;
use crate::memory::Buffer;
use crate::oracle::LossyOutcome;
use crate::{in_order, same};

/// What there is in these code units and in half of another one, if there is one: how many bytes it takes, and a
/// character where it is one.
fn items(units: &[u16], odd: bool) -> impl Iterator<Item = (usize, Option<char>)> {
    let items = char::decode_utf16(units.iter().copied()).map(|char| match char {
        Ok(char) => (2 * char.len_utf16(), Some(char)),
        Err(_) => (2, None),
    });
    items.chain(odd.then_some((1, None)))
}

/// The outcome in so much room.
fn outcome(units: &[u16], odd: bool, room: usize) -> LossyOutcome {
    let mut out = LossyOutcome { read: 0, written: 0, replacements: 0, complete: true };
    for (read, char) in items(units, odd) {
        let written = char.unwrap_or('\u{FFFD}').len_utf8();
        if room - out.written < written {
            return LossyOutcome { complete: false, ..out };
        }
        (out.read, out.written) = (out.read + read, out.written + written);
        out.replacements += usize::from(char.is_none());
    }
    out
}

/// The operations of one byte order.
struct Order {
    order: crate::Order,
    name: &'static str,
    decode: fn(Isa, &[u8]) -> (String, usize),
    convert: fn(Isa, &[u8], &mut [u8]) -> LossyConversion,
    append: fn(Isa, &[u8], &mut String) -> LossyConversion,
    len: fn(Isa, &[u8]) -> usize,
    repair: fn(Isa, &mut [u8]) -> usize,
}

const ORDERS: [Order; 2] = [
    Order {
        order: crate::Order::Little,
        name: "utf16le, lossy",
        decode: Isa::from_utf16le_lossy_counted,
        convert: Isa::utf16le_to_utf8_lossy,
        append: Isa::utf16le_to_utf8_lossy_append,
        len: Isa::utf8_len_from_utf16le_lossy,
        repair: Isa::make_well_formed_utf16le,
    },
    Order {
        order: crate::Order::Big,
        name: "utf16be, lossy",
        decode: Isa::from_utf16be_lossy_counted,
        convert: Isa::utf16be_to_utf8_lossy,
        append: Isa::utf16be_to_utf8_lossy_append,
        len: Isa::utf8_len_from_utf16be_lossy,
        repair: Isa::make_well_formed_utf16be,
    },
];

/// Runs one input through all operations that replace what is ill-formed in UTF-16.
pub fn lossy_utf16(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, units) = (input.src.get(), input.units());
    let units = units.get();
    let isa = input.choice.isa();
    match input.choice.turn(16) {
        turn @ 0..6 => native(&input, units, isa, turn),
        turn => {
            let order = &ORDERS[turn % 2];
            let swapped;
            let src = match order.order {
                crate::Order::Little => le,
                crate::Order::Big => {
                    swapped = input.swapped();
                    swapped.get()
                }
            };
            in_bytes(&input, units, src, isa, order, turn / 2);
        }
    }
}

/// One of six operations on code units.
fn native(input: &Input, units: &[u16], isa: Isa, turn: usize) {
    let text: String = items(units, false).map(|(_, char)| char.unwrap_or('\u{FFFD}')).collect();
    match turn {
        0 => same(isa, "from_utf16_lossy", isa.from_utf16_lossy(units), text),
        1 => same(isa, "utf8_len_from_utf16_lossy", isa.utf8_len_from_utf16_lossy(units), text.len()),
        2 => {
            let room = input.room(text.len(), 3 * units.len());
            let expected = outcome(units, false, room);
            let expected = LossyOutcome { read: expected.read / 2, ..expected };
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, "utf16_to_utf8_lossy", isa.utf16_to_utf8_lossy(units, dst.get()), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, "utf16_to_utf8_lossy");
        }
        3 => {
            let mut appended = "~".repeat(input.dst.offset());
            let out = isa.utf16_to_utf8_lossy_append(units, &mut appended);
            let expected = outcome(units, false, usize::MAX);
            let expected = LossyOutcome { read: expected.read / 2, ..expected };
            same(isa, "utf16_to_utf8_lossy_append", out, expected);
            same(isa, "utf16_to_utf8_lossy_append", &appended[input.dst.offset()..], &text);
        }
        4 => {
            let replacements = outcome(units, false, usize::MAX).replacements;
            same(Isa::best(), "free", fastutf::from_utf16_lossy_counted(units), (text, replacements));
        }
        _ => {
            let mut dst = Buffer::<u16>::new(input.dst, units.len());
            dst.get().copy_from_slice(units);
            let replacements = isa.make_well_formed_utf16(dst.get());
            same(isa, "make_well_formed_utf16", replacements, outcome(units, false, usize::MAX).replacements);
            let repaired: Vec<u16> = text.encode_utf16().collect();
            dst.assert_holds(&repaired, isa, "make_well_formed_utf16");
        }
    }
}

/// One of five operations, 3 to 7, on bytes.
fn in_bytes(input: &Input, units: &[u16], src: &[u8], isa: Isa, order: &Order, operation: usize) {
    let what = order.name;
    let odd = src.len() % 2 == 1;
    let text: String = items(units, odd).map(|(_, char)| char.unwrap_or('\u{FFFD}')).collect();
    match operation {
        3 => {
            let all = outcome(units, odd, usize::MAX);
            same(isa, what, (order.decode)(isa, src), (text, all.replacements));
        }
        4 => same(isa, what, (order.len)(isa, src), text.len()),
        5 => {
            let mut appended = "~".repeat(input.dst.offset());
            let out = (order.append)(isa, src, &mut appended);
            same(isa, what, out, outcome(units, odd, usize::MAX));
            same(isa, what, &appended[input.dst.offset()..], &text);
        }
        6 => {
            let room = input.room(text.len(), 3 * (units.len() + 1));
            let expected = outcome(units, odd, room);
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, what, (order.convert)(isa, src, dst.get()), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, what);
        }
        _ => {
            let repaired: String = items(units, false).map(|(_, char)| char.unwrap_or('\u{FFFD}')).collect();
            let mut bytes = in_order(&repaired.encode_utf16().collect::<Vec<_>>(), order.order);
            // An odd last byte stays.
            bytes.extend(&src[bytes.len()..]);
            let mut dst = Buffer::<u8>::new(input.dst, src.len());
            dst.get().copy_from_slice(src);
            let replacements = (order.repair)(isa, dst.get());
            same(isa, what, replacements, outcome(units, false, usize::MAX).replacements);
            dst.assert_holds(&bytes, isa, what);
        }
    }
}
