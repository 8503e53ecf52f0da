//! Whole texts whose encoding a byte-order mark may determine.

use alloc::borrow::Cow;

use crate::isa::Isa;
use crate::stream::{Encoding, Source, StreamError};

operations! {
    /// Decodes a whole text whose encoding a byte-order mark may determine. Returns the text and its encoding. UTF-8 is
    /// borrowed, UTF-16 is converted.
    ///
    /// [`Source`] says which byte-order marks are recognised and removed: those of all encodings with
    /// [`DetectBom`](Source::DetectBom), of both byte orders with [`Utf16`](Source::Utf16), of one encoding with
    /// [`StripBom`](Source::StripBom). An [`Encoding`] alone recognises none: a byte-order mark is kept as the
    /// character U+FEFF. UTF-32 is only recognised by the sources that say so: to the others, `FF FE 00 00` is UTF-16LE. For
    /// text in chunks, a [`Transcoder`](crate::stream::Transcoder) does the same.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, with its offset in bytes from the start of `src`, including the byte-order
    /// mark.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source};
    ///
    /// let any = Source::DetectBom { fallback: Encoding::Utf8 };
    /// assert_eq!(fastutf::decode("zł".as_bytes(), any)?, ("zł".into(), Encoding::Utf8));
    /// assert_eq!(fastutf::decode(b"\xEF\xBB\xBFz\xC5\x82", any)?, ("zł".into(), Encoding::Utf8));
    /// assert_eq!(fastutf::decode(b"\xFF\xFEz\0\x42\x01", any)?, ("zł".into(), Encoding::Utf16Le));
    /// assert_eq!(fastutf::decode(b"\xFF\xFEz\0\0\xDC", any).unwrap_err().offset(), 4);
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    fn decode(isa, src: &[u8], source: impl Into<Source>) -> Result<(Cow<'_, str>, Encoding), StreamError> {
        let (encoding, text, mark) = split_mark(src, source.into());
        let text = encoding.decode(isa, text);
        text.map(|text| (text, encoding)).map_err(|error| error.moved_by(mark as u64))
    }

    /// Like [`decode`](fn@crate::decode), but with U+FFFD for each ill-formed sequence. Borrows well-formed UTF-8.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source};
    ///
    /// let any = Source::DetectBom { fallback: Encoding::Utf8 };
    /// assert_eq!(fastutf::decode_lossy(b"caf\xE9", any), ("caf\u{FFFD}".into(), Encoding::Utf8));
    /// assert_eq!(fastutf::decode_lossy(b"\xFE\xFF\0z\xDC\0", any), ("z\u{FFFD}".into(), Encoding::Utf16Be));
    /// ```
    #[must_use]
    fn decode_lossy(isa, src: &[u8], source: impl Into<Source>) -> (Cow<'_, str>, Encoding) {
        let (text, encoding, _) = isa.decode_lossy_counted(src, source);
        (text, encoding)
    }

    /// Like [`decode_lossy`](fn@crate::decode_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// use fastutf::stream::Encoding;
    ///
    /// let (text, _, replacements) = fastutf::decode_lossy_counted(b"caf\xE9", Encoding::Utf8);
    /// assert_eq!((&*text, replacements), ("caf\u{FFFD}", 1));
    /// ```
    #[must_use]
    fn decode_lossy_counted(isa, src: &[u8], source: impl Into<Source>) -> (Cow<'_, str>, Encoding, usize) {
        let (encoding, text, _) = split_mark(src, source.into());
        let (text, replacements) = encoding.decode_lossy(isa, text);
        (text, encoding, replacements)
    }
}

/// Returns the encoding of `src`, the bytes after its byte-order mark, and the length of the mark in bytes.
fn split_mark(src: &[u8], source: Source) -> (Encoding, &[u8], usize) {
    let (encoding, mark) = source.resolve(src);
    (encoding, &src[mark..], mark)
}
