//! Outputs: the standard output, or a file that appears only when it is complete.

use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use same_file::Handle;

use crate::error::{Error, or_directory};
use crate::folder::{Folder, Status};
use crate::input::Input;
use crate::interrupt::{self, Cleanup};
use crate::name::Name;
use crate::streams::{self, Closed, Stream};

/// An open output. Dropping it without [`finish`](Self::finish) leaves a regular file unchanged.
pub struct Output {
    name: Name,
    sink: Sink,
}

/// Where an output is written.
enum Sink {
    /// The standard output.
    Stdout(Box<dyn Write + Send>),
    /// A device, a pipe, a socket or an inherited file descriptor.
    Direct(File),
    /// A regular file: a temporary file beside it replaces it in the end.
    Replace(Replacement),
}

/// A temporary file, and the place of the file that it will replace.
struct Replacement {
    /// The temporary file; in place there is none before it is needed.
    draft: Option<(File, Draft)>,
    place: Place,
    /// The existing file, opened to see whether this user may write to it.
    original: Option<File>,
    /// Set as long as all that was written is what is there.
    same: Option<Same>,
}

/// What need not be written, as the input that is to be replaced starts with it.
struct Same {
    /// The input. Its offset is that of whoever reads it.
    input: File,
    len: u64,
}

/// A place in the file system, whether something is there or not.
#[derive(Clone)]
pub struct Place {
    folder: Arc<Folder>,
    name: OsString,
    /// The path of both together.
    path: PathBuf,
}

/// A temporary directory entry. Dropping this removes it, and so does an interruption.
struct Draft {
    folder: Arc<Folder>,
    name: OsString,
    is_gone: bool,
    // Unregistered when the entry is removed.
    _cleanup: Cleanup,
}

