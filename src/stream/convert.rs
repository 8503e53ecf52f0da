//! Conversion of whole text from any encoding to any other, or to the same: the table of pairs is in [`Task::run`].
//!
//! | from \ to | UTF-8 | UTF-16 | UTF-32 | Latin-1 | WTF-8 |
//! |---|---|---|---|---|---|
//! | UTF-8 | copy, function | function | function | function | as to UTF-8 |
//! | UTF-16 | function | copy | function, swap | function | function |
//! | UTF-32 | function | function, swap | copy, replace | function | as to UTF-8 |
//! | Latin-1 | function | function | function | copy | as to UTF-8 |
//! | WTF-8 | as UTF-8, function | function, replace | as UTF-8, replace | as UTF-8, replace | copy, replace |
//!
//! - *function*: that of the name `FROM_to_TO`. Where there are two words, the second one is for lossy conversions, except:
//! - *swap*: if the byte orders differ, the function for the same byte order runs, and then the bytes of the result are swapped
//!   in place, 8 KB of input at a time. (On an AMD EPYC, Zen 4, with AVX-512, virtual: Cyrillic from UTF-32LE to UTF-16BE at 0.7
//!   of the speed of UTF-16LE, from UTF-16LE to UTF-32BE at 0.36 of that of UTF-32LE, which is 20 GB/s written.)
//! - *copy*: pieces of 8 KB are checked, copied and, if the byte orders differ, swapped.
//! - *replace*: the strict conversion, which continues after each replacement.
//! - *as UTF-8*: up to the first surrogate, WTF-8 is UTF-8; and what has no surrogates becomes the same as in UTF-8.

use super::Encoding;
#[cfg(any(feature = "utf32", feature = "wtf8"))]
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::isa::ToOutput;
use crate::output::Output;
use crate::report::{Conversion, LossyConversion, Stop};

/// How many bytes are checked and then copied at a time, so that both stay in the fastest cache.
const PIECE: usize = 8 << 10;

/// A conversion: from which encoding to which, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub isa: Isa,
    pub from: Encoding,
    pub to: Encoding,
    pub lossy: bool,
    /// What a lossy conversion to Latin-1 writes for what it does not have.
    #[cfg(feature = "latin1")]
    pub substitute: u8,
}

/// How far it got. An error is at `read`; [`error_at`](Encoding::error_at) describes it.
pub(super) struct Progress {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub stop: Stop<()>,
}

impl Task {
    /// Converts text that does not end inside a character.
    #[inline(always)]
    pub(super) fn run(self, text: &[u8], dst: &mut Output) -> Progress {
        use Encoding::*;
        let isa = ToOutput(self.isa);
        match (self.from, self.to, self.lossy) {
            (Utf8, Utf8, true) => isa.utf8_to_utf8_bytes_lossy(text, dst).into(),
            (Utf8, Utf16Le, true) => isa.utf8_to_utf16le_lossy_uninit(text, dst).into(),
            (Utf8, Utf16Be, true) => isa.utf8_to_utf16be_lossy_uninit(text, dst).into(),
            (Utf16Le, Utf8, true) => isa.utf16le_to_utf8_lossy_uninit(text, dst).into(),
            (Utf16Be, Utf8, true) => isa.utf16be_to_utf8_lossy_uninit(text, dst).into(),
            (Utf8, Utf16Le, false) => isa.utf8_to_utf16le_uninit(text, dst).into(),
            (Utf8, Utf16Be, false) => isa.utf8_to_utf16be_uninit(text, dst).into(),
            (Utf16Le, Utf8, false) => isa.utf16le_to_utf8_uninit(text, dst).into(),
            (Utf16Be, Utf8, false) => isa.utf16be_to_utf8_uninit(text, dst).into(),
            (Utf8, Utf8, false) | (Utf16Le | Utf16Be, Utf16Le | Utf16Be, _) => self.copy(text, dst),
            #[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
            _ => self.run_optional(text, dst),
        }
    }

