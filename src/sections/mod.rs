//! Sections, the stretches of a text between the checkpoints of [`positions`](crate::positions): what is counted in each,
//! and where in one a character or a line starts. The kernels find the masks of 64 bytes, and here they are counted.
//!
//! A line end is the last byte of `\n`, `\r\n` or `\r`. Whether `\r` is one depends on the byte after it, which may belong to
//! the next section. So all functions get the text from the start of a section to the end of the text.

mod walk;

pub(crate) use walk::{Batch, Located, WINDOW, Walk, find_all, place_all};

/// The maximum length of a section in bytes.
pub(crate) const MAX_LEN: usize = 512;

/// What is counted in a text, or before a place in it: less than 64 KB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SectionCounts {
    pub bytes: u16,
    pub utf16: u16,
    pub chars: u16,
    pub lines: u16,
}

/// Sections to be counted, one behind the other.
pub(crate) struct Sections<'a> {
    /// One for each section.
    pub counts: &'a mut [SectionCounts],
    /// The length of each section but the last, in bytes, at most [`MAX_LEN`].
    pub each: usize,
    /// The length of all.
    pub len: usize,
}

/// A bit for each of 64 bytes: what a kernel finds out.
#[derive(Clone, Copy)]
pub(crate) struct Masks {
    /// The bytes that are no continuations.
    pub starts: u64,
    /// The bytes from F0 on, which start a surrogate pair in UTF-16.
    pub from_f0: u64,
    pub line_feeds: u64,
    pub returns: u64,
}

/// What an instruction set does for sections.
pub(crate) trait Marks: Copy {
    fn masks(self, block: &[u8; 64]) -> Masks;

    /// The bit that is the one number `n` of `bits`, which has more than `n`.
    #[inline(always)]
    fn nth_bit(self, bits: u64, n: usize) -> usize {
        nth_bit(bits, n)
    }
}

/// What a column, or an offset, is counted in: one of the three that the Language Server Protocol knows.
///
/// ```
/// use fastutf::positions::{Index, Unit};
///
/// let index = Index::new("a😀");
/// assert_eq!([Unit::Utf8, Unit::Utf16, Unit::Utf32].map(|unit| index.len(unit)), [5, 3, 2]);
/// assert_eq!(Unit::Utf16.name(), "utf-16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what JavaScript counts, and a client of the protocol unless it has agreed on another.
    Utf16,
    /// Characters.
    Utf32,
}

impl Unit {
    /// Returns the name in the protocol (`PositionEncodingKind`): `utf-8`, `utf-16` or `utf-32`.
    ///
    /// ```
    /// assert_eq!(fastutf::positions::Unit::Utf32.name(), "utf-32");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }
}

/// A bit for each of up to 64 bytes of a text.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    /// The bytes that are no continuations; with [`in_units`](Self::in_units), those that count.
    starts: u64,
    /// The bytes from F0 on; with [`in_units`](Self::in_units), those that count twice.
    from_f0: u64,
    /// The last byte of each line end.
    line_ends: u64,
}

/// What is before a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    /// The number of line ends.
    pub lines: usize,
    /// The offset after the last of them; 0 if there is none.
    pub last: usize,
    /// The number of code units in UTF-16 from there on.
    pub utf16: usize,
    /// The number of characters from there on.
    pub chars: usize,
}

/// A line, from one line end to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The offset after the line end before it.
    pub start: usize,
    /// The offset of the last byte of its own line end, if that is nearby.
    pub end: Option<usize>,
}

/// The lowest `count` bits, at most 64.
#[inline(always)]
const fn low(count: usize) -> u64 {
    if count < 64 { !(u64::MAX << count) } else { u64::MAX }
}

