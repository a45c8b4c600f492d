//! What the article answers to questions about the claims. The summary is not shown, so that
//! nothing can be answered from it.

use serde::Deserialize;

use super::frozen::{Asked, Given};
use super::kit::{SYSTEM, list, listed, object};
use super::statements::AnswerForm;
use crate::ask::{Ask, Prompt, Result};
use crate::reply;
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/summary/judge_lock/answer_from_article.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 900;

/// Asks what the article answers.
#[derive(Debug, Clone)]
pub struct AnswerFromArticle<'a> {
    /// The article.
    pub article: &'a str,
    /// The questions about the claims.
    pub questions: &'a [Asked],
}

#[derive(Deserialize)]
struct ReplyForm {
    answers: Vec<AnswerForm>,
}

impl Ask for AnswerFromArticle<'_> {
    type Answer = Vec<Given>;

    fn prompt(&self) -> Prompt {
        let asked = self.questions.iter().map(|asked| asked.question.as_str());
        let count = self.questions.len();
        let form = r#"{"answers": [{"id": "Q1", "answer": …, "quote": …}, …]}"#;
        Prompt {
            name: "answer_from_article",
            system: SYSTEM.to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![
                ("article", Fill::Evaluated(self.article.to_owned())),
                ("claim_questions", Fill::Evaluated(listed('Q', asked))),
                ("form", Fill::Ours(form.to_owned())),
            ],
            schema: Some(object(vec![("answers", list(&AnswerForm::schema(), count, count))])),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<Vec<Given>> {
        let said: ReplyForm = reply::read(reply)?;
        AnswerForm::in_order(said.answers, self.questions.len())
    }
}
