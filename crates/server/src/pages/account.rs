//! Signing in, and the first person's way in.

use assize_page::app::account;
use maud::Markup;

use super::page;

/// The form of `/login`.
pub(crate) fn login(wrong: Option<&str>) -> Markup {
    page("Sign in", &account::login(wrong))
}

/// The form of `/setup`.
pub(crate) fn setup(link: &str, wrong: Option<&str>) -> Markup {
    page("Set up", &account::setup(link, wrong))
}
