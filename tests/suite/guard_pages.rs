//! Inputs and outputs next to guard pages: a load or a store outside them crashes the program, and
//! `cargo test --test suite guard_pages -- --nocapture` shows on which instruction set. Miri has no pages, but checks
//! each access by itself.

use fastutf::Isa;
use fastutf::stream::Encoding::{Utf8, Utf16Be, Utf16Le};
use fastutf::stream::{Transcoder, Utf8Decoder, Validator};

use crate::common::oracle::form::Form;
use crate::common::pairs::{Pair, Text, as_bytes, other_pairs, pairs};
use crate::common::{Filler, Rng, one_in};

/// Some pages between two guard pages.
pub struct Guarded {
    map: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
    #[cfg(miri)]
    pub fn new(len: usize) -> Self {
        let layout = std::alloc::Layout::from_size_align(len, 64).unwrap();
        // SAFETY: the size of the layout is not zero.
        Self { map: unsafe { std::alloc::alloc_zeroed(layout) }, page: 0, len }
    }

    #[cfg(not(miri))]
    pub fn new(at_least: usize) -> Self {
        // SAFETY: a query without side effects.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let len = at_least.next_multiple_of(page);
        // SAFETY: a new anonymous mapping, at an address of the kernel's choice.
        let map = unsafe {
            let (access, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            libc::mmap(std::ptr::null_mut(), len + 2 * page, access, flags, -1, 0)
        };
        assert_ne!(map, libc::MAP_FAILED);
        let map: *mut u8 = map.cast();
        // SAFETY: the pages but the first and the last of the mapping just made.
        let failed = unsafe { libc::mprotect(map.add(page).cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(failed, 0);
        Self { map, page, len }
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes that are mapped, readable, writable, zeroed from the start and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.map.add(self.page), self.len) }
    }

    /// The first `len` bytes, or the last ones.
    #[cfg(not(miri))]
    pub fn part(&mut self, at_end: bool, len: usize) -> &mut [u8] {
        self.place(Place { at_end, distance: 0 }, len)
    }

    /// `len` bytes.
    fn place(&mut self, place: Place, len: usize) -> &mut [u8] {
        let start = if place.at_end { self.len - place.distance - len } else { place.distance };
        &mut self.all()[start..][..len]
    }

    /// `len` code units, an even number of bytes from the end.
    fn units(&mut self, place: Place, len: usize) -> &mut [u16] {
        let bytes = self.place(Place { distance: place.distance & !1, ..place }, 2 * len);
        // SAFETY: any two bytes are a `u16`.
        let (before, units, after) = unsafe { bytes.align_to_mut() };
        assert!(before.is_empty() && after.is_empty());
        units
    }
}

#[cfg(feature = "utf32")]
impl Guarded {
    /// `len` code units of UTF-32, a multiple of 4 bytes from the end.
    fn units_32(&mut self, place: Place, len: usize) -> &mut [u32] {
        let bytes = self.place(Place { distance: place.distance & !3, ..place }, 4 * len);
        // SAFETY: any four bytes are a `u32`.
        let (before, units, after) = unsafe { bytes.align_to_mut() };
        assert!(before.is_empty() && after.is_empty());
        units
    }
}

/// Where a slice lies: at which end, and how many bytes from there.
#[derive(Clone, Copy, Debug)]
struct Place {
    at_end: bool,
    distance: usize,
}

impl Drop for Guarded {
    #[cfg(miri)]
    fn drop(&mut self) {
        let layout = std::alloc::Layout::from_size_align(self.len, 64).unwrap();
        // SAFETY: `new` allocated this memory; no borrow of it outlives `self`.
        unsafe { std::alloc::dealloc(self.map, layout) };
    }

    #[cfg(not(miri))]
    fn drop(&mut self) {
        // SAFETY: the whole mapping that `new` made; no borrow of it outlives `self`.
        unsafe { libc::munmap(self.map.cast(), self.len + 2 * self.page) };
    }
}

const UTF_8_AND_16: &[Form] = &[Form::Utf8, Form::Utf16, Form::Utf16Le, Form::Utf16Be];
#[cfg(feature = "mutf8")]
const WTF_8_AND_MUTF_8: &[Form] = &[Form::Wtf8, Form::Mutf8];
#[cfg(feature = "utf32")]
const UTF_32: &[Form] = &[Form::Utf32, Form::Utf32Le, Form::Utf32Be];

/// The output buffers of a test, their place, and the conversions.
struct Buffers {
    dst: Guarded,
    place: Place,
    expected: Vec<u8>,
    pairs: Vec<Pair>,
}

impl Buffers {
    fn new() -> Self {
        let place = Place { at_end: true, distance: 0 };
        let pairs = pairs().into_iter().chain(other_pairs()).collect();
        Self { dst: Guarded::new(80_000), place, expected: Vec::new(), pairs }
    }

