//! Criteria: what documents are held against, from tables and OSCAL catalogs and back.

mod from_oscal;
mod from_table;
mod merged;
mod parameters;
mod profile;
mod to_oscal;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::table::Table;

pub use from_oscal::from_oscal;
pub(crate) use from_table::names;
pub use from_table::{FIELDS, columns_by, from_table, from_table_by, known_names};
pub use profile::{Load, is_profile, resolve};
pub use to_oscal::{CatalogHead, to_oscal};

/// One criterion of a set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Criterion {
    /// What people call it: `AC-2`, `A.5.1`.
    pub criteria_id: String,
    /// What is required. When it has several lines, the first is its title.
    pub requirement: String,
    /// What helps to judge it; may be empty.
    pub description: String,
    /// Its place in the set; lower comes first.
    pub order: i64,
    /// The group it stands in: a family, a chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// How much it counts beside the others; 1 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// Why there are no criteria.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CriteriaError {
    /// A column that must be there is not.
    #[error(
        "no {wanted} column: expected one named `{name}`; the columns are {}{}",
        listed(.known),
        nearest(.near)
    )]
    NoColumn {
        /// What the column holds.
        wanted: &'static str,
        /// What it could be called.
        name: &'static str,
        /// The columns that there are.
        known: Vec<String>,
        /// Those of them that may be meant.
        near: Vec<String>,
    },
    /// A column that the user named is not there.
    #[error("no column `{column}` for the {field}; the columns are \
        {}{}", listed(.known), nearest(.near))]
    NoSuchColumn {
        /// What it was named for.
        field: String,
        /// Its name.
        column: String,
        /// The columns that there are.
        known: Vec<String>,
        /// Those of them that may be meant.
        near: Vec<String>,
    },
    /// A field that the user named a column for is none.
    #[error("unknown field `{field}`; the fields are {}", listed(.known))]
    NoField {
        /// What the user wrote.
        field: String,
        /// The fields that there are.
        known: Vec<String>,
    },
    /// One column is named for two fields.
    #[error("the column `{column}` is used for both `{}` and `{}`: choose another for one of them", .fields[0], .fields[1])]
    TwoUses {
        /// Its name.
        column: String,
        fields: [String; 2],
    },
    /// Two columns may be meant.
    #[error(
        "which column holds the {wanted}: {}? Map `{wanted}` to one of them",
        either(.columns)
    )]
    Doubtful {
        /// What the column holds.
        wanted: &'static str,
        /// Those that may be meant.
        columns: Vec<String>,
    },
    /// Not JSON.
    #[error("the catalog is not valid JSON")]
    Json(#[from] serde_json::Error),
    /// A profile refers to something that is not there.
    #[error(
        "the profile refers to `{href}`, which was not found: put that catalog next to the \
         profile under the same name"
    )]
    NoSource {
        /// How it is named there.
        href: String,
    },
    /// JSON, but no catalog.
    #[error("this is not an OSCAL catalog: it has no `catalog`, but {}", listed(.known))]
    NoCatalog {
        /// What the file has instead.
        known: Vec<String>,
    },
}

fn nearest(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; did you mean {}?", either(names)),
    }
}

fn either(names: &[String]) -> String {
    format!("`{}`", names.join("` or `"))
}

pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => format!("`{}`", names.join("`, `")),
    }
}

/// The criteria as a table that [`from_table`] reads again.
pub fn to_table(criteria: &[Criterion]) -> Table {
    let has_category = criteria.iter().any(|item| item.category.is_some());
    let has_weight = criteria.iter().any(|item| item.weight.is_some());
    let mut headers = vec!["criteria_id", "requirement", "description", "order"];
    headers.extend(has_category.then_some("category"));
    headers.extend(has_weight.then_some("weight"));
    let row = |item: &Criterion| {
        let Criterion { criteria_id, requirement, description, .. } = item.clone();
        let mut row = vec![criteria_id, requirement, description, item.order.to_string()];
        row.extend(has_category.then(|| item.category.clone().unwrap_or_default()));
        let weight = item.weight.map(|weight| weight.to_string());
        row.extend(has_weight.then(|| weight.unwrap_or_default()));
        row
    };
    Table::new(&headers, criteria.iter().map(row))
}
