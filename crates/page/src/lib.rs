//! Self-contained pages: one file, no script, nothing fetched, readable in light and dark.
//!
//! The command line writes them to disk and the server sends them; both build them from
//! these parts. All text goes through maud, which escapes it, so a document under
//! evaluation cannot bring markup of its own.

pub mod accuracy;
pub mod app;
pub mod bars;
pub mod checks;
pub mod compare;
pub mod council;
pub mod document;
mod flow;
pub mod layout;
pub mod ledger;
pub mod plots;
pub mod repeats;
pub mod styles;
pub mod summary;
pub mod tables;
pub mod tiles;
pub mod workings;

pub use assize_wire::number;
pub use layout::page;
pub use maud::Markup;
