//! WTF-8: potentially ill-formed UTF-16 as bytes, without loss.
//!
//! [WTF-8](https://simonsapin.github.io/wtf-8/) is UTF-8 that may also have surrogates, U+D800 to U+DFFF, each as a sequence of
//! three bytes. Strings of JavaScript and Java and names of files on Windows are sequences of 16-bit code units of which nobody
//! guarantees that surrogates are in pairs. Every such string has exactly one form in WTF-8. If it is well-formed, that is UTF-8.
//!
//! ```
//! use fastutf::wtf8;
//!
//! // "a", half of a smiley, "b"
//! let units = [0x61, 0xD83D, 0x62];
//! let bytes = wtf8::wtf8_from_utf16(&units);
//! assert_eq!(bytes, b"a\xED\xA0\xBDb");
//! assert_eq!(wtf8::utf16_from_wtf8(&bytes)?, units);
//!
//! assert_eq!(wtf8::from_wtf8(&bytes).unwrap_err().valid_up_to(), 1);
//! assert_eq!(wtf8::from_wtf8_lossy(&bytes), "a\u{FFFD}b");
//! # Ok::<(), wtf8::Wtf8Error>(())
//! ```
//!
//! WTF-8 is for use inside of a program. Text for others is UTF-8. Store WTF-8 only where you read it again yourself and
//! unpaired (also called lone) surrogates must not get lost.
//!
//! # Pieces
//!
//! A surrogate pair as two sequences of three bytes is ill-formed, so that there is only one form of each text. So what is put
//! together from pieces has to be joined: a high surrogate at the end of one and a low one at the start of the next become one
//! sequence of four bytes. [`append`](fn@append) does this for WTF-8, and [`utf16_to_wtf8_append`] and its relatives for UTF-16:
//!
//! ```
//! use fastutf::wtf8;
//!
//! let mut bytes = Vec::new();
//! for piece in [&[0x61, 0xD83D][..], &[0xDE00]] {
//!     wtf8::utf16_to_wtf8_append(piece, &mut bytes);
//! }
//! assert_eq!(bytes, "a😀".as_bytes());
//! ```
//!
//! Functions that convert into a buffer do not see what is before it. So a high surrogate at the end of a piece has to wait for
//! the next piece: [`boundary::complete_utf16`](crate::boundary::complete_utf16).
//!
//! # Functions
//!
//! Names are built as [those of this crate](crate#all-functions), and each is also a method of [`Isa`], but for
//! [`append`](fn@append).
//!
//! | | the function |
//! |---|---|
//! | UTF-16 to a new `Vec` | [`wtf8_from_utf16`], [`wtf8_from_utf16le`], [`wtf8_from_utf16be`] |
//! | UTF-16 into a buffer, with `_uninit` and `_append` | [`utf16_to_wtf8`], [`utf16le_to_wtf8`], [`utf16be_to_wtf8`] |
//! | its length | [`wtf8_len_from_utf16`], [`wtf8_len_from_utf16le`], [`wtf8_len_from_utf16be`] |
//! | WTF-8 to a new `Vec` of UTF-16 | [`utf16_from_wtf8`], [`utf16le_from_wtf8`], [`utf16be_from_wtf8`] |
//! | WTF-8 to UTF-16 in a buffer, with `_uninit` and `_append` | [`wtf8_to_utf16`], [`wtf8_to_utf16le`], [`wtf8_to_utf16be`] |
//! | its length | [`utf16_len_from_wtf8`] |
//! | is it WTF-8? | [`validate_wtf8`] |
//! | is it UTF-8? | [`from_wtf8`], which returns a `&str` |
//! | U+FFFD for each surrogate | [`from_wtf8_lossy`], [`string_from_wtf8_lossy`], in place [`replace_surrogates_in_wtf8`] |
//! | the same in a buffer, with `_uninit` and `_append` | [`wtf8_to_utf8_lossy`] |
//! | join pieces | [`append`](fn@append) |
//! | `OsStr` and `OsString` (on Windows) | `wtf8_from_os_str`, `os_string_from_wtf8` |
//!
//! UTF-8 is WTF-8 as it is, so no function makes WTF-8 of it.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::convert::Infallible;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::api::into_vec;
use crate::buffer::as_bytes;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::replacement::Repair;
use crate::report::{Conversion, LossyConversion, Stop, Utf16Error, Utf16ErrorKind};
pub use crate::report::{SurrogateError, ToUtf8Error, Wtf8Error, Wtf8ErrorKind};
use crate::scalar;

