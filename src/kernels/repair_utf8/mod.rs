//! UTF-8 that may be ill-formed, 64 bytes at a time: which of them are characters, and which become U+FFFD.
//!
//! # The problem
//!
//! Ill-formed text is to be repaired as the standard library does it: each maximal subpart of an ill-formed sequence
//! (Unicode 3.9) becomes one U+FFFD. So it is not enough to know that there is an error somewhere in a vector: one must
//! know which bytes are characters, and how the others fall into subparts. And damaged text often has many errors close
//! together. To run a fast kernel up to each of them and start it again after it can be slower than plain Rust.
//!
//! # The idea: eight numbers
//!
//! A window begins where an item begins: a character, or an ill-formed sequence. The bits of its bytes go into eight
//! masks, one for each bit, and arithmetic on these finds the items; nothing before the window matters. In a mask of 64
//! bits "the byte before" is a shift by one, and one operation asks something of all 64 bytes:
//!
//! ```text
//! continuation = bit_7 & !bit_6                       [10..|....]
//! lead_of_3    = bit_7 & bit_6 & bit_5 & !bit_4       [1110|....]; of 2 and 4 likewise, without C0, C1 and F5 to FF
//! out_of_range = second bytes that E0, ED, F0 and F4 do not admit
//! second  = continuation & (lead_of_2 | lead_of_3 | lead_of_4) << 1 & !out_of_range
//! third   = continuation & second << 1 & (lead_of_3 | lead_of_4) << 2
//! fourth  = continuation & third << 1 & lead_of_4 << 3
//! starts  = !(second | third | fourth)                all that no character or sequence goes on with
//! whole   = lead_of_2 & second >> 1 | lead_of_3 & third >> 2 | lead_of_4 & fourth >> 3
//! ill_formed = starts & bit_7 & !whole
//! ```
//!
//! As long as all is well, blocks at a fixed stride are only validated.
//!
//! # An example
//!
//! Sixteen bytes: `a`, a `€` that lacks its last byte, `b`, `é`, `😀`, a surrogate without its last byte, `c`, an
//! overlong form, `d`.
//!
//! ```text
//! bytes         61 E2 82 62 C3 A9 F0 9F 98 80 ED A0 63 C0 AF 64
//! bit_7          .  1  1  .  1  1  1  1  1  1  1  1  .  1  1  .
//! bit_6          1  1  .  1  1  .  1  .  .  .  1  .  1  1  .  1
//! continuation   .  .  1  .  .  1  .  1  1  1  .  1  .  .  1  .
//! lead_of_2      .  .  .  .  1  .  .  .  .  .  .  .  .  .  .  .    not C0
//! lead_of_3      .  1  .  .  .  .  .  .  .  .  1  .  .  .  .  .
//! lead_of_4      .  .  .  .  .  .  1  .  .  .  .  .  .  .  .  .
//! out_of_range   .  .  .  .  .  .  .  .  .  .  .  1  .  .  .  .    A0 after ED
//! second         .  .  1  .  .  1  .  1  .  .  .  .  .  .  .  .
//! third          .  .  .  .  .  .  .  .  1  .  .  .  .  .  .  .
//! fourth         .  .  .  .  .  .  .  .  .  1  .  .  .  .  .  .
//! starts         1  1  .  1  1  .  1  .  .  .  1  1  1  1  1  1
//! whole          .  .  .  .  1  .  1  .  .  .  .  .  .  .  .  .
//! ill_formed     .  1  .  .  .  .  .  .  .  .  1  1  .  1  1  .
//! ```
//!
//! So there are five U+FFFD: one for `E2 82`, which lacks a byte to be a character, and one each for ED, A0, C0 and
//! AF. No character begins with `ED A0` or with `C0`.
//!
//! # Why it is right
//!
//! `second`, `third` and `fourth` are exactly the bytes with which a beginning of a well-formed character goes on. A
//! maximal subpart is a longest such beginning, or a byte by itself: what goes on with nothing is a start. A start that
//! is not ASCII and not whole is ill-formed. Each of the masks looks back by 3 bytes at most, and the window begins
//! with an item, so zeros shifted in from before it are right. Of a window that is not the last, items that start in
//! the last 3 bytes may be cut: they are left to the next one.
//!
//! # What it costs
//!
//! The masks are 8 bits of 64 bytes. With AVX2 that is two loads, 14 shifts and 16 `movemask`. On NEON it is one load
//! that deinterleaves into four vectors, and about 30 operations that exchange bits (`transposed`). AVX-512 tests
//! each bit into a mask register. Then there are about 70 scalar operations for 64 bytes, whatever is in them: about
//! one for a byte. A copy of a run of characters is one of 64 bytes, and each U+FFFD a few instructions more. If the
//! damage is single bytes among ASCII, which one mask tells, none of that is done.
//!
//! # Where it comes from
//!
//! To turn bytes into eight streams of bits and to compute on these is Robert D. Cameron's, *A case study in SIMD text
//! processing with parallel bit streams: UTF-8 to UTF-16 transcoding*, 2008, which also validates so. Here only damaged
//! text is handled so, the masks are in general registers, and the result is the places of U+FFFD.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
#[cfg(all(test, fastutf_proofs))]
#[path = "../../proof/repair_utf8.rs"]
mod proof;

