//! Names that leave room for the figures and still tell everyone apart.

use std::collections::{BTreeMap, BTreeSet};

use super::terminal::one_line;

/// Everyone's name as it stands in a table.
pub(crate) struct Names {
    short: BTreeMap<String, String>,
    longest: usize,
}

impl Names {
    /// Names of at most so many characters, no two alike: what names that begin alike have in
    /// common is left out, and what still coincides gets a number.
    pub(crate) fn of<'a>(names: impl IntoIterator<Item = &'a str>, longest: usize) -> Self {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for name in names {
            alike.entry(cut(name, longest)).or_default().push(name);
        }
        let (mut short, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (beginning, names) in alike {
            let shared = if names.len() > 1 { shared(&names) } else { 0 };
            for name in names {
                let rest: String = name.chars().skip(shared).collect();
                let mut chosen = match shared {
                    0 => beginning.clone(),
                    _ => cut(&format!("…{rest}"), longest),
                };
                let mut number = 2;
                while !taken.insert(chosen.clone()) {
                    chosen = format!("{}~{number}", cut(name, longest.saturating_sub(3)));
                    number += 1;
                }
                short.insert(name.to_owned(), chosen);
            }
        }
        Self { short, longest }
    }

    /// One of them; a name that is not among them is cut.
    pub(crate) fn get(&self, name: &str) -> String {
        self.short.get(name).cloned().unwrap_or_else(|| cut(name, self.longest))
    }
}

/// A name in one line of at most so many characters.
fn cut(name: &str, longest: usize) -> String {
    let whole = one_line(name, longest);
    if whole.chars().count() <= longest { whole } else { one_line(name, longest.saturating_sub(1)) }
}

/// How many characters all of them begin with, up to the last that is no letter or digit.
fn shared(names: &[&str]) -> usize {
    let first: Vec<char> = names[0].chars().collect();
    let common =
        |other: &&str| first.iter().zip(other.chars()).take_while(|(a, b)| **a == *b).count();
    let count = names.iter().map(common).min().unwrap_or(0);
    first[..count].iter().rposition(|letter| !letter.is_alphanumeric()).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short<const N: usize>(names: [&str; N], longest: usize) -> [String; N] {
        let found = Names::of(names, longest);
        names.map(|name| found.get(name))
    }

    #[test]
    fn names_that_begin_alike_are_told_apart_by_their_ends() {
        let names = ["gpt4-rating-metrics-reference", "gpt4-rating-metrics", "gpt4-rating"];
        assert_eq!(short(names, 15), ["…metrics-refer…", "…metrics", "gpt4-rating"]);
        let names = ["lab/model-large-2024-05-13", "lab/model-large-2024-08-06", "other"];
        assert_eq!(short(names, 15), ["…05-13", "…08-06", "other"]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_numbered_and_nothing_is_too_long() {
        let long = "x".repeat(40);
        let (one, other) = (format!("{long}a{long}"), format!("{long}b{long}"));
        let found = short([&one, &other], 12);
        assert_ne!(found[0], found[1]);
        assert!(found.iter().all(|name| name.chars().count() <= 12), "{found:?}");
        assert_eq!(short(["", "é".repeat(12).as_str()], 12)[1].chars().count(), 12);
    }
}
