//! Lossy operations on UTF-16: U+FFFD for each unpaired surrogate and, if the output is UTF-8, for an odd last byte.
//!
//! U+FFFD is one code unit, like the surrogate that it replaces. So where there are many errors, pieces of the text are repaired in
//! a copy, which is converted like any well-formed text. The number of errors hardly affects the speed of that.

use core::mem::MaybeUninit;

use super::TINY;
#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, String};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::output::Output;
use crate::replacement::{REPLACEMENT, Repair};
use crate::report::{LossyConversion, Stop};
use crate::scalar;

/// After this many bytes without an error, errors count as rare: each is replaced individually and the text is
/// converted directly up to the next. Finding an error that way takes as long as repairing this many bytes.
const SPARSE: usize = 512;
/// Below this many bytes, plain Rust has finished before SIMD has begun.
const SIMD_FROM: usize = 64;
/// How many bytes are repaired at a time: few at the first error, then twice as many each time while errors go on.
const MIN_PIECE: usize = 1024;
const MAX_PIECE: usize = 4096;

impl Isa {
    #[inline(always)]
    pub(crate) fn utf16_bytes_to_utf8_lossy(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> LossyConversion {
        if src.len() <= TINY {
            return scalar::tiny_utf16_to_utf8_lossy(order, src, dst).outcome(src.len());
        }
        let out = self.utf16_bytes_to_utf8(order, src, dst);
        let done = Repair { read: out.read, written: out.written, replacements: 0 };
        match out.stop {
            Stop::Invalid(_) => self.go_on_lossy(order, src, dst, done),
            _ => done.outcome(src.len()),
        }
    }

    /// Continues from `done`, where there is an error.
    #[cold]
    #[inline(never)]
    fn go_on_lossy(self, order: ByteOrder, src: &[u8], dst: &mut Output, mut done: Repair) -> LossyConversion {
        // Errors do not slow down plain Rust.
        if self == Self::SCALAR || src.len() - done.read < SIMD_FROM {
            done.add(scalar::utf16_to_utf8_lossy(order, &src[done.read..], &mut dst[done.written..]));
            return done.outcome(src.len());
        }
        // The number of bytes without an error before this one, and how many to repair next.
        let (mut valid, mut size) = (done.read, MIN_PIECE);
        while done.read < src.len() {
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            if valid >= SPARSE || rest.len() < 2 {
                if room.len() < REPLACEMENT.len() {
                    break;
                }
                room.write(REPLACEMENT.as_bytes());
                done.add(Repair { read: rest.len().min(2), written: REPLACEMENT.len(), replacements: 1 });
                size = MIN_PIECE;
            } else {
                let mut buffer = [MaybeUninit::uninit(); MAX_PIECE];
                let piece = piece(order, rest, size);
                let (repaired, unpaired) = self.repaired(order, piece, Output::new(&mut buffer));
                let out = self.utf16_bytes_to_utf8(order, repaired, room);
                let complete = out.is_complete();
                let replacements = if complete { unpaired } else { differing(&piece[..out.read], repaired) };
                done.add(Repair { read: out.read, written: out.written, replacements });
                if !complete {
                    break;
                }
                // With many errors, converting the text directly would not get far.
                if unpaired * SPARSE > piece.len() {
                    (valid, size) = (0, MAX_PIECE.min(2 * size));
                    continue;
                }
            }
            let out = self.utf16_bytes_to_utf8(order, &src[done.read..], &mut dst[done.written..]);
            done.add(Repair { read: out.read, written: out.written, replacements: 0 });
            valid = out.read;
            if out.error().is_none() {
                break;
            }
        }
        done.outcome(src.len())
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn string_from_utf16_bytes_lossy(self, order: ByteOrder, src: &[u8]) -> (String, usize) {
        let count = move || self.utf8_len_from_utf16_bytes(order, src);
        let (mut bytes, mut out) = into_vec::collect(
            src.len().div_ceil(2) * 3,
            count,
            converter!(self.utf16_bytes_to_utf8_lossy(order, src)),
        );
        if !out.is_complete() {
            // Replacements need more room than was counted.
            let rest = &src[out.read..];
            let exact = self.utf8_len_from_utf16_bytes_lossy(order, rest);
            bytes.reserve_exact(exact);
            let convert = converter!(self.utf16_bytes_to_utf8_lossy(order, rest));
            let mut done = Repair::from(out);
            done.add(into_vec::append_long(&mut bytes, exact, &|| exact, convert).into());
            out = done.outcome(src.len());
        }
        // SAFETY: a conversion writes whole characters of well-formed UTF-8.
        (unsafe { String::from_utf8_unchecked(bytes) }, out.replacements)
    }

    pub(crate) fn utf8_len_from_utf16_bytes_lossy(self, order: ByteOrder, src: &[u8]) -> usize {
        if src.len() <= TINY {
            return scalar::tiny_utf8_len_from_utf16_lossy(order, src);
        }
        // The count above takes 2 bytes for an unpaired surrogate, as for half of a pair. U+FFFD takes 3.
        let odd = if src.len().is_multiple_of(2) { 0 } else { REPLACEMENT.len() };
        self.utf8_len_from_utf16_bytes(order, src) + self.count_unpaired_utf16_bytes(order, src) + odd
    }

    fn count_unpaired_utf16_bytes(self, order: ByteOrder, src: &[u8]) -> usize {
        dispatch!(self, count_unpaired_utf16[const order](src))
    }

    /// Copies whole code units to `dst`, which has the length of `src`, with U+FFFD for unpaired surrogates.
    #[inline(always)]
    pub(crate) fn repair_utf16_bytes(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Repair {
        let replacements = dispatch!(self, repair_utf16[const order](src, dst));
        Repair { read: src.len(), written: src.len(), replacements }
    }

    /// Repairs `piece` into the start of `buffer`. Returns that copy and the number of replacements.
    fn repaired<'a>(self, order: ByteOrder, piece: &[u8], buffer: &'a mut Output) -> (&'a [u8], usize) {
        let copy = &mut buffer[..piece.len()];
        let (done, copy) = converter!(self.repair_utf16_bytes(order, piece)).run_and_view(copy);
        (copy, done.replacements)
    }

    /// Replaces unpaired surrogates in place and returns how many. An odd last byte is left unchanged.
    pub(crate) fn make_well_formed_utf16_bytes(self, order: ByteOrder, bytes: &mut [u8]) -> usize {
        if bytes.len() < SIMD_FROM {
            return scalar::repair_utf16_in_place(order, bytes);
        }
        let mut buffer = [MaybeUninit::uninit(); MIN_PIECE];
        let (mut rest, mut count) = (bytes, 0);
        while rest.len() >= 2 {
            let (piece, after) = rest.split_at_mut(piece(order, rest, MIN_PIECE).len());
            let (repaired, unpaired) = self.repaired(order, piece, Output::new(&mut buffer));
            if unpaired > 0 {
                piece.copy_from_slice(repaired);
                count += unpaired;
            }
            rest = after;
        }
        count
    }
}

/// The next piece to repair: whole code units of at most `size` bytes. If more follows, it does not end with a high
/// surrogate, which may be half of a pair.
fn piece(order: ByteOrder, rest: &[u8], size: usize) -> &[u8] {
    let piece = &rest[..rest.len().min(size) & !1];
    match piece.split_last_chunk() {
        Some((before, &unit)) if piece.len() == size && order.unit(unit) & 0xFC00 == 0xD800 => before,
        _ => piece,
    }
}

/// The number of code units of `src` that differ in `repaired`.
#[cold]
fn differing(src: &[u8], repaired: &[u8]) -> usize {
    let (src, repaired) = (src.as_chunks::<2>().0, repaired.as_chunks::<2>().0);
    let (mut at, mut count) = (0, 0);
    while at < src.len() {
        count += usize::from(src[at] != repaired[at]);
        at += 1;
    }
    count
}
