//! Who said what of which item: columns of one file, or files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use assize_stats::summary::mean;
use serde_json::Value;
use thiserror::Error;

use crate::summary::input::{PairsError, RecordError, Records};

/// Fields of a file of scores that may hold the item's name, the first that is there.
const ID_FIELDS: [&str; 5] = ["id", "item", "item_id", "key", "name"];
/// Fields that may hold the score.
const SCORE_FIELDS: [&str; 6] = ["score", "overall_score", "overall", "rating", "mark", "value"];
/// How many names an error lists of either side.
const NAMES_MAX: usize = 10;
/// The most items that are read.
const ITEMS_MAX: usize = 1_000_000;

/// Somebody and where their scores stand: `gpt4=col:judge_gpt4`, `mini=file:mini.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name under which they are shown.
    pub name: String,
    /// Where their scores stand.
    pub place: SourcePlace,
}

/// Where scores stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePlace {
    /// In a column of the items' file.
    Column(String),
    /// In a file of their own, by the items' names.
    File(PathBuf),
}

/// Why a source was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}`: write NAME=col:COLUMN or NAME=file:FILE; scores of a model are written to a file first"
)]
pub struct SourceError(String);

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let refused = || SourceError(text.to_owned());
        let (name, rest) = text.split_once('=').ok_or_else(refused)?;
        let (kind, place) = rest.split_once(':').ok_or_else(refused)?;
        let place = match kind {
            _ if name.trim().is_empty() || place.is_empty() => return Err(refused()),
            "col" => SourcePlace::Column(place.to_owned()),
            "file" => SourcePlace::File(PathBuf::from(place)),
            _ => return Err(refused()),
        };
        Ok(Self { name: name.trim().to_owned(), place })
    }
}

/// Scores of one side: who, and an entry for each item.
type Scores = Vec<(String, Vec<Option<f64>>)>;

/// Items with everyone's scores.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// Their names.
    pub ids: Vec<String>,
    /// Which belong together; `None` if nothing says.
    pub groups: Option<Vec<String>>,
    /// The judges.
    pub judges: Vec<(String, Vec<Option<f64>>)>,
    /// The raters.
    pub raters: Vec<(String, Vec<Option<f64>>)>,
}

/// Why items cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ItemsError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] PairsError),
    /// A record is none.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// A column is missing.
    #[error("{file} has no column `{column}`; it has {known}")]
    NoColumn {
        /// Which file.
        file: String,
        /// Which column.
        column: String,
        /// Which there are.
        known: String,
    },
    /// A cell is no number.
    #[error("{file}, item {item}: `{column}` is {said}, not a number")]
    NotANumber {
        /// Which file.
        file: String,
        /// Which item.
        item: String,
        /// Which column.
        column: String,
        /// What stands there.
        said: String,
    },
    /// Two items have one name.
    #[error("{file}: two items are called `{id}`")]
    Twice {
        /// Which file.
        file: String,
        /// The name.
        id: String,
    },
    /// The names of a judge's file are not those of the items.
    #[error(
        "the ids of {judge} do not match the items: {missing_count} items have no score ({missing}), \
         {strange_count} scores have no item ({strange})"
    )]
    Ids {
        /// Whose file.
        judge: String,
        /// How many items have no score.
        missing_count: usize,
        /// The first ten of them.
        missing: String,
        /// How many scores have no item.
        strange_count: usize,
        /// The first ten of them.
        strange: String,
    },
    /// Two judges, or two raters, have one name.
    #[error("two are called `{0}`: give each its own name")]
    SameName(String),
    /// Nothing to measure.
    #[error("{0}")]
    Nothing(&'static str),
}

impl Items {
    /// Reads the items and everyone's scores. `id` and `group` are columns of the items' file.
    pub fn read(
        path: &Path,
        judges: &[Source],
        raters: &[Source],
        id: Option<&str>,
        group: Option<&str>,
    ) -> Result<Self, ItemsError> {
        if judges.is_empty() || raters.is_empty() {
            return Err(ItemsError::Nothing("name at least one judge and one rater"));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = judges.iter().chain(raters).find(|one| !names.insert(&one.name)) {
            return Err(ItemsError::SameName(twice.name.clone()));
        }
        let rows = rows(path)?;
        let file = path.display().to_string();
        let ids = ids(&rows, id, &file)?;
        let mut items = Self { ids, ..Self::default() };
        if let Some(column) = group {
            known(&rows, column, &file)?;
            items.groups = Some(rows.iter().map(|row| text(row.get(column))).collect());
        }
        let all = |sources: &[Source]| -> Result<Scores, ItemsError> {
            let scores = |source: &Source| match &source.place {
                SourcePlace::Column(column) => column_scores(&rows, &items.ids, column, &file),
                SourcePlace::File(path) => file_scores(path, &items.ids, &source.name),
            };
            sources.iter().map(|source| Ok((source.name.clone(), scores(source)?))).collect()
        };
        let (judges, raters) = (all(judges)?, all(raters)?);
        if raters.iter().all(|(_, ratings)| ratings.iter().all(Option::is_none)) {
            return Err(ItemsError::Nothing("no item has a rating"));
        }
        items.judges = judges;
        items.raters = raters;
        Ok(items)
    }

    /// The raters' mean of each item.
    pub(super) fn truth(&self) -> Vec<Option<f64>> {
        let of = |index: usize| {
            let ratings: Vec<f64> =
                self.raters.iter().filter_map(|(_, ratings)| ratings[index]).collect();
            mean(&ratings).ok()
        };
        (0..self.ids.len()).map(of).collect()
    }

    /// The items of each group, in the order of their names; empty without groups.
    pub(super) fn clusters(&self) -> Vec<Vec<usize>> {
        let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, group) in self.groups.iter().flatten().enumerate() {
            found.entry(group).or_default().push(index);
        }
        found.into_values().collect()
    }
}

