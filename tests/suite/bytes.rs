//! `Utf8Bytes`, and conversion into any `BufMut`.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::panic;

use bytes::{BufMut, Bytes, BytesMut};
use fastutf::bytes::{
    Utf8Bytes, utf8_to_utf16be_put, utf8_to_utf16le_put, utf16be_to_utf8_put, utf16le_to_utf8_put,
};
use fastutf::{Conversion, Isa, Stop};

/// Texts longer than the pieces that are converted at a time, with characters of every length where pieces end.
fn texts() -> Vec<String> {
    let mut texts = Vec::from(["", "a", "é", "€", "😀", "zł€😀"].map(String::from));
    for character in ["a", "é", "€", "😀"] {
        texts.extend((0..4).map(|before| "a".repeat(before) + &character.repeat(2500)));
    }
    texts
}

/// The first lengths, the last ones, and those around the ends of pieces.
fn lengths(most: usize) -> impl Iterator<Item = usize> {
    (0..=most).filter(move |len| *len < 9 || (len + 4) % 1024 < 9 || len + 9 > most)
}

/// Compares `put`, into buffers of several kinds and every size, with `convert`, on every instruction set.
#[track_caller]
fn check<E: Copy + PartialEq + Debug>(
    src: &[u8],
    put: impl Fn(&[u8], &mut &mut dyn BufMut) -> Conversion<E>,
    convert: impl Fn(Isa, &[u8], &mut [u8]) -> Conversion<E>,
) {
    for isa in Isa::available() {
        let about =
            |room| format!("{isa}, {room} bytes of room, {} bytes {:02X?}", src.len(), &src[..src.len().min(20)]);
        for room in lengths(2 * src.len() + 1) {
            let mut expected = vec![0x55; room];
            let out = convert(isa, src, &mut expected);

            let mut slice = vec![0x55; room];
            assert_eq!(put(src, &mut (&mut &mut slice[..] as &mut dyn BufMut)), out, "{}", about(room));
            let expected = &expected[..out.written];
            assert!(slice.starts_with(expected), "{}", about(room));

            let (mut first, mut second) = (vec![0x55; room / 3], vec![0x55; room - room / 3]);
            let mut chain = (&mut first[..]).chain_mut(&mut second[..]);
            assert_eq!(put(src, &mut (&mut chain as &mut dyn BufMut)), out, "two parts, {}", about(room));
            assert!([first, second].concat().starts_with(expected), "two parts, {}", about(room));

            let mut limited = BytesMut::from(&b"before"[..]).limit(room);
            assert_eq!(put(src, &mut (&mut limited as &mut dyn BufMut)), out, "limited, {}", about(room));
            let appended = limited.into_inner();
            assert!(appended.strip_prefix(b"before") == Some(expected), "limited, {}", about(room));
        }
        let mut expected = vec![0; 2 * src.len()];
        let out = convert(isa, src, &mut expected);
        assert!(!matches!(out.stop, Stop::OutputFull));
        let mut grown = BytesMut::new();
        assert_eq!(put(src, &mut (&mut grown as &mut dyn BufMut)), out, "growing, {}", about(0));
        assert!(grown == expected[..out.written], "growing, {}", about(0));
    }
}

#[test]
fn conversions_into_a_buf_mut_are_those_into_a_slice() {
    for text in texts() {
        // Valid, with an error in the middle and at the end, and without its last byte.
        let utf8 = text.as_bytes();
        let middle = (utf8.len() / 2..).find(|at| text.is_char_boundary(*at)).unwrap();
        let inputs = [
            utf8.to_vec(),
            [&utf8[..middle], b"\xC0", &utf8[middle..]].concat(),
            [utf8, b"\xFF"].concat(),
            utf8[..utf8.len().saturating_sub(1)].to_vec(),
        ];
        for src in inputs {
            check(&src, |src, dst| utf8_to_utf16le_put(src, dst), Isa::utf8_to_utf16le);
            check(&src, |src, dst| utf8_to_utf16be_put(src, dst), Isa::utf8_to_utf16be);
        }
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let middle = utf16.len() / 2;
        let inputs = [
            utf16.clone(),
            [&utf16[..middle], &[0xDC00], &utf16[middle..]].concat(),
            [&utf16[..], &[0xD800]].concat(),
        ];
        for units in inputs {
            let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            check(&src, |src, dst| utf16le_to_utf8_put(src, dst), Isa::utf16le_to_utf8);
            let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).chain([0]).collect();
            check(&src, |src, dst| utf16be_to_utf8_put(src, dst), Isa::utf16be_to_utf8);
        }
    }
}

