//! Truth keys: choose sets, read the keys, enter one, import a table.

use std::collections::BTreeMap;

use assize_methods::compliance::accuracy::AccuracyReport;
use assize_wire::number::counted;
use assize_wire::runs::RunEntry;
use assize_wire::workplace::{KeysLeftOut, TruthGrid, TruthRow};
use maud::{Markup, html};

use super::address::address;
use super::dispute;
use super::parts::{chip, crumbs, empty, head, plain, score, select};
use super::result::heading;
use super::runs::{run_label, run_title};
use crate::accuracy;
use crate::bars::badge;

/// The whole content of the keys.
pub fn content(found: &TruthGrid, problems: &[String], can_write: bool) -> Markup {
    let chosen = found.chosen.as_ref();
    html! {
        (head("Truth keys", &html! { "The scores that analysts expect. Judges are measured against them, and the agreement between analysts is the upper limit." }, &html! {}))
        div class="stack" {
            @if !problems.is_empty() { div class="notice warn" role="alert" { ul { @for problem in problems { li { (plain(problem)) } } } } }
            form class="box" method="get" action="/truth-keys" { div class="in row" {
                (select("criteria", "Criteria set", &found.criteria_sets, chosen.map(|(criteria, _)| criteria)))
                (select("documents", "Document set", &found.document_sets, chosen.map(|(_, documents)| documents)))
                button class="button" { "Show" }
                @if let Some((criteria, documents)) = chosen { a class="button" href=(address("/truth-keys/template", &[("criteria", criteria), ("documents", documents)])) { "Template (CSV)" } }
            } }
            @if let Some((criteria, documents)) = chosen { (dispute::list(&found.analysts, (criteria, documents))) }
            section class="box" id="keys" {
                header { h2 { (found.rows.len()) @if found.rows.len() == 1 { " key" } @else { " keys" } } (people(found)) }
                @if found.rows.is_empty() { (empty("No truth keys yet", "Add one below, import a completed template, or save a decided result as a truth key.", &html! {})) }
                @else { div class="scroll tall-page" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Document" } th scope="col" { "Criterion" } th class="n" scope="col" { "Expected" } th scope="col" { "Tier" } th scope="col" { "Analyst" } th scope="col" { "Note" } @if can_write { th scope="col" { "Remove" } } } }
                    tbody { @for row in &found.rows { tr {
                        td dir="auto" { (plain(&row.document)) } th scope="row" { (plain(&row.criteria_id)) } td class="n" data-name="Expected" { (score(row.expected)) } td data-name="Tier" { (badge(&plain(&row.status.label), &row.status.colour)) }
                        td class="sub" data-name="Analyst" { (plain(row.analyst.as_deref().unwrap_or("–"))) @if row.is_adjudicated { " " span class="badge good" { "settled" } } } td class="sub" data-name="Note" { (plain(row.note.as_deref().unwrap_or(""))) @if !row.sections.is_empty() { details { summary { (counted(row.sections.len(), "section", "sections")) } @for (id, text) in &row.sections { h4 class="field-name" { (heading(id)) } p class="section-text" dir="auto" { (plain(text)) } } } } }
                        @if let (true, Some(sets)) = (can_write, chosen) { td { (remove(row, sets)) } }
                    } } }
                } } }
            }
            @if let (true, Some((criteria, documents))) = (can_write, chosen) { (entry(found, criteria, documents)) }
        }
    }
}

/// The button that takes a key away. What settles a pair is taken back where it was settled.
fn remove(row: &TruthRow, (criteria, documents): &(String, String)) -> Markup {
    let label = format!("Remove the key for {} and {}", plain(&row.document), row.criteria_id);
    html! {
        @if !row.is_adjudicated { form method="post" action="/truth-keys/delete" {
            input type="hidden" name="criteria" value=(criteria); input type="hidden" name="documents" value=(documents);
            button class="link" name="key" value=(row.id) aria-label=(label) { "Remove" }
        } }
    }
}

/// Whose keys are shown, as links.
fn people(found: &TruthGrid) -> Markup {
    let Some((criteria, documents)) = &found.chosen else { return html! {} };
    let of = |who: &str| {
        address(
            "/truth-keys",
            &[("criteria", criteria), ("documents", documents), ("analyst", who)],
        )
    };
    html! {
        @if found.people.len() > 1 { div class="chips" role="group" aria-label="Analyst" {
            (chip("All", &of(""), found.analyst.is_none()))
            @for who in &found.people { (chip(&plain(who), &of(who), found.analyst.as_ref() == Some(who))) }
        } }
    }
}

