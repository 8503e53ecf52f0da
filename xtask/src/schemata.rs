//! One program with many changes, of which an environment variable switches one on (*mutant schemata*: Untch, Offutt,
//! Harrold, *Mutation analysis using mutant schemata*, 1993).
//!
//! Compiling the library for each change would take ten seconds, and there are thousands. So all are compiled together,
//! and each place asks at run time which change is switched on. Then only the tests take time.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Seek as _};
use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;

/// A place in a file, and what is written there instead of some ranges in it: the first starts where the place does, the
/// last ends where it does, and other places may be between them. `§` stands for a number, which is 0 if the place's first
/// change is switched on, 1 if its second is, and so on.
#[derive(Debug)]
pub struct Place {
    pub range: Range<usize>,
    pub edits: Vec<(Range<usize>, String)>,
}

impl Place {
    /// With something before and after what is there.
    pub fn around(range: &Range<usize>, before: String, after: &str) -> Self {
        let edits = vec![(range.start..range.start, before), (range.end..range.end, after.to_owned())];
        Self { range: range.clone(), edits }
    }

    /// Outer places come before inner ones.
    pub fn order(&self) -> impl Ord + use<> {
        (self.range.start, std::cmp::Reverse(self.range.end))
    }
}

/// The text with these places, which are in their order, each with the number of its first change. Also returns where each is
/// in the new text.
pub fn splice(text: &str, places: &[(&Place, usize)]) -> (String, Vec<Range<usize>>) {
    let mut edits = Vec::new();
    for (index, (place, number)) in places.iter().enumerate() {
        for (k, (range, new)) in place.edits.iter().enumerate() {
            // What ends at a byte comes before what starts there: of the ends, the inner one first, of the starts, the outer.
            let order = match k {
                0 => (2, index),
                _ if k + 1 == place.edits.len() => (0, usize::MAX - index),
                _ => (1, index),
            };
            let new = new.replace('§', &format!("crate::mutant::at({number})"));
            edits.push((range.start, order, range.end, index, new));
        }
    }
    edits.sort_unstable();
    let (mut spliced, mut done) = (String::new(), 0);
    let mut ranges = vec![0..0; places.len()];
    for (start, _, end, index, new) in edits {
        spliced += &text[done..start];
        if ranges[index].end == 0 {
            ranges[index].start = spliced.len();
        }
        spliced += &new;
        ranges[index].end = spliced.len();
        done = end;
    }
    (spliced + &text[done..], ranges)
}

/// The file with the switch.
pub const LIB: &str = "src/lib.rs";

/// The text of [`LIB`], with the switch for so many changes. `MUTANT=all` switches none on, and `MUTANTS_REACHED` is then
/// the file that says which places were reached.
pub fn with_switch(lib: &str, count: usize) -> String {
    const SWITCH: &str = r#"
#[allow(unsafe_code, missing_docs)]
mod mutant {
    use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};
    use std::string::String;

    const ALL: u32 = u32::MAX - 1;
    static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);
    pub(crate) static ISAS: AtomicU8 = AtomicU8::new(u8::MAX);
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

    #[inline(always)]
    pub(crate) const fn at(first: u32) -> u32 {
        const fn none(_: u32) -> u32 {
            u32::MAX
        }
        core::intrinsics::const_eval_select((first,), none, at_run_time)
    }

    #[inline(always)]
    fn at_run_time(first: u32) -> u32 {
        let active = ACTIVE.load(Relaxed);
        if active == ALL {
            REACHED[first as usize].store(true, Relaxed);
        }
        active.wrapping_sub(first)
    }

    extern "C" fn begin() {
        if let Ok(number) = std::env::var("MUTANT") {
            ACTIVE.store(number.parse().unwrap_or(ALL), Relaxed);
        }
        if let Ok(name) = std::env::var("FASTUTF_EXPECT_ISA") {
            ISAS.store(match &*name { "avx512" => 4, "avx2" => 2, _ => 1 }, Relaxed);
        }
    }

    extern "C" fn end() {
        if let Ok(path) = std::env::var("MUTANTS_REACHED") {
            let text: String = REACHED.iter().map(|reached| if reached.load(Relaxed) { '1' } else { '0' }).collect();
            std::fs::write(path, text).unwrap();
        }
    }

    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEGIN: extern "C" fn() = begin;
    #[used]
    #[unsafe(link_section = ".fini_array")]
    static END: extern "C" fn() = end;
}
"#;
    let features = "#![feature(core_intrinsics, const_eval_select)] #![allow(internal_features)] #![no_std]";
    lib.replacen("#![no_std]", features, 1) + &SWITCH.replace("COUNT", &count.to_string())
}

