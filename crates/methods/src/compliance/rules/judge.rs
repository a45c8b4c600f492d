//! The rule judge put together: criteria read once, documents read once, then every pair.

use std::ops::Range;

use assize_score::{Explained, Finding, MethodVersion, Outcome, Verdict, Working};
use serde::{Deserialize, Serialize};

use super::applies::does_not_apply;
use super::coverage::{self, Setting};
use super::curve::middle;
use super::evidence::{Scratch, Support};
use super::groups::groups;
use super::lexicon::Lexicon;
use super::obligations::obligations;
use super::parts::parts;
use super::report::{self, Held};
use super::statements::Reading;
use super::title::Named;
use super::verdicts::PartVerdict;
use super::wanted::Wanted;
use crate::compliance::citations::Citation;
use crate::compliance::criteria::Criterion;
use crate::compliance::read::{Assessment, Stated};
use crate::compliance::score::Judged;
use crate::compliance::sections::ResponseStructure;
use crate::compliance::tiers::Rubric;

/// Which arithmetic the rule judge uses. Version 1 counted words; version 2 reads statements;
/// version 3 knows many more words for the same thing; version 4 knows more of how things are
/// denied, excepted and counted, and how much an unknown word weighs; version 5 compares words it
/// has no list for by their vectors, takes the statement that says most, and asks for less where a
/// document has words of its own; version 6 asks for more where a document is about few criteria.
pub const METHOD: MethodVersion = MethodVersion::new("compliance-rules", 6);

/// How many criteria are looked at to see how much a document answers.
const ASKED_MAX: usize = 48;

/// How many statements must use a word of the group for it to count half.
const GROUP_HALF_AT: f64 = 1.0;

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
    /// What is said about each part of the requirement, in its order.
    pub parts: Vec<PartVerdict>,
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

/// A part of an obligation as the judge sees it.
pub(super) struct PreparedPart {
    pub text: String,
    /// The obligation it belongs to, counted from 0.
    pub obligation: usize,
    pub wanted: Wanted,
}

/// A criterion as the judge sees it.
pub(super) struct Prepared {
    pub parts: Vec<PreparedPart>,
    /// The parts of its title.
    pub title: Vec<Wanted>,
    pub group: Option<Wanted>,
}

impl Prepared {
    fn of(named: Named<'_>, group: Option<Wanted>, lexicon: &Lexicon) -> Self {
        let mut prepared = Self { parts: Vec::new(), title: Vec::new(), group };
        for obligation in obligations(named.requirement) {
            let number = prepared.parts.last().map_or(0, |part| part.obligation + 1);
            for part in parts(&obligation.text) {
                let lead = format!("{} {}", obligation.lead, part.subject);
                let wanted = Wanted::of(&part.text, &lead, lexicon);
                if wanted.total > 0.0 {
                    let text = report::whole(&part);
                    prepared.parts.push(PreparedPart { text, obligation: number, wanted });
                }
            }
        }
        let titles = named.parts().map(|part| Wanted::named(part, lexicon));
        prepared.title.extend(titles.filter(|wanted| wanted.total > 0.0));
        prepared
    }
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
            .map(|criterion| [criterion.requirement.as_str(), Named::of(criterion).above])
            .collect();
        let lexicon = Lexicon::of(texts.iter().map(<[&str; 2]>::as_slice));
        let groups = groups(criteria, &texts, &lexicon);
        let named = criteria.iter().map(Named::of).zip(groups);
        let criteria = named.map(|(named, group)| Prepared::of(named, group, &lexicon)).collect();
        Self { lexicon, criteria }
    }

    /// Reads a document, for all criteria of the set.
    pub fn read<'t>(&self, document: &'t str) -> Reading<'t> {
        let mut reading = Reading::of(document, &self.lexicon);
        let (fullest, claims) = self.fullest(&reading);
        (reading.middle, reading.claims) = (middle(&fullest), claims);
        reading
    }

    /// How much of each criterion the fullest statements cover, and how much each statement says of the
    /// part that it says most of.
    fn fullest(&self, document: &Reading<'_>) -> (Vec<f64>, Vec<f64>) {
        let mut scratch = Scratch::new(document, &self.lexicon);
        let step = self.criteria.len().div_ceil(ASKED_MAX).max(1);
        let mut fullest = |prepared: &Prepared| {
            let parts = prepared.parts.iter();
            mean(parts.map(|part| scratch.support(&part.wanted, document, |_| true).fullest))
        };
        let asked = self.criteria.iter().step_by(step).filter_map(&mut fullest).collect();
        (asked, scratch.claims)
    }

    /// Judges a document under the criterion of that index. With passages, only statements
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
        let prepared = &self.criteria[criterion];
        let mut scratch = Scratch::new(document, &self.lexicon);
        let is_allowed = |statement: u32| {
            let bytes = &document.statements[statement as usize].bytes;
            let meets = |passage: &Passage| {
                passage.bytes.start < bytes.end && bytes.start < passage.bytes.end
            };
            passages.is_none_or(|passages| passages.iter().any(meets))
        };
        let held: Vec<Held<'_>> = prepared
            .parts
            .iter()
            .map(|part| {
                let support = scratch.support(&part.wanted, document, is_allowed);
                Held { part, support }
            })
            .collect();
        let title = title(prepared, &mut scratch, document);
        let worth = worth(&held);
        let covered: Vec<f64> = worth.iter().flatten().map(|(worth, _)| worth.value).collect();
        let setting = setting(prepared, document, &held, title);
        let coverage: Explained = coverage::score(worth, setting);
        let state = if held.is_empty() || document.is_empty() {
            Stated::NeedsInformation
        } else if does_not_apply(prepared, document, &mut scratch, &held) {
            Stated::NotApplicable
        } else {
            Stated::Score { given: coverage.value }
        };
        assemble(document, &held, &covered, coverage, (state, structure))
    }
}

