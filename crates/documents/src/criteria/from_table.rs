//! Criteria from a table: whatever its columns are called.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::merged::{self, RowKind};
use super::{CriteriaError, Criterion};
use crate::import::{Imported, Seen};
use crate::table::{Finder, Mapping, Row, Table, plain_name};

/// What columns may be called.
static NAMES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../../data/criteria_columns.txt").lines();
    let named =
        lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    named.map(|(field, names)| (field, names.split(' ').collect())).collect()
});

/// What the column with this may be called.
pub(crate) fn names(field: &str) -> &'static [&'static str] {
    NAMES.get(field).map_or(&[], Vec::as_slice)
}

/// A column that says so much more than another is the richer one; less is a matter of chance.
const RICHER: f64 = 1.25;

/// What a user may name a column for.
pub const FIELDS: [&str; 7] =
    ["id", "title", "requirement", "description", "order", "category", "weight"];

/// Where things are in a table.
pub(super) struct Columns {
    pub(super) id: usize,
    pub(super) title: Option<usize>,
    pub(super) text: Option<usize>,
    pub(super) description: Option<usize>,
    order: Option<usize>,
    category: Option<usize>,
    weight: Option<usize>,
}

/// Takes criteria from a table; every row that is none is reported with its number.
///
/// ```
/// # use assize_documents::{criteria, table};
/// let file = b"Control;Title\nAC-1;Policy\n;nameless\nac-1;again\n";
/// let table = table::read(file, "criteria.csv").unwrap();
/// let imported = criteria::from_table(&table).unwrap();
/// assert_eq!(imported.items[0].requirement, "Policy");
/// let bad: Vec<usize> = imported.bad_rows.iter().map(|bad| bad.row).collect();
/// assert_eq!(bad, [3, 4]);
/// ```
pub fn from_table(table: &Table) -> Result<Imported<Criterion>, CriteriaError> {
    from_table_by(table, &Mapping::default())
}

/// The same where the user says which column holds what.
pub fn from_table_by(
    table: &Table,
    mapping: &Mapping,
) -> Result<Imported<Criterion>, CriteriaError> {
    let (columns, choices) = Columns::of(table, mapping)?;
    let mut imported = Imported::new(table.bad_rows.clone(), table.notices.clone());
    let mut seen = Seen::default();
    let kinds = merged::kinds(&columns, table);
    for (index, (row, kind)) in table.rows.iter().zip(&kinds).enumerate() {
        let number = match kind {
            RowKind::Criterion(number) => number,
            RowKind::Heading => continue,
            RowKind::Repetition => {
                if let Some(item) = imported.items.last_mut() {
                    merged::add_description(item, &columns, row);
                }
                continue;
            }
        };
        let item = columns.criterion(row, index).and_then(|mut item| {
            if let Some(number) = number {
                item.criteria_id = format!("{} ({number})", item.criteria_id);
            }
            seen.note(&item.criteria_id, row.number).map_err(|before| {
                format!("duplicate id `{}`, already used in row {before}", item.criteria_id)
            })?;
            Ok(item)
        });
        imported.add(row.number, item);
    }
    imported.items.sort_by_key(|item| item.order);
    imported.notices.extend(merged::notices(&kinds, table, &imported.items));
    imported.notices.extend(choices);
    imported.notices.extend(columns.unused(table));
    Ok(imported.sorted())
}

/// Which column each of [`FIELDS`] is taken from, as [`from_table_by`] decides it.
pub fn columns_by(
    table: &Table,
    mapping: &Mapping,
) -> Result<[(&'static str, Option<String>); FIELDS.len()], CriteriaError> {
    let (columns, _) = Columns::of(table, mapping)?;
    let Columns { id, title, text, description, order, category, weight } = columns;
    let places = [Some(id), title, text, description, order, category, weight];
    let mut named = FIELDS.map(|field| (field, None));
    for ((_, name), place) in named.iter_mut().zip(places) {
        *name = place.map(|place| table.headers[place].clone());
    }
    Ok(named)
}

/// The names of columns that are looked for.
pub fn known_names() -> Vec<&'static str> {
    let all = [names("id"), names("text"), names("title"), names("description"), names("order")];
    [&all.concat()[..], names("category"), names("weight")].concat()
}