    /// The rows and columns of the table that a feature adds.
    #[cfg(any(feature = "latin1", feature = "utf32", feature = "wtf8"))]
    #[inline(never)]
    fn run_optional(self, text: &[u8], dst: &mut Output) -> Progress {
        #![cfg_attr(not(feature = "latin1"), allow(unused_variables))]
        use Encoding::*;
        let isa = ToOutput(self.isa);
        match (self.from, self.to, self.lossy) {
            #[cfg(feature = "latin1")]
            (Latin1, Utf8, _) => isa.latin1_to_utf8_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Latin1, Utf16Le, _) => isa.latin1_to_utf16le_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Latin1, Utf16Be, _) => isa.latin1_to_utf16be_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Latin1, Latin1, _) => Self { lossy: false, ..self }.copy(text, dst),
            #[cfg(feature = "latin1")]
            (Utf8, Latin1, false) => isa.utf8_to_latin1_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Utf16Le, Latin1, false) => isa.utf16le_to_latin1_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Utf16Be, Latin1, false) => isa.utf16be_to_latin1_uninit(text, dst).into(),
            #[cfg(feature = "latin1")]
            (Utf8, Latin1, true) => isa.utf8_to_latin1_lossy_uninit(text, self.substitute, dst).into(),
            #[cfg(feature = "latin1")]
            (Utf16Le, Latin1, true) => isa.utf16le_to_latin1_lossy_uninit(text, self.substitute, dst).into(),
            #[cfg(feature = "latin1")]
            (Utf16Be, Latin1, true) => isa.utf16be_to_latin1_lossy_uninit(text, self.substitute, dst).into(),

            #[cfg(feature = "utf32")]
            (Utf8, Utf32Le, false) => isa.utf8_to_utf32le_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf8, Utf32Be, false) => isa.utf8_to_utf32be_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf16Le, Utf32Le, false) => isa.utf16le_to_utf32le_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf16Be, Utf32Be, false) => isa.utf16be_to_utf32be_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Le, Utf8, false) => isa.utf32le_to_utf8_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Be, Utf8, false) => isa.utf32be_to_utf8_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Le, Utf16Le, false) => isa.utf32le_to_utf16le_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Be, Utf16Be, false) => isa.utf32be_to_utf16be_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf8, Utf32Le, true) => isa.utf8_to_utf32le_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf8, Utf32Be, true) => isa.utf8_to_utf32be_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf16Le, Utf32Le, true) => isa.utf16le_to_utf32le_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf16Be, Utf32Be, true) => isa.utf16be_to_utf32be_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Le, Utf8, true) => isa.utf32le_to_utf8_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Be, Utf8, true) => isa.utf32be_to_utf8_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Le, Utf16Le, true) => isa.utf32le_to_utf16le_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf32Be, Utf16Be, true) => isa.utf32be_to_utf16be_lossy_uninit(text, dst).into(),
            #[cfg(feature = "utf32")]
            (Utf16Le, Utf32Be, _) | (Utf16Be, Utf32Le, _) | (Utf32Le, Utf16Be, _) | (Utf32Be, Utf16Le, _) => {
                self.swapped(text, dst)
            }
            #[cfg(feature = "utf32")]
            (Utf32Le | Utf32Be, Utf32Le | Utf32Be, false) => self.copy(text, dst),
            #[cfg(feature = "utf32")]
            (Utf32Le | Utf32Be, Utf32Le | Utf32Be, true) => self.replacing(text, dst),

            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Latin1, Utf32Le, _) => isa.latin1_to_utf32le_uninit(text, dst).into(),
            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Latin1, Utf32Be, _) => isa.latin1_to_utf32be_uninit(text, dst).into(),
            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Utf32Le, Latin1, false) => isa.utf32le_to_latin1_uninit(text, dst).into(),
            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Utf32Be, Latin1, false) => isa.utf32be_to_latin1_uninit(text, dst).into(),
            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Utf32Le, Latin1, true) => isa.utf32le_to_latin1_lossy_uninit(text, self.substitute, dst).into(),
            #[cfg(all(feature = "latin1", feature = "utf32"))]
            (Utf32Be, Latin1, true) => isa.utf32be_to_latin1_lossy_uninit(text, self.substitute, dst).into(),

            #[cfg(feature = "wtf8")]
            (Utf16Le, Wtf8, _) => isa.any_utf16_bytes_to_wtf8(ByteOrder::Little, text, dst).into(),
            #[cfg(feature = "wtf8")]
            (Utf16Be, Wtf8, _) => isa.any_utf16_bytes_to_wtf8(ByteOrder::Big, text, dst).into(),
            #[cfg(feature = "wtf8")]
            (Wtf8, Utf16Le, false) => isa.wtf8_to_utf16le_uninit(text, dst).into(),
            #[cfg(feature = "wtf8")]
            (Wtf8, Utf16Be, false) => isa.wtf8_to_utf16be_uninit(text, dst).into(),
            #[cfg(feature = "wtf8")]
            (Wtf8, Utf8, true) => isa.wtf8_to_utf8_lossy_uninit(text, dst).into(),
            #[cfg(feature = "wtf8")]
            (Wtf8, Wtf8, false) => self.copy(text, dst),
            #[cfg(feature = "wtf8")]
            (Wtf8, _, true) => self.replacing(text, dst),
            // Up to a surrogate, WTF-8 is UTF-8.
            #[cfg(feature = "wtf8")]
            (Wtf8, _, false) => Self { from: Utf8, ..self }.run_nested(text, dst),
            // What has no surrogates is the same in WTF-8 as in UTF-8.
            #[cfg(feature = "wtf8")]
            (_, Wtf8, _) => Self { to: Utf8, ..self }.run_nested(text, dst),

            (Utf8 | Utf16Le | Utf16Be, Utf8 | Utf16Le | Utf16Be, _) => unreachable!("this is in `run`"),
        }
    }

    /// Writes what replaces an ill-formed sequence, or a character that Latin-1 does not have, and returns its length, or
    /// `None` if there is too little room.
    pub(super) fn replace(self, dst: &mut Output) -> Option<usize> {
        let replacement = self.to.replacement();
        #[cfg(feature = "latin1")]
        let substitute = [self.substitute];
        #[cfg(feature = "latin1")]
        let replacement = if self.to == Encoding::Latin1 { &substitute } else { replacement };
        dst.get_mut(..replacement.len())?.write(replacement);
        Some(replacement.len())
    }

    /// [`run`](Self::run), which is not inlined.
    #[cfg(feature = "wtf8")]
    #[inline(never)]
    fn run_nested(self, text: &[u8], dst: &mut Output) -> Progress {
        self.run(text, dst)
    }

    /// Converts to the other byte order, and swaps the bytes of the result, piece by piece.
    #[cfg(feature = "utf32")]
    fn swapped(self, text: &[u8], dst: &mut Output) -> Progress {
        let isa = self.isa;
        let order = match self.from {
            Encoding::Utf16Le | Encoding::Utf32Le => ByteOrder::Little,
            _ => ByteOrder::Big,
        };
        let mut all = Progress { read: 0, written: 0, replacements: 0, stop: Stop::Complete };
        loop {
            let rest = &text[all.read..];
            let mut len = rest.len().min(PIECE);
            if len < rest.len() {
                len -= self.from.incomplete_end(&rest[..len]);
            }
            let (piece, room) = (&rest[..len], &mut dst[all.written..]);
            macro_rules! viewed {
                ($converter:expr) => {{
                    let (out, written) = $converter.run_and_view(room);
                    (Progress::from(out), written)
                }};
            }
            let (step, written) = match (self.to.bom().len(), self.lossy) {
                (4, false) => viewed!(converter!(isa.utf16_to_utf32_bytes(order, piece))),
                (4, true) => viewed!(converter!(isa.utf16_to_utf32_bytes_lossy(order, piece))),
                (_, false) => viewed!(converter!(isa.utf32_bytes_to_utf16(order, piece))),
                (_, true) => viewed!(converter!(isa.utf32_bytes_to_utf16_lossy(order, piece))),
            };
            self.to.swap_units(isa, written);
            all.add(&step);
            if all.read == text.len() || !matches!(step.stop, Stop::Complete) {
                return Progress { stop: step.stop, ..all };
            }
        }
    }

    /// A lossy conversion by a strict one, which continues after each replacement.
    #[cfg(any(feature = "utf32", feature = "wtf8"))]
    fn replacing(self, text: &[u8], dst: &mut Output) -> Progress {
        let strict = Self { lossy: false, ..self };
        let mut all = Progress { read: 0, written: 0, replacements: 0, stop: Stop::Complete };
        loop {
            let step = strict.run_optional(&text[all.read..], &mut dst[all.written..]);
            all.add(&step);
            if !matches!(step.stop, Stop::Invalid(())) {
                return Progress { stop: step.stop, ..all };
            }
            let Some(written) = self.replace(&mut dst[all.written..]) else {
                return Progress { stop: Stop::OutputFull, ..all };
            };
            let rest = &text[all.read..];
            let len = match self.from.first(rest) {
                // One that cannot be converted.
                Ok(len) => Some(len),
                Err(error) => error.error_len(),
            };
            all.add(&Progress { read: len.unwrap_or(rest.len()), written, replacements: 1, stop: Stop::Complete });
        }
    }

    /// Copies text that has the same length in both encodings.
    fn copy(self, text: &[u8], dst: &mut Output) -> Progress {
        let (mut done, mut replacements) = (0, 0);
        loop {
            let (rest, room) = (&text[done..], &mut dst[done..]);
            let len = rest.len().min(room.len()).min(PIECE);
            let mut piece = &rest[..len];
            if len < rest.len() {
                piece = &piece[..len - self.from.incomplete_end(piece)];
            }
            if piece.is_empty() {
                // No character fits, but U+FFFD may, for half a pair at the end of the room.
                if !self.lossy || room.len() < 2 || rest.is_empty() || self.from.first(rest).is_ok() {
                    break;
                }
                piece = &rest[..2];
            }
            let result = if self.lossy { Ok(()) } else { self.from.validate(self.isa, piece) };
            #[cfg(feature = "wtf8")]
            let result = match self.from.surrogate(piece) {
                Some(0xDC00..) if self.from.ends_with_high(&text[..done]) => Err(0),
                _ => result,
            };
            let (Ok(valid) | Err(valid)) = result.map(|()| piece.len());
            let (piece, room) = (&piece[..valid], &mut room[..valid]);
            let room = match self.to {
                _ if self.from == self.to => room.write_and_view(piece),
                #[cfg(feature = "utf32")]
                Encoding::Utf32Le | Encoding::Utf32Be => {
                    let copy = room.write_and_view(piece);
                    self.to.swap_units(self.isa, copy);
                    copy
                }
                _ => self.isa.swapped_utf16_bytes(piece, room),
            };
            if self.lossy {
                replacements += match self.to {
                    Encoding::Utf16Be => self.isa.make_well_formed_utf16be(room),
                    _ => self.isa.make_well_formed_utf16le(room),
                };
            }
            done += valid;
            if result.is_err() {
                break;
            }
        }
        let stop = match &text[done..] {
            [] => Stop::Complete,
            rest if !self.lossy && self.from.first(rest).is_err() => Stop::Invalid(()),
            #[cfg(feature = "wtf8")]
            rest if self.from.surrogate(rest) >= Some(0xDC00) && self.from.ends_with_high(&text[..done]) => {
                Stop::Invalid(())
            }
            _ => Stop::OutputFull,
        };
        Progress { read: done, written: done, replacements, stop }
    }
}

