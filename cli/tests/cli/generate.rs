//! `fastutf completions` and `fastutf man`.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::{fail, fastutf, succeed, text};

/// Each script contains the program, its subcommands and their options.
#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = succeed(&mut fastutf(&format!("completions {shell}")), b"");
        for word in ["fastutf", "convert", "check", "isa", "in-place", "output-dir"] {
            assert!(text(&script).contains(word), "{shell}: {word}");
        }
        // The scripts for the other shells do not contain values.
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        assert_eq!(text(&script).contains("utf-16le"), has_values, "{shell}");
    }
    let (_, error) = fail(&mut fastutf("completions tcsh"), b"", 2);
    assert!(error.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{error}");
}

/// Installed shells accept the scripts, and bash and fish complete with them.
#[test]
fn completions_are_scripts() {
    let directory = TempDir::new().unwrap();
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        if Command::new(shell).args(["-c", "true"]).output().is_err() {
            eprintln!("NOT TESTED: {shell} is not installed");
            continue;
        }
        let path = directory.path().join(shell);
        fs::write(&path, succeed(&mut fastutf(&format!("completions {shell}")), b"")).unwrap();
        assert_eq!(succeed(Command::new(shell).arg(check).arg(&path), b""), b"", "{shell}");
        if shell == "bash" {
            let complete = r#"
                source "$1"
                COMP_WORDS=(fastutf convert --in) COMP_CWORD=2
                _fastutf fastutf --in convert
                echo "${COMPREPLY[@]}"
            "#;
            let reply = succeed(Command::new(shell).args(["-c", complete, "bash"]).arg(&path), b"");
            assert_eq!(text(&reply), "--in-place\n");
        }
        if shell == "fish" {
            let complete = "source $argv; complete -C 'fastutf convert --in'";
            let reply = succeed(Command::new(shell).args(["-c", complete]).arg(&path), b"");
            assert!(text(&reply).starts_with("--in-place\t"), "{}", text(&reply));
        }
    }
}

/// There is a page for the program and one for each subcommand, with all options. All pages that are referred to exist.
#[test]
fn manual_pages() {
    let directory = TempDir::new().unwrap();
    let pages = directory.path().join("share/man1");
    assert_eq!(succeed(fastutf("man --output-dir").arg(&pages), b""), b"");
    let main = fs::read_to_string(pages.join("fastutf.1")).unwrap();
    assert_eq!(text(&succeed(&mut fastutf("man"), b"")), main);
    for command in ["convert", "check", "isa", "completions", "man"] {
        assert!(main.contains(&format!("fastutf\\-{command}(1)")), "{command}");
        let page = fs::read_to_string(pages.join(format!("fastutf-{command}.1"))).unwrap();
        let help = succeed(&mut fastutf(&format!("{command} --help")), b"");
        for word in text(&help).split_whitespace() {
            // Options are at the start of a line, or after a short option.
            let Some(name) =
                word.strip_prefix("--").filter(|name| name.chars().all(|c| c.is_alphabetic() || c == '-'))
            else {
                continue;
            };
            assert!(page.contains(&name.replace('-', "\\-")), "--{name} is not in the page of {command}");
        }
    }
    let all: Vec<_> = crate::files::names(&pages);
    assert_eq!(all.len(), 7);
    for name in &all {
        let page = fs::read_to_string(pages.join(name)).unwrap();
        let mut sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"].into_iter();
        let mut next = sections.next();
        for line in page.lines() {
            if next.is_some_and(|next| line.trim_end_matches('"').replace("SH \"", "SH ") == format!(".SH {next}"))
            {
                next = sections.next();
            }
        }
        assert_eq!(next, None, "{name}: {page}");
        assert!(!page.contains('`'), "{name}: {page}");
        // Each page that is referred to exists.
        for reference in
            page.match_indices("(1)").filter_map(|(at, _)| page[..at].split([' ', '\n', ',']).next_back())
        {
            if reference.starts_with("fastutf") {
                assert!(all.contains(&format!("{}.1", reference.replace('\\', ""))), "{name}: {reference}");
            }
        }
        // Every option that takes a value is shown with it.
        for option in
            ["encoding", "from", "to", "fallback", "max", "bom", "backup", "output\\-dir", "glob", "format", "isa"]
        {
            let head = format!("\\-\\-{option}\\fR");
            for line in page.lines().filter(|line| line.starts_with("\\fB\\-") && line.contains(&head)) {
                assert!(line.contains("\\fI<"), "{name}: {line}");
            }
        }
    }
    let convert = fs::read_to_string(pages.join("fastutf-convert.1")).unwrap();
    assert!(
        convert.contains(r"fastutf convert\fR [OPTIONS] \-\-from <ENCODING> \-\-to <ENCODING> [INPUT]..."),
        "{convert}"
    );
    // If man is installed, it formats them without warnings.
    if Command::new("man").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: man is not installed");
        return;
    }
    for page in fs::read_dir(&pages).unwrap() {
        let path = page.unwrap().path();
        let mut man = Command::new("man");
        man.args(["--warnings", "-E", "UTF-8", "-l"])
            .arg(&path)
            .env("LC_ALL", "C.UTF-8")
            .env("MANWIDTH", "100")
            .env("MAN_KEEP_FORMATTING", "0");
        let shown = succeed(&mut man, b"");
        assert!(!shown.is_empty(), "{path:?}");
    }
}
