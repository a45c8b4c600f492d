//! What is kept: exchanges with models, so that nothing is lost and nothing paid for twice.
//!
//! [`Store`] opens the file, [`exchanges`] keeps what was asked and answered. [`database`]
//! knows how; [`error`] says what went wrong.

mod database;
pub mod error;
pub mod exchanges;
mod store;
pub mod tally;

pub use error::StoreError;
pub use exchanges::{Exchange, Sent};
pub use store::Store;
pub use tally::Tally;
