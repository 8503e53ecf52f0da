//! Changes that the proofs must notice.
//!
//! Compiling the library for each change would take most of the time. So changes are compiled together, and an environment
//! variable switches one of them on, as in `cargo xtask mutants`. The smallest expression, or block, around a change becomes
//!
//! ```text
//! (if crate::mutant::is(7) { what is there with the change } else { what is there })
//! ```
//!
//! where 7 is the number of the change. So no change can hide another: with none switched on, the code is what it was, word for
//! word, and with one, only that differs. If the switch did not work, no change would be noticed, or tests would fail without a
//! change; both are errors. What is computed while compiling, or is no expression, is compiled alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, UnOp};

use super::{TOO_LONG, copied, in_copy, work};
use crate::source;

/// A change that a proof must notice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// What is wrong then.
    name: String,
    file: String,
    /// Text that occurs once in the file.
    old: String,
    new: String,
    /// The test that must fail: one of the library, or after `quick::` one of `tests/quick.rs`.
    test: String,
    #[serde(default)]
    noticed: Noticed,
}

/// How a test fails.
#[derive(Deserialize, Clone, Copy, Default)]
enum Noticed {
    #[default]
    #[serde(rename = "by a panic")]
    Panic,
    /// A byte is read of which the proof does not know.
    #[serde(rename = "by a signal")]
    Signal,
    #[serde(rename = "as it does not end")]
    Endless,
}

impl Mutant {
    /// Where `old` is.
    fn range(&self, text: &str) -> anyhow::Result<Range<usize>> {
        let mut found = text.match_indices(&self.old).map(|(at, old)| at..at + old.len());
        let range = found.next().filter(|_| found.next().is_none());
        range.with_context(|| format!("{}: `{}` is not there once", self.file, self.old))
    }

    fn apply(&self, text: &str) -> anyhow::Result<String> {
        let range = self.range(text)?;
        Ok([&text[..range.start], &self.new, &text[range.end..]].concat())
    }
}

fn list(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        mutant: Vec<Mutant>,
    }
    let list: List = toml::from_str(&source::read(&root.join("xtask/proof-mutants.toml"))?)?;
    Ok(list.mutant)
}

/// Code for the changed library, which says which change is switched on.
const SWITCH: &str = r#"
#[allow(unsafe_code, missing_docs)]
mod mutant {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);

    #[inline(always)]
    pub(crate) fn is(number: usize) -> bool {
        ACTIVE.load(Relaxed) == number
    }

    extern "C" fn begin() {
        if let Ok(number) = std::env::var("MUTANT") {
            ACTIVE.store(number.parse().unwrap(), Relaxed);
        }
    }

    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEGIN: extern "C" fn() = begin;
}
"#;

/// The places where code can ask which change is switched on: blocks, and expressions that are values and no places in memory,
/// in functions that are not `const`. What is inside of a place comes after it.
#[derive(Default)]
struct Places(Vec<(Range<usize>, Kind)>);

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Operand,
    /// An expression that needs no semicolon, as a block.
    Block,
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let kind = match expr {
            Expr::If(_) | Expr::Match(_) => Some(Kind::Block),
            Expr::Assign(_) | Expr::Binary(_) | Expr::Call(_) | Expr::Macro(_) | Expr::MethodCall(_) => {
                Some(Kind::Operand)
            }
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => Some(Kind::Operand),
            _ => None,
        };
        self.0.extend(kind.map(|kind| (expr.span().byte_range(), kind)));
        visit::visit_expr(self, expr);
    }
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.0.push((block.span().byte_range(), Kind::Block));
        visit::visit_block(self, block);
    }
    // What is computed while compiling.
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        item.sig.constness.is_none().then(|| self.visit_block(&item.block));
    }
    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        item.sig.constness.is_none().then(|| self.visit_block(&item.block));
    }
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