    /// Every conversion from these forms to those. `src` has the alignment of the units, and so has what is written.
    fn same_conversions<T: Copy>(&mut self, isa: Isa, src: &[T], [from, to]: [&[Form]; 2]) {
        let src = as_bytes(src);
        for pair in self.pairs.iter().filter(|pair| from.contains(&pair.from) && to.contains(&pair.to)) {
            let (copy, unit) = (Text::new(pair.from, src), pair.to.unit());
            let mut expected = Text::new(pair.to, &vec![0; (4 * src.len() + 16) / unit * unit]);
            let place = Place { distance: self.place.distance / unit * unit, ..self.place };
            for (name, convert) in pair.strict.iter().chain(&pair.lossy) {
                let most = convert(Isa::SCALAR, copy.view(), expected.view_mut()).0.written;
                for room in rooms(expected.view().len() / unit, most / unit).map(|room| room * unit) {
                    let dst = self.dst.place(place, room);
                    let got = convert(isa, src, dst);
                    let want = convert(Isa::SCALAR, copy.view(), &mut expected.view_mut()[..room]);
                    assert_eq!(got, want, "{isa}: {name} into {room} bytes");
                    assert_eq!(
                        dst[..got.0.written],
                        expected.view()[..got.0.written],
                        "{isa}: {name} into {room}"
                    );
                }
            }
        }
    }
}

/// Sizes of an output buffer: all the room there is, the exact size, and less.
fn rooms(all: usize, most: usize) -> [usize; 4] {
    [all, most, most.saturating_sub(1), most / 2]
}

/// Everything that reads or writes bytes. Results are compared with those for a copy on the heap.
///
/// Functions that are not here only call these: those with `_uninit` are the same as those without, and the functions
/// that return a `Vec` or a `String` use them.
fn everything(isa: Isa, src: &mut [u8], buffers: &mut Buffers) {
    let copy = src.to_vec();
    buffers.same_conversions(isa, src, [&[Form::Utf8, Form::Utf16Le, Form::Utf16Be], UTF_8_AND_16]);
    let Buffers { dst, place, expected, .. } = buffers;
    expected.resize(3 * src.len() + 16, 0);
    macro_rules! same {
        ($($operation:ident)*) => {$(
            assert_eq!(isa.$operation(src), Isa::SCALAR.$operation(&copy), "{isa}: {}", stringify!($operation));
        )*};
    }
    macro_rules! same_conversion {
        ($($name:expr => $convert:expr,)*) => {$(
            let most = $convert(Isa::SCALAR, &copy, &mut expected[..]).written;
            for room in rooms(expected.len(), most) {
                let dst = dst.place(*place, room);
                let got = $convert(isa, src, dst);
                let want = $convert(Isa::SCALAR, &copy, &mut expected[..room]);
                assert_eq!(got, want, "{isa}: {} into {room} bytes", $name);
                assert_eq!(dst[..got.written], expected[..got.written], "{isa}: {} into {room} bytes", $name);
            }
        )*};
    }
    same!(validate_utf8 utf8_info is_ascii count_chars_utf8 utf16_len_from_utf8 from_utf8);
    same!(validate_utf16le count_chars_utf16le utf8_len_from_utf16le);
    same!(validate_utf16be count_chars_utf16be utf8_len_from_utf16be);
    same!(utf8_len_from_utf8_lossy utf16_len_from_utf8_lossy);
    same!(utf8_len_from_utf16le_lossy utf8_len_from_utf16be_lossy);
    assert!(isa.utf8_chunks(src).eq(Isa::SCALAR.utf8_chunks(&copy)), "{isa}: utf8_chunks");

    // A chunk of a stream, after one that may end inside a character.
    for (from, first) in [(Utf8, &b"a"[..]), (Utf8, b"\xF0\x9F"), (Utf16Le, b"\x3D\xD8"), (Utf16Be, b"a")] {
        let validate = |isa, src: &[u8]| {
            let mut check = Validator::new(from).with_isa(isa);
            (check.push(first), check.push(src), check.finish())
        };
        assert_eq!(validate(isa, src), validate(Isa::SCALAR, &copy), "{isa}: Validator, {from}");
        for to in [Utf8, Utf16Le] {
            let convert = |isa, src: &[u8], dst: &mut [u8]| {
                let mut stream = Transcoder::new(from, to).lossy().with_isa(isa);
                // The output of the first chunk is not checked.
                assert_eq!(stream.convert(first, &mut [0; 8]).read, first.len());
                stream.convert(src, dst)
            };
            same_conversion!(format_args!("Transcoder, {from} to {to}") => convert,);
        }
    }
    for first in [&b""[..], b"\xF0\x9F"] {
        let (mut here, mut there) = (Utf8Decoder::new().lossy().with_isa(isa), Utf8Decoder::new().lossy());
        here.push(first).for_each(drop);
        there.push(first).for_each(drop);
        assert!(here.push(src).eq(there.push(&copy)), "{isa}: Utf8Decoder");
    }

    // In place.
    for well_formed in [Isa::make_well_formed_utf16le, Isa::make_well_formed_utf16be] {
        let (repaired, expected) = (dst.place(*place, src.len()), &mut copy.clone());
        repaired.copy_from_slice(src);
        assert_eq!(well_formed(isa, repaired), well_formed(Isa::SCALAR, expected), "{isa}: to well-formed");
        assert_eq!(repaired, expected, "{isa}: to well-formed");
    }
    let text = isa.from_utf8_mut(src).map(|text| text.len());
    assert_eq!(text, Isa::SCALAR.from_utf8(&copy).map(str::len), "{isa}: from_utf8_mut");
    isa.swap_utf16_bytes_into(src, dst.place(*place, src.len()));
    isa.swap_utf16_bytes(src);
    assert_eq!(src, dst.place(*place, src.len()), "{isa}: swapped");
    let swapped: Vec<u8> = copy.chunks(2).flat_map(|unit| unit.iter().rev()).copied().collect();
    assert_eq!(src, swapped, "{isa}: swapped");
}

/// Everything that reads native code units.
fn everything_of_units(isa: Isa, src: &mut [u16], buffers: &mut Buffers) {
    let mut expected = src.to_vec();
    buffers.same_conversions(isa, src, [&[Form::Utf16], UTF_8_AND_16]);
    macro_rules! same {
        ($($operation:ident)*) => {$(
            assert_eq!(isa.$operation(src), Isa::SCALAR.$operation(&expected), "{isa}: {}", stringify!($operation));
        )*};
    }
    same!(validate_utf16 count_chars_utf16 utf8_len_from_utf16 utf8_len_from_utf16_lossy);
    assert_eq!(isa.make_well_formed_utf16(src), Isa::SCALAR.make_well_formed_utf16(&mut expected), "{isa}");
    assert_eq!(src, expected, "{isa}: to well-formed");
}

/// Calls `test` with every length of every kind of text, at either end of the source and of the destination, and with
/// every length at every distance from the ends up to a cache line.
fn every_place(seed: u64, mut test: impl FnMut(Isa, Filler, usize, [Place; 2], &mut Rng)) {
    let mut rng = Rng::new(seed);
    let thin = one_in(6);
    let all: Vec<usize> = (0..=300).chain([511, 512, 513, 1023, 1024, 1025, 4000, 4097]).collect();
    // Miri is slow.
    let some = [0, 3, 18, 35, 131];
    let lengths = if cfg!(miri) { &some[..] } else { &all };
    for isa in Isa::available() {
        eprintln!("{isa}");
        for &len in lengths {
            for filler in Filler::ALL {
                for ends in [[true, true], [false, false], [true, false], [false, true]] {
                    // For each length, at least one text that touches the guards on each side.
                    let always = ends[0] == ends[1] && (ends[0] || cfg!(not(miri)));
                    if always && filler == Filler::ALL[len % 7] || rng.below(thin) == 0 {
                        test(isa, filler, len, ends.map(|at_end| Place { at_end, distance: 0 }), &mut rng);
                    }
                }
            }
            for distance in 1..64 {
                if rng.below(thin) == 0 {
                    let src = Place { at_end: rng.below(2) == 0, distance };
                    let dst = Place { at_end: rng.below(2) == 0, distance: rng.below(64) };
                    let filler = rng.pick(&Filler::ALL);
                    test(isa, filler, len, [src, dst], &mut rng);
                }
            }
        }
    }
}

#[test]
fn nothing_outside_of_utf8_and_its_buffer_is_touched() {
    let mut src = Guarded::new(5000);
    let mut buffers = Buffers::new();
    every_place(70, |isa, filler, len, [place, of_dst], rng| {
        buffers.place = of_dst;
        let src = src.place(place, len);
        src.copy_from_slice(&filler.before(len));
        match rng.below(4) {
            // Truncated at the end, or ill-formed in one place, or in many.
            0 if len > 3 => src[len - 1 - rng.below(3)] = rng.pick(&[0xC3, 0xE2, 0xF0]),
            1 if len > 0 => src[rng.below(len)] = rng.next() as u8,
            2 => (0..rng.below(1 + len / 10)).for_each(|_| src[rng.below(len)] = rng.next() as u8),
            _ => {}
        }
        everything(isa, src, &mut buffers);
    });
}

#[test]
fn nothing_outside_of_utf16_and_its_buffer_is_touched() {
    let mut src = Guarded::new(10_000);
    let mut buffers = Buffers::new();
    every_place(71, |isa, filler, len, [place, of_dst], rng| {
        buffers.place = of_dst;
        let mut units = filler.units_before(len / 2);
        match rng.below(4) {
            0 if len > 1 => *units.last_mut().unwrap() = 0xD83D,
            1 if len > 1 => units[rng.below(len / 2)] = 0xDC00,
            2 => (0..rng.below(1 + len / 20))
                .for_each(|_| units[rng.below(len / 2)] = 0xD800 | rng.next() as u16 & 0x7FF),
            _ => {}
        }
        let place_of_units = src.units(place, units.len());
        place_of_units.copy_from_slice(&units);
        everything_of_units(isa, place_of_units, &mut buffers);
        let order = rng.pick::<fn(u16) -> [u8; 2]>(&[u16::to_le_bytes, u16::to_be_bytes]);
        let src = src.place(place, len);
        let (pairs, odd) = src.as_chunks_mut::<2>();
        for (pair, unit) in pairs.iter_mut().zip(units) {
            *pair = order(unit);
        }
        odd.fill(0xD8);
        everything(isa, src, &mut buffers);
    });
}

/// Everything that reads or writes Latin-1: `latin1`, and the same text in the other encodings, each right before or after
/// a guard page.
#[cfg(feature = "latin1")]
fn everything_latin1(isa: Isa, latin1: &[u8], rng: &mut Rng, src: &mut Guarded, buffers: &mut Buffers) {
    let text: String = latin1.iter().map(|&byte| char::from(byte)).collect();
    let place = Place { at_end: rng.below(2) == 0, distance: rng.pick(&[0, 0, 1, 2, rng.clone().below(64)]) };
    macro_rules! same {
        ($src:ident $($operation:ident)*) => {$(
            let copy = $src.to_vec();
            assert_eq!(isa.$operation($src), Isa::SCALAR.$operation(&copy), "{isa}: {}", stringify!($operation));
        )*};
    }
    let bytes = src.place(place, latin1.len());
    bytes.copy_from_slice(latin1);
    let bytes = &*bytes;
    same!(bytes from_latin1 utf8_len_from_latin1);
    buffers.same_conversions(isa, bytes, [&[Form::Latin1], UTF_8_AND_16]);

    // Cut at the end, or with another character, sometimes.
    let mut utf8 = text.into_bytes();
    if let (0, Some(last)) = (rng.below(4), utf8.last_mut()) {
        *last = rng.pick(&[0xC3, 0xE2, 0x80]);
    }
    let bytes = src.place(place, utf8.len());
    bytes.copy_from_slice(&utf8);
    let bytes = &*bytes;
    same!(bytes validate_latin1_in_utf8 narrowest_from_utf8 narrowest_from_utf8_lossy);
    #[cfg(feature = "utf32")]
    same!(bytes narrowest_chars_from_utf8 narrowest_chars_from_utf8_lossy);
    buffers.same_conversions(isa, bytes, [&[Form::Utf8], &[Form::Latin1]]);

    let units = src.units(place, latin1.len());
    for (unit, &byte) in units.iter_mut().zip(latin1) {
        *unit = u16::from(byte) | u16::from(rng.below(5000) == 0) << 8;
    }
    let units = &*units;
    same!(units validate_latin1_in_utf16 utf16_info narrowest_from_utf16 narrowest_from_utf16_lossy);
    #[cfg(feature = "utf32")]
    same!(units narrowest_chars_from_utf16 narrowest_chars_from_utf16_lossy);
    buffers.same_conversions(isa, units, [&[Form::Utf16], &[Form::Latin1]]);
    let copy = units.to_vec();
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes = src.place(place, 2 * copy.len() + rng.below(2));
        bytes.fill(0);
        for (pair, &unit) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(&copy) {
            *pair = order(unit);
        }
        let bytes = &*bytes;
        same!(bytes validate_latin1_in_utf16le validate_latin1_in_utf16be utf16le_info utf16be_info);
        same!(bytes narrowest_from_utf16le narrowest_from_utf16be);
        same!(bytes narrowest_from_utf16le_lossy narrowest_from_utf16be_lossy);
        buffers.same_conversions(isa, bytes, [&[Form::Utf16Le, Form::Utf16Be], &[Form::Latin1]]);
    }
}