/// See [`Marks::nth_bit`].
#[inline(always)]
pub(crate) fn nth_bit(bits: u64, n: usize) -> usize {
    const EACH_BYTE: u64 = u64::MAX / 0xFF;
    const TOP: u64 = 0x80 * EACH_BYTE;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    // In each byte, the number of bits up to its end. None is above 64, so that nothing is carried.
    let sums = bytes.wrapping_mul(EACH_BYTE);
    let passed = (TOP + n as u64 * EACH_BYTE - sums) & TOP;
    let mut at = 8 * ((passed >> 7).wrapping_mul(EACH_BYTE) >> 56) as usize;
    let mut n = n - ((sums << 8) >> at & 0xFF) as usize;
    let mut step = 4;
    while step > 0 {
        let count = (bits >> at & low(step)).count_ones() as usize;
        if n >= count {
            n -= count;
            at += step;
        }
        step /= 2;
    }
    at
}

impl Word {
    /// The bits of what `masks` are of, which `next` follows.
    #[inline(always)]
    fn new(masks: Masks, next: Option<&u8>) -> Self {
        let Masks { starts, from_f0, line_feeds, returns } = masks;
        let mut line_ends = line_feeds;
        if returns != 0 {
            let before_line_feed = line_feeds >> 1 | u64::from(next == Some(&b'\n')) << 63;
            line_ends |= returns & !before_line_feed;
        }
        Self { starts, from_f0, line_ends }
    }

    /// The first 64 bytes of `src[at..]`, or what there is.
    #[inline(always)]
    fn of<M: Marks>(marks: M, src: &[u8], at: usize) -> Self {
        let rest = &src[at..];
        if let Some((block, rest)) = rest.split_first_chunk() {
            return Self::new(marks.masks(block), rest.first());
        }
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        Self::new(marks.masks(&block), None).first(rest.len())
    }

    /// The bits of the first `len` bytes, at most 64.
    #[inline(always)]
    fn first(self, len: usize) -> Self {
        self.masked(low(len))
    }

    #[inline(always)]
    fn masked(self, mask: u64) -> Self {
        Self { starts: self.starts & mask, from_f0: self.from_f0 & mask, line_ends: self.line_ends & mask }
    }

    /// The bits by which these units are counted, where there are `len` bytes.
    #[inline(always)]
    fn in_units(self, unit: Unit, len: usize) -> Self {
        match unit {
            Unit::Utf8 => Self { starts: low(len.min(64)), from_f0: 0, ..self },
            Unit::Utf32 => Self { from_f0: 0, ..self },
            Unit::Utf16 => self,
        }
    }

    #[inline(always)]
    fn chars(self) -> usize {
        self.starts.count_ones() as usize
    }

    /// Of a word [`in_units`](Self::in_units), their number.
    #[inline(always)]
    fn units(self) -> usize {
        (self.starts.count_ones() + self.from_f0.count_ones()) as usize
    }

    #[inline(always)]
    fn lines(self) -> usize {
        self.line_ends.count_ones() as usize
    }

    /// The offset after the last line end; 0 if there is none.
    #[inline(always)]
    fn line_start(self) -> usize {
        64 - self.line_ends.leading_zeros() as usize
    }

    /// The first byte of the character that unit number `n` belongs to. It must start here.
    #[inline(always)]
    fn find<M: Marks>(self, marks: M, n: usize) -> usize {
        // The second half of a pair has the bit of the byte after the first, which has none itself.
        let bits = self.starts | self.from_f0 << 1;
        if n >= bits.count_ones() as usize {
            return 63;
        }
        let at = marks.nth_bit(bits, n);
        at - usize::from(self.starts >> at & 1 == 0)
    }
}

