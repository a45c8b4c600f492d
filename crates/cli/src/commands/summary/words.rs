//! Words for labels, and texts of others made fit for a terminal.

use assize_methods::summary::Metric;

pub(super) use crate::output::terminal::one_line;
use assize_methods::summary::labels::{
    Answer, Coverage, DeviationKind, Drift, IssueKind, Overlap, Support, Tone,
};

/// A metric as a heading.
pub(super) fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Coverage => "Coverage",
        Metric::Alignment => "Alignment",
        Metric::Hallucination => "Hallucination",
        Metric::Relevance => "Relevance",
        Metric::BiasToxicity => "Bias & toxicity",
    }
}

/// A label in words, with its tone: a class of the page's styles.
pub(super) type Label = (&'static str, &'static str);

pub(super) fn support(support: Support) -> Label {
    match support {
        Support::Supported => ("supported", "good"),
        Support::Partial => ("partly supported", "warn"),
        Support::Unsupported => ("unsupported", "bad"),
    }
}

pub(super) fn coverage(coverage: Coverage) -> Label {
    match coverage {
        Coverage::Fully => ("fully covered", "good"),
        Coverage::Partial => ("partly covered", "warn"),
        Coverage::Not => ("not covered", "bad"),
    }
}

pub(super) fn overlap(overlap: Overlap) -> Label {
    match overlap {
        Overlap::High => ("high overlap", "good"),
        Overlap::Some => ("some overlap", "warn"),
        Overlap::None => ("no overlap", "bad"),
    }
}

pub(super) fn answer(answer: Answer) -> Label {
    match answer {
        Answer::Correct => ("correct", "good"),
        Answer::Partial => ("partly correct", "warn"),
        Answer::Wrong => ("wrong", "bad"),
    }
}

pub(super) fn drift(drift: Drift) -> Label {
    match drift {
        Drift::Severe => ("severe", "bad"),
        Drift::Mild => ("mild", "warn"),
    }
}

pub(super) fn deviation(kind: DeviationKind) -> &'static str {
    match kind {
        DeviationKind::Meaning => "meaning",
        DeviationKind::Sentiment => "sentiment",
        DeviationKind::Focus => "focus",
    }
}

pub(super) fn issue(kind: IssueKind) -> Label {
    match kind {
        IssueKind::StrongSlur => ("strong slur", "bad"),
        IssueKind::Stereotype => ("stereotype", "bad"),
        IssueKind::MildProfanity => ("mild profanity", "warn"),
        IssueKind::BiasedWording => ("biased wording", "warn"),
    }
}

pub(super) fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Neutral => "neutral",
        Tone::Unclear => "unclear",
        Tone::Subjective => "subjective",
        Tone::Hostile => "hostile",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_in_a_text() {
        assert_eq!(one_line("a\u{1b}[31mred\u{7}\n\n  b\u{202e}c", 40), "a [31mred bc");
    }

    #[test]
    fn long_text_is_cut_by_characters() {
        assert_eq!(one_line("Ærø Ærø", 5), "Ærø Æ…");
        assert_eq!(one_line("Ærø Ærø", 7), "Ærø Ærø");
    }
}
