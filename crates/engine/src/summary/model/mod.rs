//! Pairs judged by models: who is asked, what one pair takes, and a whole file of them.
//!
//! Read in this order: who is asked ([`reviewers`]), one pair by one model ([`single`]) or by a
//! panel, what it would cost ([`estimate`]), what is kept beside the evidence ([`trail`]), and a
//! whole file in its order ([`many`]).

pub mod estimate;
pub mod many;
mod panel;
pub mod repeated;
mod reviewers;
pub mod single;

pub use assize_wire::summary::Trail;
pub use many::run;
pub use reviewers::SummaryJudge;
