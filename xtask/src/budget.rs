//! The cost of the library for its users: how much IR the compiler has to process, and how much larger a program
//! becomes.

use std::collections::BTreeMap;
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
    /// Lists the N functions with most IR in all their copies
    #[arg(long, value_name = "N", default_value_t = 0)]
    functions: usize,
}

/// Lines of LLVM IR before optimisation, for x86-64 with default features: 135,050 with Rust 1.95. Lower this with each
/// step towards 110,000.
const MAX_IR: usize = 135_100;
/// Names of programs, an expression of their input, and how many KB larger than the first one they may be. With Rust
/// 1.95 they are 34 and 225 KB larger. The aim is 20 and 130.
const PROGRAMS: [(&str, &str, u64); 3] = [
    ("std only", "std::str::from_utf8(&input).is_ok() as usize", 0),
    ("from_utf8", "fastutf::from_utf8(&input).is_ok() as usize", 35),
    (
        "from_utf8, utf8_to_utf16, from_utf16le",
        "{
            let mut units = vec![0; input.len()];
            fastutf::from_utf8(&input).is_ok() as usize
                + fastutf::utf8_to_utf16(&input, &mut units).written
                + fastutf::from_utf16le(&input).map_or(0, |text| text.len())
        }",
        225,
    ),
];

pub fn run(options: Options) -> anyhow::Result<()> {
    let folder = source::root().join("target/budget");
    let mut over = Vec::new();
    let functions = ir(&folder)?;
    let lines = functions.values().map(|(lines, _)| lines).sum::<usize>();
    println!("{lines:>7} lines of LLVM IR, unoptimised (at most {MAX_IR})");
    if lines > MAX_IR {
        over.push("LLVM IR");
    }
    let mut by_size: Vec<_> = functions.iter().collect();
    by_size.sort_by_key(|(name, (lines, _))| (std::cmp::Reverse(*lines), *name));
    for (name, (lines, copies)) in by_size.into_iter().take(options.functions) {
        println!("{lines:>7} in {copies:>3} copies of {name}");
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

/// The lines of each function and the number of its copies, by its name without generic arguments.
fn ir(folder: &Path) -> anyhow::Result<BTreeMap<String, (usize, usize)>> {
    let folder = folder.join("ir");
    let _ = fs::remove_dir_all(&folder);
    let status = cargo(&folder)
        .current_dir(source::root())
        .args(["rustc", "--quiet", "--release", "--package=fastutf", "--lib", "--"])
        .args(["--emit=llvm-ir", "-Cno-prepopulate-passes", "-Csymbol-mangling-version=v0"])
        .status()?;
    ensure!(status.success(), "budget: the library does not compile");
    let mut functions: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for entry in fs::read_dir(folder.join("release/deps"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ll") {
            count(&String::from_utf8_lossy(&fs::read(path)?), &mut functions);
        }
    }
    ensure!(!functions.is_empty(), "budget: found no LLVM IR");
    Ok(functions)
}

fn count(ir: &str, functions: &mut BTreeMap<String, (usize, usize)>) {
    let mut now: Option<String> = None;
    for line in ir.lines() {
        if let Some(definition) = line.strip_prefix("define ") {
            let symbol = definition.split('@').nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
            let name = format!("{:#}", rustc_demangle::demangle(symbol.trim_matches('"')));
            let name = without_arguments(&name);
            functions.entry(name.clone()).or_default().1 += 1;
            now = Some(name);
        }
        if let Some(name) = &now {
            functions.entry(name.clone()).or_default().0 += 1;
        }
        if line == "}" {
            now = None;
        }
    }
}

/// `a::b::<C<D>>` becomes `a::b`. For a method, the type stays.
fn without_arguments(name: &str) -> String {
    let mut short = String::new();
    // The depth of angle brackets to keep: 1 in the type of a method.
    let (mut depth, mut kept) = (0, usize::from(name.starts_with('<')));
    for char in name.chars() {
        let closes = char == '>' && !short.ends_with('-');
        depth += usize::from(char == '<');
        if depth <= kept {
            short.push(char);
        }
        if closes {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                kept = 0;
            }
        }
    }
    short.replace("::::", "::").trim_end_matches(':').to_owned()
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
    fn lines_are_counted_by_function() {
        let ir = "declare void @a()\ndefine void @a(i8 %0) {\nret\n}\n\ndefine i8 @\"b\"() {\n}\ndefine void @a(i8 %0) {\n}\n";
        let mut functions = BTreeMap::new();
        count(ir, &mut functions);
        assert_eq!(functions, BTreeMap::from([("a".to_owned(), (5, 2)), ("b".to_owned(), (2, 1))]));
    }

    #[test]
    fn names_lose_their_arguments() {
        assert_eq!(without_arguments("a::b::<C<D>, E>"), "a::b");
        assert_eq!(without_arguments("a::b::<C<D>>::{closure#0}"), "a::b::{closure#0}");
        assert_eq!(without_arguments("<a::B<C> as d::E<F>>::g::<H>"), "<a::B as d::E>::g");
    }
}
