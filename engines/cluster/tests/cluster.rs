//! One scheduler and two executors, processes of their own, against the answer of a single process; then with one of them
//! killed in the middle; and what the client is told of an ill-formed value.
//!
//! A test without the usual harness, as it starts itself as scheduler and executors.

use std::path::{Path, PathBuf};
use std::time::Duration;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use fastutf_cluster::processes::{Cluster, role};
use fastutf_cluster::{data, roles};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    if let Some(role) = role() {
        return Ok(role?);
    }
    // As the harness would: a filter that does not fit, or a request for a list.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--list") {
        println!("cluster: test");
        return Ok(());
    }
    if args.iter().any(|arg| !arg.starts_with('-') && !"cluster".contains(arg.as_str())) {
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("fastutf-cluster-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let guard = Folder(folder.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        // Nothing here takes minutes; a hang is a failure.
        match tokio::time::timeout(Duration::from_secs(240), test(&folder)).await {
            Ok(done) => done,
            Err(_) => Err("not finished after 4 minutes".into()),
        }
    });
    drop(guard);
    done?;
    println!("test cluster ... ok");
    println!("\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
    Ok(())
}

async fn test(folder: &Path) -> Result<(), Error> {
    data::write(folder, 12, 4000)?;
    let local = roles::local(4)?;
    data::register(&local, folder).await?;
    let expected = ask(&local, data::QUERY).await?;
    assert!(expected.contains("Łódź") && expected.contains("Kraków"), "{expected}");

    let mut cluster = Cluster::start(&std::env::current_exe()?, 2, folder)?;
    let context = roles::client(&cluster.url(), 8).await?;
    data::register(&context, folder).await?;
    assert_eq!(ask(&context, data::QUERY).await?, expected);
    let rows: Vec<usize> =
        (0..2).map(|executor| cluster.tasks(executor).iter().map(|task| task.rows).sum()).collect();
    assert_eq!(rows.iter().sum::<usize>(), 12 * 4000 + 12, "both tables are read once: {rows:?}");
    assert!(rows.iter().all(|&rows| rows > 0), "both executors work: {rows:?}");

    // An ill-formed value is an error that says which, and is not tried again.
    let before: usize = (0..2).map(|executor| cluster.tasks(executor).len()).sum();
    let error = ask(&context, data::STRICT_QUERY).await.unwrap_err().to_string();
    assert!(error.contains("utf16le_decode: ") && error.contains("in the value X'"), "{error}");
    assert!(!error.contains("IO error"), "{error}");
    let after: usize = (0..2).map(|executor| cluster.tasks(executor).len()).sum();
    assert!(after - before <= 12, "no task runs twice");

    // The column of errors has all of them.
    let errors = "SELECT get_field(utf16le_error(name), 'kind') AS kind, count(*) AS n FROM people GROUP BY kind ORDER BY kind";
    assert_eq!(ask(&context, errors).await?, ask(&local, errors).await?);

    // One executor is killed after its first task of a question.
    let before = cluster.tasks(0).len();
    let question = tokio::spawn({
        let context = context.clone();
        async move { ask(&context, data::QUERY).await.map_err(|error| error.to_string()) }
    });
    while cluster.tasks(0).len() == before && !question.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(!question.is_finished(), "the question was answered before an executor could be killed");
    cluster.kill(0)?;
    assert_eq!(question.await??, expected, "after the loss of an executor");
    // And the cluster goes on.
    assert_eq!(ask(&context, data::QUERY).await?, expected);
    Ok(())
}

async fn ask(context: &SessionContext, sql: &str) -> Result<String, Error> {
    let batches = context.sql(sql).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
