//! An operation is complete if it has a race with its earlier self, a fuzz target, tests with an oracle, and documentation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source;

/// Lists the operations that have no test, no fuzz target, no race with earlier ones, no row in a table or in the changelog
#[derive(clap::Args)]
pub struct Options {}

/// Declares operations: `operations! { fn NAME(…) … }`.
const MACRO: &str = "operations";
/// Tables of conversions: `strict! { … { utf8 => utf16 [ByteOrder::NATIVE]: NAME, NAME, NAME; } }`.
const TABLES: [&str; 4] = ["in_orders", "infallible", "lossy", "strict"];

/// Files in which each operation must occur.
struct Place {
    /// What is missing if it does not occur there.
    what: &'static str,
    /// Files, and folders of such files.
    paths: &'static str,
    /// Whether to look for uses in code, rather than for words of a text.
    code: bool,
    /// Maps operations to a name. One operation with the same name is enough.
    family: fn(&str) -> String,
    except: &'static str,
}

const fn code(what: &'static str, paths: &'static str, family: fn(&str) -> String, except: &'static str) -> Place {
    Place { what, paths, code: true, family, except }
}

const fn text(what: &'static str, paths: &'static str, family: fn(&str) -> String, except: &'static str) -> Place {
    Place { what, paths, code: false, family, except }
}

/// Fuzz targets and races compile some files of the suite, too. The races leave out what is `validate_…` and a cast.
const PLACES: [Place; 6] = [
    code("test", "tests/suite", str::to_owned, ""),
    code("test between guard pages", "tests/suite/guard_pages.rs tests/suite/common/conversions.rs", accesses, ""),
    code(
        "fuzz target",
        "fuzz/src tests/suite/common/conversions.rs tests/suite/common/latin1.rs tests/suite/common/narrowest.rs \
         tests/suite/common/narrowest_chars.rs tests/suite/common/utf32.rs tests/suite/common/utf32_latin1.rs tests/suite/common/wtf8.rs",
        called,
        "",
    ),
    code(
        "row in the races with an earlier build",
        "compare/src/before.rs tests/suite/common/conversions.rs",
        family,
        "from_utf8_mut string_from_utf8",
    ),
    text(
        "row in README.md, docs/ or the front page of src/lib.rs",
        "README.md docs src/lib.rs src/api",
        described,
        "",
    ),
    text("row in CHANGELOG.md or docs/forms.md", "CHANGELOG.md docs/forms.md", listed, ""),
];

/// Tests, tests between guard pages and fuzz targets of columns all call one function, which calls every operation.
const COLUMN_PLACES: [Place; 4] = [
    code("test, nor fuzz target", "tests/suite/common/columns.rs", column_in_vectors, ""),
    code(
        "row in the race of columns",
        "compare/src/operation/columns.rs",
        column_kernel,
        // Others, and views; `utf8_lossy`, with less to write.
        "validate_utf8_views utf8_to_utf8_views utf16le_to_utf8_views utf16be_to_utf8_views utf8_or_null",
    ),
    text("row in docs/columns.md", "docs/columns.md", whole_column, ""),
    text("row in CHANGELOG.md", "CHANGELOG.md", whole_column, ""),
];

/// Those of positions call one function, too, which calls every method but those that make an index or only show
/// something.
const POSITION_PLACES: [Place; 3] = [
    code("test, nor fuzz target", "tests/suite/common/positions.rs", str::to_owned, "new with_isa stored"),
    text("row in docs/positions.md", "docs/positions.md", str::to_owned, ""),
    text("row in CHANGELOG.md", "CHANGELOG.md", str::to_owned, "with_isa len is_empty stored"),
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

/// The operation that accesses the memory: what returns or fills a `Vec` or a `String`, or borrows, calls a conversion of the
/// tests' table, or one that validates.
fn accesses(name: &str) -> String {
    let calls = ["to_", "from_", "string_from_", "decode"].iter().any(|start| name.starts_with(start));
    if calls || name.ends_with("_append") {
        "utf8_to_utf16".to_owned()
    } else {
        called(name).replace("str_to_", "utf8_to_")
    }
}

/// The name under which the documentation describes an operation. It describes the names of variants only once, and so
/// the suffix `_lossy` of predicted lengths.
fn described(name: &str) -> String {
    let name = family(name);
    if name.contains("_len_from_") { name.trim_end_matches("_lossy").to_owned() } else { name }
}

/// The same for all conversions between two forms: that `docs/forms.md` has each pair is a test of the suite.
fn listed(name: &str) -> String {
    if name.contains("_to_") && !name.starts_with("str_") { "utf8_to_utf16le".to_owned() } else { described(name) }
}

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

/// The public functions on columns: `pub fn NAME`, or `fn NAME` or `fn NAME, NAME` in a macro.
fn column(line: &str) -> Option<&str> {
    let in_macro =
        || line.strip_prefix("    fn ").filter(|line| line.contains("_append(") || line.contains("(Direction::"));
    line.strip_prefix("pub fn ").or_else(in_macro)
}

/// The public methods of positions.
fn position(line: &str) -> Option<&str> {
    line.strip_prefix("    pub fn ").or_else(|| line.strip_prefix("    pub const fn "))
}

/// The names that the lines of a folder declare.
fn in_lines(folder: &Path, declared: fn(&str) -> Option<&str>) -> anyhow::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for path in source::files(folder, ".rs")? {
        for rest in source::read(&path)?.lines().filter_map(declared) {
            names.extend(rest.split(['(', '<']).take(1).flat_map(|names| names.split(", ")).map(str::to_owned));
        }
    }
    let count = names.len();
    ensure!(count > 10, "only {count} in {}: does this still look for the right thing?", folder.display());
    Ok(names.into_iter().collect())
}

