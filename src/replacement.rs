//! The items of a piece of possibly ill-formed UTF-8, where the ill-formed ones become U+FFFD, and how far a lossy
//! conversion got.

use crate::report::{LossyConversion, Stop, Written};

/// U+FFFD in UTF-8.
pub(crate) const REPLACEMENT: &str = "\u{FFFD}";

/// The maximum number of bytes that are handled together.
pub(crate) const WINDOW: usize = 64;

/// The items that some bytes consist of, where the first byte starts an item: characters, and ill-formed sequences
/// for which one U+FFFD stands (maximal subparts, Unicode 3.9). Each bit of a mask stands for a byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    /// Where items start.
    pub starts: u64,
    /// The starts of those that are ill-formed.
    pub ill_formed: u64,
    /// Where the last item ends: at most 64.
    pub end: usize,
}

impl Items {
    /// An ill-formed sequence of `len` bytes, at most 3.
    pub(crate) const fn one(len: usize) -> Self {
        Self { starts: 1 | u64::MAX << len, ill_formed: 1, end: len }
    }

    /// Removes the first ill-formed sequence and returns its start and end.
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

    /// The length in bytes of these items in UTF-8, with replacements.
    #[inline(always)]
    pub(crate) fn repaired_len(&self) -> usize {
        self.end + 3 * self.ill_formed.count_ones() as usize - self.ill_formed_bytes().count_ones() as usize
    }

    /// The length in code units of these items in UTF-16, with replacements: two for an item of 4 bytes, one for any
    /// other.
    #[inline(always)]
    pub(crate) fn utf16_len(&self) -> usize {
        let inner = !self.starts;
        let pairs = inner >> 1 & inner >> 2 & inner >> 3;
        let starts = self.starts & self.bytes();
        (starts.count_ones() + (starts & pairs).count_ones()) as usize
    }
}

/// How far a lossy conversion got, and the number of replacements so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Repair {
    pub read: usize,
    pub written: usize,
    pub replacements: usize,
}

impl Written for Repair {
    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }
}

impl From<LossyConversion> for Repair {
    #[inline(always)]
    fn from(out: LossyConversion) -> Self {
        let LossyConversion { read, written, replacements, .. } = out;
        Self { read, written, replacements }
    }
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
