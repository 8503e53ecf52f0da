//! The code units that end in a block, and whether it is well-formed.
//!
//! The parent module says what is computed and why. Here are the names of the parts.
//!
//! * A *view* is where a block and the 3 bytes before it come from: memory (`Window`) or registers (`Vectors`). Before
//!   the start of the input there are zeros. `view.prev(isa, k, n)` is the vector that starts `n` bytes before another,
//!   so the code for all of these is the same.
//! * `longest` says which of three loops a block is for, by its greatest byte. It looks at the bytes that can have a
//!   continuation in the block: those up to the last but one, and the 3 before.
//! * `Units` are the words for all 64 bytes, as `zip_lo8` and `zip_hi8` leave them, and a bit for each byte at which
//!   one ends.
//!
//! # What is collected, and tested once
//!
//! A loop never branches on what it finds in a vector. Each check leaves something that can be merged over all of a
//! block:
//!
//! | what | merged by | wrong if |
//! |---|---|---|
//! | bytes that are continuations exactly if a lead byte asks for it | `and` | bit 7 is clear |
//! | lead bytes less 40, of which C0 and C1 become 80 and 81 | signed `min` | it is 80 or 81 |
//! | `high` of E0's third bytes, and any `high` `xor` D8 | `min` | it is below 8 |
//! | the upper byte of a high surrogate, less D8 | `max` | it is above 3 |
//!
//! The third row is two checks in one: overlong and surrogate. `prev2 ^ E0 | high` is below 8 only if `prev2` is E0 and
//! the value is below U+0800. (From E1 to E7 the `high` of a third byte has one of its upper 4 bits set; from F0 on,
//! the first operand has.) `high ^ D8` is below 8 for D8 to DF only.
//!
//! # The masks
//!
//! Two masks of 64 bits come out of a block: where characters start, and (if there are any of 4 bytes) where a third
//! byte of these is. A vector's bits are put in as they are found (`add_to_mask`), since one instruction of x86 makes a
//! mask of a vector; NEON has none, and merges vectors first. Starts become ends by a shift: a character ends before
//! the next one starts. For the last byte, the first one of the next block must be looked at. Its bit comes in by a
//! rotation: with two numbers, the compiler would make a double shift, which is slow on AMD.

use super::{BEFORE, BLOCK, OutputForm};
use crate::endian::ByteOrder;
use crate::kernels::tables::KEEP_WORDS;
use crate::output::Output;
use crate::simd::{Lanes, SLACK};

#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/units.rs"]
pub(super) mod proof;

/// A block and the bytes before it.
pub(super) trait View<S: Lanes>: Copy {
    /// The vector that starts `n` bytes (0 to 3, a constant) before byte `k` of the block.
    fn prev(&self, isa: S, k: usize, n: usize) -> S::V;
}

/// The block that starts at byte 3 of these, or at the start of the input.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    bytes: &'a [u8],
    /// How many there are before the block: 3 or none.
    before: usize,
}

impl<'a> Window<'a> {
    #[inline(always)]
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, before: BEFORE }
    }
    #[inline(always)]
    pub(super) fn at_start(bytes: &'a [u8]) -> Self {
        Self { bytes, before: 0 }
    }
}

impl<S: Lanes> View<S> for Window<'_> {
    #[inline(always)]
    fn prev(&self, isa: S, k: usize, n: usize) -> S::V {
        if self.before == 0 && k == 0 {
            prev_in(isa, isa.load(self.bytes, 0), isa.splat8(0), n)
        } else {
            isa.load(self.bytes, self.before + k - n)
        }
    }
}

/// A block in registers, with zeros before it.
#[derive(Clone, Copy)]
pub(super) struct Vectors<S: Lanes>(pub(super) [S::V; BLOCK / 16]);

impl<S: Lanes> View<S> for Vectors<S> {
    #[inline(always)]
    fn prev(&self, isa: S, k: usize, n: usize) -> S::V {
        let before = if k == 0 { isa.splat8(0) } else { self.0[k / S::WIDTH - 1] };
        prev_in(isa, self.0[k / S::WIDTH], before, n)
    }
}

