//! A criterion as the judge holds it against documents: its parts, and what each asks for.

use assize_text::word_vectors;

use super::lists::LISTS;
use super::obligations::obligations;
use super::parts::{Part, parts};
use super::quantity::Quantity;
use super::sentence::{Meant, Sentence};
use super::title;
use crate::compliance::criteria::Criterion;

/// What the words that lead up to an item count beside its own.
const LEAD_WEIGHT: f64 = 0.5;

/// What only has to be possible: advice is enough for it.
const MILD: [&str; 6] = [" may ", " can ", " should ", " right to ", " able to ", " entitled "];

/// A word that a part asks for.
#[derive(Debug, Clone)]
pub(super) struct WantedWord {
    pub stem: String,
    /// From the table of word weights that ships with the program; no other text moves it.
    pub weight: f64,
    pub is_denied: bool,
    /// Whether it is what must be done.
    pub is_action: bool,
    /// Whether it says with what or by whom; the words that lead to a list only set the scene.
    pub is_subject: bool,
}

/// A part of a requirement.
#[derive(Debug, Clone)]
pub(super) struct PreparedPart {
    /// What must be so, as a sentence of its own.
    pub text: String,
    /// The obligation it belongs to, counted from 0.
    pub obligation: usize,
    pub words: Vec<WantedWord>,
    pub quantities: Vec<Quantity>,
    /// What it points to, of length one.
    pub direction: Vec<f32>,
    pub is_mild: bool,
    /// Whether it speaks of others than the authors of a document itself.
    pub names_outsiders: bool,
}

/// A criterion with its parts.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub parts: Vec<PreparedPart>,
    /// The stems of its title.
    pub title: Vec<String>,
}

impl Prepared {
    pub(super) fn new(criterion: &Criterion) -> Self {
        let (title, requirement) = title::split(criterion);
        let mut prepared = Self { parts: Vec::new(), title: stems(title) };
        for obligation in obligations(requirement) {
            let number = prepared.parts.last().map_or(0, |part| part.obligation + 1);
            let all = parts(&obligation.text).into_iter();
            let all = all.map(|part| PreparedPart::new(&part, &obligation.lead, number));
            prepared.parts.extend(all.filter(|part| !part.words.is_empty()));
        }
        prepared
    }
}

impl PreparedPart {
    fn new(part: &Part, lead: &str, obligation: usize) -> Self {
        let text = [lead.trim_end_matches(':'), &part.subject, &part.text];
        let text: Vec<&str> =
            text.iter().flat_map(|text| text.split_whitespace()).collect::<Vec<_>>();
        let text = text.join(" ");
        let own = Sentence::read(&format!("{} {}", part.subject, part.text));
        let mut words: Vec<WantedWord> = Vec::new();
        for word in &own.words {
            let is_action = own.predicate == Some(word.place);
            add(&mut words, word, (is_action, !is_action), 1.0);
        }
        for word in &Sentence::read(lead).words {
            add(&mut words, word, (false, false), LEAD_WEIGHT);
        }
        let mut direction = word_vectors::sum(&text);
        word_vectors::to_length_one(&mut direction);
        let padded = format!(" {} ", text.to_lowercase());
        Self {
            obligation,
            quantities: own.quantities,
            direction,
            is_mild: MILD.iter().any(|words| padded.contains(words)),
            names_outsiders: padded
                .split(|letter: char| !letter.is_alphanumeric())
                .any(|word| LISTS.outsiders.has(word) || word == "third"),
            words,
            text,
        }
    }

    /// What all its words weigh.
    pub(super) fn weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum()
    }
}

/// Adds a word, once.
fn add(
    words: &mut Vec<WantedWord>,
    word: &Meant,
    (is_action, is_subject): (bool, bool),
    times: f64,
) {
    if let Some(known) = words.iter_mut().find(|known| known.stem == word.stem) {
        known.is_action |= is_action;
        return;
    }
    let weight = times * f64::from(word_vectors::weight(&word.lower));
    let (stem, is_denied) = (word.stem.clone(), word.is_denied);
    words.push(WantedWord { stem, weight, is_denied, is_action, is_subject });
}

fn stems(text: &str) -> Vec<String> {
    let mut found: Vec<String> =
        Sentence::read(text).words.into_iter().map(|word| word.stem).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_a_sentence_with_its_action_and_its_number() {
        let requirement = "Passwords have at least 12 characters and are changed every year.";
        let prepared = Prepared::new(&Criterion::new("1", requirement, "Password rules"));
        let texts: Vec<&str> = prepared.parts.iter().map(|part| part.text.as_str()).collect();
        let expected =
            ["Passwords have at least 12 characters", "Passwords are changed every year."];
        assert_eq!(texts, expected);
        assert_eq!(prepared.parts[1].quantities.len(), 1);
        let action = prepared.parts[1].words.iter().find(|word| word.is_action);
        assert_eq!(action.map(|word| word.stem.as_str()), Some("chang"));
        assert_eq!(prepared.title, ["password", "rule"]);
    }

    #[test]
    fn words_weigh_the_same_whatever_stands_beside_them() {
        let weigh = |requirement: &str| {
            let prepared = Prepared::new(&Criterion::new("1", requirement, ""));
            prepared.parts[0].words.iter().find(|word| word.stem == "backup").unwrap().weight
        };
        assert_eq!(weigh("Backups are made."), weigh("Old backups of servers are kept for years."));
    }
}
