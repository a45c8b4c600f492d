//! Pairs with a score and a rating.

use anyhow::{Result, bail};
use assize_engine::summary::agreement::{Number, Point, UnknownNumber};
use assize_engine::summary::input::{FieldPath, Place, Records};
use assize_engine::summary::{Judged, Settings, run as work_through};

use serde_json::Value;

use super::Arguments;
use super::scored::Scored;
use crate::commands::summary::progress::Bar;

/// What a file gave.
#[derive(Debug, Default)]
pub(super) struct Points {
    pub(super) all: Vec<Point>,
    /// Records without a score.
    pub(super) unscored: usize,
    /// Why the first of them has none.
    pub(super) first_error: Option<String>,
    /// Records with a score but without a rating.
    pub(super) unrated: usize,
    /// Who counted and who judged, where a file of scorecards says so.
    pub(super) method: Option<String>,
    pub(super) judge: Option<String>,
}

impl Points {
    fn take(&mut self, found: Found) -> Result<()> {
        match found {
            Found::Point(point) => self.all.push(point),
            Found::Unrated => self.unrated += 1,
            Found::Unknown(unknown) => bail!("--metric: {unknown}"),
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
    arguments: &Arguments,
    settings: Settings,
    number: &Number,
) -> Result<Points> {
    let records = Records::open(&arguments.input, arguments.fields.layout())?;
    let fields = arguments.fields.to_fields();
    let wanted = Wanted::of(arguments);
    let mut points = Points::default();
    let mut bar = Bar::new();
    work_through(
        records,
        &fields,
        settings,
        |judged| wanted.find(&judged, settings, number),
        |found, progress| {
            bar.advance(progress);
            points.take(found)
        },
    )?;
    bar.finish();
    Ok(points)
}

/// Reads the rating of every pair, and its score from a scorecard made before.
pub(super) fn join(arguments: &Arguments, scored: &Scored, number: &Number) -> Result<Points> {
    let wanted = Wanted::of(arguments);
    let id = arguments.fields.to_fields().id;
    let mut points = Points::default();
    for (index, record) in Records::open(&arguments.input, arguments.fields.layout())?.enumerate() {
        let record = record?;
        let place = record.place;
        let value = record.value()?;
        let name = id.name(&value, place)?;
        let Some(card) = scored.find(name.as_deref(), index) else {
            let name = name.unwrap_or_else(|| format!("record {}", index + 1));
            points.take(Found::Unscored(format!("there is no scorecard for {name}")))?;
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
struct Wanted {
    human: FieldPath,
    group: Option<FieldPath>,
    by: Option<FieldPath>,
}

impl Wanted {
    fn of(arguments: &Arguments) -> Self {
        let path = |name: &Option<String>| name.as_ref().map(FieldPath::new);
        Self {
            human: FieldPath::new(&arguments.human),
            group: path(&arguments.group),
            by: path(&arguments.by),
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
