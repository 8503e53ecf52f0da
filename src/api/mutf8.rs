//! Modified UTF-8: what Java has in the Java Native Interface, in class files and in `DataInput.readUTF`.
//!
//! It differs from UTF-8 in two ways. U+0000 is `C0 80`: the text has no byte `00`, so that a byte `00` can mark its end. And each
//! code unit of UTF-16 is a sequence by itself: a character above U+FFFF is a pair of surrogates of three bytes each. Java's
//! strings may have unpaired surrogates, and so may modified UTF-8.
//!
//! ```
//! use fastutf::mutf8;
//!
//! assert_eq!(*mutf8::to_mutf8("a\0😀"), *b"a\xC0\x80\xED\xA0\xBD\xED\xB8\x80");
//! assert_eq!(mutf8::from_mutf8(b"a\xC0\x80\xED\xA0\xBD\xED\xB8\x80").as_deref(), Ok("a\0😀"));
//!
//! // Most texts have neither, and are borrowed.
//! assert!(matches!(mutf8::from_mutf8("żółw".as_bytes()), Ok(std::borrow::Cow::Borrowed("żółw"))));
//!
//! // Half of a pair is no text.
//! assert_eq!(mutf8::from_mutf8(b"a\xED\xA0\xBD").unwrap_err().valid_up_to(), 1);
//! assert_eq!(mutf8::from_mutf8_lossy(b"a\xED\xA0\xBD"), "a\u{FFFD}");
//! ```
//!
//! Everything else is as strict as UTF-8: overlong sequences are ill-formed, and so are a byte `00` and, unless they are [asked
//! for](#in-native-methods), sequences of four bytes. (`readUTF` accepts the former two.) The encoding CESU-8 is modified UTF-8 with U+0000 as one byte.
//!
//! # In native methods
//!
//! `GetStringUTFChars` returns modified UTF-8 that ends with a byte `00`: call [`from_mutf8`] with the result of
//! [`CStr::to_bytes`](core::ffi::CStr::to_bytes). `NewStringUTF` takes the same: [`to_mutf8_c_string`] makes it.
//! Android's `GetStringUTFChars` writes a character above U+FFFF as four bytes, as UTF-8 does: there, [`from_android_mutf8`] takes
//! what any version of it returns. The strict functions are for what a specification says, such as class files, and for Java
//! elsewhere: there, four bytes are a sign of text that is no modified UTF-8.
//!
//! ```
//! use fastutf::mutf8::{from_android_mutf8, from_mutf8};
//!
//! assert_eq!(from_android_mutf8(b"a\xF0\x9F\x98\x80").as_deref(), Ok("a😀"));
//! assert_eq!(from_mutf8(b"a\xF0\x9F\x98\x80").unwrap_err().valid_up_to(), 1);
//! ```
//!
//! `GetStringRegion` and `NewString` have UTF-16, and need no modified UTF-8: [`from_utf16`](fn@crate::from_utf16) and
//! [`to_utf16`](fn@crate::to_utf16). The repository has an example of both, `jni_strings`.
//!
//! # Functions
//!
//! Names are built as [those of this crate](crate#all-functions), and each is also a method of [`Isa`].
//!
//! | | the function |
//! |---|---|
//! | modified UTF-8 to text | [`from_mutf8`], with U+FFFD [`from_mutf8_lossy`]; borrowed if the bytes are the same |
//! | … in a buffer, with `_uninit` and `_append` | [`mutf8_to_utf8`], [`mutf8_to_utf8_lossy`] |
//! | its length | [`utf8_len_from_mutf8`] |
//! | text to modified UTF-8 | [`to_mutf8`], borrowed if the bytes are the same |
//! | … that ends with a byte `00` | [`to_mutf8_c_string`] |
//! | … in a buffer, with `_uninit` and `_append` | [`utf8_to_mutf8`] |
//! | its length | [`mutf8_len_from_utf8`] |
//! | UTF-16 to modified UTF-8, without loss | [`mutf8_from_utf16`], [`mutf8_c_string_from_utf16`] |
//! | … in a buffer, with `_uninit` and `_append` | [`utf16_to_mutf8`] |
//! | its length | [`mutf8_len_from_utf16`] |
//! | modified UTF-8 to UTF-16, without loss | [`utf16_from_mutf8`] |
//! | … in a buffer, with `_uninit` and `_append` | [`mutf8_to_utf16`] |
//! | its length | [`utf16_len_from_mutf8`] |
//! | check that it is modified UTF-8 | [`validate_mutf8`] |
//! | Android's, with sequences of four bytes, to text | [`from_android_mutf8`], with U+FFFD [`from_android_mutf8_lossy`] |
//! | … to UTF-8 and UTF-16, in a buffer, with `_uninit` and `_append` | [`android_mutf8_to_utf8`], [`android_mutf8_to_utf8_lossy`], [`android_mutf8_to_utf16`] |
//! | … to UTF-16, and check that it is Android's | [`utf16_from_android_mutf8`], [`validate_android_mutf8`] |

