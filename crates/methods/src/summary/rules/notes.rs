//! Why a claim got no better label, in a few words.

use super::contradiction::Contradiction;
use super::judge::{Case, Judged};
use crate::summary::labels::Support;

/// The reason; empty for a supported claim.
pub(super) fn about(case: &Case, judged: &Judged) -> String {
    let assessment = &judged.assessment;
    if assessment.support == Support::Supported {
        return String::new();
    }
    if let Some(contradiction) = assessment.contradiction {
        let what = match contradiction {
            Contradiction::Number => "the article gives another number here",
            Contradiction::Name => "the article gives another name here",
            Contradiction::Negation => "one of the two denies what the other says",
            Contradiction::Opposite => "the article says the opposite here",
        };
        return what.to_owned();
    }
    if assessment.inventions.is_empty() {
        let share = assessment.best.share;
        return format!(
            "the nearest sentence holds {:.0} % of it, weighted by rarity",
            share * 100.0
        );
    }
    let words = case.summary.words_of(&judged.claim);
    let invented: Vec<&str> =
        assessment.inventions.iter().map(|at| &case.summary.text[words[*at].bytes()]).collect();
    format!("not in the article: {}", invented.join(", "))
}
