//! Scheduler, executor and client.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::JobId;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::protobuf::ShuffleWritePartition;
use ballista_core::utils::default_session_builder;
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::common::Result as DataFusionResult;
use datafusion::execution::context::TaskContext;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};

use crate::rows;

/// Ballista's scheduler recurses deeply over plans.
const STACK: usize = 32 << 20;

/// Runs the future of a role.
///
/// # Errors
///
/// Those of the role; and if the system gives no threads.
pub fn block_on<T>(role: impl Future<Output = Result<T>>) -> Result<T> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().thread_stack_size(STACK).build()?.block_on(role)
}

/// Serves as scheduler on `address`, and reports the port, which is another one if it was 0. It is ready, as `/readyz`
/// says over HTTP, when as many `executors` have come.
///
/// # Errors
///
/// If the address cannot be had, or the server ends.
pub async fn scheduler(address: SocketAddr, executors: usize, started: impl FnOnce(u16)) -> Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        external_host: address.ip().to_string(),
        min_ready_executors: executors,
        // An executor that is gone is noticed after seconds, and its tasks are given to others.
        executor_timeout_seconds: 5,
        expire_dead_executor_interval_seconds: 1,
        override_session_builder: Some(Arc::new(scheduler_session)),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    started(address.port());
    start_grpc_service_with_listener(listener, scheduler).await
}

/// What the scheduler plans with.
fn scheduler_session(config: SessionConfig) -> DataFusionResult<SessionState> {
    let mut state = default_session_builder(config)?;
    fastutf_datafusion::register(&mut state)?;
    rows::register(&mut state)?;
    fastutf_datafusion::register_local_files(state.runtime_env())?;
    Ok(state)
}

/// Where an executor is, and what it works for.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The address to listen on, and under which the others reach it.
    pub host: IpAddr,
    /// The ports of Arrow Flight and of gRPC.
    pub ports: (u16, u16),
    /// Where the scheduler is.
    pub scheduler: (String, u16),
    /// How many tasks run at once.
    pub tasks: usize,
    /// A folder for what goes from stage to stage.
    pub work: String,
}

/// Serves as an executor. `done` is told of each finished task.
///
/// # Errors
///
/// If an address cannot be had, the scheduler is not there, or the server ends.
pub async fn executor(options: ExecutorOptions, done: fn(Task)) -> Result<()> {
    let mut functions = BallistaFunctionRegistry::default();
    for function in fastutf_datafusion::functions().into_iter().chain(rows::functions()) {
        functions.scalar_functions.insert(function.name().to_string(), function);
    }
    let work = options.work.clone();
    let config = ExecutorProcessConfig {
        bind_host: options.host.to_string(),
        external_host: Some(options.host.to_string()),
        port: options.ports.0,
        grpc_port: options.ports.1,
        scheduler_host: options.scheduler.0,
        scheduler_port: options.scheduler.1,
        scheduler_connect_timeout_seconds: 10,
        vcores: options.tasks,
        work_dir: Some(options.work),
        executor_heartbeat_interval_seconds: 1,
        override_function_registry: Some(Arc::new(functions)),
        override_runtime_producer: Some(Arc::new(move |_| executor_env(&work))),
        override_execution_engine: Some(Arc::new(Counted { engine: DefaultExecutionEngine::new(), done })),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}

fn executor_env(work: &str) -> DataFusionResult<Arc<RuntimeEnv>> {
    let env = RuntimeEnvBuilder::new().with_temp_file_path(work).build_arc()?;
    fastutf_datafusion::register_local_files(&env)?;
    Ok(env)
}

/// A session whose queries run on the cluster of this scheduler, in `partitions` partitions.
///
/// # Errors
///
/// If `url`, as in `df://127.0.0.1:50050`, is not one.
pub async fn client(url: &str, partitions: usize) -> DataFusionResult<SessionContext> {
    let config = SessionConfig::new_with_ballista().with_target_partitions(partitions);
    let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
    let context = SessionContext::remote_with_state(url, state).await?;
    known(context)
}

/// A session whose queries run in this process, in `partitions` partitions.
///
/// # Errors
///
/// None that is known.
pub fn local(partitions: usize) -> DataFusionResult<SessionContext> {
    known(SessionContext::new_with_config(SessionConfig::new().with_target_partitions(partitions)))
}

/// After a session has become one of Ballista, as that forgets functions.
fn known(mut context: SessionContext) -> DataFusionResult<SessionContext> {
    fastutf_datafusion::register(&mut context)?;
    rows::register(&mut context)?;
    fastutf_datafusion::register_local_files(&context.runtime_env())?;
    Ok(context)
}

/// A finished task of an executor.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The stage of its job.
    pub stage: usize,
    /// Rows that were read from tables: 0 for the stages after the first.
    pub rows: usize,
    /// How long it took.
    pub seconds: f64,
}

/// Ballista's engine, and what each of its tasks has read.
struct Counted {
    engine: DefaultExecutionEngine,
    done: fn(Task),
}

impl ExecutionEngine for Counted {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> DataFusionResult<Arc<dyn QueryStageExecutor>> {
        let (engine, input) = (&self.engine, Arc::clone(&plan));
        let stage =
            engine.create_query_stage_exec(job_id, stage_id, task_id, partitions, input, work_dir, config)?;
        Ok(Arc::new(CountedStage { stage, stage_id, plan, done: self.done }))
    }
}

#[derive(Debug)]
struct CountedStage {
    stage: Arc<dyn QueryStageExecutor>,
    stage_id: usize,
    plan: Arc<dyn ExecutionPlan>,
    done: fn(Task),
}

impl fmt::Display for CountedStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stage.fmt(f)
    }
}

#[async_trait::async_trait]
impl QueryStageExecutor for CountedStage {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> DataFusionResult<Vec<ShuffleWritePartition>> {
        let start = Instant::now();
        let result = self.stage.execute_query_stage(task_id, context).await;
        if result.is_ok() {
            let seconds = start.elapsed().as_secs_f64();
            (self.done)(Task { stage: self.stage_id, rows: rows_read(self.plan.as_ref()), seconds });
        }
        result
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.stage.collect_plan_metrics()
    }
}

/// The rows that the scans of tables in a plan have given so far.
fn rows_read(plan: &dyn ExecutionPlan) -> usize {
    let children = plan.children();
    if children.is_empty() && plan.name() == "DataSourceExec" {
        return plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or(0);
    }
    children.into_iter().map(|child| rows_read(child.as_ref())).sum()
}

/// An error of this crate, as one of Ballista.
pub(crate) fn general(error: impl fmt::Display) -> BallistaError {
    BallistaError::General(error.to_string())
}