use core::convert::Infallible;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, CString, Cow, String, Vec};
use crate::api::wtf8::{advance, in_turn, outcome};
use crate::buffer::as_bytes;
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::replacement::Repair;
use crate::report::{Conversion, LossyConversion, Stop, Utf8Error};
pub use crate::report::{Mutf8Error, Mutf8ErrorKind, SurrogateError, ToUtf8Error};
use crate::scalar::{
    self,
    FourByteForms::{self, Refused},
};

pub use android::*;

mod android;

/// Up to this length, plain Rust looks through a text, and converts it if it has specials: calling a kernel for that takes longer.
const SHORT: usize = 128;

/// How many bytes are searched before they are converted: they are then in the fastest cache.
const LOOKED_THROUGH: usize = 16 << 10;

/// How many code units, and how many bytes of modified UTF-8, are escaped at a time.
const UNITS: usize = 512;
const BYTES: usize = 3 * UNITS;
/// Plain Rust does less than this, and what is special after so much that is not.
const ESCAPED_FROM: usize = 384;
const RARE: usize = 256;
/// If a piece got no further than this, use plain Rust for the next `PAUSE` rounds.
const WORTH: usize = 256;
const PAUSE: usize = 16;

/// Memory for escaped text, for UTF-16 in bytes, and for UTF-8 with a byte before and after it. And how many times to go on
/// without it.
struct Escape {
    escaped: [u8; 2 * BYTES],
    utf16: [u8; 2 * BYTES],
    utf8: [u8; BYTES + 2],
    pause: usize,
}

impl Escape {
    const NEW: Self = Self { escaped: [0; 2 * BYTES], utf16: [0; 2 * BYTES], utf8: [0; BYTES + 2], pause: 0 };

    /// Lets `convert` try, and returns how much it has read and written; `before` is the length of what was not special. Plain Rust has
    /// nothing to gain.
    #[inline(always)]
    fn attempt(
        isa: Isa,
        memory: &mut Option<Self>,
        before: usize,
        src: &[u8],
        convert: impl FnOnce(&mut Self) -> (usize, usize),
    ) -> (usize, usize) {
        if src.len() < ESCAPED_FROM || before > RARE || isa == Isa::SCALAR {
            return (0, 0);
        }
        let memory = memory.get_or_insert(Self::NEW);
        if memory.pause > 0 {
            memory.pause -= 1;
            return (0, 0);
        }
        let (read, written) = convert(memory);
        if read < WORTH {
            memory.pause = PAUSE;
        }
        (read, written)
    }
}

/// At most so many bytes of `src`, and no more than can matter with this much room.
#[inline(always)]
fn piece(src: &[u8], room: usize) -> &[u8] {
    &src[..src.len().min(LOOKED_THROUGH).min(room)]
}

/// Up to where it is known that there are neither bytes `00` nor lead bytes of four, so that each byte is looked at once.
struct Clean {
    until: usize,
    /// Whether what follows has not been looked at.
    open: bool,
    /// How far to look next, at most. It grows, so that a call that ends soon has not looked far.
    reach: usize,
}

impl Clean {
    const NEW: Self = Self { until: 0, open: false, reach: 128 };

    /// How much of `src[read..]` that is, of at most a piece, and no more than can matter with this much room.
    #[inline(always)]
    fn from(&mut self, isa: Isa, src: &[u8], read: usize, room: usize) -> usize {
        if self.until <= read {
            let piece = piece(&src[read..], room.min(self.reach));
            self.reach = (2 * self.reach).min(LOOKED_THROUGH);
            let clean = isa.utf8_without_specials(piece);
            (self.until, self.open) = (read + clean, clean == piece.len() && read + clean < src.len());
        }
        self.until - read
    }

    /// Whether it goes on behind `read`, but for a character that is cut there.
    #[inline(always)]
    fn goes_on(&self, read: usize) -> bool {
        self.open && read + 3 >= self.until
    }
}

