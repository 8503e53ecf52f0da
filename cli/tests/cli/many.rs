//! Several files: to a directory, or in place, with a backup.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::files::names;
use crate::{encode, fail, fastutf, feed, succeed, text};

/// A directory with the files `a`, `b` and `c`, which are UTF-8, and `bad`, which is not.
fn folder() -> TempDir {
    let directory = TempDir::new().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(directory.path().join(name), format!("ł {name}\n")).unwrap();
    }
    fs::write(directory.path().join("bad"), b"ok\n\xFF").unwrap();
    directory
}

fn read(directory: &Path, name: &str) -> Vec<u8> {
    fs::read(directory.join(name)).unwrap()
}

/// The names stay the same, the directory is created, and existing files in it are replaced.
#[test]
fn to_a_directory() {
    let directory = folder();
    let directory = directory.path();
    for round in ["new", "again"] {
        let mut command = fastutf("convert -f utf-8 -t utf-16 a b c --output-dir x/out");
        assert_eq!(succeed(command.current_dir(directory), b""), b"", "{round}");
        assert_eq!(names(&directory.join("x/out")), ["a", "b", "c"]);
        for name in ["a", "b", "c"] {
            assert_eq!(read(&directory.join("x/out"), name), encode(&format!("ł {name}\n"), "utf-16"));
            fs::write(directory.join("x/out").join(name), "old").unwrap();
        }
    }
    succeed(fastutf("convert -f utf-8 -t utf-8 a --output-dir .//x").current_dir(directory), b"");
    assert_eq!(names(&directory.join("x")), ["a", "out"]);
}

/// All valid files are converted. The errors of the others are reported in the order of the arguments, for any number
/// of threads.
#[test]
fn some_fail() {
    for threads in [1, 2, 8] {
        let directory = folder();
        let directory = directory.path();
        fs::create_dir(directory.join("folder")).unwrap();
        let convert = |inputs: &str, status| {
            let arguments = format!("convert -f utf-8 -t utf-16le {inputs} --output-dir out --threads {threads}");
            fail(fastutf(&arguments).current_dir(directory), b"", status).1
        };
        let bad = "fastutf: bad: invalid at byte 3, line 2, column 1: invalid lead byte (FF); \
                   use `--lossy` to replace it by U+FFFD\n";
        assert_eq!(convert("c bad a", 1), bad);
        let error = convert("missing c bad a folder", 2);
        let (missing, rest) = error.split_once('\n').unwrap();
        assert!(missing.starts_with("fastutf: missing: "), "{error}");
        assert_eq!(rest, bad, "a directory without files is no error");
        assert_eq!(names(&directory.join("out")), ["a", "c"]);
        assert_eq!(read(&directory.join("out"), "a"), encode("ł a\n", "utf-16le"));
    }
}

/// More files than threads, and more than can be pending at once.
#[test]
fn very_many() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let count = 700;
    let mut command = fastutf("convert --lossy -f utf-8 -t utf-16be --output-dir out --threads 3");
    for index in 0..count {
        let name = format!("{index}.txt");
        fs::write(directory.join(&name), [b"x\xFF".repeat(index % 3), b"y".repeat(index)].concat()).unwrap();
        command.arg(name);
    }
    let output = feed(command.current_dir(directory), b"");
    assert!(output.status.success());
    let expected: Vec<_> = (0..count).filter(|index| index % 3 > 0).map(|index| format!("{index}.txt")).collect();
    let told: Vec<_> = text(&output.stderr).lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(told, expected);
    for index in 0..count {
        let expected = "x\u{FFFD}".repeat(index % 3) + &"y".repeat(index);
        assert_eq!(read(&directory.join("out"), &format!("{index}.txt")), encode(&expected, "utf-16be"));
    }
}

