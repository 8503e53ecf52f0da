//! Text longer than any buffer, in reads of any size, in bounded memory.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use tempfile::TempDir;

use crate::{LABELS, encode, fail, fastutf, succeed};

/// A file is read in whole buffers (256 KiB), a pipe in pieces of any size. A text with all lengths of characters
/// arrives completely, whichever of them lie across the edges.
#[test]
fn texts_longer_than_a_buffer() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    let text = "Ünï→𝒄öδé, 漢字 и 😀\n".repeat(25_000);
    for from in LABELS {
        let input = encode(&text, from);
        fs::write(&path, &input).unwrap();
        for to in LABELS {
            let expected = encode(&text, to);
            let arguments = format!("convert --from {from} --to {to}");
            assert!(succeed(fastutf(&arguments).arg(&path), b"") == expected, "{arguments}");
            assert!(succeed(&mut fastutf(&arguments), &input) == expected, "{arguments}, from a pipe");
        }
    }
}

/// Every length of character, across the first edge of the buffer at every place it can be cut.
#[test]
fn characters_across_the_edge() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("input");
    for character in ["é", "€", "😀"] {
        for shift in 0..character.len() {
            let text = "a".repeat(shift) + &character.repeat((300 << 10) / character.len());
            for (from, to) in
                [("utf-8", "utf-16be"), ("utf-8", "utf-8"), ("utf-16le", "utf-8"), ("utf-16", "utf-16le")]
            {
                fs::write(&path, encode(&text, from)).unwrap();
                let written = succeed(fastutf(&format!("convert --from {from} --to {to}")).arg(&path), b"");
                assert!(written == encode(&text, to), "{shift} before {character}, {from} to {to}");
            }
            fs::write(&path, &text).unwrap();
            assert_eq!(succeed(fastutf("check").arg(&path), b""), b"");
        }
    }
}

/// Writes of 1, 2, 3, 5, 7 … bytes, so that the program often reads before everything is written.
#[test]
fn a_dribbling_pipe() {
    let text = "a é € 😀\n".repeat(50);
    for from in LABELS {
        let to = if from == "utf-8" { "utf-16le" } else { "utf-8" };
        let mut child = fastutf(&format!("convert --from {from} --to {to}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let input = encode(&text, from);
        let mut rest = &input[..];
        for size in [1, 2, 3, 5, 7, 11, 13].into_iter().cycle() {
            let (piece, later) = rest.split_at(size.min(rest.len()));
            pipe.write_all(piece).unwrap();
            std::thread::yield_now();
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(output.stdout, encode(&text, to), "from {from}");
    }
}

/// Complete characters are converted without waiting for more input. Here, the test waits for each output before it
/// writes on, so the reads end exactly there.
#[test]
fn answers_while_it_reads() {
    type Dialogue = (&'static str, &'static str, [(&'static [u8], &'static [u8]); 5]);
    let dialogues: [Dialogue; 2] = [
        (
            "utf-8",
            "utf-16be",
            [
                (b"abc\xE2", b"\0a\0b\0c"),
                (b"\x82", b""),
                (b"\xAC\xF0\x9F\x98", b"\x20\xAC"),
                (b"\x80z", b"\xD8\x3D\xDE\0\0z"),
                (b"\n", b"\0\n"),
            ],
        ),
        (
            "utf-16",
            "utf-8",
            [
                (b"\xFF", b""),
                (b"\xFEa\0\x3D", b"a"),
                (b"\xD8\x00", b""),
                (b"\xDEb", b"\xF0\x9F\x98\x80"),
                (b"\0", b"b"),
            ],
        ),
    ];
    for (from, to, steps) in dialogues {
        let mut child = fastutf(&format!("convert --from {from} --to {to}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        for (question, answer) in steps {
            stdin.write_all(question).unwrap();
            let mut heard = vec![0; answer.len()];
            stdout.read_exact(&mut heard).unwrap();
            assert_eq!(heard, answer, "after {question:02X?}");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
        assert_eq!(stdout.read(&mut [0]).unwrap(), 0, "nothing is left over");
    }
}

/// A text that ends inside a character, at the end of a buffer, before it and after it.
#[test]
fn cut_off_around_the_edge_of_a_buffer() {
    for length in (256 << 10) - 4..=(256 << 10) + 4 {
        let mut input = vec![b'x'; length];
        input.extend(b"\xF0\x9F\x98");
        let (_, error) = fail(&mut fastutf("convert -f utf-8 -t utf-16le"), &input, 1);
        let place = format!("byte {length}, line 1, column {}", length + 1);
        assert_eq!(
            error,
            format!(
                "fastutf: <stdin>: invalid at {place}: incomplete sequence at end of input (F0 9F 98); use `--lossy` to replace it by U+FFFD\n"
            )
        );
    }
}

/// A file of 128 MiB does not fit into the 48 MB of address space allowed here. The program itself takes 7 to 16 MB,
/// depending on how it was compiled.
#[test]
#[cfg(target_os = "linux")]
fn bounded_memory() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("zeros");
    // Holes in files read as U+0000, which is valid.
    fs::File::create(&path).unwrap().set_len(128 << 20).unwrap();
    for arguments in ["check", "convert --from utf-8 --to utf-16le", "check -e utf-16le"] {
        let program = fastutf(arguments);
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -v 48000 && exec \"$@\" >/dev/null", "sh"]);
        limited.arg(program.get_program()).args(program.get_args()).arg(&path);
        assert_eq!(succeed(&mut limited, b""), b"", "{arguments}");
    }
}