#[cfg(feature = "latin1")]
#[test]
fn nothing_outside_of_latin1_is_touched() {
    let mut src = Guarded::new(10_000);
    let mut buffers = Buffers::new();
    every_place(73, |isa, filler, len, [_, of_dst], rng| {
        buffers.place = of_dst;
        let density = [0, 100, 50, 2, 10, 90, 30][filler as usize];
        let latin1: Vec<u8> =
            (0..len).map(|_| rng.next() as u8 >> 1 | if rng.below(100) < density { 0x80 } else { 0 }).collect();
        everything_latin1(isa, &latin1, rng, &mut src, &mut buffers);

        // Wider text, too.
        let text = String::from_utf8(filler.before(len)).unwrap();
        let mut copy: Vec<u16> = text.encode_utf16().collect();
        if let (0, Some(last)) = (rng.below(4), copy.last_mut()) {
            *last = 0xD800;
        }
        let place = Place { at_end: rng.below(2) == 0, distance: rng.pick(&[0, 0, 2]) };
        let units = src.units(place, copy.len());
        units.copy_from_slice(&copy);
        assert_eq!(isa.utf16_info(units), Isa::SCALAR.utf16_info(&copy), "{isa}");
        assert_eq!(isa.narrowest_from_utf16_lossy(units), Isa::SCALAR.narrowest_from_utf16_lossy(&copy), "{isa}");
    });
}

