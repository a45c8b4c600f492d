//! The rule judge put together: criteria read once, documents read once, then every pair.

use assize_readers::{Identity, Reader, ReaderError};
use assize_score::{Explained, Finding, MethodVersion, Outcome, Verdict, Working};
use serde::{Deserialize, Serialize};

use super::applies::declaration;
use super::confidence::confidence;
use super::consulted::{self, Consulted, Read};
use super::decide::{Decided, Decision, by_words, with_reader};
use super::prepared::Prepared;
use super::report::{self, PartVerdict};
use super::score::score;
use super::statements::Reading;
use crate::compliance::citations::Citation;
use crate::compliance::criteria::Criterion;
use crate::compliance::read::{Assessment, Stated};
use crate::compliance::score::Judged;
use crate::compliance::sections::ResponseStructure;
use crate::compliance::tiers::Rubric;

/// Which arithmetic the rule judge uses. Versions 1 to 6 weighed words by the other criteria of
/// a set; since version 7 each decision is about one part and one document alone.
pub const METHOD: MethodVersion = MethodVersion::new("compliance-rules", 9);

/// The same where a reader was asked. Version 1 scored what it could not decide as met in part.
pub const METHOD_WITH_READER: MethodVersion = MethodVersion::new("compliance-reader", 3);

/// What the rule judge says about one criterion and one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleAssessment {
    /// The same as a model's answer would be.
    pub assessment: Assessment,
    /// Sentences of the document, with their places.
    pub citations: Vec<Citation>,
    /// What is said about each part of the requirement, in its order.
    pub parts: Vec<PartVerdict>,
    /// How much of the requirement is covered, with workings; no score where a part is undecided.
    pub coverage: Explained,
    /// Whether a reader was asked.
    pub is_read: bool,
}

impl RuleAssessment {
    /// The verdict: unlike a model's, this score is computed, and shows how.
    pub fn judged(&self, rubric: &Rubric) -> Judged {
        let score = match self.assessment.stated {
            Stated::Score { .. } => Outcome::from(self.coverage.clone()),
            Stated::NotApplicable => Outcome::unscored("the document says that it does not apply"),
            Stated::NeedsInformation if self.parts.is_empty() => {
                Outcome::unscored("there is nothing to judge")
            }
            Stated::NeedsInformation => {
                Outcome::unscored("undecided: it cannot be told whether it is stated")
            }
        };
        let status = score.value().map(|score| rubric.status(score));
        let confidence = self.assessment.confidence.map_or_else(
            || Outcome::unscored("there is no score"),
            |confidence| Outcome::from(Explained::given("confidence", f64::from(confidence))),
        );
        let scores = vec![("score".into(), score), ("confidence".into(), confidence)];
        let findings = self.assessment.findings.clone();
        let method = if self.is_read { METHOD_WITH_READER } else { METHOD };
        Judged { verdict: Verdict { method, scores, findings }, status }
    }
}

/// The judge of criteria.
///
/// ```
/// use assize_methods::compliance::rules::{Reading, RuleJudge};
/// use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
///
/// let judge = RuleJudge::new(&[Criterion::new("A-1", "Review user accounts every quarter.", "")]);
/// let document = Reading::new("The owner reviews all user accounts once every quarter.");
/// let found = judge.judge(0, &document, None, &ResponseStructure::default());
/// assert!(found.judged(&Rubric::default()).score().unwrap() > 80.0);
/// ```
pub struct RuleJudge {
    criteria: Vec<Prepared>,
}

impl RuleJudge {
    /// Reads criteria, each by itself.
    pub fn new(criteria: &[Criterion]) -> Self {
        Self { criteria: criteria.iter().map(Prepared::new).collect() }
    }

    /// Has a reader read what of a document may be about the criteria of these indices: all of
    /// them at once, because models are quicker that way.
    ///
    /// # Panics
    /// When the judge has no criterion of one of the indices.
    pub fn consult(
        &self,
        reader: &dyn Reader,
        criteria: &[usize],
        document: &Reading<'_>,
    ) -> Result<Consulted, ReaderError> {
        let asked: Vec<(usize, &Prepared)> =
            criteria.iter().map(|index| (*index, &self.criteria[*index])).collect();
        consulted::consult(reader, &asked, document)
    }

    /// Judges a document under the criterion of that index, with what a reader said about both
    /// if one was asked.
    ///
    /// # Panics
    /// When the judge has no criterion of that index.
    pub fn judge(
        &self,
        criterion: usize,
        document: &Reading<'_>,
        consulted: Option<&Consulted>,
        structure: &ResponseStructure,
    ) -> RuleAssessment {
        let prepared = &self.criteria[criterion];
        let read = |place| consulted.map_or(&[][..], |found| found.get(criterion, place));
        let read: Vec<&[Read]> = (0..prepared.parts.len()).map(read).collect();
        let decide = |(part, read): (_, &&[Read])| match consulted {
            Some(_) => with_reader(part, document, read),
            None => by_words(part, document),
        };
        let decided: Vec<Decided> = prepared.parts.iter().zip(&read).map(decide).collect();
        let is_undecided = decided.iter().any(|one| one.decision == Decision::Undecided);
        let readers = consulted.map_or(&[][..], |consulted| &consulted.identities);
        let readers: Vec<String> = readers.iter().map(named).collect();
        let coverage = score(prepared, document, &decided, &readers);
        let declared = declaration(prepared, document);
        let is_stated = decided.iter().any(|one| {
            one.decision == Decision::Stated && one.by.as_ref().map(|by| by.statement) != declared
        });
        let stated = if decided.is_empty() || document.is_empty() {
            Stated::NeedsInformation
        } else if declared.is_some() && !is_stated {
            Stated::NotApplicable
        } else if is_undecided {
            Stated::NeedsInformation
        } else {
            Stated::Score { given: coverage.value }
        };
        let words = report::Words {
            prepared,
            document,
            decided: &decided,
            read: &read,
            declared,
            stated,
            score: coverage.value,
            confidence: confidence(stated, &decided),
        };
        assemble(&words, coverage, structure, consulted.is_some())
    }
}

/// A reader as the ledger names it.
fn named(identity: &Identity) -> String {
    let Identity { name, sha256, runtime, .. } = identity;
    format!("read by {name} ({}, {runtime})", sha256.get(..12).unwrap_or(sha256))
}

fn assemble(
    words: &report::Words<'_>,
    coverage: Explained,
    structure: &ResponseStructure,
    is_read: bool,
) -> RuleAssessment {
    let document = words.document;
    let citations = words.citations();
    let mut findings = words.findings();
    for bytes in &document.addressed {
        let message =
            format!("the document speaks to the judge: {}", &document.text[bytes.clone()]);
        findings.push(Finding::new("addresses_the_judge", message));
    }
    let sections = words.sections(structure, &mut findings);
    let assessment = Assessment {
        stated: words.stated,
        confidence: words.confidence,
        sections,
        citations: citations.iter().map(|citation| citation.quote.clone()).collect(),
        findings,
    };
    RuleAssessment { assessment, citations, parts: words.parts(), coverage, is_read }
}
