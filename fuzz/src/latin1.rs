//! Latin-1: the text of an input is UTF-8, UTF-16, or Latin-1 itself.

use crate::input::Input;
use crate::{room, told};
use check::{of_latin1, of_utf8, of_utf16};

#[path = "../../tests/suite/common/latin1.rs"]
mod check;
#[path = "../../tests/suite/common/narrowest.rs"]
mod narrowest;
#[path = "../../tests/suite/common/narrowest_chars.rs"]
mod narrowest_chars;

/// Runs one input through all operations on Latin-1.
pub fn latin1(data: &[u8]) {
    let input = Input::utf8(data);
    let (isa, src) = (input.choice.isa(), input.src.get());
    match input.choice.turn(8) {
        0 => of_latin1(input.parts(5), src, input.room(src.len(), 2 * src.len())),
        1 => of_utf8(input.parts(7), src, input.room(src.len(), src.len())),
        // Any bytes as Latin-1, in UTF-8: all well-formed.
        2 => {
            let text: String = src.iter().map(|&byte| char::from(byte)).collect();
            of_utf8(input.parts(7), text.as_bytes(), input.room(src.len(), src.len()));
        }
        3 => {
            let units: Vec<u16> = src.iter().map(|&byte| u16::from(byte)).collect();
            of_utf16(input.parts(16), &units, None, input.room(src.len(), src.len()));
        }
        4 => {
            narrowest::of_utf8(isa, src);
            narrowest_chars::of_utf8(isa, src);
        }
        5 => {
            let text: String = src.iter().map(|&byte| char::from(byte)).collect();
            narrowest::of_utf8(isa, text.as_bytes());
        }
        6 => {
            let input = Input::utf16(data);
            let units = input.units();
            let odd = input.src.get().as_chunks::<2>().1.first().copied();
            narrowest::of_utf16(isa, units.get(), odd);
            narrowest_chars::of_utf16(isa, units.get());
        }
        _ => {
            let input = Input::utf16(data);
            let units = input.units();
            let odd = input.src.get().as_chunks::<2>().1.first().copied();
            of_utf16(input.parts(16), units.get(), odd, input.room(units.get().len(), units.get().len() + 1));
        }
    }
}