pub fn run(_: Options) -> anyhow::Result<()> {
    let root = source::root();
    let operations = all(&root)?;
    let (columns, positions) =
        (in_lines(&root.join("src/columns"), column)?, in_lines(&root.join("src/positions"), position)?);
    let mut lacks = Vec::new();
    for (places, operations) in
        [(&PLACES[..], &operations), (&COLUMN_PLACES[..], &columns), (&POSITION_PLACES[..], &positions)]
    {
        for place in places {
            lacks.extend(place.lacks(operations, &place.words(&root)?));
        }
    }
    ensure!(lacks.is_empty(), "operations:\n  {}", lacks.join("\n  "));
    let counts = (operations.len(), columns.len(), positions.len());
    println!("operations: {} are complete, and {} on columns and {} on positions", counts.0, counts.1, counts.2);
    Ok(())
}

/// The names of all operations of the library in a folder.
pub fn all(library: &Path) -> anyhow::Result<Vec<String>> {
    let mut operations = Vec::new();
    for path in source::files(&library.join("src"), ".rs")? {
        let tokens = source::tokens(&source::read(&path)?).with_context(|| path.display().to_string())?;
        declared(tokens, &mut operations);
    }
    ensure!(!operations.is_empty(), "no `{MACRO}!` in src/: does this still look for the right thing?");
    Ok(operations)
}

/// The functions in all `operations! { … }`, and those in the rows of all tables.
fn declared(tokens: TokenStream, operations: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for window in tokens.windows(3) {
        let [TokenTree::Ident(ident), TokenTree::Punct(punct), TokenTree::Group(group)] = window else { continue };
        if punct.as_char() != '!' {
            continue;
        }
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        if *ident == MACRO {
            operations.extend(inside.windows(2).filter_map(|window| match window {
                [TokenTree::Ident(keyword), TokenTree::Ident(name)] if *keyword == "fn" => Some(name.to_string()),
                _ => None,
            }));
        } else if TABLES.iter().any(|table| ident == table) {
            for window in inside.windows(2) {
                if let [TokenTree::Punct(punct), TokenTree::Group(rows)] = window
                    && punct.as_char() == ';'
                {
                    // The names are what is between the last `:` of each row and its `;`. Documentation is a group.
                    let tokens = rows.stream().into_iter().filter(|token| !matches!(token, TokenTree::Group(_)));
                    let text: String = tokens.map(|token| token.to_string()).collect();
                    let rows = text.split_terminator(';').filter_map(|row| row.rsplit(':').next());
                    operations.extend(rows.flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()));
                }
            }
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            declared(group.stream(), operations);
        }
    }
}