type Row = serde_json::Map<String, Value>;

fn rows(path: &Path) -> Result<Vec<Row>, ItemsError> {
    let mut rows = Vec::new();
    for record in Records::open(path, None)? {
        if let Value::Object(row) = record?.value()? {
            rows.push(row);
        }
        if rows.len() > ITEMS_MAX {
            return Err(ItemsError::Nothing("more than a million items in one file"));
        }
    }
    if rows.is_empty() {
        return Err(ItemsError::Nothing("the file holds no items"));
    }
    Ok(rows)
}

fn ids(rows: &[Row], column: Option<&str>, file: &str) -> Result<Vec<String>, ItemsError> {
    let column = match column {
        Some(column) => {
            known(rows, column, file)?;
            Some(column)
        }
        None => ID_FIELDS.into_iter().find(|field| rows.iter().all(|row| row.contains_key(*field))),
    };
    let Some(column) = column else {
        return Ok((1..=rows.len()).map(|number| number.to_string()).collect());
    };
    let ids: Vec<String> = rows.iter().map(|row| text(row.get(column))).collect();
    let mut seen = BTreeSet::new();
    match ids.iter().find(|id| !seen.insert(id.as_str())) {
        Some(id) => Err(ItemsError::Twice { file: file.to_owned(), id: id.clone() }),
        None => Ok(ids),
    }
}

fn known(rows: &[Row], column: &str, file: &str) -> Result<(), ItemsError> {
    if rows.iter().any(|row| row.contains_key(column)) {
        return Ok(());
    }
    let known: Vec<&str> = rows[0].keys().map(String::as_str).collect();
    let (file, column) = (file.to_owned(), column.to_owned());
    Err(ItemsError::NoColumn { file, column, known: known.join(", ") })
}

fn column_scores(
    rows: &[Row],
    ids: &[String],
    column: &str,
    file: &str,
) -> Result<Vec<Option<f64>>, ItemsError> {
    known(rows, column, file)?;
    let score = |(row, id): (&Row, &String)| number(row.get(column), file, id, column);
    rows.iter().zip(ids).map(score).collect()
}

fn file_scores(path: &Path, ids: &[String], judge: &str) -> Result<Vec<Option<f64>>, ItemsError> {
    let rows = rows(path)?;
    let file = path.display().to_string();
    let column = |fields: &[&'static str]| {
        let found = fields.iter().find(|field| rows.iter().any(|row| row.contains_key(**field)));
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = rows[0].keys().map(String::as_str).collect();
            let column = fields.join("` or `");
            ItemsError::NoColumn { file: file.clone(), column, known: known.join(", ") }
        })
    };
    let (id, score) = (column(&ID_FIELDS)?, column(&SCORE_FIELDS)?);
    let mut scores: BTreeMap<String, Option<f64>> = BTreeMap::new();
    for row in &rows {
        let name = text(row.get(id));
        let value = number(row.get(score), &file, &name, score)?;
        if scores.insert(name.clone(), value).is_some() {
            return Err(ItemsError::Twice { file, id: name });
        }
    }
    let missing: Vec<&str> =
        ids.iter().filter(|id| !scores.contains_key(*id)).map(String::as_str).collect();
    let names: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let strange: Vec<&str> =
        scores.keys().map(String::as_str).filter(|id| !names.contains(id)).collect();
    if !missing.is_empty() || !strange.is_empty() {
        let first = |names: &[&str]| {
            let shown = names.iter().take(NAMES_MAX).copied().collect::<Vec<_>>().join(", ");
            if shown.is_empty() { "none".to_owned() } else { shown }
        };
        return Err(ItemsError::Ids {
            judge: judge.to_owned(),
            missing_count: missing.len(),
            missing: first(&missing),
            strange_count: strange.len(),
            strange: first(&strange),
        });
    }
    Ok(ids.iter().map(|id| scores[id]).collect())
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// A number, or `None` for an empty cell.
fn number(
    value: Option<&Value>,
    file: &str,
    item: &str,
    column: &str,
) -> Result<Option<f64>, ItemsError> {
    let refused = |said: String| ItemsError::NotANumber {
        file: file.to_owned(),
        item: item.to_owned(),
        column: column.to_owned(),
        said,
    };
    let found = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Bool(yes)) => f64::from(u8::from(*yes)),
        Some(Value::Number(number)) => number.as_f64().unwrap_or(f64::NAN),
        Some(Value::String(text)) => match text.trim() {
            "" | "NA" | "N/A" | "null" | "None" => return Ok(None),
            text => text.parse().map_err(|_| refused(format!("`{text}`")))?,
        },
        Some(other) => return Err(refused(other.to_string())),
    };
    if found.is_finite() { Ok(Some(found)) } else { Err(refused(found.to_string())) }
}
