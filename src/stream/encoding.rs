//! Encodings: how text is stored as bytes, and how an input's encoding is known.

use core::fmt;

use crate::endian::ByteOrder;

/// How text is stored as bytes.
///
/// ```
/// use fastutf::stream::Encoding;
///
/// assert_eq!(Encoding::Utf16Le.to_string(), "UTF-16LE");
/// assert_eq!(Encoding::Utf8.bom(), "\u{FEFF}".as_bytes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, the low byte of each code unit first.
    Utf16Le,
    /// UTF-16, the high byte of each code unit first.
    Utf16Be,
}

impl Encoding {
    /// UTF-16 in the byte order of `u16` on this machine.
    pub const UTF16_NATIVE: Self = if cfg!(target_endian = "big") { Self::Utf16Be } else { Self::Utf16Le };

    /// Returns the byte-order mark U+FEFF in this encoding. (In UTF-8 it is also called the signature.)
    ///
    /// ```
    /// assert_eq!(fastutf::stream::Encoding::Utf16Be.bom(), [0xFE, 0xFF]);
    /// ```
    #[must_use]
    pub const fn bom(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
        }
    }

    /// Returns the name registered by IANA: `UTF-8`, `UTF-16LE` or `UTF-16BE`.
    ///
    /// ```
    /// assert_eq!(fastutf::stream::Encoding::Utf16Be.name(), "UTF-16BE");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
        }
    }

    /// U+FFFD.
    pub(super) const fn replacement(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBF\xBD",
            Self::Utf16Le => b"\xFD\xFF",
            Self::Utf16Be => b"\xFF\xFD",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is known about the encoding of an input, and what happens to a byte-order mark at its start.
///
/// Only the first character of an input can be a byte-order mark: U+FEFF anywhere else is a character, even right after
/// a byte-order mark. Where a `Source` is expected, an [`Encoding`] alone means [`KeepBom`](Self::KeepBom).
///
/// ```
/// use fastutf::stream::{Encoding, Source, Transcoder};
///
/// let source = Source::DetectBom { fallback: Encoding::Utf8 };
/// let mut buffer = [0; 16];
/// for input in [&b"z"[..], b"\xEF\xBB\xBFz", b"\xFF\xFEz\0", b"\xFE\xFF\0z"] {
///     let out = Transcoder::new(source, Encoding::Utf8).convert(input, &mut buffer);
///     assert_eq!(buffer[..out.written], *b"z");
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// This encoding, without detection: U+FEFF at the start is a character like any other, and the byte-order mark of
    /// another encoding is whatever its bytes mean in this one. RFC 2781 §4.1 and §4.2 require this for text labelled
    /// `UTF-16BE` or `UTF-16LE`.
    KeepBom(Encoding),
    /// This encoding; U+FEFF at the start is removed.
    StripBom(Encoding),
    /// Text labelled `UTF-16`: a byte-order mark determines the byte order and is removed.
    Utf16 {
        /// The byte order if there is no byte-order mark.
        fallback: ByteOrder,
    },
    /// A byte-order mark of any of the encodings determines the encoding and is removed. (UTF-32LE, whose byte-order
    /// mark starts with that of UTF-16LE, is not detected.)
    DetectBom {
        /// The encoding if there is no byte-order mark.
        fallback: Encoding,
    },
}

impl Source {
    /// Returns the encoding of a text that starts with `start`, and the length in bytes of the byte-order mark to
    /// remove from it: 0 if there is none, or if it is kept.
    ///
    /// `start` must have at least 3 bytes, or be the whole text.
    ///
    /// ```
    /// use fastutf::stream::{ByteOrder, Encoding, Source};
    ///
    /// let any = Source::DetectBom { fallback: Encoding::Utf8 };
    /// assert_eq!(any.resolve(b"\xFF\xFEz\0"), (Encoding::Utf16Le, 2));
    /// assert_eq!(any.resolve(b"z"), (Encoding::Utf8, 0));
    /// assert_eq!(Source::Utf16 { fallback: ByteOrder::Big }.resolve(b"\0z"), (Encoding::Utf16Be, 0));
    /// ```
    #[must_use]
    pub fn resolve(self, start: &[u8]) -> (Encoding, usize) {
        match self.mark(start) {
            Some(encoding) => (encoding, encoding.bom().len()),
            None => (self.fallback(), 0),
        }
    }

    /// The encoding whose byte-order mark `start` begins with, if it is one that this source looks for.
    pub(super) fn mark(self, start: &[u8]) -> Option<Encoding> {
        self.marks().iter().find(|encoding| start.starts_with(encoding.bom())).copied()
    }

    /// The encodings whose mark is looked for and removed.
    pub(super) fn marks(&self) -> &[Encoding] {
        match self {
            Self::KeepBom(_) => &[],
            Self::StripBom(encoding) => core::slice::from_ref(encoding),
            Self::Utf16 { .. } => &[Encoding::Utf16Be, Encoding::Utf16Le],
            Self::DetectBom { .. } => &[Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le],
        }
    }

    /// The encoding if there is no byte-order mark.
    pub(super) fn fallback(self) -> Encoding {
        match self {
            Self::KeepBom(encoding) | Self::StripBom(encoding) | Self::DetectBom { fallback: encoding } => {
                encoding
            }
            Self::Utf16 { fallback: ByteOrder::Big } => Encoding::Utf16Be,
            Self::Utf16 { fallback: ByteOrder::Little } => Encoding::Utf16Le,
        }
    }
}

impl From<Encoding> for Source {
    /// [`KeepBom`](Self::KeepBom).
    fn from(encoding: Encoding) -> Self {
        Self::KeepBom(encoding)
    }
}
