//! The operations on UTF-32.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "latin1")]
use core::convert::Infallible;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::api::into_vec;
use crate::api::large_input;
use crate::buffer::{
    as_bytes, as_bytes_32, as_bytes_mut, as_bytes_mut_32, as_uninit, chars_as_units, units_as_chars,
};
use crate::conversion::{Conversion, LossyConversion, Stop};
use crate::endian::ByteOrder;
use crate::error::{Utf8Error, Utf16Error};
use crate::isa::Isa;
#[cfg(feature = "latin1")]
use crate::latin1::ToLatin1Error;
use crate::replacement::Repair;
use crate::scalar;
use crate::utf32::Utf32Error;

/// Turns what was read and written from bytes into units of these sizes. If the conversion is complete, what was read is
/// known without waiting for numbers that have just been stored.
#[inline(always)]
fn in_units<E: Copy>(
    out: Conversion<E>,
    src: usize,
    (read, written): (usize, usize),
    relocate: impl FnOnce(E) -> E,
) -> Conversion<E> {
    if out.is_complete() {
        return Conversion { read: src, written: out.written / written, stop: Stop::Complete };
    }
    let out = out.after(0, 0, relocate);
    Conversion { read: out.read / read, written: out.written / written, ..out }
}

/// The same of a lossy conversion.
fn lossy_in_units(out: LossyConversion, (read, written): (usize, usize)) -> LossyConversion {
    LossyConversion { read: out.read / read, written: out.written / written, ..out }
}

/// Nothing is to be changed of an error.
#[inline(always)]
fn unchanged<E>(error: E) -> E {
    error
}

/// How far a strict conversion got, and whether it has stopped at an error.
#[inline(always)]
fn progress<E>(out: Conversion<E>) -> (Repair, bool) {
    (Repair { read: out.read, written: out.written, replacements: 0 }, matches!(out.stop, Stop::Invalid(_)))
}

/// A step of a lossy conversion: from the rest of the text to the rest of the room.
type Step<'a, R> = dyn Fn(&[u8], &mut [MaybeUninit<u8>]) -> R + 'a;

/// Continues a lossy conversion from `done`, where there is an error: goes back and forth between plain Rust and the kernel,
/// which stops at what is to be replaced.
#[cold]
#[inline(never)]
fn go_on(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Repair,
    replace: &Step<'_, Repair>,
    convert: &Step<'_, (Repair, bool)>,
) -> LossyConversion {
    loop {
        let replaced = replace(&src[done.read..], &mut dst[done.written..]);
        done.add(replaced);
        if replaced.read == 0 {
            break;
        }
        let (converted, invalid) = convert(&src[done.read..], &mut dst[done.written..]);
        done.add(converted);
        if !invalid {
            break;
        }
    }
    done.outcome(src.len())
}

/// How many bytes of UTF-8 go by way of UTF-16 at a time: what they become fits into the first cache of any CPU.
const PIECE: usize = 2048;

/// Less of UTF-8 is faster in plain Rust.
const SHORT: usize = 24;
/// Fewer code units of UTF-32 are.
const FEW: usize = 12;

/// The start of `text`, at most `max` bytes, without the character that is cut at its end, if there is one.
#[inline(always)]
fn whole_chars(text: &[u8], max: usize) -> &[u8] {
    if text.len() <= max {
        return text;
    }
    let piece = &text[..max];
    &piece[..max - scalar::incomplete_utf8(piece)]
}

