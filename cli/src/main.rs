//! The `fastutf` command: its arguments and its exit statuses.
#![forbid(unsafe_code)]

mod check;
mod convert;
mod encoding;
mod error;
mod input;
mod output;
mod text;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use fastutf::Isa;

use crate::encoding::{ByteOrder, Label};
use crate::error::{Error, Status};
use crate::output::Output;

/// Checks and converts UTF-8 and UTF-16 text of any size, in less than 1 MiB of buffers.
///
/// The exit status is 0 on success, 1 if some input is invalid, 2 for a usage or I/O error.
#[derive(Parser)]
#[command(name = "fastutf", version)]
struct Arguments {
    /// Use this instruction set instead of the best one; `fastutf isa` lists them
    #[arg(long, global = true, value_name = "NAME", display_order = 100)]
    isa: Option<Isa>,

    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Subcommand)]
enum Command {
    Convert(convert::Arguments),
    Check(check::Arguments),
    /// List the instruction sets this CPU has and which one is used
    Isa,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let isa = arguments.isa.unwrap_or_else(Isa::best);
    let outcome = match arguments.command {
        Command::Convert(arguments) => {
            refuse_idle_fallback(arguments.from, arguments.fallback);
            arguments.run(isa)
        }
        Command::Check(arguments) => {
            refuse_idle_fallback(arguments.encoding, arguments.fallback);
            arguments.run(isa)
        }
        Command::Isa => list(isa),
    };
    let status = outcome.unwrap_or_else(|error| {
        error.report();
        error.status()
    });
    ExitCode::from(status as u8)
}

/// Ends the program with a usage error if `--fallback` is given where it could have no effect.
fn refuse_idle_fallback(label: Label, fallback: Option<ByteOrder>) {
    if fallback.is_some() && label != Label::Utf16 {
        Arguments::command().error(ErrorKind::ArgumentConflict, "--fallback is only for utf-16 input").exit();
    }
}

/// Prints one line for each instruction set of this CPU, the best first: its name, and whether it is the one used.
fn list(used: Isa) -> Result<Status, Error> {
    let mut output = Output::stdout();
    for isa in Isa::available() {
        let note = if isa == used { "used" } else { "available" };
        output.write(format!("{isa:<8}{note}\n").as_bytes())?;
    }
    Ok(Status::Success)
}
