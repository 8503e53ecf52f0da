//! For protocols built on the `bytes` crate: [`Bytes`] known to be UTF-8, and conversions that append to any
//! [`BufMut`].

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::slice::SliceIndex;

use ::bytes::{BufMut, Bytes};

use crate::api::converter::Converter;
use crate::isa::Isa;
use crate::output::Output;
use crate::report::{Conversion, Stop, Utf8Error, Utf16Error};
use crate::stream::StreamError;

/// Contiguous room of this many bytes is worth converting into, even if the result may be longer. With less, a piece
/// of this size is converted on the stack.
const AT_ONCE: usize = 1024;

/// [`Bytes`] known to be UTF-8: shared text that is cloned and sliced without copying.
///
/// It compares and hashes like `str`, so a map with such keys can be searched by `&str`.
///
/// # Other types of this name
///
/// `tungstenite` and `axum` each have a `Utf8Bytes` for the text of WebSocket messages, which is also `Bytes` known
/// to be UTF-8. To use two of them together, write `use fastutf::bytes::Utf8Bytes as Text`. Conversions between them
/// do not copy the text, but validate it again, except with `tungstenite`'s `unsafe` function:
///
/// | from | to | |
/// |---|---|---|
/// | `Utf8Bytes` | [`Bytes`] | `text.into_bytes()`, `Bytes::from(text)` |
/// | [`Bytes`] | `Utf8Bytes` | `Utf8Bytes::from_bytes(bytes)?`, `Utf8Bytes::try_from(bytes)?`: validated |
/// | `Utf8Bytes` | `tungstenite`'s, `axum`'s | `theirs::Utf8Bytes::try_from(text.into_bytes())?`: validated again |
/// | `Utf8Bytes` | `tungstenite`'s | `Utf8Bytes::from_bytes_unchecked(text.into_bytes())`: `unsafe`, but sound, because this type has validated the text |
/// | `tungstenite`'s, `axum`'s | `Utf8Bytes` | `Utf8Bytes::from_bytes(theirs.into())?`: validated |
/// | `String`, `&'static str` | `Utf8Bytes` | `Utf8Bytes::from(text)` |
/// | `Utf8Bytes` | `String` | `text.to_string()`: copied |
///
/// ```
/// use bytes::Bytes;
/// use fastutf::bytes::Utf8Bytes;
///
/// let packet = Bytes::from_static(b"\x05na\xC3\xAFve...");
/// let name = Utf8Bytes::from_bytes(packet.slice(1..7))?; // points into the packet
/// assert_eq!(name, "naïve");
/// assert_eq!(name.slice(2..).to_uppercase(), "ÏVE");
/// # Ok::<(), fastutf::bytes::FromBytesError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Utf8Bytes(Bytes);

impl Utf8Bytes {
    /// Returns `bytes` as text, without copying them.
    ///
    /// # Errors
    ///
    /// As [`validate_utf8`](fn@crate::validate_utf8), with the offset in bytes; the error returns the `Bytes`.
    ///
    /// ```
    /// use fastutf::bytes::Utf8Bytes;
    ///
    /// assert_eq!(Utf8Bytes::from_bytes("zł".into()).unwrap(), "zł");
    /// assert_eq!(Utf8Bytes::from_bytes(b"z\xFF"[..].into()).unwrap_err().utf8_error().valid_up_to(), 1);
    /// ```
    pub fn from_bytes(bytes: Bytes) -> Result<Self, FromBytesError> {
        match crate::validate_utf8(&bytes) {
            Ok(()) => Ok(Self(bytes)),
            Err(error) => Err(FromBytesError { bytes, error }),
        }
    }

    /// Returns the text.
    ///
    /// ```
    /// assert_eq!(fastutf::bytes::Utf8Bytes::from("zł").as_str(), "zł");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        // SAFETY: every `Utf8Bytes` is made from validated bytes or from a `str`, and the contents of `Bytes` never
        // change while a handle to them exists.
        unsafe { core::str::from_utf8_unchecked(&self.0) }
    }

    /// Returns the bytes, without copying them.
    ///
    /// ```
    /// assert_eq!(fastutf::bytes::Utf8Bytes::from("zł").into_bytes(), b"z\xC5\x82"[..]);
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// Returns a part of the text, without copying it; `range` is in bytes.
    ///
    /// # Panics
    ///
    /// If `range` is out of bounds or does not start and end on character boundaries, like indexing a `str`.
    ///
    /// ```
    /// let text = fastutf::bytes::Utf8Bytes::from("zł!");
    /// assert_eq!(text.slice(1..3), "ł");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn slice(&self, range: impl SliceIndex<str, Output = str>) -> Self {
        Self(self.0.slice_ref(self.as_str()[range].as_bytes()))
    }
}

impl TryFrom<Bytes> for Utf8Bytes {
    type Error = FromBytesError;

