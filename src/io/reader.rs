//! A reader that gives the text of another reader in another encoding.

use std::boxed::Box;
use std::io::{self, BufRead, Read};
use std::string::String;
use std::vec;

use super::buffer::Buffer;
use super::input::Input;
use super::{DEFAULT_CAPACITY, MIN_CAPACITY, read_to_string};
use crate::stream::Transcoder;

/// Reads text in one encoding and gives it in another, as the [`Transcoder`] says.
///
/// Strict transcoders deliver all text before the first ill-formed sequence; then comes an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) with the [`StreamError`](crate::stream::StreamError) in it, and again at
/// each later call. Errors of the inner reader are passed on, [`Interrupted`](io::ErrorKind::Interrupted) too; nothing is
/// lost, and the next call goes on. Once the inner reader is at its end it is not read again.
///
/// The buffer given to [`read`](Read::read) may be of any size, and what is read may end inside a character;
/// [`BufRead`] gives whole characters. There is no use in a `BufReader` around this reader, nor around the inner one:
/// both have a buffer here. A read of at least the size of that is converted directly into the caller's buffer.
///
/// # Panics
///
/// [`read`](Read::read) and [`fill_buf`](BufRead::fill_buf) panic if the inner reader says that it has read more than it
/// had room for.
///
/// ```
/// use fastutf::io::TranscodingReader;
/// use fastutf::stream::{Encoding, Transcoder};
/// use std::io::Read;
///
/// # let file = &b"z\0\x42\x01"[..];
/// let to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8).lossy();
/// let mut reader = TranscodingReader::new(file, to_utf8);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "zł");
/// assert_eq!(reader.transcoder().replacements(), 0);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingReader<R> {
    inner: R,
    input: Input,
    /// Text that was converted and is not consumed.
    dst: Buffer<Box<[u8]>>,
}

impl<R> TranscodingReader<R> {
    /// Returns a reader of what `transcoder` makes of `inner`, with two buffers of 8 KB.
    pub fn new(inner: R, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Returns a reader with two buffers of `capacity` bytes (4 at least): for what is read, and for what is converted.
    pub fn with_capacity(capacity: usize, inner: R, transcoder: Transcoder) -> Self {
        let dst = Buffer::new(vec![0; capacity.max(MIN_CAPACITY)].into_boxed_slice());
        Self { inner, input: Input::new(capacity, transcoder), dst }
    }

    /// As [`new`](Self::new) with a strict transcoder, but `read` has been read from `inner` already.
    pub(super) fn after(read: &[u8], inner: R, transcoder: Transcoder) -> Self {
        let mut reader = Self::new(inner, transcoder);
        if !read.is_empty() {
            reader.input.room()[..read.len()].copy_from_slice(read);
            reader.input.filled_by(read.len());
        }
        reader
    }

    /// Puts U+FFFD in the place of what is ill-formed, as a [`lossy`](Transcoder::lossy) transcoder does, from here on.
    ///
    /// ```
    /// use fastutf::io::TranscodingReader;
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use std::io::{Read, read_to_string};
    ///
    /// let to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8);
    /// let reader = TranscodingReader::new(&b"a\0\0\xDC"[..], to_utf8).lossy();
    /// assert_eq!(read_to_string(reader)?, "a\u{FFFD}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(mut self) -> Self {
        self.input.lossy();
        self
    }

    /// Returns the transcoder: it tells how many replacements were made so far, and which encoding a byte-order mark
    /// showed. It is ahead of what has been delivered, by the buffer.
    ///
    /// ```
    /// use fastutf::io::TranscodingReader;
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    /// use std::io::BufRead;
    ///
    /// let detect = Source::DetectBom { fallback: Encoding::Utf8 };
    /// let to_utf8 = Transcoder::new(detect, Encoding::Utf8);
    /// let mut reader = TranscodingReader::new(&b"\xFE\xFF\x20\xAC"[..], to_utf8);
    /// assert_eq!(reader.fill_buf()?, "€".as_bytes());
    /// assert_eq!(reader.transcoder().encoding(), Some(Encoding::Utf16Be));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn transcoder(&self) -> &Transcoder {
        self.input.transcoder()
    }

    /// Returns the inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader, to change it. What is read from it directly is missing in the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. What was read from it and not yet delivered is lost: two buffers, and the start of a
    /// character.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> TranscodingReader<R> {
    /// Converts into `dst`, of at least [`MIN_CAPACITY`], and returns how many bytes it wrote: 0 at the end only.
    fn convert(inner: &mut R, input: &mut Input, dst: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(written) = input.convert(dst)? {
                return Ok(written);
            }
            let read = inner.read(input.room())?;
            input.filled_by(read);
        }
    }
}

impl<R: Read> Read for TranscodingReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        if self.dst.is_empty() && buf.len() >= self.dst.capacity() {
            return Self::convert(&mut self.inner, &mut self.input, buf);
        }
        let read = self.fill_buf()?.read(buf)?;
        self.consume(read);
        Ok(read)
    }

    /// The text to its end. If that is not UTF-8, because the transcoder makes something else of it or because it was
    /// read up to the middle of a character before, this is an error and `text` is as it was.
    fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
        read_to_string(self, text)
    }
}

impl<R: Read> BufRead for TranscodingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.dst.is_empty() {
            let written = Self::convert(&mut self.inner, &mut self.input, self.dst.room())?;
            self.dst.filled_by(written);
        }
        Ok(self.dst.filled())
    }

    fn consume(&mut self, amount: usize) {
        self.dst.consume(amount);
    }
}
