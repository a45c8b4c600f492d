//! What the summary says: its claims, questions about them, and its answers to questions
//! about the article. The article is not shown, so that nothing can be answered from it.

use serde::Deserialize;
use serde_json::Value;

use super::article::{all_different, exactly, question};
use super::frozen::{Asked, Given, Point, SummaryReading};
use super::kit::{SYSTEM, in_order, list, listed, object, text, text_or_null};
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::reply;
use crate::summary::limits::Limits;
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/summary/shared/read_summary.txt");
const QUESTIONS: &str = include_str!("../../../prompts/summary/judge_lock/summary_questions.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 1_600;

/// Asks what the summary says.
#[derive(Debug, Clone)]
pub struct ReadSummary<'a> {
    /// The summary.
    pub summary: &'a str,
    /// The questions about the article.
    pub questions: &'a [Asked],
    /// What the framework expects.
    pub limits: &'a Limits,
}

/// An answer under the id of its question.
#[derive(Deserialize)]
pub(super) struct AnswerForm {
    id: String,
    #[serde(flatten)]
    given: Given,
}

impl AnswerForm {
    pub(super) fn schema() -> Value {
        object(vec![("id", text()), ("answer", text_or_null()), ("quote", text_or_null())])
    }

    pub(super) fn in_order(said: Vec<Self>, count: usize) -> Result<Vec<Given>> {
        let said = said.into_iter().map(|answer| (answer.id, answer.given)).collect();
        in_order("answers", 'Q', count, said)
    }
}

#[derive(Deserialize)]
struct ReplyForm {
    claims: Vec<Point>,
    #[serde(default)]
    questions: Vec<Asked>,
    #[serde(default)]
    answers: Vec<AnswerForm>,
}

impl ReadSummary<'_> {
    fn schema(&self) -> Value {
        let claim = object(vec![("claim", text()), ("quote", text_or_null())]);
        let mut fields = vec![("claims", list(&claim, 0, self.limits.claims_max))];
        if let Some(count) = self.limits.questions {
            let asked = self.questions.len();
            fields.push(("questions", list(&question(), count, count)));
            fields.push(("answers", list(&AnswerForm::schema(), asked, asked)));
        }
        object(fields)
    }
}

impl Ask for ReadSummary<'_> {
    type Answer = SummaryReading;

    fn prompt(&self) -> Prompt {
        let mut form = r#"{"claims": [{"claim": …, "quote": …}, …]"#.to_owned();
        let mut question = QUESTION.to_owned();
        let mut fills = vec![
            ("summary", Fill::Evaluated(self.summary.to_owned())),
            ("claims_max", Fill::Ours(self.limits.claims_max.to_string())),
        ];
        if let Some(count) = self.limits.questions {
            form.push_str(r#", "questions": [{"question": …, "answer": …, "quote": …}, …], "answers": [{"id": "Q1", "answer": …, "quote": …}, …]"#);
            question = question.replace("{questions}", QUESTIONS);
            let asked = self.questions.iter().map(|asked| asked.question.as_str());
            fills.push(("count", Fill::Ours(count.to_string())));
            fills.push(("article_questions", Fill::Evaluated(listed('Q', asked))));
        } else {
            fills.push(("questions", Fill::Ours(String::new())));
        }
        form.push('}');
        fills.push(("form", Fill::Ours(form)));
        Prompt {
            name: "read_summary",
            system: SYSTEM.to_owned(),
            question,
            fills,
            schema: Some(self.schema()),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<SummaryReading> {
        let ReplyForm { claims, mut questions, answers } = reply::read(reply)?;
        let (found, most) = (claims.len(), self.limits.claims_max);
        if found > most {
            let problem = format!("`claims` has {found} entries; at most {most} were asked for");
            return Err(ReplyError::Rule(problem));
        }
        all_different("claims", claims.iter().map(|claim| claim.text.as_str()))?;
        let answers = if let Some(count) = self.limits.questions {
            exactly("questions", questions.len(), count)?;
            all_different("questions", questions.iter().map(|asked| asked.question.as_str()))?;
            AnswerForm::in_order(answers, self.questions.len())?
        } else {
            questions.clear();
            Vec::new()
        };
        Ok(SummaryReading { claims, questions, answers })
    }
}
