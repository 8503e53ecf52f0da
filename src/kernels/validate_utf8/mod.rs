//! Validation of UTF-8, and counting as it goes.
//!
//! # The problem
//!
//! Is this slice UTF-8? A character is 1 to 4 bytes (RFC 3629 §4):
//!
//! ```text
//! [0aaa|aaaa]                                       U+0000 to U+007F
//! [110a|aaaa] [10bb|bbbb]                           U+0080 to U+07FF
//! [1110|aaaa] [10bb|bbbb] [10cc|cccc]               U+0800 to U+FFFF, but not U+D800 to U+DFFF
//! [1111|0aaa] [10bb|bbbb] [10cc|cccc] [10dd|dddd]   U+10000 to U+10FFFF
//! ```
//!
//! Code that looks at one character at a time branches on its length, and mispredicts wherever that changes, as at the
//! ends of words. This kernel asks of every byte of a vector at once: may it follow the three bytes before it?
//!
//! # The idea: three lookups and an `and`
//!
//! Nearly all errors can be seen in two neighbouring bytes, in three nibbles of these: both of the first byte and the
//! upper one of the second. So each kind of error gets a bit. Three tables of 16 bytes say, for each value of a nibble,
//! which errors it can be part of. What all three tables agree on is an error:
//!
//! | bit | first byte | second byte | what is wrong |
//! |---|---|---|---|
//! | `01` | C0–FF | not 80–BF | a lead byte without a continuation |
//! | `20` | C0, C1 | 80–BF | overlong, below U+0080 |
//! | `04` | E0 | 80–9F | overlong, below U+0800 |
//! | `10` | ED | A0–BF | a surrogate |
//! | `08` | F4–FF | 90–BF | above U+10FFFF |
//! | `40` | F0, F5–FF | 80–8F | overlong, below U+10000 (F0), or above U+10FFFF |
//! | `80` | 00–BF | 80–BF | a continuation not right after a lead byte: wrong, *unless* it is a third or fourth byte |
//!
//! The last bit is the exception. It is an error exactly where no longer character began 2 or 3 bytes before, so it is
//! compared with that (a difference that would be negative is 0):
//!
//! ```text
//! for each vector `cur` of the block:
//!     prev1, prev2, prev3 = the vectors that start 1, 2 and 3 bytes earlier   loaded from memory
//!     wrong  = high1[prev1 >> 4] & low1[prev1 & 15] & high2[cur >> 4]         three shuffles
//!     inside = ((prev2 - 60) | (prev3 - 70)) & 80                              prev2 >= E0 or prev3 >= F0
//!     error |= wrong ^ inside
//! the block is well-formed if all of `error` is 0
//! ```
//!
//! # An example
//!
//! The string `naïve €5 😀` is 16 bytes, one lane. Zeros stand for the bytes before the start of the text:
//!
//! ```text
//!              n  a  ï     v  e     €        5     U+1F600
//! cur         6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98 80
//! prev1       00 6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98
//! high1[…]    80 80 80 21 80 80 80 80 15 80 80 80 80 49 80 80
//! low1[…]     E5 C9 A1 81 C9 C9 C9 E5 81 81 C9 C9 E5 E5 C9 C9
//! high2[…]    01 01 01 B8 01 01 01 01 E4 B8 01 01 01 AC AC E4
//! wrong       00 00 00 00 00 00 00 00 00 80 00 00 00 00 80 80
//! inside      00 00 00 00 00 00 00 00 00 80 00 00 00 00 80 80    after E2, F0 and F0
//! error       00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
//!
//! the same with a surrogate, ED A0 80, for `€`, and a space for 9F:
//! cur         6E 61 C3 AF 76 65 20 ED A0 80 35 20 F0 20 98 80
//! wrong       00 00 00 00 00 00 00 00 10 80 00 00 00 01 80 80
//! inside      00 00 00 00 00 00 00 00 00 80 00 00 00 00 80 80
//! error       00 00 00 00 00 00 00 00 10 00 00 00 00 01 00 00
//! ```
//!
//! # Why it is right
//!
//! Take the first byte at which the text stops being well-formed. All before it is well-formed, but may end inside a
//! character, so at most one lead byte in view still waits for a continuation.
//!
//! * The byte is no continuation. Then `high2` has no bit but `01`. It is right if and only if nothing waits: `01` is
//!   left if the lead byte is right before it, and `inside` is left if that is 2 or 3 bytes before.
//! * It is a continuation right after a lead byte. Then bit `80` is clear, as is `inside`, and the five bits from `04`
//!   to `40` are the table of the Unicode Standard (3-7) of which second bytes are well-formed. (C0, C1 and F5–FF are
//!   refused by way of the byte after them, whatever it is.)
//! * It is another continuation. Then bit `80` is set and all others are clear: `AFTER_NO_LEAD` is what `inside` must
//!   undo.
//!
//! So the first error sets a bit, and well-formed text sets none. A character that is cut at the end sets none either: nothing
//! comes after it. So the last 3 bytes are looked at by themselves, at the end of the input and before ASCII that is skipped
//! (`is_cut`). Input that is shorter than a vector has zeros after it. A loop only finds *that* a block is ill-formed;
//! `first_wrong` then looks at its vectors again for the first bit, and `scalar` says what is wrong there.
//!
//! # Three checks, not one
//!
//! Most text has no emoji, and much has nothing longer than 2 bytes. So there are two cheaper checks. The one for up to
//! 3 bytes leaves out `prev3` and takes a lead byte from F0 on for an error. The one for up to 2 bytes needs no lookup.
//! A byte must be a continuation exactly if the byte before it is from C0 on: an addition and a subtraction, both
//! saturating, leave the answers in bit 7, and an `xor` compares them. No byte from C0 on may be from E0 on (a `max`)
//! or below C2 (a `min`).
//!
//! A block that a cheaper check refuses is checked again by the next one. That one is then kept for 4 blocks (16 for
//! 4-byte characters on NEON), and each time for twice as many, up to 64. A cheaper check does not see the bytes 2 and
//! 3 before its first block. So it does not begin after a lead byte there of a character that is too long for it.
//! Blocks of ASCII are skipped by one test.
//!
//! # What it costs
//!
//! By count, for a vector (32 bytes with AVX2). Each check comes on top of that for ASCII; one branch for ASCII and one
//! for errors in each block of 4 vectors (8 on NEON) are left out:
//!
//! | check | loads | operations | of these shuffles |
//! |---|---|---|---|
//! | ASCII | 1 | 1 | 0 |
//! | up to 2 bytes | 2 | 6 | 0 |
//! | up to 3 bytes | 3 | 14 | 3 |
//! | up to 4 bytes | 4 | 16 | 3 |
//!
//! Intel cores have three vector ports (0, 1, 5): 16 operations take about 5.3 cycles. The shuffles go to port 5 up to
//! Skylake, and to 1 or 5 since Ice Lake, which is not what limits it. Zen has four vector pipes, two of which shuffle:
//! about 4 cycles at best. Loads, 2 a cycle, are hidden beside that, even if those that cross a cache line count twice.
//!
//! # Where it comes from
//!
//! John Keiser and Daniel Lemire, *Validating UTF-8 in less than one instruction per byte*, Software: Practice and
//! Experience 51 (5), 2021, doi:10.1002/spe.2920, arXiv:2010.03090. Looking up both nibbles and combining the results
//! by `and` is older: Wojciech Muła, *SIMDized check which bytes are in a set*, 2018. Differences from the paper:
//!
//! 1. A block is checked from its own bytes and the 3 before them, all loaded from memory. Nothing is carried from one
//!    block to the next. So a block may be checked by the cheapest of three checks, again by another, and the last
//!    block simply overlaps the one before. (Not on NEON, for the longer checks: see [`chained`].)
//! 2. The cheaper checks assume that no character is longer than 2 or 3 bytes and fail where one is; the block is then
//!    checked again by the next one.
//! 3. "ASCII, then a continuation" and "two continuations" share a bit: both are right exactly where a longer character
//!    began 2 or 3 bytes before.
//!
//! AVX-512 has an algorithm of its own, in `avx512.rs`.
//!
//! # Counting
//!
//! The characters are the bytes that are no continuations; in UTF-16 those that begin with F0 or above are two units,
//! the others one. Both counts are sums of compares or lookups, kept in bytes and added up before a byte could
//! overflow.
//!
//! A text is in Latin-1 if it has no byte from C4 on. The check for up to 2 bytes finds the greatest lead byte anyway,
//! and the other checks are only tried where there is a longer character.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;
mod chained;

