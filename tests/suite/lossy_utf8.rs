//! UTF-8 with replacements: the standard library's results, and exact counts for buffers of every size.

use std::borrow::Cow;
use std::cell::RefCell;

use fastutf::Isa;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::oracle::{LossyOutcome, LossyUtf8};
use crate::common::{Filler, Rng, hex, one_in, one_in_emulated, told};
use fastutf_testkit::filler::random_text;

/// The first and last byte of each class that the rules of UTF-8 distinguish.
const CLASSES: [u8; 26] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];

/// Ill-formed sequences, each of one kind, with the bytes after them where these matter.
const ERRORS: [&[u8]; 17] = [
    b"\x80",
    b"\xC0\xAF",
    b"\xC3",
    b"\xC3\xC3",
    b"\xE2\x82",
    b"\xE2\x82\xE2",
    b"\xE2",
    b"\xE0\x9F\x80",
    b"\xED\xA0\x80",
    b"\xF0\x9F\x92",
    b"\xF0\x9F\xF0\x9F",
    b"\xF0\x8F\x80\x80",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xFF",
    b"\xC3\xA9\xA9",
    b"\xF0\x9F\x98\x80\x80",
];

const SENTINEL: u8 = 0xA5;

/// The standard library's results for an input.
struct Want {
    all: LossyUtf8,
    chunks: Vec<(String, Vec<u8>)>,
}

impl Want {
    fn new(src: &[u8]) -> Self {
        let chunks = src.utf8_chunks().map(|chunk| (chunk.valid().to_owned(), chunk.invalid().to_vec())).collect();
        Self { all: LossyUtf8::new(src), chunks }
    }
}

/// Compares `isa` with the standard library, with buffers of the sizes that `rooms` returns for the exact one.
fn check_with<I: IntoIterator<Item = usize>>(isa: Isa, src: &[u8], rooms: impl Fn(usize) -> I) {
    let want = Want::new(src);
    check_owned(isa, src, &want);
    macro_rules! into_buffers {
        ($operation:ident, $want:expr, $written:expr) => {
            for room in rooms($want.len()) {
                let mut dst: Vec<_> = vec![SENTINEL.into(); room + 70];
                let out = isa.$operation(src, &mut dst[..room]);
                let what = || format!("{isa}: {} of {} into {room}", stringify!($operation), hex(src));
                assert_eq!(told(out), want.all.outcome(room, $written), "{}", what());
                assert!(dst[..out.written] == $want[..out.written], "{}: {}", what(), hex(&dst[..out.written]));
                assert!(dst[room..].iter().all(|&item| item == SENTINEL.into()), "{}: past the end", what());
            }
        };
    }
    into_buffers!(utf8_to_utf8_lossy, want.all.text.as_bytes(), |place| place.utf8);
    into_buffers!(utf8_to_utf16_lossy, want.all.units, |place| place.utf16);
    into_buffers!(utf8_to_utf16le_lossy, want.all.utf16_bytes(u16::to_le_bytes), |place| 2 * place.utf16);
    into_buffers!(utf8_to_utf16be_lossy, want.all.utf16_bytes(u16::to_be_bytes), |place| 2 * place.utf16);
}

