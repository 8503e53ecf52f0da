//! Cycles instead of time: llvm-mca's model of a CPU applied to instructions that were executed.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// A sequence of executed instructions without a jump between them.
pub struct Block {
    /// Its address.
    pub start: u64,
    pub instructions: u64,
}

/// The models of some CPUs, and this program's code in the form that they read.
pub struct Models<'a> {
    pub cpus: &'a [String],
    /// Where to keep their input, if anywhere.
    keep: Option<&'a Path>,
    /// The offset to add to the addresses of the code.
    place: u64,
    /// Addresses and instructions, in order.
    code: Vec<(u64, String)>,
}

impl<'a> Models<'a> {
    /// # Errors
    ///
    /// If there is no llvm-objdump, or no /proc.
    pub fn new(cpus: &'a [String], keep: Option<&'a Path>) -> Result<Self, Box<dyn Error>> {
        let program = env::current_exe()?;
        // Where the program was loaded, since it is position-independent.
        let maps = fs::read_to_string("/proc/self/maps")?;
        let place = maps.lines().find(|line| line.ends_with(&*program.to_string_lossy()));
        let place = place.and_then(|line| u64::from_str_radix(line.split_once('-')?.0, 16).ok());
        let place = place.ok_or("this program is not in its own memory map")?;
        let disassembly =
            output(Command::new("llvm-objdump").args(["-d", "--no-show-raw-insn"]).arg(program), "")?;
        Ok(Self { cpus, keep, place, code: disassembly.lines().filter_map(instruction).collect() })
    }

    /// The executed instructions, except those outside this program, such as `memcpy`. Reports these if they are more
    /// than a few.
    ///
    /// # Errors
    ///
    /// If the trace must be kept and cannot be.
    pub fn trace(&self, blocks: &[Block], what: &str) -> Result<String, Box<dyn Error>> {
        let mut trace = String::new();
        for block in blocks {
            let start = block.start.wrapping_sub(self.place);
            let Ok(first) = self.code.binary_search_by_key(&start, |(address, _)| *address) else { continue };
            for (_, instruction) in self.code[first..].iter().take(block.instructions as usize) {
                trace += instruction;
                trace.push('\n');
            }
        }
        let (ours, all) = (trace.lines().count(), blocks.iter().map(|block| block.instructions).sum::<u64>());
        if (ours as f64) < 0.95 * all as f64 {
            eprintln!(
                "{what}: of {all} instructions, {ours} are in this program: the others are not in the cycles"
            );
        }
        if let Some(directory) = self.keep {
            let path = directory.join(what.replace(", ", "-").replace(' ', "-") + ".s");
            fs::write(&path, &trace).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(trace)
    }

    /// Returns the cycles per instruction.
    ///
    /// # Errors
    ///
    /// If llvm-mca is missing, does not know the CPU, or knows less than 95 % of the instructions.
    pub fn cycles(&self, trace: &str, cpu: &str) -> Result<f64, Box<dyn Error>> {
        let mut mca = Command::new("llvm-mca");
        mca.arg(format!("-mtriple={}", env::consts::ARCH)).arg(format!("-mcpu={cpu}"));
        // One iteration, since the trace has its loops unrolled. Models lack a few instructions.
        mca.args(["-iterations=1", "-skip-unsupported-instructions=any"]);
        mca.args(["-instruction-info=0", "-resource-pressure=0"]);
        let report = output(&mut mca, trace)?;
        let number =
            |name: &str| report.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        match (number("Total Cycles:"), number("Instructions:")) {
            (Some(cycles), Some(known)) if known >= 0.95 * trace.lines().count() as f64 => Ok(cycles / known),
            (Some(_), Some(known)) => {
                Err(format!("of {} instructions, {cpu} knows {known}", trace.lines().count()).into())
            }
            _ => Err(format!("llvm-mca tells no cycles: {report}").into()),
        }
    }
}

/// Returns the output of a command.
fn output(command: &mut Command, input: &str) -> Result<String, Box<dyn Error>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let told = |error: std::io::Error| format!("{name}: {error}");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(told)?;
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).map_err(told)?;
    let output = child.wait_with_output().map_err(told)?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Parses the address and the instruction of a line such as `   1234:  b.ne  0x1200 <name+0x10>`.
fn instruction(line: &str) -> Option<(u64, String)> {
    let (address, text) = line.split_once(':')?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    // Comments.
    let text = text.split("//").next()?.split("# ").next()?;
    let (mnemonic, operands) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    // A model does not know the callee, and assumes that it is slow. Here, the callee comes next.
    let mnemonic = match mnemonic {
        "bl" => "b",
        "blr" => "br",
        "call" | "callq" => "jmp",
        other => other,
    };
    // The target of a jump does not matter, but it must be in range.
    let operands = match operands.split_once(" <") {
        Some((operands, _)) => operands.rsplit_once("0x").map_or(operands, |(others, _)| others).to_owned() + ".",
        None => operands.to_owned(),
    };
    Some((address, format!("{mnemonic} {operands}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_become_those_that_models_know() {
        for (line, expected) in [
            ("   4007c:      \tcbz\tx8, 0x400e4 <_ZN4name17hE+0x13c>", Some((0x4007C, "cbz x8, ."))),
            ("   40018:      \tbl\t0x117558 <name>", Some((0x40018, "b ."))),
            ("   40000:      \tmov\tw23, #0xd800            // =55296", Some((0x40000, "mov w23, #0xd800"))),
            ("   40004:      \tret", Some((0x40004, "ret "))),
            (
                "  bbd0: \tmovdqa\t0x1234(%rip), %xmm0          # 0xce0c <name>",
                Some((0xBBD0, "movdqa 0x1234(%rip), %xmm0")),
            ),
            ("000000000003ffa8 <name>:", None),
            ("Disassembly of section .text:", None),
        ] {
            let expected = expected.map(|(address, text): (u64, &str)| (address, text.to_owned()));
            assert_eq!(instruction(line), expected, "{line}");
        }
    }
}
