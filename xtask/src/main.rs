//! `cargo xtask`: checks of the project's own source and object code. Run it without arguments for the list.

mod budget;
mod copy;
mod emulate;
mod folding;
mod inlining;
mod layers;
mod mutants;
mod objects;
mod operations;
mod prove;
mod race;
mod schemata;
mod size;
mod source;
mod unsafe_code;

use std::process::ExitCode;

use clap::Parser;

/// Checks of fastutf's own source and object code.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    Budget(budget::Options),
    Emulate(emulate::Options),
    Folding(folding::Options),
    Inlining(inlining::Options),
    Layers(layers::Options),
    Mutants(mutants::Options),
    Operations(operations::Options),
    Prove(prove::Options),
    Race(race::Options),
    Size(size::Options),
    Unsafe(unsafe_code::Options),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Budget(options) => budget::run(options),
        Task::Emulate(options) => emulate::run(options),
        Task::Folding(options) => folding::run(options),
        Task::Inlining(options) => inlining::run(options),
        Task::Layers(options) => layers::run(options),
        Task::Mutants(options) => mutants::run(options),
        Task::Operations(options) => operations::run(options),
        Task::Prove(options) => prove::run(options),
        Task::Race(options) => race::run(options),
        Task::Size(options) => size::run(options),
        Task::Unsafe(options) => unsafe_code::run(options),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    eprintln!("{error:#}");
    ExitCode::FAILURE
}
