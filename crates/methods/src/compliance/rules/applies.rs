//! Whether a document says that a criterion does not apply to it.

use super::evidence::Scratch;
use super::judge::{Prepared, mean};
use super::report::Held;
use super::statements::Reading;
use super::wanted::Wanted;

/// What does not apply must name so much of the title, or of the requirement.
const TITLE_MIN: f64 = 0.4;
const WORDS_MIN: f64 = 0.3;

/// A statement that is worth so much shows that it applies all the same.
const STATED_MAX: f64 = 0.65;

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
    if declared.is_empty() || held.iter().any(|held| held.support.worth >= STATED_MAX) {
        return false;
    }
    // One declaration speaks for its own sentence, what stands before it and its heading.
    declared.into_iter().any(|index| {
        let near = |other: u32| {
            let (one, two) =
                (&document.statements[index as usize], &document.statements[other as usize]);
            other == index
                || Some(other) == one.above
                || (other < index && one.paragraph == two.paragraph && leans(document, index))
                || (other > index && one.paragraph == two.paragraph && is_bare(document, index))
        };
        let mut named = |wanted: &Wanted| scratch.support(wanted, document, near).document;
        let title = mean(prepared.title.iter().map(&mut named));
        let words = mean(prepared.parts.iter().map(|part| named(&part.wanted)));
        title.is_some_and(|title| title >= TITLE_MIN)
            || words.is_some_and(|words| words >= WORDS_MIN)
    })
}

/// Whether a declaration leans on what stands before it: "This does not apply."
fn leans(document: &Reading<'_>, index: u32) -> bool {
    document.statements[index as usize].points_back || is_bare(document, index)
}

/// Whether a declaration names nothing itself: "Not applicable."
fn is_bare(document: &Reading<'_>, index: u32) -> bool {
    let bytes = document.statements[index as usize].bytes.clone();
    document.text[bytes].split_whitespace().count() <= 3
}