/// Memory in chunks of `size` bytes, each of which ends at a guard page.
#[cfg(all(unix, not(miri)))]
struct Scattered {
    memory: crate::guard_pages::Guarded,
    size: usize,
    /// How many bytes of the chunk are full.
    used: usize,
    room: usize,
    written: Vec<u8>,
}

#[cfg(all(unix, not(miri)))]
impl Scattered {
    fn new(size: usize, room: usize) -> Self {
        let mut memory = crate::guard_pages::Guarded::new(size);
        memory.part(true, size).fill(0x55);
        Self { memory, size, used: 0, room, written: Vec::new() }
    }

    /// The rest of the chunk.
    fn chunk(&mut self) -> &mut [u8] {
        let left = self.size - self.used;
        let chunk = self.memory.part(true, left);
        &mut chunk[..left.min(self.room)]
    }
}

// SAFETY: the chunk is the rest of the memory; `advance_mut` moves its start, or starts again when the memory is full.
#[cfg(all(unix, not(miri)))]
unsafe impl BufMut for Scattered {
    fn remaining_mut(&self) -> usize {
        self.room
    }

    fn chunk_mut(&mut self) -> &mut bytes::buf::UninitSlice {
        bytes::buf::UninitSlice::new(self.chunk())
    }

    unsafe fn advance_mut(&mut self, count: usize) {
        // What was written beyond these is unspecified.
        let full = self.chunk()[..count].to_vec();
        self.written.extend(full);
        (self.used, self.room) = (self.used + count, self.room - count);
        if self.used == self.size {
            self.used = 0;
            self.memory.part(true, self.size).fill(0x55);
        }
    }
}

/// Characters and errors lie across chunks, and there may be too little room.
#[cfg(all(unix, not(miri)))]
#[test]
fn memory_in_chunks_of_any_size() {
    #[track_caller]
    fn check<E: Copy + PartialEq + Debug>(
        src: &[u8],
        size: usize,
        put: impl Fn(&[u8], &mut Scattered) -> Conversion<E>,
        convert: impl Fn(Isa, &[u8], &mut [u8]) -> Conversion<E>,
    ) {
        let mut all = vec![0; 2 * src.len()];
        let all = convert(Isa::SCALAR, src, &mut all).written;
        for room in [usize::MAX >> 1, all, all.saturating_sub(1), all / 2] {
            let mut expected = vec![0; room.min(2 * src.len())];
            let out = convert(Isa::SCALAR, src, &mut expected);
            let mut dst = Scattered::new(size, room);
            let about = || format!("chunks of {size}, {room} bytes of room, {}", crate::common::hex(src));
            assert_eq!(put(src, &mut dst), out, "{}", about());
            assert!(dst.written == expected[..out.written], "{}", about());
            assert_eq!(dst.room, room - out.written, "{}", about());
        }
    }

    let mixed = "zł€😀ab\u{FFFF}é".repeat(5);
    let ends: Vec<usize> = mixed.char_indices().map(|(at, _)| at).chain([mixed.len()]).collect();
    let long = mixed.repeat(60);
    let mut texts: Vec<&str> = ends.iter().map(|end| &mixed[..*end]).collect();
    for size in (1..=64).chain([1000, 1023, 1024, 1025, 1500, 2049]) {
        if size > 64 {
            texts = vec![&mixed, &long];
        }
        for text in &texts {
            for bad in [&b""[..], b"\xC5", b"\xF0\x9F!", b"\xFFzz"] {
                let src = [text.as_bytes(), bad].concat();
                check(&src, size, utf8_to_utf16le_put, Isa::utf8_to_utf16le);
                check(&src, size, utf8_to_utf16be_put, Isa::utf8_to_utf16be);
            }
            for bad in [&[][..], &[0xD83D], &[0xDC00, 0x7A]] {
                let units: Vec<u16> = text.encode_utf16().chain(bad.iter().copied()).collect();
                let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                check(&src, size, utf16le_to_utf8_put, Isa::utf16le_to_utf8);
                let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).chain([0]).collect();
                check(&src, size, utf16be_to_utf8_put, Isa::utf16be_to_utf8);
            }
        }
    }
}

/// A buffer with enough room is not reallocated. A buffer without room grows to at most twice the size needed.
#[test]
fn buffers_with_room_are_filled_where_they_are() {
    let text = "zł€😀".repeat(5);
    let expected: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (mut vec, mut buffer) = (Vec::with_capacity(200), BytesMut::with_capacity(200));
    let (vec_at, buffer_at) = (vec.as_ptr(), buffer.as_ptr());
    for _ in 0..3 {
        vec.clear();
        buffer.clear();
        assert!(utf8_to_utf16le_put(text.as_bytes(), &mut vec).is_complete());
        assert!(utf8_to_utf16le_put(text.as_bytes(), &mut buffer).is_complete());
        assert_eq!((&vec, &buffer[..]), (&expected, &expected[..]));
        assert_eq!((vec.as_ptr(), buffer.as_ptr()), (vec_at, buffer_at));
    }
    for times in [1, 10, 1000, 100_000] {
        let text = text.repeat(times);
        let mut vec = Vec::new();
        assert!(utf8_to_utf16le_put(text.as_bytes(), &mut vec).is_complete());
        assert_eq!(vec.len(), times * expected.len());
        assert!(vec.capacity() <= 2 * vec.len() + 64, "{} of {}", vec.len(), vec.capacity());
    }
}

