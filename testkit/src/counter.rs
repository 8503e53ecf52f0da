//! Counts instructions under an emulator that `cargo xtask count` or `cargo xtask debug-speed` has told to count them.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::{env, process};

/// Seeking to this offset asks the emulator's plugin, `count.c`, for the number of instructions so far.
const COUNT: u64 = 0x5A17_C0DE;

/// Asks how many instructions this program has executed.
#[derive(Debug)]
pub struct Counter {
    /// The plugin answers by writing to its start.
    answers: File,
    /// The instructions between two counts with nothing in between. A few more or less do not matter for the hundred
    /// KB that are counted at a time.
    overhead: u64,
}

impl Counter {
    /// # Errors
    ///
    /// If no plugin counts.
    pub fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("fastutf-count-{}", process::id()));
        let answers = File::options().read(true).write(true).create_new(true).open(&path)?;
        // Only the open file is needed. Some systems refuse to remove it, but there is no plugin for these.
        let _ = fs::remove_file(&path);
        let mut counter = Self { answers, overhead: 0 };
        // The first call looks up symbols.
        counter.up_to_now()?;
        let before = counter.up_to_now()?;
        counter.overhead = counter.up_to_now()? - before;
        Ok(counter)
    }

    #[inline(never)]
    fn up_to_now(&mut self) -> io::Result<u64> {
        self.answers.seek(SeekFrom::Start(COUNT))?;
        self.answers.seek(SeekFrom::Start(0))?;
        let mut bytes = [0; 8];
        self.answers
            .read_exact(&mut bytes)
            .map_err(|_| io::Error::other("nothing counts: use `cargo xtask count`"))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The instructions that `run` executes.
    ///
    /// # Errors
    ///
    /// If no plugin counts.
    pub fn count(&mut self, run: impl FnOnce()) -> io::Result<u64> {
        let before = self.up_to_now()?;
        run();
        Ok((self.up_to_now()? - before).saturating_sub(self.overhead))
    }
}
