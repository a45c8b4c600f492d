//! What administrators look after: people, tokens, models, prompts, and the record of changes.

pub mod audit;
pub mod models;
pub mod people;
pub mod prompts;
pub mod tokens;

use maud::{Markup, html};

use super::parts::sentence;

/// What is in the way, above a form.
pub(crate) fn problem(words: Option<&str>) -> Markup {
    html! { @if let Some(words) = words { div class="notice bad" role="alert" { p { (sentence(words)) } } } }
}

/// A day and a time as lists show them.
pub(crate) fn when(at: Option<chrono::DateTime<chrono::Utc>>) -> Markup {
    html! { @match at { Some(at) => time datetime=(at.to_rfc3339()) { (at.format("%-d %b %Y, %H:%M")) }, None => "–" } }
}
