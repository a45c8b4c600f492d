//! Compliance: documents evaluated against criteria, kept, resumed, overridden and compared.
//!
//! Read in this order: where everything is kept ([`crate::Workspace`]), what is evaluated against what
//! ([`criteria`], [`documents`]), what decides a run
//! ([`evaluate`], [`configuration`], [`plan`]), what a
//! judge gets to see ([`material`], [`context`], [`mask`]), the work
//! itself ([`work`]), what came of it ([`overview`], [`detail`], [`set_verdicts`],
//! [`exporting`]), and how close the judge is to them ([`truth`], [`analysts`],
//! [`accuracy`], [`optimize`]).

pub mod accuracy;
pub mod analysts;
pub mod configuration;
pub mod context;
pub mod criteria;
pub mod detail;
pub mod documents;
pub mod error;
pub mod evaluate;
pub mod exporting;
mod findings;
pub mod in_memory;
pub mod intake;
pub mod lifecycle;
pub mod mask;
pub mod material;
pub mod optimize;
pub mod overview;
pub mod plan;
mod repeated;
pub mod request;
pub mod set_verdicts;
pub mod templates;
pub mod truth;
pub mod wire;
pub mod work;

pub use configuration::Configuration;
pub use error::ComplianceError;
pub(crate) use error::Result;
pub use request::ComplianceRequest;
