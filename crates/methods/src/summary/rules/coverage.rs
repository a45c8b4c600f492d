//! The key points of an article, and how much of each the summary says.

use assize_score::float::descending;
use assize_text::tokens::count_alnum_tokens;

use super::judge::Case;
use super::reading::Sentence;
use super::vocabulary::Stem;
use crate::summary::evidence::KeyPoint;
use crate::summary::labels::Coverage;
use crate::summary::limits::Limits;

/// Two points that share more of the smaller one are the same point.
const OVERLAP_MAX: f64 = 0.6;
/// A key point for so many sentences of the article.
const SENTENCES_FOR_EACH: usize = 4;
/// So many key points if the article has them, whatever its length.
const POINTS_MIN: usize = 4;

/// The weightiest sentences that do not say the same, in the order of the article.
///
/// One that the summary contradicts is not covered, however many of its words it has.
pub(super) fn key_points(case: &Case, contradicted: &[usize], limits: &Limits) -> Vec<KeyPoint> {
    let mut chosen = choose(case, limits);
    chosen.sort_unstable();
    chosen
        .into_iter()
        .map(|number| {
            let sentence = &case.article.sentences[number];
            let is_contradicted = contradicted.binary_search(&number).is_ok();
            let share = case.shares[number].filter(|_| !is_contradicted).unwrap_or(0.0);
            let text = case.article.text_of(sentence);
            KeyPoint {
                text: text.to_owned(),
                tokens: count_alnum_tokens(text),
                coverage: Coverage::of_share(share),
                in_article: Some(case.from_article.quote(sentence.bytes.clone())),
                in_summary: taken_up(case, sentence),
            }
        })
        .collect()
}

/// The numbers of the sentences that are key points.
fn choose(case: &Case, limits: &Limits) -> Vec<usize> {
    let sentences = &case.article.sentences;
    let (least, most) = (*limits.key_points.start(), *limits.key_points.end());
    let wanted = (sentences.len() / SENTENCES_FOR_EACH).clamp(least.max(POINTS_MIN), most);
    let mut ranked: Vec<usize> = (0..sentences.len()).collect();
    ranked.sort_by(|left, right| descending(case.weights[*left], case.weights[*right]));
    let mut chosen: Vec<usize> = Vec::with_capacity(wanted);
    let mut contents: Vec<Vec<Stem>> = Vec::with_capacity(wanted);
    for is_second_round in [false, true] {
        for &number in &ranked {
            if chosen.len() == wanted {
                return chosen;
            }
            let is_long = count_alnum_tokens(case.article.text_of(&sentences[number]))
                >= limits.key_point_tokens_min.max(1);
            let content = content(case, &sentences[number]);
            if chosen.contains(&number)
                || (!is_long && !is_second_round)
                || content.is_empty()
                || contents.iter().any(|other| overlap(&content, other) > OVERLAP_MAX)
            {
                continue;
            }
            chosen.push(number);
            contents.push(content);
        }
        if chosen.len() >= least {
            break;
        }
    }
    chosen
}

/// The distinct content stems of a sentence, sorted.
fn content(case: &Case, sentence: &Sentence) -> Vec<Stem> {
    let is_content = |stem: &Stem| case.vocabulary.is_content(*stem);
    let mut stems: Vec<Stem> = case.article.stems_of(sentence).filter(is_content).collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

fn overlap(left: &[Stem], right: &[Stem]) -> f64 {
    let shared = left.iter().filter(|stem| right.binary_search(stem).is_ok()).count();
    shared as f64 / left.len().min(right.len()).max(1) as f64
}

/// The sentence of the summary that holds most of a key point.
fn taken_up(case: &Case, point: &Sentence) -> Option<crate::summary::Quote> {
    let content = content(case, point);
    let mut best = (0.0, None);
    for sentence in &case.summary.sentences {
        let mut found: Vec<Stem> = case
            .summary
            .stems_of(sentence)
            .filter(|stem| content.binary_search(stem).is_ok())
            .collect();
        found.sort_unstable();
        found.dedup();
        let weight: f64 = found.iter().map(|stem| case.index.rarity(*stem)).sum();
        if weight > best.0 {
            best = (weight, Some(sentence));
        }
    }
    best.1.map(|sentence| case.from_summary.quote(sentence.bytes.clone()))
}
