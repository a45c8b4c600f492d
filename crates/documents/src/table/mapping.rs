//! Which column of a table holds what: as the user says, or by the names that are usual.

use std::collections::{BTreeMap, BTreeSet};

use super::{Table, plain_name};

/// Fields and the columns that hold them, as the user says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    columns: BTreeMap<String, String>,
    unused: BTreeSet<String>,
}

impl Mapping {
    /// The column of a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.columns.get(field).map(String::as_str)
    }

    /// The same where these fields have no column, whatever the columns are called.
    #[must_use]
    pub fn without(mut self, fields: impl IntoIterator<Item = String>) -> Self {
        self.unused.extend(fields);
        self
    }

    /// Whether the user says that no column holds a field.
    pub fn is_unused(&self, field: &str) -> bool {
        self.unused.contains(field)
    }

    /// A column that is named for two fields, with both.
    pub(crate) fn doubled(&self) -> Option<(&str, [&str; 2])> {
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        self.columns.iter().find_map(|(field, column)| {
            let first = known.insert(column, field)?;
            Some((column.as_str(), [first, field.as_str()]))
        })
    }

    /// The columns that are named.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.values().map(String::as_str)
    }

    /// The first field that is none of these.
    pub fn unknown(&self, fields: &[&str]) -> Option<&str> {
        let all = self.columns.keys().chain(&self.unused);
        all.map(String::as_str).find(|field| !fields.contains(field))
    }
}

impl FromIterator<(String, String)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self { columns: pairs.into_iter().collect(), unused: BTreeSet::new() }
    }
}

/// Finds columns, each for one field only.
pub(crate) struct Finder<'a> {
    table: &'a Table,
    mapping: &'a Mapping,
    taken: Vec<usize>,
}

impl<'a> Finder<'a> {
    /// In this table; what the mapping names is taken before anything is guessed.
    pub(crate) fn new(table: &'a Table, mapping: &'a Mapping) -> Self {
        let taken = mapping.columns().filter_map(|name| table.column(&[&plain_name(name)]));
        Self { table, mapping, taken: taken.collect() }
    }

    /// The column that the user named for a field: the outer `None` if nobody did, `Err` with the
    /// name if there is no such column.
    pub(crate) fn stated(&self, field: &str) -> Option<Result<usize, String>> {
        let name = self.mapping.get(field)?;
        let exact = self.table.headers.iter().position(|header| header == name);
        let found = exact.or_else(|| self.table.column(&[&plain_name(name)]));
        Some(found.ok_or_else(|| name.to_owned()))
    }

    /// The free columns with one of these names, in the order of the names.
    pub(crate) fn free(&self, names: &[&str]) -> Vec<usize> {
        let mut found = Vec::new();
        for name in names {
            let columns = self.table.headers.iter().enumerate();
            let columns = columns.filter(|(_, header)| plain_name(header) == *name);
            found.extend(
                columns.map(|(place, _)| place).filter(|place| !self.taken.contains(place)),
            );
        }
        found
    }

    /// The first free column with one of these names. One that could as well hold `prose` by its
    /// name, and does, is passed over if there is another.
    pub(crate) fn first(&self, names: &[&str], prose: &[&str]) -> Option<usize> {
        let free = self.free(names);
        let is_code = |column: &usize| {
            let name = plain_name(&self.table.headers[*column]);
            !prose.contains(&name.as_str()) || self.richness(*column) <= CODE_LETTERS_MAX
        };
        free.iter().copied().find(is_code).or(free.first().copied())
    }

    /// Takes a column: it is free no more.
    pub(crate) fn take(&mut self, column: usize) -> usize {
        self.taken.push(column);
        column
    }

    /// How many letters a column has in a row, on average.
    pub(crate) fn richness(&self, column: usize) -> f64 {
        let letters: usize =
            self.table.rows.iter().map(|row| row.cells[column].chars().count()).sum();
        letters as f64 / self.table.rows.len().max(1) as f64
    }

