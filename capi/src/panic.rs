//! A panic is an error in this library. It ends the program, with a message.

use core::ffi::c_int;
use core::fmt::{self, Write as _};

#[cfg_attr(not(windows), link(name = "c"))]
unsafe extern "C" {
    safe fn abort() -> !;
    #[cfg_attr(windows, link_name = "_write")]
    fn write(file: c_int, bytes: *const u8, len: usize) -> isize;
}

struct StandardError;

impl fmt::Write for StandardError {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: that many bytes are there. Whatever happens to them, the program ends.
        unsafe { write(2, text.as_ptr(), text.len()) };
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(StandardError, "fastutf: {info}");
    abort()
}

// The compiled parts of Rust's libraries name the function that unwinds. There is none, as a panic aborts. Link-time optimisation
// removes what names it; without, the shared library could not be loaded, nor a program be linked with the static one. So here is
// one that aborts. It is hidden, and weak: a program with another library of Rust's has its own.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "x86")))]
macro_rules! to_abort {
    () => {
        "jmp abort@PLT"
    };
}
#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "arm")))]
macro_rules! to_abort {
    () => {
        "b abort"
    };
}
#[cfg(all(target_os = "linux", target_arch = "s390x"))]
macro_rules! to_abort {
    () => {
        "jg abort@PLT"
    };
}
#[cfg(all(
    target_os = "linux",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "s390x"
    )
))]
core::arch::global_asm!(
    ".pushsection .text.rust_eh_personality, \"ax\", %progbits",
    ".weak rust_eh_personality",
    ".hidden rust_eh_personality",
    ".type rust_eh_personality, %function",
    "rust_eh_personality:",
    to_abort!(),
    ".popsection",
);

/// Panics, so that a test can see what becomes of it.
#[cfg(feature = "test-panic")]
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_test_panic() {
    panic!("as a test wants it");
}
