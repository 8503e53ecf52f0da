//! Compares all operations on one input with the oracles: on every instruction set, at some alignment, into buffers of
//! several sizes. The memory around a buffer must stay unchanged.

use std::fmt::Debug;

use fastutf::{Conversion, Isa, LossyConversion, Utf8Error, Utf16Error};

use super::oracle::{self, LossyUtf8, LossyUtf16, Utf8Oracle, Utf16Oracle, to_bytes};
use super::{Rng, hex, told};

/// How many bytes (or code units) must stay unchanged on either side of a buffer. What is in it beyond the output is
/// unspecified: that a store is too long is seen where the buffer ends with the output, or soon after.
const GUARD: usize = 64;

/// Inputs and outputs are placed at chosen distances from a multiple of this.
const LINE: usize = 64;

/// A buffer painted with a pattern. An operation may write to a part of it.
struct Canvas<T> {
    cells: Vec<T>,
    /// The unchanged pattern, as long as `cells`.
    clean: Vec<T>,
    pattern: fn(usize) -> T,
    start: usize,
    room: usize,
}

/// The number of elements after which the pattern repeats: no multiple or divisor of any vector's length.
const PERIOD: usize = 61;

impl<T: Copy + PartialEq + std::fmt::UpperHex> Canvas<T> {
    fn new(pattern: fn(usize) -> T) -> Self {
        Self { cells: Vec::new(), clean: Vec::new(), pattern, start: 0, room: 0 }
    }

    /// Returns a freshly painted part of `room` elements, `shift` elements after a multiple of [`LINE`].
    fn part(&mut self, room: usize, shift: usize) -> &mut [T] {
        let need = room + 2 * GUARD + 2 * LINE;
        if self.cells.len() < need {
            self.clean = (0..need.next_power_of_two()).map(|at| (self.pattern)(at % PERIOD)).collect();
            self.cells.clone_from(&self.clean);
        }
        self.start = GUARD + (self.cells.as_ptr().wrapping_add(GUARD).align_offset(LINE)) + shift;
        self.room = room;
        let end = self.start + room + GUARD;
        self.cells[..end].copy_from_slice(&self.clean[..end]);
        &mut self.cells[self.start..][..room]
    }

    /// Returns `None` if the part starts with `written` and all around it is still painted, or else what is wrong.
    fn complaint(&self, written: &[T]) -> Option<String> {
        let (before, rest) = self.cells.split_at(self.start);
        let (part, after) = rest[..self.room + GUARD].split_at(self.room);
        let value = &part[..written.len()];
        let painted = |cells: &[T], at: usize| *cells == self.clean[at..][..cells.len()];
        if value != written {
            Some(format!("wrote {}\n instead of {}", hex(value), hex(written)))
        } else if !painted(before, 0) || !painted(after, self.start + self.room) {
            Some("wrote outside the buffer".into())
        } else {
            None
        }
    }
}

/// Copies an input to some distance from a multiple of [`LINE`]. The elements before and after it would mislead a
/// kernel that reads them.
fn place<'a, T: Copy>(room: &'a mut Vec<T>, src: &[T], shift: usize, before: T, after: T) -> &'a [T] {
    room.clear();
    room.resize(src.len() + 4 * LINE, before);
    let start = LINE + room.as_ptr().wrapping_add(LINE).align_offset(LINE) + shift;
    room[start..][..src.len()].copy_from_slice(src);
    room[start + src.len()..].fill(after);
    &room[start..][..src.len()]
}

type FromUtf8 = fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf8Error>;
type ToUtf8 = fn(Isa, &[u8], &mut [u8]) -> Conversion<Utf16Error>;
type ValidateUtf16 = fn(Isa, &[u8]) -> Result<(), Utf16Error>;
type Count = fn(Isa, &[u8]) -> usize;

const FROM_UTF8: [(&str, FromUtf8); 2] =
    [("utf8_to_utf16le", Isa::utf8_to_utf16le), ("utf8_to_utf16be", Isa::utf8_to_utf16be)];

