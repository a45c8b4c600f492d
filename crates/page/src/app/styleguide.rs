//! Every part on one page: what it looks like in both themes, on paper and on a phone.

use assize_methods::compliance::{Rubric, Status};
use maud::{Markup, html};

use super::parts::{chip, empty, head, scorebar, state, stats};
use crate::bars::{Band, badge, bar, meter, ruler, swatch, tone};

/// The whole content.
pub fn content() -> Markup {
    let rubric = Rubric::default();
    let bands: Vec<Band> = rubric
        .tiers()
        .iter()
        .map(|tier| Band {
            min: tier.min,
            max: tier.max,
            label: tier.label.clone(),
            colour: rubric.status(f64::from(tier.min)).colour,
        })
        .collect();
    let statuses: Vec<Status> =
        rubric.tiers().iter().map(|tier| rubric.status(f64::from(tier.min))).collect();
    html! {
        (head("Style guide", &html! { "The components used on all pages. Colour never stands alone: it always comes with a word. The accent colour marks what can be clicked." }, &html! { a class="button" href="#" { "Button" } a class="button main" href="#" { "Main action" } }))
        div class="stack" {
            (part("Tiers", &html! { div class="chips" { @for status in &statuses { (badge(&status.label, &status.colour)) } } (ruler(&bands, Some(73.0))) @for status in &statuses { p { (swatch(&status.colour)) (status.label) } } }))
            (part("Scores", &html! { @for (value, status) in [8.0, 31.0, 58.0, 73.0, 92.0].into_iter().zip(&statuses) { (scorebar(Some(value), Some(status), "")) } (scorebar(None, None, "the reply could not be read")) }))
            (part("Figures", &stats(&[("Mean score".to_owned(), html! { "68.4 " small { "± 2.1" } }), ("Scored".to_owned(), html! { "287 " small { "of 861" } }), ("One value".to_owned(), html! { "73 " small { "n = 1" } })])))
            (part("States", &html! { div class="chips" { @for word in ["planned", "running", "done", "stopped", "failed"] { (state(word)) } } }))
            (part("Bars", &html! { (meter(0.34, "accent")) @for (index, status) in statuses.iter().enumerate() { (bar((index + 1) as f64 / 5.0, &tone(&status.colour))) } }))
            (part("Filters", &html! { div class="chips" { (chip("All 287", "#", true)) (chip("Weak 33", "#", false)) } }))
            (part("Forms", &html! { div class="row" {
                div class="field" { label for="sg-text" { "Text" } input id="sg-text" value="a very long name that does not fit into its field at all"; p class="hint" { "What to enter." } }
                div class="field" { label for="sg-bad" { "Invalid value" } input id="sg-bad" aria-invalid="true" aria-describedby="sg-why" value="65"; p class="problem" id="sg-why" { "Overlaps the next tier." } }
                div class="field" { label for="sg-select" { "Choice" } select id="sg-select" { option { "text" } option { "list" } } }
            } }))
            (part("Notices", &html! { @for tone in ["", "good", "warn", "bad"] { div class={ "notice " (tone) } { p { "What happened and what to do next." } } } }))
            (part("Empty", &empty("No runs yet", "A sample takes a second.", &html! { a class="button" href="#" { "Try it" } })))
            (part("Loading", &html! { div class="skeleton" {} p class="sub" { "while part of a page is loading" } }))
            (part("Document", &html! { div class="doc" tabindex="0" role="region" aria-label="Sample document" { "Every member of staff has an account of their own. " mark class="cite" { "Accounts of people who leave are disabled within one working day" } ", and removed after ninety days." } }))
            (part("Quote", &html! { div class="quoted" { "“Accounts are disabled within one working day”" div class="where" { span class="good" { "✓ found (exact)" } span { "page 4" } } } div class="quoted missing" { "“Reviews take place every quarter”" div class="where" { span class="bad" { "✗ not in the document" } span { "not counted as evidence" } } } }))
            (part("Ledger", &html! { div class="ledger-tree" { details class="ledger" open { summary { span class="ledger-name" { "score" } " " b { "0.75" } " " span class="ledger-note" { "part / whole" } } div class="ledger" { span class="ledger-name" { "part" } " " b { "3" } } div class="ledger" { span class="ledger-name" { "whole" } " " b { "4" } } } } }))
        }
    }
}

fn part(name: &str, content: &Markup) -> Markup {
    html! { section class="box" { header { h2 { (name) } } div class="in" { (content) } } }
}
