//! What can go wrong, how it is reported to the user, and the exit statuses.

use std::io;
use std::path::Path;

use crate::name::{Name, escape};
use crate::position::Position;
use crate::style::Styles;

/// An exit status of the program; a worse one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Everything was done and all input was valid.
    Success = 0,
    /// Some input was invalid.
    Invalid = 1,
    /// A usage or I/O error.
    Failure = 2,
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is not what the user claimed.
    #[error("{name}: invalid at byte {}, line {}, column {}: {reason}", at.byte, at.line, at.column)]
    Invalid {
        /// The name of the input.
        name: Name,
        /// Where its first ill-formed sequence starts.
        at: Position,
        /// What is wrong, and the bytes or the code unit in question.
        reason: String,
    },
    /// The encoding of the input must be guessed and cannot be, or the input does not look like what the user
    /// claimed.
    #[error("{name}: {doubt}")]
    Doubt {
        /// The name of the input.
        name: Name,
        /// What is in doubt, and why.
        doubt: String,
        /// Whether it does not look like text.
        is_binary: bool,
    },
    /// A file could not be opened, read, written or put in its place.
    #[error("{name}: {}", reason(source))]
    Io {
        /// The name of the file.
        name: Name,
        /// The error of the system.
        source: io::Error,
    },
    /// A new file could not be created.
    #[error("cannot create {name}: {}", reason(source))]
    Create {
        /// The name of the file.
        name: Name,
        /// The error of the system.
        source: io::Error,
    },
    /// The temporary file that would replace another could not be created.
    #[error("{name}: cannot create a temporary file next to it: {}", reason(source))]
    Beside {
        /// The name of the existing file.
        name: Name,
        /// The error of the system.
        source: io::Error,
    },
    /// The name of an output can only be that of a directory, which does not exist.
    #[error("{name}: no such directory")]
    NoDirectory {
        /// The name, such as `folder/`.
        name: Name,
    },
    /// A symbolic link is in a place where none is followed.
    #[error(
        "{name}: is a symbolic link, which `--output-dir` does not follow: remove it, or give the directory that it points to"
    )]
    Link {
        /// The name of the link.
        name: Name,
    },
    /// An input cannot be converted in place.
    #[error("{name}: is not a regular file; use `-o` to convert it to another file")]
    NotAFile {
        /// The name of the input.
        name: Name,
    },
    /// An input was changed while it was being read.
    #[error("{name}: changed while it was being read; convert it again")]
    Changed {
        /// The name of the input.
        name: Name,
    },
    /// The output would be read again, without end.
    #[error("{input}: is both the input and {output}; use -o {in_place} to convert in place")]
    SameFile {
        /// The name of the input.
        input: Name,
        /// What to call the output.
        output: String,
        /// The file's name, as far as it is known.
        in_place: String,
    },
    /// A pattern for file names is malformed.
    #[error("--glob: {0}")]
    Pattern(String),
    /// A symbolic link leads back to a directory that it is in.
    #[error("{link}: leads back to {directory}; skipped")]
    Loop {
        /// The name of the link.
        link: Name,
        /// The name of the directory.
        directory: Name,
    },
    /// Another error, and what the user can do about it.
    #[error("{error}; {hint}")]
    Hinted {
        /// The error.
        error: Box<Self>,
        /// The advice.
        hint: String,
    },
    /// The reader of the standard output has closed it.
    #[error("<stdout>: closed")]
    StdoutClosed,
}

impl Error {
    /// Returns the same error with some advice.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self::Hinted { error: Box::new(self), hint: hint.into() }
    }

    /// Returns the exit status of a command that fails with this error.
    pub fn status(&self) -> Status {
        match self {
            Self::Invalid { .. } | Self::Doubt { .. } => Status::Invalid,
            Self::Io { .. }
            | Self::Create { .. }
            | Self::Beside { .. }
            | Self::NoDirectory { .. }
            | Self::Link { .. }
            | Self::NotAFile { .. }
            | Self::Changed { .. }
            | Self::SameFile { .. }
            | Self::Pattern(_) => Status::Failure,
            Self::Hinted { error, .. } => error.status(),
            Self::StdoutClosed | Self::Loop { .. } => Status::Success,
        }
    }

    /// Returns whether this is about an input that does not look like text.
    pub fn is_binary(&self) -> bool {
        match self {
            Self::Doubt { is_binary, .. } => *is_binary,
            Self::Hinted { error, .. } => error.is_binary(),
            _ => false,
        }
    }

    /// Prints the error to the standard error, unless it is one to keep quiet about.
    pub fn report(&self) {
        let mut message = Vec::new();
        self.report_to(&mut message);
        // If even the standard error is closed, the error cannot be reported.
        let _ = io::Write::write_all(&mut io::stderr(), &message);
    }

    /// Appends to a report what [`report`](Self::report) prints.
    pub fn report_to(&self, message: &mut Vec<u8>) {
        let Styles { error: red, hint: yellow, .. } = Styles::stderr();
        let text = match self {
            Self::StdoutClosed => return,
            Self::Hinted { error, hint } => {
                format!("{}; {yellow}{}{yellow:#}", escape(&error.to_string()), escape(hint))
            }
            // This also escapes messages of the system and patterns.
            _ => escape(&self.to_string()),
        };
        message.extend(format!("{red}fastutf:{red:#} {text}\n").bytes());
    }

    /// Returns the message of the system, or the whole message if there is none.
    pub fn reason(&self) -> String {
        match self {
            Self::Doubt { doubt, .. } => doubt.clone(),
            Self::Hinted { error, .. } if matches!(**error, Self::Doubt { .. }) => error.reason(),
            Self::Io { source, .. } | Self::Create { source, .. } | Self::Beside { source, .. } => reason(source),
            _ => self.to_string(),
        }
    }
}

/// Reports that a path is a directory, where the system only says that it cannot be opened or replaced.
pub fn or_directory(path: &Path, source: io::Error) -> io::Error {
    if cfg!(windows) && path.is_dir() { io::ErrorKind::IsADirectory.into() } else { source }
}

/// The message of the system without numbers: `Permission denied`. Common mistakes have the same message on every
/// system.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => return "is a directory".into(),
        io::ErrorKind::NotFound => return "No such file or directory".into(),
        _ => {}
    }
    let text = error.to_string();
    // The number can be followed by the name of a temporary file, which tells the user nothing.
    text.split(" (os error ").next().unwrap_or_default().into()
}
