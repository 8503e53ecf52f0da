//! If the build's target features prove the best instruction set, the compiler removes dispatch.

use anyhow::ensure;

use crate::objects::{Library, build, host};

/// Fails if a build that proves AVX-512 still detects CPU features
#[derive(clap::Args)]
pub struct Options {}

/// Flags with which a build proves the best instruction set.
const BEST: &str = "-Ctarget-cpu=x86-64-v4 -Ctarget-feature=+avx512vbmi,+avx512vbmi2,+avx512bitalg,+gfni";

pub fn run(_: Options) -> anyhow::Result<()> {
    let host = host()?;
    if !host.starts_with("x86_64-") {
        println!("folding: nothing to check on {host}");
        return Ok(());
    }
    let ordinary = build(None, "")?;
    ensure!(!asking(&ordinary).is_empty(), "folding: no detection in an ordinary build: is this the right thing?");
    // With an explicit target, the build script, which runs here, is built without these features.
    let left = build(Some(&host), BEST)?;
    let left = asking(&left);
    ensure!(left.is_empty(), "folding: these use detection, with AVX-512 proved:\n  {}", left.join("\n  "));
    println!("folding: nothing is detected at run time where the build proves AVX-512");
    Ok(())
}

/// The functions that use detection. Detection itself stays in the library, even if nothing calls it.
fn asking(library: &Library) -> Vec<&str> {
    let detection = |name: &str| name.trim_start_matches('<').starts_with("fastutf::simd::x86::detect::");
    let asks = library.functions.iter().filter(|function| function.uses.iter().any(|used| detection(used)));
    asks.map(|function| &*function.name).filter(|name| !detection(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Function;

    #[test]
    fn who_asks_is_found_but_detection_itself() {
        let function =
            |name: &str, used: &str| Function { name: name.to_owned(), size: 1, uses: [used.to_owned()].into() };
        let functions = vec![
            function("fastutf::validate_utf8", "fastutf::simd::x86::detect::detect"),
            function("fastutf::is_ascii", "<fastutf::simd::x86::detect::Detected>::new"),
            function("fastutf::simd::x86::detect::detect", "fastutf::simd::x86::detect::found"),
            function("fastutf::to_utf16", "fastutf::scalar::to_utf16"),
        ];
        let library = Library { functions, ..Library::default() };
        assert_eq!(asking(&library), ["fastutf::validate_utf8", "fastutf::is_ascii"]);
    }
}
