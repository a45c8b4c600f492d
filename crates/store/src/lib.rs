//! What is kept: exchanges with models, criteria, documents, runs, results and what people
//! say to them, in SQLite or PostgreSQL.
//!
//! [`Store`] opens a [`Place`]. Then, in the order of the work: [`exchanges`] keeps what was
//! asked and answered, [`tally`] adds it up; [`organisations`] are walls; [`criteria_sets`]
//! with their [`criteria_items`] ([`criteria_edit`]), [`doc_sets`] with their [`documents`]; [`plans`] hold the
//! ones against the others and bring [`results`], which people measure by [`truth_keys`]; [`prompt_templates`] and [`optimisations`] make them better, and
//! [`audit`] says who changed what.
//!
//! Runs of all four instruments: [`runs`] with their [`run_items`], which processes share by
//! [`leases`] and [`finish`] with [`verdicts`], or try again ([`retries`]), within [`budgets`] and the [`limits`] of providers, as [`workers`]; [`retention`] takes away what is too old;
//! people add [`decisions`] and [`labels`].
//!
//! Below: `database` knows both databases, `queue` keeps in batches what comes one by one,
//! `journal` knows the words of exchanges, `claims` who asks for one, `migrations` make the tables, `waits` tells of
//! databases that somebody else holds.

pub mod accounts;
pub mod adopt;
pub mod approvals;
pub mod assignments;
pub mod audit;
pub mod audit_chain;
mod audited;
mod batch;
pub mod budgets;
pub mod check;
mod claims;
pub mod criteria_edit;
pub mod criteria_import;
pub mod criteria_items;
pub mod criteria_sets;
mod database;
pub mod decisions;
pub mod doc_sets;
pub mod documents;
pub mod error;
pub mod exchanges;
pub mod finish;
pub mod idempotency;
pub mod identities;
pub mod ids;
mod journal;
pub mod labels;
pub mod leases;
pub mod limits;
mod migrations;
pub mod optimisations;
pub mod organisations;
pub mod origin;
mod packed;
pub mod place;
pub mod plans;
pub mod prompt_templates;
mod queue;
pub mod record;
mod results;
pub mod retention;
pub mod retries;
pub mod revision;
pub mod run_items;
pub mod run_rows;
mod run_tags;
pub mod runs;
pub mod sessions;
mod skeleton;
pub mod state;
mod store;
mod tables;
pub mod tally;
pub mod tokens;
mod transfer;
pub mod truth_keys;
mod value;
pub mod verdicts;
pub mod views;
mod waits;
pub mod workers;
mod writable;

pub use accounts::{Membership, User};
pub use approvals::Approval;
pub use assignments::Assigned;
pub use audit::AuditEntry;
pub use audit_chain::{Chain, Flaw};
pub use budgets::{Bill, BillPart, BudgetRow, BudgetUnit, NoRoom};
pub use check::Checked;
pub use criteria_edit::{MoveTo, Removal};
pub use criteria_import::CriteriaImported;
pub use criteria_items::CriteriaItem;
pub use criteria_sets::CriteriaSet;
pub use decisions::{Change, Consequences, Decision};
pub use doc_sets::DocSet;
pub use documents::{Document, DocumentEntry};
pub use error::{Refusal, StoreError};
pub use exchanges::{Begun, Cost, Exchange, SendFailure, Sending, Sent};
pub use finish::Finished;
pub use idempotency::Kept;
pub use identities::{Identity, SignInRequest};
pub use ids::{
    AuditId, CriteriaItemId, CriteriaSetId, DecisionId, DocSetId, DocumentId, OptCandidateId,
    OptRunId, OrganisationId, PromptTemplateId, RunId, TokenId, TruthKeyId, UserId,
};
pub use labels::Label;
pub use leases::{Claimed, LOSSES_MAX, LOSSES_TOGETHER, Open};
pub use limits::{Rates, Taken};
pub use optimisations::{OptCandidate, OptRun};
pub use organisations::Organisation;
pub use place::{Place, private_file};
pub use plans::{Pair, RunCriterion};
pub use prompt_templates::PromptTemplate;
pub use results::{CriteriaResult, Evidence};
pub use retries::{Reopened, RetryFilter};
pub use revision::Revision;
pub use run_items::{NewItem, Order, RunItem};
pub use run_tags::Marks;
pub use runs::{NewRun, Run, RunFilter};
pub use sessions::Session;
pub use state::{DecisionKind, Instrument, ItemState, ResultOutcome, Role, RunState, Scope};
pub use store::{Migrated, Store};
pub use tally::Tally;
pub use tokens::ApiToken;
pub use truth_keys::TruthKey;
pub use verdicts::{Assessment, NewVerdict, PackedVerdict, RunVersion, Verdict, VersionWriter};
pub use waits::announce_waits;
pub use workers::{Queue, QueuedRun, WorkerRow};
