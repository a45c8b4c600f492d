//! The evidence lock: a label whose words cannot be found in their source goes down one step.

use crate::summary::asks::locate::Sources;
use crate::summary::asks::{Label, Labels};
use crate::summary::labels::{Coverage, Support};

/// A label that can go down one step.
trait Step: Copy + PartialEq {
    fn down(self) -> Self;
}

impl Step for Coverage {
    fn down(self) -> Self {
        match self {
            Self::Fully => Self::Partial,
            Self::Partial | Self::Not => Self::Not,
        }
    }
}

impl Step for Support {
    fn down(self) -> Self {
        match self {
            Self::Supported => Self::Partial,
            Self::Partial | Self::Unsupported => Self::Unsupported,
        }
    }
}

/// Lowers the labels of a ballot that rest on nothing, leaves out issues nobody can point at,
/// and says how many labels went down.
pub(crate) fn apply(labels: &mut Labels, sources: &Sources<'_>) -> usize {
    let in_summary = |words: &str| is_found(sources.in_summary(Some(words)));
    let in_article = |words: &str| is_found(sources.in_article(Some(words)));
    let lowered = lower(&mut labels.key_points, in_summary) + lower(&mut labels.claims, in_article);
    labels.issues.retain(|said| said.quote.as_deref().is_some_and(in_summary));
    lowered
}

fn is_found(quote: Option<crate::summary::Quote>) -> bool {
    quote.is_some_and(|quote| quote.span.is_some())
}

fn lower<T: Step>(labels: &mut [Label<T>], is_there: impl Fn(&str) -> bool) -> usize {
    let mut lowered = 0;
    for said in labels {
        // The lowest label claims nothing, and needs no words.
        let lower = said.label.down();
        if lower != said.label && !said.quote.as_deref().is_some_and(&is_there) {
            said.label = lower;
            lowered += 1;
        }
    }
    lowered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::SummaryPair;

    #[test]
    fn a_label_without_findable_words_goes_down_one_step() {
        use Support::{Partial, Supported, Unsupported};
        let pair = SummaryPair::new("The ferry sank in May.", "The ferry sank.").unwrap();
        let sources = Sources::of(&pair);
        let is_there = |words: &str| is_found(sources.in_article(Some(words)));
        let said = |label, quote: Option<&str>| Label { label, quote: quote.map(str::to_owned) };
        let mut labels = [
            said(Support::Supported, Some("sank in May")),
            said(Support::Supported, Some("sank in June")),
            said(Support::Partial, None),
            said(Support::Unsupported, None),
        ];
        assert_eq!(lower(&mut labels, is_there), 2);
        let after: Vec<Support> = labels.iter().map(|said| said.label).collect();
        assert_eq!(after, [Supported, Partial, Unsupported, Unsupported]);
    }

    #[test]
    fn coverage_goes_down_the_same_way() {
        assert_eq!(Coverage::Fully.down(), Coverage::Partial);
        assert_eq!(Coverage::Partial.down(), Coverage::Not);
        assert_eq!(Coverage::Not.down(), Coverage::Not);
    }
}
