//! Every conversion of the table that the tests have, too.

use fastutf::Isa;
use fastutf_testkit::oracle::form::Form;

use crate::input::Input;
use crate::memory::Placed;
use crate::pairs::{Pair, Text, check, pairs};
use crate::room::Parts;

/// Runs one input through a conversion: any bytes, or text in the form that it takes, of which one byte may be wrong.
pub fn conversions(data: &[u8]) {
    thread_local!(static PAIRS: Vec<Pair> = pairs());
    let input = Input::utf8(data);
    let turn = input.choice.turn(4);
    let input = if turn == 0 { input } else { Input::utf16(data) };
    let mut text = input.src.get().to_vec();
    PAIRS.with(|pairs| {
        let (pair, drawn) = (&pairs[input.drawn() % pairs.len()], input.drawn() / pairs.len());
        let form = pair.from;
        if turn > 1 {
            let points = Form::Utf16Le.items(&text).into_iter().filter_map(|item| item.point);
            text = form.encode(points.filter(|&point| form.has(point)));
        }
        if turn == 3 && !text.is_empty() {
            let at = drawn % text.len();
            text[at] ^= 1 << (drawn % 8);
        }
        let isas = [input.choice.isa(), Isa::SCALAR];
        // By other bits than the pair and the room.
        let parts = Parts { first: (input.choice.turn(16) / 4 + 4 * input.odd) % 7, ..input.parts(7) };
        if matches!(form, Form::Utf16 | Form::Utf32) {
            text.truncate(text.len() / form.unit() * form.unit());
            check(pair, &isas, Text::new(form, &text).view(), drawn, &parts);
        } else {
            check(pair, &isas, Placed::copy(input.dst, &text).get(), drawn, &parts);
        }
    });
}
