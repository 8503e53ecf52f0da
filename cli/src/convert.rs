//! `fastutf convert`: from one encoding to another.

use std::path::PathBuf;

use clap::Args;
use fastutf::{Conversion, Isa, Stop};

use crate::encoding::{ByteOrder, Encoding, Fault, Label, Target, label_parser};
use crate::error::{Error, Status};
use crate::input::Input;
use crate::output::Output;
use crate::text::{PIECE, Text};

/// Convert text from one encoding to another
///
/// Takes one INPUT; the output is given with `-o`. If the input is invalid, the exit status is 1, the error message says
/// where, and the file OUTPUT is left as it was; the standard output, however, gets the text before the error.
#[derive(Args)]
pub struct Arguments {
    /// The encoding of INPUT
    #[arg(short, long, value_name = "ENCODING", value_parser = label_parser::<Label>())]
    pub from: Label,

    /// The encoding to write
    #[arg(short, long, value_name = "ENCODING", value_parser = label_parser::<Target>())]
    to: Target,

    /// The byte order of `--from utf-16` input without a byte-order mark [default: be]
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub fallback: Option<ByteOrder>,

    /// Start the output with a byte-order mark if the text does not already begin with U+FEFF; `--to utf-16` implies it
    #[arg(long)]
    bom: bool,

    /// Remove a leading U+FEFF (byte-order mark) that would otherwise be kept as a character
    #[arg(long)]
    strip_bom: bool,

    /// The file to read (one only); `-` is the standard input
    #[arg(default_value = "-")]
    input: PathBuf,

    /// Taken only to be refused with advice
    #[arg(hide = true)]
    pub excess: Vec<PathBuf>,

    /// The file to write, which may be INPUT itself; `-` is the standard output
    #[arg(short, long, default_value = "-")]
    output: PathBuf,
}

impl Arguments {
    /// Converts the input to the output.
    ///
    /// # Errors
    ///
    /// [`Error`], if the input is invalid or something cannot be read or written.
    pub fn run(self, isa: Isa) -> Result<Status, Error> {
        let input = Input::open(&self.input)?;
        let mut output = Output::create(&self.output)?;
        output.refuse_to_feed(&input)?;
        let mut text = Text::open(input, isa, self.from, self.fallback)?;
        let is_empty = text.is_empty_file();
        if self.strip_bom {
            text.strip_mark();
        }
        let (from, to) = (text.encoding(), self.to.encoding());
        // An empty file stays empty. After the mark of utf-16, which is a signature, a U+FEFF of the text is another.
        let marked = !is_empty && (self.to == Target::Utf16 || self.bom && !text.starts_with_mark()?);
        if marked {
            output.write(to.mark())?;
        }
        let looks_like_utf16 = text.looks_like_utf16();
        // No conversion takes more than twice the room.
        let mut converted = vec![0; if from == to { 0 } else { 2 * PIECE }];
        text.for_each_piece(|piece| {
            let (bytes, fault) = convert(isa, from, to, piece, &mut converted);
            output.write(bytes)?;
            Ok(fault)
        })
        .map_err(|error| match error {
            Error::Invalid { .. } if looks_like_utf16 => {
                error.with_hint("this looks like UTF-16: try `--from utf-16`")
            }
            _ => error,
        })?;
        output.finish()?;
        Ok(Status::Success)
    }
}

/// Returns the well-formed start of `piece` in the other encoding, and what is wrong with the rest, if there is one.
/// `converted`, if the encodings differ, has room for whatever comes of `piece`.
fn convert<'a>(
    isa: Isa,
    from: Encoding,
    to: Encoding,
    piece: &'a [u8],
    converted: &'a mut [u8],
) -> (&'a [u8], Option<Fault>) {
    use Encoding::{Utf8, Utf16Be, Utf16Le};
    let (written, fault) = match (from, to) {
        (Utf8, Utf8) | (Utf16Le, Utf16Le) | (Utf16Be, Utf16Be) => {
            let fault = from.fault(isa, piece);
            return (&piece[..fault.map_or(piece.len(), |fault| fault.valid_up_to())], fault);
        }
        (Utf16Le, Utf16Be) | (Utf16Be, Utf16Le) => {
            let fault = from.fault(isa, piece);
            let valid = fault.map_or(piece.len(), |fault| fault.valid_up_to());
            isa.swap_utf16_bytes_into(&piece[..valid], &mut converted[..valid]);
            (valid, fault)
        }
        (Utf8, Utf16Le) => outcome(isa.utf8_to_utf16le(piece, converted)),
        (Utf8, Utf16Be) => outcome(isa.utf8_to_utf16be(piece, converted)),
        (Utf16Le, Utf8) => outcome(isa.utf16le_to_utf8(piece, converted)),
        (Utf16Be, Utf8) => outcome(isa.utf16be_to_utf8(piece, converted)),
    };
    (&converted[..written], fault)
}

/// How much a conversion wrote, and the fault it met.
fn outcome<E: Copy + Into<Fault>>(done: Conversion<E>) -> (usize, Option<Fault>) {
    assert!(!matches!(done.stop, Stop::OutputFull), "there is room for the longest result");
    (done.written, done.error().map(Into::into))
}
