//! The vocabulary of the kernels: what one instruction set must offer, as safe methods on a token that proves it.
//!
//! Everything that is `unsafe` about SIMD is in the modules below, one for each instruction set. They have intrinsics, which
//! need a CPU feature (the token proves it), and vector loads and stores (each checks its own bounds, or states why it
//! need not). The kernels are safe code, generic over [`Simd`] or, nearly all, [`Lanes`].
//!
//! # How a kernel is read
//!
//! A kernel has an argument `isa: S`, a value of size 0, which exists only where the CPU has the instruction set. All
//! operations on vectors are methods of it, and a vector is an `S::V`. So one source is compiled for each instruction
//! set, with 16 or 32 bytes for `S::WIDTH`:
//!
//! ```text
//! let cur = isa.load(src, at);                          // src[at..at + WIDTH], or a panic
//! let low = isa.shuffle(table, cur & isa.splat8(0x0F)); // bitwise operators are those of Rust
//! if !isa.any_high_bit(low) { … }                       // a question to all bytes at once
//! ```
//!
//! Most methods are one instruction on most instruction sets. The name says what it works on:
//!
//! | in a name | means |
//! |---|---|
//! | `8`, `16`, `32`, `64` | bytes, words, double words, quad words: `add8`, `shl16` |
//! | `u`, `i` | as unsigned or signed numbers, where that matters: `min_u8`, `gt_i8` |
//! | `adds`, `subs` | saturating: a result out of range becomes the nearest number in range |
//! | `splat` | the same number everywhere; `lanes`: the same 16 bytes in each lane |
//! | `zip`, `unzip` | elements of two vectors in turn, and the reverse |
//! | `narrow`, `widened` | words to bytes, and bytes to words |
//! | `bitmask`, `any_high_bit` | bit 7 of each byte, as a number; whether it is set anywhere |
//!
//! A comparison sets all bits of an element, or clears them, so its result can be combined with `&` and `|`. Often only
//! bit 7 of a byte is meant, and the others have no meaning: `bitmask`, `any_high_bit` and `select` look at bit 7
//! only. Words and larger elements are little-endian on every instruction set here.
//!
//! # Lanes
//!
//! A vector is one or more *lanes* of 16 bytes; shuffles, interleaving and packing work within each lane. AVX2 has two
//! lanes; SSE4.1, NEON and WebAssembly have one. With two lanes, neighbours in memory may not be neighbours in a vector:
//!
//! ```text
//!                           lane 0                  lane 1
//! a                         a0 a1 … a7 a8 … a15     a16 … a23 a24 … a31
//! zip_lo8(a, b)             a0 b0 … a7 b7           a16 b16 … a23 b23
//! zip_hi8(a, b)             a8 b8 … a15 b15         a24 b24 … a31 b31
//! in memory order           lo's lane 0, hi's lane 0, lo's lane 1, hi's lane 1
//! ```
//!
//! Kernels do not undo that, but plan for it. `load_lanes` reads each lane from the place where it is needed, and
//! `store_shuffled` writes four lanes in the order above. A bitmask always has its bits in the order of the bytes.
//!
//! AVX-512 is `Simd`, not `Lanes`: its bytes move across the whole vector, and the kernels made for that are its own.

use core::ops::{BitAnd, BitOr, BitXor};

use crate::output::Output;

#[macro_use]
mod macros;
#[cfg(all(test, fastutf_proofs))]
pub(crate) mod tests;
cfg_if::cfg_if! {
    if #[cfg(fastutf_x86)] {
        pub(crate) mod x86;
    } else if #[cfg(fastutf_neon)] {
        pub(crate) mod neon;
    } else if #[cfg(fastutf_wasm)] {
        pub(crate) mod wasm;
    }
}

/// Shuffle controls for one lane of 16 bytes: a row for each value of an index byte.
#[repr(C, align(64))]
pub(crate) struct ShuffleTable(pub [[u8; 16]; 256]);

/// An instruction set: a value of this type proves that the CPU has it.
///
/// All methods must be `#[inline(always)]`: one that is not inlined runs 25 times slower than the instruction it
/// stands for, and no test fails. `cargo xtask inlining` guards this.
pub(crate) trait Simd: Copy {
    /// A vector of `WIDTH` bytes.
    type V: Copy + BitAnd<Output = Self::V> + BitOr<Output = Self::V> + BitXor<Output = Self::V>;

