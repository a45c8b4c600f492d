//! Whether a document says that a criterion does not apply to it.

use super::evidence::{Scratch, Support};
use super::judge::{Prepared, mean};
use super::report::Held;
use super::statements::Reading;
use super::wanted::Wanted;

/// What does not apply must name so much of the title, or of the requirement.
const TITLE_MIN: f64 = 0.4;
const WORDS_MIN: f64 = 0.3;

/// Or it must say so much of the requirement in other words, and nearly as much as any statement.
const FULLEST_MIN: f64 = 0.35;
const NEARLY_MOST: f64 = 0.75;

/// A statement that is worth so much, and says so much of it, shows that it applies all the same.
const STATED_MAX: f64 = 0.65;
const SHARE_MAX: f64 = 0.35;

/// Whether the document says so about what the criterion is about, and states little about it.
pub(super) fn does_not_apply(
    prepared: &Prepared,
    document: &Reading<'_>,
    scratch: &mut Scratch,
    held: &[Held<'_>],
) -> bool {
    let declared: Vec<u32> = (0..)
        .zip(&document.statements)
        .filter(|(_, statement)| statement.is_not_applicable)
        .map(|(index, _)| index)
        .collect();
    let is_stated = |held: &Held<'_>| {
        let is_other = held.support.best.is_none_or(|best| {
            !declared.iter().any(|index| *index == best || continues(document, *index, best))
        });
        let is_full = held.support.worth >= STATED_MAX && held.support.share >= SHARE_MAX;
        is_full && is_other
    };
    if declared.is_empty() || held.iter().any(is_stated) {
        return false;
    }
    let most = mean(held.iter().map(|held| held.support.fullest));
    // One declaration speaks for its own sentence, what stands before it and its heading.
    declared.into_iter().any(|index| {
        let near = |other: u32| {
            let (one, two) =
                (&document.statements[index as usize], &document.statements[other as usize]);
            other == index
                || Some(other) == one.above
                || (other < index && one.paragraph == two.paragraph && leans(document, index))
                || continues(document, index, other)
        };
        let mut named = |wanted: &Wanted| scratch.support(wanted, document, near);
        let title = mean(prepared.title.iter().map(|title| named(title).document));
        let found: Vec<Support> = prepared.parts.iter().map(|part| named(&part.wanted)).collect();
        let words = mean(found.iter().map(|found| found.document));
        let fullest = mean(found.iter().map(|found| found.fullest));
        // Nothing else in the document says more about the subject.
        let is_about = fullest >= most.map(|most| most * NEARLY_MOST);
        title.is_some_and(|title| title >= TITLE_MIN)
            || words.is_some_and(|words| words >= WORDS_MIN) && (is_about || leans(document, index))
            || is_about && fullest.is_some_and(|fullest| fullest >= FULLEST_MIN)
    })
}

/// Whether a declaration leans on what stands before it: "This does not apply."
fn leans(document: &Reading<'_>, index: u32) -> bool {
    document.statements[index as usize].points_back || is_bare(document, index)
}

/// Whether a statement says more of a declaration that names nothing itself: "Not applicable. There
/// are no visitors."
fn continues(document: &Reading<'_>, index: u32, other: u32) -> bool {
    let paragraph = |index: u32| document.statements[index as usize].paragraph;
    other > index && paragraph(other) == paragraph(index) && is_bare(document, index)
}

/// Whether a declaration names nothing itself: "Not applicable."
fn is_bare(document: &Reading<'_>, index: u32) -> bool {
    let bytes = document.statements[index as usize].bytes.clone();
    document.text[bytes].split_whitespace().count() <= 3
}
