//! What is counted, in the words of Prometheus.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assize_engine::metrics::WorkMetrics;
use assize_engine::runs::worker::WorkEvent;
use assize_engine::store::{Queue, Store};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::panics::panics;
use crate::state::AppState;

/// Seconds; a page should be in the first few.
const LATENCIES: [f64; 11] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Organisations that are told apart: those with the most to do.
const ORGANISATIONS_MAX: usize = 100;

/// What the figures are written in.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = [(&'static str, String); 3];
type Path = [(&'static str, String); 1];
type Owner = [(&'static str, String); 1];

/// What is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    seconds: Family<Path, Histogram>,
    running: Gauge,
    panics: Counter,
    write_failures: Counter,
    queued: Gauge,
    overdue: Gauge<f64, AtomicU64>,
    age: Gauge<f64, AtomicU64>,
    queued_by: Family<Owner, Gauge>,
    age_by: Family<Owner, Gauge<f64, AtomicU64>>,
    /// What is counted of models and items, under the names that workers use too.
    pub(crate) work: WorkMetrics,
    /// Where request ids begin: two processes do not give the same.
    began: u64,
    ids: AtomicU64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let requests = Family::<Labels, Counter>::default();
        let seconds = Family::<Path, Histogram>::new_with_constructor(|| Histogram::new(LATENCIES));
        let mut registry = Registry::with_prefix("assize");
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register("http_request_seconds", "Response time in seconds", seconds.clone());
        let running = Gauge::default();
        registry.register("runs_running", "Runs in progress in this process", running.clone());
        let (panics, write_failures) = (Counter::default(), Counter::default());
        registry.register("panics", "Panics of this process", panics.clone());
        let help = "Writes that the database failed at";
        registry.register("write_failures", help, write_failures.clone());
        let (queued, overdue, age) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("items_queued", "Run items that wait for a worker", queued.clone());
        let help = "Seconds since the oldest expired lease ran out";
        registry.register("lease_overdue_seconds", help, overdue.clone());
        let help = "Seconds since the item was taken that a worker has held longest";
        registry.register("lease_age_seconds", help, age.clone());
        let (queued_by, age_by) = (Family::default(), Family::default());
        let help = "Run items of an organisation that wait for a worker";
        registry.register("organisation_items_queued", help, queued_by.clone());
        let help = "Seconds since the item of an organisation was taken that was held longest";
        registry.register("organisation_lease_age_seconds", help, age_by.clone());
        let work = WorkMetrics::register(&mut registry);
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began = u64::try_from(began.as_millis()).unwrap_or_default();
        let ids = AtomicU64::new(1);
        Self {
            registry,
            requests,
            seconds,
            running,
            panics,
            write_failures,
            queued,
            overdue,
            age,
            queued_by,
            age_by,
            work,
            began,
            ids,
        }
    }

    /// A name for a request.
    pub(crate) fn next_request_id(&self) -> String {
        format!("{:x}-{:x}", self.began, self.ids.fetch_add(1, Ordering::Relaxed))
    }

    /// One request was answered.
    pub(crate) fn request(&self, method: &str, path: &str, status: u16, took: Duration) {
        let labels = [
            ("method", method.to_owned()),
            ("path", path.to_owned()),
            ("status", status.to_string()),
        ];
        self.requests.get_or_create(&labels).inc();
        self.seconds.get_or_create(&[("path", path.to_owned())]).observe(took.as_secs_f64());
    }
}

impl Metrics {
    /// Something happened to the worker of this process.
    pub(crate) fn worked(&self, event: &WorkEvent) {
        match event {
            WorkEvent::TookUp(_) => drop(self.running.inc()),
            WorkEvent::PutDown(_) => drop(self.running.dec()),
            _ => {}
        }
        self.work.worked(event);
    }

    /// What waits for workers now, and what they hold.
    fn queues(&self, queues: &[Queue]) {
        let count = |items| i64::try_from(items).unwrap_or(i64::MAX);
        let longest = |seconds: fn(&Queue) -> f64| queues.iter().map(seconds).fold(0.0, f64::max);
        self.queued.set(count(queues.iter().map(|queue| queue.items).sum()));
        self.overdue.set(longest(|queue| queue.lease_overdue_seconds));
        self.age.set(longest(|queue| queue.lease_age_seconds));
        self.queued_by.clear();
        self.age_by.clear();
        for queue in queues.iter().take(ORGANISATIONS_MAX) {
            let owner = [("organisation", queue.organisation.clone())];
            self.queued_by.get_or_create(&owner).set(count(queue.items));
            self.age_by.get_or_create(&owner).set(queue.lease_age_seconds);
        }
    }
}

/// Brings a counter up to what was counted elsewhere.
fn catch_up(counter: &Counter, count: u64) {
    counter.inc_by(count.saturating_sub(counter.get()));
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(state): State<Arc<AppState>>) -> Response {
    catch_up(&state.metrics.panics, panics());
    catch_up(&state.metrics.write_failures, Store::failed_writes());
    // What a database that is away cannot tell stays as it was.
    if let Ok(queues) = state.store.workers().queues().await {
        state.metrics.queues(&queues);
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = encode(&mut text, &state.metrics.registry);
    ([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response()
}
