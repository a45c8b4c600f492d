//! Numbers that belong to one person: identity, card, account, licence; and secrets.

use std::sync::LazyLock;

use regex::Regex;

use super::checks::{self, CardKind};
use super::{Candidate, TakenPlaces, after, before, pattern};
use crate::gate::report::Context;

static SOCIAL_SECURITY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[0-9]{3}[-. ][0-9]{2}[-. ][0-9]{4}|[0-9]{9}"));
static CARD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9](?:[- ]?[0-9]){11,18}"));
static LICENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:driver'?s?'?|driving) licen[sc]e(?: number| no\.?| #)?(?: is| was|:|,| =)* ([A-Za-z]{0,2}[0-9][A-Za-z0-9-]{5,18})",
    )
});
static PASSPORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\bpassport(?: number| no\.?| #)?(?: is| was|:| =)+ ([A-Za-z]{0,2}[0-9]{6,9})")
});
static SECRET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bAKIA[A-Z0-9\[\]]{12,24}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bsk-[A-Za-z0-9_-]{32,}|\bxox[abprs]-[A-Za-z0-9-]{20,}|\bAIza[A-Za-z0-9_-]{35}|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
    )
});
/// Words before a number that make it an example of the form and nobody's.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:for example|e\.g\.|example|examples|such as|written like|looks like|format|placeholder|dummy|fake|sample|test (?:card|number|iban|account)|documentation|fictitious|invalid|made[- ]up)\b",
    )
});
/// Words before a number that say what else it is.
static OTHER_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:order|tracking|invoice|ticket|case|reference|serial|isbn|issn|part|model|request|transaction|confirmation|product|item|imei|uuid|version|phone|fax|tel|barcode|ean|upc|doi|zip|ein)\b[a-z .#:]{0,16}$",
    )
});

/// The numbers and secrets of a text.
pub(super) fn find(text: &str) -> Vec<Candidate> {
    let mut found = accounts(text);
    found.extend(cards(text, &found));
    found.extend(social_security(text, &found));
    for (rule, pattern) in [("driving-licence", &*LICENCE), ("passport", &*PASSPORT)] {
        let groups = pattern.captures_iter(text).filter_map(|groups| groups.get(1));
        let numbers =
            groups.filter(|number| number.as_str().bytes().filter(u8::is_ascii_digit).count() >= 5);
        let fresh: Vec<_> = numbers.map(|number| (number.start(), number.end())).collect();
        found.extend(fresh.into_iter().map(|range| candidate(rule, text, range)));
    }
    let secrets = SECRET.find_iter(text).map(|secret| Candidate {
        rule: "secret-key",
        start: secret.start(),
        end: secret.end(),
        context: Context::none(),
    });
    found.extend(secrets);
    found
}

fn accounts(text: &str) -> Vec<Candidate> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at + 4 < bytes.len() {
        let starts = bytes[at].is_ascii_alphabetic()
            && bytes[at + 1].is_ascii_alphabetic()
            && bytes[at + 2].is_ascii_digit()
            && bytes[at + 3].is_ascii_digit();
        let end = if starts { account_end(text, at) } else { None };
        if let Some(end) = end {
            found.push(candidate("account-number", text, (at, end)));
        }
        at = end.unwrap_or(at + 1);
    }
    found
}

/// Where the account number that starts at a place ends, if it is one.
fn account_end(text: &str, start: usize) -> Option<usize> {
    let length = checks::iban_length(&text[start..start + 2])?;
    let mut compact = String::with_capacity(length);
    let mut gap = false;
    for (offset, byte) in text.as_bytes()[start..].iter().enumerate() {
        match byte {
            b' ' | b'-' if !gap => gap = true,
            byte if byte.is_ascii_alphanumeric() => {
                compact.push(char::from(*byte));
                gap = false;
            }
            _ => return None,
        }
        if compact.len() == length {
            let end = start + offset + 1;
            let apart = !touches_word(text, start) && !continues(text, end);
            return (apart && checks::is_iban(&compact)).then_some(end);
        }
    }
    None
}

fn cards(text: &str, known: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let taken = TakenPlaces::by(known);
    for place in CARD.find_iter(text) {
        let range = (place.start(), place.end());
        if touches_word(text, range.0) || continues(text, range.1) || taken.overlaps(range) {
            continue;
        }
        let Some(kind) = checks::card(&checks::digits(place.as_str())) else { continue };
        let words = before(text, range.0, 60);
        let named = words.contains("card") || words.contains("visa") || words.contains("payment");
        let other = !named && OTHER_NUMBER.is_match(&words);
        if !other && (kind == CardKind::Issuer || named) {
            found.push(candidate("card-number", text, range));
        }
    }
    found
}

fn social_security(text: &str, known: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let taken = TakenPlaces::by(known);
    for place in SOCIAL_SECURITY.find_iter(text) {
        let range = (place.start(), place.end());
        let apart = !touches_word(text, range.0) && !continues(text, range.1);
        if !apart
            || taken.overlaps(range)
            || !checks::is_social_security(&checks::digits(place.as_str()))
        {
            continue;
        }
        let words = before(text, range.0, 80);
        let named = words.contains("ssn") || words.contains("social security");
        let hyphens = place.as_str().bytes().filter(|byte| *byte == b'-').count() == 2;
        let other = !named && OTHER_NUMBER.is_match(&words);
        if named || (hyphens && !other) {
            found.push(candidate("social-security-number", text, range));
        }
    }
    found
}

/// A candidate, excused when the words before it say that it is an example.
fn candidate(rule: &'static str, text: &str, range: (usize, usize)) -> Candidate {
    let words = before(text, range.0, 60);
    let context = match EXAMPLE.find(&words) {
        Some(seen) => Context::excused("example-value", seen.as_str()),
        None => Context::none(),
    };
    Candidate { rule, start: range.0, end: range.1, context }
}

/// Whether a letter, a digit or a joint stands directly before a place.
fn touches_word(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    match before.next() {
        Some('-' | '.' | '_' | '/' | '+') => before.next().is_some_and(char::is_alphanumeric),
        Some(character) => character.is_alphanumeric(),
        None => false,
    }
}

/// Whether the number or word goes on after a place.
fn continues(text: &str, at: usize) -> bool {
    let rest = after(text, at, 2);
    let mut rest = rest.chars();
    match rest.next() {
        Some('-' | '_' | '/') => rest.next().is_some_and(char::is_alphanumeric),
        Some(character) => character.is_alphanumeric(),
        None => false,
    }
}
