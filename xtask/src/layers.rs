//! Checks which module imports which.
//!
//! There are two rules, and for the library a third: no two of its modules define types of one name. Kernels may, if they mean the same.
//!
//! - No circles. Modules of one folder, each with all modules below it, must not import each other, directly or through
//!   others. A parent and its children may.
//! - No upward imports in the library. A module may import modules of its own layer in [`TABLE`], or of a lower one.
//!
//! An import is a path from `crate`, `$crate`, `self`, `super` or a child, in a `use` or elsewhere, including the definition
//! of a macro; or the use of a macro of another module. Code under `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source;

/// Has the table of the library's layers.
const TABLE: &str = "docs/design.md";
/// A layer's name, and its modules. A module belongs to the layer of its longest prefix.
type Layer = (String, Vec<String>);

/// The layers in a text, from top to bottom: the rows of its table. The root is in the first.
fn layers(text: &str) -> anyhow::Result<Vec<Layer>> {
    let rows = text.lines().skip_while(|line| !line.starts_with("| layer |")).skip(2);
    let layer = |row: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].to_owned(), cells[2].split('`').skip(1).step_by(2).map(str::to_owned).collect())
    };
    let mut layers: Vec<Layer> = rows.take_while(|line| line.starts_with('|')).map(layer).collect();
    layers.first_mut().with_context(|| format!("{TABLE} has no table of layers"))?.1.push(name(&[]));
    Ok(layers)
}

