//! Reads large files in several places at once, through windows mapped into memory.
//!
//! Why files are mapped, rather than read into a buffer (`read_at`), which needs no `unsafe`: reading copies, and
//! that takes longer than checking. Validating 300 MB in the page cache (ext4, Linux 6.18, Zen 4) takes, in total, 15
//! ms of CPU time mapped and 39 ms read in pieces of 64 KiB (more with larger ones) for text in many scripts, and 21
//! and 34 ms for ASCII; on tmpfs, 46 and 51 ms. Windows instead of the whole file keep the resident memory small;
//! between 1 and 16 MiB, their size makes little difference.
//!
//! What that costs: while another process writes to a file, what is read from it may change between two reads, which Rust
//! calls undefined behaviour. Machine code that reads memory has no such notion, but a compiler may read a byte twice and rely
//! on the first answer. As far as is known, a report about such a file is wrong, which it may be anyway, as nothing says which
//! of its contents it is about. If the file becomes shorter, the system ends this program (SIGBUS). Standard input is never
//! mapped, so `check <FILE` and `check - <FILE` check a file that changes without either.

use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use memmap2::{Mmap, MmapOptions};

use crate::encoding::Encoding;

/// The size of a window in bytes. One more page is mapped to see where its last character ends.
pub const WINDOW: u64 = 4 << 20;
const PAGE: u64 = 4096;

/// How many bytes of a window are passed to `work` at once: they stay in the CPU's second-level cache.
const BLOCK: usize = 128 << 10;

/// How many bytes after a block `work` sees: no sequence is longer.
const AFTER: usize = 4;

/// Passes the bytes `text` of a file to `work`, in blocks that split no character and no ill-formed sequence. Each comes
/// with its offset and the few bytes after it: the error of the last sequence may depend on these. The blocks of a window
/// come in order, with one `T`; up to `threads` threads handle the windows. If `work` breaks after a block, nothing later
/// in the file matters. Returns the `T` of each window, in order, up to the one with that block.
///
/// # Errors
///
/// If the file cannot be mapped.
pub fn for_each_block<T: Default + Send>(
    file: &File,
    text: Range<u64>,
    encoding: Encoding,
    threads: usize,
    work: impl Fn(&mut T, &[u8], u64, &[u8]) -> ControlFlow<()> + Sync,
) -> io::Result<Vec<T>> {
    let count = usize::try_from(text.end.div_ceil(WINDOW)).expect("it is a file of this system");
    let next = AtomicUsize::new(0);
    // The number of windows that matter.
    let end = AtomicUsize::new(count);
    let look = || {
        let mut looked = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end.load(Ordering::Relaxed) {
                return Ok(looked);
            }
            let mut result = T::default();
            let outcome = in_window(file, &text, encoding, number as u64, |block, at, after| {
                work(&mut result, block, at, after)
            })?;
            if outcome.is_break() {
                end.fetch_min(number + 1, Ordering::Relaxed);
            }
            looked.push((number, result));
        }
    };
    let looked: io::Result<Vec<_>> = thread::scope(|scope| {
        let helpers = threads.min(count).saturating_sub(1);
        // If no more threads can be started, the existing ones do the work.
        let helper = |_| thread::Builder::new().spawn_scoped(scope, look).ok();
        let helpers: Vec<_> = (0..helpers).map_while(helper).collect();
        let own = look();
        let others = helpers.into_iter().map(|helper| helper.join().expect("it does not panic"));
        std::iter::once(own).chain(others).collect()
    });
    let mut results: Vec<_> = looked?.into_iter().flatten().collect();
    results.sort_by_key(|&(number, _)| number);
    results.truncate(end.into_inner());
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Passes the blocks that start in one window to `work`.
fn in_window(
    file: &File,
    text: &Range<u64>,
    encoding: Encoding,
    number: u64,
    mut work: impl FnMut(&[u8], u64, &[u8]) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let offset = number * WINDOW;
    let len = (text.end - offset).min(WINDOW + PAGE) as usize;
    let map = map(file, offset, len)?;
    let boundary = |at: usize| if at < len { encoding.boundary(&map, at) } else { len };
    let mut start = if number == 0 { text.start as usize } else { boundary(0) };
    let window = WINDOW as usize;
    while start < window && start < len {
        let end = boundary((start + BLOCK).min(window));
        if work(&map[start..end], offset + start as u64, &map[end..len.min(end + AFTER)]).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        start = end;
    }
    Ok(ControlFlow::Continue(()))
}

/// Maps a part of a file into memory.
#[allow(unsafe_code)]
fn map(file: &File, offset: u64, len: usize) -> io::Result<Mmap> {
    let mut options = MmapOptions::new();
    options.offset(offset).len(len);
    // SAFETY: not so for every file. The bytes of a slice must not change while it is used, but another process may write to
    // the file. By the rules of Rust that is undefined behaviour, and nothing here can rule it out. It is accepted, as
    // ripgrep and others do: see above.
    let map = unsafe { options.map(file) }?;
    // Makes the system read ahead in large steps. It may ignore this advice.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Sequential);
    Ok(map)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::encoding::tests::garbage;

    /// The blocks of all windows, in order, are the text, also if it starts after a signature or ends at the edge of
    /// a window or next to it, with any number of threads.
    #[test]
    fn blocks_are_the_text() {
        let window = WINDOW as usize;
        let bytes = garbage(2 * window + 1000);
        for len in [0, 1, 2, BLOCK, window - 1, window, window + 1, window + 2, window + 3, bytes.len()] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes[..len]).unwrap();
            for (encoding, threads) in [
                (Encoding::Utf8, 1),
                (Encoding::Utf16Le, 2),
                (Encoding::Utf16Be, 5),
                (Encoding::Utf32Be, 2),
                (Encoding::Latin1, 3),
                (Encoding::Wtf8, 2),
            ] {
                let start = len.min(2) as u64;
                let windows = for_each_block(
                    &file,
                    start..len as u64,
                    encoding,
                    threads,
                    |text: &mut Vec<u8>, block, at, _| {
                        assert!(block.len() <= BLOCK + 3 && !block.is_empty());
                        assert_eq!(&bytes[at as usize..][..block.len()], block);
                        text.extend_from_slice(block);
                        ControlFlow::Continue(())
                    },
                );
                assert!(windows.unwrap().concat() == bytes[start as usize..len], "{encoding:?}, {len}");
            }
        }
    }

    /// Nothing after the first block that ends the work matters, and everything before it is there, whichever thread
    /// is first.
    #[test]
    fn ends_with_the_first() {
        let window = WINDOW as usize;
        let mut text = vec![b'a'; 5 * window];
        for at in [4 * window + 5, 4 * window, 3 * window - 1, window + 3 * BLOCK, 7] {
            // The later ones remain.
            text[at] = b'!';
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&text).unwrap();
            for threads in 1..4 {
                let look = |bytes: &mut usize, block: &[u8], _, _: &[u8]| {
                    let is_end = block.contains(&b'!');
                    *bytes += if is_end { 0 } else { block.len() };
                    if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let windows = for_each_block(&file, 0..5 * WINDOW, Encoding::Utf8, threads, look).unwrap();
                assert_eq!(windows.len(), at / window + 1);
                assert_eq!(windows.iter().sum::<usize>(), at / BLOCK * BLOCK);
            }
        }
    }
}
