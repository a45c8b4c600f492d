//! One run's values, query by query: what every kind of retrieval scoring ends in.

use assize_score::NotFinite;
use assize_score::float::{exp, ln};
use assize_score::score::all_finite;
use assize_wire::retrieval::JudgedShare;

use super::ranked::Disjoint;

/// How the values of single queries become the value of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The arithmetic mean over the scored queries.
    Mean,
    /// The sum, for counts such as `num_rel_ret`.
    Sum,
    /// The geometric mean, each value held at a floor of 0.00001 first, as `gm_map` is defined.
    GeometricMean,
}

/// What a value is raised to before a geometric mean, so that one zero does not erase a run.
const GEOMETRIC_FLOOR: f64 = 0.000_01;

impl Aggregate {
    /// The values of all queries as one number; 0 where there are none.
    pub fn of(self, values: &[f64]) -> f64 {
        let sum: f64 = values.iter().sum();
        let count = values.len().max(1) as f64;
        match self {
            Self::Mean => sum / count,
            Self::Sum => sum,
            Self::GeometricMean if values.is_empty() => 0.0,
            Self::GeometricMean => {
                let logs = values.iter().map(|value| ln(value.max(GEOMETRIC_FLOOR)));
                exp(logs.sum::<f64>() / count)
            }
        }
    }
}

/// One measure of a scoreboard: a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The measure in the notation that users type and read: `ndcg@10`.
    pub name: String,
    /// How the column becomes one number.
    pub aggregate: Aggregate,
    /// Whether values are counts, shown without decimals.
    pub count: bool,
}

/// One query of a scoreboard: a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The query's identifier, or its text where it has none.
    pub query: String,
    /// One value for each column.
    pub values: Vec<f64>,
}

impl Row {
    /// A row of finite values, one for each column; the error names the column.
    pub fn new(query: String, values: Vec<f64>, columns: &[Column]) -> Result<Self, NotFinite> {
        let name = |index: usize| columns.get(index).map_or("value", |column| &column.name);
        let values = all_finite(values, |index| name(index).to_owned().into())?;
        Ok(Self { query, values })
    }
}

/// A run's values, query by query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scoreboard {
    /// The measures, in the order they were asked for.
    pub columns: Vec<Column>,
    /// The scored queries, in the order of the input.
    pub rows: Vec<Row>,
    /// How many queries have gold and no answer, and are left out.
    pub unanswered: usize,
    /// What the user should know: queries left out, blank passages, duplicate documents.
    pub notices: Vec<String>,
    /// How many of the documents that a ranked run retrieved were judged; none for passages.
    pub judged: Option<JudgedShare>,
    /// Identifiers of both sides, if no document of the run was judged, or paths, if no passage
    /// stands in a file of the gold: then nothing was measured.
    pub disjoint: Option<Box<Disjoint>>,
}

impl Scoreboard {
    /// Keeps the named columns, in that order; a name that there is not is passed over.
    pub(crate) fn keep_columns(&mut self, names: &[String]) {
        let place = |name: &String| self.columns.iter().position(|column| column.name == *name);
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        self.columns = places.iter().map(|place| self.columns[*place].clone()).collect();
        for row in &mut self.rows {
            row.values = places.iter().map(|place| row.values[*place]).collect();
        }
    }

    /// Adds the columns that another scoreboard of the same queries has besides.
    pub(crate) fn add_columns(&mut self, other: &Self) {
        for (index, column) in other.columns.iter().enumerate() {
            if self.columns.iter().any(|known| known.name == column.name) {
                continue;
            }
            self.columns.push(column.clone());
            for (row, theirs) in self.rows.iter_mut().zip(&other.rows) {
                row.values.push(theirs.values[index]);
            }
        }
    }

    /// The values of one column, in the order of the rows.
    pub fn column(&self, index: usize) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().map(move |row| row.values[index])
    }
}
