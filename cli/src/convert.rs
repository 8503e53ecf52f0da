//! `fastutf convert`: converts from one encoding to another.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use clap::{Args, ValueEnum};
use fastutf::Isa;

use crate::claim::{ByteOrder, Claim, Label, Target, label_parser};
use crate::converter::{Converter, Tally};
use crate::encoding::Units;
use crate::error::{Error, Status};
use crate::folder::Folder;
use crate::in_order::Order;
use crate::input::Input;
use crate::name::{Name, escape};
use crate::number::{grouped, many};
use crate::output::{self, Output, Place};
use crate::parts::Change;
use crate::paths::{Found, Search};
use crate::progress::Progress;
use crate::report::{note, say};
use crate::scan::{Extent, Finder, Finding, PIECE, Piece, Pieces, advice};
#[cfg(unix)]
use crate::segments::{self, End};
use crate::watch::{Watcher, doubt, warning};

/// Convert text from one encoding to another
///
/// To convert several files or directories, write to another directory or in place:
///
///     fastutf convert -f detect -t utf-8 texts --output-dir utf8
///     fastutf convert -f utf-16 -t utf-8 a.txt b.txt --output-dir utf8
///     fastutf convert -f utf-16 -t utf-8 --in-place --backup .orig *.txt
///
/// If an input is invalid, the error message says where, its output file is left
/// unchanged, the other inputs are still converted, and the exit status is 1. On the
/// standard output, the text before the error is written.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The encoding of the input
    #[arg(short, long, value_name = "ENCODING", value_parser = label_parser::<Label>())]
    pub from: Label,

    /// The encoding of the output
    #[arg(short, long, value_name = "ENCODING", value_parser = label_parser::<Target>())]
    to: Target,

    /// The byte order of `--from utf-16` and `utf-32` input without a byte-order mark [default: be if the text looks big-endian,
    /// else an error]
    #[arg(long, value_name = "ORDER", ignore_case = true)]
    pub fallback: Option<ByteOrder>,

    /// Convert from `latin1` even if the input is well-formed UTF-8 beyond ASCII [default: an error]
    #[arg(long)]
    force: bool,

    /// What to do with the byte-order mark, U+FEFF at the start of a file [default: stripped from `utf-16` and `utf-32` input,
    /// added to `utf-16` and `utf-32` output, a character like any other in the other encodings]
    #[arg(long, value_name = "WHAT", ignore_case = true)]
    bom: Option<Bom>,

    /// Replace ill-formed sequences by U+FFFD, and what `latin1` does not have by a question mark, and report how many
    #[arg(long)]
    lossy: bool,

    /// Print errors only, and no notes on guessed encodings, replacements and unchanged files
    #[arg(short, long)]
    quiet: bool,

    /// The files to read; `-` is the standard input
    #[arg(value_name = "INPUT", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// The file to write, which may be INPUT itself; `-` is the standard output
    #[arg(short, long, default_value = "-")]
    output: PathBuf,

    /// Write files with the names of the inputs to this directory, which is created if missing. For an INPUT that is a
    /// directory, the files below it keep their relative paths. Symbolic links in DIR are not followed
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    output_dir: Option<PathBuf>,

    /// Replace each input file by its conversion; a file that would not change is left alone
    #[arg(short, long, conflicts_with_all = ["output", "output_dir"])]
    in_place: bool,

    /// Keep the original of each file that `--in-place` replaces, with this suffix added to its name, such as `.orig`
    #[arg(long, value_name = "SUFFIX", requires = "in_place", value_parser = suffix)]
    backup: Option<OsString>,

    #[command(flatten)]
    search: Search,
}

/// What to do about byte-order marks. Said of the output: only the first U+FEFF is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Bom {
    /// The output starts with one if the input does
    Keep,
    /// The output starts with none
    Strip,
    /// The output starts with one, unless the input is empty
    Add,
}

