//! What SQL over rows of 5 to 30 bytes costs with these functions, and with what DataFusion has, or one would write,
//! without: CPU time, in one process and on two executors, in turns.
//!
//! ```sh
//! cargo run --profile race --example race -- [ROWS] [ROUNDS] [--local] [--ours]      # 1000000 rows, 5 rounds
//! ```
//!
//! `--local` leaves out the executors, and `--ours` all queries without our functions, for a profiler.
//!
//! A query is `SELECT max(octet_length(…)) FROM t`; of each, the least of all rounds counts. "rest" is the same query
//! over a column that holds the text already, as `octet_length` takes no bytes: what scan and aggregate take of each of
//! the others. The times are of use only beside each other.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{ArrayRef, BinaryBuilder, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::datasource::MemTable;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use fastutf_cluster::processes::{Cluster, role};
use fastutf_cluster::roles;

type Error = Box<dyn std::error::Error>;

const TEXTS: [(&str, &str); 4] = [
    ("ASCII", "Customer name, street 17, a remark. "),
    ("Russian", "Широкая электрификация южных губерний "),
    ("Chinese", "天地玄黃宇宙洪荒日月盈昃辰宿列張"),
    ("mixed", "Zażółć 17 Straße 東京 😀 ok Ελλάδα naïve "),
];

/// A name, what is decoded, and how; `rest` first.
const UTF8: [(&str, &str); 4] = [
    ("rest", "octet_length(text)"),
    ("ours", "octet_length(utf8_decode(utf8))"),
    ("cast", "octet_length(CAST(utf8 AS VARCHAR))"),
    ("row loop", "octet_length(std_utf8_decode(utf8))"),
];
const UTF16: [(&str, &str); 3] = [
    ("rest", "octet_length(text)"),
    ("ours", "octet_length(utf16le_decode(utf16))"),
    ("row loop", "octet_length(std_utf16le_decode(utf16))"),
];

