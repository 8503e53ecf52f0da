//! Inputs: a file or the standard input, with the name that messages use.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, StdinLock};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::Path;

use same_file::Handle;

use crate::error::{Error, or_directory};
use crate::folder::Status;
use crate::name::Name;
use crate::streams::{self, Stream};

/// An open input.
pub struct Input {
    name: Name,
    source: Source,
}

/// Where an input is read from.
enum Source {
    /// An open file of any kind, with its length if it is a regular one.
    File(File, Option<u64>),
    /// The standard input, locked, and as a file if possible.
    Stdin(StdinLock<'static>, Option<File>),
    #[cfg(test)]
    Reader(Box<dyn Read>),
}

impl Input {
    /// Returns an input that reads from `reader`.
    #[cfg(test)]
    pub fn new(name: Name, reader: impl Read + 'static) -> Self {
        Self { name, source: Source::Reader(Box::new(reader)) }
    }

    /// Opens a file, or the standard input for `-`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = Name::of(path);
        let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
        if names.iter().any(|&name| path == Path::new(name)) {
            streams::open(Stream::In).map_err(|source| Error::Io { name: name.clone(), source })?;
        }
        if path == Path::new("-") {
            // Std's `Stdin` reports the end if there is nothing to read from.
            #[cfg(unix)]
            let file = io::stdin().as_fd().try_clone_to_owned().ok().map(File::from);
            #[cfg(not(unix))]
            let file = None;
            return Ok(Self { name, source: Source::Stdin(io::stdin().lock(), file) });
        }
        match File::open(path) {
            Ok(file) => Ok(Self::of(name, file)),
            Err(source) => Err(Error::Io { name, source: or_directory(path, source) }),
        }
    }

    /// Returns an input that reads from an open file.
    pub fn of(name: Name, file: File) -> Self {
        let len = file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
        Self { name, source: Source::File(file, len) }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Returns whether this is a regular file that was opened by its name, and so is read from its start.
    pub fn is_file(&self) -> bool {
        self.as_file().is_some()
    }

    /// Returns a regular file that was opened by its name, and its length at that time. Reading elsewhere in it does
    /// not disturb [`read`](Self::read).
    pub fn as_file(&self) -> Option<(&File, u64)> {
        match &self.source {
            Source::File(file, len) => len.map(|len| (file, len)),
            _ => None,
        }
    }

    /// Returns the file as [`as_file`](Self::as_file) does, unless it has holes. When holes are read through a
    /// mapping, the system fills them in memory, or in a file system in memory.
    pub fn as_dense_file(&self) -> Option<(&File, u64)> {
        self.as_file().filter(|(file, len)| !has_holes(file, *len))
    }

    /// Returns whether this is a regular file, and the same as `other`.
    pub fn is_same_file(&self, other: &Handle) -> bool {
        let handle = match &self.source {
            Source::File(file, _) => file.try_clone().and_then(Handle::from_file),
            Source::Stdin(..) => Handle::stdin(),
            #[cfg(test)]
            Source::Reader(_) => return false,
        };
        handle.is_ok_and(|handle| {
            handle == *other && handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
        })
    }

    /// Returns the current status of a regular file.
    pub fn status(&self) -> Option<Status> {
        Status::of(self.as_file()?.0).ok()
    }

    /// Returns whether this is a regular file that has become shorter since it was opened.
    pub fn has_shrunk(&self) -> bool {
        self.as_file().is_some_and(|(file, len)| file.metadata().is_ok_and(|now| now.len() < len))
    }

    /// Reads what is available, up to the length of `buffer`; returns 0 only at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            let outcome = match &mut self.source {
                Source::File(file, _) => file.read(buffer),
                Source::Stdin(_, Some(file)) => file.read(buffer),
                Source::Stdin(stdin, None) => stdin.read(buffer),
                #[cfg(test)]
                Source::Reader(reader) => reader.read(buffer),
            };
            match outcome {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(self.error(source)),
                Ok(read) => return Ok(read),
            }
        }
    }

    /// Continues at this offset of a regular file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if that is impossible.
    pub fn seek(&mut self, offset: u64) -> Result<(), Error> {
        let outcome = match &mut self.source {
            Source::File(file, _) => file.seek(SeekFrom::Start(offset)),
            _ => Err(ErrorKind::NotSeekable.into()),
        };
        outcome.map(drop).map_err(|source| self.error(source))
    }

    /// Returns an error of the system as an error with the name of this input.
    pub fn error(&self, source: io::Error) -> Error {
        Error::Io { name: self.name.clone(), source }
    }
}

/// Whether a file takes less room than it has bytes.
fn has_holes(file: &File, len: u64) -> bool {
    #[cfg(unix)]
    if let Ok(metadata) = file.metadata() {
        return std::os::unix::fs::MetadataExt::blocks(&metadata) * 512 < len;
    }
    let _ = (file, len);
    false
}
