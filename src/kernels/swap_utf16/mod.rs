//! UTF-16 in the other byte order: a shuffle for each vector.
//!
//! The last vector overlaps with the one before it. In place, it is loaded before the others are stored, or its first
//! bytes would be swapped twice.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use core::mem::MaybeUninit;

use crate::buffer::write;
use crate::simd::Lanes;

/// Swaps the bytes of each word.
#[inline(always)]
pub(crate) fn swapped<S: Lanes>(isa: S, v: S::V) -> S::V {
    isa.shuffle(v, isa.lanes([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
}

/// Swaps the bytes of each word from `$src` into `$dst`, which has the same length, using two numbers that may
/// overlap: the first and the last. Returns whether there are enough bytes for one.
macro_rules! swap_two {
    ($number:ty, $src:expr, $dst:expr, $write:expr) => {
        if let (Some(first), Some(last)) = ($src.first_chunk(), $src.last_chunk()) {
            const EVEN: $number = <$number>::MAX / 0xFFFF * 0x00FF;
            let (first, last) = (<$number>::from_ne_bytes(*first), <$number>::from_ne_bytes(*last));
            let last_at = $src.len() - size_of::<$number>();
            $write($dst, &((first & EVEN) << 8 | first >> 8 & EVEN).to_ne_bytes());
            $write(&mut $dst[last_at..], &((last & EVEN) << 8 | last >> 8 & EVEN).to_ne_bytes());
            true
        } else {
            false
        }
    };
}

#[inline(always)]
pub(crate) fn swap_bytes<S: Lanes>(isa: S, bytes: &mut [u8]) {
    let len = bytes.len() & !1;
    let bytes = &mut bytes[..len];
    if len >= 4 * S::WIDTH {
        swap_vectors::<4, S>(isa, bytes);
    } else if len >= S::WIDTH {
        swap_vectors::<1, S>(isa, bytes);
    } else {
        swap_few(bytes);
    }
}

/// [`swap_bytes`] for less than a vector.
#[inline(always)]
fn swap_few(bytes: &mut [u8]) {
    #[inline(always)]
    fn overwrite(bytes: &mut [u8], swapped: &[u8]) {
        bytes[..swapped.len()].copy_from_slice(swapped);
    }
    let _ = swap_two!(u128, bytes, bytes, overwrite)
        || swap_two!(u64, bytes, bytes, overwrite)
        || swap_two!(u32, bytes, bytes, overwrite)
        || swap_two!(u16, bytes, bytes, overwrite);
}

#[inline(always)]
pub(crate) fn swap_bytes_into<S: Lanes>(isa: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let len = src.len() & !1;
    if let (Some(from), Some(to)) = (src.get(len), dst.get_mut(len)) {
        to.write(*from);
    }
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len >= 4 * S::WIDTH {
        swap_vectors_into::<4, S>(isa, src, dst);
    } else if len >= S::WIDTH {
        swap_vectors_into::<1, S>(isa, src, dst);
    } else {
        swap_few_into(src, dst);
    }
}

/// [`swap_few`] from `src` into `dst`.
#[inline(always)]
fn swap_few_into(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let _ = swap_two!(u128, src, dst, write)
        || swap_two!(u64, src, dst, write)
        || swap_two!(u32, src, dst, write)
        || swap_two!(u16, src, dst, write);
}

/// Swaps `N` vectors at a time; the last of them overlap those before. Needs at least `N` vectors.
#[inline(always)]
fn swap_vectors<const N: usize, S: Lanes>(isa: S, bytes: &mut [u8]) {
    let (whole, last) = blocks_and_last::<N, S>(bytes.len());
    // Loaded before any of it is swapped.
    let end = load_swapped::<N, S>(isa, &bytes[last..]);
    for block in bytes[..whole].chunks_exact_mut(N * S::WIDTH) {
        overwrite_all(isa, block, load_swapped::<N, S>(isa, block));
    }
    overwrite_all(isa, &mut bytes[last..], end);
}

/// [`swap_vectors`] from `src` into `dst`.
#[inline(always)]
fn swap_vectors_into<const N: usize, S: Lanes>(isa: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let block = N * S::WIDTH;
    let (whole, last) = blocks_and_last::<N, S>(src.len());
    for (from, to) in src[..whole].chunks_exact(block).zip(dst[..whole].chunks_exact_mut(block)) {
        store_all(isa, to, load_swapped::<N, S>(isa, from));
    }
    store_all(isa, &mut dst[last..], load_swapped::<N, S>(isa, &src[last..]));
}

/// The total length of all blocks of `N` vectors but the last, and where the last one starts.
#[inline(always)]
fn blocks_and_last<const N: usize, S: Lanes>(len: usize) -> (usize, usize) {
    let block = N * S::WIDTH;
    ((len - 1) / block * block, len - block)
}

#[inline(always)]
fn load_swapped<const N: usize, S: Lanes>(isa: S, src: &[u8]) -> [S::V; N] {
    let mut vectors = [isa.splat8(0); N];
    let mut k = 0;
    while k < N {
        vectors[k] = swapped(isa, isa.load(src, k * S::WIDTH));
        k += 1;
    }
    vectors
}

#[inline(always)]
fn overwrite_all<const N: usize, S: Lanes>(isa: S, dst: &mut [u8], vectors: [S::V; N]) {
    let mut k = 0;
    while k < N {
        isa.overwrite(dst, k * S::WIDTH, vectors[k]);
        k += 1;
    }
}

/// [`overwrite_all`] where nothing is initialised yet.
#[inline(always)]
fn store_all<const N: usize, S: Lanes>(isa: S, dst: &mut [MaybeUninit<u8>], vectors: [S::V; N]) {
    let mut k = 0;
    while k < N {
        isa.store(dst, k * S::WIDTH, vectors[k]);
        k += 1;
    }
}
