//! A test tool: a model server on loopback that fails on cue.
//!
//! It speaks OpenAI's chat completions, Anthropic's messages, Gemini and Ollama over HTTP/1.1, written by hand so that it can also
//! speak them badly: late, never, cut in half, or not at all. What it answers is decided by
//! the test; it judges nothing.
//!
//! [`script`] says what is to happen, [`server`] makes it happen.

mod dialect;
mod http;
pub mod script;
pub mod server;

pub use script::{Fault, Request, Script, When};
pub use server::Injector;
