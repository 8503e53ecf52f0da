//! An operation is complete if it has a row in the races with an earlier build, a fuzz target, tests with an oracle, and
//! documentation.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source;

/// Lists the operations that are not raced, or have no fuzz target, no test, no row in a table or in the changelog
#[derive(clap::Args)]
pub struct Options {}

/// Where operations are declared, by `operations! { fn NAME(…) … }`.
const SOURCE: &str = "src";
const MACRO: &str = "operations";

/// Files in which each operation must occur.
struct Place {
    /// What is missing if it does not occur there.
    what: &'static str,
    /// Files and folders, and the ending of the names of files in folders.
    paths: &'static [(&'static str, &'static str)],
    /// Whether to look for uses in code, rather than for words of a text.
    code: bool,
    /// Maps operations to a name. One operation with the same name is enough.
    family: fn(&str) -> String,
    /// Exceptions, with the reason.
    except: &'static [(&'static str, &'static str)],
}

const PLACES: [Place; 6] = [
    Place { what: "test", paths: &[("tests/suite", ".rs")], code: true, family: str::to_owned, except: &[] },
    Place {
        what: "test between guard pages",
        paths: &[("tests/suite/guard_pages.rs", "")],
        code: true,
        family: accesses,
        except: &[],
    },
    Place {
        what: "fuzz target",
        // Targets compile the others, too.
        paths: &[
            ("fuzz/src", ".rs"),
            ("tests/suite/common/latin1.rs", ""),
            ("tests/suite/common/narrowest.rs", ""),
            ("tests/suite/common/narrowest_chars.rs", ""),
            ("tests/suite/common/utf32.rs", ""),
            ("tests/suite/common/utf32_latin1.rs", ""),
            ("tests/suite/common/wtf8.rs", ""),
        ],
        code: true,
        family: called,
        except: &[],
    },
    Place {
        what: "row in the races with an earlier build",
        paths: &[("compare/src/before.rs", "")],
        code: true,
        family,
        except: &[
            ("from_utf8_mut", "validate_utf8, and a cast"),
            ("string_from_utf8", "validate_utf8, and a cast"),
        ],
    },
    Place {
        what: "row in README.md, docs/ or the front page of src/lib.rs",
        paths: &[("README.md", ""), ("docs", ".md"), ("src/lib.rs", "")],
        code: false,
        family: described,
        except: &[],
    },
    Place {
        what: "row in CHANGELOG.md",
        paths: &[("CHANGELOG.md", "")],
        code: false,
        family: described,
        except: &[],
    },
];

/// The operation that does the work: the variants `_uninit` and `_counted` share their code with the others.
fn called(name: &str) -> String {
    name.trim_end_matches("_uninit").trim_end_matches("_counted").to_owned()
}

/// The same name for both byte orders, and for all kinds of outputs.
fn family(name: &str) -> String {
    let name = called(name.trim_end_matches("_append"));
    let name = name.replace("utf16le", "utf16").replace("utf16be", "utf16");
    name.replace("utf32le", "utf32").replace("utf32be", "utf32")
}

/// The operation that accesses the memory: operations that return or fill a `Vec` or a `String` call one that fills a
/// slice, and operations that borrow call one that validates.
fn accesses(name: &str) -> String {
    let name = called(name.trim_end_matches("_append")).replace("str_to_", "to_");
    match name.split_once('_') {
        Some(("to", "chars")) => "utf8_to_utf32".to_owned(),
        Some(("to", utf16)) => format!("utf8_to_{utf16}"),
        Some(("from", "chars")) => "utf32_to_utf8".to_owned(),
        Some(("from", utf16)) if utf16.starts_with("utf16") || utf16.starts_with("utf32") => {
            match utf16.split_once('_') {
                Some((utf16, lossy)) => format!("{utf16}_to_utf8_{lossy}"),
                None => format!("{utf16}_to_utf8"),
            }
        }
        Some(("decode", "lossy")) => "utf8_to_utf8_lossy".to_owned(),
        _ if name == "decode" => "from_utf8".to_owned(),
        _ => match name.trim_start_matches("string_") {
            "from_utf8_lossy" => "utf8_to_utf8_lossy".to_owned(),
            name => name.to_owned(),
        },
    }
}

/// The name under which the documentation describes an operation. It describes the names of variants only once, and so
/// the suffix `_lossy` of predicted lengths.
fn described(name: &str) -> String {
    let name = family(name);
    if name.contains("_len_from_") { name.trim_end_matches("_lossy").to_owned() } else { name }
}

/// Where the operations on columns are declared, by `pub fn NAME`, or `fn NAME` in a macro.
const COLUMNS: &str = "src/columns";

