//! `fastutf stat`: counts the contents of texts.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use fastutf::Isa;
use serde::Serialize;

use crate::claim::{ByteOrder, Claim, Label, label_parser};
use crate::encoding::{Encoding, Fault, Units};
use crate::error::{Error, Status};
use crate::guess::{SAMPLE, looks_like};
use crate::in_order::{Order, Place};
use crate::input::Input;
use crate::name::Name;
use crate::number::{grouped, many};
use crate::parts::Change;
use crate::paths::{Found, Selection};
use crate::position::Position;
use crate::progress::Progress;
use crate::report::{JsonName, json, put, say};
use crate::scan::{AFTER, Extent, PIECE, Pieces};
use crate::style::Styles;
use crate::watch::{Watcher, doubt, warning};
use crate::windows;

/// Count the bytes, lines and characters of texts
///
/// For each file: bytes, lines (U+000A, as `wc -l` counts), characters (Unicode
/// scalar values), UTF-16 code units, how many characters take 1, 2, 3 and 4 bytes
/// in UTF-8, whether it starts with a byte-order mark, and its first error, if it is
/// invalid. In an invalid text, all well-formed parts are counted; ill-formed
/// sequences and their bytes are counted separately. A byte-order mark is a
/// character, unless it is the signature of UTF-16 or UTF-32.
///
/// A text that looks like UTF-16 but is read as another encoding is reported. It
/// looks like UTF-16 if it starts with a UTF-16 byte-order mark, or if its first
/// 64 KiB are well-formed UTF-16 in one byte order, contain no control characters
/// except line ends, tabs and form feeds, and at least one in 32 code units is an
/// ASCII character, U+3000, U+3001 or U+3002.
///
/// The exit status is 0 if all files are valid, 1 if some are invalid, 2 if some
/// cannot be read.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The encoding of the files [default: that of the byte-order mark of UTF-16 or UTF-32, otherwise utf-8]
    #[arg(
        short,
        long,
        visible_alias = "from",
        visible_short_alias = 'f',
        value_name = "ENCODING",
        value_parser = label_parser::<Label>()
    )]
    encoding: Option<Label>,

    /// The byte order of `--encoding utf-16` and `utf-32` files without a byte-order mark [default: be]
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub fallback: Option<ByteOrder>,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", ignore_case = true)]
    format: Format,

    #[command(flatten)]
    selection: Selection,
}

/// The formats of `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text with bars, for people
    Text,
    /// One JSON object on each line
    Json,
}

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Counts {
    bytes: u64,
    lines: u64,
    chars: u64,
    utf16_units: u64,
    /// The length of the characters in UTF-8.
    utf8_bytes: u64,
    /// How many of them have 1, 2, 3 and 4 bytes there.
    utf8_lengths: [u64; 4],
    /// The number of ill-formed sequences, and of their bytes.
    errors: u64,
    error_bytes: u64,
}

/// A part of a text, or all of it.
#[derive(Default)]
struct Part {
    counts: Counts,
    /// The text before the first error, or all of it.
    extent: Extent,
    /// The first fault, with the number of bytes of the part before it and its description.
    first: Option<(u64, Fault, String)>,
    /// Where another encoding seems to begin.
    found: Option<Change>,
}

/// A file, counted.
struct File {
    encoding: Encoding,
    mark: Option<Encoding>,
    looks_like: Option<Encoding>,
    part: Part,
}

/// A file in JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "file")]
struct JsonFile {
    #[serde(flatten)]
    name: JsonName,
    encoding: &'static str,
    valid: bool,
    /// The encoding whose byte-order mark starts the file.
    bom: Option<&'static str>,
    looks_like: Option<&'static str>,
    first_error: Option<JsonError>,
    #[serde(flatten)]
    counts: Counts,
}

/// An error in JSON: the fields are those of `check`.
#[derive(Serialize)]
struct JsonError {
    offset: u64,
    line: u64,
    column: u64,
    kind: String,
    message: String,
}

/// A file that cannot be read, in JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "unreadable")]
struct JsonUnreadable {
    #[serde(flatten)]
    name: JsonName,
    message: String,
}

/// All files in JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "total")]
struct JsonTotal {
    files: u64,
    #[serde(flatten)]
    counts: Counts,
}