/// What several public operations share, for either byte order. Offsets are in bytes.
impl Isa {
    /// Converts whole code units.
    #[inline(always)]
    pub(crate) fn utf16_bytes_to_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> Conversion<Infallible> {
        let out = self.utf16_bytes_to_utf8(order, src, dst);
        let Conversion { read, written, .. } = out;
        match out.stop {
            Stop::Complete => Conversion { read, written, stop: Stop::Complete },
            Stop::OutputFull => Conversion { read, written, stop: Stop::OutputFull },
            Stop::Invalid(_) => self.go_on_to_wtf8(order, src, dst, read, written),
        }
    }

    /// Continues at an unpaired surrogate: plain Rust and the kernel in turn.
    #[cold]
    #[inline(never)]
    fn go_on_to_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        mut read: usize,
        mut written: usize,
    ) -> Conversion<Infallible> {
        loop {
            let run = scalar::utf16_to_wtf8(order, &src[read..], &mut dst[written..]);
            (read, written) = (read + run.read, written + run.written);
            if read == src.len() {
                return Conversion { read, written, stop: Stop::Complete };
            }
            if run.read == 0 {
                return Conversion { read, written, stop: Stop::OutputFull };
            }
            let out = self.utf16_bytes_to_utf8(order, &src[read..], &mut dst[written..]);
            (read, written) = (read + out.read, written + out.written);
            match out.stop {
                Stop::Complete => return Conversion { read, written, stop: Stop::Complete },
                Stop::OutputFull => return Conversion { read, written, stop: Stop::OutputFull },
                Stop::Invalid(_) => {}
            }
        }
    }

    /// Converts bytes, of which an odd one at the end is ill-formed.
    #[inline(always)]
    pub(crate) fn any_utf16_bytes_to_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> Conversion<Utf16Error> {
        let whole = src.len() / 2 * 2;
        let Conversion { read, written, stop } = self.utf16_bytes_to_wtf8(order, &src[..whole], dst);
        let stop = match stop {
            Stop::OutputFull => Stop::OutputFull,
            _ if whole == src.len() => Stop::Complete,
            _ => Stop::Invalid(Utf16Error::in_bytes_at(whole, Utf16ErrorKind::TrailingByte)),
        };
        Conversion { read, written, stop }
    }

    #[inline(always)]
    pub(crate) fn wtf8_to_utf16_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> Conversion<Wtf8Error> {
        let out = self.utf8_to_utf16_bytes(order, src, dst);
        let Conversion { read, written, .. } = out;
        match out.stop {
            Stop::Complete => Conversion { read, written, stop: Stop::Complete },
            Stop::OutputFull => Conversion { read, written, stop: Stop::OutputFull },
            Stop::Invalid(_) => self.go_on_from_wtf8(order, src, dst, read, written),
        }
    }

    /// Continues where it is not UTF-8: plain Rust and the kernel in turn.
    #[cold]
    #[inline(never)]
    fn go_on_from_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        mut read: usize,
        mut written: usize,
    ) -> Conversion<Wtf8Error> {
        loop {
            let run = scalar::wtf8_to_utf16(order, src, &mut dst[written..], read);
            let progress = run.read > read;
            (read, written) = (run.read, written + run.written);
            if run.ill_formed {
                return Conversion { read, written, stop: Stop::Invalid(scalar::wtf8_error_at(src, read)) };
            }
            if read == src.len() {
                return Conversion { read, written, stop: Stop::Complete };
            }
            if !progress {
                return Conversion { read, written, stop: Stop::OutputFull };
            }
            let out = self.utf8_to_utf16_bytes(order, &src[read..], &mut dst[written..]);
            (read, written) = (read + out.read, written + out.written);
            match out.stop {
                Stop::Complete => return Conversion { read, written, stop: Stop::Complete },
                Stop::OutputFull => return Conversion { read, written, stop: Stop::OutputFull },
                Stop::Invalid(_) => {}
            }
        }
    }

    /// Continues where it is not UTF-8: plain Rust and the kernel in turn.
    #[cold]
    #[inline(never)]
    fn go_on_checking_wtf8(self, src: &[u8], mut at: usize) -> Result<(), Wtf8Error> {
        loop {
            let (next, ill_formed) = scalar::check_wtf8(src, at);
            if ill_formed {
                return Err(scalar::wtf8_error_at(src, next));
            }
            match self.validate_utf8(&src[next..]) {
                Ok(()) => return Ok(()),
                Err(error) => at = next + error.valid_up_to(),
            }
        }
    }

    /// Plain Rust and the kernel in turn.
    fn wtf8_to_utf8_lossy_bytes(self, src: &[u8], dst: &mut Output) -> LossyConversion {
        let mut done = Repair::default();
        loop {
            // Nothing becomes shorter, so no more than this can matter.
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let rest = &rest[..rest.len().min(room.len())];
            let valid = match self.validate_utf8(rest) {
                Ok(()) => rest.len(),
                Err(error) => error.valid_up_to(),
            };
            let fits = scalar::copy_valid(rest, valid, room);
            done.add(Repair { read: fits, written: fits, replacements: 0 });
            if done.read == src.len() {
                break;
            }
            let mut run = scalar::wtf8_to_utf8_lossy(src, &mut dst[done.written..], done.read);
            run.read -= done.read;
            done.add(run);
            if run.read == 0 || done.read == src.len() {
                break;
            }
        }
        done.outcome(src.len())
    }

    #[cfg(feature = "alloc")]
    fn append_wtf8_from_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf16Error> {
        // The two halves of a pair become one sequence.
        let joined = match src.first_chunk::<2>() {
            Some(&unit) => join(order.unit(unit), dst),
            None => false,
        };
        let rest = if joined { &src[2..] } else { src };
        let count = move || self.wtf8_len_from_utf16_bytes(order, rest);
        let out = into_vec::append(
            dst,
            rest.len() / 2 * 3,
            count,
            converter!(self.any_utf16_bytes_to_wtf8(order, rest)),
        );
        if joined {
            out.after(2, 1, |error| Utf16Error::in_bytes_at(error.valid_up_to() + 2, error.kind()))
        } else {
            out
        }
        .appended()
    }

    #[inline(always)]
    fn wtf8_len_from_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        // As many as with U+FFFD in place of surrogates.
        self.utf8_len_from_utf16_bytes_lossy(order, &src[..src.len() / 2 * 2])
    }

    #[cfg(feature = "alloc")]
    fn collect_wtf8(self, order: ByteOrder, src: &[u8]) -> Result<Vec<u8>, Utf16Error> {
        let count = move || self.wtf8_len_from_utf16_bytes(order, src);
        let (bytes, out) =
            into_vec::collect(src.len() / 2 * 3, count, converter!(self.any_utf16_bytes_to_wtf8(order, src)));
        out.appended().map(|_| bytes)
    }

    #[cfg(feature = "alloc")]
    fn collect_utf16_from_wtf8(self, order: ByteOrder, src: &[u8]) -> Result<Vec<u8>, Wtf8Error> {
        let count = move || 2 * self.utf16_len_from_utf8(src).min(src.len());
        let (bytes, out) =
            into_vec::collect(2 * src.len(), count, converter!(self.wtf8_to_utf16_bytes(order, src)));
        out.appended().map(|_| bytes)
    }
}

