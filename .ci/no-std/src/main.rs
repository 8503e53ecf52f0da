//! A program with no standard library and no allocator, only the C one for `main` and `abort`: that it links proves
//! that fastutf without its features needs neither; its exit status says whether every kernel works there.
#![no_std]
#![no_main]

use core::ffi::c_int;

use fastutf::Isa;

#[link(name = "c")]
unsafe extern "C" {
    safe fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    abort()
}

// `core` comes compiled for unwinding and names this function, which the standard library has. Nothing unwinds here.
// SAFETY: no other symbol of the program has this name.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    abort()
}

// SAFETY: no other symbol of the program is called `main`.
#[unsafe(no_mangle)]
extern "C" fn main(_argc: c_int, _argv: *const *const u8) -> c_int {
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
    }
    0
}
