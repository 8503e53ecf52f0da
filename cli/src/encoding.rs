//! Encodings: the forms of text, and the faults of ill-formed text.

use std::fmt;

use fastutf::stream::{self, StreamError, StreamErrorKind, Transcoder};
use fastutf::{Isa, Stop, Utf16ErrorKind};

/// An encoding, with its byte order. The library's type may get more of them in any version, so no `match` on it can be
/// complete. With a type of its own, the compiler asks for what the command does with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// UTF-32, the low byte first.
    Utf32Le,
    /// UTF-32, the high byte first.
    Utf32Be,
    /// Latin-1, ISO 8859-1.
    Latin1,
    /// WTF-8: UTF-8 that may have surrogates by themselves.
    Wtf8,
}

/// What users call an encoding.
pub struct Names {
    /// Its name.
    pub label: &'static str,
    /// Other names that mean it.
    pub aliases: &'static [&'static str],
    /// The help on an input in it.
    pub input: &'static str,
    /// The help on an output in it.
    pub output: &'static str,
}

/// What a text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Bytes, of which each is a character.
    OneByte,
    /// Bytes as in UTF-8.
    Utf8,
    /// Code units of two bytes.
    Utf16,
    /// Code units of four bytes.
    Utf32,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Utf32Le, Self::Utf32Be, Self::Latin1, Self::Wtf8];
    /// The encodings that a byte-order mark can be in. That of UTF-32LE starts with that of UTF-16LE.
    pub const MARKED: [Self; 5] = [Self::Utf32Le, Self::Utf32Be, Self::Utf8, Self::Utf16Le, Self::Utf16Be];

    /// Returns the same encoding in the library's terms.
    pub fn of_stream(self) -> stream::Encoding {
        match self {
            Self::Utf8 => stream::Encoding::Utf8,
            Self::Utf16Le => stream::Encoding::Utf16Le,
            Self::Utf16Be => stream::Encoding::Utf16Be,
            Self::Utf32Le => stream::Encoding::Utf32Le,
            Self::Utf32Be => stream::Encoding::Utf32Be,
            Self::Latin1 => stream::Encoding::Latin1,
            Self::Wtf8 => stream::Encoding::Wtf8,
        }
    }

    /// Returns the name used on the command line.
    pub fn label(self) -> &'static str {
        self.names().label
    }

    /// Returns its names on the command line, and what its help says of it.
    ///
    /// The names are those of the WHATWG Encoding Standard and those registered by IANA. They mean what the former says, except for
    /// those of Latin-1, which mean what IANA says: on the Web, they are windows-1252. `latin-1` is in neither: it is Python's, and
    /// what many write.
    pub fn names(self) -> Names {
        let (label, aliases, input, output): (_, &[_], _, _) = match self {
            Self::Utf8 => (
                "utf-8",
                &["utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "csutf8"],
                "UTF-8; EF BB BF at the start is kept as a character [also: utf8, unicode-1-1-utf-8, x-unicode20utf8, …]",
                "UTF-8 [also: utf8, unicode-1-1-utf-8, x-unicode20utf8, …]",
            ),
            Self::Utf16Le => (
                "utf-16le",
                &[
                    "utf16le",
                    "utf-16-le",
                    "unicode",
                    "unicodefeff",
                    "csunicode",
                    "ucs-2",
                    "iso-10646-ucs-2",
                    "csutf16le",
                ],
                "UTF-16, little-endian; FF FE at the start is kept as a character [also: unicode, ucs-2, iso-10646-ucs-2, …]",
                "UTF-16, little-endian [also: unicode, ucs-2, iso-10646-ucs-2, …]",
            ),
            Self::Utf16Be => (
                "utf-16be",
                &["utf16be", "utf-16-be", "unicodefffe", "csutf16be"],
                "UTF-16, big-endian; FE FF at the start is kept as a character [also: unicodefffe, …]",
                "UTF-16, big-endian [also: unicodefffe, …]",
            ),
            Self::Utf32Le => (
                "utf-32le",
                &["utf32le", "utf-32-le", "csutf32le"],
                "UTF-32, little-endian; FF FE 00 00 at the start is kept as a character",
                "UTF-32, little-endian",
            ),
            Self::Utf32Be => (
                "utf-32be",
                &["utf32be", "utf-32-be", "csutf32be"],
                "UTF-32, big-endian; 00 00 FE FF at the start is kept as a character",
                "UTF-32, big-endian",
            ),
            Self::Latin1 => (
                "latin1",
                &[
                    "latin-1",
                    "iso-8859-1",
                    "iso_8859-1",
                    "iso8859-1",
                    "l1",
                    "csisolatin1",
                    "iso-ir-100",
                    "iso_8859-1:1987",
                ],
                "ISO 8859-1: every byte is a character, U+0000 to U+00FF; not windows-1252 [also: iso-8859-1, l1, …]",
                "ISO 8859-1, which has U+0000 to U+00FF; another character is an error or, with `--lossy`, a question mark \
                 [also: iso-8859-1, l1, …]",
            ),
            Self::Wtf8 => (
                "wtf-8",
                &["wtf8"],
                "UTF-8 that may have unpaired surrogates",
                "UTF-8 that keeps the unpaired surrogates of UTF-16",
            ),
        };
        Names { label, aliases, input, output }
    }

    /// Returns the name registered by IANA, if there is one.
    pub fn name(self) -> &'static str {
        self.of_stream().name()
    }

    /// Returns the byte-order mark, U+FEFF; nothing if the encoding does not have it.
    pub fn mark(self) -> &'static [u8] {
        self.of_stream().bom()
    }

    /// Returns what its texts are made of.
    pub fn units(self) -> Units {
        match self {
            Self::Utf8 | Self::Wtf8 => Units::Utf8,
            Self::Utf16Le | Self::Utf16Be => Units::Utf16,
            Self::Utf32Le | Self::Utf32Be => Units::Utf32,
            Self::Latin1 => Units::OneByte,
        }
    }

    /// Whether each byte is a character: then nothing is ill-formed, and UTF-8 that is called so is another text.
    pub fn is_doubted(self) -> bool {
        self.units() == Units::OneByte
    }

    /// Whether characters are made of bytes, not of larger code units.
    pub fn is_eight_bit(self) -> bool {
        matches!(self.units(), Units::Utf8 | Units::OneByte)
    }

    /// Returns the first fault in these bytes, if there is one.
    pub fn fault(self, isa: Isa, bytes: &[u8]) -> Option<Fault> {
        match self {
            Self::Utf8 => isa.validate_utf8(bytes).err().map(Fault::of),
            Self::Utf16Le => isa.validate_utf16le(bytes).err().map(Fault::of),
            Self::Utf16Be => isa.validate_utf16be(bytes).err().map(Fault::of),
            Self::Utf32Le => isa.validate_utf32le(bytes).err().map(Fault::of),
            Self::Utf32Be => isa.validate_utf32be(bytes).err().map(Fault::of),
            Self::Latin1 => None,
            Self::Wtf8 => isa.validate_wtf8(bytes).err().map(Fault::of),
        }
    }

    /// Returns the first place in these bytes that cannot be converted to `to`, if there is one.
    pub fn fault_to(self, to: Self, isa: Isa, bytes: &[u8]) -> Option<Fault> {
        let keeps_surrogates = matches!(to, Self::Utf16Le | Self::Utf16Be | Self::Wtf8);
        if self == to
            || to.units() != Units::OneByte
                && (self != Self::Wtf8 || keeps_surrogates)
                && (self.is_eight_bit() || to != Self::Wtf8)
        {
            return self.fault(isa, bytes);
        }
        let mut transcoder = Transcoder::new(self.of_stream(), to.of_stream()).with_isa(isa);
        let (mut rest, mut room) = (bytes, [0; 4096]);
        loop {
            let out =
                if rest.is_empty() { transcoder.finish(&mut room) } else { transcoder.convert(rest, &mut room) };
            match out.stop {
                Stop::Invalid(error) => return Some(Fault(error)),
                Stop::Complete if rest.is_empty() => return None,
                Stop::Complete | Stop::OutputFull => rest = &rest[out.read..],
            }
        }
    }

    /// Returns the first place at or after `at` (for UTF-16, an even number) where a character or an ill-formed
    /// sequence starts, whatever comes before. It is at most 6 bytes further on. `bytes` must go on for 8, or to the
    /// end of the text.
    pub fn boundary(self, bytes: &[u8], at: usize) -> usize {
        // At most three belong to a sequence that has begun. After three of any kind, the next byte belongs to no
        // lead byte before them.
        let after_sequence = || at + bytes[at..].iter().take(3).take_while(|&&byte| is_continuation(byte)).count();
        match self {
            Self::Latin1 => at,
            Self::Utf8 => after_sequence(),
            // What a low surrogate is depends on what is before it.
            Self::Wtf8 => {
                let at = after_sequence();
                if let [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] = bytes[at..] { at + 3 } else { at }
            }
            Self::Utf32Le | Self::Utf32Be => bytes.len().min(at.next_multiple_of(4)),
            // A low surrogate ends a pair, or is ill-formed by itself.
            Self::Utf16Le | Self::Utf16Be => {
                let at = at & !1;
                let high = bytes.get(at + usize::from(self == Self::Utf16Le));
                let is_low = high.is_some_and(|high| high & 0xFC == 0xDC);
                bytes.len().min(at + if is_low { 2 } else { 0 })
            }
        }
    }

    /// Returns where the last sequence in these bytes starts, if later bytes can belong to it or to its excerpt;
    /// otherwise the number of bytes. The bytes start on a boundary, and so does the rest.
    pub fn complete_up_to(self, bytes: &[u8]) -> usize {
        match self {
            Self::Utf8 | Self::Wtf8 => {
                let last = bytes.iter().rev().take(6).position(|&byte| !is_continuation(byte));
                let last = last.map(|back| bytes.len() - 1 - back);
                let end = last.filter(|&at| claimed_len(bytes[at]) > bytes.len() - at).unwrap_or(bytes.len());
                match &bytes[..end] {
                    // After a high surrogate, a low one is ill-formed.
                    [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF] if self == Self::Wtf8 => end - 3,
                    _ => end,
                }
            }
            Self::Latin1 => bytes.len(),
            Self::Utf32Le | Self::Utf32Be => bytes.len() / 4 * 4,
            Self::Utf16Le | Self::Utf16Be => {
                let units = bytes.as_chunks::<2>().0;
                let high = usize::from(self == Self::Utf16Le);
                let is_cut = units.last().is_some_and(|unit| unit[high] & 0xFC == 0xD8);
                2 * (units.len() - usize::from(is_cut))
            }
        }
    }

    /// Returns the number of characters of this well-formed text. In WTF-8, a surrogate counts as one.
    pub fn count_chars(self, isa: Isa, text: &[u8]) -> usize {
        match self {
            Self::Utf8 | Self::Wtf8 => isa.count_chars_utf8(text),
            Self::Utf16Le => isa.count_chars_utf16le(text),
            Self::Utf16Be => isa.count_chars_utf16be(text),
            Self::Utf32Le | Self::Utf32Be => text.len() / 4,
            Self::Latin1 => text.len(),
        }
    }

    /// Returns the numbers of characters, code units of UTF-16, bytes of UTF-8, and characters of ASCII, of a text.
    ///
    /// # Errors
    ///
    /// Its first fault.
    pub fn lengths(self, isa: Isa, text: &[u8]) -> Result<[u64; 4], Fault> {
        let units = text.as_chunks().0;
        let (chars, utf16_units, utf8_bytes, ascii) = match self {
            Self::Utf8 => {
                let info = isa.utf8_info(text).map_err(Fault::of)?;
                let ascii = if info.is_ascii() { text.len() as u64 } else { count(text, |byte| byte < 0x80) };
                (info.chars, info.utf16_len, text.len(), ascii)
            }
            Self::Utf16Le => {
                isa.validate_utf16le(text).map_err(Fault::of)?;
                let ascii = count(units, |unit| u16::from_le_bytes(unit) < 0x80);
                (isa.count_chars_utf16le(text), units.len(), isa.utf8_len_from_utf16le(text), ascii)
            }
            Self::Utf16Be => {
                isa.validate_utf16be(text).map_err(Fault::of)?;
                let ascii = count(units, |unit| u16::from_be_bytes(unit) < 0x80);
                (isa.count_chars_utf16be(text), units.len(), isa.utf8_len_from_utf16be(text), ascii)
            }
            Self::Utf32Le => {
                isa.validate_utf32le(text).map_err(Fault::of)?;
                lengths_32(text, u32::from_le_bytes)
            }
            Self::Utf32Be => {
                isa.validate_utf32be(text).map_err(Fault::of)?;
                lengths_32(text, u32::from_be_bytes)
            }
            Self::Latin1 => {
                let ascii = count(text, |byte| byte < 0x80);
                (text.len(), text.len(), isa.utf8_len_from_latin1(text), ascii)
            }
            // Surrogates are characters of 3 bytes.
            Self::Wtf8 => {
                isa.validate_wtf8(text).map_err(Fault::of)?;
                let ascii = count(text, |byte| byte < 0x80);
                (isa.count_chars_utf8(text), isa.utf16_len_from_wtf8(text), text.len(), ascii)
            }
        };
        Ok([chars as u64, utf16_units as u64, utf8_bytes as u64, ascii])
    }

    /// Returns this text with ill-formed sequences replaced by U+FFFD, and how many were replaced: in UTF-8, or in WTF-8 if
    /// it is WTF-8.
    pub fn repaired(self, isa: Isa, text: &[u8]) -> (Vec<u8>, u64) {
        let to = if self == Self::Wtf8 { stream::Encoding::Wtf8 } else { stream::Encoding::Utf8 };
        let mut transcoder = Transcoder::new(self.of_stream(), to).with_isa(isa).lossy();
        let mut repaired = Vec::new();
        let result = transcoder.convert_append(text, &mut repaired);
        result.and_then(|()| transcoder.finish_append(&mut repaired)).expect("it replaces what is wrong");
        (repaired, transcoder.replacements())
    }

    /// Returns how many lines end in this text, and the bytes after the last of them. A line ends with U+000A.
    pub fn lines(self, text: &[u8]) -> (u64, &[u8]) {
        let rest = match self {
            Self::Utf8 | Self::Latin1 | Self::Wtf8 => {
                let last = memchr::memrchr(b'\n', text);
                &text[last.map_or(0, |last| last + 1)..]
            }
            Self::Utf16Le => after_last(text.as_chunks().0, *b"\n\0"),
            Self::Utf16Be => after_last(text.as_chunks().0, *b"\0\n"),
            Self::Utf32Le => after_last(text.as_chunks().0, *b"\n\0\0\0"),
            Self::Utf32Be => after_last(text.as_chunks().0, *b"\0\0\0\n"),
        };
        (self.count_lines(text), rest)
    }

    /// Returns how many lines end in this text.
    pub fn count_lines(self, text: &[u8]) -> u64 {
        match self {
            Self::Utf8 | Self::Latin1 | Self::Wtf8 => memchr::memchr_iter(b'\n', text).count() as u64,
            Self::Utf16Le => count(text.as_chunks().0, |unit| unit == *b"\n\0"),
            Self::Utf16Be => count(text.as_chunks().0, |unit| unit == *b"\0\n"),
            Self::Utf32Le => count(text.as_chunks().0, |unit| unit == *b"\n\0\0\0"),
            Self::Utf32Be => count(text.as_chunks().0, |unit| unit == *b"\0\0\0\n"),
        }
    }
}

