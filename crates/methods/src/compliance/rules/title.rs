//! What a criterion is called, wherever its author put that.

use crate::compliance::criteria::Criterion;

/// A title has at most so many words.
const WORDS_MAX: usize = 16;

/// The title of a criterion, which may be empty, and its requirement without it.
pub(super) fn split(criterion: &Criterion) -> (&str, &str) {
    let requirement = criterion.requirement.trim();
    if let Some((first, rest)) = requirement.split_once('\n')
        && is_title(first)
        && !rest.trim().is_empty()
    {
        return (first.trim(), rest);
    }
    let first = criterion.description.trim().lines().next().unwrap_or_default();
    (if is_title(first) { first.trim() } else { "" }, requirement)
}

/// Whether a line names something and states nothing: short, without a label and without a
/// mark at its end.
fn is_title(line: &str) -> bool {
    let line = line.trim();
    let has_label = line.split_whitespace().next().is_some_and(|first| {
        first.len() <= 4 && first.ends_with(['.', ')']) || ["-", "*", "•"].contains(&first)
    });
    !has_label
        && !line.ends_with(['.', ';', ':', ',', '?', '!'])
        && (1..=WORDS_MAX).contains(&line.split_whitespace().take(WORDS_MAX + 1).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(requirement: &str, description: &str) -> (String, String) {
        let criterion = Criterion::new("1", requirement, description);
        let (title, requirement) = split(&criterion);
        (title.to_owned(), requirement.to_owned())
    }

    #[test]
    fn a_title_stands_above_the_requirement_or_begins_the_description() {
        let statement = "a. Review accounts;\nb. Remove them.";
        let above = named(&format!("Account Management\n{statement}"), "Accounts are many things.");
        assert_eq!(above, ("Account Management".to_owned(), statement.to_owned()));
        let before = named(statement, "Access Control › Account Management\nMore about it.");
        let title = "Access Control › Account Management".to_owned();
        assert_eq!(before, (title, statement.to_owned()));
    }

    #[test]
    fn guidance_items_and_sentences_are_no_titles() {
        let guidance = "Examples of accounts are given below, and there are many of them.";
        assert_eq!(named("Review accounts.", guidance).0, "");
        assert_eq!(named("a. Review accounts\nb. Remove them", "").0, "");
        assert_eq!(named("Review accounts when:\na. users leave", "").0, "");
    }
}
