//! Signing in, and the first person's way in.

use maud::{Markup, html};

use super::page;

/// The form of `/login`.
pub(crate) fn login(wrong: Option<&str>) -> Markup {
    page(
        "Sign in",
        &html! {
            @if let Some(wrong) = wrong { p role="alert" { (wrong) } }
            form method="post" action="/login" {
                (field("name", "Name", "text", "username"))
                (field("password", "Password", "password", "current-password"))
                button type="submit" { "Sign in" }
            }
        },
    )
}

/// The form of `/setup`.
pub(crate) fn setup(link: &str, wrong: Option<&str>) -> Markup {
    page(
        "Set up",
        &html! {
            p { "You are the first person here, and will be its administrator." }
            @if let Some(wrong) = wrong { p role="alert" { (wrong) } }
            form method="post" action="/setup" {
                input type="hidden" name="link" value=(link);
                (field("name", "Name", "text", "username"))
                (field("password", "Password, at least 12 characters", "password", "new-password"))
                button type="submit" { "Begin" }
            }
        },
    )
}

fn field(name: &str, label: &str, kind: &str, autocomplete: &str) -> Markup {
    html! {
        p {
            label for=(name) { (label) }
            input id=(name) name=(name) type=(kind) autocomplete=(autocomplete) required;
        }
    }
}
