//! The differences on a terminal: a progress line, colours. `script` provides the terminal.

use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{fail, fastutf, feed, text};

/// The output of a shell command on a terminal, or `None` without `script`. `$F` in the command is the program.
fn on_terminal(shell_command: &str) -> Option<String> {
    let directory = TempDir::new().unwrap();
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", shell_command, "/dev/null"]).current_dir(directory.path());
    command.env("F", env!("CARGO_BIN_EXE_fastutf")).env("TERM", "xterm-256color").env("SHELL", "/bin/sh");
    if cfg!(not(target_os = "linux")) || Command::new("script").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: there is no `script` of util-linux to make a terminal");
        return None;
    }
    let output = feed(&mut command, b"");
    assert_eq!(output.status.code(), Some(0), "{shell_command}: {}", text(&output.stdout));
    Some(text(&output.stdout).to_owned())
}

/// A shell function that waits for a condition, for at most ten minutes.
const WAIT: &str =
    "wait_for() { n=0; until eval \"$1\"; do n=$((n+1)); [ $n -lt 60000 ] || exit 99; sleep 0.01; done; }; ";

/// A shell command that prints the start of a text, and the rest `seconds` after the program has written to
/// `.fastutf-*`. So the program runs at least for this time, even on a slow machine.
fn slowly(seconds: &str) -> String {
    format!("({WAIT} printf abc; wait_for '[ -s .fastutf-* ] 2> waiting'; sleep {seconds}; printf def)")
}

#[test]
fn progress_on_a_terminal() {
    let slow = slowly("0.7");
    // Progress is shown after half a second, until the end.
    let Some(shown) = on_terminal(&format!("{slow} | $F convert -f utf-8 -t utf-16le -o out; echo done")) else {
        return;
    };
    assert!(shown.contains("converting 6 B, "), "{shown:?}");
    assert!(shown.contains("\u{1B}[2K") && shown.ends_with("done\r\n"), "{shown:?}");
    // Otherwise, no progress is shown, however long it takes.
    let slow_text = "(printf abc; sleep 0.7; printf def)";
    for command in [
        // The text itself goes to the terminal.
        format!("{slow_text} | $F convert -f utf-8 -t utf-8 > /dev/tty"),
        // The standard error is not a terminal.
        format!("{slow} | $F convert -f utf-8 -t utf-16le -o out 2> error; cat error"),
        format!("{slow} | TERM=dumb $F convert -f utf-8 -t utf-16le -o out"),
    ] {
        let shown = on_terminal(&command).unwrap();
        assert!(shown.is_empty() || shown == "abcdef", "{command}: {shown:?}");
    }
}

/// A short conversion shows no progress.
#[test]
fn patience() {
    let command = format!("{} | $F convert -f utf-8 -t utf-16le -o out", slowly("0.1"));
    for _ in 0..10 {
        let begun = Instant::now();
        let Some(shown) = on_terminal(&command) else { return };
        // Otherwise, the machine is so busy that it did take long.
        if begun.elapsed() < Duration::from_millis(450) {
            assert_eq!(shown, "");
            return;
        }
    }
    eprintln!("NOT TESTED: this machine takes half a second for everything");
}

/// The length of a file is known, so a percentage is shown. (The conversion takes more than half a second, as its
/// reader waits.)
#[test]
fn share_of_a_file() {
    let command = "head -c 9000000 /dev/zero > in; $F convert -f utf-8 -t utf-8 in | (dd bs=1 count=1 of=out 2> told; sleep 0.7; cat >> out); cmp in out";
    let Some(shown) = on_terminal(command) else { return };
    assert!(shown.contains("converting ") && shown.contains(" % ["), "{shown:?}");
    assert!(shown.contains("left"), "{shown:?}");
    // The summary has the same units: powers of 1000.
    assert!(shown.contains("B/s") && !shown.contains("iB"), "{shown:?}");
}

/// If the program is interrupted, the progress line is removed.
#[test]
fn interrupted_on_a_terminal() {
    // By then, the program has read six bytes. The input stays open until it has exited.
    let slow = slowly("0.7");
    let command = format!(
        "{WAIT} ({slow}; wait_for '[ -e status ]') | \
        (sh -c 'echo $$ > pid; exec $F convert -f utf-8 -t utf-8 -o out'; echo $? > status) & \
        wait_for '[ \"$(cat .fastutf-* 2> waiting)\" = abcdef ]'; kill -s TERM $(cat pid); wait; cat status; ls -A"
    );
    let Some(shown) = on_terminal(&command) else { return };
    assert!(shown.contains("converting 6 B"), "{shown:?}");
    // The shell may print something, too.
    let (_, after) = shown.rsplit_once("\r\u{1B}[K").unwrap();
    assert!(after.contains("143\r\n") && !after.contains("converting"), "{shown:?}");
    assert!(!shown.contains(".fastutf-"), "{shown:?}");
}

/// Colours on a terminal only, unless the environment says otherwise.
#[test]
fn colours() {
    let invalid = "printf '\\377' | ";
    let run = |variables: &str| on_terminal(&format!("{invalid} {variables} $F convert -f utf-8 -t utf-8; true"));
    let Some(shown) = run("") else { return };
    assert!(shown.starts_with("\u{1B}[1m\u{1B}[31mfastutf:\u{1B}[0m <stdin>: invalid at byte 0"), "{shown:?}");
    assert!(shown.contains("\u{1B}[33muse `--lossy` to replace"), "{shown:?}");
    for variables in ["NO_COLOR=1", "TERM=dumb", "CLICOLOR=0"] {
        let shown = run(variables).unwrap();
        assert!(
            shown.starts_with("fastutf: <stdin>: invalid") && !shown.contains('\u{1B}'),
            "{variables}: {shown:?}"
        );
    }
    let used = on_terminal("$F isa").unwrap();
    assert!(used.contains("used\u{1B}[0m\r\n"), "{used:?}");
    let (_, plain) = fail(&mut fastutf("convert -f utf-8 -t utf-8"), b"\xFF", 1);
    assert!(!plain.contains('\u{1B}'), "{plain:?}");
    let (_, forced) = fail(fastutf("convert -f utf-8 -t utf-8").env("CLICOLOR_FORCE", "1"), b"\xFF", 1);
    assert!(forced.starts_with("\u{1B}[1m\u{1B}[31mfastutf:\u{1B}[0m "), "{forced:?}");
}
