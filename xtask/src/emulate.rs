//! Runs AVX-512's kernels on CPUs without it: in a copy of the library, the intrinsics are those of
//! `emulated/avx512.rs`, which are plain Rust.
//!
//! Three things are changed in the copy, in the files of AVX-512 alone. Intrinsics come from another module, functions
//! are not compiled for AVX-512 (this CPU could not run them), and its token can be created on every CPU. The kernels
//! themselves stay as they are.

#[cfg(all(test, target_arch = "x86_64"))]
#[path = "../emulated/avx512.rs"]
#[allow(unreachable_pub)]
mod avx512;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, ensure};
use proc_macro2::{TokenStream, TokenTree};

use crate::schemata::{Place, splice};
use crate::{copy, source};

/// Tests the kernels of AVX-512 on any x86-64 CPU: intrinsics are emulated in plain Rust
///
/// Runs the library's unit tests and its suite in a copy of the project, in target/emulated. They are slow there:
/// FASTUTF_TEST_THIN=N runs one case in N of the large loops; the default is 100.
#[derive(clap::Args)]
pub struct Options {
    /// For the tests: a filter, --skip, --nocapture
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    if !cfg!(target_arch = "x86_64") {
        println!("NOT TESTED: the kernels of AVX-512, whose emulation needs an x86-64 CPU");
        return Ok(());
    }
    let root = &source::root();
    let work = root.join("target/emulated");
    let emulation = Emulation::new(root)?;
    let copy = work.join("copy");
    copy::make(root, &copy, &|path| emulation.read(root, path).map(Some))?;
    emulation.write_module(&copy)?;
    let mut tests = source::cargo();
    tests.current_dir(&copy);
    // A folder of its own: cargo gives the copy's programs the names of the project's, and would run one for the other.
    tests.env("CARGO_TARGET_DIR", work.join("build"));
    tests
        .args(["test", "--package=fastutf", "--features=full", "--lib", "--test=suite", "--"])
        .args(options.arguments);
    if std::env::var_os("FASTUTF_TEST_THIN").is_none() {
        tests.env("FASTUTF_TEST_THIN", "100");
    }
    // The suite must fail if it does not test AVX-512.
    tests.env("FASTUTF_EXPECT_ISA", "avx512");
    ensure!(tests.status()?.success(), "emulate: the tests failed");
    Ok(())
}

/// The differences of the copy.
pub struct Emulation {
    module: String,
}

impl Emulation {
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        Ok(Self { module: source::read(&root.join("xtask/emulated/avx512.rs"))? })
    }

    /// Adds the emulated intrinsics to a copy.
    pub fn write_module(&self, copy: &Path) -> anyhow::Result<()> {
        copy::write_if_new(&copy.join("src/emulated.rs"), self.module.as_bytes())
    }

    /// The contents of a file in the copy. Lines keep their numbers.
    pub fn read(&self, root: &Path, path: &str) -> anyhow::Result<Vec<u8>> {
        self.applied(path, fs::read(root.join(path)).with_context(|| path.to_owned())?)
    }

    /// The same, of a file with these contents.
    pub fn applied(&self, path: &str, contents: Vec<u8>) -> anyhow::Result<Vec<u8>> {
        if !(path.starts_with("src/") && path.ends_with(".rs")) {
            return Ok(contents);
        }
        let text = String::from_utf8(contents)?;
        let text = if path == "src/lib.rs" { with_module(&text) } else { changed(path, &text) };
        Ok(text.with_context(|| path.to_owned())?.into_bytes())
    }
}

/// The crate with the module of the emulated intrinsics.
fn with_module(lib: &str) -> anyhow::Result<String> {
    const FIRST: &str = "#![no_std]\n";
    ensure!(lib.contains(FIRST), "`{}` is missing", FIRST.trim());
    let lib = lib.replacen(FIRST, "#![no_std] #![allow(unused)]\n", 1);
    Ok(lib + "\n#[allow(unsafe_code, missing_docs)]\nmod emulated;\n")
}

/// The module of AVX-512's token.
const TOKEN: &str = "src/simd/x86/avx512.rs";

fn changed(path: &str, text: &str) -> anyhow::Result<String> {
    let mut replacements = Replacements::default();
    replacements.find(text, source::tokens(text)?);
    let Replacements { mut ranges, tokens, names_avx512 } = replacements;
    // AVX-512's kernels are in files named after it, and all use the intrinsics of its token's file.
    if !path.ends_with("/avx512.rs") {
        ensure!(!names_avx512, "`#[target_feature]` names AVX-512, but only files named avx512.rs are emulated");
        return Ok(text.to_owned());
    }
    ensure!(path != TOKEN || tokens == 1, "`found.has(Set::Avx512)` must occur once, but occurs {tokens} times");
    ensure!(path == TOKEN || tokens == 0, "`found.has(Set::Avx512)` belongs in {TOKEN}");
    ranges.sort_by_key(|(range, _)| range.start);
    // Lines keep their numbers.
    let lines = |range: &Range<usize>| "\n".repeat(text[range.clone()].matches('\n').count());
    let replaced = |(range, new): (Range<usize>, &str)| {
        let edits = vec![(range.clone(), new.to_owned() + &lines(&range))];
        Place { range, edits }
    };
    let places: Vec<Place> = ranges.into_iter().map(replaced).collect();
    Ok(splice(text, &places.iter().map(|place| (place, 0)).collect::<Vec<_>>()).0)
}

