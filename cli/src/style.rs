//! Colours: used on a terminal that has them, unless `NO_COLOR` is set, and elsewhere only if `CLICOLOR_FORCE` is
//! set.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of the parts of a message. `{style}text{style:#}` is plain text if there are no colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    /// Errors.
    pub error: Style,
    /// Success.
    pub good: Style,
    /// What to look at first: names, places, numbers.
    pub strong: Style,
    /// Advice.
    pub hint: Style,
    /// Details.
    pub faint: Style,
}

impl Styles {
    /// Returns the styles for the standard output.
    pub fn stdout() -> Self {
        Self::of(AutoStream::choice(&io::stdout()))
    }

    /// Returns the styles for the standard error.
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
