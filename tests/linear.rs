//! The work grows only linearly with the length of the text, even for malicious text: four times as much text takes
//! about four times as much work, in every operation, on every instruction set.
//!
//! Work is counted, not timed: the compiler adds counters for coverage to the library, at least one for each iteration
//! of each loop. The count is always the same, regardless of the load of the machine. `scripts/linear` compiles the
//! library this way; without the counters, nothing is tested here. Precompiled parts of the standard
//! library, such as copying memory, are not counted.
#![cfg(feature = "alloc")]

#[allow(dead_code, unused_imports)] // most of it is for the suite
#[path = "suite/common/mod.rs"]
mod common;

use std::sync::{Mutex, MutexGuard};

use common::oracle::form::{End, Form};
use common::pairs::{Convert, pairs};
use common::{Filler, one_in};
#[cfg(feature = "columns")]
use fastutf::columns::{self, Column, ColumnConversion, ColumnRoom, Policy};
use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};
use fastutf::{Isa, Stop};

/// The right to count. Only one thread can have it, as all threads share the counters.
struct Counter(#[allow(dead_code)] MutexGuard<'static, ()>);

impl Counter {
    /// Returns `None` if there are no counters. Then prints so at once, even if the output of passing tests is
    /// captured.
    fn new() -> Option<Self> {
        static ONE: Mutex<()> = Mutex::new(());
        if cfg!(not(fastutf_counters)) {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "NOT TESTED: that work is linear, which scripts/linear counts");
            return None;
        }
        Some(Self(ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())))
    }

    /// Returns the sum of the counters for `run`.
    #[cfg(fastutf_counters)]
    fn count(&mut self, run: impl FnOnce()) -> u64 {
        // From LLVM's compiler-rt.
        unsafe extern "C" {
            fn __llvm_profile_reset_counters();
            fn __llvm_profile_begin_counters() -> *const u64;
            fn __llvm_profile_end_counters() -> *const u64;
        }
        // SAFETY: this writes to the counters. At worst, other threads would lose counts, and none of them counts while
        // `self` exists.
        unsafe { __llvm_profile_reset_counters() };
        run();
        // SAFETY: all counters lie between the two pointers, as aligned 64-bit numbers, and nothing changes them now.
        let counters = unsafe {
            let begin = __llvm_profile_begin_counters();
            std::slice::from_raw_parts(begin, __llvm_profile_end_counters().offset_from(begin) as usize)
        };
        counters.iter().sum()
    }

    #[cfg(not(fastutf_counters))]
    fn count(&mut self, _run: impl FnOnce()) -> u64 {
        unreachable!("there are no counters")
    }
}

/// Texts of `len` bytes that are meant to be slow. Every operation gets every text, even in the wrong encoding.
fn texts(len: usize) -> Vec<(String, Vec<u8>)> {
    let mut texts = Vec::new();
    let repeated: [(&str, &[u8]); 23] = [
        ("bytes that start nothing", b"\xFF"),
        ("continuations", b"\x80"),
        ("leads of 2", b"\xC3"),
        ("leads of 3", b"\xE2"),
        ("leads of 4", b"\xF0"),
        ("cut characters of 3", b"\xE2\x82"),
        ("cut characters of 4", b"\xF0\x9F\x98"),
        ("overlong", b"\xF0\x80\x80\x80"),
        ("encoded surrogates", b"\xED\xA0\x80"),
        ("ill-formed after ASCII", b"a\x80"),
        ("ill-formed after characters of 2", b"\xC3\xA9\xFF"),
        ("ill-formed after characters of 4", b"\xF0\x9F\x98\x80\x80"),
        ("all lengths", "aé€😀".as_bytes()),
        ("byte-order marks, UTF-8", b"\xEF\xBB\xBF"),
        ("byte-order marks, UTF-16LE", b"\xFF\xFE"),
        ("byte-order marks, UTF-16BE", b"\xFE\xFF"),
        ("high surrogates, LE", b"\x00\xD8"),
        ("low surrogates, LE", b"\x00\xDC"),
        ("high surrogates, BE", b"\xD8\x00"),
        ("pairs the wrong way round, LE", b"\x00\xDC\x00\xD8"),
        ("high surrogates after ASCII, LE", b"a\x00\x00\xD8"),
        ("low surrogates after CJK, LE", b"\x2D\x4E\x00\xDC"),
        ("low surrogates after pairs, LE", b"\x3D\xD8\x00\xDE\x00\xDC"),
    ];
    for (name, unit) in repeated {
        texts.push((name.to_owned(), unit.iter().copied().cycle().take(len).collect()));
    }
    for filler in [Filler::Ascii, Filler::Three, Filler::Mixed] {
        for (every, at) in [(16, 5), (64, 0), (64, 62), (64, 63), (200, 0), (1000, 500), (2048, 2047)] {
            let mut utf8 = filler.before(len);
            let mut utf16: Vec<u8> =
                filler.units_before(len / 2).iter().flat_map(|unit| unit.to_le_bytes()).collect();
            for place in (at..len - 4).step_by(every) {
                utf8[place] = 0xFF;
                utf16[place | 1] = 0xD8;
            }
            texts.push((format!("{filler:?}, one error in {every} bytes, at {at}, UTF-8"), utf8));
            texts.push((format!("{filler:?}, one error in {every} bytes, at {at}, UTF-16"), utf16));
        }
        let mut last = filler.before(len);
        last[len - 1] = 0xE2;
        texts.push((format!("{filler:?}, cut at the end"), last));
    }
    texts
}

