//! What is counted of asking models and working on runs, for whoever scrapes it.
//!
//! A program has one registry: [`WorkMetrics::register`] puts these counters into it. The server
//! and a worker count the same things under the same names.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use crate::asking::Event;
use crate::runs::worker::WorkEvent;

type Model = [(&'static str, String); 1];
type Outcome = [(&'static str, String); 2];

/// Counters of one program.
#[derive(Debug, Clone)]
pub struct WorkMetrics {
    requests: Family<Outcome, Counter>,
    tokens: Family<Model, Counter>,
    kept: Family<Model, Counter>,
    items: Counter,
    pauses: Counter,
}

impl WorkMetrics {
    /// Puts the counters into a registry.
    pub fn register(registry: &mut Registry) -> Self {
        let counted = Self {
            requests: Family::default(),
            tokens: Family::default(),
            kept: Family::default(),
            items: Counter::default(),
            pauses: Counter::default(),
        };
        let Self { requests, tokens, kept, items, pauses } = counted.clone();
        registry.register("model_requests", "Requests to models, by outcome", requests);
        registry.register("model_tokens", "Tokens of answered requests and their replies", tokens);
        registry.register("model_replies_kept", "Replies served from the database", kept);
        registry.register("items_finished", "Run items finished by this process", items);
        registry.register("runs_paused", "Runs that are paused and need attention", pauses);
        counted
    }

    /// Counts what happened between us and a model.
    pub fn asked(&self, event: &Event) {
        let ended = |model: &assize_models::ModelName, how: &str| {
            let labels = [("model", model.to_string()), ("outcome", how.to_owned())];
            self.requests.get_or_create(&labels).inc();
        };
        match event {
            Event::Answered(model, usage, _) => {
                ended(model, "answered");
                self.tokens.get_or_create(&[("model", model.to_string())]).inc_by(usage.total());
            }
            Event::FromStore(model) => {
                self.kept.get_or_create(&[("model", model.to_string())]).inc();
            }
            Event::Waiting(model, error, _) | Event::Failed(model, error) => {
                ended(model, error.class());
            }
            Event::HealthChecked(model, None) => ended(model, "health_check"),
            Event::HealthChecked(model, Some(error)) => ended(model, error.class()),
            Event::Sent(_) | Event::AskedAgain(..) => {}
        }
    }

    /// Counts items that were finished.
    pub fn finished(&self, items: u64) {
        self.items.inc_by(items);
    }

    /// Counts what a worker did.
    pub fn worked(&self, event: &WorkEvent) {
        match event {
            WorkEvent::Finished(_) => {
                self.items.inc();
            }
            WorkEvent::Paused(..) => {
                self.pauses.inc();
            }
            WorkEvent::Asking(event) => self.asked(event),
            _ => {}
        }
    }
}

/// A registry of a program without a server, as text.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// What is counted in it.
    pub work: WorkMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("assize");
        let work = WorkMetrics::register(&mut registry);
        Self { registry, work }
    }
}

impl Metrics {
    /// All of it in the words of `OpenMetrics`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_is_counted_by_model_and_outcome() {
        let metrics = Metrics::default();
        let model: assize_models::ModelName = "local/tiny".parse().unwrap();
        let usage =
            assize_models::Usage { input_tokens: 7, output_tokens: 5, ..Default::default() };
        let answered = Event::Answered(model.clone(), usage, None);
        metrics.work.worked(&WorkEvent::Asking(answered.clone()));
        metrics.work.worked(&WorkEvent::Asking(answered));
        metrics.work.asked(&Event::FromStore(model.clone()));
        let slow = assize_models::ProviderError::RateLimited {
            retry_after: None,
            message: "too many".into(),
        };
        metrics.work.asked(&Event::Failed(model, slow));
        let text = metrics.text();
        for line in [
            "assize_model_requests_total{model=\"local/tiny\",outcome=\"answered\"} 2",
            "assize_model_requests_total{model=\"local/tiny\",outcome=\"rate_limited\"} 1",
            "assize_model_tokens_total{model=\"local/tiny\"} 24",
            "assize_model_replies_kept_total{model=\"local/tiny\"} 1",
            "assize_items_finished_total 0",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
