//! The shapes that programs outside see: what the command line prints as JSON, what MCP hands
//! back, and what pages are rendered from.
//!
//! Nothing is computed here. The engine fills these values from its results; command line, MCP
//! and pages only show them, so a number is the same whichever way it is asked for.
//! Verdicts of the methods (a council's, an accuracy report's) are plain data already and stand
//! in these shapes as they are.

#![warn(missing_docs)]

pub mod accounts;
pub mod accuracy;
pub mod audit;
pub mod check;
pub mod compliance;
pub mod council;
pub mod entries;
pub mod estimate;
pub mod gate;
pub mod listing;
pub mod models;
pub mod number;
pub mod package;
pub mod repeats;
pub mod retrieval;
pub mod runs;
pub mod summary;
pub mod text;
pub mod threshold;
pub mod truth;
pub mod verdicts;
pub mod workplace;

pub use entries::Entries;
pub use listing::Listing;

/// The version of these shapes. A field that is added leaves it; a field that changes its name,
/// type or meaning raises it. Files that are read back name it.
pub const FORMAT: u32 = 1;
