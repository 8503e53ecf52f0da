//! A cluster on this machine: one scheduler and two executors, processes of their own, on loopback. Makes a data set,
//! asks a question that decodes, filters, joins and groups, prints the plan, the result and what each executor has done,
//! and asks once more while one executor is killed.
//!
//! ```sh
//! cargo run --example cluster                          # 16 files of 20000 rows
//! cargo run --release --example cluster -- 64 200000   # files, rows in each
//! ```
//!
//! With other arguments, this program is a scheduler or an executor of a real cluster:
//!
//! ```sh
//! cluster scheduler 0.0.0.0 50050 2
//! cluster executor 10.0.0.2 50051 50052 scheduler.example 50050 8 /var/lib/fastutf-cluster
//! ```

use std::path::PathBuf;
use std::time::{Duration, Instant};

use datafusion::arrow::array::AsArray;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use fastutf_cluster::processes::{Cluster, role};
use fastutf_cluster::{data, roles};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    if let Some(role) = role() {
        return Ok(role?);
    }
    let mut numbers = std::env::args().skip(1);
    let mut number = |or: usize| numbers.next().map_or(Ok(or), |number| number.parse());
    let (files, rows) = (number(16)?, number(20_000)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let folder = Folder::new()?;
    runtime.block_on(example(&folder.0, files, rows))
}

async fn example(folder: &std::path::Path, files: usize, rows: usize) -> Result<(), Error> {
    data::write(folder, files, rows)?;
    println!("{} rows in {files} Parquet files, and 3 files of UTF-16 CSV", files * rows);

    let mut cluster = Cluster::start(&std::env::current_exe()?, 2, folder)?;
    let [scheduler, executors @ ..] = &cluster.processes()[..] else { unreachable!() };
    println!("scheduler: process {scheduler} at {}; executors: processes {executors:?}", cluster.url());
    let context = roles::client(&cluster.url(), 8).await?;
    data::register(&context, folder).await?;

    println!("\n{}\n", data::QUERY);
    let plan = context.sql(&format!("EXPLAIN {}", data::QUERY)).await?.collect().await?;
    // A column of their own for the kinds of plan would leave no room.
    for batch in &plan {
        let [kinds, plans] = [0, 1].map(|column| batch.column(column).as_string::<i32>());
        for (kind, plan) in kinds.iter().zip(plans) {
            println!("{}:\n{}", kind.unwrap_or(""), plan.unwrap_or(""));
        }
    }
    let start = Instant::now();
    let answer = ask(&context).await?;
    println!("{answer}");
    println!("{:.1} s", start.elapsed().as_secs_f64());
    for executor in 0..2 {
        let tasks = cluster.tasks(executor);
        let rows: usize = tasks.iter().map(|task| task.rows).sum();
        let seconds: f64 = tasks.iter().filter(|task| task.rows > 0).map(|task| task.seconds).sum();
        let speed = if seconds > 0.0 { rows as f64 / seconds } else { 0.0 };
        println!("executor {executor}: {} tasks, {rows} rows read, {speed:.0} rows/s while reading", tasks.len());
    }

    println!("\nonce more, and executor 0 is killed when it has finished a task:");
    let before = cluster.tasks(0).len();
    let question = tokio::spawn(async move { ask(&context).await.map_err(|error| error.to_string()) });
    let start = Instant::now();
    while cluster.tasks(0).len() == before && !question.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let running = !question.is_finished();
    let process = cluster.kill(0)?;
    println!(
        "process {process} killed after {:.1} s, {} tasks finished",
        start.elapsed().as_secs_f64(),
        cluster.tasks(0).len() - before
    );
    let second = question.await??;
    println!("answered after {:.1} s", start.elapsed().as_secs_f64());
    match (second == answer, running) {
        (true, true) => println!("the same answer: nothing is lost"),
        (true, false) => println!("the same answer, but it was there before the kill: take more rows"),
        (false, _) => return Err(format!("another answer:\n{second}").into()),
    }

    println!("\nan ill-formed name, if the policy is 'error':");
    let context = roles::client(&cluster.url(), 8).await?;
    data::register(&context, folder).await?;
    match context.sql(data::STRICT_QUERY).await?.collect().await {
        Ok(_) => return Err("no error".into()),
        Err(error) => println!("{error}"),
    }
    Ok(())
}

async fn ask(context: &SessionContext) -> Result<String, Error> {
    let batches = context.sql(data::QUERY).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("fastutf-cluster-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