/// Everything that reads or writes WTF-8 and modified UTF-8, of this UTF-16, each right before or after a guard page.
#[cfg(feature = "mutf8")]
fn everything_wtf8(isa: Isa, units: &[u16], rng: &mut Rng, src: &mut Guarded, buffers: &mut Buffers) {
    let place = Place { at_end: rng.below(2) == 0, distance: rng.pick(&[0, 0, 1, 2, rng.clone().below(64)]) };
    macro_rules! same {
        ($src:ident $copy:ident $($operation:ident)*) => {$(
            assert_eq!(isa.$operation($src), Isa::SCALAR.$operation($copy), "{isa}: {}", stringify!($operation));
        )*};
    }
    for form in [crate::common::oracle::Form::Wtf8, crate::common::oracle::Form::Mutf8] {
        let mut bytes = form.from_utf16(units, usize::MAX).1;
        if let (0, Some(last)) = (rng.below(4), bytes.last_mut()) {
            *last = rng.pick(&[0xC0, 0xED, 0xA0, 0]);
        }
        let copy = &bytes[..];
        let bytes = src.place(place, copy.len());
        bytes.copy_from_slice(copy);
        let bytes = &*bytes;
        let (vec, vec_copy) = (bytes.to_vec(), copy.to_vec());
        same!(vec vec_copy string_from_wtf8_lossy);
        same!(bytes copy validate_wtf8 from_wtf8 from_wtf8_lossy utf16_len_from_wtf8 utf16_from_wtf8);
        same!(bytes copy utf16le_from_wtf8 utf16be_from_wtf8);
        same!(bytes copy validate_mutf8 from_mutf8 from_mutf8_lossy utf16_len_from_mutf8 utf16_from_mutf8);
        same!(bytes copy utf8_len_from_mutf8 mutf8_len_from_utf8);
        same!(bytes copy validate_android_mutf8 from_android_mutf8 from_android_mutf8_lossy utf16_from_android_mutf8);
        buffers.same_conversions(isa, bytes, [WTF_8_AND_MUTF_8, UTF_8_AND_16]);
        buffers.same_conversions(isa, bytes, [&[Form::Utf8], WTF_8_AND_MUTF_8]);
        if let Ok(text) = str::from_utf8(bytes) {
            let copy = &text.to_owned()[..];
            same!(text copy to_mutf8 to_mutf8_c_string);
        }
        let bytes = src.place(place, copy.len());
        let copy = &mut copy.to_vec()[..];
        same!(bytes copy replace_surrogates_in_wtf8);
        assert_eq!(bytes, copy, "{isa}");
    }
    let place_of_units = src.units(place, units.len());
    place_of_units.copy_from_slice(units);
    let in_place = &*place_of_units;
    same!(in_place units wtf8_from_utf16 wtf8_len_from_utf16);
    same!(in_place units mutf8_from_utf16 mutf8_len_from_utf16 mutf8_c_string_from_utf16);
    buffers.same_conversions(isa, in_place, [&[Form::Utf16], WTF_8_AND_MUTF_8]);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes = src.place(place, 2 * units.len() + rng.below(2));
        bytes.fill(0xD8);
        for (pair, &unit) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(units) {
            *pair = order(unit);
        }
        let bytes = &*bytes;
        let copy = &bytes.to_vec()[..];
        same!(bytes copy wtf8_from_utf16le wtf8_from_utf16be wtf8_len_from_utf16le wtf8_len_from_utf16be);
        buffers.same_conversions(isa, bytes, [&[Form::Utf16Le, Form::Utf16Be], WTF_8_AND_MUTF_8]);
    }
}

