//! UTF-8 to UTF-16: what a block makes of each byte and the three before it.
//!
//! A kernel sees a byte with the three before it, in four vectors. Here these vectors need not overlap, so that each
//! place has a window of its own: the one to be tested at one place, others at all other places, whose bits would show
//! if anything leaked from one place to the next.

use std::collections::BTreeSet;
use std::vec;
use std::vec::Vec;

use super::*;
use crate::proof::classes::{COUNT, NUMBERS, State, class, number, of_bytes, representative, strings};
use crate::simd::tests::on_all_lanes;

/// The bytes 0 to 3 places before each.
#[derive(Clone, Copy)]
struct Apart<S: Lanes>([S::V; 4]);

impl<S: Lanes> View<S> for Apart<S> {
    #[inline(always)]
    fn prev(&self, _: S, _: usize, n: usize) -> S::V {
        self.0[n]
    }
}

/// Four bytes of which the last ends a unit, with as few bits set as possible and with as many: the first two for all
/// blocks, the others for those with characters of 3 and of 4 bytes. And the unit.
const BESIDE: [([u8; 4], u16); 4] = [
    ([0; 4], 0),
    ([0x7F, 0x7F, 0xDF, 0xBF], 0x7FF),
    ([0x7F, 0xEF, 0xBF, 0xBF], 0xFFFF),
    ([0xF4, 0x8F, 0xBF, 0xBF], 0xDFFF),
];

/// The word at a place of the first vector.
#[inline(always)]
fn word<S: Lanes>(isa: S, units: &Units<S>, k: usize) -> u16 {
    let mut bytes = [[0; 32]; 2];
    isa.overwrite(&mut bytes[0], 0, units.words[k / S::WIDTH].0);
    isa.overwrite(&mut bytes[1], 0, units.words[k / S::WIDTH].1);
    let (lane, at) = (k % S::WIDTH / 16, k % 16);
    u16::from_le_bytes(*bytes[at / 8][16 * lane + 2 * (at % 8)..].first_chunk().unwrap())
}

/// The word at `place` if its window is `window` (the byte itself is the last), whether a unit ends at the place
/// before, and whether it is the third of 4; `None` if it is refused. `longest` is that of the block.
#[inline(always)]
fn unit<S: Lanes>(isa: S, longest: u8, window: [u8; 4], place: usize, beside: usize) -> Option<(u16, bool, bool)> {
    let mut here = [0; 32];
    here[place] = 0xFF;
    let here = isa.load(&here, 0);
    let (others, other_word) = BESIDE[beside % usize::from(longest)];
    let byte = |n: usize| isa.select(here, isa.splat8(window[3 - n]), isa.splat8(others[3 - n]));
    let view = Apart::<S>([byte(0), byte(1), byte(2), byte(3)]);
    let units = match longest {
        2 => Units::of_2_bytes(isa, view, S::WIDTH, true),
        3 => Units::of_more(isa, view, S::WIDTH, true, false),
        _ => Units::of_more(isa, view, S::WIDTH, true, true),
    }?;
    assert_eq!(word(isa, &units, place ^ 1), other_word, "beside {window:02X?}");
    let bit = |mask: u64, k: usize| mask >> k & 1 == 1;
    assert_eq!(units.thirds & !(1 << place), 0);
    Some((word(isa, &units, place), place == 0 || bit(units.ends, place - 1), bit(units.thirds, place)))
}

/// The bytes that a block with characters of up to 2, 3 or 4 bytes may have in all places but the last.
fn most(longest: u8) -> u8 {
    [0xDF, 0xEF, 0xFF][usize::from(longest) - 2]
}

/// What is before a byte: the classes of three bytes, and how far a text that ends with these has got.
type Before = ([usize; 3], State);

/// All that may be before a byte if no block has refused anything, and checks all that follows from that. `accepted`
/// has for each length and each window of four classes whether it is accepted.
fn reachable(name: &str, accepted: &[Vec<bool>; 3]) -> BTreeSet<Before> {
    let start = ([class(0); 3], State::Boundary);
    let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some((before, state)) = open.pop() {
        for next in 0..COUNT {
            let byte = representative(next);
            let [a, b, c] = before;
            let window = number(&[a, b, c, next]);
            // Blocks of ASCII are not looked at, but what is before the first byte is.
            let mut passes =
                next == 0 && (c == 0 || !crate::kernels::validate_utf8::is_cut(&before.map(representative)));
            for longest in 2..=4 {
                if before.iter().all(|&class| representative(class) <= most(longest)) {
                    let ok = accepted[usize::from(longest) - 2][window];
                    passes |= ok;
                    // Well-formed text is not refused.
                    assert!(ok || state.after(byte) == State::Wrong, "{name}: {before:?} {next} refused");
                }
            }
            if !passes {
                continue;
            }
            let after = state.after(byte);
            if after == State::Wrong {
                // It is the last lead byte that is wrong, or the byte after it, and more must follow: what a block
                // that ends here emits of this character is taken back.
                let lead = byte >= 0xC0 && state == State::Boundary;
                let second = (0x80..0xC0).contains(&byte) && representative(c) >= 0xE0;
                assert!(lead || second, "{name}: {byte:02X} accepted after {before:?}");
            }
            let after = ([b, c, next], after);
            if found.insert(after) {
                open.push(after);
            }
        }
    }
    found
}

