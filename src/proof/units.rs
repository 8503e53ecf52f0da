//! UTF-8 to UTF-16 and UTF-32: what a block makes of each byte and the three before it.
//!
//! A kernel sees a byte with the three before it, in four vectors. Here these need not overlap, so that each place has
//! a window of its own: the one to be tested at one place, others at all other places, whose bits would show if
//! anything leaked from one place to the next.
//!
//! By hand: windows are enough, as the stride of blocks is 64, the view begins 3 bytes before, and the last byte of a block sees its
//! successor (`ends_after`). Merged by `and`, `or`, `min` and `max`, a wrong byte stays wrong, whatever the others are. Operations work on
//! bytes or words by themselves, but for those that move bytes (`zip_lo8`, `zip_hi8`), which are compared at every place.
//!
//! By hand, from all contexts to all texts, by induction: well-formed text is never rejected. If nothing was rejected, only the last lead
//! byte or the byte after it may be wrong, and more must follow. Where a loop stops, `boundary` (AVX-512: `last_boundary`) returns where a
//! character starts; all units before it are written, and as many of its own, one at most, as it says. A byte stands for its class
//! except where all values are listed: any last three bytes after one of six, any byte before classes; each place by classes.

use core::marker::PhantomData;
use std::collections::BTreeSet;
use std::vec;
use std::vec::Vec;

use super::super::Utf16;
use super::*;
#[cfg(feature = "utf32")]
use crate::kernels::utf32::Utf32;
use crate::proof::classes::{
    self, COUNT, NUMBERS, State, is_continuation, number, of_bytes, representative, strings, words,
};
use crate::simd::tests::on_all_lanes;

/// For each byte of a block, the bytes 0 to 3 places before it.
#[derive(Clone, Copy)]
struct Apart<'a>(&'a [[u8; BLOCK]; 4]);

impl<S: Lanes> View<S> for Apart<'_> {
    #[inline(always)]
    fn prev(&self, isa: S, k: usize, n: usize) -> S::V {
        isa.load(&self.0[n], k)
    }
}

/// The blocks of an instruction set.
pub(in crate::kernels::utf8_to_utf16) trait Blocks {
    /// Bytes in a vector.
    const WIDTH: usize;
    /// Whether a block checks the byte after it as well, and refuses F8 to FF in their own place, and after others what is too
    /// long for it. Otherwise lead bytes are only looked at as bytes before others, by a loop that is long enough.
    const CHECKS_NEXT: bool;
    /// Whether a character of 4 bytes has two units, as in UTF-16.
    const PAIRS: bool = true;
    /// The unit that ends at a byte if its window is `window` (the byte itself is the last), and whether the byte is the third
    /// of 4; `None` if it is refused. `longest` is that of the block; the byte is at a place of so many, and at all others
    /// are bytes of [`beside`].
    fn unit(&self, longest: u8, window: [u8; 4], place_of: [usize; 2], turn: usize) -> Option<(u32, bool)>;
    /// The same for each last byte after three others, at places that take turns.
    fn row(&self, longest: u8, [a, b, c]: [u8; 3], turn: usize) -> Vec<Option<(u32, bool)>> {
        let of = |d: u8| {
            let place = (turn + usize::from(d)) % Self::WIDTH;
            self.unit(longest, [a, b, c, d], [place, Self::WIDTH], turn / Self::WIDTH + usize::from(d / 16))
        };
        (0..=0xFF).map(of).collect()
    }
    /// Where a character starts that the end of blocks after four of these bytes has cut, and how many units of it have been
    /// written.
    fn boundary(src: &[u8; 5]) -> (usize, usize);
}

/// Four bytes of which the last ends a unit, with as few bits set as possible and with as many: the first two for all
/// blocks, the others for those with characters of 3 and of 4 bytes. And the unit.
const BESIDE: [([u8; 4], u32); 4] = [
    ([0; 4], 0),
    ([0x7F, 0x7F, 0xDF, 0xBF], 0x7FF),
    ([0x7F, 0xEF, 0xBF, 0xBF], 0xFFFF),
    ([0xF4, 0x8F, 0xBF, 0xBF], 0x10_FFFF),
];

/// One of these that a block may have, in turn.
pub(in crate::kernels::utf8_to_utf16) fn beside(longest: u8, turn: usize, pairs: bool) -> ([u8; 4], u32) {
    let (bytes, unit) = BESIDE[turn % usize::from(longest)];
    (bytes, if pairs && unit > 0xFFFF { 0xDFFF } else { unit })
}

