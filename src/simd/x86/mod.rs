//! The instruction sets of x86, and how they are found.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod detect;
pub(crate) mod sse41;

/// The intrinsics, but for AVX-512: its are [`avx512::arch`].
mod arch {
    cfg_if::cfg_if! {
        if #[cfg(target_arch = "x86")] {
            pub(super) use core::arch::x86::*;
        } else {
            pub(super) use core::arch::x86_64::*;
        }
    }
}
