//! The rule judge put together: criteria read once, documents read once, then every pair.

use std::ops::Range;

use assize_score::{Explained, Finding, MethodVersion, Outcome, Verdict, Working};
use serde::{Deserialize, Serialize};

use super::coverage::{self, Setting};
use super::evidence::{Scratch, Support, Wanted};
use super::groups::groups;
use super::lexicon::Lexicon;
use super::obligations::{Obligation, obligations};
use super::report::{self, Held};
use super::statements::Reading;
use super::title::Named;
use crate::compliance::citations::Citation;
use crate::compliance::criteria::Criterion;
use crate::compliance::read::{Assessment, Stated};
use crate::compliance::score::Judged;
use crate::compliance::sections::ResponseStructure;
use crate::compliance::tiers::Rubric;

/// Which arithmetic the rule judge uses.
pub const METHOD: MethodVersion = MethodVersion::new("compliance-rules", 1);

/// How many statements must use a word of the group for it to count half.
const GROUP_HALF_AT: f64 = 1.0;

/// What does not apply must cover so much of the title, and no statement more of the rest.
const NOT_APPLICABLE_TITLE: f64 = 0.4;

/// A passage of the document that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Its bytes in the document.
    pub bytes: Range<usize>,
    /// How well it answers the requirement, as the search sees it.
    pub score: f64,
}

/// What the rule judge says about one criterion and one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleAssessment {
    /// The same as a model's answer would be.
    pub assessment: Assessment,
    /// Sentences of the document, with their places.
    pub citations: Vec<Citation>,
    /// How much of the requirement is covered, with workings, even where it does not apply.
    pub coverage: Explained,
}

impl RuleAssessment {
    /// The verdict: unlike a model's, this score is computed, and shows how.
    pub fn judged(&self, rubric: &Rubric) -> Judged {
        let score = match self.assessment.stated {
            Stated::Score { .. } => Outcome::from(self.coverage.clone()),
            Stated::NotApplicable => Outcome::unscored("the document says that it does not apply"),
            Stated::NeedsInformation => Outcome::unscored("there is nothing to judge"),
        };
        let status = score.value().map(|score| rubric.status(score));
        let confidence = self.assessment.confidence.map_or_else(
            || Outcome::unscored("there is no score"),
            |confidence| Outcome::from(Explained::given("confidence", f64::from(confidence))),
        );
        let scores = vec![("score".into(), score), ("confidence".into(), confidence)];
        let findings = self.assessment.findings.clone();
        Judged { verdict: Verdict { method: METHOD, scores, findings }, status }
    }
}

/// A criterion as the judge sees it.
struct Prepared {
    obligations: Vec<(Obligation, Wanted)>,
    /// The parts of its title.
    title: Vec<Wanted>,
    group: Option<Wanted>,
}

/// The judge of one criteria set.
///
/// ```
/// use assize_methods::compliance::rules::RuleJudge;
/// use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
///
/// let criteria = [Criterion::new("A-1", "Review user accounts every quarter.", "")];
/// let judge = RuleJudge::new(&criteria);
/// let document = judge.read("The owner reviews all user accounts once every quarter.");
/// let found = judge.judge(0, &document, None, &ResponseStructure::default());
/// assert!(found.judged(&Rubric::default()).score().unwrap() > 80.0);
/// ```
pub struct RuleJudge {
    lexicon: Lexicon,
    criteria: Vec<Prepared>,
}

impl RuleJudge {
    /// Reads the criteria of a set. What a word weighs depends on how many of them use it.
    pub fn new(criteria: &[Criterion]) -> Self {
        let texts: Vec<[&str; 2]> = criteria
            .iter()
            .map(|criterion| {
                let named = Named::of(criterion);
                [criterion.requirement.as_str(), named.above]
            })
            .collect();
        let lexicon = Lexicon::of(texts.iter().map(<[&str; 2]>::as_slice));
        let groups = groups(criteria, &texts, &lexicon);
        let prepare = |(named, group): (Named<'_>, Option<Wanted>)| Prepared {
            obligations: obligations(named.requirement)
                .into_iter()
                .map(|obligation| {
                    let wanted = Wanted::of(&obligation, &lexicon);
                    (obligation, wanted)
                })
                .filter(|(_, wanted)| wanted.total > 0.0)
                .collect(),
            title: named
                .parts()
                .map(|part| Wanted::named(part, &lexicon))
                .filter(|wanted| wanted.total > 0.0)
                .collect(),
            group,
        };
        let criteria = criteria.iter().map(Named::of).zip(groups).map(prepare).collect();
        Self { lexicon, criteria }
    }

