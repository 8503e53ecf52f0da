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
//! - *swap*: if the byte orders differ, the function for the same byte order converts 8 KB of input at a time. Then the bytes of
//!   the result are swapped in place. (On an AMD EPYC, Zen 4, with AVX-512, virtual: Cyrillic from UTF-32LE to UTF-16BE at 0.7
//!   of the speed of UTF-16LE, from UTF-16LE to UTF-32BE at 0.36 of that of UTF-32LE, which is 20 GB/s written.)
//! - *copy*: pieces of 8 KB are checked, copied and, if the byte orders differ, swapped.
//! - *replace*: the strict conversion, which continues after each replacement.
//! - *as UTF-8*: WTF-8 is UTF-8 up to the first surrogate, and text without surrogates becomes WTF-8 as it becomes UTF-8.

use super::{Encoding, HAS_PARTIAL, HAS_UTF32, HAS_WTF8};
use crate::isa::{Isa, ToOutput};
use crate::output::Output;
use crate::report::{Conversion, LossyConversion, Stop};

/// How many bytes are checked and then copied at a time, so that both stay in the fastest cache.
const COPIED_AT_ONCE: usize = 8 << 10;

/// A conversion: from which encoding to which, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub isa: Isa,
    pub from: Encoding,
    pub to: Encoding,
    pub lossy: bool,
    /// What a lossy conversion to Latin-1 writes in place of unencodable characters.
    pub substitute: u8,
}

/// How far it got. An error is at `read`; [`error_at`](Encoding::error_at) describes it.
pub(super) struct Progress {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
    pub stop: Stop<()>,
}

/// Runs the function for two encodings. A row has a `strict` and a `lossy` function, or one for `both`. The `if` before rows says
/// which features they need. `else` is for pairs without a row.
macro_rules! by_function {
    ($task:ident, $text:ident, $dst:ident; $(
        if $features:meta { $(
            $from:ident => $to:ident: $($how:ident $function:ident $(($argument:ident))?),+;
        )* }
    )* else $other:expr) => {
        match ($task.from, $task.to, $task.lossy) {
            $($($(
                #[cfg($features)]
                (Encoding::$from, Encoding::$to, by_function!($how)) => {
                    ToOutput($task.isa).$function($text, $($task.$argument,)? $dst).into()
                }
            )+)*)*
            _ => $other,
        }
    };
    (strict) => { false };
    (lossy) => { true };
    (both) => { _ };
}

impl Task {
    /// Converts text that does not end inside a character.
    #[inline(always)]
    pub(super) fn run(self, text: &[u8], dst: &mut Output) -> Progress {
        by_function! { self, text, dst;
            if all() {
                Utf8 => Utf8: lossy utf8_to_utf8_bytes_lossy;
                Utf8 => Utf16Le: strict utf8_to_utf16le_uninit, lossy utf8_to_utf16le_lossy_uninit;
                Utf8 => Utf16Be: strict utf8_to_utf16be_uninit, lossy utf8_to_utf16be_lossy_uninit;
                Utf16Le => Utf8: strict utf16le_to_utf8_uninit, lossy utf16le_to_utf8_lossy_uninit;
                Utf16Be => Utf8: strict utf16be_to_utf8_uninit, lossy utf16be_to_utf8_lossy_uninit;
            }
            else if HAS_PARTIAL || HAS_UTF32 || HAS_WTF8 { self.run_other(text, dst) } else { self.copy(text, dst) }
        }
    }

    /// The rows and columns of the table that a feature adds, and pairs that need no function.
    #[inline(never)]
    fn run_other(self, text: &[u8], dst: &mut Output) -> Progress {
        by_function! { self, text, dst;
            if feature = "latin1" {
                Latin1 => Utf8: both latin1_to_utf8_uninit;
                Latin1 => Utf16Le: both latin1_to_utf16le_uninit;
                Latin1 => Utf16Be: both latin1_to_utf16be_uninit;
                Utf8 => Latin1: strict utf8_to_latin1_uninit, lossy utf8_to_latin1_lossy_uninit(substitute);
                Utf16Le => Latin1: strict utf16le_to_latin1_uninit, lossy utf16le_to_latin1_lossy_uninit(substitute);
                Utf16Be => Latin1: strict utf16be_to_latin1_uninit, lossy utf16be_to_latin1_lossy_uninit(substitute);
            }
            if feature = "utf32" {
                Utf8 => Utf32Le: strict utf8_to_utf32le_uninit, lossy utf8_to_utf32le_lossy_uninit;
                Utf8 => Utf32Be: strict utf8_to_utf32be_uninit, lossy utf8_to_utf32be_lossy_uninit;
                Utf16Le => Utf32Le: strict utf16le_to_utf32le_uninit, lossy utf16le_to_utf32le_lossy_uninit;
                Utf16Be => Utf32Be: strict utf16be_to_utf32be_uninit, lossy utf16be_to_utf32be_lossy_uninit;
                Utf32Le => Utf8: strict utf32le_to_utf8_uninit, lossy utf32le_to_utf8_lossy_uninit;
                Utf32Be => Utf8: strict utf32be_to_utf8_uninit, lossy utf32be_to_utf8_lossy_uninit;
                Utf32Le => Utf16Le: strict utf32le_to_utf16le_uninit, lossy utf32le_to_utf16le_lossy_uninit;
                Utf32Be => Utf16Be: strict utf32be_to_utf16be_uninit, lossy utf32be_to_utf16be_lossy_uninit;
            }
            if all(feature = "latin1", feature = "utf32") {
                Latin1 => Utf32Le: both latin1_to_utf32le_uninit;
                Latin1 => Utf32Be: both latin1_to_utf32be_uninit;
                Utf32Le => Latin1: strict utf32le_to_latin1_uninit, lossy utf32le_to_latin1_lossy_uninit(substitute);
                Utf32Be => Latin1: strict utf32be_to_latin1_uninit, lossy utf32be_to_latin1_lossy_uninit(substitute);
            }
            if feature = "wtf8" {
                Utf16Le => Wtf8: both utf16le_to_wtf8_uninit;
                Utf16Be => Wtf8: both utf16be_to_wtf8_uninit;
                Wtf8 => Utf16Le: strict wtf8_to_utf16le_uninit;
                Wtf8 => Utf16Be: strict wtf8_to_utf16be_uninit;
                Wtf8 => Utf8: lossy wtf8_to_utf8_lossy_uninit;
            }
            else self.run_without(text, dst)
        }
    }

