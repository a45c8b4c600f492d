//! A new run: which instrument, which files.

use maud::{Markup, html};

use super::new_council::{self, NewCouncil};
use super::parts::{chip, crumbs, head, plain, sentence};

/// What is chosen so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRun {
    /// `compliance`, `summary`, `retrieval` or `council`.
    pub instrument: String,
    /// The criteria set that is chosen; may be empty.
    pub criteria: String,
    /// The document set that is chosen; may be empty.
    pub documents: String,
    /// The criteria sets that there are.
    pub criteria_sets: Vec<String>,
    /// The document sets that there are.
    pub document_sets: Vec<String>,
    /// Models that can judge, beside the rules.
    pub judges: Vec<String>,
    /// What there is to choose from for a council.
    pub council: NewCouncil,
    /// Why it could not be started.
    pub problem: Option<String>,
}

/// The whole content.
pub fn content(form: &NewRun) -> Markup {
    let kinds = [
        ("compliance", "Compliance"),
        ("summary", "Summaries"),
        ("retrieval", "Retrieval"),
        ("council", "Councils"),
    ];
    let sub = match form.instrument.as_str() {
        "council" => "The models that you choose are sent the question and the answers.",
        _ => "Files stay on this machine. The rule judge needs no model and costs nothing.",
    };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned())], "New run"))
        (head("New run", &html! { (sub) }, &html! {}))
        div class="stack" {
            div class="chips" { @for (word, words) in kinds { (chip(words, &format!("/runs/new?instrument={word}"), form.instrument == word)) } }
            @if let Some(problem) = &form.problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            form class="box" method="post" action="/runs/new" enctype="multipart/form-data" {
                input type="hidden" name="instrument" value=(form.instrument);
                div class="in stack" {
                    @match form.instrument.as_str() { "summary" => (summary()), "retrieval" => (retrieval()), "council" => (new_council::fields(&form.council)), _ => (compliance(form)) }
                    div { button class="button main" { @if form.instrument == "retrieval" { "Start" } @else { "Continue" } } }
                }
            }
        }
    }
}

fn compliance(form: &NewRun) -> Markup {
    html! {
        div class="grid-2" {
            fieldset class="stack" {
                legend { "Criteria" }
                @if !form.criteria_sets.is_empty() { div class="field" { label for="criteria" { "Existing criteria set" } select id="criteria" name="criteria" {
                    option value="" { "None (import a list)" }
                    @for set in &form.criteria_sets { option value=(set) selected[*set == form.criteria || (form.criteria.is_empty() && form.problem.is_none() && form.criteria_sets.len() == 1)] { (plain(set)) } }
                } } }
                div class="field" { label for="criteria_file" { "Or import a list" } input id="criteria_file" name="criteria_file" type="file" accept=".csv,.xlsx,.json"; p class="hint" { "CSV or Excel with an ID and a requirement per row, or an OSCAL catalog." } }
                div class="field" { label for="criteria_name" { "Name of the new criteria set" } input id="criteria_name" name="criteria_name" maxlength="100" placeholder="Defaults to the file name"; }
            }
            fieldset class="stack" {
                legend { "Documents" }
                div class="field" { label for="files" { "Files" } input id="files" name="files" type="file" multiple accept=".pdf,.docx,.txt,.md,.html,.htm"; p class="hint" { "PDF, Word, text, Markdown or HTML." } }
                div class="field" { label for="documents" { "Name of the document set" } input id="documents" name="documents" list="sets" maxlength="100" placeholder="policies" value=(form.documents); datalist id="sets" { @for set in &form.document_sets { option value=(set) {} } } p class="hint" { "To evaluate all documents of an existing set, enter its name and upload no files." } }
            }
        }
        div class="field" { label for="judge" { "Judge" } input id="judge" name="judge" list="judges" maxlength="200" value="rules"; datalist id="judges" { option value="rules" {} @for judge in &form.judges { option value=(judge) {} } } p class="hint" { "“rules” works offline, costs nothing and serves as a baseline. To use a model, enter provider/model; you will see the cost before the run starts." } }
    }
}

fn summary() -> Markup {
    html! {
        div class="field" { label for="files" { "Article and summary pairs" } input id="files" name="files" type="file" accept=".jsonl,.json,.csv,.tsv,.xlsx,.parquet" required; p class="hint" { "JSON Lines, JSON, CSV, Excel or Parquet with an article and a summary per record. You choose the columns in the next step." } }
        (name())
    }
}

fn retrieval() -> Markup {
    html! {
        div class="grid-2" {
            div class="field" { label for="predictions" { "Predictions" } input id="predictions" name="predictions" type="file" required; p class="hint" { "A TREC run, JSON or JSON Lines." } }
            div class="field" { label for="gold" { "Gold standard" } input id="gold" name="gold" type="file" required; p class="hint" { "Relevance judgements or gold passages." } }
        }
        (name())
    }
}

fn name() -> Markup {
    html! { div class="field" { label for="name" { "Name (optional)" } input id="name" name="name" maxlength="100"; } }
}
