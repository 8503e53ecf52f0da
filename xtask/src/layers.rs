//! Checks which module imports which.
//!
//! There are two rules:
//!
//! - No circles. Modules of one folder, each with all modules below it, must not import each other, directly or through
//!   others. A parent and its children may.
//! - No upward imports in the library. A module may import modules of its own layer in [`LAYERS`], or of a lower one.
//!
//! An import is a path from `crate`, `$crate`, `self` or `super`, in a `use` or elsewhere, including the definition of
//! a macro; a path that starts with the name of an imported module; or the use of a macro of another module. Code under
//! `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

use crate::source;

/// The layers of the library, from top to bottom. A module belongs to the layer of its longest prefix here.
const LAYERS: [(&str, &[&str]); 7] = [
    ("adapters", &["crate", "bytes", "columns", "io", "positions", "tokio"]),
    ("public API", &["api", "bom", "boundary", "mutf8", "stream", "web", "wtf8"]),
    ("dispatch", &["isa"]),
    ("kernels", &["kernels"]),
    ("plain Rust", &["scalar"]),
    ("vector vocabulary", &["simd"]),
    (
        "leaves",
        &[
            "borders",
            "buffer",
            "conversion",
            "endian",
            "error",
            "generalised",
            "info",
            "latin1",
            "narrowest",
            "replacement",
            "sections",
            "utf32",
        ],
    ),
];

/// Checks the imports of modules: no circles, and none upward
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_: Options) -> anyhow::Result<()> {
    let mut faults = 0;
    for (root, layers) in [("src", &LAYERS[..]), ("cli/src", &[]), ("compare/src", &[])] {
        let graph = Graph::read(Path::new(root))?;
        ensure!(graph.modules.len() > 1, "{root}: no modules found: is this the root of the repository?");
        let report = graph.check(layers)?;
        print!("{report}");
        println!(
            "{root}: {} modules, {} arrows; modules in circles: {}; upward arrows: {}",
            graph.modules.len(),
            graph.arrows.len(),
            report.in_circles.len(),
            report.upward.len()
        );
        faults += report.circular.len() + report.upward.len();
    }
    if faults > 0 {
        bail!("{faults} imports go the wrong way");
    }
    Ok(())
}

/// The path of a module, from the root of the crate.
type Module = Vec<String>;

fn name(module: &[String]) -> String {
    if module.is_empty() { "crate".into() } else { module.join("::") }
}

/// An import of one module by another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    from: Module,
    to: Module,
    file: String,
    line: usize,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} imports {}", self.file, self.line, name(&self.from), name(&self.to))
    }
}

/// The imports of a crate.
struct Graph {
    modules: BTreeSet<Module>,
    arrows: BTreeSet<Arrow>,
}

/// The wrong imports.
struct Report {
    /// The arrows between modules of a circle.
    circular: BTreeSet<Arrow>,
    /// The modules at the start of these arrows.
    in_circles: BTreeSet<Module>,
    /// The arrows that run upward, with the names of the two layers.
    upward: Vec<(Arrow, &'static str, &'static str)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (arrow, from, to) in &self.upward {
            writeln!(f, "upward: {arrow}: from layer \"{from}\" to layer \"{to}\"")?;
        }
        for arrow in &self.circular {
            writeln!(f, "circle: {arrow}")?;
        }
        Ok(())
    }
}

impl Graph {
    /// Reads all modules in a folder, which has a `lib.rs` or a `main.rs`.
    fn read(root: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for path in source::files(root, ".rs")? {
            let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let text = source::read(&path)?;
            files.push((relative, path.to_string_lossy().into_owned(), text));
        }
        Self::of(&files)
    }

    /// Reads files. Each is a path below the folder of the crate, a path to print, and the text.
    fn of(files: &[(String, String, String)]) -> anyhow::Result<Self> {
        let mut parsed = BTreeMap::new();
        let mut tests = BTreeSet::new();
        for (relative, printed, text) in files {
            let module = module_of(relative);
            let mut file = syn::parse_file(text).with_context(|| printed.clone())?;
            let mut without_tests = WithoutTests::default();
            without_tests.visit_file_mut(&mut file);
            tests.extend(without_tests.modules.into_iter().map(|child| [&module[..], &[child]].concat()));
            parsed.insert(module, (printed, file.into_token_stream()));
        }
        parsed.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let modules: BTreeSet<Module> = parsed.keys().cloned().collect();
        let mut macros = BTreeMap::<String, BTreeSet<Module>>::new();
        for (module, (_, tokens)) in &parsed {
            macros_defined(tokens.clone(), &mut |name| {
                macros.entry(name).or_default().insert(module.clone());
            });
        }
        let mut reexports = Reexports::default();
        if let Some((_, tokens)) = parsed.get(&Vec::new()) {
            reexports = Reexports::of(tokens.clone(), &modules);
        }
        let mut arrows = BTreeSet::new();
        for (module, (printed, tokens)) in &parsed {
            let mut scanner = Scanner {
                modules: &modules,
                macros: &macros,
                reexports: &reexports,
                file: printed,
                module,
                inline: Vec::new(),
                aliases: BTreeMap::new(),
                arrows: &mut arrows,
            };
            // Twice: a name may be used above the `use` that imports it.
            scanner.scan(tokens.clone());
            scanner.inline.clear();
            scanner.scan(tokens.clone());
        }
        Ok(Self { modules, arrows })
    }

