//! Checks that each bit of the library's tables and constants matters: flipping one must make some result wrong.
//!
//! `cargo xtask tables` runs `every_bit_counts` and passes it the addresses of the tables in this program. The test
//! flips their bits in its own memory, one at a time. `check`, which compares the operations with the standard library,
//! must then fail.
#![cfg(all(feature = "alloc", target_os = "linux"))]

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::{File, OpenOptions, read_to_string};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};

use fastutf::Isa;

/// A text with all expected results.
struct Case {
    utf8: Vec<u8>,
    valid: usize,
    text: String,
    units: Vec<u16>,
    chars: usize,
    /// The bytes read as UTF-16LE, repaired.
    from_le: String,
    well_formed: Vec<u8>,
    well_formed_le: bool,
}

impl Case {
    fn new(utf8: Vec<u8>) -> Self {
        let text = String::from_utf8_lossy(&utf8).into_owned();
        let valid = std::str::from_utf8(&utf8).map_or_else(|error| error.valid_up_to(), str::len);
        let words: Vec<u16> = utf8.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
        let mut from_le = String::from_utf16_lossy(&words);
        let well_formed = from_le.encode_utf16().flat_map(u16::to_le_bytes).collect();
        if !utf8.len().is_multiple_of(2) {
            from_le.push('\u{FFFD}');
        }
        let well_formed_le = utf8.len().is_multiple_of(2) && String::from_utf16(&words).is_ok();
        let (units, chars) = (text.encode_utf16().collect(), text.chars().count());
        Self { utf8, valid, text, units, chars, from_le, well_formed, well_formed_le }
    }

    fn right(&self, isa: Isa, swapped: &mut Vec<u8>) -> bool {
        let src = &self.utf8[..];
        let valid = isa.validate_utf8(src).map_or_else(|error| error.valid_up_to(), |()| src.len());
        let mut right = valid == self.valid && isa.from_utf8_lossy(src) == self.text.as_str();
        right &= isa.utf16_len_from_utf8_lossy(src) == self.units.len();
        let bytes = isa.from_utf16le_lossy(src);
        right &= bytes == self.from_le && isa.utf8_len_from_utf16le_lossy(src) == bytes.len();
        right &= isa.validate_utf16le(src).is_ok() == self.well_formed_le;
        right &= isa.to_utf16(&self.text) == self.units;
        right &= isa.utf8_info(self.text.as_bytes()).is_ok_and(|info| {
            (info.chars, info.utf16_len) == (self.chars, self.units.len())
                && info.is_ascii() == self.text.is_ascii()
                && info.width() as u8 == fastutf_testkit::oracle::width_of_utf8(self.text.as_bytes()).unwrap()
        });
        right &= isa.count_chars_utf8(self.text.as_bytes()) == self.chars;
        right &= isa.utf16_len_from_utf8(self.text.as_bytes()) == self.units.len();
        right &= isa.count_chars_utf16(&self.units) == self.chars;
        right &= isa.utf8_len_from_utf16(&self.units) == self.text.len();
        right &= isa.is_ascii(src) == src.is_ascii();
        // For ill-formed text too, these functions count bytes of certain kinds.
        let starts = src.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        right &= isa.count_chars_utf8(src) == starts;
        right &= isa.utf16_len_from_utf8(src) == starts + src.iter().filter(|byte| **byte >= 0xF0).count();
        if !right {
            return false;
        }
        swapped.clear();
        right &= isa.utf8_to_utf16be_lossy_append(src, swapped).is_complete();
        right &=
            swapped.as_chunks::<2>().0.iter().map(|unit| u16::from_be_bytes(*unit)).eq(self.units.iter().copied());
        right &=
            isa.from_utf16be(swapped).is_ok_and(|text| text == self.text) && isa.validate_utf16be(swapped).is_ok();
        right &= isa.utf8_len_from_utf16be(swapped) == self.text.len()
            && isa.count_chars_utf16be(swapped) == self.chars;
        isa.swap_utf16_bytes(swapped);
        right &= isa.from_utf16le(swapped).is_ok_and(|text| text == self.text)
            && isa.to_utf16le(&self.text) == *swapped;
        right &= isa.from_utf16(&self.units).is_ok_and(|text| text == self.text);
        swapped.clear();
        swapped.extend_from_slice(&src[..src.len() & !1]);
        isa.make_well_formed_utf16le(swapped);
        right && *swapped == self.well_formed
    }
}

/// Texts, the ones most likely to notice a flipped bit first. Together they reach each row of each table.
struct Cases {
    long: Vec<Case>,
    /// Texts around a pair of bytes, well-formed or not, and the length of their valid part.
    pairs: Vec<(Vec<u8>, usize)>,
}

