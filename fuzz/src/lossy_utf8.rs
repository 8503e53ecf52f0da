//! UTF-8 with replacements, against the standard library.

use fastutf::Isa;
use fastutf_testkit::oracle::LossyUtf8;

use crate::input::Input;
use crate::told::told;
use crate::{Order, in_order, same};

/// Runs one input through all operations that replace ill-formed UTF-8.
pub fn lossy_utf8(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    let isa = input.choice.isa();
    match input.choice.turn(9) {
        turn @ 0..5 => to_utf8(&input, src, isa, turn),
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
        _ => {
            let append = |all: &mut String| told(isa.utf8_to_utf8_lossy_append(src, all));
            input.appends_text("utf8_to_utf8_lossy_append", all(), text, append);
        }
    }
}

fn to_utf16(input: &Input, src: &[u8], isa: Isa, turn: usize) {
    let oracle = LossyUtf8::new(src);
    let units = &oracle.units[..];
    match turn {
        5 => same(isa, "utf16_len_from_utf8_lossy", isa.utf16_len_from_utf8_lossy(src), units.len()),
        6 => {
            let expected = oracle.outcome(usize::MAX, |place| place.utf16);
            let append = |all: &mut Vec<u16>| told(isa.utf8_to_utf16_lossy_append(src, all));
            input.appends("utf8_to_utf16_lossy_append", expected, units, append);
        }
        turn => {
            let order = Order::of(turn);
            let name = ["utf8_to_utf16le_lossy", "utf8_to_utf16be_lossy"][turn % 2];
            let expected = oracle.outcome(usize::MAX, |place| 2 * place.utf16);
            input.appends(name, expected, &order.bytes(units), |all| {
                told(in_order!(order, isa, utf8_to_utf16le_lossy_append, utf8_to_utf16be_lossy_append, (src, all)))
            });
        }
    }
}
