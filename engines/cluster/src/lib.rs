//! A Ballista cluster whose scheduler, executors and clients know the functions and the text files of
//! `fastutf-datafusion`. Ballista's own programs do not: functions travel by name, so each process registers them.
//!
//! `roles` has what each process does, and is all that a real cluster needs. `processes` starts them on this machine,
//! and `data` makes something to ask about, for the example `cluster` for the test and for the benchmark `race`.

#![forbid(unsafe_code)]

pub mod data;
pub mod processes;
pub mod roles;
pub mod rows;
