//! Which bytes of a piece of nearly UTF-8 form characters, which become U+FFFD, and how far a conversion with U+FFFD got.

use crate::conversion::{LossyConversion, Stop};

/// U+FFFD in UTF-8.
pub(crate) const REPLACEMENT: &str = "\u{FFFD}";

/// Bytes that are looked at together, at most.
pub(crate) const WINDOW: usize = 64;

/// The items that some bytes consist of, from the beginning of an item on: characters, and ill-formed sequences that
/// one U+FFFD stands for (maximal subparts, Unicode 3.9). A bit of a mask stands for a byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    /// Where items start.
    pub starts: u64,
    /// Those of them that are ill-formed.
    pub ill_formed: u64,
    /// Where the last of them ends, after at most 64 bytes.
    pub end: usize,
}

impl Items {
    /// An ill-formed sequence of `len` bytes, at most 3.
    pub(crate) const fn one(len: usize) -> Self {
        Self { starts: 1 | u64::MAX << len, ill_formed: 1, end: len }
    }

    /// Takes the first ill-formed sequence out: where it starts, and where it ends.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<(usize, usize)> {
        if self.ill_formed == 0 {
            return None;
        }
        let start = self.ill_formed.trailing_zeros();
        self.ill_formed &= self.ill_formed - 1;
        let after = self.starts & (u64::MAX - 1) << start;
        Some((start as usize, (after.trailing_zeros() as usize).min(self.end)))
    }

    /// All bytes of these items.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> u64 {
        if self.end < WINDOW { !(u64::MAX << self.end) } else { u64::MAX }
    }

    /// The last byte of each item.
    #[cfg(fastutf_simd)]
    #[inline(always)]
    pub(crate) fn ends(&self) -> u64 {
        (self.starts >> 1 | 1 << (WINDOW - 1)) & self.bytes()
    }

    /// All bytes of the ill-formed sequences.
    #[inline(always)]
    pub(crate) fn ill_formed_bytes(&self) -> u64 {
        let second = self.ill_formed << 1 & !self.starts;
        let third = second << 1 & !self.starts;
        self.ill_formed | second | third
    }

    /// How many bytes these items are in UTF-8 with replacements.
    #[inline(always)]
    pub(crate) fn repaired_len(&self) -> usize {
        self.end + 3 * self.ill_formed.count_ones() as usize - self.ill_formed_bytes().count_ones() as usize
    }

    /// How many code units these items are in UTF-16 with replacements: an item of 4 bytes is two, any other one.
    #[inline(always)]
    pub(crate) fn utf16_len(&self) -> usize {
        let inner = !self.starts;
        let pairs = inner >> 1 & inner >> 2 & inner >> 3;
        let starts = self.starts & self.bytes();
        (starts.count_ones() + (starts & pairs).count_ones()) as usize
    }
}

/// How much was converted, and how many replacements that has.
#[derive(Clone, Copy, Default)]
pub(crate) struct Repair {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
}

impl Repair {
    #[inline(always)]
    pub(crate) fn add(&mut self, more: Self) {
        self.read += more.read;
        self.written += more.written;
        self.replacements += more.replacements;
    }

    /// The outcome for an input of `len` bytes.
    #[inline(always)]
    pub(crate) fn outcome(self, len: usize) -> LossyConversion {
        let Self { read, written, replacements } = self;
        let stop = if read == len { Stop::Complete } else { Stop::OutputFull };
        LossyConversion { read, written, replacements, stop }
    }
}