struct Bytes {
    name: &'static str,
    order: fn(u16) -> [u8; 2],
    validate: ValidateUtf16,
    to_utf8: ToUtf8,
    utf8_len: Count,
    count_chars: Count,
}

const UTF16_BYTES: [Bytes; 2] = [
    Bytes {
        name: "utf16le",
        order: u16::to_le_bytes,
        validate: Isa::validate_utf16le,
        to_utf8: Isa::utf16le_to_utf8,
        utf8_len: Isa::utf8_len_from_utf16le,
        count_chars: Isa::count_chars_utf16le,
    },
    Bytes {
        name: "utf16be",
        order: u16::to_be_bytes,
        validate: Isa::validate_utf16be,
        to_utf8: Isa::utf16be_to_utf8,
        utf8_len: Isa::utf8_len_from_utf16be,
        count_chars: Isa::count_chars_utf16be,
    },
];

/// Buffers and a source of sizes and alignments for one test.
pub struct Checker {
    pub rng: Rng,
    /// How many bytes after a multiple of [`LINE`] to place the next input, or `None` for a random number.
    pub shift: Option<usize>,
    isas: Vec<Isa>,
    src: Vec<u8>,
    src_units: Vec<u16>,
    bytes: Canvas<u8>,
    units: Canvas<u16>,
}

