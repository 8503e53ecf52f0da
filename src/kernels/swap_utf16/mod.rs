//! UTF-16 in the other byte order: a shuffle for each vector.
//!
//! The last vector overlaps with the one before it. In place, it is loaded before the others are stored, or its first
//! bytes would be swapped twice.

#[cfg(fastutf_x86)]
pub(crate) mod avx512;

use crate::output::Output;
use crate::parts::Parts;
use crate::simd::Lanes;

/// Swaps the bytes of each word.
#[inline(always)]
pub(crate) fn swapped<S: Lanes>(isa: S, v: S::V) -> S::V {
    isa.shuffle(v, isa.lanes([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
}

/// Swaps the bytes of each word from `$src` into `$dst`, which has the same length, using two numbers that may
/// overlap: the first and the last. Returns whether there are enough bytes for one.
macro_rules! swap_two {
    ($number:ty, $src:expr, $dst:expr) => {
        if let (Some(first), Some(last)) = ($src.first_chunk(), $src.last_chunk()) {
            const EVEN: $number = <$number>::MAX / 0xFFFF * 0x00FF;
            let (first, last) = (<$number>::from_ne_bytes(*first), <$number>::from_ne_bytes(*last));
            let last_at = $src.len() - size_of::<$number>();
            $dst.write(&((first & EVEN) << 8 | first >> 8 & EVEN).to_ne_bytes());
            $dst[last_at..].write(&((last & EVEN) << 8 | last >> 8 & EVEN).to_ne_bytes());
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
    let _ = swap_two!(u128, bytes, Output::over(bytes))
        || swap_two!(u64, bytes, Output::over(bytes))
        || swap_two!(u32, bytes, Output::over(bytes))
        || swap_two!(u16, bytes, Output::over(bytes));
}

#[inline(always)]
pub(crate) fn swap_bytes_into<S: Lanes>(isa: S, src: &[u8], dst: &mut Output) {
    let len = src.len() & !1;
    if let Some(odd) = src.get(len) {
        dst.set(len, *odd);
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
fn swap_few_into(src: &[u8], dst: &mut Output) {
    let _ = swap_two!(u128, src, dst)
        || swap_two!(u64, src, dst)
        || swap_two!(u32, src, dst)
        || swap_two!(u16, src, dst);
}

/// Swaps `N` vectors at a time; the last of them overlap those before. Needs at least `N` vectors.
#[inline(always)]
fn swap_vectors<const N: usize, S: Lanes>(isa: S, bytes: &mut [u8]) {
    let (whole, last) = blocks_and_last::<N, S>(bytes.len());
    // Loaded before any of it is swapped.
    let end = load_swapped::<N, S>(isa, &bytes[last..]);
    for block in bytes[..whole].chunks_exact_mut(N * S::WIDTH) {
        let swapped = load_swapped::<N, S>(isa, block);
        store_all(isa, Output::over(block), swapped);
    }
    store_all(isa, Output::over(&mut bytes[last..]), end);
}

/// [`swap_vectors`] from `src` into `dst`.
#[inline(always)]
fn swap_vectors_into<const N: usize, S: Lanes>(isa: S, src: &[u8], dst: &mut Output) {
    let block = N * S::WIDTH;
    let (whole, last) = blocks_and_last::<N, S>(src.len());
    let mut at = 0;
    while at < whole {
        store_all(isa, dst.expect_part(at, block), load_swapped::<N, S>(isa, src.expect_part(at, block)));
        at += block;
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
fn store_all<const N: usize, S: Lanes>(isa: S, dst: &mut Output, vectors: [S::V; N]) {
    let mut k = 0;
    while k < N {
        isa.store(dst, k * S::WIDTH, vectors[k]);
        k += 1;
    }
}