    fn try_from(bytes: Bytes) -> Result<Self, FromBytesError> {
        Self::from_bytes(bytes)
    }
}

impl From<&'static str> for Utf8Bytes {
    fn from(text: &'static str) -> Self {
        Self(Bytes::from_static(text.as_bytes()))
    }
}

impl From<String> for Utf8Bytes {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<Utf8Bytes> for Bytes {
    fn from(text: Utf8Bytes) -> Self {
        text.0
    }
}

impl Deref for Utf8Bytes {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Utf8Bytes {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Utf8Bytes {
    fn borrow(&self) -> &str {
        self
    }
}

/// Hashes like `str`, as `Borrow` requires.
impl Hash for Utf8Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq<str> for Utf8Bytes {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for Utf8Bytes {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl fmt::Debug for Utf8Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Utf8Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

/// The error of [`Utf8Bytes::from_bytes`], which also returns the bytes.
///
/// ```
/// use fastutf::bytes::Utf8Bytes;
///
/// let error = Utf8Bytes::from_bytes(b"a\xFF"[..].into()).unwrap_err();
/// assert_eq!(error.utf8_error().valid_up_to(), 1);
/// assert_eq!(error.to_string(), "invalid utf-8 at byte 1: invalid lead byte");
/// assert_eq!(error.into_bytes(), b"a\xFF"[..]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromBytesError {
    bytes: Bytes,
    error: Utf8Error,
}

impl FromBytesError {
    /// Returns the bytes given to [`Utf8Bytes::from_bytes`].
    ///
    /// ```
    /// let error = fastutf::bytes::Utf8Bytes::from_bytes(b"a\xFF"[..].into()).unwrap_err();
    /// assert_eq!(error.into_bytes(), b"a\xFF"[..]);
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Returns where and why the bytes are ill-formed.
    ///
    /// ```
    /// let error = fastutf::bytes::Utf8Bytes::from_bytes(b"a\xFF"[..].into()).unwrap_err();
    /// assert_eq!(error.utf8_error().kind(), fastutf::Utf8ErrorKind::InvalidLead);
    /// ```
    #[must_use]
    #[doc(alias = "error")]
    pub const fn utf8_error(&self) -> Utf8Error {
        self.error
    }
}

impl fmt::Display for FromBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromBytesError {}

impl From<FromBytesError> for Utf8Error {
    fn from(error: FromBytesError) -> Self {
        error.error
    }
}

impl From<FromBytesError> for StreamError {
    /// The same error without the bytes. Its offset counts from their start.
    fn from(error: FromBytesError) -> Self {
        error.error.into()
    }
}

#[cfg(feature = "std")]
impl From<FromBytesError> for std::io::Error {
    /// An error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that contains the [`Utf8Error`]. The
    /// bytes are dropped.
    fn from(error: FromBytesError) -> Self {
        error.error.into()
    }
}

/// Converts UTF-8 to UTF-16LE and appends it to `dst`. Reports how much was read and written, both in bytes, and why
/// it stopped. Never panics: if `dst` cannot grow, it stops with [`OutputFull`](Stop::OutputFull).
///
/// ```
/// use bytes::{BufMut, BytesMut};
///
/// /// Writes a parameter: 2 bytes of length, then the text in UTF-16LE.
/// fn put_nvarchar(text: &str, packet: &mut BytesMut) {
///     let bytes = 2 * fastutf::utf16_len_from_utf8(text.as_bytes());
///     packet.put_u16_le(u16::try_from(bytes).expect("a short text"));
///     let out = fastutf::bytes::utf8_to_utf16le_put(text.as_bytes(), packet);
///     debug_assert!(out.is_complete());
/// }
///
/// let mut packet = BytesMut::from(&b"\x01"[..]);
/// put_nvarchar("zł", &mut packet);
/// assert_eq!(packet, b"\x01\x04\x00z\x00B\x01"[..]);
/// ```
pub fn utf8_to_utf16le_put(src: &[u8], dst: &mut impl BufMut) -> Conversion<Utf8Error> {
    let isa = Isa::best();
    put(src, dst, max_utf16_len, move |src| converter!(move isa.utf8_to_utf16le_uninit(src)), Utf8Error::moved_by)
}

/// Converts UTF-8 to UTF-16BE and appends it to `dst`. Reports how much was read and written, both in bytes, and why
/// it stopped. Never panics: if `dst` cannot grow, it stops with [`OutputFull`](Stop::OutputFull).
///
/// ```
/// let mut packet = bytes::BytesMut::new();
/// assert!(fastutf::bytes::utf8_to_utf16be_put("zł".as_bytes(), &mut packet).is_complete());
/// assert_eq!(packet, b"\x00z\x01B"[..]);
/// ```
pub fn utf8_to_utf16be_put(src: &[u8], dst: &mut impl BufMut) -> Conversion<Utf8Error> {
    let isa = Isa::best();
    put(src, dst, max_utf16_len, move |src| converter!(move isa.utf8_to_utf16be_uninit(src)), Utf8Error::moved_by)
}

/// Converts UTF-16LE to UTF-8 and appends it to `dst`. Reports how much was read and written, both in bytes, and why
/// it stopped. Never panics: if `dst` cannot grow, it stops with [`OutputFull`](Stop::OutputFull).
///
/// If `src` is ill-formed, the text before the error is written.
///
/// ```
/// let mut text = bytes::BytesMut::new();
/// fastutf::bytes::utf16le_to_utf8_put(b"z\x00B\x01", &mut text).complete()?;
/// assert_eq!(text, "zł");
///
/// let out = fastutf::bytes::utf16le_to_utf8_put(b"!\x00\x00\xDC", &mut text);
/// assert_eq!(out.error().unwrap().valid_up_to(), 2);
/// assert_eq!(text, "zł!");
/// # Ok::<(), fastutf::ConversionError<fastutf::Utf16Error>>(())
/// ```
pub fn utf16le_to_utf8_put(src: &[u8], dst: &mut impl BufMut) -> Conversion<Utf16Error> {
    let isa = Isa::best();
    put(src, dst, max_utf8_len, move |src| converter!(move isa.utf16le_to_utf8_uninit(src)), Utf16Error::moved_by)
}

/// Converts UTF-16BE to UTF-8 and appends it to `dst`. Reports how much was read and written, both in bytes, and why
/// it stopped. Never panics: if `dst` cannot grow, it stops with [`OutputFull`](Stop::OutputFull).
///
/// If `src` is ill-formed, the text before the error is written.
///
/// ```
/// let mut text = bytes::BytesMut::new();
/// fastutf::bytes::utf16be_to_utf8_put(b"\x00z\x01B", &mut text).complete()?;
/// assert_eq!(text, "zł");
/// # Ok::<(), fastutf::ConversionError<fastutf::Utf16Error>>(())
/// ```
pub fn utf16be_to_utf8_put(src: &[u8], dst: &mut impl BufMut) -> Conversion<Utf16Error> {
    let isa = Isa::best();
    put(src, dst, max_utf8_len, move |src| converter!(move isa.utf16be_to_utf8_uninit(src)), Utf16Error::moved_by)
}

/// One code unit, 2 bytes, for each byte of UTF-8.
fn max_utf16_len(len: usize) -> usize {
    len.saturating_mul(2)
}

/// 3 bytes for each code unit of UTF-16.
fn max_utf8_len(len: usize) -> usize {
    (len / 2).saturating_mul(3)
}

/// Converts directly into `dst` if its next chunk is large, or is all the room there is. Otherwise converts into a
/// buffer, which `dst` may then scatter or make room for.
#[inline(always)]
fn put<'a, E: Copy, F: Fn(&mut Output) -> Conversion<E>>(
    src: &'a [u8],
    dst: &mut impl BufMut,
    max_len: impl Fn(usize) -> usize,
    converter: impl Fn(&'a [u8]) -> Converter<F>,
    relocate: impl Fn(E, usize) -> E,
) -> Conversion<E> {
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = &src[read..];
        let room = dst.remaining_mut();
        let chunk = dst.chunk_mut();
        // In many languages, the result has half of its maximum length. At least one character fits into 4 bytes.
        let much = (max_len(rest.len()) / 2).clamp(4, AT_ONCE);
        let out = if chunk.len() >= much.min(room) {
            // SAFETY: a converter writes initialised elements only.
            let chunk = unsafe { chunk.as_uninit_slice_mut() };
            let out = converter(rest).run(Output::new(chunk));
            assert!(out.written <= chunk.len());
            // SAFETY: a converter initialises the first `written` bytes of its output. That was the current chunk of
            // `dst`, and still is, because `dst` has not been used since: `BufMut` is an `unsafe` trait, and promises
            // this.
            unsafe { dst.advance_mut(out.written) };
            out
        } else {
            put_piece(converter(rest), dst, room)
        };
        // If nothing was written, not even one character fits into all the room there is.
        let more = matches!(out.stop, Stop::OutputFull) && out.written > 0;
        if read == 0 && !more {
            return out;
        }
        let out = out.after(read, written, |error| relocate(error, read));
        if !more {
            return out;
        }
        (read, written) = (out.read, out.written);
    }
}

/// Converts as much as fits into a piece on the stack, and appends it.
#[cold]
#[inline(never)]
fn put_piece<E: Copy>(
    converter: Converter<impl Fn(&mut Output) -> Conversion<E>>,
    dst: &mut impl BufMut,
    room: usize,
) -> Conversion<E> {
    let mut piece = [0; AT_ONCE];
    let out = converter.run_over(&mut piece[..room.min(AT_ONCE)]);
    dst.put_slice(&piece[..out.written]);
    out
}
