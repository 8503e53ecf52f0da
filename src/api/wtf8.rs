//! WTF-8: potentially ill-formed UTF-16 as bytes, without loss.
//!
//! [WTF-8](https://simonsapin.github.io/wtf-8/) is UTF-8 that may also have surrogates, U+D800 to U+DFFF, each as a sequence of
//! three bytes. JavaScript and Java strings, and file names on Windows, are sequences of 16-bit code units in which surrogates may
//! be unpaired. Every such string has exactly one form in WTF-8. If the string is well-formed, that form is UTF-8.
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
//! WTF-8 is for use inside of a program. Text for other programs is UTF-8. Store WTF-8 only if your program reads it again, and
//! unpaired (also called lone) surrogates must not get lost.
//!
//! # Pieces
//!
//! A surrogate pair as two sequences of three bytes is ill-formed, so that there is only one form of each text. So pieces have to
//! be joined where they meet: a high surrogate at the end of one and a low one at the start of the next become one sequence of
//! four bytes. [`append`](fn@append) does this for WTF-8, and [`utf16_to_wtf8_append`] and its relatives for UTF-16:
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
//! Functions that convert into a buffer do not see the text before it. So a high surrogate at the end of a piece has to wait for
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
//! | check that it is WTF-8 | [`validate_wtf8`] |
//! | check that it is UTF-8 | [`from_wtf8`], which returns a `&str` |
//! | U+FFFD for each surrogate | [`from_wtf8_lossy`], [`string_from_wtf8_lossy`], in place [`replace_surrogates_in_wtf8`] |
//! | the same in a buffer, with `_uninit` and `_append` | [`wtf8_to_utf8_lossy`] |
//! | join pieces | [`append`](fn@append) |
//! | `OsStr` and `OsString` (on Windows) | `wtf8_from_os_str`, `os_string_from_wtf8` |
//!
//! UTF-8 is WTF-8 as it is, so no function makes WTF-8 of it.

use core::convert::Infallible;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{Cow, String, Vec};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::replacement::Repair;
use crate::report::{Conversion, LossyConversion, Stop, Utf16Error, Utf16ErrorKind};
pub use crate::report::{SurrogateError, ToUtf8Error, Wtf8Error, Wtf8ErrorKind};
use crate::scalar;

/// Converts `src` from `done` on, by kernels and plain Rust in turn. `kernel` gets as far as it can and returns whether there was
/// enough room; `plain` goes on from there. If `stopped`, the kernel has just stopped at `done`.
#[inline(always)]
pub(super) fn in_turn(
    src: &[u8],
    dst: &mut Output,
    mut done: Repair,
    mut stopped: bool,
    mut kernel: impl FnMut(&mut Repair, &mut Output) -> bool,
    plain: impl Fn(usize, &mut Output) -> scalar::Stretch,
) -> (Repair, Stop<()>) {
    loop {
        if !stopped {
            if !kernel(&mut done, dst) {
                return (done, Stop::OutputFull);
            }
            if done.read == src.len() {
                return (done, Stop::Complete);
            }
        }
        stopped = false;
        let run = plain(done.read, &mut dst[done.written..]);
        done.add(run.done);
        if run.ill_formed {
            return (done, Stop::Invalid(()));
        }
        if done.read == src.len() {
            return (done, Stop::Complete);
        }
        if run.done.read == 0 {
            return (done, Stop::OutputFull);
        }
    }
}

/// Adds what a kernel has converted of `len` bytes. Returns whether there was enough room.
#[inline(always)]
pub(super) fn advance<E>(done: &mut Repair, len: usize, out: Conversion<E>) -> bool {
    // Known without waiting for what has just been stored.
    done.read += if matches!(out.stop, Stop::Complete) { len } else { out.read };
    done.written += out.written;
    !matches!(out.stop, Stop::OutputFull)
}

