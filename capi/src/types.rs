//! What functions return, and encodings: all that C knows of each.

use core::convert::Infallible;
use core::ffi::{CStr, c_char};

use crate::memory::by_itself;
use utf::latin1::ToLatin1Error;
use utf::stream::{Encoding, StreamError, StreamErrorKind};
use utf::utf32::{Utf32Error, Utf32ErrorKind};
use utf::wtf8::Wtf8ErrorKind;
use utf::{Conversion, LossyConversion, Stop, Utf8Error, Utf8ErrorKind, Utf16Error, Utf16ErrorKind, Width};

/// The version of this header. `fastutf_version` returns that of the library.
pub const FASTUTF_VERSION_MAJOR: u32 = 0;
/// The second number of the version.
pub const FASTUTF_VERSION_MINOR: u32 = 1;
/// The third number of the version.
pub const FASTUTF_VERSION_PATCH: u32 = 0;

/// What functions that return a number return for bad arguments. No text is so long.
pub const FASTUTF_NO_LENGTH: usize = usize::MAX;

/// How a call went. From 16 on, an argument was bad, and nothing was done.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_status {
    /// All of the input is well-formed and, for a conversion, was converted.
    FASTUTF_OK = 0,
    /// The next character does not fit into the rest of the output. Continue from `read` with more room.
    FASTUTF_OUTPUT_FULL = 1,
    /// The input is ill-formed, or has a character that the output's encoding does not have: see `error`.
    FASTUTF_INVALID = 2,
    /// A null pointer with a length that is not 0, or instead of a state.
    FASTUTF_NULL = 16,
    /// A length that no buffer can have, such as a negative number that became a `size_t`.
    FASTUTF_BAD_LENGTH = 17,
    /// A `uint16_t *` with an odd address, a `uint32_t *` whose address is not a multiple of 4, or a state that is not aligned.
    FASTUTF_UNALIGNED = 18,
    /// Input and output overlap.
    FASTUTF_OVERLAP = 19,
    /// No `fastutf_isa`, or one that this CPU does not have.
    FASTUTF_BAD_ISA = 20,
    /// No `fastutf_encoding`, or flags that do not exist or contradict each other.
    FASTUTF_BAD_OPTION = 21,
    /// A state that was not initialised, or is that of something else.
    FASTUTF_BAD_STATE = 22,
    /// Offsets of a column that are negative, run backwards or leave the values, or too few bits for its rows: see the number
    /// of the row.
    FASTUTF_BAD_LAYOUT = 23,
}
pub(crate) use fastutf_status::*;

/// How a text is stored as bytes.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_encoding {
    /// None: not known yet.
    FASTUTF_UNKNOWN = 0,
    /// UTF-8.
    FASTUTF_UTF8 = 1,
    /// UTF-16, the low byte of each code unit first.
    FASTUTF_UTF16LE = 2,
    /// UTF-16, the high byte of each code unit first.
    FASTUTF_UTF16BE = 3,
    /// UTF-16 in the byte order of this machine. Only an argument, never a result.
    FASTUTF_UTF16 = 4,
    /// Latin-1 (ISO 8859-1): U+0000 to U+00FF, each as one byte.
    FASTUTF_LATIN1 = 5,
    /// UTF-32, the low byte of each code unit first.
    FASTUTF_UTF32LE = 6,
    /// UTF-32, the high byte of each code unit first.
    FASTUTF_UTF32BE = 7,
    /// UTF-32 in the byte order of this machine. Only an argument, never a result.
    FASTUTF_UTF32 = 8,
    /// WTF-8: UTF-8 that may also have unpaired surrogates. UTF-16 becomes WTF-8 and UTF-16 again without a loss, however
    /// ill-formed it is.
    FASTUTF_WTF8 = 9,
}
pub(crate) use fastutf_encoding::*;

/// The names of all encodings. Those in the byte order of this machine come after the one with the order in its name.
const KNOWN: [(fastutf_encoding, Encoding); 9] = [
    (FASTUTF_UTF8, Encoding::Utf8),
    (FASTUTF_UTF16LE, Encoding::Utf16Le),
    (FASTUTF_UTF16BE, Encoding::Utf16Be),
    (FASTUTF_UTF16, Encoding::UTF16_NATIVE),
    (FASTUTF_LATIN1, Encoding::Latin1),
    (FASTUTF_UTF32LE, Encoding::Utf32Le),
    (FASTUTF_UTF32BE, Encoding::Utf32Be),
    (FASTUTF_UTF32, if cfg!(target_endian = "big") { Encoding::Utf32Be } else { Encoding::Utf32Le }),
    (FASTUTF_WTF8, Encoding::Wtf8),
];

