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

/// Checks of fastutf's own source and object code.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    Budget(budget::Options),
    Ci(ci::Options),
    Dependencies(dependencies::Options),
    Count(count::Options),
    Coverage(coverage::Options),
    DebugSpeed(debug_speed::Options),
    Emulate(emulate::Options),
    Folding(folding::Options),
    Fuzz(fuzz::Options),
    Inlining(inlining::Options),
    Layers(layers::Options),
    Lines(lines::Options),
    Mutants(mutants::Options),
    Operations(operations::Options),
    TestPrograms(test_programs::Options),
    Package(package::Options),
    Programs(package::Programs),
    Prove(prove::Options),
    Race(race::Options),
    Size(size::Options),
    Unsafe(unsafe_code::Options),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Budget(options) => budget::run(options),
        Task::Ci(options) => ci::run(options),
        Task::Dependencies(options) => dependencies::run(options),
        Task::Count(options) => count::run(options),
        Task::Coverage(options) => coverage::run(options),
        Task::DebugSpeed(options) => debug_speed::run(options),
        Task::Emulate(options) => emulate::run(options),
        Task::Folding(options) => folding::run(options),
        Task::Fuzz(options) => fuzz::run(options),
        Task::Inlining(options) => inlining::run(options),
        Task::Layers(options) => layers::run(options),
        Task::Lines(options) => lines::run(options),
        Task::Mutants(options) => mutants::run(options),
        Task::Operations(options) => operations::run(options),
        Task::TestPrograms(options) => test_programs::run(options),
        Task::Package(options) => package::run(options),
        Task::Programs(options) => package::write(options),
        Task::Prove(options) => prove::run(options),
        Task::Race(options) => race::run(options),
        Task::Size(options) => size::run(options),
        Task::Unsafe(options) => unsafe_code::run(options),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    eprintln!("{error:#}");
    ExitCode::FAILURE
}