/// The bytes 0 to 3 places before each of a block, with this window at a place and others beside it.
pub(in crate::kernels::utf8_to_utf16) fn apart(
    window: [u8; 4],
    place: usize,
    others: [u8; 4],
) -> [[u8; BLOCK]; 4] {
    core::array::from_fn(|n| core::array::from_fn(|k| if k == place { window[3 - n] } else { others[3 - n] }))
}

struct Generic<S, F>(S, PhantomData<F>);

impl<S: Lanes, F: OutputForm> Blocks for Generic<S, F> {
    const WIDTH: usize = S::WIDTH;
    const CHECKS_NEXT: bool = false;
    const PAIRS: bool = F::PAIRS;
    fn unit(&self, longest: u8, window: [u8; 4], place: [usize; 2], turn: usize) -> Option<(u32, bool)> {
        self.0.vectorize(
            #[inline(always)]
            || unit::<S, F>(self.0, longest, window, place, turn),
        )
    }
    fn boundary(src: &[u8; 5]) -> (usize, usize) {
        super::super::boundary::<F>(src, 4)
    }
}

/// The unit of a place.
#[inline(always)]
fn unit_at<S: Lanes>(isa: S, units: &Units<S>, k: usize) -> u32 {
    let (low, high) = units.words[k / S::WIDTH];
    let (lane, at) = (k % S::WIDTH / 16, k % 16);
    let word = words(isa, if at < 8 { low } else { high })[8 * lane + at % 8];
    #[cfg(feature = "utf32")]
    if let Some(uppers) = units.uppers {
        return u32::from(word) | u32::from(classes::bytes(isa, uppers[k / S::WIDTH])[k % S::WIDTH]) << 16;
    }
    u32::from(word)
}

/// [`Blocks::unit`].
#[inline(always)]
fn unit<S: Lanes, F: OutputForm>(
    isa: S,
    longest: u8,
    window: [u8; 4],
    [place, len]: [usize; 2],
    turn: usize,
) -> Option<(u32, bool)> {
    let (others, other_unit) = beside(longest, turn, F::PAIRS);
    let view = apart(window, place, others);
    let units = match longest {
        2 => Units::of_2_bytes::<F, _>(isa, Apart(&view), len, true),
        3 => Units::of_more::<F, _>(isa, Apart(&view), len, true, false),
        _ => Units::of_more::<F, _>(isa, Apart(&view), len, true, true),
    }?;
    let bit = |mask: u64, k: usize| mask >> k & 1 == 1;
    assert_eq!(unit_at(isa, &units, place ^ 1), other_unit, "beside {window:02X?}");
    assert_eq!(units.thirds & !(1 << place), 0, "beside {window:02X?}");
    // Where a character starts, one has ended.
    assert!(place == 0 || bit(units.ends, place - 1) != is_continuation(window[3]), "before {window:02X?}");
    Some((unit_at(isa, &units, place), bit(units.thirds, place)))
}

/// The bytes that a block with characters of up to 2, 3 or 4 bytes may have in all places but the last.
fn most(longest: u8) -> u8 {
    [0xDF, 0xEF, 0xFF][usize::from(longest) - 2]
}

/// What is before a byte: the classes of three bytes, and how far a text that ends with these has got.
type Before = ([usize; 3], State);
/// And the class of the byte.
type Step = (Before, usize);

fn after(&(([_, b, c], state), next): &Step) -> Before {
    ([b, c, next], state.after(representative(next)))
}

/// All that may be before a byte if no block has refused anything, with the bytes that are not refused there.
/// `accepted` has for each length and each window of four classes whether it is accepted.
fn reachable<B: Blocks>(accepted: &[Vec<bool>; 3]) -> BTreeSet<Step> {
    let (mut found, mut open) = (BTreeSet::new(), vec![([0; 3], State::Boundary)]);
    while let Some((before, state)) = open.pop() {
        let bytes = before.map(representative);
        for next in 0..COUNT {
            let window = number(&[before[0], before[1], before[2], next]);
            let may_have = |longest: &u8| bytes.iter().all(|&byte| byte <= most(*longest));
            let mut blocks = (2..=4).filter(may_have).map(|longest| accepted[usize::from(longest) - 2][window]);
            // Well-formed text is not refused, not even by a loop for longer characters.
            assert!(
                blocks.clone().all(|ok| ok) || state.after(representative(next)) == State::Wrong,
                "{before:?} {next} refused"
            );
            // Blocks of ASCII are not looked at, but what is before the first byte is.
            let in_ascii = next == 0 && (bytes[2] < 0x80 || !crate::kernels::validate_utf8::is_cut(&bytes));
            let step = ((before, state), next);
            if (in_ascii || blocks.any(|ok| ok)) && found.insert(step) {
                open.push(after(&step));
            }
        }
    }
    found
}

