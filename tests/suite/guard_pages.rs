//! Inputs and outputs that touch memory which may not be touched: a load or a store outside of them ends the program,
//! and `cargo test --test suite guard_pages -- --nocapture` says on which instruction set.

use fastutf::Isa;

use crate::common::{Filler, Rng};

/// Some pages between two that may be neither read nor written.
pub struct Guarded {
    map: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
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
        // SAFETY: `len` bytes that are mapped, readable, writable, zeroed by the kernel and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.map.add(self.page), self.len) }
    }

    /// The first `len` bytes, or the last ones.
    pub fn part(&mut self, at_end: bool, len: usize) -> &mut [u8] {
        let start = if at_end { self.len - len } else { 0 };
        &mut self.all()[start..][..len]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the whole mapping that `new` made; no borrow of it outlives `self`.
        unsafe { libc::munmap(self.map.cast(), self.len + 2 * self.page) };
    }
}

fn lengths() -> impl Iterator<Item = usize> {
    (0..=330).chain([511, 512, 513, 1023, 1024, 1025, 4000, 4097])
}

/// Everything that reads bytes. Results are compared with those for a copy on the heap.
fn read_all(isa: Isa, src: &mut [u8], dst: &mut Guarded, at_end: bool) {
    let copy = src.to_vec();
    let mut heap = vec![0; 3 * src.len() + 3];
    macro_rules! same {
        ($($operation:ident)*) => {$(
            assert_eq!(isa.$operation(src), Isa::SCALAR.$operation(&copy), "{isa}: {}", stringify!($operation));
        )*};
    }
    macro_rules! same_conversion {
        ($($operation:ident)*) => {$(
            // All there is room for, what the conversion takes exactly, and less.
            let most = Isa::SCALAR.$operation(&copy, &mut heap).written;
            for room in [heap.len(), most, most / 2] {
                let dst = dst.part(at_end, room);
                let got = isa.$operation(src, dst);
                let want = Isa::SCALAR.$operation(&copy, &mut heap[..room]);
                assert_eq!(got, want, "{isa}: {} into {room} bytes", stringify!($operation));
                assert_eq!(dst[..got.written], heap[..got.written], "{isa}: {} into {room} bytes", stringify!($operation));
            }
        )*};
    }
    same!(validate_utf8 utf8_info is_ascii count_chars_utf8 utf16_len_from_utf8);
    same!(validate_utf16le count_chars_utf16le utf8_len_from_utf16le);
    same!(validate_utf16be count_chars_utf16be utf8_len_from_utf16be);
    same_conversion!(utf8_to_utf16le utf8_to_utf16be utf16le_to_utf8 utf16be_to_utf8);
    same!(utf8_len_from_utf16le_lossy utf8_len_from_utf16be_lossy);
    same_conversion!(utf16le_to_utf8_lossy utf16be_to_utf8_lossy);
    for well_formed in [Isa::to_well_formed_utf16le, Isa::to_well_formed_utf16be] {
        let (repaired, expected) = (dst.part(at_end, src.len()), &mut copy.clone());
        repaired.copy_from_slice(src);
        assert_eq!(well_formed(isa, repaired), well_formed(Isa::SCALAR, expected), "{isa}: to well-formed");
        assert_eq!(repaired, expected, "{isa}: to well-formed");
    }
    isa.swap_utf16_bytes_into(src, dst.part(at_end, src.len()));
    isa.swap_utf16_bytes(src);
    assert_eq!(src, dst.part(at_end, src.len()), "{isa}: swapped");
}

#[test]
fn nothing_outside_of_utf8_and_its_buffer_is_touched() {
    let (mut src, mut dst) = (Guarded::new(5000), Guarded::new(15_000));
    let mut rng = Rng::new(70);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            eprintln!("{isa}, {filler:?}");
            for len in lengths() {
                for at_end in [true, false] {
                    let src = src.part(at_end, len);
                    src.copy_from_slice(&filler.before(len));
                    match rng.below(4) {
                        // Cut short at the end, or wrong somewhere.
                        0 if len > 3 => src[len - 1 - rng.below(3)] = rng.pick(&[0xC3, 0xE2, 0xF0]),
                        1 if len > 0 => src[rng.below(len)] = rng.next() as u8,
                        _ => {}
                    }
                    read_all(isa, src, &mut dst, at_end);
                }
            }
        }
    }
}

#[test]
fn nothing_outside_of_utf16_and_its_buffer_is_touched() {
    let (mut src, mut dst) = (Guarded::new(5000), Guarded::new(15_000));
    let mut rng = Rng::new(71);
    for isa in Isa::available() {
        for filler in Filler::ALL {
            eprintln!("{isa}, {filler:?}");
            for len in lengths() {
                for at_end in [true, false] {
                    let order = rng.pick(&[u16::to_le_bytes, u16::to_be_bytes]);
                    let units = filler.units_before(len / 2);
                    let src = src.part(at_end, len);
                    let (pairs, odd) = src.as_chunks_mut::<2>();
                    for (pair, unit) in pairs.iter_mut().zip(units) {
                        *pair = order(unit);
                    }
                    odd.fill(0xD8);
                    match rng.below(4) {
                        0 if !pairs.is_empty() => *pairs.last_mut().unwrap() = order(0xD83D),
                        1 if !pairs.is_empty() => pairs[rng.below(len / 2)] = order(0xDC00),
                        _ => {}
                    }
                    read_all(isa, src, &mut dst, at_end);
                }
            }
        }
    }
}