/// The end of a file name.
fn suffix(suffix: &str) -> Result<OsString, &'static str> {
    match suffix {
        "" => Err("the suffix must not be empty"),
        _ if suffix.contains(std::path::is_separator) => Err("the suffix must not contain a path separator"),
        _ => Ok(suffix.into()),
    }
}

/// One input, and the destination of its output.
pub struct Job {
    input: PathBuf,
    goal: Goal,
}

/// The means that a conversion uses.
#[derive(Clone, Copy)]
struct Means<'a> {
    isa: Isa,
    threads: usize,
    /// The output directory, if there is one.
    folder: Option<&'a Arc<Folder>>,
    progress: &'a Progress,
}

/// What is known of an input that has been converted.
struct Converted {
    tally: Tally,
    /// Whether it was to be replaced, and has been left alone, as nothing changes.
    is_unchanged: bool,
}

/// The destination of an output.
enum Goal {
    /// To this file.
    File(PathBuf),
    /// In place of the input.
    InPlace,
    /// To this file in the output directory.
    Below(PathBuf),
    /// Nowhere: the input is an entry of a directory, and cannot be read.
    Nowhere(Error),
}

impl Arguments {
    /// Returns the conversions to do, in the order of the arguments.
    ///
    /// # Errors
    ///
    /// Why the arguments cannot be what the user meant.
    pub fn jobs(&self) -> Result<Vec<Job>, String> {
        if self.force && !self.from.is_doubted() {
            return Err("`--force` applies only to `--from latin1`".into());
        }
        if self.in_place || self.output_dir.is_some() {
            if self.inputs.iter().any(|input| input == Path::new("-")) {
                return Err("the standard input has no name: `--in-place` and `--output-dir` need files".into());
            }
        } else if let [_, excess, ..] = &self.inputs[..] {
            let excess = Name::of(excess);
            return Err(format!(
                "unexpected argument '{excess}': several files need `--output-dir DIR` or `--in-place`; \
                 to write to {excess}, use `-o {excess}`"
            ));
        }
        let found = self.found()?;
        let mut inputs = BTreeSet::new();
        for Job { input, .. } in &found {
            let is_new = fs::canonicalize(input).map_or(true, |path| inputs.insert(path));
            if self.in_place && !is_new {
                return Err(format!("'{}' is given twice, and would be converted twice", Name::of(input)));
            }
        }
        if let Some(suffix) = &self.backup {
            // Resolved without following links, as a backup takes the place of a link.
            let names: BTreeSet<_> = self.inputs.iter().filter_map(|input| output::own_name(input).ok()).collect();
            for input in &self.inputs {
                let kept = output::backup_name(&output::destination(input), suffix);
                if names.contains(&kept) || inputs.contains(&kept) {
                    let (input, kept) = (Name::of(input), Name::of(&kept));
                    return Err(format!(
                        "the backup of '{input}' would overwrite '{kept}', which is an input: use another `--backup` suffix"
                    ));
                }
            }
        }
        if let Some(directory) = &self.output_dir {
            let mut taken = BTreeMap::new();
            for Job { input, goal } in &found {
                if let Goal::Below(path) = goal {
                    refuse_overlap(&inputs, input, directory.join(path), &mut taken)?;
                }
            }
        }
        Ok(found)
    }

    /// The inputs, including the files in directories if these can keep their names elsewhere.
    fn found(&self) -> Result<Vec<Job>, String> {
        let mut jobs = Vec::new();
        for input in &self.inputs {
            let goal = match &self.output_dir {
                Some(directory) if input.is_dir() => {
                    let files = self.search.files(input, directory).map_err(|error| escape(&error.to_string()))?;
                    jobs.extend(files.map(|found| match found {
                        Found::File(path, _) => {
                            let below = path.strip_prefix(input).expect("it is in there").to_owned();
                            Job { input: path, goal: Goal::Below(below) }
                        }
                        Found::Unreadable(path, error) => Job { input: path, goal: Goal::Nowhere(error) },
                        Found::Loop(error) => Job { input: input.clone(), goal: Goal::Nowhere(error) },
                    }));
                    continue;
                }
                Some(_) => {
                    let name = input.file_name().map(PathBuf::from);
                    Goal::Below(name.ok_or_else(|| format!("'{}' is not a file name", Name::of(input)))?)
                }
                None if self.in_place => Goal::InPlace,
                None => Goal::File(self.output.clone()),
            };
            jobs.push(Job { input: input.clone(), goal });
        }
        Ok(jobs)
    }

