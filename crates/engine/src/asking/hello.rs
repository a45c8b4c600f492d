//! One harmless question, to see whether a model can be reached and answers as it is asked to.

use assize_methods::ask::{Ask, Prompt, ReplyError};
use assize_methods::{reply, schema};
use serde::Deserialize;
use serde_json::Map;

use super::judge::Judge;
use super::outcome::{Answered, NoAnswer};
use super::session::AskSession;

/// Asks for one word.
struct Hello;

/// The word.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Word {
    /// What the model said.
    pub word: String,
}

impl Ask for Hello {
    type Answer = Word;

    fn prompt(&self) -> Prompt {
        Prompt {
            name: "hello",
            system: "You answer with one JSON object and nothing else.".to_owned(),
            question: r#"Are you ready? Form: {"word": "ready"}"#.to_owned(),
            fills: Vec::new(),
            schema: Some(schema::object(Map::from_iter([(
                "word".to_owned(),
                schema::of_type("string"),
            )]))),
            reply_tokens_max: Some(50),
        }
    }

    fn read(&self, reply: &str) -> Result<Word, ReplyError> {
        reply::read(reply)
    }
}

impl AskSession {
    /// Asks a model for one word.
    pub async fn greet(&self, judge: &Judge) -> Result<Answered<Word>, NoAnswer> {
        self.ask(judge, &Hello, self.attempt).await
    }
}
