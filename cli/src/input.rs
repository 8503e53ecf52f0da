//! Where bytes come from: a file or the standard input, with the name that messages give it.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use same_file::Handle;

use crate::error::Error;

/// What messages call the standard input.
const STDIN: &str = "<stdin>";

/// An open input.
pub struct Input {
    name: String,
    reader: Box<dyn Read>,
    /// What tells whether another file is the same, if the system says.
    handle: Option<Handle>,
}

impl Input {
    /// Returns an input that reads from `reader`.
    pub fn new(name: String, reader: impl Read + 'static) -> Self {
        Self { name, reader: Box::new(reader), handle: None }
    }

    /// Opens a file, or the standard input for `-`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            let handle = Handle::stdin().ok();
            return Ok(Self { handle, ..Self::new(STDIN.into(), io::stdin().lock()) });
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => {
                let handle = file.try_clone().and_then(Handle::from_file).ok();
                Ok(Self { handle, ..Self::new(name, file) })
            }
            Err(source) => Err(Error::Io { name, source }),
        }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether this is a regular file, and the same as `other`.
    pub fn is_same_file(&self, other: &Handle) -> bool {
        self.handle.as_ref().is_some_and(|handle| {
            handle == other && handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
        })
    }

    /// Returns the file and its length, if it is a regular one that was opened by its name. Who reads elsewhere in it
    /// does not disturb [`read`](Self::read).
    pub fn as_file(&self) -> Option<(&File, u64)> {
        if self.name == STDIN {
            return None;
        }
        let file = self.handle.as_ref()?.as_file();
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }

    /// Reads what is there, up to the length of `buffer`; 0 bytes only at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if it cannot be read.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::Io { name: self.name.clone(), source }),
                Ok(read) => return Ok(read),
            }
        }
    }
}