/// Arguments that make no sense are refused before anything is done.
#[test]
fn refused() {
    let directory = folder();
    let directory = directory.path();
    fs::create_dir(directory.join("d")).unwrap();
    fs::write(directory.join("d/a"), "other").unwrap();
    let mut cases = vec![
        ("a b d/a --output-dir out", "'a' and 'd/a' would both be written to 'out/a': convert them one at a time"),
        ("b a --output-dir .", "'./b' is an input and would be overwritten: use `--in-place` to convert in place"),
        ("b ./d/../a --output-dir d/..", "'d/../b' is an input"),
        ("a - --output-dir out", "the standard input has no name: `--in-place` and `--output-dir` need files"),
        ("--in-place", "the standard input has no name"),
        ("--in-place a -", "the standard input has no name"),
        ("a missing/.. --output-dir out", "'missing/..' is not a file name"),
        ("--in-place a b ./a", "'./a' is given twice, and would be converted twice"),
        ("--in-place a -o b", "cannot be used with"),
        ("--in-place a --output-dir b", "cannot be used with"),
        ("a -o b --output-dir out", "cannot be used with"),
        ("a --backup .orig", "--in-place"),
        ("--in-place a --backup=", "the suffix must not be empty"),
        ("--in-place a --backup x/y", "the suffix must not contain a path separator"),
        ("--in-place b bad --backup ad", "the backup of 'b' would overwrite '"),
        ("--in-place bad b --backup ad", "the backup of 'b' would overwrite '"),
    ];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", directory.join("link")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../a", directory.join("d/c")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", directory.join("d/b")).unwrap();
        cases.push(("a b --output-dir d", "'a' and 'b' would both be written to 'd/b'"));
        cases.push(("--in-place a link", "'link' is given twice"));
        cases.push(("c a --output-dir d", "'d/c' is an input and would be overwritten"));
    }
    let before = names(directory);
    for (arguments, message) in cases {
        let (_, error) =
            fail(fastutf(&format!("convert -f utf-8 -t utf-16 {arguments}")).current_dir(directory), b"x", 2);
        assert!(error.replace(MAIN_SEPARATOR, "/").contains(message), "{arguments}: {error}");
        assert_eq!(names(directory), before, "{arguments}");
        for name in ["a", "b", "c"] {
            assert_eq!(read(directory, name), encode(&format!("ł {name}\n"), "utf-8"), "{arguments}");
        }
        assert_eq!(read(directory, "d/a"), b"other", "{arguments}");
    }
}

/// Owner, group and permissions are kept, except for the set-user-ID and set-group-ID bits. If owner and group cannot
/// be kept, the new group has no more permissions than others.
#[test]
#[cfg(target_os = "linux")]
fn owner_and_group() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    use crate::unprivileged;

    let directory = folder();
    let directory = directory.path();
    if chown(directory.join("a"), Some(65534), Some(65533)).is_err() {
        eprintln!("NOT TESTED: owners, as this user cannot give a file away");
        return;
    }
    let set = |mode| fs::set_permissions(directory.join("a"), fs::Permissions::from_mode(mode)).unwrap();
    let get = || {
        let found = fs::metadata(directory.join("a")).unwrap();
        (found.uid(), found.gid(), found.mode() & 0o7777)
    };
    for arguments in ["-i a", "b -o a", "-i --backup ~ a"] {
        fs::write(directory.join("a"), "text").unwrap();
        set(0o7751);
        succeed(fastutf(&format!("convert -f utf-8 -t utf-16le {arguments}")).current_dir(directory), b"");
        assert_eq!(get(), (65534, 65533, 0o751), "{arguments}");
    }
    fs::remove_file(directory.join("a~")).unwrap();

    // Another user, who may write to the directory.
    fs::write(directory.join("a"), "text").unwrap();
    set(0o6776);
    fs::set_permissions(directory, fs::Permissions::from_mode(0o777)).unwrap();
    let (_program, mut command) = unprivileged("convert -f utf-8 -t utf-16le -i a");
    succeed(command.current_dir(directory).uid(65532).gid(65532), b"");
    assert_eq!(get(), (65532, 65532, 0o0766));
}

/// Each file is replaced by its conversion, except for the invalid one. Converting back restores the original.
#[test]
fn in_place() {
    let directory = folder();
    let directory = directory.path();
    let (_, error) = fail(fastutf("convert -f utf-8 -t utf-16 --in-place c bad a").current_dir(directory), b"", 1);
    assert!(error.starts_with("fastutf: bad: invalid at byte 3"), "{error}");
    assert_eq!(read(directory, "bad"), b"ok\n\xFF");
    assert_eq!(read(directory, "a"), encode("ł a\n", "utf-16"));
    succeed(fastutf("convert -f utf-16 -t utf-8 -i a c").current_dir(directory), b"");
    assert_eq!(read(directory, "c"), "ł c\n".as_bytes());
    assert_eq!(names(directory), ["a", "b", "bad", "c"]);

    let (_, error) = fail(fastutf("convert -f utf-8 -t utf-8 -i missing . b").current_dir(directory), b"", 2);
    assert!(error.starts_with("fastutf: missing: "), "{error}");
    assert!(error.contains("\nfastutf: .: is a directory; name its files"), "{error}");
    if cfg!(unix) {
        let (_, error) = fail(&mut fastutf("convert -f utf-8 -t utf-8 -i /dev/null"), b"", 2);
        assert_eq!(error, "fastutf: /dev/null: is not a regular file; use `-o` to convert it to another file\n");
    }
}

