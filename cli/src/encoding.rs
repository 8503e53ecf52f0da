//! Encodings: the three forms of text, and the faults of ill-formed text.

use std::fmt;

use fastutf::{Isa, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind};

/// An encoding, with its byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
}

impl Encoding {
    /// Returns the name used on the command line.
    pub fn label(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        }
    }

    /// Returns the name registered by IANA.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
        }
    }

    /// Returns the byte-order mark, U+FEFF.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => &[0xEF, 0xBB, 0xBF],
            Self::Utf16Le => &[0xFF, 0xFE],
            Self::Utf16Be => &[0xFE, 0xFF],
        }
    }

    /// Returns the first fault in these bytes, if there is one.
    pub fn fault(self, isa: Isa, bytes: &[u8]) -> Option<Fault> {
        match self {
            Self::Utf8 => isa.validate_utf8(bytes).err().map(Fault::from),
            Self::Utf16Le => isa.validate_utf16le(bytes).err().map(Fault::from),
            Self::Utf16Be => isa.validate_utf16be(bytes).err().map(Fault::from),
        }
    }

    /// Returns the first place at or after `at` (for UTF-16, an even number) where a character or an ill-formed
    /// sequence starts, whatever comes before. It is at most 3 bytes further on. `bytes` must go on for 4, or to the
    /// end of the text.
    pub fn boundary(self, bytes: &[u8], at: usize) -> usize {
        match self {
            // At most three belong to a sequence that has begun. After three of any kind, the next byte belongs to no
            // lead byte before them.
            Self::Utf8 => at + bytes[at..].iter().take(3).take_while(|&&byte| is_continuation(byte)).count(),
            // A low surrogate ends a pair, or is ill-formed by itself.
            Self::Utf16Le | Self::Utf16Be => {
                let at = at & !1;
                let high = bytes.get(at + usize::from(self == Self::Utf16Le));
                let is_low = high.is_some_and(|high| high & 0xFC == 0xDC);
                bytes.len().min(at + if is_low { 2 } else { 0 })
            }
        }
    }

    /// Returns where the last sequence in these bytes, which start on a boundary, starts if the bytes after them can
    /// belong to it or to what is shown of it; otherwise their length. This is a boundary, too.
    pub fn complete_up_to(self, bytes: &[u8]) -> usize {
        match self {
            Self::Utf8 => {
                let last = bytes.iter().rev().take(6).position(|&byte| !is_continuation(byte));
                let last = last.map(|back| bytes.len() - 1 - back);
                last.filter(|&at| claimed_len(bytes[at]) > bytes.len() - at).unwrap_or(bytes.len())
            }
            Self::Utf16Le | Self::Utf16Be => {
                let units = bytes.as_chunks::<2>().0;
                let high = usize::from(self == Self::Utf16Le);
                let is_cut = units.last().is_some_and(|unit| unit[high] & 0xFC == 0xD8);
                2 * (units.len() - usize::from(is_cut))
            }
        }
    }

    /// Returns the number of characters of this well-formed text.
    pub fn count_chars(self, isa: Isa, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => isa.count_chars_utf8(text),
            Self::Utf16Le => isa.count_chars_utf16le(text),
            Self::Utf16Be => isa.count_chars_utf16be(text),
        }
    }

    /// Returns this text in UTF-8 with ill-formed sequences replaced by U+FFFD, and how many were replaced.
    pub fn repaired(self, isa: Isa, text: &[u8]) -> (String, u64) {
        let (repaired, replacements) = match self {
            Self::Utf8 => {
                let (repaired, replacements) = isa.from_utf8_lossy_counted(text);
                (repaired.into_owned(), replacements)
            }
            Self::Utf16Le => isa.from_utf16le_lossy_counted(text),
            Self::Utf16Be => isa.from_utf16be_lossy_counted(text),
        };
        (repaired, replacements as u64)
    }

    /// Returns how many lines end in this text, and the bytes after the last of them. A line ends with U+000A.
    pub fn lines(self, text: &[u8]) -> (u64, &[u8]) {
        match self {
            Self::Utf8 => {
                let last = memchr::memrchr(b'\n', text);
                (self.count_lines(text), &text[last.map_or(0, |last| last + 1)..])
            }
            Self::Utf16Le => (self.count_lines(text), after_last(text.as_chunks().0, *b"\n\0")),
            Self::Utf16Be => (self.count_lines(text), after_last(text.as_chunks().0, *b"\0\n")),
        }
    }

    /// Returns how many lines end in this text.
    pub fn count_lines(self, text: &[u8]) -> u64 {
        match self {
            Self::Utf8 => memchr::memchr_iter(b'\n', text).count() as u64,
            Self::Utf16Le => count(text.as_chunks().0, |unit| unit == *b"\n\0"),
            Self::Utf16Be => count(text.as_chunks().0, |unit| unit == *b"\0\n"),
        }
    }
}

/// The bytes of the units after the last `newline`.
fn after_last(units: &[[u8; 2]], newline: [u8; 2]) -> &[u8] {
    let last = units.iter().rposition(|&unit| unit == newline);
    units[last.map_or(0, |last| last + 1)..].as_flattened()
}

/// Counts the units for which `is_so` returns true.
pub fn count<T: Copy>(units: &[T], is_so: impl Fn(T) -> bool) -> u64 {
    // A byte can count 255 units, and the compiler vectorises sums of bytes.
    let sum = |units: &[T]| units.iter().map(|&unit| u8::from(is_so(unit))).sum::<u8>();
    units.chunks(255).map(|units| u64::from(sum(units))).sum()
}

/// The first ill-formed place of some text.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// In UTF-8.
    Utf8(Utf8Error),
    /// In UTF-16 bytes.
    Utf16(Utf16Error),
}

