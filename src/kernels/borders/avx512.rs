//! The masks of borders for AVX-512: a compare makes one.

use crate::borders::Borders;
use crate::endian::ByteOrder;
use crate::kernels::masks;
use crate::kernels::validate_utf16::word;
use crate::simd::x86::avx512::arch::*;
use crate::simd::x86::avx512::load;

#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn utf8(src: &[u8], borders: &mut Borders) -> bool {
    let (blocks, end) = src.as_chunks();
    let mut k = 0;
    while k < blocks.len() {
        let (first, second) = masks::avx512::utf8(&blocks[k]);
        borders.set(k, first, second);
        k += 1;
    }
    borders.set_end(k, end, |end| masks::avx512::utf8(end));
    borders.place(src.len())
}

#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
pub(crate) fn utf16(order: ByteOrder, src: &[u8], borders: &mut Borders) -> bool {
    let (blocks, end) = src.as_chunks();
    let mut k = 0;
    while k < blocks.len() {
        let (first, second) = masks_utf16(order, &blocks[k]);
        borders.set(k, first, second);
        k += 1;
    }
    borders.set_end(k, end, |end| masks_utf16(order, end));
    borders.place(src.len())
}

#[inline]
#[target_feature(enable = "avx512vbmi,bmi2,popcnt")]
fn masks_utf16(order: ByteOrder, block: &[u8; 64]) -> (u64, u64) {
    let of = |unit| _mm512_set1_epi16(word(order, unit) as i16);
    let units = load(block, 0);
    let from_80 = _mm512_test_epi16_mask(units, of(0xFF80));
    let upper = _mm512_and_si512(units, of(0xF800));
    let from_800 = _mm512_test_epi16_mask(units, of(0xF800)) & !_mm512_cmpeq_epi16_mask(upper, of(0xD800));
    let low = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, of(0xFC00)), of(0xDC00));
    // One byte of each unit for either.
    let bits =
        |mask, bits: u16| _mm512_mask_mov_epi16(_mm512_setzero_si512(), mask, _mm512_set1_epi16(bits as i16));
    let more = _mm512_or_si512(bits(from_80, 0x0080), bits(from_800, 0x8000));
    (_mm512_movepi8_mask(more), _mm512_movepi8_mask(bits(low, 0x8080)))
}