/// The replacements in a file.
#[derive(Default)]
struct Replacements {
    ranges: Vec<(Range<usize>, &'static str)>,
    /// How often the token calls detection.
    tokens: usize,
    /// Whether a function is compiled for AVX-512.
    names_avx512: bool,
}

impl Replacements {
    /// Searches tokens, so that attributes and paths in macros are found as well, and those in comments and strings are
    /// not.
    fn find(&mut self, text: &str, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let range =
            |from: usize, to: usize| trees[from].span().byte_range().start..trees[to].span().byte_range().end;
        for k in 0..trees.len() {
            let starts_with = |words: &[&str]| {
                trees.len() - k >= words.len() && words.iter().zip(&trees[k..]).all(|(word, tree)| is(tree, word))
            };
            if let [first, TokenTree::Group(attribute), ..] = &trees[k..]
                && is(first, "#")
                && attribute.stream().into_iter().next().is_some_and(|name| is(&name, "target_feature"))
            {
                let range = range(k, k + 1);
                self.names_avx512 |= text[range.clone()].contains("avx512");
                self.ranges.push((range, ""));
            } else if starts_with(&["core", ":", ":", "arch", ":", ":", "x86_64"]) {
                self.ranges.push((range(k, k + 6), "crate::emulated"));
            } else if starts_with(&["found", ".", "has"])
                && let Some(TokenTree::Group(argument)) = trees.get(k + 3)
                && argument.stream().to_string().replace(' ', "") == "Set::Avx512"
            {
                self.tokens += 1;
                self.ranges.push((range(k, k + 3), "true"));
            }
            if let TokenTree::Group(group) = &trees[k] {
                self.find(text, group.stream());
            }
        }
    }
}

fn is(tree: &TokenTree, word: &str) -> bool {
    match tree {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Punct(punct) => word.len() == 1 && word.starts_with(punct.as_char()),
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// Whether the CPU has all features that AVX-512's kernels need.
pub fn is_here() -> bool {
    #[cfg(target_arch = "x86_64")]
    macro_rules! has {
        ($($feature:tt)*) => { true $(&& is_x86_feature_detected!($feature))* };
    }
    #[cfg(target_arch = "x86_64")]
    return has!(
        "avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512vbmi" "avx512vbmi2" "avx512bitalg" "gfni" "bmi1" "bmi2"
        "lzcnt" "popcnt"
    );
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(test)]
mod rewriting {
    use super::changed;

    #[test]
    fn what_is_changed() {
        let text = r#"#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
macro_rules! proven {
    ($($function:tt)*) => {
        #[target_feature(
            enable = "avx512f,avx512bw"
        )]
        $($function)*
    };
}
#[inline]
#[target_feature(enable = "avx512bw")] // core::arch::x86_64
fn f() -> &'static str { "core::arch::x86_64 #[target_feature(enable = \"avx512bw\")]" }
"#;
        let want = text
            .replace("use core::arch::x86_64", "use crate::emulated")
            .replace(
                "\n        #[target_feature(\n            enable = \"avx512f,avx512bw\"\n        )]",
                "\n        \n\n",
            )
            .replace("\n#[target_feature(enable = \"avx512bw\")]", "\n");
        assert_eq!(changed("src/kernels/count/avx512.rs", text).unwrap(), want);
        let token = "fn new(found: Found) { found.has(Set::Avx512).then_some(Self(())) }";
        let want = "fn new(found: Found) { true.then_some(Self(())) }";
        assert_eq!(changed("src/simd/x86/avx512.rs", token).unwrap(), want);
    }

    #[test]
    fn what_is_not() {
        let avx2 = "use core::arch::x86_64::*; #[target_feature(enable = \"avx2\")] fn f() {}";
        assert_eq!(changed("src/simd/x86/avx2.rs", avx2).unwrap(), avx2);
    }

    #[test]
    fn what_is_refused() {
        let elsewhere = "#[target_feature(enable = \"avx512bw\")] fn f() {}";
        assert!(changed("src/kernels/count/mod.rs", elsewhere).is_err());
        assert!(changed("src/simd/x86/avx512.rs", "fn new() -> Option<Self> { None }").is_err());
        assert!(changed("src/kernels/avx512.rs", "fn f() { found.has(Set::Avx512) }").is_err());
    }
}
