//! The council: models answer, models review, the engine counts.

pub mod seat;
pub mod session;
pub mod supplied;

pub use seat::{Seat, SeatError, seats};
pub use session::{Options, Session, SessionError};
pub use supplied::{Supplied, SuppliedAnswer, SuppliedError};