impl Checker {
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            shift: None,
            isas: Isa::available().collect(),
            src: Vec::new(),
            src_units: Vec::new(),
            bytes: Canvas::new(|at| 0x81 + at as u8),
            units: Canvas::new(|at| 0xA581 + at as u16),
        }
    }

    /// Returns whether to run a case: true once in `n` times, at random.
    pub fn keep(&mut self, n: usize) -> bool {
        n <= 1 || self.rng.below(n) == 0
    }

    /// Checks all operations on UTF-8, with an exact, a roomy, and one other size of buffer, in each byte order.
    pub fn utf8(&mut self, src: &[u8]) {
        let oracle = Utf8Oracle::new(src);
        agrees_with_simdutf8(src, &oracle);
        let exact = oracle.units.len();
        let roomy = src.len() + 4 * LINE + self.rng.below(LINE);
        let other = match self.rng.below(3) {
            0 => exact.saturating_sub(1),
            1 => self.rng.below(exact + 1),
            _ => exact + 1 + self.rng.below(LINE),
        };
        self.utf8_with(src, &oracle, &[exact, roomy, other]);
    }

    /// Checks all operations on UTF-8, with every size of buffer from none to more than enough.
    pub fn utf8_every_room(&mut self, src: &[u8]) {
        let oracle = Utf8Oracle::new(src);
        let rooms: Vec<usize> = (0..=oracle.units.len() + LINE + 2).collect();
        self.utf8_with(src, &oracle, &rooms);
    }

    pub fn utf8_with(&mut self, src: &[u8], answer: &Utf8Oracle, rooms: &[usize]) {
        let Self { rng, shift, isas, src: place_for_src, bytes, units, .. } = self;
        let shift = shift.take().unwrap_or_else(|| rng.below(LINE));
        // A lead byte before and continuation bytes after the input must not be taken for a part of it.
        let src = place(place_for_src, src, shift, 0xF0, 0x80);
        let (chars, utf16_len) = (oracle::count_chars_utf8(src), oracle::utf16_len_from_utf8(src));
        let (ascii, width) = (src.is_ascii(), oracle::width_of_utf8(src));
        let in_order = [answer.le(), answer.be()];
        for &isa in isas.iter() {
            let fail = |what: &str, got: &dyn Debug, want: &dyn Debug| -> ! {
                panic!(
                    "{what} on {isa}, source {shift} bytes after a line:\n  got {got:?}\n want {want:?}\n{} bytes: {}",
                    src.len(),
                    hex(src)
                )
            };
            let got = isa.validate_utf8(src).map_err(told);
            if got != answer.result() {
                fail("validate_utf8", &got, &answer.result());
            }
            let got =
                isa.utf8_info(src).map(|info| (info.chars, info.utf16_len, info.is_ascii(), info.width() as u8));
            let want = answer.result().map(|()| (chars, utf16_len, ascii, width.unwrap_or_default()));
            let got = got.map_err(told);
            if got != want {
                fail("utf8_info", &got, &want);
            }
            for (name, got, want) in [
                ("count_chars_utf8", isa.count_chars_utf8(src), chars),
                ("utf16_len_from_utf8", isa.utf16_len_from_utf8(src), utf16_len),
                ("is_ascii", usize::from(isa.is_ascii(src)), usize::from(ascii)),
            ] {
                if got != want {
                    fail(name, &got, &want);
                }
            }
            for (i, &room) in rooms.iter().enumerate() {
                let want = answer.outcome(room);
                let shift = rng.below(LINE);
                // The first two sizes are tested in both byte orders, the others in each with probability 1/2. Native
                // code units are tested now and then.
                for ((name, convert), value) in FROM_UTF8.into_iter().zip(&in_order) {
                    if i >= 2 && rng.below(2) == 0 {
                        continue;
                    }
                    let len = 2 * room + rng.below(2);
                    let got = told(convert(isa, src, bytes.part(len, shift)));
                    let want = want.written_in_bytes();
                    if got != want {
                        fail(&format!("{name} into {len} bytes"), &got, &want);
                    }
                    if let Some(complaint) = bytes.complaint(&value[..want.written]) {
                        fail(&format!("{name} into {len} bytes, {shift} after a line: {complaint}"), &got, &want);
                    }
                }
                if rng.below(3) == 0 {
                    let got = told(isa.utf8_to_utf16(src, units.part(room, shift)));
                    if got != want {
                        fail(&format!("utf8_to_utf16 into {room} units"), &got, &want);
                    }
                    if let Some(complaint) = units.complaint(&answer.units[..want.written]) {
                        fail(&format!("utf8_to_utf16 into {room} units, {shift}: {complaint}"), &got, &want);
                    }
                }
            }
        }
    }

    /// Checks all operations on UTF-16, with an exact, a roomy, and one other size of buffer, in each byte order. Now
    /// and then there is an odd byte at the end.
    pub fn utf16(&mut self, src: &[u16]) {
        let trailing = self.rng.below(4) == 0;
        let oracle = Utf16Oracle::new(src, trailing);
        let exact = oracle.text.len();
        let roomy = 3 * src.len() + 4 * LINE + self.rng.below(LINE);
        let other = match self.rng.below(3) {
            0 => exact.saturating_sub(1),
            1 => self.rng.below(exact + 1),
            _ => exact + 1 + self.rng.below(LINE),
        };
        self.utf16_with(src, trailing, &oracle, &[exact, roomy, other]);
    }

    /// Checks all operations on UTF-16, with every size of buffer from none to more than enough.
    pub fn utf16_every_room(&mut self, src: &[u16], trailing: bool) {
        let oracle = Utf16Oracle::new(src, trailing);
        let rooms: Vec<usize> = (0..=oracle.text.len() + LINE + 2).collect();
        self.utf16_with(src, trailing, &oracle, &rooms);
    }

    pub fn utf16_with(&mut self, units: &[u16], trailing: bool, answer: &Utf16Oracle, rooms: &[usize]) {
        let Self { rng, shift, isas, src: place_for_src, src_units, bytes, .. } = self;
        let wanted = shift.take();
        let (chars, utf8_len) = (oracle::count_chars_utf16(units), oracle::utf8_len_from_utf16(units));
        let text = answer.text.as_bytes();
        for order in UTF16_BYTES {
            let mut src = to_bytes(units, order.order);
            if trailing {
                // A byte that could be taken for half of a surrogate, or of ASCII.
                src.push(rng.pick(&[0xD8, 0xDC, 0x00, 0x41]));
            }
            let shift = wanted.unwrap_or_else(|| rng.below(LINE));
            // High surrogates before and low ones after the input, in either byte order, are not part of it.
            let src = place(place_for_src, &src, shift, 0xD8, 0xDC);
            for &isa in isas.iter() {
                let fail = |what: &str, got: &dyn Debug, want: &dyn Debug| -> ! {
                    panic!(
                        "{} {what} on {isa}, source {shift} bytes after a line:\n  got {got:?}\n want {want:?}\n{} bytes: {}",
                        order.name,
                        src.len(),
                        hex(src)
                    )
                };
                let got = (order.validate)(isa, src).map_err(told);
                if got != answer.result(2) {
                    fail("validate", &got, &answer.result(2));
                }
                let got = ((order.count_chars)(isa, src), (order.utf8_len)(isa, src));
                if got != (chars, utf8_len) {
                    fail("count_chars and utf8_len", &got, &(chars, utf8_len));
                }
                for (i, &room) in rooms.iter().enumerate() {
                    if i >= 2 && rng.below(2) == 0 {
                        continue;
                    }
                    let want = answer.outcome(room, 2);
                    let shift = rng.below(LINE);
                    let got = told((order.to_utf8)(isa, src, bytes.part(room, shift)));
                    if got != want {
                        fail(&format!("to_utf8 into {room} bytes"), &got, &want);
                    }
                    if let Some(complaint) = bytes.complaint(&text[..want.written]) {
                        fail(
                            &format!("to_utf8 into {room} bytes, {shift} after a line: {complaint}"),
                            &got,
                            &want,
                        );
                    }
                }
            }
        }
        if trailing {
            return;
        }
        let shift = rng.below(LINE / 2);
        let src = place(src_units, units, shift, 0xD8D8, 0xDCDC);
        let room = rng.pick(rooms);
        let want = answer.outcome(room, 1);
        for &isa in isas.iter() {
            let fail = |what: &str, got: &dyn Debug, want: &dyn Debug| -> ! {
                panic!(
                    "{what} on {isa}, source {shift} units after a line:\n  got {got:?}\n want {want:?}\n{} units: {}",
                    src.len(),
                    hex(src)
                )
            };
            let got = isa.validate_utf16(src).map_err(told);
            if got != answer.result(1) {
                fail("validate_utf16", &got, &answer.result(1));
            }
            let got = (isa.count_chars_utf16(src), isa.utf8_len_from_utf16(src));
            if got != (chars, utf8_len) {
                fail("count_chars_utf16 and utf8_len_from_utf16", &got, &(chars, utf8_len));
            }
            let got = told(isa.utf16_to_utf8(src, bytes.part(room, shift)));
            if got != want {
                fail(&format!("utf16_to_utf8 into {room} bytes"), &got, &want);
            }
            if let Some(complaint) = bytes.complaint(&text[..want.written]) {
                fail(&format!("utf16_to_utf8 into {room} bytes: {complaint}"), &got, &want);
            }
        }
    }
}

