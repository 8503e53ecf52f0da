//! `fastutf completions` and `fastutf man`: what a package of the program has beside it.

use std::iter;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::convert::make_folder;
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
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let Some(directory) = &self.output_dir else {
            Output::stdout().write(&page(&Page::new(command)))?;
            return Ok(Status::Success);
        };
        let folder = make_folder(directory)?;
        for command in iter::once(&command).chain(command.get_subcommands()) {
            let man = Page::new(command.clone());
            let mut output = Output::below(&folder, directory, man.get_filename().as_ref())?;
            output.write(&page(&man))?;
            output.finish(None, None)?;
        }
        Ok(Status::Success)
    }
}

/// The text of a page, its indented lines as they are.
fn page(man: &Page) -> Vec<u8> {
    let mut text = Vec::new();
    man.render(&mut text).expect("memory takes it");
    let mut page = Vec::with_capacity(text.len());
    let mut was_indented = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_indented = line.starts_with(b"    ");
        if is_indented != was_indented {
            page.extend(if is_indented { b".nf\n" } else { b".fi\n" });
        }
        page.extend(line);
        was_indented = is_indented;
    }
    page
}
