//! Counts `unsafe`, also in the library for C, the Python package and the adapters for Arrow and tokio. If a file has more than SAFETY.md says, it must be reviewed; if it has less, correct the number
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, ensure};
use proc_macro2::{TokenStream, TokenTree};

use crate::source;

/// Compares how often each file of src/, capi/src/, python/src/, engines/arrow/src/ and tokio/src/ contains `unsafe` with the tables in SAFETY.md
#[derive(clap::Args)]
pub struct Options {}

const FOLDERS: [&str; 6] = ["src", "build.rs", "capi/src", "python/src", "engines/arrow/src", "tokio/src"];

type Counts = BTreeMap<String, usize>;

pub fn run(_: Options) -> anyhow::Result<()> {
    let root = source::root();
    let reviewed = reviewed(&source::read(&root.join("SAFETY.md"))?);
    let mut found = Counts::new();
    for path in FOLDERS {
        for file in source::files(&root.join(path), ".rs")? {
            let tokens = source::tokens(&source::read(&file)?).with_context(|| file.display().to_string())?;
            let count = count(tokens);
            if count > 0 {
                found.insert(name(file.strip_prefix(&root)?), count);
            }
        }
    }
    ensure!(!reviewed.is_empty() && !found.is_empty(), "unsafe: nothing to compare: is this the right thing?");
    let differences = differences(&reviewed, &found);
    ensure!(differences.is_empty(), "unsafe: review, and correct SAFETY.md:\n  {}", differences.join("\n  "));
    println!("unsafe: {} in {} files, as reviewed", found.values().sum::<usize>(), found.len());
    Ok(())
}

/// The path with slashes, on any system.
fn name(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// How often the keyword occurs in code, including macros and attributes.
fn count(tokens: TokenStream) -> usize {
    let one = |token| match token {
        TokenTree::Ident(ident) => usize::from(ident == "unsafe"),
        TokenTree::Group(group) => count(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => 0,
    };
    tokens.into_iter().map(one).sum()
}

/// Rows such as: | `src/api.rs` | 12 | what for |
fn reviewed(text: &str) -> Counts {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let file = cells.next()?.trim_end().strip_suffix('`')?;
        let count = cells.next()?.trim().parse().ok()?;
        FOLDERS.iter().any(|start| file.starts_with(start)).then(|| (file.to_owned(), count))
    };
    text.lines().filter_map(row).collect()
}

fn differences(reviewed: &Counts, found: &Counts) -> Vec<String> {
    let files: BTreeSet<&String> = reviewed.keys().chain(found.keys()).collect();
    let told = |file| {
        let (said, is) = (reviewed.get(file).copied().unwrap_or(0), found.get(file).copied().unwrap_or(0));
        (said != is).then(|| format!("{file}: {said} reviewed, {is} there"))
    };
    files.into_iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_counted_and_nothing_else() {
        let code = r####"
            //! unsafe
            /* unsafe /* unsafe */ */
            /// unsafe
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn unsafe_one(r#unsafe: u8) -> &'static str {
                let _ = ("unsafe \" unsafe", r#"unsafe " unsafe"#, '"', b'"', "over
                    several unsafe lines", not_unsafe());
                m!(unsafe { f("unsafe") });
                macro_rules! m { ($x:expr) => { unsafe { $x } } }
                unsafe { g() }
            }
        "####;
        assert_eq!(count(source::tokens(code).unwrap()), 5);
    }

    #[test]
    fn whatever_differs_is_reported() {
        let reviewed = reviewed(
            "| file | `unsafe` | what for |\n|---|---|---|\n| `src/a.rs` | 2 | x |\n| `src/b/c.rs` | 3 | y |\n\
             | `build.rs` | 1 | z |\n| `src/gone.rs` | 1 | | \n| `scripts/x` | 4 | |\n| `capi/src/x.rs` | 1 | |",
        );
        let found = [("src/a.rs", 2), ("src/b/c.rs", 4), ("src/new.rs", 1)];
        let found = found.map(|(file, count)| (file.to_owned(), count)).into();
        assert_eq!(
            differences(&reviewed, &found),
            [
                "build.rs: 1 reviewed, 0 there",
                "capi/src/x.rs: 1 reviewed, 0 there",
                "src/b/c.rs: 3 reviewed, 4 there",
                "src/gone.rs: 1 reviewed, 0 there",
                "src/new.rs: 0 reviewed, 1 there",
            ]
        );
    }
}
