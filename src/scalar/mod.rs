//! Every operation in plain Rust. It is the fallback without SIMD, and the reference for tests of the kernels. It converts
//! the last bytes in every kernel, and finds the exact position and kind of every error. In a build without optimisation,
//! the functions that find errors in UTF-8 and decode UTF-16 call the standard library (`precompiled`).

mod automaton;
#[cfg(feature = "wtf8")]
#[cfg_attr(not(feature = "mutf8"), allow(dead_code))] // half of it is for that
mod generalised;
mod incomplete;
#[cfg(any(feature = "columns", feature = "positions"))]
mod masks;
#[cfg(all(fastutf_scalar_default, feature = "alloc"))]
pub(crate) mod precompiled;
mod short_ascii;

use crate::buffer::as_words;
use crate::endian::ByteOrder;
use crate::output::Output;
use crate::parts::Parts;
use crate::replacement::{Items, REPLACEMENT, Repair};
use crate::report::{
    Conversion, Counts, IllFormed, Reached, Stop, Utf8Error, Utf8Info, Utf16Error, Utf16ErrorKind,
};
pub(crate) use automaton::{first_item, ill_formed_utf8, item_at, near};
#[cfg(feature = "wtf8")]
pub(crate) use generalised::*;
pub(crate) use incomplete::{incomplete_utf8, incomplete_utf16};
pub(crate) use short_ascii::{is_short, is_short_ascii};

cfg_if::cfg_if! {
    if #[cfg(feature = "columns")] {
        mod borders;
        pub(crate) use borders::{utf8_borders, utf16_borders};
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "latin1")] {
        mod latin1;
        pub(crate) use latin1::*;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "mutf8")] {
        mod mutf8;
        pub(crate) use mutf8::*;
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "positions")] {
        mod sections;
        pub(crate) use sections::{before, count_sections, find_all, find_char, find_line, find_utf16, place_all};
    }
}
cfg_if::cfg_if! {
    if #[cfg(feature = "utf32")] {
        mod utf32;
        pub(crate) use utf32::*;
    }
}

/// The size of a machine word in bytes.
const WORD: usize = size_of::<usize>();
/// A 1 in each byte of a word.
const EACH_BYTE: usize = usize::MAX / 0xFF;
/// A 1 in each code unit of a word.
const EACH_UNIT: usize = usize::MAX / 0xFFFF;

/// Bit 7 of each byte, which is clear in ASCII.
pub(crate) const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

pub(crate) fn is_ascii(src: &[u8]) -> bool {
    src.is_ascii()
}

/// Not inlined: every call of a kernel would have to save the registers that this needs.
#[inline(never)]
pub(crate) fn validate_utf8(src: &[u8]) -> Result<(), Utf8Error> {
    let checked = if cfg!(any(fastutf_scalar_default, target_arch = "riscv32", target_arch = "riscv64")) {
        // It is compiled with optimisation, even if this is not. On RISC-V, unaligned words are read byte by byte here,
        // while it aligns its loads.
        core::str::from_utf8(src).map(|_| ()).map_err(|error| error.valid_up_to())
    } else {
        automaton::check(src)
    };
    checked.map_err(|at| utf8_error_at(src, at))
}

#[inline(never)]
pub(crate) fn utf8_info(src: &[u8]) -> Result<Utf8Info, Utf8Error> {
    validate_utf8(src)?;
    Ok(info_of_valid(src, count_chars_utf8(src), has_from_c4(src)))
}

/// What [`utf8_info`] returns for well-formed text of so many characters, with a lead byte from C4 on or without.
pub(crate) fn info_of_valid(src: &[u8], chars: usize, from_c4: bool) -> Utf8Info {
    let from_f0 = utf16_len_from_utf8(src) - chars;
    Utf8Info::new(src.len(), Counts::new(src.len() - chars, from_f0, from_c4))
}

/// Whether well-formed text has characters above U+00FF: a lead byte from C4 on.
fn has_from_c4(src: &[u8]) -> bool {
    // Bits 7 and 6, and any of the next four.
    sum_of_bytes(src, |word| word >> 7 & word >> 6 & (word >> 5 | word >> 4 | word >> 3 | word >> 2) & EACH_BYTE)
        > 0
}

