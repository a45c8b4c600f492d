//! Words for the labels of a summary's evidence, each with its tone.

use assize_methods::summary::Metric;

use assize_methods::summary::labels::{
    Answer, Coverage, DeviationKind, Drift, IssueKind, Overlap, Support, Tone,
};

/// A metric as a heading.
pub fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Coverage => "Coverage",
        Metric::Alignment => "Alignment",
        Metric::Hallucination => "Hallucination",
        Metric::Relevance => "Relevance",
        Metric::BiasToxicity => "Bias & toxicity",
    }
}

/// A label in words, with its tone: a class of the page's styles.
pub type Label = (&'static str, &'static str);

/// How far the article backs a claim.
pub fn support(support: Support) -> Label {
    match support {
        Support::Supported => ("supported", "good"),
        Support::Partial => ("partly supported", "warn"),
        Support::Unsupported => ("unsupported", "bad"),
    }
}

/// How much of a key point the summary says.
pub fn coverage(coverage: Coverage) -> Label {
    match coverage {
        Coverage::Fully => ("fully covered", "good"),
        Coverage::Partial => ("partly covered", "warn"),
        Coverage::Not => ("not covered", "bad"),
    }
}

/// How much a segment shares with the article.
pub(crate) fn overlap(overlap: Overlap) -> Label {
    match overlap {
        Overlap::High => ("high overlap", "good"),
        Overlap::Some => ("some overlap", "warn"),
        Overlap::None => ("no overlap", "bad"),
    }
}

/// Whether a question was answered.
pub fn answer(answer: Answer) -> Label {
    match answer {
        Answer::Correct => ("correct", "good"),
        Answer::Partial => ("partly correct", "warn"),
        Answer::Wrong => ("wrong", "bad"),
        Answer::Unanswered => ("left out", "quiet"),
    }
}

/// How far intent, stance or tone moved.
pub fn drift(drift: Drift) -> Label {
    match drift {
        Drift::Severe => ("severe", "bad"),
        Drift::Mild => ("mild", "warn"),
    }
}

/// What moved.
pub fn deviation(kind: DeviationKind) -> &'static str {
    match kind {
        DeviationKind::Meaning => "meaning",
        DeviationKind::Sentiment => "sentiment",
        DeviationKind::Focus => "focus",
    }
}

/// What kind of wording stood out.
pub fn issue(kind: IssueKind) -> Label {
    match kind {
        IssueKind::StrongSlur => ("strong slur", "bad"),
        IssueKind::Stereotype => ("stereotype", "bad"),
        IssueKind::MildProfanity => ("mild profanity", "warn"),
        IssueKind::BiasedWording => ("biased wording", "warn"),
    }
}

/// How the summary sounds.
pub fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Neutral => "neutral",
        Tone::Unclear => "unclear",
        Tone::Subjective => "subjective",
        Tone::Hostile => "hostile",
    }
}
