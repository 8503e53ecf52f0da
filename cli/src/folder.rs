//! Open directories. Operations in one use the open directory and the last part of a name, and follow no symbolic
//! link, so renaming something meanwhile cannot lead them elsewhere. Where the system has no such calls (Windows),
//! they use whole names, and a link is rejected when it is seen.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// An open directory.
#[derive(Debug)]
pub struct Folder(system::Folder);

/// What a name stands for, and its state: two are equal if nobody has replaced or changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    kind: Kind,
    len: u64,
    state: system::State,
}

/// The kinds of directory entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Link,
    Other,
}

impl Status {
    /// Returns the status of an open file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(Self::new(&file.metadata()?))
    }

    fn new(metadata: &Metadata) -> Self {
        let kind = match metadata.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Directory,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        };
        Self { kind, len: metadata.len(), state: system::state(metadata) }
    }

    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }

    /// Returns whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.kind == Kind::Directory
    }

    /// Returns whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.kind == Kind::Link
    }
}

/// All of these fail with the error of the system.
#[allow(clippy::missing_errors_doc)]
impl Folder {
    /// Opens the directory with this name, following links.
    pub fn open(path: &Path) -> io::Result<Self> {
        system::Folder::open(path).map(Self)
    }

    /// Opens the directory of this name in this one, which must not be a link.
    pub fn below(&self, name: &OsStr) -> io::Result<Self> {
        self.0.below(name).map(Self)
    }

    /// Creates a directory of this name.
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        self.0.make(name)
    }

    /// Opens a file for reading. Does not wait for the other end of a pipe.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        self.0.read(name)
    }

    /// Opens an existing file for writing.
    pub fn write(&self, name: &OsStr) -> io::Result<File> {
        self.0.write(name)
    }

    /// Creates a new file, readable only by this user or with the usual permissions.
    pub fn create(&self, name: &OsStr, is_private: bool) -> io::Result<File> {
        self.0.create(name, is_private)
    }

    /// Returns the status of the entry with this name.
    pub fn status(&self, name: &OsStr) -> io::Result<Status> {
        self.0.status(name)
    }

    /// Gives a file a second name.
    pub fn link(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        self.0.link(name, other)
    }

    /// Renames a file, replacing any entry with the new name.
    pub fn rename(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        self.0.rename(name, other)
    }

    /// Removes a file.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove(name)
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};

    use super::{Kind, Status};

    #[derive(Debug)]
    pub struct Folder(OwnedFd);

    /// Device, inode, and modification time.
    pub type State = (u64, u64, i64, i64);

    pub fn state(metadata: &Metadata) -> State {
        (metadata.dev(), metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
    }

    // Passing through a directory needs no permission to list it, where the system has a way to say so.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const DIRECTORY: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    impl Folder {
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(fs::open(path, DIRECTORY, Mode::empty())?))
        }

        pub fn below(&self, name: &OsStr) -> io::Result<Self> {
            Ok(Self(fs::openat(&self.0, name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?))
        }

        pub fn make(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
        }

        pub fn read(&self, name: &OsStr) -> io::Result<File> {
            self.file(name, OFlags::RDONLY | OFlags::NONBLOCK, 0)
        }

        pub fn write(&self, name: &OsStr) -> io::Result<File> {
            self.file(name, OFlags::WRONLY, 0)
        }

        pub fn create(&self, name: &OsStr, is_private: bool) -> io::Result<File> {
            // The umask is subtracted.
            let mode = if is_private { 0o600 } else { 0o666 };
            self.file(name, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL, mode)
        }

        fn file(&self, name: &OsStr, flags: OFlags, mode: u32) -> io::Result<File> {
            let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
            loop {
                match fs::openat(&self.0, name, flags, Mode::from_bits_truncate(mode as _)) {
                    // Opening a pipe can block for long.
                    Err(rustix::io::Errno::INTR) => {}
                    opened => return Ok(File::from(opened?)),
                }
            }
        }

        // The types of the fields differ by system.
        #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
        pub fn status(&self, name: &OsStr) -> io::Result<Status> {
            let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            let kind = match FileType::from_raw_mode(stat.st_mode as _) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Directory,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            };
            let state = (stat.st_dev as u64, stat.st_ino as u64, stat.st_mtime as i64, stat.st_mtime_nsec as i64);
            Ok(Status { kind, len: stat.st_size as u64, state })
        }

        pub fn link(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
            Ok(fs::linkat(&self.0, name, &self.0, other, AtFlags::empty())?)
        }

        pub fn rename(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
            Ok(fs::renameat(&self.0, name, &self.0, other)?)
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::time::SystemTime;

    use super::Status;

    #[derive(Debug)]
    pub struct Folder(PathBuf);

    /// The modification time.
    pub type State = Option<SystemTime>;

    pub fn state(metadata: &Metadata) -> State {
        metadata.modified().ok()
    }

    impl Folder {
        pub fn open(path: &Path) -> io::Result<Self> {
            let path = fs::canonicalize(path)?;
            if path.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
        }

        pub fn below(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.no_link(name)?;
            if path.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
        }

        pub fn make(&self, name: &OsStr) -> io::Result<()> {
            fs::create_dir(self.0.join(name))
        }

        pub fn read(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.no_link(name)?)
        }

        pub fn write(&self, name: &OsStr) -> io::Result<File> {
            File::options().write(true).open(self.no_link(name)?)
        }

        pub fn create(&self, name: &OsStr, _is_private: bool) -> io::Result<File> {
            File::options().write(true).create_new(true).open(self.0.join(name))
        }

        pub fn status(&self, name: &OsStr) -> io::Result<Status> {
            Ok(Status::new(&fs::symlink_metadata(self.0.join(name))?))
        }

        pub fn link(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
            fs::hard_link(self.0.join(name), self.0.join(other))
        }

        pub fn rename(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(name), self.0.join(other))
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }

        fn no_link(&self, name: &OsStr) -> io::Result<PathBuf> {
            let path = self.0.join(name);
            if fs::symlink_metadata(&path)?.is_symlink() {
                return Err(io::Error::other("is a symbolic link"));
            }
            Ok(path)
        }
    }
}
