//! Signing in, the first account, and a person's own account.

use maud::{Markup, html};

use super::parts::plain;

/// A form to sign in.
pub fn login(problem: Option<&str>) -> Markup {
    html! {
        div class="narrow stack" {
            h1 { "Sign in" }
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (plain(problem)) } } }
            form class="box" method="post" action="/login" { div class="in stack" {
                div class="field" { label for="name" { "Name" } input id="name" name="name" autocomplete="username" required; }
                div class="field" { label for="password" { "Password" } input id="password" name="password" type="password" autocomplete="current-password" required; }
                div { button class="button main" { "Sign in" } }
            } }
        }
    }
}

/// A form for the first account of a server.
pub fn setup(link: &str, problem: Option<&str>) -> Markup {
    html! {
        div class="narrow stack" {
            h1 { "Set up Assize" }
            p class="sub" { "The first account administers the organisation. A password has at least 12 characters and is hard to guess; there are no other rules." }
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (plain(problem)) } } }
            form class="box" method="post" action="/setup" { div class="in stack" {
                input type="hidden" name="link" value=(link);
                div class="field" { label for="name" { "Your name" } input id="name" name="name" autocomplete="username" required; }
                div class="field" { label for="password" { "Password" } input id="password" name="password" type="password" minlength="12" autocomplete="new-password" required; }
                div { button class="button main" { "Create the account" } }
            } }
        }
    }
}

/// An error as a page: what happened, and where to go.
pub fn problem(title: &str, detail: &str, hint: Option<&str>) -> Markup {
    html! {
        div class="stack" {
            h1 { (title) }
            div class="notice bad" role="alert" { div { p { (plain(detail)) } @if let Some(hint) = hint { p class="sub" { (plain(hint)) } } } }
            div class="chips" { a class="button" href="/" { "Home" } a class="button" href="/help" { "Help" } }
        }
    }
}
