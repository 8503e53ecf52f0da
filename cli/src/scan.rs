//! Reads text in pieces that split no character and no ill-formed sequence, in bounded memory: either in order or in
//! several places at once.

use std::ops::{ControlFlow, Range};

use fastutf::Isa;

use crate::claim::{Claim, Label, Refusal};
use crate::encoding::{Encoding, Fault};
use crate::error::Error;
use crate::guess::{SAMPLE, is_binary, looks_like};
use crate::input::Input;
use crate::name::Name;
use crate::position::Position;
use crate::watch::Watch;

/// The maximum size of a piece in bytes, including its surroundings. Pieces and their conversions (at most twice as
/// long) stay in the CPU's caches.
pub const PIECE: usize = 256 << 10;

/// How many bytes before an ill-formed sequence are available, if there are so many.
const BEFORE: usize = 16;

/// How many bytes after a piece are available, if there are so many: enough to show the surroundings of an ill-formed
/// sequence.
pub const AFTER: usize = 24;

/// An input of known encoding, read piece by piece.
pub struct Pieces<'a> {
    input: &'a mut Input,
    isa: Isa,
    encoding: Encoding,
    /// How certain the encoding is, if it is guessed.
    evidence: Option<String>,
    signature: usize,
    /// Whether this is Latin-1 that may be UTF-8: until now, it is ASCII.
    is_in_doubt: bool,
    /// How many bytes after a piece must be available.
    after: usize,
    buffer: &'a mut Vec<u8>,
    /// How many bytes of the buffer are filled.
    filled: usize,
    /// The offset of the buffer's first byte in the input.
    offset: u64,
    /// The range of the buffer that is the latest piece.
    piece: Range<usize>,
    ended: bool,
}

/// A part of a text, with its surroundings.
pub struct Piece<'b> {
    /// The part, and some bytes before and after it.
    pub bytes: &'b [u8],
    /// The range of the part in them.
    pub range: Range<usize>,
    /// Whether the bytes are the first of the input, including its signature.
    pub is_first: bool,
    /// Whether the text ends here.
    pub is_last: bool,
}

/// Returns advice for an ill-formed piece of UTF-8 at the start of an input that looks like UTF-16 or UTF-32: to use this
/// option.
pub fn advice(isa: Isa, encoding: Encoding, piece: &Piece<'_>, option: &str) -> Option<String> {
    let is_odd = piece.is_first && encoding == Encoding::Utf8;
    let order = looks_like(isa, piece.bytes).filter(|_| is_odd)?;
    let name = if matches!(order, Encoding::Utf32Le | Encoding::Utf32Be) { "UTF-32" } else { "UTF-16" };
    let is_marked = piece.bytes.starts_with(order.mark());
    let label = if is_marked { name.to_lowercase() } else { order.label().into() };
    Some(format!("this looks like {name}: try `{option} {label}`"))
}

impl<'a> Pieces<'a> {
    /// Starts to read into `buffer`, which need not be empty: determines the byte order, and skips the signature.
    /// Unless a piece is the last, `after` bytes follow it; with 0, only an incomplete character is held back.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read, [`Error::Doubt`] if its encoding must be guessed and cannot be.
    pub fn open(
        input: &'a mut Input,
        buffer: &'a mut Vec<u8>,
        isa: Isa,
        claim: Claim,
        after: usize,
    ) -> Result<Self, Error> {
        buffer.resize(PIECE, 0);
        let mut pieces = Self {
            input,
            isa,
            encoding: Encoding::Utf8,
            evidence: None,
            signature: 0,
            is_in_doubt: claim.is_strict && claim.label.is_doubted(),
            after,
            buffer,
            filled: 0,
            offset: 0,
            piece: 0..0,
            ended: false,
        };
        // The longest byte-order mark has 4 bytes, counting that of UTF-32.
        pieces.fill(if matches!(claim.label, Label::Detect | Label::Marked | Label::Utf32) { 4 } else { 3 })?;
        if let Some(told) = claim.resolve(pieces.head()) {
            (pieces.encoding, pieces.signature) = told;
        } else {
            // The whole sample, and one more byte to know whether there is more.
            pieces.fill(SAMPLE + 1)?;
            let sample = &pieces.buffer[..pieces.filled.min(SAMPLE)];
            let guessed = claim.guess(isa, sample, pieces.ended && pieces.filled <= SAMPLE);
            (pieces.encoding, pieces.signature, pieces.evidence) =
                guessed.map_err(|Refusal { doubt, advice, is_binary }| {
                    Error::Doubt { name: pieces.input.name().clone(), doubt, is_binary }.with_hint(advice)
                })?;
        }
        pieces.piece = pieces.signature..pieces.signature;
        Ok(pieces)
    }

