//! Text in pieces that no character and no ill-formed sequence crosses, in bounded memory: what is read one after the
//! other, and what is looked at in several places at once.

use std::ops::{ControlFlow, Range};

use fastutf::Isa;

use crate::encoding::{ByteOrder, Encoding, Fault, Label};
use crate::error::Error;
use crate::input::Input;
use crate::text::{PIECE, Position};

/// How many bytes before an ill-formed sequence are at hand, if there are so many.
pub const BEFORE: usize = 16;

/// How many bytes after the start of an ill-formed sequence are at hand, if there are so many: enough to know what it
/// is, and to show it.
pub const AFTER: usize = 24;

/// An input of known encoding, read one piece after the other.
pub struct Pieces<'a> {
    input: &'a mut Input,
    encoding: Encoding,
    signature: usize,
    buffer: &'a mut Vec<u8>,
    /// How many bytes of the buffer are read.
    filled: usize,
    /// Where the buffer's first byte is in the input.
    offset: u64,
    /// What of the buffer is the latest piece.
    piece: Range<usize>,
    ended: bool,
}

/// A part of a text, with what is around it.
pub struct Piece<'b> {
    /// The part, and some bytes before and after it.
    pub bytes: &'b [u8],
    /// Where in them it is.
    pub range: Range<usize>,
    /// Whether the text ends here.
    pub is_last: bool,
}

impl<'a> Pieces<'a> {
    /// Starts to read into `buffer`, which needs not be empty: finds out the byte order, and skips the signature.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn open(
        input: &'a mut Input,
        buffer: &'a mut Vec<u8>,
        label: Label,
        fallback: Option<ByteOrder>,
    ) -> Result<Self, Error> {
        // More than what is kept of the piece before, and of the next.
        buffer.resize(PIECE + BEFORE + AFTER, 0);
        let mut pieces = Self {
            input,
            encoding: Encoding::Utf8,
            signature: 0,
            buffer,
            filled: 0,
            offset: 0,
            piece: 0..0,
            ended: false,
        };
        // The longest mark has 3 bytes.
        pieces.fill(3)?;
        let start = &pieces.buffer[..pieces.filled];
        (pieces.encoding, pieces.signature) = label.resolve(fallback.unwrap_or(ByteOrder::Be), start);
        pieces.piece = pieces.signature..pieces.signature;
        Ok(pieces)
    }

    /// Returns the encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns how long the signature is, which is part of no piece.
    pub fn signature(&self) -> usize {
        self.signature
    }

    /// Returns the start of the input: its first 3 bytes at least, or all there are. Before the first piece.
    pub fn head(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Returns the input.
    pub fn input(&self) -> &Input {
        self.input
    }

    /// Goes on at this offset of an input that can be read from anywhere: a boundary, on which a piece may start.
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

    /// Reads on, and returns the next piece; none at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn next(&mut self) -> Result<Option<Piece<'_>>, Error> {
        if self.ended && self.piece.end == self.filled {
            return Ok(None);
        }
        let kept = self.piece.end.saturating_sub(BEFORE);
        self.buffer.copy_within(kept..self.filled, 0);
        (self.filled, self.offset) = (self.filled - kept, self.offset + kept as u64);
        let start = self.piece.end - kept;
        // From a file in whole buffers; from a pipe what there is, so that nobody waits for what is known.
        let mut wanted = if self.input.is_file() { self.buffer.len() } else { start + AFTER + 4 + 1 };
        loop {
            self.fill(wanted)?;
            let bytes = &self.buffer[..self.filled];
            let end =
                if self.ended { self.filled } else { self.encoding.boundary(bytes, self.filled - AFTER - 4) };
            self.piece = start..end.max(start);
            if end > start || self.ended {
                break;
            }
            wanted = self.filled + 1;
        }
        let is_last = self.ended;
        Ok(Some(Piece { bytes: &self.buffer[..self.filled], range: self.piece.clone(), is_last }))
    }

    /// Reads until so many bytes are in the buffer, or the input ends.
    fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        while self.filled < wanted && !self.ended {
            let read = self.input.read(&mut self.buffer[self.filled..])?;
            self.filled += read;
            self.ended = read == 0;
        }
        Ok(())
    }
}

/// Where a part of a text ends, counted from where it starts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// How many lines end in it.
    pub lines: u64,
    /// How many characters come after the last of these ends.
    pub chars: u64,
}

impl Extent {
    /// Goes on over well-formed text.
    pub fn add_text(&mut self, encoding: Encoding, isa: Isa, text: &[u8]) {
        let (lines, rest) = encoding.lines(text);
        self.add(Self { lines, chars: encoding.count_chars(isa, rest) as u64 });
    }

    /// Goes on over the part that comes next.
    pub fn add(&mut self, next: Self) {
        if next.lines > 0 {
            (self.lines, self.chars) = (self.lines + next.lines, 0);
        }
        self.chars += next.chars;
    }

    /// Returns the place `byte` after this part of the text, which starts the first line.
    pub fn position(self, byte: u64) -> Position {
        Position { byte, line: self.lines + 1, column: self.chars + 1 }
    }
}

/// An ill-formed sequence, with what is around it.
pub struct Finding {
    /// Where it starts. Ill-formed sequences before it count as one character each.
    pub at: Position,
    /// What is wrong.
    pub fault: Fault,
    /// Its bytes: of UTF-8 also those continuation bytes that its lead byte claims though no character can have them.
    pub sequence: Vec<u8>,
    /// Its bytes with some before and after it.
    pub excerpt: Vec<u8>,
    /// Where in the excerpt it starts.
    pub start: usize,
}

/// How many bytes of an excerpt come before the ill-formed sequence, and how many there are in all.
const EXCERPT: (usize, usize) = (6, 16);

/// Finds what is ill-formed in a text, piece by piece.
pub struct Finder {
    isa: Isa,
    encoding: Encoding,
    /// What comes before, from the start of the text.
    extent: Extent,
    /// Where in the input we are.
    byte: u64,
}

impl Finder {
    /// Returns one that starts at this offset in the input, after this part of the text.
    pub fn new(isa: Isa, encoding: Encoding, byte: u64, extent: Extent) -> Self {
        Self { isa, encoding, extent, byte }
    }

    /// Returns where in the input we are.
    pub fn byte(&self) -> u64 {
        self.byte
    }

    /// Gives each ill-formed sequence of the piece, in order, to `found`, until that has enough.
    pub fn find(
        &mut self,
        piece: &Piece<'_>,
        mut found: impl FnMut(Finding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Piece { bytes, range, is_last } = piece;
        let mut at = range.start;
        while at < range.end {
            let fault = self.encoding.fault(self.isa, &bytes[at..]);
            let fault = fault.filter(|fault| at + fault.valid_up_to() < range.end);
            let place = fault.map_or(range.end, |fault| at + fault.valid_up_to());
            // Nobody asks where the end is.
            if fault.is_some() || !is_last {
                self.extent.add_text(self.encoding, self.isa, &bytes[at..place]);
            }
            self.byte += (place - at) as u64;
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