impl Arguments {
    /// What the user says about the encoding.
    pub fn label(&self) -> Label {
        self.encoding.unwrap_or(Label::Marked)
    }

    /// Counts the contents of all the files, with at most `threads` threads.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the standard output cannot be written. Errors in the files are in the status.
    pub fn run(self, isa: Isa, threads: usize) -> Result<Status, Error> {
        let files = self.selection.files()?;
        let progress = Progress::new("counting", self.selection.total());
        let order = Order::new(threads, &progress);
        let styles = Styles::stdout();
        let all = Mutex::new((Status::Success, 0, Counts::default()));
        order.run(files, |found, buffer, place| {
            let (path, outcome) = match found {
                Found::Loop(error) => {
                    error.report_to(place.err());
                    return true;
                }
                Found::Unreadable(path, error) => (path, Err(error)),
                Found::File(path, _) => {
                    let outcome = self.one(isa, &order, &progress, &path, buffer);
                    (path, outcome)
                }
            };
            let mut all = all.lock().expect("nobody panics");
            match outcome {
                Ok(file) => {
                    all.0 = all.0.max(if file.part.first.is_some() { Status::Invalid } else { Status::Success });
                    all.1 += 1;
                    all.2.add(&file.part.counts);
                    drop(all);
                    if let Some(found) = file.part.found {
                        say(place.err(), &path, &warning(found));
                    }
                    self.print(place, &styles, &path, &file);
                }
                Err(error) => {
                    all.0 = all.0.max(error.status());
                    drop(all);
                    error.report_to(place.err());
                    if self.format == Format::Json {
                        json(place.out(), &JsonUnreadable { name: JsonName::of(&path), message: error.reason() });
                    }
                }
            }
            !order.is_closed()
        })?;
        let (status, files, counts) = all.into_inner().expect("nobody panics");
        if files > 1 {
            Order::new(1, &progress).run(std::iter::once(()), |(), (): &mut (), place| {
                self.print_total(place.out(), &styles, files, &counts);
                true
            })?;
        }
        Ok(status)
    }

    /// Counts the contents of a file.
    fn one(
        &self,
        isa: Isa,
        order: &Order<'_>,
        progress: &Progress,
        path: &Path,
        buffer: &mut Vec<u8>,
    ) -> Result<File, Error> {
        let mut input = Input::open(path)?;
        let claim = Claim::of_files(self.label(), self.fallback);
        let mut pieces = Pieces::open(&mut input, buffer, isa, claim, AFTER)?;
        let encoding = pieces.encoding();
        let signature = pieces.signature() as u64;
        let watch = pieces.watch();
        let mut part = Part::default();
        part.counts.bytes = signature;
        let mut start = Vec::new();
        let large = pieces.input().as_dense_file().filter(|&(_, len)| len > PIECE as u64);
        let mapped = large.and_then(|(file, len)| {
            let threads = order.threads_for_one();
            let add = |part: &mut Part, block: &[u8], at: u64, after: &[u8]| {
                progress.advance(block.len() as u64);
                let next = Part::of(encoding, isa, block, after);
                let is_well_formed = next.first.is_none();
                part.add(next);
                part.found = part.found.or_else(|| watch.look(block, at, after.is_empty(), is_well_formed));
                ControlFlow::Continue(())
            };
            windows::for_each_block(file, signature..len, encoding, threads, add).ok()
        });
        if let Some(windows) = mapped {
            start = pieces.head().to_vec();
            windows.into_iter().for_each(|window| part.add(window));
        } else {
            let mut watcher = Watcher::new(watch, signature);
            while let Some(piece) = pieces.next()? {
                if start.is_empty() {
                    start = piece.bytes[..piece.bytes.len().min(SAMPLE)].to_vec();
                }
                let (block, after) = piece.bytes[piece.range.start..].split_at(piece.range.len());
                progress.advance(block.len() as u64);
                part.add(Part::of(encoding, isa, block, after));
                let found = watcher.pass(block, piece.is_last);
                part.found = part.found.or(found);
            }
        }
        if let Some(found) = part.found.filter(|_| watch.is_guess) {
            return Err(doubt(found, input.name()));
        }
        let looks_like = looks_like(isa, &start);
        let marked = |mark: &Encoding| start.starts_with(mark.mark());
        // FF FE 00 00 may be that of UTF-16LE.
        let mark = Encoding::MARKED.into_iter().filter(marked).find(|&mark| {
            mark != Encoding::Utf32Le || encoding == mark || encoding.is_eight_bit() && looks_like == Some(mark)
        });
        let is_told = self.encoding.is_none() && signature > 0;
        let looks_like = looks_like.filter(|&guess| guess != encoding && !is_told);
        Ok(File { encoding, mark, looks_like, part })
    }
}