impl Cases {
    fn new() -> Self {
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = |end: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (((seed >> 32) * end as u64) >> 32) as usize
        };
        let char_of = |len: usize, random: &mut dyn FnMut(usize) -> usize| loop {
            let (first, last) = [(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)][len - 1];
            if let Some(c) = char::from_u32((first + random(last - first + 1)) as u32) {
                return c;
            }
        };
        // All sequences of 8 characters of 1 and 2 bytes, and of 4 characters of 1 to 3 bytes.
        let eights = (0..1 << 8).flat_map(|index| (0..8).map(move |at| 1 + (index >> at & 1)));
        let fours = (0..81).flat_map(|index| [1, 3, 9, 27].map(|power| 1 + index / power % 3));
        let text = |lens: &mut dyn Iterator<Item = usize>, random: &mut dyn FnMut(usize) -> usize| {
            Case::new(lens.map(|len| char_of(len, random)).collect::<String>().into_bytes())
        };
        let mut long: Vec<Case> =
            (0..3).map(|_| text(&mut eights.clone().chain(fours.clone()), &mut random)).collect();
        let kinds: [&[usize]; 9] =
            [&[1, 2], &[1, 2, 3], &[1, 2, 3, 4], &[1], &[2], &[3], &[4], &[1, 3], &[1, 1, 1, 1, 1, 1, 1, 2, 3, 4]];
        for len in [6000, 700, 130, 67, 33, 20, 9, 3] {
            for kind in kinds.into_iter().take(if len > 1000 { 3 } else { 9 }) {
                for errors in 0..3 {
                    let mut text = String::new();
                    while text.len() < len {
                        text.push(char_of(kind[random(kind.len())], &mut random));
                    }
                    let mut bytes = text.into_bytes();
                    for _ in 0..errors * (1 + len / 200) {
                        let at = random(bytes.len());
                        bytes[at] = random(256) as u8;
                    }
                    long.push(Case::new(bytes));
                }
            }
        }
        // An ill-formed sequence at each place of a window. Its lead byte promises more than what follows.
        let bad: [(&[u8], &str); 5] =
            [(b"\xE2", "éß"), (b"\xF0\x9F", "éß"), (b"\xF0", "€한"), (b"\xE2\x82", "aé€"), (b"\xFF", "😀")];
        for (bad, filler) in bad {
            for at in 0..64 {
                let filler = filler.repeat(120 / filler.len());
                long.push(Case::new([&b"x".repeat(at), bad, filler.as_bytes(), bad, b"a"].concat()));
            }
        }
        // The bytes right before the pair, and right after it.
        let around: [(&[u8], &[u8]); 11] = [
            (b"", b""),
            (b"", b"\x80"),
            (b"", b"\x80\x80"),
            (b"\xC3", b"\x80"),
            (b"\xE1", b"\x80"),
            (b"\xE0", b""),
            (b"\xED", b""),
            (b"\xF1", b""),
            (b"\xF0", b"\x80"),
            (b"\xF4", b"\x80"),
            (b"\xE1\x80\xF1\x80", b"\x80"),
        ];
        let mut pairs = Vec::new();
        for (i, (before, after)) in around.into_iter().enumerate() {
            for first in 0..=0xFF {
                for second in (0..=0xFF).step_by(16) {
                    for (k, filler) in ["abcdefgh", "éß", "€한", "😀", "aé€"].into_iter().enumerate() {
                        // All fillers where the lead byte may be wrong, otherwise one.
                        if (i > 2 || first < 0xC0) && k != (i + first + second / 16) % 5 {
                            continue;
                        }
                        let filler = filler.repeat(1 + [40, 200][(second / 16 + k) % 2] / filler.len());
                        let pair = [first as u8, second as u8 | first as u8 & 15];
                        // In either lane of a vector of two.
                        for lane in [&b""[..], &[b'x'; 16]] {
                            let src = [lane, filler.as_bytes(), before, &pair, after, filler.as_bytes()].concat();
                            let valid =
                                std::str::from_utf8(&src).map_or_else(|error| error.valid_up_to(), str::len);
                            pairs.push((src, valid));
                        }
                    }
                }
            }
        }
        Self { long, pairs }
    }

    /// Returns whether all results are right. The case with the number `first` is checked first. If a result is wrong,
    /// `first` becomes the number of its case: a case that notices one bit notices most of its neighbours.
    fn check(&self, first: &Cell<usize>) -> bool {
        let isas: Vec<Isa> = Isa::available().collect();
        let mut buffer = Vec::new();
        let mut right = |i: usize| {
            let (isa, i) = (isas[i % isas.len()], i / isas.len());
            let Some((src, at)) = i.checked_sub(self.long.len()).map(|i| &self.pairs[i]) else {
                return self.long[i].right(isa, &mut buffer);
            };
            isa.validate_utf8(src).map_or_else(|error| error.valid_up_to(), |()| src.len()) == *at
        };
        let hint = first.get();
        if !right(hint) {
            return false;
        }
        let all = (0..isas.len() * (self.long.len() + self.pairs.len())).all(|i| {
            first.set(i);
            right(i)
        });
        if all {
            first.set(hint);
        }
        all
    }
}

#[test]
fn what_is_to_notice_a_flipped_bit_notices_nothing_else() {
    assert!(Cases::new().check(&Cell::new(0)));
}