/// What follows from all that is reachable, about the end of what blocks have accepted: the bytes that were refused there
/// by the definition, where `boundary` starts again, and how much of a character has been written by then.
fn check_ends<B: Blocks>(steps: &BTreeSet<Step>) {
    for step @ &((before, state), next) in steps {
        let [a, b, c] = before.map(representative);
        let (d, end @ (_, state_after)) = (representative(next), after(step));
        if state_after == State::Wrong {
            // It is the last lead byte that is wrong, or the byte after it, and more must follow.
            let lead = d >= 0xC0 && state == State::Boundary;
            assert!(lead || is_continuation(d) && c >= 0xE0, "{d:02X} accepted after {before:?}");
        }
        for follows in 0..COUNT {
            // A block that checks the next byte is refused with it.
            if B::CHECKS_NEXT && !steps.contains(&(end, follows)) {
                continue;
            }
            let src = [a, b, c, d, representative(follows)];
            let (start, units) = B::boundary(&src);
            // The definition is where it would be from a boundary on, and all units before that have been written.
            let from_start = src[start..4].iter().fold(State::Boundary, |state, &byte| state.after(byte));
            assert_eq!(from_start, state_after, "{src:02X?} from {start}");
            assert!(!is_continuation(src[start]), "{src:02X?} from {start}");
            let is_third = |k: usize| B::PAIRS && k >= start + 2 && src[k - 2] >= 0xF0;
            let ended = (start..4).filter(|&k| !is_continuation(src[k + 1]) || is_third(k)).count();
            assert!(ended == units && units <= 1, "{src:02X?} from {start}");
        }
    }
}

/// The unit that ends at the last byte of a window of well-formed text, if one can, by the definition of UTF-8 and
/// UTF-16, or UTF-32 if there are no `pairs`. `state` is that before the byte.
fn expected([a, b, c, d]: [u8; 4], state: State, pairs: bool) -> Option<u32> {
    let bits = |byte: u8, mask: u8| u32::from(byte & mask);
    let fourth = |a, b, c, d| bits(a, 7) << 18 | bits(b, 63) << 12 | bits(c, 63) << 6 | bits(d, 63);
    Some(match state.after(d) {
        State::Boundary if d < 0x80 => u32::from(d),
        State::Boundary if c >= 0xC0 => bits(c, 31) << 6 | bits(d, 63),
        State::Boundary if b >= 0xE0 => bits(b, 15) << 12 | bits(c, 63) << 6 | bits(d, 63),
        State::Boundary if pairs => 0xDC00 | fourth(a, b, c, d) & 0x3FF,
        State::Boundary => fourth(a, b, c, d),
        State::Tail(1) if b >= 0xF0 && pairs => 0xD7C0 + (fourth(b, c, d, 0) >> 10),
        _ => return None,
    })
}

fn windows<S: Lanes>(name: &str, isa: S) {
    all_windows(name, &Generic(isa, PhantomData::<Utf16>));
}

#[cfg(feature = "utf32")]
fn windows_to_utf32<S: Lanes>(name: &str, isa: S) {
    all_windows(name, &Generic(isa, PhantomData::<Utf32>));
}

