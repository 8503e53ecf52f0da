//! Converts text in chunks, from any of the encodings to any other or the same.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::mem::MaybeUninit;

use super::convert::Task;
use super::pending::Pending;
use super::{Encoding, HAS_PARTIAL, HAS_WTF8, Source, StreamError};
use crate::buffer::as_bytes;
use crate::isa::Isa;
use crate::output::Output;
use crate::report::{Conversion, Stop};

/// Converts text in chunks into buffers of any size, validating it on the way.
///
/// Converts from any [`Encoding`] to any other, or to the same one, which validates or repairs. The [`Source`] says
/// whether a byte-order mark is recognised at the start. None is added to the output; one that is kept is converted
/// like any other U+FEFF.
///
/// ```
/// use fastutf::stream::{Encoding, Transcoder};
///
/// let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8);
/// let (mut text, mut buffer) = (Vec::new(), [0; 64]);
/// for chunk in [&b"z\0\x42"[..], b"\x01\x3D\xD8", b"\0\xDE"] {
///     let out = transcoder.convert(chunk, &mut buffer);
///     assert!(out.is_complete()); // the buffer is large enough
///     text.extend_from_slice(&buffer[..out.written]);
/// }
/// assert!(transcoder.finish(&mut buffer).is_complete());
/// assert_eq!(text, "zł😀".as_bytes());
/// ```
///
/// [The module](super) shows the loop for a buffer that may be too small.
#[derive(Clone, Debug)]
pub struct Transcoder {
    isa: Isa,
    source: Source,
    /// The encoding of the input, or the one to assume without a byte-order mark.
    from: Encoding,
    to: Encoding,
    lossy: bool,
    /// Whether a high surrogate and an odd byte at the end of UTF-16 are one ill-formed sequence.
    web: bool,
    /// What a lossy conversion to Latin-1 writes in place of unencodable characters.
    substitute: u8,
    /// Whether WTF-8 has ended with a high surrogate, so far.
    after_high: bool,
    /// Whether the input may still turn out to start with a byte-order mark: all of it so far is pending.
    at_start: bool,
    pending: Pending,
    offset: u64,
    replacements: u64,
    error: Option<StreamError>,
}

