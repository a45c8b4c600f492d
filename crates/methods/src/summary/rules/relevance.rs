//! What the article is about, and how the pieces of the summary overlap with it.

use std::collections::BTreeSet;
use std::ops::Range;

use assize_text::tokens::{count_alnum_tokens, for_each_alnum_token};

use super::evidence_sentence::{Best, Finder};
use super::judge::Case;
use super::soft_recall::soft_recall;
use super::vocabulary::{Stem, Word};
use crate::summary::evidence::{KeyPoint, OverlapWith, RelevanceEvidence, Segment};
use crate::summary::limits::Limits;

/// A shorter piece of the summary is passed over.
const SEGMENT_TOKENS_MIN: usize = 6;

/// Segments overlap fully with the article only if the summary as a whole says at least
/// this share of what matters in it; below it they count in proportion. People call a
/// summary relevant that picks what matters, not one that merely stays on the subject.
const SAID_ENOUGH: f64 = 0.4;

/// The theme and the segments of a pair; `recall` is what the summary says of the article.
pub(super) fn evidence(
    case: &Case,
    key_points: &[KeyPoint],
    recall: f64,
    limits: &Limits,
) -> RelevanceEvidence {
    let theme = theme(case, key_points, limits.theme_tokens_max);
    RelevanceEvidence {
        theme_tokens: count_alnum_tokens(&theme),
        theme,
        overlap_with: case.overlap_with,
        segments: segments(case, (recall / SAID_ENOUGH).min(1.0)),
        soft_recall: Some(soft_recall(recall, case.holdings)),
    }
}

/// The weightiest sentence of the article, cut to so many tokens.
fn theme(case: &Case, key_points: &[KeyPoint], tokens_max: usize) -> String {
    let heaviest = (0..case.weights.len())
        .filter(|number| {
            let text = case.article.text_of(&case.article.sentences[*number]);
            key_points.iter().any(|point| point.text == text)
        })
        .max_by(|left, right| {
            case.weights[*left].total_cmp(&case.weights[*right]).then(right.cmp(left))
        });
    let Some(number) = heaviest else { return String::new() };
    let sentence = &case.article.sentences[number];
    shortened(
        case.article.text,
        sentence.bytes.clone(),
        case.article.words_of(sentence),
        tokens_max,
    )
}

/// The longest beginning of a stretch that has no more tokens, cut after a word.
pub(super) fn shortened(
    text: &str,
    bytes: Range<usize>,
    words: &[Word],
    tokens_max: usize,
) -> String {
    let whole = &text[bytes.clone()];
    if count_alnum_tokens(whole) <= tokens_max {
        return whole.to_owned();
    }
    for word in words.iter().take(tokens_max).rev() {
        let beginning = &text[bytes.start..word.bytes().end];
        if count_alnum_tokens(beginning) <= tokens_max {
            return beginning.to_owned();
        }
    }
    String::new()
}

/// The pieces of the summary between full stops, semicolons and line ends.
fn segments(case: &Case, said: f64) -> Vec<Segment> {
    let mut found = Vec::new();
    for sentence in &case.summary.sentences {
        let mut start = sentence.bytes.start;
        for (at, _) in case.summary.text_of(sentence).match_indices(';') {
            found.push(start..sentence.bytes.start + at);
            start = sentence.bytes.start + at + 1;
        }
        found.push(start..sentence.bytes.end);
    }
    let is_long = |bytes: &Range<usize>| {
        count_alnum_tokens(&case.summary.text[bytes.clone()]) >= SEGMENT_TOKENS_MIN
    };
    found.retain(is_long);
    if found.is_empty()
        && let (Some(first), Some(last)) =
            (case.summary.sentences.first(), case.summary.sentences.last())
    {
        found.push(first.bytes.start..last.bytes.end);
    }
    let mut finder = Finder::new(case.article.sentences.len());
    let compare = |bytes: Range<usize>| {
        let best = nearest(case, &bytes, &mut finder);
        segment(case, bytes, &best, said)
    };
    found.into_iter().map(compare).collect()
}

/// The sentences of the article that hold most of a segment's content.
fn nearest(case: &Case, bytes: &Range<usize>, finder: &mut Finder) -> Best {
    let words = &case.summary.words;
    let first = words.partition_point(|word| (word.start as usize) < bytes.start);
    let last = words.partition_point(|word| (word.start as usize) < bytes.end);
    let mut stems: Vec<Stem> = words[first..last].iter().map(|word| word.stem).collect();
    stems.sort_unstable();
    stems.dedup();
    let content: Vec<Stem> =
        stems.iter().copied().filter(|stem| case.vocabulary.is_content(*stem)).collect();
    finder.best(if content.is_empty() { &stems } else { &content }, case.index)
}

/// A segment, compared with the sentences that match best or with the whole article.
fn segment(case: &Case, bytes: Range<usize>, best: &Best, said: f64) -> Segment {
    let overlap = match case.overlap_with {
        OverlapWith::BestSentence => best.share_of_two * said,
        OverlapWith::WholeArticle => {
            jaccard(&tokens(&case.summary.text[bytes.clone()]), &tokens(case.article.text))
        }
    };
    let sentence = &case.article.sentences[best.sentence];
    Segment {
        in_summary: case.from_summary.quote(bytes),
        overlap: overlap.clamp(0.0, 1.0),
        in_article: (best.share > 0.0).then(|| case.from_article.quote(sentence.bytes.clone())),
    }
}

fn jaccard(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let both = left.intersection(right).count();
    let either = left.len() + right.len() - both;
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}

fn tokens(text: &str) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    for_each_alnum_token(text, |token| {
        set.insert(token.to_owned());
    });
    set
}