/// The vector that starts `n` bytes (0 to 3, a constant) before `cur`, which `before` precedes.
#[inline(always)]
fn prev_in<S: Lanes>(isa: S, cur: S::V, before: S::V, n: usize) -> S::V {
    match n {
        0 => cur,
        1 => isa.prev::<1>(cur, before),
        2 => isa.prev::<2>(cur, before),
        _ => isa.prev::<3>(cur, before),
    }
}

/// An upper bound for the length of the characters: 2, 3 or 4 bytes.
///
/// The last byte of the block does not count: the next block sees it.
#[inline(always)]
pub(super) fn longest<S: Lanes, T: View<S>>(isa: S, view: T, len: usize) -> u8 {
    let mut greatest = view.prev(isa, 0, 3);
    let mut k = 0;
    while k < len {
        greatest = isa.max_u8(greatest, view.prev(isa, k, 1));
        k += S::WIDTH;
    }
    if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xDF))) {
        2
    } else if isa.is_zero(isa.subs_u8(greatest, isa.splat8(0xEF))) {
        3
    } else {
        4
    }
}

/// The code units that end in a block of well-formed UTF-8.
pub(in crate::kernels) struct Units<S: Lanes> {
    /// For each byte, the unit that would end there: 8 words per lane, as `zip_lo8` and `zip_hi8` leave them.
    pub(in crate::kernels) words: [(S::V, S::V); BLOCK / 16],
    /// Bits 16 to 20 of each, of UTF-32, if there may be characters of 4 bytes.
    #[cfg(feature = "utf32")]
    pub(in crate::kernels) uppers: Option<[S::V; BLOCK / 16]>,
    /// The mask of bytes at which one ends.
    pub(in crate::kernels) ends: u64,
    /// The mask of bytes that are the third of 4.
    pub(super) thirds: u64,
}