/// How many bytes two texts have in common at their starts.
fn alike(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// A file's text with changes that can be switched on by their numbers. The numbers of the others are added to `alone`.
fn switched<'a>(
    text: &str,
    changes: impl Iterator<Item = (usize, &'a Mutant)>,
    alone: &mut Vec<usize>,
) -> anyhow::Result<String> {
    let mut places = Places::default();
    places.visit_file(&syn::parse_file(text)?);
    let mut chosen = Vec::new();
    for (number, mutant) in changes {
        let (range, changed) = (mutant.range(text)?, mutant.apply(text)?);
        // Only what differs.
        let before = alike(mutant.old.chars(), mutant.new.chars());
        let (old, new) = (&mutant.old[before..], &mutant.new[before..]);
        let after = alike(old.chars().rev(), new.chars().rev());
        let range = range.start + before..range.end - after;
        let with_change = |place: &Range<usize>| &changed[place.start..changed.len() - (text.len() - place.end)];
        let place = places.0.iter().rfind(|(place, kind)| match kind {
            Kind::Operand => {
                place.start <= range.start
                    && range.end <= place.end
                    && syn::parse_str::<Expr>(with_change(place)).is_ok()
            }
            Kind::Block => place.start < range.start && range.end < place.end,
        });
        match place {
            Some((place, kind)) => {
                let [open, close] = if *kind == Kind::Block { ["{ ", "} }"] } else { ["(", "})"] };
                let first = format!("{open}if crate::mutant::is({number}) {{ {} }} else {{", with_change(place));
                chosen.push((place.clone(), first, close));
            }
            None => alone.push(number),
        }
    }
    // A place in another, or the same one again, is inside of the last braces.
    chosen.sort_by_key(|(place, ..)| (place.start, std::cmp::Reverse(place.end)));
    let ends = chosen.iter().rev().map(|(place, _, close)| (place.end, *close));
    let starts = chosen.iter().map(|(place, first, _)| (place.start, &**first));
    let mut pieces: Vec<(usize, &str)> = ends.chain(starts).collect();
    pieces.sort_by_key(|(at, _)| *at);
    let (mut switched, mut done) = (String::new(), 0);
    for (at, piece) in pieces {
        switched += &text[std::mem::replace(&mut done, at)..at];
        switched += piece;
    }
    Ok(switched + &text[done..])
}

/// The texts of the files with all changes that can be compiled together, and the numbers of the others.
fn together(
    root: &Path,
    list: &[Mutant],
    chosen: &[usize],
) -> anyhow::Result<(BTreeMap<String, String>, Vec<usize>)> {
    let (mut texts, mut alone) = (BTreeMap::new(), Vec::new());
    let files: BTreeSet<&str> = chosen.iter().map(|&number| &*list[number].file).collect();
    for file in files {
        let changes =
            chosen.iter().map(|&number| (number, &list[number])).filter(|(_, mutant)| mutant.file == file);
        texts.insert(file.to_owned(), switched(&source::read(&root.join(file))?, changes, &mut alone)?);
    }
    let lib = "src/lib.rs";
    ensure!(!texts.contains_key(lib), "prove: {lib} cannot be changed");
    texts.insert(lib.to_owned(), source::read(&root.join(lib))? + SWITCH);
    Ok((texts, alone))
}

/// What comes before the names of tests in `tests/quick.rs`.
const QUICK: &str = "quick::";

pub fn run(filter: Option<&str>, quick: bool) -> anyhow::Result<()> {
    let root = source::root();
    let list = list(&root)?;
    let is_chosen = |&number: &usize| {
        let Mutant { name, test, .. } = &list[number];
        filter.is_none_or(|filter| name.contains(filter) || test.contains(filter))
    };
    let chosen: Vec<usize> = (0..list.len()).filter(is_chosen).collect();
    ensure!(!chosen.is_empty(), "prove: no such change");
    let (drivers, proofs): (Vec<usize>, Vec<usize>) =
        chosen.into_iter().partition(|&number| list[number].test.starts_with(QUICK));
    let mut counts = BTreeMap::new();
    if !proofs.is_empty() {
        counts.append(&mut try_all("--lib", &list, &proofs, quick)?);
    }
    if !drivers.is_empty() && !quick {
        counts.append(&mut try_all("--test=quick", &list, &drivers, quick)?);
    }
    println!("\nnoticed  of  by");
    for (test, (noticed, all)) in &counts {
        println!("{noticed:7} {all:3}  {test}");
    }
    let missed: usize = counts.values().map(|(noticed, all)| all - noticed).sum();
    ensure!(missed == 0, "prove: {missed} changes are not noticed as they should be");
    Ok(())
}

/// Tries the chosen changes, whose tests are all in one program. Returns, for each test, how many it noticed, and of how many.
fn try_all<'a>(
    program: &str,
    list: &'a [Mutant],
    chosen: &[usize],
    quick: bool,
) -> anyhow::Result<BTreeMap<&'a str, (usize, usize)>> {
    let (root, tests_of) = (source::root(), program);
    let (texts, mut alone) = together(&root, list, chosen)?;
    let mut switched: Vec<usize> = chosen.iter().copied().filter(|number| !alone.contains(number)).collect();
    if quick {
        let mut tests: BTreeSet<&str> = switched.iter().map(|&number| &*list[number].test).collect();
        alone.retain(|&number| tests.insert(&list[number].test));
    }

    let started = Instant::now();
    let program = match compile(tests_of, &texts)? {
        Some(program) => program,
        None => {
            println!("the changes do not compile together: now each is compiled alone");
            alone.splice(0..0, switched.drain(..));
            compile(tests_of, &BTreeMap::new())?.context("the unchanged copy does not compile")?
        }
    };
    println!("{:6.1} s  to compile {} changes together", started.elapsed().as_secs_f64(), switched.len());
    let started = Instant::now();
    let tests: BTreeSet<&str> = switched.iter().chain(&alone).map(|&number| &*list[number].test).collect();
    let tests: Vec<&str> = tests.into_iter().collect();
    // One takes too long if it does not fail.
    let controls: Vec<&str> = tests.iter().copied().filter(|test| !test.ends_with(TOO_LONG)).collect();
    in_parallel(&controls, |test| match outcome(&program, test, Run::Unswitched { quick })? {
        Outcome::Passed => Ok(()),
        Outcome::Ignored if quick => Ok(()),
        other => anyhow::bail!("{test} fails without a change: {other:?}"),
    })?;
    println!("{:6.1} s  for {} tests without a change", started.elapsed().as_secs_f64(), controls.len());

    let counts = Mutex::new(BTreeMap::from_iter(tests.iter().map(|test| (*test, (0, 0)))));
    let record = |number: usize, outcome: Option<Outcome>, started: Instant| {
        let Mutant { name, file, test, noticed, .. } = &list[number];
        let (is_noticed, what) = verdict(*noticed, outcome);
        let mut counts = counts.lock().unwrap();
        let (of_test, all) = counts.get_mut(&**test).unwrap();
        (*of_test, *all) = (*of_test + usize::from(is_noticed), *all + 1);
        println!("{:6.1} s  {name} ({file}, {test})\n          {what}", started.elapsed().as_secs_f64());
    };
    in_parallel(&switched, |&number| {
        let started = Instant::now();
        record(number, Some(outcome(&program, &list[number].test, Run::Switched(number))?), started);
        Ok(())
    })?;
    for number in alone {
        let (started, mutant) = (Instant::now(), &list[number]);
        let text = mutant.apply(&source::read(&root.join(&mutant.file))?)?;
        let program = compile(tests_of, &BTreeMap::from([(mutant.file.clone(), text)]))?;
        let outcome = program
            .map(|program| outcome(&program, &mutant.test, Run::Unswitched { quick: false }))
            .transpose()?;
        record(number, outcome, started);
    }

    Ok(counts.into_inner().unwrap())
}

