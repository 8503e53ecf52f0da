//! Runs steps, one by one or some at a time, and remembers what their output says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, bail};

use super::Group;
use super::steps::Step;

pub struct Runner<'a> {
    root: &'a Path,
    /// What runs now, so that it can be stopped.
    children: Mutex<Vec<Child>>,
    failed: AtomicBool,
    done: Mutex<Vec<Done>>,
}

/// A step that has been run, and what its output says.
struct Done {
    group: Group,
    name: &'static str,
    seconds: u64,
    passed: usize,
    ignored: usize,
    isas: BTreeSet<String>,
    not_tested: Vec<String>,
}

impl Done {
    fn read(&mut self, line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            // `ok. 12 passed; 0 failed; 3 ignored; …`
            let number = |what: &str| {
                let before = result.split(what).next().unwrap_or_default();
                before.trim_end().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
            };
            self.passed += number("passed");
            self.ignored += number("ignored");
        } else if let Some(names) = line.strip_prefix("instruction sets tested here: ") {
            self.isas.extend(names.split(';').next().unwrap_or_default().split(' ').map(String::from));
        } else if let Some(passed) =
            line.split_once(" passed").and_then(|(number, _)| number.parse::<usize>().ok())
        {
            // As pytest says it.
            self.passed += passed;
        } else if let Some(cases) = line.strip_prefix("cases: ") {
            self.passed += cases.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if let Some(what) = line.strip_prefix("NOT TESTED") {
            self.not_tested.push(what.trim_start_matches([':', ' ']).to_owned());
        }
    }
}

impl<'a> Runner<'a> {
    pub fn new(root: &'a Path) -> Self {
        Self { root, children: Mutex::default(), failed: AtomicBool::new(false), done: Mutex::default() }
    }

    /// Runs all steps: the first two, which take seconds, in turn, and then `jobs` at a time.
    pub fn run(&self, steps: &[(&Step, Vec<String>)], jobs: usize) -> anyhow::Result<()> {
        let first = if jobs == 1 { steps.len() } else { steps.len().min(2) };
        for (step, commands) in &steps[..first] {
            self.step(step, commands, true)?;
        }
        let next = AtomicUsize::new(first);
        std::thread::scope(|scope| {
            let work = || -> anyhow::Result<()> {
                while let Some((step, commands)) = steps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = self.step(step, commands, false) {
                        // What the others do is of no interest any more.
                        if self.failed.swap(true, Ordering::Relaxed) {
                            return Ok(());
                        }
                        let mut children = self.children.lock().unwrap();
                        children.iter_mut().for_each(|child| drop(child.kill()));
                        return Err(error);
                    }
                }
                Ok(())
            };
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    /// Runs one step. Its output appears at once, or, if others run at the same time, when it ends.
    fn step(&self, step: &Step, commands: &[String], at_once: bool) -> anyhow::Result<()> {
        let heading = format!("\n=== {}: {}", step.group, step.name);
        let mut kept = String::new();
        let mut print = |line: &str| if at_once { println!("{line}") } else { kept += &format!("{line}\n") };
        if !at_once {
            println!("... {}: {}", step.group, step.name);
        }
        print(&heading);
        let start = Instant::now();
        let mut done = Done {
            group: step.group,
            name: step.name,
            seconds: 0,
            passed: 0,
            ignored: 0,
            isas: BTreeSet::new(),
            not_tested: Vec::new(),
        };
        let ended = commands.iter().try_for_each(|command| {
            print(&format!("$ {command}"));
            let mut each = |line: &str| {
                done.read(line);
                print(line);
            };
            self.command(command, &mut each).with_context(|| format!("FAILED: {}: {command}", step.name))
        });
        done.seconds = start.elapsed().as_secs();
        print(&format!("{:5} s  {}", done.seconds, step.name));
        // One write, as others print, too.
        if !(at_once || self.failed.load(Ordering::Relaxed)) {
            print!("{kept}");
        }
        ended?;
        self.done.lock().unwrap().push(done);
        Ok(())
    }

    fn command(&self, command: &str, each: &mut impl FnMut(&str)) -> anyhow::Result<()> {
        if self.failed.load(Ordering::Relaxed) {
            bail!("another step has failed");
        }
        let (output, input) = std::io::pipe()?;
        let mut program = parse(command)?;
        program.current_dir(self.root).stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input);
        let child = program.spawn().with_context(|| command.to_owned())?;
        // The pipe ends when nobody holds its other end.
        drop(program);
        let id = child.id();
        self.children.lock().unwrap().push(child);
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            each(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
        let mut children = self.children.lock().unwrap();
        let at = children.iter().position(|child| child.id() == id).expect("it has not been removed");
        let mut child = children.swap_remove(at);
        drop(children);
        let status = child.wait()?;
        if !status.success() {
            bail!("{status}");
        }
        Ok(())
    }

    pub fn report(&self) -> Report {
        let mut done = std::mem::take(&mut *self.done.lock().unwrap());
        done.sort_by_key(|done| done.group);
        Report(done)
    }
}

/// `NAME=VALUE … program arguments`, without quotes. `xtask` is this program.
fn parse(command: &str) -> anyhow::Result<Command> {
    let mut words = command.split(' ').peekable();
    let mut variables = BTreeMap::new();
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        variables.insert(name.to_owned(), value.to_owned());
        words.next();
    }
    let program = words.next().context("a command has a program")?;
    let mut command = match program {
        "xtask" => Command::new(std::env::current_exe()?),
        "cargo" => crate::source::cargo(),
        _ => Command::new(program),
    };
    command.args(words).envs(variables).env_remove("CARGO_TARGET_DIR");
    Ok(command)
}

/// What was run, how long it took, and what it found.
pub struct Report(Vec<Done>);

impl Report {
    pub fn passed(&self) -> usize {
        self.0.iter().map(|done| done.passed).sum()
    }

