//! Progress on a terminal: a line that appears when a command takes long, and disappears when it is done.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt::{self, Cleanup};

/// How long a command works before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// The progress line, not shown if the standard error is no terminal. Dropping this removes it.
pub struct Progress {
    bar: ProgressBar,
    /// When work began, if the line may be shown at all.
    begun: Option<Instant>,
    /// Set while the line is shown.
    shown: OnceLock<Cleanup>,
}

impl Progress {
    /// Returns a line that shows how many bytes have been handled. `verb` is what is done with them (`checking`), and
    /// `total` their number, if it is known.
    pub fn new(verb: &str, total: Option<u64>) -> Self {
        // Powers of 1000, as in the summary.
        let template = match total {
            Some(_) => "{msg} {percent:>3} % [{wide_bar:.}] {decimal_bytes_per_sec}, {eta} left",
            None => "{msg} {decimal_bytes}, {decimal_bytes_per_sec}",
        };
        let style = ProgressStyle::with_template(template).expect("the templates are well-formed");
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            .with_style(style.progress_chars("=> "))
            .with_message(verb.to_owned());
        let is_able = io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|name| name != "dumb");
        Self { bar, begun: is_able.then(Instant::now), shown: OnceLock::new() }
    }

    /// Returns a line that is never shown.
    pub fn none() -> Self {
        Self { bar: ProgressBar::hidden(), begun: None, shown: OnceLock::new() }
    }

    /// Counts bytes that have been handled, in any thread.
    pub fn advance(&self, bytes: u64) {
        let Some(begun) = self.begun else { return };
        self.bar.inc(bytes);
        if self.shown.get().is_none() && begun.elapsed() >= PATIENCE {
            self.shown.get_or_init(|| {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.bar.tick();
                // Bypasses the bar, which the interrupted thread may have locked.
                let erase = || drop(io::stderr().write_all(b"\r\x1B[K"));
                interrupt::guard(|| Ok::<_, io::Error>(((), Box::new(erase)))).expect("nothing can fail").1
            });
        }
    }

    /// Runs `write`, which writes to the terminal, with the line hidden.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.shown.get().is_some() { self.bar.suspend(write) } else { write() }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