/// The outcome of [`in_turn`]. `error` describes what is ill-formed at an offset.
#[inline(always)]
pub(super) fn outcome<E>((done, stop): (Repair, Stop<()>), error: impl FnOnce(usize) -> E) -> Conversion<E> {
    Conversion { read: done.read, written: done.written, stop: stop.map(|()| error(done.read)) }
}

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
            Stop::Invalid(_) => self.go_on_to_wtf8(order, src, dst, Repair { read, written, replacements: 0 }),
        }
    }

    /// Continues at an unpaired surrogate.
    #[cold]
    #[inline(never)]
    fn go_on_to_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        done: Repair,
    ) -> Conversion<Infallible> {
        let kernel = |done: &mut Repair, dst: &mut Output| {
            let rest = &src[done.read..];
            advance(done, rest.len(), self.utf16_bytes_to_utf8(order, rest, &mut dst[done.written..]))
        };
        let out = in_turn(src, dst, done, true, kernel, |read, dst| scalar::utf16_to_wtf8(order, src, dst, read));
        outcome(out, |_| unreachable!("UTF-16 is never ill-formed WTF-8"))
    }

    /// Converts bytes. An odd one at the end is ill-formed.
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
            Stop::Invalid(_) => self.go_on_from_wtf8(order, src, dst, Repair { read, written, replacements: 0 }),
        }
    }

    /// Continues where it is not UTF-8.
    #[cold]
    #[inline(never)]
    fn go_on_from_wtf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        done: Repair,
    ) -> Conversion<Wtf8Error> {
        let kernel = |done: &mut Repair, dst: &mut Output| {
            let rest = &src[done.read..];
            advance(done, rest.len(), self.utf8_to_utf16_bytes(order, rest, &mut dst[done.written..]))
        };
        let out = in_turn(src, dst, done, true, kernel, |read, dst| scalar::wtf8_to_utf16(order, src, dst, read));
        outcome(out, |at| scalar::wtf8_error_at(src, at))
    }

    /// Continues where it is not UTF-8.
    #[cold]
    #[inline(never)]
    fn go_on_checking_wtf8(self, src: &[u8], at: usize) -> Result<(), Wtf8Error> {
        let kernel = |done: &mut Repair, _: &mut Output| {
            done.read += self.valid_len(&src[done.read..]);
            true
        };
        let done = Repair { read: at, ..Repair::default() };
        let out = in_turn(src, Output::new(&mut []), done, true, kernel, |read, _| scalar::check_wtf8(src, read));
        outcome(out, |at| scalar::wtf8_error_at(src, at)).error().map_or(Ok(()), Err)
    }

    /// The length of the text before the first error of UTF-8.
    #[inline(always)]
    pub(super) fn valid_len(self, src: &[u8]) -> usize {
        match self.validate_utf8(src) {
            Ok(()) => src.len(),
            Err(error) => error.valid_up_to(),
        }
    }

    fn wtf8_to_utf8_lossy_bytes(self, src: &[u8], dst: &mut Output) -> LossyConversion {
        let kernel = |done: &mut Repair, dst: &mut Output| {
            // Nothing becomes shorter, so no more than this can matter.
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let rest = &rest[..rest.len().min(room.len())];
            let fits = scalar::copy_valid(rest, self.valid_len(rest), room);
            done.add(Repair { read: fits, written: fits, replacements: 0 });
            true
        };
        let plain = |read, dst: &mut Output| scalar::wtf8_to_utf8_lossy(src, dst, read);
        in_turn(src, dst, Repair::default(), false, kernel, plain).0.outcome(src.len())
    }

    #[inline(always)]
    fn wtf8_len_from_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        // As many as with U+FFFD in place of surrogates.
        self.utf8_len_from_utf16_bytes_lossy(order, &src[..src.len() / 2 * 2])
    }
}

/// Why `src` is not UTF-8 at `at`.
#[cold]
#[inline(never)]
fn not_utf8(src: &[u8], at: usize) -> ToUtf8Error<Wtf8Error> {
    match scalar::surrogate(src, at) {
        Some(surrogate) => ToUtf8Error::Surrogate(SurrogateError::new(at, surrogate)),
        None => ToUtf8Error::IllFormed(scalar::wtf8_error_at(src, at)),
    }
}

/// If there is a high surrogate right before `at` and a low one right after it, turns them into the character that they encode.
#[cfg(feature = "alloc")]
fn join(dst: &mut Vec<u8>, at: usize) -> bool {
    if at == dst.len() || !scalar::ends_with_high(dst, at) {
        return false;
    }
    let (Some(high), Some(low @ 0xDC00..)) = (scalar::surrogate(dst, at - 3), scalar::surrogate(dst, at)) else {
        return false;
    };
    let mut bytes = [0; 4];
    char::from_u32(scalar::pair(high, low)).unwrap_or_default().encode_utf8(&mut bytes);
    dst[at - 3..at + 1].copy_from_slice(&bytes);
    dst.drain(at + 1..at + 3);
    true
}

/// Does so where what has been appended starts.
#[cfg(feature = "alloc")]
fn join_appended<E>(dst: &mut Vec<u8>, out: Conversion<E>) -> Conversion<E> {
    let joined = join(dst, dst.len() - out.written);
    Conversion { written: out.written - if joined { 2 } else { 0 }, ..out }
}

