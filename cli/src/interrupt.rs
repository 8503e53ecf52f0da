//! Cleanup before the program ends by a signal: removes temporary files and the progress line.

use std::collections::BTreeMap;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// An action to do before the program ends by a signal.
pub type Action = Box<dyn FnOnce() + Send>;

/// The actions not yet dropped, by number.
static ACTIONS: Mutex<BTreeMap<u64, Action>> = Mutex::new(BTreeMap::new());

/// A registered action; dropping this unregisters it.
pub struct Cleanup(u64);

/// Makes something, and registers the action to take if the program is interrupted. No interruption comes in between.
///
/// # Errors
///
/// Those of `make`.
pub fn guard<T, E>(make: impl FnOnce() -> Result<(T, Action), E>) -> Result<(T, Cleanup), E> {
    static WATCH: Once = Once::new();
    // The program works without a watch as well; it then leaves behind what a crash would leave.
    WATCH.call_once(|| drop(watch()));
    let mut actions = lock();
    let (made, action) = make()?;
    let number = actions.last_key_value().map_or(0, |(last, _)| last + 1);
    actions.insert(number, action);
    Ok((made, Cleanup(number)))
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        lock().remove(&self.0);
    }
}

/// Locks the actions.
fn lock() -> MutexGuard<'static, BTreeMap<u64, Action>> {
    // They are consistent even if a thread has panicked meanwhile.
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the registered actions, and then `end`s the program before anything else can be registered.
fn clean_up(end: impl FnOnce()) {
    let mut actions = lock();
    while let Some((_, action)) = actions.pop_first() {
        action();
    }
    end();
}

/// Waits for signals, in a thread of its own. The program then ends by the signal, as it would without this, so its
/// parent, such as a loop in a shell, sees that it was interrupted.
#[cfg(unix)]
fn watch() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::low_level::emulate_default_handler;

    // Makes exceeding the file size limit an error, like a full disk.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let ignored = ignored();
    let signals =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    let wait = move || {
        for signal in signals.forever() {
            clean_up(|| drop(emulate_default_handler(signal)));
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

/// The signals that this program was started to ignore, as by `nohup`: bit 0 is signal 1. Only Linux reports them.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn watch() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| clean_up(|| std::process::exit(130)))
}
