//! How near the rule judge comes to people on rated summaries, beside plain baselines.
//!
//! Each file is measured by what it holds: labels of good and bad give the area under
//! the curve and balanced accuracy, ratings give Spearman's correlation, within documents
//! where a document has several summaries. Ratings that do not vary within a document are
//! left out, as the papers do.

mod rating;

use std::path::Path;

use assize_methods::summary::Metric;
use assize_methods::summary::half::Half;
use serde::Serialize;

use self::rating::{Kind, RatedSummary};
pub use super::agreement::Figure;
use super::agreement::{ConstantGroups, Options, Point, measure};
use super::input::{FieldPath, Fields, PairsError, Records};
use super::{Framework, Judged, Settings, run};
use crate::retrieval::uncertainty::Uncertainty;

/// A summary that scores no more than this is called bad.
pub(crate) const LOW: f64 = 3.0;

/// What one file says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The name of the file, without its folder and ending.
    pub name: String,
    /// What scores are held against: one part for each rating of the file.
    pub parts: Vec<Part>,
    /// Pairs that have no score or no rating.
    pub left_out: usize,
}

/// Scores against one rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// The field with the rating.
    pub rating: &'static str,
    pub figure: &'static str,
    pub pairs: usize,
    /// Articles.
    pub documents: usize,
    /// Ours first, then the baselines.
    pub rows: Vec<Row>,
    /// Of the summaries that people call perfect, how many score 3 or less, and how many
    /// there are; only for faithfulness.
    pub perfect: Option<(usize, usize)>,
    /// The kinds of error, where the file names them.
    pub errors: Vec<ErrorRow>,
}

/// One measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is called.
    pub measure: &'static str,
    pub figure: Figure,
    /// Balanced accuracy, where ratings are labels.
    pub balanced_accuracy: Option<Figure>,
}

/// One kind of error: how well our score tells it from good summaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorRow {
    /// As the file calls it.
    pub kind: String,
    /// Summaries that have it.
    pub pairs: usize,
    /// The chance that a good summary scores higher than one with it.
    pub auc: Option<f64>,
}

/// A measure as it is called, and how it is taken from a rated pair.
type Measure = (&'static str, fn(&RatedSummary) -> f64);

/// What is compared with ratings of faithfulness.
const FAITHFULNESS: [Measure; 2] = [
    ("twin-lock hallucination", |rated| rated.hallucination),
    ("hallucination.continuous", |rated| rated.soft_support),
];

/// What is compared with ratings of relevance.
const RELEVANCE: [Measure; 2] = [
    ("twin-lock relevance", |rated| rated.relevance),
    ("relevance.continuous", |rated| rated.soft_recall),
];

/// What stands beside either: word overlap, which costs nothing to compute.
const BASELINES: [Measure; 6] = [
    ("ROUGE-1 precision", |rated| rated.rouge.one.precision),
    ("ROUGE-2 precision", |rated| rated.rouge.two.precision),
    ("ROUGE-L precision", |rated| rated.rouge.longest.precision),
    ("ROUGE-1 recall", |rated| rated.rouge.one.recall),
    ("ROUGE-2 recall", |rated| rated.rouge.two.recall),
    ("ROUGE-L recall", |rated| rated.rouge.longest.recall),
];

/// Measures one file; only the pairs of one half where one is given.
pub fn bench(
    file: &Path,
    half: Option<Half>,
    uncertainty: &Uncertainty,
) -> Result<Figures, PairsError> {
    let fields = Fields {
        article: FieldPath::new("article"),
        summary: FieldPath::new("summary"),
        id: FieldPath::new("id"),
    };
    let settings = Settings { framework: Framework::TwinLock, ..Settings::default() };
    let mut rated: Vec<RatedSummary> = Vec::new();
    let mut left_out = 0;
    let work = |judged: Judged| {
        let is_wanted = |article: &str| half.is_none_or(|half| Half::of(article) == half);
        let pair = judged.pair.as_ref()?;
        is_wanted(&pair.article).then(|| rating::rated(&judged))
    };
    run::<_, PairsError>(Records::open(file, None)?, &fields, settings, work, |found, _| {
        match found {
            Some(Some(pair)) => rated.push(pair),
            Some(None) => left_out += 1,
            None => {}
        }
        Ok(())
    })?;
    let parts = [Metric::Hallucination, Metric::Relevance];
    let parts = parts.into_iter().filter_map(|metric| part(&rated, metric, uncertainty)).collect();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Figures { name, parts, left_out })
}

