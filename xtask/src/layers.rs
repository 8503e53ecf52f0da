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
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::source;

/// The layers of the library, from top to bottom. A module belongs to the layer of its longest prefix here.
const LAYERS: [(&str, &str); 7] = [
    ("adapters", "crate bytes columns io positions tokio"),
    ("public API", "api bom boundary mutf8 stream web wtf8"),
    ("dispatch", "isa"),
    ("kernels", "kernels"),
    ("plain Rust", "scalar"),
    ("vector vocabulary", "simd"),
    (
        "leaves",
        "borders buffer conversion endian error generalised info latin1 narrowest replacement sections utf32",
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
        let wrong = graph.check(layers)?;
        wrong.iter().for_each(|arrow| println!("{arrow}"));
        println!(
            "{root}: {} modules, {} arrows; wrong ones: {}",
            graph.modules.len(),
            graph.arrows.len(),
            wrong.len()
        );
        faults += wrong.len();
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
            let mut children = Vec::new();
            let tokens = source::tokens(text).with_context(|| printed.clone())?;
            let tokens = without_tests(tokens, &mut children);
            tests.extend(children.into_iter().map(|child| [&module[..], &[child]].concat()));
            parsed.insert(module, (printed, tokens));
        }
        parsed.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let modules: BTreeSet<Module> = parsed.keys().cloned().collect();
        let mut macros = BTreeMap::<String, BTreeSet<Module>>::new();
        for (module, (_, tokens)) in &parsed {
            macros_defined(tokens.clone(), &mut |name| {
                macros.entry(name).or_default().insert(module.clone());
            });
        }
        let root = parsed.get(&Vec::new()).map(|(_, tokens)| tokens.clone()).unwrap_or_default();
        let reexports = reexports(root, &modules);
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

    /// The wrong imports, each as a line.
    fn check(&self, layers: &[(&str, &str)]) -> anyhow::Result<Vec<String>> {
        // Between the modules of each folder, with all that is below them.
        let mut folders = BTreeMap::<&[String], Vec<(&[String], &[String], &Arrow)>>::new();
        for arrow in &self.arrows {
            let common = arrow.from.iter().zip(&arrow.to).take_while(|(from, to)| from == to).count();
            if common < arrow.from.len() && common < arrow.to.len() {
                let between = (&arrow.from[..=common], &arrow.to[..=common], arrow);
                folders.entry(&arrow.from[..common]).or_default().push(between);
            }
        }
        let circular = folders.values().flat_map(|arrows| {
            arrows.iter().filter(|(from, to, _)| reaches(arrows, to, from)).map(|(.., arrow)| *arrow)
        });
        let circular: BTreeSet<_> = circular.collect();
        let circular = circular.into_iter().map(|arrow| format!("circle: {arrow}"));
        if layers.is_empty() {
            return Ok(circular.collect());
        }

        for listed in layers.iter().flat_map(|(_, modules)| modules.split(' ')) {
            ensure!(self.modules.iter().any(|module| name(module) == listed), "no module {listed}, but in LAYERS");
        }
        let layer_of = |module: &Module| {
            let mut prefixes = (0..=module.len()).rev().map(|len| name(&module[..len]));
            prefixes
                .find_map(|prefix| {
                    layers.iter().position(|(_, modules)| modules.split(' ').any(|is| is == prefix))
                })
                .with_context(|| format!("module {} is in no layer: add it to LAYERS", name(module)))
        };
        for module in &self.modules {
            layer_of(module)?;
        }
        let mut wrong = Vec::new();
        for arrow in &self.arrows {
            let (from, to) = (layer_of(&arrow.from)?, layer_of(&arrow.to)?);
            let is_family = arrow.from.starts_with(&arrow.to) || arrow.to.starts_with(&arrow.from);
            if to < from && !is_family {
                wrong
                    .push(format!("upward: {arrow}: from layer {:?} to layer {:?}", layers[from].0, layers[to].0));
            }
        }
        wrong.extend(circular);
        Ok(wrong)
    }
}

