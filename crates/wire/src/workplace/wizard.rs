//! What a new run would take: a list of criteria before it is imported, and what judging costs.

use serde::Serialize;

use crate::estimate::Estimate;

/// A criterion as a judge would read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionPreview {
    /// Its id.
    pub id: String,
    /// The requirement.
    pub requirement: String,
    /// What helps to judge it; may be empty.
    pub description: String,
}

/// A list of criteria before it is imported: which column holds what, and the first rows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CriteriaPreview {
    /// The sheets of a workbook; empty for other files.
    pub sheets: Vec<String>,
    /// The sheet that is read; empty if there is none.
    pub sheet: String,
    /// The columns of the table; empty for a catalog.
    pub columns: Vec<String>,
    /// Each field with the column that it is taken from.
    pub fields: Vec<(String, Option<String>)>,
    /// The fields that the user says no column holds.
    pub unused: Vec<String>,
    /// The first rows of the table, cell by cell.
    pub rows: Vec<Vec<String>>,
    /// The first criteria as a judge would read them.
    pub criteria: Vec<CriterionPreview>,
    /// How many criteria there would be.
    pub usable: usize,
    /// How many rows would be none.
    pub unusable: usize,
    /// Whether they are to be left out.
    pub skips_unusable: bool,
    /// Rows that cannot be used, each with its number and the reason.
    pub problems: Vec<String>,
    /// What there is to know besides.
    pub notices: Vec<String>,
    /// Why nothing can be read: a column is missing, or two may be meant.
    pub refused: Option<String>,
}

/// What a run would judge, and what that takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunPreview {
    /// How many criteria.
    pub criteria: usize,
    /// The documents.
    pub documents: Vec<String>,
    /// What a model would be asked; none for the rules, which ask nobody.
    pub estimate: Option<Estimate>,
    /// Whether the tokens were counted for some pairs only, and multiplied.
    pub is_from_sample: bool,
}

impl RunPreview {
    /// How many judgements there would be.
    pub fn pairs(&self) -> usize {
        self.criteria * self.documents.len()
    }
}

/// A pair as a judge would read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairPreview {
    /// What it is called; may be empty.
    pub id: String,
    /// The source.
    pub article: String,
    /// What is judged.
    pub summary: String,
}

/// A file of articles and summaries before it is judged: which column holds what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PairsPreview {
    /// The sheets of a workbook; empty for other files.
    pub sheets: Vec<String>,
    /// The sheet that was asked for; empty leaves it to the reader.
    pub sheet: String,
    /// The columns that there are.
    pub columns: Vec<String>,
    /// `id`, `article` and `summary`, each with the column that it is taken from.
    pub fields: Vec<(String, Option<String>)>,
    /// The first pairs.
    pub pairs: Vec<PairPreview>,
    /// How many pairs can be judged.
    pub usable: usize,
    /// How many records cannot.
    pub unusable: usize,
    /// The first of those, each with its place and the reason.
    pub problems: Vec<String>,
    /// Why nothing can be read.
    pub refused: Option<String>,
}
