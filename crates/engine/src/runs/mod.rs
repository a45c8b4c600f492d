//! Runs of all four instruments: worked on together, saved, shown, compared, computed again.
//!
//! Read in this order: how a run is called ([`find`]) and what can go wrong ([`error`]); how a
//! result becomes a run ([`draft`], and for each instrument [`retrieval`], [`summary`],
//! [`council`]); what is shown of it ([`view`]), how two compare ([`compare`]), the same
//! evidence scored another way ([`rescore`] as a [`RescoreRequest`] says, [`evidence`] in files, labels that a person corrects, [`correct`]), how it leaves ([`export`]),
//! what people decide about it ([`decide`]) and say besides ([`people`]),
//! what failed tried again ([`retry`]) and what it all cost ([`bill`]);
//! how steady a judge is that was asked several times ([`repeats`]);
//! what leaves as evidence that strangers can check ([`package`]);
//! how councils are held ([`council_work`]) and whether readers understood them ([`understood`]),
//! and how several processes share the work (`leased`), as workers on any run ([`worker`]).

pub mod approve;
pub mod bill;
pub mod compare;
pub mod comparisons;
pub mod correct;
pub mod council;
pub mod council_work;
pub mod decide;
pub mod draft;
pub mod edit;
mod elsewhere;
pub mod error;
pub mod evidence;
pub mod export;
pub mod find;
pub(crate) mod leased;
pub mod package;
pub mod people;
pub mod repeats;
pub mod rescore;
mod rescore_request;
pub mod retrieval;
pub mod retry;
pub mod summary;
pub mod understood;
pub mod view;
pub mod worker;

pub use draft::Draft;
pub(crate) use error::Result;
pub use error::RunError;
pub use rescore_request::{RescoreRequest, RetrievalChange, fields as rescore_fields};
pub use view::RunView;
