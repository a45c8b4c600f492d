//! Pairs with a score and a rating.

use serde_json::Value;

use super::scored::ScoredFile;
use super::{AgreeError, AgreeRequest};
use crate::summary::agreement::{Number, Point, UnknownNumber};
use crate::summary::batches::Progress;
use crate::summary::input::{FieldPath, Place, Records};
use crate::summary::{Judged, Settings, run as work_through};

/// What a file gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// The pairs.
    pub all: Vec<Point>,
    /// Records without a score.
    pub unscored: usize,
    /// Why the first of them has none.
    pub first_error: Option<String>,
    /// Records with a score but without a rating.
    pub unrated: usize,
    /// Who counted, where a file of scorecards says so.
    pub method: Option<String>,
    /// Who judged, where such a file does.
    pub judge: Option<String>,
}

impl Points {
    fn take(&mut self, found: Found) -> Result<(), AgreeError> {
        match found {
            Found::Point(point) => self.all.push(point),
            Found::Unrated => self.unrated += 1,
            Found::Unknown(unknown) => return Err(unknown.into()),
            Found::Unscored(reason) => {
                self.unscored += 1;
                self.first_error.get_or_insert(reason);
            }
        }
        Ok(())
    }
}

enum Found {
    Point(Point),
    Unscored(String),
    Unrated,
    Unknown(UnknownNumber),
}

/// Scores every pair and reads its rating.
pub(super) fn collect(
    request: &AgreeRequest,
    progress: &mut dyn FnMut(Progress),
) -> Result<Points, AgreeError> {
    let records = Records::open_by(&request.input, &request.reading)?;
    let wanted = FieldChoice::of(request);
    let (settings, number) = (request.settings, &request.number);
    let mut points = Points::default();
    work_through(
        records,
        &request.fields,
        settings,
        |judged| wanted.find(&judged, settings, number),
        |found, done| {
            progress(done);
            points.take(found)
        },
    )?;
    Ok(points)
}

/// Reads the rating of every pair, and its score from a scorecard made before.
pub(super) fn join(request: &AgreeRequest, scored: &ScoredFile) -> Result<Points, AgreeError> {
    let wanted = FieldChoice::of(request);
    let (id, number) = (&request.fields.id, &request.number);
    let mut points = Points::default();
    for (index, record) in Records::open_by(&request.input, &request.reading)?.enumerate() {
        let record = record?;
        let place = record.place;
        let value = record.value()?;
        let name = id.name(&value, place)?;
        let Some(card) = scored.find(name.as_deref(), index) else {
            let name = name.unwrap_or_else(|| format!("record {}", index + 1));
            points.take(Found::Unscored(format!("no scorecard for {name}")))?;
            continue;
        };
        let (method, judges) = (card["method"]["name"].as_str(), &card["judge"]["judges"]);
        points.method = points.method.or_else(|| method.map(str::to_owned));
        points.judge = points.judge.or_else(|| names(judges));
        let found = match (card["error"].as_str(), number.of_written(card)) {
            (Some(error), _) => Found::Unscored(error.to_owned()),
            (None, Err(unknown)) => Found::Unknown(unknown),
            (None, Ok(None)) => Found::Unscored(format!("{} has no score", number.name())),
            (None, Ok(Some(score))) => wanted.rated(&value, place, score),
        };
        points.take(found)?;
    }
    Ok(points)
}

fn names(judges: &Value) -> Option<String> {
    let names: Option<Vec<&str>> = judges.as_array()?.iter().map(Value::as_str).collect();
    Some(names?.join(", "))
}

/// The fields beside the pair itself.
struct FieldChoice {
    human: FieldPath,
    group: Option<FieldPath>,
    by: Option<FieldPath>,
}

impl FieldChoice {
    fn of(request: &AgreeRequest) -> Self {
        let path = |name: &Option<String>| name.as_ref().map(FieldPath::new);
        Self {
            human: FieldPath::new(&request.human),
            group: path(&request.group),
            by: path(&request.by),
        }
    }

    fn find(&self, judged: &Judged, settings: Settings, number: &Number) -> Found {
        let (Some(pair), Ok(evidence)) = (&judged.pair, &judged.evidence) else {
            return Found::Unscored(judged.evidence.as_ref().err().cloned().unwrap_or_default());
        };
        let score = match settings.framework.report(evidence).map(|report| number.of(&report)) {
            Err(refusal) => return Found::Unscored(refusal.code().to_owned()),
            Ok(Err(unknown)) => return Found::Unknown(unknown),
            Ok(Ok(None)) => return Found::Unscored(format!("{} has no score", number.name())),
            Ok(Ok(Some(score))) => score,
        };
        self.rated(&pair.record, pair.place, score)
    }

    /// A score and the rating beside it.
    fn rated(&self, record: &Value, place: Place, score: f64) -> Found {
        let name = |path: &Option<FieldPath>| match path {
            None => Ok(None),
            Some(path) => path.name(record, place).map(|name| Some(name.unwrap_or_default())),
        };
        match (self.human.number(record, place), name(&self.group), name(&self.by)) {
            (Ok(Some(human)), Ok(group), Ok(by)) => Found::Point(Point { score, human, group, by }),
            (Ok(None), _, _) => Found::Unrated,
            (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) => {
                Found::Unscored(error.to_string())
            }
        }
    }
}