use crate::endian::ByteOrder;
use crate::kernels::Kernels;
use crate::kernels::validate_utf8::{MIX, errors_at, is_cut};
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::{Items, REPLACEMENT, Repair, WINDOW};
use crate::scalar;
use crate::simd::{Lanes, Simd};

/// How many bytes before a block its check needs.
pub(crate) const BEFORE: usize = 3;
/// How many bytes must be readable where a window is repaired: a run of characters is copied as 64 bytes.
const VIEW: usize = 2 * WINDOW;
/// Room for a repaired window: three bytes for each, and as many more as a copied run may be too long.
const ROOM: usize = 4 * WINDOW;
/// Unless a window is the end of the input, its last item starts before this byte, so all of the item is in the
/// window.
const LAST_START: u32 = WINDOW as u32 - 3;
/// How many bytes are tested together where ASCII is copied.
const ASCII: usize = 2 * WINDOW;

/// For each of the 8 bits of a byte, the mask of that bit in all bytes of a window.
pub(crate) type Bits = [u64; 8];

/// [`Bits`] of a window.
#[inline(always)]
pub(crate) fn bits<S: Lanes>(isa: S, window: &[u8; WINDOW]) -> Bits {
    isa.transposed(window)
}

/// Whether a block is well-formed after the three bytes before it.
#[inline(always)]
pub(crate) fn is_block_valid<S: Lanes>(isa: S, view: &[u8; BEFORE + WINDOW]) -> bool {
    let mut wrong = isa.splat8(0);
    let mut k = 0;
    while k < WINDOW {
        wrong = wrong | errors_at(isa, view, BEFORE + k, MIX);
        k += S::WIDTH;
    }
    isa.is_zero(wrong)
}

/// The items of a window (RFC 3629 §4) that start in its first 61 bytes. The last window, padded with zeros after
/// the end of the input, has all of its items.
#[inline(always)]
fn items(bits: Bits, is_last: bool) -> Items {
    let [bit_0, bit_1, bit_2, bit_3, bit_4, bit_5, bit_6, bit_7] = bits;
    let (continuation, lead) = (bit_7 & !bit_6, bit_7 & bit_6);
    let lead_of_2 = lead & !bit_5 & (bit_4 | bit_3 | bit_2 | bit_1);
    let lead_of_3 = lead & bit_5 & !bit_4;
    let lead_of_4 = lead & bit_5 & bit_4 & !(bit_3 | bit_2 & (bit_1 | bit_0));

    // Second bytes that are not allowed: 80–9F after E0, A0–BF after ED, 80–8F after F0, 90–BF after F4.
    let low_0 = !(bit_3 | bit_2 | bit_1 | bit_0);
    let (e0, ed) = (lead_of_3 & low_0, lead_of_3 & bit_3 & bit_2 & !bit_1 & bit_0);
    let (f0, f4) = (lead_of_4 & low_0, lead_of_4 & bit_2);
    let from_90 = bit_5 | bit_4;
    let out_of_range = e0 << 1 & !bit_5 | ed << 1 & bit_5 | f0 << 1 & !from_90 | f4 << 1 & from_90;

    let second = continuation & (lead_of_2 | lead_of_3 | lead_of_4) << 1 & !out_of_range;
    let third = continuation & second << 1 & (lead_of_3 | lead_of_4) << 2;
    let fourth = continuation & third << 1 & lead_of_4 << 3;
    let starts = !(second | third | fourth);
    let whole = lead_of_2 & second >> 1 | lead_of_3 & third >> 2 | lead_of_4 & fourth >> 3;
    let ill_formed = starts & bit_7 & !whole;
    if is_last {
        return Items { starts, ill_formed, end: WINDOW };
    }
    let end = LAST_START + (starts >> LAST_START | 1 << (WINDOW as u32 - LAST_START)).trailing_zeros();
    Items { starts, ill_formed: ill_formed & !(u64::MAX << LAST_START), end: end as usize }
}