/// The pairs that have the rating of a metric, measured; `None` where none has.
fn part(rated: &[RatedSummary], metric: Metric, uncertainty: &Uncertainty) -> Option<Part> {
    let rated: Vec<&RatedSummary> =
        rated.iter().filter(|pair| pair.rating(metric).is_some()).collect();
    let first = rated.first()?.rating(metric)?;
    let measures = if metric == Metric::Relevance { &RELEVANCE } else { &FAITHFULNESS };
    let is_grouped = first.kind == Kind::WithinDocuments;
    let options = Options {
        uncertainty: uncertainty.clone(),
        constant_groups: ConstantGroups::Skip,
        ..Options::default()
    };
    let row = |(name, score): &Measure| {
        let points: Vec<Point> = rated
            .iter()
            .filter_map(|pair| {
                let human = pair.rating(metric)?.value;
                let group = Some(pair.document.clone());
                Some(Point { score: score(pair), human, group, by: None })
            })
            .collect();
        let found = measure(&points, &options);
        let correlations = if is_grouped { found.correlations() } else { &found.pooled };
        let balanced_accuracy =
            found.binary.as_ref().map(|found| (&found.balanced_accuracy).into());
        let figure = match &found.binary {
            Some(binary) => (&binary.auc).into(),
            None => (&correlations.spearman).into(),
        };
        Row { measure: name, figure, balanced_accuracy }
    };
    let mut documents: Vec<&str> = rated.iter().map(|pair| pair.document.as_str()).collect();
    documents.sort_unstable();
    documents.dedup();
    Some(Part {
        rating: first.field,
        figure: first.kind.figure(),
        pairs: rated.len(),
        documents: documents.len(),
        rows: measures.iter().chain(&BASELINES).map(row).collect(),
        perfect: (metric == Metric::Hallucination).then(|| perfect(&rated)),
        errors: if metric == Metric::Hallucination { errors(&rated) } else { Vec::new() },
    })
}

/// How many summaries that people call perfect score low, and how many there are.
fn perfect(rated: &[&RatedSummary]) -> (usize, usize) {
    let is_perfect = |pair: &&&RatedSummary| {
        pair.rating(Metric::Hallucination).is_some_and(|rating| rating.value >= rating.best)
    };
    let perfect: Vec<_> = rated.iter().filter(is_perfect).collect();
    (perfect.iter().filter(|pair| pair.hallucination <= LOW).count(), perfect.len())
}

/// Every kind of error against all good summaries, in the order of their names.
fn errors(rated: &[&RatedSummary]) -> Vec<ErrorRow> {
    let mut kinds: Vec<&String> = rated.iter().flat_map(|pair| &pair.errors).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_good = |pair: &&&RatedSummary| {
        pair.rating(Metric::Hallucination).is_some_and(|rating| rating.value >= rating.best)
    };
    let good: Vec<f64> = rated.iter().filter(is_good).map(|pair| pair.hallucination).collect();
    let row = |kind: &String| {
        let has = |pair: &&&RatedSummary| pair.errors.contains(kind);
        let bad: Vec<f64> = rated.iter().filter(has).map(|pair| pair.hallucination).collect();
        let scores: Vec<f64> = good.iter().chain(&bad).copied().collect();
        let labels: Vec<bool> = (0..scores.len()).map(|index| index < good.len()).collect();
        let auc = assize_stats::classification::roc_auc(&scores, &labels).ok();
        ErrorRow { kind: kind.clone(), pairs: bad.len(), auc }
    };
    kinds.into_iter().map(row).collect()
}
