//! The engine's work as tools of the Model Context Protocol, over standard input and output.
//!
//! Read in this order: what the server may do ([`settings`]), how it is started and ended
//! ([`mod@serve`]), the protocol's side (`server`) and what a tool looks like from there
//! (`form`), then the tools: `council`, `summary`, `retrieval`.
//!
//! Tools take content and never paths, and nothing secret: providers, keys, the store and the
//! budget are the server's own and come from its command line, its file and its environment.

mod budget;
mod council;
mod form;
mod lines;
mod progress;
mod reply;
mod retrieval;
pub mod serve;
mod server;
pub mod settings;
mod state;
mod summary;

pub use serve::{Ended, ServeError, serve};
pub use settings::Settings;