/// Calls a function with each item, on all cores.
fn in_parallel<T: Sync>(items: &[T], act: impl Fn(&T) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            act(item)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..std::thread::available_parallelism()?.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })
}

/// Compiles tests of the copy, the unit tests or others, with some texts in place of files, as `cargo xtask prove` does, but only with the
/// features that proofs need. `None` if there are errors, which cargo prints.
fn compile(program: &str, texts: &BTreeMap<String, String>) -> anyhow::Result<Option<PathBuf>> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    let mut cargo = in_copy(&copied(&work(), texts)?);
    cargo.args(["test", "--release", "--package=fastutf", "--features=positions", program, "--no-run", "--quiet"]);
    cargo.arg("--message-format=json-render-diagnostics").stderr(std::process::Stdio::inherit());
    let output = cargo.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout)?;
    let mut programs = text.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable);
    Ok(Some(programs.next_back().context("cargo names no program")?))
}

/// How a test is run.
#[derive(Clone, Copy)]
enum Run {
    /// With no change switched on. `quick`: only if it is not one of those that are ignored by default.
    Unswitched {
        quick: bool,
    },
    Switched(usize),
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    Ignored,
    /// The message, as [`message`] has it.
    Panicked(String),
    Signal(i32),
    Endless,
    /// For example, there is no such test.
    Other(String),
}

