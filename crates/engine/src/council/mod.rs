//! The council: models answer, models review, the engine counts.
//!
//! Read in this order: what is asked for ([`request`]), what the operator says about it
//! ([`operator`]), both made whole ([`plan`]), who takes part ([`participant`]), answers that are
//! given ([`supplied`]) with what to judge by ([`evidence`]), what is to be done ([`hearing`]), a council from beginning to end ([`hold`]) with its
//! reviews (`review`) and what it took (`usage`), what it would cost ([`estimate`]), what watches it ([`step`]), what is kept of it ([`file`]), reviews that
//! were made elsewhere ([`recorded`]), and the same evidence counted another way ([`rescore`]).

pub mod bench;
mod clock;
pub mod estimate;
pub mod evidence;
pub mod file;
pub mod hearing;
pub mod hold;
pub mod operator;
pub mod participant;
pub mod plan;
pub mod recorded;
pub mod request;
pub mod rescore;
mod review;
pub mod safety_gate;
pub mod signing;
pub mod step;
pub mod supplied;
pub mod timeouts;
pub mod trust_file;
pub mod tuning;
mod usage;
pub mod verify;
pub mod wire;

pub use estimate::estimate;
pub use evidence::{EvidenceError, EvidenceGiven};
pub use file::{ChairSaid, CouncilRun, FileError, Participants};
pub use hearing::{Answers, Hearing, RequestError};
pub use hold::hold;
pub use operator::{OperatorError, OperatorPolicy};
pub use participant::{Participant, ParticipantError, participants};
pub use plan::{Plan, PlanError};
pub use recorded::reviewed;
pub use request::{CouncilRequest, WeightChoices};
pub use rescore::{rescored, rescored_under};
pub use safety_gate::SafetyGate;
pub use signing::SigningKey;
pub use step::{Stage, Step, Watch, unwatched};
pub use supplied::{Supplied, SuppliedAnswer, SuppliedError};
pub use timeouts::Timeouts;
pub use trust_file::TrustFileError;