/// Appends WTF-8 to WTF-8. A high surrogate at the end of `dst` and a low one at the start of `src` become one sequence of four
/// bytes.
///
/// Both must be well-formed, or the result is not. (This looks only at the place where they meet.)
///
/// ```
/// let mut dst = b"a\xED\xA0\xBD".to_vec();
/// fastutf::wtf8::append(b"\xED\xB8\x80b", &mut dst);
/// assert_eq!(dst, "a😀b".as_bytes());
/// ```
#[cfg(feature = "alloc")]
pub fn append(src: &[u8], dst: &mut Vec<u8>) {
    let at = dst.len();
    dst.extend_from_slice(src);
    join(dst, at);
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
    /// The first surrogate or ill-formed sequence, whichever comes first.
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
    #[must_use]
    "alloc" fn from_wtf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
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
    #[must_use]
    "alloc" fn string_from_wtf8_lossy(isa, src: Vec<u8>) -> String {
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
}

in_orders! { in "fastutf::wtf8";
    /// Returns the number of bytes of WTF-8 that this UTF-16 converts to. In bytes, an odd last one is not counted.
    #[must_use]
    |isa, order, src| -> usize { isa.wtf8_len_from_utf16_bytes(order, src) }
    unpaired " == 1 + 3";
    { utf16: wtf8_len_from_utf16; utf16le: wtf8_len_from_utf16le; utf16be: wtf8_len_from_utf16be; }
}

infallible! { in "fastutf::wtf8";
    short utf16_bytes_to_wtf8, unpaired;
    length(isa, order, src): max src.len() / 2 * 3, count isa.wtf8_len_from_utf16_bytes(order, src);
    {
        /// Three bytes for each code unit are always enough; [`wtf8_len_from_utf16`](fn@wtf8_len_from_utf16) returns the exact
        /// number.
        utf16 => wtf8 [ByteOrder::NATIVE] joined by join_appended:
            utf16_to_wtf8, utf16_to_wtf8_uninit, utf16_to_wtf8_append, wtf8_from_utf16;
    }
}

strict! { in "fastutf::wtf8";
    short any_utf16_bytes_to_wtf8 -> Utf16Error, unpaired;
    length(isa, order, src): max src.len() / 2 * 3, count isa.wtf8_len_from_utf16_bytes(order, src);
    {
        /// Only an odd last byte is an error. Three bytes for each code unit are always enough;
        /// [`wtf8_len_from_utf16le`](fn@wtf8_len_from_utf16le) returns the exact number.
        utf16le => wtf8 [ByteOrder::Little] joined by join_appended:
            utf16le_to_wtf8, utf16le_to_wtf8_uninit, utf16le_to_wtf8_append, wtf8_from_utf16le;
        /// Only an odd last byte is an error. Three bytes for each code unit are always enough;
        /// [`wtf8_len_from_utf16be`](fn@wtf8_len_from_utf16be) returns the exact number.
        utf16be => wtf8 [ByteOrder::Big] joined by join_appended:
            utf16be_to_wtf8, utf16be_to_wtf8_uninit, utf16be_to_wtf8_append, wtf8_from_utf16be;
    }

    short wtf8_to_utf16_bytes -> Wtf8Error, unpaired;
    length(isa, order, src): max src.len(), count isa.utf16_len_from_utf8(src).min(src.len());
    {
        /// As many code units as `src` has bytes are always enough; [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8) returns
        /// the exact number.
        wtf8 => utf16 [ByteOrder::NATIVE]: wtf8_to_utf16, wtf8_to_utf16_uninit, wtf8_to_utf16_append, utf16_from_wtf8;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8). `dst` may have any alignment; an odd last byte of it is not used.
        wtf8 => utf16le [ByteOrder::Little]: wtf8_to_utf16le, wtf8_to_utf16le_uninit, wtf8_to_utf16le_append, utf16le_from_wtf8;
        /// Twice the length of `src` is always enough; the exact number of bytes is twice
        /// [`utf16_len_from_wtf8`](fn@utf16_len_from_wtf8). `dst` may have any alignment; an odd last byte of it is not used.
        wtf8 => utf16be [ByteOrder::Big]: wtf8_to_utf16be, wtf8_to_utf16be_uninit, wtf8_to_utf16be_append, utf16be_from_wtf8;
    }
}

lossy! { in "fastutf::wtf8";
    wtf8_to_utf8_lossy_bytes, "U+FFFD for each surrogate, and for each ill-formed sequence (a maximal subpart)";
    // Only ill-formed sequences become longer.
    length(isa, order, src): max src.len().saturating_mul(3), count src.len(), exact src.len().saturating_mul(3);
    {
        /// As many bytes as `src` has are exactly right for WTF-8; three times as many are always enough.
        wtf8 => utf8 []: wtf8_to_utf8_lossy, wtf8_to_utf8_lossy_uninit, wtf8_to_utf8_lossy_append;
    }
}