impl Counts {
    /// Counts the contents of a text, if it is well-formed. `lines` returns its number of lines.
    fn of(encoding: Encoding, isa: Isa, text: &[u8], lines: impl FnOnce() -> u64) -> Result<Self, Fault> {
        let bytes = text.len() as u64;
        let [chars, utf16_units, utf8_bytes, ascii] = encoding.lengths(isa, text)?;
        // Characters of 4 bytes have two code units. The others of more than one byte have 2 or 3.
        let four = utf16_units - chars;
        let three = (utf8_bytes - ascii - 4 * four) - 2 * (chars - ascii - four);
        let utf8_lengths = [ascii, chars - ascii - three - four, three, four];
        Ok(Self { bytes, lines: lines(), chars, utf16_units, utf8_bytes, utf8_lengths, ..Self::default() })
    }

    /// Adds the counts of another text.
    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.chars += other.chars;
        self.utf16_units += other.utf16_units;
        self.utf8_bytes += other.utf8_bytes;
        self.errors += other.errors;
        self.error_bytes += other.error_bytes;
        for (sum, count) in self.utf8_lengths.iter_mut().zip(other.utf8_lengths) {
            *sum += count;
        }
    }
}

impl Part {
    /// Counts the contents of a block that splits no character and no ill-formed sequence. `after` is what follows: nothing
    /// only at the end of the text.
    fn of(encoding: Encoding, isa: Isa, block: &[u8], after: &[u8]) -> Self {
        let mut extent = Extent::default();
        let counted = Counts::of(encoding, isa, block, || {
            extent.add_text(encoding, isa, block);
            extent.lines
        });
        let mut fault = match counted {
            Ok(counts) => return Self { counts, extent, ..Self::default() },
            Err(fault) => fault,
        };
        let (before, rest) = block.split_at(fault.valid_up_to());
        extent.add_text(encoding, isa, before);
        // A repaired text is counted as fast as any other; what the repair has added is then subtracted.
        let (repaired, errors) = encoding.repaired(isa, block);
        let form = if encoding == Encoding::Wtf8 { Encoding::Wtf8 } else { Encoding::Utf8 };
        let counted = Counts::of(form, isa, &repaired, || form.count_lines(&repaired));
        let mut counts = counted.expect("repaired text is well-formed");
        counts.errors = errors;
        counts.chars -= counts.errors;
        counts.utf16_units -= counts.errors;
        counts.utf8_bytes -= 3 * counts.errors;
        counts.utf8_lengths[2] -= counts.errors;
        counts.bytes = block.len() as u64;
        let well_formed = match encoding.units() {
            Units::Utf8 => counts.utf8_bytes,
            Units::Utf16 => 2 * counts.utf16_units,
            Units::Utf32 => 4 * counts.chars,
            Units::OneByte => counts.chars,
        };
        counts.error_bytes = counts.bytes - well_formed;
        let what = if fault.is_incomplete() && !after.is_empty() {
            // It is not the end of the text.
            let rest = [rest, after].concat();
            fault = encoding.fault(isa, &rest).unwrap_or(fault);
            fault.describe(encoding, &rest)
        } else {
            fault.describe(encoding, rest)
        };
        Self { counts, extent, first: Some((before.len() as u64, fault, what)), found: None }
    }

    /// Adds the next part.
    fn add(&mut self, next: Self) {
        if self.first.is_none() {
            self.extent.add(next.extent);
            self.first = next.first.map(|(before, fault, what)| (self.counts.bytes + before, fault, what));
        }
        self.found = self.found.or(next.found);
        self.counts.add(&next.counts);
    }

    /// Returns the position and description of the first error.
    fn first_error(&self) -> Option<(Position, Fault, &str)> {
        self.first.as_ref().map(|(byte, fault, what)| (self.extent.position(*byte), *fault, what.as_str()))
    }
}

