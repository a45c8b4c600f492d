//! The question, as the members of the council are asked it.

use super::fence::Fences;
use super::under_review::with_evidence;
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::council::record::Exhibit;
use crate::template::Fill;

const SYSTEM: &str = include_str!("../../../prompts/council/member.md");
const QUESTION: &str = "{question}";

/// Asks a member for its answer.
#[derive(Debug, Clone)]
pub struct AnswerAsk<'a> {
    /// The question, as it was asked.
    pub question: &'a str,
    /// What the caller gave to judge by.
    pub evidence: &'a [Exhibit],
}

impl Ask for AnswerAsk<'_> {
    type Answer = String;

    fn prompt(&self) -> Prompt {
        let evidence = self.evidence.iter().map(|exhibit| exhibit.text.as_str());
        let mut fences = Fences::around([self.question].into_iter().chain(evidence));
        let question = with_evidence(self.question.to_owned(), self.evidence, &mut fences);
        Prompt {
            name: "council_answer",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![("question", Fill::Ours(question))],
            schema: None,
            reply_tokens_max: None,
        }
    }

    /// The judge’s raw answer, white space at its ends included.
    fn read(&self, reply: &str) -> Result<String> {
        if reply.trim().is_empty() { Err(ReplyError::Empty) } else { Ok(reply.to_owned()) }
    }
}
