//! UTF-16 without converting it, for AVX-512: masks of surrogates as numbers, and counting by tables of 64 bytes.
//!
//! # Validation
//!
//! A compare gives a number with a bit for each of 32 units, not a vector. So "the unit before" is a shift of that
//! number by one, and what is shifted out is the one bit that has to be carried to the next vector:
//!
//! ```text
//! [high, low]    = units & FC00 == D800, units & FC00 == DC00        two masks
//! after_high     = high << 1 | open
//! open           = the bit shifted out
//! broken        |= low ^ after_high                                  low surrogates must be exactly after high ones
//! ```
//!
//! Eight units of the example in the parent module; the first unit is bit 0, on the left:
//!
//! ```text
//! units        0061 D83D DE00 0062 D83D 0063 DE00 0064
//! high            .    1    .    .    1    .    .    .
//! after_high      .    .    1    .    .    1    .    .
//! low             .    .    1    .    .    .    1    .
//! broken          .    .    .    .    .    1    1    .
//! ```
//!
//! An unpaired high surrogate is seen one unit late here, an unpaired low one in its own place. At the end of the text
//! `open` must be 0.
//!
//! As in the parent module a block, here of 256 bytes, is first asked whether it has surrogates at all, by the least of
//! all units `xor` D800. A block with none is well-formed unless a pair is open before it, and then costs 4 loads, 4
//! `xor`, 3 `min` and one compare: about 4 cycles by count, as `min` goes to port 0 of Intel's two for such vectors,
//! `xor` to either. Loads of 64 bytes that do not start at a multiple of 64 always lie in two cache lines, so a long
//! text is read at such multiples.
//!
//! # Counting
//!
//! The upper bytes of two vectors of units are as many as one vector has, and a masked shuffle puts them into one:
//! those of `a` and `b` in turn. What a unit counts is then a lookup by the upper 6 bits of that byte, in a table of
//! 64: that is enough to tell high surrogates (D8–DB) from low ones (DC–DF), and what is below U+0800 (00–07) from the
//! rest. It does not tell what is below U+0080: that is asked of the upper byte and of bit 7 of the lower one. The
//! order of the units is of no matter for a sum.
//!
//! # Repair
//!
//! As in the parent module, but the masks are there without packing, and a masked move writes U+FFFD.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::endian::Endian;
use crate::error::Utf16Error;
use crate::kernels::validate_utf16::{starts_low, unpaired, verdict, whole_units, word};
use crate::simd::x86::avx512::{A, B, C, Table, load, load_partial, overwrite, store, store_two_partial};

/// Bytes that one test for surrogates is made for.
const BLOCK: usize = 4 * 64;
/// From this length on it pays to load from multiples of 64 only: others lie in two cache lines.
const LONG: usize = 2048;

/// How many whole units of a long text are before a multiple of 64 bytes in memory, in bytes. (At an odd address, the
/// next one is a byte later.)
#[inline(always)]
fn to_alignment(src: &[u8]) -> usize {
    src.as_ptr().align_offset(64) & 0b11_1110
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn validate<E: Endian>(src: &[u8]) -> Result<(), Utf16Error> {
    verdict::<E>(src, check::<E>(whole_units(src)))
}

/// Checks whole units. The error is an offset before which everything is valid, save for a pair cut there.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn check<E: Endian>(src: &[u8]) -> Result<(), usize> {
    let mut pairs = Pairs::NONE;
    let mut rest = src;
    if src.len() >= LONG && !any_surrogate(distance::<E>(load(src, 0))) {
        rest = &src[to_alignment(src)..];
    }
    while let Some(block) = rest.first_chunk::<BLOCK>() {
        if pairs.are_open() || block_has_surrogates::<E>(block) {
            for vector in block.as_chunks::<64>().0 {
                pairs.check::<E>(load(vector, 0));
            }
            path!("surrogates in a block");
            if pairs.broken != 0 {
                return Err(src.len() - rest.len());
            }
        }
        rest = &rest[BLOCK..];
    }
    let checked = src.len() - rest.len();
    if let Some(last) = src.last_chunk::<64>()
        && !pairs.are_open()
    {
        // Most text has no surrogates, and then this is all: the last vector overlaps with the one before it.
        let mut least = distance::<E>(load(last, 0));
        for vector in rest.as_chunks::<64>().0 {
            least = _mm512_min_epu16(least, distance::<E>(load(vector, 0)));
        }
        if !any_surrogate(least) {
            path!("no surrogates at the end");
            return Ok(());
        }
    }
    while let Some(vector) = rest.first_chunk::<64>() {
        pairs.check::<E>(load(vector, 0));
        rest = &rest[64..];
    }
    // A load without a single lane is slow where its address is no memory.
    if !rest.is_empty() {
        pairs.check::<E>(load_partial(rest));
    }
    if pairs.broken == 0 && !pairs.are_open() { Ok(()) } else { Err(checked) }
}

