//! For targets without an operating system. The program exits by Linux's `exit`, and needs nothing else, so it runs on
//! Linux, or in QEMU's emulation of Linux.

#[cfg(target_os = "none")]
mod system {
    use core::arch::{asm, global_asm};

    // The entry point, with the stack as the calling convention requires it.
    #[cfg(target_arch = "x86_64")]
    global_asm!(".globl _start", "_start:", "and rsp, -16", "call {run}", "ud2", run = sym run);
    #[cfg(target_arch = "arm")]
    global_asm!(".globl _start", ".type _start, %function", ".thumb_func", "_start:", "bl {run}", "udf #0", run = sym run);

    extern "C" fn run() -> ! {
        crate::check();
        exit(0)
    }

    pub fn exit(status: usize) -> ! {
        // SAFETY: system call 60 is `exit` on x86-64, and does not return.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            asm!("syscall", in("rax") 60, in("rdi") status, options(noreturn))
        }
        // SAFETY: system call 1 is `exit` on ARM, and does not return. r7 cannot be named, as it may be the frame pointer.
        #[cfg(target_arch = "arm")]
        unsafe {
            asm!("mov r7, #1", "svc #0", "udf #0", in("r0") status, options(noreturn))
        }
    }
}

#[cfg(target_family = "wasm")]
mod system {
    pub fn exit(_status: usize) -> ! {
        core::arch::wasm32::unreachable()
    }

    /// Traps if a result is wrong, which is an exception for the caller.
    // SAFETY: no other symbol of the program has this name.
    #[unsafe(no_mangle)]
    extern "C" fn run() -> u32 {
        crate::check();
        u32::try_from(fastutf::Isa::available().count()).unwrap_or(0)
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    system::exit(101)
}
