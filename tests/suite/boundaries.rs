//! Errors at every offset, and every change from one kind of text to another. They occur in blocks, in tails, and in
//! the loops that a kernel has for each kind of text, at every offset of a block.

use crate::common::{Checker, Filler, one_in, one_in_emulated};

/// Ill-formed sequences of each kind, and truncated characters, which the text after them cannot complete.
const WRONG: [&[u8]; 24] = [
    b"\x80",
    b"\xBF\xBF",
    b"\xC0\xAF",
    b"\xC1\xBF",
    b"\xC3",
    b"\xDF",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE2",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA1\x8C\xED\xBE\xB4",
    b"\xF0",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x9F",
    b"\xF0\x9F\x92",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFE",
    b"\xFF",
];

/// `len` bytes with `wrong` at `offset`, which is cut at the end of the text.
fn with_error(before: Filler, offset: usize, wrong: &[u8], after: Filler, len: usize) -> Vec<u8> {
    let mut bytes = before.before(offset);
    bytes.extend_from_slice(wrong);
    bytes.truncate(len);
    bytes.extend(after.after(len - bytes.len()));
    bytes
}

fn lengths_and_offsets(lengths: impl Iterator<Item = usize>) {
    let mut check = Checker::new(1);
    let thin = one_in(20);
    for len in lengths {
        for offset in 0..=len {
            // At least one filler and one error for each length and offset.
            let always = (check.rng.pick(&Filler::ALL), check.rng.pick(&WRONG));
            for filler in Filler::ALL {
                for wrong in WRONG {
                    if (filler, wrong) == always || check.keep(thin) {
                        check.utf8(&with_error(filler, offset, wrong, filler, len));
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_at_every_offset_of_every_length_to_128() {
    lengths_and_offsets(0..=128);
}

#[test]
fn an_error_at_every_offset_of_every_length_to_192() {
    lengths_and_offsets(129..=192);
}

#[test]
fn valid_text_of_every_length() {
    let mut check = Checker::new(2);
    for filler in Filler::ALL {
        for len in 0..=600 {
            if check.keep(one_in_emulated()) {
                check.utf8(&filler.before(len));
                check.utf8(&filler.after(len));
            }
        }
    }
}

#[test]
fn buffers_of_every_size() {
    let mut check = Checker::new(3);
    for filler in Filler::ALL {
        for len in (0..=80).chain([127, 128, 129, 191, 192, 200, 255, 256, 257, 300, 523]) {
            if len > 80 || check.keep(one_in(4)) {
                check.utf8_every_room(&filler.before(len));
                let wrong = check.rng.pick(&WRONG);
                check.utf8_every_room(&with_error(filler, len, wrong, filler, len + wrong.len() + 70));
            }
        }
    }
}

/// In texts of several KB, with room for the whole text: if the buffer ends where the error is, vector loops stop
/// before they reach the error.
#[test]
fn an_error_at_every_offset_of_two_blocks_deep_in_a_text() {
    let mut check = Checker::new(4);
    for offset in 3000..3000 + 512 {
        for wrong in WRONG {
            let always = check.rng.pick(&Filler::ALL);
            for filler in Filler::ALL {
                if check.keep(if filler == always { one_in_emulated() } else { one_in(12) }) {
                    check.utf8(&with_error(filler, offset, wrong, filler, 4700));
                }
            }
        }
    }
}

#[test]
fn an_error_between_two_kinds_of_text_at_every_offset() {
    let mut check = Checker::new(5);
    for before in Filler::ALL {
        for after in Filler::ALL {
            for offset in 300..300 + 256 {
                let always = check.rng.pick(&WRONG);
                for wrong in WRONG {
                    if check.keep(if wrong == always { one_in_emulated() } else { one_in(25) }) {
                        check.utf8(&with_error(before, offset, wrong, after, offset + 700));
                    }
                }
            }
        }
    }
}

/// Where many bytes are checked together, equal errors must not cancel out.
#[test]
fn many_equal_bytes_after_ascii() {
    let mut check = Checker::new(93);
    for wrong in [b"\x80\x80", b"\0\x80", b"\x80\0", b"\xFF\xFF", b"\xC3\xC3"] {
        for offset in 0..=130 {
            for len in [64, 260] {
                for before in ["", &format!("{}é{}", "a".repeat(70), "a".repeat(120))] {
                    let parts = [before.as_bytes(), &vec![b'a'; offset], &wrong.repeat(len / 2)];
                    check.utf8(&parts.concat());
                }
            }
        }
    }
}

/// A block in long ASCII that had another character before may be checked by simple rules: all strings of three bytes of
/// different kinds, at each offset.
#[test]
fn three_bytes_in_ascii_after_a_character() {
    const KINDS: [u8; 9] = [b'a', 0x80, 0xBF, 0xC1, 0xC3, 0xDF, 0xE1, 0xF1, 0xFF];
    let mut check = Checker::new(95);
    let before = format!("{}é{}", "a".repeat(70), "a".repeat(150));
    for first in KINDS {
        for second in KINDS {
            for third in KINDS {
                for offset in 0..=64 {
                    if check.keep(one_in(2)) {
                        let string = [first, second, third];
                        let text = [before.as_bytes(), &vec![b'a'; offset], &string, &[b'a'; 130]];
                        check.utf8(&text.concat());
                    }
                }
            }
        }
    }
}

/// A truncated character right before a run of ASCII, and in each of the last places before the end.
#[test]
fn a_character_cut_short_before_ascii_and_before_the_end() {
    let mut check = Checker::new(6);
    for cut in [&b"\xC3"[..], b"\xE2", b"\xE2\x82", b"\xF0", b"\xF0\x9F", b"\xF0\x9F\x92"] {
        for filler in Filler::ALL {
            for offset in 0..320 {
                for ascii in [0, 1, 2, 3, 15, 31, 63, 64, 127, 300] {
                    let edge = offset % 64 > 58 || offset % 16 > 12;
                    if check.keep(if edge { one_in_emulated() } else { one_in(6) }) {
                        check.utf8(&with_error(filler, offset, cut, Filler::Ascii, offset + cut.len() + ascii));
                    }
                }
            }
        }
    }
}

/// From every kind of text to every other and back, with a first part of every length up to some blocks. The text is
/// valid, or has a stray continuation byte after the first part.
#[test]
fn kinds_of_text_follow_each_other() {
    let mut check = Checker::new(7);
    for first in Filler::PLAIN {
        for second in Filler::PLAIN {
            for len in 0..600 {
                if !check.keep(one_in(2)) {
                    continue;
                }
                let run = check.rng.below(300);
                let mut bytes = first.before(len);
                bytes.extend(second.after(run));
                bytes.extend(first.after(200));
                check.utf8(&bytes);
                bytes.insert(len, 0x80 | check.rng.below(64) as u8);
                check.utf8(&bytes);
            }
        }
    }
    for len in 0..200 {
        // ASCII, characters of 2, 3 and 4 bytes, and back: parts of nearly the same length.
        let mut bytes = Vec::new();
        for kind in [0, 1, 2, 3, 0, 3, 2, 1, 0] {
            bytes.extend(Filler::PLAIN[kind].after(len + check.rng.below(8)));
        }
        check.utf8(&bytes);
        let at = check.rng.below(bytes.len() + 1);
        bytes.insert(at, check.rng.pick(&[0x80, 0xC3, 0xE2, 0xF0, 0xFF]));
        check.utf8(&bytes);
    }
}

/// Errors after runs of more than 128 blocks of 256 bytes, which is how long a loop may stay in one mode.
#[test]
fn an_error_after_a_very_long_run() {
    let mut check = Checker::new(8);
    for before in Filler::ALL {
        for after in Filler::PLAIN {
            for wrong in WRONG {
                if check.keep(one_in(4)) {
                    let offset = 33_000 + check.rng.below(30_000);
                    check.utf8(&with_error(before, offset, wrong, after, offset + 600));
                }
            }
        }
    }
}

/// The same text, shifted: each character of the corpora at each offset of a block.
#[test]
fn long_texts_at_every_phase() {
    let mut check = Checker::new(9);
    for filler in Filler::ALL {
        for phase in 0..256 {
            if !check.keep(one_in_emulated()) {
                continue;
            }
            let mut bytes = Filler::Ascii.before(phase);
            bytes.extend(filler.after(2000 + check.rng.below(300)));
            check.utf8(&bytes);
        }
        check.utf8(&filler.after(70_000));
    }
}

/// Characters of one length with a little ASCII in between, as in Chinese with line feeds and numbers. A loop for such
/// characters continues after the ASCII, or gives up.
#[test]
fn long_runs_with_a_little_ascii_between() {
    let mut check = Checker::new(10);
    for filler in [Filler::Two, Filler::Three, Filler::Four] {
        for most in [2, 6, 12, 20, 40, 100, 300] {
            for _ in 0..30 {
                // Long enough for the loop to be entered.
                let mut bytes = filler.before(1200 - check.rng.below(300));
                while bytes.len() < 2600 {
                    let ascii = 1 + check.rng.below(9);
                    bytes.extend(Filler::Ascii.before(1 + check.rng.below(ascii)));
                    bytes.extend(filler.after(4 * (1 + check.rng.below(most))));
                }
                check.utf8(&bytes);
                let at = 900 + check.rng.below(1500);
                bytes[at] = check.rng.pick(&[0x80, 0xBF, 0xC1, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF, b'x']);
                check.utf8(&bytes);
            }
        }
    }
}