#[cfg(feature = "mutf8")]
#[test]
fn nothing_outside_of_wtf8_is_touched() {
    let mut src = Guarded::new(10_000);
    let mut buffers = Buffers::new();
    every_place(74, |isa, filler, len, [_, of_dst], rng| {
        buffers.place = of_dst;
        let mut units = filler.units_before(len / 2);
        for _ in 0..rng.pick(&[0, 1, 3, len / 20, len / 4]) {
            if let Some(last) = units.len().checked_sub(1) {
                units[rng.below(last + 1)] =
                    rng.pick(&[0, 0xD83D, 0xDE00, 0xD800 | rng.clone().next() as u16 & 0x7FF]);
            }
        }
        everything_wtf8(isa, &units, rng, &mut src, &mut buffers);
    });
}

/// Everything that reads or writes UTF-32: a text in each encoding, sometimes ill-formed, right before or after a guard page.
#[cfg(feature = "utf32")]
fn everything_utf32(isa: Isa, utf8: &[u8], place: Place, rng: &mut Rng, src: &mut Guarded, buffers: &mut Buffers) {
    macro_rules! same {
        ($src:ident $($operation:ident)*) => {$(
            let copy = $src.to_vec();
            assert_eq!(isa.$operation($src), Isa::SCALAR.$operation(&copy), "{isa}: {}", stringify!($operation));
        )*};
    }
    let text = std::str::from_utf8(utf8).unwrap_or_default();
    let mut units: Vec<u32> = text.chars().map(u32::from).collect();
    if let (0, 1..) = (rng.below(4), units.len()) {
        let at = rng.below(units.len());
        units[at] = rng.pick(&[0xD800, 0xDFFF, 0x11_0000, u32::MAX]);
    }
    let native = src.units_32(place, units.len());
    native.copy_from_slice(&units);
    let native = &*native;
    same!(native validate_utf32 as_chars utf8_len_from_utf32 utf16_len_from_utf32);
    same!(native utf8_len_from_utf32_lossy utf16_len_from_utf32_lossy);
    buffers.same_conversions(isa, native, [&[Form::Utf32], UTF_8_AND_16]);
    buffers.same_conversions(isa, native, [&[Form::Utf32], &[Form::Latin1]]);
    for order in [u32::to_le_bytes, u32::to_be_bytes] {
        let mut bytes: Vec<u8> = units.iter().flat_map(|&unit| order(unit)).collect();
        bytes.resize(bytes.len() + rng.below(4), 0);
        let placed = src.place(place, bytes.len());
        placed.copy_from_slice(&bytes);
        let placed = &*placed;
        same!(placed validate_utf32le utf8_len_from_utf32le utf16_len_from_utf32le);
        same!(placed validate_utf32be utf8_len_from_utf32be utf16_len_from_utf32be);
        same!(placed utf8_len_from_utf32le_lossy utf16_len_from_utf32le_lossy);
        same!(placed utf8_len_from_utf32be_lossy utf16_len_from_utf32be_lossy);
        buffers.same_conversions(isa, placed, [&[Form::Utf32Le, Form::Utf32Be], UTF_8_AND_16]);
        buffers.same_conversions(isa, placed, [&[Form::Utf32Le, Form::Utf32Be], &[Form::Latin1]]);
    }

    let mut words: Vec<u16> = text.encode_utf16().collect();
    if let (0, 1..) = (rng.below(4), words.len()) {
        let at = rng.below(words.len());
        words[at] = rng.pick(&[0xD800, 0xDFFF]);
    }
    let native = src.units(place, words.len());
    native.copy_from_slice(&words);
    let native = &*native;
    buffers.same_conversions(isa, native, [&[Form::Utf16], UTF_32]);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let mut bytes: Vec<u8> = words.iter().flat_map(|&unit| order(unit)).collect();
        bytes.resize(bytes.len() + rng.below(2), 0);
        let placed = src.place(place, bytes.len());
        placed.copy_from_slice(&bytes);
        let placed = &*placed;
        buffers.same_conversions(isa, placed, [&[Form::Utf16Le, Form::Utf16Be], UTF_32]);
    }

    let placed = src.place(place, utf8.len());
    placed.copy_from_slice(utf8);
    if let (0, Some(last)) = (rng.below(4), placed.last_mut()) {
        *last = rng.pick(&[0xC3, 0xE2, 0x80]);
    }
    let placed = &*placed;
    buffers.same_conversions(isa, placed, [&[Form::Utf8, Form::Latin1], UTF_32]);
}

