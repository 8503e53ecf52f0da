//! UTF-8 in chunks, decoded to pieces of `&str`.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::iter::FusedIterator;

use super::pending::{Joined, Pending};
use super::{Encoding, StreamError};
use crate::api::lossy::Utf8Chunks;
use crate::isa::Isa;
use crate::replacement::REPLACEMENT;

/// Decodes UTF-8 in chunks to `&str`: borrows from the chunk where it can, and joins the characters that are cut.
///
/// A byte-order mark is not removed: it is the character U+FEFF. (A [`Transcoder`](super::Transcoder) can remove it.)
///
/// ```
/// use fastutf::stream::Utf8Decoder;
///
/// let mut decoder = Utf8Decoder::new();
/// let mut text = String::new();
/// for chunk in [&b"na\xC3"[..], b"\xAFve \xF0\x9F", b"\x98\x80"] {
///     for piece in decoder.push(chunk) {
///         text.push_str(piece?);
///     }
/// }
/// text.push_str(decoder.finish()?);
/// assert_eq!(text, "naïve 😀");
/// # Ok::<(), fastutf::stream::StreamError>(())
/// ```
///
/// With replacement characters, in the same places as [`from_utf8_lossy`](crate::Isa::from_utf8_lossy) for the whole
/// text:
///
/// ```
/// use fastutf::stream::Utf8Decoder;
///
/// let mut decoder = Utf8Decoder::new().lossy();
/// let pieces: Result<Vec<_>, _> = decoder.push(b"ab\xFFcd\xE2\x82").collect();
/// assert_eq!(pieces?, ["ab", "\u{FFFD}", "cd"]);
/// assert_eq!(decoder.replacements(), 1);
/// assert_eq!(decoder.finish()?, "\u{FFFD}");
/// # Ok::<(), fastutf::stream::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Utf8Decoder {
    isa: Isa,
    /// The character that the last chunk completed.
    joined: Pending,
    state: State,
}

/// The state that changes while pieces are taken.
#[derive(Clone, Debug)]
struct State {
    lossy: bool,
    pending: Pending,
    offset: u64,
    replacements: u64,
    error: Option<StreamError>,
}

impl Utf8Decoder {
    /// Returns a decoder that stops at the first ill-formed sequence.
    #[must_use]
    pub fn new() -> Self {
        let state = State { lossy: false, pending: Pending::default(), offset: 0, replacements: 0, error: None };
        Self { isa: Isa::best(), joined: Pending::default(), state }
    }

    /// Replaces each ill-formed sequence by U+FFFD, so that no piece is an error.
    ///
    /// ```
    /// use fastutf::stream::Utf8Decoder;
    ///
    /// let mut decoder = Utf8Decoder::new().lossy();
    /// assert!(decoder.push(b"a\xFF").eq([Ok("a"), Ok("\u{FFFD}")]));
    /// ```
    #[must_use]
    pub fn lossy(mut self) -> Self {
        self.state.lossy = true;
        self
    }

    /// Uses the kernels of this instruction set, which give the same results.
    #[must_use]
    pub fn with_isa(mut self, isa: Isa) -> Self {
        self.isa = isa;
        self
    }

    /// Returns the text of the next chunk, of any length, in pieces.
    ///
    /// A piece is never empty. It is a character that began in an earlier chunk, text borrowed from this chunk, or a
    /// run of 1 to 64 U+FFFD. A character that is incomplete at the end of the chunk is returned with the next chunk.
    ///
    /// A strict decoder returns the text before the first ill-formed sequence, then the error, then nothing. The error
    /// is final: each later call returns it once and ignores its input. The chunk is validated before this method
    /// returns, so the error is kept even if the pieces are not iterated over.
    ///
    /// A lossy decoder finds ill-formed sequences as the pieces are taken; dropping the iterator counts the
    /// replacements in the rest. (With [`core::mem::forget`], those are not counted.)
    ///
    /// ```
    /// use fastutf::stream::Utf8Decoder;
    ///
    /// let mut decoder = Utf8Decoder::new();
    /// let mut pieces = decoder.push(b"ab\xFFcd");
    /// assert_eq!(pieces.next(), Some(Ok("ab")));
    /// assert_eq!(pieces.next().unwrap().unwrap_err().offset(), 2);
    /// assert_eq!(pieces.next(), None);
    /// ```
    #[inline(always)] // made where it is used, and not copied there
    pub fn push<'a>(&'a mut self, chunk: &'a [u8]) -> Utf8Pieces<'a> {
        let Self { isa, joined, state } = self;
        let (first, mut due, read) = state.begin(joined, chunk);
        let rest = &chunk[read..];
        let incomplete = Encoding::Utf8.incomplete_end(rest);
        let mut text = &rest[..rest.len() - incomplete];
        if !rest.is_empty() {
            state.pending = Pending::end_of(rest, incomplete);
        }
        let mut valid = "";
        if !state.lossy && !text.is_empty() {
            (valid, due) = state.check(*isa, text, rest);
            text = &[];
        }
        Utf8Pieces { first: joined.text(first), valid, due, chunks: Utf8Chunks::new(*isa, text), state }
    }