    /// Free columns whose names are like one of these: one holds the other, or they begin alike.
    pub(crate) fn near(&self, names: &[&str]) -> Vec<String> {
        let begins_alike = |left: &str, right: &str| {
            left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
                >= ALIKE_LETTERS_MIN
        };
        let is_near = |header: &&String| {
            let plain = plain_name(header);
            let is_like = |name: &&str| {
                begins_alike(&plain, name)
                    || name.len() >= ALIKE_LETTERS_MIN && plain.contains(*name)
                    || plain.len() >= ALIKE_LETTERS_MIN && name.contains(&plain)
            };
            names.iter().any(is_like)
        };
        let columns = self.table.headers.iter().enumerate();
        let free = columns.filter(|(place, _)| !self.taken.contains(place));
        free.map(|(_, header)| header).filter(is_near).cloned().collect()
    }
}

/// What identifies a row has no more letters than this on average: longer ones are sentences.
const CODE_LETTERS_MAX: f64 = 24.0;

/// How many letters two names have in common before they are alike.
const ALIKE_LETTERS_MIN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criteria::{columns_by, from_table, from_table_by};

    #[test]
    fn a_control_that_is_a_sentence_does_not_identify_itself() {
        let csv = b"No,Control,Guidance\nAC-1,Access rights are reviewed every quarter.,Keep it.\n\
            AC-2,Leavers lose access on their last day.,\n";
        let table = crate::table::read(csv, "list.csv").unwrap();
        let imported = from_table(&table).unwrap();
        assert!(imported.bad_rows.is_empty(), "{:?}", imported.bad_rows);
        assert_eq!(imported.items[1].criteria_id, "AC-2");
        assert_eq!(imported.items[0].description, "Keep it.");
        // A control that is a code still identifies its row, whatever else is numbered.
        let csv = b"No,Control,Requirement\n1,AC-1,Access rights are reviewed every quarter.\n";
        let table = crate::table::read(csv, "list.csv").unwrap();
        assert_eq!(from_table(&table).unwrap().items[0].criteria_id, "AC-1");
    }

    #[test]
    fn remarks_about_a_criterion_are_no_part_of_it() {
        let csv = b"No.,Topic,Requirement,Owner,Comment\n1.2,Accounts,Leavers lose access.,HR,\
            see finding 2025-3\n";
        let table = crate::table::read(csv, "audit.csv").unwrap();
        let imported = from_table(&table).unwrap();
        let one = &imported.items[0];
        assert_eq!((one.criteria_id.as_str(), one.description.as_str()), ("1.2", ""));
        assert_eq!(one.category.as_deref(), Some("Accounts"));
    }

    #[test]
    fn a_field_without_a_column_is_not_guessed_and_no_column_has_two_uses() {
        let csv = b"Ref,Requirement,Weight\nA-1,Lock doors.,heavy\n";
        let table = crate::table::read(csv, "list.csv").unwrap();
        assert_eq!(from_table(&table).unwrap().bad_rows.len(), 1, "a weight is a number");
        let without = Mapping::default().without(["weight".to_owned()]);
        let imported = from_table_by(&table, &without).unwrap();
        assert_eq!((imported.items.len(), imported.items[0].weight), (1, None));
        assert_eq!(columns_by(&table, &without).unwrap()[6], ("weight", None));
        let none = Mapping::default().without(["requirement".to_owned()]);
        from_table_by(&table, &none).unwrap_err();
        let pairs = [("id", "Ref"), ("title", "Ref")];
        let twice = pairs.map(|(field, column)| (field.to_owned(), column.to_owned()));
        let refused = from_table_by(&table, &twice.into_iter().collect()).unwrap_err();
        let words = "the column `Ref` is used for both `id` and `title`: choose another for one of \
                     them";
        assert_eq!(refused.to_string(), words);
    }
}
