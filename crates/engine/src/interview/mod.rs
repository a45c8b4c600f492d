//! Putting a question to a model: look up, send, keep, read, ask once more.
//!
//! Read in this order: who is asked ([`judge`]), one question and its answer ([`desk`]), one
//! request and its reply ([`exchange`]), many items at once ([`items`]), how it is stopped
//! ([`stop`]) and watched ([`account`]). [`outcome`] says how it can end.

pub mod account;
pub mod desk;
mod exchange;
mod flights;
pub mod items;
pub mod judge;
pub mod outcome;
pub mod stop;

pub use account::{Account, Event};
pub use desk::{Desk, Quote};
pub use items::over_items;
pub use judge::{Judge, JudgeSettings, Judges};
pub use outcome::{Answered, Halt, NoAnswer, Unscored};
pub use stop::Stop;
