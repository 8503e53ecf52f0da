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

/// Panics, so that a test can see what becomes of it.
#[cfg(feature = "test-panic")]
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn fastutf_test_panic() {
    panic!("as a test wants it");
}
