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
    match input.choice.turn(12) {
        turn @ 0..4 => native(&input, units, isa, turn),
        turn => {
            let order = Order::of(turn);
            let swapped = order.swapped(&input);
            let src = swapped.as_ref().map_or(le, Placed::get);
            in_bytes(&input, units, src, isa, order, turn / 2);
        }
    }
}

/// One of four operations on code units.
fn native(input: &Input, units: &[u16], isa: Isa, turn: usize) {
    let oracle = LossyUtf16::new(units, false);
    let LossyUtf16 { text, replacements, .. } = &oracle;
    match turn {
        0 => same(isa, "from_utf16_lossy", &isa.from_utf16_lossy(units), text),
        1 => same(isa, "utf8_len_from_utf16_lossy", isa.utf8_len_from_utf16_lossy(units), text.len()),
        2 => {
            let append = |all: &mut String| told(isa.utf16_to_utf8_lossy_append(units, all));
            input.appends_text(
                "utf16_to_utf8_lossy_append",
                oracle.outcome(units.len(), 2, usize::MAX),
                text,
                append,
            );
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

/// One of four operations, 2 to 5, on bytes.
fn in_bytes(input: &Input, units: &[u16], src: &[u8], isa: Isa, order: Order, operation: usize) {
    let what = if matches!(order, Order::Little) { "utf16le, lossy" } else { "utf16be, lossy" };
    let odd = src.len() % 2 == 1;
    let oracle = LossyUtf16::new(units, odd);
    let LossyUtf16 { text, replacements, .. } = &oracle;
    match operation {
        2 => {
            let decoded = in_order!(order, isa, from_utf16le_lossy_counted, from_utf16be_lossy_counted, (src));
            same(isa, what, decoded, (text.clone(), *replacements));
        }
        3 => {
            let len = in_order!(order, isa, utf8_len_from_utf16le_lossy, utf8_len_from_utf16be_lossy, (src));
            same(isa, what, len, text.len());
        }
        4 => input.appends_text(what, oracle.outcome(src.len(), 1, usize::MAX), text, |all| {
            told(in_order!(order, isa, utf16le_to_utf8_lossy_append, utf16be_to_utf8_lossy_append, (src, all)))
        }),
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