pub(crate) fn encoding(number: u8) -> Result<Encoding, fastutf_status> {
    let known = KNOWN.iter().find(|(known, _)| *known as u8 == number);
    known.map(|(_, encoding)| *encoding).ok_or(FASTUTF_BAD_OPTION)
}

impl From<Encoding> for fastutf_encoding {
    fn from(encoding: Encoding) -> Self {
        let known = KNOWN.into_iter().find(|(_, known)| *known == encoding);
        known.map_or(FASTUTF_UNKNOWN, |(known, _)| known)
    }
}

/// What is wrong with the input.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_error {
    /// Nothing.
    FASTUTF_NO_ERROR = 0,
    /// UTF-8 that ends inside a sequence that more bytes could complete.
    FASTUTF_UTF8_INCOMPLETE = 1,
    /// A lead byte followed by fewer continuation bytes than it requires.
    FASTUTF_UTF8_MISSING_CONTINUATION = 2,
    /// A continuation byte (80 to BF) where a character must start.
    FASTUTF_UTF8_STRAY_CONTINUATION = 3,
    /// A sequence that is longer than necessary for its character.
    FASTUTF_UTF8_OVERLONG = 4,
    /// A surrogate, U+D800 to U+DFFF, in UTF-8.
    FASTUTF_UTF8_SURROGATE = 5,
    /// A value above U+10FFFF.
    FASTUTF_UTF8_ABOVE_MAX = 6,
    /// F8 to FD: the lead byte of a 5- or 6-byte sequence, which RFC 2279 allowed.
    FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM = 7,
    /// FE or FF, which no version of UTF-8 uses.
    FASTUTF_UTF8_INVALID_LEAD = 8,
    /// A low surrogate right after a high one, each as three bytes, in WTF-8, where they have to be one sequence. (Its other
    /// errors are those of UTF-8.)
    FASTUTF_WTF8_SURROGATE_PAIR = 16,
    /// A byte 00 in modified UTF-8, where U+0000 is C0 80. (Its other errors are those of UTF-8.)
    FASTUTF_MUTF8_NUL = 17,
    /// F0 to F7 in modified UTF-8: the lead byte of a sequence of four bytes, where two surrogates have to be.
    FASTUTF_MUTF8_FOUR_BYTE_FORM = 18,
    /// A high surrogate that is not followed by a low one.
    FASTUTF_UTF16_UNPAIRED_HIGH_SURROGATE = 32,
    /// A low surrogate that does not follow a high one.
    FASTUTF_UTF16_UNPAIRED_LOW_SURROGATE = 33,
    /// UTF-16 that ends after a high surrogate, or after a high surrogate and one more byte.
    FASTUTF_UTF16_TRAILING_HIGH_SURROGATE = 34,
    /// UTF-16 that ends with half a code unit.
    FASTUTF_UTF16_TRAILING_BYTE = 35,
    /// A character above U+00FF, where Latin-1 is wanted.
    FASTUTF_NOT_LATIN1 = 64,
    /// An unpaired surrogate, in a text that may have them, where the output may not.
    FASTUTF_UNPAIRED_SURROGATE = 65,
    /// A surrogate in UTF-32.
    FASTUTF_UTF32_SURROGATE = 96,
    /// A number above 10FFFF in UTF-32.
    FASTUTF_UTF32_ABOVE_MAX = 97,
    /// UTF-32 that ends with one to three bytes of a code unit.
    FASTUTF_UTF32_TRAILING_BYTES = 98,
    /// An error that this header does not know yet.
    FASTUTF_OTHER_ERROR = 255,
}
use fastutf_error::*;

/// Whether a text is well-formed and, if not, where and why. Returned in two registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_check {
    /// How much is well-formed, in units of the input: all of it, or what is before the error.
    pub position: usize,
    /// `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How far to skip, in units of the input, to resume after the error; 0 if the input ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

/// How far a conversion got, and why it stopped. If the status is `FASTUTF_INVALID`, the error is at `read`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_conversion {
    /// How much of the input was converted, in its units.
    pub read: usize,
    /// How much was written to the output, in its units.
    pub written: usize,
    /// How many replacement characters that has; 0 if nothing is replaced.
    pub replacements: usize,
    /// `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How far to skip, in units of the input, to resume after the error; 0 if the input ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

