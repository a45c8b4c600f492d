//! Readers: local models that find statements and decide whether one states another.
//!
//! A reader is a judge's eye. It answers "which sentences are about this?" and "does this text
//! state, deny or leave open that?"; it never computes a score. Read in this order: what judges see
//! ([`reading`]), how statements are ranked ([`shortlist`]), what tells one model from another
//! ([`identity`]), what is kept so that nothing is read twice ([`cache`]), the models themselves
//! ([`models`]) and the reader that uses them ([`local`]). Judges are tested with a [`scripted`]
//! reader.
//!
//! ```
//! use assize_readers::{Pair, Reader, ScriptedReader, Shares};
//!
//! let reader = ScriptedReader::new().says("tests the backups", "Backups are tested", [0.0, 0.1, 0.9]);
//! let pair = Pair { premise: "Nobody tests the backups.", hypothesis: "Backups are tested." };
//! let read = reader.entail(&[pair])?;
//! assert_eq!(read[0].shares, Shares { stated: 0.0, open: 0.1, denied: 0.9 });
//! # Ok::<(), assize_readers::ReaderError>(())
//! ```

pub mod cache;
pub mod error;
pub mod identity;
#[cfg(feature = "models")]
pub mod local;
#[cfg(feature = "models")]
pub mod models;
pub mod reading;
pub mod scripted;
pub mod shortlist;

pub use cache::{ContentKey, MemoryCache, ReadingCache};
pub use error::ReaderError;
pub(crate) use error::Result;
pub use identity::{Identity, Record};
#[cfg(feature = "models")]
pub use local::LocalReader;
#[cfg(feature = "models")]
pub use models::{Encoder, Entailment};
pub use reading::{Candidate, Entailed, Pair, Reader, Shares, Statement};
pub use scripted::ScriptedReader;

/// A larger model is refused unless it is allowed: it would take more memory than a laptop has.
pub const MEGABYTES_MAX: u64 = 4_000;

/// What computed a reading; it changes with every change of arithmetic.
pub(crate) const RUNTIME_VERSION: &str = "readers-1";
