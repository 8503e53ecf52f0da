//! What can go wrong, how it is told to the user, and the exit statuses.

use std::io;

use crate::text::Position;

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
    /// The input is not what it was said to be.
    #[error("{name}: invalid at byte {}, line {}, column {}: {reason}", at.byte, at.line, at.column)]
    Invalid {
        /// The name of the input.
        name: String,
        /// Where its first ill-formed sequence starts.
        at: Position,
        /// What is wrong, and the bytes or the code unit in question.
        reason: String,
    },
    /// A file could not be opened, read, written or put in its place.
    #[error("{name}: {source}")]
    Io {
        /// The name of the file.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// Whoever read the standard output wants no more of it.
    #[error("<stdout>: closed")]
    StdoutClosed,
}

impl Error {
    /// Returns the exit status of a command that fails with this error.
    pub fn status(&self) -> Status {
        match self {
            Self::Invalid { .. } => Status::Invalid,
            Self::Io { .. } => Status::Failure,
            Self::StdoutClosed => Status::Success,
        }
    }

    /// Prints the error to the standard error, unless it is one to be quiet about.
    pub fn report(&self) {
        if !matches!(self, Self::StdoutClosed) {
            // If even the standard error is closed there is nobody left to tell.
            let _ = io::Write::write_all(&mut io::stderr(), format!("fastutf: {self}\n").as_bytes());
        }
    }
}