#[cfg(feature = "utf32")]
impl Encoding {
    /// Swaps the bytes of each code unit of this encoding, of either byte order.
    fn swap_units(self, isa: Isa, bytes: &mut [u8]) {
        isa.swap_utf16_bytes(bytes);
        if self.bom().len() == 2 {
            return;
        }
        // The two halves, too.
        let units = bytes.as_chunks_mut::<4>().0;
        let mut at = 0;
        while at < units.len() {
            units[at] = u32::from_ne_bytes(units[at]).rotate_left(16).to_ne_bytes();
            at += 1;
        }
    }
}

#[cfg(any(feature = "utf32", feature = "wtf8"))]
impl Progress {
    fn add(&mut self, step: &Self) {
        self.read += step.read;
        self.written += step.written;
        self.replacements += step.replacements;
    }
}

impl From<LossyConversion> for Progress {
    fn from(out: LossyConversion) -> Self {
        let stop = if out.is_complete() { Stop::Complete } else { Stop::OutputFull };
        Self { read: out.read, written: out.written, replacements: out.replacements, stop }
    }
}

impl<E> From<Conversion<E>> for Progress {
    fn from(out: Conversion<E>) -> Self {
        let stop = match out.stop {
            Stop::Complete => Stop::Complete,
            Stop::OutputFull => Stop::OutputFull,
            Stop::Invalid(_) => Stop::Invalid(()),
        };
        Self { read: out.read, written: out.written, replacements: 0, stop }
    }
}