/// The original is kept and replaces an older backup. If a file is not replaced, no backup is made.
#[test]
fn backups() {
    let directory = folder();
    let directory = directory.path();
    fs::write(directory.join("a.orig"), "older").unwrap();
    let arguments = "convert -f utf-8 -t utf-16 --in-place --backup .orig";
    fail(fastutf(arguments).args(["a", "bad", "b"]).current_dir(directory), b"", 1);
    assert_eq!(names(directory), ["a", "a.orig", "b", "b.orig", "bad", "c"]);
    assert_eq!(read(directory, "a.orig"), "ł a\n".as_bytes());
    assert_eq!(read(directory, "a"), encode("ł a\n", "utf-16"));
    // A suffix without a dot; and a backup whose name a directory already has.
    succeed(fastutf("convert -f utf-8 -t utf-8 --bom add -i c --backup ~").current_dir(directory), b"");
    assert_eq!(read(directory, "c~"), "ł c\n".as_bytes());
    fs::create_dir(directory.join("c-")).unwrap();
    let mut command = fastutf("convert -f utf-8 -t utf-16 -i c --backup=-");
    let (_, error) = fail(command.current_dir(directory), b"", 2);
    assert!(error.starts_with("fastutf: cannot create ") && error.contains("c-: is a directory"), "{error}");
    assert_eq!(read(directory, "c"), "\u{FEFF}ł c\n".as_bytes());
    // Nothing is replaced if nothing changes.
    succeed(fastutf("convert -q -f utf-8 -t utf-8 -i c --backup .same").current_dir(directory), b"");
    assert_eq!(names(directory), ["a", "a.orig", "b", "b.orig", "bad", "c", "c-", "c~"]);
}

/// A file whose content would not change is left alone in place: it is the same file, with its links and times. What is
/// different anywhere is written, with all that is before it.
#[test]
fn unchanged_files() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let path = directory.join("file");
    let be = |text: &str| encode(text, "utf-16be");
    // More than a piece, and enough for several threads.
    for len in [20, 600_000, 3 << 20] {
        let ascii = "some text\n".repeat(len / 10);
        let (accents, marked) = (ascii.clone() + "é\n", "\u{FEFF}".to_owned() + &ascii);
        let latin1 = [ascii.as_bytes(), b"\xE9\n"].concat();
        let utf8 = |text: &str| text.as_bytes().to_vec();
        for (options, before, after) in [
            ("-f utf-8 -t utf-8", utf8(&ascii), None),
            ("-f utf-8 -t utf-8 --lossy", utf8(&accents), None),
            ("-f utf-8 -t latin1", utf8(&ascii), None),
            ("-f detect -t utf-8", utf8(&accents), None),
            ("-f utf-16 -t utf-16", encode(&accents, "utf-16"), None),
            ("-f utf-16be -t utf-16 --bom keep", be(&accents), None),
            ("-f utf-8 -t utf-8 --bom add", utf8(&marked), None),
            // The last characters are different, or the first.
            (
                "-f utf-8 -t utf-8 --lossy",
                [ascii.as_bytes(), b"\xFF"].concat(),
                Some(utf8(&(ascii.clone() + "\u{FFFD}"))),
            ),
            ("-f utf-8 -t latin1", utf8(&accents), Some(latin1)),
            ("-f utf-8 -t utf-8 --bom strip", utf8(&marked), Some(utf8(&ascii))),
            ("-f utf-8 -t utf-8 --bom add", utf8(&ascii), Some(utf8(&marked))),
            ("-f utf-16 -t utf-16be", encode(&ascii, "utf-16"), Some(be(&ascii))),
        ] {
            for way in ["-i", "-i --backup .orig", "file -o"] {
                fs::write(&path, &before).unwrap();
                // Times may have a resolution of milliseconds.
                let earlier = SystemTime::now() - Duration::from_secs(60);
                fs::File::options().write(true).open(&path).unwrap().set_modified(earlier).unwrap();
                let link = directory.join("link");
                fs::hard_link(&path, &link).unwrap();
                let old = fs::metadata(&path).unwrap();
                let arguments = format!("convert {options} {way} file");
                let output = feed(fastutf(&arguments).current_dir(directory), b"");
                let told = text(&output.stderr).to_owned();
                assert_eq!(output.status.code(), Some(0), "{arguments}: {told}");
                assert_eq!(told.contains("fastutf: file: unchanged\n"), after.is_none(), "{arguments}: {told}");
                let expected = after.as_ref().unwrap_or(&before);
                assert!(fs::read(&path).unwrap() == *expected, "{arguments}, {len}");
                assert!(fs::read(&link).unwrap() == before, "{arguments}, {len}");
                let new = fs::metadata(&path).unwrap();
                assert_eq!(new.modified().unwrap() == old.modified().unwrap(), after.is_none(), "{arguments}");
                #[cfg(unix)]
                {
                    use std::os::unix::fs::MetadataExt;
                    assert_eq!(
                        (new.ino() == old.ino(), new.nlink()),
                        (after.is_none(), 1 + u64::from(after.is_none()))
                    );
                }
                let has_backup = after.is_some() && way.contains("backup");
                let left = if has_backup { &["file", "file.orig", "link"][..] } else { &["file", "link"] };
                assert_eq!(names(directory), left, "{arguments}");
                for name in left {
                    fs::remove_file(directory.join(name)).unwrap();
                }
            }
        }
    }
    // The byte-order mark is all there is.
    fs::write(&path, b"\xFF\xFE").unwrap();
    succeed(fastutf("convert -f utf-16 -t utf-8 -i file").current_dir(directory), b"");
    assert_eq!(fs::read(&path).unwrap(), b"");
}