/// Checks the operations that return or fill something that grows.
fn check_owned(isa: Isa, src: &[u8], want: &Want) {
    let what = || format!("{isa}: {}", hex(src));
    let end = want.all.end();
    let (text, replacements) = isa.from_utf8_lossy_counted(src);
    assert!(text == want.all.text, "{}: {}", what(), hex(text.as_bytes()));
    assert_eq!(replacements, end.replacements, "{}", what());
    assert_eq!(matches!(text, Cow::Borrowed(_)), replacements == 0, "{}", what());
    assert!(isa.from_utf8_lossy(src) == want.all.text, "{}", what());
    let (text, replacements) = isa.string_from_utf8_lossy_counted(src.to_vec());
    assert!(text == want.all.text, "{}: {}", what(), hex(text.as_bytes()));
    assert_eq!(replacements, end.replacements, "{}", what());

    let chunks: Vec<_> =
        isa.utf8_chunks(src).map(|chunk| (chunk.valid().to_owned(), chunk.invalid().to_vec())).collect();
    assert!(chunks == want.chunks, "{}: {chunks:?}", what());
    assert_eq!(isa.utf8_len_from_utf8_lossy(src), end.utf8, "{}", what());
    assert_eq!(isa.utf16_len_from_utf8_lossy(src), end.utf16, "{}", what());

    let mut text = String::from("é");
    let all = LossyOutcome { read: src.len(), written: end.utf8, replacements, complete: true };
    assert_eq!(told(isa.utf8_to_utf8_lossy_append(src, &mut text)), all, "{}", what());
    assert!(text.strip_prefix('é') == Some(&want.all.text), "{}", what());
    let (mut units, all) = (vec![1], LossyOutcome { written: end.utf16, ..all });
    assert_eq!(told(isa.utf8_to_utf16_lossy_append(src, &mut units)), all, "{}", what());
    assert!(units[1..] == want.all.units, "{}", what());
    for (append, order) in [
        (Isa::utf8_to_utf16le_lossy_append as fn(Isa, &[u8], &mut Vec<u8>) -> _, u16::to_le_bytes as fn(u16) -> _),
        (Isa::utf8_to_utf16be_lossy_append, u16::to_be_bytes),
    ] {
        let mut bytes = vec![1];
        assert_eq!(
            told(append(isa, src, &mut bytes)),
            LossyOutcome { written: 2 * end.utf16, ..all },
            "{}",
            what()
        );
        assert!(bytes[1..] == want.all.utf16_bytes(order), "{}", what());
    }
}

/// Checks all operations, into buffers that are exact, roomy, or too small.
pub fn check(isa: Isa, src: &[u8]) {
    check_with(isa, src, |exact| [exact, exact + 3, exact + 300, exact.saturating_sub(1), exact / 2]);
}

/// Checks all operations, into buffers of every size.
fn check_thoroughly(isa: Isa, src: &[u8]) {
    check_with(isa, src, |exact| 0..=exact + 3);
}

fn random_bytes(len: usize, of: &[u8], rng: &mut Rng) -> Vec<u8> {
    (0..len).map(|_| if of.is_empty() { rng.next() as u8 } else { rng.pick(of) }).collect()
}

#[test]
fn any_bytes() {
    let mut rng = Rng::new(801);
    for isa in Isa::available() {
        for len in (0..=200).chain([255, 256, 257, 511, 512, 1000, 5000]) {
            for of in [&[][..], &CLASSES, &[0x80, 0xE2, 0x61], &[0xF0, 0x90, 0x80], &[0xED, 0x9F, 0xA0, 0x61]] {
                check(isa, &random_bytes(len, of, &mut rng));
            }
        }
    }
}

#[test]
fn texts_with_an_error_everywhere() {
    let thin = one_in(5);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            for (k, error) in ERRORS.iter().enumerate() {
                for at in (0..=200).filter(|at| (at + k) % thin == 0) {
                    for len in [0, 1, 3, 64, 200] {
                        let src = [&filler.before(at)[..], error, &filler.after(len)].concat();
                        check(isa, &src);
                    }
                }
            }
        }
    }
}

#[test]
fn texts_with_errors_of_any_density() {
    let mut rng = Rng::new(802);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            for distance in [2, 5, 20, 60, 64, 130, 400, 3000] {
                for len in [100, 1000, 10_000] {
                    if one_in_emulated() > 1 && rng.below(3) > 0 {
                        continue;
                    }
                    let mut src = filler.before(len);
                    for _ in 0..len / distance {
                        let at = rng.below(len);
                        src[at] = rng.next() as u8;
                    }
                    check(isa, &src);
                }
            }
        }
    }
}

#[test]
fn buffers_of_every_size() {
    let thin = one_in(4);
    let mut rng = Rng::new(803);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            for len in [0, 1, 2, 5, 33, 64, 65, 127, 128, 200, 400] {
                for distance in [usize::MAX, 100, 10, 3] {
                    let mut src = filler.before(len);
                    for _ in 0..len / distance {
                        let error = rng.pick(&ERRORS);
                        let at = rng.below(len);
                        let error = &error[..error.len().min(len - at)];
                        src[at..at + error.len()].copy_from_slice(error);
                    }
                    if len < 100 || rng.below(thin) == 0 {
                        check_thoroughly(isa, &src);
                    }
                }
            }
        }
    }
}

