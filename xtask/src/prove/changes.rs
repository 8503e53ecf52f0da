//! Changes that the proofs must notice.
//!
//! They are compiled together ([`schemata`]). The smallest expression, or block, around a change becomes
//!
//! ```text
//! (if crate::mutant::at(7) == 0 { what is there with the change } else { what is there })
//! ```
//!
//! where 7 is the number of the change. So no change can hide another: with none switched on, the code is what it was, word for
//! word, and with one, only that differs. If the switch did not work, no change would be noticed, or tests would fail without a
//! change; both are errors. What is computed while compiling, or is no expression, is compiled alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use super::{TOO_LONG, copied, in_copy, work};
use crate::mutants::points::spots;
use crate::schemata::{self, LIB, Outcome, Place, splice};
use crate::source;

/// A change that a proof must notice.
#[derive(Default)]
struct Mutant {
    /// What is wrong then.
    name: String,
    file: String,
    /// Text that occurs once in the file.
    old: String,
    new: String,
    /// The test that must fail: one of the library, or after `suite::` one of `tests/suite`.
    test: String,
    noticed: Noticed,
}

/// How a test fails.
#[derive(Clone, Copy, Default)]
enum Noticed {
    #[default]
    Panic,
    /// A byte is read of which the proof does not know.
    Signal,
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

/// The changes of `xtask/proof-mutants.txt`, whose first lines say how they are written.
fn list(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    let text = source::read(&root.join("xtask/proof-mutants.txt"))?;
    let (mut list, mut file) = (Vec::<Mutant>::new(), "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(path) = line.strip_prefix("= ") {
            file = path;
        } else if let Some(change) = line.strip_prefix("    ") {
            let Mutant { old, new, .. } = list.last_mut().context("a change without a test")?;
            for (side, [shown, left_out]) in [(old, ["[-", "{+"]), (new, ["{+", "[-"])] {
                *side += if side.is_empty() { "" } else { "\n" };
                *side += &one_side(change, shown, left_out);
            }
        } else {
            let (test, name) = line.split_once(": ").with_context(|| format!("no test: {line}"))?;
            let noticed = match name.rsplit_once(" (") {
                Some((_, "by a signal)")) => Noticed::Signal,
                Some((_, "as it does not end)")) => Noticed::Endless,
                _ => Noticed::Panic,
            };
            let [name, file, test] = [name, file, test].map(str::to_owned);
            list.push(Mutant { name, file, test, noticed, ..Mutant::default() });
        }
    }
    Ok(list)
}

/// One of two texts that are written as one: `a [-old-]{+new+} z`.
fn one_side(change: &str, shown: &str, left_out: &str) -> String {
    let end = |open: &str| if open == "[-" { "-]" } else { "+}" };
    let parts = change.split(left_out).enumerate();
    let outside =
        parts.map(|(k, part)| if k == 0 { part } else { part.split_once(end(left_out)).unwrap_or(("", "")).1 });
    outside.collect::<String>().replace(shown, "").replace(end(shown), "")
}