use crate::parts::Parts;
use crate::report::{Counts, IllFormed, Utf8Error, Utf8Info};
use crate::scalar;
use crate::simd::{Lanes, Simd};
use chained::Chain;

/// How many vectors are tested together for ASCII at the start of a text. The rest is checked vector by vector if it
/// is at most twice as long.
const ASCII_VECTORS: usize = 4;

#[inline(always)]
pub(crate) fn validate<S: Lanes>(isa: S, src: &[u8]) -> Result<(), Utf8Error> {
    check::<true, S>(isa, src)
}

/// Checks `src`. If not `EXACT`, which only proofs ask for, an error says before which offset everything is well-formed, except
/// for a character cut there, or for a byte that starts none (C0, C1, F5 to FF).
#[inline(always)]
pub(crate) fn check<const EXACT: bool, S: Lanes>(isa: S, src: &[u8]) -> Result<(), Utf8Error> {
    // Fast path: short or ASCII input needs no stack frame, because the rest is left to other functions.
    if src.len() < S::WIDTH {
        path!("shorter than a vector");
        let bytes = isa.load_padded(src);
        if !isa.any_high_bit(bytes) {
            return Ok(());
        }
        let wrong = errors_of_start(isa, bytes);
        if isa.is_zero(wrong) {
            return Ok(());
        }
        return Err(if EXACT { scalar::locate_utf8_error(src, first_nonzero(isa, wrong)) } else { near(0) });
    }
    let Some(at) = first_not_ascii(isa, src) else { return Ok(()) };
    if src.len() - at <= 2 * ASCII_VECTORS * S::WIDTH {
        path!("at most two blocks");
        return rest::<EXACT, S>(isa, src, at);
    }
    isa.vectorize_with(
        src,
        at,
        #[inline(always)]
        move |src, at| match check_long::<false, S>(isa, src, at) {
            Ok((at, _)) => rest::<EXACT, S>(isa, src, at),
            Err(checked) => Err(reject::<EXACT, S>(isa, src, checked)),
        },
    )
}