impl Transcoder {
    /// Returns a transcoder that stops at the first ill-formed sequence.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    ///
    /// // U+FEFF at the start is a character,
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be);
    /// assert_eq!(transcoder.convert("\u{FEFF}z".as_bytes(), &mut [0; 16]).written, 4);
    /// // or is removed.
    /// let mut transcoder = Transcoder::new(Source::StripBom(Encoding::Utf8), Encoding::Utf16Be);
    /// assert_eq!(transcoder.convert("\u{FEFF}z".as_bytes(), &mut [0; 16]).written, 2);
    /// ```
    #[must_use]
    pub fn new(from: impl Into<Source>, to: Encoding) -> Self {
        let source = from.into();
        Self {
            isa: Isa::best(),
            source,
            from: source.fallback(),
            to,
            lossy: false,
            web: false,
            substitute: b'?',
            after_high: false,
            at_start: !source.marks().is_empty(),
            pending: Pending::default(),
            offset: 0,
            replacements: 0,
            error: None,
        }
    }

    /// Replaces ill-formed text by U+FFFD instead of returning errors. As in the standard library, there is one for each maximal
    /// subpart of an ill-formed UTF-8 sequence, for each unpaired surrogate, and for an odd last byte of UTF-16.
    ///
    /// A high surrogate followed by an odd byte at the end of UTF-16 becomes two U+FFFD; decoders for the Web make it
    /// one, and so does [`web`](Self::web).
    ///
    /// Latin-1 has no U+FFFD: ill-formed text, and each character that Latin-1 does not have, becomes a question mark or the
    /// byte given to `with_latin1_replacement`.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf8).lossy();
    /// let mut buffer = [0; 16];
    /// let out = transcoder.convert(b"a\xFFb", &mut buffer);
    /// assert_eq!(buffer[..out.written], *"a\u{FFFD}b".as_bytes());
    /// assert_eq!(transcoder.replacements(), 1);
    /// ```
    #[must_use]
    pub fn lossy(mut self) -> Self {
        self.lossy = true;
        self
    }

    /// Like [`lossy`](Self::lossy), but as decoders for the Web do it: a high surrogate and an odd byte at the end of UTF-16
    /// become one U+FFFD. There is no other difference. The module [`web`](crate::web) has the options of `TextDecoder`.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8).web();
    /// let mut buffer = [0; 16];
    /// assert!(transcoder.convert(b"\x3D\xD8\x00", &mut buffer).is_complete());
    /// let out = transcoder.finish(&mut buffer);
    /// assert_eq!(buffer[..out.written], *"\u{FFFD}".as_bytes());
    /// ```
    #[must_use]
    #[inline]
    pub fn web(mut self) -> Self {
        (self.lossy, self.web) = (true, true);
        self
    }

    /// Uses the kernels of this instruction set, which give the same results.
    #[must_use]
    pub fn with_isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Writes this byte, instead of a question mark, for what a [`lossy`](Self::lossy) conversion to Latin-1 replaces.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let transcoder = Transcoder::new(Encoding::Utf8, Encoding::Latin1).lossy();
    /// let mut buffer = [0; 8];
    /// let out = transcoder.with_latin1_replacement(0xBF).convert("5 €".as_bytes(), &mut buffer);
    /// assert_eq!(buffer[..out.written], *b"5 \xBF"); // an inverted question mark
    /// ```
    #[cfg(feature = "latin1")]
    #[must_use]
    pub fn with_latin1_replacement(mut self, byte: u8) -> Self {
        self.substitute = byte;
        self
    }

    /// Converts the next chunk, of any length, into `dst`. Reports how much was read and written, in bytes, and why it
    /// stopped.
    ///
    /// - [`Complete`](Stop::Complete): all of `src` has been read. Up to 3 bytes of it may be kept until the next
    ///   chunk.
    /// - [`OutputFull`](Stop::OutputFull): the next character does not fit into what is left of `dst`. Continue with
    ///   the rest of `src`, from `read` on, and more room: 4 bytes are always enough for a character. The character may
    ///   have begun in an earlier chunk, so `read` may be 0.
    /// - [`Invalid`](Stop::Invalid), unless [`lossy`](Self::lossy): the text before the ill-formed sequence has been
    ///   converted. If that sequence began in an earlier chunk, `read` is 0. The error is final: every later call
    ///   returns it again and does nothing.
    ///
    /// A character or a surrogate pair is never split. What is in `dst` beyond `written` is unspecified.
    ///
    /// ```
    /// use fastutf::Stop;
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le);
    /// let mut buffer = [0; 4];
    /// let out = transcoder.convert("zł😀".as_bytes(), &mut buffer);
    /// assert_eq!((out.read, out.written, out.stop), (3, 4, Stop::OutputFull));
    /// let out = transcoder.convert("😀".as_bytes(), &mut buffer);
    /// assert_eq!((out.read, out.written, out.stop), (4, 4, Stop::Complete));
    /// ```
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Conversion<StreamError> {
        self.convert_to(src, Output::over(dst))
    }

    /// Like [`convert`](Self::convert), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8);
    /// let mut text = Vec::with_capacity(64);
    /// let out = transcoder.convert_uninit(b"z\0\x42\x01", text.spare_capacity_mut());
    /// // SAFETY: these bytes have been written.
    /// unsafe { text.set_len(out.written) };
    /// assert_eq!(text, "zł".as_bytes());
    /// ```
    pub fn convert_uninit(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<StreamError> {
        self.convert_to(src, Output::new(dst))
    }

    fn convert_to(&mut self, src: &[u8], dst: &mut Output) -> Conversion<StreamError> {
        let mut out = self.begin(src, dst, false);
        if !out.is_complete() || out.read == src.len() {
            return out;
        }
        let rest = &src[out.read..];
        let incomplete = self.from.incomplete_end(rest);
        let text = &rest[..rest.len() - incomplete];
        let step = self.task().run(text, &mut dst[out.written..]);
        self.replacements += step.replacements as u64;
        self.after_high = HAS_WTF8 && self.from.ends_with_high(&text[..step.read]);
        let start = self.offset;
        let mut read = step.read;
        out.stop = match step.stop {
            Stop::Complete => {
                self.pending = Pending::end_of(rest, incomplete);
                read += incomplete;
                Stop::Complete
            }
            Stop::OutputFull => Stop::OutputFull,
            Stop::Invalid(()) => self.fail(self.from.error_at(rest, read, self.to).moved_by(start)),
        };
        self.offset = start + read as u64;
        (out.read, out.written) = (out.read + read, out.written + step.written);
        out
    }

    /// Ends the text. An incomplete character is an error or, if [`lossy`](Self::lossy), U+FFFD in `dst`.
    ///
    /// Reports why it stopped as [`convert`](Self::convert) does; `read` is 0. After [`OutputFull`](Stop::OutputFull),
    /// call it again. It writes at most 6 bytes, two U+FFFD in UTF-8, or 12 in UTF-32, three characters that could have become
    /// a byte-order mark. For another text, create another transcoder.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le).lossy();
    /// let mut buffer = [0; 8];
    /// assert_eq!(transcoder.convert(b"\xF0\x9F\x98", &mut buffer).written, 0);
    /// assert_eq!(transcoder.finish(&mut buffer).written, 2);
    /// assert_eq!(buffer[..2], [0xFD, 0xFF]);
    /// ```
    pub fn finish(&mut self, dst: &mut [u8]) -> Conversion<StreamError> {
        self.begin(&[], Output::over(dst), true)
    }

    /// Like [`finish`](Self::finish), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    pub fn finish_uninit(&mut self, dst: &mut [MaybeUninit<u8>]) -> Conversion<StreamError> {
        self.begin(&[], Output::new(dst), true)
    }

    /// Like [`convert`](Self::convert), but into native UTF-16: `written` is in code units, `read` in bytes.
    ///
    /// # Panics
    ///
    /// If the output of this transcoder is not [`Encoding::UTF16_NATIVE`].
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UTF16_NATIVE);
    /// let mut units = [0u16; 8];
    /// assert_eq!(transcoder.convert_to_units(b"z\xC5", &mut units).written, 1);
    /// assert_eq!(transcoder.convert_to_units(b"\x82", &mut units[1..]).written, 1);
    /// assert_eq!(units[..2], [0x7A, 0x142]);
    /// ```
    pub fn convert_to_units(&mut self, src: &[u8], dst: &mut [u16]) -> Conversion<StreamError> {
        self.convert_to_units_in(src, Output::over(dst))
    }

    /// Like [`convert_to_units`](Self::convert_to_units), but into memory that may be uninitialised. After the call, its
    /// first [`written`](Conversion::written) code units are initialised.
    ///
    /// # Panics
    ///
    /// If the output of this transcoder is not [`Encoding::UTF16_NATIVE`].
    pub fn convert_to_units_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
    ) -> Conversion<StreamError> {
        self.convert_to_units_in(src, Output::new(dst))
    }

    fn convert_to_units_in(&mut self, src: &[u8], dst: &mut Output<u16>) -> Conversion<StreamError> {
        assert_eq!(self.to, Encoding::UTF16_NATIVE, "this transcoder writes {}, not native UTF-16", self.to);
        let out = self.convert_to(src, dst.as_bytes());
        Conversion { written: out.written / 2, ..out }
    }

    /// Like [`finish`](Self::finish), but into native UTF-16: `written` is in code units.
    ///
    /// # Panics
    ///
    /// If the output of this transcoder is not [`Encoding::UTF16_NATIVE`].
    pub fn finish_to_units(&mut self, dst: &mut [u16]) -> Conversion<StreamError> {
        self.finish_to_units_in(Output::over(dst))
    }

    /// Like [`finish_to_units`](Self::finish_to_units), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) code units are initialised.
    ///
    /// # Panics
    ///
    /// If the output of this transcoder is not [`Encoding::UTF16_NATIVE`].
    pub fn finish_to_units_uninit(&mut self, dst: &mut [MaybeUninit<u16>]) -> Conversion<StreamError> {
        self.finish_to_units_in(Output::new(dst))
    }

    fn finish_to_units_in(&mut self, dst: &mut Output<u16>) -> Conversion<StreamError> {
        assert_eq!(self.to, Encoding::UTF16_NATIVE, "this transcoder writes {}, not native UTF-16", self.to);
        let out = self.begin(&[], dst.as_bytes(), true);
        Conversion { written: out.written / 2, ..out }
    }

    /// Like [`convert`](Self::convert), but from native UTF-16: `read` is in code units, `written` in bytes. The offset
    /// of an error is in bytes.
    ///
    /// # Panics
    ///
    /// If [`encoding`](Self::encoding) is not [`Encoding::UTF16_NATIVE`] (or not yet, because a byte-order mark may
    /// follow), or if [`convert`](Self::convert) was given an incomplete code unit before.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::UTF16_NATIVE, Encoding::Utf8);
    /// let mut buffer = [0; 8];
    /// assert_eq!(transcoder.convert_units(&[0x7A, 0xD83D], &mut buffer).written, 1);
    /// assert_eq!(transcoder.convert_units(&[0xDE00], &mut buffer[1..]).written, 4);
    /// assert_eq!(buffer[..5], *"z😀".as_bytes());
    /// ```
    pub fn convert_units(&mut self, src: &[u16], dst: &mut [u8]) -> Conversion<StreamError> {
        self.convert_units_to(src, Output::over(dst))
    }

    /// Like [`convert_units`](Self::convert_units), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// # Panics
    ///
    /// As [`convert_units`](Self::convert_units).
    pub fn convert_units_uninit(&mut self, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Conversion<StreamError> {
        self.convert_units_to(src, Output::new(dst))
    }

    fn convert_units_to(&mut self, src: &[u16], dst: &mut Output) -> Conversion<StreamError> {
        assert_eq!(
            self.encoding(),
            Some(Encoding::UTF16_NATIVE),
            "the input of this transcoder is not native UTF-16"
        );
        assert!(self.pending.len().is_multiple_of(2), "an incomplete code unit is pending");
        let out = self.convert_to(as_bytes(src), dst);
        Conversion { read: out.read / 2, ..out }
    }

    /// Like [`convert`](Self::convert), but appends to a `Vec`, which grows as needed.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, unless this transcoder is [`lossy`](Self::lossy); the text before it has been
    /// appended.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf16Be, Encoding::Utf8);
    /// let mut text = Vec::new();
    /// transcoder.convert_append(b"\0z\x01", &mut text)?;
    /// transcoder.convert_append(b"\x42", &mut text)?;
    /// transcoder.finish_append(&mut text)?;
    /// assert_eq!(text, "zł".as_bytes());
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn convert_append(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<(), StreamError> {
        let mut rest = src;
        append(dst, rest.len(), &mut |room| {
            let out = self.convert(rest, room);
            rest = &rest[out.read..];
            out
        })
    }

    /// Like [`finish`](Self::finish), but appends to a `Vec`, which grows as needed.
    ///
    /// # Errors
    ///
    /// As for [`convert_append`](Self::convert_append), and if a character is incomplete.
    #[cfg(feature = "alloc")]
    pub fn finish_append(&mut self, dst: &mut Vec<u8>) -> Result<(), StreamError> {
        append(dst, 0, &mut |room| self.finish(room))
    }

    /// Like [`convert_append`](Self::convert_append), but appends to a `String`. What is appended is not validated again.
    ///
    /// # Errors
    ///
    /// As for [`convert_append`](Self::convert_append).
    ///
    /// # Panics
    ///
    /// If the [`output`](Self::output) of this transcoder is not UTF-8.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf16Be, Encoding::Utf8);
    /// let mut text = String::from("a ");
    /// transcoder.convert_to_string(b"\0z\x01", &mut text)?;
    /// transcoder.convert_to_string(b"\x42", &mut text)?;
    /// transcoder.finish_to_string(&mut text)?;
    /// assert_eq!(text, "a zł");
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn convert_to_string(&mut self, src: &[u8], dst: &mut String) -> Result<(), StreamError> {
        self.append_text(dst, |transcoder, bytes| transcoder.convert_append(src, bytes))
    }

    /// Like [`finish_append`](Self::finish_append), but appends to a `String`.
    ///
    /// # Errors
    ///
    /// As for [`finish_append`](Self::finish_append).
    ///
    /// # Panics
    ///
    /// If the [`output`](Self::output) of this transcoder is not UTF-8.
    #[cfg(feature = "alloc")]
    pub fn finish_to_string(&mut self, dst: &mut String) -> Result<(), StreamError> {
        self.append_text(dst, Self::finish_append)
    }

    #[cfg(feature = "alloc")]
    fn append_text<R>(&mut self, dst: &mut String, append: impl FnOnce(&mut Self, &mut Vec<u8>) -> R) -> R {
        assert_eq!(self.to, Encoding::Utf8, "this transcoder writes {}, not UTF-8", self.to);
        let mut bytes = core::mem::take(dst).into_bytes();
        let result = append(self, &mut bytes);
        // SAFETY: these are the bytes of a `String`, and whole characters of UTF-8 from a conversion to it.
        *dst = unsafe { String::from_utf8_unchecked(bytes) };
        result
    }

    /// Returns the encoding of the output.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    ///
    /// assert_eq!(Transcoder::new(Encoding::Utf16Be, Encoding::Utf8).output(), Encoding::Utf8);
    /// ```
    #[must_use]
    pub fn output(&self) -> Encoding {
        self.to
    }

    /// Returns the number of bytes read so far, including a byte-order mark and pending bytes; after an error, the
    /// offset of the error.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes, at most 3, of a character (or, at the start, of a byte-order mark) that the next chunk must
    /// complete; none after an error.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.pending.as_slice()
    }

    /// Returns the number of replacements so far.
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.replacements
    }

    /// Returns the encoding of the input, once it is known. With [`Source::Utf16`] and [`Source::DetectBom`], that is
    /// when enough bytes have been read to recognise a byte-order mark, or when the input has ended.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Source::DetectBom { fallback: Encoding::Utf8 }, Encoding::Utf8);
    /// assert_eq!(transcoder.encoding(), None);
    /// let _ = transcoder.convert(b"\xFF\xFE", &mut []);
    /// assert_eq!(transcoder.encoding(), Some(Encoding::Utf16Le));
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        let known = !self.at_start || matches!(self.source, Source::KeepBom(_) | Source::StripBom(_));
        known.then_some(self.from)
    }

    /// Prepares for the text of a chunk: looks for a mark, and converts the characters that begin with pending
    /// bytes. If it is complete and leaves some of `src`, or if this is the `end` of the input, nothing is pending
    /// afterwards.
    fn begin(&mut self, src: &[u8], dst: &mut Output, end: bool) -> Conversion<StreamError> {
        let mut out = Conversion::NOTHING;
        if let Some(error) = self.error {
            out.stop = Stop::Invalid(error);
        } else if self.at_start {
            out.read = self.look_for_mark(src, end);
        }
        while !self.at_start && self.is_joined(&src[out.read..]) {
            let (pending, rest) = (self.pending, &src[out.read..]);
            let joined = pending.followed_by(rest);
            let room = &mut dst[out.written..];
            // How many bytes are decided, and how many bytes of output they become.
            let first = self.from.first(joined.as_slice());
            let first = if HAS_WTF8 { self.as_wtf8(first, joined.as_slice(), end) } else { first };
            let (settled, written) = match first {
                Ok(len) => {
                    let step = self.task().run(&joined.as_slice()[..len], room);
                    if (HAS_PARTIAL || HAS_WTF8) && matches!(step.stop, Stop::Invalid(())) {
                        let error = self.from.error_at(joined.as_slice(), 0, self.to);
                        out.stop = self.fail(error.moved_by(self.offset - pending.len() as u64));
                        break;
                    }
                    self.replacements += step.replacements as u64;
                    (len, if step.read == len { Some(step.written) } else { None })
                }
                Err(error) if error.error_len().is_none() && !end => {
                    self.pending = joined;
                    (out.read, self.offset) = (src.len(), self.offset + rest.len() as u64);
                    break;
                }
                Err(error) if !self.lossy => {
                    out.stop = self.fail(error.moved_by(self.offset - pending.len() as u64));
                    break;
                }
                Err(error) => {
                    // After a high surrogate, an odd byte is by itself.
                    let is_split = !self.web && matches!(self.from, Encoding::Utf16Le | Encoding::Utf16Be);
                    let incomplete = if is_split { 2.min(joined.len()) } else { joined.len() };
                    (error.error_len().unwrap_or(incomplete), self.replace(room))
                }
            };
            let Some(written) = written else {
                out.stop = Stop::OutputFull;
                break;
            };
            self.after_high = HAS_WTF8 && self.from.ends_with_high(&joined.as_slice()[..settled]);
            let read = settled.saturating_sub(pending.len());
            self.pending = pending.without(settled);
            self.offset += read as u64;
            (out.read, out.written) = (out.read + read, out.written + written);
        }
        out
    }

    /// Whether the first item is handled by itself, with what is pending. What follows a high surrogate of WTF-8 is, too.
    #[inline(always)]
    fn is_joined(&self, rest: &[u8]) -> bool {
        HAS_WTF8 && self.after_high && !rest.is_empty() || !self.pending.is_empty()
    }

    /// What is at the start of a joined text if WTF-8 is one of the two encodings. A surrogate can be converted to WTF-8. A low
    /// one after a high one cannot be converted from it.
    fn as_wtf8(&self, first: Result<usize, StreamError>, joined: &[u8], end: bool) -> Result<usize, StreamError> {
        match first {
            Ok(3) if self.after_high && self.from.surrogate(joined) >= Some(0xDC00) => {
                Err(StreamError::second_surrogate())
            }
            Err(error) if self.to.has_surrogates() && self.from.unit() == 2 && joined.len() >= 2 => {
                if error.error_len().is_some() || end { Ok(2) } else { Err(error) }
            }
            first => first,
        }
    }

    /// Takes a mark from the start of the input, which may be in pieces, and returns how much of `src` it has
    /// read. While these bytes may be a mark, all are pending.
    fn look_for_mark(&mut self, src: &[u8], end: bool) -> usize {
        let seen = self.pending.followed_by(src);
        let (mark, is_possible) = self.source.look(seen.as_slice());
        let mut read = 0;
        if is_possible && !end {
            self.pending = seen;
            read = src.len();
        } else {
            self.at_start = false;
            if let Some(mark) = mark {
                self.from = mark;
                read = mark.bom().len().saturating_sub(self.pending.len());
                self.pending = self.pending.without(mark.bom().len());
            }
        }
        self.offset += read as u64;
        read
    }

    /// Writes a replacement and returns its length, or `None` if there is too little room.
    fn replace(&mut self, dst: &mut Output) -> Option<usize> {
        let written = self.task().replace(dst);
        self.replacements += u64::from(written.is_some());
        written
    }

    fn task(&self) -> Task {
        Task { isa: self.isa, from: self.from, to: self.to, lossy: self.lossy, substitute: self.substitute }
    }

    #[cold]
    fn fail(&mut self, error: StreamError) -> Stop<StreamError> {
        (self.offset, self.pending, self.error) = (error.offset(), Pending::default(), Some(error));
        self.after_high = false;
        Stop::Invalid(error)
    }
}