/// The narrowest form that holds a text. A text of two parts has the greater width.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum fastutf_width {
    /// Not known, after an error.
    FASTUTF_WIDTH_UNKNOWN = 0,
    /// All characters are up to U+007F.
    FASTUTF_WIDTH_ASCII = 1,
    /// The greatest character is from U+0080 to U+00FF: a byte for each, as in Latin-1.
    FASTUTF_WIDTH_LATIN1 = 2,
    /// The greatest character is from U+0100 to U+FFFF: a code unit of UTF-16 for each.
    FASTUTF_WIDTH_BMP = 3,
    /// There are characters above U+FFFF.
    FASTUTF_WIDTH_FULL = 4,
}
use fastutf_width::*;

/// What one pass over UTF-8 or UTF-16 finds out.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_info {
    /// The number of characters; 0 after an error.
    pub chars: usize,
    /// The number of code units in UTF-16; 0 after an error.
    pub utf16_length: usize,
    /// Whether it is well-formed and, if not, where and why.
    pub check: fastutf_check,
    /// Whether all of it is ASCII.
    pub ascii: bool,
    /// The narrowest form that holds it.
    pub width: fastutf_width,
}

/// Whether a stream is well-formed so far and, if not, where and why. Returned in two registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_stream_check {
    /// How many bytes of the stream have been pushed; after an error, its offset from the start of the stream.
    pub position: u64,
    /// `FASTUTF_OK`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How many bytes to skip to resume after the error; 0 if the stream ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

/// How far the conversion of a chunk got, and why it stopped.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fastutf_stream_conversion {
    /// How many bytes of the chunk were read. Up to 3 of them may be kept for the next chunk.
    pub read: usize,
    /// How many bytes were written.
    pub written: usize,
    /// How many bytes of the stream have been read; after an error, its offset from the start of the stream.
    pub position: u64,
    /// `FASTUTF_OK`, `FASTUTF_OUTPUT_FULL`, `FASTUTF_INVALID` or, from 16 on, a bad argument.
    pub status: fastutf_status,
    /// What is wrong, with `FASTUTF_INVALID`.
    pub error: fastutf_error,
    /// How many bytes to skip to resume after the error; 0 if the stream ends inside a character.
    pub error_length: u8,
    /// 0.
    pub reserved: [u8; 5],
}

/// An error of the library: where it is, how long it is, and what it is.
pub(crate) trait Described {
    fn described(&self) -> (u64, Option<usize>, fastutf_error);
}

impl Described for Infallible {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        match *self {}
    }
}

impl Described for Utf8Error {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        (self.valid_up_to() as u64, self.error_len(), self.kind().into())
    }
}

impl Described for Utf16Error {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        (self.valid_up_to() as u64, self.error_len(), self.kind().into())
    }
}

impl Described for Utf32Error {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        (self.valid_up_to() as u64, self.error_len(), self.kind().into())
    }
}

impl<E: Described> Described for ToLatin1Error<E> {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        match self {
            Self::NotLatin1(error) => (error.valid_up_to() as u64, Some(error.error_len()), FASTUTF_NOT_LATIN1),
            Self::IllFormed(error) => error.described(),
        }
    }
}

impl Described for StreamError {
    fn described(&self) -> (u64, Option<usize>, fastutf_error) {
        let error = match self.kind() {
            StreamErrorKind::Utf8(kind) => kind.into(),
            StreamErrorKind::Utf16(kind) => kind.into(),
            StreamErrorKind::NotLatin1(_) => FASTUTF_NOT_LATIN1,
            StreamErrorKind::Utf32(kind) => kind.into(),
            StreamErrorKind::Wtf8(kind) => kind.into(),
            StreamErrorKind::Surrogate(_) => FASTUTF_UNPAIRED_SURROGATE,
            _ => FASTUTF_OTHER_ERROR,
        };
        (self.offset(), self.error_len(), error)
    }
}

