//! Finds pieces of kernels that were not inlined. Such a function is compiled without the kernel's CPU features, and
//! called for every vector. Results stay right, so no test notices, but the kernel is up to 25 times slower.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context as _, ensure};
use proc_macro2::{TokenStream, TokenTree};

use crate::{objects, source};

/// Fails if a piece of a kernel is a separate function in the release library
///
/// Functions may be separate if an attribute in the source says so: `#[target_feature]`, as for the `with_features`
/// that every kernel is inlined into, or `#[cold]`.
#[derive(clap::Args)]
pub struct Options {
    /// Such as aarch64-unknown-linux-gnu; default: this machine. In WebAssembly, functions do not differ in target features
    target: Option<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let mut outlined = BTreeSet::new();
    for file in source::files(&source::root().join("src"), ".rs")? {
        let tokens = source::tokens(&source::read(&file)?).with_context(|| file.display().to_string())?;
        let _ = find_outlined(tokens, false, &mut outlined);
    }
    if let Some(target) = &options.target {
        let added = Command::new("rustup").args(["target", "add", target]).status()?;
        ensure!(added.success(), "rustup has no {target}");
    }
    let library = objects::build(options.target.as_deref(), "")?;
    let names: Vec<&str> = library.functions.iter().map(|function| &*function.name).collect();
    let kernels = names.iter().filter(|name| name.contains("vectorize_with::with_features")).count();
    ensure!(kernels > 0, "inlining: no kernel found: does this still look for the right thing?");
    let mut culprits = BTreeMap::new();
    for name in names.into_iter().filter(|name| is_culprit(name, &outlined)) {
        *culprits.entry(name).or_insert(0) += 1;
    }
    let told: Vec<String> = culprits.iter().map(|(name, count)| format!("{count} × {name}")).collect();
    ensure!(
        told.is_empty(),
        "inlining: not inlined into their kernels; is there an #[inline(always)] missing?\n  {}",
        told.join("\n  ")
    );
    let target = options.target.map(|target| format!(" for {target}")).unwrap_or_default();
    println!("inlining: {kernels} kernels{target}, each in one piece");
    Ok(())
}

/// Collects the names of functions that an attribute allows to be separate. `allowed` is whether there is such an
/// attribute before these tokens. Returns whether there is one at their end.
fn find_outlined(tokens: TokenStream, mut allowed: bool, names: &mut BTreeSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let ident = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    let punct =
        |at: usize, char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let attribute = at > 0 && punct(at - 1, '#');
                if attribute {
                    let first = group.stream().into_iter().next().map(|token| token.to_string());
                    allowed |= first.is_some_and(|first| ["target_feature", "cold"].contains(&&*first));
                    continue;
                }
                let proven = at > 1 && punct(at - 1, '!') && ident(at - 2).is_some_and(|name| name == "proven");
                find_outlined(group.stream(), proven, names);
            }
            // A macro inserts an item here: the attribute belongs to that, not to the next function.
            TokenTree::Punct(punct) if punct.as_char() == '$' => allowed = false,
            TokenTree::Ident(keyword) if keyword == "fn" => {
                if let (true, Some(name)) = (allowed, ident(at + 1)) {
                    names.insert(name);
                }
                allowed = false;
            }
            _ => {}
        }
    }
    allowed
}

/// Modules whose functions kernels are made of.
const PIECES: [&str; 4] = ["simd", "kernels", "endian", "buffer"];

/// Whether a function is a piece of a kernel that must not be separate: an intrinsic, a method or operator of the
/// vector operations, a part of a kernel, a closure of these.
fn is_culprit(name: &str, outlined: &BTreeSet<String>) -> bool {
    // Byte orders are generic arguments of many functions, not pieces of them.
    let name = name.replace("fastutf::endian::ByteOrder", "ByteOrder");
    let (path, last) = last_segment(&name);
    // Methods of tokens must not be separate, although they share names with functions of AVX-512 that may be.
    if ["simd::Simd", "simd::Lanes", "kernels::Kernels"]
        .iter()
        .any(|of| path.ends_with(&format!("as fastutf::{of}>")))
    {
        return true;
    }
    let intrinsic = name
        .split("_mm")
        .skip(1)
        .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('_'));
    let piece = |module: &&str| name.contains(&format!("fastutf::{module}::"));
    (name.contains("core_arch") || intrinsic || PIECES.iter().any(piece)) && !outlined.contains(last)
}

/// The last part of a path, without its generic arguments, and what comes before it.
fn last_segment(name: &str) -> (&str, &str) {
    let mut name = name;
    if name.ends_with('>') {
        let mut depth = 0;
        let begin = name.char_indices().rev().find(|&(at, c)| {
            // The `>` of `->` is not a bracket.
            let arrow = c == '>' && name[..at].ends_with('-');
            depth += i32::from(c == '>' && !arrow) - i32::from(c == '<');
            depth == 0
        });
        if let Some(path) = begin.and_then(|(at, _)| name[..at].strip_suffix("::")) {
            name = path;
        }
    }
    name.rsplit_once("::").unwrap_or(("", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlined(code: &str) -> Vec<String> {
        let mut names = BTreeSet::new();
        find_outlined(source::tokens(code).unwrap(), false, &mut names);
        names.into_iter().collect()
    }

    #[test]
    fn functions_that_may_stand_on_their_own_say_so() {
        let code = r#"
            macro_rules! proven { ($($function:tt)*) => { #[target_feature(enable = "avx2")] $($function)* }; }
            fn not_after_the_macro() {}
            #[cold] #[inline(never)] pub(crate) fn cold() { fn inner() {} }
            #[inline(always)] fn hot() {}
            impl S { #[target_feature(enable = "avx2")] unsafe fn of_method(&self) {} fn next() {} }
            proven! { #[inline(never)] fn with_features() {} }
            fn last() {}
        "#;
        assert_eq!(outlined(code), ["cold", "of_method", "with_features"]);
    }

    #[test]
    fn pieces_of_kernels_are_told_from_kernels() {
        let outlined = BTreeSet::from(["with_features".to_owned(), "load".to_owned()]);
        let fine = [
            "<fastutf::simd::x86::avx2::Avx2 as fastutf::simd::Simd>::vectorize_with::with_features::<&[u8], fn(A) -> B>",
            "fastutf::kernels::validate_utf8::avx512::load::<fastutf::endian::Big>",
            "fastutf::api::large_input::sum::<fastutf::endian::ByteOrder>",
            "<core::str::Utf8Error as core::fmt::Debug>::fmt",
        ];
        let culprits = [
            "core::core_arch::x86::avx2::_mm256_add_epi8",
            "x::_mm_add_epi8",
            "<fastutf::simd::x86::avx512::Avx512 as fastutf::simd::Lanes>::load",
            "<fastutf::simd::x86::avx512::Avx512 as fastutf::simd::Simd>::load::<3>",
            "fastutf::kernels::validate_utf8::find::<fastutf::simd::x86::avx2::Avx2>",
            "fastutf::kernels::validate_utf8::with_features::{closure#0}",
            "<fastutf::simd::x86::avx2::Vector as core::ops::Add>::add",
            "core::hint::black_box::<fastutf::kernels::utf8_to_utf16::load::<u8>>",
        ];
        for name in fine {
            assert!(!is_culprit(name, &outlined), "{name}");
        }
        for name in culprits {
            assert!(is_culprit(name, &outlined), "{name}");
        }
    }
}
