//! UTF-8 validation (and counting) for AVX-512: two lookups in tables of 64 bytes find errors in 64 bytes at once.
//!
//! # The idea
//!
//! A lane's shuffle looks up 4 bits. `vpermb` looks up 6, in a table of 64 bytes. So a byte is not taken apart into
//! nibbles: there is one lookup for the byte before, and one for the byte itself.
//!
//! * Saturating subtraction of BF makes each byte from C0 to FE a number from 1 to 63, and everything below it 0. That
//!   is an index into a table of what *may not follow*: a set of the four classes that matter.
//! * The upper 6 bits of a byte tell its class: no continuation (`01`), 80–8F (`02`), 90–9F (`04`), A0–BF (`08`).
//!
//! The two have a bit in common where a byte may not be. For a third or fourth byte the rule is simpler, and a mask
//! chooses it: whatever is no continuation is an error.
//!
//! ```text
//! second    = (bytes 2 before < E0) and (bytes 3 before < F0)        a mask; the byte is no third or fourth one
//! forbidden = second ? forbidden_after[bytes 1 before - BF] : 01     a masked `vpermb`
//! errors    = forbidden & class[bytes >> 2]
//! ```
//!
//! The first 16 lanes of `naïve €5 😀`:
//!
//! ```text
//!               n  a  ï     v  e     €        5     U+1F600
//! bytes        6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98 80
//! 1 before     00 6E 61 C3 AF 76 65 20 E2 82 AC 35 20 F0 9F 98
//! index        00 00 00 04 00 00 00 00 23 00 00 00 00 31 00 00
//! second        1  1  1  1  1  1  1  1  1  .  1  1  1  1  .  .
//! forbidden    0E 0E 0E 01 0E 0E 0E 0E 01 01 0E 0E 0E 03 01 01
//! class        01 01 01 08 01 01 01 01 02 08 01 01 01 04 04 02
//! errors       00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
//! ```
//!
//! `0E` forbids all continuations, `01` all other bytes. `03`, after F0, forbids 80–8F and all bytes that are no
//! continuations. If the text had `ED A0 80` for `€`, `forbidden` would be `09` at `A0`, whose class is `08`.
//!
//! # Why it is right
//!
//! The tables are computed from RFC 3629 §4 (`allowed_after`). Where the mask is clear, the byte before must be a
//! continuation itself, or it has been reported in its own place. So the only question there is whether it is a
//! continuation. F5 to FE may be followed by nothing, and the last bytes are looked at by themselves, as in the parent
//! module. F8 to FF are of every class, so that they are an error after anything. So it does not matter that FF, less
//! BF, is 64, which `vpermb` takes for 0.
//!
//! A byte is checked by the three before it. These are loaded from memory, not carried over from the last block, so
//! blocks depend on nothing but 3 bytes of lookback. They may overlap, and are skipped if they are ASCII. A cheap
//! check takes long characters for errors; a block that it rejects is checked again by a more thorough one, if it has
//! the lead byte of such a character. A cheap check is the same code with a table in which lead bytes from E0 or F0 on
//! may be followed by nothing, and without the compares for these.
//!
//! # What it costs
//!
//! With 64-byte vectors an Intel core has two vector ports, 0 and 5. Permutations and compares into masks go to 5,
//! saturating subtractions and shifts to 0, bitwise logic to either. By count, for 64 bytes, if the last `and` and the
//! `or` that collects errors become one `vpternlog`:
//!
//! | check | loads | port 5 | port 0 | either | about |
//! |---|---|---|---|---|---|
//! | up to 2 bytes | 2 | 2 | 2 | 1 | 2.5 cycles |
//! | up to 3 bytes | 2 | 3 | 3 | 1 | 3.5 cycles |
//! | up to 4 bytes | 3 | 4 | 3 | 1 | 4 cycles |
//!
//! In the last two, one of port 0 is a double shift, which makes one of the vectors before from two that are loaded
//! anyway. That is cheaper than to load it: a load that does not start at a multiple of 64 crosses a cache line. There
//! is one test for ASCII and one for errors to 256 bytes. Zen 4 does 64-byte operations in two halves; Zen 5, but for
//! its mobile versions, does them at once.
//!
//! # Where it comes from
//!
//! Finding errors in pairs of bytes by lookups is Keiser and Lemire's idea (see the parent module). Thanks to `vpermb`,
//! two tables are enough. Robert Clausecker and Daniel Lemire, *Transcoding Unicode characters with AVX-512
//! instructions*, Software: Practice and Experience 53 (12), 2023, doi:10.1002/spe.3261, arXiv:2212.05098, showed what
//! `vpermb`, masks and compression can do for transcoding. Their transcoder validates in another way, by arithmetic on
//! masks of bits.