/// For well-formed UTF-32: its characters, code units of UTF-16, bytes of UTF-8, and how many are ASCII.
fn lengths_32(text: &[u8], unit: fn([u8; 4]) -> u32) -> (usize, usize, usize, u64) {
    let units = text.as_chunks().0;
    let above = |last: u32| count(units, |bytes| unit(bytes) > last) as usize;
    let (chars, four) = (units.len(), above(0xFFFF));
    let beyond = above(0x7F);
    (chars, chars + four, chars + beyond + above(0x7FF) + four, (chars - beyond) as u64)
}

/// The bytes of the units after the last `newline`.
fn after_last<const N: usize>(units: &[[u8; N]], newline: [u8; N]) -> &[u8] {
    let last = units.iter().rposition(|&unit| unit == newline);
    units[last.map_or(0, |last| last + 1)..].as_flattened()
}

/// Counts the units for which `is_so` returns true.
pub fn count<T: Copy>(units: &[T], is_so: impl Fn(T) -> bool) -> u64 {
    // A byte can count 255 units, and the compiler vectorises sums of bytes.
    let sum = |units: &[T]| units.iter().map(|&unit| u8::from(is_so(unit))).sum::<u8>();
    units.chunks(255).map(|units| u64::from(sum(units))).sum()
}

