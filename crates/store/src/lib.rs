//! What is kept: exchanges with models, so that nothing is lost and nothing paid for twice.
//!
//! [`Store`] opens the file, [`exchanges`] keeps what was asked and answered, [`tally`] adds it
//! up. `database` does it in batches, `journal` knows the words; [`error`] says what went wrong.

mod batch;
mod database;
pub mod error;
pub mod exchanges;
mod journal;
mod store;
pub mod tally;

pub use error::StoreError;
pub use exchanges::{Exchange, Sent};
pub use store::Store;
pub use tally::Tally;
