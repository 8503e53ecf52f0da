//! Everything that is checked before a change goes in: `cargo xtask ci`.

mod runner;
mod steps;
mod tested;

use std::fmt;
use std::io::Write as _;

use clap::ValueEnum as _;

use crate::source;
use runner::Runner;
use steps::{STEPS, Step};

/// Runs the checks that a change must pass, or those of some groups
///
/// Steps that find most mistakes in the least time come first, and the first failure ends the run. The last lines say how
/// long each step took, how many tests ran on which instruction sets, and what could not be tested on this machine.
#[derive(clap::Args)]
pub struct Options {
    /// Only these groups
    groups: Vec<Group>,
    /// Only what finds most mistakes in minutes: what to run before every push
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All cases, and what the short run leaves out. Leaves a row for each group in docs/tested.md
    #[arg(long)]
    full: bool,
    /// Only print the steps and their commands
    #[arg(long)]
    list: bool,
    /// How many steps run at the same time: with 2, one compiles while another runs its tests. To time steps, 1
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    jobs: u8,
}

/// A group of steps.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Group {
    /// Formatting, lints of every workspace and feature set, documentation, dependencies, checks of our own source.
    Check,
    /// README's test command, the programs of README, the oldest compiler, no std.
    Test,
    /// Dispatch and kernels on other x86-64 CPUs.
    Cpus,
    /// Other architectures, under emulators.
    Cross,
    /// Memory accesses checked: sanitizers, valgrind, Miri.
    Memory,
    /// Proofs about kernels, and changes that they must notice: in a short run only where these have changed.
    Proof,
    /// Differential fuzzing.
    Fuzz,
    /// The library for C and C++, and the Python package.
    Bindings,
    /// Arrow, DataFusion and Ballista.
    Engines,
    /// Size, cost to compile, inlining, instruction counts, work that grows linearly, benchmarks that run.
    Budget,
}

impl Group {
    /// The paths whose changes can change what the group finds.
    fn paths(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["."],
            Self::Test => {
                &["src", "build.rs", "tests", "testkit", "cli", "examples", "tokio", "Cargo.toml", "Cargo.lock"]
            }
            Self::Cpus | Self::Cross | Self::Memory => &["src", "build.rs", "tests", "testkit", "scripts"],
            Self::Proof => steps::PROVED,
            Self::Fuzz => &["src", "testkit", "fuzz"],
            Self::Bindings => &["src", "capi", "python"],
            Self::Engines => &["src", "engines"],
            Self::Budget => &["src", "build.rs", "benches", "compare", "testkit", "Cargo.toml"],
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().expect("none is skipped").get_name())
    }
}

/// How much of a step is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Quick,
    Gate,
    Full,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let root = &source::root();
    let extent = match (options.quick, options.full) {
        (true, _) => Extent::Quick,
        (_, true) => Extent::Full,
        _ => Extent::Gate,
    };
    let named = |group: Group| options.groups.is_empty() || options.groups.contains(&group);
    let before = tested::Table::read(root)?;
    // Proofs of code that has changed since they all ran are run in full.
    let prove = extent == Extent::Gate && before.state(root, Group::Proof).is_some();
    let mut chosen: Vec<(&Step, Vec<String>)> = Vec::new();
    for step in STEPS.iter().filter(|step| named(step.group)) {
        let extent = if prove && step.group == Group::Proof { Extent::Full } else { extent };
        let commands = step.commands(extent, root)?;
        if !commands.is_empty() {
            chosen.push((step, commands));
        }
    }
    if options.list {
        let list: String = chosen
            .iter()
            .map(|(step, commands)| format!("{}: {}\n    {}\n", step.group, step.name, commands.join("\n    ")))
            .collect();
        // Nobody has to read it to the end.
        let _ = std::io::stdout().write_all(list.as_bytes());
        return Ok(());
    }
    let mut groups: Vec<Group> = chosen.iter().map(|(step, _)| step.group).collect();
    groups.dedup();

    let clean = tested::is_clean(root)?;
    let runner = Runner::new(root);
    let passed = runner.run(&chosen, options.jobs.into());
    let report = runner.report();
    print!("{report}");
    passed?;
    if options.full {
        let mut table = before;
        for &group in &groups {
            let (seconds, cases) = report.of(group);
            table.add(root, group, seconds, cases)?;
        }
        if clean {
            table.write(root)?;
            println!("\n=== rows for {} are in {}", list(&groups), tested::PATH);
        } else {
            println!("\n=== no rows were left in {}: the working tree has changes without a commit", tested::PATH);
        }
    } else if extent == Extent::Gate {
        println!("\n=== run in full (cargo xtask ci --full GROUP)");
        for &group in Group::value_variants().iter().filter(|&&group| named(group)) {
            println!("{group:9} {}", before.state(root, group).unwrap_or_else(|| "on this code".into()));
        }
    }
    // In a form that counts.
    println!("\n{} passed, 0 failed, {} skipped", report.passed(), report.ignored());
    Ok(())
}

fn list(groups: &[Group]) -> String {
    groups.iter().map(Group::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_steps() {
        for group in Group::value_variants() {
            assert!(STEPS.iter().any(|step| step.group == *group), "{group} has no step");
        }
    }

    #[test]
    fn every_step_is_part_of_a_full_run() {
        let root = source::root();
        for step in STEPS {
            let full = step.commands(Extent::Full, &root).unwrap();
            assert!(!full.is_empty(), "{}", step.name);
            for extent in [Extent::Quick, Extent::Gate] {
                // What a shorter run calls, the full one calls as well, perhaps with more cases.
                for command in step.commands(extent, &root).unwrap() {
                    let program =
                        |command: &str| command.split(' ').find(|word| !word.contains('=')).map(String::from);
                    assert!(full.iter().any(|other| program(other) == program(&command)), "{command}");
                }
            }
        }
    }

    #[test]
    fn steps_of_a_group_stand_together_and_start_with_the_cheapest() {
        assert!(STEPS.is_sorted_by_key(|step| step.group));
        assert!(matches!(
            STEPS,
            [Step { name: "formatting", .. }, Step { name: "checks of our own source", .. }, ..]
        ));
    }
}
