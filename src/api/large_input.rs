//! Inputs that no cache holds: they are read in several places at once.
//!
//! One stream of reads does not keep the memory busy: the CPU fetches so many lines ahead of it and no more. With
//! four streams, far from each other, it fetches ahead of each (`compare`, size 64M). Only what does not depend on the order
//! is done so, and only what waits for the memory, which the validation of anything but ASCII does not.

/// The least input, in bytes.
pub(crate) const FROM: usize = 16 << 20;
const STREAMS: usize = 4;
/// Bytes read in one place at a time: as far as the CPU fetches ahead on its own.
const PIECE: usize = 4096;

/// Calls `visit` with every piece of `src`, of an even length but for the last, as long as it says to go on. Returns what it said
/// last.
fn visit(src: &[u8], mut visit: impl FnMut(&[u8]) -> bool) -> bool {
    let len = src.len() / (STREAMS * PIECE) * PIECE;
    let (streams, rest) = src.split_at(STREAMS * len);
    let mut at = 0;
    while at < len {
        for stream in streams.chunks_exact(len) {
            if !visit(&stream[at..at + PIECE]) {
                return false;
            }
        }
        at += PIECE;
    }
    visit(rest)
}

/// The sum of the counts of all pieces.
#[cold]
#[inline(never)]
pub(crate) fn sum(src: &[u8], count: &dyn Fn(&[u8]) -> usize) -> usize {
    let mut sum = 0;
    visit(src, |piece| {
        sum += count(piece);
        true
    });
    sum
}

/// Whether all pieces are ASCII.
#[cold]
#[inline(never)]
pub(crate) fn is_ascii(src: &[u8], is_ascii: &dyn Fn(&[u8]) -> bool) -> bool {
    visit(src, is_ascii)
}

/// The length of the ASCII that `src` begins with, to some megabytes.
#[cold]
#[inline(never)]
pub(crate) fn ascii_prefix(src: &[u8], is_ascii: &dyn Fn(&[u8]) -> bool) -> usize {
    let ascii = src.chunks_exact(FROM).take_while(|part| visit(part, is_ascii));
    ascii.count() * FROM
}
