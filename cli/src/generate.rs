//! `fastutf completions` and `fastutf man`: files that a package of the program installs beside it.

use std::iter;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, bold, roman};

use crate::convert::make_folder;
use crate::error::{Error, Status};
use crate::output::Output;

/// Print a shell completion script
///
///     bash:       fastutf completions bash > ~/.local/share/bash-completion/completions/fastutf
///     zsh:        fastutf completions zsh > DIR/_fastutf       with DIR in $fpath
///     fish:       fastutf completions fish > ~/.config/fish/completions/fastutf.fish
///     elvish:     eval (fastutf completions elvish | slurp)
///     powershell: fastutf completions powershell | Out-String | Invoke-Expression
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell to print it for
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

/// Print the manual page, or write the pages of all subcommands
///
/// To read it: fastutf man | man -l -
#[derive(Args)]
pub struct Man {
    /// Write fastutf.1, fastutf-convert.1 and so on to this directory, which is created if missing
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
        // Here, the page replaces the subcommand `help`.
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let Some(directory) = &self.output_dir else {
            Output::stdout().write(&page(&command))?;
            return Ok(Status::Success);
        };
        let folder = make_folder(directory)?;
        for command in iter::once(&command).chain(command.get_subcommands()) {
            let file_name = Page::new(command.clone()).get_filename();
            let mut output = Output::below(&folder, directory, file_name.as_ref())?;
            output.write(&page(command))?;
            output.finish(None, None)?;
        }
        Ok(Status::Success)
    }
}

/// The end of the page of one command: its exit statuses, and examples with explanations.
struct Ends {
    name: &'static str,
    statuses: [&'static str; 3],
    examples: &'static [(&'static str, &'static str)],
    see: &'static str,
}

const DONE: [&str; 3] = ["Success.", "", "Usage error, or the output cannot be written."];

/// The first is for the program itself.
const ENDS: [Ends; 7] = [
    Ends {
        name: "fastutf",
        statuses: [
            "Success, and all input is valid.",
            "Some input is invalid, or its encoding cannot be detected.",
            "Usage error, or a file cannot be read or written. With several files, this takes precedence over 1.",
        ],
        examples: &[
            ("fastutf check --gitignore .", "Check all files that git does not ignore."),
            ("fastutf convert -f utf-16 -t utf-8 notes.txt -o notes.utf8.txt", "Convert one file to another."),
        ],
        see: "file(1), iconv(1), utf-8(7)",
    },
    Ends {
        name: "convert",
        statuses: [
            "All inputs were converted.",
            "Some input is invalid, or its encoding cannot be detected. Its output file is unchanged.",
            "Usage error, or a file cannot be read or written. With several files, this takes precedence over 1.",
        ],
        examples: &[
            (
                "fastutf convert -f utf-16 -t utf-8 in.txt > out.txt",
                "Write to the standard output; the byte-order mark determines the byte order.",
            ),
            (
                "fastutf convert -f utf-16 --fallback le -t utf-8 in.txt -o out.txt",
                "The same for little-endian text without a byte-order mark.",
            ),
            (
                "fastutf convert -f detect -t utf-8 --in-place --backup .orig *.txt",
                "Convert in place, detect the encoding of each file, and keep the originals.",
            ),
            (
                "fastutf convert -f detect -t utf-8 -g '*.txt' texts --output-dir utf8",
                "Convert a directory tree to another one.",
            ),
            (
                "fastutf convert -f utf-8 -t utf-16le --bom add notes.txt -o windows.txt",
                "Write what Windows programs call Unicode.",
            ),
        ],
        see: "file(1), iconv(1), utf-8(7)",
    },
    Ends {
        name: "check",
        statuses: [
            "All files are valid.",
            "Some files are invalid, or their encoding cannot be detected.",
            "Usage error, or a file cannot be read. This takes precedence over 1.",
        ],
        examples: &[
            ("fastutf check --all notes.txt", "Report every error of a file, with the bytes around it."),
            ("fastutf check --quiet notes.txt && echo valid", "Use the exit status only."),
            (
                "fastutf check --gitignore --summary .",
                "Check a directory tree, except for binary files and what git ignores.",
            ),
            ("fastutf check --encoding detect --verbose texts", "Detect and report the encoding of each file."),
            (
                "fastutf check --format json . | jq -r 'select(.status == \"invalid\").path'",
                "Print JSON, for programs.",
            ),
        ],
        see: "file(1), iconv(1), utf-8(7)",
    },
    Ends {
        name: "stat",
        statuses: [
            "All files are valid.",
            "Some files are invalid, or their encoding cannot be detected.",
            "Usage error, or a file cannot be read. This takes precedence over 1.",
        ],
        examples: &[
            ("fastutf stat notes.txt", "Print statistics of a text."),
            ("fastutf stat --format json texts", "Print JSON, for programs."),
        ],
        see: "file(1), wc(1), utf-8(7)",
    },
    Ends {
        name: "isa",
        statuses: DONE,
        examples: &[
            ("fastutf isa", "List the instruction sets."),
            ("fastutf isa --bench --seconds 30", "Measure each of them."),
        ],
        see: "",
    },
    Ends {
        name: "completions",
        statuses: DONE,
        examples: &[(
            "fastutf completions bash > ~/.local/share/bash-completion/completions/fastutf",
            "Install completions for bash.",
        )],
        see: "",
    },
    Ends {
        name: "man",
        statuses: DONE,
        examples: &[
            ("fastutf man | man -l -", "Read the main page."),
            ("fastutf man --output-dir ~/.local/share/man/man1", "Install all pages."),
        ],
        see: "man(1)",
    },
];

impl Ends {
    /// Returns the entry for a command.
    fn of(command: &Command) -> &'static Self {
        ENDS.iter()
            .find(|ends| ends.name == command.get_name())
            .expect("every command has some, which a test knows")
    }