/// A conversion in either byte order, strict by `$kernel` and lossy with `scalar::$replace`.
macro_rules! conversion {
    ($(#[$attribute:meta])* $strict:ident, $lossy:ident, $kernel:ident, $error:ty, $replace:ident $(, $replacement:ident)?) => {
        $(#[$attribute])*
        #[inline(always)]
        pub(crate) fn $strict(
            self,
            order: ByteOrder,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
        ) -> Conversion<$error> {
            dispatch!(self, $kernel[const order](src, dst))
        }

        conversion!($(#[$attribute])* $strict, $lossy, $replace $(, $replacement)?);
    };
    ($(#[$attribute:meta])* $strict:ident, $lossy:ident, $replace:ident $(, $replacement:ident)?) => {
        $(#[$attribute])*
        #[inline(always)]
        pub(crate) fn $lossy(
            self,
            order: ByteOrder,
            src: &[u8],
            $($replacement: u8,)?
            dst: &mut [MaybeUninit<u8>],
        ) -> LossyConversion {
            let (done, invalid) = progress(self.$strict(order, src, dst));
            if !invalid {
                return done.outcome(src.len());
            }
            go_on(
                src,
                dst,
                done,
                &|src, dst| scalar::$replace(order, src, $($replacement,)? dst),
                &|src, dst| progress(self.$strict(order, src, dst)),
            )
        }
    };
}

/// What several public operations share, for either byte order. Offsets and lengths are in bytes.
impl Isa {
    conversion!(utf8_to_utf32_bytes, utf8_to_utf32_bytes_lossy, replace_utf8_to_utf32);
    conversion!(
        utf16_to_utf32_bytes,
        utf16_to_utf32_bytes_lossy,
        utf16_to_utf32,
        Utf16Error,
        replace_utf16_to_utf32
    );
    conversion!(utf32_bytes_to_utf8, utf32_bytes_to_utf8_lossy, replace_utf32_to_utf8);
    conversion!(
        utf32_bytes_to_utf16,
        utf32_bytes_to_utf16_lossy,
        utf32_to_utf16,
        Utf32Error,
        replace_utf32_to_utf16
    );
    conversion!(
        #[cfg(feature = "latin1")]
        utf32_bytes_to_latin1,
        utf32_bytes_to_latin1_lossy,
        replace_utf32_to_latin1,
        replacement
    );

    #[inline(always)]
    pub(crate) fn utf8_to_utf32_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<Utf8Error> {
        let ascii = self.ascii_to_utf32_bytes(order, src, dst);
        if ascii == src.len() {
            return Conversion { read: ascii, written: 4 * ascii, stop: Stop::Complete };
        }
        self.utf8_to_utf32_in_pieces(order, src, dst, ascii)
    }

    #[inline(always)]
    fn ascii_to_utf32_bytes(self, order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        dispatch!(self, ascii_to_utf32[const order](src, dst))
    }

    /// Converts by way of UTF-16, after `ascii` bytes have been converted.
    #[inline(never)]
    fn utf8_to_utf32_in_pieces(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        ascii: usize,
    ) -> Conversion<Utf8Error> {
        let (mut read, mut written) = (ascii, 4 * ascii);
        let mut buffer = [MaybeUninit::uninit(); 2 * PIECE];
        while self != Self::SCALAR && src.len() - read >= SHORT {
            let rest = &src[read..];
            let mut piece = whole_chars(rest, PIECE);
            let room = (dst.len() - written) / 4;
            // No character is shorter than a byte, so most of the time there is no need to count.
            if piece.len() > room && self.count_chars_utf8(piece) > room {
                piece = whole_chars(rest, room);
                if piece.len() < scalar::LONGEST_IN_UTF8 {
                    break;
                }
            }
            let (out, units) = converter!(self.utf8_to_utf16_bytes(order, piece)).run_and_view(&mut buffer);
            let wide = self.utf16_to_utf32_bytes(order, units, &mut dst[written..]);
            debug_assert!(wide.is_complete());
            (read, written) = (read + out.read, written + wide.written);
            if !out.is_complete() {
                break;
            }
            let ascii = self.ascii_to_utf32_bytes(order, &src[read..], &mut dst[written..]);
            (read, written) = (read + ascii, written + 4 * ascii);
        }
        scalar::utf8_to_utf32_from(order, src, dst, read, written)
    }

    #[inline(always)]
    pub(crate) fn utf32_bytes_to_utf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<Utf32Error> {
        let ascii = self.utf32_bytes_to_ascii(order, src, dst);
        if 4 * ascii == src.len() {
            return Conversion { read: 4 * ascii, written: ascii, stop: Stop::Complete };
        }
        self.utf32_to_utf8_in_pieces(order, src, dst, ascii)
    }

    #[inline(always)]
    fn utf32_bytes_to_ascii(self, order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        dispatch!(self, utf32_to_ascii[const order](src, dst))
    }

    /// Converts by way of UTF-16, after `ascii` characters have been converted.
    #[inline(never)]
    fn utf32_to_utf8_in_pieces(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        ascii: usize,
    ) -> Conversion<Utf32Error> {
        let (mut read, mut written) = (4 * ascii, ascii);
        let mut buffer = [MaybeUninit::uninit(); 2 * PIECE];
        while self != Self::SCALAR && src.len() - read >= 4 * FEW {
            let rest = &src[read..];
            let piece = &rest[..rest.len().min(2 * PIECE)];
            let (out, units) = converter!(self.utf32_bytes_to_utf16(order, piece)).run_and_view(&mut buffer);
            let text = self.utf16_bytes_to_utf8(order, units, &mut dst[written..]);
            written += text.written;
            if !text.is_complete() {
                read += 4 * self.count_chars_utf16_bytes(order, &units[..text.read]);
                break;
            }
            read += out.read;
            if !out.is_complete() {
                break;
            }
            let ascii = self.utf32_bytes_to_ascii(order, &src[read..], &mut dst[written..]);
            (read, written) = (read + 4 * ascii, written + ascii);
        }
        scalar::utf32_to_utf8_from(order, src, dst, read, written)
    }

    #[cfg(feature = "latin1")]
    #[inline(always)]
    pub(crate) fn latin1_to_utf32_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<Infallible> {
        let len = dispatch!(self, latin1_to_utf32[const order](src, dst));
        let stop = if len == src.len() { Stop::Complete } else { Stop::OutputFull };
        Conversion { read: len, written: 4 * len, stop }
    }

    #[cfg(feature = "latin1")]
    #[inline(always)]
    pub(crate) fn utf32_bytes_to_latin1(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<ToLatin1Error<Utf32Error>> {
        let len = {
            let dst = &mut *dst;
            dispatch!(self, utf32_to_latin1[const order](src, dst))
        };
        if 4 * len == src.len() {
            return Conversion { read: src.len(), written: len, stop: Stop::Complete };
        }
        scalar::utf32_to_latin1_from(order, src, dst, len)
    }

    #[inline(always)]
    pub(crate) fn validate_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> Result<(), Utf32Error> {
        let at = dispatch!(self, utf32_prefix[const order](src));
        if at == src.len() { Ok(()) } else { utf32_result(order, src, at) }
    }

    #[inline(always)]
    fn utf8_len_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, self, order, Self::utf8_len_from_utf32_bytes);
        }
        dispatch!(self, utf8_len_from_utf32[const order](src))
    }

    #[inline(always)]
    fn utf16_len_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() >= large_input::FROM {
            return large_input::sum(src, self, order, Self::utf16_len_from_utf32_bytes);
        }
        dispatch!(self, utf16_len_from_utf32[const order](src))
    }

    #[cfg(feature = "alloc")]
    fn string_from_utf32_bytes(self, order: ByteOrder, src: &[u8]) -> Result<String, Utf32Error> {
        let count = move || self.utf8_len_from_utf32_bytes(order, src);
        let (bytes, out) = into_vec::collect(src.len(), count, converter!(self.utf32_bytes_to_utf8(order, src)));
        out.appended()?;
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Ok(unsafe { String::from_utf8_unchecked(bytes) })
    }

    #[cfg(feature = "alloc")]
    fn string_from_utf32_bytes_lossy(self, order: ByteOrder, src: &[u8]) -> (String, usize) {
        let count = move || self.utf8_len_from_utf32_bytes(order, src) + trailing(src, 3);
        let convert = converter!(self.utf32_bytes_to_utf8_lossy(order, src));
        let (bytes, out) = into_vec::collect(max_utf8_len(src), count, convert);
        debug_assert!(out.is_complete());
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        (unsafe { String::from_utf8_unchecked(bytes) }, out.replacements)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf8_from_utf32(self, order: ByteOrder, src: &[u8], dst: &mut String) -> Result<usize, Utf32Error> {
        let count = move || self.utf8_len_from_utf32_bytes(order, src);
        // SAFETY: only whole characters of well-formed UTF-8 are appended, and if anything panics, it does so before the
        // length has grown.
        let dst = unsafe { dst.as_mut_vec() };
        into_vec::append(dst, src.len(), count, converter!(self.utf32_bytes_to_utf8(order, src))).appended()
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf8_from_utf32_lossy(self, order: ByteOrder, src: &[u8], dst: &mut String) -> LossyConversion {
        let count = move || self.utf8_len_from_utf32_bytes(order, src) + trailing(src, 3);
        // SAFETY: only whole characters of well-formed UTF-8 are appended, and if anything panics, it does so before the
        // length has grown.
        let dst = unsafe { dst.as_mut_vec() };
        into_vec::append(dst, max_utf8_len(src), count, converter!(self.utf32_bytes_to_utf8_lossy(order, src)))
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf32_from_utf8(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf8Error> {
        let count = move || self.count_chars_utf8(src).saturating_mul(4);
        into_vec::append(dst, src.len().saturating_mul(4), count, converter!(self.utf8_to_utf32_bytes(order, src)))
            .appended()
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf32_from_utf16(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, Utf16Error> {
        let count = move || 4 * self.count_chars_utf16_bytes(order, src);
        into_vec::append(dst, 2 * (src.len() & !1), count, converter!(self.utf16_to_utf32_bytes(order, src)))
            .appended()
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf32_from_utf16_lossy(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        let max = src.len().div_ceil(2).saturating_mul(4);
        into_vec::append(dst, max, || max, converter!(self.utf16_to_utf32_bytes_lossy(order, src)))
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf16_from_utf32(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, Utf32Error> {
        let count = move || 2 * self.utf16_len_from_utf32_bytes(order, src);
        into_vec::append(dst, src.len(), count, converter!(self.utf32_bytes_to_utf16(order, src))).appended()
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf16_from_utf32_lossy(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        let count = move || 2 * (self.utf16_len_from_utf32_bytes(order, src) + trailing(src, 1));
        let max = src.len().next_multiple_of(2);
        into_vec::append(dst, max, count, converter!(self.utf32_bytes_to_utf16_lossy(order, src)))
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn utf32_bytes(self, order: ByteOrder, text: &str) -> Vec<u8> {
        let src = text.as_bytes();
        let count = move || self.count_chars_utf8(src).saturating_mul(4);
        let (bytes, out) = into_vec::collect(
            src.len().saturating_mul(4),
            count,
            converter!(self.utf8_to_utf32_bytes(order, src)),
        );
        debug_assert!(out.is_complete());
        bytes
    }

    #[cfg(all(feature = "latin1", feature = "alloc"))]
    #[inline(always)]
    fn append_utf32_from_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> usize {
        let len = src.len().saturating_mul(4);
        into_vec::append(dst, len, || len, converter!(self.latin1_to_utf32_bytes(order, src))).written
    }

    #[cfg(all(feature = "latin1", feature = "alloc"))]
    #[inline(always)]
    fn append_latin1_from_utf32(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, ToLatin1Error<Utf32Error>> {
        let len = src.len() / 4;
        into_vec::append(dst, len, || len, converter!(self.utf32_bytes_to_latin1(order, src))).appended()
    }

    #[cfg(all(feature = "latin1", feature = "alloc"))]
    #[inline(always)]
    fn append_latin1_from_utf32_lossy(
        self,
        order: ByteOrder,
        src: &[u8],
        replacement: u8,
        dst: &mut Vec<u8>,
    ) -> LossyConversion {
        let len = src.len().div_ceil(4);
        into_vec::append(dst, len, || len, converter!(self.utf32_bytes_to_latin1_lossy(order, src, replacement)))
    }
}

/// The result of validation, where all before `at` is well-formed and perhaps more.
#[cold]
#[inline(never)]
fn utf32_result(order: ByteOrder, src: &[u8], at: usize) -> Result<(), Utf32Error> {
    let at = at + scalar::utf32_prefix(order, &src[at..]);
    match if at == src.len() { None } else { scalar::utf32_error(order, src, at) } {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The maximum length in UTF-8 of this UTF-32 with replacements: 4 bytes for each code unit, and 3 for trailing bytes.
#[cfg(feature = "alloc")]
const fn max_utf8_len(src: &[u8]) -> usize {
    src.len() / 4 * 4 + trailing(src, 3)
}

/// The length of U+FFFD, if there are trailing bytes for it to replace.
const fn trailing(src: &[u8], replacement: usize) -> usize {
    if src.len().is_multiple_of(4) { 0 } else { replacement }
}

/// Views characters as UTF-32, which they are: for conversions from UTF-32.
///
/// ```
/// let mut dst = [0; 8];
/// let out = fastutf::utf32_to_utf16(fastutf::chars_as_utf32(&['z', 'ł']), &mut dst);
/// assert_eq!(dst[..out.written], [0x7A, 0x142]);
/// ```
#[must_use]
pub const fn chars_as_utf32(chars: &[char]) -> &[u32] {
    chars_as_units(chars)
}

operations! {
    /// Checks that `src` is well-formed UTF-32: characters only, no surrogates and nothing above 10FFFF.
    ///
    /// # Errors
    ///
    /// The first ill-formed code unit. Offsets are in code units.
    ///
    /// ```
    /// assert!(fastutf::validate_utf32(&[0x7A, 0x1F600]).is_ok());
    /// assert_eq!(fastutf::validate_utf32(&[0x7A, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    [short] fn validate_utf32(isa, src: &[u32]) -> Result<(), Utf32Error> {
        isa.validate_utf32_bytes(ByteOrder::NATIVE, as_bytes_32(src)).map_err(Utf32Error::in_units)
    }

    /// Checks that `src` is well-formed UTF-32LE: characters only, no surrogates and nothing above 10FFFF, at
    /// any alignment.
    ///
    /// # Errors
    ///
    /// The first ill-formed code unit or, at the end, 1 to 3 bytes that are no code unit. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::validate_utf32le(b"z\0\0\0\0\xF6\x01\0").is_ok());
    /// assert_eq!(fastutf::validate_utf32le(b"z\0\0\0\0\xDC\0\0").unwrap_err().valid_up_to(), 4);
    /// ```
    [short] fn validate_utf32le(isa, src: &[u8]) -> Result<(), Utf32Error> {
        isa.validate_utf32_bytes(ByteOrder::Little, src)
    }

    /// Checks that `src` is well-formed UTF-32BE: characters only, no surrogates and nothing above 10FFFF, at
    /// any alignment.
    ///
    /// # Errors
    ///
    /// The first ill-formed code unit or, at the end, 1 to 3 bytes that are no code unit. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::validate_utf32be(b"\0\0\0z\0\x01\xF6\0").is_ok());
    /// assert_eq!(fastutf::validate_utf32be(b"\0\0\0z\0\0\xDC\0").unwrap_err().valid_up_to(), 4);
    /// ```
    [short] fn validate_utf32be(isa, src: &[u8]) -> Result<(), Utf32Error> {
        isa.validate_utf32_bytes(ByteOrder::Big, src)
    }

    /// Views UTF-32 as characters, without a copy, if it is well-formed.
    ///
    /// # Errors
    ///
    /// As [`validate_utf32`](fn@crate::validate_utf32).
    ///
    /// ```
    /// assert_eq!(fastutf::as_chars(&[0x7A, 0x142]), Ok(&['z', 'ł'][..]));
    /// assert_eq!(fastutf::as_chars(&[0x7A, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    fn as_chars(isa, src: &[u32]) -> Result<&[char], Utf32Error> {
        isa.validate_utf32(src)?;
        // SAFETY: it has just been found well-formed.
        Ok(unsafe { units_as_chars(src) })
    }

    /// Returns the characters of `text`: `text.chars().collect()` with SIMD. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_chars("zł"), ['z', 'ł']);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn to_chars(isa, text: &str) -> Vec<char> {
        let src = text.as_bytes();
        let count = move || isa.count_chars_utf8(src);
        let convert = converter!(chars: isa.utf8_to_utf32_uninit(src));
        let (chars, out) = into_vec::collect(src.len(), count, convert);
        debug_assert!(out.is_complete());
        chars
    }

    /// Returns these characters as text: `chars.iter().collect()` with SIMD. The allocation fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::from_chars(&['z', 'ł']), "zł");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_chars(isa, chars: &[char]) -> String {
        isa.from_utf32(chars_as_units(chars)).unwrap_or_default()
    }

    /// Decodes UTF-32 into a `String`. The allocation fits the text.
    ///
    /// # Errors
    ///
    /// As [`validate_utf32`](fn@crate::validate_utf32), in code units.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32(&[0x7A, 0x142]).as_deref(), Ok("zł"));
    /// assert_eq!(fastutf::from_utf32(&[0x7A, 0xDC00]).unwrap_err().valid_up_to(), 1);
    /// ```
    #[cfg(feature = "alloc")]
    fn from_utf32(isa, src: &[u32]) -> Result<String, Utf32Error> {
        isa.string_from_utf32_bytes(ByteOrder::NATIVE, as_bytes_32(src)).map_err(Utf32Error::in_units)
    }

    /// Decodes UTF-32LE, at any alignment, into a `String`. The allocation fits the text.
    ///
    /// # Errors
    ///
    /// As [`validate_utf32le`](fn@crate::validate_utf32le), in bytes.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32le(b"z\0\0\0B\x01\0\0").as_deref(), Ok("zł"));
    /// assert_eq!(fastutf::from_utf32le(b"z\0\0\0\0\xDC\0\0").unwrap_err().valid_up_to(), 4);
    /// ```
    #[cfg(feature = "alloc")]
    fn from_utf32le(isa, src: &[u8]) -> Result<String, Utf32Error> {
        isa.string_from_utf32_bytes(ByteOrder::Little, src)
    }

    /// Decodes UTF-32BE, at any alignment, into a `String`. The allocation fits the text.
    ///
    /// # Errors
    ///
    /// As [`validate_utf32be`](fn@crate::validate_utf32be), in bytes.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32be(b"\0\0\0z\0\0\x01B").as_deref(), Ok("zł"));
    /// assert_eq!(fastutf::from_utf32be(b"\0\0\0z\0\0\xDC\0").unwrap_err().valid_up_to(), 4);
    /// ```
    #[cfg(feature = "alloc")]
    fn from_utf32be(isa, src: &[u8]) -> Result<String, Utf32Error> {
        isa.string_from_utf32_bytes(ByteOrder::Big, src)
    }

    /// Decodes UTF-32 into a `String`, with U+FFFD for each ill-formed code unit.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32_lossy(&[0x7A, 0xDC00, 0x142]), "z\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32_lossy(isa, src: &[u32]) -> String {
        isa.from_utf32_lossy_counted(src).0
    }

    /// Like [`from_utf32_lossy`](fn@crate::from_utf32_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32_lossy_counted(&[0x7A, 0xDC00]), ("z\u{FFFD}".into(), 1));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32_lossy_counted(isa, src: &[u32]) -> (String, usize) {
        isa.string_from_utf32_bytes_lossy(ByteOrder::NATIVE, as_bytes_32(src))
    }

    /// Decodes UTF-32LE into a `String`, with U+FFFD for each ill-formed code unit
    /// and for 1 to 3 bytes at the end that are no code unit.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32le_lossy(b"z\0\0\0\0\xDC\0\0B\x01\0\0"), "z\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32le_lossy(isa, src: &[u8]) -> String {
        isa.from_utf32le_lossy_counted(src).0
    }

    /// Like [`from_utf32le_lossy`](fn@crate::from_utf32le_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32le_lossy_counted(b"z\0\0\0\0\xDC\0\0"), ("z\u{FFFD}".into(), 1));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32le_lossy_counted(isa, src: &[u8]) -> (String, usize) {
        isa.string_from_utf32_bytes_lossy(ByteOrder::Little, src)
    }

    /// Decodes UTF-32BE into a `String`, with U+FFFD for each ill-formed code unit
    /// and for 1 to 3 bytes at the end that are no code unit.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32be_lossy(b"\0\0\0z\0\0\xDC\0\0\0\x01B"), "z\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32be_lossy(isa, src: &[u8]) -> String {
        isa.from_utf32be_lossy_counted(src).0
    }

    /// Like [`from_utf32be_lossy`](fn@crate::from_utf32be_lossy), but also returns the number of replacements.
    ///
    /// ```
    /// assert_eq!(fastutf::from_utf32be_lossy_counted(b"\0\0\0z\0\0\xDC\0"), ("z\u{FFFD}".into(), 1));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_utf32be_lossy_counted(isa, src: &[u8]) -> (String, usize) {
        isa.string_from_utf32_bytes_lossy(ByteOrder::Big, src)
    }

    /// Encodes `text` as UTF-32: `text.chars().map(u32::from).collect()` with SIMD. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf32("zł"), [0x7A, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn to_utf32(isa, text: &str) -> Vec<u32> {
        let src = text.as_bytes();
        let count = move || isa.count_chars_utf8(src);
        let (units, out) = into_vec::collect(src.len(), count, converter!(isa.utf8_to_utf32_uninit(src)));
        debug_assert!(out.is_complete());
        units
    }

    /// Encodes `text` as UTF-32LE bytes, without a byte-order mark. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf32le("zł"), b"z\0\0\0B\x01\0\0");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn to_utf32le(isa, text: &str) -> Vec<u8> {
        isa.utf32_bytes(ByteOrder::Little, text)
    }

    /// Encodes `text` as UTF-32BE bytes, without a byte-order mark. The allocation
    /// fits the result.
    ///
    /// ```
    /// assert_eq!(fastutf::to_utf32be("zł"), b"\0\0\0z\0\0\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn to_utf32be(isa, text: &str) -> Vec<u8> {
        isa.utf32_bytes(ByteOrder::Big, text)
    }

    /// Converts UTF-8 to UTF-32 in `dst`, validating it on the way. Reports how much was read (bytes) and written
    /// (code units), and why it stopped.
    ///
    /// As many code units as `src` has bytes are always enough; [`count_chars_utf8`](fn@crate::count_chars_utf8)
    /// returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 2));
    /// assert_eq!(dst[..out.written], [0x7A, 0x142]);
    /// ```
    [short] fn utf8_to_utf32(isa, src: &[u8], dst: &mut [u32]) -> Conversion<Utf8Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32`](fn@crate::utf8_to_utf32), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32_uninit("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 2));
    /// ```
    [short] fn utf8_to_utf32_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Conversion<Utf8Error> {
        in_units(isa.utf8_to_utf32_bytes(ByteOrder::NATIVE, src, as_bytes_mut_32(dst)), src.len(), (1, 4), unchanged)
    }

    /// Like [`utf8_to_utf32`](fn@crate::utf8_to_utf32), but appends to a `Vec`, which grows as needed. Returns the number of
    /// code units appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert!(fastutf::utf8_to_utf32_append("zł".as_bytes(), &mut dst).is_ok());
    /// assert_eq!(dst, [0x61, 0x7A, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32_append(isa, src: &[u8], dst: &mut Vec<u32>) -> Result<usize, Utf8Error> {
        into_vec::append(dst, src.len(), move || isa.count_chars_utf8(src), converter!(isa.utf8_to_utf32_uninit(src))).appended()
    }

    /// Converts UTF-8 to UTF-32LE in `dst`, validating it on the way. Reports how much was read (bytes) and written
    /// (bytes), and why it stopped.
    ///
    /// 4 times as many bytes as `src` has are always enough; exactly right are 4 for each character, of which
    /// [`count_chars_utf8`](fn@crate::count_chars_utf8) returns the number. `dst` may have any alignment.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32le("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 8));
    /// assert_eq!(dst[..out.written], *b"z\0\0\0B\x01\0\0");
    /// ```
    [short] fn utf8_to_utf32le(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf8Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32le_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32le`](fn@crate::utf8_to_utf32le), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32le_uninit("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 8));
    /// ```
    [short] fn utf8_to_utf32le_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
        isa.utf8_to_utf32_bytes(ByteOrder::Little, src, dst)
    }

    /// Like [`utf8_to_utf32le`](fn@crate::utf8_to_utf32le), but appends to a `Vec`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a\0\0\0".to_vec();
    /// assert!(fastutf::utf8_to_utf32le_append("zł".as_bytes(), &mut dst).is_ok());
    /// assert_eq!(dst, b"a\0\0\0z\0\0\0B\x01\0\0");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32le_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf8Error> {
        isa.append_utf32_from_utf8(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-8 to UTF-32BE in `dst`, validating it on the way. Reports how much was read (bytes) and written
    /// (bytes), and why it stopped.
    ///
    /// 4 times as many bytes as `src` has are always enough; exactly right are 4 for each character, of which
    /// [`count_chars_utf8`](fn@crate::count_chars_utf8) returns the number. `dst` may have any alignment.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32be("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 8));
    /// assert_eq!(dst[..out.written], *b"\0\0\0z\0\0\x01B");
    /// ```
    [short] fn utf8_to_utf32be(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf8Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32be_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32be`](fn@crate::utf8_to_utf32be), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32be_uninit("zł".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (3, 8));
    /// ```
    [short] fn utf8_to_utf32be_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf8Error> {
        isa.utf8_to_utf32_bytes(ByteOrder::Big, src, dst)
    }

    /// Like [`utf8_to_utf32be`](fn@crate::utf8_to_utf32be), but appends to a `Vec`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"\0\0\0a".to_vec();
    /// assert!(fastutf::utf8_to_utf32be_append("zł".as_bytes(), &mut dst).is_ok());
    /// assert_eq!(dst, b"\0\0\0a\0\0\0z\0\0\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32be_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf8Error> {
        isa.append_utf32_from_utf8(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-16 to UTF-32 in `dst`, validating it on the way. Reports how much was read (code units) and
    /// written (code units), and why it stopped.
    ///
    /// As many code units as `src` has are always enough; [`count_chars_utf16`](fn@crate::count_chars_utf16) returns the
    /// exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16_to_utf32(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// assert_eq!(dst[..out.written], [0x7A, 0x142]);
    /// ```
    [short] fn utf16_to_utf32(isa, src: &[u16], dst: &mut [u32]) -> Conversion<Utf16Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf16_to_utf32_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16_to_utf32`](fn@crate::utf16_to_utf32), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16_to_utf32_uninit(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// ```
    [short] fn utf16_to_utf32_uninit(isa, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> Conversion<Utf16Error> {
        in_units(isa.utf16_to_utf32_bytes(ByteOrder::NATIVE, as_bytes(src), as_bytes_mut_32(dst)), src.len(), (2, 4), Utf16Error::in_units)
    }

    /// Like [`utf16_to_utf32`](fn@crate::utf16_to_utf32), but appends to a `Vec`, which grows as needed. Returns the number
    /// of code units appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert!(fastutf::utf16_to_utf32_append(&[0x7A, 0x142], &mut dst).is_ok());
    /// assert_eq!(dst, [0x61, 0x7A, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_to_utf32_append(isa, src: &[u16], dst: &mut Vec<u32>) -> Result<usize, Utf16Error> {
        into_vec::append(dst, src.len(), move || isa.count_chars_utf16(src), converter!(isa.utf16_to_utf32_uninit(src))).appended()
    }

    /// Converts UTF-16LE to UTF-32LE in `dst`, validating it on the way. Reports how much was read (bytes) and
    /// written (bytes), and why it stopped.
    ///
    /// Twice the length of `src` is always enough. Both may have any alignment, and `src` any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16le_to_utf32le(b"z\0B\x01", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 8));
    /// assert_eq!(dst[..out.written], *b"z\0\0\0B\x01\0\0");
    /// ```
    [short] fn utf16le_to_utf32le(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf16le_to_utf32le_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16le_to_utf32le`](fn@crate::utf16le_to_utf32le), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16le_to_utf32le_uninit(b"z\0B\x01", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 8));
    /// ```
    [short] fn utf16le_to_utf32le_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
        isa.utf16_to_utf32_bytes(ByteOrder::Little, src, dst)
    }

    /// Like [`utf16le_to_utf32le`](fn@crate::utf16le_to_utf32le), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a\0\0\0".to_vec();
    /// assert!(fastutf::utf16le_to_utf32le_append(b"z\0B\x01", &mut dst).is_ok());
    /// assert_eq!(dst, b"a\0\0\0z\0\0\0B\x01\0\0");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_to_utf32le_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf16Error> {
        isa.append_utf32_from_utf16(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-16BE to UTF-32BE in `dst`, validating it on the way. Reports how much was read (bytes) and
    /// written (bytes), and why it stopped.
    ///
    /// Twice the length of `src` is always enough. Both may have any alignment, and `src` any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16be_to_utf32be(b"\0z\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 8));
    /// assert_eq!(dst[..out.written], *b"\0\0\0z\0\0\x01B");
    /// ```
    [short] fn utf16be_to_utf32be(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf16Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf16be_to_utf32be_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16be_to_utf32be`](fn@crate::utf16be_to_utf32be), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16be_to_utf32be_uninit(b"\0z\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 8));
    /// ```
    [short] fn utf16be_to_utf32be_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf16Error> {
        isa.utf16_to_utf32_bytes(ByteOrder::Big, src, dst)
    }

    /// Like [`utf16be_to_utf32be`](fn@crate::utf16be_to_utf32be), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"\0\0\0a".to_vec();
    /// assert!(fastutf::utf16be_to_utf32be_append(b"\0z\x01B", &mut dst).is_ok());
    /// assert_eq!(dst, b"\0\0\0a\0\0\0z\0\0\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_to_utf32be_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf16Error> {
        isa.append_utf32_from_utf16(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to UTF-8 in `dst`, validating it on the way. Reports how much was read (code units) and written
    /// (bytes), and why it stopped.
    ///
    /// 4 bytes for each code unit are always enough; [`utf8_len_from_utf32`](fn@crate::utf8_len_from_utf32)
    /// returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_utf8(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 3));
    /// assert_eq!(dst[..out.written], *"zł".as_bytes());
    /// ```
    [short] fn utf32_to_utf8(isa, src: &[u32], dst: &mut [u8]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_utf8_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_utf8`](fn@crate::utf32_to_utf8), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_utf8_uninit(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 3));
    /// ```
    [short] fn utf32_to_utf8_uninit(isa, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf32Error> {
        in_units(isa.utf32_bytes_to_utf8(ByteOrder::NATIVE, as_bytes_32(src), dst), src.len(), (4, 1), Utf32Error::in_units)
    }

    /// Like [`utf32_to_utf8`](fn@crate::utf32_to_utf8), but appends to a `String`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert!(fastutf::utf32_to_utf8_append(&[0x7A, 0x142], &mut dst).is_ok());
    /// assert_eq!(dst, "azł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32_to_utf8_append(isa, src: &[u32], dst: &mut String) -> Result<usize, Utf32Error> {
        isa.append_utf8_from_utf32(ByteOrder::NATIVE, as_bytes_32(src), dst).map_err(Utf32Error::in_units)
    }

    /// Converts UTF-32LE to UTF-8 in `dst`, validating it on the way. Reports how much was read (bytes) and written
    /// (bytes), and why it stopped.
    ///
    /// The length of `src` is always enough; [`utf8_len_from_utf32le`](fn@crate::utf8_len_from_utf32le)
    /// returns the exact number. `src` may have any alignment and any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_utf8(b"z\0\0\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 3));
    /// assert_eq!(dst[..out.written], *"zł".as_bytes());
    /// ```
    [short] fn utf32le_to_utf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_utf8_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_utf8`](fn@crate::utf32le_to_utf8), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_utf8_uninit(b"z\0\0\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 3));
    /// ```
    [short] fn utf32le_to_utf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf32Error> {
        isa.utf32_bytes_to_utf8(ByteOrder::Little, src, dst)
    }

    /// Like [`utf32le_to_utf8`](fn@crate::utf32le_to_utf8), but appends to a `String`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert!(fastutf::utf32le_to_utf8_append(b"z\0\0\0B\x01\0\0", &mut dst).is_ok());
    /// assert_eq!(dst, "azł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32le_to_utf8_append(isa, src: &[u8], dst: &mut String) -> Result<usize, Utf32Error> {
        isa.append_utf8_from_utf32(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-32BE to UTF-8 in `dst`, validating it on the way. Reports how much was read (bytes) and written
    /// (bytes), and why it stopped.
    ///
    /// The length of `src` is always enough; [`utf8_len_from_utf32be`](fn@crate::utf8_len_from_utf32be)
    /// returns the exact number. `src` may have any alignment and any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_utf8(b"\0\0\0z\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 3));
    /// assert_eq!(dst[..out.written], *"zł".as_bytes());
    /// ```
    [short] fn utf32be_to_utf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_utf8_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_utf8`](fn@crate::utf32be_to_utf8), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_utf8_uninit(b"\0\0\0z\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 3));
    /// ```
    [short] fn utf32be_to_utf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf32Error> {
        isa.utf32_bytes_to_utf8(ByteOrder::Big, src, dst)
    }

    /// Like [`utf32be_to_utf8`](fn@crate::utf32be_to_utf8), but appends to a `String`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert!(fastutf::utf32be_to_utf8_append(b"\0\0\0z\0\0\x01B", &mut dst).is_ok());
    /// assert_eq!(dst, "azł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32be_to_utf8_append(isa, src: &[u8], dst: &mut String) -> Result<usize, Utf32Error> {
        isa.append_utf8_from_utf32(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to UTF-16 in `dst`, validating it on the way. Reports how much was read (code units) and
    /// written (code units), and why it stopped.
    ///
    /// Twice as many code units as `src` has are always enough;
    /// [`utf16_len_from_utf32`](fn@crate::utf16_len_from_utf32) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_utf16(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// assert_eq!(dst[..out.written], [0x7A, 0x142]);
    /// ```
    [short] fn utf32_to_utf16(isa, src: &[u32], dst: &mut [u16]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_utf16_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_utf16`](fn@crate::utf32_to_utf16), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_utf16_uninit(&[0x7A, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// ```
    [short] fn utf32_to_utf16_uninit(isa, src: &[u32], dst: &mut [MaybeUninit<u16>]) -> Conversion<Utf32Error> {
        in_units(isa.utf32_bytes_to_utf16(ByteOrder::NATIVE, as_bytes_32(src), as_bytes_mut(dst)), src.len(), (4, 2), Utf32Error::in_units)
    }

    /// Like [`utf32_to_utf16`](fn@crate::utf32_to_utf16), but appends to a `Vec`, which grows as needed. Returns the number
    /// of code units appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert!(fastutf::utf32_to_utf16_append(&[0x7A, 0x142], &mut dst).is_ok());
    /// assert_eq!(dst, [0x61, 0x7A, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32_to_utf16_append(isa, src: &[u32], dst: &mut Vec<u16>) -> Result<usize, Utf32Error> {
        into_vec::append(dst, src.len().saturating_mul(2), move || isa.utf16_len_from_utf32(src), converter!(isa.utf32_to_utf16_uninit(src))).appended()
    }

    /// Converts UTF-32LE to UTF-16LE in `dst`, validating it on the way. Reports how much was read (bytes) and
    /// written (bytes), and why it stopped.
    ///
    /// The length of `src` is always enough;
    /// [`utf16_len_from_utf32le`](fn@crate::utf16_len_from_utf32le) returns the exact number of code units. Both may
    /// have any alignment, and `src` any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_utf16le(b"z\0\0\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// assert_eq!(dst[..out.written], *b"z\0B\x01");
    /// ```
    [short] fn utf32le_to_utf16le(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_utf16le_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_utf16le`](fn@crate::utf32le_to_utf16le), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_utf16le_uninit(b"z\0\0\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// ```
    [short] fn utf32le_to_utf16le_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf32Error> {
        isa.utf32_bytes_to_utf16(ByteOrder::Little, src, dst)
    }

    /// Like [`utf32le_to_utf16le`](fn@crate::utf32le_to_utf16le), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a\0".to_vec();
    /// assert!(fastutf::utf32le_to_utf16le_append(b"z\0\0\0B\x01\0\0", &mut dst).is_ok());
    /// assert_eq!(dst, b"a\0z\0B\x01");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32le_to_utf16le_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf32Error> {
        isa.append_utf16_from_utf32(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-32BE to UTF-16BE in `dst`, validating it on the way. Reports how much was read (bytes) and
    /// written (bytes), and why it stopped.
    ///
    /// The length of `src` is always enough;
    /// [`utf16_len_from_utf32be`](fn@crate::utf16_len_from_utf32be) returns the exact number of code units. Both may
    /// have any alignment, and `src` any length.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_utf16be(b"\0\0\0z\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// assert_eq!(dst[..out.written], *b"\0z\x01B");
    /// ```
    [short] fn utf32be_to_utf16be(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Utf32Error> {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_utf16be_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_utf16be`](fn@crate::utf32be_to_utf16be), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_utf16be_uninit(b"\0\0\0z\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// ```
    [short] fn utf32be_to_utf16be_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Utf32Error> {
        isa.utf32_bytes_to_utf16(ByteOrder::Big, src, dst)
    }

    /// Like [`utf32be_to_utf16be`](fn@crate::utf32be_to_utf16be), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"\0a".to_vec();
    /// assert!(fastutf::utf32be_to_utf16be_append(b"\0\0\0z\0\0\x01B", &mut dst).is_ok());
    /// assert_eq!(dst, b"\0a\0z\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32be_to_utf16be_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, Utf32Error> {
        isa.append_utf16_from_utf32(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-8 to UTF-32 in `dst`, with U+FFFD for each ill-formed sequence. Reports how much was read (bytes)
    /// and written (code units), and the number of replacements.
    ///
    /// As many code units as `src` has bytes are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32_lossy(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 3, 1));
    /// assert_eq!(dst[..out.written], [0x7A, 0xFFFD, 0x142]);
    /// ```
    fn utf8_to_utf32_lossy(isa, src: &[u8], dst: &mut [u32]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32_lossy`](fn@crate::utf8_to_utf32_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32_lossy_uninit(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 3, 1));
    /// ```
    fn utf8_to_utf32_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> LossyConversion {
        lossy_in_units(isa.utf8_to_utf32_bytes_lossy(ByteOrder::NATIVE, src, as_bytes_mut_32(dst)), (1, 4))
    }

    /// Like [`utf8_to_utf32_lossy`](fn@crate::utf8_to_utf32_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert_eq!(fastutf::utf8_to_utf32_lossy_append(b"z\xFF\xC5\x82", &mut dst).replacements, 1);
    /// assert_eq!(dst, [0x61, 0x7A, 0xFFFD, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32_lossy_append(isa, src: &[u8], dst: &mut Vec<u32>) -> LossyConversion {
        isa.append_units(src, dst, 1, |src| converter!(move isa.utf8_to_utf32_lossy_uninit(src)))
    }

    /// Converts UTF-8 to UTF-32LE in `dst`, with U+FFFD for each ill-formed sequence. Reports how much was read (bytes)
    /// and written (bytes), and the number of replacements.
    ///
    /// 4 times as many bytes as `src` has are always enough. `dst` may have any alignment.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32le_lossy(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 12, 1));
    /// assert_eq!(dst[..out.written], *b"z\0\0\0\xFD\xFF\0\0B\x01\0\0");
    /// ```
    fn utf8_to_utf32le_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32le_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32le_lossy`](fn@crate::utf8_to_utf32le_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32le_lossy_uninit(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 12, 1));
    /// ```
    fn utf8_to_utf32le_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf8_to_utf32_bytes_lossy(ByteOrder::Little, src, dst)
    }

    /// Like [`utf8_to_utf32le_lossy`](fn@crate::utf8_to_utf32le_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a\0\0\0".to_vec();
    /// assert_eq!(fastutf::utf8_to_utf32le_lossy_append(b"z\xFF\xC5\x82", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a\0\0\0z\0\0\0\xFD\xFF\0\0B\x01\0\0");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32le_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_units(src, dst, 4, |src| converter!(move isa.utf8_to_utf32le_lossy_uninit(src)))
    }

    /// Converts UTF-8 to UTF-32BE in `dst`, with U+FFFD for each ill-formed sequence. Reports how much was read (bytes)
    /// and written (bytes), and the number of replacements.
    ///
    /// 4 times as many bytes as `src` has are always enough. `dst` may have any alignment.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf8_to_utf32be_lossy(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 12, 1));
    /// assert_eq!(dst[..out.written], *b"\0\0\0z\0\0\xFF\xFD\0\0\x01B");
    /// ```
    fn utf8_to_utf32be_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_utf32be_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_utf32be_lossy`](fn@crate::utf8_to_utf32be_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf8_to_utf32be_lossy_uninit(b"z\xFF\xC5\x82", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (4, 12, 1));
    /// ```
    fn utf8_to_utf32be_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf8_to_utf32_bytes_lossy(ByteOrder::Big, src, dst)
    }

    /// Like [`utf8_to_utf32be_lossy`](fn@crate::utf8_to_utf32be_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"\0\0\0a".to_vec();
    /// assert_eq!(fastutf::utf8_to_utf32be_lossy_append(b"z\xFF\xC5\x82", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"\0\0\0a\0\0\0z\0\0\xFF\xFD\0\0\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_utf32be_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_units(src, dst, 4, |src| converter!(move isa.utf8_to_utf32be_lossy_uninit(src)))
    }

    /// Converts UTF-16 to UTF-32 in `dst`, with U+FFFD for each unpaired surrogate. Reports
    /// how much was read (code units) and written (code units), and the number of replacements.
    ///
    /// As many code units as `src` has are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16_to_utf32_lossy(&[0x7A, 0xDC00, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// assert_eq!(dst[..out.written], [0x7A, 0xFFFD, 0x142]);
    /// ```
    fn utf16_to_utf32_lossy(isa, src: &[u16], dst: &mut [u32]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16_to_utf32_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16_to_utf32_lossy`](fn@crate::utf16_to_utf32_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16_to_utf32_lossy_uninit(&[0x7A, 0xDC00, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// ```
    fn utf16_to_utf32_lossy_uninit(isa, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> LossyConversion {
        lossy_in_units(isa.utf16_to_utf32_bytes_lossy(ByteOrder::NATIVE, as_bytes(src), as_bytes_mut_32(dst)), (2, 4))
    }

    /// Like [`utf16_to_utf32_lossy`](fn@crate::utf16_to_utf32_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert_eq!(fastutf::utf16_to_utf32_lossy_append(&[0x7A, 0xDC00, 0x142], &mut dst).replacements, 1);
    /// assert_eq!(dst, [0x61, 0x7A, 0xFFFD, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_to_utf32_lossy_append(isa, src: &[u16], dst: &mut Vec<u32>) -> LossyConversion {
        into_vec::append(dst, src.len(), || src.len(), converter!(isa.utf16_to_utf32_lossy_uninit(src)))
    }

    /// Converts UTF-16LE to UTF-32LE in `dst`, with U+FFFD for each unpaired surrogate and for an odd last byte. Reports
    /// how much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// Twice as many bytes as `src` has, and 2 more if it has an odd last byte, are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16le_to_utf32le_lossy(b"z\0\0\xDCB\x01", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 12, 1));
    /// assert_eq!(dst[..out.written], *b"z\0\0\0\xFD\xFF\0\0B\x01\0\0");
    /// ```
    fn utf16le_to_utf32le_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16le_to_utf32le_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16le_to_utf32le_lossy`](fn@crate::utf16le_to_utf32le_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16le_to_utf32le_lossy_uninit(b"z\0\0\xDCB\x01", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 12, 1));
    /// ```
    fn utf16le_to_utf32le_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf16_to_utf32_bytes_lossy(ByteOrder::Little, src, dst)
    }

    /// Like [`utf16le_to_utf32le_lossy`](fn@crate::utf16le_to_utf32le_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a\0\0\0".to_vec();
    /// assert_eq!(fastutf::utf16le_to_utf32le_lossy_append(b"z\0\0\xDCB\x01", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a\0\0\0z\0\0\0\xFD\xFF\0\0B\x01\0\0");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_to_utf32le_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_utf32_from_utf16_lossy(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-16BE to UTF-32BE in `dst`, with U+FFFD for each unpaired surrogate and for an odd last byte. Reports
    /// how much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// Twice as many bytes as `src` has, and 2 more if it has an odd last byte, are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf16be_to_utf32be_lossy(b"\0z\xDC\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 12, 1));
    /// assert_eq!(dst[..out.written], *b"\0\0\0z\0\0\xFF\xFD\0\0\x01B");
    /// ```
    fn utf16be_to_utf32be_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16be_to_utf32be_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16be_to_utf32be_lossy`](fn@crate::utf16be_to_utf32be_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf16be_to_utf32be_lossy_uninit(b"\0z\xDC\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 12, 1));
    /// ```
    fn utf16be_to_utf32be_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf16_to_utf32_bytes_lossy(ByteOrder::Big, src, dst)
    }

    /// Like [`utf16be_to_utf32be_lossy`](fn@crate::utf16be_to_utf32be_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"\0\0\0a".to_vec();
    /// assert_eq!(fastutf::utf16be_to_utf32be_lossy_append(b"\0z\xDC\0\x01B", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"\0\0\0a\0\0\0z\0\0\xFF\xFD\0\0\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_to_utf32be_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_utf32_from_utf16_lossy(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to UTF-8 in `dst`, with U+FFFD for each ill-formed code unit. Reports how
    /// much was read (code units) and written (bytes), and the number of replacements.
    ///
    /// 4 bytes for each code unit are always enough;
    /// [`utf8_len_from_utf32_lossy`](fn@crate::utf8_len_from_utf32_lossy) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_utf8_lossy(&[0x7A, 0x110000, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 6, 1));
    /// assert_eq!(dst[..out.written], *"z\u{FFFD}ł".as_bytes());
    /// ```
    fn utf32_to_utf8_lossy(isa, src: &[u32], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_utf8_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_utf8_lossy`](fn@crate::utf32_to_utf8_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_utf8_lossy_uninit(&[0x7A, 0x110000, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 6, 1));
    /// ```
    fn utf32_to_utf8_lossy_uninit(isa, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        lossy_in_units(isa.utf32_bytes_to_utf8_lossy(ByteOrder::NATIVE, as_bytes_32(src), dst), (4, 1))
    }

    /// Like [`utf32_to_utf8_lossy`](fn@crate::utf32_to_utf8_lossy), but appends to a `String`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert_eq!(fastutf::utf32_to_utf8_lossy_append(&[0x7A, 0x110000, 0x142], &mut dst).replacements, 1);
    /// assert_eq!(dst, "az\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32_to_utf8_lossy_append(isa, src: &[u32], dst: &mut String) -> LossyConversion {
        lossy_in_units(isa.append_utf8_from_utf32_lossy(ByteOrder::NATIVE, as_bytes_32(src), dst), (4, 1))
    }

    /// Converts UTF-32LE to UTF-8 in `dst`, with U+FFFD for each ill-formed code unit and for trailing bytes. Reports how
    /// much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// The length of `src`, and 2 more bytes if it is no multiple of 4, is always enough;
    /// [`utf8_len_from_utf32le_lossy`](fn@crate::utf8_len_from_utf32le_lossy) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_utf8_lossy(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// assert_eq!(dst[..out.written], *"z\u{FFFD}ł".as_bytes());
    /// ```
    fn utf32le_to_utf8_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_utf8_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_utf8_lossy`](fn@crate::utf32le_to_utf8_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_utf8_lossy_uninit(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// ```
    fn utf32le_to_utf8_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_utf8_lossy(ByteOrder::Little, src, dst)
    }

    /// Like [`utf32le_to_utf8_lossy`](fn@crate::utf32le_to_utf8_lossy), but appends to a `String`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert_eq!(fastutf::utf32le_to_utf8_lossy_append(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst).replacements, 1);
    /// assert_eq!(dst, "az\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32le_to_utf8_lossy_append(isa, src: &[u8], dst: &mut String) -> LossyConversion {
        isa.append_utf8_from_utf32_lossy(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-32BE to UTF-8 in `dst`, with U+FFFD for each ill-formed code unit and for trailing bytes. Reports how
    /// much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// The length of `src`, and 2 more bytes if it is no multiple of 4, is always enough;
    /// [`utf8_len_from_utf32be_lossy`](fn@crate::utf8_len_from_utf32be_lossy) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_utf8_lossy(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// assert_eq!(dst[..out.written], *"z\u{FFFD}ł".as_bytes());
    /// ```
    fn utf32be_to_utf8_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_utf8_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_utf8_lossy`](fn@crate::utf32be_to_utf8_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_utf8_lossy_uninit(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// ```
    fn utf32be_to_utf8_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_utf8_lossy(ByteOrder::Big, src, dst)
    }

    /// Like [`utf32be_to_utf8_lossy`](fn@crate::utf32be_to_utf8_lossy), but appends to a `String`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = String::from("a");
    /// assert_eq!(fastutf::utf32be_to_utf8_lossy_append(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst).replacements, 1);
    /// assert_eq!(dst, "az\u{FFFD}ł");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32be_to_utf8_lossy_append(isa, src: &[u8], dst: &mut String) -> LossyConversion {
        isa.append_utf8_from_utf32_lossy(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to UTF-16 in `dst`, with U+FFFD for each ill-formed code unit. Reports how
    /// much was read (code units) and written (code units), and the number of replacements.
    ///
    /// Twice as many code units as `src` has are always enough;
    /// [`utf16_len_from_utf32_lossy`](fn@crate::utf16_len_from_utf32_lossy) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_utf16_lossy(&[0x7A, 0x110000, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// assert_eq!(dst[..out.written], [0x7A, 0xFFFD, 0x142]);
    /// ```
    fn utf32_to_utf16_lossy(isa, src: &[u32], dst: &mut [u16]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_utf16_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_utf16_lossy`](fn@crate::utf32_to_utf16_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_utf16_lossy_uninit(&[0x7A, 0x110000, 0x142], &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// ```
    fn utf32_to_utf16_lossy_uninit(isa, src: &[u32], dst: &mut [MaybeUninit<u16>]) -> LossyConversion {
        lossy_in_units(isa.utf32_bytes_to_utf16_lossy(ByteOrder::NATIVE, as_bytes_32(src), as_bytes_mut(dst)), (4, 2))
    }

    /// Like [`utf32_to_utf16_lossy`](fn@crate::utf32_to_utf16_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert_eq!(fastutf::utf32_to_utf16_lossy_append(&[0x7A, 0x110000, 0x142], &mut dst).replacements, 1);
    /// assert_eq!(dst, [0x61, 0x7A, 0xFFFD, 0x142]);
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32_to_utf16_lossy_append(isa, src: &[u32], dst: &mut Vec<u16>) -> LossyConversion {
        into_vec::append(dst, src.len().saturating_mul(2), move || isa.utf16_len_from_utf32(src), converter!(isa.utf32_to_utf16_lossy_uninit(src)))
    }

    /// Converts UTF-32LE to UTF-16LE in `dst`, with U+FFFD for each ill-formed code unit and for trailing bytes. Reports how
    /// much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// As many bytes as `src` has, rounded up to an even number, are always enough;
    /// [`utf16_len_from_utf32le_lossy`](fn@crate::utf16_len_from_utf32le_lossy) returns the exact number of code units.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_utf16le_lossy(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// assert_eq!(dst[..out.written], *b"z\0\xFD\xFFB\x01");
    /// ```
    fn utf32le_to_utf16le_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_utf16le_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_utf16le_lossy`](fn@crate::utf32le_to_utf16le_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_utf16le_lossy_uninit(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// ```
    fn utf32le_to_utf16le_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_utf16_lossy(ByteOrder::Little, src, dst)
    }

    /// Like [`utf32le_to_utf16le_lossy`](fn@crate::utf32le_to_utf16le_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a\0".to_vec();
    /// assert_eq!(fastutf::utf32le_to_utf16le_lossy_append(b"z\0\0\0\0\0\x11\0B\x01\0\0", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a\0z\0\xFD\xFFB\x01");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32le_to_utf16le_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_utf16_from_utf32_lossy(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-32BE to UTF-16BE in `dst`, with U+FFFD for each ill-formed code unit and for trailing bytes. Reports how
    /// much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// As many bytes as `src` has, rounded up to an even number, are always enough;
    /// [`utf16_len_from_utf32be_lossy`](fn@crate::utf16_len_from_utf32be_lossy) returns the exact number of code units.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_utf16be_lossy(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// assert_eq!(dst[..out.written], *b"\0z\xFF\xFD\x01B");
    /// ```
    fn utf32be_to_utf16be_lossy(isa, src: &[u8], dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_utf16be_lossy_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_utf16be_lossy`](fn@crate::utf32be_to_utf16be_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_utf16be_lossy_uninit(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 6, 1));
    /// ```
    fn utf32be_to_utf16be_lossy_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_utf16_lossy(ByteOrder::Big, src, dst)
    }

    /// Like [`utf32be_to_utf16be_lossy`](fn@crate::utf32be_to_utf16be_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"\0a".to_vec();
    /// assert_eq!(fastutf::utf32be_to_utf16be_lossy_append(b"\0\0\0z\0\x11\0\0\0\0\x01B", &mut dst).replacements, 1);
    /// assert_eq!(dst, b"\0a\0z\xFF\xFD\x01B");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf32be_to_utf16be_lossy_append(isa, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_utf16_from_utf32_lossy(ByteOrder::Big, src, dst)
    }

    /// Converts Latin-1 to UTF-32 in `dst`. Reports how much was read (bytes) and written (code units). With the feature
    /// `latin1`.
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). As many code units as `src` has bytes are always enough, and exactly right.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::latin1_to_utf32(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// assert_eq!(dst[..out.written], [0x74, 0xE9]);
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32(isa, src: &[u8], dst: &mut [u32]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf32_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf32`](fn@crate::latin1_to_utf32), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::latin1_to_utf32_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Conversion<Infallible> {
        in_units(isa.latin1_to_utf32_bytes(ByteOrder::NATIVE, src, as_bytes_mut_32(dst)), src.len(), (1, 4), unchanged)
    }

    /// Like [`latin1_to_utf32`](fn@crate::latin1_to_utf32), but appends to a `Vec`, which grows as needed. Returns
    /// the number of code units appended.
    ///
    /// ```
    /// let mut dst = vec![0x61];
    /// assert_eq!(fastutf::latin1_to_utf32_append(b"t\xE9", &mut dst), 2);
    /// assert_eq!(dst, [0x61, 0x74, 0xE9]);
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn latin1_to_utf32_append(isa, src: &[u8], dst: &mut Vec<u32>) -> usize {
        into_vec::append(dst, src.len(), || src.len(), converter!(isa.latin1_to_utf32_uninit(src))).written
    }

    /// Converts Latin-1 to UTF-32LE in `dst`. Reports how much was read (bytes) and written (bytes). With the feature
    /// `latin1`.
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). 4 times the length of `src` is always enough, and exactly right.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::latin1_to_utf32le(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 8));
    /// assert_eq!(dst[..out.written], *b"t\0\0\0\xE9\0\0\0");
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32le(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf32le_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf32le`](fn@crate::latin1_to_utf32le), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::latin1_to_utf32le_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 8));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32le_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        isa.latin1_to_utf32_bytes(ByteOrder::Little, src, dst)
    }

    /// Like [`latin1_to_utf32le`](fn@crate::latin1_to_utf32le), but appends to a `Vec`, which grows as needed. Returns
    /// the number of bytes appended.
    ///
    /// ```
    /// let mut dst = b"a\0\0\0".to_vec();
    /// assert_eq!(fastutf::latin1_to_utf32le_append(b"t\xE9", &mut dst), 8);
    /// assert_eq!(dst, b"a\0\0\0t\0\0\0\xE9\0\0\0");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn latin1_to_utf32le_append(isa, src: &[u8], dst: &mut Vec<u8>) -> usize {
        isa.append_utf32_from_latin1(ByteOrder::Little, src, dst)
    }

    /// Converts Latin-1 to UTF-32BE in `dst`. Reports how much was read (bytes) and written (bytes). With the feature
    /// `latin1`.
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). 4 times the length of `src` is always enough, and exactly right.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::latin1_to_utf32be(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 8));
    /// assert_eq!(dst[..out.written], *b"\0\0\0t\0\0\0\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32be(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf32be_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf32be`](fn@crate::latin1_to_utf32be), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::latin1_to_utf32be_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 8));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn latin1_to_utf32be_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        isa.latin1_to_utf32_bytes(ByteOrder::Big, src, dst)
    }

    /// Like [`latin1_to_utf32be`](fn@crate::latin1_to_utf32be), but appends to a `Vec`, which grows as needed. Returns
    /// the number of bytes appended.
    ///
    /// ```
    /// let mut dst = b"\0\0\0a".to_vec();
    /// assert_eq!(fastutf::latin1_to_utf32be_append(b"t\xE9", &mut dst), 8);
    /// assert_eq!(dst, b"\0\0\0a\0\0\0t\0\0\0\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn latin1_to_utf32be_append(isa, src: &[u8], dst: &mut Vec<u8>) -> usize {
        isa.append_utf32_from_latin1(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to Latin-1 in `dst`. Reports how much was read (code units) and written (bytes), and why it
    /// stopped: at the first ill-formed code unit, at the first character that is not in Latin-1, or because `dst` is full.
    /// With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_latin1(&[0x74, 0xE9], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// assert_eq!(dst[..out.written], *b"t\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32_to_latin1(isa, src: &[u32], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf32Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_latin1`](fn@crate::utf32_to_latin1), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_latin1_uninit(&[0x74, 0xE9], &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32_to_latin1_uninit(isa, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf32Error>> {
        in_units(isa.utf32_bytes_to_latin1(ByteOrder::NATIVE, as_bytes_32(src), dst), src.len(), (4, 1), ToLatin1Error::in_units_of_utf32)
    }

    /// Like [`utf32_to_latin1`](fn@crate::utf32_to_latin1), but appends to a `Vec`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert!(fastutf::utf32_to_latin1_append(&[0x74, 0xE9], &mut dst).is_ok());
    /// assert_eq!(dst, b"at\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32_to_latin1_append(isa, src: &[u32], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf32Error>> {
        isa.append_latin1_from_utf32(ByteOrder::NATIVE, as_bytes_32(src), dst).map_err(ToLatin1Error::in_units_of_utf32)
    }

    /// Converts UTF-32LE to Latin-1 in `dst`. Reports how much was read (bytes) and written (bytes), and why it
    /// stopped: at the first ill-formed code unit, at the first character that is not in Latin-1, or because `dst` is full.
    /// With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_latin1(b"t\0\0\0\xE9\0\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 2));
    /// assert_eq!(dst[..out.written], *b"t\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32le_to_latin1(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf32Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_latin1`](fn@crate::utf32le_to_latin1), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_latin1_uninit(b"t\0\0\0\xE9\0\0\0", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 2));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32le_to_latin1_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf32Error>> {
        isa.utf32_bytes_to_latin1(ByteOrder::Little, src, dst)
    }

    /// Like [`utf32le_to_latin1`](fn@crate::utf32le_to_latin1), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert!(fastutf::utf32le_to_latin1_append(b"t\0\0\0\xE9\0\0\0", &mut dst).is_ok());
    /// assert_eq!(dst, b"at\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32le_to_latin1_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf32Error>> {
        isa.append_latin1_from_utf32(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-32BE to Latin-1 in `dst`. Reports how much was read (bytes) and written (bytes), and why it
    /// stopped: at the first ill-formed code unit, at the first character that is not in Latin-1, or because `dst` is full.
    /// With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_latin1(b"\0\0\0t\0\0\0\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 2));
    /// assert_eq!(dst[..out.written], *b"t\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32be_to_latin1(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf32Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_latin1`](fn@crate::utf32be_to_latin1), but into memory that may be uninitialised. After the call,
    /// its first [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_latin1_uninit(b"\0\0\0t\0\0\0\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (8, 2));
    /// ```
    #[cfg(feature = "latin1")]
    [short] fn utf32be_to_latin1_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf32Error>> {
        isa.utf32_bytes_to_latin1(ByteOrder::Big, src, dst)
    }

    /// Like [`utf32be_to_latin1`](fn@crate::utf32be_to_latin1), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert!(fastutf::utf32be_to_latin1_append(b"\0\0\0t\0\0\0\xE9", &mut dst).is_ok());
    /// assert_eq!(dst, b"at\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32be_to_latin1_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf32Error>> {
        isa.append_latin1_from_utf32(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-32 to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each
    /// ill-formed code unit. Reports how much was read (code units) and written (bytes), and the number of
    /// replacements. With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32_to_latin1_lossy(&[0x35, 0x20AC, 0xE9], b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// assert_eq!(dst[..out.written], *b"5?\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32_to_latin1_lossy(isa, src: &[u32], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32_to_latin1_lossy`](fn@crate::utf32_to_latin1_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32_to_latin1_lossy_uninit(&[0x35, 0x20AC, 0xE9], b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32_to_latin1_lossy_uninit(isa, src: &[u32], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        lossy_in_units(isa.utf32_bytes_to_latin1_lossy(ByteOrder::NATIVE, as_bytes_32(src), replacement, dst), (4, 1))
    }

    /// Like [`utf32_to_latin1_lossy`](fn@crate::utf32_to_latin1_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert_eq!(fastutf::utf32_to_latin1_lossy_append(&[0x35, 0x20AC, 0xE9], b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a5?\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32_to_latin1_lossy_append(isa, src: &[u32], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        lossy_in_units(isa.append_latin1_from_utf32_lossy(ByteOrder::NATIVE, as_bytes_32(src), replacement, dst), (4, 1))
    }

    /// Converts UTF-32LE to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each
    /// ill-formed code unit, and for trailing bytes. Reports how much was read (bytes) and written (bytes), and the number of
    /// replacements. With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough; trailing bytes are one more.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32le_to_latin1_lossy(b"5\0\0\0\xAC\x20\0\0\xE9\0\0\0", b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 3, 1));
    /// assert_eq!(dst[..out.written], *b"5?\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32le_to_latin1_lossy(isa, src: &[u8], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32le_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32le_to_latin1_lossy`](fn@crate::utf32le_to_latin1_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32le_to_latin1_lossy_uninit(b"5\0\0\0\xAC\x20\0\0\xE9\0\0\0", b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 3, 1));
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32le_to_latin1_lossy_uninit(isa, src: &[u8], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_latin1_lossy(ByteOrder::Little, src, replacement, dst)
    }

    /// Like [`utf32le_to_latin1_lossy`](fn@crate::utf32le_to_latin1_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert_eq!(fastutf::utf32le_to_latin1_lossy_append(b"5\0\0\0\xAC\x20\0\0\xE9\0\0\0", b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a5?\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32le_to_latin1_lossy_append(isa, src: &[u8], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_latin1_from_utf32_lossy(ByteOrder::Little, src, replacement, dst)
    }

    /// Converts UTF-32BE to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each
    /// ill-formed code unit, and for trailing bytes. Reports how much was read (bytes) and written (bytes), and the number of
    /// replacements. With the feature `latin1`.
    ///
    /// As many bytes as `src` has code units are always enough; trailing bytes are one more.
    ///
    /// ```
    /// let mut dst = [0; 16];
    /// let out = fastutf::utf32be_to_latin1_lossy(b"\0\0\05\0\0\x20\xAC\0\0\0\xE9", b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 3, 1));
    /// assert_eq!(dst[..out.written], *b"5?\xE9");
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32be_to_latin1_lossy(isa, src: &[u8], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf32be_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf32be_to_latin1_lossy`](fn@crate::utf32be_to_latin1_lossy), but into memory that may be uninitialised. After the call,
    /// its first [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 16];
    /// let out = fastutf::utf32be_to_latin1_lossy_uninit(b"\0\0\05\0\0\x20\xAC\0\0\0\xE9", b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (12, 3, 1));
    /// ```
    #[cfg(feature = "latin1")]
    fn utf32be_to_latin1_lossy_uninit(isa, src: &[u8], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf32_bytes_to_latin1_lossy(ByteOrder::Big, src, replacement, dst)
    }

    /// Like [`utf32be_to_latin1_lossy`](fn@crate::utf32be_to_latin1_lossy), but appends to a `Vec`, which grows as needed:
    /// the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"a".to_vec();
    /// assert_eq!(fastutf::utf32be_to_latin1_lossy_append(b"\0\0\05\0\0\x20\xAC\0\0\0\xE9", b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"a5?\xE9");
    /// ```
    #[cfg(all(feature = "latin1", feature = "alloc"))]
    fn utf32be_to_latin1_lossy_append(isa, src: &[u8], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_latin1_from_utf32_lossy(ByteOrder::Big, src, replacement, dst)
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32(&[0x7A, 0x142, 0x20AC]), 1 + 2 + 3);
    /// ```
    #[must_use]
    [short] fn utf8_len_from_utf32(isa, src: &[u32]) -> usize {
        isa.utf8_len_from_utf32_bytes(ByteOrder::NATIVE, as_bytes_32(src))
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to with
    /// [`utf32_to_utf8_lossy`](fn@crate::utf32_to_utf8_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32_lossy(&[0x7A, 0xDC00]), 1 + 3);
    /// ```
    #[must_use]
    fn utf8_len_from_utf32_lossy(isa, src: &[u32]) -> usize {
        isa.utf8_len_from_utf32(src)
    }

    /// Returns the number of code units of UTF-16 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32(&[0x7A, 0x1F600]), 1 + 2);
    /// ```
    #[must_use]
    [short] fn utf16_len_from_utf32(isa, src: &[u32]) -> usize {
        isa.utf16_len_from_utf32_bytes(ByteOrder::NATIVE, as_bytes_32(src))
    }

    /// Returns the number of code units of UTF-16 that `src` converts to with
    /// [`utf32_to_utf16_lossy`](fn@crate::utf32_to_utf16_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32_lossy(&[0x7A, 0xDC00]), 1 + 1);
    /// ```
    #[must_use]
    fn utf16_len_from_utf32_lossy(isa, src: &[u32]) -> usize {
        isa.utf16_len_from_utf32(src)
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    /// Bytes at the end that are no code unit are not counted.
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32le(b"z\0\0\0B\x01\0\0\xAC\x20\0\0"), 1 + 2 + 3);
    /// ```
    #[must_use]
    [short] fn utf8_len_from_utf32le(isa, src: &[u8]) -> usize {
        isa.utf8_len_from_utf32_bytes(ByteOrder::Little, src)
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to with
    /// [`utf32le_to_utf8_lossy`](fn@crate::utf32le_to_utf8_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32le_lossy(b"z\0\0\0\0\xDC\0\0"), 1 + 3);
    /// ```
    #[must_use]
    fn utf8_len_from_utf32le_lossy(isa, src: &[u8]) -> usize {
        isa.utf8_len_from_utf32le(src) + trailing(src, 3)
    }

    /// Returns the number of code units of UTF-16 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    /// Bytes at the end that are no code unit are not counted.
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32le(b"z\0\0\0\0\xF6\x01\0"), 1 + 2);
    /// ```
    #[must_use]
    [short] fn utf16_len_from_utf32le(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf32_bytes(ByteOrder::Little, src)
    }

    /// Returns the number of code units of UTF-16 that `src` converts to with
    /// [`utf32le_to_utf16le_lossy`](fn@crate::utf32le_to_utf16le_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32le_lossy(b"z\0\0\0\0\xDC\0\0"), 1 + 1);
    /// ```
    #[must_use]
    fn utf16_len_from_utf32le_lossy(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf32le(src) + trailing(src, 1)
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    /// Bytes at the end that are no code unit are not counted.
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32be(b"\0\0\0z\0\0\x01B\0\0\x20\xAC"), 1 + 2 + 3);
    /// ```
    #[must_use]
    [short] fn utf8_len_from_utf32be(isa, src: &[u8]) -> usize {
        isa.utf8_len_from_utf32_bytes(ByteOrder::Big, src)
    }

    /// Returns the number of bytes of UTF-8 that `src` converts to with
    /// [`utf32be_to_utf8_lossy`](fn@crate::utf32be_to_utf8_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_utf32be_lossy(b"\0\0\0z\0\0\xDC\0"), 1 + 3);
    /// ```
    #[must_use]
    fn utf8_len_from_utf32be_lossy(isa, src: &[u8]) -> usize {
        isa.utf8_len_from_utf32be(src) + trailing(src, 3)
    }

    /// Returns the number of code units of UTF-16 that `src` converts to.
    ///
    /// An ill-formed code unit counts as U+FFFD does, which takes its place in a lossy conversion.
    /// Bytes at the end that are no code unit are not counted.
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32be(b"\0\0\0z\0\x01\xF6\0"), 1 + 2);
    /// ```
    #[must_use]
    [short] fn utf16_len_from_utf32be(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf32_bytes(ByteOrder::Big, src)
    }

    /// Returns the number of code units of UTF-16 that `src` converts to with
    /// [`utf32be_to_utf16be_lossy`](fn@crate::utf32be_to_utf16be_lossy).
    ///
    /// ```
    /// assert_eq!(fastutf::utf16_len_from_utf32be_lossy(b"\0\0\0z\0\0\xDC\0"), 1 + 1);
    /// ```
    #[must_use]
    fn utf16_len_from_utf32be_lossy(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf32be(src) + trailing(src, 1)
    }
}
