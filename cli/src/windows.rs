//! Large files looked at in several places at once, through windows of memory onto them.
//!
//! Why mapped, and not read into a buffer (`read_at`), which needs no `unsafe`: the system copies what is read, and that
//! takes longer than to look at it. To validate 300 MB that the system has cached (ext4, Linux 6.18, Zen 4), all in all:
//! 15 ms of CPU time mapped and 39 ms read in pieces of 64 KiB (more with larger ones) for text in many scripts, 21 and 34 ms
//! for ASCII; on tmpfs, 46 and 51 ms. Windows, and not the whole file, keep what is resident small; between 1 and 16 MiB their
//! size makes little difference.

use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use memmap2::{Mmap, MmapOptions};

use crate::encoding::Encoding;

/// How many bytes a window shows, and one more page to see where its last character ends.
pub const WINDOW: u64 = 4 << 20;
const PAGE: u64 = 4096;

/// How many bytes of a window are given to `work` at once: they stay in the CPU's second cache.
const BLOCK: usize = 128 << 10;

/// Gives the bytes `text` of a file to `work` in blocks that no character and no ill-formed sequence crosses; those of a
/// window in order, to one `T`, windows in as many threads. After a block of which `work` says so, nothing that comes later
/// in the file matters. Returns what has come of each window, in order, up to that block's.
///
/// # Errors
///
/// If the file cannot be mapped.
pub fn for_each_block<T: Default + Send>(
    file: &File,
    text: Range<u64>,
    encoding: Encoding,
    threads: usize,
    work: impl Fn(&mut T, &[u8]) -> ControlFlow<()> + Sync,
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
            let outcome = in_window(file, &text, encoding, number as u64, |block| work(&mut result, block))?;
            if outcome.is_break() {
                end.fetch_min(number + 1, Ordering::Relaxed);
            }
            looked.push((number, result));
        }
    };
    let looked: io::Result<Vec<_>> = thread::scope(|scope| {
        let helpers = threads.min(count).saturating_sub(1);
        // Where there can be no more threads, those that are there do it.
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

/// Gives the blocks that start in one window to `work`.
fn in_window(
    file: &File,
    text: &Range<u64>,
    encoding: Encoding,
    number: u64,
    mut work: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let offset = number * WINDOW;
    let len = (text.end - offset).min(WINDOW + PAGE) as usize;
    let map = map(file, offset, len)?;
    let boundary = |at: usize| if at < len { encoding.boundary(&map, at) } else { len };
    let mut start = if number == 0 { text.start as usize } else { boundary(0) };
    let window = WINDOW as usize;
    while start < window && start < len {
        let end = boundary((start + BLOCK).min(window));
        if work(&map[start..end]).is_break() {
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
    // SAFETY: The bytes are only read, and nothing of what is read is believed twice: if somebody else writes to the file
    // meanwhile, what is said of it is wrong, and no more. If somebody truncates it, the system ends this program.
    let map = unsafe { options.map(file) }?;
    // The system then reads ahead in large steps. If it does not take the advice, it does not.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Sequential);
    Ok(map)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::encoding::tests::garbage;

    /// The blocks of all windows, in order, are the text: also of one that starts after a signature, and that ends at an
    /// edge or beside it; in any number of threads.
    #[test]
    fn blocks_are_the_text() {
        let window = WINDOW as usize;
        let bytes = garbage(2 * window + 1000);
        for len in [0, 1, 2, BLOCK, window - 1, window, window + 1, window + 2, window + 3, bytes.len()] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes[..len]).unwrap();
            for (encoding, threads) in [(Encoding::Utf8, 1), (Encoding::Utf16Le, 2), (Encoding::Utf16Be, 5)] {
                let start = len.min(2) as u64;
                let windows =
                    for_each_block(&file, start..len as u64, encoding, threads, |text: &mut Vec<u8>, block| {
                        assert!(block.len() <= BLOCK + 3 && !block.is_empty());
                        text.extend_from_slice(block);
                        ControlFlow::Continue(())
                    });
                assert!(windows.unwrap().concat() == bytes[start as usize..len], "{encoding:?}, {len}");
            }
        }
    }

    /// What comes after the first block that ends it does not matter, and all before it is there, whoever is first.
    #[test]
    fn ends_with_the_first() {
        let window = WINDOW as usize;
        let mut text = vec![b'a'; 5 * window];
        for at in [4 * window + 5, 4 * window, 3 * window - 1, window + 3 * BLOCK, 7] {
            // Those after it remain.
            text[at] = b'!';
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&text).unwrap();
            for threads in 1..4 {
                let look = |bytes: &mut usize, block: &[u8]| {
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