/// The items of the window at `src[at..]`.
#[inline(always)]
fn items_at<S: Kernels>(isa: S, src: &[u8], at: usize) -> Items {
    // The last window ends with `src`: the bytes before `at` are shifted out again, and zeros follow after the end.
    let start = at.min(src.len().saturating_sub(WINDOW));
    let mut padded = [0; WINDOW];
    let window = match src.chunk_at(start) {
        Some(window) => window,
        None => {
            path!("shorter than a window");
            Output::over(&mut padded[..src.len()]).copy_short(src);
            &padded
        }
    };
    let (again, len) = ((at - start) as u32, src.len() - at);
    let not_ascii = isa.bitmask_64(window) >> again;
    // If ASCII follows each of them, none is part of a character.
    if not_ascii & (not_ascii >> 1 | 1 << (WINDOW - 1)) == 0 {
        path!("lone bytes among ASCII");
        return Items { starts: u64::MAX, ill_formed: not_ascii, end: len.min(WINDOW) };
    }
    let (mut bits, mut k) = (isa.bits(window), 0);
    while k < bits.len() {
        bits[k] >>= again;
        k += 1;
    }
    if len > WINDOW {
        return items(bits, false);
    }
    path!("the last window");
    Items { end: len, ..items(bits, true) }
}

/// Copies `src` to `dst` with U+FFFD for ill-formed sequences, up to the first window that does not fit. `src` starts
/// with an item.
#[inline(always)]
pub(crate) fn to_utf8<S: Kernels>(isa: S, src: &[u8], dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    while done.read < src.len() {
        let items = items_at(isa, src, done.read);
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        if let (Some(view), Some(out)) = (rest.first_chunk(), room.first_chunk_mut::<ROOM>()) {
            done.written += fill(items, view, out);
            path!("a window among others");
        } else {
            let len = items.repaired_len();
            let Some(out) = room.get_mut(..len) else { break };
            fill_exactly(items, rest, out);
            done.written += len;
            path!("a window near the end");
        }
        done.read += items.end;
        done.replacements += items.ill_formed.count_ones() as usize;
        if items.ill_formed == 0 && done.read < src.len() {
            copy_valid(isa, src, dst, &mut done);
        }
    }
    done
}

#[inline(always)]
fn is_block_ascii<S: Simd>(isa: S, block: &[u8; ASCII]) -> bool {
    let mut all = isa.load(block, 0);
    let mut k = S::WIDTH;
    while k < ASCII {
        all = all | isa.load(block, k);
        k += S::WIDTH;
    }
    !isa.any_high_bit(all)
}

/// Copies blocks while they are well-formed, up to a character boundary. `done.read` is one, after a window.
///
/// If the last block has cut a character, the next window writes it again.
#[inline(always)]
fn copy_valid<S: Kernels>(isa: S, src: &[u8], dst: &mut Output, done: &mut Repair) {
    let Repair { mut read, mut written, .. } = *done;
    while let (Some(block), Some(out)) = (src.chunk_at::<ASCII>(read), dst.chunk_at::<ASCII>(written)) {
        if !is_block_ascii(isa, block) {
            break;
        }
        out.write(block);
        (read, written) = (read + ASCII, written + ASCII);
        path!("ASCII to copy");
    }
    if read > done.read {
        (done.read, done.written) = (read, written);
        return;
    }
    while let (Some(view), Some(out)) = (src.chunk_at(read - BEFORE), dst.chunk_at::<WINDOW>(written))
        && isa.is_block_valid(view)
    {
        out.write(&view[BEFORE..]);
        (read, written) = (read + WINDOW, written + WINDOW);
        path!("a valid block to copy");
    }
    if is_cut(src[..read].last_chunk().unwrap()) {
        let cut = read - scalar::last_char_start(&src[..read]);
        (read, written) = (read - cut, written - cut);
    }
    (done.read, done.written) = (read, written);
}

