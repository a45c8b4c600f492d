//! What the article is about, and how the pieces of the summary overlap with it.

use std::collections::BTreeSet;
use std::ops::Range;

use assize_text::tokens::{count_alnum_tokens, for_each_alnum_token};

use super::judge::Case;
use super::vocabulary::{Stem, Word};
use crate::summary::evidence::{KeyPoint, OverlapWith, RelevanceEvidence, Segment};
use crate::summary::limits::Limits;

/// A shorter piece of the summary is passed over.
const SEGMENT_TOKENS_MIN: usize = 6;

/// The theme and the segments of a pair.
pub(super) fn evidence(
    case: &Case,
    key_points: &[KeyPoint],
    soft_recall: f64,
    limits: &Limits,
) -> RelevanceEvidence {
    let theme = theme(case, key_points, limits.theme_tokens_max);
    RelevanceEvidence {
        theme_tokens: count_alnum_tokens(&theme),
        theme,
        overlap_with: case.overlap_with,
        segments: segments(case),
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

/// The pieces of the summary between full stops, semicolons and line ends.
fn segments(case: &Case) -> Vec<Segment> {
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
    let whole = match case.overlap_with {
        OverlapWith::BestSentence => None,
        OverlapWith::WholeArticle => Some(tokens(case.article.text)),
    };
    let mut shared = Shared::new(case.article.sentences.len());
    let compare = |bytes: Range<usize>| {
        let best = shared.best_sentence(case, &bytes);
        segment(case, bytes, best, whole.as_ref())
    };
    found.into_iter().map(compare).collect()
}

/// A segment, compared with the best sentence or with the tokens of the whole article.
fn segment(
    case: &Case,
    bytes: Range<usize>,
    best: usize,
    whole: Option<&BTreeSet<String>>,
) -> Segment {
    let own = tokens(&case.summary.text[bytes.clone()]);
    let sentence = &case.article.sentences[best];
    let of_sentence = tokens(case.article.text_of(sentence));
    let other = whole.unwrap_or(&of_sentence);
    let both = own.intersection(other).count();
    let either = own.len() + other.len() - both;
    let is_near = !own.is_disjoint(&of_sentence);
    Segment {
        in_summary: case.from_summary.quote(bytes),
        overlap: if either == 0 { 0.0 } else { both as f64 / either as f64 },
        in_article: is_near.then(|| case.from_article.quote(sentence.bytes.clone())),
    }
}

/// So many places in the article are looked at for one segment: rare stems come first,
/// and where even they are common, any of the many alike sentences will do.
const PLACES_MAX: usize = 512;

/// How many stems each sentence of the article shares with the segment at hand.
struct Shared {
    counts: Vec<usize>,
    /// The sentences with a count.
    touched: Vec<usize>,
}

impl Shared {
    fn new(sentences: usize) -> Self {
        Self { counts: vec![0; sentences], touched: Vec::new() }
    }

    /// The sentence of the article whose stems overlap most with a stretch of the summary.
    fn best_sentence(&mut self, case: &Case, bytes: &Range<usize>) -> usize {
        let words = &case.summary.words;
        let first = words.partition_point(|word| (word.start as usize) < bytes.start);
        let last = words.partition_point(|word| (word.start as usize) < bytes.end);
        let mut stems: Vec<Stem> = words[first..last].iter().map(|word| word.stem).collect();
        stems.sort_unstable_by_key(|stem| (case.index.sentences_with(*stem).len(), *stem));
        stems.dedup();
        let places = stems.iter().flat_map(|stem| case.index.sentences_with(*stem));
        for &sentence in places.take(PLACES_MAX) {
            let count = &mut self.counts[sentence as usize];
            if *count == 0 {
                self.touched.push(sentence as usize);
            }
            *count += 1;
        }
        self.touched.sort_unstable();
        let mut best = (0, 0.0);
        for number in self.touched.drain(..) {
            let both = std::mem::take(&mut self.counts[number]);
            let length = case.article.sentences[number].words.len();
            let overlap = both as f64 / (stems.len() + length - both) as f64;
            if overlap > best.1 {
                best = (number, overlap);
            }
        }
        best.0
    }
}

fn tokens(text: &str) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    for_each_alnum_token(text, |token| {
        set.insert(token.to_owned());
    });
    set
}
