//! How a question can end.

use std::io;
use std::sync::Arc;

use assize_methods::template::TemplateError;
use assize_models::{
    EndpointError, ExchangeKey, Exhausted, ModelName, Money, ProviderError, Usage,
};
use assize_score::{Finding, Outcome};
use assize_store::StoreError;
use thiserror::Error;

/// An answer, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered<T> {
    /// What the reader made of the reply.
    pub answer: T,
    /// The exchanges that led to it; the last one holds the reply that was read.
    pub exchanges: Vec<ExchangeKey>,
    /// What a reader of the verdict should know.
    pub findings: Vec<Finding>,
    /// Tokens of all these exchanges, whenever they were paid for.
    pub usage: Usage,
    /// What they cost, if the price is known.
    pub price: Option<Money>,
}

/// Why one item has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unscored {
    /// In words a reader of the verdict understands.
    pub because: String,
    /// What the model said last, if it said anything.
    pub raw_reply: Option<String>,
    /// The exchanges that led nowhere.
    pub exchanges: Vec<ExchangeKey>,
    /// Whether no reply came in time.
    pub timed_out: bool,
    /// Tokens of the replies that came and could not be read.
    pub usage: Usage,
    /// What they cost, if the price is known.
    pub price: Option<Money>,
}

impl From<Unscored> for Outcome {
    fn from(unscored: Unscored) -> Self {
        Self::unscored(unscored.because)
    }
}

/// Why the whole run ends here. What is kept stays; the same command goes on from there.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum Halt {
    /// Somebody wanted it.
    #[error("stopped on request")]
    Asked,
    /// The budget is used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// A provider is gone, or will not have us.
    #[error("cannot call {model}")]
    Provider {
        /// The model whose provider it is.
        model: ModelName,
        /// What it said last.
        #[source]
        source: ProviderError,
    },
    /// A model has no connection: its provider is unknown, or its key is missing.
    #[error("cannot call a model")]
    Endpoint(#[source] Arc<EndpointError>),
    /// Nothing more can be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A reader cannot read.
    #[error("the reader failed")]
    Reader(#[source] Arc<assize_readers::ReaderError>),
    /// The recording cannot be written.
    #[error("the recording could not be written")]
    Recording(#[source] Arc<io::Error>),
    /// A prompt of ours is faulty.
    #[error("the prompt `{name}` is not valid")]
    Prompt {
        /// Its file below `methods/prompts`.
        name: &'static str,
        /// What the template engine found wrong.
        #[source]
        source: TemplateError,
    },
}

impl From<EndpointError> for Halt {
    fn from(error: EndpointError) -> Self {
        Self::Endpoint(Arc::new(error))
    }
}

/// Why there is no answer.
#[derive(Debug, Clone)]
pub enum NoAnswer {
    /// This item has none; others may.
    Unscored(Unscored),
    /// The run ends here.
    Halt(Halt),
}

impl From<Halt> for NoAnswer {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}
