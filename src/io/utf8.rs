//! A reader that validates the UTF-8 it passes through.

use std::io::{self, BufRead, Read};
use std::string::String;

use super::buffer::Buffer;
use super::{MIN_CAPACITY, TranscodingReader, read_line, read_to_string};
use crate::isa::Isa;
use crate::stream::{Encoding, StreamError, Transcoder, Validator};

/// Passes the bytes of a reader through and validates them as UTF-8 on the way.
///
/// All bytes before the first ill-formed sequence are returned. Then follows an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that contains the [`StreamError`], which every later call repeats. A
/// text that ends inside a character is an error as well. (After an end without an error, the inner reader is read
/// again.) Bytes are returned unchanged, including a byte-order mark.
///
/// [`read`](Read::read) returns what the inner reader returns, even if it is cut inside a character. If the next byte
/// then proves that character to be ill-formed, up to 3 bytes from the error's offset on have already been returned.
/// [`BufRead`] returns whole characters only, and none of these bytes.
///
/// For text that may be ill-formed, [`lossy`](Self::lossy) turns this reader into one that replaces instead of failing.
///
/// # Panics
///
/// [`read`](Read::read) panics if the inner reader claims to have read more than it had room for.
/// [`fill_buf`](BufRead::fill_buf), and `read` after it, panic if the inner reader's buffer has become shorter although
/// nothing was consumed.
///
/// ```
/// use fastutf::io::Utf8Reader;
/// use std::io::{ErrorKind, Read};
///
/// fn receive(body: impl Read) -> std::io::Result<Vec<u8>> {
///     let mut bytes = Vec::new();
///     Utf8Reader::new(body).read_to_end(&mut bytes)?; // fails as soon as the bytes are not UTF-8
///     Ok(bytes)
/// }
///
/// assert_eq!(receive(&b"{\"name\":\"\xC5\x81ukasz\"}"[..])?, "{\"name\":\"Łukasz\"}".as_bytes());
///
/// let error = receive(&b"{\"name\":\"\xA3ukasz\"}"[..]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidData);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Utf8Reader<R> {
    inner: R,
    isa: Isa,
    validator: Validator,
    /// The number of bytes returned so far.
    offset: u64,
    /// How many bytes at the front of the inner reader's buffer the validator has seen. Only `BufRead` looks ahead.
    ahead: usize,
    /// A character, or the start of one, that spans two fillings of the inner reader's buffer and has been taken out
    /// of it.
    across: Buffer<[u8; MIN_CAPACITY]>,
    error: Option<StreamError>,
}

