//! The council: models review the answers of models, and we do the arithmetic.
//!
//! Read in this order: what is marked ([`dimension`]) and how it counts ([`weights`],
//! [`ceiling`], [`anchors`], together a [`profile`], which a question may choose by its type: [`question_type`]); who sees what ([`seating`], [`label`]);
//! what a reviewer said ([`ballot`]), in two rounds if that is asked for ([`rounds`]), with votes
//! for a [`jury`]; everything that was collected ([`record`]) and what else
//! a verdict depends on ([`settings`]). What models are asked stands in [`asks`], how replies
//! are read in [`reading`], the sums of one review in [`overall`]. [`decide`] is the single
//! door to a [`verdict`]; [`report`] says how good the reviewing itself was.

pub mod anchors;
pub mod asks;
pub mod authorship;
pub mod ballot;
pub mod bench;
pub mod ceiling;
pub mod decide;
pub mod dimension;
mod gating;
pub mod jury;
pub mod label;
pub mod limits;
mod model_name;
pub mod overall;
pub mod profile;
pub mod question_type;
pub mod reading;
pub mod record;
pub mod report;
pub mod rounds;
pub mod seating;
pub mod settings;
mod suspicion;
pub mod trust;
pub mod tune;
pub mod verdict;
pub mod weights;

pub use asks::{AnswerAsk, ChairAsk, HolisticAsk, ReviewAsk, UnderReview};
pub use authorship::{Author, Recusal};
pub use ballot::{Ballot, Basis, Mark, Review};
pub use decide::{METHOD, decide};
pub use dimension::{ByDimension, Dimension};
pub use gating::{gate, gating};
pub use jury::{Jury, JuryError, JuryVerdict};
pub use profile::{Profile, ProfileError};
pub use question_type::{ProfileChoice, profile_for};
pub use reading::{read_ballot, settle};
pub use record::{
    Abstention, Answer, AnswerStatus, CouncilRecord, Exhibit, GateOutcome, Gating, Heard, Reviewer,
};
pub use report::{Case, CouncilReport, report};
pub use rounds::{Revision, Round};
pub use seating::{Seating, seatings};
pub use settings::{Aggregation, Scoring, Settings};
pub use trust::{Trust, TrustError};
pub use verdict::CouncilVerdict;
pub use weights::{Weights, WeightsError};