/// What keeps `src` from being UTF-8 at `at`, where it is not.
#[cold]
#[inline(never)]
fn not_utf8(src: &[u8], at: usize) -> ToUtf8Error<Wtf8Error> {
    match scalar::surrogate(src, at) {
        Some(surrogate) => ToUtf8Error::Surrogate(SurrogateError::new(at, surrogate)),
        None => ToUtf8Error::IllFormed(scalar::wtf8_error_at(src, at)),
    }
}

/// If `dst` ends with a high surrogate and `unit` is a low one, turns the former into the character that they encode.
#[cfg(feature = "alloc")]
fn join(unit: u16, dst: &mut Vec<u8>) -> bool {
    if unit & 0xFC00 != 0xDC00 || !scalar::ends_with_high(dst, dst.len()) {
        return false;
    }
    let start = dst.len() - 3;
    let high = 0xD000 | u32::from(dst[start + 1] & 0b0011_1111) << 6 | u32::from(dst[start + 2] & 0b0011_1111);
    let value = 0x1_0000 + ((high & 0x3FF) << 10 | u32::from(unit & 0x3FF));
    dst.truncate(start);
    dst.extend_from_slice(char::from_u32(value).unwrap_or_default().encode_utf8(&mut [0; 4]).as_bytes());
    true
}

