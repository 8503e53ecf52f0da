//! Text as browsers decode it: `TextDecoder` of the Encoding Standard, for UTF-8 and UTF-16.
//!
//! It differs from the other functions of this crate in two ways:
//!
//! - The byte-order mark of the encoding, and no other, is removed from the start unless
//!   [`ignore_bom`](Options::ignore_bom) says otherwise.
//! - A high surrogate followed by an odd byte at the end of UTF-16 becomes one U+FFFD. In the standard library, and so in
//!   [`from_utf16le_lossy`](fn@crate::from_utf16le_lossy), it becomes two.
//!
//! ```
//! use fastutf::stream::Encoding;
//! use fastutf::web::{Options, decode};
//!
//! let options = Options::default();
//! assert_eq!(decode(b"\xEF\xBB\xBFcaf\xE9", Encoding::Utf8, options).unwrap(), "caf\u{FFFD}");
//! assert_eq!(decode(b"a\0\x3D\xD8\x00", Encoding::Utf16Le, options).unwrap(), "a\u{FFFD}");
//! assert!(decode(b"caf\xE9", Encoding::Utf8, Options { fatal: true, ..options }).is_err());
//! ```
//!
//! | the Encoding Standard | here |
//! |---|---|
//! | `new TextDecoder(label, options).decode(bytes)` | [`decode`], or [`decode_to_utf16`] for strings of 16-bit code units |
//! | the same with `{ stream: true }` | [`TextDecoder`], which is a [`Transcoder`] with [`web`](Transcoder::web) |
//! | *decode*, in which a byte-order mark determines the encoding | [`decode_by_bom`] |
//! | *UTF-8 decode* | [`decode`] |
//! | *UTF-8 decode without BOM*, *… or fail* | [`from_utf8_lossy`](fn@crate::from_utf8_lossy), [`from_utf8`](fn@crate::from_utf8) |
//!
//! The Web does not know UTF-32, WTF-8 and ISO 8859-1 (what it calls `latin1` is windows-1252). They are decoded as elsewhere
//! in this crate.

#[cfg(feature = "alloc")]
mod whole;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::isa::Isa;
use crate::report::Conversion;
use crate::stream::{Encoding, Source, StreamError, Transcoder};
#[cfg(feature = "alloc")]
pub use whole::*;

/// The options of `TextDecoder`, which are off by default.
///
/// ```
/// let options = fastutf::web::Options::default();
/// assert!(!options.fatal && !options.ignore_bom);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Ill-formed text is an error, instead of U+FFFD.
    pub fatal: bool,
    /// A byte-order mark at the start stays, as U+FEFF. (The name is the standard's: the decoder does not look for a
    /// mark.)
    pub ignore_bom: bool,
}

impl Options {
    #[inline(always)]
    fn source(self, encoding: Encoding) -> Source {
        if self.ignore_bom { Source::KeepBom(encoding) } else { Source::StripBom(encoding) }
    }
}

/// Decodes text in chunks.
///
/// ```
/// use fastutf::stream::Encoding;
/// use fastutf::web::{Options, TextDecoder};
///
/// let mut decoder = TextDecoder::new(Encoding::Utf16Le, Encoding::Utf8, Options::default());
/// let mut text = Vec::new();
/// for chunk in [&b"\xFF"[..], b"\xFEz\0\x3D", b"\xD8\0"] {
///     decoder.decode_append(chunk, &mut text)?;
/// }
/// decoder.finish_append(&mut text)?;
/// assert_eq!(text, "z\u{FFFD}".as_bytes());
/// # Ok::<(), fastutf::stream::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoder(Transcoder);

impl TextDecoder {
    /// Returns a decoder of text in `encoding`, into `to`.
    ///
    /// ```
    /// use fastutf::stream::Encoding;
    /// use fastutf::web::{Options, TextDecoder};
    ///
    /// let mut decoder = TextDecoder::new(Encoding::Utf8, Encoding::Utf16Le, Options::default());
    /// let mut buffer = [0; 8];
    /// assert_eq!(decoder.decode(b"a\xFF", &mut buffer).written, 4);
    /// assert_eq!(buffer[..4], *b"a\0\xFD\xFF");
    /// ```
    #[must_use]
    #[inline]
    pub fn new(encoding: Encoding, to: Encoding, options: Options) -> Self {
        let transcoder = Transcoder::new(options.source(encoding), to);
        Self(if options.fatal { transcoder } else { transcoder.web() })
    }

    /// Uses the kernels of this instruction set, which give the same results.
    #[must_use]
    #[inline]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self(self.0.with_isa(isa))
    }

    /// Decodes the next chunk: [`Transcoder::convert`].
    #[inline]
    pub fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Conversion<StreamError> {
        self.0.convert(src, dst)
    }

    /// Ends the text: [`Transcoder::finish`]. Writes at most one U+FFFD.
    ///
    /// ```
    /// use fastutf::stream::Encoding;
    /// use fastutf::web::{Options, TextDecoder};
    ///
    /// let mut decoder = TextDecoder::new(Encoding::Utf16Be, Encoding::Utf8, Options::default());
    /// let mut buffer = [0; 8];
    /// assert_eq!(decoder.decode(b"\xD8\x3D\xDE", &mut buffer).written, 0);
    /// assert_eq!(decoder.finish(&mut buffer).written, 3);
    /// ```
    #[inline]
    pub fn finish(&mut self, dst: &mut [u8]) -> Conversion<StreamError> {
        self.0.finish(dst)
    }

    /// Like [`decode`](Self::decode), but appends to a `Vec`: [`Transcoder::convert_append`].
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, if [`fatal`](Options::fatal).
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_append(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<(), StreamError> {
        self.0.convert_append(src, dst)
    }

    /// Like [`finish`](Self::finish), but appends to a `Vec`.
    ///
    /// # Errors
    ///
    /// As for [`decode_append`](Self::decode_append), and if a character is incomplete.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn finish_append(&mut self, dst: &mut Vec<u8>) -> Result<(), StreamError> {
        self.0.finish_append(dst)
    }

    /// Returns the transcoder that does the work, which knows how much was read and replaced.
    #[must_use]
    #[inline]
    pub fn transcoder(&self) -> &Transcoder {
        &self.0
    }
}
