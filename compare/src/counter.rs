//! Counts instructions instead of time, under an emulator that `compare/count` has told to count them.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::{env, process};

use crate::race::{Contender, Cost};
use crate::windows::Windows;

/// Seeking to this offset asks the emulator's plugin, `count.c`, for the number of instructions so far.
const COUNT: u64 = 0x5A17_C0DE;

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
        self.answers.read_exact(&mut bytes).map_err(|_| io::Error::other("nobody counts: see compare/count"))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The average instructions per window of each contender.
    ///
    /// # Errors
    ///
    /// If no plugin counts.
    pub fn count(&mut self, contenders: &mut [Contender], windows: &Windows) -> io::Result<Vec<Cost>> {
        let mut costs = Vec::new();
        for contender in contenders {
            // The first run looks up symbols and features, and makes buffers; the second one does not.
            contender.run.run(windows.parts[0].clone());
            let before = self.up_to_now()?;
            windows.parts.iter().for_each(|part| contender.run.run(part.clone()));
            let instructions = self.up_to_now()? - before - self.overhead;
            let each = instructions as f64 / windows.len() as f64;
            costs.push(Cost { name: contender.name.to_owned(), role: contender.role, min: each });
        }
        Ok(costs)
    }
}
