//! Loops over functions of the library, which are inlined as in any Rust program. `race.c` has the same loops in C.

use std::mem::MaybeUninit;
use std::slice::from_raw_parts;

/// A text, in both encodings.
#[repr(C)]
pub struct Text {
    utf8: *const u8,
    utf16: *const u16,
    bytes: usize,
    units: usize,
}

/// Room for the longest result.
#[repr(C)]
pub struct Room {
    utf8: *mut MaybeUninit<u8>,
    utf16: *mut MaybeUninit<u16>,
    capacity: usize,
}

macro_rules! loops {
    ($($name:ident($utf8:ident, $utf16:ident, $to_utf8:ident, $to_utf16:ident) $body:block)*) => {$(
        /// Runs one operation on each text, and returns a sum of the results.
        ///
        /// # Safety
        ///
        /// The pointers are what their types say, and so are the lengths.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(texts: *const Text, count: usize, room: *const Room) -> usize {
            // SAFETY: the caller's promise.
            let (texts, room) = unsafe { (from_raw_parts(texts, count), &*room) };
            let mut sum = 0;
            for text in texts {
                // SAFETY: the caller's promise.
                let ($utf8, $utf16, $to_utf8, $to_utf16) = unsafe {(
                    from_raw_parts(text.utf8, text.bytes),
                    from_raw_parts(text.utf16, text.units),
                    &mut *std::ptr::slice_from_raw_parts_mut(room.utf8, room.capacity),
                    &mut *std::ptr::slice_from_raw_parts_mut(room.utf16, room.capacity),
                )};
                sum += $body;
            }
            sum
        }
    )*};
}

loops! {
    rust_validate_utf8(utf8, _a, _b, _c) {
        match fastutf::validate_utf8(utf8) {
            Ok(()) => utf8.len(),
            Err(error) => error.valid_up_to(),
        }
    }
    rust_validate_utf16(_a, utf16, _b, _c) {
        match fastutf::validate_utf16(utf16) {
            Ok(()) => utf16.len(),
            Err(error) => error.valid_up_to(),
        }
    }
    rust_utf16_length_from_utf8(utf8, _a, _b, _c) { fastutf::utf16_len_from_utf8(utf8) }
    rust_utf8_to_utf16(utf8, _a, _b, dst) {
        let out = fastutf::utf8_to_utf16_uninit(utf8, dst);
        out.written + usize::from(out.is_complete())
    }
    rust_utf16_to_utf8(_a, utf16, dst, _b) {
        let out = fastutf::utf16_to_utf8_uninit(utf16, dst);
        out.written + usize::from(out.is_complete())
    }
    rust_utf16le_to_utf8(_a, utf16, dst, _b) {
        // SAFETY: a code unit is two bytes.
        let src = unsafe { from_raw_parts(utf16.as_ptr().cast::<u8>(), 2 * utf16.len()) };
        let out = fastutf::utf16le_to_utf8_uninit(src, dst);
        out.written + usize::from(out.is_complete())
    }
}
