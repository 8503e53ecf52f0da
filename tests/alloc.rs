//! Most operations allocate nothing; the others allocate no more than their documentation says, even for malicious
//! text.
//!
//! A separate program, since it counts in the global allocator. It counts per thread, so tests can run in parallel.
#![cfg(feature = "alloc")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fastutf::stream::{Encoding, Transcoder, Utf8Decoder, Validator};
use fastutf::{Isa, Stop};

/// The allocations of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    /// Calls that allocated or reallocated memory.
    calls: usize,
    /// The number of bytes allocated now, and its maximum.
    live: isize,
    most: isize,
}

thread_local! {
    static TALLY: Cell<Tally> = const { Cell::new(Tally { calls: 0, live: 0, most: 0 }) };
}

fn count(bytes: isize, calls: usize) {
    let mut tally = TALLY.get();
    tally.calls += calls;
    tally.live += bytes;
    tally.most = tally.most.max(tally.live);
    TALLY.set(tally);
}

struct Counting;

// SAFETY: `System` does all the work. Counting allocates nothing, as a `Cell` of a plain value with a constant
// initialiser needs no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize, 1);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize), 0);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize, 1);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `run` allocates, the maximum number of bytes it has allocated at a time, and its result.
fn allocated<T>(run: impl FnOnce() -> T) -> (usize, usize, T) {
    let live = TALLY.get().live;
    TALLY.set(Tally { calls: 0, live, most: live });
    let result = run();
    let tally = TALLY.get();
    (tally.calls, (tally.most - live) as usize, result)
}

/// Texts of `len` bytes, good and bad, in all encodings.
fn texts(len: usize) -> Vec<Vec<u8>> {
    let repeated: [&[u8]; 14] = [
        b"a",
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        "aé€😀".as_bytes(),
        b"\xFF",
        b"\x80",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"a\x80",
        b"\xEF\xBB\xBF",
        b"\xFF\xFE",
        b"a\x00",
        b"\x00\xD8",
        b"\x2D\x4E\x00\xDC",
    ];
    let mut texts: Vec<Vec<u8>> =
        repeated.iter().map(|unit| unit.iter().copied().cycle().take(len).collect()).collect();
    for at in [0, len / 2, len.saturating_sub(1)] {
        let mut one = vec![b'x'; len];
        if let Some(byte) = one.get_mut(at) {
            *byte = 0xFF;
        }
        texts.push(one);
    }
    texts
}

const LENGTHS: [usize; 8] = [0, 1, 63, 64, 257, 1025, 5000, 300_000];

/// Calls `test` with every instruction set and every text.
fn for_all(mut test: impl FnMut(Isa, &[u8])) {
    for isa in Isa::available() {
        for src in LENGTHS.into_iter().flat_map(texts) {
            test(isa, &src);
        }
    }
}

fn show(src: &[u8]) -> String {
    format!("{} bytes, which begin {:02X?}", src.len(), &src[..src.len().min(8)])
}

