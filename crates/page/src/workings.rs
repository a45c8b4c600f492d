//! The workings of a score as one block that unfolds at once: every step on its line.

use assize_score::workings::lines;
use assize_score::{Explained, Outcome};
use maud::{Markup, html};

use crate::number::score;

/// Steps deeper than this are not moved further to the right.
const DEPTH_MAX: usize = 9;

/// A score that unfolds into all of its steps, or why there is none.
pub fn workings(outcome: &Outcome) -> Markup {
    match outcome {
        Outcome::Scored(explained) => steps(explained),
        Outcome::Unscored { because } => html! { span class="unscored" { "unscored: " (because) } },
    }
}

fn steps(explained: &Explained) -> Markup {
    html! {
        details class="workings" {
            summary { "Show every step" }
            @for line in lines(explained) {
                div class={ "step d" (line.depth.min(DEPTH_MAX)) } {
                    span class="ledger-name" { (line.name.replace('_', " ")) }
                    @if let Some(value) = line.value { " " b { (trimmed(value)) } }
                    @if !line.note.is_empty() { " " span class="ledger-note" { (line.note) } }
                }
            }
        }
    }
}

/// Whole numbers without decimals, others with four.
fn trimmed(value: f64) -> String {
    if value == libm::trunc(value) { format!("{value}") } else { score(value) }
}

#[cfg(test)]
mod tests {
    use assize_score::arithmetic::ratio;
    use assize_score::{Cap, Working};

    use super::*;

    #[test]
    fn one_fold_holds_every_step_and_every_cap() {
        let share = ratio("share", Explained::given("part", 1.0), Explained::given("<whole>", 4.0));
        let outcome = Outcome::from(share.capped(vec![Cap::when(false, 0.5, "a reason")]));
        let html = workings(&outcome).into_string();
        assert_eq!(html.matches("<details").count(), 1);
        assert_eq!(html.matches("class=\"step d").count(), 5);
        assert!(
            html.contains("&lt;whole&gt;") && html.contains("0.2500") && html.contains("a reason")
        );
    }
}