    /// Returns the encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns whether nothing has shown yet that this is Latin-1 and not UTF-8.
    #[cfg_attr(not(unix), allow(unused))]
    pub fn is_in_doubt(&self) -> bool {
        self.is_in_doubt
    }

    /// Returns how certain the encoding is, if it is guessed.
    pub fn evidence(&self) -> Option<&str> {
        self.evidence.as_deref()
    }

    /// Returns what to look for in the text.
    pub fn watch(&self) -> Watch {
        Watch::new(self.isa, self.encoding, self.evidence.is_some())
    }

    /// Returns the length of the signature, which is part of no piece.
    pub fn signature(&self) -> usize {
        self.signature
    }

    /// Skips the byte-order mark at the start of the input, even where it is a character. Returns whether there was
    /// one, or a signature. Call it before the first piece.
    pub fn take_mark(&mut self) -> bool {
        let mark = self.encoding.mark();
        if self.signature == 0 && !mark.is_empty() && self.head().starts_with(mark) {
            self.signature = mark.len();
            self.piece = self.signature..self.signature;
        }
        self.signature > 0
    }

    /// Returns the start of the input: at least its first 3 bytes, or all of it. Call it before the first piece.
    pub fn head(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Returns whether the input does not look like text by its first 64 KiB. Call it before the first piece.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn is_binary(&mut self) -> Result<bool, Error> {
        self.fill(SAMPLE)?;
        Ok(is_binary(&self.head()[..self.filled.min(SAMPLE)]))
    }

    /// Returns the input.
    pub fn input(&self) -> &Input {
        self.input
    }

    /// Continues at this offset of an input that can be read from anywhere. It must be a boundary, on which a piece
    /// may start.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if that is impossible.
    pub fn jump(&mut self, offset: u64) -> Result<(), Error> {
        self.offset = offset.saturating_sub(BEFORE as u64);
        self.input.seek(self.offset)?;
        (self.filled, self.ended) = (0, false);
        let context = (offset - self.offset) as usize;
        self.fill(context)?;
        let start = context.min(self.filled);
        self.piece = start..start;
        Ok(())
    }

    /// Reads and returns the next piece; none at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read, [`Error::Doubt`] if the claim is `latin1` and the text looks like UTF-8.
    pub fn next(&mut self) -> Result<Option<Piece<'_>>, Error> {
        if self.ended && self.piece.end == self.filled {
            return Ok(None);
        }
        let kept = self.piece.end.saturating_sub(BEFORE);
        self.buffer.copy_within(kept..self.filled, 0);
        (self.filled, self.offset) = (self.filled - kept, self.offset + kept as u64);
        let start = self.piece.end - kept;
        // Takes what is available, so that nothing waits for text that is already known. If surroundings are needed,
        // a file is read in large pieces.
        let is_whole = self.after > 0 && self.input.is_file();
        let mut wanted = if is_whole { self.buffer.len() } else { start + self.after + 1 };
        loop {
            self.fill(wanted)?;
            let mut end = if self.ended {
                self.filled
            } else {
                start + self.encoding.complete_up_to(&self.buffer[start..self.filled - self.after])
            };
            if self.is_in_doubt {
                end = start + self.certain(start..end)?;
            }
            self.piece = start..end;
            if end > start || self.ended {
                break;
            }
            wanted = self.filled + 1;
        }
        let (is_first, is_last) = (self.offset == 0, self.ended);
        Ok(Some(Piece { bytes: &self.buffer[..self.filled], range: self.piece.clone(), is_first, is_last }))
    }

    /// Returns how much of this part of the buffer, the latest text, is certainly Latin-1, or is ASCII before what must be
    /// seen as a whole. The first byte beyond ASCII and the bytes after it decide, up to 64 KiB or to the end, however the
    /// reads cut the text. In Latin-1 they are hardly ever well-formed UTF-8. Text from a pipe is held back only if it is.
    ///
    /// # Errors
    ///
    /// [`Error::Doubt`] if it looks like UTF-8.
    fn certain(&mut self, text: Range<usize>) -> Result<usize, Error> {
        let text = &self.buffer[text];
        let Some(ascii) = text.iter().position(|&byte| byte >= 0x80) else { return Ok(text.len()) };
        let rest = &text[ascii..];
        let sample = &rest[..rest.len().min(SAMPLE)];
        let is_whole = self.ended && sample.len() == rest.len();
        let fault = Encoding::Utf8.fault(self.isa, sample);
        if fault.is_some_and(|fault| !fault.is_incomplete() || is_whole) {
            self.is_in_doubt = false;
            return Ok(text.len());
        }
        if is_whole || sample.len() == SAMPLE {
            let (name, doubt) = (self.input.name().clone(), "looks like UTF-8 and not like Latin-1".to_owned());
            let advice = "use `--from utf-8`, or `--force` if it is Latin-1";
            return Err(Error::Doubt { name, doubt, is_binary: false }.with_hint(advice));
        }
        // More has to be read. If there is no room for it, what comes before makes way.
        Ok(if self.filled == self.buffer.len() { ascii } else { 0 })
    }