/// [`check_rest`], and the error if it refuses.
#[inline(always)]
fn rest_inlined<const EXACT: bool, S: Lanes>(isa: S, src: &[u8], at: usize) -> Result<(), Utf8Error> {
    if check_rest(isa, src, at) { Ok(()) } else { Err(reject::<EXACT, S>(isa, src, at)) }
}

/// [`rest_inlined`]; where size counts more than a call, as a function of its own.
#[inline(always)]
fn rest<const EXACT: bool, S: Lanes>(isa: S, src: &[u8], at: usize) -> Result<(), Utf8Error> {
    if !S::SMALL {
        return rest_inlined::<EXACT, S>(isa, src, at);
    }
    isa.vectorize_with(
        src,
        at,
        #[inline(always)]
        move |src, at| rest_inlined::<EXACT, S>(isa, src, at),
    )
}

/// The first error of `src`, of at least a vector, which is well-formed before `checked`, with the exceptions that [`check`]
/// allows.
#[cold]
#[inline(never)]
fn reject<const EXACT: bool, S: Lanes>(isa: S, src: &[u8], checked: usize) -> Utf8Error {
    if !EXACT {
        return near(checked);
    }
    isa.vectorize_with(
        src,
        checked,
        #[inline(always)]
        move |src, checked| scalar::locate_utf8_error(src, first_wrong(isa, src, checked)),
    )
}

/// For proofs: an error that only says from where the first one is searched.
pub(crate) const fn near(checked: usize) -> Utf8Error {
    Utf8Error::new(checked, IllFormed::Incomplete)
}

/// The first byte from `checked` on that may not follow those before it, or the end of `src` if a character is cut there.
/// Everything before it is well-formed, except for a character cut there, or for a byte that starts none.
///
/// `src`, of at least a vector, is ill-formed, and `checked` is the result of a check: the vectors from there on are checked
/// again, but for ASCII.
#[inline(always)]
fn first_wrong<S: Lanes>(isa: S, src: &[u8], checked: usize) -> usize {
    let mut at = checked;
    if at == 0 {
        let wrong = first_nonzero(isa, errors_of_start(isa, isa.load(src, 0)));
        if wrong < S::WIDTH {
            return wrong;
        }
        at = S::WIDTH;
    }
    while at < src.len() {
        let next = at.min(src.len() - S::WIDTH);
        if next < 3 {
            // The last vector has fewer than 3 bytes before it to look back at. At most two of its bytes are unchecked.
            return scalar::wrong_utf8(src, at);
        }
        at = next + S::WIDTH;
        // Nothing is wrong in ASCII after ASCII.
        if isa.any_high_bit(isa.load(src, next - 3) | isa.load(src, next)) {
            let wrong = first_nonzero(isa, errors_at(isa, src, next, MIX));
            if wrong < S::WIDTH {
                return next + wrong;
            }
        }
    }
    src.len()
}

/// The index of the first byte of `a` that is not 0, or the width of a vector if all are.
#[inline(always)]
fn first_nonzero<S: Lanes>(isa: S, a: S::V) -> usize {
    isa.bitmask(isa.eq8(a, isa.splat8(0))).trailing_ones() as usize
}

#[inline(always)]
pub(crate) fn info<S: Lanes>(isa: S, src: &[u8]) -> Result<Utf8Info, Utf8Error> {
    match counts::<true, S>(isa, src) {
        Ok(counts) => Ok(Utf8Info::new(src.len(), counts)),
        Err(wrong) if src.len() < S::WIDTH => Err(scalar::locate_utf8_error(src, wrong)),
        Err(checked) => Err(reject::<true, S>(isa, src, checked)),
    }
}

/// Checks and counts `src`. The error is as in [`check`], not `EXACT`; but if `EXACT`, that of a text shorter than a vector is
/// what [`first_wrong`] would find.
#[inline(always)]
pub(crate) fn counts<const EXACT: bool, S: Lanes>(isa: S, src: &[u8]) -> Result<Counts, usize> {
    if src.len() < S::WIDTH {
        let bytes = isa.load_padded(src);
        if !isa.any_high_bit(bytes) {
            return Ok(Counts::ZERO);
        }
        let wrong = errors_of_start(isa, bytes);
        if isa.is_zero(wrong) {
            return Ok(count_from(isa, bytes, 0));
        }
        Err(if EXACT { first_nonzero(isa, wrong) } else { 0 })
    } else {
        match first_not_ascii(isa, src) {
            None => Ok(Counts::ZERO),
            Some(at) if src.len() - at <= 2 * ASCII_VECTORS * S::WIDTH => counted_rest(isa, src, at),
            // As in `check`, a function of its own.
            Some(at) => isa.vectorize(
                #[inline(always)]
                move || {
                    let (at, counted) = match check_long::<true, S>(isa, src, at) {
                        Ok(counted) => counted,
                        Err(checked) => return Err(checked),
                    };
                    match counted_rest(isa, src, at) {
                        Ok(mut counts) => {
                            counts.add(counted);
                            let before = bytes_before(src, at);
                            counts.see(plain!(before => before[2] >= 0xC4));
                            Ok(counts)
                        }
                        wrong => wrong,
                    }
                },
            ),
        }
    }
}