use core::array;

use crate::kernels::validate_utf8::{Choice, End, THREE, TWO, check_by_choice, is_cut, near};
use crate::parts::Parts;
use crate::report::{Counts, Utf8Error, Utf8Info};
use crate::scalar;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::{Table, any_bit, load, load_end, load_partial, splat8};

/// How many bytes before a block its check needs: a character may have started there.
const LOOKBACK: usize = 3;
/// A vector and its lookback.
const VECTOR_VIEW: usize = LOOKBACK + 64;
/// How many bytes one ASCII test and one error test cover.
const FOUR_VECTORS: usize = 4 * 64;
/// A block and its lookback.
const FOUR_VECTORS_VIEW: usize = LOOKBACK + FOUR_VECTORS;

// The roles that a byte can have after the byte before it.
const NOT_CONTINUATION: u8 = 1 << 0;
const CONTINUATION_80_8F: u8 = 1 << 1;
const CONTINUATION_90_9F: u8 = 1 << 2;
const CONTINUATION_A0_BF: u8 = 1 << 3;
const CONTINUATION: u8 = CONTINUATION_80_8F | CONTINUATION_90_9F | CONTINUATION_A0_BF;
const ANYTHING: u8 = CONTINUATION | NOT_CONTINUATION;
/// No error: a continuation after a lead byte from C4 on, where characters have at most 2 bytes. It ends one that is not
/// in Latin-1.
const BEYOND_LATIN1: u8 = 1 << 4;

/// The roles that may follow a lead byte, if characters are at most `longest` bytes long (RFC 3629 §4).
const fn allowed_after(lead: u8, longest: usize) -> u8 {
    match lead {
        0xC2..=0xDF => CONTINUATION,
        0xE0..=0xEF if longest < 3 => 0,
        0xE0 => CONTINUATION_A0_BF,
        0xED => CONTINUATION_80_8F | CONTINUATION_90_9F,
        0xE1..=0xEF => CONTINUATION,
        0xF0..=0xF4 if longest < 4 => 0,
        0xF0 => CONTINUATION_90_9F | CONTINUATION_A0_BF,
        0xF1..=0xF3 => CONTINUATION,
        0xF4 => CONTINUATION_80_8F,
        _ => 0,
    }
}

/// The highest byte that cannot start a multi-byte character.
const LAST_CONTINUATION: u8 = 0xBF;

/// The roles that may not follow a byte: entry `k` is for byte `LAST_CONTINUATION + k`, and entry 0 for all bytes
/// below. (FF also uses entry 0, which is never empty. FF is an error whatever comes before, so it need not be one
/// for what follows.)
const fn forbidden_after(longest: usize) -> Table {
    let mut table = [CONTINUATION; 64];
    let mut k = 1;
    while k < 64 {
        table[k] = ANYTHING & !allowed_after(LAST_CONTINUATION + k as u8, longest);
        k += 1;
    }
    Table(table)
}

const FORBIDDEN_AFTER: &[Table; 3] = &[forbidden_after(2), forbidden_after(3), forbidden_after(4)];
/// For characters of up to 2 bytes, with [`BEYOND_LATIN1`].
const FORBIDDEN_AFTER_2: &Table = &{
    let mut table = forbidden_after(2);
    let mut k = (0xC4 - LAST_CONTINUATION) as usize;
    while k < 64 {
        table.0[k] |= BEYOND_LATIN1;
        k += 1;
    }
    table
};

