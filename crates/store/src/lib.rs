//! What is kept: exchanges with models, criteria, documents, runs, results and what people
//! say to them, in SQLite or PostgreSQL.
//!
//! [`Store`] opens a [`Place`]. Then, in the order of the work: [`exchanges`] keeps what was
//! asked and answered, [`tally`] adds it up; [`organisations`] are walls; [`criteria_sets`]
//! with their [`criteria_items`], [`doc_sets`] with their [`documents`]; [`runs`] hold the
//! ones against the others and bring [`results`].
//!
//! Below: `database` knows both databases, `queue` keeps in batches what comes one by one,
//! `journal` knows the words of exchanges, `migrations` make the tables.

mod batch;
pub mod criteria_items;
pub mod criteria_sets;
mod database;
pub mod doc_sets;
pub mod documents;
pub mod error;
pub mod exchanges;
pub mod ids;
mod journal;
mod migrations;
pub mod organisations;
pub mod place;
mod queue;
pub mod results;
pub mod runs;
pub mod state;
mod store;
pub mod tally;
mod value;

pub use criteria_items::CriteriaItem;
pub use criteria_sets::CriteriaSet;
pub use doc_sets::DocSet;
pub use documents::{Document, DocumentEntry};
pub use error::StoreError;
pub use exchanges::{Exchange, Sent};
pub use ids::{
    AuditId, CriteriaItemId, CriteriaSetId, DocSetId, DocumentId, OptCandidateId, OptRunId,
    OrganisationId, OverrideId, PromptTemplateId, ResultId, RunId, TruthKeyId,
};
pub use organisations::Organisation;
pub use place::Place;
pub use results::{Citation, CriteriaResult, Evidence, NewResult};
pub use runs::{Pair, Progress, Run, RunCriterion};
pub use state::{ResultOutcome, RunState};
pub use store::{Migrated, Store};
pub use tally::Tally;
