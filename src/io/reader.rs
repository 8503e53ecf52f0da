//! A reader that converts the text of another reader to another encoding.

use std::boxed::Box;
use std::io::{self, BufRead, Read};
use std::string::String;
use std::vec;

use super::buffer::Buffer;
use super::{DEFAULT_CAPACITY, MIN_CAPACITY, read_line, read_to_string};
use crate::isa::Isa;
use crate::report::Stop;
use crate::stream::Transcoder;

/// Reads text in one encoding and returns it in another, as converted by a [`Transcoder`].
///
/// With a strict transcoder, all text before the first ill-formed sequence is returned. Then follows an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) that contains the [`StreamError`](crate::stream::StreamError),
/// which every later call repeats. Errors of the inner reader are passed on, including
/// [`Interrupted`](io::ErrorKind::Interrupted); nothing is lost, and the next call continues. Once the inner reader has
/// reached its end, it is not read again.
///
/// The buffer given to [`read`](Read::read) may have any size, and the bytes read may end inside a character;
/// [`BufRead`] returns whole characters. Do not put a `BufReader` around this reader or the inner one: this reader has
/// a buffer for each. A read of at least the buffer's size is converted directly into the caller's buffer.
///
/// # Panics
///
/// [`read`](Read::read) and [`fill_buf`](BufRead::fill_buf) panic if the inner reader claims to have read more than it
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
    /// Text that was converted and not consumed yet.
    dst: Buffer<Box<[u8]>>,
}

/// What was read from the inner reader, and its conversion.
#[derive(Debug)]
struct Input {
    transcoder: Transcoder,
    /// Bytes that were read and not converted yet.
    src: Buffer<Box<[u8]>>,
    /// Whether the inner reader has reached its end.
    at_end: bool,
}

impl Input {
    /// Records how much was read into the room of `src`; 0 is the end.
    fn filled_by(&mut self, count: usize) {
        self.src.filled_by(count);
        self.at_end = count == 0;
    }

    /// Converts into `dst`, which has at least [`MIN_CAPACITY`] bytes. Returns how many it wrote, 0 only at the end,
    /// or `None` if more must be read before anything can be written.
    fn convert(&mut self, dst: &mut [u8]) -> io::Result<Option<usize>> {
        while self.at_end || !self.src.is_empty() {
            let out = if self.at_end {
                self.transcoder.finish(dst)
            } else {
                let out = self.transcoder.convert(self.src.filled(), dst);
                self.src.consume(out.read);
                out
            };
            match out.stop {
                _ if out.written > 0 => return Ok(Some(out.written)),
                Stop::Invalid(error) => return Err(error.into()),
                Stop::Complete if self.at_end => return Ok(Some(0)),
                Stop::Complete | Stop::OutputFull => {}
            }
        }
        Ok(None)
    }
}

impl<R> TranscodingReader<R> {
    /// Creates a reader that converts `inner` with `transcoder`, with two buffers of 8 KB.
    pub fn new(inner: R, transcoder: Transcoder) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner, transcoder)
    }

    /// Creates a reader with two buffers of `capacity` bytes (at least 4): one for the input, one for the output.
    pub fn with_capacity(capacity: usize, inner: R, transcoder: Transcoder) -> Self {
        let buffer = || Buffer::new(vec![0; capacity.max(MIN_CAPACITY)].into_boxed_slice());
        let input = Input { transcoder, src: buffer(), at_end: false };
        Self { inner, input, dst: buffer() }
    }

    /// As [`new`](Self::new) with a strict transcoder, but `read` has been read from `inner` already.
    pub(super) fn after(read: &[u8], inner: R, transcoder: Transcoder) -> Self {
        let mut reader = Self::new(inner, transcoder);
        if !read.is_empty() {
            reader.input.src.room()[..read.len()].copy_from_slice(read);
            reader.input.filled_by(read.len());
        }
        reader
    }

    /// Replaces ill-formed text by U+FFFD from here on, as a [`lossy`](Transcoder::lossy) transcoder does.
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
        self.input.transcoder = self.input.transcoder.lossy();
        self
    }

    /// Returns the transcoder, which knows the number of replacements so far and the encoding that a byte-order mark
    /// determined. It is ahead of the text returned so far, by up to a buffer.
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
        &self.input.transcoder
    }

    /// Returns the inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader, mutably. Anything read from it directly is missing in the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. What was read from it and not yet returned is lost: up to two buffers, and the start
    /// of a character.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> TranscodingReader<R> {
    /// Converts into `dst`, which has at least [`MIN_CAPACITY`] bytes, and returns how many it wrote: 0 only at the
    /// end.
    fn convert(inner: &mut R, input: &mut Input, dst: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(written) = input.convert(dst)? {
                return Ok(written);
            }
            let read = inner.read(input.src.room())?;
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

    /// Reads the rest of the text. If that is not UTF-8, this is an error, and `text` is unchanged: the transcoder has
    /// another output encoding, or an earlier read ended inside a character.
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

    /// If the line is not UTF-8, this is an error, and `text` is unchanged, as in [`read_to_string`](Read::read_to_string).
    fn read_line(&mut self, text: &mut String) -> io::Result<usize> {
        read_line(self, Isa::best(), text)
    }
}
