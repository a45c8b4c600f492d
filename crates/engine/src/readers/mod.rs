//! Readers of this machine: which there are, how they get here, and how judges come by one.
//!
//! Read in this order: what can be installed by name ([`manifest`]), where readers stand
//! ([`shelf`]), how one gets there ([`install`], [`fetch`]), how it is opened for judges with what
//! it read before ([`configured`], [`kept`]), and how quick it is ([`bench`]).

pub mod bench;
pub mod configured;
mod error;
mod fetch;
pub mod install;
mod kept;
pub mod manifest;
pub mod shelf;

pub use assize_readers::{Candidate, Entailed, Pair, Reader, Statement};
pub use error::ReadersError;