/// Collects the names in `isa.NAME(`, `index.NAME(`, `Isa::SCALAR.NAME(`, `Isa::best().NAME(`, `Isa::NAME` and `fastutf::NAME`, names
/// between the commas of a macro's arguments, names in a macro, or in parentheses there, where there are only names, and those
/// in a table, after `(…)[…]:`. Others may be methods and fields of the same name.
fn uses(tokens: TokenStream, in_macro: bool, words: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let short: Vec<String> = tokens
        .iter()
        .map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => "()".to_owned(),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => "[]".to_owned(),
            TokenTree::Group(_) => "{}".to_owned(),
            token => token.to_string(),
        })
        .collect();
    let only_names = in_macro && tokens.iter().all(|token| matches!(token, TokenTree::Ident(_)));
    for (at, token) in tokens.iter().enumerate() {
        let back = |by| at.checked_sub(by).map_or("", |at| short[at].as_str());
        let next = short.get(at + 1).map_or("", String::as_str);
        match token {
            TokenTree::Group(inside) => {
                let is_macro = back(1) == "!" || back(2) == "!" && back(1).starts_with(char::is_alphabetic);
                let text = inside.stream().to_string();
                let is_list = in_macro && text.contains(' ') && !text.contains(',');
                uses(inside.stream(), is_macro || is_list, words);
            }
            TokenTree::Ident(name) => {
                let of_value =
                    ["index", "isa", "SCALAR"].contains(&back(2)) || back(2) == "()" && back(3) == "best";
                let method = next == "()" && back(1) == "." && of_value;
                // `(…)[…]: NAME NAME …`: nothing else in Rust looks like this.
                let names = (1..).take_while(|&by| back(by).starts_with(char::is_alphabetic)).count();
                let row = back(names + 1) == ":" && back(names + 2) == "[]" && back(names + 3) == "()";
                let path = back(1) == ":" && ["Isa", "columns", "fastutf"].contains(&back(3));
                let argument = in_macro && ["", ","].contains(&back(1)) && ["", ","].contains(&next);
                words.extend((method || row || path || argument || only_names).then(|| name.to_string()));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

impl Place {
    /// All words of its files.
    fn words(&self, root: &Path) -> anyhow::Result<BTreeSet<String>> {
        let mut words = BTreeSet::new();
        for path in self.paths.split_whitespace() {
            let is_text =
                |file: &PathBuf| file.extension().is_some_and(|extension| extension == "md" || extension == "rs");
            for file in
                source::files(&root.join(path), if self.code { ".rs" } else { "" })?.into_iter().filter(is_text)
            {
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
        let excepted = |name: &str| self.except.split_whitespace().any(|except| except == name);
        let lacking = operations.iter().filter(|name| !found(name) && !excepted(name));
        let mut lacks: Vec<String> = lacking.map(|name| format!("{name} has no {}", self.what)).collect();
        let known = |name: &str| operations.iter().any(|operation| operation == name);
        let needless = self.except.split_whitespace().filter(|name| found(name) || !known(name));
        lacks.extend(needless.map(|name| format!("{name} need not be an exception any more ({})", self.what)));
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
            strict! { in \"fastutf\";
                utf8_to_utf16_bytes -> Utf8Error, plain;
                length(isa, order, src): max src.len(), count { let len: usize = 0; len };
                {
                    /// [`four`](fn@crate::four)
                    utf8 => utf16 [ByteOrder::NATIVE]: four, five;
                    utf8 => latin1 [] (replacement): six;
                }
            }
            fn nor_that() {}
        ";
        let mut found = Vec::new();
        declared(source::tokens(code).unwrap(), &mut found);
        assert_eq!(found, ["one", "two", "four", "five", "six", "three"]);
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
            let lacks = Place { except: "", ..*place }.lacks(&operations, &words);
            assert_eq!(lacks, ["to_utf16", "to_utf16le"].map(|name| format!("{name} has no {}", place.what)));
        }
    }

    #[test]
    fn siblings_do_where_the_texts_say_so_and_nowhere_else() {
        let operations =
            names(&["a_utf16_lossy", "a_utf16le_lossy_append", "a_utf16_lossy_counted", "b_utf16_uninit"]);
        let words = BTreeSet::from_iter(names(&["a_utf16_lossy", "b_utf16"]));
        let lacks = |place: &Place| Place { except: "", ..*place }.lacks(&operations, &words).len();
        assert_eq!(PLACES.each_ref().map(lacks), [3, 2, 2, 1, 1, 1]);
    }

    #[test]
    fn uses_are_told_from_what_has_the_same_name() {
        let mut words = BTreeSet::new();
        let code = "
            fn no1() { let no2 = x.no3(no4); self.no5 }
            fn f() { isa.a(b); Isa::b; fastutf::c(x); Isa::SCALAR.d(); Isa::best().e(); h!(f, |g| (x.no6)(g)); isa.no7; i!(i j); k!(no8 = no9) }
            l! { inside { value(no10)[no11 => no12]: k; fill(no13)[]: l m; no15(no16): no17; no18[]: no19; } } n!(no20 no21: (o p))
        ";
        uses(source::tokens(code).unwrap(), false, &mut words);
        assert_eq!(
            Vec::from_iter(words),
            ["SCALAR", "a", "b", "best", "c", "d", "e", "f", "i", "j", "k", "l", "m", "o", "p"]
        );
    }

    #[test]
    fn an_exception_that_is_none_is_reported() {
        let place = Place { except: "one gone", ..PLACES[0] };
        let words = BTreeSet::from(["one".to_owned()]);
        assert_eq!(place.lacks(&names(&["one"]), &words).len(), 2);
        assert_eq!(place.lacks(&names(&["one"]), &BTreeSet::new()).len(), 1);
    }
}
