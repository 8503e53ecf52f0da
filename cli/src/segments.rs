//! Converts a regular file with several threads, each one segment at a time, and writes the results in order.
//!
//! The segments are read with `read_at`. A mapping of the file would save that copy, some 12 ms of CPU of 48 for 256
//! MB from the page cache of ext4 to `/dev/null`, and nothing on tmpfs. But where the result is kept, all threads
//! wait for the writing, which takes several times that. And a process that reads from a mapped file that becomes
//! shorter is killed.
//!
//! Nothing is written in parallel: the system lets one thread at a time write to a file.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::converter::{Converter, Done, Tally};
use crate::encoding::Encoding;
use crate::parts::Change;
use crate::watch::Watch;

/// The bytes of a segment, which are whole code units. A segment and its conversion stay in a cache of 1 MiB; with
/// twice the size, it takes 20 % longer.
const SEGMENT: usize = 128 << 10;

/// How far a segment is read beyond its end: as far as its last character can reach.
const BEYOND: usize = 8;

/// The minimum size of a file for several threads: starting one takes as long as converting some 100 KB.
pub const WORTH_IT: u64 = 2 << 20;

/// How a conversion ended.
#[derive(Debug)]
pub enum End<E> {
    /// At the end of the file, with what has been counted.
    Complete(Tally),
    /// Before an ill-formed sequence. The text before it has been written.
    IllFormed,
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The output cannot be written.
    Unwritable(E),
}

/// Converts `file` from the offset `start` on, with this many threads. `write` receives the results in order, each
/// with the number of bytes that it was converted from, and the first place in them where another encoding begins.
pub fn convert<E: Send>(
    file: &File,
    start: u64,
    converter: Converter,
    watch: Watch,
    threads: usize,
    write: impl FnMut(&Done<'_>, usize, Option<Change>) -> Result<(), E> + Send,
) -> End<E> {
    let queue = Queue { next: 0, tally: Tally::default(), is_over: false, end: None, write };
    let work = Work {
        file,
        start,
        converter,
        watch,
        claimed: AtomicU64::new(0),
        queue: Mutex::new(queue),
        moved: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no more threads can be started, the existing ones do the work.
            drop(thread::Builder::new().spawn_scoped(scope, || work.share()));
        }
        work.share();
    });
    let queue = work.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.end.expect("the first to leave says why")
}

/// What the threads share.
struct Work<'a, E, W> {
    file: &'a File,
    start: u64,
    converter: Converter,
    watch: Watch,
    /// How many segments have been taken.
    claimed: AtomicU64,
    queue: Mutex<Queue<E, W>>,
    /// Notified when the queue has moved on.
    moved: Condvar,
}

/// Which segment may be written.
struct Queue<E, W> {
    /// The segment whose turn it is.
    next: u64,
    /// Whether the conversion is over: no more turns.
    is_over: bool,
    end: Option<End<E>>,
    tally: Tally,
    write: W,
}