/// The role of a byte, by its upper 6 bits.
const CLASS: &Table = &{
    let mut table = [NOT_CONTINUATION; 64];
    let mut k = 0;
    while k < 64 {
        match 4 * k as u8 {
            0x80..0x90 => table[k] = CONTINUATION_80_8F | BEYOND_LATIN1,
            0x90..0xA0 => table[k] = CONTINUATION_90_9F | BEYOND_LATIN1,
            0xA0..0xC0 => table[k] = CONTINUATION_A0_BF | BEYOND_LATIN1,
            // F8 to FF are forbidden everywhere.
            0xF8.. => table[k] = ANYTHING,
            _ => {}
        }
        k += 1;
    }
    Table(table)
};

/// Returns nonzero bytes where a byte of `now` may not follow the bytes 1, 2 and 3 before it, in text whose
/// characters are at most `LONGEST` bytes long. The lead byte of a longer one is an error.
///
/// The third and fourth bytes of a character must be continuation bytes. No further check is needed: the second byte
/// is one, or is itself an error.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(crate) fn errors<const LONGEST: usize>(now: __m512i, before: [__m512i; 3]) -> __m512i {
    errors_by::<LONGEST>(&FORBIDDEN_AFTER[LONGEST - 2], now, before)
}

#[inline]
#[target_feature(enable = "avx512vbmi")]
fn errors_by<const LONGEST: usize>(table: &'static Table, now: __m512i, before: [__m512i; 3]) -> __m512i {
    let index = _mm512_subs_epu8(before[0], splat8(LAST_CONTINUATION));
    let table = table.load();
    let forbidden = if LONGEST == 2 {
        _mm512_permutexvar_epi8(index, table)
    } else {
        let mut second = _mm512_cmplt_epu8_mask(before[1], splat8(0xE0));
        if LONGEST == 4 {
            second = _mm512_mask_cmplt_epu8_mask(second, before[2], splat8(0xF0));
        }
        _mm512_mask_permutexvar_epi8(splat8(NOT_CONTINUATION), second, index, table)
    };
    // The lookup ignores the upper 2 bits of its index, so the bits that the shift brings in from the next byte do
    // not matter.
    _mm512_and_si512(forbidden, _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(now), CLASS.load()))
}

/// The errors in the 64 bytes that follow the lookback at `window[at..]`; if `LONGEST` is 2, also [`BEYOND_LATIN1`].
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
pub(crate) fn errors_at<const LONGEST: usize>(window: &[u8], at: usize) -> __m512i {
    // Two neighbours in a word are bytes of `a` and, one earlier, of `b`. Shifting words by a byte takes one from `b`
    // and the other from `a`, which gives the vector in between: cheaper than a third load.
    match LONGEST {
        2 => {
            let (now, one) = (load(window, at + 3), load(window, at + 2));
            errors_by::<2>(FORBIDDEN_AFTER_2, now, [one, one, one])
        }
        3 => {
            let (now, two) = (load(window, at + 3), load(window, at + 1));
            let one = _mm512_shldi_epi16::<8>(now, two);
            errors::<3>(now, [one, two, two])
        }
        _ => {
            let (now, one, three) = (load(window, at + 3), load(window, at + 2), load(window, at));
            let two = _mm512_shldi_epi16::<8>(one, three);
            errors::<4>(now, [one, two, three])
        }
    }
}