impl From<Utf8ErrorKind> for fastutf_error {
    fn from(kind: Utf8ErrorKind) -> Self {
        match kind {
            Utf8ErrorKind::Incomplete => FASTUTF_UTF8_INCOMPLETE,
            Utf8ErrorKind::MissingContinuation => FASTUTF_UTF8_MISSING_CONTINUATION,
            Utf8ErrorKind::StrayContinuation => FASTUTF_UTF8_STRAY_CONTINUATION,
            Utf8ErrorKind::Overlong => FASTUTF_UTF8_OVERLONG,
            Utf8ErrorKind::Surrogate => FASTUTF_UTF8_SURROGATE,
            Utf8ErrorKind::AboveMax => FASTUTF_UTF8_ABOVE_MAX,
            Utf8ErrorKind::FiveOrSixByteForm => FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM,
            Utf8ErrorKind::InvalidLead => FASTUTF_UTF8_INVALID_LEAD,
            _ => FASTUTF_OTHER_ERROR,
        }
    }
}

impl From<Utf16ErrorKind> for fastutf_error {
    fn from(kind: Utf16ErrorKind) -> Self {
        match kind {
            Utf16ErrorKind::UnpairedHighSurrogate => FASTUTF_UTF16_UNPAIRED_HIGH_SURROGATE,
            Utf16ErrorKind::UnpairedLowSurrogate => FASTUTF_UTF16_UNPAIRED_LOW_SURROGATE,
            Utf16ErrorKind::TrailingHighSurrogate => FASTUTF_UTF16_TRAILING_HIGH_SURROGATE,
            Utf16ErrorKind::TrailingByte => FASTUTF_UTF16_TRAILING_BYTE,
            _ => FASTUTF_OTHER_ERROR,
        }
    }
}

impl From<Utf32ErrorKind> for fastutf_error {
    fn from(kind: Utf32ErrorKind) -> Self {
        match kind {
            Utf32ErrorKind::Surrogate => FASTUTF_UTF32_SURROGATE,
            Utf32ErrorKind::AboveMax => FASTUTF_UTF32_ABOVE_MAX,
            Utf32ErrorKind::TrailingBytes => FASTUTF_UTF32_TRAILING_BYTES,
            _ => FASTUTF_OTHER_ERROR,
        }
    }
}

impl From<Wtf8ErrorKind> for fastutf_error {
    fn from(kind: Wtf8ErrorKind) -> Self {
        match kind {
            Wtf8ErrorKind::Incomplete => FASTUTF_UTF8_INCOMPLETE,
            Wtf8ErrorKind::MissingContinuation => FASTUTF_UTF8_MISSING_CONTINUATION,
            Wtf8ErrorKind::StrayContinuation => FASTUTF_UTF8_STRAY_CONTINUATION,
            Wtf8ErrorKind::Overlong => FASTUTF_UTF8_OVERLONG,
            Wtf8ErrorKind::SurrogatePair => FASTUTF_WTF8_SURROGATE_PAIR,
            Wtf8ErrorKind::AboveMax => FASTUTF_UTF8_ABOVE_MAX,
            Wtf8ErrorKind::FiveOrSixByteForm => FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM,
            Wtf8ErrorKind::InvalidLead => FASTUTF_UTF8_INVALID_LEAD,
            _ => FASTUTF_OTHER_ERROR,
        }
    }
}

/// The last fields of a result.
fn outcome<E: Described>(stop: &Stop<E>) -> (fastutf_status, fastutf_error, u8) {
    match stop {
        Stop::Complete => (FASTUTF_OK, FASTUTF_NO_ERROR, 0),
        Stop::OutputFull => (FASTUTF_OUTPUT_FULL, FASTUTF_NO_ERROR, 0),
        Stop::Invalid(error) => {
            let (_, length, error) = error.described();
            (FASTUTF_INVALID, error, length.unwrap_or(0) as u8)
        }
    }
}

impl fastutf_check {
    /// The outcome for a text of `len` units.
    #[inline(always)]
    pub(crate) fn of<E: Described>(len: usize, result: Result<(), E>) -> Self {
        // `extern "C"` returns this type in registers; Rust's own functions do not.
        #[cold]
        #[inline(never)]
        #[allow(improper_ctypes_definitions)]
        extern "C" fn invalid<E: Described>(error: E) -> fastutf_check {
            let (position, length, error) = error.described();
            let error_length = length.unwrap_or(0) as u8;
            fastutf_check { position: position as usize, error, error_length, ..FASTUTF_INVALID.into() }
        }
        match result {
            Ok(()) => Self { position: len, ..FASTUTF_OK.into() },
            Err(error) => invalid(error),
        }
    }
}