    /// Reads until the buffer has `wanted` bytes, or the input ends.
    fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        while self.filled < wanted && !self.ended {
            let read = self.input.read(&mut self.buffer[self.filled..])?;
            self.filled += read;
            self.ended = read == 0;
        }
        Ok(())
    }
}

/// Where a part of a text ends, relative to its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// How many lines end in it.
    pub lines: u64,
    /// How many characters come after the last line end.
    pub chars: u64,
}

impl Extent {
    /// Advances over well-formed text.
    pub fn add_text(&mut self, encoding: Encoding, isa: Isa, text: &[u8]) {
        let (lines, rest) = encoding.lines(text);
        self.add(Self { lines, chars: encoding.count_chars(isa, rest) as u64 });
    }

    /// Advances over the next part.
    pub fn add(&mut self, next: Self) {
        if next.lines > 0 {
            (self.lines, self.chars) = (self.lines + next.lines, 0);
        }
        self.chars += next.chars;
    }

    /// Returns the position of `byte`, after this part of the text, which starts the first line.
    pub fn position(self, byte: u64) -> Position {
        Position { byte, line: self.lines + 1, column: self.chars + 1 }
    }
}

/// An ill-formed sequence, with its surroundings.
pub struct Finding {
    /// Where it starts. Ill-formed sequences before it count as one character each.
    pub at: Position,
    /// The fault.
    pub fault: Fault,
    /// Its bytes: in UTF-8, including continuation bytes that its lead byte claims though no character can have them.
    pub sequence: Vec<u8>,
    /// Its bytes with some before and after it.
    pub excerpt: Vec<u8>,
    /// Where in the excerpt it starts.
    pub start: usize,
}

impl Finding {
    /// Returns the error for this finding in the text with this name.
    pub fn into_error(self, encoding: Encoding, name: &Name) -> Error {
        Error::Invalid { name: name.clone(), at: self.at, reason: self.fault.describe(encoding, &self.sequence) }
    }
}

/// How many bytes of an excerpt come before the ill-formed sequence, and how many it has in total.
const EXCERPT: (usize, usize) = (6, 16);

/// Finds ill-formed sequences in a text, piece by piece.
pub struct Finder {
    isa: Isa,
    encoding: Encoding,
    /// What the text is to be converted to.
    to: Encoding,
    /// The extent of the text before, from its start.
    extent: Extent,
    /// The current offset in the input.
    byte: u64,
}

impl Finder {
    /// Returns a finder that starts at this offset in the input, after this part of the text.
    pub fn new(isa: Isa, encoding: Encoding, byte: u64, extent: Extent) -> Self {
        Self { isa, encoding, to: encoding, extent, byte }
    }

    /// Also finds what cannot be converted to this encoding.
    pub fn to(self, to: Encoding) -> Self {
        Self { to, ..self }
    }

    /// Returns the current offset in the input.
    pub fn byte(&self) -> u64 {
        self.byte
    }

    /// Advances over well-formed text.
    pub fn pass(&mut self, text: &[u8]) {
        self.extent.add_text(self.encoding, self.isa, text);
        self.byte += text.len() as u64;
    }

    /// Returns the first ill-formed sequence of the piece, or advances over the piece if there is none.
    pub fn first(&mut self, piece: &Piece<'_>) -> Option<Finding> {
        let mut first = None;
        let _ = self.find(piece, |finding| {
            first = Some(finding);
            ControlFlow::Break(())
        });
        first
    }