#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn any(v: __m512i) -> bool {
    nonzero(v) != 0
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn nonzero(v: __m512i) -> __mmask64 {
    _mm512_test_epi8_mask(v, v)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
fn is_valid<const LONGEST: usize>(window: &[u8; FOUR_VECTORS_VIEW], found: &mut __m512i) -> bool {
    let (mut all, mut k) = (_mm512_setzero_si512(), 0);
    while k < FOUR_VECTORS {
        all = _mm512_or_si512(all, errors_at::<LONGEST>(window, k));
        k += 64;
    }
    *found = _mm512_or_si512(*found, all);
    if LONGEST == 2 { _mm512_test_epi8_mask(all, splat8(!BEYOND_LATIN1)) == 0 } else { !any(all) }
}

/// Whether a character of more than `LONGEST` bytes may be why [`is_valid`] refused this window.
#[inline]
#[target_feature(enable = "avx512bw")]
fn may_be_longer<const LONGEST: usize>(window: &[u8; FOUR_VECTORS_VIEW]) -> bool {
    if LONGEST == 4 {
        return false;
    }
    // From the first lead byte of such a character up to F4.
    let first = [0xE0, 0xF0][LONGEST - 2];
    let longer = |at: usize| {
        let bytes = load(window, at);
        _mm512_mask_cmplt_epu8_mask(_mm512_cmpge_epu8_mask(bytes, splat8(first)), bytes, splat8(0xF5))
    };
    // The last vector overlaps the one before it.
    any_bit(longer(0) | longer(64) | longer(128) | longer(192) | longer(FOUR_VECTORS_VIEW - 64))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn is_ascii(block: &[u8; FOUR_VECTORS]) -> bool {
    let (mut all, mut k) = (load(block, 0), 64);
    while k < FOUR_VECTORS {
        all = _mm512_or_si512(all, load(block, k));
        k += 64;
    }
    _mm512_movepi8_mask(all) == 0
}

/// Checks that `src` is well-formed UTF-8. The error is the first one.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn validate(src: &[u8]) -> Result<(), Utf8Error> {
    check::<true>(src)
}

/// Checks `src`. If not `EXACT`, an error says before which offset everything is well-formed, except for a character cut there,
/// or for a byte that starts none (C0, C1, F5 to F7).
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn check<const EXACT: bool>(src: &[u8]) -> Result<(), Utf8Error> {
    // Fast path: short or ASCII input needs no stack frame, because the rest is left to other functions.
    if src.len() <= 64 {
        path!("up to 64 bytes");
        return match check_up_to_64(src) {
            Ok(()) => Ok(()),
            Err(wrong) if EXACT => reject_short(src, wrong),
            Err(_) => Err(near(0)),
        };
    }
    let Some(at) = first_not_ascii(src) else { return Ok(()) };
    if src.len() - at < RUNS_FROM {
        path!("no more than a few vectors");
        validate_medium::<EXACT>(src, at)
    } else {
        validate_long::<EXACT>(src, at)
    }
}

/// The first error of `src`, which [`check`] or [`counts`] has refused with `checked`. (A `Result`, so that it is what the
/// caller returns, which then only jumps here.)
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
fn reject<T>(src: &[u8], checked: usize) -> Result<T, Utf8Error> {
    Err(scalar::locate_utf8_error(src, first_wrong(src, checked)))
}

/// The first error of `src`, of whose first 64 bytes those in `wrong` may not follow those before them. If there are none, a
/// character is cut at the end of 64 bytes.
#[cold]
#[inline(never)]
#[target_feature(enable = "bmi2")]
fn reject_short(src: &[u8], wrong: __mmask64) -> Result<(), Utf8Error> {
    Err(scalar::locate_utf8_error(src, wrong.trailing_zeros() as usize))
}

/// As `first_wrong` in the parent module, but of texts of any length, and ASCII is not skipped.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
fn first_wrong(src: &[u8], checked: usize) -> usize {
    let mut at = checked;
    if at == 0 {
        let wrong = errors_of_start(load_partial(src.get(..64).unwrap_or(src)));
        if wrong != 0 {
            return wrong.trailing_zeros() as usize;
        }
        at = 64;
    }
    while at < src.len() {
        let next = at.min(src.len() - 64);
        if next < LOOKBACK {
            // There are too few bytes before the last vector for its lookback, and at most two in it that are not checked.
            return scalar::wrong_utf8(src, at);
        }
        let wrong = nonzero(errors_at::<4>(src, next - LOOKBACK));
        if wrong != 0 {
            return next + wrong.trailing_zeros() as usize;
        }
        at = next + 64;
    }
    src.len()
}

/// Whether at most 64 bytes are ASCII.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn is_ascii_up_to_64(src: &[u8]) -> bool {
    // A load without a single lane is slow where its address is no memory, as that of an empty slice may be.
    src.is_empty() || _mm512_movepi8_mask(load_partial(src)) == 0
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn validate_long<const EXACT: bool>(src: &[u8], at: usize) -> Result<(), Utf8Error> {
    match check_long::<false>(src, at) {
        Ok(_) => Ok(()),
        Err(checked) if EXACT => reject(src, checked),
        Err(checked) => Err(near(checked)),
    }
}

/// Validates `src` and counts in it.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn info(src: &[u8]) -> Result<Utf8Info, Utf8Error> {
    match counts(src) {
        Ok(counts) => Ok(Utf8Info::new(src.len(), counts)),
        Err(checked) => reject(src, checked),
    }
}