/// [`check_rest`], and the counts.
#[inline(always)]
fn counted_rest<S: Lanes>(isa: S, src: &[u8], at: usize) -> Result<Counts, usize> {
    if check_rest(isa, src, at) { Ok(count(isa, src, at)) } else { Err(at) }
}

/// Counts in `src`, of at least a vector, from `at` on. It is known to be well-formed.
#[inline(always)]
pub(crate) fn count<S: Lanes>(isa: S, src: &[u8], mut at: usize) -> Counts {
    let (mut counts, last) = (Counts::ZERO, src.len() - S::WIDTH);
    while at <= last {
        counts.add(count_from(isa, isa.load(src, at), 0));
        at += S::WIDTH;
    }
    // Does not count again what the last vector shares with the one before it.
    counts.add(count_from(isa, isa.load(src, last), at - last));
    counts
}

/// Counts in a vector, without its first bytes.
#[inline(always)]
fn count_from<S: Lanes>(isa: S, bytes: S::V, first: usize) -> Counts {
    let from = |byte: u8| isa.subs_u8(bytes, isa.splat8(byte - 0x80));
    let continuations = isa.count_high_bits(continuations(isa, bytes), first);
    Counts::new(continuations, isa.count_high_bits(from(0xF0), first), isa.any_high_bit_from(from(0xC4), first))
}

/// Returns an offset before which `src`, of at least a vector, is ASCII: a whole number of blocks. `None` if all of
/// it is.
#[inline(always)]
pub(crate) fn first_not_ascii<S: Simd>(isa: S, src: &[u8]) -> Option<usize> {
    // With 16-byte vectors, the test and branch are half of the cost.
    let start = if S::WIDTH == 16 { ascii_prefix(isa, src, 2 * ASCII_VECTORS) } else { 0 };
    // A longer rest is checked in blocks, which are no smaller.
    if S::UNROLL > ASCII_VECTORS && src.len() - start >= S::UNROLL * S::WIDTH {
        return Some(start);
    }
    let at = start + ascii_prefix(isa, &src[start..], ASCII_VECTORS);
    let last = src.len() - S::WIDTH;
    if src.len() - at < ASCII_VECTORS * S::WIDTH {
        // Always four vectors, overlapping: a loop of one to four would be mispredicted.
        let (mut all, mut k) = (isa.load(src, last), 0);
        while k < ASCII_VECTORS - 1 {
            all = all | isa.load(src, (at + k * S::WIDTH).min(last));
            k += 1;
        }
        if !isa.any_high_bit(all) {
            return None;
        }
    }
    Some(at)
}

/// Checks `src`, of which the first `start` bytes are ASCII and more than two blocks follow, up to the last whole block. Returns
/// where that ends and, if `COUNT`, what is counted before. The error is as in [`check`], not `EXACT`.
#[inline(always)]
fn check_long<const COUNT: bool, S: Lanes>(isa: S, src: &[u8], start: usize) -> Result<(usize, Counts), usize> {
    let (mut at, mut counts) = (start, Counts::ZERO);
    let head = isa.load(src, at);
    if at == 0 {
        if isa.any_high_bit(head) && !head_is_valid(isa, head) {
            return Err(0);
        }
        at = S::WIDTH;
        if COUNT {
            counts = count_from(isa, head, 0);
        }
    }
    let (at, counted) = check_blocks::<COUNT, S>(isa, src, at, longest_in_block(isa, src, start))?;
    counts.add(counted);
    Ok((at, counts))
}

/// The check that the block at `start` needs, which has the first character that is not ASCII.
#[inline(always)]
fn longest_in_block<S: Lanes>(isa: S, src: &[u8], start: usize) -> u8 {
    let block = src.expect_part(start, ASCII_VECTORS * S::WIDTH);
    let (mut max, mut k) = (isa.load(block, 0), 1);
    while k < ASCII_VECTORS {
        max = isa.max_u8(max, isa.load(block, k * S::WIDTH));
        k += 1;
    }
    let has_from = |byte: u8| isa.any_high_bit(isa.subs_u8(max, isa.splat8(byte - 0x80)));
    if has_from(0xF0) {
        MIX
    } else if has_from(0xE0) {
        THREE
    } else {
        TWO
    }
}

/// Whether the first bytes of the input are well-formed, except for a character cut at the end.
#[inline(always)]
pub(crate) fn head_is_valid<S: Lanes>(isa: S, bytes: S::V) -> bool {
    isa.is_zero(errors_of_start(isa, bytes))
}

/// Whether a character that starts in `before` needs more bytes. Nothing else would notice it if unchecked ASCII, or
/// the end, comes next.
#[inline(always)]
pub(crate) fn is_cut(before: &[u8; 3]) -> bool {
    // Not `||`: three comparisons are cheaper than a mispredicted branch.
    plain!(before => (before[2] >= 0xC0) | (before[1] >= 0xE0) | (before[0] >= 0xF0))
}

#[inline(always)]
fn bytes_before(src: &[u8], at: usize) -> &[u8; 3] {
    src.expect_chunk(at - 3)
}

