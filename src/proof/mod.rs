//! Proofs about the kernels: tests that cover all of a domain, and not samples of it. `docs/proof.md` says what each
//! shows, and what it does not.
//!
//! Files that need private parts of a kernel are modules of that kernel, by `#[path]`: `units.rs`, `runs.rs`,
//! `to_utf8.rs`, `ends.rs`, `repair_utf8.rs`, `repair_utf16.rs`, `masks.rs`.

#[cfg(fastutf_simd)]
pub(crate) mod classes;
#[cfg(fastutf_simd)]
mod conversions;
#[cfg(fastutf_simd)]
mod tables;