/// Checks `src` like [`check`], and counts in it.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn counts(src: &[u8]) -> Result<Counts, usize> {
    if src.len() <= 64 {
        return check_short(src);
    }
    match first_not_ascii(src) {
        None => Ok(Counts::ZERO),
        Some(at) if src.len() - at < RUNS_FROM => match validate_medium::<false>(src, at) {
            Ok(()) => Ok(count(&src[at..])),
            Err(near) => Err(near.valid_up_to()),
        },
        Some(at) => check_long::<true>(src, at),
    }
}

/// Checks at most 64 bytes. The error has the bytes that may not follow those before them; there are none if it is that a
/// character is cut at the end.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
fn check_up_to_64(src: &[u8]) -> Result<(), __mmask64> {
    // A load without a single lane is slow where its address is no memory, as that of an empty slice may be. Callers test that.
    let now = load_partial(src);
    if _mm512_movepi8_mask(now) == 0 { Ok(()) } else { check_start(src, now) }
}

/// Checks at most 64 bytes, and counts in them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn check_short(src: &[u8]) -> Result<Counts, usize> {
    if src.is_empty() {
        return Ok(Counts::ZERO);
    }
    let now = load_partial(src);
    if _mm512_movepi8_mask(now) == 0 {
        Ok(Counts::ZERO)
    } else if check_start(src, now).is_ok() {
        Ok(count_vector(now))
    } else {
        Err(0)
    }
}

/// The maximum length of a text for which aligning loads to 64 bytes does not pay.
const UNALIGNED: usize = 4096;

/// Returns an offset before which `src`, of more than 64 bytes, is ASCII: a whole number of blocks. `None` if all of
/// it is.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn first_not_ascii(src: &[u8]) -> Option<usize> {
    if src.len() > UNALIGNED {
        return Some(0);
    }
    let mut at = 0;
    while let Some(block) = src.chunk_at::<FOUR_VECTORS>(at) {
        if !is_ascii(block) {
            return Some(at);
        }
        at += FOUR_VECTORS;
    }
    // Always four vectors, overlapping: a loop of one to four would be mispredicted.
    let last = src.len() - 64;
    let (mut all, mut k) = (load(src, last), 0);
    while k < FOUR_VECTORS - 64 {
        all = _mm512_or_si512(all, load(src, (at + k).min(last)));
        k += 64;
    }
    if _mm512_movepi8_mask(all) == 0 { None } else { Some(at) }
}

/// Counts in at most 64 bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn count_short(part: &[u8]) -> Counts {
    if part.is_empty() { Counts::ZERO } else { count_vector(load_partial(part)) }
}

/// Counts in a part of the text that is known to be well-formed.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn count(part: &[u8]) -> Counts {
    if part.len() < 64 {
        return count_short(part);
    }
    let mut counts = count_vector(load_end(part, part.len() % 64));
    let mut rest = part;
    while let Some((vector, after)) = rest.split_first_chunk::<64>() {
        counts.add(count_vector(load(vector, 0)));
        rest = after;
    }
    counts
}

#[inline]
#[target_feature(enable = "avx512bw,popcnt")]
fn count_vector(bytes: __m512i) -> Counts {
    let from = |byte: u8| _mm512_cmpge_epu8_mask(bytes, splat8(byte));
    Counts::new(continuations(bytes).count_ones() as usize, from(0xF0).count_ones() as usize, any_bit(from(0xC4)))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn continuations(bytes: __m512i) -> __mmask64 {
    _mm512_cmplt_epi8_mask(bytes, splat8(0xC0))
}

/// [`check_up_to_64`] of `src`, which is `now`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
fn check_start(src: &[u8], now: __m512i) -> Result<(), __mmask64> {
    let wrong = errors_of_start(now);
    if wrong == 0 && !(src.len() == 64 && is_cut(src.last_chunk().unwrap())) { Ok(()) } else { Err(wrong) }
}

/// Which of the first 64 bytes of a text, or of a shorter text and the zeros after it, may not follow those before.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
pub(crate) fn errors_of_start(now: __m512i) -> __mmask64 {
    nonzero(errors::<4>(now, before_first(now)))
}

/// The bytes 1, 2 and 3 before each of the first 64 of a text, with zeros before the first.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(crate) fn before_first(now: __m512i) -> [__m512i; 3] {
    // For each lane, the lane before it.
    let earlier = _mm512_alignr_epi32::<12>(now, _mm512_setzero_si512());
    [
        _mm512_alignr_epi8::<15>(now, earlier),
        _mm512_alignr_epi8::<14>(now, earlier),
        _mm512_alignr_epi8::<13>(now, earlier),
    ]
}

