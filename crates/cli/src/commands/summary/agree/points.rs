//! Pairs with a score and a rating.

use anyhow::{Result, bail};
use assize_engine::summary::agreement::{Number, Point, UnknownNumber};
use assize_engine::summary::input::{FieldPath, Records};
use assize_engine::summary::{Judged, Settings, run as work_through};

use super::Arguments;
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
            match found {
                Found::Point(point) => points.all.push(point),
                Found::Unrated => points.unrated += 1,
                Found::Unknown(unknown) => bail!("--metric: {unknown}"),
                Found::Unscored(reason) => {
                    points.unscored += 1;
                    points.first_error.get_or_insert(reason);
                }
            }
            anyhow::Ok(())
        },
    )?;
    bar.finish();
    Ok(points)
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
        let name = |path: &Option<FieldPath>| match path {
            None => Ok(None),
            Some(path) => {
                path.name(&pair.record, pair.place).map(|name| Some(name.unwrap_or_default()))
            }
        };
        match (self.human.number(&pair.record, pair.place), name(&self.group), name(&self.by)) {
            (Ok(Some(human)), Ok(group), Ok(by)) => Found::Point(Point { score, human, group, by }),
            (Ok(None), _, _) => Found::Unrated,
            (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) => {
                Found::Unscored(error.to_string())
            }
        }
    }
}