    /// Runs the command, with `at_once` files at once, and at most `threads` threads for each.
    ///
    /// # Errors
    ///
    /// [`Error::Create`] if the output directory cannot be created. Errors of single files are reported, and are in
    /// the status.
    pub fn run(&self, jobs: Vec<Job>, isa: Isa, threads: usize, at_once: usize) -> Result<Status, Error> {
        let folder = self.output_dir.as_deref().map(make_folder).transpose()?;
        let is_there = |job: &&Job| !matches!(job.goal, Goal::Nowhere(_));
        let len = |job: &Job| regular(&job.input).map(|metadata| metadata.len());
        let total = jobs.iter().filter(is_there).map(len).sum();
        let progress = Progress::new("converting", total);
        // A single input gets all the threads. With several, each gets as many as the others leave.
        let count = jobs.len();
        let is_one = count == 1;
        let order = Order::new(if is_one { 1 } else { at_once }, &progress);
        let worst = Mutex::new(Status::Success);
        let unchanged = AtomicU64::new(0);
        order.run(jobs.into_iter(), |job, buffer, place| {
            let threads = if is_one { threads } else { order.threads_for_one().min(threads) };
            let means = Means { isa, threads, folder: folder.as_ref(), progress: &progress };
            let input = job.input.clone();
            let status = match self.convert(job, means, buffer, place.err()) {
                Ok(Converted { tally, is_unchanged }) => {
                    if tally.replacements > 0 && !self.quiet {
                        let what = replaced(tally.replacements, self.to);
                        say(place.err(), &input, &what);
                    }
                    if tally.controls > 0 && !self.quiet {
                        let what = many(tally.controls, "byte");
                        let advice = "if this is windows-1252, use `iconv -f windows-1252 -t utf-8`";
                        say(
                            place.err(),
                            &input,
                            &format!("{what} from 80 to 9F became control characters; {advice}"),
                        );
                    }
                    if is_unchanged && is_one && !self.quiet {
                        say(place.err(), &input, "unchanged");
                    }
                    unchanged.fetch_add(u64::from(is_unchanged), Ordering::Relaxed);
                    Status::Success
                }
                Err(error) => {
                    error.report_to(place.err());
                    error.status()
                }
            };
            let mut worst = worst.lock().expect("nobody panics");
            *worst = status.max(*worst);
            true
        })?;
        drop(progress);
        let unchanged = unchanged.into_inner();
        if unchanged > 0 && !is_one && !self.quiet {
            let mut told = Vec::new();
            note(&mut told, format_args!("{} of {} unchanged", grouped(unchanged), many(count as u64, "file")));
            // If even the standard error is closed, nothing can be said.
            let _ = io::stderr().write_all(&told);
        }
        Ok(worst.into_inner().expect("nobody panics"))
    }

    /// What the user claims about the inputs.
    fn claim(&self) -> Claim {
        // What is copied stays what it was.
        let is_copied = matches!((self.from, self.to), (Label::Of(from), Target::Of(to)) if from == to);
        let is_strict = !self.force && !is_copied;
        Claim { label: self.from, fallback: self.fallback, option: "--from", is_strict }
    }