/// Lets `convert` write to the end of `dst` until it no longer asks for more room: first about as much as `src`
/// has bytes.
#[cfg(feature = "alloc")]
fn append(
    dst: &mut Vec<u8>,
    src: usize,
    convert: &mut dyn FnMut(&mut [u8]) -> Conversion<StreamError>,
) -> Result<(), StreamError> {
    /// How many bytes are cleared, and then written to while they are in the fastest cache.
    const PIECE: usize = 8 << 10;
    dst.reserve(src);
    loop {
        let len = dst.len();
        dst.resize(len + src.saturating_mul(2).saturating_add(8).min(PIECE), 0);
        let out = convert(&mut dst[len..]);
        dst.truncate(len + out.written);
        match out.stop {
            Stop::Complete => return Ok(()),
            Stop::OutputFull => {}
            Stop::Invalid(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_into_a_stream() {
        let mut transcoder = Transcoder::new(Encoding::Utf16Be, Encoding::Utf8);
        (transcoder.offset, transcoder.replacements) = (5 << 32, u64::MAX - 2);
        assert!(transcoder.convert(b"\0a\xD8\x3D", &mut [0; 8]).is_complete());
        let offset = |out: Conversion<StreamError>| out.error().map(|error| error.offset());
        assert_eq!(offset(transcoder.clone().finish(&mut [])), Some((5 << 32) + 2));
        assert_eq!(offset(transcoder.clone().convert(b"\xDE\0\xDE\0", &mut [0; 8])), Some((5 << 32) + 6));
        assert_eq!(offset(transcoder.clone().convert(b"\0", &mut [])), None);
        assert_eq!(offset(transcoder.clone().convert(b"\0a", &mut [])), Some((5 << 32) + 2));
        let mut lossy = transcoder.lossy();
        assert!(lossy.convert(b"\xD8\x3D", &mut [0; 8]).is_complete());
        assert!(lossy.finish(&mut [0; 8]).is_complete());
        assert_eq!((lossy.offset(), lossy.replacements()), ((5 << 32) + 6, u64::MAX));
    }
}