    /// Reads a document, for all criteria of the set.
    pub fn read<'t>(&self, document: &'t str) -> Reading<'t> {
        Reading::of(document, &self.lexicon)
    }

    /// Holds a document against the criterion of that index. With passages, only statements
    /// in them are evidence.
    ///
    /// # Panics
    /// When the set has no criterion of that index, or the reading is another judge's.
    pub fn judge(
        &self,
        criterion: usize,
        document: &Reading<'_>,
        passages: Option<&[Passage]>,
        structure: &ResponseStructure,
    ) -> RuleAssessment {
        let Prepared { obligations, title, group } = &self.criteria[criterion];
        let mut scratch = Scratch::new(document);
        let is_allowed = |statement: u32| {
            let bytes = &document.statements[statement as usize].bytes;
            let meets = |passage: &Passage| {
                passage.bytes.start < bytes.end && bytes.start < passage.bytes.end
            };
            passages.is_none_or(|passages| passages.iter().any(meets))
        };
        let held: Vec<Held<'_>> = obligations
            .iter()
            .map(|(obligation, wanted)| {
                let support = scratch.support(wanted, document, is_allowed);
                Held { obligation, support }
            })
            .collect();
        let agreed = mean(
            held.iter().map(|held| f64::from(u8::from(!coverage::is_contradicted(&held.support)))),
        );
        let named = title.iter().map(|part| scratch.support(part, document, |_| true).statement);
        let setting = Setting {
            title: mean(named).map(|named| named * agreed.unwrap_or(1.0)),
            group: group.as_ref().map(|group| group.saturated(document, GROUP_HALF_AT)),
        };
        let worth: Vec<Explained> = (1..)
            .zip(&held)
            .map(|(number, held)| coverage::obligation(number, &held.support))
            .collect();
        let covered: Vec<f64> = worth.iter().map(|worth| worth.value).collect();
        let coverage: Explained = coverage::score(worth, setting);
        let state = if held.is_empty() || document.is_empty() {
            Stated::NeedsInformation
        } else if self.does_not_apply(criterion, document, &held) {
            Stated::NotApplicable
        } else {
            Stated::Score { given: coverage.value }
        };
        assemble(document, &held, &covered, coverage, (state, structure))
    }

    /// Whether the document says so about what the title names, and little else about it.
    fn does_not_apply(&self, criterion: usize, document: &Reading<'_>, held: &[Held<'_>]) -> bool {
        let declared: Vec<u32> = document
            .statements
            .iter()
            .filter(|statement| statement.is_not_applicable)
            .map(|statement| statement.paragraph)
            .collect();
        if declared.is_empty() {
            return false;
        }
        let mut scratch = Scratch::new(document);
        let is_there =
            |index: u32| declared.contains(&document.statements[index as usize].paragraph);
        let title = &self.criteria[criterion].title;
        let there =
            mean(title.iter().map(|part| scratch.support(part, document, is_there).document));
        let elsewhere = held.iter().map(|held| held.support.statement).fold(0.0, f64::max);
        there.is_some_and(|there| there >= NOT_APPLICABLE_TITLE && elsewhere <= there)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn assemble(
    document: &Reading<'_>,
    held: &[Held<'_>],
    covered: &[f64],
    coverage: Explained,
    (stated, structure): (Stated, &ResponseStructure),
) -> RuleAssessment {
    let citations = report::citations(document, held);
    let mut findings: Vec<Finding> = Vec::new();
    for (held, number) in held.iter().zip(1..) {
        let Support { contrary, worst: Some(worst), .. } = held.support else {
            continue;
        };
        if contrary >= coverage::CONTRARY_MIN {
            let is_contradicted = coverage::is_contradicted(&held.support);
            let code = if is_contradicted { "contradicted" } else { "conflicting" };
            let bytes = document.statements[worst as usize].bytes.clone();
            let message = format!("obligation {number} is denied: {}", &document.text[bytes]);
            findings.push(Finding::new(code, message));
        }
    }
    let assessment = Assessment {
        stated,
        confidence: report::confidence(stated, held, covered),
        sections: report::sections(structure, document, held, covered, stated),
        citations: citations.iter().map(|citation| citation.quote.clone()).collect(),
        findings,
    };
    RuleAssessment { assessment, citations, coverage }
}
