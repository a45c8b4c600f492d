//! Identifiers of people, by what makes them valid and not by how they look.
//!
//! An identity number, a card, an account, a licence or a secret fails an answer. An e-mail
//! address or a telephone number alone does not: half of all answers name a service desk.
//! Together with where a person lives they do.

mod checks;
mod contact;
mod numbers;

use regex::Regex;

use super::fold::{self, FoldedText, LookAlikes};
use super::report::{Category, Context, GateFinding};

/// What is known about a candidate: its rule, its bytes in the folded text, its context.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    rule: &'static str,
    start: usize,
    end: usize,
    context: Context,
}

/// Places that are something already, in order and apart from each other.
struct TakenPlaces(Vec<(usize, usize)>);

impl TakenPlaces {
    fn by<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> Self {
        let places = candidates.into_iter().map(|candidate| (candidate.start, candidate.end));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        Self(places)
    }

    fn overlaps(&self, range: (usize, usize)) -> bool {
        let next = self.0.partition_point(|place| place.1 <= range.0);
        self.0.get(next).is_some_and(|place| place.0 < range.1)
    }
}

/// Every identifier of an answer, the excused ones too.
pub(super) fn findings(answer: &str, characters: &[char], known: &LookAlikes) -> Vec<GateFinding> {
    let folded = fold::identifiers(answer, known);
    let text = folded.text.as_str();
    let mut candidates = numbers::find(text);
    candidates.extend(contact::find(text, &candidates));
    candidates.iter().map(|candidate| finding(candidate, &folded, characters)).collect()
}

fn finding(candidate: &Candidate, folded: &FoldedText, characters: &[char]) -> GateFinding {
    let (start, end) = folded.original(candidate.start, candidate.end);
    GateFinding {
        category: Category::PiiExposure,
        rule: candidate.rule.to_owned(),
        matched: characters[start..end].iter().collect(),
        start,
        end,
        context: candidate.context.clone(),
    }
}

/// A part of this program that is known to compile.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is part of the program and tested")
}

/// The text shortly before a place, in lower case.
fn before(text: &str, at: usize, bytes: usize) -> String {
    let mut from = at.saturating_sub(bytes);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..at].to_ascii_lowercase()
}

/// The text shortly after a place, in lower case.
fn after(text: &str, at: usize, bytes: usize) -> String {
    let mut to = (at + bytes).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    text[at..to].to_ascii_lowercase()
}
