//! A page of a long list, and where the next one begins.

use schemars::JsonSchema;
use serde::Serialize;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Listing<T> {
    /// What is on this page.
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last page.
    pub next: Option<String>,
}