/// The unit that ends at the last byte of a window of well-formed text, if one can, by the definition of UTF-8 and
/// UTF-16. `state` is that before the byte.
fn expected([a, b, c, d]: [u8; 4], state: State) -> Option<u16> {
    let bits = |byte: u8, mask: u8| u32::from(byte & mask);
    let fourth = |a, b, c, d| (bits(a, 7) << 18 | bits(b, 63) << 12 | bits(c, 63) << 6 | bits(d, 63)) - 0x1_0000;
    Some(match state.after(d) {
        State::Boundary if d < 0x80 => u16::from(d),
        State::Boundary if c >= 0xC0 => (bits(c, 31) << 6 | bits(d, 63)) as u16,
        State::Boundary if b >= 0xE0 => (bits(b, 15) << 12 | bits(c, 63) << 6 | bits(d, 63)) as u16,
        State::Boundary => 0xDC00 | (fourth(a, b, c, d) & 0x3FF) as u16,
        State::Tail(1) if b >= 0xF0 => 0xD800 | (fourth(b, c, d, 0) >> 10) as u16,
        _ => return None,
    })
}

fn words<S: Lanes>(name: &str, isa: S) {
    let accepted = [2, 3, 4].map(|longest| {
        let mut accepted = vec![false; NUMBERS];
        strings::<4>(|classes| {
            let window = classes.map(representative);
            if window[..3].iter().any(|&byte| byte > most(longest)) {
                return; // There are none in such a block.
            }
            let accept = |place, beside| unit(isa, longest, window, place, beside).is_some();
            let first = accept(0, 0);
            // The same at all places.
            assert!((1..S::WIDTH).all(|place| accept(place, place % 5) == first), "{name}: {window:02X?}");
            accepted[number(&classes)] = first;
        });
        accepted
    });
    let reachable = reachable(name, &accepted);
    let class_of = of_bytes();
    let mut place = 0;
    let mut check = |longest: u8, window: [u8; 4], states: &[State]| {
        place = (place + 1) % (12 * S::WIDTH + 1);
        let got = isa.vectorize(
            #[inline(always)]
            || unit(isa, longest, window, place % S::WIDTH, place / S::WIDTH),
        );
        let classes = number(&window.map(|byte| class_of[usize::from(byte)]));
        assert_eq!(got.is_some(), accepted[usize::from(longest) - 2][classes], "{name}: {window:02X?} accepted");
        let Some((word, ends, third)) = got else { return };
        if place % S::WIDTH > 0 {
            assert_eq!(ends, window[3] & 0xC0 != 0x80, "{name}: {window:02X?} starts a character");
        }
        for &state in states {
            if let Some(want) = expected(window, state) {
                assert_eq!(word, want, "{name}: {window:02X?}");
            }
            if state.after(window[3]) != State::Wrong {
                assert_eq!(
                    third,
                    state.after(window[3]) == State::Tail(1) && window[1] >= 0xF0,
                    "{name}: {window:02X?}"
                );
            }
        }
    };
    let states = |classes: [usize; 3]| -> Vec<State> {
        reachable.range((classes, State::Boundary)..=(classes, State::Wrong)).map(|&(_, state)| state).collect()
    };
    // Of the first byte only whether it is F0 or more matters, as the next loop confirms.
    for longest in 2..=4 {
        for a in [0x61, 0xBF, 0xE1, 0x8F, 0xF1, 0xF4].into_iter().filter(|&a| a <= most(longest)) {
            for b in 0..=most(longest) {
                for c in 0..=most(longest) {
                    let states = states([a, b, c].map(|byte| class_of[usize::from(byte)]));
                    if states.is_empty() {
                        continue;
                    }
                    for d in 0..=255 {
                        check(longest, [a, b, c, d], &states);
                    }
                }
            }
        }
        for a in 0..=most(longest) {
            strings::<3>(|classes| {
                let [b, c, d] = classes.map(representative);
                let states = states([a, b, c].map(|byte| class_of[usize::from(byte)]));
                if b <= most(longest) && c <= most(longest) && !states.is_empty() {
                    check(longest, [a, b, c, d], &states);
                }
            });
        }
    }
}

#[test]
#[ignore = "all windows of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn the_unit_at_each_byte_is_that_of_its_window() {
    crate::proof::report_lanes("UTF-8 to UTF-16: units of a block", "all cases", "windows of 4 bytes", || {
        on_all_lanes!(words);
    });
}

/// The code units that end in a block.
fn emitted<S: Lanes>(isa: S, units: &Units<S>) -> Vec<u16> {
    (0..BLOCK).filter(|k| units.ends >> k & 1 == 1).map(|k| word(isa, units, k)).collect()
}

