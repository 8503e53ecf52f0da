//! Characters that the end of a text cuts.

use super::is_continuation;
use crate::endian::ByteOrder;

/// The length of the incomplete character at the end of `text`, 0 if there is none.
// Not ranges: without optimisation, their functions cost more than all of this.
#[allow(clippy::manual_range_contains)]
#[inline(always)]
pub(crate) fn incomplete_utf8(text: &[u8]) -> usize {
    let [a, b, c] = match *text {
        [.., a, b, c] => [a, b, c],
        [b, c] => [0, b, c],
        [c] => [0, 0, c],
        [] => return 0,
    };
    if c < 0x80 {
        return 0;
    }
    // Whether two bytes can be the first of three, and of four: the second may already show that no other can
    // complete it.
    let three = |pair: u16| (pair >= 0xE0A0) & (pair <= 0xED9F) | (pair >= 0xEE80) & (pair <= 0xEFBF);
    let four = |pair: u16| (pair >= 0xF090) & (pair <= 0xF48F);
    let (ab, bc) = ((a as u16) << 8 | b as u16, (b as u16) << 8 | c as u16);
    // At most one of these holds.
    let one = (c >= 0xC2) & (c <= 0xF4);
    let two = is_continuation(c) & (three(bc) | four(bc));
    let three = is_continuation(b) & is_continuation(c) & four(ab);
    one as usize + 2 * two as usize + 3 * three as usize
}

/// The same in bytes, of UTF-16: a high surrogate, an odd byte, or both.
#[inline(always)]
pub(crate) fn incomplete_utf16(order: ByteOrder, text: &[u8]) -> usize {
    let (units, half) = text.as_chunks::<2>();
    let high = units.last().is_some_and(|&unit| order.unit(unit) & 0xFC00 == 0xD800);
    half.len() + 2 * usize::from(high)
}