#[test]
fn what_fills_no_vec_allocates_nothing() {
    let mut dst = vec![0; 3 * LENGTHS[LENGTHS.len() - 1] + 8];
    for_all(|isa, src| {
        let mut none = |what: &str, run: &mut dyn FnMut(&mut [u8])| {
            let (calls, most, ()) = allocated(|| run(&mut dst));
            assert_eq!((calls, most), (0, 0), "{what} on {isa}, {}", show(src));
        };
        none("validation", &mut |_| {
            let _ = (isa.validate_utf8(src), isa.utf8_info(src), isa.from_utf8(src), isa.is_ascii(src));
            let _ = (isa.validate_utf16le(src), isa.validate_utf16be(src));
        });
        none("counting", &mut |_| {
            let _ = (isa.count_chars_utf8(src), isa.utf16_len_from_utf8(src), isa.count_chars_utf16le(src));
            let _ = (isa.utf8_len_from_utf16le(src), isa.utf8_len_from_utf16be_lossy(src));
            let _ = (isa.utf16_len_from_utf8_lossy(src), isa.utf8_len_from_utf8_lossy(src));
        });
        none("strict conversion", &mut |dst| {
            let _ = (isa.utf8_to_utf16le(src, dst), isa.utf8_to_utf16be(src, dst));
            let _ = (isa.utf16le_to_utf8(src, dst), isa.utf16be_to_utf8(src, dst));
        });
        none("conversion with replacements", &mut |dst| {
            let _ = (isa.utf8_to_utf8_lossy(src, dst), isa.utf8_to_utf16le_lossy(src, dst));
            let _ = isa.utf16le_to_utf8_lossy(src, dst);
            dst[..src.len()].copy_from_slice(src);
            let _ = isa.make_well_formed_utf16le(&mut dst[..src.len()]);
        });
        none("utf8_chunks", &mut |_| assert!(isa.utf8_chunks(src).count() <= src.len()));
        none("Validator", &mut |_| {
            for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
                let mut check = Validator::new(encoding).with_isa(isa);
                let _ = src.chunks(1000).try_for_each(|chunk| check.push(chunk)).and_then(|()| check.finish());
            }
        });
        none("Utf8Decoder", &mut |_| {
            for mut decoder in
                [Utf8Decoder::new(), Utf8Decoder::new().lossy()].map(|decoder| decoder.with_isa(isa))
            {
                for chunk in src.chunks(999) {
                    assert!(decoder.push(chunk).flatten().count() <= chunk.len() + 1);
                }
                let _ = decoder.finish();
            }
        });
        none("Transcoder", &mut |dst| {
            use Encoding::{Utf8, Utf16Be, Utf16Le};
            for (from, to) in [(Utf8, Utf16Le), (Utf8, Utf8), (Utf16Le, Utf8), (Utf16Le, Utf16Be)] {
                let mut transcoder = Transcoder::new(from, to).lossy().with_isa(isa);
                for chunk in src.chunks(1001) {
                    assert!(transcoder.convert(chunk, dst).is_complete());
                }
                assert_eq!(transcoder.finish(dst).stop, Stop::Complete);
            }
        });
    });
}

/// The most bytes that a strict conversion into a new allocation may allocate for the worst case, before it knows the
/// length: see `api/into_vec.rs`.
const WORST_CASE: usize = 120 << 10;

/// Asserts that the result of `run` has no spare capacity and took few allocations. `room` returns its length and
/// capacity in bytes.
fn fits<T>(what: &str, isa: Isa, src: &[u8], run: impl FnOnce() -> T, room: impl Fn(&T) -> (usize, usize)) {
    let (calls, most, result) = allocated(run);
    let (len, capacity) = room(&result);
    let at = || format!("{what} on {isa}, {}: {calls} calls, {most} bytes for {len}", show(src));
    assert!(capacity == len && calls <= 2, "{}, of which {capacity} are kept", at());
    assert!(most <= len.max(WORST_CASE), "{}", at());
}

#[test]
fn strict_results_fit() {
    for_all(|isa, src| {
        let vec_u16 = |vec: &Vec<u16>| (2 * vec.len(), 2 * vec.capacity());
        let vec_u8 = |vec: &Vec<u8>| (vec.len(), vec.capacity());
        if let Ok(text) = std::str::from_utf8(src) {
            fits("to_utf16", isa, src, || isa.to_utf16(text), vec_u16);
            fits("to_utf16le", isa, src, || isa.to_utf16le(text), vec_u8);
            fits("to_utf16be", isa, src, || isa.to_utf16be(text), vec_u8);
        }
        let (calls, most, result) = allocated(|| isa.from_utf16le(src));
        let at = || format!("from_utf16le on {isa}, {}: {calls} calls, {most} bytes", show(src));
        match result {
            Ok(text) => {
                assert_eq!(text.capacity(), text.len(), "{}", at());
                assert!(calls <= 2 && most <= text.len().max(WORST_CASE), "{}", at());
            }
            // Only the text before the error was converted.
            Err(_) => assert!(calls <= 2 && most <= (3 * src.len().div_ceil(2)).max(8), "{}", at()),
        }
        let vec = src.to_vec();
        let (calls, _, result) = allocated(|| isa.string_from_utf8(vec));
        assert_eq!(calls, 0, "string_from_utf8 on {isa}, {}", show(src));
        drop(result);
    });
}

