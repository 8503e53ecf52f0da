//! Whether bytes look like UTF-16, and in which order.

use fastutf::Isa;

use crate::encoding::{Encoding, count};
use crate::scan::Piece;

/// How many bytes at the start of a text are looked at.
pub const SAMPLE: usize = 64 << 10;

/// Returns what to do about a piece of UTF-8 that is none, if it is the start of an input that looks like UTF-16: to use
/// this option.
pub fn advice(isa: Isa, encoding: Encoding, piece: &Piece<'_>, option: &str) -> Option<String> {
    let is_odd = piece.is_first && encoding == Encoding::Utf8;
    let order = looks_like_utf16(isa, piece.bytes).filter(|_| is_odd)?;
    let label = if piece.bytes.starts_with(order.mark()) { "utf-16" } else { order.label() };
    Some(format!("this looks like UTF-16: try `{option} {label}`"))
}

/// Returns the form of UTF-16 that the start of a text looks like, if any.
///
/// A byte-order mark says so. Without one, its first 64 KiB must be well-formed UTF-16 in one of the two orders, with no
/// control characters but those that texts have, and at least one in 32 code units an ASCII character or U+3000 to U+3002,
/// the space and the full stop of Chinese and Japanese. In the other order, these are characters that hardly any text has.
pub fn looks_like_utf16(isa: Isa, start: &[u8]) -> Option<Encoding> {
    let sample = &start[..start.len().min(SAMPLE)];
    let orders = [Encoding::Utf16Le, Encoding::Utf16Be];
    let is_marked = |order: &Encoding| start.starts_with(order.mark());
    orders.into_iter().find(is_marked).or_else(|| {
        let likely = orders.into_iter().filter(|&order| is_likely(isa, order, sample));
        likely.max_by_key(|&order| common(order, sample))
    })
}

fn is_likely(isa: Isa, order: Encoding, sample: &[u8]) -> bool {
    // The sample may end inside a pair or a code unit.
    let is_well_formed = order.fault(isa, sample).is_none_or(|fault| fault.is_incomplete());
    let units = sample.len() as u64 / 2;
    let common = common(order, sample);
    common > 0 && common * 32 >= units && is_well_formed && controls(order, sample) == 0
}

/// How many code units are ASCII characters that texts have, or U+3000 to U+3002.
fn common(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| {
        let unit = unit(order, bytes);
        matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D | 0x20..0x7F | 0x3000..0x3003)
    })
}

/// How many are control characters that texts do not have.
fn controls(order: Encoding, sample: &[u8]) -> u64 {
    count(sample.as_chunks().0, |bytes| {
        let unit = unit(order, bytes);
        unit < 0x20 && !matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D) || unit == 0x7F
    })
}

fn unit(order: Encoding, bytes: [u8; 2]) -> u16 {
    if order == Encoding::Utf16Be { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}
