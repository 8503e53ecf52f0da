//! Counts instructions instead of time, under an emulator that `compare/count` has told to count them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::{env, process};

use crate::model::{Block, Models};
use crate::race::{Contender, Cost, Role};
use crate::windows::Windows;

/// Seeking to this offset asks the emulator's plugin, `count.c`, for the number of instructions so far.
const COUNT: u64 = 0x5A17_C0DE;
/// Seeking to this one asks it to record what is executed next: from a quarter of the last run on, ten thousand
/// instructions.
const RECORD: u64 = 0x5A17_C0DF;

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
        self.number().map_err(|_| io::Error::other("nobody counts: see compare/count"))
    }

    /// The instructions that `run` executes.
    ///
    /// # Errors
    ///
    /// If no plugin counts.
    pub fn instructions(&mut self, run: impl FnOnce()) -> io::Result<u64> {
        let before = self.up_to_now()?;
        run();
        Ok(self.up_to_now()? - before - self.overhead)
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.answers.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The average instructions per window of each contender except the limits, and the cycles by models.
    ///
    /// # Errors
    ///
    /// If no plugin counts, or there are no such models.
    pub fn count(
        &mut self,
        contenders: &mut [Contender],
        windows: &Windows,
        models: Option<&Models>,
        what: &str,
    ) -> Result<Vec<Cost>, Box<dyn Error>> {
        let mut costs = Vec::new();
        for contender in contenders.iter_mut().filter(|contender| contender.role != Role::Limit) {
            // The first run looks up symbols and features; the second one does not.
            contender.run.run(0..1);
            let instructions = self.instructions(|| contender.run.run(0..windows.len()))?;
            let each = instructions as f64 / windows.len() as f64;
            let mut cycles = BTreeMap::new();
            if let Some(models) = models {
                let what = format!("{} {what}", contender.name);
                let trace = models.trace(&self.record(contender, windows)?, &what)?;
                for cpu in models.cpus {
                    cycles.insert(cpu.clone(), each * models.cycles(&trace, cpu)?);
                }
            }
            costs.push(Cost {
                name: contender.name.to_owned(),
                role: contender.role,
                min: each,
                median: each,
                cycles,
            });
        }
        Ok(costs)
    }

    /// Records what a contender executes in the middle of the same run, in another run.
    fn record(&mut self, contender: &mut Contender, windows: &Windows) -> io::Result<Vec<Block>> {
        self.answers.seek(SeekFrom::Start(RECORD))?;
        contender.run.run(0..windows.len());
        self.up_to_now()?;
        let blocks = self.number()?;
        (0..blocks).map(|_| Ok(Block { start: self.number()?, instructions: self.number()? })).collect()
    }
}