/// In the worst case, a replacement is 3 bytes for one byte of UTF-8. An output grows as a `Vec` does: it doubles.
#[test]
fn replacement_takes_few_allocations() {
    for_all(|isa, src| {
        let (calls, most, text) = allocated(|| isa.from_utf8_lossy(src));
        let at =
            || format!("from_utf8_lossy on {isa}, {}: {calls} calls, {most} bytes for {}", show(src), text.len());
        if std::str::from_utf8(src).is_ok() {
            assert_eq!(calls, 0, "{}", at());
        }
        assert!(calls <= 3 && most <= 2 * text.len() + 1024, "{}", at());
        if std::str::from_utf8(src).is_ok() {
            let vec = src.to_vec();
            let (calls, _, text) = allocated(|| isa.string_from_utf8_lossy(vec));
            assert_eq!((calls, text.len()), (0, src.len()), "string_from_utf8_lossy on {isa}, {}", show(src));
        }
        let (calls, most, text) = allocated(|| isa.from_utf16le_lossy(src));
        let len = text.len();
        assert!(
            calls <= 4 && most <= len.max(WORST_CASE) + len / 2,
            "from_utf16le_lossy on {isa}, {}: {calls} calls, {most} bytes for {len}",
            show(src)
        );
    });
}

/// However many rows of a column are ill-formed, they take no memory of their own.
#[test]
#[cfg(feature = "columns")]
fn ill_formed_rows_take_no_allocations() {
    use fastutf::columns::{self, Column, Policy};
    for_all(|isa, src| {
        let offsets: Vec<usize> = (0..=src.len()).step_by(8).collect();
        let column = Column::new(src, &offsets).unwrap().with_isa(isa);
        for policy in [Policy::Replace, Policy::Null] {
            let mut out = (Vec::with_capacity(3 * src.len() + 300), Vec::with_capacity(offsets.len()));
            let (calls, _, _) = allocated(|| {
                columns::utf8_to_utf8_append::<_, i32>(column, policy, &mut out.0, &mut out.1).unwrap()
            });
            // A bitmap of the rows that become null.
            assert!(
                calls <= usize::from(policy == Policy::Null),
                "{isa}: {calls} for {policy:?} of {}",
                show(src)
            );
        }
        let (calls, _, _) = allocated(|| columns::utf8_lossy(column).unwrap());
        assert!(calls <= 12, "{isa}: {calls} for {}", show(src));
    });
}

#[test]
fn a_buffer_with_room_is_not_moved() {
    let longest = LENGTHS[LENGTHS.len() - 1];
    let (mut units, mut bytes) = (Vec::with_capacity(longest + 8), Vec::with_capacity(2 * longest + 8));
    let mut text = String::with_capacity(3 * longest + 1024);
    for_all(|isa, src| {
        let (calls, ..) = allocated(|| {
            units.clear();
            let _ = isa.utf8_to_utf16_append(src, &mut units);
            bytes.clear();
            let _ = isa.utf8_to_utf16le_append(src, &mut bytes);
            bytes.clear();
            let _ = isa.utf8_to_utf16le_lossy_append(src, &mut bytes);
            text.clear();
            let _ = isa.utf16le_to_utf8_append(src, &mut text);
            text.clear();
            let _ = isa.utf16le_to_utf8_lossy_append(src, &mut text);
            text.clear();
            let _ = isa.utf8_to_utf8_lossy_append(src, &mut text);
        });
        assert_eq!(calls, 0, "{isa}, {}", show(src));
    });
}