    /// Writes them as sections.
    fn sections(&self, text: &mut Roff) {
        text.control("SH", ["EXIT STATUS"]);
        for (number, meaning) in (0..).zip(self.statuses).filter(|(_, meaning)| !meaning.is_empty()) {
            text.control("TP", []).text([bold(number.to_string())]).text([roman(meaning)]);
        }
        text.control("SH", ["EXAMPLES"]);
        for (example, meaning) in self.examples {
            text.control("TP", []).text([bold(*example)]).text([roman(*meaning)]);
        }
        text.control("SH", ["SEE ALSO"]);
        let others = ENDS.iter().filter(|other| other.name != self.name).map(|other| match other.name {
            "fastutf" => "fastutf(1)".to_owned(),
            name => format!("fastutf-{name}(1)"),
        });
        let programs = self.see.split(", ").filter(|name| !name.is_empty()).map(str::to_owned);
        text.text([roman(others.chain(programs).collect::<Vec<_>>().join(", "))]);
    }
}

/// The page of a command, with its indented lines unchanged, and text between backticks in bold.
fn page(command: &Command) -> Vec<u8> {
    // The usage names the values, where a list of all options would not.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let mut text = Vec::new();
    Page::new(command.clone().override_usage(usage)).render(&mut text).expect("memory takes it");
    let mut sections = Roff::new();
    Ends::of(command).sections(&mut sections);
    let rest = sections.render();
    // The start has been written already.
    text.extend(rest[rest.find(".SH").expect("there are sections")..].bytes());
    let mut page = Vec::with_capacity(text.len());
    let mut was_indented = false;
    let mut is_bold = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_indented = line.starts_with(b"    ");
        if is_indented != was_indented {
            page.extend(if is_indented { b".nf\n" } else { b".fi\n" });
        }
        for &byte in line {
            if byte == b'`' {
                is_bold = !is_bold;
                page.extend(if is_bold { br"\fB" } else { br"\fR" });
            } else {
                page.push(byte);
            }
        }
        was_indented = is_indented;
    }
    page
}
