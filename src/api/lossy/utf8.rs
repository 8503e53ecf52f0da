//! Lossy operations on UTF-8: U+FFFD for each maximal subpart of an ill-formed sequence (Unicode 3.9), as in std and
//! WHATWG. The strict kernels run up to the first error, the repairing kernels after it.

use crate::output::Output;

#[cfg(feature = "alloc")]
use crate::api::into_vec::{self, String, Vec, WINDOW};
use crate::endian::ByteOrder;
use crate::isa::Isa;
use crate::replacement::{Items, REPLACEMENT, Repair};
use crate::report::{LossyConversion, Reached};
use crate::scalar;

/// Input of at most this many bytes is repaired before SIMD would have begun.
pub(crate) const TINY: usize = 8;

impl Isa {
    /// Checks that `src` is well-formed. The error is where the first ill-formed sequence starts.
    pub(crate) fn check(self, src: &[u8]) -> Result<(), usize> {
        if src.len() <= TINY {
            return match scalar::near(src, TINY) {
                Ok((valid, _)) => Err(valid),
                Err(_) => Ok(()),
            };
        }
        self.validate_utf8(src).map_err(|error| error.valid_up_to())
    }

    /// The items of the first window of `src` with ill-formed sequences, and the offset of that window.
    pub(crate) fn ill_formed_items(self, src: &[u8]) -> Option<(usize, Items)> {
        dispatch!(self, ill_formed_items(src))
    }

    /// Repairs `src`, which starts with an item, until about where `dst` is full.
    fn repair(self, src: &[u8], dst: &mut Output) -> Repair {
        let isa = self;
        // With something to repair, SIMD is slower up to a greater length.
        if src.len() <= 2 * TINY {
            return scalar::tiny_utf8_to_utf8_lossy(src, dst);
        }
        dispatch!(isa, utf8_to_utf8_lossy(src, dst))
    }

    pub(crate) fn utf8_to_utf8_bytes_lossy(self, src: &[u8], dst: &mut Output) -> LossyConversion {
        if src.len() <= TINY {
            return scalar::tiny_utf8_to_utf8_lossy(src, dst).outcome(src.len());
        }
        // No item becomes shorter, so at most `dst.len()` bytes and the end of the last item can matter.
        let part = &src[..src.len().min(dst.len().saturating_add(4))];
        let valid = self.check(part).map_or_else(|valid| valid, |()| part.len());
        let fits = scalar::copy_valid(part, valid, dst);
        let mut done = Repair { read: fits, written: fits, replacements: 0 };
        done.add(self.repair(&part[fits..], &mut dst[fits..]));
        if done.read < part.len() {
            done.add(scalar::utf8_to_utf8_lossy(&part[done.read..], &mut dst[done.written..]));
        }
        done.outcome(src.len())
    }

    pub(crate) fn utf8_to_utf16_bytes_lossy(
        self,
        order: ByteOrder,
        src: &[u8],
        dst: &mut Output,
    ) -> LossyConversion {
        if src.len() <= TINY {
            return for_each_order!(order, scalar::tiny_utf8_to_utf16_lossy(order, src, dst)).outcome(src.len());
        }
        let Reached { read, written } = self.utf8_to_utf16_up_to_error(order, src, dst);
        let done = Repair { read, written, replacements: 0 };
        if done.read == src.len() { done.outcome(done.read) } else { self.go_on_to_utf16(order, src, dst, done) }
    }

    /// Converts `src` up to about the first error or the end of `dst`.
    #[inline(never)]
    fn utf8_to_utf16_up_to_error(self, order: ByteOrder, src: &[u8], dst: &mut Output) -> Reached {
        reach!(self, utf8_to_utf16[order](src, dst))
    }

    #[cold]
    #[inline(never)]
    fn go_on_to_utf16(self, order: ByteOrder, src: &[u8], dst: &mut Output, mut done: Repair) -> LossyConversion {
        let isa = self;
        let mut before = src.len();
        // Below 4 bytes, scalar code is faster.
        while src.len() - done.read >= 4 && done.read != before {
            before = done.read;
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            done.add(dispatch!(isa, utf8_to_utf16_lossy[order](rest, room)));
            if src.len() == done.read {
                break;
            }
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let Reached { read, written } = self.utf8_to_utf16_up_to_error(order, rest, room);
            done.add(Repair { read, written, replacements: 0 });
        }
        if done.read < src.len() {
            // The next window does not fit, but part of it may.
            done.add(scalar::utf8_to_utf16_lossy(order, &src[done.read..], &mut dst[done.written..]));
        }
        done.outcome(src.len())
    }

