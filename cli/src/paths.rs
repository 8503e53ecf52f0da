//! Finds the files that the arguments name, and the files in directories.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::error::Error;
use crate::name::Name;

/// The files to read.
#[derive(Args)]
pub struct Selection {
    /// The files and directories to read; `-` is the standard input
    #[arg(value_name = "PATH", default_value = "-")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    search: Search,
}

/// Which files in directories to read.
#[derive(Args)]
pub struct Search {
    /// In directories, read only files that match this pattern (as in .gitignore), or that do not match `!PATTERN`
    #[arg(short, long, value_name = "PATTERN", help_heading = "Directories")]
    glob: Vec<String>,

    /// Skip files listed in .gitignore, .ignore and git's other exclude files, and .git itself
    #[arg(long, help_heading = "Directories")]
    gitignore: bool,

    /// Skip files and directories whose names start with a dot
    #[arg(long, help_heading = "Directories")]
    no_hidden: bool,

    /// Follow symbolic links in directories; a link given as PATH is always followed
    #[arg(short = 'L', long, help_heading = "Directories")]
    follow: bool,
}

/// A file that was found, or an error.
pub enum Found {
    /// A file, or `-`; and whether it is named itself, and not only a directory that contains it.
    File(PathBuf, bool),
    /// An entry in a directory that cannot be read.
    Unreadable(PathBuf, Error),
    /// A link to a directory that contains it, which is skipped: no files are missing.
    Loop(Error),
}

impl Selection {
    /// Returns the total number of bytes, if it is known: all files are named, and regular files.
    pub fn total(&self) -> Option<u64> {
        let len = |path: &PathBuf| path.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
        self.paths.iter().map(len).sum()
    }

    /// Returns the files in order: that of the arguments, and in directories that of their names' bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Pattern`] if a pattern is malformed.
    pub fn files(&self) -> Result<impl Iterator<Item = Found> + Send + '_, Error> {
        let patterns = self.search.patterns()?;
        Ok(self.paths.iter().flat_map(move |path| {
            let (one, many) = if path != Path::new("-") && path.is_dir() {
                (None, Some(self.search.walk(path, &patterns, None)))
            } else {
                (Some(Found::File(path.clone(), true)), None)
            };
            one.into_iter().chain(many.into_iter().flatten())
        }))
    }
}

impl Search {
    /// Returns the files in a directory, ordered by name, except those in the directory `but`.
    ///
    /// # Errors
    ///
    /// [`Error::Pattern`] if a pattern is malformed.
    pub fn files(&self, directory: &Path, but: &Path) -> Result<impl Iterator<Item = Found>, Error> {
        Ok(self.walk(directory, &self.patterns()?, fs::canonicalize(but).ok()))
    }

    /// The patterns of `--glob`, which are relative to the current directory.
    fn patterns(&self) -> Result<Override, Error> {
        let mut patterns = OverrideBuilder::new("");
        for pattern in &self.glob {
            patterns.add(pattern).map_err(|error| Error::Pattern(error.to_string()))?;
        }
        patterns.build().map_err(|error| Error::Pattern(error.to_string()))
    }

    /// Walks a directory.
    fn walk(
        &self,
        directory: &Path,
        patterns: &Override,
        but: Option<PathBuf>,
    ) -> impl Iterator<Item = Found> + Send + use<> {
        let mut walk = WalkBuilder::new(directory);
        walk.standard_filters(false)
            .hidden(self.no_hidden)
            .follow_links(self.follow)
            .overrides(patterns.clone())
            .sort_by_file_name(Ord::cmp);
        if self.gitignore {
            walk.parents(true).ignore(true).git_ignore(true).git_global(true).git_exclude(true).require_git(false);
        }
        let gitignore = self.gitignore;
        walk.filter_entry(move |entry| {
            let is_git = gitignore && entry.file_name() == ".git";
            let is_directory = entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_left_out = || but.is_some() && is_directory && fs::canonicalize(entry.path()).ok() == but;
            !is_git && !is_left_out()
        });
        walk.build().filter_map(found)
    }
}

/// The result for an entry of a directory. Devices, pipes and links that are not followed are skipped.
fn found(entry: Result<DirEntry, ignore::Error>) -> Option<Found> {
    match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            is_file.then(|| Found::File(entry.into_path(), false))
        }
        Err(error) => Some(failure(error)),
    }
}

/// The result for an error.
fn failure(error: ignore::Error) -> Found {
    let mut error = error;
    let mut path = None;
    loop {
        error = match error {
            ignore::Error::WithPath { path: of, err } => {
                path = Some(of);
                *err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => *err,
            ignore::Error::Loop { ancestor, child } => {
                return Found::Loop(Error::Loop { link: Name::of(&child), directory: Name::of(&ancestor) });
            }
            error => {
                let path = path.unwrap_or_default();
                let name = Name::of(&path);
                let source = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                return Found::Unreadable(path, Error::Io { name, source: inner(source) });
            }
        }
    }
}

/// The error of the system. The walk wraps it in a message that includes the name.
fn inner(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|error| error.source()?.downcast_ref::<io::Error>()?.raw_os_error());
    inner.map_or(error, io::Error::from_raw_os_error)
}
