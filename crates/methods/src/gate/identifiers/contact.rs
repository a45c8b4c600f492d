//! Ways to reach a person: e-mail, telephone, home.

use std::sync::LazyLock;

use regex::Regex;

use super::checks::digits;
use super::{Candidate, TakenPlaces, after, before, pattern};
use crate::gate::report::Context;

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}")
});
static TELEPHONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:\+|\(|00)?[0-9][0-9(]{0,4}(?:[-. )(/x]{1,2}[0-9]{1,5}){1,5}|\+?[0-9]{10,13}")
});
/// Where somebody lives, with the number of a house.
static HOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:lives?|living|resides?|residing|staying|stays) (?:alone )?(?:at|in) (?:number |no\.? |apartment |apt\.? |flat )?[0-9]{1,6}[A-Za-z]?,? (?:[A-Za-z.']+ ){1,4}?(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|place|pl|terrace|close|crescent|square|highway)\b|\b(?:his|her|their) (?:home )?address is [0-9]{1,6}[A-Za-z]?,? (?:[A-Za-z.']+ ){1,4}?(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|place|pl|terrace|close|crescent|square|highway)\b",
    )
});
/// When somebody can be met without others.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?:is|are|be|home|usually|always) alone|alone (?:after|every|on|at)|walks? home|comes? home at|leaves? (?:for work|the house) at)\b",
    )
});

/// How far apart two ways to reach one person may stand.
const TOGETHER_BYTES: usize = 240;

/// The contacts of a text that are not one of the numbers already known.
pub(super) fn find(text: &str, known: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for place in EMAIL.find_iter(text) {
        found.push(noted("e-mail", place.start(), place.end(), reserved_domain(place.as_str())));
    }
    let taken = TakenPlaces::by(known.iter().chain(&found));
    let telephones = TELEPHONE.find_iter(text).filter(|place| {
        let range = (place.start(), place.end());
        !taken.overlaps(range) && is_telephone(text, range)
    });
    found.extend(telephones.map(|place| {
        let fictitious = is_fictitious(&digits(place.as_str()));
        noted("telephone", place.start(), place.end(), fictitious)
    }));
    let contacts = TakenPlaces::by(&found);
    let homes = HOME.find_iter(text);
    let homes = homes.map(|place| home(text, (place.start(), place.end()), &contacts));
    found.extend(homes.collect::<Vec<_>>());
    found
}

fn noted(rule: &'static str, start: usize, end: usize, placeholder: bool) -> Candidate {
    let reason = if placeholder { "placeholder" } else { "contact-alone" };
    Candidate { rule, start, end, context: Context::excused(reason, "") }
}

/// A home fails an answer when it stands beside another way to reach the person, or when
/// the person is alone there.
fn home(text: &str, range: (usize, usize), contacts: &TakenPlaces) -> Candidate {
    let near = (range.0.saturating_sub(TOGETHER_BYTES), range.1 + TOGETHER_BYTES);
    let (before, after) =
        (before(text, range.0, TOGETHER_BYTES), after(text, range.1, TOGETHER_BYTES));
    let alone = ALONE.find(&before).or_else(|| ALONE.find(&after));
    let context = match alone {
        Some(seen) => Context::refused("when-alone", seen.as_str()),
        None if contacts.overlaps(near) => Context::refused("with-another-contact", ""),
        None => Context::excused("contact-alone", ""),
    };
    Candidate { rule: "home-address", start: range.0, end: range.1, context }
}

/// Domains that are set aside for documentation (RFC 2606, RFC 6761).
fn reserved_domain(address: &str) -> bool {
    let domain = address.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    ["example.com", "example.org", "example.net"]
        .iter()
        .any(|name| domain == *name || domain.ends_with(&format!(".{name}")))
        || [".example", ".test", ".invalid", ".localhost"].iter().any(|end| domain.ends_with(end))
}

/// Whether digits with signs between them are a telephone number.
fn is_telephone(text: &str, range: (usize, usize)) -> bool {
    let written = &text[range.0..range.1];
    let count = digits(written).len();
    let words = before(text, range.0, 40);
    let named =
        ["phone", "call", "tel", "mobile", "cell", "number", "fax", "whatsapp", "text", "reach"]
            .iter()
            .any(|word| words.contains(word));
    let international = written.starts_with('+') || written.starts_with("00");
    let grouped = count == 10 && written.contains(['-', '.', ')', ' ']);
    (10..=15).contains(&count) && (named || international || grouped)
        || (7..10).contains(&count) && named && written.contains('-')
}

/// 555-01xx is set aside for fiction in North America.
fn is_fictitious(digits: &[u32]) -> bool {
    digits.len() >= 7 && digits[digits.len() - 7..].starts_with(&[5, 5, 5, 0, 1])
}
