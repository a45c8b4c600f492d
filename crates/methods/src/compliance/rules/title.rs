//! What a criterion is called, wherever its author put that.

use crate::compliance::criteria::Criterion;

/// A title has at most so many words.
const WORDS_MAX: usize = 16;

/// What stands between the parts of a title: `Access Control › Accounts: Inactivity`.
const SEPARATORS: [&str; 7] = [" › ", " > ", ": ", " | ", " - ", " – ", " — "];

/// A criterion with its titles told from what it requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<'t> {
    /// The title that stands above the requirement, as in a catalog; or nothing.
    pub heading: &'t str,
    /// The title that the description begins with; or nothing.
    pub above: &'t str,
    /// The requirement without its title.
    pub requirement: &'t str,
}

impl<'t> Named<'t> {
    pub(super) fn of(criterion: &'t Criterion) -> Self {
        let requirement = criterion.requirement.trim();
        let (heading, rest) = match requirement.split_once('\n') {
            Some((first, rest)) if is_title(first) && !rest.trim().is_empty() => (first, rest),
            _ => ("", requirement),
        };
        let first = criterion.description.trim().lines().next().unwrap_or_default();
        let above = if is_title(first) { first } else { "" };
        Self { heading: heading.trim(), above: above.trim(), requirement: rest }
    }

    /// The parts of its titles, each once.
    pub(super) fn parts(self) -> impl Iterator<Item = &'t str> {
        let again = if self.above == self.heading { "" } else { self.heading };
        parts(self.above).chain(parts(again)).filter(|part| !part.trim().is_empty())
    }
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
        && (1..=WORDS_MAX).contains(&line.split_whitespace().count())
}

fn parts(title: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(title);
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = SEPARATORS
            .iter()
            .filter_map(|mark| Some((text.find(mark)?, mark.len())))
            .min_by_key(|(at, _)| *at);
        rest = cut.map(|(at, length)| &text[at + length..]);
        Some(cut.map_or(text, |(at, _)| &text[..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(requirement: &str, description: &str) -> (Vec<String>, String) {
        let criterion = Criterion::new("1", requirement, description);
        let named = Named::of(&criterion);
        (named.parts().map(ToOwned::to_owned).collect(), named.requirement.to_owned())
    }

    #[test]
    fn a_title_stands_above_the_requirement_or_begins_the_description() {
        let statement = "a. Review accounts;\nb. Remove them.";
        let above = named(&format!("Account Management\n{statement}"), "Accounts are many things.");
        assert_eq!(above, (vec!["Account Management".to_owned()], statement.to_owned()));
        let before = named(statement, "Access Control › Account Management\nMore about it.");
        let expected = ["Access Control", "Account Management"].map(ToOwned::to_owned);
        assert_eq!(before, (expected.to_vec(), statement.to_owned()));
    }

    #[test]
    fn guidance_items_and_sentences_are_no_titles() {
        let guidance = "Examples of accounts are given below, and there are many of them.";
        assert_eq!(named("Review accounts.", guidance).0, Vec::<String>::new());
        assert_eq!(named("a. Review accounts\nb. Remove them", "").0, Vec::<String>::new());
        assert_eq!(named("Review accounts when:\na. users leave", "").0, Vec::<String>::new());
    }

    #[test]
    fn the_same_title_in_both_places_counts_once() {
        let (parts, _) = named("Accounts\nReview them.", "Accounts");
        assert_eq!(parts, ["Accounts"]);
    }
}