/// From this length on, the cheap checks and the tests for ASCII pay.
const RUNS_FROM: usize = 384;

/// [`check`] for a text of more than 64 bytes, of which those before `at` are ASCII.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
fn validate_medium<const EXACT: bool>(src: &[u8], at: usize) -> Result<(), Utf8Error> {
    if at == 0 {
        // Most text in another encoding than UTF-8 is rejected soon.
        let wrong = errors_of_start(load(src, 0));
        if wrong != 0 {
            return if EXACT { reject_short(src, wrong) } else { Err(near(0)) };
        }
    }
    let at = at.max(64);
    let ok =
        if src.len() >= VECTOR_VIEW { check_vectors(src, at) } else { check_last_bytes(&src[64 - LOOKBACK..]) };
    if ok {
        Ok(())
    } else if EXACT {
        reject(src, at)
    } else {
        Err(near(at))
    }
}

/// Checks the last one or two bytes of a text, after three that are known to be well-formed.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2")]
fn check_last_bytes(rest: &[u8]) -> bool {
    // Zeros follow the end: if a character is cut there, the first zero is an error.
    let before = [load_partial(&rest[2..]), load_partial(&rest[1..]), load_partial(rest)];
    !any(errors::<4>(load_partial(&rest[3..]), before))
}

/// Checks a text of at least a vector and its lookback from `at` on. The last vector ends with the text and overlaps
/// the one before it.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
pub(crate) fn check_vectors(src: &[u8], at: usize) -> bool {
    let Some(last) = src.last_chunk::<VECTOR_VIEW>() else { return false };
    let mut vectors = &src[at - LOOKBACK..];
    let mut all = errors_at::<4>(last, 0);
    while vectors.len() > VECTOR_VIEW {
        all = _mm512_or_si512(all, errors_at::<4>(vectors, 0));
        vectors = &vectors[64..];
    }
    !any(all) && !is_cut(last.last_chunk().unwrap())
}

/// Checks a text, of which the first `start` bytes are ASCII and at least a block and 64 bytes follow. Also counts if
/// `COUNT`.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn check_long<const COUNT: bool>(src: &[u8], mut start: usize) -> Result<Counts, usize> {
    let first = load(src, start);
    if start == 0 {
        if _mm512_movepi8_mask(first) != 0 && errors_of_start(first) != 0 {
            return Err(0);
        }
        // Blocks start at multiples of 64 in memory (except where the lookback would reach before the text).
        start = match src.as_ptr().align_offset(64) {
            start @ LOOKBACK..64 => start,
            _ => 64,
        };
    }
    let long = _mm512_cmpge_epu8_mask(first, splat8(0xE0)) != 0;
    let choice = Choice::new(if long { THREE } else { TWO }, 4);
    let (at, mut counts) =
        check_by_choice(start, FOUR_VECTORS, choice, |longest, at, max_blocks| match longest {
            TWO => run::<2, COUNT>(src, at, max_blocks),
            THREE => run::<3, COUNT>(src, at, max_blocks),
            _ => run::<4, COUNT>(src, at, max_blocks),
        })?;
    if !check_vectors(src, at) {
        return Err(at);
    }
    if COUNT {
        counts.add(count(&src[..start]));
        counts.add(count(&src[at..]));
        let last = array::from_ref(&src[at - 1]);
        counts.see(plain!(last => last[0] >= 0xC4));
    }
    Ok(counts)
}