    /// Bytes in a vector: 16, 32 or 64.
    const WIDTH: usize;
    /// Vectors per block in UTF-8 validation.
    const UNROLL: usize = 4;

    /// Calls `kernel` from a function compiled for this instruction set, and so compiles what is inlined into it for
    /// that, too. Each call makes one function: a loop that needs its own register allocation gets its own
    /// `vectorize`.
    #[inline(always)]
    fn vectorize<R>(self, kernel: impl FnOnce() -> R) -> R {
        self.vectorize_with(
            (),
            (),
            #[inline(always)]
            |(), ()| kernel(),
        )
    }
    /// [`vectorize`](Self::vectorize) with two arguments, which are passed in registers. A closure that captures more than
    /// one slice would be passed through memory, which takes as long as a short string.
    fn vectorize_with<A, B, R>(self, a: A, b: B, kernel: impl FnOnce(A, B) -> R) -> R;

    /// The `WIDTH` bytes at `src[at..]`. Panics if there are fewer.
    fn load(self, src: &[u8], at: usize) -> Self::V;
    /// Bit 7 of each byte, that of the first byte as bit 0.
    fn bitmask(self, a: Self::V) -> u64;
    /// Whether bit 7 of any byte is set.
    #[inline(always)]
    fn any_high_bit(self, a: Self::V) -> bool {
        self.bitmask(a) != 0
    }

    /// How many bytes have bit 7 set, from byte `first` on, which may be one past the last.
    #[inline(always)]
    fn count_high_bits(self, a: Self::V, first: usize) -> usize {
        (self.bitmask(a) >> first).count_ones() as usize
    }
    /// Whether bit 7 of any byte from byte `first` on is set.
    #[inline(always)]
    fn any_high_bit_from(self, a: Self::V, first: usize) -> bool {
        self.bitmask(a) >> first != 0
    }

    /// Bit 7 of each of 64 bytes, that of the first byte as bit 0.
    #[inline(always)]
    fn bitmask_64(self, bytes: &[u8; 64]) -> u64 {
        let (mut mask, mut k) = (0, 0);
        while k < 64 {
            mask |= self.bitmask(self.load(bytes, k)) << k;
            k += Self::WIDTH;
        }
        mask
    }
}

/// `src`, at most 16 bytes, as a little-endian number, padded with zeros. Panics if it is longer.
///
/// Combines two overlapping loads. Copying byte by byte to memory instead would stall the vector load that follows.
#[inline(always)]
fn short_number(src: &[u8]) -> u128 {
    let len = src.len();
    assert!(len <= 16);
    if let (Some(a), Some(b)) = (src.first_chunk(), src.last_chunk()) {
        let (a, b) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
        // The bytes in both are the same, so `or` is correct.
        u128::from(a) | u128::from(b) << (8 * (len - 8))
    } else if let (Some(a), Some(b)) = (src.first_chunk(), src.last_chunk()) {
        let (a, b) = (u32::from_le_bytes(*a), u32::from_le_bytes(*b));
        u128::from(u64::from(a) | u64::from(b) << (8 * (len - 4)))
    } else if let (Some(first), Some(last)) = (src.first(), src.last()) {
        let middle = len / 2;
        let number =
            u32::from(*first) | u32::from(src[middle]) << (8 * middle) | u32::from(*last) << (8 * (len - 1));
        u128::from(number)
    } else {
        0
    }
}

/// The bytes that [`Lanes::store_shuffled`] may overwrite after its result.
pub(crate) const SLACK: usize = 16;

/// An instruction set whose shuffles stay within lanes of 16 bytes. The table-driven kernels are written for these.
pub(crate) trait Lanes: Simd {
    /// This instruction set with vectors of a single lane.
    type Single: Lanes;
    fn single(self) -> Self::Single;
    /// The vector of these lanes; `high` is ignored if there is only one.
    fn join(self, low: <Self::Single as Simd>::V, high: <Self::Single as Simd>::V) -> Self::V;
    /// The lanes of `v`; the same one twice if there is only one.
    fn split(self, v: Self::V) -> [<Self::Single as Simd>::V; 2];
    /// Writes `v` to `dst[at..at + WIDTH]`. Panics if that is out of bounds.
    fn store(self, dst: &mut Output, at: usize, v: Self::V);
    /// [`store`](Self::store) to initialised memory.
    #[inline(always)]
    fn overwrite(self, dst: &mut [u8], at: usize, v: Self::V) {
        self.store(Output::over(dst), at, v);
    }

