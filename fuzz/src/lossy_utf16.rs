//! UTF-16 with replacements, against the standard library.

use fastutf::Isa;
use fastutf_testkit::oracle::LossyUtf16;

use crate::input::Input;
use crate::memory::{Buffer, Placed};
use crate::told::told;
use crate::{Order, in_order, same};

/// Runs one input through all operations that replace ill-formed UTF-16.
pub fn lossy_utf16(data: &[u8]) {
    let input = Input::utf16(data);
    let (le, units) = (input.src.get(), input.units());
    let units = units.get();
    let isa = input.choice.isa();
    match input.choice.turn(16) {
        turn @ 0..6 => native(&input, units, isa, turn),
        turn => {
            let order = Order::of(turn);
            let swapped = order.swapped(&input);
            let src = swapped.as_ref().map_or(le, Placed::get);
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
            let convert = |dst: &mut [u8]| told(isa.utf16_to_utf8_lossy(units, dst));
            input.fills("utf16_to_utf8_lossy", room, outcome(room), text.as_bytes(), convert);
        }
        3 => {
            let append = |all: &mut String| told(isa.utf16_to_utf8_lossy_append(units, all));
            input.appends_text("utf16_to_utf8_lossy_append", outcome(usize::MAX), text, append);
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
fn in_bytes(input: &Input, units: &[u16], src: &[u8], isa: Isa, order: Order, operation: usize) {
    let what = if matches!(order, Order::Little) { "utf16le, lossy" } else { "utf16be, lossy" };
    let odd = src.len() % 2 == 1;
    let oracle = LossyUtf16::new(units, odd);
    let LossyUtf16 { text, replacements, .. } = &oracle;
    let outcome = |room| oracle.outcome(src.len(), 1, room);
    match operation {
        3 => {
            let decoded = in_order!(order, isa, from_utf16le_lossy_counted, from_utf16be_lossy_counted, (src));
            same(isa, what, decoded, (text.clone(), *replacements));
        }
        4 => {
            let len = in_order!(order, isa, utf8_len_from_utf16le_lossy, utf8_len_from_utf16be_lossy, (src));
            same(isa, what, len, text.len());
        }
        5 => input.appends_text(what, outcome(usize::MAX), text, |all| {
            told(in_order!(order, isa, utf16le_to_utf8_lossy_append, utf16be_to_utf8_lossy_append, (src, all)))
        }),
        6 => {
            let room = input.room(text.len(), 3 * (units.len() + 1));
            input.fills(what, room, outcome(room), text.as_bytes(), |dst| {
                told(in_order!(order, isa, utf16le_to_utf8_lossy, utf16be_to_utf8_lossy, (src, dst)))
            });
        }
        _ => {
            let mut bytes = order.bytes(&oracle.well_formed);
            // An odd last byte stays as it is.
            bytes.extend(&src[bytes.len()..]);
            let mut dst = Buffer::<u8>::new(input.dst, src.len());
            dst.get().copy_from_slice(src);
            let repaired = in_order!(order, isa, make_well_formed_utf16le, make_well_formed_utf16be, (dst.get()));
            same(isa, what, repaired, replacements - usize::from(odd));
            dst.assert_holds(&bytes, isa, what);
        }
    }
}
