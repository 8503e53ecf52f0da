//! What the standard library has already compiled when a debug build uses it, and fastutf's functions for the same.
//! Prints the instructions of both for each operation: run it by `cargo xtask debug-speed`.
//!
//! (`String::from_utf16_lossy` is not here: it is compiled with its caller.) The argument is the name of a text. The two
//! functions of a pair must have the same result.

use std::hint::black_box;

use fastutf_testkit::counter::Counter;

struct Text {
    utf8: Vec<u8>,
    utf16: Vec<u16>,
}

impl Text {
    /// 8 KB of a typical sentence, or of damaged text.
    fn named(name: &str) -> Self {
        let sentence: &[u8] = match name {
            "ascii" => b"The quick brown fox jumps over the lazy dog, and nobody minds.\n",
            "russian" => "Съешь же ещё этих мягких французских булок, да выпей чаю.\n".as_bytes(),
            "chinese" => "我能吞下玻璃而不伤身体。天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。".as_bytes(),
            "emoji" => "😀🎉👍🌍🚀🤖🦀🔥\n".as_bytes(),
            "mix" => "Zoë paid 20 € for a 🎂 (生日蛋糕), наконец.\n".as_bytes(),
            "FF" => b"\xFF",
            "cut" => b"\xE2\x82",
            "dense" => b"abc\xFFdef \xE2\x82ghi\xED\xA0\x80 \xC3\xA9\xF0\x9F\x98 ",
            "sparse" => b"\xD0\xA1\xD1\x8A\xD0\xB5\xD1\x88\xD1\x8C the quick brown fox, again and again.\n\xFF",
            _ => panic!("no text is called {name}"),
        };
        let utf8 = sentence.repeat((8 << 10) / sentence.len());
        let utf16 = String::from_utf8_lossy(&utf8).encode_utf16().collect();
        Self { utf8, utf16 }
    }
}

/// A function NAME(text, counter), which counts all these: `OPERATION: result, { fastutf's } { std's }`.
macro_rules! operations {
    ($all:ident($text:ident): $($name:ident: $result:ty, $fastutf:block $std:block)*) => {
        fn $all($text: &Text, counter: &mut Counter) {
            $({
                let mut count = |mut function: Box<dyn FnMut() -> $result + '_>| {
                    // The first call looks up symbols and features; the second one does not.
                    let expected = black_box(function());
                    let mut result = None;
                    let count = counter.count(|| result = Some(black_box(function()))).expect("somebody counts");
                    assert_eq!(result, Some(expected), "{}", stringify!($name));
                    (count, result)
                };
                let (fastutf, std) = (count(Box::new(|| $fastutf)), count(Box::new(|| $std)));
                assert_eq!(fastutf.1, std.1, "{}", stringify!($name));
                println!("{} {} {}", stringify!($name), fastutf.0, std.0);
            })*
        }
    };
}

// These end at the first error.
operations! { strict(text):
    validate_utf8: bool, { fastutf::validate_utf8(&text.utf8).is_ok() } { str::from_utf8(&text.utf8).is_ok() }
    from_utf8: Option<usize>, { fastutf::from_utf8(&text.utf8).ok().map(str::len) } { str::from_utf8(&text.utf8).ok().map(str::len) }
    from_utf8_mut: bool, { fastutf::from_utf8_mut(&mut text.utf8.clone()).is_ok() } { str::from_utf8_mut(&mut text.utf8.clone()).is_ok() }
    string_from_utf8: Option<String>, { fastutf::string_from_utf8(text.utf8.clone()).ok() } { String::from_utf8(text.utf8.clone()).ok() }
    from_utf16: Option<String>, { fastutf::from_utf16(&text.utf16).ok() } { String::from_utf16(&text.utf16).ok() }
}

operations! { lossy(text):
    from_utf8_lossy: String, { fastutf::from_utf8_lossy(&text.utf8).into_owned() } { String::from_utf8_lossy(&text.utf8).into_owned() }
    string_from_utf8_lossy: String, { fastutf::string_from_utf8_lossy(text.utf8.clone()) } { String::from_utf8_lossy(&text.utf8).into_owned() }
    utf8_chunks: usize, {
        let mut len = 0;
        for chunk in fastutf::utf8_chunks(&text.utf8) {
            len += chunk.valid().len() + 5 * chunk.invalid().len();
        }
        len
    } {
        let mut len = 0;
        for chunk in text.utf8.utf8_chunks() {
            len += chunk.valid().len() + 5 * chunk.invalid().len();
        }
        len
    }
}

fn main() {
    let text = Text::named(&std::env::args().nth(1).expect("the name of a text"));
    let mut counter = Counter::new().expect("somebody counts");
    if str::from_utf8(&text.utf8).is_ok() {
        strict(&text, &mut counter);
    }
    lossy(&text, &mut counter);
}