impl<R> Utf8Reader<R> {
    /// Creates a reader that validates what it reads from `inner`, from the next byte on.
    ///
    /// ```
    /// use fastutf::io::Utf8Reader;
    /// use std::io::{BufRead, BufReader};
    ///
    /// # let file = &b"a\nb"[..];
    /// let lines = Utf8Reader::new(BufReader::new(file)).lines();
    /// assert_eq!(lines.count(), 2);
    /// ```
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            isa: Isa::best(),
            validator: Validator::new(Encoding::Utf8),
            offset: 0,
            ahead: 0,
            across: Buffer::new([0; MIN_CAPACITY]),
            error: None,
        }
    }

    /// Uses the kernels of `isa` instead of those of [`Isa::best`].
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, validator: self.validator.with_isa(isa), ..self }
    }

    /// Returns a reader that replaces ill-formed sequences by U+FFFD, as [`String::from_utf8_lossy`] does.
    ///
    /// This changes the text and so needs buffers, of 8 KB: the result is a [`TranscodingReader`] from UTF-8 to UTF-8,
    /// whose [`transcoder`](TranscodingReader::transcoder) counts the replacements. It implements [`BufRead`] even if
    /// `R` does not. Call this method before reading: the new reader ignores what was read before, and after an error
    /// of [`Read::read`], everything from the same read is lost.
    ///
    /// ```
    /// use fastutf::io::Utf8Reader;
    /// use std::io::Read;
    ///
    /// let mut reader = Utf8Reader::new(&b"caf\xE9!"[..]).lossy();
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((&*text, reader.transcoder().replacements()), ("caf\u{FFFD}!", 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(self) -> TranscodingReader<R> {
        let repair = Transcoder::new(Encoding::Utf8, Encoding::Utf8).lossy().with_isa(self.isa);
        TranscodingReader::after(self.across.filled(), self.inner, repair)
    }

    /// Returns the number of bytes returned so far.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader, mutably. Anything read from it directly is not validated. Do not read bytes that
    /// [`fill_buf`](BufRead::fill_buf) has returned and that were not consumed: as many later bytes would pass without
    /// validation.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. Bytes that were not returned are still in it, with two exceptions. If [`BufRead`] looked for
    /// the end of a character, the first bytes of that, at most 3, may be lost. After an error of [`Read::read`], so are the
    /// bytes that the same read had after the error.
    ///
    /// ```
    /// use fastutf::io::Utf8Reader;
    /// use std::io::BufRead;
    ///
    /// let mut reader = Utf8Reader::new(&b"title: caf\xC3\xA9\n\xFF\xD8"[..]);
    /// let mut header = String::new();
    /// reader.read_line(&mut header)?;
    /// assert_eq!((&*header, reader.offset()), ("title: café\n", 13));
    /// assert_eq!(reader.into_inner(), b"\xFF\xD8");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Validates `src`, the next bytes. Returns how many of them precede an error.
    fn check(validator: &mut Validator, error: &mut Option<StreamError>, src: &[u8]) -> usize {
        let start = validator.offset();
        match validator.push(src) {
            Ok(()) => src.len(),
            Err(found) => {
                *error = Some(found);
                // 0 if the character began earlier.
                found.offset().saturating_sub(start) as usize
            }
        }
    }

    /// The error that has been found, or that the end of the inner reader causes.
    fn valid_so_far(&self) -> io::Result<()> {
        self.error.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The inner reader is at its end.
    fn end(&mut self) -> io::Result<()> {
        self.error = self.validator.clone().finish().err();
        self.across.clear();
        self.valid_so_far()
    }

    /// The number of bytes at the front of the inner reader's buffer that are whole characters.
    fn ready(&self) -> usize {
        self.ahead.saturating_sub(self.validator.pending().len())
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let read = if !self.across.is_empty() {
            let read = self.across.filled().read(buf)?;
            self.across.consume(read);
            read
        } else if self.ahead > 0 {
            let len = self.ahead.min(buf.len());
            let read = self.inner.read(&mut buf[..len])?;
            assert!(read <= len, "more bytes than there was room for");
            self.ahead -= read;
            read
        } else {
            self.valid_so_far()?;
            let read = self.inner.read(buf)?;
            if read == 0 {
                self.end()?;
            }
            let valid = Self::check(&mut self.validator, &mut self.error, &buf[..read]);
            if valid == 0 {
                self.valid_so_far()?;
            }
            valid
        };
        self.offset += read as u64;
        Ok(read)
    }

    fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
        read_to_string(self, text)
    }
}

impl<R: BufRead> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            let pending = self.validator.pending().len();
            if self.ready() > 0 || !self.across.is_empty() && pending == 0 {
                break;
            }
            self.valid_so_far()?;
            let src = self.inner.fill_buf()?;
            if self.ahead > 0 {
                // The start of a character. Until it is consumed, the inner reader returns nothing new.
                self.across.push(&src[..self.ahead]);
                self.inner.consume(self.ahead);
                self.ahead = 0;
            } else if src.is_empty() {
                self.end()?;
                return Ok(&[]);
            } else if pending == 0 {
                self.ahead = Self::check(&mut self.validator, &mut self.error, src);
            } else {
                // One more byte of a character that began earlier.
                let byte = [src[0]];
                if Self::check(&mut self.validator, &mut self.error, &byte) == 1 {
                    self.across.push(&byte);
                    self.inner.consume(1);
                } else {
                    self.across.clear();
                }
            }
        }
        if !self.across.is_empty() {
            return Ok(self.across.filled());
        }
        let ready = self.ready();
        Ok(&self.inner.fill_buf()?[..ready])
    }

    /// Never consumes more than [`fill_buf`](BufRead::fill_buf) has returned: the rest has not been validated.
    fn consume(&mut self, amount: usize) {
        let amount = if !self.across.is_empty() {
            let amount = amount.min(self.across.filled().len());
            self.across.consume(amount);
            amount
        } else {
            let amount = amount.min(self.ready());
            self.ahead -= amount;
            self.inner.consume(amount);
            amount
        };
        self.offset += amount as u64;
    }

    fn read_line(&mut self, text: &mut String) -> io::Result<usize> {
        read_line(self, self.isa, text)
    }
}