    /// Converts one input, and appends notes about it to `told`.
    fn convert(
        &self,
        Job { input: path, goal }: Job,
        means: Means<'_>,
        buffer: &mut Vec<u8>,
        told: &mut Vec<u8>,
    ) -> Result<Converted, Error> {
        let Means { isa, threads, folder, progress } = means;
        let path = &*path;
        let open = || Input::open(path).map_err(suggest_files);
        let (mut input, mut output) = match goal {
            Goal::InPlace => {
                let (place, file) = Place::open(path).map_err(suggest_files)?;
                let output = Output::in_place_of(place, &file, path)?;
                (Input::of(Name::of(path), file), output)
            }
            Goal::File(output) => (open()?, Output::create(&output)?),
            Goal::Below(below) => {
                let (Some(folder), Some(directory)) = (folder, &self.output_dir) else { unreachable!() };
                (open()?, Output::below(folder, directory, &below)?)
            }
            Goal::Nowhere(error) => return Err(error),
        };
        output.refuse_to_feed(&input)?;
        let before = if output.replaces(&input) { input.status() } else { None };
        let mut pieces = Pieces::open(&mut input, buffer, isa, self.claim(), 0).map_err(suggest_files)?;
        if let Some(evidence) = pieces.evidence()
            && !self.quiet
        {
            say(told, path, &format!("guessed {} ({evidence})", pieces.encoding().name()));
        }
        // An empty file stays empty.
        let is_empty = pieces.head().is_empty();
        let is_marked = match self.bom {
            // After the byte-order mark of utf-16 and utf-32, which is a signature, a U+FEFF of the text is a second one.
            None => matches!(self.to, Target::Utf16 | Target::Utf32) && !is_empty,
            Some(bom) => {
                let was_marked = pieces.take_mark();
                bom == Bom::Add && !is_empty || bom == Bom::Keep && was_marked
            }
        };
        let converter = Converter { isa, from: pieces.encoding(), to: self.to.encoding(), lossy: self.lossy };
        let mark = if is_marked { converter.to.mark() } else { &[] };
        output.write_instead(mark, pieces.head()[..pieces.signature()] == *mark)?;
        let hidden = Progress::none();
        // The terminal shows the text itself.
        let progress = if output.is_terminal() { &hidden } else { progress };
        let mut seems = None;
        let tally = transcode(pieces, converter, threads, &mut output, progress, &mut seems)?;
        if let Some(found) = seems
            && !self.quiet
        {
            say(told, path, &warning(found));
        }
        if input.has_shrunk() {
            return Err(Error::Changed { name: Name::of(path) });
        }
        // Not every system can replace an open file.
        drop(input);
        let is_unchanged = output.finish(self.backup.as_deref(), before)?;
        Ok(Converted { tally, is_unchanged })
    }
}

/// Refuses to write `output` for `input` if it is one of these `inputs`, or is `taken` by another.
fn refuse_overlap<'a>(
    inputs: &BTreeSet<PathBuf>,
    input: &'a Path,
    output: PathBuf,
    taken: &mut BTreeMap<PathBuf, &'a Path>,
) -> Result<(), String> {
    let destination = output::destination(&output);
    let is_input = inputs.contains(&destination);
    if let Some(other) = taken.insert(destination, input) {
        let (other, input, output) = (Name::of(other), Name::of(input), Name::of(&output));
        return Err(format!(
            "'{other}' and '{input}' would both be written to '{output}': convert them one at a time"
        ));
    }
    if is_input {
        let output = Name::of(&output);
        return Err(format!(
            "'{output}' is an input and would be overwritten: use `--in-place` to convert in place"
        ));
    }
    Ok(())
}

/// Creates and opens the directory for the outputs. Follows links, since the user has named it.
pub fn make_folder(directory: &Path) -> Result<Arc<Folder>, Error> {
    let made = fs::create_dir_all(directory).and_then(|()| Folder::open(directory));
    made.map(Arc::new).map_err(|source| Error::Create { name: Name::of(directory), source })
}

/// The metadata of a path if it is a regular file.
fn regular(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok().filter(Metadata::is_file)
}

