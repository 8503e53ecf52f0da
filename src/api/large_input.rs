//! Inputs that do not fit into any cache are read in four places at once, except on x86 CPUs that are not Intel's.
//!
//! On Intel's CPUs, one stream of reads does not saturate the memory, as they prefetch few lines ahead of it. With four
//! streams far from each other, they prefetch for each, and read 1.2 to 1.4 times as fast (Sapphire Rapids). AMD's CPUs
//! become slower: 0.7 (Zen 5). `compare -- --size 64M` shows it. Other CPUs were not measured. Only operations gain that
//! do not depend on the order and are limited by memory, as validation is for ASCII only.

use crate::endian::ByteOrder;
use crate::isa::Isa;

/// The minimum length of a large input, in bytes.
pub(crate) const FROM: usize = 16 << 20;

/// In how many places to read, and how many bytes at a time in each place.
#[derive(Clone, Copy)]
struct Streams(usize, usize);

impl Streams {
    /// Pieces as long as the CPU prefetches on its own.
    const FOUR: Self = Self(4, 4096);
    #[cfg(any(fastutf_x86, test))]
    const ONE: Self = Self(1, FROM / 16);

    /// Not once per piece: it executes CPUID.
    #[inline(never)]
    fn of_this_cpu() -> Self {
        #[cfg(fastutf_x86)]
        if !crate::simd::x86::detect::is_intel() {
            return Self::ONE;
        }
        Self::FOUR
    }
}

/// Calls `visit` with every piece of `src` until it returns `false`, and returns its last result. Pieces are shorter
/// than [`FROM`], and all but the last have an even length.
#[inline(never)]
fn visit(src: &[u8], visit: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    visit_in(Streams::of_this_cpu(), src, visit)
}

fn visit_in(streams: Streams, src: &[u8], visit: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let Streams(count, piece) = streams;
    let len = src.len() / (count * piece) * piece;
    let (streams, rest) = src.split_at(count * len);
    let mut at = 0;
    while at < len {
        for stream in streams.chunks_exact(len) {
            if !visit(&stream[at..at + piece]) {
                return false;
            }
        }
        at += piece;
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

/// The length of the ASCII at the start of `src`, rounded down to a multiple of [`FROM`]. The standard library's loop is as
/// fast as memory is, and every program with `from_utf8` would have the kernels for this alone.
#[cold]
#[inline(never)]
pub(crate) fn ascii_prefix(src: &[u8]) -> usize {
    let mut len = 0;
    while let Some(part) = src[len..].get(..FROM)
        && visit(part, &mut |piece| piece.is_ascii())
    {
        len += FROM;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With one stream or four, every byte is visited once, in pieces of even length that are no large inputs.
    #[test]
    fn every_byte_once() {
        let src = &std::vec![1; FROM + 4097];
        for streams in [Streams::ONE, Streams::FOUR] {
            for len in [FROM, FROM + 1, FROM + 4096, FROM + 4097] {
                let (mut sum, mut odd) = (0, 0);
                assert!(visit_in(streams, &src[..len], &mut |piece| {
                    assert!(piece.len() < FROM && odd == 0);
                    odd = piece.len() % 2;
                    sum += piece.len();
                    true
                }));
                assert_eq!(sum, len);
            }
            let mut visits = 0;
            assert!(!visit_in(streams, src, &mut |_| {
                visits += 1;
                visits < 3
            }));
            assert_eq!(visits, 3);
        }
    }
}
