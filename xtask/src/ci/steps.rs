//! The table of steps.

use std::path::Path;

use anyhow::Context as _;
use toml::Table;

use super::{Extent, Group};
use crate::{emulate, source};

/// A step: commands which must all succeed.
#[derive(Clone, Copy)]
pub struct Step {
    pub group: Group,
    pub name: &'static str,
    pub(super) quick: Commands,
    pub(super) gate: Commands,
    pub(super) full: Commands,
}

#[derive(Clone, Copy)]
pub(super) enum Commands {
    None,
    /// One command a line.
    Lines(&'static str),
    /// What the project's files or this machine decide.
    Made(fn(&Path) -> anyhow::Result<Vec<String>>),
}

use Commands::{Lines, Made, None as Nothing};
use Group::{Bindings, Budget, Check, Cpus, Cross, Engines, Fuzz, Memory, Proof, Test};

impl Step {
    /// The same in every run.
    const fn quick(group: Group, name: &'static str, commands: Commands) -> Self {
        Self { group, name, quick: commands, gate: commands, full: commands }
    }

    /// The same in a short run and in a full one.
    const fn gate(group: Group, name: &'static str, commands: Commands) -> Self {
        Self { group, name, quick: Nothing, gate: commands, full: commands }
    }

    /// Fewer cases in a short run, or none.
    const fn full(group: Group, name: &'static str, gate: Commands, full: Commands) -> Self {
        Self { group, name, quick: Nothing, gate, full }
    }

