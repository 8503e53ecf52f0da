//! Where bytes go: the standard output, or a file that appears only when it is whole.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{self, Path, PathBuf};

use same_file::Handle;
use tempfile::NamedTempFile;

use crate::error::{Error, or_directory};
use crate::input::Input;
use crate::interrupt::{self, Cleanup};

/// An open output. Dropping it without [`finish`](Self::finish) leaves a regular file as it was.
pub struct Output {
    name: String,
    sink: Sink,
}

/// The ways to write.
enum Sink {
    /// The standard output.
    Stdout(Box<dyn Write + Send>),
    /// A device, a pipe, a socket or an inherited file descriptor.
    Direct(File),
    /// A regular file: what is written beside it takes its place in the end.
    Replace(Replacement),
}

/// A temporary file and the one whose place it is to take. Being interrupted removes it.
struct Replacement {
    temporary: NamedTempFile,
    // After the file, as it is to be dropped later.
    _cleanup: Cleanup,
    path: PathBuf,
}

impl Output {
    /// Returns the standard output.
    pub fn stdout() -> Self {
        Self { name: "<stdout>".into(), sink: Sink::Stdout(stdout()) }
    }

    /// Returns whether this is the standard output, and a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_)) && io::stdout().is_terminal()
    }

    /// Opens a file for writing, or the standard output for `-`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Create`] or [`Error::NoDirectory`] if it cannot be written, [`Error::Beside`] if a
    /// temporary file cannot.
    pub fn create(path: &Path) -> Result<Self, Error> {
        // By name, as opening them anew would start again at offset 0 of a redirected standard output.
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|&name| path == Path::new(name)) {
            return Ok(Self::stdout());
        }
        let name = path.display().to_string();
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(Error::Create { name, source }),
        };
        let is_new = existing.is_none();
        if is_new && is_directory_name(path) {
            return Err(Error::NoDirectory { name });
        }
        match Sink::create(path, existing) {
            Ok(sink) => Ok(Self { name, sink }),
            Err(Refusal { source, .. }) if is_new && source.kind() != ErrorKind::IsADirectory => {
                Err(Error::Create { name, source })
            }
            Err(Refusal { source, is_beside: true }) => Err(Error::Beside { name, source }),
            Err(Refusal { source, .. }) => Err(Error::Io { name, source }),
        }
    }

    /// Refuses an input that is a regular file to which this output writes while it is read: the end of it might
    /// never come.
    ///
    /// # Errors
    ///
    /// [`Error::SameFile`].
    pub fn refuse_to_feed(&self, input: &Input) -> Result<(), Error> {
        let (handle, output) = match &self.sink {
            Sink::Stdout(_) => (Handle::stdout(), "the standard output"),
            Sink::Direct(file) => (file.try_clone().and_then(Handle::from_file), &*self.name),
            Sink::Replace(_) => return Ok(()),
        };
        if !handle.is_ok_and(|handle| input.is_same_file(&handle)) {
            return Ok(());
        }
        let input = input.name().to_owned();
        let in_place = if input == "<stdin>" { "FILE".into() } else { input.clone() };
        Err(Error::SameFile { input, output: output.into(), in_place })
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    ///
    /// [`Error::StdoutClosed`] if the standard output is a pipe that nobody reads any more, [`Error::Io`] if they
    /// cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let outcome = match &mut self.sink {
            // Flushed, as a later error of the standard output's own buffer would be lost.
            Sink::Stdout(stdout) => stdout.write_all(bytes).and_then(|()| stdout.flush()),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Replace(replacement) => replacement.temporary.as_file_mut().write_all(bytes),
        };
        outcome.map_err(|source| match self.sink {
            Sink::Stdout(_) if source.kind() == ErrorKind::BrokenPipe => Error::StdoutClosed,
            Sink::Replace(_) => in_place_of(&self.name, source),
            _ => Error::Io { name: self.name.clone(), source },
        })
    }

    /// Puts a regular file in its place, if `consent` is given when all is on the disk. What it replaces is kept under its
    /// name with this `backup` suffix, if one is given, in place of an older one.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] or [`Error::Create`] if that is impossible, or what `consent` says; the place is as it was, then.
    pub fn finish(self, backup: Option<&OsStr>, consent: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let Sink::Replace(Replacement { temporary, _cleanup, path }) = self.sink else { return consent() };
        // Else the new name may reach the disk before the content does, and a crash leaves neither text.
        temporary.as_file().sync_all().map_err(|source| in_place_of(&self.name, source))?;
        // That has taken time, in which somebody else may have written to what is there.
        consent()?;
        if let Some(suffix) = backup {
            let kept = backup_name(&path, suffix);
            keep(&path, &kept).map_err(|source| {
                let name = kept.display().to_string();
                Error::Create { name, source: or_directory(&kept, source) }
            })?;
        }
        temporary.persist(path).map(drop).map_err(|error| in_place_of(&self.name, error.error))
    }
}