impl fastutf_check {
    /// The outcome for a text of `len` code units of this size, of which the library says in bytes what is wrong.
    #[inline(always)]
    pub(crate) fn of_units<E: Described>(len: usize, size: usize, result: Result<(), E>) -> Self {
        let check = Self::of(len, result);
        if check.status == FASTUTF_OK {
            return check;
        }
        Self { position: check.position / size, error_length: check.error_length / size as u8, ..check }
    }
}

impl From<fastutf_status> for fastutf_check {
    #[inline(always)]
    fn from(status: fastutf_status) -> Self {
        Self { position: 0, status, error: FASTUTF_NO_ERROR, error_length: 0, reserved: [0; 5] }
    }
}

impl fastutf_conversion {
    /// The outcome, if the library counts this many for each unit of the input and of the output.
    #[inline(always)]
    pub(crate) fn of<E: Described>(out: Conversion<E>, in_input: usize, in_output: usize) -> Self {
        #[cold]
        #[inline(never)]
        fn incomplete<E: Described>(out: Conversion<E>, in_input: usize, in_output: usize) -> fastutf_conversion {
            let (status, error, error_length) = outcome(&out.stop);
            fastutf_conversion {
                read: out.read / in_input,
                written: out.written / in_output,
                error,
                error_length: error_length / in_input as u8,
                ..status.into()
            }
        }
        if !matches!(out.stop, Stop::Complete) {
            return incomplete(out, in_input, in_output);
        }
        let (read, written) = (by_itself(&out.read) / in_input, by_itself(&out.written) / in_output);
        Self { read, written, ..FASTUTF_OK.into() }
    }
}

impl<E: Described> From<Conversion<E>> for fastutf_conversion {
    #[inline(always)]
    fn from(out: Conversion<E>) -> Self {
        Self::of(out, 1, 1)
    }
}

impl From<LossyConversion> for fastutf_conversion {
    #[inline(always)]
    fn from(out: LossyConversion) -> Self {
        let status = if out.is_complete() { FASTUTF_OK } else { FASTUTF_OUTPUT_FULL };
        Self {
            read: by_itself(&out.read),
            written: by_itself(&out.written),
            replacements: out.replacements,
            ..status.into()
        }
    }
}

impl From<fastutf_status> for fastutf_conversion {
    #[inline(always)]
    fn from(status: fastutf_status) -> Self {
        Self {
            read: 0,
            written: 0,
            replacements: 0,
            status,
            error: FASTUTF_NO_ERROR,
            error_length: 0,
            reserved: [0; 5],
        }
    }
}

impl fastutf_info {
    /// The outcome for a text of `len` units, with its lengths in characters and in UTF-16.
    pub(crate) fn of<E: Described>(len: usize, result: Result<(usize, usize, Width), E>) -> Self {
        match result {
            Ok((chars, utf16_length, width)) => Self {
                chars,
                utf16_length,
                check: fastutf_check::of(len, Ok::<_, Infallible>(())),
                ascii: width == Width::Ascii,
                width: match width {
                    Width::Ascii => FASTUTF_WIDTH_ASCII,
                    Width::Latin1 => FASTUTF_WIDTH_LATIN1,
                    Width::Bmp => FASTUTF_WIDTH_BMP,
                    Width::Full => FASTUTF_WIDTH_FULL,
                },
            },
            Err(error) => Self { check: fastutf_check::of(len, Err(error)), ..FASTUTF_INVALID.into() },
        }
    }
}

impl From<fastutf_status> for fastutf_info {
    fn from(status: fastutf_status) -> Self {
        Self { chars: 0, utf16_length: 0, check: status.into(), ascii: false, width: FASTUTF_WIDTH_UNKNOWN }
    }
}

impl fastutf_stream_check {
    /// The outcome when `offset` bytes have been pushed.
    pub(crate) fn of((result, offset): (Result<(), StreamError>, u64)) -> Self {
        let (status, error, error_length) = match &result {
            Ok(()) => outcome::<Infallible>(&Stop::Complete),
            Err(error) => outcome(&Stop::Invalid(*error)),
        };
        let position = result.map_or_else(|error| error.offset(), |()| offset);
        Self { position, status, error, error_length, reserved: [0; 5] }
    }
}

impl From<fastutf_status> for fastutf_stream_check {
    fn from(status: fastutf_status) -> Self {
        Self { position: 0, status, error: FASTUTF_NO_ERROR, error_length: 0, reserved: [0; 5] }
    }
}