/// Whether a text is short and has neither bytes `00` nor lead bytes of four.
#[inline(always)]
fn is_short_and_clean(src: &[u8]) -> bool {
    #[inline(never)]
    fn is_clean(src: &[u8]) -> bool {
        scalar::utf8_without_specials(src) == src.len()
    }
    src.len() <= SHORT && is_clean(src)
}

/// In all of these, stretches that are the same in UTF-8 are found, and converted by the kernels for UTF-8. What lies between is
/// left to plain Rust.
impl Isa {
    by_kernel! {
        /// The length of what has neither U+0000 nor surrogates.
        #[inline(always)]
        fn utf16_without_specials[order](src: &[u8]) -> usize = utf16_without_specials;
        /// The length of what has neither bytes `00` nor lead bytes of four.
        #[inline(always)]
        fn utf8_without_specials(src: &[u8]) -> usize = utf8_without_specials;
        fn escape_utf16[order](src: &[u8], dst: &mut [u8]) -> bool = escape_utf16;
        fn unescape_utf16[order](src: &[u8], dst: &mut Output) = unescape_utf16;
        fn escape_mutf8(src: &[u8], dst: &mut [u8]) -> bool = escape_mutf8;
        fn unescape_utf8(src: &[u8], dst: &mut Output) = unescape_utf8;
        fn mutf8_len_from_utf16_bytes[order](src: &[u8]) -> usize = mutf8_len_from_utf16;
    }

    /// Converts a piece of UTF-16 that has many specials. Returns how much it has read and written, which is nothing if there is
    /// too little room or if the text cannot be escaped.
    #[inline(never)]
    fn dense_utf16_to_mutf8(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        memory: &mut Escape,
    ) -> (usize, usize) {
        let src = &src[..src.len().min(2 * UNITS)];
        // Does not split a surrogate pair.
        let src = &src[..src.len() - scalar::incomplete_utf16(order, src)];
        let Escape { escaped, utf8, .. } = memory;
        let escaped = &mut escaped[..src.len()];
        if !self.escape_utf16(order, src, escaped) {
            return (0, 0);
        }
        let escaped = &*escaped;
        let out = converter!(self.utf16_bytes_to_utf8(order, escaped)).run_over(&mut utf8[1..=BYTES]);
        let written = out.written;
        if !out.is_complete() || written > dst.len() {
            return (0, 0);
        }
        utf8[written + 1] = 0;
        self.unescape_utf8(&utf8[..written + 2], &mut dst[..written]);
        (src.len(), written)
    }

    /// Escapes the start of `src`, and returns how many bytes of it, or 0 if that cannot be done.
    fn escape(self, src: &[u8], memory: &mut Escape) -> usize {
        let len = src.len().min(BYTES);
        let Escape { escaped, utf8, .. } = memory;
        // The bytes before and after the text are only read as neighbours.
        utf8[0] = 0;
        utf8[1..=len].copy_from_slice(&src[..len]);
        utf8[len + 1] = 0;
        if self.escape_mutf8(&utf8[..len + 2], &mut escaped[..len]) { len } else { 0 }
    }

    /// Converts a piece of modified UTF-8 that has many specials to UTF-16. Returns how much it has read and written: up to what is
    /// ill-formed, and nothing if the text cannot be escaped.
    fn escaped_mutf8_to_utf16(self, order: ByteOrder, src: &[u8], memory: &mut Escape) -> (usize, usize) {
        let len = self.escape(src, memory);
        let whole = len - scalar::incomplete_utf8(&memory.escaped[..len]);
        // Does not split a surrogate pair.
        let whole = if scalar::ends_with_high(src, whole) { whole - 3 } else { whole };
        let text = &memory.escaped[..whole];
        let out = converter!(self.utf8_to_utf16_bytes(order, text)).run_over(&mut memory.utf16);
        (out.read, out.written)
    }

    #[inline(never)]
    fn dense_mutf8_to_utf16(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
        memory: &mut Escape,
    ) -> (usize, usize) {
        let (read, written) = self.escaped_mutf8_to_utf16(order, src, memory);
        if written > dst.len() {
            return (0, 0);
        }
        self.unescape_utf16(order, &memory.utf16[..written], &mut dst[..written]);
        (read, written)
    }