impl<E, W: FnMut(&Done<'_>, usize, Option<Change>) -> Result<(), E>> Work<'_, E, W> {
    /// The work of each thread: one segment after the other, until it is over.
    fn share(&self) {
        // Even if this thread panics, so that no other waits for it.
        let _over = Over(self);
        let mut read = vec![0; SEGMENT + BEYOND];
        let mut room = self.converter.room(SEGMENT + BEYOND);
        loop {
            let index = self.claimed.fetch_add(1, Ordering::Relaxed);
            let offset = self.start + index * SEGMENT as u64;
            let outcome = read_at(self.file, &mut read, offset).map(|len| {
                let (before, piece) = segment(self.converter.from, &read[..len], SEGMENT, index == 0);
                let done = self.converter.run(piece, &mut room);
                let is_well_formed = done.fault.is_none() && done.tally.replacements == 0;
                let found = self.watch.look(piece, offset + before as u64, len <= SEGMENT, is_well_formed);
                (len, piece.len(), done, found)
            });

            let mut queue = self.queue();
            while queue.next != index && !queue.is_over {
                queue = self.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if queue.is_over {
                return;
            }
            match outcome {
                Err(error) => queue.end = Some(End::Unreadable(error)),
                Ok((len, taken, done, found)) => {
                    queue.tally += done.tally;
                    match (queue.write)(&done, taken, found) {
                        Err(error) => queue.end = Some(End::Unwritable(error)),
                        Ok(()) if done.fault.is_some() => queue.end = Some(End::IllFormed),
                        Ok(()) if len <= SEGMENT => queue.end = Some(End::Complete(queue.tally)),
                        Ok(()) => {}
                    }
                }
            }
            if queue.end.is_some() {
                return;
            }
            queue.next += 1;
            drop(queue);
            self.moved.notify_all();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<E, W>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks the conversion as over when it is dropped.
struct Over<'a, E, W: FnMut(&Done<'_>, usize, Option<Change>) -> Result<(), E>>(&'a Work<'a, E, W>);

impl<E, W: FnMut(&Done<'_>, usize, Option<Change>) -> Result<(), E>> Drop for Over<'_, E, W> {
    fn drop(&mut self) {
        self.0.queue().is_over = true;
        self.0.moved.notify_all();
    }
}

/// Reads until `buffer` is full or the file ends.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match file.read_at(&mut buffer[len..], offset + len as u64) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// Returns the part of `read` that is the segment: its first `size` bytes, but from the first character that starts
/// there, and to the end of the last. Before that, returns how many bytes are before it.
fn segment(encoding: Encoding, read: &[u8], size: usize, is_first: bool) -> (usize, &[u8]) {
    let start = if is_first { 0 } else { encoding.boundary(read, 0) };
    let end = if read.len() > size { encoding.boundary(read, size) } else { read.len() };
    (start, &read[start..end])
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use fastutf::Isa;

    use super::*;
    use crate::encoding::tests::garbage;

    /// Looks for nothing.
    fn none(converter: Converter) -> Watch {
        Watch::new(converter.isa, converter.from, false)
    }

    fn lossy(from: Encoding, to: Encoding) -> Converter {
        Converter { isa: Isa::best(), from, to, lossy: true }
    }

    /// Several threads produce the same as one piece, in order, also from an offset, and if the file ends at the edge
    /// of a segment or next to it.
    #[test]
    fn threads_write_in_order() {
        let bytes = garbage(10 * SEGMENT + 100);
        for len in [0, 1, 5000, SEGMENT - 1, SEGMENT, SEGMENT + 1, SEGMENT + 3, 10 * SEGMENT, bytes.len()] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes[..len]).unwrap();
            for (from, to) in
                [(0, 1), (0, 0), (1, 0), (2, 1), (0, 3), (3, 0), (4, 2), (5, 4), (1, 5), (6, 6), (6, 0), (2, 6)]
            {
                let converter = lossy(Encoding::ALL[from], Encoding::ALL[to]);
                let start = len.min(2);
                let mut room = converter.room(len);
                let expected = converter.run(&bytes[start..len], &mut room);
                let (mut written, mut taken) = (Vec::new(), 0);
                let end = convert(&file, start as u64, converter, none(converter), 3, |done, len, _| {
                    written.extend_from_slice(done.bytes);
                    taken += len;
                    Ok::<_, ()>(())
                });
                assert!(matches!(end, End::Complete(tally) if tally == expected.tally), "{end:?}");
                assert!(written == expected.bytes && taken == len - start, "{converter:?}, {len}");
            }
        }
    }

    /// The first fault ends the conversion, whichever thread finds one first: what comes before it is written, and
    /// nothing else.
    #[test]
    fn the_first_fault() {
        let text = "zł€😀".repeat(60_000);
        // At the start, around an edge, and at the end; after whole characters.
        for at in [0, SEGMENT / 10 * 10, SEGMENT / 10 * 10 + 10, text.len()] {
            for len in [0, 1, 3, 6] {
                let (before, after) = text.split_at((at + len).min(text.len()));
                let bytes = [before.as_bytes(), b"\xFF", after.as_bytes(), b"\xFF"].concat();
                let mut file = tempfile::tempfile().unwrap();
                file.write_all(&bytes).unwrap();
                let converter =
                    Converter { isa: Isa::best(), from: Encoding::Utf8, to: Encoding::Utf8, lossy: false };
                let mut written = Vec::new();
                let end = convert(&file, 0, converter, none(converter), 2, |done, _, _| {
                    written.extend_from_slice(done.bytes);
                    Ok::<_, ()>(())
                });
                assert!(matches!(end, End::IllFormed), "{end:?}");
                assert!(written == before.as_bytes(), "{at}, {len}");
            }
        }
    }

    /// After an error, `write` is not called again.
    #[test]
    fn nothing_is_written_after_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![b'a'; 5 * SEGMENT]).unwrap();
        let mut calls = 0;
        let converter = lossy(Encoding::Utf8, Encoding::Utf8);
        let end = convert(&file, 0, converter, none(converter), 2, |_, _, _| {
            calls += 1;
            if calls == 3 { Err("full") } else { Ok(()) }
        });
        assert!(matches!(end, End::Unwritable("full")), "{end:?}");
        assert_eq!(calls, 3);
    }
}
