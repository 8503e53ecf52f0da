//! What the standard library has already compiled when a debug build uses it, and fastutf's functions for the same: run by
//! `cargo xtask debug-speed`. Fails if one of fastutf's executes too many instructions. (`encode_utf16`, `decode_utf16` and
//! `String::from_utf16_lossy` are not here: they are compiled with their caller.)

use std::fmt::Debug;
use std::hint::black_box;

use fastutf_testkit::counter::Counter;

const TEXTS: [(&str, &[u8]); 9] = [
    ("ascii", b"The quick brown fox jumps over the lazy dog, and nobody minds.\n"),
    ("russian", "Съешь же ещё этих мягких французских булок, да выпей чаю.\n".as_bytes()),
    ("chinese", "我能吞下玻璃而不伤身体。天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。".as_bytes()),
    ("emoji", "😀🎉👍🌍🚀🤖🦀🔥\n".as_bytes()),
    ("mix", "Zoë paid 20 € for a 🎂 (生日蛋糕), наконец.\n".as_bytes()),
    ("FF", b"\xFF"),
    ("cut", b"\xE2\x82"),
    ("dense", b"abc\xFFdef \xE2\x82ghi\xED\xA0\x80 \xC3\xA9\xF0\x9F\x98 "),
    ("sparse", b"\xD0\xA1\xD1\x8A\xD0\xB5\xD1\x88\xD1\x8C the quick brown fox, again and again.\n\xFF"),
];
/// The length of a text in bytes of UTF-8: an error is looked for twice in the last 1024 code units.
const SIZE: usize = 32 << 10;
/// How many times std's instructions a function may execute.
const MOST: f64 = 1.2;
/// A function with another limit: each damaged place is a call of our own `next`, which nothing has optimised.
const EXCEPT: (&str, f64) = ("utf8_chunks", 3.5);

struct Check {
    counter: Counter,
    text: String,
    over: usize,
}

impl Check {
    /// Compares what two functions return, which must be the same, and how many instructions they execute.
    fn pair<T: PartialEq + Debug>(&mut self, name: &str, fastutf: impl Fn() -> T, std: impl Fn() -> T) {
        // These calls look up symbols and features; those that are counted do not.
        assert_eq!(fastutf(), std(), "{name}");
        let mut count = |run: &dyn Fn() -> T| self.counter.count(|| drop(black_box(run()))).unwrap();
        let (fastutf, std) = (count(&fastutf) as f64, count(&std) as f64);
        let over = fastutf > std * if name == EXCEPT.0 { EXCEPT.1 } else { MOST };
        let verdict = if over { " TOO MANY" } else { "" };
        println!("{:10} {name:22} {std:9} {:5.2}{verdict}", self.text, fastutf / std);
        self.over += usize::from(over);
    }
}

fn main() {
    let mut check = Check { counter: Counter::new().expect("somebody counts"), text: String::new(), over: 0 };
    println!("instructions of std, and fastutf's as a multiple");
    for (text, sentence) in TEXTS {
        let mut s = sentence.repeat(SIZE / sentence.len());
        let mut units: Vec<u16> = String::from_utf8_lossy(&s).encode_utf16().collect();
        let valid = str::from_utf8(&s).is_ok();
        for end in ["", " FF"] {
            check.text = format!("{text}{end}");
            // These end at the first error.
            if valid {
                check.pair("from_utf8", || fastutf::from_utf8(&s).ok(), || str::from_utf8(&s).ok());
                check.pair("from_utf16", || fastutf::from_utf16(&units).ok(), || String::from_utf16(&units).ok());
            }
            check.pair("is_ascii", || fastutf::is_ascii(&s), || s.is_ascii());
            check.pair("from_utf8_lossy", || fastutf::from_utf8_lossy(&s), || String::from_utf8_lossy(&s));
            check.pair("utf8_chunks", || fastutf::utf8_chunks(&s).count(), || s.utf8_chunks().count());
            // What takes a `Vec`, and keeps its allocation if there is no error.
            let std = || String::from_utf8(s.clone());
            check.pair("string_from_utf8", || fastutf::string_from_utf8(s.clone()).ok(), || std().ok());
            let std = || std().unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            check.pair("string_from_utf8_lossy", || fastutf::string_from_utf8_lossy(s.clone()), std);
            s.push(0xFF);
            units.push(0xDC00);
        }
    }
    assert!(check.over == 0, "{} are over the limit", check.over);
}
