//! Inputs that do not fit into any cache are read in several places at once.
//!
//! One stream of reads does not saturate the memory, because the CPU prefetches only so many lines ahead of it. With
//! four streams far from each other, it prefetches for each (`compare`, size 64M). This only helps operations that
//! are independent of the order and memory-bound, which validation is for ASCII only.

/// The minimum length of a large input, in bytes.
pub(crate) const FROM: usize = 16 << 20;
const STREAMS: usize = 4;
/// How many bytes are read in one place at a time: as far as the CPU prefetches on its own.
const PIECE: usize = 4096;

/// Calls `visit` with every piece of `src` until it returns `false`, and returns its last result. All pieces but the
/// last have an even length.
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

/// The sum of `count` over all pieces.
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

/// The length of the ASCII at the start of `src`, rounded down to a multiple of [`FROM`].
#[cold]
#[inline(never)]
pub(crate) fn ascii_prefix(src: &[u8], is_ascii: &dyn Fn(&[u8]) -> bool) -> usize {
    let ascii = src.chunks_exact(FROM).take_while(|part| visit(part, is_ascii));
    ascii.count() * FROM
}
