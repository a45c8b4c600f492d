//! A file of summaries, judged by rules or by models.

use assize_methods::summary::Metric;

use super::{Measured, Measuring, refused, told, with_means};
use crate::checks::spec::{Pairs, Summary};
use crate::error::EngineError;
use crate::request::Asked;
use crate::summary::input::{Fields, PairsError, Reading, Records};
use crate::summary::model::{SummaryJudge, run as ask_through};
use crate::summary::{Framework, Judge, Judged, run as work_through};

/// What an item is called, and its five scores.
type Item = (String, Vec<Option<f64>>);

impl Measuring<'_> {
    pub(super) async fn summary(&self, summary: &Summary) -> Result<Measured, EngineError> {
        let Asked { content: pairs, request } = summary;
        let settings = request.settings().map_err(told)?;
        let (framework, fields) = (settings.framework, fields(pairs)?);
        let reading =
            Reading { layout: None, sheet: pairs.sheet.clone(), wanted: fields.columns() };
        let records = Records::open_by(&self.path(&pairs.input), &reading).map_err(told)?;
        let mut items: Vec<Item> = Vec::new();
        if settings.judge == Judge::Rules {
            work_through::<_, PairsError>(
                records,
                &fields,
                settings,
                |judged| item(judged, framework),
                |(name, values), progress| {
                    items.push((name.unwrap_or_else(|| progress.records.to_string()), values));
                    Ok(())
                },
            )
            .map_err(told)?;
        } else {
            let session = self.asking.session().await.map_err(told)?;
            let models = SummaryJudge::new(session, request).map_err(told)?;
            let models =
                if self.spec.samples.is_some() { models.sample(self.sample) } else { models };
            let halt = ask_through::<PairsError>(&models, records, &fields, |judged, progress| {
                let (name, values) = item(judged, framework);
                items.push((name.unwrap_or_else(|| progress.records.to_string()), values));
                Ok(())
            })
            .await
            .map_err(told)?;
            if let Some(halt) = halt {
                return Err(told(halt));
            }
        }
        let figures = with_means(&Metric::ALL.map(Metric::name), items);
        Ok(Measured { figures, notices: Vec::new(), ..Measured::default() })
    }
}

fn item(judged: Judged, framework: Framework) -> (Option<String>, Vec<Option<f64>>) {
    let scores = judged.evidence.ok().and_then(|found| framework.scores(&found).ok());
    let values = Metric::ALL.map(|metric| scores.as_ref().and_then(|all| *all.get(metric)));
    (judged.id, values.to_vec())
}

fn fields(pairs: &Pairs) -> Result<Fields, EngineError> {
    let mut fields = Fields::default();
    for (field, column) in &pairs.map {
        if !fields.map(field, column) {
            return Err(refused(format!(
                "map: unknown field `{field}`; the fields are article, summary and id"
            )));
        }
    }
    Ok(fields)
}