    /// 16 bytes at `src[at..]`, `src[at + stride..]`, …: one lane from each. Panics if there are fewer.
    fn load_lanes(self, src: &[u8], at: usize, stride: usize) -> Self::V;
    /// The `WIDTH / 2` bytes at `src[at..]`, zero-extended to words. Panics if there are fewer.
    fn load_widened(self, src: &[u8], at: usize) -> Self::V;
    /// All of `src`, at most `WIDTH` bytes, padded with zeros. Panics if it is longer.
    #[inline(always)]
    fn load_padded(self, src: &[u8]) -> Self::V {
        self.load_in_parts(src)
    }
    /// [`load_padded`](Self::load_padded) by loads that do not go beyond `src`.
    #[inline(always)]
    fn load_in_parts(self, src: &[u8]) -> Self::V {
        match src.split_first_chunk() {
            Some((low, high)) => self.two_lanes(u128::from_le_bytes(*low), short_number(high)),
            None => self.two_lanes(short_number(src), 0),
        }
    }
    /// These lanes, as little-endian numbers; `high` must be 0 if there is only one.
    fn two_lanes(self, low: u128, high: u128) -> Self::V;
    /// The first lane, as a little-endian number.
    fn number(self, v: Self::V) -> u128;
    /// Shuffles the lanes a0 b0 a1 b1 … (the order after `zip_lo` and `zip_hi`), each by the row of `table` that its
    /// byte of `index` selects. Stores them contiguously at `dst[at..]`. A lane's length in bytes is `BASE`, plus
    /// `UNIT` for each bit set in its index. Returns the total length.
    ///
    /// Every store is 16 bytes, so up to [`SLACK`] bytes after the last lane are overwritten as well. Panics if `dst` does
    /// not have them.
    fn store_shuffled<const BASE: usize, const UNIT: usize>(
        self,
        dst: &mut Output,
        at: usize,
        a: Self::V,
        b: Self::V,
        table: &'static ShuffleTable,
        index: u32,
    ) -> usize;
    /// Bit 7 of each byte of two vectors, that of the first byte of `a` as bit 0.
    #[inline(always)]
    fn bitmask_of_two(self, a: Self::V, b: Self::V) -> u64 {
        self.bitmask(a) | self.bitmask(b) << Self::WIDTH
    }
    /// [`store_shuffled`](Self::store_shuffled) of four vectors of words, to the start of `dst`: a word becomes two
    /// bytes where its bit in `two` is set, otherwise one.
    #[inline(always)]
    fn store_one_or_two(
        self,
        dst: &mut Output,
        [a, b, c, d]: [Self::V; 4],
        table: &'static ShuffleTable,
        two: u64,
    ) {
        let at = self.store_shuffled::<8, 1>(dst, 0, a, b, table, two as u32);
        self.store_shuffled::<8, 1>(dst, at, c, d, table, (two >> Self::WIDTH) as u32);
    }
    /// [`store_shuffled`](Self::store_shuffled) of the words of 64 bytes, to the start of `dst`: writes the words
    /// whose bit in `keep` is set. Panics if `dst` has less than 144 bytes.
    #[inline(always)]
    fn store_words(
        self,
        dst: &mut Output,
        words: &[(Self::V, Self::V); 4],
        table: &'static ShuffleTable,
        keep: u64,
    ) {
        let (mut at, mut k) = (0, 0);
        while k < 64 {
            let (first, second) = words[k / Self::WIDTH];
            at += self.store_shuffled::<0, 2>(dst, at, first, second, table, (keep >> k) as u32);
            k += Self::WIDTH;
        }
    }
    /// Writes the first lane to the 16 bytes at `dst[at..]` or, if there are fewer, to the last 16 of `dst`. Panics
    /// if `dst` is shorter than that.
    #[inline(always)]
    fn store_inside(self, dst: &mut Output, at: usize, v: Self::V) {
        assert!(dst.len() >= 16);
        let [first, _] = self.split(v);
        self.single().store(dst, at.min(dst.len() - 16), first);
    }
    /// Whether all bits are 0.
    fn is_zero(self, a: Self::V) -> bool;

