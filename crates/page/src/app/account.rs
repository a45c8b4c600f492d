//! Signing in, the first account, and a person's own account.

use maud::{Markup, html};

use super::address::address;
use super::parts::{plain, sentence};

/// How people may show who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WaysIn<'a> {
    /// Whether with a password.
    pub takes_passwords: bool,
    /// What the provider of identities is called with whom they sign in, if there is one.
    pub provider: Option<&'a str>,
    /// Where they wanted to go.
    pub return_path: Option<&'a str>,
    /// Whether they have just signed out.
    pub is_out: bool,
    /// How the first account is made, where there is none.
    pub first: Option<FirstAccount<'a>>,
}

/// How the first account of a server is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstAccount<'a> {
    /// By this link: whoever can see the page may do anything already.
    Link(&'a str),
    /// By the link in the terminal: the page is seen by anybody.
    InTerminal,
}

/// A form to sign in.
pub fn login(problem: Option<&str>, ways: &WaysIn<'_>) -> Markup {
    let start = match ways.return_path {
        Some(path) => address("/login/oidc", &[("return", path)]),
        None => "/login/oidc".to_owned(),
    };
    html! {
        div class="narrow stack" {
            h1 { @if ways.is_out { "Signed out" } @else { "Sign in" } }
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            @match ways.first {
                Some(FirstAccount::Link(link)) => div class="notice" { p { "There are no accounts yet, and on this machine none is needed: " a href="/" { "open Assize" } ". Before others may come in over the network, " a href=(link) { "create the first account" } "." } },
                Some(FirstAccount::InTerminal) => div class="notice" { p { "There are no accounts yet. The link to create the first one stands in the terminal in which the server was started." } },
                None => {},
            }
            @if let Some(provider) = ways.provider {
                div class="chips" {
                    a class="button main" href=(start) { "Sign in with " bdi { (plain(provider)) } }
                    @if ways.is_out { a class="button" href="/login/oidc/out" { "Sign out of " bdi { (plain(provider)) } " too" } }
                }
            }
            @if ways.takes_passwords { (with_password(ways.provider.is_some())) }
        }
    }
}

fn with_password(is_second: bool) -> Markup {
    let class = if is_second { "button" } else { "button main" };
    html! {
        form class="box" method="post" action="/login" { div class="in stack" {
            @if is_second { h2 { "With a password" } }
            div class="field" { label for="name" { "Name" } input id="name" name="name" autocomplete="username" required; }
            div class="field" { label for="password" { "Password" } input id="password" name="password" type="password" autocomplete="current-password" required; }
            div class="field" { label for="code" { "One-time code" } input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" aria-describedby="code-hint"; p class="hint" id="code-hint" { "Only if you have turned on one-time codes." } }
            div { button class=(class) { "Sign in" } }
        } }
    }
}

/// A form for the first account of a server.
pub fn setup(link: &str, problem: Option<&str>) -> Markup {
    html! {
        div class="narrow stack" {
            h1 { "Set up Assize" }
            p class="sub" { "This first account will be the administrator. Choose a password of at least 12 characters that is hard to guess; there are no other rules." }
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            form class="box" method="post" action="/setup" { div class="in stack" {
                input type="hidden" name="link" value=(link);
                div class="field" { label for="name" { "Your name" } input id="name" name="name" autocomplete="username" required; }
                div class="field" { label for="password" { "Password" } input id="password" name="password" type="password" minlength="12" autocomplete="new-password" required; }
                div { button class="button main" { "Create account" } }
            } }
        }
    }
}

/// An error as a page: what happened, and where to go; `sign_in` is where to sign in, for
/// somebody who has to.
pub fn problem(title: &str, detail: &str, hint: Option<&str>, sign_in: Option<&str>) -> Markup {
    html! {
        div class="stack" {
            h1 { (title) }
            div class="notice bad" role="alert" { div { p { (sentence(detail)) } @if let Some(hint) = hint { p class="sub" { (sentence(hint)) } } } }
            div class="chips" {
                @if let Some(sign_in) = sign_in { a class="button main" href=(sign_in) { "Sign in" } }
                a class="button" href="/" { "Home" } a class="button" href="/help" { "Help" }
            }
        }
    }
}