    /// Converts modified UTF-8 by way of UTF-16, up to what is ill-formed or an unpaired surrogate.
    #[inline(never)]
    fn dense_mutf8_to_utf8(self, src: &[u8], dst: &mut Output, memory: &mut Escape) -> (usize, usize) {
        let order = ByteOrder::NATIVE;
        let (read, units) = self.escaped_mutf8_to_utf16(order, src, memory);
        let Escape { escaped: unescaped, utf16, .. } = memory;
        let unescaped = &mut unescaped[..units];
        self.unescape_utf16(order, &utf16[..units], Output::over(unescaped));
        let out = self.utf16_bytes_to_utf8(order, unescaped, dst);
        // Each text has only one encoding, so its length tells how much was read.
        let read =
            if out.read == units { read } else { self.mutf8_len_from_utf16_bytes(order, &unescaped[..out.read]) };
        (read, out.written)
    }

    /// Converts UTF-8 by way of UTF-16, up to what is ill-formed.
    #[inline(never)]
    fn dense_utf8_to_mutf8(self, src: &[u8], dst: &mut Output, memory: &mut Escape) -> (usize, usize) {
        let order = ByteOrder::NATIVE;
        // A text has no more code units than bytes.
        let len = src.len().min(UNITS);
        let src = &src[..len - scalar::incomplete_utf8(&src[..len])];
        let mut utf16 = [0; 2 * UNITS];
        let out = converter!(self.utf8_to_utf16_bytes(order, src)).run_over(&mut utf16);
        let (_, written) = self.dense_utf16_to_mutf8(order, &utf16[..out.written], dst, memory);
        if written == 0 { (0, 0) } else { (out.read, written) }
    }

    /// The length of the well-formed part of a piece, or 0 if it cannot be escaped.
    #[inline(never)]
    fn valid_dense_mutf8(self, src: &[u8], memory: &mut Escape) -> usize {
        let len = self.escape(src, memory);
        self.valid_len(&memory.escaped[..len])
    }

    /// Converts by kernels, from or to what is `same` in UTF-8, by escapes where specials are dense, and by plain Rust, in turn.
    #[inline(always)]
    fn in_turn(
        self,
        src: &[u8],
        dst: &mut Output,
        same: impl FnMut(&mut Repair, &mut Output) -> bool,
        dense: impl Fn(&[u8], &mut Output, &mut Escape) -> (usize, usize),
        plain: impl Fn(usize, &mut Output) -> scalar::Stretch,
    ) -> (Repair, Stop<()>) {
        if src.len() > SHORT {
            return self.long_in_turn(src, dst, same, dense, plain);
        }
        in_turn(src, dst, Repair::default(), false, |_, _| true, plain)
    }

    /// Has much memory on the stack.
    #[inline(never)]
    fn long_in_turn(
        self,
        src: &[u8],
        dst: &mut Output,
        mut same: impl FnMut(&mut Repair, &mut Output) -> bool,
        dense: impl Fn(&[u8], &mut Output, &mut Escape) -> (usize, usize),
        plain: impl Fn(usize, &mut Output) -> scalar::Stretch,
    ) -> (Repair, Stop<()>) {
        let mut memory = None;
        let kernel = |done: &mut Repair, dst: &mut Output| {
            loop {
                let before = done.read;
                if !same(done, dst) {
                    return false;
                }
                if done.read == src.len() {
                    return true;
                }
                let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
                let (read, written) = Escape::attempt(self, &mut memory, done.read - before, rest, |memory| {
                    dense(rest, room, memory)
                });
                if read == 0 {
                    return true;
                }
                done.add(Repair { read, written, replacements: 0 });
            }
        };
        in_turn(src, dst, Repair::default(), false, kernel, plain)
    }

