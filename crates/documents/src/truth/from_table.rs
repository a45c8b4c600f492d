//! Truth keys from a table; columns that mean nothing else are sections.

use std::collections::BTreeMap;

use super::TruthKey;
use super::score::{Expected, parse_score};
use crate::criteria::{CriteriaError, names};
use crate::import::{Imported, Seen};
use crate::table::{Finder, Mapping, Row, Table, plain_name};

/// What the columns may be called; without case, spaces and signs.
pub(super) const DOCUMENT_NAMES: [&str; 8] =
    ["document", "documentname", "documentid", "doc", "filename", "file", "source", "name"];
pub(super) const SCORE_NAMES: [&str; 8] =
    ["expectedscore", "expected", "truthscore", "humanscore", "score", "truth", "rating", "value"];
pub(super) const ANALYST_NAMES: [&str; 7] =
    ["analyst", "reviewer", "expert", "assessor", "author", "ratedby", "who"];
/// Columns that are there for those who fill the table in.
const FOR_READERS: [&str; 5] = ["requirement", "description", "title", "order", "scorerange"];

/// What a user may name a column for.
pub const FIELDS: [&str; 4] = ["document", "criteria_id", "score", "analyst"];

/// The names of columns that are looked for.
pub fn known_names() -> Vec<&'static str> {
    [&DOCUMENT_NAMES[..], names("id"), &SCORE_NAMES, &ANALYST_NAMES].concat()
}

struct Columns {
    document: usize,
    criteria_id: usize,
    score: usize,
    analyst: Option<usize>,
    /// The key of each section and its column.
    sections: Vec<(String, usize)>,
}

/// Takes truth keys from a table; every row that is none is reported with its number.
pub fn from_table(table: &Table) -> Result<Imported<TruthKey>, CriteriaError> {
    from_table_by(table, &Mapping::default())
}

/// The same where the user says which column holds what.
pub fn from_table_by(
    table: &Table,
    mapping: &Mapping,
) -> Result<Imported<TruthKey>, CriteriaError> {
    let columns = Columns::of(table, mapping)?;
    let mut keys = Keys::new(Imported::new(table.bad_rows.clone(), table.notices.clone()));
    for row in &table.rows {
        keys.add(row.number, columns.key(row));
    }
    Ok(keys.finish())
}

impl Columns {
    fn of(table: &Table, mapping: &Mapping) -> Result<Self, CriteriaError> {
        if let Some(field) = mapping.unknown(&FIELDS) {
            let known = FIELDS.map(ToOwned::to_owned).to_vec();
            return Err(CriteriaError::NoField { field: field.to_owned(), known });
        }
        let finder = Finder::new(table, mapping);
        let known = || table.headers.clone();
        let find = |field: &str, names: &[&str]| {
            let refused = |column| CriteriaError::NoSuchColumn {
                field: field.to_owned(),
                column,
                known: known(),
                near: finder.near(names),
            };
            let stated = finder.stated(field).transpose().map_err(refused)?;
            Ok::<_, CriteriaError>(stated.or_else(|| finder.free(names).first().copied()))
        };
        let needed = |field, names: &[&str], wanted, name| {
            let near = || finder.near(names);
            let missing = || CriteriaError::NoColumn { wanted, name, known: known(), near: near() };
            find(field, names)?.ok_or_else(missing)
        };
        let document = needed("document", &DOCUMENT_NAMES, "document", "document")?;
        let criteria_id = needed("criteria_id", names("id"), "criterion", "criteria_id")?;
        let score = needed("score", &SCORE_NAMES, "score", "expected_score")?;
        let analyst = find("analyst", &ANALYST_NAMES)?;
        let used = [Some(document), Some(criteria_id), Some(score), analyst];
        let sections = table.headers.iter().enumerate().filter(|(index, name)| {
            let plain = plain_name(name);
            !used.contains(&Some(*index)) && !plain.is_empty() && !FOR_READERS.contains(&&*plain)
        });
        let sections = sections.map(|(index, name)| (section_key(name), index)).collect();
        Ok(Self { document, criteria_id, score, analyst, sections })
    }

    fn key(&self, row: &Row) -> Result<TruthKey, String> {
        let cell = |column: usize| row.cells[column].clone();
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        let sections = self
            .sections
            .iter()
            .filter_map(|(key, column)| Some((key.clone(), filled(cell(*column))?)));
        Ok(TruthKey {
            document: filled(cell(self.document)).ok_or("the document is missing")?,
            criteria_id: filled(cell(self.criteria_id)).ok_or("the criterion is missing")?,
            expected: parse_score(&cell(self.score))?,
            sections: sections.collect(),
            analyst: self.analyst.map(cell).and_then(filled),
        })
    }
}

