//! `cargo xtask`: checks of the project's own source and object code. Run it without arguments for the list.

mod mutants;
mod operations;
mod source;

use clap::Parser;

/// Checks of fastutf's own source and object code.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    Mutants(mutants::Options),
    Operations(operations::Options),
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Mutants(options) => mutants::run(options),
        Task::Operations(options) => operations::run(options),
    }
}
