//! The frame of every page: title, styles, content, and where it came from.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::styles::stylesheet;

/// Nothing is fetched and nothing runs: styles are inline, and that is all.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// A whole page as text.
pub fn page(title: &str, content: &Markup) -> String {
    let whole = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) " · Assize" }
                style { (PreEscaped(stylesheet())) }
            }
            body {
                header class="bar" { span class="brand" { "Assize" } span { (title) } }
                main { (content) }
                footer { "Created with Assize " (env!("CARGO_PKG_VERSION")) ". All numbers on this page were computed from the files named above." }
            }
        }
    };
    whole.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_bring_markup() {
        let text = page("<script>alert(1)</script>", &html! {});
        assert!(!text.contains("<script>"));
        assert!(text.contains("&lt;script&gt;"));
    }
}
