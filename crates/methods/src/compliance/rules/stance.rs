//! How a sentence is meant: as a duty or a fact, as advice, as a plan, or as no statement.

use super::lists::{LISTS, Words, contains};
use super::tokens::is_auxiliary;
use super::verbs::{is_base, is_certain, is_doubtful, is_finite, is_order};
use super::words::words;

const SUPPOSING: [&str; 4] = [" would ", "if we had", "imagine", "supposing"];

/// How a sentence is meant; from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stance {
    /// It names things and states nothing: a heading, a list of terms, a definition.
    Named,
    /// It speaks of others, asks, quotes or supposes.
    Mentioned,
    /// It is planned.
    Planned,
    /// It is left to those concerned.
    Optional,
    /// It is recommended.
    Advised,
    /// It is a duty or a fact with exceptions, or for the most part.
    Mostly,
    /// It is a duty or a fact.
    Firm,
}

impl Stance {
    /// What a statement that is meant so is worth.
    pub(super) fn worth(self) -> f64 {
        match self {
            Self::Named => 0.02,
            Self::Mentioned => 0.05,
            Self::Planned => 0.22,
            Self::Optional => 0.25,
            Self::Advised => 0.68,
            Self::Mostly => 0.75,
            Self::Firm => 1.0,
        }
    }
}

/// Beside these "may" permits nothing: it forbids, or says what happens.
const NOT_PERMITTING: [&str; 7] =
    ["may not", "only", "nobody", "no one", "may result", "may lead", "may be lost"];

const BINDING: [&str; 6] = ["must", "shall", "required", "requires", "always", "obliged"];

const DEFINING: [&str; 5] =
    [" means ", " shall mean ", " is defined as ", " refers to ", " stands for "];

/// The share of such words from which on a line without an auxiliary is a sentence.
const HOLDING_SHARE: f64 = 0.25;

/// A line of so many words that ends with a full stop is a sentence.
const WHOLE_WORDS: usize = 7;

