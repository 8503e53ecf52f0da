//! Inputs that do not fit into any cache are read in several places at once.
//!
//! One stream of reads does not saturate the memory, because the CPU prefetches only so many lines ahead of it. With
//! four streams far from each other, it prefetches for each (`compare`, size 64M). This only helps operations that
//! are independent of the order and memory-bound, which validation is for ASCII only.

use crate::endian::ByteOrder;
use crate::isa::Isa;

/// The minimum length of a large input, in bytes.
pub(crate) const FROM: usize = 16 << 20;
const STREAMS: usize = 4;
/// How many bytes are read in one place at a time: as far as the CPU prefetches on its own.
const PIECE: usize = 4096;

/// Calls `visit` with every piece of `src` until it returns `false`, and returns its last result. All pieces but the
/// last have an even length.
#[inline(never)]
fn visit(src: &[u8], visit: &mut dyn FnMut(&[u8]) -> bool) -> bool {
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

/// The sum of `count` over all pieces. `count` is a function pointer, which may be the caller itself: a closure would be
/// compiled here once more.
#[cold]
#[inline(never)]
pub(crate) fn sum(src: &[u8], isa: Isa, order: ByteOrder, count: fn(Isa, ByteOrder, &[u8]) -> usize) -> usize {
    let mut sum = 0;
    visit(src, &mut |piece| {
        sum += count(isa, order, piece);
        true
    });
    sum
}

/// Whether all pieces are ASCII.
#[cold]
#[inline(never)]
pub(crate) fn is_ascii(src: &[u8], isa: Isa, is_ascii: fn(Isa, &[u8]) -> bool) -> bool {
    visit(src, &mut |piece| is_ascii(isa, piece))
}

/// The length of the ASCII at the start of `src`, rounded down to a multiple of [`FROM`].
#[cold]
#[inline(never)]
pub(crate) fn ascii_prefix(src: &[u8], isa: Isa, is_ascii: fn(Isa, &[u8]) -> bool) -> usize {
    let mut len = 0;
    while let Some(part) = src[len..].get(..FROM)
        && visit(part, &mut |piece| is_ascii(isa, piece))
    {
        len += FROM;
    }
    len
}