/// Compiles with cargo. Returns the programs by the names of their targets, or else the errors.
pub fn compile(cargo: &mut Command) -> anyhow::Result<Result<BTreeMap<String, PathBuf>, Vec<Value>>> {
    let output = cargo.args(["--package=fastutf", "--message-format=json", "--quiet"]);
    // For the switch in the library, which is a different function when it is called while compiling.
    let output = output.env("RUSTC_BOOTSTRAP", "fastutf").output()?;
    let messages = str::from_utf8(&output.stdout)?.lines().map(serde_json::from_str);
    let messages = messages.collect::<Result<Vec<Value>, _>>()?;
    if output.status.success() {
        let program = |message: &Value| {
            let path = PathBuf::from(message["executable"].as_str()?);
            Some((message["target"]["name"].as_str()?.to_owned(), path))
        };
        return Ok(Ok(messages.iter().filter_map(program).collect()));
    }
    let errors = messages.into_iter().map(|mut message| message["message"].take());
    let errors: Vec<Value> = errors.filter(|message| message["level"] == "error").collect();
    ensure!(!errors.is_empty(), "cargo: {}", String::from_utf8_lossy(&output.stderr));
    Ok(Err(errors))
}

pub fn print(errors: &[Value]) {
    errors.iter().filter_map(|error| error["rendered"].as_str()).for_each(|text| eprintln!("{text}"));
}

/// How tests end.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    Passed,
    Ignored,
    /// The first panic's message, as [`message`] has it.
    Panicked(String),
    Signal(i32),
    Endless,
    /// For example, there is no such test.
    Other(String),
}

/// Runs a program of tests, with the arguments and variables that `arrange` sets. `limit` is CPU time, so the load of the
/// machine does not matter. For tests that wait without using the CPU, the limit is a hundred times as long. A changed program
/// may allocate any amount of memory, so that has a limit, too.
pub fn outcome(program: &Path, limit: Duration, arrange: impl FnOnce(&mut Command)) -> anyhow::Result<Outcome> {
    let limits =
        format!(r#"ulimit -v 8000000; ulimit -c 0; ulimit -t {}; exec "$0" "$@""#, limit.as_secs().max(1));
    let mut command = Command::new("sh");
    command.args(["-c", &limits]).arg(program);
    command.env("RUST_BACKTRACE", "0").env("PROPTEST_MAX_SHRINK_ITERS", "0").env_remove("MUTANT");
    arrange(&mut command);
    let [mut out, mut err] = [tempfile::tempfile()?, tempfile::tempfile()?];
    let mut child = command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?).spawn()?;
    let end = Instant::now() + 100 * limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > end {
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let [out, err] = [text(&mut out)?, text(&mut err)?];
    Ok(match (status.code(), status.signal(), message(&err)) {
        (Some(0), ..) if !out.contains("ok. 0 passed") => Outcome::Passed,
        (Some(0), ..) if out.contains("0 passed; 0 failed; 1 ignored") => Outcome::Ignored,
        (Some(101), _, Some(message)) => Outcome::Panicked(message),
        // SIGXCPU or SIGKILL, at the limit.
        (_, Some(9 | 24), _) => Outcome::Endless,
        (_, Some(signal), _) => Outcome::Signal(signal),
        _ => Outcome::Other(format!("{status}: {out}{err}")),
    })
}

/// What has been written to a file: a million bytes of it are enough.
fn text(file: &mut fs::File) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(1_000_000).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first line, or what there is of it in 300 characters, of the first panic's message, which is after the line that says
/// where. In a list of bytes, those that are alike are counted.
fn message(err: &str) -> Option<String> {
    let line = err.lines().skip_while(|line| !line.contains(" panicked at ")).nth(1)?;
    let bytes: Vec<&str> = line.split(", ").collect();
    let short = bytes.chunk_by(|a, b| a == b).map(|alike| match alike {
        [byte, _, _, _, ..] => format!("{byte} ({} times)", alike.len()),
        few => few.join(", "),
    });
    Some(short.collect::<Vec<_>>().join(", ").chars().take(300).collect())
}

/// Calls a function with each item, so many at a time.
pub fn in_parallel<T: Sync>(
    jobs: usize,
    items: &[T],
    act: impl Fn(&T) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            act(item)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })
}

#[test]
fn what_a_panic_says() {
    let err = "\nthread 'a' (7) panicked at src/a.rs:1:2:\naccepts 61 C0\nnote: run with\n";
    assert_eq!(message(err).as_deref(), Some("accepts 61 C0"));
    assert_eq!(message("signal: 11"), None);
    let err = "thread 'a' panicked at b:\nin [80, 00, 00, 00, 00, 61, 61]";
    assert_eq!(message(err).as_deref(), Some("in [80, 00 (4 times), 61, 61]"));
}
