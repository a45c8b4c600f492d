//! What people say about a summary, in the forms in which rated data comes.

use assize_methods::summary::rouge::{Rouge, rouge};
use assize_methods::summary::{Metric, twin_lock};
use serde_json::Value;

use super::super::Judged;

/// What a rating is, and what it is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Good or bad.
    Label,
    /// A number, for one summary of each article.
    Pooled,
    /// A number, for several summaries of each article.
    WithinDocuments,
}

impl Kind {
    pub(super) fn figure(self) -> &'static str {
        match self {
            Self::Label => "AUC",
            Self::Pooled => "Spearman, pooled",
            Self::WithinDocuments => "Spearman by document",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rating {
    pub(super) field: &'static str,
    pub(super) kind: Kind,
    pub(super) value: f64,
    /// The value of a summary that people call perfect.
    pub(super) best: f64,
}

/// A rated summary with everything that is held against its ratings.
pub(super) struct RatedSummary {
    pub(super) document: String,
    faithfulness: Option<Rating>,
    relevance_rating: Option<Rating>,
    pub(super) hallucination: f64,
    pub(super) soft_support: f64,
    pub(super) relevance: f64,
    pub(super) soft_recall: f64,
    pub(super) rouge: Rouge,
    /// The kinds of error that the file names.
    pub(super) errors: Vec<String>,
}

impl RatedSummary {
    /// The rating that a metric is held against.
    pub(super) fn rating(&self, metric: Metric) -> Option<Rating> {
        if metric == Metric::Relevance { self.relevance_rating } else { self.faithfulness }
    }
}

/// A judged pair with its ratings; `None` where it has no score or no rating.
pub(super) fn rated(judged: &Judged) -> Option<RatedSummary> {
    let pair = judged.pair.as_ref()?;
    let evidence = judged.evidence.as_ref().ok()?;
    let scores = twin_lock::score::<f64>(evidence).ok()?;
    let faithfulness = faithfulness(&pair.record);
    let relevance_rating = number(&pair.record, "relevance").map(|value| Rating {
        field: "human.relevance",
        kind: Kind::WithinDocuments,
        value,
        best: 5.0,
    });
    if faithfulness.is_none() && relevance_rating.is_none() {
        return None;
    }
    Some(RatedSummary {
        document: document(&pair.record, &pair.article),
        faithfulness,
        relevance_rating,
        hallucination: scores.hallucination.overall.ok()?,
        soft_support: evidence.hallucination.as_ref()?.soft_support?,
        relevance: scores.relevance.overall.ok()?,
        soft_recall: evidence.relevance.as_ref()?.soft_recall?,
        rouge: rouge(&pair.summary, &pair.article),
        errors: errors(&pair.record),
    })
}

/// The rating of faithfulness. A file that names the error of each summary says more than
/// its label does.
fn faithfulness(record: &Value) -> Option<Rating> {
    let label = |field, good: bool| {
        Some(Rating { field, kind: Kind::Label, value: f64::from(u8::from(good)), best: 1.0 })
    };
    if let Some(error) = record["error_type"].as_str() {
        return label("error_type", error == "correct");
    }
    if let Some(value) = number(record, "consistent") {
        return label("human.consistent", value >= 1.0);
    }
    let of = |name, field, kind, best| {
        number(record, name).map(|value| Rating { field, kind, value, best })
    };
    of("faith_frac", "human.faith_frac", Kind::Pooled, 1.0)
        .or_else(|| of("consistency", "human.consistency", Kind::WithinDocuments, 5.0))
}

fn number(record: &Value, name: &str) -> Option<f64> {
    record["human"][name].as_f64()
}

/// What the article is called; its text where it has no name, so that the summaries of
/// one article stay together.
fn document(record: &Value, article: &str) -> String {
    record["doc_id"].as_str().unwrap_or(article).to_owned()
}

/// The kinds of error of a summary: a list, or a list written as text.
fn errors(record: &Value) -> Vec<String> {
    if let Some(list) = record["edit_types"].as_array() {
        return list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let written = record["error_type"].as_str().filter(|written| *written != "correct");
    let mut found: Vec<String> = written
        .unwrap_or_default()
        .split(['[', ']', ',', '\'', ' '])
        .filter(|kind| !kind.is_empty())
        .map(str::to_owned)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {

    use super::*;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn each_form_of_a_rating_is_understood() {
        let rating = |record: Value| faithfulness(&record).map(|found| (found.kind, found.value));
        let label = value(r#"{"human": {"consistent": 0}, "error_type": "correct"}"#);
        assert_eq!(rating(label), Some((Kind::Label, 1.0)));
        assert_eq!(rating(value(r#"{"human": {"consistent": 1}}"#)), Some((Kind::Label, 1.0)));
        assert_eq!(rating(value(r#"{"human": {"faith_frac": 0.5}}"#)), Some((Kind::Pooled, 0.5)));
        let stars = value(r#"{"human": {"consistency": 4.0}}"#);
        assert_eq!(rating(stars), Some((Kind::WithinDocuments, 4.0)));
        assert_eq!(rating(value(r#"{"human": {}}"#)), None);
    }

    #[test]
    fn errors_are_read_from_a_list_and_from_a_list_in_text() {
        let written = value(r#"{"error_type": "['extrinsic-NP', 'intrinsic-NP']"}"#);
        assert_eq!(errors(&written), ["extrinsic-NP", "intrinsic-NP"]);
        assert_eq!(errors(&value(r#"{"edit_types": ["antonym_swap"]}"#)), ["antonym_swap"]);
        assert!(errors(&value(r#"{"error_type": "correct"}"#)).is_empty());
    }
}