/// Converts all the pieces. Where another encoding begins is an error if the encoding is a guess; otherwise it `seems` to begin
/// there.
#[cfg_attr(not(unix), allow(unused))]
fn transcode(
    mut pieces: Pieces<'_>,
    converter: Converter,
    threads: usize,
    output: &mut Output,
    progress: &Progress,
    seems: &mut Option<Change>,
) -> Result<Tally, Error> {
    let Converter { isa, from, to, lossy } = converter;
    let watch = pieces.watch();
    let name = pieces.input().name().clone();
    let invalid = |first: Finding, piece: &Piece<'_>| {
        let advice = advice(isa, from, piece, "--from").filter(|_| first.fault.character().is_none());
        let lossy = match (to.units(), first.fault.character()) {
            (Units::OneByte, Some('\u{FEFF}')) if first.at.byte == 0 => {
                "use `--bom strip` to remove it, or `--lossy` to replace it by a question mark"
            }
            (Units::OneByte, _) => "use `--lossy` to replace it by a question mark",
            _ => "use `--lossy` to replace it by U+FFFD",
        };
        first.into_error(from, &name).with_hint(advice.as_deref().unwrap_or(lossy))
    };
    let mut start = pieces.signature() as u64;
    let mut finder = Finder::new(isa, from, start, Extent::default()).to(to);
    let (mut room, mut tally) = (converter.room(PIECE), Tally::default());
    #[cfg(unix)]
    let is_large = pieces.input().as_file().is_some_and(|(_, len)| len >= segments::WORTH_IT);
    #[cfg(not(unix))]
    let is_large = false;
    let mut watcher = Watcher::new(watch, start);
    let mut seem = |found: Option<Change>| match found {
        Some(found) if watch.is_guess => Err(doubt(found, &name)),
        _ => {
            *seems = seems.or(found);
            Ok(())
        }
    };
    // Whether it is Latin-1 at all is seen in order.
    while !is_large || pieces.is_in_doubt() {
        let Some(piece) = pieces.next()? else { return Ok(tally) };
        let text = &piece.bytes[piece.range.clone()];
        let done = converter.run(text, &mut room);
        progress.advance(text.len() as u64);
        seem(watcher.pass(text, piece.is_last || done.fault.is_some()))?;
        output.write_instead(done.bytes, done.is_same)?;
        tally += done.tally;
        start += text.len() as u64;
        if done.fault.is_some() {
            return Err(invalid(finder.first(&piece).expect("a fault is one again"), &piece));
        }
        if !lossy {
            finder.pass(text);
        }
    }
    #[cfg(unix)]
    if let Some((file, _)) = pieces.input().as_file() {
        let write = |done: &crate::converter::Done<'_>, taken: usize, found: Option<Change>| {
            seem(found)?;
            progress.advance(taken as u64);
            output.write_instead(done.bytes, done.is_same)
        };
        match segments::convert(file, start, converter, watch, threads, write) {
            End::Complete(rest) => {
                tally += rest;
                return Ok(tally);
            }
            End::Unreadable(source) => return Err(pieces.input().error(source)),
            End::Unwritable(error) => return Err(error),
            End::IllFormed => {}
        }
        // The place of the error, and its line, need a reader that starts at the beginning.
        while let Some(piece) = pieces.next()? {
            if let Some(first) = finder.first(&piece) {
                return Err(invalid(first, &piece));
            }
        }
    }
    Err(Error::Changed { name })
}

/// What is said of replacements.
fn replaced(replacements: u64, to: Target) -> String {
    let s = if replacements == 1 { "" } else { "s" };
    match to.encoding().units() {
        Units::OneByte => {
            format!("{replacements} character{s} or invalid sequence{s} replaced by a question mark")
        }
        _ => format!("{replacements} invalid sequence{s} replaced by U+FFFD"),
    }
}

