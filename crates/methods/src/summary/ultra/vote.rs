//! The vote: the median label; between two, the stricter one.

use assize_text::Span;

use crate::summary::asks::labelling::{Quoted, Remark, Wording};
use crate::summary::asks::locate::Sources;
use crate::summary::asks::{Label, Labels};
use crate::summary::labels::{DeviationKind, Drift, IssueKind, Tone};

/// The three ways to drift.
pub(crate) const KINDS: [DeviationKind; 3] =
    [DeviationKind::Meaning, DeviationKind::Sentiment, DeviationKind::Focus];

/// The median of labels that are ordered from the worst to the best; of two in the middle,
/// the worse. `None` without any.
///
/// ```
/// use assize_methods::summary::ultra::vote::median;
/// assert_eq!(median([3, 1, 2]), Some(2));
/// assert_eq!(median([3, 1, 2, 3]), Some(2));
/// assert_eq!(median::<u8>([]), None);
/// ```
pub fn median<T: Ord + Copy>(labels: impl IntoIterator<Item = T>) -> Option<T> {
    let mut labels: Vec<T> = labels.into_iter().collect();
    labels.sort_unstable();
    labels.get(labels.len().checked_sub(1)? / 2).copied()
}

/// The median tone; who calls it unclear abstains.
pub fn tone(tones: impl IntoIterator<Item = Tone>) -> Tone {
    median(tones.into_iter().filter(|tone| *tone != Tone::Unclear)).unwrap_or(Tone::Unclear)
}

/// How far a judge sees the summary drift in one way: its worst remark; `None` is not at all.
pub fn drift(labels: &Labels, kind: DeviationKind) -> Option<Drift> {
    let remarks = labels.deviations.iter().filter(|said| said.what.kind == kind);
    remarks.map(|said| said.what.drift).min()
}

/// The median of such drifts.
pub(crate) fn median_drift(drifts: impl IntoIterator<Item = Option<Drift>>) -> Option<Drift> {
    const NONE: u8 = 2;
    let rank = |drift| match drift {
        Some(Drift::Severe) => 0,
        Some(Drift::Mild) => 1,
        None => NONE,
    };
    match median(drifts.into_iter().map(rank)) {
        Some(0) => Some(Drift::Severe),
        Some(1) => Some(Drift::Mild),
        _ => None,
    }
}

/// One wording that somebody objects to, and who does.
#[derive(Debug, Clone, PartialEq)]
pub struct Objection {
    /// What is wrong with it.
    pub issue: Quoted<Wording>,
    span: Span,
    /// For each judge, whether it objects.
    pub by: Vec<bool>,
}

impl Objection {
    /// Whether half of these judges or more object.
    pub(crate) fn is_upheld(&self, judges: &[usize]) -> bool {
        let objecting = judges.iter().filter(|judge| self.by[**judge]).count();
        2 * objecting >= judges.len() && objecting > 0
    }
}

/// The wordings that judges object to: the same kind at the same place is one.
pub(crate) fn objections(panel: &[&Labels], sources: &Sources<'_>) -> Vec<Objection> {
    let mut found: Vec<Objection> = Vec::new();
    for (judge, labels) in panel.iter().enumerate() {
        for issue in &labels.issues {
            let quote = sources.in_summary(issue.quote.as_deref());
            let Some(span) = quote.and_then(|quote| quote.span) else { continue };
            let same =
                |kind: IssueKind, other: Span| kind == issue.what.kind && other.is_mostly(span);
            let known = found.iter_mut().find(|known| same(known.issue.what.kind, known.span));
            if let Some(known) = known {
                known.by[judge] = true;
            } else {
                let mut by = vec![false; panel.len()];
                by[judge] = true;
                found.push(Objection { issue: issue.clone(), span, by });
            }
        }
    }
    found
}

/// What the panel as a whole says.
pub fn vote(panel: &[&Labels], sources: &Sources<'_>) -> Labels {
    let everyone: Vec<usize> = (0..panel.len()).collect();
    let upheld = objections(panel, sources).into_iter();
    let upheld = upheld.filter(|objection| objection.is_upheld(&everyone));
    Labels {
        key_points: labels(panel, |ballot| &ballot.key_points),
        claims: labels(panel, |ballot| &ballot.claims),
        article_answers: answers(panel, |ballot| &ballot.article_answers),
        claim_answers: answers(panel, |ballot| &ballot.claim_answers),
        deviations: KINDS.into_iter().filter_map(|kind| deviation(panel, kind)).collect(),
        tone: tone(panel.iter().map(|ballot| ballot.tone)),
        issues: upheld.map(|objection| objection.issue).collect(),
    }
}

/// The median of each label, with the words of the first judge who said the same.
fn labels<T: Ord + Copy>(
    panel: &[&Labels],
    list: impl Fn(&Labels) -> &Vec<Label<T>>,
) -> Vec<Label<T>> {
    let count = panel.first().map_or(0, |ballot| list(ballot).len());
    (0..count)
        .filter_map(|index| {
            let said: Vec<&Label<T>> = panel.iter().filter_map(|b| list(b).get(index)).collect();
            let label = median(said.iter().map(|said| said.label))?;
            let with_words = said.iter().find(|said| said.label == label && said.quote.is_some());
            Some(Label { label, quote: with_words.and_then(|said| said.quote.clone()) })
        })
        .collect()
}

fn answers<T: Ord + Copy>(panel: &[&Labels], list: impl Fn(&Labels) -> &Vec<T>) -> Vec<T> {
    let count = panel.first().map_or(0, |ballot| list(ballot).len());
    let voted = |index: usize| median(panel.iter().filter_map(|b| list(b).get(index).copied()));
    (0..count).filter_map(voted).collect()
}

fn deviation(panel: &[&Labels], kind: DeviationKind) -> Option<Quoted<Remark>> {
    let drift = median_drift(panel.iter().map(|ballot| drift(ballot, kind)))?;
    let remarks = || panel.iter().flat_map(|b| &b.deviations).filter(|said| said.what.kind == kind);
    let said = remarks().find(|said| said.what.drift == drift).or_else(|| remarks().next())?;
    let what = Remark { kind, drift, note: said.what.note.clone() };
    Some(Quoted { what, quote: said.quote.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::labels::Support;

    #[test]
    fn a_tie_goes_to_the_stricter_label() {
        use Support::{Partial, Supported, Unsupported};
        assert_eq!(median([Supported, Unsupported]), Some(Unsupported));
        assert_eq!(median([Supported, Supported, Unsupported]), Some(Supported));
        assert_eq!(median([Supported, Supported, Partial, Unsupported]), Some(Partial));
    }

    #[test]
    fn a_judge_who_finds_the_tone_unclear_abstains() {
        assert_eq!(tone([Tone::Unclear, Tone::Neutral, Tone::Unclear]), Tone::Neutral);
        assert_eq!(tone([Tone::Unclear, Tone::Unclear]), Tone::Unclear);
        assert_eq!(tone([Tone::Hostile, Tone::Neutral]), Tone::Hostile);
    }

    #[test]
    fn two_of_three_who_see_no_drift_prevail_and_one_of_two_does_not() {
        let severe = Some(Drift::Severe);
        assert_eq!(median_drift([severe, None, None]), None);
        assert_eq!(median_drift([severe, None]), severe);
        assert_eq!(median_drift([severe, Some(Drift::Mild), None]), Some(Drift::Mild));
    }
}