    /// What is run in a run of this extent.
    pub fn commands(&self, extent: Extent, root: &Path) -> anyhow::Result<Vec<String>> {
        let commands = match extent {
            Extent::Quick => self.quick,
            Extent::Gate => self.gate,
            Extent::Full => self.full,
        };
        match commands {
            Nothing => Ok(Vec::new()),
            Lines(lines) => {
                Ok(lines.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
            }
            Made(make) => make(root),
        }
    }
}

/// What proofs and their changes depend on.
pub const PROVED: &[&str] = &[
    "src/kernels",
    "src/simd",
    "src/proof",
    "src/scalar",
    "src/parts.rs",
    "src/output.rs",
    "xtask/emulated",
    "xtask/proof-mutants.txt",
    "xtask/src/prove.rs",
    "xtask/src/prove",
    "xtask/src/schemata.rs",
];

/// For tests under an emulator: NEON; big-endian; 32 bits; WebAssembly without and with SIMD; 32 bits with the kernels for
/// x86.
const EMULATED: [&str; 6] = [
    "aarch64-unknown-linux-gnu",
    "s390x-unknown-linux-gnu",
    "armv7-unknown-linux-gnueabihf",
    "wasm32-wasip1",
    "wasm32-wasip1+simd128",
    "i686-unknown-linux-gnu",
];
/// Systems that cannot be run here.
const ELSEWHERE: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];
/// Without any operating system.
const BARE: [&str; 3] = ["x86_64-unknown-none", "thumbv7m-none-eabi", "wasm32-unknown-unknown"];

/// What Debian has of what the steps from `test` on need. All is installed at once, as they run at the same time.
const PACKAGES: &str = "scripts/need g++ libc6-dev qemu-user binutils nodejs valgrind libc6-dbg python3-venv \
     gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu \
     libc6-dev-i386-cross";

pub const STEPS: &[Step] = &[
    Step::quick(
        Check,
        "formatting",
        Lines(
            "cargo fmt --all --check
            cargo fmt --manifest-path fuzz/Cargo.toml --check
            cargo fmt --manifest-path capi/Cargo.toml --all --check
            cargo fmt --manifest-path engines/Cargo.toml --all --check
            cargo fmt --manifest-path python/Cargo.toml --check
            cargo fmt --manifest-path .ci/no-std/Cargo.toml --check",
        ),
    ),
    Step::quick(
        Check,
        "checks of our own source",
        Lines(
            "xtask layers
            xtask unsafe
            xtask operations
            xtask lines
            xtask dependencies",
        ),
    ),
    // What takes longest goes first, and before the others where both could go on.
    Step::gate(
        Check,
        "lints of the adapters",
        Lines("cargo clippy --manifest-path engines/Cargo.toml --workspace --all-targets --locked -- -D warnings"),
    ),
    Step::quick(
        Check,
        "lints of the other workspaces",
        Lines(
            "nice cargo clippy --manifest-path fuzz/Cargo.toml --all-targets --all-features --locked -- -D warnings
            nice cargo clippy --manifest-path capi/Cargo.toml --workspace --all-targets --locked -- -D warnings
            nice cargo clippy --manifest-path python/Cargo.toml --all-targets --locked -- -D warnings",
        ),
    ),
    Step::quick(Check, "lints", Lines("nice cargo clippy --workspace --all-targets -- -D warnings")),
    Step::gate(
        Check,
        "lints of each feature",
        Made(each_feature),
    ),
    Step::gate(Check, "lints for other targets", Made(other_targets)),
    Step::gate(
        Check,
        "documentation",
        Lines(
            "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps
            RUSTDOCFLAGS=-Dwarnings cargo doc -p fastutf --no-deps
            RUSTDOCFLAGS=-Dwarnings cargo doc -p fastutf --no-deps --all-features",
        ),
    ),
    Step::full(Check, "licences and advisories", Nothing, Lines("xtask dependencies --full")),
    Step::quick(Test, "README's test command", Lines("cargo test")),
    Step::gate(Test, "what other steps need", Lines(PACKAGES)),
    Step::quick(Test, "tests of the instruments", Lines("cargo test -p fastutf-xtask -p fastutf-compare -p fastutf-testkit")),
    Step::gate(Test, "packages, and programs of the README", Lines("xtask package")),
    Step::gate(Test, "lowest compiler", Made(lowest_compiler)),
    // A short run has a debug build of the programs of the README.
    Step::full(
        Test,
        "what debug builds run",
        Nothing,
        Lines("CARGO_PROFILE_TEST_OPT_LEVEL=z FASTUTF_TEST_THIN=20 cargo test --target-dir target/z -p fastutf --features full --lib --test suite"),
    ),
    Step::gate(
        Test,
        "without std, without alloc, without anything",
        Lines(
            "cargo test -p fastutf --no-default-features --lib --target-dir target/no-std
            .ci/bare",
        ),
    ),
    // With Cargo's default of 16 codegen units, unlike in this workspace: what users run.
    Step::full(Test, "optimised, whole, with a new seed", Nothing, Made(optimised)),
    Step::full(
        Cpus,
        "lesser x86-64 CPUs",
        Lines("FASTUTF_TEST_THIN=2000 scripts/x86-cpus --skip every_path_is_taken --skip proof::"),
        Lines("FASTUTF_TEST_THIN=50 scripts/x86-cpus"),
    ),
    Step::full(
        Cpus,
        "AVX-512, emulated",
        Made(avx512_if_not_here),
        Lines("CARGO_PROFILE_TEST_OPT_LEVEL=1 FASTUTF_TEST_THIN=20 xtask emulate"),
    ),
    Step::full(
        Cross,
        "NEON",
        Lines("FASTUTF_TEST_THIN=1000 scripts/cross-test aarch64-unknown-linux-gnu --features full --lib --test suite -- --skip every_path_is_taken"),
        Lines("FASTUTF_TEST_THIN=50 scripts/cross-test aarch64-unknown-linux-gnu --features full --lib --test suite"),
    ),
    Step::full(
        Cross,
        "big-endian",
        Lines("FASTUTF_TEST_THIN=2000 scripts/cross-test s390x-unknown-linux-gnu --features full --lib --test suite"),
        Lines("FASTUTF_TEST_THIN=50 scripts/cross-test s390x-unknown-linux-gnu --features full --lib --test suite"),
    ),
    Step::full(
        Cross,
        "32 bits",
        Lines("FASTUTF_TEST_THIN=1000 scripts/cross-test i686-unknown-linux-gnu --features full --test suite"),
        Lines(
            "FASTUTF_TEST_THIN=50 scripts/cross-test i686-unknown-linux-gnu --features full --lib --test suite
            FASTUTF_TEST_THIN=100 scripts/cross-test armv7-unknown-linux-gnueabihf --features full --lib --test suite",
        ),
    ),
    Step::full(
        Cross,
        "WebAssembly",
        Lines("FASTUTF_TEST_THIN=1000 scripts/cross-test wasm32-wasip1+simd128 --features full --lib --test suite -- --skip every_path_is_taken"),
        Lines(
            "FASTUTF_TEST_THIN=100 scripts/cross-test wasm32-wasip1+simd128 --features full --lib --test suite
            FASTUTF_TEST_THIN=100 scripts/cross-test wasm32-wasip1 --features full --lib --test suite
            WASI_RUNTIME=wasmtime FASTUTF_TEST_THIN=100 scripts/cross-test wasm32-wasip1+simd128 --features full --lib --test suite",
        ),
    ),
    Step::full(
        Memory,
        "AddressSanitizer",
        Lines("FASTUTF_TEST_THIN=400 scripts/sanitize address"),
        Lines("FASTUTF_TEST_THIN=20 scripts/sanitize address"),
    ),
    // Arrow takes minutes to compile; 3,000 arrays are a test of the adapter.
    Step::full(Memory, "forged arrays", Nothing, Lines("FASTUTF_FORGED=100000 scripts/sanitize arrow")),
    Step::full(
        Memory,
        "MemorySanitizer",
        Nothing,
        Lines("FASTUTF_TEST_THIN=300 scripts/sanitize memory --skip huge:: --skip exhaustive:: --skip every_path_is_taken"),
    ),
    // Valgrind runs one thread at a time, so only what is most likely to touch memory that it should not.
    Step::full(
        Memory,
        "valgrind",
        Lines("FASTUTF_TEST_THIN=10000 scripts/valgrind guard_pages boundaries:: counting:: simd::"),
        Lines("FASTUTF_TEST_THIN=2000 scripts/valgrind"),
    ),
    Step::full(Memory, "Miri", Nothing, Lines("scripts/miri")),
    // One after the other: both use one copy of the project.
    Step::full(
        Proof,
        "proofs, and that they can fail",
        Nothing,
        Lines(
            "xtask prove
            xtask prove --mutants --quick",
        ),
    ),
    Step::full(
        Fuzz,
        "fuzz targets",
        Lines("cargo test --manifest-path fuzz/Cargo.toml --locked"),
        Lines(
            "cargo test --manifest-path fuzz/Cargo.toml --locked
            xtask fuzz --asan --seconds 20
            xtask fuzz --seconds 60",
        ),
    ),
    Step::full(Bindings, "the library for C and C++", Lines(".ci/capi"), Lines(".ci/capi --full")),
    Step::gate(Bindings, "Python package", Lines(".ci/python")),
    Step::full(Engines, "adapters for Arrow, DataFusion and Ballista", Lines(".ci/engines"), Lines(".ci/engines --full")),
    Step::full(
        Budget,
        "work is linear",
        Lines("FASTUTF_TEST_THIN=10 scripts/linear"),
        Lines("FASTUTF_TEST_THIN=1 scripts/linear"),
    ),
    Step::full(
        Budget,
        "kernels are inlined",
        Lines("xtask inlining"),
        Lines(
            "xtask inlining
            xtask inlining aarch64-unknown-linux-gnu",
        ),
    ),
    Step::gate(
        Budget,
        "size and cost to compile",
        Lines(
            "xtask size
            xtask budget",
        ),
    ),
    Step::full(Budget, "dispatch folds", Nothing, Lines("xtask folding")),
    Step::full(Budget, "debug builds beside std", Nothing, Lines("xtask debug-speed")),
    Step::full(Budget, "instructions of NEON", Nothing, Lines("xtask count")),
    // Speeds are not checked, as times on a shared machine are not reliable; that all contenders agree is.
    Step::full(
        Budget,
        "benchmarks and races run",
        Nothing,
        Made(races),
    ),
    Step::full(Budget, "real text, beside iconv", Nothing, Lines(".ci/corpus-check")),
];

/// Each feature of the library alone, and pairs of which one adds to the other.
fn each_feature(root: &Path) -> anyhow::Result<Vec<String>> {
    let manifest: Table = source::read(&root.join("Cargo.toml"))?.parse()?;
    let features =
        manifest.get("features").and_then(toml::Value::as_table).context("Cargo.toml has [features]")?;
    let mut sets: Vec<String> = features.keys().map(String::clone).collect();
    sets.push(String::new());
    // Two encodings, and others that have met in one condition.
    let pairs = "latin1,utf32 latin1,mutf8 mutf8,utf32 columns,latin1 alloc,columns alloc,latin1,utf32 std,utf32";
    sets.extend(pairs.split(' ').map(String::from));
    Ok(sets
        .iter()
        .map(|set| format!("cargo clippy -p fastutf --no-default-features --features={set} -- -D warnings"))
        .chain(["cargo clippy -p fastutf-compare --all-targets --all-features -- -D warnings".to_owned()])
        .collect())
}

/// Kernels of other architectures, and code for other systems, are only compiled for these targets. Installs all targets that
/// this and later steps need.
fn other_targets(_: &Path) -> anyhow::Result<Vec<String>> {
    let all = EMULATED.iter().chain(&ELSEWHERE).chain(&BARE).filter(|target| !target.contains('+'));
    let mut commands = vec![format!("rustup target add {}", all.copied().collect::<Vec<_>>().join(" "))];
    for target in EMULATED {
        let (target, feature) = target.split_once('+').unwrap_or((target, ""));
        let flags =
            if feature.is_empty() { String::new() } else { format!("RUSTFLAGS=-Ctarget-feature=+{feature} ") };
        let command = format!(
            "cargo clippy -p fastutf --features full --target {target} --target-dir target/others -- -D warnings"
        );
        commands.push(flags + &command);
    }
    for target in ELSEWHERE {
        commands.push(format!(
            "cargo clippy -p fastutf -p fastutf-cli --all-targets --target {target} --target-dir target/others -- -D warnings"
        ));
    }
    Ok(commands)
}

/// Exactly the oldest compiler that Cargo.toml promises.
fn lowest_compiler(root: &Path) -> anyhow::Result<Vec<String>> {
    let manifest: Table = source::read(&root.join("Cargo.toml"))?.parse()?;
    let package = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
    let version = package.and_then(|package| package.get("rust-version")).and_then(toml::Value::as_str);
    let version = version.context("Cargo.toml has a rust-version")?;
    Ok(vec![
        format!("rustup toolchain install {version}.0 --profile minimal"),
        format!(
            "rustup run {version}.0 cargo check --target-dir target/lowest -p fastutf -p fastutf-cli --lib --bins --test suite --test cli"
        ),
        format!(
            "rustup run {version}.0 cargo check --target-dir target/lowest -p fastutf -p fastutf-tokio --features fastutf/full"
        ),
    ])
}

fn optimised(_: &Path) -> anyhow::Result<Vec<String>> {
    let seed = std::time::UNIX_EPOCH.elapsed()?.as_secs();
    Ok(vec![format!(
        "FASTUTF_TEST_SEED={seed} CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 cargo test --release -p fastutf --features full,bytes --test suite --test alloc"
    )])
}

/// One round of each group of `compare`.
fn races(_: &Path) -> anyhow::Result<Vec<String>> {
    let groups = ["core", "latin1", "utf32", "narrowest", "wtf8", "columns", "positions"];
    let race = |group| {
        format!(
            "cargo run --release -p fastutf-compare --features simdutf -- {group} --language english,mix --size 64,1..256,4K+odd --rounds 1"
        )
    };
    Ok(std::iter::once("cargo bench --bench throughput -- --test --quiet".to_owned())
        .chain(groups.map(race))
        .collect())
}

/// A CPU with AVX-512 runs its kernels in every test.
fn avx512_if_not_here(_: &Path) -> anyhow::Result<Vec<String>> {
    let emulated = "CARGO_PROFILE_TEST_OPT_LEVEL=1 FASTUTF_TEST_THIN=200 xtask emulate";
    Ok(if emulate::is_here() { Vec::new() } else { vec![emulated.to_owned()] })
}