/// Two blocks at a stride of 64 bytes, as the kernel goes through them, with all strings of four classes at each place
/// of them.
fn two_blocks<S: Lanes>(name: &str, isa: S) {
    const LEN: usize = BEFORE + 2 * BLOCK + 1;
    for beside in ["a", "é", "漢", "😀"] {
        let background = beside.repeat(LEN);
        strings::<4>(|classes| {
            // One place of each seven for a string, another for the next; the place where one block ends for all.
            let some = classes.iter().sum::<usize>() % 7;
            for place in (some..LEN - 4).step_by(7).chain(BEFORE + BLOCK - 4..=BEFORE + BLOCK) {
                let mut text: [u8; LEN + 3] = [b'x'; LEN + 3];
                // Whole characters before it, and room for 3 bytes after it.
                let whole = place / beside.len() * beside.len();
                text[..whole].copy_from_slice(&background.as_bytes()[..whole]);
                text[place..place + 4].copy_from_slice(&classes.map(representative));
                let text = if place + 7 < LEN { &text[..LEN] } else { continue };
                if text[..BEFORE].iter().any(|&byte| byte >= 0x80) {
                    continue;
                }
                let got = isa.vectorize(|| {
                    let mut all = Vec::new();
                    for at in [0, BLOCK] {
                        let ends_after = text[at + BEFORE + BLOCK] & 0xC0 != 0x80;
                        let units = Units::find(isa, Window::new(&text[at..]), BLOCK, ends_after)?;
                        all.extend(emitted(isa, &units));
                    }
                    Some(all)
                });
                let want = std::str::from_utf8(&text[BEFORE..LEN - 1]).ok();
                let want = want.map(|text| text.encode_utf16().collect::<Vec<_>>());
                assert_eq!(got, want, "{name}: {text:02X?}");
            }
        });
    }
}

#[test]
#[ignore = "all strings of 4 classes in two blocks: seconds, in release builds: cargo xtask prove"]
fn blocks_emit_the_units_that_end_in_them() {
    crate::proof::report_lanes("UTF-8 to UTF-16: two blocks", "bounded", "4 classes around their ends", || {
        on_all_lanes!(two_blocks);
    });
}

/// Each kind of view has the bytes that are so many places before each byte of the block.
fn views<S: Lanes>(name: &str, isa: S) {
    let bytes: [u8; 3 + BLOCK] = core::array::from_fn(|k| 1 + k as u8);
    let vectors = Vectors::<S>(core::array::from_fn(|k| isa.load(&bytes[3..], k * S::WIDTH % BLOCK)));
    for k in (0..BLOCK).step_by(S::WIDTH) {
        for n in 0..=3 {
            let got = [
                Window::new(&bytes).prev(isa, k, n),
                Window::at_start(&bytes[3..]).prev(isa, k, n),
                vectors.prev(isa, k, n),
            ];
            for (view, got) in got.into_iter().enumerate() {
                let mut vector = vec![0; S::WIDTH];
                isa.overwrite(&mut vector, 0, got);
                let want = (0..S::WIDTH).map(|at| match (3 + k + at) - n {
                    0..3 if view > 0 => 0,
                    at => bytes[at],
                });
                assert_eq!(vector, want.collect::<Vec<_>>(), "{name}: {n} before {k} of {view}");
            }
        }
    }
}

/// The byte that decides is seen wherever it is; it is the greatest of all, so no other can hide it.
fn lengths<S: Lanes>(name: &str, isa: S) {
    for byte in 0..=0xFF {
        let want = if byte < 0xE0 {
            2
        } else if byte < 0xF0 {
            3
        } else {
            4
        };
        for place in 0..BEFORE + BLOCK {
            let mut bytes = [0x61; BEFORE + BLOCK];
            bytes[place] = byte;
            for len in [S::WIDTH, BLOCK] {
                // The last byte does not count, nor do those of the next block.
                let want = if place < BEFORE + len - 1 { want } else { 2 };
                assert_eq!(longest(isa, Window::new(&bytes), len), want, "{name}: {byte:02X} at {place}");
            }
        }
    }
}

/// `ends` moves each bit by itself: it is made of shifts, `|` and `&` with constants. So it is enough that each bit is
/// tried with all others clear, and with all others set.
fn ends_of_starts<S: Lanes>(name: &str, _: S) {
    for len in [S::WIDTH, BLOCK] {
        for bit in 0..BLOCK {
            for (starts, after) in [(1 << bit, false), (!(1 << bit), true), (!(1 << bit), false), (1 << bit, true)]
            {
                let last = if after { 1u64 << (len - 1) } else { 0 };
                let want = (0..len - 1).filter(|k| starts >> (k + 1) & 1 == 1).fold(last, |all, k| all | 1 << k);
                assert_eq!(ends(starts, len, after), want, "{name}: {starts:X}, {len}");
            }
        }
    }
}

#[test]
fn parts_of_a_block_are_what_they_say() {
    crate::proof::report_lanes("UTF-8 to UTF-16: parts of a block", "all cases", "each byte", || {
        on_all_lanes!(views);
        on_all_lanes!(lengths);
        on_all_lanes!(ends_of_starts);
    });
}