/// Writes a repaired window to `out`. Returns its length.
///
/// A run of characters is copied as 64 bytes, however short it is. No copy leaves `out`, of [`ROOM`] bytes, or `view`: each
/// source byte becomes at most 3, so a run starts before `out[3 * 64]`, and its copy ends before `out[4 * 64]`. It starts within
/// the window, and ends within `view`, which is twice as long.
#[inline(always)]
fn fill(mut items: Items, view: &[u8; VIEW], out: &mut Output) -> usize {
    let (mut from, mut to) = (0, 0);
    copy(out, view);
    while let Some((start, end)) = items.take() {
        to += start - from;
        out[to..].write(REPLACEMENT.as_bytes());
        (from, to) = (end, to + REPLACEMENT.len());
        copy(&mut out[to..], &view[from..]);
    }
    to + items.end - from
}

/// Copies the first 64 bytes.
#[inline(always)]
fn copy(out: &mut Output, view: &[u8]) {
    out.write(view.first_chunk::<WINDOW>().unwrap());
}

/// Writes a repaired window, and nothing else, to `out`, which has its exact length.
#[inline(always)]
fn fill_exactly(mut items: Items, window: &[u8], mut out: &mut Output) {
    let mut from = 0;
    while let Some((start, end)) = items.take() {
        let run = &window[from..start];
        out[..run.len()].copy_short(run);
        out[run.len()..].write(REPLACEMENT.as_bytes());
        out = &mut out[run.len() + REPLACEMENT.len()..];
        from = end;
    }
    out.copy_short(&window[from..items.end]);
}

/// The items of the first window of `src` with ill-formed sequences, and the offset of that window.
#[inline(always)]
pub(crate) fn ill_formed_items<S: Kernels>(isa: S, src: &[u8]) -> Option<(usize, Items)> {
    let mut at = 0;
    while at < src.len() {
        let items = items_at(isa, src, at);
        if items.ill_formed != 0 {
            path!("an ill-formed window found");
            return Some((at, items));
        }
        at += items.end;
        if at < src.len() {
            while let Some(view) = src.chunk_at::<{ BEFORE + WINDOW }>(at - BEFORE)
                && isa.is_block_valid(view)
            {
                path!("a valid block skipped");
                at += WINDOW;
            }
            if is_cut(src[..at].last_chunk().unwrap()) {
                at = scalar::last_char_start(&src[..at]);
            }
        }
    }
    None
}

/// After this many well-formed windows, the next error is not expected soon.
const CALM: usize = 8;

/// Converts `src`, which starts with an item, to UTF-16 with U+FFFD for ill-formed sequences. Stops at the first window
/// that does not fit, or when there have been no errors for a while: well-formed text is converted faster without
/// windows.
#[inline(always)]
pub(crate) fn to_utf16<S: Kernels>(isa: S, order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    let mut calm = 0;
    while done.read < src.len() && calm < CALM {
        let items = items_at(isa, src, done.read);
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        let Some(written) = isa.convert_items(order, rest, items, room) else { break };
        let replacements = items.ill_formed.count_ones() as usize;
        done.add(Repair { read: items.end, written, replacements });
        path!("a window to UTF-16");
        if replacements > 0 {
            calm = 0;
            continue;
        }
        calm += 1;
        if items.starts == u64::MAX && src.len() >= WINDOW {
            path!("ASCII between errors");
            let read = isa.convert_ascii(order, src, dst, done.read, done.written);
            done.add(Repair { read, written: 2 * read, replacements: 0 });
        }
    }
    done
}
