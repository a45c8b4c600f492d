//! What the article wants and how it sounds, and where the summary leaves that.

use assize_score::float::descending;
use assize_text::tokens::count_alnum_tokens;

use super::contradiction::Contradiction;
use super::doubts::Doubt;
use super::judge::Case;
use super::sentiment::Feeling;
use super::statement::Statement;
use super::vocabulary::Stem;
use crate::summary::evidence::{AlignmentEvidence, Deviation, KeyPoint};
use crate::summary::labels::{Coverage, DeviationKind, Drift};
use crate::summary::limits::Limits;

/// How many words name what the article is about.
const TOPIC_WORDS: usize = 6;
/// A text that feels less is neither good nor bad.
const FEELING_MIN: f64 = 0.3;
/// The summary feels the other way, and both feel this much: noticed on a second look …
const DRIFT_MILD: f64 = 0.45;
/// … and this much: the reader is misled.
const DRIFT_SEVERE: f64 = 0.75;
/// A summary whose claims share no more with the article is about something else.
const OTHER_TOPIC: f64 = 0.3;

/// Intent, stance, tone, and the deviations of the summary.
pub(super) fn evidence(
    case: &Case,
    key_points: &[KeyPoint],
    statements: &[Statement],
    limits: &Limits,
) -> AlignmentEvidence {
    let mut of_article = Feeling::default();
    for sentence in &case.article.sentences {
        of_article.read(case.article.words_of(sentence), case.vocabulary);
    }
    let mut deviations: Vec<Deviation> =
        statements.iter().filter_map(|statement| meaning(case, statement)).collect();
    deviations.extend(sentiment(case, statements));
    deviations.extend(focus(key_points, statements));
    let is_english = case.vocabulary.is_english();
    let (stance, tone) =
        if is_english { manner(of_article.value()) } else { ("unknown", "unknown") };
    let (stance, tone) = (stance.to_owned(), tone.to_owned());
    let mut intent = format!("to report on {}", topic(case).join(", "));
    let tokens = |intent: &str| count_alnum_tokens(&format!("{intent} {stance} {tone}"));
    while tokens(&intent) > limits.alignment_tokens_max
        && let Some((shorter, _)) = intent.rsplit_once(", ")
    {
        intent = shorter.to_owned();
    }
    AlignmentEvidence { tokens: tokens(&intent), intent, stance, tone, deviations }
}

/// Stance and tone of a text with this feeling.
fn manner(feeling: f64) -> (&'static str, &'static str) {
    match feeling {
        good if good > FEELING_MIN => ("favourable", "positive"),
        bad if bad < -FEELING_MIN => ("critical or concerned", "negative"),
        _ => ("neutral", "factual"),
    }
}

/// The words that name what the article is about: frequent in it, in the order of weight.
fn topic<'a>(case: &Case<'a>) -> Vec<&'a str> {
    let mut weights: Vec<(f64, Stem)> = (0..)
        .take(case.vocabulary.len())
        .filter(|stem| {
            let kind = case.vocabulary.kind(*stem);
            !kind.is_stop && !kind.is_number && case.index.positions_of(*stem).len() > 1
        })
        .map(|stem| (case.index.positions_of(stem).len() as f64 * case.index.rarity(stem), stem))
        .collect();
    weights.sort_by(|(left, _), (right, _)| descending(*left, *right));
    let first_place = |stem: Stem| {
        let place = case.index.positions_of(stem)[0] as usize;
        &case.article.text[case.article.words[place].bytes()]
    };
    weights.into_iter().take(TOPIC_WORDS).map(|(_, stem)| first_place(stem)).collect()
}

/// A statement that the article contradicts: severe where it turns the sense around.
fn meaning(case: &Case, statement: &Statement) -> Option<Deviation> {
    let doubted = |doubt| statement.doubts.iter().any(|found| found.doubt == doubt);
    let (drift, note) = match statement.contradiction.map(|(kind, _)| kind) {
        Some(Contradiction::Negation) => (Drift::Severe, "one denies what the other says"),
        Some(Contradiction::Opposite) => (Drift::Severe, "the opposite word"),
        Some(Contradiction::Roles) => (Drift::Severe, "the other way round"),
        Some(Contradiction::Name) => (Drift::Severe, "another name"),
        Some(Contradiction::Number) => (Drift::Mild, "another number"),
        None if doubted(Doubt::Denial) => (Drift::Severe, "a denial that the article lacks"),
        None if doubted(Doubt::Opposite) => (Drift::Severe, "the opposite word"),
        None if doubted(Doubt::Limit) => (Drift::Severe, "a limit that the article lacks"),
        None if doubted(Doubt::Another) => (Drift::Severe, "another word of the same kind"),
        None => return None,
    };
    let evidence = &case.article.sentences[statement.best.sentence];
    Some(Deviation {
        kind: DeviationKind::Meaning,
        drift,
        note: note.to_owned(),
        in_summary: Some(case.from_summary.quote(statement.sentence.bytes.clone())),
        in_article: Some(case.from_article.quote(evidence.bytes.clone())),
    })
}

/// The summary feels otherwise than the sentences it rests on.
fn sentiment(case: &Case, statements: &[Statement]) -> Option<Deviation> {
    if !case.vocabulary.is_english() {
        return None;
    }
    let mut of_summary = Feeling::default();
    let mut of_evidence = Feeling::default();
    let mut sentences: Vec<usize> = Vec::new();
    for statement in statements {
        of_summary.read(case.summary.words_of(&statement.sentence), case.vocabulary);
        sentences.push(statement.best.sentence);
    }
    sentences.sort_unstable();
    sentences.dedup();
    for sentence in sentences {
        let words = case.article.words_of(&case.article.sentences[sentence]);
        of_evidence.read(words, case.vocabulary);
    }
    let (ours, theirs) = (of_summary.value(), of_evidence.value());
    let weaker = ours.abs().min(theirs.abs());
    if weaker < DRIFT_MILD || ours * theirs >= 0.0 {
        return None;
    }
    let drift = if weaker < DRIFT_SEVERE { Drift::Mild } else { Drift::Severe };
    let note = format!("feeling {ours:+.2} where the article has {theirs:+.2}");
    let kind = DeviationKind::Sentiment;
    Some(Deviation { kind, drift, note, in_summary: None, in_article: None })
}

/// None of the key points is taken up: the summary looks elsewhere.
fn focus(key_points: &[KeyPoint], statements: &[Statement]) -> Option<Deviation> {
    if key_points.iter().any(|point| point.coverage != Coverage::Not) {
        return None;
    }
    let nearest = statements.iter().map(|statement| statement.best.share).fold(0.0, f64::max);
    let drift = if nearest <= OTHER_TOPIC { Drift::Severe } else { Drift::Mild };
    Some(Deviation {
        kind: DeviationKind::Focus,
        drift,
        note: "none of the key points is taken up".to_owned(),
        in_summary: None,
        in_article: None,
    })
}
