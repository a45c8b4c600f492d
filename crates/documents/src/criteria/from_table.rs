//! Criteria from a table: whatever its columns are called.

use super::{CriteriaError, Criterion};
use crate::import::{Imported, Seen};
use crate::table::{Row, Table, plain_name};

/// What the column with the identifier may be called, the surest name first; without
/// case, spaces and signs.
pub(crate) const ID_NAMES: [&str; 21] = [
    "criteriaid",
    "criterionid",
    "criteriumid",
    "controlid",
    "controlidentifier",
    "controlnumber",
    "requirementid",
    "identifier",
    "id",
    "control",
    "ref",
    "reference",
    "number",
    "no",
    "nr",
    "clause",
    "section",
    "key",
    "code",
    "criterion",
    "criteria",
];

/// What the column with the text of the requirement may be called.
const TEXT_NAMES: [&str; 14] = [
    "requirement",
    "requirements",
    "requirementtext",
    "controltext",
    "controlstatement",
    "statement",
    "criteriontext",
    "criteriatext",
    "text",
    "question",
    "criterion",
    "criteria",
    "control",
    "shall",
];

/// What the column with its title may be called.
const TITLE_NAMES: [&str; 8] = [
    "title",
    "name",
    "controlname",
    "controltitle",
    "controlorcontrolenhancementname",
    "requirementtitle",
    "heading",
    "summary",
];

/// What the column with explanations may be called.
const DESCRIPTION_NAMES: [&str; 13] = [
    "description",
    "guidance",
    "discussion",
    "supplementalguidance",
    "implementationguidance",
    "details",
    "detail",
    "explanation",
    "rationale",
    "notes",
    "note",
    "comment",
    "comments",
];

/// What the column with the order may be called.
const ORDER_NAMES: [&str; 8] =
    ["order", "sortorder", "sort", "position", "sequence", "orderindex", "index", "rank"];

/// Where things are in a table.
struct Columns {
    id: usize,
    title: Option<usize>,
    text: Option<usize>,
    description: Option<usize>,
    order: Option<usize>,
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
    let columns = Columns::of(table)?;
    let mut imported = Imported::new(table.bad_rows.clone(), table.notices.clone());
    let mut seen = Seen::default();
    for (index, row) in table.rows.iter().enumerate() {
        let item = columns.criterion(row, index).and_then(|item| {
            seen.note(&item.criteria_id, row.number).map_err(|before| {
                format!("`{}` was given in row {before} already", item.criteria_id)
            })?;
            Ok(item)
        });
        imported.add(row.number, item);
    }
    imported.items.sort_by_key(|item| item.order);
    imported.notices.extend(columns.unused(table));
    Ok(imported.sorted())
}

impl Columns {
    fn of(table: &Table) -> Result<Self, CriteriaError> {
        let missing =
            |wanted, name| CriteriaError::NoColumn { wanted, name, known: table.headers.clone() };
        let mut taken = Vec::new();
        let mut find = |names: &[&str]| {
            let free = |column: &usize| !taken.contains(column);
            let found = names.iter().find_map(|name| table.column(&[name]).filter(free));
            taken.extend(found);
            found
        };
        let id = find(&ID_NAMES).ok_or_else(|| missing("identifier", "criteria_id"))?;
        let title = find(&TITLE_NAMES);
        let text = find(&TEXT_NAMES);
        let description = find(&DESCRIPTION_NAMES);
        let order = find(&ORDER_NAMES);
        // A table of names and descriptions has the requirement in the description.
        let (text, description) = match (title, text) {
            (None, None) => (description, None),
            _ => (text, description),
        };
        if title.is_none() && text.is_none() {
            return Err(missing("requirement", "requirement"));
        }
        Ok(Self { id, title, text, description, order })
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
            written => whole(written).ok_or_else(|| format!("order `{written}` is no number"))?,
        };
        Ok(Criterion {
            criteria_id,
            requirement,
            description: cell(self.description).to_owned(),
            order,
        })
    }

    fn unused(&self, table: &Table) -> Option<String> {
        let used = [Some(self.id), self.title, self.text, self.description, self.order];
        let columns = table.headers.iter().enumerate();
        let unused = columns
            .filter(|(index, name)| !used.contains(&Some(*index)) && !plain_name(name).is_empty());
        let unused: Vec<String> = unused.map(|(_, name)| name.clone()).collect();
        (!unused.is_empty())
            .then(|| format!("columns that are not used: {}", super::listed(&unused)))
    }
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

    fn imported(text: &str) -> Imported<Criterion> {
        from_table(&read(text.as_bytes(), "criteria.csv").unwrap()).unwrap()
    }

    fn error(text: &str) -> String {
        from_table(&read(text.as_bytes(), "criteria.csv").unwrap()).unwrap_err().to_string()
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
        };
        assert_eq!(imported.items, [expected]);
        assert_eq!(imported.notices, ["columns that are not used: `Related Controls`"]);
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
        assert_eq!(imported.bad_rows[0].reason, "order `first` is no number");
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
            "5: `ac-1` was given in row 2 already",
            "6: has 3 cells, and the header has 2",
        ];
        assert_eq!(bad, expected);
        assert_eq!(imported.items.len(), 1);
    }

    #[test]
    fn a_table_without_the_columns_is_refused() {
        let expected =
            "no column with the identifier: name one `criteria_id`; the columns are `a`, `b`";
        assert_eq!(error("a,b\n1,2\n"), expected);
        assert!(error("id,b\n1,2\n").starts_with("no column with the requirement"));
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