/// Words below 0800 for surrogates, and for nothing else.
#[inline]
#[target_feature(enable = "avx512bw")]
fn distance<E: Endian>(units: __m512i) -> __m512i {
    // Only the upper byte matters.
    let units = if E::BIG { _mm512_slli_epi16::<8>(units) } else { units };
    _mm512_xor_si512(units, _mm512_set1_epi16(0xD800u16 as i16))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn block_has_surrogates<E: Endian>(block: &[u8; BLOCK]) -> bool {
    let first = _mm512_min_epu16(distance::<E>(load(block, 0)), distance::<E>(load(block, 64)));
    let second = _mm512_min_epu16(distance::<E>(load(block, 2 * 64)), distance::<E>(load(block, 3 * 64)));
    any_surrogate(_mm512_min_epu16(first, second))
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn any_surrogate(least: __m512i) -> bool {
    _mm512_cmplt_epu16_mask(least, _mm512_set1_epi16(0x0800)) != 0
}

/// Surrogates in one vector after the other.
struct Pairs {
    /// Whether the last unit was a high surrogate, as bit 0.
    open: u64,
    /// Bits of units that are no low surrogates after a high one, or the other way round.
    broken: u64,
}

impl Pairs {
    const NONE: Self = Self { open: 0, broken: 0 };

    #[inline]
    fn are_open(&self) -> bool {
        self.open != 0
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn check<E: Endian>(&mut self, units: __m512i) {
        self.broken |= u64::from(self.unfit::<E>(units));
    }

    /// The units that do not fit to the one before: a low surrogate after anything but a high one, and anything but a low
    /// surrogate after a high one.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn unfit<E: Endian>(&mut self, units: __m512i) -> u32 {
        let [high, low] = surrogates::<E>(units);
        low ^ self.after(high)
    }

    /// The units after these high surrogates, of which the last one may be the first of the next vector.
    #[inline]
    fn after(&mut self, high: u32) -> u32 {
        let after_high = u64::from(high) << 1 | self.open;
        self.open = after_high >> 32;
        after_high as u32
    }
}

/// Where there are high surrogates and where low ones.
#[inline]
#[target_feature(enable = "avx512bw")]
fn surrogates<E: Endian>(units: __m512i) -> [u32; 2] {
    let splat = |unit| _mm512_set1_epi16(word::<E>(unit) as i16);
    let upper = _mm512_and_si512(units, splat(0xFC00));
    [_mm512_cmpeq_epi16_mask(upper, splat(0xD800)), _mm512_cmpeq_epi16_mask(upper, splat(0xDC00))]
}

/// Counts units that do not fit to the one before: there is one after each unpaired high surrogate, if only the end, and each
/// unpaired low one is one.
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn count_unpaired<E: Endian>(src: &[u8]) -> usize {
    let mut pairs = Pairs::NONE;
    let mut unpaired = 0;
    let (blocks, rest) = whole_units(src).as_chunks::<BLOCK>();
    for block in blocks {
        if pairs.are_open() || block_has_surrogates::<E>(block) {
            for vector in block.as_chunks::<64>().0 {
                unpaired += pairs.unfit::<E>(load(vector, 0)).count_ones() as usize;
            }
            path!("surrogates in a block to count");
        }
    }
    let (vectors, rest) = rest.as_chunks::<64>();
    for vector in vectors {
        unpaired += pairs.unfit::<E>(load(vector, 0)).count_ones() as usize;
    }
    if !rest.is_empty() {
        unpaired += pairs.unfit::<E>(load_partial(rest)).count_ones() as usize;
    }
    unpaired + usize::from(pairs.are_open())
}

/// Copies whole units to `dst`, which is as long, with U+FFFD for each unpaired surrogate. Returns how many.
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn repair<E: Endian>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    /// Two vectors, the units of which are as many as a number has bits.
    const PAIR: usize = 2 * 64;
    assert!(src.len().is_multiple_of(2) && src.len() == dst.len());
    let mut count = 0;
    let mut after_high = false;
    let (pairs, rest) = src.as_chunks::<PAIR>();
    let (repaired, repaired_rest) = dst.as_chunks_mut::<PAIR>();
    for (k, (pair, repaired)) in pairs.iter().zip(repaired).enumerate() {
        let vectors = [load(pair, 0), load(pair, 64)];
        let before_low = starts_low::<E>(&src[PAIR * (k + 1)..]);
        let (vectors, unpaired) = replace_unpaired::<E>(vectors, &mut after_high, before_low);
        store(repaired, 0, vectors[0]);
        store(repaired, 64, vectors[1]);
        path!("pairs of vectors to repair");
        count += unpaired;
    }
    let (first, second) = rest.split_at(rest.len().min(64));
    // A load or a store without a single lane is slow where its address is no memory.
    if !first.is_empty() {
        let b = if second.is_empty() { _mm512_setzero_si512() } else { load_partial(second) };
        let (vectors, unpaired) = replace_unpaired::<E>([load_partial(first), b], &mut after_high, false);
        store_two_partial(repaired_rest, first.len(), vectors);
        count += unpaired;
    }
    count
}

/// Replaces the unpaired surrogates of two vectors, given whether they come after a high and before a low one. Returns how
/// many, and leaves in `after_high` whether they end with a high one.
#[inline]
#[target_feature(enable = "avx512bw,popcnt")]
fn replace_unpaired<E: Endian>(
    [a, b]: [__m512i; 2],
    after_high: &mut bool,
    before_low: bool,
) -> ([__m512i; 2], usize) {
    let ([high_a, low_a], [high_b, low_b]) = (surrogates::<E>(a), surrogates::<E>(b));
    let both = |a, b| u64::from(a) | u64::from(b) << 32;
    let unpaired = unpaired([both(high_a, high_b), both(low_a, low_b)], *after_high, before_low);
    *after_high = high_b >> 31 != 0;
    let replacement = _mm512_set1_epi16(word::<E>(0xFFFD) as i16);
    let a = _mm512_mask_mov_epi16(a, unpaired as u32, replacement);
    let b = _mm512_mask_mov_epi16(b, (unpaired >> 32) as u32, replacement);
    ([a, b], unpaired.count_ones() as usize)
}

/// What a unit adds to a count, by the upper 6 bits of its upper byte: `surrogates[0]` for a high and `[1]` for a low
/// surrogate, `from_800` for others from U+0800 on.
const fn weights(from_800: u8, surrogates: [u8; 2]) -> Table {
    let mut table = [from_800; 64];
    [table[0x00 >> 2], table[0x04 >> 2]] = [0; 2];
    [table[0xD8 >> 2], table[0xDC >> 2]] = surrogates;
    Table(table)
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn count_chars<E: Endian>(src: &[u8]) -> usize {
    static LOW: Table = weights(0, [0, 1]);
    let src = whole_units(src);
    src.len() / 2 - sum::<E, false>(src, &LOW)
}

/// 1 byte for a unit, one more from U+0080 on, and another from U+0800 on, but not for a surrogate.
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn utf8_len<E: Endian>(src: &[u8]) -> usize {
    static FROM_800: Table = weights(1, [0, 0]);
    let src = whole_units(src);
    src.len() / 2 + sum::<E, true>(src, &FROM_800)
}

/// The sum of the weights of all units, which are at most 1 each, and of 1 for each unit from U+0080 on if `FROM_80`.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn sum<E: Endian, const FROM_80: bool>(src: &[u8], weights: &Table) -> usize {
    /// Two vectors, the units of which have as many bytes as one vector.
    const PAIR: usize = 2 * 64;
    let zero = _mm512_setzero_si512();
    let weights = weights.load();
    let weigh = |a, b| {
        let upper = upper_bytes::<E>(a, b);
        let mut counts = _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(upper), weights);
        if FROM_80 {
            let bit_7 = _mm512_set1_epi8(0x80u8 as i8);
            let from_80 = _mm512_ternarylogic_epi64::<{ A | B & C }>(upper, lower_bytes::<E>(a, b), bit_7);
            counts = _mm512_add_epi8(counts, _mm512_min_epu8(from_80, _mm512_set1_epi8(1)));
        }
        counts
    };
    let mut totals = zero;
    let mut src = src;
    if src.len() >= LONG {
        let (unaligned, aligned) = src.split_at(to_alignment(src));
        totals = _mm512_sad_epu8(weigh(load_partial(unaligned), zero), zero);
        src = aligned;
    }
    // As many pairs as cannot overflow a byte.
    for part in src.chunks(PAIR * (255 / 2)) {
        let (pairs, rest) = part.as_chunks::<PAIR>();
        let mut counts = zero;
        for pair in pairs {
            counts = _mm512_add_epi8(counts, weigh(load(pair, 0), load(pair, 64)));
        }
        totals = _mm512_add_epi64(totals, _mm512_sad_epu8(counts, zero));
        let rest = match rest.split_first_chunk::<64>() {
            Some((first, rest)) if !rest.is_empty() => weigh(load(first, 0), load_partial(rest)),
            _ if !rest.is_empty() => weigh(load_partial(rest), zero),
            _ => continue,
        };
        totals = _mm512_add_epi64(totals, _mm512_sad_epu8(rest, zero));
    }
    _mm512_reduce_add_epi64(totals) as usize
}

