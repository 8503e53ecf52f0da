//! `fastutf check`: which files are valid, and where the others are not.

use std::path::PathBuf;

use clap::Args;
use fastutf::Isa;

use crate::encoding::{ByteOrder, Label};
use crate::error::{Error, Status};
use crate::input::Input;
use crate::output::Output;
use crate::text::Text;

/// Check that files are valid text
///
/// Says nothing about a valid file. For an invalid one it prints where and why, to the standard output:
///
///     FILE: invalid at byte 1234, line 12, column 5: overlong encoding (C0 AF)
///
/// Bytes count from 0; lines, and columns in characters, from 1. All files are checked; the exit status is 0 if all are
/// valid, 1 if some are not, 2 if some cannot be read.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The encoding the files should have
    #[arg(short, long, value_name = "ENCODING", default_value = "utf-8", ignore_case = true)]
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
            let outcome = Input::open(file).and_then(|input| {
                let name = input.name().to_owned();
                let text = Text::open(input, isa, self.encoding, self.fallback)?;
                let encoding = text.encoding();
                text.for_each_piece(|piece| Ok(encoding.fault(isa, piece))).map(|()| name)
            });
            let line = match outcome {
                Ok(name) => self.verbose.then(|| format!("{name}: valid\n")),
                Err(error) => {
                    worst = worst.max(error.status());
                    match error {
                        Error::Invalid { .. } => Some(format!("{error}\n")),
                        Error::Io { .. } | Error::StdoutClosed => {
                            error.report();
                            None
                        }
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