/// Checks the rest of `src` from `at` on. `src` is at least a vector long, and everything before `at` is well-formed.
/// Uses vectors, the last of which overlaps.
#[inline(always)]
pub(crate) fn check_rest<S: Lanes>(isa: S, src: &[u8], at: usize) -> bool {
    if S::PREFERS_REGISTERS {
        return chained::rest_is_valid(isa.single(), src, at);
    }
    let last = src.len() - S::WIDTH;
    let (mut wrong, mut next) = (isa.splat8(0), at);
    if at == 0 {
        let head = isa.load(src, 0);
        wrong = errors_of_start(isa, head);
        if last < 3 {
            // The last vector has too few bytes before it to look back at.
            let rest = isa.load_padded(&src[S::WIDTH..]);
            return isa.is_zero(wrong | errors_after(isa, rest, head));
        }
        next = S::WIDTH;
    }
    wrong = wrong | errors_at(isa, src, last, MIX);
    while next < last {
        wrong = wrong | errors_at(isa, src, next, MIX);
        next += S::WIDTH;
    }
    isa.is_zero(wrong) && !is_cut(src.last_chunk().unwrap())
}

/// Checks whole blocks from `at` on. Returns where the last one ends and, if `COUNT`, their counts.
#[inline(always)]
fn check_blocks<const COUNT: bool, S: Lanes>(
    isa: S,
    src: &[u8],
    at: usize,
    longest: u8,
) -> Result<(usize, Counts), usize> {
    check_by_choice(
        at,
        S::UNROLL * S::WIDTH,
        Choice::new(longest, if S::PREFERS_REGISTERS { 16 } else { 4 }),
        #[inline(always)]
        |longest, at, max_blocks| match longest {
            TWO => isa.vectorize(
                #[inline(always)]
                move || run(isa, src, at, max_blocks, TWO, COUNT),
            ),
            THREE => isa.vectorize(
                #[inline(always)]
                move || run(isa, src, at, max_blocks, THREE, COUNT),
            ),
            _ => isa.vectorize(
                #[inline(always)]
                move || run(isa, src, at, max_blocks, MIX, COUNT),
            ),
        },
    )
}

/// Checks blocks of `block` bytes from `at` on, each with the check that `choice` chooses. `run` performs a check: it
/// takes the longest character to accept, where to start, and the maximum number of blocks to check that are not ASCII.
#[inline(always)]
pub(crate) fn check_by_choice(
    mut at: usize,
    block: usize,
    mut choice: Choice,
    run: impl Fn(u8, usize, usize) -> (usize, End, Counts) + Copy,
) -> Result<(usize, Counts), usize> {
    let mut counts = Counts::ZERO;
    loop {
        let (next, end, counted) = run(choice.longest(), at, choice.max_blocks());
        counts.add(counted);
        match end {
            End::Input => return Ok((next, counts)),
            End::Invalid => return Err(next),
            End::Enough | End::Refused => choice.learn((next - at) / block, end == End::Refused),
        }
        at = next;
    }
}

/// Chooses the cheapest check that is likely to accept the next block.
#[cfg_attr(test, derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord))]
pub(crate) struct Choice {
    /// How many blocks are still to be checked for characters of up to 3 bytes, and how many after the next refusal.
    three_left: usize,
    three_next: usize,
    /// The same for characters of up to 4 bytes.
    mix_left: usize,
    mix_next: usize,
}

impl Choice {
    /// Characters of up to `longest` bytes are expected. After one of 4 bytes, `mix_first` blocks are checked as if more
    /// followed.
    pub(crate) fn new(longest: u8, mix_first: usize) -> Self {
        Self {
            three_left: if longest == TWO { 0 } else { 4 },
            three_next: 4,
            mix_left: if longest == MIX { mix_first } else { 0 },
            mix_next: mix_first,
        }
    }

    /// The longest character that the next check accepts.
    #[inline(always)]
    pub(crate) fn longest(&self) -> u8 {
        match (self.three_left, self.mix_left) {
            (0, 0) => TWO,
            (_, 0) => THREE,
            _ => MIX,
        }
    }

    /// The maximum number of blocks for the next check.
    #[inline(always)]
    pub(crate) fn max_blocks(&self) -> usize {
        match self.longest() {
            TWO => usize::MAX,
            THREE => self.three_left,
            _ => self.mix_left,
        }
    }

    /// The check accepted so many blocks. Not inlined: this is the same for all instruction sets.
    #[cold]
    #[inline(never)]
    pub(crate) fn learn(&mut self, blocks: usize, refused: bool) {
        const MAX_BLOCKS_KEPT: usize = 64;
        let doubled = |blocks: usize| (2 * blocks).min(MAX_BLOCKS_KEPT);
        let longest = self.longest();
        path!(match (longest, refused) {
            (TWO, true) => "a block that is not of 2 bytes",
            (TWO, false) => "as many of 2 bytes as can be counted",
            (THREE, true) => "a block that is not of 3 bytes",
            (THREE, false) => "enough blocks of 3 bytes",
            _ => "enough blocks of 4 bytes",
        });
        match longest {
            TWO if refused => (self.three_left, self.three_next) = (self.three_next, doubled(self.three_next)),
            TWO => {}
            THREE => {
                self.three_left = self.three_left.saturating_sub(blocks);
                if refused {
                    (self.mix_left, self.mix_next) = (self.mix_next, doubled(self.mix_next));
                }
            }
            _ => self.mix_left = 0,
        }
    }
}