/// The directory is left alone as well. Several files are counted.
#[test]
fn how_many_are_unchanged() {
    let directory = folder();
    let directory = directory.path();
    let before = fs::metadata(directory).unwrap().modified().unwrap();
    let command = "convert -f utf-8 -t utf-8 -i a b c bad";
    let (_, told) = fail(fastutf(command).current_dir(directory), b"", 1);
    assert!(told.ends_with("\nfastutf: 3 of 4 files unchanged\n"), "{told}");
    assert_eq!(fs::metadata(directory).unwrap().modified().unwrap(), before);
    succeed(fastutf("convert -f utf-8 -t utf-8 -i a b c --quiet").current_dir(directory), b"");
    // In another directory, all files are written.
    succeed(fastutf("convert -f utf-8 -t utf-8 a b --output-dir out").current_dir(directory), b"");
    succeed(fastutf("convert -f utf-8 -t utf-8 a b --output-dir out").current_dir(directory), b"");
}

/// The backup is the old file itself: it keeps its links, its permissions and its times. An existing backup that
/// already is this file stays.
#[test]
#[cfg(unix)]
fn a_backup_is_the_file_itself() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let directory = folder();
    let directory = directory.path();
    let (file, backup) = (directory.join("a"), directory.join("a.bak"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let old = fs::metadata(&file).unwrap();
    // A run that is killed before the last step leaves this link.
    fs::hard_link(&file, &backup).unwrap();
    succeed(fastutf("convert -f utf-8 -t utf-16 -i a --backup .bak").current_dir(directory), b"");
    let kept = fs::metadata(&backup).unwrap();
    assert_eq!((kept.ino(), kept.mtime_nsec(), kept.mode()), (old.ino(), old.mtime_nsec(), old.mode()));
    assert_eq!(fs::metadata(&file).unwrap().mode(), old.mode());
    assert_eq!(read(directory, "a.bak"), "ł a\n".as_bytes());
    assert_eq!(read(directory, "a"), encode("ł a\n", "utf-16"));
    assert_eq!(names(directory), ["a", "a.bak", "b", "bad", "c"]);
}

/// Names that are not UTF-8 work.
#[test]
#[cfg(target_os = "linux")]
fn names_in_no_encoding() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let name = OsStr::from_bytes(b"caf\xE9 \xFF");
    fs::write(directory.join(name), "ł").unwrap();
    let convert = |arguments: &str, last: &OsStr| {
        succeed(fastutf(&format!("convert {arguments}")).arg(last).current_dir(directory), b"")
    };
    assert_eq!(convert("-f utf-8 -t utf-16le", name), encode("ł", "utf-16le"));
    convert("-f utf-8 -t utf-16le --output-dir out", name);
    assert_eq!(fs::read(directory.join("out").join(name)).unwrap(), encode("ł", "utf-16le"));
    convert("-f utf-8 -t utf-16be -i --backup .b", name);
    assert_eq!(fs::read(directory.join(name)).unwrap(), encode("ł", "utf-16be"));
    assert_eq!(fs::read(directory.join(OsStr::from_bytes(b"caf\xE9 \xFF.b"))).unwrap(), "ł".as_bytes());
}

