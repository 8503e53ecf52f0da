//! Which files `check` and `stat` read, with which names, and in which order they are reported.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

use tempfile::TempDir;

use crate::{fail, fastutf, feed, succeed, text};

/// A directory with these files, each with this text.
fn tree(files: &[&str], content: &[u8]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for file in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    directory
}

/// The files that are reported as invalid, in the order of the report. All files in the directory are invalid.
fn found(directory: &Path, arguments: &str) -> Vec<String> {
    let output = feed(fastutf(arguments).current_dir(directory), b"");
    assert_eq!(text(&output.stderr), "", "{arguments}");
    let name = |line: &str| line.split(": ").next().unwrap().replace(MAIN_SEPARATOR, "/");
    text(&output.stdout).lines().map(name).collect()
}

const TREE: [&str; 9] = [
    ".git/HEAD",
    ".gitignore",
    ".hidden",
    "a.txt",
    "b/.hidden/x.txt",
    "b/c/y.log",
    "b/z.txt",
    "b.txt",
    "target/out.txt",
];

/// Directories are searched in the order of names, including hidden files. Options exclude files.
#[test]
fn directories() {
    let directory = tree(&TREE, b"\xFF");
    let directory = directory.path();
    // These are valid, so they are not in the reports.
    fs::write(directory.join(".gitignore"), "target/\n*.log\n").unwrap();
    fs::write(directory.join("b/.ignore"), "z.txt\n").unwrap();
    for command in ["check --no-excerpt", "check --no-excerpt --threads 1", "check --no-excerpt --threads 7"] {
        let all = |options: &str| found(directory, &format!("{command} {options}"));
        let everything = [
            "./.git/HEAD",
            "./.hidden",
            "./a.txt",
            "./b/.hidden/x.txt",
            "./b/c/y.log",
            "./b/z.txt",
            "./b.txt",
            "./target/out.txt",
        ];
        assert_eq!(all("."), everything);
        let names = everything.map(|name| name.strip_prefix("./").unwrap());
        assert_eq!(all("b .git a.txt"), ["b/.hidden/x.txt", "b/c/y.log", "b/z.txt", ".git/HEAD", "a.txt"]);
        assert_eq!(all("--no-hidden ."), ["./a.txt", "./b/c/y.log", "./b/z.txt", "./b.txt", "./target/out.txt"]);
        assert_eq!(all("--gitignore ."), ["./.hidden", "./a.txt", "./b/.hidden/x.txt", "./b.txt"]);
        assert_eq!(all("--gitignore --no-hidden ."), ["./a.txt", "./b.txt"]);
        // Named files are never left out.
        assert_eq!(all("--gitignore --no-hidden .hidden b/z.txt target/out.txt"), [names[1], names[5], names[7]]);
        assert_eq!(all("-g *.log ."), ["./b/c/y.log"]);
        assert_eq!(all("-g *.log --glob a.* ."), ["./a.txt", "./b/c/y.log"]);
        assert_eq!(all("-g !*.txt ."), ["./.git/HEAD", "./.hidden", "./b/c/y.log"]);
        assert_eq!(all("-g /b/*.txt ."), ["./b/z.txt"]);
        assert_eq!(all("-g *.log a.txt"), ["a.txt"]);
    }
    let (_, error) = fail(fastutf("check -g a{b .").current_dir(directory), b"", 2);
    assert!(error.starts_with("fastutf: --glob: ") && error.contains("a{b"), "{error}");
    // `stat` accepts the same options.
    let json = succeed(fastutf("stat --format json -g *.none .").current_dir(directory), b"");
    assert_eq!(text(&json), "");
    let output = feed(fastutf("stat --format json --no-hidden .").current_dir(directory), b"");
    let lines = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap());
    let path = |line: serde_json::Value| Some(line["path"].as_str()?.replace(MAIN_SEPARATOR, "/"));
    let paths: Vec<String> = lines.filter_map(path).collect();
    assert_eq!(paths, ["./a.txt", "./b/c/y.log", "./b/z.txt", "./b.txt", "./target/out.txt"]);
}

