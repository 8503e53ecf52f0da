//! The instruction sets of x86, and how they are found.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod detect;
pub(crate) mod sse41;