impl Columns {
    /// Where things are, and what a reader should know about how it was decided.
    fn of(table: &Table, mapping: &Mapping) -> Result<(Self, Vec<String>), CriteriaError> {
        if let Some(field) = mapping.unknown(&FIELDS) {
            let known = FIELDS.map(ToOwned::to_owned).to_vec();
            return Err(CriteriaError::NoField { field: field.to_owned(), known });
        }
        if let Some((column, fields)) = mapping.doubled() {
            let fields = fields.map(ToOwned::to_owned);
            return Err(CriteriaError::TwoUses { column: column.to_owned(), fields });
        }
        let mut finder = Finder::new(table, mapping);
        let find = |finder: &mut Finder<'_>, field, known: &[&str]| {
            if mapping.is_unused(field) {
                return Ok(None);
            }
            let stated = stated(finder, table, field, known)?;
            let prose: &[&str] = if field == "id" { names("text") } else { &[] };
            let column = stated.or_else(|| finder.first(known, prose));
            Ok::<_, CriteriaError>(column.map(|column| finder.take(column)))
        };
        let id = find(&mut finder, "id", names("id"))?
            .ok_or_else(|| missing(&finder, table, ("identifier", "criteria_id"), names("id")))?;
        let title = find(&mut finder, "title", names("title"))?;
        let text = match stated(&finder, table, "requirement", names("text"))? {
            Some(column) => Some(column),
            None if mapping.is_unused("requirement") => None,
            None => richest(&finder, table, finder.free(names("text")))?,
        };
        let text = text.map(|column| finder.take(column));
        let description = find(&mut finder, "description", names("description"))?;
        let order = find(&mut finder, "order", names("order"))?;
        let category = find(&mut finder, "category", names("category"))?;
        let weight = find(&mut finder, "weight", names("weight"))?;
        let mut columns = Self { id, title, text, description, order, category, weight };
        let choice = columns.settle(&finder, table, mapping)?;
        if columns.title.is_none() && columns.text.is_none() {
            let names = [names("text"), names("title")].concat();
            return Err(missing(&finder, table, ("requirement", "requirement"), &names));
        }
        Ok((columns, choice.into_iter().collect()))
    }

    /// Where no column says that it holds the requirement: the description does, unless there is
    /// a name beside it that says more.
    fn settle(
        &mut self,
        finder: &Finder<'_>,
        table: &Table,
        mapping: &Mapping,
    ) -> Result<Option<String>, CriteriaError> {
        let (None, Some(description)) = (self.text, self.description) else { return Ok(None) };
        if mapping.is_unused("requirement") {
            return Ok(None);
        }
        let header = |column: usize| table.headers[column].clone();
        let is_rich = names("rich").contains(&plain_name(&header(description)).as_str());
        let Some(title) = self.title else {
            (self.text, self.description) = (Some(description), None);
            return Ok(None);
        };
        if !is_rich || mapping.get("description").is_some() || mapping.get("title").is_some() {
            return Ok(None);
        }
        let (of_title, of_description) = (finder.richness(title), finder.richness(description));
        if of_description > of_title * RICHER {
            (self.text, self.description) = (Some(description), None);
            return Ok(Some(format!(
                "using the column `{}` as the requirement, because it has more text than `{}`, \
                 its title",
                header(description),
                header(title)
            )));
        }
        if of_title > of_description * RICHER {
            let (title, description) = (header(title), header(description));
            return Ok(Some(format!(
                "using the column `{title}` as the requirement, because it has more text than \
                 `{description}`"
            )));
        }
        let columns = vec![header(title), header(description)];
        Err(CriteriaError::Doubtful { wanted: "requirement", columns })
    }

    fn criterion(&self, row: &Row, index: usize) -> Result<Criterion, String> {
        let cell = |column: Option<usize>| column.map_or("", |column| row.cells[column].as_str());
        let criteria_id = cell(Some(self.id)).to_owned();
        let (title, text) = (cell(self.title), cell(self.text));
        if criteria_id.is_empty() {
            return Err("the identifier is missing".to_owned());
        }
        let requirement = match (title, text) {
            ("", "") => return Err(format!("`{criteria_id}` has no requirement")),
            (title, "") => title.to_owned(),
            ("", text) => text.to_owned(),
            (title, text) if text == title => text.to_owned(),
            (title, text) => format!("{title}\n{text}"),
        };
        let order = match cell(self.order) {
            "" => i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1),
            written => {
                whole(written).ok_or_else(|| format!("order `{written}` is not a number"))?
            }
        };
        let weight = match cell(self.weight) {
            "" => None,
            written => Some(weight(written).ok_or_else(|| {
                format!("the weight `{written}` of `{criteria_id}` is not a number of 0 or more")
            })?),
        };
        Ok(Criterion {
            criteria_id,
            requirement,
            description: cell(self.description).to_owned(),
            order,
            category: Some(cell(self.category).to_owned()).filter(|name| !name.is_empty()),
            weight,
        })
    }

    /// All that are used.
    pub(super) fn used(&self) -> impl Iterator<Item = usize> {
        let Self { id, title, text, description, order, category, weight } = *self;
        [Some(id), title, text, description, order, category, weight].into_iter().flatten()
    }

    fn unused(&self, table: &Table) -> Option<String> {
        let used: Vec<usize> = self.used().collect();
        let columns = table.headers.iter().enumerate();
        let unused =
            columns.filter(|(index, name)| !used.contains(index) && !plain_name(name).is_empty());
        let unused: Vec<String> = unused.map(|(_, name)| name.clone()).collect();
        (!unused.is_empty()).then(|| format!("unused columns: {}", super::listed(&unused)))
    }
}