fn outcome(program: &Path, test: &str, run: Run) -> anyhow::Result<Outcome> {
    let mut command = source::limited(program, 300);
    let test = match test.strip_prefix(QUICK) {
        // One case in 10 is enough for these.
        Some(test) => {
            command.env("FASTUTF_TEST_THIN", "10");
            test
        }
        None => test,
    };
    command.args(["--nocapture", "--exact", test]);
    command.env("RUST_BACKTRACE", "0").env_remove("MUTANT");
    if let Run::Switched(number) = run {
        command.env("MUTANT", number.to_string());
    }
    if !matches!(run, Run::Unswitched { quick: true }) {
        command.arg("--include-ignored");
    }
    let output = command.output()?;
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(match (output.status.code(), output.status.signal(), message(&err)) {
        (Some(0), ..) if out.contains("test result: ok. 1 passed") => Outcome::Passed,
        (Some(0), ..) if out.contains("0 passed; 0 failed; 1 ignored") => Outcome::Ignored,
        (Some(101), _, Some(message)) => Outcome::Panicked(message),
        // SIGXCPU or SIGKILL, at the limit.
        (_, Some(9 | 24), _) => Outcome::Endless,
        (_, Some(signal), _) => Outcome::Signal(signal),
        _ => Outcome::Other(format!("{}: {out}{err}", output.status)),
    })
}

/// The first line, or what there is of it in 300 characters, of the first panic's message, which is after the line that says
/// where. In a list of bytes, those that are alike are counted.
fn message(err: &str) -> Option<String> {
    let line = err.lines().skip_while(|line| !line.contains(" panicked at ")).nth(1)?;
    let bytes: Vec<&str> = line.split(", ").collect();
    let short = bytes.chunk_by(|a, b| a == b).map(|alike| match alike {
        [byte, _, _, _, ..] => format!("{byte} ({} times)", alike.len()),
        few => few.join(", "),
    });
    Some(short.collect::<Vec<_>>().join(", ").chars().take(300).collect())
}