/// Returns where an output of this name goes: where its links lead to, as far as that can be seen.
pub fn destination(path: &Path) -> PathBuf {
    match follow(path) {
        Ok(Target::Path(path) | Target::Descriptor(path)) => path,
        Err(_) => path.to_owned(),
    }
}

/// Returns the name under which the file at this destination is kept.
pub fn backup_name(destination: &Path, suffix: &OsStr) -> PathBuf {
    PathBuf::from([destination.as_os_str(), suffix].into_iter().collect::<OsString>())
}

/// The standard output, without a buffer; std's own takes it for written where there is nothing to write to.
pub fn stdout() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    if let Ok(stdout) = io::stdout().as_fd().try_clone_to_owned() {
        return Box::new(File::from(stdout));
    }
    Box::new(io::stdout())
}

/// The error of a file whose replacement cannot be written.
fn in_place_of(name: &str, source: io::Error) -> Error {
    let is_full = matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    let error = Error::Io { name: name.to_owned(), source };
    if !is_full {
        return error;
    }
    error.with_hint("nothing there has changed: free some space, or write elsewhere with `-o` or `--output-dir`")
}

/// Gives a file this other name, too, instead of what has that.
fn keep(path: &Path, kept: &Path) -> io::Result<()> {
    if same_file::is_same_file(path, kept).unwrap_or(false) {
        return Ok(()); // It has that name already, and renaming a link to another of the same file does nothing.
    }
    let directory = path.parent().expect("a file has a parent");
    // A link is there at once, whole, with the owner and the times of the file. Not every file system has them.
    let link = || builder().make_in(directory, |link| fs::hard_link(path, link));
    if let Ok((link, _cleanup)) = guarded(link) {
        return link.into_temp_path().persist(kept).map_err(|error| error.error);
    }
    let (mut copy, _cleanup) = guarded(|| builder().tempfile_in(directory))?;
    let mut file = File::open(path)?;
    io::copy(&mut file, copy.as_file_mut())?;
    copy.as_file().set_permissions(file.metadata()?.permissions())?;
    copy.as_file().sync_all()?;
    copy.persist(kept).map(drop).map_err(|error| error.error)
}

/// What makes files whose names tell that they are temporary.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fastutf-");
    builder
}

/// Makes a temporary file that is removed if the program is interrupted.
fn guarded<F>(make: impl FnOnce() -> io::Result<NamedTempFile<F>>) -> io::Result<(NamedTempFile<F>, Cleanup)> {
    interrupt::guard(|| {
        let temporary = make()?;
        let path = temporary.path().to_owned();
        Ok((temporary, Box::new(move || drop(fs::remove_file(path)))))
    })
}

/// Why nothing can be written.
struct Refusal {
    source: io::Error,
    /// Whether this is about a file beside the one that is there.
    is_beside: bool,
}