    /// A bitmask of up to 64 bytes to which vectors are still being added, in whatever form is cheapest.
    type PartialMask: Copy;
    fn empty_mask(self) -> Self::PartialMask;
    /// Adds bit 7 of each byte of `v`, the vector that starts at byte `k`. Call it once for each `k`.
    fn add_to_mask(self, before: Self::PartialMask, k: usize, v: Self::V) -> Self::PartialMask;
    /// Bit 7 of each byte, that of the first byte as bit 0.
    fn finished_mask(self, all: Self::PartialMask) -> u64;

    /// The bitmask for each of the 8 bits of 64 bytes, with the first byte as bit 0.
    #[inline(always)]
    fn transposed(self, bytes: &[u8; 64]) -> [u64; 8] {
        let mut bits = [0; 8];
        let mut k = 0;
        while k < 64 {
            let bytes = self.load(bytes, k);
            bits[7] |= self.bitmask(bytes) << k;
            bits[6] |= self.bitmask(self.shl16::<1>(bytes)) << k;
            bits[5] |= self.bitmask(self.shl16::<2>(bytes)) << k;
            bits[4] |= self.bitmask(self.shl16::<3>(bytes)) << k;
            bits[3] |= self.bitmask(self.shl16::<4>(bytes)) << k;
            bits[2] |= self.bitmask(self.shl16::<5>(bytes)) << k;
            bits[1] |= self.bitmask(self.shl16::<6>(bytes)) << k;
            bits[0] |= self.bitmask(self.shl16::<7>(bytes)) << k;
            k += Self::WIDTH;
        }
        bits
    }

    fn splat8(self, byte: u8) -> Self::V;
    fn splat16(self, word: u16) -> Self::V;
    /// `lane` in every lane of 16 bytes.
    fn lanes(self, lane: [u8; 16]) -> Self::V;
    fn splat32(self, dword: u32) -> Self::V;

    /// Whether a smaller kernel is preferred to one that is faster for some texts: for CPUs that are old.
    const SMALL: bool = false;
    /// Whether shifting bytes from one register into the next is as cheap as another load at a different address.
    const PREFERS_REGISTERS: bool = false;
    /// The vector that ends `N` bytes (1 to 3) before the end of `before` and `cur`, concatenated.
    fn prev<const N: usize>(self, cur: Self::V, before: Self::V) -> Self::V;

    // Bytes.

