//! How an input's encoding is known.

use super::Encoding;
use crate::endian::ByteOrder;

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
    /// This encoding; U+FEFF at the start is removed. (Latin-1 has none.)
    StripBom(Encoding),
    /// Text labelled `UTF-16`: a byte-order mark determines the byte order and is removed.
    Utf16 {
        /// The byte order if there is no byte-order mark.
        fallback: ByteOrder,
    },
    /// A byte-order mark of UTF-8, UTF-16LE or UTF-16BE determines the encoding and is removed, as on the Web.
    ///
    /// The byte-order mark of UTF-32LE starts with that of UTF-16LE: `FF FE 00 00` is taken for UTF-16LE and U+0000. This is so
    /// with every set of features: nothing changes if another crate enables `utf32`. `DetectAnyBom` takes it for UTF-32LE, and
    /// so does `DetectBom` if `fallback` is UTF-32.
    DetectBom {
        /// The encoding if there is no byte-order mark.
        fallback: Encoding,
    },
    /// Text labelled `UTF-32`: a byte-order mark, `FF FE 00 00` or `00 00 FE FF`, determines the byte order and is removed.
    #[cfg(feature = "utf32")]
    Utf32 {
        /// The byte order if there is no byte-order mark. The Unicode Standard (D101) says big-endian.
        fallback: ByteOrder,
    },
    /// A byte-order mark of UTF-8, UTF-16 or UTF-32 determines the encoding and is removed. `FF FE 00 00` is that of UTF-32LE,
    /// not that of UTF-16LE and then U+0000, with which hardly any text starts.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source};
    ///
    /// let any = Source::DetectAnyBom { fallback: Encoding::Utf8 };
    /// assert_eq!(any.resolve(b"\xFF\xFE\0\0z\0\0\0"), (Encoding::Utf32Le, 4));
    /// assert_eq!(any.resolve(b"\xFF\xFEz\0\0\0"), (Encoding::Utf16Le, 2));
    /// ```
    #[cfg(feature = "utf32")]
    DetectAnyBom {
        /// The encoding if there is no byte-order mark.
        fallback: Encoding,
    },
}

impl Source {
    /// Returns the encoding of a text that starts with `start`, and the length in bytes of the byte-order mark to
    /// remove from it: 0 if there is none, or if it is kept.
    ///
    /// `start` must have at least 3 bytes, or 4 if this source looks for UTF-32, or be the whole text.
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
        match self.look(start).0 {
            Some(encoding) => (encoding, encoding.bom().len()),
            None => (self.fallback(), 0),
        }
    }

    /// The encoding whose byte-order mark `start` begins with, if it is one that this source looks for, and whether more bytes
    /// could make it another.
    pub(in crate::stream) fn look(self, start: &[u8]) -> (Option<Encoding>, bool) {
        let (marks, mut found, mut is_possible) = (self.marks(), None, false);
        let mut at = 0;
        while at < marks.len() {
            let bom = marks[at].bom();
            if found.is_none() && start.starts_with(bom) {
                found = Some(marks[at]);
            } else if bom.starts_with(start) {
                is_possible = true;
            }
            at += 1;
        }
        (found, is_possible)
    }

    /// The encodings whose mark is looked for and removed.
    pub(in crate::stream) fn marks(&self) -> &[Encoding] {
        match self {
            Self::KeepBom(_) => &[],
            Self::StripBom(encoding) => core::slice::from_ref(encoding),
            Self::Utf16 { .. } => &[Encoding::Utf16Be, Encoding::Utf16Le],
            #[cfg(feature = "utf32")]
            Self::Utf32 { .. } => &[Encoding::Utf32Be, Encoding::Utf32Le],
            #[cfg(feature = "utf32")]
            Self::DetectAnyBom { .. } | Self::DetectBom { fallback: Encoding::Utf32Le | Encoding::Utf32Be } => {
                // That of UTF-32LE starts with that of UTF-16LE.
                &[Encoding::Utf32Le, Encoding::Utf32Be, Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le]
            }
            Self::DetectBom { .. } => &[Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le],
        }
    }

    /// The encoding if there is no byte-order mark.
    pub(in crate::stream) fn fallback(self) -> Encoding {
        match self {
            Self::KeepBom(encoding) | Self::StripBom(encoding) | Self::DetectBom { fallback: encoding } => {
                encoding
            }
            Self::Utf16 { fallback } => Encoding::utf16(fallback),
            #[cfg(feature = "utf32")]
            Self::Utf32 { fallback } => Encoding::utf32(fallback),
            #[cfg(feature = "utf32")]
            Self::DetectAnyBom { fallback } => fallback,
        }
    }
}

impl From<Encoding> for Source {
    /// [`KeepBom`](Self::KeepBom).
    fn from(encoding: Encoding) -> Self {
        Self::KeepBom(encoding)
    }
}
