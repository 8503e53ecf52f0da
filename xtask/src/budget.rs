//! The cost of the library for its users: how much IR the compiler has to process, and how much larger a program
//! becomes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::source;

/// Measures LLVM IR, and how much calls add to a stripped program; fails if a limit is exceeded
#[derive(clap::Args)]
pub struct Options {
    /// Also compares the compile time with that of encoding_rs: CPU time, on an otherwise idle machine
    #[arg(long)]
    time: bool,
}

/// Lines of LLVM IR before optimisation, for x86-64 with default features. Lower this with each step towards 105,000.
const MAX_IR: usize = 134_500;
/// Names of programs, an expression of their input, and how many KB more than the first one they may have; aims are 22, 150.
const PROGRAMS: [(&str, &str, u64); 3] = [
    ("std only", "std::str::from_utf8(&input).is_ok() as usize", 0),
    ("from_utf8", "fastutf::from_utf8(&input).is_ok() as usize", 29),
    (
        "from_utf8, utf8_to_utf16, from_utf16le",
        "{
            let mut units = vec![0; input.len()];
            fastutf::from_utf8(&input).is_ok() as usize
                + fastutf::utf8_to_utf16(&input, &mut units).written
                + fastutf::from_utf16le(&input).map_or(0, |text| text.len())
        }",
        164,
    ),
];

pub fn run(options: Options) -> anyhow::Result<()> {
    let folder = source::root().join("target/budget");
    let mut over = Vec::new();
    let lines = ir(&folder)?;
    println!("{lines:>7} lines of LLVM IR, unoptimised (at most {MAX_IR})");
    if lines > MAX_IR {
        over.push("LLVM IR");
    }
    let mut without = 0;
    for (number, (name, expression, max)) in PROGRAMS.into_iter().enumerate() {
        let bytes = program(&folder, number, expression)?;
        if number == 0 {
            without = bytes;
            println!("{:>7} KB, a stripped program with {name}", bytes >> 10);
            continue;
        }
        let more = bytes.saturating_sub(without) >> 10;
        println!("{more:>7} KB more with {name} (at most {max})");
        if more > max {
            over.push(name);
        }
    }
    if options.time {
        let [ours, theirs] = ["fastutf", "encoding_rs"].map(|name| time(&folder, name));
        let (ours, theirs) = (ours?, theirs?);
        println!(
            "{:>7.2} times the CPU time of encoding_rs to compile ({ours:.2} s, {theirs:.2} s)",
            ours / theirs
        );
    }
    ensure!(over.is_empty(), "budget: over the limit: {}", over.join(", "));
    Ok(())
}

fn cargo(folder: &Path) -> Command {
    let mut cargo = source::cargo();
    // Places of panics have the path of their file, so programs would be larger in a folder with a longer name.
    let paths = format!("--remap-path-prefix\u{1f}{}=fastutf", source::root().display());
    cargo
        .env("CARGO_TARGET_DIR", folder)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", paths)
        .env("CARGO_INCREMENTAL", "0");
    cargo
}

/// The lines of LLVM IR of all functions; `cargo llvm-lines` shows which ones have most.
fn ir(folder: &Path) -> anyhow::Result<usize> {
    let folder = folder.join("ir");
    let _ = fs::remove_dir_all(&folder);
    let status = cargo(&folder)
        .current_dir(source::root())
        .args(["rustc", "--quiet", "--release", "--package=fastutf", "--lib", "--"])
        .args(["--emit=llvm-ir", "-Cno-prepopulate-passes"])
        .status()?;
    ensure!(status.success(), "budget: the library does not compile");
    let mut lines = 0;
    for entry in fs::read_dir(folder.join("release/deps"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ll") {
            lines += count(&String::from_utf8_lossy(&fs::read(path)?));
        }
    }
    ensure!(lines > 0, "budget: found no LLVM IR");
    Ok(lines)
}

/// The lines from a `define` to the next brace at the beginning of a line.
fn count(ir: &str) -> usize {
    let (mut count, mut inside) = (0, false);
    for line in ir.lines() {
        inside |= line.starts_with("define ");
        count += usize::from(inside);
        inside &= line != "}";
    }
    count
}

/// Creates a separate program at `folder/name`, which depends on `dependency`.
fn package(folder: &Path, name: &str, dependency: &str, main: &str) -> anyhow::Result<PathBuf> {
    let package = folder.join(name);
    fs::create_dir_all(package.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}\n\n\
         [profile.release]\nstrip = true\n"
    );
    fs::write(package.join("Cargo.toml"), manifest)?;
    fs::write(package.join("src/main.rs"), main)?;
    fs::copy(source::root().join("Cargo.lock"), package.join("Cargo.lock"))?;
    Ok(package)
}

/// The size of a stripped program that prints `expression` of its input.
fn program(folder: &Path, number: usize, expression: &str) -> anyhow::Result<u64> {
    let name = format!("program-{number}");
    let main = format!(
        "use std::io::Read;\nfn main() {{\n    let mut input = Vec::new();\n    \
         std::io::stdin().read_to_end(&mut input).unwrap();\n    println!(\"{{}}\", {expression});\n}}\n"
    );
    let dependency = format!("fastutf = {{ path = {:?} }}", source::root());
    let package = package(folder, &name, &dependency, &main)?;
    let target = folder.join("programs");
    let status = cargo(&target).current_dir(package).args(["build", "--quiet", "--release"]).status()?;
    ensure!(status.success(), "budget: {name} does not compile");
    Ok(fs::metadata(target.join("release").join(name))?.len())
}

/// The CPU time in seconds to compile a dependency, on one core.
fn time(folder: &Path, name: &str) -> anyhow::Result<f64> {
    let dependency = match name {
        "fastutf" => format!("fastutf = {{ path = {:?} }}", source::root()),
        other => format!("{other} = \"0.8\""),
    };
    let package = package(folder, &format!("time-{name}"), &dependency, "fn main() {}\n")?;
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let target = folder.join("time");
        let _ = fs::remove_dir_all(&target);
        let before = children()?;
        let mut cargo = cargo(&target);
        let status = cargo.current_dir(&package).args(["build", "--quiet", "--release", "--jobs=1"]).status()?;
        ensure!(status.success(), "budget: {name} does not compile");
        least = least.min(children()? - before);
    }
    Ok(least)
}

/// The CPU time of all processes that this one has waited for, in seconds.
fn children() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("the time is known on Linux only")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let field =
        |number: usize| after_name.split_whitespace().nth(number - 3).and_then(|text| text.parse::<f64>().ok());
    let ticks = field(16).zip(field(17)).context("/proc/self/stat has no times")?;
    Ok((ticks.0 + ticks.1) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_functions_are_counted() {
        let ir = "declare void @a()\ndefine void @a(i8 %0) {\nret\n}\n\ndefine i8 @\"b\"() {\n}\n";
        assert_eq!(count(ir), 5);
    }
}
