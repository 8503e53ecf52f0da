//! What `detect` says of many small files, in `detect.txt`. And whatever it says, no file becomes other text without an error.

use std::fmt::Write;
use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::{encode, fastutf, feed, succeed, text};

/// What a file really is.
enum Truth {
    /// This text, which may be too short to be recognised.
    Text(String),
    /// In two encodings, or with a byte too many: must be refused, with a place at this offset.
    Two(usize),
    /// Invalid UTF-16: must not be accepted.
    Somewhere,
    /// UTF-8 with this many ill-formed sequences, the first at this offset.
    Damaged(usize, usize),
    /// Not text in an encoding that `detect` knows: must be refused.
    Neither,
}

use Truth::{Damaged, Neither, Somewhere, Text, Two};

struct Case {
    name: String,
    bytes: Vec<u8>,
    truth: Truth,
}

/// A short text in each of many scripts.
const SCRIPTS: [(&str, &str); 12] = [
    ("English", "All human beings are born free and equal in dignity and rights.\r\n"),
    ("French", "Tous les êtres humains naissent libres et égaux en dignité.\r\nÇa va.\r\n"),
    ("Russian", "Все люди рождаются свободными и равными в своём достоинстве.\r\n"),
    ("Greek", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι.\r\n"),
    ("Hebrew", "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.\r\n"),
    ("Arabic", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.\r\n"),
    ("Hindi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता।\r\n"),
    ("Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน\r\nในเกียรติศักดิ์ และ สิทธิ\r\n"),
    ("Chinese", "人人生而自由，在尊严和权利上一律平等。\r\n他们赋有理性和良心。\r\n"),
    ("Japanese", "すべての人間は、生まれながらにして自由であり、\r\n尊厳と権利とについて平等である。\r\n"),
    ("Korean", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\r\n"),
    ("emoji", "😀 😂 🙏 🎉 🚀 👍\r\n👩🏽‍💻 ❤️ ☕ 🇫🇷\r\n"),
];

/// The encodings without a byte-order mark, and with one.
const FORMS: [(&str, &str, &[u8]); 10] = [
    ("UTF-8", "utf-8", b""),
    ("UTF-16LE", "utf-16le", b""),
    ("UTF-16BE", "utf-16be", b""),
    ("UTF-32LE", "utf-32le", b""),
    ("UTF-32BE", "utf-32be", b""),
    ("UTF-8, mark", "utf-8", b"\xEF\xBB\xBF"),
    ("UTF-16LE, mark", "utf-16le", b"\xFF\xFE"),
    ("UTF-16BE, mark", "utf-16be", b"\xFE\xFF"),
    ("UTF-32LE, mark", "utf-32le", b"\xFF\xFE\0\0"),
    ("UTF-32BE, mark", "utf-32be", b"\0\0\xFE\xFF"),
];

/// The cases, beginning with heads and tails in two encodings.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, truth: Truth| cases.push(Case { name: name.into(), bytes, truth });
    let of = |name: &str| SCRIPTS.iter().find(|script| script.0 == name).unwrap().1;
    let (le, be) = (|text: &str| encode(text, "utf-16le"), |text: &str| encode(text, "utf-16be"));
    let utf8 = |text: &str| text.as_bytes().to_vec();
    let log = |lines: usize| (0..lines).map(|line| format!("{line:05} GET /index.html 200\n")).collect::<String>();
    let windows = |lines: usize| log(lines).replace('\n', "\r\n");
    // A two-part file, whose border is where the first part ends.
    let mut two = |name: &str, head: Vec<u8>, tail: Vec<u8>| {
        let at = head.len();
        add(name, [head, tail].concat(), Two(at));
    };
    two("`hi\\r\\n` in UTF-16LE, then in UTF-8", le("hi\r\n"), utf8("hi\r\n"));
    two("`hi\\r\\n` in UTF-8, then in UTF-16LE", utf8("hi\r\n"), le("hi\r\n"));
    two("`hi\\r\\n` in UTF-16BE, then in UTF-8", be("hi\r\n"), utf8("hi\r\n"));
    two("`hi\\r\\n` in UTF-8, then in UTF-16BE", utf8("hi\r\n"), be("hi\r\n"));
    two("a line in UTF-8, then 100 in UTF-16LE", utf8("# settings\r\n"), le(&windows(100)));
    two("a line of odd length in UTF-8, then 100 in UTF-16LE", utf8("# setting\r\n"), le(&windows(100)));
    two("a line in UTF-8, then 100 in UTF-16BE", utf8("# settings\r\n"), be(&windows(100)));
    two("a line of odd length in UTF-8, then 100 in UTF-16BE", utf8("# setting\r\n"), be(&windows(100)));
    two("100 lines in UTF-8, then one in UTF-16LE", utf8(&log(100)), le("added\r\n"));
    two("100 lines and no line end in UTF-8, then one in UTF-16LE", utf8(log(101).trim_end()), le("added\r\n"));
    two("100 lines in UTF-8, then one in UTF-16BE", utf8(&log(100)), be("added\r\n"));
    two("100 lines in UTF-16LE, then one in UTF-8, with CR LF", le(&windows(100)), utf8("added\r\n"));
    two("100 lines in UTF-16LE, then one in UTF-8, with LF", le(&windows(100)), utf8("added by sh\n"));
    two("100 lines in UTF-16LE, then one of odd length in UTF-8", le(&windows(100)), utf8("added\n\n"));
    two("100 lines in UTF-16BE, then one in UTF-8, with CR LF", be(&windows(100)), utf8("added\r\n"));
    two("100 lines in UTF-16BE, then one in UTF-8, with LF", be(&windows(100)), utf8("added by sh\n"));
    two("100 lines in UTF-16LE, then 100 in UTF-8", le(&windows(100)), utf8(&log(100)));
    two("100 lines in UTF-8, then 100 in UTF-16LE", utf8(&log(100)), le(&windows(100)));
    two(
        "100 lines in UTF-8, then 100 in UTF-16LE with a mark",
        utf8(&log(100)),
        [&b"\xFF\xFE"[..], &le(&windows(100))].concat(),
    );
    two("100 lines in UTF-16LE, then 100 in UTF-16BE", le(&windows(100)), be(&windows(100)));
    two(
        "Chinese in UTF-16LE, then a line in UTF-8",
        le(&of("Chinese").repeat(20)),
        utf8("Hello, world! This is a line.\n"),
    );
    two(
        "Chinese in UTF-16BE, then a line in UTF-8",
        be(&of("Chinese").repeat(20)),
        utf8("Hello, world! This is a line.\n"),
    );
    two("Chinese in UTF-16LE, then in UTF-8", le(&of("Chinese").repeat(20)), utf8(&of("Chinese").repeat(2)));
    two("Chinese in UTF-8, then in UTF-16LE", utf8(&of("Chinese").repeat(20)), le(of("Chinese")));
    two("English in UTF-8, then Chinese in UTF-16LE", utf8(&log(100)), le(of("Chinese")));
    two("English in UTF-8, then `您好` in UTF-16LE", utf8(&log(100)), le("您好\r\n"));
    two("English in UTF-8, then Russian in UTF-16LE", utf8(&log(100)), le(of("Russian")));
    two("Russian in UTF-16LE, then English in UTF-8", le(&of("Russian").repeat(20)), utf8("added\r\n"));
    two("Russian in UTF-16LE, then in UTF-8", le(&of("Russian").repeat(20)), utf8(of("Russian")));
    two("Japanese in UTF-16LE, then English in UTF-8", le(&of("Japanese").repeat(20)), utf8(&log(2)));
    two("Korean in UTF-16BE, then English in UTF-8", be(&of("Korean").repeat(20)), utf8(&log(2)));
    two("Hindi in UTF-16LE, then English in UTF-8", le(&of("Hindi").repeat(20)), utf8(&log(2)));
    two("English in UTF-16LE between English in UTF-8", utf8(&log(9)), [le(&windows(9)), utf8(&log(9))].concat());
    two(
        "English in UTF-8 between English in UTF-16LE",
        le(&windows(9)),
        [utf8(&log(9)), le(&windows(9))].concat(),
    );
    two(
        "`hi\\n` in UTF-8, lines in UTF-16LE, `hi\\n` in UTF-8",
        utf8("hi\n"),
        [le(&windows(9)), utf8("hi\n")].concat(),
    );
    // Behind the first 64 KiB, and behind what one thread converts.
    two("70,000 bytes of UTF-8, then a line in UTF-16LE", utf8(&log(2800)), le("added\r\n"));
    two("80,000 bytes of UTF-16LE, then a line in UTF-8", le(&windows(1600)), utf8("added\r\n"));
    two("80,000 bytes of UTF-16BE, then a line in UTF-8", be(&windows(1600)), utf8("added by sh\n"));
    two("3 MB of UTF-16LE, then UTF-8", le(&windows(60_000)), utf8(&log(2)));
    two("3 MB of UTF-8, then UTF-16LE", utf8(&log(120_000)), le(&windows(2)));
    two("3 MB of UTF-8, then Chinese in UTF-16LE", utf8(&log(120_000)), le(of("Chinese")));
    // A byte too many, and one missing.
    let english = le(&windows(100));
    let with = |bytes: &[u8], at: usize, extra: &[u8]| [&bytes[..at], extra, &bytes[at..]].concat();
    add("UTF-16LE with an extra byte at 1,000", with(&english, 1000, b"x"), Two(1000));
    add("UTF-16LE without the byte at 1,000", [&english[..1000], &english[1001..]].concat(), Two(1000));
    add("UTF-16BE with an extra byte at 1,000", with(&be(&windows(100)), 1000, b"x"), Two(1000));
    add(
        "Russian in UTF-16LE with an extra byte at 1,000",
        with(&le(&of("Russian").repeat(30)), 1000, b"x"),
        Two(1000),
    );
    // Which of these Chinese bytes is too many, nobody can tell: 998 is the first that may be.
    add(
        "Chinese in UTF-16LE with an extra byte at 1,000",
        with(&le(&of("Chinese").repeat(40)), 1000, b"x"),
        Two(998),
    );
    add("UTF-16LE, cut in a code unit", english[..english.len() - 1].to_vec(), Somewhere);
    add("UTF-16LE with an unpaired surrogate at 1,000", with(&english, 1000, b"\x3D\xD8"), Somewhere);
    // Damaged UTF-8: the first 64 KiB are no different from what comes after.
    let russian = of("Russian").repeat(1000);
    let damaged = |places: &[usize]| {
        let mut bytes = russian.clone().into_bytes();
        for &at in places {
            bytes[at] = 0xFF;
        }
        bytes
    };
    // Each is an ASCII character there, so that it is one ill-formed sequence.
    let space = |near: usize| (near..).find(|&at| russian.as_bytes()[at] == b' ').unwrap();
    for near in [0, 100, 32_768, 65_400, 70_000] {
        let at = space(near);
        add(&format!("Russian in UTF-8 with FF at {at}"), damaged(&[at]), Damaged(1, at));
    }
    let places: Vec<_> = (0..20).map(|number| space(3_000 * number + 50)).collect();
    add("Russian in UTF-8 with FF in 20 places", damaged(&places), Damaged(20, places[0]));
    let mut cut = of("Russian").repeat(9).into_bytes();
    let end = cut.len() - 4;
    cut.truncate(end);
    add("Russian in UTF-8, cut in a character", cut, Damaged(1, end - 1));
    let mut ascii = log(1000).into_bytes();
    ascii[1234] = 0xFF;
    add("an ASCII log with FF at 1,234", ascii, Damaged(1, 1234));
    add(
        "Chinese in UTF-8 with 3 characters cut",
        {
            let text = of("Chinese").repeat(20);
            let mut bytes = text.into_bytes();
            for at in [1800, 900, 300] {
                let at = (at..).find(|&at| bytes[at] >= 0xE0).unwrap();
                bytes.remove(at + 2);
            }
            bytes
        },
        Damaged(3, 300),
    );
    // NULs.
    let nul = |text: &str, at: usize, count: usize| with(text.as_bytes(), at, &vec![0; count]);
    let as_text = |bytes: Vec<u8>| (bytes.clone(), Text(String::from_utf8(bytes).unwrap()));
    for (name, bytes) in [
        ("a log with a NUL", nul(&log(20), 100, 1)),
        ("a log with 4,096 NULs, as after a crash", nul(&log(400), 1000, 4096)),
        ("a log with a NUL at 70,000", nul(&log(4000), 70_000, 1)),
    ] {
        let (bytes, truth) = as_text(bytes);
        add(name, bytes, truth);
    }
    add("words that end with NULs", b"one\0two\0three\0".repeat(9), Neither);
    // Short ones, and those that are nothing of the kind.
    for (name, content) in [("nothing", ""), ("`a`", "a"), ("`é`", "é"), ("`é!!`", "é!!"), ("`née\\n`", "née\n")]
    {
        add(&format!("{name} in UTF-8"), utf8(content), Text(content.into()));
    }
    for content in ["a", "abc", "abcd", "hello\r\n", "中文", "hello 中文\r\n"] {
        let shown = content.replace("\r\n", "\\r\\n");
        add(&format!("`{shown}` in UTF-16LE"), le(content), Text(content.into()));
        add(&format!("`{shown}` in UTF-16BE"), be(content), Text(content.into()));
    }
    for (name, content) in [
        ("a line of `…` in Chinese", format!("第一章{}1\r\n", "…".repeat(60)).repeat(5)),
        ("a frame of `═`", format!("╔{0}╗\r\n║ text ║\r\n╚{0}╝\r\n", "═".repeat(76))),
        ("Chinese, many of two bytes of ASCII", "啦啦啦啦啦啦啦啦，本本中木来，中木本来中本\r\n".repeat(9)),
    ] {
        add(&format!("{name} in UTF-16LE"), le(&content), Text(content.clone()));
        add(&format!("{name} in UTF-16BE"), be(&content), Text(content));
    }
    add("Chinese without a stop in UTF-16BE", be(&"蝶鯨".repeat(100)), Text("蝶鯨".repeat(100)));
    add("French in Latin-1", encode(of("French"), "latin1"), Neither);
    add("20 lines of French in Latin-1", encode(&of("French").repeat(20), "latin1"), Neither);
    add(
        "Russian in windows-1251",
        of("Russian")
            .chars()
            .map(|c| match c {
                'А'..='я' => (u32::from(c) - 0x410 + 0xC0) as u8,
                _ => u8::try_from(c).unwrap_or(0xB8),
            })
            .collect(),
        Neither,
    );
    add(
        "the start of a PNG",
        b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\0\x08\x06\0\0\0".to_vec(),
        Neither,
    );
    add(
        "the start of an ELF program",
        b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0".to_vec(),
        Neither,
    );
    let mut state = 1u64;
    add(
        "1,000 random bytes",
        (0..1000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect(),
        Neither,
    );
    add("numbers of 32 bits", (0..500u32).flat_map(|n| (n * 7).to_le_bytes()).collect(), Neither);
    cases
}

/// What happened to all files, by the number that is their name. All are arguments of the same commands, as a process for each
/// would take most of the time.
struct Results {
    directory: TempDir,
    /// What `convert` says, and what it says with `--lossy`.
    said: Vec<String>,
    lossily: Vec<String>,
    /// The status that `check` and `stat` report as JSON.
    check: Vec<String>,
    stat: Vec<bool>,
}

impl Results {
    fn of(cases: &[Case]) -> Self {
        let directory = TempDir::new().unwrap();
        for folder in ["in", "place"] {
            fs::create_dir(directory.path().join(folder)).unwrap();
            for (number, case) in cases.iter().enumerate() {
                fs::write(directory.path().join(folder).join(number.to_string()), &case.bytes).unwrap();
            }
        }
        let run = |arguments: &str, folder: &str| {
            let mut command = fastutf(arguments);
            command.args((0..cases.len()).map(|number| format!("{folder}/{number}")));
            let output = feed(command.current_dir(directory.path()), b"");
            assert_eq!(output.status.code(), Some(1), "{arguments}: {}", text(&output.stderr));
            output
        };
        let messages = |output: &Output| {
            let mut said = vec![String::new(); cases.len()];
            for line in text(&output.stderr).lines() {
                let (number, line) = line.strip_prefix("fastutf: in/").unwrap().split_once(": ").unwrap();
                writeln!(said[number.parse::<usize>().unwrap()], "{line}").unwrap();
            }
            said
        };
        run("convert -q -f detect -t utf-8 -i", "place");
        let said = messages(&run("convert -f detect -t utf-8 --output-dir out", "in"));
        let lossily = messages(&run("convert -f detect -t utf-8 --lossy --output-dir lossy", "in"));
        let lines = |arguments: &str| {
            let output = run(arguments, "in");
            let lines = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap());
            lines.collect::<Vec<Value>>()
        };
        let is_file = |line: &&Value| line["type"] != "error";
        let check = lines("check -e detect --format json");
        let check =
            check.iter().filter(is_file).take(cases.len()).map(|line| line["status"].as_str().unwrap().into());
        let stat = lines("stat -e detect --format json");
        let stat = stat.iter().take(cases.len()).map(|line| line["valid"] == true);
        let (check, stat) = (check.collect(), stat.collect());
        Self { directory, said, lossily, check, stat }
    }

    /// A file in one of the folders; none if it is not there.
    fn file(&self, folder: &str, number: usize) -> Option<Vec<u8>> {
        fs::read(self.directory.path().join(folder).join(number.to_string())).ok()
    }

    /// What `convert` says, without the advice, and without what it says of all.
    fn said(&self, number: usize) -> String {
        let line = |line: &str| {
            let line = line.split("; ").next().unwrap();
            line.strip_prefix("cannot detect its encoding: ").unwrap_or(line).to_owned()
        };
        self.said[number].lines().map(line).collect::<Vec<_>>().join("; ")
    }

    /// What is wrong with the verdicts on a case.
    fn wrong(&self, number: usize, Case { bytes, truth, .. }: &Case) -> Option<String> {
        let (converted, lossy) = (self.file("out", number), self.file("lossy", number));
        let piped = feed(&mut fastutf("convert -f detect -t utf-8"), bytes);
        let said = &self.said[number];
        // What is refused is left as it was.
        let in_place = self.file("place", number).unwrap();
        let is_in_place = in_place == converted.as_deref().unwrap_or(bytes);
        let is_valid = converted.is_some();
        let do_agree = is_in_place
            && (self.check[number] == "valid") == is_valid
            && self.stat[number] == is_valid
            && piped.status.code() == Some(i32::from(!is_valid));
        if !do_agree {
            return Some(format!("the commands disagree: check says {}", self.check[number]));
        }
        let is_right = match truth {
            Text(content) if is_valid => {
                let is_right = |output: &[u8]| output == content.as_bytes();
                is_right(&piped.stdout) && [converted, lossy].into_iter().flatten().all(|output| is_right(&output))
            }
            Text(_) => said.contains("cannot detect its encoding"),
            Damaged(count, at) => {
                !is_valid
                    && lossy.is_some_and(|repaired| repaired == String::from_utf8_lossy(bytes).as_bytes())
                    && self.lossily[number].contains(&format!("{count} invalid sequence"))
                    && said.contains(&format!("invalid at byte {at},"))
            }
            Two(at) => {
                let is_told = |said: &str| said.contains(&format!("byte {at} on"));
                !is_valid
                    && lossy.is_none()
                    && is_told(said)
                    && is_told(&self.lossily[number])
                    && is_told(text(&piped.stderr))
            }
            Somewhere => !is_valid,
            Neither => lossy.is_none() && said.contains("cannot detect its encoding"),
        };
        (!is_right).then(|| "it is something else".into())
    }
}

/// In each script, every encoding is recognised for sure. All others are told as in `detect.txt`. No file becomes other text
/// without an error, and none in two encodings is accepted.
#[test]
fn verdicts() {
    let mut all: Vec<_> = SCRIPTS
        .iter()
        .flat_map(|(script, content)| {
            FORMS.iter().map(move |(form, label, mark)| Case {
                name: format!("{script}, {form}"),
                bytes: [mark, &*encode(&content.repeat(5), label)].concat(),
                truth: Text(content.repeat(5)),
            })
        })
        .collect();
    let in_scripts = all.len();
    all.extend(cases());
    assert!(all.len() - in_scripts >= 60);
    let results = Results::of(&all);
    let (mut wrong, mut told) = (Vec::new(), String::new());
    for (number, case) in all.iter().enumerate() {
        let said = results.said(number);
        if let Some(fault) = results.wrong(number, case) {
            wrong.push(format!("{}: {fault}: {said}", case.name));
        }
        let (form, _, mark) = FORMS[number % FORMS.len()];
        if number >= in_scripts {
            writeln!(told, "{}: {said}", case.name).unwrap();
        } else if said.starts_with(&format!("guessed {form} (sure: ")) != mark.is_empty() {
            wrong.push(format!("{}: {said}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} verdicts are wrong:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(told == include_str!("detect.txt"), "cli/tests/cli/detect.txt is not\n{told}");
}

/// Where the encoding is known, text in another one is worth a warning, and no more.
#[test]
fn warnings() {
    let directory = TempDir::new().unwrap();
    let (head, tail) = (encode("hi\r\n", "utf-16le"), b"hi\r\n");
    let long = encode(&"Hello, world!\r\n".repeat(100_000), "utf-16le");
    let russian = encode(&"Привет, мир!\r\n".repeat(10_000), "utf-16le");
    let marked = |parts: &[&[u8]]| [b"\xFF\xFE", parts.concat().as_slice()].concat();
    let two = |at: usize| format!("it seems to be in two encodings: UTF-16LE, and UTF-8 from byte {at} on");
    for (bytes, expected) in [
        (marked(&[&head, tail]), two(10)),
        (marked(&[&head, tail, &head]), two(10)),
        (marked(&[&long, tail, &long]), two(3_000_002)),
        (marked(&[&long, b"added by sh\n", &head]), two(3_000_002)),
        (marked(&[&russian, b"xy", &russian]), String::new()),
        // Malayalam has U+0D0A, which is CR LF in big-endian UTF-16.
        ([b"\xFE\xFF", &*encode(&"ഊഹം ഊർജ്ജം\n".repeat(9), "utf-16be")].concat(), String::new()),
        ([b"\xFE\xFF", &*encode("hi\r\n", "utf-16be"), tail].concat(), two(10).replace("16LE", "16BE")),
    ] {
        fs::write(directory.path().join("x"), &bytes).unwrap();
        for command in ["check", "stat", "convert -t utf-8"] {
            for (label, input) in [("utf-16", "x"), ("utf-16", "-"), ("detect", "x")] {
                if label == "detect" && command == "stat" {
                    continue;
                }
                let output = feed(
                    fastutf(&format!("{command} -f {label} {input}")).current_dir(directory.path()),
                    if input == "-" { &bytes } else { b"" },
                );
                let name = if input == "-" { "<stdin>" } else { input };
                let expected = match &*expected {
                    "" => String::new(),
                    expected => format!("fastutf: {name}: warning: {expected}\n"),
                };
                assert_eq!(text(&output.stderr), expected, "{command}, {label}, {name}");
                assert_eq!(output.status.code(), Some(0), "{command}, {label}, {name}");
            }
        }
        for command in ["check -q", "convert -q -t utf-8"] {
            succeed(fastutf(&format!("{command} -f utf-16 x")).current_dir(directory.path()), b"");
        }
    }
}
