//! A codec of `tokio-util` for text in any encoding over a framed connection.

use std::io;

use bytes::BytesMut;
use fastutf::Isa;
use fastutf::bytes::{utf8_to_utf16be_put, utf8_to_utf16le_put};
use fastutf::stream::{Encoding, Source, StreamError, Transcoder};
use tokio_util::codec::{Decoder, Encoder};

/// How many bytes are decoded at a time: as many as `FramedRead` reads by default.
const PIECE: usize = 8 << 10;

/// A codec for text in any [`Encoding`], in both directions, for [`Framed`], [`FramedRead`] and [`FramedWrite`].
///
/// Received bytes become `String`s of whole characters, each from at most 8 KB of the bytes that have arrived. They
/// are neither lines nor messages; where one ends has no meaning. So memory use is bounded, whatever arrives.
///
/// Anything that is `AsRef<str>` can be sent. No byte-order mark is added; to send one, start with U+FEFF.
///
/// [`Framed`]: tokio_util::codec::Framed
/// [`FramedRead`]: tokio_util::codec::FramedRead
/// [`FramedWrite`]: tokio_util::codec::FramedWrite
///
/// # Errors
///
/// Ill-formed input is an [`io::Error`] of the kind [`InvalidData`](io::ErrorKind::InvalidData) that contains a
/// [`StreamError`], with the place in the stream and the reason. The text before it is returned first. The error is final.
/// Sending fails only for characters that `to` does not have, such as those above U+00FF in Latin-1. A strict codec then
/// sends nothing of that text; a lossy one sends a question mark.
///
/// ```
/// use fastutf::stream::{Encoding, StreamError};
/// use fastutf_tokio::TextCodec;
/// use futures_util::{SinkExt, StreamExt};
/// use tokio_util::codec::{FramedRead, FramedWrite};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let received: &[u8] = b"z\x00B\x01\x00\xDC"; // "zł", and then a surrogate that has no partner
/// let mut reader = FramedRead::new(received, TextCodec::new(Encoding::Utf16Le, Encoding::Utf8));
/// assert_eq!(reader.next().await.unwrap()?, "zł");
/// let error = reader.next().await.unwrap().unwrap_err();
/// let error = error.get_ref().unwrap().downcast_ref::<StreamError>().unwrap();
/// assert_eq!(error.offset(), 4);
///
/// let mut writer = FramedWrite::new(Vec::new(), TextCodec::new(Encoding::Utf8, Encoding::Utf16Le));
/// writer.send("zł").await?;
/// assert_eq!(writer.get_ref(), b"z\x00B\x01");
/// # Ok::<(), std::io::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct TextCodec {
    transcoder: Transcoder,
    to: Encoding,
    /// For text that is sent: Latin-1 does not have all of its characters.
    lossy: bool,
}

impl TextCodec {
    /// Creates a strict codec, which receives text in `from` and sends text in `to`. Ill-formed input is an error.
    ///
    /// ```
    /// use fastutf::stream::{Encoding, Source};
    /// use fastutf_tokio::TextCodec;
    ///
    /// let utf8 = TextCodec::new(Encoding::Utf8, Encoding::Utf8);
    /// let tolerant = TextCodec::new(Source::DetectBom { fallback: Encoding::Utf8 }, Encoding::Utf8).lossy();
    /// ```
    #[must_use]
    pub fn new(from: impl Into<Source>, to: Encoding) -> Self {
        Self { transcoder: Transcoder::new(from, Encoding::Utf8), to, lossy: false }
    }

    /// Replaces ill-formed input by U+FFFD, in the same places as the functions for whole texts.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use fastutf::stream::Encoding;
    /// use fastutf_tokio::TextCodec;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut codec = TextCodec::new(Encoding::Utf8, Encoding::Utf8).lossy();
    /// let mut received = BytesMut::from(&b"na\xFFve"[..]);
    /// assert_eq!(codec.decode(&mut received)?.as_deref(), Some("na\u{FFFD}ve"));
    /// assert_eq!(codec.transcoder().replacements(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(self) -> Self {
        Self { transcoder: self.transcoder.lossy(), lossy: true, ..self }
    }

    /// Uses the kernels of this instruction set to decode received text.
    ///
    /// ```
    /// use fastutf::Isa;
    /// use fastutf::stream::Encoding;
    /// use fastutf_tokio::TextCodec;
    ///
    /// let codec = TextCodec::new(Encoding::Utf8, Encoding::Utf8).with_isa(Isa::SCALAR);
    /// ```
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { transcoder: self.transcoder.with_isa(isa), ..self }
    }

    /// Returns the transcoder of received text, which knows how many bytes it has read, the number of replacements,
    /// and the encoding once a byte-order mark has determined it.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use fastutf::stream::{Encoding, Source};
    /// use fastutf_tokio::TextCodec;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut codec = TextCodec::new(Source::DetectBom { fallback: Encoding::Utf8 }, Encoding::Utf8);
    /// let mut received = BytesMut::from(&b"\xFF\xFEz\x00"[..]);
    /// assert_eq!(codec.decode(&mut received)?.as_deref(), Some("z"));
    /// assert_eq!(codec.transcoder().encoding(), Some(Encoding::Utf16Le));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }
}

/// Returns the text of a piece or, if there is none, the error. If there are both, the transcoder will return the
/// error again.
fn item(text: String, result: Result<(), StreamError>) -> io::Result<Option<String>> {
    if text.is_empty() {
        return Ok(result.map(|()| None)?);
    }
    Ok(Some(text))
}

impl Decoder for TextCodec {
    type Item = String;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        let piece = src.split_to(src.len().min(PIECE));
        let mut text = String::new();
        let result = self.transcoder.convert_to_string(&piece, &mut text);
        item(text, result)
    }

    /// As `decode`, but then an incomplete character is ill-formed.
    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        if let Some(text) = self.decode(src)? {
            return Ok(Some(text));
        }
        let mut text = String::new();
        let result = self.transcoder.finish_to_string(&mut text);
        item(text, result)
    }
}

impl<T: AsRef<str>> Encoder<T> for TextCodec {
    type Error = io::Error;

    fn encode(&mut self, text: T, dst: &mut BytesMut) -> io::Result<()> {
        let text = text.as_ref().as_bytes();
        let out = match self.to {
            Encoding::Utf8 => {
                dst.extend_from_slice(text);
                return Ok(());
            }
            Encoding::Utf16Le => utf8_to_utf16le_put(text, dst),
            Encoding::Utf16Be => utf8_to_utf16be_put(text, dst),
            // Those of features of `fastutf`.
            to => {
                let transcoder = Transcoder::new(Encoding::Utf8, to);
                let mut transcoder = if self.lossy { transcoder.lossy() } else { transcoder };
                let mut converted = Vec::new();
                transcoder.convert_append(text, &mut converted)?;
                dst.extend_from_slice(&converted);
                return Ok(());
            }
        };
        debug_assert!(out.is_complete(), "text is well-formed, and `dst` grows");
        Ok(())
    }
}