fn main() -> Result<(), Error> {
    if let Some(role) = role() {
        return Ok(role?);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = args.iter().filter(|arg| !arg.starts_with("--")).map(|arg| arg.parse());
    let rows = numbers.next().unwrap_or(Ok(1_000_000))?;
    let rounds = numbers.next().unwrap_or(Ok(5))?;
    let ours_only = args.iter().any(|arg| arg == "--ours");
    let local_only = args.iter().any(|arg| arg == "--local");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(race(rows, rounds, local_only, ours_only))
}

async fn race(rows: usize, rounds: usize, local_only: bool, ours_only: bool) -> Result<(), Error> {
    println!(
        "{rows} rows of 5 to 30 bytes in UTF-8; CPU ns per row (how many times ours; the same without what is \"rest\")"
    );
    println!("\none process, in memory, batches of 8192, Binary:");
    for (name, text) in TEXTS {
        let local = memory(rows, text, false)?;
        measure(name, &local, rows, rounds, ours_only, &[std::process::id()]).await?;
    }
    println!("\none process, in memory, batches of 8192, BinaryView:");
    for (name, text) in TEXTS {
        let local = memory(rows, text, true)?;
        measure(name, &local, rows, rounds, ours_only, &[std::process::id()]).await?;
    }
    if local_only {
        return Ok(());
    }
    println!("\ntwo executors, 8 Parquet files, CPU time of both executors:");
    let folder = std::env::temp_dir().join(format!("fastutf-race-{}", std::process::id()));
    let done = on_cluster(&folder, rows, rounds, ours_only).await;
    std::fs::remove_dir_all(&folder)?;
    done
}

async fn on_cluster(folder: &Path, rows: usize, rounds: usize, ours_only: bool) -> Result<(), Error> {
    for (name, text) in TEXTS {
        let data = folder.join(name);
        std::fs::create_dir_all(&data)?;
        for file in 0..8 {
            let batches = batches(rows / 8, text, false)?;
            let path = data.join(format!("{file}.parquet"));
            let mut writer = ArrowWriter::try_new(std::fs::File::create(path)?, batches[0].schema(), None)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.close()?;
        }
    }
    let cluster = Cluster::start(&std::env::current_exe()?, 2, folder)?;
    let executors = &cluster.processes()[1..];
    for (name, _) in TEXTS {
        let context = roles::client(&cluster.url(), 8).await?;
        let path = format!("{}/", folder.join(name).display());
        context.register_parquet("t", path, ParquetReadOptions::default()).await?;
        measure(name, &context, rows / 8 * 8, rounds, ours_only, executors).await?;
    }
    Ok(())
}

async fn measure(
    name: &str,
    context: &SessionContext,
    rows: usize,
    rounds: usize,
    ours_only: bool,
    processes: &[u32],
) -> Result<(), Error> {
    for (encoding, queries) in [("UTF-8", &UTF8[..]), ("UTF-16LE", &UTF16[..])] {
        let queries = if ours_only { &queries[..2] } else { queries };
        let mut least = vec![Duration::MAX; queries.len()];
        for _ in 0..rounds {
            for (least, (_, query)) in least.iter_mut().zip(queries) {
                let frame = context.sql(&format!("SELECT max({query}) FROM t")).await?;
                let before = cpu_time(processes)?;
                frame.collect().await?;
                *least = (*least).min(cpu_time(processes)? - before);
            }
        }
        let ns = |of: usize| least[of].as_nanos() as f64 / rows as f64;
        let (rest, ours) = (ns(0), ns(1) - ns(0));
        let mut line = format!("{name:8} {encoding:8} rest {rest:6.2}, ours {:6.2}", ns(1));
        for (of, (what, _)) in queries.iter().enumerate().skip(2) {
            line += &format!(", {what} {:6.2} ({:.1}×", ns(of), ns(of) / ns(1));
            // The kernel counts time by its ticks, several milliseconds: less than that is no difference.
            if ours * rows as f64 > 20e6 {
                line += &format!("; {:.1}×", (ns(of) - rest) / ours);
            }
            line.push(')');
        }
        println!("{line}");
    }
    Ok(())
}

/// The time that all threads of these processes have run.
fn cpu_time(processes: &[u32]) -> Result<Duration, Error> {
    let mut time = Duration::ZERO;
    for process in processes {
        for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
            // A thread may be gone in between, and its time, which is little, with it.
            let Ok(times) = std::fs::read_to_string(thread?.path().join("schedstat")) else { continue };
            time += Duration::from_nanos(times.split(' ').next().unwrap_or("0").parse()?);
        }
    }
    Ok(time)
}

fn memory(rows: usize, text: &str, views: bool) -> Result<SessionContext, Error> {
    let batches = batches(rows, text, views)?;
    let context = roles::local(1)?;
    let table = MemTable::try_new(batches[0].schema(), vec![batches])?;
    context.register_table("t", Arc::new(table))?;
    Ok(context)
}

/// Texts of 5 to 30 bytes, cut out of `text`: as text, and as bytes in both encodings.
fn batches(rows: usize, text: &str, views: bool) -> Result<Vec<RecordBatch>, Error> {
    let text = text.repeat(4);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(|&at| at < text.len() / 2).collect();
    let mut random = 1_u64;
    let mut next = |of: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % of
    };
    let mut batches = Vec::new();
    let mut left = rows;
    while left > 0 {
        let count = left.min(8192);
        let (mut utf8, mut utf16) = (BinaryBuilder::new(), BinaryBuilder::new());
        for _ in 0..count {
            let start = starts[next(starts.len())];
            let end = text.floor_char_boundary(start + 5 + next(26));
            let row = &text[start..end];
            utf8.append_value(row);
            utf16.append_value(row.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
        }
        let (mut utf8, mut utf16): (ArrayRef, ArrayRef) = (Arc::new(utf8.finish()), Arc::new(utf16.finish()));
        let mut text = cast(&utf8, &DataType::Utf8)?;
        if views {
            (utf8, utf16) = (cast(&utf8, &DataType::BinaryView)?, cast(&utf16, &DataType::BinaryView)?);
            text = cast(&text, &DataType::Utf8View)?;
        }
        batches.push(RecordBatch::try_from_iter([("text", text), ("utf8", utf8), ("utf16", utf16)])?);
        left -= count;
    }
    Ok(batches)
}
