//! Signing in, and the first person's way in.

use assize_page::app::account::{self, FirstAccount, WaysIn};
use maud::Markup;

use super::page;
use crate::state::Settings;

/// The page of `/login`; `return_path` is where somebody wanted to go.
pub(crate) fn login(
    settings: &Settings,
    (wrong, return_path): (Option<&str>, Option<&str>),
    first: Option<FirstAccount<'_>>,
) -> Markup {
    let ways = WaysIn { first, ..ways(settings, return_path, false) };
    page("Sign in", &account::login(wrong, &ways))
}

/// The same for somebody who has just signed out.
pub(crate) fn signed_out(settings: &Settings) -> Markup {
    page("Signed out", &account::login(None, &ways(settings, None, true)))
}

fn ways<'a>(settings: &'a Settings, return_path: Option<&'a str>, is_out: bool) -> WaysIn<'a> {
    let provider = settings.identity_provider();
    let takes_passwords = provider.is_none() || settings.takes_passwords();
    WaysIn { takes_passwords, provider, return_path, is_out, first: None }
}

/// The form of `/setup`.
pub(crate) fn setup(link: &str, wrong: Option<&str>) -> Markup {
    page("Set up", &account::setup(link, wrong))
}
