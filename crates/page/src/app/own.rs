//! One's own account: who somebody is here, password, browsers, organisations, tokens.

use assize_wire::accounts::{MadeToken, Me, OrganisationEntry, SessionEntry, TokenEntry};
use maud::{Markup, html};

use super::address::encoded;
use super::admin::{problem, tokens, when};
use super::parts::{head, plain};

/// What somebody sees of their own account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAccount {
    /// Who they are.
    pub me: Me,
    /// Where they may work.
    pub organisations: Vec<OrganisationEntry>,
    /// Where they are signed in; empty for the one person of a machine.
    pub sessions: Vec<SessionEntry>,
    /// The tokens they made.
    pub tokens: Vec<TokenEntry>,
    /// Whether they have a password.
    pub has_password: bool,
    /// A key to turn one-time codes on with; none if they are on.
    pub code_secret: Option<String>,
}

/// The whole content; `made` is a token that was made just now.
pub fn content(account: &OwnAccount, made: Option<&MadeToken>, wrong: Option<&str>) -> Markup {
    let me = &account.me;
    let acts = html! { @if account.has_password { form method="post" action="/logout" { button class="button" { "Sign out" } } } };
    html! {
        (head("Your account", &html! { b { bdi { (plain(&me.name)) } } " · " (me.role) " in " bdi { (plain(&me.organisation)) } }, &acts))
        div class="stack" {
            (problem(wrong))
            @if let Some(made) = made { (tokens::secret(made)) }
            @if !account.has_password { div class="notice" { p { "This server accepts connections from this machine only, so there is no password." } } }
            @if account.organisations.len() > 1 { (organisations(&account.organisations)) }
            @if account.has_password { div class="grid-2" { (password()) (sessions(&account.sessions)) (codes(account)) } }
            section class="box" { header { h2 { "Your tokens" } span class="sub" { "For programs that act on your behalf" } } (tokens::table(&account.tokens, "/account/tokens")) }
            (tokens::form("/account/tokens", tokens::scopes(&me.role)))
        }
    }
}

fn organisations(all: &[OrganisationEntry]) -> Markup {
    html! {
        section class="box" {
            header { h2 { "Organisations" } span class="sub" { "Data is not shared between organisations" } }
            ul class="in attention" { @for one in all { li class="row between" {
                span { bdi { (plain(&one.name)) } " " span class="sub" { (one.role) } }
                @if one.current { span class="badge good" { "current" } }
                @else { form method="post" action="/account/organisation" { input type="hidden" name="organisation" value=(one.id); button class="button small" { "Switch to " (plain(&one.name)) } } }
            } } }
        }
    }
}

fn password() -> Markup {
    html! {
        section class="box" {
            header { h2 { "Change password" } }
            form class="in stack" method="post" action="/account/password" {
                div class="field" { label for="old" { "Current password" } input id="old" name="old" type="password" required autocomplete="current-password"; }
                div class="field" { label for="new" { "New password" } input id="new" name="new" type="password" required minlength="12" autocomplete="new-password"; p class="hint" { "At least 12 characters, and hard to guess. You will be signed out everywhere." } }
                div { button class="button" { "Change password" } }
            }
        }
    }
}

fn codes(account: &OwnAccount) -> Markup {
    let words = if account.code_secret.is_some() { "Turn on" } else { "Turn off" };
    html! {
        section class="box" {
            header { h2 { "One-time codes" } span class="sub" { "A second factor beside your password" } }
            form class="in stack" method="post" action="/account/codes" {
                @if let Some(secret) = &account.code_secret {
                    @let app = format!("otpauth://totp/Assize:{}?secret={secret}&issuer=Assize", encoded(&account.me.name));
                    p { "Type this key into an authenticator app, or " a href=(app) { "open it in one" } ", then enter the code that it shows:" }
                    p { code { (secret) } }
                    input type="hidden" name="secret" value=(secret);
                    div class="field" { label for="code" { "Code" } input id="code" name="code" inputmode="numeric" required autocomplete="one-time-code"; }
                } @else { p { "You need a code from your authenticator app to sign in. Whoever loses the app asks an administrator." } }
                div class="field" { label for="codes-password" { "Password" } input id="codes-password" name="old" type="password" required autocomplete="current-password"; p class="hint" { "You will be signed out everywhere." } }
                div { button class="button" { (words) } }
            }
        }
    }
}

fn sessions(all: &[SessionEntry]) -> Markup {
    html! {
        section class="box" {
            header { h2 { "Active sessions" } }
            ul class="in attention" { @for one in all { li {
                b { (plain(&one.agent)) } @if one.current { " " span class="badge good" { "this browser" } }
                span class="sub" { (plain(&one.address)) " · signed in " (when(Some(one.created_at))) " · last used " (when(Some(one.used_at))) }
                @if !one.current { form method="post" action="/account/sessions" { input type="hidden" name="session" value=(one.id); button class="button small" { "End session" } } }
            } } }
        }
    }
}