impl From<Utf8Error> for Fault {
    fn from(error: Utf8Error) -> Self {
        Self::Utf8(error)
    }
}

impl From<Utf16Error> for Fault {
    fn from(error: Utf16Error) -> Self {
        Self::Utf16(error)
    }
}

impl Fault {
    /// Returns the offset in bytes.
    pub fn valid_up_to(&self) -> usize {
        match self {
            Self::Utf8(error) => error.valid_up_to(),
            Self::Utf16(error) => error.valid_up_to(),
        }
    }

    /// Returns whether more bytes at the end of the text could make it well-formed.
    pub fn is_incomplete(&self) -> bool {
        match self {
            Self::Utf8(error) => error.error_len().is_none(),
            Self::Utf16(error) => error.error_len().is_none(),
        }
    }

    /// Returns the length in bytes of the ill-formed sequence, where the text continues for `rest` bytes: the next
    /// character or ill-formed sequence starts after it. For UTF-8 it is the maximal subpart, as in
    /// [`Utf8Error::error_len`].
    pub fn len(&self, rest: usize) -> usize {
        let len = match self {
            Self::Utf8(error) => error.error_len(),
            Self::Utf16(error) if error.kind() == Utf16ErrorKind::TrailingHighSurrogate => Some(2),
            Self::Utf16(error) => error.error_len(),
        };
        len.unwrap_or(rest)
    }

    /// Returns the ill-formed sequence at the start of these bytes to show to the user: for UTF-8, with all the
    /// continuation bytes that the lead byte claims, as far as they are there, so that `C0 AF` is shown and not `C0`
    /// alone.
    pub fn sequence<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let len = match self {
            Self::Utf8(_) => {
                let claimed = &bytes[1..claimed_len(bytes[0]).min(bytes.len())];
                1 + claimed.iter().take_while(|&&byte| is_continuation(byte)).count()
            }
            Self::Utf16(_) => bytes.len().min(2),
        };
        &bytes[..len]
    }

    /// Returns the kind of the fault in a word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Utf8(error) => match error.kind() {
                Utf8ErrorKind::Incomplete => "incomplete",
                Utf8ErrorKind::MissingContinuation => "missing-continuation",
                Utf8ErrorKind::StrayContinuation => "stray-continuation",
                Utf8ErrorKind::Overlong => "overlong",
                Utf8ErrorKind::Surrogate => "surrogate",
                Utf8ErrorKind::AboveMax => "above-max",
                Utf8ErrorKind::FiveOrSixByteForm => "five-or-six-byte-form",
                Utf8ErrorKind::InvalidLead => "invalid-lead",
                _ => "other",
            },
            Self::Utf16(error) => match error.kind() {
                Utf16ErrorKind::UnpairedHighSurrogate => "unpaired-high-surrogate",
                Utf16ErrorKind::UnpairedLowSurrogate => "unpaired-low-surrogate",
                Utf16ErrorKind::TrailingHighSurrogate => "trailing-high-surrogate",
                Utf16ErrorKind::TrailingByte => "trailing-byte",
                _ => "other",
            },
        }
    }

    /// Describes the fault, with the bytes or the code unit: `overlong encoding (C0 AF)`.
    pub fn describe(&self, encoding: Encoding, bytes: &[u8]) -> String {
        let sequence = self.sequence(bytes);
        match (encoding, sequence) {
            (Encoding::Utf16Le, [low, high]) => format!("{self} ({high:02X}{low:02X})"),
            (Encoding::Utf16Be, [high, low]) => format!("{self} ({high:02X}{low:02X})"),
            _ => format!("{self} ({})", hex(sequence)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf8(error) => error.kind().fmt(f),
            Self::Utf16(error) => error.kind().fmt(f),
        }
    }
}

/// Formats bytes for people: `C0 AF`.
pub fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}

/// Whether a byte is `10xxxxxx`.
pub fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The length that a sequence of UTF-8 which starts with this byte claims to have.
fn claimed_len(first: u8) -> usize {
    match first.leading_ones() as usize {
        // 110xxxxx to 1111110x: RFC 2279 went up to 6 bytes.
        ones @ 2..=6 => ones,
        _ => 1,
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Bytes of all kinds, ill-formed everywhere, with a long period.
    pub fn garbage(len: usize) -> Vec<u8> {
        const BYTES: [u8; 16] =
            [b'a', 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0xFF, 0xD8, 0xDC, 0xDF, 0xDB, 0];
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            BYTES[(state >> 60) as usize]
        };
        (0..len).map(|_| next()).collect()
    }

    /// Where a text is cut makes no difference, well-formed or not, as replacement in each part shows.
    #[test]
    fn nothing_reaches_across_a_boundary() {
        let text = garbage(3000);
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
            let whole = encoding.repaired(Isa::SCALAR, &text);
            for at in 0..=text.len() {
                let after = encoding.boundary(&text, at);
                // It needs only four bytes.
                assert_eq!(encoding.boundary(&text[..text.len().min(at + 4)], at), after);
                assert!(after + 1 >= at && after <= at + 3, "{at}: {after}");
                let before = encoding.complete_up_to(&text[..at]);
                assert!(before <= at && before + 5 >= at, "{at}: {before}");
                for cut in [before, after] {
                    let (start, end) = text.split_at(cut);
                    let (mut repaired, mut count) = encoding.repaired(Isa::SCALAR, start);
                    let rest = encoding.repaired(Isa::SCALAR, end);
                    repaired += &rest.0;
                    count += rest.1;
                    assert!((repaired, count) == whole, "{encoding:?}, {at}, {cut}");
                }
            }
        }
    }
}