    /// Pairs that have no function of their own.
    #[inline(always)]
    fn run_without(self, text: &[u8], dst: &mut Output) -> Progress {
        let Self { from, to, lossy, .. } = self;
        if HAS_WTF8 && from.has_surrogates() && lossy {
            return self.replacing(text, dst);
        }
        if HAS_WTF8 && from.has_surrogates() && from != to {
            // Up to a surrogate, it is UTF-8.
            return Self { from: Encoding::Utf8, ..self }.run_nested(text, dst);
        }
        if HAS_WTF8 && to.has_surrogates() && from != to {
            // Text without surrogates is the same in UTF-8.
            return Self { to: Encoding::Utf8, ..self }.run_nested(text, dst);
        }
        #[cfg(feature = "utf32")]
        match (from.unit(), to.unit()) {
            (2, 4) | (4, 2) => return self.swapped(text, dst),
            (4, 4) if lossy => return self.replacing(text, dst),
            _ => {}
        }
        debug_assert!(from == to || from.unit() > 1 && from.unit() == to.unit(), "no row from {from} to {to}");
        // No Latin-1 is ill-formed, and strict UTF-8 is not repaired.
        if HAS_PARTIAL && from.unit() == 1 {
            return Self { lossy: false, ..self }.copy(text, dst);
        }
        self.copy(text, dst)
    }

    /// Writes what replaces an ill-formed sequence, or a character that the target lacks, and returns its length, or `None`
    /// if there is too little room.
    pub(super) fn replace(self, dst: &mut Output) -> Option<usize> {
        let mut replacement = self.to.replacement();
        let substitute = [self.substitute];
        // Where one byte replaces it, the caller chooses.
        if HAS_PARTIAL && replacement.len() == 1 {
            replacement = &substitute;
        }
        dst.get_mut(..replacement.len())?.write(replacement);
        Some(replacement.len())
    }

    /// [`run`](Self::run), which is not inlined.
    #[inline(never)]
    fn run_nested(self, text: &[u8], dst: &mut Output) -> Progress {
        self.run(text, dst)
    }

    /// Converts to the other byte order, and swaps the bytes of the result, piece by piece.
    #[cfg(feature = "utf32")]
    fn swapped(self, text: &[u8], dst: &mut Output) -> Progress {
        use crate::endian::ByteOrder;
        let isa = self.isa;
        let order = match self.from {
            Encoding::Utf16Le | Encoding::Utf32Le => ByteOrder::Little,
            _ => ByteOrder::Big,
        };
        let mut all = Progress::NOTHING;
        loop {
            let rest = &text[all.read..];
            let mut len = rest.len().min(COPIED_AT_ONCE);
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
            let (step, written) = match (self.to.unit(), self.lossy) {
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
    fn replacing(self, text: &[u8], dst: &mut Output) -> Progress {
        let strict = Self { lossy: false, ..self };
        let mut all = Progress::NOTHING;
        loop {
            let step = strict.run_other(&text[all.read..], &mut dst[all.written..]);
            all.add(&step);
            if !matches!(step.stop, Stop::Invalid(())) {
                return Progress { stop: step.stop, ..all };
            }
            let Some(written) = self.replace(&mut dst[all.written..]) else {
                return Progress { stop: Stop::OutputFull, ..all };
            };
            let rest = &text[all.read..];
            let len = match self.from.first(rest) {
                // A character that cannot be converted.
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
            let len = rest.len().min(room.len()).min(COPIED_AT_ONCE);
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
            let is_second =
                HAS_WTF8 && self.from.surrogate(piece) >= Some(0xDC00) && self.from.ends_with_high(&text[..done]);
            let result = if is_second { Err(0) } else { result };
            let (Ok(valid) | Err(valid)) = result.map(|()| piece.len());
            let (piece, room) = (&piece[..valid], &mut room[..valid]);
            let room = match self.to {
                _ if self.from == self.to => room.write_and_view(piece),
                to if HAS_UTF32 && to.unit() == 4 => {
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
            rest if HAS_WTF8
                && self.from.surrogate(rest) >= Some(0xDC00)
                && self.from.ends_with_high(&text[..done]) =>
            {
                Stop::Invalid(())
            }
            _ => Stop::OutputFull,
        };
        Progress { read: done, written: done, replacements, stop }
    }
}

impl Encoding {
    /// Swaps the bytes of each code unit of this encoding, of either byte order.
    fn swap_units(self, isa: Isa, bytes: &mut [u8]) {
        isa.swap_utf16_bytes(bytes);
        if self.unit() == 2 {
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

impl Progress {
    const NOTHING: Self = Self { read: 0, written: 0, replacements: 0, stop: Stop::Complete };

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
