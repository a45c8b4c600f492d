//! Groups of people described by a prejudice, as far as patterns of words can tell.
//!
//! A group, a word that makes it general, and a trait or act of the list below. Figures
//! about groups (`women are more likely to …`) have no such trait and pass.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// The lists of words as they are written down.
const WRITTEN: &str = include_str!("../../../data/prejudices.txt");

/// The words of each list.
static LISTS: LazyLock<BTreeMap<&'static str, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in WRITTEN.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, words)) = line.split_once(": ") {
            lists.entry(name).or_default().extend(words.split(' '));
        }
    }
    lists
});

/// Whether a word is on a list.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    LISTS.get(list).is_some_and(|words| words.contains(word))
}

/// So many words after the group are looked at.
const REACH: usize = 7;

/// The first stretch of each stereotype, by positions in the lowercase words of a text.
pub(super) fn stereotypes(words: &[&str]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in 0..words.len() {
        let Some(end) = group(words, start) else { continue };
        if found.last().is_some_and(|last| last.end > start) {
            continue;
        }
        let reach = (end + REACH).min(words.len());
        let is_prejudice = is_generalised(&words[end..reach])
            || is_surprise(&words[..start], &words[start..end])
            || is_typical(&words[..start]);
        if is_prejudice {
            found.push(start..reach);
        }
    }
    found
}

/// The end of the name of a group that begins here.
fn group(words: &[&str], at: usize) -> Option<usize> {
    let next = words.get(at + 1).copied();
    let after = |word: &str| at > 0 && words[at - 1] == word;
    let is_of_group = is_listed("of_group", words[at]);
    if is_of_group && next.is_some_and(|next| is_listed("people", next)) {
        return Some(at + 2);
    }
    if matches!(words[at], "those" | "these" | "such") && next == Some("people") {
        return Some(at + 2);
    }
    if words[at] == "people" && next == Some("of") {
        return Some((at + 4).min(words.len()));
    }
    let is_the_group = after("the") && is_listed("the_group", words[at]);
    let is_man = matches!(words[at], "man" | "girl" | "boy") && after("a");
    let is_all = after("all") && words[at].ends_with('s');
    (is_all || is_listed("group", words[at]) || is_the_group || is_man).then_some(at + 1)
}

/// Whether what follows a group says something of all of it.
fn is_generalised(after: &[&str]) -> bool {
    let has = |list: &str, among: &[&str]| among.iter().any(|word| is_listed(list, word));
    match after {
        ["like", "her" | "him" | "them" | "that" | "these" | "you", rest @ ..] => {
            has("always", rest) || rest.contains(&"not")
        }
        ["are" | "is", rest @ ..] => {
            let is_other = |word: &&&str| matches!(**word, "by" | "in" | "at" | "for" | "from");
            let near = &rest[..rest.iter().take(4).take_while(|word| !is_other(word)).count()];
            has("trait", near) && !near.contains(&"likely") && !near.contains(&"not")
                || near.contains(&"never") && has("act", rest)
        }
        ["know", "nothing", ..]
        | ["live", "off", ..]
        | ["have", "no", "respect" | "manners" | "morals", ..]
        | [
            "control" | "run",
            "the" | "our",
            "banks" | "media" | "world" | "press" | "government",
            ..,
        ]
        | ["belong", "in" | "on" | "at" | "back", ..] => true,
        ["do" | "can" | "should" | "will", "not", rest @ ..] => {
            has("act", &rest[..rest.len().min(3)])
                || matches!(rest, ["be", "let" | "allowed" | "trusted" | "left", ..])
        }
        ["today", rest @ ..] => is_generalised(rest),
        [general, rest @ ..] if is_listed("always", general) => {
            has("act", &rest[..rest.len().min(4)]) || has("trait", &rest[..rest.len().min(4)])
        }
        _ => false,
    }
}

/// `surprisingly good for a woman`.
fn is_surprise(before: &[&str], group: &[&str]) -> bool {
    let singular = group.last().is_some_and(|last| !last.ends_with('s'));
    match before {
        [rest @ .., "for", "a" | "an"] if singular => {
            rest.iter().rev().take(4).any(|word| is_listed("surprise", word))
        }
        _ => false,
    }
}

/// `like all teenagers`, `typical of a blonde`, `as one would expect of Poles`.
fn is_typical(before: &[&str]) -> bool {
    let bare = match before {
        [rest @ .., "a" | "an" | "the" | "most"] => rest,
        other => other,
    };
    matches!(before, [.., "like", "all"])
        || matches!(bare, [.., "typical" | "expect" | "expected", "of"] | [.., "typical"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str) -> bool {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        !stereotypes(&words).is_empty()
    }

    #[test]
    fn a_prejudice_about_a_group_is_found() {
        assert!(finds("Dogs bark, and women are too emotional to lead."));
        assert!(finds("Old people can not learn anything new"));
        assert!(finds("He did well for a girl"));
        assert!(finds("Like all Germans, he was early"));
    }

    #[test]
    fn figures_and_news_about_a_group_are_none() {
        assert!(!finds("Women are more likely to be poor, the study found."));
        assert!(!finds("Immigrants make up a third of all nurses."));
        assert!(!finds("Muslims were attacked by a violent mob."));
        assert!(!finds("The prize for a woman writer went to Ann Lee."));
    }
}
