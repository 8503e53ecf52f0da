//! The adapters for `std::io`: their results do not depend on how their inner readers and writers divide the data.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};

use fastutf::io::{TranscodingReader, TranscodingWriter, Utf8Reader};
use fastutf::stream::{Encoding, StreamError};

use crate::input::Choice;
use crate::same;
use crate::stream::{Stream, fault_of};
use crate::told::told;

/// Runs one input through a reader or a writer. Its format is that of [`stream`](crate::stream()).
pub fn io(data: &[u8]) {
    let stream = Stream::new(data);
    let choice = Choice::of(data);
    match choice.turn(6) {
        0 => read(&stream, choice),
        1 => read_buffered(&stream, choice),
        2 | 3 => write(&stream, choice),
        4 => check(&stream, choice),
        _ => check_buffered(&stream, choice),
    }
}

/// A reader that returns the chunks of a stream, and is interrupted now and then. No chunk is empty: that would be the
/// end.
fn chunked(stream: &Stream) -> impl Read + '_ {
    struct Chunked<I: Iterator<Item = Vec<u8>>> {
        chunks: I,
        rest: Vec<u8>,
        interrupted: bool,
    }
    impl<I: Iterator<Item = Vec<u8>>> Read for Chunked<I> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            if self.rest.is_empty() {
                self.rest = self.chunks.next().unwrap_or_default();
            }
            let len = buffer.len().min(self.rest.len());
            buffer[..len].copy_from_slice(&self.rest[..len]);
            self.rest.drain(..len);
            Ok(len)
        }
    }
    let chunks = stream.chunks().map(|chunk| chunk.get().to_vec()).filter(|chunk| !chunk.is_empty());
    Chunked { chunks, rest: Vec::new(), interrupted: false }
}

/// The error in the text that an error of `std::io` wraps.
#[track_caller]
fn in_text(error: &io::Error) -> StreamError {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    *error.get_ref().unwrap().downcast_ref::<StreamError>().unwrap()
}

/// Calls `step` until it returns false, or an error that is not an interruption.
fn until_end(mut step: impl FnMut() -> io::Result<bool>) -> Option<StreamError> {
    loop {
        match step() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Some(in_text(&error)),
        }
    }
}

/// Reads all with buffers of this size: the text, and the error.
fn read_all(reader: &mut impl Read, room: usize) -> (Vec<u8>, Option<StreamError>) {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; room]);
    let error = until_end(|| {
        let read = reader.read(&mut buffer)?;
        bytes.extend_from_slice(&buffer[..read]);
        Ok(read > 0)
    });
    (bytes, error)
}

/// Reads all from the reader's own buffer, which must hold whole characters of the encoding, if there is one.
fn read_all_buffered(reader: &mut impl BufRead, encoding: Option<Encoding>) -> (Vec<u8>, Option<StreamError>) {
    let mut bytes = Vec::new();
    let error = until_end(|| {
        let text = reader.fill_buf()?;
        let fault = encoding.and_then(|encoding| fault_of(encoding, text));
        assert_eq!(fault, None, "incomplete character: {text:02X?}");
        let read = text.len();
        bytes.extend_from_slice(text);
        reader.consume(read);
        Ok(read > 0)
    });
    (bytes, error)
}

fn read(stream: &Stream, choice: Choice) {
    let transcoder = stream.transcoder(choice.isa());
    let mut reader = TranscodingReader::with_capacity(stream.room, chunked(stream), transcoder);
    let (bytes, error) = read_all(&mut reader, 1 + stream.room / 3);
    stream.assert_transcoded(choice.isa(), "TranscodingReader", bytes, error, reader.transcoder());
}

fn read_buffered(stream: &Stream, choice: Choice) {
    let transcoder = stream.transcoder(choice.isa());
    let mut reader = TranscodingReader::with_capacity(stream.room, chunked(stream), transcoder);
    let (bytes, error) = read_all_buffered(&mut reader, (!stream.is_wtf8()).then_some(stream.to));
    stream.assert_transcoded(choice.isa(), "TranscodingReader", bytes, error, reader.transcoder());
}

/// A writer that takes some bytes at a time, and is interrupted now and then.
struct Sink {
    bytes: Vec<u8>,
    most: usize,
    interrupted: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = bytes.len().min(self.most);
        self.bytes.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(stream: &Stream, choice: Choice) {
    let sink = Sink { bytes: Vec::new(), most: 1 + stream.room / 3, interrupted: false };
    let mut writer = TranscodingWriter::with_capacity(stream.room, sink, stream.transcoder(choice.isa()));
    let result = stream.chunks().try_for_each(|chunk| writer.write_all(chunk.get()));
    let error = result.and_then(|()| writer.try_finish()).err().map(|error| in_text(&error));
    // The text before an error must still be written.
    writer.flush().unwrap();
    let bytes = writer.get_ref().bytes.clone();
    stream.assert_transcoded(choice.isa(), "TranscodingWriter", bytes, error, writer.transcoder());
}

fn check(stream: &Stream, choice: Choice) {
    let mut reader = Utf8Reader::new(chunked(stream)).with_isa(choice.isa());
    let (bytes, error) = read_all(&mut reader, stream.room);
    let fault = fault_of(Encoding::Utf8, &stream.text);
    same(choice.isa(), "Utf8Reader", error.map(told), fault.clone());
    // The reader may have returned the start of a sequence before it turned out to be ill-formed.
    let valid = fault.as_ref().map_or(stream.text.len(), |fault| fault.at);
    let started = if fault.is_some() { 3 } else { 0 };
    assert!(stream.text.starts_with(&bytes), "Utf8Reader changed its text");
    assert!((valid..=valid + started).contains(&bytes.len()), "Utf8Reader read {} bytes of {valid}", bytes.len());
}

fn check_buffered(stream: &Stream, choice: Choice) {
    let inner = BufReader::with_capacity(stream.room, chunked(stream));
    let mut reader = Utf8Reader::new(inner).with_isa(choice.isa());
    let (bytes, error) = read_all_buffered(&mut reader, Some(Encoding::Utf8));
    let fault = fault_of(Encoding::Utf8, &stream.text);
    same(choice.isa(), "Utf8Reader", error.map(told), fault.clone());
    let valid = &stream.text[..fault.map_or(stream.text.len(), |fault| fault.at)];
    same(choice.isa(), "Utf8Reader", &bytes[..], valid);
}