/// For each byte, it is checked whether it may follow the 3 before it. At each third byte, where it can be seen, it
/// is checked whether the character is in range. `ends_after` says whether the byte after the block is no
/// continuation byte.
impl<S: Lanes> Units<S> {
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.ends.count_ones() as usize
    }

    /// The units of a block with characters of any length.
    #[inline(always)]
    pub(super) fn find<F: OutputForm, T: View<S>>(isa: S, view: T, len: usize, ends_after: bool) -> Option<Self> {
        match longest(isa, view, len) {
            2 => Self::of_2_bytes::<F, _>(isa, view, len, ends_after),
            3 if !S::SMALL => Self::of_more::<F, _>(isa, view, len, ends_after, false),
            _ => Self::of_more::<F, _>(isa, view, len, ends_after, true),
        }
    }

    /// The units of a block with characters of up to 2 bytes.
    #[inline(always)]
    pub(super) fn of_2_bytes<F: OutputForm, T: View<S>>(
        isa: S,
        view: T,
        len: usize,
        ends_after: bool,
    ) -> Option<Self> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let mut starts = isa.empty_mask();
        let mut right = isa.splat8(0xFF);
        let mut min_lead = isa.splat8(0);
        let mut k = 0;
        while k < len {
            let (cur, prev1) = (view.prev(isa, k, 0), view.prev(isa, k, 1));
            let start = isa.gt_i8(cur, isa.splat8(0xBF));
            starts = isa.add_to_mask(starts, k, start);
            let lead_before = from(isa, prev1, 0xC0);
            right = right & (start ^ lead_before);
            min_lead = isa.min_i8(min_lead, lead_before);
            // 64 * (lead - C2) + last: the 80 of the continuation byte makes up for the 2 of C2. The byte before an
            // ASCII byte is no lead, and less than C2: 0.
            words[k / S::WIDTH] = isa.pairs(cur, prev1);
            k += S::WIDTH;
        }
        let wrong = right ^ isa.splat8(0xFF) | overlong_2(isa, min_lead);
        let starts = isa.finished_mask(starts);
        (!isa.any_high_bit(wrong)).then_some(Self {
            words,
            #[cfg(feature = "utf32")]
            uppers: None,
            ends: ends(starts, len, ends_after),
            thirds: 0,
        })
    }

    /// The units of a block with characters of up to 3 bytes, or 4 (`four`).
    ///
    /// The low and high bytes of the unit that ends at each byte are computed separately, from
    /// `1110hhhh 10hhhhll 10llllll`, `110hhhll 10llllll`, `0lllllll`.
    #[inline(always)]
    pub(super) fn of_more<F: OutputForm, T: View<S>>(
        isa: S,
        view: T,
        len: usize,
        ends_after: bool,
        four: bool,
    ) -> Option<Self> {
        let mut words = [(isa.splat8(0), isa.splat8(0)); BLOCK / 16];
        let (mut starts, mut thirds) = (isa.empty_mask(), isa.empty_mask());
        let mut right = isa.splat8(0xFF);
        let mut min_lead = isa.splat8(0);
        let mut min = isa.splat8(0xFF);
        let mut greatest_high = isa.splat8(0);
        #[cfg(feature = "utf32")]
        let mut uppers = [isa.splat8(0); BLOCK / 16];
        let mut k = 0;
        while k < len {
            let cur = view.prev(isa, k, 0);
            let (prev1, prev2) = (view.prev(isa, k, 1), view.prev(isa, k, 2));
            let start = isa.gt_i8(cur, isa.splat8(0xBF));
            starts = isa.add_to_mask(starts, k, start);
            let lead_before = from(isa, prev1, 0xC0);
            let mut inside = lead_before | from(isa, prev2, 0xE0);

            // The byte before counts only if this one is a continuation byte. In well-formed text, that is so if it
            // is neither ASCII nor a lead byte, at which nothing ends.
            let second = prev1 & isa.gt_i8(isa.splat8(0), cur);
            let mut low = cur & isa.splat8(0x7F) | isa.shl8::<6>(second);
            // Saturation leaves the 4 bits of a 3-byte lead and turns anything less into 0.
            let lead = isa.subs_u8(prev2, isa.splat8(0xE0));
            let lead = if four { isa.shl8::<4>(lead) } else { isa.shl16::<4>(lead) };
            let mut high = isa.shr16::<2>(second) & isa.splat8(0x0F) | lead;
            // At a third byte: lead E0 and a value below 0800, or a value from D800 to DFFF, which only 3 bytes can
            // make.
            let overlong = prev2 ^ isa.splat8(0xE0) | high;
            let surrogate = high ^ isa.splat8(0xD8);
            min = isa.min_u8(min, isa.min_u8(overlong, surrogate));

            if four {
                let fourth = from(isa, view.prev(isa, k, 3), 0xF0);
                let third = from(isa, prev2, 0xF0);
                inside = inside | fourth;
                thirds = isa.add_to_mask(thirds, k, third);
                // Third byte: the high surrogate, D7C0 + (value >> 10), that is D7C0 + the 11 bits `aaa bbbbbb cc` of
                // 11110aaa 10bbbbbb 10cccccc 10dddddd; C0 carries into the upper byte if bbbbbbcc is 40 or more. That byte
                // less D8 is at most 3 if the value is in range, which all forms need to know.
                let carry = isa.gt_i8(prev1, isa.splat8(0x8F));
                let above =
                    isa.sub8(isa.add8(prev2, isa.splat8(0xD7u8.wrapping_sub(0xF0).wrapping_sub(0xD8))), carry);
                greatest_high = isa.max_u8(greatest_high, isa.select(third, above, isa.splat8(0)));
                if F::PAIRS {
                    let bits = isa.shl8::<2>(prev1) | isa.shr16::<4>(cur) & isa.splat8(0b11);
                    low = isa.select(third, isa.add8(bits, isa.splat8(0xC0)), low);
                    // Fourth byte: the low surrogate, 110111ll with the low two bits of `high`.
                    high = isa.select(fourth, high & isa.splat8(0b11) | isa.splat8(0xDC), high);
                    high = isa.select(third, isa.add8(above, isa.splat8(0xD8)), high);
                }
                #[cfg(feature = "utf32")]
                if !F::PAIRS {
                    // Fourth byte: `high` has the cccc of bbbbcccc; `upper` is aaabb.
                    high = isa.select(fourth, high | isa.shl8::<4>(prev2), high);
                    let lead = isa.shl8::<2>(view.prev(isa, k, 3) & isa.splat8(0b111));
                    let upper = lead | isa.shr16::<4>(prev2) & isa.splat8(0b11);
                    uppers[k / S::WIDTH] = isa.select(fourth, upper, isa.splat8(0));
                }
            }
            right = right & (start ^ inside);
            min_lead = isa.min_i8(min_lead, lead_before);
            words[k / S::WIDTH] = (isa.zip_lo8(low, high), isa.zip_hi8(low, high));
            k += S::WIDTH;
        }
        let out_of_range = isa.eq8(isa.min_u8(min, isa.splat8(7)), min);
        let wrong = right ^ isa.splat8(0xFF) | overlong_2(isa, min_lead) | out_of_range;
        let valid = !isa.any_high_bit(wrong) && (!four || isa.is_zero(greatest_high & isa.splat8(0xFC)));
        let (starts, thirds) = (isa.finished_mask(starts), isa.finished_mask(thirds));
        valid.then_some(Self {
            words,
            #[cfg(feature = "utf32")]
            uppers: if four && !F::PAIRS { Some(uppers) } else { None },
            ends: ends(starts, len, ends_after) | thirds & F::THIRDS,
            thirds,
        })
    }

    /// Writes the units of UTF-16 contiguously.
    #[inline(always)]
    pub(super) fn store_utf16(&self, isa: S, order: ByteOrder, len: usize, out: &mut Output) {
        // Big-endian words have to be swapped first.
        if !order.is_big() && len == BLOCK && out.len() >= 2 * BLOCK + SLACK {
            isa.store_words(out, &self.words, &KEEP_WORDS, self.ends);
            return;
        }
        let mut at = 0;
        let mut k = 0;
        while k < len {
            let (a, b) = self.words[k / S::WIDTH];
            let (a, b) = (words_in_order(isa, order, a), words_in_order(isa, order, b));
            at += isa.store_shuffled::<0, 2>(out, at, a, b, &KEEP_WORDS, (self.ends >> k) as u32);
            k += S::WIDTH;
        }
    }
}

