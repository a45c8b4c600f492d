//! A first project: what lies in a folder, and a file of checks for it.
//!
//! Read in this order: which files there are ([`scan`]), what each is ([`kind`]), which columns
//! of a table hold what ([`columns`]), which checks follow ([`propose`](fn@propose)), and how they
//! are written down ([`text`]).

pub mod columns;
pub mod kind;
mod propose;
pub mod scan;
mod table;
pub mod text;

pub use columns::Columns;
pub use kind::Kind;
pub use propose::{Found, Proposal, found, propose};