/// Appends WTF-8 to WTF-8. A high surrogate at the end of `dst` and a low one at the start of `src` become one sequence of four
/// bytes.
///
/// Both must be well-formed, or the result is not. (This looks at no more than where they meet.)
///
/// ```
/// let mut dst = b"a\xED\xA0\xBD".to_vec();
/// fastutf::wtf8::append(b"\xED\xB8\x80b", &mut dst);
/// assert_eq!(dst, "a😀b".as_bytes());
/// ```
#[cfg(feature = "alloc")]
pub fn append(src: &[u8], dst: &mut Vec<u8>) {
    let low = if src.is_empty() { None } else { scalar::surrogate(src, 0) };
    let joined = low.is_some_and(|low| join(low, dst));
    dst.extend_from_slice(if joined { &src[3..] } else { src });
}

/// Returns a string of Windows as WTF-8. Borrows if it is well-formed.
///
/// ```
/// let name = std::ffi::OsStr::new("żółw.txt");
/// assert_eq!(*fastutf::wtf8::wtf8_from_os_str(name), *"żółw.txt".as_bytes());
/// ```
#[cfg(all(windows, feature = "std"))]
pub fn wtf8_from_os_str(src: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    use std::os::windows::ffi::OsStrExt;
    match src.to_str() {
        Some(text) => Cow::Borrowed(text.as_bytes()),
        None => Cow::Owned(wtf8_from_utf16(&src.encode_wide().collect::<Vec<u16>>())),
    }
}

/// Returns WTF-8 as a string of Windows.
///
/// # Errors
///
/// As [`validate_wtf8`](fn@validate_wtf8).
///
/// ```
/// use std::os::windows::ffi::OsStrExt;
///
/// let name = fastutf::wtf8::os_string_from_wtf8(b"a\xED\xA0\xBD")?;
/// assert_eq!(name.encode_wide().collect::<Vec<u16>>(), [0x61, 0xD83D]);
/// # Ok::<(), fastutf::wtf8::Wtf8Error>(())
/// ```
#[cfg(all(windows, feature = "std"))]
pub fn os_string_from_wtf8(src: &[u8]) -> Result<std::ffi::OsString, Wtf8Error> {
    use std::os::windows::ffi::OsStringExt;
    match crate::api::from_utf8(src) {
        Ok(text) => Ok(text.into()),
        Err(_) => utf16_from_wtf8(src).map(|units| std::ffi::OsString::from_wide(&units)),
    }
}

