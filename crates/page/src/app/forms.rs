//! The hidden field by which the server knows its own forms.

use maud::{Markup, PreEscaped, html};

/// The name of the field.
pub const FIELD: &str = "csrf";

/// Adds the field to every form that changes something, as its first one.
///
/// This is done to finished markup, so that no form can be written without it. A text from
/// outside is never taken for a form: markup writes `<` and `>` of a text as entities.
#[must_use]
pub(crate) fn with_token(content: &Markup, token: &str) -> Markup {
    let field = html! { input type="hidden" name=(FIELD) value=(token); }.into_string();
    let mut rest = content.0.as_str();
    let mut all = String::with_capacity(rest.len() + 4 * field.len());
    while let Some(start) = rest.find("<form") {
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let (before, after) = rest.split_at(end);
        all.push_str(before);
        if before[start..].contains("method=\"post\"") {
            all.push_str(&field);
        }
        rest = after;
    }
    all.push_str(rest);
    PreEscaped(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_posts_carries_the_token_and_no_text_does() {
        let hostile = "<form method=\"post\">";
        let content = html! {
            form method="get" { input name="q"; }
            p title=(hostile) { (hostile) }
            form class="a>b" method="post" action="/a" { button { "A" } }
            form method="post" action="/b" hx-post="/b" {}
        };
        let all = with_token(&content, "t\"1").into_string();
        let field = "<input type=\"hidden\" name=\"csrf\" value=\"t&quot;1\">";
        assert_eq!(all.matches(field).count(), 2);
        assert!(all.contains(&format!("action=\"/a\">{field}<button>")), "{all}");
        assert!(all.contains(&format!("hx-post=\"/b\">{field}</form>")), "{all}");
        assert_eq!(all.replace(field, ""), content.into_string());
    }
}
