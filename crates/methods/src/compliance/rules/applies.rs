//! Whether a document says that a criterion does not apply to it.

use rustc_hash::FxHashSet;

use super::prepared::Prepared;
use super::statements::Reading;

/// What does not apply must name so much of the title, or of the words of the requirement.
const TITLE_MIN: f64 = 0.5;
const WORDS_MIN: f64 = 0.4;

/// A declaration of so few words leans on its heading and on what follows: "Not applicable."
const BARE_WORDS: usize = 3;

/// The statement that says that this requirement does not apply, if there is one.
pub(super) fn declaration(prepared: &Prepared, document: &Reading<'_>) -> Option<u32> {
    let all = (0..).zip(&document.statements);
    let mut declared = all.filter(|(_, one)| one.is_not_applicable).map(|(index, _)| index);
    declared.find(|index| is_about(prepared, document, *index))
}

/// Whether a declaration is about the requirement: by its own words, those of its heading, and, if
/// it names nothing itself or points back, those beside it.
fn is_about(prepared: &Prepared, document: &Reading<'_>, index: u32) -> bool {
    let one = &document.statements[index as usize];
    let is_bare = document.text[one.bytes.clone()].split_whitespace().count() <= BARE_WORDS;
    let [before, after] = document.neighbours(index);
    let beside = [before.filter(|_| is_bare || one.said.points_back), after.filter(|_| is_bare)];
    let near = [Some(index), one.above].into_iter().chain(beside).flatten();
    let stems: FxHashSet<&str> = near
        .flat_map(|index| &document.statements[index as usize].said.words)
        .map(|word| word.stem.as_str())
        .collect();
    let titled = prepared.title.iter().filter(|stem| stems.contains(stem.as_str())).count();
    let has_title =
        !prepared.title.is_empty() && titled as f64 >= TITLE_MIN * prepared.title.len() as f64;
    let words = || prepared.parts.iter().flat_map(|part| &part.words);
    let all: f64 = words().map(|word| word.weight).sum();
    let named: f64 =
        words().filter(|word| stems.contains(word.stem.as_str())).map(|word| word.weight).sum();
    has_title || all > 0.0 && named >= WORDS_MIN * all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compliance::Criterion;

    fn applies(document: &str) -> bool {
        let criterion = Criterion::new("1", "Visitors are registered.", "Visitors");
        declaration(&Prepared::new(&criterion), &Reading::new(document)).is_none()
    }

    #[test]
    fn only_a_statement_about_the_requirement_says_that_it_does_not_apply() {
        assert!(!applies("# Visitors\n\nNot applicable."));
        assert!(!applies("Not applicable. There are no visitors."));
        assert!(!applies("The rules on visitors do not apply to us."));
        assert!(applies("# Cables\n\nNot applicable."));
        assert!(applies("Visitors wear a badge. The rules on cables do not apply to us."));
    }
}