operations! {
    /// Checks that `src` is well-formed WTF-8; the error describes the first ill-formed sequence.
    ///
    /// # Errors
    ///
    /// The offset in bytes, the length and the kind of the first ill-formed sequence.
    ///
    /// ```
    /// use fastutf::wtf8::{Wtf8ErrorKind, validate_wtf8};
    ///
    /// assert!(validate_wtf8(b"a\xED\xA0\xBDb").is_ok());
    /// let error = validate_wtf8(b"ab\xC0\xAF").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.kind()), (2, Wtf8ErrorKind::Overlong));
    /// ```
    [short] fn validate_wtf8(isa, src: &[u8]) -> Result<(), Wtf8Error> {
        match isa.validate_utf8(src) {
            Ok(()) => Ok(()),
            Err(error) => isa.go_on_checking_wtf8(src, error.valid_up_to()),
        }
    }

    /// Returns WTF-8 as a `&str`, if it is UTF-8.
    ///
    /// # Errors
    ///
    /// The first surrogate, or the first ill-formed sequence: what comes first.
    ///
    /// To turn a `Vec<u8>` into a `String`, use [`string_from_utf8`](fn@crate::string_from_utf8).
    ///
    /// ```
    /// use fastutf::wtf8::from_wtf8;
    ///
    /// assert_eq!(from_wtf8("zł".as_bytes()), Ok("zł"));
    /// assert_eq!(from_wtf8(b"z\xED\xA0\xBD").unwrap_err().valid_up_to(), 1);
    /// ```
    [short] fn from_wtf8(isa, src: &[u8]) -> Result<&str, ToUtf8Error<Wtf8Error>> {
        match isa.from_utf8(src) {
            Ok(text) => Ok(text),
            Err(error) => Err(not_utf8(src, error.valid_up_to())),
        }
    }

    /// Returns WTF-8 as text, with U+FFFD for each surrogate, and for each ill-formed sequence. Borrows UTF-8.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::from_wtf8_lossy(b"z\xED\xA0\xBD"), "z\u{FFFD}");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_wtf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
        match isa.from_utf8(src) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(isa.string_from_wtf8_lossy(src.to_vec())),
        }
    }

    /// Like [`from_wtf8_lossy`](fn@from_wtf8_lossy), in the same allocation if it is WTF-8: U+FFFD has the length of a surrogate.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::string_from_wtf8_lossy(b"z\xED\xA0\xBD".to_vec()), "z\u{FFFD}");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn string_from_wtf8_lossy(isa, src: Vec<u8>) -> String {
        let mut src = src;
        isa.replace_surrogates_in_wtf8(&mut src);
        match isa.string_from_utf8(src) {
            Ok(text) => text,
            Err(error) => {
                let mut text = String::new();
                let _ = isa.wtf8_to_utf8_lossy_append(&error.into_bytes(), &mut text);
                text.shrink_to_fit();
                text
            }
        }
    }

    /// Replaces each surrogate by U+FFFD in place, and returns how many there were. WTF-8 is UTF-8 afterwards; other ill-formed
    /// sequences stay as they are.
    ///
    /// ```
    /// let mut bytes = b"z\xED\xA0\xBD".to_vec();
    /// assert_eq!(fastutf::wtf8::replace_surrogates_in_wtf8(&mut bytes), 1);
    /// assert_eq!(bytes, "z\u{FFFD}".as_bytes());
    /// ```
    fn replace_surrogates_in_wtf8(isa, bytes: &mut [u8]) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Err(error) = isa.validate_utf8(&bytes[at..]) {
            let (next, replaced) = scalar::replace_surrogates(bytes, at + error.valid_up_to());
            (at, count) = (next, count + replaced);
        }
        count
    }

    /// Returns the number of code units of UTF-16 that WTF-8 converts to.
    ///
    /// For ill-formed input, the number of bytes that are not continuation bytes, and one more for each from `F0` on.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::utf16_len_from_wtf8(b"z\xED\xA0\xBD"), 2);
    /// ```
    #[must_use]
    [short] fn utf16_len_from_wtf8(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf8(src)
    }

    /// Returns UTF-16, which may be ill-formed, as WTF-8.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_from_utf16(&[0x7A, 0xD83D]), b"z\xED\xA0\xBD");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn wtf8_from_utf16(isa, src: &[u16]) -> Vec<u8> {
        // Whole units cannot be wrong.
        isa.collect_wtf8(ByteOrder::NATIVE, as_bytes(src)).unwrap_or_default()
    }

    /// Converts UTF-16, which may be ill-formed, to WTF-8 in `dst`. Reports how much was read (code units) and written (bytes).
    ///
    /// There are only two reasons to stop: [`Complete`](Stop::Complete) and [`OutputFull`](Stop::OutputFull). Three bytes for each
    /// code unit are always enough; [`wtf8_len_from_utf16`](fn@wtf8_len_from_utf16) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::wtf8::utf16_to_wtf8(&[0x7A, 0xD83D], &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], *b"z\xED\xA0\xBD");
    /// ```
    [short] fn utf16_to_wtf8(isa, src: &[u16], dst: &mut [u8]) -> Conversion<Infallible> {
        let out = isa.utf16_bytes_to_wtf8(ByteOrder::NATIVE, as_bytes(src), Output::over(dst));
        Conversion { read: out.read / 2, ..out }
    }

    /// Like [`utf16_to_wtf8`](fn@utf16_to_wtf8), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::wtf8::utf16_to_wtf8_uninit(&[0x7A, 0xD83D], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 4));
    /// ```
    [short] fn utf16_to_wtf8_uninit(isa, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        let out = isa.utf16_bytes_to_wtf8(ByteOrder::NATIVE, as_bytes(src), Output::new(dst));
        Conversion { read: out.read / 2, ..out }
    }

    /// Like [`utf16_to_wtf8`](fn@utf16_to_wtf8), but appends to a `Vec`, which grows as needed. A high surrogate at the end of `dst`
    /// and a low one at the start of `src` become one sequence of four bytes. Returns by how many bytes `dst` has become longer.
    ///
    /// ```
    /// let mut dst = b"z".to_vec();
    /// assert_eq!(fastutf::wtf8::utf16_to_wtf8_append(&[0xD83D], &mut dst), 3);
    /// assert_eq!(fastutf::wtf8::utf16_to_wtf8_append(&[0xDE00], &mut dst), 1);
    /// assert_eq!(dst, "z😀".as_bytes());
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_to_wtf8_append(isa, src: &[u16], dst: &mut Vec<u8>) -> usize {
        isa.append_wtf8_from_utf16(ByteOrder::NATIVE, as_bytes(src), dst).unwrap_or_else(|_| unreachable!("code units have no odd byte"))
    }

    /// Returns the number of bytes of WTF-8 that this UTF-16 converts to.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_len_from_utf16(&[0x7A, 0xD83D]), 4);
    /// ```
    #[must_use]
    fn wtf8_len_from_utf16(isa, src: &[u16]) -> usize {
        isa.wtf8_len_from_utf16_bytes(ByteOrder::NATIVE, as_bytes(src))
    }

    /// Returns WTF-8 as UTF-16, which is ill-formed if there are surrogates.
    ///
    /// # Errors
    ///
    /// As [`validate_wtf8`](fn@validate_wtf8).
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::utf16_from_wtf8(b"z\xED\xA0\xBD").as_deref(), Ok(&[0x7A, 0xD83D][..]));
    /// assert_eq!(fastutf::wtf8::utf16_from_wtf8(b"z\xFF").unwrap_err().valid_up_to(), 1);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_from_wtf8(isa, src: &[u8]) -> Result<Vec<u16>, Wtf8Error> {
        let count = move || isa.utf16_len_from_utf8(src);
        let (units, out) = into_vec::collect(src.len(), count, converter!(isa.wtf8_to_utf16_uninit(src)));
        out.appended().map(|_| units)
    }

    /// Returns UTF-16LE, which may be ill-formed, as WTF-8.
    ///
    /// # Errors
    ///
    /// An odd last byte.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_from_utf16le(b"z\0\x3D\xD8").as_deref(), Ok(&b"z\xED\xA0\xBD"[..]));
    /// assert_eq!(fastutf::wtf8::wtf8_from_utf16le(b"z").unwrap_err().valid_up_to(), 0);
    /// ```
    #[cfg(feature = "alloc")]
    fn wtf8_from_utf16le(isa, src: &[u8]) -> Result<Vec<u8>, Utf16Error> {
        isa.collect_wtf8(ByteOrder::Little, src)
    }

    /// Converts UTF-16LE, which may be ill-formed, to WTF-8 in `dst`. Reports how much was read and written (bytes), and why it
    /// stopped. Only an odd last byte is an error.
    ///
    /// Three bytes for each code unit are always enough; [`wtf8_len_from_utf16le`](fn@wtf8_len_from_utf16le) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::wtf8::utf16le_to_wtf8(b"z\0\x3D\xD8", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], *b"z\xED\xA0\xBD");
    /// ```
    [short] fn utf16le_to_wtf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error> {
        isa.any_utf16_bytes_to_wtf8(ByteOrder::Little, src, Output::over(dst))
    }

    /// Like [`utf16le_to_wtf8`](fn@utf16le_to_wtf8), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::wtf8::utf16le_to_wtf8_uninit(b"z\0\x3D\xD8", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 4));
    /// ```
    [short] fn utf16le_to_wtf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
        isa.any_utf16_bytes_to_wtf8(ByteOrder::Little, src, Output::new(dst))
    }

    /// Like [`utf16le_to_wtf8`](fn@utf16le_to_wtf8), but appends to a `Vec`, which grows as needed. A high surrogate at the
    /// end of `dst` and a low one at the start of `src` become one sequence of four bytes. Returns by how many bytes `dst`
    /// has become longer.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"z\xED\xA0\xBD".to_vec();
    /// assert_eq!(fastutf::wtf8::utf16le_to_wtf8_append(b"\x00\xDE", &mut dst), Ok(1));
    /// assert_eq!(dst, "z😀".as_bytes());
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_to_wtf8_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf16Error> {
        isa.append_wtf8_from_utf16(ByteOrder::Little, src, dst)
    }

    /// Returns the number of bytes of WTF-8 that this UTF-16LE converts to, without an odd last byte.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_len_from_utf16le(b"z\0\x3D\xD8"), 4);
    /// ```
    #[must_use]
    fn wtf8_len_from_utf16le(isa, src: &[u8]) -> usize {
        isa.wtf8_len_from_utf16_bytes(ByteOrder::Little, src)
    }

    /// Returns WTF-8 as UTF-16LE, which is ill-formed if there are surrogates.
    ///
    /// # Errors
    ///
    /// As [`validate_wtf8`](fn@validate_wtf8).
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::utf16le_from_wtf8(b"z\xED\xA0\xBD").as_deref(), Ok(&b"z\0\x3D\xD8"[..]));
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_from_wtf8(isa, src: &[u8]) -> Result<Vec<u8>, Wtf8Error> {
        isa.collect_utf16_from_wtf8(ByteOrder::Little, src)
    }

    /// Returns UTF-16BE, which may be ill-formed, as WTF-8.
    ///
    /// # Errors
    ///
    /// An odd last byte.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_from_utf16be(b"\0z\xD8\x3D").as_deref(), Ok(&b"z\xED\xA0\xBD"[..]));
    /// assert_eq!(fastutf::wtf8::wtf8_from_utf16be(b"z").unwrap_err().valid_up_to(), 0);
    /// ```
    #[cfg(feature = "alloc")]
    fn wtf8_from_utf16be(isa, src: &[u8]) -> Result<Vec<u8>, Utf16Error> {
        isa.collect_wtf8(ByteOrder::Big, src)
    }

    /// Converts UTF-16BE, which may be ill-formed, to WTF-8 in `dst`. Reports how much was read and written (bytes), and why it
    /// stopped. Only an odd last byte is an error.
    ///
    /// Three bytes for each code unit are always enough; [`wtf8_len_from_utf16be`](fn@wtf8_len_from_utf16be) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::wtf8::utf16be_to_wtf8(b"\0z\xD8\x3D", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], *b"z\xED\xA0\xBD");
    /// ```
    [short] fn utf16be_to_wtf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error> {
        isa.any_utf16_bytes_to_wtf8(ByteOrder::Big, src, Output::over(dst))
    }

    /// Like [`utf16be_to_wtf8`](fn@utf16be_to_wtf8), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::wtf8::utf16be_to_wtf8_uninit(b"\0z\xD8\x3D", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 4));
    /// ```
    [short] fn utf16be_to_wtf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
        isa.any_utf16_bytes_to_wtf8(ByteOrder::Big, src, Output::new(dst))
    }

    /// Like [`utf16be_to_wtf8`](fn@utf16be_to_wtf8), but appends to a `Vec`, which grows as needed. A high surrogate at the
    /// end of `dst` and a low one at the start of `src` become one sequence of four bytes. Returns by how many bytes `dst`
    /// has become longer.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"z\xED\xA0\xBD".to_vec();
    /// assert_eq!(fastutf::wtf8::utf16be_to_wtf8_append(b"\xDE\x00", &mut dst), Ok(1));
    /// assert_eq!(dst, "z😀".as_bytes());
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_to_wtf8_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf16Error> {
        isa.append_wtf8_from_utf16(ByteOrder::Big, src, dst)
    }

    /// Returns the number of bytes of WTF-8 that this UTF-16BE converts to, without an odd last byte.
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::wtf8_len_from_utf16be(b"\0z\xD8\x3D"), 4);
    /// ```
    #[must_use]
    fn wtf8_len_from_utf16be(isa, src: &[u8]) -> usize {
        isa.wtf8_len_from_utf16_bytes(ByteOrder::Big, src)
    }

    /// Returns WTF-8 as UTF-16BE, which is ill-formed if there are surrogates.
    ///
    /// # Errors
    ///
    /// As [`validate_wtf8`](fn@validate_wtf8).
    ///
    /// ```
    /// assert_eq!(fastutf::wtf8::utf16be_from_wtf8(b"z\xED\xA0\xBD").as_deref(), Ok(&b"\0z\xD8\x3D"[..]));
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_from_wtf8(isa, src: &[u8]) -> Result<Vec<u8>, Wtf8Error> {
        isa.collect_utf16_from_wtf8(ByteOrder::Big, src)
    }
}

