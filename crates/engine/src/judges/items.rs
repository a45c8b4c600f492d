//! Who said what of which item: columns of one file, or files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assize_stats::summary::mean;
use serde_json::Value;
use thiserror::Error;

use super::leanings::{FacetColumns, Facets};
use super::source::{Source, SourcePlace, check_sources};
use super::told::{Scores, Told};
use crate::summary::input::{FieldPath, PairsError, RecordError, Records};

/// Fields of a file of scores that may hold the item's name, the first that is there.
const ID_FIELDS: [&str; 5] = ["id", "item", "item_id", "key", "name"];
/// Fields that may hold the score.
const SCORE_FIELDS: [&str; 6] = ["score", "overall_score", "overall", "rating", "mark", "value"];
/// Fields that may hold who gave the score, where each score has a row of its own.
const RATER_FIELDS: [&str; 7] =
    ["rater", "annotator", "annotator_id", "judge", "coder", "worker", "evaluator"];
/// What stands for no score, in any case.
const NOTHING: [&str; 8] = ["", "na", "n/a", "nan", "null", "none", "-", "–"];
/// The field that says which of several scores of one item a row holds.
const SAMPLE_FIELD: &str = "sample";
/// The most items that are read.
const ITEMS_MAX: usize = 1_000_000;

/// What everyone of one side said.
type Side = Vec<(String, Scores)>;

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
    /// What else is known of them.
    pub facets: Facets,
    /// All that each judge said, in the order of the judges.
    pub(super) told: Vec<Scores>,
}

/// The items' file, read, before anybody's scores are looked for.
#[derive(Debug)]
pub struct ItemTable {
    file: ScoreFile,
    ids: Vec<String>,
    groups: Option<Vec<String>>,
    facets: Facets,
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
    #[error("{file}: no column `{column}`; the columns are {known}")]
    NoColumn {
        /// Which file.
        file: String,
        /// Which column.
        column: String,
        /// Which there are.
        known: String,
    },
    /// A cell is not a number.
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
    #[error("{file}: duplicate item id `{id}`")]
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
    /// Nobody asked a judge that is to be asked.
    #[error("{0} is a run or a live judge, and its scores were not loaded")]
    NotAsked(String),
    /// Two judges or raters are the same scores under two names.
    #[error(
        "`{0}` and `{1}` are the same scores under two names: agreement between them says nothing"
    )]
    SameScores(String, String),
    /// Two judges, or two raters, have one name.
    #[error("two judges or raters are named `{0}`: give each a unique name")]
    SameName(String),
    /// Nothing to measure.
    #[error("{0}")]
    Nothing(&'static str),
}

impl ItemTable {
    /// Reads the items. `id` and `group` are columns of their file.
    pub fn read(path: &Path, id: Option<&str>, group: Option<&str>) -> Result<Self, ItemsError> {
        let file = ScoreFile::read(path)?.wide(id)?;
        let ids = file.ids(id)?;
        let groups = match group {
            Some(column) => {
                file.known(column)?;
                Some(file.rows.iter().map(|row| text(cell(row, column))).collect())
            }
            None => None,
        };
        Ok(Self { file, ids, groups, facets: Facets::default() })
    }

    /// The same with what else the file says of the items.
    pub fn with_facets(mut self, columns: FacetColumns<'_>) -> Result<Self, ItemsError> {
        let texts = |column: Option<&str>| -> Result<Option<Vec<String>>, ItemsError> {
            let Some(column) = column else { return Ok(None) };
            self.file.known(column)?;
            let said = |row| match cell(row, column) {
                None | Some(Value::Null) => String::new(),
                said => text(said),
            };
            Ok(Some(self.file.rows.iter().map(said).collect()))
        };
        self.facets = Facets {
            slices: texts(columns.slice)?,
            lengths: texts(columns.length)?.map(|texts| lengths(&texts)),
            places: texts(columns.place)?,
            authors: texts(columns.author)?,
        };
        Ok(self)
    }

