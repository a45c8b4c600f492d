//! Pairs judged by models: who is asked, what one pair takes, and a whole file of them.
//!
//! Read in this order: who there is ([`config`]) and who is asked ([`session`]), one pair by
//! one model ([`single`]) or by a panel, what it would cost ([`estimate`]), what is kept beside the evidence
//! ([`trail`]), and a whole file in its order ([`many`]).

pub mod config;
pub mod estimate;
pub mod hello;
pub mod many;
mod panel;
pub mod session;
pub mod single;
pub mod trail;

pub use assize_models::{Limit, ModelName, Money};
pub use config::{Config, ConfigError};
pub use estimate::Estimate;
pub use many::{block_on, run};
pub use session::{Member, Options, Session, SessionError};
pub use trail::Trail;