/// Tests, tests between guard pages and fuzz targets of columns all call one function, which calls every operation.
const COLUMN_PLACES: [Place; 4] = [
    Place {
        what: "test, nor fuzz target",
        paths: &[("tests/suite/common/columns.rs", "")],
        code: true,
        family: column_in_vectors,
        except: &[],
    },
    Place {
        what: "row in the race of columns",
        paths: &[("compare/src/operation/columns.rs", "")],
        code: true,
        family: column_kernel,
        except: &[
            ("validate_utf8_views", "validate_utf8"),
            ("utf8_to_utf8_views", "utf8_to_utf8, and views"),
            ("utf16le_to_utf8_views", "utf16le_to_utf8, and views"),
            ("utf16be_to_utf8_views", "utf16be_to_utf8, and views"),
            ("utf8_or_null", "utf8_lossy, with less to write"),
        ],
    },
    Place {
        what: "row in docs/columns.md",
        paths: &[("docs/columns.md", "")],
        code: false,
        family: whole_column,
        except: &[],
    },
    Place {
        what: "row in CHANGELOG.md",
        paths: &[("CHANGELOG.md", "")],
        code: false,
        family: whole_column,
        except: &[],
    },
];

/// Where the methods of an index of positions are declared, by `    pub fn NAME`.
const POSITIONS: &str = "src/positions";

/// Tests, tests between guard pages and fuzz targets of positions all call one function, which calls every method.
const POSITION_PLACES: [Place; 3] = [
    Place {
        what: "test, nor fuzz target",
        paths: &[("tests/suite/common/positions.rs", "")],
        code: true,
        family: str::to_owned,
        except: &[
            ("new", "with_isa, with the best instruction set"),
            ("with_isa", "called by the tests that call this function"),
            ("stored", "a test of its own"),
            ("name", "in its example"),
        ],
    },
    Place {
        what: "row in docs/positions.md",
        paths: &[("docs/positions.md", "")],
        code: false,
        family: str::to_owned,
        except: &[],
    },
    Place {
        what: "row in CHANGELOG.md",
        paths: &[("CHANGELOG.md", "")],
        code: false,
        family: str::to_owned,
        except: &[
            ("with_isa", "Index"),
            ("len", "Index"),
            ("is_empty", "Index"),
            ("stored", "Index"),
            ("name", "Encoding"),
        ],
    },
];

/// The form that returns a column and the one that appends to one are the same operation.
fn column_in_vectors(name: &str) -> String {
    name.trim_end_matches("_append").to_owned()
}

/// So is the one that fills the caller's memory, but for tests.
fn whole_column(name: &str) -> String {
    column_in_vectors(name).trim_end_matches("_into").to_owned()
}

/// The same name for what is one loop with another kernel, or with another byte order.
fn column_kernel(name: &str) -> String {
    let name = whole_column(name).replace("utf16be", "utf16le");
    match name.as_str() {
        "validate_utf16le" => "validate_utf8".to_owned(),
        name if name.contains("_len_from_") || name.starts_with("count_chars") => "count_chars_utf8".to_owned(),
        _ => name,
    }
}

/// The public functions on columns.
fn on_columns(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for path in source::files(&root.join(COLUMNS), ".rs")? {
        for line in source::read(&path)?.lines() {
            let in_macro =
                line.strip_prefix("    fn ").filter(|line| line.contains("_append(") || line.contains("(Kind::"));
            let Some(rest) = line.strip_prefix("pub fn ").or(in_macro) else { continue };
            // Before the arguments: one name or two.
            let declared = rest.split(['(', '<']).next().unwrap_or_default();
            names.extend(declared.split(", ").map(str::to_owned));
        }
    }
    ensure!(
        names.len() > 10,
        "only {} functions in {COLUMNS}: does this still look for the right thing?",
        names.len()
    );
    Ok(names.into_iter().collect())
}

/// The public methods of positions.
fn on_positions(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for path in source::files(&root.join(POSITIONS), ".rs")? {
        for line in source::read(&path)?.lines() {
            let declared = line.strip_prefix("    pub fn ").or(line.strip_prefix("    pub const fn "));
            names.extend(declared.and_then(|rest| rest.split(['(', '<']).next()).map(str::to_owned));
        }
    }
    ensure!(
        names.len() > 10,
        "only {} methods in {POSITIONS}: does this still look for the right thing?",
        names.len()
    );
    Ok(names.into_iter().collect())
}

pub fn run(_: Options) -> anyhow::Result<()> {
    let root = source::root();
    let (operations, columns, positions) = (all(&root)?, on_columns(&root)?, on_positions(&root)?);
    let mut lacks = Vec::new();
    for (places, operations) in
        [(&PLACES[..], &operations), (&COLUMN_PLACES[..], &columns), (&POSITION_PLACES[..], &positions)]
    {
        for place in places {
            let words = place.words(&root)?;
            lacks.extend(place.lacks(operations, &words));
        }
    }
    ensure!(lacks.is_empty(), "operations:\n  {}", lacks.join("\n  "));
    println!(
        "operations: {}, {} on columns and {} on positions, each with a test, one between guard pages, a fuzz target, a \
         race, and documentation",
        operations.len(),
        columns.len(),
        positions.len()
    );
    Ok(())
}