impl Arguments {
    /// Prints the counts of a file.
    fn print(&self, place: &mut Place<'_>, styles: &Styles, path: &Path, file: &File) {
        let File { encoding, mark, looks_like, part } = file;
        let (name, bom, looks_like) = (encoding.name(), mark.map(Encoding::name), looks_like.map(Encoding::name));
        let first_error = part.first_error();
        let counts = part.counts;
        let out = place.out();
        if self.format == Format::Json {
            let first_error = first_error.map(|(at, fault, _)| JsonError {
                offset: at.byte,
                line: at.line,
                column: at.column,
                kind: fault.kind(),
                message: fault.to_string(),
            });
            let valid = first_error.is_none();
            let name_of_file = JsonName::of(path);
            json(
                out,
                &JsonFile { name: name_of_file, encoding: name, valid, bom, looks_like, first_error, counts },
            );
            return;
        }
        let Styles { error, good, strong, hint, .. } = styles;
        put(out, format_args!("{strong}{}{strong:#}\n", Name::of(path)));
        let validity = if first_error.is_none() {
            format!("{good}valid{good:#}")
        } else {
            format!("{error}invalid{error:#}")
        };
        let bom = bom.map_or_else(String::new, |bom| format!(", starts with the byte-order mark of {bom}"));
        row(out, "encoding", &format!("{name}, {validity}{bom}"));
        if let Some(guess) = looks_like {
            row(out, "", &format!("{hint}looks like {guess}{hint:#}"));
        }
        if let Some((at, _, what)) = first_error {
            let place = format!("byte {}, line {}, column {}", at.byte, at.line, at.column);
            row(out, "first error", &format!("at {place}: {what}"));
        }
        print_counts(out, styles, &counts);
    }

    /// Prints the counts of all files.
    fn print_total(&self, out: &mut Vec<u8>, styles: &Styles, files: u64, counts: &Counts) {
        if self.format == Format::Json {
            json(out, &JsonTotal { files, counts: *counts });
            return;
        }
        let strong = styles.strong;
        put(out, format_args!("{strong}{files} files{strong:#}\n"));
        print_counts(out, styles, counts);
    }
}

/// The width of the longest possible bar in columns.
const BAR: u64 = 32;

/// Prints numbers, and a bar for each length of characters.
fn print_counts(out: &mut Vec<u8>, styles: &Styles, counts: &Counts) {
    let Counts { bytes, lines, chars, utf16_units, utf8_bytes, utf8_lengths, errors, error_bytes } = *counts;
    row(out, "bytes", &grouped(bytes));
    row(out, "lines", &grouped(lines));
    row(out, "characters", &grouped(chars));
    row(out, "in UTF-16", &format!("{} code units, {} bytes", grouped(utf16_units), grouped(2 * utf16_units)));
    row(out, "in UTF-8", &format!("{} bytes; characters by their length:", grouped(utf8_bytes)));
    let Styles { good, error, .. } = styles;
    for (length, count) in (1..).zip(utf8_lengths) {
        let share = if chars == 0 { 0.0 } else { count as f64 / chars as f64 };
        // A count that is not 0 is always visible.
        let eighths = (share * (8 * BAR) as f64).round().max(f64::from(u8::from(count > 0))) as usize;
        let mut bar = "█".repeat(eighths / 8);
        bar.extend(['▏', '▎', '▍', '▌', '▋', '▊', '▉'].get((eighths % 8).wrapping_sub(1)));
        let space = " ".repeat(BAR as usize - eighths.div_ceil(8));
        let percent = format!("{:6.2} %", 100.0 * share);
        let line = format!("{length}  {good}{bar}{good:#}{space} {percent}  {}", grouped(count));
        row(out, "", &line);
    }
    if errors > 0 {
        let (sequences, bytes) = (many(errors, "sequence"), many(error_bytes, "byte"));
        let line = format!("{error}{sequences}, {bytes}{error:#}, not counted above");
        row(out, "ill-formed", &line);
    }
}

/// Prints a line of a table.
fn row(out: &mut Vec<u8>, name: &str, value: &str) {
    put(out, format_args!("  {name:<12}{value}\n"));
}