    pub fn ignored(&self) -> usize {
        self.0.iter().map(|done| done.ignored).sum()
    }

    /// The seconds of a group, and the number of its tests and cases, with what could not be tested.
    pub fn of(&self, group: Group) -> (u64, String) {
        let of_group = || self.0.iter().filter(|done| done.group == group);
        let mut cases = of_group().map(|done| done.passed).sum::<usize>().to_string();
        for what in of_group().flat_map(|done| &done.not_tested).collect::<BTreeSet<_>>() {
            cases += &format!("; NOT TESTED: {}", what.replace('|', "/"));
        }
        (of_group().map(|done| done.seconds).sum(), cases)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n=== seconds, tests that passed, and those left out")?;
        for done in &self.0 {
            write!(
                f,
                "{:5} s {:6} {:4}  {:9} {}",
                done.seconds, done.passed, done.ignored, done.group, done.name
            )?;
            let isas: Vec<&str> = done.isas.iter().map(String::as_str).collect();
            writeln!(f, "{}{}", if isas.is_empty() { "" } else { ": " }, isas.join(" "))?;
        }
        let mut not_tested: BTreeSet<(&str, &str)> = BTreeSet::new();
        for done in &self.0 {
            not_tested.extend(done.not_tested.iter().map(|what| (done.name, what.as_str())));
        }
        if !not_tested.is_empty() {
            writeln!(f, "\n=== NOT TESTED")?;
        }
        not_tested.iter().try_for_each(|(step, what)| writeln!(f, "{step}: {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source;

    fn step(name: &'static str) -> Step {
        Step { name, ..*super::super::STEPS.last().unwrap() }
    }

    #[test]
    fn what_output_says() {
        let root = source::root();
        let runner = Runner::new(&root);
        let mut done = Done {
            group: Group::Test,
            name: "a",
            seconds: 3,
            passed: 0,
            ignored: 0,
            isas: BTreeSet::new(),
            not_tested: Vec::new(),
        };
        done.read("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 7 filtered out; finished in 0.1s");
        done.read("cases: 30 of something");
        done.read("8 passed, 1 skipped in 3.21s");
        done.read("instruction sets tested here: avx2 scalar; this CPU lacks: avx512");
        done.read("NOT TESTED: AVX-512");
        assert_eq!((done.passed, done.ignored), (50, 3));
        runner.done.lock().unwrap().push(done);
        let report = runner.report();
        assert_eq!(report.of(Group::Test), (3, "50; NOT TESTED: AVX-512".into()));
        assert!(report.to_string().contains("a: avx2 scalar\n"));
        assert!(report.to_string().ends_with("=== NOT TESTED\na: AVX-512\n"));
    }

    #[test]
    fn a_failure_ends_the_run() {
        let root = source::root();
        for jobs in [1, 2] {
            let runner = Runner::new(&root);
            let (first, second) = (step("first"), step("second"));
            let steps = [(&first, vec!["A=b false x".to_owned()]), (&second, vec!["sleep 600".to_owned()])];
            let start = Instant::now();
            let error = runner.run(&steps, jobs).unwrap_err();
            assert!(format!("{error:#}").starts_with("FAILED: first: A=b false x: exit status: 1"), "{error:#}");
            assert!(start.elapsed().as_secs() < 300);
            assert_eq!(runner.report().passed(), 0);
        }
    }
}