/// Describes the first error of `src` (RFC 3629 §4, and the maximal subparts of Unicode 3.9). Everything before `wrong` is
/// well-formed, except that it may end with an incomplete character, or with a byte that starts no character. The byte at
/// `wrong`, or the end, may not follow.
///
/// The place of damage cannot be predicted, so there are hardly any branches on it.
#[cfg(fastutf_simd)]
#[cold]
#[inline(never)]
pub(crate) fn locate_utf8_error(src: &[u8], wrong: usize) -> Utf8Error {
    // A panic would need a stack frame.
    let Some(before) = src.get(..wrong) else { return Utf8Error::new(src.len(), IllFormed::Incomplete) };
    match cut_len(before) {
        0 => Utf8Error::new(wrong, AMISS[usize::from(src.get(wrong).copied().unwrap_or(0))]),
        cut => ill_formed_at(src, wrong - cut, cut),
    }
}

/// The argument `wrong` of [`locate_utf8_error`]. A kernel has found that there is an error, and that everything before `checked` is
/// well-formed, with the exceptions that are allowed before `wrong`.
#[cfg(fastutf_simd)]
#[cold]
#[inline(never)]
pub(crate) fn wrong_utf8(src: &[u8], checked: usize) -> usize {
    let mut at = checked - cut_len(&src[..checked]);
    loop {
        match item_at(src, at) {
            Ok(len) => at += len,
            Err(len) => return if src[at] < 0xC0 { at } else { at + len },
        }
    }
}

/// Describes the ill-formed sequence of `len` bytes that starts at `at`.
#[inline(always)]
fn ill_formed_at(src: &[u8], at: usize, len: usize) -> Utf8Error {
    debug_assert_eq!(item_at(src, at), Err(len));
    let (first, next) = (src[at], src.get(at + len).copied());
    let is_amiss = starts_none(first) | (len == 1) & next.is_some_and(is_continuation);
    Utf8Error::new(at, AMISS[if is_amiss { usize::from(first) } else { len * usize::from(next.is_some()) }])
}

/// The error of a byte from 80 on that starts no character, or of the continuation after it. The first four are the errors of
/// characters that end too early.
pub(crate) static AMISS: [IllFormed; 256] = {
    use IllFormed::*;
    let mut table = [StrayContinuation; 256];
    let mut k = 0;
    while k < 256 {
        table[k] = match k {
            0..4 => [Incomplete, Missing1st, Missing2nd, Missing3rd][k],
            0xC0 | 0xC1 | 0xE0 | 0xF0 => Overlong,
            0xED => Surrogate,
            0xF4..=0xF7 => AboveMax,
            0xF8..=0xFD => FiveOrSixByteForm,
            0xFE.. => InvalidLead,
            _ => StrayContinuation,
        };
        k += 1;
    }
    table
};

/// Whether no character starts with `byte`.
#[inline(always)]
pub(crate) const fn starts_none(byte: u8) -> bool {
    (byte >= 0x80) & (byte.wrapping_sub(0xC2) > 0xF4 - 0xC2)
}

/// The length of the character that is cut at the end of `text`, which is well-formed otherwise; 0 if there is none. A byte
/// that starts no character counts as one that is cut.
#[cfg(fastutf_simd)]
#[inline(always)]
pub(crate) fn cut_len(text: &[u8]) -> usize {
    let back = |k: usize| text.len().checked_sub(k).map_or(0, |at| text[at]);
    let longer = (2 * usize::from(back(2) >= 0xE0)) | (3 * usize::from(back(3) >= 0xF0));
    if back(1) >= 0xC0 { 1 } else { longer }
}

/// Returns where the last character of `text` starts, complete or not, or the end if there is none. `text` must be
/// well-formed but may be cut inside a character. Not inlined: this is the same for all instruction sets.
#[inline(never)]
pub(crate) fn last_char_start(text: &[u8]) -> usize {
    let mut back = 1;
    while back <= text.len() && back <= 4 {
        if !is_continuation(text[text.len() - back]) {
            return text.len() - back;
        }
        back += 1;
    }
    text.len()
}

#[inline(always)]
pub(crate) const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Describes the ill-formed sequence that starts at `at`.
#[cold]
pub(crate) fn utf8_error_at(src: &[u8], at: usize) -> Utf8Error {
    let Err(len) = item_at(src, at) else { unreachable!("there is an error") };
    ill_formed_at(src, at, len)
}

