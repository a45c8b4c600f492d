//! The frame of the workplace: side bar, head, scripts that may be missing.

use maud::{DOCTYPE, Markup, html};

use super::forms::with_token;
use super::parts::plain;

/// Who looks, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shell {
    pub organisation: String,
    /// Who is signed in.
    pub who: String,
    /// Whether they may change what analysts change.
    pub can_write: bool,
    /// Whether they may change what administrators change.
    pub is_admin: bool,
    /// `light` or `dark` where they chose one; else the system decides.
    pub theme: Option<&'static str>,
    /// What is to be told once: a tone (`good`, `bad`, `warn`) and words.
    pub notice: Option<(&'static str, String)>,
    /// What their forms carry; another site does not know it.
    pub csrf: String,
}

/// Which entry of the side bar is the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Here {
    /// The first page.
    Home,
    Runs,
    /// Runs over time.
    Series,
    /// Two or more runs.
    Compare,
    /// The reviewer's queue.
    Review,
    /// Runs of retrieval.
    Retrieval,
    /// Runs of summaries.
    Summaries,
    Compliance,
    Councils,
    /// Truth keys.
    Truth,
    Accuracy,
    /// Searches for something better.
    Optimise,
    /// Document sets.
    Documents,
    /// Criteria sets.
    Criteria,
    Prompts,
    Models,
    People,
    Tokens,
    /// Who changed what.
    Audit,
    /// One's own account.
    Account,
    /// How it works.
    Help,
    /// None of them.
    Elsewhere,
}

/// A group of the side bar: its name, and entries with their addresses.
type Group = (&'static str, &'static [(Here, &'static str, &'static str)]);

const GROUPS: [Group; 4] = [
    (
        "Work",
        &[
            (Here::Home, "Home", "/"),
            (Here::Runs, "Runs", "/runs"),
            (Here::Series, "Over time", "/series"),
            (Here::Compare, "Compare", "/compare"),
            (Here::Review, "Review queue", "/review"),
        ],
    ),
    (
        "Instruments",
        &[
            (Here::Retrieval, "Retrieval", "/runs?instrument=retrieval"),
            (Here::Summaries, "Summaries", "/runs?instrument=summary"),
            (Here::Compliance, "Compliance", "/eval"),
            (Here::Councils, "Councils", "/runs?instrument=council"),
        ],
    ),
    (
        "Truth",
        &[
            (Here::Truth, "Truth keys", "/truth-keys"),
            (Here::Accuracy, "Accuracy", "/accuracy"),
            (Here::Optimise, "Optimisation", "/optimise"),
        ],
    ),
    (
        "Setup",
        &[
            (Here::Documents, "Documents", "/documents"),
            (Here::Criteria, "Criteria sets", "/admin/org/eval/criteria-sets"),
            (Here::Prompts, "Prompts", "/admin/prompts"),
            (Here::Models, "Models", "/admin/models"),
            (Here::People, "People", "/admin/people"),
            (Here::Tokens, "Tokens", "/admin/tokens"),
            (Here::Audit, "Audit", "/admin/audit"),
            (Here::Help, "Help", "/help"),
        ],
    ),
];

/// A whole page. Its forms carry the token of whoever looks.
pub fn page(shell: &Shell, here: Here, title: &str, content: &Markup) -> Markup {
    let content = html! {
        (DOCTYPE)
        html lang="en" data-theme=[shell.theme] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (plain(title)) " · Assize" }
                link rel="stylesheet" href="/assets/assize.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/htmx.min.js" defer {}
                script type="module" src="/assets/assize.js" {}
            }
            body {
                a class="skip" href="#main" { "Skip to content" }
                div class="frame" {
                    (rail(shell, here))
                    main class="body" id="main" {
                        @if let Some((tone, words)) = &shell.notice {
                            div class={ "notice " (tone) } role="status" { p { (plain(words)) } }
                        }
                        (content)
                    }
                }
            }
        }
    };
    if shell.csrf.is_empty() { content } else { with_token(&content, &shell.csrf) }
}

fn rail(shell: &Shell, here: Here) -> Markup {
    html! {
        nav class="rail" aria-label="Main" {
            a class="brand" href="/" { (mark()) "Assize" }
            // On a narrow screen this opens what follows it; a wide one shows all of it.
            details class="drawer" { summary { "Menu" } }
            div class="links" {
                @for (name, entries) in GROUPS {
                    div class="group" { (name) }
                    @for (entry, words, address) in entries.iter().filter(|(entry, ..)| shell.is_admin || !for_admins(*entry)) {
                        a class="nav" href=(address) aria-current=[(*entry == here).then_some("page")] { (words) }
                    }
                }
                (foot(shell, here))
            }
        }
    }
}

fn foot(shell: &Shell, here: Here) -> Markup {
    html! {
            div class="foot" {
                span class="where" { (plain(&shell.organisation)) @if !shell.who.is_empty() { " · " (plain(&shell.who)) } }
                form method="post" action="/theme" {
                    @for (theme, words) in [("light", "Light"), ("dark", "Dark"), ("system", "System")] {
                        button class="link" name="theme" value=(theme) { (words) }
                    }
                }
                @if !shell.who.is_empty() { a class="nav" href="/account" aria-current=[(here == Here::Account).then_some("page")] { "Account" } }
            }
    }
}

/// Whether only administrators may open it.
fn for_admins(entry: Here) -> bool {
    matches!(entry, Here::Models | Here::People | Here::Tokens | Here::Audit)
}

/// The scales.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true" {
            path d="M12 4v16M7 20h10M5 8h14M5 8l-3 6a3 3 0 0 0 6 0L5 8Zm14 0-3 6a3 3 0 0 0 6 0l-3-6Z" {}
        }
    }
}

/// The picture of the tab.
pub const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\" fill=\"none\" stroke=\"#1d56c4\" stroke-width=\"2\" stroke-linecap=\"round\"><path d=\"M12 4v16M7 20h10M5 8h14M5 8l-3 6a3 3 0 0 0 6 0L5 8Zm14 0-3 6a3 3 0 0 0 6 0l-3-6Z\"/></svg>";
