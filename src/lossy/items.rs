//! Which bytes of a piece of nearly UTF-8 form characters, and which become U+FFFD.

/// Bytes that are judged together, at most.
pub(crate) const WINDOW: usize = 64;

/// The items that some bytes consist of, from the beginning of an item on: characters, and ill-formed sequences that
/// one U+FFFD stands for (maximal subparts, Unicode 3.9). A bit of a mask stands for a byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    /// Where items start.
    pub starts: u64,
    /// Those of them that are ill-formed.
    pub ill_formed: u64,
    /// Where the last of them ends, after at most [`WINDOW`] bytes.
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

    /// How many bytes these are with replacements.
    #[inline(always)]
    pub(crate) fn repaired_len(&self) -> usize {
        // The second and third bytes of ill-formed sequences.
        let second = self.ill_formed << 1 & !self.starts;
        let third = second << 1 & !self.starts;
        self.end + 2 * self.ill_formed.count_ones() as usize - (second | third).count_ones() as usize
    }
}