/// The column that the user names, if any; one that is not there is refused.
fn stated(
    finder: &Finder<'_>,
    table: &Table,
    field: &str,
    names: &[&str],
) -> Result<Option<usize>, CriteriaError> {
    let refused = |column: String| {
        let asked = crate::table::plain_name(&column);
        let mut near = finder.near(&[&asked]);
        near.extend(
            finder.near(names).into_iter().filter(|name| !near.contains(name)).collect::<Vec<_>>(),
        );
        let known = table.headers.clone();
        CriteriaError::NoSuchColumn { field: field.to_owned(), column, known, near }
    };
    finder.stated(field).transpose().map_err(refused)
}

fn missing(
    finder: &Finder<'_>,
    table: &Table,
    (wanted, name): (&'static str, &'static str),
    names: &[&str],
) -> CriteriaError {
    let known = table.headers.clone();
    CriteriaError::NoColumn { wanted, name, known, near: finder.near(names) }
}

/// The column of several that says most, if it is clear which.
fn richest(
    finder: &Finder<'_>,
    table: &Table,
    mut columns: Vec<usize>,
) -> Result<Option<usize>, CriteriaError> {
    columns.sort_by(|left, right| finder.richness(*right).total_cmp(&finder.richness(*left)));
    match columns.as_slice() {
        [first, second, ..] if finder.richness(*first) <= finder.richness(*second) * RICHER => {
            let columns = [*first, *second].map(|column| table.headers[column].clone()).to_vec();
            Err(CriteriaError::Doubtful { wanted: "requirement", columns })
        }
        columns => Ok(columns.first().copied()),
    }
}