    fn utf16_bytes_to_mutf8(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Conversion<Infallible> {
        if src.len() <= SHORT && scalar::utf16_without_specials(order, src) == src.len() {
            let Conversion { read, written, stop } = self.utf16_bytes_to_utf8(order, src, dst);
            return Conversion { read, written, stop: stop.map(|_| unreachable!("there is no surrogate")) };
        }
        let same = |done: &mut Repair, dst: &mut Output| {
            loop {
                let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
                // A code unit becomes at least one byte.
                let piece = piece(rest, (2 * room.len()).saturating_add(2));
                let plain = self.utf16_without_specials(order, piece);
                if plain > 0 && !advance(done, plain, self.utf16_bytes_to_utf8(order, &rest[..plain], room)) {
                    return false;
                }
                if plain < piece.len() || done.read == src.len() {
                    return true;
                }
            }
        };
        let dense =
            |src: &[u8], dst: &mut Output, memory: &mut _| self.dense_utf16_to_mutf8(order, src, dst, memory);
        let out = self.in_turn(src, dst, same, dense, |read, dst| scalar::utf16_to_mutf8(order, src, dst, read));
        outcome(out, |_| unreachable!("UTF-16 is never ill-formed modified UTF-8"))
    }

    fn mutf8_to_utf16_bytes(
        self,
        four: FourByteForms,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> Conversion<Mutf8Error> {
        // `ED` is mostly a surrogate's, an error there.
        if is_short_and_clean(src) && !src.contains(&0xED) {
            let Conversion { read, written, stop } = self.utf8_to_utf16_bytes(order, src, dst);
            match stop {
                Stop::Complete => return Conversion { read, written, stop: Stop::Complete },
                Stop::OutputFull => return Conversion { read, written, stop: Stop::OutputFull },
                // Perhaps U+0000 or a surrogate.
                Stop::Invalid(_) => {}
            }
        }
        let mut clean = Clean::NEW;
        let same = |done: &mut Repair, dst: &mut Output| {
            loop {
                let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
                // A code unit is of up to three bytes.
                let plain = clean.from(self, src, done.read, room.len().saturating_mul(2).saturating_add(4));
                let plain = &rest[..plain];
                let plain = &plain[..plain.len() - scalar::incomplete_utf8(plain)];
                if plain.is_empty() {
                    return true;
                }
                let out = self.utf8_to_utf16_bytes(order, plain, room);
                if !advance(done, plain.len(), out) {
                    return false;
                }
                if !out.is_complete() || !clean.goes_on(done.read) {
                    return true;
                }
            }
        };
        let dense =
            |src: &[u8], dst: &mut Output, memory: &mut _| self.dense_mutf8_to_utf16(order, src, dst, memory);
        let plain = |read, dst: &mut Output| scalar::mutf8_to_utf16(four, order, src, dst, read);
        outcome(self.in_turn(src, dst, same, dense, plain), |at| scalar::mutf8_error_at(four, src, at))
    }

    /// The length of the text at `src[read..]`, at most a piece, that is the same in UTF-8 and in modified UTF-8. What follows may be
    /// the same as well.
    fn same_in_mutf8(self, src: &[u8], read: usize, room: usize, clean: &mut Clean) -> usize {
        let plain = clean.from(self, src, read, room);
        self.valid_len(&src[read..][..plain])
    }

    /// Copies what is the same, and returns whether there was enough room.
    fn copy_same(self, src: &[u8], dst: &mut Output, done: &mut Repair, clean: &mut Clean) -> bool {
        loop {
            let room = &mut dst[done.written..];
            let same = self.same_in_mutf8(src, done.read, room.len().saturating_add(4), clean);
            let fits = scalar::copy_valid(&src[done.read..], same, room);
            done.add(Repair { read: fits, written: fits, replacements: 0 });
            if fits < same {
                return false;
            }
            if same == 0 || !clean.goes_on(done.read) {
                return true;
            }
        }
    }

    /// Copies a short text that is the same, if it fits.
    #[inline(always)]
    fn short_copy(self, src: &[u8], dst: &mut Output) -> bool {
        let same = src.len() <= dst.len() && is_short_and_clean(src) && self.validate_utf8(src).is_ok();
        if same {
            dst[..src.len()].write(src);
        }
        same
    }

    fn utf8_bytes_to_mutf8(self, src: &[u8], dst: &mut Output) -> Conversion<Utf8Error> {
        if self.short_copy(src, dst) {
            return Conversion { read: src.len(), written: src.len(), stop: Stop::Complete };
        }
        let mut clean = Clean::NEW;
        let same = |done: &mut Repair, dst: &mut Output| self.copy_same(src, dst, done, &mut clean);
        let dense = |src: &[u8], dst: &mut Output, memory: &mut _| self.dense_utf8_to_mutf8(src, dst, memory);
        let out = self.in_turn(src, dst, same, dense, |read, dst| scalar::utf8_to_mutf8(src, dst, read));
        outcome(out, |at| scalar::utf8_error_at(src, at))
    }

    fn mutf8_bytes_to_utf8(
        self,
        four: FourByteForms,
        src: &[u8],
        dst: &mut Output,
    ) -> Conversion<ToUtf8Error<Mutf8Error>> {
        if self.short_copy(src, dst) {
            return Conversion { read: src.len(), written: src.len(), stop: Stop::Complete };
        }
        let mut clean = Clean::NEW;
        let same = |done: &mut Repair, dst: &mut Output| self.copy_same(src, dst, done, &mut clean);
        let dense = |src: &[u8], dst: &mut Output, memory: &mut _| self.dense_mutf8_to_utf8(src, dst, memory);
        let out = self.in_turn(src, dst, same, dense, |read, dst| scalar::mutf8_to_utf8(four, src, dst, read));
        outcome(out, |at| not_utf8(four, src, at))
    }

    fn mutf8_bytes_to_utf8_lossy(self, four: FourByteForms, src: &[u8], dst: &mut Output) -> LossyConversion {
        if self.short_copy(src, dst) {
            return Repair { read: src.len(), written: src.len(), replacements: 0 }.outcome(src.len());
        }
        let mut clean = Clean::NEW;
        let same = |done: &mut Repair, dst: &mut Output| self.copy_same(src, dst, done, &mut clean);
        let dense = |src: &[u8], dst: &mut Output, memory: &mut _| self.dense_mutf8_to_utf8(src, dst, memory);
        let plain = |read, dst: &mut Output| scalar::mutf8_to_utf8_lossy(four, src, dst, read);
        self.in_turn(src, dst, same, dense, plain).0.outcome(src.len())
    }

    fn check_mutf8(self, four: FourByteForms, src: &[u8]) -> Result<(), Mutf8Error> {
        if is_short_and_clean(src) && self.validate_utf8(src).is_ok() {
            return Ok(());
        }
        let mut clean = Clean::NEW;
        let same = |done: &mut Repair, _: &mut Output| {
            loop {
                let same = self.same_in_mutf8(src, done.read, usize::MAX, &mut clean);
                done.read += same;
                if same == 0 || !clean.goes_on(done.read) {
                    return true;
                }
            }
        };
        let dense = |src: &[u8], _: &mut Output, memory: &mut _| (self.valid_dense_mutf8(src, memory), 0);
        let out =
            self.in_turn(src, Output::new(&mut []), same, dense, |read, _| scalar::check_mutf8(four, src, read));
        outcome(out, |at| scalar::mutf8_error_at(four, src, at)).error().map_or(Ok(()), Err)
    }

    /// The text, if these bytes are the same in UTF-8.
    #[cfg(feature = "alloc")]
    fn same_text(self, four: FourByteForms, src: &[u8]) -> Option<&str> {
        let may_be = match four {
            FourByteForms::Refused if src.len() <= SHORT => is_short_and_clean(src),
            FourByteForms::Refused => self.utf8_without_specials(src) == src.len(),
            FourByteForms::Taken => !src.contains(&0),
        };
        if may_be { self.from_utf8(src).ok() } else { None }
    }

    #[cfg(feature = "alloc")]
    fn text_from_mutf8(self, four: FourByteForms, src: &[u8]) -> Result<Cow<'_, str>, ToUtf8Error<Mutf8Error>> {
        if let Some(text) = self.same_text(four, src) {
            return Ok(Cow::Borrowed(text));
        }
        let count = move || self.utf8_len_from_mutf8(src);
        let (bytes, out) = into_vec::collect(src.len(), count, converter!(self.mutf8_bytes_to_utf8(four, src)));
        out.appended()?;
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        Ok(Cow::Owned(unsafe { String::from_utf8_unchecked(bytes) }))
    }

    #[cfg(feature = "alloc")]
    fn text_from_mutf8_lossy(self, four: FourByteForms, src: &[u8]) -> Cow<'_, str> {
        if let Some(text) = self.same_text(four, src) {
            return Cow::Borrowed(text);
        }
        let mut text = String::new();
        let _ = match four {
            FourByteForms::Refused => self.mutf8_to_utf8_lossy_append(src, &mut text),
            FourByteForms::Taken => self.android_mutf8_to_utf8_lossy_append(src, &mut text),
        };
        text.shrink_to_fit();
        Cow::Owned(text)
    }
}