    /// The length in bytes of the repaired UTF-8.
    pub(crate) fn repaired_utf8_len(self, src: &[u8]) -> usize {
        let (isa, mut rest, mut len) = (self, src, src.len());
        // Three times the length of the input may overflow 32 bits.
        let mut add = |more: usize| len = len.saturating_add(more);
        if isa == Self::SCALAR || src.len() <= TINY {
            while let Some((start, end)) = scalar::ill_formed_utf8(rest) {
                add(REPLACEMENT.len() - (end - start));
                rest = &rest[end..];
            }
            return len;
        }
        if let Err(valid) = isa.check(src) {
            rest = &src[valid..];
            while let Some((skipped, items)) = isa.ill_formed_items(rest) {
                add(items.repaired_len() - items.end);
                rest = &rest[skipped + items.end..];
            }
        }
        len
    }

    /// The length in code units of the repaired text in UTF-16.
    pub(crate) fn repaired_utf16_len(self, src: &[u8]) -> usize {
        let (isa, mut rest) = (self, src);
        let mut len;
        if isa == Self::SCALAR || src.len() <= TINY {
            // Each ill-formed sequence becomes one code unit. The count has two for one that starts like 4 bytes, and
            // none for a continuation byte.
            len = if src.len() <= TINY { scalar::few_utf16_len(src) } else { isa.utf16_len_from_utf8(src) };
            while let Some((start, end)) = scalar::ill_formed_utf8(rest) {
                len = match rest[start] {
                    0xF0.. => len - 1,
                    0xC0.. => len,
                    _ => len + 1,
                };
                rest = &rest[end..];
            }
            return len;
        }
        match isa.utf8_info(src) {
            Ok(info) => return info.utf16_len,
            Err(error) => {
                (len, rest) = (isa.utf16_len_from_utf8(&src[..error.valid_up_to()]), &src[error.valid_up_to()..])
            }
        }
        while let Some((skipped, items)) = isa.ill_formed_items(rest) {
            len += isa.utf16_len_from_utf8(&rest[..skipped]) + items.utf16_len();
            rest = &rest[skipped + items.end..];
        }
        len + isa.utf16_len_from_utf8(rest)
    }
}

/// Into a `Vec` or `String`.
#[cfg(feature = "alloc")]
impl Isa {
    /// Splits `src` at the first error into well-formed text and the rest, which is empty if there is no error.
    #[inline(always)]
    pub(crate) fn split_valid(self, src: &[u8]) -> (&str, &[u8]) {
        let (valid, rest) = src.split_at(self.check(src).map_or_else(|valid| valid, |()| src.len()));
        // SAFETY: `check` has just found `valid` well-formed.
        (unsafe { core::str::from_utf8_unchecked(valid) }, rest)
    }

    /// Returns `valid` and the repaired `rest` as one text, and the number of replacements.
    #[cold]
    #[inline(never)]
    pub(crate) fn repaired_utf8(self, valid: &str, rest: &[u8]) -> (String, usize) {
        let mut text = Vec::with_capacity(into_vec::repaired_room(valid.len() + rest.len()));
        text.extend_from_slice(valid.as_bytes());
        let replacements = self.append_repaired(rest, &mut text).replacements;
        // SAFETY: `valid` is well-formed, and whole characters of well-formed UTF-8 were appended to it.
        (unsafe { String::from_utf8_unchecked(text) }, replacements)
    }

    /// Appends whole characters of well-formed UTF-8.
    pub(crate) fn append_utf8_lossy(self, src: &[u8], dst: &mut Vec<u8>) -> LossyConversion {
        if src.len() <= TINY {
            return self.append_repaired(src, dst).outcome(src.len());
        }
        let (valid, rest) = self.split_valid(src);
        dst.reserve(if rest.is_empty() { src.len() } else { into_vec::repaired_room(src.len()) });
        dst.extend_from_slice(valid.as_bytes());
        let mut done = Repair { read: valid.len(), written: valid.len(), replacements: 0 };
        done.add(self.append_repaired(rest, dst));
        done.outcome(src.len())
    }

    /// Appends `src`, which starts with an item, with replacements: whole characters of well-formed UTF-8.
    pub(crate) fn append_repaired(self, src: &[u8], dst: &mut Vec<u8>) -> Repair {
        let mut done = Repair::default();
        while done.read < src.len() {
            let rest = &src[done.read..];
            // Every window fits, except in the worst case; then the next round has this much room again.
            let room = rest.len() + 4 * WINDOW;
            done.add(into_vec::append_long(dst, room, &|| room, converter!(self.repair(rest))));
        }
        done
    }
}
