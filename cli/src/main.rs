//! The `fastutf` command: its arguments and its exit statuses.
#![deny(unsafe_code)]

mod check;
mod claim;
mod convert;
mod converter;
mod encoding;
mod error;
mod folder;
mod generate;
mod guess;
mod in_order;
mod input;
mod interrupt;
mod isa;
mod name;
mod number;
mod output;
mod parts;
mod paths;
mod position;
mod progress;
mod report;
mod scan;
#[cfg(unix)]
mod segments;
mod stat;
mod streams;
mod style;
mod watch;
mod windows;

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use fastutf::Isa;

use crate::claim::{ByteOrder, Label};
use crate::error::{Error, Status};
use crate::name::{Name, escape, is_command};
use crate::streams::Stream;

/// Checks and converts UTF-8, UTF-16, UTF-32 and Latin-1 text of any size, in constant memory.
///
/// The exit status is 0 on success, 1 if some input is invalid, 2 for a usage or I/O error.
#[derive(Parser)]
#[command(name = "fastutf", version)]
struct Arguments {
    /// Use this instruction set instead of the best one (see `fastutf isa`)
    #[arg(long, global = true, value_name = "NAME", display_order = 100)]
    isa: Option<Isa>,

    /// Use at most this many threads [default: the number of CPUs, and at least 8 to convert several files]
    #[arg(long, global = true, value_name = "N", display_order = 101)]
    threads: Option<NonZeroUsize>,

    #[command(subcommand)]
    command: Command,
}

/// The maximum number of threads, unless there are more CPUs.
const MOST_THREADS: usize = 64;

/// How many files are converted at once, if the user says nothing.
const FILES_AT_ONCE: usize = 8;

/// What to do.
#[derive(Subcommand)]
enum Command {
    Convert(convert::Arguments),
    Check(check::Arguments),
    Stat(stat::Arguments),
    Isa(isa::Arguments),
    Completions(generate::Completions),
    Man(generate::Man),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return answer(error),
    };
    let isa = arguments.isa.unwrap_or_else(Isa::best);
    let cpus = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    // More threads than CPUs are allowed for experiments; many more only take memory.
    let threads = arguments.threads.map_or(cpus, NonZeroUsize::get).min(cpus.max(MOST_THREADS));
    // Who writes files waits for the disk. If the user says nothing, more of them than there are CPUs wait together.
    let at_once = if arguments.threads.is_some() { threads } else { threads.max(FILES_AT_ONCE) };
    let outcome = match arguments.command {
        Command::Convert(arguments) => {
            refuse_idle_fallback("convert", "--from", arguments.from, arguments.fallback);
            match arguments.jobs() {
                Ok(jobs) => arguments.run(jobs, isa, threads, at_once),
                Err(message) => refuse("convert", ErrorKind::ArgumentConflict, &message),
            }
        }
        Command::Check(arguments) => {
            refuse_idle_fallback("check", "--encoding", arguments.encoding, arguments.fallback);
            arguments.run(isa, threads)
        }
        Command::Stat(arguments) => {
            refuse_idle_fallback("stat", "--encoding", arguments.label(), arguments.fallback);
            arguments.run(isa, threads)
        }
        Command::Isa(arguments) => arguments.run(isa),
        Command::Completions(arguments) => arguments.run(Arguments::command()),
        Command::Man(arguments) => arguments.run(Arguments::command()),
    };
    let status = outcome.unwrap_or_else(|error| {
        error.report();
        error.status()
    });
    ExitCode::from(status as u8)
}

/// Prints the message of clap: an error in the arguments, or the help.
fn answer(mut error: clap::Error) -> ExitCode {
    // The message quotes the arguments, which may be file names chosen by somebody else.
    let escaped = |values: &[String]| values.iter().map(|value| escape(value)).collect();
    let quoted = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(value) => Some((kind, ContextValue::String(escape(value)))),
        ContextValue::Strings(values) => Some((kind, ContextValue::Strings(escaped(values)))),
        _ => None,
    });
    for (kind, value) in quoted.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    // The advice quotes the argument again, in one piece with its colours.
    let is_hostile = |argument: OsString| argument.to_string_lossy().contains(is_command);
    if std::env::args_os().any(is_hostile) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
    }
    // `-c` of iconv.
    let is_of_convert = |usage: &ContextValue| usage.to_string().contains(" convert ");
    if error.get(ContextKind::InvalidArg).is_some_and(|argument| argument.to_string() == "-c")
        && error.get(ContextKind::Usage).is_some_and(is_of_convert)
    {
        let advice = "to replace what cannot be converted, use `--lossy`".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    // Std's own standard output pretends to print if it is closed.
    let is_possible = if error.use_stderr() { Ok(()) } else { streams::open(Stream::Out) };
    match is_possible.and_then(|()| error.print()) {
        Err(source) if !error.use_stderr() && source.kind() != io::ErrorKind::BrokenPipe => {
            let error = Error::Io { name: Name::stdout(), source };
            error.report();
            ExitCode::from(error.status() as u8)
        }
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// Ends the program if `--fallback` is given to this subcommand but could have no effect.
fn refuse_idle_fallback(subcommand: &str, option: &str, label: Label, fallback: Option<ByteOrder>) {
    if fallback.is_some() && !matches!(label, Label::Utf16 | Label::Utf32) {
        let message = format!("`--fallback` applies only to `{option} utf-16` and `{option} utf-32`");
        refuse(subcommand, ErrorKind::ArgumentConflict, &message);
    }
}

/// Ends the program with an error about the usage of this subcommand.
fn refuse(subcommand: &str, kind: ErrorKind, message: &str) -> ! {
    let mut command = Arguments::command();
    // Makes subcommands know their full names.
    command.build();
    let error = command.find_subcommand_mut(subcommand).expect("it has been given").error(kind, message);
    answer(error);
    std::process::exit(Status::Failure as i32)
}