/// With several threads, the standard output and the standard error are the same as for one file after the other.
#[test]
fn order_of_the_report() {
    let directory = tree(&[], b"");
    let root = directory.path();
    let mut names = Vec::new();
    for number in 0..1500 {
        let name = format!("{number:04}");
        let content = match number % 50 {
            // Large files take longer, and some have long reports.
            0 if number % 100 == 0 => [&b"a".repeat(3 << 20)[..], b"\xFF"].concat(),
            1 => b"\xFF\n".repeat(1000),
            7 => b"b\xC0".to_vec(),
            _ => b"text\n".to_vec(),
        };
        if number % 50 == 9 {
            names.push(format!("missing-{name}"));
        } else {
            fs::write(root.join(&name), content).unwrap();
            names.push(name);
        }
    }
    let run = |options: &str| {
        let mut command = fastutf("check --verbose --all");
        let output = feed(command.args(options.split_whitespace()).args(&names).current_dir(root), b"");
        assert_eq!(output.status.code(), Some(2));
        (output.stdout, output.stderr)
    };
    let one = run("--threads 1");
    assert!(one.0.len() > 2 << 20 && text(&one.1).lines().count() == 30);
    for options in ["--threads 2", "--threads 5", ""] {
        let (out, err) = run(options);
        assert!(out == one.0, "{options}: the standard output differs");
        assert!(err == one.1, "{options}: the standard error differs");
    }
    let json = ["--format json --threads 1", "--format json --threads 4"].map(|options| {
        let (out, _) = run(options);
        // Everything except the time is the same.
        let (lines, summary) = text(&out).rsplit_once("{\"type\":\"summary\"").unwrap();
        assert!(summary.contains("\"files\":1500,") && lines.len() > 2 << 20);
        lines.to_owned()
    });
    assert!(json[0] == json[1]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::unprivileged;

    /// Links are only followed on request. Loops are reported and end.
    #[test]
    fn links() {
        let directory = tree(&["a/x", "b/y"], b"\xFF");
        let root = directory.path();
        symlink("../b", root.join("a/to-b")).unwrap();
        symlink("..", root.join("b/up")).unwrap();
        symlink("b/y", root.join("to-y")).unwrap();
        symlink("nowhere", root.join("broken")).unwrap();
        assert_eq!(found(root, "check --no-excerpt ."), ["./a/x", "./b/y"]);
        // Named links are followed.
        assert_eq!(found(root, "check --no-excerpt to-y a/to-b"), ["to-y", "a/to-b/y"]);
        let (report, error) = fail(fastutf("check --no-excerpt --follow .").current_dir(root), b"", 2);
        let report: Vec<_> = text(&report).lines().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(report, ["./a/to-b/y", "./a/x", "./b/y", "./to-y"]);
        assert_eq!(
            error,
            "fastutf: ./a/to-b/up: leads back to .; skipped\n\
             fastutf: ./b/up: leads back to .; skipped\n\
             fastutf: ./broken: No such file or directory\n"
        );
        // A loop alone is not a failure: no file is missed.
        fs::remove_file(root.join("broken")).unwrap();
        let (_, error) = fail(fastutf("check -L --no-excerpt .").current_dir(root), b"", 1);
        assert_eq!(error.lines().count(), 2, "{error}");
        let (_, error) = fail(fastutf("check -L -q .").current_dir(root), b"", 1);
        assert_eq!(error, "");
    }

    /// Names that are not Unicode, or that have a special meaning for a terminal or a format.
    #[test]
    fn names() {
        let directory = tree(&[], b"");
        let root = directory.path();
        let strange: [&[u8]; 4] = [b"caf\xE9", b"new\nline", b"\x1B[31mred", b"100%, a:b\r"];
        for name in strange {
            fs::write(root.join(OsStr::from_bytes(name)), b"\xFF").unwrap();
        }
        let check = |format: &str| feed(fastutf(&format!("check {format} .")).current_dir(root), b"").stdout;
        let place = "invalid at byte 0, line 1, column 1: invalid lead byte (FF)\n";
        let expected = [r"./\u{1b}[31mred: ", r"./100%, a:b\r: ", r"./caf\xe9: ", r"./new\nline: "];
        assert_eq!(text(&check("--no-excerpt")), expected.map(|name| name.to_owned() + place).concat());

        let json = check("--format json");
        let lines: Vec<serde_json::Value> =
            text(&json).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<_> = lines.iter().filter(|line| line["type"] == "file").map(|line| &line["path"]).collect();
        assert_eq!(names, ["./\x1B[31mred", "./100%, a:b\r", "./caf\u{FFFD}", "./new\nline"]);
        let bytes: Vec<_> = lines.iter().filter_map(|line| line["path_hex"].as_str()).collect();
        assert_eq!(bytes, ["2E2F636166E9"; 2], "for the error and the file");

        let title = "line=1,col=1,title=invalid UTF-8::invalid lead byte (FF) at byte 0\n";
        let expected = [r"\u{1b}[31mred", "100%25%2C a%3Ab%0D", r"caf\xe9", "new%0Aline"]
            .map(|name| format!("::error file={name},{title}"));
        assert_eq!(text(&check("--format github")), expected.concat());

        // In messages, they are escaped.
        let missing = OsStr::from_bytes(b"no\xFF\nne\xE2\x80\xAE");
        let (_, error) = fail(fastutf("check").arg(missing), b"", 2);
        assert_eq!(error, "fastutf: no\\xff\\nne\\u{202e}: No such file or directory\n");
        let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "-i", "\x1B[31mred", "\x1B[31mred"];
        let (_, error) = fail(fastutf("").args(arguments).current_dir(root), b"", 2);
        assert!(error.contains("'\\u{1b}[31mred' is given twice"), "{error}");
        let (_, error) = fail(fastutf("check . -g").arg("[\x1B[31m"), b"", 2);
        assert!(error.contains("[\\u{1b}[31m"), "{error}");
    }

    /// Files and directories that cannot be read are reported, all others are checked, and the status is 2.
    #[test]
    fn unreadable() {
        let directory = tree(&["a", "dark/x", "secret", "z"], b"\xFF");
        let root = directory.path();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["secret", "dark"] {
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o000)).unwrap();
        }
        let (_program, mut command) = unprivileged("check --format json .");
        let output = feed(command.current_dir(root), b"");
        let (_program, mut command) = unprivileged("stat --format json .");
        let counted = feed(command.current_dir(root), b"");
        // This allows removing the directory.
        fs::set_permissions(root.join("dark"), fs::Permissions::from_mode(0o700)).unwrap();
        let messages = ["dark", "secret"].map(|name| format!("fastutf: ./{name}: Permission denied\n"));
        for output in [&output, &counted] {
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(text(&output.stderr), messages.concat());
        }
        let lines: Vec<serde_json::Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let files = lines.iter().filter(|line| line["type"] == "file");
        let outcomes: Vec<_> =
            files.map(|line| (line["path"].as_str().unwrap(), line["status"].as_str().unwrap())).collect();
        let expected =
            [("./a", "invalid"), ("./dark", "unreadable"), ("./secret", "unreadable"), ("./z", "invalid")];
        assert_eq!(outcomes, expected);
        let secret = lines.iter().find(|line| line["path"] == "./secret").unwrap();
        assert_eq!(secret["message"], "Permission denied");
        let summary = lines.last().unwrap();
        assert_eq!((&summary["type"], &summary["unreadable"]), (&"summary".into(), &2.into()));
        let counted: Vec<&str> = text(&counted.stdout).lines().collect();
        assert_eq!(counted.len(), 5, "{counted:?}");
        assert_eq!(counted[1], r#"{"type":"unreadable","path":"./dark","message":"Permission denied"}"#);
        assert_eq!(counted[2], r#"{"type":"unreadable","path":"./secret","message":"Permission denied"}"#);
        assert!(counted[4].starts_with(r#"{"type":"total","files":2,"bytes":2,"#), "{counted:?}");
    }

    /// A file can be opened, but reading it fails.
    #[test]
    #[cfg(target_os = "linux")]
    fn errors_of_reading() {
        let (report, error) = fail(&mut fastutf("check --no-excerpt /proc/self/mem -"), b"\xFF", 2);
        assert!(text(&report).starts_with("<stdin>: invalid at byte 0"), "the others are checked");
        assert_eq!(error, "fastutf: /proc/self/mem: Input/output error\n");
        let (report, _) = fail(&mut fastutf("check --format github /proc/self/mem"), b"", 2);
        let expected = "::error file=/proc/self/mem,line=1,title=unreadable::Input/output error\n";
        assert_eq!(text(&report), expected);
        let (report, error) = fail(&mut fastutf("stat /proc/self/mem"), b"", 2);
        assert_eq!((text(&report), &*error), ("", "fastutf: /proc/self/mem: Input/output error\n"));
    }

    /// In a directory, only regular files are read: reading a pipe would wait for a writer.
    #[test]
    fn pipes_are_left_alone() {
        let directory = tree(&["file"], b"\xFF");
        let made = std::process::Command::new("mkfifo").arg(directory.path().join("pipe")).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("NOT TESTED: there is no mkfifo");
            return;
        }
        assert_eq!(found(directory.path(), "check --no-excerpt ."), ["./file"]);
    }
}