    fn check(&self, layers: &[(&'static str, &[&str])]) -> anyhow::Result<Report> {
        let mut circular = BTreeSet::new();
        // Between the modules of each folder, with all that is below them.
        let mut folders = BTreeMap::<&[String], Vec<(Module, Module, &Arrow)>>::new();
        for arrow in &self.arrows {
            let common = arrow.from.iter().zip(&arrow.to).take_while(|(from, to)| from == to).count();
            if common < arrow.from.len() && common < arrow.to.len() {
                let (from, to) = (arrow.from[..=common].to_vec(), arrow.to[..=common].to_vec());
                folders.entry(&arrow.from[..common]).or_default().push((from, to, arrow));
            }
        }
        for arrows in folders.values() {
            for (from, to, arrow) in arrows {
                if reaches(arrows, to, from) {
                    circular.insert((*arrow).clone());
                }
            }
        }
        let in_circles = circular.iter().map(|arrow| arrow.from.clone()).collect();

        let layer_of = |module: &Module| {
            let prefixes = (0..=module.len()).rev().map(|len| name(&module[..len]));
            let mut found = prefixes
                .filter_map(|prefix| layers.iter().position(|(_, modules)| modules.contains(&prefix.as_str())));
            found.next().with_context(|| format!("module {} is in no layer: add it to LAYERS", name(module)))
        };
        let mut upward = Vec::new();
        if !layers.is_empty() {
            for (_, modules) in layers {
                for &listed in *modules {
                    let known = self.modules.iter().any(|module| name(module) == listed);
                    ensure!(known, "module {listed} of LAYERS does not exist");
                }
            }
            for module in &self.modules {
                layer_of(module)?;
            }
            for arrow in &self.arrows {
                let (from, to) = (layer_of(&arrow.from)?, layer_of(&arrow.to)?);
                let is_family = arrow.from.starts_with(&arrow.to) || arrow.to.starts_with(&arrow.from);
                if to < from && !is_family {
                    upward.push((arrow.clone(), layers[from].0, layers[to].0));
                }
            }
        }
        Ok(Report { circular, in_circles, upward })
    }
}

/// Whether these arrows lead from `start` to `end`.
fn reaches(arrows: &[(Module, Module, &Arrow)], start: &Module, end: &Module) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        if module == end {
            return true;
        }
        if seen.insert(module) {
            open.extend(arrows.iter().filter(|(from, ..)| from == module).map(|(_, to, _)| to));
        }
    }
    false
}

/// The module of a file: `a::b` for `a/b.rs` and `a/b/mod.rs`.
fn module_of(relative: &str) -> Module {
    let mut module: Module = relative.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let is_root = module.len() == 1 && matches!(&*module[0], "lib" | "main");
    if is_root || module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}

/// Removes items that are only compiled for tests, and keeps the names of such modules.
#[derive(Default)]
struct WithoutTests {
    modules: Vec<String>,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string().replace(' ', "");
        text == "test" || text == "cfg(test)" || text.starts_with("cfg(all(test,")
    })
}

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| {
            if let syn::Item::Mod(module) = item
                && is_test(&module.attrs)
            {
                self.modules.push(module.ident.to_string());
            }
            !is_test(attributes(item))
        });
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test(attributes(item)));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain(|item| !matches!(item, syn::ImplItem::Fn(function) if is_test(&function.attrs)));
        visit_mut::visit_item_impl_mut(self, item);
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Calls `found` with the name of each `macro_rules!`.
fn macros_defined(tokens: TokenStream, found: &mut impl FnMut(String)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(word), Some(_), Some(TokenTree::Ident(name))) if *word == "macro_rules" => {
                found(name.to_string());
            }
            (TokenTree::Group(group), ..) => macros_defined(group.stream(), found),
            _ => {}
        }
    }
}

/// The imports of the crate's root, which others can use: the module of each name.
#[derive(Default)]
struct Reexports {
    names: BTreeMap<String, Module>,
    all: Option<Module>,
}

