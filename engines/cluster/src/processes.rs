//! A scheduler and its executors as processes on this machine. A program that can be all of them passes its arguments to
//! [`role`] first, and starts itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ballista_core::error::Result;

use crate::roles::{self, ExecutorOptions, Task, block_on, general};

/// If the arguments of this process are those of a scheduler or an executor, is one until the end:
///
/// ```text
/// scheduler HOST PORT EXECUTORS
/// executor HOST FLIGHT-PORT GRPC-PORT SCHEDULER-HOST SCHEDULER-PORT TASKS FOLDER
/// ```
///
/// Port 0 is any free one. With `+child` at the end, it ends when its standard input does.
///
/// # Errors
///
/// Wrong arguments, and those of the role.
pub fn role() -> Option<Result<()>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.last().is_some_and(|last| last == "+child") {
        args.pop();
        std::thread::spawn(|| {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            std::process::exit(0);
        });
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["scheduler", host, port, executors] => Some(run_scheduler(host, port, executors)),
        ["executor", host, flight, grpc, scheduler, port, tasks, work] => {
            Some(run_executor(host, [flight, grpc], (scheduler, port), tasks, work))
        }
        _ => None,
    }
}

fn run_scheduler(host: &str, port: &str, executors: &str) -> Result<()> {
    let address = SocketAddr::new(host.parse().map_err(general)?, port.parse().map_err(general)?);
    let executors = executors.parse().map_err(general)?;
    block_on(roles::scheduler(address, executors, |port| say(&format!("port {port}"))))
}

fn run_executor(host: &str, ports: [&str; 2], scheduler: (&str, &str), tasks: &str, work: &str) -> Result<()> {
    let host: IpAddr = host.parse().map_err(general)?;
    let mut free = Vec::new();
    let mut number = |port: &str| -> Result<u16> {
        let port: u16 = port.parse().map_err(general)?;
        if port != 0 {
            return Ok(port);
        }
        // Kept until both are known, so that they differ.
        let listener = TcpListener::bind((host, 0))?;
        let port = listener.local_addr()?.port();
        free.push(listener);
        Ok(port)
    };
    let ports = (number(ports[0])?, number(ports[1])?);
    drop(free);
    let options = ExecutorOptions {
        host,
        ports,
        scheduler: (scheduler.0.to_string(), scheduler.1.parse().map_err(general)?),
        tasks: tasks.parse().map_err(general)?,
        work: work.to_string(),
    };
    block_on(roles::executor(options, |task| {
        say(&format!("task {} {} {:.6}", task.stage, task.rows, task.seconds));
    }))
}

fn say(line: &str) {
    // Whoever started this process may be gone.
    let _ = writeln!(std::io::stdout(), "{line}");
    let _ = std::io::stdout().flush();
}

/// A running cluster. Its processes end when it is dropped, or when this process does.
#[derive(Debug)]
pub struct Cluster {
    scheduler: Child,
    executors: Vec<Executor>,
    port: u16,
}

#[derive(Debug)]
struct Executor {
    process: Child,
    tasks: Arc<Mutex<Vec<Task>>>,
    work: PathBuf,
}

impl Cluster {
    /// Starts a scheduler and executors, each running one task at a time, from `program`, which calls [`role`]; and
    /// waits until all executors are registered.
    ///
    /// # Errors
    ///
    /// If a process does not start or ends, or not all are there within a minute.
    pub fn start(program: &Path, executors: usize, work: &Path) -> Result<Self> {
        let mut scheduler = Command::new(program);
        let mut scheduler = spawn(scheduler.args(["scheduler", "127.0.0.1", "0", &executors.to_string()]))?;
        let mut lines = BufReader::new(scheduler.stdout.take().ok_or_else(|| general("no output"))?).lines();
        let line = lines.next().transpose()?.unwrap_or_default();
        let port: Option<u16> = line.strip_prefix("port ").and_then(|port| port.parse().ok());
        let mut cluster = Self { scheduler, executors: Vec::new(), port: port.unwrap_or(0) };
        if port.is_none() {
            return Err(general(format!("the scheduler said {line:?} instead of its port")));
        }
        // Nobody else reads what it may say.
        std::thread::spawn(move || lines.for_each(drop));
        for number in 0..executors {
            let work = work.join(format!("executor-{number}"));
            std::fs::create_dir_all(&work)?;
            cluster.executors.push(Executor::start(program, cluster.port, work)?);
        }
        cluster.wait()?;
        Ok(cluster)
    }

    fn wait(&mut self) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end {
            if ready(self.port).unwrap_or(false) {
                return Ok(());
            }
            let processes = self.executors.iter_mut().map(|executor| &mut executor.process);
            for process in processes.chain([&mut self.scheduler]) {
                if let Some(status) = process.try_wait()? {
                    return Err(general(format!("process {} has ended: {status}", process.id())));
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(general("not all executors were registered within a minute"))
    }

    /// Where clients connect to.
    #[must_use]
    pub fn url(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    /// Kills an executor: it can neither say good-bye nor give away what it has computed. Returns its process id.
    ///
    /// # Errors
    ///
    /// If there is no such executor, or the system refuses.
    pub fn kill(&mut self, executor: usize) -> Result<u32> {
        let process = &mut self.executors.get_mut(executor).ok_or_else(|| general("no such executor"))?.process;
        process.kill()?;
        process.wait()?;
        Ok(process.id())
    }

    /// The tasks that an executor has finished so far.
    #[must_use]
    pub fn tasks(&self, executor: usize) -> Vec<Task> {
        self.executors[executor].tasks.lock().map(|tasks| tasks.clone()).unwrap_or_default()
    }

    /// The process ids: the scheduler's, then those of the executors.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let executors = self.executors.iter().map(|executor| executor.process.id());
        [self.scheduler.id()].into_iter().chain(executors).collect()
    }

    /// The folder of what an executor has computed.
    #[must_use]
    pub fn work(&self, executor: usize) -> &Path {
        &self.executors[executor].work
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in self.executors.iter_mut().map(|executor| &mut executor.process).chain([&mut self.scheduler])
        {
            // It may have ended before.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Executor {
    fn start(program: &Path, scheduler: u16, work: PathBuf) -> Result<Self> {
        let mut command = Command::new(program);
        let folder = work.to_string_lossy().into_owned();
        let host = Ipv4Addr::LOCALHOST.to_string();
        command.args(["executor", &host, "0", "0", &host, &scheduler.to_string(), "1", &folder]);
        let mut process = spawn(&mut command)?;
        let output = process.stdout.take().ok_or_else(|| general("no output"))?;
        let tasks = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&tasks);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(std::io::Result::ok) {
                if let (Some(task), Ok(mut tasks)) = (parse(&line), all.lock()) {
                    tasks.push(task);
                }
            }
        });
        Ok(Self { process, tasks, work })
    }
}

fn spawn(command: &mut Command) -> Result<Child> {
    Ok(command.arg("+child").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?)
}

fn parse(line: &str) -> Option<Task> {
    let mut words = line.strip_prefix("task ")?.split(' ');
    let stage = words.next()?.parse().ok()?;
    let rows = words.next()?.parse().ok()?;
    Some(Task { stage, rows, seconds: words.next()?.parse().ok()? })
}

/// Asks the scheduler whether as many executors are registered as it was told to expect.
fn ready(port: u16) -> std::io::Result<bool> {
    let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    connection.set_read_timeout(Some(Duration::from_secs(5)))?;
    connection.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    Ok(answer.starts_with("HTTP/1.1 200"))
}
