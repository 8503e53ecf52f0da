//! A buffer that is filled at its end and emptied from its front.

use std::fmt;
use std::ops::Range;

pub(crate) struct Buffer {
    bytes: Box<[u8]>,
    filled: Range<usize>,
}

impl Buffer {
    pub fn new(capacity: usize) -> Self {
        Self { bytes: vec![0; capacity].into_boxed_slice(), filled: 0..0 }
    }

    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.filled.is_empty()
    }

    /// The bytes that were added and not consumed yet.
    pub fn filled(&self) -> &[u8] {
        &self.bytes[self.filled.clone()]
    }

    /// The room at the end, which is all of the buffer if it is empty. [`filled_by`](Self::filled_by) takes how much
    /// was filled.
    pub fn room(&mut self) -> &mut [u8] {
        &mut self.bytes[self.filled.end..]
    }

    pub fn filled_by(&mut self, count: usize) {
        assert!(count <= self.capacity() - self.filled.end, "more bytes than there was room for");
        self.filled.end += count;
    }

    pub fn consume(&mut self, count: usize) {
        let count = count.min(self.filled.len());
        self.filled.start += count;
        if self.filled.is_empty() {
            self.filled = 0..0;
        }
    }
}

impl fmt::Debug for Buffer {
    /// As that of std's `BufReader`: how full it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.filled.len(), self.capacity())
    }
}
