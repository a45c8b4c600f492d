//! One harmless request, to see whether a model can be reached and answers as it is asked to.

use serde::Deserialize;
use serde_json::Map;

use crate::ask::{Ask, Prompt, Result};
use crate::{reply, schema};

const SYSTEM: &str = include_str!("../prompts/models/hello/system.md");
const QUESTION: &str = include_str!("../prompts/models/hello/question.md");

/// One word in JSON; some models need a few tokens more than that to begin.
const REPLY_TOKENS_MAX: u32 = 50;

/// Asks for one word.
#[derive(Debug)]
pub struct Hello;

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
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: Vec::new(),
            schema: Some(schema::object(Map::from_iter([(
                "word".to_owned(),
                schema::of_type("string"),
            )]))),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<Word> {
        reply::read(reply)
    }
}