/// The bytes of `a` and `b` that are first in their words, those of `a` before those of `b` in each word.
#[inline]
#[target_feature(enable = "avx512bw")]
fn first_bytes(a: __m512i, b: __m512i) -> __m512i {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    _mm512_mask_shuffle_epi8(a, ODD, b, neighbours())
}

/// The bytes of `a` and `b` that are second in their words.
#[inline]
#[target_feature(enable = "avx512bw")]
fn second_bytes(a: __m512i, b: __m512i) -> __m512i {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    _mm512_mask_shuffle_epi8(b, EVEN, a, neighbours())
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn upper_bytes<E: Endian>(a: __m512i, b: __m512i) -> __m512i {
    if E::BIG { first_bytes(a, b) } else { second_bytes(a, b) }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn lower_bytes<E: Endian>(a: __m512i, b: __m512i) -> __m512i {
    if E::BIG { second_bytes(a, b) } else { first_bytes(a, b) }
}

/// Indices that swap the two bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
fn neighbours() -> __m512i {
    _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001)
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn swap_bytes(bytes: &mut [u8]) {
    let len = whole_units(bytes).len();
    let (vectors, rest) = bytes[..len].as_chunks_mut::<64>();
    for vector in vectors {
        let v = swapped(load(vector, 0));
        overwrite(vector, v);
    }
    if !rest.is_empty() {
        overwrite(rest, swapped(load_partial(rest)));
    }
}

#[target_feature(enable = "avx512vbmi,bmi2")]
pub(crate) fn swap_bytes_into(src: &[u8], dst: &mut [u8]) {
    let len = whole_units(src).len();
    if let (Some(from), Some(to)) = (src.get(len), dst.get_mut(len)) {
        *to = *from;
    }
    let (from, from_rest) = src[..len].as_chunks::<64>();
    let (to, to_rest) = dst[..len].as_chunks_mut::<64>();
    for (from, to) in from.iter().zip(to) {
        overwrite(to, swapped(load(from, 0)));
    }
    if !from_rest.is_empty() {
        overwrite(to_rest, swapped(load_partial(from_rest)));
    }
}

/// Swaps the bytes of each word.
#[inline]
#[target_feature(enable = "avx512bw")]
fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, neighbours())
}