impl Output {
    /// Returns the standard output.
    pub fn stdout() -> Self {
        Self { name: Name::stdout(), sink: Sink::Stdout(stdout()) }
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
        // Recognised by name, since opening them anew would start again at offset 0 of a redirected standard output.
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|&name| path == Path::new(name)) {
            streams::open(Stream::Out).map_err(|source| Error::Io { name: Name::stdout(), source })?;
            return Ok(Self::stdout());
        }
        let name = Name::of(path);
        // Only for the messages: what matters is what exists when the file is opened.
        let is_new = match fs::metadata(path) {
            Ok(_) => false,
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(source) => return Err(Error::Create { name, source }),
        };
        if is_new && is_directory_name(path) {
            return Err(Error::NoDirectory { name });
        }
        let sink = follow(path).map_err(Refusal::from).and_then(|target| match target {
            Target::Path(path) => Sink::at(Place::at(path)?),
            // Appending keeps what others wrote to the same descriptor.
            Target::Descriptor(path) => Ok(Sink::Direct(OpenOptions::new().append(true).open(path)?)),
        });
        Self::new(name, sink, is_new)
    }

    /// Opens a file below an open directory for writing under this name, and creates the directories in between. No
    /// symbolic link is followed on the way or at the end, whenever it is put there: the output is below the
    /// directory.
    ///
    /// # Errors
    ///
    /// [`Error::Link`], and those of [`create`](Self::create).
    pub fn below(root: &Arc<Folder>, directory: &Path, path: &Path) -> Result<Self, Error> {
        let mut folder = root.clone();
        let mut so_far = directory.to_owned();
        let parts = path.parent().unwrap_or(Path::new("")).components();
        for part in parts {
            so_far.push(part);
            let failed = |source| {
                let name = Name::of(&so_far);
                // The error for a link differs by system.
                let is_link = folder.status(part.as_os_str()).is_ok_and(|status| status.is_link());
                if is_link { Error::Link { name } } else { Error::Create { name, source } }
            };
            match folder.make(part.as_os_str()) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
                _ => moment("made"),
            }
            folder = Arc::new(folder.below(part.as_os_str()).map_err(failed)?);
        }
        let name = Name::of(&directory.join(path));
        let own_name = path.file_name().expect("it is the name of a file").to_owned();
        let status = folder.status(&own_name);
        if status.as_ref().is_ok_and(|status| status.is_link()) {
            return Err(Error::Link { name });
        }
        let place = Place { folder, name: own_name, path: directory.join(path) };
        Self::new(name, Sink::at(place), status.is_err())
    }

    /// Returns an output that replaces the file that is open as `input`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if this user may not write there, [`Error::Beside`] if no temporary file can be created,
    /// [`Error::Changed`] if another file is there by now.
    pub fn in_place_of(place: Place, input: &File, path: &Path) -> Result<Self, Error> {
        moment("opened");
        let name = Name::of(path);
        let changed = || Error::Changed { name: name.clone() };
        let same = |file: &File| Some(handle(file)? == handle(input)?);
        // A user who may not write to a file must not replace it.
        match place.folder.write(&place.name) {
            Ok(file) if same(&file) == Some(true) => {}
            Ok(_) => return Err(changed()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(changed()),
            Err(source) => return Err(Error::Io { name, source }),
        }
        let original = input.try_clone().map(Some).map_err(Refusal::from);
        let sink =
            original.map(|original| Sink::Replace(Replacement { draft: None, place, original, same: None }));
        Self::new(name, sink, false)
    }

    /// The output, or why there is none.
    fn new(name: Name, sink: Result<Sink, Refusal>, is_new: bool) -> Result<Self, Error> {
        match sink {
            Ok(sink) => Ok(Self { name, sink }),
            Err(Refusal { source, .. }) if is_new && source.kind() != ErrorKind::IsADirectory => {
                Err(Error::Create { name, source })
            }
            Err(refusal) => Err(refusal.into_error(&name)),
        }
    }

    /// Returns whether this will replace the very file that is read; then it is left alone if what is written turns out
    /// to be what is there. Call it only once: it closes the existing file, since not every system can replace an open
    /// file.
    pub fn replaces(&mut self, input: &Input) -> bool {
        let Sink::Replace(replacement) = &mut self.sink else { return false };
        let original = replacement.original.take().and_then(|file| Handle::from_file(file).ok());
        let is_same = original.is_some_and(|original| input.is_same_file(&original));
        if is_same && let Some((input, _)) = input.as_file() {
            replacement.same = input.try_clone().ok().map(|input| Same { input, len: 0 });
        }
        is_same
    }

    /// Refuses an input that is a regular file to which this output writes while it is read, as the input might never
    /// end.
    ///
    /// # Errors
    ///
    /// [`Error::SameFile`].
    pub fn refuse_to_feed(&self, input: &Input) -> Result<(), Error> {
        let (handle, output) = match &self.sink {
            Sink::Stdout(_) => (Handle::stdout(), "the standard output".to_owned()),
            Sink::Direct(file) => (file.try_clone().and_then(Handle::from_file), self.name.to_string()),
            Sink::Replace(_) => return Ok(()),
        };
        if !handle.is_ok_and(|handle| input.is_same_file(&handle)) {
            return Ok(());
        }
        let input = input.name().clone();
        let in_place = if input == Name::stdin() { "FILE".into() } else { input.to_string() };
        Err(Error::SameFile { input, output, in_place })
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
            Sink::Replace(replacement) => replacement.temporary(&self.name)?.write_all(bytes),
        };
        outcome.map_err(|source| match self.sink {
            Sink::Stdout(_) if source.kind() == ErrorKind::BrokenPipe => Error::StdoutClosed,
            Sink::Replace(_) => not_written(&self.name, source),
            _ => Error::Io { name: self.name.clone(), source },
        })
    }

    /// Writes all of `bytes`, which take the place of bytes of the input that are the same or not, in order.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write).
    pub fn write_instead(&mut self, bytes: &[u8], is_same: bool) -> Result<(), Error> {
        if is_same && let Sink::Replace(Replacement { same: Some(same), .. }) = &mut self.sink {
            same.len += bytes.len() as u64;
            return Ok(());
        }
        self.write(bytes)
    }

    /// Moves a regular file to its place when all is on the disk, if the existing file is `unchanged`. If a `backup`
    /// suffix is given, the replaced file is kept under its name with this suffix, replacing an older backup.
    ///
    /// Returns whether the existing file has been left alone, as its content would not change.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] or [`Error::Create`] if that is impossible, [`Error::Changed`]; the place is then unchanged.
    pub fn finish(self, backup: Option<&OsStr>, unchanged: Option<Status>) -> Result<bool, Error> {
        let Self { name, sink: Sink::Replace(mut replacement) } = self else { return Ok(false) };
        let is_same = replacement.is_same();
        if !is_same {
            // Otherwise, the new name may reach the disk before the content does, and a crash would leave neither text.
            replacement.temporary(&name)?.sync_all().map_err(|source| not_written(&name, source))?;
        }
        moment("written");
        let Replacement { draft, place, .. } = replacement;
        // Meanwhile, somebody may have written to the existing file, or replaced it.
        if unchanged.is_some() && unchanged != place.folder.status(&place.name).ok() {
            return Err(Error::Changed { name });
        }
        let Some((_, mut draft)) = draft.filter(|_| !is_same) else { return Ok(true) };
        if let Some(suffix) = backup {
            let kept = backup_name(&place.path, suffix);
            place.keep(kept.file_name().expect("it is a name and a suffix")).map_err(|source| {
                let name = Name::of(&kept);
                Error::Create { name, source: or_directory(&kept, source) }
            })?;
        }
        moment("agreed");
        draft.rename(&place.name).map_err(|source| not_written(&name, source))?;
        Ok(false)
    }
}