/// Whether a change was noticed as it should be, and what happened.
fn verdict(noticed: Noticed, outcome: Option<Outcome>) -> (bool, String) {
    match (noticed, outcome) {
        (Noticed::Panic, Some(Outcome::Panicked(message))) => (true, message),
        // SIGBUS and SIGSEGV.
        (Noticed::Signal, Some(Outcome::Signal(signal @ (7 | 11)))) => (true, format!("signal {signal}")),
        (Noticed::Endless, Some(Outcome::Endless)) => (true, "does not end".to_owned()),
        (_, Some(Outcome::Passed)) => (false, "NOT NOTICED".to_owned()),
        (_, Some(other)) => (false, format!("NOT NOTICED AS IT SHOULD BE: {other:?}")),
        (_, None) => (false, "DOES NOT COMPILE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the library's tests; those that prove something separately.
    fn tests_of_library(root: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
        struct Finder {
            module: String,
            found: Vec<(String, bool)>,
        }
        impl<'ast> Visit<'ast> for Finder {
            fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
                let outer = self.module.clone();
                self.module += &format!("::{}", item.ident);
                visit::visit_item_mod(self, item);
                self.module = outer;
            }
            fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
                let has = |name| item.attrs.iter().any(|attr| attr.path().is_ident(name));
                if has("test") {
                    self.found.push((format!("{}::{}", self.module, item.sig.ident), !has("should_panic")));
                }
            }
        }
        let relative = |path: &Path| path.strip_prefix(root.join("src")).unwrap().to_str().unwrap().to_owned();
        let files = source::files(&root.join("src"), ".rs").unwrap().into_iter();
        let files: Vec<_> = files.map(|path| (relative(&path), source::read(&path).unwrap())).collect();
        let module = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        let (mut tests, mut proofs) = (BTreeSet::new(), BTreeSet::new());
        for (path, text) in &files {
            // A file may be a module of another one than its place says: `#[path = "../../proof/masks.rs"] mod proof;`
            let owner = files.iter().find_map(|(owner, text)| {
                let (_, rest) = text.split_once(&format!("/{path}\"]"))?;
                Some(format!("{}::{}", module(owner), rest.split_once("mod ")?.1.split_once(';')?.0))
            });
            let mut finder = Finder { module: owner.unwrap_or_else(|| module(path)), found: Vec::new() };
            finder.visit_file(&syn::parse_file(text).unwrap());
            let proves = path.starts_with("proof/") || text.contains("report_lanes(");
            for (test, must_pass) in finder.found {
                if proves && must_pass {
                    proofs.insert(test.clone());
                }
                tests.insert(test);
            }
        }
        (tests, proofs)
    }

    /// Each change can be made in the sources as they are, and names a test that there is.
    #[test]
    fn all_changes_can_be_made() {
        let root = source::root();
        let (tests, _) = tests_of_library(&root);
        for mutant in list(&root).unwrap() {
            let text = source::read(&root.join(&mutant.file)).unwrap();
            assert_ne!(mutant.apply(&text).unwrap(), text);
            let is_there = match mutant.test.strip_prefix(QUICK) {
                Some(test) => {
                    let (file, test) = test.split_once("::").unwrap();
                    let suite = source::read(&root.join("tests/suite").join(file).with_extension("rs")).unwrap();
                    suite.contains(&format!("fn {test}()"))
                }
                None => tests.contains(&mutant.test),
            };
            assert!(is_there, "{}", mutant.test);
        }
    }

    /// A proof that cannot fail is none.
    #[test]
    fn all_proofs_have_changes_to_notice() {
        let root = source::root();
        let (_, proofs) = tests_of_library(&root);
        let changes = list(&root).unwrap();
        assert!(proofs.len() > 20);
        let without: Vec<_> =
            proofs.iter().filter(|proof| changes.iter().all(|mutant| mutant.test != **proof)).collect();
        assert!(without.is_empty(), "proofs without a change in xtask/proof-mutants.toml: {without:#?}");
    }

    #[test]
    fn how_changes_are_switched() {
        let change = |old: &str, new: &str| Mutant {
            name: String::new(),
            file: String::new(),
            old: old.to_owned(),
            new: new.to_owned(),
            test: String::new(),
            noticed: Noticed::Panic,
        };
        let text =
            "const A: u8 = 1; fn f(b: bool) { if b && g(2) { g(4); } } const fn g(a: u8) -> bool { a == 3 }";
        let changes = [("= 1", "= 2"), ("2", "5"), ("== 3", "!= 3"), ("b && g(2)", "b || g(2)"), ("g(4);", "")];
        let changes = changes.map(|(old, new)| change(old, new));
        let mut alone = Vec::new();
        let got = switched(text, (5..).zip(&changes), &mut alone).unwrap();
        assert_eq!(alone, [5, 7]);
        let want = "fn f(b: bool) { \
            if (if crate::mutant::is(8) { b || g(2) } else {b && \
            (if crate::mutant::is(6) { g(5) } else {g(2)})}) \
            { if crate::mutant::is(9) { {  } } else {{ g(4); }} } }";
        assert!(got.contains(want), "{got}");
        assert!(switched(text, [(0, &change("g(", "f("))].into_iter(), &mut alone).is_err(), "it is there twice");
    }

    #[test]
    fn what_is_noticed() {
        let err = "\nthread 'a' (7) panicked at src/a.rs:1:2:\naccepts 61 C0\nnote: run with\n";
        assert_eq!(message(err).as_deref(), Some("accepts 61 C0"));
        assert_eq!(message("signal: 11"), None);
        let err = "thread 'a' panicked at b:\nin [80, 00, 00, 00, 00, 61, 61]";
        assert_eq!(message(err).as_deref(), Some("in [80, 00 (4 times), 61, 61]"));
        let panicked = || Some(Outcome::Panicked("accepts 61 C0".to_owned()));
        assert_eq!(verdict(Noticed::Panic, panicked()), (true, "accepts 61 C0".to_owned()));
        assert!(!verdict(Noticed::Signal, panicked()).0);
        assert!(verdict(Noticed::Signal, Some(Outcome::Signal(11))).0);
        let others = [
            Some(Outcome::Signal(11)),
            Some(Outcome::Signal(6)),
            Some(Outcome::Endless),
            Some(Outcome::Passed),
            None,
        ];
        assert!(others.into_iter().all(|outcome| !verdict(Noticed::Panic, outcome).0));
    }
}