/// The first place of some text that is ill-formed, or that cannot be converted.
#[derive(Clone, Copy, Debug)]
pub struct Fault(StreamError);

impl Fault {
    /// Returns a fault, whose offset is in bytes of the checked text.
    pub fn of(error: impl Into<StreamError>) -> Self {
        Self(error.into())
    }

    /// Returns the offset in bytes.
    pub fn valid_up_to(&self) -> usize {
        usize::try_from(self.0.offset()).expect("it is an offset in memory")
    }

    /// Returns whether more bytes at the end of the text could make it well-formed.
    pub fn is_incomplete(&self) -> bool {
        self.0.error_len().is_none()
    }

    /// Returns the character that the target encoding does not have, if that is the fault.
    pub fn character(&self) -> Option<char> {
        self.0.kind().unencodable().and_then(char::from_u32)
    }

    /// Returns the length in bytes of the ill-formed sequence, where the text continues for `rest` bytes: the next
    /// character or ill-formed sequence starts after it. For UTF-8 it is the maximal subpart, as in
    /// [`StreamError::error_len`].
    pub fn len(&self, rest: usize) -> usize {
        match self.0.kind() {
            StreamErrorKind::Utf16(Utf16ErrorKind::TrailingHighSurrogate) => 2,
            _ => self.0.error_len().unwrap_or(rest),
        }
    }

