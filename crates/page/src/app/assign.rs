//! Giving criteria of a run to somebody: a box for each criterion, and one form for all of them.

use maud::{Markup, html};

use super::parts::plain;

/// The form that the boxes of a table belong to.
const FORM: &str = "assign";

/// The box of a criterion; nothing for somebody who may not assign.
pub(super) fn tick(criteria_id: &str, can_write: bool) -> Markup {
    html! {
        @if can_write { input type="checkbox" form=(FORM) name="criterion" value=(criteria_id) aria-label={ "Select " (plain(criteria_id)) }; " " }
    }
}

/// The form itself, which stands before the boxes: browsers send the fields in the order of the
/// page, and the form's token has to be among the first.
pub(super) fn form(run: i64, is_matrix: bool) -> Markup {
    html! {
        form hidden id=(FORM) method="post" action={ "/eval/" (run) "/assign" } {
            @if is_matrix { input type="hidden" name="view" value="matrix"; }
        }
    }
}

/// Whom to give the chosen criteria.
pub(super) fn to(people: &[String]) -> Markup {
    html! {
        div class="row in" {
            div class="field" { label for="assign-to" { "Assign selected criteria to" }
                select id="assign-to" name="to" form=(FORM) { option value="" { "Unassigned" } @for person in people { option value=(person) { (plain(person)) } } }
            }
            button class="button" form=(FORM) { "Assign" }
        }
    }
}

/// Who looks after a criterion.
pub(super) fn name(assignee: Option<&str>) -> Markup {
    html! { @if let Some(assignee) = assignee { bdi { (plain(assignee)) } } }
}
