//! Native methods, with a stand-in for the virtual machine.

use std::ffi::{CStr, CString};

use fastutf_examples::jni_strings::{Env, Keys, greet, reverse};

/// Strings as code units. Its modified UTF-8 is made and read by loops of its own, the latter without any check: as HotSpot
/// does, sequences of one to three bytes are read by their first byte, and a byte that can begin none is a character.
#[derive(Default)]
struct Jvm {
    strings: Vec<Vec<u16>>,
    /// Whether a surrogate pair is written as four bytes.
    android: bool,
}

impl Jvm {
    fn string(&mut self, text: &str) -> usize {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(&units)
    }

    fn text(&self, string: usize) -> String {
        String::from_utf16(&self.strings[string]).unwrap()
    }
}

impl Env for Jvm {
    type JString = usize;

    fn with_string_utf_chars<R>(&self, string: usize, read: impl FnOnce(&CStr) -> R) -> R {
        let mut bytes = Vec::new();
        let units = &self.strings[string];
        for (at, &unit) in units.iter().enumerate() {
            let pair = |at: usize| match units[at..] {
                [high @ 0xD800..=0xDBFF, low @ 0xDC00..=0xDFFF, ..] if self.android => {
                    char::decode_utf16([high, low]).next()?.ok()
                }
                _ => None,
            };
            if let Some(character) = pair(at) {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            if at > 0 && pair(at - 1).is_some() {
                continue;
            }
            match unit {
                1..=0x7F => bytes.push(unit as u8),
                0 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, 0x80 | unit as u8 & 0x3F]),
                _ => bytes.extend([
                    0xE0 | (unit >> 12) as u8,
                    0x80 | (unit >> 6) as u8 & 0x3F,
                    0x80 | unit as u8 & 0x3F,
                ]),
            }
        }
        read(&CString::new(bytes).unwrap())
    }

    fn new_string_utf(&mut self, text: &CStr) -> usize {
        let bytes = text.to_bytes();
        let (mut units, mut at) = (Vec::new(), 0);
        let tail = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0) & 0x3F);
        while at < bytes.len() {
            let lead = u16::from(bytes[at]);
            let (unit, len) = match lead >> 4 {
                0xC..=0xD => ((lead & 0x1F) << 6 | tail(at + 1), 2),
                0xE => (lead << 12 | tail(at + 1) << 6 | tail(at + 2), 3),
                _ => (lead, 1),
            };
            units.push(unit);
            at += len;
        }
        self.new_string(&units)
    }

    fn get_string_length(&self, string: usize) -> usize {
        self.strings[string].len()
    }

    fn get_string_region(&self, string: usize, start: usize, units: &mut [u16]) {
        units.copy_from_slice(&self.strings[string][start..start + units.len()]);
    }

    fn new_string(&mut self, units: &[u16]) -> usize {
        self.strings.push(units.to_vec());
        self.strings.len() - 1
    }
}

#[test]
fn names_of_any_kind_are_greeted() {
    for android in [false, true] {
        let mut jvm = Jvm { android, ..Jvm::default() };
        for name in ["", "Ada", "Łukasz", "王小明", "🐢", "nul \0 and 👨‍👩‍👧", &"long 🐢 ".repeat(1000)]
        {
            let string = jvm.string(name);
            let greeting = greet(&mut jvm, string).unwrap();
            assert_eq!(jvm.text(greeting), format!("Hello, {name}!"), "{android}");
        }
        let half = jvm.new_string(&[0x61, 0xD83D]);
        assert_eq!(greet(&mut jvm, half).unwrap_err().valid_up_to(), 1);
    }
}

/// Why `NewStringUTF` must not get UTF-8.
#[test]
fn utf8_is_misread() {
    let mut jvm = Jvm::default();
    let string = jvm.new_string_utf(c"\u{1F422}");
    assert_ne!(jvm.text(string), "🐢");
}

#[test]
fn by_code_units() {
    let mut jvm = Jvm::default();
    let string = jvm.string("żółw 🐢\0");
    let reversed = reverse(&mut jvm, string);
    assert_eq!(jvm.text(reversed), "\0🐢 włóż");
    let half = jvm.new_string(&[0x61, 0xDE00, 0x62]);
    let reversed = reverse(&mut jvm, half);
    assert_eq!(jvm.text(reversed), "b\u{FFFD}a");
}

#[test]
fn keys_come_back_as_they_were() {
    let mut jvm = Jvm::default();
    let all: [&[u16]; 5] = [&[], &[0x61], &[0x61, 0xD83D], &[0xDE00], &[0xD83D, 0xDE00, 0]];
    let mut keys = Keys::default();
    for (value, units) in all.into_iter().enumerate() {
        let key = jvm.new_string(units);
        keys.put(&jvm, key, value as i64);
    }
    for (value, units) in all.into_iter().enumerate() {
        let key = jvm.new_string(units);
        assert_eq!(keys.get(&jvm, key), Some(value as i64));
    }
    let mut back: Vec<Vec<u16>> = keys.keys(&mut jvm).into_iter().map(|key| jvm.strings[key].clone()).collect();
    back.sort();
    let mut all = all.map(<[u16]>::to_vec);
    all.sort();
    assert_eq!(back, all);
    assert_eq!((keys.containing("a"), keys.containing("😀"), keys.containing("b")), (2, 1, 0));
}
