//! Runs work in several threads, and reports it as if the items were done one after the other.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

use crate::error::Error;
use crate::name::Name;
use crate::output;
use crate::progress::Progress;

/// How far the work may run ahead of what has been reported, in items.
const AHEAD: u64 = 512;

/// How many bytes of its report an item may hold back until its turn.
const HELD: usize = 32 << 10;

/// The report of an item.
#[derive(Default)]
struct Report {
    /// For the standard output.
    out: Vec<u8>,
    /// For the standard error, after that.
    err: Vec<u8>,
}

/// The state of the order.
struct State {
    /// The number of the first item that is not completely reported.
    turn: u64,
    /// The reports of later items that are done.
    done: BTreeMap<u64, Report>,
    /// Why the standard output takes no more, if it does not.
    failure: Option<Error>,
}

/// The threads, and the order in which they report.
pub struct Order<'a> {
    state: Mutex<State>,
    moved: Condvar,
    progress: &'a Progress,
    threads: usize,
    busy: AtomicUsize,
    stopped: AtomicBool,
}

/// The place of an item in the order, and its report.
pub struct Place<'a> {
    order: &'a Order<'a>,
    number: u64,
    report: Report,
}

impl<'a> Order<'a> {
    /// Returns an order for this many threads. While it writes, the progress line is hidden.
    pub fn new(threads: usize, progress: &'a Progress) -> Self {
        let state = State { turn: 0, done: BTreeMap::new(), failure: None };
        let (busy, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        Self { state: Mutex::new(state), moved: Condvar::new(), progress, threads, busy, stopped }
    }

    /// Calls `work` for each of the items, until it returns false or the standard output cannot be written. Each
    /// thread has its own `W`.
    ///
    /// # Errors
    ///
    /// The error of the standard output. If it is closed, `work` must notice.
    pub fn run<I: Send, W: Default>(
        &'a self,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(I, &mut W, &mut Place<'a>) -> bool + Sync,
    ) -> Result<(), Error> {
        let items = Mutex::new(items.zip(0..));
        let work_on = || {
            let mut own = W::default();
            while !self.stopped.load(Ordering::Relaxed) {
                let next = {
                    let mut items = items.lock().expect("nobody panics");
                    let next = items.next();
                    // The items stay locked, so that threads that come later are later in the order, too.
                    if let Some((_, number)) = next {
                        drop(self.wait(|state| number < state.turn + AHEAD));
                    }
                    next
                };
                let Some((item, number)) = next else { break };
                self.busy.fetch_add(1, Ordering::Relaxed);
                let mut place = Place { order: self, number, report: Report::default() };
                let goes_on = work(item, &mut own, &mut place);
                drop(place);
                if !goes_on || self.has_failed() {
                    self.stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                // If no more threads can be started, the existing ones do the work.
                drop(thread::Builder::new().spawn_scoped(scope, work_on));
            }
            work_on();
        });
        match self.lock().failure.take() {
            None | Some(Error::StdoutClosed) => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Returns how many threads an item may use now, itself included.
    pub fn threads_for_one(&self) -> usize {
        (self.threads + 1).saturating_sub(self.busy.load(Ordering::Relaxed)).max(1)
    }

    /// Returns whether the standard output takes no more, because it is closed or full.
    pub fn is_closed(&self) -> bool {
        self.lock().failure.is_some()
    }

    fn has_failed(&self) -> bool {
        self.lock().failure.as_ref().is_some_and(|error| !matches!(error, Error::StdoutClosed))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics")
    }

    fn wait(&self, until: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        self.moved.wait_while(self.lock(), |state| !until(state)).expect("nobody panics")
    }

    /// Writes and empties a report.
    fn write(&self, state: &mut State, report: &mut Report) {
        if report.out.is_empty() && report.err.is_empty() {
            return;
        }
        self.progress.suspend(|| {
            if state.failure.is_none() {
                let mut stdout = output::stdout();
                // Flushed, since a later error of the standard output's own buffer would be lost.
                let outcome = stdout.write_all(&report.out).and_then(|()| stdout.flush());
                state.failure = outcome.err().map(|source| match source.kind() {
                    ErrorKind::BrokenPipe => Error::StdoutClosed,
                    _ => Error::Io { name: Name::stdout(), source },
                });
            }
            // If even the standard error is closed, the error cannot be reported.
            let _ = io::stderr().write_all(&report.err);
        });
        report.out.clear();
        report.err.clear();
    }
}

impl Place<'_> {
    /// Returns the buffer for the standard output.
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.report.out
    }

    /// Returns the buffer for the standard error, which is written after all that is for the standard output.
    pub fn err(&mut self) -> &mut Vec<u8> {
        &mut self.report.err
    }

    /// Returns both buffers.
    pub fn both(&mut self) -> (&mut Vec<u8>, &mut Vec<u8>) {
        (&mut self.report.out, &mut self.report.err)
    }

    /// Writes the report so far if it is this item's turn. If the report is long, waits for the turn.
    pub fn tell(&mut self) {
        if self.report.out.is_empty() {
            return;
        }
        let order = self.order;
        let mut state = order.lock();
        if state.turn != self.number {
            if self.report.out.len() < HELD {
                return;
            }
            drop(state);
            state = order.wait(|state| state.turn == self.number);
        }
        order.write(&mut state, &mut self.report);
    }
}

/// Makes way for the next item, even if this one has panicked, so that the others do not wait forever.
impl Drop for Place<'_> {
    fn drop(&mut self) {
        let order = self.order;
        order.busy.fetch_sub(1, Ordering::Relaxed);
        let mut state = order.lock();
        if state.turn == self.number {
            order.write(&mut state, &mut self.report);
            state.turn += 1;
            while let Some(mut report) = {
                let turn = state.turn;
                state.done.remove(&turn)
            } {
                order.write(&mut state, &mut report);
                state.turn += 1;
            }
            order.moved.notify_all();
        } else {
            state.done.insert(self.number, mem::take(&mut self.report));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// If the work on an item panics, the others are still done, and nothing waits for it forever.
    #[test]
    fn panics() {
        let progress = Progress::none();
        for threads in [2, 4] {
            let order = Order::new(threads, &progress);
            let done = AtomicU64::new(0);
            let run = || {
                order.run(0..2 * AHEAD, |item, (): &mut (), _| {
                    assert!(item > 0, "the first one, on purpose");
                    done.fetch_add(1, Ordering::Relaxed);
                    true
                })
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
            assert_eq!(done.into_inner(), 2 * AHEAD - 1);
            assert_eq!(order.threads_for_one(), threads + 1);
        }
    }
}