/// The memory of this program, and the address at which the program starts.
fn memory() -> (File, u64) {
    let program = std::env::current_exe().unwrap();
    let maps = read_to_string("/proc/self/maps").unwrap();
    let first = maps.lines().find(|line| line.ends_with(program.to_str().unwrap())).unwrap();
    let base = u64::from_str_radix(first.split('-').next().unwrap(), 16).unwrap();
    (OpenOptions::new().read(true).write(true).open("/proc/self/mem").unwrap(), base)
}

/// The bits to flip: name of the table, index of the byte in it, address, bit. They are read from lines
/// `address length name`, with numbers in hexadecimal and addresses relative to the start of the program.
fn bits() -> Option<Vec<(String, u64, u64, u32)>> {
    let list = std::env::var("FASTUTF_FLIPS").ok()?;
    let (memory, base) = memory();
    let (mut bits, mut seen) = (Vec::new(), HashSet::new());
    for line in read_to_string(list).unwrap().lines() {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let [at, len] = [words[0], words[1]].map(|word| u64::from_str_radix(word, 16).unwrap());
        // A shuffle control has an index of 4 bits, and bit 7 for zero: for bytes after the result, which nothing
        // reads.
        let shuffles = words[2].contains("tables::");
        let pairs = words[2].ends_with("ONE_TO_THREE");
        for byte in (0..len).filter(|byte| seen.insert(at + byte)).collect::<Vec<_>>() {
            // An index consists of pairs of bits. None of them is 10.
            let row = byte / 16;
            if pairs && row & !(row << 1) & 0xAA != 0 {
                continue;
            }
            let mut value = [0];
            memory.read_exact_at(&mut value, base + at + byte).unwrap();
            for bit in 0..8 {
                if shuffles && (value[0] & 0x80 != 0 || (4..7).contains(&bit)) {
                    continue;
                }
                bits.push((words[2].to_owned(), byte, base + at + byte, bit));
            }
        }
    }
    Some(bits)
}

/// Ends the program by a signal if a flipped bit makes it loop: when it has used this much CPU time from now on. Clock
/// time does not matter, so the load of the machine does not, either.
fn end_if_lost() {
    const SECONDS: libc::time_t = 20;
    let limit = libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval { tv_sec: SECONDS, tv_usec: 0 },
    };
    // SAFETY: `limit` is readable, and a null pointer means that the old limit is not wanted.
    assert_eq!(unsafe { libc::setitimer(libc::ITIMER_VIRTUAL, &limit, std::ptr::null_mut()) }, 0);
}

/// Flips one bit after the other, and reports each that no check notices. If the program crashes, the bit was noticed.
#[test]
#[ignore = "every_bit_counts runs it as a child process"]
fn flip() {
    let from: usize =
        std::env::var("FASTUTF_FLIPS_FROM").expect("every_bit_counts sets FASTUTF_FLIPS_FROM").parse().unwrap();
    std::panic::set_hook(Box::new(|_| {}));
    let (memory, _) = memory();
    let (cases, first) = (Cases::new(), Cell::new(0));
    for (i, (.., at, bit)) in bits().unwrap().into_iter().enumerate().skip(from) {
        let flip = || {
            let mut byte = [0];
            memory.read_exact_at(&mut byte, at).unwrap();
            memory.write_all_at(&[byte[0] ^ 1 << bit], at).unwrap();
        };
        println!("\nflips {i}");
        end_if_lost();
        flip();
        let result = catch_unwind(AssertUnwindSafe(|| cases.check(&first)));
        flip();
        if matches!(result, Ok(true)) {
            println!("\nunnoticed {i}");
        } else if result.is_err() && i % 64 == 0 && !cases.check(&Cell::new(0)) {
            std::process::exit(3); // something other than the bit is corrupt now
        }
    }
}

#[test]
#[ignore = "takes minutes; cargo xtask tables runs it"]
fn every_bit_counts() {
    let bits = bits().expect("cargo xtask tables sets FASTUTF_FLIPS to the file of addresses");
    assert!(!bits.is_empty());
    let (mut unnoticed, mut ended, mut next) = (0, 0, 0);
    while next < bits.len() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["flip", "--exact", "--ignored", "--nocapture"])
            .env("FASTUTF_FLIPS_FROM", next.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            if let Some(i) = line.strip_prefix("flips ") {
                next = i.parse::<usize>().unwrap() + 1;
                if next.is_multiple_of(5000) {
                    println!("{next} of {} bits", bits.len());
                }
            } else if let Some(i) = line.strip_prefix("unnoticed ") {
                let (name, byte, _, bit) = &bits[i.parse::<usize>().unwrap()];
                println!("unnoticed: {name} byte {byte} bit {bit}");
                unnoticed += 1;
            }
        }
        ended += usize::from(!child.wait().unwrap().success());
    }
    println!("{} bits flipped; {ended} ended the program; {unnoticed} unnoticed", bits.len());
}
