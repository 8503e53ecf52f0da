//! UTF-16 with replacements, against the standard library.

use fastutf::{Isa, LossyConversion, Stop};

use crate::input::{Buffer, Input};
use crate::same;

/// How far a conversion is after a character: bytes read, bytes of UTF-8 written, replacements.
type Place = [usize; 3];

/// The text of these code units and of half of another one, if there is one, and where its characters end.
fn places(units: &[u16], odd: bool) -> (String, Vec<Place>) {
    let mut text = String::new();
    let mut places = vec![[0; 3]];
    let mut push = |char: Option<char>, read: usize| {
        let [before, _, replacements] = places[places.len() - 1];
        text.push(char.unwrap_or('\u{FFFD}'));
        places.push([before + read, text.len(), replacements + usize::from(char.is_none())]);
    };
    for char in char::decode_utf16(units.iter().copied()) {
        push(char.clone().ok(), char.map_or(2, |char| 2 * char.len_utf16()));
    }
    if odd {
        push(None, 1);
    }
    (text, places)
}

/// The outcome in so much room.
fn outcome(places: &[Place], room: usize) -> LossyConversion {
    let place = places[places.partition_point(|place| place[1] <= room) - 1];
    let stop = if place == places[places.len() - 1] { Stop::Complete } else { Stop::OutputFull };
    LossyConversion { read: place[0], written: place[1], replacements: place[2], stop }
}

/// The operations of one byte order.
struct Order {
    name: &'static str,
    decode: fn(Isa, &[u8]) -> (String, usize),
    convert: fn(Isa, &[u8], &mut [u8]) -> LossyConversion,
    append: fn(Isa, &[u8], &mut String) -> LossyConversion,
    len: fn(Isa, &[u8]) -> usize,
    repair: fn(Isa, &mut [u8]) -> usize,
    bytes: fn(u16) -> [u8; 2],
}

const LITTLE: Order = Order {
    name: "utf16le",
    decode: Isa::from_utf16le_lossy_counted,
    convert: Isa::utf16le_to_utf8_lossy,
    append: Isa::utf16le_to_utf8_lossy_append,
    len: Isa::utf8_len_from_utf16le_lossy,
    repair: Isa::to_well_formed_utf16le,
    bytes: u16::to_le_bytes,
};
const BIG: Order = Order {
    name: "utf16be",
    decode: Isa::from_utf16be_lossy_counted,
    convert: Isa::utf16be_to_utf8_lossy,
    append: Isa::utf16be_to_utf8_lossy_append,
    len: Isa::utf8_len_from_utf16be_lossy,
    repair: Isa::to_well_formed_utf16be,
    bytes: u16::to_be_bytes,
};

/// Runs one input through all operations that replace what is ill-formed in UTF-16.
pub fn lossy_utf16(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, be, units) = (input.src.get(), input.swapped(), input.units());
    let (be, units) = (be.get(), units.get());
    let (text, all) = places(units, le.len() % 2 == 1);
    let (native, native_all) = places(units, false);
    let repaired: Vec<u16> = native.encode_utf16().collect();
    let room = input.room(text.len(), 3 * (units.len() + 1));

    for isa in Isa::available() {
        for (src, order) in [(le, LITTLE), (be, BIG)] {
            let what = order.name;
            same(isa, what, (order.decode)(isa, src), (text.clone(), all[all.len() - 1][2]));
            same(isa, what, (order.len)(isa, src), text.len());
            let mut appended = "~".repeat(input.dst_offset);
            same(isa, what, (order.append)(isa, src, &mut appended), outcome(&all, usize::MAX));
            same(isa, what, &appended[input.dst_offset..], &text);

            let expected = outcome(&all, room);
            let mut dst = Buffer::<u8>::new(input.dst_offset, room);
            same(isa, what, (order.convert)(isa, src, dst.get()), expected);
            dst.assert_holds(&text.as_bytes()[..expected.written], isa, what);

            // An odd last byte stays.
            let mut bytes: Vec<u8> = repaired.iter().copied().flat_map(order.bytes).collect();
            bytes.extend(&src[bytes.len()..]);
            let mut dst = Buffer::<u8>::new(input.dst_offset, src.len());
            dst.get().copy_from_slice(src);
            same(isa, what, (order.repair)(isa, dst.get()), native_all[native_all.len() - 1][2]);
            dst.assert_holds(&bytes, isa, what);
        }

        let in_units = |outcome: LossyConversion| LossyConversion { read: outcome.read / 2, ..outcome };
        same(isa, "from_utf16_lossy", isa.from_utf16_lossy(units), native.clone());
        same(isa, "utf8_len_from_utf16_lossy", isa.utf8_len_from_utf16_lossy(units), native.len());
        let expected = outcome(&native_all, room);
        let mut dst = Buffer::<u8>::new(input.dst_offset, room);
        same(isa, "utf16_to_utf8_lossy", isa.utf16_to_utf8_lossy(units, dst.get()), in_units(expected));
        dst.assert_holds(&native.as_bytes()[..expected.written], isa, "utf16_to_utf8_lossy");
        let mut well_formed = units.to_vec();
        isa.to_well_formed_utf16(&mut well_formed);
        same(isa, "to_well_formed_utf16", &well_formed, &repaired);
    }
}
