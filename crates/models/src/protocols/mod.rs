//! What providers speak: one file a protocol, and one way to read what they answer.
//!
//! Client crates read a body to its end, however long it is, and take no transport of ours. So
//! requests go out from here, through [`server`], which stops reading at a bound. Schemas are sent
//! as they are: whoever makes one makes it strict (every property required, no others). Only
//! Anthropic gets them without bounds, which it refuses. What is not sent to a provider is still
//! part of the exchange's key.

pub(crate) mod anthropic;
pub(crate) mod gemini;
pub(crate) mod ollama;
pub(crate) mod openai;
mod said;
mod server;

pub(crate) use said::Said;
pub(crate) use server::Server;

use crate::chat::{ChatRequest, Message, Role};

/// The standing instruction apart from what is said in turn, for protocols that want it so.
fn apart(request: &ChatRequest) -> (Option<String>, impl Iterator<Item = &Message>) {
    let is_standing = |message: &&Message| message.role == Role::System;
    let standing: Vec<&str> =
        request.messages.iter().filter(is_standing).map(|message| &*message.content).collect();
    let turns = request.messages.iter().filter(move |message| !is_standing(message));
    ((!standing.is_empty()).then(|| standing.join("\n\n")), turns)
}
