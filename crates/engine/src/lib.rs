//! The jobs: the only place where methods meet the outside world.

pub mod accounts;
pub mod asking;
pub mod checks;
pub mod compliance;
pub mod configuration;
pub mod council;
pub mod database;
pub mod doctor;
pub mod error;
pub mod gate;
pub mod init;
pub mod input;
pub mod judges;
pub mod metrics;
pub mod policy;
mod postgres_tools;
#[cfg(feature = "readers")]
pub mod readers;
pub mod request;
pub mod retrieval;
pub mod retrieve;
pub mod runs;
pub mod summary;
pub mod thresholds;
pub mod workplace;
pub mod workspace;

pub use assize_store as store;
pub use error::{EngineError, ErrorKind};
pub use workspace::Workspace;
