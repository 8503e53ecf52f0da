//! Finds the addresses of the library's tables and vector constants in a test program, which then flips their bits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use crate::{objects, source};

/// Flips each bit of the library's tables and vector constants and lists those that make no result wrong
///
/// Bits are flipped one at a time, in the memory of a running program (`tests/flips.rs`), on x86-64 Linux, for all
/// instruction sets that this CPU has. The bits of shuffle controls that shuffles ignore are left out: 4 to 6, and all
/// bits of a byte that selects a zero.
///
/// These bits are known to be listed, and no result depends on them:
///
/// - FORBIDDEN_AFTER, CLASS: bits 4 to 7, which no class has; F8 to FF, which either of the two tables refuses by itself.
///
/// - FORBIDDEN_AFTER, THREE_TABLES: bits set in checks for short characters. They refuse more; the next check decides.
///
/// - MIX_TABLES: bits set for bytes already ill-formed by another bit or by themselves; bit 1, which is not used.
///
/// - FIRST_BYTES, SECOND_BYTES: bit 7, which VPERMI2B ignores. COUNTED: F8 to FF, as only well-formed text is counted.
///
/// - CHARS, BIT: if they spoil text, it is found to be ill-formed, and converted in another way.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// Only tables whose name contains this (`constant` stands for constants that instructions load)
    name: Option<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let program = program()?;
    let mut places = statics(&std::fs::read(&program)?)?;
    let disassembly = Command::new("objdump").args(["-dC", "--no-show-raw-insn"]).arg(&program).output();
    let disassembly = disassembly.context("objdump, of binutils")?;
    ensure!(disassembly.status.success(), "tables: objdump: {}", String::from_utf8_lossy(&disassembly.stderr));
    for (at, len) in constants(&String::from_utf8_lossy(&disassembly.stdout)) {
        places.insert(at, (len, format!("constant at {at:x}")));
    }
    let wanted = options.name.unwrap_or_default();
    places.retain(|_, (_, name)| name.contains(&wanted));
    ensure!(!places.is_empty(), "tables: found none: does this still look for the right thing?");
    println!("tables: {} places", places.len());
    let mut list = String::new();
    for (at, (len, name)) in places {
        writeln!(list, "{at:016x} {len:x} {name}")?;
    }
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(&file, list)?;
    let mut test = Command::new(program);
    test.env("FASTUTF_FLIPS", file.path()).args(["every_bit_counts", "--exact", "--ignored", "--nocapture"]);
    ensure!(test.status()?.success(), "tables: the test program failed");
    Ok(())
}

/// The test program that flips bits in its own memory.
fn program() -> anyhow::Result<PathBuf> {
    let args = ["test", "--release", "--package=fastutf", "--test=flips", "--no-run", "--message-format=json"];
    let output = source::cargo().current_dir(source::root()).args(args).output()?;
    ensure!(output.status.success(), "tables: {}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout)?;
    let mut executables = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    executables.next().context("tables: cargo printed no test program")
}

/// The library's immutable statics: length and name, by address.
fn statics(program: &[u8]) -> anyhow::Result<BTreeMap<u64, (u64, String)>> {
    let file = object::File::parse(program)?;
    let mut places = BTreeMap::new();
    for symbol in file.symbols() {
        let Some(section) = symbol.section_index() else { continue };
        let name = objects::name_of(&symbol)?;
        let constant = name.rsplit("::").next().is_some_and(|last| {
            last.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
        });
        let read_only = file.section_by_index(section)?.name()?.starts_with(".rodata");
        if name.starts_with("fastutf::") && constant && read_only && symbol.size() > 0 {
            places.insert(symbol.address(), (symbol.size(), name));
        }
    }
    Ok(places)
}

/// The addresses and lengths of the constants that instructions of the library load, from objdump's output. The length
/// is that of the register, or of the part that is broadcast to it.
fn constants(disassembly: &str) -> BTreeMap<u64, u64> {
    let mut longest = BTreeMap::new();
    let mut ours = false;
    for line in disassembly.lines() {
        if line.ends_with(">:") {
            ours = line.contains("fastutf::") && !line.contains("flips::");
        } else if ours && let Some((at, len)) = constant(line) {
            let longest = longest.entry(at).or_insert(0);
            *longest = len.max(*longest);
        }
    }
    longest
}

/// The address and the length of the constant that this instruction loads, if it is one for a vector.
fn constant(line: &str) -> Option<(u64, u64)> {
    let (instruction, comment) = line.split_once("# ")?;
    let (at, _) = comment.split_once(" <")?;
    let instruction = instruction.split_once(":\t")?.1;
    let (mnemonic, operands) = instruction.split_once(' ')?;
    let vector = ["%xmm", "%ymm", "%zmm"].iter().any(|register| operands.contains(register));
    if !operands.contains("(%rip)") || mnemonic.starts_with("lea") || !vector {
        return None;
    }
    let ends_so = |ends: &[&str]| ends.iter().any(|end| mnemonic.ends_with(end));
    let len = match mnemonic {
        "vpbroadcastb" | "vpinsrb" => 1,
        "vpbroadcastw" | "vpinsrw" => 2,
        "vpbroadcastd" | "vbroadcastss" | "vmovd" | "movd" | "vmovss" | "movss" => 4,
        "vpbroadcastq" | "vbroadcastsd" | "vmovddup" | "movddup" => 8,
        _ if ends_so(&["movq", "movsd", "movhps", "movlps", "pmovzxbw", "pmovsxbw"]) => 8,
        _ if operands.contains("{1to") => {
            if ends_so(&["pd", "q"]) {
                8
            } else {
                4
            }
        }
        _ if mnemonic.starts_with("vbroadcast") => match mnemonic.trim_start_matches("vbroadcast").get(1..) {
            Some("64x4" | "32x8") => 32,
            _ => 16,
        },
        _ if operands.contains("%zmm") => 64,
        _ if operands.contains("%ymm") => 32,
        _ => 16,
    };
    Some((u64::from_str_radix(at, 16).ok()?, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_instructions_load_is_found() {
        let disassembly = "
0000000000001000 <fastutf::kernels::validate_utf8::check>:
    1000:\tvpand  0x1ff8(%rip),%ymm1,%ymm2        # 3000 <anon+0x10>
    1008:\tvpshufb 0x1ff8(%rip),%xmm1,%xmm2        # 3000 <anon+0x10>
    1010:\tvpbroadcastw 0x1ff8(%rip),%ymm1        # 3040 <anon>
    1018:\tvpternlogd $0xf8,0x1ff8(%rip){1to16},%zmm1,%zmm2        # 3080 <anon>
    1020:\tvpandq 0x1ff8(%rip){1to8},%zmm1,%zmm2        # 3088 <anon>
    1028:\tvbroadcasti128 0x1ff8(%rip),%ymm1        # 30a0 <anon>
    1030:\tvmovdqa64 0x1ff8(%rip),%zmm1        # 30c0 <anon>
    1038:\tmov    0x1ff8(%rip),%rax        # 3100 <anon>
    1040:\tlea    0x1ff8(%rip),%rcx        # 3140 <fastutf::kernels::tables::MOVE>
0000000000002000 <flips::check>:
    2000:\tvpand  0x1ff8(%rip),%ymm1,%ymm2        # 5000 <anon>
";
        let expected = [(0x3000, 32), (0x3040, 2), (0x3080, 4), (0x3088, 8), (0x30A0, 16), (0x30C0, 64)];
        assert_eq!(constants(disassembly), BTreeMap::from(expected));
    }
}
