//! The compliance part of `assize demo`: an invented policy evaluated against invented criteria.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::compliance::documents::text;
use assize_engine::compliance::intake::read_criteria;
use assize_methods::compliance::rules::{Reading, RuleJudge};
use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};

use crate::output::table::{Heading, columns, table};
use crate::output::terminal::{one_line, quiet, strong};

const POLICY: &str = include_str!("../../../../../examples/compliance/access-policy.md");
const CRITERIA: &str = include_str!("../../../../../examples/compliance/criteria.csv");

/// The criterion whose ledger is shown.
const EXPLAINED: &str = "LIB-6";

/// How many criteria the short form shows: those with the lowest scores.
const SHORT_ROWS: usize = 5;

/// The weakest criteria with their labels and quotes.
pub(crate) fn short_section() -> Result<String> {
    let (mut scored, _) = rows()?;
    let whole = scored.len();
    scored.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let rows = scored.into_iter().take(SHORT_ROWS).map(|(_, row)| row).collect();
    let title = format!(
        "Compliance: does a policy meet its criteria? The weakest {SHORT_ROWS} of {whole}, by rules"
    );
    Ok(format!("{}\n{}", strong(&title), table(&headings(), rows)))
}

fn headings() -> Vec<Heading> {
    columns("criterion | #score | label | quote")
}

/// A criterion's score, and its line of the table.
type Row = (f64, Vec<String>);

/// Each criterion's score and row, and how one of them was computed.
fn rows() -> Result<(Vec<Row>, String)> {
    let document = text("access-policy.md", POLICY.as_bytes())?;
    let read = read_criteria(CRITERIA.as_bytes(), "criteria.csv")?;
    let criteria: Vec<Criterion> = read.items.into_iter().map(|one| one.criterion).collect();
    let judge = RuleJudge::new(&criteria);
    let reading = Reading::new(&document);
    let (rubric, structure) = (Rubric::default(), ResponseStructure::default());
    let (mut rows, mut ledger) = (Vec::new(), String::new());
    for (place, criterion) in criteria.iter().enumerate() {
        let found = judge.judge(place, &reading, None, &structure);
        let judged = found.judged(&rubric);
        let quote = found.citations.first().map(|citation| one_line(&citation.quote, 34));
        let score = judged.score().unwrap_or(f64::INFINITY);
        let row = vec![
            criterion.id.clone(),
            judged.score().map_or("–".to_owned(), |score| format!("{score:.1}")),
            judged.status.map(|status| status.label).unwrap_or_default(),
            quote.unwrap_or_default(),
        ];
        rows.push((score, row));
        if criterion.id == EXPLAINED {
            ledger = format!("{}\n{}", one_line(&criterion.requirement, 200), found.coverage);
        }
    }
    Ok((rows, ledger))
}

/// Scores with their labels and quotes, and how one of them was computed.
pub(crate) fn demo_section() -> Result<String> {
    let (scored, ledger) = rows()?;
    let mut text = format!(
        "{}\n\n",
        strong("Compliance: an invented access policy against ten criteria, scored by rules")
    );
    let rows = scored.into_iter().map(|(_, row)| row).collect();
    text.push_str(&table(&headings(), rows));
    let _ = write!(text, "\nHow the score of {EXPLAINED} was computed: {ledger}");
    let again = "
To reproduce this from the project's folder, stored in a database, or to use your own files:
  assize evaluate examples/compliance/access-policy.md --criteria examples/compliance/criteria.csv";
    let _ = writeln!(text, "{}", quiet(again));
    Ok(text)
}
