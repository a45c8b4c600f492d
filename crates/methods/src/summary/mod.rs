//! Summaries: does a summary say what its article says?
//!
//! A judge finds and labels; what it found is [`evidence`]. The frameworks count:
//! the same evidence always gives the same bits. Read in this order: the pair and why
//! it may be refused, the labels, the evidence with its spans, and then the frameworks.

pub mod evidence;
pub mod input;
pub mod labels;
pub mod metrics;
pub mod refusal;
pub mod span;

pub use evidence::{Evidence, Quote};
pub use input::SummaryPair;
pub use metrics::{FiveMetrics, Metric};
pub use refusal::Refusal;
pub use span::{CodePoints, Span};
