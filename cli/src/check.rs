//! `fastutf check`: finds out which files are valid, and where the others are not.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use clap::{Args, ValueEnum};
use fastutf::Isa;

use crate::claim::{ByteOrder, Claim, Label, label_parser};
use crate::encoding::Encoding;
use crate::error::{Error, Status};
use crate::in_order::{Order, Place};
use crate::input::Input;
use crate::number::{grouped, many};
use crate::parts::Change;
use crate::paths::{Found, Selection};
use crate::progress::Progress;
use crate::report::{Format, Outcome, Reporter, Totals, note, say};
use crate::scan::{AFTER, Extent, Finder, PIECE, Pieces, advice};
use crate::style::Styles;
use crate::watch::{Watcher, doubt, warning};
use crate::windows;

/// Check that files are valid text
///
/// Prints nothing for a valid file. For an invalid file, prints where and why to the
/// standard output:
///
///     FILE: invalid at byte 1234, line 12, column 5: overlong encoding (C0 AF)
///          1228: 2F 62 69 6E 2F 0A C0 AF 2E 2E 2F 65 74 63        /bin/.��../etc
///                                  ^^ ^^
///
/// Byte offsets start at 0; lines and columns start at 1, and columns count
/// characters. All files are checked. The exit status is 0 if all files are valid, 1
/// if some are invalid, 2 if some cannot be read.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The encoding of the files
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

    /// The byte order of `--encoding utf-16` and `utf-32` files without a byte-order mark [default: be]
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub fallback: Option<ByteOrder>,

    /// Report all errors of each file, not only the first
    #[arg(short, long, conflicts_with = "max")]
    all: bool,

    /// Report at most this many errors of each file
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    max: u64,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", ignore_case = true)]
    format: Format,

    /// Report each error in one line, without an excerpt of the bytes
    #[arg(long)]
    no_excerpt: bool,

    /// Also print `FILE: valid` for valid files
    #[arg(short, long)]
    verbose: bool,

    /// Print nothing; set only the exit status
    #[arg(short, long, conflicts_with_all = ["verbose", "summary"])]
    quiet: bool,

    /// Print the number of files, bytes and errors, and the speed, to the standard error; without WHEN: always
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "always")]
    summary: When,

    /// In directories, also check binary files: those without a byte-order mark of UTF-16 or UTF-32 in whose first 64 KiB there
    /// is a NUL byte, and more than one byte in 16 is a control character that text does not have. (With UTF-16 and UTF-32, all
    /// files are checked anyway)
    #[arg(long, help_heading = "Directories")]
    binary: bool,

    #[command(flatten)]
    selection: Selection,
}

/// When to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// If the standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The state that all files share.
struct Check<'a> {
    arguments: &'a Arguments,
    isa: Isa,
    reporter: Reporter,
    progress: &'a Progress,
    order: &'a Order<'a>,
    totals: Mutex<Totals>,
}

/// What is known of a file so far.
#[derive(Default)]
struct Seen {
    errors: u64,
    bytes: u64,
    /// Whether there was reason to stop before its end.
    stopped: bool,
}

