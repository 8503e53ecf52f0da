//! The operations on Latin-1.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::convert::Infallible;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::api::into_vec;
use crate::buffer::{as_bytes, as_bytes_mut, as_uninit};
use crate::conversion::{Conversion, LossyConversion, Stop};
use crate::endian::ByteOrder;
use crate::error::{Utf8Error, Utf16Error};
use crate::isa::Isa;
#[cfg(feature = "alloc")]
use crate::latin1::NotLatin1Error;
use crate::latin1::ToLatin1Error;
use crate::replacement::Repair;
use crate::scalar;

/// Turns `written` from bytes into code units, for native UTF-16 output. If it is complete, this is known without waiting
/// for numbers that have just been stored.
#[inline(always)]
fn written_in_units(out: Conversion<Infallible>, src: &[u8]) -> Conversion<Infallible> {
    if out.is_complete() {
        return Conversion { read: src.len(), written: src.len(), stop: Stop::Complete };
    }
    Conversion { written: out.written / 2, ..out }
}

/// Turns `read` and the error from bytes into code units, for native UTF-16 input.
#[inline(always)]
fn read_in_units(
    out: Conversion<ToLatin1Error<Utf16Error>>,
    src: &[u16],
) -> Conversion<ToLatin1Error<Utf16Error>> {
    if out.is_complete() {
        return Conversion { read: src.len(), written: src.len(), stop: Stop::Complete };
    }
    let out = out.after(0, 0, ToLatin1Error::in_units);
    Conversion { read: out.read / 2, ..out }
}

/// Turns `read` from bytes into code units, for native UTF-16 input.
fn lossy_read_in_units(out: LossyConversion) -> LossyConversion {
    LossyConversion { read: out.read / 2, ..out }
}

/// What several public operations share, for either byte order. Offsets are in bytes.
impl Isa {
    #[inline(always)]
    fn latin1_to_utf8_bytes(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        dispatch!(self, latin1_to_utf8(src, dst))
    }

    #[inline(always)]
    fn latin1_to_utf16_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<Infallible> {
        dispatch!(self, latin1_to_utf16[const order](src, dst))
    }