/// How many bytes two texts have in common at their starts.
fn alike(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// A file's text with changes that can be switched on by their numbers. The numbers of the others are added to `alone`.
fn with_switches<'a>(
    text: &str,
    changes: impl Iterator<Item = (usize, &'a Mutant)>,
    alone: &mut Vec<usize>,
) -> anyhow::Result<String> {
    let spots = spots(text)?;
    let mut chosen = Vec::new();
    for (number, mutant) in changes {
        let (range, changed) = (mutant.range(text)?, mutant.apply(text)?);
        // Only what differs.
        let before = alike(mutant.old.chars(), mutant.new.chars());
        let (old, new) = (&mutant.old[before..], &mutant.new[before..]);
        let after = alike(old.chars().rev(), new.chars().rev());
        let range = range.start + before..range.end - after;
        let with_change = |place: &Range<usize>| &changed[place.start..changed.len() - (text.len() - place.end)];
        let spot = spots.iter().rfind(|(spot, is_block)| match is_block {
            true => spot.start < range.start && range.end < spot.end,
            false => {
                let is_inside = spot.start <= range.start && range.end <= spot.end;
                is_inside && syn::parse_str::<syn::Expr>(with_change(spot)).is_ok()
            }
        });
        match spot {
            Some((spot, is_block)) => {
                let [open, close] = if *is_block { ["{ ", "} }"] } else { ["(", "})"] };
                let first = format!("{open}if § == 0 {{ {} }} else {{", with_change(spot));
                chosen.push((Place::around(spot, first, close), number));
            }
            None => alone.push(number),
        }
    }
    // A place in another, or the same one again, is inside of the last braces.
    chosen.sort_by_key(|(place, _)| place.order());
    Ok(splice(text, &chosen.iter().map(|(place, number)| (place, *number)).collect::<Vec<_>>()).0)
}

/// What comes before the names of tests in `tests/suite`.
const SUITE: &str = "suite::";

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
        chosen.into_iter().partition(|&number| list[number].test.starts_with(SUITE));
    let mut counts = BTreeMap::new();
    if !proofs.is_empty() {
        counts.append(&mut try_all("--lib", &list, &proofs, quick)?);
    }
    if !drivers.is_empty() && !quick {
        counts.append(&mut try_all("--test=suite", &list, &drivers, quick)?);
    }
    println!("\nnoticed  of  by");
    for (test, (noticed, all)) in &counts {
        println!("{noticed:7} {all:3}  {test}");
    }
    let missed: usize = counts.values().map(|(noticed, all)| all - noticed).sum();
    ensure!(missed == 0, "prove: {missed} changes are not noticed as they should be");
    println!("cases: {} changes", counts.values().map(|(_, all)| all).sum::<usize>());
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
    let lib = schemata::with_switch(&source::read(&root.join(LIB))?, list.len());
    let (mut texts, mut alone) = (BTreeMap::from([(LIB.to_owned(), lib)]), Vec::new());
    for file in chosen.iter().map(|&number| &list[number].file).collect::<BTreeSet<_>>() {
        ensure!(file != LIB, "prove: {LIB} cannot be changed");
        let of_file =
            chosen.iter().map(|&number| (number, &list[number])).filter(|(_, mutant)| mutant.file == *file);
        texts.insert(file.clone(), with_switches(&source::read(&root.join(file))?, of_file, &mut alone)?);
    }
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
    let jobs = std::thread::available_parallelism()?.get();
    schemata::in_parallel(jobs, &controls, |test| match outcome(&program, test, None, quick)? {
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
    schemata::in_parallel(jobs, &switched, |&number| {
        let started = Instant::now();
        record(number, Some(outcome(&program, &list[number].test, Some(number), false)?), started);
        Ok(())
    })?;
    for number in alone {
        let (started, mutant) = (Instant::now(), &list[number]);
        let text = mutant.apply(&source::read(&root.join(&mutant.file))?)?;
        let program = compile(tests_of, &BTreeMap::from([(mutant.file.clone(), text)]))?;
        let outcome = program.map(|program| outcome(&program, &mutant.test, None, false)).transpose()?;
        record(number, outcome, started);
    }

    Ok(counts.into_inner().unwrap())
}

/// Compiles tests of the copy, the unit tests or others, with some texts in place of files, as `cargo xtask prove` does, but only with the
/// features that proofs need. `None` if there are errors, which cargo prints.
fn compile(program: &str, texts: &BTreeMap<String, String>) -> anyhow::Result<Option<PathBuf>> {
    let mut cargo = in_copy(&copied(&work(), texts)?);
    cargo.args(["test", "--release", "--features=positions,utf32", program, "--no-run"]);
    match schemata::compile(&mut cargo)? {
        Ok(programs) => Ok(Some(programs.into_values().next_back().context("cargo names no program")?)),
        Err(errors) => {
            schemata::print(&errors);
            Ok(None)
        }
    }
}

/// Runs a test, with a change switched on or none. `quick`: only if it is not one of those that are ignored by default.
fn outcome(program: &Path, test: &str, change: Option<usize>, quick: bool) -> anyhow::Result<Outcome> {
    schemata::outcome(program, Duration::from_secs(300), |command| {
        // One case in 10 is enough for tests of the suite.
        command.envs(test.starts_with(SUITE).then_some(("FASTUTF_TEST_THIN", "10")));
        command.envs(change.map(|number| ("MUTANT", number.to_string())));
        command.args(["--nocapture", "--exact", test.trim_start_matches(SUITE)]);
        command.args((!quick).then_some("--include-ignored"));
    })
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
    use syn::visit::{self, Visit};

    use super::*;

    /// The paths of the library's tests, and whether each proves something.
    fn tests_of_library(root: &Path) -> BTreeMap<String, bool> {
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
        let mut tests = BTreeMap::new();
        for (path, text) in &files {
            // A file may be a module of another one than its place says: `#[path = "../../proof/masks.rs"] mod proof;`
            let owner = files.iter().find_map(|(owner, text)| {
                let (_, rest) = text.split_once(&format!("/{path}\"]"))?;
                Some(format!("{}::{}", module(owner), rest.split_once("mod ")?.1.split_once(';')?.0))
            });
            let mut finder = Finder { module: owner.unwrap_or_else(|| module(path)), found: Vec::new() };
            finder.visit_file(&syn::parse_file(text).unwrap());
            let proves = path.starts_with("proof/") || text.contains("report_lanes(");
            tests.extend(finder.found.into_iter().map(|(test, must_pass)| (test, proves && must_pass)));
        }
        tests
    }

    /// Each change can be made in the sources as they are, and names a test that there is. A proof that cannot fail is none.
    #[test]
    fn all_changes_can_be_made_and_all_proofs_have_some() {
        let root = source::root();
        let mut tests = tests_of_library(&root);
        assert!(tests.values().filter(|proves| **proves).count() > 20);
        for mutant in list(&root).unwrap() {
            let text = source::read(&root.join(&mutant.file)).unwrap();
            assert_ne!(mutant.apply(&text).unwrap(), text);
            let is_there = match mutant.test.strip_prefix(SUITE).and_then(|test| test.split_once("::")) {
                Some((file, test)) => {
                    let suite = source::read(&root.join(format!("tests/suite/{file}.rs"))).unwrap();
                    suite.contains(&format!("fn {test}()"))
                }
                None => tests.insert(mutant.test.clone(), false).is_some(),
            };
            assert!(is_there, "{}", mutant.test);
        }
        let without: Vec<_> = tests.iter().filter(|(_, proves)| **proves).collect();
        assert!(without.is_empty(), "proofs without a change in xtask/proof-mutants.txt: {without:#?}");
    }

    #[test]
    fn how_changes_are_switched() {
        let change =
            |old: &str, new: &str| Mutant { old: old.to_owned(), new: new.to_owned(), ..Mutant::default() };
        let text =
            "const A: u8 = 1; fn f(b: bool) { if b && g(2) { g(4); } } const fn g(a: u8) -> bool { a == 3 }";
        let changes = [("= 1", "= 2"), ("2", "5"), ("== 3", "!= 3"), ("b && g(2)", "b || g(2)"), ("g(4);", "")];
        let changes = changes.map(|(old, new)| change(old, new));
        let mut alone = Vec::new();
        let got = with_switches(text, (5..).zip(&changes), &mut alone).unwrap();
        assert_eq!(alone, [5, 7]);
        let want = "fn f(b: bool) { \
            if (if crate::mutant::at(8) == 0 { b || g(2) } else {b && \
            (if crate::mutant::at(6) == 0 { g(5) } else {g(2)})}) \
            { if crate::mutant::at(9) == 0 { {  } } else {{ g(4); }} } }";
        assert!(got.contains(want), "{got}");
        assert!(
            with_switches(text, [(0, &change("g(", "f("))].into_iter(), &mut alone).is_err(),
            "it is there twice"
        );
    }

    #[test]
    fn what_is_noticed() {
        let panicked = || Some(Outcome::Panicked("accepts 61 C0".to_owned()));
        assert_eq!(verdict(Noticed::Panic, panicked()), (true, "accepts 61 C0".to_owned()));
        assert!(!verdict(Noticed::Signal, panicked()).0);
        assert!(verdict(Noticed::Signal, Some(Outcome::Signal(11))).0);
        let others = [Outcome::Signal(11), Outcome::Signal(6), Outcome::Endless, Outcome::Passed].map(Some);
        assert!(!verdict(Noticed::Panic, None).0);
        assert!(others.into_iter().all(|outcome| !verdict(Noticed::Panic, outcome).0));
    }
}
