//! Pages for people, rendered from the same values that the API hands out.

pub(crate) mod account;
pub(crate) mod api;

use maud::{DOCTYPE, Markup, html};

use crate::assets::Asset;
use crate::auth::Caller;
use crate::error::Problem;

/// What pages refer to as `/assets/NAME`.
pub(crate) const ASSETS: &[Asset] = &[];

/// `GET /`.
pub(crate) async fn home(caller: Caller) -> Markup {
    page(
        "Assize",
        &html! {
            p { "Assize measures what AI systems produce, and shows how it came to every number." }
            p { "You are " (caller.who) "." }
            ul { li { a href="/api/docs/" { "The API" } } }
        },
    )
}

/// An error for people.
pub(crate) fn problem(problem: &Problem) -> Markup {
    page(
        &problem.title,
        &html! {
            p { (problem.detail) }
            @if let Some(hint) = &problem.hint { p { (hint) } }
            p { a href="/" { "Home" } }
        },
    )
}

fn page(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
            }
            body { main { h1 { (title) } (content) } }
        }
    }
}
