//! An asynchronous reader that converts the text of another reader to another encoding.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use fastutf::Stop;
use fastutf::stream::{Encoding, Transcoder};
use pin_project_lite::pin_project;
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

use crate::DEFAULT_CAPACITY;
use crate::buffer::Buffer;

/// The least room in which a conversion makes progress: a character has no more bytes.
const MIN_CAPACITY: usize = 4;

pin_project! {
    /// Reads text in one encoding and returns it in another, as converted by a [`Transcoder`]:
    /// [`io::TranscodingReader`](fastutf::io::TranscodingReader) for tokio.
    ///
    /// With a strict transcoder, all text before the first ill-formed sequence is returned. Then follows an error of
    /// the kind [`InvalidData`](io::ErrorKind::InvalidData) that contains the
    /// [`StreamError`](fastutf::stream::StreamError), which every later call repeats. Errors of the inner reader are
    /// passed on; nothing is lost, and the next call continues. Once the inner reader has reached its end, it is not
    /// read again.
    ///
    /// The buffer to read into may have any size, and the bytes read may end inside a character; [`AsyncBufRead`]
    /// returns whole characters. Do not put a `BufReader` around this reader or the inner one: this reader has a
    /// buffer for each. A read into initialised memory of at least the buffer's size is converted directly into it.
    ///
    /// # Cancel safety
    ///
    /// While a call is pending, this reader holds everything read from the inner one, including the start of a
    /// character. So methods of [`AsyncReadExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncReadExt.html) and
    /// [`AsyncBufReadExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncBufReadExt.html) behave as tokio
    /// documents each:
    ///
    /// | method | if its future is dropped, as by `select!` |
    /// |---|---|
    /// | `read`, `read_buf`, `fill_buf`, `lines().next_line()`, `split(…).next_segment()` | nothing is lost: the next call continues |
    /// | `read_line` and `read_to_string` of this type | nothing is lost: what was read is in the caller's `String` |
    /// | `read_exact`, `read_to_end`, `read_until` | what they have taken so far may be lost or be in the caller's buffer; this reader continues after it |
    ///
    /// # Panics
    ///
    /// Reading panics if the inner reader fills a buffer other than the one it was given.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingReader;
    /// use tokio::io::AsyncReadExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let connection = &b"z\0\x42\x01"[..];
    /// let to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8);
    /// let mut reader = TranscodingReader::new(connection, to_utf8).lossy();
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text).await?;
    /// assert_eq!(text, "zł");
    /// assert_eq!(reader.transcoder().replacements(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    #[derive(Debug)]
    pub struct TranscodingReader<R> {
        #[pin]
        inner: R,
        input: Input,
        // Text that was converted and not consumed yet.
        dst: Buffer,
    }
}