/// Whether these arrows lead from `start` to `end`.
fn reaches(arrows: &[(&[String], &[String], &Arrow)], start: &[String], end: &[String]) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        if module == end {
            return true;
        }
        if seen.insert(module) {
            open.extend(arrows.iter().filter(|(from, ..)| *from == module).map(|(_, to, _)| *to));
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

/// Leaves out items that are only compiled for tests, and keeps the names of such modules.
fn without_tests(tokens: TokenStream, modules: &mut Vec<String>) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        let attribute = match tokens.peek() {
            Some(TokenTree::Group(group)) if is_punct(Some(&token), '#') => {
                group.stream().to_string().replace(' ', "")
            }
            _ => String::new(),
        };
        if attribute == "test" || attribute == "cfg(test)" || attribute.starts_with("cfg(all(test,") {
            // An item ends with a semicolon or a block.
            let is_end = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                token => is_punct(Some(token), ';'),
            };
            let mut item = Vec::new();
            while item.last().is_none_or(|last| !is_end(last)) && tokens.peek().is_some() {
                item.extend(tokens.next());
            }
            let module = item.iter().position(|token| is_word(Some(token), "mod"));
            modules.extend(module.and_then(|at| item.get(at + 1)).map(TokenTree::to_string));
        } else if let TokenTree::Group(group) = token {
            let mut inside = Group::new(group.delimiter(), without_tests(group.stream(), &mut Vec::new()));
            inside.set_span(group.span());
            kept.push(inside.into());
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
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

/// The imports of the crate's root, which others can use: the module of each name, and of `*`.
fn reexports(tokens: TokenStream, modules: &BTreeSet<Module>) -> BTreeMap<String, Module> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut leaves = Vec::new();
    for at in (0..tokens.len()).filter(|&at| is_word(tokens.get(at), "use")) {
        read_tree(&tokens, at + 1, &[], &mut leaves);
    }
    let modules = leaves.into_iter().filter_map(|(mut path, ..)| {
        let last = path.pop()?;
        Some((last, longest(modules, &path)?))
    });
    modules.collect()
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
            _ => {
                if path.len() > prefix.len() {
                    let line = tokens[at.min(tokens.len()) - 1].span().start().line;
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
    reexports: &'a BTreeMap<String, Module>,
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
            self.reexports.get(first).or_else(|| self.reexports.get("*")).cloned()
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
        graph(files).check(&[]).unwrap()
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
        assert_eq!(
            found,
            [
                "circle: src/a.rs:1: a imports b",
                "circle: src/b.rs:2: b imports c",
                "circle: src/c.rs:1: c imports a"
            ]
        );
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
                "circle: src/a/mod.rs:1: a imports b",
                "circle: src/b/part.rs:1: b::part imports a",
                "circle: src/b/part.rs:2: b::part imports a::part"
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
        assert_eq!(
            circles(&with_macro),
            ["circle: src/a/b.rs:1: a::b imports a::c", "circle: src/a/c.rs:1: a::c imports a::b"]
        );
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
        let wrong =
            graph(&files).check(&[("top", "crate api"), ("middle", "kernels"), ("bottom", "leaf")]).unwrap();
        let upward =
            "upward: src/leaf.rs:1: leaf imports kernels::fast: from layer \"bottom\" to layer \"middle\"";
        assert_eq!(wrong[0], upward);
    }

    #[test]
    fn the_table_of_layers_is_complete_and_current() {
        let files = [("lib.rs", "mod a;"), ("a.rs", "")];
        assert!(graph(&files).check(&[("top", "crate"), ("bottom", "a")]).is_ok());
        assert!(graph(&files).check(&[("top", "a")]).is_err());
        assert!(graph(&files).check(&[("top", "crate gone")]).is_err());
    }
}
