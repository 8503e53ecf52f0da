//! Files as output and input: output is written completely or not at all, permissions are kept, and files need not be
//! regular ones.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::{encode, fail, fastutf, sample, sample_text, succeed, text};

/// The names in a directory, sorted.
pub fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn to_a_file() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let expected = encode(&sample_text(), "utf-16");
    // A new file, then an existing one; with a path, then without.
    for output in [directory.join("out"), directory.join("out"), "out".into(), "./new".into()] {
        let mut command = fastutf("convert --from utf-8 --to utf-16");
        command.current_dir(directory).arg(sample("multilingual.utf8.txt")).arg("-o").arg(&output);
        assert_eq!(succeed(&mut command, b""), b"");
        assert!(fs::read(directory.join(&output)).unwrap() == expected, "{output:?}");
        fs::write(directory.join("out"), "something else").unwrap();
    }
    assert_eq!(names(directory), ["new", "out"], "and no temporary file");
}

#[test]
fn to_the_input_itself() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("text");
    let text = sample_text().repeat(300);
    fs::write(&path, &text).unwrap();
    for (from, to) in
        [("utf-8", "utf-16"), ("utf-16", "utf-16le"), ("utf-16le", "utf-16le"), ("utf-16le", "utf-8")]
    {
        let mut command = fastutf(&format!("convert --quiet --from {from} --to {to} --output"));
        assert_eq!(succeed(command.args([&path, &path]), b""), b"");
        assert!(fs::read(&path).unwrap() == encode(&text, to), "{from} to {to}");
    }
    assert_eq!(names(directory.path()), ["text"]);
}

/// Invalid input, in the first buffer or in a later one, leaves an existing output unchanged, and creates no new one.
#[test]
fn invalid_input_changes_nothing() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("early"), b"abc\xFF").unwrap();
    fs::write(directory.join("late"), ["é".repeat(500_000).as_bytes(), b"\xC3"].concat()).unwrap();
    fs::write(directory.join("there"), "as it was").unwrap();
    for input in ["early", "late"] {
        for output in ["there", "not-there", input] {
            let before = fs::read(directory.join(output)).ok();
            let mut command = fastutf(&format!("convert -f utf-8 -t utf-16le {input} -o {output}"));
            let (written, error) = fail(command.current_dir(directory), b"", 1);
            assert_eq!(written, b"");
            assert!(error.starts_with(&format!("fastutf: {input}: invalid at byte ")), "{error}");
            assert!(fs::read(directory.join(output)).ok() == before, "{input} to {output}");
            assert_eq!(names(directory), ["early", "late", "there"]);
        }
    }
}

#[test]
fn what_cannot_be_opened() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("good"), "abc").unwrap();
    fs::create_dir(directory.join("folder")).unwrap();
    for (input, output, start) in [
        ("missing", "new", "missing: "),
        ("missing", "good", "missing: "),
        ("folder", "new", "folder: "),
        ("good", "folder", "folder: is a directory\n"),
        ("good", "folder/", "folder/: is a directory\n"),
        ("good", "folder/.", "folder/.: is a directory\n"),
        ("good", ".", ".: is a directory\n"),
        ("good", "..", "..: is a directory\n"),
        // These names are only possible for directories.
        ("good", "missing/", "missing/: no such directory\n"),
        ("good", "missing//", "missing//: no such directory\n"),
        ("good", "missing/.", "missing/.: no such directory\n"),
        ("good", "folder/missing/", "folder/missing/: no such directory\n"),
        ("good", "missing/new", "cannot create missing/new: "),
        ("good", "good/new", "cannot create good/new: "),
        // On other systems, this is the current directory, even if `missing` does not exist.
        #[cfg(unix)]
        ("good", "missing/..", "missing/..: no such directory\n"),
        #[cfg(unix)]
        ("good", "missing/new", "cannot create missing/new: No such file or directory\n"),
        #[cfg(unix)]
        ("good", "good/", "cannot create good/: Not a directory\n"),
    ] {
        let mut command = fastutf(&format!("convert --from utf-8 --to utf-16 {input} --output {output}"));
        let (_, error) = fail(command.current_dir(directory), b"", 2);
        assert!(error.starts_with(&format!("fastutf: {start}")), "{input} to {output}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(names(directory), ["folder", "good"], "{input} to {output}");
        assert_eq!(fs::read(directory.join("good")).unwrap(), b"abc");
        assert_eq!(names(&directory.join("folder")), [""; 0]);
    }
}