impl Reexports {
    fn of(tokens: TokenStream, modules: &BTreeSet<Module>) -> Self {
        let mut reexports = Self::default();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for at in 0..tokens.len() {
            if is_word(tokens.get(at), "use") {
                let mut leaves = Vec::new();
                read_tree(&tokens, at + 1, &[], &mut leaves);
                for (path, _, _) in leaves {
                    let (last, module) = path.split_last().expect("a path has a name");
                    if modules.contains(&path[..1]) {
                        let module = longest(modules, module).unwrap_or_else(|| path[..1].to_vec());
                        if last == "*" {
                            reexports.all = Some(module);
                        } else {
                            reexports.names.insert(last.clone(), module);
                        }
                    }
                }
            }
        }
        reexports
    }
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if *ident == word)
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// The longest prefix of `path` that is a module.
fn longest(modules: &BTreeSet<Module>, path: &[String]) -> Option<Module> {
    (1..=path.len()).rev().map(|len| &path[..len]).find(|prefix| modules.contains(*prefix)).map(<[String]>::to_vec)
}

/// Reads a path, or a tree of paths as in `use`: each path, the name it is imported by, and its line. Returns where it
/// ends.
fn read_tree(
    tokens: &[TokenTree],
    mut at: usize,
    prefix: &[String],
    leaves: &mut Vec<(Vec<String>, String, usize)>,
) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => {
                path.push(ident.to_string());
                if is_path_separator(tokens, at + 1) {
                    at += 3;
                    continue;
                }
                let mut alias = ident.to_string();
                let mut end = at + 1;
                if is_word(tokens.get(end), "as") && tokens.len() > end + 1 {
                    alias = tokens[end + 1].to_string();
                    end += 2;
                }
                leaves.push((path, alias, ident.span().start().line));
                return end;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut next = 0;
                while next < inner.len() {
                    next = read_tree(&inner, next, &path, leaves).max(next + 1);
                }
                return at + 1;
            }
            Some(token) if is_punct(Some(token), '*') => {
                path.push("*".into());
                leaves.push((path, "*".into(), token.span().start().line));
                return at + 1;
            }
            // `::<`, or the end of a path.
            token => {
                if path.len() > prefix.len() {
                    let line = tokens[at.min(tokens.len()) - 1].span().start().line;
                    let line = token.map_or(line, |token| token.span().start().line);
                    leaves.push((path.clone(), path.last().cloned().unwrap_or_default(), line));
                }
                return at;
            }
        }
    }
}

/// Finds the imports of one file.
struct Scanner<'a> {
    modules: &'a BTreeSet<Module>,
    macros: &'a BTreeMap<String, BTreeSet<Module>>,
    reexports: &'a Reexports,
    file: &'a str,
    module: &'a Module,
    /// The modules without a file around the current tokens.
    inline: Vec<String>,
    /// Modules by the names they are imported by.
    aliases: BTreeMap<String, Module>,
    arrows: &'a mut BTreeSet<Arrow>,
}

