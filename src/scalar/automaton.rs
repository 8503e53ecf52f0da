//! Where UTF-8 is ill-formed, by an automaton: a step is a load and a shift, whatever the byte.
//!
//! # The idea
//!
//! A finite automaton reads a byte and goes from one state to the next. Commonly, state and byte together are looked up in
//! a table: each load has to wait for the last one, 4 or 5 cycles for each byte. Here the byte alone is looked up, so that
//! loads do not wait. The table has a number for each byte, which holds the next state for *each* state.
//!
//! The state after the byte stands at the bit whose number is the state before it:
//!
//! ```text
//! state = NEXT[byte] >> (state & 31)
//! ```
//!
//! and only the shift, one cycle, waits for the state before. No branch depends on the text: one on the kind of a
//! character would be mispredicted at the ends of words.
//!
//! # An example
//!
//! The states say which bytes complete the character. `é` and `😀`, then `é` cut by a `(`:
//!
//! ```text
//! byte   NEXT[byte]   state before                  state after, the lowest 5 bits
//! C3     00000400      6 whole                      16 one more
//! A9     21060820     16 one more                    6 whole
//! F0     00000600      6 whole                      24 three more, after F0
//! 9F     01860820     24 three more, after F0        1 two more
//! 98     01860820      1 two more                   16 one more
//! 80     40860820     16 one more                    6 whole
//! C3     00000400      6 whole                      16 one more
//! 28     00000180     16 one more                    0 ill-formed
//! ```
//!
//! A shift uses only the lowest 5 bits of its distance. So the bits above can stay in the state, and are masked only in
//! the end. State 0 is ill-formed, and no byte leads out of it: bit 0 and the four above are 0 in every number.
//!
//! # Nine states in 32 bits
//!
//! Nine states of 5 bits are 45 bits, which would take numbers of 64. But the states may overlap: their numbers are chosen
//! such that bits which two of them read are right for both, for every byte. `row` puts them together and proves, when
//! the library is compiled, that each state finds its own successor. With 256 numbers the table is 1 KB.
//!
//! # What it is for
//!
//! `check` reads 16 bytes, then looks at the state once, and skips ASCII by blocks. In damaged text the next error is
//! often near. So `near` decodes character by character, with branches, and then knows where the error is.
//!
//! By count, a byte costs a load, a shift and its part of a loop. Only shifts wait for each other: about a cycle a byte,
//! or two where a shift by a variable is not one operation (x86 without BMI2).
//!
//! # Where it comes from
//!
//! Per Vognsen, *Shift-based DFAs* (a note with code). That 32 bits are enough for UTF-8, by states that overlap:
//! Dougall Johnson, and rust-lang/rust, pull request 136693, for the standard library. The states here are RFC 3629 §4
//! (`step`); an automaton that looks up the state as well is Björn Höhrmann's *Flexible and economical UTF-8 decoder*.

use super::{EACH_BYTE, NOT_ASCII, WORD, is_continuation};

use crate::parts::Parts;

/// A number for each byte.
static NEXT: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = row(byte as u8);
        byte += 1;
    }
    table
};

/// The states, named by the number of bytes that complete the character. The numbers are chosen so that the 5 bits at
/// each of them can overlap in 32 bits and still be right for every byte, which `row` proves.
const WHOLE: u32 = 6;
const ONE: u32 = 16;
const TWO: u32 = 1;
const THREE: u32 = 11;
const TWO_AFTER_E0: u32 = 25;
const TWO_AFTER_ED: u32 = 19;
const THREE_AFTER_F0: u32 = 24;
const THREE_AFTER_F4: u32 = 30;
/// No byte leads out of this state.
const ILL_FORMED: u32 = 0;