/// Why a run of blocks ended.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(crate) enum End {
    /// There is no whole block left.
    Input,
    /// As many blocks were checked as requested.
    Enough,
    /// This check does not accept the next block.
    Refused,
    /// The next block, or a character cut before it, is ill-formed.
    Invalid,
}

/// Checks blocks from `at` on with one check and skips ASCII, until `max_blocks` blocks were not ASCII. Returns where
/// the next block starts and, if `count_too`, the counts of those before.
#[inline(always)]
pub(crate) fn run<S: Lanes>(
    isa: S,
    src: &[u8],
    mut at: usize,
    max_blocks: usize,
    longest: u8,
    count_too: bool,
) -> (usize, End, Counts) {
    let block = S::UNROLL * S::WIDTH;
    let start = at;
    let mut chain = if S::PREFERS_REGISTERS {
        Chain::after(isa, isa.load(src, at - S::WIDTH), longest)
    } else {
        Chain::new(isa)
    };
    let mut tally = Tally::new(isa);
    let mut left = if count_too { max_blocks.min(Tally::<S>::MAX_BLOCKS) } else { max_blocks };
    // The shorter checks do not see the second and third bytes before the first block.
    let before = bytes_before(src, at);
    let longer = match longest {
        TWO => 0xE0,
        THREE => 0xF0,
        _ => 0xFF,
    };
    if longest != MIX && plain!(before => before[0] >= longer || before[1] >= longer) {
        return (at, End::Refused, Counts::ZERO);
    }
    let end = loop {
        let Some(window) = src.part_at(at - 3, 3 + block) else { break End::Input };
        if vectors_are_ascii(isa, &window[3..], S::UNROLL) {
            if is_cut(bytes_before(window, 3)) {
                break End::Invalid;
            }
            at += block + ascii_prefix(isa, &src[at + block..], S::UNROLL);
            chain = Chain::new(isa);
            path!("ASCII between others");
            continue;
        }
        if left == 0 {
            break End::Enough;
        }
        left -= 1;
        if !check_block(isa, window, &mut chain, &mut tally, longest, count_too) {
            break if longest == MIX { End::Invalid } else { End::Refused };
        }
        path!(match longest {
            TWO => "2 bytes",
            THREE => "3 bytes",
            _ => "4 bytes",
        });
        at += block;
    };
    if !count_too {
        return (at, end, Counts::ZERO);
    }
    let mut counts = tally.counts(isa);
    // Only a longer character, or an error, makes it choose another check.
    counts.see(longest != TWO);
    if longest == THREE && end == End::Refused {
        // The check that accepts the block will count it.
        counts.continuations -= count(isa, &src[..at + block], at).continuations;
        path!("not counted twice");
    }
    // The shorter checks see a 4-byte lead only together with the byte after it.
    if longest != MIX && at > start {
        let before = bytes_before(src, at);
        let from_f0 = plain!(before => usize::from(before[2] >= 0xF0));
        if from_f0 > 0 {
            path!("4 bytes from the last of a block on");
        }
        counts.from_f0 += from_f0;
    }
    (at, end, counts)
}

/// Whether one check accepts a block. If `count_too`, the block is counted in any case.
#[inline(always)]
fn check_block<S: Lanes>(
    isa: S,
    window: &[u8],
    chain: &mut Chain<S::V>,
    tally: &mut Tally<S>,
    longest: u8,
    count_too: bool,
) -> bool {
    if longest == TWO {
        return check_two_byte_block(isa, window, tally, count_too);
    }
    let mut wrong = isa.splat8(0);
    // As a loop over an index, it takes NEON 7 % more instructions.
    for k in 0..S::UNROLL {
        if S::PREFERS_REGISTERS {
            chain.push(isa, isa.load(&window[3..], k * S::WIDTH), longest);
        } else {
            wrong = wrong | errors_at(isa, window, 3 + k * S::WIDTH, longest);
        }
    }
    // Two counts of up to 4 per byte: continuation bytes and, in the high nibble, 4-byte leads.
    let (mut halves, mut k) = (isa.splat8(0), 0);
    while k < S::UNROLL {
        let bytes = isa.load(window, 3 + k * S::WIDTH);
        if count_too && longest == MIX {
            halves = isa.add8(halves, isa.shuffle(isa.lanes(WEIGHTS), isa.high_nibbles(bytes)));
        } else if count_too {
            tally.continuations = isa.sub8(tally.continuations, continuations(isa, bytes));
        }
        k += 1;
    }
    if count_too && longest == MIX {
        tally.continuations = isa.add8(tally.continuations, halves & isa.splat8(0x0F));
        tally.from_f0 = isa.add8(tally.from_f0, isa.high_nibbles(halves));
    }
    if S::PREFERS_REGISTERS { chain.is_valid(isa) } else { isa.is_zero(wrong) }
}

