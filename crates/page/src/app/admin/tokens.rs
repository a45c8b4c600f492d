//! Tokens that programs come in with.

use assize_wire::accounts::{MadeToken, TokenEntry};
use maud::{Markup, html};

use super::super::parts::{empty, head, plain};
use super::{problem, when};

/// What a token may be used for.
const SCOPES: [(&str, &str); 3] = [
    ("read", "view only"),
    ("write", "everything an analyst can do"),
    ("admin", "everything an administrator can do"),
];

/// The whole content; `made` is a token that was made just now.
pub fn content(tokens: &[TokenEntry], made: Option<&MadeToken>, wrong: Option<&str>) -> Markup {
    html! {
        (head("Tokens", &html! { "Programs use a token to access the API: " code { "Authorization: Bearer …" } ". See the " a href="/api/docs/" { "API reference" } "." }, &html! {}))
        div class="stack" {
            (problem(wrong))
            @if let Some(made) = made { (secret(made)) }
            section class="box" { (table(tokens, "/admin/tokens")) }
            (form("/admin/tokens", &SCOPES))
        }
    }
}

/// The secret of a token, shown once.
pub fn secret(made: &MadeToken) -> Markup {
    html! {
        div class="notice good" role="status" { div {
            p { b { "Copy the token “" (plain(&made.token.name)) "” now. It will not be shown again:" } }
            p { code class="secret" { (made.secret) } }
        } }
    }
}

/// Tokens with a button to revoke each that still counts.
pub fn table(tokens: &[TokenEntry], path: &str) -> Markup {
    html! {
        @if tokens.is_empty() { (empty("No tokens yet", "Create one for each program, so that you can revoke each on its own.", &html! {})) }
        @else { div class="scroll" tabindex="0" { table class="list stack-phone" {
            thead { tr { th scope="col" { "Name" } th scope="col" { "Scope" } th scope="col" { "Created by" } th scope="col" { "Created" } th scope="col" { "Expires" } th scope="col" { "Last used" } th scope="col" { span class="hidden-text" { "Revoke" } } } }
            tbody { @for token in tokens { tr {
                th scope="row" { bdi { (plain(&token.name)) } }
                td { (token.scope) } td class="sub" data-name="By" { (plain(&token.made_by)) } td class="sub" data-name="Created" { (when(Some(token.created_at))) }
                td class="sub" data-name="Expires" { @match token.expires_at { Some(at) => (when(Some(at))), None => "never" } } td class="sub" data-name="Used" { (when(token.used_at)) }
                td { @match token.revoked_at {
                    Some(_) => span class="badge" { "revoked" },
                    None => form method="post" action={ (path) "/revoke" } { input type="hidden" name="token" value=(token.id); button class="button small danger" aria-label={ "Revoke " (plain(&token.name)) } { "Revoke" } },
                } }
            } } }
        } } }
    }
}

/// A form to make one.
pub fn form(path: &str, scopes: &[(&str, &str)]) -> Markup {
    html! {
        section class="box" {
            header { h2 { "Create a token" } }
            form class="in row" method="post" action=(path) {
                div class="field" { label for="token-name" { "Program name" } input id="token-name" name="name" required maxlength="100"; }
                div class="field" { label for="scope" { "Scope" } select id="scope" name="scope" { @for (scope, words) in scopes { option value=(scope) { (scope) ": " (words) } } } }
                div class="field" { label for="days" { "Valid for (days)" } input class="num" id="days" name="days" type="number" min="1" max="3650" value="90" required; }
                button class="button main" { "Create token" }
            }
        }
    }
}

/// The scopes that somebody with a role may give away.
pub fn scopes(role: &str) -> &'static [(&'static str, &'static str)] {
    match role {
        "admin" => &SCOPES,
        "analyst" => &SCOPES[..2],
        _ => &SCOPES[..1],
    }
}
