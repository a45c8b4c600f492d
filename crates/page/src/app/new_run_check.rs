//! The second step of a new evaluation: which column holds what, what it would take, and start.

use assize_wire::estimate::Estimate;
use assize_wire::workplace::{CriteriaPreview, RunPreview};
use maud::{Markup, html};

use super::address::address;
use super::parts::{crumbs, grouped, head, plain, sentence};

/// A file that travels with the form: its name, and its bytes in base64. So nothing is kept before
/// the run begins, and nothing is lost when the page is sent again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Carried {
    /// The name of the file.
    pub name: String,
    /// Its bytes.
    pub base64: String,
}

/// What was chosen, and what would come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Check {
    /// The list of criteria, if one is to be imported.
    pub file: Option<Carried>,
    /// What it says.
    pub preview: Option<CriteriaPreview>,
    /// The criteria set: one that is there, or what the list is to be called.
    pub criteria: String,
    /// The document set.
    pub documents: String,
    /// Which of its documents; empty takes all.
    pub document_ids: Vec<String>,
    /// Who judges.
    pub judge: String,
    /// What it may cost, as it was typed.
    pub budget: String,
    /// The local models that read for the rules; empty where none is configured.
    pub readers: Vec<String>,
    /// What the readers of the documents want known.
    pub notices: Vec<String>,
    /// What would be judged; none while that cannot be known.
    pub run: Option<RunPreview>,
    /// What is in the way.
    pub problem: Option<String>,
}

/// The whole content.
pub fn content(check: &Check) -> Markup {
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), ("New run", "/runs/new".to_owned())], "Check"))
        (head("Check and start", &html! { "Nothing has been judged yet. The documents are saved in the set " b { bdi { (plain(&check.documents)) } } "; an imported list of criteria is saved when the run starts." }, &html! {}))
        div class="stack" {
            @if let Some(problem) = &check.problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            @if !check.notices.is_empty() { div class="notice warn" { ul { @for notice in &check.notices { li { (plain(notice)) } } } } }
            form class="stack" method="post" action="/runs/new" enctype="multipart/form-data" {
                input type="hidden" name="instrument" value="compliance";
                input type="hidden" name="documents" value=(check.documents);
                @for id in &check.document_ids { input type="hidden" name="document" value=(id); }
                input type="hidden" name="judge" value=(check.judge);
                @match (&check.file, &check.preview) {
                    (Some(file), Some(preview)) => (list(&check.criteria, file, preview)),
                    _ => { input type="hidden" name="criteria" value=(check.criteria); }
                }
                @if let Some(run) = &check.run { (costs(check, run)) }
                div class="row" {
                    @if check.run.is_some() && check.problem.is_none() { button class="button main" name="act" value="start" { "Start" } }
                    @if check.file.is_some() { button class="button" name="act" value="check" { "Update preview" } }
                    a class="button" href=(back(check)) { "Back" }
                }
            }
        }
    }
}

/// The form with what was chosen; a list that is to be imported has to be chosen again.
fn back(check: &Check) -> String {
    let criteria = if check.file.is_none() { check.criteria.as_str() } else { "" };
    let query = [("criteria", criteria), ("documents", &check.documents), ("judge", &check.judge)];
    address("/runs/new", &query)
}

/// The page of an import alone: a list becomes a criteria set of that name. If one is there, its
/// criteria are counted, and replaced only if a box is ticked.
pub fn import(
    file: &Carried,
    preview: &CriteriaPreview,
    (name, replaced): (&str, Option<usize>),
) -> Markup {
    const PATH: &str = "/admin/org/eval/criteria-sets";
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned())], "Import"))
        (head("Import criteria", &html! { "Check that each column is assigned correctly. Nothing has been saved yet." }, &html! {}))
        form class="stack" method="post" action=(PATH) enctype="multipart/form-data" {
            (list(name, file, preview))
            @if let Some(count) = replaced { (replace(name, count)) }
            div class="row" {
                @if preview.refused.is_none() { button class="button main" name="act" value="import" { "Import " (preview.usable) (if preview.usable == 1 { " criterion" } else { " criteria" }) } }
                button class="button" name="act" value="check" { "Update preview" }
                a class="button" href=(PATH) { "Start over" }
            }
        }
    }
}

