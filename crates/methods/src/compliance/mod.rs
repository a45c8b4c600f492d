//! Compliance: documents held against criteria, a number first and its label after.
//!
//! Read in this order: what is asked about ([`criteria`], [`tiers`], [`sections`]), how a
//! model is asked and read ([`template`], [`context`], [`ask`], [`read`]), what is made of its
//! answer ([`citations`], [`score`]), the judge without a model ([`rules`]), and how
//! close a judge comes to people ([`truth`], [`analysts`], [`accuracy`], [`optimize`]).

pub mod criteria;
pub mod sections;
pub mod tiers;

pub mod ask;
pub mod context;
pub mod read;
pub mod template;

pub mod citations;
pub mod score;
pub mod set_verdicts;

pub mod rules;

pub mod accuracy;
pub mod analysts;
pub mod optimize;
pub mod truth;

pub use accuracy::{AccuracyReport, Checked, accuracy};
pub use ask::AssessAsk;
pub use citations::{Citation, Matched};
pub use context::Context;
pub use criteria::Criterion;
pub use read::{Assessment, EvaluationResponse, Stated, parse_evaluation_response};
pub use rules::{RuleAssessment, RuleJudge};
pub use score::{Judged, judged};
pub use sections::{ResponseStructure, Section, SectionType};
pub use template::AssessTemplate;
pub use tiers::{Rubric, RubricError, Status, Tier};
pub use truth::{ResultAccuracy, TruthKey, accuracy_of};