/// Adds advice to an error.
fn suggest_files(error: Error) -> Error {
    match &error {
        Error::Io { source, .. } if source.kind() == ErrorKind::IsADirectory => {
            error.with_hint("name its files (`FOLDER/*.txt`), or use `--output-dir`")
        }
        _ => error,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::output::tests::INTRUDER;

    /// Runs `convert` in this thread, with an intruder that acts at each moment.
    fn convert(arguments: &[&str], files: &[&Path], intruder: impl FnMut(&str) + 'static) -> Status {
        convert_to("utf-16le", arguments, files, intruder)
    }

    fn convert_to(to: &str, arguments: &[&str], files: &[&Path], intruder: impl FnMut(&str) + 'static) -> Status {
        let start = ["fastutf", "convert", "-f", "utf-8", "-t", to];
        let arguments = start.iter().chain(arguments).map(OsString::from);
        let arguments = arguments.chain(files.iter().map(|file| file.as_os_str().to_owned()));
        let crate::Command::Convert(arguments) = crate::Arguments::parse_from(arguments).command else { panic!() };
        INTRUDER.set(Some(Box::new(intruder)));
        let jobs = arguments.jobs().unwrap();
        let status = arguments.run(jobs, Isa::best(), 1, 1).unwrap();
        INTRUDER.set(None);
        status
    }

    /// The entries of a directory that an intruder could misuse: those not owned by the intruder, or run as another
    /// user.
    fn trusted(directory: &Path, own: u32) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        let is_trusted = |path: &PathBuf| {
            let found = fs::symlink_metadata(path).unwrap();
            found.is_file() && (found.uid() != own || found.mode() & 0o6000 != 0)
        };
        entries.filter(is_trusted).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    /// A user who may write to a directory might replace a file by another file or a link while it is converted.
    /// The text gets neither the owner nor the permissions of the other file, and nothing elsewhere changes. Each
    /// moment is tried. Only root can give files away: otherwise, only the permissions are tested.
    #[test]
    fn nobody_is_misled() {
        let is_root = rustix::process::geteuid().is_root();
        if !is_root {
            eprintln!("NOT TESTED: owners, as this user is not root");
        }
        let others = if is_root { 65534 } else { rustix::process::geteuid().as_raw() };
        for at in ["opened", "written"] {
            for trap in ["a file", "a link", "a directory"] {
                for arguments in [&["-i"][..], &["-i", "--backup", ".orig"], &["-o"]] {
                    let root = TempDir::new().unwrap();
                    let [folder, elsewhere] = ["folder", "elsewhere"].map(|name| root.path().join(name));
                    let file = folder.join("file");
                    for directory in [&folder, &elsewhere] {
                        fs::create_dir(directory).unwrap();
                    }
                    fs::write(&file, "evil").unwrap();
                    let program = elsewhere.join("file");
                    fs::write(&program, "program").unwrap();
                    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).unwrap();
                    if is_root {
                        chown(&file, Some(others), Some(others)).unwrap();
                    }
                    let (from, path, aside) = (elsewhere.clone(), file.clone(), root.path().join("aside"));
                    let intruder = move |moment: &str| {
                        if moment != at {
                            return;
                        }
                        match trap {
                            "a file" => {
                                fs::rename(&path, &aside).unwrap();
                                // A hard link, or a file that is moved there, stays what it was.
                                fs::hard_link(from.join("file"), &path).unwrap();
                            }
                            "a link" => {
                                fs::rename(&path, &aside).unwrap();
                                symlink(from.join("file"), &path).unwrap();
                            }
                            _ => {
                                fs::rename(path.parent().unwrap(), &aside).unwrap();
                                symlink(&from, path.parent().unwrap()).unwrap();
                            }
                        }
                    };
                    let is_moved = trap == "a directory";
                    let what = format!("{trap}, {at}, {arguments:?}");
                    // With `-o`, the input and the output have one name.
                    let files = if arguments == ["-o"] { vec![&*file, &*file] } else { vec![&*file] };
                    let status = convert(arguments, &files, intruder);
                    // The directory itself was open, wherever it is now. A file at its place is a different one.
                    let is_done = is_moved && (arguments != ["-o"] || at == "written");
                    if arguments != ["-o"] {
                        assert_eq!(status == Status::Success, is_done, "{what}");
                    }
                    let (own, content) = (others, b"program".to_vec());
                    for directory in [&folder, &elsewhere, &root.path().join("aside")] {
                        if directory.is_dir() {
                            for (path, found) in trusted(directory, own) {
                                assert!(
                                    found == content,
                                    "{what}: {path:?} is {:?}",
                                    String::from_utf8_lossy(&found)
                                );
                            }
                        }
                    }
                    // The trusted file is unchanged.
                    assert_eq!(fs::read(&program).unwrap(), content, "{what}");
                    assert_eq!(fs::metadata(&program).unwrap().mode() & 0o7777, 0o4755, "{what}");
                    let left: Vec<_> = fs::read_dir(&elsewhere).unwrap().collect();
                    assert_eq!(left.len(), 1, "{what}: {left:?}");
                }
            }
        }
    }

    /// What is written to a file while it is being converted in place is not lost, until the moment it is replaced. Nor does
    /// the file pass for valid, if its content would not have changed otherwise.
    #[test]
    fn an_input_that_changes() {
        let ways = [&["-i"][..], &["-i", "--backup", "~"], &["-o"]];
        for (arguments, to) in ways.into_iter().flat_map(|way| [(way, "utf-8"), (way, "utf-16le")]) {
            let root = TempDir::new().unwrap();
            let file = root.path().join("file");
            fs::write(&file, "text").unwrap();
            let path = file.clone();
            let intruder = move |moment: &str| {
                if moment == "written" {
                    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
                    std::io::Write::write_all(&mut file, b" and more").unwrap();
                }
            };
            let files = if arguments == ["-o"] { vec![&*file, &*file] } else { vec![&*file] };
            assert_eq!(convert_to(to, arguments, &files, intruder), Status::Failure, "{arguments:?}");
            assert_eq!(fs::read(&file).unwrap(), b"text and more", "{arguments:?}");
            assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "{arguments:?}");
        }
    }

    /// A link that replaces a directory below `--output-dir`, just when that was made or seen, does not lead writes
    /// outside it.
    #[test]
    fn nobody_is_led_out() {
        let root = TempDir::new().unwrap();
        let root = root.path();
        for name in ["in/a/b", "out", "elsewhere/b"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        fs::write(root.join("in/a/b/file"), "text").unwrap();
        let (directory, elsewhere) = (root.join("out/a"), root.join("elsewhere"));
        let out = root.join("out");
        let intruder = move |moment: &str| {
            if moment == "made" && !directory.is_symlink() {
                fs::remove_dir(&directory).unwrap();
                symlink(&elsewhere, &directory).unwrap();
            }
        };
        assert_eq!(
            convert(&["--output-dir", out.to_str().unwrap()], &[&root.join("in")], intruder),
            Status::Failure
        );
        assert_eq!(fs::read_dir(root.join("elsewhere/b")).unwrap().count(), 0);
        assert_eq!(fs::read_dir(root.join("elsewhere")).unwrap().count(), 1);
    }

    /// If an input is a link, the file behind it is replaced, and the link stays.
    #[test]
    fn links_are_followed_on_purpose() {
        let root = TempDir::new().unwrap();
        let root = root.path();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("folder/file"), "text").unwrap();
        symlink("folder/file", root.join("link")).unwrap();
        symlink("folder", root.join("way")).unwrap();
        for path in ["link", "way/file"] {
            let before = fs::metadata(root.join("folder/file")).unwrap().ino();
            assert_eq!(convert(&["-i"], &[&root.join(path)], |_| {}), Status::Success);
            assert_ne!(fs::metadata(root.join("folder/file")).unwrap().ino(), before, "{path}");
            assert!(fs::symlink_metadata(root.join("link")).unwrap().is_symlink());
        }
    }
}
