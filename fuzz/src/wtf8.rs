//! WTF-8 and modified UTF-8: the text of an input is one of these, UTF-8 or UTF-16.

use fastutf_testkit::oracle::Form;

use crate::input::Input;
use crate::{room, told};
use check::{of_mutf8, of_utf8, of_utf16, of_wtf8};

#[path = "../../tests/suite/common/wtf8.rs"]
mod check;

/// Runs one input through all operations on WTF-8 and modified UTF-8.
pub fn wtf8(data: &[u8]) {
    let input = Input::utf8(data);
    let (isa, src) = (input.choice.isa(), input.src.get());
    let room = input.room(src.len(), 2 * src.len());
    match input.choice.turn(6) {
        0 => of_wtf8(input.parts(6), src, room),
        1 => of_mutf8(input.parts(8), src, room),
        2 => of_utf8(isa, src, room),
        turn => {
            let input = Input::utf16(data);
            let units = input.units();
            let units = units.get();
            // Well-formed in one of the forms.
            let form = [Form::Wtf8, Form::Mutf8][turn % 2];
            let bytes = form.from_utf16(units, usize::MAX).1;
            let room = input.room(bytes.len(), 3 * units.len());
            match (turn, form) {
                (5, _) => {
                    let odd = input.src.get().as_chunks::<2>().1.first().copied();
                    of_utf16(input.parts(9), units, odd, room);
                }
                (_, Form::Wtf8) => of_wtf8(input.parts(6), &bytes, room),
                _ => of_mutf8(input.parts(8), &bytes, room),
            }
        }
    }
}
