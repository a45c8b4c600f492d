//! Which number of a scorecard is compared with ratings.

use assize_methods::summary::Metric;
use serde_json::Value;
use thiserror::Error;

use crate::summary::scorecard::Report;

/// Numbers without bands that have a short name.
const CONTINUOUS: [(&str, &str); 3] = [
    ("coverage.continuous", "coverage.f1"),
    ("hallucination.continuous", "hallucination.soft_support"),
    ("relevance.continuous", "relevance.soft_recall"),
];

/// A number of a scorecard: a metric, or a number of its object such as `coverage.recall`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    metric: Metric,
    /// The field of the metric's object; `None` is the score.
    field: Option<String>,
}

/// There is no such number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no number `{asked}` in the scorecard; available: {}", known.join(", "))]
pub struct UnknownNumber {
    /// What was asked for.
    pub asked: String,
    /// What there is.
    pub known: Vec<String>,
}

impl Number {
    /// The number of this name: one of the five metrics, `X.continuous`, or a field of its object.
    pub fn named(text: &str) -> Result<Self, UnknownNumber> {
        let name = text.trim().to_lowercase().replace('-', "_");
        let alias = CONTINUOUS.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name.as_str(), |(_, field)| field);
        let (metric, field) = match name.split_once('.') {
            Some((metric, field)) => (metric, Some(field)),
            None => (name, None),
        };
        let Some(metric) = Metric::ALL.into_iter().find(|known| known.name() == metric) else {
            let names = Metric::ALL.map(|metric| metric.name().to_owned());
            let aliases = CONTINUOUS.map(|(alias, _)| alias.to_owned());
            let known = names.into_iter().chain(aliases).collect();
            return Err(UnknownNumber { asked: text.to_owned(), known });
        };
        let field = field.filter(|field| *field != "overall_score").map(str::to_owned);
        Ok(Self { metric, field })
    }

    /// As it is shown: `hallucination`, `relevance.soft_recall`.
    pub fn name(&self) -> String {
        match &self.field {
            None => self.metric.name().to_owned(),
            Some(field) => format!("{}.{field}", self.metric.name()),
        }
    }

    /// The number in a scorecard; `Ok(None)` when this one has none.
    pub fn of(&self, report: &Report<'_>) -> Result<Option<f64>, UnknownNumber> {
        let Some(field) = &self.field else {
            return Ok(*report.scores().get(self.metric));
        };
        self.find(&serde_json::to_value(report).unwrap_or_default(), field)
    }

    /// The number in a scorecard that was written as JSON, by whichever judge.
    pub(crate) fn of_written(&self, card: &Value) -> Result<Option<f64>, UnknownNumber> {
        self.find(card, self.field.as_deref().unwrap_or("overall_score"))
    }

    fn find(&self, card: &Value, field: &str) -> Result<Option<f64>, UnknownNumber> {
        let object = &card[self.metric.name()];
        match object.get(field) {
            Some(Value::Null) => Ok(None),
            Some(Value::Number(number)) => Ok(number.as_f64()),
            _ => Err(UnknownNumber { asked: self.name(), known: self.numbers_of(object) }),
        }
    }

    /// The metric it belongs to.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether it is the metric's score itself.
    pub(crate) fn is_score(&self) -> bool {
        self.field.is_none()
    }

    fn numbers_of(&self, object: &Value) -> Vec<String> {
        let fields = object.as_object().into_iter().flatten();
        let numbers = fields.filter(|(_, value)| value.is_number() || value.is_null());
        numbers.map(|(name, _)| format!("{}.{name}", self.metric.name())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_scorecard_gives_its_numbers() {
        let card = r#"{"coverage": {"overall_score": 7.5, "recall": 0.5, "f1": null}}"#;
        let card = serde_json::from_str(card).unwrap();
        let of = |name: &str| Number::named(name).unwrap().of_written(&card);
        assert_eq!(of("coverage"), Ok(Some(7.5)));
        assert_eq!(of("coverage.recall"), Ok(Some(0.5)));
        assert_eq!(of("coverage.f1"), Ok(None));
        assert!(of("coverage.breadth").unwrap_err().known.contains(&"coverage.recall".to_owned()));
    }

    #[test]
    fn a_metric_a_field_and_an_alias_are_numbers() {
        let name = |text: &str| Number::named(text).map(|number| number.name());
        assert_eq!(name("hallucination").as_deref(), Ok("hallucination"));
        assert_eq!(name("Bias-Toxicity.overall_score").as_deref(), Ok("bias_toxicity"));
        assert_eq!(name("relevance.continuous").as_deref(), Ok("relevance.soft_recall"));
        assert_eq!(name("coverage.recall").as_deref(), Ok("coverage.recall"));
        let error = Number::named("halucination").unwrap_err().to_string();
        assert!(error.contains("hallucination, relevance"), "{error}");
    }
}
