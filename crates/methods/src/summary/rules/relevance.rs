//! What the article is about, and how the pieces of the summary overlap with it.

use std::collections::BTreeSet;
use std::ops::Range;

use assize_text::tokens::{count_alnum_tokens, for_each_alnum_token};

use super::evidence_sentence::{Best, Finder};
use super::fragments::verbatim_at;
use super::judge::Case;
use super::soft_recall::{recall, soft_recall};
use super::vocabulary::{Stem, Word};
use crate::summary::evidence::{KeyPoint, OverlapWith, RelevanceEvidence, Segment};
use crate::summary::limits::Limits;

/// A shorter piece of the summary is passed over.
const SEGMENT_TOKENS_MIN: usize = 6;

/// Segments overlap fully with the article only if the summary as a whole says at least
/// this share of what matters in it; below it they count in proportion. People call a
/// summary relevant that picks what matters, not one that merely stays on the subject.
const SAID_ENOUGH: f64 = 0.5;
/// What is left of the overlap of a segment whose content is found, however little the summary says:
/// it shares something with the article.
const FOUND_SHARE_MIN: f64 = 0.4;
/// A summary that says this share of what matters leaves nothing to ask for: a copy.
const SAID_ALL: f64 = 0.8;
/// A segment that stands in a key point word for word, with this share of its content or
/// more, is a copy of it.
const COPIED_FROM: f64 = 0.95;

/// The theme and the segments of a pair; `recall` is what the summary says of the article.
pub(super) fn evidence(
    case: &Case,
    key_points: &[KeyPoint],
    recall: f64,
    limits: &Limits,
) -> RelevanceEvidence {
    let theme = theme(case, key_points, limits.theme_tokens_max);
    let soft_recall = soft_recall(recall, case.holdings);
    let said = (recall < SAID_ALL).then_some(soft_recall / SAID_ENOUGH);
    RelevanceEvidence {
        theme_tokens: count_alnum_tokens(&theme),
        theme,
        overlap_with: case.overlap_with,
        segments: segments(case, key_points, said),
        soft_recall: Some(soft_recall),
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

/// The pieces of the summary between full stops, semicolons and line ends, compared with
/// the sentences that match best or with the whole article. `said` is how nearly the
/// summary says enough; `None` where it says all.
fn segments(case: &Case, key_points: &[KeyPoint], said: Option<f64>) -> Vec<Segment> {
    let mut finder = Finder::new(case.article.sentences.len());
    let measured: Vec<SegmentMeasure> = pieces(case)
        .into_iter()
        .map(|bytes| SegmentMeasure::of(case, bytes, key_points, &mut finder))
        .collect();
    let mean = measured.iter().map(|one| one.says).sum::<f64>() / measured.len().max(1) as f64;
    let overlap = |one: &SegmentMeasure| match (case.overlap_with, said) {
        (OverlapWith::WholeArticle, _) => {
            let own = tokens(&case.summary.text[one.bytes.clone()]);
            jaccard(&own, &tokens(case.article.text))
        }
        (OverlapWith::BestSentence, _) if one.is_key_point => 1.0,
        (OverlapWith::BestSentence, None) => one.best.share_of_two,
        (OverlapWith::BestSentence, Some(said)) => {
            let worth = if mean > 0.0 { (one.says / mean).sqrt().sqrt() } else { 0.0 };
            one.best.share_of_two * (said * worth).clamp(FOUND_SHARE_MIN, 1.0)
        }
    };
    let segment = |one: SegmentMeasure| Segment {
        overlap: overlap(&one).clamp(0.0, 1.0),
        in_article: (one.best.share > 0.0).then(|| {
            let sentence = &case.article.sentences[one.best.sentence];
            case.from_article.quote(sentence.bytes.clone())
        }),
        in_summary: case.from_summary.quote(one.bytes),
    };
    measured.into_iter().map(segment).collect()
}

/// Where the segments stand in the summary; the whole of it where none is long enough.
fn pieces(case: &Case) -> Vec<Range<usize>> {
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
    found
}

/// A segment beside the article.
struct SegmentMeasure {
    bytes: Range<usize>,
    /// The sentences of the article that hold most of its content.
    best: Best,
    /// What it says by itself of what matters in the article.
    says: f64,
    /// Whether it is a key point, word for word.
    is_key_point: bool,
}

impl SegmentMeasure {
    fn of(case: &Case, bytes: Range<usize>, points: &[KeyPoint], finder: &mut Finder) -> Self {
        let words = &case.summary.words;
        let first = words.partition_point(|word| (word.start as usize) < bytes.start);
        let last = words.partition_point(|word| (word.start as usize) < bytes.end);
        let stems: Vec<Stem> = words[first..last].iter().map(|word| word.stem).collect();
        let mut distinct = stems.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let content: Vec<Stem> =
            distinct.iter().copied().filter(|stem| case.vocabulary.is_content(*stem)).collect();
        let best = finder.best(if content.is_empty() { &distinct } else { &content }, case.index);
        let shares: Vec<Option<f64>> =
            finder.held().zip(case.contents).map(|(held, all)| all.map(|all| held / all)).collect();
        let is_key_point = verbatim_at(&stems, case.index).is_some_and(|place| {
            let number = case.article.sentence_at(place);
            let text = case.article.text_of(&case.article.sentences[number]);
            shares[number].is_some_and(|share| share >= COPIED_FROM)
                && points.iter().any(|point| point.text == text)
        });
        Self { bytes, best, says: recall(&shares, case.weights), is_key_point }
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