fn entry(found: &TruthGrid, criteria: &str, documents: &str) -> Markup {
    let hidden = html! { input type="hidden" name="criteria" value=(criteria); input type="hidden" name="documents" value=(documents); };
    html! {
        div class="grid-2" {
            section class="box" { header { h2 { "Add a truth key" } } form class="in row" method="post" action="/truth-keys" {
                (hidden)
                (select("document", "Document", &found.documents, None)) (select("criterion", "Criterion", &found.criteria, None))
                div class="field" { label for="expected" { "Score" } input class="num" id="expected" name="score" type="number" min="0" max="100" step="any" required; }
                @if !found.sections.is_empty() { details { summary { "Sections" } div class="stack tight" { (section_fields(found.sections.iter().map(|(id, kind)| (id.as_str(), kind.as_str(), "")))) } } }
                button class="button main" { "Save" }
            } }
            section class="box" { header { h2 { "Import" } } form class="in row" method="post" action="/truth-keys/import" enctype="multipart/form-data" {
                (hidden)
                div class="field" { label for="file" { "CSV or XLSX" } input id="file" name="file" type="file" accept=".csv,.xlsx,.json" required; }
                label class="inline" { input type="checkbox" name="skip_unusable" value="yes"; " Leave out rows that cannot be used" }
                button class="button" { "Import" }
            } }
        }
    }
}

/// A field for each section: identifier, what is typed into it, what it holds now.
pub(crate) fn section_fields<'a>(
    sections: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Markup {
    html! {
        @for (id, kind, text) in sections {
            div class="field" {
                label for={ "section-" (id) } { (heading(id)) @match kind { "list" => " (one entry a line)", "number" => " (a number)", _ => "" } }
                textarea id={ "section-" (id) } name={ "section." (id) } rows="2" { (text) }
            }
        }
    }
}

/// The numbers of results, by criterion and document.
pub type Places = BTreeMap<(String, String), i64>;

/// Keys that are in no figure, and why: nobody should look for them.
fn left_out(rest: KeysLeftOut) -> Markup {
    let KeysLeftOut { other_versions, elsewhere } = rest;
    html! {
        @if other_versions > 0 { div class="notice warn" { p {
            (counted(other_versions, "truth key is", "truth keys are")) " not included: entered for a different version of a document than this run judged. Enter keys that still apply again for the new version, or open a run on the old version."
        } } }
        @if elsewhere > 0 { div class="notice" { p {
            (counted(elsewhere, "truth key is", "truth keys are")) " not included: for documents or criteria that are not part of this run."
        } } }
    }
}

/// The accuracy of a run, or which runs there are.
pub fn accuracy(
    runs: &[RunEntry],
    found: Option<(&RunEntry, Option<&AccuracyReport>)>,
    places: &Places,
    rest: KeysLeftOut,
) -> Markup {
    html! {
        @match found { Some((run, _)) => (crumbs(&[("Accuracy", "/accuracy".to_owned())], &run_title(run))), None => {} }
        (head("Accuracy", &html! { "How close a judge comes to the analysts’ scores. Only the judge’s own scores are used, not later decisions by people." }, &html! {}))
        div class="stack" {
            form class="box" method="get" action="/accuracy" { div class="in row" {
                div class="field" { label for="run" { "Run" } select id="run" name="run" { @for run in runs { option value=(run.number) selected[found.is_some_and(|(chosen, _)| chosen.number == run.number)] { (run_label(run)) } } } }
                button class="button" { "Show" }
            } }
            (left_out(rest))
            @match found {
                Some((run, Some(report))) => {
                    @let result = |criterion: &str, document: &str| places.get(&(criterion.to_owned(), document.to_owned())).map(|number| format!("/eval/{}/results/{number}", run.number));
                    section class="box" { div class="in" { (accuracy::content(report, &result)) } }
                }
                Some((_, None)) => section class="box" { (empty("No truth keys for this run", "Add keys for its documents and criteria, or save a decided result as a truth key.", &html! { a class="button" href="/truth-keys" { "Truth keys" } })) },
                None => section class="box" { (empty("No evaluations yet", "To measure accuracy, you need a compliance run and truth keys.", &html! {})) },
            }
        }
    }
}
