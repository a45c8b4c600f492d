//! How article and summary compare: a label for everything that was listed, and what drifts.

use assize_stats::resample::Generator;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::frozen::{Asked, Frozen, Given};
use super::kit::{SYSTEM, in_order, label, list, listed, object, on_one_line, one_of, text};
use super::kit::{text_or_null, words};
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::reply;
use crate::summary::labels::{Answer, Coverage, DeviationKind, Drift, IssueKind, Support, Tone};
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/summary/shared/label.txt");
const ANSWERS: &str = include_str!("../../../prompts/summary/judge_lock/label_answers.txt");
const ANSWER_LISTS: &str = include_str!("../../../prompts/summary/judge_lock/answer_lists.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 2_000;

/// More deviations or issues than this are no longer a judgement.
const REMARKS_MAX: usize = 20;

/// Asks for the label of everything that was listed.
#[derive(Debug, Clone)]
pub struct LabelAll<'a> {
    /// The article.
    pub article: &'a str,
    /// The summary.
    pub summary: &'a str,
    /// What is labelled.
    pub frozen: &'a Frozen,
    /// Claims that stand among those of the summary and are not its own.
    pub planted: &'a [String],
    /// Each judge sees the lists in its own order; `None` is the order of the texts.
    pub order: Option<u64>,
}

/// A label, and the words it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label<T> {
    /// The label.
    pub label: T,
    /// The words; `None` if there were none to quote.
    pub quote: Option<String>,
}

/// Something found in the summary, and the words it was found in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quoted<T> {
    /// What it is.
    #[serde(flatten)]
    pub what: T,
    /// The words.
    #[serde(default, deserialize_with = "words")]
    pub quote: Option<String>,
}

/// A place where the summary drifts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// In what.
    #[serde(deserialize_with = "label")]
    pub kind: DeviationKind,
    /// How far.
    #[serde(deserialize_with = "label")]
    pub drift: Drift,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// A wording that should not be there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    /// Why not.
    #[serde(deserialize_with = "label")]
    pub kind: IssueKind,
}

/// What one judge said about everything that was listed, in the order of the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Of the key points.
    pub key_points: Vec<Label<Coverage>>,
    /// Of the claims, those that were planted last.
    pub claims: Vec<Label<Support>>,
    /// Of the summary's answers to the questions about the article.
    pub article_answers: Vec<Answer>,
    /// Of the article's answers to the questions about the claims.
    pub claim_answers: Vec<Answer>,
    /// Where the summary drifts.
    pub deviations: Vec<Quoted<Remark>>,
    /// How it speaks.
    pub tone: Tone,
    /// Wordings that should not be there.
    pub issues: Vec<Quoted<Wording>>,
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
pub(super) struct Entry<T> {
    pub id: String,
    #[serde(deserialize_with = "label")]
    pub label: T,
    #[serde(default, deserialize_with = "words")]
    pub quote: Option<String>,
}

#[derive(Deserialize)]
struct ReplyForm {
    key_points: Vec<Entry<Coverage>>,
    claims: Vec<Entry<Support>>,
    #[serde(default)]
    article_answers: Vec<Entry<Answer>>,
    #[serde(default)]
    claim_answers: Vec<Entry<Answer>>,
    deviations: Vec<Quoted<Remark>>,
    #[serde(deserialize_with = "label")]
    tone: Tone,
    issues: Vec<Quoted<Wording>>,
}

impl LabelAll<'_> {
    fn claims(&self) -> Vec<&str> {
        let own = self.frozen.summary.claims.iter().map(|claim| claim.text.as_str());
        own.chain(self.planted.iter().map(String::as_str)).collect()
    }

    /// The places of a list in the order in which this judge sees them.
    fn order(&self, count: usize, stream: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        if let Some(seed) = self.order {
            Generator::stream(seed, stream).shuffle(&mut order);
        }
        order
    }

    fn orders(&self) -> [Vec<usize>; 4] {
        let Frozen { article, summary, .. } = self.frozen;
        [
            self.order(article.key_points.len(), 0),
            self.order(self.claims().len(), 1),
            self.order(article.questions.len(), 2),
            self.order(summary.questions.len(), 3),
        ]
    }

    fn has_questions(&self) -> bool {
        !(self.frozen.article.questions.is_empty() && self.frozen.summary.questions.is_empty())
    }

    fn schema(&self) -> Value {
        let labelled = |labels: &[&str], count: usize| list(&label_schema(labels), count, count);
        let answers = |count: usize| {
            let label = one_of(&["correct", "partial", "wrong"]);
            list(&object(vec![("id", text()), ("label", label)]), count, count)
        };
        let [points, claims, article, summary] = self.orders().map(|order| order.len());
        let mut fields = vec![
            ("key_points", labelled(&["fully", "partial", "not"], points)),
            ("claims", labelled(&["supported", "partial", "unsupported"], claims)),
        ];
        if self.has_questions() {
            fields.push(("article_answers", answers(article)));
            fields.push(("claim_answers", answers(summary)));
        }
        let deviation = object(vec![
            ("kind", one_of(&["meaning", "sentiment", "focus"])),
            ("drift", one_of(&["mild", "severe"])),
            ("note", text()),
            ("quote", text_or_null()),
        ]);
        let kinds = ["strong_slur", "stereotype", "mild_profanity", "biased_wording"];
        let issue = object(vec![("kind", one_of(&kinds)), ("quote", text_or_null())]);
        fields.extend([
            ("deviations", list(&deviation, 0, REMARKS_MAX)),
            ("tone", one_of(&["neutral", "subjective", "hostile", "unclear"])),
            ("issues", list(&issue, 0, REMARKS_MAX)),
        ]);
        object(fields)
    }
}

