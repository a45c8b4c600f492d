//! Models that can be asked: where they are, what they cost, whether they answer.

use assize_wire::models::Models;
use maud::{Markup, html};

use super::super::parts::{empty, head, plain};
use super::problem;

/// What the operator settled, and what came of a test.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelsView {
    /// The models that may judge, as patterns; empty allows all.
    pub allowed: Vec<String>,
    /// What a session may spend, in words; none has no limit.
    pub budget: Option<String>,
    /// Requests to a provider at once.
    pub concurrency: usize,
    /// How long a reply may take, in seconds.
    pub patience_seconds: u64,
    /// A test: the model, and what it answered or why it did not.
    pub tested: Option<(String, Result<String, String>)>,
}

/// The whole content.
pub fn content(models: &Models, view: &ModelsView) -> Markup {
    let allowed = if view.allowed.is_empty() { "all".to_owned() } else { view.allowed.join(", ") };
    html! {
        (head("Models", &html! { "Models that can be used as judges, and their prices. The operator configures addresses, keys and limits in " code { "assize.toml" } "; keys are never shown here." }, &html! {}))
        div class="stack" {
            dl class="stats" {
                div class="stat" { dt { "Allowed judges" } dd { small { (plain(&allowed)) } } }
                div class="stat" { dt { "Budget per run" } dd { (view.budget.as_deref().unwrap_or("no limit")) } }
                div class="stat" { dt { "Concurrent requests" } dd { (view.concurrency) } }
                div class="stat" { dt { "Reply timeout" } dd { (view.patience_seconds) " s" } }
            }
            section class="box" id="test" {
                header { h2 { "Test a model" } span class="sub" { "Sends one harmless question of a few tokens" } }
                div class="in stack" {
                    @match &view.tested {
                        Some((name, Ok(words))) => div class="notice good" role="status" { p { b { (plain(name)) " replied: " } (plain(words)) } },
                        Some((name, Err(because))) => (problem(Some(&format!("{name} did not reply: {because}")))),
                        None => {},
                    }
                    form class="row" method="post" action="/admin/models" {
                        div class="field" { label for="model" { "Model" } input id="model" name="model" list="known" required maxlength="200" placeholder="provider/model" value=[view.tested.as_ref().map(|(name, _)| name)]; datalist id="known" { @for price in &models.prices { @if !price.model.contains('*') { option value=(price.model) {} } } } }
                        button class="button main" { "Test" }
                    }
                }
            }
            section class="box" {
                header { h2 { "Providers" } }
                @if models.providers.is_empty() { (empty("No providers yet", "Add one in assize.toml.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Address" } th scope="col" { "API key" } } }
                    tbody { @for one in &models.providers { tr { th scope="row" { (plain(&one.name)) } td data-name="Address" { code { (plain(&one.address)) } } td class="sub" data-name="API key" { (if one.needs_key { "required" } else { "not required" }) } } } }
                } } }
            }
            section class="box" id="readers" {
                header { h2 { "Readers" } span class="sub" { "Local models that read for judges; nothing leaves the machine" } }
                @if models.readers.is_empty() { (empty("No readers installed", "Install one with: assize readers install minilm-l6", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Kind" } th class="n" scope="col" { "MB" } th scope="col" { "Licence" } th scope="col" { "SHA-256" } } }
                    tbody { @for one in &models.readers { tr { th scope="row" { (plain(&one.name)) } td { (plain(one.problem.as_deref().or(one.kind.as_deref()).unwrap_or("–"))) } td class="n" { (one.megabytes) } td class="sub" { (plain(one.licence.as_deref().unwrap_or("not stated"))) } td { code { (plain(one.sha256.as_deref().map_or("–", |hash| hash.get(..12).unwrap_or(hash)))) } } } } }
                } } }
            }
            section class="box" {
                header { h2 { "Prices" } span class="sub" { "US dollars per million tokens" } }
                div class="scroll" tabindex="0" { table class="list" {
                    thead { tr { th scope="col" { "Model" } th class="n" scope="col" { "Input" } th class="n" scope="col" { "Cached input" } th class="n" scope="col" { "Output" } th scope="col" { "As of" } } }
                    tbody { @for one in &models.prices { tr { th scope="row" { (plain(&one.model)) } td class="n" { (one.input) } td class="n" { (one.cached) } td class="n" { (one.output) } td class="sub" { (one.as_of.as_deref().unwrap_or("–")) } } } }
                } }
            }
        }
    }
}