    /// The items' names, in the order of the file.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The items with everyone's scores; `told` holds those of runs and live judges, by name.
    pub fn with(
        self,
        judges: &[Source],
        raters: &[Source],
        mut told: BTreeMap<String, Told>,
    ) -> Result<Items, ItemsError> {
        check_sources(judges, raters)?;
        let mut all = |sources: &[Source]| -> Result<Side, ItemsError> {
            let mut side = Vec::new();
            for source in sources {
                let said = match &source.place {
                    SourcePlace::Column(column) => self.column(column)?,
                    SourcePlace::File(path) => Told::from_file(path)?,
                    _ => told
                        .remove(&source.name)
                        .ok_or_else(|| ItemsError::NotAsked(source.name.clone()))?,
                };
                side.push((source.name.clone(), said.aligned(&self.ids, &source.name)?));
            }
            Ok(side)
        };
        let (judges, raters) = (all(judges)?, all(raters)?);
        if raters.iter().all(|(_, ratings)| ratings.values.iter().all(Option::is_none)) {
            return Err(ItemsError::Nothing("no item has a rating"));
        }
        let values = |side: &Side| {
            side.iter().map(|(name, scores)| (name.clone(), scores.values.clone())).collect()
        };
        Ok(Items {
            judges: values(&judges),
            raters: values(&raters),
            told: judges.into_iter().map(|(_, scores)| scores).collect(),
            ids: self.ids,
            groups: self.groups,
            facets: self.facets,
        })
    }

    fn column(&self, column: &str) -> Result<Told, ItemsError> {
        self.file.known(column)?;
        let mut told = Told::default();
        for (row, id) in self.file.rows.iter().zip(&self.ids) {
            told.add(id, Ok(self.file.number(row, id, column)?));
        }
        Ok(told)
    }
}

/// The scores or ratings of some items, or nothing of some.
type Ratings = Vec<Option<f64>>;

impl Items {
    /// Items with one judge and what people say of them.
    pub(crate) fn labelled(ids: Vec<String>, judge: (&str, Ratings), labels: Ratings) -> Self {
        Self {
            ids,
            judges: vec![(judge.0.to_owned(), judge.1)],
            raters: vec![("raters".to_owned(), labels)],
            ..Self::default()
        }
    }

    /// Reads the items with scores that stand in columns and files.
    pub fn read(
        path: &Path,
        judges: &[Source],
        raters: &[Source],
        id: Option<&str>,
        group: Option<&str>,
    ) -> Result<Self, ItemsError> {
        ItemTable::read(path, id, group)?.with(judges, raters, BTreeMap::new())
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

type Row = Value;

/// The value of a column, or of a field within a field: `human.consistency`.
fn cell<'row>(row: &'row Row, column: &str) -> Option<&'row Value> {
    FieldPath::new(column).find(row)
}

/// A file of items or scores, read.
#[derive(Debug)]
struct ScoreFile {
    name: String,
    rows: Vec<Row>,
    /// Whether `4,5` is four and a half.
    decimal_comma: bool,
}

impl ScoreFile {
    fn read(path: &Path) -> Result<Self, ItemsError> {
        let records = Records::open(path, None)?;
        let decimal_comma = records.decimal_comma();
        let mut rows = Vec::new();
        for record in records {
            let row = record?.value()?;
            if row.is_object() {
                rows.push(row);
            }
            if rows.len() > ITEMS_MAX {
                return Err(ItemsError::Nothing("more than a million items in one file"));
            }
        }
        if rows.is_empty() {
            return Err(ItemsError::Nothing("the file contains no items"));
        }
        Ok(Self { name: path.display().to_string(), rows, decimal_comma })
    }