/// The state after `byte` (RFC 3629 §4).
const fn step(state: u32, byte: u8) -> u32 {
    match (state, byte) {
        (WHOLE, 0x00..=0x7F) | (ONE, 0x80..=0xBF) => WHOLE,
        (WHOLE, 0xC2..=0xDF) | (TWO, 0x80..=0xBF) => ONE,
        (TWO_AFTER_E0, 0xA0..=0xBF) | (TWO_AFTER_ED, 0x80..=0x9F) => ONE,
        (WHOLE, 0xE0) => TWO_AFTER_E0,
        (WHOLE, 0xED) => TWO_AFTER_ED,
        (WHOLE, 0xE1..=0xEF) | (THREE, 0x80..=0xBF) => TWO,
        (THREE_AFTER_F0, 0x90..=0xBF) | (THREE_AFTER_F4, 0x80..=0x8F) => TWO,
        (WHOLE, 0xF0) => THREE_AFTER_F0,
        (WHOLE, 0xF1..=0xF3) => THREE,
        (WHOLE, 0xF4) => THREE_AFTER_F4,
        _ => ILL_FORMED,
    }
}

const fn row(byte: u8) -> u32 {
    const STATES: [u32; 9] =
        [WHOLE, ONE, TWO, THREE, TWO_AFTER_E0, TWO_AFTER_ED, THREE_AFTER_F0, THREE_AFTER_F4, ILL_FORMED];
    let mut row = 0;
    let mut i = 0;
    while i < STATES.len() {
        row |= step(STATES[i], byte) << STATES[i];
        i += 1;
    }
    // Each state finds its own successor, though they overlap.
    let mut i = 0;
    while i < STATES.len() {
        assert!(row >> STATES[i] & 31 == step(STATES[i], byte));
        i += 1;
    }
    row
}

/// The state after `bytes`.
#[inline(always)]
fn after(state: u32, bytes: &[u8]) -> u32 {
    // Only 5 bits of the state count. The bits above may stay, since a shift ignores them.
    let mut state = state;
    for &byte in bytes {
        state = NEXT[usize::from(byte)].wrapping_shr(state);
    }
    state & 31
}

/// The number of bytes that are checked together.
const STEP: usize = 16;
/// About how many bytes are first decoded item by item.
const NEAR: usize = 2 * STEP;

/// Checks `src`. The error is the offset up to which it is well-formed.
#[inline(always)]
pub(crate) fn check(src: &[u8]) -> Result<(), usize> {
    let at = skip_ascii(src, 0);
    // Short text needs no call.
    if ends_well(WHOLE, &src[at..]) {
        return Ok(());
    }
    match search(src, at) {
        Some((start, _)) => Err(start),
        None => Ok(()),
    }
}

/// The length of the character at the start of `src`, which must not be empty. The error is the length of the
/// ill-formed sequence (maximal subparts, Unicode 3.9), which may also be an incomplete character at the end of
/// `src`.
#[inline(always)]
pub(crate) fn first_item(src: &[u8]) -> Result<usize, usize> {
    item_at(src, 0)
}

/// [`first_item`] for the item that starts at `at`.
#[inline(always)]
pub(crate) fn item_at(src: &[u8], at: usize) -> Result<usize, usize> {
    // 0 continues no character.
    let byte = |k: usize| src.get(at + k).copied().unwrap_or(0);
    let first = src[at];
    if first < 0x80 {
        return Ok(1);
    }
    if first.wrapping_sub(0xC2) > 0xF4 - 0xC2 {
        return Err(1);
    }
    if first < 0xE0 {
        return if is_continuation(byte(1)) { Ok(2) } else { Err(1) };
    }
    let [from, to] = SECOND[usize::from(first & 0x1F)];
    if byte(1) < from || byte(1) > to {
        return Err(1);
    }
    if !is_continuation(byte(2)) {
        return Err(2);
    }
    if first < 0xF0 {
        return Ok(3);
    }
    if is_continuation(byte(3)) { Ok(4) } else { Err(3) }
}

/// The range of the second byte after each lead byte from E0 to F4, indexed by the low 5 bits of the lead byte.
static SECOND: [[u8; 2]; 32] = {
    let mut table = [[0x80, 0xBF]; 32];
    table[0x00] = [0xA0, 0xBF];
    table[0x0D] = [0x80, 0x9F];
    table[0x10] = [0x90, 0xBF];
    table[0x14] = [0x80, 0x8F];
    table
};

