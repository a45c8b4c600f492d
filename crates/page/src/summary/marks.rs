//! Where evidence stands in both texts, as marks of the page.

use assize_methods::summary::Evidence;
use assize_methods::summary::evidence::Quote;
use assize_methods::summary::labels::Support;

use super::words;
use crate::document::Mark;

/// The marks of both texts.
pub(super) struct Marks {
    pub(super) article: Vec<Mark>,
    pub(super) summary: Vec<Mark>,
}

/// What a mark is evidence for.
struct For<'a> {
    anchor: &'a str,
    /// `c` for a claim, `k` for a key point, `i` for an issue.
    kind: char,
    number: usize,
    class: String,
    title: String,
}

impl For<'_> {
    fn mark(&self, quote: Option<&Quote>, text: char) -> Option<Mark> {
        let span = quote?.span?;
        let Self { anchor, kind, number, .. } = self;
        Some(Mark {
            start: span.start(),
            end: span.end(),
            class: self.class.clone(),
            anchor: format!("{anchor}-{text}-{kind}{number}"),
            number: format!("{kind}{number}"),
            leads_to: format!("{anchor}-{kind}{number}"),
            title: self.title.clone(),
        })
    }
}

/// The marks of claims, key points and issues.
pub(super) fn of(evidence: &Evidence, anchor: &str) -> Marks {
    let mut marks = Marks { article: Vec::new(), summary: Vec::new() };
    let claims = evidence.hallucination.iter().flat_map(|found| &found.claims);
    for (index, claim) in claims.enumerate() {
        let (label, tone) = words::support(claim.support);
        let number = index + 1;
        let title = format!("claim {number}: {label}");
        let claimed = For { anchor, kind: 'c', number, class: tone.to_owned(), title };
        marks.summary.extend(claimed.mark(claim.in_summary.as_ref(), 's'));
        // What backs a claim is marked in its tone. What only comes nearest is not at fault.
        let (class, title) = match claim.support {
            Support::Supported => (tone, format!("supports claim {number}")),
            Support::Partial => (tone, format!("partly supports claim {number}")),
            Support::Unsupported => {
                ("nearest", format!("closest to claim {number}, but does not support it"))
            }
        };
        let backing = For { anchor, kind: 'c', number, class: class.to_owned(), title };
        marks.article.extend(backing.mark(claim.in_article.as_ref(), 'a'));
    }
    let points = evidence.coverage.iter().flat_map(|found| &found.key_points);
    for (index, point) in points.enumerate() {
        let (label, _) = words::coverage(point.coverage);
        let (number, title) = (index + 1, format!("key point {}: {label}", index + 1));
        let about = For { anchor, kind: 'k', number, class: "point".to_owned(), title };
        marks.article.extend(about.mark(point.in_article.as_ref(), 'a'));
    }
    let issues = evidence.bias_toxicity.iter().flat_map(|found| &found.issues);
    for (index, issue) in issues.enumerate() {
        let (label, tone) = words::issue(issue.kind);
        let number = index + 1;
        let about =
            For { anchor, kind: 'i', number, class: tone.to_owned(), title: label.to_owned() };
        marks.summary.extend(about.mark(Some(&issue.in_summary), 's'));
    }
    marks
}