/// Decodes the character at the start of `src`: its value and its length in bytes, or `None` if it is ill-formed.
#[inline(always)]
pub(crate) fn decode_utf8(src: &[u8]) -> Option<(u32, usize)> {
    let tail = |at: usize| match src.get(at) {
        Some(&byte) if is_continuation(byte) => Some(u32::from(byte & 0b0011_1111)),
        _ => None,
    };
    let lead = u32::from(*src.first()?);
    match lead {
        0..0x80 => Some((lead, 1)),
        0xC2..0xE0 => Some(((lead & 0b1_1111) << 6 | tail(1)?, 2)),
        0xE0..0xF0 => {
            let value = (lead & 0b1111) << 12 | tail(1)? << 6 | tail(2)?;
            (value >= 0x800 && value & 0xF800 != 0xD800).then_some((value, 3))
        }
        0xF0..0xF5 => {
            let value = (lead & 0b111) << 18 | tail(1)? << 12 | tail(2)? << 6 | tail(3)?;
            matches!(value, 0x1_0000..=0x10_FFFF).then_some((value, 4))
        }
        _ => None,
    }
}

/// Converts as much of `src` as there is room for, with replacements.
pub(crate) fn utf8_to_utf16_lossy(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let (out, replacements) = for_each_order!(order, convert_utf8(order, true, src, dst, Reached::START));
    Repair { read: out.read, written: out.written, replacements }
}

/// Widens the 4 bytes of a little-endian number to code units.
#[inline(always)]
pub(crate) fn widen_ascii(order: ByteOrder, bytes: u32) -> [u8; 8] {
    let mut units = u64::from(bytes);
    units = (units | units << 16) & 0x0000_FFFF_0000_FFFF;
    units = (units | units << 8) & 0x00FF_00FF_00FF_00FF;
    if order.is_big() { (units << 8).to_le_bytes() } else { units.to_le_bytes() }
}

