//! Patterns written out: fragments, verbs, spaces.
//!
//! `{name}` stands for a fragment, and `<make|build>` for verbs in their base form and
//! with -ing.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Fragments may use fragments, so deep.
const DEPTH_MAX: usize = 8;

/// A pattern with its fragments and verbs written out. A space matches a line end too, and
/// word limits are those of ASCII, which the folded text is made of where it matters.
pub(super) fn expand(
    pattern: &str,
    fragments: &BTreeMap<String, String>,
) -> Result<String, String> {
    expand_at(pattern, fragments, 0)
}

fn expand_at(
    pattern: &str,
    fragments: &BTreeMap<String, String>,
    depth: usize,
) -> Result<String, String> {
    if depth > DEPTH_MAX {
        return Err("fragments that refer to each other in a cycle".to_owned());
    }
    let mut whole = String::with_capacity(pattern.len() * 2);
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '<', '\\', ' ', '[']) {
        whole.push_str(&rest[..at]);
        let special = &rest[at..];
        let used = match special.as_bytes()[0] {
            b'{' => fragment(special, fragments, depth, &mut whole)?,
            b'<' => verbs(special, &mut whole)?,
            b'\\' if special.starts_with("\\b") => {
                whole.push_str("(?-u:\\b)");
                2
            }
            b'\\' => copied(
                special,
                1 + special[1..].chars().next().map_or(0, char::len_utf8),
                &mut whole,
            ),
            b'[' => copied(special, special.find(']').map_or(1, |end| end + 1), &mut whole),
            _ => {
                whole.push_str("[ \\n]");
                1
            }
        };
        rest = &special[used..];
    }
    whole.push_str(rest);
    Ok(whole)
}

fn copied(special: &str, length: usize, whole: &mut String) -> usize {
    whole.push_str(&special[..length]);
    length
}

/// `{name}`, or the `{0,3}` of a regular expression, which stays.
fn fragment(
    special: &str,
    fragments: &BTreeMap<String, String>,
    depth: usize,
    whole: &mut String,
) -> Result<usize, String> {
    let Some(end) = special.find('}') else { return Ok(copied(special, 1, whole)) };
    let name = &special[1..end];
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Ok(copied(special, end + 1, whole));
    }
    let text = fragments.get(name).ok_or_else(|| format!("unknown fragment `{name}`"))?;
    whole.push_str("(?:");
    whole.push_str(&expand_at(text, fragments, depth + 1)?);
    whole.push(')');
    Ok(end + 1)
}

/// `<make|break into>`: verbs as they are and with -ing.
fn verbs(special: &str, whole: &mut String) -> Result<usize, String> {
    let end = special.find('>').ok_or_else(|| "a `<` without its `>`".to_owned())?;
    whole.push_str("(?:");
    for (index, verb) in special[1..end].split('|').enumerate() {
        let (first, particle) =
            verb.split_once(' ').map_or((verb, ""), |(first, rest)| (first, rest));
        let particle = if particle.is_empty() {
            String::new()
        } else {
            format!("[ \\n]{}", particle.replace(' ', "[ \\n]"))
        };
        if index > 0 {
            whole.push('|');
        }
        // Writing to a string cannot fail.
        let _ = write!(whole, "(?:{first}|{}){particle}", gerunds(first));
    }
    whole.push(')');
    Ok(end + 1)
}

/// The forms with -ing that a verb may have.
fn gerunds(verb: &str) -> String {
    let stem = verb.strip_suffix('e').filter(|stem| !stem.ends_with('e')).unwrap_or(verb);
    match stem.chars().last().filter(|last| stem.len() == verb.len() && last.is_ascii_alphabetic())
    {
        // The last consonant may be doubled: cutting, but not building.
        Some(last) => format!("{stem}{last}?ing"),
        None => format!("{stem}ing"),
    }
}
