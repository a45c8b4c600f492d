//! What is kept: exchanges with models, criteria, documents, runs, results and what people
//! say to them, in SQLite or PostgreSQL.
//!
//! [`Store`] opens a [`Place`]. Then, in the order of the work: [`exchanges`] keeps what was
//! asked and answered, [`tally`] adds it up; [`organisations`] are walls; [`criteria_sets`]
//! with their [`criteria_items`], [`doc_sets`] with their [`documents`]; [`runs`] hold the
//! ones against the others and bring [`results`], which people correct by [`overrides`] and
//! measure by [`truth_keys`]; [`prompt_templates`] and [`optimisations`] make them better, and
//! [`audit`] says who changed what.
//!
//! Below: `database` knows both databases, `queue` keeps in batches what comes one by one,
//! `journal` knows the words of exchanges, `migrations` make the tables.

pub mod audit;
mod batch;
pub mod check;
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
pub mod optimisations;
pub mod organisations;
pub mod overrides;
pub mod place;
pub mod prompt_templates;
mod queue;
pub mod results;
pub mod runs;
pub mod state;
mod store;
mod tables;
pub mod tally;
mod transfer;
pub mod truth_keys;
mod value;

pub use audit::AuditEntry;
pub use check::Checked;
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
pub use optimisations::{OptCandidate, OptRun};
pub use organisations::Organisation;
pub use overrides::{Change, Override};
pub use place::Place;
pub use prompt_templates::PromptTemplate;
pub use results::{Citation, CriteriaResult, Evidence, NewResult};
pub use runs::{Pair, Progress, Run, RunCriterion};
pub use state::{ResultOutcome, RunState};
pub use store::{Migrated, Store};
pub use tally::Tally;
pub use truth_keys::TruthKey;