impl Replacement {
    /// Whether what was written is all that is there.
    fn is_same(&self) -> bool {
        let len = |same: &Same| same.input.metadata().ok().map(|input| input.len());
        self.same.as_ref().is_some_and(|same| len(same) == Some(same.len))
    }

    /// Returns the temporary file for the output with this name, which has all that was written.
    fn temporary(&mut self, name: &Name) -> Result<&mut File, Error> {
        let same = self.same.take();
        let (temporary, _) = match &mut self.draft {
            Some(draft) => draft,
            none => {
                let original = same.as_ref().map(|same| &same.input).or(self.original.as_ref());
                none.insert(draft(&self.place, original).map_err(|refusal| refusal.into_error(name))?)
            }
        };
        if let Some(same) = same {
            let copied = same.copy_to(temporary).map_err(|source| not_written(name, source))?;
            if copied != same.len {
                return Err(Error::Changed { name: name.clone() });
            }
        }
        Ok(temporary)
    }
}

impl Same {
    /// Copies what has not been written, and returns how much was there.
    fn copy_to(&self, file: &mut File) -> io::Result<u64> {
        if self.len == 0 {
            return Ok(0);
        }
        let mut input = &self.input;
        let offset = input.stream_position()?;
        input.rewind()?;
        let copied = io::copy(&mut input.take(self.len), file)?;
        input.seek(SeekFrom::Start(offset))?;
        Ok(copied)
    }
}

impl Place {
    /// Returns the place with this path, whose directory must not be a link.
    fn at(path: PathBuf) -> io::Result<Self> {
        let folder = Folder::open(path.parent().expect("a file has a parent"))?;
        let name = path.file_name().ok_or(ErrorKind::IsADirectory)?.to_owned();
        Ok(Self { folder: Arc::new(folder), name, path })
    }

    /// Opens the regular file to which this name leads, to read it and then to replace it. No link is followed after
    /// this: the replacement goes where the file is that is read.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read, [`Error::NotAFile`] if it is something else.
    pub fn open(path: &Path) -> Result<(Self, File), Error> {
        let name = || Name::of(path);
        let not_a_file = || Error::NotAFile { name: name() };
        let failed = |source| Error::Io { name: name(), source };
        let place = match follow(path).map_err(failed)? {
            Target::Path(path) => Self::at(path).map_err(failed)?,
            Target::Descriptor(_) => return Err(not_a_file()),
        };
        let status = place.folder.status(&place.name).map_err(failed)?;
        if status.is_directory() {
            return Err(failed(ErrorKind::IsADirectory.into()));
        } else if !status.is_file() {
            return Err(not_a_file());
        }
        let file = place.folder.read(&place.name).map_err(failed)?;
        let is_file = Status::of(&file).map_err(failed)?.is_file();
        if is_file { Ok((place, file)) } else { Err(not_a_file()) }
    }

