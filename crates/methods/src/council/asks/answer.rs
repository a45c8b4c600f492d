//! The question, as the members of the council are asked it.

use crate::ask::{Ask, Prompt, ReplyError};
use crate::template::Fill;

const SYSTEM: &str = include_str!("../../../prompts/council/member.md");
const QUESTION: &str = "{question}";

/// Asks a member for its answer.
#[derive(Debug, Clone)]
pub struct AnswerAsk<'a> {
    /// The question, as it was asked.
    pub question: &'a str,
}

impl Ask for AnswerAsk<'_> {
    type Answer = String;

    fn prompt(&self) -> Prompt {
        Prompt {
            name: "council_answer",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![("question", Fill::Ours(self.question.to_owned()))],
            schema: None,
            reply_tokens_max: None,
        }
    }

    /// The judge’s raw answer, white space at its ends included.
    fn read(&self, reply: &str) -> Result<String, ReplyError> {
        if reply.trim().is_empty() { Err(ReplyError::Empty) } else { Ok(reply.to_owned()) }
    }
}
