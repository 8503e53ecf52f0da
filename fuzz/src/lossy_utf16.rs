//! UTF-16 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion};
use fastutf_testkit::oracle::LossyUtf16;

use crate::input::Input;
use crate::memory::Buffer;
use crate::same;
use crate::told::told;

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

/// Runs one input through all operations that replace ill-formed UTF-16.
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
    let oracle = LossyUtf16::new(units, false);
    let LossyUtf16 { text, replacements, .. } = &oracle;
    let outcome = |room| oracle.outcome(units.len(), 2, room);
    match turn {
        0 => same(isa, "from_utf16_lossy", &isa.from_utf16_lossy(units), text),
        1 => same(isa, "utf8_len_from_utf16_lossy", isa.utf8_len_from_utf16_lossy(units), text.len()),
        2 => {
            let room = input.room(text.len(), 3 * units.len());
            let expected = outcome(room);
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, "utf16_to_utf8_lossy", told(isa.utf16_to_utf8_lossy(units, dst.get())), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, "utf16_to_utf8_lossy");
        }
        3 => {
            let mut appended = "~".repeat(input.dst.offset());
            let out = isa.utf16_to_utf8_lossy_append(units, &mut appended);
            let expected = outcome(usize::MAX);
            same(isa, "utf16_to_utf8_lossy_append", told(out), expected);
            same(isa, "utf16_to_utf8_lossy_append", &appended[input.dst.offset()..], text);
        }
        4 => {
            let expected = (text.clone(), *replacements);
            same(Isa::best(), "free", fastutf::from_utf16_lossy_counted(units), expected);
        }
        _ => {
            let mut dst = Buffer::<u16>::new(input.dst, units.len());
            dst.get().copy_from_slice(units);
            let repaired = isa.make_well_formed_utf16(dst.get());
            same(isa, "make_well_formed_utf16", repaired, *replacements);
            dst.assert_holds(&oracle.well_formed, isa, "make_well_formed_utf16");
        }
    }
}

/// One of five operations, 3 to 7, on bytes.
fn in_bytes(input: &Input, units: &[u16], src: &[u8], isa: Isa, order: &Order, operation: usize) {
    let what = order.name;
    let odd = src.len() % 2 == 1;
    let oracle = LossyUtf16::new(units, odd);
    let LossyUtf16 { text, replacements, .. } = &oracle;
    let outcome = |room| oracle.outcome(src.len(), 1, room);
    match operation {
        3 => same(isa, what, (order.decode)(isa, src), (text.clone(), *replacements)),
        4 => same(isa, what, (order.len)(isa, src), text.len()),
        5 => {
            let mut appended = "~".repeat(input.dst.offset());
            let out = (order.append)(isa, src, &mut appended);
            same(isa, what, told(out), outcome(usize::MAX));
            same(isa, what, &appended[input.dst.offset()..], text);
        }
        6 => {
            let room = input.room(text.len(), 3 * (units.len() + 1));
            let expected = outcome(room);
            let mut dst = Buffer::<u8>::new(input.dst, room);
            same(isa, what, told((order.convert)(isa, src, dst.get())), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, what);
        }
        _ => {
            let mut bytes = order.order.bytes(&oracle.well_formed);
            // An odd last byte stays as it is.
            bytes.extend(&src[bytes.len()..]);
            let mut dst = Buffer::<u8>::new(input.dst, src.len());
            dst.get().copy_from_slice(src);
            let repaired = (order.repair)(isa, dst.get());
            same(isa, what, repaired, replacements - usize::from(odd));
            dst.assert_holds(&bytes, isa, what);
        }
    }
}
