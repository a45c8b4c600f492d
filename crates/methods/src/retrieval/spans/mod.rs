//! Places in files against gold places: character precision and recall at k.
//!
//! As LegalBench-RAG measures it, except that text retrieved twice counts once here.

pub mod coverage;
pub mod location;
pub mod measures;
pub mod score;

pub use coverage::Coverage;
pub use location::{Location, Span};
pub use score::{SpanOptions, explain, score};