/// Checks blocks from `at` on with one check and skips ASCII, until `max_blocks` blocks were not ASCII. Returns where
/// the next block starts and, if `COUNT`, the counts of those before.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,popcnt")]
pub(crate) fn run<const LONGEST: usize, const COUNT: bool>(
    src: &[u8],
    mut at: usize,
    max_blocks: usize,
) -> (usize, End, Counts) {
    let (mut counts, mut tally) = (Counts::ZERO, Tally::new());
    let mut found = _mm512_setzero_si512();
    let mut left = max_blocks;
    // The shorter checks do not see the second and third bytes before the first block.
    let longer = [0xE0, 0xF0, 0xFF][LONGEST - 2];
    let before: &[u8; LOOKBACK] = src.expect_chunk(at - LOOKBACK);
    if LONGEST < 4 && plain!(before => before[0] >= longer || before[1] >= longer) {
        return (at, End::Refused, counts);
    }
    let end = loop {
        // Not `chunk_at`: for the code after its panic, the compiler would load all vectors twice.
        let Some(rest) = src.get(at - LOOKBACK..) else { break End::Input };
        let Some(window) = rest.first_chunk::<FOUR_VECTORS_VIEW>() else { break End::Input };
        if is_ascii(window.last_chunk().unwrap()) {
            if is_cut(window.first_chunk().unwrap()) {
                break End::Invalid;
            }
            path!("ASCII between others");
            at += FOUR_VECTORS;
            continue;
        }
        if left == 0 {
            break End::Enough;
        }
        left -= 1;
        if !is_valid::<LONGEST>(window, &mut found) {
            break if may_be_longer::<LONGEST>(window) { End::Refused } else { End::Invalid };
        }
        path!(match LONGEST {
            2 => "2 bytes",
            3 => "3 bytes",
            _ => "4 bytes",
        });
        at += FOUR_VECTORS;
        if COUNT {
            if LONGEST == 4 {
                tally.add(window);
            } else {
                let mut k = LOOKBACK;
                while k < FOUR_VECTORS_VIEW {
                    counts.continuations += continuations(load(window, k)).count_ones() as usize;
                    k += 64;
                }
                // The shorter checks see a 4-byte lead only together with the byte after it.
                let last = array::from_ref(&window[FOUR_VECTORS_VIEW - 1]);
                counts.from_f0 += plain!(last => usize::from(last[0] >= 0xF0));
            }
        }
    };
    if COUNT && LONGEST == 4 {
        counts.add(tally.counts());
    }
    if COUNT {
        // Only a longer character, or an error, makes it choose another check, or leaves errors beside this.
        counts.see(LONGEST != 2 || any(found));
    }
    (at, end, counts)
}

/// Counts of blocks, in 64-bit numbers: for two counts, this is faster than two masks.
struct Tally {
    continuations: __m512i,
    from_f0: __m512i,
}

/// What a byte adds to a [`Tally`], by its upper 6 bits: 1 for a continuation byte; 1 in the high nibble for a lead
/// byte of 4.
static COUNTED: Table = {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 {
        match 4 * k as u8 {
            0x80..0xC0 => table[k] = 0x01,
            0xF0.. => table[k] = 0x10,
            _ => {}
        }
        k += 1;
    }
    Table(table)
};

impl Tally {
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn new() -> Self {
        Self { continuations: _mm512_setzero_si512(), from_f0: _mm512_setzero_si512() }
    }

    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    fn add(&mut self, window: &[u8; FOUR_VECTORS_VIEW]) {
        let (zero, lower) = (_mm512_setzero_si512(), splat8(0x0F));
        // Each nibble counts up to 4.
        let (mut halves, mut k) = (zero, LOOKBACK);
        while k < FOUR_VECTORS_VIEW {
            let index = _mm512_srli_epi16::<2>(load(window, k));
            halves = _mm512_add_epi8(halves, _mm512_permutexvar_epi8(index, COUNTED.load()));
            k += 64;
        }
        let sum = |halves| _mm512_sad_epu8(_mm512_and_si512(halves, lower), zero);
        self.continuations = _mm512_add_epi64(self.continuations, sum(halves));
        self.from_f0 = _mm512_add_epi64(self.from_f0, sum(_mm512_srli_epi16::<4>(halves)));
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn counts(&self) -> Counts {
        Counts {
            continuations: _mm512_reduce_add_epi64(self.continuations) as usize,
            from_f0: _mm512_reduce_add_epi64(self.from_f0) as usize,
        }
    }
}