/// Compiled twice: most callers know which order it is.
#[inline(always)]
pub(crate) fn utf8_to_utf16(order: ByteOrder, src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf8Error> {
    #[inline(never)]
    fn little(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf8Error> {
        convert_utf8(ByteOrder::Little, false, src, dst, at).0
    }
    #[inline(never)]
    fn big(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf8Error> {
        convert_utf8(ByteOrder::Big, false, src, dst, at).0
    }
    if order.is_big() { big(src, dst, at) } else { little(src, dst, at) }
}

#[inline(always)]
fn convert_utf8(
    order: ByteOrder,
    lossy: bool,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> (Conversion<Utf8Error>, usize) {
    let len = dst.len();
    let mut replacements = 0;
    // The rest of the input and of the output.
    let (mut rest, mut room) = (&src[at.read..], &mut dst[at.written..]);
    let stop = 'all: loop {
        // ASCII, 8 at a time, and then the ASCII before the next other character.
        while let (Some(bytes), Some(out)) = (rest.first_chunk::<8>(), room.first_chunk_mut::<16>()) {
            let number = u64::from_le_bytes(*bytes);
            let not_ascii = number & NOT_ASCII;
            if not_ascii != 0 {
                let ascii = not_ascii.trailing_zeros() as usize / 8;
                out.as_chunks_mut::<2>().0.assign(bytes[..ascii].iter().map(|&byte| order.bytes(u16::from(byte))));
                (rest, room) = (&rest[ascii..], &mut room[2 * ascii..]);
                break;
            }
            out.write(&widen_ascii(order, number as u32));
            out[8..].write(&widen_ascii(order, (number >> 32) as u32));
            (rest, room) = (&rest[8..], &mut room[16..]);
        }
        // Runs of characters of 3 bytes, of 2, of 4.
        while let (Some(bytes), Some(out)) = (rest.first_chunk::<3>(), room.first_chunk_mut::<2>())
            && let Some((value, 3)) = decode_utf8(bytes)
        {
            encode_utf16(order, value, out);
            (rest, room) = (&rest[3..], &mut room[2..]);
        }
        while let (Some(bytes), Some(out)) = (rest.first_chunk::<2>(), room.first_chunk_mut::<2>())
            && let Some((value, 2)) = decode_utf8(bytes)
        {
            encode_utf16(order, value, out);
            (rest, room) = (&rest[2..], &mut room[2..]);
        }
        while let (Some(bytes), Some(out)) = (rest.first_chunk::<4>(), room.first_chunk_mut::<4>())
            && let Some((value, 4)) = decode_utf8(bytes)
        {
            encode_utf16(order, value, out);
            (rest, room) = (&rest[4..], &mut room[4..]);
        }
        // The last characters, and errors, several in a row one at a time.
        let mut again = true;
        while again {
            if rest.is_empty() {
                break 'all Stop::Complete;
            }
            let decoded = decode_utf8(rest);
            let (value, len) = match decoded {
                Some(decoded) => decoded,
                None if lossy => (0xFFFD, first_item(rest).unwrap_or_else(|len| len)),
                None => break 'all Stop::Invalid(utf8_error_at(src, src.len() - rest.len())),
            };
            let Some(count) = encode_utf16(order, value, room) else { break 'all Stop::OutputFull };
            (rest, room) = (&rest[len..], &mut room[count..]);
            replacements += usize::from(decoded.is_none());
            again = lossy && decoded.is_none() && !matches!(rest, [0..0x80, ..]);
        }
    };
    (Conversion { read: src.len() - rest.len(), written: len - room.len(), stop }, replacements)
}

/// The first ill-formed sequence of `src`, and the offset where it starts.
pub(crate) fn ill_formed_items(src: &[u8]) -> Option<(usize, Items)> {
    ill_formed_utf8(src).map(|(start, end)| (start, Items::one(end - start)))
}

/// Copies the first `valid` bytes of `src`, which must be well-formed, or as many whole characters of them as fit.
/// Returns the number of bytes.
pub(crate) fn copy_valid(src: &[u8], valid: usize, dst: &mut Output) -> usize {
    let mut fits = valid.min(dst.len());
    while fits < valid && is_continuation(src[fits]) {
        fits -= 1;
    }
    if fits <= 64 {
        dst[..fits].copy_short(&src[..fits]);
    } else {
        dst.write(&src[..fits]);
    }
    fits
}

/// Copies as much of `src` as there is room for, with replacements.
pub(crate) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    loop {
        // No item becomes shorter, so at most `room.len()` bytes and the end of the last item can matter.
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        let rest = &rest[..rest.len().min(room.len().saturating_add(4))];
        let (start, end) = ill_formed_utf8(rest).unwrap_or((rest.len(), rest.len()));
        let fits = if start == 0 { 0 } else { copy_valid(rest, start, room) };
        (done.read, done.written) = (done.read + fits, done.written + fits);
        let Some(room) = room.chunk_at::<3>(fits) else { break };
        if fits < start || start == end {
            break;
        }
        room.write(REPLACEMENT.as_bytes());
        (done.read, done.written) = (done.read + end - start, done.written + REPLACEMENT.len());
        done.replacements += 1;
    }
    done
}

/// Writes a character to the start of `dst`. Returns the number of bytes, or `None` if it does not fit.
#[inline(always)]
fn encode_utf16(order: ByteOrder, value: u32, dst: &mut Output) -> Option<usize> {
    if value < 0x1_0000 {
        dst.put(&order.bytes(value as u16))
    } else {
        let (high, low) = (0xD7C0 + (value >> 10), 0xDC00 | value & 0x3FF);
        let pair = [order.bytes(high as u16), order.bytes(low as u16)];
        dst.first_chunk_mut::<4>()?.write(pair.as_flattened());
        Some(4)
    }
}

/// Decodes the character at the start of `src`: its value and its length in bytes, or the kind of the error.
#[inline(always)]
pub(crate) fn decode_utf16(order: ByteOrder, src: &[u8]) -> Result<(u32, usize), Utf16ErrorKind> {
    let Some(&first) = src.first_chunk::<2>() else { return Err(Utf16ErrorKind::TrailingByte) };
    let unit = order.unit(first);
    if unit & 0xF800 != 0xD800 {
        return Ok((u32::from(unit), 2));
    }
    if unit >= 0xDC00 {
        return Err(Utf16ErrorKind::UnpairedLowSurrogate);
    }
    let Some(&[_, _, a, b]) = src.first_chunk::<4>() else { return Err(Utf16ErrorKind::TrailingHighSurrogate) };
    let next = order.unit([a, b]);
    if next & 0xFC00 != 0xDC00 {
        return Err(Utf16ErrorKind::UnpairedHighSurrogate);
    }
    Ok((pair(unit, next), 4))
}

/// The character that a high and a low surrogate encode.
#[inline(always)]
pub(crate) fn pair(high: u16, low: u16) -> u32 {
    0x1_0000 + (u32::from(high & 0x3FF) << 10 | u32::from(low & 0x3FF))
}

pub(crate) fn validate_utf16(order: ByteOrder, src: &[u8]) -> Result<(), Utf16Error> {
    validate_utf16_from(order, src, 0)
}

/// Continues from `start`, a character boundary where a kernel stopped. Offsets are in bytes.
pub(crate) fn validate_utf16_from(order: ByteOrder, src: &[u8], start: usize) -> Result<(), Utf16Error> {
    let mut at = start + for_each_order!(order, skip_paired(order, &src[start..]));
    while at < src.len() {
        match decode_utf16(order, &src[at..]) {
            Ok((_, len)) => at += len,
            Err(kind) => return Err(Utf16Error::in_bytes_at(at, kind)),
        }
    }
    Ok(())
}

/// The length of a well-formed prefix of `src`, up to a character boundary. Goes by blocks of 8 code units, in which each
/// unit must be a high surrogate exactly if the next one is a low surrogate. Compilers vectorise this.
#[inline(always)]
fn skip_paired(order: ByteOrder, src: &[u8]) -> usize {
    const EIGHT_UNITS: usize = 2 * 8;
    let is_low = |units: &[u8]| units.first_chunk().is_some_and(|&unit| order.unit(unit) & 0xFC00 == 0xDC00);
    if is_low(src) {
        return 0;
    }
    let mut rest = src;
    while let Some(window) = rest.first_chunk::<{ EIGHT_UNITS + 2 }>() {
        let unit = |at: usize| order.unit(*window.expect_chunk(at));
        let mut unpaired = 0;
        let mut at = 0;
        while at < EIGHT_UNITS {
            let high = u16::from(unit(at) & 0xFC00 == 0xD800);
            let low = u16::from(unit(at + 2) & 0xFC00 == 0xDC00);
            unpaired |= high ^ low;
            at += 2;
        }
        if unpaired != 0 {
            break;
        }
        rest = &rest[EIGHT_UNITS..];
    }
    let skipped = src.len() - rest.len();
    // If the next unit is a low surrogate, steps back to its high surrogate.
    if is_low(rest) { skipped - 2 } else { skipped }
}

/// Two functions, as [`utf8_to_utf16`].
#[inline(always)]
pub(crate) fn utf16_to_utf8(
    order: ByteOrder,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> Conversion<Utf16Error> {
    #[inline(never)]
    fn little(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf16Error> {
        convert_utf16(ByteOrder::Little, false, src, dst, at).0
    }
    #[inline(never)]
    fn big(src: &[u8], dst: &mut Output, at: Reached) -> Conversion<Utf16Error> {
        convert_utf16(ByteOrder::Big, false, src, dst, at).0
    }
    #[cfg(all(fastutf_scalar_default, feature = "alloc"))]
    let at = precompiled::utf16_to_utf8(order, src, dst, at);
    if order.is_big() { big(src, dst, at) } else { little(src, dst, at) }
}

/// Converts as much of `src` as there is room for, with replacements.
pub(crate) fn utf16_to_utf8_lossy(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let (out, replacements) = for_each_order!(order, convert_utf16(order, true, src, dst, Reached::START));
    Repair { read: out.read, written: out.written, replacements }
}

#[inline(always)]
fn convert_utf16(
    order: ByteOrder,
    lossy: bool,
    src: &[u8],
    dst: &mut Output,
    at: Reached,
) -> (Conversion<Utf16Error>, usize) {
    let len = dst.len();
    let mut replacements = 0;
    // The rest of the input and of the output.
    let (mut rest, mut room) = (&src[at.read..], &mut dst[at.written..]);
    let stop = loop {
        // ASCII, 8 at a time, and then the ASCII before the next other character.
        while let (Some(bytes), Some(out)) = (rest.first_chunk::<16>(), room.first_chunk_mut::<8>()) {
            let units = bytes.as_chunks::<2>().0;
            let (mut all, mut at) = (0, 0);
            while at < out.len() {
                all |= order.unit(units[at]);
                at += 1;
            }
            if all >= 0x80 {
                let mut ascii = 0;
                while let unit @ 0..0x80 = order.unit(units[ascii]) {
                    out.set(ascii, unit as u8);
                    ascii += 1;
                }
                (rest, room) = (&rest[2 * ascii..], &mut room[ascii..]);
                break;
            }
            let mut at = 0;
            while at < out.len() {
                out.set(at, order.unit(units[at]) as u8);
                at += 1;
            }
            (rest, room) = (&rest[16..], &mut room[8..]);
        }
        // Runs of characters of 3 bytes, of 2 and of 4, and single ASCII characters between them.
        loop {
            let before = rest.len();
            while let (Some(unit), Some(out)) = (rest.first_chunk::<2>(), room.first_chunk_mut::<3>())
                && let value @ 0x800..0xD800 = u32::from(order.unit(*unit))
            {
                encode_utf8(value, out);
                (rest, room) = (&rest[2..], &mut room[3..]);
            }
            while let (Some(unit), Some(out)) = (rest.first_chunk::<2>(), room.first_chunk_mut::<2>())
                && let value @ 0x80..0x800 = u32::from(order.unit(*unit))
            {
                encode_utf8(value, out);
                (rest, room) = (&rest[2..], &mut room[2..]);
            }
            while let (Some(units), Some(out)) = (rest.first_chunk::<4>(), room.first_chunk_mut::<4>()) {
                match decode_utf16(order, units) {
                    Ok((value, 4)) => {
                        encode_utf8(value, out);
                        (rest, room) = (&rest[4..], &mut room[4..]);
                    }
                    Err(_) if lossy => {
                        out.write(REPLACEMENT.as_bytes());
                        (rest, room) = (&rest[2..], &mut room[3..]);
                        replacements += 1;
                    }
                    _ => break,
                }
            }
            if let (Some(&[a, b, c, d]), Some(out)) = (rest.first_chunk::<4>(), room.first_chunk_mut::<1>())
                && let value @ 0..0x80 = u32::from(order.unit([a, b]))
            {
                if order.unit([c, d]) < 0x80 {
                    break;
                }
                encode_utf8(value, out);
                (rest, room) = (&rest[2..], &mut room[1..]);
            } else if rest.len() == before {
                break;
            }
        }
        // The last characters, and errors.
        if rest.is_empty() {
            break Stop::Complete;
        }
        let decoded = decode_utf16(order, rest);
        let (value, len) = match decoded {
            Ok(decoded) => decoded,
            Err(_) if lossy => (0xFFFD, rest.len().min(2)),
            Err(kind) => {
                let valid_up_to = src.len() - rest.len();
                break Stop::Invalid(Utf16Error::in_bytes_at(valid_up_to, kind));
            }
        };
        let Some(count) = encode_utf8(value, room) else { break Stop::OutputFull };
        (rest, room) = (&rest[len..], &mut room[count..]);
        replacements += usize::from(decoded.is_err());
    };
    (Conversion { read: src.len() - rest.len(), written: len - room.len(), stop }, replacements)
}

/// Writes a character to the start of `dst`. Returns the number of bytes, or `None` if it does not fit.
#[inline(always)]
fn encode_utf8(value: u32, dst: &mut Output) -> Option<usize> {
    const TAIL: u32 = 0b1000_0000;
    let tail = |shift: u32| (TAIL | value >> shift & 0b0011_1111) as u8;
    match value {
        0..0x80 => dst.put(&[value as u8])?,
        0x80..0x800 => dst.put(&[(0b1100_0000 | value >> 6) as u8, tail(0)])?,
        0x800..0x1_0000 => dst.put(&[(0b1110_0000 | value >> 12) as u8, tail(6), tail(0)])?,
        _ => dst.put(&[(0b1111_0000 | value >> 18) as u8, tail(12), tail(6), tail(0)])?,
    };
    Some(match value {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        _ => 4,
    })
}

/// Counts the bytes that start a character.
#[inline(never)]
pub(crate) fn count_chars_utf8(src: &[u8]) -> usize {
    sum_of_bytes(src, starts)
}

/// Counts the bytes that start a character, and those that start one of 4 bytes a second time.
#[inline(never)]
pub(crate) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    sum_of_bytes(src, |word| starts(word) + (word >> 7 & word >> 6 & word >> 5 & word >> 4 & EACH_BYTE))
}

/// [`utf16_len_from_utf8`] for few bytes.
pub(crate) fn few_utf16_len(src: &[u8]) -> usize {
    let (mut len, mut at) = (0, 0);
    while at < src.len() {
        len += usize::from(!is_continuation(src[at])) + usize::from(src[at] >= 0xF0);
        at += 1;
    }
    len
}

/// A 1 in each byte of a word that starts a character: one with bit 7 clear or bit 6 set.
#[inline(always)]
fn starts(word: usize) -> usize {
    (!word >> 7 | word >> 6) & EACH_BYTE
}

/// The sum of `of` for each byte. `of` takes a word and returns a number in each of its bytes, at most 2.
#[inline(always)]
fn sum_of_bytes(src: &[u8], of: fn(usize) -> usize) -> usize {
    let (first, words, last) = as_words(src);
    let mut total = 0;
    // As many words as cannot overflow a byte.
    for part in words.chunks(127) {
        let mut sums = 0;
        for &word in part {
            sums += of(word);
        }
        let low = EACH_UNIT * 0xFF;
        // The highest code unit of the product is the sum of all.
        total += ((sums & low) + (sums >> 8 & low)).wrapping_mul(EACH_UNIT) >> (8 * WORD - 16);
    }
    let mut at = 0;
    while at < first.len() + last.len() {
        let byte = if at < first.len() { first[at] } else { last[at - first.len()] };
        total += of(usize::from(byte)) & 0xFF;
        at += 1;
    }
    total
}

/// Counts the code units that are not low surrogates.
#[inline(never)]
pub(crate) fn count_chars_utf16(order: ByteOrder, src: &[u8]) -> usize {
    sum_of_units(order, [0xFC00, 0xDC00, 0], src, |unit, [six_bits, low, _]| u16::from(unit & six_bits != low))
}

/// Counts 1, 2 or 3 bytes for each code unit, and 2 for each surrogate.
#[inline(never)]
pub(crate) fn utf8_len_from_utf16(order: ByteOrder, src: &[u8]) -> usize {
    sum_of_units(order, [0xFF80, 0xF800, 0xD800], src, |unit, [not_ascii, from_800, surrogate]| {
        let upper = unit & from_800;
        1 + u16::from(unit & not_ascii != 0) + u16::from(upper != 0 && upper != surrogate)
    })
}

/// The sum of `of` for each code unit, which is at most 3. Uses 16-bit numbers, which compilers vectorise. For the other byte
/// order, the constants that `of` compares with are swapped instead of the units. So one loop serves both orders, and is
/// as fast for both.
#[inline(always)]
fn sum_of_units(order: ByteOrder, constants: [u16; 3], src: &[u8], of: fn(u16, [u16; 3]) -> u16) -> usize {
    let [a, b, c] = constants;
    let constants = [order.unit(a.to_ne_bytes()), order.unit(b.to_ne_bytes()), order.unit(c.to_ne_bytes())];
    let mut total = 0;
    for part in src.as_chunks::<2>().0.chunks(16384) {
        let mut sum = 0;
        for &unit in part {
            sum += of(u16::from_ne_bytes(unit), constants);
        }
        total += usize::from(sum);
    }
    total
}

pub(crate) fn swap_utf16_bytes(bytes: &mut [u8]) {
    for unit in bytes.as_chunks_mut::<2>().0 {
        *unit = u16::from_ne_bytes(*unit).swap_bytes().to_ne_bytes();
    }
}

/// Swaps from `src` into `dst`, which has the same length. An odd last byte is copied.
pub(crate) fn swap_utf16_bytes_into(src: &[u8], dst: &mut Output) {
    let ((units, rest), (swapped, last)) = (src.as_chunks::<2>(), dst.as_chunks_mut::<2>());
    let swapped = &mut swapped[..units.len()];
    let mut at = 0;
    while at < units.len() {
        swapped.set(at, u16::from_ne_bytes(units[at]).swap_bytes().to_ne_bytes());
        at += 1;
    }
    last.write(rest);
}

/// Counts the unpaired surrogates, ignoring an odd last byte. Their number is that of the units that do not match the
/// next one: a high surrogate not before a low one, or another unit before a low one. Before and after the text are no
/// surrogates.
#[inline(never)]
pub(crate) fn count_unpaired_utf16(order: ByteOrder, src: &[u8]) -> usize {
    const PART: usize = 16384;
    let units = src.as_chunks::<2>().0;
    let ([first, next @ ..], [.., last]) = (units, units) else { return 0 };
    let (high, low) = (|unit| order.unit(unit) & 0xFC00 == 0xD800, |unit| order.unit(unit) & 0xFC00 == 0xDC00);
    let mut total = usize::from(low(*first)) + usize::from(high(*last));
    let mut rest = units;
    for next in next.chunks(PART) {
        let (part, after) = rest.split_at(next.len());
        let (mut at, mut sum) = (0, 0);
        while at < next.len() {
            sum += u16::from(high(part[at]) ^ low(next[at]));
            at += 1;
        }
        total += usize::from(sum);
        rest = after;
    }
    total
}

/// Copies whole code units to `dst`, which has the length of `src`, with U+FFFD for unpaired surrogates. Returns how
/// many were replaced. Each unit is decided by its neighbours alone, so compilers vectorise this.
pub(crate) fn repair_utf16(order: ByteOrder, src: &[u8], dst: &mut Output) -> usize {
    const PART: usize = 16384;
    let (high, low) = (|unit: u16| unit & 0xFC00 == 0xD800, |unit: u16| unit & 0xFC00 == 0xDC00);
    let repaired = |before: u16, unit: u16, after: u16| {
        let unpaired = high(unit) & !low(after) | low(unit) & !high(before);
        (if unpaired { 0xFFFD } else { unit }, u16::from(unpaired))
    };
    let (units, out) = (src.as_chunks::<2>().0, dst.as_chunks_mut::<2>().0);
    let at = |at: usize| match units.get(at) {
        Some(unit) => order.unit(*unit),
        None => 0,
    };
    let Some(last) = units.len().checked_sub(1) else { return 0 };
    // The first and the last unit have only one neighbour.
    let (first, unpaired) = repaired(0, at(0), at(1));
    out.set(0, order.bytes(first));
    let mut count = usize::from(unpaired);
    if last > 0 {
        let (unit, unpaired) = repaired(at(last - 1), at(last), 0);
        out.set(last, order.bytes(unit));
        count += usize::from(unpaired);
    }
    let mut from = 1;
    while from < last {
        let len = PART.min(last - from);
        let (units, out) = (units.expect_part(from - 1, len + 2), out.expect_part(from, len));
        let (mut i, mut unpaired) = (0, 0);
        while i < len {
            let (unit, more) = repaired(order.unit(units[i]), order.unit(units[i + 1]), order.unit(units[i + 2]));
            out.set(i, order.bytes(unit));
            unpaired += more;
            i += 1;
        }
        count += usize::from(unpaired);
        from += len;
    }
    count
}

/// [`repair_utf16`] in place.
pub(crate) fn repair_utf16_in_place(order: ByteOrder, bytes: &mut [u8]) -> usize {
    let (mut before, mut count) = (0, 0);
    let mut rest = bytes.as_chunks_mut::<2>().0;
    while let [unit, after @ ..] = rest {
        let value = order.unit(*unit);
        if value & 0xF800 == 0xD800 {
            let next = after.first().map_or(0, |unit| order.unit(*unit));
            let paired = if value < 0xDC00 { next & 0xFC00 == 0xDC00 } else { before & 0xFC00 == 0xD800 };
            if !paired {
                *unit = order.bytes(0xFFFD);
                count += 1;
            }
        }
        before = value;
        rest = after;
    }
    count
}

/// [`utf8_to_utf8_lossy`] for few bytes.
#[inline(always)]
pub(crate) fn tiny_utf8_to_utf8_lossy(src: &[u8], dst: &mut Output) -> Repair {
    let (mut rest, mut done) = (src, Repair::default());
    while !rest.is_empty() {
        let (read, item, ill_formed) = match first_item(rest) {
            Ok(len) => (len, &rest[..len], 0),
            Err(len) => (len, REPLACEMENT.as_bytes(), 1),
        };
        let Some(out) = dst.get_mut(done.written..done.written + item.len()) else { break };
        // So few bytes are not worth a call.
        let mut at = 0;
        while at < item.len() {
            out.set(at, item[at]);
            at += 1;
        }
        done.add(Repair { read, written: item.len(), replacements: ill_formed });
        rest = &rest[read..];
    }
    done
}

/// [`utf8_to_utf16_lossy`] for few bytes.
#[inline(always)]
pub(crate) fn tiny_utf8_to_utf16_lossy(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    while let rest @ [_, ..] = &src[done.read..] {
        let (value, read, ill_formed) = match decode_utf8(rest) {
            Some((value, len)) => (value, len, 0),
            None => (0xFFFD, first_item(rest).unwrap_or_else(|len| len), 1),
        };
        let Some(written) = encode_utf16(order, value, &mut dst[done.written..]) else { break };
        done.add(Repair { read, written, replacements: ill_formed });
    }
    done
}

/// [`utf16_to_utf8_lossy`] for few code units.
#[inline(always)]
pub(crate) fn tiny_utf16_to_utf8_lossy(order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
    let mut done = Repair::default();
    while let rest @ [_, ..] = &src[done.read..] {
        let (value, read, ill_formed) = match decode_utf16(order, rest) {
            Ok((value, len)) => (value, len, 0),
            Err(_) => (0xFFFD, rest.len().min(2), 1),
        };
        let Some(written) = encode_utf8(value, &mut dst[done.written..]) else { break };
        done.add(Repair { read, written, replacements: ill_formed });
    }
    done
}

/// The length in UTF-8, with replacements, of few code units.
#[inline(always)]
pub(crate) fn tiny_utf8_len_from_utf16_lossy(order: ByteOrder, src: &[u8]) -> usize {
    let (mut rest, mut len) = (src, 0);
    while !rest.is_empty() {
        let (value, read) = decode_utf16(order, rest).unwrap_or((0xFFFD, rest.len().min(2)));
        len += if read == 4 { 4 } else { 1 + usize::from(value >= 0x80) + usize::from(value >= 0x800) };
        rest = &rest[read..];
    }
    len
}