/// The key of a section: `Non-compliance findings` is `non_compliance_findings`.
fn section_key(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// Truth keys as they come in: one for each document, criterion and analyst.
pub(super) struct Keys {
    imported: Imported<TruthKey>,
    seen: Seen,
}

impl Keys {
    pub(super) fn new(imported: Imported<TruthKey>) -> Self {
        Self { imported, seen: Seen::default() }
    }

    pub(super) fn add(&mut self, row: usize, key: Result<TruthKey, String>) {
        let key = key.and_then(|key| {
            if key.expected == Expected::NotJudged {
                return Ok(key);
            }
            // No name has this between its parts.
            let TruthKey { document, criteria_id, analyst, .. } = &key;
            let analyst = analyst.as_deref().unwrap_or_default();
            let name = format!("{document}\u{1f}{criteria_id}\u{1f}{analyst}");
            self.seen.note(&name, row).map_err(|before| {
                let by = if analyst.is_empty() { String::new() } else { format!(" by {analyst}") };
                format!(
                    "duplicate key for `{criteria_id}` of `{document}`{by}, already in row {before}"
                )
            })?;
            Ok(key)
        });
        self.imported.add(row, key);
    }

    pub(super) fn finish(mut self) -> Imported<TruthKey> {
        if is_of_one(&self.imported.items) {
            let notice = "every score is between 0 and 1; expected scores from 0 to 100";
            self.imported.notices.push(notice.to_owned());
        }
        self.imported.sorted()
    }
}

/// Whether these scores look as if 1 were the best.
fn is_of_one(keys: &[TruthKey]) -> bool {
    let scores: BTreeMap<usize, f64> = keys
        .iter()
        .enumerate()
        .filter_map(|(index, key)| match key.expected {
            Expected::Score(score) => Some((index, score)),
            _ => None,
        })
        .collect();
    scores.values().all(|score| *score <= 1.0) && scores.values().any(|score| score.fract() > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criteria::Criterion;
    use crate::table::read;
    use crate::truth::template;

    fn imported(text: &str) -> Imported<TruthKey> {
        from_table(&read(text.as_bytes(), "keys.csv").unwrap()).unwrap()
    }

    #[test]
    fn keys_have_scores_sections_and_analysts() {
        let imported = imported(
            "Document,Control,Expected score,Non-compliance findings,Analyst,Requirement\n\
             a.pdf,AC-1,73%,none,Ada,x\na.pdf,AC-2,N/A,,,y\n",
        );
        let findings = BTreeMap::from([("non_compliance_findings".to_owned(), "none".to_owned())]);
        let expected = TruthKey {
            document: "a.pdf".to_owned(),
            criteria_id: "AC-1".to_owned(),
            expected: Expected::Score(73.0),
            sections: findings,
            analyst: Some("Ada".to_owned()),
        };
        assert_eq!(imported.items[0], expected);
        assert_eq!(imported.items[1].expected, Expected::NotApplicable);
        assert!(imported.items[1].sections.is_empty());
        assert_eq!(imported.items[1].analyst, None);
    }

    #[test]
    fn every_bad_row_is_reported_with_its_number() {
        let imported = imported(
            "document,criteria_id,score\na,AC-1,50\n,AC-1,50\na,,50\na,AC-2,\na,AC-3,1e9\nA,ac-1,60\n",
        );
        let bad: Vec<String> =
            imported.bad_rows.iter().map(|bad| format!("{}: {}", bad.row, bad.reason)).collect();
        let expected = [
            "3: the document is missing",
            "4: the criterion is missing",
            "6: the score `1e9` is not between 0 and 100",
            "7: duplicate key for `ac-1` of `A`, already in row 2",
        ];
        assert_eq!(bad, expected);
        let scores: Vec<Expected> = imported.items.iter().map(|key| key.expected).collect();
        assert_eq!(scores, [Expected::Score(50.0), Expected::NotJudged]);
    }

    #[test]
    fn scores_that_look_like_shares_of_one_are_pointed_out() {
        assert_eq!(imported("doc,id,score\na,1,0.5\na,2,1\n").notices.len(), 1);
        assert!(imported("doc,id,score\na,1,0\na,2,1\n").notices.is_empty());
    }

    #[test]
    fn the_template_asks_for_every_document_and_criterion() {
        let item = |id: &str| Criterion {
            criteria_id: id.to_owned(),
            requirement: "Do it".to_owned(),
            order: 1,
            ..Criterion::default()
        };
        let documents = ["a.pdf".to_owned(), "b.md".to_owned()];
        let table = template(&documents, &[item("AC-1"), item("AC-2")], &["findings".to_owned()]);
        let headers =
            ["document", "criteria_id", "requirement", "expected_score", "findings", "analyst"];
        assert_eq!(table.headers, headers);
        assert_eq!(table.rows.len(), 4);
        let mut filled = read(&table.to_xlsx(), "t.xlsx").unwrap();
        let empty = from_table(&filled).unwrap();
        assert!(empty.items.iter().all(|key| key.expected == Expected::NotJudged));
        assert_eq!((empty.items.len(), empty.bad_rows.len()), (4, 0), "nothing is filled in yet");
        for row in &mut filled.rows {
            row.cells[3] = "80".to_owned();
        }
        let keys = from_table(&filled).unwrap();
        assert_eq!((keys.items.len(), keys.bad_rows.len()), (4, 0));
        assert_eq!(keys.items[3].document, "b.md");
    }
}