/// Decodes the items of `src` one at a time, up to about `near`, with branches, which damaged text mispredicts in any
/// case. Returns where the first ill-formed item starts and ends. The error is how far `src` is well-formed.
#[inline(always)]
pub(crate) fn near(src: &[u8], near: usize) -> Result<(usize, usize), usize> {
    let mut at = 0;
    while at < near && at < src.len() {
        if src[at] < 0x80 {
            at += 1;
            // More ASCII may follow.
            if at < near && at < src.len() && src[at] < 0x80 {
                at += ascii_len(&src[at..]);
            }
            continue;
        }
        match item_at(src, at) {
            Ok(len) => at += len,
            Err(len) => return Ok((at, at + len)),
        }
    }
    Err(at)
}

/// The length of some of the ASCII at the start of `src`, at least 1.
#[inline(always)]
fn ascii_len(src: &[u8]) -> usize {
    match src.first_chunk::<8>() {
        Some(bytes) => match u64::from_le_bytes(*bytes) & NOT_ASCII {
            0 => 8,
            not_ascii => not_ascii.trailing_zeros() as usize / 8,
        },
        None => 1,
    }
}

/// Where the first ill-formed sequence of `src` starts and ends, if there is one. Optimised for one near the start.
#[inline(always)]
pub(crate) fn ill_formed_utf8(src: &[u8]) -> Option<(usize, usize)> {
    if cfg!(fastutf_scalar_default) {
        // It is compiled with optimisation, even if this is not.
        let error = core::str::from_utf8(src).err()?;
        let start = error.valid_up_to();
        return Some((start, error.error_len().map_or(src.len(), |len| start + len)));
    }
    match near(src, NEAR) {
        Ok(found) => Some(found),
        Err(at) if at == src.len() => None,
        Err(at) => search(src, skip_ascii(src, at)),
    }
}

/// Skips blocks of ASCII from `at` on.
#[inline(always)]
fn skip_ascii(src: &[u8], mut at: usize) -> usize {
    while let Some(block) = src.chunk_at::<STEP>(at)
        && block.is_ascii()
    {
        at += STEP;
        while let Some(blocks) = src.chunk_at::<{ 4 * STEP }>(at)
            && is_ascii(blocks)
        {
            at += 4 * STEP;
        }
    }
    at
}

#[inline(always)]
fn is_ascii(blocks: &[u8; 4 * STEP]) -> bool {
    if cfg!(any(target_arch = "riscv32", target_arch = "riscv64")) {
        // These targets may have to read unaligned words byte by byte. The standard library aligns.
        return blocks.is_ascii();
    }
    let mut all = 0;
    for &word in blocks.as_chunks::<WORD>().0 {
        all |= usize::from_ne_bytes(word);
    }
    all & (EACH_BYTE << 7) == 0
}

/// Whether `rest` is the end of the text, shorter than a block, and completes a character.
#[inline(always)]
fn ends_well(state: u32, rest: &[u8]) -> bool {
    rest.len() < STEP && after(state, rest) == WHOLE
}

/// Where the first ill-formed sequence of `src` starts and ends. `src` must be well-formed up to `at`, where a
/// character starts.
#[inline(never)]
fn search(src: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut state = WHOLE;
    while let Some(block) = src.chunk_at::<STEP>(at) {
        let next = after(state, block);
        if next == ILL_FORMED {
            break;
        }
        (at, state) = (at + STEP, next);
        if state == WHOLE {
            at = skip_ascii(src, at);
        }
    }
    if ends_well(state, &src[at..]) {
        return None;
    }
    // The error is in this block; its place is found without branches, too.
    let mut start = if state == WHOLE { at } else { super::last_char_start(&src[..at]) };
    let mut end = at;
    for (skipped, &byte) in src.expect_part(at, STEP.min(src.len() - at)).iter().enumerate() {
        state = after(state, &[byte]);
        start = if state == WHOLE { at + skipped + 1 } else { start };
        end += usize::from(state != ILL_FORMED);
    }
    Some((start, end.max(start + 1)))
}