    /// Appends the text of the next chunk to `dst`.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence; the text before it has been appended. The error is final, as for
    /// [`push`](Self::push).
    ///
    /// ```
    /// use fastutf::stream::Utf8Decoder;
    ///
    /// let (mut decoder, mut text) = (Utf8Decoder::new(), String::new());
    /// decoder.push_to(b"na\xC3", &mut text)?;
    /// decoder.push_to(b"\xAFve", &mut text)?;
    /// assert_eq!(text, "naïve");
    /// # Ok::<(), fastutf::stream::StreamError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn push_to(&mut self, chunk: &[u8], dst: &mut String) -> Result<(), StreamError> {
        for piece in self.push(chunk) {
            dst.push_str(piece?);
        }
        Ok(())
    }

    /// Returns the number of bytes pushed so far or, after an error, the offset of the error.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.state.offset
    }

    /// Returns the bytes, at most 3, of a character that the next chunk must complete; none after an error.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.state.pending.as_slice()
    }

    /// Returns the number of replacements so far, without the one that [`finish`](Self::finish) may return.
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.state.replacements
    }

    /// Ends the text, and returns the rest of it: nothing, or U+FFFD for an incomplete character.
    ///
    /// # Errors
    ///
    /// The error that [`push`](Self::push) found. Otherwise, if the decoder is strict and a character is incomplete, an
    /// error at its start.
    ///
    /// ```
    /// use fastutf::stream::Utf8Decoder;
    ///
    /// let mut decoder = Utf8Decoder::new();
    /// assert_eq!(decoder.push(b"caf\xC3").next(), Some(Ok("caf")));
    /// let error = decoder.finish().unwrap_err();
    /// assert_eq!((error.offset(), error.error_len()), (3, None));
    /// ```
    pub fn finish(self) -> Result<&'static str, StreamError> {
        let State { lossy, pending, offset, error, .. } = self.state;
        match (error, pending.as_slice()) {
            (Some(error), _) => Err(error),
            (None, []) => Ok(""),
            (None, _) if lossy => Ok(REPLACEMENT),
            (None, bytes) => {
                Err(Encoding::Utf8.error_at(bytes, 0, Encoding::Utf8).moved_by(offset - bytes.len() as u64))
            }
        }
    }
}

impl Default for Utf8Decoder {
    /// [`new`](Self::new).
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// Handles the start of a chunk. Returns how many bytes of `joined` are the character that is now complete,
    /// whether an error or a U+FFFD is due instead, and how much of `chunk` has been handled.
    #[inline(always)]
    fn begin(&mut self, joined: &mut Pending, chunk: &[u8]) -> (usize, bool, usize) {
        if self.error.is_some() {
            return (0, true, chunk.len());
        }
        self.offset += chunk.len() as u64;
        if self.pending.is_empty() { (0, false, 0) } else { self.join(joined, chunk) }
    }

    /// The result of [`begin`](Self::begin) if a character was cut.
    #[inline(never)]
    fn join(&mut self, joined: &mut Pending, chunk: &[u8]) -> (usize, bool, usize) {
        let pending = self.pending.len();
        *joined = self.pending.followed_by(chunk);
        // An incomplete character is well-formed so far, so the item that it becomes is not shorter.
        match Encoding::Utf8.joined(joined.as_slice()) {
            Joined::Whole(len) => {
                self.pending = Pending::default();
                (len, false, len - pending)
            }
            Joined::Incomplete => {
                self.pending = *joined;
                (0, false, chunk.len())
            }
            Joined::IllFormed(len) => {
                self.pending = Pending::default();
                if self.lossy {
                    self.replacements += 1;
                    return (0, true, len - pending);
                }
                let start = self.offset - (chunk.len() + pending) as u64;
                self.fail(Encoding::Utf8.error_at(joined.as_slice(), 0, Encoding::Utf8).moved_by(start));
                (0, true, chunk.len())
            }
        }
    }