type Lossy = fn(Isa, &[u8], &mut [u8]) -> LossyConversion;

impl Checker {
    /// Checks the lossy operations on UTF-8, with buffers of the sizes that `rooms` returns for the exact ones. The
    /// result must be the same as that of std if everything fits, otherwise as that of plain Rust.
    pub fn utf8_lossy(&mut self, src: &[u8], rooms: impl Fn(usize) -> Vec<usize>) {
        let answer = LossyUtf8::new(src);
        let text = &answer.text;
        let [le, be] = [u16::to_le_bytes as fn(u16) -> _, u16::to_be_bytes].map(|order| answer.utf16_bytes(order));
        let shift = self.shift.unwrap_or(0);
        for i in 0..self.isas.len() {
            let isa = self.isas[i];
            let lengths = (isa.utf8_len_from_utf8_lossy(src), isa.utf16_len_from_utf8_lossy(src));
            assert_eq!(lengths, (text.len(), answer.units.len()), "lossy lengths on {isa} of {}", hex(src));
        }
        let operations: [(&str, Lossy, &[u8]); 3] = [
            ("utf8_to_utf8_lossy", Isa::utf8_to_utf8_lossy, text.as_bytes()),
            ("utf8_to_utf16le_lossy", Isa::utf8_to_utf16le_lossy, &le),
            ("utf8_to_utf16be_lossy", Isa::utf8_to_utf16be_lossy, &be),
        ];
        for (name, convert, want) in operations {
            self.lossy(src, shift, name, convert, want, &rooms(want.len()));
        }
        self.shift = None;
    }