/// The box that has to be ticked before a set is replaced.
fn replace(name: &str, count: usize) -> Markup {
    html! {
        div class="notice warn" role="alert" { div {
            p { "There is already a criteria set " b { bdi { (plain(name)) } } ". Importing the list replaces its " (count) (if count == 1 { " criterion" } else { " criteria" }) "; runs keep those that they used. To keep the set, change the name." }
            label class="inline" { input type="checkbox" name="replace" value=(name); " Replace the " (count) (if count == 1 { " criterion" } else { " criteria" }) " of this set" }
        } }
    }
}

fn list(name: &str, file: &Carried, preview: &CriteriaPreview) -> Markup {
    html! {
        section class="box" id="columns" {
            header { h2 { "Criteria from " bdi { (plain(&file.name)) } } span class="sub" { (preview.usable) " can be used" @if preview.unusable > 0 { ", " (preview.unusable) " cannot" } } }
            div class="in stack" {
                input type="hidden" name="list_name" value=(file.name);
                input type="hidden" name="list_data" value=(file.base64);
                @if let Some(refused) = &preview.refused { div class="notice bad" role="alert" { p { (sentence(refused)) } } }
                div class="row" {
                    div class="field" { label for="criteria_name" { "Name of the new criteria set" } input id="criteria_name" name="criteria_name" maxlength="100" required value=(name); }
                    @if preview.sheets.len() > 1 { div class="field" { label for="sheet" { "Sheet" } select id="sheet" name="sheet" {
                        @if !preview.sheets.contains(&preview.sheet) { option value="" { "Detect automatically" } }
                        @for sheet in &preview.sheets { option value=(sheet) selected[*sheet == preview.sheet] { (plain(sheet)) } }
                    } } }
                    @for (field, column) in &preview.fields { (choice_or_none(preview, field, column.as_deref())) }
                }
                @if !preview.rows.is_empty() { (rows(preview)) }
                @if !preview.criteria.is_empty() { (criteria(preview)) }
                @if !preview.problems.is_empty() { div class=(if preview.unusable > preview.usable { "notice bad" } else { "notice warn" }) { div { p { @if preview.unusable > preview.usable { b { "Most rows cannot be used: check which column holds the ID and which the requirement." } br; } "Rows that cannot be used:" } ul { @for problem in &preview.problems { li { (plain(problem)) } } } (skip(preview)) } } }
                @if !preview.notices.is_empty() { ul class="sub" { @for notice in &preview.notices { li { (plain(notice)) } } } }
            }
        }
    }
}

/// The box that has to be ticked before a list is taken without some of its rows.
fn skip(preview: &CriteriaPreview) -> Markup {
    html! {
        p { "The list is not imported as long as it has such rows, unless they are left out." }
        label class="inline" { input type="checkbox" name="skip_unusable" value="yes" checked[preview.skips_unusable]; " Leave out " (preview.unusable) (if preview.unusable == 1 { " row" } else { " rows" }) }
    }
}

/// What a form sends for a field that no column holds: no header is only white space.
pub const NO_COLUMN: &str = " ";

/// Which column holds a field, or that none does. What was not found is no column, unless the
/// whole list is in doubt.
fn choice_or_none(preview: &CriteriaPreview, field: &str, column: Option<&str>) -> Markup {
    let is_stated = preview.unused.iter().any(|unused| unused == field);
    let is_none = is_stated || column.is_none() && preview.refused.is_none();
    let first = html! {
        option value="" { "Detect automatically" }
        option value=(NO_COLUMN) selected[is_none] { "– no column –" }
    };
    select(&preview.columns, field, column, &first)
}

/// Which column holds a field.
pub(super) fn choice(columns: &[String], field: &str, column: Option<&str>) -> Markup {
    let first = html! { option value="" { @if column.is_none() { "None" } @else { "Detect automatically" } } };
    select(columns, field, column, &first)
}

fn select(columns: &[String], field: &str, column: Option<&str>, first: &Markup) -> Markup {
    let name = format!("column.{field}");
    let words = match field {
        "id" => "ID column",
        "title" => "Title column",
        "requirement" => "Requirement column",
        "description" => "Description column",
        "order" => "Order column",
        "category" => "Category column",
        "weight" => "Weight column",
        "article" => "Article column",
        "summary" => "Summary column",
        other => other,
    };
    html! {
        div class="field" { label for=(name) { (words) } select id=(name) name=(name) {
            (first)
            @for known in columns { @if !known.is_empty() { option value=(known) selected[column == Some(known.as_str())] { (plain(known)) } } }
        } }
    }
}