    /// `FF` where `a > b`, as signed bytes.
    fn gt_i8(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a + b`, byte by byte, wrapping.
    fn add8(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, byte by byte, wrapping.
    fn sub8(self, a: Self::V, b: Self::V) -> Self::V;
    /// `table[index]` within each lane, or 0 where bit 7 of the index is set; other indices must be less than 16.
    fn shuffle(self, table: Self::V, index: Self::V) -> Self::V;
    /// The sum of all bytes.
    fn sum8(self, a: Self::V) -> u64;
    /// The upper 4 bits of each byte, as a number.
    #[inline(always)]
    fn high_nibbles(self, a: Self::V) -> Self::V {
        self.shr16::<4>(a) & self.splat8(0x0F)
    }
    /// `a` plus `b` shifted right by `N` bits (1 to 7), byte by byte, wrapping.
    #[inline(always)]
    fn add_shr8<const N: i32>(self, a: Self::V, b: Self::V) -> Self::V {
        self.add8(a, self.shr16::<N>(b) & self.splat8(0xFF >> N))
    }
    /// `a` shifted left by `N` bits (1 to 7), byte by byte.
    #[inline(always)]
    fn shl8<const N: i32>(self, a: Self::V) -> Self::V {
        self.shl16::<N>(a) & self.splat8(0xFF << N)
    }
    /// Signed saturating sum.
    fn adds_i8(self, a: Self::V, b: Self::V) -> Self::V;
    /// Unsigned saturating difference.
    fn subs_u8(self, a: Self::V, b: Self::V) -> Self::V;
    fn min_u8(self, a: Self::V, b: Self::V) -> Self::V;
    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V;
    fn min_i8(self, a: Self::V, b: Self::V) -> Self::V;
    /// `FF` where equal.
    fn eq8(self, a: Self::V, b: Self::V) -> Self::V;
    /// The first 8 bytes of each lane: a0 b0 a1 b1 …
    fn zip_lo8(self, a: Self::V, b: Self::V) -> Self::V;
    /// The last 8 bytes of each lane.
    fn zip_hi8(self, a: Self::V, b: Self::V) -> Self::V;
    /// The bytes of `a` zero-extended to words: the first 8 of each lane, and the last 8.
    #[inline(always)]
    fn widened(self, a: Self::V) -> (Self::V, Self::V) {
        (self.zip_lo8(a, self.splat8(0)), self.zip_hi8(a, self.splat8(0)))
    }
    /// Lane by lane, the even bytes of `a` then of `b`, and the odd ones.
    #[inline(always)]
    fn unzip8(self, a: Self::V, b: Self::V) -> (Self::V, Self::V) {
        let even = |v| v & self.splat16(0xFF);
        let odd = |v| self.shr16::<8>(v);
        (self.narrow_u16(even(a), even(b)), self.narrow_u16(odd(a), odd(b)))
    }
    /// `a` where `mask` has bit 7 set, `b` elsewhere.
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V;

    // Words of 16 bits, little-endian.

    /// `FFFF` where equal.
    fn eq16(self, a: Self::V, b: Self::V) -> Self::V;
    fn add16(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub16(self, a: Self::V, b: Self::V) -> Self::V;
    fn adds_u16(self, a: Self::V, b: Self::V) -> Self::V;
    fn min_u16(self, a: Self::V, b: Self::V) -> Self::V;
    fn shl16<const N: i32>(self, a: Self::V) -> Self::V;
    fn shr16<const N: i32>(self, a: Self::V) -> Self::V;
    fn zip_lo16(self, a: Self::V, b: Self::V) -> Self::V;
    fn zip_hi16(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bytes of `a` times bytes of `b`, with adjacent products added into words. The bytes of `b` and the sums must
    /// also be positive as signed numbers.
    fn mul_add8(self, a: Self::V, b: Self::V) -> Self::V;
    /// `last + 64 * (lead - C2)` for each pair of bytes (0 if `lead` is below C2), as words: the first 8 of each
    /// lane, and the last 8.
    #[inline(always)]
    fn pairs(self, last: Self::V, lead: Self::V) -> (Self::V, Self::V) {
        let word = |zipped| self.mul_add8(self.subs_u8(zipped, self.splat16(0xC200)), self.splat16(0x4001));
        (word(self.zip_lo8(last, lead)), word(self.zip_hi8(last, lead)))
    }
    /// Lane by lane, signed words of `a` then of `b`, saturated to signed bytes.
    fn narrow_i16(self, a: Self::V, b: Self::V) -> Self::V;
    /// Lane by lane, words of `a` then of `b`, which must be less than 100, as bytes.
    fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V;

    // Double words of 32 bits, quad words of 64.

    fn shr32<const N: i32>(self, a: Self::V) -> Self::V;
    fn zip_lo64(self, a: Self::V, b: Self::V) -> Self::V;
    fn zip_hi64(self, a: Self::V, b: Self::V) -> Self::V;

    cfg_if::cfg_if! {
        if #[cfg(feature = "utf32")] {
            fn shl32<const N: i32>(self, a: Self::V) -> Self::V;
            fn add32(self, a: Self::V, b: Self::V) -> Self::V;
            fn sub32(self, a: Self::V, b: Self::V) -> Self::V;
            fn max_u32(self, a: Self::V, b: Self::V) -> Self::V;
            /// All bits where `a > b`, as signed numbers.
            fn gt_i32(self, a: Self::V, b: Self::V) -> Self::V;
            /// Lane by lane, signed double words of `a` then of `b`, saturated to signed words.
            fn narrow_i32(self, a: Self::V, b: Self::V) -> Self::V;
            /// Lane by lane, double words of `a` then of `b`, which must be at most FFFF, as words.
            fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V;
        }
    }
}