/// Checks the imports of modules: no circles, and none upward; and that no two types have one name
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_: Options) -> anyhow::Result<()> {
    let mut faults = 0;
    for (root, layers) in [
        ("src", layers(&source::read(&source::root().join(TABLE))?)?),
        ("cli/src", Vec::new()),
        ("compare/src", Vec::new()),
    ] {
        let graph = Graph::read(root)?;
        ensure!(graph.modules.len() > 1, "{root}: no modules found: is this the root of the repository?");
        let wrong = graph.check(&layers)?;
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
        bail!("{faults} faults");
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
    /// Where each type is defined.
    types: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads all modules in a folder, which has a `lib.rs` or a `main.rs`.
    fn read(root: &str) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for path in source::files(Path::new(root), ".rs")? {
            let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            files.push((relative, source::read(&path)?));
        }
        Self::of(root, &files)
    }

    /// Reads files: paths below the folder of the crate, and texts.
    fn of(root: &str, files: &[(String, String)]) -> anyhow::Result<Self> {
        let mut modules: BTreeSet<Module> = files.iter().map(|(path, _)| module_of(path)).collect();
        let mut scans = Vec::new();
        for (path, text) in files {
            let file = format!("{root}/{path}");
            let mut scan = Scan::default();
            let module = module_of(path);
            scan.read(source::tokens(text).with_context(|| file.clone())?, &module, &modules);
            scans.push((module, file, scan));
        }
        let tests: BTreeSet<Module> = scans.iter().flat_map(|(.., scan)| scan.tests.iter().cloned()).collect();
        let is_tested = |module: &Module| !tests.iter().any(|test| module.starts_with(test));
        modules.retain(is_tested);
        scans.retain(|(module, ..)| is_tested(module));

        // What others can use from the root, by its name or `*`, and macros by their names.
        let (mut reexports, mut macros) = (BTreeMap::new(), BTreeMap::<&str, Vec<&Module>>::new());
        for (module, _, scan) in &scans {
            scan.defined.iter().for_each(|name| macros.entry(name).or_default().push(module));
            for (path, _) in scan.paths.iter().filter(|_| module.is_empty()) {
                if let Some((name, path)) = path.split_last()
                    && let Some(of) = longest(&modules, path)
                {
                    reexports.insert(name.as_str(), of);
                }
            }
        }
        let (mut arrows, mut types) = (BTreeSet::new(), BTreeMap::<_, BTreeSet<_>>::new());
        for (from, file, scan) in &scans {
            let place = if file.contains("/kernels/") || file.contains("/simd/") { "kernels" } else { file };
            scan.types.iter().for_each(|name| _ = types.entry(name.clone()).or_default().insert(place.to_owned()));
            let paths = scan.paths.iter().filter_map(|(path, line)| {
                let reexport = || reexports.get(path.first()?.as_str()).or_else(|| reexports.get("*")).cloned();
                Some((longest(&modules, path).or_else(reexport)?, *line))
            });
            let calls = scan.calls.iter().filter_map(|(name, line)| match &macros.get(name.as_str())?[..] {
                [only] => Some(((*only).clone(), *line)),
                _ => None,
            });
            arrows.extend(paths.chain(calls).filter(|(to, _)| to != from).map(|(to, line)| Arrow {
                from: from.clone(),
                to,
                file: file.clone(),
                line,
            }));
        }
        Ok(Self { modules, arrows, types })
    }

    /// The wrong imports, each as a line.
    fn check(&self, layers: &[Layer]) -> anyhow::Result<Vec<String>> {
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

        for listed in layers.iter().flat_map(|(_, modules)| modules) {
            ensure!(
                self.modules.iter().any(|module| name(module) == *listed),
                "no module {listed}, but in {TABLE}"
            );
        }
        let layer_of = |module: &Module| {
            let mut prefixes = (0..=module.len()).rev().map(|len| name(&module[..len]));
            prefixes
                .find_map(|prefix| layers.iter().position(|(_, modules)| modules.contains(&prefix)))
                .with_context(|| format!("module {} is in no layer: add it to {TABLE}", name(module)))
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
        let twice = self.types.iter().filter(|(_, places)| places.len() > 1);
        wrong.extend(twice.map(|(name, places)| format!("two types: {name} in {places:?}")));
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

const TYPES: [&str; 4] = ["enum", "struct", "trait", "union"];

/// What a module contains, without the code of tests.
#[derive(Default)]
struct Scan {
    /// Paths from the root of the crate, and their lines.
    paths: Vec<(Vec<String>, usize)>,
    /// The macros that are called, and the lines.
    calls: Vec<(String, usize)>,
    defined: BTreeSet<String>,
    types: BTreeSet<String>,
    /// Modules that are only compiled for tests.
    tests: Vec<Module>,
}

impl Scan {
    fn read(&mut self, tokens: TokenStream, here: &[String], modules: &BTreeSet<Module>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match (token, tokens.get(at), tokens.get(at + 1)) {
                (TokenTree::Punct(mark), Some(TokenTree::Group(attribute)), _)
                    if mark.as_char() == '#' && is_for_tests(&attribute.stream()) =>
                {
                    // An item ends with a semicolon or a block.
                    let is_end = |token: &TokenTree| match token {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        token => is_punct(Some(token), ';'),
                    };
                    let end = tokens[at..].iter().position(is_end).map_or(tokens.len(), |len| at + len + 1);
                    let names = tokens[at..end].windows(2).filter(|pair| is_word(&pair[0], "mod"));
                    self.tests.extend(names.map(|pair| [here, &[pair[1].to_string()]].concat()));
                    at = end;
                }
                (keyword, Some(TokenTree::Ident(name)), Some(TokenTree::Group(inside)))
                    if is_word(keyword, "mod") =>
                {
                    self.read(inside.stream(), &[here, &[name.to_string()]].concat(), modules);
                    at += 2;
                }
                (keyword, Some(_), Some(TokenTree::Ident(name))) if is_word(keyword, "macro_rules") => {
                    self.defined.insert(name.to_string());
                }
                (word, Some(TokenTree::Ident(name)), _) if TYPES.contains(&&*word.to_string()) => {
                    self.types.insert(name.to_string());
                }
                (TokenTree::Ident(_), ..) if is_path_separator(&tokens, at) => {
                    let mut paths = Vec::new();
                    at = read_paths(&tokens, at - 1, Vec::new(), &mut paths);
                    let paths =
                        paths.into_iter().filter_map(|(path, line)| Some((absolute(&path, here, modules)?, line)));
                    self.paths.extend(paths);
                }
                (TokenTree::Ident(name), next, _) if is_punct(next, '!') => {
                    self.calls.push((name.to_string(), name.span().start().line));
                }
                (TokenTree::Group(inside), ..) => self.read(inside.stream(), here, modules),
                _ => {}
            }
        }
    }
}

fn is_for_tests(attribute: &TokenStream) -> bool {
    let attribute = attribute.to_string().replace(' ', "");
    attribute == "test" || attribute == "cfg(test)" || attribute.starts_with("cfg(all(test,")
}

/// A path from the root of the crate, if it is in the crate.
fn absolute(path: &[String], here: &[String], modules: &BTreeSet<Module>) -> Option<Vec<String>> {
    let mut absolute = if path[0] == "crate" { Vec::new() } else { here.to_vec() };
    for word in path {
        match word.as_str() {
            "crate" | "self" => {}
            "super" => _ = absolute.pop(),
            word => absolute.push(word.to_owned()),
        }
    }
    let child = || modules.contains(&[here, &path[..1]].concat());
    (["crate", "self", "super"].contains(&path[0].as_str()) || child()).then_some(absolute)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if *ident == word)
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

/// Reads a path, or a tree of paths as in `use`: each with its line. Returns where it ends.
fn read_paths(
    tokens: &[TokenTree],
    mut at: usize,
    mut path: Vec<String>,
    paths: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inside.split(|token| is_punct(Some(token), ',')).filter(|part| !part.is_empty()) {
                    read_paths(part, 0, path.clone(), paths);
                }
                return at + 1;
            }
            TokenTree::Ident(_) => path.push(token.to_string()),
            _ if is_punct(Some(token), '*') => path.push(token.to_string()),
            // `::<`
            _ => break,
        }
        let more = is_path_separator(tokens, at + 1);
        at += if more { 3 } else { 1 };
        if !more {
            break;
        }
    }
    paths.push((path, tokens[at - 1].span().start().line));
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let file = |&(path, text): &(&str, &str)| (path.to_owned(), text.to_owned());
        Graph::of("src", &files.iter().map(file).collect::<Vec<_>>()).unwrap()
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
            ("b/part.rs", "use crate::a;"),
        ];
        let found = circles(&files);
        assert_eq!(found, ["circle: src/a/mod.rs:1: a imports b", "circle: src/b/part.rs:1: b::part imports a"]);
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
        let wrong = graph(&files)
            .check(&layers("| layer |\n|\n| top | `api` |\n| middle | `kernels` |\n| bottom | `leaf` |").unwrap())
            .unwrap();
        let upward =
            "upward: src/leaf.rs:1: leaf imports kernels::fast: from layer \"bottom\" to layer \"middle\"";
        assert_eq!(wrong[0], upward);
    }

    #[test]
    fn a_type_is_defined_once() {
        let c = "struct C; #[cfg(test)] struct B;";
        let files =
            [("lib.rs", "struct A;"), ("a.rs", "enum A {} trait B {}"), ("simd/b.rs", c), ("simd/c.rs", c)];
        let twice =
            graph(&files).check(&layers("| layer |\n|\n| all | `a` `simd::b` `simd::c` |").unwrap()).unwrap();
        assert_eq!(twice, [r#"two types: A in {"src/a.rs", "src/lib.rs"}"#]);
    }

    #[test]
    fn the_table_of_layers_is_complete_and_current() {
        let files = [("lib.rs", "mod a;"), ("a.rs", "")];
        assert!(graph(&files).check(&layers("| layer |\n|\n| top | |\n| bottom | `a` |").unwrap()).is_ok());
        assert!(graph(&files).check(&[(String::from("top"), vec![String::from("a")])]).is_err());
        assert!(graph(&files).check(&layers("| layer |\n|\n| top | `gone` |").unwrap()).is_err());
    }
}