/// Whether a block is ASCII and well-formed 2-byte characters: continuation bytes exactly after lead bytes, which are
/// from C2 to DF.
#[inline(always)]
fn check_two_byte_block<S: Lanes>(isa: S, window: &[u8], tally: &mut Tally<S>, count_too: bool) -> bool {
    let mut unpaired = isa.splat8(0);
    // C0 to FF become 80 to BF, all other bytes less. Earlier blocks have no byte from E0 on.
    let mut greatest = if count_too { tally.greatest } else { isa.splat8(0) };
    let (mut min, mut k) = (isa.splat8(0), 0);
    while k < S::UNROLL {
        let at = 3 + k * S::WIDTH;
        let bytes = isa.load(window, at);
        let continuation = if count_too {
            continuations(isa, bytes)
        } else {
            // Cheaper on SSE4.1. As the sum saturates, only continuation bytes keep bit 7: 80–BF become C0–FF, C0–FF
            // become 00–3F.
            isa.adds_i8(bytes, isa.splat8(0x40))
        };
        let lead_before = isa.subs_u8(isa.load(window, at - 1), isa.splat8(0x40));
        unpaired = unpaired | (continuation ^ lead_before);
        greatest = isa.max_u8(greatest, lead_before);
        min = isa.min_i8(min, lead_before);
        k += 1;
    }
    tally.greatest = greatest;
    let from_e0 = isa.subs_u8(greatest, isa.splat8(0xE0 - 0x40 - 0x80));
    let below_c2 = isa.gt_i8(isa.splat8(0xC2 - 0x40), min);
    let valid = !isa.any_high_bit(unpaired | from_e0 | below_c2);
    if count_too && valid {
        k = 0;
        while k < S::UNROLL {
            let continuation = continuations(isa, isa.load(window, 3 + k * S::WIDTH));
            tally.continuations = isa.sub8(tally.continuations, continuation);
            k += 1;
        }
    }
    valid
}

/// `FF` for continuation bytes, which are below C0 as signed bytes.
#[inline(always)]
pub(super) fn continuations<S: Lanes>(isa: S, bytes: S::V) -> S::V {
    isa.gt_i8(isa.splat8(0xC0), bytes)
}

/// Counts of a few blocks: each byte counts the bytes at its place in all vectors.
#[derive(Clone, Copy)]
struct Tally<S: Lanes> {
    continuations: S::V,
    from_f0: S::V,
    /// The greatest bytes, less 40, that the check for up to 2 bytes has seen.
    greatest: S::V,
}

impl<S: Lanes> Tally<S> {
    /// As many blocks as cannot overflow a byte.
    const MAX_BLOCKS: usize = u8::MAX as usize / S::UNROLL;

    #[inline(always)]
    fn new(isa: S) -> Self {
        Self { continuations: isa.splat8(0), from_f0: isa.splat8(0), greatest: isa.splat8(0) }
    }

    #[inline(always)]
    fn counts(self, isa: S) -> Counts {
        let from_c4 = isa.any_high_bit(isa.subs_u8(self.greatest, isa.splat8(0xC4 - 0x40 - 0x80)));
        Counts::new(isa.sum8(self.continuations) as usize, isa.sum8(self.from_f0) as usize, from_c4)
    }
}

/// What a byte adds to the counts in [`check_block`], by its high nibble.
const WEIGHTS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0x10];

/// The checks, by the longest character they accept.
pub(crate) const TWO: u8 = 2;
pub(crate) const THREE: u8 = 3;
pub(crate) const MIX: u8 = 4;

/// A kind of error in two neighbouring bytes. It has a bit, and three sets of nibbles, each of 16 bits: the high
/// and low ones of the first byte, and the high ones of the second.
struct Wrong {
    bit: u8,
    first_high: u16,
    first_low: u16,
    second_high: u16,
}

/// The nibbles `from..=to` as a set.
const fn nibbles(from: u8, to: u8) -> u16 {
    ((1u32 << (to + 1)) - (1u32 << from)) as u16
}
const CONTINUATION: u16 = nibbles(0x8, 0xB);
/// Not an error by itself: this bit must be set exactly where a character of 3 or 4 bytes started 2 or 3 bytes
/// before.
const NOT_AFTER_LEAD: u8 = 0x80;

const TOO_SHORT: Wrong =
    Wrong { bit: 0x01, first_high: nibbles(0xC, 0xF), first_low: !0, second_high: !CONTINUATION };
const OVERLONG_2: Wrong =
    Wrong { bit: 0x20, first_high: nibbles(0xC, 0xC), first_low: nibbles(0, 1), second_high: CONTINUATION };
const OVERLONG_3: Wrong =
    Wrong { bit: 0x04, first_high: nibbles(0xE, 0xE), first_low: nibbles(0, 0), second_high: nibbles(0x8, 0x9) };
