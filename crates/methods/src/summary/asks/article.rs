//! What the article says: key points, theme, stance, and questions. The summary is not shown,
//! so that nothing in it can choose what matters.

use std::collections::BTreeSet;

use serde_json::Value;

use super::frozen::ArticleReading;
use super::kit::{SYSTEM, list, object, text, text_or_null};
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::reply;
use crate::summary::limits::Limits;
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/summary/shared/read_article.txt");
const QUESTIONS: &str = include_str!("../../../prompts/summary/judge_lock/article_questions.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 1_800;

/// Asks what the article says.
#[derive(Debug, Clone)]
pub struct ReadArticle<'a> {
    /// The article.
    pub article: &'a str,
    /// How many sentences it has: it cannot have more key points.
    pub sentences: usize,
    /// What the framework expects.
    pub limits: &'a Limits,
}

impl ReadArticle<'_> {
    fn key_points_min(&self) -> usize {
        (*self.limits.key_points.start()).min(self.sentences.max(1))
    }

    fn schema(&self) -> Value {
        let point = object(vec![("point", text()), ("quote", text_or_null())]);
        let most = *self.limits.key_points.end();
        let mut fields = vec![("key_points", list(&point, self.key_points_min(), most))];
        fields.extend(["theme", "intent", "stance", "tone"].map(|name| (name, text())));
        if let Some(count) = self.limits.questions {
            fields.push(("questions", list(&question(), count, count)));
        }
        object(fields)
    }
}

/// The schema of a question with its answer.
pub(super) fn question() -> Value {
    object(vec![("question", text()), ("answer", text()), ("quote", text_or_null())])
}

impl Ask for ReadArticle<'_> {
    type Answer = ArticleReading;

    fn prompt(&self) -> Prompt {
        let Limits { key_point_tokens_min, alignment_tokens_max, theme_tokens_max, .. } =
            self.limits;
        let number = |number: usize| Fill::Ours(number.to_string());
        let questions = self
            .limits
            .questions
            .map_or(String::new(), |count| QUESTIONS.replace("{count}", &count.to_string()));
        let mut form = r#"{"key_points": [{"point": …, "quote": …}, …], "theme": …, "intent": …, "stance": …, "tone": …"#.to_owned();
        if self.limits.questions.is_some() {
            form.push_str(r#", "questions": [{"question": …, "answer": …, "quote": …}, …]"#);
        }
        form.push('}');
        Prompt {
            name: "read_article",
            system: SYSTEM.to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![
                ("article", Fill::Evaluated(self.article.to_owned())),
                ("key_points_min", number(self.key_points_min())),
                ("key_points_max", number(*self.limits.key_points.end())),
                ("key_point_tokens_min", number((*key_point_tokens_min).max(1))),
                ("theme_tokens_max", number(*theme_tokens_max)),
                ("alignment_tokens_max", number(*alignment_tokens_max)),
                ("questions", Fill::Ours(questions)),
                ("form", Fill::Ours(form)),
            ],
            schema: Some(self.schema()),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<ArticleReading> {
        let mut reading: ArticleReading = reply::read(reply)?;
        let (least, most) = (self.key_points_min(), *self.limits.key_points.end());
        let found = reading.key_points.len();
        if !(least..=most).contains(&found) {
            let problem =
                format!("`key_points` has {found} entries; {least} to {most} were asked for");
            return Err(ReplyError::Rule(problem));
        }
        for (field, said) in [
            ("theme", &reading.theme),
            ("intent", &reading.intent),
            ("stance", &reading.stance),
            ("tone", &reading.tone),
        ] {
            if said.trim().is_empty() {
                return Err(ReplyError::Rule(format!("`{field}` is empty")));
            }
        }
        let points = reading.key_points.iter().map(|point| point.text.as_str());
        all_different("key_points", points)?;
        match self.limits.questions {
            Some(count) => exactly("questions", reading.questions.len(), count)?,
            None => reading.questions.clear(),
        }
        all_different("questions", reading.questions.iter().map(|asked| asked.question.as_str()))?;
        Ok(reading)
    }
}

/// Complains about a text that says nothing, or says what another one says already.
pub(super) fn all_different<'a>(name: &str, texts: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for text in texts {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        let letters: String = letters.flat_map(char::to_lowercase).collect();
        if letters.is_empty() {
            return Err(ReplyError::Rule(format!("`{name}` has an entry without a word")));
        }
        if !seen.insert(letters) {
            return Err(ReplyError::Rule(format!("`{name}` has the same entry twice: “{text}”")));
        }
    }
    Ok(())
}

/// Complains about a list of another length.
pub(super) fn exactly(name: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(ReplyError::Rule(format!(
        "`{name}` has {found} entries; exactly {expected} were asked for"
    )))
}
