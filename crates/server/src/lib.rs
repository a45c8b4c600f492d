//! The engine's work over HTTP.
//!
//! Read in this order: every route in one list ([`router`]), what all of them share ([`state`]),
//! who may come in ([`auth`]), how an error is told ([`error`]), what stands around every request
//! (`guard`, `observe`, [`bodies`]), which answers are kept ([`kept`]) and which wait for their turn ([`turns`]),
//! how the server starts and ends
//! ([`mod@serve`]); then the routes themselves: `api`, `pages`, `operations`.

pub mod api;
mod assets;
pub mod auth;
pub mod background;
pub mod bodies;
pub mod concurrency;
pub mod crowds;
pub mod demo;
pub mod error;
mod guard;
mod idempotent;
pub mod logs;
mod memory;
mod observe;
mod operations;
mod pages;
pub mod response_cache;
pub mod router;
pub mod serve;
pub mod state;
mod work;

pub use operations::listen::listen as listen_for_metrics;
pub use operations::panics::panics;
pub use serve::{ServeError, Serving, serve};
pub use state::{AppState, ModelSettings, Settings};
