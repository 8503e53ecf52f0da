//! Two facts about the build that the code asks for by name.
//!
//! `fastutf_scalar_default`: at `opt-level` 0 or z a kernel's many small functions are not inlined and run 25 to 40
//! times slower than the standard library's precompiled code. There the default becomes the scalar path, so that a
//! debug build never gets slower by using this crate. `Isa::available` still lists, and tests still run, every kernel.
//!
//! `fastutf_x86`: the target can have the x86 kernels. Not those that compile for x86 without vector registers (kernels
//! of an operating system, firmware), nor SGX, where CPUID is not allowed.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(fastutf_scalar_default)");
    println!("cargo::rustc-check-cfg=cfg(fastutf_x86)");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if matches!(variable("OPT_LEVEL").as_str(), "0" | "z") {
        println!("cargo::rustc-cfg=fastutf_scalar_default");
    }
    let x86 = matches!(variable("CARGO_CFG_TARGET_ARCH").as_str(), "x86" | "x86_64");
    let sse2 = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "sse2");
    let sgx = variable("CARGO_CFG_TARGET_ENV") == "sgx";
    if x86 && sse2 && !sgx {
        println!("cargo::rustc-cfg=fastutf_x86");
    }
}