    /// The same with a row for each item, where each score has a row and a column says who gave it:
    /// everybody who gave some gets a column.
    fn wide(self, id: Option<&str>) -> Result<Self, ItemsError> {
        let in_all = |field: &str| self.rows.iter().all(|row| cell(row, field).is_some());
        let named = |fields: &[&'static str]| fields.iter().copied().find(|field| in_all(field));
        let in_some = |field: &&&str| self.rows.iter().any(|row| cell(row, field).is_some());
        let column = id.or_else(|| named(&ID_FIELDS));
        let (Some(id), Some(rater), Some(score)) =
            (column, named(&RATER_FIELDS), SCORE_FIELDS.iter().find(in_some))
        else {
            return Ok(self);
        };
        let mut places = BTreeMap::new();
        let (mut items, mut twice): (Vec<Row>, _) = (Vec::new(), None);
        for row in &self.rows {
            let name = text(cell(row, id));
            let place = *places.entry(name).or_insert_with(|| {
                items.push(row.clone());
                items.len() - 1
            });
            let Some(item) = items[place].as_object_mut() else { continue };
            let value = cell(row, score).cloned().unwrap_or(Value::Null);
            if item.insert(text(cell(row, rater)), value).is_some() {
                twice = Some(format!("{} of {}", text(cell(row, id)), text(cell(row, rater))));
            }
        }
        // One row an item already: who is named in a column is something else.
        if items.len() == self.rows.len() {
            return Ok(self);
        }
        match twice {
            Some(id) => Err(ItemsError::Twice { file: self.name, id }),
            None => Ok(Self { rows: items, ..self }),
        }
    }

    fn ids(&self, column: Option<&str>) -> Result<Vec<String>, ItemsError> {
        let Self { rows, name, .. } = self;
        let in_all = |field: &&str| rows.iter().all(|row| row.get(*field).is_some());
        let column = match column {
            Some(column) => {
                self.known(column)?;
                Some(column)
            }
            None => ID_FIELDS.into_iter().find(in_all),
        };
        let Some(column) = column else {
            return Ok((1..=rows.len()).map(|number| number.to_string()).collect());
        };
        let ids: Vec<String> = rows.iter().map(|row| text(cell(row, column))).collect();
        let mut seen = BTreeSet::new();
        match ids.iter().find(|id| !seen.insert(id.as_str())) {
            Some(id) => Err(ItemsError::Twice { file: name.clone(), id: id.clone() }),
            None => Ok(ids),
        }
    }

    fn known(&self, column: &str) -> Result<(), ItemsError> {
        if self.rows.iter().any(|row| cell(row, column).is_some()) {
            return Ok(());
        }
        Err(self.no_column(column.to_owned()))
    }

    fn no_column(&self, column: String) -> ItemsError {
        let first = self.rows.first().and_then(Value::as_object);
        let known: Vec<&str> =
            first.into_iter().flat_map(|row| row.keys()).map(String::as_str).collect();
        ItemsError::NoColumn { file: self.name.clone(), column, known: known.join(", ") }
    }

    /// The number in a column, or `None` for an empty cell.
    fn number(&self, row: &Row, item: &str, column: &str) -> Result<Option<f64>, ItemsError> {
        let refused = |said: String| ItemsError::NotANumber {
            file: self.name.clone(),
            item: item.to_owned(),
            column: column.to_owned(),
            said,
        };
        let found = match cell(row, column) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Bool(yes)) => f64::from(u8::from(*yes)),
            Some(Value::Number(number)) => number.as_f64().unwrap_or(f64::NAN),
            Some(Value::String(text)) => {
                let text = text.trim();
                if NOTHING.iter().any(|word| text.eq_ignore_ascii_case(word)) {
                    return Ok(None);
                }
                self.parsed(text).ok_or_else(|| refused(format!("`{text}`")))?
            }
            Some(other) => return Err(refused(other.to_string())),
        };
        if found.is_finite() { Ok(Some(found)) } else { Err(refused(found.to_string())) }
    }

    fn parsed(&self, text: &str) -> Option<f64> {
        let with_comma = || {
            let is_decimal = self.decimal_comma && !text.contains('.');
            text.replacen(',', ".", 1).parse().ok().filter(|_| is_decimal)
        };
        text.parse().ok().or_else(with_comma)
    }
}

impl Told {
    /// Scores by name; a name may come again where rows are counted as samples.
    pub(crate) fn from_file(path: &Path) -> Result<Self, ItemsError> {
        let file = ScoreFile::read(path)?;
        let column = |fields: &[&'static str]| {
            let in_some = |field: &&&str| file.rows.iter().any(|row| row.get(**field).is_some());
            let found = fields.iter().find(in_some);
            found.copied().ok_or_else(|| file.no_column(fields.join("` or `")))
        };
        let (id, score) = (column(&ID_FIELDS)?, column(&SCORE_FIELDS)?);
        let mut told = Self::default();
        for row in &file.rows {
            let name = text(row.get(id));
            if told.knows(&name) && row.get(SAMPLE_FIELD).is_none() {
                return Err(ItemsError::Twice { file: file.name.clone(), id: name });
            }
            told.add(&name, Ok(file.number(row, &name, score)?));
        }
        Ok(told)
    }
}

/// Numbers are lengths; texts have as many characters as they have.
fn lengths(texts: &[String]) -> Vec<Option<f64>> {
    let numbers: Option<Vec<Option<f64>>> = texts
        .iter()
        .map(|text| match text.as_str() {
            "" => Some(None),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Some),
        })
        .collect();
    let counted = |text: &String| (!text.is_empty()).then(|| text.chars().count() as f64);
    numbers.unwrap_or_else(|| texts.iter().map(counted).collect())
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}
