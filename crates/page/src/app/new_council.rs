//! A new council: who takes part and what is asked; then what it would take, and start.

use assize_wire::estimate::Estimate;
use maud::{Markup, html};

use super::new_run_check::{budget, estimated};
use super::parts::{crumbs, head, plain, sentence};

/// What there is to choose from, and what is chosen so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewCouncil {
    /// Models that are configured and may be asked, as they are typed.
    pub models: Vec<String>,
    /// The rubrics.
    pub profiles: Vec<String>,
    /// Ways to check answers: the word of the request, and what it means.
    pub gates: Vec<(String, String)>,
    /// What the run is to be called; may be empty.
    pub name: String,
    /// What is asked.
    pub question: String,
    /// Answers to review instead, as they were pasted or uploaded; may be empty.
    pub answers: String,
    /// Who answers.
    pub members: Vec<String>,
    /// Who reviews; empty if the members do.
    pub reviewers: Vec<String>,
    /// Who writes the final answer; may be empty.
    pub chair: String,
    /// The rubric; empty for the default.
    pub profile: String,
    /// How answers are checked; empty as the server is configured.
    pub gate: String,
}

/// A council that can be started.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CouncilCheck {
    /// What was chosen.
    pub chosen: NewCouncil,
    /// Whose answers there will be.
    pub authors: Vec<String>,
    /// Who reviews them.
    pub reviewers: Vec<String>,
    /// Who writes the final answer.
    pub chair: Option<String>,
    /// What it would take; none while that cannot be known.
    pub estimate: Option<Estimate>,
    /// What it may cost, as it was typed.
    pub budget: String,
    /// What is in the way.
    pub problem: Option<String>,
}

/// The fields of the first step.
pub(super) fn fields(form: &NewCouncil) -> Markup {
    html! {
        div class="field" { label for="question" { "Question" } textarea id="question" name="question" rows="3" maxlength="20000" { (form.question) } }
        details open[!form.answers.is_empty()] {
            summary { "Review existing answers instead of asking members" }
            div class="stack" {
                div class="field" { label for="answers_file" { "File of answers" } input id="answers_file" name="answers_file" type="file" accept=".json,.jsonl"; p class="hint" { "JSON or JSON Lines with “model” and “text” for each answer; it may include the question." } }
                div class="field" { label for="answers" { "Or paste them" } textarea id="answers" name="answers" rows="4" spellcheck="false" { (form.answers) } }
            }
        }
        div class="grid-2" {
            (models("member", "Members", "They answer the question.", form, &form.members))
            (models("reviewer", "Reviewers", "They mark every answer. If you choose none, the configured reviewers do, or the members review each other.", form, &form.reviewers))
        }
        div class="row" {
            div class="field" { label for="chair" { "Chair (optional)" } select id="chair" name="chair" {
                option value="" { "Nobody writes a final answer" }
                @for model in &form.models { option value=(model) selected[*model == form.chair] { (plain(model)) } }
            } }
            @let other = if form.models.contains(&form.chair) { "" } else { form.chair.as_str() };
            div class="field" { label for="other_chair" { "Another chair" } input id="other_chair" name="other_chair" maxlength="200" value=(other) placeholder="provider/model"; }
            div class="field" { label for="profile" { "Rubric" } select id="profile" name="profile" {
                option value="" { "As configured" }
                @for profile in &form.profiles { option value=(profile) selected[*profile == form.profile] { (profile) } }
            } }
            div class="field" { label for="safety_gate" { "Safety gate" } select id="safety_gate" name="safety_gate" {
                @for (word, words) in &form.gates { option value=(word) selected[*word == form.gate] { (words) } }
            } }
        }
        div class="field" { label for="name" { "Name (optional)" } input id="name" name="name" maxlength="100" value=(form.name); }
    }
}

/// The models that are configured to tick, and room for others.
fn models(field: &str, title: &str, hint: &str, form: &NewCouncil, ticked: &[String]) -> Markup {
    let others: Vec<&str> =
        ticked.iter().filter(|one| !form.models.contains(one)).map(String::as_str).collect();
    let more = format!("other_{field}s");
    html! {
        fieldset class="stack" {
            legend { (title) }
            p class="hint" { (hint) }
            @if form.models.is_empty() { p class="sub" { "No models are configured; enter them below, or list them in assize.toml under [council]." } }
            @else { div class="chips" { @for model in &form.models {
                label class="chip" { input type="checkbox" name=(field) value=(model) checked[ticked.contains(model)]; bdi { (plain(model)) } }
            } } }
            div class="field" { label for=(more) { "Other " (title.to_lowercase()) } input id=(more) name=(more) maxlength="1000" value=(others.join(", ")) placeholder="provider/model, …"; }
        }
    }
}

/// The second step: who takes part, what it would take, and start.
pub fn check(check: &CouncilCheck) -> Markup {
    let form = &check.chosen;
    let carried = [
        ("question", &form.question),
        ("answers", &form.answers),
        ("chair", &form.chair),
        ("profile", &form.profile),
        ("safety_gate", &form.gate),
        ("name", &form.name),
    ];
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), ("New run", "/runs/new?instrument=council".to_owned())], "Check"))
        (head("Check and start", &html! { "Nobody has been asked yet." }, &html! {}))
        div class="stack" {
            @if let Some(problem) = &check.problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            form class="stack" method="post" action="/runs/new" enctype="multipart/form-data" {
                input type="hidden" name="instrument" value="council";
                @for (name, value) in carried { input type="hidden" name=(name) value=(value); }
                @for member in &form.members { input type="hidden" name="member" value=(member); }
                @for reviewer in &form.reviewers { input type="hidden" name="reviewer" value=(reviewer); }
                section class="box" id="estimate" {
                    header { h2 { "Estimate" } span class="sub" { "An upper bound for this council" } }
                    div class="in stack" {
                        (seats(check))
                        @if let Some(estimate) = &check.estimate { (estimated(estimate)) (budget(&check.budget)) }
                    }
                }
                div class="row" {
                    @if check.problem.is_none() && check.estimate.is_some() { button class="button main" name="act" value="start" { "Start" } }
                    button class="button" name="act" value="change" { "Change" }
                }
            }
        }
    }
}

fn seats(check: &CouncilCheck) -> Markup {
    let listed = |names: &[String]| names.iter().map(|name| plain(name)).collect::<Vec<_>>();
    let answers =
        if check.chosen.answers.is_empty() { "Members" } else { "Answers given, by author" };
    html! {
        dl class="facts" {
            dt { "Question" } dd class="pre" dir="auto" { (plain(&check.chosen.question)) }
            dt { (answers) } dd { bdi { (listed(&check.authors).join(", ")) } }
            dt { "Reviewers" } dd { bdi { (listed(&check.reviewers).join(", ")) } }
            dt { "Chair" } dd { @match &check.chair { Some(chair) => bdi { (plain(chair)) }, None => span class="sub" { "none" } } }
        }
    }
}