/// A weight, with a comma or a point.
fn weight(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replacen(',', ".", 1).parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// A whole number, also when a sheet made it `3.0`.
fn whole(text: &str) -> Option<i64> {
    text.trim_end_matches('.').parse().ok().or_else(|| {
        let (whole, rest) = text.split_once('.')?;
        rest.bytes().all(|byte| byte == b'0').then(|| whole.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;

    #[test]
    fn categories_and_weights_are_taken_and_written_again() {
        let read_in = imported(
            "criteria_id,requirement,Family,Weight\nA,Lock.,Access,\"2,5\"\nB,Log.,,\nC,x,,-1\nD,x,,much\n",
        );
        let found: Vec<(Option<&str>, Option<f64>)> =
            read_in.items.iter().map(|item| (item.category.as_deref(), item.weight)).collect();
        assert_eq!(found, [(Some("Access"), Some(2.5)), (None, None)]);
        let bad: Vec<usize> = read_in.bad_rows.iter().map(|bad| bad.row).collect();
        assert_eq!(bad, [4, 5]);
        let again = from_table(&crate::criteria::to_table(&read_in.items)).unwrap();
        assert_eq!(again.items, read_in.items);
    }

    fn imported(text: &str) -> Imported<Criterion> {
        from_table(&read(text.as_bytes(), "criteria.csv").unwrap()).unwrap()
    }

    fn error(text: &str) -> String {
        from_table(&read(text.as_bytes(), "criteria.csv").unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn it_says_which_column_is_taken_for_what() {
        let file = b"Ref,Control name,Control description,Owner\nA-1,Locks,Doors are locked at night.,IT\n";
        let table = read(file, "criteria.csv").unwrap();
        let named = columns_by(&table, &Mapping::default()).unwrap();
        let expected = [
            ("id", Some("Ref")),
            ("title", Some("Control name")),
            ("requirement", Some("Control description")),
            ("description", None),
            ("order", None),
            ("category", None),
            ("weight", None),
        ];
        assert_eq!(named, expected.map(|(field, name)| (field, name.map(ToOwned::to_owned))));
        let mapping = [("requirement".to_owned(), "Owner".to_owned())].into_iter().collect();
        assert_eq!(columns_by(&table, &mapping).unwrap()[2].1.as_deref(), Some("Owner"));
    }

    #[test]
    fn columns_are_known_by_many_names() {
        // The columns of the spreadsheet that NIST publishes its controls in.
        let nist = "Control Identifier,Control (or Control Enhancement) Name,Control Text,Discussion,\
                    Related Controls\nAC-1,Policy,Develop it.,Why so.,PM-9\n";
        let imported = imported(nist);
        let expected = Criterion {
            criteria_id: "AC-1".to_owned(),
            requirement: "Policy\nDevelop it.".to_owned(),
            description: "Why so.".to_owned(),
            order: 1,
            ..Criterion::default()
        };
        assert_eq!(imported.items, [expected]);
        assert_eq!(imported.notices, ["unused columns: `Related Controls`"]);
    }

    #[test]
    fn one_column_is_not_used_for_two_things() {
        let imported = imported("Control,Criterion\nAC-1,Do it\n");
        assert_eq!(imported.items[0].requirement, "Do it");
        assert_eq!(imported.items[0].criteria_id, "AC-1");
        assert_eq!(super::super::to_table(&imported.items).rows[0].cells[3], "1");
    }

    #[test]
    fn rows_are_ordered_by_their_order_and_bad_orders_are_reported() {
        let imported = imported("id,text,order\nb,B,2\na,A,1.0\nc,C,first\n");
        let ids: Vec<&str> = imported.items.iter().map(|item| item.criteria_id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(imported.bad_rows[0].reason, "order `first` is not a number");
        assert_eq!(imported.bad_rows[0].row, 4);
    }

    #[test]
    fn every_bad_row_is_reported_with_its_number() {
        let imported = imported("id,text\nAC-1,x\n,y\nAC-2,\nac-1,z\nAC-3,a,b\n");
        let bad: Vec<String> =
            imported.bad_rows.iter().map(|bad| format!("{}: {}", bad.row, bad.reason)).collect();
        let expected = [
            "3: the identifier is missing",
            "4: `AC-2` has no requirement",
            "5: duplicate id `ac-1`, already used in row 2",
            "6: has 3 cells, but the header has 2",
        ];
        assert_eq!(bad, expected);
        assert_eq!(imported.items.len(), 1);
    }

    #[test]
    fn a_table_without_the_columns_is_refused() {
        let expected =
            "no identifier column: expected one named `criteria_id`; the columns are `a`, `b`";
        assert_eq!(error("a,b\n1,2\n"), expected);
        assert!(error("id,b\n1,2\n").starts_with("no requirement column"));
    }

    #[test]
    fn a_table_of_criteria_is_read_again_as_it_was() {
        let items =
            imported("id,title,text,guidance\nA,\"t\",\"x, \"\"y\"\"\nz\",g\nB,u,,\n").items;
        let table = super::super::to_table(&items);
        assert_eq!(
            from_table(&read(table.to_csv().as_bytes(), "a.csv").unwrap()).unwrap().items,
            items
        );
        assert_eq!(from_table(&read(&table.to_xlsx(), "a.xlsx").unwrap()).unwrap().items, items);
    }
}