#[cfg(feature = "utf32")]
#[test]
fn nothing_outside_of_utf32_is_touched() {
    let (mut src, mut buffers) = (Guarded::new(20_000), Buffers::new());
    every_place(74, |isa, filler, len, [place, of_dst], rng| {
        buffers.place = of_dst;
        // Of as many characters, or as many bytes.
        let utf8 = filler.before(if rng.below(2) == 0 { len } else { (4 * len).min(4100) });
        everything_utf32(isa, &utf8, place, rng, &mut src, &mut buffers);
    });
}

/// The values, the offsets and the bitmap of a column, each next to a guard page; what is written are vectors.
#[cfg(feature = "columns")]
#[test]
fn nothing_outside_of_a_column_is_touched() {
    let [mut values, mut offsets, mut bits] = [20_000, 20_000, 1000].map(Guarded::new);
    let rng = &mut Rng::new(72);
    for isa in Isa::available() {
        for turn in 0..if cfg!(miri) { 4 } else { 400 / one_in(2).min(40) } {
            let filler = Filler::ALL[turn % 7];
            // Sometimes more than a piece.
            let len = rng.below(if turn % 8 == 0 { 20_000 } else { 300 });
            let mut text = filler.before(len);
            if rng.below(3) == 0 {
                (0..rng.below(1 + len / 10)).for_each(|_| text[rng.below(len)] = rng.next() as u8);
            }
            let [values, bitmap] =
                [(&mut values, &text[..]), (&mut bits, &[0xAD; 600][..])].map(|(guarded, content)| {
                    let place = guarded.place(Place { at_end: rng.below(2) == 0, distance: 0 }, content.len());
                    place.copy_from_slice(content);
                    &*place
                });
            let mut borders: Vec<usize> = (0..1 + rng.below(90)).map(|_| rng.below(len + 1)).collect();
            borders.extend([len; 2]);
            borders.sort_unstable();
            let place = offsets.place(Place { at_end: rng.below(2) == 0, distance: 0 }, 4 * borders.len());
            // SAFETY: any four bytes are an `i32`.
            let (before, offsets, after) = unsafe { place.align_to_mut::<i32>() };
            assert!(before.is_empty() && after.is_empty());
            for (to, &border) in offsets.iter_mut().zip(&borders) {
                *to = border as i32;
            }
            let rows = borders.len() - 1;
            // The last row has the last bit.
            let first_bit = 8 * bitmap.len() - rows;
            let validity = [None, Some((bitmap, first_bit))][rng.below(2)];
            crate::common::columns::check_column::<i32, u32>(isa, values, offsets, validity, None);
        }
    }
}

