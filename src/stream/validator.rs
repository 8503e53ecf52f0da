//! Validates text in chunks.

use super::pending::{Joined, Pending};
use super::{Encoding, HAS_WTF8, StreamError};
use crate::isa::Isa;

/// Validates text in chunks, and reports the first ill-formed place as soon as its bytes have arrived.
///
/// The chunks are read in place: nothing is copied except the bytes, at most 3, of a character that the end of a chunk
/// cuts. U+FEFF is a character, even at the start.
///
/// ```
/// use fastutf::stream::{Encoding, Validator};
///
/// let mut validator = Validator::new(Encoding::Utf8);
/// validator.push(b"na\xC3")?;
/// assert_eq!(validator.pending(), b"\xC3"); // well-formed so far, and incomplete
/// validator.push(b"\xAFve")?;
/// validator.finish()?;
///
/// let mut validator = Validator::new(Encoding::Utf8);
/// validator.push(b"ab\xE0")?;
/// let error = validator.push(b"\x80").unwrap_err();
/// assert_eq!(error.to_string(), "invalid utf-8 at byte 2: overlong encoding");
/// # Ok::<(), fastutf::stream::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator {
    isa: Isa,
    encoding: Encoding,
    pending: Pending,
    offset: u64,
    error: Option<StreamError>,
    /// Whether WTF-8 has ended with a high surrogate, so far.
    after_high: bool,
}

impl Validator {
    /// Returns a validator of text in this encoding.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { isa: Isa::best(), encoding, pending: Pending::default(), offset: 0, error: None, after_high: false }
    }

    /// Uses the kernels of this instruction set, which give the same results.
    #[must_use]
    pub fn with_isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Validates the next chunk, of any length. Call [`finish`](Self::finish) at the end of the text.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, as soon as the byte (in UTF-16, the whole code unit) that makes it ill-formed has
    /// arrived. An error is final: every later call returns it again and ignores its chunk. For another
    /// text, create another validator, which costs nothing.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Validator};
    ///
    /// let mut validator = Validator::new(Encoding::Utf16Le);
    /// validator.push(&[0x3D, 0xD8, 0x00])?; // half of a pair, and half a code unit
    /// validator.push(&[0xDE])?;
    /// assert!(validator.push(&[0x00, 0xDE]).is_err());
    /// assert_eq!(validator.push(b"a\0").unwrap_err().offset(), 4);
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut rest = chunk;
        while self.is_joined(rest) {
            let pending = self.pending;
            let joined = pending.followed_by(rest);
            let start = self.offset - pending.len() as u64;
            match self.encoding.joined(joined.as_slice()) {
                Joined::Whole(_)
                    if HAS_WTF8
                        && self.after_high
                        && self.encoding.surrogate(joined.as_slice()) >= Some(0xDC00) =>
                {
                    return Err(self.fail(StreamError::second_surrogate().moved_by(start)));
                }
                Joined::Whole(len) => {
                    rest = &rest[len - pending.len()..];
                    self.offset = start + len as u64;
                    self.pending = Pending::default();
                    self.after_high = HAS_WTF8 && self.encoding.ends_with_high(&joined.as_slice()[..len]);
                }
                Joined::IllFormed(_) => {
                    return Err(
                        self.fail(self.encoding.error_at(joined.as_slice(), 0, self.encoding).moved_by(start))
                    );
                }
                Joined::Incomplete => {
                    self.pending = joined;
                    self.offset += rest.len() as u64;
                    return Ok(());
                }
            }
        }
        // Looks for a cut character first: kernels take time to describe an error at the end.
        let incomplete = self.encoding.incomplete_end(rest);
        let text = &rest[..rest.len() - incomplete];
        if let Err(at) = self.encoding.validate(self.isa, text) {
            return Err(self.fail(self.encoding.error_at(rest, at, self.encoding).moved_by(self.offset)));
        }
        if HAS_WTF8 && !text.is_empty() {
            self.after_high = self.encoding.ends_with_high(text);
        }
        self.pending = Pending::end_of(rest, incomplete);
        self.offset += rest.len() as u64;
        Ok(())
    }

    /// Whether the first item is checked by itself, with what is pending. What follows a high surrogate of WTF-8 is, too.
    #[inline(always)]
    fn is_joined(&self, rest: &[u8]) -> bool {
        HAS_WTF8 && self.after_high && !rest.is_empty() || !self.pending.is_empty()
    }

    /// Returns the number of bytes pushed so far or, after an error, the offset of the error.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes, at most 3, of a character that the next chunk must complete; none after an error.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.pending.as_slice()
    }

    /// Ends the text.
    ///
    /// # Errors
    ///
    /// The error that [`push`](Self::push) returned. Otherwise, if a character is incomplete, an error at its start of
    /// the kind [`Incomplete`](crate::Utf8ErrorKind::Incomplete),
    /// [`TrailingHighSurrogate`](crate::Utf16ErrorKind::TrailingHighSurrogate) or
    /// [`TrailingByte`](crate::Utf16ErrorKind::TrailingByte).
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Validator};
    ///
    /// let mut validator = Validator::new(Encoding::Utf8);
    /// validator.push(b"caf\xC3")?;
    /// let error = validator.finish().unwrap_err();
    /// assert_eq!(error.to_string(), "invalid utf-8 at byte 3: incomplete sequence at end of input");
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    pub fn finish(self) -> Result<(), StreamError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        let start = self.offset - self.pending.len() as u64;
        Err(self.encoding.error_at(self.pending.as_slice(), 0, self.encoding).moved_by(start))
    }

    #[cold]
    fn fail(&mut self, error: StreamError) -> StreamError {
        (self.offset, self.pending, self.error) = (error.offset(), Pending::default(), Some(error));
        self.after_high = false;
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets may exceed 32 bits, also where `usize` has 32.
    #[test]
    fn far_into_a_stream() {
        let mut validator = Validator { offset: 5 << 32, ..Validator::new(Encoding::Utf8) };
        assert_eq!(validator.push(b"ab\xE2"), Ok(()));
        assert_eq!(validator.offset(), (5 << 32) + 3);
        assert_eq!(validator.clone().finish().map_err(|error| error.offset()), Err((5 << 32) + 2));
        assert_eq!(validator.clone().push(b"\x82\xACab\xFF").map_err(|error| error.offset()), Err((5 << 32) + 7));
        let error = validator.push(b"!").unwrap_err();
        assert_eq!(std::format!("{error}"), "invalid utf-8 at byte 21474836482: missing continuation byte");
    }
}
