//! What every import gives: the rows that are good, and why the others are not.

use crate::table::BadRow;

/// What was imported, and what was not.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported<T> {
    /// What is good, in order.
    pub items: Vec<T>,
    /// Every row that was refused, by its number.
    pub bad_rows: Vec<BadRow>,
    /// What there is to know besides.
    pub notices: Vec<String>,
}

impl<T> Imported<T> {
    pub(crate) fn new(bad_rows: Vec<BadRow>, notices: Vec<String>) -> Self {
        Self { items: Vec::new(), bad_rows, notices }
    }

    /// Takes a row or the reason why not.
    pub(crate) fn add(&mut self, row: usize, item: Result<T, String>) {
        match item {
            Ok(item) => self.items.push(item),
            Err(reason) => self.bad_rows.push(BadRow { row, reason }),
        }
    }

    pub(crate) fn sorted(mut self) -> Self {
        self.bad_rows.sort_by_key(|bad| bad.row);
        self
    }
}

/// Remembers in which row a name was given first.
#[derive(Debug, Default)]
pub(crate) struct Seen(std::collections::BTreeMap<String, usize>);

impl Seen {
    /// Notes a name, or says in which row it was before. Case makes no difference.
    pub(crate) fn note(&mut self, name: &str, row: usize) -> Result<(), usize> {
        match self.0.entry(name.to_lowercase()) {
            std::collections::btree_map::Entry::Occupied(before) => Err(*before.get()),
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(row);
                Ok(())
            }
        }
    }
}