/// Bytes that std accepts as UTF-8 become text at the same address. Otherwise, std's error is returned with the bytes.
#[test]
fn utf8_bytes_are_validated_and_not_copied() {
    for bytes in [&b""[..], b"a", b"na\xC3\xAFve", b"\xF0\x9F\x92", b"ab\xC0\xAF", b"ab\xED\xA0\x80c", b"\xFF"] {
        let shared = Bytes::copy_from_slice(bytes);
        match (Utf8Bytes::try_from(shared.clone()), std::str::from_utf8(bytes)) {
            (Ok(text), Ok(expected)) => {
                assert_eq!(text, expected);
                assert_eq!(text.as_ptr(), shared.as_ptr());
                assert_eq!(text.into_bytes().as_ptr(), shared.as_ptr());
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error.utf8_error().revalidate_with_std(bytes), expected);
                assert_eq!(error.to_string(), error.utf8_error().to_string());
                assert_eq!(error.into_bytes().as_ptr(), shared.as_ptr());
            }
            (text, expected) => panic!("{bytes:02X?}: {text:?}, but std has {expected:?}"),
        }
    }
}

/// `?` converts the error to a `Utf8Error`, without the bytes.
#[test]
fn an_error_becomes_that_of_the_text() {
    let error = || Utf8Bytes::from_bytes(b"ab\xC0"[..].into()).unwrap_err();
    assert_eq!(fastutf::Utf8Error::from(error()).valid_up_to(), 2);
    #[cfg(feature = "std")]
    {
        let error = std::io::Error::from(error());
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
        let inside = error.get_ref().unwrap().downcast_ref::<fastutf::Utf8Error>().unwrap();
        assert_eq!(inside.valid_up_to(), 2);
    }
}

/// `Borrow<str>` promises that order, equality and hashes are those of `str`.
#[test]
fn utf8_bytes_compare_and_hash_as_str() {
    let texts = ["", "a", "ab", "zł", "z", "😀", "\u{FFFF}", "é"];
    let names: HashMap<Utf8Bytes, usize> =
        texts.iter().enumerate().map(|(at, text)| ((*text).into(), at)).collect();
    for (at, text) in texts.into_iter().enumerate() {
        assert_eq!(names.get(text), Some(&at), "{text}");
        let bytes = Utf8Bytes::from(String::from(text));
        assert_eq!(format!("{bytes} {bytes:?} {bytes:>4}"), format!("{text} {text:?} {text:>4}"));
        for other in texts {
            let order = bytes.cmp(&Utf8Bytes::from(other));
            assert_eq!(order, text.cmp(other), "{text} {other}");
            assert_eq!(bytes == other, order == Ordering::Equal, "{text} {other}");
        }
    }
    let sorted: BTreeSet<Utf8Bytes> = texts.map(Utf8Bytes::from).into();
    assert!(sorted.contains("zł"));
    assert_eq!(Utf8Bytes::default(), "");
}

#[test]
#[cfg_attr(panic = "abort", ignore = "NOT TESTED: panics abort in this build")]
fn slices_are_those_of_str_or_panic_as_they_do() {
    let text = "zł€😀";
    let shared = Utf8Bytes::from(text);
    for start in 0..=text.len() + 1 {
        for end in 0..=text.len() + 1 {
            match (text.get(start..end), panic::catch_unwind(|| shared.slice(start..end))) {
                (Some(expected), Ok(slice)) => {
                    assert_eq!(slice, expected);
                    assert!(expected.is_empty() || slice.as_ptr() == shared[start..].as_ptr());
                }
                (None, Err(_)) => {}
                (expected, slice) => panic!("{start}..{end}: {slice:?}, but str has {expected:?}"),
            }
        }
    }
    assert_eq!(shared.slice(3..), "€😀");
    assert_eq!(shared.slice(..=2), "zł");
}

#[test]
fn utf8_bytes_come_from_a_string_and_become_bytes() {
    let text = Utf8Bytes::from(String::from("zł"));
    assert!(text == *"zł" && text != *"zl");
    assert_eq!(AsRef::<str>::as_ref(&text), "zł");
    assert_eq!(Bytes::from(text), "zł".as_bytes());
}
