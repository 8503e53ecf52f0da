//! UTF-32: the text of an input is UTF-8, UTF-16, UTF-32 or Latin-1.

use crate::input::Input;
use crate::{room, told};
use check as utf32;
use check::{of_utf8, of_utf16};
use latin1::{of_latin1, to_latin1};

#[path = "../../tests/suite/common/utf32.rs"]
mod check;
#[path = "../../tests/suite/common/utf32_latin1.rs"]
mod latin1;

fn of_utf32(input: &Input, units: &[u32], trailing: &[u8], room: usize) {
    if input.odd == 0 {
        check::of_utf32(input.parts(31), units, trailing, room);
    } else {
        to_latin1(input.parts(15), units, trailing, room);
    }
}

/// Runs one input through all operations on UTF-32.
pub fn utf32(data: &[u8]) {
    let input = Input::utf8(data);
    let src = input.src.get();
    match input.choice.turn(6) {
        0 => of_utf8(input.parts(13), src, input.room(src.len(), src.len())),
        // Any bytes as code units, most of which are no characters.
        1 => {
            let (units, trailing) = src.as_chunks::<4>();
            let units: Vec<u32> = units.iter().map(|&unit| u32::from_be_bytes(unit) >> (src.len() % 24)).collect();
            of_utf32(&input, &units, trailing, input.room(units.len(), 4 * units.len()));
        }
        // Characters, and a few bytes.
        2 => {
            let units: Vec<u32> = String::from_utf8_lossy(src).chars().map(u32::from).collect();
            of_utf32(&input, &units, &src[..src.len() % 4], input.room(units.len(), src.len()));
        }
        // The same with a code unit that is no character.
        3 => {
            let mut units: Vec<u32> = String::from_utf8_lossy(src).chars().map(u32::from).collect();
            let at = src.len() % units.len().max(1);
            if let Some(unit) = units.get_mut(at) {
                *unit = if *unit & 1 == 0 { 0xD800 | *unit & 0x7FF } else { 0x11_0000 + *unit };
            }
            of_utf32(&input, &units, &[], input.room(units.len(), src.len()));
        }
        4 => of_latin1(input.parts(3), src, input.room(src.len(), src.len())),
        _ => {
            let input = Input::utf16(data);
            let units = input.units();
            let odd = input.src.get().as_chunks::<2>().1.first().copied();
            of_utf16(input.parts(12), units.get(), odd, input.room(units.get().len(), units.get().len() + 1));
        }
    }
}