/// What was read from the inner reader, and its conversion.
#[derive(Debug)]
struct Input {
    transcoder: Transcoder,
    /// Bytes that were read and not converted yet.
    src: Buffer,
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
        let capacity = capacity.max(MIN_CAPACITY);
        let input = Input { transcoder, src: Buffer::new(capacity), at_end: false };
        Self { inner, input, dst: Buffer::new(capacity) }
    }

    /// Replaces ill-formed text by U+FFFD from here on, as a [`lossy`](Transcoder::lossy) transcoder does.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingReader;
    /// use tokio::io::AsyncReadExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let repair = Transcoder::new(Encoding::Utf8, Encoding::Utf8);
    /// let mut reader = TranscodingReader::new(&b"caf\xE9!"[..], repair).lossy();
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text).await?;
    /// assert_eq!((&*text, reader.transcoder().replacements()), ("caf\u{FFFD}!", 1));
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
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
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    /// use fastutf_tokio::TranscodingReader;
    /// use tokio::io::AsyncBufReadExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let detect = Source::DetectBom { fallback: Encoding::Utf8 };
    /// let to_utf8 = Transcoder::new(detect, Encoding::Utf8);
    /// let mut reader = TranscodingReader::new(&b"\xFE\xFF\x20\xAC"[..], to_utf8);
    /// assert_eq!(reader.fill_buf().await?, "€".as_bytes());
    /// assert_eq!(reader.transcoder().encoding(), Some(Encoding::Utf16Be));
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
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

    /// Returns the inner reader, pinned and mutably. Anything read from it directly is missing in the text.
    pub fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut R> {
        self.project().inner
    }

    /// Returns the inner reader. What was read from it and not yet returned is lost: up to two buffers, and the start
    /// of a character.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: AsyncRead + Unpin> TranscodingReader<R> {
    /// Appends a line to `text`, with its `\n`, and returns its length in bytes: 0 at the end. This is
    /// [`AsyncBufReadExt::read_line`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncBufReadExt.html#method.read_line),
    /// without std's validation of text that was converted to UTF-8 anyway.
    ///
    /// If its future is dropped, nothing is lost: what has been read of the line is in `text`.
    ///
    /// # Errors
    ///
    /// Those of reading; the text before them is in `text`. If the line is not UTF-8, an error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData), and `text` is unchanged: the transcoder has another output encoding, or an
    /// earlier read ended inside a character.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingReader;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let connection = &b"z\0\x42\x01\n\0a\0"[..];
    /// let mut reader = TranscodingReader::new(connection, Transcoder::new(Encoding::Utf16Le, Encoding::Utf8));
    /// let mut line = String::new();
    /// while reader.read_line(&mut line).await? > 0 {
    ///     println!("{}", line.trim_end());
    ///     line.clear(); // keeps its memory
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn read_line(&mut self, text: &mut String) -> io::Result<usize> {
        let before = text.len();
        loop {
            poll_fn(|context| Pin::new(&mut *self).poll_fill_buf(context).map_ok(|_| ())).await?;
            let filled = self.dst.filled();
            let line = &filled[..io::BufRead::skip_until(&mut &*filled, b'\n')?];
            match fastutf::from_utf8(line) {
                Ok(line) => text.push_str(line),
                Err(error) => {
                    text.truncate(before);
                    return Err(error.into());
                }
            }
            let (read, is_end) = (line.len(), line.last().is_none_or(|&byte| byte == b'\n'));
            self.dst.consume(read);
            if is_end {
                return Ok(text.len() - before);
            }
        }
    }

    /// Appends the rest of the text to `text`, and returns its length in bytes. This is
    /// [`AsyncReadExt::read_to_string`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncReadExt.html#method.read_to_string), but
    /// the text is converted straight into the `String`, and not validated again.
    ///
    /// If its future is dropped, nothing is lost: what has been read is in `text`.
    ///
    /// # Errors
    ///
    /// As [`read_line`](Self::read_line).
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf_tokio::TranscodingReader;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8);
    /// let mut text = String::new();
    /// TranscodingReader::new(&b"z\0\x42\x01"[..], to_utf8).read_to_string(&mut text).await?;
    /// assert_eq!(text, "zł");
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
        let before = text.len();
        if self.input.transcoder.output() != Encoding::Utf8 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the output of the transcoder is not UTF-8"));
        }
        text.push_str(fastutf::from_utf8(self.dst.filled())?);
        self.dst.consume(usize::MAX);
        loop {
            let Input { transcoder, src, at_end } = &mut self.input;
            let result = transcoder.convert_to_string(src.filled(), text);
            src.consume(usize::MAX);
            result?;
            if *at_end {
                transcoder.finish_to_string(text)?;
                return Ok(text.len() - before);
            }
            let (inner, input) = (&mut self.inner, &mut self.input);
            poll_fn(|context| poll_read(Pin::new(&mut *inner), input, context)).await?;
        }
    }
}

/// Reads into the room of `input`, which has some.
fn poll_read(
    inner: Pin<&mut impl AsyncRead>,
    input: &mut Input,
    context: &mut Context<'_>,
) -> Poll<io::Result<()>> {
    let room = input.src.room();
    let start = room.as_ptr();
    let mut buf = ReadBuf::new(room);
    ready!(inner.poll_read(context, &mut buf))?;
    assert_eq!(buf.filled().as_ptr(), start, "the inner reader has filled another buffer");
    let read = buf.filled().len();
    input.filled_by(read);
    Poll::Ready(Ok(()))
}

/// Converts into `dst`, which has at least [`MIN_CAPACITY`] bytes, and returns how many it wrote: 0 only at the end.
/// Whenever this returns, all that was read is in `input`.
fn poll_convert(
    mut inner: Pin<&mut impl AsyncRead>,
    input: &mut Input,
    context: &mut Context<'_>,
    dst: &mut [u8],
) -> Poll<io::Result<usize>> {
    loop {
        if let Some(written) = input.convert(dst)? {
            return Poll::Ready(Ok(written));
        }
        ready!(poll_read(inner.as_mut(), input, context))?;
    }
}

impl<R: AsyncRead> AsyncRead for TranscodingReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buf.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        // Initialising memory takes as long as copying the converted text to it.
        let initialized = buf.initialized().len() - buf.filled().len();
        let this = self.as_mut().project();
        if this.dst.is_empty() && initialized >= this.dst.capacity() {
            let room = buf.initialize_unfilled_to(initialized);
            let written = ready!(poll_convert(this.inner, this.input, context, room))?;
            buf.advance(written);
            return Poll::Ready(Ok(()));
        }
        let text = ready!(self.as_mut().poll_fill_buf(context))?;
        let len = text.len().min(buf.remaining());
        buf.put_slice(&text[..len]);
        self.consume(len);
        Poll::Ready(Ok(()))
    }
}

impl<R: AsyncRead> AsyncBufRead for TranscodingReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        if this.dst.is_empty() {
            let written = ready!(poll_convert(this.inner, this.input, context, this.dst.room()))?;
            this.dst.filled_by(written);
        }
        Poll::Ready(Ok(this.dst.filled()))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.project().dst.consume(amount);
    }
}
