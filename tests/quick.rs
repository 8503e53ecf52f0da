//! The tests of the suite that check the kernels most closely in the least time: for `scripts/mutants`, which
//! compiles and runs them for each change. `cargo test` leaves these out, as the suite includes them.
#![allow(dead_code, unused_imports)] // the rest is for the suite
#![cfg(feature = "alloc")]

#[path = "suite/common/mod.rs"]
mod common;

#[path = "suite/boundaries.rs"]
mod boundaries;
#[cfg(feature = "columns")]
#[path = "suite/columns.rs"]
mod columns;
#[path = "suite/counting.rs"]
mod counting;
#[path = "suite/drivers.rs"]
mod drivers;
#[path = "suite/exhaustive.rs"]
mod exhaustive;
#[cfg(unix)]
#[path = "suite/guard_pages.rs"]
mod guard_pages;
#[path = "suite/huge.rs"]
mod huge;
#[path = "suite/isa.rs"]
mod isa;
#[cfg(feature = "latin1")]
#[path = "suite/latin1.rs"]
mod latin1;
#[path = "suite/lossy_utf16.rs"]
mod lossy_utf16;
#[path = "suite/lossy_utf8.rs"]
mod lossy_utf8;
#[cfg(feature = "latin1")]
#[path = "suite/narrowest.rs"]
mod narrowest;
#[cfg(feature = "positions")]
#[path = "suite/positions.rs"]
mod positions;
#[path = "suite/utf16.rs"]
mod utf16;
#[cfg(feature = "utf32")]
#[path = "suite/utf32.rs"]
mod utf32;

/// One failure is enough, so the first one ends the program.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static END_AT_FIRST_FAILURE: extern "C" fn() = {
    extern "C" fn end_at_first_failure() {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            report(info);
            std::process::exit(101);
        }));
    }
    end_at_first_failure
};
