//! The council: models answer, models review, the engine counts.
//!
//! Read in this order: what is chosen ([`choices`]) and made whole ([`plan`]), who sits
//! ([`seat`]) and can be asked ([`session`]), answers that are given ([`supplied`]), what is
//! to be done ([`request`]), a sitting from beginning to end ([`hold`]) with its gate ([`gating`]) and its reviews (`review`), what
//! it would cost ([`estimate`]), what watches it ([`step`]), what is kept of it ([`file`]), and
//! the same evidence counted another way ([`rescore`]).

pub mod choices;
pub mod estimate;
pub mod file;
pub mod gating;
pub mod hold;
pub mod plan;
pub mod request;
pub mod rescore;
mod review;
pub mod seat;
pub mod session;
pub mod step;
pub mod supplied;

pub use choices::{Choices, ChoicesError};
pub use estimate::{Estimate, estimate};
pub use file::{ChairSaid, FileError, Seats, Sitting};
pub use hold::hold;
pub use plan::{Plan, PlanError};
pub use request::{Answers, Request, RequestError};
pub use rescore::rescored;
pub use seat::{Seat, SeatError, seats};
pub use session::{Options, Session, SessionError};
pub use step::{Stage, Step, Watch, unwatched};
pub use supplied::{Supplied, SuppliedAnswer, SuppliedError};