impl From<io::Error> for Refusal {
    fn from(source: io::Error) -> Self {
        Self { source, is_beside: false }
    }
}

impl Sink {
    /// Chooses the way to write to `path`, with the metadata of what is there.
    fn create(path: &Path, existing: Option<Metadata>) -> Result<Self, Refusal> {
        let path = match follow(path)? {
            Target::Path(path) => path,
            // To append is to leave alone what others wrote to the same descriptor.
            Target::Descriptor(path) => return Ok(Self::Direct(OpenOptions::new().append(true).open(path)?)),
        };
        if let Some(existing) = &existing {
            if existing.is_dir() {
                return Err(io::Error::from(ErrorKind::IsADirectory).into());
            }
            // Opened also to be replaced: who may not write to a file shall not get to replace it.
            let file = OpenOptions::new().write(true).open(&path)?;
            if !existing.is_file() {
                return Ok(Self::Direct(file));
            }
        }
        let directory = path.parent().expect("a file has a parent");
        #[cfg_attr(not(unix), expect(unused_mut))]
        let mut builder = builder();
        #[cfg(unix)]
        if existing.is_none() {
            // What any new file gets; the umask is taken off. (The default of 600 is for secrets.)
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let temporary = guarded(|| builder.tempfile_in(directory));
        let (temporary, cleanup) =
            temporary.map_err(|source| Refusal { source, is_beside: existing.is_some() })?;
        if let Some(existing) = existing {
            take_over(temporary.as_file(), &existing)?;
        }
        Ok(Self::Replace(Replacement { temporary, _cleanup: cleanup, path }))
    }
}

/// Gives a new file the permissions of the one it is to replace, and its owner and group, as far as this user may. What the
/// old owner or group were trusted with, others do not get.
fn take_over(file: &File, existing: &Metadata) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut permissions = existing.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        const SET_USER: u32 = 0o4000;
        const SET_GROUP: u32 = 0o2000;
        let mut mode = existing.mode();
        if fchown(file, Some(existing.uid()), Some(existing.gid())).is_err() {
            mode &= !SET_USER;
            if fchown(file, None, Some(existing.gid())).is_err() {
                // The group is another one: it may do what everybody may.
                mode = mode & !SET_GROUP & !0o070 | (mode & 0o007) << 3;
            }
        }
        permissions.set_mode(mode);
    }
    file.set_permissions(permissions)
}

/// Where the symbolic links of an output's name lead to.
enum Target {
    /// An ordinary place in the file system, with the name of its directory.
    Path(PathBuf),
    /// A file descriptor of some process, such as `/dev/fd/3`.
    Descriptor(PathBuf),
}

/// Whether a name ends in a separator, `.` or `..`, so that no file can have it.
fn is_directory_name(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let last = bytes.rsplit(|&byte| path::is_separator(byte.into())).next();
    matches!(last, None | Some(b"" | b"." | b".."))
}

/// The name of a file with that of the directory it is in, no link; the file may be one.
pub fn own_name(path: &Path) -> io::Result<PathBuf> {
    let file_name = path.file_name().filter(|_| !is_directory_name(path)).ok_or(ErrorKind::IsADirectory)?;
    let directory = path.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(directory)?.join(file_name))
}

/// Follows symbolic links to the file itself, existing or not: a link shall lead to the new file, not be replaced by it.
fn follow(path: &Path) -> io::Result<Target> {
    let mut path = path.to_path_buf();
    // Far more links than the system follows.
    for _ in 0..100 {
        path = own_name(&path)?;
        let directory = path.parent().expect("a file has a parent");
        if cfg!(unix) && (directory.starts_with("/proc") || directory.starts_with("/dev/fd")) {
            return Ok(Target::Descriptor(path));
        }
        match fs::read_link(&path) {
            Ok(target) => path = directory.join(target),
            Err(_) => return Ok(Target::Path(path)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