/// The number of replacements is reported for each file that has some. They are not a failure.
#[test]
fn lossy() {
    let directory = folder();
    let directory = directory.path();
    for (from, input, expected, count) in [
        ("utf-8", &b"a\xE2\x82b\xC0\xAF\xF0\x9F"[..], "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}", 4),
        ("utf-8", b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}", 3),
        ("utf-16le", b"a\0\x00\xDCb\0\x3D\xD8", "a\u{FFFD}b\u{FFFD}", 2),
        ("utf-16", b"\xFE\xFF\0a\xD8\x3D\xDE\0\xFF", "a😀\u{FFFD}", 1),
        ("utf-16be", b"\xD8\x3D\0", "\u{FFFD}\u{FFFD}", 2),
        ("utf-8", "zł\u{FFFD}".as_bytes(), "zł\u{FFFD}", 0),
    ] {
        for to in crate::LABELS {
            let arguments = format!("convert --lossy -f {from} -t {to}");
            let sequences = if count == 1 { "sequence" } else { "sequences" };
            let told = |name: &str| match count {
                0 => String::new(),
                _ => format!("fastutf: {name}: {count} invalid {sequences} replaced by U+FFFD\n"),
            };
            let output = feed(&mut fastutf(&arguments), input);
            assert_eq!((text(&output.stderr), output.status.code()), (&*told("<stdin>"), Some(0)), "{arguments}");
            assert_eq!(output.stdout, encode(expected, to), "{arguments} {input:02X?}");

            fs::write(directory.join("it"), input).unwrap();
            let output = feed(fastutf(&format!("{arguments} it -o out")).current_dir(directory), b"");
            assert_eq!((text(&output.stderr), output.status.code()), (&*told("it"), Some(0)), "{arguments}");
            assert_eq!(read(directory, "out"), encode(expected, to), "{arguments} {input:02X?}");
        }
    }
}

/// All files below a directory are converted to the output directory, with their paths. Options select files, as for
/// `check`.
#[test]
fn trees() {
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    let files = ["in/a.txt", "in/b/c/d.txt", "in/b/.hidden", "in/b/e.log", "in/f", "other/g", "single"];
    for file in files {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), format!("ł {file}\n")).unwrap();
    }
    fs::create_dir(root.join("in/empty")).unwrap();
    fs::write(root.join("in/.gitignore"), "*.log\n").unwrap();
    let convert = |arguments: &str| {
        let arguments = format!("convert -f utf-8 -t utf-16 {arguments} --output-dir in/out");
        assert_eq!(succeed(fastutf(&arguments).current_dir(root), b""), b"");
        let mut found = Vec::new();
        let mut folders = vec![root.join("in/out")];
        while let Some(folder) = folders.pop() {
            for name in names(&folder) {
                let path = folder.join(name);
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let below = path
                        .strip_prefix(root.join("in/out"))
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .replace(MAIN_SEPARATOR, "/");
                    let original =
                        [format!("in/{below}"), format!("in/b/{below}"), format!("other/{below}"), below.clone()];
                    let original = original.into_iter().find(|name| root.join(name).is_file()).unwrap();
                    let text = fs::read_to_string(root.join(original)).unwrap();
                    assert!(fs::read(&path).unwrap() == encode(&text, "utf-16"), "{below}");
                    found.push(below);
                }
            }
        }
        fs::remove_dir_all(root.join("in/out")).unwrap();
        found.sort();
        found.join(" ")
    };
    assert_eq!(convert("in"), ".gitignore a.txt b/.hidden b/c/d.txt b/e.log f");
    assert_eq!(convert("in/ ./other single"), ".gitignore a.txt b/.hidden b/c/d.txt b/e.log f g single");
    assert_eq!(convert("--gitignore --no-hidden in"), "a.txt b/c/d.txt f");
    assert_eq!(convert("-g *.txt in"), "a.txt b/c/d.txt");
    assert_eq!(convert("in/b"), ".hidden c/d.txt e.log");
    // Twice: files in the output directory are not input.
    for _ in 0..2 {
        succeed(fastutf("convert -f utf-8 -t utf-8 in --output-dir in/out").current_dir(root), b"");
    }
    assert_eq!(names(&root.join("in/out")), [".gitignore", "a.txt", "b", "f"]);
    fs::remove_dir_all(root.join("in/out")).unwrap();
    // Nothing is done if two files would become one, or an input would be overwritten.
    fs::write(root.join("other/f"), "f").unwrap();
    for (arguments, message) in [
        ("in other --output-dir out", "'in/f' and 'other/f' would both be written to 'out/f'"),
        ("in ./in --output-dir out", "would both be written to 'out/.gitignore'"),
        ("in --output-dir in", "'in/.gitignore' is an input and would be overwritten"),
        ("in/b --output-dir in/b", "is an input and would be overwritten"),
        ("in --output-dir out -g a{b", "--glob: "),
    ] {
        let mut command = fastutf(&format!("convert -f utf-8 -t utf-16 {arguments}"));
        let (_, error) = fail(command.current_dir(root), b"", 2);
        assert!(error.replace(MAIN_SEPARATOR, "/").contains(message), "{arguments}: {error}");
        assert!(!root.join("out").exists(), "{arguments}");
    }
    // In place, the files must be named.
    let (_, error) = fail(fastutf("convert -f utf-8 -t utf-16 -i in").current_dir(root), b"", 2);
    assert!(error.contains("in: is a directory; name its files"), "{error}");
    // The error of one file is reported, and the others are converted.
    fs::write(root.join("in/b/bad"), b"\xFF").unwrap();
    let (_, error) = fail(fastutf("convert -f utf-8 -t utf-8 in --output-dir out").current_dir(root), b"", 1);
    assert!(error.replace(MAIN_SEPARATOR, "/").starts_with("fastutf: in/b/bad: invalid at byte 0"), "{error}");
    assert_eq!(names(&root.join("out/b")), [".hidden", "c", "e.log"]);
}

