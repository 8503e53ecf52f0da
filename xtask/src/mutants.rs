//! Changes the kernels in one place at a time and runs the tests.

/// Lists the changes of kernel code that no test notices
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_: Options) -> anyhow::Result<()> {
    Ok(())
}
