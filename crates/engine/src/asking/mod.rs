//! Asking models: one session for every instrument.
//!
//! Read in this order: who judges ([`name`]), which providers there are ([`config`]), how they
//! are asked ([`options`]), the session ([`session`]) with its models ([`judge`]); then one
//! question and its answer ([`sender`]), one request and its reply (`exchange`) for one item (`item`), many items at
//! once ([`items`]), how it is stopped ([`stop`]) and watched ([`account`]), and what it would
//! cost ([`estimate`]). [`outcome`] says how a question can end, [`error`] why none can be asked.

pub mod account;
pub mod config;
pub mod error;
pub mod estimate;
mod exchange;
pub mod hello;
mod in_flight;
pub(crate) mod item;
pub mod items;
pub mod judge;
pub mod lazy_reader;
pub mod name;
pub mod options;
pub mod outcome;
pub mod sender;
pub mod session;
mod shared_limits;
pub mod stop;

pub use account::{Account, Event};
pub use assize_models::{Catalogue, Exhausted, Limit, ModelName, Money, Variables};
pub use config::{Config, ConfigError};
pub use error::AskError;
pub use estimate::Estimate;
pub use items::over_items;
pub use judge::{Judge, JudgeSettings, Judges};
pub use lazy_reader::LazyReader;
pub use name::{JudgeName, JudgeNameError};
pub use options::AskOptions;
pub use outcome::{Answered, Halt, NoAnswer, Unscored};
pub use sender::{CallEstimate, Sender};
pub use session::AskSession;
pub use stop::Stop;