    /// Like [`utf8_lossy`](Self::utf8_lossy), for UTF-16 as bytes.
    pub fn utf16_lossy(&mut self, units: &[u16], rooms: impl Fn(usize) -> Vec<usize>) {
        type Len = fn(Isa, &[u8]) -> usize;
        type Repair = fn(Isa, &mut [u8]) -> usize;
        type InOrder = (&'static str, fn(u16) -> [u8; 2], Lossy, Len, Repair);
        const ORDERS: [InOrder; 2] = [
            (
                "utf16le_to_utf8_lossy",
                u16::to_le_bytes,
                Isa::utf16le_to_utf8_lossy,
                Isa::utf8_len_from_utf16le_lossy,
                Isa::make_well_formed_utf16le,
            ),
            (
                "utf16be_to_utf8_lossy",
                u16::to_be_bytes,
                Isa::utf16be_to_utf8_lossy,
                Isa::utf8_len_from_utf16be_lossy,
                Isa::make_well_formed_utf16be,
            ),
        ];
        let LossyUtf16 { text, well_formed, replacements, .. } = LossyUtf16::new(units, false);
        let shift = self.shift.unwrap_or(0);
        for (name, order, convert, len, repair) in ORDERS {
            let src = to_bytes(units, order);
            self.lossy(&src, shift, name, convert, text.as_bytes(), &rooms(text.len()));
            let want = to_bytes(&well_formed, order);
            for i in 0..self.isas.len() {
                let isa = self.isas[i];
                let fail = || format!("{name} on {isa}, source {shift} bytes after a line: {}", hex(&src));
                assert_eq!(len(isa, &src), text.len(), "{}", fail());
                let part = self.bytes.part(src.len(), shift);
                part.copy_from_slice(&src);
                assert_eq!(repair(isa, part), replacements, "{}", fail());
                if let Some(complaint) = self.bytes.complaint(&want) {
                    panic!("repaired: {complaint}\n{}", fail());
                }
            }
        }
        self.shift = None;
    }

    fn lossy(&mut self, src: &[u8], shift: usize, name: &str, convert: Lossy, want: &[u8], rooms: &[usize]) {
        let Self { isas, src: place_for_src, bytes, .. } = self;
        let src = place(place_for_src, src, shift, 0xF0, 0x80);
        for &room in rooms {
            let mut scalar = vec![0; room];
            let expected = convert(Isa::SCALAR, src, &mut scalar);
            assert_eq!(expected.is_complete(), room >= want.len(), "{name} on scalar: {}", hex(src));
            for &isa in isas.iter() {
                let got = convert(isa, src, bytes.part(room, shift));
                let complaint = bytes.complaint(&want[..expected.written]);
                if got != expected || complaint.is_some() {
                    panic!(
                        "{name} on {isa} into {room} bytes, both {shift} bytes after a line: {}\n  got {got:?}\n want {expected:?}\n{} bytes: {}",
                        complaint.unwrap_or_default(),
                        src.len(),
                        hex(src)
                    );
                }
            }
        }
    }
}

/// Compares the oracle with a second one, in case it is used wrongly here.
fn agrees_with_simdutf8(src: &[u8], oracle: &Utf8Oracle) {
    let got = simdutf8::compat::from_utf8(src).err().map(|error| (error.valid_up_to(), error.error_len()));
    let want = oracle.fault.map(|fault| (fault.at, fault.len));
    assert!(got == want, "the oracles disagree: {want:?}, but simdutf8 {got:?} on {}", hex(src));
    assert_eq!(simdutf8::basic::from_utf8(src).is_err(), want.is_some(), "simdutf8 basic on {}", hex(src));
}