/// A closed pipe is not reported as an error. `check` still exits with its status.
#[test]
fn closed_standard_output() {
    let good = sample("multilingual.utf8.txt");
    let bad = sample("multilingual.utf16le.txt");
    for (arguments, files, status) in [
        ("convert --from utf-8 --to utf-16", vec![&good], 0),
        ("convert --from utf-8 --to utf-8", vec![&good], 0),
        ("isa", vec![], 0),
        ("check --verbose", vec![&good, &good], 0),
        ("check --verbose", vec![&good, &bad], 1),
        ("check", vec![&bad, &bad, &good], 1),
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = fastutf(arguments).args(files).stdout(writer).output().unwrap();
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(status)), "{arguments}");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;
    use std::thread;
    #[cfg(target_os = "linux")]
    use std::{os::unix::fs::MetadataExt, path::PathBuf};

    use super::*;
    use crate::unprivileged;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    /// An existing file keeps its permissions. A new one gets the default permissions.
    #[test]
    fn permissions() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        File::create(directory.join("any")).unwrap();
        let there = directory.join("there");
        for permissions in [0o600, 0o640, 0o755, 0o666] {
            fs::write(&there, "old").unwrap();
            fs::set_permissions(&there, fs::Permissions::from_mode(permissions)).unwrap();
            succeed(fastutf("convert -f utf-8 -t utf-8 -o there").current_dir(directory), b"text");
            assert_eq!((fs::read(&there).unwrap(), mode(&there)), (b"text".to_vec(), permissions));
        }
        succeed(fastutf("convert -f utf-8 -t utf-8 -o new").current_dir(directory), b"text");
        assert_eq!(mode(&directory.join("new")), mode(&directory.join("any")));
    }

    #[test]
    fn unreadable_and_read_only() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        fs::write(directory.join("secret"), "abc").unwrap();
        fs::write(directory.join("fixed"), "abc").unwrap();
        fs::create_dir(directory.join("shut")).unwrap();
        fs::write(directory.join("shut/there"), "abc").unwrap();
        for (name, mode) in
            [("secret", 0o222), ("fixed", 0o444), ("shut/there", 0o666), ("shut", 0o555), (".", 0o777)]
        {
            fs::set_permissions(directory.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        for (arguments, message) in [
            ("check secret", "secret: Permission denied"),
            ("convert -f utf-8 -t utf-16 secret -o new", "secret: Permission denied"),
            ("convert -f utf-8 -t utf-16 -o fixed", "fixed: Permission denied"),
            ("convert -f utf-8 -t utf-16 -o shut/new", "cannot create shut/new: Permission denied"),
            (
                "convert -f utf-8 -t utf-16 -o shut/there",
                "shut/there: cannot create a temporary file next to it: Permission denied",
            ),
        ] {
            let (_program, mut command) = unprivileged(arguments);
            let (_, error) = fail(command.current_dir(directory), b"text", 2);
            assert_eq!(error, format!("fastutf: {message}\n"), "{arguments}");
        }
        assert_eq!(names(directory), ["fixed", "secret", "shut"]);
        for name in ["fixed", "shut/there"] {
            assert_eq!(fs::read(directory.join(name)).unwrap(), b"abc");
        }
    }

    /// A symbolic link stays a link: its target is written, existing or not.
    #[test]
    fn through_a_link() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        fs::create_dir(directory.join("folder")).unwrap();
        symlink("folder/target", directory.join("link")).unwrap();
        symlink("link", directory.join("link-to-link")).unwrap();
        for output in ["link", "link-to-link"] {
            succeed(
                fastutf(&format!("convert -f utf-8 -t utf-8 -o {output}")).current_dir(directory),
                output.as_bytes(),
            );
            assert_eq!(fs::read(directory.join("folder/target")).unwrap(), output.as_bytes());
            assert_eq!(names(directory), ["folder", "link", "link-to-link"]);
            assert!(fs::symlink_metadata(directory.join(output)).unwrap().is_symlink());
        }
        symlink("loop", directory.join("loop")).unwrap();
        let (_, error) = fail(fastutf("convert -f utf-8 -t utf-8 -o loop").current_dir(directory), b"a", 2);
        assert!(error.starts_with("fastutf: cannot create loop: "), "{error}");
        symlink("missing/", directory.join("to-directory")).unwrap();
        let (_, error) =
            fail(fastutf("convert -f utf-8 -t utf-8 -o to-directory").current_dir(directory), b"a", 2);
        assert_eq!(error, "fastutf: to-directory: is a directory\n");
        assert_eq!(names(directory), ["folder", "link", "link-to-link", "loop", "to-directory"]);
    }

    /// If the input grows by what is read from it, it would fill the disk. The files here are small, and the shell
    /// limits them to 50 KB.
    #[test]
    fn input_that_is_the_output() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        let path = directory.join("b.txt");
        symlink("b.txt", directory.join("link")).unwrap();
        fs::write(directory.join("other"), "abc\n").unwrap();
        let run = |script: &str| {
            fs::write(&path, "abc\n").unwrap();
            let mut command = Command::new("sh");
            let program = fastutf("convert -f utf-8 -t utf-16");
            command.args(["-c", &format!("ulimit -f 100; {script}"), "sh"]);
            command.arg(program.get_program()).args(program.get_args()).current_dir(directory);
            command
        };
        for (redirection, what, in_place) in [
            ("b.txt >> b.txt", "b.txt: is both the input and the standard output", "b.txt"),
            ("./b.txt >> link", "./b.txt: is both the input and the standard output", "./b.txt"),
            ("link 1<> b.txt", "link: is both the input and the standard output", "link"),
            ("b.txt -o /dev/fd/1 >> b.txt", "b.txt: is both the input and the standard output", "b.txt"),
            ("< b.txt >> b.txt", "<stdin>: is both the input and the standard output", "FILE"),
            #[cfg(target_os = "linux")]
            ("b.txt -o /dev/fd/3 3>> b.txt", "b.txt: is both the input and /dev/fd/3", "b.txt"),
        ] {
            let (_, error) = fail(&mut run(&format!("\"$@\" {redirection}")), b"", 2);
            assert_eq!(
                error,
                format!("fastutf: {what}; use -o {in_place} to convert in place\n"),
                "{redirection}"
            );
            assert_eq!(fs::read(&path).unwrap(), b"abc\n", "{redirection}");
        }
        // The shell empties the file first.
        fail(&mut run("\"$@\" b.txt > b.txt"), b"", 2);
        // Appending to another file is allowed, and so are a device as input and output, and replacing the input.
        for redirection in [
            "other >> b.txt",
            "b.txt >> other",
            "< /dev/null > /dev/null",
            "/dev/null >> /dev/null",
            "< b.txt -o b.txt",
        ] {
            succeed(&mut run(&format!("\"$@\" {redirection}")), b"");
        }
        assert_eq!(fs::read(&path).unwrap(), encode("abc\n", "utf-16"));
    }

    /// A standard stream that was closed when the program was started is an error if it is needed, not an empty file or
    /// a place where all is lost. `/dev/null` is no error, however it was opened.
    #[test]
    #[cfg(target_os = "linux")]
    fn closed_descriptors() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        fs::write(directory.join("good"), "abc\n").unwrap();
        fs::write(directory.join("bad"), b"\xE9\n").unwrap();
        fs::write(directory.join("empty"), "").unwrap();
        let run = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("\"$0\" {script}"), env!("CARGO_BIN_EXE_fastutf")]);
            command.current_dir(directory);
            command
        };
        for (script, name) in [
            ("convert -f utf-8 -t utf-16 good >&-", "<stdout>"),
            ("convert -f utf-8 -t utf-16 empty >&-", "<stdout>"),
            ("convert -f utf-8 -t utf-16 good -o /dev/stdout >&-", "<stdout>"),
            ("check bad >&-", "<stdout>"),
            ("check -v good >&-", "<stdout>"),
            ("check --format json good >&-", "<stdout>"),
            ("stat good >&-", "<stdout>"),
            ("isa >&-", "<stdout>"),
            ("man >&-", "<stdout>"),
            ("completions bash >&-", "<stdout>"),
            ("--help >&-", "<stdout>"),
            ("convert --help >&-", "<stdout>"),
            ("--version >&-", "<stdout>"),
            ("check <&-", "<stdin>"),
            ("check /dev/stdin <&-", "<stdin>"),
            ("stat <&-", "<stdin>"),
            ("convert -f utf-8 -t utf-16 <&-", "<stdin>"),
            ("convert -f utf-8 -t utf-16 -o new <&-", "<stdin>"),
        ] {
            let name = if script.contains("/dev/stdin") { "/dev/stdin" } else { name };
            let (_, error) = fail(&mut run(script), b"", 2);
            assert_eq!(error, format!("fastutf: {name}: is closed\n"), "{script}");
        }
        for script in [
            "check good >&-",
            "check --quiet good >&-",
            "convert -f utf-8 -t utf-16 good -o new >&- <&-",
            "check good <&-",
            "convert -f utf-8 -t utf-16 < /dev/null > /dev/null",
            "convert -f utf-8 -t utf-16 0<> /dev/null 1<> /dev/null",
            "stat <> /dev/null >&0",
        ] {
            succeed(&mut run(script), b"");
        }
        assert_eq!(names(directory), ["bad", "empty", "good", "new"]);
    }

    /// Whether this user may replace files of the system. Then tests must not risk it.
    #[cfg(target_os = "linux")]
    fn is_root() -> bool {
        let directory = TempDir::new().unwrap();
        fs::metadata(directory.path()).unwrap().uid() == 0
    }

    /// The device `/dev/NAME` or, for a user who may replace it, one of the same kind in `directory`.
    #[cfg(target_os = "linux")]
    fn device(directory: &Path, name: &str, minor: &str) -> Option<PathBuf> {
        if !is_root() {
            return Some(Path::new("/dev").join(name));
        }
        let path = directory.join(name);
        let made =
            Command::new("mknod").arg(&path).args(["c", "1", minor]).status().is_ok_and(|made| made.success());
        if made && File::options().write(true).open(&path).is_ok() {
            return Some(path);
        }
        eprintln!("skipped: cannot make a device like /dev/{name}, and root must not try the real one");
        None
    }

    /// Devices and pipes are written to, not replaced.
    #[test]
    #[cfg(target_os = "linux")]
    fn devices() {
        let directory = TempDir::new().unwrap();
        if let Some(null) = device(directory.path(), "null", "3") {
            succeed(fastutf("convert -f utf-8 -t utf-16 -o").arg(&null), b"text");
            assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
        }
        if let Some(full) = device(directory.path(), "full", "7") {
            let (_, error) = fail(fastutf("convert -f utf-8 -t utf-16 -o").arg(&full), b"text", 2);
            assert!(
                error.starts_with(&format!("fastutf: {}: No space left on device", full.display())),
                "{error}"
            );
        }
    }

    #[test]
    fn pipes() {
        let directory = TempDir::new().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        succeed(fastutf("convert -f utf-8 -t utf-16be -o").arg(&pipe), b"text");
        assert_eq!(reader.join().unwrap(), encode("text", "utf-16be"));
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(names(directory.path()), ["pipe"]);
    }

    /// The names of open descriptors: the existing contents are kept, and the name itself is not replaced.
    #[test]
    #[cfg(target_os = "linux")]
    fn descriptors() {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        symlink("/proc/self/fd/1", directory.join("link")).unwrap();
        symlink("link", directory.join("link-to-link")).unwrap();
        let mut outputs =
            vec!["/proc/self/fd/1", "/proc/self/fd/3", "/dev/fd/1", "/dev/fd/3", "link", "link-to-link"];
        if !is_root() {
            outputs.extend(["/dev/stdout", "/dev/stderr"]);
        }
        for output in outputs {
            fs::write(directory.join("log"), "one\n").unwrap();
            let script = "{ echo two; \"$@\"; echo four; } >> log 3>&1 2>&1";
            let program = fastutf("convert -f utf-8 -t utf-8 -o");
            let mut command = Command::new("sh");
            command.args(["-c", script, "sh"]).arg(program.get_program()).args(program.get_args()).arg(output);
            succeed(command.current_dir(directory), b"three\n");
            assert_eq!(fs::read_to_string(directory.join("log")).unwrap(), "one\ntwo\nthree\nfour\n", "{output}");
        }
        // The descriptor is not opened to append, but shared: later output must come after.
        for output in ["/proc/self/fd/1", "/dev/fd/1"] {
            let script = "{ echo two; \"$@\"; echo four; } > log";
            let program = fastutf("convert -f utf-8 -t utf-8 -o");
            let mut command = Command::new("sh");
            command.args(["-c", script, "sh"]).arg(program.get_program()).args(program.get_args()).arg(output);
            succeed(command.current_dir(directory), b"three\n");
            assert_eq!(fs::read_to_string(directory.join("log")).unwrap(), "two\nthree\nfour\n", "{output}");
        }
        assert_eq!(names(directory), ["link", "link-to-link", "log"]);
    }

    /// A full disk behind the standard output is an I/O error.
    #[test]
    #[cfg(target_os = "linux")]
    fn full_disk() {
        for arguments in [
            "convert -f utf-8 -t utf-16 samples",
            "check -v samples",
            "check -e utf-16 samples",
            "isa",
            "--help",
            "--version",
        ] {
            let arguments = arguments.replace("samples", sample("multilingual.utf8.txt").to_str().unwrap());
            let full = File::options().write(true).open("/dev/full").unwrap();
            let output = fastutf(&arguments).stdout(full).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments}");
            // Behind the warning that this text is not in UTF-16.
            let error = text(&output.stderr).lines().last().unwrap();
            assert!(error.starts_with("fastutf: <stdout>: No space left on device"), "{arguments}: {error}");
        }
    }
}
