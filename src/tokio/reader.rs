//! A reader that gives the text of another reader in another encoding.

use alloc::boxed::Box;
use alloc::vec;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io;

use ::pin_project_lite::pin_project;
use ::tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

use crate::io::buffer::Buffer;
use crate::io::input::Input;
use crate::io::{DEFAULT_CAPACITY, MIN_CAPACITY};
use crate::stream::Transcoder;

pin_project! {
    /// Reads text in one encoding and gives it in another, as the [`Transcoder`] says:
    /// [`io::TranscodingReader`](crate::io::TranscodingReader) for tokio.
    ///
    /// Strict transcoders deliver all text before the first ill-formed sequence; then comes an error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) with the [`StreamError`](crate::stream::StreamError) in it, and again
    /// at each later call. Errors of the inner reader are passed on; nothing is lost, and the next call goes on. Once the
    /// inner reader is at its end it is not read again.
    ///
    /// The buffer to read into may be of any size, one byte too, and what is read may end inside a character;
    /// [`AsyncBufRead`] gives whole characters. There is no use in a `BufReader` around this reader, nor around the inner
    /// one: both have a buffer here. A read of at least the size of that, into memory that is initialised, is converted
    /// directly into it.
    ///
    /// # Cancel safety
    ///
    /// Whatever was read from the inner reader is in this one while a call is pending, the start of a character too. So
    /// methods of [`AsyncReadExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncReadExt.html) and
    /// [`AsyncBufReadExt`](https://docs.rs/tokio/latest/tokio/io/trait.AsyncBufReadExt.html) are as tokio says of each:
    ///
    /// | method | if its future is dropped, as by `select!` |
    /// |---|---|
    /// | `read`, `read_buf`, `fill_buf`, `lines().next_line()`, `split(…).next_segment()` | nothing is lost: the next call goes on |
    /// | `read_exact`, `read_to_end`, `read_to_string`, `read_until`, `read_line` | what they have taken so far may be lost with it, or is in the caller's buffer; this reader goes on after it |
    ///
    /// # Panics
    ///
    /// Reading panics if the inner reader fills another buffer than the one it was given.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf::tokio::TranscodingReader;
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
        // Text that was converted and is not consumed.
        dst: Buffer<Box<[u8]>>,
    }
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

    /// Puts U+FFFD in the place of what is ill-formed, as a [`lossy`](Transcoder::lossy) transcoder does, from here on.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Transcoder};
    /// use fastutf::tokio::TranscodingReader;
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
        self.input.lossy();
        self
    }

    /// Returns the transcoder: it tells how many replacements were made so far, and which encoding a byte-order mark
    /// showed. It is ahead of what has been delivered, by the buffer.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source, Transcoder};
    /// use fastutf::tokio::TranscodingReader;
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

    /// Returns the inner reader, pinned, to change it. What is read from it directly is missing in the text.
    pub fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut R> {
        self.project().inner
    }

    /// Returns the inner reader. What was read from it and not yet delivered is lost: two buffers, and the start of a
    /// character.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

/// Converts into `dst`, of at least [`MIN_CAPACITY`], and returns how many bytes it wrote: 0 at the end only. What was read
/// is in `input` whenever this returns.
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
        let room = input.room();
        let start = room.as_ptr();
        let mut buf = ReadBuf::new(room);
        ready!(inner.as_mut().poll_read(context, &mut buf))?;
        assert_eq!(buf.filled().as_ptr(), start, "the inner reader has filled another buffer");
        let read = buf.filled().len();
        input.filled_by(read);
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
        // To initialise memory takes as long as to copy what is converted to it.
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
