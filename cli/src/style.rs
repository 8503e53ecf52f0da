//! Colours: on a terminal that has them, unless `NO_COLOR` says no; elsewhere only if `CLICOLOR_FORCE` says so.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// What parts of a message look like. `{style}text{style:#}` is plain text where there are no colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    /// What is wrong.
    pub error: Style,
    /// What is right.
    pub good: Style,
    /// What to look at first: names, places, numbers.
    pub strong: Style,
    /// What to do next.
    pub hint: Style,
    /// What is there for completeness.
    pub faint: Style,
}

impl Styles {
    /// Returns those for the standard output.
    pub fn stdout() -> Self {
        Self::of(AutoStream::choice(&io::stdout()))
    }

    /// Returns those for the standard error.
    pub fn stderr() -> Self {
        Self::of(AutoStream::choice(&io::stderr()))
    }

    fn of(choice: ColorChoice) -> Self {
        if choice == ColorChoice::Never {
            return Self::default();
        }
        Self {
            error: AnsiColor::Red.on_default().bold(),
            good: AnsiColor::Green.on_default(),
            strong: Style::new().bold(),
            hint: AnsiColor::Yellow.on_default(),
            faint: Style::new().dimmed(),
        }
    }
}
