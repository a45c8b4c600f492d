//! A compliance run as files: CSV, JSON, XLSX, PDF and OSCAL assessment results.
//!
//! Every writer takes the same [`Report`] and gives the same bytes for the same
//! report: no clock, no random id. A human's override always stands beside the
//! judge's value, never over it, and what has no score is never a zero.

mod colour;
mod error;
mod report;
mod summary;
mod text;

pub mod csv;
pub mod json;
pub mod oscal;
pub mod pdf;
pub mod xlsx;

pub use error::ExportError;
pub use report::{
    Accuracy, Citation, CriteriaSet, Document, LedgerLine, Method, NOT_LOOKED_UP, Override, Report,
    Row, Run, Section, SectionValue, SetVerdict, SetVerdicts, State, Status, Tier,
};
pub use summary::{DocumentMean, Mean, StateCount, Summary, TierCount};