    /// Gives the existing file this second name, replacing any file with that name.
    fn keep(&self, kept: &OsStr) -> io::Result<()> {
        let Self { folder, name, .. } = self;
        let status = folder.status(name)?;
        if cfg!(unix) && folder.status(kept).is_ok_and(|kept| kept == status) {
            return Ok(()); // It has that name already, and renaming a link to another of the same file does nothing.
        }
        // A hard link is created at once, complete, and with the owner and times of the file. Not every file system
        // has them.
        if let Ok(((), mut link)) = Draft::make(folder, |link| folder.link(name, link)) {
            return link.rename(kept);
        }
        let (mut copy, mut draft) = Draft::make(folder, |copy| folder.create(copy, true))?;
        let mut file = folder.read(name)?;
        io::copy(&mut file, &mut copy)?;
        take_over(&copy, &file)?;
        copy.sync_all()?;
        draft.rename(kept)
    }
}

impl Draft {
    /// Creates a temporary entry in this directory, under an unused name.
    fn make<T>(folder: &Arc<Folder>, make: impl Fn(&OsStr) -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut attempts = 0;
        let ((made, name), cleanup) = interrupt::guard(|| {
            loop {
                let name = temporary_name();
                match make(&name) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists && attempts < 1000 => attempts += 1,
                    Err(error) => return Err(error),
                    Ok(made) => {
                        let (folder, own) = (folder.clone(), name.clone());
                        let remove = move || drop(folder.remove(&own));
                        return Ok(((made, name), Box::new(remove) as interrupt::Action));
                    }
                }
            }
        })?;
        Ok((made, Self { folder: folder.clone(), name, is_gone: false, _cleanup: cleanup }))
    }

    /// Gives the entry its final name, replacing any other entry.
    fn rename(&mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, name)?;
        self.is_gone = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_gone {
            let _ = self.folder.remove(&self.name);
        }
    }
}

/// A name that shows that it is temporary. Guessing it gains nothing: an existing file is never opened.
fn temporary_name() -> OsString {
    const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = RandomState::new().hash_one(());
    let letters = (0..6).map(|_| {
        let letter = LETTERS[(random % 36) as usize];
        random /= 36;
        char::from(letter)
    });
    format!(".fastutf-{}", letters.collect::<String>()).into()
}

/// Returns where an output with this name goes: where its links lead, as far as that can be seen.
pub fn destination(path: &Path) -> PathBuf {
    match follow(path) {
        Ok(Target::Path(path) | Target::Descriptor(path)) => path,
        Err(_) => path.to_owned(),
    }
}

/// Returns the backup name for the file at this destination.
pub fn backup_name(destination: &Path, suffix: &OsStr) -> PathBuf {
    PathBuf::from([destination.as_os_str(), suffix].into_iter().collect::<OsString>())
}

/// The identity of an open file, for comparison.
fn handle(file: &File) -> Option<Handle> {
    Handle::from_file(file.try_clone().ok()?).ok()
}

/// The standard output, without a buffer. Std's own pretends to write if the standard output is closed.
pub fn stdout() -> Box<dyn Write + Send> {
    if streams::open(Stream::Out).is_err() {
        return Box::new(Closed);
    }
    #[cfg(unix)]
    if let Ok(stdout) = io::stdout().as_fd().try_clone_to_owned() {
        return Box::new(File::from(stdout));
    }
    Box::new(io::stdout())
}

/// The error of a file whose replacement cannot be written.
fn not_written(name: &Name, source: io::Error) -> Error {
    let is_full = matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    let error = Error::Io { name: name.clone(), source };
    if !is_full {
        return error;
    }
    error.with_hint("nothing was changed there; free some space, or write elsewhere with `-o` or `--output-dir`")
}