impl Arguments {
    /// Checks all the files, with at most `threads` threads.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the standard output cannot be written. Errors in the files are in the status.
    pub fn run(self, isa: Isa, threads: usize) -> Result<Status, Error> {
        let begun = Instant::now();
        let files = self.selection.files()?;
        let progress =
            if self.quiet { Progress::none() } else { Progress::new("checking", self.selection.total()) };
        let order = Order::new(threads, &progress);
        let check = Check {
            isa,
            reporter: Reporter {
                format: self.format,
                excerpt: !self.no_excerpt,
                verbose: self.verbose,
                tell: self.encoding == Label::Detect,
                styles: Styles::stdout(),
            },
            progress: &progress,
            order: &order,
            totals: Mutex::default(),
            arguments: &self,
        };
        order.run(files, |found, buffer, place| check.one(found, buffer, place))?;
        let mut totals = check.totals.into_inner().expect("nobody panics");
        totals.seconds = begun.elapsed().as_secs_f64();
        let status = match totals {
            Totals { unreadable: 1.., .. } => Status::Failure,
            Totals { invalid: 1.., .. } | Totals { undecided: 1.., .. } => Status::Invalid,
            _ => Status::Success,
        };
        let is_shown = match self.summary {
            When::Auto => !self.quiet && io::stderr().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        if !self.quiet {
            let last = |(), (): &mut (), place: &mut Place<'_>| {
                let (out, err) = place.both();
                check.reporter.summary(out, &totals);
                // Otherwise, an error in one of them would go unnoticed.
                if totals.binary > 0 && !is_shown {
                    let files = many(totals.binary, "file");
                    note(err, format_args!("{files} skipped as binary; `--binary` checks them"));
                }
                true
            };
            Order::new(1, &progress).run(std::iter::once(()), last)?;
        }
        drop(progress);
        if is_shown {
            let _ = io::stderr().write_all(summary(&totals).as_bytes());
        }
        Ok(status)
    }
}

impl<'a> Check<'a> {
    /// Checks one file, and returns whether to go on with the others.
    fn one(&self, found: Found, buffer: &mut Vec<u8>, place: &mut Place<'a>) -> bool {
        let mut seen = Seen::default();
        let mut encoding = "";
        let (path, outcome) = match found {
            Found::Loop(error) => {
                if !self.arguments.quiet {
                    error.report_to(place.err());
                }
                return true;
            }
            Found::Unreadable(path, error) => (path, Err(error)),
            Found::File(path, is_named) => {
                let outcome = match self.file(&path, is_named, buffer, place, &mut seen) {
                    Ok(Some(found)) => {
                        encoding = found.name();
                        Ok(())
                    }
                    Ok(None) => {
                        self.totals.lock().expect("nobody panics").binary += 1;
                        if !self.arguments.quiet {
                            let (out, err) = place.both();
                            self.reporter.file(out, err, &path, Outcome::Binary {}, None);
                        }
                        return true;
                    }
                    Err(error) => Err(error),
                };
                (path, outcome)
            }
        };
        let is_invalid = seen.errors > 0;
        let mut totals = self.totals.lock().expect("nobody panics");
        totals.files += 1;
        totals.bytes += seen.bytes;
        totals.errors += seen.errors;
        totals.invalid += u64::from(is_invalid && outcome.is_ok());
        let status = outcome.as_ref().err().map(Error::status);
        totals.undecided += u64::from(status == Some(Status::Invalid));
        totals.unreadable += u64::from(status == Some(Status::Failure));
        drop(totals);
        let (bytes, errors) = (seen.bytes, seen.errors);
        let (outcome, why) = match outcome {
            Ok(()) if is_invalid => (Outcome::Invalid { encoding, bytes, errors, complete: !seen.stopped }, None),
            Ok(()) => (Outcome::Valid { encoding, bytes }, None),
            Err(error) if error.status() == Status::Invalid => {
                (Outcome::Undecided { message: error.reason() }, Some(error))
            }
            Err(error) => (Outcome::Unreadable { message: error.reason(), errors }, Some(error)),
        };
        if !self.arguments.quiet {
            let (out, err) = place.both();
            self.reporter.file(out, err, &path, outcome, why.as_ref());
        }
        // A reader that closes the standard output has seen enough.
        !(is_invalid && self.order.is_closed())
    }