    /// Passes each ill-formed sequence of the piece, in order, to `found`, until it breaks.
    pub fn find(
        &mut self,
        piece: &Piece<'_>,
        mut found: impl FnMut(Finding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Piece { bytes, range, is_last, .. } = piece;
        let mut at = range.start;
        while at < range.end {
            let fault = self.encoding.fault_to(self.to, self.isa, &bytes[at..]);
            let fault = fault.filter(|fault| at + fault.valid_up_to() < range.end);
            let place = fault.map_or(range.end, |fault| at + fault.valid_up_to());
            if fault.is_none() && *is_last {
                // The line of the end is not needed.
                self.byte += (place - at) as u64;
            } else {
                self.pass(&bytes[at..place]);
            }
            let Some(fault) = fault else { break };
            let len = fault.len(bytes.len() - place);
            let start = place.saturating_sub(EXCERPT.0);
            let finding = Finding {
                at: self.extent.position(self.byte),
                fault,
                sequence: fault.sequence(&bytes[place..]).into(),
                excerpt: bytes[start..bytes.len().min(start + EXCERPT.1)].into(),
                start: place - start,
            };
            self.extent.chars += 1;
            self.byte += len as u64;
            at = place + len;
            found(finding)?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind, Read};

    use super::*;

    /// Returns its bytes at most `step` at a time, with an interruption before each.
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

    fn dribble(bytes: &[u8], step: usize) -> Input {
        Input::new(Name::of("it".as_ref()), Dribble { bytes: bytes.into(), step, interrupted: false })
    }

    fn claim(label: Label) -> Claim {
        Claim { label, fallback: None, option: "--from", is_strict: false }
    }

    /// Reads `bytes` in reads of `step` bytes. Returns all pieces up to the first error together, and the error.
    fn read(bytes: &[u8], step: usize, isa: Isa, label: Label, after: usize) -> (Vec<u8>, Option<String>) {
        let (mut input, mut buffer) = (dribble(bytes, step), Vec::new());
        read_on(Pieces::open(&mut input, &mut buffer, isa, claim(label), after).unwrap(), isa)
    }

    fn read_on(mut pieces: Pieces<'_>, isa: Isa) -> (Vec<u8>, Option<String>) {
        let encoding = pieces.encoding();
        let mut finder = Finder::new(isa, encoding, pieces.signature() as u64, Extent::default());
        let mut text = Vec::new();
        while let Some(piece) = pieces.next().unwrap() {
            let start = finder.byte();
            let first = finder.first(&piece);
            let valid = first.as_ref().map_or(piece.range.len(), |first| (first.at.byte - start) as usize);
            text.extend_from_slice(&piece.bytes[piece.range][..valid]);
            if let Some(first) = first {
                return (text, Some(first.into_error(encoding, &Name::of("it".as_ref())).to_string()));
            }
        }
        (text, None)
    }

    /// However the reads cut the text, the result is the same: the text before the error, and the error's message.
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
                Some("it: invalid at byte 0, line 1, column 1: incomplete sequence at end of input (F0 9F 92)"),
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
                Some("it: invalid at byte 6, line 2, column 1: high surrogate at end of input (D83D)"),
            ),
            (
                b"\xFE\xFF\0a\0b\0",
                4,
                Some("it: invalid at byte 6, line 1, column 3: incomplete code unit at end of input (00)"),
            ),
        ];
        for (label, cases) in [(Label::Of(Encoding::Utf8), utf8), (Label::Utf16, utf16be)] {
            for &(bytes, valid, error) in cases {
                let signature = if label == Label::Utf16 { 2 } else { 0 };
                let expected = (bytes[signature..signature + valid].to_vec(), error.map(str::to_owned));
                for isa in Isa::available() {
                    for step in 1..=bytes.len() + 1 {
                        for after in [0, 1, AFTER] {
                            let read = read(bytes, step, isa, label, after);
                            assert_eq!(read, expected, "{isa}, {step} at a time, {after}, {bytes:02X?}");
                        }
                    }
                }
            }
        }
    }

    /// A byte-order mark is found however the reads cut it, and only one is.
    #[test]
    fn marks_in_pieces() {
        let cases: [(Label, &[u8], bool, &[u8]); 6] = [
            (Label::Utf16, b"\xFF\xFE\xFF\xFEa\0", true, b"\xFF\xFEa\0"),
            (Label::Utf16, b"\0a", false, b"\0a"),
            (Label::Of(Encoding::Utf16Be), b"\xFE\xFF\0a", true, b"\0a"),
            (Label::Of(Encoding::Utf16Be), b"\xFF\xFE\0a", false, b"\xFF\xFE\0a"),
            (Label::Of(Encoding::Utf8), b"\xEF\xBB\xBF\xEF\xBB\xBF", true, b"\xEF\xBB\xBF"),
            (Label::Of(Encoding::Utf8), b"\xEF\xBB", false, b""),
        ];
        for (label, bytes, is_marked, rest) in cases {
            for step in 1..=bytes.len() {
                let (mut input, mut buffer) = (dribble(bytes, step), Vec::new());
                let mut pieces = Pieces::open(&mut input, &mut buffer, Isa::SCALAR, claim(label), 0).unwrap();
                assert_eq!(pieces.take_mark(), is_marked, "{step} at a time, {bytes:02X?}");
                let (read, error) = read_on(pieces, Isa::SCALAR);
                assert_eq!((read.as_slice(), error.is_none()), (rest, bytes != b"\xEF\xBB"), "{bytes:02X?}");
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
            let (_, error) = read(&utf8, step, Isa::SCALAR, Label::Of(Encoding::Utf8), 0);
            assert_eq!(error, Some(place(3006) + "invalid lead byte (FF)"));
            let (_, error) = read(&utf16, step, Isa::SCALAR, Label::Of(Encoding::Utf16Le), 0);
            assert_eq!(error, Some(place(4006) + "unpaired low surrogate (DC00)"));
        }
    }
}
