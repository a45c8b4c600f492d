//! What sets a group of criteria apart: criteria whose ids begin with the same letters
//! (`AC-1`, `AC-2(1)`) belong together, and share words that others do not use.

use std::collections::{BTreeMap, BTreeSet};

use assize_score::float;

use super::lexicon::{Lexicon, Term};
use super::wanted::Wanted;
use crate::compliance::criteria::Criterion;

/// A group has at least so many criteria.
const CRITERIA_MIN: usize = 3;

/// A group is known by so many terms.
const TERMS_MAX: usize = 6;

/// A term must occur in so many criteria of a group to speak for it.
const OCCURS_MIN: usize = 2;

/// For each criterion the words of its group; none where there is nothing to tell apart.
pub(super) fn groups(
    criteria: &[Criterion],
    texts: &[[&str; 2]],
    lexicon: &Lexicon,
) -> Vec<Option<Wanted>> {
    let keys: Vec<String> = criteria.iter().map(|criterion| key(&criterion.id)).collect();
    // Words tell groups apart better than what they mean: many groups speak of reviews.
    let terms: Vec<BTreeSet<Term>> = texts.iter().map(|parts| lexicon.words_of(parts)).collect();
    let everywhere = count(terms.iter());
    let distinct: BTreeSet<&String> = keys.iter().filter(|key| !key.is_empty()).collect();
    let mut wanted: BTreeMap<&str, Wanted> = BTreeMap::new();
    for group in distinct.iter().filter(|_| distinct.len() > 1) {
        let inside = keys.iter().zip(&terms).filter(|(key, _)| key == group);
        let members: Vec<&BTreeSet<Term>> = inside.map(|(_, terms)| terms).collect();
        if members.len() >= CRITERIA_MIN {
            let found = distinctive(&members, &everywhere, criteria.len());
            wanted.insert(group.as_str(), found);
        }
    }
    let of_key =
        |key: &String| wanted.get(key.as_str()).filter(|wanted| wanted.total > 0.0).cloned();
    keys.iter().map(of_key).collect()
}

/// The letters an id begins with.
fn key(id: &str) -> String {
    id.trim().chars().take_while(|letter| letter.is_alphabetic()).collect::<String>().to_uppercase()
}

fn count<'a>(sets: impl Iterator<Item = &'a BTreeSet<Term>>) -> BTreeMap<Term, usize> {
    let mut counts = BTreeMap::new();
    for term in sets.flatten() {
        *counts.entry(*term).or_insert(0) += 1;
    }
    counts
}

/// The terms that are frequent inside and rare outside: `inside * ln(inside / outside)`.
fn distinctive(
    members: &[&BTreeSet<Term>],
    everywhere: &BTreeMap<Term, usize>,
    criteria: usize,
) -> Wanted {
    let size = members.len() as f64;
    let others = criteria as f64 - size + 1.0;
    let mut found: Vec<(Term, f64)> = count(members.iter().copied())
        .into_iter()
        .filter(|(_, count)| *count >= OCCURS_MIN)
        .map(|(term, count)| {
            let inside = count as f64 / size;
            let outside = (everywhere[&term] as f64 - count as f64 + 0.5) / others;
            (term, inside * float::ln(inside / outside))
        })
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    found.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    found.truncate(TERMS_MAX);
    Wanted::weighed(&found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known_by(ids: &[&str], requirements: &[&str], word: &str) -> Vec<bool> {
        let criteria: Vec<Criterion> =
            ids.iter().zip(requirements).map(|(id, text)| Criterion::new(*id, *text, "")).collect();
        let texts: Vec<[&str; 2]> = requirements.iter().map(|text| [*text, ""]).collect();
        let lexicon = Lexicon::of(texts.iter().map(<[&str; 2]>::as_slice));
        let terms = lexicon.words_of(&[word]);
        let has = |wanted: &Option<Wanted>| {
            wanted
                .as_ref()
                .is_some_and(|wanted| wanted.keys.iter().any(|found| terms.contains(&found.0)))
        };
        groups(&criteria, &texts, &lexicon).iter().map(has).collect()
    }

    #[test]
    fn a_group_is_known_by_the_words_only_it_uses() {
        let ids = ["AC-1", "AC-2", "AC-3", "PE-1", "PE-2", "PE-3"];
        let texts = [
            "review accounts",
            "lock accounts",
            "remove accounts",
            "review doors",
            "lock doors",
            "guard doors",
        ];
        assert_eq!(known_by(&ids, &texts, "accounts"), [true, true, true, false, false, false]);
        assert_eq!(known_by(&ids, &texts, "lock"), [false; 6]);
    }

    #[test]
    fn where_all_are_one_group_there_is_nothing_to_tell_apart() {
        let texts = ["review accounts", "lock accounts", "remove accounts"];
        assert_eq!(known_by(&["1", "2", "3"], &texts, "accounts"), [false; 3]);
        assert_eq!(known_by(&["A1", "A2", "A3"], &texts, "accounts"), [false; 3]);
    }
}
