//! What is under review, between fences: the question, the answers, and what the caller gave to
//! judge by.

use super::fence::Fences;
use crate::council::label::label;
use crate::council::record::Exhibit;

/// Stands before evidence, wherever it is shown.
const EVIDENCE: &str = include_str!("../../../prompts/council/evidence.md");

/// What one reviewer is shown.
#[derive(Debug, Clone)]
pub struct UnderReview<'a> {
    /// What the answers answer.
    pub question: &'a str,
    /// The answers in the order of the reviewer's seating.
    pub answers: Vec<&'a str>,
    /// What the caller gave to judge by.
    pub evidence: &'a [Exhibit],
}

impl<'a> UnderReview<'a> {
    /// Answers without evidence.
    pub fn new(question: &'a str, answers: Vec<&'a str>) -> Self {
        Self { question, answers, evidence: &[] }
    }

    /// The texts of others: a ballot that stands in one of them is nobody's.
    pub(super) fn quotable(&self) -> Vec<&'a str> {
        let evidence = self.evidence.iter().map(|exhibit| exhibit.text.as_str());
        self.answers.iter().copied().chain(evidence).collect()
    }

    /// The labels of the answers.
    pub(super) fn labels(&self) -> Vec<String> {
        (0..self.answers.len()).map(label).collect()
    }

    /// The answers and the question with its evidence, each between fences, and how many control
    /// words of chat models in the answers were made harmless.
    pub(super) fn fenced(&self) -> (String, String, usize) {
        let texts = [self.question].into_iter().chain(self.quotable());
        let mut fences = Fences::around(texts);
        let texts = self.answers.iter().enumerate();
        let texts: Vec<String> = texts.map(|(seat, text)| fences.put(&label(seat), text)).collect();
        let defused = fences.defused;
        let question = fences.put("question", self.question);
        let question = with_evidence(question, self.evidence, &mut fences);
        (texts.join("\n\n"), question, defused)
    }
}

/// A question with the evidence behind it, between fences; without evidence as it was.
pub(super) fn with_evidence(question: String, evidence: &[Exhibit], fences: &mut Fences) -> String {
    if evidence.is_empty() {
        return question;
    }
    let pieces = (1..).zip(evidence).map(|(number, Exhibit { name, text })| {
        fences.put(&format!("evidence {number}"), &format!("{name}\n\n{text}"))
    });
    let pieces: Vec<String> = pieces.collect();
    format!("{question}\n\n{}\n\n{}", EVIDENCE.trim_end(), pieces.join("\n\n"))
}