/// Why `src` cannot become UTF-8 at `at`.
#[cold]
#[inline(never)]
fn not_utf8(four: FourByteForms, src: &[u8], at: usize) -> ToUtf8Error<Mutf8Error> {
    match scalar::surrogate(src, at) {
        Some(surrogate) => ToUtf8Error::Surrogate(SurrogateError::new(at, surrogate)),
        None => ToUtf8Error::IllFormed(scalar::mutf8_error_at(four, src, at)),
    }
}

/// Bytes without `00`, ended by one.
#[cfg(feature = "alloc")]
fn c_string(bytes: Vec<u8>) -> CString {
    CString::new(bytes).expect("modified UTF-8 has no byte 00")
}

operations! {
    /// Checks that `src` is well-formed modified UTF-8; the error describes the first ill-formed sequence.
    ///
    /// # Errors
    ///
    /// The offset in bytes, the length and the kind of the first ill-formed sequence.
    ///
    /// ```
    /// use fastutf::mutf8::{Mutf8ErrorKind, validate_mutf8};
    ///
    /// assert!(validate_mutf8(b"a\xC0\x80\xED\xA0\xBD").is_ok());
    /// let error = validate_mutf8(b"a\0").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.kind()), (1, Mutf8ErrorKind::Nul));
    /// ```
    fn validate_mutf8(isa, src: &[u8]) -> Result<(), Mutf8Error> {
        isa.check_mutf8(Refused, src)
    }

    /// Returns modified UTF-8 as text. Borrows if it is the same in UTF-8: if there is neither U+0000 nor a character above U+FFFF.
    ///
    /// # Errors
    ///
    /// The first unpaired surrogate or ill-formed sequence, whichever comes first.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::from_mutf8(b"z\xC0\x80").as_deref(), Ok("z\0"));
    /// assert_eq!(fastutf::mutf8::from_mutf8(b"z\xED\xA0\xBD").unwrap_err().valid_up_to(), 1);
    /// ```
    "alloc" fn from_mutf8(isa, src: &[u8]) -> Result<Cow<'_, str>, ToUtf8Error<Mutf8Error>> {
        isa.text_from_mutf8(Refused, src)
    }

    /// Returns modified UTF-8 as text, with U+FFFD for each unpaired surrogate and for each ill-formed sequence. Borrows if it is
    /// the same in UTF-8.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::from_mutf8_lossy(b"z\xC0\x80\xED\xA0\xBD\xFF"), "z\0\u{FFFD}\u{FFFD}");
    /// ```
    #[must_use]
    "alloc" fn from_mutf8_lossy(isa, src: &[u8]) -> Cow<'_, str> {
        isa.text_from_mutf8_lossy(Refused, src)
    }

    /// Returns the number of bytes of UTF-8 that modified UTF-8, also Android's, converts to; unpaired surrogates count as U+FFFD.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::utf8_len_from_mutf8(b"z\xC0\x80\xED\xA0\xBD\xED\xB8\x80"), 1 + 1 + 4);
    /// ```
    #[must_use]
    fn utf8_len_from_mutf8(isa, src: &[u8]) -> usize {
        dispatch!(isa, utf8_len_from_mutf8(src))
    }

    /// Returns text as modified UTF-8. Borrows if it is the same in UTF-8: if there is neither U+0000 nor a character above U+FFFF.
    ///
    /// ```
    /// assert_eq!(*fastutf::mutf8::to_mutf8("z\0"), *b"z\xC0\x80");
    /// assert!(matches!(fastutf::mutf8::to_mutf8("zł"), std::borrow::Cow::Borrowed(_)));
    /// ```
    #[must_use]
    "alloc" fn to_mutf8(isa, text: &str) -> Cow<'_, [u8]> {
        let src = text.as_bytes();
        if isa.utf8_without_specials(src) == src.len() {
            return Cow::Borrowed(src);
        }
        let count = move || isa.mutf8_len_from_utf8(src);
        let (bytes, out) =
            into_vec::collect(src.len().saturating_mul(2), count, converter!(isa.utf8_bytes_to_mutf8(src)));
        debug_assert!(out.is_complete());
        Cow::Owned(bytes)
    }

    /// Returns text as modified UTF-8 that ends with a byte `00`, as `NewStringUTF` and `FindClass` of the Java Native Interface take
    /// it. U+0000 does not end the text: it is `C0 80`.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::to_mutf8_c_string("z\0").as_c_str(), c"z\xC0\x80");
    /// ```
    #[must_use]
    "alloc" fn to_mutf8_c_string(isa, text: &str) -> CString {
        let src = text.as_bytes();
        let len = isa.mutf8_len_from_utf8(src);
        let mut bytes = Vec::with_capacity(len + 1);
        let _ = into_vec::append(&mut bytes, len, || len, converter!(isa.utf8_bytes_to_mutf8(src)));
        c_string(bytes)
    }

    /// Returns the number of bytes of modified UTF-8 that UTF-8 converts to.
    ///
    /// For ill-formed input, the number of bytes, one more for each `00`, and two more for each from `F0` on.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::mutf8_len_from_utf8("z\0😀".as_bytes()), 1 + 2 + 6);
    /// ```
    #[must_use]
    fn mutf8_len_from_utf8(isa, src: &[u8]) -> usize {
        dispatch!(isa, mutf8_len_from_utf8(src))
    }

    /// Returns UTF-16, which may be ill-formed, as modified UTF-8 that ends with a byte `00`: what `GetStringUTFChars` of the Java
    /// Native Interface makes of a string.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::mutf8_c_string_from_utf16(&[0x7A, 0]).as_c_str(), c"z\xC0\x80");
    /// ```
    #[must_use]
    "alloc" fn mutf8_c_string_from_utf16(isa, src: &[u16]) -> CString {
        let len = isa.mutf8_len_from_utf16(src);
        let mut bytes = Vec::with_capacity(len + 1);
        let _ = into_vec::append(&mut bytes, len, || len, converter!(isa.utf16_to_mutf8_uninit(src)));
        c_string(bytes)
    }

    /// Returns the number of bytes of modified UTF-8 that UTF-16 converts to.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::mutf8_len_from_utf16(&[0x7A, 0, 0xD83D]), 1 + 2 + 3);
    /// ```
    #[must_use]
    fn mutf8_len_from_utf16(isa, src: &[u16]) -> usize {
        isa.mutf8_len_from_utf16_bytes(ByteOrder::NATIVE, as_bytes(src))
    }

    /// Returns the number of code units of UTF-16 that modified UTF-8, also Android's, converts to. It is the number of bytes that are
    /// not continuation bytes, with those from `F0` on counted twice.
    ///
    /// ```
    /// assert_eq!(fastutf::mutf8::utf16_len_from_mutf8(b"z\xC0\x80\xED\xA0\xBD"), 3);
    /// ```
    #[must_use]
    fn utf16_len_from_mutf8(isa, src: &[u8]) -> usize {
        isa.utf16_len_from_utf8(src)
    }
}