/// Counts what is in each of the sections at the start of `src`.
#[inline(always)]
pub(crate) fn count<M: Marks>(marks: M, src: &[u8], sections: &mut Sections<'_>) {
    let mut k = 0;
    let mut at = 0;
    while k < sections.counts.len() {
        let end = (at + sections.each).min(sections.len);
        let (mut utf16, mut chars, mut lines) = (0, 0, 0);
        let len = end - at;
        if let Some((section, rest)) = src[at..].split_first_chunk::<MAX_LEN>()
            && len == MAX_LEN
        {
            // What nearly all are.
            let (blocks, _) = section.as_chunks::<64>();
            let mut k = 0;
            while k < blocks.len() {
                let next = section.get(64 * k + 64).or(rest.first());
                let word = Word::new(marks.masks(&blocks[k]), next);
                utf16 += word.units();
                chars += word.chars();
                lines += word.lines();
                k += 1;
            }
            at = end;
        }
        while at < end {
            let mut word = Word::of(marks, src, at);
            if end - at < 64 {
                word = word.first(end - at);
            }
            utf16 += word.units();
            chars += word.chars();
            lines += word.lines();
            at += 64;
        }
        at = end;
        sections.counts[k] =
            SectionCounts { bytes: len as u16, utf16: utf16 as u16, chars: chars as u16, lines: lines as u16 };
        k += 1;
    }
}

/// What is before `src[at]`, or before the end.
#[inline(always)]
pub(crate) fn before<M: Marks>(marks: M, src: &[u8], at: usize) -> Before {
    let (mut lines, mut last, mut utf16, mut chars) = (0, 0, 0, 0);
    let mut k = 0;
    // Without branches: whether there is a line end in a word cannot be predicted.
    while k < at {
        let word = Word::of(marks, src, k).first((at - k).min(64));
        let any = word.line_ends != 0;
        let start = word.line_start();
        let behind = word.masked(!low(start));
        (last, utf16, chars) = if any { (k + start, 0, 0) } else { (last, utf16, chars) };
        utf16 += behind.units();
        chars += behind.chars();
        lines += word.lines();
        k += 64;
    }
    Before { lines, last, utf16, chars }
}

/// Where the character starts that unit number `n` of `src` belongs to; the end if there are no more than `n`.
#[inline(always)]
pub(crate) fn find<M: Marks>(marks: M, src: &[u8], unit: Unit, n: usize) -> usize {
    let (mut at, mut n) = (0, n);
    while at < src.len() {
        let word = Word::of(marks, src, at).in_units(unit, src.len() - at);
        let count = word.units();
        if n < count {
            return at + word.find(marks, n);
        }
        n -= count;
        at += 64;
    }
    src.len()
}

/// The line after `skip` line ends of `src`; an empty one at the end if there are fewer. Its own line end is looked for in about
/// as many bytes as a section has.
#[inline(always)]
pub(crate) fn line<M: Marks>(marks: M, src: &[u8], skip: usize) -> Line {
    let (mut at, mut skip, mut start) = (0, skip, 0);
    let mut ends = Word::of(marks, src, 0).line_ends;
    if skip > 0 {
        while skip > ends.count_ones() as usize {
            skip -= ends.count_ones() as usize;
            at += 64;
            if at >= src.len() {
                return Line { start: src.len(), end: None };
            }
            ends = Word::of(marks, src, at).line_ends;
        }
        let end = marks.nth_bit(ends, skip - 1);
        start = at + end + 1;
        ends &= !low(end + 1);
    }
    while ends == 0 {
        at += 64;
        if at >= src.len() || at > start + MAX_LEN {
            return Line { start, end: None };
        }
        ends = Word::of(marks, src, at).line_ends;
    }
    Line { start, end: Some(at + ends.trailing_zeros() as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_number() {
        let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..3000 {
            bits = match round {
                0 => u64::MAX,
                1..65 => 1 << (round - 1),
                65..129 => u64::MAX >> (round - 65),
                _ => bits.wrapping_mul(0xD134_2543_DE82_EF95).rotate_left(29) & [u64::MAX, bits][round % 2],
            }
            .max(1);
            let mut rest = bits;
            for n in 0..bits.count_ones() as usize {
                assert_eq!(nth_bit(bits, n), rest.trailing_zeros() as usize, "{n} of {bits:x}");
                rest &= rest - 1;
            }
        }
    }
}