/// The names of all operations of the library in a folder.
pub fn all(library: &Path) -> anyhow::Result<Vec<String>> {
    let mut operations = Vec::new();
    for path in source::files(&library.join(SOURCE), ".rs")? {
        let tokens = source::tokens(&source::read(&path)?).with_context(|| path.display().to_string())?;
        declared(tokens, &mut operations);
    }
    ensure!(!operations.is_empty(), "no `{MACRO}!` in {SOURCE}/: does this still look for the right thing?");
    Ok(operations)
}

/// The functions in all `operations! { … }`.
fn declared(tokens: TokenStream, operations: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(ident), TokenTree::Punct(punct), TokenTree::Group(group)] = window
            && *ident == MACRO
            && punct.as_char() == '!'
        {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            operations.extend(inside.windows(2).filter_map(|window| match window {
                [TokenTree::Ident(keyword), TokenTree::Ident(name)] if *keyword == "fn" => Some(name.to_string()),
                _ => None,
            }));
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            declared(group.stream(), operations);
        }
    }
}

/// Collects the names in `isa.NAME(`, `index.NAME(`, `Isa::SCALAR.NAME(`, `Isa::best().NAME(`, `Isa::NAME` and `fastutf::NAME`, names
/// between the commas of a macro's arguments, names in a macro whose arguments are only names, and those in a table, after
/// `(…)[…]:`. Others may be methods and fields of the same name.
fn uses(tokens: TokenStream, in_macro: bool, words: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: Option<usize>, is: &dyn Fn(&TokenTree) -> bool| at.and_then(|at| tokens.get(at)).is_some_and(is);
    let ident = |at: Option<usize>, names: &[&str]| {
        is(at, &|token| matches!(token, TokenTree::Ident(ident) if names.iter().any(|name| ident == name)))
    };
    let punct = |at: Option<usize>, char| {
        is(at, &|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == char))
    };
    let group = |at: Option<usize>, delimiter| {
        is(at, &|token| matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter))
    };
    let only_names = in_macro && tokens.iter().all(|token| matches!(token, TokenTree::Ident(_)));
    for (at, token) in tokens.iter().enumerate() {
        let (next, back) = (Some(at + 1), |by| at.checked_sub(by));
        match token {
            TokenTree::Group(inside) => {
                let in_macro = punct(back(1), '!')
                    || punct(back(2), '!') && is(back(1), &|token| matches!(token, TokenTree::Ident(_)));
                uses(inside.stream(), in_macro, words);
            }
            TokenTree::Ident(name) => {
                let method = group(next, Delimiter::Parenthesis)
                    && punct(back(1), '.')
                    && (ident(back(2), &["index", "isa", "SCALAR"])
                        || group(back(2), Delimiter::Parenthesis) && ident(back(3), &["best"]));
                let path = punct(back(1), ':') && ident(back(3), &["Isa", "columns", "fastutf"]);
                let argument = only_names
                    || in_macro
                        && (at == 0 || punct(back(1), ','))
                        && (at + 1 == tokens.len() || punct(next, ','));
                // Nothing else in Rust looks like this.
                let names =
                    tokens[..at].iter().rev().take_while(|token| matches!(token, TokenTree::Ident(_))).count();
                let row = punct(back(names + 1), ':')
                    && group(back(names + 2), Delimiter::Bracket)
                    && group(back(names + 3), Delimiter::Parenthesis);
                if method || path || argument || row {
                    words.insert(name.to_string());
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

impl Place {
    /// All words of its files.
    fn words(&self, root: &Path) -> anyhow::Result<BTreeSet<String>> {
        let mut words = BTreeSet::new();
        for (path, ending) in self.paths {
            for file in source::files(&root.join(path), ending)? {
                let mut text = source::read(&file)?;
                if !self.code && file.extension().is_some_and(|extension| extension == "rs") {
                    text = text.lines().filter(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n");
                }
                self.add(&text, &mut words).with_context(|| file.display().to_string())?;
            }
        }
        Ok(words)
    }

    fn add(&self, text: &str, words: &mut BTreeSet<String>) -> anyhow::Result<()> {
        if self.code {
            uses(source::tokens(text)?, false, words);
            return Ok(());
        }
        for line in text.lines() {
            // `from_utf16[le/be]_lossy` stands for `from_utf16_lossy`.
            let line = line.replace("[le/be]", "");
            words.extend(line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
        }
        Ok(())
    }

    fn lacks(&self, operations: &[String], words: &BTreeSet<String>) -> Vec<String> {
        let families: BTreeSet<String> =
            operations.iter().filter(|name| words.contains(*name)).map(|name| (self.family)(name)).collect();
        let found = |name: &str| families.contains(&(self.family)(name));
        let excepted = |name: &str| self.except.iter().any(|(except, _)| *except == name);
        let lacking = operations.iter().filter(|name| !found(name) && !excepted(name));
        let mut lacks: Vec<String> = lacking.map(|name| format!("{name} has no {}", self.what)).collect();
        for (name, reason) in self.except {
            if found(name) || !operations.iter().any(|operation| operation == name) {
                lacks.push(format!("{name} need not be an exception any more ({}): {reason}", self.what));
            }
        }
        lacks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn operations_are_found_wherever_they_are_declared() {
        let code = "
            macro_rules! operations { ($(fn $name:ident)*) => { fn not_one() {} } }
            operations! {
                /// fn nor_this
                #[must_use]
                fn one(isa, src: &[u8]) -> usize { fn inner() {} inner() }
                fn two(isa) { }
            }
            mod inside { operations! { fn three(isa) {} } }
            fn nor_that() {}
        ";
        let mut found = Vec::new();
        declared(source::tokens(code).unwrap(), &mut found);
        assert_eq!(found, ["one", "two", "three"]);
    }

    /// In each place, missing operations are reported, even if their name occurs with another meaning.
    #[test]
    fn a_lack_of_each_kind_is_reported() {
        let operations = names(&["validate_utf8", "to_utf16", "to_utf16le"]);
        for place in &PLACES {
            let mut words = BTreeSet::new();
            let text = if place.code {
                "// to_utf16, to_utf16le\nfn to_utf16() { g!(isa, validate_utf8, \"to_utf16\"); x.to_utf16(); (isa.to_utf16)(); simdutf::to_utf16le }"
            } else {
                "[`validate_utf8`], and not_to_utf16, to_utf16s"
            };
            place.add(text, &mut words).unwrap();
            let lacks = Place { except: &[], ..*place }.lacks(&operations, &words);
            assert_eq!(lacks, ["to_utf16", "to_utf16le"].map(|name| format!("{name} has no {}", place.what)));
        }
    }

    #[test]
    fn siblings_do_where_the_texts_say_so_and_nowhere_else() {
        let operations =
            names(&["a_utf16_lossy", "a_utf16le_lossy_append", "a_utf16_lossy_counted", "b_utf16_uninit"]);
        let words = BTreeSet::from(
            names(&["a_utf16_lossy", "b_utf16"]).try_into().unwrap_or([const { String::new() }; 2]),
        );
        let lacks = |place: &Place| Place { except: &[], ..*place }.lacks(&operations, &words).len();
        assert_eq!(PLACES.each_ref().map(lacks), [3, 2, 2, 1, 1, 1]);
    }

    #[test]
    fn what_accesses_the_memory_is_another_operation() {
        for (name, accessing) in [
            ("str_to_utf16le_append", "utf8_to_utf16le"),
            ("from_utf16be_lossy_counted", "utf16be_to_utf8_lossy"),
            ("from_utf16", "utf16_to_utf8"),
            ("string_from_utf8_lossy", "utf8_to_utf8_lossy"),
            ("decode_lossy_counted", "utf8_to_utf8_lossy"),
            ("utf16_len_from_utf8_lossy", "utf16_len_from_utf8_lossy"),
            ("swap_utf16_bytes", "swap_utf16_bytes"),
        ] {
            assert_eq!(accesses(name), accessing, "{name}");
        }
    }

    #[test]
    fn uses_are_told_from_what_has_the_same_name() {
        let mut words = BTreeSet::new();
        let code = "
            fn no1() { let no2 = x.no3(no4); self.no5 }
            fn f() { isa.a(b); Isa::b; fastutf::c(x); Isa::SCALAR.d(); Isa::best().e(); h!(f, |g| (x.no6)(g)); isa.no7; i!(i j); k!(no8 = no9) }
            l! { inside { value(no10)[no11 => no12]: k; fill(no13)[]: l m; no15(no16): no17; no18[]: no19; } }
        ";
        uses(source::tokens(code).unwrap(), false, &mut words);
        assert_eq!(
            Vec::from_iter(words),
            ["SCALAR", "a", "b", "best", "c", "d", "e", "f", "i", "j", "k", "l", "m"]
        );
    }

    #[test]
    fn an_exception_that_is_none_is_reported() {
        let place = Place { except: &[("one", "of a kind"), ("gone", "for good")], ..PLACES[0] };
        let words = BTreeSet::from(["one".to_owned()]);
        assert_eq!(place.lacks(&names(&["one"]), &words).len(), 2);
        assert_eq!(place.lacks(&names(&["one"]), &BTreeSet::new()).len(), 1);
    }
}