    /// Returns the well-formed text at the start of `rest`, which is the end of a chunk, and whether an error follows
    /// it, which is kept. `text` is `rest` without an incomplete character.
    #[inline(never)]
    fn check<'a>(&mut self, isa: Isa, text: &'a [u8], rest: &[u8]) -> (&'a str, bool) {
        let error = match isa.from_utf8(text) {
            Ok(valid) => return (valid, false),
            Err(error) => error,
        };
        let at = error.valid_up_to();
        self.fail(Encoding::Utf8.error_at(rest, at, Encoding::Utf8).moved_by(self.offset - rest.len() as u64));
        // This happens once per stream, so checking it again does not matter.
        (isa.from_utf8(&text[..at]).unwrap_or_default(), true)
    }

    /// Stores the error.
    #[cold]
    fn fail(&mut self, error: StreamError) {
        (self.offset, self.pending, self.error) = (error.offset(), Pending::default(), Some(error));
    }
}

/// The maximum number of U+FFFD in a piece.
const RUN: usize = 64;

/// [`RUN`] replacement characters.
const REPLACEMENTS: &str = {
    const BYTES: [u8; RUN * REPLACEMENT.len()] = {
        let mut bytes = [0; RUN * REPLACEMENT.len()];
        let mut at = 0;
        while at < bytes.len() {
            bytes[at] = REPLACEMENT.as_bytes()[at % REPLACEMENT.len()];
            at += 1;
        }
        bytes
    };
    match core::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => unreachable!(),
    }
};

/// An iterator over the text of a chunk, created by [`Utf8Decoder::push`].
#[derive(Debug)]
#[must_use = "the pieces are the text"]
pub struct Utf8Pieces<'a> {
    /// The character that began in an earlier chunk; empty if there is none, or if it has been returned.
    first: &'a str,
    /// The text that comes next; may be empty.
    valid: &'a str,
    /// Whether the error, or a U+FFFD if there is none, comes after that.
    due: bool,
    /// The rest, if ill-formed sequences are replaced.
    chunks: Utf8Chunks<'a>,
    state: &'a mut State,
}

impl<'a> Iterator for Utf8Pieces<'a> {
    type Item = Result<&'a str, StreamError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if !self.first.is_empty() {
            return Some(Ok(core::mem::take(&mut self.first)));
        }
        if !self.valid.is_empty() {
            return Some(Ok(core::mem::take(&mut self.valid)));
        }
        if !self.due {
            let chunk = self.chunks.next()?;
            if chunk.invalid().is_empty() {
                return Some(Ok(chunk.valid()));
            }
            self.state.replacements += 1;
            if !chunk.valid().is_empty() {
                self.due = true;
                return Some(Ok(chunk.valid()));
            }
            // If one ill-formed sequence follows another, more may follow: they are returned as one piece.
            let more = self.chunks.take_ill_formed(RUN - 1);
            self.state.replacements += more as u64;
            return Some(Ok(&REPLACEMENTS[..(1 + more) * REPLACEMENT.len()]));
        }
        self.due = false;
        Some(match self.state.error {
            None => Ok(REPLACEMENT),
            Some(error) => Err(error),
        })
    }
}

impl FusedIterator for Utf8Pieces<'_> {}

impl Drop for Utf8Pieces<'_> {
    /// Counts the replacements in the rest.
    #[inline]
    fn drop(&mut self) {
        if !self.chunks.rest().is_empty() {
            while self.next().is_some() {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_into_a_stream() {
        let mut decoder = Utf8Decoder::new();
        decoder.state.offset = 5 << 32;
        assert!(decoder.push(b"ab\xE2").eq([Ok("ab")]));
        assert_eq!(decoder.clone().finish().map_err(|error| error.offset()), Err((5 << 32) + 2));
        let offset = |mut decoder: Utf8Decoder, chunk: &[u8]| {
            decoder.push(chunk).find_map(|piece| piece.err()).unwrap().offset()
        };
        assert_eq!(offset(decoder.clone(), b"\x82\xACab\xFF"), (5 << 32) + 7);
        assert_eq!(offset(decoder, b"!"), (5 << 32) + 2);
    }
}
