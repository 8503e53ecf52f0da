//! One job: at `opt-level` 0 or z a kernel's many small functions are not inlined and run 25 to 40 times slower
//! than the standard library's precompiled code. There the default becomes the scalar path, so that a debug build
//! never gets slower by using this crate. `Isa::available` still lists, and tests still run, every kernel.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(fastutf_scalar_default)");
    if matches!(std::env::var("OPT_LEVEL").as_deref(), Ok("0" | "z")) {
        println!("cargo::rustc-cfg=fastutf_scalar_default");
    }
}
