//! A file of articles and summaries: which column holds what, and a run from it.

use std::collections::BTreeMap;
use std::path::Path;

use assize_documents::table;
use assize_store::Run;
use assize_wire::workplace::{PairPreview, PairsPreview};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::begin::{chain, written};
use crate::Workspace;
use crate::asking::AskError;
use crate::compliance::evaluate::NamedFile;
use crate::runs::{Result, RunError, summary};
use crate::summary::batches::read_record;
use crate::summary::input::{Fields, PairsError, Reading, Records};
use crate::summary::{Judged, SummaryRequest};

/// Rows and pairs that a preview shows.
const SHOWN: usize = 3;
/// Records that cannot be used and are named.
const PROBLEMS_NAMED: usize = 20;
/// What is looked for in each record.
const FIELDS: [&str; 3] = ["id", "article", "summary"];

/// How a file of pairs is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PairsReading {
    /// The sheet of a workbook; without it, the first that has the columns.
    pub sheet: Option<String>,
    /// Which column holds `article`, `summary` and `id`, where they are called otherwise.
    pub mapping: BTreeMap<String, String>,
}

impl PairsReading {
    fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        for (field, column) in &self.mapping {
            fields.map(field, column);
        }
        fields
    }

    fn open(&self, path: &Path) -> Result<Records, PairsError> {
        let fields = self.fields();
        let reading = Reading { layout: None, sheet: self.sheet.clone(), wanted: fields.columns() };
        let mut records = Records::open_by(path, &reading)?;
        records.require(&[&fields.article, &fields.summary])?;
        Ok(records)
    }

    /// The same with a column for a field where only one can be meant.
    fn completed(&self, path: &Path) -> Self {
        let mut reading = self.clone();
        for _ in FIELDS {
            let Err(PairsError::NoColumn { field, near, .. }) = reading.open(path) else { break };
            let [only] = near.as_slice() else { break };
            if reading.mapping.insert(field, only.clone()).is_some() {
                break;
            }
        }
        reading
    }
}

/// Looks at a file of pairs before anything is judged.
pub fn preview_pairs(file: &NamedFile, reading: &PairsReading) -> Result<PairsPreview> {
    let folder = tempfile::tempdir()?;
    let path = written(folder.path(), file)?;
    let reading = reading.completed(&path);
    let mut preview = PairsPreview {
        sheets: table::sheets(&file.bytes),
        sheet: reading.sheet.clone().unwrap_or_default(),
        ..PairsPreview::default()
    };
    let records = match reading.open(&path) {
        Ok(records) => records,
        Err(error) => {
            if let PairsError::NoColumn { known, .. } = &error {
                preview.columns.clone_from(known);
            }
            preview.refused = Some(told(&error, folder.path()));
            preview.fields = named(&reading, &preview.columns);
            return Ok(preview);
        }
    };
    let fields = reading.fields();
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                preview.refused = Some(told(&error, folder.path()));
                break;
            }
        };
        match read_record(record, &fields) {
            Ok((id, pair)) => {
                preview.usable += 1;
                if preview.pairs.len() < SHOWN {
                    note_columns(&mut preview.columns, &pair.record, &fields);
                    let (article, summary) = (pair.article, pair.summary);
                    let id = id.unwrap_or_default();
                    preview.pairs.push(PairPreview { id, article, summary });
                }
            }
            Err(unreadable) => {
                preview.unusable += 1;
                if preview.problems.len() < PROBLEMS_NAMED {
                    preview.problems.extend(unreadable.evidence.err());
                }
            }
        }
    }
    preview.fields = named(&reading, &preview.columns);
    Ok(preview)
}

/// The columns of a record: those of the texts were taken out of it.
fn note_columns(columns: &mut Vec<String>, record: &Json, fields: &Fields) {
    let known = record.as_object().into_iter().flat_map(serde_json::Map::keys);
    let texts = [&fields.article, &fields.summary].map(|path| path.as_str().to_owned());
    for column in known.cloned().chain(texts) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
}

/// Each field with the column that it is taken from, if it is there.
fn named(reading: &PairsReading, columns: &[String]) -> Vec<(String, Option<String>)> {
    let column = |field: &str| {
        let stated = reading.mapping.get(field).cloned();
        stated.or_else(|| columns.iter().find(|column| *column == field).cloned())
    };
    FIELDS.map(|field| (field.to_owned(), column(field))).to_vec()
}

/// What is wrong with a file, without where this server keeps it.
fn told(error: &dyn std::error::Error, folder: &Path) -> String {
    let place = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
    chain(error).replace(&place, "")
}

impl Workspace {
    /// Judges pairs of article and summary by rules, and keeps them as a run.
    #[boxed]
    pub async fn save_summaries(
        &self,
        name: Option<&str>,
        pairs: &NamedFile,
        reading: &PairsReading,
        request: &SummaryRequest,
    ) -> Result<Run> {
        let settings = request.settings().map_err(AskError::from)?;
        let folder = tempfile::tempdir()?;
        let path = written(folder.path(), pairs)?;
        let refused = |error: &dyn std::error::Error| RunError::Refused(told(error, folder.path()));
        let reading = reading.completed(&path);
        let fields = reading.fields();
        let mut items = Vec::new();
        for record in reading.open(&path).map_err(|error| refused(&error))? {
            let record = record.map_err(|error| refused(&error))?;
            let judged = match read_record(record, &fields) {
                Ok((id, pair)) => Judged::of(id, pair, settings),
                Err(unreadable) => *unreadable,
            };
            let item = summary::item(&judged, items.len())?;
            items.push((item, summary::verdict(settings.framework, &judged)?));
        }
        if items.is_empty() {
            return Err(RunError::Refused(format!("{} contains no pairs", pairs.name)));
        }
        let draft = summary::draft(request)?;
        self.save(draft, name, &items).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> NamedFile {
        NamedFile { name: "pairs.csv".to_owned(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn a_column_that_can_only_be_meant_is_taken_and_shown() {
        let list = file("no,document,abstract\n7,It rained on Mull.,It rained.\n8,It snowed.,\n");
        let preview = preview_pairs(&list, &PairsReading::default()).unwrap();
        assert_eq!(preview.refused, None);
        assert_eq!(preview.fields[1], ("article".to_owned(), Some("document".to_owned())));
        assert_eq!(preview.fields[2], ("summary".to_owned(), Some("abstract".to_owned())));
        assert_eq!(preview.pairs[0].summary, "It rained.");
        assert!(preview.columns.contains(&"no".to_owned()), "{:?}", preview.columns);
    }

    #[test]
    fn what_cannot_be_found_is_named_with_the_columns_and_no_path() {
        let list = file("no,left,right\n7,It rained on Mull.,It rained.\n");
        let preview = preview_pairs(&list, &PairsReading::default()).unwrap();
        let refused = preview.refused.unwrap();
        assert!(refused.starts_with("pairs.csv: no column `article`"), "{refused}");
        assert_eq!(preview.columns, ["no", "left", "right"]);
        let mapping = [("article", "left"), ("summary", "right"), ("id", "no")];
        let mapping = mapping.map(|(field, column)| (field.to_owned(), column.to_owned()));
        let reading = PairsReading { sheet: None, mapping: mapping.into() };
        let preview = preview_pairs(&list, &reading).unwrap();
        assert_eq!((preview.usable, preview.pairs[0].id.as_str()), (1, "7"));
    }
}
