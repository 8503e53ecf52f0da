//! Text read piece by piece in bounded memory: characters that a read cuts in two, and where in the text we are.

use std::fs::File;

use fastutf::Isa;

use crate::encoding::{ByteOrder, Encoding, Fault, Label, is_continuation};
use crate::error::Error;
use crate::input::Input;

/// The most bytes in a piece of text. Pieces and what they convert to (at most twice that) stay in the CPU's caches.
pub const PIECE: usize = 256 << 10;

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The offset in bytes, from 0, a signature included.
    pub byte: u64,
    /// The line, from 1; U+000A ends a line.
    pub line: u64,
    /// The column in characters (Unicode scalar values), from 1; a signature is none.
    pub column: u64,
}

/// An open text of known encoding.
pub struct Text {
    input: Input,
    isa: Isa,
    encoding: Encoding,
    buffer: Vec<u8>,
    /// How many bytes of the buffer are read and not yet consumed; they are its first ones.
    filled: usize,
    /// Whether the input has ended.
    ended: bool,
    /// Where the buffer's first byte is.
    position: Position,
}

impl Text {
    /// Starts to read: finds out the byte order, and removes the signature if it is one.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn open(input: Input, isa: Isa, label: Label, fallback: Option<ByteOrder>) -> Result<Self, Error> {
        let mut text = Self {
            input,
            isa,
            encoding: Encoding::Utf8,
            buffer: vec![0; PIECE],
            filled: 0,
            ended: false,
            position: Position { byte: 0, line: 1, column: 1 },
        };
        // The longest mark has 3 bytes.
        while text.filled < 3 && text.fill()? {}
        let start = &text.buffer[..text.filled];
        let (encoding, signature) = label.resolve(fallback.unwrap_or(ByteOrder::Be), start);
        text.encoding = encoding;
        text.skip(signature);
        Ok(text)
    }

    /// Removes the byte-order mark that starts the file, even where it is a character; returns whether there was one, or
    /// a signature. To be called before the text is read.
    pub fn take_mark(&mut self) -> bool {
        let mark = self.encoding.mark();
        if self.position.byte == 0 && self.buffer[..self.filled].starts_with(mark) {
            self.skip(mark.len());
        }
        self.position.byte > 0
    }

    /// Returns whether this text, not yet read, is to be UTF-8 and starts with the mark of UTF-16. It is invalid, then.
    pub fn looks_like_utf16(&self) -> bool {
        let marks = [Encoding::Utf16Le, Encoding::Utf16Be].map(Encoding::mark);
        self.encoding == Encoding::Utf8 && marks.iter().any(|mark| self.buffer[..self.filled].starts_with(mark))
    }

    /// Returns its name for messages.
    pub fn name(&self) -> &str {
        self.input.name()
    }

    /// Returns its encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns whether the file, not yet read, has no bytes at all.
    pub fn is_empty_file(&self) -> bool {
        self.position.byte == 0 && self.filled == 0
    }

    /// Returns the file, if it is a regular one, its length, and where in it the text starts that is not yet read.
    pub fn as_file(&self) -> Option<(&File, u64, u64)> {
        let (file, len) = self.input.as_file()?;
        Some((file, len, self.position.byte))
    }

    /// Gives the text to `take`, piece by piece. `take` says what is wrong with a piece: one that only ends too
    /// early is given again, from its fault on, together with what follows it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the text is ill-formed, [`Error::Io`] if it cannot be read, and those of `take`.
    pub fn for_each_piece(
        mut self,
        mut take: impl FnMut(&[u8]) -> Result<Option<Fault>, Error>,
    ) -> Result<(), Error> {
        loop {
            let fault = take(&self.buffer[..self.filled])?;
            self.consume(fault.map_or(self.filled, |fault| fault.valid_up_to()));
            match fault {
                Some(fault) if self.ended || !fault.is_incomplete() => return Err(self.invalid(fault)),
                _ if self.ended => return Ok(()),
                _ => self.fill()?,
            };
        }
    }

    /// Reads something into the free part of the buffer; false at the end of the input.
    fn fill(&mut self) -> Result<bool, Error> {
        if !self.ended {
            let read = self.input.read(&mut self.buffer[self.filled..])?;
            self.filled += read;
            self.ended = read == 0;
        }
        Ok(!self.ended)
    }

    /// Moves on by `len` bytes of well-formed text.
    fn consume(&mut self, len: usize) {
        let (lines, rest) = self.encoding.lines(&self.buffer[..len]);
        if lines > 0 {
            self.position.line += lines;
            self.position.column = 1;
        }
        self.position.column += self.encoding.count_chars(self.isa, rest) as u64;
        self.skip(len);
    }

    /// Moves on by `len` bytes that are in no line or column.
    fn skip(&mut self, len: usize) {
        self.position.byte += len as u64;
        self.buffer.copy_within(len..self.filled, 0);
        self.filled -= len;
    }

    /// The error for a fault at the start of the buffer.
    fn invalid(mut self, fault: Fault) -> Error {
        // The message shows the same bytes wherever the reads were cut.
        while self.filled < fault.claimed_len(self.buffer[0])
            && self.buffer[1..self.filled].iter().all(|&byte| is_continuation(byte))
            && self.fill().unwrap_or(false)
        {}
        Error::Invalid {
            name: self.input.name().into(),
            at: self.position,
            reason: fault.describe(self.encoding, &self.buffer[..self.filled]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind, Read};

    use super::*;

    /// Gives its bytes at most `step` at a time, after an interruption each time.
    struct Dribble {
        bytes: Vec<u8>,
        step: usize,
        interrupted: bool,
    }

    impl Read for Dribble {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let len = self.step.min(self.bytes.len()).min(buffer.len());
            buffer[..len].copy_from_slice(&self.bytes[..len]);
            self.bytes.drain(..len);
            Ok(len)
        }
    }

    /// Reads `bytes` in reads of `step` bytes: all pieces together, and the error.
    fn read(bytes: &[u8], step: usize, isa: Isa, label: Label) -> (Vec<u8>, Option<String>) {
        let input = Input::new("it".into(), Dribble { bytes: bytes.into(), step, interrupted: false });
        let text = Text::open(input, isa, label, None).unwrap();
        let encoding = text.encoding();
        let mut pieces = Vec::new();
        let outcome = text.for_each_piece(|piece| {
            let fault = encoding.fault(isa, piece);
            pieces.extend_from_slice(&piece[..fault.map_or(piece.len(), |fault| fault.valid_up_to())]);
            Ok(fault)
        });
        (pieces, outcome.err().map(|error| error.to_string()))
    }

    /// However the reads cut the text, the same comes out: the text before the error, and the error's message.
    #[test]
    fn cuts_do_not_matter() {
        let utf8: &[(&[u8], usize, Option<&str>)] = &[
            ("\u{FEFF}zł\nő€\n😀".as_bytes(), 17, None),
            (
                b"a\n\xE2\x82\xACbc\xC0\xAF!",
                7,
                Some("it: invalid at byte 7, line 2, column 4: overlong encoding (C0 AF)"),
            ),
            (
                b"\xF0\x9F\x92",
                0,
                Some("it: invalid at byte 0, line 1, column 1: incomplete sequence at the end (F0 9F 92)"),
            ),
            (
                b"\n\xF0\x9F\x92!",
                1,
                Some("it: invalid at byte 1, line 2, column 1: missing continuation byte (F0 9F 92)"),
            ),
            (b"ab\xED\xA0\x80", 2, Some("it: invalid at byte 2, line 1, column 3: encoded surrogate (ED A0 80)")),
        ];
        let utf16be: &[(&[u8], usize, Option<&str>)] = &[
            (b"\xFE\xFF\0a\0\n\xD8\x3D\xDE\0", 8, None),
            (
                b"\xFE\xFF\0a\0\n\xD8\x3D\0b",
                4,
                Some("it: invalid at byte 6, line 2, column 1: unpaired high surrogate (D83D)"),
            ),
            (
                b"\xFE\xFF\0a\0\n\xD8\x3D\xDC",
                4,
                Some("it: invalid at byte 6, line 2, column 1: high surrogate at the end (D83D)"),
            ),
            (
                b"\xFE\xFF\0a\0b\0",
                4,
                Some("it: invalid at byte 6, line 1, column 3: half a code unit at the end (00)"),
            ),
        ];
        for (label, cases) in [(Label::Utf8, utf8), (Label::Utf16, utf16be)] {
            for &(bytes, valid, error) in cases {
                let signature = if label == Label::Utf16 { 2 } else { 0 };
                let expected = (bytes[signature..signature + valid].to_vec(), error.map(str::to_owned));
                for isa in Isa::available() {
                    for step in 1..=bytes.len() + 1 {
                        assert_eq!(
                            read(bytes, step, isa, label),
                            expected,
                            "{isa}, {step} at a time, {bytes:02X?}"
                        );
                    }
                }
            }
        }
    }

    /// A mark is found however the reads cut it; only one is.
    #[test]
    fn marks_in_pieces() {
        let cases: [(Label, &[u8], bool, &[u8]); 6] = [
            (Label::Utf16, b"\xFF\xFE\xFF\xFEa\0", true, b"\xFF\xFEa\0"),
            (Label::Utf16, b"\0a", false, b"\0a"),
            (Label::Utf16Be, b"\xFE\xFF\0a", true, b"\0a"),
            (Label::Utf16Be, b"\xFF\xFE\0a", false, b"\xFF\xFE\0a"),
            (Label::Utf8, b"\xEF\xBB\xBF\xEF\xBB\xBF", true, b"\xEF\xBB\xBF"),
            (Label::Utf8, b"\xEF\xBB", false, b""),
        ];
        for (label, bytes, is_marked, rest) in cases {
            for step in 1..=bytes.len() {
                let input = Input::new("it".into(), Dribble { bytes: bytes.into(), step, interrupted: false });
                let mut text = Text::open(input, Isa::SCALAR, label, None).unwrap();
                assert_eq!(text.take_mark(), is_marked, "{step} at a time, {bytes:02X?}");
                let encoding = text.encoding();
                let mut read = Vec::new();
                let outcome = text.for_each_piece(|piece| {
                    let fault = encoding.fault(Isa::SCALAR, piece);
                    read.extend_from_slice(&piece[..fault.map_or(piece.len(), |fault| fault.valid_up_to())]);
                    Ok(fault)
                });
                assert_eq!((read.as_slice(), outcome.is_ok()), (rest, bytes != b"\xEF\xBB"), "{bytes:02X?}");
            }
        }
    }

    /// Lines and columns are counted across pieces, and across more lines than a byte can count.
    #[test]
    fn positions_add_up() {
        let mut text = "é\n".repeat(1000);
        text.push_str("ü😀");
        let mut utf8 = text.clone().into_bytes();
        utf8.push(0xFF);
        let mut utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        utf16.extend([0x00, 0xDC]);
        let place = |byte: usize| format!("it: invalid at byte {byte}, line 1001, column 3: ");
        for step in [1, 2, 3, 1000, 3000, 3007] {
            let (_, error) = read(&utf8, step, Isa::SCALAR, Label::Utf8);
            assert_eq!(error, Some(place(3006) + "byte that starts no character (FF)"));
            let (_, error) = read(&utf16, step, Isa::SCALAR, Label::Utf16Le);
            assert_eq!(error, Some(place(4006) + "unpaired low surrogate (DC00)"));
        }
    }
}
