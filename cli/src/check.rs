//! `fastutf check`: which files are valid, and where the others are not.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use fastutf::Isa;

use crate::encoding::{ByteOrder, Label, label_parser};
use crate::error::{Error, Status};
use crate::input::Input;
use crate::output::Output;
use crate::text::Text;

/// Check that files are valid text
///
/// Prints nothing for a valid file. For an invalid one it prints where and why, on the standard output:
///
///     FILE: invalid at byte 1234, line 12, column 5: overlong encoding (C0 AF)
///
/// Bytes count from 0; lines, and columns in characters, from 1. All files are checked; the exit status is 0 if all are
/// valid, 1 if some are not, 2 if some cannot be read.
///
/// For all files below a directory: find DIR -type f -exec fastutf check {} +
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The encoding the files should have
    #[arg(
        short,
        long,
        visible_alias = "from",
        visible_short_alias = 'f',
        value_name = "ENCODING",
        default_value = "utf-8",
        value_parser = label_parser::<Label>()
    )]
    pub encoding: Label,

    /// The byte order of `--encoding utf-16` files without a byte-order mark [default: be]
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub fallback: Option<ByteOrder>,

    /// Print `FILE: valid` for valid files
    #[arg(short, long)]
    verbose: bool,

    /// The files to check; `-` is the standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
}

impl Arguments {
    /// Checks all the files.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the standard output cannot be written. What is wrong with the files is in the status.
    pub fn run(self, isa: Isa) -> Result<Status, Error> {
        let mut worst = Status::Success;
        let mut report = Some(Output::stdout());
        for file in &self.files {
            let mut looks_like_utf16 = false;
            let outcome = Input::open(file).and_then(|input| {
                let name = input.name().to_owned();
                let text = Text::open(input, isa, self.encoding, self.fallback)?;
                looks_like_utf16 = text.looks_like_utf16();
                let encoding = text.encoding();
                text.for_each_piece(|piece| Ok(encoding.fault(isa, piece))).map(|()| name)
            });
            let line = match outcome {
                Ok(name) => self.verbose.then(|| format!("{name}: valid\n")),
                Err(error) => {
                    let error = advise(error, looks_like_utf16);
                    worst = worst.max(error.status());
                    if error.status() == Status::Invalid {
                        Some(format!("{error}\n"))
                    } else {
                        error.report();
                        None
                    }
                }
            };
            if let (Some(line), Some(output)) = (line, &mut report) {
                match output.write(line.as_bytes()) {
                    // The status is still wanted.
                    Err(Error::StdoutClosed) => report = None,
                    outcome => outcome?,
                }
            }
        }
        Ok(worst)
    }
}

/// Adds to an error what else the user can do.
fn advise(error: Error, looks_like_utf16: bool) -> Error {
    match &error {
        Error::Invalid { .. } if looks_like_utf16 => {
            error.with_hint("this looks like UTF-16: try `--encoding utf-16`")
        }
        Error::Io { source, .. } if source.kind() == ErrorKind::IsADirectory => {
            error.with_hint("give its files, e.g. with `find DIR -type f -exec fastutf check {} +`")
        }
        _ => error,
    }
}
