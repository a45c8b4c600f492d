//! Summaries: does a summary say what its article says?
//!
//! A judge finds and labels; what it found is [`evidence`]. The frameworks count:
//! the same evidence always gives the same bits. Read in this order: the pair and why
//! it may be refused ([`input`], [`refusal`]), what a judge may say ([`labels`],
//! [`span`], [`evidence`]), what both frameworks count alike ([`metrics`], [`shares`],
//! [`questions`], [`drift`], [`wording`], [`limits`]), and the frameworks themselves
//! ([`twin_lock`], [`judge_lock`], with what they share in [`framework`]) with what they print
//! ([`metric_objects`], [`report`]). The judges are the
//! rules ([`rules`]), or models, which are asked ([`asks`]).

pub mod asks;
pub mod drift;
pub mod evidence;
pub mod framework;
pub mod half;
pub mod input;
pub mod judge_lock;
pub mod labels;
mod lexical;
pub mod limits;
pub mod metric_objects;
pub mod metrics;
pub mod questions;
pub mod refusal;
pub mod report;
pub mod rouge;
pub mod rules;
pub mod shares;
pub mod twin_lock;
pub mod ultra;
pub mod wording;

pub use assize_text::Span;
pub use evidence::{Evidence, Quote};
pub use input::SummaryPair;
pub use metrics::{FiveMetrics, Metric};
pub use refusal::Refusal;
pub use report::Scorecard;
