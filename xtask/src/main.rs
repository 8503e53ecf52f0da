//! `cargo xtask`: checks of the project's own source and object code. Run it without arguments for the list.

mod budget;
mod ci;
mod copy;
mod count;
mod coverage;
mod debug_speed;
mod dependencies;
mod emulate;
mod folding;
mod fuzz;
mod inlining;
mod layers;
mod lines;
mod mutants;
mod objects;
mod operations;
mod package;
mod prove;
mod race;
mod schemata;
mod size;
mod source;
mod test_programs;
mod unsafe_code;

use std::process::ExitCode;

use clap::Parser;

/// Commands: the name, the type of the options, and the function that gets them.
macro_rules! tasks {
    ($($task:ident($options:ty) $run:path;)*) => {
        /// Checks of fastutf's own source and object code.
        #[derive(Parser)]
        #[command(name = "cargo xtask", bin_name = "cargo xtask")]
        enum Task {
            $($task($options),)*
        }

        fn run(task: Task) -> anyhow::Result<()> {
            match task {
                $(Task::$task(options) => $run(options),)*
            }
        }
    };
}

tasks! {
    Budget(budget::Options) budget::run;
    Ci(ci::Options) ci::run;
    Dependencies(dependencies::Options) dependencies::run;
    Count(count::Options) count::run;
    Coverage(coverage::Options) coverage::run;
    DebugSpeed(debug_speed::Options) debug_speed::run;
    Emulate(emulate::Options) emulate::run;
    Folding(folding::Options) folding::run;
    Fuzz(fuzz::Options) fuzz::run;
    Inlining(inlining::Options) inlining::run;
    Layers(layers::Options) layers::run;
    Lines(lines::Options) lines::run;
    Mutants(mutants::Options) mutants::run;
    Operations(operations::Options) operations::run;
    TestPrograms(test_programs::Options) test_programs::run;
    Package(package::Options) package::run;
    Programs(package::Programs) package::write;
    Prove(prove::Options) prove::run;
    Race(race::Options) race::run;
    Size(size::Options) size::run;
    Unsafe(unsafe_code::Options) unsafe_code::run;
}

fn main() -> ExitCode {
    let Err(error) = run(Task::parse()) else { return ExitCode::SUCCESS };
    eprintln!("{error:#}");
    ExitCode::FAILURE
}