/// The text of an index of positions; what it stores are vectors.
#[cfg(feature = "positions")]
#[test]
fn nothing_outside_of_an_indexed_text_is_touched() {
    let mut guarded = Guarded::new(8192);
    let rng = &mut Rng::new(88);
    for isa in Isa::available() {
        for turn in 0..if cfg!(miri) { 4 } else { 400 / one_in(2).min(40) } {
            let len = if turn < 140 { turn } else { rng.below(3000) };
            let mut content = Filler::ALL[turn % 7].before(len);
            for byte in &mut content {
                if byte.is_ascii() && rng.below(10) == 0 {
                    *byte = rng.pick(b"\r\n");
                }
            }
            let text = guarded.place(Place { at_end: turn % 3 > 0, distance: 0 }, len);
            text.copy_from_slice(&content);
            let text = str::from_utf8(text).unwrap();
            let mut index = fastutf::positions::Index::with_isa(isa, text);
            crate::common::positions::check(&index, text, 100, rng);
            // As after an edit of its first half.
            let middle = (len / 2..).find(|&at| text.is_char_boundary(at)).unwrap();
            index.edit(0..middle, text);
            crate::common::positions::check(&index, text, 20, rng);
        }
    }
}

/// The masked-out elements of a load or store may lie in memory that is not mapped, or not yet. Some CPUs then use
/// microcode: on Zen 4, this costs 120 to 170 ns each time, so a short text takes up to 120 times as long. Prints how
/// many times as long an operation takes next to a guard page as far from it, and never fails. Without masks, there is
/// no such cost.
#[cfg(not(miri))]
#[test]
#[ignore = "measures: cargo test --release --test suite masked -- --ignored --nocapture"]
fn time_next_to_a_guard_where_accesses_are_masked() {
    use std::hint::black_box;
    use std::time::Instant;

    // Each comes with a text, and the bytes of output for each byte of it.
    type Operation = fn(Isa, &[u8], &mut [u8]) -> usize;
    let operations: [(&str, &[u8], f64, Operation); 6] = [
        ("validate_utf8", b"a", 0.0, |isa, src, _| isa.validate_utf8(src).is_ok().into()),
        ("count_chars_utf8", b"a", 0.0, |isa, src, _| isa.count_chars_utf8(src)),
        ("validate_utf16le", b"a\0", 0.0, |isa, src, _| isa.validate_utf16le(src).is_ok().into()),
        ("utf8_to_utf16le", b"a", 2.0, |isa, src, dst| isa.utf8_to_utf16le(src, dst).written),
        ("utf16le_to_utf8", b"a\0", 0.5, |isa, src, dst| isa.utf16le_to_utf8(src, dst).written),
        ("swap_utf16_bytes_into", b"a\0", 1.0, |isa, src, dst| {
            isa.swap_utf16_bytes_into(src, dst);
            src.len()
        }),
    ];
    let (mut src, mut dst) = (Guarded::new(8192), Guarded::new(8192));
    for isa in Isa::available() {
        for (name, text, growth, operation) in operations {
            let mut most = (0.0, 0);
            for len in (2..=200).step_by(2) {
                let text = text.repeat(len / text.len());
                let room = (len as f64 * growth) as usize;
                let mut time = |distance| {
                    let place = Place { at_end: true, distance };
                    let (src, dst) = (src.place(place, len), dst.place(place, room));
                    src.copy_from_slice(&text);
                    let start = Instant::now();
                    for _ in 0..200 {
                        black_box(operation(isa, black_box(src), dst));
                    }
                    start.elapsed().as_secs_f64()
                };
                // At the same distance from a cache line. The minimum of several runs, in turns.
                let mut least = [f64::MAX; 2];
                for _ in 0..15 {
                    for (least, distance) in least.iter_mut().zip([0, 1024]) {
                        *least = least.min(time(distance));
                    }
                }
                let ratio = least[0] / least[1];
                if ratio > most.0 {
                    most = (ratio, len);
                }
            }
            eprintln!("{isa} {name}: at most {:.2} times as long, of {} bytes", most.0, most.1);
        }
    }
}
