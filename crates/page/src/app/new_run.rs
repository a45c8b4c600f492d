//! A new run: which instrument, which files.

use maud::{Markup, html};

use super::documents::ACCEPT;
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
    /// The one that is chosen; empty for the rules.
    pub judge: String,
    /// Whether models beside them are allowed too.
    pub is_open: bool,
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
                @if !form.document_sets.is_empty() { div class="field" { label for="documents" { "Existing document set" } select id="documents" name="documents" {
                    option value="" { "None (upload files)" }
                    @for set in &form.document_sets { option value=(set) selected[*set == form.documents] { (plain(set)) } }
                } } }
                div class="field" { label for="files" { "Files" } input id="files" name="files" type="file" multiple accept=(ACCEPT); p class="hint" { "PDF, Word, text, Markdown or HTML. With an existing set they are added to it, and only they are judged." } }
                div class="field" { label for="documents_name" { "Name of the new document set" } input id="documents_name" name="documents_name" maxlength="100" placeholder="documents"; }
            }
        }
        (judge(form))
    }
}

/// Who can judge: the rules, and every model that is configured and allowed.
fn judge(form: &NewRun) -> Markup {
    let is_listed = form.judge == "rules" || form.judges.contains(&form.judge);
    let other = if is_listed { "" } else { form.judge.as_str() };
    html! {
        div class="field" { label for="judge" { "Judge" }
            select id="judge" name="judge" {
                option value="rules" { "rules (offline, free)" }
                @for judge in &form.judges { option value=(judge) selected[*judge == form.judge] { (plain(judge)) } }
            }
            p class="hint" { "The rules are a baseline that needs no model. What a model costs is shown before the run starts." }
        }
        @if form.is_open { details open[!other.is_empty()] { summary class="sub" { "Another model" } div class="field" { label for="other_judge" { "Model" } input id="other_judge" name="other_judge" maxlength="200" value=(other) placeholder="provider/model"; p class="hint" { "Any model of a configured provider is allowed here. Administrators see providers and prices under Models." } } } }
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
