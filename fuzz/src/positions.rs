//! Indices of positions: the text of an input, as far as it is well-formed and with line ends in place of some other
//! characters, and some edits of it, drawn from the two bytes that are the room of others.

use fastutf::positions::Index;
use fastutf_testkit::Rng;

use crate::input::Input;
use check::{between_characters, check_some, edit};

#[path = "../../tests/suite/common/positions.rs"]
mod check;

/// Runs one input through all methods of an index, at some places.
pub fn positions(data: &[u8]) {
    let input = Input::utf8(data);
    let rng = &mut Rng::new(input.drawn() as u64);
    let isa = input.choice.isa();
    let most = rng.pick(&[2, 8, 8, 40]);
    let text = String::from_utf8_lossy(input.src.get());
    if let (0, Ok(text)) = (rng.below(4), std::str::from_utf8(input.src.get())) {
        // Where it is, next to a guard page.
        return check_some(&Index::with_isa(isa, text), text, most, 8, rng);
    }
    let one_in = rng.pick(&[1, 3, 20, 200, usize::MAX]);
    let ends = ["\n", "\r", "\r\n", "", "😀"];
    let some = |char: char, rng: &mut Rng| match rng.below(one_in) {
        0 => String::from(rng.pick(&ends)),
        _ => String::from(char),
    };
    let mut text: String = text.chars().map(|char| some(char, rng)).collect();
    if rng.below(1024) == 0 {
        // More than a chapter.
        text = text.repeat(1 + 80_000 / (text.len() + 1));
    }
    let mut index = Index::with_isa(isa, &text);
    for _ in 0..input.choice.turn(8) {
        let (at, removed) = (rng.below(text.len() + 1), rng.seldom(rng.clone().pick(&[4, 600, 40_000])));
        let range = between_characters(&text, at, removed);
        let (from, len) = (rng.below(text.len() + 1), rng.seldom(rng.clone().pick(&[4, 600, 40_000])));
        let mut new = text[between_characters(&text, from, len)].to_owned();
        new.push_str(rng.pick(&ends));
        edit(&mut index, &mut text, range, &new);
        if rng.below(8) == 0 {
            check_some(&index, &text, most, 8, rng);
        }
    }
    check_some(&index, &text, most, 8, rng);
}