impl Scanner<'_> {
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let is_qualified = at >= 2 && is_path_separator(&tokens, at - 2);
            match &tokens[at] {
                TokenTree::Ident(word) if *word == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) =
                        (tokens.get(at + 1), tokens.get(at + 2))
                    {
                        self.inline.push(name.to_string());
                        self.scan(group.stream());
                        self.inline.pop();
                        at += 2;
                    }
                }
                TokenTree::Ident(word) if is_punct(tokens.get(at + 1), '!') && !is_qualified => {
                    let defined = self.macros.get(&word.to_string());
                    if let Some(defined) = defined.filter(|defined| defined.len() == 1) {
                        self.arrow(defined.first().expect("there is one").clone(), word.span().start().line);
                    }
                }
                TokenTree::Ident(word) if is_path_separator(&tokens, at + 1) && !is_qualified => {
                    let start = match word.to_string().as_str() {
                        "crate" => Some(Vec::new()),
                        "self" => Some([&self.module[..], &self.inline].concat()),
                        "super" => {
                            let mut module = [&self.module[..], &self.inline].concat();
                            module.pop();
                            while is_word(tokens.get(at + 3), "super") && is_path_separator(&tokens, at + 4) {
                                module.pop();
                                at += 3;
                            }
                            Some(module)
                        }
                        word => self.aliases.get(word).cloned().or_else(|| {
                            let child = [&self.module[..], &[word.to_owned()]].concat();
                            self.modules.contains(&child).then_some(child)
                        }),
                    };
                    if let Some(start) = start {
                        let mut leaves = Vec::new();
                        let end = read_tree(&tokens, at + 3, &start, &mut leaves);
                        for (path, alias, line) in leaves {
                            self.import(&path, alias, line);
                        }
                        at = end.max(at + 1);
                        continue;
                    }
                }
                TokenTree::Group(group) => self.scan(group.stream()),
                _ => {}
            }
            at += 1;
        }
    }

    fn import(&mut self, path: &[String], alias: String, line: usize) {
        let module = longest(self.modules, path).or_else(|| {
            let first = path.first()?;
            self.reexports.names.get(first).or(self.reexports.all.as_ref()).cloned()
        });
        if let Some(module) = module {
            if module == path {
                self.aliases.insert(alias, module.clone());
            }
            self.arrow(module, line);
        }
    }

    fn arrow(&mut self, to: Module, line: usize) {
        if to != *self.module {
            let (from, file) = (self.module.clone(), self.file.to_owned());
            self.arrows.insert(Arrow { from, to, file, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let file = |&(path, text): &(&str, &str)| (path.to_owned(), format!("src/{path}"), text.to_owned());
        Graph::of(&files.iter().map(file).collect::<Vec<_>>()).unwrap()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        graph(files).check(&[]).unwrap().circular.iter().map(Arrow::to_string).collect()
    }

    #[test]
    fn a_circle_is_reported_with_each_arrow() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::f;"),
            ("b.rs", "fn f() {\n    crate::c::g();\n}"),
            ("c.rs", "macro_rules! m { () => { $crate::a::h() }; }"),
            ("d.rs", "use crate::{a, b::{self, f}};"),
        ];
        let found = circles(&files);
        assert_eq!(found, ["src/a.rs:1: a imports b", "src/b.rs:2: b imports c", "src/c.rs:1: c imports a"]);
        assert_eq!(circles(&files[..3]), [""; 0]);
    }

    #[test]
    fn a_circle_of_folders_is_one_too() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod part; use crate::b;"),
            ("a/part.rs", "use super::x;"),
            ("b/mod.rs", "mod part;"),
            ("b/part.rs", "use crate::a;\nfn f() { a::part::f() }"),
        ];
        let found = circles(&files);
        assert_eq!(
            found,
            [
                "src/a/mod.rs:1: a imports b",
                "src/b/part.rs:1: b::part imports a",
                "src/b/part.rs:2: b::part imports a::part"
            ]
        );
    }

    #[test]
    fn siblings_are_seen_through_super_and_macros() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "mod b; mod c;"),
            ("a/b.rs", "mod inline { use super::super::c::f; }"),
            ("a/c.rs", "fn f() { m!(); }"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        let with_macro =
            [files[0], files[1], ("a/b.rs", "macro_rules! m { () => {}; } use super::c::f;"), files[3]];
        assert_eq!(circles(&with_macro), ["src/a/b.rs:1: a::b imports a::c", "src/a/c.rs:1: a::c imports a::b"]);
    }

    #[test]
    fn parents_children_and_tests_do_not_count() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::f;"),
            ("a.rs", "mod part; use part::g; #[cfg(test)] mod tests; #[cfg(test)] mod more { use crate::b; }"),
            ("a/part.rs", "use super::f; use crate::a::f as same;"),
            ("a/tests.rs", "use crate::b;"),
            ("b.rs", "use crate::f;"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        let graph = graph(&files);
        assert!(graph.arrows.iter().any(|arrow| name(&arrow.from) == "b" && name(&arrow.to) == "a"));
    }

    #[test]
    fn an_upward_arrow_is_reported() {
        let files = [
            ("lib.rs", "mod api; mod kernels; mod leaf;"),
            ("api.rs", "use crate::kernels::fast::f; use crate::leaf;"),
            ("kernels.rs", "mod fast;"),
            ("kernels/fast.rs", "use crate::leaf;"),
            ("leaf.rs", "use crate::kernels::fast;"),
        ];
        let layers: [(&str, &[&str]); 3] =
            [("top", &["crate", "api"]), ("middle", &["kernels"]), ("bottom", &["leaf"])];
        let report = graph(&files).check(&layers).unwrap();
        let upward: Vec<_> =
            report.upward.iter().map(|(arrow, from, to)| format!("{arrow} {from} {to}")).collect();
        assert_eq!(upward, ["src/leaf.rs:1: leaf imports kernels::fast bottom middle"]);
        assert!(report.to_string().contains("upward: src/leaf.rs:1: leaf imports kernels::fast"));
    }

    #[test]
    fn the_table_of_layers_is_complete_and_current() {
        let files = [("lib.rs", "mod a;"), ("a.rs", "")];
        assert!(graph(&files).check(&[("top", &["crate"]), ("bottom", &["a"])]).is_ok());
        assert!(graph(&files).check(&[("top", &["a"])]).is_err());
        assert!(graph(&files).check(&[("top", &["crate", "gone"])]).is_err());
    }
}