    /// Returns the ill-formed sequence at the start of these bytes, as it is shown to the user. In UTF-8, it has all
    /// continuation bytes that the lead byte claims and that are there: `C0 AF`, not `C0` alone.
    pub fn sequence<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let len = match self.0.kind() {
            StreamErrorKind::Utf16(_) => bytes.len().min(2),
            StreamErrorKind::Utf32(_) => bytes.len().min(4),
            _ if self.character().is_some() => self.len(bytes.len()),
            _ => {
                let claimed = &bytes[1..claimed_len(bytes[0]).min(bytes.len())];
                1 + claimed.iter().take_while(|&&byte| is_continuation(byte)).count()
            }
        };
        &bytes[..len]
    }

    /// Returns the kind of the fault in a word, for programs: the name of the library's kind, with hyphens.
    pub fn kind(&self) -> String {
        if let StreamErrorKind::Surrogate(_) = self.0.kind() {
            return "unpaired-surrogate".into();
        }
        let name = format!("{:?}", self.0.kind());
        // In brackets is what is wrong, or the character that the output does not have.
        let (family, kind) = name.trim_end_matches(')').split_once('(').unwrap_or((&name, ""));
        let name = if kind.starts_with(char::is_uppercase) { kind } else { family };
        let mut word = String::new();
        for letter in name.chars() {
            if letter.is_uppercase() && !word.is_empty() {
                word.push('-');
            }
            word.push(letter.to_ascii_lowercase());
        }
        word
    }

    /// Describes the fault, with the bytes or the code unit: `overlong encoding (C0 AF)`.
    pub fn describe(&self, encoding: Encoding, bytes: &[u8]) -> String {
        let sequence = self.sequence(bytes);
        match (encoding, sequence) {
            (Encoding::Utf16Le, [low, high]) => format!("{self} ({high:02X}{low:02X})"),
            (Encoding::Utf16Be, [high, low]) => format!("{self} ({high:02X}{low:02X})"),
            (Encoding::Utf32Le, &[a, b, c, d]) => format!("{self} ({:08X})", u32::from_le_bytes([a, b, c, d])),
            (Encoding::Utf32Be, &[a, b, c, d]) => format!("{self} ({:08X})", u32::from_be_bytes([a, b, c, d])),
            _ => format!("{self} ({})", hex(sequence)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind().fmt(f)
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

    #[test]
    fn the_library_has_no_others() {
        let known = Encoding::ALL.map(Encoding::of_stream);
        assert!(stream::Encoding::ALL.iter().all(|encoding| known.contains(encoding)));
    }

    /// Where a text is cut makes no difference, well-formed or not, as replacement in each part shows.
    #[test]
    fn nothing_reaches_across_a_boundary() {
        let text = garbage(3000);
        for encoding in Encoding::ALL {
            let whole = encoding.repaired(Isa::SCALAR, &text);
            for at in 0..=text.len() {
                let after = encoding.boundary(&text, at);
                // It needs only eight bytes.
                assert_eq!(encoding.boundary(&text[..text.len().min(at + 8)], at), after);
                assert!(after + 1 >= at && after <= at + 6, "{at}: {after}");
                let before = encoding.complete_up_to(&text[..at]);
                assert!(before <= at && before + 5 >= at, "{at}: {before}");
                for cut in [before, after] {
                    let (start, end) = text.split_at(cut);
                    let (mut repaired, mut count) = encoding.repaired(Isa::SCALAR, start);
                    let rest = encoding.repaired(Isa::SCALAR, end);
                    repaired.extend(rest.0);
                    count += rest.1;
                    assert!((repaired, count) == whole, "{encoding:?}, {at}, {cut}");
                }
            }
        }
    }
}