/// All windows of 4 bytes.
pub(in crate::kernels::utf8_to_utf16) fn all_windows<B: Blocks>(name: &str, isa: &B) {
    // Whether a window of classes is accepted does not depend on its place in a vector, nor on the vector of a block.
    let accepted = [2, 3, 4].map(|longest| {
        let mut accepted = vec![false; NUMBERS];
        strings::<4>(|classes| {
            let window = classes.map(representative);
            if window[..3].iter().any(|&byte| byte > most(longest)) {
                return; // There are none in such a block.
            }
            let first = isa.unit(longest, window, [0, B::WIDTH], 0);
            let of_vector = (1..B::WIDTH).map(|place| [place, B::WIDTH]);
            let of_block = (0..BLOCK).step_by(B::WIDTH).map(|at| [at + classes[3] % B::WIDTH, BLOCK]);
            let same = of_vector.chain(of_block).all(|at| isa.unit(longest, window, at, at[0] % 5) == first);
            assert!(same, "{name}: {window:02X?}");
            accepted[number(&classes)] = first.is_some();
        });
        accepted
    });
    let steps = reachable::<B>(&accepted);
    check_ends::<B>(&steps);
    let (before, class_of): (BTreeSet<Before>, _) = (steps.iter().map(after).collect(), of_bytes());
    let class = |byte: u8| class_of[usize::from(byte)];
    let states = |before3: [u8; 3]| -> Vec<State> {
        let classes = before3.map(class);
        before.range((classes, State::Boundary)..=(classes, State::Wrong)).map(|before| before.1).collect()
    };
    // What is made of a window after these states.
    let check = |longest: u8, window: [u8; 4], states: &[State], got: Option<(u32, bool)>| {
        let is_refused = B::CHECKS_NEXT && window[3] >= 0xF8;
        let want = accepted[usize::from(longest) - 2][number(&window.map(class))] && !is_refused;
        assert_eq!(got.is_some(), want, "{name}: {window:02X?}");
        let Some((unit, third)) = got else { return };
        for &state in states {
            let after = state.after(window[3]);
            assert!(expected(window, state, B::PAIRS).is_none_or(|want| unit == want), "{name}: {window:02X?}");
            let want = after == State::Tail(1) && window[1] >= 0xF0;
            assert!(third == want || after == State::Wrong, "{name}: {window:02X?}");
        }
    };
    let most = |longest| most(longest).min(if B::CHECKS_NEXT { 0xF7 } else { 0xFF });
    // What is too long for a block that checks the next byte is refused there, whatever that is.
    for longest in [2, 3].into_iter().filter(|_| B::CHECKS_NEXT) {
        strings::<2>(|classes| {
            let [a, b] = classes.map(representative);
            for c in (most(longest) + 1..=0xF7).filter(|_| a.max(b) <= most(longest)) {
                let row = isa.row(longest, [a, b, c], classes[0]);
                let is_refused = row.iter().all(Option::is_none);
                assert!(is_refused || states([a, b, c]).is_empty(), "{name}: {longest} {a:02X} {b:02X} {c:02X}");
            }
        });
    }
    for longest in 2..=4 {
        // Of the first byte only whether it is F0 or more matters, as the next loop confirms.
        for a in [0x61, 0xBF, 0xE1, 0x8F, 0xF1, 0xF4].into_iter().filter(|&a| a <= most(longest)) {
            for (b, c) in (0..=most(longest)).flat_map(|b| (0..=most(longest)).map(move |c| (b, c))) {
                let states = states([a, b, c]);
                if !states.is_empty() {
                    let row = isa.row(longest, [a, b, c], usize::from(a / 3) + 7 * usize::from(b ^ c));
                    (0..=0xFF).zip(row).for_each(|(d, got)| check(longest, [a, b, c, d], &states, got));
                }
            }
        }
        for a in 0..=most(longest) {
            strings::<3>(|classes| {
                let [b, c, d] = classes.map(representative);
                let states = states([a, b, c]);
                if b.max(c) <= most(longest) && !states.is_empty() {
                    let place = [(usize::from(a) + 5 * classes[1] + 11 * classes[2]) % B::WIDTH, B::WIDTH];
                    check(longest, [a, b, c, d], &states, isa.unit(longest, [a, b, c, d], place, classes[1]));
                }
            });
        }
    }
}

#[test]
#[ignore = "all windows of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn the_unit_at_each_byte_is_that_of_its_window() {
    crate::proof::report_lanes("UTF-8 to UTF-16: units of a block", "all cases", "windows of 4 bytes", || {
        on_all_lanes!(windows);
    });
}

#[cfg(feature = "utf32")]
#[test]
#[ignore = "all windows of 4 bytes: seconds, in release builds: cargo xtask prove"]
fn the_unit_of_utf32_at_each_byte_is_that_of_its_window() {
    crate::proof::report_lanes("UTF-8 to UTF-32: units of a block", "all cases", "windows of 4 bytes", || {
        on_all_lanes!(windows_to_utf32);
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
                let got = &classes::bytes(isa, got)[..S::WIDTH];
                let want = (3 + k - n..).map(|at| if at < 3 && view > 0 { 0 } else { bytes[at] });
                assert!(got.iter().copied().eq(want.take(S::WIDTH)), "{name}: {n} before {k} of {view}");
            }
        }
    }
}

/// The byte that decides is seen wherever it is; it is the greatest of all, so no other can hide it.
fn lengths<S: Lanes>(name: &str, isa: S) {
    for byte in 0..=0xFF {
        let want = [2, 3, 4][usize::from(byte >= 0xE0) + usize::from(byte >= 0xF0)];
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
        for starts in (0..BLOCK).flat_map(|bit| [1 << bit, !(1 << bit)]) {
            for after in [false, true] {
                let is_end = |k: &usize| if *k == len - 1 { after } else { starts >> (k + 1) & 1 == 1 };
                let want = (0..len).filter(is_end).fold(0, |all, k| all | 1u64 << k);
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