impl fastutf_stream_conversion {
    /// The outcome when `position` bytes of the stream have been read, or of an error there.
    pub(crate) fn of((out, position): (Conversion<StreamError>, u64)) -> Self {
        let (status, error, error_length) = outcome(&out.stop);
        Self { read: out.read, written: out.written, position, status, error, error_length, reserved: [0; 5] }
    }
}

impl From<fastutf_status> for fastutf_stream_conversion {
    fn from(status: fastutf_status) -> Self {
        Self {
            read: 0,
            written: 0,
            position: 0,
            status,
            error: FASTUTF_NO_ERROR,
            error_length: 0,
            reserved: [0; 5],
        }
    }
}

/// Returns the version of the library, such as "1.2.3".
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => unreachable!(),
    };
    VERSION.as_ptr()
}

/// Returns a short description of a `fastutf_error` in English; "unknown error" if there is no such error.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_error_text(error: u8) -> *const c_char {
    const TEXTS: [(fastutf_error, &CStr); 21] = [
        (FASTUTF_NO_ERROR, c"no error"),
        (FASTUTF_UTF8_INCOMPLETE, c"incomplete sequence at end of input"),
        (FASTUTF_UTF8_MISSING_CONTINUATION, c"missing continuation byte"),
        (FASTUTF_UTF8_STRAY_CONTINUATION, c"stray continuation byte"),
        (FASTUTF_UTF8_OVERLONG, c"overlong encoding"),
        (FASTUTF_UTF8_SURROGATE, c"encoded surrogate"),
        (FASTUTF_UTF8_ABOVE_MAX, c"value above U+10FFFF"),
        (FASTUTF_UTF8_FIVE_OR_SIX_BYTE_FORM, c"obsolete 5- or 6-byte sequence"),
        (FASTUTF_UTF8_INVALID_LEAD, c"invalid lead byte"),
        (FASTUTF_UTF16_UNPAIRED_HIGH_SURROGATE, c"unpaired high surrogate"),
        (FASTUTF_UTF16_UNPAIRED_LOW_SURROGATE, c"unpaired low surrogate"),
        (FASTUTF_UTF16_TRAILING_HIGH_SURROGATE, c"high surrogate at end of input"),
        (FASTUTF_UTF16_TRAILING_BYTE, c"incomplete code unit at end of input"),
        (FASTUTF_WTF8_SURROGATE_PAIR, c"surrogate pair as two sequences"),
        (FASTUTF_MUTF8_NUL, c"NUL as one byte"),
        (FASTUTF_MUTF8_FOUR_BYTE_FORM, c"sequence of 4 bytes"),
        (FASTUTF_NOT_LATIN1, c"character that is not in Latin-1"),
        (FASTUTF_UNPAIRED_SURROGATE, c"unpaired surrogate"),
        (FASTUTF_UTF32_SURROGATE, c"surrogate"),
        (FASTUTF_UTF32_ABOVE_MAX, c"code point above U+10FFFF"),
        (FASTUTF_UTF32_TRAILING_BYTES, c"incomplete code unit at end of input"),
    ];
    text(error, &TEXTS.map(|(error, text)| (error as u8, text)), c"unknown error")
}

/// Returns a short description of a `fastutf_status` in English; "unknown status" if there is no such status.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_status_text(status: u8) -> *const c_char {
    const TEXTS: [(fastutf_status, &CStr); 11] = [
        (FASTUTF_OK, c"ok"),
        (FASTUTF_OUTPUT_FULL, c"output full"),
        (FASTUTF_INVALID, c"invalid input"),
        (FASTUTF_NULL, c"null pointer"),
        (FASTUTF_BAD_LENGTH, c"length of no buffer"),
        (FASTUTF_UNALIGNED, c"unaligned pointer"),
        (FASTUTF_OVERLAP, c"input and output overlap"),
        (FASTUTF_BAD_ISA, c"no such instruction set"),
        (FASTUTF_BAD_OPTION, c"no such encoding or flags"),
        (FASTUTF_BAD_STATE, c"not an initialised state"),
        (FASTUTF_BAD_LAYOUT, c"invalid column layout"),
    ];
    text(status, &TEXTS.map(|(status, text)| (status as u8, text)), c"unknown status")
}

fn text(code: u8, texts: &[(u8, &'static CStr)], otherwise: &'static CStr) -> *const c_char {
    for (known, text) in texts {
        if *known == code {
            return text.as_ptr();
        }
    }
    otherwise.as_ptr()
}