/// How a sentence is meant that is neither heading nor definition.
pub(super) fn stance(text: &str) -> Stance {
    let lower =
        format!(" {} ", text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "));
    let has = |phrases: &Words| phrases.iter().any(|phrase| contains(&lower, phrase));
    let has_one = |phrases: &[&str]| phrases.iter().any(|phrase| contains(&lower, phrase));
    if !is_sentence(text) || DEFINING.iter().any(|words| lower.contains(words)) {
        return Stance::Named;
    }
    if text.trim_end().ends_with('?')
        || has(&LISTS.others)
        || is_of_peers(&lower)
        || has(&LISTS.quoting)
        || is_quoted(text)
    {
        return Stance::Mentioned;
    }
    if has(&LISTS.planning) {
        return Stance::Planned;
    }
    if SUPPOSING.iter().any(|words| lower.contains(words)) {
        return Stance::Mentioned;
    }
    if has(&LISTS.optional) {
        return Stance::Optional;
    }
    // "Every May" is a month.
    let permits = contains(text, "may") && !has_one(&NOT_PERMITTING);
    let advises = has(&LISTS.advising);
    if (advises || permits) && !has_one(&BINDING) {
        return Stance::Advised;
    }
    if has(&LISTS.mostly) || leaves_out(&lower) { Stance::Mostly } else { Stance::Firm }
}

/// Whether a sentence makes an exception to what it says.
pub(super) fn leaves_out(lower: &str) -> bool {
    LISTS.excepting.iter().any(|words| {
        lower.match_indices(words).any(|(at, found)| {
            let (before, after) = (&lower[..at], &lower[at + found.len()..]);
            let is_whole = !before.ends_with(char::is_alphanumeric)
                && !after.starts_with(char::is_alphanumeric);
            is_whole && !LISTS.letting_in.iter().any(|word| contains(before, word))
        })
    })
}

/// "Other agencies encrypt", "many customers ask".
fn is_of_peers(lower: &str) -> bool {
    ["other ", "many ", "most "].iter().any(|word| {
        lower.match_indices(&format!(" {word}")).any(|(at, found)| {
            let rest = &lower[at + found.len()..];
            let next =
                rest.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
            LISTS.peers.has(next) && !lower[..at].ends_with(" with")
        })
    })
}

/// Whether most of a sentence stands in quotation marks.
fn is_quoted(text: &str) -> bool {
    let text = text.trim();
    let inner = |open: char, close: char| {
        let start = text.find(open)?;
        let rest = &text[start + open.len_utf8()..];
        rest.find(close).map(|end| rest[..end].split_whitespace().count())
    };
    let quoted = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')]
        .iter()
        .filter_map(|(open, close)| inner(*open, *close))
        .max()
        .unwrap_or(0);
    quoted >= 4 && 2 * quoted > text.split_whitespace().count()
}

/// First words that are rather nouns: "**access** rights reviewed", "**restore** test".
const NOUNS_FIRST: [&str; 5] = ["access", "audit", "log", "patch", "restore"];

/// "Quarterly review of access rights", "access rights reviewed every quarter", "restore test once
/// a year": what is done is named, and nothing says that it is.
fn is_named_only(words: &[String]) -> bool {
    let at = |place: usize| words.get(place).map_or("", String::as_str);
    let names = |word: &str| LISTS.naming.iter().any(|end| word.ends_with(end)) || is_base(word);
    let is_named = |place: usize| at(place) == "of" && names(at(place - 1));
    let has_verb = words.iter().skip(1).any(|word| is_certain(word));
    let has_participle = words.iter().skip(2).any(|word| word.len() > 4 && word.ends_with("ed"));
    let is_noun = NOUNS_FIRST.contains(&at(0)) && (has_participle || is_doubtful(at(1)));
    !has_verb && ((1..4).any(is_named) || is_noun)
}

/// Whether most of what stands between semicolons is no sentence by itself.
fn is_list_of_terms(text: &str) -> bool {
    let terms: Vec<&str> = text.split(';').filter(|term| !term.trim().is_empty()).collect();
    let sentences = terms.iter().filter(|term| is_sentence(term)).count();
    terms.len() > 2 && 2 * sentences < terms.len()
}

/// Whether a text is a sentence and not a list of terms.
pub(super) fn is_sentence(text: &str) -> bool {
    if text.contains(';') && is_list_of_terms(text) {
        return false;
    }
    let words: Vec<String> = words(text).map(|word| word.text.to_lowercase()).collect();
    let in_relative = |at: usize| {
        // A sentence that begins with "who" is no relative clause.
        let before = &words[at.saturating_sub(4).max(1).min(at)..at];
        before.iter().any(|word| ["that", "which", "who", "how"].contains(&word.as_str()))
    };
    let has_auxiliary =
        words.iter().enumerate().any(|(at, word)| is_auxiliary(word) && !in_relative(at));
    if has_auxiliary {
        return true;
    }
    if words.len() < 2 || is_definition(text) || is_named_only(&words) {
        return false;
    }
    let holding = words.iter().filter(|word| LISTS.holding.has(word)).count();
    let has_determiner = words.iter().any(|word| LISTS.determiners.has(word));
    let marks = text.matches([',', ';', '·', '•', '|', '/']).count();
    let is_list = marks >= 2 && words.len() < 4 * (marks + 1) && holding < marks;
    let verbs = words.iter().enumerate().filter(|(at, word)| is_finite(word, *at)).count();
    let orders = is_order(&words[0], has_determiner);
    let ends_sentence = text.trim_end().ends_with(['.', ';', '!']);
    let is_whole =
        words.len() >= WHOLE_WORDS && marks == 0 && holding > 0 && text.trim_end().ends_with('.');
    !is_list
        && (orders
            || is_whole
            || has_determiner
                && (verbs > 0
                    || ends_sentence && holding as f64 >= HOLDING_SHARE * words.len() as f64))
}

/// "Firewall: a device that filters traffic": a term, a colon and what it is.
fn is_definition(text: &str) -> bool {
    let Some((term, rest)) = text.split_once(": ") else { return false };
    let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_lower = rest.starts_with(char::is_lowercase);
    term.split_whitespace().count() <= 5 && is_lower && !is_order(&first, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_without_a_sentence_state_nothing() {
        for text in [
            "Access control.",
            "Least privilege.",
            "AES-256, TLS 1.3, key rotation, hardware security module",
            "Detection, analysis, containment, recovery, reporting of incidents within 24 hours.",
            "Firewall: a device that filters network traffic between zones.",
            "Security awareness training: instruction of staff about threats and how to see them.",
            "Laptops encrypted; staff trained every year; logs kept for a year; visitors escorted.",
            "Annual training of all staff in information security.",
            "Report of security incidents within 24 hours.",
            "Installation of critical patches within 14 days.",
            "Access rights reviewed every quarter",
            "Restore test once a year",
        ] {
            assert_eq!(stance(text), Stance::Named, "{text}");
        }
    }

    #[test]
    fn facts_duties_and_orders_are_firm() {
        for text in [
            "The access team reviews privileges monthly.",
            "Staff wash their hands before they start work.",
            "Review user accounts every quarter.",
            "Encrypt all laptops.",
            "Users change their passwords every 180 days.",
            "Backups are made every night.",
            "Review access rights every quarter.",
        ] {
            assert_eq!(stance(text), Stance::Firm, "{text}");
        }
    }

    #[test]
    fn advice_plans_and_the_words_of_others_are_less() {
        assert_eq!(stance("Staff should lock their screens."), Stance::Advised);
        assert_eq!(stance("We intend to encrypt laptops."), Stance::Planned);
        assert_eq!(stance("We would like to encrypt laptops in due course."), Stance::Planned);
        assert_eq!(stance("The training is voluntary."), Stance::Optional);
        assert_eq!(stance("Does the practice test its plan?"), Stance::Mentioned);
        assert_eq!(
            stance("The auditor wrote: \"All visitors must be escorted.\""),
            Stance::Mentioned
        );
        assert!(stance("Other operators require background checks.") <= Stance::Mentioned);
        assert_eq!(stance("Logs would be reviewed weekly if we had the staff."), Stance::Mentioned);
        assert_eq!(stance("Only dentists may open the notes."), Stance::Firm);
        assert_eq!(stance("The plan is rehearsed every May."), Stance::Firm);
    }

    #[test]
    fn exceptions_and_habits_are_less_than_duties() {
        assert_eq!(stance("Laptops are encrypted, except those of guests."), Stance::Mostly);
        assert_eq!(stance("Doors are usually locked."), Stance::Mostly);
        assert_eq!(stance("Nobody except the founders has a key."), Stance::Firm);
        assert_eq!(stance("Whoever wants to come in shows a badge."), Stance::Firm);
        assert_eq!(stance("All rooms are locked without exception."), Stance::Firm);
    }
}
