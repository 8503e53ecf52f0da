//! Whether the standard streams were open when the program was started.
//!
//! `fastutf convert … >&-` starts it without a standard output. Before `main`, the standard library opens `/dev/null`
//! in the place of each of the three descriptors that is closed, so that no file that is opened later gets its number.
//! From then on nothing tells a closed descriptor from `/dev/null`: many programs start others with `/dev/null` opened
//! in the same way, for reading and writing (Python's `DEVNULL`, daemons). So the program looks before that: the C
//! library calls the functions in the section `.init_array` first. This is done on Linux, where it is tested; elsewhere
//! every stream passes for open, and a closed one for `/dev/null`.

use std::io::{self, Write};

/// A standard stream that a result depends on. If the standard error is closed, nothing can be said about it.
#[derive(Clone, Copy)]
pub enum Stream {
    /// The standard input.
    In,
    /// The standard output.
    Out,
}

/// Returns an error if this stream was closed when the program was started, where that is known.
///
/// # Errors
///
/// That it is closed.
pub fn open(stream: Stream) -> io::Result<()> {
    if system::is_closed(stream) { Err(closed()) } else { Ok(()) }
}

fn closed() -> io::Error {
    io::Error::other("is closed")
}

/// The standard output if it is closed: every write fails.
pub struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(closed())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod system {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::Stream;

    static CLOSED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

    pub fn is_closed(stream: Stream) -> bool {
        CLOSED[stream as usize].load(Ordering::Relaxed)
    }

    /// The number of the command that returns the flags of a descriptor.
    const F_GETFD: c_int = 1;

    // SAFETY: This is how C declares it.
    unsafe extern "C" {
        fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    }

    /// Runs before the standard library's runtime is there: it only asks the system, and needs nothing of that.
    extern "C" fn look() {
        for (descriptor, closed) in (0..).zip(&CLOSED) {
            // SAFETY: This command takes no more arguments, changes nothing, and fails if there is no such descriptor.
            let flags = unsafe { fcntl(descriptor, F_GETFD) };
            closed.store(flags < 0, Ordering::Relaxed);
        }
    }

    // SAFETY: The section holds pointers to functions, which the C library calls before `main`. It calls them with
    // arguments, which a function may ignore.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn is_closed(_: super::Stream) -> bool {
        false
    }
}
