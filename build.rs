//! Facts about the build, as `cfg` names for the code.
//!
//! `fastutf_scalar_default`: the build has `opt-level` 0 or z, where a kernel's many small functions are not inlined
//! and run 25 to 40 times slower than the standard library's precompiled code. The scalar path is then the default,
//! and calls that code for what it does (`src/scalar/precompiled.rs`). `cargo xtask debug-speed` compares the two by
//! counting instructions. `Isa::available` still lists every kernel, and tests still run them all.
//!
//! `fastutf_x86`: the target can have the x86 kernels. Excluded are targets without vector registers (operating
//! system kernels, firmware) and SGX, where CPUID is not allowed.
//!
//! `fastutf_neon`: the target has the NEON kernel: little-endian AArch64 with vector registers.
//!
//! `fastutf_wasm`: the target has the WebAssembly kernel: 32-bit WebAssembly, built with the target feature `simd128`.
//!
//! `fastutf_simd`: there is a SIMD kernel: one of these three is set.
//!
//! `fastutf_proofs`: the proofs, and the tests that share files with them, are at hand. Published packages go without them.

use std::{env, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(fastutf_scalar_default)");
    println!("cargo::rustc-check-cfg=cfg(fastutf_x86, fastutf_neon, fastutf_wasm, fastutf_simd, fastutf_proofs)");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if matches!(variable("OPT_LEVEL").as_str(), "0" | "z") {
        println!("cargo::rustc-cfg=fastutf_scalar_default");
    }
    if Path::new("src/proof").exists() {
        println!("cargo::rustc-cfg=fastutf_proofs");
    }
    let architecture = variable("CARGO_CFG_TARGET_ARCH");
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    let has = |name: &str| features.split(',').any(|feature| feature == name);
    let sgx = variable("CARGO_CFG_TARGET_ENV") == "sgx";
    let little = variable("CARGO_CFG_TARGET_ENDIAN") == "little";
    let kernels = match architecture.as_str() {
        "x86" | "x86_64" if has("sse2") && !sgx => "fastutf_x86",
        "aarch64" if has("neon") && little => "fastutf_neon",
        "wasm32" if has("simd128") => "fastutf_wasm",
        _ => return,
    };
    println!("cargo::rustc-cfg={kernels}");
    println!("cargo::rustc-cfg=fastutf_simd");
}
