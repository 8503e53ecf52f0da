//! Where bytes go: the standard output, or a file that appears only when it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, StdoutLock, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Error;

/// An open output. Dropping it without [`finish`](Self::finish) leaves a regular file as it was.
pub struct Output {
    name: String,
    sink: Sink,
}

/// The ways to write.
enum Sink {
    /// The standard output.
    Stdout(StdoutLock<'static>),
    /// A device, a pipe, a socket or an inherited file descriptor.
    Direct(File),
    /// A regular file: what is written beside it takes its place in the end.
    Replace { temporary: NamedTempFile, path: PathBuf },
}

impl Output {
    /// Returns the standard output.
    pub fn stdout() -> Self {
        Self { name: "<stdout>".into(), sink: Sink::Stdout(io::stdout().lock()) }
    }

    /// Opens a file for writing, or the standard output for `-`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it, or a temporary file beside it, cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        // By name, as opening them anew would start again at offset 0 of a redirected standard output.
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|&name| path == Path::new(name)) {
            return Ok(Self::stdout());
        }
        let name = path.display().to_string();
        match Sink::create(path) {
            Ok(sink) => Ok(Self { name, sink }),
            Err(source) => Err(Error::Io { name, source }),
        }
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
            Sink::Replace { temporary, .. } => temporary.as_file_mut().write_all(bytes),
        };
        outcome.map_err(|source| match self.sink {
            Sink::Stdout(_) if source.kind() == ErrorKind::BrokenPipe => Error::StdoutClosed,
            _ => Error::Io { name: self.name.clone(), source },
        })
    }

    /// Puts a regular file in its place.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if that is impossible; the place is as it was, then.
    pub fn finish(self) -> Result<(), Error> {
        match self.sink {
            Sink::Replace { temporary, path } => match temporary.persist(path) {
                Ok(_) => Ok(()),
                Err(error) => Err(Error::Io { name: self.name, source: error.error }),
            },
            Sink::Stdout(_) | Sink::Direct(_) => Ok(()),
        }
    }
}

impl Sink {
    /// Chooses the way to write to `path`.
    fn create(path: &Path) -> io::Result<Self> {
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let path = match follow(path)? {
            Target::Path(path) => path,
            // To append is to leave alone what others wrote to the same descriptor.
            Target::Descriptor(path) => return Ok(Self::Direct(OpenOptions::new().append(true).open(path)?)),
        };
        if let Some(existing) = &existing {
            if existing.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            // Opened also to be replaced: who may not write to a file shall not get to replace it.
            let file = OpenOptions::new().write(true).open(&path)?;
            if !existing.is_file() {
                return Ok(Self::Direct(file));
            }
        }
        let directory = path.parent().expect("a file has a parent");
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fastutf-");
        #[cfg(unix)]
        if existing.is_none() {
            // What any new file gets; the umask is taken off. (The default of 600 is for secrets.)
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(directory)?;
        if let Some(existing) = existing {
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self::Replace { temporary, path })
    }
}

/// Where the symbolic links of an output's name lead to.
enum Target {
    /// An ordinary place in the file system, with the name of its directory.
    Path(PathBuf),
    /// A file descriptor of some process, such as `/dev/fd/3`.
    Descriptor(PathBuf),
}

/// Follows symbolic links to the file itself, existing or not: a link shall lead to the new file, not be replaced by it.
fn follow(path: &Path) -> io::Result<Target> {
    let mut path = path.to_path_buf();
    // Far more links than the system follows.
    for _ in 0..100 {
        let Some(file_name) = path.file_name() else { return Err(ErrorKind::IsADirectory.into()) };
        let directory = match path.parent() {
            Some(directory) if directory != Path::new("") => directory,
            _ => Path::new("."),
        };
        let directory = fs::canonicalize(directory)?;
        path = directory.join(file_name);
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