infallible! { in "fastutf::mutf8";
    short utf16_bytes_to_mutf8, nul;
    length(isa, order, src): max (src.len() / 2).saturating_mul(3), count isa.mutf8_len_from_utf16_bytes(order, src);
    {
        /// Unpaired surrogates are kept. A surrogate pair is not split. Three bytes for each code unit are always enough;
        /// [`mutf8_len_from_utf16`](fn@mutf8_len_from_utf16) returns the exact number.
        utf16 => mutf8 [ByteOrder::NATIVE]: utf16_to_mutf8, utf16_to_mutf8_uninit, utf16_to_mutf8_append, mutf8_from_utf16;
    }
}

strict! { in "fastutf::mutf8";
    short utf8_bytes_to_mutf8 -> Utf8Error, nul;
    length(isa, order, src): max src.len().saturating_mul(2), count isa.mutf8_len_from_utf8(src);
    {
        /// Twice the length of `src` is always enough; [`mutf8_len_from_utf8`](fn@mutf8_len_from_utf8) returns the exact
        /// number.
        utf8 => mutf8 []: utf8_to_mutf8, utf8_to_mutf8_uninit, utf8_to_mutf8_append;
    }

    short mutf8_bytes_to_utf8 -> ToUtf8Error<Mutf8Error>, nul;
    length(isa, order, src): max src.len(), count src.len();
    {
        /// An unpaired surrogate is an error, too. The length of `src` is always enough;
        /// [`utf8_len_from_mutf8`](fn@utf8_len_from_mutf8) returns the exact number.
        mutf8 => utf8 [Refused]: mutf8_to_utf8, mutf8_to_utf8_uninit, mutf8_to_utf8_append;
    }

    short mutf8_to_utf16_bytes -> Mutf8Error, nul;
    length(isa, order, src): max src.len(), count isa.utf16_len_from_mutf8(src);
    {
        /// A surrogate pair is not split. As many code units as `src` has bytes are always enough;
        /// [`utf16_len_from_mutf8`](fn@utf16_len_from_mutf8) returns the exact number.
        mutf8 => utf16 [Refused, ByteOrder::NATIVE]: mutf8_to_utf16, mutf8_to_utf16_uninit, mutf8_to_utf16_append, utf16_from_mutf8;
    }
}

lossy! { in "fastutf::mutf8";
    mutf8_bytes_to_utf8_lossy, "U+FFFD for each unpaired surrogate, and for each ill-formed sequence (a maximal subpart)";
    // Only ill-formed sequences become longer.
    length(isa, order, src): max src.len().saturating_mul(3), count src.len(), exact src.len().saturating_mul(3);
    {
        /// As many bytes as `src` has are always enough for modified UTF-8, and three times as many for any input.
        mutf8 => utf8 [Refused]: mutf8_to_utf8_lossy, mutf8_to_utf8_lossy_uninit, mutf8_to_utf8_lossy_append;
    }
}