    #[inline(always)]
    fn utf8_to_latin1_bytes(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<ToLatin1Error<Utf8Error>> {
        dispatch!(self, utf8_to_latin1(src, dst))
    }

    #[inline(always)]
    pub(super) fn utf16_to_latin1_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Conversion<ToLatin1Error<Utf16Error>> {
        dispatch!(self, utf16_to_latin1[const order](src, dst))
    }

    #[inline(always)]
    fn validate_latin1_in_utf16_bytes(
        self,
        order: ByteOrder,
        src: &[u8],
    ) -> Result<(), ToLatin1Error<Utf16Error>> {
        let at = dispatch!(self, latin1_prefix_of_utf16[const order](src));
        if at == src.len() {
            return Ok(());
        }
        let at = at + scalar::latin1_prefix_of_utf16(order, &src[at..]);
        match if at == src.len() { None } else { scalar::not_latin1_in_utf16(order, src, at) } {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn utf8_to_latin1_bytes_lossy(
        self,
        src: &[u8],
        replacement: u8,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyConversion {
        let out = self.utf8_to_latin1_bytes(src, dst);
        let done = Repair { read: out.read, written: out.written, replacements: 0 };
        match out.stop {
            Stop::Invalid(_) => self.go_on_to_latin1(src, replacement, dst, done),
            _ => done.outcome(src.len()),
        }
    }

    /// Goes back and forth between plain Rust and the kernel, which stops at what is to be replaced.
    #[cold]
    #[inline(never)]
    fn go_on_to_latin1(
        self,
        src: &[u8],
        replacement: u8,
        dst: &mut [MaybeUninit<u8>],
        mut done: Repair,
    ) -> LossyConversion {
        while done.read < src.len() && done.written < dst.len() {
            done.add(scalar::replace_in_utf8(&src[done.read..], replacement, &mut dst[done.written..]));
            let out = self.utf8_to_latin1_bytes(&src[done.read..], &mut dst[done.written..]);
            done.add(Repair { read: out.read, written: out.written, replacements: 0 });
        }
        done.outcome(src.len())
    }

    #[inline(always)]
    fn utf16_to_latin1_bytes_lossy(
        self,
        order: ByteOrder,
        src: &[u8],
        replacement: u8,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyConversion {
        let out = self.utf16_to_latin1_bytes(order, src, dst);
        let done = Repair { read: out.read, written: out.written, replacements: 0 };
        match out.stop {
            Stop::Invalid(_) => self.go_on_from_utf16(order, src, replacement, dst, done),
            _ => done.outcome(src.len()),
        }
    }

    /// [`go_on_to_latin1`](Self::go_on_to_latin1) for UTF-16.
    #[cold]
    #[inline(never)]
    fn go_on_from_utf16(
        self,
        order: ByteOrder,
        src: &[u8],
        replacement: u8,
        dst: &mut [MaybeUninit<u8>],
        mut done: Repair,
    ) -> LossyConversion {
        while done.read < src.len() && done.written < dst.len() {
            done.add(scalar::replace_in_utf16(order, &src[done.read..], replacement, &mut dst[done.written..]));
            let out = self.utf16_to_latin1_bytes(order, &src[done.read..], &mut dst[done.written..]);
            done.add(Repair { read: out.read, written: out.written, replacements: 0 });
        }
        done.outcome(src.len())
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_utf16_from_latin1(self, order: ByteOrder, src: &[u8], dst: &mut Vec<u8>) -> usize {
        into_vec::append(dst, 2 * src.len(), || 2 * src.len(), converter!(self.latin1_to_utf16_bytes(order, src)))
            .written
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_latin1_from_utf16(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Vec<u8>,
    ) -> Result<usize, ToLatin1Error<Utf16Error>> {
        let len = src.len() / 2;
        into_vec::append(dst, len, || len, converter!(self.utf16_to_latin1_bytes(order, src))).appended()
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append_latin1_from_utf16_lossy(
        self,
        order: ByteOrder,
        src: &[u8],
        replacement: u8,
        dst: &mut Vec<u8>,
    ) -> LossyConversion {
        let len = src.len().div_ceil(2);
        into_vec::append(dst, len, || len, converter!(self.utf16_to_latin1_bytes_lossy(order, src, replacement)))
    }
}

operations! {
    /// Returns Latin-1 as text. Borrows if `src` is ASCII.
    ///
    /// ```
    /// assert_eq!(fastutf::from_latin1(b"caf\xE9"), "café");
    /// assert!(matches!(fastutf::from_latin1(b"cafe"), std::borrow::Cow::Borrowed(_)));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn from_latin1(isa, src: &[u8]) -> Cow<'_, str> {
        if isa.is_ascii(src) {
            // SAFETY: ASCII is UTF-8.
            return Cow::Borrowed(unsafe { core::str::from_utf8_unchecked(src) });
        }
        let count = move || isa.utf8_len_from_latin1(src);
        let (bytes, out) = into_vec::collect(2 * src.len(), count, converter!(isa.latin1_to_utf8_bytes(src)));
        debug_assert!(out.is_complete());
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Cow::Owned(unsafe { String::from_utf8_unchecked(bytes) })
    }

    /// Converts Latin-1 to UTF-8 in `dst`. Reports how much was read (bytes) and written (bytes).
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). Twice the length of `src` is always enough;
    /// [`utf8_len_from_latin1`](fn@crate::utf8_len_from_latin1) returns the exact number.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::latin1_to_utf8(b"caf\xE9", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst[..out.written], *"café".as_bytes());
    /// ```
    [short] fn latin1_to_utf8(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf8_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf8`](fn@crate::latin1_to_utf8), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::latin1_to_utf8_uninit(b"caf\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (4, 5));
    /// ```
    [short] fn latin1_to_utf8_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        isa.latin1_to_utf8_bytes(src, dst)
    }

    /// Appends Latin-1 to a `String`, which grows as needed. Returns the number of bytes appended.
    ///
    /// ```
    /// let mut dst = String::from("un ");
    /// assert_eq!(fastutf::latin1_to_utf8_append(b"caf\xE9", &mut dst), 5);
    /// assert_eq!(dst, "un café");
    /// ```
    #[cfg(feature = "alloc")]
    fn latin1_to_utf8_append(isa, src: &[u8], dst: &mut String) -> usize {
        let count = move || isa.utf8_len_from_latin1(src);
        // SAFETY: only whole characters of well-formed UTF-8 are appended, and if anything panics, it does so before the
        // length has grown.
        let dst = unsafe { dst.as_mut_vec() };
        into_vec::append(dst, 2 * src.len(), count, converter!(isa.latin1_to_utf8_bytes(src))).written
    }

    /// Returns the number of bytes of UTF-8 that Latin-1 converts to.
    ///
    /// ```
    /// assert_eq!(fastutf::utf8_len_from_latin1(b"caf\xE9"), 5);
    /// ```
    #[must_use]
    [short] fn utf8_len_from_latin1(isa, src: &[u8]) -> usize {
        dispatch!(isa, utf8_len_from_latin1(src))
    }

    /// Converts Latin-1 to UTF-16 in `dst`. Reports how much was read (bytes) and written (code units).
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). As many code units as `src` has bytes are always enough, and exactly right.
    ///
    /// ```
    /// let mut dst = [0; 2];
    /// let out = fastutf::latin1_to_utf16(b"t\xE9", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst, [0x74, 0xE9]);
    /// ```
    [short] fn latin1_to_utf16(isa, src: &[u8], dst: &mut [u16]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf16_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf16`](fn@crate::latin1_to_utf16), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) code units are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::latin1_to_utf16_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 2));
    /// ```
    [short] fn latin1_to_utf16_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Conversion<Infallible> {
        written_in_units(isa.latin1_to_utf16_bytes(ByteOrder::NATIVE, src, as_bytes_mut(dst)), src)
    }

    /// Appends Latin-1 to `dst`, which grows as needed, as UTF-16. Returns the number of code units appended.
    ///
    /// ```
    /// let mut dst = fastutf::to_utf16("l'");
    /// assert_eq!(fastutf::latin1_to_utf16_append(b"\xE9t\xE9", &mut dst), 3);
    /// assert_eq!(dst, fastutf::to_utf16("l'été"));
    /// ```
    #[cfg(feature = "alloc")]
    fn latin1_to_utf16_append(isa, src: &[u8], dst: &mut Vec<u16>) -> usize {
        into_vec::append(dst, src.len(), || src.len(), converter!(isa.latin1_to_utf16_uninit(src))).written
    }

    /// Converts Latin-1 to UTF-16LE in `dst`. Reports how much was read (bytes) and written (bytes).
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). Twice the length of `src` is always enough, and exactly right. `dst` may have any alignment; an odd last byte of it is
    /// not used.
    ///
    /// ```
    /// let mut dst = [0; 4];
    /// let out = fastutf::latin1_to_utf16le(b"t\xE9", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst, [0x74, 0x00, 0xE9, 0x00]);
    /// ```
    [short] fn latin1_to_utf16le(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf16le_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf16le`](fn@crate::latin1_to_utf16le), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::latin1_to_utf16le_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 4));
    /// ```
    [short] fn latin1_to_utf16le_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        isa.latin1_to_utf16_bytes(ByteOrder::Little, src, dst)
    }

    /// Appends Latin-1 to `dst`, which grows as needed, as UTF-16LE. Returns the number of bytes appended.
    ///
    /// ```
    /// let mut dst = fastutf::to_utf16le("l'");
    /// assert_eq!(fastutf::latin1_to_utf16le_append(b"\xE9t\xE9", &mut dst), 6);
    /// assert_eq!(dst, fastutf::to_utf16le("l'été"));
    /// ```
    #[cfg(feature = "alloc")]
    fn latin1_to_utf16le_append(isa, src: &[u8], dst: &mut Vec<u8>) -> usize {
        isa.append_utf16_from_latin1(ByteOrder::Little, src, dst)
    }

    /// Converts Latin-1 to UTF-16BE in `dst`. Reports how much was read (bytes) and written (bytes).
    ///
    /// Every byte is a character, so there are only two reasons to stop: [`Complete`](Stop::Complete) and
    /// [`OutputFull`](Stop::OutputFull). Twice the length of `src` is always enough, and exactly right. `dst` may have any alignment; an odd last byte of it is
    /// not used.
    ///
    /// ```
    /// let mut dst = [0; 4];
    /// let out = fastutf::latin1_to_utf16be(b"t\xE9", &mut dst);
    /// assert!(out.is_complete());
    /// assert_eq!(dst, [0x00, 0x74, 0x00, 0xE9]);
    /// ```
    [short] fn latin1_to_utf16be(isa, src: &[u8], dst: &mut [u8]) -> Conversion<Infallible> {
        // SAFETY: conversions write initialised values only.
        isa.latin1_to_utf16be_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`latin1_to_utf16be`](fn@crate::latin1_to_utf16be), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::latin1_to_utf16be_uninit(b"t\xE9", &mut dst);
    /// assert_eq!((out.read, out.written), (2, 4));
    /// ```
    [short] fn latin1_to_utf16be_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<Infallible> {
        isa.latin1_to_utf16_bytes(ByteOrder::Big, src, dst)
    }

    /// Appends Latin-1 to `dst`, which grows as needed, as UTF-16BE. Returns the number of bytes appended.
    ///
    /// ```
    /// let mut dst = fastutf::to_utf16be("l'");
    /// assert_eq!(fastutf::latin1_to_utf16be_append(b"\xE9t\xE9", &mut dst), 6);
    /// assert_eq!(dst, fastutf::to_utf16be("l'été"));
    /// ```
    #[cfg(feature = "alloc")]
    fn latin1_to_utf16be_append(isa, src: &[u8], dst: &mut Vec<u8>) -> usize {
        isa.append_utf16_from_latin1(ByteOrder::Big, src, dst)
    }

    /// Checks that `src` is well-formed UTF-8 of which every character is in Latin-1, that is, up to U+00FF.
    ///
    /// Its length in Latin-1 is the number of its characters: [`count_chars_utf8`](fn@crate::count_chars_utf8).
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed sequence, whatever comes first. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::validate_latin1_in_utf8("café".as_bytes()).is_ok());
    /// assert_eq!(fastutf::validate_latin1_in_utf8("café €".as_bytes()).unwrap_err().valid_up_to(), 6);
    /// ```
    fn validate_latin1_in_utf8(isa, src: &[u8]) -> Result<(), ToLatin1Error<Utf8Error>> {
        let at = dispatch!(isa, latin1_prefix_of_utf8(src));
        if at == src.len() {
            return Ok(());
        }
        let at = scalar::latin1_prefix_of_utf8_from(src, at);
        match if at == src.len() { None } else { scalar::not_latin1_in_utf8(src, at) } {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Checks that `src` is UTF-16 of which every code unit is a character in Latin-1, that is, up to U+00FF.
    ///
    /// Its length in Latin-1 is its length.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed place, whatever comes first. Offsets are in code units.
    ///
    /// ```
    /// assert!(fastutf::validate_latin1_in_utf16(&fastutf::to_utf16("café")).is_ok());
    /// assert_eq!(fastutf::validate_latin1_in_utf16(&fastutf::to_utf16("café €")).unwrap_err().valid_up_to(), 5);
    /// ```
    fn validate_latin1_in_utf16(isa, src: &[u16]) -> Result<(), ToLatin1Error<Utf16Error>> {
        isa.validate_latin1_in_utf16_bytes(ByteOrder::NATIVE, as_bytes(src)).map_err(ToLatin1Error::in_units)
    }

    /// Checks that `src` is UTF-16LE of which every code unit is a character in Latin-1, that is, up to U+00FF.
    ///
    /// Its length in Latin-1 is half of its length.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed place, whatever comes first. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::validate_latin1_in_utf16le(&fastutf::to_utf16le("café")).is_ok());
    /// assert_eq!(fastutf::validate_latin1_in_utf16le(&fastutf::to_utf16le("café €")).unwrap_err().valid_up_to(), 10);
    /// ```
    fn validate_latin1_in_utf16le(isa, src: &[u8]) -> Result<(), ToLatin1Error<Utf16Error>> {
        isa.validate_latin1_in_utf16_bytes(ByteOrder::Little, src)
    }

    /// Checks that `src` is UTF-16BE of which every code unit is a character in Latin-1, that is, up to U+00FF.
    ///
    /// Its length in Latin-1 is half of its length.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1 or the first ill-formed place, whatever comes first. Offsets are in bytes.
    ///
    /// ```
    /// assert!(fastutf::validate_latin1_in_utf16be(&fastutf::to_utf16be("café")).is_ok());
    /// assert_eq!(fastutf::validate_latin1_in_utf16be(&fastutf::to_utf16be("café €")).unwrap_err().valid_up_to(), 10);
    /// ```
    fn validate_latin1_in_utf16be(isa, src: &[u8]) -> Result<(), ToLatin1Error<Utf16Error>> {
        isa.validate_latin1_in_utf16_bytes(ByteOrder::Big, src)
    }

    /// Encodes `text` as Latin-1. Borrows if it is ASCII.
    ///
    /// # Errors
    ///
    /// The first character that is not in Latin-1.
    ///
    /// ```
    /// assert_eq!(*fastutf::to_latin1("café").unwrap(), *b"caf\xE9");
    /// let error = fastutf::to_latin1("5 €").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.character()), (2, '€'));
    /// ```
    #[cfg(feature = "alloc")]
    fn to_latin1(isa, text: &str) -> Result<Cow<'_, [u8]>, NotLatin1Error> {
        let src = text.as_bytes();
        if isa.is_ascii(src) {
            return Ok(Cow::Borrowed(src));
        }
        let count = move || isa.count_chars_utf8(src);
        let (bytes, out) = into_vec::collect(src.len(), count, converter!(isa.utf8_to_latin1_bytes(src)));
        match out.error() {
            None => Ok(Cow::Owned(bytes)),
            Some(ToLatin1Error::NotLatin1(error)) => Err(error),
            Some(ToLatin1Error::IllFormed(_)) => unreachable!("a `str` is well-formed"),
        }
    }

    /// Encodes `text` as Latin-1, with `replacement` for each character that is not in Latin-1. Borrows if it is ASCII.
    ///
    /// ```
    /// assert_eq!(*fastutf::to_latin1_lossy("caf\u{E9} 5\u{20AC}", b'?'), *b"caf\xE9 5?");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    fn to_latin1_lossy(isa, text: &str, replacement: u8) -> Cow<'_, [u8]> {
        let src = text.as_bytes();
        if isa.is_ascii(src) {
            return Cow::Borrowed(src);
        }
        let count = move || isa.count_chars_utf8(src);
        let convert = converter!(isa.utf8_to_latin1_bytes_lossy(src, replacement));
        Cow::Owned(into_vec::collect(src.len(), count, convert).0)
    }

    /// Converts UTF-8 to Latin-1 in `dst`. Reports how much was read (bytes) and written (bytes), and why it stopped: at the
    /// first ill-formed sequence, at the first character that is not in Latin-1, or because `dst` is full.
    ///
    /// As many bytes as `src` has are always enough; the exact number is that of its characters,
    /// [`count_chars_utf8`](fn@crate::count_chars_utf8).
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf8_to_latin1("café €".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (6, 5));
    /// assert_eq!(dst[..out.written], *b"caf\xE9 ");
    /// assert_eq!(out.error().unwrap().valid_up_to(), 6);
    /// ```
    [short] fn utf8_to_latin1(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf8Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_latin1`](fn@crate::utf8_to_latin1), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf8_to_latin1_uninit("café".as_bytes(), &mut dst);
    /// assert_eq!((out.read, out.written), (5, 4));
    /// ```
    [short] fn utf8_to_latin1_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf8Error>> {
        isa.utf8_to_latin1_bytes(src, dst)
    }

    /// Like [`utf8_to_latin1`](fn@crate::utf8_to_latin1), but appends to a `Vec`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"un ".to_vec();
    /// assert!(fastutf::utf8_to_latin1_append("café".as_bytes(), &mut dst).is_ok());
    /// assert_eq!(dst, b"un caf\xE9");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_latin1_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf8Error>> {
        let count = move || isa.count_chars_utf8(src);
        into_vec::append(dst, src.len(), count, converter!(isa.utf8_to_latin1_bytes(src))).appended()
    }

    /// Converts UTF-16 to Latin-1 in `dst`. Reports how much was read (code units) and written (bytes), and why it stopped: at the
    /// first unpaired surrogate, at the first character that is not in Latin-1, or because `dst` is full.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16_to_latin1(&fastutf::to_utf16("café €"), &mut dst);
    /// assert_eq!((out.read, out.written), (5, 5));
    /// assert_eq!(dst[..out.written], *b"caf\xE9 ");
    /// assert_eq!(out.error().unwrap().valid_up_to(), 5);
    /// ```
    [short] fn utf16_to_latin1(isa, src: &[u16], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf16Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf16_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16_to_latin1`](fn@crate::utf16_to_latin1), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16_to_latin1_uninit(&fastutf::to_utf16("café"), &mut dst);
    /// assert_eq!((out.read, out.written), (4, 4));
    /// ```
    [short] fn utf16_to_latin1_uninit(isa, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf16Error>> {
        read_in_units(isa.utf16_to_latin1_bytes(ByteOrder::NATIVE, as_bytes(src), dst), src)
    }

    /// Like [`utf16_to_latin1`](fn@crate::utf16_to_latin1), but appends to a `Vec`, which grows as needed. Returns the number
    /// of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"un ".to_vec();
    /// assert!(fastutf::utf16_to_latin1_append(&fastutf::to_utf16("café"), &mut dst).is_ok());
    /// assert_eq!(dst, b"un caf\xE9");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_to_latin1_append(isa, src: &[u16], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf16Error>> {
        isa.append_latin1_from_utf16(ByteOrder::NATIVE, as_bytes(src), dst).map_err(ToLatin1Error::in_units)
    }

    /// Converts UTF-16LE to Latin-1 in `dst`. Reports how much was read (bytes) and written (bytes), and why it stopped: at the
    /// first unpaired surrogate, at the first character that is not in Latin-1, or because `dst` is full.
    ///
    /// Half the length of `src` is always enough. `src` may have any alignment and any length.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16le_to_latin1(&fastutf::to_utf16le("café €"), &mut dst);
    /// assert_eq!((out.read, out.written), (10, 5));
    /// assert_eq!(dst[..out.written], *b"caf\xE9 ");
    /// assert_eq!(out.error().unwrap().valid_up_to(), 10);
    /// ```
    [short] fn utf16le_to_latin1(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf16Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf16le_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16le_to_latin1`](fn@crate::utf16le_to_latin1), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16le_to_latin1_uninit(&fastutf::to_utf16le("café"), &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// ```
    [short] fn utf16le_to_latin1_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf16Error>> {
        isa.utf16_to_latin1_bytes(ByteOrder::Little, src, dst)
    }

    /// Like [`utf16le_to_latin1`](fn@crate::utf16le_to_latin1), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"un ".to_vec();
    /// assert!(fastutf::utf16le_to_latin1_append(&fastutf::to_utf16le("café"), &mut dst).is_ok());
    /// assert_eq!(dst, b"un caf\xE9");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_to_latin1_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf16Error>> {
        isa.append_latin1_from_utf16(ByteOrder::Little, src, dst)
    }

    /// Converts UTF-16BE to Latin-1 in `dst`. Reports how much was read (bytes) and written (bytes), and why it stopped: at the
    /// first unpaired surrogate, at the first character that is not in Latin-1, or because `dst` is full.
    ///
    /// Half the length of `src` is always enough. `src` may have any alignment and any length.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16be_to_latin1(&fastutf::to_utf16be("café €"), &mut dst);
    /// assert_eq!((out.read, out.written), (10, 5));
    /// assert_eq!(dst[..out.written], *b"caf\xE9 ");
    /// assert_eq!(out.error().unwrap().valid_up_to(), 10);
    /// ```
    [short] fn utf16be_to_latin1(isa, src: &[u8], dst: &mut [u8]) -> Conversion<ToLatin1Error<Utf16Error>> {
        // SAFETY: conversions write initialised values only.
        isa.utf16be_to_latin1_uninit(src, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16be_to_latin1`](fn@crate::utf16be_to_latin1), but into memory that may be uninitialised. After the call, its first
    /// [`written`](Conversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16be_to_latin1_uninit(&fastutf::to_utf16be("café"), &mut dst);
    /// assert_eq!((out.read, out.written), (8, 4));
    /// ```
    [short] fn utf16be_to_latin1_uninit(isa, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Conversion<ToLatin1Error<Utf16Error>> {
        isa.utf16_to_latin1_bytes(ByteOrder::Big, src, dst)
    }

    /// Like [`utf16be_to_latin1`](fn@crate::utf16be_to_latin1), but appends to a `Vec`, which grows as needed. Returns the
    /// number of bytes appended.
    ///
    /// # Errors
    ///
    /// The first error in `src`; what is before it is appended.
    ///
    /// ```
    /// let mut dst = b"un ".to_vec();
    /// assert!(fastutf::utf16be_to_latin1_append(&fastutf::to_utf16be("café"), &mut dst).is_ok());
    /// assert_eq!(dst, b"un caf\xE9");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_to_latin1_append(isa, src: &[u8], dst: &mut Vec<u8>) -> Result<usize, ToLatin1Error<Utf16Error>> {
        isa.append_latin1_from_utf16(ByteOrder::Big, src, dst)
    }

    /// Converts UTF-8 to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each ill-formed sequence.
    /// Reports how much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// As many bytes as `src` has are always enough.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf8_to_latin1_lossy("5 €".as_bytes(), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (5, 3, 1));
    /// assert_eq!(dst[..3], *b"5 ?");
    /// ```
    fn utf8_to_latin1_lossy(isa, src: &[u8], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf8_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf8_to_latin1_lossy`](fn@crate::utf8_to_latin1_lossy), but into memory that may be uninitialised. After the call, its first
    /// [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf8_to_latin1_lossy_uninit("5 €".as_bytes(), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (5, 3, 1));
    /// ```
    fn utf8_to_latin1_lossy_uninit(isa, src: &[u8], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf8_to_latin1_bytes_lossy(src, replacement, dst)
    }

    /// Like [`utf8_to_latin1_lossy`](fn@crate::utf8_to_latin1_lossy), but appends to a `Vec`, which grows as needed: the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"=".to_vec();
    /// assert_eq!(fastutf::utf8_to_latin1_lossy_append("5 €".as_bytes(), b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"=5 ?");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf8_to_latin1_lossy_append(isa, src: &[u8], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        into_vec::append(dst, src.len(), || src.len(), converter!(isa.utf8_to_latin1_bytes_lossy(src, replacement)))
    }

    /// Converts UTF-16 to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each unpaired surrogate.
    /// Reports how much was read (code units) and written (bytes), and the number of replacements.
    ///
    /// As many bytes as `src` has code units are always enough.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16_to_latin1_lossy(&fastutf::to_utf16("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// assert_eq!(dst[..3], *b"5 ?");
    /// ```
    fn utf16_to_latin1_lossy(isa, src: &[u16], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16_to_latin1_lossy`](fn@crate::utf16_to_latin1_lossy), but into memory that may be uninitialised. After the call, its first
    /// [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16_to_latin1_lossy_uninit(&fastutf::to_utf16("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (3, 3, 1));
    /// ```
    fn utf16_to_latin1_lossy_uninit(isa, src: &[u16], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        lossy_read_in_units(isa.utf16_to_latin1_bytes_lossy(ByteOrder::NATIVE, as_bytes(src), replacement, dst))
    }

    /// Like [`utf16_to_latin1_lossy`](fn@crate::utf16_to_latin1_lossy), but appends to a `Vec`, which grows as needed: the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"=".to_vec();
    /// assert_eq!(fastutf::utf16_to_latin1_lossy_append(&fastutf::to_utf16("5 €"), b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"=5 ?");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16_to_latin1_lossy_append(isa, src: &[u16], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        lossy_read_in_units(isa.append_latin1_from_utf16_lossy(ByteOrder::NATIVE, as_bytes(src), replacement, dst))
    }

    /// Converts UTF-16LE to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each unpaired surrogate, or odd last byte.
    /// Reports how much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// Half the length of `src`, rounded up, is always enough.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16le_to_latin1_lossy(&fastutf::to_utf16le("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 3, 1));
    /// assert_eq!(dst[..3], *b"5 ?");
    /// ```
    fn utf16le_to_latin1_lossy(isa, src: &[u8], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16le_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16le_to_latin1_lossy`](fn@crate::utf16le_to_latin1_lossy), but into memory that may be uninitialised. After the call, its first
    /// [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16le_to_latin1_lossy_uninit(&fastutf::to_utf16le("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 3, 1));
    /// ```
    fn utf16le_to_latin1_lossy_uninit(isa, src: &[u8], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf16_to_latin1_bytes_lossy(ByteOrder::Little, src, replacement, dst)
    }

    /// Like [`utf16le_to_latin1_lossy`](fn@crate::utf16le_to_latin1_lossy), but appends to a `Vec`, which grows as needed: the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"=".to_vec();
    /// assert_eq!(fastutf::utf16le_to_latin1_lossy_append(&fastutf::to_utf16le("5 €"), b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"=5 ?");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16le_to_latin1_lossy_append(isa, src: &[u8], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_latin1_from_utf16_lossy(ByteOrder::Little, src, replacement, dst)
    }

    /// Converts UTF-16BE to Latin-1 in `dst`, with `replacement` for each character that is not in Latin-1 and for each unpaired surrogate, or odd last byte.
    /// Reports how much was read (bytes) and written (bytes), and the number of replacements.
    ///
    /// Half the length of `src`, rounded up, is always enough.
    ///
    /// ```
    /// let mut dst = [0; 8];
    /// let out = fastutf::utf16be_to_latin1_lossy(&fastutf::to_utf16be("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 3, 1));
    /// assert_eq!(dst[..3], *b"5 ?");
    /// ```
    fn utf16be_to_latin1_lossy(isa, src: &[u8], replacement: u8, dst: &mut [u8]) -> LossyConversion {
        // SAFETY: conversions write initialised values only.
        isa.utf16be_to_latin1_lossy_uninit(src, replacement, unsafe { as_uninit(dst) })
    }

    /// Like [`utf16be_to_latin1_lossy`](fn@crate::utf16be_to_latin1_lossy), but into memory that may be uninitialised. After the call, its first
    /// [`written`](LossyConversion::written) bytes are initialised.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    ///
    /// let mut dst = [MaybeUninit::uninit(); 8];
    /// let out = fastutf::utf16be_to_latin1_lossy_uninit(&fastutf::to_utf16be("5 €"), b'?', &mut dst);
    /// assert_eq!((out.read, out.written, out.replacements), (6, 3, 1));
    /// ```
    fn utf16be_to_latin1_lossy_uninit(isa, src: &[u8], replacement: u8, dst: &mut [MaybeUninit<u8>]) -> LossyConversion {
        isa.utf16_to_latin1_bytes_lossy(ByteOrder::Big, src, replacement, dst)
    }

    /// Like [`utf16be_to_latin1_lossy`](fn@crate::utf16be_to_latin1_lossy), but appends to a `Vec`, which grows as needed: the conversion is always complete.
    ///
    /// ```
    /// let mut dst = b"=".to_vec();
    /// assert_eq!(fastutf::utf16be_to_latin1_lossy_append(&fastutf::to_utf16be("5 €"), b'?', &mut dst).replacements, 1);
    /// assert_eq!(dst, b"=5 ?");
    /// ```
    #[cfg(feature = "alloc")]
    fn utf16be_to_latin1_lossy_append(isa, src: &[u8], replacement: u8, dst: &mut Vec<u8>) -> LossyConversion {
        isa.append_latin1_from_utf16_lossy(ByteOrder::Big, src, replacement, dst)
    }
}