/// Lets a test interfere, as another program might.
#[cfg(test)]
fn moment(name: &str) {
    tests::INTRUDER.with_borrow_mut(|intruder| {
        if let Some(intruder) = intruder {
            intruder(name);
        }
    });
}

#[cfg(not(test))]
fn moment(_: &str) {}

/// Why nothing can be written.
struct Refusal {
    source: io::Error,
    /// Whether this is about a file beside the existing one.
    is_beside: bool,
}

impl Refusal {
    /// Returns the error for the existing file with this name.
    fn into_error(self, name: &Name) -> Error {
        let Self { source, is_beside } = self;
        let name = name.clone();
        if is_beside { Error::Beside { name, source } } else { Error::Io { name, source } }
    }
}

impl From<io::Error> for Refusal {
    fn from(source: io::Error) -> Self {
        Self { source, is_beside: false }
    }
}

impl Sink {
    /// Chooses the way to write to this place.
    fn at(place: Place) -> Result<Self, Refusal> {
        let is_directory = place.folder.status(&place.name).is_ok_and(|status| status.is_directory());
        if is_directory || place.name.is_empty() {
            return Err(io::Error::from(ErrorKind::IsADirectory).into());
        }
        // Opened even to be replaced: a user who may not write to a file must not replace it.
        match place.folder.write(&place.name) {
            Ok(file) if file.metadata()?.is_file() => Self::replace(place, Some(file)),
            Ok(file) => Ok(Self::Direct(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Self::replace(place, None),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates the replacement for this open file, or for none.
    fn replace(place: Place, original: Option<File>) -> Result<Self, Refusal> {
        let draft = Some(draft(&place, original.as_ref())?);
        Ok(Self::Replace(Replacement { draft, place, original, same: None }))
    }
}

/// Creates a temporary file for this place, where this open file is, or none.
fn draft(place: &Place, original: Option<&File>) -> Result<(File, Draft), Refusal> {
    let is_beside = original.is_some();
    let made = Draft::make(&place.folder, |name| place.folder.create(name, is_beside));
    let (temporary, draft) = made.map_err(|source| Refusal { source, is_beside })?;
    if let Some(original) = original {
        take_over(&temporary, original)?;
    }
    Ok((temporary, draft))
}

/// Gives a new file the owner and group of the file that it will replace, as far as this user may, and its
/// permissions. Permissions of the old owner or group are not passed on to others. The set-user-ID, set-group-ID and
/// sticky bits are dropped, so that nobody can run the new text as another user.
fn take_over(file: &File, original: &File) -> io::Result<()> {
    let original = original.metadata()?;
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut permissions = original.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let mut mode = original.mode() & 0o777;
        // Done before setting the mode, which would admit the wrong users until then.
        if fchown(file, Some(original.uid()), Some(original.gid())).is_err()
            && fchown(file, None, Some(original.gid())).is_err()
        {
            // The group is a different one: it gets the permissions of everybody.
            mode = mode & !0o070 | (mode & 0o007) << 3;
        }
        permissions.set_mode(mode);
    }
    file.set_permissions(permissions)
}

/// Where the symbolic links of an output's name lead.
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

/// The path of a file, with links in its directory resolved; the file itself may be a link.
pub fn own_name(path: &Path) -> io::Result<PathBuf> {
    let file_name = path.file_name().filter(|_| !is_directory_name(path)).ok_or(ErrorKind::IsADirectory)?;
    let directory = path.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(directory)?.join(file_name))
}

/// Follows symbolic links to the file itself, existing or not: a link must lead to the new file, not be replaced by
/// it.
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

#[cfg(test)]
pub mod tests {
    use std::cell::RefCell;

    type Intruder = Box<dyn FnMut(&str)>;

    thread_local! {
        /// What to do at each moment.
        pub static INTRUDER: RefCell<Option<Intruder>> = const { RefCell::new(None) };
    }
}
