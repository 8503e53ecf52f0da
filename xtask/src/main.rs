//! `cargo xtask`: checks of the project's own source and object code. Run it without arguments for the list.

mod layers;
mod mutants;

use clap::Parser;

/// Checks of fastutf's own source and object code.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    Layers(layers::Options),
    Mutants(mutants::Options),
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Layers(options) => layers::run(options),
        Task::Mutants(options) => mutants::run(options),
    }
}
