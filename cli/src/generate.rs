//! `fastutf completions` and `fastutf man`: what a package of the program has beside it.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::error::{Error, Status};
use crate::output::Output;

/// Print a script that completes the arguments of fastutf in a shell
///
///     bash:       fastutf completions bash > ~/.local/share/bash-completion/completions/fastutf
///     zsh:        fastutf completions zsh > DIR/_fastutf       with DIR in $fpath
///     fish:       fastutf completions fish > ~/.config/fish/completions/fastutf.fish
///     elvish:     eval (fastutf completions elvish | slurp)
///     powershell: fastutf completions powershell | Out-String | Invoke-Expression
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell that is to read it
    shell: Shell,
}

impl Completions {
    /// Prints the script for the program with this command line.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the standard output cannot be written.
    pub fn run(&self, mut command: Command) -> Result<Status, Error> {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Output::stdout().write(&script)?;
        Ok(Status::Success)
    }
}

/// Print the manual page, or write those of all subcommands
///
/// To read it: fastutf man | man -l -
#[derive(Args)]
pub struct Man {
    /// Write fastutf.1, fastutf-convert.1 and so on to this directory; made if it is not there
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages for the program with this command line.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] or [`Error::Create`] if they cannot be written.
    pub fn run(&self, command: Command) -> Result<Status, Error> {
        // What is a page here is help there.
        let command = command.disable_help_subcommand(true);
        let Some(directory) = &self.output_dir else {
            let page = render(command).map_err(|source| Error::Io { name: "<stdout>".into(), source })?;
            Output::stdout().write(&page)?;
            return Ok(Status::Success);
        };
        let outcome = fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory));
        outcome.map_err(|source| Error::Create { name: directory.display().to_string(), source })?;
        Ok(Status::Success)
    }
}

/// The page of a command.
fn render(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
