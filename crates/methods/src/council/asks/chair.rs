//! The chair writes the final answer, from the answers that passed and their reviews.

use super::fence::Fences;
use super::under_review::with_evidence;
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::council::label::label;
use crate::council::record::{CouncilRecord, Exhibit};
use crate::council::verdict::CouncilVerdict;
use crate::template::Fill;

const SYSTEM: &str = include_str!("../../../prompts/council/chair.md");
const QUESTION: &str = include_str!("../../../prompts/council/final.md");

/// Asks the chair for the final answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChairAsk {
    question: String,
    evidence: Vec<Exhibit>,
    /// What is shown, best first.
    shown: Vec<ShownAnswer>,
}

#[derive(Debug, Clone, PartialEq)]
struct ShownAnswer {
    text: String,
    score: Option<f64>,
    notes: Vec<String>,
}

impl ChairAsk {
    /// The question to the chair. Answers that failed the safety gate, and what reviewers
    /// wrote about them, are not shown. `None` if nothing is left to show.
    pub fn new(record: &CouncilRecord, verdict: &CouncilVerdict) -> Option<Self> {
        let mut order = verdict.passing();
        let place = |answer: &usize| verdict.ranking.iter().position(|ranked| ranked == answer);
        order.sort_by_key(|answer| (place(answer).is_none(), place(answer), *answer));
        let shown: Vec<ShownAnswer> = order
            .into_iter()
            .filter_map(|answer| {
                let said = verdict.answers.get(answer);
                let notes = said.map(|said| said.notes.iter().map(|(_, note)| note.clone()));
                Some(ShownAnswer {
                    text: record.answers.get(answer)?.text()?.to_owned(),
                    score: said.and_then(|said| Some(said.score.as_ref()?.value)),
                    notes: notes.into_iter().flatten().collect(),
                })
            })
            .collect();
        let (question, evidence) = (record.question.clone(), record.evidence.clone());
        (!shown.is_empty()).then_some(Self { question, evidence, shown })
    }

    fn answers(&self, fences: &mut Fences) -> String {
        let one = |(seat, shown): (usize, &ShownAnswer)| {
            let name = label(seat);
            let score = match shown.score {
                Some(score) => format!("{score:.2} of 10"),
                None => "not scored".to_owned(),
            };
            let mut text = format!("{name}, {score}\n{}", fences.put(&name, &shown.text));
            if !shown.notes.is_empty() {
                let notes = shown.notes.join("\n");
                text.push('\n');
                text.push_str(&fences.put(&format!("reviews of {name}"), &notes));
            }
            text
        };
        self.shown.iter().enumerate().map(one).collect::<Vec<_>>().join("\n\n")
    }
}

impl Ask for ChairAsk {
    type Answer = String;

    fn prompt(&self) -> Prompt {
        let notes = self.shown.iter().flat_map(|shown| &shown.notes);
        let texts = self.shown.iter().map(|shown| &shown.text).chain(notes);
        let texts = texts.chain(self.evidence.iter().map(|exhibit| &exhibit.text));
        let mut fences =
            Fences::around([&self.question].into_iter().chain(texts).map(String::as_str));
        let answers = self.answers(&mut fences);
        let question = fences.put("question", &self.question);
        let question = with_evidence(question, &self.evidence, &mut fences);
        Prompt {
            name: "council_chair",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: vec![("question", Fill::Ours(question)), ("answers", Fill::Ours(answers))],
            schema: None,
            reply_tokens_max: None,
        }
    }

    /// The final answer as it came.
    fn read(&self, reply: &str) -> Result<String> {
        if reply.trim().is_empty() { Err(ReplyError::Empty) } else { Ok(reply.to_owned()) }
    }
}