/// Calls `convert` with the rest of the text until the whole text is read. After an error, continues at the next byte
/// or code unit, which is `step` bytes long. Returns the number of calls.
fn to_the_end<E>(src: &[u8], step: usize, mut convert: impl FnMut(&[u8]) -> (usize, Stop<E>)) -> usize {
    let (mut rest, mut errors) = (src, 0);
    loop {
        let (read, stop) = convert(rest);
        rest = &rest[read..];
        match stop {
            Stop::Complete => return errors,
            Stop::OutputFull => {}
            Stop::Invalid(_) => {
                errors += 1;
                rest = &rest[step.min(rest.len())..];
            }
        }
    }
}

/// Those on Latin-1.
#[cfg(not(feature = "latin1"))]
const LATIN1: [(&str, Operation); 0] = [];
#[cfg(feature = "latin1")]
const LATIN1: [(&str, Operation); 6] = [
    ("utf8_len_from_latin1", |isa, src, _| isa.utf8_len_from_latin1(src)),
    ("validation of Latin-1", |isa, src, _| {
        usize::from(isa.validate_latin1_in_utf8(src).is_ok())
            + usize::from(isa.validate_latin1_in_utf16le(src).is_ok())
    }),
    ("utf16be_info, on behind errors", |isa, src, _| {
        to_the_end(src, 2, |rest| match isa.utf16be_info(rest) {
            Ok(_) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("narrowest_from_utf8", |isa, src, _| {
        isa.narrowest_from_utf8(src).map_or_else(|error| error.valid_up_to(), |text| text.utf16_len())
    }),
    ("narrowest_from_utf8_lossy", |isa, src, _| isa.narrowest_from_utf8_lossy(src).utf16_len()),
    ("narrowest_from_utf16le, strict and lossy", |isa, src, _| {
        isa.narrowest_from_utf16le(src).map_or_else(|error| error.valid_up_to(), |text| text.utf16_len())
            + isa.narrowest_from_utf16le_lossy(src).utf16_len()
    }),
];

/// Those on WTF-8 and modified UTF-8.
#[cfg(not(feature = "mutf8"))]
const WTF8: [(&str, Operation); 0] = [];
#[cfg(feature = "mutf8")]
const WTF8: [(&str, Operation); 5] = [
    ("validate_wtf8, on behind errors", |isa, src, _| {
        to_the_end(src, 1, |rest| match isa.validate_wtf8(rest) {
            Ok(()) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("validate_mutf8, on behind errors", |isa, src, _| {
        to_the_end(src, 1, |rest| match isa.validate_mutf8(rest) {
            Ok(()) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("replace_surrogates_in_wtf8", |isa, src, dst| {
        dst[..src.len()].copy_from_slice(src);
        isa.replace_surrogates_in_wtf8(&mut dst[..src.len()]) + src.len()
    }),
    ("from_mutf8_lossy", |isa, src, _| isa.from_mutf8_lossy(src).len()),
    ("mutf8_from_utf16", |isa, src, _| {
        let units: Vec<u16> = src.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
        let bytes = isa.mutf8_from_utf16(&units);
        bytes.len() + isa.utf16_from_mutf8(&bytes).map_or(0, |units| units.len())
    }),
];

/// Those on UTF-32.
#[cfg(not(feature = "utf32"))]
const UTF32: [(&str, Operation); 0] = [];
#[cfg(feature = "utf32")]
const UTF32: [(&str, Operation); 3] = [
    ("validate_utf32le, on behind errors", |isa, src, _| {
        to_the_end(src, 4, |rest| match isa.validate_utf32le(rest) {
            Ok(()) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("utf8_to_utf32le, little room", |isa, src, dst| {
        let room = src.len() / 2;
        to_the_end(src, 1, |rest| {
            let out = isa.utf8_to_utf32le(rest, &mut dst[..room]);
            (out.read, out.stop)
        })
    }),
    ("lengths of UTF-32", |isa, src, _| isa.utf8_len_from_utf32le(src) + isa.utf16_len_from_utf32be(src)),
];

/// Those on columns, in memory for some rows: all goes on behind them.
#[cfg(not(feature = "columns"))]
const COLUMNS: [(&str, Operation); 0] = [];
#[cfg(feature = "columns")]
const COLUMNS: [(&str, Operation); 4] = [
    ("columns::utf8_to_utf16le_into, 1000 bytes at a time", |isa, src, dst| {
        in_rooms(isa, src, dst, Policy::Replace, columns::utf8_to_utf16le_into)
    }),
    ("columns::utf16be_to_utf8_into, 1000 bytes at a time", |isa, src, dst| {
        in_rooms(isa, src, dst, Policy::Null, columns::utf16be_to_utf8_into)
    }),
    ("columns::utf8_to_utf8_into, 1000 bytes at a time", |isa, src, dst| {
        in_rooms(isa, src, dst, Policy::Replace, columns::utf8_to_utf8_into)
    }),
    ("columns::utf8_lossy", |isa, src, _| {
        let offsets: Vec<i64> = (0..=src.len() as i64).step_by(8).collect();
        columns::utf8_lossy(Column::new(src, &offsets).unwrap().with_isa(isa)).unwrap().values().len()
    }),
];

/// Converts a column with rows of two bytes. Returns how many bytes these become.
#[cfg(feature = "columns")]
fn in_rooms<E: Copy>(
    isa: Isa,
    src: &[u8],
    dst: &mut [u8],
    policy: Policy,
    into: fn(Column<'_, i32>, Policy, ColumnRoom<'_, i32>) -> ColumnConversion<E>,
) -> usize {
    let offsets: Vec<i32> = (0..=src.len() as i32).step_by(2).collect();
    let mut column = Column::new(src, &offsets).unwrap().with_isa(isa);
    let (mut ends, mut nulls, mut written) = ([0; 1001], [0; 125], 0);
    loop {
        let room = ColumnRoom::new(&mut dst[..1000], &mut ends).with_validity(&mut nulls);
        let out = into(column, policy, room);
        written += out.written;
        if out.is_complete() {
            return written + column.rows();
        }
        column = column.slice(out.rows..);
    }
}

type Operation = fn(Isa, &[u8], &mut Vec<u8>) -> usize;

/// Those of the table of conversions, each with its name. Other byte orders have the same loops.
fn conversions() -> Vec<(&'static str, Form, Convert)> {
    let other = |form| matches!(form, Form::Utf16Be | Form::Utf32 | Form::Utf32Be);
    let all = pairs().into_iter().filter(|pair| !other(pair.from) && !other(pair.to));
    all.flat_map(|pair| [pair.strict, pair.lossy].map(|all| all.map(|(name, convert)| (name, pair.from, convert))))
        .flatten()
        .collect()
}

/// Converts the whole text, and goes on behind errors.
fn converted((_, from, convert): &(&str, Form, Convert), isa: Isa, src: &[u8], dst: &mut [u8]) -> usize {
    to_the_end(src, from.unit(), |rest| {
        let report = convert(isa, rest, dst).0;
        let stop = match report.end {
            End::Complete => Stop::Complete,
            End::OutputFull => Stop::OutputFull,
            End::Invalid => Stop::Invalid(()),
        };
        (report.read, stop)
    })
}

/// The operations, each with a buffer that is large enough. Each returns a number that depends on all its work.
const OPERATIONS: [(&str, Operation); 25] = [
    ("validate_utf8, on behind errors", |isa, src, _| {
        to_the_end(src, 1, |rest| match isa.validate_utf8(rest) {
            Ok(()) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("validate_utf16be, on behind errors", |isa, src, _| {
        to_the_end(src, 2, |rest| match isa.validate_utf16be(rest) {
            Ok(()) => (rest.len(), Stop::Complete),
            Err(error) => (error.valid_up_to(), Stop::Invalid(error)),
        })
    }),
    ("utf8_info", |isa, src, _| isa.utf8_info(src).map_or_else(|error| error.valid_up_to(), |info| info.chars)),
    ("is_ascii", |isa, src, _| usize::from(isa.is_ascii(src))),
    ("counts of UTF-8", |isa, src, _| isa.count_chars_utf8(src) + isa.utf16_len_from_utf8(src)),
    ("counts of UTF-16", |isa, src, _| isa.count_chars_utf16le(src) + isa.utf8_len_from_utf16le(src)),
    ("lossy lengths of UTF-8", |isa, src, _| {
        isa.utf16_len_from_utf8_lossy(src) + isa.utf8_len_from_utf8_lossy(src)
    }),
    ("lossy lengths of UTF-16", |isa, src, _| isa.utf8_len_from_utf16le_lossy(src)),
    ("utf8_to_utf16le, 100 bytes at a time", |isa, src, dst| {
        to_the_end(src, 1, |rest| {
            let out = isa.utf8_to_utf16le(rest, &mut dst[..100]);
            (out.read, out.stop)
        })
    }),
    ("utf8_to_utf16le, 4 bytes at a time", |isa, src, dst| {
        to_the_end(src, 1, |rest| {
            let out = isa.utf8_to_utf16le(rest, &mut dst[..4]);
            (out.read, out.stop)
        })
    }),
    ("utf16le_to_utf8, 100 bytes at a time", |isa, src, dst| {
        to_the_end(src, 2, |rest| {
            let out = isa.utf16le_to_utf8(rest, &mut dst[..100]);
            (out.read, out.stop)
        })
    }),
    ("utf16le_to_utf8, 4 bytes at a time", |isa, src, dst| {
        to_the_end(src, 2, |rest| {
            let out = isa.utf16le_to_utf8(rest, &mut dst[..4]);
            (out.read, out.stop)
        })
    }),
    ("from_utf8_lossy", |isa, src, _| isa.from_utf8_lossy(src).len()),
    ("utf8_to_utf8_lossy, 100 bytes at a time", |isa, src, dst| {
        to_the_end(src, 1, |rest| {
            let out = isa.utf8_to_utf8_lossy(rest, &mut dst[..100]);
            (out.read, if out.is_complete() { Stop::<()>::Complete } else { Stop::OutputFull })
        })
    }),
    ("utf8_to_utf16le_lossy, 100 bytes at a time", |isa, src, dst| {
        to_the_end(src, 1, |rest| {
            let out = isa.utf8_to_utf16le_lossy(rest, &mut dst[..100]);
            (out.read, if out.is_complete() { Stop::<()>::Complete } else { Stop::OutputFull })
        })
    }),
    ("utf8_to_utf16le_lossy_append", |isa, src, _| {
        let mut dst = Vec::new();
        isa.utf8_to_utf16le_lossy_append(src, &mut dst).replacements
    }),
    ("from_utf16le_lossy", |isa, src, _| isa.from_utf16le_lossy(src).len()),
    ("utf16le_to_utf8_lossy, 100 bytes at a time", |isa, src, dst| {
        to_the_end(src, 1, |rest| {
            let out = isa.utf16le_to_utf8_lossy(rest, &mut dst[..100]);
            (out.read, if out.is_complete() { Stop::<()>::Complete } else { Stop::OutputFull })
        })
    }),
    ("make_well_formed_utf16le", |isa, src, dst| {
        dst[..src.len()].copy_from_slice(src);
        isa.make_well_formed_utf16le(&mut dst[..src.len()])
    }),
    ("utf8_chunks", |isa, src, _| isa.utf8_chunks(src).map(|chunk| 1 + chunk.valid().len()).sum()),
    ("Validator, byte by byte", |isa, src, _| {
        let mut check = Validator::new(Encoding::Utf8).with_isa(isa);
        src.iter().filter(|&&byte| check.push(&[byte]).is_ok()).count()
    }),
    ("Utf8Decoder, byte by byte", |isa, src, _| {
        let mut decoder = Utf8Decoder::new().lossy().with_isa(isa);
        src.iter().map(|&byte| decoder.push(&[byte]).flatten().map(str::len).sum::<usize>()).sum()
    }),
    ("Utf8Decoder, at once", |isa, src, _| {
        Utf8Decoder::new().lossy().with_isa(isa).push(src).flatten().map(str::len).sum()
    }),
    ("Transcoder, byte by byte", |isa, src, dst| {
        let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be).lossy().with_isa(isa);
        src.iter().map(|&byte| transcoder.convert(&[byte], &mut dst[..16]).written).sum()
    }),
    ("Transcoder, 16 bytes at a time", |isa, src, dst| {
        let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8).lossy().with_isa(isa);
        to_the_end(src, 2, |rest| {
            let out = transcoder.convert(rest, &mut dst[..16]);
            (out.read, out.stop)
        })
    }),
];

/// Returns whether the work of `run` is linear, and how much work it does for each text. `long` is four times as long
/// as `short`, and quadratic work would be 16 times as much. Differences at the ends of the texts and between distant
/// errors explain a factor that is a little more than 4, and less than 5.
fn is_linear(
    counter: &mut Counter,
    short: &[u8],
    long: &[u8],
    mut run: impl FnMut(&[u8]) -> usize,
) -> (bool, u64, u64) {
    let [one, four] = [short, long].map(|src| {
        counter.count(|| {
            std::hint::black_box(run(src));
        })
    });
    (four <= 5 * one, one, four)
}

/// The length of the short texts. Reading the whole rest of such a text at each error costs much more than all else
/// that an error costs.
const LEN: usize = 12 << 10;

#[test]
fn work_is_linear_in_the_length() {
    let Some(mut counter) = Counter::new() else { return };
    let (short, long) = (texts(LEN), texts(4 * LEN));
    let mut dst = vec![0; 16 * LEN];
    let mut most = (0, String::new());
    let mut case = 0;
    let mut try_all = |name: &str, isa: Isa, run: &mut dyn FnMut(&[u8]) -> usize| {
        for ((text, short), (_, long)) in short.iter().zip(&long) {
            case += 1;
            if case % one_in(2) != 0 {
                continue;
            }
            let (linear, one, four) = is_linear(&mut counter, short, long, &mut *run);
            assert!(
                linear,
                "{name} on {isa}, {text}: {one} counts for {LEN} bytes, {four} for four times as many"
            );
            assert!(one > 0, "{name} on {isa}, {text}: nothing is counted");
            if four > most.0 {
                most = (four, format!("{name} on {isa}, {text}"));
            }
        }
    };
    let conversions = conversions();
    for isa in Isa::available() {
        for (name, operation) in OPERATIONS.into_iter().chain(LATIN1).chain(UTF32).chain(WTF8).chain(COLUMNS) {
            try_all(name, isa, &mut |src| operation(isa, src, &mut dst));
        }
        for conversion in &conversions {
            try_all(conversion.0, isa, &mut |src| converted(conversion, isa, src, &mut dst));
        }
    }
    println!("most: {}: {:.1} counts to the byte", most.1, most.0 as f64 / (4 * LEN) as f64);
}

/// The test above would notice quadratic work: here, the whole rest of the text is validated once for each 64 bytes.
/// And the count is the same each time.
#[test]
fn quadratic_work_is_noticed() {
    let Some(mut counter) = Counter::new() else { return };
    let (short, long) = (vec![b'a'; LEN], vec![b'a'; 4 * LEN]);
    for isa in Isa::available() {
        let look =
            |src: &[u8]| (0..src.len()).step_by(64).filter(|&at| isa.validate_utf8(&src[at..]).is_ok()).count();
        let first = is_linear(&mut counter, &short, &long, look);
        assert!(!first.0, "{isa}: {first:?}");
        assert_eq!(first, is_linear(&mut counter, &short, &long, look), "{isa}");
    }
}
