//! Which column of a table holds what: as the user says, or by the names that are usual.

use std::collections::BTreeMap;

use super::{Table, plain_name};

/// Fields and the columns that hold them, as the user says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping(BTreeMap<String, String>);

impl Mapping {
    /// The column of a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// The columns that are named.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }

    /// The first field that is none of these.
    pub fn unknown(&self, fields: &[&str]) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|field| !fields.contains(field))
    }
}

impl FromIterator<(String, String)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

/// Finds columns, each for one field only.
pub struct Finder<'a> {
    table: &'a Table,
    mapping: &'a Mapping,
    taken: Vec<usize>,
}

impl<'a> Finder<'a> {
    /// In this table; what the mapping names is taken before anything is guessed.
    pub fn new(table: &'a Table, mapping: &'a Mapping) -> Self {
        let taken = mapping.columns().filter_map(|name| table.column(&[&plain_name(name)]));
        Self { table, mapping, taken: taken.collect() }
    }

    /// The column that the user named for a field: the outer `None` if nobody did, `Err` with the
    /// name if there is no such column.
    pub fn stated(&self, field: &str) -> Option<Result<usize, String>> {
        let name = self.mapping.get(field)?;
        let exact = self.table.headers.iter().position(|header| header == name);
        let found = exact.or_else(|| self.table.column(&[&plain_name(name)]));
        Some(found.ok_or_else(|| name.to_owned()))
    }

    /// The free columns with one of these names, in the order of the names.
    pub fn free(&self, names: &[&str]) -> Vec<usize> {
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

    /// Takes a column: it is free no more.
    pub fn take(&mut self, column: usize) -> usize {
        self.taken.push(column);
        column
    }

    /// How many letters a column has in a row, on average.
    pub fn richness(&self, column: usize) -> f64 {
        let letters: usize =
            self.table.rows.iter().map(|row| row.cells[column].chars().count()).sum();
        letters as f64 / self.table.rows.len().max(1) as f64
    }

    /// Free columns whose names are like one of these: one holds the other, or they begin alike.
    pub fn near(&self, names: &[&str]) -> Vec<String> {
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

/// How many letters two names have in common before they are alike.
const ALIKE_LETTERS_MIN: usize = 4;