    /// Checks a file, and returns its encoding, or none if it is binary and skipped.
    fn file(
        &self,
        path: &Path,
        is_named: bool,
        buffer: &mut Vec<u8>,
        place: &mut Place<'a>,
        seen: &mut Seen,
    ) -> Result<Option<Encoding>, Error> {
        let arguments = self.arguments;
        let mut input = Input::open(path)?;
        // If nothing is shown, there is no need to wait for the bytes after an error.
        let after = if arguments.quiet { 0 } else { AFTER };
        let is_left_out = !is_named && !arguments.binary;
        let claim = Claim::of_files(arguments.encoding, arguments.fallback);
        let mut pieces = match Pieces::open(&mut input, buffer, self.isa, claim, after) {
            Err(error) if is_left_out && error.is_binary() => return Ok(None),
            pieces => pieces?,
        };
        let encoding = pieces.encoding();
        if is_left_out && encoding.is_eight_bit() && pieces.is_binary()? {
            return Ok(None);
        }
        let watch = pieces.watch();
        let before = self.start_of_large_file(&pieces, pieces.signature() as u64);
        seen.bytes = before.bytes;
        if let Some(found) = before.found {
            self.warn(place, path, found);
        }
        if before.is_whole {
            return Ok(Some(encoding));
        }
        if before.is_mapped {
            pieces.jump(before.bytes)?;
        }
        let max = if arguments.all { u64::MAX } else { arguments.max };
        let mut finder = Finder::new(self.isa, encoding, before.bytes, before.extent);
        let mut watcher = Watcher::new(watch, before.bytes);
        let name = pieces.input().name().clone();
        while let Some(piece) = pieces.next()? {
            let text = &piece.bytes[piece.range.clone()];
            let is_end = piece.is_last || watch.is_guess && encoding.fault(self.isa, text).is_some();
            match watcher.pass(text, is_end) {
                Some(found) if watch.is_guess => return Err(doubt(found, &name)),
                Some(found) if before.found.is_none() => self.warn(place, path, found),
                _ => {}
            }
            let outcome = finder.find(&piece, |finding| {
                seen.errors += 1;
                if !arguments.quiet {
                    let hint =
                        if seen.errors == 1 { advice(self.isa, encoding, &piece, "--encoding") } else { None };
                    self.reporter.finding(place.out(), path, encoding, &finding, hint.as_deref());
                }
                if seen.errors < max && !arguments.quiet {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            self.progress.advance(finder.byte() - seen.bytes);
            seen.bytes = finder.byte();
            place.tell();
            if outcome.is_break() || seen.errors > 0 && self.order.is_closed() {
                seen.stopped = true;
                break;
            }
        }
        Ok(Some(encoding))
    }

    /// Warns that another encoding seems to begin somewhere.
    fn warn(&self, place: &mut Place<'a>, path: &Path, found: Change) {
        if !self.arguments.quiet {
            say(place.err(), path, &warning(found));
        }
    }

    /// Checks a file that is larger than a piece in several places at once. What follows the first ill-formed block,
    /// and all of a file that cannot be mapped, is left to be read.
    fn start_of_large_file(&self, pieces: &Pieces<'_>, start: u64) -> WellFormed {
        let nothing = WellFormed { bytes: start, ..WellFormed::default() };
        let Some((file, len)) = pieces.input().as_dense_file().filter(|&(_, len)| len > PIECE as u64) else {
            return nothing;
        };
        let (isa, encoding, watch) = (self.isa, pieces.encoding(), pieces.watch());
        let look = |before: &mut WellFormed, block: &[u8], at: u64, after: &[u8]| {
            self.progress.advance(block.len() as u64);
            // What is ill-formed is looked at later.
            let is_ill_formed = encoding.fault(isa, block).is_some();
            let found = if is_ill_formed { None } else { watch.look(block, at, after.is_empty(), true) };
            if is_ill_formed || found.is_some() && watch.is_guess {
                return ControlFlow::Break(());
            }
            before.found = before.found.or(found);
            before.extent.add_text(encoding, isa, block);
            before.bytes += block.len() as u64;
            ControlFlow::Continue(())
        };
        let threads = self.order.threads_for_one();
        let Ok(windows) = windows::for_each_block(file, start..len, encoding, threads, look) else {
            return nothing;
        };
        let mut before = WellFormed { is_mapped: true, ..nothing };
        for window in windows {
            before.extent.add(window.extent);
            before.found = before.found.or(window.found);
            before.bytes += window.bytes;
        }
        before.is_whole = before.bytes == len;
        before
    }
}

/// The well-formed start of a file.
#[derive(Default)]
struct WellFormed {
    extent: Extent,
    bytes: u64,
    /// Where another encoding seems to begin in it.
    found: Option<Change>,
    /// Whether that is the whole file.
    is_whole: bool,
    /// Whether it has been checked in mapped memory.
    is_mapped: bool,
}

/// The summary of all files, for people.
fn summary(totals: &Totals) -> String {
    let Totals { files, invalid, binary, undecided, unreadable, errors, bytes, seconds } = *totals;
    let size = if bytes < 1000 { many(bytes, "byte") } else { scaled(bytes as f64, &SIZES) };
    let speed = bytes as f64 / seconds.max(1e-9);
    let speed = if bytes == 0 { String::new() } else { format!(" ({}/s)", scaled(speed, &SIZES)) };
    let valid = grouped(files - invalid - undecided - unreadable);
    let mut text = format!("{}, {size} in {}{speed}: {valid} valid", many(files, "file"), scaled(seconds, &TIMES));
    if invalid > 0 {
        text += &format!(", {} invalid ({} reported)", grouped(invalid), many(errors, "error"));
    }
    for (number, what) in
        [(undecided, "in an unknown encoding"), (unreadable, "unreadable"), (binary, "binary skipped")]
    {
        if number > 0 {
            text += &format!(", {} {what}", grouped(number));
        }
    }
    text + "\n"
}

/// Units, from the smallest on.
const SIZES: [(f64, &str); 5] = [(1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB")];
const TIMES: [(f64, &str); 3] = [(1e-6, "µs"), (1e-3, "ms"), (1.0, "s")];

/// Formats a number with three digits and the unit that fits: `1.23 MB`.
fn scaled(number: f64, units: &[(f64, &str)]) -> String {
    // It must not be rounded to 1000.
    let fits = |&&(unit, _): &&(f64, &str)| number < 999.5 * unit;
    let &(unit, name) = units.iter().find(fits).or(units.last()).expect("there are some");
    let number = number / unit;
    match number {
        1000.0.. => format!("{} {name}", grouped(number as u64)),
        99.95.. => format!("{number:.0} {name}"),
        9.995.. => format!("{number:.1} {name}"),
        _ => format!("{number:.2} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three digits, in the unit that fits. Only zero is shown as zero.
    #[test]
    fn numbers() {
        for (number, units, expected) in [
            (0.0, &SIZES[..], "0.00 B"),
            (1.0, &SIZES, "1.00 B"),
            (12.34, &SIZES, "12.3 B"),
            (999.4, &SIZES, "999 B"),
            (999.6, &SIZES, "1.00 kB"),
            (123_456.0, &SIZES, "123 kB"),
            (9_994_000.0, &SIZES, "9.99 MB"),
            (9_996_000.0, &SIZES, "10.0 MB"),
            (12.6e9, &SIZES, "12.6 GB"),
            (1_234_567e12, &SIZES, "1,234,567 TB"),
            (0.000_000_1, &TIMES, "0.10 µs"),
            (0.000_75, &TIMES, "750 µs"),
            (0.012, &TIMES, "12.0 ms"),
            (3.456, &TIMES, "3.46 s"),
            (4000.0, &TIMES, "4,000 s"),
        ] {
            assert_eq!(scaled(number, units), expected);
        }
        let totals = Totals {
            files: 12_345,
            invalid: 2,
            binary: 3_766,
            undecided: 1,
            unreadable: 1,
            errors: 1_000,
            bytes: 98_765_432,
            seconds: 0.5,
        };
        let expected = "12,345 files, 98.8 MB in 500 ms (198 MB/s): 12,341 valid, 2 invalid (1,000 errors reported), \
                        1 in an unknown encoding, 1 unreadable, 3,766 binary skipped\n";
        assert_eq!(summary(&totals), expected);
        assert_eq!(summary(&Totals::default()), "0 files, 0 bytes in 0.00 µs: 0 valid\n");
    }
}