/// An entry with one of these labels and a quote.
pub(super) fn label_schema(labels: &[&str]) -> Value {
    object(vec![("id", text()), ("label", one_of(labels)), ("quote", text_or_null())])
}

/// Questions with both answers, one on each line.
fn answer_list(letter: char, order: &[usize], asked: &[Asked], given: &[Given]) -> String {
    let lines: Vec<String> = order
        .iter()
        .map(|index| {
            let given = given.get(*index).and_then(|given| given.answer.as_deref());
            format!(
                "{} | expected: {} | given: {}",
                on_one_line(&asked[*index].question),
                on_one_line(&asked[*index].answer),
                on_one_line(given.unwrap_or("(no answer)")),
            )
        })
        .collect();
    listed(letter, lines.iter().map(String::as_str))
}

impl Ask for LabelAll<'_> {
    type Answer = Labels;

    fn prompt(&self) -> Prompt {
        let Frozen { article, summary, article_answers } = self.frozen;
        let [points, claims, by_summary, by_article] = self.orders();
        let all = self.claims();
        let points = points.iter().map(|index| article.key_points[*index].text.as_str());
        let claims = claims.iter().map(|index| all[*index]);
        let mut question = QUESTION.to_owned();
        let mut form = r#"{"key_points": [{"id": "K1", "label": …, "quote": …}, …], "claims": [{"id": "C1", "label": …, "quote": …}, …]"#.to_owned();
        let mut fills = vec![
            ("article", Fill::Evaluated(self.article.to_owned())),
            ("summary", Fill::Evaluated(self.summary.to_owned())),
            ("key_points", Fill::Evaluated(listed('K', points))),
            ("claims", Fill::Evaluated(listed('C', claims))),
        ];
        let (mut answers, mut lists) = ("", "");
        if self.has_questions() {
            (answers, lists) = (ANSWERS, ANSWER_LISTS);
            form.push_str(r#", "article_answers": [{"id": "A1", "label": …}, …], "claim_answers": [{"id": "B1", "label": …}, …]"#);
            let list = answer_list('A', &by_summary, &article.questions, &summary.answers);
            fills.push(("article_answers", Fill::Evaluated(list)));
            let list = answer_list('B', &by_article, &summary.questions, article_answers);
            fills.push(("claim_answers", Fill::Evaluated(list)));
        }
        question = question.replace("{answers}", answers.trim_end());
        question = question.replace("{answer_lists}", lists);
        form.push_str(r#", "deviations": [{"kind": …, "drift": …, "note": …, "quote": …}, …], "tone": …, "issues": [{"kind": …, "quote": …}, …]}"#);
        fills.push(("form", Fill::Ours(form)));
        Prompt {
            name: "label",
            system: SYSTEM.to_owned(),
            question,
            fills,
            schema: Some(self.schema()),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<Labels> {
        let said: ReplyForm = reply::read(reply)?;
        for (name, found) in [("deviations", said.deviations.len()), ("issues", said.issues.len())]
        {
            if found > REMARKS_MAX {
                let problem =
                    format!("`{name}` has {found} entries; at most {REMARKS_MAX} were asked for");
                return Err(ReplyError::Rule(problem));
            }
        }
        let [points, claims, by_summary, by_article] = self.orders();
        // A model reads for meaning: what it finds no answer to is wrong, not left out.
        let plain = |labels: Vec<Label<Answer>>| {
            labels.into_iter().map(|said| said.label.max(Answer::Wrong)).collect()
        };
        Ok(Labels {
            key_points: restored("key_points", 'K', &points, said.key_points)?,
            claims: restored("claims", 'C', &claims, said.claims)?,
            article_answers: restored("article_answers", 'A', &by_summary, said.article_answers)
                .map(plain)?,
            claim_answers: restored("claim_answers", 'B', &by_article, said.claim_answers)
                .map(plain)?,
            deviations: said.deviations,
            tone: said.tone,
            issues: said.issues,
        })
    }
}

/// Labels in the order of the texts, whatever the order in which they were shown.
fn restored<T>(
    name: &str,
    letter: char,
    order: &[usize],
    said: Vec<Entry<T>>,
) -> Result<Vec<Label<T>>> {
    let labelled =
        said.into_iter().map(|entry| (entry.id, Label { label: entry.label, quote: entry.quote }));
    let shown = in_order(name, letter, order.len(), labelled.collect())?;
    let mut restored: Vec<(usize, Label<T>)> = order.iter().copied().zip(shown).collect();
    restored.sort_by_key(|(index, _)| *index);
    Ok(restored.into_iter().map(|(_, label)| label).collect())
}