/// How much of the title one statement names.
fn title(prepared: &Prepared, scratch: &mut Scratch, document: &Reading<'_>) -> Option<f64> {
    let named =
        prepared.title.iter().map(|part| scratch.support(part, document, |_| true).share_of_best());
    mean(named)
}

/// What each part is worth, obligation by obligation.
fn worth(held: &[Held<'_>]) -> Vec<Vec<(Explained, bool)>> {
    let mut worth: Vec<Vec<(Explained, bool)>> = Vec::new();
    for (number, held) in (1..).zip(held) {
        let part = (coverage::part(number, &held.support), coverage::is_open(&held.support));
        match worth.get_mut(held.part.obligation) {
            Some(obligation) => obligation.push(part),
            None => worth.push(vec![part]),
        }
    }
    worth
}

fn setting(
    prepared: &Prepared,
    document: &Reading<'_>,
    held: &[Held<'_>],
    title: Option<f64>,
) -> Setting {
    let is_open = |held: &Held<'_>| !coverage::is_contradicted(&held.support);
    let words = held.iter().map(|held| if is_open(held) { held.support.document } else { 0.0 });
    let agreed = mean(held.iter().map(|held| f64::from(u8::from(is_open(held))))).unwrap_or(1.0);
    Setting {
        words: mean(words).unwrap_or(0.0),
        title: title.map(|title| title * agreed),
        group: prepared.group.as_ref().map(|group| group.saturated(document, GROUP_HALF_AT)),
    }
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
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
    let mut findings = report::contradictions(document, held);
    for bytes in &document.addressed {
        let message =
            format!("the document speaks to the judge: {}", &document.text[bytes.clone()]);
        findings.push(Finding::new("addresses_the_judge", message));
    }
    let confidence = report::confidence(stated, held, covered);
    let words =
        report::Words { document, held, covered, stated, score: coverage.value, confidence };
    let sections = words.sections(structure, &mut findings);
    let assessment = Assessment {
        stated,
        confidence,
        sections,
        citations: citations.iter().map(|citation| citation.quote.clone()).collect(),
        findings,
    };
    let parts = words.parts();
    RuleAssessment { assessment, citations, parts, coverage }
}

impl Support {
    /// How much of it the best statement covers, whatever it says.
    fn share_of_best(&self) -> f64 {
        self.share.max(self.contrary)
    }
}