strict! { in "fastutf::wtf8";
    wtf8_to_utf16_bytes -> Wtf8Error, unpaired;
    length(isa, order, src): max src.len(), count isa.utf16_len_from_utf8(src).min(src.len());
    {
        /// As many code units as `src` has bytes are always enough; [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8) returns
        /// the exact number.
        [ByteOrder::NATIVE] wtf8 => utf16: wtf8_to_utf16, wtf8_to_utf16_uninit, wtf8_to_utf16_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8). `dst` may have any alignment; an odd last byte of it is not used.
        [ByteOrder::Little] wtf8 => utf16le: wtf8_to_utf16le, wtf8_to_utf16le_uninit, wtf8_to_utf16le_append;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8). `dst` may have any alignment; an odd last byte of it is not used.
        [ByteOrder::Big] wtf8 => utf16be: wtf8_to_utf16be, wtf8_to_utf16be_uninit, wtf8_to_utf16be_append;
    }
}

lossy! { in "fastutf::wtf8";
    wtf8_to_utf8_lossy_bytes, "U+FFFD for each surrogate, and for each ill-formed sequence (a maximal subpart)";
    // Only ill-formed sequences become longer.
    length(isa, order, src): max src.len().saturating_mul(3), count src.len(), exact src.len().saturating_mul(3);
    {
        /// As many bytes as `src` has are exactly right for WTF-8; three times as many are always enough.
        [] wtf8 => utf8: wtf8_to_utf8_lossy, wtf8_to_utf8_lossy_uninit, wtf8_to_utf8_lossy_append;
    }
}
