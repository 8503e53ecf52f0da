//! A program without the standard library and without an allocator. If it links, fastutf without its features needs
//! neither. Its exit status shows whether every kernel works there. `bare.rs` is for targets without a C library.
#![no_std]
#![no_main]

use fastutf::Isa;

#[cfg(any(target_os = "none", target_family = "wasm"))]
mod bare;

#[cfg(not(any(target_os = "none", target_family = "wasm")))]
mod hosted {
    use core::ffi::c_int;

    #[link(name = "c")]
    unsafe extern "C" {
        safe fn abort() -> !;
    }

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        abort()
    }

    // `core` is compiled for unwinding and refers to this function of the standard library. Nothing unwinds here.
    // SAFETY: no other symbol of the program has this name.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() -> ! {
        abort()
    }

    // SAFETY: no other symbol of the program has the name `main`.
    #[unsafe(no_mangle)]
    extern "C" fn main(_argc: c_int, _argv: *const *const u8) -> c_int {
        crate::check();
        0
    }
}

/// Panics if a kernel gives a wrong result.
fn check() {
    const TEXT: &str = "The same text in żółw, Съешь ещё, 中文字符 and 😀, long enough for a block: \
                        żółw, Съешь ещё, 中文字符 and 😀, and once more: żółw, Съешь ещё, 中文字符 and 😀.";
    for isa in Isa::available() {
        let mut utf16 = [0; TEXT.len()];
        let mut utf8 = [0; TEXT.len()];
        let to = isa.utf8_to_utf16(TEXT.as_bytes(), &mut utf16);
        let from = isa.utf16_to_utf8(&utf16[..to.written], &mut utf8);
        assert!(isa.validate_utf8(TEXT.as_bytes()).is_ok());
        assert!(to.is_complete() && from.is_complete());
        assert!(isa.utf16_len_from_utf8(TEXT.as_bytes()) == to.written);
        assert!(utf8 == TEXT.as_bytes());
        // An error deep in the text, in the strict and the lossy operation.
        let at = TEXT.len() - 40;
        utf8[at] = 0xFF;
        assert!(isa.validate_utf8(&utf8).is_err_and(|error| error.valid_up_to() <= at));
        let lossy = isa.utf8_to_utf16_lossy(&utf8, &mut utf16);
        assert!(utf16[..lossy.written].contains(&0xFFFD));
    }
}