/// Symbolic links inside the output directory are not followed, whether they replace a directory on the way or the file
/// itself, and whether their target exists or not. The output directory itself may be a link.
#[test]
#[cfg(unix)]
fn planted_links() {
    use std::os::unix::fs::symlink;
    let directory = TempDir::new().unwrap();
    let root = directory.path();
    fs::create_dir_all(root.join("in/a/b")).unwrap();
    fs::write(root.join("in/a/b/file"), "new").unwrap();
    fs::write(root.join("in/file"), "new").unwrap();
    fs::create_dir_all(root.join("elsewhere/b")).unwrap();
    fs::write(root.join("elsewhere/file"), "as it was").unwrap();
    fs::write(root.join("elsewhere/b/file"), "as it was").unwrap();
    let because = "is a symbolic link, which `--output-dir` does not follow: remove it, or give the directory that it points to\n";
    for (link, target, named) in [
        ("out/a", "../elsewhere", "out/a"),
        ("out/a", "nowhere", "out/a"),
        ("out/a/b", "../../elsewhere/b", "out/a/b"),
        ("out/a/b/file", "../../../elsewhere/file", "out/a/b/file"),
        ("out/a/b/file", "nowhere", "out/a/b/file"),
        // The rule also holds if the link would not lead outside.
        ("out/a", ".", "out/a"),
    ] {
        fs::create_dir_all(root.join(link).parent().unwrap()).unwrap();
        symlink(target, root.join(link)).unwrap();
        let mut command = fastutf("convert -f utf-8 -t utf-8 in --output-dir out");
        let (_, error) = fail(command.current_dir(root), b"", 2);
        assert_eq!(error, format!("fastutf: {named}: {because}"), "{link} to {target}");
        assert_eq!(read(root, "out/file"), b"new", "the others are converted");
        assert_eq!(names(&root.join("elsewhere")), ["b", "file"]);
        assert_eq!(read(root, "elsewhere/file"), b"as it was", "{link} to {target}");
        assert_eq!(read(root, "elsewhere/b/file"), b"as it was", "{link} to {target}");
        assert!(root.join(link).is_symlink() && !root.join("out/nowhere").exists());
        fs::remove_dir_all(root.join("out")).unwrap();
    }
    symlink("elsewhere", root.join("out")).unwrap();
    succeed(fastutf("convert -f utf-8 -t utf-8 in --output-dir out").current_dir(root), b"");
    assert_eq!(read(root, "elsewhere/a/b/file"), b"new");
    // The same holds for the manual.
    symlink("../elsewhere/file", root.join("in/fastutf.1")).unwrap();
    let (_, error) = fail(fastutf("man --output-dir in").current_dir(root), b"", 2);
    assert_eq!(error, format!("fastutf: in/fastutf.1: {because}"));
    assert_eq!(read(root, "elsewhere/file"), b"new");
}
