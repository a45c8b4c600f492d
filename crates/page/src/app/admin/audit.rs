//! Who changed what, and whether anybody changed that.

use assize_wire::Listing;
use assize_wire::audit::{AuditChain, AuditEntry};
use maud::{Markup, html};
use serde_json::Value;

use super::super::parts::{empty, grouped, head, plain};
use super::when;

/// The whole content; `chain` is what verifying showed, if it was asked for.
pub fn content(page: &Listing<AuditEntry>, chain: Option<&AuditChain>) -> Markup {
    let acts = html! { a class="button" href="/admin/audit?verify=yes" { "Verify chain" } };
    html! {
        (head("Audit", &html! { "Every change and who made it. Each entry contains its own hash and that of the entry before it." }, &acts))
        div class="stack" {
            @if let Some(chain) = chain { (verified(chain)) }
            section class="box" {
                @if page.items.is_empty() { (empty("No changes yet", "Changes to decisions, rubrics, people and tokens are listed here.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th class="n" scope="col" { "No." } th scope="col" { "When" } th scope="col" { "Who" } th scope="col" { "Action" } th scope="col" { "Subject" } th scope="col" { "Details" } } }
                    tbody { @for entry in &page.items { (row(entry)) } }
                } } }
                @if let Some(next) = &page.next { div class="pager" { span {} a class="button small" rel="next" href={ "/admin/audit?before=" (next) } { "Older →" } } }
            }
        }
    }
}

fn verified(chain: &AuditChain) -> Markup {
    html! {
        @match &chain.flaw {
            None => div class="notice good" role="status" { div { p { b { "Chain intact: " (grouped(u64::try_from(chain.entries).unwrap_or_default())) (if chain.entries == 1 { " entry." } else { " entries." }) } } p class="sub" { "The last entry has the hash " code { (chain.head) } ". Store it elsewhere to be able to tell later whether the whole chain was rewritten." } } },
            Some(flaw) => div class="notice bad" role="alert" { p { b { "Chain broken: " (plain(flaw)) "." } } },
        }
    }
}

fn row(entry: &AuditEntry) -> Markup {
    html! {
        tr id={ "entry-" (entry.sequence) } {
            td class="n" { (entry.sequence) }
            td class="sub" { (when(Some(entry.at))) }
            th scope="row" { bdi { (plain(&entry.who)) } @if let Some(address) = &entry.address { span class="sub" { " " (plain(address)) } } }
            td { (plain(&entry.action)) " " (plain(&entry.subject)) }
            td class="sub" { code { (plain(&entry.subject_id)) } }
            td { @if entry.before.is_some() || entry.after.is_some() { details { summary { "Show" } @for (name, value) in [("before", &entry.before), ("after", &entry.after)] { @if let Some(value) = value { p class="sub" { (name) } pre class="prompt" { (plain(&written(value))) } } } } } }
        }
    }
}

/// A value for reading; a long one is cut, the export has all of it.
fn written(value: &Value) -> String {
    const LETTERS: usize = 1_500;
    let text = match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