/// Converts little-endian words to this byte order, or back.
#[inline(always)]
pub(in crate::kernels) fn words_in_order<S: Lanes>(isa: S, order: ByteOrder, words: S::V) -> S::V {
    if order.is_big() { isa.shl16::<8>(words) | isa.shr16::<8>(words) } else { words }
}

/// Where characters end that start at `starts` of a block.
#[inline(always)]
fn ends(starts: u64, len: usize, ends_after: bool) -> u64 {
    // `starts >> 1 | ends_after << (len - 1)`, but a double shift, which it would become, is slow on AMD.
    let rotated = (starts & !1 | u64::from(ends_after)).rotate_right(1);
    if len == 64 { rotated } else { rotated & ((1 << (len - 1)) - 1) | u64::from(ends_after) << (len - 1) }
}

/// Bit 7 is set where a byte is at least `lead`, which is C0, E0 or F0.
#[inline(always)]
pub(in crate::kernels) fn from<S: Lanes>(isa: S, bytes: S::V, lead: u8) -> S::V {
    isa.subs_u8(bytes, isa.splat8(lead - 0x80))
}

/// Bit 7 is set somewhere if `min`, the least of [`from`] C0 as signed bytes, comes from C0 or C1.
#[inline(always)]
pub(in crate::kernels) fn overlong_2<S: Lanes>(isa: S, min: S::V) -> S::V {
    isa.gt_i8(isa.splat8(0x82), min)
}