/// The first rows as they stand in the file, with what each column is taken for.
fn rows(preview: &CriteriaPreview) -> Markup {
    let role = |column: &str| {
        let mut fields =
            preview.fields.iter().filter(|(_, named)| named.as_deref() == Some(column));
        fields.next().map(|(field, _)| field.as_str())
    };
    html! {
        div class="scroll" tabindex="0" { table class="list" {
            caption class="hidden-text" { "The first rows of the file" }
            thead { tr { @for column in &preview.columns { th scope="col" { (plain(column)) @match role(column) { Some(field) => { " " span class="badge live" { (field) } } None => { " " span class="sub" { "not used" } } } } } } }
            tbody { @for row in &preview.rows { tr { @for cell in row { td dir="auto" { (plain(&short(cell))) } } } } }
        } }
    }
}

/// Long cells are for recognising, not for reading.
pub(super) fn short(cell: &str) -> String {
    const LETTERS: usize = 160;
    match cell.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}

fn criteria(preview: &CriteriaPreview) -> Markup {
    html! {
        div {
            h3 { "As the judge will read them" }
            @for criterion in &preview.criteria {
                p class="quoted" dir="auto" { b { (plain(&criterion.id)) } " " span class="pre" { (plain(&short(&criterion.requirement))) } @if !criterion.description.is_empty() { br; span class="sub" { (plain(&short(&criterion.description))) } } }
            }
        }
    }
}

fn costs(check: &Check, run: &RunPreview) -> Markup {
    html! {
        section class="box" id="estimate" {
            header { h2 { "Estimate" } span class="sub" { (plain(&check.judge)) } }
            div class="in stack" {
                p { (run.documents.len()) (if run.documents.len() == 1 { " document × " } else { " documents × " }) (run.criteria) (if run.criteria == 1 { " criterion = " } else { " criteria = " }) b { (grouped(run.pairs() as u64)) (if run.pairs() == 1 { " judgement" } else { " judgements" }) } }
                details { summary { "Documents" } ul { @for name in &run.documents { li { bdi { (plain(name)) } } } } }
                @match &run.estimate {
                    None => p { "The rule judge calls no model, so it costs nothing and nothing leaves this machine. " (reading(&check.readers)) },
                    Some(estimate) => (model(check, run, estimate)),
                }
            }
        }
    }
}

/// Who reads for the rules.
fn reading(readers: &[String]) -> Markup {
    html! {
        @if readers.is_empty() { "No reader is configured, so it decides only what is clear and leaves the rest undecided: install a reader with " code { "assize readers install" } "." }
        @else { "It reads with " b { bdi { (plain(&readers.join(" and "))) } } "." }
    }
}

fn model(check: &Check, run: &RunPreview, estimate: &Estimate) -> Markup {
    html! {
        (estimated(estimate))
        @if run.is_from_sample { p class="sub" { "Extrapolated from a sample of the pairs." } }
        (budget(&check.budget))
    }
}

/// What asking models would take.
pub(super) fn estimated(estimate: &Estimate) -> Markup {
    html! {
        dl class="stats" {
            div class="stat" { dt { "Requests" } dd { (grouped(estimate.calls)) @if estimate.kept > 0 { " " small { (grouped(estimate.kept)) " cached" } } } }
            div class="stat" { dt { "Tokens sent" } dd { "≈ " (grouped(estimate.request_tokens)) } }
            div class="stat" { dt { "Reply tokens" } dd { "≤ " (grouped(estimate.reply_tokens_max)) } }
            div class="stat" { dt { "Maximum cost" } dd { @if estimate.unpriced > 0 { "unknown" } @else { "$" (dollars(estimate.price_nanodollars)) } } }
        }
    }
}

/// What a run may cost.
pub(super) fn budget(typed: &str) -> Markup {
    html! {
        div class="field" { label for="budget" { "Budget in US dollars (optional)" } input class="num" id="budget" name="budget" type="number" min="0" step="any" value=(typed); p class="hint" { "If empty, only the server’s limits apply. A run that reaches its budget stops, keeps its results and can be resumed." } }
    }
}

/// Billionths of a dollar with as many places as are needed to be no zero.
pub(super) fn dollars(nanodollars: u64) -> String {
    let value = nanodollars as f64 / 1e9;
    if value < 1.0 { format!("{value:.4}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_never_rounded_to_nothing() {
        assert_eq!(
            (dollars(0), dollars(1_234_567), dollars(12_345_678_900)),
            ("0.0000".into(), "0.0012".into(), "12.35".into())
        );
    }
}