const SURROGATE: Wrong = Wrong {
    bit: 0x10,
    first_high: nibbles(0xE, 0xE),
    first_low: nibbles(0xD, 0xD),
    second_high: nibbles(0xA, 0xB),
};
const TOO_LARGE: Wrong = Wrong {
    bit: 0x08,
    first_high: nibbles(0xF, 0xF),
    first_low: nibbles(0x4, 0xF),
    second_high: nibbles(0x9, 0xB),
};
/// F0 80–8F is overlong, F5–FF 80–8F too large.
const OVERLONG_4: Wrong = Wrong {
    bit: 0x40,
    first_high: nibbles(0xF, 0xF),
    first_low: nibbles(0, 0) | nibbles(0x5, 0xF),
    second_high: nibbles(0x8, 0x8),
};
const AFTER_NO_LEAD: Wrong =
    Wrong { bit: NOT_AFTER_LEAD, first_high: nibbles(0x0, 0xB), first_low: !0, second_high: CONTINUATION };
/// In text without 4-byte characters, their lead bytes do not count as lead bytes.
const AFTER_LEAD_OF_4: Wrong = Wrong { first_high: nibbles(0xF, 0xF), ..AFTER_NO_LEAD };

/// The three lookup tables for a set of errors: for each nibble, the bits of those that it is part of.
const fn tables(wrongs: &[Wrong]) -> [[u8; 16]; 3] {
    let mut tables = [[0; 16]; 3];
    let mut w = 0;
    while w < wrongs.len() {
        let mut nibble = 0;
        while nibble < 16 {
            let sets = [wrongs[w].first_high, wrongs[w].first_low, wrongs[w].second_high];
            let mut t = 0;
            while t < 3 {
                if sets[t] >> nibble & 1 == 1 {
                    tables[t][nibble] |= wrongs[w].bit;
                }
                t += 1;
            }
            nibble += 1;
        }
        w += 1;
    }
    tables
}
const MIX_TABLES: [[u8; 16]; 3] =
    tables(&[TOO_SHORT, OVERLONG_2, OVERLONG_3, SURROGATE, TOO_LARGE, OVERLONG_4, AFTER_NO_LEAD]);
const THREE_TABLES: [[u8; 16]; 3] =
    tables(&[TOO_SHORT, OVERLONG_2, OVERLONG_3, SURROGATE, AFTER_NO_LEAD, AFTER_LEAD_OF_4]);

/// Returns nonzero bytes where a byte of `cur` may not follow the 3 before it.
#[inline(always)]
fn errors<S: Lanes>(isa: S, cur: S::V, prev1: S::V, prev2: S::V, prev3: S::V, longest: u8) -> S::V {
    let [first_high, first_low, second_high] = if longest == MIX { MIX_TABLES } else { THREE_TABLES };
    let wrong = isa.shuffle(isa.lanes(first_high), isa.high_nibbles(prev1))
        & isa.shuffle(isa.lanes(first_low), prev1 & isa.splat8(0x0F))
        & isa.shuffle(isa.lanes(second_high), isa.high_nibbles(cur));
    // Bit 7 is set where the byte must be a second or third continuation byte.
    let lead_of_3 = isa.subs_u8(prev2, isa.splat8(0xE0 - 0x80));
    let after_lead =
        if longest == MIX { lead_of_3 | isa.subs_u8(prev3, isa.splat8(0xF0 - 0x80)) } else { lead_of_3 };
    wrong ^ (after_lead & isa.splat8(NOT_AFTER_LEAD))
}

/// [`errors`] for the first vector of a text, or a shorter text and zeros after it: these are errors if a character is cut by the
/// end of the text.
#[inline(always)]
fn errors_of_start<S: Lanes>(isa: S, bytes: S::V) -> S::V {
    errors_after(isa, bytes, isa.splat8(0))
}

/// [`errors`] for a vector right after another.
#[inline(always)]
fn errors_after<S: Lanes>(isa: S, cur: S::V, before: S::V) -> S::V {
    let [one, two, three] = [isa.prev::<1>(cur, before), isa.prev::<2>(cur, before), isa.prev::<3>(cur, before)];
    errors(isa, cur, one, two, three, MIX)
}

/// [`errors`] for the vector at `src[at..]`, with 3 bytes before it.
#[inline(always)]
pub(crate) fn errors_at<S: Lanes>(isa: S, src: &[u8], at: usize, longest: u8) -> S::V {
    let window = src.expect_part(at - 3, 3 + S::WIDTH);
    errors(isa, isa.load(window, 3), isa.load(window, 2), isa.load(window, 1), isa.load(window, 0), longest)
}

/// Whether the `count` vectors at the start of `src` are ASCII.
#[inline(always)]
fn vectors_are_ascii<S: Simd>(isa: S, src: &[u8], count: usize) -> bool {
    let (mut all, mut k) = (isa.load(src, 0), 1);
    while k < count {
        all = all | isa.load(src, k * S::WIDTH);
        k += 1;
    }
    !isa.any_high_bit(all)
}

/// The length of the ASCII at the start of `src`, in blocks of `count` vectors.
#[inline(always)]
fn ascii_prefix<S: Simd>(isa: S, src: &[u8], count: usize) -> usize {
    let mut rest = src;
    while let Some(block) = rest.get(..count * S::WIDTH)
        && vectors_are_ascii(isa, block, count)
    {
        rest = &rest[count * S::WIDTH..];
    }
    src.len() - rest.len()
}

#[inline(always)]
pub(crate) fn is_ascii<S: Simd>(isa: S, src: &[u8]) -> bool {
    if src.len() < S::WIDTH { scalar::is_ascii(src) } else { first_not_ascii(isa, src).is_none() }
}
