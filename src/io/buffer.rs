//! A buffer that is filled at its end and emptied from its front.

use core::fmt;

pub(crate) struct Buffer<B> {
    bytes: B,
    start: usize,
    end: usize,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Buffer<B> {
    pub fn new(bytes: B) -> Self {
        Self { bytes, start: 0, end: 0 }
    }

    pub fn capacity(&self) -> usize {
        self.bytes.as_ref().len()
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The bytes that were added and not consumed yet.
    pub fn filled(&self) -> &[u8] {
        &self.bytes.as_ref()[self.start..self.end]
    }

    /// The room at the end, which is all of the buffer if it is empty. [`filled_by`](Self::filled_by) takes how much
    /// was filled.
    pub fn room(&mut self) -> &mut [u8] {
        &mut self.bytes.as_mut()[self.end..]
    }

    pub fn filled_by(&mut self, count: usize) {
        assert!(count <= self.capacity() - self.end, "more bytes than there was room for");
        self.end += count;
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.room()[..bytes.len()].copy_from_slice(bytes);
        self.filled_by(bytes.len());
    }

    pub fn consume(&mut self, count: usize) {
        self.start = self.end.min(self.start.saturating_add(count));
        if self.start == self.end {
            self.clear();
        }
    }

    pub fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> fmt::Debug for Buffer<B> {
    /// As std's: how full it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.filled().len(), self.capacity())
    }
}
