//! People of an organisation, and what each may do.

use assize_wire::accounts::UserEntry;
use maud::{Markup, html};

use super::super::address::encoded;
use super::super::parts::{empty, head, plain};
use super::{problem, when};

/// The roles, with what each may do.
const ROLES: [(&str, &str); 3] = [
    ("viewer", "can view everything"),
    ("analyst", "can also start runs, decide and import"),
    ("admin", "can also manage criteria sets, people and tokens"),
];

/// The whole content; `own` is the name of whoever looks.
pub fn content(people: &[UserEntry], own: &str, wrong: Option<&str>) -> Markup {
    html! {
        (head("People", &html! { "User accounts and their roles. Disabling an account signs it out everywhere and revokes its tokens." }, &html! {}))
        div class="stack" {
            (problem(wrong))
            section class="box" {
                @if people.is_empty() { (empty("No accounts yet", "This server only accepts connections from this machine and needs no sign-in. Add an account before you open it to a network.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Role" } th scope="col" { "Access" } th scope="col" { "Added" } th scope="col" { "New password" } } }
                    tbody { @for person in people { (row(person, own)) } }
                } } }
            }
            section class="box" {
                header { h2 { "Add an account" } }
                form class="in row" method="post" action="/admin/people" {
                    div class="field" { label for="name" { "Name" } input id="name" name="name" required maxlength="100" autocomplete="off"; }
                    div class="field" { label for="password" { "Initial password" } input id="password" name="password" type="password" required minlength="12" autocomplete="new-password"; }
                    div class="field" { label for="role" { "Role" } select id="role" name="role" { @for (role, words) in ROLES { option value=(role) selected[role == "analyst"] { (role) ": " (words) } } } }
                    button class="button main" name="act" value="add" { "Add" }
                }
            }
        }
    }
}

fn row(person: &UserEntry, own: &str) -> Markup {
    let at = format!("/admin/people/{}", encoded(&person.name));
    let id = encoded(&person.name);
    html! {
        tr {
            th scope="row" { bdi { (plain(&person.name)) } @if person.name == own { " " span class="sub" { "you" } } }
            td { form class="row" method="post" action=(at) {
                label class="hidden-text" for={ "role-" (id) } { "Role of " (plain(&person.name)) }
                select id={ "role-" (id) } name="role" { @for (role, _) in ROLES { option value=(role) selected[role == person.role] { (role) } } }
                button class="button small" name="act" value="role" { "Change" }
            } }
            td { form class="row" method="post" action=(at) {
                @if person.one_time_codes { button class="button small" name="act" value="codes" { "Forget one-time codes" } }
                button class="button small" name="act" value="sign-out" { "Sign out" }
                @if person.disabled { span class="badge bad" { "disabled" } button class="button small" name="act" value="enable" { "Enable" } }
                @else { span class="badge good" { "active" } button class="button small danger" name="act" value="disable" { "Disable" } }
                details { summary { "Remove" } p class="sub" { "Decisions, ratings and runs of " (plain(&person.name)) " stay, under another name; the audit log keeps this one." } button class="button small danger" name="act" value="remove" { "Remove for good" } }
            } }
            td class="sub" { (when(Some(person.created_at))) }
            td { form class="row" method="post" action=(at) {
                label class="hidden-text" for={ "password-" (id) } { "New password for " (plain(&person.name)) }
                input id={ "password-" (id) } name="password" type="password" required minlength="12" autocomplete="new-password";
                button class="button small" name="act" value="password" { "Set" }
            } }
        }
    }
}