/// All pairs, and most triples, of bytes of different classes, where windows end.
#[test]
fn bytes_of_all_classes_at_the_ends_of_windows() {
    let thin = one_in(11);
    for isa in Isa::available() {
        let mut case = 0;
        for at in 58..=66 {
            for a in CLASSES {
                for b in CLASSES {
                    for c in CLASSES {
                        case += 1;
                        if c == 0 || case % thin == 0 {
                            let src = [&[b'x'; 66][..at], &[a, b, c], "é漢".repeat(13).as_bytes()].concat();
                            let want = String::from_utf8_lossy(&src);
                            assert!(isa.from_utf8_lossy(&src) == want, "{isa}: {}", hex(&src));
                            let units: Vec<u16> = want.encode_utf16().collect();
                            let mut dst = vec![0; units.len()];
                            assert!(isa.utf8_to_utf16_lossy(&src, &mut dst).is_complete(), "{isa}: {}", hex(&src));
                            assert!(dst == units, "{isa}: {}", hex(&src));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn going_on_from_where_a_conversion_stopped() {
    let mut rng = Rng::new(804);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            let mut src = filler.before(2000);
            for _ in 0..60 {
                let at = rng.below(src.len());
                src[at] = rng.next() as u8;
            }
            let want = Want::new(&src);
            let (mut utf8, mut units) = (Vec::new(), Vec::new());
            let (mut read, mut replacements) = (0, 0);
            while read < src.len() {
                let mut dst = [0; 300];
                let room = 4 + rng.below(297);
                let out = isa.utf8_to_utf8_lossy(&src[read..], &mut dst[..room]);
                utf8.extend_from_slice(&dst[..out.written]);
                (read, replacements) = (read + out.read, replacements + out.replacements);
            }
            assert!(utf8 == want.all.text.as_bytes(), "{isa}: {}", hex(&src));
            assert_eq!(replacements, want.all.end().replacements, "{isa}: {}", hex(&src));
            read = 0;
            while read < src.len() {
                let mut dst = [0; 300];
                let room = 2 + rng.below(299);
                let out = isa.utf8_to_utf16_lossy(&src[read..], &mut dst[..room]);
                units.extend_from_slice(&dst[..out.written]);
                read += out.read;
            }
            assert!(units == want.all.units, "{isa}: {}", hex(&src));
        }
    }
}

#[test]
fn long_texts() {
    let mut rng = Rng::new(805);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            let mut src = filler.before(70_000);
            check(isa, &src);
            for at in [5, 40_000, 69_999] {
                src[at] = rng.pick(&[0x80, 0xFF]);
            }
            check(isa, &src);
        }
        for len in [100_000, 1_000_000] {
            for byte in [0x80, 0xC3, 0xE2, 0xFF] {
                let src = vec![byte; len];
                let (text, replacements) = isa.from_utf8_lossy_counted(&src);
                assert!(text.len() == 3 * len && replacements == len, "{isa}: {byte:02X}×{len}");
                assert_eq!(isa.utf16_len_from_utf8_lossy(&src), len, "{isa}: {byte:02X}×{len}");
                assert!(isa.utf8_to_utf16_lossy(&src, &mut vec![0; len]).is_complete(), "{isa}: {byte:02X}×{len}");
            }
        }
    }
}

#[test]
fn iterators_of_chunks_go_on_by_themselves() {
    for isa in Isa::available() {
        let src = [&[b'x'; 70][..], b"\xFF\xE2\x82a\x80", &[b'y'; 70]].concat();
        let mut chunks = isa.utf8_chunks(&src);
        assert_eq!(chunks.next().unwrap().invalid(), b"\xFF", "{isa}");
        let copy: Vec<_> = chunks.clone().collect();
        assert_eq!(copy, chunks.by_ref().collect::<Vec<_>>(), "{isa}");
        assert_eq!(copy.iter().map(|chunk| chunk.valid().len()).collect::<Vec<_>>(), [0, 1, 70], "{isa}");
        assert!(chunks.next().is_none() && chunks.next().is_none(), "{isa}");
        assert!(format!("{chunks:?}").contains("Utf8Chunks"), "{isa}");
        assert!(isa.utf8_chunks(b"").next().is_none(), "{isa}");
    }
}

#[test]
fn a_valid_vec_keeps_its_allocation() {
    for isa in Isa::available() {
        let src = "naïve".repeat(100).into_bytes();
        let address = src.as_ptr();
        let text = isa.string_from_utf8_lossy(src);
        assert_eq!(text.as_ptr(), address, "{isa}");
    }
}

/// The first allocation must have room for a single replacement, as growing would double it.
#[test]
fn an_error_does_not_double_the_capacity() {
    for isa in Isa::available() {
        for at in [0, 5000, 9999] {
            let mut src = vec![b'x'; 10_000];
            src[at] = 0xFF;
            let most = src.len() + src.len() / 16 + 256;
            let mut appended = String::new();
            assert_eq!(isa.utf8_to_utf8_lossy_append(&src, &mut appended).replacements, 1, "{isa}");
            for text in [appended, isa.from_utf8_lossy(&src).into_owned(), isa.string_from_utf8_lossy(src)] {
                assert!(text.capacity() <= most, "{isa}: {} for an error at {at}", text.capacity());
            }
        }
    }
}

/// Inputs that end, and buffers that start or end, at guard pages.
#[cfg(all(unix, not(miri)))]
#[test]
fn nothing_outside_of_the_slices_is_touched() {
    use crate::guard_pages::Guarded;

    let (mut guarded_src, mut guarded_dst) = (Guarded::new(3000), Guarded::new(9000));
    let mut rng = Rng::new(806);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            for len in (0..=200).chain([255, 256, 257, 1000, 2999]) {
                let mut bytes = filler.before(len);
                for _ in 0..rng.below(1 + len / 10) {
                    let at = rng.below(len);
                    bytes[at] = rng.next() as u8;
                }
                let want = Want::new(&bytes);
                for at_end in [true, false] {
                    let src = guarded_src.part(at_end, len);
                    src.copy_from_slice(&bytes);
                    assert!(isa.from_utf8_lossy(src) == want.all.text, "{isa}: {}", hex(&bytes));
                    assert_eq!(isa.utf8_chunks(src).count(), want.chunks.len(), "{isa}: {}", hex(&bytes));
                    assert_eq!(isa.utf16_len_from_utf8_lossy(src), want.all.units.len(), "{isa}: {}", hex(&bytes));
                    for less in [0, 1 + rng.below(100)] {
                        let room = want.all.text.len().saturating_sub(less);
                        let out = isa.utf8_to_utf8_lossy(src, guarded_dst.part(at_end, room));
                        assert_eq!(
                            told(out),
                            want.all.outcome(room, |place| place.utf8),
                            "{isa}: {}",
                            hex(&bytes)
                        );
                        let room = (2 * want.all.units.len()).saturating_sub(less);
                        let out = isa.utf8_to_utf16le_lossy(src, guarded_dst.part(at_end, room));
                        assert_eq!(
                            told(out),
                            want.all.outcome(room, |place| 2 * place.utf16),
                            "{isa}: {}",
                            hex(&bytes)
                        );
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 / one_in(10) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts(seed: u64, len in 0..3000usize, changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..40)) {
        let src = RefCell::new(random_text(len, &mut Rng::new(seed)).into_bytes());
        for (at, byte) in changes {
            let mut src = src.borrow_mut();
            let len = src.len();
            if len > 0 {
                src[at.index(len)] = byte;
            }
        }
        for isa in Isa::available() {
            check(isa, &src.borrow());
        }
    }

    #[test]
    fn bytes_of_any_kind(src in vec(prop_oneof![any::<u8>(), prop::sample::select(&CLASSES[..])], 0..400)) {
        for isa in Isa::available() {
            check(isa, &src);
        }
    }
}
